//! `farsight cumulative`: several observers, their limits, and files of observers.

use std::process::Command;

use farsight::glam::{DVec2, IVec2, dvec2, ivec2};
use farsight::grid::Grid;
use farsight_scene::files::{Format, Heightmap, ReferenceSystem};

use super::{Folder, RIDGE};

/// The upper left corner of the ridge, whose cells have 30 m.
const CORNER: [i32; 2] = [612_000, 5_206_600];

/// Columns and rows of observers with the height of their eyes in metres.
const OBSERVERS: [(i32, i32, u32); 4] = [(140, 104, 12), (70, 63, 25), (220, 153, 6), (30, 200, 40)];

fn csv() -> String {
    let line = |(x, y, height): &(i32, i32, u32)| {
        format!("mast {x},{},{},{height}\n", CORNER[0] + 30 * x + 10, CORNER[1] - 30 * y - 20)
    };
    format!("Name,Easting,Northing,eye_height_m\n{}", OBSERVERS.iter().map(line).collect::<String>())
}

fn values(folder: &Folder, name: &str) -> Grid<f32> {
    Heightmap::decode(&folder.read(name), Format::from_path(name.as_ref()).unwrap()).unwrap().elevation_m
}

#[test]
fn union_count_and_best_are_those_of_single_views() {
    let folder = Folder::new();
    folder.write("towers.csv", csv());
    let scene = format!("-q --preset viewshed --heightmap {RIDGE} --radius 90");
    folder.done(&format!(
        "cumulative {scene} --observers towers.csv --union u.tif --count c.tif --best b.tif --threads 1"
    ));
    let [union, count, best] = ["u.tif", "c.tif", "b.tif"].map(|name| values(&folder, name));
    let place = Heightmap::decode(&folder.read("c.tif"), Format::Tif).unwrap().georeference.unwrap();
    assert_eq!((place.corner, place.keys.epsg()), (CORNER.map(f64::from), Some(32632)));
    let singles: Vec<Grid<f32>> = OBSERVERS
        .iter()
        .map(|(x, y, height)| {
            folder.done(&format!("export {scene} --at {x},{y} --crop map --set optics.eye_height_m={height} -o v.tif"));
            values(&folder, "v.tif")
        })
        .collect();
    for (cell, &count) in count.iter() {
        let seen: Vec<f32> = singles.iter().map(|single| single[cell]).collect();
        assert_eq!(count, seen.iter().filter(|seen| **seen > 0.0).count() as f32, "{cell}");
        assert_eq!(union[cell], seen.iter().copied().fold(0.0, f32::max), "{cell}");
        assert_eq!(
            best[cell] as usize,
            seen.iter().position(|seen| *seen > 0.0).map_or(0, |first| first + 1),
            "{cell}"
        );
    }
    assert!((0..4).all(|n| count.as_slice().contains(&(n as f32))));
    // The same from GeoJSON, on any number of threads, and by coordinates.
    let feature = |(x, y, height): &(i32, i32, u32)| {
        let [east, north] = [CORNER[0] + 30 * x + 10, CORNER[1] - 30 * y - 20];
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"eye_height_m\":{height},\"owner\":null}},\
             \"geometry\":{{\"type\":\"Point\",\"coordinates\":[{east},{north},0]}}}}"
        )
    };
    let features = OBSERVERS.iter().map(feature).collect::<Vec<_>>().join(",");
    folder.write("towers.geojson", format!("{{\"type\":\"FeatureCollection\",\"features\":[{features}]}}"));
    folder.done(&format!("cumulative {scene} --observers towers.geojson --count again.tif --threads 4"));
    assert!(folder.read("c.tif") == folder.read("again.tif"));
    folder.done(&format!("export {scene} --at 140,104 --crop map -o cell.tif"));
    folder.done(&format!("export {scene} --at-coordinates 616229.5,5203451 --crop map -o place.tif"));
    assert!(folder.read("cell.tif") == folder.read("place.tif"));
    folder.done(&format!("cumulative {scene} --read whole --at 140,104 --union one.tif"));
    assert!(values(&folder, "cell.tif") == values(&folder, "one.tif"));
    let report = folder.done(&format!("cumulative {scene} --observers towers.csv --count c.npy --json"));
    let report: serde_json::Value = serde_json::from_str(report.text()).unwrap();
    assert_eq!(report["observers"][1]["name"], "mast 70");
    assert_eq!(report["cells_seen"], count.as_slice().iter().filter(|count| **count > 0.0).count());
}

