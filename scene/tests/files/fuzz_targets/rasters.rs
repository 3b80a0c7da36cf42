//! Maps and heightmaps.

use std::fs;

use farsight::glam::IVec2;
use farsight::grid::{CellRect, Grid};
use farsight::sight::{FieldOfView, SightConfig};
use farsight_scene::files::{
    Depth, Format, HeightEncoding, HeightRange, Heightmap, Input, MapFile, OutputFile, PictureHeights, Product,
    Provenance, Raster, read_heightmap, read_heightmap_window, read_raster_header, save_product, tile_paths,
};

use super::checksums::with_png_checksums;

/// The largest map that is written again, in cells.
const MAX_CELLS: usize = 1 << 12;

pub(super) fn map_txt(bytes: &[u8]) {
    map(bytes, Format::Txt);
}

pub(super) fn map_csv(bytes: &[u8]) {
    map(bytes, Format::Csv);
}

pub(super) fn map_npy(bytes: &[u8]) {
    map(bytes, Format::Npy);
}

pub(super) fn map_png(bytes: &[u8]) {
    map(&with_png_checksums(bytes), Format::Png);
}

pub(super) fn heightmap_asc(bytes: &[u8]) {
    heightmap(bytes, Format::Asc);
}

pub(super) fn heightmap_npy(bytes: &[u8]) {
    heightmap(bytes, Format::Npy);
}

pub(super) fn heightmap_png(bytes: &[u8]) {
    let bytes = with_png_checksums(bytes);
    heightmap(&bytes, Format::Png);
    for (format, heights) in [
        (Format::Png, HeightEncoding::Terrarium.into()),
        (Format::Png, HeightEncoding::TerrainRgb.into()),
        (Format::R16, PictureHeights::Shades(HeightRange::FROM_SEA_TO_1500_M)),
    ] {
        let _ =
            Heightmap::decode_picture(&bytes, format, heights).map_err(|error| assert!(!error.to_string().is_empty()));
    }
}

pub(super) fn heightmap_tif(bytes: &[u8]) {
    heightmap(bytes, Format::Tif);
}

/// A tile has one of two lengths: the bytes are repeated up to the shorter.
pub(super) fn heightmap_hgt(bytes: &[u8]) {
    const TILE_BYTES: usize = 2 * 1201 * 1201;
    heightmap(bytes, Format::Hgt);
    let mut tile = bytes.repeat(TILE_BYTES.div_ceil(bytes.len().max(1)));
    tile.truncate(TILE_BYTES);
    if let Some(map) = heightmap(&tile, Format::Hgt) {
        let placed = map.placed_by_name(&String::from_utf8_lossy(bytes), Format::Hgt);
        assert!(placed.georeference.is_none_or(|place| place.corner.iter().all(|degrees| degrees.abs() < 181.0)));
    }
}

/// A mosaic of tiles named `a.tif` and `b.tif`, in a folder of their own: a window has the heights of the whole.
pub(super) fn heightmap_vrt(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.tif", "b.tif"] {
        let heights = Grid::from_fn(4, 3, |cell| if cell.x == cell.y { f32::NAN } else { (cell.x - cell.y) as f32 });
        let raster = Raster::new("elevation", heights, IVec2::ZERO, IVec2::NEG_ONE, Provenance::default());
        save_product(&OutputFile::new(path(name), Format::Tif), Product::from(raster)).unwrap();
    }
    fs::write(path("m.vrt"), bytes).unwrap();
    let input = Input::new(path("m.vrt"));
    assert!(tile_paths(&path("m.vrt")).len() <= bytes.len());
    let Ok(header) = read_raster_header(&input).map_err(|error| assert!(!error.to_string().is_empty())) else {
        return;
    };
    let all = CellRect::of_size(header.unwrap().size);
    let corner = all.intersect(CellRect::of_size(IVec2::splat(64)));
    let Ok(window) = read_heightmap_window(&input, corner).map_err(|error| assert!(!error.to_string().is_empty()))
    else {
        return;
    };
    if all.size().as_u64vec2().element_product() <= MAX_CELLS as u64
        && let Ok(map) = read_heightmap(&input)
    {
        let is_same = |(cell, height): (IVec2, &f32)| height.to_bits() == map.elevation_m[cell].to_bits();
        assert!(window.iter().all(is_same));
    }
}

