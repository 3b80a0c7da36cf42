//! [`AtlasCell`]: what a viewer on one cell makes of its view.

use std::str::FromStr;

use glam::IVec2;

use crate::perception::{Sense, Thresholds};
use crate::sight::View;

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

/// Sums up a view on a map of a size. Thresholds judge visibility times the light on a cell, which is 1 by day.
pub(super) fn sum_up(
    view: View<'_>,
    radius: u32,
    size: IVec2,
    thresholds: Thresholds,
    is_day: bool,
    light: impl Fn(IVec2) -> f32,
) -> AtlasCell {
    let (viewer, window) = (view.viewer(), view.grid());
    let low = view.origin().max(IVec2::ZERO);
    let high = (view.origin() + window.size()).min(size);
    let (mut commanded, mut identified) = (0.0f64, 0usize);
    let mut farthest = (0, viewer);
    for y in low.y..high.y {
        let row = window.row((y - view.origin().y) as usize);
        let row = &row[(low.x - view.origin().x) as usize..(high.x - view.origin().x) as usize];
        commanded += f64::from(sum(row));
        let perceived = |i: usize| {
            if is_day || row[i] == 0.0 { row[i] } else { row[i] * light(IVec2::new(low.x + i as i32, y)) }
        };
        identified += if is_day {
            row.iter().map(|&v| usize::from(v >= thresholds.identify)).sum()
        } else {
            (0..row.len()).filter(|&i| thresholds.judge(perceived(i)) == Sense::Identified).count()
        };
        // Of a row, only the first and the last cell that is not hidden can be the farthest.
        let is_seen = |&i: &usize| thresholds.judge(perceived(i)) > Sense::Hidden;
        let Some(first) = (0..row.len()).find(is_seen) else { continue };
        let last = (first..row.len()).rfind(is_seen).unwrap_or(first);
        for i in [first, last] {
            let cell = IVec2::new(low.x + i as i32, y);
            let squared = (cell - viewer).as_i64vec2().length_squared();
            if squared > farthest.0 {
                farthest = (squared, cell);
            }
        }
    }
    AtlasCell {
        commanded: commanded as f32,
        identified: identified as f32 / cells_in_range(viewer, radius, size) as f32,
        farthest: farthest.1,
    }
}

/// The sum of a row in eight lanes: the same on every machine, and quick.
fn sum(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let eights = row.chunks_exact(8);
    let rest: f32 = eights.remainder().iter().sum();
    for eight in eights {
        for (lane, value) in lanes.iter_mut().zip(eight) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// How many cells of the map lie within the radius of one of them; at least 1.
fn cells_in_range(viewer: IVec2, radius: u32, size: IVec2) -> usize {
    let reach = radius.min(i32::MAX as u32 / 2) as i32;
    let rows = (viewer.y - reach).max(0)..(viewer.y + reach + 1).min(size.y);
    rows.map(|y| columns_in_range(viewer.x, y - viewer.y, radius, size.x)).sum::<usize>().max(1)
}

/// How many cells of a row of the map, `dy` from the viewer, lie within the radius.
fn columns_in_range(x: i32, dy: i32, radius: u32, width: i32) -> usize {
    let left = i64::from(radius).pow(2) - i64::from(dy).pow(2);
    if left < 0 {
        return 0;
    }
    let half = left.isqrt() as i32;
    ((x + half).min(width - 1) - (x - half).max(0) + 1).max(0) as usize
}
