//! `farsight presets`: list, show, check and schema, and the errors of wrong files.

use farsight_scene::preset::{Preset, shipped, shipped_names};

use super::Folder;

#[test]
fn every_shipped_preset_is_listed_shown_and_valid() {
    let folder = Folder::new();
    let list = folder.done("presets list");
    assert_eq!(list.text().lines().count(), shipped_names().count());
    for (line, name) in list.text().lines().zip(shipped_names()) {
        let about = Preset::named(name).unwrap().about;
        assert!(line.starts_with(name) && line.contains(&about), "{line}");
        assert_eq!(folder.done(&format!("presets show {name}")).text(), shipped(name).unwrap());
        folder.done(&format!("presets check {name}"));
    }
    let json: serde_json::Value = serde_json::from_slice(&folder.done("presets list --json").out).unwrap();
    let names: Vec<&str> = json.as_array().unwrap().iter().map(|preset| preset["name"].as_str().unwrap()).collect();
    assert_eq!(names, shipped_names().collect::<Vec<_>>());
}

#[test]
fn a_resolved_preset_is_complete_and_parses_to_itself() {
    let folder = Folder::new();
    for name in shipped_names() {
        let text = folder.done(&format!("presets show {name} --resolved"));
        assert_eq!(Preset::from_toml(text.text(), "text").unwrap(), Preset::named(name).unwrap());
        for setting in Preset::settings() {
            assert!(text.text().contains(&format!("{} = ", setting.name())), "{name} lacks {}", setting.key);
        }
        folder.write("whole.toml", &text.out);
        assert_eq!(folder.done("presets show whole.toml --resolved").out, text.out);
    }
}

#[test]
fn the_schema_knows_every_key_and_refuses_others() {
    let folder = Folder::new();
    let schema: serde_json::Value = serde_json::from_slice(&folder.done("presets schema").out).unwrap();
    assert_eq!(schema["additionalProperties"], false);
    for setting in Preset::settings() {
        let property = setting.key.split('.').fold(&schema, |place, part| &place["properties"][part]);
        let help = property["description"].as_str().unwrap_or_else(|| panic!("{} is missing", setting.key));
        assert!(help.starts_with(&setting.help()));
    }
}

/// The message of `presets check` on a file with this text.
fn check_message(text: &str) -> String {
    let folder = Folder::new();
    folder.write("p.toml", text);
    let ended = folder.run("presets check p.toml");
    assert_eq!(ended.code, 3, "{text}");
    assert_eq!(ended.out, b"");
    ended.stderr
}

#[test]
fn errors_name_file_key_value_and_range() {
    let golden = [
        ("[optics]\nfog_onsett = 0.5\n", "p.toml: unknown key optics.fog_onsett; did you mean optics.fog_onset?"),
        (
            "[sight]\nvisual_range_m = 500\n",
            "p.toml: unknown key sight.visual_range_m; did you mean optics.visual_range_m?",
        ),
        ("[optic]\nlight = 1\n", "p.toml: unknown key optic; did you mean optics?"),
        (
            "[paint]\nzzz = 1\n",
            "p.toml: unknown key paint.zzz; \
             [paint] has look, ramp, contours, creatures, names, legend",
        ),
        ("[optics]\nlight = 7\n", "p.toml: optics.light: 7 is not valid: expected 0 to 1"),
        ("[optics]\nlight = nan\n", "p.toml: optics.light: nan is not valid: expected 0 to 1"),
        (
            "[optics]\nvisual_range_m = 2.5\n",
            "p.toml: optics.visual_range_m: 2.5 m is not valid: expected 10 m or more, or inf",
        ),
        (
            "[world]\nwidth = 0\n",
            "p.toml: world.width: 0 cells is not valid: expected a whole number from 1 to 16384 cells",
        ),
        (
            "[sight]\nweights = \"linaer\"\n",
            "p.toml: sight.weights: \"linaer\" is not valid: expected linear | projection",
        ),
        ("[paint]\nlegend = 1\n", "p.toml: paint.legend: 1 is not valid: expected true or false"),
        ("optics = 3\n", "p.toml: optics: 3 is not valid: expected a section: write [optics] and its keys below"),
        (
            "[perception]\nidentify = 0.1\nglimpse = 0.2\n",
            "p.toml: perception.glimpse: 0.2 is not valid: expected at most perception.identify = 0.1",
        ),
        (
            "[sight.decay]\nkind = \"points\"\npoints = [[0, 1], [5, 1.5]]\n",
            "p.toml: sight.decay: points[1] is [5, 1.5]; expected values from 0 to 1 that do not rise",
        ),
        (
            "[optics]\nlight = 1\nfog_onset = \n",
            "p.toml: not valid TOML: line 3, column 13: string values must be quoted, expected literal string",
        ),
        ("[optics]\nlight = 1\nlight = 1\n", "p.toml: not valid TOML: line 3, column 1: duplicate key"),
        ("extends = 3\n", "p.toml: extends: 3 is not valid: expected a text in quotes"),
        ("extends = \"gone.toml\"\n", "p.toml: extends: gone.toml: cannot be read: there is no such file"),
    ];
    for (text, message) in golden {
        assert_eq!(check_message(text), format!("farsight: {message}\n"), "{text}");
    }
    let unknown = check_message("extends = \"fogg\"\n");
    assert!(
        unknown
            .starts_with("farsight: p.toml: extends: preset \"fogg\" is not known (did you mean \"fog\"?): expected")
    );
}

