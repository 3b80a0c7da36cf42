//! The difference between two presets, for resets and for changing preset files.

use std::collections::BTreeSet;

use toml::{Table, Value};

use farsight_scene::preset::{Preset, PresetError, Setting};

/// Returns the keys with different values in two presets. An absent optional key is a distinct value.
pub(crate) fn changed_keys(preset: &Preset, base: &Preset) -> BTreeSet<&'static str> {
    let (preset, base) = (preset.to_table(), base.to_table());
    Preset::settings().map(|setting| setting.key).filter(|key| value(&preset, key) != value(&base, key)).collect()
}

/// Returns the preset with some keys of the base. It is an error if they contradict the other keys.
pub(crate) fn reset(preset: &Preset, base: &Preset, which: impl Fn(&Setting) -> bool) -> Result<Preset, PresetError> {
    let keys: BTreeSet<&str> = Preset::settings().filter(|setting| which(setting)).map(|setting| setting.key).collect();
    overlaid(preset, base, |key| keys.contains(key))
}

/// Returns a newer base with the changes of the preset since the older base. It is an error if they contradict each other.
pub(crate) fn rebased(preset: &Preset, older: &Preset, newer: &Preset) -> Result<Preset, PresetError> {
    let keys = changed_keys(preset, older);
    let mut rebased = overlaid(newer, preset, |key| keys.contains(key))?;
    if preset.lamps != older.lamps {
        rebased.lamps.clone_from(&preset.lamps);
    }
    if preset.viewers != older.viewers {
        rebased.viewers.clone_from(&preset.viewers);
    }
    if preset.creatures != older.creatures {
        rebased.creatures.clone_from(&preset.creatures);
    }
    if preset.names != older.names {
        rebased.names.clone_from(&preset.names);
    }
    if preset.cells != older.cells {
        rebased.cells.clone_from(&preset.cells);
    }
    Ok(rebased)
}

/// Returns a preset with some keys of another.
fn overlaid(below: &Preset, above: &Preset, takes: impl Fn(&str) -> bool) -> Result<Preset, PresetError> {
    let (old, new) = (below.to_table(), above.to_table());
    let keys =
        Preset::settings().map(|setting| setting.key).filter(|key| takes(key) && value(&old, key) != value(&new, key));
    // `none` removes an optional key.
    let changes = keys.map(|key| (key, value(&new, key).cloned().unwrap_or_else(|| Value::String("none".into()))));
    below.with(changes.collect::<Vec<_>>())
}

fn value<'t>(table: &'t Table, key: &str) -> Option<&'t Value> {
    match key.split_once('.') {
        Some((section, rest)) => value(table.get(section)?.as_table()?, rest),
        None => table.get(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::light::Lamp;
    use glam::IVec2;

    fn changed(changes: &[(&str, &str)]) -> Preset {
        let mut preset = Preset::named("fog").unwrap();
        for (key, value) in changes {
            preset.set(key, value).unwrap();
        }
        preset
    }

    #[test]
    fn changed_keys_are_found_and_reset_one_by_one_or_by_section() {
        let base = changed(&[]);
        let preset = changed(&[("sight.radius", "9"), ("sight.decay.half", "3.5"), ("optics.light", "0.4")]);
        assert_eq!(
            changed_keys(&preset, &base).into_iter().collect::<Vec<_>>(),
            ["optics.light", "sight.decay.half", "sight.radius"]
        );
        let one = reset(&preset, &base, |setting| setting.key == "sight.decay.half").unwrap();
        assert_eq!(one, changed(&[("sight.radius", "9"), ("optics.light", "0.4")]));
        let group = reset(&preset, &base, |setting| setting.section() == "sight").unwrap();
        assert_eq!(group, changed(&[("sight.decay.half", "3.5"), ("optics.light", "0.4")]));
        assert_eq!(reset(&preset, &base, |_| true).unwrap(), base);
        assert!(changed_keys(&base, &base).is_empty());
    }

    #[test]
    fn keys_that_depend_on_each_other_are_reset_together() {
        let base = changed(&[]);
        let mut preset = base.clone();
        (preset.perception.glimpse, preset.perception.identify) = (0.6, 0.8);
        assert!(reset(&preset, &base, |setting| setting.key == "perception.identify").is_err());
        assert_eq!(reset(&preset, &base, |setting| setting.section() == "perception").unwrap(), base);
    }

    #[test]
    fn a_newer_base_keeps_the_changes() {
        let older = changed(&[]);
        let mut preset = changed(&[("sight.radius", "9"), ("sight.decay.half", "3.5")]);
        preset.lamps.push(Lamp::new(IVec2::new(3, 4)));
        let newer = changed(&[("optics.light", "0.4"), ("sight.radius", "50")]);
        let rebased = rebased(&preset, &older, &newer).unwrap();
        assert_eq!((rebased.sight.radius, rebased.optics.light), (9, 0.4));
        assert_eq!((rebased.sight.decay.half, rebased.lamps.len()), (preset.sight.decay.half, 1));
    }
}
