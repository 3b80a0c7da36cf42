//! Prints recall and precision of the binary result of every method, `View::sees`, on floor cells within 24 cells:
//! against the exact method and against symmetric shadowcasting.
//!
//! `cargo bench -p benches --bench yes_or_no`, optionally with `-- MAPS`, the number of maps of each kind (default 3).

mod dungeons;

use std::error::Error;
use std::io::Write;

use farsight::glam::IVec2;
use farsight::sight::{FieldOfView, MethodKind, SightConfig};
use farsight_scene::compare::kinds::{MapMaker, scene, walls};

use dungeons::{caves, rooms};

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
