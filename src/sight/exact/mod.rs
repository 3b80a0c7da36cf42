//! The exact method: traced lines to many points of every cell. It is the reference for the other methods.
//!
//! `trace` computes a whole view, or a single cell of it.
//!
//! A cell's visibility is the mean over `samples` × `samples` points, evenly spaced over its square. The line from the
//! viewer's centre to a point is followed from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm for ray
//! tracing", 1987) in integers, so that a line through a corner passes exactly through it. Each cell between viewer and
//! target multiplies the line's transmittance by (1 − opacity)^chord (`per_length`, chord in cells) or
//! (1 − opacity)^(chord · M/r) (`per_cell`, with M = max(|dx|, |dy|) and r the distance of the crossed cell).
//!
//! A line has no approximation. The mean over points differs from the mean over the square only where an edge of a shadow
//! crosses the cell, by at most about 1/`samples` of its contrast there; see
//! [`SightConfig::samples`](super::SightConfig::samples).

mod trace;

pub(crate) use trace::{chord_scale, depth_of, follow, length_of, points_of};
pub(super) use trace::{line_lengths, trace, trace_to};
