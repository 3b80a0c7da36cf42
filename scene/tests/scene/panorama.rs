//! Panoramas: strip and map agree; names, towers, night, errors.

use farsight::Job;
use farsight::glam::{IVec2, dvec2, ivec2};
use farsight::grid::{CellSize, Grid};
use farsight::horizon::{DepthPanorama, Projection};
use farsight::sight::{MethodKind, OpacityMap, SightConfig};
use farsight::viewshed::{Surface, Viewshed};
use farsight_scene::files::{Input, read_heightmap};
use farsight_scene::panorama::{FeatureKind, Landmark, Panorama, PanoramaError, PanoramaOptions, PanoramaPainter};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::World;

use super::{generated, on_ground, small, with, world_of};

/// Cells around the eye whose pixels are looked for.
const RADIUS: u32 = 28;

/// Checks that the cells that an exact viewshed sees are those that own a pixel of a panorama.
fn agrees(name: &str, ground: &Grid<f32>, cell_size: CellSize, viewer: IVec2) {
    let surface = Surface::of(ground, cell_size).with_eye_height(25.0).with_curvature(6.0 / 7.0);
    let config = SightConfig::default().with_radius(RADIUS).with_method(MethodKind::Exact);
    let mut viewshed = Viewshed::new(config).unwrap();
    let view = viewshed.compute(&surface, viewer, Job::none()).unwrap();
    let is_near = |cell: IVec2| (cell - viewer).as_vec2().length() <= RADIUS as f32 - 1.0;
    let is_seen = |cell: IVec2| view.get(cell) > 0.0;
    let check_owners = |panorama: &DepthPanorama| {
        let Projection { width, height, .. } = *panorama.projection();
        let pixels = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        let owners: Vec<IVec2> = pixels.filter_map(|(x, y)| panorama.cell_at(&surface, x, y)).collect();
        for owner in owners.iter().filter(|owner| is_near(**owner)) {
            assert!(is_seen(*owner), "{name}: {owner} owns a pixel and is hidden");
        }
        owners
    };
    let whole = Projection::new(360, 120).with_top_deg(40.0).with_bottom_deg(-50.0);
    let whole = DepthPanorama::of(&surface, viewer, &whole, f64::INFINITY).unwrap();
    assert!(check_owners(&whole).len() > 5000, "{name}");
    let mut count = 0;
    for cell in ground.iter().map(|(cell, _)| cell).filter(|cell| is_near(*cell) && is_seen(*cell)) {
        let offset = (cell - viewer).as_dvec2() * dvec2(cell_size.x_m, cell_size.y_m);
        let distance_m = offset.length();
        if (cell - viewer).abs().max_element() <= 1 {
            continue; // in sight by convention
        }
        let eye_m = f64::from(ground[viewer]) + surface.eye_height;
        let drop_m = surface.curvature * distance_m * distance_m / (2.0 * Surface::EARTH_RADIUS_M);
        let elevation = ((f64::from(ground[cell]) - drop_m - eye_m) / distance_m).atan().to_degrees();
        let azimuth = offset.x.atan2(-offset.y).to_degrees();
        // The finer the pixels, the narrower the sliver of a cell that they show.
        let owns_pixel = [1.0, 0.1, 0.01, 0.001, 1e-4].into_iter().any(|field| {
            let around = Projection::new(5, 15).with_left_deg(azimuth - field / 2.0).with_field_deg(field);
            let around = around.with_top_deg(elevation + field / 4.0).with_bottom_deg(elevation - field / 4.0);
            let zoomed = DepthPanorama::of(&surface, viewer, &around, f64::INFINITY).unwrap();
            check_owners(&zoomed).contains(&cell)
        });
        assert!(owns_pixel, "{name}: {cell} is in sight and owns no pixel");
        count += 1;
    }
    assert!(count > 150, "{name}: {count} cells");
}

