//! The plain kernel: one walk along the sorted list of offsets. It is the definition of two-parent visibility, and the
//! fast kernels are tested against it.
//!
//! ```text
//! raw(viewer) = 1          raw(c) = wA · T(A) + wB · T(B)          T(p) = raw(p) · (1 − opacity(p))
//! ```
//!
//! Every parent comes before its children in the list, so one pass is enough.

use crate::row_requests::NO_CELL;
use crate::sight::offsets::Offset;
use crate::sight::window::Window;

/// Computes the raw visibility of `offsets`, a prefix of an [`OffsetList`](crate::sight::OffsetList), before the path
/// rule and decay. An opacity above 1 means that there is no cell: it is not visible and blocks. The viewer's own cell
/// never blocks.
///
/// `raw` and `through` (T of every offset) are working space.
pub(super) fn over_window(offsets: &[Offset], window: &mut Window, raw: &mut Vec<f32>, through: &mut Vec<f32>) {
    let centre = window.centre();
    let opacity = window.opacity.view();
    raw.clear();
    through.clear();
    raw.push(1.0);
    through.push(1.0);
    for offset in &offsets[1..] {
        let opacity = opacity.get(centre + offset.cell).copied().unwrap_or(NO_CELL);
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
    for (offset, &value) in offsets.iter().zip(&*raw) {
        // The list may reach beyond a window that is clipped to the map.
        if let Some(seen) = window.seen.get_mut(centre + offset.cell) {
            *seen = value;
        }
    }
}
