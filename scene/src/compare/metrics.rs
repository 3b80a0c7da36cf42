//! The metrics: errors against a reference, asymmetry, also of a world, where opacities depend on the eye, and counts
//! of wrong cells.

use glam::{IVec2, ivec2};

use crate::preset::{DecaySettings, Preset, SightSettings};
use crate::scene::{Scene, SceneError, Terrain, check_more_views};
use farsight::Job;
use farsight::grid::Grid;
use farsight::sight::{MethodKind, OpacityMap, Sector, Weights};
use farsight::viewshed::Viewshed;

/// The minimum visibility of a seen cell in binary decisions.
pub const SEEN_AT: f32 = 0.5;

/// Errors of a field of view against a reference, over the cells of a mask.
///
/// ```
/// use farsight::Grid;
/// use farsight_scene::compare::Difference;
/// let found = Grid::from_vec(4, 1, vec![1.0, 1.0, 0.5, 0.0])?;
/// let reference = Grid::from_vec(4, 1, vec![1.0, 0.5, 0.25, 0.0])?;
/// let difference = Difference::between(&found, &reference, &Grid::new(4, 1, true))?;
/// assert_eq!((difference.seen, difference.agreement, difference.max_error), (3, 0.75, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Cells of the mask.
    pub cells: usize,
    /// Cells with a visibility of [`SEEN_AT`] or more.
    pub seen: usize,
    /// Cells that the reference shows with [`SEEN_AT`] or more.
    pub reference_seen: usize,
    /// The fraction of the cells that both classify alike, in [0, 1].
    pub agreement: f64,
    /// Root of the mean squared error, in [0, 1].
    pub rmse: f64,
    /// Mean of visibility − reference, in [−1, 1]: positive if it shows too much.
    pub bias: f64,
    /// Mean of |visibility − reference|, in [0, 1].
    pub mean_error: f64,
    /// Maximum of |visibility − reference|, in [0, 1].
    pub max_error: f64,
    /// The cell with the maximum error; the first in row order on a tie.
    pub worst: IVec2,
}

/// An error of a comparison of two fields of view.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricsError {
    /// Grids of different shapes.
    #[error("cannot compare {} cells with {}: the grids must be equally large", shape(*found), shape(*expected))]
    Shape {
        /// Columns and rows of the first.
        found: IVec2,
        /// Columns and rows of the second.
        expected: IVec2,
    },
    /// An empty mask.
    #[error("there is no cell to compare: the mask is empty")]
    NoCells,
}

fn shape(size: IVec2) -> String {
    format!("{}x{}", size.x, size.y)
}

fn same_shape(found: IVec2, expected: IVec2) -> Result<(), MetricsError> {
    if found == expected { Ok(()) } else { Err(MetricsError::Shape { found, expected }) }
}

impl Difference {
    /// Compares visibilities with a reference over the cells whose `mask` is true.
    ///
    /// # Errors
    /// [`MetricsError::Shape`] unless all three have the same shape; [`MetricsError::NoCells`] for an empty mask.
    pub fn between(found: &Grid<f32>, reference: &Grid<f32>, mask: &Grid<bool>) -> Result<Self, MetricsError> {
        same_shape(found.size(), reference.size())?;
        same_shape(mask.size(), reference.size())?;
        let (mut cells, mut seen, mut reference_seen, mut agree) = (0, 0, 0, 0);
        let (mut sum, mut absolute, mut squared) = (0.0, 0.0, 0.0);
        let (mut max_error, mut worst) = (-1.0, IVec2::ZERO);
        for ((cell, &value), (&expected, &compared)) in
            found.iter().zip(reference.as_slice().iter().zip(mask.as_slice()))
        {
            if !compared {
                continue;
            }
            let error = f64::from(value) - f64::from(expected);
            cells += 1;
            seen += usize::from(value >= SEEN_AT);
            reference_seen += usize::from(expected >= SEEN_AT);
            agree += usize::from((value >= SEEN_AT) == (expected >= SEEN_AT));
            sum += error;
            absolute += error.abs();
            squared += error * error;
            if error.abs() > max_error {
                (max_error, worst) = (error.abs(), cell);
            }
        }
        if cells == 0 {
            return Err(MetricsError::NoCells);
        }
        let count = cells as f64;
        Ok(Self {
            cells,
            seen,
            reference_seen,
            agreement: agree as f64 / count,
            rmse: (squared / count).sqrt(),
            bias: sum / count,
            mean_error: absolute / count,
            max_error,
            worst,
        })
    }
}

/// Differences between the two directions of a line of sight: |V(a→b) − V(b→a)| over pairs of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asymmetry {
    /// The number of pairs in which at least one cell sees the other.
    pub pairs: usize,
    /// The mean over those pairs, in [0, 1]; 0 without a pair.
    pub mean: f64,
    /// The maximum, in [0, 1]; 0 without a pair.
    pub max: f64,
    /// The first pair with the maximum, if there is a pair.
    pub worst: Option<[IVec2; 2]>,
}

