//! Walls and lit cells around a viewer as bits, one a cell: [`BitLayout`], [`GridWalls`], [`CellWalls`], [`write_lit`].
//!
//! The rows of a quadrant are lines of the map to the north and south of the viewer, and columns to the east and west. Their bits
//! come from the same row-major opacities: 16 columns of 64 rows at a time, transposed.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, f32x16, mask32x16};
use glam::{IVec2, ivec2};

use crate::grid::GridView;
use crate::row_requests::{NO_CELL, clamp_opacity};
use crate::sight::window::Window;
use crate::simd::LANES;
use crate::view::LitRows;

/// The number of rows of a quadrant whose walls are read together.
pub(super) const STRIP_ROWS: i32 = LANES as i32;

/// The number of bits of a word.
const WORD: i32 = u64::BITS as i32;

/// The bit of column 0 in the middle word of a row, a multiple of [`LANES`]: 32 columns to each side share a word.
const MIDDLE_BIT: i32 = 32;

/// Returns the bits `first..=last` of a row, which are in the same word.
#[inline(always)]
pub(super) fn bits_in_word(first: i32, last: i32) -> u64 {
    (!0 << (first & 63)) & (!0 >> (!last & 63))
}

/// The direction of the rows of a quadrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quadrant {
    North,
    South,
    West,
    East,
}

impl Quadrant {
    pub(super) const ALL: [Self; 4] = [Self::North, Self::South, Self::West, Self::East];

    /// Returns the offset of a cell from the viewer.
    #[inline(always)]
    pub(super) fn offset(self, row: i32, column: i32) -> IVec2 {
        match self {
            Self::North => ivec2(column, -row),
            Self::South => ivec2(column, row),
            Self::West => ivec2(-row, column),
            Self::East => ivec2(row, column),
        }
    }
}

/// The bits of rows from −radius to radius, and of the columns of each row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BitLayout {
    radius: i32,
    /// The number of words of a row.
    words: usize,
    /// The bit of column 0.
    middle: i32,
}

impl BitLayout {
    pub(super) fn new(radius: u32) -> Self {
        let radius = radius as i32;
        let aside = (radius + MIDDLE_BIT) / WORD;
        Self { radius, words: 2 * aside as usize + 1, middle: aside * WORD + MIDDLE_BIT }
    }

    /// Returns the number of words of a row.
    #[inline(always)]
    pub(super) fn words(self) -> usize {
        self.words
    }

    /// Returns the number of words of all rows.
    pub(super) fn area(self) -> usize {
        self.words * (2 * self.radius as usize + 1)
    }

    /// Returns the position of a column among the bits of a row.
    #[inline(always)]
    pub(super) fn bit(self, column: i32) -> i32 {
        column + self.middle
    }

    /// Returns rows of bits for a view of all cells.
    pub(super) fn lit_rows(self, bits: &[u64]) -> LitRows<'_> {
        LitRows { bits, words: self.words, before: self.bit(-self.radius) }
    }

    /// Returns the column of a bit.
    #[inline(always)]
    pub(super) fn column(self, bit: i32) -> i32 {
        bit - self.middle
    }

    /// Returns the column of the first bit of a word.
    #[inline(always)]
    pub(super) fn first_column(self, word: usize) -> i32 {
        self.column(word as i32 * WORD)
    }

    /// Returns the index of the word with a cell, and the cell's bit in it.
    #[inline(always)]
    fn locate(self, offset: IVec2) -> (usize, u32) {
        let bit = self.bit(offset.x);
        ((offset.y + self.radius) as usize * self.words + (bit / WORD) as usize, (bit % WORD) as u32)
    }

    /// Sets the bit of a cell.
    #[inline(always)]
    pub(super) fn set(self, bits: &mut [u64], offset: IVec2) {
        let (word, bit) = self.locate(offset);
        bits[word] |= 1 << bit;
    }
}

/// Returns the bits `first..=last` of a row that are in a word of it.
#[inline(always)]
pub(super) fn bits_between(word: usize, first: i32, last: i32) -> u64 {
    let start = word as i32 * WORD;
    let (first, last) = ((first - start).max(0), (last - start).min(WORD - 1));
    if first > last { 0 } else { (!0 << first) & (!0 >> (WORD - 1 - last)) }
}

/// Some rows of a quadrant, row-major: the walls that are read, and the cells that are lit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) quadrant: Quadrant,
    /// The number of strips between it and the viewer.
    pub(super) index: i32,
    /// The rows that are in range.
    pub(super) rows: [i32; 2],
}

