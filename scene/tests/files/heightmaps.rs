//! Heightmaps: metres, and nodata cells.

use std::fs;

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{
    Format, GeoKeys, Georeference, HeightRange, Heightmap, Input, PictureHeights, read_heightmap,
};
use farsight_scene::world::CellSizes;
use png::{BitDepth, ColorType};
use proptest::prelude::*;

use super::{npy, plain, png, sample};

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, format: Format, expected: &str) {
    assert_eq!(Heightmap::decode(bytes.as_ref(), format).unwrap_err().to_string(), expected);
}

/// Bits, so that NaN equals NaN.
fn bits(grid: &Grid<f32>) -> Grid<u32> {
    grid.map(|value| if value.is_nan() { u32::MAX } else { value.to_bits() })
}

proptest! {
    #[test]
    fn heightmap_formats_keep_every_bit(
        (width, cells) in (1..8_usize, 1..8_usize).prop_flat_map(|(width, height)| {
            let metres = prop_oneof![9 => -9000.0..=9000.0_f32, 1 => Just(f32::NAN)];
            (Just(width), prop::collection::vec(metres, width * height))
        })
    ) {
        let grid = Grid::from_vec(width, cells.len() / width, cells).unwrap();
        for format in [Format::Asc, Format::Npy, Format::Tif] {
            let read = Heightmap::decode(&plain(grid.clone()).encode(format).unwrap(), format).unwrap();
            prop_assert_eq!(bits(&read.elevation_m), bits(&grid));
        }
    }

    #[test]
    fn no_ascii_grid_makes_the_reader_panic(text in "(ncols [0-9]{1,3}\n)?(nrows [0-9]{1,20}\n)?(cellsize .{1,3}\n)?[ -~é\n]{0,40}") {
        let _ = Heightmap::decode(text.as_bytes(), Format::Asc);
    }
}

#[test]
fn ascii_grids_have_cell_size_and_georeference() {
    let map = Heightmap::decode(&sample().encode(Format::Asc).unwrap(), Format::Asc).unwrap();
    let place = |corner, cell| Some(Georeference { corner, cell: [cell; 2], keys: GeoKeys::default() });
    assert_eq!((map.cell_size_m, map.georeference), (Ok(100.0), place([1000.0, -2000.0], 100.0)));
    // Header lines in any order and case, centres instead of corners, values in lines of any length.
    let text = "NROWS 2\r\nNCOLS 2\r\nXLLCENTER 5\r\nYLLCENTER 15\r\nCELLSIZE 10\r\n\r\n1 2 3\r\n -9999\r\n";
    let map = Heightmap::decode(text.as_bytes(), Format::Asc).unwrap();
    assert_eq!(map.elevation_m.as_slice()[..3], [1.0, 2.0, 3.0]);
    assert!(map.elevation_m.as_slice()[3].is_nan(), "the number for no data if the header has none");
    assert_eq!((map.cell_size_m, map.georeference), (Ok(10.0), place([0.0, 30.0], 10.0)));
    // GDAL writes both sides of cells that are not square.
    let oblong =
        Heightmap::decode(b"ncols 1\nnrows 1\nxllcorner 5\nyllcorner 6\ndx 2\ndy 3\n7\n", Format::Asc).unwrap();
    assert_eq!(oblong.georeference.unwrap().corner, [5.0, 9.0]);
    assert_eq!(oblong.cell_sizes, Some(CellSizes::Equal([2.0, 3.0])));
    let unplaced = Heightmap::decode(&sample().encode(Format::Npy).unwrap(), Format::Npy).unwrap();
    assert_eq!(unplaced.cell_size_m.unwrap_err().to_string(), "does not say how large its cells are");
}

