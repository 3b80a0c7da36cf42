//! [`ShadowScan`]: symmetric shadowcasting over bits of walls, with the cells of [`SymmetricShadowcast`].
//!
//! [`SymmetricShadowcast`] is the definition. This scan has the same intervals, but finds the ends of runs of floor in words of
//! 64 cells, and steps slopes from row to row without a division, as Bresenham's line does.
//!
//! [`SymmetricShadowcast`]: super::symmetric_shadowcast::SymmetricShadowcast

use super::wall_bits::{BitLayout, Quadrant, ReadWalls, Strip, bits_between, bits_in_word};
use crate::grid::CellRect;

/// A slope, by the column at which it crosses the middle line of a row: `column` + `rest` / `rows`.
#[derive(Clone, Copy, Debug)]
struct Slope {
    column: i32,
    /// In [0, `rows`).
    rest: i32,
    /// The step from a row to the next: `columns` + `step_rest` / `rows`.
    columns: i32,
    step_rest: i32,
    rows: i32,
}

impl Slope {
    /// Returns the diagonal on the side of −1 or 1, in a row.
    #[inline(always)]
    fn diagonal(side: i32, row: i32) -> Self {
        Self { column: side * row, rest: 0, columns: side, step_rest: 0, rows: 1 }
    }

    /// Returns the slope of the side of a cell towards column −∞, in the row of the cell. The column is in (−`row`, `row`].
    #[inline(always)]
    fn before(column: i32, row: i32) -> Self {
        let rows = 2 * row;
        let columns = 2 * column - 1;
        let floor = columns >> 31; // −1 or 0, since the slope is in [−1, 1)
        Self { column: column - 1, rest: row, columns: floor, step_rest: columns - floor * rows, rows }
    }

    /// Returns the same slope in the next row.
    #[inline(always)]
    fn next_row(self) -> Self {
        let rest = self.rest + self.step_rest;
        let carry = i32::from(rest >= self.rows);
        Self { column: self.column + self.columns + carry, rest: rest - carry * self.rows, ..self }
    }

    /// Returns the column some rows further, rounded down.
    #[inline(always)]
    fn column_after(self, rows: i32) -> i32 {
        self.column + rows * self.columns + (self.rest + rows * self.step_rest) / self.rows
    }
}

/// A closed interval of lit slopes in a row.
#[derive(Clone, Copy, Debug)]
struct LitInterval {
    start: Slope,
    end: Slope,
}

impl LitInterval {
    /// Returns the whole quadrant, in a row.
    #[inline(always)]
    fn quadrant(row: i32) -> Self {
        Self { start: Slope::diagonal(-1, row), end: Slope::diagonal(1, row) }
    }
}

/// The range of a scan, in cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanRange<'a> {
    /// Half the width of the disc in row 0, 1, …, clipped to the window.
    pub(super) half_widths: &'a [usize],
    /// The offsets of the cells of the map within the window.
    pub(super) extent: CellRect,
}

/// The buffers of a scan.
#[derive(Clone, Debug, Default)]
pub(super) struct ShadowScan {
    layout: BitLayout,
    intervals: Vec<LitInterval>,
    next: Vec<LitInterval>,
    /// The columns of a strip that light can reach.
    in_reach: Vec<u64>,
    /// The rows of a strip.
    walls: Vec<u64>,
    strip_lit: Vec<u64>,
    /// The lit cells around the viewer, row-major, and those of the last view.
    lit: Vec<u64>,
    last_lit: Vec<u64>,
}

impl ShadowScan {
    /// Allocates for a window of a radius, and keeps the lit cells as those of the last view.
    pub(super) fn fit(&mut self, radius: u32) {
        let layout = BitLayout::new(radius);
        if self.layout != layout || self.lit.is_empty() {
            self.layout = layout;
            let strip = 16 * layout.words();
            (self.walls, self.strip_lit) = (vec![0; strip], vec![0; strip]);
            self.in_reach = vec![0; layout.words()];
            // Each interval has a cell of its row, and no cell is in more than two.
            let most = 2 * radius as usize + 2;
            (self.intervals, self.next) = (Vec::with_capacity(most), Vec::with_capacity(most));
            (self.lit, self.last_lit) = (vec![0; layout.area()], vec![0; layout.area()]);
        }
        std::mem::swap(&mut self.lit, &mut self.last_lit);
        self.lit.fill(0);
    }

