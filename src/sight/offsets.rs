//! [`OffsetList`]: the offsets of a radius, nearest first, with parents and weights.

use std::ops::RangeInclusive;

use glam::{IVec2, ivec2};

use crate::grid::Grid;
use crate::sight_config::{SightConfig, Weights};

/// All offsets of a radius, sorted by distance (ties by dy, then dx), with their parents and weights.
///
/// The offsets of any smaller radius are a prefix of the list. Every parent comes before its children, so one pass over the
/// list computes every cell.
///
/// A list takes 20 bytes for each offset: 0.26 MB for radius 64, 16 MB for radius 512, 1 GB for radius 4096.
///
/// ```
/// use farsight::sight::{OffsetList, Weights};
/// use farsight::glam::ivec2;
/// let list = OffsetList::new(5, Weights::Projection);
/// let offset = list.iter().find(|o| o.cell == ivec2(-2, -4)).unwrap();
/// let [straight, diagonal] = [list.get(offset.straight), list.get(offset.diagonal)].map(Option::unwrap);
/// assert_eq!((straight.cell, diagonal.cell), (ivec2(-2, -3), ivec2(-1, -3)));
/// assert!((offset.straight_weight() - 0.8944).abs() < 1e-4);
/// assert!((offset.diagonal_weight - 0.1056).abs() < 1e-4);
/// ```
///
/// The pass that defines the two-parent method, without decay:
///
/// ```
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::sight::{OffsetList, Weights};
/// let map = OpacityMap::from_text("..3...\n...#..\n......")?;
/// let viewer = farsight::glam::ivec2(1, 1);
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(5))?;
/// let view = fov.compute(&map, viewer)?;
/// let list = OffsetList::new(5, Weights::Linear);
/// let mut passing = vec![1.0]; // the light that passes each cell: all of it passes the viewer's
/// for offset in list.iter().skip(1) {
///     let [a, b] = [offset.straight, offset.diagonal].map(|parent| passing[parent as usize]);
///     let raw = offset.straight_weight() * a + offset.diagonal_weight * b;
///     let opacity = map.get(viewer + offset.cell).unwrap_or(1.0); // nothing passes the edge of the map
///     passing.push(raw * (1.0 - opacity));
///     assert!(map.get(viewer + offset.cell).is_none() || view.get(viewer + offset.cell) == raw);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetList {
    radius: u32,
    weights: Weights,
    offsets: Vec<Offset>,
}

/// One entry of an [`OffsetList`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset {
    /// The offset of the cell from the viewer.
    pub cell: IVec2,
    /// The index of parent A in the list: one step back along the longer axis.
    pub straight: u32,
    /// The index of parent B in the list: one step back along both axes. On an axis it is parent A.
    pub diagonal: u32,
    /// The weight of parent B, in [0, 1]: 0 on the axes, 1 on the exact diagonals.
    pub diagonal_weight: f32,
}

impl Offset {
    /// Returns the weight of parent A, in [0, 1].
    #[inline]
    pub fn straight_weight(&self) -> f32 {
        1.0 - self.diagonal_weight
    }

    /// Returns the distance from the viewer in cells, √(dx² + dy²).
    #[inline]
    pub fn distance(&self) -> f64 {
        f64::from(self.distance_squared()).sqrt()
    }

    /// Returns dx² + dy².
    #[inline]
    pub fn distance_squared(&self) -> u32 {
        self.cell.length_squared() as u32
    }

    /// Returns the number of a chess king's moves from the viewer, max(|dx|, |dy|).
    #[inline]
    pub fn steps(&self) -> u32 {
        self.cell.x.unsigned_abs().max(self.cell.y.unsigned_abs())
    }

    /// Returns the indices and weights of the parents whose weight is not 0: none for the viewer's own cell, one on
    /// axes and diagonals, two elsewhere.
    pub fn parents(&self) -> impl Iterator<Item = (u32, f32)> + use<> {
        let is_viewer = self.cell == IVec2::ZERO;
        [(self.straight, self.straight_weight()), (self.diagonal, self.diagonal_weight)]
            .into_iter()
            .filter(move |&(_, weight)| !is_viewer && weight > 0.0)
    }
}