#[test]
fn whole_numbers_of_arrays_are_metres() {
    let read = |descr: &str, bytes: &[u8]| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1, 2), }}");
        Heightmap::decode(&npy(&header, bytes), Format::Npy).map(|map| map.elevation_m.into_vec())
    };
    assert_eq!(read("<i2", &[0xfe, 0xff, 0x10, 0x0f]).unwrap(), [-2.0, 3856.0]);
    assert_eq!(read(">i2", &[0xff, 0xfe, 0x0f, 0x10]).unwrap(), [-2.0, 3856.0]);
    assert_eq!(read("<u2", &[0x10, 0x27, 0x10, 0x0f]).unwrap(), [10_000.0, 3856.0]);
    assert_eq!(read("|u1", &[7, 255]).unwrap(), [7.0, 255.0]);
    assert_eq!(read("|i1", &[7, 255]).unwrap(), [7.0, -1.0]);
    assert_eq!(read(">i4", &[-400_i32, 9].map(i32::to_be_bytes).concat()).unwrap(), [-400.0, 9.0]);
    assert_eq!(read("<u4", &[400_u32, 9].map(u32::to_le_bytes).concat()).unwrap(), [400.0, 9.0]);
    assert_eq!(read("<i8", &[-400_i64, 9].map(i64::to_le_bytes).concat()).unwrap(), [-400.0, 9.0]);
    let error = read("<i2", &[0, 0x80, 0, 0]).unwrap_err().to_string();
    assert!(error.starts_with("cell 0,0 has elevation -32768: expected metres"), "{error}");
    let error = read("<f2", &[0; 4]).unwrap_err().to_string();
    assert!(error.starts_with("holds values of type float16 ('<f2')"), "{error}");
}

/// Returns a tile of 3 arc seconds, whose cells are their column plus 10 times their row, and a void.
fn srtm_tile() -> Vec<u8> {
    let metres = (0..1201_i16).flat_map(|y| (0..1201).map(move |x| if (x, y) == (2, 1) { -32768 } else { x + 10 * y }));
    metres.flat_map(i16::to_be_bytes).collect()
}

#[test]
fn tiles_of_srtm_are_placed_by_their_name() {
    let map = Heightmap::decode(&srtm_tile(), Format::Hgt).unwrap();
    assert_eq!(map.elevation_m.as_slice()[..3], [0.0, 1.0, 2.0]);
    assert_eq!(map.elevation_m[ivec2(1200, 1200)], 13_200.0);
    assert!(map.elevation_m[ivec2(2, 1)].is_nan());
    for name in ["tile.hgt", "N46E0071.hgt", "N46.hgt", "N99E007.hgt", "N46E200.hgt", "Ñ46E007.hgt", ""] {
        assert_eq!(map.clone().placed_by_name(name, Format::Hgt).georeference, None, "{name}");
    }
    for (name, west, north) in
        [("N46E007.hgt", 7.0, 47.0), ("s01w072.SRTMGL3.hgt", -72.0, 0.0), ("S01W072", -72.0, 0.0)]
    {
        let place = map.clone().placed_by_name(name, Format::Hgt).georeference.unwrap();
        let half = 0.5 / 1200.0;
        assert_eq!((place.corner, place.cell), ([west - half, north + half], [1.0 / 1200.0; 2]), "{name}");
        assert_eq!(place.keys.epsg(), Some(4326));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("N46E007.HGT");
    fs::write(&path, srtm_tile()).unwrap();
    assert_eq!(read_heightmap(&Input::new(&path)).unwrap().georeference.unwrap().corner[1], 47.0 + 0.5 / 1200.0);
    check(
        &srtm_tile()[1..],
        Format::Hgt,
        "is no tile of SRTM: it has 2884801 bytes; expected 2884802 (1201x1201 cells), 12970802 (1801x3601), 25934402 (3601x3601) or \
        103708802 (7201x7201), a \
         complete .hgt that is unpacked",
    );
}

#[test]
fn integers_of_pictures_are_metres() {
    let map = |bytes: Vec<u8>| Heightmap::decode(&bytes, Format::Png).unwrap().elevation_m.into_vec();
    assert_eq!(map(png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x08, 0x01, 0, 7])), [2049.0, 7.0]);
    assert_eq!(map(png(2, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 255])), [0.0, 255.0]);
    let colours = png(1, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3]);
    let four_bits = png(2, 1, ColorType::Grayscale, BitDepth::Four, &[0x12]);
    let white = png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x08, 0x01, 0xff, 0xff]);
    check(
        white,
        Format::Png,
        "cell 1,0 has the grey value 65535: expected metres from 0 to 20000; if they are not metres, give the \
         heights of black and white, such as --heights 0:1500",
    );
    let expected = "is not a grey picture of 8 or 16 bits, whose numbers are metres; for any other picture give the heights of \
        black and white, such as --heights 0:1500";
    check(four_bits, Format::Png, expected);
    check(colours, Format::Png, expected);
}

