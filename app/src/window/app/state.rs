//! [`App`]: the document, the view and the session.

use std::path::PathBuf;

use super::recorder::Recorder;
use super::typing::Typing;
use crate::background::{MadeFilm, Work};
use crate::document::Document;
use crate::host::is_touch_device;
use crate::window::session::{Introduction, ReadFiles, SavedSettings, Session};
use crate::window::view::MapView;

pub(crate) struct App {
    pub(crate) document: Document,
    pub(crate) view: MapView,
    pub(crate) session: Session,
    /// A film in progress, and its file.
    pub(crate) filming: Option<(PathBuf, Work<MadeFilm>)>,
    /// A recording of the window.
    pub(crate) recorder: Option<Recorder>,
    pub(crate) typing: Typing,
}

impl App {
    pub(crate) fn new(document: Document, settings: SavedSettings, read_files: ReadFiles) -> Self {
        Self {
            document,
            view: MapView::new(settings.window.backdrop(), settings.window.reveals),
            session: new_session(settings, read_files),
            filming: None,
            recorder: None,
            typing: Typing::default(),
        }
    }

    /// Prepares the window for a person: with the panorama, and for a new user with an introduction.
    pub(crate) fn welcome(&mut self) {
        let window = &self.session.settings.window;
        self.view.strip.open_at_start(window.panorama);
        self.session.introduction = Introduction::new(!window.introduced);
        self.session.is_interactive = true;
    }

    pub(crate) fn show_errors(&mut self) {
        for error in self.document.take_errors() {
            self.session.messages.error(error);
        }
    }
}

/// Returns a session for the device: on a phone, controls have the size for fingers before the first touch.
fn new_session(settings: SavedSettings, read_files: ReadFiles) -> Session {
    let mut session = Session::new(settings, read_files);
    session.input.is_touch = is_touch_device();
    session
}
