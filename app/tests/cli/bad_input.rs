//! Errors: one message with place and value, the exit code, and older files untouched.

use super::{Folder, npy};

/// Runs an export that must be refused while older files exist. The world is a small one, unless the arguments begin
/// with `= `.
#[track_caller]
fn refused(folder: &Folder, code: i32, words: &str, said: &[&str]) {
    folder.write("old.npy", "an older file");
    folder.write("old.png", "an older file");
    let words = words.strip_prefix("= ").map_or_else(|| format!("--size 96x96 {words}"), str::to_owned);
    folder.refused(code, &format!("export {words}"), said);
}

#[test]
fn malformed_flags_are_usage_errors_that_quote_the_value() {
    let folder = Folder::new();
    for (words, said) in [
        ("--at 3 -o old.png", ["'3'", "--at"]),
        ("--at , -o old.png", ["','", "--at"]),
        ("--at 3, -o old.png", ["'3,'", "--at"]),
        ("--at 3,4,5 -o old.png", ["'3,4,5'", "--at"]),
        ("--at 3.5,1 -o old.png", ["'3.5,1'", "--at"]),
        ("--at 99999999999,0 -o old.png", ["'99999999999,0'", "--at"]),
        ("--at 3,x -o old.png", ["'3,x'", "--at"]),
        ("= --size 10 -o old.png", ["'10'", "--size"]),
        ("= --size 10xx -o old.png", ["'10xx'", "--size"]),
        ("= --size x -o old.png", ["'x'", "--size"]),
        ("= --size 10x20x30 -o old.png", ["'10x20x30'", "--size"]),
        ("= --size 1.5x2 -o old.png", ["'1.5x2'", "--size"]),
        ("= --size 10*20 -o old.png", ["'10*20'", "--size"]),
        ("--radius far -o old.png", ["'far'", "--radius"]),
        ("--seed 1.5 -o old.png", ["'1.5'", "--seed"]),
        ("--set optics.light -o old.png", ["'optics.light'", "KEY=VALUE"]),
        ("--set =1 -o old.png", ["'=1'", "KEY=VALUE"]),
        ("--method raytrace -o old.png", ["'raytrace'", "two-parent, beam, exact"]),
        ("--weights lin -o old.png", ["'lin'", "linear, projection"]),
        ("--decay fast -o old.png", ["'fast'", "inverse-square"]),
        ("--layer colour -o old.png", ["'colour'", "--layer"]),
        ("--crop half -o old.png", ["'half'", "sight"]),
        ("--cells 1,2,3 -o old.png", ["'1,2,3'", "X,Y,WxH"]),
        ("--cells 1,2,0x4 -o old.png", ["'1,2,0x4'", "X,Y,WxH"]),
        ("--cells 2147483647,2,3x4 -o old.png", ["'2147483647,2,3x4'", "X,Y,WxH"]),
        ("--cells 1,2,3x4 --crop map -o old.png", ["--cells", "--crop"]),
        ("--depth 12 -o old.png", ["'12'", "--depth"]),
        ("--scale 0 -o old.png", ["'0'", "--scale"]),
        ("--threads 0 -o old.png", ["'0'", "--threads"]),
        ("--format tiff -o old.png", ["'tiff'", "npy"]),
        ("-o view.bmp", ["view.bmp", ".png, .npy, .csv, .json, .asc, .tif, .r16, .txt, .svg or .pdf"]),
        ("-o walk.gif", ["walk.gif", ".png, .npy, .csv, .json, .asc, .tif, .r16, .txt, .svg or .pdf"]),
        ("-o view", ["view", "extension"]),
        ("-o -", ["-o -", "--format"]),
        ("", ["--output", "required"]),
    ] {
        refused(&folder, 2, words, &said);
    }
}

#[test]
fn flags_out_of_range_are_usage_errors() {
    let folder = Folder::new();
    for (words, said) in [
        ("--radius 5000", ["--radius: sight.radius: 5000 cells", "0 to 4096"]),
        ("--radius -1", ["--radius: sight.radius: -1 cells", "0 to 4096"]),
        ("--seed -1", ["--seed: world.seed: -1", "from 0"]),
        ("= --size 0x10", ["--size: world.width: 0 cells", "1 to 16384"]),
        ("= --size 5x-5", ["--size: world.height: -5 cells", "1 to 16384"]),
        ("= --size 10x0", ["--size: world.height: 0 cells", "1 to 16384"]),
        ("= --size 99999x10", ["--size: world.width: 99999 cells", "1 to 16384"]),
        ("--scale 0", ["'0'", "--scale"]),
        ("--threads 0", ["'0'", "--threads"]),
    ] {
        refused(&folder, 2, &format!("{words} -o old.png"), &said);
    }
}

