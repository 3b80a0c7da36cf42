//! [`LandPicture`]: the layers that a step does not change, painted at a zoom.

use glam::IVec2;

use super::pixels::{Pixel, colour, pixel};
use super::style::Srgb;
use super::viewport::Viewport;
use farsight::internal::parallel::*;

/// The painted land of a picture, and the sheets for land out of sight. A step only blends them.
pub(crate) struct LandPicture {
    pub(crate) viewport: Viewport,
    /// The land in daylight; the fourth value is 255 on water.
    pub(crate) day: Vec<Pixel>,
    /// The land without its details, as seen through much air. The fourth value is 255 where low visibility is painted
    /// dark: under a roof.
    pub(crate) soft: Vec<Pixel>,
    /// The sheet of land never seen: blank, or surveyed land in ink.
    pub(crate) sheet: Vec<Pixel>,
    /// The sheet of land seen before. The fourth value is 255 in rock, where the drawing fades out beyond the edge of
    /// land seen before; elsewhere it ends with a line.
    pub(crate) seen_sheet: Vec<Pixel>,
    /// The slope of the ground to the right and downwards, in 1/64.
    pub(crate) slopes: Vec<[i8; 2]>,
}

impl LandPicture {
    /// Returns land without a picture.
    pub(crate) fn blank(viewport: &Viewport) -> Self {
        let pixels = viewport.width() * viewport.height();
        let blank = || vec![[0; 4]; pixels];
        let (day, soft, sheet, seen_sheet) = (blank(), blank(), blank(), blank());
        Self { viewport: *viewport, day, soft, sheet, seen_sheet, slopes: vec![[0; 2]; pixels] }
    }

    /// Returns land for a picture with the overlap of `old` land, and the parts of the picture that are missing.
    fn started(viewport: &Viewport, old: Option<&Self>) -> (Self, Vec<Viewport>) {
        let mut land = Self::blank(viewport);
        let shared = old.filter(|old| old.viewport.scale == viewport.scale).and_then(|old| {
            let shared = viewport.shared_with(&old.viewport)?;
            (2 * shared.width() * shared.height() > viewport.width() * viewport.height()).then_some((old, shared))
        });
        match shared {
            None => (land, vec![*viewport]),
            Some((old, shared)) => {
                land.copy(old, &shared);
                (land, viewport.without(&shared))
            }
        }
    }

    /// Paints a part of the picture with `paint`, which paints any part of the map.
    pub(crate) fn paint_part(&mut self, part: &Viewport, paint: impl Fn(&Viewport) -> Self) {
        let reach = 6 * soft_radius(part) as i32 + 4; // three means at half the size, and the pixels between those
        let low = (part.origin - reach).div_euclid(IVec2::splat(2)) * 2; // softening joins pairs of pixels
        let grown = Viewport { origin: low, size: part.origin + part.size + reach - low, ..*part };
        self.copy(&paint(&grown), part);
    }

    /// Copies a part of the intersection.
    fn copy(&mut self, from: &Self, part: &Viewport) {
        let start = |land: &Self, y: usize| {
            let at = part.origin - land.viewport.origin;
            (at.y as usize + y) * land.viewport.width() + at.x as usize
        };
        for y in 0..part.height() {
            let (to, at) =
                (start(self, y)..start(self, y) + part.width(), start(from, y)..start(from, y) + part.width());
            self.day[to.clone()].copy_from_slice(&from.day[at.clone()]);
            self.soft[to.clone()].copy_from_slice(&from.soft[at.clone()]);
            self.sheet[to.clone()].copy_from_slice(&from.sheet[at.clone()]);
            self.seen_sheet[to.clone()].copy_from_slice(&from.seen_sheet[at.clone()]);
            self.slopes[to].copy_from_slice(&from.slopes[at]);
        }
    }
}

/// Land that is painted incrementally.
pub(crate) struct UnfinishedLandPicture {
    pub(crate) land: LandPicture,
    missing: Vec<Viewport>,
}

impl UnfinishedLandPicture {
    /// Creates land for a picture, starting with the overlap of `old` land.
    pub(crate) fn new(viewport: &Viewport, old: Option<&LandPicture>) -> Self {
        let (land, missing) = LandPicture::started(viewport, old);
        Self { land, missing }
    }

