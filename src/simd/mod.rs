//! Work on rows of numbers that is written once for vectors of any width, and transposition of tiles in registers.

mod dispatch;
mod transpose;

#[cfg(target_arch = "x86_64")]
pub(crate) use dispatch::has_avx512;
#[cfg(feature = "cli")]
pub(crate) use dispatch::processor_level;
pub(crate) use dispatch::{LANES, dispatch};
#[cfg(target_arch = "x86_64")]
pub(crate) use transpose::transpose_avx2;
pub(crate) use transpose::{TILE_SIDE, Tile, Transpose};
