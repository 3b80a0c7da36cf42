//! Run time of yes or no: the view, and the list of the cells that a viewer sees, by symmetric shadowcasting, next to a port of its
//! published rule as one writes it by hand, and to other crates. Every method lists each cell once. Minima of many runs, in µs.
//!
//! `cargo bench -p benches --bench seen_cells`, optionally with `-- RADIUS…`.

mod dungeons;

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use coord_2d::{ICoord, UCoord};
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{FieldOfView, MethodKind, OpacityCells, OpacityMap, SightConfig};
use farsight_scene::compare::kinds::open;
use shadowcast::{Context, InputGrid, vision_distance::Circle};

use dungeons::{caves, rooms};

type AnyError = Box<dyn std::error::Error>;

const SIDE: usize = 256;

fn main() -> Result<(), AnyError> {
    let mut radii: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    if radii.is_empty() {
        radii = vec![8, 20, 50, 64];
    }
    let mut out = std::io::stdout().lock();
    let mut has_head = false;
    for (name, grid) in [("rooms", rooms(SIDE, 1, 1)), ("caves", caves(SIDE, 1)), ("open", open(SIDE, 1))] {
        let map = OpacityMap::try_from(grid)?;
        for corner in [ivec2(136, 137), ivec2(10, 11)] {
            let floor = (0..100).map(|dx| corner + ivec2(dx, 0)).find(|cell| !map.is_wall(*cell));
            let viewer = floor.ok_or("no floor")?;
            for &radius in &radii {
                let mut work = methods(&map, viewer, radius)?;
                if !has_head {
                    let names: Vec<&str> = work.iter().map(|(name, _)| *name).collect();
                    writeln!(out, "| map | viewer | R | {} |\n|{}", names.join(" | "), "---|".repeat(names.len() + 3))?;
                    has_head = true;
                }
                let times = minima(&mut work).iter().map(|time| format!("{time:.2}")).collect::<Vec<_>>();
                writeln!(out, "| {name} | {viewer} | {radius} | {} |", times.join(" | "))?;
            }
        }
    }
    Ok(())
}

/// A method with its name.
type Work<'a> = (&'static str, Box<dyn FnMut() + 'a>);

fn methods(map: &OpacityMap, viewer: IVec2, radius: u32) -> Result<Vec<Work<'_>>, AnyError> {
    let config = SightConfig::default().with_radius(radius).with_method(MethodKind::SymmetricShadowcast);
    let fov = FieldOfView::new(config)?;
    let walls: Grid<bool> = map.grid().map(|opacity| *opacity >= 0.5);
    let [mut view, mut fast, mut plain, mut cells] = [(); 4].map(|()| fov.clone());
    set_kernel(&mut plain, Kernel::Plain);
    let [mut list, mut plain_list, mut cell_list]: [Vec<IVec2>; 3] = Default::default();
    let own_map = walls.clone();
    Ok(vec![
        (
            "view",
            Box::new(move || {
                black_box(view.compute(black_box(map), viewer).is_ok());
            }),
        ),
        ("list", Box::new(move || list_seen(&mut fast, map, viewer, &mut list))),
        ("list, the definition", Box::new(move || list_seen(&mut plain, map, viewer, &mut plain_list))),
        (
            "list, a closure",
            Box::new(move || {
                let opacity = |cell| own_map.get(cell).map_or(f32::NAN, |wall| f32::from(u8::from(*wall)));
                if let Ok(view) = cells.compute(OpacityCells::new(opacity), viewer) {
                    cell_list.clear();
                    cell_list.extend(view.seen());
                }
                black_box(&cell_list);
            }),
        ),
        ("list, by hand", by_hand(walls.clone(), viewer, radius as i32)),
        ("`adam_fov_rs`", adam(walls, viewer, radius)),
        ("`shadowcast`", shadowcast(map, viewer, radius)),
    ])
}

fn list_seen(fov: &mut FieldOfView, map: &OpacityMap, viewer: IVec2, list: &mut Vec<IVec2>) {
    if let Ok(view) = fov.compute(black_box(map), viewer) {
        list.clear();
        list.extend(view.seen());
    }
    black_box(list);
}

/// The cells that were seen: each is listed once.
struct Seen {
    stamps: Grid<u32>,
    stamp: u32,
    list: Vec<IVec2>,
}

impl Seen {
    fn new() -> Self {
        Self { stamps: Grid::new(SIDE, SIDE, 0), stamp: 0, list: Vec::new() }
    }

    fn clear(&mut self) {
        self.stamp += 1;
        self.list.clear();
    }

    fn mark(&mut self, cell: IVec2) {
        let stamp = &mut self.stamps[cell];
        if *stamp != self.stamp {
            *stamp = self.stamp;
            self.list.push(cell);
        }
    }
}

