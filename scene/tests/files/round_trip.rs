//! Written files can be read.

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{Depth, Format, MapFile};
use png::{BitDepth, ColorType};
use proptest::prelude::*;

use super::{npy, plain, png};

/// Returns grids of up to 9 × 9 opacities, including 0 and 1.
fn opacities() -> impl Strategy<Value = Grid<f32>> {
    (1..10_usize, 1..10_usize).prop_flat_map(|(width, height)| {
        let value = prop_oneof![Just(0.0_f32), Just(1.0), Just(f32::MIN_POSITIVE), 0.0..=1.0_f32];
        prop::collection::vec(value, width * height)
            .prop_map(move |cells| Grid::from_vec(width, height, cells).unwrap())
    })
}

fn read(bytes: &[u8], format: Format) -> Grid<f32> {
    MapFile::decode(bytes, format).unwrap().opacity.into_grid()
}

/// Returns the largest difference between two grids of the same size.
fn difference(a: &Grid<f32>, b: &Grid<f32>) -> f32 {
    assert_eq!(a.size(), b.size());
    a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Formats a grid as a table without header.
fn table(grid: &Grid<f32>) -> String {
    let row = |y| grid.row(y).iter().map(f32::to_string).collect::<Vec<_>>().join(",");
    (0..grid.height()).map(|y| row(y) + "\n").collect()
}

proptest! {
    #[test]
    fn npy_and_csv_keep_every_bit(grid in opacities()) {
        let mut raster = plain(grid.clone());
        raster.top_left = ivec2(-4, 7);
        prop_assert_eq!(&read(&raster.encode(Format::Npy).unwrap(), Format::Npy), &grid);
        prop_assert_eq!(&read(&raster.encode(Format::Csv).unwrap(), Format::Csv), &grid);
        prop_assert_eq!(&read(table(&grid).as_bytes(), Format::Csv), &grid);
    }

    #[test]
    fn text_and_pictures_round_to_their_precision(grid in opacities()) {
        let raster = plain(grid.clone());
        let text = raster.encode(Format::Txt).unwrap();
        prop_assert!(difference(&read(&text, Format::Txt), &grid) <= 0.050_001);
        prop_assert!(difference(&read(&raster.encode(Format::Png).unwrap(), Format::Png), &grid) <= 0.501 / 255.0);
        let mut deep = Vec::new();
        raster.write_grey_png(&mut deep, Depth::Sixteen).unwrap();
        prop_assert!(difference(&read(&deep, Format::Png), &grid) <= 0.501 / 65_535.0);
        // A rounded map does not change again.
        let again = plain(read(&text, Format::Txt)).encode(Format::Txt).unwrap();
        prop_assert_eq!(again, text);
    }

    #[test]
    fn json_and_ascii_grids_keep_every_bit(grid in opacities()) {
        let raster = plain(grid.clone());
        let json: serde_json::Value = serde_json::from_slice(&raster.encode(Format::Json).unwrap()).unwrap();
        let rows: Vec<Vec<f32>> = serde_json::from_value(json["values"].clone()).unwrap();
        prop_assert_eq!(rows.concat(), grid.as_slice());
        let asc = String::from_utf8(raster.encode(Format::Asc).unwrap()).unwrap();
        let cells: Vec<f32> = asc.lines().skip(6).flat_map(str::split_whitespace).map(|v| v.parse().unwrap()).collect();
        prop_assert_eq!(cells, grid.as_slice());
    }

    #[test]
    fn same_raster_gives_the_same_bytes(grid in opacities()) {
        for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
            let raster = plain(grid.clone());
            prop_assert_eq!(raster.encode(format).unwrap(), raster.clone().encode(format).unwrap());
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0..4_usize) {
        let starts: [&[u8]; 4] = [b"", b"\x93NUMPY\x01\x00\x30\x00{", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"x,y,opacity\n0,0,"];
        bytes.splice(0..0, starts[start].iter().copied());
        for &format in Format::ALL {
            let _ = MapFile::decode(&bytes, format);
        }
        let _ = farsight_scene::files::Provenance::decode(&bytes);
    }

    #[test]
    fn no_damaged_byte_makes_a_reader_panic(grid in opacities(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
        for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
            let mut bytes = plain(grid.clone()).encode(format).unwrap();
            *place.get_mut(&mut bytes) = byte;
            let _ = MapFile::decode(&bytes, format);
            let _ = farsight_scene::files::Provenance::decode(&bytes);
        }
    }
}

#[test]
fn text_map_has_the_viewer() {
    let mut raster = plain(Grid::from_text("#.5\n...").unwrap());
    (raster.top_left, raster.viewer) = (ivec2(10, 20), ivec2(12, 21));
    let text = raster.encode(Format::Txt).unwrap();
    assert_eq!(String::from_utf8_lossy(&text), "#.5\n..@\n");
    assert_eq!(MapFile::decode(&text, Format::Txt).unwrap().viewer, Some(ivec2(2, 1)));
}

#[test]
fn text_rounds_to_the_nearest_tenth() {
    let raster = plain(Grid::from_vec(6, 1, vec![0.04, 0.06, 0.44, 0.46, 0.94, 0.96]).unwrap());
    assert_eq!(raster.encode(Format::Txt).unwrap(), b".1459#\n");
}

#[test]
fn numpy_files_of_both_types_byte_orders_and_layouts_are_read() {
    let expected = Grid::from_vec(3, 2, vec![0.0, 0.25, 0.5, 0.75, 1.0, 0.125]).unwrap();
    let by_rows = [0.0, 0.25, 0.5, 0.75, 1.0, 0.125_f64];
    let by_columns = [0.0, 0.75, 0.25, 1.0, 0.5, 0.125_f64];
    for (order, values) in [("False", by_rows), ("True", by_columns)] {
        for descr in ["<f4", ">f4", "<f8", ">f8"] {
            let bytes: Vec<u8> = match descr {
                "<f4" => values.iter().flat_map(|&v| (v as f32).to_le_bytes()).collect(),
                ">f4" => values.iter().flat_map(|&v| (v as f32).to_be_bytes()).collect(),
                "<f8" => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
                _ => values.iter().flat_map(|v| v.to_be_bytes()).collect(),
            };
            let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 3), }}");
            assert_eq!(read(&npy(&header, &bytes), Format::Npy), expected, "{descr} {order}");
        }
    }
}

