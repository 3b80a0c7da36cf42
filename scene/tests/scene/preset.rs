//! Presets: shipped presets are consistent, files extend files, and errors name the fault.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use farsight::sight::{Method, MethodKind};
use farsight_scene::preset::schema;
use farsight_scene::preset::{Condition, DecayKind, SettingKind};
use farsight_scene::preset::{Preset, PresetError, shipped, shipped_names};

fn message(error: PresetError) -> String {
    error.to_string()
}

fn from_toml(text: &str) -> Result<Preset, String> {
    Preset::from_toml(text, "test.toml").map_err(message)
}

fn set(key: &str, value: &str) -> Result<Preset, String> {
    let mut preset = Preset::shipped_default();
    let before = preset.clone();
    match preset.set(key, value) {
        Ok(()) => Ok(preset),
        Err(error) => {
            assert_eq!(preset, before, "{key} = {value} was refused, and yet changed something");
            Err(message(error))
        }
    }
}

/// Files of these names and texts in a folder of their own.
fn files(texts: &[(&str, &str)]) -> (tempfile::TempDir, impl Fn(&str) -> String + use<>) {
    let folder = tempfile::tempdir().unwrap();
    let root: PathBuf = folder.path().into();
    for (name, text) in texts {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    (folder, move |name| Path::new(&root).join(name).display().to_string())
}

#[test]
fn shipped_presets_parse_have_a_sentence_and_save_as_themselves() {
    let names: Vec<&str> = shipped_names().collect();
    assert_eq!(names[0], Preset::DEFAULT_NAME);
    let mut texts = BTreeSet::new();
    for name in names {
        let preset = Preset::named(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        preset.check().unwrap();
        assert!(preset.about.ends_with('.') && preset.about.len() > 20, "{name}: {:?}", preset.about);
        let text = preset.to_toml();
        let again = from_toml(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, preset, "{name}");
        assert_eq!(again.to_toml(), text, "{name}");
        let tweaked = text.lines().filter(|line| !line.starts_with("about")).collect::<Vec<_>>().join("\n");
        assert!(texts.insert(tweaked), "{name} differs from another preset only by its sentence");
    }
}

#[test]
fn folder_presets_holds_the_shipped_presets() {
    let mut in_folder = BTreeSet::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../presets")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            assert_eq!(shipped(&name), Some(std::fs::read_to_string(&path).unwrap().as_str()), "{name}");
            in_folder.insert(name);
        }
    }
    assert_eq!(in_folder, shipped_names().map(str::to_owned).collect());
}

#[test]
fn saved_preset_has_every_key_with_help_and_range() {
    let text = Preset::shipped_default().to_toml();
    for setting in Preset::settings() {
        let name = setting.name();
        let line = |line: &str| line.starts_with(&format!("{name} = ")) || line.starts_with(&format!("# {name} = "));
        assert!(text.lines().any(line), "{} is missing", setting.key);
        assert!(text.contains(&format!("# {}\n", setting.help())), "{} has no help", setting.key);
    }
    let keys: BTreeSet<&str> = Preset::settings().map(|setting| setting.key).collect();
    assert_eq!(keys.len(), Preset::settings().count(), "a key is there twice");
}

#[test]
fn unusual_values_survive_saving() {
    let mut preset = Preset::shipped_default();
    preset.about = "Two\nlines, a \"quote\", a # and a \\ – and ½.".into();
    preset.optics.visual_range_m = f64::INFINITY;
    preset.optics.humidity_growth = 0.1 + 0.2;
    preset.world.seed = i64::MAX as u64;
    preset.world.river_basin_km2 = 1e9;
    preset.sight.decay.reach = Some(12.5);
    preset.sight.decay.points = vec![[0.0, 1.0], [10.0, 0.25], [1e5, 0.0]];
    preset.sight.sector = farsight::sight::Sector::new(45.0, 90.0);
    preset.check().unwrap();
    assert_eq!(from_toml(&preset.to_toml()).unwrap(), preset);
}

