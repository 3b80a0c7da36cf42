//! A preset as a complete, commented TOML text.

use std::fmt::Write;

use toml::Value;

use super::Preset;
use crate::knob::{Knob, List};

/// Every key with its meaning, unit and range above it; optional keys that are left out stand as
/// comments.
pub(super) fn to_toml(preset: &Preset) -> String {
    let mut text = String::from("# A farsight preset: every key, its meaning and its range.\n");
    let _ = writeln!(text, "about = {}", Value::String(preset.about.clone()));
    let table = Value::Table(preset.to_table());
    let mut section = "";
    for knob in Preset::knobs() {
        if knob.section() != section {
            section = knob.section();
            let _ = writeln!(text, "\n[{section}]");
        }
        for line in comment(knob) {
            let _ = writeln!(text, "# {line}");
        }
        let value = knob.key.split('.').try_fold(&table, |value, part| value.get(part));
        let _ = match value {
            Some(value) => writeln!(text, "{} = {value}", knob.name()),
            None => writeln!(text, "# {} = …", knob.name()),
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
fn write_list(text: &mut String, list: &List, entries: &[Value]) {
    let _ = writeln!(text, "\n# {}", list.help);
    for knob in list.knobs {
        let _ = writeln!(text, "# {}: {} ({})", knob.name(), knob.help, knob.range_with_unit());
    }
    for entry in entries {
        let _ = writeln!(text, "[[{}]]", list.key);
        for knob in list.knobs {
            if let Some(value) = entry.get(knob.name()) {
                let _ = writeln!(text, "{} = {value}", knob.name());
            }
        }
    }
}

/// Help, then range and unit.
fn comment(knob: &Knob) -> [String; 2] {
    [knob.help.to_owned(), format!("({})", knob.range_with_unit())]
}
