//! Two-dimensional arrays of cells: [`Grid`], a borrowed [`GridView`], a [`CellRect`] and maps in text.
//!
//! Cells are [`glam::IVec2`]: x grows to the right, y grows downwards, (0, 0) is the top left cell.

mod aligned;
mod aligned_grid;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod grid;
mod rect;
mod text_map;
mod view;

pub(crate) use aligned::AlignedBuffer;
pub(crate) use aligned_grid::AlignedGrid;
pub use grid::{Grid, GridError};
pub use rect::CellRect;
pub use text_map::{TextMap, TextMapError};
pub use view::GridView;
