//! `--read window`: heightmaps that are read in part give the same results as those read as a whole.

use std::time::Instant;

use farsight::glam::{IVec2, ivec2};
use farsight_scene::files::{Format, Heightmap};

use super::Folder;
use super::tiled_tif::TiledTif;

const SIZE: IVec2 = ivec2(150, 110);

/// Hills, with a gap of no data.
fn height(cell: IVec2) -> f32 {
    let (x, y) = (cell.x as f32, cell.y as f32);
    if (ivec2(88, 40)..ivec2(93, 44)).contains_cell(cell) {
        return f32::NAN;
    }
    400.0 + 120.0 * (x / 9.0).sin() * (y / 7.0).cos() + 40.0 * (x / 3.1 + y / 4.7).sin() - 3.0 * x
}

trait CellRange {
    fn contains_cell(&self, cell: IVec2) -> bool;
    fn into_iter_cells(self) -> impl Iterator<Item = IVec2>;
}

impl CellRange for std::ops::Range<IVec2> {
    fn contains_cell(&self, cell: IVec2) -> bool {
        cell.cmpge(self.start).all() && cell.cmplt(self.end).all()
    }

    fn into_iter_cells(self) -> impl Iterator<Item = IVec2> {
        (self.start.y..self.end.y).flat_map(move |y| (self.start.x..self.end.x).map(move |x| ivec2(x, y)))
    }
}

/// Viewers in the middle, at a seam of tiles, at edges and in corners.
const VIEWERS: [&str; 7] = ["70,50", "64,48", "0,0", "149,109", "149,0", "3,100", "86,42"];

/// The bits of the values of a GeoTIFF file, and their position. Its tags tell which cells were read of the heightmap.
fn tif_values(folder: &Folder, name: &str) -> (Vec<u32>, [f64; 2]) {
    let map = Heightmap::decode(&folder.read(name), Format::Tif).unwrap();
    let bits = map.elevation_m.as_slice().iter().map(|value| value.to_bits()).collect();
    (bits, map.georeference.unwrap().corner)
}

fn compare(folder: &Folder, file: &str, flags: &str, layers: &[&str]) {
    for viewer in VIEWERS {
        for layer in layers {
            let scene = format!("export -q --heightmap {file} --at {viewer} {flags} --layer {layer}");
            folder.done(&format!("{scene} --read whole --crop sight -o whole.tif -o whole.csv"));
            folder.done(&format!("{scene} --read window -o window.tif -o window.csv"));
            assert!(folder.read("whole.csv") == folder.read("window.csv"), "{scene}");
            let [whole, window] = ["whole.tif", "window.tif"].map(|name| tif_values(folder, name));
            assert_eq!(whole, window, "{scene}");
        }
    }
}

#[test]
fn a_window_gives_the_bytes_of_the_whole_heightmap() {
    let folder = Folder::new();
    let tif = TiledTif::new(SIZE, 16);
    folder.write("north.tif", tif.file(|_| true, height));
    let from_south = TiledTif { from_south: true, ..tif };
    folder.write("south.tif", from_south.file(|_| true, height));
    let degrees = TiledTif { is_geographic: true, corner: [7.0, 61.0], cell: 1.0 / 1200.0, ..from_south };
    folder.write("degrees.tif", degrees.file(|_| true, height));
    let layers = ["visibility", "min-visible-height", "slope-margin", "elevation"];
    for method in ["two-parent", "beam", "exact"] {
        let flags = format!("--preset viewshed --method {method} --radius 23");
        compare(&folder, "north.tif", &flags, &layers);
    }
    let in_air = "--radius 31 --humidity 0.6 --vegetation 0.3 --set optics.visual_range_m=2000";
    compare(&folder, "south.tif", in_air, &["visibility", "opacity", "vegetation", "humidity", "perceived"]);
    compare(&folder, "degrees.tif", &format!("{in_air} --set optics.radius_per_100m=2"), &layers);
    compare(&folder, "degrees.tif", "--preset viewshed --radius 20 --also 20,100 --also 140,9", &layers[..1]);
    compare(&folder, "north.tif", &format!("{in_air} --set optics.relief=difference"), &["visibility"]);
}

