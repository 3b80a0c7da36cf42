//! Strict checks of raw tables, key by key, against the knobs.

use toml::{Table, Value};

use super::{Preset, PresetError};
use crate::knob::{Kind, Knob, List};
use crate::light::Rgb;

/// Keys of a preset that are no knobs.
const PLAIN_KEYS: [&str; 2] = ["extends", "about"];

const SECTIONS: [&str; 9] =
    ["world", "optics", "sight", "sight.decay", "classic", "perception", "paint", "clock", "weather"];

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
    if let Some(list) = Preset::lists().into_iter().find(|list| list.key == key) {
        return check_list(origin, list, value);
    }
    if is_section(key) {
        return refuse("", format!("a section: write [{key}] and its keys below"));
    }
    let Some(knob) = Preset::knobs().find(|knob| knob.key == key) else {
        return Err(PresetError::UnknownKey { origin: origin.into(), key: key.into(), hint: hint(key) });
    };
    if fits(knob, value) { Ok(()) } else { refuse(knob.unit, knob.range_with_unit() + &elsewhere(knob, value)) }
}

/// The key of the same name in another section that takes a word which this one does not: `classic.method` for
/// `sight.method`.
fn elsewhere(knob: &Knob, value: &Value) -> String {
    let takes = |other: &&Knob| {
        other.key != knob.key
            && other.name() == knob.name()
            && matches!(other.kind, Kind::Choice(_))
            && fits(other, value)
    };
    Preset::knobs().find(takes).map_or_else(String::new, |other| format!("; {} takes {value}", other.key))
}

/// Checks every entry of a list, and the keys in it.
fn check_list(origin: &str, list: &List, value: &Value) -> Result<(), PresetError> {
    let refuse = |key: String, value: &Value, range: String| {
        Err(PresetError::Value { origin: origin.into(), key, value: value.to_string(), unit: String::new(), range })
    };
    let key = list.key;
    let Some(entries) = value.as_array() else {
        return refuse(key.into(), value, format!("a list: write [[{key}]] and the keys of an entry below"));
    };
    if entries.len() > list.most {
        let count = Value::String(format!("{} entries", entries.len()));
        return refuse(key.into(), &count, format!("at most {}", list.most));
    }
    for (i, entry) in entries.iter().enumerate() {
        let place = format!("{key}[{i}]");
        let Some(table) = entry.as_table() else {
            return refuse(place, entry, format!("a table: write [[{key}]] and its keys below"));
        };
        for (name, value) in table {
            let at = format!("{place}.{name}");
            let Some(knob) = list.knobs.iter().find(|knob| knob.name() == name) else {
                let hint = nearest_of(list.knobs.iter().map(Knob::name), name).map_or_else(
                    || {
                        let names: Vec<&str> = list.knobs.iter().map(Knob::name).collect();
                        format!("; an entry of {key} has {}", names.join(", "))
                    },
                    |name| format!("; did you mean {name}?"),
                );
                return Err(PresetError::UnknownKey { origin: origin.into(), key: at, hint });
            };
            if !fits(knob, value) {
                let unit =
                    if knob.unit.is_empty() || value.is_str() { String::new() } else { format!(" {}", knob.unit) };
                let (origin, value, range) = (origin.into(), value.to_string(), knob.range_with_unit());
                return Err(PresetError::Value { origin, key: at, value, unit, range });
            }
        }
        if let Some(missing) = list.required.iter().find(|name| !table.contains_key(**name)) {
            let knob = list.knobs.iter().find(|knob| knob.name() == *missing);
            let range = knob.map(Knob::range_with_unit).unwrap_or_default();
            return Err(PresetError::Missing { origin: origin.into(), key: format!("{place}.{missing}"), range });
        }
    }
    Ok(())
}

/// The name that is nearest to a word, where one is near enough.
fn nearest_of(names: impl Iterator<Item = &'static str>, word: &str) -> Option<&'static str> {
    let nearest = names.min_by_key(|name| strsim::osa_distance(name, word))?;
    (strsim::osa_distance(nearest, word) <= 2).then_some(nearest)
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
        Kind::Cell => value.as_array().is_some_and(|cell| {
            let coordinate = |value: &Value| value.as_integer().is_some_and(|i| (0..=i64::from(i32::MAX)).contains(&i));
            cell.len() == 2 && cell.iter().all(coordinate)
        }),
        Kind::Colour => value.as_str().is_some_and(|text| text.parse::<Rgb>().is_ok()),
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
    known.extend(Preset::lists().map(|list| list.key));
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
    let choices = Preset::knobs().find(|knob| knob.key == key).and_then(|knob| match knob.kind {
        Kind::Choice(words) => Some(words),
        _ => None,
    });
    let word = |word: &str| match choices {
        Some(words) if !words.contains(&word) => Value::String(word.replace('-', "_")),
        _ => Value::String(word.to_owned()),
    };
    match parsed {
        Some(Value::String(text)) => word(&text),
        Some(value) => value,
        None => word(text.trim()),
    }
}
