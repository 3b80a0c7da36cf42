//! [`App`]: the document, the view and the session.

use std::path::PathBuf;

use super::recorder::Recorder;
use crate::background::{FilmFile, Work};
use crate::document::Document;
use crate::window::session::{ReadFiles, SavedSettings, Session};
use crate::window::view::MapView;

pub(crate) struct App {
    pub(crate) document: Document,
    pub(crate) view: MapView,
    pub(crate) session: Session,
    /// A film that is being made, and its file.
    pub(crate) filming: Option<(PathBuf, Work<FilmFile>)>,
    /// The window is recorded.
    pub(crate) recorder: Option<Recorder>,
    #[cfg(target_arch = "wasm32")]
    pub(crate) typing: super::typing::Typing,
}

impl App {
    pub(crate) fn new(document: Document, settings: SavedSettings, read_files: ReadFiles) -> Self {
        Self {
            document,
            view: MapView::new(settings.window.backdrop(), settings.window.reveals),
            session: new_session(settings, read_files),
            filming: None,
            recorder: None,
            #[cfg(target_arch = "wasm32")]
            typing: super::typing::Typing::default(),
        }
    }

    pub(crate) fn show_errors(&mut self) {
        for error in self.document.take_errors() {
            self.session.messages.error(error);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn new_session(settings: SavedSettings, read_files: ReadFiles) -> Session {
    Session::new(settings, read_files)
}

/// Returns a session for the device of the page: on a phone, controls have the size for fingers before the first touch.
#[cfg(target_arch = "wasm32")]
fn new_session(settings: SavedSettings, read_files: ReadFiles) -> Session {
    let mut session = Session::new(settings, read_files);
    session.input.is_touch = crate::window::web::is_touch_device();
    session
}
