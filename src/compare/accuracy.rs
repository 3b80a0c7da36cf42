//! Errors of the soft methods against traced lines, by kind of map.

use super::comparison::CompareError;
use crate::compare::kinds;
use crate::job::Job;
use crate::setters::setters;
use crate::sight::{Accuracy, FieldOfView, Method, PathRule, SightConfig, Weights};

/// Options of [`accuracy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccuracyOptions {
    /// The radius, in cells.
    pub radius: u32,
    /// The reference traces this number squared of lines to a cell.
    pub samples: u32,
    /// Maps of each kind, from the seeds 1, 2, …. Errors of single maps differ by a factor of three.
    pub maps: u64,
}

impl AccuracyOptions {
    setters! { with_radius(radius: u32), with_samples(samples: u32), with_maps(maps: u64), }
}

impl Default for AccuracyOptions {
    fn default() -> Self {
        Self { radius: 64, samples: SightConfig::DEFAULT_SAMPLES, maps: 20 }
    }
}

/// The errors on one kind of map, over all cells of all its maps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccuracyRow {
    /// The kind of map.
    pub kind: &'static str,
    /// The errors of each of [`METHODS`](Self::METHODS).
    pub errors: [Accuracy; 4],
}

impl AccuracyRow {
    /// The methods, in the order of the errors.
    pub const METHODS: [&'static str; 4] = ["two-parent, projection", "two-parent, linear", "beam, 1", "beam, 2"];
}

/// Measures the errors of the soft methods against traced lines, per length, on every kind of map of [`kinds`].
///
/// # Errors
/// [`CompareError`] for options out of range, or a job that was stopped.
pub fn accuracy(options: &AccuracyOptions, job: Job<'_>) -> Result<Vec<AccuracyRow>, CompareError> {
    let AccuracyOptions { radius, samples, maps } = *options;
    let base = SightConfig { radius, samples, path: PathRule::PerLength, ..SightConfig::default() };
    let beam = |beams| SightConfig { method: Method::Beam, beams, ..base.clone() };
    let configs = [SightConfig { weights: Weights::Projection, ..base.clone() }, base.clone(), beam(1.0), beam(2.0)];
    let mut exact = FieldOfView::new(SightConfig { method: Method::Exact, ..base.clone() })?;
    let mut rows = Vec::new();
    for (i, (kind, make)) in kinds::KINDS.into_iter().enumerate() {
        let mut errors = configs.each_ref().map(|_| Vec::new());
        for seed in 1..=maps {
            let done = (i as u64 * maps + seed - 1) as f32 / (kinds::KINDS.len() as u64 * maps) as f32;
            job.report("tracing lines", done)?;
            let (map, viewer) = kinds::scene(2 * radius as usize + 11, seed, make);
            let reference = exact.compute(&map, viewer)?;
            for (config, errors) in configs.iter().zip(&mut errors) {
                let mut fov = FieldOfView::new(config.clone())?;
                errors.push(Accuracy::of(&fov.compute(&map, viewer)?, &reference, radius));
            }
        }
        rows.push(AccuracyRow { kind, errors: errors.map(|parts| Accuracy::pooled(&parts)) });
    }
    Ok(rows)
}