#[test]
fn flags_that_contradict_each_other_are_usage_errors() {
    let folder = Folder::new();
    folder.write("m.txt", "..\n@.\n");
    std::fs::create_dir(folder.path("sub")).unwrap();
    #[cfg(unix)]
    for (target, link) in [(".", "here"), ("new.npy", "later.npy")] {
        std::os::unix::fs::symlink(target, folder.path(link)).unwrap();
    }
    for (words, said) in [
        ("= --map m.txt --seed 3 -o old.png", ["--map", "--seed"]),
        ("= --map m.txt --size 9x9 -o old.png", ["--map", "--size"]),
        ("--from a.png --preset fog -o old.png", ["--from", "--preset"]),
        ("= --from - --map - -o old.png", ["--from -", "--map -"]),
        ("--grey -o old.npy", ["--grey", ".npy"]),
        ("--depth 16 -o old.npy", ["--depth", ".npy"]),
        ("--scale 3 -o x.csv -o x.json", ["--scale", ".csv, .json"]),
        ("--cog -o x.csv -o x.json", ["--cog", "(.tif), and none is written"]),
        ("--unseen mapped -o - --format npy", ["--unseen", ".npy"]),
        ("--grey --scale 3 -o old.png", ["--grey", "--scale"]),
        ("--depth 8 --unseen mapped -o old.png", ["--depth", "--unseen"]),
        ("--format csv -o old.npy", ["old.npy", "csv"]),
        ("-o old.npy old.npy", ["old.npy", "twice"]),
        ("-o old.npy ./old.npy", ["./old.npy", "twice"]),
        ("-o new.npy sub/../new.npy", ["sub/../new.npy", "twice"]),
        #[cfg(unix)]
        ("-o new.npy here/new.npy", ["here/new.npy", "twice"]),
        #[cfg(unix)]
        ("-o later.npy new.npy", ["new.npy", "twice"]),
        ("--json -o - --format csv", ["--json", "-o -"]),
        ("--layer temperature -o x.txt", ["x.txt", "temperature"]),
    ] {
        refused(&folder, 2, words, &said);
    }
}

#[test]
fn wrong_presets_and_values_are_bad_input() {
    let folder = Folder::new();
    folder.write("cycle.toml", "extends = \"cycle.toml\"");
    folder.write("broken.toml", "[optics\n");
    for (words, said) in [
        ("--preset fogg", ["\"fogg\"", "did you mean \"fog\"?"]),
        ("--preset gone.toml", ["gone.toml", "there is no such file"]),
        ("--preset cycle.toml", ["cycle.toml", "circle"]),
        ("--preset broken.toml", ["broken.toml: not valid TOML", "line 1, column 8"]),
        ("--set optics.visual_rang_m=2000", ["optics.visual_rang_m", "did you mean optics.visual_range_m?"]),
        ("--set optics.visual_range_m=2km", ["optics.visual_range_m: \"2km\"", "10 m or more"]),
        ("--set optics.visual_range_m=-3", ["optics.visual_range_m: -3", "10 m or more"]),
        (
            "--set sight.method=shadowcasting",
            ["sight.method", "two_parent | beam | exact | symmetric_shadowcast | shadowcast"],
        ),
        ("--set classic.wall_at=0.2", ["classic.wall_at", "did you mean sight.wall_at?"]),
        ("--set perception.glimpse=0.5", ["perception.glimpse: 0.5", "perception.identify = 0.25"]),
        ("--set extends=fog", ["extends", "--preset"]),
        ("--set sight.decay.points=[[1]]", ["sight.decay.points", "[distance, value] pairs"]),
        ("--decay points", ["points", "[[distance, value], …]"]),
        ("--at 96,3", ["96,3", "0,0 to 95,95"]),
        ("--at 3,-1", ["3,-1", "0,0 to 95,95"]),
    ] {
        refused(&folder, 3, &format!("{words} -o old.png"), &said);
    }
    refused(&folder, 3, "= --size 200x200 --scale 64 --crop map -o old.png", &["12800x12800", "64 per cell"]);
    // Both thresholds at once are well.
    folder.done("export -q --size 96x96 --set perception.glimpse=0.5 --set perception.identify=0.6 -o fine.png");
}

