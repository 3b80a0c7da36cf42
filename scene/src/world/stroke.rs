//! [`Stroke`]: a line of a brush over the land; [`Brush`]: its effect; [`Footprint`]: the cells in its reach.

use std::ops::RangeInclusive;

use glam::{DVec2, IVec2};
use serde::{Deserialize, Serialize};

use farsight::grid::{CellRect, Grid};
use farsight::internal::math::hermite;
use farsight::named_enum;
use farsight::setters;

named_enum! {
    /// The effect of a [`Stroke`] on the cells in its reach.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Brush: "brush" {
        /// Raises the ground.
        Raise = "raise",
        /// Lowers the ground. Ground below sea level becomes sea, unless the land has no sea.
        Lower = "lower",
        /// Moves the ground towards the mean height of the ground around it.
        Smooth = "smooth",
        /// Moves the ground towards the height at the first point.
        Flatten = "flatten",
        /// Digs down to the height at the first point, and fills the hole with water.
        Water = "water",
        /// Makes plants denser.
        Plant = "plant",
        /// Removes plants.
        Clear = "clear",
        /// Walls of an opacity map or dungeon.
        Wall = "wall",
        /// Cells with the strength of the stroke as opacity.
        Hedge = "hedge",
        /// Clear cells.
        Floor = "floor",
        /// Closed doors.
        Door = "door",
        /// Cells of a transmittance of 0.9.
        Window = "window",
    }
}

impl Brush {
    /// The opacity of a cell painted by [`Window`](Self::Window).
    pub const WINDOW_OPACITY: f32 = 0.1;

    /// Returns `true` for a brush of worlds, `false` for one of opacity maps and dungeons.
    pub fn is_of_worlds(self) -> bool {
        match self {
            Self::Raise | Self::Lower | Self::Smooth | Self::Flatten | Self::Water | Self::Plant | Self::Clear => true,
            Self::Wall | Self::Hedge | Self::Floor | Self::Door | Self::Window => false,
        }
    }

    /// Returns `true` if the brush changes the ground or the water of a world.
    pub fn changes_ground(self) -> bool {
        self.is_of_worlds() && !matches!(self, Self::Plant | Self::Clear)
    }
}

/// A line of a brush over the land, an entry of `[[strokes]]`. Strokes are painted in their order, and are a part of
/// the description of a scene: the same strokes on the same land give bit-identical land.
///
/// A stroke reaches cells by their distance d from the line through its points, in cells. On an opacity map it paints the cells with
/// d ≤ `radius` + ½. In a world the weight of a cell is `strength` · h(1 − d / (`radius` + 1)), where h(t) = 3t² − 2t³,
/// so that hills have round tops and no edge; a line that crosses itself counts once. Strokes are clipped to the map.
///
/// ```
/// use farsight::Job;
/// use farsight::glam::ivec2;
/// use farsight_scene::preset::Preset;
/// use farsight_scene::scene::Scene;
/// use farsight_scene::world::{Brush, Stroke};
/// let mut preset = Preset::shipped_default();
/// (preset.world.width, preset.world.height, preset.sight.radius) = (64, 64, 16);
/// let mut scene = Scene::generate(preset, None, Job::none())?;
/// let ground = |scene: &Scene| scene.world().map(|world| world.elevation_m()[ivec2(30, 20)]);
/// let before = ground(&scene);
/// let ridge = Stroke::new(Brush::Raise, [(20, 20), (40, 20)]).with_radius(5).with_strength(1.0);
/// assert_eq!(ridge.height_m(100.0), 600.0); // in the middle of the line, over cells of 100 m
/// scene.paint(ridge)?;
/// assert!(ground(&scene) > before);
/// scene.set_strokes(vec![])?;
/// assert_eq!(ground(&scene), before);
/// # Ok::<(), farsight_scene::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Stroke {
    /// Its effect.
    pub brush: Brush,
    /// The vertices of the line, as cells: 1 to [`MAX_POINTS`](Self::MAX_POINTS). They can be off the map.
    pub points: Vec<IVec2>,
    /// Its maximum distance from the line, in cells, 0 to 100; 0 is a line of single cells.
    #[serde(default = "Stroke::default_radius")]
    pub radius: u32,
    /// The strength of its effect, 0 to 1. The opacity of a hedge.
    #[serde(default = "Stroke::default_strength")]
    pub strength: f64,
    /// Whether rain, rivers, humidity and plants of a generated world or measured ground follow the land after this
    /// stroke and the earlier ones. Ignored on opacity maps, and on a window of a raster, which has no climate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settles: bool,
}

impl Stroke {
    /// The maximum number of points of a stroke.
    pub const MAX_POINTS: usize = 1000;
    /// The maximum number of strokes of a scene.
    pub const MAX_STROKES: usize = 1000;
    /// The accepted [`radius`](field@Self::radius), in cells.
    pub const RADIUS: RangeInclusive<u32> = 0..=100;
    /// The accepted [`strength`](field@Self::strength).
    pub const STRENGTH: RangeInclusive<f64> = 0.0..=1.0;