#[test]
fn circular_extends_are_shown() {
    let folder = Folder::new();
    folder.write("a.toml", "extends = \"b.toml\"");
    folder.write("b.toml", "extends = \"./c.toml\"");
    folder.write("c.toml", "extends = \"a.toml\"");
    let ended = folder.run("presets check a.toml");
    assert_eq!(ended.code, 3);
    let path = |name: &str| folder.path(name).canonicalize().unwrap().display().to_string();
    let [a, b, c] = ["a.toml", "b.toml", "c.toml"].map(path);
    assert_eq!(ended.stderr, format!("farsight: extends runs in a circle: {a} extends {b} extends {c} extends {a}\n"));
    folder.write("self.toml", "extends = \"self.toml\"");
    assert_eq!(folder.run("export --preset self.toml -o x.png").code, 3);
}

#[test]
fn extends_is_relative_to_the_file() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("sub/child.toml", "extends = \"parent.toml\"\n[optics]\nlight = 0.5\n");
    folder.write("sub/parent.toml", "extends = \"fog\"\n[optics]\nlight = 0.25\nlantern = 3\n");
    let text = folder.done("presets show sub/child.toml --resolved");
    assert!(text.text().contains("\nlight = 0.5\n") && text.text().contains("\nlantern = 3.0\n"));
}

#[test]
fn every_wrong_file_is_reported() {
    let folder = Folder::new();
    folder.write("good.toml", "[optics]\nlight = 0.5\n");
    folder.write("bad.toml", "[optics]\nlight = 5\n");
    folder.write("latin.toml", b"about = \"caf\xe9\"\n");
    folder.write("bom.toml", "\u{feff}[optics]\r\nlight = 0.5\r\n");
    folder.write("fog", "[optics]\nlight = -1\n"); // not the shipped one
    let ended = folder.run("presets check bad.toml good.toml gone.toml latin.toml bom.toml fog haze");
    assert_eq!(ended.code, 3);
    assert_eq!(ended.text(), "good.toml: a good preset\nbom.toml: a good preset\nhaze: a good preset\n");
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert_eq!(
        lines,
        [
            "farsight: bad.toml: optics.light: 5 is not valid: expected 0 to 1",
            "farsight: gone.toml: cannot be read: there is no such file",
            "farsight: latin.toml: cannot be read: line 1: byte 0xE9 is not text (UTF-8)",
            "farsight: ./fog: optics.light: -1 is not valid: expected 0 to 1",
        ]
    );
    assert_eq!(folder.run_with("presets check -", b"[optics]\nlight = 0.5\n").code, 0);
    assert_eq!(folder.run_with("presets check -", b"[optics]\nlight = 5\n").code, 3);
}
