//! [`OpacitySource`]: the source of opacities of a field of view; [`OpacityCells`] and [`OpacityRows`]: closures as sources.

use glam::IVec2;

use super::opacity_map::OpacityMap;
use super::window::Window;
use crate::grid::CellRect;
use crate::row_requests::RowRequests;
use crate::sight_config::RadiusShape;

/// Opacities for [`FieldOfView::compute`](super::FieldOfView::compute): an [`&OpacityMap`](OpacityMap), or a
/// closure in [`OpacityCells`] or [`OpacityRows`]. Only farsight implements it.
pub trait OpacitySource: ReadOpacities {}

impl<S: ReadOpacities> OpacitySource for S {}

/// The private interface of an [`OpacitySource`], which seals it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of opacities",
    label = "expected `&OpacityMap`, `OpacityCells` or `OpacityRows`",
    note = "wrap a closure: `OpacityCells::new(|cell| …)`",
    note = "convert a grid once: `OpacityMap::try_from(grid)?`, and pass `&map`"
)]
pub trait ReadOpacities {
    /// Returns `true` if all opacities are in [0, 1]. Otherwise they are clamped, and NaN is a cell that does not exist.
    fn is_clamped(&self) -> bool {
        false
    }

    /// Returns the cells that exist, or `None` if all do.
    fn extent(&self) -> Option<CellRect>;

    /// Returns the map, if a kernel can read it without a copy.
    fn map(&self) -> Option<&OpacityMap> {
        None
    }

    /// Sets the cells in range of the next view. A source that computes single cells computes only these.
    fn set_range(&mut self, _viewer: IVec2, _shape: RadiusShape, _radius: u32) {}

    /// Returns the function for the opacity of a single cell, if the source has one.
    fn cells(&mut self) -> Option<&mut dyn FnMut(IVec2) -> f32> {
        None
    }

    /// Returns `true` if [`fill`](Self::fill) also writes log₂ of the transmittances at the ends of paths.
    fn has_ends(&self) -> bool {
        false
    }

    /// Writes the opacities of all requested rows.
    fn fill(&mut self, rows: RowRequests<'_>);
}

impl ReadOpacities for &OpacityMap {
    fn is_clamped(&self) -> bool {
        true
    }

    #[inline]
    fn extent(&self) -> Option<CellRect> {
        Some(OpacityMap::extent(self))
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

/// Opacities from a closure for each cell: a game's own map, which may wrap, or be loaded in chunks.
///
/// The closure is called at most once for each cell within the radius, by its [shape](RadiusShape).
/// [Binary](crate::sight::Method::is_binary) methods request only the cells that they need, and no cells behind walls.
/// An [`OpacityMap`] is faster, since it needs no calls and is checked only once.
///
/// ```
/// use farsight::sight::OpacityCells;
/// use farsight::glam::IVec2;
/// use farsight::{FieldOfView, SightConfig};
/// let level = ["..........", "....##....", ".........."]; // the game's own map
/// let opacity = |cell: IVec2| {
///     let row = usize::try_from(cell.y).ok().and_then(|y| level.get(y));
///     match row.and_then(|row| row.as_bytes().get(usize::try_from(cell.x).ok()?)) {
///         Some(b'#') => 1.0,
///         Some(_) => 0.0,
///         None => f32::NAN, // off the map
///     }
/// };
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(8))?;
/// let view = fov.compute(OpacityCells::new(opacity), (1, 1))?;
/// assert_eq!([3, 4, 5, 6].map(|x| view.get((x, 1))), [1.0, 1.0, 0.0, 0.0]);
/// assert_eq!(fov.line_of_sight(OpacityCells::new(opacity), (1, 1), (9, 1))?, 0.0);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
///
/// A world without an edge, in chunks. The closure is `FnMut`, so it may generate a chunk when a view first reaches it:
///
/// ```
/// use std::collections::HashMap;
/// use farsight::sight::OpacityCells;
/// use farsight::glam::IVec2;
/// use farsight::{FieldOfView, Grid, SightConfig};
/// const SIDE: IVec2 = IVec2::splat(16);
/// let mut chunks: HashMap<IVec2, Grid<f32>> = HashMap::new();
/// let opacity = |cell: IVec2| {
///     let chunk = chunks.entry(cell.div_euclid(SIDE)).or_insert_with(|| Grid::new(16, 16, 0.0));
///     chunk[cell.rem_euclid(SIDE)] // (-1, -1) is the last cell of the chunk (-1, -1)
/// };
/// let mut fov = FieldOfView::new(SightConfig::default().with_radius(10))?;
/// let view = fov.compute(OpacityCells::new(opacity), (-3, -3))?;
/// assert!(view.sees((-13, -3)) && view.sees((7, -3)));
/// assert_eq!(chunks.len(), 4);
/// # Ok::<(), farsight::sight::SightError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpacityCells<F> {
    opacity: F,
    extent: Option<CellRect>,
    range: Option<Range>,
}

/// The cells in range of a view.
#[derive(Clone, Copy, Debug)]
struct Range {
    viewer: IVec2,
    shape: RadiusShape,
    radius: u32,
}

impl Range {
    /// Returns the columns of a row.
    fn columns(&self, y: i32) -> std::ops::RangeInclusive<i32> {
        let half = self.shape.half_width(y.abs_diff(self.viewer.y), self.radius);
        let half = half.map_or(-1, |half| i32::try_from(half).unwrap_or(i32::MAX));
        self.viewer.x.saturating_sub(half)..=self.viewer.x.saturating_add(half)
    }
}

impl<F: FnMut(IVec2) -> f32> OpacityCells<F> {
    /// Creates a source without an edge.
    ///
    /// `opacity` returns the opacity of a cell in [0, 1] (others are clamped), or NaN for a cell that does not exist:
    /// it is not visible and blocks the view.
    pub fn new(opacity: F) -> Self {
        Self { opacity, extent: None, range: None }
    }

