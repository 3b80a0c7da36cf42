//! Work on rows that is written once, for vectors of any width, and compiled for those of the processor at hand.

use pulp::WithSimd;

#[cfg(target_arch = "x86_64")]
use super::sixteen::{Sixteen, widely};

/// Numbers that are worked on at once: the lanes of the widest vectors.
pub(crate) const LANES: usize = 16;

/// Does work in the widest vectors that this processor knows. It gives the same bits on any, as long as it is plain
/// arithmetic, lane by lane.
pub(crate) fn widest<W: WithSimd>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if Sixteen::is_supported() {
        return widely(work);
    }
    pulp::Arch::new().dispatch(work)
}
