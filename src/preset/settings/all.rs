//! All settings in the order in which a preset is written.

use super::{classic, light, optics, paint, perception, sight, weather, world};
use crate::preset::{Setting, SettingList};

/// Returns every key of a preset that is not in a list.
pub(crate) fn all() -> impl Iterator<Item = &'static Setting> {
    [
        world::SETTINGS,
        optics::SETTINGS,
        sight::SETTINGS,
        classic::SETTINGS,
        perception::SETTINGS,
        paint::SETTINGS,
        light::SETTINGS,
        weather::SETTINGS,
    ]
    .into_iter()
    .flatten()
}

/// Returns every list of a preset.
pub(crate) fn lists() -> [&'static SettingList; 3] {
    [&light::LAMPS, &perception::VIEWERS, &perception::CREATURES]
}
