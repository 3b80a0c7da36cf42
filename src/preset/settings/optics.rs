//! The settings of `[optics]`.

use crate::preset::Setting;

pub(super) const SETTINGS: &[Setting] = &[
    Setting::logarithmic("optics.visual_range_m", "m", 10.0..=f64::INFINITY, [200.0, 100_000.0])
        .help("Visual range at humidity 0.4. Clear 50000, haze 5000, mist 2000, fog 500. Raise it to see farther."),
    Setting::number("optics.humidity_growth", "", 0.0..=2.0, [0.0, 1.5])
        .help("Growth of haze with humidity, an exponent. Raise it for thicker haze in humid air; 0: even haze."),
    Setting::number("optics.fog_onset", "humidity", 0.0..=1.0, [0.3, 1.0])
        .help("Humidity above which fog forms. Raise it for less fog; 1: no fog."),
    Setting::logarithmic("optics.fog_visual_range_m", "m", 10.0..=f64::INFINITY, [50.0, 20_000.0])
        .help("Visual range in the thickest fog. Raise it for thinner fog; inf: no fog."),
    Setting::number("optics.vegetation_extinction_per_m", "1/m", 0.0..=1.0, [0.0, 0.08])
        .help("Extinction of full vegetation. Savanna 0.002, forest 0.015, jungle 0.06. Raise it for darker woods."),
    Setting::number("optics.canopy_height_m", "m", 0.0..=120.0, [0.0, 60.0])
        .help("Height of full vegetation; half as dense is a quarter as high. Raise it and woods hide more."),
    Setting::choice("optics.relief", &["none", "difference", "horizon"])
        .help("How ground hides cells. none: never; difference: opaque above the eye; horizon: true lines of sight."),
    Setting::number("optics.relief_softness_m", "m", 0.0..=5000.0, [0.0, 400.0]).help(
        "Metres over which hidden ground fades out: difference, above the eye; horizon, below it. Raise it for softer edges.",
    ),
    Setting::number("optics.eye_height_m", "m", 0.0..=10_000.0, [0.0, 100.0])
        .help("Height of the eye above ground. Raise it (a tower, a balloon) to look over woods and hills."),
    Setting::number("optics.target_height_m", "m", 0.0..=10_000.0, [0.0, 100.0])
        .help("Height of targets above their ground (masts, towers). Raise it to see them over woods and hills."),
    Setting::number("optics.curvature_coefficient", "", 0.0..=2.0, [0.0, 1.0])
        .optional("0 (terrain 0.857)")
        .help("Curvature of the Earth. 0: flat; 0.85714: with refraction; 1: without. Only used by relief horizon."),
    Setting::number("optics.radius_per_100m", "cells", 0.0..=64.0, [0.0, 16.0])
        .help("Growth of the radius for each 100 m above the sea. Raise it to see farther from peaks."),
    Setting::number("optics.light", "", 0.0..=1.0, [0.0, 1.0])
        .help("Ambient light. Raise it to perceive more; 0: black night, 1: full day."),
    Setting::number("optics.lantern", "cells", 0.0..=512.0, [0.0, 32.0])
        .help("Reach of the light that the viewer carries. Raise it to light more cells; 0: no lantern."),
];
