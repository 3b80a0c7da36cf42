//! Progress bars on standard error.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::interrupt::interrupted_flag;
use crate::stage_log::{self, Stages};
use farsight::Job;

/// Runs `work` with a job that draws a progress bar if standard error is a terminal and `quiet` is false, or logs its
/// stages if there is a log. Ctrl-C cancels the job once its handler is installed.
pub(crate) fn with_progress_bar<T>(quiet: bool, work: impl FnOnce(Job<'_>) -> T) -> T {
    run(quiet, "{msg:12} [{bar:24}] {percent:>3} %", work)
}

/// Runs `work` as [`with_progress_bar`], with an estimate of the remaining time.
pub(crate) fn with_remaining_time<T>(quiet: bool, work: impl FnOnce(Job<'_>) -> T) -> T {
    run(quiet, "{msg:12} [{bar:24}] {percent:>3} %, {eta} left", work)
}

fn run<T>(quiet: bool, template: &str, work: impl FnOnce(Job<'_>) -> T) -> T {
    const STEPS: u64 = 1000;
    let job = Job::none().cancelled_by(interrupted_flag());
    if stage_log::is_on() {
        let stages = Stages::default();
        return work(job.on_progress(&|stage, _| stages.begin(stage)));
    }
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if quiet || is_dumb || !stderr().is_terminal() {
        return work(job);
    }
    let style = ProgressStyle::with_template(template)
        .map_or_else(|_| ProgressStyle::default_bar(), |style| style.progress_chars("=> "));
    let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr()).with_style(style);
    let has_begun = AtomicBool::new(false);
    let done = work(job.on_progress(&|stage, share| {
        bar.set_message(stage);
        bar.set_position((f64::from(share) * STEPS as f64) as u64);
        if !has_begun.swap(true, Ordering::Relaxed) {
            bar.reset_eta(); // a resumed atlas begins far into the bar
        }
    }));
    bar.finish_and_clear();
    done
}
