//! [`Memory`]: the cells of a map that are in sight, were in sight before, or never were, and their remembered
//! contents.

use std::collections::VecDeque;

use glam::IVec2;
use serde::{Deserialize, Serialize};

use crate::grid::{CellRect, Grid, ToCell, sort_in_rows};
use crate::named_enum;

named_enum! {
    /// The state of a cell in the memory of a viewer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[serde(try_from = "u8", into = "u8")] // a map has many
    #[repr(u8)]
    pub enum CellMemory: "memory" {
        /// Never seen; not drawn.
        #[default]
        Hidden = "hidden",
        /// Seen before; drawn muted, without creatures.
        Seen = "seen",
        /// In sight now.
        Visible = "visible",
    }
}

impl From<CellMemory> for u8 {
    fn from(state: CellMemory) -> Self {
        state as Self
    }
}

/// A number that is not the state of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not the state of a cell: expected 0 (hidden), 1 (seen) or 2 (visible)")]
pub struct CellMemoryError(u8);

impl TryFrom<u8> for CellMemory {
    type Error = CellMemoryError;

    fn try_from(number: u8) -> Result<Self, CellMemoryError> {
        Self::ALL.get(usize::from(number)).copied().ok_or(CellMemoryError(number))
    }
}

/// The treatment of cells and creatures that fall out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutOfSight {
    /// The viewer remembers them.
    Remember,
    /// The viewer forgets them at once.
    Forget,
}

/// The map as a viewer remembers it, optionally with the content of each cell when it was last seen. An update visits
/// only the cells that were or are in sight.
///
/// ```
/// use farsight::perception::{CellMemory, Memory, OutOfSight};
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// let map = OpacityMap::from_text("...#...")?;
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let mut memory = Memory::new(map.extent());
/// for viewer in [(0, 0), (6, 0)] {
///     memory.update(fov.compute(&map, viewer)?.at_least(0.25), OutOfSight::Remember);
/// }
/// assert_eq!(memory.get((1, 0)), CellMemory::Seen);
/// assert_eq!(memory.get((5, 0)), CellMemory::Visible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An infinite map has a memory for each of its chunks, which ignores the cells of other chunks:
///
/// ```
/// use farsight::glam::ivec2;
/// use farsight::grid::CellRect;
/// use farsight::perception::{CellMemory, Memory, OutOfSight};
/// let chunk = |x: i32| CellRect { min: ivec2(16 * x, 0), max: ivec2(16 * x + 16, 16) };
/// let mut chunks = [-1, 0].map(|x| Memory::new(chunk(x)));
/// for memory in &mut chunks {
///     memory.update([ivec2(-1, 8), ivec2(0, 8)], OutOfSight::Remember);
/// }
/// assert_eq!(chunks[0].get((-1, 8)), CellMemory::Visible);
/// assert_eq!(chunks[0].get((0, 8)), CellMemory::Hidden); // not of this chunk
/// ```
///
/// A memory of contents keeps the beliefs of the viewer, although the map has changed meanwhile; and it may fade:
///
/// ```
/// use farsight::glam::ivec2;
/// use farsight::grid::CellRect;
/// use farsight::perception::{Memory, OutOfSight};
/// let mut memory = Memory::<char>::of_contents(CellRect::of_size((3, 1))).with_fading(10);
/// memory.update_with([ivec2(2, 0)], OutOfSight::Remember, |_| '+'); // a closed door
/// memory.update_with([], OutOfSight::Remember, |_| '/'); // it opens, unseen
/// assert_eq!(memory.content((2, 0)), Some(&'+'));
/// assert_eq!(memory.strength((2, 0)), 1.0);
/// for _ in 0..5 {
///     memory.update_with([], OutOfSight::Remember, |_| '/');
/// }
/// assert_eq!(memory.strength((2, 0)), 0.5);
/// for _ in 0..5 {
///     memory.update_with([], OutOfSight::Remember, |_| '/');
/// }
/// assert_eq!(memory.content((2, 0)), None); // forgotten
/// ```
#[doc(alias = "fog of war")]
#[doc(alias = "explored")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedMemory<T>", bound(deserialize = "T: Deserialize<'de>"))]
pub struct Memory<T = ()> {
    /// The top left cell.
    min: IVec2,
    cells: Grid<CellMemory>,
    /// The visible cells without duplicates, in the given order.
    in_sight: Vec<IVec2>,
    changes: MemoryChanges,
    /// The content of each cell when it was last seen; of size 0 in a memory without contents.
    contents: Grid<Option<T>>,
    fading: Option<Fading>,
}

