//! Runs that are killed at random moments, some of them on a full disk: every file is the whole old one or the whole new
//! one, an atlas resumes to the same bytes, and the next success leaves no temporary file. `FARSIGHT_KILLS=100` kills each more often.
//!
//! `tests/window/killed_saves.rs` does the same for the window.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

use super::Folder;

const SIGKILL: i32 = 9;
const BALLAST: &str = "ballast";
/// More than the pages that a file system adds to the bytes of the files of a command.
const SLACK: u64 = 1 << 17;

/// Returns the number of kills of a command: a few, or `FARSIGHT_KILLS`.
fn kills() -> usize {
    std::env::var("FARSIGHT_KILLS").map_or(8, |number| number.parse().unwrap())
}

/// SplitMix64 with a fixed seed, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A folder whose room is limited: a small file system where the test may mount one, else a limit of the size of files.
struct SmallDisk {
    folder: Folder,
    is_mounted: bool,
}

impl SmallDisk {
    fn new(bytes: u64) -> Self {
        let folder = Folder::new();
        let options = format!("size={bytes}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder.path("")).stderr(Stdio::piped());
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        let is_required = std::env::var_os("FARSIGHT_REQUIRE_MOUNT").is_some();
        assert!(is_mounted || !is_required, "FARSIGHT_REQUIRE_MOUNT is set, and no tmpfs can be mounted");
        Self { folder, is_mounted }
    }

    /// Leaves this many bytes of room.
    fn limit(&self, room: u64) {
        let mut ballast = File::create(self.folder.path(BALLAST)).unwrap();
        while ballast.write_all(&[0; 4096]).is_ok() {}
        let length = ballast.metadata().unwrap().len();
        ballast.set_len(length.saturating_sub(room)).unwrap();
    }

    /// Ages the temporary files of killed runs, so that they are removed.
    fn age(&self) {
        let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
        for (name, _) in self.unfinished().into_iter().filter(|(name, _)| name.starts_with(".farsight-")) {
            File::open(self.folder.path(&name)).unwrap().set_modified(an_hour_ago).unwrap();
        }
    }

    /// Starts a command with this much room.
    fn start(&self, words: &str, room: Option<u64>) -> Child {
        self.age();
        let mut command = self.folder.command(words);
        let _ = fs::remove_file(self.folder.path(BALLAST));
        match room {
            Some(room) if self.is_mounted => self.limit(room),
            Some(room) => {
                let line = format!("ulimit -f {}; exec {} {words}", room / 512, env!("CARGO_BIN_EXE_farsight"));
                command = Command::new("sh");
                command.args(["-c", &line]).current_dir(self.folder.path(""));
            }
            None => {}
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = self.folder.files();
        files.remove(BALLAST);
        files
    }

    /// Temporary files and folders, and checkpoints with their lengths.
    fn unfinished(&self) -> BTreeSet<(String, u64)> {
        let mut unfinished = BTreeSet::new();
        for entry in fs::read_dir(self.folder.path("")).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if name.starts_with(".farsight-") {
                unfinished.insert((name, 0));
            } else if name.ends_with(".checkpoint") {
                unfinished.insert((name, entry.metadata().map_or(0, |file| file.len())));
            }
        }
        unfinished
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if self.is_mounted {
            let _ = Command::new("umount").arg("-l").arg(self.folder.path("")).status();
        }
    }
}

/// The numbers of runs by their result.
#[derive(Debug, Default)]
struct Counts {
    kills: usize,
    /// Kills that left a temporary file or a part.
    kills_while_writing: usize,
    without_room: usize,
    done: usize,
}

struct KillTest {
    disk: SmallDisk,
    words: String,
    /// The files of an undisturbed run.
    new: BTreeMap<String, Vec<u8>>,
    need: u64,
    random: Random,
    run_time: Duration,
    write_time: Duration,
    counts: Counts,
}

impl KillTest {
    fn new(words: &str, seed: u64) -> Self {
        let folder = Folder::new();
        folder.done(words);
        let new = folder.files();
        let need: u64 = new.values().map(|bytes| bytes.len() as u64).sum();
        let disk = SmallDisk::new(5 * (need + SLACK));
        let zero = Duration::ZERO;
        let random = Random(seed);
        let counts = Counts::default();
        let mut test =
            Self { disk, words: words.to_owned(), new, need, random, run_time: zero, write_time: zero, counts };
        let begin = Instant::now();
        let mut child = test.disk.start(words, None);
        test.wait_for_writing(&mut child, &BTreeSet::new());
        let writes_from = begin.elapsed();
        assert!(child.wait().unwrap().success());
        (test.run_time, test.write_time) = (begin.elapsed(), begin.elapsed() - writes_from);
        test
    }

