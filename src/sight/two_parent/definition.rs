//! The plain sweep, ring by ring and cell by cell. It is the definition of two-parent visibility: the fast sweep gives its bits.
//!
//! ```text
//! raw(viewer) = 1          raw(c) = wA · T(A) + wB · T(B)          T(p) = raw(p) · (1 − opacity(p))
//! ```
//!
//! The cells with the same M = max(|dx|, |dy|) form ring M. Both parents of a cell are in ring M − 1, so the cells of a ring can be
//! computed in any order, or at the same time.

use glam::{IVec2, ivec2};

use crate::sight::offsets::{axes, diagonal_weight};
use crate::sight::window::Window;
use crate::sight_config::Weights;

/// Computes the raw value of every cell in sight from the opacities of the window. An opacity above 1 means that there is no cell:
/// it is not visible and blocks. The viewer's own cell never blocks.
pub(super) fn sweep_rings(window: &mut Window, in_sight: u32, weights: Weights) {
    let viewer = window.centre();
    window.seen[viewer] = 1.0;
    for m in 1..=in_sight.min(window.radius) as i32 {
        for offset in ring(m).filter(|offset| offset.length_squared() as u32 <= in_sight * in_sight) {
            let (along, across) = axes(offset);
            let [straight, diagonal] = [offset - along, offset - along - across].map(|parent| passing(window, parent));
            let diagonal_weight = diagonal_weight(offset, weights);
            let exists = window.opacity[viewer + offset] <= 1.0;
            let seen = (1.0 - diagonal_weight) * straight + diagonal_weight * diagonal;
            window.seen[viewer + offset] = if exists { seen } else { 0.0 };
        }
    }
}

/// Returns the offsets that are `m` moves of a chess king from the viewer.
fn ring(m: i32) -> impl Iterator<Item = IVec2> {
    let side = (-m..m).map(move |n| ivec2(n, -m));
    side.flat_map(|offset| [offset, offset.perp(), -offset, -offset.perp()])
}

/// Returns the light that passes the cell at an offset.
fn passing(window: &Window, offset: IVec2) -> f32 {
    let cell = window.centre() + offset;
    match window.opacity[cell] {
        _ if offset == IVec2::ZERO => 1.0,
        opacity if opacity <= 1.0 => window.seen[cell] * (1.0 - opacity),
        _ => 0.0,
    }
}