impl Asymmetry {
    /// Measures all pairs of `cells`. `see(viewer, targets)` returns the visibility of every target from a viewer, in
    /// order. It is called once for every cell.
    ///
    /// Choose floor cells: classic methods treat a viewer in a wall and a target in a wall differently. Pairs in which
    /// neither cell sees the other are excluded.
    ///
    /// # Errors
    /// The errors of `see`.
    pub fn over<E>(cells: &[IVec2], mut see: impl FnMut(IVec2, &[IVec2]) -> Result<Vec<f32>, E>) -> Result<Self, E> {
        let views = cells.iter().map(|&viewer| see(viewer, cells)).collect::<Result<Vec<_>, E>>()?;
        let value = |from: usize, to: usize| f64::from(views[from].get(to).copied().unwrap_or(0.0));
        let mut found = Self { pairs: 0, mean: 0.0, max: 0.0, worst: None };
        let mut sum = 0.0;
        for first in 0..cells.len() {
            for second in first + 1..cells.len() {
                let (forward, backward) = (value(first, second), value(second, first));
                if forward == 0.0 && backward == 0.0 {
                    continue;
                }
                let gap = (forward - backward).abs();
                found.pairs += 1;
                sum += gap;
                if found.worst.is_none() || gap > found.max {
                    found.max = gap;
                    found.worst = Some([cells[first], cells[second]]);
                }
            }
        }
        if found.pairs > 0 {
            found.mean = sum / found.pairs as f64;
        }
        Ok(found)
    }
}

/// Returns at most `count` of the cells, evenly spaced in their order. The choice is always the same.
pub fn spread(cells: &[IVec2], count: usize) -> Vec<IVec2> {
    let count = count.min(cells.len());
    (0..count).map(|i| cells[(2 * i + 1) * cells.len() / (2 * count)]).collect()
}

/// Returns `true` for the cells of a grid of this size within a radius of the viewer: dx² + dy² ≤ radius².
pub fn within(size: IVec2, viewer: IVec2, radius: u32) -> Grid<bool> {
    let limit = f64::from(radius) * f64::from(radius);
    Grid::from_fn(size.x.max(0) as usize, size.y.max(0) as usize, |cell| {
        (cell.as_dvec2() - viewer.as_dvec2()).length_squared() <= limit
    })
}

/// Returns the visible cells without a visible parent: islands of light.
///
/// A cell is visible above 0. Its parents are one step nearer to the viewer: along the longer axis, and along both axes;
/// on axes and exact diagonals there is one parent.
pub fn orphans(view: &Grid<f32>, viewer: IVec2) -> Vec<IVec2> {
    let visible = |cell| view.get(cell).is_some_and(|&value| value > 0.0);
    let lit = view.iter().filter(|(_, value)| **value > 0.0).map(|(cell, _)| cell);
    lit.filter(|&cell| cell != viewer && !parents(cell - viewer).into_iter().any(|way| visible(viewer + way))).collect()
}

/// Returns the hidden walls within the mask that are directly behind visible floor: one step nearer to the viewer,
/// along x or along y, is a clear, visible cell. They are holes in the walls of rooms.
///
/// A wall has an opacity of [`SEEN_AT`] or more; a seen cell has a visibility of [`SEEN_AT`] or more.
///
/// # Errors
/// [`MetricsError::Shape`] unless all three have the same shape.
pub fn hidden_walls(
    view: &Grid<f32>,
    opacity: &Grid<f32>,
    mask: &Grid<bool>,
    viewer: IVec2,
) -> Result<Vec<IVec2>, MetricsError> {
    select(view, opacity, mask, |cell, wall, seen| {
        let step = (cell - viewer).signum();
        let before = [cell - ivec2(step.x, 0), cell - ivec2(0, step.y)];
        wall(cell) && !seen(cell) && before.into_iter().any(|cell| seen(cell) && !wall(cell))
    })
}

/// Returns the hidden cells within the mask whose parents (see [`orphans`]) are all clear and visible.
///
/// A wall has an opacity of [`SEEN_AT`] or more; a seen cell has a visibility of [`SEEN_AT`] or more.
///
/// # Errors
/// [`MetricsError::Shape`] unless all three have the same shape.
pub fn blind_spots(
    view: &Grid<f32>,
    opacity: &Grid<f32>,
    mask: &Grid<bool>,
    viewer: IVec2,
) -> Result<Vec<IVec2>, MetricsError> {
    select(view, opacity, mask, |cell, wall, seen| {
        let before = parents(cell - viewer).map(|way| viewer + way);
        !seen(cell) && before.into_iter().all(|cell| seen(cell) && !wall(cell))
    })
}

