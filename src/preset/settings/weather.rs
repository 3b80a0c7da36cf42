//! The settings of `[weather]`.

use super::super::shipped::NONE_OR_SHIPPED;
use crate::preset::Setting;

pub(super) const SETTINGS: &[Setting] = &[
    Setting::choice("weather.to", NONE_OR_SHIPPED)
        .help("Preset whose air the weather drifts to while the clock runs. none: the air stays as it is."),
    Setting::logarithmic("weather.hours", "h", 0.25..=240.0, [1.0, 24.0])
        .help("Hours from this preset's air to the other's, and as many back. Raise it for slower weather."),
];
