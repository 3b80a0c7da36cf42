//! [`ExploreOptions`]: the document and the options of the window.

use std::path::PathBuf;

use super::session::Question;
use crate::document::DocumentOptions;

/// The document and the options of the window.
#[derive(Debug, Default)]
pub(crate) struct ExploreOptions {
    /// The first scene. Nothing that the window writes may replace its files.
    pub document: DocumentOptions,
    /// Width and height of the window, in points. Default: those of the last time.
    pub window: Option<(u32, u32)>,
    /// The file for a screenshot, saved once the scene is there and the script has ended. The window closes then.
    pub screenshot: Option<PathBuf>,
    /// A scene that takes long, which the user is asked about at the start.
    pub question: Option<Question>,
    /// The text of a script that controls the window.
    pub script: Option<String>,
    /// The one of the files of the document that is a saved walk. The walk may be saved there again.
    pub walk_file: Option<PathBuf>,
    /// The file of the script, which nothing may replace either.
    pub script_file: Option<PathBuf>,
}
