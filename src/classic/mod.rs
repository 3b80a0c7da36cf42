//! Three older fields of view, each faithful to its source: yes or no for every cell, over walls.
//!
//! | [`ClassicMethod`] | how |
//! |---|---|
//! | `Shadowcast` | arcs of light, row by row in eight octants, shrink at walls |
//! | `RaycastBorder` | a Bresenham line to every cell of the border; then walls behind seen floor are repaired |
//! | `RaycastCircle` | a fixed number of Bresenham lines to a far circle |
//!
//! Their faults are known, and kept. None is symmetric: whether a sees b depends on which of the two
//! looks. `RaycastCircle` leaves gaps between its lines, the more the farther away. Lines that run
//! along a wall miss parts of it; `RaycastBorder` repairs that, but for the corners of rooms. The file
//! of each method says more.
//!
//! A cell is a wall where its opacity reaches [`ClassicConfig::wall_at`]; below it the cell is clear.
//! In all three the viewer's own cell never blocks, a wall that is reached is seen, and nothing beyond
//! dx² + dy² = radius² is.
//!
//! ```
//! use farsight::classic::{self, ClassicConfig};
//! use farsight::{Grid, OpacityMap};
//! use farsight::glam::ivec2;
//! let map = OpacityMap::try_from(Grid::<f32>::from_text("...#.")?)?;
//! let view = classic::visible(&map, ivec2(0, 0), &ClassicConfig::default())?;
//! assert!(view.get(ivec2(3, 0))); // the wall itself is seen
//! assert!(!view.get(ivec2(4, 0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod config;
mod line;
mod memory;
mod raycast_border;
mod raycast_circle;
mod shadowcast;
mod surroundings;
mod view;

use glam::IVec2;

use crate::classic::surroundings::Surroundings;
pub use choice::ClassicChoice;
pub use config::{ClassicConfig, ClassicMethod};
pub use line::{Line, Ties};
pub use memory::{TileMemory, TileState};
pub use view::ClassicView;

use crate::sight::{OpacityMap, SightError};

/// What is seen from `viewer` on a map. Cost depends on the radius, never on the size of the map.
///
/// # Errors
/// [`SightError::ViewerOutside`]; [`SightError::RadiusTooLarge`] if more than
/// [`OffsetList::MAX_RADIUS`](crate::sight::OffsetList::MAX_RADIUS) cells of the map are in range in a direction.
pub fn visible(opacity: &OpacityMap, viewer: IVec2, config: &ClassicConfig) -> Result<ClassicView, SightError> {
    let grid = opacity.grid();
    visible_within(grid.size(), viewer, config, |cell| grid[cell])
}

/// What is seen from `viewer` on a map of known size (width, height) whose opacities a closure
/// tells, for maps that depend on the viewer.
///
/// Only cells of the map are asked for, some of them many times, so the answer should be at hand. A
/// value that is not a number is clear.
///
/// # Errors
/// As [`visible`].
pub fn visible_within(
    size: IVec2,
    viewer: IVec2,
    config: &ClassicConfig,
    opacity: impl Fn(IVec2) -> f32,
) -> Result<ClassicView, SightError> {
    let around = Surroundings::new(size, viewer, config, opacity)?;
    let mut view = ClassicView::new(viewer, around.window());
    view.mark(IVec2::ZERO);
    match config.method {
        ClassicMethod::Shadowcast => shadowcast::shadowcast(&around, &mut view),
        ClassicMethod::RaycastBorder => {
            raycast_border::cast(&around, &mut view);
            if config.repair {
                raycast_border::repair(&around, &mut view);
            }
        }
        ClassicMethod::RaycastCircle => raycast_circle::cast(&around, config.rays, &mut view),
    }
    Ok(view)
}
