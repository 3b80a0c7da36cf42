//! [`OwnedView`]: an owned copy of a view, for saving, comparing and merging.

use std::cmp::Ordering;

use crate::grid::{CellRect, ToCell};
use glam::{IVec2, ivec2};
use serde::{Deserialize, Serialize};

use super::view::View;
use super::wall_fronts::{fronts_toward, open_fronts};

/// An owned copy of a [`View`]: to keep it from turn to turn, to save it, and to merge the views of a party.
///
/// It stores only the cells with a visibility above 0, as runs in rows: 4 bytes per cell and 24 per run.
/// [`get`](Self::get) is a binary search.
///
/// ```
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let mut map = OpacityMap::clear(5, 1)?;
/// map.set(ivec2(2, 0), 1.0)?; // a door
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(8))?;
/// let closed = fov.compute(&map, ivec2(0, 0))?.to_owned();
/// map.set(ivec2(2, 0), 0.0)?;
/// let open = fov.compute(&map, ivec2(0, 0))?.to_owned();
/// let changes = open.changes_since(&closed, 0.0);
/// assert_eq!(changes.newly_seen, [ivec2(3, 0), ivec2(4, 0)]);
/// assert!(changes.newly_hidden.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedView", into = "SavedView")]
pub struct OwnedView {
    viewer: IVec2,
    /// Runs of neighbouring cells in a row, sorted by row and column.
    runs: Vec<Run>,
    values: Vec<f32>,
}

/// Neighbouring cells in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    start: IVec2,
    /// The index of the first value.
    first: usize,
    /// The index after the last value.
    end: usize,
}

/// The differences between two views.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ViewChanges {
    /// The newly visible cells, row by row.
    pub newly_seen: Vec<IVec2>,
    /// The newly hidden cells, row by row.
    pub newly_hidden: Vec<IVec2>,
}

impl View<'_> {
    /// Returns an owned copy.
    ///
    /// ```
    /// use farsight::sight::OwnedView;
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::clear(40, 1)?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(4))?;
    /// let mut walk: Vec<OwnedView> = Vec::new();
    /// for x in 0..3 {
    ///     walk.push(fov.compute(&map, ivec2(x, 0))?.to_owned());
    /// }
    /// assert_eq!(walk.iter().map(|view| view.visible().count()).collect::<Vec<_>>(), [5, 6, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_owned(&self) -> OwnedView {
        let mut copy = OwnedView::empty(self.viewer);
        for (cell, value) in self.visible() {
            copy.push(cell, value);
        }
        copy
    }

    /// Returns a copy in which a wall is at least as visible as the open cells in front of the sides that face the viewer, and of
    /// the corner between them: what a game draws and remembers.
    ///
    /// The visibility of a wall is that of its area, as for each cell. Two parents, beams and the exact method see little of
    /// a wall that they see at a grazing angle, so with a threshold the rooms of [`at_least`](Self::at_least) lack some
    /// walls. Binary methods need no such copy. A wall just outside of the radius or the sector is visible if a cell in front of it is.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// let map = OpacityMap::from_text("##########\n#........#\n##########")?;
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// let view = fov.compute(&map, (1, 1))?;
    /// assert_eq!(view.get((7, 1)), 1.0); // the floor
    /// assert!(view.get((7, 0)) < 0.2); // the wall along it, at a grazing angle
    /// let with_walls = view.with_walls(|cell| map.is_wall(cell));
    /// assert_eq!(with_walls.get((7, 0)), 1.0);
    /// assert_eq!((view.at_least(0.25).count(), with_walls.at_least(0.25).count()), (22, 30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_walls(&self, is_wall: impl Fn(IVec2) -> bool) -> OwnedView {
        let viewer = self.viewer;
        let mut copy = OwnedView::empty(viewer);
        for (on_grid, &own) in self.grid.iter() {
            let cell = on_grid + self.top_left;
            let in_front = |step: &IVec2| self.get(cell + *step);
            // Most cells are as visible as those in front of them, which is known without the map.
            let may_rise = fronts_toward(cell, viewer).iter().flatten().any(|step| in_front(step) > own);
            let value = if may_rise && is_wall(cell) {
                open_fronts(cell, viewer, &is_wall).iter().flatten().map(in_front).fold(own, f32::max)
            } else {
                own
            };
            if value > 0.0 {
                copy.push(cell, value);
            }
        }
        copy
    }
}

impl OwnedView {
    fn empty(viewer: IVec2) -> Self {
        Self { viewer, runs: Vec::new(), values: Vec::new() }
    }

