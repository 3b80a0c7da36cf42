//! [`Comparison`]: every method on the same maps, in figures.

use glam::ivec2;
use serde_json::{Map, Value, json};

use super::case::Case;
use super::compared_method::{ComparedMethod, MethodRunner};
use super::metrics::{
    Asymmetry, Difference, MetricsError, SEEN_AT, blind_spots, hidden_walls, orphans, room_walls_missed, spread,
};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::preset::Preset;
use crate::sight::SightError;

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareOptions {
    /// The methods; [`ComparedMethod::Exact`] is what they are measured by, whether it is among them or not.
    pub contenders: Vec<ComparedMethod>,
    /// Cells of each map between all pairs of which asymmetry is measured.
    pub asymmetry_cells: usize,
    /// Whether errors are those of clear cells alone. The reference counts the share of a wall's area that is in
    /// sight, while a method of the grid shows a wall as one thing.
    pub floor_only: bool,
}

impl CompareOptions {
    /// 496 pairs: as many fields of view as a second or two pays for with the reference.
    pub const DEFAULT_ASYMMETRY_CELLS: usize = 32;
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            contenders: ComparedMethod::ALL.into(),
            asymmetry_cells: Self::DEFAULT_ASYMMETRY_CELLS,
            floor_only: false,
        }
    }
}

/// Why a comparison could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A field of view could not be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// There is nothing to compare.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The job was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The figures of one method on one map, or on several together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The method.
    pub contender: ComparedMethod,
    /// How far it is from the reference, over the cells within the radius.
    pub difference: Difference,
    /// How much it matters which of two looks.
    pub asymmetry: Asymmetry,
    /// Visible cells that no visible cell leads to.
    pub orphans: usize,
    /// Unseen cells with nothing in the way.
    pub blind_spots: usize,
    /// Unseen walls behind seen floor.
    pub hidden_walls: usize,
    /// Time of a field of view, as a multiple of that of [`ComparedMethod::Linear`]; where it was taken.
    pub time_ratio: Option<f64>,
}

/// The figures of one map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFigures {
    /// What the map is called.
    pub name: String,
    /// In the order of the contenders asked for.
    pub methods: Vec<Figures>,
}

/// Every method on the same maps, in figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Map by map.
    pub maps: Vec<MapFigures>,
    /// All maps together, in the order of the contenders asked for.
    pub total: Vec<Figures>,
    /// For each contender, what becomes of the walls of an empty room.
    pub room: Vec<RoomWalls>,
}

/// Walls of an empty room of [`Comparison::ROOM`], summed over every place in it to look from. All should be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomWalls {
    /// How many there are.
    pub walls: usize,
    /// Of these, how many are seen by less than [`SEEN_AT`]. Soft methods dim a wall that is seen at a slant, as little
    /// of its area is in sight.
    pub dim: usize,
    /// Of these, how many are not seen at all.
    pub dark: usize,
}

impl Comparison {
    /// Columns and rows of the floor of the empty room.
    pub const ROOM: [i32; 2] = [21, 9];

    /// Compares methods on maps. `clock` tells seconds since some moment; without it no time is taken, and the result
    /// is the same always and everywhere.
    ///
    /// # Errors
    /// [`CompareError`].
    pub fn of(
        arenas: &[Case],
        options: &CompareOptions,
        clock: Option<&dyn Fn() -> f64>,
        job: &Job,
    ) -> Result<Self, CompareError> {
        let contenders = &options.contenders;
        let steps = (arenas.len() * contenders.len()).max(1);
        let mut maps = Vec::new();
        let mut seconds = vec![0.0; contenders.len()];
        let mut base = 0.0;
        for (i, arena) in arenas.iter().enumerate() {
            let reference = see(arena, ComparedMethod::Exact)?;
            let base_here = clock.map(|clock| time(arena, ComparedMethod::Linear, clock)).transpose()?;
            base += base_here.unwrap_or(0.0);
            let mut methods = Vec::new();
            for (j, &contender) in contenders.iter().enumerate() {
                job.report("comparing", (i * contenders.len() + j) as f32 / steps as f32)?;
                let mut figures = measure(arena, contender, &reference, options)?;
                if let (Some(clock), Some(base)) = (clock, base_here) {
                    let here = if contender == ComparedMethod::Linear { base } else { time(arena, contender, clock)? };
                    seconds[j] += here;
                    figures.time_ratio = Some(here / base);
                }
                methods.push(figures);
            }
            maps.push(MapFigures { name: arena.name().to_owned(), methods });
        }
        let total = (0..contenders.len()).filter_map(|j| {
            let parts: Vec<Figures> = maps.iter().map(|map| map.methods[j]).collect();
            let mut total = Figures::pooled(&parts)?;
            total.time_ratio = clock.map(|_| seconds[j] / base);
            Some(total)
        });
        let total = total.collect();
        let preset = arenas.first().map(|arena| arena.preset().clone()).unwrap_or_default();
        let room = contenders.iter().map(|&contender| missed_in_room(contender, &preset)).collect::<Result<_, _>>()?;
        job.report("comparing", 1.0)?;
        Ok(Self { maps, total, room })
    }

