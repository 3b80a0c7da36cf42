//! Maps on paper: `--paper` of `cumulative` and `export`.

use std::io::Cursor;

use farsight_scene::files::{Format, Heightmap};

use super::{Folder, RIDGE};

const TURBINES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/turbines.csv");
const VILLAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/villages.csv");

/// A decoded picture of three bytes a pixel.
struct Pixels {
    width: usize,
    height: usize,
    per_metre: u32,
    rgb: Vec<u8>,
}

impl Pixels {
    fn read(folder: &Folder, name: &str) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(folder.read(name))).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgb).unwrap();
        let info = reader.info();
        let per_metre = info.pixel_dims.unwrap().xppu;
        Self { width: info.width as usize, height: info.height as usize, per_metre, rgb }
    }

    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let at = (y as usize * self.width + x as usize) * 3;
        self.rgb[at..at + 3].try_into().unwrap()
    }
}

#[test]
fn a_sheet_shows_each_cell_at_its_coordinates() {
    let folder = Folder::new();
    let ended = folder.done(&format!(
        "cumulative --read whole --heightmap {RIDGE} --at 140,104 --radius 60 --union u.png --layer union=u.tif --paper a4-landscape \
         --map-scale 1:30000 --dpi 150 --base none --date 2025-06-21"
    ));
    assert!(ended.stderr.contains("A4 landscape, 1:30,000, a part of the map"), "{}", ended.stderr);
    let pixels = Pixels::read(&folder, "u.png");
    assert_eq!((pixels.width, pixels.height, pixels.per_metre), (1754, 1240, 5906));
    let world_file = String::from_utf8(folder.read("u.pgw")).unwrap();
    let numbers: Vec<f64> = world_file.lines().map(|line| line.parse().unwrap()).collect();
    // 30 m of ground are a millimetre of paper: 150 / 25.4 pixels.
    assert!((numbers[0] * 150.0 / 25.4 - 30.0).abs() < 1e-4, "{numbers:?}");
    let values = Heightmap::decode(&folder.read("u.tif"), Format::Tif).unwrap();
    let place = values.georeference.unwrap();
    let (mut seen, mut hidden) = (0, 0);
    for (cell, value) in values.elevation_m.iter() {
        let centre = place.middle_of(cell);
        let (x, y) = ((centre.x - numbers[4]) / numbers[0] + 0.5, (centre.y - numbers[5]) / numbers[3] + 0.5);
        let is_in_frame = (60.0..1300.0).contains(&x) && (160.0..1170.0).contains(&y);
        let is_near_viewer = (cell - glam::ivec2(140, 104)).length_squared() < 9;
        if !is_in_frame || is_near_viewer {
            continue;
        }
        let is_white = pixels.at(x, y) == [255; 3];
        assert_eq!(is_white, *value == 0.0, "{cell} at {x},{y}: {:?}", pixels.at(x, y));
        if is_white {
            hidden += 1;
        } else {
            seen += 1;
        };
    }
    assert!(seen > 1000 && hidden > 1000, "{seen} {hidden}");
}

#[test]
fn a_sheet_names_what_it_shows() {
    let folder = Folder::new();
    let ended = folder.done(&format!(
        "cumulative --heightmap {RIDGE} --observers {TURBINES} --places {VILLAGES} --radius 40 --read whole --layer tips=t.svg \
         --layer hubs=h.pdf --bands 1km,1500m --title A<B&C --attribution Survey --date 2025-06-21 --grid-north"
    ));
    assert!(ended.stderr.contains("wrote t.svg: 8 observers, "), "{}", ended.stderr);
    let svg = String::from_utf8(folder.read("t.svg")).unwrap();
    for text in [
        "A&lt;B&amp;C",
        "west 1",
        "east 4",
        "Moos",
        "1 km",
        "1.5 km",
        "Number of tips",
        "turbine or mast",
        "place",
        "Grid north",
        "Reference system: EPSG:32632",
        "Heights: ridge.tif",
        "Survey",
        "Date: 2025-06-21",
        "on A4",
    ] {
        assert!(svg.contains(&format!("{text}</text>")), "{text}");
    }
    folder.done(&format!(
        "cumulative -q --heightmap {RIDGE} --observers {TURBINES} --radius 40 --read whole --layer tips=c.svg --classes 1,3,6"
    ));
    let classes = String::from_utf8(folder.read("c.svg")).unwrap();
    assert!(["1–2", "3–5", "6 or more"].iter().all(|name| classes.contains(&format!("{name}</text>"))));
    let title = svg.lines().nth(1).unwrap();
    assert_eq!(title, "<title>A&lt;B&amp;C</title>");
    assert_eq!(svg.matches("<image ").count(), 2, "the hillshade and the zones");
    assert!(!svg.contains(">0</text>\n<path"), "0 is transparent and not in the legend");
    let pdf = folder.read("h.pdf");
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
    // A4 is 841.9 x 595.3 points.
    assert!(text.contains("/MediaBox [0 0 841.88") && text.contains("595.27"), "{}", &text[..600]);
    let again = Folder::new();
    again.done(&format!(
        "cumulative -q --heightmap {RIDGE} --observers {TURBINES} --radius 40 --layer hubs=h.pdf --date x --threads 1"
    ));
    let first = again.read("h.pdf");
    again.done(&format!(
        "cumulative -q --heightmap {RIDGE} --observers {TURBINES} --radius 40 --layer hubs=h.pdf --date x --threads 3"
    ));
    assert!(first == again.read("h.pdf"), "the same bytes on any number of threads");
}

