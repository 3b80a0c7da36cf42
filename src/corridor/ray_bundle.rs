//! [`RayBundle`]: the straight lines from a viewer to one target, with the cells that each crosses.
//!
//! They are the lines of the exact method. The transmittance of a line is exp(−Σ depth · chord) over the cells it crosses,
//! so the effect of another opacity in one cell follows from the sum.

use std::collections::HashMap;

use glam::IVec2;

use crate::sight::exact::{chord_scale, depth_of, follow, length_of, points_of};
use crate::sight_config::PathRule;

/// The straight lines from a viewer to one target.
#[derive(Clone, Debug)]
pub(super) struct RayBundle {
    /// The crossed cells of all lines, line by line: the index of the cell, and its chord by the path rule.
    crossed: Vec<(u32, f64)>,
    /// The end of each line in `crossed`.
    ends: Vec<usize>,
}

impl RayBundle {
    /// Creates the lines to `samples` × `samples` points of a target at this offset from the viewer, and the offsets of
    /// the cells that they cross.
    pub(super) fn new(target: IVec2, samples: u32, path: PathRule) -> (Self, Vec<IVec2>) {
        let samples = samples as i32;
        let (mut crossed, mut ends, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        let mut index = HashMap::new();
        if target == IVec2::ZERO {
            ends.resize(samples.pow(2) as usize, 0);
            return (Self { crossed, ends }, cells);
        }
        for point in points_of(target, samples) {
            let length = length_of(point, samples);
            follow(point, samples, |cell, fraction| {
                let at = *index.entry(cell).or_insert_with(|| {
                    cells.push(cell);
                    cells.len() as u32 - 1
                });
                crossed.push((at, fraction * length * chord_scale(cell, path)));
                true
            });
            ends.push(crossed.len());
        }
        (Self { crossed, ends }, cells)
    }

    /// Returns the number of lines.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the crossed cells of each line, with their chords.
    fn lines(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        self.ends.iter().scan(0, |start, &end| {
            let line = &self.crossed[*start..end];
            *start = end;
            Some(line)
        })
    }

    /// Returns the mean transmittance of all lines, in [0, 1].
    pub(super) fn visibility(&self, opacity: &[f32]) -> f64 {
        let depths = depths(opacity);
        let transmittances = self
            .lines()
            .map(|line| libm::exp(-line.iter().map(|&(at, chord)| depths[at as usize] * chord).sum::<f64>()));
        transmittances.sum::<f64>() / self.ends.len() as f64
    }

    /// Computes, for each cell, the increase of the mean if only this cell had the opacity `instead`.
    pub(super) fn gains(&self, opacity: &[f32], instead: &[f32]) -> Vec<f64> {
        let (depths, instead) = (depths(opacity), depths(instead));
        let mut gains = vec![0.0; opacity.len()];
        for line in self.lines() {
            // Walls are counted, not summed, since their depth is infinite.
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

    /// Returns the opaque cells of the line that crosses the fewest, nearest first.
    pub(super) fn fewest_in_series(&self, opacity: &[f32]) -> Vec<usize> {
        let walls = |line: &&[(u32, f64)]| line.iter().filter(|(at, _)| opacity[*at as usize] >= 1.0).count();
        let line = self.lines().min_by_key(walls).unwrap_or_default();
        line.iter().map(|(at, _)| *at as usize).filter(|&at| opacity[at] >= 1.0).collect()
    }
}

fn depths(opacity: &[f32]) -> Vec<f64> {
    opacity.iter().map(|&opacity| depth_of(opacity)).collect()
}
