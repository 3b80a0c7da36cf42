//! The skyline of an eye, against lines that are sampled at a tenth of a cell; those of every cell, against that of each eye.

use farsight::Grid;
use farsight::glam::{DVec2, IVec2, dvec2, ivec2};
use farsight::grid::CellRect;
use farsight::horizon::{
    AzimuthHorizon, CellHorizons, DepthPanorama, Horizon, HorizonConfig, HorizonError, Projection,
};
use farsight::viewshed::{Canopy, Surface};
use proptest::prelude::*;

/// Hills of several lengths, steep enough for many ridges.
fn hills(seed: u32) -> impl Fn(IVec2) -> f32 {
    move |cell| {
        let (x, y, s) = (f64::from(cell.x), f64::from(cell.y), f64::from(seed % 1000));
        let wave = |a: f64, b: f64, height: f64| height * (a * x + b * y + s).sin() * (b * x - a * y + 2.0 * s).cos();
        (wave(0.05, 0.03, 180.0) + wave(0.21, -0.17, 40.0) + wave(0.9, 1.1, 6.0)) as f32
    }
}

/// Returns the height of the bilinear surface; `None` off the map.
fn height_m(surface: &Surface<'_>, at: DVec2) -> Option<f64> {
    let low = at.floor().as_ivec2();
    let share = at - low.as_dvec2();
    let node = |x: i32, y: i32| -> Option<f64> {
        let cell = low + ivec2(x, y);
        let ground = f64::from(*surface.ground.get(cell)?);
        let top = surface.canopy.map_or(0.0, |canopy| canopy.height * f64::from(canopy.cover[cell]).powi(2));
        Some(ground + top)
    };
    let mut sum = 0.0;
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let part = if x == 1 { share.x } else { 1.0 - share.x } * if y == 1 { share.y } else { 1.0 - share.y };
        if part > 0.0 {
            sum += part * node(x, y)?;
        }
    }
    Some(sum)
}

/// A line over a surface.
struct Line<'a, 's> {
    surface: &'a Surface<'s>,
    viewer: DVec2,
    speed: DVec2,
}

