//! GeoTIFF files: every way to store elevations, georeferences, and damaged files.

use std::io::Cursor;
use std::process::Command;

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{
    CellSizeError, Format, GeoKeys, Georeference, Heightmap, Input, NumberType, Raster, TifLayout, read_heightmap,
};
use proptest::prelude::*;
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder, TiffValue, colortype};
use tiff::tags::Tag;

use super::{plain, sample};

/// Returns the keys of UTM zone 32 on WGS 84, as GDAL writes them.
fn utm() -> GeoKeys {
    let directory =
        vec![1, 1, 0, 5, 1024, 0, 1, 1, 1025, 0, 1, 1, 1026, 34737, 22, 0, 3072, 0, 1, 32632, 3076, 0, 1, 9001];
    GeoKeys { directory, doubles: Vec::new(), ascii: "WGS 84 / UTM zone 32N|".to_owned() }
}

fn place() -> Georeference {
    Georeference { corner: [600_000.0, 5_200_000.0], cell: [30.0, 30.0], keys: utm() }
}

/// Encodes a file with the usual tags and those that `tag` writes.
fn file<C: colortype::ColorType>(
    [width, height]: [u32; 2],
    values: &[C::Inner],
    compression: Compression,
    rows_per_strip: u32,
    tag: impl FnOnce(&mut Tags<'_>),
) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap().with_compression(compression);
    let mut image = encoder.new_image::<C>(width, height).unwrap();
    image.rows_per_strip(rows_per_strip).unwrap();
    tag(image.encoder());
    image.write_data(values).unwrap();
    bytes.into_inner()
}

type Tags<'a> = tiff::encoder::DirectoryEncoder<'a, &'a mut Cursor<Vec<u8>>, tiff::encoder::TiffKindStandard>;

#[test]
fn values_and_georeference_are_kept() {
    let mut raster = sample();
    raster.georeference = Some(place().at(raster.top_left));
    let map = Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap();
    assert_eq!(map.georeference, raster.georeference);
    assert_eq!(map.georeference.unwrap().corner, [600_300.0, 5_199_400.0]);
    assert_eq!(map.cell_size_m, Ok(30.0));
    let values = |grid: &Grid<f32>| grid.as_slice()[..5].to_vec();
    assert_eq!(values(&map.elevation_m), values(&raster.values));
    assert!(map.elevation_m.as_slice()[5].is_nan());
}

/// Returns the values of an image of a file, and the offset of its first block.
fn image(bytes: &[u8], number: usize) -> (Vec<f32>, u64) {
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(bytes)).unwrap();
    decoder.seek_to_image(number).unwrap();
    let offset = decoder.get_tag_u64_vec(Tag::TileOffsets).unwrap()[0];
    let values = match decoder.read_image().unwrap() {
        tiff::decoder::DecodingResult::F32(values) => values,
        tiff::decoder::DecodingResult::U8(values) => values.into_iter().map(f32::from).collect(),
        tiff::decoder::DecodingResult::U16(values) => values.into_iter().map(f32::from).collect(),
        other => panic!("{other:?}"),
    };
    (values, offset)
}

