//! `--load`: saved walks are resumed, changed and refused.

use farsight::Job;
use farsight::glam::ivec2;
use farsight_scene::export::SavedWalk;
use farsight_scene::files::read_opacity_map;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

use super::Folder;

const NEW: &str = "--preset temperate --size 64x48 --seed 3 --radius 16";

/// A folder with a walk of some steps in a small world.
pub(super) fn walked() -> (Folder, Scene) {
    let folder = Folder::new();
    let mut preset = Preset::named("temperate").unwrap();
    (preset.world.width, preset.world.height, preset.world.seed, preset.sight.radius) = (64, 48, 3, 16);
    let mut scene = Scene::generate(preset, None, Job::none()).unwrap();
    for _ in 0..6 {
        scene.step(ivec2(1, 1)).unwrap();
    }
    folder.write("a.farsight", SavedWalk::of(&scene, "temperate", None).to_bytes());
    (folder, scene)
}

#[test]
fn a_saved_walk_is_exported_with_its_memory() {
    let (folder, scene) = walked();
    let cell = format!("{},{}", scene.viewer().x, scene.viewer().y);
    let ended = folder.done("export --load a.farsight --unseen remembered --crop map -o walked.png walked.json");
    assert!(ended.stderr.contains(&format!("viewer at {cell}")), "{}", ended.stderr);
    // A viewer that starts on that cell remembers nothing of the walk.
    folder.done(&format!("export -q {NEW} --at {cell} --unseen remembered --crop map -o new.png new.json"));
    assert!(folder.read("walked.png") != folder.read("new.png"));
    assert!(folder.read("walked.json") == folder.read("new.json"), "what is seen is the same");
    // A picture does not contain the memory, and its reproduction reports that.
    let again = folder.done("export --from walked.png -o again.png");
    let words = "walked.png was written in the middle of a walk (turn 6): what was remembered then";
    assert!(again.stderr.contains(words) && again.stderr.contains("--load"), "{}", again.stderr);
    assert!(folder.read("again.png") == folder.read("new.png"));
    let silent = folder.done("export --from new.png -o newer.png");
    assert!(!silent.stderr.contains("walk"), "{}", silent.stderr);
    assert!(!folder.done("export --from walked.json -o again.json").stderr.contains("walk"), "values remember nothing");
    folder.done("export -q --load a.farsight --at 5,5 --set optics.light=0.5 --radius 9 -o b.npy");
    folder.done(&format!("export -q {} --at 5,5 --set optics.light=0.5 -o c.npy", NEW.replace("16", "9")));
    assert!(folder.read("b.npy") == folder.read("c.npy"), "flags change it");
}

#[test]
fn a_walk_on_a_map_needs_no_map() {
    let folder = Folder::new();
    folder.write("cave.txt", "........\n..#..5..\n....@...\n");
    let map = read_opacity_map(&farsight_scene::files::Input::new(folder.path("cave.txt"))).unwrap();
    folder.done("export -q --map cave.txt -o a.png a.npy");
    let provenance = farsight_scene::files::read_provenance(&folder.path("a.png")).unwrap();
    let scene = Scene::from_map(Preset::bare_kernel(), map.opacity, map.viewer, Job::none()).unwrap();
    folder.write("w.farsight", SavedWalk::of(&scene, "", provenance.map.as_ref()).to_bytes());
    std::fs::remove_file(folder.path("cave.txt")).unwrap();
    folder.done("export -q --load w.farsight -o b.png b.npy");
    assert!(folder.read("a.png") == folder.read("b.png") && folder.read("a.npy") == folder.read("b.npy"));
}

#[test]
fn wrong_files_are_named_and_nothing_is_written() {
    let (folder, _) = walked();
    let whole = folder.read("a.farsight");
    folder.write("short.farsight", &whole[..whole.len() / 2]);
    folder.write("picture.farsight", b"\x89PNG\r\n\x1a\n");
    let text = String::from_utf8(whole).unwrap();
    folder.write("later.farsight", text.replacen("walk 1", "walk 7", 1));
    for (file, words) in [
        ("short.farsight", "the saved walk is damaged: the checksum of its content is "),
        ("picture.farsight", "not a saved walk: expected a file that begins with \"farsight walk\""),
        ("later.farsight", "a saved walk in format 7, which another version of farsight wrote"),
        ("gone.farsight", "there is no such file"),
    ] {
        let ended = folder.run(&format!("export --load {file} -o x.png"));
        assert_eq!(ended.code, 3, "{file}: {}", ended.stderr);
        assert!(ended.stderr.starts_with(&format!("farsight: {file}: {words}")), "{file}: {}", ended.stderr);
        assert!(!folder.path("x.png").exists());
    }
    let other = folder.run("export --load a.farsight --set world.land=0.9 -o x.png");
    assert_eq!(other.code, 3, "{}", other.stderr);
    assert!(
        other.stderr.starts_with("farsight: a.farsight: the world differs from that of the saved walk"),
        "{}",
        other.stderr
    );
    for flags in ["--seed 4", "--size 9x9", "--preset fog", "--from a.png", "--map a.txt"] {
        assert_eq!(folder.run(&format!("export --load a.farsight {flags} -o x.png")).code, 2, "{flags}");
    }
}

#[test]
fn a_too_long_file_is_refused_unread() {
    let (folder, _) = walked();
    // Most file systems allocate no blocks for unwritten parts.
    std::fs::File::create(folder.path("long.farsight")).unwrap().set_len(3 << 30).unwrap();
    let ended = folder.run("export --load long.farsight -o x.png");
    assert_eq!(ended.code, 3);
    assert!(ended.stderr.contains("long.farsight: it has 3.0 GiB; at most 1.0 GiB are read"), "{}", ended.stderr);
}
