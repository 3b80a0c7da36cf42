//! Two-dimensional arrays of cells: [`Grid`], a borrowed [`GridView`], a [`CellRect`], maps in text, the
//! [`CellSize`] of a map of ground, straight lines of cells ([`Line`], [`BresenhamLine`]), and a [`DistanceMap`] for
//! pathfinding.
//!
//! Cells are [`glam::IVec2`]: x grows to the right, y grows downwards, (0, 0) is the top left cell. Functions accept
//! any [`ToCell`] as a cell.

// `GridView` and `CellRect` are the base, `Grid` and `TextMap` build on them. The kernels keep their values in an `AlignedGrid`, whose
// rows begin at cache lines, and in an `AlignedBuffer`.

mod aligned_buffer;
mod aligned_grid;
pub(crate) mod cell_rect;
mod cell_size;
pub(crate) mod distance_map;
mod drawn_roofs;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod grid;
mod grid_view;
mod line;
mod text_map;
mod to_cell;

pub(crate) use aligned_buffer::AlignedBuffer;
pub(crate) use aligned_grid::AlignedGrid;
pub use cell_rect::CellRect;
pub(crate) use cell_rect::sort_in_rows;
pub use cell_size::CellSize;
pub use distance_map::DistanceMap;
pub(crate) use grid::cell_count;
pub use grid::{Grid, GridError};
pub use grid_view::GridView;
pub use line::{BresenhamLine, Line, TieBreak};
pub use text_map::{TextMap, TextMapError};
pub use to_cell::ToCell;
