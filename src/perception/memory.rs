//! [`Memory`]: the cells of a map that are in sight, were in sight before, or never, and what stood there.

use std::collections::VecDeque;

use glam::IVec2;

use crate::grid::Grid;
use crate::named_enum::named_enum;

named_enum! {
    /// The state of a cell in the memory of a viewer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
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

/// The treatment of cells and creatures that fall out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfSight {
    /// The viewer remembers them.
    Remember,
    /// The viewer forgets them at once.
    Forget,
}

/// The map as a viewer remembers it, with what stood on each cell when it was last seen, if that is asked for. An update visits
/// only the cells that were or are in sight.
///
/// ```
/// use farsight::perception::{CellMemory, Memory, OutOfSight};
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// let map = OpacityMap::from_text("...#...")?;
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let mut memory = Memory::new(7, 1);
/// for viewer in [(0, 0), (6, 0)] {
///     memory.update(fov.compute(&map, viewer)?.at_least(0.25), OutOfSight::Remember);
/// }
/// assert_eq!(memory.get((1, 0)), CellMemory::Seen);
/// assert_eq!(memory.get((5, 0)), CellMemory::Visible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A memory of contents keeps what the viewer believes, although the map has changed meanwhile; and it may fade:
///
/// ```
/// use farsight::glam::ivec2;
/// use farsight::perception::{Memory, OutOfSight};
/// let mut memory = Memory::<char>::of_contents(3, 1).with_fading(10);
/// memory.update_with([ivec2(2, 0)], OutOfSight::Remember, |_| '+'); // a closed door
/// memory.update_with([], OutOfSight::Remember, |_| '/'); // somebody opens it, unseen
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
#[derive(Clone, Debug)]
pub struct Memory<T = ()> {
    cells: Grid<CellMemory>,
    in_sight: Vec<IVec2>,
    /// The content of each cell when it was last seen; of size 0 in a memory without contents.
    contents: Grid<Option<T>>,
    fading: Option<Fading>,
}

/// The times at which cells fell out of sight.
#[derive(Clone, Debug)]
struct Fading {
    /// Updates until a cell is forgotten.
    after: u32,
    now: u64,
    left_at: Grid<u64>,
    /// Cells out of sight, with the time at which they fell out of it, earliest first. Those seen again since are there still.
    queue: VecDeque<(u64, IVec2)>,
}

impl Memory {
    /// The memory of a map of this many cells that is not seen yet, without contents. For what stood on cells use
    /// [`Memory::<T>::of_contents`](Memory::of_contents).
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            cells: Grid::new(width, height, CellMemory::Hidden),
            in_sight: Vec::new(),
            contents: Grid::new(0, 0, None),
            fading: None,
        }
    }

    /// Sets the cells that are visible now. Cells off the map are ignored.
    #[doc(alias = "remember")]
    pub fn update(&mut self, visible: impl IntoIterator<Item = IVec2>, out_of_sight: OutOfSight) {
        self.update_with(visible, out_of_sight, |_| ());
    }
}

impl<T> Memory<T> {
    /// The memory of a map of this many cells that is not seen yet, with room for what stands on each cell.
    pub fn of_contents(width: usize, height: usize) -> Self {
        Self {
            cells: Grid::new(width, height, CellMemory::Hidden),
            in_sight: Vec::new(),
            contents: Grid::from_fn(width, height, |_| None),
            fading: None,
        }
    }

    /// Forgets each cell after it was out of sight for this many updates. 0 forgets it at the update at which it falls out of sight.
    #[must_use]
    pub fn with_fading(mut self, updates: u32) -> Self {
        let left_at = Grid::new(self.cells.width(), self.cells.height(), 0);
        self.fading = Some(Fading { after: updates, now: 0, left_at, queue: VecDeque::new() });
        self
    }

