//! Properties of every generated world, over many seeds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight_scene::preset::{Preset, Setting, SettingKind};
use farsight_scene::world::{Biome, Ground, Water, World, WorldConfig, WorldError};
use proptest::prelude::{ProptestConfig, proptest};

/// A whole region on few cells.
fn region(seed: u64) -> WorldConfig {
    WorldConfig::default().with_seed(seed).with_width(160).with_height(128).with_cell_size_m(300.0)
}

fn world(config: &WorldConfig) -> World {
    World::generate(config, Job::none()).unwrap()
}

fn is_sea(world: &World, cell: IVec2) -> bool {
    world.water()[cell] == Water::Sea
}

fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, n) = values.fold((0.0_f64, 0_u32), |(sum, n), value| (sum + f64::from(value), n + 1));
    (sum / f64::from(n.max(1))) as f32
}

fn land_share(world: &World) -> f64 {
    let land = world.water().as_slice().iter().filter(|&&water| water != Water::Sea).count();
    land as f64 / world.water().as_slice().len() as f64
}

/// All values of a world.
fn bytes(world: &World) -> Vec<u8> {
    let fields = [
        world.elevation_m(),
        world.ground_m(),
        world.temperature_c(),
        world.humidity(),
        world.vegetation(),
        world.flow().drainage_km2(),
    ];
    let mut bytes: Vec<u8> = fields.iter().flat_map(|field| field.as_slice()).flat_map(|v| v.to_le_bytes()).collect();
    bytes.extend(world.water().as_slice().iter().map(|&water| water as u8));
    bytes.extend(world.biome().as_slice().iter().map(|&biome| biome as u8));
    bytes.extend(world.biome().iter().map(|(cell, _)| match world.flow().downstream(cell) {
        None => 9,
        Some(next) => ((next - cell).x + 1 + 3 * ((next - cell).y + 1)) as u8,
    }));
    bytes
}

/// The FNV-1a hash of Fowler, Noll and Vo, 64 bits.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn world_settings() -> impl Iterator<Item = &'static Setting> {
    Preset::settings().filter(|setting| setting.section() == "world")
}

/// Extreme sizes and values.
fn extreme_configs() -> Vec<WorldConfig> {
    let base = region(5);
    let sizes = [(1, 1), (1, 2), (3, 7), (1, 90), (70, 2), (16, 16), (17, 33)];
    let mut configs: Vec<_> =
        sizes.map(|(width, height)| base.clone().with_width(width).with_height(height).with_cell_size_m(100.0)).into();
    let small = base.with_width(60).with_height(50);
    for setting in world_settings() {
        let (SettingKind::Number { min, max, .. }, name) = (setting.kind, setting.name()) else { continue };
        for value in [min, max] {
            let mut table = toml::Table::try_from(small.clone()).unwrap();
            table.insert(name.into(), value.into());
            configs.push(table.try_into().unwrap());
        }
    }
    configs
}

/// Makes the world and checks every cell.
fn check_fields(config: &WorldConfig) {
    let world = world(config);
    assert_eq!((world.width() as u32, world.height() as u32), (config.width, config.height));
    for (cell, &biome) in world.biome().iter() {
        let at = || format!("{cell} of {config:?}");
        let (elevation, ground) = (world.elevation_m()[cell], world.ground_m()[cell]);
        assert!((-12_000.0..14_000.0).contains(&elevation), "{elevation} m at {}", at());
        assert!((-150.0..100.0).contains(&world.temperature_c()[cell]), "{}", at());
        assert!((0.0..=1.0).contains(&world.humidity()[cell]), "{}", at());
        assert!((0.0..=1.0).contains(&world.vegetation()[cell]), "{}", at());
        let water = world.water()[cell];
        assert_eq!(biome.is_water(), water != Water::None, "{}", at());
        match water {
            Water::Sea => assert!(elevation < 0.0 && ground == 0.0, "{elevation} m at {}", at()),
            Water::Lake => assert!(elevation < ground, "{elevation} m under {ground} m at {}", at()),
            _ => assert!(elevation == ground && ground > 0.0, "{elevation} m, {ground} m at {}", at()),
        }
        assert!(water == Water::None || world.vegetation()[cell] == 0.0, "plants in water at {}", at());
    }
}