    /// Creates a stroke with a radius of 4 cells and half the strength.
    pub fn new<P: Into<IVec2>>(brush: Brush, points: impl IntoIterator<Item = P>) -> Self {
        let points = points.into_iter().map(Into::into).collect();
        Self { brush, points, radius: Self::default_radius(), strength: Self::default_strength(), settles: false }
    }

    setters! {
        with_radius(radius: u32), with_strength(strength: f64), with_settles(settles: bool),
    }

    /// Returns the metres by which it raises or lowers the ground on its line, over cells with a side of `cell_size_m`:
    /// the strength times the radius + 1, so that hills of any size have the same slope.
    pub fn height_m(&self, cell_size_m: f64) -> f64 {
        self.strength * f64::from(self.radius + 1) * cell_size_m
    }

    fn default_radius() -> u32 {
        4
    }

    fn default_strength() -> f64 {
        0.5
    }

    /// Returns the segments between its points, with a degenerate segment for a single point.
    fn segments(&self) -> impl Iterator<Item = [IVec2; 2]> + '_ {
        let dot = (self.points.len() == 1).then(|| [self.points[0]; 2]);
        self.points.windows(2).map(|pair| [pair[0], pair[1]]).chain(dot)
    }

    /// Returns the cells of a map that can be near a segment.
    fn near(&self, segment: [IVec2; 2], size: IVec2) -> CellRect {
        let [from, to] = segment;
        let reach = IVec2::splat(self.radius as i32 + 1);
        let near = CellRect { min: from.min(to).saturating_sub(reach), max: from.max(to).saturating_add(reach + 1) };
        near.intersect(CellRect::of_size(size))
    }

    /// Biomes follow from slopes, which are differences over this many cells to each side.
    const SLOPE_REACH: i32 = 2;

    /// Returns the part of its line that another stroke of the same kind lacks: it starts at the last point of their
    /// common prefix, or is the whole line without a common prefix.
    fn new_part(&self, other: &Self) -> Self {
        let is_alike = (self.brush, self.radius, self.strength) == (other.brush, other.radius, other.strength);
        let same =
            self.points.iter().zip(&other.points).take_while(|(point, other)| is_alike && point == other).count();
        Self { points: self.points[same.saturating_sub(1)..].to_vec(), ..self.clone() }
    }

    /// Returns the number of comparisons of cells with segments on a map of a size.
    pub(crate) fn work(&self, size: IVec2) -> f64 {
        let near = self.segments().map(|segment| self.near(segment, size));
        near.map(|near| near.width() as f64 * near.height() as f64).sum()
    }

    /// Returns the cells of a map that can differ after it is painted: those in its reach and, in a world, those with a
    /// biome that depends on them. Empty if it is off the map.
    pub(crate) fn reach(&self, size: IVec2) -> CellRect {
        let bounds = self.bounds(size);
        if bounds.size() == IVec2::ZERO {
            return bounds;
        }
        let around = IVec2::splat(if self.brush.is_of_worlds() { Self::SLOPE_REACH } else { 0 });
        CellRect { min: bounds.min - around, max: bounds.max + around }.intersect(CellRect::of_size(size))
    }

    /// Returns the bounding rectangle of its reach on the map; empty if it is off the map.
    pub(crate) fn bounds(&self, size: IVec2) -> CellRect {
        let near = self.segments().map(|segment| self.near(segment, size));
        near.filter(|near| near.width() > 0 && near.height() > 0)
            .reduce(CellRect::cover)
            .unwrap_or(CellRect { min: IVec2::ZERO, max: IVec2::ZERO })
    }
}

/// Returns the strokes up to the last that [settles](field@Stroke::settles) climate and rivers.
pub(crate) fn settling_strokes(strokes: &[Stroke]) -> &[Stroke] {
    &strokes[..strokes.iter().rposition(|stroke| stroke.settles).map_or(0, |last| last + 1)]
}

/// Returns the length of the common prefix of two lists of strokes.
pub(crate) fn common_strokes(old: &[Stroke], new: &[Stroke]) -> usize {
    old.iter().zip(new).take_while(|(old, new)| old == new).count()
}

/// Returns the cells of a map that can differ between land with old and new strokes; `None` without such cells. For a
/// stroke that has grown, those are only the cells near its new part.
pub(crate) fn differing_cells(old: &[Stroke], new: &[Stroke], size: IVec2) -> Option<CellRect> {
    let same = common_strokes(old, new);
    let reach = match (&old[same..], &new[same..]) {
        ([old], [new]) => [old.new_part(new), new.new_part(old)].map(|part| part.reach(size)).to_vec(),
        (old, new) => old.iter().chain(new).map(|stroke| stroke.reach(size)).collect(),
    };
    reach.into_iter().filter(|reach| reach.width() > 0 && reach.height() > 0).reduce(CellRect::cover)
}

