//! [`with_short_help`]: the flags that `-h` shows. `--help` shows all of them, by section.

use clap::{Arg, Command};

/// The common flags of a subcommand.
const COMMON: [(&str, [&str; 10]); 10] = [
    ("explore", ["preset", "from", "load", "seed", "size", "map", "heightmap", "at", "radius", "set"]),
    ("export", ["output", "layer", "preset", "seed", "map", "heightmap", "at", "radius", "crop", "set"]),
    ("explain", ["target", "from", "preset", "seed", "map", "heightmap", "at", "radius", "set", "json"]),
    ("walk", ["output", "route", "wander", "preset", "seed", "map", "at", "frame", "scale", "set"]),
    ("atlas", ["output", "layer", "every", "preset", "map", "heightmap", "radius", "scale", "resume", "set"]),
    (
        "cumulative",
        ["heightmap", "observers", "at", "radius", "target-height", "count", "layer", "polygons", "bands", "choose"],
    ),
    (
        "horizon",
        ["output", "preset", "heightmap", "at", "eye-height", "max_distance", "azimuths", "ridges", "set", "quiet"],
    ),
    ("panorama", ["output", "preset", "heightmap", "at", "eye-height", "azimuth", "width", "height", "places", "set"]),
    (
        "sky",
        ["output", "layer", "preset", "heightmap", "azimuth", "date", "latitude", "max_distance", "cells", "scale"],
    ),
    ("compare", ["preset", "map", "maps", "gallery", "heightmap", "radius", "methods", "output", "json", "no_time"]),
];

/// Hides all but the common flags from `-h` of the program and of its subcommands. Subcommands without an entry have few flags.
pub(super) fn with_short_help(command: Command) -> Command {
    let program = shortened(command, "explore");
    COMMON.into_iter().fold(program, |program, (name, _)| {
        program.mut_subcommand(name, |subcommand| {
            let more = format!("`farsight {name} --help` has all flags.");
            shortened(subcommand, name).after_help(more).after_long_help("")
        })
    })
}

fn shortened(command: Command, name: &str) -> Command {
    let common = COMMON.into_iter().find(|(other, _)| *other == name).map(|(_, flags)| flags).unwrap_or_default();
    let is_common = |flag: &Arg| common.contains(&flag.get_id().as_str());
    command.mut_args(|flag| if is_common(&flag) { flag } else { flag.hide_short_help(true) })
}
