//! [`Setting::unmet`]: settings that currently have no effect.

use crate::optics::Relief;
use crate::preset::{Condition, Preset, Setting};
use crate::world::WorldKind;

impl Setting {
    /// Returns the unmet condition of a setting without effect, or `None`. `has_landscape` is `true` for a terrain with
    /// air, woods and hills.
    pub fn unmet(&self, preset: &Preset, has_landscape: bool) -> Option<Condition> {
        self.conditions.iter().copied().find(|condition| !holds(*condition, preset, has_landscape))
    }

    /// Returns `true` if the setting has no effect on this kind of terrain, regardless of the other settings.
    pub fn is_absent(&self, preset: &Preset, has_landscape: bool) -> bool {
        let mut of_terrain = self.conditions.iter().filter(|condition| is_of_terrain(**condition));
        of_terrain.any(|condition| !holds(*condition, preset, has_landscape))
    }
}

/// Returns `true` if a condition depends only on the kind of terrain.
fn is_of_terrain(condition: Condition) -> bool {
    matches!(condition, Condition::Landscape | Condition::Roofs | Condition::Overworld | Condition::Dungeon)
}

fn holds(condition: Condition, preset: &Preset, has_landscape: bool) -> bool {
    let Preset { sight, optics, clock, world, .. } = preset;
    match condition {
        Condition::Landscape => has_landscape,
        Condition::Roofs => !has_landscape,
        Condition::Overworld => world.kind == WorldKind::Overworld,
        Condition::Dungeon => world.kind == WorldKind::Dungeon,
        Condition::Relief => optics.relief != Relief::None,
        Condition::Horizon => optics.relief == Relief::LineOfSight,
        Condition::Clock => clock.runs,
        Condition::Cone => !sight.sector.is_full(),
        Condition::Method(methods) => methods.contains(&sight.method),
        Condition::Decay(decays) => decays.contains(&sight.decay.kind),
    }
}