#[test]
fn fields_are_finite_in_range_and_agree_with_each_other() {
    for config in (0..12).map(region).chain(extreme_configs()) {
        check_fields(&config);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_configuration_in_range_makes_a_world(
        seed in 0..i64::MAX as u64,
        size in [1_u32..40, 1_u32..40],
        places in proptest::collection::vec(0.0..=1.0_f64, world_settings().count()),
    ) {
        let config = WorldConfig::default().with_seed(seed).with_width(size[0]).with_height(size[1]);
        let mut table = toml::Table::try_from(config).unwrap();
        for (setting, place) in world_settings().zip(places) {
            if let SettingKind::Number { min, max, log, .. } = setting.kind {
                let value = if log { min * (max / min).powf(place) } else { min + (max - min) * place };
                table.insert(setting.name().into(), value.clamp(min, max).into());
            }
        }
        check_fields(&table.try_into().unwrap());
    }
}

#[test]
fn share_of_land_is_that_of_the_configuration() {
    for land in [0.0, 0.2, 0.5, 0.8, 1.0] {
        for seed in 0..6 {
            let share = land_share(&world(&region(seed).with_land(land)));
            let allowed = if land == 0.0 || land == 1.0 { 0.0 } else { 0.08 };
            assert!((share - land).abs() <= allowed, "{share} of the map is land, not {land}, with seed {seed}");
        }
    }
}

#[test]
fn land_is_as_likely_at_the_edges_as_in_the_middle() {
    // The default region, 51.2 km wide, in cells of 400 m.
    let config = WorldConfig::default().with_width(128).with_height(128).with_cell_size_m(400.0);
    const PARTS: usize = 4;
    let mut land = [[0.0_f64; PARTS]; PARTS];
    let seeds = 40;
    for seed in 0..seeds {
        let world = world(&config.clone().with_seed(seed));
        for (cell, &water) in world.water().iter() {
            let part = cell / (128 / PARTS as i32);
            land[part.y as usize][part.x as usize] += f64::from(u8::from(water != Water::Sea));
        }
    }
    let cells = (seeds as usize * 128 * 128 / (PARTS * PARTS)) as f64;
    let mean = |parts: &[[usize; 2]]| parts.iter().map(|&[x, y]| land[y][x] / cells).sum::<f64>() / parts.len() as f64;
    let corners = mean(&[[0, 0], [3, 0], [0, 3], [3, 3]]);
    let edges = mean(&[[1, 0], [2, 0], [0, 1], [0, 2], [3, 1], [3, 2], [1, 3], [2, 3]]);
    let middle = mean(&[[1, 1], [2, 1], [1, 2], [2, 2]]);
    for share in [corners, edges, middle] {
        assert!((share - 0.6).abs() <= 0.08, "corners {corners:.3}, edges {edges:.3}, middle {middle:.3}");
    }
}

#[test]
fn water_runs_downhill_to_the_sea_or_off_the_map() {
    let (mut rivers, mut lakes) = (0, 0);
    for config in (0..10).map(region).chain(extreme_configs()) {
        let world = world(&config);
        let last = ivec2(world.width() as i32, world.height() as i32) - 1;
        let (flow, ground) = (world.flow(), world.ground_m());
        for (start, &water) in world.water().iter() {
            rivers += usize::from(water == Water::River);
            lakes += usize::from(water == Water::Lake);
            if water == Water::Sea {
                assert_eq!((flow.downstream(start), flow.drainage_km2()[start]), (None, 0.0));
                continue;
            }
            let (mut cell, mut steps) = (start, 0);
            while let Some(next) = flow.downstream(cell) {
                assert!(ground[next] <= ground[cell], "water runs up from {cell} to {next} in {config:?}");
                assert!(is_sea(&world, next) || flow.drainage_km2()[next] > flow.drainage_km2()[cell]);
                (cell, steps) = (next, steps + 1);
                assert!(steps < 160 * 160, "water runs in a circle from {start} in {config:?}");
            }
            let at_edge = cell.x == 0 || cell.y == 0 || cell.x == last.x || cell.y == last.y;
            assert!(is_sea(&world, cell) || at_edge, "water from {start} ends at {cell} in {config:?}");
        }
    }
    assert!(rivers > 1000 && lakes > 300, "{rivers} river and {lakes} lake cells are too few for a test");
}

#[test]
fn rivers_end_in_standing_water() {
    for seed in 0..10 {
        let world = world(&region(seed));
        for (cell, _) in world.water().iter().filter(|&(_, &water)| water == Water::River) {
            if let Some(next) = world.flow().downstream(cell) {
                assert_ne!(world.water()[next], Water::None, "a river ends on dry land at {next} with seed {seed}");
            }
        }
    }
}

#[test]
fn lakes_are_level() {
    for seed in 0..10 {
        let world = world(&region(seed));
        let lake = |cell| world.water().get(cell) == Some(&Water::Lake);
        for (cell, &level) in world.ground_m().iter().filter(|&(cell, _)| lake(cell)) {
            for beside in [ivec2(1, 0), ivec2(0, 1)].map(|step| cell + step).into_iter().filter(|&c| lake(c)) {
                assert_eq!(world.ground_m()[beside], level, "the lake at {cell} slopes with seed {seed}");
            }
        }
    }
}

/// Returns the mean humidity of land 4 km windward and 4 km in the lee of crests.
fn humidity_around_crests(config: &WorldConfig) -> (f32, f32) {
    let from = config.wind_from_deg.to_radians();
    let cells = 4.0 / (config.cell_size_m / 1000.0);
    let upwind = ivec2((from.sin() * cells).round() as i32, (-from.cos() * cells).round() as i32);
    let (mut windward, mut lee) = (Vec::new(), Vec::new());
    for seed in 0..8 {
        let world = world(&config.clone().with_seed(seed));
        for (crest, _) in world.ground_m().iter().filter(|&(_, &ground)| ground > 1200.0) {
            let sides = [crest + upwind, crest - upwind];
            if sides.iter().all(|&side| world.water().get(side) == Some(&Water::None)) {
                windward.push(world.humidity()[sides[0]]);
                lee.push(world.humidity()[sides[1]]);
            }
        }
    }
    assert!(windward.len() > 100, "{} crests are too few for a test", windward.len());
    (mean(windward.into_iter()), mean(lee.into_iter()))
}

#[test]
fn lee_sides_are_drier_than_windward_sides() {
    for wind_from_deg in [0.0, 60.0, 90.0, 200.0, 270.0, 315.0] {
        let (windward, lee) = humidity_around_crests(&region(0).with_wind_from_deg(wind_from_deg));
        assert!(lee + 0.05 < windward, "wind from {wind_from_deg}°: lee {lee}, windward {windward}");
    }
}

#[test]
fn rain_shadow_dries_the_lee() {
    let drying = |rain_shadow| {
        let (windward, lee) = humidity_around_crests(&region(0).with_rain_shadow(rain_shadow));
        windward - lee
    };
    let [none, default, strong] = [0.0, 1.0, 2.0].map(drying);
    assert!(none + 0.05 < default && default + 0.03 < strong, "{none} {default} {strong}");
}

#[test]
fn forests_grow_where_it_is_wet_and_mild_and_end_at_the_tree_line() {
    let (mut wet, mut dry, mut cold) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..8 {
        let world = world(&region(seed).with_mountain_height_m(3500.0));
        for (cell, _) in world.water().iter().filter(|&(_, &water)| water == Water::None) {
            let vegetation = world.vegetation()[cell];
            match (world.temperature_c()[cell], world.humidity()[cell]) {
                (..-1.0, _) => cold.push(vegetation),
                (8.0.., 0.7..) => wet.push(vegetation),
                (8.0.., ..0.35) => dry.push(vegetation),
                _ => {}
            }
        }
    }
    assert!(wet.len() > 500 && dry.len() > 500 && cold.len() > 500, "{} {} {}", wet.len(), dry.len(), cold.len());
    let [wet, dry, cold] = [wet, dry, cold].map(|values| mean(values.into_iter()));
    assert!(wet > 0.7 && dry < 0.3 && cold < 0.1, "wet {wet}, dry {dry}, cold {cold}");
}

fn share_of(world: &World, wanted: Water) -> f32 {
    let cells = world.water().as_slice();
    cells.iter().filter(|&&water| water == wanted).count() as f32 / cells.len() as f32
}

#[test]
fn settings_have_their_documented_effect() {
    /// Returns the increase of a figure when a setting is raised, as a mean over seeds.
    fn raised(set: fn(&mut WorldConfig, f64), [low, high]: [f64; 2], figure: fn(&World) -> f32) -> f32 {
        let at = |value: f64| {
            mean((0..4).map(|seed| {
                let mut config = region(seed).with_width(100).with_height(90).with_cell_size_m(400.0);
                set(&mut config, value);
                figure(&world(&config))
            }))
        };
        at(high) - at(low)
    }
    let humidity = |world: &World| mean(world.humidity().as_slice().iter().copied());
    let temperature = |world: &World| mean(world.temperature_c().as_slice().iter().copied());
    let vegetation = |world: &World| mean(world.vegetation().as_slice().iter().copied());
    let top = |world: &World| world.ground_m().as_slice().iter().fold(0.0_f32, |top, &ground| top.max(ground));
    let height = |world: &World| mean(world.ground_m().as_slice().iter().copied());
    let depth = |world: &World| mean(world.elevation_m().as_slice().iter().map(|&m| (-m).max(0.0)));
    for [low, high] in [[0.0, 0.5], [0.5, 1.0], [1.0, 2.0], [2.0, 4.0]] {
        assert!(raised(|c, v| c.rain = v, [low, high], humidity) > 0.01, "rain {low} to {high}");
    }
    assert!((raised(|c, v| c.base_temperature_c = v, [5.0, 15.0], temperature) - 10.0).abs() < 0.1);
    assert!(raised(|c, v| c.vegetation = v, [0.5, 1.0], vegetation) > 0.05);
    assert!(raised(|c, v| c.mountain_height_m = v, [1000.0, 3000.0], top) > 1000.0);
    assert!(raised(|c, v| c.mountains = v, [0.1, 0.6], height) > 50.0);
    assert!(raised(|c, v| c.hill_height_m = v, [50.0, 600.0], height) > 20.0);
    assert!(raised(|c, v| c.erosion = v, [0.1, 1.0], height) < -20.0);
    assert!(raised(|c, v| c.sea_depth_m = v, [100.0, 1000.0], depth) > 50.0);
    assert!(raised(|c, v| c.lakes = v, [0.0, 1.0], |world| share_of(world, Water::Lake)) > 0.005);
    assert!(raised(|c, v| c.river_basin_km2 = v, [5.0, 50.0], |world| share_of(world, Water::River)) < -0.005);
}

#[test]
fn default_world_has_a_coast_mountains_and_several_biomes() {
    for seed in 0..6 {
        let world =
            world(&WorldConfig::default().with_seed(seed).with_width(256).with_height(256).with_cell_size_m(200.0));
        let count = |wanted: Biome| world.biome().as_slice().iter().filter(|&&biome| biome == wanted).count();
        let kinds = Biome::KNOWN.iter().filter(|&&biome| count(biome) >= 50).count();
        assert!(kinds >= 8, "only {kinds} biomes with seed {seed}");
        let high = world.ground_m().as_slice().iter().filter(|&&ground| ground > 1000.0).count();
        assert!(high > 400, "{high} mountain cells with seed {seed}");
        assert!(count(Biome::Coast) > 50 && count(Biome::River) > 100);
    }
}

#[test]
fn seeds_differ() {
    let digests: Vec<u64> =
        (0..8).map(|seed| digest(&bytes(&world(&region(seed).with_width(40).with_height(40))))).collect();
    for (i, a) in digests.iter().enumerate() {
        assert!(!digests[i + 1..].contains(a));
    }
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let config = WorldConfig::default().with_seed(7).with_width(131).with_height(77).with_cell_size_m(250.0);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bytes(&world(&config)))
    };
    let one = on(1);
    assert!(one == on(2) && one == on(5));
}