/// The published rule (<https://www.albertford.com/shadowcasting/>) with integer fractions, over a grid of walls.
fn by_hand(walls: Grid<bool>, viewer: IVec2, radius: i32) -> Box<dyn FnMut()> {
    #[derive(Clone, Copy)]
    struct Row {
        depth: i32,
        start: (i32, i32),
        end: (i32, i32),
    }
    fn scan(walls: &Grid<bool>, cell_at: &impl Fn(i32, i32) -> IVec2, radius: i32, mut row: Row, seen: &mut Seen) {
        while row.depth <= radius {
            let (depth, start, end) = (row.depth, row.start, row.end);
            let first = (2 * depth * start.0 + start.1).div_euclid(2 * start.1);
            let last = -(-2 * depth * end.0 + end.1).div_euclid(2 * end.1);
            let mut previous = None;
            for column in first..=last {
                let cell = cell_at(depth, column);
                let wall = walls.get(cell).copied().filter(|_| column * column + depth * depth <= radius * radius);
                let is_wall = wall.unwrap_or(true);
                let is_symmetric = column * row.start.1 >= depth * row.start.0 && column * end.1 <= depth * end.0;
                if wall.is_some() && (is_wall || is_symmetric) {
                    seen.mark(cell);
                }
                if previous == Some(true) && !is_wall {
                    row.start = (2 * column - 1, 2 * depth);
                }
                if previous == Some(false) && is_wall {
                    let next = Row { depth: depth + 1, start: row.start, end: (2 * column - 1, 2 * depth) };
                    scan(walls, cell_at, radius, next, seen);
                }
                previous = Some(is_wall);
            }
            if previous != Some(false) {
                return;
            }
            row.depth += 1;
        }
    }
    let mut seen = Seen::new();
    Box::new(move || {
        seen.clear();
        seen.mark(viewer);
        let walls = black_box(&walls);
        let all = Row { depth: 1, start: (-1, 1), end: (1, 1) };
        scan(walls, &|depth, column| viewer + ivec2(column, -depth), radius, all, &mut seen);
        scan(walls, &|depth, column| viewer + ivec2(depth, column), radius, all, &mut seen);
        scan(walls, &|depth, column| viewer + ivec2(column, depth), radius, all, &mut seen);
        scan(walls, &|depth, column| viewer + ivec2(-depth, column), radius, all, &mut seen);
        black_box(&seen.list);
    })
}

/// Milazzo's rule, with its own version of glam.
fn adam(walls: Grid<bool>, viewer: IVec2, radius: u32) -> Box<dyn FnMut()> {
    let mut seen = Seen::new();
    Box::new(move || {
        seen.clear();
        let is_opaque = |at: adam_fov_rs::IVec2| walls[ivec2(at.x, at.y)];
        let size = [SIDE as u32; 2];
        adam_fov_rs::compute_fov(viewer.to_array(), radius as usize, size, is_opaque, |at| {
            seen.mark(ivec2(at.x, at.y));
        });
        black_box(&seen.list);
    })
}

/// Opacities for `shadowcast`: the loss per cell of a visibility of 255.
struct Opacities;

impl InputGrid for Opacities {
    type Grid = Grid<u8>;
    type Opacity = u8;

    fn size(&self, grid: &Grid<u8>) -> UCoord {
        UCoord::new(grid.width() as u32, grid.height() as u32)
    }

    fn get_opacity(&self, grid: &Grid<u8>, at: ICoord) -> u8 {
        grid.as_slice()[at.y as usize * SIDE + at.x as usize]
    }
}

/// This crate calls back once for each cell.
fn shadowcast(map: &OpacityMap, viewer: IVec2, radius: u32) -> Box<dyn FnMut()> {
    let opacities = map.grid().map(|opacity| (opacity * 255.0).round() as u8);
    let (mut context, mut list) = (Context::default(), Vec::new());
    let (viewer, reach) = (ICoord::new(viewer.x, viewer.y), Circle::new(radius));
    Box::new(move || {
        list.clear();
        context.for_each_visible(viewer, &Opacities, black_box(&opacities), reach, 255u8, |at, _, _| {
            list.push(ivec2(at.x, at.y));
        });
        black_box(&list);
    })
}

/// Returns the shortest run time of a call of each method, in µs. They take turns, so that a slow phase of the machine affects all.
fn minima(work: &mut [Work<'_>]) -> Vec<f64> {
    const ROUNDS: usize = 120;
    const SECONDS_A_ROUND: f64 = 0.2e-3;
    let mut best = vec![f64::INFINITY; work.len()];
    for _ in 0..ROUNDS {
        for ((_, work), best) in work.iter_mut().zip(&mut best) {
            let start = Instant::now();
            work();
            let calls = (SECONDS_A_ROUND / start.elapsed().as_secs_f64()).clamp(1.0, 5000.0) as u32;
            let start = Instant::now();
            (0..calls).for_each(|_| work());
            *best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(calls));
        }
    }
    best
}