#[test]
fn a_rectangle_and_fields_are_read_in_part() {
    let folder = Folder::new();
    let tif = TiledTif::new(SIZE, 32);
    folder.write("a.tif", tif.file(|_| true, height));
    folder.write("humid.tif", tif.file(|_| true, |cell| 0.3 + 0.004 * cell.x as f32));
    let scene =
        "export -q --heightmap a.tif --humidity humid.tif --vegetation 0 --at 60,50 --radius 20 --cells 10,20,40x33";
    folder.done(&format!("{scene} --read whole -o whole.tif"));
    folder.done(&format!("{scene} --read window -o window.tif"));
    assert_eq!(tif_values(&folder, "whole.tif"), tif_values(&folder, "window.tif"));
    folder.write("small.tif", TiledTif::new(ivec2(20, 20), 32).file(|_| true, |_| 0.5));
    let scene = "export --heightmap a.tif --at 60,50 --read window -o view.tif";
    folder.refused(3, &format!("{scene} --humidity small.tif"), &["small.tif", "20x20", "150x110"]);
    folder.refused(3, &format!("{scene} --vegetation a.tif"), &["a.tif", "expected 0 to 1"]);
}

#[test]
fn a_picture_of_a_window_restores_it() {
    let folder = Folder::new();
    folder.write("a.tif", TiledTif::new(SIZE, 16).file(|_| true, height));
    let scene = "--at 100,60 --also 90,70 --radius 20";
    folder.done(&format!("export -q --heightmap a.tif --read window {scene} -o a.png"));
    folder.done("export -q --from a.png --heightmap a.tif -o again.png");
    assert!(folder.read("a.png") == folder.read("again.png"));
    folder.write("other.tif", TiledTif::new(SIZE, 16).file(|_| true, |cell| height(cell) + 1.0));
    folder.refused(3, "export --from a.png --heightmap other.tif -o again.png", &["other.tif", "digest"]);
}

#[test]
fn names_inside_the_window_stay_at_their_cells() {
    let folder = Folder::new();
    folder.write("a.tif", TiledTif::new(SIZE, 16).file(|_| true, height));
    folder.write(
        "named.toml",
        "extends = \"viewshed\"\n[[names]]\nat = [95, 65]\nname = \"Inside\"\n[[names]]\nat = [3, 4]\nname = \"Outside\"\n",
    );
    let scene = "--heightmap a.tif --read window --at 100,60 --radius 20";
    folder.done(&format!("export -q --preset named.toml {scene} -o a.png -o a.json"));
    folder.done("export -q --from a.png --heightmap a.tif -o again.png");
    assert!(folder.read("a.png") == folder.read("again.png"));
    let json = String::from_utf8(folder.read("a.json")).unwrap();
    assert!(json.contains("at = [95, 65]") && json.contains("Inside") && !json.contains("Outside"), "{json}");
    let off = "export --preset named.toml --set names=[{at=[150,3],name=\"A\"}]";
    folder.refused(3, &format!("{off} {scene} -o b.png"), &["names[0] is at 150,3", "150x110"]);
}

