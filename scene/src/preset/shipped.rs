//! The shipped presets, embedded in the program.

/// Names and texts, the default first.
const SHIPPED: &[(&str, &str)] = &[
    ("temperate", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/temperate.toml"))),
    ("clear-day", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/clear-day.toml"))),
    ("haze", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/haze.toml"))),
    ("mist", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/mist.toml"))),
    ("fog", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/fog.toml"))),
    ("jungle", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/jungle.toml"))),
    ("savanna", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/savanna.toml"))),
    ("alpine", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/alpine.toml"))),
    ("archipelago", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/archipelago.toml"))),
    ("night-lantern", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/night-lantern.toml"))),
    ("dungeon", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/dungeon.toml"))),
    ("as-published", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/as-published.toml"))),
    ("viewshed", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/viewshed.toml"))),
    ("terrain", include_str!(concat!(env!("FARSIGHT_PRESETS"), "/terrain.toml"))),
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
