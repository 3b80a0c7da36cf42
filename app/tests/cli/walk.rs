//! `farsight walk`.

use super::{Folder, RIDGE};

const SMALL: &str = "--size 96x96 --seed 5 --radius 16";

#[test]
fn a_walk_is_written_as_films_pictures_and_json() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("frames")).unwrap();
    let ended = folder
        .done(&format!("walk {SMALL} --wander 6 --scale 2 --json -o walk.gif -o walk.apng -o frames/step-%03d.png"));
    assert!(folder.read("walk.gif").starts_with(b"GIF89a"));
    assert!(folder.read("walk.apng").starts_with(b"\x89PNG"));
    let frames: Vec<_> = std::fs::read_dir(folder.path("frames")).unwrap().collect();
    assert_eq!(frames.len(), 7, "nothing but the frames");
    assert!(folder.read("frames/step-006.png").starts_with(b"\x89PNG"));
    let report: serde_json::Value = serde_json::from_slice(&ended.out).unwrap();
    assert_eq!((&report["frames"], &report["steps"], &report["width"]), (&7.into(), &6.into(), &192.into()));
    assert_eq!(report["files"][2]["format"], "png");
    assert!(ended.stderr.starts_with("wrote walk.gif: 7 frames of 192x"), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 3);
}

#[test]
fn the_walk_starts_at_the_first_cell_of_path_or_at() {
    let folder = Folder::new();
    let path = |words: &[&str]| {
        let mut command = folder.command("walk -q --json --size 96x96 --radius 8 --scale 1 -o x.gif");
        let output = command.args(words).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (report["path"].to_string(), report["steps"].as_u64().unwrap())
    };
    assert_eq!(path(&["--path", "40,40 44,41"]), ("[[40,40],[44,41]]".to_owned(), 4));
    assert_eq!(path(&["--path", "40,40", "--at", "40,30"]), ("[[40,30],[40,40]]".to_owned(), 10));
    assert_eq!(path(&["--path", "40,40 42,40", "--path-rule", "per-cell"]).1, 2);
}

#[test]
fn a_film_restores_itself() {
    let folder = Folder::new();
    folder.done(&format!("walk -q {SMALL} --wander 7 --every 2 --scale 2 --colours 40 -o walk.gif -o walk.apng"));
    folder.done("walk -q --from walk.gif -o again.gif -o again.apng");
    assert!(folder.read("walk.gif") == folder.read("again.gif"));
    assert!(folder.read("walk.apng") == folder.read("again.apng"));
    folder.done("walk -q --from walk.apng --threads 1 -o third.gif");
    assert!(folder.read("walk.gif") == folder.read("third.gif"));
    // Its first frame can be exported, and a picture has no walk.
    folder.done("export -q --from walk.gif -o start.png");
    let ended = folder.run("walk --from start.png -o x.gif");
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("contains no walk"), "{}", ended.stderr);
}

#[test]
fn film_fades_to_a_second_state_and_is_made_again() {
    let folder = Folder::new();
    let frames = |words: &str| -> serde_json::Value {
        let ended = folder.done(&format!("walk -q --json {SMALL} --frame 24x16 --scale 4 {words}"));
        serde_json::from_slice(&ended.out).unwrap()
    };
    let place = frames("--fps 2 --versus clock.hour=22 -o night.gif");
    assert_eq!((&place["steps"], &place["frames"]), (&0.into(), &17.into()));
    folder.done("walk -q --from night.gif -o again.gif");
    assert!(folder.read("again.gif") == folder.read("night.gif"));
    let walk = frames("--wander 5 --versus fog --versus optics.light=0.5 -o fog.apng");
    assert_eq!(walk["frames"], 6);
    folder.done("walk -q --from fog.apng --versus clock.hour=22 -o night.apng");
    assert!(folder.read("night.apng") != folder.read("fog.apng"));
}

#[test]
fn second_states_that_cannot_be_filmed_are_refused_by_flag() {
    let folder = Folder::new();
    for (code, words, said) in [
        (2, "--versus world.seed=3", "--versus world.seed=3: both states are of one land"),
        (2, "--versus fog --versus mist", "--versus fog and --versus mist: expected one preset"),
        (2, "--versus sight.radius=16", "the second state is the same as the first"),
        (3, "--versus optics.visual_range_m=2km", "--versus: optics.visual_range_m: \"2km\" is not valid"),
        (3, "--versus foggy", "foggy"),
    ] {
        folder.refused(code, &format!("walk {SMALL} {words} -o x.gif"), &[said]);
    }
    let heightmap = format!("--heightmap {RIDGE} --at 140,104 --read window --versus optics.eye_height_m=30");
    folder.refused(2, &format!("walk {heightmap} -o x.gif"), &["--versus: ", "is read in part"]);
    assert!(!folder.path("x.gif").exists());
}

