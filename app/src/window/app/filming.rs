//! Films of the last steps.

use std::path::PathBuf;

use super::files::shell;
use super::state::App;
use crate::save_export::saved_message;
use crate::window::error::CommandError;
use crate::window::film_work::{FilmOrder, FilmWork};
use farsight::export::Shell;
use farsight::paint::Unseen;

impl App {
    /// Begins a film of the last steps, to a path or to the file of the panel. It has the look and the unseen land of the screen.
    pub(crate) fn film(&mut self, path: Option<PathBuf>) -> Result<(), CommandError> {
        if self.filming.is_some() {
            return Err("another film is still being made".to_owned().into());
        }
        let path =
            path.unwrap_or_else(|| self.session.file_names.film_path(&self.document.file_stem().unwrap_or_default()));
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if !["gif", "apng"].contains(&&*extension) {
            return Err(format!("{}: expected a .gif or .apng", path.display()).into());
        }
        self.ensure_not_read(&path)?;
        let trail = self.document.trail()?;
        let order = FilmOrder {
            path: path.clone(),
            name: self.document.name().to_owned(),
            map: self.document.map().cloned(),
            frame: self.document.scene().zip(self.view.state.camera).map(|(scene, camera)| {
                let shown = camera.frame(self.view.viewport(), scene.size());
                shown.size()
            }),
            is_mapped: self.view.unseen() == Unseen::Mapped,
            panorama: self.view.strip.is_open,
            is_for_windows: shell() == Shell::Windows,
        };
        self.filming = Some((path, FilmWork::begin(order, trail)));
        Ok(())
    }

    /// Says that a film is saved, or why it is not, once it has ended.
    pub(crate) fn poll_film(&mut self) {
        let result = self.filming.as_mut().and_then(|(_, film)| film.poll());
        let messages = &mut self.session.messages;
        if let Some(result) = result
            && let Some((path, _)) = self.filming.take()
        {
            match result {
                Ok(command) => {
                    messages.saved(format!("{}. The same film again: {command}", saved_message(&path)), &path);
                }
                Err(error) => messages.error(error),
            }
        }
        self.session.film_progress = self.filming.as_ref().map(|(_, film)| film.progress());
    }
}
