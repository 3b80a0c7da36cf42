//! Azimuths from true north over rasters whose columns run elsewhere.

use std::collections::HashSet;

use farsight::glam::{DVec2, IVec2, dvec2, ivec2};

use super::Folder;

/// Cells a side, of 30 m.
const SIDE: i32 = 161;
const MIDDLE: IVec2 = IVec2::splat(80);

/// Writes a heightmap of 161 × 161 cells of 30 m around a position in a reference system.
fn write_raster(folder: &Folder, code: u32, centre: DVec2, height: impl Fn(IVec2) -> f64) {
    write_raster_of_cells(folder, code, centre, 30.0, height);
}

fn write_raster_of_cells(folder: &Folder, code: u32, centre: DVec2, cell_m: f64, height: impl Fn(IVec2) -> f64) {
    let corner = centre - DVec2::splat(80.5 * cell_m);
    let mut text =
        format!("ncols {SIDE}\nnrows {SIDE}\nxllcorner {}\nyllcorner {}\ncellsize {cell_m}\n", corner.x, corner.y);
    for y in 0..SIDE {
        let row: Vec<String> = (0..SIDE).map(|x| height(ivec2(x, y)).to_string()).collect();
        text += &(row.join(" ") + "\n");
    }
    folder.write("dem.asc", text);
    folder.write("dem.prj", format!("PROJCS[\"a grid\",UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"{code}\"]]"));
}

/// A peak 2 km from the middle, at an azimuth on the grid.
fn peak_at(grid_azimuth_deg: f64) -> impl Fn(IVec2) -> f64 {
    let azimuth = grid_azimuth_deg.to_radians();
    let peak = MIDDLE.as_dvec2() + dvec2(azimuth.sin(), -azimuth.cos()) * (2000.0 / 30.0);
    move |cell| (600.0 - 15.0 * cell.as_dvec2().distance(peak)).max(0.0)
}

/// Systems with a position by `gdaltransform`, and the azimuth of grid north there by hand.
fn grids() -> [(u32, DVec2, f64); 3] {
    [
        // Lambert's conformal cone: n (λ − λ₀) with n = 0.72560777, at 4.5° W, 48.4° N.
        (2154, dvec2(145_709.789, 6_837_422.083), 0.725_607_77 * (-4.5 - 3.0)),
        // The polar stereographic projection: λ − λ₀, at 135° E, 69.9° N.
        (3413, dvec2(0.0, 2_199_085.507), 135.0 + 45.0),
        // The conformal cone of Canada: n = 0.90079009, at 123.1° W, 49.3° N.
        (3978, dvec2(-1_975_637.953, 476_983.451), 0.900_790_09 * (-123.1 + 95.0)),
    ]
}

fn steepest(folder: &Folder, name: &str) -> f64 {
    let table = String::from_utf8(folder.read(name)).unwrap();
    let rows = table.lines().skip(1).map(|line| {
        let mut fields = line.split(',').map(|field| field.parse::<f64>().unwrap_or(f64::NAN));
        (fields.next().unwrap(), fields.next().unwrap())
    });
    rows.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
}

#[test]
fn azimuths_count_from_true_north_and_on_request_from_that_of_the_grid() {
    let folder = Folder::new();
    for (code, centre, convergence_deg) in grids() {
        // The peak is due north: on the grid at minus the azimuth of grid north.
        write_raster(&folder, code, centre, peak_at(-convergence_deg));
        let scene = "--heightmap dem.asc --at 80,80 --eye-height 2";
        let done = folder.done(&format!("horizon {scene} -o true.csv -o true.json -o true.svg"));
        let words = format!(" from true north (grid north is at {convergence_deg:.2}°)");
        assert!(done.stderr.contains(&words), "{code}: {}", done.stderr);
        assert_eq!(steepest(&folder, "true.csv"), 0.0, "{code}");
        let json: serde_json::Value = serde_json::from_slice(&folder.read("true.json")).unwrap();
        assert_eq!(json["north"], "true");
        assert!((json["convergence_deg"].as_f64().unwrap() - convergence_deg).abs() < 1e-3, "{json}");
        let drawing = String::from_utf8(folder.read("true.svg")).unwrap();
        assert!(drawing.contains(&format!("<title>Horizon, azimuths{words}</title>")), "{code}");
        let done = folder.done(&format!("horizon {scene} --grid-north -o grid.csv"));
        assert!(done.stderr.contains(" from grid north\n"), "{code}: {}", done.stderr);
        let table = String::from_utf8(folder.read("grid.csv")).unwrap();
        assert!(table.starts_with("grid_azimuth_deg,elevation_deg,"), "{table}");
        let on_grid = steepest(&folder, "grid.csv");
        assert!(((on_grid + convergence_deg + 180.0).rem_euclid(360.0) - 180.0).abs() <= 0.5, "{code}: {on_grid}");
        // The horizon of the middle at the azimuth of the peak, and the picture with the peak in its middle.
        folder.done(
            &format!("sky -q {scene} --cells 80,80,1x1 --layer horizon --azimuth 0 -o sky.csv")
                .replace("--at 80,80", ""),
        );
        let angle: f64 =
            String::from_utf8(folder.read("sky.csv")).unwrap().trim().rsplit(',').next().unwrap().parse().unwrap();
        assert!((angle - (598.0_f64 / 2000.0).atan().to_degrees()).abs() < 0.6, "{code}: {angle}");
        let done = folder.done(&format!("panorama {scene} --width 360 --height 100 --no-names -o strip.png"));
        assert!(done.stderr.contains(&format!(", azimuths{words}")), "{code}: {}", done.stderr);
    }
}