    /// Paints about the given number of pixels with `paint`, which paints any part of the map. Returns the number
    /// painted.
    pub(crate) fn paint(&mut self, pixels: usize, paint: impl Fn(&Viewport) -> LandPicture) -> usize {
        let mut painted = 0;
        // A rest of less than half of the pixels waits for the next call, since small parts have a high cost per pixel.
        while painted <= pixels / 2 {
            let Some(part) = self.missing.pop() else { break };
            let [width, height] = [part.width(), part.height()].map(|side| side.max(1));
            // Parts that are nearly square minimize the margin that is painted and dropped.
            let left = pixels - painted;
            let widest = left.isqrt().max(left / height).max(1);
            let columns = width.div_ceil(width.div_ceil(widest));
            let rows = (left / columns).clamp(1, height);
            let first = Viewport { size: IVec2::new(columns as i32, rows as i32).min(part.size), ..part };
            self.missing.extend(part.without(&first));
            self.land.paint_part(&first, &paint);
            painted += columns * rows;
        }
        painted
    }

    /// Returns `true` once the picture is complete.
    pub(crate) fn is_done(&self) -> bool {
        self.missing.is_empty()
    }
}

/// The rows of a band, the unit of work of a thread.
pub(crate) const BAND: usize = 24;

/// Returns the radius of the means that soften a picture, in pixels of half the size. Three means approximate a
/// Gaussian of 0.45 cells, clamped to 2 to 9 pixels.
fn soft_radius(viewport: &Viewport) -> usize {
    let half_sigma = (0.45 * viewport.side()).clamp(2.0, 9.0) / 2.0;
    // The mean of 2 r + 1 values has the variance (r² + r) / 3; three means have that of the Gaussian.
    (0.25 + half_sigma * half_sigma).sqrt() as usize
}

/// Returns the pixels of a picture without their details: three means at half the size.
pub(crate) fn softened(pixels: &[Pixel], viewport: &Viewport) -> Vec<Pixel> {
    let (width, height) = (viewport.width(), viewport.height());
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut small: Vec<Srgb> = vec![Srgb::ZERO; half_width * half_height];
    small.par_chunks_mut(half_width.max(1)).enumerate().for_each(|(y, row)| {
        let [above, below] = [2 * y, (2 * y + 1).min(height - 1)].map(|y| &pixels[y * width..][..width]);
        for (x, out) in row.iter_mut().enumerate() {
            let (left, right) = (2 * x, (2 * x + 1).min(width - 1));
            *out = 0.25 * (colour(above[left]) + colour(above[right]) + colour(below[left]) + colour(below[right]));
        }
    });
    let radius = soft_radius(viewport);
    for _ in 0..3 {
        small = transposed_means(&small, half_width, radius);
        small = transposed_means(&small, half_height, radius);
    }
    let mut out = vec![[0; 4]; pixels.len()];
    out.par_chunks_mut(width.max(1)).enumerate().for_each(|(y, row)| {
        // Pixels are at quarters between the centres of the half-size pixels.
        let near = y / 2;
        let other = if y % 2 == 0 { near.saturating_sub(1) } else { (near + 1).min(half_height - 1) };
        let [near, other] = [near, other].map(|y| &small[y * half_width..][..half_width]);
        for (x, out) in row.iter_mut().enumerate() {
            let i = x / 2;
            let j = if x % 2 == 0 { i.saturating_sub(1) } else { (i + 1).min(half_width - 1) };
            let close = near[i] * 0.75 + near[j] * 0.25;
            let far = other[i] * 0.75 + other[j] * 0.25;
            *out = pixel(close * 0.75 + far * 0.25, 0);
        }
    });
    out
}

/// Means are multiples of the reciprocal of this, so that their sums are exact and do not depend on the origin of a
/// picture.
const FRACTION: f32 = 256.0;

/// Returns the means of each row of `width` values over 2 `radius` + 1 neighbours, transposed.
fn transposed_means(values: &[Srgb], width: usize, radius: usize) -> Vec<Srgb> {
    let height = values.len() / width.max(1);
    let mut out = vec![Srgb::ZERO; values.len()];
    let share = 1.0 / (2 * radius + 1) as f32;
    // Eight rows fill whole cache lines of the columns.
    let rows: Vec<Vec<Srgb>> = values
        .par_chunks(width.max(1))
        .map(|row| {
            let at = |i: usize, back: usize| row[(i.saturating_sub(back)).min(width - 1)];
            let mut sum = row[0] * radius as f32;
            sum += (0..=radius).map(|i| row[i.min(width - 1)]).sum::<Srgb>();
            let mut line = Vec::with_capacity(width);
            for x in 0..width {
                line.push((sum * (share * FRACTION) + 0.5).floor() / FRACTION);
                sum += at(x + radius + 1, 0) - at(x, radius);
            }
            line
        })
        .collect();
    out.par_chunks_mut(height.max(1)).enumerate().for_each(|(x, column)| {
        for (out, row) in column.iter_mut().zip(&rows) {
            *out = row[x];
        }
    });
    out
}
