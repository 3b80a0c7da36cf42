//! Georeferences of parts and of pictures.

use farsight::files::{GeoKeys, Georeference};
use farsight::glam::ivec2;

#[test]
fn georeference_follows_crop_and_scale() {
    let whole = Georeference { corner: [500.0, 9000.0], cell: [30.0, 30.0], keys: GeoKeys::default() };
    let part = whole.at(ivec2(10, 20));
    assert_eq!(part.corner, [800.0, 8400.0]);
    assert_eq!(part.drawn(10.0).world_file(), "3\n0\n0\n-3\n801.5\n8398.5\n");
    assert_eq!(part.drawn(0.5).cell, [60.0, 60.0]);
}
