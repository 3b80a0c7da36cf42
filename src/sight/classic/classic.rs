//! [`Classic`]: the solver of a classic method; [`MarkCells`]: its algorithm; [`WallMap`]: the walls that it reads.

use std::cell::RefCell;

use glam::{IVec2, ivec2};

use crate::grid::{AlignedGrid, CellRect};
use crate::job::Job;
use crate::row_requests::{NO_CELL, clamp_opacity};
use crate::sight::half_cells::HalfCellTable;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::solver::{CellSolver, Solver};
use crate::sight::view_plan::ViewPlan;
use crate::sight::window::Window;
use crate::sight_config::{SightConfig, SightError};

/// An algorithm that marks the cells that a viewer sees.
pub(in crate::sight) trait MarkCells {
    /// Calls `mark` with the offset of every visible cell except the viewer's own, possibly more than once.
    fn mark_cells(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, mark: impl FnMut(IVec2));

    /// Marks cells as [`mark_cells`](Self::mark_cells), but only visible cells, including all that decide whether a
    /// target is visible.
    fn mark_target(&mut self, walls: &WallMap<impl Fn(IVec2) -> f32>, _target: IVec2, mark: impl FnMut(IVec2)) {
        self.mark_cells(walls, mark);
    }

    /// Returns the neighbours that reveal the wall at an offset: it is visible if one of them is a visible floor cell.
    fn cells_in_front(&self, _wall: IVec2) -> Option<[IVec2; 2]> {
        None
    }
}

/// The solver of a classic method: 1 for the cells that its algorithm marks, otherwise 0.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct Classic<M> {
    /// The minimum opacity of a wall.
    wall_at: f32,
    algorithm: M,
}

impl<M> Classic<M> {
    /// Sets the minimum opacity of walls, and through `set` the parameters of the algorithm.
    pub(in crate::sight) fn with(&mut self, wall_at: f64, set: impl FnOnce(&mut M)) -> &mut Self {
        self.wall_at = wall_at as f32;
        set(&mut self.algorithm);
        self
    }
}

impl<M: MarkCells> Solver for Classic<M> {
    fn solve(
        &mut self,
        _config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        _job: Job<'_>,
    ) -> Result<(), SightError> {
        for (y, columns) in window.rows(plan.radii.in_sight) {
            window.seen.row_mut(y)[columns].fill(0.0);
        }
        let (centre, Window { opacity, seen, .. }) = (window.centre(), window);
        let walls = wall_map(self.wall_at, plan, |offset| opacity.get(centre + offset).copied());
        mark_seen(&mut self.algorithm, &walls, seen, centre);
        Ok(())
    }

    fn as_cell_solver(&mut self) -> Option<&mut dyn CellSolver> {
        Some(self)
    }

    fn solve_cell(
        &mut self,
        _config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        _window: &mut Window,
        offset: IVec2,
    ) -> f32 {
        let walls = wall_map(self.wall_at, plan, |offset| map.get(plan.viewer + offset));
        let in_front = self.algorithm.cells_in_front(offset).filter(|_| walls.is_wall(offset) == Some(true));
        let shows_target = |cell: IVec2| {
            cell == offset || in_front.is_some_and(|cells| cells.contains(&cell) && walls.is_wall(cell) == Some(false))
        };
        let mut is_seen = shows_target(IVec2::ZERO);
        self.algorithm.mark_target(&walls, offset, |cell| is_seen |= shows_target(cell));
        f32::from(u8::from(is_seen))
    }

    fn half_cells(&mut self, _config: &SightConfig, _plan: &ViewPlan) -> Option<HalfCellTable> {
        None
    }
}

/// Marks the visible cells in a window of zeros with the viewer at `centre`.
fn mark_seen(
    algorithm: &mut impl MarkCells,
    walls: &WallMap<impl Fn(IVec2) -> f32>,
    seen: &mut AlignedGrid,
    centre: IVec2,
) {
    let mut mark = |offset: IVec2| seen[centre + offset] = 1.0;
    mark(IVec2::ZERO);
    algorithm.mark_cells(walls, mark);
    for wall in walls.disc() {
        let Some(in_front) = algorithm.cells_in_front(wall) else { break };
        let is_seen_floor = |cell| seen[centre + cell] > 0.0 && walls.is_wall(cell) == Some(false);
        if in_front.into_iter().any(is_seen_floor) && walls.is_wall(wall) == Some(true) {
            seen[centre + wall] = 1.0;
        }
    }
}

