//! The way through the window: four wedges, each ring after ring, in rows.
//!
//! Above and below the viewer, a ring is a piece of a row of the map. To the left and right it is one of a column; some
//! of those at a time are turned into rows ([`Columns`]). Each wedge has both its diagonals, and hangs on nothing but
//! its own rings.

use glam::IVec2;

use super::columns::{ABREAST, Columns, Part, TOGETHER};
use super::surface::Sight;
use crate::grid::AlignedGrid;
use crate::sight::half_width;
use crate::simd::Transpose as Swap;

/// The cells within the radius that lie on the map.
#[derive(Clone, Debug, Default)]
pub(super) struct Disc {
    in_sight: u32,
    /// How far the disc goes to each side in row dy, off the map too.
    pub(super) widths: Vec<usize>,
    /// Cells in sight to the left, to the right, up and down.
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) up: usize,
    pub(super) down: usize,
}

impl Disc {
    pub(super) fn fit(&mut self, in_sight: u32, size: IVec2, viewer: IVec2) {
        let within = |cells: i32| in_sight.min(cells.max(0) as u32) as usize;
        self.left = within(viewer.x);
        self.right = within(size.x - 1 - viewer.x);
        self.up = within(viewer.y);
        self.down = within(size.y - 1 - viewer.y);
        let reach = self.reach();
        if self.in_sight != in_sight || self.widths.len() <= reach {
            self.in_sight = in_sight;
            self.widths.clear();
            self.widths.extend((0..=reach as u32).map(|dy| half_width(in_sight, dy) as usize));
        }
    }

    /// The outermost ring.
    pub(super) fn reach(&self) -> usize {
        self.left.max(self.right).max(self.up).max(self.down)
    }

    /// How many rows of so many cells to each side of the viewer the disc has up or down.
    #[inline(always)]
    fn beside(&self, dy: usize, limit: usize) -> usize {
        self.widths[dy].min(limit)
    }

    /// Fills the places of a window that are in sight but off the map.
    pub(super) fn blank_off_map(&self, out: &mut AlignedGrid, blank: f32) {
        if [self.left, self.right, self.up, self.down] == [self.in_sight as usize; 4] {
            return;
        }
        let radius = out.width() / 2;
        let reach = radius.min(self.in_sight as usize);
        for y in radius - reach..=radius + reach {
            let dy = y.abs_diff(radius);
            let half = (half_width(self.in_sight, dy as u32) as usize).min(radius);
            let row = &mut out.row_mut(y)[radius - half..=radius + half];
            if dy > if y < radius { self.up } else { self.down } {
                row.fill(blank);
                continue;
            }
            row[..half.saturating_sub(self.left)].fill(blank);
            row[(half + 1 + self.right).min(2 * half + 1)..].fill(blank);
        }
    }
}

/// The cells of one ring in one wedge.
pub(super) struct Row<'a> {
    /// Its number.
    pub(super) m: usize,
    /// A step outwards, and one to the side.
    pub(super) steps: [IVec2; 2],
    /// Cells to each side of the axis that are in sight.
    pub(super) sides: [usize; 2],
    /// Cells to each side of the axis that there are.
    pub(super) known: [usize; 2],
    /// Heights; the axis is at `known[0]`.
    pub(super) ground: &'a [f32],
    /// Cover in the same way; empty where there are no woods.
    pub(super) cover: &'a [f32],
    /// What is shown of the cells in sight; the axis is at `sides[0]`.
    pub(super) out: &'a mut [f32],
}

/// What is done with the rows of a wedge.
pub(super) trait Settle {
    /// Before the first ring of a wedge.
    fn start(&mut self);
    /// Ring after ring.
    fn settle(&mut self, row: Row<'_>);
}

/// Walks all four wedges.
#[inline(always)]
pub(super) fn walk(
    sight: &Sight<'_>,
    disc: &Disc,
    columns: &mut Columns,
    swap: Swap,
    out: &mut AlignedGrid,
    kernel: &mut impl Settle,
) {
    for down in [false, true] {
        along_rows(sight, disc, down, out, kernel);
    }
    for right in [false, true] {
        along_columns(sight, disc, right, columns, swap, out, kernel);
    }
}

#[inline(always)]
fn along_rows(sight: &Sight<'_>, disc: &Disc, down: bool, out: &mut AlignedGrid, kernel: &mut impl Settle) {
    let middle = out.width() / 2;
    let x = sight.viewer.x as usize;
    let (sign, last) = if down { (1, disc.down) } else { (-1, disc.up) };
    kernel.start();
    for m in 1..=last {
        let y = sight.viewer.y + sign * m as i32;
        let sides = [disc.left, disc.right].map(|limit| disc.beside(m, limit).min(m));
        // One more, for what lies between a cell in sight and one out of sight.
        let known = [disc.left, disc.right].map(|limit| (disc.widths[m] + 1).min(limit).min(m));
        let cells = x - known[0]..x + known[1] + 1;
        let cover = sight.cover.map_or(&[][..], |cover| &cover.row(y as usize)[cells.clone()]);
        let window_row = out.row_mut((middle as i32 + sign * m as i32) as usize);
        kernel.settle(Row {
            m,
            steps: [IVec2::new(0, sign), IVec2::X],
            sides,
            known,
            ground: &sight.ground.row(y as usize)[cells],
            cover,
            out: &mut window_row[middle - sides[0]..=middle + sides[1]],
        });
    }
}

#[inline(always)]
fn along_columns(
    sight: &Sight<'_>,
    disc: &Disc,
    right: bool,
    columns: &mut Columns,
    swap: Swap,
    out: &mut AlignedGrid,
    kernel: &mut impl Settle,
) {
    let last = if right { disc.right } else { disc.left };
    kernel.start();
    let part = |near: usize, columns: usize| {
        let far = (near + columns - 1).min(last);
        // Widths only shrink.
        let most = |limit: usize| (disc.widths[near] + 1).min(limit).min(far);
        Part { near, far, right, above: most(disc.up), below: most(disc.down) }
    };
    for near in (1..=last).step_by(TOGETHER) {
        let together = part(near, TOGETHER);
        columns.begin(&together);
        for near in (near..=together.far).step_by(ABREAST) {
            let part = part(near, ABREAST);
            columns.turn(&part, sight, swap);
            for m in near..=part.far {
                let sides = [disc.up, disc.down].map(|limit| disc.beside(m, limit).min(m));
                let known = [disc.up, disc.down].map(|limit| (disc.widths[m] + 1).min(limit).min(m));
                let (ground, cover, shown) = columns.row(&part, &together, m);
                let cells = part.above - known[0]..part.above + known[1] + 1;
                kernel.settle(Row {
                    m,
                    steps: [IVec2::new(if right { 1 } else { -1 }, 0), IVec2::Y],
                    sides,
                    known,
                    ground: &ground[cells.clone()],
                    cover: if cover.is_empty() { cover } else { &cover[cells] },
                    out: &mut shown[together.above - sides[0]..=together.above + sides[1]],
                });
            }
        }
        columns.turn_back(&together, disc, swap, out);
    }
}