#[test]
fn defaults_are_valid_and_slider_ranges_are_within_the_range() {
    for setting in Preset::settings() {
        assert!(setting.help().len() > 1 && setting.help().ends_with('.'), "{}", setting.key);
        match setting.kind {
            SettingKind::Number { min, max, slider_range: [low, high], log }
            | SettingKind::Optional { min, max, slider_range: [low, high], log, .. } => {
                assert!(min <= low && low < high && high <= max, "{}", setting.key);
                assert!(!log || low > 0.0, "{} in ratios from {low}", setting.key);
            }
            SettingKind::Integer { min, max, slider_range: [low, high] } => {
                assert!(min <= low && low < high && high <= max, "{}", setting.key);
            }
            _ => {}
        }
        let value = Preset::default().value(setting.key);
        assert_eq!(value.is_none(), matches!(setting.kind, SettingKind::Optional { .. }), "{}", setting.key);
    }
}

#[test]
fn both_ends_of_every_range_are_valid_and_values_beyond_are_not() {
    for setting in Preset::settings() {
        let (min, max) = match setting.kind {
            SettingKind::Number { min, max, .. } | SettingKind::Optional { min, max, .. } => (min, max),
            _ => continue,
        };
        if setting.key.starts_with("perception.") {
            continue; // thresholds hang together
        }
        for end in [min, max] {
            set(setting.key, &format!("{end:?}")).unwrap_or_else(|error| panic!("{error}"));
        }
        for beyond in [min - 1.0, max + 1.0, f64::NAN] {
            if !(min..=max).contains(&beyond) {
                let error = set(setting.key, &toml::Value::Float(beyond).to_string()).unwrap_err();
                assert!(error.starts_with(&format!("--set: {}: ", setting.key)), "{error}");
            }
        }
    }
}

#[test]
fn words_need_no_quotes_and_may_have_hyphens() {
    for word in ["two-parent", "two_parent", "\"two-parent\"", " two-parent "] {
        assert_eq!(set("sight.method", word).unwrap().sight.method, MethodKind::TwoParent, "{word:?}");
    }
    assert_eq!(set("sight.decay.kind", "inverse-square").unwrap(), set("sight.decay.kind", "inverse_square").unwrap());
    assert_eq!(set("about", "what it shows").unwrap().about, "what it shows");
    assert_eq!(set("about", "\"quoted\"").unwrap().about, "quoted");
}

#[test]
fn whole_numbers_are_valid_numbers_but_not_the_reverse() {
    assert_eq!(set("optics.visual_range_m", "2000").unwrap().optics.visual_range_m, 2000.0);
    assert_eq!(set("optics.visual_range_m", "inf").unwrap().optics.visual_range_m, f64::INFINITY);
    assert_eq!(set("optics.visual_range_m", "2e3").unwrap().optics.visual_range_m, 2000.0);
    assert_eq!(
        set("sight.radius", "24.0").unwrap_err().split(": expected ").next().unwrap(),
        "--set: sight.radius: 24.0 cells is not valid"
    );
    assert!(from_toml("[optics]\nlight = 1\n").is_ok());
}

#[test]
fn error_names_origin_key_value_and_range() {
    let cases = [
        ("optics.light", "2", "--set: optics.light: 2 is not valid: expected 0 to 1"),
        ("optics.light", "nan", "--set: optics.light: nan is not valid: expected 0 to 1"),
        ("optics.light", "bright", "--set: optics.light: \"bright\" is not valid: expected 0 to 1"),
        ("paint.legend", "1", "--set: paint.legend: 1 is not valid: expected true or false"),
        ("sight.weights", "linaer", "--set: sight.weights: \"linaer\" is not valid: expected linear | projection"),
        ("optics.lihgt", "1", "--set: unknown key optics.lihgt; did you mean optics.light?"),
        ("light", "1", "--set: unknown key light; did you mean optics.light?"),
        ("optics.seed", "1", "--set: unknown key optics.seed; did you mean world.seed?"),
    ];
    for (key, value, wanted) in cases {
        assert_eq!(set(key, value).unwrap_err(), wanted);
    }
    let thresholds = set("perception.glimpse", "0.5").unwrap_err();
    assert!(
        thresholds.contains("perception.glimpse: 0.5 is not valid: expected at most perception.identify = 0.25"),
        "{thresholds}"
    );
}

