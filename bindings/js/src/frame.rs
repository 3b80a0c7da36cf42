//! [`Frame`]: the values of a view, which JavaScript reads from the memory of the module.

use std::cell::RefCell;
use std::rc::Rc;

use farsight::Grid;
use farsight::glam::IVec2;
use farsight::grid::CellRect;
use farsight::sight::{OwnedView, View};
use wasm_bindgen::prelude::*;

/// The part of a map with the cells in range of the last view.
pub(crate) struct Window {
    viewer: IVec2,
    top_left: IVec2,
    grid: Grid<f32>,
}

impl Default for Window {
    fn default() -> Self {
        Self { viewer: IVec2::ZERO, top_left: IVec2::ZERO, grid: Grid::new(0, 0, 0.0) }
    }
}

impl Window {
    /// Copies a view, without the cells off the map.
    pub(crate) fn read(&mut self, view: &View<'_>, map: Option<CellRect>) {
        let window = CellRect { min: view.top_left(), max: view.top_left() + view.grid().size() };
        let part = map.map_or(window, |map| window.intersect(map));
        self.fill(view.viewer(), part, |y, cells| {
            let row = view.grid().row((y - window.min.y) as usize);
            cells.extend_from_slice(&row[(part.min.x - window.min.x) as usize..][..part.width()]);
        });
    }

    /// Copies a view with walls, which reaches a cell farther than the view that it was made from.
    pub(crate) fn read_owned(&mut self, view: &OwnedView, part: CellRect) {
        self.fill(view.viewer(), part, |y, cells| {
            cells.extend((part.min.x..part.max.x).map(|x| view.get(IVec2::new(x, y))));
        });
    }

    /// Replaces all values, row by row, within the buffer of the values before.
    fn fill(&mut self, viewer: IVec2, part: CellRect, mut push_row: impl FnMut(i32, &mut Vec<f32>)) {
        let mut cells = std::mem::replace(&mut self.grid, Grid::new(0, 0, 0.0)).into_vec();
        cells.clear();
        for y in part.min.y..part.max.y {
            push_row(y, &mut cells);
        }
        (self.viewer, self.top_left) = (viewer, part.min);
        self.grid = Grid::from_vec(part.width(), part.height(), cells).expect("a row of cells for each row");
    }

    /// Returns the cells and their values, to change them.
    #[cfg(feature = "terrain")]
    pub(crate) fn cells_mut(&mut self) -> impl Iterator<Item = (IVec2, &mut f32)> {
        let (width, top_left) = (self.grid.width().max(1), self.top_left);
        let cell = move |i: usize| top_left + IVec2::new((i % width) as i32, (i / width) as i32);
        self.grid.as_mut_slice().iter_mut().enumerate().map(move |(i, value)| (cell(i), value))
    }

    pub(crate) fn view(&self) -> View<'_> {
        View::of(self.viewer, self.top_left, self.grid.view())
    }
}

/// A handle of the values of the last view of a field of view or of a ground.
#[wasm_bindgen]
#[derive(Clone, Default)]
pub struct Frame(pub(crate) Rc<RefCell<Window>>);

#[wasm_bindgen]
impl Frame {
    /// The address of the values in the memory of the module.
    pub fn address(&self) -> usize {
        self.0.borrow().grid.as_slice().as_ptr() as usize
    }

    pub fn left(&self) -> i32 {
        self.0.borrow().top_left.x
    }

    pub fn top(&self) -> i32 {
        self.0.borrow().top_left.y
    }

    pub fn width(&self) -> usize {
        self.0.borrow().grid.width()
    }

    pub fn height(&self) -> usize {
        self.0.borrow().grid.height()
    }
}
