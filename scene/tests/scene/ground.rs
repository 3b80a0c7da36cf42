//! Scenes on measured ground: nodata cells are never seen, entered or inhabited.

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::perception::CellMemory;
use farsight::sight::SightError;
use farsight_scene::atlas::{Atlas, AtlasLayer, AtlasPlan, Cells};
use farsight_scene::export::ExportOptions;
use farsight_scene::files::Format;
use farsight_scene::paint::{Backdrop, PaintOptions, Unseen, Zoom, paint};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::{Biome, Ground, World, WorldConfig};

/// Rolling ground of 60 × 40 cells with a hole of 7 × 5 in the middle and a torn corner.
fn torn() -> Ground {
    Ground::new(Grid::from_fn(60, 40, |cell| {
        let hole = (cell - ivec2(30, 20)).abs().cmple(ivec2(3, 2)).all();
        let torn = cell.x + cell.y < 9;
        let height = 120.0 + 30.0 * (cell.x as f32 * 0.2).sin() + 20.0 * (cell.y as f32 * 0.3).cos();
        if hole || torn { f32::NAN } else { height }
    }))
}

fn preset(name: &str) -> Preset {
    let mut preset = Preset::named(name).unwrap();
    preset.world.cell_size_m = 30.0;
    preset.sight.radius = 30;
    preset.optics.eye_height_m = 60.0;
    preset.perception.creatures = 400.0;
    preset
}

fn scene(preset: Preset, viewer: Option<IVec2>) -> Scene {
    Scene::from_dem(preset, torn(), viewer, Job::none()).unwrap()
}

fn cells(scene: &Scene) -> Vec<IVec2> {
    let size = scene.size();
    (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y))).collect()
}

fn is_hole(cell: IVec2) -> bool {
    torn().elevation_m.get(cell).is_none_or(|v| v.is_nan())
}

#[test]
fn cells_without_data_are_never_seen_and_hide_nothing() {
    for method in ["two_parent", "beam", "exact"] {
        let mut preset = preset("temperate");
        preset.set("sight.method", method).unwrap();
        // No wood hides cells behind the hole, whatever the seed.
        preset.set("world.vegetation", "0").unwrap();
        let scene = scene(preset.clone(), Some(ivec2(22, 20)));
        preset.set("optics.relief", "horizon").unwrap();
        let sharp = self::scene(preset, Some(ivec2(22, 20)));
        assert!(cells(&sharp).into_iter().all(|cell| !is_hole(cell) || sharp.visibility(cell) == 0.0), "{method}");
        assert!(sharp.visibility(ivec2(36, 20)) > 0.1, "{method}: over the hole");
        let mut beyond = 0;
        for cell in cells(&scene) {
            let seen = scene.visibility(cell);
            assert!(seen.is_finite() && (!is_hole(cell) || seen == 0.0), "{method} {cell}: {seen}");
            assert!(!is_hole(cell) || scene.memory(cell) == CellMemory::Hidden);
            beyond += i32::from(cell.x > 34 && (18..23).contains(&cell.y) && seen > 0.2);
        }
        assert!(beyond > 20, "{method}: {beyond} cells behind the hole are seen");
    }
    for method in ["shadowcast", "raycast_circle", "raycast_border"] {
        let mut preset = preset("temperate");
        preset.set("sight.method", method).unwrap();
        let scene = scene(preset, Some(ivec2(22, 20)));
        assert!(cells(&scene).into_iter().all(|cell| !is_hole(cell) || scene.visibility(cell) == 0.0));
    }
}

