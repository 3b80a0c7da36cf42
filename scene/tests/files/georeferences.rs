//! Georeferences: cell sizes, parts and pictures.

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{CellSizeError, Format, GeoKeys, Georeference, Heightmap};
use farsight_scene::world::CellSizes;

use super::plain;

// Keys of the GeoTIFF standard.
const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_CRS: u16 = 2048;
const ANGULAR_UNITS: u16 = 2054;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNITS: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
const USER_DEFINED: u16 = 32767;
const DOUBLE_PARAMS_TAG: u16 = 34736;

/// Keys whose values are in the directory.
pub(super) fn keys(entries: &[[u16; 2]]) -> GeoKeys {
    let header = [1, 1, 0, entries.len() as u16];
    let directory = header.into_iter().chain(entries.iter().flat_map(|&[key, value]| [key, 0, 1, value]));
    GeoKeys { directory: directory.collect(), ..GeoKeys::default() }
}

/// Returns the cell size of a raster that was written with a georeference.
fn cell_size_m(georeference: &Georeference, [width, height]: [usize; 2]) -> Result<f64, CellSizeError> {
    let mut raster = plain(Grid::new(width, height, 0.0));
    raster.georeference = Some(georeference.clone());
    Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap().cell_size_m
}

fn raster_at(corner: [f64; 2], cell: [f64; 2], keys: GeoKeys) -> Georeference {
    Georeference { corner, cell, keys }
}

#[test]
fn cell_size_is_in_metres() {
    let metres = keys(&[[MODEL_TYPE, 1], [PROJECTED_CRS, 32632], [LINEAR_UNITS, 9001]]);
    assert_eq!(metres.epsg(), Some(32632));
    assert_eq!(cell_size_m(&raster_at([0.0; 2], [30.0, 30.0], metres), [10, 10]), Ok(30.0));
    let feet = keys(&[[MODEL_TYPE, 1], [LINEAR_UNITS, 9002]]);
    assert_eq!(cell_size_m(&raster_at([0.0; 2], [100.0, 100.0], feet), [10, 10]), Ok(100.0 * 0.3048));
    let mut own = keys(&[[LINEAR_UNITS, USER_DEFINED]]);
    own.directory.extend([LINEAR_UNIT_SIZE, DOUBLE_PARAMS_TAG, 1, 1]);
    own.directory[3] = 2;
    own.doubles = vec![7.0, 0.3048];
    assert_eq!(cell_size_m(&raster_at([0.0; 2], [100.0, 100.0], own.clone()), [10, 10]), Ok(100.0 * 0.3048));
    own.doubles[1] = 0.5;
    let error = cell_size_m(&raster_at([0.0; 2], [30.0, 30.0], own), [10, 10]).unwrap_err();
    let expected = ": expected metres, feet (0.3048 m), US survey feet or degrees";
    assert_eq!(error.to_string(), format!("its coordinates are in a unit of 0.5 m{expected}"));
    for (system, metres) in [(2263, 1200.0 / 3937.0), (2222, 0.3048), (32632, 1.0)] {
        let keys = keys(&[[MODEL_TYPE, 1], [PROJECTED_CRS, system]]); // the unit is that of the system
        assert_eq!(cell_size_m(&raster_at([0.0; 2], [10.0, 10.0], keys), [10, 10]), Ok(10.0 * metres), "{system}");
    }
    // Unknown, chains, the Gold Coast feet of a system, grads and radians.
    for (entries, code) in [
        (&[[LINEAR_UNITS, 1234]][..], 1234),
        (&[[LINEAR_UNITS, 9097]], 9097),
        (&[[MODEL_TYPE, 1], [PROJECTED_CRS, 2136]], 9094),
        (&[[MODEL_TYPE, 2], [2048, 4807]], 9105),
        (&[[MODEL_TYPE, 2], [ANGULAR_UNITS, 9101]], 9101),
    ] {
        let error = cell_size_m(&raster_at([0.0; 2], [0.001, 0.001], keys(entries)), [10, 10]).unwrap_err();
        let expected = "expected metres, feet, US survey feet or degrees";
        assert_eq!(error.to_string(), format!("its coordinates are in an unknown unit (EPSG {code}): {expected}"));
    }
}

