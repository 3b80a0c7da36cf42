//! The decays.

use farsight::sight::{Decay, SightConfig};
use farsight_scene::preset::DecayKind::{self, *};
use farsight_scene::preset::DecaySettings;

/// A decay with these distances.
fn decay(kind: DecayKind) -> Decay {
    let mut decay = DecaySettings::from(kind);
    (decay.reach, decay.half, decay.near) = (Some(20.0), Some(5.0), 4.0);
    decay.points = vec![[2.0, 1.0], [6.0, 0.5], [10.0, 0.1]];
    decay.decay()
}

/// A decay whose distances follow the radius.
fn default_decay(kind: DecayKind) -> Decay {
    let mut decay = DecaySettings::from(kind);
    decay.points = vec![[3.0, 0.2]];
    decay.decay()
}

#[test]
fn values_match_the_formulas() {
    let cases = [
        (None, 7.0, 1.0),
        (Linear, 5.0, 0.75),
        (Linear, 25.0, 0.0),
        (Smooth, 10.0, 0.5625),
        (InverseSquare, 5.0, 0.5),
        (InverseSquare, 10.0, 0.2),
        (Exponential, 10.0, 0.25),
        (Lamp, 10.0, (1.0 - 0.0625f64).powi(2) / 5.0),
        (Lamp, 20.0, 0.0),
        (Fuzzy, 3.0, 1.0),
        (Fuzzy, 9.0, 0.5),
        (Points, 1.0, 1.0),
        (Points, 4.0, 0.75),
        (Points, 8.0, 0.3),
        (Points, 99.0, 0.1),
    ];
    for (kind, distance, expected) in cases {
        let found = decay(kind).at(distance, 64);
        assert!((found - expected).abs() < 1e-12, "{kind:?} at {distance}: {found}, not {expected}");
    }
}

#[test]
fn every_decay_starts_at_1_and_never_rises() {
    for decay in DecayKind::ALL.iter().copied().flat_map(|kind| [decay(kind), default_decay(kind)]) {
        assert_eq!(decay.at(0.0, 16), 1.0, "{decay:?}");
        let mut before = 1.0;
        for tenth in 0..400 {
            let value = decay.at(f64::from(tenth) / 10.0, 16);
            assert!((0.0..=before).contains(&value), "{decay:?} rises at {tenth}/10");
            before = value;
        }
    }
}

#[test]
fn rim_is_visible_by_default() {
    for decay in DecayKind::ALL.iter().copied().map(default_decay) {
        assert!(decay.at(16.0, 16) > 0.0, "{decay:?}");
        assert_eq!(decay.at(0.0, 0), 1.0, "{decay:?}");
    }
}

#[test]
fn errors_quote_the_parameter() {
    let message = |decay| SightConfig::default().with_decay(decay).check().unwrap_err().to_string();
    let (reach, half) = (Option::None, Option::None);
    assert_eq!(message(Decay::Linear { reach: Some(0.0) }), "reach: 0 is not valid: expected 0.5 to 100000");
    assert!(message(Decay::Lamp { reach, half: Some(f64::NAN) }).contains("half: NaN"));
    assert!(message(Decay::Fuzzy { near: -1.0, half }).contains("near: -1"));
    for (points, expected) in [
        (vec![], "needs points"),
        (vec![[1.0, 0.5], [1.0, 0.4]], "points[1]"),
        (vec![[1.0, 0.5], [2.0, 0.6]], "points[1]"),
        (vec![[0.0, 0.5]], "distance 0"),
    ] {
        assert!(message(Decay::Points(points)).contains(expected), "{expected}");
    }
}
