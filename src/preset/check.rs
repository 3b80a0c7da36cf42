//! Strict checks of raw tables, key by key, against the knobs.

use toml::{Table, Value};

use super::{Preset, PresetError};
use crate::knob::{Kind, Knob};

/// Keys of a preset that are no knobs.
const PLAIN_KEYS: [&str; 2] = ["extends", "about"];

const SECTIONS: [&str; 7] = ["world", "optics", "sight", "sight.decay", "classic", "perception", "paint"];

/// Checks every key and value of a raw table, which may hold a part of a preset.
pub(super) fn check_table(origin: &str, table: &Table) -> Result<(), PresetError> {
    check_section(origin, "", table)
}

fn check_section(origin: &str, section: &str, table: &Table) -> Result<(), PresetError> {
    for (name, value) in table {
        let key = if section.is_empty() { name.clone() } else { format!("{section}.{name}") };
        match value {
            Value::Table(inner) if is_section(&key) => check_section(origin, &key, inner)?,
            _ => check_value(origin, &key, value)?,
        }
    }
    Ok(())
}

/// Checks a change to a preset whose `extends` is resolved already.
pub(super) fn check_change(origin: &str, key: &str, value: &Value) -> Result<(), PresetError> {
    if key == "extends" {
        let hint = "; choose the preset with --preset".into();
        return Err(PresetError::UnknownKey { origin: origin.into(), key: key.into(), hint });
    }
    check_value(origin, key, value)
}

/// Checks that TOML, whose whole numbers have a sign, can say a seed.
pub(super) fn check_seed(seed: u64) -> Result<(), PresetError> {
    if i64::try_from(seed).is_ok() {
        return Ok(());
    }
    let range = Preset::knobs().find(|knob| knob.key == "world.seed").map(Knob::range).unwrap_or_default();
    let (origin, key, value) = (super::NOWHERE.into(), "world.seed".into(), seed.to_string());
    Err(PresetError::Value { origin, key, value, unit: String::new(), range })
}

/// Checks one value against its knob.
pub(super) fn check_value(origin: &str, key: &str, value: &Value) -> Result<(), PresetError> {
    let refuse = |unit: &str, range: String| {
        let unit =
            if unit.is_empty() || matches!(value, Value::String(_)) { String::new() } else { format!(" {unit}") };
        Err(PresetError::Value { origin: origin.into(), key: key.into(), value: value.to_string(), unit, range })
    };
    if PLAIN_KEYS.contains(&key) {
        return if value.is_str() { Ok(()) } else { refuse("", "a text in quotes".into()) };
    }
    if is_section(key) {
        return refuse("", format!("a section: write [{key}] and its keys below"));
    }
    let Some(knob) = Preset::knobs().find(|knob| knob.key == key) else {
        return Err(PresetError::UnknownKey { origin: origin.into(), key: key.into(), hint: hint(key) });
    };
    if fits(knob, value) { Ok(()) } else { refuse(knob.unit, knob.range_with_unit()) }
}

fn fits(knob: &Knob, value: &Value) -> bool {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    match knob.kind {
        Kind::Number { min, max, .. } | Kind::Optional { min, max, .. } => {
            number(value).is_some_and(|v| (min..=max).contains(&v))
        }
        Kind::Integer { min, max, .. } => value.as_integer().is_some_and(|v| (min..=max).contains(&v)),
        Kind::Choice(words) => value.as_str().is_some_and(|v| words.contains(&v)),
        Kind::Switch => value.is_bool(),
        Kind::Points => value.as_array().is_some_and(|pairs| {
            pairs
                .iter()
                .all(|pair| pair.as_array().is_some_and(|p| p.len() == 2 && p.iter().all(|v| number(v).is_some())))
        }),
    }
}

/// Whether a key may be left out.
pub(super) fn is_optional(key: &str) -> bool {
    Preset::knobs().any(|knob| knob.key == key && matches!(knob.kind, Kind::Optional { .. }))
}

fn is_section(key: &str) -> bool {
    Preset::knobs()
        .any(|knob| knob.section() == key || knob.section().strip_prefix(key).is_some_and(|s| s.starts_with('.')))
}

/// The nearest key, where one is near enough; else what the section holds.
fn hint(key: &str) -> String {
    let mut known: Vec<&str> = Preset::knobs().map(|knob| knob.key).chain(PLAIN_KEYS).collect();
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    // The right name in the wrong section is a likely slip, too.
    if let Some(same) = Preset::knobs().find(|knob| knob.name() == name) {
        return format!("; did you mean {}?", same.key);
    }
    known.extend(SECTIONS);
    known.sort_by(|a, b| strsim::jaro_winkler(b, key).total_cmp(&strsim::jaro_winkler(a, key)));
    match known.first() {
        Some(nearest) if strsim::osa_distance(nearest, key) <= 3.max(key.len() / 5) => {
            format!("; did you mean {nearest}?")
        }
        _ if is_section(section) => {
            let names: Vec<&str> = Preset::knobs().filter(|knob| knob.section() == section).map(Knob::name).collect();
            format!("; [{section}] has {}", names.join(", "))
        }
        _ => format!("; sections are [{}]", SECTIONS.join("] [")),
    }
}

/// A value from the command line: TOML, or a bare word for a choice, in which `-` stands for `_`.
pub(super) fn parse_value(key: &str, text: &str) -> Value {
    let table = format!("value = {text}").parse::<Table>().ok().filter(|table| table.len() == 1);
    let parsed = table.and_then(|mut table| table.remove("value"));
    let is_choice = Preset::knobs().any(|knob| knob.key == key && matches!(knob.kind, Kind::Choice(_)));
    match parsed {
        Some(Value::String(word)) if is_choice => Value::String(word.replace('-', "_")),
        Some(value) => value,
        None if is_choice => Value::String(text.trim().replace('-', "_")),
        None => Value::String(text.trim().to_owned()),
    }
}
