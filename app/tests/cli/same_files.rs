//! Outputs, checkpoints and inputs are compared as files, however their paths are spelled and reached.

use super::{Folder, RIDGE};

#[test]
fn checkpoint_and_world_file_of_an_output_must_differ() {
    let folder = Folder::new();
    folder.write("c.csv", "1,1\n2,1\n");
    folder.write("m.txt", "....\n.@#.\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.pgw", folder.path("link.checkpoint")).unwrap();
    for (words, said) in [
        ("atlas --map m.txt --cells c.csv -o a.png --checkpoint a.png", ["-o a.png and --checkpoint", "same file"]),
        (
            "atlas --map m.txt --cells c.csv -o a.png --checkpoint a.pgw",
            ["--checkpoint a.pgw", "world file of -o a.png"],
        ),
        (
            "atlas --map m.txt --cells c.csv -o a.png --checkpoint ./a.pgw",
            ["--checkpoint ./a.pgw", "world file of -o a.png"],
        ),
        #[cfg(unix)]
        (
            "atlas --map m.txt --cells c.csv -o a.png --checkpoint link.checkpoint",
            ["--checkpoint link.checkpoint", "world file of -o a.png"],
        ),
    ] {
        folder.refused(2, words, &said);
    }
    folder.done("atlas -q --map m.txt --cells c.csv -o a.png --checkpoint a.checkpoint");
    assert!(folder.path("a.png").exists() && !folder.path("a.checkpoint").exists());
}

#[test]
fn file_that_a_preset_extends_is_an_input() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("base.csv.toml", "extends = \"fog\"\n");
    folder.write("middle.toml", "extends = \"sub/../base.csv.toml\"\n");
    folder.write("mine.toml", "extends = \"middle.toml\"\n");
    for output in ["mine.toml", "./middle.toml", "base.csv.toml", "sub/../base.csv.toml"] {
        let words = format!("export --size 9x9 --radius 2 --preset mine.toml -o {output} --format csv");
        folder.refused(2, &words, &[output, "would overwrite the file that --preset reads"]);
    }
}

#[cfg(unix)]
#[test]
fn files_are_compared_by_device_and_inode() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    std::fs::hard_link(folder.path("m.txt"), folder.path("also.csv")).unwrap();
    let words = "export --map m.txt -o also.csv";
    folder.refused(2, words, &["also.csv would overwrite the file that --map reads"]);
    folder.write("old.npy", "1\n");
    std::fs::hard_link(folder.path("old.npy"), folder.path("older.npy")).unwrap();
    let words = format!("cumulative --heightmap {RIDGE} --at 140,104 --radius 4 --count old.npy --best older.npy");
    folder.refused(2, &words, &["--best older.npy is the same file as --count old.npy"]);
    folder.done("export -q --map m.txt -o old.npy");
    assert_eq!(folder.read("older.npy"), b"1\n");
}

#[test]
fn numbered_pictures_of_two_films_must_differ() {
    let folder = Folder::new();
    folder.write("m.txt", "......\n.@#...\n......\n");
    let walk = "walk -q --map m.txt --scale 1 --no-caption --wander";
    folder.refused(2, &format!("{walk} 12 -o %d.png -o %02d.png"), &["-o %02d.png and -o %d.png both write 10.png"]);
    folder.done(&format!("{walk} 8 -o %d.png -o %02d.png"));
}

#[test]
fn world_file_goes_with_its_picture_only() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    folder.write("x.pgw", "1\n0\n0\n-1\n0\n0\n");
    folder.done("export -q --map m.txt -o x.dat --format png");
    assert!(folder.path("x.pgw").exists(), "it is not that of x.dat");
    // A failure of another output leaves it, too.
    folder.refused(4, "export --map m.txt -o x.png -o no/x.csv", &["no/x.csv"]);
    let ended = folder.done("export --map m.txt -o x.png");
    assert!(ended.stderr.contains("removed x.pgw") && !folder.path("x.pgw").exists());
}

#[test]
fn file_beside_a_picture_stays_unless_it_is_a_world_file() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    let words = ["export --map m.txt -o x.png", "atlas --map m.txt -o x.png", "compare --map m.txt --no-time -o x.png"];
    for (text, is_kept) in [("my data\n", true), ("1 0 0 -1 0\n", true), ("1\n0\n0\n-1\n6e5\n0.5\n", false)] {
        for words in words {
            folder.write("x.pgw", text);
            let ended = folder.done(words);
            assert_eq!(ended.stderr.contains("removed x.pgw"), !is_kept, "{words}, {text:?}: {}", ended.stderr);
            assert_eq!(folder.path("x.pgw").exists(), is_kept, "{words}, {text:?}");
        }
    }
    let world_file = "30\n0\n0\n-30\n0\n0\n";
    for name in ["x.pgw", "0.pgw", "2.pgw", "3.pgw"] {
        folder.write(name, world_file);
    }
    let ended = folder.done("gallery --only cave --panel 132 --methods two-parent -o x.png");
    assert!(ended.stderr.contains("removed x.pgw") && !folder.path("x.pgw").exists(), "{}", ended.stderr);
    let ended = folder.done("walk --map m.txt --path 0,0 --path-rule per-cell --at 1,1 --scale 1 -o %d.png");
    assert!(ended.stderr.contains("removed 0.pgw") && !folder.path("0.pgw").exists(), "{}", ended.stderr);
    assert!(folder.path("2.pgw").exists() && folder.path("3.pgw").exists(), "they are of no picture of the walk");
}

