//! [`Section`]: a vertical section along the line of sight.

use glam::IVec2;

use crate::optics::Relief;
use crate::scene::{Scene, Terrain};
use farsight::viewshed::Surface;

/// The cells on the straight line from the viewer to a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The points from the viewer to the target, both included, one for each step along the longer axis.
    pub points: Vec<SectionPoint>,
}

/// A point of a [`Section`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionPoint {
    /// The cell.
    pub cell: IVec2,
    /// Distance from the viewer, in cells; in shorter sides of a rectangular cell.
    pub distance: f64,
    /// Opacity of the cell for this viewer, in [0, 1].
    pub opacity: f32,
    /// Perceived visibility of the cell, in [0, 1].
    pub left: f32,
    /// The heights, in cells of a world with data.
    pub heights: Option<SectionHeights>,
}

/// Heights above sea level at a point, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionHeights {
    /// The ground, or the water on it.
    pub ground: f32,
    /// The top of the vegetation or of the obstacle on the ground; the ground without both.
    pub canopy: f32,
    /// The straight line from the eye to the top of the target. Where the Earth is curved, it sags between both.
    pub line: f32,
}

impl Section {
    /// Returns the section to a cell of the map.
    ///
    /// # Panics
    /// If the cell is outside the map.
    pub fn of(scene: &Scene, target: IVec2) -> Self {
        let viewer = scene.viewer();
        let line = target - viewer;
        let steps = line.abs().max_element();
        let distance = scene.terrain().distance(viewer, target);
        let ends = match scene.terrain() {
            Terrain::World(optics) => {
                let ground = optics.world().ground_m();
                let config = optics.config();
                let curvature = if config.relief == Relief::LineOfSight { config.curvature() } else { 0.0 };
                let drop_m = Surface::drop_m(curvature, distance * optics.world().cell_size_at(viewer).shorter_m());
                let eye_m = config.eye_height_m + optics.eye_lift_m(viewer);
                let eye_and_top = [ground[viewer] + eye_m as f32, ground[target] + config.target_height_m as f32];
                Some((eye_and_top, drop_m))
            }
            _ => None,
        };
        let point = |i: i32| {
            let share = if steps == 0 { 0.0 } else { f64::from(i) / f64::from(steps) };
            let cell = viewer + (line.as_dvec2() * share).round().as_ivec2();
            let heights = match (scene.terrain(), ends) {
                (Terrain::World(optics), Some(([eye, top], drop_m))) if scene.terrain().has_data(cell) => {
                    let ground = optics.world().ground_m()[cell];
                    // The drop grows with the square of the distance, so a straight line is below that between the heights of its ends.
                    let sag_m = (drop_m * share * (1.0 - share)) as f32;
                    let line_of_sight = eye + (top - eye) * share as f32 - sag_m;
                    Some(SectionHeights { ground, canopy: ground + optics.canopy_m(cell), line: line_of_sight })
                }
                _ => None,
            };
            SectionPoint {
                cell,
                distance: distance * share,
                opacity: scene.opacity(cell).unwrap_or(1.0),
                left: scene.own_visibility(cell) * scene.light(cell),
                heights,
            }
        };
        Self { points: (0..=steps).map(point).collect() }
    }

    /// Returns the section in the coordinates of the raster, if the map is a window that starts at `origin`.
    pub fn on_raster(mut self, origin: IVec2) -> Self {
        self.points.iter_mut().for_each(|point| point.cell += origin);
        self
    }

    /// Returns the minimum and the maximum of all heights, in metres above sea level.
    pub fn span_m(&self) -> Option<[f32; 2]> {
        let heights = || self.points.iter().filter_map(|point| point.heights);
        let low = heights().map(|heights| heights.ground.min(heights.line)).reduce(f32::min)?;
        let high = heights().map(|heights| heights.canopy.max(heights.line)).reduce(f32::max)?;
        Some([low, high])
    }
}
