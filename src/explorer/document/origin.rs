//! [`Origin`]: the preset that the settings started from.

use std::path::PathBuf;
use std::rc::Rc;

use crate::preset::Preset;

/// The preset that the settings started from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) name: String,
    /// The preset before any setting was changed; resets return to it.
    pub(super) base: Rc<Preset>,
    /// The file of the preset, if it has one that can change.
    pub(super) file: Option<PathBuf>,
}

impl Origin {
    /// A preset without a file.
    pub(super) fn new(name: &str, base: &Preset) -> Self {
        Self { name: name.to_owned(), base: Rc::new(base.clone()), file: None }
    }

    /// A preset by its name, or the given one if no preset has that name.
    pub(super) fn named(name: &str, otherwise: &Preset) -> Self {
        Self::new(name, &Preset::named(name).unwrap_or_else(|_| otherwise.clone()))
    }
}
