//! The formulas of optics against values computed by hand, and properties for all values.

use std::sync::Arc;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{MethodKind, PathRule, SightConfig};
use farsight::viewshed::Viewshed;
use farsight_scene::optics::{Optics, OpticsConfig, Relief};
use farsight_scene::preset::{Preset, SettingKind};
use farsight_scene::world::World;
use proptest::prelude::*;

use super::world_of;

const NO_HAZE: f64 = f64::INFINITY;

/// Returns optics without any extinction.
fn vacuum() -> OpticsConfig {
    OpticsConfig::default()
        .with_visual_range_m(NO_HAZE)
        .with_humidity_growth(0.0)
        .with_fog_onset(1.0)
        .with_fog_visual_range_m(f64::INFINITY)
        .with_vegetation_extinction_per_m(0.0)
        .with_relief(Relief::None)
        .with_eye_height_m(2.0)
}

/// Returns the opacity of the right one of two cells of 100 m, for a viewer on the left one.
fn opacity(config: &OpticsConfig, humidity: f32, vegetation: f32, rise_m: f32) -> f32 {
    let world = world_of(2, 1, humidity, vegetation, |cell| 1000.0 + rise_m * cell.x as f32);
    let optics = Optics::new(Arc::new(world), config);
    optics.opacity(optics.eye_m(ivec2(0, 0)), ivec2(1, 0))
}

fn near(got: f32, hand: f64) {
    assert!((f64::from(got) - hand).abs() < 2e-6, "{got} is not {hand}");
}

#[test]
fn haze_follows_koschmieder() {
    // exp(−3.912) = 0.0200 is left over the visual range; over a tenth of it, exp(−0.3912) = 0.67624.
    let config = vacuum().with_visual_range_m(1000.0);
    assert!((config.air_extinction_per_m(0.4) - 0.003912).abs() < 1e-12);
    near(opacity(&config, 0.4, 0.0, 0.0), 1.0 - 0.676245);
    let far = vacuum().with_visual_range_m(100.0);
    near(opacity(&far, 0.4, 0.0, 0.0), 1.0 - 0.020000);
}

#[test]
fn haze_fog_and_woods_follow_the_law_at_any_cell_size() {
    let field = |value: f32| Grid::new(41, 41, value);
    let config = |name: &str, length: f64| match name {
        "haze" => vacuum().with_visual_range_m(length),
        "fog" => vacuum().with_fog_onset(0.5).with_fog_visual_range_m(length),
        _ => vacuum().with_vegetation_extinction_per_m(3.912 / length).with_canopy_height_m(20.0),
    };
    for (name, humidity, vegetation) in [("haze", 0.4, 0.0), ("fog", 1.0, 0.0), ("wood", 0.4, 1.0)] {
        // 2 % are left after this number of cells.
        for cells in [0.5, 1.0, 2.0, 5.0, 20.0] {
            let world = World::from_fields(field(100.0), field(humidity), field(vegetation), 100.0).unwrap();
            let optics = Optics::new(Arc::new(world), &config(name, 100.0 * cells));
            for method in MethodKind::ALL.iter().copied().filter(|method| !method.is_binary()) {
                let sight = SightConfig::default().with_radius(20).with_path(PathRule::PerLength).with_method(method);
                let mut viewshed = Viewshed::new(sight).unwrap();
                let view = optics.view(&mut viewshed, ivec2(20, 20), Job::none()).unwrap();
                for step in [ivec2(1, 0), ivec2(0, -1), ivec2(1, 1), ivec2(-1, 1), ivec2(-1, -2)] {
                    for cell in (0..=14).map(|i| step * i).filter(|cell| cell.length_squared() <= 400) {
                        let law = (-3.912 * cell.as_dvec2().length() / cells).exp();
                        let seen = f64::from(view.get(ivec2(20, 20) + cell));
                        // Lines through even air have a mean of their own; below the 2 % that an eye can see, 0.0002 are enough.
                        let bound: f64 = if method == MethodKind::TwoParent { 1e-11 } else { 2e-4 };
                        let follows = (seen - law).abs() <= bound.max(0.01 * law);
                        assert!(follows, "{name}, {method:?}, {cells} cells, {cell}: {seen}, not {law}");
                    }
                }
            }
        }
    }
}

#[test]
fn without_haze_fog_vegetation_and_relief_opacity_is_0() {
    for humidity in [0.0, 0.4, 0.99, 1.0] {
        assert_eq!(opacity(&vacuum(), humidity, 1.0, 500.0), 0.0, "humidity {humidity}");
    }
}

