//! A progress bar for work that takes its time; on a terminal only.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::Job;

const STEPS: u64 = 1000;

/// Does work with a job that draws a bar on standard error, if that is a terminal and `quiet` is false. The bar is
/// gone when the work is done.
pub(super) fn watched<T>(quiet: bool, work: impl FnOnce(&Job) -> T) -> T {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if quiet || is_dumb || !stderr().is_terminal() {
        return work(&Job::quiet());
    }
    let style = ProgressStyle::with_template("{msg:12} [{bar:24}] {percent:>3} %")
        .map_or_else(|_| ProgressStyle::default_bar(), |style| style.progress_chars("=> "));
    let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr()).with_style(style);
    let done = work(&Job::quiet().on_progress(&|stage, share| {
        bar.set_message(stage);
        bar.set_position((f64::from(share) * STEPS as f64) as u64);
    }));
    bar.finish_and_clear();
    done
}
