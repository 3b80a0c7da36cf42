//! The command line: the files, messages and exit codes of the program.

mod about;
mod atlas;
mod bad_input;
mod checksums;
mod command_cases;
mod compare;
mod completions;
mod cumulative;
mod defaults;
mod degrees_gdal;
mod documented_types;
mod documents;
#[cfg(target_os = "linux")]
mod exit_codes;
mod explain;
mod exports;
mod geopackage_gdal;
mod ground_and_surface;
mod heightmap;
mod horizon;
mod hostile_files;
mod kernel;
#[cfg(target_os = "linux")]
mod killed_runs;
mod layout;
mod mosaics;
mod north;
mod observer_files;
mod panorama;
mod presets;
mod provenance;
mod same_files;
mod saved_walks;
mod scene_flags;
mod sheet;
mod sidecars;
#[cfg(target_os = "linux")]
mod signals;
mod sky;
mod terminal;
#[cfg(target_os = "linux")]
mod terminal_explorer;
mod terrain_cases;
mod tiled_tif;
mod verbose;
mod walk;
mod window_reading;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A heightmap with coordinates.
const RIDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif");

/// A temporary folder to run the program in.
struct Folder(TempDir);

/// The exit code and the output of a run.
struct Ended {
    code: i32,
    out: Vec<u8>,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farsight"));
        command.args(words.split_whitespace()).current_dir(self.0.path());
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the program with these arguments, separated by spaces.
    fn run(&self, words: &str) -> Ended {
        self.run_with(words, b"")
    }

    /// Runs it with this standard input.
    fn run_with(&self, words: &str, input: &[u8]) -> Ended {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input); // it may end before it reads
        let output = child.wait_with_output().unwrap();
        Ended {
            code: output.status.code().expect("it ends by itself"),
            out: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs it; it must succeed.
    fn done(&self, words: &str) -> Ended {
        let ended = self.run(words);
        assert_eq!(ended.code, 0, "{words}: {}", ended.stderr);
        ended
    }

    /// Runs it; it must fail with this code and a single message with these parts, print nothing to standard output,
    /// and leave every file as it was.
    #[track_caller]
    fn refused(&self, code: i32, words: &str, said: &[&str]) {
        let before = self.files();
        let ended = self.run(words);
        assert_eq!(ended.code, code, "{words}: {}", ended.stderr);
        assert!(
            ended.stderr.starts_with("farsight: ") && !ended.stderr.contains("panicked"),
            "{words}: {}",
            ended.stderr
        );
        assert_eq!(ended.stderr.matches("farsight: ").count(), 1, "one message: {}", ended.stderr);
        for part in said {
            assert!(ended.stderr.contains(part), "{words}: {part:?} is missing in {}", ended.stderr);
        }
        assert!(ended.out.is_empty(), "{words}");
        assert!(before == self.files(), "{words}: a file came, went or changed");
    }

    /// Computes an atlas with an unwritable output, so that its complete checkpoint remains.
    fn write_checkpoint(&self, words: &str) {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = self.command(&format!("{words} -o - --format npy")).stdout(full).stderr(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(4), "{words}");
    }

    /// Every file with its bytes.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.0.path()).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.path().is_file());
        files.map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())).collect()
    }
}

impl Ended {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

/// A NumPy file of float64 values.
fn npy(width: usize, height: usize, values: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({height}, {width}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// The float32 values of a NumPy file.
fn npy_values(bytes: &[u8], width: usize, height: usize) -> Vec<f32> {
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let words = String::from_utf8_lossy(&bytes[..header]);
    assert!(words.contains("'<f4'") && words.contains("False"), "{words}");
    assert!(words.contains(&format!("({height}, {width})")), "{words}");
    let values: Vec<f32> = bytes[header..].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(values.len(), width * height);
    values
}