impl<M: MarkCells> CellSolver for Classic<M> {
    fn solve_cells(&mut self, plan: &ViewPlan, read: &mut dyn FnMut(IVec2) -> f32, window: &mut Window) {
        /// Equivalent to no cell for later views, in which it may be out of sight.
        const UNREAD: f32 = NO_CELL + 1.0;
        for (y, columns) in window.rows(plan.radii.in_sight) {
            window.seen.row_mut(y)[columns.clone()].fill(0.0);
            window.opacity.row_mut(y)[columns].fill(UNREAD);
        }
        let (centre, Window { opacity, seen, .. }) = (window.centre(), window);
        let cells = RefCell::new((opacity, read));
        let walls = wall_map(self.wall_at, plan, |offset| {
            let (opacity, read) = &mut *cells.borrow_mut();
            let (opacity, cell) = (opacity.get_mut(centre + offset)?, plan.viewer + offset);
            if *opacity == UNREAD {
                let exists = plan.extent.is_none_or(|extent| extent.contains(cell));
                *opacity = if exists { clamp_opacity(read(cell)) } else { NO_CELL };
            }
            Some(*opacity)
        });
        mark_seen(&mut self.algorithm, &walls, seen, centre);
    }
}

/// The walls around one viewer. Cells are given by their offset from the viewer.
pub(in crate::sight) struct WallMap<F> {
    /// The minimum opacity of a wall.
    pub(super) wall_at: f32,
    /// Returns the opacity of a cell in sight, above 1 if there is no cell.
    pub(super) opacity: F,
    /// The radius of the cells in sight.
    pub(super) radius: i32,
    /// The offsets of the cells of the map, or `None` for a map without an edge.
    pub(super) extent: Option<CellRect>,
}

impl<F: Fn(IVec2) -> f32> WallMap<F> {
    /// Returns `true` for a wall, `None` out of sight and where there is no cell.
    #[inline]
    pub(super) fn is_wall(&self, offset: IVec2) -> Option<bool> {
        if offset.length_squared() > self.radius * self.radius {
            return None;
        }
        self.is_wall_in_range(offset)
    }

    /// Returns [`is_wall`](Self::is_wall) for a cell within the radius.
    #[inline]
    pub(super) fn is_wall_in_range(&self, offset: IVec2) -> Option<bool> {
        let opacity = (self.opacity)(offset);
        (opacity <= 1.0).then_some(opacity >= self.wall_at)
    }

    /// Returns the offsets of the square of the radius, clipped to the map.
    pub(super) fn square(&self) -> CellRect {
        let square = CellRect::around(IVec2::ZERO, self.radius as u32);
        self.extent.map_or(square, |extent| square.intersect(extent))
    }

    /// Iterates over the offsets of [`square`](Self::square) within the radius, row after row.
    pub(super) fn disc(&self) -> impl Iterator<Item = IVec2> + use<F> {
        let CellRect { min, max } = self.square();
        let squared = self.radius * self.radius;
        (min.y..max.y).flat_map(move |y| {
            let half = ((squared - y * y) as u32).isqrt() as i32;
            (min.x.max(-half)..max.x.min(half + 1)).map(move |x| ivec2(x, y))
        })
    }
}

/// Returns the walls around the viewer of a plan. `opacity` returns the opacity of a cell at an offset from the viewer.
fn wall_map(wall_at: f32, plan: &ViewPlan, opacity: impl Fn(IVec2) -> Option<f32>) -> WallMap<impl Fn(IVec2) -> f32> {
    WallMap {
        wall_at,
        opacity: move |offset| opacity(offset).unwrap_or(f32::INFINITY),
        radius: plan.radii.in_sight as i32,
        extent: offsets_on_map(plan),
    }
}

/// Returns the offsets of the cells of the map from the viewer, or `None` for a map without an edge.
pub(super) fn offsets_on_map(plan: &ViewPlan) -> Option<CellRect> {
    plan.extent.map(|CellRect { min, max }| {
        let [min, max] = [min, max].map(|corner| corner.saturating_sub(plan.viewer));
        CellRect { min, max }
    })
}
