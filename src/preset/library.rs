//! Where presets come from: the shipped ones are part of the program, others are files; `extends`
//! names either.

use toml::{Table, Value};

use super::check::check_table;
use crate::preset::PresetError;

/// The shipped presets with their texts, the default first.
const SHIPPED: &[(&str, &str)] = &[
    ("temperate", include_str!("../../presets/temperate.toml")),
    ("clear-day", include_str!("../../presets/clear-day.toml")),
    ("haze", include_str!("../../presets/haze.toml")),
    ("mist", include_str!("../../presets/mist.toml")),
    ("fog", include_str!("../../presets/fog.toml")),
    ("jungle", include_str!("../../presets/jungle.toml")),
    ("savanna", include_str!("../../presets/savanna.toml")),
    ("alpine", include_str!("../../presets/alpine.toml")),
    ("archipelago", include_str!("../../presets/archipelago.toml")),
    ("night-lantern", include_str!("../../presets/night-lantern.toml")),
    ("dungeon", include_str!("../../presets/dungeon.toml")),
    ("as-published", include_str!("../../presets/as-published.toml")),
    ("viewshed", include_str!("../../presets/viewshed.toml")),
    ("terrain", include_str!("../../presets/terrain.toml")),
];

/// `none`, and the names of the shipped presets.
pub(super) const NONE_OR_SHIPPED: &[&str] = &{
    let mut names = ["none"; SHIPPED.len() + 1];
    let mut i = 0;
    while i < SHIPPED.len() {
        names[i + 1] = SHIPPED[i].0;
        i += 1;
    }
    names
};

/// The names of the shipped presets, the default first.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The text of a shipped preset, as it stands in `presets/`.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}

/// The raw table of a preset with all that it extends merged below it, and without `extends`; and what errors call
/// the preset.
pub(super) fn resolve(name_or_path: &str) -> Result<(Table, String), PresetError> {
    let source = find(name_or_path, None)?;
    let origin = source.origin.clone();
    Ok((resolve_chain(source, &mut Vec::new())?, origin))
}

/// The files of a preset in a file: its own and those that it extends, as far as they can be read.
#[cfg(all(feature = "explorer", not(target_arch = "wasm32")))]
pub(super) fn files(path: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut chain = Vec::new();
    let name = path.display().to_string();
    if let Ok(source) = find(&name, None) {
        let _ = resolve_chain(source, &mut chain); // a fault ends the chain, and is told where the preset is read
    }
    let parents = chain.into_iter().skip(1).filter(|identity| shipped(identity).is_none()).map(Into::into);
    std::iter::once(path.to_owned()).chain(parents).collect()
}

/// Like [`resolve`], from a text at hand.
pub(super) fn resolve_text(text: &str, origin: &str) -> Result<Table, PresetError> {
    let table = parse(text, origin)?;
    resolve_table(table, origin, None, &mut vec![origin.to_owned()])
}

/// Lays `over` upon `base`, section by section.
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

fn resolve_chain(source: Source, chain: &mut Vec<String>) -> Result<Table, PresetError> {
    if chain.contains(&source.identity) {
        chain.push(source.identity);
        return Err(PresetError::Cycle { chain: chain.join(" extends ") });
    }
    let table = parse(&source.text, &source.origin)?;
    chain.push(source.identity);
    resolve_table(table, &source.origin, source.folder.as_deref(), chain)
}

fn resolve_table(
    mut table: Table,
    origin: &str,
    folder: Option<&str>,
    chain: &mut Vec<String>,
) -> Result<Table, PresetError> {
    match table.remove("extends") {
        Some(Value::String(parent)) => {
            let parent = find(&parent, folder)
                .map_err(|fault| PresetError::Extends { origin: origin.to_owned(), fault: Box::new(fault) })?;
            let mut merged = resolve_chain(parent, chain)?;
            merge(&mut merged, &table);
            Ok(merged)
        }
        _ => Ok(table),
    }
}

fn parse(text: &str, origin: &str) -> Result<Table, PresetError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| PresetError::Syntax {
        origin: origin.to_owned(),
        reason: describe(text, &error),
    })?;
    check_table(origin, &table)?;
    Ok(table)
}

/// `line 3, column 7: …`.
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

struct Source {
    /// What errors call it.
    origin: String,
    /// What tells it from other presets in a chain.
    identity: String,
    text: String,
    folder: Option<String>,
}

/// `folder` is where the preset that names this one stands: relative paths start there.
fn find(name: &str, folder: Option<&str>) -> Result<Source, PresetError> {
    if let Some(text) = shipped(name) {
        let origin = format!("preset {name}");
        return Ok(Source { origin, identity: name.to_owned(), text: text.to_owned(), folder: None });
    }
    match read_file(name, folder) {
        Some(found) => found,
        None => Err(unknown(name)),
    }
}

/// `None` where the name neither looks like a path nor is one.
#[cfg(not(target_arch = "wasm32"))]
fn read_file(name: &str, folder: Option<&str>) -> Option<Result<Source, PresetError>> {
    let path = match folder {
        Some(folder) => std::path::Path::new(folder).join(name),
        None => name.into(),
    };
    let looks_like_one = name.ends_with(".toml") || name.contains(['/', '\\']);
    if !looks_like_one && !path.is_file() {
        return None;
    }
    let origin = path.display().to_string();
    Some(match read_text(&path) {
        Ok(text) => {
            let identity = path.canonicalize().map_or_else(|_| origin.clone(), |p| p.display().to_string());
            let folder = path.parent().map(|p| p.display().to_string());
            Ok(Source { origin, identity, text, folder })
        }
        Err(reason) => Err(PresetError::Read { origin, reason }),
    })
}

/// The text of a file, or why there is none.
#[cfg(not(target_arch = "wasm32"))]
fn read_text(path: &std::path::Path) -> Result<String, String> {
    use std::io::{ErrorKind, Read};

    /// Far more than any preset; a device might never end.
    const LONGEST: u64 = 1 << 20;
    let read = || {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        _ => error.to_string(),
    })?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("it has more than {LONGEST} bytes; no preset is that long"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("line {line}: byte 0x{:02X} is not text (UTF-8)", error.as_bytes()[good])
    })?;
    Ok(text.strip_prefix('\u{FEFF}').map_or_else(|| text.clone(), str::to_owned))
}

#[cfg(target_arch = "wasm32")]
fn read_file(_name: &str, _folder: Option<&str>) -> Option<Result<Source, PresetError>> {
    None
}

pub(super) fn unknown(name: &str) -> PresetError {
    let nearest =
        shipped_names().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
    let hint = match nearest {
        Some(nearest) if strsim::jaro_winkler(nearest, name) > 0.8 => format!(" (did you mean {nearest:?}?)"),
        _ => String::new(),
    };
    let shipped: Vec<&str> = shipped_names().collect();
    PresetError::Unknown { name: name.to_owned(), hint, shipped: shipped.join(", ") }
}
