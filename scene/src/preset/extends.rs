//! Presets by name or path, and the presets that they extend.

use toml::{Table, Value};

use super::check::check_table;
use crate::guard_panics::guarded;
use crate::preset::{PresetError, shipped};
use crate::read_file::is_open_stream;

/// The presets that a preset can extend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parents {
    /// Only shipped presets: the preset is part of an untrusted file.
    Shipped,
    /// Shipped presets and files.
    Files,
}

/// The maximum number of presets in a chain.
const MAX_DEPTH: usize = 32;

/// Returns the table of a preset merged onto those that it extends, without `extends`, and the origin for errors.
pub(super) fn resolve(name_or_path: &str) -> Result<(Table, String), PresetError> {
    let source = PresetText::find(name_or_path, None)?;
    let origin = source.origin.clone();
    Ok((resolve_chain(source, Parents::Files, &mut Vec::new())?, origin))
}

/// Returns the file of a preset and the files that it extends, as far as they can be read.
pub(super) fn files(path: &std::path::Path) -> Vec<std::path::PathBuf> {
    if is_open_stream(path) {
        return vec![path.to_owned()]; // it can be read once only
    }
    let mut chain = Vec::new();
    let name = path.display().to_string();
    if let Ok(source) = PresetText::find(&name, None) {
        let _ = resolve_chain(source, Parents::Files, &mut chain); // an error ends the chain; reading the preset reports it
    }
    let parents = chain.into_iter().skip(1).filter(|identity| shipped(identity).is_none()).map(Into::into);
    std::iter::once(path.to_owned()).chain(parents).collect()
}

/// Resolves a text that extends one of `parents`, as [`resolve`].
pub(super) fn resolve_text(text: &str, origin: &str, parents: Parents) -> Result<Table, PresetError> {
    let (origin, text) = (origin.to_owned(), text.to_owned());
    let identity = format!("{origin} (text)"); // no name of a preset: a file may be called like its parent
    resolve_chain(PresetText { identity, origin, text, folder: None }, parents, &mut Vec::new())
}

/// Replaces the values of `base` by those of `over`, section by section.
pub(super) fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// `chain` contains the presets from the first to the preset that extends `source`.
fn resolve_chain(source: PresetText, parents: Parents, chain: &mut Vec<String>) -> Result<Table, PresetError> {
    let PresetText { origin, identity, text, folder } = source;
    if chain.contains(&identity) {
        chain.push(identity);
        return Err(PresetError::Cycle(chain.join(" extends ")));
    }
    if chain.len() > MAX_DEPTH {
        return Err(PresetError::TooDeep { first: chain.swap_remove(0), limit: MAX_DEPTH });
    }
    let mut table = match guarded(|| text.parse::<Table>()) {
        Ok(Ok(table)) => table,
        Err(panic) => return Err(PresetError::Syntax { origin, reason: panic.to_string() }),
        Ok(Err(error)) => return Err(PresetError::Syntax { origin, reason: describe(&text, &error) }),
    };
    check_table(&origin, "", &table)?;
    chain.push(identity);
    let Some(Value::String(parent)) = table.remove("extends") else { return Ok(table) };
    let found = match parents {
        Parents::Files => find_parent(&origin, &parent, folder.as_deref()),
        Parents::Shipped => PresetText::find_shipped(&parent).ok_or_else(|| PresetError::not_shipped(&parent)),
    };
    let parent = match found {
        Ok(parent) => parent,
        Err(error @ PresetError::Value { .. }) => return Err(error),
        Err(fault) => return Err(PresetError::Extends { origin, fault: Box::new(fault) }),
    };
    let mut merged = resolve_chain(parent, parents, chain)?;
    merge(&mut merged, &table);
    Ok(merged)
}

/// Finds the preset that the preset of `origin` extends. An untrusted preset can name only shipped presets and files by
/// a path relative to its folder, and no device, stream or network host.
fn find_parent(origin: &str, parent: &str, folder: Option<&str>) -> Result<PresetText, PresetError> {
    let is_stream = folder.is_some_and(|folder| is_open_stream(&std::path::Path::new(folder).join(parent)));
    if !is_relative_path(parent) || is_stream {
        return Err(PresetError::Value {
            origin: origin.to_owned(),
            key: "extends".to_owned(),
            value: format!("\"{parent}\""),
            unit: String::new(),
            range: "the name of a shipped preset, or a path to a file that begins in the folder of this one".to_owned(),
        });
    }
    PresetText::find(parent, folder)
}

/// Returns `true` unless a path starts at a root, a drive or a host, or has the name of a Windows device, on every
/// system: a preset has the same meaning on each.
fn is_relative_path(path: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let is_device = |name: &str| {
        let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
        let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
        DEVICES.contains(&stem.as_str())
            || port.is_some_and(|number| number.chars().count() == 1 && number.chars().all(char::is_numeric))
    };
    !path.starts_with(['/', '\\']) && !path.contains(':') && !path.split(['/', '\\']).any(is_device)
}

/// Returns `line 3, column 7: …`.
fn describe(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', ", ");
    match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
            format!("line {line}, column {column}: {message}")
        }
        None => message,
    }
}

/// An unparsed preset.
struct PresetText {
    /// The name in errors.
    origin: String,
    /// The identity of the preset, independent of the path to it.
    identity: String,
    text: String,
    /// The folder of its file.
    folder: Option<String>,
}

impl PresetText {
    /// Finds a preset. A relative path starts at `folder`, the folder of the extending preset.
    fn find(name: &str, folder: Option<&str>) -> Result<Self, PresetError> {
        match Self::find_shipped(name) {
            Some(shipped) => Ok(shipped),
            None => read_file(name, folder).unwrap_or_else(|| Err(PresetError::unknown(name))),
        }
    }

    fn find_shipped(name: &str) -> Option<Self> {
        let text = shipped(name)?.to_owned();
        Some(Self { origin: format!("preset {name}"), identity: name.to_owned(), text, folder: None })
    }
}

/// Returns `None` if the name is not a path.
fn read_file(name: &str, folder: Option<&str>) -> Option<Result<PresetText, PresetError>> {
    if cfg!(target_arch = "wasm32") {
        return None; // a page has no files
    }
    let path = match folder {
        Some(folder) => std::path::Path::new(folder).join(name),
        None => name.into(),
    };
    let looks_like_a_path = name.ends_with(".toml") || name.contains(['/', '\\']);
    if !looks_like_a_path && !path.is_file() {
        return None;
    }
    let origin = path.display().to_string();
    Some(match read_text(&path) {
        Ok(text) => {
            let identity = path.canonicalize().map_or_else(|_| origin.clone(), |p| p.display().to_string());
            let folder = path.parent().map(|p| p.display().to_string());
            Ok(PresetText { origin, identity, text, folder })
        }
        Err(reason) => Err(PresetError::Read { origin, reason }),
    })
}

/// Returns the text of a file, or the reason for the failure to read it.
fn read_text(path: &std::path::Path) -> Result<String, String> {
    use std::io::ErrorKind;

    /// Far above the size of any preset.
    const MAX_BYTES: u64 = 1 << 20;
    let bytes = crate::read_file::read_file(path, MAX_BYTES).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::FileTooLarge => format!("{error}: expected a preset"),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        _ => error.to_string(),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("line {line}: byte 0x{:02X} is not text (UTF-8)", error.as_bytes()[good])
    })?;
    Ok(text.strip_prefix('\u{FEFF}').map_or_else(|| text.clone(), str::to_owned))
}