#[test]
fn overviews_are_means_of_floats_and_upper_left_whole_numbers() {
    let size = [1101usize, 530];
    let value = |x: usize, y: usize| ((x * 7 + y * 13) % 101) as f32;
    let mut values = Grid::from_fn(size[0], size[1], |cell| value(cell.x as usize, cell.y as usize));
    values.as_mut_slice()[..2].fill(f32::NAN);
    let mut raster = plain(values.clone());
    raster.tif_layout = TifLayout::CloudOptimized;
    for number_type in [NumberType::Float32, NumberType::Byte, NumberType::UInt16] {
        raster.number_type = number_type;
        let bytes = raster.encode(Format::Tif).unwrap();
        let whole = Heightmap::decode(&bytes, Format::Tif).unwrap().elevation_m;
        assert!(whole.as_slice()[2..] == values.as_slice()[2..] && whole.as_slice()[0].is_nan(), "{number_type:?}");
        let mut offset = image(&bytes, 0).1;
        let mut larger = (values.clone().into_vec(), size);
        for level in 1..3 {
            let (half, first_block) = image(&bytes, level);
            assert!(first_block < offset, "the smallest overview has the first blocks");
            offset = first_block;
            let [width, height] = larger.1.map(|side| side.div_ceil(2));
            assert_eq!(half.len(), width * height);
            let (cells, [columns, rows]) = &larger;
            let expected = |i: usize| {
                let [x, y] = [2 * (i % width), 2 * (i / width)];
                if number_type != NumberType::Float32 {
                    return cells[y * columns + x];
                }
                let four = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]];
                let inside = four.into_iter().filter(|[x, y]| x < columns && y < rows);
                let kept: Vec<f64> =
                    inside.map(|[x, y]| f64::from(cells[y * columns + x])).filter(|v| !v.is_nan()).collect();
                (kept.iter().sum::<f64>() / kept.len() as f64) as f32
            };
            let half: Vec<f32> = (0..half.len())
                .map(|i| match (expected(i).is_nan(), number_type) {
                    (true, NumberType::Float32) => assert_eq!(half[i], Raster::NODATA),
                    (true, NumberType::Byte) => assert_eq!(half[i], 255.0),
                    (true, NumberType::UInt16) => assert_eq!(half[i], 65535.0),
                    (false, _) => assert_eq!(half[i], expected(i), "{number_type:?}, overview {level}, number {i}"),
                })
                .zip(0..)
                .map(|((), i)| expected(i))
                .collect();
            larger = (half, [width, height]);
        }
    }
}

#[test]
fn numbers_that_are_not_whole_are_an_error() {
    for (number_type, value, most) in [
        (NumberType::Byte, 0.5, 254),
        (NumberType::Byte, 255.0, 254),
        (NumberType::UInt16, -1.0, 65534),
        (NumberType::UInt16, f32::INFINITY, 65534),
    ] {
        let mut raster = plain(Grid::from_vec(2, 1, vec![1.0, value]).unwrap());
        raster.number_type = number_type;
        let error = raster.encode(Format::Tif).unwrap_err().to_string();
        let expected = format!("opacity is {value} at 1,0: expected a whole number from 0 to {most}");
        assert!(error.ends_with(&expected), "{error}");
    }
}

#[test]
fn colours_of_bytes_are_a_table_in_sixteen_bits() {
    let mut raster = plain(Grid::from_vec(2, 1, vec![0.0, 1.0]).unwrap());
    raster.palette = vec![[0, 1, 2], [3, 4, 255]];
    for (number_type, has_table) in [(NumberType::Byte, true), (NumberType::Float32, false)] {
        raster.number_type = number_type;
        let bytes = raster.encode(Format::Tif).unwrap();
        assert_eq!(Heightmap::decode(&bytes, Format::Tif).unwrap().elevation_m, raster.values, "as stored");
        let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
        let table = decoder.find_tag_unsigned_vec::<u16>(Tag::ColorMap).unwrap();
        assert_eq!(table.is_some(), has_table);
        let Some(table) = table else { continue };
        assert_eq!(table.len(), 3 * 256);
        let colour = |number: usize| [table[number], table[256 + number], table[512 + number]];
        assert_eq!([colour(0), colour(1), colour(2)], [[0, 257, 514], [771, 1028, 65535], [0; 3]]);
    }
}

#[test]
fn strips_are_the_same_on_any_number_of_threads() {
    let raster = plain(Grid::from_fn(900, 700, |cell| ((cell.x * cell.x + 3 * cell.y) % 997) as f32 * 0.37));
    let encode = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| raster.encode(Format::Tif).unwrap())
    };
    let bytes = encode(1);
    assert!(encode(5) == bytes);
    let read = Heightmap::decode(&bytes, Format::Tif).unwrap();
    assert!(read.elevation_m == raster.values);
}

#[test]
fn error_of_complex_numbers_names_the_conversion() {
    let mut bytes = sample().encode(Format::Tif).unwrap();
    let real = [0x53, 1, 3, 0, 1, 0, 0, 0, 3, 0]; // tag 339, SampleFormat: one short, 3
    let at = bytes.windows(real.len()).position(|entry| entry == real).unwrap();
    bytes[at + 8] = 6;
    let error = Heightmap::decode(&bytes, Format::Tif).unwrap_err().to_string();
    assert!(error.contains("gdal_translate -ot Float32 makes"), "{error}");
}

