//! [`Place`]: a named place of a world.

use std::sync::OnceLock;

use glam::{IVec2, Vec2};
use serde::{Deserialize, Serialize};

use farsight::named_enum;

named_enum! {
    /// The kind of a place.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum PlaceKind: "kind of place" {
        /// A sea, or a wide part of one.
        Sea = "sea",
        /// A lake.
        Lake = "lake",
        /// A river.
        River = "river",
        /// The top of a mountain or a hill.
        Summit = "summit",
        /// A cell named by the user.
        Own = "own",
    }
}

/// A named place on the map: a sea, a lake, a river, a summit, or a cell named by the user.
///
/// ```
/// use farsight::Job;
/// use farsight_scene::world::{PlaceKind, World, WorldConfig};
/// let config = WorldConfig::default().with_width(128).with_height(128);
/// let world = World::generate(&config, Job::none())?;
/// let highest = world.places().iter().filter(|place| place.kind == PlaceKind::Summit).max_by(|a, b| {
///     a.height_m.total_cmp(&b.height_m)
/// });
/// assert!(highest.is_some_and(|summit| !summit.name.is_empty() && summit.height_m > 100.0));
/// # Ok::<(), farsight_scene::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Place {
    /// Its kind.
    pub kind: PlaceKind,
    /// Its name; empty on given ground, whose real names a generator does not know.
    pub name: String,
    /// The cell of the label: the cell of a sea or lake that is farthest from its shore and from the edge of the map, the
    /// middle of a river, the highest cell of a summit.
    pub at: IVec2,
    /// Of a sea or lake, the radius in cells of the largest disc inside it; of a river, its length in cells; of a summit,
    /// its topographic prominence in metres: its rise above the highest saddle to higher ground. 0 for
    /// [`PlaceKind::Own`].
    pub extent: f32,
    /// The height in metres above the sea of ground or water at its cell; NaN for nodata or on an opacity map.
    pub height_m: f32,
    /// Of a sea or lake, two to five points from left to right as the baseline of its name; of a river, its course from
    /// source to mouth; else empty. Points are in cells, from the upper left corner of the map: the centre of cell 0,0
    /// is at 0.5,0.5.
    pub course: Vec<Vec2>,
    /// The importance for the map, which labels the places in descending order of rank. In [0, 1], or in [1, 2] for a
    /// name of the user.
    pub rank: f32,
}

impl Place {
    /// Creates a place without a name.
    pub(crate) fn nameless(kind: PlaceKind, at: IVec2, extent: f32) -> Self {
        Self { kind, name: String::new(), at, extent, height_m: f32::NAN, course: Vec::new(), rank: 0.0 }
    }
}

/// The cache of the places of a world. They follow from its other fields, so comparisons of worlds ignore them.
#[derive(Clone, Default)]
pub(crate) struct KnownPlaces(pub(crate) OnceLock<Vec<Place>>);

impl PartialEq for KnownPlaces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for KnownPlaces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KnownPlaces")
    }
}
