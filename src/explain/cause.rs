//! [`Cause`]: a cause of loss of visibility.

use crate::named_enum::named_enum;

named_enum! {
    /// A cause of loss of visibility.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Cause: "cause" {
        /// Opaque cells of an opacity map.
        Wall = "wall",
        /// Partly opaque cells of an opacity map.
        Hedge = "hedge",
        /// Ground that rises into the view.
        Ridge = "ridge",
        /// Vegetation.
        Forest = "forest",
        /// Fog.
        Fog = "fog",
        /// Air without fog.
        Haze = "haze",
        /// The decay with distance (`sight.decay`).
        Distance = "distance",
        /// Lack of light on the target.
        Dark = "darkness",
        /// The target is out of range.
        Range = "range",
        /// The target has no data.
        Unmeasured = "no data",
    }
}

impl Cause {
    /// Returns the name of a region: `wood`, `ridge`, …
    pub(super) fn region_name(self) -> &'static str {
        match self {
            Self::Forest => "wood",
            other => other.name(),
        }
    }

    /// Returns `true` if the cause has regions on the map. Haze is everywhere, distance and darkness nowhere.
    pub fn has_regions(self) -> bool {
        matches!(self, Self::Wall | Self::Hedge | Self::Ridge | Self::Forest | Self::Fog)
    }
}
