//! Names of places in presets: read, written, checked, and shown by scenes.

use farsight::Job;
use farsight::{Grid, glam::ivec2};
use farsight_scene::export::Link;
use farsight_scene::preset::{PlaceName, Preset, schema};
use farsight_scene::scene::Scene;
use farsight_scene::world::{PlaceKind, World, WorldConfig};

#[test]
fn names_survive_saving_and_replace_those_of_an_extended_preset() {
    let text = "extends = \"fog\"\n[[names]]\nat = [120, 44]\nname = \"Heron Mere\"\n\
        [[names]]\nat = [3, 4]\nname = \"The \\\"Old\\\" Ford – ½ way\"\n";
    let preset = Preset::from_toml(text, "t").unwrap();
    assert_eq!(
        preset.names,
        [PlaceName::new((120, 44), "Heron Mere"), PlaceName::new((3, 4), "The \"Old\" Ford – ½ way")]
    );
    let saved = preset.to_toml();
    assert!(saved.contains("[[names]]\nat = [120, 44]\nname = \"Heron Mere\"\n"), "{saved}");
    assert!(saved.contains("# name: The name. (1 to 80 letters, no control characters)\n"), "{saved}");
    assert_eq!(Preset::from_toml(&saved, "t").unwrap(), preset);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("base.toml"), text).unwrap();
    let read = |text: &str| {
        let path = folder.path().join("child.toml");
        std::fs::write(&path, text).unwrap();
        Preset::named(path.to_str().unwrap()).unwrap().names
    };
    assert_eq!(read("extends = \"base.toml\"\n"), preset.names);
    assert_eq!(read("extends = \"base.toml\"\n[[names]]\nat = [1, 1]\nname = \"A\"\n"), [PlaceName::new((1, 1), "A")]);
    assert_eq!(read("extends = \"base.toml\"\nnames = []\n"), []);
    assert!(!Preset::shipped_default().to_toml().contains("[[names]]"));
}

#[test]
fn names_can_be_set_as_one_value() {
    let mut preset = Preset::shipped_default();
    preset.set("names", "[{ at = [5, 6], name = \"Wend\" }]").unwrap();
    assert_eq!(preset.names, [PlaceName::new((5, 6), "Wend")]);
    preset.set("names", "[]").unwrap();
    assert_eq!(preset, Preset::shipped_default());
}

#[test]
fn links_keep_names() {
    let names = vec![PlaceName::new((5, 6), "Ål & \"Wend\"; 100 %"), PlaceName::new((0, 0), "A, B")];
    let preset = Preset::named("fog").unwrap().with_names(names);
    assert_eq!(Link::parse(&Link::new("fog", preset.clone()).query()).unwrap().preset, preset);
}

#[test]
fn bad_names_are_refused_with_the_entry() {
    let entry = |rest: &str| format!("[[names]]\nat = [1, 2]\nname = \"A\"\n[[names]]\n{rest}");
    let long = format!("at = [1, 2]\nname = \"{}\"", "x".repeat(81));
    let expected = "is not valid: expected 1 to 80 letters, no control characters";
    for (rest, wanted) in [
        ("at = [1, 2]\nname = \"\"", format!("t: names[1].name: \"\" {expected}")),
        ("at = [1, 2]\nname = \"  \"", format!("t: names[1].name: \"  \" {expected}")),
        ("at = [1, 2]\nname = \"a\\nb\"", expected.to_owned()),
        ("at = [1, 2]\nname = \"\\u001b[2J\"", expected.to_owned()),
        ("at = [1, 2]\nname = \"a\\u202eb\"", expected.to_owned()),
        ("at = [1, 2]\nname = \"a\\u2067b\"", expected.to_owned()),
        (&*long, expected.to_owned()),
        ("at = [1, 2]\nname = 7", format!("t: names[1].name: 7 {expected}")),
        ("at = [1, 2]", "t: names[1].name is missing: expected 1 to 80 letters".to_owned()),
        ("name = \"A\"", "t: names[1].at is missing: expected a cell [x, y]".to_owned()),
        ("at = [1, -2]\nname = \"A\"", "t: names[1].at: [1, -2] is not valid".to_owned()),
        ("at = [1, 2]\nnam = \"A\"", "t: unknown key names[1].nam; did you mean name?".to_owned()),
        ("at = [1, 2]\nname = \"A\"\nheight_m = 3", "; an entry of names has at, name".to_owned()),
    ] {
        let error = Preset::from_toml(&entry(rest), "t").unwrap_err().to_string();
        assert!(error.contains(&wanted), "{error}");
        assert!(!error.contains(['\u{1b}', '\u{202e}', '\n']), "{error:?}");
    }
    let many = "[[names]]\nat = [0, 0]\nname = \"A\"\n".repeat(1001);
    let error = Preset::from_toml(&many, "t").unwrap_err().to_string();
    assert!(error.contains("names: \"1001 entries\" is not valid: expected at most 1000"), "{error}");
    let unchecked = Preset::default().with_names(vec![PlaceName::new((1, 1), "a\u{7}b")]);
    assert!(unchecked.check().unwrap_err().to_string().contains("names[0].name"));
}

#[test]
fn schema_has_names() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let names = &schema["properties"]["names"]["items"];
    assert_eq!(names["required"], serde_json::json!(["at", "name"]));
    assert_eq!(
        (&names["properties"]["name"]["maxLength"], &names["properties"]["name"]["type"]),
        (&80.into(), &"string".into())
    );
}

#[test]
fn names_off_the_map_are_refused_and_those_without_data_are_not() {
    let mut preset = Preset::shipped_default();
    (preset.world.width, preset.world.height, preset.sight.radius) = (40, 30, 6);
    preset.names = vec![PlaceName::new((40, 3), "Nowhere")];
    let error = Scene::generate(preset.clone(), None, Job::none()).unwrap_err().to_string();
    assert_eq!(error, "names[0] is at 40,3, outside the map of 40x30 cells: expected 0,0 to 39,29");
    preset.names.clear();
    let mut scene = Scene::generate(preset.clone(), None, Job::none()).unwrap();
    let places = scene.places().to_vec();
    let off = preset.with_names(vec![PlaceName::new((3, 30), "Nowhere")]);
    assert!(scene.apply(off).is_err());
    assert_eq!(scene.places(), places, "a refused name changes nothing");

    let mut ground = farsight_scene::world::Ground::new(Grid::from_fn(40, 30, |cell| 5.0 * cell.x as f32));
    ground.elevation_m[ivec2(30, 20)] = f32::NAN;
    let preset = Preset::named("terrain").unwrap().with_names(vec![PlaceName::new((30, 20), "The Gap")]);
    let scene = Scene::from_dem(preset, &ground, Some(ivec2(5, 5)), Job::none()).unwrap();
    let gap = scene.places().iter().find(|place| place.name == "The Gap").unwrap();
    assert_eq!((gap.kind, gap.at), (PlaceKind::Own, ivec2(30, 20)));
    assert!(gap.height_m.is_nan());
}

#[test]
fn places_do_not_depend_on_the_number_of_threads() {
    let config = WorldConfig::default().with_seed(8).with_width(300).with_height(200);
    let world = World::generate(&config, Job::none()).unwrap();
    let on_threads = |count| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
        let fresh = World::generate(&config, Job::none()).unwrap();
        pool.install(|| fresh.places().to_vec())
    };
    assert_eq!(on_threads(1), world.places());
    assert_eq!(on_threads(5), world.places());
}
