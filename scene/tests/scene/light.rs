//! Colours and daylight, without a scene.

use farsight::light::{ClockConfig, Rgb};

#[test]
fn colours_are_parsed_and_errors_quote_the_text() {
    assert_eq!("#00FF7f".parse(), Ok(Rgb([0, 255, 127])));
    for wrong in ["", "#", "00ff7f", "#00ff7", "#00ff7f0", "#00ff7g", "#+1+2+3", "#ééé", "red"] {
        let error = wrong.parse::<Rgb>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("colour {wrong:?} is not valid")), "{error}");
    }
}

#[test]
fn hue_does_not_depend_on_brightness() {
    assert_eq!(Rgb([128, 64, 0]).hue(), [1.0, 0.5, 0.0]);
    assert_eq!(Rgb([0; 3]).hue(), [1.0; 3]);
}

fn daylight(hour: f64, clock: &ClockConfig) -> f64 {
    clock.clone().with_hour(hour).daylight()
}

#[test]
fn daylight_follows_sunrise_and_sunset() {
    let clock = ClockConfig::default();
    for (hour, expected) in [(0.0, 0.0), (4.9, 0.0), (6.0, 0.5), (7.1, 1.0), (12.0, 1.0), (18.0, 0.5), (19.5, 0.0)] {
        assert!((daylight(hour, &clock) - expected).abs() < 1e-9, "at {hour}: {}", daylight(hour, &clock));
        assert_eq!(daylight(hour + 48.0, &clock), daylight(hour, &clock), "two days later");
    }
    let sharp = clock.clone().with_twilight(0.0);
    assert_eq!([5.99, 6.0, 17.99, 18.0].map(|hour| daylight(hour, &sharp)), [0.0, 1.0, 1.0, 0.0]);
    let around_midnight = clock.clone().with_sunrise(20.0).with_sunset(4.0);
    assert_eq!([0.0, 12.0, 22.0].map(|hour| daylight(hour, &around_midnight)), [1.0, 0.0, 1.0]);
}

#[test]
fn daylight_is_continuous() {
    for (sunrise, sunset) in (0..=12).flat_map(|sunrise| (0..=24).map(move |sunset| (sunrise, sunset))) {
        for twilight in [2.0, 7.0, 12.0] {
            let (sunrise, sunset) = (f64::from(sunrise), f64::from(sunset));
            let clock = ClockConfig::default().with_sunrise(sunrise).with_sunset(sunset).with_twilight(twilight);
            let hours: Vec<f64> = (0..=480).map(|i| daylight(f64::from(i) / 20.0, &clock)).collect();
            let step = hours.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
            // 24:00 of one day is 0:00 of the next.
            let midnight = (hours[0] - hours[480]).abs();
            assert!(step < 0.1 && midnight < 0.1, "{sunrise} {sunset} {twilight}: {step}, {midnight}");
        }
    }
}

#[test]
fn minutes_add_up_to_days_and_a_year_starts_again() {
    let mut clock = ClockConfig::default().with_hour(23.0);
    for _ in 0..5 {
        clock.hour = clock.hour_after(20.0);
    }
    assert_eq!(clock.day_and_time(), "day 2, 00:40");
    clock.hour = ClockConfig::YEAR;
    assert_eq!(clock.hour_after(20.0), 20.0 / 60.0);
}
