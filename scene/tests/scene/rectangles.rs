//! Scenes on ground whose cells are higher than wide.

use farsight::Job;
use farsight::glam::{IVec2, dvec2, ivec2};
use farsight::grid::Grid;
use farsight::light::Lamp;
use farsight_scene::atlas::{AtlasLayer, Cells};
use farsight_scene::explain::{Cause, Explanation, Section};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::{CellSizes, Ground, Water, World, WorldConfig};

use super::atlas::atlas;

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
    Scene::from_dem(preset, &ground, Some(VIEWER), Job::none()).unwrap()
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

/// Ground in metres to the east and south of the middle of the map, on cells of two sides.
fn ground_of(size: IVec2, sides_m: [f64; 2], height: impl Fn(f64, f64) -> f64) -> Ground {
    let middle = (size.as_dvec2() - 1.0) / 2.0;
    let elevation_m = Grid::from_fn(size.x as usize, size.y as usize, |cell| {
        let at = (cell.as_dvec2() - middle) * dvec2(sides_m[0], sides_m[1]);
        height(at.x, at.y) as f32
    });
    let is_square = sides_m[0] == sides_m[1];
    Ground::new(elevation_m).with_cell_sizes((!is_square).then_some(CellSizes::Equal(sides_m)))
}

/// A night in clear air on bare ground.
fn night(ground: Ground, sides_m: [f64; 2], relief: &str, lantern: f64, lamps: Vec<Lamp>) -> Scene {
    let size = ground.elevation_m.size();
    let mut ground = ground;
    ground.humidity = Some(Grid::new(size.x as usize, size.y as usize, 0.4));
    ground.vegetation = Some(Grid::new(size.x as usize, size.y as usize, 0.0));
    let mut preset = Preset::named("terrain").unwrap();
    preset.world.cell_size_m = (sides_m[0] * sides_m[1]).sqrt();
    preset.set("optics.relief", relief).unwrap();
    preset.set("optics.visual_range_m", "inf").unwrap();
    preset.set("optics.fog_visual_range_m", "inf").unwrap();
    (preset.optics.light, preset.optics.lantern) = (0.0, lantern);
    (preset.clock.runs, preset.perception.creatures) = (false, 0.0);
    preset.lamps = lamps;
    Scene::from_dem(preset, &ground, Some(size / 2), Job::none()).unwrap()
}

#[test]
fn lamps_and_lanterns_shine_in_circles_on_the_ground() {
    let (sides_m, size) = ([20.0, 30.0], IVec2::splat(81));
    for relief in ["horizon", "difference"] {
        let flat = |lantern, lamps| night(ground_of(size, sides_m, |_, _| 100.0), sides_m, relief, lantern, lamps);
        let lantern = flat(14.0, Vec::new());
        let lamp = flat(0.0, vec![Lamp::new(VIEWER).with_reach(14.0)]);
        for y in 0..81 {
            for x in 0..81 {
                let cell = ivec2(x, y);
                let share = ((cell - VIEWER).as_dvec2() * dvec2(20.0, 30.0)).length() / (14.0 * 20.0);
                let light = f64::from(lantern.light(cell));
                let law = if share < 1.0 { (1.0 - share * share).powi(2) } else { 0.0 };
                assert!((light - law).abs() < 1e-6, "lantern, {cell}: {light}, not {law}");
                // The decay of lamps: sat(1 − (d/reach)⁴)² / (1 + (d/half)²).
                let law = (1.0 - share.powi(4)).max(0.0).powi(2) / (1.0 + 4.0 * share * share);
                let light = f64::from(lamp.light(cell));
                assert!((light - law).abs() < 1e-3, "lamp, {relief} {cell}: {light}, not {law}");
            }
        }
    }
}

#[test]
fn a_lamp_lights_hills_as_on_square_cells() {
    let hills =
        |x: f64, y: f64| 100.0 + 16.0 * (x / 140.0).sin() * (y / 180.0).cos() + 9.0 * (x / 62.0 + y / 86.0).sin();
    let lamp = |size: IVec2| vec![Lamp::new(size / 2).with_reach(30.0).with_height_m(6.0)];
    let (size, square) = (ivec2(81, 41), ivec2(81, 81));
    let rectangles = night(ground_of(size, [20.0, 40.0], hills), [20.0, 40.0], "horizon", 0.0, lamp(size));
    let squares = night(ground_of(square, [20.0; 2], hills), [20.0; 2], "horizon", 0.0, lamp(square));
    let (mut lit, mut dark, mut wrong) = (0, 0, 0);
    for y in 0..41 {
        for x in 0..81 {
            let (here, there) = (rectangles.light(ivec2(x, y)), squares.light(ivec2(x, 2 * y)));
            lit += i32::from(there > 0.0);
            dark += i32::from(there == 0.0 && (ivec2(x, 2 * y) - square / 2).as_dvec2().length() < 29.0);
            wrong += i32::from((here - there).abs() > 0.02);
        }
    }
    // Rectangles leave out every second row of the hills, which moves the rims of shadows.
    assert!(lit > 300 && dark > 200 && wrong < (lit + dark) / 20, "{wrong} of {lit} lit and {dark} dark cells");
}