#[test]
fn world_of_a_seed_does_not_change() {
    let config = WorldConfig::default().with_seed(42).with_width(48).with_height(40).with_cell_size_m(800.0);
    // A change of this hash changes every saved scene: the changelog must say so.
    assert_eq!(format!("{:016x}", digest(&bytes(&world(&config)))), "8413387ba1d8008c");
}

#[test]
fn smaller_cells_show_the_same_land() {
    let coarse = world(&region(3).with_width(80).with_height(64).with_cell_size_m(600.0));
    let fine = world(&region(3));
    let same = coarse.water().iter().filter(|&(cell, _)| is_sea(&coarse, cell) == is_sea(&fine, cell * 2)).count();
    assert!(same as f64 / (80.0 * 64.0) > 0.9, "{same} of 5120 cells agree");
}

#[test]
fn progress_never_decreases_and_ends_at_one() {
    let seen = Mutex::new(vec![0.0_f32]);
    let note = |_: &'static str, done: f32| seen.lock().unwrap().push(done);
    World::generate(&region(1), Job::none().on_progress(&note)).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]), "{seen:?}");
    assert!(seen.len() > 15 && seen.last() == Some(&1.0), "{seen:?}");
}

#[test]
fn cancelled_world_is_an_error() {
    for after in [0, 1, 5, 12] {
        let (stop, reports) = (AtomicBool::new(after == 0), Mutex::new(0));
        let count = |_: &'static str, _: f32| {
            let mut reports = reports.lock().unwrap();
            *reports += 1;
            stop.store(*reports >= after, Ordering::Relaxed);
        };
        let job = Job::none().on_progress(&count).cancelled_by(&stop);
        assert!(matches!(World::generate(&region(1), job), Err(WorldError::Cancelled(_))));
        assert_eq!(*reports.lock().unwrap(), after, "work went on after it was cancelled");
    }
}