#[test]
fn tie_points_at_cell_centres_are_kept() {
    let mut raster = sample();
    let mut keys = utm();
    keys.directory[11] = 2; // RasterPixelIsPoint
    raster.georeference = Some(Georeference { keys, ..place() });
    let bytes = raster.encode(Format::Tif).unwrap();
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
    let tie = decoder.get_tag_f64_vec(Tag::ModelTiepointTag).unwrap();
    assert_eq!(tie, [0.0, 0.0, 0.0, 600_015.0, 5_199_985.0, 0.0]);
    assert_eq!(Heightmap::decode(&bytes, Format::Tif).unwrap().georeference, raster.georeference);
}

/// Returns a file with the same numbers, which says that white is zero.
fn white_is_zero(bytes: &[u8]) -> Vec<u8> {
    let entry = [6, 1, 3, 0, 1, 0, 0, 0, 1, 0]; // tag 262, PhotometricInterpretation: one short, 1
    let at = bytes.windows(entry.len()).position(|window| window == entry).unwrap();
    let mut bytes = bytes.to_vec();
    bytes[at + 8] = 0;
    bytes
}

#[test]
fn all_number_types_strips_and_compressions_are_read() {
    const SIZE: [u32; 2] = [7, 5];
    let heights: Vec<i16> = (0..35).map(|i| i * 7).collect();
    macro_rules! check {
        ($color:ident, $number:ty) => {
            for compression in [
                Compression::Uncompressed,
                Compression::Lzw,
                Compression::Deflate(DeflateLevel::Balanced),
                Compression::Packbits,
            ] {
                for rows in [1, 2, 5] {
                    let values: Vec<$number> = heights.iter().map(|&v| v as $number).collect();
                    let black_is_zero = file::<colortype::$color>(SIZE, &values, compression, rows, |_| {});
                    let wanted: Vec<f32> = values.iter().map(|&v| v as f32).collect();
                    for bytes in [white_is_zero(&black_is_zero), black_is_zero] {
                        let map = Heightmap::decode(&bytes, Format::Tif).unwrap();
                        assert_eq!(map.elevation_m.into_vec(), wanted, "{} in strips of {rows}", stringify!($number));
                        assert_eq!(map.cell_size_m, Err(CellSizeError::Unspecified));
                    }
                }
            }
        };
    }
    check!(Gray8, u8);
    check!(Gray16, u16);
    check!(Gray32, u32);
    check!(GrayI16, i16);
    check!(GrayI32, i32);
    check!(Gray32Float, f32);
    check!(Gray64Float, f64);
}

#[test]
fn gdal_nodata_is_no_data() {
    let holes = |nodata: &str, values: &[f32]| {
        let tag = |tags: &mut Tags<'_>| tags.write_tag(Tag::GdalNodata, nodata).unwrap();
        let bytes = file::<colortype::Gray32Float>([3, 1], values, Compression::Uncompressed, 1, tag);
        Heightmap::decode(&bytes, Format::Tif).map(|map| map.elevation_m.map(|v| v.is_nan()).into_vec())
    };
    assert_eq!(holes("-9999", &[1.0, -9999.0, f32::NAN]).unwrap(), [false, true, true]);
    assert_eq!(holes("-3.40282346638529e+38", &[1.0, f32::MIN, 2.0]).unwrap(), [false, true, false]);
    assert_eq!(holes("nan", &[1.0, f32::NAN, 2.0]).unwrap(), [false, true, false]);
    let error = holes("none", &[1.0; 3]).unwrap_err().to_string();
    assert_eq!(error, "its tag GDAL_NODATA is \"none\": expected a number");
    let error = holes("0", &[1.0, -32768.0, 2.0]).unwrap_err().to_string();
    assert!(error.starts_with("cell 1,0 has elevation -32768: expected metres from -20000 to 20000"), "{error}");
}

