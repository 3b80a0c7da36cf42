//! Heightmaps of `tests/data/terrain`, a folder per case: their cells, and the notes about them.

use std::path::{Path, PathBuf};

use farsight_scene::files::{Format, Heightmap};

use super::{Folder, npy};

/// The folder of a case.
fn folder_of(case: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/terrain")).join(case)
}

/// Copies the files of a case to a folder.
fn copied(case: &str) -> Folder {
    let folder = Folder::new();
    for file in std::fs::read_dir(folder_of(case)).unwrap_or_else(|error| panic!("{case}: {error}")) {
        let file = file.unwrap();
        folder.write(file.file_name().to_str().unwrap(), std::fs::read(file.path()).unwrap());
    }
    folder
}

/// Returns the lines of a table that the program writes to standard output.
fn table(folder: &Folder, file: &str, flags: &str) -> Vec<Vec<String>> {
    let flags = format!("export -q --preset viewshed --heightmap {file} {flags} -o - --format csv");
    let ended = folder.done(&flags);
    assert_eq!(ended.stderr, "", "{flags}: --quiet keeps notes back");
    ended.text().lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Returns the elevations of a rectangle of cells, separated by spaces; `-` for no data.
fn elevations(folder: &Folder, file: &str, cells: &str, flags: &str) -> String {
    let lines = table(folder, file, &format!("{flags} --layer elevation --cells {cells}"));
    let heights = lines.iter().map(|line| if line[2].is_empty() { "-" } else { line[2].as_str() });
    heights.collect::<Vec<_>>().join(" ")
}

/// Checks cases with the name of their file: case, rectangle of cells, and their elevations. A `.tif` is read as a whole and in part.
fn check(file: &str, cases: &[(&str, &str, &str)]) {
    for (case, cells, wanted) in cases {
        let folder = copied(case);
        assert_eq!(elevations(&folder, file, cells, "--at 0,0"), *wanted, "{case}");
        if file.ends_with(".tif") {
            let in_part = elevations(&folder, file, cells, "--at 0,0 --read window");
            assert_eq!(in_part, *wanted, "{case}, read in part");
        }
    }
}

#[test]
fn numbers_where_white_is_zero_are_read_as_stored() {
    check(
        "dem.tif",
        &[
            ("miniswhite-u1", "0,0,3x1", "100 101 102"),
            ("miniswhite-f4", "0,0,3x1", "100 101 102"),
            ("miniswhite-u2", "0,1,3x1", "110 111 112"),
            ("miniswhite-i2", "0,1,3x1", "110 111 112"),
            ("miniswhite-f8", "5,5,3x1", "155 156 157"),
        ],
    );
}

#[test]
fn masked_cells_are_no_data() {
    let hole = "2,2,4x1";
    check(
        "dem.tif",
        &[
            ("mask-side-file", hole, "122 - - 125"),
            ("mask-big-endian-tiles", hole, "122 - - 125"),
            ("mask-alpha", hole, "122 - - 125"),
            ("mask-alpha-planes", hole, "122 - - 125"),
            ("mask-cog", "63,30,4x1", "115 115 - -"),
        ],
    );
    check("dem.png", &[("mask-png-alpha", hole, "122 - - 125"), ("png-nodata", hole, "122 - - 125")]);
    let folder = copied("mask-internal");
    let view = "--at 5,20 --radius 60 --set optics.curvature_coefficient=0";
    let seen = table(&folder, "dem.tif", view).into_iter();
    let seen = seen.filter(|line| line[0].parse::<i32>().unwrap() > 20 && line[2] == "1").count();
    assert_eq!(seen, 820, "mask-internal: a masked wall hides nothing");
}

#[test]
fn mask_of_another_size_or_kind_is_named() {
    let folder = copied("mask-side-file");
    folder.write("dem.tif.msk", std::fs::read(folder_of("mask-cog").join("dem.tif")).unwrap());
    let export = "export --heightmap dem.tif --at 0,0 -o a.csv";
    folder.refused(3, export, &["dem.tif: dem.tif.msk: its mask has 260x150 cells and the heightmap 8x6"]);
    folder.write("dem.tif.msk", "junk");
    folder.refused(3, export, &["dem.tif: dem.tif.msk: is not a .tif file"]);
}

#[test]
fn no_data_is_known_in_every_spelling() {
    let hole = "2,2,4x1";
    check(
        "dem.tif",
        &[
            ("tif-nodata-msvc-qnan", "2,1,1x1", "-"),
            ("tif-nodata-ind", hole, "122 - - 125"),
            ("tif-nodata-null", hole, "122 - - 125"),
            ("tif-nodata-esri", hole, "122 - - 125"),
            ("tif-nodata-short", hole, "122 - - 125"),
            ("tif-nodata-comma", hole, "122 - - 125"),
            ("tif-nodata-f8", hole, "122 - - 125"),
        ],
    );
    check(
        "dem.asc",
        &[
            ("asc-bom", "4,2,1x1", "9"),
            ("asc-decimal-comma", "4,2,1x1", "9.5"),
            ("asc-nan-in-body", "4,2,1x1", "-"),
            ("asc-nodata-1e20", "4,2,1x1", "-"),
            ("asc-nodata-silent", "4,2,1x1", "-"),
        ],
    );
    let folder = Folder::new();
    for (declared, cell) in [
        ("nan", "-nan"),
        ("-9999.9", "-9999.900390625"),
        ("-3.4028234663852886e+38", "-3.4028235e38"),
        ("-3.4028230607e38", "-3.4028231e+38"),
        ("-3.4e+38", "-3.4028234663852886e+38"),
        ("-1.7976931348623157e308", "-1.7976931348623157e+308"),
        ("null", "-3.4028230607e38"),
        ("null", "NULL"),
        ("-9999", "1.#QNAN"),
        ("-9999", "-1.#IND00"),
        ("-9999,0", "-9999"),
        ("1.70141E38", "170141000000000000000000000000000000000"),
    ] {
        let head = format!("ncols 3\nnrows 1\ncellsize 30\nNODATA_value {declared}\n");
        folder.write("a.asc", format!("{head}1,5 {cell} 2.5\r\n"));
        assert_eq!(elevations(&folder, "a.asc", "0,0,3x1", "--at 0,0"), "1.5 - 2.5", "{declared} {cell}");
    }
    folder.write("a.asc", "ncols 2\nnrows 1\ncellsize 30\nNODATA_value -9999\n1 none\n");
    folder.refused(3, "export --heightmap a.asc -o a.csv", &["line 5, column 2: \"none\" is not a number"]);
}

#[test]
fn heights_in_feet_are_converted_to_metres() {
    let cells = "0,0,2x1";
    for (case, file, wanted, note) in [
        (
            "feet-26913+5702",
            "dem.tif",
            "30.48006 30.784863",
            "its heights are converted from the unit \"US survey foot\" to metres",
        ),
        ("feet-26913+8228", "dem.tif", "30.48 30.7848", "from the unit \"foot\" to metres"),
        ("feet-26913+8050", "dem.tif", "30.48 30.7848", "from the unit \"foot\" to metres"),
        (
            "feet-26913+6358",
            "dem.tif",
            "-30.48006 -30.784863",
            "its depths are converted from the unit \"US survey foot\" to heights",
        ),
        (
            "feet-26913+5715",
            "dem.tif",
            "-100 -101",
            "its depths are converted from the unit \"metre\" to heights in metres",
        ),
        ("feet-2263+5703", "dem.tif", "100 101", "lengths in EPSG:2263 are up to 1.7 % longer or shorter"),
        ("feet-key", "dem.tif", "30.48006 30.784863", "from the unit \"US survey foot\" to metres"),
        ("feet-band", "dem.tif", "30.48 30.7848", "from the unit \"foot\" to metres"),
        ("feet-band-survey", "dem.tif", "30.48006 30.784863", "from the unit \"US survey foot\" to metres"),
        ("feet-band-metres", "dem.tif", "100 101", ""),
        (
            "feet-asc-prj",
            "dem.asc",
            "-30.48006 -30.784863",
            "its depths are converted from the unit \"US survey foot\"",
        ),
        ("feet-asc-aux", "dem.asc", "30.48 30.7848", "from the unit \"foot\" to metres"),
    ] {
        let folder = copied(case);
        assert_eq!(elevations(&folder, file, cells, "--at 0,0"), wanted, "{case}");
        let message = folder.done(&format!("export --heightmap {file} --at 0,0 -o a.csv")).stderr;
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines.len(), if note.is_empty() { 2 } else { 3 }, "{case}: {message}");
        assert!(lines[0].starts_with("preset terrain: ") && lines[1].contains(note), "{case}: {message}");
        if file == "dem.tif" {
            assert_eq!(elevations(&folder, file, cells, "--at 0,0 --read window"), wanted, "{case}");
        }
    }
    let folder = copied("feet-vertical-crs");
    let view = "--at 0,2 --radius 60 --set optics.curvature_coefficient=0 --cells 0,2,61x1";
    let seen = table(&folder, "feet.tif", view).into_iter().filter(|line| line[2] == "1").count();
    assert_eq!(seen, 36, "feet-vertical-crs");
}

