//! Checksums of everything the program writes. They show whether a change of the code changes an output.
//!
//! `tests/data/checksums.txt` lists command lines with a checksum for each output: every file that the command writes, and
//! `stdout`. The checksums exclude explanatory words and the version (see [`without_words`]).
//!
//! - Run only these tests: `cargo test --test cli checksums`.
//! - Write the checksums of the list again: `FARSIGHT_WRITE_CHECKSUMS=1 cargo test --test cli checksums`.
//! - Check another build against the list: `FARSIGHT_PROGRAM=/path/to/farsight cargo test --test cli checksums`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::Folder;

/// The list, below the folder of the crate.
const LIST: &str = "tests/data/checksums.txt";

/// The output that is not a file.
const STDOUT: &str = "stdout";

/// The first bytes of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Between a command and its outputs.
const ARROW: &str = " => ";

/// Defines a test for each section of the list, so that they run in parallel.
macro_rules! sections {
    ($($test:ident: $section:literal,)*) => {
        const SECTIONS: &[&str] = &[$($section),*];
        $(
            #[test]
            fn $test() {
                check($section);
            }
        )*
    };
}

sections! {
    presets_are_exported_as_listed: "presets",
    layers_and_formats_are_exported_as_listed: "layers and formats",
    methods_are_exported_as_listed: "methods",
    decay_and_optics_are_exported_as_listed: "decay and optics",
    viewers_lamps_and_hours_are_exported_as_listed: "viewers, lamps and hours",
    maps_and_heightmaps_are_exported_as_listed: "maps and heightmaps",
    films_are_written_as_listed: "films",
    atlases_are_written_as_listed: "atlases",
    comparisons_and_explanations_are_written_as_listed: "comparisons and explanations",
    texts_are_printed_as_listed: "texts",
    keys_and_flags_are_as_listed: "keys and flags",
}

#[test]
fn every_section_of_the_list_has_a_test() {
    let list = std::fs::read_to_string(in_crate(LIST)).unwrap();
    let sections: Vec<&str> = list.lines().filter_map(section).collect();
    assert_eq!(sections, SECTIONS);
    let commands: Vec<&str> = list.lines().filter_map(Entry::parse).map(|entry| entry.command).collect();
    for (i, command) in commands.iter().enumerate() {
        assert!(!commands[..i].contains(command), "{command}: listed twice");
    }
}

/// A line of the list: commands separated by `&&`, then each output with its checksum.
struct Entry<'a> {
    command: &'a str,
    /// Checksums by output. The key is a file or [`STDOUT`], or a rectangle of one: `v.png[x,y,width,height]`, in pixels
    /// of a PNG, else in columns and lines of a text.
    outputs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Entry<'a> {
    /// Returns `None` for a blank line, a comment, or the name of a section.
    fn parse(line: &'a str) -> Option<Self> {
        if line.is_empty() || line.starts_with('#') || section(line).is_some() {
            return None;
        }
        let (command, outputs) = line.split_once(ARROW).unwrap_or((line, ""));
        let outputs = outputs.split(", ").filter(|output| !output.is_empty());
        Some(Self { command, outputs: outputs.map(|output| output.split_once(' ').unwrap_or((output, ""))).collect() })
    }

    /// Runs the commands in a new folder and returns the checksums of their outputs, or an error.
    fn run(&self) -> Result<BTreeMap<String, String>, String> {
        let folder = Folder::new();
        let mut stdout = Vec::new();
        for command in self.command.split(" && ") {
            stdout.extend(run(&folder, command)?);
        }
        let mut written = folder.files();
        if !stdout.is_empty() {
            written.insert(STDOUT.to_owned(), stdout);
        }
        let mut checksums = BTreeMap::new();
        for (name, bytes) in &written {
            let rectangles: Vec<_> =
                self.outputs.keys().filter_map(|key| Some((*key, rectangle(key, name)?))).collect();
            if rectangles.is_empty() {
                checksums.insert(name.clone(), checksum(&without_words(bytes)));
            }
            for (key, rectangle) in rectangles {
                checksums.insert(key.to_owned(), checksum(&cut(bytes, rectangle)));
            }
        }
        Ok(checksums)
    }
}

/// The section that a line opens: `[name]`.
fn section(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']')
}

/// The rectangle in the key of an output, if it is one of this file.
fn rectangle(output: &str, file: &str) -> Option<[usize; 4]> {
    let numbers = output.strip_prefix(file)?.strip_prefix('[')?.strip_suffix(']')?;
    let numbers: Vec<usize> = numbers.split(',').map(|number| number.parse().unwrap()).collect();
    Some(numbers.try_into().expect("x,y,width,height"))
}