    /// The figures for programs.
    pub fn to_json(&self) -> Value {
        let methods = |figures: &[Figures]| -> Value { figures.iter().map(Figures::json).collect() };
        let maps: Vec<Value> =
            self.maps.iter().map(|map| json!({"name": map.name, "methods": methods(&map.methods)})).collect();
        let rooms = self.total.iter().zip(&self.room);
        let room: Map<String, Value> = rooms
            .map(|(figures, room)| (figures.contender.name().to_owned(), json!({"dim": room.dim, "dark": room.dark})))
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
    /// Several maps together: errors over all their cells, asymmetries over all their pairs, counts added up. `None`
    /// of none.
    pub fn pooled(parts: &[Self]) -> Option<Self> {
        let first = parts.first()?;
        let count = |of: &dyn Fn(&Self) -> usize| parts.iter().map(of).sum::<usize>();
        let [cells, pairs] = [count(&|part| part.difference.cells), count(&|part| part.asymmetry.pairs)];
        let mean = |of: &dyn Fn(&Difference) -> f64| {
            parts.iter().map(|part| of(&part.difference) * part.difference.cells as f64).sum::<f64>() / cells as f64
        };
        let worst = parts.iter().fold(first, |worst, part| match part.difference.max_error {
            error if error > worst.difference.max_error => part,
            _ => worst,
        });
        let uneven = parts.iter().fold(first, |worst, part| match part.asymmetry.max {
            gap if gap > worst.asymmetry.max => part,
            _ => worst,
        });
        let gaps = parts.iter().map(|part| part.asymmetry.mean * part.asymmetry.pairs as f64).sum::<f64>();
        Some(Self {
            contender: first.contender,
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
            "method": self.contender.name(),
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

/// What a contender sees of an arena.
pub(super) fn see(arena: &Case, contender: ComparedMethod) -> Result<Grid<f32>, SightError> {
    MethodRunner::new(contender, arena.preset())?.see(arena.opacity(), arena.viewer())
}

fn measure(
    arena: &Case,
    contender: ComparedMethod,
    reference: &Grid<f32>,
    options: &CompareOptions,
) -> Result<Figures, CompareError> {
    let mut seer = MethodRunner::new(contender, arena.preset())?;
    let (map, viewer, disc) = (arena.opacity(), arena.viewer(), arena.mask());
    let view = seer.see(map, viewer)?;
    let clear = |cell| map.grid()[cell] < SEEN_AT;
    let mut mask = disc.clone();
    if options.floor_only {
        mask = Grid::from_fn(mask.width(), mask.height(), |cell| disc[cell] && (clear(cell) || cell == viewer));
    }
    let floor: Vec<_> = disc.iter().filter(|(cell, inside)| **inside && clear(*cell)).map(|(cell, _)| cell).collect();
    let cells = spread(&floor, options.asymmetry_cells);
    let asymmetry = Asymmetry::over(&cells, |from, targets| {
        let view = seer.see(map, from)?;
        Ok::<_, SightError>(targets.iter().map(|&to| view[to]).collect())
    })?;
    Ok(Figures {
        contender,
        difference: Difference::between(&view, reference, &mask)?,
        asymmetry,
        orphans: orphans(&view, viewer).len(),
        blind_spots: blind_spots(&view, map.grid(), &disc, viewer)?.len(),
        hidden_walls: hidden_walls(&view, map.grid(), &disc, viewer)?.len(),
        time_ratio: None,
    })
}

/// Walls of the empty room that go missing.
fn missed_in_room(contender: ComparedMethod, preset: &Preset) -> Result<RoomWalls, SightError> {
    let [columns, rows] = Comparison::ROOM;
    let mut preset = preset.clone();
    preset.sight.radius = preset.sight.radius.max((columns + rows) as u32); // all of the room is in range
    let mut seer = MethodRunner::new(contender, &preset)?;
    let floor = ivec2(columns, rows);
    let [dim, walls] = room_walls_missed(floor, |map, viewer| seer.see(map, viewer))?;
    let [dark, _] = room_walls_missed(floor, |map, viewer| {
        let view = seer.see(map, viewer)?;
        Ok::<_, SightError>(view.map(|&seen| if seen > 0.0 { 1.0 } else { 0.0 }))
    })?;
    Ok(RoomWalls { walls, dim, dark })
}

/// Seconds of a field of view: the median of several, after one that fills the buffers.
fn time(arena: &Case, contender: ComparedMethod, clock: &dyn Fn() -> f64) -> Result<f64, SightError> {
    /// At least so many, and more until so many seconds are spent.
    const LEAST: usize = 5;
    const MOST: usize = 101;
    const SPENT: f64 = 0.05;
    let mut seer = MethodRunner::new(contender, arena.preset())?;
    seer.look(arena.opacity(), arena.viewer())?;
    let (mut taken, start) = (Vec::new(), clock());
    while taken.len() < LEAST || (taken.len() < MOST && clock() - start < SPENT) {
        let before = clock();
        std::hint::black_box(seer.look(arena.opacity(), arena.viewer())?);
        taken.push(clock() - before);
    }
    taken.sort_by(f64::total_cmp);
    Ok(taken[taken.len() / 2].max(1e-9)) // a clock that stands still divides nothing by 0
}
