//! [`PixelRect`]: the part of a frame that differs from the frame before.

/// A rectangle of pixels. A `.gif` stores its sides in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelRect {
    pub(super) left: u16,
    pub(super) top: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl PixelRect {
    /// Returns the bounding box of the pixels that differ, or one pixel if none does: a frame cannot be empty.
    pub(super) fn of_changes<T: PartialEq>(before: &[T], now: &[T], columns: usize) -> Self {
        let rows = || before.chunks_exact(columns).zip(now.chunks_exact(columns)).enumerate();
        let differs = |(_, (before, now)): &(usize, (&[T], &[T]))| before != now;
        let Some((top, _)) = rows().find(differs) else { return Self { left: 0, top: 0, width: 1, height: 1 } };
        let bottom = rows().filter(differs).last().map_or(top, |(y, _)| y);
        let (mut left, mut right) = (columns, 0);
        for (_, (before, now)) in rows().skip(top).take(bottom + 1 - top) {
            let differs = |x: &usize| before[*x] != now[*x];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..columns).rev().find(differs).unwrap_or(right);
        }
        let [left, top, width, height] = [left, top, right + 1 - left, bottom + 1 - top].map(|pixels| pixels as u16);
        Self { left, top, width, height }
    }

    /// Returns the pixels of the rectangle, row by row.
    pub(super) fn crop<T: Copy>(self, pixels: &[T], columns: usize) -> Vec<T> {
        let rows = pixels.chunks_exact(columns).skip(self.top.into()).take(self.height.into());
        rows.flat_map(|row| &row[self.left.into()..usize::from(self.left + self.width)]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_bounding_box() {
        let before = [0u8; 30]; // 6 × 5
        for (cells, [left, top, width, height]) in [
            (vec![], [0, 0, 1, 1]),
            (vec![7], [1, 1, 1, 1]),
            (vec![8, 15, 13], [1, 1, 3, 2]),
            (vec![0, 29], [0, 0, 6, 5]),
            (vec![3, 26], [2, 0, 2, 5]),
        ] {
            let mut now = before;
            cells.iter().for_each(|&cell| now[cell] = 1);
            let rect = PixelRect::of_changes(&before, &now, 6);
            assert_eq!(rect, PixelRect { left, top, width, height }, "{cells:?}");
            assert_eq!(rect.crop(&now, 6).iter().map(|&pixel| usize::from(pixel)).sum::<usize>(), cells.len());
        }
    }
}
