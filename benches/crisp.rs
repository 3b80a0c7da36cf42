//! Prints how often the yes or no of `SightConfig::crisp` agrees with symmetric shadowcasting, by kind of map, and how symmetric it
//! is; then the agreement by threshold, and what is seen through a door next to the exact share.
//!
//! `cargo bench --bench crisp`, optionally with `-- MAPS`, the number of maps of each kind (default 20).

use std::error::Error;
use std::io::Write;

use farsight::compare::kinds::{KINDS, scene};
use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight::sight::{FieldOfView, Method, OpacityMap, SightConfig};

/// The viewers on each map.
const VIEWERS: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let maps_of_a_kind = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(20);
    let mut out = std::io::stdout().lock();
    let thresholds: Vec<f32> = (1..=60).map(|i| i as f32 / 100.0).chain([SightConfig::CRISP_THRESHOLD]).collect();
    let mut all = vec![Agreement::default(); thresholds.len()];
    let mut pairs = Agreement::default();
    writeln!(out, "| map | radius | floor cells | agreement at {} |\n|---|---|---|---|", SightConfig::CRISP_THRESHOLD)?;
    for (kind, make) in &KINDS[..3] {
        let mut of_all_radii = Agreement::default();
        for radius in [8, 16, 32] {
            let mut of_kind = vec![Agreement::default(); thresholds.len()];
            for seed in 1..=maps_of_a_kind {
                let (map, _) = scene(80, seed, *make);
                let mut fov = FieldOfView::new(SightConfig::crisp().with_radius(radius))?;
                let floor: Vec<IVec2> = map.grid().iter().filter(|(_, o)| **o < 1.0).map(|(cell, _)| cell).collect();
                let viewers: Vec<IVec2> = floor.iter().copied().step_by((floor.len() / VIEWERS).max(1)).collect();
                let mut views = Vec::new();
                for &viewer in &viewers {
                    let expected = symmetric_shadowcasting(map.grid(), viewer, radius);
                    let view = fov.compute(&map, viewer)?;
                    let in_range = |cell: IVec2| (cell - viewer).length_squared() <= (radius * radius) as i32;
                    for &cell in floor.iter().filter(|cell| in_range(**cell)) {
                        for (agreement, &threshold) in of_kind.iter_mut().zip(&thresholds) {
                            agreement.add((view.get(cell) >= threshold) == expected[cell]);
                        }
                    }
                    views.push(view.to_owned());
                }
                for (a, view) in viewers.iter().zip(&views) {
                    for (b, other) in viewers.iter().zip(&views) {
                        let [there, back] = [view.get(*b), other.get(*a)].map(|v| v >= SightConfig::CRISP_THRESHOLD);
                        pairs.add(there == back);
                    }
                }
            }
            let stated = of_kind[of_kind.len() - 1];
            writeln!(out, "| {kind} | {radius} | {} | {:.2} % |", stated.cells, stated.percent())?;
            of_all_radii.merge(stated);
            all.iter_mut().zip(of_kind).for_each(|(all, of_kind)| all.merge(of_kind));
        }
        writeln!(out, "| {kind} | all | {} | {:.2} % |", of_all_radii.cells, of_all_radii.percent())?;
    }
    let stated = all[all.len() - 1];
    writeln!(out, "| all | | {} | {:.2} % |", stated.cells, stated.percent())?;
    writeln!(out, "\n{} pairs of viewers, {} of them not symmetric.", pairs.cells, pairs.cells - pairs.equal)?;
    writeln!(out, "\n| threshold | agreement |\n|---|---|")?;
    for (threshold, agreement) in thresholds.iter().zip(&all).step_by(3) {
        writeln!(out, "| {threshold:.2} | {:.2} % |", agreement.percent())?;
    }
    let doors = Doors::measure()?;
    writeln!(out, "\nThrough a door, {} pairs of floor cells in two rooms:", doors.agreement.cells)?;
    writeln!(out, "- {} have a value above 0 and exact share 0", doors.above_0_and_hidden)?;
    writeln!(out, "- {} are seen and have exact share 0", doors.seen_and_hidden)?;
    writeln!(out, "- {} of {} with exact share 1 are not seen", doors.unseen_and_whole, doors.whole)?;
    writeln!(out, "- agreement with symmetric shadowcasting {:.2} %", doors.agreement.percent())?;
    Ok(())
}

