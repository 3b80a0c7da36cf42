//! Cells around a viewer, read and written eight at a time.
//!
//! # Why this file may be `unsafe`
//!
//! To check each of some thousand vectors costs as much as to compute it. So it is checked once that all cells within a
//! reach lie in a slice, with those that whole vectors have beyond; and what is read and written later lies within that
//! reach, as debug builds check, and the tests run in them.

use std::marker::PhantomData;

use crate::simd::{TILE_SIDE, Tile};

/// Cells around a viewer that lie in a slice, up to some steps away in each direction.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    viewer: *const f32,
    row: isize,
    reach: usize,
    slice: PhantomData<&'a [f32]>,
}

/// The same, to be changed.
pub(crate) struct AroundMut<'a> {
    viewer: *mut f32,
    row: isize,
    reach: usize,
    slice: PhantomData<&'a mut [f32]>,
}

/// Whether all cells within `reach`, and seven beside, of the one at `at` lie in a slice of which rows are `row` long.
fn fits(length: usize, at: usize, row: usize, reach: usize) -> bool {
    let most = reach.saturating_mul(row).saturating_add(reach + TILE_SIDE);
    most <= at && most <= length.saturating_sub(at)
}

/// Whether eight cells from one on lie within the reach.
fn holds(reach: usize, [x, y]: [isize; 2]) -> bool {
    let (reach, beside) = (reach as isize, (reach + TILE_SIDE - 1) as isize);
    (-reach..=reach).contains(&y) && -beside <= x && x + TILE_SIDE as isize - 1 <= beside
}

impl<'a> Around<'a> {
    /// Those around the one at `at`, if all lie in the slice of which rows are `row` long.
    pub(crate) fn new(cells: &'a [f32], at: usize, row: usize, reach: usize) -> Option<Self> {
        fits(cells.len(), at, row, reach).then(|| Self {
            viewer: cells.as_ptr().wrapping_add(at),
            row: row as isize,
            reach,
            slice: PhantomData,
        })
    }

    /// Eight cells, from the one that lies so far from the viewer on.
    #[inline(always)]
    pub(crate) fn get(self, offset: [isize; 2]) -> &'a [f32; TILE_SIDE] {
        debug_assert!(holds(self.reach, offset), "{offset:?} of {}", self.reach);
        // SAFETY: all cells within the reach and seven beside lie in the slice, as `new` has seen to; and these are some.
        unsafe { &*self.viewer.offset(offset[1] * self.row + offset[0]).cast() }
    }

    /// Eight cells each of the first of eight rows, from the one that lies so far from the viewer on, each next `step` rows
    /// on; the others are 0.
    #[inline(always)]
    pub(crate) fn tile(self, [x, y]: [isize; 2], step: isize, rows: usize) -> Tile {
        let mut tile = [[0.0; TILE_SIDE]; TILE_SIDE];
        let mut from = self.viewer.wrapping_offset(y * self.row + x);
        for (i, row) in tile.iter_mut().enumerate() {
            if i < rows {
                debug_assert!(holds(self.reach, [x, y + i as isize * step]));
                // SAFETY: as above.
                *row = unsafe { *from.cast() };
                from = from.wrapping_offset(step * self.row);
            }
        }
        tile
    }
}

impl<'a> AroundMut<'a> {
    /// As [`Around::new`].
    pub(crate) fn new(cells: &'a mut [f32], at: usize, row: usize, reach: usize) -> Option<Self> {
        fits(cells.len(), at, row, reach).then(|| Self {
            viewer: cells.as_mut_ptr().wrapping_add(at),
            row: row as isize,
            reach,
            slice: PhantomData,
        })
    }

    /// The cells, to be read.
    #[inline(always)]
    pub(crate) fn to_read(&self) -> Around<'_> {
        Around { viewer: self.viewer, row: self.row, reach: self.reach, slice: PhantomData }
    }

    /// As [`Around::get`].
    #[inline(always)]
    pub(crate) fn get(&mut self, offset: [isize; 2]) -> &mut [f32; TILE_SIDE] {
        debug_assert!(holds(self.reach, offset), "{offset:?} of {}", self.reach);
        // SAFETY: as for `Around::get`, and nothing else refers to the slice as long as this does.
        unsafe { &mut *self.viewer.offset(offset[1] * self.row + offset[0]).cast() }
    }

    /// Puts the first rows of a tile where [`Around::tile`] would read them.
    #[inline(always)]
    pub(crate) fn put(&mut self, [x, y]: [isize; 2], step: isize, rows: usize, tile: &Tile) {
        let mut to = self.viewer.wrapping_offset(y * self.row + x);
        for (i, row) in tile.iter().enumerate() {
            if i < rows {
                debug_assert!(holds(self.reach, [x, y + i as isize * step]));
                // SAFETY: as above.
                unsafe { *to.cast() = *row };
                to = to.wrapping_offset(step * self.row);
            }
        }
    }
}
