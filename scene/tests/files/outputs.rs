//! The exact bytes that other programs read.

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::Format;

use super::{plain, sample};

fn text(format: Format) -> String {
    String::from_utf8(sample().encode(format).unwrap()).unwrap()
}

#[test]
fn table_has_a_line_for_every_cell() {
    let expected = "\
x,y,visibility,state
10,20,0.5,visible
11,20,1,visible
12,20,0.25,visible
10,21,0,hidden
11,21,0.1,seen
12,21,,hidden
";
    assert_eq!(text(Format::Csv), expected);
    let mut bare = sample();
    bare.labels = None;
    assert!(bare.encode(Format::Csv).unwrap().starts_with(b"x,y,visibility\n10,20,0.5\n"));
}

#[test]
fn ascii_grid_has_a_header_and_rows() {
    let expected = "\
ncols 3
nrows 2
xllcorner 1000
yllcorner -2200
cellsize 100
NODATA_value -9999
0.5 1 0.25
0 0.1 -9999
";
    assert_eq!(text(Format::Asc), expected);
    let mut flat = plain(Grid::new(1, 2, 0.0));
    flat.top_left = ivec2(0, -2);
    let flat = String::from_utf8(flat.encode(Format::Asc).unwrap()).unwrap();
    assert!(flat.contains("xllcorner 0\nyllcorner 0\ncellsize 1\n"), "no -0: {flat}");
}

#[test]
fn json_has_a_line_for_every_row() {
    let expected = r#"{
  "farsight": {
    "version": "0.1.0",
    "preset": "[sight]\nradius = 3 # Weitsicht: 3 Felder, ½ Höhe\n",
    "seed": 18446744073709551615,
    "viewer": [
      11,
      20
    ],
    "layer": "visibility"
  },
  "layer": "visibility",
  "width": 3,
  "height": 2,
  "origin": [
    10,
    20
  ],
  "viewer": [
    11,
    20
  ],
  "cell_size_m": 100.0,
  "values": [
    [0.5,1.0,0.25],
    [0.0,0.1,null]
  ],
  "labels": {
    "column": "state",
    "names": ["hidden","seen","visible"],
    "cells": [
      [2,2,2],
      [0,1,0]
    ]
  }
}
"#;
    assert_eq!(text(Format::Json), expected);
}

#[test]
fn numpy_file_has_a_padded_header() {
    let bytes = plain(Grid::from_vec(2, 1, vec![0.5, 1.0]).unwrap()).encode(Format::Npy).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(10 + length, 128);
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    assert_eq!(header.trim_end(), "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}");
    assert!(header.ends_with('\n'));
    assert_eq!(bytes[10 + length..], [0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f]);
}

#[test]
fn numpy_file_of_one_column_is_in_c_order() {
    for (width, height) in [(1, 3), (3, 1), (1, 1)] {
        let bytes = plain(Grid::new(width, height, 0.5)).encode(Format::Npy).unwrap();
        let header = String::from_utf8_lossy(&bytes[..128]).into_owned();
        assert!(header.contains(&format!("'fortran_order': False, 'shape': ({height}, {width})")), "{header}");
    }
}

#[test]
fn grey_picture_has_the_chosen_depth() {
    let raster = plain(Grid::from_vec(3, 1, vec![0.0, 0.5, 1.0]).unwrap());
    let decode = |depth| {
        let mut bytes = Vec::new();
        raster.write_grey_png(&mut bytes, depth).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.color_type, png::ColorType::Grayscale);
        pixels
    };
    assert_eq!(decode(farsight_scene::files::Depth::Eight), [0, 128, 255]);
    assert_eq!(decode(farsight_scene::files::Depth::Sixteen), [0, 0, 0x80, 0, 0xff, 0xff]);
}
