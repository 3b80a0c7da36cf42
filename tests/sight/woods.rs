//! Woods over ground: the law of light within the canopy, and reference planes next to the exact grade.

use farsight::Job;
use farsight::glam::ivec2;
use farsight::grid::Grid;
use farsight::sight::{MethodKind, PathRule, SightConfig};
use farsight::viewshed::{Canopy, Surface, Viewshed};

use crate::support::terrain::fractal;

const RADIUS: u32 = 64;

fn seen(surface: &Surface<'_>, method: MethodKind) -> Grid<f32> {
    let config = SightConfig::default().with_radius(RADIUS).with_method(method).with_path(PathRule::PerLength);
    let mut viewshed = Viewshed::new(config).unwrap();
    let view = viewshed.compute(surface, surface.ground.size() / 2, Job::none()).unwrap();
    Grid::from_fn(surface.ground.width(), surface.ground.height(), |cell| view.get(cell))
}

#[test]
fn a_forest_on_flat_ground_follows_the_law_at_any_cell_size() {
    let (ground, cover) = (Grid::new(129, 129, 0.0f32), Grid::new(129, 129, 1.0f32));
    // 200 m through the forest leave exp(−0.015 · 200) = 0.050.
    for cell_size in [5.0, 20.0, 50.0, 100.0, 200.0] {
        let canopy = Canopy::of(&cover);
        for (eye, target) in [(1.7, 0.0), (10.0, 0.0), (10.0, 5.0)] {
            let surface = Surface::of(&ground, cell_size).with_eye_height(eye).with_canopy(canopy);
            let surface = surface.with_target_height(target);
            for method in [MethodKind::TwoParent, MethodKind::Exact] {
                let seen = seen(&surface, method);
                for step in [ivec2(1, 0), ivec2(0, -1), ivec2(1, 1), ivec2(-1, 1), ivec2(2, -1)] {
                    let cells = (1..).map(|i| step * i).take_while(|cell| cell.length_squared() <= 64 * 64);
                    for cell in cells {
                        let law = (-0.015 * cell_size * cell.as_dvec2().length()).exp();
                        // A line that leaves less than 0.001 is not read to its end.
                        let (left, bound) = (f64::from(seen[cell + 64]), 0.01 * law.max(0.1));
                        assert!(
                            (left - law).abs() < bound,
                            "{method:?}, {cell_size} m, eye {eye}, {cell}: {left}, {law}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn woods_over_hills_are_near_the_exact_grade() {
    let (mut sum, mut report) = (0.0f64, String::new());
    for scene in 0..12u32 {
        let ground =
            fractal(129, scene + 1, [0.45, 0.5][scene as usize % 2], [150.0, 400.0, 800.0][scene as usize % 3]);
        let cover = fractal(129, scene + 51, 0.5, 1.2).map(|v| (v - 0.6).clamp(0.0, 1.0));
        let cell_size = [30.0, 100.0][scene as usize / 6];
        let eye = [1.7, 10.0, 30.0, 60.0][scene as usize % 4];
        let bare = Surface::of(&ground, cell_size).with_eye_height(eye).with_softness([4.0, 60.0][scene as usize / 6]);
        let wooded = bare.with_canopy(Canopy::of(&cover));
        let (exact_hills, exact) = (seen(&bare, MethodKind::Exact), seen(&wooded, MethodKind::Exact));
        let (hills, plane) = (seen(&bare, MethodKind::TwoParent), seen(&wooded, MethodKind::TwoParent));
        // Where reference planes see the hills as the exact grade does: the errors of the horizon are not those of woods.
        let agrees = |cell| (hills[cell] - exact_hills[cell]).abs() < 0.05;
        let cells = plane.iter().filter(|(cell, _)| agrees(*cell) && (*cell - 64).length_squared() <= 64 * 64);
        let (mut count, mut squares) = (0.0, 0.0);
        for (cell, &value) in cells {
            (count, squares) = (count + 1.0, squares + f64::from(value - exact[cell]).powi(2));
        }
        let error = (squares / f64::max(count, 1.0)).sqrt();
        report += &format!("scene {scene}: {error:.4}\n");
        sum += error;
    }
    let mean = sum / 12.0;
    assert!(mean <= 0.02, "mean: {mean:.4}\n{report}");
}
