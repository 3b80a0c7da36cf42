//! `farsight export`: formats, layers, crops, streams, and equal bytes for equal scenes.

use farsight::glam::{IVec2, ivec2};
use farsight_scene::files::{Format, Heightmap, MapFile};

use super::{Folder, npy_values};

const SMALL: &str = "--size 96x96 --seed 5 --radius 20";

#[test]
fn every_format_holds_the_same_values() {
    let folder = Folder::new();
    let ended = folder.done(&format!("export {SMALL} --grey --depth 16 -o v.npy v.csv v.json v.asc v.txt -o v.png"));
    assert_eq!(ended.out, b"", "nothing but words on standard error");
    assert_eq!(ended.stderr.lines().count(), 6);
    for line in ended.stderr.lines() {
        assert!(line.starts_with("wrote v.") && line.contains("visibility, 96x96 cells"), "{line}");
    }
    let values = npy_values(&folder.read("v.npy"), 96, 96);
    assert!(values.contains(&1.0) && values.contains(&0.0));

    let csv = String::from_utf8(folder.read("v.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("x,y,visibility,state"));
    for (cell, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[..2], [(cell % 96).to_string(), (cell / 96).to_string()]);
        assert_eq!(fields[2].parse(), Ok(values[cell]));
        let state = match values[cell] {
            seen if seen >= 0.25 => "identified",
            seen if seen >= 0.05 => "glimpsed",
            _ => "hidden",
        };
        assert_eq!(fields[3], state, "{line}");
    }

    let json: serde_json::Value = serde_json::from_slice(&folder.read("v.json")).unwrap();
    assert_eq!(json["farsight"]["seed"], 5);
    for (y, row) in json["values"].as_array().unwrap().iter().enumerate() {
        for (x, value) in row.as_array().unwrap().iter().enumerate() {
            assert_eq!(value.as_f64().unwrap() as f32, values[y * 96 + x]);
        }
    }

    let asc = String::from_utf8(folder.read("v.asc")).unwrap();
    assert!(asc.starts_with("ncols 96\nnrows 96\n") && asc.contains("cellsize 100\n"));
    let read: Vec<f32> = asc.lines().skip(6).flat_map(str::split_whitespace).map(|v| v.parse().unwrap()).collect();
    assert_eq!(read, values);

    let grey = MapFile::decode(&folder.read("v.png"), Format::Png).unwrap();
    for (grey, value) in grey.opacity.grid().as_slice().iter().zip(&values) {
        assert!((grey - value).abs() <= 1.0 / 65_535.0);
    }

    let text = MapFile::decode(&folder.read("v.txt"), Format::Txt).unwrap();
    let viewer = text.viewer.unwrap();
    for (cell, tenth) in text.opacity.grid().iter().filter(|(cell, _)| *cell != viewer) {
        assert!((tenth - values[(cell.y * 96 + cell.x) as usize]).abs() <= 0.0501);
    }
}

#[test]
fn every_layer_is_written() {
    let folder = Folder::new();
    let layers = "visibility perceived light opacity elevation humidity vegetation temperature biome";
    for layer in layers.split(' ') {
        folder.done(&format!("export -q {SMALL} --layer {layer} -o {layer}.npy {layer}.png"));
        let values = npy_values(&folder.read(&format!("{layer}.npy")), 96, 96);
        let unit = values.iter().all(|value| (0.0..=1.0).contains(value));
        assert_eq!(unit, !["elevation", "temperature", "biome"].contains(&layer), "{layer}");
    }
    let ended = folder.run(&format!("export {SMALL} --layer elevation -o e.npy e.txt"));
    assert_eq!((ended.code, folder.path("e.npy").exists()), (2, false));
    assert!(ended.stderr.contains("e.txt") && ended.stderr.contains("elevation"), "{}", ended.stderr);
}

#[test]
fn crops_are_the_radius_or_the_map() {
    let folder = Folder::new();
    let size = |name: &str| {
        let reader = png::Decoder::new(std::io::Cursor::new(folder.read(name))).read_info().unwrap();
        (reader.info().width, reader.info().height)
    };
    let small = "--size 96x80 --at 50,40 --radius 10 --set paint.legend=false --scale 2";
    folder.done(&format!("export -q {small} -o auto.png"));
    folder.done(&format!("export -q {small} --crop map -o map.png"));
    folder.done(&format!("export -q {small} --crop sight -o sight.png"));
    assert_eq!(size("auto.png"), (2 * 29, 2 * 29), "21 cells and a margin of 4");
    assert_eq!((size("map.png"), size("sight.png")), ((192, 160), (42, 42)));
    folder.done("export -q --size 96x80 --at 50,40 --radius 10 --crop sight -o sight.npy all.csv");
    let sight = npy_values(&folder.read("sight.npy"), 21, 21);
    assert_eq!(sight[10 * 21 + 10], 1.0, "the viewer is in the middle");
    folder.done("export -q --size 96x80 --at 2,79 --radius 10 --crop sight -o corner.npy");
    npy_values(&folder.read("corner.npy"), 13, 11);
}

#[test]
fn a_part_is_given_by_its_cells() {
    let folder = Folder::new();
    folder.done(&format!("export -q {SMALL} --layer opacity -o all.csv"));
    folder.done(&format!("export -q {SMALL} --layer opacity --cells 7,5,20x11 -o part.csv part.npy part.json"));
    npy_values(&folder.read("part.npy"), 20, 11);
    let [all, part] = ["all.csv", "part.csv"].map(|name| String::from_utf8(folder.read(name)).unwrap());
    let all: std::collections::HashSet<&str> = all.lines().collect();
    assert!(part.lines().all(|line| all.contains(line)) && part.lines().count() == 221, "the same cells");
    // Cells off the map are omitted, and the file reproduces itself.
    folder.done(&format!("export -q {SMALL} --cells -5,-5,25x16 --scale 2 --set paint.legend=false -o corner.png"));
    folder.done("export -q --from corner.png -o again.png");
    assert!(folder.read("corner.png") == folder.read("again.png"));
    let reader = png::Decoder::new(std::io::Cursor::new(folder.read("corner.png"))).read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (40, 22));
    let off = folder.run(&format!("export {SMALL} --cells 5000,0,10x10 -o off.png"));
    assert_eq!((off.code, folder.path("off.png").exists()), (3, false));
    assert!(off.stderr.contains("the cells 5000,0 to 5009,9 are outside the map"), "{}", off.stderr);
}