#[test]
fn unit_of_heights_is_chosen_by_a_flag() {
    let folder = copied("feet-band-unknown");
    let known = ["dem.tif: its heights are in the unit \"furlong\"", "--height-unit m, ft or us-ft"];
    folder.refused(3, "export --heightmap dem.tif --at 0,0 -o a.csv", &known);
    folder.refused(3, "export --heightmap dem.tif --at 0,0 --read window -o a.csv", &known);
    for (unit, wanted) in [("m", "100"), ("ft", "30.48"), ("us-ft", "30.48006")] {
        let flags = format!("--at 0,0 --height-unit {unit}");
        assert_eq!(elevations(&folder, "dem.tif", "0,0,1x1", &flags), wanted, "{unit}");
        folder.write("a.npy", npy(2, 1, &[100.0, f64::NAN]));
        let flags = format!("--cell-size 30 {flags}");
        assert_eq!(elevations(&folder, "a.npy", "0,0,2x1", &flags), format!("{wanted} -"), "{unit}");
    }
    let british = copied("feet-26913+5754");
    let unknown = ["dem.tif: its heights are in the unit \"EPSG 9095\"", "--height-unit m, ft or us-ft"];
    british.refused(3, "export --heightmap dem.tif --at 0,0 -o a.csv", &unknown);
    assert_eq!(elevations(&british, "dem.tif", "0,0,1x1", "--at 0,0 --height-unit ft"), "30.48");
    folder.refused(2, "export --heightmap dem.tif --height-unit yd -o a.csv", &["--height-unit", "m, ft, us-ft"]);
    folder.refused(
        2,
        "export --heightmap a.png --height-unit ft --heights 0:9 -o a.csv",
        &["--height-unit", "--heights"],
    );
    // A picture carries the unit.
    folder.done("export -q --heightmap dem.tif --height-unit us-ft --at 3,3 -o a.png");
    folder.done("export -q --from a.png --heightmap dem.tif -o b.png");
    assert!(folder.read("a.png") == folder.read("b.png"));
    // Numbers of humidity and vegetation are no heights.
    let folder = copied("feet-band");
    folder.write("a.npy", npy(8, 6, &[1.0; 48]));
    let fields = "export --heightmap a.npy --cell-size 30 --at 0,0 --vegetation dem.tif -o a.csv";
    folder.refused(3, fields, &["dem.tif: cell 0,0 is 100: expected humidity and vegetation from 0 to 1"]);
}

