//! A preset as a complete, commented TOML text.

use std::fmt::Write;

use toml::Value;

use crate::preset::Preset;
use crate::preset::{Setting, SettingList};

/// Every key with its meaning, unit and range above it; optional keys that are left out stand as
/// comments.
pub(super) fn to_toml(preset: &Preset) -> String {
    let mut text = String::from("# A farsight preset: every key, its meaning and its range.\n");
    let _ = writeln!(text, "about = {}", Value::String(preset.about.clone()));
    let table = Value::Table(preset.to_table());
    let mut section = "";
    for setting in Preset::settings() {
        if setting.section() != section {
            section = setting.section();
            let _ = writeln!(text, "\n[{section}]");
        }
        for line in comment(setting) {
            let _ = writeln!(text, "# {line}");
        }
        let value = setting.key.split('.').try_fold(&table, |value, part| value.get(part));
        let _ = match value {
            Some(value) => writeln!(text, "{} = {value}", setting.name()),
            None => writeln!(text, "# {} = …", setting.name()),
        };
    }
    for list in Preset::lists() {
        if let Some(entries) = table.get(list.key).and_then(Value::as_array) {
            write_list(&mut text, list, entries);
        }
    }
    text
}

/// The entries of a list, below a comment on it and its keys.
fn write_list(text: &mut String, list: &SettingList, entries: &[Value]) {
    let _ = writeln!(text, "\n# {}", list.help);
    for setting in list.settings {
        let _ = writeln!(text, "# {}: {} ({})", setting.name(), setting.help, setting.range_with_unit());
    }
    for entry in entries {
        let _ = writeln!(text, "[[{}]]", list.key);
        for setting in list.settings {
            if let Some(value) = entry.get(setting.name()) {
                let _ = writeln!(text, "{} = {value}", setting.name());
            }
        }
    }
}

/// Help, then range and unit.
fn comment(setting: &Setting) -> [String; 2] {
    [setting.help.to_owned(), format!("({})", setting.range_with_unit())]
}