#[test]
fn the_heights_of_black_and_white_scale_a_picture() {
    let heights: HeightRange = "-100:1175".parse().unwrap();
    let map = |bytes: &[u8]| Heightmap::decode_picture(bytes, Format::Png, heights).unwrap().elevation_m.into_vec();
    let eight = png(3, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 1, 255]);
    assert_eq!(map(&eight), [-100.0, -95.0, 1175.0]);
    let sixteen = png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0, 0, 0xff, 0xff]);
    assert_eq!(map(&sixteen), [-100.0, 1175.0]);
    let colours = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[0, 0, 0, 255, 255, 255]);
    assert_eq!(map(&colours), [-100.0, 1175.0]);
    let text = "ncols 1\nnrows 1\ncellsize 10\n7\n";
    let refused = Heightmap::decode_picture(text.as_bytes(), Format::Asc, heights).unwrap_err().to_string();
    assert_eq!(refused, "contains heights in metres: --heights is for pictures (.png) and .r16");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grey.png");
    fs::write(&path, &eight).unwrap();
    assert_eq!(
        read_heightmap(&Input::new(&path).with_heights(PictureHeights::from(heights))).unwrap().elevation_m.as_slice()
            [1],
        -95.0
    );
    for given in ["", "5", "5:", "5:5", "9:5", "0:20001", "-20001:0", "nan:5", "0:inf", "a:b", "1:2:3"] {
        assert!(given.parse::<HeightRange>().unwrap_err().to_string().contains("expected LOW:HIGH"), "{given}");
    }
}

#[test]
fn colours_of_a_picture_are_heights() {
    let map = |bytes: &[u8], encoding: &str| {
        let heights: PictureHeights = encoding.parse().unwrap();
        Heightmap::decode_picture(bytes, Format::Png, heights).map(|map| map.elevation_m.into_vec())
    };
    // 34002.5 m and 32767.75 m over -32768 m, and no data.
    let tile = png(3, 1, ColorType::Rgb, BitDepth::Eight, &[132, 210, 128, 127, 255, 192, 0, 0, 0]);
    let heights = map(&tile, "terrarium").unwrap();
    assert_eq!(heights[..2], [1234.5, -0.25]);
    assert!(heights[2].is_nan());
    // 112345 and 99998 tenths of a metre over -10000 m, the second transparent.
    let tile = png(2, 1, ColorType::Rgba, BitDepth::Eight, &[1, 182, 217, 255, 1, 134, 158, 0]);
    let heights = map(&tile, "terrain_rgb").unwrap();
    assert_eq!(heights[0], 1234.5);
    assert!(heights[1].is_nan());
    let message = |bytes: &[u8], encoding: &str| map(bytes, encoding).unwrap_err().to_string();
    let grey = png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[7]);
    let expected = "is not in colours of 8 bits: --heights terrarium reads red, green and blue";
    assert_eq!(message(&grey, "terrarium"), expected);
    let too_high = message(&png(1, 1, ColorType::Rgb, BitDepth::Eight, &[255, 0, 0]), "terrarium");
    assert!(too_high.contains("cell 0,0") && too_high.contains("32512"), "{too_high}");
}

#[test]
fn squares_of_sixteen_bits_are_shares_of_the_height() {
    let decode = |bytes: &[u8], heights: &str| {
        let heights: PictureHeights = heights.parse().unwrap();
        Heightmap::decode_picture(bytes, Format::R16, heights).map(|map| map.elevation_m).map_err(|e| e.to_string())
    };
    let bytes: Vec<u8> = [0, 1, 32_768, 65_535].into_iter().flat_map(u16::to_le_bytes).collect();
    let map = decode(&bytes, "-100:6453.5").unwrap();
    assert_eq!((map.width(), map.as_slice()), (2, [-100.0, -99.9, 3176.8, 6453.5].as_slice()));
    assert!(decode(&bytes[2..], "0:1").unwrap_err().starts_with("has 6 bytes: expected two per cell of a square"));
    assert!(decode(&[], "0:1").unwrap_err().starts_with("has 0 bytes"));
    let expected = "its numbers are fractions of a height: give the heights of 0 and 65535, such as --heights 0:1500";
    assert_eq!(decode(&bytes, "terrarium").unwrap_err(), expected);
    check(bytes, Format::R16, expected);
}

