//! [`inactive_reason`]: settings that currently have no effect.

use farsight_scene::preset::{Condition, Preset, Setting};

/// Returns the reason why a setting has no effect in any of some presets, or `None` if it has one. `has_landscape` is
/// `true` for a terrain with air, woods and hills.
pub(crate) fn inactive_reason(setting: &Setting, presets: &[Preset], has_landscape: bool) -> Option<String> {
    let mut unmet = presets.iter().map(|preset| setting.unmet(preset, has_landscape));
    let first = unmet.next()??;
    unmet.all(|unmet| unmet.is_some()).then(|| match first {
        Condition::Clock => "Clock paused; press G to start it.".to_owned(),
        other => other.words(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::sight::MethodKind;
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
            for &method in MethodKind::ALL {
                let mut preset = world(name);
                preset.sight.method = method;
                let scene = Scene::generate(preset.clone(), None, farsight::Job::none()).unwrap();
                let has_landscape = scene.world().is_some();
                for setting in Preset::settings() {
                    if setting.unmet(&preset, has_landscape).is_none() || setting.section() == "world" {
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
            preset.clock.runs = false; // the weather of a running clock changes absent air
            let has_landscape = name == "temperate";
            let absent: Vec<_> = Preset::settings().filter(|it| it.is_absent(&preset, has_landscape)).collect();
            assert!(!absent.is_empty());
            for setting in absent {
                let reason = setting.unmet(&preset, has_landscape);
                assert!(reason.is_some(), "{} in {name}", setting.key);
            }
        }
    }

    #[test]
    fn settings_of_the_compared_method_are_active() {
        let setting = Preset::setting("sight.beams").unwrap();
        let (plain, mut beam) = (Preset::default(), Preset::default());
        beam.sight.method = MethodKind::Beam;
        assert!(inactive_reason(setting, std::slice::from_ref(&plain), true).is_some());
        assert!(inactive_reason(setting, &[plain, beam], true).is_none());
    }
}
