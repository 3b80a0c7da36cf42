//! [`ExploreOptions`]: the document and the options of the window.

use std::path::PathBuf;

use super::dialogs::Question;
use crate::document::DocumentOptions;

/// The document and the options of the window.
#[derive(Debug, Default)]
pub(crate) struct ExploreOptions {
    /// The first scene. The window never overwrites its files.
    pub document: DocumentOptions,
    /// Width and height of the window, in points. Default: those of the last run.
    pub window: Option<(u32, u32)>,
    /// The file for a screenshot, saved after the scene is complete and the script has ended. The window then closes.
    pub screenshot: Option<PathBuf>,
    /// A slow scene, which needs the user's confirmation at the start.
    pub question: Option<Question>,
    /// The text of a script that controls the window.
    pub script: Option<String>,
    /// The file of the document that is a saved walk, which the walk can overwrite.
    pub walk_file: Option<PathBuf>,
    /// The file of the script, which is also never overwritten.
    pub script_file: Option<PathBuf>,
}
