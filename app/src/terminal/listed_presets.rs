//! [`ListedPreset`]: the presets of the list: those of the user, and the shipped ones.

use std::path::Path;

use crate::user_folder::{list_presets, preset_name};
use farsight::preset::{Preset, shipped_names};

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
