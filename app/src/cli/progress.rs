//! Progress on standard error: a bar on a terminal, and a line now and then elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::interrupt::interrupted_flag;
use super::stdio::print_message;
use crate::stage_log::{self, Stages};
use farsight::Job;
use farsight_scene::scene::time_text;

/// Runs `work` with a job that draws a progress bar if standard error is a terminal and `quiet` is false, or logs its
/// stages if there is a log. Ctrl-C cancels the job once its handler is installed.
pub(crate) fn with_progress_bar<T>(quiet: bool, work: impl FnOnce(Job<'_>) -> T) -> T {
    run(quiet, false, work)
}

/// Runs `work` as [`with_progress_bar`], with an estimate of the remaining time.
pub(crate) fn with_remaining_time<T>(quiet: bool, work: impl FnOnce(Job<'_>) -> T) -> T {
    run(quiet, true, work)
}

fn run<T>(quiet: bool, has_remaining_time: bool, work: impl FnOnce(Job<'_>) -> T) -> T {
    const STEPS: u64 = 1000;
    let job = Job::none().cancelled_by(interrupted_flag());
    if stage_log::is_on() {
        let stages = Stages::default();
        return work(job.on_progress(&|stage, _| stages.begin(stage)));
    }
    if quiet {
        return work(job);
    }
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if is_dumb || !stderr().is_terminal() {
        let lines = Mutex::new(ProgressLines::new(has_remaining_time, Instant::now()));
        return work(job.on_progress(&|stage, share| {
            // A thread that finds it locked has nothing newer to tell.
            if let Ok(mut lines) = lines.try_lock()
                && let Some(line) = lines.next(stage, share, Instant::now())
            {
                print_message(line);
            }
        }));
    }
    let left = if has_remaining_time { ", {eta} left" } else { "" };
    let style = ProgressStyle::with_template(&format!("{{msg:12}} [{{bar:24}}] {{percent:>3}} %{left}"))
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

/// The lines about a long job in a file or a pipe.
struct ProgressLines {
    has_remaining_time: bool,
    last_line: Instant,
    /// The stage, with the time and the share at which it was first reported.
    stage: Option<(&'static str, Instant, f32)>,
    start: Instant,
}

impl ProgressLines {
    /// The least time between two lines, and the share of the time so far.
    const LEAST_WAIT: Duration = Duration::from_secs(10);
    const WAIT_SHARE: u32 = 10;

    fn new(has_remaining_time: bool, now: Instant) -> Self {
        Self { has_remaining_time, last_line: now, stage: None, start: now }
    }

    /// Returns the line about a share of a stage, `observers: 40 %, about 3.0 minutes left`, if it is time for one.
    fn next(&mut self, stage: &'static str, share: f32, now: Instant) -> Option<String> {
        let begun = self.stage.filter(|(other, ..)| *other == stage);
        let (_, begin, first_share) = *self.stage.insert(begun.unwrap_or((stage, now, share)));
        let wait = ((now - self.start) / Self::WAIT_SHARE).max(Self::LEAST_WAIT);
        if now - self.last_line < wait {
            return None;
        }
        self.last_line = now;
        let line = format!("{stage}: {:.0} %", 100.0 * share);
        let per_second = f64::from(share - first_share) / (now - begin).as_secs_f64();
        if !self.has_remaining_time || per_second.is_nan() || per_second <= 0.0 {
            return Some(line);
        }
        Some(format!("{line}, about {} left", time_text(f64::from(1.0 - share) / per_second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_jobs_have_a_line_now_and_then() {
        let start = Instant::now();
        let mut lines = ProgressLines::new(true, start);
        let mut at = |seconds: u64, share: f32| lines.next("observers", share, start + Duration::from_secs(seconds));
        assert_eq!(at(0, 0.25), None);
        assert_eq!(at(9, 0.3), None);
        assert_eq!(at(10, 0.35).unwrap(), "observers: 35 %, about 65 s left"); // since the first report
        assert_eq!(at(12, 0.4), None);
        assert_eq!(at(20, 0.25).unwrap(), "observers: 25 %");
        assert_eq!(at(1000, 0.5).unwrap(), "observers: 50 %, about 33 minutes left");
        assert_eq!(at(1090, 0.5), None);
        let mut lines = ProgressLines::new(false, start);
        assert_eq!(lines.next("climate", 0.5, start + Duration::from_secs(30)).unwrap(), "climate: 50 %");
    }
}
