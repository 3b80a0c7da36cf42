//! Settings that do nothing for now, and why.

use crate::classic::ClassicMethod;
use crate::optics::Relief;
use crate::preset::{Preset, Setting};
use crate::sight::{DecayKind, Method};
use crate::world::WorldKind;

/// Why a setting does nothing in any of some presets on one land, or `None` where it does something in one of them.
pub(super) fn idle(setting: &Setting, presets: &[Preset], has_land: bool) -> Option<&'static str> {
    let mut whys = presets.iter().map(|preset| why(setting, preset, has_land));
    let first = whys.next()?;
    if whys.all(|why| why.is_some()) { first } else { None }
}

/// Why a layer of the land cannot be shown where there is none.
pub(super) const NO_LAND: &str = "Here are walls and floors alone: no air, no woods, no hills.";

fn why(setting: &Setting, preset: &Preset, has_land: bool) -> Option<&'static str> {
    let Preset { classic, sight, optics, clock, world, .. } = preset;
    let is = |method| classic.method.is_none() && sight.method == method;
    let casts = |method| classic.method == Some(method);
    let decay = |kinds: &[DecayKind]| kinds.contains(&sight.decay.kind);
    let is_dungeon = world.kind == WorldKind::Dungeon;
    use DecayKind::{Exponential, Fuzzy, InverseSquare, Lamp, Linear, Points, Smooth};
    let (works, why) = match setting.key {
        "optics.light" | "optics.lantern" => return None,
        key if key.starts_with("optics.") && !has_land => (false, NO_LAND),
        "paint.elevation" | "paint.vegetation" | "paint.humidity" => (has_land, NO_LAND),
        "optics.relief_softness_m" => (optics.relief != Relief::None, "Relief is none: hills hide nothing."),
        "optics.curvature_coefficient" => (optics.relief == Relief::Horizon, "Relief horizon alone heeds it."),
        "sight.method" => (classic.method.is_none(), "A classic method takes its place: see classic methods, below."),
        "sight.weights" => (is(Method::TwoParent), "Method two parent alone has weights."),
        "sight.beams" => (is(Method::Beam), "Method beam alone has beams."),
        "sight.samples" => (is(Method::Exact), "Method exact alone takes samples."),
        "sight.decay.reach" => (decay(&[Linear, Smooth, Lamp]), "This kind of decay has no reach."),
        "sight.decay.half" => {
            (decay(&[InverseSquare, Exponential, Lamp, Fuzzy]), "This kind of decay has no distance of half.")
        }
        "sight.decay.near" => (decay(&[Fuzzy]), "Kind fuzzy alone begins only from here."),
        "sight.decay.points" => (decay(&[Points]), "Kind points alone has points."),
        "classic.wall_at" => (classic.method.is_some(), "No classic method is chosen."),
        "classic.rays" => (casts(ClassicMethod::RaycastCircle), "Method raycast circle alone has rays."),
        "classic.repair" => (casts(ClassicMethod::RaycastBorder), "Method raycast border alone is repaired."),
        "clock.runs" | "world.kind" | "world.seed" | "world.width" | "world.height" => return None,
        key if key.starts_with("clock.") || key.starts_with("weather.") => {
            (clock.runs, "The clock stands; G lets it go.")
        }
        "world.room_min" | "world.room_max" | "world.loops" => (is_dungeon, "Dungeons alone have rooms."),
        key if key.starts_with("world.") => (!is_dungeon, "A dungeon has no land."),
        _ => return None,
    };
    if works { None } else { Some(why) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::ComparedMethod;
    use crate::preset::SettingKind;
    use crate::scene::Scene;
    use toml::Value;

    /// Settings that say of themselves that they do nothing change nothing of what is seen.
    #[test]
    fn what_is_called_idle_changes_nothing() {
        let world = |name: &str| {
            let mut preset = Preset::named(name).unwrap();
            (preset.world.width, preset.world.height, preset.sight.radius) = (48, 40, 12);
            preset
        };
        let mut count = 0;
        for name in ["temperate", "viewshed", "dungeon"] {
            for contender in [ComparedMethod::Linear, ComparedMethod::Beam, ComparedMethod::Shadowcast] {
                let preset = contender.over(&world(name));
                let scene = Scene::generate(preset.clone(), None, crate::job::Job::quiet()).unwrap();
                let has_land = scene.world().is_some();
                for setting in Preset::settings() {
                    if idle(setting, std::slice::from_ref(&preset), has_land).is_none() || setting.section() == "world"
                    {
                        continue;
                    }
                    let value = match setting.kind {
                        SettingKind::Number { slider_range: [low, high], .. }
                        | SettingKind::Optional { slider_range: [low, high], .. } => Value::Float((low + high) / 3.0),
                        SettingKind::Integer { slider_range: [low, high], .. } => Value::Integer((low + high) / 3),
                        SettingKind::Choice(words) => Value::String(words[words.len() - 1].into()),
                        SettingKind::Switch => Value::Boolean(false),
                        SettingKind::Points | SettingKind::Cell | SettingKind::Colour => continue,
                    };
                    let mut other = scene.clone();
                    other.apply(preset.with([(setting.key, value)]).unwrap()).unwrap();
                    let seen =
                        |scene: &Scene| scene.layer(crate::scene::Layer::Perceived, scene.sight_frame()).unwrap();
                    assert_eq!(seen(&scene), seen(&other), "{} in {name} by {contender:?}", setting.key);
                    count += 1;
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn what_the_other_side_of_the_divider_uses_is_live() {
        let setting = Preset::settings().find(|setting| setting.key == "sight.beams").unwrap();
        let plain = Preset::default();
        let beam = ComparedMethod::Beam.over(&plain);
        assert!(idle(setting, std::slice::from_ref(&plain), true).is_some());
        assert!(idle(setting, &[plain, beam], true).is_none());
    }
}