#[test]
fn faults_in_ascii_grids_are_located() {
    let check = |text: &str, expected: &str| check(text, Format::Asc, expected);
    let header = "ncols 2\nnrows 2\ncellsize 10\n";
    check("", "the header has no line ncols");
    check("ncols 2\n1 2\n", "the header has no line nrows");
    check("ncols 1\nnrows 1\n7\n", "the header has no line cellsize");
    check("ncols two\n", "line 1, column 2: \"two\" is not a number of columns");
    check("ncols 2\nnrows\n", "line 2, column 2: \"\" is not a number of rows");
    check("ncols 0\nnrows 2\n1\n", "the map has 0x2 cells: expected at least one");
    check(
        "ncols 2\nrows 2\n",
        "line 2: \"rows\" is not known in the header of an ASCII grid: expected ncols, nrows, xllcorner or xllcenter, \
         yllcorner or yllcenter, cellsize (or dx and dy), or NODATA_value, or the header of GRASS (north:) or Surfer \
         (DSAA); gdal_translate converts others",
    );
    for (again, line) in [
        ("NCOLS 3", 4),
        ("nrows 2", 4),
        ("cellsize 20", 4),
        ("dx 10", 4),
        ("dy 10", 4),
        ("xllcorner 1\nxllcenter 2", 5),
        ("yllcenter 1\nYLLCORNER 1", 5),
        ("nodata_value 1\nNODATA_value 2", 5),
    ] {
        let word = again.split_whitespace().rev().nth(1).unwrap();
        check(
            &format!("{header}{again}\n1 2\n3 4\n"),
            &format!("line {line}: \"{word}\" repeats an entry of the header: expected one line for each"),
        );
    }
    for nodata in ["NODATA_value nan\n", "NODATA_value -9999\n", ""] {
        let nan = format!("{nodata}{header}1 2 NaN 4");
        assert!(Heightmap::decode(nan.as_bytes(), Format::Asc).unwrap().elevation_m.as_slice()[2].is_nan(), "{nodata}");
    }
    check("cellsize -1\n", "a cellsize of -1: expected a number greater than 0");
    check("cellsize nan\n", "a cellsize of NaN: expected a number greater than 0");
    check("yllcorner -1601e390\n", "line 1, column 2: \"-1601e390\" is not a finite coordinate");
    check("xllcenter nan\n", "line 1, column 2: \"nan\" is not a finite coordinate");
    check(
        "ncols 1\nnrows 1\ncellsize 1e308\nxllcorner 1e308\nyllcorner 0\n1\n",
        "lies from 1e308,1e308 to inf,0.0: expected finite coordinates",
    );
    check("ncols 2\nnrows 2\ncellsize 1e308\n1 2\n3 4\n", "lies from 0.0,0.0 to inf,-inf: expected finite coordinates");
    check(&format!("{header}1 2\n3\n"), "is cut short: its header declares 4 values, but 3 follow");
    check(&format!("{header}1 2\n3 4 5\n"), "line 5: more values than the 4 that the header declares");
    check(&format!("{header}1 2\n3 x\n"), "line 5, column 2: \"x\" is not a number");
    check(
        &format!("{header}1 2\ninf 4\n"),
        "cell 0,1 has elevation inf: expected metres from -20000 to 20000 (the file has to declare its nodata \
         value)",
    );
    check(
        "ncols 16384\nnrows 16384\ncellsize 1\n5\n",
        "is cut short: its header declares 268435456 values, but 1 follow",
    );
    check(
        "ncols 99999999999\nnrows 99999999999\ncellsize 1\n5\n",
        "a map of 99999999999x99999999999 cells is too large: expected at most 16384x16384 = 268435456 cells",
    );
}

#[test]
fn impossible_elevations_and_other_formats_are_errors() {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }";
    check(
        npy(header, &f32::INFINITY.to_le_bytes()),
        Format::Npy,
        "cell 0,0 has elevation inf: expected metres from -20000 to 20000 (the file has to declare its nodata \
         value)",
    );
    check(b"..", Format::Txt, "a heightmap cannot be read from .txt; use .tif, .hgt, .asc, .npy or .png");
}

