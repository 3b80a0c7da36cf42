//! [`ObserverError`]: an error of a file of observers.

use crate::files::TransformError;
use farsight::internal::text::excerpt;

/// An error of a file of observers or other points. The message continues the name of the file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObserverError {
    /// A file that cannot be parsed.
    #[error("cannot be read: {}", excerpt(.0))]
    Syntax(String),
    /// A table without columns of coordinates.
    #[error(
        "has no columns x and y (or easting and northing, or longitude and latitude) among {}, which are separated by {separator}",
        excerpt(columns)
    )]
    NoCoordinates {
        /// The names of the columns.
        columns: String,
        /// The separator: commas, semicolons or tabs.
        separator: &'static str,
    },
    /// A geometry that is no point.
    #[error("{} is a {}: expected points", excerpt(observer), excerpt(kind))]
    NotAPoint {
        /// The observer.
        observer: String,
        /// The type of the geometry.
        kind: String,
    },
    /// A geometry that is no area.
    #[error("{} is a {}: expected polygons", excerpt(area), excerpt(kind))]
    NotAnArea {
        /// The area.
        area: String,
        /// The type of the geometry.
        kind: String,
    },
    /// An invalid value.
    #[error("{}: {key} is {}: expected {expected}", excerpt(observer), excerpt(found))]
    Value {
        /// The observer.
        observer: String,
        /// The column or property.
        key: &'static str,
        /// Its value.
        found: String,
        /// The accepted values.
        expected: String,
    },
    /// Points whose reference system has no conversion to that of the raster.
    #[error(
        "its points are in {} and the heightmap is in {}, and one of them is not known here; convert them, with GDAL for instance \
         (ogr2ogr -t_srs)",
        excerpt(points),
        excerpt(raster)
    )]
    ReferenceSystem {
        /// The reference system of the points.
        points: String,
        /// That of the raster.
        raster: String,
    },
    /// A point without a position in the reference system of the raster.
    #[error("{} at {x}, {y}: {error}; convert the points, with GDAL for instance (ogr2ogr -t_srs)", excerpt(observer))]
    Transform {
        /// The observer.
        observer: String,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
        /// The reason.
        error: TransformError,
    },
    /// A file without points.
    #[error("has no {0}s: expected at least one point")]
    None(&'static str),
    /// An observer outside of the raster.
    #[error(
        "{} at {x}, {y} is outside the raster, which is from {west}, {south} to {east}, {north}",
        excerpt(observer)
    )]
    Outside {
        /// The observer.
        observer: String,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
        /// The western edge.
        west: f64,
        /// The southern edge.
        south: f64,
        /// The eastern edge.
        east: f64,
        /// The northern edge.
        north: f64,
    },
    /// An observer without ground.
    #[error("{} at {x}, {y} is on a nodata cell of the raster", excerpt(observer))]
    NoGround {
        /// The observer.
        observer: String,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
    },
}
