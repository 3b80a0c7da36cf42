//! [`Filming`]: a film of the last steps that is made on a thread of its own.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use super::files::shell;
use super::state::App;
use crate::document::in_background;
use crate::save_export::saved_message;
use crate::window::error::CommandError;
use farsight::Job;
use farsight::export::{Link, Shell};
use farsight::files::{FileError, save};
use farsight::film::{Film, FilmCrop, FilmOptions, Itinerary};
use farsight::paint::Unseen;
use farsight::scene::Scene;

/// A film that is being made.
pub(crate) struct Filming {
    path: PathBuf,
    /// The command line that makes the film again.
    command: String,
    /// The share that is done, in thousandths.
    done: Arc<AtomicU32>,
    result: Receiver<Result<(), String>>,
}

impl Filming {
    /// Returns the share that is done, from 0 to 1.
    fn progress(&self) -> f32 {
        self.done.load(Ordering::Relaxed) as f32 / 1000.0
    }
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
        let is_gif = match &*extension {
            "gif" => true,
            "apng" => false,
            _ => return Err(format!("{}: expected a .gif or .apng", path.display()).into()),
        };
        self.ensure_not_read(&path)?;
        let (scene, walk) = self.document.trail_scene()?;
        let mut options = FilmOptions::default().with_panorama(self.view.strip.is_open && scene.world().is_some());
        options = options.with_unseen(self.view.unseen()).with_name(self.document.name());
        options.map = self.document.map().cloned();
        if let Some(shown) = self.view.state.camera.map(|camera| camera.frame(self.view.viewport(), scene.size())) {
            options.crop = FilmCrop::Cells(shown.size());
        }
        let mut link = Link::new(self.document.name(), scene.preset().clone());
        (link.viewer, link.map) = (Some(scene.viewer()), self.document.map().cloned());
        let command = command_line(&link, &walk, &options, &path.to_string_lossy());
        let (sender, result) = channel();
        let done = Arc::new(AtomicU32::new(0));
        let (shared, file) = (Arc::clone(&done), path.clone());
        in_background(move || {
            let progress = |_: &'static str, share: f32| shared.store((share * 1000.0) as u32, Ordering::Relaxed);
            // The receiver is gone if the window was closed.
            let _ = sender.send(write(&scene, walk, options, (&file, is_gif), Job::quiet().on_progress(&progress)));
        });
        self.filming = Some(Filming { path, command, done, result });
        Ok(())
    }

    /// Says that a film is saved, or why it is not, once it has ended.
    pub(crate) fn poll_film(&mut self) {
        self.session.film_progress = self.filming.as_ref().map(Filming::progress);
        let Some(filming) = &self.filming else { return };
        let result = match filming.result.try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err("the film was interrupted".to_owned()), // the thread has panicked
            Ok(result) => result,
        };
        let messages = &mut self.session.messages;
        if let (Some(Filming { path, command, .. }), result) = (self.filming.take(), result) {
            match result {
                Ok(()) => messages.saved(format!("{}. The same film again: {command}", saved_message(&path)), &path),
                Err(error) => messages.error(error),
            }
        }
    }
}

fn write(
    scene: &Scene,
    walk: Itinerary,
    options: FilmOptions,
    (path, is_gif): (&std::path::Path, bool),
    job: Job<'_>,
) -> Result<(), String> {
    let film = Film::new(scene, walk, options, job).map_err(|error| error.to_string())?;
    let write = |out: &mut dyn Write| if is_gif { film.write_gif(out, job) } else { film.write_apng(out, job) };
    save(path, write).map_err(|error: FileError| error.to_string())
}

/// Returns the command line that films a walk.
fn command_line(link: &Link, walk: &Itinerary, options: &FilmOptions, file: &str) -> String {
    let shell: Shell = shell();
    let points: Vec<String> = walk.points()[1..].iter().map(|point| format!("{},{}", point.x, point.y)).collect();
    let mut command = format!("farsight walk {} --path {}", link.flags(shell), shell.quote(&points.join(" ")));
    if let FilmCrop::Cells(cells) = options.crop {
        command += &format!(" --frame {}x{}", cells.x, cells.y);
    }
    if options.unseen != FilmOptions::default().unseen {
        command += &format!(" --unseen {}", Unseen::Mapped.name());
    }
    if options.panorama {
        command += " --panorama";
    }
    command + " -o " + &shell.quote(file)
}