#[test]
fn limits_leave_out_directions_pitches_and_distances() {
    let folder = Folder::new();
    let scene = format!("-q --preset viewshed --heightmap {RIDGE} --read whole --radius 90 --at 140,104");
    let seen = |flags: &str| {
        folder.done(&format!("cumulative {scene} --eye-height 30 --grid-north --union v.tif {flags}"));
        values(&folder, "v.tif")
    };
    let whole = seen("");
    let viewer = ivec2(140, 104);
    let check = |flags: &str, contains: &dyn Fn(IVec2, f64) -> bool| {
        let part = seen(flags);
        for (cell, &seen) in part.iter() {
            let offset = cell - viewer;
            let expected = if contains(offset, 30.0 * offset.as_dvec2().length()) { whole[cell] } else { 0.0 };
            assert_eq!(seen, expected, "{flags} {cell}");
        }
        assert!(part != whole && part.as_slice().iter().filter(|seen| **seen > 0.0).count() > 50, "{flags}");
    };
    check("--start-angle 315 --end-angle 45", &|offset, _| -offset.y >= offset.x.abs());
    check("--start-angle 90 --end-angle 180", &|offset, _| offset == IVec2::ZERO || offset.x >= 0 && offset.y >= 0);
    check("--min-distance 600", &|_, distance| distance >= 600.0);
    check("--max-distance 600", &|_, distance| distance <= 600.0);
    let ground = Heightmap::decode(&std::fs::read(RIDGE).unwrap(), Format::Tif).unwrap().elevation_m;
    let eye = f64::from(ground[viewer]) + 30.0;
    let pitch = |offset: IVec2, distance: f64| {
        let drop = 0.85714 * distance * distance / (2.0 * 6_378_137.0);
        ((f64::from(ground[viewer + offset]) - drop - eye) / distance).atan().to_degrees()
    };
    let level =
        |offset: IVec2, distance: f64| offset == IVec2::ZERO || (-12.0..=0.5).contains(&pitch(offset, distance));
    check("--lowest-pitch -12 --highest-pitch 0.5", &level);
}

#[test]
fn limits_out_of_range_are_usage_errors_that_name_the_flag() {
    let folder = Folder::new();
    folder.write("towers.csv", csv());
    let scene = format!("cumulative --heightmap {RIDGE} --at 140,104 --radius 4 --count c.tif");
    for (flags, said) in [
        ("--eye-height -1", "--eye-height: optics.eye_height_m: -1 m is not valid: expected 0 to 10000 m"),
        ("--target-height -5", "--target-height: optics.target_height_m: -5 m is"),
        ("--start-angle 999", "--start-angle: 999 is not valid: expected -360 to 360 °"),
        ("--end-angle 400", "--end-angle: 400 is"),
        ("--lowest-pitch -91", "--lowest-pitch: -91 is"),
        ("--highest-pitch nan", "--highest-pitch: NaN is"),
        ("--min-distance -1", "--min-distance: -1 is not valid: expected 0 m or more"),
        ("--max-distance -1", "--max-distance: -1 is"),
        (
            "--lowest-pitch 5 --highest-pitch 3",
            "--lowest-pitch: 5 is not valid: expected at most the --highest-pitch, 3",
        ),
        ("--end-angle 0", "--end-angle: 0 is not valid: expected another angle than --start-angle"),
    ] {
        folder.refused(2, &format!("{scene} {flags}"), &[said]);
    }
    let export = format!("export --heightmap {RIDGE} --radius 4 -o o.csv");
    folder.refused(2, &format!("{export} --cell-size 0"), &["--cell-size: world.cell_size_m: 0", "expected 0.1 "]);
}

#[test]
fn polygons_have_the_area_of_the_seen_cells() {
    let folder = Folder::new();
    folder.write("towers.csv", csv());
    let scene = format!("-q --preset viewshed --heightmap {RIDGE} --radius 90");
    folder.done(&format!("cumulative {scene} --observers towers.csv --count c.tif --polygons seen.geojson"));
    let seen = values(&folder, "c.tif").as_slice().iter().filter(|count| **count > 0.0).count();
    let json: serde_json::Value = serde_json::from_slice(&folder.read("seen.geojson")).unwrap();
    assert!(json["crs"].is_null(), "RFC 7946 has no other reference system");
    let (utm, degrees) = (ReferenceSystem::from_code(32632).unwrap(), ReferenceSystem::wgs84());
    let on_raster = |point: &serde_json::Value| {
        let at = dvec2(point[0].as_f64().unwrap(), point[1].as_f64().unwrap());
        assert!((10.4..10.7).contains(&at.x) && (46.8..47.1).contains(&at.y), "{at}");
        let at = degrees.transform(&utm, at).unwrap();
        let corner = (at - dvec2(612_000.0, 5_200_000.0)) / 30.0;
        assert!((corner - corner.round()).abs().max_element() < 1e-3, "{corner}");
        at
    };
    let area_of = |ring: &serde_json::Value| {
        let points: Vec<DVec2> =
            ring.as_array().unwrap().iter().map(|point| on_raster(point) - dvec2(612_000.0, 5_200_000.0)).collect();
        assert_eq!(points.first(), points.last());
        points.windows(2).map(|side| side[0].perp_dot(side[1])).sum::<f64>() / 2.0
    };
    let mut area = 0.0;
    for feature in json["features"].as_array().unwrap() {
        let rings = feature["geometry"]["coordinates"].as_array().unwrap();
        let of_feature: Vec<f64> = rings.iter().map(area_of).collect();
        assert!(of_feature[0] > 0.0 && of_feature[1..].iter().all(|hole| *hole < 0.0), "{of_feature:?}");
        let cells = feature["properties"]["cells"].as_f64().unwrap();
        assert!((of_feature.iter().sum::<f64>() - cells * 900.0).abs() < 0.001 * cells * 900.0);
        area += of_feature.iter().sum::<f64>();
    }
    assert!((area - seen as f64 * 900.0).abs() < 10.0, "{area} m², {seen} cells");
}

