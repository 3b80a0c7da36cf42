//! The two-parent method: a cell takes its light from up to two cells that are one step nearer to the viewer.
//!
//! `definition` is one pass over the offset list, nearest first: the definition of the method, to be read first.
//! `sweep` goes outwards octant by octant in vectors of 8 or 16 lanes, and gives the same bits in less time. `kernel`
//! chooses between them. `target` computes a single cell.
//!
//! The raw value of a cell is `wA · T(A) + wB · T(B)`, with A the straight and B the diagonal parent, and
//! `T(p) = raw(p) · (1 − opacity(p))` the light that passes a parent. With M the longer and m the shorter of |dx| and
//! |dy|, linear weights are wB = m/M and wA = 1 − wB. All kernels compute m/M as `m * (1.0 / M)`, without fused
//! multiply-add, and with wB exactly 1 on the diagonal, so that their bits agree.

pub(super) mod definition;
mod kernel;
pub(super) mod sweep;
mod target;

pub use kernel::Kernel;
pub(super) use kernel::TwoParent;
