//! The value of a cell, given the slope of its horizon.

use glam::IVec2;

use super::line::Line;
use crate::viewshed::canopy_line;
use crate::viewshed::canopy_state::transmittance;
use crate::viewshed::surface_terms::{Quantity, SurfaceTerms};

/// Returns a quantity of the cell at an offset from the viewer's, which must be another cell on the map.
pub(in crate::viewshed) fn evaluate(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity) -> f32 {
    evaluate_below(terms, offset, quantity, Line::new(terms, offset).horizon())
}

/// Returns a quantity of the cell at an offset from the viewer's, behind a horizon in metres over the eye at the cell.
pub(super) fn evaluate_below(terms: &SurfaceTerms<'_>, offset: IVec2, quantity: Quantity, horizon: f64) -> f32 {
    let target = target(terms, offset);
    let clearance = (target - horizon) as f32;
    match quantity {
        Quantity::Clearance => clearance,
        Quantity::Visibility if terms.cover.is_none() => terms.visibility(clearance),
        Quantity::Visibility => {
            let depth = canopy_line::depth(terms, offset, target.max(horizon), f64::INFINITY);
            terms.visibility(clearance) * transmittance(depth)
        }
    }
}

/// Returns the height of a target over the eye, less what curvature takes; NaN without data.
fn target(terms: &SurfaceTerms<'_>, offset: IVec2) -> f64 {
    let ground = f64::from(terms.ground[terms.viewer + offset]);
    ground - terms.eye - terms.drop * terms.squared(offset) + f64::from(terms.target_height)
}