#[test]
fn coordinates_of_a_compound_system_are_in_its_unit() {
    let folder = copied("feet-horizontal-compound");
    let scene = "cumulative -q --preset viewshed --heightmap flat.tif --at-coordinates 500020.5,3999979.5 --radius 20";
    folder.done(&format!("{scene} --max-distance 5 --count count.asc"));
    let count = String::from_utf8(folder.read("count.asc")).unwrap();
    assert_eq!(count.lines().skip(6).flat_map(str::split_whitespace).filter(|value| *value == "1").count(), 853);
}

#[test]
fn visibilities_have_no_vertical_unit() {
    const VERTICAL_SYSTEM: [u8; 6] = [0, 16, 0, 0, 1, 0]; // key 4096: one number, in the directory itself
    let has_unit = |bytes: &[u8]| bytes.windows(6).any(|entry| entry == VERTICAL_SYSTEM);
    let folder = copied("export-keeps-vertical-unit");
    assert!(has_unit(&folder.read("dem.tif")));
    for layer in ["visibility", "elevation", "min-visible-height"] {
        folder.done(&format!("export -q --preset viewshed --heightmap dem.tif --at 1,1 --layer {layer} -o seen.tif"));
        let seen = folder.read("seen.tif");
        assert!(!has_unit(&seen), "{layer}");
        let keys = Heightmap::decode(&seen, Format::Tif).unwrap().georeference.unwrap().keys;
        assert_eq!(keys.directory.len(), 4 + 4 * usize::from(keys.directory[3]), "{layer}");
    }
}