    pub(super) fn layout(&self) -> BitLayout {
        self.layout
    }

    /// Returns the lit cells, and those of the last view in the same window.
    pub(super) fn lit(&self) -> [&[u64]; 2] {
        [&self.lit, &self.last_lit]
    }

    /// Returns the lit cells for writing.
    pub(super) fn lit_mut(&mut self) -> &mut [u64] {
        &mut self.lit
    }

    /// Lights the viewer, and the cells that it sees.
    #[inline(always)]
    pub(super) fn scan(&mut self, range: &ScanRange<'_>, walls: &mut impl ReadWalls) {
        self.layout.set(&mut self.lit, Quadrant::North.offset(0, 0));
        for quadrant in Quadrant::ALL {
            self.scan_quadrant(quadrant, range, walls);
        }
    }

    #[inline(always)]
    fn scan_quadrant(&mut self, quadrant: Quadrant, range: &ScanRange<'_>, walls: &mut impl ReadWalls) {
        let CellRect { min, max } = range.extent;
        let (last_row, first_column, last_column) = match quadrant {
            Quadrant::North => (-min.y, min.x, max.x - 1),
            Quadrant::South => (max.y - 1, min.x, max.x - 1),
            Quadrant::West => (-min.x, min.y, max.y - 1),
            Quadrant::East => (max.x - 1, min.y, max.y - 1),
        };
        let last_row = last_row.min(range.half_widths.len() as i32 - 1);
        self.intervals.clear();
        self.intervals.push(LitInterval::quadrant(1));
        // All rows before the first wall are lit from diagonal to diagonal.
        let mut is_clear = true;
        for index in 0.. {
            let [first, last] = Strip::rows(quadrant, index);
            let rows = [first.max(1), last.min(last_row)];
            if !self.find_columns(rows, [first_column, last_column]) {
                return;
            }
            let strip = Strip { quadrant, index, rows };
            walls.read_strip(self.layout, strip, &self.in_reach, &mut self.walls);
            self.strip_lit.fill(0);
            for row in rows[0]..=rows[1] {
                let half = range.half_widths[row as usize] as i32;
                let in_range = [first_column.max(-half), last_column.min(half)];
                if is_clear {
                    is_clear = self.light_clear_row(strip, row, in_range, walls);
                    if is_clear {
                        continue;
                    }
                    self.intervals[0] = LitInterval::quadrant(row);
                }
                self.scan_row(strip, row, in_range, walls);
            }
            if is_clear {
                self.intervals[0] = LitInterval::quadrant(rows[1] + 1);
            }
            strip.add_lit(self.layout, &self.in_reach, &self.strip_lit, &mut self.lit);
        }
    }

    /// Finds the columns of the map that the light reaches in some rows. Returns `false` without light.
    #[inline(always)]
    fn find_columns(&mut self, [first_row, last_row]: [i32; 2], [first, last]: [i32; 2]) -> bool {
        if self.intervals.is_empty() || first_row > last_row {
            return false;
        }
        self.in_reach.fill(0);
        let rows = last_row - first_row;
        let mut any = 0;
        for LitInterval { start, end } in &self.intervals {
            let min = start.column.min(start.column_after(rows)).max(first);
            let max = (end.column.max(end.column_after(rows)) + 1).min(last);
            for word in 0..self.in_reach.len() {
                let columns = bits_between(word, self.layout.bit(min), self.layout.bit(max));
                self.in_reach[word] |= columns;
                any |= columns;
            }
        }
        any != 0
    }

