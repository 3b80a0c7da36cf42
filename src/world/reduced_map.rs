//! [`ReducedMap`]: water and heights of a world, on fewer cells if it is large.

use glam::{IVec2, ivec2};

use super::hydrography::Water;
use super::world::World;
use crate::grid::Grid;

/// The most cells on which places are searched.
const MAX_CELLS: usize = 1 << 18;

/// The water and the heights of a world, a value a block of `stride` × `stride` cells. Places of a large map are as large, so
/// nothing that is lettered is lost.
pub(crate) struct ReducedMap {
    /// Columns and rows of a block; 1 up to 262,144 cells, as many as those of a world of 512 × 512.
    pub(crate) stride: usize,
    /// The water in the middle of each block.
    pub(crate) water: Grid<Water>,
    /// The highest ground or water of each block, NaN without data.
    pub(crate) ground_m: Grid<f32>,
}

impl ReducedMap {
    pub(crate) fn new(world: &World) -> Self {
        let (width, height) = (world.width(), world.height());
        let mut stride = 1;
        while width.div_ceil(stride) * height.div_ceil(stride) > MAX_CELLS {
            stride += 1;
        }
        if stride == 1 {
            return Self { stride, water: world.water().clone(), ground_m: world.ground_m().clone() };
        }
        let (columns, rows) = (width.div_ceil(stride), height.div_ceil(stride));
        let ends = |at: i32, length: usize| at as usize * stride..((at as usize + 1) * stride).min(length);
        let water = Grid::from_fn(columns, rows, |block| world.water()[middle_of(block, stride, world)]);
        let ground_m = Grid::from_fn(columns, rows, |block| {
            let cells = ends(block.y, height).map(|y| &world.ground_m().row(y)[ends(block.x, width)]);
            cells.flatten().copied().fold(f32::NAN, f32::max)
        });
        Self { stride, water, ground_m }
    }

    pub(crate) fn size(&self) -> [usize; 2] {
        [self.water.width(), self.water.height()]
    }

    /// Returns the block of an index.
    pub(crate) fn block(&self, i: usize) -> IVec2 {
        ivec2((i % self.water.width()) as i32, (i / self.water.width()) as i32)
    }

    /// Returns the cell of the world in the middle of a block.
    pub(crate) fn middle(&self, block: IVec2, world: &World) -> IVec2 {
        middle_of(block, self.stride, world)
    }

    /// Returns the highest cell of a block; the first of several.
    pub(crate) fn highest(&self, block: IVec2, world: &World) -> IVec2 {
        let (stride, ground_m) = (self.stride as i32, world.ground_m());
        let cells = (0..stride * stride).map(|i| block * stride + ivec2(i % stride, i / stride));
        let mut highest = (block * stride, f32::NEG_INFINITY);
        for (cell, &height_m) in cells.filter_map(|cell| Some((cell, ground_m.get(cell)?))) {
            if height_m > highest.1 {
                highest = (cell, height_m);
            }
        }
        highest.0
    }
}

fn middle_of(block: IVec2, stride: usize, world: &World) -> IVec2 {
    let last = world.water().size() - 1;
    (block * stride as i32 + stride as i32 / 2).min(last)
}
