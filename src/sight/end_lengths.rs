//! [`EndLengths`]: the [`EndLength`]s of all cells in sight.

use std::sync::Arc;

use glam::{IVec2, Vec2Swizzles, ivec2};

use super::beam::BeamList;
use super::end_length::{EndLength, slant};
use super::window::half_width;
use crate::grid::Grid;
use crate::parallel::*;
use crate::sight_config::{Method, PathRule, SightConfig};

/// The [`EndLength`]s of all cells in sight.
#[derive(Clone, Debug)]
pub(crate) enum EndLengths {
    /// Those of two parents, by a formula.
    TwoParent(PathRule),
    /// Those of the lines of another method.
    OfLines(Arc<LineLengths>),
}

impl EndLengths {
    /// Returns the length for a target at an offset within the radius.
    pub(crate) fn at(&self, offset: IVec2) -> EndLength {
        match self {
            Self::TwoParent(path) => EndLength::two_parent(slant(*path), offset.x as f32, offset.y as f32),
            Self::OfLines(lengths) => lengths.at(offset),
        }
    }

    /// Returns `true` if both are the same lengths.
    #[inline]
    pub(super) fn are(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::TwoParent(path), Self::TwoParent(other)) => path == other,
            (Self::OfLines(lengths), Self::OfLines(other)) => Arc::ptr_eq(lengths, other),
            _ => false,
        }
    }
}

/// The [`EndLength`]s of a method with lines, for all cells of a radius.
#[derive(Clone, Debug)]
pub(crate) struct LineLengths {
    radius: u32,
    path: PathRule,
    lines: Lines,
    /// By (|dx|, |dy|).
    lengths: Grid<EndLength>,
}

/// The lines of a method, by what they depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lines {
    Beams { radius: u32, beams: f64 },
    Samples(u32),
}

impl LineLengths {
    /// Computes the lengths for beams.
    pub(super) fn of_beams(list: &BeamList, path: PathRule) -> Self {
        let lines = Lines::Beams { radius: list.radius(), beams: list.beams() };
        let mut lengths = Self::new(list.radius(), path, lines);
        list.for_each_cell(path, |offset, lines| lengths.set(offset, EndLength::of_lines(offset, path, lines)));
        lengths
    }

    /// Computes the lengths for the lines of the exact method.
    pub(super) fn of_samples(radius: u32, samples: u32, path: PathRule) -> Self {
        let config = SightConfig { method: Method::Exact, samples, path, ..SightConfig::default() };
        let column = |dx: u32| {
            let rows = 0..=dx.min(half_width(radius, dx));
            rows.map(|dy| EndLength::of(&config, ivec2(dx as i32, dy as i32))).collect()
        };
        let columns: Vec<Vec<EndLength>> = (0..=radius).into_par_iter().map(column).collect();
        let mut lengths = Self::new(radius, path, Lines::Samples(samples));
        for (dx, column) in (0..).zip(columns) {
            for (dy, length) in (0..).zip(column) {
                lengths.set(ivec2(dx, dy), length);
            }
        }
        lengths
    }

    fn new(radius: u32, path: PathRule, lines: Lines) -> Self {
        let side = radius as usize + 1;
        Self { radius, path, lines, lengths: Grid::new(side, side, EndLength::default()) }
    }

    fn set(&mut self, offset: IVec2, length: EndLength) {
        self.lengths[offset] = length;
        self.lengths[offset.yx()] = length;
    }

    /// Returns `true` if these are the lengths for a list of beams.
    pub(super) fn fits_beams(&self, list: &BeamList, path: PathRule) -> bool {
        self.path == path && self.lines == Lines::Beams { radius: list.radius(), beams: list.beams() }
    }

    /// Returns `true` if these are the lengths for the exact method, up to a radius.
    pub(super) fn fits_samples(&self, radius: u32, samples: u32, path: PathRule) -> bool {
        self.path == path && self.lines == Lines::Samples(samples) && self.radius >= radius
    }

    /// Returns the length for a target at an offset within the radius; that of the viewer's own cell beyond.
    fn at(&self, offset: IVec2) -> EndLength {
        self.lengths.get(offset.abs()).copied().unwrap_or_default()
    }
}