#[test]
fn the_same_scene_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    let export = |flags: &str, name: &str| {
        folder.done(&format!("export -q {SMALL} --preset fog {flags} -o {name}.png {name}.json {name}.npy {name}.csv"));
    };
    export("", "a");
    export("", "b");
    export("--threads 1", "one");
    export("--threads 2", "two");
    export("--threads 7", "seven");
    for extension in ["png", "json", "npy", "csv"] {
        let first = folder.read(&format!("a.{extension}"));
        for other in ["b", "one", "two", "seven"] {
            assert!(first == folder.read(&format!("{other}.{extension}")), "{other}.{extension} differs");
        }
    }
    folder.done("export -q --size 96x96 --seed 6 --radius 20 --preset fog -o other.npy");
    assert_ne!(folder.read("a.npy"), folder.read("other.npy"));
}

#[test]
fn flags_override_set_and_set_overrides_the_preset() {
    let folder = Folder::new();
    folder.write("mine.toml", "extends = \"fog\"\n[sight]\nradius = 9\n[sight.decay]\nkind = \"linear\"\n");
    let radius = |flags: &str| {
        let ended = folder.done(&format!("export -q --size 96x96 {flags} --json -o x.npy"));
        let report: serde_json::Value = serde_json::from_slice(&ended.out).unwrap();
        report["radius"].as_u64().unwrap()
    };
    assert_eq!(radius("--preset mine.toml"), 9);
    assert_eq!(radius("--preset mine.toml --set sight.radius=12"), 12);
    assert_eq!(radius("--preset mine.toml --set sight.radius=12 --set sight.radius=13"), 13);
    assert_eq!(radius("--preset mine.toml --radius 14 --set sight.radius=12"), 14);
}

