//! How near each method comes to traced lines, 49 a cell, at radius 64: the figures that the documentation states.

use farsight::compare::kinds as maps;
use farsight::{Accuracy, FieldOfView, Method, PathRule, SightConfig};

const MAPS: u64 = 9;

/// The median RMSE over maps of one kind for some configurations, and the mean bias.
fn errors(kind: &str, configs: &[SightConfig]) -> Vec<(f64, f64)> {
    let (_, make) = maps::KINDS.into_iter().find(|(name, _)| *name == kind).unwrap();
    let mut errors = vec![Vec::new(); configs.len()];
    for seed in 0..MAPS {
        let (map, viewer) = maps::scene(139, seed, make);
        let mut exact = FieldOfView::new(SightConfig { method: Method::Exact, ..configs[0].clone() }).unwrap();
        let exact = exact.compute(&map, viewer).unwrap();
        for (config, errors) in configs.iter().zip(&mut errors) {
            let mut fov = FieldOfView::new(config.clone()).unwrap();
            errors.push(Accuracy::of(&fov.compute(&map, viewer).unwrap(), &exact, config.radius));
        }
    }
    let median = |parts: &[Accuracy]| {
        let mut errors: Vec<f64> = parts.iter().map(|part| part.rmse).collect();
        errors.sort_by(f64::total_cmp);
        errors[errors.len() / 2]
    };
    errors.iter().map(|parts| (median(parts), Accuracy::pooled(parts).bias)).collect()
}

fn per_length() -> SightConfig {
    SightConfig { radius: 64, path: PathRule::PerLength, ..Default::default() }
}

fn beams(beams: f64) -> SightConfig {
    SightConfig { method: Method::Beam, beams, ..per_length() }
}

#[track_caller]
fn assert_errors(kind: &str, bounds: &[(SightConfig, f64)]) {
    let configs: Vec<SightConfig> = bounds.iter().map(|(config, _)| config.clone()).collect();
    for ((config, bound), (rmse, bias)) in bounds.iter().zip(errors(kind, &configs)) {
        assert!(rmse <= *bound, "{kind}, {:?} {}: RMSE {rmse} is above {bound}", config.method, config.beams);
        assert!(bias.abs() <= 0.5 * bound, "{kind}, {:?} {}: bias {bias}", config.method, config.beams);
    }
}

#[test]
fn on_10_percent_walls() {
    assert_errors("10 % walls", &[(beams(1.0), 0.022), (beams(2.0), 0.013)]);
}

#[test]
fn on_30_percent_walls() {
    assert_errors("30 % walls", &[(beams(1.0), 0.005)]);
}

#[test]
fn in_rooms() {
    assert_errors("rooms", &[(beams(1.0), 0.004)]);
}

#[test]
fn on_random_opacities() {
    assert_errors("random 0.02-0.3", &[(beams(1.0), 0.0005), (per_length(), 0.0065)]);
}

#[test]
fn on_coherent_fog() {
    assert_errors("fog, five levels", &[(beams(1.0), 0.0008)]);
}
