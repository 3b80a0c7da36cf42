//! [`Recorder`]: a recording of the window while a script runs.

use std::path::PathBuf;

use farsight_scene::files::{FileError, WriteError};
use farsight_scene::film::Recording;
use glam::IVec2;

/// The number of script frames, each a sixtieth of a second, between two pictures of a recording.
const FRAMES_A_PICTURE: u32 = 6;

/// The duration of a picture, in hundredths of a second.
const PICTURE_CS: u16 = 10;

/// A recording of the window.
pub(crate) struct Recorder {
    pub(crate) path: PathBuf,
    /// Set by the first picture, with its size.
    recording: Option<Recording<Vec<u8>>>,
    /// The number of frames since the start of the recording.
    frames: u32,
}

impl Recorder {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, recording: None, frames: 0 }
    }

    /// Counts a frame, and adds its pixels and their size if a picture is due.
    pub(crate) fn add(&mut self, frame: impl FnOnce() -> (Vec<u8>, IVec2)) -> Result<(), FileError> {
        if self.frames.is_multiple_of(FRAMES_A_PICTURE) {
            let (pixels, size) = frame();
            self.add_picture(&pixels, size).map_err(|fault| self.error(fault))?;
        }
        self.frames += 1;
        Ok(())
    }

    fn add_picture(&mut self, pixels: &[u8], size: IVec2) -> Result<(), WriteError> {
        let recording = match &mut self.recording {
            Some(recording) => recording,
            None => self.recording.insert(Recording::new(Vec::new(), size.to_array().map(|side| side as u16))?),
        };
        recording.add(pixels, PICTURE_CS)
    }

    /// Returns the film; `None` if it has no picture.
    pub(crate) fn finish(&mut self) -> Result<Option<Vec<u8>>, FileError> {
        self.recording.take().map(Recording::finish).transpose().map_err(|fault| self.error(fault))
    }

    fn error(&self, fault: WriteError) -> FileError {
        FileError::Write { file: self.path.display().to_string(), fault }
    }
}