impl Strip {
    /// Returns the first and the last row.
    #[inline(always)]
    pub(super) fn rows(quadrant: Quadrant, index: i32) -> [i32; 2] {
        // So that a strip in each direction begins at a multiple of 16 cells from the viewer.
        let first = index * STRIP_ROWS + i32::from(quadrant == Quadrant::West);
        [first, first + STRIP_ROWS - 1]
    }

    /// Returns the place of a row of the quadrant among those of the strip: from the west to the east, so that
    /// the strip can be transposed.
    #[inline(always)]
    pub(super) fn place(self, row: i32) -> usize {
        let place = match self.quadrant {
            Quadrant::West => (self.index + 1) * STRIP_ROWS - row,
            _ => row - self.index * STRIP_ROWS,
        };
        place as usize
    }

    /// Returns the x of the first column of the map in a strip to the west or east.
    #[inline(always)]
    fn first_x(self) -> i32 {
        if self.quadrant == Quadrant::West { -(self.index + 1) * STRIP_ROWS } else { self.index * STRIP_ROWS }
    }

    /// Adds lit cells, which are among the columns `in_reach`, to those of the map.
    #[inline(always)]
    pub(super) fn add_lit(self, layout: BitLayout, in_reach: &[u64], lit: &[u64], to: &mut [u64]) {
        let words = layout.words;
        match self.quadrant {
            Quadrant::North | Quadrant::South => {
                for row in self.rows[0]..=self.rows[1] {
                    let y = self.quadrant.offset(row, 0).y + layout.radius;
                    let from = &lit[self.place(row) * words..][..words];
                    for (to, from) in to[y as usize * words..][..words].iter_mut().zip(from) {
                        *to |= from;
                    }
                }
            }
            Quadrant::West | Quadrant::East => {
                let bit = layout.bit(self.first_x());
                let (at, shift) = ((bit / WORD) as usize, bit % WORD);
                for (word, _) in in_reach.iter().enumerate().filter(|(_, columns)| **columns != 0) {
                    let (mut tile, mut any) = ([0; LANES], 0);
                    for (i, bits) in tile.iter_mut().enumerate() {
                        *bits = lit[i * words + word];
                        any |= *bits;
                    }
                    transpose_16(&mut tile);
                    let first_y = layout.first_column(word) + layout.radius;
                    while any != 0 {
                        // Rows without lit cells may be outside of the window.
                        let y = any.trailing_zeros() as i32;
                        any &= any - 1;
                        let bits = tile[(y & 15) as usize] >> (y & !15) & 0xffff;
                        to[(first_y + y) as usize * words + at] |= bits << shift;
                    }
                }
            }
        }
    }
}

/// Transposes the bits of four squares of 16 × 16, one in each quarter of the words.
#[inline(always)]
pub(super) fn transpose_16(words: &mut [u64; LANES]) {
    swap_blocks::<8>(words, 0x00ff_00ff_00ff_00ff);
    swap_blocks::<4>(words, 0x0f0f_0f0f_0f0f_0f0f);
    swap_blocks::<2>(words, 0x3333_3333_3333_3333);
    swap_blocks::<1>(words, 0x5555_5555_5555_5555);
}

/// Swaps the blocks of N × N bits on both sides of the diagonal. `mask` has the lower half of every 2 N bits.
#[inline(always)]
fn swap_blocks<const N: usize>(words: &mut [u64; LANES], mask: u64) {
    for pair in words.chunks_exact_mut(2 * N) {
        let (upper, lower) = pair.split_at_mut(N);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swapped = (*upper >> N ^ *lower) & mask;
            *upper ^= swapped << N;
            *lower ^= swapped;
        }
    }
}

/// Walls that a scan reads.
pub(super) trait ReadWalls {
    /// Reads walls of a strip into its rows, at the columns that light can reach. Bits of cells that are not on the map are arbitrary.
    fn read_strip(&mut self, layout: BitLayout, strip: Strip, in_reach: &[u64], walls: &mut [u64]);

    /// Reads walls of a row of a strip, unless [`read_strip`](Self::read_strip) has read them.
    fn read_row(&mut self, layout: BitLayout, quadrant: Quadrant, row: i32, columns: [i32; 2], walls: &mut [u64]);
}

/// The walls of a grid of opacities.
pub(super) struct GridWalls<'a, S> {
    pub(super) simd: S,
    /// The minimum opacity of a wall.
    pub(super) wall_at: f32,
    values: &'a [f32],
    stride: isize,
    /// The index of the viewer's value.
    viewer: isize,
}