/// Pairs of floor cells in two rooms that are joined by one door. A cell is seen from the threshold on.
#[derive(Default)]
struct Doors {
    agreement: Agreement,
    above_0_and_hidden: u64,
    seen_and_hidden: u64,
    unseen_and_whole: u64,
    whole: u64,
}

impl Doors {
    /// Measures two rooms of the same size, from 3 to 7 cells a side, with the door at every place of the wall between them.
    fn measure() -> Result<Self, Box<dyn Error>> {
        let mut doors = Self::default();
        for (width, height) in (3..=7).flat_map(|width| (3..=7).map(move |height| (width, height))) {
            for door in 1..=height {
                let is_floor = |cell: IVec2| match cell.x {
                    x if x == width + 1 => cell.y == door,
                    x => (1..=2 * width + 1).contains(&x) && (1..=height).contains(&cell.y),
                };
                let opacity = |cell| if is_floor(cell) { 0.0 } else { 1.0 };
                let grid = Grid::from_fn(2 * width as usize + 3, height as usize + 2, opacity);
                doors.add(&OpacityMap::try_from(grid)?, width + 1)?;
            }
        }
        Ok(doors)
    }

    /// Adds the pairs of a cell in the room to the left of a column and one to the right of it.
    fn add(&mut self, map: &OpacityMap, column: i32) -> Result<(), Box<dyn Error>> {
        let mut fov = FieldOfView::new(SightConfig::crisp())?;
        let mut exact = FieldOfView::new(SightConfig::default().with_method(Method::Exact))?;
        let floor = || map.grid().iter().filter(|(_, opacity)| **opacity < 1.0).map(|(cell, _)| cell);
        for viewer in floor().filter(|cell| cell.x < column) {
            let view = fov.compute(map, viewer)?;
            let exact = exact.compute(map, viewer)?;
            let expected = symmetric_shadowcasting(map.grid(), viewer, SightConfig::DEFAULT_RADIUS);
            for cell in floor().filter(|cell| cell.x > column) {
                let (value, share) = (view.get(cell), exact.get(cell));
                let is_seen = value >= SightConfig::CRISP_THRESHOLD;
                self.agreement.add(is_seen == expected[cell]);
                self.above_0_and_hidden += u64::from(value > 0.0 && share == 0.0);
                self.seen_and_hidden += u64::from(is_seen && share == 0.0);
                self.unseen_and_whole += u64::from(!is_seen && share == 1.0);
                self.whole += u64::from(share == 1.0);
            }
        }
        Ok(())
    }
}

/// The number of cells, and of those on which both methods agree.
#[derive(Clone, Copy, Default)]
struct Agreement {
    cells: u64,
    equal: u64,
}

impl Agreement {
    fn add(&mut self, is_equal: bool) {
        self.cells += 1;
        self.equal += u64::from(is_equal);
    }

    fn merge(&mut self, other: Self) {
        self.cells += other.cells;
        self.equal += other.equal;
    }

    fn percent(&self) -> f64 {
        100.0 * self.equal as f64 / self.cells as f64
    }
}

/// The cells that the crate `symmetric-shadowcasting` sees. It has no radius: cells beyond it block and are not seen.
fn symmetric_shadowcasting(map: &Grid<f32>, viewer: IVec2, radius: u32) -> Grid<bool> {
    let mut seen = map.map(|_| false);
    let cell = |(x, y): (isize, isize)| IVec2::new(x as i32, y as i32);
    let in_range = |at: IVec2| (at - viewer).length_squared() <= (radius * radius) as i32;
    let mut blocks = |at| !in_range(cell(at)) || map.get(cell(at)).is_none_or(|opacity| *opacity >= 1.0);
    let mut mark = |at| {
        if in_range(cell(at))
            && let Some(seen) = seen.get_mut(cell(at))
        {
            *seen = true;
        }
    };
    symmetric_shadowcasting::compute_fov((viewer.x as isize, viewer.y as isize), &mut blocks, &mut mark);
    seen
}
