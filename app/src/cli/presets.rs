//! `farsight presets`: lists, shows and checks presets, and prints their schema.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::failure::Failure;
use super::stdio::{print_stdout, read_text};
use super::text::missing_letters_note;
use farsight_scene::preset::{Preset, PresetError, schema, shipped, shipped_names};

/// The maximum size of a preset, far above any real one; a stream may be endless.
const MAX_PRESET_BYTES: u64 = 1 << 20;

const EXAMPLES: &str = "\
Examples:
  farsight presets list
  farsight presets show fog --resolved > my-fog.toml
  farsight presets check my-fog.toml
  farsight presets schema > farsight.schema.json";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct PresetsArgs {
    #[command(subcommand)]
    command: PresetsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum PresetsCommand {
    /// List the shipped presets, one per line
    List {
        /// Print JSON, with the text of each preset
        #[arg(long)]
        json: bool,
    },
    /// Print the text of a preset
    Show {
        /// A shipped preset or a .toml file
        #[arg(value_name = "NAME|FILE")]
        name: String,
        /// Print every key with its meaning, unit, range and effective value, including inherited keys
        #[arg(long)]
        resolved: bool,
    },
    /// Check preset files; the exit code is 3 if one is wrong
    Check {
        /// .toml files; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Print the JSON schema of preset files, for editors
    Schema,
}

pub(crate) fn run(args: &PresetsArgs) -> Result<(), Failure> {
    match &args.command {
        PresetsCommand::List { json: false } => list(),
        PresetsCommand::List { json: true } => list_json(),
        PresetsCommand::Show { name, resolved: false } => print_stdout(preset_text(name)?),
        PresetsCommand::Show { name, resolved: true } => print_stdout(Preset::named(name)?.to_toml()),
        PresetsCommand::Check { files } => check(files),
        PresetsCommand::Schema => print_stdout(schema()),
    }
}

fn list() -> Result<(), Failure> {
    let widest = shipped_names().map(str::len).max().unwrap_or(0);
    let mut lines = String::new();
    for name in shipped_names() {
        let default = if name == Preset::DEFAULT_NAME { " (default)" } else { "" };
        lines += &format!("{name:widest$}  {}{default}\n", Preset::named(name)?.about);
    }
    print_stdout(lines)
}

fn list_json() -> Result<(), Failure> {
    let mut presets = Vec::new();
    for name in shipped_names() {
        let about = Preset::named(name)?.about;
        let default = name == Preset::DEFAULT_NAME;
        presets.push(json!({"name": name, "about": about, "default": default, "toml": shipped(name)}));
    }
    print_stdout(format!("{:#}\n", serde_json::Value::from(presets)))
}

/// Returns the text of a preset, after checking it, so that a wrong file is not shown.
fn preset_text(name: &str) -> Result<String, Failure> {
    Preset::named(name)?;
    match shipped(name) {
        Some(text) => Ok(text.to_owned()),
        None => read_text(Path::new(name), MAX_PRESET_BYTES),
    }
}

fn check(files: &[PathBuf]) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut good = String::new();
    for file in files {
        match check_file(file) {
            Ok(preset) => {
                let note = missing_letters_note(preset.names.iter().map(|place| place.name.as_str()));
                let note = note.map_or_else(String::new, |note| format!(", but {note}"));
                good += &format!("{}: a good preset{note}\n", file.display());
            }
            Err(error) => faults.push(error.to_string()),
        }
    }
    print_stdout(good)?;
    if faults.is_empty() { Ok(()) } else { Err(Failure::input(faults.join("\nfarsight: "))) }
}

fn check_file(file: &Path) -> Result<Preset, PresetError> {
    if file.as_os_str() == "-" {
        let origin = "standard input";
        let mut text = String::new();
        let wrong = |reason: String| PresetError::Read { origin: origin.into(), reason };
        let read = std::io::stdin().lock().take(MAX_PRESET_BYTES + 1).read_to_string(&mut text);
        if text.len() as u64 > MAX_PRESET_BYTES {
            return Err(wrong(format!("it has more than {MAX_PRESET_BYTES} bytes; no preset is that long")));
        }
        read.map_err(|error| wrong(error.to_string()))?;
        return Preset::from_local_toml(&text, origin);
    }
    let name = file.display().to_string();
    // The path of a file, even if a shipped preset has the same name.
    let is_bare_file = file.is_file() && file.parent().is_some_and(|folder| folder.as_os_str().is_empty());
    let name = if is_bare_file && shipped(&name).is_some() { format!("./{name}") } else { name };
    Preset::named(&name)
}
