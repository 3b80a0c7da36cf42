//! [`depth`]: the canopy on the line of sight to one cell.

use glam::{IVec2, ivec2};

use super::surface_terms::SurfaceTerms;

/// Returns the optical depth of the canopy on the line to a cell at an offset from the viewer's, where the line is `end`
/// metres over the eye: at most `limit`.
///
/// The line reads ground and cover where it crosses a ring, between two cells; a ring counts if the top of its canopy is above
/// the line. Of the cells of viewer and target half belongs to the line, or what of this half is below the top over level
/// ground.
pub(super) fn depth(terms: &SurfaceTerms<'_>, offset: IVec2, end: f64, limit: f64) -> f32 {
    let Some(cover) = terms.cover else { return 0.0 };
    let covered = |cell: IVec2| f64::from(cover[cell].max(0.0)); // NaN becomes 0
    let ground = |cell: IVec2| f64::from(terms.ground[cell]) - terms.eye;
    let height = f64::from(terms.canopy.height);
    let size = offset.abs();
    let (steps, aside) = (size.max_element(), size.min_element());
    let (across, up) = (ivec2(offset.x.signum(), 0), ivec2(0, offset.y.signum()));
    let (outwards, sideways) = if size.x >= size.y { (across, up) } else { (up, across) };
    let (inverse, squared) = (1.0 / f64::from(steps), terms.squared(offset));
    let (slope, drop) = (end * inverse, terms.drop * squared * inverse * inverse);
    let slant = if terms.canopy.per_length { squared.sqrt() * inverse } else { terms.canopy.mean.into() };
    let unit = f64::from(terms.canopy.depth) * slant;

    let (own, last) = (covered(terms.viewer), covered(terms.viewer + offset));
    let own_top = ground(terms.viewer) + height * own * own;
    let last_top = ground(terms.viewer + offset) - terms.drop * squared + height * last * last;
    let ends = half_share(own_top as f32, slope as f32) * own as f32
        + half_share((last_top - end) as f32, -slope as f32) * last as f32;
    let mut sum = f64::from(ends);
    // The line crosses ring m between the cell `near` and the next, at the share `rest`/steps.
    let crossing = aside * (steps - 1).max(0);
    let (mut row, mut rest) = (crossing / steps, crossing % steps);
    for m in (1..steps).rev() {
        let near = terms.viewer + outwards * m + sideways * row;
        let (mut cell_cover, mut rise) = (covered(near), ground(near));
        let mut canopy = cell_cover * cell_cover;
        if rest > 0 {
            let (next, share) = (near + sideways, f64::from(rest) * inverse);
            let next_cover = covered(next);
            canopy += (next_cover * next_cover - canopy) * share;
            rise += (ground(next) - rise) * share;
            cell_cover += (next_cover - cell_cover) * share;
        }
        let ring = f64::from(m);
        if rise - drop * ring * ring + height * canopy > slope * ring {
            sum += cell_cover;
            if sum * unit >= limit {
                break;
            }
        }
        rest -= aside;
        if rest < 0 {
            rest += steps;
            row -= 1;
        }
    }
    (sum * unit).min(limit) as f32
}

/// Returns the share of a cell that belongs to a line in the half of its first or last cell, at most ½. `excess` is the height
/// of the canopy's top above the end of the line, `rise` the metres by which the line rises per ring away from this end.
#[inline(always)]
pub(super) fn half_share(excess: f32, rise: f32) -> f32 {
    let whole = 0.5 * rise;
    let share = excess / if whole > 1e-6 { whole } else { 1e-6 };
    let share = if share > 0.0 { share } else { 0.0 }; // NaN becomes 0
    0.5 * if share < 1.0 { share } else { 1.0 }
}