impl<'a, S: Simd> GridWalls<'a, S> {
    #[inline(always)]
    pub(super) fn new(simd: S, opacity: GridView<'a, f32>, viewer: IVec2, wall_at: f32) -> Self {
        let (stride, values) = opacity.stride_and_values();
        let stride = stride as isize;
        Self { simd, wall_at, values, stride, viewer: viewer.y as isize * stride + viewer.x as isize }
    }

    /// Returns the index of the value of the cell at an offset, which may be before the first value.
    #[inline(always)]
    pub(super) fn index_of(&self, offset: IVec2) -> isize {
        self.viewer + offset.y as isize * self.stride + offset.x as isize
    }

    /// Returns the walls of 8 cells of a line, the first in bit 0.
    #[inline(always)]
    fn compare(&self, values: &[f32; 8]) -> u64 {
        f32x8::from_slice(self.simd, values).simd_ge(f32x8::splat(self.simd, self.wall_at)).to_bitmask()
    }

    /// Returns the walls of up to 64 cells of a line from an index, the first in bit 0. Bits of cells before the first and after the last of the
    /// grid are 0.
    #[inline(always)]
    pub(super) fn line(&self, first: isize, eights: usize) -> u64 {
        let mut bits = 0;
        if let Ok(first) = usize::try_from(first)
            && let Some(values) = self.values.get(first..first + 8 * eights)
        {
            for (i, values) in values.as_chunks::<8>().0.iter().enumerate() {
                bits |= self.compare(values) << (8 * i);
            }
            return bits;
        }
        for i in 0..8 * eights {
            let value = usize::try_from(first + i as isize).ok().and_then(|at| self.values.get(at));
            bits |= u64::from(value.is_some_and(|opacity| *opacity >= self.wall_at)) << i;
        }
        bits
    }
}

