//! [`CellScale`]: views over rectangular cells on the ground.
//!
//! A straight line of cells is straight on the ground, whatever the sides of a cell: offsets, parents and rays hold. Only lengths
//! differ. All crossings of a line are longer by the same factor, which depends on its direction: a visibility in even or uneven
//! air is raised to the power of this factor. The range of sight is a circle on the ground, in units of the shorter side.

use glam::{DVec2, IVec2};

use super::window::Window;
use crate::grid::CellSize;
use crate::math::{exp2_approx, log2_approx};
use crate::sight_config::{PathRule, SightConfig};

/// The sides of the cells around a viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellScale {
    cell_size: CellSize,
    /// The shorter side over the length for which the opacities of cells hold.
    depth: f64,
}

impl CellScale {
    /// Returns `None` for square cells whose opacities hold for their side. `opacity_length_m` is the length of the way through
    /// a cell for which opacities hold.
    pub(crate) fn new(cell_size: CellSize, opacity_length_m: f64) -> Option<Self> {
        let depth = cell_size.shorter_m() / opacity_length_m;
        (!cell_size.is_square() || depth != 1.0).then_some(Self { cell_size, depth })
    }

    /// Returns both sides over the shorter one.
    pub(super) fn ratios(&self) -> DVec2 {
        self.cell_size.ratios()
    }

    /// Returns the distance of an offset in units of the shorter side.
    pub(crate) fn distance(&self, offset: IVec2) -> f64 {
        (offset.as_dvec2() * self.cell_size.ratios()).length()
    }

    /// Returns the factor by which a line to an offset is longer than in square cells for which the opacities hold.
    pub(crate) fn exponent(&self, path: PathRule, offset: IVec2) -> f64 {
        match path {
            PathRule::PerCell => self.depth * self.cell_size.mean_m() / self.cell_size.shorter_m(),
            PathRule::PerLength if offset == IVec2::ZERO => self.depth,
            PathRule::PerLength => self.depth * self.distance(offset) / offset.as_dvec2().length(),
        }
    }

    /// Returns the visibility that a line to an offset has, from that in square cells.
    pub(crate) fn raised(&self, visibility: f32, path: PathRule, offset: IVec2) -> f32 {
        if visibility > 0.0 && visibility < 1.0 {
            let log2 = log2_approx(visibility) * self.exponent(path, offset) as f32;
            exp2_approx(if log2 > -126.0 { log2 } else { -126.0 })
        } else {
            visibility
        }
    }

    /// Raises all visibilities of a window within `in_sight` cells.
    pub(super) fn raise(&self, window: &mut Window, in_sight: u32, path: PathRule) {
        let centre = window.centre();
        for (y, columns) in window.rows(in_sight) {
            for (x, seen) in columns.clone().zip(&mut window.seen.row_mut(y)[columns]) {
                *seen = self.raised(*seen, path, IVec2::new(x as i32, y as i32) - centre);
            }
        }
    }

    /// Clears the cells of a window beyond the range of sight, and multiplies the others by the decay.
    pub(super) fn clip(&self, window: &mut Window, in_sight: u32, config: &SightConfig, has_decay: bool) {
        let centre = window.centre();
        for (y, columns) in window.rows(in_sight) {
            for (x, seen) in columns.clone().zip(&mut window.seen.row_mut(y)[columns]) {
                let offset = IVec2::new(x as i32, y as i32) - centre;
                if !config.shape.contains_on(self.cell_size, offset, config.radius) {
                    *seen = 0.0;
                } else if has_decay && *seen > 0.0 {
                    *seen *= config.decay.at(self.distance(offset), config.radius) as f32;
                }
            }
        }
    }
}
