//! [`draw_clear_line`]: the dashed line within which creatures are identified.

use std::collections::HashMap;

use glam::{IVec2, Vec2};

use super::resample::Field;
use super::soft_edge::{EdgeRow, SoftEdge, soft_field};
use super::style::{CLEAR_LINE, CLEAR_LINE_CASING, Srgb};
use super::viewport::Viewport;
use crate::paint::picture::Picture;
use crate::paint::shape::stroke;
use farsight::perception::Recognition;

/// The blur of the line, in cells.
const BLUR: f32 = 1.15;
/// The length and the period of dashes, in pixels.
const DASH: f32 = 8.0;
const PERIOD: f32 = 14.0;
const WIDTH: f32 = 1.7;
const CASING_WIDTH: f32 = 3.6;
const CASING_ALPHA: f32 = 0.62;
/// The minimum of the soft field of visible cells for a line; below it, the edge of sight is the line.
const AT_EDGE: f32 = 0.15;
/// The minimum length of an outline with a line.
const SHORTEST: f32 = 2.0 * PERIOD;

/// Draws a dashed line around identified cells, except along the edge of sight. By night it is darker.
pub(crate) fn draw_clear_line(picture: &mut Picture, viewport: &Viewport, senses: &Field<Recognition>, night: f32) {
    let clear = senses.map(|&sense| sense == Recognition::Identified);
    let seen = soft_field(&senses.map(|&sense| sense > Recognition::Hidden), BLUR);
    let casing = CLEAR_LINE_CASING.lerp(Srgb::new(12.0, 14.0, 28.0), night);
    let origin = viewport.origin.as_vec2();
    for outline in outlines(viewport.scale, &clear) {
        let lengths: Vec<f32> = outline.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let length: f32 = lengths.iter().sum();
        if length < SHORTEST {
            continue;
        }
        let dashes = (length / PERIOD).round().max(1.0);
        let dash = length / dashes * DASH / PERIOD;
        for (width, colour, alpha) in [(CASING_WIDTH, casing, CASING_ALPHA), (WIDTH, CLEAR_LINE, 1.0)] {
            let longer = (width - WIDTH) / 3.0;
            for i in 0..dashes as i32 {
                let start = i as f32 * length / dashes;
                let middle = part(&outline, &lengths, [start + 0.4 * dash, start + 0.6 * dash]);
                let place = middle.first().copied().unwrap_or_default() / viewport.scale;
                if seen.bilinear(place.x, place.y) < AT_EDGE {
                    continue;
                }
                let piece = part(&outline, &lengths, [(start - longer).max(0.0), start + dash + longer]);
                let piece: Vec<Vec2> = piece.into_iter().map(|at| at - origin).collect();
                stroke(picture, &piece, width, colour.to_array(), alpha);
            }
        }
    }
}

/// Returns the part of a polyline between two distances from its start. `lengths` are those of its segments.
fn part(line: &[Vec2], lengths: &[f32], [from, to]: [f32; 2]) -> Vec<Vec2> {
    let mut part = Vec::new();
    let mut walked = 0.0;
    for (ends, &length) in line.windows(2).zip(lengths) {
        let at = |distance: f32| ends[0].lerp(ends[1], ((distance - walked) / length.max(1e-6)).clamp(0.0, 1.0));
        if walked + length >= from && walked <= to {
            if part.is_empty() {
                part.push(at(from));
            }
            part.push(at(to));
        }
        walked += length;
    }
    part
}

/// Draws a sample of the line for a legend, centred at a point.
pub(crate) fn draw_sample(picture: &mut Picture, middle: Vec2, length: f32) {
    let left = middle - Vec2::new(length / 2.0, 0.0);
    for (width, colour, alpha) in [(CASING_WIDTH, CLEAR_LINE_CASING, CASING_ALPHA), (WIDTH, CLEAR_LINE, 1.0)] {
        for i in 0..(length / PERIOD).round() as i32 {
            let start = left + Vec2::new(i as f32 * PERIOD, 0.0);
            stroke(picture, &[start, start + Vec2::new(DASH, 0.0)], width, colour.to_array(), alpha);
        }
    }
}

/// Lattice points per cell, for finding outlines.
const POINTS_A_CELL: f32 = 3.0;

/// Returns the outlines of a set of cells as polylines: closed, or from edge to edge of its rectangle. They are in
/// pixels relative to the upper left pixel of the map, so that they do not depend on the picture.
fn outlines(scale: Vec2, set: &Field<bool>) -> Vec<Vec<Vec2>> {
    let points = Vec2::splat(POINTS_A_CELL).min(scale);
    let [low, high] = [set.rect.min, set.rect.max].map(|corner| corner.as_vec2() * points);
    let origin = low.floor().as_ivec2();
    let lattice = Viewport { origin, scale: points, size: high.ceil().as_ivec2() - origin };
    let edge = SoftEdge::new(&lattice, soft_field(set, BLUR));
    let (width, height) = (lattice.width(), lattice.height());
    let mut values = vec![0.0; width * height];
    let mut buffers = EdgeRow::default();
    for (y, row) in values.chunks_exact_mut(width.max(1)).enumerate() {
        edge.fill_values(y, &mut buffers, row);
    }
    let to_pixel = |at: Vec2| (at + 0.5) / points * scale;
    joined(&segments(&values, &lattice))
        .into_iter()
        .map(|outline| outline.into_iter().map(to_pixel).collect())
        .collect()
}

