//! A preset as a complete, commented TOML text.

use std::fmt::Write;

use toml::Value;

use crate::preset::{Preset, SettingList};

impl Preset {
    /// Returns a complete, commented TOML text that parses as this preset. Optional keys that are left out are comments.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# A farsight preset: every key, its meaning and its range.\n");
        let _ = writeln!(text, "about = {}", Value::String(self.about.clone()));
        let table = Value::Table(self.to_table());
        let mut section = "";
        for setting in Preset::settings() {
            if setting.section() != section {
                section = setting.section();
                let _ = writeln!(text, "\n[{section}]");
            }
            let _ = writeln!(text, "# {}\n# ({})", setting.help, setting.range_with_unit());
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
}

/// Writes the entries of a list below a comment with its keys.
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