#[test]
fn observers_that_cannot_be_used_are_refused_by_name() {
    let folder = Folder::new();
    let refuse = |name: &str, text: &str, said: &str| {
        folder.write(name, text);
        let words = format!("cumulative --heightmap {RIDGE} --observers {name} --count c.tif");
        folder.refused(3, &words, &[&format!("{name}: "), said]);
    };
    refuse(
        "o.csv",
        "name,x,y\na,616215,5203465\nfar mast,600000,5203465\n",
        "observer 2 (far mast) at 600000, 5203465 is outside the raster, which is from 612000, 5200000 to 621000, 5206600",
    );
    refuse(
        "o.csv",
        "name,east\na,1\n",
        "has no columns x and y (or easting and northing, or longitude and latitude) among name, east",
    );
    refuse("o.csv", "x,y\n616215,north\n", "observer 1: y is \"north\": expected a coordinate of the raster");
    refuse("o.csv", "x,y\n", "has no observers: expected at least one point");
    refuse("o.csv", "x,y\n1,2,3\n", "cannot be read: ");
    refuse("o.csv", "x,y,eye_height_m\n616215,5203465,-3\n", "observer 1: eye_height_m is -3: expected 0 to 10000 m");
    refuse(
        "o.csv",
        "x,y,lowest_pitch_deg,highest_pitch_deg\n616215,5203465,5,-5\n",
        "observer 1: lowest_pitch_deg is 5: expected at most the highest_pitch_deg, -5",
    );
    refuse("o.geojson", "{", "cannot be read: ");
    refuse("o.geojson", "{\"type\":\"Topology\"}", "expected a FeatureCollection of points");
    refuse(
        "o.geojson",
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":\"wood\"},\
         \"geometry\":{\"type\":\"Polygon\",\"coordinates\":[]}}]}",
        "observer 1 (wood) is a Polygon: expected points",
    );
    refuse("o.shp", "", "observers cannot be read from it; use .csv or .geojson");
    // Without data.
    folder.write("holes.asc", "ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n5 -9999 7\n");
    folder.write("o.csv", "name,x,y\nlost,45,10\n");
    folder.refused(
        3,
        "cumulative --heightmap holes.asc --observers o.csv --count c.tif",
        &["o.csv: observer 1 (lost) at 45, 10 is on a nodata cell of the raster"],
    );
    folder.refused(
        3,
        "export --heightmap holes.asc --at-coordinates 95,10 -o v.tif",
        &["the viewer at 95, 10 is outside the raster"],
    );
    folder.write("bare.npy", super::npy(2, 1, &[1.0, 2.0]));
    folder.refused(
        3,
        "export --heightmap bare.npy --cell-size 30 --at-coordinates 1,1 -o v.tif",
        &["bare.npy: has no coordinates; give cells with --at X,Y"],
    );
    let one = format!("cumulative --heightmap {RIDGE} --at 140,104");
    folder.refused(
        2,
        &format!("{one} --count c.tif --lowest-pitch 9 --highest-pitch 8"),
        &["--lowest-pitch: 9 is not valid: expected at most"],
    );
    folder.refused(2, &one, &["nothing to write: give --union, --count, --best, --layer, --each, --polygons"]);
    folder.refused(
        2,
        &format!("{one} --count c.gif"),
        &["--count c.gif: expected a file that ends in .png, .npy, .csv, .json, .asc, .tif, .r16, .txt, .svg or .pdf"],
    );
    folder.refused(
        2,
        &format!("cumulative --heightmap {RIDGE} --count c.tif"),
        &["no observers: give --observers FILE"],
    );
    folder.refused(
        2,
        &format!("cumulative --heightmap {RIDGE} --observers o.csv --polygons o.csv"),
        &["expected a file that ends in"],
    );
}

/// Turbines, one of them with its own heights.
fn turbines() -> String {
    let line = |(i, (x, y, _)): (usize, &(i32, i32, u32))| {
        let [east, north] = [CORNER[0] + 30 * x + 10, CORNER[1] - 30 * y - 20];
        format!("{east},{north},{}\n", if i == 2 { "70,90" } else { "," })
    };
    format!("x,y,hub_height_m,tip_height_m\n{}", OBSERVERS.iter().enumerate().map(line).collect::<String>())
}

