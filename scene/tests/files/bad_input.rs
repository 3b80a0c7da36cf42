//! Every bad file gives a message of one line with the file, the position and the value.

use std::fs;

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{Depth, Format, Heightmap, Input, MapFile, Provenance, read_opacity_map};
use png::{BitDepth, ColorType};

use super::{npy, plain, png};

fn message(bytes: &[u8], format: Format) -> String {
    let message = MapFile::decode(bytes, format).unwrap_err().to_string();
    assert!(!message.contains('\n'), "one line: {message}");
    message
}

#[track_caller]
fn check(bytes: impl AsRef<[u8]>, format: Format, expected: &str) {
    assert_eq!(message(bytes.as_ref(), format), expected);
}

fn header(descr: &str, shape: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")
}

#[test]
fn faults_in_text_maps_are_located() {
    let check = |bytes: &[u8], expected: &str| check(bytes, Format::Txt, expected);
    check(b"", "the map is empty; it needs at least one row of one character");
    check(b"..\n...\n", "line 2 has 3 characters, but line 1 has 2; all rows must be equally long");
    check(
        "..\n.é".as_bytes(),
        "line 2, column 2: 'é' is not part of a map: expected # (wall), . or space (clear), 1 to 9 (tenths of opacity), \
         + (closed door), ' (open door), _ (clear, under a roof) or @ (viewer)",
    );
    check(b"...\n.\xff.", "line 2, column 2: byte 0xFF is not text (UTF-8)");
    check(b"@.\n.@", "line 2, column 2: a second @; a map has one viewer");
}

#[test]
fn faults_in_numpy_files_are_named() {
    let check = |bytes: Vec<u8>, expected: &str| check(bytes, Format::Npy, expected);
    let good = plain(Grid::new(4, 3, 0.5)).encode(Format::Npy).unwrap();
    check(b"".to_vec(), "is not an .npy file: it does not begin with \\x93NUMPY");
    check(b"PK\x03\x04 an archive".to_vec(), "is not an .npy file: it does not begin with \\x93NUMPY");
    check(good[..9].to_vec(), "is cut short: it ends inside its header");
    check(good[..100].to_vec(), "is cut short: it ends inside its header");
    check(
        good[..good.len() - 1].to_vec(),
        "is cut short: its header declares 48 bytes of values, shape (3, 4), but 47 follow",
    );
    check([&good[..], b"xy"].concat(), "has 2 bytes behind its values, shape (3, 4): expected none");
    check(
        npy(&header("'<f4'", "(1000000, 1000000)"), &[0; 8]),
        "is cut short: its header declares 4000000000000 bytes of values, shape (1000000, 1000000), but 8 follow",
    );
    let most = usize::MAX;
    assert!(message(&npy(&header("'<f8'", &format!("({most}, {most})")), &[]), Format::Npy).contains("is cut short"));
    check(npy(&header("'<f4'", "(3,)"), &[0; 12]), "has 1 axes, shape (3,): expected two, (height, width)");
    check(npy(&header("'<f4'", "()"), &[0; 4]), "has 0 axes, shape (): expected two, (height, width)");
    check(npy(&header("'<f4'", "(1, 1, 3)"), &[0; 12]), "has 3 axes, shape (1, 1, 3): expected two, (height, width)");
    for (descr, name) in [
        ("<i4", "int32 ('<i4')"),
        ("|b1", "bool ('|b1')"),
        ("<f2", "float16 ('<f2')"),
        ("|O", "'|O'"),
        ("<U7", "'<U7'"),
        ("", "''"),
        ("é", "'é'"),
        ("<f99999999999", "'<f99999999999'"),
    ] {
        check(
            npy(&header(&format!("'{descr}'"), "(1, 1)"), &[0; 4]),
            &format!("holds values of type {name}: expected float32 or float64 (array.astype('float32'))"),
        );
    }
    assert!(
        message(&npy(&header("[('a', '<f4')]", "(1, 1)"), &[0; 4]), Format::Npy).starts_with("holds values of type [")
    );
    check(npy(&header("'<f4'", "(0, 5)"), &[]), "the map has 5x0 cells: expected at least one");
    check(npy("{'descr': '<f4'}", &[]), "its header cannot be read: missing key: fortran_order");
    check(npy(&header("'<f4'", "(-1, 2)"), &[]), "its header cannot be read: illegal value for key shape: (-1, 2)");
    for (header, fault) in [
        ("(".repeat(9000), format!("{} is not a dictionary such as {{'descr': '<f4', …}}", "(".repeat(40))),
        ("{'descr': '<f4', 'order': 1}".to_owned(), "unknown key: 'order'".to_owned()),
        (header("'<f4'", "(3)"), "illegal value for key shape: (3)".to_owned()),
        (header("'<f4'", "(3,\n4)"), "it has control characters".to_owned()),
    ] {
        check(npy(&header, &[]), &format!("its header cannot be read: {fault}"));
    }
    assert!(
        MapFile::decode(&npy("{\"shape\":(1,1),'fortran_order':True,'descr':'>f4'}", &[0; 4]), Format::Npy).is_ok()
    );
    check(npy(&" ".repeat(20_000), &[]), "its header cannot be read: it is 20001 bytes long; at most 10000 are read");
    assert!(message(&npy("{", &[]), Format::Npy).starts_with("its header cannot be read: "));
    check(b"\x93NUMPY\x07\x00\x02\x00{}".to_vec(), "its header cannot be read: version 7.0 is not known");
    check(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec(), "is cut short: it ends inside its header");
}

