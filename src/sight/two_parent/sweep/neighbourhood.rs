//! [`Neighbourhood`]: cells around a viewer, eight at a time.
//!
//! # Why this file is `unsafe`
//!
//! A bounds check for each of some thousand vectors costs as much as its computation. Instead, `new` checks once that all
//! cells within a reach are in the slice, with the seven more on each side that whole vectors touch. Later accesses stay
//! within that reach. Debug builds check each of them, and the tests run in debug builds.

use std::marker::PhantomData;

use crate::simd::{TILE_SIDE, Tile};

/// The cells of a slice around a viewer, up to `reach` cells in each direction.
#[derive(Clone, Copy)]
pub(super) struct Neighbourhood<'a> {
    viewer: *const f32,
    stride: isize,
    reach: usize,
    slice: PhantomData<&'a [f32]>,
}

/// A writable [`Neighbourhood`].
pub(super) struct NeighbourhoodMut<'a> {
    viewer: *mut f32,
    stride: isize,
    reach: usize,
    slice: PhantomData<&'a mut [f32]>,
}

/// Returns `true` if all cells within `reach` of the one at index `viewer`, and seven more on each side, are in a slice.
fn fits(length: usize, viewer: usize, stride: usize, reach: usize) -> bool {
    let needed = reach.saturating_mul(stride).saturating_add(reach + TILE_SIDE);
    needed <= viewer && needed <= length.saturating_sub(viewer)
}

/// Returns `true` if eight cells from an offset on are within the reach and the seven more on each side.
fn contains_vector(reach: usize, [x, y]: [isize; 2]) -> bool {
    let (reach, padded) = (reach as isize, (reach + TILE_SIDE - 1) as isize);
    (-reach..=reach).contains(&y) && -padded <= x && x + TILE_SIDE as isize - 1 <= padded
}

impl<'a> Neighbourhood<'a> {
    /// The cells around the one at index `viewer`, or `None` if the slice does not contain all of them.
    pub(super) fn new(cells: &'a [f32], viewer: usize, stride: usize, reach: usize) -> Option<Self> {
        fits(cells.len(), viewer, stride, reach).then(|| Self {
            viewer: cells.as_ptr().wrapping_add(viewer),
            stride: stride as isize,
            reach,
            slice: PhantomData,
        })
    }

    /// Eight cells from the one at this offset from the viewer on.
    #[inline(always)]
    pub(super) fn get(self, offset: [isize; 2]) -> &'a [f32; TILE_SIDE] {
        debug_assert!(contains_vector(self.reach, offset), "{offset:?} of {}", self.reach);
        // SAFETY: `new` checked that all cells within the reach, and seven more on each side, are in the slice.
        unsafe { &*self.viewer.offset(offset[1] * self.stride + offset[0]).cast() }
    }

    /// Reads a tile whose first row begins at this offset from the viewer, and each next row `step` rows further. Rows from
    /// `rows` on are 0.
    #[inline(always)]
    pub(super) fn tile(self, [x, y]: [isize; 2], step: isize, rows: usize) -> Tile {
        let mut tile = [[0.0; TILE_SIDE]; TILE_SIDE];
        let mut from = self.viewer.wrapping_offset(y * self.stride + x);
        for (i, row) in tile.iter_mut().enumerate() {
            if i < rows {
                debug_assert!(contains_vector(self.reach, [x, y + i as isize * step]));
                // SAFETY: as in `get`.
                *row = unsafe { *from.cast() };
                from = from.wrapping_offset(step * self.stride);
            }
        }
        tile
    }
}

impl<'a> NeighbourhoodMut<'a> {
    /// As [`Neighbourhood::new`].
    pub(super) fn new(cells: &'a mut [f32], viewer: usize, stride: usize, reach: usize) -> Option<Self> {
        fits(cells.len(), viewer, stride, reach).then(|| Self {
            viewer: cells.as_mut_ptr().wrapping_add(viewer),
            stride: stride as isize,
            reach,
            slice: PhantomData,
        })
    }

    /// The same cells for reading.
    #[inline(always)]
    pub(super) fn as_ref(&self) -> Neighbourhood<'_> {
        Neighbourhood { viewer: self.viewer, stride: self.stride, reach: self.reach, slice: PhantomData }
    }

    /// As [`Neighbourhood::get`], for writing.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, offset: [isize; 2]) -> &mut [f32; TILE_SIDE] {
        debug_assert!(contains_vector(self.reach, offset), "{offset:?} of {}", self.reach);
        // SAFETY: as in `Neighbourhood::get`; nothing else refers to the slice during the lifetime of `self`.
        unsafe { &mut *self.viewer.offset(offset[1] * self.stride + offset[0]).cast() }
    }

    /// Writes the first `rows` rows of a tile to the cells that [`Neighbourhood::tile`] reads.
    #[inline(always)]
    pub(super) fn set_tile(&mut self, [x, y]: [isize; 2], step: isize, rows: usize, tile: &Tile) {
        let mut to = self.viewer.wrapping_offset(y * self.stride + x);
        for (i, row) in tile.iter().enumerate() {
            if i < rows {
                debug_assert!(contains_vector(self.reach, [x, y + i as isize * step]));
                // SAFETY: as in `get_mut`.
                unsafe { *to.cast() = *row };
                to = to.wrapping_offset(step * self.stride);
            }
        }
    }
}
