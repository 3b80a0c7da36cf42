//! Times of viewsheds: reference planes and exact, with and without canopy, haze, a soft edge, houses, and woods with and without trunks; and of horizons of 360 azimuths and
//! the depths of panoramas; and of the horizons of every cell of 1000² of 30 m. The exact grade, horizons and panoramas take all threads; to measure them on one, set `RAYON_NUM_THREADS=1`.
//!
//! `cargo bench -p benches --bench terrain`, optionally with `-- RADIUS…`. The bench `gdal_viewshed` compares with GDAL.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use farsight::Job;
use farsight::glam::IVec2;
use farsight::grid::{CellRect, Grid};
use farsight::horizon::{CellHorizons, DepthPanorama, Horizon, HorizonConfig, Projection};
use farsight::sight::{MethodKind, SightConfig};
use farsight::viewshed::{Canopy, Surface, Viewshed};

#[path = "../tests/sight/support/terrain/mod.rs"]
mod terrain_support;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut radii: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    if radii.is_empty() {
        radii = vec![64, 512];
    }
    let mut out = std::io::stdout().lock();
    for radius in radii {
        let side = 2 * radius as usize + 1;
        let ground = terrain_support::fractal(side, 1, 0.5, 600.0);
        let cover = terrain_support::fractal(side, 2, 0.5, 0.6).map(|v| v.clamp(0.0, 1.0));
        let viewer = IVec2::splat(radius as i32);
        let hard = Surface::of(&ground, 30.0).with_eye_height(1.7).with_curvature(0.85714);
        let canopy = hard.with_canopy(Canopy::of(&cover));
        let soft = hard.with_softness(10.0);
        // Patches of wood on a third of the ground, and houses.
        let crowns = terrain_support::fractal(side, 3, 0.5, 60.0).map(|v| (v - 35.0).clamp(0.0, 25.0));
        let roofs = Grid::from_fn(side, side, |cell| {
            let is_house = cell.x % 23 < 2 && cell.y % 17 < 2;
            ground[cell] + crowns[cell].max(if is_house { 9.0 } else { 0.0 })
        });
        let houses = hard.with_obstacles(&roofs);
        let woods = hard.with_canopy(Canopy::of_heights(&crowns));
        let trunks = hard.with_canopy(Canopy::of_heights(&crowns).with_clear_trunk(2.0));
        writeln!(out, "radius {radius}: milliseconds, median (least)")?;
        for (name, method) in [("plane", MethodKind::TwoParent), ("exact", MethodKind::Beam)] {
            let mut viewshed = Viewshed::new(SightConfig::default().with_radius(radius).with_method(method))?;
            let kinds = [
                ("hard", &hard),
                ("soft", &soft),
                ("canopy", &canopy),
                ("houses", &houses),
                ("woods", &woods),
                ("trunks", &trunks),
            ];
            for (what, surface) in kinds {
                let [median, least] = times(|| {
                    black_box(viewshed.compute(black_box(surface), viewer, Job::none()).expect("a viewer on the map"));
                });
                writeln!(out, "{name:>6} {what:<8} {median:>8.3} ({least:.3})")?;
            }
            let haze = |_: IVec2, row: &mut [f32]| row.fill(0.01);
            let [median, least] = times(|| {
                black_box(
                    viewshed.compute_in_air(black_box(&hard), haze, viewer, Job::none()).expect("a viewer on the map"),
                );
            });
            writeln!(out, "{name:>6} {:<8} {median:>8.3} ({least:.3})", "haze")?;
        }
        let all_around = HorizonConfig::default();
        for (what, surface) in [("bare", &hard), ("canopy", &canopy)] {
            let [median, least] = times(|| {
                black_box(Horizon::of(black_box(surface), viewer, &all_around).expect("a viewer on the map"));
            });
            writeln!(out, "horizon {what:<8} {median:>7.3} ({least:.3})")?;
            let strip = Projection::new(1280, 240);
            let [median, least] = times(|| {
                black_box(
                    DepthPanorama::of(black_box(surface), viewer, &strip, f64::INFINITY).expect("a viewer on the map"),
                );
            });
            writeln!(out, "depths of 1280x240 {what:<8} {median:>7.3} ({least:.3})")?;
        }
    }
    let ground = terrain_support::fractal(1000, 1, 0.5, 600.0);
    let surface = Surface::of(&ground, 30.0).with_curvature(0.85714);
    for range_m in [3e3, 30e3] {
        let mut work = || {
            let horizons = CellHorizons::new(black_box(&surface)).expect("an eye on the ground");
            for azimuth in 0..8 {
                let cells = CellRect::of_size(ground.size());
                black_box(horizons.slopes(f64::from(azimuth) * 45.0, range_m, cells).expect("a range"));
            }
        };
        work();
        let least = (0..5).map(|_| time_of(&mut work)).fold(f64::INFINITY, f64::min);
        writeln!(out, "horizons of 1000x1000 cells, 8 azimuths, {} km: {least:.1}", range_m / 1e3)?;
    }
    Ok(())
}

/// Returns the time of a call, in milliseconds.
fn time_of(work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

/// Returns the median and minimum time of a call, in milliseconds.
fn times(mut work: impl FnMut()) -> [f64; 2] {
    work();
    let mut times: Vec<f64> = (0..61).map(|_| time_of(&mut work)).collect();
    times.sort_unstable_by(f64::total_cmp);
    [times[times.len() / 2], times[0]]
}