#[test]
fn cells_in_sight_own_a_pixel_and_no_others_do() {
    for (name, seed) in [("alpine", 4), ("archipelago", 9)] {
        let world = World::generate(&small(name, seed).world, Job::none()).unwrap();
        let viewer = ivec2(48, 40);
        agrees(name, world.ground_m(), world.cell_size_at(viewer), viewer);
    }
    let map = read_heightmap(&Input::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif"))).unwrap();
    agrees("ridge.tif", &map.elevation_m, CellSize::square(map.cell_size_m.unwrap()), ivec2(140, 104));
}

fn options() -> PanoramaOptions {
    PanoramaOptions::default().with_width(720).with_height(180).with_samples(1)
}

fn painted(scene: &Scene, options: &PanoramaOptions) -> Panorama {
    PanoramaPainter::default().paint(scene, options, &[]).unwrap()
}

/// A bare plain with a cone of 600 m in the east and other ground as high as `metres(cell)`, and clear air.
fn with_cone_and(metres: impl Fn(IVec2) -> f32) -> Scene {
    let cone = |cell: IVec2| 600.0 - 60.0 * (cell - ivec2(90, 40)).as_vec2().length();
    let scene = on_ground(120, 80, Some(ivec2(30, 40)), |cell| cone(cell).max(metres(cell)).max(0.0) + 5.0);
    let keys = [
        ("optics.visual_range_m", 80_000.into()),
        ("optics.fog_onset", 1.into()),
        ("optics.eye_height_m", 30.into()),
        ("optics.vegetation_extinction_per_m", 0.into()),
        ("perception.creatures", 0.into()),
    ];
    with(&scene, keys)
}

/// A bare plain with a cone of 600 m in the east, and clear air.
fn with_cone() -> Scene {
    with_cone_and(|_| 0.0)
}

#[test]
fn a_summit_is_named_where_it_is() {
    let scene = with_cone();
    let panorama = painted(&scene, &options());
    let [summit] = panorama.features() else { panic!("{:?}", panorama.features()) };
    assert_eq!((summit.kind, summit.cell, summit.azimuth_deg), (FeatureKind::Summit, ivec2(90, 40), 90.0));
    assert!((summit.distance_m - 6000.0).abs() < 1.0 && (summit.height_m - 605.0).abs() < 0.1);
    let expected = (570.0f64 / 6000.0).atan().to_degrees();
    assert!((summit.elevation_deg - expected).abs() < 0.05, "{summit:?}");
    let projection = panorama.projection();
    let (x, y) = (projection.x(90.0).unwrap(), projection.y(summit.elevation_deg));
    assert_eq!(panorama.distance_m(x as usize, y as usize - 3), None, "the sky above it");
    let below = panorama.distance_m(x as usize, y as usize + 3).unwrap();
    assert!((5500.0..6000.0).contains(&below), "{below}");
    assert!(panorama.picture() != *panorama.ground());
    let svg = panorama.svg("strip.png");
    assert!(
        svg.contains(">605 m</text>") && svg.contains("href=\"strip.png\"") && svg.contains(">E 90°</text>"),
        "{svg}"
    );
    assert!(painted(&scene, &options().with_names(false)).features().is_empty());
}

fn east() -> PanoramaOptions {
    options().with_middle_deg(90.0).with_field_deg(40.0)
}

/// Returns the ends of the line from the name of a feature to its place, from above, if it has one.
fn leader(panorama: &Panorama, cell: IVec2) -> Option<[f64; 2]> {
    let feature = panorama.features().iter().find(|feature| feature.cell == cell)?;
    let x = panorama.projection().x(feature.azimuth_deg).unwrap();
    let foot = panorama.projection().y(feature.elevation_deg);
    let svg = panorama.svg("strip.png");
    let number = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("{name}=\""))?;
        rest.split('"').next()?.parse::<f64>().ok()
    };
    svg.lines().filter(|line| line.starts_with("<line")).find_map(|line| {
        let [from_x, from_y, to_y] = ["x1", "y1", "y2"].map(|name| number(line, name).unwrap());
        ((from_x - x).abs() < 0.1 && (to_y - foot).abs() < 0.1).then_some([from_y, to_y])
    })
}

