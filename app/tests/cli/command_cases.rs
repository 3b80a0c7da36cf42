//! Commands over heightmaps that must not give a wrong answer in silence, each by its name: reference systems, distances, presets,
//! columns, films, terminals.

use std::process::Command;

use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight_scene::files::{Format, GeoKeys, Georeference, Heightmap, Provenance, Raster};

use super::Folder;

/// Writes flat ground of 41 x 41 cells with a corner at the upper left, in a reference system.
fn write_flat(folder: &Folder, name: &str, corner: [f64; 2], side: f64, entries: &[[u16; 2]]) {
    let mut raster =
        Raster::new("elevation", Grid::new(41, 41, 100.0), IVec2::ZERO, IVec2::ZERO, Provenance::default());
    let header = [1, 1, 0, entries.len() as u16];
    let directory = header.into_iter().chain(entries.iter().flat_map(|&[key, value]| [key, 0, 1, value])).collect();
    let keys = GeoKeys { directory, ..GeoKeys::default() };
    raster.georeference = Some(Georeference { corner, cell: [side; 2], keys });
    folder.write(name, raster.encode(Format::Tif).unwrap());
}

/// Keys of a projected reference system.
fn projected(code: u16) -> [[u16; 2]; 3] {
    [[1024, 1], [1025, 1], [3072, code]]
}

fn count_seen(folder: &Folder, name: &str) -> usize {
    let count = Heightmap::decode(&folder.read(name), Format::from_path(name.as_ref()).unwrap()).unwrap().elevation_m;
    count.as_slice().iter().filter(|count| **count > 0.0).count()
}

