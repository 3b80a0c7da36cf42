//! Flags that change the scene: lookouts, lamps, the hour, the optical rule.

use super::{Folder, RIDGE, npy_values};

#[test]
fn lookouts_are_added_by_a_flag_and_carried_by_a_picture() {
    let folder = Folder::new();
    folder.write("wall.txt", "@..#.....\n...#.....\n...#.....\n");
    folder.done("export -q --map wall.txt --radius 4 -o alone.npy");
    folder.done("export -q --map wall.txt --radius 4 --also 8,1 --also 5,0 -o a.png a.npy");
    let [alone, both] = ["alone.npy", "a.npy"].map(|name| npy_values(&folder.read(name), 9, 3));
    assert_eq!((alone[8], both[8]), (0.0, 1.0));
    folder.done("export -q --from a.png --map wall.txt -o b.png b.npy");
    assert!(folder.read("a.png") == folder.read("b.png") && folder.read("a.npy") == folder.read("b.npy"));
    for (cell, place) in [("9,0", "the viewer of --also is at 9,0, outside the map of 9x3 cells"), ("-1,0", "--also")] {
        let ended = folder.run(&format!("export --map wall.txt --also {cell} -o x.png"));
        assert_eq!(ended.code, 3, "{}", ended.stderr);
        assert!(ended.stderr.contains(place), "{}", ended.stderr);
    }
}

#[test]
fn lamps_light_the_export_and_are_carried_by_it() {
    let folder = Folder::new();
    folder.write("hall.txt", "@........\n.........\n");
    folder.write(
        "night.toml",
        "[optics]\nlight = 0\n[sight.decay]\nkind = \"none\"\n[[lamps]]\nat = [6, 0]\nreach = 4\n",
    );
    folder.done("export -q --map hall.txt --preset night.toml --layer perceived -o a.npy a.png");
    let values = npy_values(&folder.read("a.npy"), 9, 2);
    assert_eq!(values[..3], [0.0; 3]);
    assert_eq!(values[6], 1.0);
    folder.done("export -q --from a.png --map hall.txt -o b.png");
    assert!(folder.read("a.png") == folder.read("b.png"));
    folder.done("export -q --map hall.txt --preset night.toml --set lamps=[{at=[0,0]}] --layer perceived -o c.npy");
    assert_eq!(npy_values(&folder.read("c.npy"), 9, 2)[0], 1.0);
    let ended = folder.run("export --preset night.toml --size 6x6 -o x.png");
    assert_eq!(ended.code, 3);
    let words = "night.toml: lamps[0] is at 6,0, outside the map of 6x6 cells";
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
}

#[test]
fn the_hour_is_set_by_a_flag_and_carried_by_a_picture() {
    let folder = Folder::new();
    folder.write("hall.txt", "@........\n.........\n");
    folder.done("export -q --map hall.txt --hour 2 --layer light -o night.npy night.png");
    let night = npy_values(&folder.read("night.npy"), 9, 2);
    assert!((night[8] - 0.08).abs() < 1e-6 && night[0] == 1.0, "moon afar, a lantern near: {night:?}");
    folder.done("export -q --map hall.txt --hour 36 --layer light -o noon.npy");
    assert_eq!(npy_values(&folder.read("noon.npy"), 9, 2), [1.0; 18]);
    folder.done("export -q --from night.png --map hall.txt -o again.png");
    assert!(folder.read("night.png") == folder.read("again.png"));
    let ended = folder.run("export --map hall.txt --hour 9000 -o x.png");
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.starts_with("farsight: --hour: clock.hour: 9000.0 h is not valid"), "{}", ended.stderr);
}

#[test]
fn help_completions_and_suggested_commands_name_path_rule_only() {
    let folder = Folder::new();
    for words in ["--help", "export --help", "explain --help", "completions bash", "completions fish"] {
        let text = folder.done(words).text().to_owned();
        let has_walk = words.starts_with("completions");
        assert!(text.contains("path-rule"), "{words}");
        assert!(has_walk || !text.contains("--path "), "{words}");
    }
    let walk = folder.done("walk --help");
    assert!(walk.text().contains("--path <X,Y") && walk.text().contains("--path-rule <RULE>"));
    folder.write("wood.txt", "@.5..\n");
    let drawn = folder.done("--map wood.txt --path-rule per_length");
    assert!(drawn.text().contains("farsight export --map wood.txt --path-rule per_length -o"), "{}", drawn.text());
}

