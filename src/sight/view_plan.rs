//! [`ViewPlan`]: the extent of a view.

use glam::{DVec2, IVec2, UVec2};

use super::window::{Window, window_radius};
use crate::grid::{CellRect, CellSize};
use crate::math::{exp2_approx, log2_approx};
use crate::sight_config::{
    OctantPart, OctantParts, PathRule, RadiusShape, RowPart, Sector, SectorEdges, SightConfig, SightError,
};

/// The extent of a view. It is created once for each view, and passed to the solver and to the last steps.
#[derive(Clone, Debug)]
pub(super) struct ViewPlan {
    pub(super) viewer: IVec2,
    /// The cells of the map, or `None` for a map without an edge.
    pub(super) extent: Option<CellRect>,
    pub(super) radii: Radii,
    /// The sides of rectangular cells.
    pub(super) scale: Option<CellScale>,
    pub(super) sector: SectorMask,
}

impl Default for ViewPlan {
    fn default() -> Self {
        let radii = Radii { in_sight: 0, window: 0 };
        let sector = SectorMask::new(Sector::ALL, DVec2::ONE);
        Self { viewer: IVec2::ZERO, extent: None, radii, scale: None, sector }
    }
}

impl ViewPlan {
    /// Plans the view of a viewer among the cells of `extent`.
    #[inline]
    pub(super) fn set(
        &mut self,
        config: &SightConfig,
        extent: Option<CellRect>,
        viewer: IVec2,
        scale: Option<CellScale>,
        sector: Sector,
    ) -> Result<(), SightError> {
        (self.viewer, self.extent) = (viewer, extent);
        self.radii = Radii::new(config.shape_in_sight(), config.radius, extent, viewer)?;
        self.scale = scale;
        self.sector.set(sector, scale.map_or(DVec2::ONE, |scale| scale.cell_size.ratios()));
        Ok(())
    }
}

/// Up to this radius, lists of beams and offsets have exactly the radius. Larger lists have a power of two as their
/// radius, up to the edge of the map.
pub(super) const SMALL_LIST_RADIUS: u32 = 256;

/// The radii of one view, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Radii {
    /// The maximum distance of a cell in range and on the map.
    pub(crate) in_sight: u32,
    /// The radius of the window.
    pub(super) window: u32,
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
        let outer = shape.outer_radius(radius);
        let mut radii = Self { in_sight: outer, window: radius };
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
            radii = Self { in_sight: outer.min(corner), window: window_radius(radius, side) };
        }
        let limit = i32::MAX / 2;
        if viewer.cmplt(IVec2::splat(-limit)).any() || viewer.cmpge(IVec2::splat(limit)).any() {
            return Err(SightError::TooFarAway { viewer, limit });
        }
        if radii.in_sight > SightConfig::MAX_RADIUS {
            return Err(SightError::RadiusTooLarge { radius: radii.in_sight, limit: SightConfig::MAX_RADIUS });
        }
        Ok(radii)
    }

    /// Returns the radius of the list of beams, on which their number depends, and of the offset list: that of the
    /// configuration, or the next power of two on a smaller map.
    pub(super) fn list(&self, config: &SightConfig) -> u32 {
        let on_map = self.in_sight.next_power_of_two().clamp(SMALL_LIST_RADIUS, SightConfig::MAX_RADIUS);
        config.shape_in_sight().outer_radius(config.radius).min(on_map)
    }
}

/// The sides of rectangular cells around a viewer.
///
/// A straight line of cells is straight on the ground for any sides of a cell: offsets, parents and rays stay valid,
/// and only lengths differ. All crossings of a line are longer by the same factor, which depends on its direction: a
/// visibility in any air is raised to the power of this factor. The range of sight is a circle on the ground, in units
/// of the shorter side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellScale {
    cell_size: CellSize,
    /// The ratio of the shorter side to the reference length of opacities.
    depth: f64,
}

impl CellScale {
    /// Returns the sides of a cell.
    pub(super) fn cell_size(&self) -> CellSize {
        self.cell_size
    }

    /// Returns `None` for square cells whose side is the reference length of opacities. `opacity_length_m` is the
    /// reference length: the path length through a cell for which its opacity is given.
    pub fn new(cell_size: CellSize, opacity_length_m: f64) -> Option<Self> {
        let depth = cell_size.shorter_m() / opacity_length_m;
        (!cell_size.is_square() || depth != 1.0).then_some(Self { cell_size, depth })
    }