    /// Appends a cell after all others.
    fn push(&mut self, cell: IVec2, value: f32) {
        self.values.push(value);
        let end = self.values.len();
        match self.runs.last_mut() {
            Some(run) if run.cell(run.end) == Some(cell) => run.end = end,
            _ => self.runs.push(Run { start: cell, first: end - 1, end }),
        }
    }

    /// Returns the cell of the viewer; after [`merge_max`](Self::merge_max), that of the first viewer.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the visibility of a map cell, in [0, 1]; 0 if it is not visible.
    pub fn get(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        let after = self.runs.partition_point(|run| in_rows(run.start, cell) != Ordering::Greater);
        let run = after.checked_sub(1).map(|i| self.runs[i]).filter(|run| run.start.y == cell.y);
        run.and_then(|run| self.values[run.first..run.end].get(cell.x.abs_diff(run.start.x) as usize))
            .copied()
            .unwrap_or(0.0)
    }

    /// Returns `true` if a cell is seen: its visibility is above 0. See [`View::sees`].
    pub fn sees(&self, cell: impl ToCell) -> bool {
        self.get(cell) > 0.0
    }

    /// Returns the cells that are [seen](Self::sees), row by row.
    pub fn seen(&self) -> impl Iterator<Item = IVec2> + '_ {
        self.visible().map(|(cell, _)| cell)
    }

    /// Returns the cells with a visibility above 0, row by row.
    pub fn visible(&self) -> impl Iterator<Item = (IVec2, f32)> + '_ {
        self.runs.iter().flat_map(|run| {
            let values = self.values[run.first..run.end].iter();
            (run.start.x..=i32::MAX).zip(values).map(|(x, &value)| (ivec2(x, run.start.y), value))
        })
    }

    /// Returns the cells with at least this visibility, row by row. Cells with visibility 0 are excluded.
    pub fn at_least(&self, threshold: f32) -> impl Iterator<Item = IVec2> + '_ {
        self.visible().filter(move |(_, value)| *value >= threshold).map(|(cell, _)| cell)
    }

    /// Returns the cells that are visible in this view but not in `previous`, and vice versa. A cell is visible if its
    /// visibility is at least a threshold and above 0.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::clear(40, 1)?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(4))?;
    /// let before = fov.compute(&map, ivec2(10, 0))?.to_owned();
    /// let changes = fov.compute(&map, ivec2(11, 0))?.to_owned().changes_since(&before, 0.0);
    /// assert_eq!((changes.newly_seen, changes.newly_hidden), (vec![ivec2(15, 0)], vec![ivec2(6, 0)])); // only these are drawn again
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changes_since(&self, previous: &Self, threshold: f32) -> ViewChanges {
        let is_visible = |value: f32| value > 0.0 && value >= threshold;
        let mut changes = ViewChanges::default();
        for_each_cell(self, previous, |cell, now, before| match (is_visible(now), is_visible(before)) {
            (true, false) => changes.newly_seen.push(cell),
            (false, true) => changes.newly_hidden.push(cell),
            _ => {}
        });
        changes
    }

    /// Sets each cell to the maximum visibility of this view and the others: the union of the views. The time is
    /// proportional to the cells of all views. For a moving team, [`TeamView`](crate::perception::TeamView) is faster.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::clear(1000, 1)?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(8))?;
    /// let mut party = fov.compute(&map, ivec2(10, 0))?.to_owned();
    /// party.merge_max([&fov.compute(&map, ivec2(900, 0))?.to_owned()]);
    /// assert_eq!([5, 400, 908].map(|x| party.get(ivec2(x, 0))), [1.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge_max<'v>(&mut self, others: impl IntoIterator<Item = &'v Self>) {
        let own = std::mem::replace(self, Self::empty(self.viewer));
        let mut runs: Vec<(IVec2, &[f32])> = own.runs().collect();
        for view in others {
            runs.extend(view.runs());
        }
        runs.sort_unstable_by(|(a, _), (b, _)| in_rows(*a, *b));
        // Overlapping and adjacent runs are merged.
        let mut start = IVec2::ZERO;
        let mut merged: Vec<f32> = Vec::new();
        for (cell, values) in runs {
            let column = i64::from(cell.x) - i64::from(start.x);
            if cell.y != start.y || column > merged.len() as i64 {
                self.push_run(start, &merged);
                merged.clear();
                start = cell;
            }
            let first = (i64::from(cell.x) - i64::from(start.x)) as usize;
            merged.resize(merged.len().max(first + values.len()), 0.0);
            for (greatest, &value) in merged[first..].iter_mut().zip(values) {
                *greatest = greatest.max(value);
            }
        }
        self.push_run(start, &merged);
    }

    /// Returns the first cell and the values of each run.
    fn runs(&self) -> impl Iterator<Item = (IVec2, &[f32])> {
        self.runs.iter().map(|run| (run.start, &self.values[run.first..run.end]))
    }

    /// Appends neighbouring cells in a row after all others.
    fn push_run(&mut self, start: IVec2, values: &[f32]) {
        let first = self.values.len();
        self.values.extend_from_slice(values);
        if !values.is_empty() {
            self.runs.push(Run { start, first, end: self.values.len() });
        }
    }
}

