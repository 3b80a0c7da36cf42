//! The figures: errors against a reference, asymmetry, and counts of cells that look wrong.

use glam::{IVec2, ivec2};

use crate::grid::Grid;
use crate::sight::OpacityMap;

/// The visibility from which a cell counts as seen where the answer must be yes or no.
pub const SEEN_AT: f32 = 0.5;

/// How far a field of view is from a reference, over the cells of a mask.
///
/// ```
/// use farsight::Grid;
/// use farsight::compare::Difference;
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
    /// The same of the reference.
    pub reference_seen: usize,
    /// Share of the cells that both count as seen or both do not, in [0, 1].
    pub agreement: f64,
    /// Root of the mean squared error, in [0, 1].
    pub rmse: f64,
    /// Mean of visibility − reference, in [−1, 1]: above 0 it shows too much.
    pub bias: f64,
    /// Mean of |visibility − reference|, in [0, 1].
    pub mean_error: f64,
    /// Greatest |visibility − reference|, in [0, 1].
    pub max_error: f64,
    /// The first cell, row after row, with the greatest error.
    pub worst: IVec2,
}

/// Why two fields of view could not be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricsError {
    /// Grids of different shapes.
    #[error("cannot compare {} cells with {}: the grids must be equally large", shape(*found), shape(*expected))]
    Shape {
        /// Columns and rows of the one.
        found: IVec2,
        /// Columns and rows of the other.
        expected: IVec2,
    },
    /// A mask without a cell.
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
    /// [`MetricsError::Shape`] unless all three are equally large; [`MetricsError::NoCells`] for an empty mask.
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

/// How much the two directions of a line of sight differ: |V(a→b) − V(b→a)| over pairs of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asymmetry {
    /// Pairs of which at least one cell sees the other.
    pub pairs: usize,
    /// The mean over those pairs, in [0, 1]; 0 without a pair.
    pub mean: f64,
    /// The greatest, in [0, 1]; 0 without a pair.
    pub max: f64,
    /// The first pair with the greatest, if there is a pair.
    pub worst: Option<[IVec2; 2]>,
}

impl Asymmetry {
    /// Over all pairs of `cells`. `see(viewer, targets)` answers with the visibility of every target
    /// from a viewer, in order; it is asked once for every cell, so each field of view is computed once.
    ///
    /// Give it cells of floor: a viewer inside a wall is not hidden by it, but a target is not
    /// either, so a wall is an honest cell only for methods that are symmetric there too. Pairs that
    /// do not see each other at all would only thin out the mean, and are left out.
    ///
    /// # Errors
    /// What `see` fails with.
    pub fn over<E>(cells: &[IVec2], mut see: impl FnMut(IVec2, &[IVec2]) -> Result<Vec<f32>, E>) -> Result<Self, E> {
        let views = cells.iter().map(|&viewer| see(viewer, cells)).collect::<Result<Vec<_>, E>>()?;
        let value = |from: usize, to: usize| f64::from(views[from].get(to).copied().unwrap_or(0.0));
        let mut found = Self { pairs: 0, mean: 0.0, max: 0.0, worst: None };
        let mut sum = 0.0;
        for one in 0..cells.len() {
            for other in one + 1..cells.len() {
                let (there, back) = (value(one, other), value(other, one));
                if there == 0.0 && back == 0.0 {
                    continue;
                }
                let gap = (there - back).abs();
                found.pairs += 1;
                sum += gap;
                if found.worst.is_none() || gap > found.max {
                    found.max = gap;
                    found.worst = Some([cells[one], cells[other]]);
                }
            }
        }
        if found.pairs > 0 {
            found.mean = sum / found.pairs as f64;
        }
        Ok(found)
    }
}

/// At most `count` of the cells, evenly spread over their order, always the same ones.
pub fn spread(cells: &[IVec2], count: usize) -> Vec<IVec2> {
    let count = count.min(cells.len());
    (0..count).map(|i| cells[(2 * i + 1) * cells.len() / (2 * count)]).collect()
}

/// The cells of a grid of the given size (width, height) within a radius of the viewer: dx² + dy² ≤ radius².
pub fn within(size: IVec2, viewer: IVec2, radius: u32) -> Grid<bool> {
    let limit = f64::from(radius) * f64::from(radius);
    Grid::from_fn(size.x.max(0) as usize, size.y.max(0) as usize, |cell| {
        (cell.as_dvec2() - viewer.as_dvec2()).length_squared() <= limit
    })
}

/// Visible cells without a visible parent: islands of light that nothing leads to.
///
/// A cell is visible above 0. Its parents are one step nearer to the viewer: along the longer axis,
/// and along both; on axes and exact diagonals there is one. Cells are those of the grid, the
/// viewer's too.
pub fn orphans(view: &Grid<f32>, viewer: IVec2) -> Vec<IVec2> {
    let visible = |cell| view.get(cell).is_some_and(|&value| value > 0.0);
    let lit = view.iter().filter(|(_, value)| **value > 0.0).map(|(cell, _)| cell);
    lit.filter(|&cell| cell != viewer && !parents(cell - viewer).into_iter().any(|way| visible(viewer + way))).collect()
}

