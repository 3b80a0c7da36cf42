//! Scenes and films on a page: workers with modules of their own make them, since a page has one thread, which draws the frames.
//!
//! [`Worker`] is the side of the page, [`farsight_work`] that of a worker. Between them are `web/farsight.js` and
//! `web/worker.js`. The foreign functions are as safe as those of `web.rs`: they pass only handles and numbers.

use std::time::Duration;

use macroquad::miniquad::date;
use sapp_jsutils::JsObject;

use super::film_work::film_answer;
use crate::document::{
    Host, KnownTask, Polled, SceneSlices, SceneWork, TASK_FILM, Task, TaskError, WorkerFailed, answer_to,
};
use farsight::Job;
use farsight_scene::scene::Scene;

#[expect(unsafe_code, reason = "the only way to call the page; see the top of this file")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    // Of the page.
    safe fn farsight_start_work(task: JsObject) -> i32;
    safe fn farsight_work_progress(work: i32) -> i32;
    safe fn farsight_take_work(work: i32) -> JsObject;
    safe fn farsight_end_work(work: i32);
    // Of a worker.
    safe fn farsight_task() -> JsObject;
    safe fn farsight_report(thousandths: i32);
    safe fn farsight_answer(answer: JsObject);
}

/// The frames between the request and the work, if this thread does it, so that the page shows progress first.
const FRAMES_BEFORE_WORK: u32 = 4;

impl Host {
    /// Returns the host of this page.
    pub(crate) fn system() -> Self {
        Self { now: date::now, start: |task| Box::new(PageWork::start(task)) }
    }
}

/// A scene whose terrain a worker of the page makes. Where there are no workers, this thread makes the scene between two frames.
/// Dropping it cancels the work.
struct PageWork {
    worker: Option<SceneWorker>,
    /// The task of this thread if there is no worker, or it has failed; and the frames before the work.
    waiting: Option<(u32, Task)>,
}

impl PageWork {
    fn start(task: Task) -> Self {
        Self { worker: SceneWorker::start(&task), waiting: Some((FRAMES_BEFORE_WORK, task)) }
    }
}

impl SceneWork for PageWork {
    fn progress(&self) -> f32 {
        self.worker.as_ref().map_or(0.0, |worker| worker.worker.progress())
    }

    fn poll(&mut self, time: Duration) -> Option<Result<Scene, TaskError>> {
        match self.worker.as_mut().map(|worker| worker.poll(time)) {
            Some(Ok(polled)) => return polled,
            Some(Err(WorkerFailed)) => self.worker = None, // this thread may not fail
            None => match self.waiting.take()? {
                (0, task) => return Some(task.make(Job::none())),
                (frames, task) => self.waiting = Some((frames - 1, task)),
            },
        }
        None
    }
}

/// A worker of the page at a task. Dropping it ends the work.
pub(crate) struct Worker(i32);

impl Worker {
    /// Starts a task; `None` if there are no workers.
    pub(crate) fn start(task: &[u8]) -> Option<Self> {
        let number = farsight_start_work(JsObject::buffer(task));
        // A value that is dropped ends its work, so there must be none without.
        (number > 0).then(|| Self(number))
    }

    /// Returns the progress, from 0 to 1.
    pub(crate) fn progress(&self) -> f32 {
        farsight_work_progress(self.0).max(0) as f32 / 1000.0
    }

    /// Returns the answer once it is there.
    pub(crate) fn take_answer(&self) -> Result<Option<Vec<u8>>, WorkerFailed> {
        let answer = farsight_take_work(self.0);
        if !answer.is_undefined() && !answer.is_nil() {
            let mut bytes = Vec::new();
            answer.to_byte_buffer(&mut bytes);
            return Ok(Some(bytes));
        }
        if farsight_work_progress(self.0) < 0 { Err(WorkerFailed) } else { Ok(None) }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        farsight_end_work(self.0);
    }
}

/// A worker that makes a scene.
struct SceneWorker {
    worker: Worker,
    /// Until the answer is there.
    task: Option<KnownTask>,
    /// From then on.
    slices: Option<SceneSlices>,
}

impl SceneWorker {
    /// Starts a task; `None` if there are no workers.
    fn start(task: &Task) -> Option<Self> {
        let worker = Worker::start(&task.to_bytes())?;
        Some(Self { worker, task: Some(KnownTask::new(task)), slices: None })
    }

    /// Returns the scene once it is there. Each call does a slice of the work that is left for this thread, and more until a time
    /// has passed.
    fn poll(&mut self, time: Duration) -> Result<Polled, WorkerFailed> {
        let end = date::now() + time.as_secs_f64();
        let mut is_due = self.slices.is_some();
        if !is_due && let Some(answer) = self.worker.take_answer()? {
            self.slices = self.task.take().map(|task| SceneSlices::new(task, answer));
        }
        let Some(slices) = &mut self.slices else { return Ok(None) };
        let mut polled = None;
        while polled.is_none() && (is_due || date::now() < end) {
            polled = slices.advance()?;
            is_due = false;
        }
        Ok(polled)
    }
}

/// Does the task of this worker. An empty answer says that it has no result.
#[expect(unsafe_code, reason = "a worker calls this function by its name")]
#[unsafe(no_mangle)]
extern "C" fn farsight_work() {
    let mut task = Vec::new();
    farsight_task().to_byte_buffer(&mut task);
    let report = |_: &'static str, done: f32| farsight_report((done * 1000.0) as i32);
    let job = Job::none().on_progress(&report);
    let answer = match &task[..] {
        [TASK_FILM, film @ ..] => film_answer(film, job),
        task => answer_to(task, job),
    };
    farsight_answer(JsObject::buffer(&answer));
}
