//! Corridors against recomputed views.

use crate::support::sight::{Scene, any_path, any_scene, any_weights, cases};
use farsight::corridor::Corridor;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{Method, MethodKind, SightConfig};
use proptest::prelude::*;

/// Configurations without decay and with a radius beyond the maps, so that every cell is a target.
fn config(method: MethodKind) -> impl Strategy<Value = SightConfig> {
    (any_weights(), any_path(), 1..=4u32).prop_map(move |(weights, path, samples)| {
        let method = match method {
            MethodKind::TwoParent => Method::TwoParent { weights },
            _ => Method::Exact { samples },
        };
        SightConfig::default().with_radius(20).with_method(method).with_path(path)
    })
}

/// The corridor to a target, and its opacities.
fn corridor(scene: &Scene, config: &SightConfig, target: IVec2) -> (Corridor, Vec<f32>) {
    let corridor = Corridor::new(target - scene.viewer, config).unwrap();
    let opacity = corridor.cells().iter().map(|&cell| scene.opacity[scene.viewer + cell]).collect();
    (corridor, opacity)
}

/// A target on the map, chosen by two numbers.
fn cell_of(scene: &Scene, choice: [usize; 2]) -> IVec2 {
    ivec2((choice[0] % scene.opacity.width()) as i32, (choice[1] % scene.opacity.height()) as i32)
}

fn two_numbers() -> impl Strategy<Value = [usize; 2]> {
    [0..1000usize, 0..1000usize]
}

/// The change of the target's visibility for another opacity in each cell of the map.
fn recomputed(scene: &Scene, config: &SightConfig, target: IVec2, instead: impl Fn(f32) -> f32) -> Grid<f64> {
    let now = scene.seen(config)[target];
    Grid::from_fn(scene.opacity.width(), scene.opacity.height(), |cell| {
        let mut changed = scene.clone();
        changed.opacity[cell] = instead(changed.opacity[cell]);
        f64::from(changed.seen(config)[target]) - f64::from(now)
    })
}

fn assert_gains(scene: &Scene, config: &SightConfig, target: IVec2, left: f32) -> Result<(), TestCaseError> {
    let (corridor, opacity) = corridor(scene, config, target);
    let now = f64::from(scene.seen(config)[target]);
    prop_assert!((corridor.visibility(&opacity) - now).abs() < 1e-6, "{} against {now}", corridor.visibility(&opacity));
    let instead: Vec<f32> = opacity.iter().map(|opacity| opacity * left).collect();
    let mut found = Grid::new(scene.opacity.width(), scene.opacity.height(), 0.0);
    for (cell, gain) in corridor.cells().iter().zip(corridor.gains(&opacity, &instead)) {
        found[scene.viewer + *cell] = gain;
    }
    // Cells outside the corridor are compared, too: they must have no effect.
    let expected = recomputed(scene, config, target, |opacity| opacity * left);
    for (cell, &gain) in expected.iter().filter(|(cell, _)| *cell != target) {
        prop_assert!((found[cell] - gain).abs() < 1e-5, "{cell}: {} against {gain}", found[cell]);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn gains_of_two_parents_equal_recomputed_views(
        scene in any_scene(12), config in config(MethodKind::TwoParent), choice in two_numbers(),
        left in prop_oneof![2 => Just(0.0f32), 1 => 0.0..=1.0f32],
    ) {
        assert_gains(&scene, &config, cell_of(&scene, choice), left)?;
    }

    #[test]
    fn fewest_in_series_is_the_smallest_set_that_opens_the_view(
        scene in any_scene(7), config in prop_oneof![config(MethodKind::TwoParent), config(MethodKind::Exact)],
        choice in two_numbers(),
    ) {
        let target = cell_of(&scene, choice);
        let (corridor, opacity) = corridor(&scene, &config, target);
        let walls = corridor.fewest_in_series(&opacity);
        prop_assert_eq!(walls.is_empty(), corridor.visibility(&opacity) > 0.0);
        let opened = |walls: &[usize]| {
            let mut opacity = opacity.clone();
            walls.iter().for_each(|&wall| opacity[wall] = 0.0);
            corridor.visibility(&opacity) > 0.0
        };
        prop_assert!(opened(&walls));
        if walls.len() == 2 {
            // No single cell opens the view, so all gains are 0.
            prop_assert!(corridor.gains(&opacity, &vec![0.0; opacity.len()]).iter().all(|&gain| gain == 0.0));
        }
        let distances: Vec<i32> = walls.iter().map(|&wall| corridor.cells()[wall].abs().max_element()).collect();
        prop_assert!(distances.is_sorted());
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn gains_along_lines_equal_recomputed_views(
        scene in any_scene(8), config in config(MethodKind::Exact), choice in two_numbers(),
        left in prop_oneof![2 => Just(0.0f32), 1 => 0.0..=1.0f32],
    ) {
        assert_gains(&scene, &config, cell_of(&scene, choice), left)?;
    }
}

#[test]
fn gain_of_a_hedge_on_an_axis_is_its_opacity() {
    let opacity = Grid::<f32>::from_text("..4.....").unwrap();
    let scene = Scene { opacity, viewer: ivec2(0, 0) };
    let (corridor, opacity) = corridor(&scene, &SightConfig::default(), ivec2(7, 0));
    assert_eq!(corridor.cells().len(), 6);
    let gains = corridor.gains(&opacity, &[0.0; 6]);
    assert!((gains[1] - 0.4).abs() < 1e-7 && gains.iter().filter(|gain| **gain != 0.0).count() == 1, "{gains:?}");
}

#[test]
fn corridor_has_only_the_cells_between() {
    let config = SightConfig::default();
    let count = |x, y| Corridor::new(ivec2(x, y), &config).unwrap().cells().len();
    assert_eq!([count(0, 0), count(1, 1), count(9, 0), count(-9, 9), count(2, 1)], [0, 0, 8, 8, 2]);
    // A parallelogram of 7 columns and 5 rows without its two ends.
    assert_eq!(count(-4, 10), 7 * 5 - 2);
    assert!(Corridor::new(ivec2(4000, 1000), &config).is_err());
}

#[test]
fn corridor_of_a_config_out_of_range_is_an_error() {
    let corridor = |method: Method| Corridor::new((5, 2), &SightConfig::default().with_method(method));
    let error = corridor(Method::Exact { samples: 0 }).unwrap_err();
    assert_eq!(error.to_string(), "samples: 0 is not valid: expected 1 to 32");
    let error = corridor(Method::Shadowcast { wall_at: 0.0 }).unwrap_err(); // each clear cell would be a wall
    assert_eq!(error.to_string(), "wall_at: 0 is not valid: expected 0.001 to 1");
    assert!(corridor(Method::Shadowcast { wall_at: f64::NAN }).is_err());
}
