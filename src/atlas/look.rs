//! [`AtlasCell`]: what a viewer on one cell makes of its view.

use std::str::FromStr;

use glam::IVec2;

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

/// A field of an atlas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum AtlasLayer {
    /// The sum of visibility that a cell commands, in cells.
    #[default]
    Commanded,
    /// The share of the cells in range that it identifies, in [0, 1].
    Identified,
    /// Distance to the farthest cell that it glimpses, in cells.
    Farthest,
}

impl AtlasLayer {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Commanded, Self::Identified, Self::Farthest];

    /// `commanded`, `identified` or `farthest`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Commanded => "commanded",
            Self::Identified => "identified",
            Self::Farthest => "farthest",
        }
    }

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

impl FromStr for AtlasLayer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|layer| layer.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("an atlas has no layer {name:?}; it has {names}")
        })
    }
}
