//! A preset as a complete, commented TOML text.

use std::fmt::Write;

use toml::Value;

use super::Preset;
use crate::knob::Knob;

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
    text
}

/// Help, then range and unit.
fn comment(knob: &Knob) -> [String; 2] {
    [knob.help.to_owned(), format!("({})", knob.range_with_unit())]
}
