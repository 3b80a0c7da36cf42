//! Films of the last steps, and of the window while a script runs.

use std::path::PathBuf;

use super::files::{save, screen_pixels, shell};
use super::state::App;
use crate::save_export::saved_message;
use crate::window::error::{CommandError, ExploreError};
use crate::window::film_work::{FilmOrder, FilmWork};
use farsight_scene::export::Shell;
use farsight_scene::files::FileError;
use farsight_scene::film::Recording;
use farsight_scene::paint::Unseen;

/// The frames of a script, each a sixtieth of a second, between two pictures of a recording.
const FRAMES_A_PICTURE: u32 = 6;

/// The time that a picture is shown, in hundredths of a second.
const PICTURE_CS: u16 = 10;

/// A recording of the window.
pub(crate) struct Recorder {
    path: PathBuf,
    /// From the first picture on, whose size it has.
    recording: Option<Recording<Vec<u8>>>,
    /// The frames since the recording has begun.
    frames: u32,
}

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

    /// Begins to record the window to a `.gif`.
    pub(crate) fn record(&mut self, path: PathBuf) -> Result<(), CommandError> {
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
            return Err(format!("{}: expected a .gif", path.display()).into());
        }
        if let Some(Recorder { path, .. }) = &self.recorder {
            return Err(format!("the window is recorded to {} already", path.display()).into());
        }
        self.ensure_not_read(&path)?;
        self.recorder = Some(Recorder { path, recording: None, frames: 0 });
        Ok(())
    }

    /// Adds the frame that was drawn to the recording, if there is one and it is time for a picture.
    pub(crate) fn record_frame(&mut self) -> Result<(), ExploreError> {
        let Some(Recorder { path, recording, frames }) = &mut self.recorder else { return Ok(()) };
        if frames.is_multiple_of(FRAMES_A_PICTURE) {
            let (pixels, size) = screen_pixels(None);
            let fault = |fault| FileError::Write { file: path.display().to_string(), fault };
            let recording = match recording {
                Some(recording) => recording,
                None => recording
                    .insert(Recording::new(Vec::new(), size.to_array().map(|side| side as u16)).map_err(fault)?),
            };
            recording.add(&pixels, PICTURE_CS).map_err(fault)?;
        }
        *frames += 1;
        Ok(())
    }

    /// Saves the recording, if there is one.
    pub(crate) fn end_recording(&mut self) -> Result<(), ExploreError> {
        if let Some(Recorder { path, recording: Some(recording), .. }) = self.recorder.take() {
            let fault = |fault| FileError::Write { file: path.display().to_string(), fault };
            let film = recording.finish().map_err(fault)?;
            save(&path, |out| Ok(out.write_all(&film)?))?;
            self.session.messages.saved(saved_message(&path), &path);
        }
        Ok(())
    }
}
