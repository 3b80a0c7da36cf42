//! Viewsheds: properties of every grade on hand-made and on random ground.

use farsight::Job;
use farsight::glam::{DVec2, IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::sight::{Decay, MethodKind, OpacityRows, PathRule, RadiusShape, Sector, SightConfig, SightError};
use farsight::viewshed::{Canopy, Surface, Viewshed};
use proptest::prelude::*;

use crate::support::terrain as terrain_support;

const GRADES: [MethodKind; 2] = [MethodKind::TwoParent, MethodKind::Exact];

fn config(radius: u32, method: MethodKind) -> SightConfig {
    SightConfig::default().with_radius(radius).with_method(method)
}

/// Returns the visibility of every cell of the map.
fn seen(surface: &Surface<'_>, viewer: IVec2, config: SightConfig) -> Grid<f32> {
    let mut viewshed = Viewshed::new(config).unwrap();
    let view = viewshed.compute(surface, viewer, Job::none()).unwrap();
    Grid::from_fn(surface.ground.width(), surface.ground.height(), |cell| view.get(cell))
}

/// Returns minimum visible height, slope margin and clearance of every cell; NaN without values.
fn outputs(surface: &Surface<'_>, viewer: IVec2, config: SightConfig) -> Grid<[f32; 3]> {
    let mut viewshed = Viewshed::new(config).unwrap();
    let clearance = viewshed.clearance(surface, viewer, Job::none()).unwrap();
    Grid::from_fn(surface.ground.width(), surface.ground.height(), |cell| {
        let all = [clearance.least_height(cell), clearance.slope_margin(cell), clearance.metres(cell)];
        all.map(|value| value.unwrap_or(f32::NAN))
    })
}

/// Returns ground of one row.
fn profile(heights: &[f32]) -> Grid<f32> {
    Grid::from_vec(heights.len(), 1, heights.to_vec()).unwrap()
}

fn row(surface: &Surface<'_>, method: MethodKind) -> String {
    let seen = seen(surface, ivec2(0, 0), config(100, method));
    seen.as_slice().iter().map(|&v| if v == 1.0 { '*' } else { '.' }).collect()
}

#[test]
fn a_wall_hides_exactly_the_targets_below_the_line_over_its_top() {
    // Eye at 2 m, a top of 10 m four cells away: the line climbs 2 m a cell, to 26 m twelve cells away.
    let mut heights = [0.0f32; 16];
    heights[4] = 10.0;
    for (height, expected) in [(25.9, "*****..........."), (26.1, "*****.......*...")] {
        heights[12] = height;
        let ground = profile(&heights);
        for grade in GRADES {
            assert_eq!(row(&Surface::of(&ground, 30.0).with_eye_height(2.0), grade), expected, "{grade:?} {height}");
            // Lower ground is visible if the target is taller by as much.
            let taller = Surface::of(&ground, 30.0).with_eye_height(2.0).with_target_height(26.2 - height as f64);
            assert_eq!(row(&taller, grade).as_bytes()[12], b'*', "{grade:?}");
        }
    }
}

#[test]
fn a_straight_ridge_hides_targets_below_one_plane() {
    // The plane through the eye and the ridge separates visible from hidden targets.
    let ground = Grid::from_fn(61, 61, |cell| match cell.x {
        34 => 10.0,
        46 if cell.y % 2 == 0 => 33.0, // the plane is at 2 + 2 · 16 = 34 m there
        47 if cell.y % 2 == 0 => 36.5, // and at 36 m here
        _ => 0.0f32,
    });
    let surface = Surface::of(&ground, 30.0).with_eye_height(2.0);
    for grade in GRADES {
        let seen = seen(&surface, ivec2(30, 30), config(60, grade));
        for y in 0..61 {
            for x in 35..=46 {
                assert_eq!(seen[ivec2(x, y)], 0.0, "{grade:?} {x},{y}");
            }
            let on_top = y % 2 == 0;
            assert_eq!(seen[ivec2(47, y)], if on_top { 1.0 } else { 0.0 }, "{grade:?} 47,{y}");
        }
        assert!((0..61).all(|y| (0..=34).all(|x| seen[ivec2(x, y)] == 1.0)), "{grade:?}: before the ridge");
    }
}

#[test]
fn curvature_hides_a_plain_beyond_the_known_distance() {
    // An eye at h sees a sphere as far as √(2 R h / c): 12.199 km for 10 m with the refraction of common air.
    let ground = Grid::new(200, 3, 0.0f32);
    let surface = Surface::of(&ground, 100.0).with_eye_height(10.0).with_curvature(0.85714);
    for grade in GRADES {
        let seen = seen(&surface, ivec2(0, 1), config(300, grade));
        assert!((0..=121).all(|x| seen[ivec2(x, 1)] == 1.0), "{grade:?}");
        assert!((124..200).all(|x| seen[ivec2(x, 1)] == 0.0), "{grade:?}");
        // A tower of height h is visible √(2 R h/c) beyond: over 5.0 km, 1.68 m.
        let least = outputs(&surface, ivec2(0, 1), config(300, grade))[ivec2(172, 1)][0];
        assert!((least - 1.68).abs() < 0.02, "{grade:?} {least}");
    }
}

#[test]
fn nodata_neither_blocks_nor_is_visible() {
    let ridge = |height: f32| Grid::from_fn(41, 41, |cell| if cell.x == 25 { height } else { 0.0 });
    for grade in GRADES {
        let surface = |ground| Surface::of(ground, 30.0).with_eye_height(2.0);
        let (plain, gap, wall) = (ridge(0.0), ridge(f32::NAN), ridge(50.0));
        let [plain, gap, wall] =
            [&plain, &gap, &wall].map(|ground| seen(&surface(ground), ivec2(20, 20), config(30, grade)));
        for (cell, &value) in plain.iter() {
            assert_eq!(gap[cell], if cell.x == 25 { 0.0 } else { value }, "{grade:?} {cell}");
            assert!(cell.x <= 25 || wall[cell] == 0.0, "{grade:?} {cell}");
        }
    }
    let alone = profile(&[f32::NAN, 0.0, 0.0]);
    let mut viewshed = Viewshed::new(config(30, MethodKind::TwoParent)).unwrap();
    let error = viewshed.compute(&Surface::of(&alone, 30.0), ivec2(0, 0), Job::none()).map(drop).unwrap_err();
    assert_eq!(error, SightError::ViewerWithoutData { viewer: ivec2(0, 0) }, "the elevation of the eye is unknown");
}

#[test]
fn canopy_dims_lines_below_its_top() {
    // A cell of full cover, 100 m long and 20 m high, has the transmittance exp(−1.5).
    let cover = profile(&[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let canopy = Some(Canopy::of(&cover));
    let through = (-1.5f32).exp();
    // The line to a top of 60 m ten cells away is at 1.7 + 58.3/2 = 30.8 m over the cell; to one of 30 m, at 15.8 m.
    for (height, left) in [(0.0, through), (30.0, through), (60.0, 1.0)] {
        let mut heights = [0.0f32; 11];
        heights[10] = height;
        let ground = profile(&heights);
        let surface = Surface::of(&ground, 100.0).with_eye_height(1.7).with_canopy(canopy);
        // Reference planes only keep the mean height of the canopy over the horizon, which is 18.3 m here.
        let seen = seen(&surface, ivec2(0, 0), config(20, MethodKind::Exact));
        assert!((seen[ivec2(10, 0)] - left).abs() < 1e-6, "{height}: {}", seen[ivec2(10, 0)]);
        let half = seen[ivec2(5, 0)];
        assert!((half - (-0.75f32).exp()).abs() < 1e-6, "half of the target's cell belongs to the line: {half}");
    }
    let level = profile(&[0.0; 11]);
    for grade in GRADES {
        let surface = Surface::of(&level, 100.0).with_eye_height(1.7).with_canopy(canopy);
        let seen = seen(&surface, ivec2(0, 0), config(20, grade));
        let behind = seen[ivec2(6, 0)];
        assert!((behind - through).abs() < 1e-6, "{grade:?} {behind}");
        // A tower overlooks the canopy.
        let over = self::seen(&surface.with_eye_height(60.0), ivec2(0, 0), config(20, grade));
        assert!(over[ivec2(10, 0)] > 0.9, "{grade:?} {}", over[ivec2(10, 0)]);
    }
}

#[test]
fn the_path_rule_decides_the_length_of_a_slant_through_canopy() {
    let (ground, cover) =
        (Grid::new(9, 9, 0.0f32), Grid::from_fn(9, 9, |c| if c == ivec2(2, 2) { 1.0f32 } else { 0.0 }));
    let canopy = Some(Canopy::of(&cover).with_extinction(0.005));
    let surface = Surface::of(&ground, 100.0).with_eye_height(1.7).with_canopy(canopy);
    for grade in GRADES {
        for (path, length) in [(PathRule::PerCell, 1.0), (PathRule::PerLength, std::f32::consts::SQRT_2)] {
            let seen = seen(&surface, ivec2(0, 0), config(12, grade).with_path(path));
            let expected = (-0.5 * length).exp();
            assert!((seen[ivec2(4, 4)] - expected).abs() < 1e-5, "{grade:?} {path:?} {}", seen[ivec2(4, 4)]);
        }
    }
}

#[test]
fn the_viewshed_of_a_round_crater_is_round() {
    // Visibility on round ground depends only on the distance. A star or butterfly artefact along the eight main
    // directions would have another fraction of errors.
    let middle = ivec2(100, 100);
    let height =
        |r: f64| 40.0 * (-(r - 30.0) * (r - 30.0) / 50.0).exp() + 90.0 * (-(r - 80.0) * (r - 80.0) / 300.0).exp();
    let ground = Grid::from_fn(201, 201, |cell| height((cell - middle).as_dvec2().length()) as f32);
    let surface = Surface::of(&ground, 30.0).with_eye_height(3.0);
    // In small steps along one ray.
    let is_seen = |r: f64| {
        let slope = |at: f64| (height(at) - 3.0 - height(0.0)) / at;
        (1..).map(|i| f64::from(i) * 0.05).take_while(|at| *at < r - 0.05).all(|at| slope(at) <= slope(r))
    };
    for grade in GRADES {
        let seen = seen(&surface, middle, config(95, grade));
        let (mut wrong, mut cells) = ([0usize; 2], [0usize; 2]);
        for (cell, &value) in seen.iter() {
            let offset = cell - middle;
            let r = offset.as_dvec2().length();
            if !(2.0..95.0).contains(&r) {
                continue;
            }
            // Index 1: within 1.5° of an axis or a diagonal.
            let eighth = std::f64::consts::FRAC_PI_4;
            let turn = f64::from(offset.y).atan2(f64::from(offset.x)).rem_euclid(eighth);
            let main = usize::from(turn.min(eighth - turn) < 0.026);
            cells[main] += 1;
            wrong[main] += usize::from((value == 1.0) != is_seen(r));
        }
        let [elsewhere, main] = [0, 1].map(|i| wrong[i] as f64 / cells[i] as f64);
        assert!(cells[1] > 500 && elsewhere < 0.02 && main < 0.02, "{grade:?}: {elsewhere:.4} {main:.4}");
    }
}

#[test]
fn a_decay_multiplies_a_hard_horizon() {
    let ground = Grid::new(41, 41, 0.0f32);
    let surface = Surface::of(&ground, 30.0).with_eye_height(2.0);
    let decay = Decay::Smooth { reach: None };
    for path in [PathRule::PerCell, PathRule::PerLength] {
        let seen =
            seen(&surface, ivec2(20, 20), config(18, MethodKind::TwoParent).with_decay(decay.clone()).with_path(path));
        for (cell, &value) in seen.iter() {
            let r = (cell - 20).as_dvec2().length();
            let expected = if r <= 18.0 { decay.at(r, 18) } else { 0.0 };
            assert!((f64::from(value) - expected).abs() < 1e-6, "{cell}");
        }
    }
}

#[test]
fn a_used_viewshed_equals_a_new_one() {
    let ground = terrain_support::fractal(90, 3, 0.5, 200.0);
    let surface = Surface::of(&ground, 30.0).with_eye_height(2.0);
    let opacity = farsight::sight::OpacityMap::clear(90, 90).unwrap();
    for grade in GRADES {
        let mut viewshed = Viewshed::new(config(30, grade)).unwrap();
        for viewer in [ivec2(45, 45), ivec2(0, 0), ivec2(89, 3), ivec2(45, 45), ivec2(2, 88)] {
            let expected = seen(&surface, viewer, config(30, grade));
            viewshed.clearance(&surface, viewer, Job::none()).unwrap();
            let open = viewshed.field_of_view_mut().compute(&opacity, viewer).unwrap();
            assert_eq!(open.get(viewer + ivec2(0, if viewer.y < 30 { 30 } else { -30 })), 1.0);
            assert_eq!(open.visible().filter(|(cell, _)| !ground.contains(*cell)).count(), 0);
            let view = viewshed.compute(&surface, viewer, Job::none()).unwrap();
            assert_eq!(view.visible().filter(|(cell, _)| !ground.contains(*cell)).count(), 0);
            assert!(expected.iter().all(|(cell, &value)| view.get(cell) == value), "{grade:?} {viewer}");
        }
    }
}

#[test]
fn cancelling_and_a_viewer_off_the_map_are_errors() {
    let ground = Grid::new(50, 50, 0.0f32);
    let mut viewshed = Viewshed::new(config(20, MethodKind::Exact)).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = viewshed.compute(&Surface::of(&ground, 30.0), ivec2(5, 5), Job::none().cancelled_by(&stop));
    assert_eq!(stopped.unwrap_err(), farsight::Cancelled.into());
    assert!(viewshed.compute(&Surface::of(&ground, 30.0), ivec2(50, 0), Job::none()).is_err());
}

/// Returns random rough ground and a viewer on it.
fn rough() -> impl Strategy<Value = (Grid<f32>, IVec2)> {
    let size = || prop_oneof![1 => 1..4i32, 6 => 4..40i32];
    (size(), size(), any::<u32>(), 1.0..200.0f32, 0.0..1.0f64, 0.0..1.0f64).prop_map(
        |(width, height, seed, high, x, y)| {
            let whole = terrain_support::fractal(40, seed, 0.6, high);
            let ground = Grid::from_fn(width as usize, height as usize, |cell| whole[cell]);
            (ground, ivec2((x * f64::from(width)) as i32, (y * f64::from(height)) as i32))
        },
    )
}

fn any_grade() -> impl Strategy<Value = MethodKind> {
    prop::sample::select(GRADES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_eye_above_everything_sees_everything((ground, viewer) in rough(), grade in any_grade()) {
        let surface = Surface::of(&ground, 30.0).with_eye_height(50_000.0);
        let seen = seen(&surface, viewer, config(100, grade));
        prop_assert!(seen.as_slice().iter().all(|&v| v == 1.0));
    }

    #[test]
    fn a_plain_and_neighbours_are_visible((ground, viewer) in rough(), grade in any_grade(), softness in 0.0..9.0) {
        let flat = ground.map(|_| 12.5f32);
        let surface = Surface::of(&flat, 30.0).with_eye_height(1.7).with_softness(softness);
        let level = seen(&surface, viewer, config(100, grade));
        prop_assert!(level.as_slice().iter().all(|&v| v == 1.0));
        let rough = seen(&Surface::of(&ground, 30.0).with_softness(softness), viewer, config(100, grade));
        let near = |cell: IVec2| match grade {
            MethodKind::TwoParent => (cell - viewer).abs().max_element(),
            _ => (cell - viewer).abs().element_sum(), // a patch is between diagonal neighbours
        };
        let near = rough.iter().filter(|(cell, _)| near(*cell) <= 1);
        prop_assert!(near.into_iter().all(|(_, &v)| v == 1.0));
    }

    #[test]
    fn rotated_and_mirrored_ground_has_a_rotated_and_mirrored_viewshed((ground, viewer) in rough(), grade in any_grade(), which in 0..8usize) {
        let size = ground.size();
        let turned = if which & 4 == 0 { size } else { ivec2(size.y, size.x) };
        let to = |cell: IVec2| {
            let x = if which & 1 == 0 { cell.x } else { size.x - 1 - cell.x };
            let y = if which & 2 == 0 { cell.y } else { size.y - 1 - cell.y };
            if which & 4 == 0 { ivec2(x, y) } else { ivec2(y, x) }
        };
        let mut turned_ground = Grid::new(turned.x as usize, turned.y as usize, 0.0f32);
        for (cell, &height) in ground.iter() {
            turned_ground[to(cell)] = height;
        }
        let surface = |ground| Surface::of(ground, 500.0).with_eye_height(2.0).with_curvature(0.9);
        let plain = outputs(&surface(&ground), viewer, config(100, grade));
        let turned = outputs(&surface(&turned_ground), to(viewer), config(100, grade));
        // Reference planes to the bit, the exact grade except for the order of additions.
        let rounding = if grade == MethodKind::TwoParent { 0.0 } else { 1e-3 };
        for (cell, &[_, _, metres]) in plain.iter() {
            let mirrored = turned[to(cell)][2];
            prop_assert!(metres.is_nan() == mirrored.is_nan() && (metres - mirrored).abs().partial_cmp(&rounding) != Some(std::cmp::Ordering::Greater), "{cell}");
        }
    }

    #[test]
    fn least_height_and_slope_margin_agree_with_visibility((ground, viewer) in rough(), grade in any_grade(), target_height in 0.0..5.0) {
        let surface = Surface::of(&ground, 100.0).with_eye_height(1.7).with_curvature(0.85714);
        let surface = surface.with_target_height(target_height);
        let seen_now = seen(&surface, viewer, config(30, grade));
        let outputs = outputs(&surface, viewer, config(30, grade));
        let mut hidden = Vec::new();
        for (cell, &[least, margin, metres]) in outputs.iter() {
            if metres.is_nan() {
                continue;
            }
            let is_seen = seen_now[cell] == 1.0;
            prop_assert_eq!(is_seen, margin >= 0.0, "{}", cell);
            prop_assert_eq!(is_seen, metres >= 0.0, "{}", cell);
            prop_assert!(is_seen == (f64::from(least) <= target_height) || metres.abs() < 1e-3, "{}", cell);
            if !is_seen {
                hidden.push((cell, least));
            }
        }
        // Targets at the minimum height are visible, lower targets are not.
        for (cell, least) in hidden.into_iter().step_by(7).take(6) {
            let heights = [(least + 0.01, 1.0), (least - 0.01, 0.0)].into_iter();
            for (height, expected) in heights.filter(|(height, _)| *height >= 0.0) {
                let taller = surface.with_target_height(f64::from(height));
                prop_assert_eq!(seen(&taller, viewer, config(30, grade))[cell], expected, "{} {}", cell, height);
            }
        }
    }

    #[test]
    fn an_eye_at_the_least_height_sees_the_target((ground, viewer) in rough(), gap in 0..1600usize, target_height in 0.0..5.0) {
        let mut ground = ground;
        let gap = ivec2(gap as i32 % ground.size().x, gap as i32 / 40 % ground.size().y);
        if gap != viewer {
            ground[gap] = f32::NAN;
        }
        let surface = Surface::of(&ground, 100.0).with_target_height(target_height).with_curvature(0.85714);
        let config = config(30, MethodKind::Exact);
        let mut viewshed = Viewshed::new(config.clone()).unwrap();
        let is_wanted = |cell: IVec2| (cell.x + cell.y) % 3 > 0;
        let heights = viewshed.least_eye_heights(&surface.with_eye_height(9.0), viewer, &is_wanted, Job::none()).unwrap();
        let heights = Grid::from_fn(ground.width(), ground.height(), |cell| heights.metres(cell));
        for (cell, height) in heights.iter() {
            let is_in_range = surface.cell_size.is_in_range(cell - viewer, 30);
            prop_assert_eq!(height.is_some(), is_in_range && is_wanted(cell) && !ground[cell].is_nan(), "{}", cell);
        }
        let hidden = heights.iter().filter_map(|(cell, height)| Some((cell, height.filter(|height| *height > 0.1)?)));
        for (cell, height) in hidden.step_by(7).take(6) {
            for (eye, is_seen) in [(height + 0.05, true), (height - 0.05, false)] {
                let surface = surface.with_eye_height(f64::from(eye));
                let seen = viewshed.line_of_sight(&surface, viewer, cell).unwrap();
                prop_assert_eq!(seen == 1.0, is_seen, "{}: an eye of {} m, least {}", cell, eye, height);
            }
        }
    }

    #[test]
    fn softness_never_lowers_visibility((ground, viewer) in rough(), grade in any_grade(), soft in 0.01..50.0f64, more in 1.0..5.0f64) {
        let surface = |softness| Surface::of(&ground, 100.0).with_eye_height(1.7).with_softness(softness);
        let [hard, soft, softer] =
            [0.0, soft, soft * more].map(|softness| seen(&surface(softness), viewer, config(30, grade)));
        for (cell, &hard) in hard.iter() {
            prop_assert!((0.0..=1.0).contains(&soft[cell]));
            prop_assert!(hard <= soft[cell] && soft[cell] <= softer[cell] + 1e-6, "{}", cell);
        }
    }

    #[test]
    fn air_multiplies_the_viewshed((ground, viewer) in rough(), is_exact in any::<bool>(), haze in 0.0..0.3f32) {
        let config = config(30, if is_exact { MethodKind::Beam } else { MethodKind::TwoParent });
        let surface = Surface::of(&ground, 100.0).with_eye_height(1.7).with_softness(5.0);
        let left = seen(&surface, viewer, config.clone());
        let mut viewshed = Viewshed::new(config).unwrap();
        let fill = |start: IVec2, row: &mut [f32]| {
            for (x, opacity) in (start.x..).zip(row) {
                *opacity = haze * ((x * 7 + start.y * 3) % 5) as f32 / 4.0;
            }
        };
        let air = viewshed.field_of_view_mut().compute(OpacityRows::new(fill).within(CellRect::of_size(ground.size())), viewer).unwrap();
        let air = ground.iter().map(|(cell, _)| air.get(cell)).collect::<Vec<_>>();
        let both = viewshed.compute_in_air(&surface, fill, viewer, Job::none()).unwrap();
        for ((cell, &left), air) in left.iter().zip(air) {
            prop_assert_eq!(both.get(cell), air * left, "{}", cell);
        }
    }

    #[test]
    fn more_canopy_never_raises_visibility((ground, viewer) in rough(), grade in any_grade(), seed in any::<u32>()) {
        let some = terrain_support::fractal(40, seed, 0.5, 0.7);
        let cover = Grid::from_fn(ground.width(), ground.height(), |cell| some[cell].clamp(0.0, 1.0));
        let canopy = |extinction| Canopy::of(&cover).with_extinction(extinction).with_height(15.0);
        let surface = |extinction| Surface::of(&ground, 100.0).with_eye_height(1.7).with_canopy(canopy(extinction));
        let [bare, thin, thick] = [0.0, 0.002, 0.02].map(|extinction| seen(&surface(extinction), viewer, config(30, grade)));
        for (cell, &bare) in bare.iter() {
            prop_assert!(bare >= thin[cell] - 1e-6 && thin[cell] >= thick[cell] - 1e-6 && thick[cell] >= 0.0, "{}", cell);
        }
    }
}

#[test]
fn reference_planes_are_near_the_exact_grade() {
    let (mut cells, mut wrong) = (0usize, 0usize);
    for (seed, roughness, height, eye_height) in
        [(1, 0.5, 300.0, 1.7), (2, 0.45, 500.0, 10.0), (3, 0.55, 200.0, 30.0), (4, 0.4, 800.0, 1.7)]
    {
        let ground = terrain_support::fractal(161, seed, roughness, height);
        let surface = Surface::of(&ground, 30.0).with_eye_height(eye_height).with_curvature(0.85714);
        let [exact, plane] =
            [MethodKind::Exact, MethodKind::TwoParent].map(|method| seen(&surface, ivec2(80, 80), config(80, method)));
        for (cell, &exact) in exact.iter().filter(|(cell, _)| (*cell - 80).length_squared() <= 6400) {
            cells += 1;
            wrong += usize::from(plane[cell] != exact);
        }
    }
    let share = wrong as f64 / cells as f64;
    assert!(share < 0.02, "{share:.5}");
}

#[test]
fn canopy_of_reference_planes_is_near_the_exact_one() {
    let (mut sum, mut cells) = (0.0f64, 0.0);
    for seed in 1..5 {
        let ground = terrain_support::fractal(129, seed, 0.45, 400.0);
        let cover = terrain_support::fractal(129, seed + 50, 0.5, 1.2).map(|v| (v - 0.7).clamp(0.0, 1.0));
        let canopy = Some(Canopy::of(&cover));
        let surface = Surface::of(&ground, 100.0).with_eye_height(10.0).with_canopy(canopy);
        let [exact, plane] =
            [MethodKind::Exact, MethodKind::TwoParent].map(|method| seen(&surface, ivec2(64, 64), config(64, method)));
        for (cell, &exact) in exact.iter().filter(|(cell, _)| (*cell - 64).length_squared() <= 4096) {
            cells += 1.0;
            sum += f64::from(plane[cell] - exact).powi(2);
        }
    }
    let error = (sum / cells).sqrt();
    assert!(error < 0.12, "{error:.4}");
}

#[test]
fn beams_have_the_exact_grade() {
    let ground = terrain_support::fractal(81, 5, 0.5, 200.0);
    let surface = Surface::of(&ground, 30.0).with_eye_height(1.7);
    let [beam, exact] =
        [MethodKind::Beam, MethodKind::Exact].map(|method| seen(&surface, ivec2(40, 40), config(40, method)));
    assert_eq!(beam, exact);
}

#[test]
fn the_first_patch_hides_with_the_exact_grade() {
    // Two high corners next to the viewer: in between, the patch rises to 6 m, a saddle that no grid line shows.
    let rows = [[1.0, 11.0, 1.0, 1.0], [11.0, 1.0, 1.0, 1.0], [1.0f32; 4], [1.0; 4]];
    let ground = Grid::from_vec(4, 4, rows.concat()).unwrap();
    for eye in [0.0, 1.7] {
        let surface = Surface::of(&ground, 30.0).with_eye_height(eye);
        let seen = seen(&surface, ivec2(0, 0), config(10, MethodKind::Exact));
        assert_eq!([1, 2, 3].map(|i| seen[ivec2(i, i)]), [0.0; 3], "eye at {eye} m");
        assert_eq!(
            [seen[ivec2(1, 0)], seen[ivec2(0, 1)]],
            [1.0; 2],
            "nothing is between neighbours in a row or column"
        );
    }
}

#[test]
fn the_inside_of_the_last_patch_hides_with_the_exact_grade() {
    // The edges of the patch before 4,2 are below the line to it where the line crosses them, and its inside is above.
    let ground = Grid::from_fn(6, 6, |cell| match (cell.x, cell.y) {
        (3, 2) | (4, 1) => 10.0,
        (3, 1) => -30.0,
        _ => 0.0,
    });
    let surface = Surface::of(&ground, 30.0).with_eye_height(1.7);
    assert_eq!(seen(&surface, ivec2(0, 0), config(10, MethodKind::Exact))[ivec2(4, 2)], 0.0);
}

/// Returns the height over the eye of a point of the bilinear surface, `at` cells from the viewer.
fn bilinear(ground: &Grid<f32>, viewer: IVec2, eye: f64, at: DVec2) -> f64 {
    let corner = at.floor();
    let share = at - corner;
    let height = |x: i32, y: i32| {
        let cell = (viewer + corner.as_ivec2() + ivec2(x, y)).min(ground.size() - 1);
        f64::from(ground[cell])
    };
    let top = height(0, 0) * (1.0 - share.x) + height(1, 0) * share.x;
    let bottom = height(0, 1) * (1.0 - share.x) + height(1, 1) * share.x;
    top * (1.0 - share.y) + bottom * share.y - eye
}

#[test]
fn the_exact_grade_finds_the_horizon_of_dense_samples() {
    // The least common multiple of 1 to 12: all crossings of grid lines are samples.
    const SAMPLES: u32 = 27_720;
    for seed in 0..2 {
        let ground = terrain_support::fractal(25, seed, 0.9, 120.0);
        let viewer = ivec2(12, 12);
        let surface = Surface::of(&ground, 30.0).with_eye_height(1.7);
        let eye = f64::from(ground[viewer]) + 1.7;
        for (cell, [_, _, metres]) in outputs(&surface, viewer, config(30, MethodKind::Exact)).iter() {
            let offset = (cell - viewer).as_dvec2();
            if (cell - viewer).abs().max_element() < 2 {
                continue;
            }
            let slope = |i: u32| {
                let share = f64::from(i) / f64::from(SAMPLES);
                bilinear(&ground, viewer, eye, offset * share) / share
            };
            let horizon = (1..SAMPLES).map(slope).fold(f64::NEG_INFINITY, f64::max);
            let expected = f64::from(ground[cell]) - eye - horizon;
            // A sample next to a visible target is its own horizon, so only targets below the horizon are compared.
            let apart = f64::from(metres.min(0.0)) - expected.min(0.0);
            assert!(apart.abs() < 0.05, "seed {seed} {cell}: {metres}, samples {expected}");
        }
    }
}

#[test]
fn surfaces_out_of_range_are_errors() {
    let ground = Grid::new(9, 9, 10.0);
    let cover = Grid::new(9, 9, 0.5);
    let plain = || Surface::of(&ground, 30.0);
    let canopy =
        |extinction, height| plain().with_canopy(Canopy::of(&cover).with_extinction(extinction).with_height(height));
    let (x, y) = ("cell_size.x_m", "cell_size.y_m");
    for (surface, key) in [
        (Surface::of(&ground, 0.0), x),
        (Surface::of(&ground, -1.0), x),
        (Surface::of(&ground, f64::NAN), x),
        (Surface::of(&ground, farsight::grid::CellSize::new(30.0, 0.0)), y),
        (Surface::of(&ground, farsight::grid::CellSize::new(30.0, f64::INFINITY)), y),
        (plain().with_eye_height(f64::NAN), "eye_height"),
        (plain().with_eye_height(-1.7), "eye_height"),
        (plain().with_target_height(f64::INFINITY), "target_height"),
        (plain().with_softness(-4.0), "softness"),
        (plain().with_curvature(f64::NAN), "curvature"),
        (canopy(f64::NAN, 20.0), "canopy.extinction"),
        (canopy(0.1, -20.0), "canopy.height"),
    ] {
        for method in [MethodKind::TwoParent, MethodKind::Beam, MethodKind::Exact] {
            let mut viewshed = Viewshed::new(config(4, method)).unwrap();
            let (viewer, target) = (ivec2(4, 4), ivec2(6, 4));
            let errors = [
                viewshed.compute(&surface, viewer, Job::none()).map(drop).unwrap_err(),
                viewshed.compute_in_air(&surface, |_, air| air.fill(0.0), viewer, Job::none()).map(drop).unwrap_err(),
                viewshed.clearance(&surface, viewer, Job::none()).map(drop).unwrap_err(),
                viewshed.line_of_sight(&surface, viewer, target).map(drop).unwrap_err(),
                viewshed.clearance_of(&surface, viewer, target).map(drop).unwrap_err(),
                viewshed.least_height(&surface, viewer, target).map(drop).unwrap_err(),
            ];
            for error in errors {
                assert!(matches!(&error, SightError::OutOfRange(found) if found.name == key), "{key}: {error}");
            }
        }
    }
    let empty = Grid::new(9, 9, f32::NAN);
    for method in [MethodKind::TwoParent, MethodKind::Beam] {
        let mut viewshed = Viewshed::new(config(4, method)).unwrap();
        let error = viewshed.compute(&Surface::of(&empty, 30.0), ivec2(4, 4), Job::none()).map(drop).unwrap_err();
        assert_eq!(error, SightError::ViewerWithoutData { viewer: ivec2(4, 4) });
    }
}

#[test]
fn pairs_have_the_bits_of_views() {
    let mut ground = Grid::from_fn(40, 30, |cell| ((cell.x * 37 + cell.y * 101 + cell.x * cell.y) % 17) as f32);
    ground[ivec2(15, 15)] = f32::NAN;
    let cover = Grid::from_fn(40, 30, |cell| [0.0, 0.6, 0.9][((cell.x / 3 + cell.y / 4) % 3) as usize]);
    let square = Surface::of(&ground, 30.0).with_eye_height(2.0).with_target_height(1.0).with_softness(4.0);
    let rectangles =
        Surface::of(&ground, farsight::grid::CellSize::new(20.0, 31.0)).with_eye_height(2.0).with_softness(4.0);
    let wide = config(18, MethodKind::TwoParent);
    let configs = [
        wide.clone().with_decay(Decay::Lamp { reach: None, half: None }),
        wide.clone().with_shape(RadiusShape::Square),
        wide.clone().with_sector(Sector::new(70.0, 100.0)).with_shape(RadiusShape::Diamond),
        config(60, MethodKind::TwoParent),
    ];
    for (config, grade) in configs.iter().flat_map(|config| GRADES.map(|grade| (config, grade))) {
        for surface in [square, square.with_canopy(Canopy::of(&cover)), rectangles.with_canopy(Canopy::of(&cover))] {
            let mut viewshed = Viewshed::new(config.clone().with_method(grade)).unwrap();
            let (mut views, viewer) = (viewshed.clone(), ivec2(11, 14));
            let view = views.compute(&surface, viewer, Job::none()).unwrap().to_owned();
            let clearance = views.clearance(&surface, viewer, Job::none()).unwrap();
            for cell in CellRect::of_size(ground.size() + 2).cells().map(|cell| cell - 1) {
                let seen = viewshed.line_of_sight(&surface, viewer, cell).unwrap();
                assert_eq!(seen.to_bits(), view.get(cell).to_bits(), "{grade:?} {config:?} {cell}");
                let bits = |metres: Option<f32>| metres.map(f32::to_bits);
                let metres = viewshed.clearance_of(&surface, viewer, cell).unwrap();
                assert_eq!(bits(metres), bits(clearance.metres(cell)), "{grade:?} {config:?} {cell}");
                let height = viewshed.least_height(&surface, viewer, cell).unwrap();
                assert_eq!(bits(height), bits(clearance.least_height(cell)), "{grade:?} {config:?} {cell}");
            }
            assert!(view.visible().count() > 20);
        }
    }
}

#[test]
fn clearances_without_a_limit_of_range_are_those_of_the_largest_radius() {
    let ground = Grid::from_fn(30, 20, |cell| ((cell.x * 37 + cell.y * 101) % 17) as f32);
    let surface = Surface::of(&ground, 30.0).with_eye_height(2.0).with_target_height(1.0);
    let far = [IVec2::MIN, IVec2::MAX, ivec2(i32::MIN, i32::MAX), ivec2(-1, 5), ivec2(30, 0)];
    for (shape, grade) in [RadiusShape::Circle, RadiusShape::Square].into_iter().flat_map(|s| GRADES.map(|g| (s, g))) {
        let of_radius = |radius| Viewshed::new(config(radius, grade).with_shape(shape)).unwrap();
        let (mut unlimited, mut largest) = (of_radius(SightConfig::UNLIMITED), of_radius(SightConfig::MAX_RADIUS));
        let (mut pairs, viewer) = (unlimited.clone(), ivec2(7, 9));
        let clearance = unlimited.clearance(&surface, viewer, Job::none()).unwrap();
        let wanted = largest.clearance(&surface, viewer, Job::none()).unwrap();
        for cell in CellRect::of_size(ground.size()).cells().chain(far) {
            let (metres, height) = (wanted.metres(cell), wanted.least_height(cell));
            assert_eq!(height.is_some(), ground.contains(cell), "{cell}");
            assert_eq!((clearance.metres(cell), clearance.least_height(cell)), (metres, height), "{cell}");
            assert_eq!(clearance.slope_margin(cell), wanted.slope_margin(cell), "{cell}");
            assert_eq!(pairs.clearance_of(&surface, viewer, cell), Ok(metres), "{cell}");
            assert_eq!(pairs.least_height(&surface, viewer, cell), Ok(height), "{cell}");
        }
    }
}

#[test]
fn canopy_without_trees_in_reach_changes_nothing() {
    let ground = Grid::from_fn(70, 50, |cell| ((cell.x * 7 + cell.y * 5) % 11) as f32);
    let mut cover = Grid::new(70, 50, 0.0);
    cover[ivec2(3, 3)] = f32::NAN;
    (0..50).for_each(|y| cover[ivec2(55, y)] = 0.8); // beyond the radius
    let bare = Surface::of(&ground, 10.0).with_eye_height(3.0);
    let woods = bare.with_canopy(Canopy::of(&cover).with_extinction(0.1));
    for grade in GRADES {
        for viewer in [ivec2(20, 20), ivec2(0, 0), ivec2(30, 49)] {
            let expected = seen(&bare, viewer, config(24, grade));
            assert_eq!(seen(&woods, viewer, config(24, grade)), expected, "{grade:?} {viewer}");
        }
        assert_ne!(seen(&woods, ivec2(31, 20), config(40, grade)), seen(&bare, ivec2(31, 20), config(40, grade)));
    }
}
