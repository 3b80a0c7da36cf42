//! `--surface`, `--canopy` and their flags, and `farsight profile`.

use serde_json::Value;

use super::{Folder, RIDGE, npy, npy_values};

const COLUMNS: usize = 60;
const ROWS: usize = 40;

/// Woods and a village over `examples/ridge.tif`, and what they are.
const CANOPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/canopy.tif");
const CLASSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/classes.tif");

/// Writes a raster of some value at each column and row.
fn raster(folder: &Folder, name: &str, value: impl Fn(usize, usize) -> f64) {
    let values: Vec<f64> = (0..COLUMNS * ROWS).map(|i| value(i % COLUMNS, i / COLUMNS)).collect();
    folder.write(name, npy(COLUMNS, ROWS, &values));
}

/// A slope with a house of 9 m and a wood of 20 m.
fn village() -> Folder {
    let folder = Folder::new();
    let ground = |x: usize, _: usize| 100.0 + x as f64 * 0.05;
    let house = |x: usize, y: usize| (20..22).contains(&x) && (10..20).contains(&y);
    let wood = |x: usize, y: usize| (35..45).contains(&x) && y >= 20;
    raster(&folder, "ground.npy", ground);
    let tall = move |x, y| {
        if house(x, y) {
            9.0
        } else if wood(x, y) {
            20.0
        } else {
            0.0
        }
    };
    raster(&folder, "surface.npy", move |x, y| ground(x, y) + tall(x, y));
    raster(&folder, "crowns.npy", move |x, y| if wood(x, y) { 20.0 } else { 0.0 });
    raster(&folder, "classes.npy", move |x, y| {
        if house(x, y) {
            6.0
        } else if wood(x, y) {
            5.0
        } else {
            2.0
        }
    });
    folder
}

const SCENE: &str = "--preset viewshed --heightmap ground.npy --cell-size 10 --refraction 1 --radius 80";

/// Returns the visibilities from a cell.
fn seen(folder: &Folder, at: &str, flags: &str) -> Vec<f32> {
    folder.done(&format!("export -q {SCENE} --at {at} {flags} -o seen.npy"));
    npy_values(&folder.read("seen.npy"), COLUMNS, ROWS)
}

fn cell(x: usize, y: usize) -> usize {
    y * COLUMNS + x
}

#[test]
fn houses_hide_and_woods_dim() {
    let folder = village();
    let bare = seen(&folder, "5,15", "");
    assert!(bare[cell(30, 15)] == 1.0 && bare[cell(50, 30)] == 1.0);
    let surface = seen(&folder, "5,15", "--surface surface.npy");
    assert_eq!([surface[cell(19, 15)], surface[cell(20, 15)], surface[cell(30, 15)]], [1.0, 1.0, 0.0]);
    let woods = seen(&folder, "5,30", "--surface surface.npy --canopy crowns.npy --extinction 0.01");
    // 100 m of crowns.
    assert!((woods[cell(50, 30)] - (-1.0f32).exp()).abs() < 0.02, "{}", woods[cell(50, 30)]);
    assert_eq!(woods[cell(26, 14)], 0.0, "the house is opaque");
    let by_length = seen(&folder, "5,30", "--canopy crowns.npy --extinction 0.63212per100m");
    assert!((by_length[cell(50, 30)] - (-1.0f32).exp()).abs() < 0.02);
    let trunks = seen(&folder, "5,30", "--canopy crowns.npy --extinction 0.01 --clear-trunks 3");
    assert_eq!(trunks[cell(50, 30)], 1.0);
    let roof = seen(&folder, "20,15", "--surface surface.npy --eye-on surface");
    assert_eq!(roof[cell(30, 15)], 1.0);
}