#[test]
fn the_line_of_a_name_crosses_no_farther_crest() {
    let near = ivec2(60, 41);
    let scene = with_cone_and(|cell| 200.0 - 60.0 * (cell - near).as_vec2().length());
    let panorama = painted(&scene, &east());
    let rows = |x: usize| (0..180).find(|y| panorama.distance_m(x, *y).is_some()).unwrap();
    let azimuth_deg = panorama.features().iter().find(|feature| feature.cell == near).unwrap().azimuth_deg;
    let x = panorama.projection().x(azimuth_deg).unwrap();
    let [from, to] = leader(&panorama, near).unwrap();
    let crest = rows(x as usize) as f64;
    assert!(crest + 8.0 < to && from > crest, "a line from {from} to {to}, a crest at {crest}");
    let [from, to] = leader(&panorama, ivec2(90, 40)).unwrap();
    assert!(from < crest && to < crest, "the higher summit has its name in the sky");
}

#[test]
fn a_summit_that_barely_rises_over_a_near_crest_is_not_named() {
    let is_named = |ridge_m: f32| {
        let scene = with_cone_and(|cell| ridge_m - 60.0 * (cell.x - 50).abs() as f32);
        painted(&scene, &east()).features().iter().any(|feature| feature.cell == ivec2(90, 40))
    };
    assert!(is_named(120.0) && !is_named(218.0));
}

#[test]
fn a_top_at_the_edge_of_the_map_has_its_height() {
    let cone = |cell: IVec2| (600.0 - 60.0 * (cell - ivec2(119, 40)).as_vec2().length()).max(0.0) + 5.0;
    let scene = on_ground(120, 80, Some(ivec2(30, 40)), cone);
    let scene = with(&scene, [("optics.visual_range_m", 80_000.into()), ("optics.fog_onset", 1.into())]);
    let panorama = painted(&scene, &options());
    let [edge] = panorama.features() else { panic!("{:?}", panorama.features()) };
    assert!(edge.kind == FeatureKind::Edge && edge.cell == ivec2(119, 40) && (edge.azimuth_deg - 90.0).abs() < 0.5);
    assert!((edge.height_m - 605.0).abs() < 0.1, "{edge:?}");
    assert!(panorama.svg("strip.png").contains("km, map edge</text>"));
    assert!(painted(&with_cone(), &options()).features().iter().all(|feature| feature.kind != FeatureKind::Edge));
}

/// A plain with a wood of one column at x = 30 before a slope that starts at x = 50. The wood is too sparse for drawn trees.
fn with_wood(extinction_per_m: f64) -> Scene {
    let (width, height) = (100, 41);
    let ground = Grid::from_fn(width, height, |cell| 100.0 + (cell.x - 50).max(0) as f32);
    let wood = Grid::from_fn(width, height, |cell| if cell.x == 30 { 0.15 } else { 0.0 });
    let world = World::from_fields(ground, Grid::new(width, height, 0.2), wood, 100.0).unwrap();
    let keys = [
        ("optics.relief", "horizon".into()),
        ("optics.relief_softness_m", 0.into()),
        ("optics.vegetation_extinction_per_m", extinction_per_m.into()),
        ("optics.canopy_height_m", 120.into()),
        ("optics.eye_height_m", 1.into()),
        ("optics.visual_range_m", 80_000.into()),
        ("sight.radius", 60.into()),
        ("perception.creatures", 0.into()),
    ];
    Scene::from_world(small("temperate", 1).with(keys).unwrap(), world.into(), Some(ivec2(10, 20)), Job::none())
        .unwrap()
}

#[test]
fn the_strip_sees_through_a_wood_as_much_as_the_map() {
    let target = ivec2(53, 20);
    let field =
        options().with_height(720).with_middle_deg(90.0).with_field_deg(0.6).with_exaggeration(1.0).with_names(false);
    let seen = |extinction: f64| {
        let (scene, mut painter) = (with_wood(extinction), PanoramaPainter::default());
        let panorama = painter.paint(&scene, &field, &[]).unwrap();
        let [x, y] = painter.pixel_of(&scene, &panorama, target).unwrap().map(|at| at as usize);
        let cell = painter.cell_at(&scene, &panorama, x, y);
        let brightness: f64 = panorama.ground().get(x, y).unwrap().into_iter().map(f64::from).sum();
        (brightness, cell, f64::from(scene.visibility(target)))
    };
    let (bare, bare_cell, bare_visibility) = seen(0.0);
    let (opaque, opaque_cell, opaque_visibility) = seen(1.0);
    assert!(bare_visibility > 0.1 && opaque_visibility < 0.01, "{bare_visibility}, {opaque_visibility}");
    assert!((bare_cell.unwrap().x - 53).abs() <= 1 && (opaque_cell.unwrap().x - 30).abs() <= 1);
    assert!((bare - opaque).abs() > 40.0, "{bare}, {opaque}");
    for (extinction, owner) in [(0.02, 53), (0.06, 30), (0.12, 30)] {
        let (brightness, cell, visibility) = seen(extinction);
        let map = visibility / bare_visibility;
        let strip = (brightness - opaque) / (bare - opaque);
        assert!((map - strip).abs() < 0.05, "{extinction} per metre: {map} on the map, {strip} on the strip");
        assert!((cell.unwrap().x - owner).abs() <= 1, "{extinction} per metre: {cell:?}");
    }
}

