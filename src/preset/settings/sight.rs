//! The settings of `[sight]` and `[sight.decay]`.

use crate::preset::{Setting, SettingKind};
use crate::sight::SightConfig;

pub(super) const SETTINGS: &[Setting] = &[
    Setting::integer("sight.radius", "cells", 0..=4096, [8, 160])
        .help("How far one can see. Raise it to see farther; run time grows with its square."),
    Setting::choice("sight.method", &["two_parent", "beam", "exact"]).help(
        "The algorithm. two_parent: fast, soft shadows, symmetric; beam: true shadows; exact: the slow reference.",
    ),
    Setting::choice("sight.weights", &["linear", "projection"])
        .help("How two parents share a cell. linear: symmetric; projection: as published. Only used by two_parent."),
    Setting::choice("sight.path", &["per_cell", "per_length"]).help(
        "How opacity counts. per_cell: once for each cell; per_length: for each cell width that the line travels.",
    ),
    Setting::logarithmic("sight.beams", "x 12 radius", SightConfig::BEAMS, [0.5, 4.0]).help(
        "Number of rays (over hills x 8 radius). Raise it for finer shadows in fog. Only used by the beam method.",
    ),
    Setting::integer("sight.samples", "points a side", SightConfig::SAMPLES, [3, 15])
        .help("Lines to each cell: this number squared. Raise it for a smaller error. Only used by the exact method."),
    Setting::choice(
        "sight.decay.kind",
        &["none", "linear", "smooth", "inverse_square", "exponential", "lamp", "fuzzy", "points"],
    )
    .help("The formula by which visibility falls with distance."),
    Setting::logarithmic("sight.decay.reach", "cells", 0.5..=100_000.0, [4.0, 256.0])
        .optional("radius + 1")
        .help("Distance at which nothing is left. Raise it to see farther. Only used by linear, smooth and lamp."),
    Setting::logarithmic("sight.decay.half", "cells", 0.1..=100_000.0, [2.0, 128.0])
        .optional("half the radius")
        .help("Distance at which half is left. Raise it to see farther. Not used by none, linear, smooth and points."),
    Setting::number("sight.decay.near", "cells", 0.0..=100_000.0, [0.0, 64.0])
        .help("Distance up to which nothing is lost. Raise it to see better nearby. Only used by fuzzy."),
    Setting {
        unit: "cells, value",
        ..Setting::new(
            "sight.decay.points",
            SettingKind::Points,
            "Pairs [distance, value]: distances rise, values fall within 0 to 1. Only used by points.",
        )
    },
];
