//! Rasters in degrees against the same ground projected by GDAL. Needs `gdalwarp` (Debian: gdal-bin):
//! `cargo test --test cli gdal -- --ignored`.

use std::process::Command;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight_scene::files::{Format, GeoKeys, Georeference, Heightmap, Provenance, Raster};

use super::Folder;

const SIZE: IVec2 = ivec2(700, 560);
const VIEWER: IVec2 = ivec2(340, 290);
/// Degrees: a second.
const SIDE: f64 = 1.0 / 3600.0;
/// Metres of a cell of the projected raster, and its cells to each side of the viewer.
const PROJECTED_M: f64 = 20.0;
const AROUND: i32 = 400;

/// Hills with wavelengths of 26 to 150 cells, in degrees at 47° north.
fn hills() -> Raster {
    let waves: Vec<[f32; 4]> = (0..48)
        .map(|i| {
            let i = i as f32;
            let (turn, length) = (i * 2.399_963, 150.0 / (1.0 + 0.1 * i));
            [turn.cos() / length, turn.sin() / length, i * 1.7, 2.2 * length]
        })
        .collect();
    let heights = Grid::from_fn(SIZE.x as usize, SIZE.y as usize, |cell| {
        let (x, y) = (cell.x as f32 * 0.684, cell.y as f32); // as round as hills are on the ground
        let height =
            |&[a, b, phase, height]: &[f32; 4]| height * (std::f32::consts::TAU * (a * x + b * y) + phase).sin();
        900.0 + waves.iter().map(height).sum::<f32>() / 4.0
    });
    let mut raster = Raster::new("elevation", heights, IVec2::ZERO, IVec2::ZERO, Provenance::default());
    let keys = GeoKeys::geographic();
    raster.georeference = Some(Georeference { corner: [9.0, 47.1], cell: [SIDE; 2], keys });
    raster
}

fn gdal(folder: &Folder, program: &str, words: &str, input: &str) -> String {
    folder.write("input.txt", input);
    let mut command = Command::new(program);
    command.args(words.split_whitespace()).current_dir(folder.path("."));
    command.stdin(std::fs::File::open(folder.path("input.txt")).unwrap());
    let output = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "needs gdalwarp"]
fn views_in_degrees_are_those_over_the_projected_ground() {
    let folder = Folder::new();
    folder.write("degrees.tif", hills().encode(Format::Tif).unwrap());
    let [east, north] = [9.0 + (f64::from(VIEWER.x) + 0.5) * SIDE, 47.1 - (f64::from(VIEWER.y) + 0.5) * SIDE];
    let metres =
        gdal(&folder, "gdaltransform", "-s_srs EPSG:4326 -t_srs EPSG:32632 -output_xy", &format!("{east} {north}\n"));
    let metres: Vec<f64> = metres.split_whitespace().map(|number| number.parse().unwrap()).collect();
    // The viewer is in the middle of a cell of the projected raster, too.
    let half = (f64::from(AROUND) + 0.5) * PROJECTED_M;
    let [left, bottom, right, top] = [metres[0] - half, metres[1] - half, metres[0] + half, metres[1] + half];
    let extent = format!("-te {left} {bottom} {right} {top} -tr {PROJECTED_M} {PROJECTED_M} -dstnodata -9999");
    gdal(&folder, "gdalwarp", &format!("-q -t_srs EPSG:32632 -r cubic {extent} degrees.tif metres.tif"), "");
    for method in ["two-parent", "beam", "exact"] {
        let flags = format!(
            "-q --preset viewshed --method {method} --set optics.eye_height_m=60 --layer slope-margin --crop map"
        );
        let at = format!("--at {},{} --radius 240", VIEWER.x, VIEWER.y);
        folder.done(&format!("export {flags} --heightmap degrees.tif {at} -o seen-degrees.tif"));
        let at = format!("--at {AROUND},{AROUND} --radius 260");
        folder.done(&format!("export {flags} --heightmap metres.tif {at} -o seen-metres.tif"));
        let (right, bottom) = (9.0 + f64::from(SIZE.x) * SIDE, 47.1 - f64::from(SIZE.y) * SIDE);
        let extent = format!("-te 9 {bottom} {right} 47.1 -ts {} {}", SIZE.x, SIZE.y);
        gdal(
            &folder,
            "gdalwarp",
            &format!("-q -overwrite -t_srs EPSG:4326 -r cubic {extent} seen-metres.tif back.tif"),
            "",
        );
        let read = |name: &str| Heightmap::decode(&folder.read(name), Format::Tif).unwrap().elevation_m;
        let (ours, theirs) = (read("seen-degrees.tif"), read("back.tif"));
        let (mut cells, mut seen, mut differ) = (0, 0, 0);
        for (ours, theirs) in ours.as_slice().iter().zip(theirs.as_slice()) {
            if !ours.is_nan() && !theirs.is_nan() {
                cells += 1;
                seen += i32::from(*ours >= 0.0);
                differ += i32::from((*ours >= 0.0) != (*theirs >= 0.0));
            }
        }
        let share = f64::from(differ) / f64::from(cells);
        assert!(
            cells > 120_000 && seen > cells / 20 && share < 0.003,
            "{method}: {differ} of {cells} cells differ, share {share}"
        );
    }
}
