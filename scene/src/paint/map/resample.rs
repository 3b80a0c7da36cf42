//! [`Field`]: values of cells; [`Axis`]: their interpolation along the pixels of a row or of a column.

use glam::IVec2;

use super::viewport::Viewport;
use farsight::grid::CellRect;

/// Values of the cells of a rectangle, which may reach beyond the map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<T = f32> {
    pub(crate) rect: CellRect,
    pub(crate) values: Vec<T>,
}

impl<T: Copy> Field<T> {
    pub(crate) fn from_fn(rect: CellRect, mut value: impl FnMut(IVec2) -> T) -> Self {
        let mut values = Vec::with_capacity(rect.width() * rect.height());
        for y in rect.min.y..rect.max.y {
            values.extend((rect.min.x..rect.max.x).map(|x| value(IVec2::new(x, y))));
        }
        Self { rect, values }
    }

    pub(crate) fn width(&self) -> usize {
        self.rect.width()
    }

    pub(crate) fn height(&self) -> usize {
        self.rect.height()
    }

    pub(crate) fn row(&self, y: usize) -> &[T] {
        &self.values[y * self.width()..][..self.width()]
    }

    pub(crate) fn map<U>(&self, change: impl FnMut(&T) -> U) -> Field<U> {
        Field { rect: self.rect, values: self.values.iter().map(change).collect() }
    }

    /// Returns the value of a cell, or of the nearest cell of the rectangle.
    #[inline]
    pub(crate) fn nearest(&self, cell: IVec2) -> T {
        let at = cell.clamp(self.rect.min, self.rect.max - 1) - self.rect.min;
        self.values[at.y as usize * self.width() + at.x as usize]
    }
}

impl Field {
    /// Returns the bilinear value between the centres of four cells.
    #[inline]
    pub(crate) fn bilinear(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (fx, fy) = (x - x.floor(), y - y.floor()); // do not depend on where the field begins
        let index = |at: f32, first: i32, count: usize| (at.floor() as i32 - first).clamp(0, count as i32 - 1) as usize;
        let x0 = index(x, self.rect.min.x, self.width());
        let y0 = index(y, self.rect.min.y, self.height());
        let [x1, y1] = [(x0 + 1).min(self.width() - 1), (y0 + 1).min(self.height() - 1)];
        let [above, below] = [self.row(y0), self.row(y1)];
        let top = above[x0] + (above[x1] - above[x0]) * fx;
        top + (below[x0] + (below[x1] - below[x0]) * fx - top) * fy
    }

    /// Returns the field convolved with a Gaussian of `sigma` cells; cells beyond the rectangle count as the nearest.
    pub(crate) fn blurred(&self, sigma: f32) -> Self {
        let kernel = gaussian(sigma);
        let reach = kernel.len() / 2;
        let (width, height) = (self.width(), self.height());
        let mut across = vec![0.0; width * height];
        let mut padded = vec![0.0; width + 2 * reach];
        for (row, out) in self.values.chunks_exact(width.max(1)).zip(across.chunks_exact_mut(width.max(1))) {
            padded[..reach].fill(row[0]);
            padded[reach..reach + width].copy_from_slice(row);
            padded[reach + width..].fill(row[width - 1]);
            for (cells, weight) in padded.windows(width).zip(&kernel) {
                for (out, value) in out.iter_mut().zip(cells) {
                    *out += value * weight;
                }
            }
        }
        let mut values = vec![0.0; width * height];
        for (y, out) in values.chunks_exact_mut(width.max(1)).enumerate() {
            for (k, &weight) in kernel.iter().enumerate() {
                let from = (y + k).saturating_sub(reach).min(height - 1);
                for (out, value) in out.iter_mut().zip(&across[from * width..][..width]) {
                    *out += value * weight;
                }
            }
        }
        Self { rect: self.rect, values }
    }

    /// Returns the maximum over each cell and its eight neighbours.
    pub(crate) fn dilated(&self) -> Self {
        Self::from_fn(self.rect, |cell| {
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| IVec2::new(x, y)));
            around.map(|step| self.nearest(cell + step)).fold(f32::NEG_INFINITY, f32::max)
        })
    }

    /// Returns the length of the gradient of the field, per cell.
    pub(crate) fn steepness(&self) -> Self {
        Self::from_fn(self.rect, |cell| {
            let across = self.nearest(cell + IVec2::X) - self.nearest(cell - IVec2::X);
            let down = self.nearest(cell + IVec2::Y) - self.nearest(cell - IVec2::Y);
            0.5 * (across * across + down * down).sqrt()
        })
    }
}

