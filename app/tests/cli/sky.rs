//! `farsight sky`.

use super::{Folder, RIDGE, npy_values};

#[test]
fn layers_have_the_place_of_the_heightmap_and_plausible_values() {
    let folder = Folder::new();
    let layers = "--layer sky-view --layer sunshine --layer horizon -o factor.npy -o sun.npy -o south.npy";
    let done = folder.done(&format!("sky --heightmap {RIDGE} --azimuths 32 --azimuth 180 --date 12-21 {layers}"));
    let said = done.stderr.lines().filter(|line| line.starts_with("wrote ")).collect::<Vec<_>>();
    assert_eq!(said.len(), 3, "{}", done.stderr);
    assert!(said[0].contains("sky-view factor, 300x220 cells, 0."), "{}", said[0]);
    assert!(said[1].contains("hours of sun on 12-21 at 47.0°") && said[1].ends_with(" h"), "{}", said[1]);
    let [factor, sun, south] =
        ["factor.npy", "sun.npy", "south.npy"].map(|name| npy_values(&folder.read(name), 300, 220));
    assert!(factor.iter().all(|factor| (0.1..=1.0).contains(factor)));
    assert!(sun.iter().all(|hours| (0.0..8.6).contains(hours)) && sun.contains(&0.0));
    // Where the south is higher than the noon of midwinter, at 19.6°, the sun is gone for the 45 minutes around it.
    let is_high = |south: f32| south > 20.0; // false for NaN, at the edge of the map
    assert!(south.iter().zip(&sun).all(|(south, hours)| !is_high(*south) || *hours < 7.8));
    assert!(south.iter().any(|south| is_high(*south)));
    folder.done(&format!("sky -q --heightmap {RIDGE} --azimuths 8 -o a.tif -o a.png"));
    folder.done("export -q --heightmap a.tif --set optics.relief=none --layer elevation -o b.npy --cell-size 20");
    assert!(folder.files().contains_key("a.pgw"));
}

#[test]
fn a_part_is_that_of_the_whole_and_does_not_depend_on_threads() {
    let folder = Folder::new();
    let scene = format!("sky -q --heightmap {RIDGE} --azimuths 16 --max-distance 1.5km");
    for (name, flags) in [
        ("whole.npy", "--threads 1"),
        ("two.npy", "--threads 2 --read whole"),
        ("part.npy", "--cells 60,40,50x30"),
        ("again.npy", "--cells 60,40,50x30 --read whole"),
    ] {
        folder.done(&format!("{scene} {flags} -o {name}"));
    }
    assert!(folder.read("whole.npy") == folder.read("two.npy"));
    assert!(folder.read("part.npy") == folder.read("again.npy"));
    let (whole, part) = (npy_values(&folder.read("whole.npy"), 300, 220), npy_values(&folder.read("part.npy"), 50, 30));
    for (y, row) in part.chunks(50).enumerate() {
        assert_eq!(row, &whole[(40 + y) * 300 + 60..][..50], "row {y}");
    }
}

#[test]
fn trees_of_a_generated_world_take_sky_and_its_latitude_can_be_set() {
    let folder = Folder::new();
    let scene = "sky -q --size 64x64 --seed 5 --azimuths 8";
    let bare = "--set optics.vegetation_extinction_per_m=0";
    for (name, flags) in [
        ("wood.npy", ""),
        ("bare.npy", bare),
        ("north.npy", "--layer sunshine --date 06-21 --latitude 60"),
        ("south.npy", "--layer sunshine --date 06-21 --latitude -60"),
    ] {
        folder.done(&format!("{scene} {flags} -o {name}"));
    }
    let mean = |name: &str| npy_values(&folder.read(name), 64, 64).iter().sum::<f32>() / 4096.0;
    assert!(mean("wood.npy") < mean("bare.npy"));
    assert!(mean("south.npy") < 6.0 && mean("north.npy") > 12.0);
}

