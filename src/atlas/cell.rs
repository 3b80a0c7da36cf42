//! [`AtlasCell`]: the summary of the view from one cell, and [`AtlasLayer`], its fields.

use glam::IVec2;

use crate::grid::CellSize;
use crate::named_enum::named_enum;

/// The summary of the view from one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtlasCell {
    /// The sum of the visibility of all cells, in cells. The viewer's own cell counts 1.
    pub total_visibility: f32,
    /// The share of the map's cells within the radius that are identified, in [0, 1].
    pub identified: f32,
    /// The farthest cell that is at least glimpsed; of several, the first in row order.
    pub farthest: IVec2,
}

named_enum! {
    /// A field of an atlas.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum AtlasLayer: "atlas layer" {
        /// The sum of visibility over all cells, in cells.
        #[default]
        TotalVisibility = "commanded",
        /// The share of the cells in range that are identified, in [0, 1].
        Identified = "identified",
        /// The distance to the farthest cell that is glimpsed, in cells; in shorter sides of rectangular cells.
        Farthest = "farthest",
    }
}

impl AtlasLayer {
    /// Returns the unit of the values, or an empty text.
    pub fn unit(self) -> &'static str {
        match self {
            Self::TotalVisibility | Self::Farthest => "cells",
            Self::Identified => "",
        }
    }

    /// Returns the value for a viewer on `viewer`, on square cells.
    pub fn value(self, viewer: IVec2, seen: &AtlasCell) -> f32 {
        self.value_on(CellSize::square(1.0), viewer, seen)
    }

    /// Returns the value for a viewer on `viewer`, where cells have a size.
    pub fn value_on(self, cell_size: CellSize, viewer: IVec2, seen: &AtlasCell) -> f32 {
        match self {
            Self::TotalVisibility => seen.total_visibility,
            Self::Identified => seen.identified,
            Self::Farthest => ((seen.farthest - viewer).as_dvec2() * cell_size.ratios()).length() as f32,
        }
    }
}
