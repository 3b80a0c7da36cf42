//! GeoPackages as GDAL reads them. Needs `ogrinfo` (Debian: gdal-bin): `cargo test --test cli gdal -- --ignored`.

use std::process::Command;

use super::{Folder, RIDGE};

fn ogrinfo(folder: &Folder, arguments: &[&str]) -> String {
    let output = Command::new("ogrinfo").args(arguments).current_dir(folder.path(".")).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && !text.contains("Warning") && !text.contains("ERROR"), "{arguments:?}: {text}");
    text
}

/// Returns the value of a field of a feature that `ogrinfo` prints.
#[track_caller]
fn value(text: &str, field: &str) -> f64 {
    let line = text.lines().find(|line| line.trim_start().starts_with(field)).expect(field);
    line.rsplit_once("= ").expect("a value").1.parse().unwrap()
}

#[test]
#[ignore = "needs ogrinfo"]
fn polygons_and_points_are_read_with_their_reference_system() {
    let folder = Folder::new();
    folder.write("places.csv", "name,x,y\nChurch,616215,5202895\nMill,617000,5203500\n");
    let words = format!("cumulative -q --heightmap {RIDGE} --at 140,104 --radius 40 --polygons seen.gpkg --json");
    let report = folder.done(&format!("{words} --places places.csv --place-observers who.gpkg"));
    let report: serde_json::Value = serde_json::from_slice(&report.out).unwrap();
    let seen = ogrinfo(&folder, &["-so", "-mdd", "all", "seen.gpkg", "seen"]);
    for part in ["Geometry: Polygon", "ID[\"EPSG\",32632]", "cells: Integer64", "\"preset\""] {
        assert!(seen.contains(part), "{part} is missing in {seen}");
    }
    let sums = "SELECT SUM(cells) AS cells, SUM(OGR_GEOM_AREA) AS m2 FROM seen";
    let sums = ogrinfo(&folder, &["-q", "-dialect", "OGRSQL", "-sql", sums, "seen.gpkg"]);
    assert_eq!(value(&sums, "cells"), report["cells_seen"].as_f64().unwrap());
    assert!((value(&sums, "m2") / 1e6 - report["km2_seen"].as_f64().unwrap()).abs() < 1e-3, "{sums}");
    let who = ogrinfo(&folder, &["-al", "who.gpkg"]);
    for part in ["Point", "ID[\"EPSG\",32632]", "Feature Count: 2", "= Church", "POINT (616215 5202895)"] {
        assert!(who.contains(part), "{part} is missing in {who}");
    }
}
