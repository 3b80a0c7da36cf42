//! [`SoftEdge`]: a smooth outline of a set of cells that keeps the centre of every cell on its side.

use glam::IVec2;

use super::resample::{Field, FieldRow, Sampler, catmull_rom, catmull_rom_slope};
use super::viewport::Viewport;

/// The minimum value at the centre of a cell that is on the side of its neighbours.
const HOLD: f32 = 0.06;
/// The value of a cell that the blur would move to the other side; it keeps chains of cells connected.
const THIN: f32 = 0.17;

/// Returns a blurred set of cells, positive inside and negative outside, which keeps its sign at the centre of every cell.
pub(crate) fn soft_field(set: &Field<bool>, sigma: f32) -> Field {
    let blurred = set.map(|&inside| f32::from(u8::from(inside))).blurred(sigma);
    with_signs(blurred, set)
}

/// Returns a [`soft_field`] with the first blur where `share` is 0, and with the second blur where it is 1.
pub(crate) fn soft_field_between(set: &Field<bool>, [first, second]: [f32; 2], share: impl Fn(IVec2) -> f32) -> Field {
    let values = set.map(|&inside| f32::from(u8::from(inside)));
    let [first, second] = [first, second].map(|sigma| values.blurred(sigma));
    let between = Field::from_fn(set.rect, |cell| {
        let [first, second] = [&first, &second].map(|field| field.nearest(cell));
        first + (second - first) * share(cell)
    });
    with_signs(between, set)
}

/// Gives each value the sign of its cell.
fn with_signs(mut field: Field, set: &Field<bool>) -> Field {
    for (value, &inside) in field.values.iter_mut().zip(&set.values) {
        let sign = if inside { 1.0 } else { -1.0 };
        let depth = (*value - 0.5) * sign;
        *value = sign * if depth < 0.0 { THIN } else { depth.max(HOLD) };
    }
    field
}

/// The outline of a [`soft_field`]. Interpolation keeps the values at the centres of cells, so no cell changes sides.
pub(crate) struct SoftEdge {
    field: Field,
    value: Sampler<4>,
    across: Sampler<4>,
    down: Sampler<4>,
}

/// The workspace of an outline for a row of pixels: its field, and the downward slope of the field.
#[derive(Default)]
pub(crate) struct EdgeRow {
    across: FieldRow,
    down: FieldRow,
}

impl SoftEdge {
    /// Creates the outline of a field, which must have at least four cells per side.
    pub(crate) fn new(viewport: &Viewport, field: Field) -> Self {
        Self {
            value: Sampler::new(viewport, &field, [catmull_rom, catmull_rom]),
            across: Sampler::new(viewport, &field, [catmull_rom_slope, catmull_rom]),
            down: Sampler::new(viewport, &field, [catmull_rom, catmull_rom_slope]),
            field,
        }
    }

    pub(crate) fn field(&self) -> &Field {
        &self.field
    }

    /// Fills a row of pixels with the field.
    pub(crate) fn fill_values(&self, y: usize, row: &mut EdgeRow, out: &mut [f32]) {
        self.value.fill(&self.field, y, &mut row.across, out);
    }

    /// Fills a row of pixels with the distance to the outline in pixels, positive inside. It is exact near the outline
    /// and too large elsewhere.
    pub(crate) fn fill_distances(&self, side: f32, y: usize, row: &mut EdgeRow, out: &mut [f32]) {
        self.load(y, row);
        for (x, out) in out.iter_mut().enumerate() {
            *out = self.distance(side, x, row);
        }
    }

    /// Prepares a row of pixels for [`distance`](Self::distance).
    pub(crate) fn load(&self, y: usize, row: &mut EdgeRow) {
        self.value.load(&self.field, y, &mut row.across);
        self.down.load(&self.field, y, &mut row.down);
    }

    /// Returns the distance of a pixel as [`fill_distances`](Self::fill_distances) does.
    #[inline]
    pub(crate) fn distance(&self, side: f32, x: usize, row: &EdgeRow) -> f32 {
        let value = self.value.at(x, &row.across);
        if value.abs() >= NEAR {
            return side * value / LEAST_SLOPE;
        }
        let (across, down) = (self.across.at(x, &row.across), self.down.at(x, &row.down));
        side * value / (across * across + down * down).sqrt().max(LEAST_SLOPE)
    }
}

/// The maximum absolute value at which slopes are computed: somewhat more than a cell from the outline.
const NEAR: f32 = 0.42;
/// The minimum slope of the field per cell; flatter slopes would make thin parts fade.
const LEAST_SLOPE: f32 = 0.10;

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::grid::CellRect;
    use glam::{Vec2, ivec2};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_cell_changes_its_side(
            cells in proptest::collection::vec(any::<bool>(), 20 * 16),
            sigma in 0.5_f32..2.5,
            scale in 1_u32..24,
        ) {
            let rect = CellRect { min: ivec2(-2, 5), max: ivec2(18, 21) };
            let set = Field { rect, values: cells };
            let side = (2 * scale + 1) as f32; // with a pixel on the middle of every cell
            let size = ivec2(16, 12) * (2 * scale as i32 + 1);
            let viewport = Viewport { origin: ivec2(0, 7 * side as i32), scale: Vec2::splat(side), size };
            let between = soft_field_between(&set, [sigma, 0.55], |cell| 0.5 * cell.x.rem_euclid(3) as f32);
            for field in [soft_field(&set, sigma), between] {
                let edge = SoftEdge::new(&viewport, field);
                let mut row = vec![0.0; viewport.width()];
                let mut buffers = EdgeRow::default();
                for y in 0..12 {
                    let line = y as usize * (2 * scale as usize + 1) + scale as usize;
                    edge.fill_distances(side, line, &mut buffers, &mut row);
                    for x in 0..16 {
                        let distance = row[x as usize * (2 * scale as usize + 1) + scale as usize];
                        let inside = set.nearest(ivec2(x, y + 7));
                        prop_assert!((distance > 0.0) == inside && distance != 0.0, "{x},{y}: {distance}");
                    }
                }
            }
        }
    }
}
