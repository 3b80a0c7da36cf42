//! A world at dawn, at noon and at night: three pictures of the same view, and what is in sight in words. The world is generated once;
//! the hours change its light only.
//!
//! `cargo run --release --features files --example day_and_night`, optionally with `-- PRESET`

use std::io::Write;

use farsight::Job;
use farsight_scene::export::{Export, ExportOptions};
use farsight_scene::files::{Format, save};
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
        let picture = Export::prepare(&scene, Format::Png, &options)?;
        let path = std::env::temp_dir().join(format!("{name}-{time}.png"));
        save(&path, |out| picture.write(Format::Png, options.style, out))?;
        writeln!(out, "{time}: {}\nwrote {}\n", scene.summary(), path.display())?;
    }
    Ok(())
}
