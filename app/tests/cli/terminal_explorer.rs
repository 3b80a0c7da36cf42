//! `farsight` in a pseudo-terminal, which `script` of util-linux makes: the test types keys and reads the output.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::Folder;

/// The longest wait for words on the screen. A world takes a second or two.
const LIMIT: Duration = Duration::from_secs(60);

/// The explorer in a terminal. Its shell prints the exit code and the state of the terminal after the end.
struct Terminal {
    folder: Folder,
    child: Child,
    keys: ChildStdin,
    output: Receiver<Vec<u8>>,
    /// The output since the last call of [`Terminal::wait_for`].
    unread: String,
}

impl Terminal {
    fn open(arguments: &str) -> Self {
        let folder = Folder::new();
        let program = env!("CARGO_BIN_EXE_farsight");
        let line = format!(
            "tty > tty.txt; stty rows 24 cols 80; echo $$ > shell.txt; '{program}' {arguments}; echo code=$?; stty -a; echo end"
        );
        let mut command = Command::new("script");
        command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path(""));
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR"] {
            command.env_remove(name);
        }
        command
            .env("TERM", "xterm-256color")
            .env("COLORTERM", "truecolor")
            .env("LC_ALL", "C.UTF-8")
            .env("SHELL", "/bin/sh");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("script of util-linux");
        let keys = child.stdin.take().unwrap();
        let mut out = child.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { folder, child, keys, output, unread: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Reads up to these words, and returns the text before them.
    #[track_caller]
    fn wait_for(&mut self, words: &str) -> String {
        let start = Instant::now();
        loop {
            if let Some(at) = self.unread.find(words) {
                let rest = self.unread.split_off(at + words.len());
                return std::mem::replace(&mut self.unread, rest);
            }
            match self.output.recv_timeout(LIMIT.saturating_sub(start.elapsed())) {
                Ok(bytes) => self.unread += &String::from_utf8_lossy(&bytes),
                Err(_) => {
                    let end: String =
                        self.unread.chars().rev().take(600).collect::<Vec<_>>().into_iter().rev().collect();
                    panic!("{words:?} did not come; this did: {end:?}")
                }
            }
        }
    }

    /// Sends a signal to the program.
    fn signal(&self, signal: &str) {
        let shell = std::fs::read_to_string(self.folder.path("shell.txt")).unwrap();
        let done = Command::new("pkill").args([signal, "-P", shell.trim(), "farsight"]).status().unwrap();
        assert!(done.success());
    }

    fn resize(&self, columns: u16, lines: u16) {
        let tty = std::fs::read_to_string(self.folder.path("tty.txt")).unwrap();
        let size = ["rows", &lines.to_string(), "cols", &columns.to_string()].map(str::to_owned);
        assert!(Command::new("stty").args(["-F", tty.trim()]).args(size).status().unwrap().success());
    }

    /// Waits for the end, and checks that the terminal is restored.
    #[track_caller]
    fn assert_ended(&mut self, code: i32) -> String {
        let before = self.wait_for("code=");
        let after = self.wait_for("end\r\n");
        assert!(after.starts_with(&format!("{code}\r\n")), "{after}");
        let restored = ["\x1b[?25h", "\x1b[?1049l", "\x1b[?7h"]; // cursor, main screen, wrapping
        assert!(restored.iter().all(|sequence| before.contains(sequence)), "the screen is not restored");
        let modes: Vec<&str> = after.split([' ', ';', '\r', '\n']).collect();
        for mode in ["icanon", "echo", "isig", "icrnl", "opost"] {
            assert!(modes.contains(&mode), "{mode} is off: {after}");
        }
        let _ = self.child.wait();
        before
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const WORLD: &str = "--size 96x96 --seed 3 --at 40,40 --set perception.creatures=0";

#[test]
fn keys_walk_open_the_help_and_export_what_is_on_the_screen() {
    let mut terminal = Terminal::open(WORLD);
    terminal.wait_for("\x1b[?1049h");
    let first = terminal.wait_for("cell 40,40");
    assert!(first.contains('\u{2580}') && first.contains('@') && first.contains("Legend"));
    terminal.press("e");
    terminal.wait_for("Saved farsight-temperate-3-40-40.png in ");
    terminal.press("\x1b[C"); // right
    terminal.wait_for("cell 41,40");
    terminal.press("jn");
    terminal.wait_for("cell 42,42");
    terminal.press("?");
    terminal.wait_for("choose a preset");
    terminal.press("q"); // closes the help only
    terminal.wait_for("cell 42,42");
    terminal.press("q");
    terminal.assert_ended(0);
    // The export equals the screen: with airlight, and with all land.
    let words = format!("export -q {WORLD} -o again.png");
    terminal.folder.done(&words);
    let [first, again] = ["farsight-temperate-3-40-40.png", "again.png"].map(|name| terminal.folder.read(name));
    assert!(first == again);
}

#[test]
fn presets_are_chosen_from_a_list_and_a_failed_export_is_reported() {
    let mut terminal = Terminal::open(WORLD);
    terminal.wait_for("cell 40,40");
    terminal.press("p");
    terminal.wait_for("> temperate");
    terminal.press("jj\r");
    terminal.wait_for("haze  cell ");
    std::fs::remove_dir_all(terminal.folder.path("")).unwrap();
    terminal.press("e");
    terminal.wait_for("farsight-haze-");
    terminal.press("\x1b"); // Esc
    terminal.wait_for("code=0");
    std::fs::create_dir(terminal.folder.path("")).unwrap();
}

#[test]
fn the_size_of_the_terminal_is_followed() {
    let mut terminal = Terminal::open(WORLD);
    terminal.wait_for("Legend");
    terminal.wait_for("cell 40,40");
    terminal.resize(40, 12);
    let small = terminal.wait_for("e export\x1b[K"); // the last of the keys that fit
    let frame = small.rsplit("\x1b[?2026h").next().unwrap();
    assert!(frame.contains('@') && !frame.contains("Legend"), "the legend has no place");
    terminal.press("\t");
    terminal.wait_for("Legend");
    terminal.resize(20, 5);
    terminal.wait_for("20x5");
    terminal.resize(80, 24);
    terminal.wait_for("\x1b[24;1H");
    terminal.press("q"); // closes the legend
    terminal.wait_for("? keys");
    terminal.press("q");
    terminal.assert_ended(0);
}

#[test]
fn ctrl_c_and_signals_restore_the_terminal() {
    let mut terminal = Terminal::open(WORLD);
    terminal.wait_for("cell 40,40");
    terminal.press("\x03");
    assert!(terminal.assert_ended(130).ends_with("farsight: stopped\r\ncode="));
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let mut terminal = Terminal::open(WORLD);
        terminal.wait_for("cell 40,40");
        terminal.signal(signal);
        terminal.assert_ended(code);
    }
}

#[test]
fn a_closed_terminal_ends_the_explorer() {
    let mut terminal = Terminal::open(WORLD);
    terminal.wait_for("cell 40,40");
    let shell = std::fs::read_to_string(terminal.folder.path("shell.txt")).unwrap();
    let children = || {
        let found = Command::new("pgrep").args(["-P", shell.trim(), "farsight"]).output().unwrap();
        String::from_utf8(found.stdout).unwrap().trim().to_owned()
    };
    let program = children();
    assert!(!program.is_empty());
    terminal.child.kill().unwrap(); // `script` holds the other end of the terminal
    terminal.child.wait().unwrap();
    let start = Instant::now();
    let is_running = || {
        // A process that has ended may wait for its parent.
        let status = std::fs::read_to_string(format!("/proc/{program}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    };
    while is_running() {
        assert!(start.elapsed() < LIMIT, "it still runs");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn without_a_terminal_for_keys_the_view_is_printed_once() {
    let mut terminal = Terminal::open(&format!("{WORLD} < /dev/null 2> messages.txt"));
    let printed = terminal.wait_for("code=0");
    assert!(printed.contains('\u{2580}') && printed.contains("farsight export") && !printed.contains("\x1b[?1049h"));
    let mut terminal = Terminal::open(&format!("{WORLD} 2> messages.txt | cat"));
    let printed = terminal.wait_for("code=0");
    assert!(printed.contains("@ you") && !printed.contains('\x1b'), "{printed:?}");
}
