//! [`RayBundle`]: the straight lines from a viewer to one target, with the cells that each crosses.
//!
//! They are the lines of the exact method (`exact`). What is left of a line is the product of (1 − opacity)^chord over
//! the cells it crosses, so what it would be with another opacity of a single cell follows from its sum of depths.

use std::collections::HashMap;

use glam::IVec2;

use super::trace::{follow, length_of, points_of};
use crate::sight::config::PathRule;

/// The straight lines from a viewer to one target.
#[derive(Clone, Debug)]
pub(crate) struct RayBundle {
    /// The crossed cells of one line after the other: which, and the power to which it takes part.
    crossed: Vec<(u32, f64)>,
    /// Where each line ends among them.
    ends: Vec<usize>,
}

impl RayBundle {
    /// The lines to `samples` × `samples` points of a target, given from the viewer, and the cells that any of them
    /// crosses.
    pub(crate) fn new(target: IVec2, samples: u32, path: PathRule) -> (Self, Vec<IVec2>) {
        let samples = samples as i32;
        let (mut crossed, mut ends, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut index = HashMap::new();
        if target == IVec2::ZERO {
            return (Self { crossed, ends: vec![0] }, cells);
        }
        for point in points_of(target, samples) {
            let length = length_of(point, samples);
            follow(point, samples, |cell, share| {
                let at = *index.entry(cell).or_insert_with(|| {
                    cells.push(cell);
                    cells.len() as u32 - 1
                });
                let scale = match path {
                    PathRule::PerLength => 1.0,
                    PathRule::PerCell => f64::from(cell.abs().max_element()) / cell.as_dvec2().length(),
                };
                crossed.push((at, share * length * scale));
                true
            });
            ends.push(crossed.len());
        }
        (Self { crossed, ends }, cells)
    }

    /// Each line: the cells that it crosses, and to which power each takes part.
    fn lines(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        self.ends.iter().scan(0, |start, &end| {
            let line = &self.crossed[*start..end];
            *start = end;
            Some(line)
        })
    }

    /// The mean of what is left of all lines, in [0, 1].
    pub(crate) fn visibility(&self, opacity: &[f32]) -> f64 {
        let depths = depths(opacity);
        let left = self
            .lines()
            .map(|line| libm::exp(-line.iter().map(|&(at, chord)| depths[at as usize] * chord).sum::<f64>()));
        left.sum::<f64>() / self.ends.len() as f64
    }

    /// How much the mean would rise if each cell alone had another opacity.
    pub(crate) fn gains(&self, opacity: &[f32], instead: &[f32]) -> Vec<f64> {
        let (depths, instead) = (depths(opacity), depths(instead));
        let mut gains = vec![0.0; opacity.len()];
        for line in self.lines() {
            // Walls are counted apart: behind one of them nothing is left to be summed up.
            let (mut walls, mut sum) = (0, 0.0);
            for &(at, chord) in line {
                let depth = depths[at as usize];
                if depth == f64::INFINITY { walls += 1 } else { sum += depth * chord }
            }
            let now = if walls == 0 { libm::exp(-sum) } else { 0.0 };
            for &(at, chord) in line {
                let (at, depth) = (at as usize, depths[at as usize]);
                let is_wall = depth == f64::INFINITY;
                if walls == i32::from(is_wall) && depth > instead[at] {
                    let others = if is_wall { sum } else { sum - depth * chord };
                    gains[at] += libm::exp(-(others + instead[at] * chord)) - now;
                }
            }
        }
        gains.iter().map(|gain| gain / self.ends.len() as f64).collect()
    }

    /// The opaque cells of the line that meets the fewest, nearest first.
    pub(crate) fn fewest_in_series(&self, opacity: &[f32]) -> Vec<usize> {
        let walls = |line: &&[(u32, f64)]| line.iter().filter(|(at, _)| opacity[*at as usize] >= 1.0).count();
        let line = self.lines().min_by_key(walls).unwrap_or_default();
        line.iter().map(|(at, _)| *at as usize).filter(|&at| opacity[at] >= 1.0).collect()
    }
}

/// What cells take from a line for each cell width: −ln(1 − opacity).
fn depths(opacity: &[f32]) -> Vec<f64> {
    opacity.iter().map(|&o| if o < 1.0 { -libm::log1p(-f64::from(o)) } else { f64::INFINITY }).collect()
}