#[test]
fn limits_are_those_of_the_ground_and_of_the_surface() {
    let folder = village();
    for at in ["5,15", "30,31", "50,25"] {
        let bare = seen(&folder, at, "");
        assert!(bare == seen(&folder, at, "--canopy crowns.npy --extinction 0"));
        let surface = seen(&folder, at, "--surface surface.npy");
        assert!(surface != bare);
        let opaque = "--surface surface.npy --canopy crowns.npy --extinction opaque";
        assert!(surface == seen(&folder, at, opaque));
        assert!(surface == seen(&folder, at, "--surface surface.npy --canopy surface --extinction opaque"));
        let classes = "--surface surface.npy --surface-classes classes.npy";
        assert!(surface == seen(&folder, at, &format!("{classes} --class 5,6=opaque --class 2=clear")));
        assert!(bare == seen(&folder, at, &format!("{classes} --class 2,5,6=clear")));
    }
}

#[test]
fn bare_and_screened_zones_are_those_of_two_runs() {
    let folder = village();
    folder.write("masts.csv", "name,x,y,eye_height_m\na,8,15,10\nb,50,35,3\n");
    let scene = format!("cumulative -q {SCENE}");
    for at in ["8,15", "50,35"] {
        let surface = "--surface surface.npy";
        let layers = "--layer bare-count=bare.npy --layer screened=screened.npy --count count.npy";
        folder.done(&format!("{scene} --at {at} --read whole {surface} {layers}"));
        folder.done(&format!("{scene} --at {at} --read whole --count alone.npy"));
        let [bare, screened, count, alone] = ["bare", "screened", "count", "alone"]
            .map(|name| npy_values(&folder.read(&format!("{name}.npy")), COLUMNS, ROWS));
        assert!(bare == alone);
        assert!(screened.iter().any(|count| *count > 0.0));
        assert!((0..bare.len()).all(|i| screened[i] == bare[i] - count[i]));
    }
    let no_surface = format!("{scene} --at 8,15 --layer bare-count=bare.npy");
    folder.refused(2, &no_surface, &["--layer bare-count", "expected --surface or --canopy"]);
}

#[test]
fn bad_surfaces_are_refused_or_reported() {
    let folder = village();
    raster(&folder, "holes.npy", |x, y| if x == 3 && y < 7 { 90.0 } else { 130.0 });
    let scene = format!("export {SCENE} --at 5,15 -o seen.npy");
    let done = folder.done(&format!("{scene} --surface holes.npy"));
    assert!(
        done.stderr.contains("lines of sight, what stands on the ground (--surface holes.npy)\n"),
        "{}",
        done.stderr
    );
    let note = "holes.npy: 7 cells are below the ground, by up to 10.2 m; there the ground counts";
    assert!(done.stderr.contains(note), "{}", done.stderr);
    std::fs::remove_file(folder.path("seen.npy")).unwrap();
    raster(&folder, "low.npy", |_, _| 20.0);
    raster(&folder, "sea.npy", |_, _| 400.0);
    folder.refused(3, &format!("{scene} --surface low.npy"), &["low.npy: 100 % of its cells are below the ground"]);
    folder.refused(
        3,
        &format!("{scene} --canopy sea.npy --extinction 0.01"),
        &["sea.npy: 400 m at 0,0", "expected heights of crowns"],
    );
    folder.write("small.npy", npy(3, 3, &[1.0; 9]));
    folder.refused(
        3,
        &format!("{scene} --surface small.npy"),
        &["small.npy: it has 3x3 cells, not 60x40", "ground.npy"],
    );
    folder.refused(2, &format!("{scene} --canopy crowns.npy"), &["--canopy", "give --extinction opaque, 0.015"]);
    folder.refused(2, &format!("{scene} --canopy surface --extinction opaque"), &["give the surface with --surface"]);
    for extinction in ["-1", "thick", "1.5per100m", "0.5per0m", "nan"] {
        let words = format!("{scene} --canopy crowns.npy --extinction {extinction}");
        folder.refused(2, &words, &["--extinction", "expected opaque, an extinction per metre"]);
    }
    let classes = format!("{scene} --surface surface.npy --surface-classes classes.npy");
    folder.refused(
        3,
        &format!("{classes} --class 2=clear"),
        &["classes.npy: the class 6 of 20 cells, the first 20,10"],
    );
    folder.refused(2, &format!("{classes} --class 2=clear --class 2=crown"), &["--class: 2 is both clear and crown"]);
    folder.refused(
        2,
        &format!("{scene} --surface surface.npy --set optics.relief=difference"),
        &["--surface", "relief=horizon"],
    );
    folder.refused(
        2,
        &format!("{scene} --surface surface.npy --method shadowcast"),
        &["--surface", "reads no heights"],
    );
    folder.refused(2, "export --surface surface.npy -o a.png", &["--heightmap"]);
}