#[test]
fn sum_slightly_above_1_is_1() {
    let value: f64 = 1.0 + f64::EPSILON;
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }";
    assert_eq!(read(&npy(header, &value.to_le_bytes()), Format::Npy).as_slice(), [1.0]);
}

#[test]
fn brightness_of_every_kind_of_picture_is_its_luma() {
    let close = |bytes: Vec<u8>, expected: &[f32]| {
        let expected = Grid::from_vec(expected.len(), 1, expected.to_vec()).unwrap();
        assert!(difference(&read(&bytes, Format::Png), &expected) < 1e-6, "{expected:?}");
    };
    close(png(3, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 51, 255]), &[0.0, 0.2, 1.0]);
    close(png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x33, 0x33, 255, 255]), &[0.2, 1.0]);
    close(png(4, 1, ColorType::Grayscale, BitDepth::Two, &[0b00_01_10_11]), &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
    close(png(2, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[255, 51, 255, 0]), &[0.2, 0.0]);
    close(png(2, 1, ColorType::Rgb, BitDepth::Eight, &[255, 0, 0, 255, 255, 255]), &[0.2126, 1.0]);
    close(png(2, 1, ColorType::Rgba, BitDepth::Eight, &[0, 255, 0, 255, 0, 0, 255, 51]), &[0.7152, 0.2 * 0.0722]);
    close(png(3, 1, ColorType::Indexed, BitDepth::Eight, &[0, 1, 2]), &[0.0, 1.0, 0.2126 * 0.2]);
    let deep = [[255; 6], [0, 0, 0, 0, 255, 255]].concat();
    close(png(2, 1, ColorType::Rgb, BitDepth::Sixteen, &deep), &[1.0, 0.0722]);
}

#[test]
fn interlaced_picture_is_read() {
    // The twelve values 0/11 to 11/11 in sixteen bits, interlaced by ImageMagick.
    let bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x03\x10\0\0\0\x01\xb6\x08\x1d\xcf\
        \0\0\0'IDAT\x08\xd7c```\xd0\xebf\xd8\xa5\xf7b'\x83\xb8\x9b\xebE\x86\x8b%\xff\xff3\xc6\x8a\x8b\xbb\x89\
        \xbb\x8a\xbb\x01\0\x8bg\t\x84\x11g\x1c%\0\0\0\0IEND\xaeB`\x82";
    let expected = Grid::from_fn(4, 3, |cell| (cell.x + 4 * cell.y) as f32 / 11.0);
    assert!(difference(&read(bytes, Format::Png), &expected) < 1.0 / 65_535.0);
}

#[test]
fn tables_may_have_blanks_a_byte_order_mark_and_any_order_of_cells() {
    let expected = Grid::from_vec(2, 2, vec![0.0, 0.5, 1.0, 0.25]).unwrap();
    assert_eq!(read("\u{FEFF}0, .5\r\n\r\n1.0,2.5e-1\r\n".as_bytes(), Format::Csv), expected);
    let cells = "\u{FEFF}Y,X,state,Opacity\n8,-3,a,0.25\n7,-4,a,0\n7,-3,b,0.5\n8,-4,\"c,d\",1\n";
    assert_eq!(read(cells.as_bytes(), Format::Csv), expected);
}
