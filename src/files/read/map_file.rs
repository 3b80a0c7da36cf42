//! [`MapFile`]: an opacity map and its viewer.

use glam::IVec2;

use crate::sight::OpacityMap;

/// An opacity map read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The opacities, in [0, 1].
    pub opacity: OpacityMap,
    /// The cell of the viewer, if the file has one: the `@` of a text map.
    pub viewer: Option<IVec2>,
}
