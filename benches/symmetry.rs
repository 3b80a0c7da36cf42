//! Prints for farsight and for other crates how many pairs of floor cells disagree: one sees the other, but is not seen by it.
//! On 20 maps of 32 × 32 cells with 20 % walls at random, with radius 12.
//!
//! `cargo bench -p benches --bench symmetry`

use std::error::Error;
use std::io::Write;

use bracket_pathfinding::prelude::{Algorithm2D, BaseMap, FieldOfViewAlg, Point};
use coord_2d::{ICoord, UCoord};
use doryen_fov::{FovAlgorithm, FovRecursiveShadowCasting, FovRestrictive, MapData};
use farsight::glam::{IVec2, ivec2};
use farsight::sight::MethodKind;
use farsight::{FieldOfView, Grid, OpacityMap, SightConfig};
use shadowcast::{Context, InputGrid, vision_distance::Circle};

const SIDE: i32 = 32;
const RADIUS: i32 = 12;

/// Returns the cells that a viewer sees on a map of walls.
type Look = fn(&Walls, IVec2) -> Vec<IVec2>;

const METHODS: &[(&str, Look)] = &[
    ("farsight, symmetric-shadowcast", farsight),
    ("bracket-pathfinding, default", |walls, at| bracket(FieldOfViewAlg::RecursiveShadowcasting, walls, at)),
    ("bracket-pathfinding, symmetric", |walls, at| bracket(FieldOfViewAlg::SymmetricShadowcasting, walls, at)),
    ("doryen-fov, recursive", |walls, at| doryen(FovRecursiveShadowCasting::new(), walls, at)),
    ("doryen-fov, restrictive", |walls, at| doryen(FovRestrictive::new(), walls, at)),
    ("symmetric-shadowcasting", symmetric),
    ("shadowcast", shadowcast),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut state = 12345_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let maps: Vec<Walls> = (0..20).map(|_| Walls(Grid::from_fn(32, 32, |_| random() % 5 == 0))).collect();
    let mut out = std::io::stdout().lock();
    writeln!(out, "| method | pairs | that disagree |\n|---|---|---|")?;
    for (name, look) in METHODS {
        let (mut pairs, mut disagree) = (0_u64, 0_u64);
        for walls in &maps {
            let floor: Vec<IVec2> = walls.0.iter().filter(|(_, wall)| !**wall).map(|(cell, _)| cell).collect();
            let mut sees = Grid::new(1024, 1024, false); // column: the cell that is seen; row: the viewer
            for &viewer in &floor {
                for cell in look(walls, viewer) {
                    sees[ivec2(index(cell), index(viewer))] = true;
                }
            }
            for (i, a) in floor.iter().enumerate() {
                for b in &floor[i + 1..] {
                    let (there, back) = (sees[ivec2(index(*b), index(*a))], sees[ivec2(index(*a), index(*b))]);
                    pairs += u64::from(there || back);
                    disagree += u64::from(there != back);
                }
            }
        }
        writeln!(out, "| {name} | {pairs} | {:.1} % ({disagree}) |", 100.0 * disagree as f64 / pairs as f64)?;
    }
    Ok(())
}

/// A map of walls.
struct Walls(Grid<bool>);

fn index(cell: IVec2) -> i32 {
    SIDE * cell.y + cell.x
}

fn farsight(walls: &Walls, viewer: IVec2) -> Vec<IVec2> {
    let map = OpacityMap::try_from(walls.0.map(|wall| f32::from(u8::from(*wall)))).expect("opacities of 0 and 1");
    let config = SightConfig::default().with_radius(RADIUS as u32).with_method(MethodKind::SymmetricShadowcast);
    let mut fov = FieldOfView::new(config).expect("a valid configuration");
    fov.compute(&map, viewer).expect("a viewer on the map").seen().collect()
}

impl BaseMap for Walls {
    fn is_opaque(&self, index: usize) -> bool {
        self.0.as_slice()[index]
    }
}

impl Algorithm2D for Walls {
    fn dimensions(&self) -> Point {
        Point::new(SIDE, SIDE)
    }
}

/// The symmetric method also returns cells next to the map.
fn bracket(method: FieldOfViewAlg, walls: &Walls, viewer: IVec2) -> Vec<IVec2> {
    let points = method.field_of_view(Point::new(viewer.x, viewer.y), RADIUS, walls);
    points.iter().map(|point| ivec2(point.x, point.y)).filter(|cell| walls.0.contains(*cell)).collect()
}

fn doryen(mut method: impl FovAlgorithm, walls: &Walls, viewer: IVec2) -> Vec<IVec2> {
    let mut map = MapData::new(SIDE as usize, SIDE as usize);
    map.transparent = walls.0.as_slice().iter().map(|wall| !wall).collect();
    method.compute_fov(&mut map, viewer.x as usize, viewer.y as usize, RADIUS as usize, true);
    walls.0.iter().filter(|(cell, _)| map.fov[index(*cell) as usize]).map(|(cell, _)| cell).collect()
}

/// This crate has no radius and no edge of the map.
fn symmetric(walls: &Walls, viewer: IVec2) -> Vec<IVec2> {
    let mut seen = Vec::new();
    let cell = |(x, y): (isize, isize)| ivec2(x as i32, y as i32);
    let in_range = |cell: IVec2| (cell - viewer).length_squared() <= RADIUS * RADIUS;
    let mut blocks = |at| walls.0.get(cell(at)).is_none_or(|wall| *wall);
    symmetric_shadowcasting::compute_fov((viewer.x as isize, viewer.y as isize), &mut blocks, &mut |at| {
        if in_range(cell(at)) && walls.0.contains(cell(at)) {
            seen.push(cell(at));
        }
    });
    seen
}

impl InputGrid for Walls {
    type Grid = Grid<bool>;
    type Opacity = u8;

    fn size(&self, grid: &Grid<bool>) -> UCoord {
        UCoord::new(grid.width() as u32, grid.height() as u32)
    }

    fn get_opacity(&self, grid: &Grid<bool>, at: ICoord) -> u8 {
        if grid[ivec2(at.x, at.y)] { u8::MAX } else { 0 }
    }
}

fn shadowcast(walls: &Walls, viewer: IVec2) -> Vec<IVec2> {
    let mut seen = Vec::new();
    let (at, reach) = (ICoord::new(viewer.x, viewer.y), Circle::new(RADIUS as u32));
    Context::default().for_each_visible(at, walls, &walls.0, reach, u8::MAX, |at, _, _| seen.push(ivec2(at.x, at.y)));
    seen
}
