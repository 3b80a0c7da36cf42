//! `farsight presets`: list, show and check presets, and the schema of their files.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::exit::Failure;
use crate::cli::{print, say};
use crate::preset::{Preset, PresetError, schema, shipped, shipped_names};

const EXAMPLES: &str = "\
Examples:
  farsight presets list
  farsight presets show fog --resolved > my-fog.toml
  farsight presets check my-fog.toml
  farsight presets schema > farsight.schema.json";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct PresetsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// The shipped presets, one a line
    List {
        /// As JSON, with the text of each
        #[arg(long)]
        json: bool,
    },
    /// The text of a preset
    Show {
        /// A shipped preset or a .toml file
        #[arg(value_name = "NAME|FILE")]
        name: String,
        /// Every key with its meaning, unit and range, and the values that hold after all that it extends
        #[arg(long)]
        resolved: bool,
    },
    /// Say what is wrong with preset files; exit code 3 if anything is
    Check {
        /// .toml files; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// The JSON schema of a preset file, for editors that check and complete
    Schema,
}

pub(super) fn run(args: &PresetsArgs) -> Result<(), Failure> {
    match &args.action {
        Action::List { json: false } => list(),
        Action::List { json: true } => list_json(),
        Action::Show { name, resolved: false } => print(&text_of(name)?),
        Action::Show { name, resolved: true } => print(&Preset::named(name)?.to_toml()),
        Action::Check { files } => check(files),
        Action::Schema => print(&schema()),
    }
}

fn list() -> Result<(), Failure> {
    let widest = shipped_names().map(str::len).max().unwrap_or(0);
    let mut lines = String::new();
    for name in shipped_names() {
        let default = if name == Preset::DEFAULT_NAME { " (default)" } else { "" };
        lines += &format!("{name:widest$}  {}{default}\n", Preset::named(name)?.about);
    }
    print(&lines)
}

fn list_json() -> Result<(), Failure> {
    let mut presets = Vec::new();
    for name in shipped_names() {
        let about = Preset::named(name)?.about;
        let default = name == Preset::DEFAULT_NAME;
        presets.push(json!({"name": name, "about": about, "default": default, "toml": shipped(name)}));
    }
    print(&format!("{:#}\n", serde_json::Value::from(presets)))
}

/// The text as it stands in the file; it is checked first, so that a wrong file is not shown as a preset.
fn text_of(name: &str) -> Result<String, Failure> {
    Preset::named(name)?;
    match shipped(name) {
        Some(text) => Ok(text.to_owned()),
        None => std::fs::read_to_string(name).map_err(|error| Failure::input(format!("{name}: {error}"))),
    }
}

fn check(files: &[PathBuf]) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut good = String::new();
    for file in files {
        match check_one(file) {
            Ok(()) => good += &format!("{}: a good preset\n", file.display()),
            Err(error) => faults.push(error.to_string()),
        }
    }
    print(&good)?;
    match faults.split_last() {
        None => Ok(()),
        Some((last, others)) => {
            for fault in others {
                say(&format!("farsight: {fault}"));
            }
            Err(Failure::input(last))
        }
    }
}

fn check_one(file: &Path) -> Result<(), PresetError> {
    if file.as_os_str() == "-" {
        let origin = "standard input";
        let mut text = String::new();
        /// Far more than any preset; a stream might never end.
        const LONGEST: u64 = 1 << 20;
        let wrong = |reason: String| PresetError::Read { origin: origin.into(), reason };
        let read = std::io::stdin().lock().take(LONGEST + 1).read_to_string(&mut text);
        if text.len() as u64 > LONGEST {
            return Err(wrong(format!("it has more than {LONGEST} bytes; no preset is that long")));
        }
        read.map_err(|error| wrong(error.to_string()))?;
        return Preset::from_toml(&text, origin).map(drop);
    }
    let name = file.display().to_string();
    // A file is meant, even where a shipped preset has its name.
    let is_bare_file = file.is_file() && file.parent().is_some_and(|folder| folder.as_os_str().is_empty());
    let name = if is_bare_file && shipped(&name).is_some() { format!("./{name}") } else { name };
    Preset::named(&name).map(drop)
}