#[test]
fn values_outside_0_to_1_are_not_opacities() {
    for (value, text) in
        [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-0.5, "-0.5"), (1.001, "1.001"), (1e300, &format!("{}", 1e300))]
    {
        let values: Vec<u8> = [0.0, 0.0, 0.0, 0.0, 0.0, value].iter().flat_map(|v| v.to_le_bytes()).collect();
        let expected = format!("cell 2,1 has opacity {text}: expected a number from 0 (clear) to 1 (wall)");
        check(npy(&header("'<f8'", "(2, 3)"), &values), Format::Npy, &expected);
    }
    for text in ["NaN", "inf", "-0.1", "1.5", "1e300"] {
        let expected =
            format!("line 2, column 3: {text} is not an opacity: expected a number from 0 (clear) to 1 (wall)");
        check(format!("0,0,0\n0,0,{text}\n"), Format::Csv, &expected);
    }
}

#[test]
fn faults_in_tables_are_located() {
    let check = |text: &str, expected: &str| check(text, Format::Csv, expected);
    check("", "the table is empty: expected at least one number");
    check("\n\n", "the table is empty: expected at least one number");
    check("0,1\n0\n", "line 2 has 1 values, but the first has 2: expected lines of equal length");
    check("0,1\n0,\n", "line 2, column 2: \"\" is not a number");
    check("0;1\n", "line 1, column 1: \"0;1\" is not a number");
    check("a,b\n0,1\n", "line 1, column 1: \"a\" is not a number");
    check("x,y,height\n0,0,1\n", "the header \"x,y,height\" has no column opacity or visibility besides x and y");
    check("x,y,opacity\n", "the table is empty: expected at least one number");
    check("x,y,opacity\n0,0.5,1\n", "line 2, column 2: \"0.5\" is not a whole number");
    check("x,y,opacity\n0,0,1\n0,0,1\n", "line 3: cell 0,0 a second time");
    check("x,y,opacity\n5,5,1\n6,6,1\n", "no line for cell 6,5; the cells must fill the rectangle 5,5 to 6,6");
    check("x,y,opacity\n0,0,1\n0\n", "line 3 has 1 values, but the first has 3: expected lines of equal length");
    check(
        "x,y,opacity\n-2147483648,0,1\n2147483647,0,1\n",
        "a map of 4294967296x1 cells is too large: expected at most 16384x16384 = 268435456 cells",
    );
    check(&"long".repeat(100), &format!("line 1, column 1: \"{}…\" is not a number", "long".repeat(10)));
    let not_text = MapFile::decode(b"0,\xff\n", Format::Csv).unwrap_err().to_string();
    assert_eq!(not_text, "line 1, column 2: \"\u{FFFD}\" is not a number");
}

#[test]
fn faults_in_pictures_are_named() {
    let check = |bytes: &[u8], expected: &str| check(bytes, Format::Png, expected);
    let good = png(64, 64, ColorType::Grayscale, BitDepth::Eight, &(0..=255).cycle().take(4096).collect::<Vec<u8>>());
    check(b"", "is cut short: the raster is not complete");
    check(b"not a picture", "is not a .png file: it does not begin with the signature of PNG");
    for length in [8, 20, 33, 60, good.len() / 2, good.len() - 14, good.len() - 5] {
        check(&good[..length], "is cut short: the raster is not complete");
    }
    let mut damaged = good.clone();
    damaged[60] ^= 0x55;
    assert!(message(&damaged, Format::Png).starts_with("is damaged: "));
    let mut huge = good.clone();
    resize(&mut huge, 16384, 16384);
    check(&huge, &format!("declares 16384x16384 cells, but {} bytes cannot hold them", good.len()));
    resize(&mut huge, 100_000, 100_000);
    check(&huge, "a map of 100000x100000 cells is too large: expected at most 16384x16384 = 268435456 cells");
    resize(&mut huge, 0, 5);
    assert!(message(&huge, Format::Png).starts_with("is damaged: "));
}