#[test]
fn files_next_to_a_raster_place_it() {
    let head = |folder: &Folder, file: &str| {
        let scene = format!("export -q --preset viewshed --heightmap {file} --at 2,2 -o - --format asc");
        folder.done(&scene).text().lines().skip(2).take(3).collect::<Vec<_>>().join(", ")
    };
    let folder = copied("tif-world-file");
    assert_eq!(head(&folder, "dem.tif"), "xllcorner 500000, yllcorner 5199850, cellsize 30");
    let text = folder.read("dem.tfw");
    std::fs::remove_file(folder.path("dem.tfw")).unwrap();
    for name in ["dem.TFW", "dem.tifw", "dem.wld"] {
        folder.write(name, &text);
        assert_eq!(head(&folder, "dem.tif"), "xllcorner 500000, yllcorner 5199850, cellsize 30", "{name}");
        std::fs::remove_file(folder.path(name)).unwrap();
    }
    for (text, said) in [
        ("30 0 0 -30 500015", "\"30 0 0 -30 500015\" is not a world file: expected six numbers"),
        ("30 1 0 -30 500015 5200000", "is rotated or mirrored"),
        ("", "\"\" is not a world file"),
    ] {
        folder.write("dem.tfw", text);
        folder.refused(3, "export --heightmap dem.tif --at 2,2 -o a.csv", &["dem.tif: dem.tfw: ", said]);
    }
    // Rows from the south, decimal commas, and a system in a .prj.
    let folder = copied("tif-world-file-south");
    assert_eq!(head(&folder, "dem.tif"), "xllcorner 500000, yllcorner 4000000, cellsize 30");
    check("dem.tif", &[("tif-world-file-south", "0,0,3x1", "150 151 152")]);
    folder.done("export -q --heightmap dem.tif --at 2,2 -o a.tif");
    let place = Heightmap::decode(&folder.read("a.tif"), Format::Tif).unwrap().georeference.unwrap();
    assert_eq!((place.corner, place.keys.epsg()), ([500_000.0, 4_000_180.0], Some(32632)));
    assert_eq!(head(&copied("png-nodata"), "dem.png"), "xllcorner 500000, yllcorner 4000000, cellsize 30");
    // Degrees.
    let folder = copied("asc-prj-degrees");
    folder.done("export -q --heightmap dem.asc --at 2,2 -o a.tif");
    let map = Heightmap::decode(&folder.read("a.tif"), Format::Tif).unwrap();
    assert_eq!(map.georeference.unwrap().keys.epsg(), Some(4326));
    assert!(map.cell_size_m.is_ok_and(|side| (80.0..120.0).contains(&side)), "{:?}", map.cell_size_m);
    folder.write("dem.prj", "junk");
    let ended = folder.run("export --heightmap dem.asc --cell-size 30 --at 2,2 -o a.csv");
    assert_eq!(ended.code, 0);
    assert!(ended.stderr.contains("\ndem.asc: dem.prj is ignored: "), "{}", ended.stderr);
}

