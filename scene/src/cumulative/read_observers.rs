//! [`read_observers`]: observers from CSV and GeoJSON, placed on a raster.

use glam::IVec2;

use super::error::ObserverError;
use super::found_points::{FoundPoint, PointKind};
use super::placed_observer::{POINT_KEYS, PlacedObserver, PointValues, ViewLimits};
use super::read_points::{FoundPoints, ObserverFormat, ObserverNote, read_points};
use crate::files::Georeference;

/// The observers of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundObservers {
    /// The observers on the raster.
    pub observers: Vec<PlacedObserver>,
    /// Notes on the file.
    pub notes: Vec<ObserverNote>,
}

/// Reads the observers of a file, and places them on the raster of a georeference with `size` cells. Values that the
/// file does not give are taken from `limits`; an observer with a tip height and no eye height looks from its tip. A
/// turbine has `hub_height_m` and `tip_height_m`, or `height_m` (of its hub) and `rotor_m`. `noun` is the name of a point
/// in messages.
///
/// Columns `longitude` and `latitude` and GeoJSON without a reference system are degrees on WGS 84. Points in a
/// reference system other than that of the raster are converted. GeoJSON without a reference system whose points cannot
/// be degrees is in the coordinates of the raster, like other columns.
///
/// # Errors
/// [`ObserverError`] with the name of the first invalid observer, or with the reference systems if one of them is
/// unknown.
///
/// ```
/// use farsight_scene::cumulative::{ObserverFormat, ViewLimits, read_observers};
/// use farsight_scene::files::{GeoKeys, Georeference};
/// use farsight::glam::ivec2;
/// let place = Georeference { corner: [600_000.0, 5_200_000.0], cell: [30.0, 30.0], keys: GeoKeys::default() };
/// let text = "name,x,y,eye_height_m\nmast,600100,5199900,40\n";
/// let limits = ViewLimits::default();
/// let observers = read_observers(text, ObserverFormat::Csv, &place, ivec2(50, 50), limits, None, "observer")?.observers;
/// assert_eq!((observers[0].cell, observers[0].limits.eye_height_m), (ivec2(3, 3), 40.0));
/// # Ok::<(), farsight_scene::cumulative::ObserverError>(())
/// ```
pub fn read_observers(
    text: &str,
    format: ObserverFormat,
    georeference: &Georeference,
    size: IVec2,
    limits: ViewLimits,
    eye_m: Option<f64>,
    noun: &'static str,
) -> Result<FoundObservers, ObserverError> {
    let kind = PointKind { noun, keys: &POINT_KEYS, default: PointValues::without_heights(limits) };
    let FoundPoints { points, notes } = read_points(text, format, Some(georeference), &kind)?;
    let place = |point: FoundPoint<PointValues>| {
        let own_limits = point.values.limits_or(&limits, eye_m);
        let mut observer = PlacedObserver::new(point.label, point.position, own_limits, georeference, size)?;
        if !point.name.is_empty() {
            observer.name = point.name;
        }
        Ok(observer)
    };
    let observers = points.into_iter().map(place).collect::<Result<_, _>>();
    let observers = observers.map_err(|error| match (error, notes.last()) {
        (
            ObserverError::Outside { observer, x, y, west, south, east, north },
            Some(ObserverNote::Transformed { from, to }),
        ) => {
            let observer = format!("{observer}, converted from {from} to {to},");
            ObserverError::Outside { observer, x, y, west, south, east, north }
        }
        (error, _) => error,
    })?;
    Ok(FoundObservers { observers, notes })
}