#[test]
fn world_from_fields_keeps_them() {
    let flat = Grid::new(5, 4, 3.0_f32);
    let (humidity, vegetation) = (Grid::new(5, 4, 0.4_f32), Grid::new(5, 4, 0.9_f32));
    let world = World::from_fields(flat.clone(), humidity.clone(), vegetation.clone(), 50.0).unwrap();
    assert_eq!((world.elevation_m(), world.ground_m()), (&flat, &flat));
    assert_eq!((world.humidity(), world.vegetation()), (&humidity, &vegetation));
    assert!(world.water().as_slice().iter().all(|&water| water == Water::None));
    assert!(world.biome().as_slice().iter().all(|&biome| biome == Biome::Woodland));
    assert_eq!(world.config().cell_size_m, 50.0);

    let mut hole = flat.clone();
    hole[ivec2(2, 1)] = f32::NAN;
    let error = World::from_fields(hole, humidity.clone(), vegetation.clone(), 50.0).unwrap_err();
    assert_eq!(error.to_string(), "elevation at 2,1: NaN is not valid: expected -20000 to 20000 m");
    let error = World::from_fields(flat.clone(), Grid::new(5, 3, 0.0), vegetation, 50.0).unwrap_err();
    assert_eq!(error.to_string(), "humidity: 5x3 cells is not valid: expected 5x4, as the elevation");
    let error = World::from_fields(flat, humidity, Grid::new(5, 4, 1.5), 50.0).unwrap_err();
    assert_eq!(error.to_string(), "vegetation at 0,0: 1.5 is not valid: expected 0 to 1");
}

#[test]
fn world_on_given_elevation_has_its_coast_and_a_climate() {
    let island = Grid::from_fn(90, 60, |cell| 900.0 - 40.0 * (cell - ivec2(45, 30)).as_vec2().length());
    let config = region(1).with_sea_level_m(Some(0.0));
    let world = World::from_dem(Ground::new(island.clone()), &config, Job::none()).unwrap();
    for (cell, &given) in island.iter() {
        assert_eq!(is_sea(&world, cell), given < 0.0, "{cell}");
    }
    assert_eq!(world.elevation_m()[ivec2(45, 30)], 900.0);
    let (west, east) = (world.humidity()[ivec2(34, 30)], world.humidity()[ivec2(58, 30)]);
    assert!(west > east, "windward {west}, lee {east}");
}
