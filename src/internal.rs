//! What `farsight-scene` shares with the kernels. It is not part of the API and changes without notice: both packages have the same
//! version.

pub mod math {
    pub use crate::math::*;
}

pub mod named_enum {
    pub use crate::named_enum::underscored;
}

pub mod parallel {
    pub use crate::parallel::*;
}

pub mod row_requests {
    pub use crate::row_requests::*;
}

pub mod sight_config {
    pub use crate::sight_config::{KnownMethod, RowPart, SectorEdges};
}

pub mod sight {
    pub use crate::sight::opacity_source::ReadOpacities;
}

pub mod simd {
    pub use crate::simd::*;
}

pub mod text {
    pub use crate::text::*;
}
