//! [`Beam`]: the beam method, and its pass over the columns of the octant.

use std::ops::Range;
use std::sync::Arc;

use fearless_simd::{Level, Simd};
use glam::IVec2;

use super::beam_list::{BeamList, CellRays, PAIRS_PER_SUM};
use super::beam_sectors::BeamSectors;
use super::beam_target::BeamTarget;
use super::octant_column::{OctantColumn, OctantLanes, any_above_0};
use super::ray_light::{dim, mean, mean_and_dim, settle_with_edges};
use crate::job::Job;
use crate::math::{LOW_OPACITY, exp2, log2};
use crate::sight::half_cells::{HalfCellTable, HalfCells};
use crate::sight::opacity_map::OpacityMap;
use crate::sight::solver::Solver;
use crate::sight::two_parent::definition::arriving;
use crate::sight::view_plan::ViewPlan;
use crate::sight::window::Window;
use crate::sight_config::{PathRule, SightConfig, SightError};
use crate::simd::dispatch_8_lanes;

/// The beam method, with its list of directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beam {
    beams: f64,
    list: Option<Arc<BeamList>>,
    /// The half cells of the rays of the list.
    half_cells: Option<(PathRule, HalfCellTable)>,
    buffers: BeamBuffers,
}

/// The buffers of a pass.
#[derive(Clone, Debug, Default)]
struct BeamBuffers {
    /// The remaining light in the sector of every ray. The last entry is for pairs with only one ray.
    light: Vec<OctantLanes>,
    sectors: BeamSectors,
    now: OctantColumn,
    before: OctantColumn,
    /// The runs of cells of the current column that are not dark.
    runs: Vec<Range<usize>>,
}

impl BeamBuffers {
    /// Allocates for columns of this length, so that a farther target needs no allocation.
    fn reserve(&mut self, cells: usize) {
        self.now.reserve(cells);
        self.before.reserve(cells);
        self.runs.reserve(cells.div_ceil(2).saturating_sub(self.runs.len()));
    }
}

impl Beam {
    /// Returns the directions, if a view has needed them.
    pub(crate) fn list(&self) -> Option<&BeamList> {
        self.list.as_deref()
    }

    /// Sets the number of directions: see [`Method::Beam`](crate::sight_config::Method::Beam).
    pub(crate) fn with(&mut self, beams: f64) -> &mut Self {
        self.beams = beams;
        self
    }

    /// Creates the directions for exactly this radius, on which their number depends.
    pub(crate) fn fit(&mut self, radius: u32) -> &Arc<BeamList> {
        let beams = self.beams;
        if !self.list.as_ref().is_some_and(|list| (list.radius(), list.beams()) == (radius, beams)) {
            self.half_cells = None;
            self.list = None;
        }
        self.list.get_or_insert_with(|| Arc::new(BeamList::new(radius, beams)))
    }
}

impl Solver for Beam {
    fn solve(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        window: &mut Window,
        _job: Job<'_>,
    ) -> Result<(), SightError> {
        let list = self.fit(plan.radii.list(config)).clone();
        let (in_sight, path, buffers) = (plan.radii.in_sight, config.path, &mut self.buffers);
        dispatch_8_lanes!(Level::new(), simd => walk::<_, true>(simd, &list, window, in_sight, path, None, buffers));
        Ok(())
    }

    fn solve_cell(
        &mut self,
        config: &SightConfig,
        plan: &ViewPlan,
        map: &OpacityMap,
        window: &mut Window,
        offset: IVec2,
    ) -> f32 {
        window.fit(plan.radii.window, plan.radii.in_sight);
        window.fill_opacities(&mut { map }, plan.viewer);
        let list = self.fit(plan.radii.list(config)).clone();
        if offset == IVec2::ZERO {
            return 1.0;
        }
        let target = BeamTarget::new(&list, offset);
        let (in_sight, path, buffers) = (plan.radii.in_sight, config.path, &mut self.buffers);
        buffers.reserve(list.radius() as usize + 1);
        dispatch_8_lanes!(
            Level::new(),
            simd => walk::<_, true>(simd, &list, window, in_sight, path, Some(&target), buffers)
        )
    }