#[test]
fn faults_in_geotiff_files_are_named() {
    let with = |tag: Tag, value: &[f64]| {
        let tags = |tags: &mut Tags<'_>| {
            tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, 10.0, 20.0, 0.0][..]).unwrap();
            tags.write_tag(tag, value).unwrap();
        };
        file::<colortype::Gray8>([2, 1], &[1, 2], Compression::Uncompressed, 1, tags)
    };
    let turned = "is rotated or mirrored: expected rows from west to east (gdalwarp makes such a file)";
    let north_up = [30.0, 0.0, 0.0, 500.0, 0.0, -30.0, 0.0, 900.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mut rotated = north_up;
    rotated[1] = 2.0;
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"II*".to_vec(), "is cut short: the raster is not complete"),
        (b"GIF89a".to_vec(), "is not a .tif file: it does not begin with the signature of TIFF"),
        (b"II*\0\x08\0\0\0".to_vec(), "is cut short: the raster is not complete"),
        (
            file::<colortype::RGB8>([1, 1], &[1, 2, 3], Compression::Uncompressed, 1, |_| {}),
            "holds a picture in colours: expected one band of numbers (gdal_translate -b 1 extracts the first)",
        ),
        (with(Tag::ModelPixelScaleTag, &[30.0, -30.0, 0.0]), turned),
        (with(Tag::ModelTransformationTag, &rotated), turned),
        (
            with(Tag::ModelPixelScaleTag, &[30.0, 0.0, 0.0]),
            "its tag ModelPixelScale is 30 0: expected sides greater than 0",
        ),
        (
            with(Tag::ModelPixelScaleTag, &[f64::INFINITY, 1.0, 0.0]),
            "its tag ModelPixelScale is inf 1: expected sides greater than 0",
        ),
        (
            with(Tag::ModelPixelScaleTag, &[1e308, 1.0, 0.0]),
            "lies from 10.0,20.0 to inf,19.0: expected finite coordinates",
        ),
    ];
    for (bytes, wanted) in cases {
        assert_eq!(Heightmap::decode(&bytes, Format::Tif).unwrap_err().to_string(), wanted);
    }
    let matrix = Heightmap::decode(&with(Tag::ModelTransformationTag, &north_up), Format::Tif).unwrap();
    let place = matrix.georeference.unwrap();
    assert_eq!((place.corner, place.cell), ([500.0, 900.0], [30.0, 30.0]));
    let with_unit = |code: u16| {
        let mut keys = utm();
        keys.directory.extend([4099, 0, 1, code]);
        keys.directory[3] = 6;
        let mut raster = sample();
        raster.georeference = Some(Georeference { keys, ..self::place() });
        Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif)
    };
    let (metres, feet) = (with_unit(9001).unwrap(), with_unit(9003).unwrap());
    assert_eq!((metres.notes.len(), feet.notes), (0, vec![SURVEY_FEET.to_owned()]));
    assert_eq!(metres.georeference, feet.georeference, "the unit is that of the file, not of the heights");
    let converted = metres.elevation_m.map(|height| (f64::from(*height) * 1200.0 / 3937.0) as f32);
    for (found, wanted) in feet.elevation_m.into_vec().into_iter().zip(converted.into_vec()) {
        assert!(found.is_nan() && wanted.is_nan() || (found - wanted).abs() <= 1e-6 * wanted.abs(), "{found} {wanted}");
    }
    let error = with_unit(9101).unwrap_err().to_string();
    assert!(error.starts_with("its heights are in the unit \"EPSG 9101\", which is not known"), "{error}");
}

#[test]
fn bits_from_right_to_left_are_refused() {
    let with_order = |order: u16| {
        let tag = |tags: &mut Tags<'_>| tags.write_tag(Tag::FillOrder, order).unwrap();
        Heightmap::decode(&file::<colortype::Gray8>([2, 1], &[1, 2], Compression::Uncompressed, 1, tag), Format::Tif)
    };
    assert_eq!(with_order(1).unwrap().elevation_m.into_vec(), [1.0, 2.0]);
    let error = with_order(2).unwrap_err().to_string();
    assert!(error.starts_with("cannot be read: its FillOrder is 2, expected 1; "), "{error}");
}

