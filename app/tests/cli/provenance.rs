//! `--from`: the scene of a picture or JSON file.

use super::Folder;

const SCENE: &str = "--preset mist --size 96x96 --seed 11 --radius 24 --set optics.fog_onset=0.4 --method beam";

fn assert_same(folder: &Folder, a: &str, b: &str) {
    assert!(folder.read(a) == folder.read(b), "{a} and {b} differ");
}

#[test]
fn pictures_and_json_restore_their_scene() {
    let folder = Folder::new();
    folder.done(&format!("export -q {SCENE} -o a.png a.json a.npy"));
    for from in ["a.png", "a.json"] {
        folder.done(&format!("export -q --from {from} -o b.png b.json b.npy"));
        for extension in ["png", "json", "npy"] {
            assert_same(&folder, &format!("a.{extension}"), &format!("b.{extension}"));
        }
    }
}

#[test]
fn layer_crop_scale_and_depth_are_kept() {
    let folder = Folder::new();
    for (i, style) in ["--grey --depth 16", "--grey", "--scale 3 --unseen remembered", "--layer humidity --crop map"]
        .into_iter()
        .enumerate()
    {
        for crop in ["", "--crop sight"] {
            if style.contains("--crop") && !crop.is_empty() {
                continue;
            }
            folder.done(&format!("export -q {SCENE} {style} {crop} -o a{i}.png"));
            folder.done(&format!("export -q --from a{i}.png -o b{i}.png"));
            assert_same(&folder, &format!("a{i}.png"), &format!("b{i}.png"));
        }
    }
    // Flags go first.
    folder.done(&format!("export -q {SCENE} --scale 2 -o painted.png"));
    folder.done("export -q --from a0.png --scale 2 --crop auto -o again.png");
    assert_same(&folder, "painted.png", "again.png");
}

#[test]
fn flags_change_the_scene_of_a_picture() {
    let folder = Folder::new();
    folder.done(&format!("export -q {SCENE} --at 40,40 -o a.json"));
    let scene = SCENE.replace("--radius 24", "--radius 30");
    folder.done("export -q --from a.json --at 41,40 --radius 30 --set optics.light=0.5 -o b.json");
    folder.done(&format!("export -q {scene} --at 41,40 --set optics.light=0.5 -o c.json"));
    assert_same(&folder, "b.json", "c.json");
}

#[test]
fn a_picture_of_a_map_needs_the_same_map() {
    let folder = Folder::new();
    folder.write("cave.txt", "........\n..#..5..\n....@...\n");
    folder.write("other.txt", "........\n..#..6..\n....@...\n");
    folder.done("export -q --map cave.txt --radius 5 --decay linear -o a.png a.json");
    for from in ["a.png", "a.json"] {
        folder.done(&format!("export -q --from {from} --map cave.txt -o b.png b.json"));
        assert_same(&folder, "a.png", "b.png");
        assert_same(&folder, "a.json", "b.json");
        let without = folder.run(&format!("export --from {from} -o c.png"));
        assert_eq!(without.code, 2);
        assert!(without.stderr.contains("cave.txt") && without.stderr.contains("--map"), "{}", without.stderr);
        let other = folder.run(&format!("export --from {from} --map other.txt -o c.png"));
        assert_eq!(other.code, 3);
        assert!(other.stderr.starts_with(&format!("farsight: other.txt: not the map that {from}")), "{}", other.stderr);
    }
    // A copy of another name is the same map.
    folder.write("copy.txt", folder.read("cave.txt"));
    folder.done("export -q --from a.png --map copy.txt -o d.png");
    assert_same(&folder, "a.png", "d.png");
}

#[test]
fn opened_doors_are_part_of_the_scene() {
    let folder = Folder::new();
    folder.write("house.txt", "##+##\n.@..+\n##'##\n");
    folder.write("walls.txt", "#####\n.@..#\n##.##\n");
    folder.write("open.toml", "[[cells]]\nat = [4, 1]\nopacity = 0\n[perception]\ncreatures = 0\n");
    folder.done("export -q --map house.txt --preset open.toml -o a.png a.json a.npy");
    folder.done("export -q --map house.txt -o closed.png closed.npy");
    assert!(folder.read("a.npy") != folder.read("closed.npy"));
    for from in ["a.png", "a.json"] {
        folder.done(&format!("export -q --from {from} --map house.txt -o b.png b.json b.npy"));
        for extension in ["png", "json", "npy"] {
            assert_same(&folder, &format!("a.{extension}"), &format!("b.{extension}"));
        }
        let other = folder.run(&format!("export --from {from} --map walls.txt -o c.png"));
        assert_eq!(other.code, 3, "walls are no doors: {}", other.stderr);
    }
    folder.done("export -q --map house.txt --layer opacity -o again.txt");
    assert_same(&folder, "house.txt", "again.txt");
    let off = folder.run("export --map house.txt --set cells=[{at=[9,1],opacity=0}] -o c.png");
    assert_eq!(off.code, 3, "{}", off.stderr);
    assert!(off.stderr.contains("cells[0] is at 9,1, outside the map of 5x3 cells"), "{}", off.stderr);
    let world = folder.run("export --size 64x64 --set cells=[{at=[9,1],opacity=0}] -o c.png");
    assert!(world.code == 3 && world.stderr.contains("cells[0] is at 9,1 of a world"), "{}", world.stderr);
    let value = folder.run("export --map house.txt --set cells=[{at=[4,1],opacity=7}] -o c.png");
    assert!(value.stderr.contains("cells[0].opacity: 7 is not valid: expected 0 to 1"), "{}", value.stderr);
}

#[test]
fn files_without_a_scene_are_errors() {
    let folder = Folder::new();
    folder.done(&format!("export -q {SCENE} -o a.png a.json a.npy"));
    folder.write("foreign.json", "{\"values\": []}");
    let whole = folder.read("a.png");
    folder.write("short.png", &whole[..500]);
    let text = String::from_utf8(folder.read("a.json")).unwrap();
    folder.write("preset.json", text.replacen("fog_onset = 0.4", "fog_onset = 40", 1));
    folder.write("layer.json", text.replacen("\"layer\": \"visibility\"", "\"layer\": \"vision\"", 1));
    folder.write("viewer.json", text.replacen("\"seed\": 11", "\"seed\": -11", 1));
    for (from, place) in [
        ("a.npy", "a.npy: carries no scene"),
        ("foreign.json", "foreign.json: carries no scene"),
        ("gone.png", "gone.png: there is no such file"),
        ("short.png", "short.png: is cut short"),
        ("preset.json", "preset.json: its preset: optics.fog_onset: 40"),
        ("layer.json", "layer.json: layer: \"vision\" is not valid: expected visibility"),
        ("viewer.json", "viewer.json: the scene it carries cannot be read"),
    ] {
        let ended = folder.run(&format!("export --from {from} -o x.png"));
        assert_eq!(ended.code, 3, "{from}: {}", ended.stderr);
        assert!(ended.stderr.starts_with(&format!("farsight: {place}")), "{from}: {}", ended.stderr);
        assert!(!folder.path("x.png").exists());
    }
}