fn in_crate(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

/// Runs the program and returns its standard output, or an error. It copies the files of the crate named by the command
/// to the folder.
fn run(folder: &Folder, command: &str) -> Result<Vec<u8>, String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    for word in words.iter().filter(|word| word.contains('/') && in_crate(word).is_file()) {
        std::fs::create_dir_all(folder.path(word).parent().unwrap()).unwrap();
        std::fs::copy(in_crate(word), folder.path(word)).unwrap();
    }
    let program = std::env::var_os("FARSIGHT_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_farsight").into());
    let mut process = Command::new(program);
    process.args(words).current_dir(folder.path("")).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let output = process.output().unwrap();
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("`{command}` ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim_end()))
    }
}

/// Compares the outputs of a section with the list, or writes the list if `FARSIGHT_WRITE_CHECKSUMS` is set.
fn check(section: &str) {
    if std::env::var_os("FARSIGHT_WRITE_CHECKSUMS").is_some() {
        return write(section);
    }
    let list = std::fs::read_to_string(in_crate(LIST)).unwrap();
    let mut report = String::new();
    for line in lines_of(&list, section) {
        let Some(entry) = Entry::parse(line) else { continue };
        let found = match entry.run() {
            Ok(found) => found,
            Err(error) => {
                let _ = writeln!(report, "\n  farsight {}\n    {error}", entry.command);
                continue;
            }
        };
        let mut differences = String::new();
        for (output, expected) in &entry.outputs {
            let found = found.get(*output).map_or("not written", String::as_str);
            if found != *expected {
                let _ = writeln!(differences, "    {output}: expected {expected}, found {found}");
            }
        }
        for (output, found) in found.iter().filter(|(output, _)| !entry.outputs.contains_key(output.as_str())) {
            let _ = writeln!(differences, "    {output}: not in the list, found {found}");
        }
        if !differences.is_empty() {
            let _ = write!(report, "\n  farsight {}\n{differences}", entry.command);
        }
    }
    assert!(
        report.is_empty(),
        "outputs differ from {LIST}:\n{report}\nIf they are meant to differ, write the list again and say why in the \
         commit:\n  FARSIGHT_WRITE_CHECKSUMS=1 cargo test --test cli checksums\n"
    );
}

/// Writes the checksums of a section to the list.
fn write(section: &str) {
    static FILE: Mutex<()> = Mutex::new(());
    let list = std::fs::read_to_string(in_crate(LIST)).unwrap();
    let mut lines = BTreeMap::new();
    for line in lines_of(&list, section) {
        let Some(entry) = Entry::parse(line) else { continue };
        let outputs: Vec<String> = entry.run().unwrap().iter().map(|(output, sum)| format!("{output} {sum}")).collect();
        lines.insert(line, format!("{}{ARROW}{}", entry.command, outputs.join(", ")));
    }
    let _guard = FILE.lock();
    let list = std::fs::read_to_string(in_crate(LIST)).unwrap();
    let list: Vec<&str> = list.lines().map(|line| lines.get(line).map_or(line, String::as_str)).collect();
    std::fs::write(in_crate(LIST), list.join("\n") + "\n").unwrap();
}

fn lines_of<'a>(list: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    list.lines().skip_while(move |line| section(line) != Some(name)).skip(1).take_while(|line| section(line).is_none())
}

/// The 64-bit FNV-1a hash, folded to 32 bits.
fn checksum(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
}

/// A rectangle of the pixels of a PNG of 8 bits a channel, or of the characters of a text.
fn cut(bytes: &[u8], [x, y, width, height]: [usize; 4]) -> Vec<u8> {
    if !bytes.starts_with(PNG) {
        let lines = std::str::from_utf8(bytes).unwrap().lines().skip(y).take(height);
        return lines.flat_map(|line| line.chars().skip(x).take(width).chain(['\n'])).collect::<String>().into();
    }
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let channels = frame.color_type.samples();
    assert!(x + width <= frame.width as usize && y + height <= frame.height as usize, "outside of the picture");
    let rows = pixels.chunks_exact(frame.line_size).skip(y).take(height);
    rows.flat_map(|row| &row[x * channels..(x + width) * channels]).copied().collect()
}

/// Removes explanatory words from an output: the rest must not change by a byte.
///
/// Removed are the version; the values of `about`, `description`, `title`, `subject` and `sentence`; comments of a preset,
/// except a key that is not set (`# reach = …`); and data that depend on these: the length and the CRC of a PNG
/// chunk, the length of the metadata of a GeoTIFF and the offsets in it.
fn without_words(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(PNG) {
        png_without_words(bytes)
    } else if bytes.starts_with(b"GIF89a") {
        gif_without_words(bytes)
    } else if bytes.starts_with(b"II*\0") {
        tif_without_words(bytes)
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text) if text.starts_with(['{', '[']) && text.contains('"') => json_without_words(text).into(),
            Ok(text) if text.contains("\n[sight]\n") || text.contains("about = ") => preset_without_words(text).into(),
            _ => bytes.to_vec(),
        }
    }
}

fn png_without_words(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut rest = &bytes[PNG.len()..];
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let chunk = &rest[4..8 + length];
        match chunk.strip_prefix(b"iTXtfarsight\0\0\0\0\0") {
            Some(json) => kept.extend(json_without_words(std::str::from_utf8(json).unwrap()).bytes()),
            None => kept.extend_from_slice(&rest[..12 + length]),
        }
        rest = &rest[12 + length..];
    }
    kept
}

