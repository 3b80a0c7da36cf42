//! `farsight horizon`.

use serde_json::Value;

use super::{Folder, RIDGE};

/// Returns the rows of a table, without its header.
fn rows(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let table = String::from_utf8(folder.read(name)).unwrap();
    table.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn the_skyline_is_a_row_for_each_azimuth() {
    let folder = Folder::new();
    let done = folder
        .done(&format!("horizon --heightmap {RIDGE} --at 140,104 --azimuths 72 -o sky.csv -o sky.json -o sky.svg"));
    assert!(done.stderr.contains("wrote sky.csv: 72 azimuths, the skyline up to "), "{}", done.stderr);
    let table = String::from_utf8(folder.read("sky.csv")).unwrap();
    assert!(table.starts_with("azimuth_deg,elevation_deg,distance_m,x,y,height_m,behind_m,easting,northing\n"));
    let rows = rows(&folder, "sky.csv");
    assert_eq!((rows.len(), rows[1][0].as_str()), (72, "5"));
    let number = |text: &String| text.parse::<f64>().unwrap();
    let json: Value = serde_json::from_slice(&folder.read("sky.json")).unwrap();
    for (row, along) in rows.iter().zip(json["azimuths"].as_array().unwrap()) {
        let ridges = along["ridges"].as_array().unwrap();
        assert_eq!(ridges.len(), 1, "the skyline only");
        assert!((number(&row[1]) - ridges[0]["elevation_deg"].as_f64().unwrap()).abs() < 1e-4);
        assert_eq!([number(&row[3]), number(&row[4])], [0, 1].map(|i| ridges[0]["cell"][i].as_f64().unwrap()));
        assert_eq!(row[6], "", "nothing is behind the skyline");
    }
    assert_eq!((json["viewer"][0].as_i64(), json["eye_height_m"].as_f64()), (Some(140), Some(1.7)));
    let drawing = String::from_utf8(folder.read("sky.svg")).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.contains(">NE</text>") && drawing.ends_with("</svg>\n"));
    assert!(!drawing.contains("NaN") && !drawing.contains("inf"));
}

#[test]
fn a_window_gives_the_horizon_of_the_whole_file() {
    let folder = Folder::new();
    let scene = format!("horizon -q --heightmap {RIDGE} --at 140,104 --ridges --azimuths 24 --eye-height 30");
    for (name, flags) in [("a.csv", ""), ("b.csv", "--read whole"), ("c.csv", "--preset viewshed --read window")] {
        folder.done(&format!("{scene} --max-distance 2500 {flags} -o {name}"));
    }
    let first = folder.read("a.csv");
    assert!(first == folder.read("b.csv") && first == folder.read("c.csv"));
    let near = rows(&folder, "a.csv");
    assert!(near.iter().all(|row| row[2].parse::<f64>().unwrap() <= 2500.0) && near.len() > 24, "{}", near.len());
    // Ridges of an azimuth rise, and those before the skyline say where the ground is in sight again.
    for pair in near.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
        let [lower, higher] = [&pair[0][1], &pair[1][1]].map(|text| text.parse::<f64>().unwrap());
        assert!(lower <= higher && !pair[0][6].is_empty());
    }
    folder.done(&format!("{scene} --max-distance 2.5km --min-gap 300 -o d.csv"));
    assert!(rows(&folder, "d.csv").len() < near.len());
}

#[test]
fn trees_of_a_generated_world_raise_the_skyline() {
    let folder = Folder::new();
    let scene = "horizon -q --preset temperate --size 96x96 --at 40,40";
    folder.done(&format!("{scene} -o wood.csv"));
    folder.done(&format!("{scene} --set optics.vegetation_extinction_per_m=0 -o bare.csv"));
    let angles = |name: &str| -> Vec<f64> { rows(&folder, name).iter().map(|row| row[1].parse().unwrap()).collect() };
    let (wood, bare) = (angles("wood.csv"), angles("bare.csv"));
    assert!(wood.iter().zip(&bare).all(|(wood, bare)| wood >= bare) && wood != bare);
}

#[test]
fn what_has_no_horizon_is_refused_and_nothing_is_written() {
    let folder = Folder::new();
    let ridge = format!("--heightmap {RIDGE}");
    for (flags, parts) in [
        ("--preset dungeon", &["heights", "--heightmap"][..]),
        (&format!("{ridge} --at 140,104 --max-distance 0"), &["0 m", "more than 0 m"]),
        (&format!("{ridge} --at 140,104 --max-distance nan"), &["NaN"]),
        (&format!("{ridge} --at 140,104 --ridges --min-gap -1"), &["-1 m", "0 m or more"]),
        (&format!("{ridge} --at 140,104 --eye-height -3"), &["--eye-height", "-3"]),
        (&format!("{ridge} --at 140,104 --azimuths 0"), &["0", "3600000"]),
    ] {
        folder.refused(2, &format!("horizon {flags} -o sky.csv"), parts);
    }
    folder.refused(2, &format!("horizon {ridge} --at 140,104 -o sky.png"), &["sky.png", ".svg"]);
    folder.refused(2, &format!("horizon {ridge} --at 140,104 -o -"), &["-o -", ".csv"]);
    folder.refused(3, &format!("horizon {ridge} --at 9999,104 -o sky.csv"), &["9999,104"]);
    assert!(folder.files().is_empty());
}
