//! Viewsheds over cells that are higher than wide, as those of rasters in degrees.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellSize, Grid};
use farsight::sight::{Decay, MethodKind, PathRule, SightConfig};
use farsight::viewshed::{Canopy, Surface, Viewshed};

const GRADES: [MethodKind; 2] = [MethodKind::TwoParent, MethodKind::Exact];

fn seen(surface: &Surface<'_>, viewer: IVec2, config: SightConfig) -> Grid<f32> {
    let mut viewshed = Viewshed::new(config).unwrap();
    let view = viewshed.compute(surface, viewer, Job::none()).unwrap();
    Grid::from_fn(surface.ground.width(), surface.ground.height(), |cell| view.get(cell))
}

fn config(radius: u32, method: MethodKind) -> SightConfig {
    SightConfig::default().with_radius(radius).with_method(method).with_path(PathRule::PerLength)
}

fn hills() -> Grid<f32> {
    Grid::from_fn(90, 70, |cell| {
        ((cell.x * 7919 + cell.y * 104_729) % 97) as f32 * 0.4 + (cell.x as f32 * 0.2).sin() * 20.0
    })
}

#[test]
fn what_hills_hide_does_not_depend_on_the_sides_of_cells() {
    let (ground, viewer) = (hills(), ivec2(40, 30));
    for (size, grade) in [CellSize::new(20.0, 30.0), CellSize::new(30.0, 21.0)]
        .into_iter()
        .flat_map(|size| GRADES.map(|grade| (size, grade)))
    {
        let squares = seen(&Surface::of(&ground, 20.0).with_eye_height(9.0), viewer, config(30, grade));
        let rectangles = seen(&Surface::of(&ground, size).with_eye_height(9.0), viewer, config(30, grade));
        let range = 30.0 * size.shorter_m();
        for (cell, &value) in rectangles.iter() {
            let expected = if size.distance_m(cell - viewer) <= range { squares[cell] } else { 0.0 };
            assert_eq!(value.to_bits(), expected.to_bits(), "{grade:?} {cell}");
        }
        let mut viewshed = Viewshed::new(config(30, grade)).unwrap();
        let surface = Surface::of(&ground, size).with_eye_height(9.0);
        let clearance = viewshed.clearance(&surface, viewer, Job::none()).unwrap();
        for (cell, &value) in rectangles.iter().filter(|(cell, _)| (*cell - viewer).abs().max_element() > 1) {
            assert_eq!(clearance.metres(cell).is_some_and(|metres| metres >= 0.0), value == 1.0, "{grade:?} {cell}");
        }
    }
}

#[test]
fn the_curved_horizon_is_a_circle_on_the_ground() {
    let ground = Grid::new(161, 161, 0.0);
    let viewer = ivec2(80, 80);
    // Eye at 2 m: the horizon of a ball is √(2 R h) = 5,051 m away. A target of 1 m is seen √(2 R) further.
    let limit_m = (2.0 * Surface::EARTH_RADIUS_M * 2.0).sqrt() + (2.0 * Surface::EARTH_RADIUS_M).sqrt();
    for (size, grade) in [CellSize::new(120.0, 180.0), CellSize::new(250.0, 130.0)]
        .into_iter()
        .flat_map(|size| GRADES.map(|grade| (size, grade)))
    {
        let surface = Surface::of(&ground, size).with_eye_height(2.0).with_target_height(1.0).with_curvature(1.0);
        let seen = seen(&surface, viewer, config(80, grade));
        for (cell, &value) in seen.iter() {
            let distance = size.distance_m(cell - viewer);
            if distance < limit_m.min(80.0 * size.shorter_m()) - 0.02 * limit_m {
                assert_eq!(value, 1.0, "{grade:?} {cell}: {distance} m");
            } else if distance > limit_m * 1.02 {
                assert_eq!(value, 0.0, "{grade:?} {cell}: {distance} m");
            }
        }
    }
}

#[test]
fn woods_dim_by_the_metres_of_the_line() {
    let ground = Grid::new(81, 81, 0.0);
    let cover = Grid::new(81, 81, 0.6);
    let (viewer, extinction) = (ivec2(40, 40), 0.004);
    let size = CellSize::new(20.0, 31.0);
    for grade in GRADES {
        let canopy = Canopy::of(&cover).with_extinction(extinction);
        let surface = Surface::of(&ground, size).with_eye_height(1.7).with_target_height(1.7).with_canopy(canopy);
        let seen = seen(&surface, viewer, config(40, grade));
        for (cell, &value) in seen.iter().filter(|(_, value)| **value > 0.0) {
            let law = (-extinction * 0.6 * size.distance_m(cell - viewer)).exp() as f32;
            assert!((value - law).abs() < 0.01, "{grade:?} {cell}: {value}, not {law}");
        }
    }
}

#[test]
fn decay_and_range_are_circles_on_the_ground() {
    let ground = Grid::new(81, 81, 0.0);
    let (viewer, size) = (ivec2(40, 40), CellSize::new(20.0, 30.0));
    let decay = Decay::Linear { reach: Some(30.0) };
    let seen =
        seen(&Surface::of(&ground, size).with_eye_height(2.0), viewer, config(28, MethodKind::Exact).with_decay(decay));
    for (cell, &value) in seen.iter() {
        let distance = size.distance_m(cell - viewer) / 20.0;
        let expected = if distance <= 28.0 { 1.0 - distance / 30.0 } else { 0.0 };
        assert!((f64::from(value) - expected).abs() < 1e-6, "{cell}: {value}, not {expected}");
    }
}
