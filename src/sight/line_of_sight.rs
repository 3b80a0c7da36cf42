//! [`FieldOfView::line_of_sight`] and [`FieldOfView::mutual`]: the visibility between single cells, without views.

use glam::{IVec2, ivec2};

use super::attenuation::{attenuate_one, has_exponents};
use super::field_of_view::FieldOfView;
use super::opacity_map::OpacityMap;
use super::opacity_source::{OpacitySource, ReadOpacities};
use super::view_plan::Radii;
use crate::grid::{Grid, ToCell};
use crate::sight_config::{OctantParts, OctantSet, PathRule, RadiusShape, SightError, Weights};

impl FieldOfView {
    /// Computes the visibility of `to` from `from`, in [0, 1]: the value of the view of [`compute`](Self::compute), bit
    /// for bit, in less time. It is 0 beyond the radius, outside the sector of the configuration and off the map.
    ///
    /// For two parents the time is proportional to |dx| · |dy|: only the cells that can pass light to the target are
    /// read. Beams compute only the rays that touch the target, up to its distance, the exact method traces only the
    /// lines to it, and symmetric shadowcasting scans only the slopes of the target. Shadowcasting and ray casting take
    /// the time of a view, and so does every method on a source that is not an [`OpacityMap`]. Nothing is allocated
    /// after the first call, also if views are computed in between.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::from_text("..5...\n...#..")?; // a hedge and a wall
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(8))?;
    /// let (guard, thief) = (ivec2(0, 0), ivec2(5, 0));
    /// assert_eq!(fov.line_of_sight(&map, guard, thief)?, 0.5);
    /// assert_eq!(fov.line_of_sight(&map, guard, ivec2(9, 0))?, 0.0); // off the map
    /// let view = fov.compute(&map, guard)?;
    /// assert_eq!(view.get(thief), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute) from `from`.
    #[doc(alias = "los")]
    #[doc(alias = "line of sight")]
    pub fn line_of_sight(
        &mut self,
        source: impl OpacitySource,
        from: impl ToCell,
        to: impl ToCell,
    ) -> Result<f32, SightError> {
        match source.map() {
            Some(map) => self.visibility_between(map, from.to_cell(), to.to_cell()),
            None => Ok(self.compute(source, from)?.get(to)),
        }
    }

    fn visibility_between(&mut self, map: &OpacityMap, from: IVec2, to: IVec2) -> Result<f32, SightError> {
        self.plan(Some(map.extent()), from, None)?;
        if !map.grid().contains(to) {
            return Ok(0.0);
        }
        let (Self { config, plan, window, solvers, .. }, offset) = (self, to - from);
        if !config.shape_in_sight().contains(offset, config.radius) || !config.sector.contains(offset) {
            return Ok(0.0);
        }
        let raw = solvers.of(config.method).solve_cell(config, plan, map, window, offset);
        Ok(attenuate_one(raw, offset, has_exponents(config), &config.decay, config.radius))
    }

    /// Computes the mutual visibility of creatures. Each creature has a cell and a radius in cells. The value at column
    /// j and row i of the result is the visibility of creature j for creature i, in [0, 1]: 0 beyond the radius of i,
    /// and 1 if both are on the same cell.
    ///
    /// The values are always those of two parents with linear weights, since only these are symmetric, with the path
    /// rule and the decay of the configuration. Each pair is computed once, so that creatures with the same radius see
    /// each other equally well, to the bit. Method, weights, shape and sector of the configuration are not used.
    ///
    /// Only pairs in range take time: that of a [line of sight](Self::line_of_sight) for each pair, and for a creature
    /// with many others nearby about that of one view of their octants. On a source that is not an [`OpacityMap`] each
    /// creature takes the time of a view up to its farthest creature in range.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::from_text("....5...\n..#.....")?;
    /// let (player, guard, bat) = (((0, 0), 10), ((7, 0), 10), ((3, 1), 3));
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// let seen = fov.mutual(&map, &[player, guard, bat])?;
    /// assert_eq!((seen[ivec2(1, 0)], seen[ivec2(0, 1)]), (0.5, 0.5)); // player and guard, through a hedge
    /// assert!(seen[ivec2(2, 1)] > 0.0); // the guard sees the bat
    /// assert_eq!(seen[ivec2(1, 2)], 0.0); // which does not see so far
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] and [`SightError::RadiusTooLarge`], for the first creature for which a view would fail.
    pub fn mutual<P: ToCell + Copy>(
        &mut self,
        mut source: impl OpacitySource,
        creatures: &[(P, u32)],
    ) -> Result<Grid<f32>, SightError> {
        let creatures: Vec<(IVec2, u32)> = creatures.iter().map(|&(cell, radius)| (cell.to_cell(), radius)).collect();
        self.mutual_visibilities(&mut source, &creatures)
    }

    fn mutual_visibilities(
        &mut self,
        source: &mut dyn ReadOpacities,
        creatures: &[(IVec2, u32)],
    ) -> Result<Grid<f32>, SightError> {
        let extent = source.extent();
        let mut reach = 0;
        for &(cell, radius) in creatures {
            reach = reach.max(Radii::new(RadiusShape::Circle, radius, extent, cell)?.in_sight);
        }
        let mut seen = Grid::new(creatures.len(), creatures.len(), 0.0);
        let mut near = std::mem::take(&mut self.near);
        for (i, &(from, radius)) in creatures.iter().enumerate() {
            near.clear();
            let (mut octants, mut farthest) = (0, 0);
            for (j, &(to, target_radius)) in creatures.iter().enumerate().skip(i) {
                let distance = squared_distance(to - from);
                if distance <= squared(radius.max(target_radius)) {
                    near.push(j);
                    octants |= octants_of(to - from);
                    farthest = farthest.max(distance);
                }
            }
            let is_crowd = match source.map() {
                Some(map) => {
                    near.len() > Self::CROWD
                        && reach <= Self::CROWD_REACH
                        && self.crowd.compute(map, from, reach, &OctantParts::whole(OctantSet(octants)))
                }
                None => {
                    let distance = (farthest as f64).sqrt().ceil() as u32;
                    self.crowd.compute_source(source, from, distance)?;
                    true
                }
            };
            for &j in &near {
                let (to, target_radius) = creatures[j];
                let offset = to - from;
                let raw = match source.map() {
                    Some(map) if !is_crowd => {
                        self.solvers.two_parent.raw_of_target(map, from, offset, reach, Weights::Linear)
                    }
                    _ => self.crowd.raw(offset),
                };
                let (path, distance) = (self.config.path == PathRule::PerLength, squared_distance(offset));
                let attenuated = |radius| attenuate_one(raw, offset, path, &self.config.decay, radius);
                let value = attenuated(radius);
                if distance <= squared(radius) {
                    seen[ivec2(j as i32, i as i32)] = value;
                }
                if distance <= squared(target_radius) {
                    seen[ivec2(i as i32, j as i32)] =
                        if target_radius == radius { value } else { attenuated(target_radius) };
                }
            }
        }
        self.near = near;
        Ok(seen)
    }

    /// The minimum number of creatures within the radius of another for which one view takes less time than lines.
    const CROWD: usize = 12;

    /// The maximum radius for views: the window of a larger radius takes much memory.
    const CROWD_REACH: u32 = 256;
}

/// Returns the square of a distance between two cells of a map.
fn squared_distance(offset: IVec2) -> u64 {
    offset.as_i64vec2().length_squared() as u64
}

fn squared(radius: u32) -> u64 {
    u64::from(radius) * u64::from(radius)
}

/// Returns the octants in which a sweep writes a cell at an offset, as bits: octant k has the directions from 45° · k
/// to 45° · (k + 1).
// A table, since branches on the directions of a crowd are mispredicted.
fn octants_of(offset: IVec2) -> u8 {
    const OCTANTS: [u8; 8] = [6, 1, 5, 2, 7, 0, 4, 3];
    let is_vertical = offset.x.abs() <= offset.y.abs();
    let sides = usize::from(offset.x >= 0) | usize::from(offset.y >= 0) << 1 | usize::from(is_vertical) << 2;
    let octant = OCTANTS[sides];
    // Both octants next to the viewer's column contain it. An octant that is not swept would clear it.
    1 << octant | u8::from(offset.x == 0) << (7 - octant)
}
