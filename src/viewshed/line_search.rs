//! [`LineSearch`]: the maximum of what is sought along the line to a cell, found on few of its rings.
//!
//! First come the rings next to the cell, then the block that promises most: what they have rules out most of the others. Bounds of
//! longer runs rule out many blocks at once, so that a line takes few steps however long it is.

use std::ops::Range;

use glam::IVec2;

use super::exact::{SightLine, target};
use super::sectors::{BLOCK, RUN, Sectors};
use super::surface::{NO_HORIZON, SurfaceTerms};

/// A maximum that is sought along a line, on some rings after others.
pub(super) trait LineSearch {
    /// Returns at most as much for one bound as for a greater one: which rings are followed first. The slopes of these rings, which end at
    /// `end`, are at most `bound`, in metres per ring.
    fn promise(&self, bound: f32, end: usize) -> f32;
    /// Returns `true` if rings with a bound can raise the maximum. They end before the target.
    fn may_rise(&self, bound: f32, end: usize) -> bool;
    /// Follows the line over some rings. Returns `true` if that raises the maximum.
    fn follow(&mut self, rings: Range<usize>) -> bool;
}

/// Follows the line to a cell of a ring where the maximum can rise. The first block is that of the hint, if there is one: that of the cell
/// before is often the right one. Returns the block that raised the maximum last.
#[inline(always)]
pub(super) fn search_line(
    sectors: &Sectors,
    sector: usize,
    ring: usize,
    hint: Option<usize>,
    search: &mut impl LineSearch,
) -> Option<usize> {
    let (blocks, runs) = (sectors.whole_blocks(sector, ring), sectors.whole_runs(sector, ring));
    let hint = hint.filter(|block| *block < blocks.len());
    let mut highest = hint.filter(|block| follow_block(blocks, *block, search));
    search.follow(ring - 1..ring);
    if search.may_rise(sectors.last_block(sector), ring - 1) {
        search.follow(blocks.len() * BLOCK..ring - 1);
    }
    let of_run = |run: usize| run * RUN / BLOCK..(run + 1) * RUN / BLOCK;
    let behind_runs = runs.len() * RUN / BLOCK..blocks.len();
    let first = hint.or_else(|| {
        let best = |bounds: &[f32], length: usize, range: Range<usize>| {
            let promises = range.map(|i| (i, search.promise(bounds[i], (i + 1) * length)));
            promises.reduce(|best, next| if next.1 > best.1 { next } else { best })
        };
        let of_runs = best(runs, RUN, 0..runs.len()).and_then(|(run, _)| best(blocks, BLOCK, of_run(run)));
        let behind = best(blocks, BLOCK, behind_runs.clone());
        let promising = of_runs.into_iter().chain(behind).reduce(|a, b| if b.1 > a.1 { b } else { a });
        promising.map(|(block, _)| block)
    });
    if hint.is_none() {
        highest = first.filter(|block| follow_block(blocks, *block, search));
    }
    for (run, bound) in runs.iter().enumerate() {
        if search.may_rise(*bound, (run + 1) * RUN) {
            for block in of_run(run).filter(|block| Some(*block) != first) {
                highest = if follow_block(blocks, block, search) { Some(block) } else { highest };
            }
        }
    }
    for block in behind_runs.filter(|block| Some(*block) != first) {
        highest = if follow_block(blocks, block, search) { Some(block) } else { highest };
    }
    highest
}

/// Follows the line over a block, if the maximum can rise there. Returns `true` if it does.
#[inline(always)]
fn follow_block(blocks: &[f32], block: usize, search: &mut impl LineSearch) -> bool {
    let may_rise = search.may_rise(blocks[block], (block + 1) * BLOCK);
    may_rise && search.follow(block * BLOCK..(block + 1) * BLOCK)
}