#[test]
fn other_formats_are_refused_with_the_command_that_converts_them() {
    let folder = copied("heightmap-hint");
    for (name, source) in [
        ("dem.bil", "dem.bil"),
        ("dem.flt", "dem.flt"),
        ("dem.img", "dem.img"),
        ("dem.nc", "dem.nc"),
        ("dem.zip", "/vsizip/dem.zip"),
        ("dem.ASC.GZ", "/vsigzip/dem.ASC.GZ"),
        ("dem", "dem"),
    ] {
        folder.write(name, "x");
        let command = format!("gdal_translate {source} {}", Path::new(name).with_extension("tif").display());
        let said = ["a heightmap cannot be read from ", "use .tif, .hgt, .asc, .npy or .png", &command];
        folder.refused(3, &format!("export --heightmap {name} --at 1,1 -o x.npy"), &said);
    }
    for (name, command) in [
        ("dem.laz", "pdal translate dem.laz dem.tif --writers.gdal.resolution=1 makes a raster of its points"),
        ("dem.LAS", "pdal translate dem.LAS dem.tif"),
        ("dem.shp", "ogr2ogr dem.geojson dem.shp and gdal_grid -zfield HEIGHT dem.geojson dem.tif"),
        ("dem.gpkg", "ogr2ogr dem.geojson dem.gpkg"),
        ("dem.npz", "numpy.save(\"dem.npy\", numpy.load(\"dem.npz\")[\"NAME\"])"),
    ] {
        folder.write(name, "x");
        let ended = folder.run(&format!("export --heightmap {name} --at 1,1 -o x.npy"));
        assert!(ended.code == 3 && ended.stderr.contains(command), "{}", ended.stderr);
        assert!(!ended.stderr.contains("gdal_translate"), "{}", ended.stderr);
    }
    let said = "an opacity map cannot be read from .laz; use .txt, .npy, .csv or .png\n";
    folder.refused(3, "export --map dem.laz -o x.npy", &[said]);
    folder.write("a.npy", npy(2, 1, &[1.0, 2.0]));
    let said = ["humidity or vegetation cannot be read from .bil"];
    folder.refused(3, "export --heightmap a.npy --cell-size 30 --humidity dem.bil -o x.npy", &said);
}

#[test]
fn tiles_of_every_size_are_read() {
    for (columns, rows, sides) in [(1801_usize, 3601_usize, [1800.0, 3600.0]), (7201, 7201, [7200.0, 7200.0])] {
        let mut tile = vec![0; 2 * columns * rows];
        tile[2 * (3 * columns + 2)..][..2].copy_from_slice(&1234_i16.to_be_bytes());
        let map = Heightmap::decode(&tile, Format::Hgt).unwrap().placed_by_name("N60E011.hgt", Format::Hgt);
        assert_eq!(map.elevation_m.get((2, 3)), Some(&1234.0), "{columns}x{rows}");
        let place = map.georeference.unwrap();
        assert_eq!(place.cell, sides.map(|cells| 1.0 / cells), "{columns}x{rows}");
        assert_eq!(place.corner, [11.0 - 0.5 / sides[0], 61.0 + 0.5 / sides[1]], "{columns}x{rows}");
    }
}