/// The changes of an update of a [`Memory`] or of a [`TeamView`](super::TeamView): the cells that a game redraws.
///
/// ```
/// use farsight::glam::ivec2;
/// use farsight::grid::CellRect;
/// use farsight::perception::{Memory, OutOfSight};
/// let mut memory = Memory::new(CellRect::of_size((3, 1)));
/// memory.update([ivec2(0, 0), ivec2(1, 0)], OutOfSight::Remember);
/// memory.update([ivec2(2, 0), ivec2(1, 0)], OutOfSight::Remember);
/// let changes = memory.changes();
/// assert_eq!((&*changes.newly_seen, &*changes.newly_hidden), (&[ivec2(2, 0)][..], &[ivec2(0, 0)][..]));
/// memory.update([ivec2(0, 0)], OutOfSight::Remember);
/// assert_eq!((memory.changes().newly_seen.len(), memory.changes().discovered.len()), (1, 0)); // it was known
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MemoryChanges {
    /// The cells that came into sight.
    pub newly_seen: Vec<IVec2>,
    /// The subset of `newly_seen` that was never seen before, or was forgotten.
    pub discovered: Vec<IVec2>,
    /// The cells that went out of sight.
    pub newly_hidden: Vec<IVec2>,
}

impl MemoryChanges {
    /// Returns `true` if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.newly_seen.is_empty() && self.newly_hidden.is_empty()
    }

    pub(super) fn clear(&mut self) {
        let Self { newly_seen, discovered, newly_hidden } = self;
        [newly_seen, discovered, newly_hidden].into_iter().for_each(Vec::clear);
    }
}

/// The times at which cells went out of sight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fading {
    /// The number of updates until a cell is forgotten.
    after: u32,
    now: u64,
    left_at: Grid<u64>,
    /// Cells with the time at which they went out of sight, earliest first. Cells that were seen again since are still
    /// included.
    queue: VecDeque<(u64, IVec2)>,
}

impl Memory {
    /// Creates the memory of a map without seen cells, and without contents. For contents use
    /// [`Memory::<T>::of_contents`](Memory::of_contents).
    pub fn new(extent: CellRect) -> Self {
        Self::unseen(extent, Grid::new(0, 0, None))
    }

    /// Sets the cells that are visible now. Cells off the map are ignored.
    #[doc(alias = "remember")]
    pub fn update(&mut self, visible: impl IntoIterator<Item = IVec2>, out_of_sight: OutOfSight) {
        self.update_with(visible, out_of_sight, |_| ());
    }
}

impl<T> Memory<T> {
    /// Creates the memory of a map without seen cells, with contents.
    pub fn of_contents(extent: CellRect) -> Self {
        Self::unseen(extent, Grid::from_fn(extent.width(), extent.height(), |_| None))
    }

    fn unseen(extent: CellRect, contents: Grid<Option<T>>) -> Self {
        Self {
            min: extent.min,
            cells: Grid::new(extent.width(), extent.height(), CellMemory::Hidden),
            in_sight: Vec::new(),
            changes: MemoryChanges::default(),
            contents,
            fading: None,
        }
    }

    /// Returns the cells of the map.
    pub fn extent(&self) -> CellRect {
        CellRect { min: self.min, max: self.min + self.cells.size() }
    }

    /// Forgets each cell after it was out of sight for this many updates. 0 forgets it at the update at which it goes out of sight.
    #[must_use]
    pub fn with_fading(mut self, updates: u32) -> Self {
        let left_at = Grid::new(self.cells.width(), self.cells.height(), 0);
        self.fading = Some(Fading { after: updates, now: 0, left_at, queue: VecDeque::new() });
        self
    }

    /// Sets the cells that are visible now, with their contents. Cells off the map are ignored.
    #[doc(alias = "remember")]
    pub fn update_with(
        &mut self,
        visible: impl IntoIterator<Item = IVec2>,
        out_of_sight: OutOfSight,
        mut content: impl FnMut(IVec2) -> T,
    ) {
        let Self { min, cells, in_sight, changes, contents, .. } = self;
        let on_grid = |cell: IVec2| cell.wrapping_sub(*min);
        let before = std::mem::take(in_sight);
        in_sight.extend(visible.into_iter().filter(|cell| cells.contains(on_grid(*cell))));
        changes.clear();
        for &cell in &*in_sight {
            let known = std::mem::replace(&mut cells[on_grid(cell)], CellMemory::Visible);
            if known != CellMemory::Visible {
                changes.newly_seen.push(cell);
            }
            if known == CellMemory::Hidden {
                changes.discovered.push(cell);
            }
        }
        for &cell in before.iter().chain(&*in_sight) {
            cells[on_grid(cell)] = CellMemory::Seen;
        }
        // Duplicate cells count once.
        in_sight.retain(|&cell| std::mem::replace(&mut cells[on_grid(cell)], CellMemory::Visible) == CellMemory::Seen);
        if contents.width() > 0 {
            in_sight.iter().for_each(|&cell| contents[on_grid(cell)] = Some(content(cell)));
        }
        let mut left = before;
        left.retain(|cell| cells[on_grid(*cell)] == CellMemory::Seen);
        changes.newly_hidden.extend_from_slice(&left);
        match out_of_sight {
            OutOfSight::Remember => self.fade(left),
            OutOfSight::Forget => left.into_iter().for_each(|cell| self.forget_cell(cell)),
        }
    }