    /// Lights a row from diagonal to diagonal, the walls too, since there is no wall in the rows before. Returns `false` if it has a
    /// wall, or no cells.
    #[inline(always)]
    fn light_clear_row(&mut self, strip: Strip, row: i32, in_range: [i32; 2], source: &mut impl ReadWalls) -> bool {
        let layout = self.layout;
        let at = strip.place(row) * layout.words();
        let columns = [in_range[0].max(-row), in_range[1].min(row)];
        if columns[0] > columns[1] {
            return false;
        }
        let walls = &mut self.walls[at..at + layout.words()];
        source.read_row(layout, strip.quadrant, row, columns, walls);
        let [first, last] = columns.map(|column| layout.bit(column));
        let lit = &mut self.strip_lit[at..at + layout.words()];
        let (word, last_word) = (first as usize / 64, last as usize / 64);
        if word == last_word {
            let cone = bits_in_word(first, last);
            lit[word] = cone;
            return walls[word] & cone == 0;
        }
        let mut any_wall = 0;
        for word in word..=last_word {
            lit[word] = bits_between(word, first, last);
            any_wall |= walls[word] & lit[word];
        }
        any_wall == 0
    }

    /// Lights the cells of a row, and collects the lit intervals of the next row. Beyond the columns in range there are no cells and no light.
    #[inline(always)]
    fn scan_row(&mut self, strip: Strip, row: i32, in_range: [i32; 2], source: &mut impl ReadWalls) {
        let Self { layout, intervals, next, walls, strip_lit, .. } = self;
        let layout = *layout;
        let at = strip.place(row) * layout.words();
        let walls = &mut walls[at..at + layout.words()];
        let lit = &mut strip_lit[at..at + layout.words()];
        for interval in &*intervals {
            let LitInterval { start, end } = interval;
            // An endpoint touches the cells whose middle line it touches from the inside.
            let touched = [
                start.column + i32::from(2 * start.rest >= start.rows),
                end.column + i32::from(2 * end.rest > end.rows),
            ];
            let columns = [touched[0].max(in_range[0]), touched[1].min(in_range[1])];
            if columns[0] > columns[1] {
                continue;
            }
            source.read_row(layout, strip.quadrant, row, columns, walls);
            let [first, last] = columns.map(|column| layout.bit(column));
            let is_whole = columns == touched;
            let (word, last_word) = (first as usize / 64, last as usize / 64);
            // Most intervals are in one word, without walls.
            if word == last_word && is_whole {
                let touched = bits_in_word(first, last);
                // An endpoint may miss the centre of the cell that it touches.
                let misses_first = 0 < start.rest && 2 * start.rest < start.rows;
                let misses_last = 2 * end.rest > end.rows;
                let dark = u64::from(misses_first) << (first % 64) | u64::from(misses_last) << (last % 64);
                let wall = walls[word] & touched;
                lit[word] |= wall | touched & !dark;
                if wall == 0 {
                    next.push(LitInterval { start: start.next_row(), end: end.next_row() });
                    continue;
                }
            } else {
                let centres = [start.column + i32::from(start.rest > 0), end.column].map(|column| layout.bit(column));
                for word in word..=last_word {
                    let wall = walls[word] & bits_between(word, first, last);
                    lit[word] |= wall | bits_between(word, first.max(centres[0]), last.min(centres[1])) & !wall;
                }
            }
            let mut bit = first;
            loop {
                bit = next_bit(walls, bit, last, false);
                if bit > last {
                    break;
                }
                let wall = next_bit(walls, bit, last, true);
                let [from, to] = [bit, wall].map(|bit| layout.column(bit));
                let start = if from == touched[0] { *start } else { Slope::before(from, row) };
                let end = if to == touched[1] + 1 { *end } else { Slope::before(to, row) };
                next.push(LitInterval { start: start.next_row(), end: end.next_row() });
                bit = wall;
            }
        }
        intervals.clear();
        std::mem::swap(intervals, next);
    }
}

/// Returns the first bit that is set, or clear, from `first` on; `last` + 1 if there is none up to `last`.
#[inline(always)]
fn next_bit(words: &[u64], first: i32, last: i32, is_set: bool) -> i32 {
    let mut bit = first;
    while bit <= last {
        let word = words[bit as usize / 64];
        let bits = (if is_set { word } else { !word }) >> (bit % 64);
        if bits != 0 {
            return (bit + bits.trailing_zeros() as i32).min(last + 1);
        }
        bit = (bit | 63) + 1;
    }
    last + 1
}
