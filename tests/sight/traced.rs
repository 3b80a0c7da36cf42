//! Horizons and exact viewsheds next to lines traced in `f64`, above all in the first patch.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellSize;
use farsight::horizon::{AzimuthHorizon, HorizonConfig};
use farsight::sight::{MethodKind, SightConfig};
use farsight::sky::Sky;
use farsight::viewshed::{Surface, Viewshed, is_in_sight};
use farsight::{Grid, Job};

use super::support::terrain::fractal;
use super::support::terrain::tracer::{TracedLine, clearance};

/// The heights of the eyes, in metres.
const EYES_M: [f64; 4] = [0.0, 0.001, 0.1, 1.7];

/// Hills, high mountains, saddles of up to 40 m between cells of 10 m, and terraces of whole metres.
fn grounds() -> [(&'static str, Grid<f32>, CellSize); 4] {
    let (hills, rough) = (fractal(44, 3, 0.6, 300.0), fractal(44, 8, 0.99, 40.0));
    let saddles =
        Grid::from_fn(44, 44, |cell| 500.0 + if (cell.x + cell.y) % 2 == 0 { 0.0 } else { rough[cell] / 4.0 });
    [
        ("hills", hills.clone(), CellSize::square(30.0)),
        ("mountains", hills.map(|height| 3000.0 + 15.0 * height), CellSize::new(20.0, 31.0)),
        ("saddles", saddles, CellSize::square(10.0)),
        ("terraces", hills.map(|height| (height / 8.0).round()), CellSize::square(5.0)),
    ]
}

fn cells(ground: &Grid<f32>) -> impl Iterator<Item = IVec2> {
    ground.iter().map(|(cell, _)| cell).filter(|cell| (cell.x + 2 * cell.y) % 7 == 0)
}

#[test]
fn horizons_and_sky_view_factors_are_those_of_traced_lines() {
    const AZIMUTHS: u32 = 24;
    let azimuths = || (0..AZIMUTHS).map(|i| 360.0 * f64::from(i) / f64::from(AZIMUTHS));
    for (name, ground, cell_size) in grounds() {
        for eye_m in EYES_M {
            let surface = Surface::of(&ground, cell_size).with_eye_height(eye_m).with_curvature(0.857);
            let sky = Sky::new(&surface, f64::INFINITY).unwrap();
            let mut traced = Grid::new(ground.width(), ground.height(), 0.0f64);
            let (mut worst_deg, mut worst_of_table_deg) = (0.0f64, 0.0f64);
            for (i, azimuth_deg) in azimuths().chain([157.3, 271.9]).enumerate() {
                let angles = sky.horizon_deg(azimuth_deg, sky.cells(), Job::none()).unwrap();
                for cell in cells(&ground) {
                    let slope = TracedLine::along(&surface, cell, azimuth_deg).greatest_slope(f64::INFINITY, true);
                    if i < AZIMUTHS as usize {
                        traced[cell] += 1.0 / (1.0 + slope.max(0.0).powi(2)) / f64::from(AZIMUTHS);
                    }
                    let along = AzimuthHorizon::of(&surface, cell, azimuth_deg, &HorizonConfig::default()).unwrap();
                    let Some(skyline) = along.skyline() else {
                        assert!(slope == f64::NEG_INFINITY && angles[cell].is_nan());
                        continue;
                    };
                    let traced_deg = slope.atan().to_degrees();
                    worst_deg = worst_deg.max((f64::from(angles[cell]) - traced_deg).abs());
                    worst_of_table_deg = worst_of_table_deg.max((skyline.elevation_deg() - traced_deg).abs());
                }
            }
            assert!(worst_deg < 0.001, "{name}, eye at {eye_m} m: {worst_deg}°");
            assert!(worst_of_table_deg < 1e-6, "{name}, eye at {eye_m} m: {worst_of_table_deg}°");
            let factors = sky.view_factor(AZIMUTHS, sky.cells(), Job::none()).unwrap();
            let apart = |cell| (f64::from(factors[cell]) - traced[cell]).abs();
            let worst = cells(&ground).map(apart).fold(0.0, f64::max);
            assert!(worst < 1e-5, "{name}, eye at {eye_m} m: a sky-view factor is {worst} off");
        }
    }
}

#[test]
fn exact_viewsheds_are_those_of_traced_lines() {
    for (name, ground, cell_size) in grounds() {
        for eye_m in EYES_M {
            let surface = Surface::of(&ground, cell_size).with_eye_height(eye_m).with_curvature(0.857);
            let mut viewshed =
                Viewshed::new(SightConfig::default().with_radius(100).with_method(MethodKind::Exact)).unwrap();
            let mut hidden_neighbours = 0;
            for viewer in [ivec2(20, 23), ivec2(0, 0), ivec2(43, 17), ivec2(9, 40)] {
                let metres = viewshed.clearance(&surface, viewer, Job::none()).unwrap();
                for cell in ground.iter().map(|(cell, _)| cell).filter(|cell| *cell != viewer) {
                    let traced = clearance(&surface, viewer, cell);
                    let Some(found) = metres.metres(cell) else {
                        // Without a horizon; a line that rises from an eye on the ground has none, either.
                        assert!(traced >= 0.0 && (cell - viewer).abs().max_element() == 1, "{name} {viewer} {cell}");
                        continue;
                    };
                    let apart = f64::from(found).min(0.0) - traced.min(0.0);
                    assert!(apart.abs() < 1e-3, "{name}, eye at {eye_m} m: {viewer} {cell}: {found} for {traced}");
                    let is_seen = is_in_sight(&surface, viewer, cell).unwrap();
                    assert!(is_seen == (traced >= 0.0) || traced.abs() < 1e-3, "{name} {viewer} {cell}: {traced}");
                    hidden_neighbours += usize::from(found < -1e-3 && (cell - viewer).abs().max_element() == 1);
                }
            }
            assert!(hidden_neighbours > 0 || name != "saddles", "{name}, eye at {eye_m} m");
        }
    }
}

#[test]
fn a_saddle_hides_a_diagonal_neighbour_up_to_its_top() {
    // Between 0,0 and 1,1 the ground is 40 t (1 - t) metres high: 10 m midway.
    let ground = Grid::from_vec(2, 2, vec![0.0, 20.0, 20.0, 0.0]).unwrap();
    let mut viewshed = Viewshed::new(SightConfig::default().with_method(MethodKind::Exact)).unwrap();
    let surface = Surface::of(&ground, 10.0).with_eye_height(1.7);
    // The slope -1.7/t + 40 - 40 t has its maximum at the root of 1.7/40.
    let horizon_m = 40.0 - 2.0 * (1.7f64 * 40.0).sqrt();
    for (viewer, cell) in [((0, 0), (1, 1)), ((1, 1), (0, 0))] {
        let least_m = viewshed.least_height(&surface, viewer, cell).unwrap().unwrap();
        assert!((f64::from(least_m) - (horizon_m + 1.7)).abs() < 1e-4, "{least_m}");
        assert_eq!(viewshed.line_of_sight(&surface.with_target_height(25.0), viewer, cell).unwrap(), 0.0);
        assert_eq!(viewshed.line_of_sight(&surface.with_target_height(25.3), viewer, cell).unwrap(), 1.0);
    }
    // A ridge along the diagonal hides nothing behind it from the eye on it.
    assert_eq!(viewshed.line_of_sight(&surface, (1, 0), (0, 1)).unwrap(), 1.0);
    // From an eye on the ground, the horizon is the slope of the ground at the eye: 40 m over the diagonal of a cell.
    let surface = surface.with_eye_height(0.0);
    assert_eq!(viewshed.clearance_of(&surface, (0, 0), (1, 1)).unwrap(), Some(-40.0));
    let sky = Sky::new(&surface, f64::INFINITY).unwrap();
    let south_east = sky.horizon_deg(135.0, sky.cells(), Job::none()).unwrap();
    assert!((f64::from(south_east[(0, 0)]) - (40.0 / 200.0f64.sqrt()).atan().to_degrees()).abs() < 1e-5);
}
