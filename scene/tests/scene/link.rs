//! Links: a scene in one line.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use farsight::glam::{IVec2, ivec2};
use farsight_scene::export::{Link, Shell};
use farsight_scene::files::{FieldSource, GroundSource, MapSource};
use farsight_scene::preset::{Preset, shipped_names};

fn link(name: &str, viewer: Option<IVec2>) -> Link {
    let mut link = Link::new(name, Preset::named(name).unwrap());
    link.viewer = viewer;
    link
}

#[test]
fn every_shipped_preset_survives_a_round_trip() {
    for name in shipped_names() {
        let mut link = link(name, Some(ivec2(3, 4)));
        link.preset.world.seed = 99;
        assert_eq!(link.query(), format!("preset={name}&seed=99&at=3,4"));
        assert_eq!(Link::parse(&link.query()).unwrap(), link);
    }
}

#[test]
fn every_kind_of_change_survives_a_round_trip() {
    let mut changed = link("savanna", None);
    for (key, value) in [
        ("optics.visual_range_m", "inf"),
        ("optics.fog_onset", "0.35"),
        ("sight.decay.points", "[[10, 1], [40, 0.25]]"),
        ("sight.decay.kind", "points"),
        ("sight.decay.half", "none"),
        ("sight.method", "beam"),
        ("sight.radius", "48"),
        ("paint.legend", "false"),
        ("about", "\"A walk & a 'talk', 100 % + more = été\""),
    ] {
        changed.preset.set(key, value).unwrap();
    }
    let mut described = changed.clone();
    described.preset.set("about", "").unwrap();
    let legible = described.query();
    assert!(legible.contains("&sight.decay.half=none"), "{legible}");
    assert_eq!(Link::parse(&legible).unwrap(), described);
    let query = changed.query();
    assert!(query.is_ascii() && !query.contains([' ', '\'', '"', '+']), "{query}");
    assert_eq!(Link::parse(&query).unwrap(), changed);
}

#[test]
fn a_long_query_is_packed() {
    let mut lit = link("fog", Some(ivec2(3, 4)));
    let lamps: Vec<_> =
        (0..500).map(|i| format!("{{ at = [{}, {}], strength = 0.9, reach = 9 }}", i * 7 % 251, i * 5 % 241)).collect();
    lit.preset.set("lamps", &format!("[{}]", lamps.join(", "))).unwrap();
    let query = lit.query();
    assert!(query.starts_with("scene=") && query.len() < 8192, "{}", query.len());
    assert!(query[6..].chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)), "{query}");
    assert_eq!(Link::parse(&query).unwrap(), lit);
    assert_eq!(Link::parse(&format!("utm_source=x&{query}&split=beam")).unwrap(), lit);
    for cut in [&query[..query.len() / 2], "scene=", "scene=!", "scene=AAAA"] {
        let error = Link::parse(cut).unwrap_err().to_string();
        assert!(error.starts_with("the link: scene=") && error.contains("is damaged"), "{error}");
    }
}

#[test]
fn a_packed_query_that_grows_without_bound_is_refused() {
    let zeros = miniz_oxide::deflate::compress_to_vec(&vec![b'&'; 4 << 20], 9);
    let query = format!("scene={}", BASE64_URL_SAFE_NO_PAD.encode(zeros));
    assert!(query.len() < 8192, "{}", query.len());
    assert!(Link::parse(&query).unwrap_err().to_string().contains("is damaged"));
}

#[test]
fn a_preset_that_is_not_shipped_becomes_its_differences_from_the_default() {
    let mut own = link("jungle", Some(ivec2(1, 2)));
    own.name = "mine".into();
    let back = Link::parse(&own.query()).unwrap();
    assert_eq!((back.preset, back.name.as_str()), (own.preset, "temperate"));
}

#[test]
fn flags_are_quoted_and_name_the_file_of_a_map() {
    let mut own = link("fog", Some(ivec2(1, 2)));
    own.preset.set("sight.decay.points", "[[1, 0.5]]").unwrap();
    assert_eq!(own.flags(Shell::Posix), "--preset fog --seed 1 --at 1,2 --set 'sight.decay.points=[[1.0, 0.5]]'");
    assert_eq!(
        own.flags(Shell::Windows),
        "--preset fog --seed 1 --at \"1,2\" --set \"sight.decay.points=[[1.0, 0.5]]\""
    );
    own.preset.set("about", "\"A walk\"").unwrap();
    assert!(own.flags(Shell::Windows).contains(" --set \"about='A walk'\""), "{}", own.flags(Shell::Windows));
    let mut map = Link::new("", Preset::bare_kernel());
    (map.viewer, map.map) = (Some(ivec2(4, 5)), Some(MapSource::new("my cave.txt", "")));
    assert_eq!((map.query(), map.flags(Shell::Posix)), (String::new(), "--map 'my cave.txt' --at 4,5".into()));
}

#[test]
fn flags_of_a_heightmap_name_its_files_and_climate() {
    let mut own = link("haze", Some(ivec2(1, 2)));
    let mut ground = GroundSource::default();
    ground.humidity = Some(FieldSource::Flat(0.3));
    ground.vegetation = Some(FieldSource::File { name: "wood.tif".into(), digest: String::new() });
    let mut map = MapSource::new("alps.tif", "");
    map.ground = Some(ground);
    own.map = Some(map);
    own.preset.world.rain = 0.5;
    own.preset = own.preset.on_ground(ivec2(300, 200), 30.0);
    assert_eq!(
        own.flags(Shell::Posix),
        "--preset haze --heightmap alps.tif --humidity 0.3 --vegetation wood.tif --cell-size 30 --at 1,2 \
         --set world.rain=0.5"
    );
    assert_eq!(own.query(), "");
    own.preset.set("optics.curvature_coefficient", "0").unwrap();
    assert!(own.flags(Shell::Posix).contains(" --set optics.curvature_coefficient=0"), "{}", own.flags(Shell::Posix));
}

#[test]
fn errors_quote_the_part_and_foreign_keys_are_ignored() {
    let message = |query: &str| Link::parse(query).unwrap_err().to_string();
    assert_eq!(message("seed=-3"), "the link: seed=-3 is not valid: expected a whole number, 0 or more");
    assert_eq!(message("at=3"), "the link: at=3 is not valid: expected a cell X,Y");
    assert_eq!(message("preset=%FF"), "the link: \"preset=%FF\" is not valid: expected KEY=VALUE");
    assert!(message("preset=fogg").contains("did you mean \"fog\"?"), "{}", message("preset=fogg"));
    assert!(message("preset=/etc/passwd").starts_with("preset \"/etc/passwd\" is not known"));
    let typo = message("optics.fog_onsett=1");
    assert!(typo.starts_with("the link: unknown key optics.fog_onsett"), "{typo}");
    let range = message("sight.radius=-1");
    assert!(range.starts_with("the link: sight.radius: -1"), "{range}");
    assert_eq!(Link::parse("utm_source=x&fbclid=1&").unwrap(), link("temperate", None));
}
