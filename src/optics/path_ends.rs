//! [`multiply_by_ends`]: the transmittance of air and woods in the cells of viewer and target; see [`EndLength`].

use glam::IVec2;

use super::eye_terms::EyeTerms;
use super::opacity_kernel::{OpacityFields, RowFields};
use super::row_bounds::RowBounds;
use crate::sight::{EndLength, EndLengths, RowLengths};
use crate::simd::LANES;

/// The terms that all paths from one viewer share.
#[derive(Clone, Copy)]
pub(super) struct PathEnds<'a> {
    pub(super) viewer: IVec2,
    /// log₂ of the transmittance of the viewer's cell.
    pub(super) own_log2: f32,
    /// `None` where woods are not opacities.
    pub(super) woods: Option<EyeTerms>,
    pub(super) fields: OpacityFields<'a>,
    pub(super) lengths: &'a EndLengths,
}

/// Multiplies the visibilities of some rows by the transmittance of the ends of their paths. An item of `rows` is the first
/// cell of a row and the visibilities from there to the right.
#[inline(always)]
pub(super) fn multiply_by_ends<'r>(ends: PathEnds<'_>, rows: impl Iterator<Item = (IVec2, &'r mut [f32])>) {
    let mut buffer = Vec::new();
    for (first, seen) in rows {
        let cells = ends.fields.cells(first, seen.len());
        let offset = first - ends.viewer;
        let RowLengths { base, moments } =
            ends.lengths.row(offset.y, offset.x..offset.x + seen.len() as i32, &mut buffer);
        match moments {
            None => multiply_row::<false>(&ends, &cells, [base; 3], seen),
            Some([slope, bend]) => multiply_row::<true>(&ends, &cells, [base, slope, bend], seen),
        }
    }
}

/// The terms of one vector of cells: ground, cover, log₂ of the transmittances of air, and of air and vegetation, and the
/// three fields of [`EndLength`].
type EndVector<'a> = [&'a [f32; LANES]; 7];

/// Multiplies one row. Without `MOMENTS`, lengths have only a base.
#[inline(always)]
fn multiply_row<const MOMENTS: bool>(
    ends: &PathEnds<'_>,
    cells: &RowFields<'_>,
    [base, slope, bend]: [&[f32]; 3],
    seen: &mut [f32],
) {
    let fields = [cells.ground, cells.cover, cells.air_log2, cells.below_tops_log2, base, slope, bend];
    let rest = seen.len() % LANES;
    // The last vector overlaps the one before it, so it is read before that one is multiplied.
    let mut last = [0.0; LANES];
    if rest > 0 {
        if let Some(values) = seen.last_chunk() {
            last = *values;
            if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g)] =
                fields.each_ref().map(|field| field.last_chunk())
            {
                multiply::<MOMENTS>(ends, None, [a, b, c, d, e, f, g], &mut last);
            }
        } else {
            last = padded(seen);
            multiply::<MOMENTS>(ends, None, fields.map(padded).each_ref(), &mut last);
        }
    }
    let [a, b, c, d, e, f, g] = fields.map(|field| field.as_chunks::<LANES>().0);
    let (vectors, end) = seen.as_chunks_mut::<LANES>();
    let chunks = a.iter().zip(b).zip(c.iter().zip(d)).zip(e.iter().zip(f).zip(g));
    for ((seen, bounds), (((a, b), (c, d)), ((e, f), g))) in vectors.iter_mut().zip(cells.bounds).zip(chunks) {
        if seen.iter().fold(0, |any, value| any | value.to_bits()) != 0 {
            multiply::<MOMENTS>(ends, Some(bounds), [a, b, c, d, e, f, g], seen);
        }
    }
    end.copy_from_slice(&last[LANES - rest..]);
}

/// Returns a vector that ends with the values of a shorter row.
#[inline(always)]
fn padded(values: &[f32]) -> [f32; LANES] {
    let mut vector = [0.0; LANES];
    vector[LANES - values.len()..].copy_from_slice(values);
    vector
}

/// Multiplies the visibilities of a vector by the transmittance of the ends. Most vectors of a world are below the eye, or
/// around the whole ray; the terms for these have the same bits.
#[inline(always)]
fn multiply<const MOMENTS: bool>(
    ends: &PathEnds<'_>,
    bounds: Option<&RowBounds>,
    [ground, cover, air, below_tops, base, slope, bend]: EndVector<'_>,
    seen: &mut [f32; LANES],
) {
    let lengths = [base, slope, bend];
    match (&ends.woods, bounds) {
        (None, _) => multiply_lanes::<MOMENTS>(ends.own_log2, lengths, seen, |i| air[i]),
        (Some(eye), Some(bounds)) if eye.overlooks(bounds) => {
            multiply_lanes::<MOMENTS>(ends.own_log2, lengths, seen, |i| air[i]);
        }
        (Some(eye), Some(bounds)) if eye.is_below_tops(bounds) => {
            multiply_lanes::<MOMENTS>(ends.own_log2, lengths, seen, |i| below_tops[i]);
        }
        (Some(eye), _) => multiply_lanes::<MOMENTS>(ends.own_log2, lengths, seen, |i| {
            air[i] + eye.vegetation_log2(ground[i], cover[i])
        }),
    }
}

/// Multiplies lane by lane; `cell_log2` is log₂ of the transmittance of a cell.
#[inline(always)]
fn multiply_lanes<const MOMENTS: bool>(
    own_log2: f32,
    [base, slope, bend]: [&[f32; LANES]; 3],
    seen: &mut [f32; LANES],
    cell_log2: impl Fn(usize) -> f32,
) {
    for (i, seen) in seen.iter_mut().enumerate() {
        let log2 = own_log2 + cell_log2(i);
        *seen *= if MOMENTS {
            EndLength { base: base[i], slope: slope[i], bend: bend[i] }.transmittance(log2)
        } else {
            EndLength::transmittance_of_base(base[i], log2)
        };
    }
}
