//! [`Mosaic`]: reads a raster in tiles as one raster, and only the tiles that are needed.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use glam::IVec2;

use super::error::ReadError;
use super::heightmap::{Heightmap, RasterHeader};
use super::hgt::{hgt_size, tile_position};
use super::limits::{Reader, check_size, grid_of, reserve_cells};
use super::number::LinearScale;
use super::sidecars::{RasterOptions, RasterPlacement, RowOrder, Sidecars};
use super::tif::{read_tif_header, read_tif_window};
use super::tile_folder::{FolderTile, join_tiles, tiles_in};
use super::virtual_raster::{MosaicTile, VirtualRaster, is_mosaic};
use super::virtual_raster_error::VirtualRasterError;
use crate::files::format::Format;
use crate::files::geo_keys::GeoKeys;
use crate::files::georeference::Georeference;
use crate::files::length_unit::LengthUnit;
use crate::files::reference_system::ReferenceSystem;
use crate::read_file::{open_file, read_file};
use farsight::grid::{CellRect, Grid};

/// The maximum length of a `.vrt` file in bytes: some 70,000 tiles.
const MAX_TEXT: u64 = 1 << 25;

/// The maximum number of tiles above each other, on average over the cells that are read.
const MAX_OVERLAP: u64 = 64;

/// Cells that are read of any mosaic.
const FREE_CELLS: u64 = 1 << 24;

/// A raster in tiles.
pub(super) struct Mosaic {
    raster: VirtualRaster,
    georeference: Option<Georeference>,
    height_unit: Option<LengthUnit>,
}

/// An open tile: its header, and its cells if its format is read as a whole.
struct OpenTile {
    header: RasterHeader,
    cells: Option<Grid<f32>>,
}

impl Mosaic {
    /// Opens the `.vrt` file or the folder of tiles at a path. `height_unit` is the unit of the heights, if it is not that of the files.
    pub(super) fn open(path: &Path, height_unit: Option<LengthUnit>) -> Result<Self, ReadError> {
        if path.is_dir() {
            return Self::of_folder(path, height_unit);
        }
        let text = String::from_utf8_lossy(&read_file(path, MAX_TEXT)?).into_owned();
        let raster = VirtualRaster::parse(&text, path.parent().unwrap_or(Path::new("")))?;
        let (system, metadata) = (raster.metadata.system.clone(), &raster.metadata);
        let is_depth = system.as_ref().is_some_and(|system| system.heights.as_ref().is_some_and(|axis| axis.is_depth));
        let unit = metadata.unit.as_ref().filter(|_| height_unit.is_none() && !is_depth);
        let unit = unit.map(|name| LengthUnit::named(name).ok_or_else(|| ReadError::HeightUnit(name.clone())));
        let height_unit = height_unit.or(unit.transpose()?);
        let keys = system.map(|system| system.keys).unwrap_or_default();
        let size = raster.size.to_array().map(|side| side as usize);
        let placement = metadata.position.map(|position| RasterPlacement::of_transform(position, keys, size));
        let RasterPlacement { georeference, order } = placement.transpose()?.unwrap_or_default();
        if order == RowOrder::FromSouth {
            let found = "rows from the south".to_owned();
            return Err(VirtualRasterError::Unsupported(found).into());
        }
        Ok(Self { raster, georeference, height_unit })
    }

    fn of_folder(folder: &Path, height_unit: Option<LengthUnit>) -> Result<Self, ReadError> {
        let mut tiles = Vec::new();
        for (path, format) in tiles_in(folder)? {
            let header = raster_header(&path, format, height_unit).and_then(|header| match header.georeference {
                Some(place) => Ok((header.size, place)),
                None => Err(VirtualRasterError::NoPosition.into()),
            });
            let (size, place) = header.map_err(|fault| in_file(&path, fault))?;
            tiles.push(FolderTile { path, format, size, place });
        }
        let (raster, georeference) = join_tiles(tiles)?;
        Ok(Self { raster, georeference: Some(georeference), height_unit })
    }