impl Run {
    /// Returns the cell of the value at an index, or `None` beyond the last column.
    fn cell(&self, index: usize) -> Option<IVec2> {
        let x = i64::from(self.start.x) + (index - self.first) as i64;
        Some(ivec2(i32::try_from(x).ok()?, self.start.y))
    }
}

/// The visibilities of cells, from a [`View`] or an [`OwnedView`]. Only farsight implements it.
pub trait Visibilities: ReadVisibilities {}

impl<V: ReadVisibilities> Visibilities for V {}

/// The private interface of [`Visibilities`], which seals it.
pub trait ReadVisibilities {
    /// Returns a rectangle that contains all visible cells.
    fn frame(&self) -> CellRect;

    /// Calls `read` with runs of cells in rows: the first cell and the values.
    fn for_each_run(&self, read: impl FnMut(IVec2, &[f32]));
}

impl ReadVisibilities for View<'_> {
    fn frame(&self) -> CellRect {
        CellRect { min: self.top_left, max: self.top_left.saturating_add(self.grid.size()) }
    }

    fn for_each_run(&self, mut read: impl FnMut(IVec2, &[f32])) {
        let IVec2 { x, y } = self.top_left;
        for (y, row) in (y..=i32::MAX).zip(self.grid.rows()) {
            read(ivec2(x, y), row);
        }
    }
}

impl ReadVisibilities for OwnedView {
    fn frame(&self) -> CellRect {
        let end = |run: &Run| run.start.saturating_add(ivec2((run.end - run.first) as i32, 1));
        let frames = self.runs.iter().map(|run| CellRect { min: run.start, max: end(run) });
        frames.reduce(CellRect::cover).unwrap_or(CellRect::of_size(IVec2::ZERO))
    }

    fn for_each_run(&self, mut read: impl FnMut(IVec2, &[f32])) {
        self.runs().for_each(|(start, values)| read(start, values));
    }
}

/// Compares cells by row, then by column.
fn in_rows(a: IVec2, b: IVec2) -> Ordering {
    (a.y, a.x).cmp(&(b.y, b.x))
}

/// Calls `visit` with each cell of the union of two views, row by row, and with its visibility in both.
fn for_each_cell(a: &OwnedView, b: &OwnedView, mut visit: impl FnMut(IVec2, f32, f32)) {
    let (mut a, mut b) = (a.visible().peekable(), b.visible().peekable());
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some((a, _)), Some((b, _))) => in_rows(*a, *b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let first = if order == Ordering::Greater { None } else { a.next() };
        let second = if order == Ordering::Less { None } else { b.next() };
        if let Some((cell, _)) = first.or(second) {
            visit(cell, first.map_or(0.0, |(_, value)| value), second.map_or(0.0, |(_, value)| value));
        }
    }
}

/// The serialized form of a view.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedView {
    viewer: IVec2,
    /// Column, row and length of each run.
    runs: Vec<(i32, i32, usize)>,
    values: Vec<f32>,
}

impl From<OwnedView> for SavedView {
    fn from(view: OwnedView) -> Self {
        let runs = view.runs.iter().map(|run| (run.start.x, run.start.y, run.end - run.first)).collect();
        Self { viewer: view.viewer, runs, values: view.values }
    }
}

impl TryFrom<SavedView> for OwnedView {
    type Error = String;

    fn try_from(saved: SavedView) -> Result<Self, String> {
        let mut view = Self::empty(saved.viewer);
        let (mut values, mut last) = (saved.values.into_iter(), None);
        for (x, y, cells) in saved.runs {
            for i in 0..cells {
                let next = i32::try_from(i).ok().and_then(|i| x.checked_add(i)).zip(values.next());
                let Some((x, value)) = next else {
                    return Err(format!("the run of {cells} cells at {x},{y} has too few values"));
                };
                let cell = ivec2(x, y);
                if last.is_some_and(|last| in_rows(last, cell) != Ordering::Less) {
                    return Err(format!("the cell {x},{y} is not behind the one before; expected rows from the top"));
                }
                if !(value > 0.0 && value <= 1.0) {
                    return Err(format!("the cell {x},{y} has visibility {value}; expected more than 0 and at most 1"));
                }
                view.push(cell, value);
                last = Some(cell);
            }
        }
        match values.len() {
            0 => Ok(view),
            left => Err(format!("{left} values belong to no run")),
        }
    }
}