#[test]
fn what_lies_outside_the_window_does_not_count() {
    let folder = Folder::new();
    let bytes = TiledTif::new(SIZE, 16).file(|_| true, height);
    folder.write("a.tif", &bytes);
    let scene = "export -q --preset viewshed --radius 10 --read window -o view.tif";
    folder.done(&format!("{scene} --at 20,20 --heightmap a.tif"));
    let view = tif_values(&folder, "view.tif");
    // The last tile of the file is at its lower right, before the lists of tiles.
    let mut torn = bytes.clone();
    let tile = bytes.windows(4).rposition(|four| four == height(ivec2(149, 109)).to_le_bytes()).unwrap();
    torn[tile..tile + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    folder.write("torn.tif", torn);
    folder.done(&format!("{scene} --at 20,20 --heightmap torn.tif"));
    assert_eq!(view, tif_values(&folder, "view.tif"));
    folder.refused(3, &format!("{scene} --at 145,105 --heightmap torn.tif"), &["torn.tif", "149,109"]);
    folder.refused(
        3,
        &format!("{scene} --at 20,20 --read whole --heightmap torn.tif").replace("--read window", ""),
        &["149,109"],
    );
}

#[test]
fn a_header_that_promises_too_much_is_an_error() {
    let folder = Folder::new();
    let bytes = TiledTif::new(SIZE, 16).file(|_| true, height);
    let scene = "export -q --preset viewshed --radius 10 --read window --heightmap cut.tif -o view.tif";
    // The tiles move beyond the end of the file.
    let mut moved = bytes.clone();
    let first = 16 + 8 + 20 * 15 + 8u64;
    let list = bytes.windows(8).rposition(|eight| eight == first.to_le_bytes()).unwrap();
    moved[list..list + 8].copy_from_slice(&(bytes.len() as u64 - 100).to_le_bytes());
    folder.write("cut.tif", &moved);
    folder.refused(3, &format!("{scene} --at 5,5"), &["cut.tif", "cut short"]);
    folder.done(&format!("{scene} --at 60,60"));
    folder.write("cut.tif", &bytes[..bytes.len() - 300]);
    folder.refused(3, &format!("{scene} --at 60,60"), &["cut.tif"]);
    let mut wide = bytes;
    let width = wide.windows(4).position(|four| four == 150u32.to_le_bytes()).unwrap();
    wide[width..width + 4].copy_from_slice(&2_000_000_000u32.to_le_bytes());
    folder.write("cut.tif", wide);
    folder.refused(3, &format!("{scene} --at 60,60"), &["cut.tif"]);
}

/// 40,000 × 40,000 cells, of which some tiles are there.
fn huge() -> Vec<u8> {
    let is_there = |tile: IVec2| (ivec2(76, 84)..ivec2(81, 89)).contains_cell(tile);
    TiledTif::new(IVec2::splat(40_000), 256).file(is_there, |cell| height(cell - 20_000))
}

#[test]
fn a_raster_larger_than_memory_is_read_around_the_viewer() {
    let folder = Folder::new();
    folder.write("huge.tif", huge());
    let scene = "export --preset viewshed --heightmap huge.tif --at 20100,22050";
    let start = Instant::now();
    let ended = folder.done(&format!("{scene} --radius 250 -o view.tif -o view.csv"));
    assert!(start.elapsed().as_secs() < 20);
    assert!(ended.stderr.contains("501x501 cells, viewer at 20100,22050"), "{}", ended.stderr);
    assert!(String::from_utf8(folder.read("view.csv")).unwrap().contains("\n20100,22050,"));
    folder.done(
        "export -q --preset viewshed --heightmap huge.tif --at-coordinates 1203015,4538485 --radius 250 -o same.tif",
    );
    assert!(folder.read("view.tif") == folder.read("same.tif"));
    // The same view, from the exported window as a separate heightmap.
    folder.done(&format!("{scene} --radius 250 --layer elevation -o part.tif"));
    folder.done("export -q --preset viewshed --heightmap part.tif --at 250,250 --radius 250 -o part-view.tif");
    assert_eq!(tif_values(&folder, "view.tif"), tif_values(&folder, "part-view.tif"));
}

#[test]
fn what_needs_the_whole_heightmap_is_refused() {
    let folder = Folder::new();
    folder.write("huge.tif", huge());
    let scene = "export --heightmap huge.tif --radius 20 -o view.tif";
    folder.refused(2, scene, &["huge.tif", "--at"]);
    folder.refused(3, &format!("{scene} --at 40000,3"), &["40000"]);
    folder.refused(3, &format!("{scene} --at 5,5"), &["5,5"]); // an omitted tile
    folder.refused(3, &format!("{scene} --at-coordinates 3,4"), &["the viewer"]);
    for (flags, said) in [
        ("--layer temperature", "climate"),
        ("--crop map", "--crop sight"),
        ("--set world.sea_level_m=3", "world.sea_level_m"),
        ("--preset temperate --set perception.creatures=0.3", "perception.creatures"),
        ("--read whole", "too large"),
    ] {
        let code = if flags == "--read whole" { 3 } else { 2 };
        folder.refused(code, &format!("{scene} --at 20100,22050 {flags}"), &[said]);
    }
    folder.refused(2, "explain --heightmap huge.tif --target 20101,22050", &["huge.tif", "--at"]);
    folder.refused(
        3,
        "explain --heightmap huge.tif --at 20100,22050 --target 20101,40000",
        &["20101,40000", "40000x40000"],
    );
    folder.refused(2, "compare --heightmap huge.tif", &["huge.tif", "--at"]);
    folder.refused(2, "walk --heightmap huge.tif --at 20100,22050 --wander 5 -o a.gif", &["--wander", "--path"]);
    folder.refused(2, "walk --heightmap huge.tif --path 20100,22050 --frame map -o a.gif", &["--frame map"]);
    folder.refused(
        3,
        "walk --heightmap huge.tif --at 20100,22050 --path 3,40000 -o a.gif",
        &["3,40000", "40000x40000"],
    );
    folder.refused(3, "explore --heightmap huge.tif", &["too large", "gdal_translate -srcwin"]);
    folder.write("a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 30\n1 2\n3 4\n");
    folder.refused(2, "export --heightmap a.asc --at 0,0 --read window -o view.tif", &["a.asc", ".tif"]);
}

#[test]
fn an_atlas_in_windows_has_the_bytes_of_one_of_the_whole_heightmap() {
    let folder = Folder::new();
    let tif = TiledTif { is_geographic: true, corner: [7.0, 61.0], cell: 1.0 / 1200.0, ..TiledTif::new(SIZE, 16) };
    folder.write("a.tif", tif.file(|_| true, height));
    let scene = "atlas -q --heightmap a.tif --at 60,50 --radius 12 --humidity 0.6 --vegetation 0.2 --every 3 \
                 --set optics.visual_range_m=3000 --set optics.radius_per_100m=2";
    folder.done(&format!("{scene} --read whole -o whole.tif -o whole.png -o whole.csv --layer farthest"));
    folder.done(&format!("{scene} --read window -o window.tif -o window.png -o window.csv --layer farthest"));
    for format in ["tif", "png", "csv"] {
        assert!(folder.read(&format!("whole.{format}")) == folder.read(&format!("window.{format}")), "{format}");
    }
    // A run that was stopped in a block is resumed.
    folder.write_checkpoint(&format!("{scene} --read window --checkpoint a.checkpoint"));
    let complete = folder.read("a.checkpoint");
    folder.write("a.checkpoint", &complete[..complete.len() - 40]);
    let resume = format!("{scene} --read window --resume --checkpoint a.checkpoint --layer farthest -o resumed.tif");
    folder.done(&resume);
    assert!(folder.read("whole.tif") == folder.read("resumed.tif"));
    // The checkpoint of another heightmap does not fit.
    folder.write("a.checkpoint", complete);
    folder.write("a.tif", tif.file(|_| true, |cell| height(cell) + 1.0));
    folder.refused(3, &resume, &["a.checkpoint"]);
}

#[test]
fn an_atlas_of_a_raster_larger_than_memory_has_a_cell_for_each_viewer() {
    let folder = Folder::new();
    let is_there = |tile: IVec2| tile == ivec2(15, 15) || tile == ivec2(31, 15);
    let bytes = TiledTif::new(IVec2::splat(16_500), 256).file(is_there, |cell| height(cell % 97));
    folder.write("huge.tif", bytes);
    let scene = "atlas -q --preset viewshed --heightmap huge.tif --radius 9";
    folder.done(&format!("{scene} --every 4000 -o atlas.tif -o atlas.csv"));
    let atlas = Heightmap::decode(&folder.read("atlas.tif"), Format::Tif).unwrap();
    let place = atlas.georeference.unwrap();
    assert_eq!((atlas.elevation_m.size(), place.cell), (ivec2(5, 5), [120_000.0; 2]));
    // The centre of the upper left cell is that of cell 0,0 of the heightmap.
    assert_eq!([place.corner[0] + 60_000.0, place.corner[1] - 60_000.0], [600_015.0, 5_199_985.0]);
    let seen: Vec<IVec2> =
        atlas.elevation_m.iter().filter(|(_, value)| !value.is_nan()).map(|(cell, _)| cell).collect();
    assert_eq!(seen, [ivec2(1, 1), ivec2(2, 1)]);
    folder.write("cells.txt", "x,y\n4000,4000\n4010,4003\n");
    folder.done(&format!("{scene} --cells cells.txt -o cells.tif"));
    let cells = Heightmap::decode(&folder.read("cells.tif"), Format::Tif).unwrap().elevation_m;
    assert_eq!(cells.size(), ivec2(11, 4));
    assert_eq!(cells[IVec2::ZERO], atlas.elevation_m[ivec2(1, 1)]);
    folder.refused(3, &format!("{scene} -o all.npy"), &["272250000 cells"]);
}

#[test]
fn observers_together_see_in_a_window_what_they_see_on_the_whole_heightmap() {
    let folder = Folder::new();
    folder.write("a.tif", TiledTif::new(SIZE, 16).file(|_| true, height));
    let at = |cell: IVec2| format!("{},{}", 600_015 + 30 * cell.x, 5_199_985 - 30 * cell.y);
    folder.write("towers.csv", format!("x,y\n{}\n{}\n", at(ivec2(60, 50)), at(ivec2(80, 62))));
    let scene = "cumulative -q --preset viewshed --radius 15 --heightmap a.tif --observers towers.csv";
    folder.done(&format!("{scene} --read whole --count whole.tif --best whole-best.tif"));
    folder.done(&format!("{scene} --read window --count window.tif --best window-best.tif"));
    for [whole, window] in [["whole.tif", "window.tif"], ["whole-best.tif", "window-best.tif"]] {
        let [whole, window] = [whole, window].map(|name| Heightmap::decode(&folder.read(name), Format::Tif).unwrap());
        let [a, b] = [&whole, &window].map(|map| map.georeference.as_ref().unwrap().corner);
        let origin = ivec2(((b[0] - a[0]) / 30.0) as i32, ((a[1] - b[1]) / 30.0) as i32);
        assert_eq!(origin, ivec2(60, 50) - 17);
        let inside = (origin..origin + window.elevation_m.size()).into_iter_cells();
        for cell in inside {
            let (there, here) = (whole.elevation_m[cell], window.elevation_m[cell - origin]);
            assert!(there == here || (there.is_nan() && here.is_nan()), "{cell}: {there} and {here}");
        }
        let sum = |map: &Heightmap| map.elevation_m.as_slice().iter().filter(|value| !value.is_nan()).sum::<f32>();
        assert!(sum(&whole) == sum(&window) && sum(&whole) > 100.0);
    }
    folder.write("gap.csv", format!("x,y\n{}\n{}\n", at(ivec2(60, 50)), at(ivec2(90, 42))));
    let scene = scene.replace("towers.csv", "gap.csv");
    folder.refused(3, &format!("{scene} --read window --union u.tif"), &["gap.csv"]);
}

/// The JSON of a command, without the differences between its input files.
fn json(folder: &Folder, words: &str) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_str(folder.done(words).text()).unwrap();
    assert!(json["farsight"]["map"]["name"].is_string(), "{words}");
    // The digest, the cells that were read, and their columns and rows in the preset.
    for key in ["map", "crop", "preset"] {
        json["farsight"][key] = serde_json::Value::Null;
    }
    json
}

