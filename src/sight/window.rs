//! [`Window`]: the square around a viewer in which a view is computed.

use std::ops::Range;

use fearless_simd::Level;
use glam::IVec2;

use crate::grid::{AlignedGrid, CellRect};
use crate::row_requests::{RowRequests, RowSpans, clamp_opacities, mark_missing, widen_to_vectors};
use crate::sight_config::RadiusShape;
use crate::simd::dispatch;

/// Windows up to this radius have one vector a row, with the column of the viewer in lane [`AXIS`].
pub(crate) const SMALL: u32 = 8;
pub(crate) const AXIS: usize = 7;

/// The rows of padding above and below a window. The sweep writes tiles of up to 16 rows, whose first row is in the window.
const ROWS_BEYOND: usize = 15;

/// The square around a viewer: opacities in, visibilities out. Both grids have the same shape, with the viewer in the
/// centre; without opacities until a view reads them.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Cells from the viewer to each side.
    pub(crate) radius: u32,
    /// Opacity of every cell in sight, in [0, 1], or `NO_CELL`. Values out of sight are also valid opacities, but
    /// ignored.
    pub(crate) opacity: AlignedGrid,
    /// Visibility of every cell; 0 out of sight.
    pub(crate) seen: AlignedGrid,
    /// log₂ of the transmittance of every cell in sight that is on the map, if there are ends of paths. Initially empty.
    pub(crate) end_log2: AlignedGrid,
    /// `true` if visibilities are multiplied by the transmittance of the ends of paths.
    pub(crate) has_ends: bool,
    /// Half the width of the disc in row |dy| = 0, 1, …, clipped to the window.
    pub(crate) half_widths: Vec<usize>,
    /// The columns in sight of each row in sight, from the top, widened to whole vectors if the window has room.
    columns: Vec<Range<usize>>,
    /// The radius of the values in `seen`.
    written: u32,
    /// The kernel that wrote `seen`.
    pub(super) writer: Writer,
    /// The kernel that wrote `seen` in the previous view.
    pub(super) last_writer: Writer,
    /// `true` if there is a `NO_CELL` in sight.
    pub(crate) has_nodata: bool,
}

/// The kernel that wrote the visibilities of a window. Sweeps and scans of bits clear only their own values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Writer {
    /// A kernel that writes all cells in sight.
    #[default]
    AllCells,
    Sweep,
    ShadowScan,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            radius: 0,
            opacity: Self::grid(0),
            seen: Self::grid(0),
            end_log2: AlignedGrid::default(),
            has_ends: false,
            half_widths: Vec::new(),
            columns: Vec::new(),
            written: 0,
            writer: Writer::default(),
            last_writer: Writer::default(),
            has_nodata: false,
        }
    }
}

impl Window {
    /// Resizes the window to `radius` cells and clears stale values beyond `in_sight` cells.
    #[inline]
    pub(crate) fn fit(&mut self, radius: u32, in_sight: u32) {
        self.fit_seen(radius, in_sight);
        if self.opacity.width() != self.seen.width() {
            self.opacity = Self::grid(radius);
        }
    }

    /// [`fit`](Self::fit) for a view that reads no opacities.
    #[inline]
    pub(crate) fn fit_seen(&mut self, radius: u32, in_sight: u32) {
        if (self.radius, self.written) != (radius, in_sight) || self.half_widths.is_empty() {
            self.resize(radius, in_sight);
        }
        self.last_writer = std::mem::take(&mut self.writer);
        self.has_ends = false;
    }

    /// Notes whether a sweep has written the visibilities, and returns it.
    #[inline]
    pub(super) fn set_swept(&mut self, is_swept: bool) -> bool {
        if is_swept {
            self.writer = Writer::Sweep;
        }
        is_swept
    }

    fn resize(&mut self, radius: u32, in_sight: u32) {
        if self.radius != radius {
            *self = Self { radius, seen: Self::grid(radius), ..Self::default() };
        }
        if self.written > in_sight {
            for (y, columns) in self.rows(self.written) {
                self.seen.row_mut(y)[columns].fill(0.0);
            }
        }
        if self.written != in_sight || self.half_widths.is_empty() {
            let half = |dy| (half_width(in_sight, dy) as usize).min(radius as usize);
            self.half_widths.clear();
            self.half_widths.extend((0..=in_sight.min(radius)).map(half));
            let (middle, side) = (radius as usize, self.seen.width());
            let span = |&half: &usize| widen_to_vectors(middle - half..middle + half + 1, 0..side);
            self.columns.clear();
            self.columns.extend(self.half_widths.iter().rev().chain(&self.half_widths[1..]).map(span));
        }
        self.written = in_sight;
    }

    /// Returns a grid of zeros.
    fn grid(radius: u32) -> AlignedGrid {
        let side = 2 * radius as usize + 1;
        // A row of a small window is in one vector and one cache line. Writing across two lines is slower, and much
        // slower across two memory pages.
        let lane = if radius <= SMALL { AXIS } else { 0 };
        AlignedGrid::padded(side, side, lane, ROWS_BEYOND)
    }

