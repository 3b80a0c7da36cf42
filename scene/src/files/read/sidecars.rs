//! [`Sidecars`]: the sidecar files of a raster: world file, coordinate reference system, mask and metadata;
//! [`RasterPlacement`]: the position of a raster, and the order of its rows.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::error::{ReadError, TifError};
use super::limits::{Reader, check_position};
use super::number::{LinearScale, parse_number};
use super::pam::{GeoTransform, RasterMetadata};
use crate::files::format::Format;
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;
use crate::files::length_unit::{LengthUnit, VerticalSystem};
use crate::files::picture_heights::PictureHeights;
use crate::files::prj_system::PrjSystem;
use crate::read_file::{open_file, read_file};
use farsight::grid::CellRect;

/// The maximum length of a sidecar text, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// Options for reading the numbers of a raster, in addition to its file.
#[derive(Clone, Debug, Default)]
pub(super) struct RasterOptions {
    /// Mapping from pixel values to heights.
    pub(super) heights: Option<PictureHeights>,
    /// The unit of heights; `None` for that of the file.
    pub(super) height_unit: Option<LengthUnit>,
    /// Mapping from numbers to heights; `None` for that of the file.
    pub(super) scale: Option<LinearScale>,
    /// Numbers that mean no data, besides that of the file.
    pub(super) nodata: [Option<f64>; 2],
    pub(super) sidecars: Sidecars,
}

/// The sidecar files of a raster. Each is read on demand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sidecars {
    world_file: Option<PathBuf>,
    projection: Option<PathBuf>,
    mask: Option<PathBuf>,
    metadata: Option<PathBuf>,
}

/// The content of a `.prj` file.
#[derive(Debug, Default)]
pub(super) struct ToldProjection {
    pub(super) keys: GeoKeys,
    pub(super) heights: Option<VerticalSystem>,
    /// A note on it, to follow the name of the raster.
    pub(super) note: Option<String>,
}

impl Sidecars {
    /// Finds the sidecar files of a raster: `.prj`, `.msk` and `.aux.xml` after its whole name, and for `.tif` and
    /// `.png` a world file, such as `.tfw`, `.tifw` or `.wld`.
    pub(super) fn next_to(path: &Path, format: Format) -> Self {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let with = |extension: String| path.with_extension(extension);
        let first = |paths: Vec<PathBuf>| paths.into_iter().find(|path| path.is_file());
        let either_case = |extension: &str| [extension.to_ascii_lowercase(), extension.to_ascii_uppercase()];
        let of_extension = |extension: &str| first(either_case(extension).map(with).to_vec());
        let world_file = || {
            let short: String = extension.chars().take(1).chain(extension.chars().last()).collect();
            [short + "w", format!("{extension}w"), "wld".to_owned()]
                .iter()
                .find_map(|extension| of_extension(extension))
        };
        let behind_name = |extension: String| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            path.with_file_name(format!("{name}.{extension}"))
        };
        Self {
            world_file: if matches!(format, Format::Tif | Format::Png) { world_file() } else { None },
            projection: of_extension("prj"),
            mask: first(either_case("msk").map(behind_name).to_vec()),
            metadata: first(vec![behind_name("aux.xml".to_owned())]),
        }
    }

    /// Places a raster of columns and rows by its world file, if there is one.
    pub(super) fn place(&self, keys: GeoKeys, size: [usize; 2]) -> Result<Option<RasterPlacement>, ReadError> {
        let Some(path) = on_disk(&self.world_file) else { return Ok(None) };
        let placed = read_text(path).and_then(|text| {
            let file = WorldFile::parse(&text).ok_or_else(|| ReadError::WorldFile(text.trim().to_owned()))?;
            RasterPlacement::of_transform(file.transform(), keys, size)
        });
        placed.map(Some).map_err(|fault| in_sidecar(path, fault))
    }

    /// Places a raster of columns and rows by its metadata, if they have a position.
    pub(super) fn place_by_metadata(
        &self,
        metadata: &RasterMetadata,
        keys: GeoKeys,
        size: [usize; 2],
    ) -> Result<Option<RasterPlacement>, ReadError> {
        let (Some(path), Some(position)) = (on_disk(&self.metadata), metadata.position) else { return Ok(None) };
        let placed = RasterPlacement::of_transform(position, keys, size);
        placed.map(Some).map_err(|fault| in_sidecar(path, fault))
    }

    /// Reads the coordinate reference system in a `.prj` file.
    pub(super) fn projection(&self) -> Result<ToldProjection, ReadError> {
        let Some(path) = on_disk(&self.projection) else { return Ok(ToldProjection::default()) };
        let text = read_text(path).map_err(|fault| in_sidecar(path, fault))?;
        Ok(match PrjSystem::parse(&text) {
            Some(system) => system.into(),
            None => {
                let note =
                    format!("{} is ignored: it names no coordinate reference system that is known", name_of(path));
                ToldProjection { note: Some(note), ..ToldProjection::default() }
            }
        })
    }

    /// Reads the metadata that GDAL and ArcGIS keep next to a raster.
    pub(super) fn metadata(&self) -> Result<RasterMetadata, ReadError> {
        let Some(path) = on_disk(&self.metadata) else { return Ok(RasterMetadata::default()) };
        read_text(path).and_then(|text| RasterMetadata::parse(&text)).map_err(|fault| in_sidecar(path, fault))
    }

    /// Reads the mask, if there is one, with `read`, which gets the file and its length.
    pub(super) fn with_mask(
        &self,
        read: impl FnOnce(Reader<'static>, u64) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some(path) = on_disk(&self.mask) else { return Ok(()) };
        let open = || -> Result<_, ReadError> {
            let (file, metadata) = open_file(path)?;
            Ok((Box::new(BufReader::with_capacity(1 << 16, file)), metadata.len()))
        };
        let read = open().and_then(|(reader, length)| read(reader, length));
        read.map_err(|fault| in_sidecar(path, fault))
    }
}