fn world_on(ground: &Ground, mean_m: f64) -> World {
    let config = WorldConfig::default().with_cell_size_m(mean_m).with_river_basin_km2(0.4);
    World::from_dem(ground, &config, Job::none()).unwrap()
}

#[test]
fn water_flows_down_the_steepest_metres() {
    // Down to the east by 1, to the south by 0.4. On squares of 20 m the neighbour in the south-east would be the steepest.
    for (sides_m, next) in [([20.0, 30.0], ivec2(21, 20)), ([20.0, 5.0], ivec2(21, 21)), ([60.0, 20.0], ivec2(21, 21))]
    {
        let ground = ground_of(ivec2(41, 41), sides_m, |x, y| 1000.0 - 0.1 * x - 0.04 * y);
        let world = world_on(&ground, (sides_m[0] * sides_m[1]).sqrt());
        let steepest = |to: IVec2| {
            let way = to.as_dvec2() * dvec2(sides_m[0], sides_m[1]);
            way.dot(dvec2(0.1, 0.04)) / way.length()
        };
        let ways = [ivec2(1, 0), ivec2(1, 1), ivec2(0, 1)];
        let best = ways.into_iter().max_by(|a, b| steepest(*a).total_cmp(&steepest(*b))).unwrap();
        assert_eq!(world.flow().downstream(ivec2(20, 20)), Some(ivec2(20, 20) + best), "{sides_m:?}");
        assert_eq!(ivec2(20, 20) + best, next, "{sides_m:?}");
    }
}

#[test]
fn each_row_drains_the_area_of_its_own_cells() {
    let sizes = CellSizes::Geographic { north: 60.0, cell: [0.01; 2] };
    let ground = Ground::new(Grid::from_fn(60, 200, |cell| 3000.0 - 10.0 * cell.x as f32)).with_cell_sizes(sizes);
    let world = world_on(&ground, sizes.in_the_middle(200).mean_m());
    for y in 1..199 {
        // The last column drains along the edge of the map.
        let size = world.cell_size_at(ivec2(58, y));
        let area = 59.0 * size.x_m * size.y_m / 1e6;
        let drained = f64::from(world.flow().drainage_km2()[ivec2(58, y)]);
        assert!((drained - area).abs() < 1e-5 * area, "row {y}: {drained} km², not {area}");
    }
}

#[test]
fn rivers_are_those_of_square_cells() {
    // A winding valley, 1,200 m wide and 6,000 m long, that runs to the south.
    let middle = |y: f64| 150.0 * (y / 400.0).sin();
    let valley = |x: f64, y: f64| 900.0 - 0.02 * y + 0.1 * (x - middle(y)).abs();
    let rectangles = world_on(&ground_of(ivec2(60, 200), [20.0, 30.0], valley), 600.0_f64.sqrt());
    let squares = world_on(&ground_of(ivec2(60, 300), [20.0; 2], valley), 20.0);
    let river = |world: &World, y: i32| {
        let row = || (0..60).map(|x| ivec2(x, y));
        let water: Vec<i32> = row().filter(|cell| world.water()[*cell] == Water::River).map(|cell| cell.x).collect();
        (row().map(|cell| world.flow().drainage_km2()[cell]).fold(0.0, f32::max), water)
    };
    // The streams on both sides of the middle join in the bends, which are in other cells here and there.
    let mut errors = Vec::new();
    for y in (20..99).map(|k| 2 * k + 1) {
        // Row y of rectangles is half a metre row away from both neighbours among the squares: 30 (y + ½) = 20 (i + ½).
        let ((area, at), (other_area, other_at)) = (river(&rectangles, y), river(&squares, (3 * y + 1) / 2));
        errors.push(f64::from((area - other_area).abs() / other_area));
        assert!(errors[errors.len() - 1] < 0.15, "row {y}: {area} and {other_area} km²");
        assert!(
            (at.is_empty() == other_at.is_empty()) || (other_area - 0.4).abs() < 0.05,
            "row {y}: {at:?} and {other_at:?}"
        );
        if let (Some(x), Some(other)) = (at.first(), other_at.first()) {
            assert!((x - other).abs() <= 2, "row {y}: {at:?} and {other_at:?}");
        }
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean < 0.03, "{mean}");
    assert!(river(&rectangles, 190).1.len() < 6 && !river(&rectangles, 190).1.is_empty());
}

