//! The lists that fill the screen: keys and presets.

use super::command::HELP;
use super::side_panel::wrap;
use crate::preset::{Preset, shipped_names};

/// Returns the lines of the help for a number of columns.
pub(super) fn help_lines(columns: usize) -> Vec<String> {
    let widest = HELP.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (keys, effect) in HELP {
        if columns >= widest + 34 {
            let effects = wrap(effect, columns - widest - 2);
            let with_keys = effects.iter().enumerate().map(|(i, effect)| {
                let keys = if i == 0 { keys } else { "" };
                format!("{keys:widest$}  {effect}")
            });
            lines.extend(with_keys);
        } else {
            lines.extend(wrap(&format!("{keys}: {effect}"), columns));
        }
    }
    lines
}

/// Returns a line for each shipped preset.
pub(super) fn preset_lines(selected: usize) -> Vec<String> {
    let widest = shipped_names().map(str::len).max().unwrap_or(0);
    let line = |(i, name): (usize, &str)| {
        let about = Preset::named(name).map(|preset| preset.about).unwrap_or_default();
        format!("{} {name:widest$}  {about}", if i == selected { '>' } else { ' ' })
    };
    shipped_names().enumerate().map(line).collect()
}
