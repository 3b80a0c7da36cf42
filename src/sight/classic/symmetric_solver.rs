//! [`SymmetricSolver`]: the solver of symmetric shadowcasting, by bits of walls or by the definition.

use fearless_simd::{Level, Simd};
use glam::IVec2;

use super::classic::{Classic, offsets_on_map};
use super::shadow_scan::{ScanRange, ShadowScan};
use super::symmetric_shadowcast::SymmetricShadowcast;
use super::wall_bits::{CellWalls, GridWalls, ReadCells, write_lit};
use super::wall_tiles::TileWalls;
use crate::grid::{CellRect, GridView};
use crate::job::Job;
use crate::sight::half_cells::HalfCellTable;
use crate::sight::opacity_map::OpacityMap;
use crate::sight::solver::{CellSolver, Solver};
use crate::sight::two_parent::Kernel;
use crate::sight::view_plan::ViewPlan;
use crate::sight::window::{Window, Writer};
use crate::sight_config::{SightConfig, SightError};
use crate::simd::dispatch;
use crate::view::LitRows;

/// Symmetric shadowcasting: 1 for the cells that are seen, otherwise 0.
#[derive(Clone, Debug, Default)]
pub(in crate::sight) struct SymmetricSolver {
    /// The selected kernel, if it is not the best of this processor.
    pub(in crate::sight) chosen_kernel: Option<Kernel>,
    /// The minimum opacity of a wall.
    wall_at: f32,
    /// The definition.
    plain: Classic<SymmetricShadowcast>,
    scan: ShadowScan,
    cells: ReadCells,
}

impl SymmetricSolver {
    /// Sets the minimum opacity of walls.
    pub(in crate::sight) fn with(&mut self, wall_at: f64) -> &mut Self {
        self.wall_at = wall_at as f32;
        self.plain.with(wall_at, |_| {});
        self
    }

    /// Returns the vectors of the chosen kernel, or `None` for the definition, which has the least code for WebAssembly.
    fn level(&self) -> Option<Level> {
        match self.chosen_kernel {
            _ if cfg!(target_family = "wasm") => None,
            Some(Kernel::Plain) => None,
            Some(Kernel::Width4) => Some(Level::baseline()),
            _ => Some(Level::new()),
        }
    }

    /// Returns the lit cells of the last view, all that may be visible.
    pub(in crate::sight) fn lit_rows(&self) -> LitRows<'_> {
        self.scan.layout().lit_rows(self.scan.lit()[0])
    }

    /// Writes the visibilities of the lit cells.
    fn write(&mut self, level: Level, window: &mut Window) {
        let (layout, [lit, last]) = (self.scan.layout(), self.scan.lit());
        let last = (window.last_writer == Writer::ShadowScan).then_some(last);
        dispatch!(level, simd => write_lit(simd, layout, lit, last, window));
        window.writer = Writer::ShadowScan;
    }
}

#[inline(always)]
fn scan_grid<S: Simd>(
    simd: S,
    scan: &mut ShadowScan,
    range: &ScanRange<'_>,
    opacity: GridView<'_, f32>,
    viewer: IVec2,
    wall_at: f32,
) {
    scan.scan(range, &mut GridWalls::new(simd, opacity, viewer, wall_at));
}

fn scan_range<'a>(plan: &ViewPlan, window: &'a Window) -> ScanRange<'a> {
    let square = CellRect::around(IVec2::ZERO, window.radius);
    let extent = offsets_on_map(plan).map_or(square, |extent| square.intersect(extent));
    ScanRange { half_widths: &window.half_widths, extent }
}

impl Solver for SymmetricSolver {
    fn solve(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        job: Job<'_>,
    ) -> Result<(), SightError> {
        let Some(level) = self.level() else { return self.plain.solve(config, plan, window, job) };
        let Self { wall_at, scan, .. } = self;
        scan.fit(window.radius);
        let (range, opacity) = (scan_range(plan, window), window.opacity.view());
        dispatch!(level, simd => scan_grid(simd, scan, &range, opacity, window.centre(), *wall_at));
        self.write(level, window);
        if window.has_nodata {
            for (y, columns) in window.rows(plan.radii.in_sight) {
                let opacity = &window.opacity.row(y)[columns.clone()];
                for (seen, opacity) in window.seen.row_mut(y)[columns].iter_mut().zip(opacity) {
                    *seen = if *opacity > 1.0 { 0.0 } else { *seen };
                }
            }
            let centre = window.centre();
            window.seen[centre] = 1.0;
        }
        Ok(())
    }

    fn solve_map(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        window: &mut Window,
        job: Job<'_>,
    ) -> Result<(), SightError> {
        let Some(level) = self.level() else { return self.plain.solve_map(config, plan, map, window, job) };
        let Self { wall_at, scan, .. } = self;
        scan.fit(window.radius);
        let (range, viewer) = (scan_range(plan, window), plan.viewer);
        let tiles = map.wall_tiles(*wall_at);
        if tiles.wall_at() == *wall_at {
            let mut walls = TileWalls { tiles, map: map.grid(), viewer };
            dispatch!(level, _ => scan.scan(&range, &mut walls));
        } else {
            dispatch!(level, simd => scan_grid(simd, scan, &range, map.grid().view(), viewer, *wall_at));
        }
        self.write(level, window);
        Ok(())
    }

    fn as_cell_solver(&mut self) -> Option<&mut dyn CellSolver> {
        Some(self)
    }

    fn solve_cell(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        window: &mut Window,
        offset: IVec2,
    ) -> f32 {
        self.plain.solve_cell(config, plan, map, window, offset)
    }

    fn half_cells(&mut self, _config: &SightConfig, _plan: &ViewPlan) -> Option<HalfCellTable> {
        None
    }
}

impl CellSolver for SymmetricSolver {
    fn solve_cells(&mut self, plan: &ViewPlan, opacity: &mut dyn FnMut(IVec2) -> f32, window: &mut Window) {
        let Some(level) = self.level() else { return self.plain.solve_cells(plan, opacity, window) };
        let Self { wall_at, scan, cells, .. } = self;
        scan.fit(window.radius);
        cells.clear(scan.layout());
        let range = scan_range(plan, window);
        scan.scan(&range, &mut CellWalls { wall_at: *wall_at, viewer: plan.viewer, opacity, cells });
        cells.remove_missing(scan.lit_mut());
        self.write(level, window);
    }
}
