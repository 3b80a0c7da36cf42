//! `--heightmap`: real terrain, from every format, with its place on the earth and back.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight_scene::files::{Format, GeoKeys, Georeference, Heightmap, Provenance, Raster, ReadError};

use super::{Folder, npy, npy_values};

/// A valley between two ridges, in whole metres for all formats; 64 × 48 cells of 30 m, one of them nodata if `torn`.
fn valley(torn: bool) -> Raster {
    let heights = Grid::from_fn(64, 48, |cell| {
        let ridge = |x: f32| (-(cell.x as f32 - x).powi(2) / 60.0).exp();
        let height = 300.0 + 220.0 * ridge(14.0) + 260.0 * ridge(48.0) + 25.0 * (cell.y as f32 * 0.3).sin();
        if torn && cell == ivec2(30, 20) { f32::NAN } else { height.round() }
    });
    let directory = vec![1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32632, 3076, 0, 1, 9001];
    let keys = GeoKeys { directory, ..GeoKeys::default() };
    let mut gradient = Raster::new("elevation", heights, IVec2::ZERO, IVec2::ZERO, Provenance::default());
    gradient.cell_size_m = Some(30.0);
    gradient.georeference = Some(Georeference { corner: [600_000.0, 5_200_000.0], cell: [30.0, 30.0], keys });
    gradient
}

fn write(folder: &Folder, name: &str, gradient: &Raster) {
    folder.write(name, gradient.encode(Format::from_path(name.as_ref()).unwrap()).unwrap());
}

/// The same heights as a grey picture of whole metres.
fn picture(gradient: &Raster) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 64, 48);
    encoder.set_depth(png::BitDepth::Sixteen);
    let metres: Vec<u8> = gradient.values.as_slice().iter().flat_map(|&m| (m as u16).to_be_bytes()).collect();
    encoder.write_header().unwrap().write_image_data(&metres).unwrap();
    bytes
}

const SCENE: &str = "--at 30,24 --radius 30";

#[test]
fn the_same_ground_from_every_format_gives_the_same_view() {
    let folder = Folder::new();
    let whole = valley(false);
    for name in ["a.tif", "a.asc", "a.npy"] {
        write(&folder, name, &whole);
    }
    folder.write("a.png", picture(&whole));
    for (name, flags) in [("a.tif", ""), ("a.asc", ""), ("a.npy", "--cell-size 30"), ("a.png", "--cell-size 30")] {
        folder.done(&format!("export -q --heightmap {name} {flags} {SCENE} -o view.npy"));
        let view = npy_values(&folder.read("view.npy"), 64, 48);
        assert!(view.contains(&1.0) && view.contains(&0.0));
        if name == "a.tif" {
            folder.write("first.npy", folder.read("view.npy"));
        }
        assert!(folder.read("first.npy") == folder.read("view.npy"), "{name}");
    }
    let ended = folder.run_with(&format!("export -q --heightmap - {SCENE} -o view.npy"), &folder.read("a.tif"));
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert!(folder.read("first.npy") == folder.read("view.npy"));
}