#[test]
fn what_has_no_sky_is_refused_and_nothing_is_written() {
    let folder = Folder::new();
    let ridge = format!("--heightmap {RIDGE}");
    for (flags, parts) in [
        ("--preset dungeon", &["heights", "--heightmap"][..]),
        (&format!("{ridge} --max-distance 0"), &["--max-distance 0", "more than 0 m"]),
        (&format!("{ridge} --eye-height -3"), &["--eye-height", "-3 m", "0 to 10000 m"]),
        (&format!("{ridge} --azimuths 3"), &["3", "4..=3600"]),
        (&format!("{ridge} --layer horizon"), &["--azimuth 135"]),
        (&format!("{ridge} --azimuth 90"), &["--azimuth", "--layer horizon"]),
        (&format!("{ridge} --layer horizon --azimuth 361"), &["361", "from 0 to 360"]),
        (&format!("{ridge} --date 06-21"), &["--date", "--layer sunshine"]),
        (&format!("{ridge} --layer sunshine --date 02-30"), &["02-30", "06-21"]),
        (&format!("{ridge} --layer sunshine --latitude 91"), &["91", "from -90 to 90"]),
        (&format!("{ridge} --cells 250,0,60x10"), &["--cells", "250,0 to 309,9", "300x220"]),
        (&format!("{ridge} --scale 3"), &["--scale", ".png"]),
        (&format!("{ridge} --layer sky-view --layer sunshine"), &["--layer is given 2 times for 1 file"]),
        ("--map walls.txt", &["heights"]),
    ] {
        if flags.starts_with("--map") {
            folder.write("walls.txt", b"@..\n.#.\n");
        }
        folder.refused(2, &format!("sky {flags} -o sky.npy"), parts);
    }
    folder.write("plane.asc", b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n");
    let unknown = "sky --heightmap plane.asc --layer sunshine -o sky.npy";
    folder.refused(2, unknown, &["plane.asc", "--latitude"]);
    folder.refused(2, &format!("sky {ridge} -o sky.txt"), &["sky.txt", "0 to 1"]);
    assert!(!folder.files().contains_key("sky.npy"));
}

#[test]
fn equal_values_are_told_as_one() {
    let folder = Folder::new();
    folder.write("flat.asc", format!("ncols 40\nnrows 40\ncellsize 30\n{}", ("5 ".repeat(40) + "\n").repeat(40)));
    let done = folder.done("sky --heightmap flat.asc --layer sunshine --date 06-21 --latitude 47 -o sun.png");
    assert!(done.stderr.ends_with(", 40x40 cells, 15.70 h\n"), "{}", done.stderr);
    folder.write("empty.asc", "ncols 2\nnrows 2\ncellsize 30\nnodata_value -9\n-9 -9\n-9 -9\n");
    let ended = folder.run("sky --heightmap empty.asc -o sky.png");
    assert!(ended.code != 0 || ended.stderr.ends_with(", no values\n"), "{}", ended.stderr);
}

/// Returns the length in pixels of the longest run of ink in the lowest row of symbols of a legend: of the scale bar.
fn scale_bar(png: &[u8]) -> usize {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let (width, height) = (frame.width as usize, frame.height as usize);
    let channels = frame.line_size / width;
    let row = &pixels[(height - 22) * frame.line_size..][..frame.line_size];
    let is_ink = |pixel: &[u8]| pixel[..3].iter().map(|channel| u32::from(*channel)).sum::<u32>() < 300;
    let (mut longest, mut run) = (0, 0);
    for pixel in row.chunks_exact(channels) {
        run = if is_ink(pixel) { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[test]
fn scale_bars_are_those_of_the_width_of_cells() {
    let folder = Folder::new();
    let header = format!("ncols 100\nnrows 100\nxllcorner 10\nyllcorner 60\ncellsize {}\n", 1.0 / 3600.0);
    folder.write("dem.asc", header + &("30 ".to_owned() + &"0 ".repeat(99) + "\n").repeat(100));
    folder.write("dem.prj", "GEOGCS[\"WGS 84\",UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]");
    let view = "--preset viewshed --heightmap dem.asc --read whole";
    folder.done(&format!("cumulative -q {view} --at 50,50 --radius 20 --layer count=seen.png"));
    folder.done("sky -q --heightmap dem.asc --azimuths 8 -o sky.png");
    // A second of longitude at 60.01° is 15.5 m and 10 pixels, so that 100 m are 65 pixels.
    for name in ["seen.png", "sky.png"] {
        let found = scale_bar(&folder.read(name));
        assert!([65, 64].contains(&found), "{name}: {found}");
    }
}
