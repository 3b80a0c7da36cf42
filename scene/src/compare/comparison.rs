//! [`Comparison`]: metrics of every method on the same maps; [`accuracy`]: errors of the soft methods against traced
//! lines, by kind of map.

use glam::ivec2;
use serde_json::{Map, Value, json};

use super::case::{Case, visibilities};
use super::metrics::{
    Asymmetry, Difference, MetricsError, SEEN_AT, blind_spots, hidden_walls, orphans, room_walls_missed, spread,
};
use crate::compare::kinds;
use crate::preset::{Preset, SightSettings};
use crate::scene::{Scene, SceneCost, SceneError, check_compared_view};
use farsight::grid::Grid;
use farsight::setters;
use farsight::sight::{Accuracy, FieldOfView, Method, MethodKind, PathRule, SightConfig, SightError, Weights};
use farsight::{Cancelled, Job};

/// Options of a comparison.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CompareOptions {
    /// The methods. [`MethodKind::Exact`] is the reference, even if it is not listed.
    pub methods: Vec<MethodKind>,
    /// The number of cells of each map for the pairwise measurement of asymmetry.
    pub asymmetry_cells: usize,
    /// `true` to measure errors on clear cells only: the reference shows the visible fraction of a wall's area, grid
    /// methods show it as a whole.
    pub floor_only: bool,
}

impl CompareOptions {
    /// Gives 496 pairs, which take the reference one or two seconds.
    pub const DEFAULT_ASYMMETRY_CELLS: usize = 32;

    setters! {
        with_methods(methods: Vec<MethodKind>), with_asymmetry_cells(asymmetry_cells: usize),
        with_floor_only(floor_only: bool),
    }
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { methods: MethodKind::ALL.into(), asymmetry_cells: Self::DEFAULT_ASYMMETRY_CELLS, floor_only: false }
    }
}

/// An error of a comparison.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A field of view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// The views do not fit into the free memory.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// There is no cell to compare.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The metrics of one method on one map, or on several together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The method.
    pub method: MethodKind,
    /// Errors against the reference, over the cells within the radius.
    pub difference: Difference,
    /// The asymmetry of lines of sight.
    pub asymmetry: Asymmetry,
    /// Visible cells without a visible parent.
    pub orphans: usize,
    /// Hidden cells without an obstacle.
    pub blind_spots: usize,
    /// Hidden walls directly behind visible floor.
    pub hidden_walls: usize,
    /// Time of a field of view divided by that of [`MethodKind::TwoParent`]; `None` without a clock.
    pub time_ratio: Option<f64>,
}

/// The metrics of one map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFigures {
    /// The name of the map.
    pub name: String,
    /// In the order of [`CompareOptions::methods`].
    pub methods: Vec<Figures>,
}

/// The metrics of every method on the same maps.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The metrics by map.
    pub maps: Vec<MapFigures>,
    /// All maps together, in the order of [`CompareOptions::methods`].
    pub total: Vec<Figures>,
    /// The walls of an empty room, for each method.
    pub room: Vec<RoomWalls>,
}

/// Counts of the walls of an empty room of [`Comparison::ROOM`] cells, summed over every viewer in it. All walls should
/// be visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomWalls {
    /// All walls.
    pub walls: usize,
    /// Walls with a visibility below [`SEEN_AT`]. Soft methods dim a wall at a grazing angle, since little of its area
    /// is in sight.
    pub dim: usize,
    /// Walls with a visibility of 0.
    pub dark: usize,
}

impl Comparison {
    /// Columns and rows of the floor of the empty room.
    pub const ROOM: [i32; 2] = [21, 9];

    /// Compares methods on maps. `clock` returns seconds since a fixed moment; without it no time is measured and the
    /// result is reproducible on every machine.
    ///
    /// # Errors
    /// [`CompareError`].
    pub fn of(
        cases: &[Case],
        options: &CompareOptions,
        clock: Option<&dyn Fn() -> f64>,
        job: Job<'_>,
    ) -> Result<Self, CompareError> {
        let compared = &options.methods;
        cases.iter().try_for_each(|case| check_memory(case, compared))?;
        let steps = (cases.len() * compared.len()).max(1);
        let mut maps = Vec::new();
        let mut seconds = vec![0.0; compared.len()];
        let mut base = 0.0;
        for (i, case) in cases.iter().enumerate() {
            let reference = case.view_by(MethodKind::Exact)?;
            let base_here = clock.map(|clock| seconds_of(case, MethodKind::TwoParent, clock)).transpose()?;
            base += base_here.unwrap_or(0.0);
            let mut methods = Vec::new();
            for (j, &method) in compared.iter().enumerate() {
                job.report("comparing", (i * compared.len() + j) as f32 / steps as f32)?;
                let mut figures = measure(case, method, &reference, options)?;
                if let (Some(clock), Some(base)) = (clock, base_here) {
                    let here = if method == MethodKind::TwoParent { base } else { seconds_of(case, method, clock)? };
                    seconds[j] += here;
                    figures.time_ratio = Some(here / base);
                }
                methods.push(figures);
            }
            maps.push(MapFigures { name: case.name().to_owned(), methods });
        }
        let total = (0..compared.len()).filter_map(|j| {
            let parts: Vec<Figures> = maps.iter().map(|map| map.methods[j]).collect();
            let mut total = Figures::pooled(&parts)?;
            total.time_ratio = clock.map(|_| seconds[j] / base);
            Some(total)
        });
        let total = total.collect();
        let sight = cases.first().map(|case| case.preset().sight.clone()).unwrap_or_default();
        let room = compared.iter().map(|&method| room_walls(method, &sight)).collect::<Result<_, _>>()?;
        job.report("comparing", 1.0)?;
        Ok(Self { maps, total, room })
    }

