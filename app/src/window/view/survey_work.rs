//! [`SurveyWork`]: the passes of a survey, on a thread, or on a page a few places a frame.

#[cfg(not(target_arch = "wasm32"))]
use std::sync::Arc;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::mpsc::{Receiver, TryRecvError, channel};

#[cfg(not(target_arch = "wasm32"))]
use crate::document::in_background;
use farsight::Job;
use farsight::sight::{SightError, View};
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The distances between the places of each pass, in cells.
const STEPS: [u32; 5] = [64, 32, 16, 8, 4];

/// The passes end where there would be more places.
const MAX_PLACES: usize = 20_000;

/// The places whose views are computed together: few, so that the view of the window waits for them only shortly.
const CHUNK: usize = 8;

/// The time that a frame of a page gives to the survey, in seconds.
#[cfg(target_arch = "wasm32")]
const SECONDS_A_FRAME: f64 = 0.008;

/// A place, the distance to the next one, and the sum of what is seen from it, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) cell: IVec2,
    pub(super) step: u32,
    pub(super) seen: f32,
}

/// The passes over a scene, each finer than the one before.
struct Passes {
    scene: Scene,
    /// The index of the pass.
    pass: usize,
    viewers: Vec<IVec2>,
    /// The places of the viewers of the pass so far.
    places: Vec<Place>,
}

impl Passes {
    fn new(scene: Scene) -> Self {
        let mut passes = Self { scene, pass: 0, viewers: Vec::new(), places: Vec::new() };
        passes.begin();
        passes
    }

    /// Begins a pass, unless it would have too many places.
    fn begin(&mut self) {
        self.viewers.clear();
        if let Some(&step) = STEPS.get(self.pass) {
            let size = self.scene.size();
            let cells = |side: i32| (0..side).step_by(step as usize);
            let viewers = cells(size.y).flat_map(|y| cells(size.x).map(move |x| IVec2::new(x, y)));
            if viewers.clone().nth(MAX_PLACES).is_none() {
                self.viewers.extend(viewers);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.viewers.is_empty()
    }

    /// Computes some places. Returns all of a pass once it is whole.
    fn advance(&mut self, job: Job<'_>) -> Result<Option<Vec<Place>>, SightError> {
        let Some(&step) = STEPS.get(self.pass) else { return Ok(None) };
        let first = self.places.len();
        let chunk = &self.viewers[first..(first + CHUNK).min(self.viewers.len())];
        let sum = |cell, _, view: View<'_>| Place { cell, step, seen: view.visible().map(|(_, share)| share).sum() };
        self.places.extend(self.scene.view_many(chunk, job, sum)?);
        if self.places.len() < self.viewers.len() {
            return Ok(None);
        }
        self.pass += 1;
        self.begin();
        Ok(Some(std::mem::take(&mut self.places)))
    }
}

/// The work on a survey. Dropping it ends the work.
#[cfg(not(target_arch = "wasm32"))]
pub(super) struct SurveyWork {
    cancel: Arc<AtomicBool>,
    results: Receiver<Vec<Place>>,
    is_done: bool,
}

#[cfg(not(target_arch = "wasm32"))]
impl SurveyWork {
    pub(super) fn begin(scene: &Scene) -> Self {
        let (sender, results) = channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let (watched, copy) = (Arc::clone(&cancel), scene.clone());
        in_background(move || {
            let (mut passes, job) = (Passes::new(copy), Job::none().cancelled_by(&watched));
            while !passes.is_done() {
                // An error is that the survey was dropped, or that the scene has no view, which the map shows, too.
                let Ok(places) = passes.advance(job) else { break };
                if places.is_some_and(|places| sender.send(places).is_err()) {
                    break; // nobody waits for it
                }
            }
        });
        Self { cancel, results, is_done: false }
    }

    /// Returns the places of the finest pass that is whole and was not returned yet.
    pub(super) fn poll(&mut self) -> Option<Vec<Place>> {
        let mut newest = None;
        loop {
            match self.results.try_recv() {
                Ok(places) => newest = Some(places),
                Err(error) => {
                    self.is_done = error == TryRecvError::Disconnected;
                    return newest;
                }
            }
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Drop for SurveyWork {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// The work on a survey.
#[cfg(target_arch = "wasm32")]
pub(super) struct SurveyWork {
    /// `None` once they are done.
    passes: Option<Box<Passes>>,
}

#[cfg(target_arch = "wasm32")]
impl SurveyWork {
    pub(super) fn begin(scene: &Scene) -> Self {
        Self { passes: Some(Box::new(Passes::new(scene.clone()))) }
    }

    /// Goes on for a part of a frame. Returns the places of a pass that is whole.
    pub(super) fn poll(&mut self) -> Option<Vec<Place>> {
        let end = macroquad::miniquad::date::now() + SECONDS_A_FRAME;
        while let Some(passes) = self.passes.as_mut().filter(|passes| !passes.is_done()) {
            match passes.advance(Job::none()) {
                Ok(Some(places)) => return Some(places),
                Ok(None) if macroquad::miniquad::date::now() < end => {}
                Ok(None) => return None,
                Err(_) => break, // the scene has no view, which the map shows, too
            }
        }
        self.passes = None;
        None
    }

    pub(super) fn is_done(&self) -> bool {
        self.passes.is_none()
    }
}
