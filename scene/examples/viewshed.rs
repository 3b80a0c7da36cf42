//! A viewshed over measured ground: which land is in sight of a mast of 10 m, as a picture, a table and a GeoTIFF. A GIS puts the
//! picture (by its world file) and the GeoTIFF at the right place.
//!
//! `cargo run --release --features files --example viewshed`, optionally with `-- HEIGHTMAP X Y`

use std::io::Write;
use std::path::Path;

use farsight::Job;
use farsight_scene::export::{Crop, ExportOptions};
use farsight_scene::files::{Format, GroundSource, Input, MapSource, OutputFile, digest, read_heightmap, save_product};
use farsight_scene::prelude::*;
use farsight_scene::world::Ground;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (file, mast) = match &words[..] {
        [file, x, y] => (file.as_str(), ivec2(x.parse()?, y.parse()?)),
        _ => (concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif"), ivec2(140, 104)),
    };
    let heightmap = read_heightmap(&Input::new(file))?;
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    let mut source = MapSource::new(name, digest(&heightmap.elevation_m));
    source.ground = Some(GroundSource::new(heightmap.georeference, heightmap.cell_sizes, None));

    let mut preset = Preset::named("viewshed")?; // clear air, no woods: only the shape of the ground counts
    preset.world.cell_size_m = heightmap.cell_size_m?;
    preset.optics.eye_height_m = 10.0;
    let ground = Ground::new(heightmap.elevation_m).with_cell_sizes(heightmap.cell_sizes);
    let scene = Scene::from_dem(preset, ground, Some(mast), Job::none())?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", scene.summary())?;
    let options = ExportOptions::default().with_map(source).with_crop(Crop::Map);
    for format in [Format::Png, Format::Csv, Format::Tif] {
        let path = std::env::temp_dir().join("viewshed").with_extension(format.extension());
        save_product(&OutputFile::new(&path, format), options.product(&scene, format)?)?;
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(())
}