#[test]
fn haze_grows_with_humidity() {
    // ((1 − 0.4)/(1 − 0.85))^0.5 = 2; at γ = 1, 4; at 0.99 and above, 60^0.5 = 7.745967.
    let config = vacuum().with_visual_range_m(1000.0).with_humidity_growth(0.5);
    let growth = |humidity: f64, gamma: f64| {
        config.clone().with_humidity_growth(gamma).air_extinction_per_m(humidity) / 0.003912
    };
    let hand = [(0.4, 0.5, 1.0), (0.85, 0.5, 2.0), (0.85, 1.0, 4.0), (0.99, 0.5, 7.745967), (1.0, 0.5, 7.745967)];
    for (humidity, gamma, factor) in hand {
        assert!((growth(humidity, gamma) - factor).abs() < 1e-6, "{humidity} {gamma}");
    }
    assert!((growth(0.0, 0.5) - 0.6f64.sqrt()).abs() < 1e-12, "dry air is clearer than at the reference");
    assert_eq!(growth(0.97, 0.0), 1.0);
    near(opacity(&config, 0.85, 0.0, 0.0), 1.0 - 0.457308); // exp(−0.7824), 0.85 as an f32
}

#[test]
fn fog_rises_from_its_onset_to_its_own_visual_range() {
    let config = vacuum().with_fog_onset(0.6).with_fog_visual_range_m(500.0);
    let full = 3.912 / 500.0;
    for (humidity, share) in [(0.5, 0.0), (0.6, 0.0), (0.8, 0.5), (0.7, 0.15625), (1.0, 1.0)] {
        assert!((config.air_extinction_per_m(humidity) - full * share).abs() < 1e-12, "{humidity}");
    }
}

#[test]
fn an_onset_of_1_is_no_fog_in_saturated_air() {
    let config = vacuum().with_fog_onset(1.0).with_fog_visual_range_m(50.0);
    assert_eq!(config.air_extinction_per_m(1.0), 0.0);
    assert_eq!(config.air_extinction_per_m(0.999), 0.0);
}

#[test]
fn vegetation_follows_beer_and_lambert() {
    let config = vacuum().with_vegetation_extinction_per_m(0.015).with_canopy_height_m(20.0);
    near(opacity(&config, 0.4, 1.0, 0.0), 1.0 - 0.223130); // exp(−1.5)
    near(opacity(&config, 0.4, 0.5, 0.0), 1.0 - 0.472367); // exp(−0.75): 5 m high, still above the eye
    assert_eq!(opacity(&config, 0.4, 0.3, 0.0), 0.0); // 0.09 · 20 = 1.8 m: below the eye
    assert_eq!(opacity(&config, 0.4, 0.0, 0.0), 0.0);
    near(opacity(&config, 0.4, 1.0, 400.0), 1.0 - 0.223130); // uphill it counts in full, and not more
}

#[test]
fn vegetation_counts_by_the_depth_of_the_eye_below_its_top() {
    let config = vacuum().with_vegetation_extinction_per_m(0.015).with_canopy_height_m(20.0);
    // Eye at 2 m. On ground 9 m lower, the top is 9 m over the eye: half of the 18 m on level ground.
    near(opacity(&config, 0.4, 1.0, -9.0), 1.0 - 0.472367);
    near(opacity(&config, 0.4, 1.0, -13.5), 1.0 - 0.687289); // a quarter: exp(−0.375)
    assert_eq!(opacity(&config, 0.4, 1.0, -18.0), 0.0);
    assert_eq!(opacity(&config, 0.4, 1.0, -500.0), 0.0);
    let tower = config.with_eye_height_m(20.0);
    assert_eq!(opacity(&tower, 0.4, 1.0, 0.0), 0.0);
}

#[test]
fn a_mast_above_the_canopy_is_seen_through_its_upper_part_only() {
    let config = vacuum().with_vegetation_extinction_per_m(0.015).with_canopy_height_m(20.0);
    let to = |target_height_m: f64| opacity(&config.clone().with_target_height_m(target_height_m), 0.4, 1.0, 0.0);
    near(to(20.0), 1.0 - 0.223130); // as high as the trees: hidden as they are
    near(to(38.0), 1.0 - 0.472367); // of the 36 m that the line climbs, 18 are below the tops
}

#[test]
fn ground_above_the_eye_hides_softly_or_at_once() {
    let soft = vacuum().with_relief(Relief::HeightDifference).with_relief_softness_m(60.0);
    for (rise, hidden) in [(-50.0, 0.0), (2.0, 0.0), (32.0, 0.5), (17.0, 0.15625), (62.0, 1.0), (900.0, 1.0)] {
        near(opacity(&soft, 0.4, 0.0, rise), hidden);
    }
    let hard = soft.with_relief_softness_m(0.0);
    assert_eq!(opacity(&hard, 0.4, 0.0, 2.0), 0.0, "level with the eye");
    assert_eq!(opacity(&hard, 0.4, 0.0, 2.1), 1.0);
    let none = hard.with_relief(Relief::None);
    assert_eq!(opacity(&none, 0.4, 0.0, 900.0), 0.0);
}

