//! Patterns on cells: trees, hatching, frames of doors, and the weave of unknown cells.

use glam::IVec2;

use crate::sight::Door;

/// Masks of the pixels of a cell that are trees, in 16 variants for each density.
pub(super) struct TreeMasks {
    /// Side of a mask.
    side: usize,
    /// Magnification of a mask in a large cell.
    scale: usize,
    masks: Vec<bool>,
}

/// The largest side of a mask.
const MAX_MASK_SIDE: usize = 64;

const VARIANTS: usize = 16;
const DENSITIES: usize = 5;

/// Cells of fewer pixels a side have no patterns.
pub(super) const MIN_PATTERN_SIDE: usize = 4;

impl TreeMasks {
    pub(super) fn new(side: usize) -> Self {
        let scale = side.div_ceil(MAX_MASK_SIDE).max(1);
        let side = side.div_ceil(scale);
        let mut masks = vec![false; if side < MIN_PATTERN_SIDE { 0 } else { VARIANTS * DENSITIES * side * side }];
        if side >= MIN_PATTERN_SIDE {
            for (i, mask) in masks.chunks_mut(side * side).enumerate() {
                draw_trees(mask, side, i / VARIANTS, (i % VARIANTS) as u32);
            }
        }
        Self { side, scale, masks }
    }

    /// Returns the number of pixels that a value of [`row`](Self::row) covers.
    pub(super) fn scale(&self) -> usize {
        self.scale
    }

    /// Returns the row of the mask of a cell at a line of pixels; empty if there are no trees.
    #[inline]
    pub(super) fn row(&self, cell: IVec2, density: u8, line: usize) -> &[bool] {
        if density == 0 || self.masks.is_empty() {
            return &[];
        }
        let variant = hash(cell.x as u32, cell.y as u32) as usize % VARIANTS;
        let start = ((density as usize * VARIANTS + variant) * self.side + line / self.scale) * self.side;
        &self.masks[start..start + self.side]
    }
}

/// Draws 1, 2, 4 or 8 dots on a shuffled 3 × 3 lattice.
fn draw_trees(mask: &mut [bool], side: usize, density: usize, variant: u32) {
    let count = [0, 1, 2, 4, 8][density];
    let mut slots: [usize; 9] = std::array::from_fn(|i| i);
    for i in (1..9).rev() {
        slots.swap(i, hash(variant, i as u32) as usize % (i + 1));
    }
    let third = side as f32 / 3.0;
    let radius = (third * 0.46).max(0.6);
    for &slot in &slots[..count] {
        let jitter = |salt: u32| (hash(variant * 9 + slot as u32, salt) % 100) as f32 / 100.0 - 0.5;
        let cx = ((slot % 3) as f32 + 0.5 + 0.3 * jitter(17)) * third;
        let cy = ((slot / 3) as f32 + 0.5 + 0.3 * jitter(23)) * third;
        for y in 0..side {
            for x in 0..side {
                let (dx, dy) = (x as f32 + 0.5 - cx, y as f32 + 0.5 - cy);
                mask[y * side + x] |= dx * dx + dy * dy <= radius * radius;
            }
        }
    }
}

/// Returns `true` if the hatching of a density (0 to 3) covers a pixel. Pixels are those of the whole map, so that lines
/// continue from cell to cell.
#[inline]
pub(super) fn is_hatched(x: i32, y: i32, density: u8) -> bool {
    let (period, line) = match density {
        1 => (14, 2),
        2 => (9, 2),
        3 => (5, 2),
        _ => return false,
    };
    (x + y).rem_euclid(period) < line
}

/// Returns `true` if the frame of a door covers a pixel of a cell of `side` pixels: a border, and the handle of a closed door.
#[inline]
pub(super) fn is_door_frame(door: Door, x: usize, y: usize, side: usize) -> bool {
    let width = (side / 6).max(1);
    let is_border = x.min(y) < width || x.max(y) + width >= side;
    let is_handle = (4 * x).abs_diff(3 * side) <= 2 * width && (2 * y).abs_diff(side) <= width;
    is_border || door == Door::Closed && is_handle
}

/// Returns `true` if the weave of unknown cells covers a pixel.
#[inline]
pub(super) fn is_woven(x: i32, y: i32) -> bool {
    (x + y) & 15 == 0 || (x - y) & 15 == 0
}

/// Hashes two numbers.
fn hash(a: u32, b: u32) -> u32 {
    let mut h = a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn higher_density_has_more_tree_pixels() {
        let trees = TreeMasks::new(8);
        let covered = |density: u8| {
            let rows = (0..400).flat_map(|i| (0..8).map(move |row| (ivec2(i % 20, i / 20), row)));
            rows.flat_map(|(cell, row)| trees.row(cell, density, row)).filter(|tree| **tree).count()
        };
        let counts: Vec<usize> = (0..5).map(covered).collect();
        assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    }

    #[test]
    fn higher_density_hatches_more_pixels() {
        let covered = |density| (0..630).filter(|i| is_hatched(*i, 3, density)).count();
        assert_eq!([0, 1, 2, 3].map(covered), [0, 90, 140, 252]);
    }
}