/// Returns the cells of the mask for which `odd(cell, wall, seen)` is `true`.
fn select(
    view: &Grid<f32>,
    opacity: &Grid<f32>,
    mask: &Grid<bool>,
    odd: impl Fn(IVec2, &dyn Fn(IVec2) -> bool, &dyn Fn(IVec2) -> bool) -> bool,
) -> Result<Vec<IVec2>, MetricsError> {
    same_shape(view.size(), opacity.size())?;
    same_shape(mask.size(), opacity.size())?;
    let wall = |cell: IVec2| opacity.get(cell).is_some_and(|&opacity| opacity >= SEEN_AT);
    let seen = |cell: IVec2| view.get(cell).is_some_and(|&value| value >= SEEN_AT);
    let compared = mask.iter().filter(|(_, compared)| **compared).map(|(cell, _)| cell);
    Ok(compared.filter(|&cell| odd(cell, &wall, &seen)).collect())
}

/// Counts of [`room_walls_missed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissedWalls {
    /// Walls with a visibility below [`SEEN_AT`].
    pub missed: usize,
    /// All walls.
    pub walls: usize,
}

/// Counts the hidden walls of an empty, convex room, summed over every viewer in it. All walls should be visible, since
/// nothing is in between.
///
/// The room has `floor` (columns, rows) clear cells, each at least one, inside a ring of walls. `see` returns the
/// visibility of every cell of the map, in the shape of the map.
///
/// # Errors
/// The errors of `see`.
pub fn room_walls_missed<E>(
    floor: IVec2,
    mut see: impl FnMut(&OpacityMap, IVec2) -> Result<Grid<f32>, E>,
) -> Result<MissedWalls, E> {
    let floor = floor.max(IVec2::ONE);
    let inside = |cell: IVec2| cell.cmpge(IVec2::ONE).all() && cell.cmple(floor).all();
    let wall = Grid::from_fn(floor.x as usize + 2, floor.y as usize + 2, |cell| if inside(cell) { 0.0 } else { 1.0 });
    let room = OpacityMap::try_from(wall).expect("a room of zeros and ones is a map");
    let [mut missed, mut walls] = [0, 0];
    for (viewer, _) in room.grid().iter().filter(|(cell, _)| inside(*cell)) {
        let view = see(&room, viewer)?;
        for (cell, _) in room.grid().iter().filter(|(cell, _)| !inside(*cell)) {
            walls += 1;
            missed += usize::from(!view.get(cell).is_some_and(|&value| value >= SEEN_AT));
        }
    }
    Ok(MissedWalls { missed, walls })
}

/// Returns the two parents of an offset; both are equal if there is only one.
fn parents(offset: IVec2) -> [IVec2; 2] {
    let step = offset.signum();
    let (x, y) = (offset.x.abs(), offset.y.abs());
    let straight = if x > y { ivec2(step.x, 0) } else { ivec2(0, step.y) };
    [offset - if x == y { step } else { straight }, offset - step]
}

/// Measures the asymmetry of two parents with linear weights in a world, between at most `cells` cells within the radius of
/// the viewer, evenly spaced. Each cell has its own eye: relief and woods are opaque to a low eye and clear to a high
/// one, so that the method is not symmetric, although it is symmetric on opacities that do not depend on the eye.
///
/// `None` without a world: the opacities of a map are the same for all eyes.
///
/// # Errors
/// [`SceneError::Memory`], [`SceneError::Sight`].
pub fn eye_asymmetry(scene: &Scene, cells: usize, job: Job<'_>) -> Result<Option<Asymmetry>, SceneError> {
    let Terrain::World(optics) = scene.terrain() else { return Ok(None) };
    let (frame, viewer, radius) = (scene.sight_frame(), scene.viewer(), scene.radius());
    let is_in_sight = |cell: &IVec2| {
        (*cell - viewer).as_i64vec2().length_squared() <= i64::from(radius).pow(2) && scene.terrain().has_data(*cell)
    };
    let sight = SightSettings {
        // The distance between two cells is up to the diameter of the disc.
        radius: 2 * radius,
        method: MethodKind::TwoParent,
        weights: Weights::Linear,
        decay: DecaySettings::default(),
        sector: Sector::ALL,
        ..scene.preset().sight.clone()
    };
    let preset = Preset { sight, viewers: Vec::new(), ..scene.preset().clone() };
    let what = format!("a comparison with an eye on each cell, of radius {radius},");
    check_more_views(scene.size(), &preset, 1, size_of::<IVec2>() as u64, &what)?;
    let rows = frame.min.y..frame.max.y;
    let in_sight: Vec<IVec2> =
        rows.flat_map(|y| (frame.min.x..frame.max.x).map(move |x| ivec2(x, y))).filter(is_in_sight).collect();
    let mut viewshed = Viewshed::new(preset.sight.config())?;
    Asymmetry::over(&spread(&in_sight, cells), |from, targets| {
        let view = optics.view(&mut viewshed, from, job)?;
        Ok(targets.iter().map(|&to| view.get(to)).collect())
    })
    .map(Some)
}
