//! The lists that fill the screen: keys and presets.

use super::command::HELP;
use super::listed_presets::ListedPreset;
use super::side_panel::wrap;

/// Returns the lines of the help for a number of columns.
pub(crate) fn help_lines(columns: usize) -> Vec<String> {
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

/// Returns a line for each preset.
pub(crate) fn preset_lines(presets: &[ListedPreset], selected: usize) -> Vec<String> {
    let widest = presets.iter().map(|preset| preset.name.chars().count()).max().unwrap_or(0);
    let line = |(i, ListedPreset { name, about, .. }): (usize, &ListedPreset)| {
        let name: String = name.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
        format!("{} {name:widest$}  {about}", if i == selected { '>' } else { ' ' })
    };
    presets.iter().enumerate().map(line).collect()
}
