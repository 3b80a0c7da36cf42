//! [`VirtualRaster`]: the tiles of a mosaic, which a `.vrt` file lists.
//!
//! # References
//! GDAL, *VRT -- GDAL Virtual Format*.

use std::path::{Path, PathBuf};

use glam::{IVec2, ivec2};
use roxmltree::{Document, Node};

use super::error::ReadError;
use super::number::parse_number;
use super::pam::RasterMetadata;
use super::virtual_raster_error::VirtualRasterError;
use crate::files::format::Format;
use farsight::grid::CellRect;

/// A mosaic of tiles.
#[derive(Debug)]
pub(super) struct VirtualRaster {
    /// Columns and rows.
    pub(super) size: IVec2,
    pub(super) metadata: RasterMetadata,
    /// The tiles, from the lowest to the uppermost.
    pub(super) tiles: Vec<MosaicTile>,
}

/// A tile of a mosaic.
#[derive(Debug)]
pub(super) struct MosaicTile {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// The size of the file, if the mosaic gives it.
    pub(super) size: Option<IVec2>,
    /// The cells of the mosaic.
    pub(super) cells: CellRect,
    /// The cell of the tile in the upper left of these.
    pub(super) start: IVec2,
    /// The number that means no data.
    pub(super) nodata: Option<f64>,
    /// `true` if cells without data hide those of tiles below.
    pub(super) is_opaque: bool,
}

/// The maximum number of columns and rows: offsets and sides can be added without overflow.
const MAX_SIDE: f64 = (1 << 29) as f64;

/// Elements that do not change the heights.
const ELEMENTS_OF_DATASET: [&str; 8] =
    ["SRS", "GeoTransform", "Metadata", "OverviewList", "BlockXSize", "BlockYSize", "VRTRasterBand", "MaskBand"];
const ELEMENTS_OF_BAND: [&str; 10] = [
    "NoDataValue",
    "ColorInterp",
    "Description",
    "Metadata",
    "UnitType",
    "Scale",
    "Offset",
    "Histograms",
    "Overview",
    "MaskBand",
];
const ELEMENTS_OF_TILE: [&str; 7] =
    ["SourceFilename", "SourceBand", "SourceProperties", "SrcRect", "DstRect", "NODATA", "UseMaskBand"];

impl VirtualRaster {
    /// Parses the text of a `.vrt` file in `folder`.
    pub(super) fn parse(text: &str, folder: &Path) -> Result<Self, ReadError> {
        let document = Document::parse(text).map_err(|error| ReadError::Damaged(error.to_string()))?;
        let root = document.root_element();
        if !root.has_tag_name("VRTDataset") {
            return Err(VirtualRasterError::NotVrt(root.tag_name().name().to_owned()).into());
        }
        ensure_plain(root, &ELEMENTS_OF_DATASET)?;
        let side = |name: &'static str| whole_number(root, name, 1.0);
        let size = ivec2(side("rasterXSize")?, side("rasterYSize")?);
        let bands: Vec<Node<'_, '_>> = children(root, "VRTRasterBand").collect();
        let [band] = bands[..] else { return Err(VirtualRasterError::Bands(bands.len()).into()) };
        let (tiles, others): (Vec<_>, Vec<_>) =
            band.children().filter(Node::is_element).partition(|node| is_tile(*node));
        ensure_attributes(band)?;
        others.into_iter().try_for_each(|node| ensure_known(node, &ELEMENTS_OF_BAND))?;
        for mask in children(root, "MaskBand").chain(children(band, "MaskBand")) {
            ensure_masks_of_tiles(mask)?;
        }
        let tiles = tiles.into_iter().map(|node| MosaicTile::parse(node, folder)).collect::<Result<Vec<_>, _>>()?;
        if tiles.is_empty() {
            return Err(VirtualRasterError::NoTile.into());
        }
        Ok(Self { size, metadata: RasterMetadata::of_root(root)?, tiles })
    }
}