/// The distances of cells of a map from the line of a stroke.
pub(crate) struct Footprint {
    /// The cells.
    pub(crate) rect: CellRect,
    /// Squared distances; infinite for cells out of reach.
    squared: Grid<f64>,
    radius: f64,
    strength: f64,
}

impl Footprint {
    pub(crate) fn new(stroke: &Stroke, size: IVec2) -> Self {
        let rect = stroke.bounds(size);
        let mut squared = Grid::new(rect.width(), rect.height(), f64::INFINITY);
        for segment in stroke.segments() {
            let [from, to] = segment.map(IVec2::as_dvec2);
            let line = to - from;
            let squared_length = line.length_squared();
            let near = stroke.near(segment, size);
            for y in near.min.y..near.max.y {
                let row = squared.row_mut((y - rect.min.y) as usize);
                for x in near.min.x..near.max.x {
                    let offset = DVec2::new(x.into(), y.into()) - from;
                    let along = if squared_length > 0.0 { offset.dot(line) / squared_length } else { 0.0 };
                    let distance = (offset - along.clamp(0.0, 1.0) * line).length_squared();
                    let nearest = &mut row[(x - rect.min.x) as usize];
                    *nearest = nearest.min(distance);
                }
            }
        }
        Self { rect, squared, radius: stroke.radius.into(), strength: stroke.strength }
    }

    /// Returns the cells within the radius.
    pub(crate) fn covered(&self) -> impl Iterator<Item = IVec2> + '_ {
        let reach = (self.radius + 0.5) * (self.radius + 0.5);
        self.squared.iter().filter(move |(_, squared)| **squared <= reach).map(|(offset, _)| self.rect.min + offset)
    }

    /// Returns the cells with a weight, and their weights, above 0 and at most 1.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (IVec2, f32)> + '_ {
        self.squared.iter().filter_map(|(offset, &squared)| {
            let near = 1.0 - squared.sqrt() / (self.radius + 1.0);
            let share = if near > 0.0 { (self.strength * hermite(near)) as f32 } else { 0.0 };
            (share > 0.0).then_some((self.rect.min + offset, share))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn distances_are_those_from_the_nearest_point_of_the_line() {
        let stroke = Stroke::new(Brush::Raise, [(3, 4), (17, 9), (17, 9), (6, 15)]).with_radius(4).with_strength(1.0);
        let size = ivec2(20, 18);
        let footprint = Footprint::new(&stroke, size);
        let steps = 4000;
        let on_line: Vec<DVec2> = stroke
            .points
            .windows(2)
            .flat_map(|pair| {
                let [from, to] = [pair[0], pair[1]].map(IVec2::as_dvec2);
                (0..=steps).map(move |i| from.lerp(to, f64::from(i) / f64::from(steps)))
            })
            .collect();
        let covered: Vec<IVec2> = footprint.covered().collect();
        let shares: Vec<(IVec2, f32)> = footprint.shares().collect();
        let mut near = 0;
        for cell in CellRect::of_size(size).cells() {
            let distance = on_line.iter().map(|point| point.distance(cell.as_dvec2())).fold(f64::INFINITY, f64::min);
            if (distance - 4.5).abs() > 1e-3 {
                assert_eq!(covered.contains(&cell), distance < 4.5, "{cell} at {distance}");
            }
            let wanted = hermite((1.0 - distance / 5.0).max(0.0));
            let found = shares.iter().find(|(at, _)| *at == cell).map_or(0.0, |(_, share)| f64::from(*share));
            assert!((wanted - found).abs() < 1e-4, "{cell}: {found}, not {wanted}");
            near += usize::from(found > 0.0);
        }
        assert!(near > 80 && near == shares.len());
    }

    #[test]
    fn strokes_off_the_map_are_cut() {
        let size = ivec2(10, 10);
        let off = Stroke::new(Brush::Wall, [(-50, 3), (-20, 3)]);
        assert_eq!(Footprint::new(&off, size).covered().count(), 0);
        assert_eq!(off.bounds(size).size(), IVec2::ZERO);
        let across = Stroke::new(Brush::Wall, [(-1_000_000, 5), (i32::MAX, 5)]).with_radius(0);
        let cells: Vec<IVec2> = Footprint::new(&across, size).covered().collect();
        assert_eq!(cells, (0..10).map(|x| ivec2(x, 5)).collect::<Vec<_>>());
        let extreme = Stroke::new(Brush::Wall, [(i32::MIN, i32::MIN), (i32::MAX, i32::MAX)]).with_radius(100);
        assert!(Footprint::new(&extreme, size).covered().count() <= 100);
        assert_eq!(extreme.work(size), 100.0);
    }
}
