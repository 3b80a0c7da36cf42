//! Viewsheds against GDAL's. Needs `gdal_viewshed` (Debian: gdal-bin):
//! `cargo test --test sight viewshed_gdal -- --ignored`.

use std::path::Path;

use crate::support::terrain::fractal;
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

#[test]
#[ignore = "needs gdal_viewshed"]
fn viewsheds_below_roofs_and_opaque_woods_are_those_of_gdal_on_the_surface() {
    let folder = tempfile::tempdir().unwrap();
    for case in gdal::fractals(&[(1, 0.5, 600.0), (5, 0.4, 1500.0), (9, 0.45, 150.0)]) {
        // GDAL reads the surface; the eye is lowered to the ground of its cell, and targets to the ground of theirs.
        let ground = case.with_raised_neighbours().ground.map(|height| height + 1000.0); // GDAL gives no elevation below 0
        let obstacles = with_village_and_woods(&ground, case.viewer);
        let of_surface = Case { ground: obstacles.clone(), name: case.name.clone(), ..case }.with_raised_neighbours();
        let eye_m = f64::from(ground[case.viewer]) + gdal::EYE_M - f64::from(of_surface.ground[case.viewer]);
        let least_m =
            gdal::least_elevations(&of_surface, eye_m, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let bare = Case { ground, ..case };
        let surface = bare.surface().with_obstacles(&of_surface.ground);
        let config = SightConfig::default().with_radius(RADIUS).with_method(MethodKind::TwoParent);
        let mut viewshed = Viewshed::new(config).unwrap();
        let clearance = viewshed.clearance(&surface, bare.viewer, Job::none()).unwrap();
        let (mut cells, mut hidden, mut differ) = (0, 0, Vec::new());
        for cell in bare.cells() {
            let metres = clearance.metres(cell).unwrap_or(f32::INFINITY);
            let by_gdal = f64::from(bare.ground[cell]) - least_m[cell];
            cells += 1;
            hidden += usize::from(metres < 0.0);
            // Within a centimetre of the horizon, rounding decides.
            if (metres >= 0.0) != (by_gdal >= 0.0) && metres.abs() > 0.01 && by_gdal.abs() > 0.01 {
                differ.push((cell, metres, by_gdal));
            }
        }
        assert!(differ.is_empty(), "{}: {} of {cells}: {:?}", bare.name, differ.len(), &differ[..differ.len().min(9)]);
        assert!(hidden > cells / 4, "{}", bare.name);
    }
}

/// Returns the ground with rows of houses and patches of wood on it, except next to the viewer, whose neighbours GDAL raises.
fn with_village_and_woods(ground: &Grid<f32>, viewer: IVec2) -> Grid<f32> {
    let woods = fractal(SIDE, 77, 0.5, 60.0);
    Grid::from_fn(SIDE, SIDE, |cell| {
        let is_house = cell.x.rem_euclid(23) < 3 && cell.y.rem_euclid(17) < 4;
        let tree_m = (woods[cell] - 35.0).clamp(0.0, 25.0);
        let is_near = (cell - viewer).abs().max_element() <= 1;
        ground[cell] + if is_near { 0.0 } else { tree_m.max(if is_house { 9.0 } else { 0.0 }) }
    })
}