#[test]
fn exports_have_the_georeference_of_the_heightmap() {
    let folder = Folder::new();
    write(&folder, "a.tif", &valley(true));
    let ended = folder
        .done("export --heightmap a.tif --at 30,24 --radius 10 --crop sight --scale 5 -o v.png v.tif v.asc v.json");
    assert!(ended.stderr.contains("\nwrote v.png, v.pgw and v.prj: visibility"), "{}", ended.stderr);
    // The window of the radius begins at 20,14.
    let corner = [600_600.0, 5_199_580.0];
    let tif = Heightmap::decode(&folder.read("v.tif"), Format::Tif).unwrap();
    assert_eq!(tif.elevation_m.size(), ivec2(21, 21));
    let place = tif.georeference.unwrap();
    assert_eq!((place.corner, place.cell, place.keys.epsg()), (corner, [30.0, 30.0], Some(32632)));
    let asc = Heightmap::decode(&folder.read("v.asc"), Format::Asc).unwrap();
    assert_eq!(asc.georeference.unwrap().corner, corner);
    assert_eq!(asc.elevation_m.as_slice(), tif.elevation_m.as_slice());
    let world_file = String::from_utf8(folder.read("v.pgw")).unwrap();
    assert_eq!(world_file, "6\n0\n0\n-6\n600603\n5199577\n");
    let json: serde_json::Value = serde_json::from_slice(&folder.read("v.json")).unwrap();
    assert_eq!(json["georeference"]["corner"], serde_json::json!(corner));
    assert_eq!(json["georeference"]["epsg"], 32632);

    folder.done(&format!("export -q --heightmap a.tif {SCENE} --layer elevation -o e.tif --grey -o e.png"));
    let back = Heightmap::decode(&folder.read("e.tif"), Format::Tif).unwrap();
    let wanted = valley(true);
    assert_eq!(back.georeference, wanted.georeference);
    let bits = |grid: &Grid<f32>| grid.map(|v| if v.is_nan() { 0 } else { v.to_bits() }).into_vec();
    assert_eq!(bits(&back.elevation_m), bits(&wanted.values));
    assert_eq!(folder.read("e.pgw"), b"30\n0\n0\n-30\n600015\n5199985\n");

    folder.done("atlas -q --heightmap a.tif --radius 4 --every 8 --scale 2 -o atlas.png -o atlas.tif");
    let atlas = Heightmap::decode(&folder.read("atlas.tif"), Format::Tif).unwrap();
    assert_eq!(atlas.georeference, wanted.georeference);
    assert_eq!(folder.read("atlas.pgw"), b"15\n0\n0\n-15\n600007.5\n5199992.5\n");

    let stream = folder.done(&format!("export -q --heightmap a.tif {SCENE} -o - --format tif"));
    assert_eq!(Heightmap::decode(&stream.out, Format::Tif).unwrap().georeference, wanted.georeference);
}

#[test]
fn worlds_and_maps_have_no_world_file() {
    let folder = Folder::new();
    folder.done("export -q --size 64x48 --radius 10 --at 30,20 --crop sight -o v.png v.tif");
    assert!(!folder.path("v.pgw").exists());
    let place = Heightmap::decode(&folder.read("v.tif"), Format::Tif).unwrap().georeference.unwrap();
    assert_eq!((place.corner, place.cell), ([2000.0, -1000.0], [100.0, 100.0]));
}

#[test]
fn a_stale_world_file_is_removed() {
    let folder = Folder::new();
    write(&folder, "a.tif", &valley(true));
    let world = "export --size 64x48 --radius 10 --at 30,20";
    folder.done(&format!("export -q --heightmap a.tif {SCENE} -o v.png"));
    assert!(folder.path("v.pgw").exists());
    // Outputs other than pictures do not change it, nor does a failure.
    folder.done(&format!("{world} -q -o v.csv"));
    assert_eq!(folder.run(&format!("{world} -q -o v.png missing/w.png")).code, 4);
    assert!(folder.path("v.pgw").exists());
    let ended = folder.done(&format!("{world} -o v.png"));
    assert!(ended.stderr.contains("removed v.pgw: it georeferenced an older picture"), "{}", ended.stderr);
    assert!(folder.path("v.png").exists() && !folder.path("v.pgw").exists());
    folder.done(&format!("export -q --heightmap a.tif {SCENE} -o v.png"));
    assert!(folder.path("v.pgw").exists());
}

#[test]
fn humidity_and_vegetation_are_flat_or_rasters() {
    let folder = Folder::new();
    write(&folder, "a.tif", &valley(true));
    folder.done(&format!("export -q --heightmap a.tif --vegetation 0.75 {SCENE} --layer vegetation -o v.npy"));
    let flat = npy_values(&folder.read("v.npy"), 64, 48);
    assert!(flat.iter().enumerate().all(|(i, &v)| if i == 20 * 64 + 30 { v.is_nan() } else { v == 0.75 }));
    let shares: Vec<f64> = (0..64 * 48).map(|i| f64::from(i % 64) / 64.0).collect();
    folder.write("wet.npy", npy(64, 48, &shares));
    folder.done(&format!("export -q --heightmap a.tif --humidity wet.npy {SCENE} --layer humidity -o h.npy"));
    let humid = npy_values(&folder.read("h.npy"), 64, 48);
    assert_eq!(humid[..3], [0.0, 1.0 / 64.0, 2.0 / 64.0]);
}

