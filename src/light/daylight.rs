//! [`ClockConfig`]: the hour of the day and its daylight; [`Daylight`]: daylight through openings into roofed rooms.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::lamp::{Lamp, LightError};
use super::placed_lamp::{LitArea, Surroundings};
use crate::grid::{CellRect, Grid, ToCell};
use crate::math::hermite;
use crate::parallel::*;
use crate::setters;
use crate::sight::{OutOfRange, PathRule};
use crate::view::open_fronts;
use crate::viewshed::Viewshed;

/// The hour of the day, and how light follows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ClockConfig {
    /// `true` if time passes and light follows it; else light is the same at any hour.
    pub runs: bool,
    /// Hours since the first midnight, up to a [`YEAR`](Self::YEAR): 30 is 06:00 of the second day.
    pub hour: f64,
    /// The duration of a turn in minutes.
    pub minutes_a_turn: f64,
    /// Hours a second while time runs by itself.
    pub hours_a_second: f64,
    /// Middle of dawn, in hours after midnight.
    pub sunrise: f64,
    /// Middle of dusk, in hours after midnight.
    pub sunset: f64,
    /// Length of dawn and of dusk, in hours.
    pub twilight: f64,
    /// Light at night, as a fraction of daylight.
    pub moon: f64,
    /// Reach of the lantern that the viewer lights after dusk, in cells; in shorter sides of rectangular cells.
    pub lantern: f64,
}

impl Default for ClockConfig {
    fn default() -> Self {
        Self {
            runs: false,
            hour: 12.0,
            minutes_a_turn: 5.0,
            hours_a_second: 0.5,
            sunrise: 6.0,
            sunset: 18.0,
            twilight: 2.0,
            moon: 0.08,
            lantern: 8.0,
        }
    }
}

impl ClockConfig {
    /// Hours after which the clock starts again at 0: a year.
    pub const YEAR: f64 = 8760.0;

    /// The valid range of `hour`: 0 to 8760.
    pub const HOUR: RangeInclusive<f64> = 0.0..=Self::YEAR;

    /// The valid range of `minutes_a_turn`: 0 to 1440.
    pub const MINUTES_A_TURN: RangeInclusive<f64> = 0.0..=1440.0;

    /// The valid range of `hours_a_second`: 0 to 24.
    pub const HOURS_A_SECOND: RangeInclusive<f64> = 0.0..=24.0;

    /// The valid range of `sunrise` and of `twilight`: 0 to 12.
    pub const HALF_DAY: RangeInclusive<f64> = 0.0..=12.0;

    /// The valid range of `sunset`: 0 to 24.
    pub const DAY: RangeInclusive<f64> = 0.0..=24.0;

    /// The valid range of `moon`: 0 to 1.
    pub const MOON: RangeInclusive<f64> = 0.0..=1.0;

    /// The valid range of `lantern`: 0 to 512.
    pub const LANTERN: RangeInclusive<f64> = 0.0..=512.0;

    setters! {
        with_runs(runs: bool), with_hour(hour: f64), with_minutes_a_turn(minutes_a_turn: f64),
        with_hours_a_second(hours_a_second: f64), with_sunrise(sunrise: f64), with_sunset(sunset: f64),
        with_twilight(twilight: f64), with_moon(moon: f64), with_lantern(lantern: f64),
    }

