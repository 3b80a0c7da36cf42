//! The error of each method against traced lines (121 per cell) at radius 64, as the documentation states it, over the
//! first five of its twenty maps of each kind.

use farsight::sight::{Accuracy, FieldOfView, Method, OpacityMap, PathRule, SightConfig};
use farsight_scene::compare::kinds as maps;

const MAPS: u64 = 5;

/// The errors of configurations over all cells of the maps of one kind.
fn errors(kind: &str, configs: &[SightConfig]) -> Vec<Accuracy> {
    let (_, make) = maps::KINDS.into_iter().find(|(name, _)| *name == kind).unwrap();
    let mut errors = vec![Vec::new(); configs.len()];
    for seed in 1..=MAPS {
        let (map, viewer) = maps::scene(139, seed, make);
        let mut exact = FieldOfView::new(configs[0].clone().with_method(Method::Exact { samples: 11 })).unwrap();
        let exact = exact.compute(&map, viewer).unwrap();
        for (config, errors) in configs.iter().zip(&mut errors) {
            let mut fov = FieldOfView::new(config.clone()).unwrap();
            errors.push(Accuracy::of(&fov.compute(&map, viewer).unwrap(), &exact, config.radius));
        }
    }
    errors.iter().map(|parts| Accuracy::pooled(parts)).collect()
}

fn per_length() -> SightConfig {
    SightConfig::default().with_radius(64).with_path(PathRule::PerLength)
}

fn beams(beams: f64) -> SightConfig {
    per_length().with_method(Method::Beam { beams })
}

#[track_caller]
fn assert_errors(kind: &str, bounds: &[(SightConfig, f64)]) {
    let configs: Vec<SightConfig> = bounds.iter().map(|(config, _)| config.clone()).collect();
    for ((config, bound), error) in bounds.iter().zip(errors(kind, &configs)) {
        let method = config.method;
        assert!(error.rmse <= *bound, "{kind}, {method:?}: RMSE {} is above {bound}", error.rmse);
        assert!(error.bias.abs() <= 0.5 * bound, "{kind}, {method:?}: bias {}", error.bias);
    }
}

#[test]
fn error_on_10_percent_walls() {
    assert_errors("10 % walls", &[(beams(1.0), 0.022), (beams(2.0), 0.013)]);
}

#[test]
fn error_on_30_percent_walls() {
    assert_errors("30 % walls", &[(beams(1.0), 0.005)]);
}

#[test]
fn error_in_rooms() {
    assert_errors("rooms", &[(beams(1.0), 0.004)]);
}

#[test]
fn error_on_random_opacities() {
    assert_errors("random 0.02-0.3", &[(beams(1.0), 0.0005), (per_length(), 0.0065)]);
}

#[test]
fn error_in_coherent_fog() {
    assert_errors("fog, five levels", &[(beams(1.0), 0.0008)]);
}

#[test]
fn error_within_a_huge_radius_takes_a_moment() {
    let [clear, hedge] = [".....", "...5."].map(|map| OpacityMap::from_text(map).unwrap());
    let mut fovs = [(); 2].map(|()| FieldOfView::new(SightConfig::default().with_radius(4)).unwrap());
    let [with_hedge, without] = &mut fovs;
    let view = with_hedge.compute(&hedge, (0, 0)).unwrap();
    let error = Accuracy::of(&view, &without.compute(&clear, (0, 0)).unwrap(), u32::MAX);
    assert_eq!((error.greatest, error.bias * error.cells as f64), (0.5, -0.5)); // in one cell
}
