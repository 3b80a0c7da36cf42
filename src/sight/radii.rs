//! [`Radii`]: how much of the radius a map can fill.

use glam::{IVec2, UVec2};

use super::offsets::OffsetList;
use super::window::window_radius;
use crate::grid::CellRect;
use crate::sight_config::{RadiusShape, SightError};

/// Lists up to this radius are made with a field of view. Larger lists are made on demand, up to the edge of the map.
pub(super) const EAGER_LIST_RADIUS: u32 = 256;

/// Coordinates of viewers that need no check.
const NEAR: i32 = 1 << 20;

/// The radii of one view, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    #[inline]
    pub(super) fn new(
        shape: RadiusShape,
        radius: u32,
        extent: Option<CellRect>,
        viewer: IVec2,
    ) -> Result<Self, SightError> {
        // A small disc that ends on the map needs nothing of what follows, which would take a tenth of its time.
        if let Some(CellRect { min, max }) = extent
            && radius <= EAGER_LIST_RADIUS
            && shape != RadiusShape::Square
            && viewer.min_element() > -NEAR
            && viewer.max_element() < NEAR
            && viewer.saturating_sub(min).min(max.saturating_sub(viewer + 1)).min_element() >= radius as i32
        {
            return Ok(Self { in_sight: radius, window: radius, beam_list: radius });
        }
        // Taken apart, so that the radii of a small disc stay in registers: reading them back from memory takes longer.
        let Self { in_sight, window, beam_list } = Self::clipped(shape, radius, extent, viewer)?;
        Ok(Self { in_sight, window, beam_list })
    }

    fn clipped(shape: RadiusShape, radius: u32, extent: Option<CellRect>, viewer: IVec2) -> Result<Self, SightError> {
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

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn small_discs_on_the_map_have_the_radii_of_any_disc() {
        let extents = [CellRect::of_size(ivec2(40, 21)), CellRect { min: ivec2(-7, 3), max: ivec2(1200, 1100) }];
        let mut whole = 0;
        for extent in extents {
            for viewer in
                [ivec2(0, 0), ivec2(5, 9), ivec2(20, 10), ivec2(600, 500), ivec2(1199, 3), IVec2::MIN, IVec2::MAX]
            {
                for radius in [0, 1, 8, 10, 11, 12, 20, 21, 256, 257, 497, 498, 4096] {
                    for shape in [RadiusShape::Circle, RadiusShape::Diamond, RadiusShape::Square] {
                        let radii = |found: Result<Radii, SightError>| found.map_err(|error| error.to_string());
                        let found = radii(Radii::new(shape, radius, Some(extent), viewer));
                        let expected = radii(Radii::clipped(shape, radius, Some(extent), viewer));
                        assert_eq!(found, expected, "{shape:?} of {radius} from {viewer}");
                        whole += usize::from(found.is_ok_and(|found| found.in_sight == radius));
                    }
                }
            }
        }
        assert!(whole > 50, "{whole}");
    }
}