    fn half_cells(&mut self, config: &SightConfig, plan: &ViewPlan) -> Option<HalfCellTable> {
        let (list, path) = (self.fit(plan.radii.list(config)).clone(), config.path);
        let known = self.half_cells.take().filter(|(known, _)| *known == path);
        let known = known.unwrap_or_else(|| (path, half_cell_table(&list, path)));
        Some(self.half_cells.insert(known).1.clone())
    }
}

/// Computes the half cells of the rays to all cells of a list.
fn half_cell_table(list: &BeamList, path: PathRule) -> HalfCellTable {
    HalfCellTable::of_octant(list.radius(), |set| {
        list.for_each_cell(path, |offset, lines| set(offset, HalfCells::of_lines(offset, path, lines)));
    })
}

/// Computes all cells of the window within `in_sight`; with a `target`, only the cells on its rays up to its column.
/// Returns the visibility of the target.
///
/// `SKIPS`: skips cells whose rays are all dark, and computes thin air in one pass, which changes no bit.
#[inline(always)]
fn walk<S: Simd, const SKIPS: bool>(
    simd: S,
    list: &BeamList,
    window: &mut Window,
    in_sight: u32,
    path: PathRule,
    target: Option<&BeamTarget>,
    buffers: &mut BeamBuffers,
) -> f32 {
    let BeamBuffers { light, sectors, now, before, runs } = buffers;
    light.clear();
    light.resize(list.rays + 1, [1.0; 8]);
    sectors.reset(list.rays);
    if target.is_none() {
        let middle = window.centre();
        window.seen[middle] = 1.0;
    }
    now.start();
    // A cell between two rays takes light from the previous column, which must be complete.
    let skips = SKIPS && !list.misses_cells;
    let clear_distance = if skips && target.is_none() { window.clear_distance(|opacity| opacity != 0.0) } else { 0 };
    let mut is_cleared = target.is_some();
    let mut rows = 0..0;
    let mut min_light = 1.0;
    for dx in 1..=target.map_or(in_sight.min(window.radius), |target| target.column) {
        std::mem::swap(now, before);
        let cells = &list.column(dx)[..=BeamList::last_row(dx, in_sight) as usize];
        now.resize(cells.len());
        if dx <= clear_distance {
            for (seen, cell) in now.seen.iter_mut().zip(cells) {
                *seen = [cell.clear_mean; 8];
            }
            now.write(window, dx, 0..cells.len());
            continue;
        }
        runs.clear();
        if skips {
            rows = target.map_or(0..cells.len(), |target| target.rows(cells, rows));
            find_lit_runs(cells, rows.clone(), sectors, runs);
        } else {
            runs.push(0..cells.len());
        }
        if !is_cleared && skips && sectors.any_is_dark() {
            window.clear_from(dx);
            is_cleared = true;
        }
        // Plain loops, since LLVM would not compile closures for the vectors.
        let (mut max_opacity, mut needs_depth) = (0.0, false);
        for run in &*runs {
            now.read(window, dx, run.clone());
            let (max, has_low) = now.max_opacity(run.clone());
            max_opacity = f32::max(max_opacity, max);
            needs_depth |= has_low;
        }
        if needs_depth {
            for run in &*runs {
                now.compute_depth(cells, path, run.clone());
            }
        }
        // In a column, a ray is at most √2 long.
        min_light *= if max_opacity < 1.0 { (1.0 - max_opacity) * (1.0 - max_opacity) } else { 0.0 };
        if sectors.no_edge_arises(max_opacity) {
            let is_thin = SKIPS && max_opacity > 0.0 && max_opacity <= LOW_OPACITY && min_light > LIT;
            for run in &*runs {
                settle(simd, list, cells, light, now, path, is_thin, run.clone());
            }
        } else {
            simd.vectorize(
                #[inline(always)]
                || {
                    for run in &*runs {
                        settle_with_edges::<_, SKIPS>(simd, list, cells, light, sectors, now, path, run.clone());
                    }
                },
            );
            sectors.update_uniform();
        }
        if list.misses_cells {
            for (dy, _) in cells.iter().enumerate().filter(|(_, cell)| cell.is_missed()) {
                now.seen[dy] = light_between_rays(dx, dy, before, path);
                for (seen, opacity) in now.seen[dy].iter_mut().zip(&now.opacity[dy]) {
                    *seen = if *opacity <= 1.0 { *seen } else { 0.0 };
                }
            }
        }
        now.merge_shared_cells(dx);
        if let Some(target) = target {
            if dx == target.column {
                let is_lit = runs.iter().any(|run| run.contains(&target.row));
                return if is_lit { now.seen[target.row][target.lane] } else { 0.0 };
            }
            continue;
        }
        for run in &*runs {
            now.write(window, dx, run.clone());
        }
        if skips && sectors.are_dark() {
            if !is_cleared {
                window.clear_from(dx + 1);
            }
            break;
        }
    }
    0.0
}

