//! The program and its packages have the same defaults.

use std::path::Path;

use farsight::sky::{Sky, SunPath};
use farsight_scene::cumulative::ViewLimits;
use farsight_scene::optics::OpticsConfig;
use farsight_scene::preset::Preset;

use super::{Folder, RIDGE};

/// Returns a file of the package for Python.
fn python(file: &str) -> String {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../bindings/python/python/farsight_fov"));
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// Returns the texts between a prefix and the next comma, brace or bracket.
fn after<'t>(text: &'t str, prefix: &'t str) -> Vec<&'t str> {
    let rests = text.split(prefix).skip(1);
    rests.map(|rest| rest.split([',', '}', ')', '\n']).next().unwrap().trim()).collect()
}

/// Returns the parameters of a function of Python, of the last definition: overloads come before it.
fn parameters<'t>(text: &'t str, function: &str) -> &'t str {
    let (_, rest) = text.rsplit_once(&format!("def {function}(")).unwrap();
    rest.split_once(") ->").unwrap().0
}

#[test]
fn python_has_the_defaults_of_the_program() {
    let accessor = python("accessor.py");
    // Signatures of overloads have no values.
    let terrain: String = python("terrain.py").split_inclusive('\n').filter(|line| !line.contains("= ...")).collect();
    let refractions = [after(&terrain, "refraction: float = "), after(&accessor, "\"refraction\": ")].concat();
    assert!(refractions.len() >= 8, "{refractions:?}");
    for refraction in refractions {
        let curvature = 1.0 - refraction.parse::<f64>().unwrap();
        assert_eq!(curvature, OpticsConfig::REAL_TERRAIN_CURVATURE, "{refraction}");
    }
    let preset = Preset::named("viewshed").unwrap();
    let (eye_m, target_m) = (preset.optics.eye_height_m.to_string(), ViewLimits::default().target_height_m);
    assert_eq!(ViewLimits::default().eye_height_m.to_string(), eye_m);
    let eyes = [after(&terrain, "eye: float = "), after(&accessor, "\"eye\": ")].concat();
    // The eyes of a sky are on the ground.
    assert!(eyes.iter().filter(|eye| **eye == eye_m).count() >= 4, "{eyes:?}");
    assert!(eyes.iter().all(|eye| [&*eye_m, "0.0"].contains(eye)), "{eyes:?}");
    for function in ["cumulative", "coverage"] {
        assert_eq!(after(parameters(&terrain, function), "eye: float | None = "), ["None"], "the tip of a turbine");
    }
    assert!(after(&terrain, "target: float = ").iter().all(|target| target.parse() == Ok(target_m)));
    for text in [&terrain, &accessor] {
        let azimuths = |function| after(parameters(text, function), "azimuths: int = ");
        assert_eq!(azimuths("sunshine"), [SunPath::AZIMUTHS.to_string()]);
        assert_eq!(azimuths("sky_view_factor"), [Sky::AZIMUTHS.to_string()]);
    }
    // Lines over the bilinear ground, as of the preset.
    assert!(after(&accessor, "\"method\": ").iter().all(|method| *method == "\"exact\""));
    for function in ["viewshed", "total_viewshed", "cumulative"] {
        assert!(
            parameters(&terrain, function).contains("method: Literal[\"exact\", \"two-parent\"] = \"exact\""),
            "{function}"
        );
    }
}

#[test]
fn exact_lines_of_the_library_are_those_of_the_preset() {
    let folder = Folder::new();
    let view = format!("export -q --preset viewshed --heightmap {RIDGE} --at 140,104 --radius 60");
    folder.done(&format!("{view} -o preset.npy"));
    folder.done(&format!("{view} --method exact -o exact.npy"));
    assert!(folder.read("preset.npy") == folder.read("exact.npy"));
}

#[test]
fn heights_of_eye_and_target_have_the_same_flags_everywhere() {
    let folder = Folder::new();
    let scene = format!("-q --preset viewshed --heightmap {RIDGE} --at 140,104 --radius 40");
    let keys = "--set optics.eye_height_m=30 --set optics.target_height_m=5";
    folder.done(&format!("export {scene} --eye-height 30 --target-height 5 -o flags.npy"));
    folder.done(&format!("export {scene} {keys} -o keys.npy"));
    folder.done(&format!("cumulative {scene} --read whole --eye-height 30 --target-height 5 --union union.npy"));
    folder.done(&format!("export {scene} {keys} --crop map -o map.npy"));
    assert!(folder.read("flags.npy") == folder.read("keys.npy"));
    assert!(folder.read("union.npy") == folder.read("map.npy"));
    for command in ["export", "explain", "walk", "atlas", "cumulative", "horizon", "panorama", "sky", "compare"] {
        let help = folder.done(&format!("{command} --help"));
        assert!(help.text().contains("--eye-height <M>") && help.text().contains("--target-height <M>"), "{command}");
    }
    folder.refused(2, &format!("export {scene} --eye-height -3 -o a.npy"), &["--eye-height", "-3", "10000"]);
}
