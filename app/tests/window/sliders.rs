//! Sliders of the world: the land follows while they are dragged.

use tempfile::TempDir;

use super::{Screenshot, explore, picture};

/// Returns the sum of the differences of two pictures in a part of the map without messages.
fn difference(a: &Screenshot, b: &Screenshot) -> u64 {
    let pixels = a.upper_left(900, 600).filter(|(_, y, _)| *y > 170);
    let channels = |x, y| a.pixel(x, y).into_iter().zip(b.pixel(x, y));
    pixels.flat_map(|(x, y, _)| channels(x, y)).map(|(a, b)| u64::from(a.abs_diff(b))).sum()
}

#[test]
#[ignore = "needs a display"]
fn land_follows_a_dragged_slider_before_it_is_released() {
    let folder = TempDir::new().unwrap();
    let script = "settle\nkey - 9\nkey 2\nwait 5\nscreenshot before.png\nslide world.land 0.6 0.3 6\n\
        screenshot dragged.png\nsettle\nwait 5\nscreenshot released.png\nexport land.npy\nwait 2\nquit\n";
    explore(folder.path(), script, &[]);
    let [before, dragged, released] =
        ["before.png", "dragged.png", "released.png"].map(|name| picture(folder.path(), name));
    let (changed, rest) = (difference(&before, &dragged), difference(&dragged, &released));
    assert!(changed > 10_000_000, "the land has changed before the release: {changed}");
    assert!(rest > 0 && rest * 3 < changed, "the preview is the land in less detail: {rest} of {changed}");
    assert!(folder.path().join("land.npy").exists());
}
