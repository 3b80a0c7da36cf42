//! [`multiply_by_ends`]: the transmittance of air and woods in the cells of viewer and target; see [`EndLength`].

use glam::IVec2;

use super::eye_terms::EyeTerms;
use super::opacity_kernel::{OpacityFields, RowFields, each_lane};
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

/// The fields and lengths of the cells of one vector: log₂ of the air's transmittance, ground, cover, and the three fields of
/// [`EndLength`].
type EndVector<'a> = [&'a [f32; LANES]; 6];

/// Multiplies one row. Without `MOMENTS`, lengths have only a base.
#[inline(always)]
fn multiply_row<const MOMENTS: bool>(
    ends: &PathEnds<'_>,
    cells: &RowFields<'_>,
    [base, slope, bend]: [&[f32]; 3],
    seen: &mut [f32],
) {
    let fields = [cells.air_log2, cells.ground, cells.cover, base, slope, bend];
    let last = fields.map(|field| field.last_chunk::<LANES>());
    // The last vector overlaps the one before, which must not change its values first.
    let end = match (seen.last_chunk(), last) {
        (Some(last), [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)]) => {
            Some(multiply::<MOMENTS>(ends, None, [a, b, c, d, e, f], last))
        }
        _ => None,
    };
    let [a, b, c, d, e, f] = fields.map(|field| field.as_chunks::<LANES>());
    let (vectors, rest) = seen.as_chunks_mut::<LANES>();
    let fields = a.0.iter().zip(b.0).zip(c.0.iter().zip(d.0)).zip(e.0.iter().zip(f.0));
    for ((seen, bounds), (((a, b), (c, d)), (e, f))) in vectors.iter_mut().zip(cells.bounds).zip(fields) {
        if *seen != [0.0; LANES] {
            *seen = multiply::<MOMENTS>(ends, Some(bounds), [a, b, c, d, e, f], seen);
        }
    }
    if rest.is_empty() {
        return;
    }
    if let (Some(end), Some(seen)) = (end, seen.last_chunk_mut()) {
        *seen = end;
    } else {
        let pad = |values: &[f32]| {
            let mut padded = [0.0; LANES];
            padded[..values.len()].copy_from_slice(values);
            padded
        };
        let [a, b, c, d, e, f] = [a, b, c, d, e, f].map(|(_, rest)| pad(rest));
        let end = multiply::<MOMENTS>(ends, None, [&a, &b, &c, &d, &e, &f], &pad(seen));
        seen.copy_from_slice(&end[..seen.len()]);
    }
}

/// Returns the visibilities of a vector times the transmittance of the ends. Most vectors of a world are below the eye, or
/// around the whole ray; the shorter formulas for these give the same bits.
#[inline(always)]
fn multiply<const MOMENTS: bool>(
    ends: &PathEnds<'_>,
    bounds: Option<&RowBounds>,
    [air_log2, ground, cover, base, slope, bend]: EndVector<'_>,
    seen: &[f32; LANES],
) -> [f32; LANES] {
    let cell_log2 = match &ends.woods {
        Some(eye) if bounds.is_some_and(|bounds| eye.overlooks(bounds)) => *air_log2,
        Some(eye) if bounds.is_some_and(|bounds| eye.is_below_tops(bounds)) => {
            each_lane(|i| air_log2[i] + eye.log2_below_tops(cover[i]))
        }
        Some(eye) => each_lane(|i| air_log2[i] + eye.vegetation_log2(ground[i], cover[i])),
        None => *air_log2,
    };
    each_lane(|i| {
        let [slope, bend] = if MOMENTS { [slope[i], bend[i]] } else { [0.0; 2] };
        seen[i] * EndLength { base: base[i], slope, bend }.transmittance(ends.own_log2 + cell_log2[i])
    })
}
