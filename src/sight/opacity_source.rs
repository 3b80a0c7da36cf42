//! [`OpacitySource`]: where a field of view reads the opacities of cells.

use glam::IVec2;

use super::opacity_map::OpacityMap;
use super::window::Window;
use crate::grid::CellRect;
use crate::row_requests::{RowRequests, row_by_row};

/// Opacities for [`FieldOfView::compute`](super::FieldOfView::compute): an [`&OpacityMap`](OpacityMap), or a
/// closure in an [`OpacityRows`]. Only this crate can implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no opacities that a field of view can read",
    note = "pass `&map` of an `OpacityMap`, or your own map as `OpacityRows::of_cells(|cell| …)`"
)]
pub trait OpacitySource {
    /// `true` if all opacities are in [0, 1]. Others are clamped, and NaN becomes a cell that does not exist.
    #[doc(hidden)]
    const IS_CLAMPED: bool;

    /// Returns the cells that exist, or `None` if all do.
    #[doc(hidden)]
    fn extent(&self) -> Option<CellRect>;

    /// Returns the map, if there is one that a kernel can read without a copy.
    #[doc(hidden)]
    fn map(&self) -> Option<&OpacityMap> {
        None
    }

    /// Returns `true` if [`fill`](Self::fill) writes log₂ of the transmittances at the ends of paths, too.
    #[doc(hidden)]
    fn has_ends(&self) -> bool {
        false
    }

    /// Writes the opacities of all rows that are requested.
    #[doc(hidden)]
    fn fill(&mut self, rows: RowRequests<'_>);
}

impl OpacitySource for &OpacityMap {
    const IS_CLAMPED: bool = true;

    #[inline]
    fn extent(&self) -> Option<CellRect> {
        Some(CellRect::of_size(self.grid().size()))
    }

    #[inline]
    fn map(&self) -> Option<&OpacityMap> {
        Some(self)
    }

    fn fill(&mut self, rows: RowRequests<'_>) {
        for row in rows {
            let x = row.start.x as usize;
            row.opacity.copy_from_slice(&self.grid().row(row.start.y as usize)[x..x + row.opacity.len()]);
        }
    }
}

/// Opacities that a closure computes row by row, for ground that has no map or whose opacity depends on the viewer.
///
/// ```
/// use farsight::sight::OpacityRows;
/// use farsight::grid::CellRect;
/// use farsight::glam::{IVec2, ivec2};
/// use farsight::{FieldOfView, SightConfig};
/// // A fog of 10 % a cell east of x = 3, on a map of 20 by 10 cells.
/// let fog = |start: IVec2, row: &mut [f32]| {
///     for (x, opacity) in (start.x..).zip(row) {
///         *opacity = if x > 3 { 0.1 } else { 0.0 };
///     }
/// };
/// let rows = OpacityRows::new(fog).within(CellRect::of_size(ivec2(20, 10)));
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(24))?;
/// let view = fov.compute(rows, ivec2(3, 5))?;
/// assert!((view.get(ivec2(5, 5)) - 0.9).abs() < 1e-6);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpacityRows<F> {
    fill: F,
    extent: Option<CellRect>,
}

impl OpacityRows<()> {
    /// Creates a source without an edge whose opacities a closure computes cell by cell: a game's own map, for everything that takes
    /// opacities. NaN is a cell that does not exist.
    ///
    /// ```
    /// use farsight::sight::OpacityRows;
    /// use farsight::{FieldOfView, SightConfig};
    /// let ring = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]; // a street around a planet, with a wall
    /// let opacity = |cell: farsight::glam::IVec2| if cell.y == 0 { ring[cell.x.rem_euclid(8) as usize] } else { f32::NAN };
    /// let mut fov = FieldOfView::new(SightConfig::default().with_radius(4))?;
    /// assert_eq!(fov.line_of_sight(OpacityRows::of_cells(opacity), (1, 0), (-2, 0))?, 1.0); // the other way round
    /// assert_eq!(fov.compute_sector(OpacityRows::of_cells(opacity), (1, 0), 90.0, 60.0)?.get((4, 0)), 0.0);
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    pub fn of_cells(mut opacity: impl FnMut(IVec2) -> f32) -> OpacityRows<impl FnMut(IVec2, &mut [f32])> {
        OpacityRows::new(move |start, row| {
            for (x, slot) in (start.x..).zip(row) {
                *slot = opacity(IVec2::new(x, start.y));
            }
        })
    }
}

impl<F: FnMut(IVec2, &mut [f32])> OpacityRows<F> {
    /// Creates a source without an edge.
    ///
    /// `fill(start, row)` writes the opacities of the cells `start`, `start + (1, 0)`, … into `row`. An opacity is in
    /// [0, 1] (others are clamped), or NaN for a cell that does not exist: neither seen nor seen through. Only cells
    /// within the radius are requested; for a diamond, those of the circle around it. `row` has arbitrary contents before.
    pub fn new(fill: F) -> Self {
        Self { fill, extent: None }
    }

    /// Restricts the source to the cells of a rectangle: only these are requested, and the others do not exist.
    #[must_use]
    pub fn within(self, extent: CellRect) -> Self {
        Self { extent: Some(extent), ..self }
    }
}

impl<F: FnMut(IVec2, &mut [f32])> OpacitySource for OpacityRows<F> {
    const IS_CLAMPED: bool = false;

    fn extent(&self) -> Option<CellRect> {
        self.extent
    }

    fn fill(&mut self, rows: RowRequests<'_>) {
        row_by_row(&mut self.fill)(rows);
    }
}

impl Window {
    /// Copies the opacities of all cells in sight from `source`.
    pub(super) fn fill_opacities<S: OpacitySource>(&mut self, source: &mut S, viewer: IVec2) {
        self.fill_rows(viewer, source.extent(), S::IS_CLAMPED, source.has_ends(), |rows| source.fill(rows));
    }
}
