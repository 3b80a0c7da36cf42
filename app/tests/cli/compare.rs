//! The classic methods, `compare` and `gallery`.

use serde_json::Value;

use super::{Folder, npy_values};

const PILLAR: &str = "..........\n...#......\n....#.....\n..@.......\n.....4....\n..........\n";

fn size(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn classic_methods_are_exported_as_zeros_and_ones() {
    let folder = Folder::new();
    folder.write("m.txt", PILLAR);
    let mut seen = Vec::new();
    for method in
        ["shadowcast", "raycast-border", "raycast-border --no-repair", "raycast-circle", "raycast-circle --rays 8"]
    {
        folder.done(&format!("export -q --map m.txt --radius 7 --method {method} -o a.npy"));
        let values = npy_values(&folder.read("a.npy"), 10, 6);
        assert!(values.iter().all(|&value| value == 0.0 || value == 1.0), "{method}");
        assert_eq!(values[32], 1.0, "the viewer's own cell");
        seen.push(values.iter().filter(|&&value| value == 1.0).count());
    }
    assert!(seen[4] < seen[3] && seen[3] > 40, "eight lines leave gaps: {seen:?}");
    // The words with `_` are taken, too, and by --set.
    folder.done("export -q --map m.txt --radius 7 --set sight.method=raycast_border -o b.npy");
    folder.done("export -q --map m.txt --radius 7 --method raycast_border -o c.npy");
    assert!(folder.read("b.npy") == folder.read("c.npy"));
}

#[test]
fn a_picture_of_a_classic_method_restores_its_scene_and_accepts_another_method() {
    let folder = Folder::new();
    let scene = "--preset dungeon --size 64x48 --seed 3";
    for method in ["raycast-border --no-repair", "raycast-circle --rays 90", "shadowcast"] {
        folder.done(&format!("export -q {scene} --method {method} -o a.png"));
        folder.done("export -q --from a.png -o b.png");
        assert!(folder.read("a.png") == folder.read("b.png"), "{method}");
    }
    folder.done(&format!("export -q {scene} -o plain.npy"));
    folder.done("export -q --from a.png --method two-parent -o back.npy");
    assert!(folder.read("plain.npy") == folder.read("back.npy"), "the classic method gives way");
}

#[test]
fn table_and_json_have_the_same_figures() {
    let folder = Folder::new();
    folder.write("m.txt", PILLAR);
    let table = folder.done("compare -q --map m.txt --radius 8 --no-time");
    assert_eq!(table.stderr, "");
    let lines: Vec<&str> = table.text().lines().collect();
    assert!(lines[0].starts_with("m.txt, viewer at 2,3; radius 8; 60 cells against exact (49 lines"), "{}", lines[0]);
    assert!(lines[2].starts_with("method ") && lines[2].trim_end().ends_with("dark") && lines[3].starts_with("----"));
    let rows = &lines[4..11];
    assert!(rows[0].starts_with("two-parent ") && rows[2].starts_with("exact "), "{rows:?}");
    assert!(rows.iter().all(|row| row.len() == lines[3].len()), "aligned: {rows:?}");
    let json = folder.done("compare -q --map m.txt --radius 8 --no-time --json");
    let json: Value = serde_json::from_str(json.text()).unwrap();
    let total = json["total"].as_array().unwrap();
    assert_eq!(total.len(), 7);
    for (figures, row) in total.iter().zip(rows) {
        let agreement = format!("{:.1} %", 100.0 * figures["agreement"].as_f64().unwrap());
        assert!(row.contains(&agreement) && row.contains(&figures["seen"].to_string()), "{row}: {figures}");
        assert!(figures.get("time_ratio").is_none());
    }
    assert!(total[0]["asymmetry"]["max"].as_f64().unwrap() <= 1e-6);
    assert_eq!(total[2]["rmse"], 0.0);
    assert_eq!(json["room"]["methods"]["shadowcast"]["dark"], 0);
    assert_eq!(json["farsight"]["map"]["name"], "m.txt");
    let timed = folder.done("compare -q --map m.txt --radius 8 --methods beam,two-parent");
    assert!(timed.text().contains("1.0x") && timed.text().lines().nth(4).unwrap().starts_with("beam "));
}

#[test]
fn comparison_in_a_world_measures_the_asymmetry_of_eyes() {
    let folder = Folder::new();
    let words = "compare -q --preset alpine --size 64x48 --radius 14 --no-time --methods two-parent";
    let json = folder.done(&format!("{words} --json"));
    let json: Value = serde_json::from_str(json.text()).unwrap();
    assert!(json["total"][0]["asymmetry"]["max"].as_f64().unwrap() <= 1e-6, "on the opacities for one eye");
    assert!(json["eye_asymmetry"]["max"].as_f64().unwrap() > 0.1, "{}", json["eye_asymmetry"]);
    assert!(folder.done(words).text().contains("two parents with linear weights are not symmetric: asym mean 0."));
    folder.write("m.txt", PILLAR);
    let json = folder.done("compare -q --map m.txt --radius 8 --no-time --json");
    assert!(!json.text().contains("eye_asymmetry"), "a map has the same opacities for all eyes");
}

#[test]
fn comparisons_without_time_are_deterministic() {
    let folder = Folder::new();
    folder.write("a.txt", PILLAR);
    folder.write("b.csv", "0,0,1\n0,0.5,0\n0,0,0\n");
    let words = "compare --maps a.txt b.csv --no-time --json --methods two-parent,raycast-circle --radius 6";
    let [once, again] = [folder.done(words), folder.done(words)];
    assert!(once.out == again.out && once.stderr.is_empty());
    let json: Value = serde_json::from_str(once.text()).unwrap();
    assert_eq!(json["maps"][1]["name"], "b.csv");
    assert!(json["farsight"].get("viewer").is_none() && json["farsight"].get("seed").is_none(), "{}", json["farsight"]);
    assert!(json["farsight"]["preset"].is_string());
    let cells = |figures: &Value| figures["methods"][0]["cells"].as_u64().unwrap();
    let total = json["total"][0]["cells"].as_u64().unwrap();
    assert_eq!(total, cells(&json["maps"][0]) + cells(&json["maps"][1]));
    assert_eq!(json["farsight"]["layer"], "comparison");
    let gallery = folder.done("compare --gallery --no-time --methods two-parent,shadowcast --floor");
    assert!(
        gallery.text().starts_with("26 maps of the gallery; radius 32; ") && gallery.text().contains(" clear cells")
    );
}

#[test]
fn a_comparison_picture_restores_its_scene() {
    let folder = Folder::new();
    let words = "--preset dungeon --size 48x40 --seed 2 --radius 10 --no-time --methods two-parent,shadowcast";
    let first = folder.done(&format!("compare {words} -o a.png"));
    assert!(first.stderr.contains("wrote a.png: 1020x"), "{}", first.stderr);
    let second = folder.done("compare -q --from a.png --no-time --methods two-parent,shadowcast -o b.png");
    assert!(folder.read("a.png") == folder.read("b.png"));
    assert_eq!(first.text(), second.text());
    assert_eq!(size(&folder.read("a.png"))[0], 1020);
}

#[test]
fn accuracy_has_a_row_per_kind_of_map() {
    let folder = Folder::new();
    let table = folder.done("compare --accuracy --radius 8 -q");
    let lines: Vec<&str> = table.text().lines().collect();
    assert!(lines[0].starts_with("Error against 49 traced lines per cell, per length, radius 8"), "{}", lines[0]);
    assert!(lines[2].starts_with("RMSE ") && lines[2].ends_with("beam, 2") && lines.len() == 9);
    let json = folder.done("compare --accuracy --radius 8 --set sight.samples=5 --json -q");
    let json: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((json["samples"].as_u64(), json["kinds"].as_array().map(Vec::len)), (Some(5), Some(5)));
}

#[test]
fn the_gallery_is_the_same_bytes_every_time() {
    let folder = Folder::new();
    let words = "gallery --only cave,fog-bank --panel 132";
    let said = folder.done(&format!("{words} -o a.png")).stderr;
    assert!(said.starts_with("wrote a.png: 2 maps, 1312x"), "{said}");
    folder.done(&format!("{words} -q -o b.png"));
    let stream = folder.done(&format!("{words} -q -o -"));
    assert!(folder.read("a.png") == folder.read("b.png") && folder.read("a.png") == stream.out);
    assert_eq!(size(&stream.out)[0], 1312);
    folder.done(&format!("{words} -q --set sight.radius=3 -o c.png"));
    folder.done(&format!("{words} -q --methods exact -o d.png"));
    assert_eq!(size(&folder.read("c.png")), size(&stream.out));
    assert!(folder.read("c.png") != stream.out);
    assert_eq!(size(&folder.read("d.png"))[0], 1160, "one method has half the panels");
}

#[test]
fn invalid_input_is_an_error_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("m.txt", PILLAR);
    folder.write("bad.txt", "..x\n");
    for (code, words, said) in [
        (2, "export --map m.txt --no-repair -o a.png", ["--no-repair", "--method raycast-border"]),
        (2, "export --map m.txt --method shadowcast --no-repair -o a.png", ["--no-repair", "raycast-border"]),
        (2, "export --map m.txt --method raycast-border --rays 9 -o a.png", ["--rays", "raycast-circle"]),
        (2, "export --map m.txt --method raycast-circle --rays 0 -o a.png", ["--rays", "1 to 65536"]),
        (3, "export --map m.txt --set sight.method=bresenham -o a.png", ["bresenham", "shadowcast"]),
        (2, "compare --map m.txt --method beam", ["--method", "--methods"]),
        (2, "compare --map m.txt --decay linear", ["--decay", "without decay"]),
        (2, "compare --map m.txt --methods beem", ["'beem'", "two-parent, beam"]),
        (2, "compare --gallery --maps m.txt", ["--gallery", "--maps"]),
        (2, "compare --gallery --map m.txt", ["--gallery", "--map"]),
        (2, "compare --maps m.txt --seed 4", ["--maps", "--seed"]),
        (2, "compare --accuracy --gallery", ["--accuracy", "--gallery"]),
        (2, "compare --accuracy --radius 4096", ["--radius 4096", "256"]),
        (2, "compare --map m.txt --asymmetry-cells 1", ["'1'", "--asymmetry-cells"]),
        (2, "compare --map m.txt -o a.gif", ["a.gif", ".png"]),
        (2, "compare --map m.txt -o -", ["-o -", "standard output"]),
        (4, "compare --map m.txt -o missing/a.png", ["missing/a.png", "missing"]),
        (3, "compare --maps m.txt missing.txt", ["missing.txt", ""]),
        (3, "compare --maps bad.txt", ["bad.txt", "line 1, column 3"]),
        (3, "compare --map m.txt --at 99,0", ["99,0", "10x6"]),
        (2, "compare --map m.txt --radius 9999", ["--radius", "4096"]),
        (2, "gallery", ["--output", "required"]),
        (2, "gallery -o a.png --set optics.light=0", ["optics.light=0", "changes nothing on the sheet"]),
        (2, "gallery -o a.png --set world.seed=5", ["world.seed=5", "paint.ramp"]),
        (2, "gallery -o a.png --set sight.decay.kind=linear", ["sight.decay.kind=linear", "without its decay"]),
        (2, "gallery -o a.gif", ["a.gif", ".png"]),
        (2, "gallery -o a.png --only nowhere", ["'nowhere'", "--only"]),
        (2, "gallery -o a.png --panel 7", ["'7'", "--panel"]),
        (3, "gallery -o a.png --set sight.radius=-1", ["sight.radius", "0 to 4096"]),
        (4, "gallery -o missing/a.png", ["missing/a.png", "missing"]),
    ] {
        folder.refused(code, words, &said);
    }
}
