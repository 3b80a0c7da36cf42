//! A progress bar for work that takes its time; on a terminal only.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::job::Job;

const STEPS: u64 = 1000;

/// Does work with a job that draws a bar on standard error, if that is a terminal and `quiet` is false. The bar is
/// gone when the work is done.
pub(super) fn watched<T>(quiet: bool, work: impl FnOnce(&Job) -> T) -> T {
    drawn(quiet, "{msg:12} [{bar:24}] {percent:>3} %", work)
}

/// The same for long work, with an estimate of the time that is left.
pub(super) fn timed<T>(quiet: bool, work: impl FnOnce(&Job) -> T) -> T {
    drawn(quiet, "{msg:12} [{bar:24}] {percent:>3} %, {eta} left", work)
}

fn drawn<T>(quiet: bool, template: &str, work: impl FnOnce(&Job) -> T) -> T {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if quiet || is_dumb || !stderr().is_terminal() {
        return work(&Job::quiet());
    }
    let style = ProgressStyle::with_template(template)
        .map_or_else(|_| ProgressStyle::default_bar(), |style| style.progress_chars("=> "));
    let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr()).with_style(style);
    let begun = AtomicBool::new(false);
    let done = work(&Job::quiet().on_progress(&|stage, share| {
        bar.set_message(stage);
        bar.set_position((f64::from(share) * STEPS as f64) as u64);
        if !begun.swap(true, Ordering::Relaxed) {
            bar.reset_eta(); // what an earlier run did says nothing of the speed of this one
        }
    }));
    bar.finish_and_clear();
    done
}