    /// Returns size and position, with the reference system in the words of the first tile, as in a single file.
    pub(super) fn header(&self) -> Result<RasterHeader, ReadError> {
        let tiles = &self.raster.tiles;
        let is_missing = |tile: &&MosaicTile| !tile.path.exists();
        let missing: Vec<_> = tiles.iter().filter(is_missing).collect();
        let Some(first) = tiles.iter().find(|tile| !is_missing(tile)) else {
            let first = tiles[0].path.display().to_string();
            return Err(VirtualRasterError::AllMissing { count: tiles.len(), first }.into());
        };
        let tile = self.open_tile(first)?.header;
        let georeference = self.georeference.clone().map(|place| match tile.georeference {
            Some(tile) if is_same_system(&place.keys, &tile.keys) == Some(true) => {
                Georeference { keys: tile.keys, ..place }
            }
            Some(tile) if place.keys.is_empty() => Georeference { keys: tile.keys, ..place },
            _ => place,
        });
        let mut notes = tile.notes;
        notes.extend(missing.first().map(|tile| {
            let (count, of, file) = (missing.len(), tiles.len(), tile.path.display());
            match count {
                1 => format!("1 of its {of} tiles is missing, {file}: its cells are nodata"),
                _ => format!("{count} of its {of} tiles are missing, such as {file}: their cells are nodata"),
            }
        }));
        Ok(RasterHeader { notes, ..RasterHeader::new(self.raster.size, georeference) })
    }

    /// Reads the heightmap.
    pub(super) fn read_whole(&self) -> Result<Heightmap, ReadError> {
        let RasterHeader { georeference, notes, size, .. } = self.header()?;
        Ok(Heightmap::new(self.read(CellRect::of_size(size))?, georeference).with_notes(notes))
    }

    /// Reads some cells, which must be on the mosaic: only the tiles that contain them.
    pub(super) fn read(&self, cells: CellRect) -> Result<Grid<f32>, ReadError> {
        let size = self.raster.size;
        if cells.intersect(CellRect::of_size(size)) != cells {
            return Err(ReadError::Damaged(format!("it has {}x{} cells now", size.x, size.y)));
        }
        let (width, height) = check_size(cells.width() as u64, cells.height() as u64)?;
        let tiles = self.raster.tiles.iter().map(|tile| (tile, tile.cells.intersect(cells)));
        let tiles: Vec<_> = tiles.filter(|(_, part)| !part.is_empty()).collect();
        let read: u64 = tiles.iter().map(|(_, part)| part.size().as_u64vec2().element_product()).sum();
        let count = (width * height) as u64;
        if read > FREE_CELLS.max(count.saturating_mul(MAX_OVERLAP)) {
            return Err(VirtualRasterError::Overlap { read, cells: count, limit: MAX_OVERLAP }.into());
        }
        let mut values = reserve_cells(width, height)?;
        values.resize(width * height, f32::NAN);
        for (tile, part) in tiles.into_iter().filter(|(tile, _)| tile.path.exists()) {
            let grid = self.read_tile(tile, part)?;
            let start = part.min - cells.min;
            for (row, y) in grid.rows().zip(start.y as usize..) {
                let out = &mut values[y * width + start.x as usize..][..row.len()];
                if tile.is_opaque {
                    out.copy_from_slice(row);
                } else {
                    let with_data = out.iter_mut().zip(row).filter(|(_, height)| !height.is_nan());
                    with_data.for_each(|(out, height)| *out = *height);
                }
            }
        }
        grid_of(width, height, values)
    }

    /// Reads some cells of the mosaic, which are on a tile.
    fn read_tile(&self, tile: &MosaicTile, cells: CellRect) -> Result<Grid<f32>, ReadError> {
        let open_tile = self.open_tile(tile)?;
        let shift = tile.start - tile.cells.min;
        let on_tile = CellRect { min: cells.min + shift, max: cells.max + shift };
        let Some(whole) = open_tile.cells else {
            let window = read_tif_window(|| open(&tile.path), on_tile, &self.options(tile));
            return window.map_err(|fault| in_tile(tile, fault));
        };
        let nodata = [tile.nodata, self.raster.metadata.nodata].map(|number| number.map(|number| number as f32));
        let height = |cell: IVec2| {
            let height = whole[on_tile.min + cell];
            if nodata.contains(&Some(height)) { f32::NAN } else { height }
        };
        Ok(Grid::from_fn(on_tile.width(), on_tile.height(), height))
    }

    /// Opens a tile, and checks that it is the one that the mosaic describes.
    fn open_tile(&self, tile: &MosaicTile) -> Result<OpenTile, ReadError> {
        let open_tile = self.open_unchecked(tile).and_then(|open_tile| {
            self.check(tile, &open_tile.header)?;
            Ok(open_tile)
        });
        open_tile.map_err(|fault| in_tile(tile, fault))
    }

    fn open_unchecked(&self, tile: &MosaicTile) -> Result<OpenTile, ReadError> {
        let (reader, length) = open(&tile.path)?;
        let options = self.options(tile);
        if tile.format == Format::Tif {
            return Ok(OpenTile { header: read_tif_header(reader, length, &options)?, cells: None });
        }
        if self.raster.metadata.scale.is_some_and(|scale| scale != LinearScale::NONE) {
            return Err(
                VirtualRasterError::Unsupported("<Scale> or <Offset> for tiles that are not .tif".to_owned()).into()
            );
        }
        let name = tile.path.file_name().unwrap_or_default().to_string_lossy();
        let heightmap = Heightmap::read_from(reader, length, tile.format, &options)?.placed_by_name(&name, tile.format);
        Ok(OpenTile { header: heightmap.header(), cells: Some(heightmap.elevation_m) })
    }

