//! Strict checks of raw tables, key by key, against the settings.

use toml::{Table, Value};

use super::error::{LONGEST_NAME, NO_ORIGIN};
use super::settings::{LISTS, SETTINGS};
use super::tables::is_place_name;
use crate::creatures::{is_glyph, is_name};
use crate::math::sort_descending;
use crate::preset::{PresetError, Setting, SettingKind, SettingList};
use farsight::light::Rgb;

/// Keys of a preset that are not settings.
const PLAIN_KEYS: [&str; 2] = ["extends", "about"];

/// Checks every key and value of a raw table: of a section or, with an empty name, of a preset. Keys can be absent.
pub(super) fn check_table(origin: &str, section: &str, table: &Table) -> Result<(), PresetError> {
    for (name, value) in table {
        let key = if section.is_empty() { name.clone() } else { format!("{section}.{name}") };
        match value {
            Value::Table(inner) if is_section(&key) => check_table(origin, &key, inner)?,
            _ => check_value(origin, &key, value)?,
        }
    }
    Ok(())
}

/// Checks a change to a preset whose `extends` is resolved.
pub(super) fn check_change(origin: &str, key: &str, value: &Value) -> Result<(), PresetError> {
    if key == "extends" {
        let hint = "; choose the preset with --preset".into();
        return Err(PresetError::UnknownKey { origin: origin.into(), key: key.into(), hint });
    }
    check_value(origin, key, value)
}

/// Checks that TOML can express a seed: its integers are signed.
pub(super) fn check_seed(seed: u64) -> Result<(), PresetError> {
    if i64::try_from(seed).is_ok() {
        return Ok(());
    }
    let range = setting("world.seed").map(Setting::range).unwrap_or_default();
    let (origin, key, value) = (NO_ORIGIN.into(), "world.seed".into(), seed.to_string());
    Err(PresetError::Value { origin, key, value, unit: String::new(), range })
}

/// Returns the error of an invalid value. A text has no unit, and a multiple names its unit only in the range.
fn refuse(origin: &str, key: &str, value: &Value, unit: &str, range: String) -> Result<(), PresetError> {
    let unit =
        if unit.is_empty() || value.is_str() || unit.starts_with("x ") { String::new() } else { format!(" {unit}") };
    Err(PresetError::Value { origin: origin.into(), key: key.into(), value: value.to_string(), unit, range })
}

/// Checks a value against its setting.
fn check_value(origin: &str, key: &str, value: &Value) -> Result<(), PresetError> {
    if PLAIN_KEYS.contains(&key) {
        return if value.is_str() { Ok(()) } else { refuse(origin, key, value, "", "a text in quotes".into()) };
    }
    if let Some(list) = LISTS.into_iter().find(|list| list.key == key) {
        return check_list(origin, list, value);
    }
    if is_section(key) {
        return refuse(origin, key, value, "", format!("a section: write [{key}] and its keys below"));
    }
    let Some(setting) = setting(key) else {
        return Err(PresetError::UnknownKey { origin: origin.into(), key: key.into(), hint: hint(key) });
    };
    if is_valid(setting, value) {
        return Ok(());
    }
    refuse(origin, key, value, setting.unit, setting.range_with_unit())
}

/// Checks every entry of a list.
fn check_list(origin: &str, list: &SettingList, value: &Value) -> Result<(), PresetError> {
    let key = list.key;
    let Some(entries) = value.as_array() else {
        return refuse(origin, key, value, "", format!("a list: write [[{key}]] and the keys of an entry below"));
    };
    if entries.len() > list.max_len {
        let count = Value::String(format!("{} entries", entries.len()));
        return refuse(origin, key, &count, "", format!("at most {}", list.max_len));
    }
    for (i, entry) in entries.iter().enumerate() {
        let entry_key = format!("{key}[{i}]");
        let Some(table) = entry.as_table() else {
            return refuse(origin, &entry_key, entry, "", format!("a table: write [[{key}]] and its keys below"));
        };
        for (name, value) in table {
            let full_key = format!("{entry_key}.{name}");
            let Some(setting) = list.settings.iter().find(|setting| setting.name() == name) else {
                let names: Vec<&str> = list.settings.iter().map(Setting::name).collect();
                let distance = |known: &&&str| strsim::osa_distance(known, name);
                let candidates = names.iter().filter(|_| name.len() <= LONGEST_NAME);
                let hint = match candidates.min_by_key(distance) {
                    Some(nearest) if distance(&nearest) <= 2 => format!("; did you mean {nearest}?"),
                    _ => format!("; an entry of {key} has {}", names.join(", ")),
                };
                return Err(PresetError::UnknownKey { origin: origin.into(), key: full_key, hint });
            };
            if !is_valid(setting, value) {
                return refuse(origin, &full_key, value, setting.unit, setting.range_with_unit());
            }
        }
        // A custom kind needs a glyph.
        for setting in list.settings {
            if let (SettingKind::Name(known), Some(value)) = (setting.kind, table.get(setting.name()))
                && !known.is_empty()
                && value.as_str().is_some_and(|name| !known.contains(&name))
                && !table.contains_key("glyph")
            {
                return refuse(origin, &format!("{entry_key}.{}", setting.name()), value, "", setting.range());
            }
        }
        if let Some(missing) = list.required.iter().find(|name| !table.contains_key(**name)) {
            let setting = list.settings.iter().find(|setting| setting.name() == *missing);
            let range = setting.map(Setting::range_with_unit).unwrap_or_default();
            return Err(PresetError::Missing { origin: origin.into(), key: format!("{entry_key}.{missing}"), range });
        }
    }
    Ok(())
}

