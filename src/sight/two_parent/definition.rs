//! The plain kernel: one walk along the sorted list. This is the definition of two-parent
//! visibility; whatever is faster is tested against it.

use glam::IVec2;

use crate::sight::offsets::Offset;
use crate::sight::window::{NO_CELL, Window};

/// Leaves in the window the raw visibility of `offsets`, before the path rule and decay.
pub(crate) fn over_window(offsets: &[Offset], window: &mut Window, raw: &mut Vec<f32>, through: &mut Vec<f32>) {
    let centre = window.centre();
    let opacity = window.opacity.view();
    propagate(offsets, |offset| opacity.get(centre + offset).copied().unwrap_or(NO_CELL), raw, through);
    for (offset, &value) in offsets.iter().zip(&*raw) {
        // A list may reach past a window that was cut down to the map.
        if let Some(seen) = window.seen.get_mut(centre + offset.cell) {
            *seen = value;
        }
    }
}

/// Walks `offsets` (a prefix of an [`OffsetList`](super::OffsetList)) and leaves in `raw` the
/// visibility of every offset, in [0, 1], before the path rule and decay.
///
/// `opacity` is asked once for every offset, in order, and answers with a value in [0, 1], or above 1
/// where there is no cell: such a place is neither seen nor seen through. The viewer's own cell
/// never blocks.
///
/// ```text
/// raw(viewer) = 1          raw(c) = wA · T(A) + wB · T(B)          T(p) = raw(p) · (1 − opacity(p))
/// ```
///
/// `through` is working space: T of every offset.
fn propagate(offsets: &[Offset], mut opacity: impl FnMut(IVec2) -> f32, raw: &mut Vec<f32>, through: &mut Vec<f32>) {
    raw.clear();
    through.clear();
    raw.push(1.0);
    through.push(1.0);
    for offset in &offsets[1..] {
        let opacity = opacity(offset.cell);
        let mut seen = 0.0;
        let mut passed = 0.0;
        if opacity <= 1.0 {
            seen = offset.straight_weight() * through[offset.straight as usize]
                + offset.diagonal_weight * through[offset.diagonal as usize];
            passed = seen * (1.0 - opacity);
        }
        raw.push(seen);
        through.push(passed);
    }
}