    /// Waits until the command writes a file that was not there before, or ends.
    fn wait_for_writing(&self, child: &mut Child, before: &BTreeSet<(String, u64)>) {
        while self.disk.unfinished().is_subset(before) && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    /// Replaces the files of an undisturbed run by older files, or removes them.
    fn put_older_files(&self) {
        let _ = fs::remove_file(self.disk.folder.path(BALLAST));
        for name in self.new.keys() {
            let _ = fs::remove_file(self.disk.folder.path(name));
        }
        if self.counts.kills.is_multiple_of(2) {
            self.new.keys().for_each(|name| self.disk.folder.write(name, format!("an older {name}")));
        }
    }

    /// Starts the command, and kills it at a random moment: of the whole run, or of the time that it writes.
    fn run_once(&mut self) {
        self.put_older_files();
        let (before, unfinished) = (self.disk.files(), self.disk.unfinished());
        let too_little = self.random.share() < 0.5;
        let most = if too_little { self.need as f64 } else { 2.0 * (self.need + SLACK) as f64 };
        let room = (self.random.share() < 0.3).then(|| (self.random.share() * most) as u64);
        let while_writing = self.random.share() < 0.5;
        let mut child = self.disk.start(&self.words, room);
        if while_writing {
            self.wait_for_writing(&mut child, &unfinished);
        }
        let span = if while_writing { self.write_time } else { self.run_time };
        std::thread::sleep(span.mul_f64(self.random.share()));
        if room.is_none() || self.random.share() < 0.5 {
            let _ = child.kill(); // the others may find the disk full
        }
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        let status = child.wait().unwrap();
        let Self { words, disk, counts, new, .. } = self;
        let context = format!("{words}, room {room:?}: {status} {message}");
        let after = disk.files();
        match status.code() {
            None => {
                assert_eq!(status.signal(), Some(SIGKILL), "{context}");
                for name in new.keys() {
                    let is_whole = after.get(name) == before.get(name) || after.get(name) == new.get(name);
                    assert!(is_whole, "{context}: {name} is neither the old file nor the new one");
                }
                counts.kills += 1;
                counts.kills_while_writing += usize::from(!disk.unfinished().is_subset(&unfinished));
            }
            Some(0) => {
                self.assert_new(&context);
                self.counts.done += 1;
            }
            Some(4) => {
                let is_told =
                    ["there is no space left", "larger than allowed"].iter().any(|part| message.contains(part));
                assert!(is_told, "{context}");
                let has_room = room.is_none_or(|room| room > self.need + SLACK);
                assert!(!has_room, "{context}: there is room for {} bytes", self.need);
                for name in new.keys() {
                    assert!(after.get(name) == before.get(name), "{context}: {name} is not as it was");
                }
                counts.without_room += 1;
            }
            Some(_) => panic!("{context}"),
        }
    }

    /// The new files are there, byte for byte, and nothing else.
    fn assert_new(&self, context: &str) {
        let files = self.disk.files();
        assert_eq!(files.keys().collect::<Vec<_>>(), self.new.keys().collect::<Vec<_>>(), "{context}");
        assert!(files == self.new, "{context}: other bytes than without a kill");
        assert!(self.disk.unfinished().is_empty(), "{context}: a temporary file is left");
    }

    /// With too little room the command fails, and changes nothing.
    fn run_without_room(&mut self) {
        self.put_older_files();
        let before = self.disk.files();
        let output = self.disk.start(&self.words, Some(self.need / 16)).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
        let mut after = self.disk.files();
        after.retain(|name, _| !name.ends_with(".checkpoint"));
        assert!(after == before, "{}: a file came, went or changed", self.words);
        self.counts.without_room += 1;
    }

    #[expect(clippy::print_stdout, reason = "the counts are the result, shown with --nocapture")]
    fn run(mut self, kills: usize) {
        self.run_without_room();
        while self.counts.kills < kills {
            self.run_once();
            assert!(self.counts.done + self.counts.without_room < 20 * kills, "{}: {:?}", self.words, self.counts);
        }
        let status = self.disk.start(&self.words, Some(self.need + SLACK)).wait().unwrap();
        assert!(status.success(), "{}: after {kills} kills there is room for one run", self.words);
        self.assert_new(&self.words);
        println!("farsight {}: {:?}", self.words, self.counts);
        assert!(self.counts.kills_while_writing > 0, "{:?}", self.counts);
    }
}

#[test]
fn killed_exports_leave_whole_files() {
    let words = "export -q --size 64x64 --radius 6 --crop map --scale 8 -o view.png -o view.npy -o view.csv";
    KillTest::new(words, 1).run(kills());
}

#[test]
fn killed_films_leave_whole_files() {
    let film = "walk -q --size 48x48 --radius 6 --wander 6 --scale 6 -o";
    KillTest::new(&format!("{film} walk.gif"), 2).run(kills());
    KillTest::new(&format!("{film} %02d.png"), 3).run(kills());
    KillTest::new(&format!("{film} walk.gif -o walk.apng"), 6).run(kills());
}

#[test]
fn killed_atlases_resume_to_the_same_bytes() {
    KillTest::new("atlas -q --size 64x64 --radius 4 --resume -o atlas.png -o atlas.npy", 4).run(kills());
}

#[test]
fn killed_comparisons_leave_whole_files() {
    let folder = TempDir::new().unwrap();
    let map = folder.path().join("pillar.txt");
    fs::write(&map, ".........\n..#......\n...@.....\n.....#...\n.........\n").unwrap();
    KillTest::new(&format!("compare -q --map {} --no-time --asymmetry-cells 4 -o methods.png", map.display()), 5)
        .run(kills());
}

#[test]
#[ignore = "needs root, to mount a small file system"]
fn temporary_file_that_fills_the_disk_is_removed_before_the_next_run() {
    let folder = Folder::new();
    let words = "export -q --size 64x64 --radius 6 --crop map --scale 16 -o view.png";
    folder.done(words);
    let disk = SmallDisk::new(folder.read("view.png").len() as u64 + SLACK);
    assert!(disk.is_mounted, "no tmpfs can be mounted, so there is nothing to fill");
    disk.folder.write("view.png", "an older file");
    fill(&disk.folder.path(".farsight-999999999-aB3.tmp"));
    let output = disk.start(words, None).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(disk.folder.files() == folder.files());
}

fn fill(path: &Path) {
    let mut file = OpenOptions::new().create_new(true).write(true).open(path).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
}