    /// Estimates the cost of a comparison in an existing scene, with or without times, and of its [asymmetry of
    /// eyes](super::eye_asymmetry).
    pub fn cost(scene: &Scene, options: &CompareOptions, is_timed: bool) -> SceneCost {
        let timed = if is_timed { 1 + MIN_RUNS } else { 0 };
        SceneCost::of_comparison(scene, &options.methods, (1 + options.asymmetry_cells + timed) as u64)
    }

    /// Returns the metrics as JSON.
    pub fn to_json(&self) -> Value {
        let methods = |figures: &[Figures]| -> Value { figures.iter().map(Figures::json).collect() };
        let maps: Vec<Value> =
            self.maps.iter().map(|map| json!({"name": map.name, "methods": methods(&map.methods)})).collect();
        let rooms = self.total.iter().zip(&self.room);
        let room: Map<String, Value> = rooms
            .map(|(figures, room)| (figures.method.name().to_owned(), json!({"dim": room.dim, "dark": room.dark})))
            .collect();
        let walls = self.room.first().map_or(0, |room| room.walls);
        json!({
            "seen_at": SEEN_AT,
            "maps": maps,
            "total": methods(&self.total),
            "room": {"floor": Self::ROOM, "walls": walls, "methods": room},
        })
    }
}

impl Figures {
    /// Pools several maps: errors over all their cells, asymmetries over all their pairs, counts summed. `None` without a
    /// map.
    pub fn pooled(parts: &[Self]) -> Option<Self> {
        let first = parts.first()?;
        let count = |of: &dyn Fn(&Self) -> usize| parts.iter().map(of).sum::<usize>();
        let [cells, pairs] = [count(&|part| part.difference.cells), count(&|part| part.asymmetry.pairs)];
        let mean = |of: &dyn Fn(&Difference) -> f64| {
            parts.iter().map(|part| of(&part.difference) * part.difference.cells as f64).sum::<f64>() / cells as f64
        };
        let first_max = |of: &dyn Fn(&Self) -> f64| {
            parts.iter().fold(first, |max, part| if of(part) > of(max) { part } else { max })
        };
        let worst = first_max(&|part| part.difference.max_error);
        let uneven = first_max(&|part| part.asymmetry.max);
        let gaps = parts.iter().map(|part| part.asymmetry.mean * part.asymmetry.pairs as f64).sum::<f64>();
        Some(Self {
            method: first.method,
            difference: Difference {
                cells,
                seen: count(&|part| part.difference.seen),
                reference_seen: count(&|part| part.difference.reference_seen),
                agreement: mean(&|difference| difference.agreement),
                rmse: mean(&|difference| difference.rmse * difference.rmse).sqrt(),
                bias: mean(&|difference| difference.bias),
                mean_error: mean(&|difference| difference.mean_error),
                max_error: worst.difference.max_error,
                worst: worst.difference.worst,
            },
            asymmetry: Asymmetry { pairs, mean: gaps / pairs.max(1) as f64, ..uneven.asymmetry },
            orphans: count(&|part| part.orphans),
            blind_spots: count(&|part| part.blind_spots),
            hidden_walls: count(&|part| part.hidden_walls),
            time_ratio: None,
        })
    }

    fn json(&self) -> Value {
        let Self { difference, asymmetry, .. } = self;
        let mut json = json!({
            "method": self.method.name(),
            "cells": difference.cells,
            "seen": difference.seen,
            "exact_seen": difference.reference_seen,
            "agreement": difference.agreement,
            "rmse": difference.rmse,
            "bias": difference.bias,
            "mean_error": difference.mean_error,
            "max_error": difference.max_error,
            "asymmetry": {"pairs": asymmetry.pairs, "mean": asymmetry.mean, "max": asymmetry.max},
            "orphans": self.orphans,
            "blind_spots": self.blind_spots,
            "hidden_walls": self.hidden_walls,
        });
        if let Some(ratio) = self.time_ratio {
            json["time_ratio"] = ratio.into();
        }
        json
    }
}

/// Checks the memory of the views of a map, one method after the other.
fn check_memory(case: &Case, methods: &[MethodKind]) -> Result<(), SceneError> {
    /// The reference, a view and the lists of cells that are measured.
    const BYTES_PER_CELL: u64 = 32;
    [MethodKind::Exact, MethodKind::TwoParent].iter().chain(methods).try_for_each(|method| {
        let preset = Preset { sight: case.sight_by(*method), ..case.preset().clone() };
        check_compared_view(case.opacity().grid().size(), &preset, BYTES_PER_CELL)
    })
}

