//! Worlds on a page: workers with modules of their own make them, since a page has one thread, which draws the frames.
//!
//! [`PageWork`] is the side of the page, [`farsight_work`] that of a worker. Between them are `web/farsight.js` and
//! `web/worker.js`. The foreign functions are as safe as those of `explorer/web.rs`: they pass only handles and numbers.

use std::sync::Arc;

use sapp_jsutils::JsObject;

use super::world_request::{Task, WorldRequest};
use crate::explorer::error::ExploreError;
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::Scene;
use crate::world::{World, WorldKind};
use glam::IVec2;

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

/// A world that a worker of the page makes. Dropping it cancels the work.
pub(super) struct PageWork {
    number: i32,
    preset: Preset,
}

/// The worker has failed.
pub(super) struct WorkerFailed;

/// The scene or its error, once it is there.
type Polled = Option<Result<Scene, ExploreError>>;

impl PageWork {
    /// Starts a world; `None` if there are no workers, or the task is not one of theirs.
    pub(super) fn start(task: &Task) -> Option<Self> {
        let (request, is_preview) = match task {
            Task::World(request) => (request, false),
            Task::Preview(request) => (request, true),
            Task::Walk(_) => return None,
        };
        if request.ground.is_some() || request.preset.world.kind != WorldKind::Overworld {
            return None;
        }
        let mut bytes = vec![u8::from(is_preview)];
        for cell in [request.viewer, request.last_viewer] {
            bytes.push(u8::from(cell.is_some()));
            put_cell(&mut bytes, cell.unwrap_or_default());
        }
        bytes.extend(request.preset.to_toml().into_bytes());
        let number = farsight_start_work(JsObject::buffer(&bytes));
        (number > 0).then(|| Self { number, preset: request.preset.clone() })
    }

    /// Returns the progress, from 0 to 1.
    pub(super) fn progress(&self) -> f32 {
        farsight_work_progress(self.number).max(0) as f32 / 1000.0
    }

    pub(super) fn poll(&mut self) -> Result<Polled, WorkerFailed> {
        let answer = farsight_take_work(self.number);
        if !answer.is_undefined() && !answer.is_nil() {
            let mut bytes = Vec::new();
            answer.to_byte_buffer(&mut bytes);
            return self.scene_of(&bytes).map(Some);
        }
        if farsight_work_progress(self.number) < 0 { Err(WorkerFailed) } else { Ok(None) }
    }

    fn scene_of(&self, answer: &[u8]) -> Result<Result<Scene, ExploreError>, WorkerFailed> {
        let (cell, world) = answer.split_first_chunk().ok_or(WorkerFailed)?;
        // An error is told by this thread, which has its type.
        let world = World::from_bytes(&self.preset.world, world).ok_or(WorkerFailed)?;
        Ok(Scene::on_world(self.preset.clone(), Arc::new(world), Some(cell_of(*cell))).map_err(ExploreError::from))
    }
}

impl Drop for PageWork {
    fn drop(&mut self) {
        farsight_end_work(self.number);
    }
}

fn put_cell(bytes: &mut Vec<u8>, cell: IVec2) {
    bytes.extend(cell.to_array().into_iter().flat_map(i32::to_le_bytes));
}

fn cell_of(bytes: [u8; 8]) -> IVec2 {
    let [x, y] = [0, 4].map(|first| std::array::from_fn(|i| bytes[first + i])).map(i32::from_le_bytes);
    IVec2::new(x, y)
}

/// Makes the world of the task of this worker. An answer without a world says that there is none.
#[expect(unsafe_code, reason = "a worker calls this function by its name")]
#[unsafe(no_mangle)]
extern "C" fn farsight_work() {
    let mut task = Vec::new();
    farsight_task().to_byte_buffer(&mut task);
    let report = |_: &'static str, done: f32| farsight_report((done * 1000.0) as i32);
    let scene = task_of(&task).and_then(|task| task.make(Job::quiet().on_progress(&report)).ok());
    let mut answer = Vec::new();
    if let Some(scene) = scene
        && let Some(world) = scene.world()
    {
        put_cell(&mut answer, scene.viewer());
        answer.extend(world.to_bytes());
    }
    farsight_answer(JsObject::buffer(&answer));
}

fn task_of(bytes: &[u8]) -> Option<Task> {
    let (&is_preview, mut rest) = bytes.split_first()?;
    let mut cell = || {
        let (&is_some, after) = rest.split_first()?;
        let (cell, after) = after.split_first_chunk()?;
        rest = after;
        Some((is_some != 0).then(|| cell_of(*cell)))
    };
    let (viewer, last_viewer) = (cell()?, cell()?);
    let preset = Preset::from_toml(std::str::from_utf8(rest).ok()?, "the page").ok()?;
    let request = WorldRequest { preset, viewer, last_viewer, ground: None };
    Some(if is_preview != 0 { Task::Preview(request) } else { Task::World(request) })
}