impl<S: Simd> ReadWalls for GridWalls<'_, S> {
    // Without closures around vectors: they are not inlined.
    #[inline(always)]
    fn read_strip(&mut self, layout: BitLayout, strip: Strip, in_reach: &[u64], walls: &mut [u64]) {
        let words = layout.words;
        for (word, &columns) in in_reach.iter().enumerate() {
            if columns == 0 {
                continue;
            }
            let start = layout.first_column(word);
            match strip.quadrant {
                Quadrant::North | Quadrant::South => {
                    let before = columns.trailing_zeros() as i32 & !7;
                    let eights = (columns.ilog2() as i32 - before) as usize / 8 + 1;
                    for row in strip.rows[0]..=strip.rows[1] {
                        let y = strip.quadrant.offset(row, 0).y;
                        let bits = self.line(self.index_of(ivec2(start + before, y)), eights);
                        walls[strip.place(row) * words + word] = bits << before;
                    }
                }
                Quadrant::West | Quadrant::East => {
                    let mut tile = [0; LANES];
                    let first = self.index_of(ivec2(strip.first_x(), start));
                    let mut rest = columns;
                    while rest != 0 {
                        let y = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        tile[y & 15] |= self.line(first + y as isize * self.stride, 2) << (y & !15);
                    }
                    transpose_16(&mut tile);
                    for (i, bits) in tile.into_iter().enumerate() {
                        walls[i * words + word] = bits;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn read_row(&mut self, _: BitLayout, _: Quadrant, _: i32, _: [i32; 2], _: &mut [u64]) {}
}

/// The walls of a map of which each cell is read at most once, and only if light reaches it.
pub(super) struct CellWalls<'a> {
    pub(super) wall_at: f32,
    pub(super) viewer: IVec2,
    pub(super) opacity: &'a mut dyn FnMut(IVec2) -> f32,
    pub(super) cells: &'a mut ReadCells,
}

/// The cells that were read, row-major.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadCells {
    read: Vec<u64>,
    walls: Vec<u64>,
    /// The cells that do not exist.
    missing: Vec<u64>,
}

impl ReadCells {
    /// Forgets all cells.
    pub(super) fn clear(&mut self, layout: BitLayout) {
        for bits in [&mut self.read, &mut self.walls, &mut self.missing] {
            bits.clear();
            bits.resize(layout.area(), 0);
        }
    }

    /// Removes the cells that do not exist from those that are lit.
    pub(super) fn remove_missing(&self, lit: &mut [u64]) {
        for (lit, missing) in lit.iter_mut().zip(&self.missing) {
            *lit &= !missing;
        }
    }
}

impl ReadWalls for CellWalls<'_> {
    fn read_strip(&mut self, _: BitLayout, _: Strip, _: &[u64], walls: &mut [u64]) {
        walls.fill(0);
    }

    fn read_row(&mut self, layout: BitLayout, quadrant: Quadrant, row: i32, columns: [i32; 2], walls: &mut [u64]) {
        for column in columns[0]..=columns[1] {
            let offset = quadrant.offset(row, column);
            let (word, bit) = layout.locate(offset);
            let cell = 1 << bit;
            let ReadCells { read, walls: known_walls, missing } = &mut *self.cells;
            if read[word] & cell == 0 {
                read[word] |= cell;
                let opacity = clamp_opacity((self.opacity)(self.viewer + offset));
                if opacity >= self.wall_at {
                    known_walls[word] |= cell;
                }
                if opacity == NO_CELL {
                    missing[word] |= cell;
                }
            }
            if known_walls[word] & cell != 0 {
                let bit = layout.bit(column);
                walls[(bit / WORD) as usize] |= 1 << (bit % WORD);
            }
        }
    }
}

/// Writes 1 for the lit cells of a window with the radius of the layout, 0 for its other cells. Words that were dark and stay dark
/// are not written if the `last` lit cells are known.
#[inline(always)]
pub(super) fn write_lit<S: Simd>(simd: S, layout: BitLayout, lit: &[u64], last: Option<&[u64]>, window: &mut Window) {
    let (one, zero) = (f32x16::splat(simd, 1.0), f32x16::splat(simd, 0.0));
    let middle = window.radius as usize;
    for (y, lit) in lit.chunks_exact(layout.words).enumerate() {
        let last = last.map(|last| &last[y * layout.words..][..layout.words]);
        for (word, &bits) in lit.iter().enumerate() {
            if last.is_some_and(|last| bits | last[word] == 0) {
                continue;
            }
            let Some(&half) = window.half_widths.get(y.abs_diff(middle)) else { continue };
            // Whole vectors, from a multiple of 16 cells left of the viewer: they fit into the padding of a row.
            let before = half.next_multiple_of(LANES);
            let (first, end) = (layout.bit(-(before as i32)) as usize, layout.bit(half as i32) as usize + 1);
            let in_word = first.max(64 * word)..end.next_multiple_of(LANES).min(64 * word + 64);
            if in_word.is_empty() {
                continue;
            }
            let start = window.seen.index_of(middle, y) + in_word.start - layout.middle as usize;
            let values = &mut window.seen.values_mut()[start..start + in_word.len()];
            if bits == 0 || bits == u64::MAX {
                values.fill(if bits == 0 { 0.0 } else { 1.0 });
                continue;
            }
            let bits = bits >> (in_word.start % 64);
            for (i, values) in values.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let bits = bits >> (i * LANES) & 0xffff;
                mask32x16::from_bitmask(simd, bits).select(one, zero).store_slice(values);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_transposed_in_squares() {
        let mut random = 1u64;
        let words: [u64; LANES] = std::array::from_fn(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random ^ random >> 29
        });
        let mut transposed = words;
        transpose_16(&mut transposed);
        let bit = |words: &[u64; LANES], row: usize, bit: usize| words[row] >> bit & 1;
        for (row, column, square) in (0..16 * 16 * 4).map(|i| (i % 16, i / 16 % 16, i / 256 * 16)) {
            assert_eq!(bit(&transposed, row, square + column), bit(&words, column, square + row));
        }
    }

    #[test]
    fn rows_have_words_for_their_radius() {
        for radius in 0..400 {
            let layout = BitLayout::new(radius);
            let ends = [-(radius as i32), radius as i32].map(|column| layout.bit(column));
            assert!(ends[0] >= 0 && ends[1] < layout.words as i32 * WORD && layout.middle % 16 == 0, "{radius}");
            // A strip to the west begins in the words, too.
            assert!(layout.bit(-(radius as i32)) / 16 * 16 >= 0);
        }
        assert_eq!([0, 31, 32, 95, 96].map(|radius| BitLayout::new(radius).words), [1, 1, 3, 3, 5]);
        assert_eq!((bits_in_word(64, 66), bits_in_word(60, 63), bits_in_word(0, 63)), (7, 0xf << 60, u64::MAX));
        assert_eq!(bits_between(1, 60, 66), 7);
        assert_eq!(bits_between(0, 60, 66), 0xf << 60);
        assert_eq!((bits_between(0, 70, 80), bits_between(0, 0, 63), bits_between(0, 5, 4)), (0, u64::MAX, 0));
    }
}
