//! Rows of opacities against the formulas of optics, cell by cell; and views over a world against views over a closure.

use std::sync::Arc;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::internal::sight::{Kernel, set_kernel};
use farsight::sight::{Decay, MethodKind, OpacityMap, OpacityRows, OpacitySource, PathRule, SightConfig, View};
use farsight::viewshed::Viewshed;
use farsight_scene::optics::{Optics, OpticsConfig, Relief};
use farsight_scene::world::{Ground, World, WorldConfig};
use proptest::prelude::*;

/// Returns a hash of a cell, in [0, 1).
fn unit(seed: u64, cell: IVec2) -> f32 {
    let mut hash = seed ^ (cell.x as u64) << 32 ^ cell.y as u64;
    for _ in 0..3 {
        hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (hash >> 40) as f32 / (1u64 << 24) as f32
}

/// Returns a world of different cells, some of them nodata with `gaps`.
fn world(size: IVec2, seed: u64, gaps: bool) -> Arc<World> {
    let field = |n: u64| Grid::from_fn(size.x as usize, size.y as usize, move |cell| unit(seed + n, cell));
    let mut elevation_m = field(0).map(|v| 40.0 + 60.0 * v);
    if !gaps {
        let bare = field(1).map(|&v| (2.0 * v - 0.5).clamp(0.0, 1.0)); // some 0 and some 1
        return World::from_fields(elevation_m, field(2), bare, 50.0).unwrap().into();
    }
    for (y, x) in (0..size.y).flat_map(|y| (1..size.x).map(move |x| (y, x))) {
        if unit(seed + 3, ivec2(x, y)) < 0.1 {
            elevation_m[ivec2(x, y)] = f32::NAN;
        }
    }
    World::from_dem(Ground::new(elevation_m), &WorldConfig::default(), Job::none()).unwrap().into()
}

/// Returns the opacity in double precision, and the error that heights rounded to `f32` may cause.
fn by_formula(optics: &Optics, eye_m: f32, cell: IVec2) -> (f64, f64) {
    let (config, world) = (optics.config(), optics.world());
    let length = world.config().cell_size_m;
    let [ground, cover, humidity] =
        [world.ground_m(), world.vegetation(), world.humidity()].map(|field| f64::from(field[cell]));
    let humidity = if humidity.is_nan() { OpticsConfig::REFERENCE_HUMIDITY } else { humidity };
    let air = (-config.air_extinction_per_m(humidity) * length).exp();
    if ground.is_nan() {
        return (1.0 - air, 0.0);
    }
    let rise = ground - f64::from(eye_m);
    let lift = (config.target_height_m - config.eye_height_m).max(0.0) / 2.0;
    let top = config.canopy_height_m * cover * cover;
    let depth = (top.max(config.target_height_m) - config.eye_height_m).max(1e-6);
    let below_top = rise + lift + top;
    let vegetation = config.vegetation_extinction_per_m * length * cover;
    let share = (below_top / depth).clamp(0.0, 1.0);
    let relief = match config.relief {
        Relief::HeightDifference if config.relief_softness_m > 0.0 => {
            let t = (rise / config.relief_softness_m).clamp(0.0, 1.0);
            1.0 - t * t * (3.0 - 2.0 * t)
        }
        Relief::HeightDifference if rise > 0.0 => 0.0,
        _ => 1.0,
    };
    let per_metre = vegetation * 2.0 / depth + 1.5 / config.relief_softness_m.max(1e-30);
    let rounded = (ground.abs() + f64::from(eye_m).abs() + lift + top) * f64::from(f32::EPSILON);
    (1.0 - air * (-vegetation * share).exp() * relief, (per_metre * rounded).min(1.0))
}

fn any_optics() -> impl Strategy<Value = OpticsConfig> {
    let haze = prop_oneof![Just(f64::INFINITY), 50.0..50_000.0];
    let softness = prop_oneof![1 => Just(0.0), 4 => 5.0..200.0];
    let target = prop_oneof![2 => Just(0.0), 1 => 0.0..60.0];
    (haze, 0.0..0.06, 0.0..60.0, softness, 0.0..30.0, target, any::<bool>()).prop_map(
        |(visual_range_m, vegetation_extinction_per_m, canopy_height_m, softness, eye_height_m, target, relief)| {
            OpticsConfig::default()
                .with_visual_range_m(visual_range_m)
                .with_vegetation_extinction_per_m(vegetation_extinction_per_m)
                .with_canopy_height_m(canopy_height_m)
                .with_relief(if relief { Relief::HeightDifference } else { Relief::None })
                .with_relief_softness_m(softness)
                .with_eye_height_m(eye_height_m)
                .with_target_height_m(target)
        },
    )
}

/// A workspace with the kernel that defines the method, and one with another kernel.
fn workspaces(config: &SightConfig, kernel: Kernel) -> [Viewshed; 2] {
    [Kernel::Plain, kernel].map(|kernel| {
        let mut viewshed = Viewshed::new(config.clone()).unwrap();
        set_kernel(viewshed.field_of_view_mut(), kernel);
        viewshed
    })
}

/// Returns the values of a view over rows of opacities, times those of the ends of the paths.
fn values_with_ends(viewshed: &mut Viewshed, source: impl OpacitySource, viewer: IVec2, optics: &Optics) -> Vec<f32> {
    let view = viewshed.field_of_view_mut().compute(source, viewer).unwrap();
    let on_map = CellRect::of_size(optics.world().ground_m().size());
    let cells: Vec<(IVec2, f32)> = view.grid().iter().map(|(cell, &value)| (cell + view.top_left(), value)).collect();
    let with_end = |(cell, value)| {
        let is_seen = value > 0.0 && on_map.contains(cell);
        if is_seen { value * optics.end_transmittance(viewshed, viewer, cell).unwrap() } else { value }
    };
    cells.into_iter().map(with_end).collect()
}

fn values_of(view: View<'_>) -> Vec<f32> {
    view.grid().iter().map(|(_, &value)| value).collect()
}

/// Returns `true` if the values are equal up to the rounding of a product of powers and of the power of a sum.
fn are_near(found: &[f32], expected: &[f32]) -> bool {
    // The exponent of a power of 2 is rounded.
    let error = |value: f32| 3e-7 * value * (3.0 - value.max(f32::MIN_POSITIVE).log2()) + f32::MIN_POSITIVE;
    let is_near = |(found, expected): (&f32, &f32)| (found - expected).abs() <= error(*expected);
    found.len() == expected.len() && found.iter().zip(expected).all(is_near)
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn opacities_follow_the_formula(config in any_optics(), seed in 0..1u64 << 40, gaps in any::<bool>(), above in 0.0f32..80.0) {
        let optics = Optics::new(world(ivec2(37, 21), seed, gaps), &config);
        for eye_m in [optics.eye_m(ivec2(0, 0)), 50.0 + above] {
            for y in 0..21 {
                let mut row = [f32::NAN; 37];
                optics.fill_row(eye_m, ivec2(0, y), &mut row);
                for (x, &found) in (0..).zip(&row) {
                    let (exact, slack) = by_formula(&optics, eye_m, ivec2(x, y));
                    let error = (f64::from(found) - exact).abs();
                    prop_assert!(error < 1e-6 + slack, "{found} at {x},{y}, not {exact}: {error:e} > {slack:e}");
                    prop_assert!((0.0..=1.0).contains(&found));
                }
            }
        }
    }

    #[test]
    fn the_opacity_of_a_cell_does_not_depend_on_the_row(config in any_optics(), seed in 0..1u64 << 40, gaps in any::<bool>(), start in 0usize..60, length in 1usize..600) {
        let optics = Optics::new(world(ivec2(660, 2), seed, gaps), &config);
        let eye_m = optics.eye_m(ivec2(0, 0));
        let mut row = vec![f32::NAN; length];
        optics.fill_row(eye_m, ivec2(start as i32, 1), &mut row);
        for (x, &found) in (start as i32..).zip(&row) {
            prop_assert_eq!(found.to_bits(), optics.opacity(eye_m, ivec2(x, 1)).to_bits(), "{} of {} from {}", x, length, start);
        }
    }

    #[test]
    fn a_view_over_a_world_equals_the_view_over_its_rows(
        config in any_optics(),
        seed in 0..1u64 << 40,
        gaps in any::<bool>(),
        size in (1..90i32, 1..70i32),
        radius in 1..80u32,
        how in 0..3usize,
    ) {
        let size = IVec2::from(size);
        let optics = Optics::new(world(size, seed, gaps), &config);
        let method = [MethodKind::TwoParent, MethodKind::TwoParent, MethodKind::Beam][how];
        let path = [PathRule::PerLength, PathRule::PerCell, PathRule::PerLength][how];
        let decay = [Decay::Smooth { reach: None }, Decay::None, Decay::None][how].clone();
        let sight = SightConfig::default().with_radius(radius).with_method(method).with_path(path).with_decay(decay);
        let viewers = [ivec2(0, 0), ivec2(0, size.y - 1), size / 2].map(|viewer| if gaps { viewer * ivec2(0, 1) } else { viewer });
        for kernel in [Kernel::Plain, Kernel::Width4, Kernel::Width8, Kernel::Width16] {
            let [mut plain, mut viewshed] = workspaces(&sight, kernel);
            for viewer in viewers {
                let eye_m = optics.eye_m(viewer);
                let rows = OpacityRows::new(|start, row| optics.fill_row(eye_m, start, row)).within(CellRect::of_size(size));
                let rows = values_with_ends(&mut viewshed, rows, viewer, &optics);
                let found = values_of(optics.view(&mut viewshed, viewer, Job::none()).unwrap());
                let defined = values_of(optics.view(&mut plain, viewer, Job::none()).unwrap());
                prop_assert!(bits(&found) == bits(&defined), "{:?}: not as its list, {} on {} from {}", kernel, radius, size, viewer);
                let cells = OpacityRows::new(|start: IVec2, row: &mut [f32]| {
                    for (x, slot) in (start.x..).zip(row) {
                        *slot = optics.opacity(eye_m, ivec2(x, start.y));
                    }
                });
                let asked = values_with_ends(&mut plain, cells.within(CellRect::of_size(size)), viewer, &optics);
                prop_assert!(are_near(&found, &rows), "{:?}: not as its rows, {} on {} from {}", kernel, radius, size, viewer);
                prop_assert!(bits(&asked) == bits(&rows), "{:?}: not as its cells, {} on {} from {}", kernel, radius, size, viewer);
            }
        }
    }
}

#[test]
fn a_view_over_a_world_equals_the_view_over_its_rows_on_a_walk() {
    let size = ivec2(300, 271);
    for gaps in [false, true] {
        let optics = Optics::new(world(size, 11, gaps), &OpticsConfig::default());
        let map = OpacityMap::try_from(Grid::from_fn(size.x as usize, size.y as usize, |c| {
            (c.x % 7 * (c.y % 5)) as f32 / 24.0
        }));
        let map = map.unwrap();
        for kernel in [Kernel::Width8, Kernel::Width16] {
            let [mut plain, mut viewshed] = workspaces(&SightConfig::default().with_radius(8), kernel);
            for (i, radius) in [64, 8, 9, 15, 16, 22, 23, 31, 33, 48, 64, 65, 80, 130, 17, 64].into_iter().enumerate() {
                let config = SightConfig::default().with_radius(radius);
                viewshed.set_config(config.clone()).unwrap();
                plain.set_config(config).unwrap();
                let (near, far, middle) = (radius as i32 - 1, size - radius as i32, size / 2);
                for viewer in [
                    middle + 3 * i as i32,
                    ivec2(near.min(size.x - 1), middle.y),
                    ivec2(far.x, middle.y),
                    ivec2(middle.x, near),
                    ivec2(middle.x, far.y),
                    ivec2(i as i32, 2 * i as i32),
                    size - 1 - ivec2(i as i32 % 3, 0),
                ] {
                    let eye_m = optics.eye_m(viewer);
                    let found = values_of(optics.view(&mut viewshed, viewer, Job::none()).unwrap());
                    let defined = values_of(optics.view(&mut plain, viewer, Job::none()).unwrap());
                    assert!(bits(&found) == bits(&defined), "{kernel:?}: {radius} from {viewer}");
                    let rows = OpacityRows::new(|start, row| optics.fill_row(eye_m, start, row));
                    let rows = rows.within(CellRect::of_size(size));
                    let expected = values_with_ends(&mut plain, rows, viewer, &optics);
                    assert!(are_near(&found, &expected), "{kernel:?}: {radius} from {viewer}");
                    let on_map =
                        viewshed.field_of_view_mut().compute(&map, viewer).unwrap().grid().map(|value| value.to_bits());
                    assert!(
                        on_map
                            == plain
                                .field_of_view_mut()
                                .compute(&map, viewer)
                                .unwrap()
                                .grid()
                                .map(|value| value.to_bits())
                    );
                }
            }
        }
    }
}

#[test]
fn a_world_ends_at_its_edges() {
    let optics = Optics::new(world(ivec2(9, 7), 5, false), &OpticsConfig::default());
    let mut viewshed = Viewshed::new(SightConfig::default()).unwrap();
    assert!(optics.view(&mut viewshed, ivec2(9, 0), Job::none()).is_err());
    let view = optics.view(&mut viewshed, ivec2(8, 6), Job::none()).unwrap();
    assert_eq!((view.get(ivec2(8, 6)), view.get(ivec2(9, 6)), view.get(ivec2(8, 7))), (1.0, 0.0, 0.0));
}