#[test]
fn standard_output_carries_only_data() {
    let folder = Folder::new();
    let ended = folder.done(&format!("export {SMALL} -o - file.npy --format npy"));
    assert_eq!(ended.out, folder.read("file.npy"));
    assert_eq!(ended.stderr.lines().count(), 2);
    let ended = folder.done(&format!("export -q {SMALL} -o - --format csv"));
    assert!(ended.text().starts_with("x,y,visibility,state\n") && ended.stderr.is_empty());

    let ended = folder.done(&format!("export -q {SMALL} --json -o a.npy b.png"));
    let report: serde_json::Value = serde_json::from_str(ended.text().strip_suffix('\n').unwrap()).unwrap();
    assert!(!ended.text().trim_end().contains('\n'), "one line");
    assert_eq!(report["files"][0]["path"], "a.npy");
    assert_eq!((&report["files"][0]["width"], &report["files"][0]["unit"]), (&96.into(), &"cells".into()));
    assert_eq!((&report["files"][1]["format"], &report["seed"]), (&"png".into(), &5.into()));

    // A map from a stream, to a stream.
    let ended = folder.run_with("export -q --map - -o - --format txt", b"..#.\n.@..\n9..5\n");
    assert_eq!((ended.code, ended.text()), (0, "###5\n#@##\n####\n"));
}

