//! Scenes on ground whose cells are higher than wide.

use farsight::Job;
use farsight::explain::Explanation;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::preset::Preset;
use farsight::scene::Scene;
use farsight::world::{CellSizes, Ground};

const VIEWER: IVec2 = ivec2(40, 40);

/// A hazy plain without plants, seen from a tower.
fn plain(sizes: CellSizes, method: &str, relief: &str, cell_size_m: f64) -> Scene {
    let mut ground = Ground::new(Grid::new(81, 81, 100.0)).with_cell_sizes(sizes);
    ground.humidity = Some(Grid::new(81, 81, 0.4));
    ground.vegetation = Some(Grid::new(81, 81, 0.0));
    let mut preset = Preset::named("terrain").unwrap();
    preset.world.cell_size_m = cell_size_m;
    for (key, value) in
        [("sight.method", method), ("optics.relief", relief), ("optics.visual_range_m", "1500"), ("sight.radius", "36")]
    {
        preset.set(key, value).unwrap();
    }
    preset.optics.eye_height_m = 30.0;
    preset.perception.creatures = 0.0;
    Scene::on_ground(preset, &ground, Some(VIEWER), Job::quiet()).unwrap()
}

#[test]
fn haze_dims_by_the_metres_of_the_line() {
    let sizes = CellSizes::Equal([20.0, 30.0]);
    for (method, relief) in [
        ("two_parent", "horizon"),
        ("beam", "horizon"),
        ("exact", "horizon"),
        ("two_parent", "difference"),
        ("beam", "difference"),
    ] {
        let scene = plain(sizes, method, relief, 600.0_f64.sqrt());
        let size = scene.world().unwrap().cell_size_at(VIEWER);
        assert!((size.x_m - 20.0).abs() < 1e-9 && (size.y_m - 30.0).abs() < 1e-9);
        for y in 0..81 {
            for x in 0..81 {
                let cell = ivec2(x, y);
                let (seen, distance) = (f64::from(scene.visibility(cell)), size.distance_m(cell - VIEWER));
                if distance > 36.0 * 20.0 + 1e-9 {
                    assert_eq!(seen, 0.0, "{method} {relief} {cell}");
                } else {
                    let law = (-3.912 * distance / 1500.0).exp();
                    assert!((seen - law).abs() < 0.01 * law, "{method} {relief} {cell}: {seen}, not {law}");
                }
            }
        }
        for cell in [ivec2(40, 60), ivec2(70, 40), ivec2(55, 52)] {
            let explained = Explanation::of(&scene, cell).unwrap();
            let (explained, seen) = (explained.explained, f64::from(scene.visibility(cell)));
            assert!((explained - seen).abs() < 0.01 * seen, "{method} {relief} {cell}: {explained}, not {seen}");
        }
        let beyond = Explanation::of(&scene, ivec2(40, 66)).unwrap();
        assert!(beyond.is_out_of_range() && beyond.sentence().contains("39.0 cells away"), "{}", beyond.sentence());
    }
}

#[test]
fn a_degree_is_as_long_as_at_the_viewer() {
    // Cells of a hundredth of a degree over 40 rows on each side of 60° north.
    let sizes = CellSizes::Geographic { north: 60.405, cell: [0.01; 2] };
    let mean = sizes.in_the_middle(81).mean_m();
    let mut scene = plain(sizes, "beam", "horizon", mean);
    for row in [0, 40, 80] {
        scene.place(ivec2(40, row)).unwrap();
        let viewer = scene.viewer();
        let size = scene.world().unwrap().cell_size_at(viewer);
        let latitude = (60.4 - 0.01 * f64::from(row)).to_radians();
        // A degree of longitude: 111,412.84 cos φ − 93.5 cos 3φ (Snyder, Map Projections, 1987).
        let east_m = 0.01 * (111_412.84 * latitude.cos() - 93.5 * (3.0 * latitude).cos());
        assert!((size.x_m - east_m).abs() < 0.1, "{} {east_m}", size.x_m);
        let (seen, law) = (scene.visibility(ivec2(43, row)), (-3.912 * 3.0 * east_m / 1500.0).exp());
        assert!((f64::from(seen) - law).abs() < 0.01 * law, "row {row}: {seen}, not {law}");
    }
}
