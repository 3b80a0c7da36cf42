//! [`FilmWork`]: a film of the last steps that is made on a thread, or on a page by a worker. [`FilmOrder`] has its file and its look.

use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::document::Trail;
use farsight::Job;
use farsight_scene::export::{Link, Shell};
use farsight_scene::files::{MapSource, WriteError};
use farsight_scene::film::{Film, FilmCrop, FilmOptions, Itinerary};
use farsight_scene::paint::Unseen;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The file of a film, and the choices of the screen that the film follows.
#[derive(Serialize, Deserialize)]
pub(crate) struct FilmOrder {
    /// A `.gif` or `.apng`.
    pub(crate) path: PathBuf,
    /// The name of the preset.
    pub(crate) name: String,
    pub(crate) map: Option<MapSource>,
    /// Columns and rows of the picture.
    pub(crate) frame: Option<IVec2>,
    pub(crate) is_mapped: bool,
    pub(crate) panorama: bool,
    /// `true` if the command line that makes the film again is for Windows.
    pub(crate) is_for_windows: bool,
}

impl FilmOrder {
    /// Makes the film and passes what writes it to `save`. Returns the command line that makes it again.
    fn make(
        &self,
        trail: Trail,
        job: Job<'_>,
        save: impl FnOnce(&dyn Fn(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), String>,
    ) -> Result<String, String> {
        let (scene, walk) = trail.begin()?;
        let mut options = FilmOptions::default()
            .with_panorama(self.panorama && scene.world().is_some())
            .with_name(&self.name)
            .with_map(self.map.clone());
        options.crop = self.frame.map_or(options.crop, FilmCrop::Cells);
        if self.is_mapped {
            options.unseen = Unseen::Mapped;
        }
        let command = self.command_line(&scene, &walk, &options);
        let film = Film::new(&scene, walk, options, job).map_err(|error| error.to_string())?;
        let is_gif = self.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"));
        save(&|out| if is_gif { film.write_gif(out, job) } else { film.write_apng(out, job) })?;
        Ok(command)
    }

    fn command_line(&self, scene: &Scene, walk: &Itinerary, options: &FilmOptions) -> String {
        let shell = if self.is_for_windows { Shell::Windows } else { Shell::Posix };
        let mut link = Link::new(&self.name, scene.preset().clone());
        (link.viewer, link.map) = (Some(scene.viewer()), self.map.clone());
        let points: Vec<String> = walk.points()[1..].iter().map(|point| format!("{},{}", point.x, point.y)).collect();
        let mut command = format!("farsight walk {} --path {}", link.flags(shell), shell.quote(&points.join(" ")));
        if let FilmCrop::Cells(cells) = options.crop {
            command += &format!(" --frame {}x{}", cells.x, cells.y);
        }
        if options.unseen != FilmOptions::default().unseen {
            command += &format!(" --unseen {}", options.unseen.name());
        }
        if options.panorama {
            command += " --panorama";
        }
        command + " -o " + &shell.quote(&self.path.to_string_lossy())
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod work {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, TryRecvError, channel};

    use super::{FilmOrder, Job, Trail};
    use crate::document::in_background;
    use farsight_scene::files::save;

    /// A film that a thread makes.
    pub(crate) struct FilmWork {
        /// The share that is done, in thousandths.
        done: Arc<AtomicU32>,
        result: Receiver<Result<String, String>>,
    }

    impl FilmWork {
        pub(crate) fn begin(order: FilmOrder, trail: Trail) -> Self {
            let (sender, result) = channel();
            let done = Arc::new(AtomicU32::new(0));
            let shared = Arc::clone(&done);
            in_background(move || {
                let progress = |_: &'static str, share: f32| shared.store((share * 1000.0) as u32, Ordering::Relaxed);
                let film = order.make(trail, Job::none().on_progress(&progress), |write| {
                    save(&order.path, write).map_err(|error| error.to_string())
                });
                let _ = sender.send(film); // the receiver is gone if the window was closed
            });
            Self { done, result }
        }

        /// Returns the share that is done, from 0 to 1.
        pub(crate) fn progress(&self) -> f32 {
            self.done.load(Ordering::Relaxed) as f32 / 1000.0
        }

        /// Returns the command line that makes the film again, or the error, once it is saved or has failed.
        pub(crate) fn poll(&mut self) -> Option<Result<String, String>> {
            match self.result.try_recv() {
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => Some(Err("the film was interrupted".into())), // the thread has panicked
                Ok(result) => Some(result),
            }
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod work {
    use std::path::PathBuf;

    use super::{FilmOrder, Job, Trail};
    use crate::document::{TASK_FILM, split_at_len, with_len};
    use crate::window::page_work::Worker;
    use crate::window::web::download;

    /// A film that a worker makes, or this thread where there are none.
    pub(crate) struct FilmWork {
        path: PathBuf,
        worker: Option<Worker>,
        task: Vec<u8>,
    }

    impl FilmWork {
        pub(crate) fn begin(order: FilmOrder, trail: Trail) -> Self {
            let order_bytes = serde_json::to_vec(&order).unwrap_or_default();
            let task = with_len(&order_bytes, &trail.to_bytes());
            Self { path: order.path, worker: Worker::start(&[&[TASK_FILM], &task[..]].concat()), task }
        }

        /// Returns the share that is done, from 0 to 1.
        pub(crate) fn progress(&self) -> f32 {
            self.worker.as_ref().map_or(0.0, Worker::progress)
        }

        /// Returns the command line that makes the film again, or the error, once it is offered as a download or has failed.
        pub(crate) fn poll(&mut self) -> Option<Result<String, String>> {
            let answer = match &self.worker {
                Some(worker) => worker.take_answer().unwrap_or_else(|_| Some(Vec::new()))?,
                None => film_answer(&self.task, Job::none()),
            };
            Some(self.save(&answer).unwrap_or_else(|| Err("the film was interrupted".into())))
        }

        fn save(&self, answer: &[u8]) -> Option<Result<String, String>> {
            let (words, film) = split_at_len(answer)?;
            let words = str::from_utf8(words).ok()?.to_owned();
            if film.is_empty() {
                return Some(Err(words));
            }
            let saved = download(&self.path, |out| Ok(out.write_all(film)?));
            Some(saved.map(|()| words).map_err(|error| error.to_string()))
        }
    }

    /// Makes the film of a task. The answer is the length of the command line that makes it again, the command line and the film; the
    /// length of an error and the error; or nothing if there is no such task.
    pub(crate) fn film_answer(task: &[u8], job: Job<'_>) -> Vec<u8> {
        let request = split_at_len(task).and_then(|(order, trail)| {
            Some((serde_json::from_slice::<FilmOrder>(order).ok()?, Trail::from_bytes(trail)?))
        });
        let Some((order, trail)) = request else { return Vec::new() };
        let mut film = Vec::new();
        let made = order.make(trail, job, |write| write(&mut film).map_err(|error| error.to_string()));
        match made {
            Ok(command) => with_len(command.as_bytes(), &film),
            Err(error) => with_len(error.as_bytes(), &[]),
        }
    }
}

pub(crate) use work::FilmWork;
#[cfg(target_arch = "wasm32")]
pub(crate) use work::film_answer;