fn geojson(crs: &str, points: &[[f64; 2]]) -> String {
    let features: Vec<String> = points
        .iter()
        .map(|[x, y]| {
            format!(r#"{{"type":"Feature","properties":{{"name":"a"}},"geometry":{{"type":"Point","coordinates":[{x},{y}]}}}}"#)
        })
        .collect();
    let crs = if crs.is_empty() {
        String::new()
    } else {
        format!(r#""crs":{{"type":"name","properties":{{"name":"{crs}"}}}},"#)
    };
    format!(r#"{{"type":"FeatureCollection",{crs}"features":[{}]}}"#, features.join(","))
}

/// Ground in UTM zone 32 with the cell 20,20 at 500615, 5199385, which is 9.00808° east and 46.94799° north.
fn utm_folder() -> Folder {
    let folder = Folder::new();
    write_flat(&folder, "flat.tif", [500_000.0, 5_200_000.0], 30.0, &projected(32632));
    folder
}

#[test]
fn observers_of_another_crs() {
    let degrees = [9.008_079, 46.947_995];
    for (name, text, file, said) in [
        (
            "zone 33",
            geojson("urn:ogc:def:crs:EPSG::32633", &[[44_075.8, 5_216_836.6]]),
            "o.geojson",
            "from EPSG:32633 to EPSG:32632",
        ),
        ("CRS84", geojson("urn:ogc:def:crs:OGC:1.3:CRS84", &[degrees]), "o.geojson", "from WGS 84 to EPSG:32632"),
        ("EPSG:4326", geojson("EPSG:4326", &[degrees]), "o.geojson", "from EPSG:4326 to EPSG:32632"),
        (
            "a link to EPSG",
            geojson("http://www.opengis.net/def/crs/EPSG/0/4258", &[degrees]),
            "o.geojson",
            "from EPSG:4258",
        ),
        (
            "Web Mercator",
            geojson("urn:ogc:def:crs:EPSG::900913", &[[1_002_775.1, 5_933_589.6]]),
            "o.geojson",
            "from EPSG:900913",
        ),
        ("none, in degrees", geojson("", &[degrees]), "o.geojson", "from WGS 84 to EPSG:32632"),
        (
            "longitude and latitude",
            "name,longitude,latitude\na,9.008079,46.947995\n".to_owned(),
            "o.csv",
            "from WGS 84",
        ),
        ("lon and lat", "lat,lon\n46.947995,9.008079\n".to_owned(), "o.csv", "from WGS 84"),
        (
            "none, not in degrees",
            geojson("", &[[500_615.0, 5_199_385.0]]),
            "o.geojson",
            "names no reference system (crs)",
        ),
        ("the same", geojson("urn:ogc:def:crs:EPSG::32632", &[[500_615.0, 5_199_385.0]]), "o.geojson", ""),
    ] {
        let folder = utm_folder();
        folder.write(file, text);
        let command = format!("cumulative --heightmap flat.tif --observers {file} --count c.asc --json");
        let ended = folder.done(&command);
        let report: serde_json::Value = serde_json::from_str(ended.text()).unwrap();
        assert_eq!(report["observers"][0]["cell"], serde_json::json!([20, 20]), "{name}: {report}");
        assert!(ended.stderr.contains(said), "{name}: {}", ended.stderr);
        assert_eq!(ended.stderr.contains("converted"), said.starts_with("from"), "{name}: {}", ended.stderr);
        assert_eq!(folder.done(&format!("{command} -q")).stderr, "", "{name}");
    }
}

#[test]
fn observers_that_cannot_be_converted() {
    for (_, text, said) in [
        (
            "another zone",
            geojson("urn:ogc:def:crs:EPSG::32633", &[[500_615.0, 5_199_385.0]]),
            "observer 1 (a), converted from EPSG:32633 to EPSG:32632, at 957153.72, 5216930.986 is outside",
        ),
        (
            "unknown code",
            geojson("urn:ogc:def:crs:EPSG::9999", &[[1.0, 2.0]]),
            "its points are in urn:ogc:def:crs:EPSG::9999 and the heightmap is in EPSG:32632",
        ),
        ("local name", geojson("my-grid", &[[1.0, 2.0]]), "its points are in my-grid and"),
        (
            "datum with a grid",
            geojson("EPSG:26717", &[[500_000.0, 3_900_000.0]]),
            "the shift between the datums of EPSG:26717 and EPSG:32632",
        ),
        (
            "link",
            geojson("", &[])
                .replace("\"features\"", "\"crs\":{\"type\":\"link\",\"properties\":{\"href\":\"x\"}},\"features\""),
            "expected a name such as EPSG:32632",
        ),
    ] {
        let folder = utm_folder();
        folder.write("o.geojson", text);
        folder.refused(
            3,
            "cumulative --heightmap flat.tif --observers o.geojson --count c.asc",
            &["o.geojson: ", said],
        );
    }
    // The heightmap's is not known.
    let folder = Folder::new();
    write_flat(&folder, "flat.tif", [0.0, 1000.0], 30.0, &projected(9999));
    folder.write("o.geojson", geojson("EPSG:4326", &[[9.0, 47.0]]));
    folder.refused(
        3,
        "cumulative --heightmap flat.tif --observers o.geojson --count c.asc",
        &["EPSG:4326", "EPSG:9999"],
    );
}

#[test]
fn observers_over_degrees() {
    for (code, crs, said) in [
        (4326, "", ""),
        (4326, "urn:ogc:def:crs:OGC:1.3:CRS84", ""),
        (4326, "EPSG:4326", ""),
        (4258, "", "from WGS 84 to EPSG:4258"),
    ] {
        let folder = Folder::new();
        write_flat(&folder, "flat.tif", [9.0, 47.0], 0.001, &[[1024, 2], [1025, 1], [2048, code]]);
        folder.write("o.geojson", geojson(crs, &[[9.0205, 46.9795]]));
        let ended = folder.done("cumulative --heightmap flat.tif --observers o.geojson --count c.asc --json");
        let report: serde_json::Value = serde_json::from_str(ended.text()).unwrap();
        assert_eq!(report["observers"][0]["cell"], serde_json::json!([20, 20]), "{code} {crs}");
        assert!(
            ended.stderr.contains(said) && ended.stderr.contains("converted") != said.is_empty(),
            "{}",
            ended.stderr
        );
    }
    // A heightmap without a reference system.
    let folder = Folder::new();
    let rows = "0 0 0\n".repeat(3);
    folder.write("bare.asc", format!("ncols 3\nnrows 3\nxllcorner 8\nyllcorner 46\ncellsize 1\n{rows}"));
    folder.write("o.geojson", geojson("EPSG:4326", &[[9.5, 47.5]]));
    let ended = folder.done("cumulative --heightmap bare.asc --observers o.geojson --count c.asc --json");
    assert!(
        ended.stderr.contains("it is in EPSG:4326, and the heightmap names no reference system"),
        "{}",
        ended.stderr
    );
    assert!(ended.text().contains("\"cell\":[1,1]"), "{}", ended.text());
    let ended = folder.done("cumulative --heightmap bare.asc --at 1,1 --polygons seen.geojson");
    assert!(ended.stderr.contains("seen.geojson: the heightmap's reference system is not known"), "{}", ended.stderr);
}

#[test]
fn web_mercator_metres() {
    // The number of cells of a flat raster within 300 m, and within the radius of 20 cells.
    for (name, code, corner, seen, said) in [
        ("Web Mercator, 60°", 3857, [1_200_000.0, 8_400_000.0], 1245, "EPSG:3857 is 0.50"),
        ("World Mercator, 60°", 3395, [1_200_000.0, 8_363_000.0], 1245, "EPSG:3395 is 0.50"),
        ("Web Mercator, 0°: 30 m wide, 29.8 m high", 3857, [1_200_000.0, 600.0], 321, ""),
        ("UTM", 32632, [500_000.0, 5_200_000.0], 317, ""),
        ("not known", 9999, [500_000.0, 5_200_000.0], 317, "its projection is not known; its metres are used"),
    ] {
        let folder = Folder::new();
        write_flat(&folder, "flat.tif", corner, 30.0, &projected(code));
        let at = format!("{},{}", corner[0] + 615.0, corner[1] - 615.0);
        let ended = folder.done(&format!(
            "cumulative --heightmap flat.tif --at-coordinates {at} --radius 20 --max-distance 300 --count c.asc"
        ));
        assert_eq!(count_seen(&folder, "c.asc"), seen, "{name}");
        assert!(ended.stderr.contains(said), "{name}: {}", ended.stderr);
        assert_eq!(ended.stderr.contains("on the ground"), !said.is_empty(), "{name}: {}", ended.stderr);
    }
    // Plate carrée: cells of 30 units are 15 m wide and 30 m high at 60°.
    let folder = Folder::new();
    write_flat(&folder, "flat.tif", [1_113_195.0, 6_679_769.0], 30.0, &projected(32662));
    let ended = folder.done("export --preset viewshed --heightmap flat.tif --at 20,20 --radius 10 -o v.tif");
    assert!(ended.stderr.contains("EPSG:32662 is 0.70"), "{}", ended.stderr);
    assert_eq!(count_seen(&folder, "v.tif"), 159, "an ellipse of cells: a circle on the ground");
    // A projection that has no scale, and the way out.
    write_flat(&folder, "polar.tif", [-4e6, 4e6], 200_000.0, &projected(3413));
    let command = "export --preset viewshed --heightmap polar.tif --at 20,20 -o p.tif";
    folder.refused(3, command, &["polar.tif: ", "not true to scale", "gdalwarp", "--cell-size M"]);
    let ended = folder.done(&format!("{command} --cell-size 1000"));
    assert!(!ended.stderr.contains("on the ground"), "{}", ended.stderr);
}

#[test]
fn max_distance_sets_the_radius() {
    let folder = Folder::new();
    let flat = |width: usize, side: f64| {
        let row = vec!["0"; width].join(" ");
        format!("ncols {width}\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize {side}\n{row}\n{row}\n{row}\n")
    };
    folder.write("flat.asc", flat(900, 30.0));
    folder.write("lidar.asc", flat(5000, 1.0));
    let command = "cumulative --heightmap flat.asc --at 0,1 --set optics.curvature_coefficient=0 --count c.asc";
    let radius = |flags: &str| {
        let ended = folder.done(&format!("{command} --json {flags}"));
        let report: serde_json::Value = serde_json::from_str(ended.text()).unwrap();
        (report["radius"].as_u64().unwrap(), count_seen(&folder, "c.asc"), ended.stderr)
    };
    // The default radius of 160 cells is 4.8 km. The edge of the raster is 27 km away.
    for (flags, expected, columns, said) in [
        (
            "",
            160,
            161,
            "views end at the radius of the preset, 160 cells (4.8 km); --radius or --max-distance sets another",
        ),
        ("--max-distance 3000", 160, 101, ""),
        ("--max-distance 20000", 667, 667, ""),
        ("--max-distance 1000000", 900, 900, ""),
        (
            "--max-distance 20000 --radius 160",
            160,
            161,
            "--radius 160 ends 4800 m from the observer, before its maximum distance of 20000 m",
        ),
        ("--max-distance 3000 --radius 700", 700, 101, ""),
    ] {
        let (found, seen, stderr) = radius(flags);
        assert_eq!(found, expected, "{flags}");
        assert!(seen.div_ceil(3).abs_diff(columns) <= 1, "{flags}: {seen}");
        assert_eq!(stderr.contains("--radius"), !said.is_empty(), "{flags}: {stderr}");
        assert!(stderr.contains(said), "{flags}: {stderr}");
    }
    // Each observer has a radius of its own.
    folder.write("o.csv", "x,y,max_distance_m\n15,45,\n15,45,20000\n");
    folder.done("cumulative --heightmap flat.asc --observers o.csv --set optics.curvature_coefficient=0 --count c.asc");
    let count = Heightmap::decode(&folder.read("c.asc"), Format::Asc).unwrap().elevation_m;
    let row: Vec<f32> = count.row(1).to_vec();
    assert_eq!([row[0], row[160], row[161], row[600], row[700]], [2.0, 2.0, 1.0, 1.0, 0.0]);
    // More than a view reaches.
    let command = "cumulative --heightmap lidar.asc --count c.asc";
    let said =
        ["20000 m, is 20000 cells of 1.000 m, and a view reaches 4096 cells", "--radius 4096", "gdalwarp -tr 4.9 4.9"];
    folder.refused(2, &format!("{command} --at 0,1 --max-distance 20000"), &said);
    folder.write("o.csv", "x,y,max_distance_m\n0.5,1.5,20000\n");
    folder.refused(3, &format!("{command} --observers o.csv"), &["o.csv: the maximum distance of observer 1, 20000 m"]);
    let ended = folder.done(&format!("{command} --at 0,1 --max-distance 20000 --radius 4096"));
    assert!(ended.stderr.contains("--radius 4096 ends 4096 m from the observer"), "{}", ended.stderr);
    folder.done(&format!("{command} --at 2500,1 --max-distance 20000")); // the raster ends before
}

#[test]
fn cumulative_is_a_viewshed() {
    let folder = utm_folder();
    let first = |command: &str| folder.done(command).stderr.lines().next().unwrap_or_default().to_owned();
    let viewshed = "preset viewshed: lines of sight; only the shape of the ground matters";
    let terrain = "preset terrain: lines of sight with a soft edge of 4 m, haze with a visual range of 30000 m, woods of a computed \
                   climate; --preset viewshed uses only the shape of the ground";
    let bare = terrain.replace(", woods of a computed climate", "");
    let given = terrain.replace("woods of a computed climate", "woods of --vegetation");
    for (command, said) in [
        ("cumulative --heightmap flat.tif --at 20,20 --count c.tif", viewshed),
        ("cumulative --preset terrain --heightmap flat.tif --at 20,20 --count t.tif", terrain),
        ("export --heightmap flat.tif --at 20,20 -o v.tif", terrain),
        ("export --heightmap flat.tif --at 20,20 -o v.tif --vegetation 0", &bare),
        ("export --heightmap flat.tif --at 20,20 -o v.tif --vegetation 0.5", &given),
        ("export --heightmap flat.tif --at 20,20 -o v.tif --read window", &bare),
        ("export --preset viewshed --heightmap flat.tif --at 20,20 -o v.tif", viewshed),
        ("explain --preset viewshed --heightmap flat.tif --at 20,20 --target 30,20", viewshed),
        ("atlas --preset viewshed --heightmap flat.tif --every 20 -o a.tif", viewshed),
        ("atlas --preset viewshed --heightmap flat.tif --every 20 --read window -o w.tif", viewshed),
        ("walk --preset viewshed --heightmap flat.tif --at 20,20 --path 22,20 -o w.gif", viewshed),
    ] {
        assert_eq!(first(command), said, "{command}");
        assert_eq!(folder.done(&format!("{command} -q")).stderr, "", "{command}");
    }
    folder.done("cumulative -q --preset viewshed --heightmap flat.tif --at 20,20 --count p.tif");
    assert!(folder.read("c.tif") == folder.read("p.tif"));
    let field = folder.done("export --heightmap flat.tif --layer elevation -o e.tif").stderr;
    assert!(!field.contains("preset terrain"), "no view: {field}");
    let world = folder.done("export --size 64x64 --at 20,20 -o s.npy").stderr;
    assert!(!world.contains("preset "), "no heightmap: {world}");
}

#[test]
fn columns_that_are_not_read_are_named() {
    let folder = utm_folder();
    let point = r#"{"type":"Point","coordinates":[500615,5199385]}"#;
    let feature =
        |properties: &str| format!(r#"{{"type":"Feature","properties":{{{properties}}},"geometry":{point}}}"#);
    for (file, text, said) in [
        (
            "o.csv",
            "x,y,height,hub\n500615,5199385,40,80\n".to_owned(),
            "o.csv: not read: height, hub; accepted: name, eye_height_m,",
        ),
        ("o.csv", "Name,X,Y,Eye_Height_M\na,500615,5199385,40\n".to_owned(), ""),
        (
            "o.geojson",
            feature(r#""hub_height":80,"owner":"b","Eye_Height_M":3"#),
            "o.geojson: not read: Eye_Height_M, hub_height; accepted",
        ),
        ("o.geojson", feature(r#""eye_height_m":80,"owner":"b","built":1999,"height":null"#), ""),
    ] {
        folder.write(file, text);
        let ended = folder.done(&format!("cumulative --heightmap flat.tif --observers {file} --count c.tif"));
        assert!(ended.stderr.contains(said), "{said}: {}", ended.stderr);
        assert_eq!(ended.stderr.contains("not read"), !said.is_empty(), "{said}: {}", ended.stderr);
    }
}

#[test]
fn film_fps_gif() {
    let folder = Folder::new();
    folder.write("open.txt", format!("@{}\n{}\n", ".".repeat(39), ".".repeat(40)));
    for (fps, hundredths) in [("30", 133), ("24", 167), ("25", 160), ("10", 400), ("7.5", 533)] {
        let mut command = folder.command(&format!("walk -q --map open.txt --fps {fps} --hold 0 -o w.gif -o w.apng"));
        assert!(command.args(["--path", "0,0 39,0"]).status().unwrap().success());
        let sum = gif_delays(&folder.read("w.gif"));
        assert_eq!(sum, hundredths, "{fps}");
        let seconds = apng_seconds(&folder.read("w.apng"));
        assert!((seconds - 40.0 / fps.parse::<f64>().unwrap()).abs() < 1e-9, "{fps}: {seconds}");
    }
}

/// Returns the sum of the delays of all frames: those of the graphic control extensions.
fn gif_delays(bytes: &[u8]) -> u32 {
    let extensions = bytes.windows(8).filter(|window| window[..3] == [0x21, 0xF9, 4] && window[7] == 0);
    extensions.map(|extension| u32::from(u16::from_le_bytes([extension[4], extension[5]]))).sum()
}

/// Returns the sum of the delays of all frames: those of the `fcTL` chunks.
fn apng_seconds(bytes: &[u8]) -> f64 {
    let chunks = bytes.windows(28).filter(|window| &window[..4] == b"fcTL");
    let number = |bytes: &[u8]| f64::from(u16::from_be_bytes([bytes[0], bytes[1]]));
    chunks.map(|chunk| number(&chunk[24..]) / number(&chunk[26..])).sum()
}

/// Runs the explorer in a pseudo-terminal, quits it, and returns its output.
#[cfg(target_os = "linux")]
fn shown_in_terminal(variables: &[(&str, &str)]) -> String {
    use std::io::Write;
    use std::process::Stdio;
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_farsight");
    let line = format!("stty rows 24 cols 80; '{program}' --preset dungeon --size 40x20");
    let mut command = Command::new("script"); // of util-linux: makes the pseudo-terminal
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path(""));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(name);
    }
    command.env("SHELL", "/bin/sh").envs(variables.iter().copied());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"q\n").unwrap();
    String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned()
}

#[test]
#[cfg(target_os = "linux")]
fn terminal_colours_and_locale() {
    let utf8 = ("LC_ALL", "C.UTF-8");
    for (name, variables, sequence, is_ascii) in [
        ("terminal-truecolor-xterm-256color", &[("TERM", "xterm-256color"), utf8][..], "48;5;", false),
        ("truecolor", &[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), utf8], "48;2;", false),
        ("direct", &[("TERM", "xterm-direct"), utf8], "48;2;", false),
        ("sixteen", &[("TERM", "xterm"), utf8], "", false),
        ("vt100", &[("TERM", "vt100"), utf8], "none", true),
        ("xterm-mono", &[("TERM", "xterm-mono"), utf8], "none", true),
        ("locale-c", &[("TERM", "xterm"), ("LC_ALL", "C")], "", true),
        ("locale-c, 256", &[("TERM", "xterm-256color"), ("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")], "48;5;", true),
        ("locale of LANG", &[("TERM", "xterm-256color"), ("LANG", "de_DE.UTF-8")], "48;5;", false),
        ("no locale", &[("TERM", "xterm-256color")], "48;5;", true),
    ] {
        let shown = shown_in_terminal(variables);
        assert!(shown.contains("dungeon"), "{name}: {shown:?}");
        for kind in ["8;5;", "8;2;"] {
            assert_eq!(shown.contains(kind), sequence.ends_with(kind), "{name} {kind}: {shown:?}");
        }
        let has_colours = shown.contains(";40m") || shown.contains(";100m") || shown.contains("48;");
        assert_eq!(has_colours, sequence != "none", "{name}: {shown:?}");
        assert_eq!(shown.is_ascii(), is_ascii, "{name}: {shown:?}");
    }
}