fn setting(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

fn is_valid(setting: &Setting, value: &Value) -> bool {
    let number = |value: &Value| value.as_float().or_else(|| value.as_integer().map(|i| i as f64));
    match setting.kind {
        SettingKind::Number { min, max, .. } | SettingKind::Optional { min, max, .. } => {
            number(value).is_some_and(|v| (min..=max).contains(&v))
        }
        SettingKind::Integer { min, max, .. } => value.as_integer().is_some_and(|v| (min..=max).contains(&v)),
        SettingKind::Choice(words) => value.as_str().is_some_and(|v| words.contains(&v)),
        SettingKind::Name([]) => value.as_str().is_some_and(is_place_name),
        SettingKind::Name(_) => value.as_str().is_some_and(is_name),
        SettingKind::Glyph => value.as_str().and_then(|text| text.parse::<char>().ok()).is_some_and(is_glyph),
        SettingKind::Switch => value.is_bool(),
        SettingKind::Points => {
            value.as_array().is_some_and(|pairs| pairs.iter().all(|pair| is_pair_of(pair, |v| number(v).is_some())))
        }
        SettingKind::Cell => {
            is_pair_of(value, |v| v.as_integer().is_some_and(|i| i32::try_from(i).is_ok_and(|i| i >= 0)))
        }
        SettingKind::Cells(most) => value.as_array().is_some_and(|cells| {
            let is_part = |v: &Value| v.as_integer().is_some_and(|i| i32::try_from(i).is_ok());
            (1..=most).contains(&cells.len()) && cells.iter().all(|cell| is_pair_of(cell, is_part))
        }),
        SettingKind::Colour => value.as_str().is_some_and(|text| text.parse::<Rgb>().is_ok()),
    }
}

fn is_pair_of(value: &Value, is_part: impl Fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|pair| pair.len() == 2 && pair.iter().all(is_part))
}

pub(super) fn is_optional(key: &str) -> bool {
    setting(key).is_some_and(|setting| matches!(setting.kind, SettingKind::Optional { .. }))
}

fn is_section(key: &str) -> bool {
    SETTINGS.iter().any(|setting| {
        setting.section() == key || setting.section().strip_prefix(key).is_some_and(|s| s.starts_with('.'))
    })
}

/// Returns a hint with the most similar key if it is similar enough, else with all keys of the section.
fn hint(key: &str) -> String {
    let mut known: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).chain(PLAIN_KEYS).collect();
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    // The name is known, but in another section.
    if let Some(same) = SETTINGS.iter().find(|setting| setting.name() == name) {
        return format!("; did you mean {}?", same.key);
    }
    let mut sections: Vec<&str> = SETTINGS.iter().map(Setting::section).collect();
    sections.dedup();
    known.extend(&sections);
    known.extend(LISTS.map(|list| list.key));
    if key.len() > LONGEST_NAME {
        known.clear();
    }
    sort_descending(&mut known, |name| strsim::jaro_winkler(name, key));
    match known.first() {
        Some(nearest) if strsim::osa_distance(nearest, key) <= 3.max(key.len() / 5) => {
            format!("; did you mean {nearest}?")
        }
        _ if is_section(section) => {
            let names: Vec<&str> =
                SETTINGS.iter().filter(|setting| setting.section() == section).map(Setting::name).collect();
            format!("; [{section}] has {}", names.join(", "))
        }
        _ => format!("; sections are [{}]", sections.join("] [")),
    }
}

/// Parses TOML, or the word of a choice without quotes and with `-` for `_`.
pub(super) fn parse_value(key: &str, text: &str) -> Value {
    let table = format!("value = {text}").parse::<Table>().ok().filter(|table| table.len() == 1);
    let parsed = table.and_then(|mut table| table.remove("value"));
    let word = |word: &str| match setting(key).map(|setting| setting.kind) {
        Some(SettingKind::Choice(words)) if !words.contains(&word) => Value::String(word.replace('-', "_")),
        _ => Value::String(word.to_owned()),
    };
    match parsed {
        Some(Value::String(text)) => word(&text),
        Some(value) => value,
        None => word(text.trim()),
    }
}