#[test]
fn the_heights_of_a_picture_are_given() {
    let folder = Folder::new();
    folder.done("export -q --size 64x48 --layer elevation --grey -o grey.png");
    let ground = "--heightmap grey.png --heights -50:205 --cell-size 30";
    folder.done(&format!("export -q {ground} {SCENE} --layer elevation -o e.npy a.png a.json"));
    let metres = npy_values(&folder.read("e.npy"), 64, 48);
    let least_and_most = metres.iter().fold([f32::MAX, f32::MIN], |[a, b], &m| [a.min(m), b.max(m)]);
    assert_eq!(least_and_most, [-50.0, 205.0], "black and white");
    assert!(metres.iter().all(|metres| metres.fract() == 0.0), "a metre for each grey value");
    folder.done("export -q --from a.png --heightmap grey.png -o b.png");
    assert!(folder.read("a.png") == folder.read("b.png"), "the range is in the picture");
    let other = folder.run("export --from a.json --heightmap grey.png --heights 0:9 -o c.png");
    assert!(other.code == 3 && other.stderr.contains("not the heightmap"), "{}", other.stderr);
    for (flags, code, expected) in [
        ("--heightmap grey.png --heights 9:5", 2, "heights \"9:5\" are not valid: expected LOW:HIGH"),
        ("--heightmap grey.png --heights 1500", 2, "expected LOW:HIGH"),
        ("--heights 0:5", 2, "--heightmap"),
        ("--heightmap e.npy --heights 0:5", 3, "e.npy: contains heights in metres"),
    ] {
        let ended = folder.run(&format!("export {flags} -o x.png"));
        assert_eq!(ended.code, code, "{flags}: {}", ended.stderr);
        assert!(ended.stderr.contains(expected), "{flags}: {}", ended.stderr);
    }
}

#[test]
fn a_picture_restores_its_heightmap() {
    let folder = Folder::new();
    write(&folder, "a.npy", &valley(true));
    let shares: Vec<f64> = (0..64 * 48).map(|i| f64::from(i % 48) / 48.0).collect();
    folder.write("wood.npy", npy(64, 48, &shares));
    let scene = format!("--heightmap a.npy --cell-size 12.5 --humidity 0.3 --vegetation wood.npy {SCENE}");
    folder.done(&format!("export -q {scene} --set world.rain=0.5 -o a.png a.json"));
    let given = "--heightmap a.npy --vegetation wood.npy";
    folder.done(&format!("export -q --from a.png {given} -o b.png"));
    folder.done(&format!("export -q --from a.json {given} -o b.json"));
    assert!(folder.read("a.png") == folder.read("b.png") && folder.read("a.json") == folder.read("b.json"));
    folder.write("other.npy", npy(64, 48, &vec![5.0; 64 * 48]));
    for (words, code, said) in [
        ("--from a.png", 2, "a.png shows a heightmap of your own; give the file a.npy, too, with --heightmap"),
        ("--from a.png --map wood.npy", 2, "a.png shows a heightmap; --map wood.npy would take its place"),
        (
            "--from a.png --heightmap a.npy",
            2,
            "a.png was made with vegetation from a file; give the file wood.npy, too, with --vegetation",
        ),
        ("--from a.png --heightmap other.npy", 3, "other.npy: not the heightmap that a.png was made from: its digest"),
    ] {
        let ended = folder.run(&format!("export {words} -o c.png"));
        assert_eq!(ended.code, code, "{}", ended.stderr);
        assert!(ended.stderr.contains(said), "{words}: {}", ended.stderr);
    }
    folder.done("export -q --size 40x40 --radius 9 -o world.png");
    let ended = folder.run("export --from world.png --heightmap a.npy -o c.png");
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("world.png shows a generated world; --heightmap a.npy would take its place"));
}

#[test]
fn the_earth_is_curved_by_default() {
    let folder = Folder::new();
    write(&folder, "a.tif", &valley(true));
    std::fs::write(folder.path("flat.toml"), "[optics]\ncurvature_coefficient = 0\n").unwrap();
    std::fs::write(folder.path("saved.toml"), folder.done("presets show --resolved viewshed").out).unwrap();
    for (words, curvature) in [
        ("--preset flat.toml", 0.0),
        ("--preset saved.toml", 0.85714),
        ("", 0.85714),
        ("--preset temperate", 0.85714),
        ("--set optics.curvature_coefficient=0", 0.0),
        ("--preset fog --set optics.curvature_coefficient=1", 1.0),
    ] {
        folder.done(&format!("export -q --heightmap a.tif {SCENE} {words} -o a.json"));
        folder.done("export -q --from a.json --heightmap a.tif -o b.json");
        assert!(folder.read("a.json") == folder.read("b.json"), "{words}");
        let json: serde_json::Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
        let preset =
            farsight_scene::preset::Preset::from_toml(json["farsight"]["preset"].as_str().unwrap(), "a.json").unwrap();
        assert_eq!(preset.optics.curvature_coefficient, Some(curvature), "{words}");
    }
}

