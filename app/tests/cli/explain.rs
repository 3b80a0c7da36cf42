//! `farsight explain`.

use serde_json::Value;

use super::{Folder, RIDGE, npy_values};

/// A hedge between the viewer and the cells beyond, and an unrelated wall.
const HEDGE: &str = "..............\n......6.......\n..@...6.......\n......6...#...\n..............\n";

fn explained(folder: &Folder, words: &str) -> Value {
    let ended = folder.done(&format!("explain -q --json {words}"));
    assert_eq!(ended.stderr, "");
    serde_json::from_str(ended.text()).unwrap()
}

/// Visibility of a cell of a map of 14 × 5 cells, exported.
fn exported(folder: &Folder, words: &str, cell: [usize; 2]) -> f64 {
    folder.done(&format!("export -q {words} -o seen.npy"));
    f64::from(npy_values(&folder.read("seen.npy"), 14, 5)[cell[1] * 14 + cell[0]])
}

#[test]
fn the_gain_of_a_hedge_is_that_of_a_map_without_it() {
    let folder = Folder::new();
    folder.write("hedge.txt", HEDGE);
    for flags in ["", "--path-rule per-length", "--weights projection", "--decay linear", "--method exact"] {
        let json = explained(&folder, &format!("--map hedge.txt {flags} --target 12,2"));
        let before = exported(&folder, &format!("--map hedge.txt {flags}"), [12, 2]);
        assert!((json["explained"].as_f64().unwrap() - before).abs() < 1e-6, "{flags}: {json}");
        let hedge = &json["losses"][0];
        assert_eq!(
            (hedge["cause"].as_str(), hedge["places"][0]["cell"] == serde_json::json!([6, 2])),
            (Some("hedge"), true)
        );
        // One cell of it, and then all of it.
        let cell = &json["cells"][0];
        assert_eq!(cell["cell"], serde_json::json!([6, 2]), "{flags}");
        folder.write("one.txt", HEDGE.replace("@...6", "@...."));
        let gained = exported(&folder, &format!("--map one.txt {flags}"), [12, 2]) - before;
        assert!((cell["gain"].as_f64().unwrap() - gained).abs() < 1e-4, "{flags}: {cell} against {gained}");
        assert!(gained > 0.05, "{flags}");
        folder.write("none.txt", HEDGE.replace('6', "."));
        let gained = exported(&folder, &format!("--map none.txt {flags}"), [12, 2]) - before;
        let place = &hedge["places"][0];
        assert!((place["gain"].as_f64().unwrap() - gained).abs() < 1e-4, "{flags}: {place} against {gained}");
        let shares = json["losses"].as_array().unwrap().iter().map(|loss| loss["share"].as_f64().unwrap());
        assert!((shares.sum::<f64>() - (1.0 - before)).abs() < 1e-6, "{flags}: shares add up");
    }
}

#[test]
fn a_ridge_is_explained_with_the_height_that_is_visible_over_it() {
    let folder = Folder::new();
    let row = "0 0 0 50 0 0 0 0\n";
    let heights = format!("ncols 8\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n{row}{row}{row}");
    folder.write("ridge.asc", heights);
    // From 1.7 m over the ground, 50 m in 30 m of way: the line over it is 98.3 m high at 60 m.
    for method in ["two-parent", "beam"] {
        let words = "explain --preset viewshed --heightmap ridge.asc --at 0,1 --target 6,1";
        let text = folder.done(&format!("{words} --method {method}"));
        let sentence = text.text().lines().next().unwrap();
        let expected =
            "(6, 1) is not seen. 100 % is lost: 100 % ridge at (3, 1). A target 98 m high would be seen over it.";
        assert_eq!(sentence, expected, "{method}");
    }
}

#[test]
fn sentence_and_tables_agree() {
    let folder = Folder::new();
    folder.write("hedge.txt", HEDGE);
    let text = folder.done("explain --map hedge.txt --target 12,2 --top 1");
    let lines: Vec<&str> = text.text().lines().collect();
    assert_eq!(lines[0], "(12, 2) is seen at 40 %. 60 % is lost: 60 % hedge at (6, 2).");
    assert_eq!(
        lines[6..9],
        [
            "cell  cause  opacity  gain if clear",
            "-----------------------------------",
            "6,2   hedge    0.600         0.6000",
        ]
    );
    assert!(text.text().contains(" opacity @@@@@") || text.text().contains(" opacity @"), "{}", text.text());
    assert!(!text.text().contains('\x1b') && text.stderr.is_empty());
}

#[test]
fn hidden_cells_and_cells_out_of_range_are_explained_differently() {
    let folder = Folder::new();
    folder.write("m.txt", "..........\n@..#..#...\n..........\n");
    let sentence = |words: &str| {
        let text = folder.done(&format!("explain -q --map m.txt {words}")).text().to_owned();
        text.lines().next().unwrap().to_owned()
    };
    let behind_one = sentence("--target 5,1");
    assert!(
        behind_one.contains("is not seen. 100 % is lost: 100 % wall at (3, 1). Without (3, 1) it would"),
        "{behind_one}"
    );
    let behind_two = sentence("--target 9,1");
    assert!(behind_two.contains("At least 2 cells in a row hide it ((3, 1), (6, 1))"), "{behind_two}");
    assert!(behind_two.ends_with("Without all of them it would be seen at 100 %."), "{behind_two}");
    assert!(sentence("--target 9,1 --radius 4").contains("out of range: it is 9.0 cells away, and the radius is 4"));
    assert!(sentence("--target 0,1").contains("is the cell of the viewer"));
    assert!(sentence("--target 3,0").contains("is fully seen"));
    let binary = sentence("--target 8,0 --method shadowcast");
    assert!(binary.contains("the method of the preset shows"), "{binary}");
}