impl OffsetList {
    /// Creates the list of all offsets with dx² + dy² ≤ radius².
    ///
    /// # Panics
    /// If `radius` is above [`SightConfig::MAX_RADIUS`].
    pub fn new(radius: u32, weights: Weights) -> Self {
        assert!(
            radius <= SightConfig::MAX_RADIUS,
            "a list of radius {radius} is too large; at most {} is accepted",
            SightConfig::MAX_RADIUS
        );
        let mut offsets = sorted_by_distance(radius);
        let (side, centre) = (2 * radius as usize + 1, IVec2::splat(radius as i32));
        let mut index = Grid::new(side, side, 0);
        for (i, offset) in (0..).zip(&offsets) {
            index[centre + offset.cell] = i;
        }
        for offset in &mut offsets {
            [offset.straight, offset.diagonal] = parents(offset.cell).map(|parent| index[centre + parent]);
            offset.diagonal_weight = diagonal_weight(offset.cell, weights);
        }
        Self { radius, weights, offsets }
    }

    /// Returns the radius of the list in cells.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// Returns the weights of the list.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// Returns the number of offsets, including the viewer's own cell.
    #[expect(clippy::len_without_is_empty, reason = "a list always has the viewer's own cell")]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns the offset at `index`.
    pub fn get(&self, index: u32) -> Option<&Offset> {
        self.offsets.get(index as usize)
    }

    /// Returns the offsets, nearest first.
    pub fn iter(&self) -> std::slice::Iter<'_, Offset> {
        self.offsets.iter()
    }

    /// Returns the offsets, nearest first, as a slice.
    pub fn as_slice(&self) -> &[Offset] {
        &self.offsets
    }

    /// Returns the number of offsets within a smaller radius, which is the length of its prefix.
    pub fn prefix_len(&self, radius: u32) -> usize {
        let limit = u64::from(radius).pow(2);
        self.offsets.partition_point(|offset| u64::from(offset.distance_squared()) <= limit)
    }
}

/// Returns the straight parent (one step along the longer axis; x if both are equal) and the diagonal parent (one step
/// along both axes) of an offset. The viewer's own cell is its own parent.
fn parents(cell: IVec2) -> [IVec2; 2] {
    let (along, across) = axes(cell);
    [cell - along, cell - along - across]
}

/// Returns a step along the longer axis of an offset (x if both are equal), and one along the shorter.
pub(crate) fn axes(offset: IVec2) -> (IVec2, IVec2) {
    let step = offset.signum();
    let [x, y] = [ivec2(step.x, 0), ivec2(0, step.y)];
    if offset.x.abs() >= offset.y.abs() { (x, y) } else { (y, x) }
}

/// Returns the weight of the diagonal parent. It is exactly 0 on axes and exactly 1 on diagonals.
pub(crate) fn diagonal_weight(cell: IVec2, weights: Weights) -> f32 {
    let (x, y) = (cell.x.abs(), cell.y.abs());
    let (long, short) = (x.max(y), x.min(y));
    match weights {
        _ if short == 0 => 0.0,
        Weights::Linear => linear_weight(short, long),
        _ if short == long => 1.0,
        Weights::Projection => (1.0 - f64::from(long) / f64::from(cell.length_squared()).sqrt()) as f32,
    }
}

/// Returns the cells of a layer that pass light to a target, by their steps across. With the target at `steps` along
/// and `ranks` across, they are at most `ranks` across, and near enough to reach it.
#[inline]
pub(crate) fn ancestor_ranks([steps, ranks]: [i32; 2], layer: i32) -> RangeInclusive<i32> {
    (ranks - (steps - layer)).max(0)..=ranks.min(layer)
}

/// Returns the weight of the diagonal parent `short` cells across and `long` cells along, with the bits of all kernels:
/// M · (1/M) may differ from 1.
pub(crate) const fn linear_weight(short: i32, long: i32) -> f32 {
    if short == long { 1.0 } else { short as f32 * (1.0 / long as f32) }
}

/// Returns the offsets by squared distance, with a counting sort. Rows are visited in order, so ties are sorted by dy,
/// dx.
fn sorted_by_distance(radius: u32) -> Vec<Offset> {
    let radius = radius as i32;
    let in_range = |cell: &IVec2| cell.length_squared() <= radius * radius;
    let cells = || (-radius..=radius).flat_map(move |y| (-radius..=radius).map(move |x| ivec2(x, y))).filter(in_range);

    let mut start = vec![0u32; (radius * radius) as usize + 2];
    for cell in cells() {
        start[cell.length_squared() as usize + 1] += 1;
    }
    for i in 1..start.len() {
        start[i] += start[i - 1];
    }
    let unset = Offset { cell: IVec2::ZERO, straight: 0, diagonal: 0, diagonal_weight: 0.0 };
    let mut sorted = vec![unset; start[start.len() - 1] as usize];
    for cell in cells() {
        let slot = &mut start[cell.length_squared() as usize];
        sorted[*slot as usize].cell = cell;
        *slot += 1;
    }
    sorted
}