    /// Restricts the source to the cells of a rectangle: only these are requested, and the others do not exist.
    #[must_use]
    pub fn within(self, extent: CellRect) -> Self {
        Self { extent: Some(extent), ..self }
    }
}

impl<F: FnMut(IVec2) -> f32> ReadOpacities for OpacityCells<F> {
    fn extent(&self) -> Option<CellRect> {
        self.extent
    }

    fn set_range(&mut self, viewer: IVec2, shape: RadiusShape, radius: u32) {
        self.range = Some(Range { viewer, shape, radius });
    }

    fn cells(&mut self) -> Option<&mut dyn FnMut(IVec2) -> f32> {
        Some(&mut self.opacity)
    }

    fn fill(&mut self, rows: RowRequests<'_>) {
        let Self { opacity, range, .. } = self;
        rows.fill_rows(&mut |mut cell, row| {
            // Rows end at the circle around the shape. Cells out of range pass no light to others, for any opacity.
            let columns = range.map_or(i32::MIN..=i32::MAX, |range| range.columns(cell.y));
            for slot in row {
                *slot = if columns.contains(&cell.x) { opacity(cell) } else { 0.0 };
                cell.x = cell.x.wrapping_add(1);
            }
        });
    }
}

/// Opacities from a closure for each row, for ground without a map or with opacities that depend on the viewer.
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

impl<F: FnMut(IVec2, &mut [f32])> OpacityRows<F> {
    /// Creates a source without an edge.
    ///
    /// `fill(start, row)` writes the opacities of the cells `start`, `start + (1, 0)`, … into `row`. An opacity is in
    /// [0, 1] (others are clamped), or NaN for a cell that does not exist: it is not visible and blocks the view. Only
    /// cells within the radius are requested; for a diamond, those of the circle around it. `row` has arbitrary
    /// contents before.
    pub fn new(fill: F) -> Self {
        Self { fill, extent: None }
    }

    /// Restricts the source to the cells of a rectangle: only these are requested, and the others do not exist.
    #[must_use]
    pub fn within(self, extent: CellRect) -> Self {
        Self { extent: Some(extent), ..self }
    }
}

impl<F: FnMut(IVec2, &mut [f32])> ReadOpacities for OpacityRows<F> {
    fn extent(&self) -> Option<CellRect> {
        self.extent
    }

    fn fill(&mut self, rows: RowRequests<'_>) {
        rows.fill_rows(&mut self.fill);
    }
}

impl Window {
    /// Copies the opacities of all cells in sight from `source`.
    pub(super) fn fill_opacities(&mut self, source: &mut dyn ReadOpacities, viewer: IVec2) {
        self.fill_rows(viewer, source.extent(), source.is_clamped(), source.has_ends(), |rows| source.fill(rows));
    }
}