#[test]
fn rasters_of_another_grid_are_refused_with_the_command_that_fits_them() {
    let folder = Folder::new();
    let crop = format!("export -q --preset viewshed --heightmap {RIDGE} --at 140,104 --layer elevation");
    folder.done(&format!("{crop} --cells 10,10,200x150 -o part.tif"));
    let words = format!("export --preset viewshed --heightmap {RIDGE} --at 140,104 --surface part.tif -o seen.npy");
    let command =
        "gdalwarp -t_srs EPSG:32632 -te 612000 5200000 621000 5206600 -ts 300 220 -r bilinear part.tif aligned.tif";
    folder.refused(3, &words, &["part.tif: it has 200x150 cells, not 300x220", command]);
    let words = format!("export --preset viewshed --heightmap part.tif --at 40,50 --surface {RIDGE} -o seen.npy");
    folder.refused(3, &words, &["it has 300x220 cells, not 200x150"]);
}

#[test]
fn a_window_has_the_values_of_the_whole_raster() {
    let folder = Folder::new();
    let scene = format!("export -q --preset viewshed --heightmap {RIDGE} --at 140,104 --radius 40 --crop sight");
    let surface = format!("--canopy {CANOPY} --surface-classes {CLASSES} --extinction 0.012 --clear-trunks 2");
    for (name, flags) in [("window.npy", "--read window"), ("whole.npy", "--read whole")] {
        folder.done(&format!("{scene} {surface} {flags} -o {name}"));
    }
    assert!(folder.read("window.npy") == folder.read("whole.npy"));
    folder.done(&format!("{scene} -o bare.npy"));
    assert!(folder.read("window.npy") != folder.read("bare.npy"));
}

#[test]
fn pictures_are_made_again_with_their_surface_only() {
    let folder = village();
    let surface = "--surface surface.npy --canopy crowns.npy --extinction 0.01";
    folder.done(&format!("export -q {SCENE} --at 5,30 {surface} -o view.png"));
    let from = "export -q --from view.png --heightmap ground.npy";
    let missing =
        ["view.png was made with --surface surface.npy --canopy crowns.npy --extinction 0.01; give them, too"];
    folder.refused(2, &format!("{from} -o again.png"), &missing);
    folder.done(&format!("{from} {surface} -o again.png"));
    assert!(folder.read("view.png") == folder.read("again.png"));
    raster(&folder, "other.npy", |_, _| 130.0);
    let other = format!("{from} --surface other.npy --canopy crowns.npy --extinction 0.01 -o again.png");
    folder.refused(3, &other, &["not the surface that view.png was made from"]);
}

