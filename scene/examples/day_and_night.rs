//! A world at dawn, at noon and at night: three pictures of the same view, and what is in sight in words. The world is generated once;
//! the hours change its light only.
//!
//! `cargo run --release --features files --example day_and_night`, optionally with `-- PRESET`

use std::io::Write;

use farsight::Job;
use farsight_scene::export::ExportOptions;
use farsight_scene::files::{Format, OutputFile, save_product};
use farsight_scene::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "temperate".to_owned());
    let mut preset = Preset::named(&name)?;
    preset.clock = preset.clock.with_runs(true).with_hour(6.0);
    let mut scene = Scene::generate(preset, None, Job::none())?;

    let mut out = std::io::stdout().lock();
    for (time, hour) in [("dawn", 6.0), ("noon", 12.0), ("night", 23.0)] {
        scene.set_hour(hour)?;
        let options = ExportOptions::default().with_name(format!("{name}, {time}"));
        let path = std::env::temp_dir().join(format!("{name}-{time}.png"));
        save_product(&OutputFile::new(&path, Format::Png), options.product(&scene, Format::Png)?)?;
        writeln!(out, "{time}: {}\nwrote {}\n", scene.summary(), path.display())?;
    }
    Ok(())
}