#[test]
fn format_applies_to_files_with_unknown_extensions() {
    let folder = Folder::new();
    folder.done(&format!("export -q {SMALL} --format csv -o table.dat table"));
    assert!(folder.read("table.dat").starts_with(b"x,y,visibility"));
    assert_eq!(folder.read("table"), folder.read("table.dat"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_success() {
    use std::io::Read;
    use std::process::Stdio;

    let folder = Folder::new();
    for words in
        ["export -q --size 256x256 -o - --format csv", "presets schema", "presets show temperate --resolved", "--help"]
    {
        let mut child = folder.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap(); // and the pipe is closed
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{words}: {:?}", ended.status);
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{words}");
    }
}

#[test]
fn the_help_names_every_layer() {
    let help = Folder::new().done("export --help");
    for &layer in farsight_scene::scene::Layer::ALL {
        assert!(help.text().contains(layer.name()), "{}", layer.name());
    }
}

#[test]
fn layers_of_a_world_are_made_without_the_rest_of_it() {
    let folder = Folder::new();
    let made = |words: &str| folder.done(&format!("export -v --size 96x80 --seed 5 {words}")).stderr;
    for layer in ["elevation", "humidity", "vegetation", "temperature"] {
        // The table has a state of each cell, so it needs a scene.
        let whole = made(&format!("--layer {layer} -o whole.npy whole.asc whole.tif whole.csv"));
        assert!(whole.contains("biomes: ") && whole.contains("viewpoint: "), "{whole}");
        let field = made(&format!("--layer {layer} -o field.npy field.asc field.tif"));
        assert!(!field.contains("biomes: ") && !field.contains("viewpoint: "), "{field}");
        assert!(field.contains(&format!("wrote field.npy: {layer}, 96x80 cells\n")), "{field}");
        // A GeoTIFF contains the viewer.
        made(&format!("--layer {layer} --at 3,4 -o whole.tif whole.csv"));
        made(&format!("--layer {layer} --at 3,4 -o field.tif"));
        for format in ["npy", "asc", "tif"] {
            assert!(
                folder.read(&format!("whole.{format}")) == folder.read(&format!("field.{format}")),
                "{layer}, {format}"
            );
        }
        // A grey picture holds the viewer.
        let whole = made(&format!("--layer {layer} --at 7,9 --cells 5,4,20x90 --grey -o whole.png whole.csv"));
        let field = made(&format!("--layer {layer} --at 7,9 --cells 5,4,20x90 --grey -o field.png"));
        assert!(whole.contains("biomes: ") && !field.contains("biomes: "), "{field}");
        assert!(field.contains(&format!("wrote field.png: {layer}, 20x76 cells, viewer at 7,9\n")), "{field}");
        assert!(folder.read("whole.png") == folder.read("field.png"), "{layer}");
    }
    assert!(!made("--layer elevation -o field.npy").contains("temperature: "));
    for needs_scene in [
        "--layer elevation -o e.png",
        "--layer humidity -o h.txt",
        "--layer biome -o b.npy",
        "--layer elevation --crop sight -o e.npy",
    ] {
        assert!(made(needs_scene).contains("viewpoint: "), "{needs_scene}");
    }
    let report = folder.done("export --size 48x48 --layer elevation --json -o e.npy");
    assert!(String::from_utf8(report.out).unwrap().contains("\"viewer\":["), "a report names the viewer");
    folder.refused(3, "export --size 48x48 --layer elevation --at 48,0 -o e.npy", &["48,0"]);
    folder.refused(
        3,
        "export --size 48x48 --layer elevation --also 50,0 -o e.npy",
        &["the viewer of --also is at 50,0"],
    );
    folder.refused(3, "export --preset dungeon --layer elevation -o e.npy", &["layer elevation is not valid"]);
}

#[test]
fn squares_of_sixteen_bits_are_written_and_read() {
    let folder = Folder::new();
    let ended = folder.done("export --size 33x33 --seed 3 --layer elevation -o land.r16 -o land.npy");
    let (low, high) =
        ended.stderr.split_once(", 0 is ").and_then(|(_, rest)| rest.split_once(" m, 65535 is ")).unwrap();
    let high = high.split_once(" m").unwrap().0;
    let read = format!("--heightmap land.r16 --heights {low}:{high} --cell-size 100");
    folder.done(&format!("export -q {read} --layer elevation -o again.npy -o again.r16"));
    assert!(folder.read("land.r16") == folder.read("again.r16"));
    let step = (high.parse::<f32>().unwrap() - low.parse::<f32>().unwrap()) / 65_535.0;
    let [land, again] = ["land.npy", "again.npy"].map(|name| npy_values(&folder.read(name), 33, 33));
    assert!(land.iter().zip(&again).all(|(land, again)| (land - again).abs() < step), "{step}");
    folder.refused(3, "export --heightmap land.r16 -o o.png", &["land.r16: its numbers are fractions of a height"]);
}

#[test]
fn heights_are_encoded_as_colours() {
    let folder = Folder::new();
    folder.write("dem.asc", "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n1234.5 -9999\n");
    for (encoding, bytes) in [("terrarium", [132, 210, 128]), ("terrain-rgb", [1, 182, 217])] {
        folder.done(&format!("export -q --heightmap dem.asc --layer elevation --encode {encoding} -o dem.png"));
        let mut reader = png::Decoder::new(std::io::Cursor::new(folder.read("dem.png"))).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, [bytes[0], bytes[1], bytes[2], 255, 0, 0, 0, 0], "{encoding}");
        let read = format!("--heightmap dem.png --heights {encoding} --cell-size 30");
        folder.done(&format!("export -q {read} --layer elevation -o again.csv"));
        assert_eq!(
            String::from_utf8(folder.read("again.csv")).unwrap(),
            "x,y,elevation,state\n0,0,1234.5,identified\n1,0,,hidden\n",
            "{encoding}"
        );
    }
    folder.refused(2, "export --heightmap dem.asc --encode terrarium -o dem.png", &["expected --layer elevation"]);
    folder.refused(2, "export --layer elevation --encode terrarium -o dem.tif", &["--encode applies to pictures"]);
}

/// Returns the number of directories of a TIFF file in little-endian order.
fn directories(tif: &[u8]) -> usize {
    let number = |at: usize, bytes: usize| (0..bytes).rev().fold(0, |sum, i| (sum << 8) + usize::from(tif[at + i]));
    let next = |at: usize| number(at + 2 + 12 * number(at, 2), 4); // a count, entries of 12 bytes, and the next directory
    std::iter::successors(Some(number(4, 4)), |at| Some(next(*at))).take_while(|at| *at > 0).count()
}

#[test]
fn cog_holds_the_same_values_and_overviews() {
    let folder = Folder::new();
    let world = "--size 600x520 --seed 5 --layer elevation";
    folder.done(&format!("export -q {world} -o strips.tif -o e.npy"));
    folder.done(&format!("export -q {world} --cog -o tiles.tif"));
    let values = npy_values(&folder.read("e.npy"), 600, 520);
    for (name, count) in [("strips.tif", 1), ("tiles.tif", 2)] {
        let tif = folder.read(name);
        assert_eq!(Heightmap::decode(&tif, Format::Tif).unwrap().elevation_m.as_slice(), values, "{name}");
        assert_eq!(directories(&tif), count, "{name}");
    }
}

/// Heights with a hill and a pit of nodata, for a view from 12,12.
fn ground_with_gap() -> Vec<u8> {
    let mut text = String::from("ncols 25\nnrows 25\nxllcorner 0\nyllcorner 0\ncellsize 30\nNODATA_value -9999\n");
    for y in 0..25 {
        let height = |x: i32| match (x, y) {
            (15, 12) => "80",
            (16..=18, 3..=5) => "-9999",
            _ => "10",
        };
        text += &(0..25).map(height).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text.into_bytes()
}

#[test]
fn cells_without_an_answer_are_nodata_in_a_yes_or_no_raster() {
    let folder = Folder::new();
    folder.write("gap.asc", ground_with_gap());
    let view = "export -q --preset viewshed --heightmap gap.asc --at 12,12 --radius 10 --crop map";
    folder.done(&format!("{view} -o zero.tif -o zero.npy -o zero.txt"));
    folder.done(&format!(
        "{view} --set sight.sector.facing=45 --set sight.sector.span=90 --outside nodata -o none.tif -o none.json"
    ));
    folder.done("export -q --from none.json --heightmap gap.asc -o again.json");
    assert!(folder.read("again.json") == folder.read("none.json"));
    let values = |name: &str| {
        Heightmap::decode(&folder.read(name), Format::from_path(name.as_ref()).unwrap()).unwrap().elevation_m
    };
    let [zero, array, none] = ["zero.tif", "zero.npy", "none.tif"].map(values);
    let is_gap = |cell: IVec2| (16..=18).contains(&cell.x) && (3..=5).contains(&cell.y);
    let [mut hidden, mut outside] = [0, 0];
    for (cell, zero) in zero.iter() {
        let offset = cell - ivec2(12, 12);
        let is_in = offset.length_squared() <= 100 && offset.x >= 0 && offset.y <= 0;
        assert_eq!((zero.is_nan(), array[cell].is_nan()), (is_gap(cell), is_gap(cell)), "{cell}");
        assert_eq!(none[cell].is_nan(), is_gap(cell) || !is_in, "{cell}");
        hidden += i32::from(none[cell] == 0.0);
        outside += i32::from(none[cell].is_nan() && *zero == 0.0);
    }
    assert!(hidden > 3 && outside > 100, "{hidden} {outside}");
    assert!(folder.read("none.tif").windows(4).any(|bytes| bytes == b"255\0"), "255 is nodata");
    for (flags, said) in [
        ("--outside nodata -o a.txt", "--outside nodata: a.txt has no nodata"),
        ("--outside nodata -o a.png", "--outside nodata: a.png has no nodata"),
        ("--outside nodata --layer elevation -o a.tif", "expected --layer visibility or perceived, not elevation"),
        ("--outside 7 -o a.tif", "0, nodata"),
    ] {
        folder.refused(2, &format!("{view} {flags}"), &[said]);
    }
}