    /// Checks all values.
    ///
    /// ```
    /// use farsight::light::ClockConfig;
    /// let error = ClockConfig::default().with_hour(f64::NAN).check().unwrap_err();
    /// assert_eq!(error.to_string(), "hour: NaN is not valid: expected 0 to 8760");
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`].
    pub fn check(&self) -> Result<(), OutOfRange> {
        let &Self { runs: _, hour, minutes_a_turn, hours_a_second, sunrise, sunset, twilight, moon, lantern } = self;
        OutOfRange::check("hour", hour, Self::HOUR)?;
        OutOfRange::check("minutes_a_turn", minutes_a_turn, Self::MINUTES_A_TURN)?;
        OutOfRange::check("hours_a_second", hours_a_second, Self::HOURS_A_SECOND)?;
        OutOfRange::check("sunrise", sunrise, Self::HALF_DAY)?;
        OutOfRange::check("sunset", sunset, Self::DAY)?;
        OutOfRange::check("twilight", twilight, Self::HALF_DAY)?;
        OutOfRange::check("moon", moon, Self::MOON)?;
        OutOfRange::check("lantern", lantern, Self::LANTERN)
    }

    /// Returns the share of daylight: 0 at night, 1 by day, smooth through dawn and dusk. If sunrise is after sunset, it
    /// is day at midnight.
    pub fn daylight(&self) -> f64 {
        let hour = self.hour % 24.0;
        // The previous and the next day are included: a long dawn begins before midnight.
        let up: f64 = [-24.0, 0.0, 24.0]
            .into_iter()
            .map(|day| self.twilight_share(self.sunrise, hour + day) - self.twilight_share(self.sunset, hour + day))
            .sum();
        (if self.sunrise <= self.sunset { up } else { 1.0 + up }).clamp(0.0, 1.0)
    }

    /// Returns the elapsed fraction of a twilight around `middle`, 0 to 1: 3t² − 2t³.
    fn twilight_share(&self, middle: f64, hour: f64) -> f64 {
        if self.twilight <= 0.0 {
            return if hour >= middle { 1.0 } else { 0.0 };
        }
        hermite(((hour - middle) / self.twilight + 0.5).clamp(0.0, 1.0))
    }

    /// Returns the hour this many minutes later; after a [`YEAR`](Self::YEAR) it starts again at 0.
    pub fn hour_after(&self, minutes: f64) -> f64 {
        (self.hour * 60.0 + minutes) % (Self::YEAR * 60.0) / 60.0
    }

    /// Returns day and time: `day 2, 06:40`.
    pub fn day_and_time(&self) -> String {
        let minutes = (self.hour * 60.0).round() as u64;
        format!("day {}, {:02}:{:02}", minutes / 1440 + 1, minutes / 60 % 24, minutes % 60)
    }
}

/// Daylight on a map with roofs: full under the open sky, and under a roof the light through doors, windows and gaps.
///
/// An opening is a cell under the open sky, not a wall, next to a roofed cell that is not a wall. The sky above it
/// shines in up to the reach, by the method of lamps: walls block it, fog and glass weaken it, and it is 0.44 at half
/// the reach. Of several openings a cell takes the maximum, because the sky is no brighter through two windows than
/// through one. A changed cell recomputes only the openings whose light reaches it.
///
/// Levels are fractions of the outdoor daylight. Multiply them by that of the hour
/// ([`ClockConfig::daylight`](super::ClockConfig)), and add the light of [lamps](super::LightMap).
///
/// ```
/// use farsight::{Grid, OpacityMap};
/// use farsight::light::Daylight;
///
/// let mut map = OpacityMap::from_text("...#####\n...+...#\n...#####")?;
/// let roofs = Grid::from_fn(8, 3, |cell| cell.x >= 3);
/// let mut day = Daylight::new(&map, &roofs, 8.0)?;
/// assert_eq!(day.level((0, 1)), 1.0); // outside
/// assert_eq!(day.level((4, 1)), 0.0); // behind the closed door
///
/// map.set((3, 1), 0.0)?; // the door opens
/// day.changed(&map, [(3, 1)])?;
/// assert!(day.level((4, 1)) > day.level((6, 1)) && day.level((6, 1)) > 0.3);
/// assert_eq!(day.level_from(&map, (3, 0), (0, 1)), 1.0); // the wall of the house, from outside
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "window")]
#[doc(alias = "indoors")]
#[derive(Clone, Debug)]
pub struct Daylight {
    /// The top left cell.
    min: IVec2,
    roofs: Grid<bool>,
    reach: f64,
    viewshed: Viewshed,
    /// The openings with their lit cells.
    openings: BTreeMap<[i32; 2], LitArea>,
    /// The fraction of the outdoor daylight that reaches each cell, in [0, 1].
    levels: Grid<f32>,
}