/// Returns the weights of a Gaussian, which add up to 1.
fn gaussian(sigma: f32) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil().max(1.0) as i32;
    let weights: Vec<f32> = (-reach..=reach).map(|x| libm::expf(-0.5 * (x as f32 / sigma).powi(2))).collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Returns the weights of two cells for a fraction between them.
pub(crate) fn linear(t: f32) -> [f32; 2] {
    [1.0 - t, t]
}

/// Returns the weights of four cells that interpolate the values at the centres of cells (Catmull and Rom 1974).
pub(crate) fn catmull_rom(t: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [0.5 * (-t + 2.0 * t2 - t3), 0.5 * (2.0 - 5.0 * t2 + 3.0 * t3), 0.5 * (t + 4.0 * t2 - 3.0 * t3), 0.5 * (t3 - t2)]
}

/// Returns the derivative of [`catmull_rom`].
pub(crate) fn catmull_rom_slope(t: f32) -> [f32; 4] {
    let t2 = t * t;
    [
        0.5 * (-1.0 + 4.0 * t - 3.0 * t2),
        0.5 * (-10.0 * t + 9.0 * t2),
        0.5 * (1.0 + 8.0 * t - 9.0 * t2),
        0.5 * (3.0 * t2 - 2.0 * t),
    ]
}

/// Returns the weights of four cells of a cubic B-spline, which smooths slightly and has continuous slopes.
pub(crate) fn b_spline(t: f32) -> [f32; 4] {
    let (t2, t3, s) = (t * t, t * t * t, 1.0 - t);
    [s * s * s / 6.0, (4.0 - 6.0 * t2 + 3.0 * t3) / 6.0, (1.0 + 3.0 * t + 3.0 * t2 - 3.0 * t3) / 6.0, t3 / 6.0]
}

/// Returns the derivative of [`b_spline`].
pub(crate) fn b_spline_slope(t: f32) -> [f32; 4] {
    let (t2, s) = (t * t, 1.0 - t);
    [-0.5 * s * s, 0.5 * (3.0 * t2 - 4.0 * t), 0.5 * (1.0 + 2.0 * t - 3.0 * t2), 0.5 * t2]
}

/// The cells and weights of every pixel of a row or a column, with `N` cells per pixel.
pub(crate) struct Axis<const N: usize> {
    /// The first cell of each pixel, relative to the first cell of the field, and the weights of the cells.
    taps: Vec<(u32, [f32; N])>,
}

impl<const N: usize> Axis<N> {
    fn new(origin: i32, scale: f32, pixels: usize, first: i32, cells: usize, weights: fn(f32) -> [f32; N]) -> Self {
        let lead = N as i32 / 2 - 1;
        let last = cells.saturating_sub(N) as i32;
        let taps = (0..pixels).map(|pixel| {
            let at = (f64::from(origin) + pixel as f64 + 0.5) / f64::from(scale) - 0.5;
            let cell = at.floor();
            // The fraction does not depend on the origin of the field.
            let wanted = cell as i32 - lead - first;
            let start = wanted.clamp(0, last);
            let fraction = (at - cell) as f32 + (wanted - start) as f32;
            (start as u32, weights(fraction.clamp(0.0, 1.0)))
        });
        Self { taps: taps.collect() }
    }

    fn columns<T>(viewport: &Viewport, field: &Field<T>, weights: fn(f32) -> [f32; N]) -> Self {
        let rect = field.rect;
        Self::new(viewport.origin.x, viewport.scale.x, viewport.width(), rect.min.x, rect.width(), weights)
    }

    fn rows<T>(viewport: &Viewport, field: &Field<T>, weights: fn(f32) -> [f32; N]) -> Self {
        let rect = field.rect;
        Self::new(viewport.origin.y, viewport.scale.y, viewport.height(), rect.min.y, rect.height(), weights)
    }
}

/// A kernel for the columns and one for the rows. Fields with the same rectangle can share it.
pub(crate) struct Sampler<const N: usize> {
    columns: Axis<N>,
    rows: Axis<N>,
}

impl<const N: usize> Sampler<N> {
    /// Creates a sampler for fields with the rectangle of `field`, which must have at least `N` cells per side.
    pub(crate) fn new<T>(viewport: &Viewport, field: &Field<T>, [across, down]: [fn(f32) -> [f32; N]; 2]) -> Self {
        Self { columns: Axis::columns(viewport, field, across), rows: Axis::rows(viewport, field, down) }
    }