#[test]
fn files_are_read_strictly() {
    let error = |text| from_toml(text).unwrap_err();
    assert_eq!(error("[optics]\nlight = 2.0"), "test.toml: optics.light: 2.0 is not valid: expected 0 to 1");
    assert!(error("[optic]\nlight = 1.0").starts_with("test.toml: unknown key optic; "));
    assert!(error("[kitchen]\nsink = 1.0").contains("sections are [world] [optics] [sight] [sight.decay]"));
    assert_eq!(
        error("optics = 1"),
        "test.toml: optics: 1 is not valid: expected a section: write [optics] and its keys below"
    );
    assert!(error("[optics.light]\nx = 1").starts_with("test.toml: optics.light: "));
    assert_eq!(error("about = 3"), "test.toml: about: 3 is not valid: expected a text in quotes");
    assert!(error("[optics]\nlight = \n").starts_with("test.toml: not valid TOML: line 2, column 9: "));
    assert!(error("[optics]\nlight = 1\nlight = 1\n").starts_with("test.toml: not valid TOML: line 3"));
    assert!(error("[sight.decay]\npoints = [[1.0]]").starts_with("test.toml: sight.decay.points: "));
    assert!(error("[sight.decay]\npoints = [[5.0, 0.1], [1.0, 0.9]]\nkind = \"points\"").contains("sight.decay"));
    assert!(error("extends = \"fogg\"").contains("did you mean \"fog\"?"));
    assert!(error("extends = 3").contains("extends: 3 is not valid"));
}

#[test]
fn empty_preset_is_the_default() {
    assert_eq!(from_toml("").unwrap(), Preset::default());
    assert_eq!(from_toml("extends = \"fog\"").unwrap(), Preset::named("fog").unwrap());
}

#[test]
fn several_keys_change_at_once_if_the_result_is_valid() {
    let preset = Preset::shipped_default();
    assert!(preset.with([("perception.glimpse", 0.5.into())]).is_err());
    let both = preset.with([("perception.glimpse", 0.5.into()), ("perception.identify", 0.6.into())]).unwrap();
    assert_eq!((both.perception.glimpse, both.perception.identify), (0.5, 0.6));
    let reach = preset.with([("sight.decay.reach", 20.into())]).unwrap();
    assert_eq!(reach.value("sight.decay.reach"), Some(20.0.into()));
    assert_eq!(reach.without("sight.decay.reach").unwrap(), preset);
    assert_eq!(preset.value("sight.decay.reach"), None);
    assert_eq!(preset.value("optics.no_such_key"), None);
}

#[test]
fn file_extends_a_file_of_its_folder() {
    let (_folder, path) = files(&[
        ("base.toml", "about = \"Base.\"\nextends = \"fog\"\n[optics]\nlight = 0.5\nlantern = 3\n"),
        ("deep/child.toml", "extends = \"../base.toml\"\n[optics]\nlantern = 4\n"),
        ("deep/er/grandchild.toml", "extends = \"../child.toml\"\nabout = \"Grandchild.\"\n"),
    ]);
    let preset = Preset::named(&path("deep/er/grandchild.toml")).unwrap();
    let fog = Preset::named("fog").unwrap();
    assert_eq!(preset.about, "Grandchild.");
    assert_eq!((preset.optics.light, preset.optics.lantern), (0.5, 4.0));
    assert_eq!(preset.optics.fog_onset, fog.optics.fog_onset);
    assert_eq!(preset.sight, fog.sight);
}

#[test]
fn cycle_of_extends_is_an_error_for_any_spelling_of_paths() {
    let (_folder, path) = files(&[
        ("a.toml", "extends = \"b.toml\"\n"),
        ("b.toml", "extends = \"./x/../a.toml\"\n"),
        ("x/self.toml", "extends = \"self.toml\"\n"),
    ]);
    for name in ["a.toml", "b.toml", "x/self.toml"] {
        let error = Preset::named(&path(name)).unwrap_err();
        assert!(matches!(error, PresetError::Cycle(_)), "{error}");
        assert!(error.to_string().contains(" extends "), "{error}");
    }
}

#[test]
fn error_names_the_file_with_the_mistake() {
    let (_folder, path) = files(&[("child.toml", "extends = \"base.toml\"\n"), ("base.toml", "[optics]\nlight = 7\n")]);
    let error = Preset::named(&path("child.toml")).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: optics.light: 7 ", path("base.toml"))), "{error}");
    let missing = Preset::named(&path("nowhere.toml")).unwrap_err().to_string();
    assert!(missing.contains("nowhere.toml"), "{missing}");
}

