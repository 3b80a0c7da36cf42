//! One field of view on one thread, method beside method and beside `doryen-fov`, on the same maps in the same run:
//! contenders take turns, and medians are compared.
//!
//! `cargo bench --no-default-features --bench sight`, optionally with `-- RADIUS…`.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use doryen_fov::{FovAlgorithm, FovRecursiveShadowCasting, FovRestrictive, MapData};
use farsight::compare::kinds as maps;
use farsight::glam::IVec2;
use farsight::{Decay, DecayKind, FieldOfView, Grid, Method, OpacityMap, PathRule, SightConfig};

/// Something that computes one field of view.
type Contender = (String, Box<dyn FnMut()>);

const MAPS: [(&str, maps::Make); 7] = [
    ("open field", maps::open),
    ("10 % walls", maps::KINDS[0].1),
    ("30 % walls", maps::KINDS[1].1),
    ("rooms", maps::rooms),
    ("random 0.02-0.3", maps::KINDS[3].1),
    ("fog, five levels", maps::fog),
    ("all dark", |side, _| Grid::new(side, side, 1.0)),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut radii: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    if radii.is_empty() {
        radii = vec![8, 20, 64, 128];
    }
    let mut out = std::io::stdout().lock();
    for radius in radii {
        let mut table: Vec<(String, Vec<f64>)> = Vec::new();
        for (_, make) in MAPS {
            let side = 2 * radius as usize + 9;
            let map = OpacityMap::try_from(make(side, 1))?;
            for (name, median) in medians(contenders(&map, IVec2::splat(side as i32 / 2), radius)?) {
                match table.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, row)) => row.push(median),
                    None => table.push((name, vec![median])),
                }
            }
        }
        let names = MAPS.map(|(name, _)| name).join(" | ");
        writeln!(
            out,
            "\nRadius {radius}: µs for one field of view, and how many times faster than doryen-fov recursive.\n"
        )?;
        writeln!(out, "| | {names} |\n|---|{}", "---|".repeat(MAPS.len()))?;
        let floor = table.iter().find(|(name, _)| name == RIVAL).map(|(_, row)| row.clone()).unwrap_or_default();
        for (name, row) in &table {
            let cells = row.iter().zip(&floor).map(|(time, floor)| format!("{time:.1} ({:.2})", floor / time));
            writeln!(out, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
    }
    Ok(())
}

const RIVAL: &str = "doryen-fov recursive";

fn contenders(map: &OpacityMap, viewer: IVec2, radius: u32) -> Result<Vec<Contender>, Box<dyn std::error::Error>> {
    let bare = SightConfig { radius, ..Default::default() };
    let world = SightConfig { path: PathRule::PerLength, decay: Decay::of(DecayKind::Smooth), ..bare.clone() };
    let beam = |beams| SightConfig { method: Method::Beam, path: PathRule::PerLength, beams, ..bare.clone() };
    let ours = [
        ("two-parent", bare.clone()),
        ("two-parent, per length, decay", world),
        ("beam 0.5", beam(0.5)),
        ("beam 1", beam(1.0)),
        ("beam 2", beam(2.0)),
    ];
    let mut contenders: Vec<Contender> = Vec::new();
    for (name, config) in ours {
        let mut fov = FieldOfView::new(config)?;
        let map = map.clone();
        let run = move || {
            black_box(fov.compute(black_box(&map), viewer).is_ok());
        };
        contenders.push((name.into(), Box::new(run)));
    }
    let (x, y, radius) = (viewer.x as usize, viewer.y as usize, radius as usize);
    let mut walls = MapData::new(map.grid().width(), map.grid().height());
    walls.transparent = map.grid().as_slice().iter().map(|opacity| *opacity < 1.0).collect();
    let mut theirs = MapData { transparent: walls.transparent.clone(), fov: walls.fov.clone(), ..walls };
    let run = move || {
        theirs.clear_fov();
        FovRecursiveShadowCasting::new().compute_fov(black_box(&mut theirs), x, y, radius, true);
    };
    contenders.push((RIVAL.into(), Box::new(run)));
    let mut restrictive = FovRestrictive::new();
    let run = move || {
        walls.clear_fov();
        restrictive.compute_fov(black_box(&mut walls), x, y, radius, true);
    };
    contenders.push(("doryen-fov restrictive".into(), Box::new(run)));
    Ok(contenders)
}

/// Median time of one call in µs. All contenders run in every round, each for about half a millisecond.
fn medians(contenders: Vec<Contender>) -> Vec<(String, f64)> {
    const ROUNDS: usize = 41;
    let mut runners: Vec<(Contender, u32, Vec<f64>)> = contenders
        .into_iter()
        .map(|mut contender| {
            contender.1(); // buffers
            let start = Instant::now();
            contender.1();
            let calls = (0.5e-3 / start.elapsed().as_secs_f64()).clamp(1.0, 500.0) as u32;
            (contender, calls, Vec::new())
        })
        .collect();
    for _ in 0..ROUNDS {
        for ((_, run), calls, times) in &mut runners {
            let start = Instant::now();
            (0..*calls).for_each(|_| run());
            times.push(start.elapsed().as_secs_f64() * 1e6 / f64::from(*calls));
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    runners.into_iter().map(|((name, _), _, times)| (name, median(times))).collect()
}