#[test]
fn metadata_of_gdal_are_read_in_double_and_single_quotes() {
    let read = |items: &str| {
        let text = format!("<GDALMetadata>{items}</GDALMetadata>");
        let tag = |tags: &mut Tags<'_>| tags.write_tag(Tag::Unknown(42112), &*text).unwrap();
        Heightmap::decode(&file::<colortype::Gray8>([2, 1], &[1, 2], Compression::Uncompressed, 1, tag), Format::Tif)
    };
    for quote in ['"', '\''] {
        let item = |role: &str, value: &str| {
            read(&format!(
                "<Item name={quote}X{quote} sample={quote}0{quote} role ={quote}{role}{quote}>{value}</Item>"
            ))
        };
        for (role, value, heights) in
            [("scale", "0.5", [0.5, 1.0]), ("Scale", " 1 ", [1.0, 2.0]), ("offset", "-3", [-2.0, -1.0])]
        {
            assert_eq!(item(role, value).unwrap().elevation_m.into_vec(), heights, "{role}");
        }
        assert_eq!(item("offset", "-3").unwrap().notes, ["its heights are its numbers × 1 - 3"]);
        assert_eq!(item("scale", "1").unwrap().notes, [""; 0]);
        for value in ["x", "inf", ""] {
            let error = item("scale", value).unwrap_err().to_string();
            assert_eq!(error, format!("its tag GDAL_METADATA is scale {value:?}: expected a number"));
        }
        let feet = item("unittype", "ft").unwrap().elevation_m.into_vec();
        assert!((feet[1] - 0.6096).abs() < 1e-6, "{feet:?}");
    }
    let other_band = "<Item sample='1' role='unittype'>ft</Item><Item sample='1' role='scale'>7</Item>";
    assert_eq!(read(other_band).unwrap().elevation_m.into_vec(), [1.0, 2.0]);
    let both =
        "<Item sample='0' role='scale'>10</Item><Item sample='0' role='offset'>5</Item><Item role='unittype'>ft</Item>";
    let heights = read(both).unwrap().elevation_m.into_vec();
    assert!((heights[1] - 25.0 * 0.3048).abs() < 1e-6, "the unit is that of the heights: {heights:?}");
}

/// The note about heights in this unit.
const SURVEY_FEET: &str = "its heights are converted from the unit \"US survey foot\" to metres";