impl Daylight {
    /// Computes the daylight on a map. (0, 0) of `roofs` is the top left cell of the map, and cells beyond it are under the open sky. The
    /// reach is in cells, as that of a [lamp](Lamp::reach).
    ///
    /// # Errors
    /// [`LightError`] for a reach out of [`Lamp::REACH`].
    pub fn new(map: &(impl Surroundings + ?Sized), roofs: &Grid<bool>, reach: f64) -> Result<Self, LightError> {
        Self::with_path(map, roofs, reach, PathRule::default())
    }

    /// Computes the daylight on a map like [`new`](Self::new), with a rule for the path length in cells that are not
    /// clear; see [`PathRule`].
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_path(
        map: &(impl Surroundings + ?Sized),
        roofs: &Grid<bool>,
        reach: f64,
        path: PathRule,
    ) -> Result<Self, LightError> {
        let lamp = Lamp::new(IVec2::ZERO).with_reach(reach);
        lamp.check()?;
        let extent = map.extent();
        let [width, height] = [extent.width(), extent.height()];
        let has_roof = |on_grid: IVec2| roofs.get(on_grid).copied().unwrap_or(false);
        let mut daylight = Self {
            min: extent.min,
            roofs: Grid::from_fn(width, height, has_roof),
            reach,
            viewshed: Viewshed::new(lamp.sight_config(path))?,
            openings: BTreeMap::new(),
            levels: Grid::from_fn(width, height, |on_grid| f32::from(!has_roof(on_grid))),
        };
        let rooms = extent.cells().filter(|cell| daylight.has_roof(*cell) && !map.is_wall(*cell));
        let near: BTreeSet<[i32; 2]> = rooms.flat_map(around).map(|cell| cell.to_array()).collect();
        let openings: Vec<_> = near.into_iter().filter(|cell| daylight.is_opening(map, IVec2::from(*cell))).collect();
        let area = |viewshed: &mut Viewshed, cell: &[i32; 2]| area_of(map, IVec2::from(*cell), reach, viewshed);
        let areas: Result<Vec<_>, LightError> =
            openings.par_iter().map_init(|| daylight.viewshed.clone(), area).collect();
        daylight.openings = openings.into_iter().zip(areas?).collect();
        daylight.merge(extent);
        Ok(daylight)
    }

    /// Recomputes the light after changes of cells: that of the openings whose light reaches one of them.
    ///
    /// # Errors
    /// [`LightError`] if the light of an opening cannot be computed; then the light does not change.
    pub fn changed(
        &mut self,
        map: &(impl Surroundings + ?Sized),
        cells: impl IntoIterator<Item: ToCell>,
    ) -> Result<(), LightError> {
        let mut stale = BTreeSet::new();
        let extent = self.extent();
        for cell in cells.into_iter().map(ToCell::to_cell).filter(|cell| extent.contains(*cell)) {
            stale.extend(around(cell).map(|near| near.to_array())); // they may be openings now
            let depends = self.openings.iter().filter(|(_, area)| area.depends_on(cell));
            stale.extend(depends.map(|(opening, _)| *opening));
        }
        let mut fresh = Vec::new();
        for &cell in &stale {
            let is_opening = self.is_opening(map, cell.to_cell());
            let area = is_opening.then(|| area_of(map, cell.to_cell(), self.reach, &mut self.viewshed));
            fresh.push(area.transpose()?);
        }
        let mut regions = Vec::new();
        for (cell, area) in stale.into_iter().zip(fresh) {
            regions.extend(area.as_ref().map(LitArea::frame));
            let old = match area {
                Some(area) => self.openings.insert(cell, area),
                None => self.openings.remove(&cell),
            };
            regions.extend(old.as_ref().map(LitArea::frame));
        }
        joined(regions).into_iter().for_each(|region| self.merge(region));
        Ok(())
    }