/// A crossing of level 0 on the edge from a lattice point to the right (`false`) or downwards (`true`).
type Crossing = (IVec2, bool);

/// Returns the segments of level 0 in the squares of a lattice (marching squares), with the positive side on the right.
fn segments(values: &[f32], lattice: &Viewport) -> Vec<([Crossing; 2], [Vec2; 2])> {
    let (width, height) = (lattice.width(), lattice.height());
    let mut segments = Vec::new();
    for y in 0..height.saturating_sub(1) {
        for x in 0..width.saturating_sub(1) {
            let at = y * width + x;
            let corners = [values[at], values[at + 1], values[at + width + 1], values[at + width]];
            let inside = corners.map(|value| value > 0.0);
            if inside.iter().all(|&is| is == inside[0]) {
                continue;
            }
            let corner = lattice.origin + IVec2::new(x as i32, y as i32);
            // The sides of the square with their crossings, clockwise, starting at the top.
            let sides: [Crossing; 4] =
                [(corner, false), (corner + IVec2::X, true), (corner + IVec2::Y, false), (corner, true)];
            let places = [(0, 1), (1, 2), (3, 2), (0, 3)].map(|(from, to)| {
                let share = corners[from] / (corners[from] - corners[to]);
                let ends = [IVec2::ZERO, IVec2::X, IVec2::ONE, IVec2::Y];
                corner.as_vec2() + ends[from].as_vec2().lerp(ends[to].as_vec2(), share)
            });
            // In clockwise order, a segment starts at the crossing to the inside and ends at the crossing to the
            // outside.
            let begins: Vec<usize> = (0..4).filter(|&i| !inside[i] && inside[(i + 1) % 4]).collect();
            for begin in begins {
                let end = (1..4).map(|step| (begin + step) % 4).find(|&i| inside[i] && !inside[(i + 1) % 4]);
                if let Some(end) = end {
                    segments.push(([sides[begin], sides[end]], [places[begin], places[end]]));
                }
            }
        }
    }
    segments
}

/// Joins segments with common endpoints to polylines.
fn joined(segments: &[([Crossing; 2], [Vec2; 2])]) -> Vec<Vec<Vec2>> {
    let from: HashMap<Crossing, usize> = segments.iter().enumerate().map(|(i, (ends, _))| (ends[0], i)).collect();
    let ends: std::collections::HashSet<Crossing> = segments.iter().map(|(ends, _)| ends[1]).collect();
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    // First open polylines, which start at an edge, then closed polylines.
    let open = (0..segments.len()).filter(|&i| !ends.contains(&segments[i].0[0]));
    for first in open.chain(0..segments.len()) {
        if used[first] {
            continue;
        }
        let mut polyline = vec![segments[first].1[0]];
        let mut next = Some(first);
        while let Some(i) = next.filter(|&i| !used[i]) {
            used[i] = true;
            polyline.push(segments[i].1[1]);
            next = from.get(&segments[i].0[1]).copied();
        }
        lines.push(polyline);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{ivec2, vec2};

    #[test]
    fn a_disc_has_one_closed_outline_and_two_discs_have_two() {
        let viewport = Viewport { origin: ivec2(-200, -200), scale: Vec2::splat(10.0), size: ivec2(400, 400) };
        let disc = |middle: Vec2| move |cell: IVec2| (cell.as_vec2() + 0.5 - middle).length() < 5.0;
        let rect = viewport.cells(8);
        let one = outlines(viewport.scale, &Field::from_fn(rect, disc(vec2(0.0, 0.0))));
        assert_eq!(one.len(), 1);
        assert!(one[0].first().unwrap().distance(*one[0].last().unwrap()) < 1e-3, "closed");
        let length: f32 = one[0].windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert!((length / (std::f32::consts::TAU * 50.0) - 1.0).abs() < 0.05, "{length}");
        let [left, right] = [disc(vec2(-9.0, 0.0)), disc(vec2(9.0, 3.0))];
        assert_eq!(outlines(viewport.scale, &Field::from_fn(rect, |cell| left(cell) || right(cell))).len(), 2);
    }

    #[test]
    fn no_set_has_no_outline() {
        let viewport = Viewport { origin: ivec2(0, 0), scale: Vec2::splat(2.5), size: ivec2(50, 30) };
        for inside in [false, true] {
            assert!(outlines(viewport.scale, &Field::from_fn(viewport.cells(8), |_| inside)).is_empty());
        }
    }
}
