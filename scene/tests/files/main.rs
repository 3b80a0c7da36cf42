//! File formats: written files can be read, errors are named, and no file is incomplete.

mod bad_input;
mod formats;
mod fuzz_targets;
mod georeferences;
mod geotiff;
mod heightmaps;
mod mosaics;
mod outputs;
mod packed_tif;
mod provenance;
mod reference_systems;
mod regressions;
mod round_trip;
mod saving;
mod sequences;

use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight_scene::files::{Labels, Provenance, Raster};

/// Returns a small raster that uses every field.
fn sample() -> Raster {
    let values = Grid::from_vec(3, 2, vec![0.5, 1.0, 0.25, 0.0, 0.1, f32::NAN]).unwrap();
    let mut provenance = Provenance::default();
    provenance.version = "0.1.0".to_owned();
    provenance.preset = "[sight]\nradius = 3 # Weitsicht: 3 Felder, ½ Höhe\n".to_owned();
    provenance.seed = u64::MAX;
    provenance.viewer = [11, 20];
    provenance.layer = "visibility".to_owned();
    let mut raster = Raster::new("visibility", values, ivec2(10, 20), ivec2(11, 20), provenance);
    raster.cell_size_m = Some(100.0);
    raster.labels = Some(Labels {
        column: "state".to_owned(),
        names: ["hidden", "seen", "visible"].map(str::to_owned).to_vec(),
        cells: Grid::from_vec(3, 2, vec![2, 2, 2, 0, 1, 0]).unwrap(),
    });
    raster
}

/// Returns a raster of values, with the viewer outside.
fn plain(values: Grid<f32>) -> Raster {
    Raster::new("opacity", values, ivec2(0, 0), ivec2(-1, -1), Provenance::default())
}

/// Returns a NumPy file of version 1 with a header and the bytes of its values.
fn npy(header: &str, values: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16 + 1).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.push(b'\n');
    bytes.extend(values);
    bytes
}

/// Encodes a PNG file without farsight.
fn png(width: u32, height: u32, color: png::ColorType, depth: png::BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 255, 255, 255, 255, 0, 0]);
        encoder.set_trns(vec![255, 255, 51]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    bytes
}
