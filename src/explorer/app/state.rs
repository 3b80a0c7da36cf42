//! [`App`]: the document, the view and the session.

use crate::explorer::document::Document;
use crate::explorer::session::{ReadFiles, SavedSettings, Session};
use crate::explorer::view::MapView;

pub(super) struct App {
    pub(super) document: Document,
    pub(super) view: MapView,
    pub(super) session: Session,
    #[cfg(target_arch = "wasm32")]
    pub(super) typing: super::typing::Typing,
}

impl App {
    pub(super) fn new(document: Document, settings: SavedSettings, read_files: ReadFiles) -> Self {
        Self {
            document,
            view: MapView::new(settings.window.backdrop(), settings.window.reveals),
            session: new_session(settings, read_files),
            #[cfg(target_arch = "wasm32")]
            typing: super::typing::Typing::default(),
        }
    }

    pub(super) fn show_errors(&mut self) {
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
    session.input.is_touch = crate::explorer::web::has_fingers();
    session
}
