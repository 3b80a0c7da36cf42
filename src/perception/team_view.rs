//! [`TeamView`]: the shared view of the units of a team, and its explored cells.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{IVec2, ivec2};
use serde::{Deserialize, Serialize};

use super::memory::{CellMemory, MemoryChanges};
use crate::grid::{CellRect, Grid, ToCell};
use crate::sight::Visibilities;

/// The shared view of the units of a team, and the cells that they have explored: the fog of war of a strategy game.
///
/// It counts for each cell the units that see it, which GIS programs call a cumulative viewshed. It keeps which cells a unit sees,
/// not how well: for the maximum of the visibilities use [`OwnedView::merge_max`](crate::sight::OwnedView::merge_max). If a unit moves, turns or changes its range, pass its new view to
/// [`set`](Self::set), from any source: a field of view, a cone, a viewshed, the game's own map. Units that do not move
/// cost nothing. Once a tick, [`update`](Self::update) returns the newly seen and the newly hidden cells.
///
/// [`count`](Self::count) and [`sees`](Self::sees) change with each `set`; [`get`](Self::get) and [`grid`](Self::grid),
/// which include explored cells, change at the update. A [`Memory`](super::Memory) of contents remembers where an enemy
/// was last seen.
///
/// ```
/// use farsight::perception::{CellMemory, TeamView};
/// use farsight::sight::MethodKind;
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
///
/// let mut map = OpacityMap::from_text("....+....")?;
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(3).with_method(MethodKind::SymmetricShadowcast))?;
/// let mut team = TeamView::new(map.extent());
/// for (unit, at) in [(1, (0, 0)), (2, (3, 0))] {
///     team.set(unit, &fov.compute(&map, at)?);
/// }
/// assert_eq!(team.update().newly_seen.len(), 5); // 0 to 3, and the closed door
/// assert_eq!((team.count((2, 0)), team.count((4, 0)), team.count((5, 0))), (2, 1, 0));
///
/// map.toggle_door((4, 0));
/// for unit in team.units_near((4, 0)) {
///     team.set(unit, &fov.compute(&map, [(0, 0), (3, 0)][unit as usize - 1])?);
/// }
/// assert_eq!(team.update().newly_seen.len(), 2); // 5 and 6
///
/// team.remove(2);
/// assert_eq!(team.update().newly_hidden.len(), 3);
/// assert_eq!([team.get((1, 0)), team.get((5, 0)), team.get((8, 0))], [CellMemory::Visible, CellMemory::Seen, CellMemory::Hidden]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "fog of war")]
#[doc(alias = "explored")]
#[doc(alias = "cumulative viewshed")]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedTeam", into = "SavedTeam")]
pub struct TeamView {
    threshold: f32,
    extent: CellRect,
    /// The number of units that see each cell.
    counts: Grid<u32>,
    /// The state of each cell at the last update.
    cells: Grid<CellMemory>,
    units: BTreeMap<u64, SeenCells>,
    /// The columns of each row of the map with possible changes of counts since the last update.
    changed: Vec<Range<usize>>,
    changes: MemoryChanges,
}

/// The cells of a rectangle that a unit sees: 1 for seen, otherwise 0, row-major.
#[derive(Clone, Debug, PartialEq)]
struct SeenCells {
    frame: CellRect,
    cells: Vec<u8>,
}

/// Two team views are equal if their future behaviour is equal. The counts follow from the units.
impl PartialEq for TeamView {
    fn eq(&self, other: &Self) -> bool {
        let Self { threshold, extent, counts: _, cells, units, changed: _, changes } = self;
        let own = (*threshold, *extent, cells, units, changes);
        own == (other.threshold, other.extent, &other.cells, &other.units, &other.changes)
    }
}

impl Default for SeenCells {
    fn default() -> Self {
        Self { frame: CellRect::of_size(IVec2::ZERO), cells: Vec::new() }
    }
}