/// Finds the runs of cells in `rows` that are not dark.
#[inline(always)]
fn find_lit_runs(cells: &[CellRays], rows: Range<usize>, sectors: &BeamSectors, runs: &mut Vec<Range<usize>>) {
    if !sectors.any_is_dark() {
        runs.push(rows);
        return;
    }
    let (mut cell, end) = (rows.start, rows.end);
    while cell < end {
        let start = cell;
        while cell < end && !sectors.is_dark(&cells[cell].span) {
            cell += 1;
        }
        if cell > start {
            runs.push(start..cell);
        }
        while cell < end && sectors.is_dark(&cells[cell].span) {
            cell += 1;
        }
    }
}

/// If the light of all rays exceeds this, every cell is lit: no product with a weight is rounded to 0.
const LIT: f32 = 1e-30;

/// Computes the visibilities of some cells of a column without shadow edges, and dims its rays.
///
/// `is_thin`: `depth` is valid for all cells, and no cell is dark.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the state of the walk")]
fn settle<S: Simd>(
    simd: S,
    list: &BeamList,
    cells: &[CellRays],
    light: &mut [OctantLanes],
    column: &mut OctantColumn,
    path: PathRule,
    is_thin: bool,
    run: Range<usize>,
) {
    let OctantColumn { opacity, seen, depth } = column;
    let (opacity, seen, depth) = (&opacity[run.clone()], &mut seen[run.clone()], &depth[run.clone()]);
    for (((cell, opacity), seen), depth) in cells[run].iter().zip(opacity).zip(seen).zip(depth) {
        let (rays, crossing) = list.crossing(cell);
        let light = light[rays.start..rays.start + 2 * crossing.len()].as_chunks_mut().0;
        if is_thin && crossing.len() <= PAIRS_PER_SUM {
            *seen = mean_and_dim(simd, light, crossing, depth);
            continue;
        }
        *seen = mean(simd, light, crossing, opacity);
        if any_above_0(simd, opacity) && any_above_0(simd, seen) {
            dim(simd, light, crossing, opacity, depth, cell.scale(path));
        }
    }
}