#[test]
fn nobody_enters_cells_without_data() {
    let mut scene = scene(preset("temperate"), Some(ivec2(25, 20)));
    assert!(scene.step(ivec2(1, 0)).unwrap());
    assert!(!scene.step(ivec2(1, 0)).unwrap(), "the hole begins at 27,20");
    assert_eq!(scene.viewer(), ivec2(26, 20));
    assert_eq!(scene.place(ivec2(30, 20)), Err(SightError::ViewerWithoutData { viewer: ivec2(30, 20) }));
    assert_eq!(scene.viewer(), ivec2(26, 20));
    for _ in 0..40 {
        scene.wait().unwrap();
    }
    assert!(!scene.creatures().all().is_empty());
    assert!(scene.creatures().all().iter().all(|creature| !is_hole(creature.cell)));
    let error = Scene::from_dem(preset("temperate"), torn(), Some(ivec2(0, 0)), Job::none()).unwrap_err();
    let wanted = "the viewer at 0,0 is on a nodata cell; choose a cell with an elevation";
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn lamps_and_observers_need_cells_with_data() {
    let mut preset = preset("temperate");
    preset.set("viewers", "[{ at = [40, 20] }]").unwrap();
    let scene = scene(preset.clone(), Some(ivec2(22, 20)));
    assert!(cells(&scene).into_iter().all(|cell| !is_hole(cell) || scene.visibility(cell) == 0.0));
    preset.set("viewers", "[{ at = [30, 20] }]").unwrap();
    let error = Scene::from_dem(preset, torn(), None, Job::none()).unwrap_err().to_string();
    assert_eq!(error, "viewers[0] is at 30,20, on a nodata cell: expected a cell with an elevation");
}

#[test]
fn viewpoint_has_data() {
    assert!(!is_hole(scene(preset("temperate"), None).viewer()));
    for only in [ivec2(0, 0), ivec2(17, 3), ivec2(19, 19)] {
        let ground = Ground::new(Grid::from_fn(20, 20, |cell| if cell == only { 50.0 } else { f32::NAN }));
        let scene = Scene::from_dem(preset("temperate"), &ground, None, Job::none()).unwrap();
        assert_eq!((scene.viewer(), scene.visibility(only)), (only, 1.0));
    }
    let nothing = Ground::new(Grid::new(4, 4, f32::NAN));
    let error = Scene::from_dem(preset("temperate"), &nothing, None, Job::none()).unwrap_err();
    assert_eq!(error.to_string(), "no cell of the map has an elevation");
}

#[test]
fn world_layers_are_nan_without_data() {
    let scene = scene(preset("temperate"), Some(ivec2(22, 20)));
    let whole = CellRect::of_size(scene.size());
    for &layer in Layer::ALL {
        let Ok(values) = scene.layer(layer, whole) else { continue };
        let of_world = [Layer::Elevation, Layer::Humidity, Layer::Vegetation, Layer::Temperature, Layer::Biome];
        for (cell, value) in values.iter() {
            let of_line = [Layer::MinVisibleHeight, Layer::SlopeMargin].contains(&layer);
            let lacking = is_hole(cell) && (of_world.contains(&layer) || of_line);
            assert!(value.is_nan() == lacking || of_line && !lacking, "{} at {cell}: {value}", layer.name());
        }
        for format in [Format::Npy, Format::Csv, Format::Json, Format::Asc, Format::Tif, Format::Png] {
            let options = ExportOptions::default().with_layer(layer);
            options.product(&scene, format).unwrap().encode(format).unwrap();
        }
    }
    assert_eq!(scene.biome(ivec2(30, 20)), None);
    assert_eq!(scene.world().unwrap().biome()[ivec2(30, 20)], Biome::Unknown);
}

#[test]
fn cells_without_data_are_painted_as_neither_land_nor_a_value() {
    let scene = scene(preset("temperate"), Some(ivec2(22, 20)));
    for backdrop in [Backdrop::Land, Backdrop::Layer(Layer::Elevation), Backdrop::Layer(Layer::Visibility)] {
        for &unseen in Unseen::ALL {
            let frame = CellRect { min: ivec2(-1, 10), max: ivec2(60, 30) };
            let options = PaintOptions::new(frame, Zoom::PixelsPerCell(4)).with_backdrop(backdrop).with_unseen(unseen);
            let picture = paint(&scene, &options);
            let at = |cell: IVec2| {
                let at = (cell - frame.min) * 4 + 1;
                picture.get(at.x as usize, at.y as usize).unwrap()
            };
            let [hole, land, off_map] = [ivec2(30, 20), ivec2(24, 20), ivec2(-1, 20)].map(at);
            let differ = |a: [u8; 3], b: [u8; 3]| (0..3).map(|i| a[i].abs_diff(b[i])).max() > Some(16);
            assert!(
                differ(hole, land) && differ(land, off_map),
                "{backdrop:?} {unseen:?}: {hole:?} {land:?} {off_map:?}"
            );
        }
    }
}

#[test]
fn atlas_has_no_value_without_data() {
    let mut preset = preset("temperate");
    preset.sight.radius = 6;
    let scene = scene(preset, Some(ivec2(22, 20)));
    let plan = AtlasPlan::new(&scene, "", None, Cells::Every(1)).unwrap();
    let atlas = Atlas::compute(&plan, &scene, Job::none()).unwrap();
    for &layer in AtlasLayer::ALL {
        assert!(atlas.values(layer).iter().all(|(cell, value)| value.is_nan() == is_hole(cell)), "{}", layer.name());
    }
}

#[test]
fn given_fields_replace_the_climate() {
    let mut ground = torn();
    ground.humidity = Some(Grid::new(60, 40, 0.3));
    let mut wood = Grid::new(60, 40, 0.9);
    wood[ivec2(50, 30)] = f32::NAN;
    ground.vegetation = Some(wood);
    let config = WorldConfig::default().with_cell_size_m(30.0);
    let world = World::from_dem(&ground, &config, Job::none()).unwrap();
    assert_eq!((world.humidity()[ivec2(20, 20)], world.vegetation()[ivec2(20, 20)]), (0.3, 0.9));
    assert_ne!(world.vegetation()[ivec2(50, 30)], 0.9);
    assert_eq!(world.config().width, 60);
    let broken = |change: fn(&mut Ground)| {
        let mut ground = torn();
        change(&mut ground);
        World::from_dem(&ground, &config, Job::none()).unwrap_err().to_string()
    };
    assert_eq!(
        broken(|ground| ground.humidity = Some(Grid::new(60, 41, 0.3))),
        "humidity: 60x41 cells is not valid: expected 60x40, as the elevation"
    );
    assert_eq!(
        broken(|ground| ground.vegetation = Some(Grid::new(60, 40, 1.5))),
        "vegetation at 0,0: 1.5 is not valid: expected 0 to 1"
    );
    assert_eq!(
        broken(|ground| ground.elevation_m[ivec2(9, 9)] = f32::INFINITY),
        "elevation at 9,9: inf is not valid: expected -20000 to 20000 m"
    );
}

#[test]
fn climate_and_sea_level_change_but_the_ground_stays() {
    let mut preset = preset("temperate");
    let mild = scene(preset.clone(), Some(ivec2(22, 20)));
    preset.world.base_temperature_c = -20.0;
    preset.world.land = 0.1; // means nothing here
    let icy = scene(preset.clone(), Some(ivec2(22, 20)));
    let at = ivec2(40, 30);
    assert_eq!((mild.biome(at) == Some(Biome::Ice), icy.biome(at)), (false, Some(Biome::Ice)));
    assert_eq!(mild.world().unwrap().elevation_m()[at], icy.world().unwrap().elevation_m()[at]);
    assert_eq!(icy.preset().world.land, WorldConfig::default().land);
    preset.world.sea_level_m = Some(125.0);
    let flooded = scene(preset, Some(ivec2(22, 20)));
    let world = flooded.world().unwrap();
    let seas = world.ground_m().iter().filter(|(cell, ground)| **ground == 125.0 && !is_hole(*cell)).count();
    assert!(seas > 300, "{seas}");
    assert!(world.ground_m().iter().all(|(cell, ground)| is_hole(cell) || *ground >= world.elevation_m()[cell]));
}

#[test]
fn ground_below_0_m_is_sea_only_with_a_sea_level() {
    // A shore of the Dead Sea: the ridge at 2,0 hides the cells behind it.
    let heights = vec![-400.0, -400.0, -380.0, -400.0, -400.0, -400.0];
    let shore = |preset: Preset| {
        let ground = Ground::new(Grid::from_vec(6, 1, heights.clone()).unwrap());
        Scene::from_dem(preset, &ground, Some(ivec2(0, 0)), Job::none()).unwrap()
    };
    let mut preset = Preset::named("viewshed").unwrap();
    let dry = shore(preset.clone());
    let seen: Vec<bool> = (0..6).map(|x| dry.visibility(ivec2(x, 0)) > 0.5).collect();
    assert_eq!(seen, [true, true, true, false, false, false]);
    let world = dry.world().unwrap();
    assert_eq!(world.ground_m().as_slice(), heights);
    assert!(world.biome().as_slice().iter().all(|biome| !biome.is_water()), "{:?}", world.biome().as_slice());
    preset.set("world.sea_level_m", "0").unwrap();
    let flooded = shore(preset);
    let world = flooded.world().unwrap();
    assert_eq!(world.ground_m().as_slice(), [0.0; 6]);
    assert!(world.biome().as_slice().iter().all(|biome| biome.is_water()), "{:?}", world.biome().as_slice());
}
