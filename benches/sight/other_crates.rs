//! The fields of view of other crates. The conversion of the map is not timed; clearing the result of the last call is.

use std::hint::black_box;

use bracket_pathfinding::prelude::{Algorithm2D, BaseMap, FieldOfViewAlg, Point};
use coord_2d::{ICoord, UCoord};
use doryen_fov::{FovAlgorithm, FovRecursiveShadowCasting, FovRestrictive, MapData};
use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight::sight::OpacityMap;
use shadowcast::{Context, InputGrid, vision_distance::Circle};

use crate::timing::ComparedMethod;

/// The reference method.
pub(crate) const BASELINE: &str = "doryen-fov recursive";

/// The methods of all crates, on one map.
pub(crate) fn all(map: &OpacityMap, viewer: IVec2, radius: u32) -> Vec<ComparedMethod> {
    let walls: Grid<bool> = map.grid().map(|opacity| *opacity >= 1.0);
    vec![
        ComparedMethod::new(BASELINE, doryen(FovRecursiveShadowCasting::new(), &walls, viewer, radius)),
        ComparedMethod::new("doryen-fov restrictive", doryen(FovRestrictive::new(), &walls, viewer, radius)),
        ComparedMethod::new("bracket-pathfinding", bracket(walls.clone(), viewer, radius)),
        ComparedMethod::new("symmetric-shadowcasting", symmetric(walls, viewer, radius)),
        ComparedMethod::new("shadowcast", shadowcast(map, viewer, radius)),
    ]
}

fn doryen<M: FovAlgorithm>(mut method: M, walls: &Grid<bool>, viewer: IVec2, radius: u32) -> impl FnMut() + use<M> {
    let mut map = MapData::new(walls.width(), walls.height());
    map.transparent = walls.as_slice().iter().map(|wall| !wall).collect();
    let (x, y, radius) = (viewer.x as usize, viewer.y as usize, radius as usize);
    move || {
        map.clear_fov();
        method.compute_fov(black_box(&mut map), x, y, radius, true);
    }
}

struct BracketMap(Grid<bool>);

impl BaseMap for BracketMap {
    fn is_opaque(&self, index: usize) -> bool {
        self.0.as_slice()[index]
    }
}

impl Algorithm2D for BracketMap {
    fn dimensions(&self) -> Point {
        Point::new(self.0.width(), self.0.height())
    }
}

/// This crate returns a new list of points.
fn bracket(walls: Grid<bool>, viewer: IVec2, radius: u32) -> impl FnMut() {
    let (map, viewer) = (BracketMap(walls), Point::new(viewer.x, viewer.y));
    move || {
        black_box(FieldOfViewAlg::SymmetricShadowcasting.field_of_view(viewer, radius as i32, black_box(&map)));
    }
}

/// This crate has no radius: cells beyond it block and are not marked.
fn symmetric(walls: Grid<bool>, viewer: IVec2, radius: u32) -> impl FnMut() {
    let mut seen = walls.map(|_| false);
    let limit = (radius * radius) as i32;
    let centre = (viewer.x as isize, viewer.y as isize);
    move || {
        let walls = black_box(&walls);
        seen.as_mut_slice().fill(false);
        let cell = |(x, y): (isize, isize)| IVec2::new(x as i32, y as i32);
        let in_range = |at: IVec2| (at - viewer).length_squared() <= limit;
        let mut blocks = |at| {
            let at = cell(at);
            !in_range(at) || walls.get(at).is_none_or(|wall| *wall)
        };
        let mut mark = |at| {
            let at = cell(at);
            if in_range(at)
                && let Some(seen) = seen.get_mut(at)
            {
                *seen = true;
            }
        };
        symmetric_shadowcasting::compute_fov(centre, &mut blocks, &mut mark);
        black_box(&seen);
    }
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
        grid.as_slice()[at.y as usize * grid.width() + at.x as usize]
    }
}

fn shadowcast(map: &OpacityMap, viewer: IVec2, radius: u32) -> impl FnMut() + use<> {
    let opacities = map.grid().map(|opacity| (opacity * 255.0).round() as u8);
    let mut seen = opacities.map(|_| 0u8);
    let mut context = Context::default();
    let (viewer, reach) = (ICoord::new(viewer.x, viewer.y), Circle::new(radius));
    move || {
        let (width, seen) = (seen.width(), seen.as_mut_slice());
        seen.fill(0);
        context.for_each_visible(viewer, &Opacities, black_box(&opacities), reach, 255u8, |at, _, visibility| {
            seen[at.y as usize * width + at.x as usize] = visibility;
        });
        black_box(seen);
    }
}