#[test]
fn heightmap_is_read_by_its_extension() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hills.asc");
    fs::write(&path, sample().encode(Format::Asc).unwrap()).unwrap();
    let map = read_heightmap(&Input::new(&path)).unwrap();
    assert_eq!(bits(&map.elevation_m), bits(&sample().values));
    fs::write(&path, "ncols").unwrap();
    let error = read_heightmap(&Input::new(&path)).unwrap_err().to_string();
    assert_eq!(error, format!("{}: line 1, column 2: \"\" is not a number of columns", path.display()));
}

/// `examples/ridge.tif`: a generated range with the keys of UTM zone 32, as whole metres of 16 bits, stored as differences.
#[test]
fn the_example_has_its_georeference() {
    let map = read_heightmap(&Input::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif"))).unwrap();
    assert_eq!((map.elevation_m.width(), map.elevation_m.height(), map.cell_size_m), (300, 220, Ok(30.0)));
    let place = map.georeference.unwrap();
    assert_eq!((place.corner, place.keys.epsg()), ([612_000.0, 5_206_600.0], Some(32632)));
    let metres = map.elevation_m.as_slice();
    let [low, high] = [f32::min, f32::max].map(|of| metres.iter().copied().reduce(of).unwrap());
    assert_eq!([low, high], [50.0, 2223.0]);
}

#[test]
fn ascii_grids_of_grass_are_read() {
    let head = "north: 5200180\nsouth: 5200000\neast: 500240\nwest: 500000\nrows: 2\ncols: 3\n";
    let read = |text: &str| Heightmap::decode(text.as_bytes(), Format::Asc).unwrap();
    let map = read(&format!("{head}1 2 3\n4 * -9999\n"));
    assert_eq!(map.elevation_m.as_slice()[..4], [1.0, 2.0, 3.0, 4.0]);
    assert!(map.elevation_m.as_slice()[4..].iter().all(|metres| metres.is_nan()));
    let place = map.georeference.unwrap();
    assert_eq!((place.corner, place.cell, place.keys.is_empty()), ([500_000.0, 5_200_180.0], [80.0, 90.0], true));
    // The first cell has no data, and numbers have a multiplier and a number for no data.
    let map = read(&format!("{head}type: float\nnull: 7\nmultiplier: 0.1\n* 20 30\n7 50 60\n"));
    assert_eq!(
        map.elevation_m.map(|metres| if metres.is_nan() { -1.0 } else { *metres }).as_slice(),
        [-1.0, 2.0, 3.0, -1.0, 5.0, 6.0]
    );
    // Degrees, minutes and seconds.
    let head = "north: 46:30:36N\nsouth: 46:30N\neast: 7:00:36W\nwest: 7:01:12W\nrows: 1\ncols: 1\n5\n";
    let place = read(head).georeference.unwrap();
    assert!(
        place.keys.is_in_degrees() && (place.corner[1] - 46.51).abs() < 1e-12 && (place.corner[0] + 7.02).abs() < 1e-12
    );
    assert!(place.cell.iter().all(|side| (side - 0.01).abs() < 1e-12));
    for (text, said) in [
        ("north: 1\nsouth: 0\nwest: 0\nrows: 1\ncols: 1\n5\n", "the header has no line east:"),
        (
            "north: 0\nsouth: 1\nwest: 0\neast: 1\nrows: 1\ncols: 1\n5\n",
            "a cellsize of -1: expected a number greater than 0",
        ),
        ("north: 1:xN\n", "line 1, column 2: \"1:xN\" is not a finite coordinate"),
        ("north: inf\n", "line 1, column 2: \"inf\" is not a finite coordinate"),
        ("north: 1\nnorth: 2\n", "line 2: \"north:\" repeats an entry of the header: expected one line for each"),
        ("ncols 2\nnrows 1\ncellsize 9\n* 2\n", "line 4: \"*\" is not known in the header of an ASCII grid"),
    ] {
        let error = Heightmap::decode(text.as_bytes(), Format::Asc).unwrap_err().to_string();
        assert!(error.starts_with(said), "{text}: {error}");
    }
}

#[test]
fn ascii_grids_of_surfer_are_read_from_the_south() {
    let text = "DSAA\n3 2\n500000 500060\n5200000 5200040\n1 6\n1 2 3\n\n4 5\n1.70141e+038\n";
    let map = Heightmap::decode(text.as_bytes(), Format::Asc).unwrap();
    assert_eq!(
        map.elevation_m.map(|metres| if metres.is_nan() { -1.0 } else { *metres }).as_slice(),
        [4.0, 5.0, -1.0, 1.0, 2.0, 3.0]
    );
    let place = map.georeference.unwrap();
    assert_eq!((place.corner, place.cell), ([499_985.0, 5_200_060.0], [30.0, 40.0]));
    assert!(Heightmap::decode(text.replace('\n', " ").as_bytes(), Format::Asc).is_ok());
    check("DSAA\n3 2\n0 60\n", Format::Asc, "the header has no line ncols");
    check("DSAA\n1 2\n0 0\n0 9\n0 1\n1\n2\n", Format::Asc, "a cellsize of NaN: expected a number greater than 0");
    check("DSAA\n2.5 2\n0 1\n0 9\n0 1\n1\n2\n", Format::Asc, "the header has no line ncols");
    for name in ["DSBB", "DSRB"] {
        let expected = format!("is a binary grid of Surfer ({name}): expected text; gdal_translate converts it");
        check([name.as_bytes(), &[8, 0, 6, 0]].concat(), Format::Asc, &expected);
    }
}

#[test]
fn number_for_no_data_has_two_keywords() {
    for keyword in ["NODATA_value", "nodata_value", "NODATA", "nodata"] {
        let text = format!("ncols 2\nnrows 1\ncellsize 9\n{keyword} 7\n7 8\n");
        let map = Heightmap::decode(text.as_bytes(), Format::Asc).unwrap();
        assert!(map.elevation_m.as_slice()[0].is_nan() && map.elevation_m.as_slice()[1] == 8.0, "{keyword}");
    }
}

#[test]
fn transparent_grey_is_no_data() {
    for (depth, pixels) in [(BitDepth::Eight, vec![7, 114, 9]), (BitDepth::Sixteen, vec![0, 7, 0, 114, 0, 9])] {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 3, 1);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(depth);
        encoder.set_trns(vec![0, 114]);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&pixels).unwrap();
        writer.finish().unwrap();
        let map = Heightmap::decode(&bytes, Format::Png).unwrap().elevation_m;
        assert!(
            map.as_slice()[0] == 7.0 && map.as_slice()[1].is_nan() && map.as_slice()[2] == 9.0,
            "{depth:?}: {map:?}"
        );
    }
}