impl TeamView {
    /// Creates the view of a team without units on the cells of a map. An infinite map has one for each of its chunks.
    pub fn new(extent: CellRect) -> Self {
        Self {
            threshold: 0.0,
            extent,
            counts: Grid::new(extent.width(), extent.height(), 0),
            cells: Grid::new(extent.width(), extent.height(), CellMemory::Hidden),
            units: BTreeMap::new(),
            changed: vec![0..0; extent.height()],
            changes: MemoryChanges::default(),
        }
    }

    /// Sets the minimum visibility at which a unit sees a cell; by default any value above 0, as
    /// [`View::sees`](crate::sight::View::sees). It applies to later views.
    #[must_use]
    pub fn with_threshold(self, threshold: f32) -> Self {
        Self { threshold, ..self }
    }

    /// Replaces the view of a unit, a [`View`](crate::sight::View) or an [`OwnedView`](crate::sight::OwnedView). Cells off the map
    /// are ignored.
    ///
    /// ```
    /// use farsight::perception::TeamView;
    /// use farsight::{FieldOfView, Job, OpacityMap, SightConfig};
    /// let map = OpacityMap::from_text("...........")?;
    /// let fov = FieldOfView::new(SightConfig::default().with_radius(3))?;
    /// let mut team = TeamView::new(map.extent());
    /// let units = [(1, 0), (8, 0)];
    /// let views = fov.compute_many(&map, &units, Job::none(), |_, view| view.to_owned())?; // on all cores
    /// for (unit, view) in (0..).zip(&views) {
    ///     team.set(unit, view);
    /// }
    /// assert_eq!([0, 4, 5, 8].map(|x| team.count((x, 0))), [1, 1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&mut self, unit: u64, view: &impl Visibilities) {
        let Self { threshold, extent, counts, units, changed, .. } = self;
        let seen = units.entry(unit).or_default();
        if !seen.cells.is_empty() {
            seen.count(counts, extent.min, u32::wrapping_sub);
            mark_changed(changed, extent.min, seen.frame);
        }
        seen.read(view, *extent, *threshold);
        seen.count(counts, extent.min, u32::wrapping_add);
        mark_changed(changed, extent.min, seen.frame);
    }

    /// Removes a unit. Returns `false` if there is no such unit.
    pub fn remove(&mut self, unit: u64) -> bool {
        let Some(seen) = self.units.remove(&unit) else { return false };
        seen.count(&mut self.counts, self.extent.min, u32::wrapping_sub);
        mark_changed(&mut self.changed, self.extent.min, seen.frame);
        true
    }

    /// Applies the present views of the units, and returns the changes since the last update, row by row.
    pub fn update(&mut self) -> &MemoryChanges {
        let Self { extent, counts, cells, changed, changes, .. } = self;
        changes.clear();
        for (row, columns) in changed.iter_mut().enumerate() {
            let columns = std::mem::take(columns);
            let first = extent.min + ivec2(columns.start as i32, row as i32);
            let counts = &counts.row(row)[columns.clone()];
            let cells = &mut cells.row_mut(row)[columns];
            let differs = |cell: &CellMemory, count: &u32| (*cell == CellMemory::Visible) != (*count > 0);
            // Most rows are unchanged, which is detected without a branch for each cell.
            if !cells.iter().zip(counts).fold(false, |any, (cell, count)| any | differs(cell, count)) {
                continue;
            }
            for ((x, cell), count) in
                (first.x..).zip(cells).zip(counts).filter(|((_, cell), count)| differs(cell, count))
            {
                let at = ivec2(x, first.y);
                if *count == 0 {
                    *cell = CellMemory::Seen;
                    changes.newly_hidden.push(at);
                    continue;
                }
                if std::mem::replace(cell, CellMemory::Visible) == CellMemory::Hidden {
                    changes.discovered.push(at);
                }
                changes.newly_seen.push(at);
            }
        }
        changes
    }

    /// Returns what the last update changed.
    pub fn changes(&self) -> &MemoryChanges {
        &self.changes
    }

    /// Returns the number of units that see a cell now; 0 off the map.
    #[inline]
    pub fn count(&self, cell: impl ToCell) -> u32 {
        self.counts.get(cell.to_cell().wrapping_sub(self.extent.min)).copied().unwrap_or(0)
    }

    /// Returns `true` if a unit sees a cell now.
    #[inline]
    pub fn sees(&self, cell: impl ToCell) -> bool {
        self.count(cell) > 0
    }

    /// Returns the state of a cell at the last update: in sight, seen before, or never; `Hidden` off the map.
    #[inline]
    pub fn get(&self, cell: impl ToCell) -> CellMemory {
        self.cells.get(cell.to_cell().wrapping_sub(self.extent.min)).copied().unwrap_or_default()
    }

    /// Returns the cells of the map.
    pub fn extent(&self) -> CellRect {
        self.extent
    }

    /// Returns the state of all cells at the last update; (0, 0) is the top left one of the [`extent`](Self::extent).
    pub fn grid(&self) -> &Grid<CellMemory> {
        &self.cells
    }

    /// Returns the units.
    pub fn units(&self) -> impl Iterator<Item = u64> + '_ {
        self.units.keys().copied()
    }

    /// Returns the units that see a cell or a neighbour: those that need a new view when its opacity changes.
    pub fn units_near(&self, cell: impl ToCell) -> Vec<u64> {
        let cell = cell.to_cell();
        let near = |seen: &SeenCells| (-1..=1).any(|y| (-1..=1).any(|x| seen.sees(cell.saturating_add(ivec2(x, y)))));
        self.units.iter().filter(|(_, seen)| near(seen)).map(|(unit, _)| *unit).collect()
    }
}

