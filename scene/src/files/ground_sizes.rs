//! The cell sizes of a raster on the ground, and the latitudes of cells.

use glam::IVec2;

use super::geo_keys::CoordinateUnit;
use super::georeference::{CellSizeError, Georeference, MAX_SIDE_RATIO};
use super::reference_system::{GroundSizes, ReferenceSystem, TRUE_SCALE};
use crate::world::CellSizes;
use farsight::grid::CellSize;

/// The length on the ground of a metre of a projected raster.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroundScale {
    /// Metres on the ground, in the middle of the raster.
    pub middle: f64,
    /// The maximum relative deviation elsewhere on the raster.
    pub change: f64,
}

impl Georeference {
    /// Returns the latitude of a cell in degrees on the datum of the raster, if the reference system is known.
    pub fn latitude_deg(&self, cell: IVec2) -> Option<f64> {
        let middle = self.middle_of(cell);
        let latitude = match self.keys.is_in_degrees() {
            true => middle.y,
            false => ReferenceSystem::from_keys(&self.keys)?.degrees_on_own_datum(middle)?.y,
        };
        (-90.0..=90.0).contains(&latitude).then_some(latitude)
    }

    /// Returns the meridian convergence at a cell in degrees: the azimuth of grid north, which is up on the raster, from true
    /// north. `None` if the reference system is not known.
    pub fn convergence_deg(&self, cell: IVec2) -> Option<f64> {
        if self.keys.is_in_degrees() {
            return Some(0.0);
        }
        let metre = self.keys.length_unit()?.metres();
        ReferenceSystem::from_keys(&self.keys)?.convergence_deg(self.middle_of(cell), metre)
    }

    /// Returns the sides of the cells of a raster of some columns and rows. Degrees are converted on the WGS 84 ellipsoid, row by
    /// row, and so are metres that the projection stretches.
    ///
    /// # Errors
    /// [`CellSizeError`].
    pub fn cell_sizes(&self, size: IVec2) -> Result<CellSizes, CellSizeError> {
        if let Some(radius_m) = self.keys.radius_of_other_body_m() {
            return Err(CellSizeError::OtherBody { radius_m });
        }
        let sizes = match self.keys.unit() {
            CoordinateUnit::Other(code) => return Err(CellSizeError::Unit(code)),
            CoordinateUnit::OtherLength(metres) => return Err(CellSizeError::UnitLength { metres }),
            CoordinateUnit::Length(unit) => match ReferenceSystem::from_keys(&self.keys) {
                Some(system) => system.ground_sizes(self, size, unit.metres())?.sizes,
                None => CellSizes::Equal(self.cell.map(|side| side * unit.metres())),
            },
            CoordinateUnit::Degrees => CellSizes::Geographic { north: self.corner[1], cell: self.cell },
        };
        let last = (size.y as usize).saturating_sub(1);
        if let CellSizes::Geographic { north, cell: [_, height] } = sizes {
            let south = north - f64::from(size.y) * height;
            // Half a cell beyond the pole: the cells of some global grids are points, the first and the last on the poles.
            let beyond = [north - height / 2.0, -south - height / 2.0].into_iter().fold(0.0, f64::max);
            if beyond > 90.0 {
                return Err(CellSizeError::Latitude { north, south });
            }
        }
        let thinnest = |row: usize| {
            let cell = sizes.at_row(row as f64);
            let ratio = cell.ratios().max_element();
            if ratio <= MAX_SIDE_RATIO { Ok(()) } else { Err(self.oblong(cell, row)) }
        };
        thinnest(0).and_then(|()| thinnest(last)).map(|()| sizes)
    }

    /// Returns the length on the ground of a metre of the raster, if the distortion exceeds half a percent.
    pub fn ground_scale(&self, size: IVec2) -> Option<GroundScale> {
        let metre = self.keys.length_unit()?.metres();
        let GroundSizes { sizes, change } =
            ReferenceSystem::from_keys(&self.keys)?.ground_sizes(self, size, metre).ok()?;
        let nominal = CellSize::new(self.cell[0] * metre, self.cell[1] * metre).mean_m();
        let middle = sizes.in_the_middle(size.y as usize).mean_m() / nominal;
        ((middle - 1.0).abs() > TRUE_SCALE || change > TRUE_SCALE).then_some(GroundScale { middle, change })
    }

    /// Returns `true` for a projected raster with an unknown projection, whose metres are used as metres on the ground.
    pub fn has_unknown_scale(&self, size: IVec2) -> bool {
        let Some(unit) = self.keys.length_unit().filter(|_| !self.keys.is_empty()) else { return false };
        ReferenceSystem::from_keys(&self.keys).is_none_or(|system| !system.has_scale(self, size, unit.metres()))
    }

    fn oblong(&self, cell: CellSize, row: usize) -> CellSizeError {
        let latitude = self.corner[1] - (row as f64 + 0.5) * self.cell[1];
        let latitude = self.keys.is_in_degrees().then_some(latitude);
        CellSizeError::Oblong { width_m: cell.x_m, height_m: cell.y_m, latitude }
    }
}