#[test]
fn walks_on_maps_avoid_walls() {
    let folder = Folder::new();
    folder.write("cave.txt", "@.#....\n..#.#..\n....#..\n");
    folder.done("walk -q --map cave.txt --wander 12 -o walk.gif");
    let ended = folder.done("walk -q --map cave.txt --wander 3 -o - --format gif");
    assert!(ended.out.starts_with(b"GIF89a") && ended.stderr.is_empty());
}

#[test]
fn several_films_are_written_together_or_not_at_all() {
    let folder = Folder::new();
    folder.write("cave.txt", "@.#....\n..#.#..\n....#..\n");
    folder.write("walk.gif", "an older film");
    folder.write("0.png", "an older picture");
    std::fs::create_dir(folder.path("2.png")).unwrap();
    let walk = "walk --map cave.txt --wander 4 --scale 2 -o walk.gif";
    folder.refused(4, &format!("{walk} -o %d.png"), &["2.png", "it is a folder"]);
    #[cfg(target_os = "linux")]
    {
        let device = Folder::new(); // apart, since the files of the other folder are compared
        std::os::unix::fs::symlink("/dev/full", device.path("full.apng")).unwrap();
        let full_disk = device.path("full.apng");
        folder.refused(4, &format!("{walk} -o {}", full_disk.display()), &["full.apng", "could not write"]);
        let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(&format!("{walk} -o - --format apng"));
        assert_eq!(command.stdout(full()).output().unwrap().status.code(), Some(4));
    }
    assert_eq!(folder.read("walk.gif"), b"an older film");
    let ended = folder.done(&format!("{walk} -o - --format apng"));
    assert!(ended.out.starts_with(b"\x89PNG") && folder.read("walk.gif").starts_with(b"GIF89a"));
}

#[test]
fn invalid_flags_are_errors_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("old.gif", "an older film");
    folder.write("cave.txt", "@.#.\n..#.\n");
    folder.write("bare.png", b"\x89PNG\r\n\x1a\nnothing more");
    for (code, words, said) in [
        (2, "-o old.gif", ["--path", "--wander"]),
        (2, "--wander 5 --path 1,1 -o old.gif", ["--wander", "--path"]),
        (2, "--path 1,1;2,2 -o old.gif", ["'1,1;2,2'", "X,Y"]),
        (2, "--path per-cell -o old.gif", ["'per-cell'", "--path"]),
        (2, "--wander -1 -o old.gif", ["-1", "--wander"]),
        (2, "--wander 5001 -o old.gif", ["5001", "0..=5000"]),
        (2, "--wander 5 -o walk.mp4", ["walk.mp4", ".gif, .apng"]),
        (2, "--wander 5 -o walk.png", ["walk.png", "frames/%04d.png"]),
        (2, "--wander 5 -o walk", ["walk", ".gif"]),
        (2, "--wander 5 -o -", ["-o -", "--format gif"]),
        (2, "--wander 5 -o old.gif --format apng", ["--format apng", "contradict"]),
        (2, "--wander 5 -o - --format gif --json", ["--json", "-o -"]),
        (2, "--wander 5 -o old.gif -o old.gif", ["old.gif", "twice"]),
        (2, "--wander 5 --colours 16 -o x.apng", ["--colours", ".gif"]),
        (2, "--wander 5 --colours 4 -o old.gif", ["4", "8..=256"]),
        (2, "--wander 5 --fps 0 -o old.gif", ["'0'", "0.1 to 50"]),
        (2, "--wander 5 --fps nan -o old.gif", ["'nan'", "0.1 to 50"]),
        (2, "--wander 5 --hold -1 -o old.gif", ["-1", "0 to 60"]),
        (2, "--wander 5 --every 0 -o old.gif", ["0", "1..=100"]),
        (2, "--wander 5 --scale 65 -o old.gif", ["65", "1..=64"]),
        (2, "--wander 5 --frame 0x4 -o old.gif", ["'0x4'", "96x64"]),
        (2, "--wander 5 --frame half -o old.gif", ["'half'", "map"]),
        (3, "--size 96x96 --path 96,3 -o old.gif", ["96,3", "0,0 to 95,95"]),
        (3, "--size 96x96 --path 3,3 --at 5,-1 -o old.gif", ["5,-1", "0,0 to 95,95"]),
        (3, "--map cave.txt --at 0,0 --path 3,1 -o old.gif", ["0,0 to 3,1", "walls"]),
        (3, "--map cave.txt --at 0,0 --path 2,1 -o old.gif", ["2,1", "walls"]),
        (3, "--from bare.png --wander 3 -o old.gif", ["bare.png", "is damaged"]),
        (3, "--from gone.gif -o old.gif", ["gone.gif", "no such file"]),
        (4, "--wander 5 -o no/such/walk.gif", ["no/such/walk.gif", "no folder"]),
        (4, "--wander 5 -o no/%d.png", ["no/%d.png", "no folder"]),
    ] {
        folder.refused(code, &format!("walk {words}"), &said);
    }
}
