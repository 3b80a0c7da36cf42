//! Files: what is written can be read again, what is wrong is named, and nothing is left half done.

#![cfg(feature = "files")]

mod bad_input;
mod geotiff;
mod heightmaps;
mod outputs;
mod provenance;
mod round_trip;
mod saving;

use farsight::files::{Gradient, Labels, Provenance};
use farsight::glam::ivec2;
use farsight::grid::Grid;

/// A small layer with everything that a layer can have.
fn sample() -> Gradient {
    let values = Grid::from_vec(3, 2, vec![0.5, 1.0, 0.25, 0.0, 0.1, f32::NAN]).unwrap();
    let provenance = Provenance {
        version: "0.1.0".to_owned(),
        preset: "[sight]\nradius = 3 # Weitsicht: 3 Felder, ½ Höhe\n".to_owned(),
        seed: u64::MAX,
        viewer: [11, 20],
        layer: "visibility".to_owned(),
        ..Provenance::default()
    };
    let mut gradient = Gradient::new("visibility", values, ivec2(10, 20), ivec2(11, 20), provenance);
    gradient.cell_size_m = Some(100.0);
    gradient.labels = Some(Labels {
        column: "state".to_owned(),
        names: ["hidden", "seen", "visible"].map(str::to_owned).to_vec(),
        cells: Grid::from_vec(3, 2, vec![2, 2, 2, 0, 1, 0]).unwrap(),
    });
    gradient
}

/// A layer of these values, with the viewer outside.
fn plain(values: Grid<f32>) -> Gradient {
    Gradient::new("opacity", values, ivec2(0, 0), ivec2(-1, -1), Provenance::default())
}

/// A NumPy file of version 1 with that header and those bytes behind it.
fn npy(header: &str, values: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16 + 1).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.push(b'\n');
    bytes.extend(values);
    bytes
}

/// A PNG file of these pixels, made without farsight.
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
