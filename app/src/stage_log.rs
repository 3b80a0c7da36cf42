//! The log of `--verbose` and `FARSIGHT_LOG`: the stages and their durations.
//!
//! A line on standard error for each stage: `[0.215 s] vegetation: 64.3 ms`, starting with the time since the start.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::host::ON_PAGE;
use farsight::sight::processor_level;
use farsight_scene::text::excerpt_of;

/// The environment variable that starts the log.
pub(crate) const VARIABLE: &str = "FARSIGHT_LOG";

/// A limit above the length of any useful message, in characters.
const LONGEST: usize = 1000;

/// The time of the start, if logging is on.
static BEGIN: OnceLock<Instant> = OnceLock::new();

/// Values of [`VARIABLE`] that, like the empty one, start no log, in lower case.
const OFF: [&str; 4] = ["0", "off", "false", "no"];

/// Starts the log if `is_asked` or if [`VARIABLE`] has a value other than off. Its first line describes the program and
/// the machine.
pub(crate) fn start(is_asked: bool) {
    let is_off = |value: OsString| value.is_empty() || OFF.iter().any(|off| value.eq_ignore_ascii_case(off));
    let is_set = || std::env::var_os(VARIABLE).is_some_and(|value| !is_off(value));
    // A page lacks a standard error stream.
    if ON_PAGE || !(is_asked || is_set()) || BEGIN.set(Instant::now()).is_err() {
        return;
    }
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    log(format_args!("farsight {} on {system} {processor}, kernels: {}", env!("CARGO_PKG_VERSION"), processor_level()));
}

pub(crate) fn is_on() -> bool {
    BEGIN.get().is_some()
}

/// Logs a line, if logging is on.
pub(crate) fn log(message: impl Display) {
    if let Some(begin) = BEGIN.get() {
        let message = message.to_string();
        let _ =
            writeln!(std::io::stderr(), "[{:.3} s] {}", begin.elapsed().as_secs_f64(), excerpt_of(&message, LONGEST));
    }
}

/// Runs work as a single stage.
pub(crate) fn timed<T>(stage: impl Display, work: impl FnOnce() -> T) -> T {
    let begin = is_on().then(Instant::now);
    let done = work();
    begin.iter().for_each(|begin| log_stage(&stage, begin.elapsed()));
    done
}

fn log_stage(stage: &dyn Display, time: Duration) {
    log(format_args!("{stage}: {:.1} ms", time.as_secs_f64() * 1000.0));
}

/// Consecutive stages, each until the start of the next. Dropping this logs all of them; repeated stages, such as
/// levels of a world, share a line.
#[derive(Debug, Default)]
pub(crate) struct Stages(Mutex<StageTimes>);

#[derive(Debug, Default)]
struct StageTimes {
    /// In the order of their first start.
    ended: Vec<StageTime>,
    current: Option<(String, Instant)>,
}

#[derive(Debug)]
struct StageTime {
    stage: String,
    times: u32,
    sum: Duration,
}

impl Stages {
    /// Starts a stage, if it is not the current one.
    pub(crate) fn begin(&self, stage: impl Display) {
        if is_on() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).begin(stage.to_string());
        }
    }
}

impl StageTimes {
    fn begin(&mut self, stage: String) {
        if self.current.as_ref().is_none_or(|(current, _)| *current != stage) {
            self.end();
            self.current = Some((stage, Instant::now()));
        }
    }

    fn end(&mut self) {
        let Some((stage, begin)) = self.current.take() else { return };
        let time = begin.elapsed();
        match self.ended.iter_mut().find(|ended| ended.stage == stage) {
            Some(ended) => (ended.times, ended.sum) = (ended.times + 1, ended.sum + time),
            None => self.ended.push(StageTime { stage, times: 1, sum: time }),
        }
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        let times = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        times.end();
        for StageTime { stage, times, sum } in &times.ended {
            match times {
                1 => log_stage(stage, *sum),
                _ => log_stage(&format_args!("{stage} ({times} times)"), *sum),
            }
        }
    }
}
