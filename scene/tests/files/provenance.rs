//! Pictures and JSON files store the scene that they show.

use std::fs;

use farsight::grid::Grid;
use farsight_scene::files::{Depth, FileError, Format, MapSource, Provenance, digest, read_provenance, write_picture};
use png::{BitDepth, ColorType};

use super::{png, sample};

fn full() -> Provenance {
    let mut provenance = sample().provenance;
    provenance.crop = Some([-3, 4, 10, 20]);
    provenance.map = Some(MapSource::new("cave.txt", digest(&Grid::new(2, 2, 0.5))));
    provenance.more.insert("weather".to_owned(), serde_json::json!({ "fog": true }));
    provenance
}

#[test]
fn every_format_keeps_the_provenance() {
    let mut raster = sample();
    raster.provenance = full();
    let mut painted = Vec::new();
    write_picture(&mut painted, 2, 1, &[1, 2, 3, 255, 4, 5, 6, 255], Some(&full())).unwrap();
    let mut deep = Vec::new();
    raster.write_grey_png(&mut deep, Depth::Sixteen).unwrap();
    let (grey, json) = (raster.encode(Format::Png).unwrap(), raster.encode(Format::Json).unwrap());
    for bytes in [painted, deep, grey, json] {
        assert_eq!(Provenance::decode(&bytes).unwrap(), full());
    }
}

#[test]
fn painted_picture_keeps_its_pixels() {
    for pixels in [&[1, 2, 3, 4, 5, 6][..], &[1, 2, 3, 255, 4, 5, 6, 0]] {
        let mut bytes = Vec::new();
        write_picture(&mut bytes, 1, 2, pixels, None).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut read).unwrap();
        assert_eq!(read, pixels);
    }
}

#[test]
fn all_kinds_of_text_chunks_are_read() {
    let mut provenance = Provenance::default();
    provenance.preset = "plain".to_owned();
    let json = serde_json::to_string(&provenance).unwrap();
    for kind in 0..3 {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
        let (keyword, text) = ("farsight".to_owned(), json.clone());
        match kind {
            0 => encoder.add_text_chunk(keyword, text).unwrap(),
            1 => encoder.add_ztxt_chunk(keyword, text).unwrap(),
            _ => {}
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[0]).unwrap();
        if kind == 2 {
            // Some programs write text behind the pixels.
            writer.write_text_chunk(&png::text_metadata::ITXtChunk::new("farsight", json.clone())).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(Provenance::decode(&bytes).unwrap().preset, "plain", "kind {kind}");
    }
}

#[test]
fn a_picture_with_two_scenes_is_refused() {
    let json = |preset: &str| {
        let mut provenance = Provenance::default();
        provenance.preset = preset.to_owned();
        serde_json::to_string(&provenance).unwrap()
    };
    let wanted = "the scene it carries cannot be read: the file carries more than one: expected one";
    for is_behind in [false, true] {
        for is_compressed in [false, true] {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
            encoder.add_text_chunk("farsight".to_owned(), json("first")).unwrap();
            if !is_behind && is_compressed {
                encoder.add_ztxt_chunk("farsight".to_owned(), json("second")).unwrap();
            } else if !is_behind {
                encoder.add_itxt_chunk("farsight".to_owned(), json("second")).unwrap();
            }
            let mut writer = encoder.write_header().unwrap();
            writer.write_image_data(&[0]).unwrap();
            if is_behind && is_compressed {
                writer.write_text_chunk(&png::text_metadata::ZTXtChunk::new("farsight", json("second"))).unwrap();
            } else if is_behind {
                writer.write_text_chunk(&png::text_metadata::TEXtChunk::new("farsight", json("second"))).unwrap();
            }
            writer.finish().unwrap();
            assert_eq!(Provenance::decode(&bytes).unwrap_err().to_string(), wanted, "{is_behind} {is_compressed}");
        }
    }
    let comment = |text: &str| {
        let text = format!("farsight {text}");
        let blocks = text.as_bytes().chunks(255).flat_map(|block| [&[block.len() as u8], block].concat());
        [&[0x21, 0xfe][..], &blocks.collect::<Vec<u8>>(), &[0]].concat()
    };
    let gif = |comments: &[&str]| {
        let head = b"GIF89a\x01\0\x01\0\0\0\0".to_vec();
        let comments = comments.iter().flat_map(|text| comment(text));
        head.into_iter().chain(comments).chain([0x3b]).collect::<Vec<u8>>()
    };
    assert_eq!(Provenance::decode(&gif(&[&json("first")])).unwrap().preset, "first");
    let error = Provenance::decode(&gif(&[&json("first"), &json("second")])).unwrap_err();
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn a_seed_that_contradicts_the_preset_is_refused() {
    let mut provenance = Provenance::default();
    (provenance.preset, provenance.seed) = ("[world]\nseed = 5\n".to_owned(), 5);
    assert_eq!(provenance.parse_preset("a.png").unwrap().world.seed, 5);
    provenance.seed = 6;
    let error = provenance.parse_preset("a.png").unwrap_err().to_string();
    assert_eq!(error, "a.png: world.seed: 5 is not valid: expected 6, which is the seed of the file");
}

#[test]
fn files_without_a_scene_are_errors() {
    let message = |bytes: &[u8]| Provenance::decode(bytes).unwrap_err().to_string();
    let foreign = "carries no scene: farsight did not write it, or another program removed the text in it";
    assert_eq!(message(&png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[0])), foreign);
    assert_eq!(message(b" {\"values\": [1, 2]}"), foreign);
    assert_eq!(message(b"x,y\n"), "carries no scene: only .png, .gif and .json files do");
    assert_eq!(message(b""), "carries no scene: only .png, .gif and .json files do");
    assert!(message(b"{\"farsight\": {\"version\": 1}}").starts_with("the scene it carries cannot be read: "));
    let json = sample().encode(Format::Json).unwrap();
    assert!(message(&json[..json.len() - 30]).starts_with("the scene it carries cannot be read: EOF"));
    let picture = sample().encode(Format::Png).unwrap();
    assert_eq!(message(&picture[..60]), "is cut short: the raster is not complete");
}

#[test]
fn error_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("view.PNG");
    fs::write(&path, sample().encode(Format::Png).unwrap()).unwrap();
    assert_eq!(read_provenance(&path).unwrap(), sample().provenance);
    let error = read_provenance("nowhere.png".as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "nowhere.png: there is no such file");
    assert!(matches!(error, FileError::Read { .. }));
}

#[test]
fn digest_differs_for_size_and_values() {
    let grid = Grid::from_text("#..\n.5.").unwrap();
    assert_eq!(digest(&grid), digest(&grid.clone()));
    let transposed = Grid::from_vec(2, 3, grid.as_slice().to_vec()).unwrap();
    let changed = Grid::from_text("#..\n.6.").unwrap();
    assert_ne!(digest(&grid), digest(&transposed));
    assert_ne!(digest(&grid), digest(&changed));
    // FNV-1a of eight zero bytes, as published. It must not change: written files contain digests.
    assert_eq!(digest(&Grid::new(0, 0, 0.0)), "a8c7f832281a39c5");
}
