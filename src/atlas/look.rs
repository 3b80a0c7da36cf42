//! [`AtlasCell`]: what a viewer on one cell makes of its view.

use glam::IVec2;

use crate::named_enum::named_enum;

/// What a viewer on one cell makes of its view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtlasCell {
    /// The sum of the visibility of all cells, its own (which is 1) with them: how many cells it commands.
    pub commanded: f32,
    /// The share of the cells of the map within the radius that it identifies, in [0, 1].
    pub identified: f32,
    /// The farthest cell that it at least glimpses; of several the first, row after row.
    pub farthest: IVec2,
}

named_enum! {
    /// A field of an atlas.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum AtlasLayer: "atlas layer" {
        /// The sum of visibility over all cells, in cells.
        #[default]
        Commanded = "commanded",
        /// The share of the cells in range that are identified, in [0, 1].
        Identified = "identified",
        /// The distance to the farthest cell that is glimpsed, in cells.
        Farthest = "farthest",
    }
}

impl AtlasLayer {
    /// Unit of its values, or empty.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Commanded | Self::Farthest => "cells",
            Self::Identified => "",
        }
    }

    /// The value of a viewer on `viewer`.
    pub fn value(self, viewer: IVec2, seen: &AtlasCell) -> f32 {
        match self {
            Self::Commanded => seen.commanded,
            Self::Identified => seen.identified,
            Self::Farthest => (seen.farthest - viewer).as_dvec2().length() as f32,
        }
    }
}