#[test]
fn sectors_of_observers_count_from_true_north() {
    let folder = Folder::new();
    let (code, centre, _) = grids()[1];
    write_raster(&folder, code, centre, |_| 0.0);
    let scene =
        "cumulative -q --heightmap dem.asc --at 80,80 --radius 40 --read whole --start-angle 315 --end-angle 45";
    let south = |name: &str| {
        let table = String::from_utf8(folder.read(name)).unwrap();
        let rows = table.lines().skip(6).skip(81).map(|row| row.split_whitespace().filter(|cell| *cell == "1").count());
        rows.sum::<usize>()
    };
    folder.done(&format!("{scene} --count true.asc"));
    folder.done(&format!("{scene} --grid-north --count grid.asc"));
    assert!(south("true.asc") > 1000, "grid north is the south there");
    assert_eq!(south("grid.asc"), 0);
}

#[test]
fn the_sun_is_where_it_is_from_true_north() {
    let folder = Folder::new();
    let (code, centre, _) = grids()[1];
    // At 69.9° north a wall of 200 m beside the cell takes the midnight sun if it is in the north, which is below on the map.
    let wall = |rows: std::ops::Range<i32>| move |cell: IVec2| if rows.contains(&cell.y) { 200.0 } else { 0.0 };
    let hours = |rows: std::ops::Range<i32>| {
        write_raster(&folder, code, centre, wall(rows));
        folder.done("sky -q --heightmap dem.asc --layer sunshine --date 06-21 --cells 80,80,1x1 -o sun.csv");
        let table = String::from_utf8(folder.read("sun.csv")).unwrap();
        table.trim().rsplit(',').next().unwrap().parse::<f64>().unwrap()
    };
    let (below, above) = (hours(82..86), hours(75..79));
    // Over level ground the sun is south of east and west for 10.8 h. On its way from 25° there it rises over the slant ends of
    // the wall 8° farther north, where it is half an hour each.
    assert!((11.4..12.4).contains(&below) && above > below + 1.0, "{below} {above}");
}

#[test]
fn where_true_north_is_not_known_azimuths_are_those_of_the_map() {
    let folder = Folder::new();
    write_raster(&folder, 2154, DVec2::ZERO, peak_at(40.0));
    let scene = "horizon --heightmap dem.asc --at 80,80 --eye-height 2 -o sky.csv";
    // No system, then one without a definition.
    std::fs::remove_file(folder.path("dem.prj")).unwrap();
    let done = folder.done(scene);
    assert!(done.stderr.ends_with(" at 40.0°\n"), "{}", done.stderr);
    assert!(String::from_utf8(folder.read("sky.csv")).unwrap().starts_with("azimuth_deg,"));
    folder.write("dem.prj", "PROJCS[\"Local grid of the mine\",UNIT[\"metre\",1]]");
    let done = folder.done(scene);
    for part in
        ["dem.asc: the meridian convergence of its reference system is not known here", " at 40.0° from grid north\n"]
    {
        assert!(done.stderr.contains(part), "{}", done.stderr);
    }
    assert_eq!(steepest(&folder, "sky.csv"), 40.0);
}

#[test]
fn true_north_turns_over_a_large_raster_and_a_part_has_the_values_of_the_whole() {
    let folder = Folder::new();
    let (code, centre, _) = grids()[1];
    // Ground that rises by a twentieth towards the pole is level from west to east: 80 km turn by a degree to each side.
    let pole = |cell: IVec2| (centre + (cell - MIDDLE).as_dvec2() * dvec2(500.0, -500.0)).length();
    write_raster_of_cells(&folder, code, centre, 500.0, |cell| 0.05 * (2.3e6 - pole(cell)));
    let rows = |flags: &str| {
        folder.done(&format!("sky -q --heightmap dem.asc {flags} --max-distance 5000 -o sky.csv"));
        let table = String::from_utf8(folder.read("sky.csv")).unwrap();
        table.lines().skip(1).map(str::to_owned).collect::<HashSet<String>>()
    };
    let level = rows("--layer horizon --azimuth 90");
    // Cells at the edge have no ground to look at.
    let angles = level.iter().filter_map(|row| row.rsplit_once(',')?.1.parse::<f64>().ok());
    let (count, steepest) = angles.fold((0, 0.0), |(count, most), angle| (count + 1, f64::max(most, angle.abs())));
    // A quarter of a degree of a slope of 2.9°.
    assert!(count >= 160 * 160 && steepest < 0.016, "{count} cells, {steepest}°");
    for layer in ["horizon --azimuth 20", "sunshine --date 03-21 --azimuths 90"] {
        let part = rows(&format!("--layer {layer} --cells 100,30,50x70"));
        assert!(part.len() == 50 * 70 && part.is_subset(&rows(&format!("--layer {layer}"))), "{layer}");
    }
}