#[test]
fn every_view_has_the_surface() {
    let folder = village();
    let surface = "--surface surface.npy --canopy crowns.npy --extinction 0.01";
    let explained = folder.done(&format!("explain {SCENE} --at 5,15 --target 30,15 {surface}"));
    assert!(explained.text().contains("100 % obstacle at (20, 15)"), "{}", explained.text());
    let explained = folder.done(&format!("explain {SCENE} --at 5,30 --target 50,30 {surface}"));
    assert!(explained.text().contains("63 % forest around (44, 30)"), "{}", explained.text());
    let scene = "--heightmap ground.npy --cell-size 10 --at 5,15";
    folder.done(&format!("horizon -q {scene} --surface surface.npy --azimuths 4 -o sky.csv"));
    let sky = String::from_utf8(folder.read("sky.csv")).unwrap();
    let east = sky.lines().find(|line| line.starts_with("90,")).unwrap();
    assert!(east.contains(",20,15,") || east.contains(",21,15,"), "{east}");
    folder.done("sky -q --heightmap ground.npy --cell-size 10 --surface surface.npy --layer sky-view -o f.npy");
    let factors = npy_values(&folder.read("f.npy"), COLUMNS, ROWS);
    assert!(factors[cell(19, 15)] < 0.9 && factors[cell(5, 5)] > 0.95, "{}", factors[cell(19, 15)]);
    folder.done(&format!("panorama -q {scene} --preset viewshed {surface} --width 360 --height 90 -o strip.png"));
    folder.done(&format!("panorama -q {scene} --preset viewshed --width 360 --height 90 -o bare.png"));
    assert!(folder.read("strip.png") != folder.read("bare.png"));
}

#[test]
fn profiles_are_tables_records_and_drawings() {
    let folder = village();
    let scene = "profile --heightmap ground.npy --cell-size 10 --refraction 1 --surface surface.npy";
    let done = folder.done(&format!("{scene} --from 5,15 --to 45,15 -o p.csv -o p.json -o p.svg -o p.png -o p.pdf"));
    assert!(done.stderr.contains("wrote p.csv: 400 m, obstacle at 1"), "{}", done.stderr);
    let table = String::from_utf8(folder.read("p.csv")).unwrap();
    let header = "pair,distance_m,x,y,ground_m,obstacle_m,surface_m,line_m,clearance_m,fresnel_m\n";
    assert!(table.starts_with(header), "{table}");
    assert_eq!(table.lines().count(), 42);
    // The line from 101.95 m to 102.25 m over the house of 9 m.
    assert!(table.contains("\n\"5,15 to 45,15\",150,20,15,101,110,110,102.0625,-7.9375,0\n"), "{table}");
    let json: Value = serde_json::from_slice(&folder.read("p.json")).unwrap();
    let profile = &json["profiles"][0];
    assert_eq!((profile["is_clear"].as_bool(), profile["visibility"].as_f64()), (Some(false), Some(0.0)));
    assert_eq!(profile["first_obstacle"]["cell"][0], 20);
    assert_eq!(profile["worst_obstacle"]["kind"], "obstacle");
    // 160 m from the eye of 1.7 m: 9.05 m − 1.75 m, and by the rule of three to 400 m.
    let height = profile["clearing_target_height_m"].as_f64().unwrap();
    assert!((height - 7.9375 * 400.0 / 150.0).abs() < 0.1, "{height}");
    let drawing = String::from_utf8(folder.read("p.svg")).unwrap();
    assert!(drawing.contains(">obstacles</text>") && !drawing.contains("NaN"));
    folder.write("pairs.csv", "name,from,to,eye_height_m\nlow,\"5,15\",\"45,15\",1.7\nhigh,\"5,15\",\"45,15\",40\n");
    let pairs = format!("{scene} --pairs pairs.csv --frequency 5.8GHz --summary");
    let done = folder.done(&format!("{pairs} -o links.csv"));
    assert!(done.stderr.contains("2 profiles, 1 clear"), "{}", done.stderr);
    let links = String::from_utf8(folder.read("links.csv")).unwrap();
    assert!(links.contains("\nlow,5,15,45,15,400,0,") && links.contains("\nhigh,5,15,45,15,400,1,"), "{links}");
    folder.refused(2, &format!("{pairs} -o links.svg"), &["links.svg: a drawing shows one profile"]);
}

