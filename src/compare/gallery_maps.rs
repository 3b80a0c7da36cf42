//! [`GALLERY_MAPS`]: small maps that each show one thing about a field of view.

use crate::grid::TextMap;

/// A small map of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryMap {
    /// The name of its file in `presets/maps`, without `.txt`.
    pub name: &'static str,
    /// What it shows, for people.
    pub title: &'static str,
    /// The map as text; it has a viewer.
    pub text: &'static str,
}

impl GalleryMap {
    /// The map of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        GALLERY_MAPS.iter().find(|map| map.name == name)
    }

    /// The opacities and the viewer.
    pub fn map(&self) -> TextMap {
        TextMap::parse(self.text).expect("the tests read every map of the gallery")
    }
}

macro_rules! gallery {
    ($($name:literal: $title:literal),+ $(,)?) => {
        &[$(GalleryMap {
            name: $name,
            title: $title,
            text: include_str!(concat!("../../presets/maps/", $name, ".txt")),
        }),+]
    };
}

/// The maps of the gallery, from single walls to rooms, disorder, and what light half passes.
///
/// ```
/// let pillar = farsight::compare::GalleryMap::named("single-pillar").unwrap();
/// assert_eq!(pillar.title, "Single pillar");
/// assert!(pillar.map().viewer.is_some());
/// ```
pub const GALLERY_MAPS: &[GalleryMap] = gallery! {
    "single-pillar": "Single pillar",
    "pillar-pairs": "Pillar pairs",
    "columns": "Hall of columns",
    "palisade": "Palisade",
    "along-a-wall": "Along a wall",
    "diagonal-wall": "Diagonal wall",
    "diagonal-gap": "Gaps in a diagonal",
    "convex-corner": "Convex corner",
    "concave-corner": "Concave corner",
    "ring": "Ring with gaps",
    "room-with-door": "Room with doors",
    "corridor": "Corridor",
    "crossroads": "Crossroads",
    "rooms": "Five rooms",
    "long-hall": "Long hall",
    "spiral": "Spiral",
    "cave": "Cave",
    "sparse-random": "Sparse random walls",
    "dense-random": "Dense random walls",
    "checkerboard": "Checkerboard",
    "window": "Windows",
    "half-opaque-hedge": "Half-opaque hedges",
    "fog-bank": "Fog bank",
    "forest-edge": "Edge of a forest",
    "ridge": "Ridge with a pass",
    "island": "Island with a peak",
};