/// Returns the light of a cell between two rays, which occurs at large distances with few beams. It takes its light
/// from its two parents, as in the two-parent method, and dims no ray.
#[cold]
fn light_between_rays(dx: u32, dy: usize, before: &OctantColumn, path: PathRule) -> OctantLanes {
    let through = |dy: usize| {
        let (x, y) = (f64::from(dx - 1), dy as f64);
        let length = match path {
            PathRule::PerCell => 1.0,
            PathRule::PerLength => ((x * x + y * y).sqrt() / x.max(1.0)) as f32,
        };
        let mut passed = before.seen[dy];
        for (passed, opacity) in passed.iter_mut().zip(&before.opacity[dy]) {
            *passed *= exp2(log2(1.0 - opacity) * length);
        }
        passed
    };
    let diagonal_weight = dy as f32 / dx as f32;
    let mut seen = if dy < dx as usize { through(dy) } else { [0.0; 8] };
    if dy > 0 {
        for (seen, diagonal) in seen.iter_mut().zip(through(dy - 1)) {
            *seen = arriving(1.0, diagonal_weight, *seen, diagonal);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::CellRect;
    use crate::sight::OpacityRows;
    use crate::simd::levels;

    /// Casts at a level, with or without skipping.
    fn cast_at(
        level: Level,
        skips: bool,
        list: &BeamList,
        window: &mut Window,
        in_sight: u32,
        path: PathRule,
        buffers: &mut BeamBuffers,
    ) {
        if skips {
            dispatch_8_lanes!(level, simd => walk::<_, true>(simd, list, window, in_sight, path, None, buffers));
        } else {
            dispatch_8_lanes!(level, simd => walk::<_, false>(simd, list, window, in_sight, path, None, buffers));
        }
    }

    #[test]
    fn vectors_of_any_width_and_skipped_cells_give_the_same_bits() {
        for (radius, in_sight, beams) in [(24, 24, 1.0), (30, 30, 0.5), (70, 70, 1.0), (45, 40, 2.3), (20, 33, 1.0)] {
            let list = BeamList::new(in_sight, beams);
            let ways = || levels().into_iter().flat_map(|level| [(level, true), (level, false)]);
            // Each variant keeps its window and buffers, so that the test detects values left by an earlier view.
            let mut kept: Vec<_> = ways().map(|_| (Window::default(), BeamBuffers::default())).collect();
            let dense = [(9, 0), (97, 0), (0, 0), (30, 0), (9, 50), (2, 3), (45, 40), (0, 97), (18, 0)];
            let haze = [(0, 97, 0.3), (0, 60, 0.3), (1, 97, 0.3), (0, 97, 0.01)].map(|(w, f, most)| (w, f, Some(most)));
            let maps = dense.into_iter().map(|(walls, fog)| (walls, fog, None)).chain(haze);
            for (i, (walls, fog, haze)) in maps.enumerate() {
                let fill = |start: IVec2, row: &mut [f32]| {
                    for (x, slot) in (start.x..).zip(row) {
                        let mixed = (x * (37 + i as i32) + start.y * 101 + x * start.y * 7).rem_euclid(97);
                        *slot = match mixed - walls {
                            ..0 => 1.0,
                            rest if rest < fog => {
                                haze.map_or(rest as f32 / 90.0, |most| most * (1.0 - rest as f32 / 970.0))
                            }
                            _ => 0.0,
                        };
                    }
                };
                let extent =
                    CellRect { min: IVec2::splat(-20), max: if i % 2 == 0 { IVec2::MAX } else { IVec2::new(50, 35) } };
                for path in [PathRule::PerCell, PathRule::PerLength] {
                    for ((window, buffers), (level, skips)) in kept.iter_mut().zip(ways()) {
                        window.fit(radius, in_sight);
                        window.fill_opacities(&mut OpacityRows::new(fill).within(extent), IVec2::ZERO);
                        cast_at(level, skips, &list, window, in_sight, path, buffers);
                    }
                    let bits = |window: &Window| window.seen.view().map(|value| value.to_bits());
                    let plain = bits(&kept[1].0);
                    for ((window, _), way) in kept.iter().zip(ways()) {
                        assert!(
                            bits(window) == plain,
                            "{radius}, {in_sight}, {beams}, {path:?}, {walls} + {fog}, {haze:?}, {way:?}"
                        );
                    }
                    let partly = kept[1].0.seen.view().rows().flatten().any(|v| *v > 0.0 && *v < 1.0);
                    assert!(partly || walls == 97 || (walls, fog) == (0, 0));
                }
            }
        }
    }
}