#[test]
fn errors_name_the_file_or_the_flag() {
    let folder = Folder::new();
    write(&folder, "a.tif", &valley(true));
    write(&folder, "a.npy", &valley(false));
    folder.write("small.npy", npy(2, 2, &[0.0; 4]));
    folder.write("much.npy", npy(64, 48, &[7.0; 64 * 48]));
    folder.write("none.asc", "ncols 2\nnrows 1\ncellsize 9\n-9999 -9999\n");
    folder.write("degrees.asc", "ncols 2\nnrows 1\ncellsize 0.00083\n1 2\n");
    folder.write("cut.tif", &folder.read("a.tif")[..200]);
    folder.write("map.csv", "1,2\n3,4\n");
    for (words, code, said) in [
        ("--heightmap a.tif --map a.npy", 2, "cannot be used with"),
        ("--heightmap a.tif --size 9x9", 2, "cannot be used with"),
        ("--cell-size 30", 2, "--heightmap"),
        ("--humidity 0.5", 2, "--heightmap"),
        ("--heightmap a.tif --humidity 1.5", 2, "--humidity 1.5: expected a number from 0 to 1, or a file"),
        ("--heightmap a.tif --vegetation nan", 2, "--vegetation nan: expected a number from 0 to 1, or a file"),
        ("--heightmap a.tif --set world.land=0.5", 2, "--set world.land=0.5: it shapes generated worlds"),
        ("--heightmap a.tif --set world.cell_size_m=9", 2, "use --cell-size 9 with --heightmap"),
        ("--heightmap a.tif --preset dungeon", 2, "the preset makes a dungeon"),
        ("--heightmap - --humidity -", 2, "--heightmap - and --humidity - cannot both read standard input"),
        ("--heightmap a.tif --cell-size 0", 2, "--cell-size: world.cell_size_m: 0"),
        (
            "--heightmap a.npy",
            3,
            "a.npy: does not say how large its cells are; give the side of a cell with --cell-size",
        ),
        (
            "--heightmap degrees.asc",
            3,
            "if those are degrees, say so in the file (gdal_translate -a_srs EPSG:4326), or give the side of a cell",
        ),
        ("--heightmap none.asc", 3, "none.asc: no cell of the map has an elevation"),
        ("--heightmap a.tif --at 30,20", 3, "the viewer at 30,20 is on a nodata cell"),
        ("--heightmap a.tif --at 64,0", 3, "the viewer at 64,0 is outside the map of 64x48 cells"),
        ("--heightmap a.tif --humidity small.npy", 3, "small.npy: it has 2x2 cells and the heightmap 64x48"),
        (
            "--heightmap a.tif --humidity much.npy",
            3,
            "much.npy: cell 0,0 is 7: expected humidity and vegetation from 0 to 1",
        ),
        ("--heightmap a.tif --vegetation map.csv", 3, "map.csv: humidity and vegetation cannot be read from .csv"),
        ("--heightmap map.csv", 3, "map.csv: a heightmap cannot be read from .csv; use .tif, .hgt, .asc, .npy or .png"),
        ("--heightmap gone.tif", 3, "gone.tif: there is no such file"),
        ("--heightmap cut.tif", 3, "cut.tif: is "),
        ("--map a.tif", 3, "a.tif: an opacity map cannot be read from .tif; --heightmap reads elevations"),
    ] {
        let ended = folder.run(&format!("export {words} -o old.png"));
        assert_eq!(ended.code, code, "{words}: {}", ended.stderr);
        assert!(ended.stderr.contains(said), "{words}: {}", ended.stderr);
        assert!(!folder.path("old.png").exists() && !ended.stderr.contains("panicked"), "{words}: {}", ended.stderr);
    }
}