#[test]
fn hubs_and_tips_are_the_counts_of_eyes_at_their_heights() {
    let folder = Folder::new();
    folder.write("turbines.csv", turbines());
    let scene = format!("cumulative -q --heightmap {RIDGE} --radius 2700m --target-height 2");
    folder.done(&format!(
        "{scene} --observers turbines.csv --hub-height 100 --tip-height 150 --layer hubs=hubs.tif --layer tips=tips.npy --count eyes.tif"
    ));
    for (name, heights) in [("hubs.tif", [100, 100, 70, 100]), ("tips.npy", [150, 150, 90, 150])] {
        let line = |((x, y, _), height): (&(i32, i32, u32), i32)| {
            format!("{},{},{height}\n", CORNER[0] + 30 * x + 10, CORNER[1] - 30 * y - 20)
        };
        let eyes: String = OBSERVERS.iter().zip(heights).map(line).collect();
        folder.write("eyes.csv", format!("x,y,eye_height_m\n{eyes}"));
        folder.done(&format!("{scene} --observers eyes.csv --count count.tif"));
        assert!(values(&folder, name) == values(&folder, "count.tif"), "{name}");
        assert!(values(&folder, name).as_slice().contains(&3.0), "{name}");
    }
    assert!(values(&folder, "eyes.tif") == values(&folder, "tips.npy"), "a turbine looks from its tip");
}

#[test]
fn messages_tell_what_is_in_their_layer() {
    let folder = Folder::new();
    folder.write("turbines.csv", turbines());
    let scene = format!("cumulative --heightmap {RIDGE} --radius 60 --observers turbines.csv");
    let heights = "--hub-height 100 --tip-height 150 --target-height 2";
    let layers = ["count", "hubs", "tips", "visible-height", "horizontal-angle"];
    let outputs: Vec<String> = layers.iter().map(|name| format!("--layer {name}={name}.npy")).collect();
    let done = folder.done(&format!("{scene} {heights} {}", outputs.join(" ")));
    for (name, what) in [
        ("count", "seen ("),
        ("hubs", "that see a hub ("),
        ("tips", "that see a tip ("),
        ("visible-height", "that see a part"),
    ] {
        let covered = values(&folder, &format!("{name}.npy")).as_slice().iter().filter(|value| **value > 0.0).count();
        let said = format!("wrote {name}.npy: 4 observers, {covered} cells {what}");
        assert!(done.stderr.contains(&said), "{said}\n{}", done.stderr);
    }
    let angles = values(&folder, "horizontal-angle.npy");
    let widest = angles.as_slice().iter().copied().fold(0.0, f32::max);
    assert!(done.stderr.contains(&format!("at most {widest:.1} degrees")), "{}", done.stderr);
}

/// Returns the metres to the east and north from the centre of a cell to an observer of [`csv`], on the projected plane.
fn offset_m(cell: IVec2, (x, y, _): (i32, i32, u32)) -> DVec2 {
    dvec2(f64::from(30 * (x - cell.x) - 5), f64::from(30 * (cell.y - y) - 5))
}

