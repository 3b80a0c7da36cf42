//! [`inactive_reason`]: settings that have no effect for now.

use farsight::sight::MethodKind;
use farsight_scene::optics::Relief;
use farsight_scene::preset::{DecayKind, Preset, Setting};
use farsight_scene::world::WorldKind;

/// Returns why a setting has no effect in any of some presets, or `None` if it has one. `has_landscape` is `true` if there
/// are air, woods and hills.
pub(crate) fn inactive_reason(setting: &Setting, presets: &[Preset], has_landscape: bool) -> Option<&'static str> {
    let mut reasons = presets.iter().map(|preset| reason_in(setting, preset, has_landscape));
    let first = reasons.next()?;
    if reasons.all(|reason| reason.is_some()) { first } else { None }
}

/// The reason why a layer of the landscape is missing.
pub(crate) const NO_LANDSCAPE: &str = "This map has only walls and floors: no air, no woods, no hills.";

/// Returns `true` if a setting can have no effect on this kind of terrain, whatever the other settings are.
pub(crate) fn is_absent(setting: &Setting, preset: &Preset, has_landscape: bool) -> bool {
    let is_dungeon = preset.world.kind == WorldKind::Dungeon;
    match setting.key {
        "optics.light" | "optics.lantern" => false,
        "optics.daylight_reach" => has_landscape,
        "paint.names" => !has_landscape,
        key if key.starts_with("optics.") || key.starts_with("weather.") => !has_landscape,
        "world.kind" | "world.seed" | "world.width" | "world.height" => false,
        "world.room_min" | "world.room_max" | "world.loops" => !is_dungeon,
        key if key.starts_with("world.") => is_dungeon,
        _ => false,
    }
}

const NOT_IN_DECAY: &str = "Not used by this kind of decay.";

fn reason_in(setting: &Setting, preset: &Preset, has_landscape: bool) -> Option<&'static str> {
    let Preset { sight, optics, clock, world, .. } = preset;
    let is_method = |method| sight.method == method;
    let is_dungeon = world.kind == WorldKind::Dungeon;
    use DecayKind::{Exponential, Fuzzy, InverseSquare, Lamp, Linear, Points, Smooth};
    let (is_active, reason) = match setting.key {
        "optics.light" | "optics.lantern" => return None,
        "optics.daylight_reach" => (!has_landscape, "Only used on maps with roofs."),
        key if key.starts_with("optics.") && !has_landscape => (false, NO_LANDSCAPE),
        "paint.names" => (has_landscape, NO_LANDSCAPE),
        "optics.relief_softness_m" => (optics.relief != Relief::None, "Relief is none: hills hide nothing."),
        "optics.curvature_coefficient" => (optics.relief == Relief::LineOfSight, "Only used by relief horizon."),
        "sight.shape" => (!sight.method.is_binary(), "Shadowcasting and ray casting see a circle."),
        "sight.weights" => (is_method(MethodKind::TwoParent), "Only used by the two-parent method."),
        "sight.beams" => (is_method(MethodKind::Beam), "Only used by the beam method."),
        "sight.samples" => (is_method(MethodKind::Exact), "Only used by the exact method."),
        "sight.wall_at" => (sight.method.is_binary(), "Only used by shadowcasting and ray casting."),
        "sight.rays" => (is_method(MethodKind::RaycastCircle), "Only used by the raycast circle method."),
        "sight.repair" => (is_method(MethodKind::RaycastBorder), "Only used by the raycast border method."),
        "sight.decay.reach" => (matches!(sight.decay.kind, Linear | Smooth | Lamp), NOT_IN_DECAY),
        "sight.decay.half" => (matches!(sight.decay.kind, InverseSquare | Exponential | Lamp | Fuzzy), NOT_IN_DECAY),
        "sight.decay.near" => (sight.decay.kind == Fuzzy, NOT_IN_DECAY),
        "sight.decay.points" => (sight.decay.kind == Points, NOT_IN_DECAY),
        "sight.sector.facing" => (!sight.sector.is_full(), "The viewer looks all around: the span is 360."),
        "clock.runs" | "world.kind" | "world.seed" | "world.width" | "world.height" => return None,
        key if key.starts_with("clock.") || key.starts_with("weather.") => {
            (clock.runs, "Clock paused; press G to start it.")
        }
        "world.room_min" | "world.room_max" | "world.loops" => (is_dungeon, "Only used by dungeons."),
        key if key.starts_with("world.") => (!is_dungeon, "Not used by dungeons."),
        _ => return None,
    };
    if is_active { None } else { Some(reason) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight_scene::preset::SettingKind;
    use farsight_scene::scene::Scene;
    use toml::Value;

    #[test]
    fn inactive_settings_change_nothing() {
        let world = |name: &str| {
            let mut preset = Preset::named(name).unwrap();
            (preset.world.width, preset.world.height, preset.sight.radius) = (48, 40, 12);
            preset
        };
        let mut count = 0;
        for name in ["temperate", "viewshed", "dungeon"] {
            for method in MethodKind::ALL {
                let mut preset = world(name);
                preset.sight.method = method;
                let scene = Scene::generate(preset.clone(), None, farsight::Job::none()).unwrap();
                let has_landscape = scene.world().is_some();
                for setting in Preset::settings() {
                    if inactive_reason(setting, std::slice::from_ref(&preset), has_landscape).is_none()
                        || setting.section() == "world"
                    {
                        continue;
                    }
                    let value = match setting.kind {
                        SettingKind::Number { slider_range: [low, high], .. }
                        | SettingKind::Optional { slider_range: [low, high], .. } => Value::Float((low + high) / 3.0),
                        SettingKind::Integer { slider_range: [low, high], .. } => Value::Integer((low + high) / 3),
                        SettingKind::Choice(words) => Value::String(words[words.len() - 1].into()),
                        SettingKind::Switch => Value::Boolean(false),
                        SettingKind::Points
                        | SettingKind::Cell
                        | SettingKind::Cells(_)
                        | SettingKind::Colour
                        | SettingKind::Name(_)
                        | SettingKind::Glyph => continue,
                    };
                    let mut other = scene.clone();
                    other.apply(preset.with([(setting.key, value)]).unwrap()).unwrap();
                    let seen = |scene: &Scene| {
                        scene.layer(farsight_scene::scene::Layer::Perceived, scene.sight_frame()).unwrap()
                    };
                    assert_eq!(seen(&scene), seen(&other), "{} in {name} by {method:?}", setting.key);
                    count += 1;
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn absent_settings_are_inactive() {
        for name in ["temperate", "dungeon"] {
            let mut preset = Preset::named(name).unwrap();
            preset.clock.runs = false; // the weather of a running clock changes an air that is not there
            let has_landscape = name == "temperate";
            let absent: Vec<_> = Preset::settings().filter(|it| is_absent(it, &preset, has_landscape)).collect();
            assert!(!absent.is_empty());
            for setting in absent {
                let reason = inactive_reason(setting, std::slice::from_ref(&preset), has_landscape);
                assert!(reason.is_some(), "{} in {name}", setting.key);
            }
        }
    }

    #[test]
    fn settings_of_the_compared_method_are_active() {
        let setting = Preset::settings().find(|setting| setting.key == "sight.beams").unwrap();
        let (plain, mut beam) = (Preset::default(), Preset::default());
        beam.sight.method = MethodKind::Beam;
        assert!(inactive_reason(setting, std::slice::from_ref(&plain), true).is_some());
        assert!(inactive_reason(setting, &[plain, beam], true).is_none());
    }
}