#[test]
fn strips_without_lengths_are_read() {
    const STRIP_BYTE_COUNTS: [u8; 2] = 279_u16.to_le_bytes();
    const OTHER_TAG: [u8; 2] = 280_u16.to_le_bytes();
    // The place of the entry in a file of the given number of rows.
    let entry_of = |rows: usize| {
        let grid = Grid::from_fn(64, rows, |cell| (cell.x * 3 + cell.y * 7) as f32);
        let bytes = plain(grid.clone()).encode(Format::Tif).unwrap();
        let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        let count = u16::from_le_bytes(bytes[directory..directory + 2].try_into().unwrap()) as usize;
        let entries = (0..count).map(|i| directory + 2 + 12 * i);
        let entry = entries.clone().find(|at| bytes[*at..at + 2] == STRIP_BYTE_COUNTS).unwrap();
        (grid, bytes, entry)
    };
    for rows in [5, 500] {
        let (grid, mut bytes, entry) = entry_of(rows);
        bytes[entry..entry + 2].copy_from_slice(&OTHER_TAG);
        let map = Heightmap::decode(&bytes, Format::Tif).unwrap_or_else(|error| panic!("{rows} rows: {error}"));
        assert_eq!(bits(&map.elevation_m), bits(&grid), "{rows} rows");
    }
    let (grid, mut bytes, entry) = entry_of(5);
    assert_eq!(bytes[entry + 4..entry + 8], [1, 0, 0, 0], "one strip");
    bytes[entry + 8..entry + 12].fill(0);
    assert_eq!(bits(&Heightmap::decode(&bytes, Format::Tif).unwrap().elevation_m), bits(&grid));
}
