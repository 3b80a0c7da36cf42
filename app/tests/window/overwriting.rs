//! Nothing that the window writes replaces a file that it has read.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{NEEDS_A_DISPLAY, farsight};

/// Runs a script, and returns the exit code and the messages.
fn run(folder: &Path, script: &str, arguments: &[&str]) -> (Option<i32>, String) {
    fs::write(folder.join("s.script"), script).unwrap();
    let flags = ["explore", "--script", "s.script"];
    let size = if arguments.iter().any(|flag| flag.ends_with("map")) { &[][..] } else { &["--size", "64x64"] };
    let output = farsight(folder, &[&flags, size, arguments].concat()).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Writes a grey picture that carries no scene.
fn write_picture(path: &Path) {
    let mut encoder = png::Encoder::new(fs::File::create(path).unwrap(), 9, 3);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0; 27]).unwrap();
}

#[test]
#[ignore = "needs a display"]
fn files_that_are_read_stay_as_they_are() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let map = "#########\n#...@...#\n#########\n";
    for (name, text) in
        [("mine.toml", "extends = \"base.toml\"\n"), ("base.toml", "extends = \"fog\"\n"), ("hall.txt", map)]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let walls = ["export", "-q", "--map", "hall.txt", "--layer", "opacity", "--crop", "map", "-o"];
    for name in ["hall.npy", "humid.npy"] {
        assert!(farsight(folder, &[&walls[..], &[name]].concat()).status().unwrap().success());
    }
    write_picture(&folder.join("hall.png"));
    let heightmap = ["--heightmap", "hall.npy", "--cell-size", "10", "--humidity", "humid.npy"];
    let files = || {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let names = names.filter(|path| path.extension().is_none_or(|extension| extension != "script"));
        let mut files: Vec<_> = names.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    for (line, output, flags) in [
        ("save base.toml", "base.toml", &["--preset", "mine.toml"][..]),
        ("save ./mine.toml", "./mine.toml", &["--preset", "mine.toml"]),
        ("open mine.toml\nsettle\nsave base.toml", "base.toml", &[]),
        ("split preset mine.toml\nsave base.toml", "base.toml", &[]),
        ("preset mine.toml\nsettle\nsave base.toml", "base.toml", &[]),
        ("save hall.npy", "hall.npy", &heightmap),
        ("export humid.npy", "humid.npy", &heightmap),
        ("screenshot ./hall.png", "./hall.png", &["--map", "hall.png"]),
        ("open hall.png\nsettle\nscreenshot hall.png", "hall.png", &[]),
        ("open hall.txt\nsettle\nundo-all\nexport hall.txt", "hall.txt", &[]),
        ("save ./s.script", "./s.script", &[]),
    ] {
        let line = line.replace("undo-all", "key ctrl+z");
        let script = format!("settle\n{line}\nquit\n");
        let (code, words) = run(folder, &script, flags);
        assert_eq!(code, Some(3), "{line}: {words} ({NEEDS_A_DISPLAY})");
        assert!(words.contains(&format!("{output} would overwrite the file that")), "{line}: {words}");
        assert_eq!(fs::read_to_string(folder.join("s.script")).unwrap(), script);
        assert!(files() == before, "{line}");
    }
    let (code, words) = run(folder, "settle\nopen hall.png\nsettle\n", &["--screenshot", "hall.png"]);
    assert_eq!(code, Some(3), "{words}");
    assert!(words.contains("--screenshot hall.png would overwrite the file that the scene reads"), "{words}");
    assert!(files() == before);
}

#[test]
#[ignore = "needs a display"]
fn walk_is_saved_again_where_it_was_loaded_from() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let read = || fs::read(folder.join("w.farsight")).unwrap();
    assert_eq!(run(folder, "settle\nsave w.farsight\nquit\n", &[]).0, Some(0));
    let first = read();
    let load = ["explore", "--script", "s.script", "--load", "w.farsight"];
    fs::write(folder.join("s.script"), "settle\nkey d 3\nsettle\nsave w.farsight\nquit\n").unwrap();
    assert!(farsight(folder, &load).status().unwrap().success());
    assert!(read() != first);
    assert_eq!(run(folder, "settle\nload w.farsight\nsettle\nkey d\nsettle\nsave w.farsight\nquit\n", &[]).0, Some(0));
}
