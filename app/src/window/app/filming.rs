//! Films of the last steps, and of the window while a script runs.

use std::path::PathBuf;
use std::time::Duration;

use super::files::screen_pixels;
use super::recorder::Recorder;
use super::state::App;
use crate::background::{FilmOrder, Request, Work};
use crate::host::save;
use crate::save_export::saved_message;
use crate::window::error::{CommandError, ExploreError};
use farsight_scene::paint::Unseen;

impl App {
    /// Starts a film of the last steps, to a path or to the file of the panel. It has the look and the unseen land of the screen.
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
        let order = FilmOrder {
            path: path.clone(),
            name: self.document.name().to_owned(),
            map: self.document.map().cloned(),
            frame: self.document.scene().zip(self.view.state.camera).map(|(scene, camera)| {
                let shown = camera.frame(self.view.viewport(), scene.size());
                shown.size()
            }),
            is_mapped: self.view.unseen() == Unseen::Mapped,
            panorama: self.view.strip.is_shown(),
        };
        let request = self.document.film_request(order)?;
        self.filming = Some((path, Work::start(Request::Film(request.into()))));
        Ok(())
    }

    /// Reports a saved or failed film after its end.
    pub(crate) fn poll_film(&mut self) {
        let result = self.filming.as_mut().and_then(|(_, film)| film.poll(Duration::ZERO));
        let messages = &mut self.session.messages;
        if let Some(result) = result
            && let Some((path, _)) = self.filming.take()
        {
            let saved = result
                .and_then(|film| save(&path, |out| Ok(out.write_all(&film.bytes)?)).map_err(|error| error.to_string()));
            match saved {
                Ok(()) => messages.saved(saved_message(&path), &path),
                Err(error) => messages.error(error),
            }
        }
        self.session.film_progress = self.filming.as_ref().map(|(_, film)| film.progress());
    }

    /// Starts to record the window to a `.gif`.
    pub(crate) fn record(&mut self, path: PathBuf) -> Result<(), CommandError> {
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
            return Err(format!("{}: expected a .gif", path.display()).into());
        }
        if let Some(Recorder { path, .. }) = &self.recorder {
            return Err(format!("the window is recorded to {} already", path.display()).into());
        }
        self.ensure_not_read(&path)?;
        self.recorder = Some(Recorder::new(path));
        Ok(())
    }

    /// Adds the drawn frame to the recording, if any.
    pub(crate) fn record_frame(&mut self) -> Result<(), ExploreError> {
        Ok(self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.add(|| screen_pixels(None)))?)
    }

    /// Saves the recording, if any.
    pub(crate) fn end_recording(&mut self) -> Result<(), ExploreError> {
        if let Some(mut recorder) = self.recorder.take()
            && let Some(film) = recorder.finish()?
        {
            save(&recorder.path, |out| Ok(out.write_all(&film)?))?;
            self.session.messages.saved(saved_message(&recorder.path), &recorder.path);
        }
        Ok(())
    }
}
