//! [`print_estimate`]: how long a job takes, before it begins.

use super::stdio::print_message;
use farsight::sight::MethodKind;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{SceneCost, time_text};

/// Jobs of less are not announced, in seconds.
const LEAST_SECONDS: f64 = 10.0;

/// Prints about how long a job takes on all threads, unless `quiet` or if it is soon done. `cost_of` estimates the job with a preset.
pub(super) fn print_estimate(quiet: bool, what: &str, preset: &Preset, cost_of: impl Fn(&Preset) -> SceneCost) {
    let threads = rayon::current_num_threads() as f64;
    let line = estimate(what, preset, |preset| cost_of(preset).seconds() / threads);
    line.filter(|_| !quiet).iter().for_each(print_message);
}

/// Returns what is said of a job that takes some seconds with a preset, with the time by two parents if that is much less.
fn estimate(what: &str, preset: &Preset, seconds: impl Fn(&Preset) -> f64) -> Option<String> {
    let by_method = Some(seconds(preset)).filter(|seconds| *seconds >= LEAST_SECONDS)?;
    let mut faster = preset.clone();
    faster.sight.method = MethodKind::TwoParent;
    let by_two_parents = seconds(&faster);
    let line = format!("{what}: about {}", time_text(by_method));
    match by_two_parents < by_method / 2.0 {
        true => Some(format!("{line}; with --method two-parent {}", time_text(by_two_parents))),
        false => Some(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_jobs_are_announced() {
        let exact = Preset::named("viewshed").unwrap();
        let by = |two_parents: f64, other: f64| {
            estimate("the atlas", &exact, move |preset: &Preset| match preset.sight.method {
                MethodKind::TwoParent => two_parents,
                _ => other,
            })
        };
        assert_eq!(by(1.0, 9.9), None);
        assert_eq!(by(20.0, 360.0).unwrap(), "the atlas: about 6.0 minutes; with --method two-parent 20 s");
        assert_eq!(by(20.0, 20.0).unwrap(), "the atlas: about 20 s");
    }
}