/// Keeps the tags of the first directory with their values, and the strips.
fn tif_without_words(bytes: &[u8]) -> Vec<u8> {
    const STRIP_OFFSETS: usize = 273;
    const STRIP_LENGTHS: usize = 279;
    const METADATA: usize = 42112;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
    let directory = number(&bytes[4..8]);
    let (mut kept, mut offsets, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    for entry in bytes[directory + 2..].chunks(12).take(number(&bytes[directory..directory + 2])) {
        let [tag, kind, count] = [&entry[..2], &entry[2..4], &entry[4..8]].map(number);
        let side = match kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 => 4,
            5 | 10 | 12 => 8,
            other => panic!("tag {tag} is of type {other}"),
        };
        let values = match side * count {
            0..=4 => &entry[8..8 + side * count],
            length => &bytes[number(&entry[8..12])..][..length],
        };
        kept.extend_from_slice(&entry[..2]);
        match tag {
            STRIP_OFFSETS => offsets = values.chunks(side).map(number).collect(),
            METADATA => {
                let text = String::from_utf8(values.to_vec()).unwrap();
                let (band, provenance) = text.split_once("<Item name=\"farsight\" domain=\"farsight\">").unwrap();
                let json = provenance.split_once("</Item>").unwrap().0.replace("&quot;", "\"").replace("&amp;", "&");
                kept.extend(band.bytes().chain(json_without_words(&json).bytes()));
            }
            _ => kept.extend_from_slice(values),
        }
        if tag == STRIP_LENGTHS {
            lengths = values.chunks(side).map(number).collect();
        }
    }
    assert_eq!(offsets.len(), lengths.len());
    for (offset, length) in offsets.into_iter().zip(lengths) {
        kept.extend_from_slice(&bytes[offset..offset + length]);
    }
    kept
}

fn gif_without_words(bytes: &[u8]) -> Vec<u8> {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut at = 13 + table(bytes[10]);
    let mut kept = bytes[..at].to_vec();
    while bytes[at] != 0x3b {
        let start = at;
        at += match bytes[at] {
            0x21 => 2,
            0x2c => 11 + table(bytes[at + 9]),
            other => panic!("a block of type {other:#04x}"),
        };
        let mut data = Vec::new();
        while bytes[at] != 0 {
            data.extend_from_slice(&bytes[at + 1..at + 1 + usize::from(bytes[at])]);
            at += 1 + usize::from(bytes[at]);
        }
        at += 1;
        match bytes[start..].starts_with(b"\x21\xfe") {
            true => kept.extend(json_without_words(std::str::from_utf8(&data).unwrap()).bytes()),
            false => kept.extend_from_slice(&bytes[start..at]),
        }
    }
    kept.extend_from_slice(&bytes[at..]);
    kept
}

/// Changes the text values of some keys and keeps every other byte.
fn json_without_words(text: &str) -> String {
    const KEYS: [&str; 8] = ["version", "about", "description", "title", "subject", "sentence", "preset", "toml"];
    let mut kept = String::new();
    let mut rest = text;
    while let Some(end) = rest.find("\":") {
        let key = rest[..end].rsplit('"').next().unwrap();
        let colon = end + 2 + usize::from(rest[end + 2..].starts_with(' '));
        let (before, after) = rest.split_at(colon);
        kept += before;
        rest = after;
        if !KEYS.contains(&key) || !rest.starts_with('"') {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let value = values.next().unwrap().unwrap();
        if matches!(key, "preset" | "toml") {
            let _ = write!(kept, "{:?}", preset_without_words(&value));
        }
        rest = &rest[values.byte_offset()..];
    }
    kept + rest
}

/// Keys and values of a preset.
fn preset_without_words(toml: &str) -> String {
    let is_kept = |line: &&str| match line.strip_prefix('#') {
        Some(comment) => comment.ends_with(" = …"),
        None => !line.is_empty() && !line.starts_with("about = "),
    };
    let lines = toml.lines().filter(is_kept).map(|line| line.split(" # ").next().unwrap().trim_end());
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn words_are_left_out_and_values_are_kept() {
    let json = r##"{"version":"0.1.0","preset":"# Words.\nabout = \"More.\"\nlight = 1\n# reach = …\n","seed":5}"##;
    assert_eq!(json_without_words(json), r##"{"version":,"preset":"light = 1\n# reach = …\n","seed":5}"##);
    let json = "{\n  \"preset\": \"fog\",\n  \"title\": \"A \\\"title\\\": long\",\n  \"unit\": \"m\"\n}";
    let kept = "{\n  \"preset\": \"fog\\n\",\n  \"title\": ,\n  \"unit\": \"m\"\n}";
    assert_eq!(json_without_words(json), kept);
    assert_eq!(without_words(b"ncols 96\n# m\n"), b"ncols 96\n# m\n");
}