#[test]
fn a_summit_that_air_or_ground_hides_is_not_named() {
    let scene = with_cone();
    let hazy = with(&scene, [("optics.visual_range_m", 3000.into())]);
    assert!(painted(&hazy, &options()).features().is_empty());
    let west = options().with_middle_deg(270.0).with_field_deg(90.0);
    assert!(painted(&scene, &west).features().is_empty());
    assert!(painted(&scene, &options().with_max_distance_m(4000.0)).features().is_empty());
}

#[test]
fn pixels_and_cells_lead_to_each_other() {
    let scene = with_cone();
    let mut painter = PanoramaPainter::default();
    let panorama = painter.paint(&scene, &options(), &[]).unwrap();
    let mut count = 0;
    for x in (0..720).step_by(24) {
        for y in (0..180).step_by(9) {
            let Some(cell) = painter.cell_at(&scene, &panorama, x, y) else { continue };
            if (cell - scene.viewer()).abs().max_element() < 3 {
                continue;
            }
            let [at_x, at_y] = painter.pixel_of(&scene, &panorama, cell).unwrap();
            let aside = (at_x - x as f64).abs().min(720.0 - (at_x - x as f64).abs());
            assert!(aside < 30.0 && (at_y - y as f64).abs() < 12.0, "{x},{y}: {cell} at {at_x},{at_y}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
    assert_eq!(painter.pixel_of(&scene, &panorama, scene.viewer()), None);
}

#[test]
fn towers_have_their_true_size() {
    let scene = with_cone();
    let field = options().with_middle_deg(180.0).with_field_deg(10.0);
    let tower = Landmark::new("mast", dvec2(30.0, 60.0)).with_height_m(80.0);
    let mut painter = PanoramaPainter::default();
    let without = painter.paint(&scene, &field, &[]).unwrap();
    let panorama = painter.paint(&scene, &field, &[tower]).unwrap();
    let changed = |y: usize| (0..720).any(|x| panorama.ground().get(x, y) != without.ground().get(x, y));
    let rows = (0..180).filter(|y| changed(*y)).count() as f64;
    let [_, up] = panorama.projection().pixels_per_degree();
    let expected = ((50.0f64 / 2000.0).atan() + (30.0f64 / 2000.0).atan()).to_degrees() * up;
    assert!((rows - expected).abs() < 4.0, "{rows} rows, {expected}");
    assert!(panorama.features().iter().any(|feature| feature.kind == FeatureKind::Own && feature.name == "mast"));
}

#[test]
fn land_hides_each_part_of_a_turbine() {
    /// The height of a crest in metres at some cells to the east.
    type Crest = fn(f32) -> f32;
    // Ridges 1 km in front of the turbine. The line of sight over a crest of 70 m is 110 m over its foot, above its hub.
    let ridge =
        |crest_m: Crest| with_cone_and(move |cell| if cell.y == 50 { crest_m(cell.x as f32 - 30.0) } else { 0.0 });
    let field = options().with_height(400).with_middle_deg(180.0).with_field_deg(20.0).with_exaggeration(1.0);
    let turbine = Landmark::new("turbine", dvec2(30.0, 60.0)).with_height_m(100.0).with_rotor_m(150.0);
    let crests: [(_, Crest); 4] = [
        ("none", |_| 0.0),
        ("open to the right", |east| 70.0 + 70.0 * east),
        ("open to the left", |east| 70.0 - 70.0 * east),
        ("above the tips", |_| 110.0),
    ];
    let counts = crests.map(|(name, crest_m)| {
        let (scene, mut painter) = (ridge(crest_m), PanoramaPainter::default());
        let without = painter.paint(&scene, &field, &[]).unwrap();
        let panorama = painter.paint(&scene, &field, std::slice::from_ref(&turbine)).unwrap();
        let pixels = (0..720).flat_map(|x| (0..400).map(move |y| (x, y)));
        let turbine_pixels = pixels.filter(|(x, y)| panorama.ground().get(*x, *y) != without.ground().get(*x, *y));
        let hidden = |(x, y): &(usize, usize)| panorama.distance_m(*x, *y).is_some_and(|land_m| land_m < 1500.0);
        turbine_pixels.inspect(|at| assert!(!hidden(at), "{name}: {at:?} is land in front of the turbine")).count()
    });
    let [whole, right, left, none] = counts;
    assert!(whole > 1000 && (100..whole / 2).contains(&right) && (100..whole / 2).contains(&left), "{counts:?}");
    assert_eq!(none, 0);
}

#[test]
fn a_kept_painter_paints_what_a_new_one_does() {
    let mut scene = generated(small("temperate", 3));
    let mut kept = PanoramaPainter::default();
    for step in [IVec2::ZERO, ivec2(1, 0), ivec2(3, -2), ivec2(-9, 4)] {
        let at = (scene.viewer() + step).clamp(IVec2::ZERO, scene.size() - 1);
        scene.place(at).unwrap();
        let picture = kept.paint(&scene, &options(), &[]).unwrap().picture();
        assert!(picture == painted(&scene, &options()).picture(), "{at}");
    }
    // Cells are coloured when they are first in sight.
    let mut turning = PanoramaPainter::default();
    for middle_deg in [0.0, 90.0, 180.0] {
        let narrow = options().with_middle_deg(middle_deg).with_field_deg(50.0);
        assert!(turning.paint(&scene, &narrow, &[]).unwrap().picture() == painted(&scene, &narrow).picture());
    }
    assert!(turning.paint(&scene, &options(), &[]).unwrap().picture() == painted(&scene, &options()).picture());
    let foggy = with(&scene, [("optics.visual_range_m", 900.into()), ("optics.light", 0.3.into())]);
    assert!(kept.paint(&foggy, &options(), &[]).unwrap().picture() == painted(&foggy, &options()).picture());
}

/// Returns the mean of the channels of a picture.
fn brightness(panorama: &Panorama) -> f64 {
    let bytes = panorama.ground().rgba();
    bytes.iter().map(|&byte| f64::from(byte)).sum::<f64>() / bytes.len() as f64
}

#[test]
fn nights_are_dark_but_for_lamps() {
    let scene = with_cone();
    let at_hour = |hour: f64| {
        with(&scene, [("clock.runs", true.into()), ("clock.hour", hour.into()), ("clock.lantern", 0.into())])
    };
    let [noon, midnight] = [12.0, 24.0].map(at_hour);
    assert!(brightness(&painted(&midnight, &options())) < 0.75 * brightness(&painted(&noon, &options())));
    let mut lit = midnight.clone();
    lit.add_lamp(farsight::light::Lamp::new((45, 44)).with_reach(4.0)).unwrap();
    let (dark, lit) = (painted(&midnight, &options()), painted(&lit, &options()));
    let brighter = dark
        .ground()
        .rgba()
        .iter()
        .zip(lit.ground().rgba())
        .filter(|(dark, lit)| **lit > dark.saturating_add(60))
        .count();
    assert!(brighter > 10, "{brighter}");
}

#[test]
fn a_hill_casts_the_shadow_of_the_sun() {
    // At 7:00 the sun is 10.5° high in the east: the shadow of the cone is 32 cells long.
    let (in_shadow, in_sun) = (ivec2(74, 37), ivec2(48, 39));
    let brighter = |hour: f64| {
        let scene = with(&with_cone(), [("clock.runs", true.into()), ("clock.hour", hour.into())]);
        let mut painter = PanoramaPainter::default();
        let panorama = painter.paint(&scene, &east().with_names(false), &[]).unwrap();
        let [shadow, sun] = [in_shadow, in_sun].map(|cell| {
            let [x, y] = painter.pixel_of(&scene, &panorama, cell).unwrap().map(|at| at as usize);
            let channels = (x - 5..x + 5).flat_map(|x| panorama.ground().get(x, y).unwrap());
            channels.map(f64::from).sum::<f64>() / 30.0
        });
        sun - shadow
    };
    let (morning, noon) = (brighter(7.0), brighter(12.0));
    assert!(morning - noon > 25.0 && noon.abs() < 12.0, "{morning}, {noon}");
}

#[test]
fn far_land_fades_into_the_sky() {
    let scene = with_cone();
    let contrast = |scene: &Scene| {
        let panorama = painted(scene, &options());
        let projection = panorama.projection();
        let (x, y) = (projection.x(90.0).unwrap() as usize, projection.y(3.0) as usize);
        let [cone, sky] = [x, x + 300].map(|x| panorama.ground().get(x % 720, y).unwrap().map(i32::from));
        (0..3).map(|i| (cone[i] - sky[i]).abs()).sum::<i32>()
    };
    let [clear, hazy] =
        [60_000, 4000].map(|range: i64| contrast(&with(&scene, [("optics.visual_range_m", range.into())])));
    assert!(hazy < 12 && clear > 4 * hazy, "{clear}, {hazy}");
}

#[test]
fn worlds_of_any_shape_have_panoramas() {
    for (width, height) in [(1, 1), (1, 7), (2, 2), (40, 3)] {
        let world = world_of(width, height, 0.9, 0.8, |cell| (cell.x * 7 % 5) as f32 * 40.0);
        let scene = Scene::from_world(Preset::shipped_default(), world.into(), Some(IVec2::ZERO), Job::none()).unwrap();
        let panorama = painted(&scene, &options().with_field_deg(60.0));
        assert_eq!(panorama.picture().rgba().len(), 720 * 180 * 4);
    }
    let holes =
        on_ground(60, 50, Some(ivec2(20, 20)), |cell| if cell.x > 30 { f32::NAN } else { 100.0 + cell.y as f32 });
    assert!(painted(&holes, &options()).distance_m(180 + 360, 100).is_none(), "nothing is known in the east");
}

#[test]
fn mist_has_soft_sides() {
    // A wall in the east, and a square of fog before its northern half.
    let (width, height) = (120, 101);
    let wall = Grid::from_fn(width, height, |cell| if cell.x > 100 { 900.0 } else { 5.0 });
    let damp = Grid::from_fn(width, height, |cell| if (50..80).contains(&cell.x) && cell.y < 50 { 1.0 } else { 0.2 });
    let world = World::from_fields(wall, damp, Grid::new(width, height, 0.0), 100.0).unwrap();
    let keys = [("optics.visual_range_m", 80_000.into()), ("perception.creatures", 0.into())];
    let preset = small("temperate", 1).with(keys).unwrap();
    let scene = Scene::from_world(preset, world.into(), Some(ivec2(10, 50)), Job::none()).unwrap();
    let field = options().with_middle_deg(90.0).with_field_deg(60.0);
    let panorama = painted(&scene, &field);
    let row = panorama.projection().y(2.0) as usize;
    let mean = |columns: std::ops::Range<usize>| {
        let count = columns.len() as f64;
        columns.map(|x| f64::from(panorama.ground().get(x, row).unwrap()[0])).sum::<f64>() / count
    };
    let groups: Vec<f64> = (240..480).step_by(12).map(|x| mean(x..x + 12)).collect();
    let whole = (groups[0] - groups[groups.len() - 1]).abs();
    let steps = groups.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let steepest = steps.fold(0.0, f64::max);
    assert!(whole > 40.0 && steepest < 0.25 * whole, "{steepest} of {whole}: {groups:.0?}");
}

#[test]
fn mist_is_as_thick_at_the_edge_of_the_map() {
    // A wall in the north, in damp air.
    let world = world_of(121, 60, 0.7, 0.0, |cell| if cell.y < 20 { 500.0 } else { 5.0 });
    let (world, preset) = (std::sync::Arc::new(world), small("temperate", 1));
    let north = options().with_field_deg(60.0).with_names(false);
    let colours = |x: i32, range_m: i64| {
        let keys = [("optics.visual_range_m", range_m.into()), ("perception.creatures", 0.into())];
        let preset = preset.clone().with(keys).unwrap();
        let scene = Scene::from_world(preset, world.clone(), Some(ivec2(x, 50)), Job::none()).unwrap();
        let panorama = painted(&scene, &north);
        let row = panorama.projection().y(2.0) as usize;
        (320..400).map(|x| f64::from(panorama.ground().get(x, row).unwrap()[0])).sum::<f64>() / 80.0
    };
    let (edge, middle) = (colours(0, 2500), colours(60, 2500));
    assert!((edge - middle).abs() < 3.0, "{edge}, {middle}");
    assert!((middle - colours(60, 80_000)).abs() > 12.0);
}

/// Returns the texts of a panorama.
fn texts(panorama: &Panorama) -> Vec<String> {
    let svg = panorama.svg("strip.png");
    svg.lines().filter_map(|line| Some(line.strip_suffix("</text>")?.rsplit_once('>')?.1.to_owned())).collect()
}

#[test]
fn the_compass_has_whole_labels_at_both_edges() {
    let all = texts(&painted(&with_cone(), &options()));
    assert_eq!(all.iter().filter(|text| *text == "S 180°").count(), 2, "{all:?}");
    assert!(["N 0°", "E 90°", "W 270°"].iter().all(|text| all.iter().any(|label| label == text)), "{all:?}");
}

#[test]
fn clouds_are_those_of_the_world() {
    let sky = |seed: u64| {
        let world = world_of(60, 50, 0.2, 0.0, |cell| 100.0 + cell.y as f32);
        let scene =
            Scene::from_world(small("temperate", seed), world.into(), Some(ivec2(20, 20)), Job::none()).unwrap();
        painted(&scene, &options()).ground().rgba()[..720 * 60 * 4].to_vec()
    };
    assert!(sky(1) == sky(1) && sky(1) != sky(2));
}

#[test]
fn wrong_options_are_errors() {
    let scene = with_cone();
    let error = |options: PanoramaOptions| {
        let error = PanoramaPainter::default().paint(&scene, &options, &[]).unwrap_err();
        error.to_string()
    };
    for (options, message) in [
        (options().with_width(100_000), "a panorama of 100000 pixels across: expected 100 to 32768"),
        (options().with_height(1), "a panorama of 1 pixels upwards: expected 60 to 8192"),
        (options().with_middle_deg(400.0), "an azimuth of 400°: expected 0 to 360, clockwise from north"),
        (options().with_field_deg(0.0), "a field of 0°: expected 0.5 to 360"),
        (options().with_exaggeration(99.0), "an exaggeration of 99: expected 0.1 to 20"),
        (options().with_samples(9), "9 samples of a pixel: expected 1 to 4"),
        (options().with_max_distance_m(-1.0), "the range is -1 m: expected more than 0 m"),
    ] {
        assert_eq!(error(options), message);
    }
    let map = OpacityMap::from_text("....").unwrap();
    let rooms = Scene::from_map(Preset::bare_kernel(), map, None, Job::none()).unwrap();
    let error = PanoramaPainter::default().paint(&rooms, &options(), &[]).unwrap_err();
    assert_eq!(error, PanoramaError::NoLand);
}

#[test]
fn azimuths_of_a_panorama_count_from_true_north() {
    let scene = with_cone(); // in the east of the map
    let turned = |convergence_deg: f64, middle_deg: f64| {
        painted(
            &scene,
            &options().with_convergence_deg(convergence_deg).with_middle_deg(middle_deg).with_field_deg(90.0),
        )
    };
    let (plain, panorama) = (turned(0.0, 90.0), turned(-25.0, 65.0));
    assert!(plain.ground() == panorama.ground(), "the same directions of the map");
    let [summit] = panorama.features() else { panic!("{:?}", panorama.features()) };
    assert_eq!(summit.azimuth_deg, 65.0);
    let svg = panorama.svg("strip.png");
    // The left edge is at 20°, and a degree is 8 pixels.
    let east = svg.lines().find(|line| line.contains(">E 90°</text>")).expect(&svg);
    assert!(east.contains("x=\"560.0\""), "{east}");
    let error =
        PanoramaPainter::default().paint(&scene, &options().with_convergence_deg(f64::INFINITY), &[]).unwrap_err();
    assert_eq!(error.to_string(), "a meridian convergence of inf°: expected -360 to 360");
}
