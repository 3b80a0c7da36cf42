//! Viewsheds against GDAL's. Needs `gdal_viewshed` (Debian: gdal-bin):
//! `cargo test --test sight viewshed_gdal -- --ignored`.

use std::path::Path;

use crate::support::terrain::gdal::{self, Case, RADIUS, SIDE};
use farsight::Job;
use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight::sight::{MethodKind, SightConfig};
use farsight::viewshed::Viewshed;

/// Returns the slope margin of every cell; infinite next to the viewer.
fn margins(case: &Case, method: MethodKind) -> Grid<f32> {
    let mut viewshed = Viewshed::new(SightConfig::default().with_radius(RADIUS).with_method(method)).unwrap();
    let clearance = viewshed.clearance(&case.surface(), case.viewer, Job::none()).unwrap();
    Grid::from_fn(SIDE, SIDE, |cell| clearance.slope_margin(cell).unwrap_or(f32::INFINITY))
}

/// Returns the fraction of cells that agree with GDAL, and the slope margins of the others except the viewer's
/// neighbours.
fn agreement(case: &Case, margins: &Grid<f32>, by_gdal: &Grid<bool>) -> (f64, Vec<f32>) {
    let (mut cells, mut differ, mut others) = (0, 0, Vec::new());
    for cell in case.cells() {
        cells += 1;
        if (margins[cell] >= 0.0) != by_gdal[cell] {
            differ += 1;
            if margins[cell].is_finite() {
                others.push(margins[cell].abs());
            }
        }
    }
    others.sort_unstable_by(f32::total_cmp);
    (1.0 - f64::from(differ) / f64::from(cells), others)
}

#[test]
#[ignore = "needs gdal_viewshed"]
fn viewsheds_agree_with_gdal_except_close_to_the_horizon() {
    let folder = tempfile::tempdir().unwrap();
    let mut cases = gdal::worlds(&[1, 3]).unwrap();
    cases.extend(gdal::fractals(&[(1, 0.5, 600.0), (5, 0.4, 1500.0)]));
    for case in &cases {
        let by_gdal = gdal::viewshed(case, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        check(case, &by_gdal, folder.path());
    }
}

fn check(case: &Case, by_gdal: &Grid<bool>, folder: &Path) {
    // GDAL 3.6 treats the neighbours in the rows above and below as at least as high as the viewer's ground. On ground where
    // they are, its answer is the same except for these cells: this is the only difference.
    let raised = case.with_raised_neighbours();
    let of_raised = gdal::viewshed(&raised, folder).unwrap();
    let far = |cell: &IVec2| (*cell - case.viewer).abs().max_element() > 1;
    assert_eq!(case.cells().filter(far).filter(|&cell| of_raised[cell] != by_gdal[cell]).count(), 0, "{}", case.name);
    // Reference planes are GDAL's method. The exact grade is not near GDAL, but right.
    let (share, others) = agreement(&raised, &margins(&raised, MethodKind::TwoParent), &of_raised);
    let farthest = others.last().copied().unwrap_or(0.0);
    assert!(share >= 0.9995 && farthest <= 0.001, "{}: {share}, margins up to {farthest}", case.name);
    // From ordinary viewpoints the neighbours matter little.
    if case.name.ends_with("middle") {
        let (share, _) = agreement(case, &margins(case, MethodKind::TwoParent), by_gdal);
        assert!(share >= 0.995, "{}: {share} on the ground as it is", case.name);
    }
}
