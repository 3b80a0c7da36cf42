//! Strict checks of raw tables, key by key, against the settings.

use toml::{Table, Value};

use crate::light::Rgb;
use crate::preset::{Preset, PresetError};
use crate::preset::{Setting, SettingKind, SettingList};

/// Keys of a preset that are no settings.
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
    let range = Preset::settings().find(|setting| setting.key == "world.seed").map(Setting::range).unwrap_or_default();
    let (origin, key, value) = (crate::preset::NOWHERE.into(), "world.seed".into(), seed.to_string());
    Err(PresetError::Value { origin, key, value, unit: String::new(), range })
}

/// Checks one value against its setting.
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
    let Some(setting) = Preset::settings().find(|setting| setting.key == key) else {
        return Err(PresetError::UnknownKey { origin: origin.into(), key: key.into(), hint: hint(key) });
    };
    if fits(setting, value) {
        Ok(())
    } else {
        refuse(setting.unit, setting.range_with_unit() + &elsewhere(setting, value))
    }
}

/// The key of the same name in another section that takes a word which this one does not: `classic.method` for
/// `sight.method`.
fn elsewhere(setting: &Setting, value: &Value) -> String {
    let takes = |other: &&Setting| {
        other.key != setting.key
            && other.name() == setting.name()
            && matches!(other.kind, SettingKind::Choice(_))
            && fits(other, value)
    };
    Preset::settings().find(takes).map_or_else(String::new, |other| format!("; {} takes {value}", other.key))
}

/// Checks every entry of a list, and the keys in it.
fn check_list(origin: &str, list: &SettingList, value: &Value) -> Result<(), PresetError> {
    let refuse = |key: String, value: &Value, range: String| {
        Err(PresetError::Value { origin: origin.into(), key, value: value.to_string(), unit: String::new(), range })
    };
    let key = list.key;
    let Some(entries) = value.as_array() else {
        return refuse(key.into(), value, format!("a list: write [[{key}]] and the keys of an entry below"));
    };
    if entries.len() > list.max_len {
        let count = Value::String(format!("{} entries", entries.len()));
        return refuse(key.into(), &count, format!("at most {}", list.max_len));
    }
    for (i, entry) in entries.iter().enumerate() {
        let place = format!("{key}[{i}]");
        let Some(table) = entry.as_table() else {
            return refuse(place, entry, format!("a table: write [[{key}]] and its keys below"));
        };
        for (name, value) in table {
            let at = format!("{place}.{name}");
            let Some(setting) = list.settings.iter().find(|setting| setting.name() == name) else {
                let hint = nearest_of(list.settings.iter().map(Setting::name), name).map_or_else(
                    || {
                        let names: Vec<&str> = list.settings.iter().map(Setting::name).collect();
                        format!("; an entry of {key} has {}", names.join(", "))
                    },
                    |name| format!("; did you mean {name}?"),
                );
                return Err(PresetError::UnknownKey { origin: origin.into(), key: at, hint });
            };
            if !fits(setting, value) {
                let unit = if setting.unit.is_empty() || value.is_str() {
                    String::new()
                } else {
                    format!(" {}", setting.unit)
                };
                let (origin, value, range) = (origin.into(), value.to_string(), setting.range_with_unit());
                return Err(PresetError::Value { origin, key: at, value, unit, range });
            }
        }
        if let Some(missing) = list.required.iter().find(|name| !table.contains_key(**name)) {
            let setting = list.settings.iter().find(|setting| setting.name() == *missing);
            let range = setting.map(Setting::range_with_unit).unwrap_or_default();
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

fn fits(setting: &Setting, value: &Value) -> bool {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    match setting.kind {
        SettingKind::Number { min, max, .. } | SettingKind::Optional { min, max, .. } => {
            number(value).is_some_and(|v| (min..=max).contains(&v))
        }
        SettingKind::Integer { min, max, .. } => value.as_integer().is_some_and(|v| (min..=max).contains(&v)),
        SettingKind::Choice(words) => value.as_str().is_some_and(|v| words.contains(&v)),
        SettingKind::Switch => value.is_bool(),
        SettingKind::Points => value.as_array().is_some_and(|pairs| {
            pairs
                .iter()
                .all(|pair| pair.as_array().is_some_and(|p| p.len() == 2 && p.iter().all(|v| number(v).is_some())))
        }),
        SettingKind::Cell => value.as_array().is_some_and(|cell| {
            let coordinate = |value: &Value| value.as_integer().is_some_and(|i| (0..=i64::from(i32::MAX)).contains(&i));
            cell.len() == 2 && cell.iter().all(coordinate)
        }),
        SettingKind::Colour => value.as_str().is_some_and(|text| text.parse::<Rgb>().is_ok()),
    }
}

/// Whether a key may be left out.
pub(super) fn is_optional(key: &str) -> bool {
    Preset::settings().any(|setting| setting.key == key && matches!(setting.kind, SettingKind::Optional { .. }))
}

fn is_section(key: &str) -> bool {
    Preset::settings().any(|setting| {
        setting.section() == key || setting.section().strip_prefix(key).is_some_and(|s| s.starts_with('.'))
    })
}

/// The nearest key, where one is near enough; else what the section holds.
fn hint(key: &str) -> String {
    let mut known: Vec<&str> = Preset::settings().map(|setting| setting.key).chain(PLAIN_KEYS).collect();
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    // The right name in the wrong section is a likely slip, too.
    if let Some(same) = Preset::settings().find(|setting| setting.name() == name) {
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
            let names: Vec<&str> =
                Preset::settings().filter(|setting| setting.section() == section).map(Setting::name).collect();
            format!("; [{section}] has {}", names.join(", "))
        }
        _ => format!("; sections are [{}]", SECTIONS.join("] [")),
    }
}

/// A value from the command line: TOML, or a bare word for a choice, in which `-` stands for `_`.
pub(super) fn parse_value(key: &str, text: &str) -> Value {
    let table = format!("value = {text}").parse::<Table>().ok().filter(|table| table.len() == 1);
    let parsed = table.and_then(|mut table| table.remove("value"));
    let choices = Preset::settings().find(|setting| setting.key == key).and_then(|setting| match setting.kind {
        SettingKind::Choice(words) => Some(words),
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