impl Line<'_, '_> {
    /// Returns the angle of the surface at a distance over the level of the eye; `None` off the map.
    fn angle_deg(&self, t: f64) -> Option<f64> {
        let Self { surface, viewer, speed } = self;
        let eye_m = f64::from(surface.ground[viewer.as_ivec2()]) + surface.eye_height; // below the trees
        let height = height_m(surface, ((*viewer + *speed * t) * 1e9).round() / 1e9)?;
        let drop = surface.curvature * t * t / (2.0 * Surface::EARTH_RADIUS_M);
        Some(((height - drop - eye_m) / t).atan().to_degrees())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_skyline_is_on_the_surface_and_above_all_samples(
        seed in any::<u32>(),
        (x, y) in (40i32..120, 30i32..90),
        has_wood in any::<bool>(),
        (x_m, y_m) in prop_oneof![Just((30.0, 30.0)), Just((19.0, 30.0)), Just((100.0, 60.0))],
        range_m in prop_oneof![Just(f64::INFINITY), 200.0f64..6000.0],
    ) {
        let ground = Grid::from_fn(160, 120, hills(seed));
        let cover = Grid::from_fn(160, 120, |cell| if (cell.x / 9 + cell.y / 7) % 3 == 0 { 0.8 } else { 0.0 });
        let canopy = has_wood.then(|| Canopy::of(&cover).with_extinction(0.01).with_height(25.0));
        let size = farsight::grid::CellSize::new(x_m, y_m);
        let surface = Surface::of(&ground, size).with_eye_height(30.0).with_curvature(0.857).with_canopy(canopy);
        let config = HorizonConfig::default().with_azimuths(36).with_max_distance_m(range_m);
        let horizon = Horizon::of(&surface, (x, y), &config).unwrap();
        for along in horizon.azimuths() {
            let (sin, cos) = along.azimuth_deg.to_radians().sin_cos();
            let line = Line { surface: &surface, viewer: dvec2(x.into(), y.into()), speed: dvec2(sin / x_m, -cos / y_m) };
            let found = along.skyline().unwrap();
            let expected = line.angle_deg(found.distance_m).unwrap();
            prop_assert!((found.elevation_deg() - expected).abs() < 1e-5, "{found:?} is on the surface, at {expected}");
            let step_m = size.shorter_m() / 10.0;
            for t in (1..).map(|i| f64::from(i) * step_m).take_while(|t| *t < along.end_m) {
                let sample = line.angle_deg(t).unwrap();
                prop_assert!(sample <= found.elevation_deg() + 1e-5, "{sample} at {t} m is above {found:?}");
            }
            prop_assert!(along.end_m <= range_m && found.distance_m <= along.end_m);
            let are_in_order = along.ridges.windows(2).all(|pair| {
                let behind = pair[0].behind_m.unwrap_or(f64::NAN);
                pair[0].slope < pair[1].slope && pair[0].distance_m < behind && behind <= pair[1].distance_m
            });
            prop_assert!(are_in_order);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_pixel_shows_the_first_surface_in_its_direction(
        seed in any::<u32>(),
        (x, y) in (40i32..120, 30i32..90),
        has_wood in any::<bool>(),
        left_deg in 0.0f64..360.0,
    ) {
        let ground = Grid::from_fn(160, 120, hills(seed));
        let cover = Grid::from_fn(160, 120, |cell| if (cell.x / 9 + cell.y / 7) % 3 == 0 { 0.8 } else { 0.0 });
        let canopy = has_wood.then(|| Canopy::of(&cover).with_extinction(0.01).with_height(25.0));
        let surface = Surface::of(&ground, 30.0).with_eye_height(30.0).with_curvature(0.857).with_canopy(canopy);
        let projection = Projection::new(24, 50).with_left_deg(left_deg).with_top_deg(30.0).with_bottom_deg(-40.0);
        let panorama = DepthPanorama::of(&surface, (x, y), &projection, f64::INFINITY).unwrap();
        for column in 0..24 {
            let azimuth_deg = projection.azimuth_deg(f64::from(column) + 0.5);
            let (sin, cos) = azimuth_deg.to_radians().sin_cos();
            let line = Line { surface: &surface, viewer: dvec2(x.into(), y.into()), speed: dvec2(sin, -cos) / 30.0 };
            // The highest angle up to each distance, in steps of a tenth of a cell.
            let samples: Vec<(f64, f64)> = (1..).map(|i| f64::from(i) * 3.0)
                .map_while(|t| Some((t, line.angle_deg(t)?))).collect();
            for row in 0..50 {
                let elevation = projection.elevation_deg(f64::from(row) + 0.5);
                let distance = panorama.distance_m(column as usize, row as usize).map_or(f64::INFINITY, f64::from);
                let first = samples.iter().find(|(_, angle)| *angle >= elevation).map_or(f64::INFINITY, |(t, _)| *t);
                prop_assert!(distance <= first + 0.01, "{distance} is behind the sample at {first}");
                if distance.is_finite() && distance > 1.0 {
                    let angle = line.angle_deg(distance).unwrap_or(elevation);
                    prop_assert!((angle - elevation).abs() < 0.01, "{angle} at {distance} m is not {elevation}");
                }
            }
            let along = AzimuthHorizon::of(&surface, (x, y), azimuth_deg, &HorizonConfig::default()).unwrap();
            let (skyline, crest) = (along.skyline().unwrap(), panorama.crests(column as usize).last().unwrap());
            prop_assert_eq!(skyline.slope as f32, crest.slope);
            prop_assert!(crest.behind_m.is_infinite());
            let hidden = along.ridges.windows(2).map(|pair| pair[0].slope as f32);
            let crests = panorama.crests(column as usize).iter().map(|crest| crest.slope);
            prop_assert!(crests.take(along.ridges.len() - 1).eq(hidden));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_horizons_of_all_cells_are_those_of_each_eye(
        seed in any::<u32>(),
        has_wood in any::<bool>(),
        gaps in 0i32..2,
        eye_height in prop_oneof![Just(0.0), Just(1.7), Just(40.0)],
        azimuth_deg in prop_oneof![0.0f64..360.0, (0u8..16).prop_map(|i| f64::from(i) * 22.5)],
        (x_m, y_m) in prop_oneof![Just((30.0, 30.0)), Just((19.0, 30.0)), Just((100.0, 60.0))],
        range_m in prop_oneof![Just(f64::INFINITY), 20.0f64..4000.0],
    ) {
        let rise = hills(seed);
        let is_gap = |cell: IVec2| gaps == 1 && (cell.x * 31 + cell.y * 17) % 97 == 0;
        let ground = Grid::from_fn(83, 61, |cell| if is_gap(cell) { f32::NAN } else { 2000.0 + rise(cell) });
        let cover = Grid::from_fn(83, 61, |cell| if (cell.x / 9 + cell.y / 7) % 3 == 0 { 0.8 } else { 0.0 });
        let canopy = has_wood.then(|| Canopy::of(&cover).with_extinction(0.01).with_height(25.0));
        let size = farsight::grid::CellSize::new(x_m, y_m);
        let surface =
            Surface::of(&ground, size).with_eye_height(eye_height).with_curvature(0.857).with_canopy(canopy);
        let all = CellHorizons::new(&surface).unwrap();
        let all = all.slopes(azimuth_deg, range_m, CellRect::of_size(ground.size())).unwrap();
        let config = HorizonConfig::default().with_max_distance_m(range_m);
        for (cell, slope) in all.iter() {
            let plain = match AzimuthHorizon::of(&surface, cell, azimuth_deg, &config) {
                Err(HorizonError::ViewerWithoutData(_)) => None,
                along => along.unwrap().skyline().map(|ridge| ridge.slope),
            };
            let Some(plain) = plain else {
                prop_assert!(slope.is_nan(), "{cell}: {slope}, without data");
                continue;
            };
            let off_deg = (f64::from(*slope).atan() - plain.atan()).to_degrees();
            prop_assert!(off_deg.abs() < 0.005, "{cell}: {off_deg}°, {slope} for {plain}");
        }
        let part = CellRect { min: ivec2(5, 3), max: ivec2(42, 50) };
        let some = CellHorizons::new(&surface).unwrap().slopes(azimuth_deg, range_m, part).unwrap();
        prop_assert!(some.iter().all(|(cell, slope)| slope.to_bits() == all[part.min + cell].to_bits()));
    }
}

#[test]
fn ridges_before_the_skyline_say_what_they_hide() {
    // Walls of 10, 5 and 40 m in the east; the second is hidden.
    let ground = Grid::from_fn(101, 3, |cell| match cell.x {
        20 => 10.0,
        30 => 5.0,
        80 => 40.0,
        _ => 0.0,
    });
    let surface = Surface::of(&ground, 10.0).with_eye_height(2.0);
    let east = |config: &HorizonConfig| {
        let horizon = Horizon::of(&surface, (0, 1), &config.clone().with_azimuths(4)).unwrap();
        horizon.azimuths()[1].clone()
    };
    let all = east(&HorizonConfig::default());
    let at: Vec<_> = all.ridges.iter().map(|ridge| (ridge.cell.x, ridge.height_m.round())).collect();
    assert_eq!(at, [(20, 10.0), (80, 40.0)]);
    assert!(all.ridges[0].behind_m.unwrap() > 790.0 && all.ridges[1].behind_m.is_none());
    assert_eq!((all.azimuth_deg, all.end_m), (90.0, 1000.0));
    let near = east(&HorizonConfig::default().with_max_distance_m(500.0));
    assert_eq!((near.skyline().unwrap().cell, near.end_m), (ivec2(20, 1), 500.0));
    let deep = east(&HorizonConfig::default().with_min_gap_m(700.0));
    assert_eq!(deep.ridges.len(), 1, "{deep:?}");
}

#[test]
fn what_is_not_known_is_no_skyline() {
    let mut ground = Grid::from_fn(9, 9, |_| 0.0f32);
    for x in 5..9 {
        ground[ivec2(x, 4)] = f32::NAN;
    }
    ground[ivec2(4, 0)] = 50.0;
    let surface = Surface::of(&ground, 10.0).with_eye_height(1.0);
    let horizon = Horizon::of(&surface, (4, 4), &HorizonConfig::default().with_azimuths(4)).unwrap();
    let ridges: Vec<_> = horizon.azimuths().iter().map(|along| along.ridges.len()).collect();
    assert_eq!(ridges, [1, 0, 1, 1], "nothing is known in the east");
    assert_eq!(horizon.azimuths()[0].skyline().unwrap().cell, ivec2(4, 0));
}

#[test]
fn wrong_arguments_are_errors() {
    let mut ground = Grid::new(4, 4, 1.0f32);
    ground[ivec2(1, 1)] = f32::NAN;
    let surface = Surface::of(&ground, 10.0);
    let config = HorizonConfig::default();
    let error = |surface: &Surface<'_>, viewer: (i32, i32), config: &HorizonConfig| {
        Horizon::of(surface, viewer, config).unwrap_err().to_string()
    };
    assert_eq!(error(&surface, (4, 0), &config), "the viewer 4,0 is outside the map of 4x4 cells");
    assert_eq!(error(&surface, (1, 1), &config), "the viewer 1,1 is on a nodata cell");
    assert!(error(&surface.with_eye_height(-1.0), (0, 0), &config).starts_with("the eye is -1 m over its ground"));
    assert!(error(&surface.with_eye_height(f64::NAN), (0, 0), &config).contains("NaN m"));
    let huge = error(&Surface::of(&ground, 1e300), (0, 0), &config);
    assert!(huge.contains("cell_size.x_m") && huge.contains("0.001 to 1000000"), "{huge}");
    assert!(error(&surface, (0, 0), &config.clone().with_azimuths(0)).starts_with("0 azimuths: expected 1 to "));
    assert!(error(&surface, (0, 0), &config.clone().with_max_distance_m(0.0)).contains("more than 0 m"));
    assert!(error(&surface, (0, 0), &config.clone().with_min_gap_m(-2.0)).contains("0 m or more"));
    assert!(matches!(Horizon::of(&surface, (1, 1), &config), Err(HorizonError::ViewerWithoutData(_))));
    let cells = CellHorizons::new(&surface).unwrap();
    let error = cells.slopes(0.0, -1.0, CellRect::of_size(ground.size())).unwrap_err();
    assert_eq!(error.to_string(), "the range is -1 m: expected more than 0 m");
    assert!(
        CellHorizons::new(&surface.with_eye_height(-1.0)).unwrap_err().to_string().contains("-1 m over its ground")
    );
    let panorama = |viewer: (i32, i32), range_m: f64| {
        DepthPanorama::of(&surface, viewer, &Projection::new(4, 4), range_m).unwrap_err().to_string()
    };
    assert_eq!(panorama((1, 1), 9.0), "the viewer 1,1 is on a nodata cell");
    assert_eq!(panorama((0, 0), f64::NAN), "the range is NaN m: expected more than 0 m");
}

#[test]
fn azimuths_count_from_true_north_with_the_convergence() {
    let ground = Grid::from_fn(101, 101, |cell| if cell.y == 20 { 300.0 } else { 0.0 });
    let surface = Surface::of(&ground, 100.0).with_eye_height(2.0);
    let steepest = |convergence_deg| {
        let config = HorizonConfig::default().with_convergence_deg(convergence_deg);
        let horizon = Horizon::of(&surface, (50, 50), &config).unwrap();
        let slope = |i: usize| horizon.azimuths()[i].skyline().map_or(f64::NEG_INFINITY, |ridge| ridge.slope);
        (0..360).max_by(|a, b| slope(*a).total_cmp(&slope(*b))).unwrap()
    };
    // Grid north, where the ridge is nearest, is at the convergence.
    assert_eq!([0.0, 26.0, -5.0, 180.0].map(steepest), [0, 26, 355, 180]);
    let error = Horizon::of(&surface, (50, 50), &HorizonConfig::default().with_convergence_deg(400.0)).unwrap_err();
    assert_eq!(error, HorizonError::Convergence(400.0));
}
