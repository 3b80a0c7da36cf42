//! Prints recall and precision of the binary result of every method, `View::sees`, on floor cells within 24 cells:
//! against the exact method and against symmetric shadowcasting.
//!
//! `cargo bench -p benches --bench yes_or_no`, optionally with `-- MAPS`, the number of maps of each kind (default 3).

use std::error::Error;
use std::io::Write;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::sight::{FieldOfView, MethodKind, SightConfig};
use farsight_scene::compare::kinds::{MapMaker, scene, walls};

const SIDE: usize = 65;
const RADIUS: u32 = 24;
/// The viewers on each map.
const VIEWERS: usize = 24;

const KINDS: [(&str, MapMaker); 5] = [
    ("rooms of 15 x 15, doors of 1", |side, seed| rooms(side, seed, 1)),
    ("rooms of 15 x 15, doors of 2", |side, seed| rooms(side, seed, 2)),
    ("rooms of 15 x 15, doors of 3", |side, seed| rooms(side, seed, 3)),
    ("caves", caves),
    ("pillars", |side, seed| walls(side, seed, 0.05)),
];

/// Rooms in rows and columns, with a door anywhere in each wall between two of them.
fn rooms(side: usize, seed: u64, door: i32) -> Grid<f32> {
    let mut random = seed;
    let mut map = Grid::from_fn(side, side, |cell| if (cell % 16).cmpeq(IVec2::ZERO).any() { 1.0 } else { 0.0 });
    let size = map.size() / 16;
    for room in (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y))) {
        for across in [IVec2::X, IVec2::Y] {
            if (room + across).cmplt(size).all() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let first = 1 + (random >> 33) as i32 % (16 - door);
                for along in first..first + door {
                    map[16 * (room + across) * across + (16 * room + along) * (IVec2::ONE - across)] = 0.0;
                }
            }
        }
    }
    map
}

/// Caves by a cellular automaton: a cell becomes a wall if five of the nine cells around it are.
fn caves(side: usize, seed: u64) -> Grid<f32> {
    let mut map = walls(side, seed, 0.44);
    for _ in 0..4 {
        map = Grid::from_fn(side, side, |cell| {
            let is_wall = |cell: &IVec2| map.get(*cell).is_none_or(|opacity| *opacity >= 1.0);
            let near = CellRect::around(cell, 1).cells().filter(is_wall).count();
            if near >= 5 { 1.0 } else { 0.0 }
        });
    }
    map
}

/// Numbers of floor cells.
#[derive(Clone, Copy, Default)]
struct Counts {
    seen: u64,
    /// Seen, and a part is in sight.
    seen_and_in_sight: u64,
    /// All of the cell is in sight.
    whole: u64,
    whole_and_seen: u64,
    /// At least half of the cell is in sight.
    half: u64,
    half_and_seen: u64,
    /// Seen by symmetric shadowcasting.
    symmetric: u64,
    symmetric_and_seen: u64,
}

impl Counts {
    fn add(&mut self, share: f32, symmetric: bool, is_seen: bool) {
        let count = |number: &mut u64, counts: bool| *number += u64::from(counts);
        count(&mut self.seen, is_seen);
        count(&mut self.seen_and_in_sight, is_seen && share > 0.0);
        count(&mut self.whole, share == 1.0);
        count(&mut self.whole_and_seen, share == 1.0 && is_seen);
        count(&mut self.half, share >= 0.5);
        count(&mut self.half_and_seen, share >= 0.5 && is_seen);
        count(&mut self.symmetric, symmetric);
        count(&mut self.symmetric_and_seen, symmetric && is_seen);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let maps_of_a_kind = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(3);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Recall: of floor that is in sight as a whole, by half or more, and by symmetric shadowcasting, the share that is seen."
    )?;
    writeln!(
        out,
        "Precision: of floor that is seen, the share of which a part is in sight, and which symmetric shadowcasting sees.\n"
    )?;
    writeln!(out, "| map | method | whole | half | precision | recall, symmetric | precision, symmetric |")?;
    writeln!(out, "|---|---|--:|--:|--:|--:|--:|")?;
    let sight = SightConfig::default().with_radius(RADIUS);
    let mut views: Vec<FieldOfView> = MethodKind::ALL
        .iter()
        .map(|method| FieldOfView::new(sight.clone().with_method(*method)))
        .collect::<Result<_, _>>()?;
    let index = |method| MethodKind::ALL.iter().position(|known| *known == method).unwrap_or_default();
    for (kind, make) in KINDS {
        let mut counts = [Counts::default(); MethodKind::ALL.len()];
        for seed in 1..=maps_of_a_kind {
            let (map, _) = scene(SIDE, seed, make);
            let floor: Vec<IVec2> = map.grid().iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell).collect();
            for &viewer in floor.iter().step_by((floor.len() / VIEWERS).max(1)) {
                let seen = views.iter_mut().map(|fov| Ok(fov.compute(&map, viewer)?.to_owned()));
                let seen: Vec<_> = seen.collect::<Result<_, farsight::sight::SightError>>()?;
                let [exact, symmetric] =
                    [MethodKind::Exact, MethodKind::SymmetricShadowcast].map(|method| &seen[index(method)]);
                let is_near = |cell: &&IVec2| (**cell - viewer).length_squared() <= (RADIUS * RADIUS) as i32;
                for &cell in floor.iter().filter(is_near) {
                    for (counts, view) in counts.iter_mut().zip(&seen) {
                        counts.add(exact.get(cell), symmetric.sees(cell), view.sees(cell));
                    }
                }
            }
        }
        for (method, counts) in MethodKind::ALL.iter().copied().zip(counts) {
            let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
            writeln!(
                out,
                "| {kind} | {} | {:.1} % | {:.1} % | {:.1} % | {:.1} % | {:.1} % |",
                method.name(),
                share(counts.whole_and_seen, counts.whole),
                share(counts.half_and_seen, counts.half),
                share(counts.seen_and_in_sight, counts.seen),
                share(counts.symmetric_and_seen, counts.symmetric),
                share(counts.symmetric_and_seen, counts.seen),
            )?;
        }
    }
    Ok(())
}