    /// Returns `true` if the cell at an offset is within a radius in units of the shorter side.
    pub(super) fn is_in_range(&self, shape: RadiusShape, offset: IVec2, radius: u32) -> bool {
        shape.contains_on(self.cell_size, offset, radius)
    }

    /// Returns the distance of an offset in units of the shorter side.
    pub fn distance(&self, offset: IVec2) -> f64 {
        (offset.as_dvec2() * self.cell_size.ratios()).length()
    }

    /// Returns the length of a line to an offset, relative to square cells with the reference length as their side.
    pub fn exponent(&self, path: PathRule, offset: IVec2) -> f64 {
        match path {
            PathRule::PerCell => self.depth * self.cell_size.mean_m() / self.cell_size.shorter_m(),
            PathRule::PerLength if offset == IVec2::ZERO => self.depth,
            PathRule::PerLength => self.depth * self.distance(offset) / offset.as_dvec2().length(),
        }
    }

    /// Returns the visibility along a line to an offset, from that in square cells.
    pub(crate) fn raised(&self, visibility: f32, path: PathRule, offset: IVec2) -> f32 {
        if visibility > 0.0 && visibility < 1.0 {
            let log2 = log2_approx(visibility) * self.exponent(path, offset) as f32;
            exp2_approx(if log2 > -126.0 { log2 } else { -126.0 })
        } else {
            visibility
        }
    }
}

/// The parts of octants and rows that are in a sector, computed once for many views.
#[derive(Clone, Debug)]
pub(super) struct SectorMask {
    sector: Sector,
    /// The ratios of the sides of cells.
    ratios: DVec2,
    edges: SectorEdges,
    octants: OctantParts,
    /// The cached parts of rows 0, −1, 1, −2, 2, ….
    rows: Vec<[RowPart; 2]>,
}

impl SectorMask {
    /// Creates the mask of a sector over cells whose sides have these ratios.
    pub(super) fn new(sector: Sector, ratios: DVec2) -> Self {
        let edges = sector.edges(ratios);
        let octant = |k| if sector.is_full() { OctantPart::Inside } else { edges.octant(k) };
        Self { octants: OctantParts::new(std::array::from_fn(octant)), rows: Vec::new(), sector, ratios, edges }
    }

    /// Changes the sector and the ratios.
    #[inline]
    pub(super) fn set(&mut self, sector: Sector, ratios: DVec2) {
        if (self.sector, self.ratios) != (sector, ratios) {
            let mut rows = std::mem::take(&mut self.rows);
            rows.clear();
            *self = Self { rows, ..Self::new(sector, ratios) };
        }
    }

    /// Returns the part of each octant.
    #[inline]
    pub(super) fn octants(&self) -> &OctantParts {
        &self.octants
    }

    /// Clears the visibilities of a window's cells within `in_sight` that are not in the sector.
    #[inline]
    pub(super) fn clip(&mut self, window: &mut Window, in_sight: u32) {
        if !self.sector.is_full() {
            self.clip_rows(window, in_sight);
        }
    }

    fn clip_rows(&mut self, window: &mut Window, in_sight: u32) {
        let middle = window.radius as usize;
        let edges = &self.edges;
        let missing = self.rows.len() as i32..in_sight.min(window.radius) as i32 + 1;
        self.rows.extend(missing.map(|dy| [-dy, dy].map(|dy| edges.row(dy))));
        let own = window.seen[window.centre()];
        for (y, columns) in window.rows(in_sight) {
            let RowPart { columns: part, is_gap } = &self.rows[y.abs_diff(middle)][usize::from(y > middle)];
            let column =
                |dx: i32| (middle as i64 + i64::from(dx)).clamp(columns.start as i64, columns.end as i64) as usize;
            let (start, end) = (column(part.start), column(part.end));
            let row = window.seen.row_mut(y);
            if *is_gap {
                row[start..end.max(start)].fill(0.0);
            } else {
                row[columns.start..start].fill(0.0);
                row[end.max(start)..columns.end].fill(0.0);
            }
        }
        let centre = window.centre();
        window.seen[centre] = own;
    }
}