const IN_AIR: &str = "--humidity 0.6 --vegetation 0.3 --set optics.visual_range_m=2000";

#[test]
fn an_explanation_of_a_window_is_that_of_the_whole_heightmap() {
    let folder = Folder::new();
    let tif = TiledTif::new(SIZE, 16);
    folder.write("metres.tif", tif.file(|_| true, height));
    let degrees = TiledTif { is_geographic: true, corner: [7.0, 61.0], cell: 1.0 / 1200.0, ..tif };
    folder.write("degrees.tif", degrees.file(|_| true, height));
    let growing = "--set optics.radius_per_100m=2";
    for (file, flags) in [
        ("metres.tif", "--method two-parent"),
        ("metres.tif", "--method beam --set optics.relief=difference"),
        ("degrees.tif", "--method exact"),
        ("degrees.tif", growing),
    ] {
        // Near and far, hidden, nodata, beyond the radius, and the cell of the viewer.
        for [viewer, target] in
            [["70,50", "76,44"], ["64,48", "82,31"], ["86,42", "89,41"], ["3,100", "140,9"], ["149,0", "149,0"]]
        {
            let scene =
                format!("explain --heightmap {file} --at {viewer} --target {target} --radius 24 {flags} {IN_AIR}");
            let [whole, window] = ["whole", "window"].map(|part| format!("{scene} --read {part}"));
            assert_eq!(folder.done(&whole).text(), folder.done(&window).text(), "{scene}");
            assert_eq!(
                json(&folder, &format!("{whole} --json")),
                json(&folder, &format!("{window} --json")),
                "{scene}"
            );
        }
    }
    folder.write("huge.tif", huge());
    let scene = "explain --preset viewshed --heightmap huge.tif --at 20100,22050 --radius 60";
    let ended = folder.done(&format!("{scene} --target 20130,22031"));
    assert!(ended.text().contains("(20130, 22031)"), "{}", ended.text());
}

