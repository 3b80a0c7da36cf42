//! [`CanopyLines`]: the optical depth of the canopy on several lines of sight at a time, with the bits of
//! [`canopy_depth`](super::canopy::canopy_depth).
//!
//! The lines to the cells of one ring cross the previous rings together. A line crosses a ring between two adjacent
//! cells of the ring, so ground and cover of a ring are stored as a row, and both cells are one read. There is no
//! branch for a cell, since tops above and below a line alternate.

use glam::IVec2;

use super::canopy::{DARK_DEPTH, crown, crown_share};
use super::surface::SurfaceTerms;

/// The number of lines that are computed together.
pub(super) const LINES: usize = 8;

/// The number of rings between checks whether all lines are dark.
const RINGS_A_CHECK: usize = 32;

/// The line of sight to a cell of the last ring.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CanopyLine {
    /// The cell's distance to the axis, negative on side 0.
    pub(super) aside: i32,
    /// Metres of the line over the eye at the cell.
    pub(super) end: f32,
}

/// The ground and cover of the rings of a quadrant.
#[derive(Clone, Debug, Default)]
pub(super) struct CanopyLines {
    /// The ground and the cover, 0 or more, of the viewer's cell and of all rings, with a padding cell before, between
    /// and after.
    cells: Vec<[f32; 2]>,
    /// The index of the cell on the axis for each ring.
    axes: Vec<usize>,
    /// Pending lines to the last ring.
    lines: Vec<CanopyLine>,
}

impl CanopyLines {
    /// Starts a quadrant with the viewer's cell.
    pub(super) fn start(&mut self, terms: &SurfaceTerms<'_>) {
        self.cells.clear();
        self.axes.clear();
        self.cells.push([0.0; 2]);
        let cover = terms.cover.map_or(0.0, |cover| cover[terms.viewer]);
        self.push_ring(&[terms.ground[terms.viewer]], &[cover], 0);
    }

    /// Adds the next ring, in which the cell on the axis has the index `axis`.
    #[inline(always)]
    pub(super) fn push_ring(&mut self, ground: &[f32], cover: &[f32], axis: usize) {
        self.axes.push(self.cells.len() + axis);
        let cells = ground.iter().zip(cover);
        self.cells.extend(cells.map(|(ground, cover)| [*ground, if *cover > 0.0 { *cover } else { 0.0 }])); // NaN becomes 0
        self.cells.push([0.0; 2]);
    }

    /// Adds a line to the next ring.
    #[inline(always)]
    pub(super) fn push(&mut self, line: CanopyLine) {
        self.lines.push(line);
    }

