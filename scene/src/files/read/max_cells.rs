//! [`MAX_CELLS`]: the maximum number of cells of a map.

/// The side of the largest square map. A page decodes maps on its only thread, in a memory of 4 GiB.
pub(super) const MAX_SIDE: u64 = if cfg!(target_pointer_width = "32") { 4096 } else { 16384 };

/// The maximum number of cells of a map: 16384 × 16384, and 4096 × 4096 with 32-bit pointers, as on a page.
pub const MAX_CELLS: u64 = MAX_SIDE * MAX_SIDE;