    /// Returns the maximum distance max(|dx|, |dy|) within which no cell in sight blocks.
    #[inline(always)]
    pub(crate) fn clear_distance(&self, blocks: impl Fn(f32) -> bool) -> u32 {
        let middle = self.radius as usize;
        let mut distance = self.half_widths.len() - 1;
        let mut dy = 0;
        while dy <= distance {
            for y in [middle - dy, middle + dy] {
                let half = self.half_widths[dy].min(distance);
                let row = &self.opacity.row(y)[middle - half..=middle + half];
                // Without a branch for each cell.
                if row.iter().fold(false, |any, opacity| any | blocks(*opacity)) {
                    let opaque = row.iter().enumerate().filter(|(_, opacity)| blocks(**opacity));
                    let nearest = opaque.map(|(x, _)| x.abs_diff(half)).min().unwrap_or(half);
                    distance = distance.min(nearest.max(dy).saturating_sub(1));
                }
            }
            dy += 1;
        }
        distance as u32
    }

    /// Clears the visibilities of the cells in sight with max(|dx|, |dy|) ≥ `distance`, which is above 0.
    pub(crate) fn clear_from(&mut self, distance: u32) {
        let (middle, near) = (self.radius as usize, distance as usize - 1);
        let rows = self.half_widths.len() - 1;
        for y in middle - rows..=middle + rows {
            let dy = y.abs_diff(middle);
            let half = self.half_widths[dy];
            let row = self.seen.row_mut(y);
            if dy > near {
                row[middle - half..=middle + half].fill(0.0);
            } else if half > near {
                row[middle - half..middle - near].fill(0.0);
                row[middle + near + 1..=middle + half].fill(0.0);
            }
        }
    }

    /// Clears the visibilities of the cells within `in_sight` that are not in a shape. A square needs nothing.
    #[inline]
    pub(super) fn clip_to_shape(&mut self, shape: RadiusShape, in_sight: u32, radius: u32) {
        if shape == RadiusShape::Diamond {
            self.clip_rows_to_shape(shape, in_sight, radius);
        }
    }

    fn clip_rows_to_shape(&mut self, shape: RadiusShape, in_sight: u32, radius: u32) {
        let middle = self.radius as usize;
        for (y, columns) in self.rows(in_sight) {
            let half = shape.half_width(y.abs_diff(middle) as u32, radius).map(|half| half as usize);
            let row = self.seen.row_mut(y);
            match half {
                Some(half) if half < middle => {
                    row[columns.start.min(middle - half)..middle - half].fill(0.0);
                    row[middle + half + 1..columns.end.max(middle + half + 1)].fill(0.0);
                }
                Some(_) => {}
                None => row[columns].fill(0.0),
            }
        }
    }

    /// Returns the position of the viewer.
    pub(crate) fn centre(&self) -> IVec2 {
        IVec2::splat(self.radius as i32)
    }

    /// Returns the index of the viewer among the values of a grid.
    pub(crate) fn middle(&self) -> usize {
        self.seen.index_of(self.radius as usize, self.radius as usize)
    }

    /// Calls `fill` to write the opacities of all cells in sight that are in `extent`. Unless the values `are_clamped`, they
    /// are clamped to [0, 1] and NaN becomes `NO_CELL`. With `has_ends`, it also writes the transmittances at the ends of paths.
    pub(super) fn fill_rows(
        &mut self,
        viewer: IVec2,
        extent: Option<CellRect>,
        are_clamped: bool,
        has_ends: bool,
        fill: impl FnOnce(RowRequests<'_>),
    ) {
        if has_ends && self.end_log2.width() == 0 {
            self.end_log2 = Self::grid(self.radius);
        }
        self.has_ends = has_ends;
        let ends = has_ends.then_some(&mut self.end_log2);
        let spans = RowSpans::new(self.radius, viewer, extent, &self.half_widths);
        fill(RowRequests::new(spans.clone(), &self.columns, &mut self.opacity, ends));
        let any_nan = !are_clamped && dispatch!(Level::new(), _ => clamp_opacities(&mut self.opacity, &spans));
        self.has_nodata = mark_missing(&mut self.opacity, &spans) || any_nan;
    }

    /// Returns the row and the columns of every row of the disc of radius `in_sight`, clipped to the window.
    #[inline(always)]
    pub(crate) fn rows(&self, in_sight: u32) -> impl Iterator<Item = (usize, Range<usize>)> + Clone + use<> {
        let radius = self.radius as usize;
        let clipped = radius.min(in_sight as usize);
        (radius - clipped..=radius + clipped).map(move |y| {
            let half = (half_width(in_sight, y.abs_diff(radius) as u32) as usize).min(radius);
            (y, radius - half..radius + half + 1)
        })
    }
}

/// Returns the radius of a window for a map that ends `farthest` cells from the viewer: `radius` up to 1024, else clipped to
/// the map. The steps of 256 avoid resizing while the viewer walks.
pub fn window_radius(radius: u32, farthest: u32) -> u32 {
    if radius <= 1024 { radius } else { radius.min(farthest.max(1).next_multiple_of(256)) }
}

/// Returns half the width of a disc in row `dy`: the maximum dx with dx² + dy² ≤ radius², for dy ≤ radius < 2¹⁶.
#[inline(always)]
pub(crate) fn half_width(radius: u32, dy: u32) -> u32 {
    f64::from(radius * radius - dy * dy).sqrt() as u32 // exact: IEEE 754 rounds square roots correctly
}