#[test]
fn rows_from_the_south_are_reversed() {
    let matrix = [30.0, 0.0, 0.0, 500.0, 0.0, 10.0, 0.0, 900.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let tag = |tags: &mut Tags<'_>| tags.write_tag(Tag::ModelTransformationTag, &matrix[..]).unwrap();
    for rows in [2_u32, 3] {
        let values: Vec<i16> = (0..2 * rows as i16).collect();
        let bytes = file::<colortype::GrayI16>([2, rows], &values, Compression::Uncompressed, 1, tag);
        let map = Heightmap::decode(&bytes, Format::Tif).unwrap();
        let place = map.georeference.unwrap();
        assert_eq!((place.corner, place.cell), ([500.0, 900.0 + 10.0 * f64::from(rows)], [30.0, 10.0]));
        let reversed: Vec<f32> = values.chunks(2).rev().flatten().map(|&value| value.into()).collect();
        assert_eq!(map.elevation_m.into_vec(), reversed);
    }
}

#[test]
fn tiles_that_a_sparse_file_leaves_out_are_no_data() {
    // One row a strip; the second has no bytes.
    for (nodata, expected) in [(Some("-9999"), f32::NAN), (None, 0.0)] {
        let mut bytes = file::<colortype::GrayI16>([2, 3], &[1, 2, 3, 4, 5, 6], Compression::Uncompressed, 1, |tags| {
            if let Some(nodata) = nodata {
                tags.write_tag(Tag::GdalNodata, nodata).unwrap();
            }
        });
        let lengths: Vec<u8> = [4_u32; 3].iter().flat_map(|length| length.to_le_bytes()).collect();
        let at = bytes.windows(lengths.len()).position(|window| window == lengths).unwrap();
        bytes[at + 4] = 0;
        let cells = Heightmap::decode(&bytes, Format::Tif).unwrap().elevation_m.into_vec();
        assert_eq!([cells[1], cells[4]], [2.0, 5.0]);
        assert_eq!(cells[2].to_bits(), expected.to_bits());
    }
}

#[test]
fn compressed_tiles_that_reach_beyond_the_map_are_read() {
    let read = Heightmap::decode(include_bytes!("../../../tests/data/edge-tiles.tif"), Format::Tif).unwrap();
    let expected = Grid::from_fn(20, 16, |cell| {
        let (x, y) = (cell.x, cell.y);
        ((3 * x * x + 5 * y * y + x * y) % 7 + x) as f32
    });
    assert_eq!(read.elevation_m, expected);
}

#[test]
fn compressions_that_are_not_read_are_named_with_the_command_that_converts() {
    let bytes = file::<colortype::Gray8>([2, 1], &[1, 2], Compression::Uncompressed, 1, |_| {});
    let entry = [3, 1, 3, 0, 1, 0, 0, 0]; // tag 259, Compression: one short
    let at = bytes.windows(entry.len()).position(|window| window == entry).unwrap() + entry.len();
    for (code, name) in [(7_u16, "JPEG"), (34925, "LZMA"), (50001, "WEBP")] {
        let mut bytes = bytes.clone();
        bytes[at..at + 2].copy_from_slice(&code.to_le_bytes());
        let error = Heightmap::decode(&bytes, Format::Tif).unwrap_err().to_string();
        let wanted =
            "uncompressed, LZW, Deflate, ZSTD and LERC files are read (gdal_translate -co COMPRESS=DEFLATE makes one)";
        assert_eq!(error, format!("cannot be read: its compression is {name}; {wanted}"));
    }
    let entry = [2, 1, 3, 0, 1, 0, 0, 0]; // tag 258, BitsPerSample
    let at = bytes.windows(entry.len()).position(|window| window == entry).unwrap() + entry.len();
    let mut bytes = bytes;
    bytes[at] = 1;
    let error = Heightmap::decode(&bytes, Format::Tif).unwrap_err().to_string();
    assert!(error.starts_with("cannot be read: its numbers have 1 bits; integers, and"), "{error}");
}

#[test]
fn size_that_the_file_cannot_hold_is_an_error() {
    let mut bytes = file::<colortype::Gray8>([2, 1], &[1, 2], Compression::Uncompressed, 1, |_| {});
    // The entries of width, height and rows a strip, 12 bytes each: tag, type 4, one value.
    for tag in [256_u16, 257, 278] {
        let head = [tag.to_le_bytes(), 4_u16.to_le_bytes()].concat();
        let at = bytes.windows(4).position(|window| window == head).unwrap();
        bytes[at + 8..at + 12].copy_from_slice(&16_384_u32.to_le_bytes());
    }
    let error = Heightmap::decode(&bytes, Format::Tif).unwrap_err().to_string();
    let wanted = format!("declares 16384x16384 cells, but {} bytes cannot hold them", bytes.len());
    assert_eq!(error, wanted);
    let at = bytes.windows(4).position(|window| window == [0, 64, 0, 0]).unwrap();
    bytes[at..at + 4].copy_from_slice(&100_000_u32.to_le_bytes());
    let error = Heightmap::decode(&bytes, Format::Tif).unwrap_err().to_string();
    assert!(error.starts_with("a map of 100000x16384 cells is too large"), "{error}");
}

/// Encodes a small file with all tags that are read.
fn whole(compression: Compression) -> Vec<u8> {
    let values: Vec<f32> = (0..48).map(|i| i as f32 * 1.5).collect();
    file::<colortype::Gray32Float>([8, 6], &values, compression, 2, |tags| {
        tags.write_tag(Tag::ModelPixelScaleTag, &[30.0, 30.0, 0.0][..]).unwrap();
        tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, 6e5, 5e6, 0.0][..]).unwrap();
        tags.write_tag(Tag::GeoKeyDirectoryTag, utm().directory.as_slice()).unwrap();
        tags.write_tag(Tag::Unknown(34737), utm().ascii.as_str()).unwrap();
        tags.write_tag(Tag::GdalNodata, "-9999").unwrap();
    })
}