/// Adds a rectangle of a map with this top left cell to the changed columns of its rows.
fn mark_changed(changed: &mut [Range<usize>], top_left: IVec2, CellRect { min, max }: CellRect) {
    if min.cmpge(max).any() {
        return;
    }
    let (min, max) = ((min - top_left).as_uvec2(), (max - top_left).as_uvec2());
    for columns in &mut changed[min.y as usize..max.y as usize] {
        let (start, end) = (min.x as usize, max.x as usize);
        *columns =
            if columns.start == columns.end { start..end } else { columns.start.min(start)..columns.end.max(end) };
    }
}

impl SeenCells {
    /// Adds the cells of a view that are on the map and whose visibility is at least a threshold.
    fn read(&mut self, view: &impl Visibilities, map: CellRect, threshold: f32) {
        self.frame = view.frame().intersect(map);
        self.cells.clear();
        if self.frame.is_empty() {
            *self = Self::default();
            return;
        }
        let CellRect { min, max } = self.frame;
        let width = self.frame.width();
        self.cells.resize(width * self.frame.height(), 0);
        view.for_each_run(|start, values| {
            let run = CellRect { min: start, max: start.saturating_add(ivec2(values.len() as i32, 1)) };
            let run = run.intersect(CellRect { min, max });
            if run.is_empty() {
                return;
            }
            let first = (run.min.y - min.y) as usize * width + (run.min.x - min.x) as usize;
            let seen = &mut self.cells[first..first + run.width()];
            let values = &values[run.min.x.abs_diff(start.x) as usize..];
            for (seen, value) in seen.iter_mut().zip(values) {
                *seen = u8::from((*value > 0.0) & (*value >= threshold));
            }
        });
    }

    /// Changes the counts of the cells by ±1, on a map with this top left cell.
    fn count(&self, counts: &mut Grid<u32>, top_left: IVec2, change: impl Fn(u32, u32) -> u32) {
        let CellRect { min, max } = self.frame;
        for (y, cells) in (min.y..max.y).zip(self.cells.chunks_exact(self.frame.width().max(1))) {
            let columns = (min.x - top_left.x) as usize..(max.x - top_left.x) as usize;
            let counts = &mut counts.row_mut((y - top_left.y) as usize)[columns];
            for (count, cell) in counts.iter_mut().zip(cells) {
                *count = change(*count, u32::from(*cell));
            }
        }
    }

