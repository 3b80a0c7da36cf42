//! Files of observers as spreadsheets and GIS programs write them.

use super::{Folder, RIDGE};

/// The tower of all files, in the coordinates of the ridge.
const TABLE: &str = "name,x,y,eye_height_m\nMast,616215.5,5203465,12.5\nTurm,618000,5204000,30\n";

/// Returns the number of observers that see each cell, and the messages.
fn count(folder: &Folder, observers: &str) -> (Vec<u8>, String) {
    let words = format!("cumulative --preset viewshed --heightmap {RIDGE} --radius 40 --observers {observers}");
    let done = folder.done(&format!("{words} --count count.npy"));
    (folder.read("count.npy"), done.stderr)
}

#[test]
fn tables_of_spreadsheets_are_read() {
    let folder = Folder::new();
    folder.write("o.csv", TABLE);
    let expected = count(&folder, "o.csv").0;
    let semicolons = TABLE.replace(',', ";");
    let decimal_commas = semicolons.replace('.', ",");
    let quoted = "name,x,y,eye_height_m\nMast,\"616215,5\",5203465,\"12,5\"\nTurm,618000,5204000,30\n";
    for (kind, text) in [
        ("semicolons", semicolons.clone()),
        ("decimal commas", decimal_commas.clone()),
        ("decimal commas in quotes", quoted.to_owned()),
        ("tabs", TABLE.replace(',', "\t")),
        ("tabs and decimal commas", decimal_commas.replace(';', "\t")),
        ("sep=;", format!("sep=;\r\n{}", decimal_commas.replace('\n', "\r\n"))),
        ("the mark of Excel", format!("\u{feff}{semicolons}")),
        ("empty columns", semicolons.replace('\n', ";;\n")),
    ] {
        folder.write("o.csv", &text);
        assert!(count(&folder, "o.csv").0 == expected, "{kind}: {text}");
    }
    folder.write("o.csv", "nom;est;nord\nMast;616215,5;5203465\n");
    let words = format!("cumulative --heightmap {RIDGE} --observers o.csv --count c.npy");
    folder.refused(3, &words, &["o.csv: has no columns x and y", "nom, est, nord, which are separated by semicolons"]);
    folder.write("o.csv", "x;y\n616.215,5;5203465\n");
    folder.refused(3, &words, &["observer 1: x is \"616.215,5\": expected a coordinate"]);
}

#[test]
fn features_of_gis_programs_are_read() {
    let folder = Folder::new();
    let crs = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:32632\"}}";
    let collection = |features: &str| format!("{{\"type\":\"FeatureCollection\",{crs},\"features\":[{features}]}}");
    let feature = |properties: &str, geometry: &str| {
        format!("{{\"type\":\"Feature\",\"properties\":{{{properties}}},\"geometry\":{{{geometry}}}}}")
    };
    let point = |at: &str| format!("\"type\":\"Point\",\"coordinates\":[{at}]");
    let height = "\"eye_height_m\":12.5";
    let two = [point("616215.5,5203465"), point("618000,5204000")].map(|point| feature(height, &point)).join(",");
    folder.write("o.geojson", collection(&two));
    let expected = count(&folder, "o.geojson").0;
    let multi = |at: &str| format!("\"type\":\"MultiPoint\",\"coordinates\":[{at}]");
    for (kind, features) in [
        ("MultiPoint", feature(height, &multi("[616215.5,5203465],[618000,5204000]"))),
        ("heights over the sea", feature(height, &multi("[616215.5,5203465,1900],[618000,5204000,1700.5]"))),
        ("texts", feature("\"eye_height_m\":\"12.5\"", &multi("[616215.5,5203465],[618000,5204000]"))),
        (
            "texts with commas, and empty ones",
            feature("\"eye_height_m\":\" 12,5 \",\"weight\":\"\"", &multi("[616215.5,5203465],[618000,5204000]")),
        ),
    ] {
        folder.write("o.geojson", collection(&features));
        assert!(count(&folder, "o.geojson").0 == expected, "{kind}");
    }
    let words = format!("cumulative --heightmap {RIDGE} --observers o.geojson --count c.npy");
    folder.write("o.geojson", collection(&feature("\"eye_height_m\":\"high\"", &point("616215.5,5203465"))));
    folder.refused(3, &words, &["observer 1: eye_height_m is \"high\": expected 0 to 10000 m"]);
    folder.write("o.geojson", collection(&feature(height, &multi(""))));
    folder.refused(3, &words, &["o.geojson: has no observers"]);
    folder.write("o.geojson", collection(&feature(height, "\"type\":\"LineString\",\"coordinates\":[[0,0],[1,1]]")));
    folder.refused(3, &words, &["observer 1 is a LineString: expected points"]);
}

