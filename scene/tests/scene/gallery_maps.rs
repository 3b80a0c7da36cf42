//! The maps of the gallery: all there, all readable, each with a viewer.

use std::collections::BTreeSet;
use std::path::Path;

use farsight::sight::OpacityMap;
use farsight_scene::compare::{GALLERY_MAPS, GalleryMap};

#[test]
fn every_map_is_read_and_has_a_viewer_on_it() {
    assert!(GALLERY_MAPS.len() >= 22);
    for gallery in GALLERY_MAPS {
        let map = gallery.map();
        let (width, height) = (map.opacity.width(), map.opacity.height());
        assert!((21..=33).contains(&width) && (21..=25).contains(&height), "{}: {width}x{height}", gallery.name);
        assert!(map.viewer.is_some(), "{} has no viewer", gallery.name);
        assert!(OpacityMap::try_from(map.opacity).is_ok());
        assert_eq!(GalleryMap::named(gallery.name), Some(gallery));
    }
    assert_eq!(GalleryMap::named("no-such-map"), None);
}

#[test]
fn names_titles_and_maps_are_told_apart() {
    let distinct = |of: fn(&GalleryMap) -> &'static str| GALLERY_MAPS.iter().map(of).collect::<BTreeSet<_>>().len();
    assert_eq!(distinct(|map| map.name), GALLERY_MAPS.len());
    assert_eq!(distinct(|map| map.title), GALLERY_MAPS.len());
    assert_eq!(distinct(|map| map.text), GALLERY_MAPS.len());
}

#[test]
fn no_map_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../presets/maps");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let on_disk: BTreeSet<_> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(on_disk, GALLERY_MAPS.iter().map(|map| map.name.to_owned()).collect());
}
