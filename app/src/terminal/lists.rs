//! The lists that fill the screen: keys, and presets as [`ListedPreset`]s.

use std::path::Path;

use super::command::HELP;
use crate::host::{list_presets, preset_name};
use farsight_scene::preset::{Preset, shipped_names};

/// A preset in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedPreset {
    pub(crate) name: String,
    /// The name of a shipped preset, or the path of one of the user's.
    pub(crate) source: String,
    pub(crate) about: String,
}

/// Returns the presets that the user saved in a folder, and then the shipped ones.
pub(crate) fn listed_presets(own: Option<&Path>) -> Vec<ListedPreset> {
    let own = own.map(list_presets).unwrap_or_default().into_iter().map(|path| ListedPreset {
        name: preset_name(&path),
        source: path.display().to_string(),
        about: "my preset".to_owned(),
    });
    let shipped = shipped_names().map(|name| ListedPreset {
        name: name.to_owned(),
        source: name.to_owned(),
        about: Preset::named(name).map(|preset| preset.about).unwrap_or_default(),
    });
    own.chain(shipped).collect()
}

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

/// Breaks a text into lines of at most `width` characters, between words.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