#[test]
fn a_taller_target_lifts_the_line_by_half_of_the_difference() {
    let world = Arc::new(world_of(1, 1, 0.4, 0.0, |_| 100.0));
    let eye = |target_height_m| Optics::new(world.clone(), &vacuum().with_target_height_m(target_height_m));
    assert_eq!([0.0, 2.0, 12.0].map(|target| eye(target).eye_m(ivec2(0, 0))), [102.0, 102.0, 107.0]);
}

#[test]
fn layers_combine_as_transmittances() {
    // Haze 0.676245, half the vegetation 0.472367, relief 0.5.
    let config = vacuum()
        .with_visual_range_m(1000.0)
        .with_vegetation_extinction_per_m(0.0075)
        .with_relief(Relief::HeightDifference)
        .with_relief_softness_m(60.0);
    near(opacity(&config, 0.4, 1.0, 32.0), 1.0 - 0.676245 * 0.472367 * 0.5);
}

#[test]
fn light_is_ambient_light_plus_the_lantern_and_at_most_1() {
    let night = vacuum().with_light(0.1).with_lantern(10.0);
    near(night.light_at(0.0), 1.0); // 0.1 + 1
    near(night.light_at(5.0), 0.1 + 0.5625); // (1 − 0.25)²
    near(night.light_at(10.0), 0.1);
    near(night.light_at(1e6), 0.1);
    let dark = vacuum().with_light(0.0).with_lantern(0.0);
    assert_eq!(dark.light_at(0.0), 0.0);
}

#[test]
fn every_visual_range_leaves_2_percent_of_contrast() {
    for range in [50_000.0, 5000.0, 2000.0, 500.0, 200.0] {
        let config = vacuum().with_visual_range_m(range);
        let left = (-config.air_extinction_per_m(0.4) * range).exp();
        assert!((left - 0.02).abs() < 1e-5, "{range}: {left}");
    }
}

/// Returns numbers of a setting's whole range, half of them in its slider range.
fn within(setting: &'static str) -> BoxedStrategy<f64> {
    let setting = Preset::settings().find(|k| k.key == setting).unwrap();
    let (SettingKind::Number { min, max, slider_range, .. } | SettingKind::Optional { min, max, slider_range, .. }) =
        setting.kind
    else {
        panic!("{} is no number", setting.key)
    };
    let ends = prop::sample::select(vec![min, max, slider_range[0], slider_range[1]]);
    let finite = if max.is_finite() { max } else { slider_range[1] * 100.0 };
    prop_oneof![1 => ends, 2 => min..=finite, 3 => slider_range[0]..=slider_range[1]].boxed()
}

fn any_config() -> impl Strategy<Value = OpticsConfig> {
    let air = (
        within("optics.visual_range_m"),
        within("optics.humidity_growth"),
        within("optics.fog_onset"),
        within("optics.fog_visual_range_m"),
    );
    let land = (
        within("optics.vegetation_extinction_per_m"),
        within("optics.canopy_height_m"),
        any::<bool>(),
        within("optics.relief_softness_m"),
        within("optics.eye_height_m"),
        within("optics.target_height_m"),
        within("optics.curvature_coefficient"),
    );
    let light = (within("optics.radius_per_100m"), within("optics.light"), within("optics.lantern"));
    (air, land, light).prop_map(|(air, land, light)| {
        OpticsConfig::default()
            .with_visual_range_m(air.0)
            .with_humidity_growth(air.1)
            .with_fog_onset(air.2)
            .with_fog_visual_range_m(air.3)
            .with_vegetation_extinction_per_m(land.0)
            .with_canopy_height_m(land.1)
            .with_relief(if land.2 { Relief::HeightDifference } else { Relief::None })
            .with_relief_softness_m(land.3)
            .with_eye_height_m(land.4)
            .with_target_height_m(land.5)
            .with_curvature_coefficient(land.6)
            .with_radius_per_100m(light.0)
            .with_light(light.1)
            .with_lantern(light.2)
    })
}

/// Returns humidity, vegetation and rise of the right cell.
fn any_cell() -> impl Strategy<Value = (f32, f32, f32)> {
    let share = || prop_oneof![Just(0.0f32), Just(1.0f32), 0.0f32..=1.0];
    (share(), share(), prop_oneof![-60.0f32..=60.0, -2000.0f32..=2000.0])
}