#[test]
fn pairs_of_places_and_turbines_add_up_to_the_layers() {
    let folder = Folder::new();
    // The same turbines by the columns of either table.
    let tips: Vec<String> =
        csv().lines().map(|line| line.replace("eye_height_m", "tip_height_m,hub_height_m")).collect();
    let turbines =
        tips.iter().enumerate().map(|(i, line)| if i > 0 { format!("{line}0,80\n") } else { format!("{line}\n") });
    folder.write("hubs.csv", turbines.collect::<String>());
    let header = "name,x,y,height_m,rotor_m\n";
    let line = |(x, y, height): &(i32, i32, u32)| {
        let [east, north] = [CORNER[0] + 30 * x + 10, CORNER[1] - 30 * y - 20];
        format!("mast {x},{east},{north},80,{}\n", 2 * (10 * height - 80))
    };
    let lines: String = OBSERVERS.iter().filter(|(_, _, height)| *height > 8).map(line).collect();
    folder.write("rotors.csv", format!("{header}{lines}"));
    let hubs = String::from_utf8(folder.read("hubs.csv")).unwrap();
    folder.write(
        "hubs.csv",
        hubs.lines().filter(|line| !line.contains(",60,80")).map(|line| format!("{line}\n")).collect::<String>(),
    );
    let cells = [ivec2(120, 90), ivec2(90, 60), ivec2(60, 120), ivec2(290, 5), ivec2(140, 104)];
    let place = |(i, cell): (usize, &IVec2)| {
        format!("p{i},{},{}\n", CORNER[0] + 30 * cell.x + 15, CORNER[1] - 30 * cell.y - 15)
    };
    folder.write("places.csv", format!("name,x,y\n{}", cells.iter().enumerate().map(place).collect::<String>()));
    let layers = ["hubs", "tips", "visible-height", "visible-height-sum", "vertical-angle"];
    let outputs: String = layers.iter().map(|name| format!(" --layer {name}={name}.npy")).collect();
    for (file, table) in [("hubs.csv", "a.csv"), ("rotors.csv", "b.csv")] {
        folder.done(&format!(
            "cumulative --heightmap {RIDGE} --radius 100 --read whole --target-height 2 --observers {file} \
             --places places.csv --pairs {table}{outputs}"
        ));
    }
    let table = String::from_utf8(folder.read("a.csv")).unwrap();
    assert!(
        folder.read("a.csv") == folder.read("b.csv"),
        "{table}\n{}",
        String::from_utf8_lossy(&folder.read("b.csv"))
    );
    let mut lines = table.lines();
    let columns = "hub_seen,tip_seen,visible_m,vertical_angle_deg,distance_m,azimuth_deg,grid_azimuth_deg";
    assert_eq!(lines.next(), Some(&*format!("place,observer,{columns}")));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let turbines = [OBSERVERS[0], OBSERVERS[1], OBSERVERS[3]];
    assert_eq!(rows.len(), cells.len() * turbines.len());
    let [mut seen, mut missing] = [0, 0];
    for (i, (rows, cell)) in rows.chunks(turbines.len()).zip(cells).enumerate() {
        let number = |row: &Vec<&str>, column: usize| row[column].parse::<f64>().unwrap_or(0.0);
        let of_column = |column: usize| rows.iter().map(move |row| number(row, column));
        let at = |name: &str| f64::from(values(&folder, &format!("{name}.npy"))[cell]);
        assert_eq!([of_column(2).sum::<f64>(), of_column(3).sum()], [at("hubs"), at("tips")], "p{i}");
        assert!((of_column(4).fold(0.0, f64::max) - at("visible-height")).abs() < 0.006, "p{i}");
        assert!((of_column(4).sum::<f64>() - at("visible-height-sum")).abs() < 0.02, "p{i}");
        assert!((of_column(5).fold(0.0, f64::max) - at("vertical-angle")).abs() < 0.0001, "p{i}");
        for (row, turbine) in rows.iter().zip(turbines) {
            assert_eq!(row[..2], [&*format!("p{i}"), &*format!("mast {}", turbine.0)]);
            let offset = offset_m(cell, turbine);
            let distance_m = number(row, 6);
            // Ground metres of UTM are up to 0.04 % longer than those of the coordinates.
            assert!((distance_m - offset.length()).abs() < 0.0005 * distance_m + 0.06, "{row:?}");
            let grid_deg = offset.x.atan2(offset.y).to_degrees().rem_euclid(360.0);
            assert!((number(row, 8) - grid_deg).abs() < 0.02, "{row:?}: {grid_deg}");
            // Grid north of zone 32 is up to 1.1° east of true north here, at 10.5° east.
            let convergence_deg = number(row, 7) - number(row, 8);
            assert!((1.0..1.2).contains(&convergence_deg.rem_euclid(360.0)), "{row:?}");
            let is_in_range = (cell - ivec2(turbine.0, turbine.1)).as_dvec2().length() <= 100.0;
            assert_eq!(row[2..5].iter().all(|field| !field.is_empty()), is_in_range, "{row:?}");
            (seen, missing) = (seen + usize::from(row[3] == "1"), missing + usize::from(!is_in_range));
        }
    }
    assert!(seen > 2 && missing > 3 && missing + seen < rows.len(), "{seen} {missing}");
    folder.refused(
        2,
        &format!(
            "cumulative --preset temperate --heightmap {RIDGE} --radius 9 --at 9,9 --places places.csv --pairs p.csv"
        ),
        &["--pairs: needs lines of sight"],
    );
}

