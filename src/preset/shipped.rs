//! The shipped presets. They are part of the program.

/// Names and texts, the default first.
const SHIPPED: &[(&str, &str)] = &[
    ("temperate", include_str!("../../presets/temperate.toml")),
    ("clear-day", include_str!("../../presets/clear-day.toml")),
    ("haze", include_str!("../../presets/haze.toml")),
    ("mist", include_str!("../../presets/mist.toml")),
    ("fog", include_str!("../../presets/fog.toml")),
    ("jungle", include_str!("../../presets/jungle.toml")),
    ("savanna", include_str!("../../presets/savanna.toml")),
    ("alpine", include_str!("../../presets/alpine.toml")),
    ("archipelago", include_str!("../../presets/archipelago.toml")),
    ("night-lantern", include_str!("../../presets/night-lantern.toml")),
    ("dungeon", include_str!("../../presets/dungeon.toml")),
    ("as-published", include_str!("../../presets/as-published.toml")),
    ("viewshed", include_str!("../../presets/viewshed.toml")),
    ("terrain", include_str!("../../presets/terrain.toml")),
];

/// `none` and the names of the shipped presets.
pub(super) const NONE_OR_SHIPPED: &[&str] = &{
    let mut names = ["none"; SHIPPED.len() + 1];
    let mut i = 0;
    while i < SHIPPED.len() {
        names[i + 1] = SHIPPED[i].0;
        i += 1;
    }
    names
};

/// Returns the names of the shipped presets, the default first.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// Returns the text of a shipped preset, the same as in `presets/`.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}
