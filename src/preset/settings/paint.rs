//! The settings of `[paint]`.

use crate::preset::{Setting, SettingKind};

pub(super) const SETTINGS: &[Setting] = &[
    Setting::choice("paint.ramp", &["daylight", "green", "cividis", "viridis", "inferno", "grey"])
        .help("Colours of visibility. daylight: darkens the land itself; the others: lay a colour ramp over the land."),
    switch("paint.elevation", "Paints elevation as hillshade, with a tint from lowland to snow."),
    switch("paint.vegetation", "Paints vegetation as green with tree stipple."),
    switch("paint.humidity", "Paints humidity as blue hatching, denser where it is damper."),
    switch("paint.contours", "Paints lines where cells begin to be identified, and glimpsed."),
    switch("paint.creatures", "Paints creatures as glyphs and question marks."),
    switch("paint.legend", "Adds a legend below the map, and below an exported picture."),
];

const fn switch(key: &'static str, help: &'static str) -> Setting {
    Setting::new(key, SettingKind::Switch, help)
}