/// Files next to a grid: its metadata, and its reference system, which is the same after the grid was written and read.
pub(super) fn sidecars(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| {
        read_heightmap(&Input::new(path(name))).map_err(|error| assert!(!error.to_string().is_empty())).ok()
    };
    fs::write(path("a.asc"), "ncols 2\nnrows 1\nxllcorner 500000\nyllcorner 40\ncellsize 1\nNODATA 2\n1 2\n").unwrap();
    for sidecar in ["a.asc.aux.xml", "a.prj"] {
        fs::write(path(sidecar), bytes).unwrap();
        if let Some(map) = read("a.asc") {
            let mut raster =
                Raster::new("elevation", map.elevation_m, IVec2::ZERO, IVec2::NEG_ONE, Provenance::default());
            raster.georeference = map.georeference;
            let _ = fs::remove_file(path("b.prj"));
            save_product(&OutputFile::new(path("b.asc"), Format::Asc), Product::from(raster)).unwrap();
            let again = read("b.asc").expect("it was written here");
            if path("b.prj").exists() {
                let sides = |size: Result<f64, _>| size.map(|side: f64| (side * 1e6).round()).ok();
                assert_eq!(sides(again.cell_size_m), sides(map.cell_size_m));
            }
        }
        fs::remove_file(path(sidecar)).unwrap();
    }
}

/// A map holds opacities, can be looked at, and is the same after it was written and read.
fn map(bytes: &[u8], format: Format) {
    let Ok(map) = MapFile::decode(bytes, format).map_err(|error| assert!(!error.to_string().is_empty())) else {
        return;
    };
    let grid = map.opacity.grid();
    assert!(grid.as_slice().iter().all(|opacity| (0.0..=1.0).contains(opacity)));
    let extent = CellRect::of_size(grid.size());
    let viewer = map.viewer.unwrap_or(IVec2::ZERO);
    assert!(extent.contains(viewer));
    if grid.as_slice().len() > MAX_CELLS {
        return;
    }
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(20)).unwrap();
    assert_eq!(fov.compute(&map.opacity, viewer).unwrap().get(viewer), 1.0);
    let raster = Raster::new("opacity", grid.clone(), IVec2::ZERO, viewer, Provenance::default());
    for format in [Format::Npy, Format::Csv] {
        let written = raster.encode(format).unwrap();
        let again = MapFile::decode(&written, format).unwrap_or_else(|error| panic!("{format}: {error}"));
        // Only text files hold doors.
        assert_eq!(again.opacity.grid(), map.opacity.grid(), "{format}");
    }
}

/// A heightmap is the same after it was written and read, georeference included. Returns it, unless it is refused.
fn heightmap(bytes: &[u8], format: Format) -> Option<Heightmap> {
    let map = Heightmap::decode(bytes, format).map_err(|error| assert!(!error.to_string().is_empty())).ok()?;
    assert!(map.elevation_m.as_slice().iter().all(|metres| !metres.is_infinite()));
    if let Some(place) = &map.georeference {
        let _ = (place.world_file(), place.drawn(3.0), place.keys.epsg());
    }
    // The integers of a picture are arbitrary; a world refuses invalid elevations.
    let is_elevation = |metres: &f32| metres.is_nan() || metres.abs() <= 20_000.0;
    if map.elevation_m.as_slice().len() > MAX_CELLS || !map.elevation_m.as_slice().iter().all(is_elevation) {
        return Some(map);
    }
    let mut raster =
        Raster::new("elevation", map.elevation_m.clone(), IVec2::ZERO, IVec2::NEG_ONE, Provenance::default());
    raster.georeference = map.georeference.clone();
    raster.cell_size_m = map.cell_size_m.as_ref().ok().copied();
    for format in [Format::Npy, Format::Tif] {
        // The nodata value of GeoTIFF files.
        if format == Format::Tif && map.elevation_m.as_slice().contains(&Raster::NODATA) {
            continue;
        }
        let Ok(written) = raster.encode(format) else { continue };
        let again = Heightmap::decode(&written, format).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert!(same(&again.elevation_m, &map.elevation_m), "{format}");
        if format == Format::Tif && map.georeference.is_some() {
            assert_eq!(again.georeference, map.georeference);
        }
    }
    for format in [Format::Asc, Format::Csv, Format::Json, Format::Txt] {
        let _ = raster.encode(format);
    }
    let _ = raster.write_grey_png(&mut Vec::new(), Depth::Sixteen);
    Some(map)
}

/// Returns `true` for the same bits, and NaN where there is NaN.
fn same(a: &Grid<f32>, b: &Grid<f32>) -> bool {
    let same = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
    a.size() == b.size() && a.as_slice().iter().zip(b.as_slice()).all(same)
}