#[test]
fn wrong_maps_are_bad_input_with_the_place() {
    let folder = Folder::new();
    let good = npy(3, 2, &[0.0; 6]);
    let text = |from: &str, to: &str| {
        let at = good.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        [&good[..at], to.as_bytes(), &good[at + from.len()..]].concat()
    };
    folder.write("ragged.txt", "...\n..\n");
    folder.write("empty.txt", "");
    folder.write("odd.txt", "...\n.é.\n");
    folder.write("bytes.txt", b"...\n.\xff.\n");
    folder.write("two.txt", "@..\n..@\n");
    folder.write("nan.npy", npy(3, 2, &[0.0, 0.0, 0.0, 0.0, f64::NAN, 0.0]));
    folder.write("inf.npy", npy(3, 2, &[0.0, f64::INFINITY, 0.0, 0.0, 0.0, 0.0]));
    folder.write("big.npy", npy(3, 2, &[0.0, 0.0, 1.5, 0.0, 0.0, 0.0]));
    folder.write("short.npy", &good[..good.len() - 9]);
    folder.write("header.npy", &good[..20]);
    folder.write("rank.npy", text("(2, 3), ", "(2,1,3),"));
    folder.write("dtype.npy", text("<f8", "<i8"));
    folder.write("promise.npy", text("(2, 3), ", "(99, 9),"));
    folder.write("none.npy", text("(2, 3)", "(0, 3)"));
    folder.write("value.csv", "0,0\n0,2\n");
    folder.write("word.csv", "0,0\n0,wall\n");
    folder.write("ragged.csv", "0,0\n0\n");
    folder.write("noise.png", b"\x89PNG\r\n\x1a\nnothing more");
    folder.write("map.bmp", "BM");
    for (map, said) in [
        ("ragged.txt", vec!["line 2 has 2 characters"]),
        ("empty.txt", vec!["empty"]),
        ("odd.txt", vec!["line 2, column 2", "'é'"]),
        ("bytes.txt", vec!["line 2, column 2", "0xFF"]),
        ("two.txt", vec!["line 2, column 3", "second @"]),
        ("nan.npy", vec!["cell 1,1", "NaN"]),
        ("inf.npy", vec!["cell 1,0", "inf"]),
        ("big.npy", vec!["cell 2,0", "1.5"]),
        ("short.npy", vec![]),
        ("header.npy", vec![]),
        ("rank.npy", vec!["3"]),
        ("dtype.npy", vec!["i8"]),
        ("promise.npy", vec!["99"]),
        ("none.npy", vec!["0"]),
        ("value.csv", vec!["line 2, column 2", "2"]),
        ("word.csv", vec!["line 2, column 2", "\"wall\""]),
        ("ragged.csv", vec!["line 2 has 1"]),
        ("noise.png", vec![]),
        ("map.bmp", vec![".bmp"]),
        ("gone.npy", vec!["there is no such file"]),
    ] {
        let place = format!("farsight: {map}: ");
        let said: Vec<&str> = [place.as_str()].into_iter().chain(said).collect();
        refused(&folder, 3, &format!("= --map {map} -o old.npy"), &said);
    }
    folder.write("good.npy", &good);
    refused(&folder, 3, "= --map good.npy --at 3,0 -o old.npy", &["3,0", "3x2", "0,0 to 2,1"]);
    refused(&folder, 3, "= --map good.npy --layer elevation -o old.npy", &["elevation"]);
    folder.done("export -q --map good.npy --at 2,1 -o fine.npy");
    let stream = folder.run_with("export --map - -o x.npy", b"..\n.\n");
    assert_eq!(stream.code, 3);
    assert!(stream.stderr.starts_with("farsight: standard input: line 2"), "{}", stream.stderr);
}