impl From<PrjSystem> for ToldProjection {
    fn from(PrjSystem { keys, heights }: PrjSystem) -> Self {
        Self { keys, heights, note: None }
    }
}

/// Returns a path, but none on the page, which has no files next to a raster; then the compiler leaves out their readers.
fn on_disk(path: &Option<PathBuf>) -> Option<&Path> {
    path.as_deref().filter(|_| !cfg!(target_arch = "wasm32"))
}

/// Returns the note about a file without a unit of heights, if its coordinates are in feet.
pub(super) fn untold_unit_note(keys: &GeoKeys) -> Option<String> {
    let unit = keys.length_unit().filter(|unit| *unit != LengthUnit::Metre)?.full_name();
    Some(format!(
        "its coordinates are in the unit {unit:?}, and it gives no unit of heights: metres are assumed; --height-unit \
        ft or us-ft reads them as feet"
    ))
}

fn read_text(path: &Path) -> Result<String, ReadError> {
    Ok(String::from_utf8_lossy(&read_file(path, MAX_TEXT)?).into_owned())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn in_sidecar(path: &Path, fault: ReadError) -> ReadError {
    ReadError::Sidecar { file: name_of(path), fault: Box::new(fault) }
}

/// The order of the rows of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RowOrder {
    #[default]
    FromNorth,
    FromSouth,
}

impl RowOrder {
    /// Returns the cells in the order of the file, of a raster of `rows` rows.
    pub(super) fn in_file(self, cells: CellRect, rows: i32) -> CellRect {
        let CellRect { mut min, mut max } = cells;
        if self == Self::FromSouth {
            (min.y, max.y) = (rows - cells.max.y, rows - cells.min.y);
        }
        CellRect { min, max }
    }

    /// Sorts rows in the order of the file from the north.
    pub(super) fn sort(self, cells: &mut [f32], width: usize) {
        if self == Self::FromSouth {
            let (north, south) = cells.split_at_mut(cells.len() / width / 2 * width);
            for (a, b) in north.chunks_exact_mut(width).zip(south.rchunks_exact_mut(width)) {
                a.swap_with_slice(b);
            }
        }
    }
}

/// The position of a raster, and the order of its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct RasterPlacement {
    pub(super) georeference: Option<Georeference>,
    pub(super) order: RowOrder,
}

impl RasterPlacement {
    pub(super) fn of_transform(position: GeoTransform, keys: GeoKeys, size: [usize; 2]) -> Result<Self, ReadError> {
        let GeoTransform([x, width, row_turn, y, column_turn, step]) = position;
        if column_turn != 0.0 || row_turn != 0.0 || width <= 0.0 || step == 0.0 {
            return Err(TifError::NotNorthUp.into());
        }
        Self::new([x, y], [width, step], keys, size)
    }

    /// Places a raster whose first cell begins at `start`. The step from row to row is below 0 if the first row is in the north.
    pub(super) fn new(
        start: [f64; 2],
        [width, step]: [f64; 2],
        keys: GeoKeys,
        [columns, rows]: [usize; 2],
    ) -> Result<Self, ReadError> {
        let (corner, order) = if step < 0.0 {
            (start, RowOrder::FromNorth)
        } else {
            ([start[0], start[1] + rows as f64 * step], RowOrder::FromSouth)
        };
        let georeference = Georeference { corner, cell: [width, step.abs()], keys: keys.without_heights() };
        Ok(Self { georeference: Some(check_position(georeference, columns, rows)?), order })
    }
}

/// The position of a raster in six lines: the width of a cell, two terms of a rotation, the step from row to row, and the centre
/// of the first cell.
///
/// # References
/// Esri, *World files for raster datasets*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldFile([f64; 6]);

impl WorldFile {
    /// Parses the text of a world file; `None` unless it has six finite numbers and non-zero cells.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words = text.trim_start_matches('\u{FEFF}').split_whitespace();
        let numbers: Vec<f64> = words.map(parse_number).collect::<Option<_>>()?;
        let numbers: [f64; 6] = numbers.try_into().ok()?;
        let has_sides = numbers[0] != 0.0 && numbers[3] != 0.0;
        (has_sides && numbers.iter().all(|number| number.is_finite())).then_some(Self(numbers))
    }

    fn transform(self) -> GeoTransform {
        let Self([width, column_turn, row_turn, step, x, y]) = self;
        let corner = [x - (width + row_turn) / 2.0, y - (step + column_turn) / 2.0];
        GeoTransform([corner[0], width, row_turn, corner[1], column_turn, step])
    }
}