impl MosaicTile {
    fn parse(node: Node<'_, '_>, folder: &Path) -> Result<Self, ReadError> {
        ensure_known_children(node, &ELEMENTS_OF_TILE)?;
        let file = child(node, "SourceFilename")?;
        let name = file.text().unwrap_or_default().trim();
        let path = if file.attribute("relativeToVRT") == Some("1") { folder.join(name) } else { PathBuf::from(name) };
        let format = match Format::from_path(&path) {
            _ if names_no_file(name) => Err(VirtualRasterError::NotATile(name.to_owned())),
            Ok(format @ (Format::Tif | Format::Hgt)) => Ok(format),
            _ if is_vrt(&path) => Err(VirtualRasterError::Nested(name.to_owned())),
            _ => Err(VirtualRasterError::NotATile(name.to_owned())),
        }?;
        if let Some(band) = children(node, "SourceBand").next().and_then(|band| band.text())
            && band.trim() != "1"
        {
            return Err(fault("SourceBand", band, "1"));
        }
        let [read, written] = [child(node, "SrcRect")?, child(node, "DstRect")?];
        let sizes = |rect: Node<'_, '_>| Ok::<_, ReadError>([number(rect, "xSize")?, number(rect, "ySize")?]);
        let [read_size, written_size] = [sizes(read)?, sizes(written)?];
        if read_size.iter().zip(&written_size).any(|(read, written)| (read - written).abs() > TOLERANCE) {
            let tile = name.to_owned();
            return Err(VirtualRasterError::Resampled { tile, read: read_size, written: written_size }.into());
        }
        let corner = |rect, least| {
            Ok::<_, ReadError>(ivec2(whole_number(rect, "xOff", least)?, whole_number(rect, "yOff", least)?))
        };
        let start: IVec2 = corner(read, 0.0)?;
        let min: IVec2 = corner(written, -MAX_SIDE)?;
        let size = ivec2(whole_number(read, "xSize", 1.0)?, whole_number(read, "ySize", 1.0)?);
        let of_file = match children(node, "SourceProperties").next() {
            Some(node) => Some(ivec2(whole_number(node, "RasterXSize", 1.0)?, whole_number(node, "RasterYSize", 1.0)?)),
            None => None,
        };
        let nodata = children(node, "NODATA").next().and_then(|node| node.text()).map(str::trim);
        let nodata = nodata.map(|text| parse_number(text).ok_or_else(|| fault("NODATA", text, "a number")));
        let nodata: Option<f64> = nodata.transpose()?;
        let is_opaque = nodata.is_none() && children(node, "UseMaskBand").next().is_none();
        let cells = CellRect { min, max: min + size };
        Ok(Self { path, format, size: of_file, cells, start, nodata, is_opaque })
    }
}

/// Returns `true` for the path of a mosaic: a `.vrt` file, or a folder of tiles.
pub(super) fn is_mosaic(path: &Path) -> bool {
    is_vrt(path) || path.is_dir()
}

fn is_vrt(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("vrt"))
}

/// Cells that an offset may differ from a whole number, as in GDAL: programs compute it from coordinates.
const TOLERANCE: f64 = 1e-3;

/// Returns `true` for a name that GDAL reads from an archive, a server or a container: `/vsizip/…`, `https://…`, `NETCDF:…`.
fn names_no_file(name: &str) -> bool {
    let is_kind = |kind: &str| kind.len() > 1 && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name.starts_with("/vsi") || name.split_once(':').is_some_and(|(kind, _)| is_kind(kind))
}

fn is_tile(node: Node<'_, '_>) -> bool {
    node.has_tag_name("SimpleSource") || node.has_tag_name("ComplexSource")
}

fn children<'a, 'd: 'a>(node: Node<'a, 'd>, name: &'static str) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

/// Returns the first child of a name.
fn child<'a, 'd>(node: Node<'a, 'd>, name: &'static str) -> Result<Node<'a, 'd>, ReadError> {
    let first = node.children().find(|child| child.has_tag_name(name));
    first.ok_or_else(|| fault(name, "", "one for each tile"))
}

/// Returns an attribute that is a number.
fn number(node: Node<'_, '_>, name: &'static str) -> Result<f64, ReadError> {
    let text = node.attribute(name).unwrap_or_default();
    let number = text.trim().parse().ok().filter(|number: &f64| number.abs() <= MAX_SIDE);
    number.ok_or_else(|| fault(name, text, "a number of cells"))
}

/// Returns an attribute that is a whole number of at least `least`.
fn whole_number(node: Node<'_, '_>, name: &'static str, least: f64) -> Result<i32, ReadError> {
    let number = number(node, name)?;
    if (number - number.round()).abs() <= TOLERANCE && number.round() >= least {
        Ok(number.round() as i32)
    } else {
        let expected = "a whole number of cells on the raster";
        Err(fault(name, node.attribute(name).unwrap_or_default(), expected))
    }
}

fn ensure_plain(node: Node<'_, '_>, known: &[&str]) -> Result<(), VirtualRasterError> {
    ensure_attributes(node)?;
    ensure_known_children(node, known)
}

/// Refuses a warped raster, and a band of computed values.
fn ensure_attributes(node: Node<'_, '_>) -> Result<(), VirtualRasterError> {
    match node.attribute("subClass") {
        Some(class) => Err(VirtualRasterError::Unsupported(format!("subClass={class:?}"))),
        None => Ok(()),
    }
}

fn ensure_known_children(node: Node<'_, '_>, known: &[&str]) -> Result<(), VirtualRasterError> {
    node.children().filter(Node::is_element).try_for_each(|child| ensure_known(child, known))
}

fn ensure_known(node: Node<'_, '_>, known: &[&str]) -> Result<(), VirtualRasterError> {
    let name = node.tag_name().name();
    if known.contains(&name) { Ok(()) } else { Err(VirtualRasterError::Unsupported(format!("<{name}>"))) }
}

/// Checks that a mask is that of the tiles, which they are read with.
fn ensure_masks_of_tiles(mask: Node<'_, '_>) -> Result<(), VirtualRasterError> {
    let mut bands = mask.descendants().filter(|node| node.has_tag_name("SourceBand"));
    match bands.find(|band| band.text().is_none_or(|text| text.trim() != "mask,1")) {
        Some(_) => Err(VirtualRasterError::Unsupported("<MaskBand>".to_owned())),
        None => Ok(()),
    }
}

fn fault(element: &'static str, text: &str, expected: &'static str) -> ReadError {
    ReadError::Metadata { element, found: text.to_owned(), expected }
}