    /// Fills a row of pixels with interpolated values.
    pub(crate) fn fill(&self, field: &Field, y: usize, row: &mut FieldRow, out: &mut [f32]) {
        self.load(field, y, row);
        for (tap, out) in self.columns.taps.iter().zip(out) {
            *out = interpolated(tap, row);
        }
    }

    /// Computes the weighted sums over the rows of cells that a row of pixels needs. [`at`](Self::at) then returns the
    /// values of pixels.
    pub(crate) fn load(&self, field: &Field, y: usize, row: &mut FieldRow) {
        let (top, down) = self.rows.taps[y];
        let taps = &self.columns.taps;
        let Some((first, last)) = taps.first().zip(taps.last()) else { return };
        let (start, end) = (first.0 as usize, last.0 as usize + N);
        row.start = start;
        row.line.clear();
        row.line.resize(end - start, 0.0);
        for (k, weight) in down.into_iter().enumerate() {
            let cells = &field.row(top as usize + k)[start..end];
            for (sum, value) in row.line.iter_mut().zip(cells) {
                *sum += value * weight;
            }
        }
    }

    /// Returns the value at a pixel of the row that was [loaded](Self::load).
    #[inline]
    pub(crate) fn at(&self, x: usize, row: &FieldRow) -> f32 {
        interpolated(&self.columns.taps[x], row)
    }
}

/// The cells of a field that a row of pixels needs, summed over their rows.
#[derive(Default)]
pub(crate) struct FieldRow {
    /// The column of the first cell.
    start: usize,
    line: Vec<f32>,
}

#[inline]
fn interpolated<const N: usize>((cell, weights): &(u32, [f32; N]), row: &FieldRow) -> f32 {
    let values = &row.line[*cell as usize - row.start..][..N];
    let mut sum = 0.0;
    for k in 0..N {
        sum += values[k] * weights[k];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{ivec2, vec2};

    fn viewport() -> Viewport {
        Viewport { origin: ivec2(8, 12), scale: vec2(4.0, 4.0), size: ivec2(40, 32) }
    }

    /// Samples a field at all pixels.
    fn sampled<const N: usize>(field: &Field, kernels: [fn(f32) -> [f32; N]; 2]) -> Vec<f32> {
        let viewport = viewport();
        let sampler = Sampler::new(&viewport, field, kernels);
        let mut out = vec![0.0; viewport.width() * viewport.height()];
        let mut line = FieldRow::default();
        for (y, row) in out.chunks_exact_mut(viewport.width()).enumerate() {
            sampler.fill(field, y, &mut line, row);
        }
        out
    }

    #[test]
    fn a_plane_is_sampled_as_a_plane_with_its_slopes() {
        let viewport = viewport();
        let field = Field::from_fn(viewport.cells(3), |cell| 2.0 * cell.x as f32 - 0.5 * cell.y as f32);
        let plane = |at: glam::Vec2| 2.0 * (at.x - 0.5) - 0.5 * (at.y - 0.5);
        let values = [
            sampled(&field, [linear, linear]),
            sampled(&field, [catmull_rom, catmull_rom]),
            sampled(&field, [b_spline, b_spline]),
        ];
        for values in values {
            for (i, value) in values.into_iter().enumerate() {
                let place = viewport.place(i % viewport.width(), i / viewport.width());
                assert!((value - plane(place)).abs() < 1e-4, "{place}: {value}");
            }
        }
        assert!(sampled(&field, [b_spline_slope, b_spline]).iter().all(|slope| (slope - 2.0).abs() < 1e-4));
        assert!(sampled(&field, [catmull_rom, catmull_rom_slope]).iter().all(|slope| (slope + 0.5).abs() < 1e-4));
    }

    #[test]
    fn a_blur_keeps_the_sum_and_spreads_as_a_gaussian() {
        let rect = CellRect { min: ivec2(0, 0), max: ivec2(41, 41) };
        let point = Field::from_fn(rect, |cell| if cell == ivec2(20, 20) { 1.0 } else { 0.0 });
        let blurred = point.blurred(1.5);
        assert!((blurred.values.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let ratio = blurred.nearest(ivec2(21, 20)) / blurred.nearest(ivec2(20, 20));
        assert!((ratio - libm::expf(-0.5 / 2.25)).abs() < 1e-4, "{ratio}");
        let edge = Field::from_fn(rect, |_| 3.0).blurred(5.0);
        assert!(edge.values.iter().all(|value| (value - 3.0).abs() < 1e-4));
    }
}