/// The search for the horizon of a line.
pub(super) struct HorizonSearch<'a, 'g> {
    line: SightLine<'a, 'g>,
    /// The horizon so far, in metres over the eye at the target.
    pub(super) horizon: f64,
    /// Slopes below do not count, in metres per ring. Its rounding is less than the margin of the bounds.
    floor: f32,
    inverse: f64,
}

impl<'a, 'g> HorizonSearch<'a, 'g> {
    pub(super) fn new(terms: &'a SurfaceTerms<'g>, offset: IVec2, floor: f32) -> Self {
        let inverse = 1.0 / f64::from(offset.abs().max_element());
        Self { line: SightLine::new(terms, offset), horizon: f64::from(NO_HORIZON), floor, inverse }
    }
}

impl LineSearch for HorizonSearch<'_, '_> {
    #[inline(always)]
    fn promise(&self, bound: f32, _end: usize) -> f32 {
        bound
    }

    #[inline(always)]
    fn may_rise(&self, bound: f32, _end: usize) -> bool {
        bound >= self.floor
    }

    #[inline(always)]
    fn follow(&mut self, rings: Range<usize>) -> bool {
        let before = self.horizon;
        self.horizon = self.line.raise(before, rings.start as i64, rings.end as i64);
        self.floor = self.floor.max((self.horizon * self.inverse) as f32);
        self.horizon > before
    }
}

/// The search for the least height of an eye over the viewer's ground from which a target is seen.
///
/// Light takes the same line in both directions, so the line is followed from the target: its horizon at the viewer is that height.
/// The bounds are slopes from the viewer's ground. Ground of slope s at ring m, on the line to a target of slope e at ring M, hides
/// what is less than (s − e) m M/(M − m) over the viewer's ground.
pub(super) struct EyeHeightSearch<'a, 'g> {
    /// From the target to the viewer.
    line: SightLine<'a, 'g>,
    ring: usize,
    /// The slope of the target, in metres per ring.
    slope: f64,
    /// The viewer's ground and the horizon so far, in metres over the target at the viewer.
    ground: f64,
    horizon: f64,
}

impl<'a, 'g> EyeHeightSearch<'a, 'g> {
    /// Creates a search from the terms of an eye on the ground and those of an eye at the target, which is at an offset.
    pub(super) fn new(terms: &SurfaceTerms<'g>, from_target: &'a SurfaceTerms<'g>, offset: IVec2) -> Self {
        let ring = offset.abs().max_element() as usize;
        Self {
            line: SightLine::new(from_target, -offset),
            ring,
            slope: target(terms, offset) / ring as f64,
            ground: target(from_target, -offset),
            horizon: f64::from(NO_HORIZON),
        }
    }

    /// Returns the least height so far, in metres.
    #[inline(always)]
    pub(super) fn height(&self) -> f32 {
        let height = (self.horizon - self.ground) as f32;
        if height > 0.0 { height } else { 0.0 }
    }

    /// Returns `true` if slopes up to a bound can hide the viewer's ground.
    #[inline(always)]
    pub(super) fn may_hide(&self, bound: f32) -> bool {
        f64::from(bound) > self.slope
    }
}

impl LineSearch for EyeHeightSearch<'_, '_> {
    #[inline(always)]
    fn promise(&self, bound: f32, end: usize) -> f32 {
        let (end, ring) = (end as f32, self.ring as f32);
        (bound - self.slope as f32) * end / (ring - end)
    }

    #[inline(always)]
    fn may_rise(&self, bound: f32, end: usize) -> bool {
        let (above, left) = (f64::from(bound) - self.slope, (self.ring - end) as f64);
        let height = self.horizon - self.ground;
        above > 0.0 && above * (end * self.ring) as f64 > height * left
    }

    #[inline(always)]
    fn follow(&mut self, rings: Range<usize>) -> bool {
        let before = self.horizon;
        let [from, to] = [rings.end, rings.start].map(|ring| (self.ring - ring) as i64);
        self.horizon = self.line.raise(before, from, to);
        self.horizon > before
    }
}