    /// Returns the cells of the map.
    fn extent(&self) -> CellRect {
        CellRect { min: self.min, max: self.min + self.roofs.size() }
    }

    /// Returns the place of a cell on the grids.
    #[inline]
    fn on_grid(&self, cell: impl ToCell) -> IVec2 {
        cell.to_cell().wrapping_sub(self.min)
    }

    /// Returns `true` if a cell has a roof.
    pub fn has_roof(&self, cell: impl ToCell) -> bool {
        self.roofs.get(self.on_grid(cell)).copied().unwrap_or(false)
    }

    /// Returns the fraction of the outdoor daylight that reaches a cell, in [0, 1]. 0 off the map.
    #[inline]
    pub fn level(&self, cell: impl ToCell) -> f32 {
        self.levels.get(self.on_grid(cell)).copied().unwrap_or(0.0)
    }

    /// Returns the daylight that a viewer sees on a cell. A wall is as bright as the brightest open cell in front of the sides that
    /// face the viewer: from inside, the sunlit side of a house does not show. Elsewhere it is the [`level`](Self::level).
    pub fn level_from(&self, map: &(impl Surroundings + ?Sized), cell: impl ToCell, viewer: impl ToCell) -> f32 {
        let (cell, viewer) = (cell.to_cell(), viewer.to_cell());
        if cell == viewer || !map.is_wall(cell) {
            return self.level(cell);
        }
        let fronts = open_fronts(cell, viewer, |front| map.is_wall(front));
        fronts.iter().flatten().map(|step| self.level(cell.wrapping_add(*step))).fold(0.0, f32::max)
    }

    fn is_opening(&self, map: &(impl Surroundings + ?Sized), cell: IVec2) -> bool {
        let is_room = |near: IVec2| self.has_roof(near) && !map.is_wall(near);
        let is_outside = self.roofs.get(self.on_grid(cell)) == Some(&false) && !map.is_wall(cell);
        is_outside && around(cell).any(is_room)
    }

    /// Sets the roofed cells of a region to the maximum light of all openings.
    fn merge(&mut self, region: CellRect) {
        let region = region.intersect(self.extent());
        let Self { min, roofs, openings, levels, .. } = self;
        let on_grid = |cell: IVec2| cell - *min;
        for at in region.cells().map(on_grid).filter(|at| roofs[*at]) {
            levels[at] = 0.0;
        }
        for area in openings.values() {
            for cell in region.intersect(area.frame()).cells().filter(|cell| roofs[on_grid(*cell)]) {
                levels[on_grid(cell)] = levels[on_grid(cell)].max(area.share(cell));
            }
        }
    }
}

fn area_of(
    map: &(impl Surroundings + ?Sized),
    opening: IVec2,
    reach: f64,
    viewshed: &mut Viewshed,
) -> Result<LitArea, LightError> {
    let sky = Lamp::new(opening).with_reach(reach);
    Ok(LitArea::of(&map.shine(&sky, viewshed)?))
}

/// Returns a cell and its eight neighbours.
fn around(cell: IVec2) -> impl Iterator<Item = IVec2> {
    CellRect::around(cell, 1).cells()
}

/// Merges two rectangles if their bounding rectangle has no more cells than both.
fn joined(regions: Vec<CellRect>) -> Vec<CellRect> {
    let cells = |region: CellRect| region.width() * region.height();
    let mut joined: Vec<CellRect> = Vec::new();
    for region in regions {
        let around = |other: CellRect| CellRect { min: region.min.min(other.min), max: region.max.max(other.max) };
        match joined.iter_mut().find(|other| cells(around(**other)) <= cells(**other) + cells(region)) {
            Some(other) => *other = around(*other),
            None => joined.push(region),
        }
    }
    joined
}