#[test]
fn a_base_is_a_picture_with_a_position() {
    let folder = Folder::new();
    let scene = format!("--heightmap {RIDGE} --at 140,104 --radius 20");
    folder.done(&format!("export -q {scene} --layer elevation --scale 2 -o base.png"));
    folder.done(&format!("export -q {scene} --preset viewshed --crop map -o view.png --dpi 100 --base base.png"));
    let [view, base] = ["view.png", "base.png"].map(|name| {
        let mut reader = png::Decoder::new(Cursor::new(folder.read(name))).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgb).unwrap();
        (reader.info().width as usize, rgb)
    });
    let numbers = |name: &str| -> Vec<f64> {
        String::from_utf8(folder.read(name)).unwrap().lines().map(|line| line.parse().unwrap()).collect()
    };
    let (on_view, on_base) = (numbers("view.pgw"), numbers("base.pgw"));
    // Cells of the western quarter, which the viewer does not see.
    for cell in [[10, 10], [20, 100], [40, 50], [30, 180]] {
        let [x, y] = [612_000.0 + 30.0 * f64::from(cell[0]) + 15.0, 5_206_600.0 - 30.0 * f64::from(cell[1]) - 15.0];
        let colour = |numbers: &[f64], (width, rgb): &(usize, Vec<u8>)| {
            let column = ((x - numbers[4]) / numbers[0] + 0.5) as usize;
            let at = (((y - numbers[5]) / numbers[3] + 0.5) as usize * width + column) * 3;
            [0, 1, 2].map(|i| i32::from(rgb[at + i]))
        };
        let (shown, own) = (colour(&on_view, &view), colour(&on_base, &base));
        let error = [0, 1, 2].map(|i| (shown[i] - own[i]).abs()).into_iter().max().unwrap();
        assert!(error <= 12, "{cell:?}: {shown:?} {own:?}");
    }
    std::fs::remove_file(folder.path("base.pgw")).unwrap();
    let export = format!("export {scene} -o view.pdf");
    folder.refused(3, &format!("{export} --base base.png"), &["base.png: has no world file with north up"]);
    folder.refused(3, &format!("{export} --base none.png"), &["none.png"]);
}

#[test]
fn flags_of_sheets_are_checked() {
    let folder = Folder::new();
    let export = format!("export --heightmap {RIDGE} --at 140,104");
    for (flags, said) in [
        ("-o v.pdf --paper a5", "expected a4, a3, a2, a1 or a0"),
        ("-o v.pdf --map-scale 1:x", "expected 1:N with N from 1 to 1000000000, such as 1:50000"),
        ("-o v.tif --paper a4", "--paper is for sheets (.png, .svg, .pdf), and none is written"),
        ("-o v.png --paper a4 --scale 3", "--scale applies to pictures (.png) other than sheets"),
        ("-q -o v.pdf --rings 1,2,4", "--rings: 1 m is shorter than a cell, 30.0 m: expected longer distances"),
        ("-q -o v.pdf --map-scale 10", "a cell of 30 m is 3000 mm at 1:10"),
    ] {
        folder.refused(2, &format!("{export} {flags}"), &[said]);
    }
    folder.write("cave.txt", "####\n#..#\n####\n");
    folder.refused(2, "export --map cave.txt --at 1,1 -o v.pdf", &["a sheet has a scale, and an opacity map has none"]);
    let zone = format!("cumulative --heightmap {RIDGE} --at 140,104 --places {VILLAGES} --count c.tif");
    folder.refused(2, &zone, &["--places is for --place-observers, --pairs and sheets"]);
    assert!(!folder.path("v.pdf").exists() && !folder.path("c.tif").exists());
}