#[test]
fn truncated_files_are_errors() {
    for compression in [Compression::Uncompressed, Compression::Lzw, Compression::Deflate(DeflateLevel::Balanced)] {
        let bytes = whole(compression);
        assert!(Heightmap::decode(&bytes, Format::Tif).is_ok());
        for cut in 0..bytes.len() - 1 {
            if let Ok(map) = Heightmap::decode(&bytes[..cut], Format::Tif) {
                // Only the last bytes of a text may be missing.
                assert_eq!(map.elevation_m.size(), ivec2(8, 6), "cut at {cut}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn damaged_files_do_not_panic(
        which in 0..3_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let compression =
            [Compression::Uncompressed, Compression::Lzw, Compression::Deflate(DeflateLevel::Balanced)][which];
        let mut bytes = whole(compression);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = Heightmap::decode(&bytes, Format::Tif) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

/// Needs GDAL's `gdal_translate` and `gdalinfo` (`apt-get install gdal-bin`); without them it passes.
#[test]
fn gdal_and_farsight_read_the_files_of_each_other() {
    if Command::new("gdal_translate").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let heights = Grid::from_fn(150, 90, |cell| if cell == ivec2(4, 5) { f32::NAN } else { (cell.x * cell.y) as f32 });
    let mut raster = plain(heights);
    raster.georeference = Some(place());
    raster.cell_size_m = Some(30.0);
    std::fs::write(path("a.tif"), raster.encode(Format::Tif).unwrap()).unwrap();
    let run = |program: &str, flags: &[&str], files: &[&str]| {
        let files = files.iter().map(|name| path(name));
        let output = Command::new(program).args(flags).args(files).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let info = run("gdalinfo", &[], &["a.tif"]);
    for line in [
        "Size is 150, 90",
        "Origin = (600000.000000000000000,5200000.000000000000000)",
        "Pixel Size = (30.000000000000000,-30.000000000000000)",
        "NoData Value=-9999",
        "WGS 84 / UTM zone 32N",
        "Type=Float32",
    ] {
        assert!(info.contains(line), "{line} is not in\n{info}");
    }
    let bits = |grid: &Grid<f32>| grid.map(|v| v.to_bits()).into_vec();
    let ways: [&[&str]; 11] = [
        &["-co", "TILED=YES", "-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=3", "-ot", "Float64"],
        &["-co", "TILED=YES", "-co", "COMPRESS=LZW", "-co", "PREDICTOR=2", "-co", "BIGTIFF=YES", "-ot", "Int16"],
        &["-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=32", "-co", "COMPRESS=DEFLATE"],
        &["-co", "COMPRESS=LZW", "-co", "PREDICTOR=3"],
        &["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=2", "-ot", "Int32"],
        &["-co", "BIGTIFF=YES", "-co", "ENDIANNESS=BIG", "-ot", "Float64"],
        &["-ot", "Int16", "-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=64", "-co", "COMPRESS=LZW"],
        &["-co", "TILED=YES", "-co", "COMPRESS=ZSTD", "-co", "PREDICTOR=3"],
        &["-co", "COMPRESS=ZSTD", "-co", "PREDICTOR=2", "-co", "ENDIANNESS=BIG", "-ot", "Int16"],
        &["-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=32", "-co", "COMPRESS=LERC_ZSTD"],
        &["-of", "AAIGrid"],
    ];
    for (i, way) in ways.iter().enumerate() {
        let (name, format) = match way.contains(&"AAIGrid") {
            true => (format!("{i}.asc"), Format::Asc),
            false => (format!("{i}.tif"), Format::Tif),
        };
        run("gdal_translate", way, &["a.tif", &name]);
        let map = Heightmap::decode(&std::fs::read(path(&name)).unwrap(), format).unwrap();
        assert_eq!(bits(&map.elevation_m), bits(&raster.values), "{way:?}");
        assert_eq!(map.cell_size_m, Ok(30.0));
        let found = map.georeference.unwrap();
        assert_eq!((found.corner, found.cell), (place().corner, place().cell), "{way:?}");
        assert_eq!(found.keys.epsg(), if format == Format::Tif { Some(32632) } else { None });
    }

    let mut tile = plain(Grid::from_fn(1201, 1201, |cell| (cell.x * 7 % 50 + cell.y) as f32));
    let (side, half) = (1.0 / 1200.0, 0.5 / 1200.0);
    let corner = [7.0 - half, 47.0 + half];
    tile.georeference = Some(Georeference { corner, cell: [side; 2], keys: GeoKeys::geographic() });
    std::fs::write(path("tile.tif"), tile.encode(Format::Tif).unwrap()).unwrap();
    run("gdal_translate", &["-of", "SRTMHGT", "-ot", "Int16"], &["tile.tif", "N46E007.hgt"]);
    let map = read_heightmap(&Input::new(path("N46E007.hgt"))).unwrap();
    assert_eq!(bits(&map.elevation_m), bits(&tile.values));
    assert_eq!(map.georeference, tile.georeference);
}