    /// Returns the changes of the last update.
    pub fn changes(&self) -> &MemoryChanges {
        &self.changes
    }

    /// Advances the time of the cells out of sight by one update, and adds the cells of `left` to them.
    fn fade(&mut self, left: Vec<IVec2>) {
        let Some(fading) = &mut self.fading else { return };
        fading.now += 1;
        for cell in left {
            fading.left_at[cell - self.min] = fading.now;
            fading.queue.push_back((fading.now, cell));
        }
        let mut gone = Vec::new();
        while let Some(&(left_at, cell)) = fading.queue.front()
            && fading.now - left_at >= u64::from(fading.after)
        {
            fading.queue.pop_front();
            // The cell may have been seen again since.
            let on_grid = cell - self.min;
            if self.cells[on_grid] == CellMemory::Seen && fading.left_at[on_grid] == left_at {
                gone.push(cell);
            }
        }
        gone.into_iter().for_each(|cell| self.forget_cell(cell));
    }

    fn forget_cell(&mut self, cell: IVec2) {
        let on_grid = cell - self.min;
        self.cells[on_grid] = CellMemory::Hidden;
        if let Some(content) = self.contents.get_mut(on_grid) {
            *content = None;
        }
    }

    /// Returns the state of a cell; `Hidden` off the map.
    #[inline]
    pub fn get(&self, cell: impl ToCell) -> CellMemory {
        self.cells.get(cell.to_cell().wrapping_sub(self.min)).copied().unwrap_or_default()
    }

    /// Returns the content of a cell when it was last seen; `None` if it was never seen or is forgotten, and off the
    /// map.
    #[inline]
    pub fn content(&self, cell: impl ToCell) -> Option<&T> {
        self.contents.get(cell.to_cell().wrapping_sub(self.min))?.as_ref()
    }

    /// Returns the strength of the memory of a cell: 1 in sight, decreasing with every update out of sight if the
    /// memory fades, 0 if it was never seen or is forgotten.
    pub fn strength(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        match (self.get(cell), &self.fading) {
            (CellMemory::Hidden, _) => 0.0,
            (CellMemory::Seen, Some(fading)) => {
                1.0 - (fading.now - fading.left_at[cell - self.min]) as f32 / fading.after.max(1) as f32
            }
            (CellMemory::Seen, None) | (CellMemory::Visible, _) => 1.0,
        }
    }

    /// Returns the state of all cells; (0, 0) is the top left one of the [`extent`](Self::extent).
    pub fn grid(&self) -> &Grid<CellMemory> {
        &self.cells
    }

    /// Forgets all cells that are not in sight.
    pub fn forget(&mut self) {
        let remembered = cells_in_state(&self.cells, self.min, CellMemory::Seen);
        remembered.into_iter().for_each(|cell| self.forget_cell(cell));
    }

    /// Replaces the state of all cells by a saved one of the same map. If the memory fades, seen cells go out of sight
    /// at the present time; the contents of cells that were never seen are forgotten. To keep times and contents, save
    /// the whole memory.
    ///
    /// # Panics
    /// If the map has another size.
    pub fn restore(&mut self, cells: Grid<CellMemory>) {
        assert_eq!(cells.size(), self.cells.size(), "a memory of another map");
        self.changes.clear();
        self.cells = cells;
        let [hidden, seen, visible] = [CellMemory::Hidden, CellMemory::Seen, CellMemory::Visible]
            .map(|state| cells_in_state(&self.cells, self.min, state));
        self.in_sight = visible;
        hidden.into_iter().for_each(|cell| self.forget_cell(cell));
        if let Some(Fading { now, left_at, queue, .. }) = &mut self.fading {
            queue.clear();
            for cell in seen {
                left_at[cell - self.min] = *now;
                queue.push_back((*now, cell));
            }
        }
    }
}

/// Returns the cells in a state, row by row. `min` is the top left cell of the map.
fn cells_in_state(cells: &Grid<CellMemory>, min: IVec2, wanted: CellMemory) -> Vec<IVec2> {
    cells.iter().filter(|(_, state)| **state == wanted).map(|(cell, _)| min + cell).collect()
}

/// A deserialized memory before validation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedMemory<T> {
    #[serde(default)] // saves of maps at 0, 0 may have none
    min: IVec2,
    cells: Grid<CellMemory>,
    in_sight: Vec<IVec2>,
    changes: MemoryChanges,
    contents: Grid<Option<T>>,
    fading: Option<Fading>,
}