    /// Sets the cells that are visible now, and what stands there. Cells off the map are ignored.
    #[doc(alias = "remember")]
    pub fn update_with(
        &mut self,
        visible: impl IntoIterator<Item = IVec2>,
        out_of_sight: OutOfSight,
        mut content: impl FnMut(IVec2) -> T,
    ) {
        let before = std::mem::take(&mut self.in_sight);
        for &cell in &before {
            self.cells[cell] = CellMemory::Seen;
        }
        for cell in visible {
            if let Some(state) = self.cells.get_mut(cell) {
                *state = CellMemory::Visible;
                self.in_sight.push(cell);
                if let Some(known) = self.contents.get_mut(cell) {
                    *known = Some(content(cell));
                }
            }
        }
        let mut left = before;
        left.retain(|cell| self.cells[*cell] == CellMemory::Seen);
        match out_of_sight {
            OutOfSight::Remember => self.fade(left),
            OutOfSight::Forget => left.into_iter().for_each(|cell| self.forget_cell(cell)),
        }
    }

    /// Lets an update pass for the cells out of sight, to which those of `left` now belong.
    fn fade(&mut self, left: Vec<IVec2>) {
        let Some(fading) = &mut self.fading else { return };
        fading.now += 1;
        for cell in left {
            fading.left_at[cell] = fading.now;
            fading.queue.push_back((fading.now, cell));
        }
        let mut gone = Vec::new();
        while let Some(&(left_at, cell)) = fading.queue.front()
            && fading.now - left_at >= u64::from(fading.after)
        {
            fading.queue.pop_front();
            // It may have been seen again since.
            if self.cells[cell] == CellMemory::Seen && fading.left_at[cell] == left_at {
                gone.push(cell);
            }
        }
        gone.into_iter().for_each(|cell| self.forget_cell(cell));
    }

    fn forget_cell(&mut self, cell: IVec2) {
        self.cells[cell] = CellMemory::Hidden;
        if let Some(content) = self.contents.get_mut(cell) {
            *content = None;
        }
    }

    /// Returns the state of a cell; `Hidden` off the map.
    #[inline]
    pub fn get(&self, cell: impl Into<IVec2>) -> CellMemory {
        self.cells.get(cell).copied().unwrap_or_default()
    }

    /// Returns what stood on a cell when it was last seen; `None` if it was never seen or is forgotten, and off the map.
    #[inline]
    pub fn content(&self, cell: impl Into<IVec2>) -> Option<&T> {
        self.contents.get(cell)?.as_ref()
    }

    /// Returns how well a cell is remembered: 1 in sight, less with every update out of sight if the memory fades, 0 if it was
    /// never seen or is forgotten.
    pub fn strength(&self, cell: impl Into<IVec2>) -> f32 {
        let cell = cell.into();
        match (self.get(cell), &self.fading) {
            (CellMemory::Hidden, _) => 0.0,
            (CellMemory::Seen, Some(fading)) => {
                1.0 - (fading.now - fading.left_at[cell]) as f32 / fading.after.max(1) as f32
            }
            (CellMemory::Seen, None) | (CellMemory::Visible, _) => 1.0,
        }
    }

    /// Returns the state of all cells.
    pub fn grid(&self) -> &Grid<CellMemory> {
        &self.cells
    }

    /// Forgets all cells that are not in sight.
    pub fn forget(&mut self) {
        let remembered: Vec<IVec2> =
            self.cells.iter().filter(|(_, state)| **state == CellMemory::Seen).map(|(cell, _)| cell).collect();
        remembered.into_iter().for_each(|cell| self.forget_cell(cell));
    }

    /// Replaces the memory by a saved one of the same map.
    ///
    /// # Panics
    /// If the map has another size.
    pub fn restore(&mut self, cells: Grid<CellMemory>) {
        assert_eq!(cells.size(), self.cells.size(), "a memory of another map");
        self.in_sight =
            cells.iter().filter(|(_, state)| **state == CellMemory::Visible).map(|(cell, _)| cell).collect();
        self.cells = cells;
    }
}