#[test]
fn picture_of_from_is_replaced_by_the_same_scene_only() {
    let folder = Folder::new();
    let small = "-q --size 48x48 --radius 6";
    folder.done(&format!("export {small} -o v.png -o v.json"));
    folder.done(&format!("export {small} --crop map --scale 2 -o m.png"));
    folder.done(&format!("walk {small} --wander 3 --scale 1 -o w.gif -o 0%d.png"));
    folder.done(&format!("atlas {small} --every 8 -o a.png"));
    for words in [
        "atlas --every 8 --from v.png -o v.png",
        "atlas --every 8 --from v.png -o x.npy --checkpoint v.png",
        "compare --no-time --methods two-parent --from v.png -o ./v.png",
        "export --from v.png --seed 77 -o v.png",
        "export --from v.png --at 3,4 -o x.npy -o v.png",
        "export --from v.json --radius 5 -o v.json",
        "export --from a.png -o a.png",
        "export --from 00.png -o 00.png",
        "walk --from w.gif --seed 77 -o w.gif",
        "walk --from w.gif --wander 4 -o w.gif",
    ] {
        folder.refused(2, words, &["would overwrite the file that --from reads: choose another name"]);
    }
    for (words, file, is_same) in [
        ("export -q --from v.png -o v.png", "v.png", true),
        ("export -q --from v.json -o v.json", "v.json", true),
        ("export -q --from v.png --seed 77 -o x.png", "v.png", true),
        ("walk -q --from w.gif -o w.gif", "w.gif", true),
        ("walk -q --from w.gif --fps 5 -o w.gif", "w.gif", false),
        ("walk -q --from 00.png -o 0%d.png", "00.png", true),
        ("atlas -q --every 8 --from a.png -o a.png", "a.png", true),
        ("export -q --from m.png --scale 3 -o m.png", "m.png", false),
    ] {
        let before = folder.read(file);
        folder.done(words);
        assert_eq!(before == folder.read(file), is_same, "{words}");
    }
    // The ground and a map that are given again are the same scene.
    folder.write("c.txt", "....\n.@#.\n");
    for ground in [format!("--heightmap {RIDGE} --at 140,104"), "--map c.txt".to_owned()] {
        folder.done(&format!("export -q {ground} --radius 5 -o g.png"));
        let again = ground.replace(" --at 140,104", "");
        folder.done(&format!("export -q --from g.png {again} -o g.png"));
        folder.refused(2, &format!("export --from g.png {again} --radius 4 -o g.png"), &["that --from reads"]);
    }
}

#[test]
fn messages_name_the_flags_of_the_files() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    folder.write("c.csv", "1,1\n2,1\n");
    let scene = format!("cumulative --heightmap {RIDGE} --at 140,104 --radius 4");
    folder.write("r.tif", std::fs::read(RIDGE).unwrap());
    let of_r = "cumulative --heightmap r.tif --at 140,104 --radius 4";
    for (words, said) in [
        (
            format!("{of_r} --count ./r.tif"),
            "farsight: --count ./r.tif would overwrite the file that --heightmap reads",
        ),
        (format!("{scene} --count a.tif --best ./a.tif"), "farsight: --best ./a.tif is the same file as --count a.tif"),
        (
            "atlas --map m.txt --cells c.csv -o x.npy --checkpoint c.csv".into(),
            "farsight: --checkpoint c.csv would overwrite",
        ),
        ("atlas --map m.txt --cells c.csv -o c.csv".into(), "farsight: -o c.csv would overwrite"),
    ] {
        folder.refused(2, &words, &[said]);
    }
}

#[test]
fn names_that_differ_in_case_are_one_file_where_the_system_says_so() {
    let folder = Folder::new();
    let words = "export -q --size 9x9 --radius 2 -o x.csv -o X.csv";
    if cfg!(any(windows, target_os = "macos")) {
        folder.refused(2, words, &["X.csv", "same file"]);
    } else {
        folder.done(words);
        assert_eq!(folder.files().len(), 2);
    }
}