    /// Calls `found` with batches of at most [`LINES`] lines and their optical depths, at most [`DARK_DEPTH`], and
    /// removes all lines. `outwards` and `sideways` are steps on the map.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        terms: &SurfaceTerms<'_>,
        [outwards, sideways]: [IVec2; 2],
        mut found: impl FnMut(&[CanopyLine], [f32; LINES]),
    ) {
        let count = self.lines.len();
        self.lines.resize(count.next_multiple_of(LINES), CanopyLine::default());
        for (i, lines) in self.lines.as_chunks().0.iter().enumerate() {
            let depths = self.depths(terms, [outwards, sideways], lines);
            found(&lines[..LINES.min(count - i * LINES)], depths);
        }
        self.lines.clear();
    }

    /// Returns the optical depths on some lines.
    #[inline(always)]
    fn depths(
        &self,
        terms: &SurfaceTerms<'_>,
        [outwards, sideways]: [IVec2; 2],
        lines: &[CanopyLine; LINES],
    ) -> [f32; LINES] {
        let last_ring = self.axes.len() - 1;
        let steps = last_ring as i32;
        let inverse = 1.0 / f64::from(steps);
        let height = f64::from(terms.canopy.height);
        let limit = f64::from(DARK_DEPTH);
        let [own_ground, own] = self.cells[1];
        let own_crown = crown(&terms.canopy, f64::from(own_ground) - terms.eye, f64::from(own)).map(|top| top as f32);
        let mut last_cells = [[0.0; 2]; LINES];
        for (cell, line) in last_cells.iter_mut().zip(lines) {
            *cell = self.cells[self.axes[last_ring].wrapping_add_signed(line.aside as isize)];
        }
        let (mut aside, mut is_side_0) = ([0; LINES], [0; LINES]);
        // A line crosses a ring between the cell `row` and the next, at the fraction `rest`/steps.
        let (mut row, mut rest) = ([0; LINES], [0; LINES]);
        let [mut slope, mut drop, mut unit, mut sum] = [[0.0f64; LINES]; 4];
        for i in 0..LINES {
            let [ground, cover] = last_cells[i];
            let squared = terms.squared(outwards * steps + sideways * lines[i].aside);
            let end = f64::from(lines[i].end);
            slope[i] = end * inverse;
            drop[i] = terms.drop * squared * inverse * inverse;
            let slant = if terms.canopy.per_length { squared.sqrt() * inverse } else { terms.canopy.mean.into() };
            unit[i] = f64::from(terms.canopy.depth) * slant;
            let last_ground = f64::from(ground) - terms.eye - terms.drop * squared;
            let last_crown = crown(&terms.canopy, last_ground, f64::from(cover)).map(|top| (top - end) as f32);
            let ends = crown_share(own_crown, slope[i] as f32) * terms.canopy.density(own)
                + crown_share(last_crown, -slope[i] as f32) * terms.canopy.density(cover);
            sum[i] = f64::from(ends);
            is_side_0[i] = i32::from(lines[i].aside < 0);
            aside[i] = lines[i].aside.abs();
            (row[i], rest[i]) = if aside[i] > 0 { (aside[i] - 1, steps - aside[i]) } else { (0, 0) };
        }
        for m in (1..last_ring).rev() {
            let mut pairs = [[0.0f32; 4]; LINES];
            let mut first = [0; LINES];
            for i in 0..LINES {
                first[i] = if is_side_0[i] > 0 { -1 - row[i] } else { row[i] };
            }
            for (pair, first) in pairs.iter_mut().zip(&first) {
                let at = 2 * self.axes[m].wrapping_add_signed(*first as isize);
                pair.copy_from_slice(&self.cells.as_flattened()[at..at + 4]);
            }
            let ring = m as f64;
            for i in 0..LINES {
                let [first_ground, first_cover, second_ground, second_cover] = pairs[i];
                let takes_first = is_side_0[i] == 0;
                let near_ground = if takes_first { first_ground } else { second_ground };
                let near_cover = if takes_first { first_cover } else { second_cover };
                let takes_first = (rest[i] > 0) != takes_first;
                let next_ground = if takes_first { first_ground } else { second_ground };
                let next_cover = if takes_first { first_cover } else { second_cover };
                let share = f64::from(rest[i]) * inverse;
                let between = |near: f64, next: f64| near + (next - near) * share;
                let rise = between(f64::from(near_ground) - terms.eye, f64::from(next_ground) - terms.eye);
                let [near_power, next_power] =
                    [near_cover, next_cover].map(|cover| terms.canopy.power(f64::from(cover)));
                let canopy = between(near_power, next_power);
                let [near_trunk, next_trunk] =
                    [near_power, next_power].map(|power| terms.canopy.trunk_below(height * power));
                let trunk = between(near_trunk, next_trunk);
                let over_line = rise - drop[i] * ring * ring;
                let is_below_crown = (trunk > 0.0) & (over_line + trunk > slope[i] * ring);
                let is_in_crown = (over_line + height * canopy > slope[i] * ring) & !is_below_crown;
                let [near_density, next_density] =
                    [near_cover, next_cover].map(|cover| f64::from(terms.canopy.density(cover)));
                sum[i] += if is_in_crown { between(near_density, next_density) } else { 0.0 };
                rest[i] -= aside[i];
                let turns = rest[i] < 0;
                rest[i] += if turns { steps } else { 0 };
                row[i] -= i32::from(turns);
            }
            if m.is_multiple_of(RINGS_A_CHECK) {
                let is_dark = |i: usize| u8::from(sum[i] * unit[i] >= limit);
                if (0..LINES).map(is_dark).sum::<u8>() == LINES as u8 {
                    break;
                }
            }
        }
        let mut depths = [0.0; LINES];
        for i in 0..LINES {
            depths[i] = (sum[i] * unit[i]).min(limit) as f32;
        }
        depths
    }
}