#[test]
fn the_look_is_set_by_a_flag_and_carried_by_a_picture() {
    let folder = Folder::new();
    let world = "--size 64x64 --seed 5 --radius 20";
    folder.done(&format!("export -q {world} --scale 4 -o map.png map.npy"));
    folder.done(&format!("export -q {world} --scale 4 --look data -o data.png data.npy"));
    assert!(folder.read("map.png") != folder.read("data.png") && folder.read("map.npy") == folder.read("data.npy"));
    for name in ["map", "data"] {
        folder.done(&format!("export -q --from {name}.png -o again.png"));
        assert!(folder.read("again.png") == folder.read(&format!("{name}.png")), "{name}");
    }
    folder.done("export -q --from data.png --look map -o changed.png");
    assert!(folder.read("changed.png") == folder.read("map.png"));
    folder.done(&format!("export -q {world} --scale 4 --set paint.look=data -o key.png"));
    assert!(folder.read("key.png") == folder.read("data.png"));
    let ended = folder.run(&format!("export {world} --look airlight -o x.png"));
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("[possible values: map, data]"), "{}", ended.stderr);
}

#[test]
fn radius_and_refraction_in_the_units_of_surveyors_are_those_of_the_preset() {
    let folder = Folder::new();
    let scene = format!("export -q --preset viewshed --heightmap {RIDGE} --at 140,104");
    for (given, same) in [
        ("--radius 1.2km", "--radius 40"),
        ("--radius 1201m", "--radius 41"),
        ("--radius 20 --refraction 0.13", "--radius 20 --set optics.curvature_coefficient=0.87"),
        (
            "--radius 20 --decay fuzzy --set sight.decay.near=150m --set sight.decay.half=0.3km",
            "--radius 20 --decay fuzzy --set sight.decay.near=5 --set sight.decay.half=10",
        ),
    ] {
        folder.done(&format!("{scene} {given} -o given.tif -o given.json"));
        folder.done(&format!("{scene} {same} -o same.tif -o same.json"));
        assert!(folder.read("given.tif") == folder.read("same.tif"), "{given}");
        assert!(folder.read("given.json") == folder.read("same.json"), "{given}");
    }
    // A world has cells of 100 m.
    folder.done("export -q --size 64x64 --at 30,30 --radius 1km -o given.csv");
    folder.done("export -q --size 64x64 --at 30,30 --radius 10 -o same.csv");
    assert!(folder.read("given.csv") == folder.read("same.csv"));
    for (words, said) in [
        ("--radius 2miles", "expected a whole number of cells, a length such as 20km or 500m, or unlimited"),
        ("--radius=-2km", "expected a whole number"),
        ("--radius 200km", "--radius 200000m: 6667 cells of 30.000 m; expected at most 4096 cells, 122880m"),
        ("--refraction 2", "expected a number from -1 to 1"),
    ] {
        folder.refused(2, &format!("{scene} {words} -o o.tif"), &[said]);
    }
    for (words, said) in [
        ("--set sight.decay.half=0m", "sight.decay.half: 0.0 cells is not valid: expected 0.1"),
        ("--set sight.decay.half=5miles", "sight.decay.half: \"5miles\""),
        ("--set optics.visual_range_m=5km", "optics.visual_range_m: \"5km\""),
    ] {
        folder.refused(3, &format!("{scene} {words} -o o.tif"), &[said]);
    }
    folder.write("map.txt", "..#..\n.....\n");
    folder.refused(
        2,
        "export --map map.txt --at 0,0 --radius 2km -o o.csv",
        &["--radius 2000m: a map of walls has no metres"],
    );
    folder.refused(
        2,
        "export --map map.txt --at 0,0 --set sight.decay.half=2km -o o.csv",
        &["--set sight.decay.half=2km: a map of walls has no metres"],
    );
}

#[test]
fn short_help_shows_the_flags_that_most_people_use_and_long_help_all() {
    let folder = Folder::new();
    let flags = |words: &str| {
        let help = folder.done(words);
        let is_flag = |line: &&str| line.trim_start().starts_with('-') && line.contains("--");
        (help.text().lines().filter(is_flag).count(), help.text().to_owned())
    };
    for subcommand in
        ["explore", "export", "explain", "walk", "atlas", "cumulative", "horizon", "panorama", "sky", "compare"]
    {
        let ((few, short), (all, long)) = (flags(&format!("{subcommand} -h")), flags(&format!("{subcommand} --help")));
        assert!((10..=12).contains(&few) && all > 30, "{subcommand}: {few} of {all}: {short}");
        assert!(short.contains(&format!("`farsight {subcommand} --help` has all flags.")), "{short}");
        assert!(short.starts_with("Examples:") && long.starts_with("Examples:"), "{subcommand}");
    }
}