const ROUNDING: f32 = 1e-6;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn opacity_is_in_0_to_1_for_every_setting(config in any_config(), cell in any_cell(), d in 0.0..1e6) {
        let (humidity, vegetation, rise) = cell;
        let opacity = opacity(&config, humidity, vegetation, rise);
        prop_assert!((0.0..=1.0).contains(&opacity), "{opacity}");
        prop_assert!((0.0..=1.0).contains(&config.light_at(d)));
        prop_assert!(config.light_at(d) <= config.light_at(d / 2.0));
        prop_assert!(config.air_extinction_per_m(humidity.into()).is_finite());
    }

    #[test]
    fn more_humidity_vegetation_or_height_never_lowers_opacity(
        config in any_config(),
        cell in any_cell(),
        more in (0.0f32..=1.0, 0.0f32..=1.0, 0.0f32..=500.0),
    ) {
        let (humidity, vegetation, rise) = cell;
        let before = opacity(&config, humidity, vegetation, rise);
        let damper = opacity(&config, humidity + (1.0 - humidity) * more.0, vegetation, rise);
        let greener = opacity(&config, humidity, vegetation + (1.0 - vegetation) * more.1, rise);
        let higher = opacity(&config, humidity, vegetation, rise + more.2);
        prop_assert!(damper >= before - ROUNDING, "damper: {damper} < {before}");
        prop_assert!(greener >= before - ROUNDING, "greener: {greener} < {before}");
        prop_assert!(higher >= before - ROUNDING, "higher: {higher} < {before}");
    }

    #[test]
    fn a_higher_eye_or_target_never_raises_opacity(config in any_config(), cell in any_cell(), up in 0.0..100.0) {
        let (humidity, vegetation, rise) = cell;
        let before = opacity(&config, humidity, vegetation, rise);
        let eye = config.clone().with_eye_height_m(config.eye_height_m + up);
        let target = config.clone().with_target_height_m(config.target_height_m + up);
        // The ground is at 1000 m, where an f32 has a precision of 0.1 mm.
        let rounding = if config.relief_softness_m < 1.0 { 0.01 } else { 1e-3 };
        let step = config.relief_softness_m < 0.01; // a hard edge: rounding may go either way
        prop_assume!(!step);
        for (what, config) in [("eye", eye), ("target", target)] {
            let after = opacity(&config, humidity, vegetation, rise);
            prop_assert!(after <= before + rounding, "{what}: {after} > {before}");
        }
    }

    #[test]
    fn changed_optics_equal_new_optics(from in any_config(), to in any_config(), keep in any::<[bool; 7]>()) {
        // Some keys stay, to cover all combinations of fields that are computed again.
        let mut to = to;
        let fields = [
            (&mut to.visual_range_m, from.visual_range_m),
            (&mut to.humidity_growth, from.humidity_growth),
            (&mut to.fog_onset, from.fog_onset),
            (&mut to.fog_visual_range_m, from.fog_visual_range_m),
            (&mut to.vegetation_extinction_per_m, from.vegetation_extinction_per_m),
            (&mut to.canopy_height_m, from.canopy_height_m),
            (&mut to.eye_height_m, from.eye_height_m),
        ];
        for ((new, old), keep) in fields.into_iter().zip(keep) {
            if keep {
                *new = old;
            }
        }
        let world = Arc::new(varied());
        let mut changed = Optics::new(world.clone(), &from);
        changed.set_config(&to);
        let fresh = Optics::new(world, &to);
        prop_assert_eq!(changed.config(), &to);
        for viewer in [ivec2(0, 0), ivec2(3, 2)] {
            prop_assert_eq!(bits(&changed, viewer), bits(&fresh, viewer));
        }
    }
}

/// Returns a small world of different cells.
fn varied() -> World {
    use farsight::grid::Grid;
    let at = |scale: f32| Grid::from_fn(5, 4, move |c: IVec2| scale * (c.x * 7 + c.y * 3) as f32 / 37.0);
    World::from_fields(at(300.0), at(1.0), at(1.0), 100.0).unwrap()
}

fn bits(optics: &Optics, viewer: IVec2) -> Vec<u32> {
    let eye = optics.eye_m(viewer);
    let mut all = Vec::new();
    for y in 0..4 {
        let mut row = [0.0; 5];
        optics.fill_row(eye, ivec2(0, y), &mut row);
        all.extend(row.map(f32::to_bits));
    }
    all
}

#[test]
fn a_row_equals_its_cells() {
    let optics = Optics::new(Arc::new(varied()), &Preset::named("temperate").unwrap().optics);
    let eye = optics.eye_m(ivec2(2, 1));
    let mut row = [0.0; 3];
    optics.fill_row(eye, ivec2(1, 2), &mut row);
    assert_eq!(row, [1, 2, 3].map(|x| optics.opacity(eye, ivec2(x, 2))));
}
