//! [`Sidecars`]: the files next to a raster that say more about it; [`RasterOptions`]: how its numbers are read.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::error::ReadError;
use super::limits::Reader;
use super::prj_system::PrjSystem;
use super::raster_placement::{RasterPlacement, WorldFile};
use crate::files::format::Format;
use crate::files::geo_keys::GeoKeys;
use crate::files::length_unit::{LengthUnit, VerticalSystem};
use crate::files::picture_heights::PictureHeights;
use crate::read_file::{open_file, read_file};

/// The longest text that is read next to a raster, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// How the numbers of a raster are read, besides what its file says.
#[derive(Clone, Debug, Default)]
pub(super) struct RasterOptions {
    /// How the numbers of a picture are heights.
    pub(super) heights: Option<PictureHeights>,
    /// The unit of heights; that of the file if there is none.
    pub(super) height_unit: Option<LengthUnit>,
    pub(super) sidecars: Sidecars,
}

/// The files next to a raster. Each is read when it is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sidecars {
    world_file: Option<PathBuf>,
    projection: Option<PathBuf>,
    mask: Option<PathBuf>,
    metadata: Option<PathBuf>,
}

/// What a `.prj` file says about a raster.
#[derive(Debug, Default)]
pub(super) struct ToldProjection {
    pub(super) keys: GeoKeys,
    pub(super) heights: Option<VerticalSystem>,
    /// What to say about it, to follow the name of the raster.
    pub(super) note: Option<String>,
}

impl Sidecars {
    /// Finds the files next to a raster: `.prj`, `.msk` and `.aux.xml` behind its whole name, and for `.tif` and `.png` a world file, such
    /// as `.tfw`, `.tifw` or `.wld`.
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

    /// Places a raster of columns and rows that tells no position by its world file, if there is one.
    pub(super) fn place(&self, keys: GeoKeys, size: [usize; 2]) -> Result<RasterPlacement, ReadError> {
        let Some(path) = &self.world_file else { return Ok(RasterPlacement::default()) };
        let placed = read_text(path).and_then(|text| {
            WorldFile::parse(&text).ok_or_else(|| ReadError::WorldFile(text.trim().to_owned()))?.place(keys, size)
        });
        placed.map_err(|fault| in_sidecar(path, fault))
    }

    /// Reads the coordinate reference system of a raster that tells none.
    pub(super) fn projection(&self) -> Result<ToldProjection, ReadError> {
        let Some(path) = &self.projection else { return Ok(ToldProjection::default()) };
        let text = read_text(path).map_err(|fault| in_sidecar(path, fault))?;
        Ok(match PrjSystem::parse(&text) {
            Some(PrjSystem { keys, heights }) => ToldProjection { keys, heights, note: None },
            None => {
                let note =
                    format!("{} is ignored: it names no coordinate reference system that is known", name_of(path));
                ToldProjection { note: Some(note), ..ToldProjection::default() }
            }
        })
    }

    /// Reads the unit of the first band in the metadata that GDAL keeps next to a raster.
    pub(super) fn band_unit(&self) -> Result<Option<String>, ReadError> {
        let Some(path) = &self.metadata else { return Ok(None) };
        let text = read_text(path).map_err(|fault| in_sidecar(path, fault))?;
        let band = text.split("<PAMRasterBand").find(|band| band.trim_start().starts_with("band=\"1\""));
        let unit = band.and_then(|band| band.split_once("<UnitType>")?.1.split('<').next());
        Ok(unit.map(|unit| unit.trim().to_owned()).filter(|unit| !unit.is_empty()))
    }

    /// Reads the mask with `read`, which takes it and its length, if there is one.
    pub(super) fn with_mask(
        &self,
        read: impl FnOnce(Reader<'static>, u64) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some(path) = &self.mask else { return Ok(()) };
        let open = || -> Result<_, ReadError> {
            let (file, metadata) = open_file(path)?;
            Ok((Box::new(BufReader::with_capacity(1 << 16, file)), metadata.len()))
        };
        let read = open().and_then(|(reader, length)| read(reader, length));
        read.map_err(|fault| in_sidecar(path, fault))
    }
}

/// Returns what to say of a file that tells no unit of heights, if its coordinates are in feet or the like.
pub(super) fn untold_unit_note(keys: &GeoKeys) -> Option<String> {
    let unit = keys.length_unit().filter(|unit| *unit != LengthUnit::Metre)?.full_name();
    Some(format!(
        "its coordinates are in the unit {unit:?}, and it tells no unit of heights: they count as metres; --height-unit \
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