fn measure(
    case: &Case,
    method: MethodKind,
    reference: &Grid<f32>,
    options: &CompareOptions,
) -> Result<Figures, CompareError> {
    let mut fov = FieldOfView::new(case.sight_by(method).config())?;
    let (map, viewer, disc) = (case.opacity(), case.viewer(), case.mask());
    let view = visibilities(&mut fov, map, viewer)?;
    let clear = |cell| map.grid()[cell] < SEEN_AT;
    let mut mask = disc.clone();
    if options.floor_only {
        mask = Grid::from_fn(mask.width(), mask.height(), |cell| disc[cell] && (clear(cell) || cell == viewer));
    }
    let floor: Vec<_> = disc.iter().filter(|(cell, inside)| **inside && clear(*cell)).map(|(cell, _)| cell).collect();
    let cells = spread(&floor, options.asymmetry_cells);
    let asymmetry = Asymmetry::over(&cells, |from, targets| {
        let view = visibilities(&mut fov, map, from)?;
        Ok::<_, SightError>(targets.iter().map(|&to| view[to]).collect())
    })?;
    Ok(Figures {
        method,
        difference: Difference::between(&view, reference, &mask)?,
        asymmetry,
        orphans: orphans(&view, viewer).len(),
        blind_spots: blind_spots(&view, map.grid(), &disc, viewer)?.len(),
        hidden_walls: hidden_walls(&view, map.grid(), &disc, viewer)?.len(),
        time_ratio: None,
    })
}

/// Counts the dim and dark walls of the empty room.
fn room_walls(method: MethodKind, sight: &SightSettings) -> Result<RoomWalls, SightError> {
    let [columns, rows] = Comparison::ROOM;
    let radius = sight.radius.max((columns + rows) as u32); // the whole room is in range
    let mut fov = FieldOfView::new(sight.config_by(method).with_radius(radius))?;
    let floor = ivec2(columns, rows);
    let dim = room_walls_missed(floor, |map, viewer| visibilities(&mut fov, map, viewer))?;
    let dark = room_walls_missed(floor, |map, viewer| {
        let view = visibilities(&mut fov, map, viewer)?;
        Ok::<_, SightError>(view.map(|&seen| if seen > 0.0 { 1.0 } else { 0.0 }))
    })?;
    Ok(RoomWalls { walls: dim.walls, dim: dim.missed, dark: dark.missed })
}

/// The minimum number of views for the median time.
const MIN_RUNS: usize = 5;

/// Measures the seconds of a field of view: the median of several runs, after a warm-up run.
fn seconds_of(case: &Case, method: MethodKind, clock: &dyn Fn() -> f64) -> Result<f64, SightError> {
    const MAX_RUNS: usize = 101;
    const MIN_SECONDS: f64 = 0.05;
    let mut fov = FieldOfView::new(case.sight_by(method).config())?;
    fov.compute(case.opacity(), case.viewer())?;
    let (mut taken, start) = (Vec::new(), clock());
    while taken.len() < MIN_RUNS || (taken.len() < MAX_RUNS && clock() - start < MIN_SECONDS) {
        let before = clock();
        std::hint::black_box(fov.compute(case.opacity(), case.viewer())?.get(case.viewer()));
        taken.push(clock() - before);
    }
    taken.sort_by(f64::total_cmp);
    Ok(taken[taken.len() / 2].max(1e-9)) // a clock that does not advance must not cause a division by 0
}

/// Options of [`accuracy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccuracyOptions {
    /// The radius, in cells.
    pub radius: u32,
    /// The reference traces this number squared of lines to a cell.
    pub samples: u32,
    /// The number of maps of each kind, from the seeds 1, 2, …. Errors of single maps differ by a factor of three.
    pub maps: u64,
}

impl AccuracyOptions {
    setters! { with_radius(radius: u32), with_samples(samples: u32), with_maps(maps: u64), }
}

impl Default for AccuracyOptions {
    fn default() -> Self {
        Self { radius: 64, samples: Method::DEFAULT_SAMPLES, maps: 20 }
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
/// [`CompareError`] for options out of range, or a cancelled job.
pub fn accuracy(options: &AccuracyOptions, job: Job<'_>) -> Result<Vec<AccuracyRow>, CompareError> {
    let AccuracyOptions { radius, samples, maps } = *options;
    let base = SightConfig::default().with_radius(radius).with_path(PathRule::PerLength);
    let by = |method| base.clone().with_method(method);
    let two_parent = |weights| by(Method::TwoParent { weights });
    let beam = |beams| by(Method::Beam { beams });
    let configs = [two_parent(Weights::Projection), two_parent(Weights::Linear), beam(1.0), beam(2.0)];
    let mut exact = FieldOfView::new(by(Method::Exact { samples }))?;
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