/// Writes another size into the header of a picture, with its checksum.
fn resize(bytes: &mut [u8], width: u32, height: u32) {
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let mut sum = u32::MAX;
    for &byte in &bytes[12..29] {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    bytes[29..33].copy_from_slice(&(!sum).to_be_bytes());
}

#[test]
fn messages_begin_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = read_opacity_map(&Input::new(&path)).unwrap_err();
        assert!(!error.is_write());
        error.to_string().replace(&folder.path().display().to_string(), "FOLDER")
    };
    assert_eq!(
        message("a.txt", b".?"),
        "FOLDER/a.txt: line 1, column 2: '?' is not part of a map: expected # (wall), . or space (clear), 1 to 9 \
         (tenths of opacity), + (closed door), ' (open door), _ (clear, under a roof) or @ (viewer)"
    );
    assert_eq!(message("a.npy", b".?"), "FOLDER/a.npy: is not an .npy file: it does not begin with \\x93NUMPY");
    assert_eq!(
        message("a.json", b"{}"),
        "FOLDER/a.json: an opacity map cannot be read from .json; use .txt, .npy, .csv or .png"
    );
    assert_eq!(
        message("a.bmp", b""),
        "FOLDER/a.bmp: an opacity map cannot be read from .bmp; use .txt, .npy, .csv or .png"
    );
    let error = |path: &std::path::Path| read_opacity_map(&Input::new(path)).unwrap_err().to_string();
    assert_eq!(error("nowhere/a.npy".as_ref()), "nowhere/a.npy: there is no such file");
    assert!(error(folder.path()).ends_with(": it is a folder, not a file"));
}

#[test]
fn a_format_may_be_named_in_place_of_the_extension() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.dat");
    fs::write(&path, "0,1\n").unwrap();
    let map = read_opacity_map(&Input::new(&path).with_format(Format::Csv)).unwrap();
    assert_eq!(map.opacity.grid().as_slice(), [0.0, 1.0]);
}

#[test]
fn value_that_a_format_cannot_hold_is_an_error() {
    let mut heights = plain(Grid::from_vec(2, 1, vec![0.0, 812.5]).unwrap());
    heights.layer = "elevation".to_owned();
    heights.top_left = ivec2(7, 8);
    let error = heights.encode(Format::Txt).unwrap_err().to_string();
    assert_eq!(error, "could not write: cell 8,8 of elevation is 812.5; .txt holds values from 0 to 1");
    // A grey picture holds it within its range.
    heights.range = [0.0, 1625.0];
    let mut bytes = Vec::new();
    heights.write_grey_png(&mut bytes, Depth::Sixteen).unwrap();
    assert_eq!(MapFile::decode(&bytes, Format::Png).unwrap().opacity.grid().as_slice(), [0.0, 32_768.0 / 65_535.0]);
}

#[test]
fn rasters_without_cells_or_with_wrong_labels_are_errors() {
    for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
        let error = plain(Grid::new(0, 3, 0.0)).encode(format).unwrap_err();
        assert_eq!(error.to_string(), "could not write: it has no cells");
    }
    let error = plain(Grid::new(1, 1, 0.0)).encode(Format::Hgt).unwrap_err();
    assert_eq!(error.to_string(), "could not write: .hgt files are only read; use .tif");
    let mut raster = super::sample();
    raster.labels.as_mut().unwrap().names.pop();
    let error = raster.encode(Format::Csv).unwrap_err().to_string();
    assert_eq!(error, "could not write: the labels of state do not fit the values: label 2 of 2");
    raster.labels.as_mut().unwrap().cells = Grid::new(1, 1, 0);
    let error = raster.encode(Format::Json).unwrap_err().to_string();
    assert_eq!(error, "could not write: the labels of state do not fit the values: 1x1 labels for 3x2 values");
    let error = farsight_scene::files::write_picture(&mut Vec::new(), 2, 2, &[0; 13], None).unwrap_err().to_string();
    assert_eq!(error, "could not write: 13 bytes are not an RGB or RGBA picture of 2x2 pixels");
}

#[test]
fn palette_that_is_no_list_of_colours_is_an_error() {
    for bytes in [1, 2, 4, 5, 7, 100, 766, 767] {
        let mut file = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut file, 2, 2);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(vec![7; bytes]);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[0; 4]).unwrap();
        writer.finish().unwrap();
        for message in [
            MapFile::decode(&file, Format::Png).unwrap_err().to_string(),
            Heightmap::decode(&file, Format::Png).unwrap_err().to_string(),
            Provenance::decode(&file).unwrap_err().to_string(),
        ] {
            assert!(!message.contains("its decoder failed"), "{bytes}: {message}");
        }
        let said = MapFile::decode(&file, Format::Png).unwrap_err().to_string();
        let expected = format!("is damaged: its palette has {bytes} bytes: expected three for each colour");
        assert!(said == expected || bytes < 3, "{said}");
    }
}
