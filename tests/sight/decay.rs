//! The decays.

use farsight::sight::Decay::{self, *};
use farsight::sight::SightConfig;

/// All decays with these distances.
fn decays() -> [Decay; 8] {
    let (reach, half, near) = (Some(20.0), Some(5.0), 4.0);
    [
        None,
        Linear { reach },
        Smooth { reach },
        InverseSquare { half },
        Exponential { half },
        Lamp { reach, half },
        Fuzzy { near, half },
        Points(vec![[2.0, 1.0], [6.0, 0.5], [10.0, 0.1]]),
    ]
}

#[test]
fn values_match_the_formulas() {
    let [none, linear, smooth, inverse_square, exponential, lamp, fuzzy, points] = &decays();
    let cases = [
        (none, 7.0, 1.0),
        (linear, 5.0, 0.75),
        (linear, 25.0, 0.0),
        (smooth, 10.0, 0.5625),
        (inverse_square, 5.0, 0.5),
        (inverse_square, 10.0, 0.2),
        (exponential, 10.0, 0.25),
        (lamp, 10.0, (1.0 - 0.0625f64).powi(2) / 5.0),
        (lamp, 20.0, 0.0),
        (fuzzy, 3.0, 1.0),
        (fuzzy, 9.0, 0.5),
        (points, 1.0, 1.0),
        (points, 4.0, 0.75),
        (points, 8.0, 0.3),
        (points, 99.0, 0.1),
    ];
    for (decay, distance, expected) in cases {
        let found = decay.at(distance, 64);
        assert!((found - expected).abs() < 1e-12, "{decay:?} at {distance}: {found}, not {expected}");
    }
}

/// All decays with the distances that follow the radius.
fn default_decays() -> [Decay; 7] {
    let (reach, half) = (Option::None, Option::None);
    [
        Linear { reach },
        Smooth { reach },
        InverseSquare { half },
        Exponential { half },
        Lamp { reach, half },
        Fuzzy { near: 0.0, half },
        Points(vec![[3.0, 0.2]]),
    ]
}

#[test]
fn every_decay_starts_at_1_and_never_rises() {
    for decay in decays().into_iter().chain(default_decays()) {
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
    for decay in default_decays() {
        assert!(decay.at(16.0, 16) > 0.0, "{decay:?}");
        assert_eq!(decay.at(0.0, 0), 1.0, "{decay:?}");
    }
}

#[test]
fn errors_quote_the_parameter() {
    let message = |decay| SightConfig::default().with_decay(decay).check().unwrap_err().to_string();
    assert_eq!(message(Linear { reach: Some(0.0) }), "reach: 0 is not valid: expected 0.5 to 100000");
    assert!(message(Lamp { reach: Option::None, half: Some(f64::NAN) }).contains("half: NaN"));
    assert!(message(Fuzzy { near: -1.0, half: Option::None }).contains("near: -1"));
    assert!(message(Points(vec![])).contains("needs points"));
    assert!(message(Points(vec![[1.0, 0.5], [1.0, 0.4]])).contains("points[1]"));
    assert!(message(Points(vec![[1.0, 0.5], [2.0, 0.6]])).contains("points[1]"));
    assert!(message(Points(vec![[0.0, 0.5]])).contains("distance 0"));
}