#[test]
fn each_observer_and_each_place_tell_who_sees_what() {
    let folder = Folder::new();
    folder.write("towers.csv", csv());
    let place =
        |name: &str, x: i32, y: i32| format!("{name},{},{}\n", CORNER[0] + 30 * x + 15, CORNER[1] - 30 * y - 15);
    let cells = [ivec2(120, 90), ivec2(90, 60), ivec2(290, 5), ivec2(141, 104)];
    let places: String = cells.iter().enumerate().map(|(i, cell)| place(&format!("p{i}"), cell.x, cell.y)).collect();
    folder.write("places.csv", format!("name,x,y\n{places}"));
    let ended = folder.done(&format!(
        "cumulative --heightmap {RIDGE} --radius 90 --observers towers.csv --each seen-{{}}.tif --count count.tif \
         --places places.csv --place-observers who.csv --pairs pairs.csv --bands 300m,2km --choose 2 --json"
    ));
    let each: Vec<Grid<f32>> = (1..=4).map(|i| values(&folder, &format!("seen-{i}.tif"))).collect();
    for (cell, count) in values(&folder, "count.tif").iter() {
        assert_eq!(*count, each.iter().map(|seen| seen[cell]).sum::<f32>(), "{cell}");
    }
    let table = String::from_utf8(folder.read("who.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("place,x,y,count,nearest_m,observers"));
    for (i, (line, cell)) in lines.zip(cells).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let seeing: Vec<usize> = (0..4).filter(|i| each[*i][cell] > 0.0).collect();
        let names: Vec<String> = seeing.iter().map(|i| format!("mast {}", OBSERVERS[*i].0)).collect();
        let distance_m = |i: &usize| offset_m(cell, OBSERVERS[*i]).length();
        let nearest =
            seeing.iter().map(distance_m).reduce(f64::min).map_or(String::new(), |metres| format!("{metres:.1}"));
        assert_eq!(fields[0], format!("p{i}"));
        assert_eq!(
            [fields[3], fields[4], fields[5]],
            [&seeing.len().to_string(), &nearest, &*names.join("; ")],
            "{line}"
        );
    }
    assert!(table.contains("35.4,mast 140") && table.contains(",0,,\n"), "{table}");
    assert!(ended.stderr.contains("wrote pairs.csv: 4 places and 4 observers"), "{}", ended.stderr);
    let report: serde_json::Value = serde_json::from_str(ended.text()).unwrap();
    let km2 = |value: &serde_json::Value| value.as_f64().unwrap();
    let (chosen, bands) = (&report["chosen"], &report["bands"]);
    assert!(km2(&chosen[0]["km2_added"]) > km2(&chosen[1]["km2_added"]) && chosen[2].is_null());
    assert!(km2(&bands[0]["seen_km2"]) <= km2(&bands[0]["ground_km2"]) && bands[2].is_null());
    assert!((km2(&report["km2_seen"]) - report["cells_seen"].as_f64().unwrap() * 0.0009).abs() < 1e-6);
    assert!(ended.stderr.contains("300 to 2000 m: ") && ended.stderr.contains("1. mast "), "{}", ended.stderr);
}

#[test]
fn points_with_one_name_are_noted_where_tables_name_them() {
    let folder = Folder::new();
    folder.write("towers.csv", csv());
    let [x, y] = [CORNER[0] + 3615, CORNER[1] - 2715];
    folder.write("places.csv", format!("name,x,y\nAsh,{x},{y}\nElm,{x},{y}\nAsh,{x},{y}\n"));
    let zone = format!("cumulative --heightmap {RIDGE} --radius 9 --observers towers.csv --places places.csv");
    let ended = folder.done(&format!("{zone} --place-observers who.csv"));
    assert!(ended.stderr.contains("2 places are named \"Ash\""), "{}", ended.stderr);
    assert!(!ended.stderr.contains("observers are named"), "{}", ended.stderr);
}

#[test]
fn outputs_of_turbines_and_places_that_cannot_be_written_are_refused() {
    let folder = Folder::new();
    folder.write("towers.csv", csv());
    let scene = format!("cumulative --heightmap {RIDGE} --radius 9 --observers towers.csv");
    for (flags, said) in [
        ("--layer tip=t.tif", "expected union, count, best, sum, nearest, hubs, tips"),
        ("--layer tips", "expected NAME=FILE"),
        ("--layer tips=t.gif", "--layer t.gif: expected a file that ends in .png, .npy, .csv, .json"),
        ("--layer tips=t.txt", "t.txt: .txt has characters for values from 0 to 1, not for tips"),
        ("--each seen.tif", "--each seen.tif: expected {} for the number of the observer"),
        ("--count t.tif --layer tips=t.tif", "--layer t.tif is the same file as --count t.tif"),
        ("--place-observers who.csv", "--places"),
        ("--pairs who.csv", "--places"),
        ("--places towers.csv", "--place-observers"),
        ("-q --bands 1,2,5", "--bands: 1 m is shorter than a cell, 30.0 m: expected longer distances"),
        ("--bands 5km,2km", "expected ascending lengths, such as 2km,5km,10km"),
        ("--choose 0", "0 is not in"),
        (
            "--count c.tif --hub-height 90 --tip-height 80",
            "--hub-height: 90 is not valid: expected at most the --tip-height, 80",
        ),
        ("--preset temperate --layer visible-height=v.tif", "--layer visible-height: needs lines of sight"),
    ] {
        folder.refused(2, &format!("{scene} {flags}"), &[said]);
    }
    folder.write("bad.csv", "x,y,weight\n616215,5203465,-1\n");
    folder.refused(
        3,
        &format!("cumulative --heightmap {RIDGE} --observers bad.csv --count c.tif"),
        &["bad.csv: observer 1: weight is -1: expected 0 to 1000000"],
    );
    folder.refused(
        3,
        &format!("{scene} --places towers.shp --place-observers who.csv"),
        &["towers.shp: places cannot be read from it"],
    );
}

#[test]
fn cells_beyond_every_range_have_no_data_if_asked() {
    let folder = Folder::new();
    let scene = format!(
        "cumulative -q --heightmap {RIDGE} --read whole --at 140,104 --eye-height 9 --start-angle 0 --end-angle 90 \
         --grid-north"
    );
    folder.done(&format!("{scene} --radius 40 --lowest-pitch -3 --count zero.tif"));
    folder.done(&format!("{scene} --radius 40 --lowest-pitch -3 --outside nodata --count none.tif"));
    let [zero, none] = ["zero.tif", "none.tif"].map(|name| values(&folder, name));
    for (cell, count) in none.iter() {
        let offset = cell - ivec2(140, 104);
        let is_in = offset.x >= 0 && offset.y <= 0 && offset.length_squared() <= 1600;
        assert_eq!((count.is_nan(), count.max(0.0)), (!is_in, zero[cell]), "{cell}");
    }
    folder.refused(2, &format!("{scene} --outside 7 --count c.tif"), &["0, nodata"]);
}

/// Returns the value of a tag that is one short number, in the first directory of a TIFF file.
fn short_tag(bytes: &[u8], tag: u16) -> Option<u16> {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let mut entries = (0..usize::from(short(directory))).map(|i| directory + 2 + 12 * i);
    entries.find(|entry| short(*entry) == tag).map(|entry| short(entry + 8))
}

#[test]
fn geotiff_tells_name_unit_and_scene_in_small_numbers() {
    let folder = Folder::new();
    folder.write("turbines.csv", turbines());
    folder.done(&format!(
        "cumulative -q --heightmap {RIDGE} --radius 60 --observers turbines.csv --hub-height 90 --tip-height 150 --qml \
         --layer tips=tips.tif --layer visible-height=metres.tif --each {{}}.tif --layer nearest=near.png"
    ));
    for (name, bits, band, unit) in
        [("tips.tif", 16, "tips", ""), ("metres.tif", 32, "visible-height", "m"), ("2.tif", 8, "seen", "")]
    {
        let bytes = folder.read(name);
        assert_eq!(short_tag(&bytes, 258), Some(bits), "{name}");
        let metadata = String::from_utf8_lossy(&bytes);
        assert!(metadata.contains(&format!("role=\"description\">{band}<")), "{name}");
        assert_eq!(metadata.contains("role=\"unittype\">m<"), unit == "m", "{name}");
        assert!(metadata.contains("<Item name=\"farsight\" domain=\"farsight\">{&quot;version&quot;"), "{name}");
    }
    let style = String::from_utf8(folder.read("tips.qml")).unwrap();
    let most = values(&folder, "tips.tif").as_slice().iter().copied().fold(0.0, f32::max);
    assert!(most > 1.0 && style.contains(&format!("maximumValue=\"{most}\"")), "{style}");
    assert!(folder.path("metres.qml").exists() && !folder.path("2.qml").exists() && folder.path("near.pgw").exists());
}

#[test]
fn classes_and_observers_have_polygons_of_their_own() {
    let folder = Folder::new();
    folder.write("turbines.csv", turbines());
    let done = folder.done(&format!(
        "cumulative --heightmap {RIDGE} --radius 120 --observers turbines.csv --hub-height 90 --tip-height 150 --qml \
         --classes 2,3 --polygons classes.geojson --observer-polygons each.geojson --each {{}}.npy --layer count=c.tif \
         --layer count=c.npy --layer count=c.png --bands 1km --json"
    ));
    let features = |name: &str| -> Vec<serde_json::Value> {
        let collection: serde_json::Value = serde_json::from_slice(&folder.read(name)).unwrap();
        collection["features"].as_array().unwrap().iter().map(|feature| feature["properties"].clone()).collect()
    };
    let cells = |features: &[serde_json::Value], key: &str, name: &str| -> u64 {
        let of_name = features.iter().filter(|properties| properties[key] == name);
        of_name.map(|properties| properties["cells"].as_u64().unwrap()).sum()
    };
    let (counts, classes) = (values(&folder, "c.npy"), features("classes.geojson"));
    let counted = |is_in: &dyn Fn(f32) -> bool| counts.as_slice().iter().filter(|count| is_in(**count)).count() as u64;
    let expected = [counted(&|count| count == 2.0), counted(&|count| count >= 3.0)];
    assert_eq!([cells(&classes, "class", "2"), cells(&classes, "class", "3 or more")], expected);
    assert!(expected[1] > 0 && classes.iter().all(|class| class["class"] != "2" || class["to"] == 2), "{expected:?}");
    let each = features("each.geojson");
    for i in 0..OBSERVERS.len() {
        let seen = values(&folder, &format!("{}.npy", i + 1)).as_slice().iter().filter(|seen| **seen > 0.0).count();
        assert_eq!(cells(&each, "observer", &format!("observer {}", i + 1)), seen as u64, "{i}");
    }
    let style = String::from_utf8(folder.read("c.qml")).unwrap();
    assert!(style.contains("value=\"1\" label=\"0–1\"") && style.contains("label=\"3 or more\""), "{style}");
    let report: serde_json::Value = serde_json::from_str(done.text()).unwrap();
    let classes = &report["bands"][0]["classes"];
    assert_eq!([&classes[0]["class"], &classes[1]["class"]], ["2", "3 or more"]);
    assert!(folder.path("c.pgw").exists());
    for (flags, said) in [
        ("--classes 1,6 --best b.tif", "--classes applies to --polygons, --bands, --count and --layer hubs and tips"),
        ("--classes 6,1 --count c.tif", "ascending from 1 or more, such as 1,6,11"),
        ("--classes 0,5 --count c.tif", "ascending from 1 or more"),
        ("--classes 1.5 --count c.tif", "ascending from 1 or more"),
    ] {
        let scene = format!("cumulative --heightmap {RIDGE} --radius 9 --observers turbines.csv");
        folder.refused(2, &format!("{scene} {flags}"), &[said]);
    }
}

#[test]
fn radius_grows_with_the_height_of_each_observer() {
    let folder = Folder::new();
    let scene = format!("-q --heightmap {RIDGE} --radius 20 --set optics.radius_per_100m=3 --at 140,104");
    folder.done(&format!("export {scene} --preset viewshed --crop map -o view.tif"));
    folder.done(&format!("cumulative {scene} --read whole --union union.tif"));
    assert!(values(&folder, "view.tif") == values(&folder, "union.tif"));
}

/// GDAL 3.6 of Debian has no cumulative mode: these are sums of its single views.
#[test]
#[ignore = "needs gdal_viewshed"]
fn counts_are_those_of_gdal_but_for_known_cells() {
    let folder = Folder::new();
    // GDAL 3.6 treats six neighbours of the viewer as at least as high as its ground, which hides nothing from high
    // towers.
    let towers = csv().replace(",12\n", ",150\n").replace(",25\n", ",150\n").replace(",6\n", ",150\n");
    folder.write("towers.csv", towers.replace(",40\n", ",150\n"));
    folder.done(&format!(
        "cumulative -q --preset viewshed --method two-parent --heightmap {RIDGE} --radius 90 --observers towers.csv --count c.tif"
    ));
    let ours = values(&folder, "c.tif");
    let mut theirs = Grid::new(ours.width(), ours.height(), 0.0_f32);
    for (x, y, _) in OBSERVERS {
        let [east, north] = [CORNER[0] + 30 * x + 15, CORNER[1] - 30 * y - 15];
        let flags = format!(
            "-q -ox {east} -oy {north} -oz 150 -md 2700.1 -cc 0.85714 -vv 1 -iv 0 -ov 0 -a_nodata -1 {RIDGE} g.tif"
        );
        let output = Command::new("gdal_viewshed")
            .args(flags.split_whitespace())
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let single = values(&folder, "g.tif");
        // GDAL writes the part of the raster that is in range.
        let place = Heightmap::decode(&folder.read("g.tif"), Format::Tif).unwrap().georeference.unwrap();
        let offset = ivec2(
            ((place.corner[0] - f64::from(CORNER[0])) / 30.0).round() as i32,
            ((f64::from(CORNER[1]) - place.corner[1]) / 30.0).round() as i32,
        );
        for (cell, &seen) in single.iter() {
            theirs[cell + offset] += seen;
        }
    }
    let differ = ours.iter().filter(|(cell, count)| **count != theirs[*cell]).count();
    let share = differ as f64 / ours.as_slice().len() as f64;
    assert!(share < 0.005, "{differ} cells, {share}");
}

#[test]
fn what_a_zone_takes_for_granted_is_said() {
    let folder = Folder::new();
    folder.write("t.csv", "name,x,y,tip_height_m\nnorth,616000,5203000,150\nsouth,616500,5202500,\n");
    let zone = format!("cumulative --heightmap {RIDGE} --observers t.csv --read whole --layer tips=t.npy");
    let said = folder.done(&zone).stderr;
    assert!(said.contains("tips: south without a tip height: the eye at 1.7 m counts as the tip"), "{said}");
    assert!(said.contains("views end at the radius of the preset, 160 cells (4.8 km)"), "{said}");
    let said = folder.done(&format!("{zone} --radius 60 --tip-height 90")).stderr;
    assert!(!said.contains("without a tip") && !said.contains("views end"), "{said}");
    // An eye height of the command line counts for an observer with a tip in the file, too.
    let eye = |flags: &str| {
        folder.done(&format!("cumulative -q --heightmap {RIDGE} --observers t.csv --radius 60 --read whole {flags}"));
        folder.read("c.npy")
    };
    let [low, tip] = ["--count c.npy --eye-height 1.7", "--count c.npy"].map(eye);
    folder.write("t.csv", "name,x,y,eye_height_m\nnorth,616000,5203000,1.7\nsouth,616500,5202500,1.7\n");
    assert!(low != tip && low == eye("--count c.npy"));
}