/// Writes a flat heightmap of 41 × 41 cells of 1/3600 degree.
fn write_degrees(folder: &Folder, west: f64, south: f64) {
    let header = format!("ncols 41\nnrows 41\nxllcorner {west}\nyllcorner {south}\ncellsize {}\n", 1.0 / 3600.0);
    folder.write("dem.asc", header + &("0 ".repeat(41) + "\n").repeat(41));
    folder.write("dem.prj", "GEOGCS[\"WGS 84\",UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]");
}

#[test]
fn longitudes_are_on_the_raster_after_whole_turns() {
    let folder = Folder::new();
    for (west, longitude) in [(254.99, -105.004_305_555_6), (-105.01, 254.995_694_444_4), (179.995, -179.999_305_555_6)]
    {
        write_degrees(&folder, west, 40.0);
        let words = "cumulative -q --preset viewshed --heightmap dem.asc --radius 3 --read whole";
        folder.write("o.csv", format!("longitude,latitude\n{longitude},40.0056944444\n"));
        folder.done(&format!("{words} --observers o.csv --best file.asc"));
        folder.done(&format!("{words} --at-coordinates {longitude},40.0056944444 --best flag.asc"));
        folder.done(&format!("{words} --at 20,20 --best cell.asc"));
        assert!(folder.read("file.asc") == folder.read("cell.asc"), "{west}");
        assert!(folder.read("flag.asc") == folder.read("cell.asc"), "{west}");
    }
    folder.write("o.csv", "longitude,latitude\n12,40.0056944444\n");
    let words = "cumulative --heightmap dem.asc --observers o.csv --count c.npy";
    folder.refused(3, words, &["observer 1 at 12, 40.0056944444 is outside the raster, which is from 179.995"]);
}

#[test]
fn polygons_across_the_antimeridian_are_cut() {
    let folder = Folder::new();
    write_degrees(&folder, 179.995, 40.0);
    folder.done("cumulative -q --preset viewshed --heightmap dem.asc --at 18,20 --radius 5 --polygons p.geojson");
    let features: serde_json::Value = serde_json::from_slice(&folder.read("p.geojson")).unwrap();
    let geometry = &features["features"][0]["geometry"];
    assert_eq!(
        (geometry["type"].as_str(), geometry["coordinates"].as_array().unwrap().len()),
        (Some("MultiPolygon"), 2)
    );
    let mut longitudes = Vec::new();
    for polygon in geometry["coordinates"].as_array().unwrap() {
        for ring in polygon.as_array().unwrap() {
            let ring: Vec<f64> = ring.as_array().unwrap().iter().map(|at| at[0].as_f64().unwrap()).collect();
            let (low, high) =
                (ring.iter().copied().fold(f64::MAX, f64::min), ring.iter().copied().fold(f64::MIN, f64::max));
            assert!(high - low < 0.01, "{low} {high}");
            longitudes.extend(ring);
        }
    }
    assert!(longitudes.iter().all(|longitude| longitude.abs() <= 180.0 && longitude.abs() > 179.9));
    assert!(longitudes.contains(&180.0) && longitudes.contains(&-180.0));
}
