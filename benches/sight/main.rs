//! Run time of one field of view on one thread: our methods and other crates, on the same maps in the same run. Then a
//! view in a world, and many viewers on one thread and on two.
//!
//! `cargo bench -p benches --bench sight`, optionally with `-- [--quick | --cold] [RADIUS…]`.

mod maps;
mod other_crates;
mod timing;

use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use farsight::Job;
use farsight::glam::IVec2;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{Decay, FieldOfView, MethodKind, OpacityMap, PathRule, SightConfig};
use farsight::viewshed::Viewshed;
use farsight_scene::compare::kinds::{open, scene};
use farsight_scene::optics::Optics;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::World;
use maps::{MAPS, smooth_fog};
use other_crates::BASELINE;
use timing::{ComparedMethod, Rounds, median, medians};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut radii: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
    if radii.is_empty() {
        radii = vec![8, 20, 64, 128, 512];
    }
    let has = |flag: &str| words.iter().any(|word| word == flag);
    let rounds = match () {
        () if has("--quick") => Rounds::QUICK,
        () if has("--cold") => Rounds::COLD,
        () => Rounds::FULL,
    };
    let mut out = std::io::stdout().lock();
    for radius in radii {
        compare_methods(radius, rounds, &mut out)?;
    }
    world_sight(64, rounds, &mut out)?;
    many_viewers(64, rounds, &mut out)
}

/// Compares all methods on all maps.
fn compare_methods(radius: u32, rounds: Rounds, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let mut table: Vec<(String, Vec<f64>)> = Vec::new();
    for (_, make) in MAPS {
        let (map, viewer) = scene(2 * radius as usize + 9, 1, make);
        let mut methods = our_methods(&map, viewer, radius)?;
        methods.extend(other_crates::all(&map, viewer, radius));
        methods.push(ComparedMethod::new("a copy of the same bytes", copy(&map, radius)));
        for (name, median) in medians(methods, rounds) {
            match table.iter_mut().find(|(known, _)| *known == name) {
                Some((_, row)) => row.push(median),
                None => table.push((name, vec![median])),
            }
        }
    }
    let names = MAPS.map(|(name, _)| name).join(" | ");
    writeln!(out, "\nRadius {radius}: µs for one field of view (times as fast as {BASELINE}).\n")?;
    writeln!(out, "| | {names} |\n|---|{}", "---|".repeat(MAPS.len()))?;
    let baseline = table.iter().find(|(name, _)| name == BASELINE).map(|(_, row)| row.clone()).unwrap_or_default();
    for (name, row) in &table {
        let cells = row.iter().zip(&baseline).map(|(time, baseline)| format!("{time:.2} ({:.1})", baseline / time));
        writeln!(out, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | "))?;
    }
    Ok(())
}

fn our_methods(
    map: &OpacityMap,
    viewer: IVec2,
    radius: u32,
) -> Result<Vec<ComparedMethod>, Box<dyn std::error::Error>> {
    let bare = SightConfig::default().with_radius(radius);
    let shaded = bare.clone().with_path(PathRule::PerLength).with_decay(Decay::Smooth { reach: None });
    let beam = bare.clone().with_method(MethodKind::Beam).with_path(PathRule::PerLength);
    let by = |method| bare.clone().with_method(method);
    let (symmetric, shadowcast) = (by(MethodKind::SymmetricShadowcast), by(MethodKind::Shadowcast));
    let mut methods = Vec::new();
    for (name, config, kernel) in [
        ("two parents", &bare, None),
        ("two parents, at most 8 lanes", &bare, Some(Kernel::Width8)),
        ("two parents, at most 4 lanes", &bare, Some(Kernel::Width4)),
        ("two parents, the list", &bare, Some(Kernel::Plain)),
        ("two parents, per length, decay", &shaded, None),
        ("beams 1", &beam, None),
        ("symmetric shadowcasting", &symmetric, None),
        ("shadowcasting", &shadowcast, None),
    ] {
        let mut fov = FieldOfView::new(config.clone())?;
        if let Some(kernel) = kernel {
            set_kernel(&mut fov, kernel);
        }
        let map = map.clone();
        methods.push(ComparedMethod::new(name, move || {
            black_box(fov.compute(black_box(&map), viewer).is_ok());
        }));
    }
    Ok(methods)
}

/// A lower bound: a copy that reads the same number of opacities and writes the same number of visibilities.
fn copy(map: &OpacityMap, radius: u32) -> impl FnMut() + use<> {
    let side = 2 * radius as usize + 1;
    let from = map.grid().as_slice()[..side * side].to_vec();
    let mut to = from.clone();
    move || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
    }
}

/// The default preset in its world, with opacities from physics for every view, against the bare kernel on an open field:
/// from the preset's viewer, and from sixteen viewers all over the map.
fn world_sight(radius: u32, rounds: Rounds, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let preset = Preset::shipped_default();
    let world = Arc::new(World::generate(&preset.world, Job::none())?);
    let viewer = Scene::from_world(preset.clone(), world.clone(), None, Job::none())?.viewer();
    let (map, centre) = scene(2 * radius as usize + 9, 1, open);
    let mut bare = FieldOfView::new(SightConfig::default().with_radius(radius))?;
    let viewshed = Viewshed::new(preset.sight.config().with_radius(radius))?;
    let optics = Arc::new(Optics::new(world.clone(), &preset.optics));
    let mut methods = vec![ComparedMethod::new("bare", move || {
        black_box(bare.compute(black_box(&map), centre).is_ok());
    })];
    let size = world.ground_m().size();
    let elsewhere = (0..16).map(|i| size * IVec2::new(2 * (i % 4) + 1, 2 * (i / 4) + 1) / 8);
    for viewer in std::iter::once(viewer).chain(elsewhere) {
        let (mut viewshed, optics) = (viewshed.clone(), optics.clone());
        methods.push(ComparedMethod::new("world", move || {
            black_box(optics.view(&mut viewshed, viewer, Job::none()).is_ok());
        }));
    }
    let times: Vec<f64> = medians(methods, rounds).into_iter().map(|(_, time)| time).collect();
    let (bare, world, elsewhere) = (times[0], times[1], median(times[2..].to_vec()));
    writeln!(
        out,
        "\nDefault world sight, radius {radius}: {world:.2} µs, {:.2} times the bare kernel's {bare:.2} µs on an open field; \
         median of sixteen viewers all over the map: {elsewhere:.2} µs, {:.2} times.",
        world / bare,
        elsewhere / bare
    )?;
    Ok(())
}

/// Many viewers on one map, on one thread and on two.
fn many_viewers(radius: u32, rounds: Rounds, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let side = 512;
    let (map, _) = scene(side, 1, smooth_fog);
    // Enough viewers that both threads run long after they started.
    let viewers: Vec<IVec2> =
        (0..1 << 15).map(|i| IVec2::new(i * 37 % side as i32, i * 101 / 8 % side as i32)).collect();
    let fov = FieldOfView::new(SightConfig::default().with_radius(radius))?;
    let pools = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds.count {
        for (pool, times) in pools.iter().zip(&mut times) {
            let pool = pool.as_ref().map_err(ToString::to_string)?;
            let start = Instant::now();
            pool.install(|| fov.compute_many(&map, &viewers, Job::none(), |_, view| view.grid()[IVec2::ZERO]))?;
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let [one, two] = times.map(median);
    let views = viewers.len() as f64;
    writeln!(
        out,
        "\nBatch in fog, radius {radius}: {:.0} views a second on one thread, {:.0} on two ({:.2} times).",
        views / one,
        views / two,
        one / two
    )?;
    Ok(())
}
