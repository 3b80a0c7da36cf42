//! A folder of tiles as a mosaic.

use std::fs;
use std::path::{Path, PathBuf};

use glam::{DVec2, IVec2, ivec2};

use super::error::ReadError;
use super::pam::RasterMetadata;
use super::virtual_raster::{MosaicTile, VirtualRaster};
use super::virtual_raster_error::VirtualRasterError;
use crate::files::format::Format;
use crate::files::georeference::Georeference;
use farsight::grid::CellRect;

/// A tile in a folder, with its size and position.
pub(super) struct FolderTile {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) size: IVec2,
    pub(super) place: Georeference,
}

/// Cells that the corner of a tile may differ from the grid of the first one: files round their coordinates.
const TOLERANCE: f64 = 0.02;

/// Returns the `.tif` and `.hgt` files of a folder, sorted by name.
pub(super) fn tiles_in(folder: &Path) -> Result<Vec<(PathBuf, Format)>, ReadError> {
    let mut tiles = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match Format::from_path(&path) {
            Ok(format @ (Format::Tif | Format::Hgt)) if path.is_file() => tiles.push((path, format)),
            _ => {}
        }
    }
    if tiles.is_empty() {
        return Err(VirtualRasterError::NoTileInFolder.into());
    }
    tiles.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(tiles)
}

/// Joins tiles on the grid of the first one to a mosaic, and returns it with its position.
///
/// # Errors
/// [`VirtualRasterError::OtherTile`] for a tile with other cells, or between the cells of the first one.
pub(super) fn join_tiles(tiles: Vec<FolderTile>) -> Result<(VirtualRaster, Georeference), ReadError> {
    let Some(first) = tiles.first() else { return Err(VirtualRasterError::NoTileInFolder.into()) };
    let grid = first.place.clone();
    let mut offsets = Vec::with_capacity(tiles.len());
    for tile in &tiles {
        let offset = offset_of(tile, &grid).map_err(|fault| ReadError::Sidecar {
            file: tile.path.display().to_string(),
            fault: Box::new(fault.into()),
        })?;
        offsets.push(offset);
    }
    let min = offsets.iter().copied().reduce(IVec2::min).unwrap_or_default();
    let mut max = IVec2::ZERO;
    let tiles = tiles.into_iter().zip(offsets).map(|(tile, offset)| {
        let corner = offset - min;
        max = max.max(corner + tile.size);
        MosaicTile {
            path: tile.path,
            format: tile.format,
            size: Some(tile.size),
            cells: CellRect { min: corner, max: corner + tile.size },
            start: IVec2::ZERO,
            nodata: None,
            is_opaque: false,
        }
    });
    let tiles = tiles.collect();
    Ok((VirtualRaster { size: max, metadata: RasterMetadata::default(), tiles }, grid.at(min)))
}

/// Returns the columns and rows from the upper left corner of a grid to that of a tile.
fn offset_of(tile: &FolderTile, grid: &Georeference) -> Result<IVec2, VirtualRasterError> {
    /// Offsets and sides can be added without overflow.
    const MAX_OFFSET: f64 = (1 << 28) as f64;
    let other = |found: String, expected: String| Err(VirtualRasterError::OtherTile { found, expected });
    let [tile_cell, cell] = [tile.place.cell, grid.cell].map(DVec2::from);
    if ((tile_cell / cell - 1.0).abs() * tile.size.as_dvec2()).max_element() > TOLERANCE {
        let sides = |cell: DVec2| format!("cells of {}x{}", cell.x, cell.y);
        return other(format!("has {}", sides(tile_cell)), sides(cell));
    }
    let [corner, origin] = [tile.place.corner, grid.corner].map(DVec2::from);
    let offset = (corner - origin) * DVec2::new(1.0, -1.0) / cell;
    if (offset - offset.round()).abs().max_element() > TOLERANCE {
        let [x, y] = (offset - offset.floor()).to_array();
        return other(
            format!("lies {x:.2},{y:.2} of a cell off the grid"),
            "whole cells (gdalwarp -tap aligns tiles)".to_owned(),
        );
    }
    if offset.abs().max_element() > MAX_OFFSET {
        return other(format!("lies {:.0} cells away", offset.abs().max_element()), "tiles of one area".to_owned());
    }
    Ok(ivec2(offset.x.round() as i32, offset.y.round() as i32))
}
