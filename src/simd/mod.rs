//! Vectors: work on rows that is written once for any width, and squares of numbers that are transposed in registers.

mod dispatch;
mod transpose;

#[cfg(target_arch = "x86_64")]
pub(crate) use dispatch::has_avx512;
pub(crate) use dispatch::{LANES, dispatch};
pub(crate) use transpose::{Swap, Tile, WIDE, in_registers};