#[test]
fn climate_counts_in_metres() {
    let hills = |x: f64, y: f64| 500.0 + 260.0 * (x / 500.0).sin() * (y / 700.0).cos();
    // Row j of cells that are 60 m high is row 3 j + 1 of squares of 20 m.
    let rectangles = world_on(&ground_of(ivec2(150, 50), [20.0, 60.0], hills), 1200.0_f64.sqrt());
    let squares = world_on(&ground_of(ivec2(150, 150), [20.0; 2], hills), 20.0);
    let fields = [World::temperature_c, World::humidity, World::vegetation];
    for (field, (name, tolerance)) in
        fields.into_iter().zip([("temperature", 0.1), ("humidity", 0.02), ("vegetation", 0.05)])
    {
        let (mut differences, mut spread, mut count) = (0.0, 0.0, 0.0);
        let mean = field(&squares).as_slice().iter().map(|value| f64::from(*value)).sum::<f64>() / 22_500.0;
        for y in 4..46 {
            for x in 4..146 {
                let (here, there) = (field(&rectangles)[ivec2(x, y)], field(&squares)[ivec2(x, 3 * y + 1)]);
                differences += f64::from((here - there).abs());
                spread += (f64::from(there) - mean).abs();
                count += 1.0;
            }
        }
        let [difference, spread] = [differences / count, spread / count];
        assert!(difference < tolerance && difference < 0.4 * spread, "{name}: {difference}, of a spread of {spread}");
    }
}

#[test]
fn an_atlas_counts_the_cells_of_the_circle_on_the_ground() {
    let scene = plain(CellSizes::Equal([20.0, 30.0]), "beam", "horizon", 600.0_f64.sqrt());
    let mut preset = scene.preset().clone();
    preset.set("optics.visual_range_m", "inf").unwrap();
    preset.set("optics.fog_visual_range_m", "inf").unwrap();
    let mut scene = scene;
    scene.apply(preset).unwrap();
    let cells = Cells::list(vec![VIEWER, ivec2(40, 10)]);
    let atlas = atlas(&scene, cells);
    let (shares, farthest) = (atlas.values(AtlasLayer::Identified), atlas.values(AtlasLayer::Farthest));
    for viewer in [VIEWER, ivec2(40, 10)] {
        // All of the plain within the range of sight, 36 · 20 m, is seen. 36 cells to the east are farther than 24 to the south.
        assert_eq!(shares[viewer], 1.0);
        assert_eq!(farthest[viewer], 36.0);
    }
    let (_, seen) = atlas.iter().next().unwrap();
    assert_eq!((seen.farthest - ivec2(40, 10)).as_dvec2().length(), 36.0);
}

#[test]
fn a_section_measures_on_the_ground() {
    let scene = plain(CellSizes::Equal([20.0, 30.0]), "beam", "horizon", 600.0_f64.sqrt());
    for (target, distance) in [(ivec2(40, 60), 30.0), (ivec2(60, 40), 20.0)] {
        let section = Section::of(&scene, target);
        assert_eq!(section.points.last().unwrap().distance, distance);
        assert_eq!(Explanation::of(&scene, target).unwrap().distance(), distance);
    }
}

/// A plain with a wood east of the viewer, in which some cells are felled.
fn with_wood(felled: &[IVec2]) -> Scene {
    let mut ground = Ground::new(Grid::new(81, 81, 100.0)).with_cell_sizes(CellSizes::Equal([20.0, 30.0]));
    ground.humidity = Some(Grid::new(81, 81, 0.4));
    let is_wood = |cell: IVec2| (45..47).contains(&cell.x) && (40..60).contains(&cell.y) && !felled.contains(&cell);
    ground.vegetation = Some(Grid::from_fn(81, 81, |cell| if is_wood(cell) { 0.5 } else { 0.0 }));
    let mut preset = Preset::named("terrain").unwrap();
    preset.world.cell_size_m = 600.0_f64.sqrt();
    for (key, value) in [
        ("sight.method", "exact"),
        ("sight.path", "per_length"),
        ("optics.relief", "none"),
        ("optics.vegetation_extinction_per_m", "0.05"),
    ] {
        preset.set(key, value).unwrap();
    }
    preset.perception.creatures = 0.0;
    Scene::from_dem(preset, &ground, Some(VIEWER), Job::none()).unwrap()
}

#[test]
fn gain_of_a_wood_is_exact_on_rectangular_cells() {
    let (scene, target) = (with_wood(&[]), ivec2(52, 49));
    let explanation = Explanation::of(&scene, target).unwrap();
    let wood = explanation.losses.iter().find(|loss| loss.cause == Cause::Forest).unwrap();
    let gained = f64::from(with_wood(&wood.regions[0].cells).perceived(target) - scene.perceived(target));
    let found = wood.regions[0].gain;
    assert!(gained > 0.05 && (found - gained).abs() < 1e-5, "{gained} against {found}");
}