#[test]
fn worlds_are_explained_by_air_woods_and_ridges() {
    let folder = Folder::new();
    let scene = "--preset mist --size 96x96 --seed 4 --at 40,40 --radius 24 --set sight.decay.kind=linear";
    let json = explained(&folder, &format!("{scene} --target 52,47"));
    let causes: Vec<&str> =
        json["losses"].as_array().unwrap().iter().filter_map(|loss| loss["cause"].as_str()).collect();
    assert!(causes.contains(&"haze") && causes.contains(&"distance"), "{causes:?}");
    let shares: f64 = json["losses"].as_array().unwrap().iter().map(|loss| loss["share"].as_f64().unwrap()).sum();
    assert!((shares - (1.0 - json["explained"].as_f64().unwrap())).abs() < 1e-9);
    assert!((json["explained"].as_f64().unwrap() - json["perceived"].as_f64().unwrap()).abs() < 1e-5);
    assert!(json["section"].as_array().unwrap().len() == 13 && json["section"][3]["ground_m"].is_number());
    let text = folder.done(&format!("explain -q {scene} --target 52,47"));
    assert!(text.text().contains("@ eye   X target   # ground"), "{}", text.text());
    // The same scene out of a picture.
    folder.done(&format!("export -q {scene} -o view.png"));
    assert_eq!(folder.done("explain -q --from view.png --target 52,47").out, text.out);
}

#[test]
fn invalid_input_is_an_error() {
    let folder = Folder::new();
    folder.write("m.txt", HEDGE);
    for (code, words, said) in [
        (2, "explain --map m.txt", "--target"),
        (2, "explain --map m.txt --target 3", "X,Y"),
        (2, "explain --map m.txt --target 3,3 --top -1", "--top"),
        (
            3,
            "explain --map m.txt --target 14,2",
            "the target 14,2 is outside the map of 14x5 cells: expected 0,0 to 13,4",
        ),
        (3, "explain --map m.txt --target -1,2", "the target -1,2 is outside"),
        (3, "explain --map missing.txt --target 1,2", "missing.txt"),
        (3, "explain --map m.txt --at 99,9 --target 1,2", "99,9"),
    ] {
        folder.refused(code, words, &[said]);
    }
}

#[test]
fn targets_and_distances_are_in_the_coordinates_of_the_heightmap() {
    let folder = Folder::new();
    let scene = format!("explain --preset viewshed --heightmap {RIDGE} --at 140,104 --radius 120");
    // The centre of cell 154,21.
    let by_cell = folder.done(&format!("{scene} --target 154,21"));
    let by_coordinates = folder.done(&format!("{scene} --target-coordinates 616635,5205955"));
    assert_eq!(by_cell.text(), by_coordinates.text());
    let report: Value = serde_json::from_str(folder.done(&format!("{scene} --target 154,21 --json")).text()).unwrap();
    assert_eq!(report["target_coordinates"], serde_json::json!([616_635.0, 5_205_955.0]));
    let metres = report["distance_m"].as_f64().unwrap();
    let expected = f64::hypot(616_635.0 - 616_215.0, 5_205_955.0 - 5_203_465.0);
    // Metres on the ground are up to 0.04 % longer than those of UTM.
    assert!((metres / expected - 1.0).abs() < 0.0005, "{metres} {expected}");
    let last = report["section"].as_array().unwrap().last().unwrap();
    assert_eq!([&last["distance_m"], &last["coordinates"]], [&report["distance_m"], &report["target_coordinates"]]);
    let degrees = |key: &str, i: usize| report[key][i].as_f64().unwrap();
    // Zone 32 has 9° east in its middle; a degree of latitude has about 111.2 km.
    assert!((10.4..10.7).contains(&degrees("target_longitude_latitude", 0)));
    let north = degrees("target_longitude_latitude", 1) - degrees("viewer_longitude_latitude", 1);
    assert!((north * 111_200.0 - 2490.0).abs() < 30.0, "{north}");
    let text = by_cell.text();
    assert!(text.contains("\nFrom 616215, 5203465 (longitude 10.5"), "{text}");
    assert!(
        text.contains("\nto 616635, 5205955 (longitude 10.5") && text.contains(&format!(": {metres:.1} m\n")),
        "{text}"
    );
    folder.refused(3, &format!("{scene} --target-coordinates 1,2"), &["the target at 1, 2 is outside the raster"]);
    folder.refused(2, &format!("{scene} --target-coordinates 1,2 --target 3,4"), &["--target"]);
    folder.refused(2, &scene, &["--target"]);
}