#[test]
fn after_a_write_error_no_file_has_changed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.png")).unwrap();
    refused(&folder, 4, "-o no/such/view.png", &["no/such/view.png", "there is no folder no/such"]);
    refused(&folder, 4, "-o folder.png", &["folder.png", "folder"]);
    // The first of two is not written if the second cannot be.
    refused(&folder, 4, "-o old.npy no/view.png", &["no/view.png"]);
    refused(&folder, 4, "-o new.npy old.png old.npy/view.png", &["old.npy/view.png"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_all_older_files() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("/dev/full", folder.path("full.csv")).unwrap();
    folder.write("old.npy", "an older file");
    let before = folder.files();
    let ended = folder.run("export --size 96x96 -o old.npy new.json full.csv");
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    assert!(
        ended.stderr.starts_with("farsight: full.csv: could not write: there is no space left"),
        "{}",
        ended.stderr
    );
    assert!(before == folder.files(), "nothing was put in place");
}

#[cfg(unix)]
#[test]
fn write_protected_files_are_not_replaced() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    folder.write("kept.png", "an older file");
    std::fs::set_permissions(folder.path("kept.png"), std::fs::Permissions::from_mode(0o444)).unwrap();
    refused(&folder, 4, "-o kept.png", &["kept.png", "write-protected"]);
}

#[test]
fn unknown_words_and_subcommands_are_usage_errors() {
    let folder = Folder::new();
    for words in ["walks", "--colour", "presets", "presets show", "presets check", "--seed 3 export", "completions"] {
        let ended = folder.run(words);
        assert_eq!(ended.code, 2, "{words}: {}", ended.stderr);
        assert!(ended.out.is_empty());
    }
    assert_eq!(folder.run("presets show fogg").code, 3);
    assert_eq!(folder.run("--preset fogg").code, 3);
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    folder.write("m.csv", "0,0,1\n0,0,0\n");
    folder.write("g.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n");
    folder.write("wet.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 0\n0 1\n");
    folder.write("cells.txt", "1,1\n");
    folder.write("mine.toml", "[sight]\nradius = 3\n");
    folder.done("export --map m.csv -o m.png -o m.json");
    #[cfg(unix)]
    for link in ["link.txt", "link.gif"] {
        std::os::unix::fs::symlink("m.txt", folder.path(link)).unwrap();
    }
    folder.write("1.png", folder.read("m.png"));
    folder.write("x.pgw", "1,1\n");
    let before = folder.files();
    for (words, flag) in [
        ("export --map m.txt -o m.txt", "--map"),
        ("export --map m.txt -o x.npy -o ./m.txt", "--map"),
        #[cfg(unix)]
        ("export --map link.txt -o m.txt", "--map"),
        ("export --heightmap g.asc -o g.asc", "--heightmap"),
        ("export --heightmap g.asc --humidity wet.asc -o wet.asc", "--humidity"),
        ("export --heightmap g.asc --vegetation wet.asc -o wet.asc", "--vegetation"),
        ("export --size 9x9 --preset mine.toml -o mine.toml --format npy", "--preset"),
        ("atlas --map m.csv -o m.csv", "--map"),
        ("atlas --map m.csv --layer identified --cells cells.txt -o cells.txt", "--cells"),
        ("compare --map m.png -o m.png", "--map"),
        ("compare --maps m.txt m.png -o m.png", "--maps"),
        ("explore --map 1.png --screenshot ./1.png", "--map"),
        ("atlas --map m.txt --cells x.pgw -o x.png", "--cells"),
        ("walk --map 1.png --at 0,0 --wander 3 -o %d.png", "--map"),
        #[cfg(unix)]
        ("walk --map m.txt --wander 3 -o link.gif", "--map"),
        ("walk --map 1.png --at 0,0 --wander 3 -o x.gif -o ./%01d.png", "--map"),
    ] {
        let ended = folder.run(words);
        let said = format!("would overwrite the file that {flag} reads: choose another name");
        assert!(ended.code == 2 && ended.stderr.contains(&said), "{words}: {} {}", ended.code, ended.stderr);
        assert!(before == folder.files(), "{words}: a file came, went or changed");
    }
    folder.refused(
        2,
        "atlas --map m.txt -o new.npy --checkpoint ./new.npy",
        &["-o new.npy and --checkpoint are the same file"],
    );
    // A picture can overwrite the source of its scene.
    folder.done("export --from m.png --map m.csv --set paint.ramp=grey -o m.png");
    assert!(before["m.png"] != folder.read("m.png"));
}