#[test]
fn unknown_name_has_a_hint_at_the_nearest() {
    let error = Preset::named("archipelgo").unwrap_err().to_string();
    assert!(error.contains("did you mean \"archipelago\"?"), "{error}");
    assert!(!Preset::named("zzz").unwrap_err().to_string().contains("did you mean"));
}

#[test]
fn schema_has_every_setting_with_a_valid_default() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    for setting in Preset::settings() {
        let place = format!("/properties/{}", setting.key.replace('.', "/properties/"));
        let property = schema.pointer(&place).unwrap_or_else(|| panic!("{} is missing", setting.key));
        assert!(property["description"].as_str().unwrap().starts_with(&setting.help()), "{}", setting.key);
        let wanted = match setting.kind {
            SettingKind::Number { .. } | SettingKind::Optional { .. } => "number",
            SettingKind::Integer { .. } => "integer",
            SettingKind::Choice(_) | SettingKind::Colour | SettingKind::Name(_) | SettingKind::Glyph => "string",
            SettingKind::Switch => "boolean",
            SettingKind::Points | SettingKind::Cell | SettingKind::Cells(_) => "array",
        };
        assert_eq!(property["type"], wanted, "{}", setting.key);
        if let (Some(value), Some(minimum)) = (property["default"].as_f64(), property["minimum"].as_f64()) {
            assert!(value >= minimum, "{}", setting.key);
        }
    }
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["sight"]["properties"]["decay"]["additionalProperties"], false);
}

#[test]
fn parameters_of_methods_that_are_not_chosen_are_kept_and_checked() {
    let mut preset = Preset::bare_kernel();
    preset.set("sight.rays", "90").unwrap();
    assert_eq!(preset.sight.config(), Preset::bare_kernel().sight.config(), "two parents have no rays");
    preset.set("sight.method", "raycast-circle").unwrap();
    assert_eq!(preset.sight.config().method, Method::RaycastCircle { wall_at: 0.5, rays: 90 });
    preset.sight.beams = 99.0;
    assert!(preset.check().unwrap_err().to_string().contains("sight.beams: 99"));
    assert_eq!(preset.sight.check().unwrap_err().to_string(), "beams: 99 is not valid: expected 0.5 to 4");
}

/// The conditions of a parameter name the methods and decays that have it, and no others.
#[test]
fn parameters_have_an_effect_under_their_conditions_only() {
    let seen = |preset: &Preset| {
        let config = preset.sight.config();
        (config.method, config.decay.clone(), config.shape_in_sight())
    };
    let mut count = 0;
    for setting in Preset::settings().filter(|setting| setting.section().starts_with("sight")) {
        let kinds = match setting.conditions {
            [Condition::Method(_)] => ("sight.method", MethodKind::WORDS),
            [Condition::Decay(_)] => ("sight.decay.kind", DecayKind::WORDS),
            _ => continue,
        };
        let (key, words) = kinds;
        for word in words {
            let mut plain = Preset::bare_kernel();
            plain.set("sight.decay.points", "[[3, 0.5]]").unwrap();
            plain.set(key, word).unwrap();
            let other = match setting.kind {
                SettingKind::Choice(words) => words[words.len() - 1].to_owned(),
                SettingKind::Switch => "false".to_owned(),
                SettingKind::Points => "[[5, 0.25]]".to_owned(),
                _ => setting.slider_range().unwrap()[1].to_string(),
            };
            let mut changed = plain.clone();
            changed.set(setting.key, &other).unwrap();
            let has_effect = seen(&changed) != seen(&plain);
            assert_eq!(has_effect, setting.unmet(&plain, true).is_none(), "{} of {word}", setting.key);
            count += 1;
        }
    }
    assert_eq!(count, 7 * 7 + 4 * 8);
}

#[test]
fn help_names_the_methods_and_decays_that_use_a_parameter() {
    for (key, end) in [
        ("sight.rays", " Only used by raycast_circle."),
        ("sight.wall_at", " Not used by two_parent, beam and exact."),
        ("sight.decay.reach", " Only used by linear, smooth and lamp."),
        ("sight.decay.half", " Not used by none, linear, smooth and points."),
        ("world.loops", " Only used by dungeons."),
    ] {
        let help = Preset::setting(key).unwrap().help();
        assert!(help.ends_with(end), "{help}");
    }
}