/// Unseen walls, within the mask, that stand directly behind seen floor: one step nearer to the
/// viewer, along x or along y, is a cell that is both clear and seen. They make holes in the walls
/// of rooms.
///
/// A wall has an opacity of [`SEEN_AT`] or more, and a cell is seen from a visibility of that on.
///
/// # Errors
/// [`MetricsError::Shape`] unless all three are equally large.
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

/// Unseen cells, within the mask, whose parents (see [`orphans`]) are all both clear and seen: gaps
/// in the light where nothing stands in its way.
///
/// A wall has an opacity of [`SEEN_AT`] or more, and a cell is seen from a visibility of that on.
///
/// # Errors
/// [`MetricsError::Shape`] unless all three are equally large.
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

/// The cells of the mask for which `odd(cell, wall, seen)` holds.
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

/// How many walls of an empty, convex room are not seen, summed over every viewer in it, and out of
/// how many. All should be: nothing stands between.
///
/// The room has `floor` (columns, rows) clear cells, at least one each way, and walls all round. `see`
/// answers with the visibility of every cell of the map, in its shape.
///
/// # Errors
/// What `see` fails with.
pub fn room_walls_missed<E>(
    floor: IVec2,
    mut see: impl FnMut(&OpacityMap, IVec2) -> Result<Grid<f32>, E>,
) -> Result<[usize; 2], E> {
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
    Ok([missed, walls])
}