/// The valley in degrees: cells of a second, 21 m wide and 31 m high.
fn valley_in_degrees(torn: bool) -> Raster {
    let mut gradient = valley(torn);
    gradient.cell_size_m = None;
    let cell = [1.0 / 3600.0; 2];
    gradient.georeference = Some(Georeference { corner: [7.0, 47.0], cell, keys: GeoKeys::geographic() });
    gradient
}

#[test]
fn rasters_in_degrees_are_read_as_they_are() {
    let folder = Folder::new();
    let valley = valley_in_degrees(true);
    write(&folder, "a.tif", &valley);
    folder.done(&format!("export -q --heightmap a.tif {SCENE} --crop sight -o v.tif -o v.png -o v.json -o v.asc"));
    let place = Heightmap::decode(&folder.read("v.tif"), Format::Tif).unwrap().georeference.unwrap();
    let wanted = valley.georeference.unwrap().at(ivec2(0, 0));
    assert_eq!((place.cell, place.keys.epsg()), (wanted.cell, Some(4326)));
    assert_eq!(place.corner, wanted.corner);
    // A circle on the ground: 30 cells to the east, 30 · 21.1 / 30.9 to the south.
    let seen = |x: i32, y: i32| Heightmap::decode(&folder.read("v.tif"), Format::Tif).unwrap().elevation_m[ivec2(x, y)];
    folder.done(&format!("export -q --heightmap a.tif {SCENE} --layer min-visible-height -o least.tif"));
    let least = Heightmap::decode(&folder.read("least.tif"), Format::Tif).unwrap().elevation_m;
    assert!(!least[ivec2(30, 24 + 20)].is_nan() && least[ivec2(30, 24 + 21)].is_nan());
    assert!(!least[ivec2(30 + 30, 24)].is_nan() && least[ivec2(30 + 31, 24)].is_nan());
    assert_eq!(seen(30, 24 + 21), 0.0);
    // The picture and the JSON carry the sides.
    folder.done("export -q --from v.png --heightmap a.tif -o again.png");
    assert!(folder.read("v.png") == folder.read("again.png"));
    folder.done("export -q --from v.json --heightmap a.tif -o again.tif");
    assert!(folder.read("v.tif") == folder.read("again.tif"));
    // Squares only if the user says so.
    folder
        .done(&format!("export -q --heightmap a.tif --cell-size 25 {SCENE} --crop sight -o square.png -o square.tif"));
    assert!(folder.read("v.tif") != folder.read("square.tif"));
    folder.done("export -q --from square.png --heightmap a.tif -o again.tif");
    assert!(folder.read("square.tif") == folder.read("again.tif"));
    for layer in ["elevation", "slope-margin", "opacity", "light", "humidity", "perceived"] {
        folder.done(&format!("export -q --heightmap a.tif {SCENE} --layer {layer} -o layer.tif -o layer.png"));
    }
    for method in ["two-parent", "beam", "exact"] {
        folder.done(&format!("export -q --heightmap a.tif {SCENE} --method {method} -o layer.tif"));
    }
    folder.done(&format!("explain --heightmap a.tif {SCENE} --target 40,30"));
    folder.done("atlas -q --heightmap a.tif --every 12 --radius 10 -o atlas.tif");
    folder.done(&format!("walk -q --heightmap a.tif {SCENE} --wander 2 -o walk.gif"));
}

#[test]
fn degrees_that_are_not_on_the_earth_are_refused() {
    let folder = Folder::new();
    let mut valley = valley_in_degrees(false);
    let mut refuse = |north: f64, said: &str| {
        if let Some(place) = &mut valley.georeference {
            place.corner[1] = north;
        }
        write(&folder, "a.tif", &valley);
        folder.refused(3, "export --heightmap a.tif -o v.tif", &["a.tif: ", said]);
    };
    refuse(90.0, "its cells are 0 m wide and 31.03 m high at latitude 90.00°");
    refuse(123.0, "its rows are at latitudes from 123° to 122.98");
    let mut keys = GeoKeys::geographic();
    keys.directory.truncate(16);
    keys.directory.extend([2048, 0, 1, 4326, 2054, 0, 1, 9105]);
    if let Some(place) = &mut valley.georeference {
        *place = Georeference { corner: [7.0, 47.0], keys, ..place.clone() };
    }
    write(&folder, "a.tif", &valley);
    folder.refused(3, "export --heightmap a.tif -o v.tif", &["its coordinates are in an unknown unit (EPSG 9105)"]);
}