impl<T> TryFrom<SavedMemory<T>> for Memory<T> {
    type Error = String;

    fn try_from(saved: SavedMemory<T>) -> Result<Self, String> {
        let SavedMemory { min, cells, in_sight, changes, contents, fading } = saved;
        let size = cells.size();
        let extent = CellRect { min, max: min.saturating_add(size) };
        if extent.max.wrapping_sub(min) != size {
            return Err(format!("{size} cells starting at {min} exceed the range of coordinates"));
        }
        let mut sorted = in_sight.clone();
        sort_in_rows(&mut sorted);
        if sorted != cells_in_state(&cells, min, CellMemory::Visible) {
            return Err("in_sight is not the list of the visible cells".into());
        }
        if contents.size() != IVec2::ZERO && contents.size() != size {
            return Err(format!("contents of {} cells belong to no map of {size} cells", contents.size()));
        }
        let listed = [&changes.newly_seen, &changes.discovered, &changes.newly_hidden];
        if let Some(cell) = listed.into_iter().flatten().find(|cell| !extent.contains(**cell)) {
            return Err(format!("changes has the cell {cell} off the map of {size} cells"));
        }
        if let Some(Fading { now, left_at, queue, .. }) = &fading {
            if left_at.size() != size {
                return Err(format!("fading of {} cells belongs to no map of {size} cells", left_at.size()));
            }
            if let Some(time) = left_at.as_slice().iter().find(|time| *time > now) {
                return Err(format!("fading has the time {time} after the present one, {now}"));
            }
            if !queue.iter().map(|(time, _)| time).is_sorted() {
                return Err("the queue of fading is not in the order of its times".into());
            }
            if let Some((time, cell)) = queue.iter().find(|(time, cell)| time > now || !extent.contains(*cell)) {
                return Err(format!("the queue of fading has the time {time} of the cell {cell}"));
            }
        }
        Ok(Self { min, cells, in_sight, changes, contents, fading })
    }
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn numbers_of_states_come_back() {
        for &state in CellMemory::ALL {
            assert_eq!(CellMemory::try_from(u8::from(state)), Ok(state));
        }
        let error: Box<dyn std::error::Error> = CellMemory::try_from(3).unwrap_err().into();
        assert_eq!(error.to_string(), "3 is not the state of a cell: expected 0 (hidden), 1 (seen) or 2 (visible)");
    }

    #[test]
    fn saves_without_a_corner_begin_at_0_0() {
        let mut memory = Memory::new(CellRect::of_size((2, 1)));
        memory.update([ivec2(1, 0)], OutOfSight::Remember);
        let mut saved = serde_json::to_value(&memory).unwrap();
        saved.as_object_mut().unwrap().remove("min");
        assert_eq!(serde_json::from_value::<Memory>(saved.clone()).unwrap(), memory);
        saved["min"] = serde_json::json!([i32::MAX, 0]);
        assert!(
            serde_json::from_value::<Memory>(saved)
                .unwrap_err()
                .to_string()
                .contains("exceed the range of coordinates")
        );
    }

    #[test]
    fn restored_cells_fade_from_now_on() {
        let mut memory = Memory::<char>::of_contents(CellRect::of_size((4, 1))).with_fading(3);
        let pass = |memory: &mut Memory<char>| memory.update_with([], OutOfSight::Remember, |_| ' ');
        memory.update_with([ivec2(0, 0), ivec2(1, 0), ivec2(2, 0)], OutOfSight::Remember, |_| '+');
        pass(&mut memory);
        pass(&mut memory);
        let (hidden, seen, visible) = (CellMemory::Hidden, CellMemory::Seen, CellMemory::Visible);
        memory.restore(Grid::from_vec(4, 1, vec![seen, hidden, visible, seen]).unwrap());
        assert_eq!([0, 1, 2, 3].map(|x| memory.strength((x, 0))), [1.0, 0.0, 1.0, 1.0]);
        assert_eq!([0, 1, 2, 3].map(|x| memory.content((x, 0))), [Some(&'+'), None, Some(&'+'), None]);

        let saved = serde_json::to_string(&memory).unwrap();
        let mut loaded: Memory<char> = serde_json::from_str(&saved).unwrap();
        pass(&mut memory);
        assert_eq!([0, 2, 3].map(|x| memory.strength((x, 0))), [1.0 - 1.0 / 3.0, 1.0, 1.0 - 1.0 / 3.0]);
        pass(&mut memory);
        pass(&mut memory);
        assert_eq!([0, 1, 2, 3].map(|x| memory.get((x, 0))), [hidden, hidden, seen, hidden]);
        pass(&mut memory);
        assert_eq!(memory.grid().as_slice(), [hidden; 4]);
        (0..4).for_each(|_| pass(&mut loaded));
        assert_eq!(loaded, memory);
    }
}
