//! Prints the errors of each method against traced lines, by kind of map and radius.
//!
//! `cargo bench -p benches --bench accuracy`, optionally with `-- SAMPLES MAPS`: the points per side of the reference
//! (default 11, hence 121 lines per cell) and the number of maps of each kind (default 20).

use std::error::Error;
use std::io::Write;

use farsight::sight::{Accuracy, FieldOfView, Method, PathRule, SightConfig, Weights};
use farsight_scene::compare::kinds as maps;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<u32>().ok());
    let samples = numbers.next().unwrap_or(11);
    let maps_of_a_kind = u64::from(numbers.next().unwrap_or(20));
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Error against {} traced lines a cell, per length, over {maps_of_a_kind} maps each.",
        samples * samples
    )?;
    for radius in [16, 64] {
        let base = SightConfig::default().with_radius(radius).with_path(PathRule::PerLength);
        let beam = |beams| base.clone().with_method(Method::Beam { beams });
        let fewer = base.clone().with_method(Method::Exact { samples: 7 });
        let methods = [
            ("projection", base.clone().with_method(Method::TwoParent { weights: Weights::Projection })),
            ("linear", base.clone()),
            ("beam 0.5", beam(0.5)),
            ("beam 1", beam(1.0)),
            ("beam 2", beam(2.0)),
            ("beam 4", beam(4.0)),
            ("49 lines", fewer),
        ];
        writeln!(out, "\nradius {radius}\n| map | | {} |", methods.each_ref().map(|(name, _)| *name).join(" | "))?;
        writeln!(out, "|---|---{}|", "|---".repeat(methods.len()))?;
        for (kind, make) in maps::KINDS {
            let mut errors = vec![Vec::new(); methods.len()];
            for seed in 1..=maps_of_a_kind {
                let (map, viewer) = maps::scene(2 * radius as usize + 11, seed, make);
                let mut exact = FieldOfView::new(base.clone().with_method(Method::Exact { samples }))?;
                let exact = exact.compute(&map, viewer)?;
                for ((_, config), errors) in methods.iter().zip(&mut errors) {
                    let mut fov = FieldOfView::new(config.clone())?;
                    errors.push(Accuracy::of(&fov.compute(&map, viewer)?, &exact, radius));
                }
            }
            let errors: Vec<Accuracy> = errors.iter().map(|parts| Accuracy::pooled(parts)).collect();
            type Part = fn(&Accuracy) -> f64;
            let parts: [(&str, Part); 3] = [("RMSE", |e| e.rmse), ("greatest", |e| e.greatest), ("bias", |e| e.bias)];
            for (name, part) in parts {
                let figures: Vec<String> = errors.iter().map(|e| format!("{:.5}", part(e))).collect();
                writeln!(out, "| {kind} | {name} | {} |", figures.join(" | "))?;
            }
        }
    }
    Ok(())
}
