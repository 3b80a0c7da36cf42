//! The decays.

use farsight::sight::DecayKind::*;
use farsight::sight::{Decay, DecayKind, DecayParameter, SightConfig};
use farsight_scene::preset::Preset;

fn decay(kind: DecayKind) -> Decay {
    Decay::of(kind).with_reach(20.0).with_half(5.0).with_near(4.0).with_points(vec![
        [2.0, 1.0],
        [6.0, 0.5],
        [10.0, 0.1],
    ])
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
fn every_kind_starts_at_1_and_never_rises() {
    for kind in DecayKind::ALL {
        for decay in [decay(kind), Decay::of(kind).with_points(vec![[3.0, 0.2]])] {
            assert_eq!(decay.at(0.0, 16), 1.0, "{kind:?}");
            let mut before = 1.0;
            for tenth in 0..400 {
                let value = decay.at(f64::from(tenth) / 10.0, 16);
                assert!((0.0..=before).contains(&value), "{kind:?} rises at {tenth}/10");
                before = value;
            }
        }
    }
}

#[test]
fn kinds_use_their_parameters_and_no_others() {
    for kind in DecayKind::ALL {
        let plain = decay(kind);
        for (parameter, other) in [
            (DecayParameter::Reach, plain.clone().with_reach(30.0)),
            (DecayParameter::Half, plain.clone().with_half(6.0)),
            (DecayParameter::Near, plain.clone().with_near(3.0)),
            (DecayParameter::Points, plain.clone().with_points(vec![[5.0, 0.3]])),
        ] {
            let differs = (0..20).any(|cells| plain.at(cells.into(), 64) != other.at(cells.into(), 64));
            assert_eq!(differs, kind.parameters().contains(&parameter), "{parameter:?} of {kind:?}");
        }
    }
}

/// The help of each parameter lists the kinds that use it, or those that do not.
#[test]
fn help_of_parameters_names_the_kinds_that_use_them() {
    use DecayParameter::{Half, Near, Points, Reach};
    let names = |uses: &dyn Fn(DecayKind) -> bool| {
        let kinds = DecayKind::ALL.into_iter().filter(|kind| uses(*kind));
        let words: Vec<String> =
            kinds.map(|kind| serde_json::to_value(kind).unwrap().as_str().unwrap().to_string()).collect();
        match &*words {
            [one] => one.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
            [] => String::new(),
        }
    };
    for (key, parameter) in [("reach", Reach), ("half", Half), ("near", Near), ("points", Points)] {
        let key = format!("sight.decay.{key}");
        let setting = Preset::settings().find(|setting| setting.key == key).unwrap();
        let uses = |kind: DecayKind| kind.parameters().contains(&parameter);
        let [used, unused] = [names(&uses), names(&|kind| !uses(kind))];
        let expected = [format!(" Only used by {used}."), format!(" Not used by {unused}.")];
        assert!(expected.iter().any(|end| setting.help.ends_with(end)), "{key}: {}, not {expected:?}", setting.help);
    }
}

#[test]
fn rim_is_visible_by_default() {
    for kind in [Linear, Smooth, Lamp] {
        assert!(Decay::of(kind).at(16.0, 16) > 0.0, "{kind:?}");
    }
    assert!(Decay::of(InverseSquare).at(0.0, 0) == 1.0);
}

#[test]
fn errors_quote_the_parameter() {
    let message = |decay| SightConfig::default().with_decay(decay).check().unwrap_err().to_string();
    assert!(message(decay(Linear).with_reach(0.0)).contains("reach is 0"));
    assert!(message(decay(Lamp).with_half(f64::NAN)).contains("half is NaN"));
    assert!(message(decay(Fuzzy).with_near(-1.0)).contains("near is -1"));
    assert!(message(decay(Points).with_points(vec![])).contains("needs points"));
    assert!(message(decay(Points).with_points(vec![[1.0, 0.5], [1.0, 0.4]])).contains("points[1]"));
    assert!(message(decay(Points).with_points(vec![[1.0, 0.5], [2.0, 0.6]])).contains("points[1]"));
    assert!(message(decay(Points).with_points(vec![[0.0, 0.5]])).contains("distance 0"));
}