#[test]
fn cells_may_have_two_sides() {
    let sizes = |georeference: &Georeference| {
        let mut raster = plain(Grid::new(10, 10, 0.0));
        raster.georeference = Some(georeference.clone());
        let map = Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap();
        (map.cell_size_m, map.cell_sizes)
    };
    let oblong = raster_at([0.0; 2], [30.0, 20.0], GeoKeys::default());
    assert_eq!(sizes(&oblong), (Ok(600.0_f64.sqrt()), Some(CellSizes::Equal([30.0, 20.0]))));
    assert_eq!(sizes(&raster_at([0.0; 2], [30.0, 30.0], GeoKeys::default())), (Ok(30.0), None));
    let thin = raster_at([0.0; 2], [30.0, 2.0], GeoKeys::default());
    assert_eq!(
        sizes(&thin).0.unwrap_err().to_string(),
        "its cells are 30 m wide and 2 m high, and one side may be 10 times the other at most; project it, with GDAL for \
         instance (gdalwarp -t_srs EPSG:CODE -r bilinear)"
    );
}

#[test]
fn degrees_become_metres_at_the_latitude_of_a_row() {
    let degrees = keys(&[[MODEL_TYPE, 2], [GEOGRAPHIC_CRS, 4326]]);
    let second = 1.0 / 3600.0;
    let kenya = raster_at([36.0, 0.05], [second, second], degrees.clone());
    let side = cell_size_m(&kenya, [360, 360]).unwrap();
    assert!((side - 30.8).abs() < 0.1, "{side}"); // 30.92 m by 30.72 m
    let alps = raster_at([10.0, 47.05], [second, second], degrees.clone());
    let side = cell_size_m(&alps, [360, 360]).unwrap();
    assert!((side - (21.13_f64 * 30.88).sqrt()).abs() < 0.01, "{side}");
    let at_the_pole = raster_at([10.0, 90.0], [second, second], degrees.clone());
    let error = cell_size_m(&at_the_pole, [360, 360]).unwrap_err().to_string();
    assert!(
        error.starts_with("its cells are 0 m wide and 31.03 m high at latitude 90.00°, and one side may be"),
        "{error}"
    );
    let beyond = raster_at([10.0, 91.0], [second, second], degrees);
    let error = cell_size_m(&beyond, [360, 360]).unwrap_err().to_string();
    assert_eq!(error, "its rows are at latitudes from 91° to 90.9°, and those on the Earth are from 90° to -90°");
}

#[test]
fn truncated_key_directories_have_no_keys() {
    for length in 0..8 {
        let mut keys = keys(&[[MODEL_TYPE, 2], [RASTER_TYPE, 2]]);
        keys.directory.truncate(length);
        let georeference = raster_at([600.0, 5000.0], [30.0, 30.0], keys);
        assert_eq!(cell_size_m(&georeference, [2, 2]), Ok(30.0));
        assert_eq!(georeference.keys.epsg(), None);
        let mut raster = plain(Grid::new(2, 2, 0.0));
        raster.georeference = Some(georeference);
        let bytes = raster.encode(Format::Tif).unwrap();
        let mut decoder = tiff::decoder::Decoder::new(std::io::Cursor::new(&bytes)).unwrap();
        let tie_point = decoder.get_tag_f64_vec(tiff::tags::Tag::ModelTiepointTag).unwrap();
        assert_eq!(tie_point[3..5], [600.0, 5000.0], "a corner, not the centre of a cell");
    }
}

#[test]
fn georeference_follows_crop_and_scale() {
    let whole = Georeference { corner: [500.0, 9000.0], cell: [30.0, 30.0], keys: GeoKeys::default() };
    let part = whole.at(ivec2(10, 20));
    assert_eq!(part.corner, [800.0, 8400.0]);
    assert_eq!(part.drawn(10.0).world_file(), "3\n0\n0\n-3\n801.5\n8398.5\n");
    assert_eq!(part.drawn(0.5).cell, [60.0, 60.0]);
}

#[test]
fn the_latitude_of_a_cell_is_in_degrees() {
    let utm = raster_at([500_000.0, 5_200_000.0], [30.0; 2], keys(&[[MODEL_TYPE, 1], [PROJECTED_CRS, 32632]]));
    assert!((utm.latitude_deg(ivec2(20, 20)).unwrap() - 46.947_99).abs() < 1e-4);
    let south = raster_at([500_000.0, 6_000_000.0], [30.0; 2], keys(&[[MODEL_TYPE, 1], [PROJECTED_CRS, 32719]]));
    assert!((south.latitude_deg(ivec2(0, 0)).unwrap() + 36.15).abs() < 0.05);
    let degrees = raster_at([7.0, -33.0], [0.25; 2], GeoKeys::geographic());
    assert_eq!(degrees.latitude_deg(ivec2(1, 1)), Some(-33.375));
    assert_eq!(raster_at([0.0, 10.0], [1.0; 2], GeoKeys::default()).latitude_deg(ivec2(1, 1)), None);
}
