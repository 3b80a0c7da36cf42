//! [`Radii`]: how much of the radius a map can fill.

use glam::{IVec2, UVec2};

use super::error::SightError;
use super::offsets::OffsetList;
use super::radius_shape::RadiusShape;
use super::window::window_radius;
use crate::grid::CellRect;

/// Lists up to this radius are made with a field of view. Larger lists are made on demand, up to the edge of the map.
pub(super) const EAGER_LIST_RADIUS: u32 = 256;

/// The radii of one view, in cells.
#[derive(Clone, Copy)]
pub(crate) struct Radii {
    /// Cells farther away are out of range or off the map.
    pub(crate) in_sight: u32,
    /// The radius of the window.
    pub(super) window: u32,
    /// The radius of the list of beams, which determines their number.
    pub(super) beam_list: u32,
}

impl Radii {
    /// Returns the radii for a viewer among the cells of `extent`.
    pub(super) fn new(
        shape: RadiusShape,
        radius: u32,
        extent: Option<CellRect>,
        viewer: IVec2,
    ) -> Result<Self, SightError> {
        let outer = shape.outer_radius(radius);
        let mut radii = Self { in_sight: outer, window: radius, beam_list: outer };
        if let Some(extent) = extent {
            if !extent.contains(viewer) {
                return Err(SightError::ViewerOutside { viewer, extent });
            }
            let edge = viewer.saturating_sub(extent.min).max(extent.max.saturating_sub(viewer + 1)).as_uvec2();
            let side = edge.max_element();
            // Most maps are larger than a radius: then the square root is not needed.
            let corner = match shape {
                RadiusShape::Square => edge.min(UVec2::splat(radius)).as_dvec2().length().ceil() as u32,
                _ if side >= radius => radius,
                _ => edge.as_dvec2().length().ceil() as u32,
            };
            radii = Self {
                in_sight: outer.min(corner),
                window: window_radius(radius, side),
                beam_list: outer.min(corner.next_power_of_two().max(EAGER_LIST_RADIUS)).min(OffsetList::MAX_RADIUS),
            };
        }
        let limit = i32::MAX / 2;
        if viewer.cmplt(IVec2::splat(-limit)).any() || viewer.cmpge(IVec2::splat(limit)).any() {
            return Err(SightError::TooFarAway { viewer, limit });
        }
        if radii.in_sight > OffsetList::MAX_RADIUS {
            return Err(SightError::RadiusTooLarge { radius: radii.in_sight, limit: OffsetList::MAX_RADIUS });
        }
        Ok(radii)
    }
}
