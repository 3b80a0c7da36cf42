//! [`read_point_file`]: the text of a file of points.

use std::path::Path;

use super::failure::Failure;
use super::stdio::read_text;
use farsight_scene::cumulative::ObserverFormat;

/// Reads a file of points as text. `noun` is the name of a point in messages.
pub(crate) fn read_point_file(path: &Path, noun: &str) -> Result<(String, ObserverFormat), Failure> {
    /// The maximum size of the file in bytes.
    const MAX_BYTES: u64 = 1 << 28;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let format = match &*extension {
        "csv" => ObserverFormat::Csv,
        "geojson" | "json" => ObserverFormat::GeoJson,
        _ => {
            let path = path.display();
            return Err(Failure::input(format!("{path}: {noun}s cannot be read from it; use .csv or .geojson")));
        }
    };
    Ok((read_text(path, MAX_BYTES)?, format))
}
