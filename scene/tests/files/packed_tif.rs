//! GeoTIFF files with ZSTD and LERC: all files of `tests/data/packed-tif`, and damaged ones.

use std::fs;
use std::path::{Path, PathBuf};

use farsight::glam::ivec2;
use farsight::grid::{CellRect, Grid};
use farsight_scene::files::{Format, Heightmap, Input, read_heightmap_window};
use tiff::encoder::TiffEncoder;
use tiff::tags::Tag;

use super::fuzz_targets;

/// Returns the files of the folder.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/packed-tif"));
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/packed-tif").join(name)).unwrap()
}

/// Returns the bits of heights; those of NaN are 0.
fn bits(heights: &Grid<f32>) -> Vec<u32> {
    heights.as_slice().iter().map(|height| if height.is_nan() { 0 } else { height.to_bits() }).collect()
}

#[test]
fn zstd_and_lerc_are_read_as_a_whole_and_in_part() {
    assert_eq!(files().len(), 17);
    for path in files() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let fraction = if name.contains("-f32") || name.contains("-f64") { 0.375 } else { 0.0 };
        let height = |x: i32, y: i32| match [x, y] {
            [3, 4] | [17, 9] => f32::NAN,
            _ => ((3 * x * x + 5 * y * y + x * y) % 7 + x) as f32 + fraction,
        };
        let map =
            Heightmap::decode(&fs::read(&path).unwrap(), Format::Tif).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(bits(&map.elevation_m), bits(&Grid::from_fn(20, 16, |cell| height(cell.x, cell.y))), "{name}");
        assert_eq!(map.georeference.unwrap().corner, [500_000.0, 5_200_480.0], "{name}");
        let cells = CellRect { min: ivec2(2, 3), max: ivec2(19, 11) };
        let window = read_heightmap_window(&Input::new(&path), cells).unwrap();
        let wanted = Grid::from_fn(cells.width(), cells.height(), |cell| height(cell.x + 2, cell.y + 3));
        assert_eq!(bits(&window), bits(&wanted), "{name}, read in part");
    }
}

/// Returns the error of a file.
fn error_of(bytes: &[u8]) -> String {
    Heightmap::decode(bytes, Format::Tif).unwrap_err().to_string()
}

/// Returns the place of a text in a file.
fn place_of(bytes: &[u8], text: &[u8]) -> usize {
    bytes.windows(text.len()).position(|window| window == text).unwrap()
}

/// Writes an integer to the header of the first LERC blob of a file, and the checksum of the blob.
fn with_header(mut bytes: Vec<u8>, at: usize, value: u32) -> Vec<u8> {
    let start = place_of(&bytes, b"Lerc2 ");
    let blob = &mut bytes[start..];
    let length = u32::from_le_bytes(blob[34..38].try_into().unwrap()) as usize;
    blob[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let sum = lerc::checksum::fletcher32(&blob[14..length]);
    blob[10..14].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The places of numbers in the header of a blob.
const CHECKSUM: usize = 10;
const ROWS: usize = 14;
const COLUMNS: usize = 18;
const VALID_CELLS: usize = 26;
const NUMBER_TYPE: usize = 38;

#[test]
fn lerc_blobs_that_lie_are_errors_with_their_reason() {
    let strips = || file("lerc-i16-strips.tif");
    let of_first = |bytes: Vec<u8>| {
        let error = error_of(&bytes);
        let reason = error.strip_prefix("is damaged: the LERC blob of strip or tile 0: ");
        reason.unwrap_or_else(|| panic!("{error}")).to_owned()
    };
    assert_eq!(of_first(with_header(strips(), COLUMNS, 30_000)), "it has 30000x5 cells, expected 20x5");
    assert_eq!(of_first(with_header(strips(), ROWS, 6)), "it has 20x6 cells, expected 20x5");
    assert_eq!(of_first(with_header(strips(), NUMBER_TYPE, 6)), "its numbers are Float, expected Short");
    let reason = of_first(with_header(strips(), VALID_CELLS, u32::MAX));
    assert!(reason.starts_with("invalid data: "), "{reason}");
    let mut wrong_sum = strips();
    let start = place_of(&wrong_sum, b"Lerc2 ");
    wrong_sum[start + CHECKSUM] ^= 1;
    assert!(of_first(wrong_sum).starts_with("checksum mismatch"));
    let mut no_lerc = strips();
    no_lerc[start] = b'M';
    assert_eq!(of_first(no_lerc), "it does not begin with \"Lerc2\"");
    let mut zstd = file("zstd-i16-strips.tif");
    let magic = place_of(&zstd, &[0x28, 0xb5, 0x2f, 0xfd]);
    zstd[magic] = 0;
    let error = error_of(&zstd);
    assert!(error.starts_with("is damaged: "), "{error}");
}

/// Returns a file of one strip with a compression and its bytes.
fn of_one_strip([width, height]: [u32; 2], compression: u16, strip: &[u8]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut directory = encoder.image_directory().unwrap();
    let offset = directory.write_data(strip).unwrap() as u32;
    for (tag, value) in [
        (Tag::ImageWidth, width),
        (Tag::ImageLength, height),
        (Tag::RowsPerStrip, height),
        (Tag::StripOffsets, offset),
        (Tag::StripByteCounts, strip.len() as u32),
    ] {
        directory.write_tag(tag, value).unwrap();
    }
    for (tag, value) in [
        (Tag::BitsPerSample, 32_u16),
        (Tag::SampleFormat, 3),
        (Tag::PhotometricInterpretation, 1),
        (Tag::SamplesPerPixel, 1),
        (Tag::Compression, compression),
    ] {
        directory.write_tag(tag, value).unwrap();
    }
    directory.finish().unwrap();
    bytes.into_inner()
}

#[test]
fn constant_numbers_of_few_bytes_are_read_up_to_a_limit() {
    let blob = |side: u32| {
        lerc::encode_slice(side, side, &vec![7.5_f32; (side * side) as usize], lerc::Precision::Lossless).unwrap()
    };
    let small = of_one_strip([1024; 2], 34_887, &blob(1024));
    assert!(small.len() < 1000, "{}", small.len());
    let heights = Heightmap::decode(&small, Format::Tif).unwrap().elevation_m;
    assert!(heights.as_slice().iter().all(|height| *height == 7.5));
    let large = of_one_strip([9000; 2], 34_887, &with_header(blob(16), COLUMNS, 9000));
    let error = error_of(&large);
    assert!(error.starts_with("declares 9000x9000 cells"), "{error}");
}

#[test]
fn damaged_bytes_end_in_an_error_or_in_heights() {
    for path in files() {
        let bytes = fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(5) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fuzz_targets::run("heightmap_tif", &damaged);
        }
        for length in (0..bytes.len()).step_by(61) {
            fuzz_targets::run("heightmap_tif", &bytes[..length]);
        }
    }
}