#[test]
fn methods_are_compared_on_a_window_as_on_the_whole_heightmap() {
    let folder = Folder::new();
    folder.write("a.tif", TiledTif::new(SIZE, 16).file(|_| true, |cell| height(cell).max(-200.0)));
    for (viewer, flags) in [("60,50", "--set optics.relief=difference"), ("3,100", "")] {
        let methods = "--methods two-parent,beam,shadowcast --asymmetry-cells 6 --no-time";
        let scene = format!("compare -q --heightmap a.tif --at {viewer} --radius 14 {flags} {IN_AIR} {methods}");
        let [whole, window] = ["whole", "window"].map(|part| format!("{scene} --read {part}"));
        let said = folder.done(&window);
        assert_eq!(folder.done(&whole).text(), said.text(), "{scene}");
        assert!(said.text().contains(&format!("viewer at {viewer}")), "{}", said.text());
        assert_eq!(json(&folder, &format!("{whole} --json")), json(&folder, &format!("{window} --json")), "{scene}");
    }
    folder.write("huge.tif", huge());
    folder.done(
        "compare -q --heightmap huge.tif --at 20100,22050 --radius 8 --methods beam --no-time --asymmetry-cells 2",
    );
}

/// Nothing in pictures follows from the climate and the rivers, which a window does not have.
const WITHOUT_CLIMATE: &str = "--humidity 0.6 --vegetation 0 --set optics.visual_range_m=2000 \
    --set world.river_basin_km2=10000 --no-caption";

