//! The definition of two-parent visibility: one pass over the offset list, nearest first. Every kernel gives its bits.
//!
//! ```text
//! raw(viewer) = 1          raw(c) = wA · T(A) + wB · T(B)          T(p) = raw(p) · (1 − opacity(p))
//! ```

use std::ops::{Add, Mul, Sub};

use crate::sight::offsets::Offset;
use crate::sight::window::Window;

/// Computes the raw value of the listed cells that are in the window, from its opacities. An opacity above 1 marks a
/// missing cell: it is not visible and blocks. The viewer's own cell never blocks. `passing` is a buffer for T of each
/// offset.
pub(super) fn sweep_list(offsets: &[Offset], window: &mut Window, passing: &mut Vec<f32>) {
    let viewer = window.centre();
    window.seen[viewer] = 1.0;
    passing.clear();
    passing.push(1.0);
    for offset in &offsets[1..] {
        let (cell, parents) = (viewer + offset.cell, [offset.straight, offset.diagonal]);
        let [straight, diagonal] = parents.map(|parent| passing[parent as usize]);
        let raw = arriving(1.0, offset.diagonal_weight, straight, diagonal);
        let opacity = window.opacity.get(cell).filter(|opacity| **opacity <= 1.0);
        passing.push(opacity.map_or(0.0, |opacity| raw * (1.0 - opacity)));
        if let Some(seen) = window.seen.get_mut(cell) {
            *seen = if opacity.is_some() { raw } else { 0.0 };
        }
    }
}

/// Returns raw(c) from wB, T(A) and T(B), for one cell or the lanes of a vector.
#[inline(always)]
pub(crate) fn arriving<V>(one: V, diagonal_weight: V, straight: V, diagonal: V) -> V
where
    V: Copy + Add<Output = V> + Sub<Output = V> + Mul<Output = V>,
{
    (one - diagonal_weight) * straight + diagonal_weight * diagonal
}
