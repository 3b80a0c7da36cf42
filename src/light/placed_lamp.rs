//! A lamp on a map: [`Surroundings`] block and receive its light, and [`LitArea`] has its lit cells.

use glam::{IVec2, ivec2};
use serde::{Deserialize, Serialize};

use super::lamp::{Flicker, Lamp, Rgb};
use crate::grid::{CellRect, Grid};
use crate::sight::{OpacityMap, Sector, SightError, View};
use crate::view::{Fronts, step_toward};
use crate::viewshed::Viewshed;

/// The number of a lamp in a [`LightMap`](super::LightMap). It stays the same when the lamp moves, and is not reused
/// after the lamp is removed. It may be saved with the map, for instance to store who carries the torch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LampId(pub(super) u64);

/// A lamp in a light map.
#[derive(Clone, Debug)]
pub(super) struct PlacedLamp {
    pub(super) lamp: Lamp,
    pub(super) area: LitArea,
    /// The strength at the present time: that of the lamp times its flicker.
    pub(super) strength: f32,
}

impl PlacedLamp {
    pub(super) fn new(lamp: Lamp, area: LitArea, seconds: f64, seed: u64) -> Self {
        let strength = strength_at(&lamp, seconds, seed);
        Self { lamp, area, strength }
    }

    /// Sets the strength to that at a time. Returns `true` if it changes.
    pub(super) fn set_time(&mut self, seconds: f64, seed: u64) -> bool {
        let strength = strength_at(&self.lamp, seconds, seed);
        std::mem::replace(&mut self.strength, strength) != strength
    }
}

/// Black is no light.
fn strength_at(lamp: &Lamp, seconds: f64, seed: u64) -> f32 {
    match lamp.flicker {
        _ if lamp.colour == Rgb([0; 3]) => 0.0,
        Flicker::Steady => lamp.strength as f32,
        flicker => (lamp.strength * flicker.factor(seconds, Flicker::seed_of(seed, lamp.at))) as f32,
    }
}

/// The cells that a lamp lights, each with its fraction of the lamp's strength, in their bounding rectangle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LitArea {
    top_left: IVec2,
    shares: Grid<f32>,
}

impl LitArea {
    pub(super) fn of(view: &View<'_>) -> Self {
        let grid = view.grid();
        let (mut min, mut max) = (grid.size(), IVec2::ZERO);
        for (y, row) in grid.rows().enumerate() {
            let Some(first) = row.iter().position(|share| *share > 0.0) else { continue };
            let last = row.iter().rposition(|share| *share > 0.0).unwrap_or(first);
            min = min.min(ivec2(first as i32, y as i32));
            max = max.max(ivec2(last as i32, y as i32) + 1);
        }
        let size = (max - min).max(IVec2::ZERO);
        let shares = Grid::from_fn(size.x as usize, size.y as usize, |cell| *grid.get(min + cell).unwrap_or(&0.0));
        Self { top_left: view.top_left() + min, shares }
    }

    /// Returns `true` if all fractions are in [0, 1].
    pub(super) fn is_sound(&self) -> bool {
        self.shares.as_slice().iter().all(|share| (0.0..=1.0).contains(share))
    }

    /// Returns the bounding rectangle of the lit cells.
    pub(super) fn frame(&self) -> CellRect {
        CellRect { min: self.top_left, max: self.top_left.saturating_add(self.shares.size()) }
    }

    /// Returns the bounding rectangle of the lit cells and their neighbours: walls that light reaches from the side may have no
    /// share of their own.
    pub(super) fn frame_with_walls(&self) -> CellRect {
        let CellRect { min, max } = self.frame();
        if self.frame().is_empty() {
            return self.frame();
        }
        CellRect { min: min.saturating_sub(IVec2::ONE), max: max.saturating_add(IVec2::ONE) }
    }

    /// Returns the fraction of the lamp's strength on a cell, in [0, 1].
    #[inline]
    pub(super) fn share(&self, cell: IVec2) -> f32 {
        self.shares.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(0.0)
    }

    /// Returns the fractions of a part of a row, from `x` to the right; they must be inside the [`frame`](Self::frame).
    pub(super) fn row(&self, y: i32, x: std::ops::Range<i32>) -> &[f32] {
        let row = self.shares.row((y - self.top_left.y) as usize);
        &row[(x.start - self.top_left.x) as usize..(x.end - self.top_left.x) as usize]
    }

    /// Returns `true` if the opacity of a cell affects the light of the lamp: light reaches the cell or a neighbour.
    pub(super) fn depends_on(&self, cell: IVec2) -> bool {
        let CellRect { min, max } = self.frame();
        let is_near = cell.cmpge(min - 1).all() && cell.cmple(max).all();
        is_near && (-1..=1).any(|y| (-1..=1).any(|x| self.share(cell.wrapping_add(ivec2(x, y))) > 0.0))
    }
}

/// A map on which lamps shine: it blocks and receives their light. An [`OpacityMap`] is such a map.
pub trait Surroundings: Sync {
    /// Returns the cells of the map.
    fn extent(&self) -> CellRect;

    /// Returns `true` if a cell blocks all light, so that each of its sides has its own light.
    fn is_wall(&self, cell: IVec2) -> bool;

    /// Computes the fraction of the lamp's strength on every cell. `viewshed` has the configuration of the lamp;
    /// see [`Lamp::sight_config`].
    ///
    /// # Errors
    /// [`SightError`] if the cells within its reach cannot be computed.
    fn shine<'v>(&self, lamp: &Lamp, viewshed: &'v mut Viewshed) -> Result<View<'v>, SightError>;
}

impl Surroundings for OpacityMap {
    fn extent(&self) -> CellRect {
        Self::extent(self)
    }

    #[inline]
    fn is_wall(&self, cell: IVec2) -> bool {
        self.get(cell).is_some_and(|opacity| opacity >= 1.0)
    }

    fn shine<'v>(&self, lamp: &Lamp, viewshed: &'v mut Viewshed) -> Result<View<'v>, SightError> {
        viewshed.field_of_view_mut().compute(self, lamp.at)
    }
}

/// Returns the maximum fraction of a lamp's strength on the open cells in front of those of some sides of a wall that face
/// the lamp; 0 if it lights none of them.
pub(super) fn brightest_front(fronts: &Fronts, wall: IVec2, lamp: &PlacedLamp) -> f32 {
    let toward = step_toward(wall, lamp.lamp.at);
    let share = |step: &IVec2| {
        // A lamp inside the wall lights the sides with light in front of them.
        let faces_the_lamp = (step.x == 0 || step.x == toward.x) && (step.y == 0 || step.y == toward.y);
        let is_lit = toward == IVec2::ZERO || faces_the_lamp;
        if is_lit { lamp.area.share(wall.wrapping_add(*step)) } else { 0.0 }
    };
    fronts.iter().flatten().map(share).fold(0.0, f32::max)
}

/// Returns the directions in which a lamp shines: all, or from a wall the half turn before its first open side, of those below, to the
/// right, to the left and above.
pub(super) fn directions(map: &(impl Surroundings + ?Sized), at: IVec2) -> Sector {
    if !map.is_wall(at) {
        return Sector::ALL;
    }
    let is_open = |side: &IVec2| map.extent().contains(at + *side) && !map.is_wall(at + *side);
    let side = [IVec2::Y, IVec2::X, IVec2::NEG_X, IVec2::NEG_Y].into_iter().find(is_open);
    side.map_or(Sector::ALL, |side| Sector::towards(side, 180.0))
}