    fn sees(&self, cell: IVec2) -> bool {
        let at = (cell - self.frame.min).max(IVec2::ZERO);
        self.frame.contains(cell) && self.cells[at.y as usize * self.frame.width() + at.x as usize] > 0
    }
}

/// The serialized form of a team view. Counts follow from the units, and pending changes are recomputed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedTeam {
    threshold: f32,
    #[serde(default)] // saves of maps at 0, 0 may have none
    min: IVec2,
    cells: Grid<CellMemory>,
    units: Vec<SavedUnit>,
    changes: MemoryChanges,
}

/// The view of a unit: a rectangle by its first cell and the first beyond, and for each row the columns at which
/// visibility starts and ends, alternating.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedUnit {
    unit: u64,
    min: IVec2,
    max: IVec2,
    rows: Vec<Vec<i32>>,
}

impl From<TeamView> for SavedTeam {
    fn from(team: TeamView) -> Self {
        let TeamView { threshold, extent, cells, units, changes, .. } = team;
        let saved = |(unit, SeenCells { frame: CellRect { min, max }, cells }): (u64, SeenCells)| {
            let turns = |row: &[u8]| {
                let mut last = 0;
                let turns = (min.x..).zip(row).filter(|(_, cell)| std::mem::replace(&mut last, **cell) != **cell);
                turns.map(|(x, _)| x).collect()
            };
            let width = (max.x - min.x).max(1) as usize;
            SavedUnit { unit, min, max, rows: cells.chunks_exact(width).map(turns).collect() }
        };
        Self { threshold, min: extent.min, cells, units: units.into_iter().map(saved).collect(), changes }
    }
}

impl TryFrom<SavedTeam> for TeamView {
    type Error = String;

    fn try_from(saved: SavedTeam) -> Result<Self, String> {
        let SavedTeam { threshold, min, cells, units, changes } = saved;
        let extent = CellRect { min, max: min.saturating_add(cells.size()) };
        if extent.max.wrapping_sub(min) != cells.size() {
            return Err(format!("{} cells starting at {min} exceed the range of coordinates", cells.size()));
        }
        let listed = [&changes.newly_seen, &changes.discovered, &changes.newly_hidden];
        if let Some(cell) = listed.into_iter().flatten().find(|cell| !extent.contains(**cell)) {
            return Err(format!("changes has the cell {cell} off the map of {} cells", cells.size()));
        }
        let mut team = Self::new(extent).with_threshold(threshold);
        (team.cells, team.changes) = (cells, changes);
        for SavedUnit { unit, min, max, rows } in units {
            let frame = CellRect { min, max };
            if min.cmpgt(max).any() || frame.cover(extent) != extent || rows.len() != frame.height() {
                return Err(format!(
                    "unit {unit} sees {} rows from {min} to {max} on a map of {} cells from {}",
                    rows.len(),
                    extent.size(),
                    extent.min
                ));
            }
            let mut seen = SeenCells { frame, cells: Vec::with_capacity(frame.width() * frame.height()) };
            for turns in rows {
                if turns.iter().any(|x| !(min.x..max.x).contains(x)) || !turns.is_sorted_by(|a, b| a < b) {
                    return Err(format!(
                        "unit {unit} has runs that change at columns {turns:?}, which are not in order from {} to {}",
                        min.x,
                        max.x - 1
                    ));
                }
                let mut turns = turns.into_iter().peekable();
                let mut cell = 0;
                seen.cells.extend((min.x..max.x).map(|x| {
                    cell ^= u8::from(turns.next_if_eq(&x).is_some());
                    cell
                }));
            }
            seen.count(&mut team.counts, extent.min, u32::wrapping_add);
            if team.units.insert(unit, seen).is_some() {
                return Err(format!("unit {unit} is there twice"));
            }
        }
        mark_changed(&mut team.changed, extent.min, extent);
        Ok(team)
    }
}
