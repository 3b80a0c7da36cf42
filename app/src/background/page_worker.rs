//! [`Worker`]: a worker of the page with a separate module, since the only thread of a page draws the frames.
//!
//! The other sides are `web/farsight.js` and `web/worker.js`. The foreign functions are as safe as those of `host/page.rs`: they pass only
//! handles and numbers.

use sapp_jsutils::JsObject;

use super::crossing::answer;
use farsight::Job;

#[expect(unsafe_code, reason = "the only way to call the page; see the top of this file")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    // Of the page.
    safe fn farsight_start_work(request: JsObject) -> i32;
    safe fn farsight_work_progress(work: i32) -> i32;
    safe fn farsight_take_work(work: i32) -> JsObject;
    safe fn farsight_end_work(work: i32);
    // Of a worker.
    safe fn farsight_task() -> JsObject;
    safe fn farsight_report(thousandths: i32);
    safe fn farsight_answer(answer: JsObject);
}

/// A running worker of the page. Dropping it ends the work.
pub(super) struct Worker(i32);

/// The worker has failed.
pub(super) struct WorkerFailed;

impl Worker {
    /// Starts work; `None` without workers.
    pub(super) fn start(request: &[u8]) -> Option<Self> {
        let number = farsight_start_work(JsObject::buffer(request));
        // Dropping a value ends its work, so no value may exist without work.
        (number > 0).then(|| Self(number))
    }

    /// Returns the progress, from 0 to 1.
    pub(super) fn progress(&self) -> f32 {
        farsight_work_progress(self.0).max(0) as f32 / 1000.0
    }

    /// Returns the next answer, if any.
    pub(super) fn take_answer(&self) -> Result<Option<Vec<u8>>, WorkerFailed> {
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

/// Runs the request of this worker.
#[expect(unsafe_code, reason = "a worker calls this function by its name")]
#[unsafe(no_mangle)]
extern "C" fn farsight_work() {
    let mut request = Vec::new();
    farsight_task().to_byte_buffer(&mut request);
    let report = |_: &'static str, done: f32| farsight_report((done * 1000.0) as i32);
    answer(&request, Job::none().on_progress(&report), &mut |reply| farsight_answer(JsObject::buffer(&reply)));
}