#[test]
fn terminal_and_compare_accept_heightmaps() {
    let folder = Folder::new();
    write(&folder, "a.tif", &valley(true));
    let drawn = folder.done(&format!("--heightmap a.tif {SCENE}"));
    assert!(drawn.text().contains('@'));
    folder.done(&format!("compare -q --heightmap a.tif {SCENE} --json"));
}

#[test]
fn undeclared_nodata_values_cause_a_warning() {
    let folder = Folder::new();
    folder.write("holes.npy", npy(3, 2, &[-9999.0, 2.0, -9999.0, 4.0, 5.0, 6.0]));
    let flags = "--cell-size 30 --at 1,1 -o seen.npy";
    let ended = folder.run(&format!("export --heightmap holes.npy {flags}"));
    assert_eq!(ended.code, 0);
    let warning = ended.stderr.lines().nth(1).unwrap_or_default();
    assert!(warning.starts_with("holes.npy: 2 cells are at -9999 m; if that means nodata"), "{}", ended.stderr);
    folder.write("holes.npy", npy(3, 2, &[f64::NAN, 2.0, -9998.0, 4.0, 5.0, 6.0]));
    assert!(!folder.run(&format!("export --heightmap holes.npy {flags}")).stderr.contains("nodata"));
    // Here the file says so, or the format does.
    folder.write("holes.asc", "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n-9999 2\n");
    assert!(!folder.run("export --heightmap holes.asc --at 1,0 -o seen.npy").stderr.contains("nodata"));
}

#[test]
fn every_layer_of_a_raster_in_degrees_is_exported_in_every_format() {
    let folder = Folder::new();
    let mut raster = valley(true);
    let place = Georeference { corner: [7.0, 61.0], cell: [1.0 / 1200.0; 2], keys: GeoKeys::geographic() };
    raster.georeference = Some(place.clone());
    write(&folder, "degrees.tif", &raster);
    folder.write(
        "night.toml",
        "extends = \"terrain\"\n[optics]\nlight = 0.0\nlantern = 6\n[world]\nriver_basin_km2 = 0.2\n\
         [[lamps]]\nat = [26, 20]\nreach = 9\n",
    );
    for layer in
        ["visibility", "perceived", "light", "opacity", "elevation", "humidity", "vegetation", "temperature", "biome"]
    {
        let scene = format!("export -q --heightmap degrees.tif --preset night.toml {SCENE} --layer {layer}");
        folder.done(&format!("{scene} -o a.tif -o a.asc -o a.npy -o a.csv -o a.json -o a.png"));
        let tif = Heightmap::decode(&folder.read("a.tif"), Format::Tif);
        if layer == "temperature" {
            assert!(matches!(tif, Err(ReadError::HeightUnit(_))), "degrees are no heights");
            continue;
        }
        let tif = tif.unwrap();
        assert_eq!(tif.georeference.as_ref().map(|there| (there.corner, there.cell)), Some((place.corner, place.cell)));
        let asc = Heightmap::decode(&folder.read("a.asc"), Format::Asc).unwrap();
        for (cell, value) in tif.elevation_m.iter() {
            let other = asc.elevation_m[cell];
            assert!(
                (value - other).abs() < 1e-3 * value.abs().max(1.0) || (value.is_nan() && other.is_nan()),
                "{layer} {cell}"
            );
        }
        assert!(folder.path("a.pgw").exists(), "{layer}");
    }
    // Light of lamps and lantern reaches the same distance in all directions: at 61° north cells are twice as high as
    // wide.
    folder.done(&format!("export -q --heightmap degrees.tif --preset night.toml {SCENE} --layer light -o light.tif"));
    let light = Heightmap::decode(&folder.read("light.tif"), Format::Tif).unwrap().elevation_m;
    assert!(light[ivec2(34, 24)] > 0.2 && light[ivec2(30, 26)] > 0.2);
    assert_eq!((light[ivec2(30, 28)], light[ivec2(37, 24)]), (0.0, 0.0));
    // The atlas and the observers.
    folder.done("atlas -q --heightmap degrees.tif --every 8 --radius 9 --layer farthest -o far.tif -o far.png");
    folder.done("cumulative -q --preset viewshed --heightmap degrees.tif --at 30,24 --radius 20 --union union.tif --polygons seen.geojson");
}