/// The places one step nearer to the viewer that an offset takes its light from: along the longer
/// axis and along both, or twice the same where there is only one.
fn parents(offset: IVec2) -> [IVec2; 2] {
    let step = offset.signum();
    let (x, y) = (offset.x.abs(), offset.y.abs());
    let straight = if x > y { ivec2(step.x, 0) } else { ivec2(0, step.y) };
    [offset - if x == y { step } else { straight }, offset - step]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[f32]) -> Grid<f32> {
        Grid::from_vec(values.len(), 1, values.to_vec()).unwrap()
    }

    #[test]
    fn difference_by_hand() {
        let found = row(&[1.0, 0.25, 0.5, 0.0, 1.0]);
        let reference = row(&[1.0, 0.75, 0.25, 0.0, 0.0]);
        let mask = Grid::from_vec(5, 1, vec![true, true, true, true, false]).unwrap();
        let difference = Difference::between(&found, &reference, &mask).unwrap();
        let expected = Difference {
            cells: 4,
            seen: 2,
            reference_seen: 2,
            agreement: 0.5,
            rmse: (0.3125f64 / 4.0).sqrt(),
            bias: -0.0625,
            mean_error: 0.1875,
            max_error: 0.5,
            worst: ivec2(1, 0),
        };
        assert_eq!(difference, expected);
    }

    #[test]
    fn equal_views_do_not_differ() {
        let view = row(&[1.0, 0.3, 0.0]);
        let difference = Difference::between(&view, &view, &Grid::new(3, 1, true)).unwrap();
        assert_eq!((difference.agreement, difference.rmse, difference.max_error), (1.0, 0.0, 0.0));
        assert_eq!(difference.worst, IVec2::ZERO);
    }

    #[test]
    fn shapes_must_match_and_masks_hold_a_cell() {
        let view = row(&[1.0, 0.0]);
        let error = Difference::between(&view, &row(&[1.0]), &Grid::new(2, 1, true)).unwrap_err();
        assert_eq!(error.to_string(), "cannot compare 2x1 cells with 1x1: the grids must be equally large");
        assert!(Difference::between(&view, &view, &Grid::new(1, 2, true)).is_err());
        assert_eq!(Difference::between(&view, &view, &Grid::new(2, 1, false)), Err(MetricsError::NoCells));
        assert!(hidden_walls(&view, &row(&[0.0]), &Grid::new(2, 1, true), IVec2::ZERO).is_err());
    }

    #[test]
    fn asymmetry_by_hand() {
        let cells = [ivec2(0, 0), ivec2(1, 0), ivec2(2, 0)];
        // 0 and 1 see each other by halves, 0 sees 2 but not back, 1 and 2 do not see each other.
        let table = [[1.0, 0.5, 0.75], [0.25, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let see = |viewer: IVec2, targets: &[IVec2]| {
            Ok::<_, ()>(targets.iter().map(|to| table[viewer.x as usize][to.x as usize]).collect())
        };
        let expected = Asymmetry { pairs: 2, mean: 0.5, max: 0.75, worst: Some([cells[0], cells[2]]) };
        assert_eq!(Asymmetry::over(&cells, see), Ok(expected));
        let nobody = Asymmetry { pairs: 0, mean: 0.0, max: 0.0, worst: None };
        assert_eq!(Asymmetry::over(&cells[..1], see), Ok(nobody));
        assert_eq!(Asymmetry::over(&cells, |_, _| Err("broken")), Err("broken"));
    }

    #[test]
    fn spread_takes_cells_from_everywhere() {
        let cells: Vec<_> = (0..10).map(|x| ivec2(x, 0)).collect();
        let columns = |count| spread(&cells, count).into_iter().map(|cell| cell.x).collect::<Vec<_>>();
        assert_eq!(columns(2), [2, 7]);
        assert_eq!(columns(1), [5]);
        assert_eq!(columns(99), (0..10).collect::<Vec<_>>());
        assert_eq!(columns(0), [0; 0]);
        assert_eq!(spread(&[], 3), []);
    }

    #[test]
    fn within_is_a_disc() {
        let disc = within(ivec2(5, 5), ivec2(2, 2), 2);
        assert_eq!(disc.as_slice().iter().filter(|inside| **inside).count(), 13);
        assert!(within(ivec2(3, 1), ivec2(i32::MIN, 0), u32::MAX - 1)[ivec2(0, 0)]);
    }

    #[test]
    fn orphans_have_no_lit_parent() {
        let mut view = Grid::new(7, 7, 0.0);
        let viewer = ivec2(3, 3);
        view[viewer] = 1.0;
        assert_eq!(orphans(&view, viewer), []);
        view[ivec2(5, 4)] = 0.1; // (2, 1): its parents are (1, 1) and (1, 0)
        assert_eq!(orphans(&view, viewer), [ivec2(5, 4)]);
        view[ivec2(4, 4)] = 1.0;
        assert_eq!(orphans(&view, viewer), []);
        view[ivec2(5, 5)] = 1.0; // (2, 2) from (1, 1)
        view[ivec2(6, 3)] = 1.0; // (3, 0) only from (2, 0)
        view[ivec2(3, 1)] = 1.0; // (0, -2) only from (0, -1)
        assert_eq!(orphans(&view, viewer), [ivec2(3, 1), ivec2(6, 3)]);
        view[ivec2(4, 2)] = 1.0; // (1, -1), beside (0, -1), is no parent of (0, -2)
        assert_eq!(orphans(&view, viewer).len(), 2);
    }

    #[test]
    fn hidden_walls_stand_behind_seen_floor() {
        let opacity = row(&[1.0, 0.0, 0.0, 1.0, 1.0]);
        let everywhere = Grid::new(5, 1, true);
        let viewer = ivec2(2, 0);
        let hidden = |view: &[f32]| hidden_walls(&row(view), &opacity, &everywhere, viewer).unwrap();
        assert_eq!(hidden(&[1.0, 1.0, 1.0, 1.0, 0.0]), []);
        assert_eq!(hidden(&[0.0, 1.0, 1.0, 0.0, 0.0]), [ivec2(0, 0), ivec2(3, 0)]);
        assert_eq!(hidden(&[0.0, 0.0, 1.0, 1.0, 0.0]), []);
    }

    #[test]
    fn blind_spots_have_nothing_in_their_way() {
        let mut view = Grid::new(5, 5, 1.0);
        let mut opacity = Grid::new(5, 5, 0.0);
        let (mask, viewer) = (Grid::new(5, 5, true), ivec2(2, 2));
        view[ivec2(4, 3)] = 0.0; // (2, 1): its parents are (1, 0) and (1, 1)
        let spots = |view: &_, opacity: &_| blind_spots(view, opacity, &mask, viewer).unwrap();
        assert_eq!(spots(&view, &opacity), [ivec2(4, 3)]);
        opacity[ivec2(3, 3)] = 1.0;
        assert_eq!(spots(&view, &opacity), []);
        view[ivec2(2, 0)] = 0.4;
        assert_eq!(spots(&view, &opacity), [ivec2(2, 0)]);
        view[ivec2(2, 1)] = 0.0;
        assert_eq!(spots(&view, &opacity), [ivec2(2, 1)]);
    }

    #[test]
    fn missed_walls_of_a_room_are_counted_over_all_viewers() {
        let all = |_: &OpacityMap, _| Ok::<_, ()>(Grid::new(5, 4, 1.0));
        assert_eq!(room_walls_missed(ivec2(3, 2), all), Ok([0, 84]));
        let no_corner =
            |_: &OpacityMap, _| Ok::<_, ()>(Grid::from_fn(5, 4, |c| if c == IVec2::ZERO { 0.0 } else { 1.0 }));
        assert_eq!(room_walls_missed(ivec2(3, 2), no_corner), Ok([6, 84]));
    }
}