#[test]
fn ends_of_profiles_that_are_none_are_refused() {
    let folder = village();
    let scene = "profile --heightmap ground.npy --cell-size 10 -o p.csv";
    folder.refused(
        2,
        &format!("{scene} --from 5,15 --to 99,15"),
        &["--to 99,15: expected a cell of the map, 0,0 to 59,39"],
    );
    folder.refused(2, &format!("{scene} --from church --to 9,15"), &["--from church: expected a cell X,Y"]);
    folder.refused(2, &format!("{scene} --from 5,15"), &["--to"]);
    folder.refused(2, &format!("{scene} --from 5,15 --to 9,15 --frequency 3"), &["expected a frequency"]);
    folder.write("a.csv", "start,end\n1,2\n");
    folder.refused(3, &format!("{scene} --pairs a.csv"), &["a.csv: the columns are start, end: expected from and to"]);
    folder.write("b.csv", "from,to\n\"1,2\",\"70,2\"\n");
    folder.refused(3, &format!("{scene} --pairs b.csv"), &["b.csv: row 2: 70,2: expected a cell of the map"]);
    folder.write("c.csv", "from,to\n");
    folder.refused(3, &format!("{scene} --pairs c.csv"), &["c.csv: it has no pairs"]);
}

/// Returns a collection of features in the reference system of `examples/ridge.tif`.
fn collection(features: &str) -> String {
    let crs = r#"{"type": "name", "properties": {"name": "EPSG:32632"}}"#;
    format!(r#"{{"type": "FeatureCollection", "crs": {crs}, "features": [{features}]}}"#)
}

#[test]
fn buildings_are_polygons_with_heights() {
    let folder = Folder::new();
    let house = |height: &str, west: u32| {
        let ring =
            format!("[[{west}, 5203700], [616600, 5203700], [616600, 5203800], [{west}, 5203800], [{west}, 5203700]]");
        let geometry = format!(r#"{{"type": "Polygon", "coordinates": [{ring}]}}"#);
        format!(r#"{{"type": "Feature", "properties": {{"height_m": {height}}}, "geometry": {geometry}}}"#)
    };
    folder.write("houses.geojson", collection(&house("40", 616_000)));
    folder.write("low.geojson", collection(&house("0", 616_000)));
    let scene = format!("export -q --preset viewshed --heightmap {RIDGE} --at 140,104 --crop sight");
    for (name, flags) in
        [("bare.npy", ""), ("low.npy", "--buildings low.geojson"), ("houses.npy", "--buildings houses.geojson")]
    {
        folder.done(&format!("{scene} {flags} -o {name}"));
    }
    assert!(folder.read("bare.npy") == folder.read("low.npy"));
    assert!(folder.read("bare.npy") != folder.read("houses.npy"));
    folder.write("no-height.geojson", collection(&house("null", 616_000)));
    folder.refused(3, &format!("{scene} --buildings no-height.geojson -o a.npy"), &["area 1: height_m is missing"]);
    folder.write("masts.csv", "x,y\n1,2\n");
    folder.refused(3, &format!("{scene} --buildings masts.csv -o a.npy"), &["expected a .geojson with polygons"]);
}

#[test]
fn roads_and_parks_are_observers_at_a_spacing() {
    let folder = Folder::new();
    let road = r#"{"type": "Feature", "properties": {"name": "road"}, "geometry":
        {"type": "LineString", "coordinates": [[616000, 5203700], [616400, 5203700]]}}"#;
    let park = r#"{"type": "Feature", "properties": {"name": "park"}, "geometry":
        {"type": "Polygon", "coordinates": [[[615000, 5202700], [615200, 5202700], [615200, 5202900], [615000, 5202900]]]}}"#;
    folder.write("both.geojson", collection(&format!("{road}, {park}")));
    let scene = format!("cumulative --heightmap {RIDGE} --radius 20 --observers both.geojson --count count.tif");
    let done = folder.done(&format!("{scene} --every 100m"));
    // 5 on the road, 8 on the edge and 4 inside.
    assert!(done.stderr.contains("wrote count.tif: 17 observers"), "{}", done.stderr);
    let words = ["observer 1 (road) is a LineString: expected points; --every 100m takes points on lines"];
    std::fs::remove_file(folder.path("count.tif")).unwrap();
    folder.refused(3, &scene, &words);
    folder.refused(2, &format!("{scene} --every 0"), &["--every", "expected a length"]);
}
