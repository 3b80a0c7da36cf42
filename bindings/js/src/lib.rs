//! The module of the package for JavaScript: `ts/` has the classes that users see, which check types and name every argument.
//!
//! Each class here is a handle for one of them. Numbers of cells are whole when they arrive.

mod frame;
mod options;
mod perception;
mod sight;
#[cfg(feature = "terrain")]
mod terrain;

use farsight::glam::IVec2;
use wasm_bindgen::prelude::*;

/// Returns `true` if a number of bytes can be allocated. Rust ends a program whose allocation fails.
#[wasm_bindgen(js_name = canAllocate)]
pub fn can_allocate(bytes: f64) -> bool {
    bytes < f64::from(u32::MAX) && Vec::<u8>::new().try_reserve_exact(bytes as usize).is_ok()
}

/// Returns the pairs of coordinates as cells.
fn cells_of(pairs: &[i32]) -> impl Iterator<Item = IVec2> + Clone {
    pairs.chunks_exact(2).map(|pair| IVec2::new(pair[0], pair[1]))
}

/// Returns the coordinates of cells, one after the other.
fn pairs_of(cells: &[IVec2]) -> Vec<i32> {
    cells.iter().flat_map(|cell| cell.to_array()).collect()
}
