//! Maps in degrees: cells have their true proportions.

use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight_scene::files::{Format, GeoKeys, Georeference, Provenance, Raster};
use tempfile::TempDir;

use super::{Screenshot, explore, is_hidden, picture, viewer};

/// A plain at 60° north, where a degree of latitude is twice as long as one of longitude.
fn plain() -> Vec<u8> {
    let heights = Grid::new(161, 161, 100.0);
    let mut raster = Raster::new("elevation", heights, IVec2::ZERO, IVec2::ZERO, Provenance::default());
    let keys = GeoKeys::geographic();
    raster.georeference = Some(Georeference { corner: [10.0, 60.08], cell: [0.001; 2], keys });
    raster.encode(Format::Tif).unwrap()
}

/// The pixels from the viewer to the edge of the visible cells, to the right and to the top.
fn reach(screen: &Screenshot) -> [f64; 2] {
    let (x, y) = viewer(screen);
    let to_the_right = (0..).take_while(|d| !is_hidden(&screen.pixel(x + d, y))).count();
    let to_the_top = (0..).take_while(|d| !is_hidden(&screen.pixel(x, y - d))).count();
    [to_the_right as f64, to_the_top as f64]
}

#[test]
#[ignore = "needs a display"]
fn what_is_seen_on_a_plain_in_degrees_is_round() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("plain.tif"), plain()).unwrap();
    let scene =
        ["--heightmap", "plain.tif", "--preset", "viewshed", "--at", "80,80", "--radius", "20", "--look", "data"];
    explore(folder.path(), "settle\nwait 5\nscreenshot round.png\nwait 2\nquit\n", &scene);
    let screen = picture(folder.path(), "round.png");
    let [right, top] = reach(&screen);
    assert!(right > 100.0 && (right / top - 1.0).abs() < 0.08, "{right} and {top} pixels");

    // A click leads to the cell below the pointer, which is shown there.
    let (x, y) = viewer(&screen);
    let (x, y) = (x - 60, y - 90);
    let script =
        format!("settle\nwait 5\nclick {x} {y}\nwait 60\nsettle\nwait 5\nscreenshot walked.png\nwait 2\nquit\n");
    explore(folder.path(), &script, &scene);
    let (walked_x, walked_y) = viewer(&picture(folder.path(), "walked.png"));
    let cell = right / 20.0;
    let [across, down] = [walked_x.abs_diff(x), walked_y.abs_diff(y)].map(f64::from);
    assert!(across <= cell && down <= 2.0 * cell, "{across} and {down} pixels beside the pointer");
}
