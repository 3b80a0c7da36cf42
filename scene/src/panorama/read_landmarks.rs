//! [`read_landmarks`]: places with names and heights from CSV and GeoJSON.

use glam::{DVec2, IVec2, dvec2};

use super::named_feature::Landmark;
use crate::cumulative::{
    FoundPoints, ObserverError, ObserverFormat, ObserverNote, POINT_KEYS, PointKind, PointValues, ViewLimits,
    read_points,
};
use crate::files::Georeference;

/// The landmarks of a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundLandmarks {
    /// The landmarks on the raster.
    pub landmarks: Vec<Landmark>,
    /// The landmarks off the raster.
    pub outside: usize,
    /// Notes on the file.
    pub notes: Vec<ObserverNote>,
}

/// Reads the landmarks of a file, with their heights, on a raster of `size` cells. Keys and conversion of points are those of
/// [`read_observers`](crate::cumulative::read_observers). Without a georeference, x and y are cells: 0,0 is the centre of cell 0,0.
///
/// # Errors
/// [`ObserverError`] for the first place that cannot be used, and for a file without places.
///
/// ```
/// use farsight_scene::cumulative::ObserverFormat;
/// use farsight::glam::{dvec2, ivec2};
/// use farsight_scene::panorama::read_landmarks;
/// let text = "name,x,y,height_m,rotor_m\nturbine,12,8,90,70\nbridge,30,9,,\n";
/// let found = read_landmarks(text, ObserverFormat::Csv, None, ivec2(64, 64))?.landmarks;
/// assert_eq!((&*found[0].name, found[0].height_m, found[1].place), ("turbine", 90.0, dvec2(30.0, 9.0)));
/// # Ok::<(), farsight_scene::cumulative::ObserverError>(())
/// ```
pub fn read_landmarks(
    text: &str,
    format: ObserverFormat,
    georeference: Option<&Georeference>,
    size: IVec2,
) -> Result<FoundLandmarks, ObserverError> {
    let kind =
        PointKind { noun: "place", keys: &POINT_KEYS, default: PointValues::without_heights(ViewLimits::default()) };
    let FoundPoints { points, notes } = read_points(text, format, georeference, &kind)?;
    let place = |position: DVec2| match georeference {
        Some(georeference) => {
            let Georeference { corner: [west, north], cell: [width, height], .. } = georeference;
            let position = georeference.wrapped(position, size);
            dvec2((position.x - west) / width, (north - position.y) / height) - 0.5
        }
        None => position,
    };
    let count = points.len();
    let landmarks: Vec<Landmark> = points
        .into_iter()
        .map(|point| Landmark {
            name: point.name,
            place: place(point.position),
            height_m: point.values.tower_m(),
            rotor_m: point.values.rotor_m(),
        })
        .filter(|landmark| {
            let cell = landmark.place.round();
            cell.cmpge(DVec2::ZERO).all() && cell.cmplt(size.as_dvec2()).all()
        })
        .collect();
    Ok(FoundLandmarks { outside: count - landmarks.len(), landmarks, notes })
}
