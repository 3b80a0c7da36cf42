//! [`PlacedObserver`]: an observer on a cell of the raster.

use glam::{DVec2, IVec2, dvec2};

use super::error::ObserverError;
use super::view_limits::ViewLimits;
use crate::files::Georeference;

/// An observer on a cell of the raster.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedObserver {
    /// The name in messages: `observer 3 (North mast)`.
    pub name: String,
    /// The position in the coordinates of the raster.
    pub position: DVec2,
    /// The cell of the position.
    pub cell: IVec2,
    /// The directions, distances and heights that it observes.
    pub limits: ViewLimits,
}

impl PlacedObserver {
    /// Places an observer on the raster of a georeference with `size` cells.
    ///
    /// # Errors
    /// [`ObserverError::Outside`], and those of [`ViewLimits::check`].
    pub fn new(
        name: String,
        position: DVec2,
        limits: ViewLimits,
        georeference: &Georeference,
        size: IVec2,
    ) -> Result<Self, ObserverError> {
        limits.check(&name)?;
        let [west, north] = georeference.corner;
        let [width, height] = georeference.cell;
        let cell = dvec2((position.x - west) / width, (north - position.y) / height).floor();
        if !(cell.cmpge(DVec2::ZERO).all() && cell.cmplt(size.as_dvec2()).all()) {
            let (east, south) = (west + f64::from(size.x) * width, north - f64::from(size.y) * height);
            let DVec2 { x, y } = position;
            return Err(ObserverError::Outside { observer: name, x, y, west, south, east, north });
        }
        Ok(Self { name, position, cell: cell.as_ivec2(), limits })
    }

    /// Checks that the observer is where `has_data` returns `true`.
    ///
    /// # Errors
    /// [`ObserverError::NoGround`].
    pub fn check_ground(&self, has_data: impl Fn(IVec2) -> bool) -> Result<(), ObserverError> {
        if has_data(self.cell) {
            return Ok(());
        }
        Err(ObserverError::NoGround { observer: self.name.clone(), x: self.position.x, y: self.position.y })
    }
}
