//! [`Cause`]: what can take visibility away.

/// What can take visibility away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// Opaque cells of a map without a world.
    Wall,
    /// Cells of such a map that let a part through.
    Hedge,
    /// Ground that rises into the view.
    Ridge,
    /// Vegetation.
    Forest,
    /// Fog.
    Fog,
    /// Air without fog.
    Haze,
    /// The decay with distance (`sight.decay`).
    Distance,
    /// Want of light at the target.
    Dark,
    /// The target is out of range.
    Range,
    /// Nobody measured the ground at the target.
    Unmeasured,
}

impl Cause {
    /// `forest`, `haze`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Hedge => "hedge",
            Self::Ridge => "ridge",
            Self::Forest => "forest",
            Self::Fog => "fog",
            Self::Haze => "haze",
            Self::Distance => "distance",
            Self::Dark => "darkness",
            Self::Range => "range",
            Self::Unmeasured => "no data",
        }
    }

    /// What a group of its cells is called: `wood`, `ridge`, …
    pub(super) fn group(self) -> &'static str {
        match self {
            Self::Forest => "wood",
            other => other.name(),
        }
    }

    /// Whether it has a place on the map; haze is everywhere, distance and darkness nowhere.
    pub fn has_place(self) -> bool {
        matches!(self, Self::Wall | Self::Hedge | Self::Ridge | Self::Forest | Self::Fog)
    }
}
