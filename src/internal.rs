//! Items that `farsight-scene` shares with the kernels. They are not part of the API and change without notice: both
//! packages have the same version.

pub mod grid {
    pub use crate::grid::cell_rect::sort_in_rows;
    pub use crate::grid::distance_map::STEPS;
}

pub mod horizon {
    pub use crate::horizon::depth_panorama::{panorama_over, replace_distances};
    pub use crate::horizon::highest_pyramid::HighestPyramid;
}

pub mod light {
    pub use crate::light::light_map::own_light_from;
}

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
    pub use crate::sight::field_of_view::set_kernel;
    pub use crate::sight::opacity_source::ReadOpacities;
    pub use crate::sight::two_parent::Kernel;
    pub use crate::sight::view_plan::CellScale;
    pub use crate::sight::window::window_radius;
}

pub mod simd {
    pub use crate::simd::*;
}

pub mod text {
    pub use crate::text::*;
}

pub mod viewshed {
    pub use crate::viewshed::viewshed::{compute_through, end_transmittance, undecayed};
}
