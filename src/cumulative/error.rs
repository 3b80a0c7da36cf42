//! [`ObserverError`]: errors of observers.

use crate::text::excerpt;

/// The reason why observers cannot be used. The message continues the name of their file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObserverError {
    /// A file that cannot be parsed.
    #[error("cannot be read: {}", excerpt(.0))]
    Syntax(String),
    /// A table without columns of coordinates.
    #[error("has no columns x and y (or easting and northing, or longitude and latitude) among {}", excerpt(.0))]
    NoCoordinates(String),
    /// A geometry that is no point.
    #[error("{} is a {}: expected points", excerpt(observer), excerpt(kind))]
    NotAPoint {
        /// The observer.
        observer: String,
        /// The type of the geometry.
        kind: String,
    },
    /// A value that is not valid.
    #[error("{}: {key} is {}: expected {expected}", excerpt(observer), excerpt(found))]
    Value {
        /// The observer.
        observer: String,
        /// The column or property.
        key: &'static str,
        /// Its value.
        found: String,
        /// The values that are accepted.
        expected: String,
    },
    /// A file without observers.
    #[error("has no observers: expected at least one point")]
    None,
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
    #[error("{} at {x}, {y} is where the raster has no data", excerpt(observer))]
    NoGround {
        /// The observer.
        observer: String,
        /// Its first coordinate.
        x: f64,
        /// Its second coordinate.
        y: f64,
    },
}
