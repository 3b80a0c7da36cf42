//! [`SkyBlock`]: cells of a map that share a direction of true north and a latitude.

use glam::{IVec2, ivec2};

use super::north::North;
use farsight::grid::CellRect;
use farsight_scene::files::MapSource;

/// Cells of a map with the meridian convergence and the latitude of their middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SkyBlock {
    pub(crate) cells: CellRect,
    middle: IVec2,
}

impl SkyBlock {
    /// The difference from the middle of a block in degrees at which it is halved: a minute of the sun's way.
    const MAX_DIFFERENCE_DEG: f64 = 0.25;
    /// The side of the smallest block in cells.
    const MIN_SIDE: i32 = 32;

    /// Divides a map. The blocks depend on the whole map, so that a part of it has the values of the whole.
    pub(crate) fn of_map(map: Option<&MapSource>, size: IVec2) -> Vec<Self> {
        let whole = CellRect::of_size(size);
        let Some(map) = map else { return vec![Self::new(whole)] };
        let (mut blocks, mut open) = (Vec::new(), vec![whole]);
        while let Some(cells) = open.pop() {
            let block = Self::new(cells);
            match block.half(map) {
                Some([first, second]) => open.extend([second, first]),
                None => blocks.push(block),
            }
        }
        blocks
    }

    fn new(cells: CellRect) -> Self {
        Self { cells, middle: (cells.min + cells.max - 1) / 2 }
    }

    /// Returns the halves of the block, or `None` if its middle is near enough to all its cells.
    fn half(&self, map: &MapSource) -> Option<[CellRect; 2]> {
        let CellRect { min, max } = self.cells;
        let size = max - min;
        let last = max - 1;
        let differs = |value: &dyn Fn(IVec2) -> Option<f64>| {
            let Some(middle) = value(self.middle) else { return false };
            let corners = [min, ivec2(last.x, min.y), ivec2(min.x, last.y), last];
            let mut differences = corners.into_iter().filter_map(value).map(|corner| corner - middle);
            differences.any(|turn| ((turn + 180.0).rem_euclid(360.0) - 180.0).abs() > Self::MAX_DIFFERENCE_DEG)
        };
        let is_halved = size.max_element() >= 2 * Self::MIN_SIDE
            && (differs(&|cell| map.convergence_deg(cell)) || differs(&|cell| map.latitude_deg(cell)));
        is_halved.then(|| {
            let (mut first, mut second) = (self.cells, self.cells);
            let side = usize::from(size.y > size.x);
            first.max[side] = min[side] + size[side] / 2;
            second.min[side] = first.max[side];
            [first, second]
        })
    }

    /// Returns the meridian convergence of the block where azimuths count from `north`.
    pub(crate) fn convergence_deg(&self, map: Option<&MapSource>, north: North) -> f64 {
        match north {
            North::True { convergence_deg } => {
                map.and_then(|map| map.convergence_deg(self.middle)).unwrap_or(convergence_deg)
            }
            North::Grid | North::Map => 0.0,
        }
    }

    /// Returns the latitude of the block, if it is known.
    pub(crate) fn latitude_deg(&self, map: Option<&MapSource>) -> Option<f64> {
        map?.latitude_deg(self.middle)
    }
}