    fn options(&self, tile: &MosaicTile) -> RasterOptions {
        RasterOptions {
            heights: None,
            height_unit: self.height_unit,
            scale: self.raster.metadata.scale,
            nodata: [tile.nodata, self.raster.metadata.nodata],
            sidecars: Sidecars::next_to(&tile.path, tile.format),
        }
    }

    fn check(&self, tile: &MosaicTile, header: &RasterHeader) -> Result<(), ReadError> {
        let other = |found: String, expected: String| Err(VirtualRasterError::OtherTile { found, expected }.into());
        let size_text = |size: IVec2| format!("{}x{} cells", size.x, size.y);
        if tile.size.is_some_and(|size| size != header.size) {
            return other(format!("has {}", size_text(header.size)), size_text(tile.size.unwrap_or_default()));
        }
        let end = tile.start.saturating_add(tile.cells.size());
        if end.cmpgt(header.size).any() {
            return other(format!("has {}", size_text(header.size)), format!("those up to {},{}", end.x, end.y));
        }
        let (Some(mosaic), Some(place)) = (&self.georeference, &header.georeference) else { return Ok(()) };
        if is_same_system(&mosaic.keys, &place.keys) == Some(false) {
            let name =
                |keys: &GeoKeys| ReferenceSystem::from_keys(keys).map_or(String::new(), |system| system.to_string());
            return other(format!("is in {}", name(&place.keys)), name(&mosaic.keys));
        }
        let corner = |place: &Georeference, cell: IVec2| {
            let place = place.at(cell);
            (place.corner, format!("{},{}", place.corner[0], place.corner[1]))
        };
        let ((found, found_text), (wanted, wanted_text)) = (corner(place, tile.start), corner(mosaic, tile.cells.min));
        let is_near = |i: usize| (found[i] - wanted[i]).abs() <= 0.5 * mosaic.cell[i];
        if !is_near(0) || !is_near(1) {
            return other(format!("lies at {found_text}"), wanted_text);
        }
        let is_same_side = |i: usize| (place.cell[i] / mosaic.cell[i] - 1.0).abs() <= 1e-4;
        if !is_same_side(0) || !is_same_side(1) {
            let sides = |place: &Georeference| format!("cells of {}x{}", place.cell[0], place.cell[1]);
            return other(format!("has {}", sides(place)), sides(mosaic));
        }
        Ok(())
    }
}

/// Returns the size and position of a tile.
fn raster_header(path: &Path, format: Format, height_unit: Option<LengthUnit>) -> Result<RasterHeader, ReadError> {
    let (reader, length) = open(path)?;
    if format == Format::Hgt {
        let size = hgt_size(length)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Ok(RasterHeader::new(size, tile_position(&name, size)));
    }
    let sidecars = Sidecars::next_to(path, format);
    read_tif_header(reader, length, &RasterOptions { height_unit, sidecars, ..RasterOptions::default() })
}

/// Returns the tiles of a mosaic, which are as much inputs as its file; none of another file, and of one that cannot be read.
pub fn tile_paths(path: &Path) -> Vec<PathBuf> {
    if !is_mosaic(path) {
        return Vec::new();
    }
    if path.is_dir() {
        return tiles_in(path).unwrap_or_default().into_iter().map(|(path, _)| path).collect();
    }
    Mosaic::open(path, None)
        .map_or(Vec::new(), |mosaic| mosaic.raster.tiles.into_iter().map(|tile| tile.path).collect())
}

/// Returns whether coordinates are the same in both systems; `None` if one of them is not known.
fn is_same_system(mosaic: &GeoKeys, tile: &GeoKeys) -> Option<bool> {
    let [mosaic, tile] = [mosaic, tile].map(ReferenceSystem::from_keys);
    Some(mosaic?.is_same(&tile?))
}

fn open(path: &Path) -> Result<(Reader<'static>, u64), ReadError> {
    let (file, metadata) = open_file(path)?;
    Ok((Box::new(BufReader::with_capacity(1 << 16, file)), metadata.len()))
}

fn in_tile(tile: &MosaicTile, fault: ReadError) -> ReadError {
    in_file(&tile.path, fault)
}

fn in_file(path: &Path, fault: ReadError) -> ReadError {
    ReadError::Sidecar { file: path.display().to_string(), fault: Box::new(fault) }
}