/// The pixels of the pictures of a film.
fn frames(folder: &Folder, name: &str) -> Vec<Vec<u8>> {
    let files = folder.files().into_iter().filter(|(file, _)| file.starts_with(name) && file.ends_with(".png"));
    let frames: Vec<Vec<u8>> = files
        .map(|(_, bytes)| {
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels
        })
        .collect();
    assert!(frames.len() > 2);
    frames
}

/// Films a walk along a path, which has spaces.
fn film(folder: &Folder, words: &str, path: &str) -> String {
    let output = folder.command(words).args(["--path", path]).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{path}: {words}");
    words
}

#[test]
fn a_film_of_a_window_has_the_pixels_of_one_of_the_whole_heightmap() {
    let folder = Folder::new();
    let tif = TiledTif::new(ivec2(400, 300), 16);
    folder.write("a.tif", tif.file(|_| true, |cell| height(cell % 150)));
    let growing = "--radius 9 --set optics.radius_per_100m=3";
    for (case, (path, flags)) in [
        ("210,150 218,158 214,170", "--radius 20"),
        ("199,99 203,102", "--radius 12 --unseen mapped --frame 60x40 --also 190,120"),
        ("3,4 1,9", "--radius 16 --unseen mapped --frame 50x30"),
        ("200,200 206,196", growing),
    ]
    .into_iter()
    .enumerate()
    {
        // The map look lights slopes by the ruggedness of all that is read.
        let scene = format!("walk --heightmap a.tif --look data {flags} {WITHOUT_CLIMATE}");
        let name = |part: &str| format!("{part}{case}-");
        for part in ["whole", "window"] {
            film(&folder, &format!("{scene} --read {part} -o {}%03d.png", name(part)), path);
        }
        assert!(frames(&folder, &name("whole")) == frames(&folder, &name("window")), "{scene}");
    }
    // A pixel for two columns and rows: the window begins at a multiple of them.
    let wide = TiledTif::new(ivec2(2600, 48), 16);
    folder.write("wide.tif", wide.file(|_| true, |cell| height(ivec2(cell.x % 87, cell.y))));
    let scene =
        format!("walk --heightmap wide.tif --look data {WITHOUT_CLIMATE} --radius 7 --frame 960x40 --unseen mapped");
    for part in ["whole", "window"] {
        film(&folder, &format!("{scene} --read {part} -o wide-{part}-%03d.png"), "2001,21 2005,24");
    }
    assert!(frames(&folder, "wide-whole") == frames(&folder, "wide-window"));
}

#[test]
fn a_film_of_a_window_is_made_again_from_itself() {
    let folder = Folder::new();
    folder.write("huge.tif", huge());
    let scene = "walk --heightmap huge.tif --humidity 0.5 --radius 30 --frame 60x40 -o walk.gif";
    let words = film(&folder, scene, "20100,22050 20103,22044");
    assert!(words.contains("from 20100,22050 to 20103,22044"), "{words}");
    folder.done("walk -q --from walk.gif --heightmap huge.tif -o again.gif");
    assert!(folder.read("walk.gif") == folder.read("again.gif"));
}
