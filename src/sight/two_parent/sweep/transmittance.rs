//! [`TransmittancePlanes`]: the input of the sweep, 1 − opacity of every cell, row-major and column-major.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x8};
use glam::{IVec2, ivec2};

use super::band::Plane;
use crate::grid::{AlignedGrid, Grid, GridView};
use crate::row_requests::NO_CELL;
use crate::sight::window::Window;
use crate::simd::{TILE_SIDE, dispatch, dispatch_8_lanes, transpose_8};

/// The tiles of a window's wedges are aligned to multiples of this many cells, the lanes of the widest sweep.
const WEDGE_STEP: usize = 16;

/// The padding around the planes of a map, without cells. Up to this radius, views at the edges of the map need no copy
/// of it.
const BORDER: usize = 64;

/// The value of missing cells.
const NO_TRANSMITTANCE: f32 = 1.0 - NO_CELL;

/// 1 − opacity of every cell of a map or of a window, and its transpose. A value below 0 marks a missing cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransmittancePlanes {
    /// The width of the padding.
    border: usize,
    /// `true` if cells may be missing within the padding.
    has_nodata: bool,
    rows: AlignedGrid,
    columns: AlignedGrid,
}

impl TransmittancePlanes {
    /// Creates planes of this size, without light.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            border: 0,
            has_nodata: false,
            rows: AlignedGrid::new(width, height),
            columns: AlignedGrid::new(height, width),
        }
    }

    /// Returns the padding of the planes of a map. Narrow maps have none, since it would take more memory than the map.
    #[inline]
    fn border_of(size: IVec2) -> usize {
        if size.min_element() >= BORDER as i32 { BORDER } else { 0 }
    }

    /// Returns `true` if the planes of a map of this size contain all places within `reach` rows and columns of a viewer.
    #[inline]
    pub(crate) fn fit_on(size: IVec2, viewer: IVec2, reach: u32) -> bool {
        let beyond = reach as i32 - Self::border_of(size) as i32;
        viewer.min_element() >= beyond && (size - viewer).min_element() > beyond
    }

    /// Computes the planes of a map.
    pub(crate) fn of_map(opacity: &Grid<f32>) -> Self {
        let (width, height) = (opacity.width(), opacity.height());
        let border = Self::border_of(opacity.size());
        let mut planes = Self { border, ..Self::new(width + 2 * border, height + 2 * border) };
        if border > 0 {
            planes.rows.values_mut().fill(NO_TRANSMITTANCE);
            planes.columns.values_mut().fill(NO_TRANSMITTANCE);
        }
        for y in 0..height {
            invert(opacity.row(y), &mut planes.rows.row_mut(border + y)[border..border + width]);
        }
        dispatch_8_lanes!(
            Level::new(),
            simd => transpose_part(simd, opacity.view(), [0..width, 0..height], &mut planes.columns, border)
        );
        planes
    }

    /// Changes the opacity of one cell.
    pub(crate) fn set(&mut self, cell: IVec2, opacity: f32) {
        let cell = cell + self.border as i32;
        self.rows[cell] = 1.0 - opacity;
        self.columns[ivec2(cell.y, cell.x)] = 1.0 - opacity;
    }

    /// Allocates for a window.
    #[inline]
    pub(crate) fn fit(&mut self, window: &Window) {
        let side = window.opacity.width();
        if self.rows.width() != side {
            *self = Self::new(side, side);
        }
    }

    /// Computes the part of the planes of a window that a sweep over its cells in sight reads. Other values are stale.
    pub(crate) fn fill_from(&mut self, window: &Window) {
        self.fit(window);
        self.has_nodata = window.has_nodata;
        dispatch!(Level::new(), _ => self.fill_rows(window));
        dispatch_8_lanes!(Level::new(), simd => self.fill_columns(simd, window));
    }

    /// Computes the wedges above and below the viewer, up to whole tiles at the diagonals.
    #[inline(always)]
    fn fill_rows(&mut self, window: &Window) {
        let middle = window.radius as usize;
        for (dy, &half) in window.half_widths.iter().enumerate() {
            let aside = half.min(dy / WEDGE_STEP * WEDGE_STEP + WEDGE_STEP - 1);
            let columns = middle - aside..middle + aside + 1;
            for y in [middle - dy, middle + dy] {
                invert(&window.opacity.row(y)[columns.clone()], &mut self.rows.row_mut(y)[columns.clone()]);
            }
        }
    }

    /// Computes the wedges to the left and to the right of the viewer, up to whole tiles at the diagonals.
    #[inline(always)]
    fn fill_columns<S: Simd>(&mut self, simd: S, window: &Window) {
        let (middle, side) = (window.radius as usize, window.opacity.width());
        for (g, nearest) in window.half_widths.iter().step_by(WEDGE_STEP).enumerate() {
            let first = g * WEDGE_STEP;
            let aside = (first + WEDGE_STEP).min(nearest.next_multiple_of(TILE_SIDE) + TILE_SIDE);
            let rows = middle.saturating_sub(aside)..side.min(middle + aside);
            let beyond = (first + WEDGE_STEP).min(window.half_widths.len());
            let opacity = window.opacity.view();
            for columns in [middle + 1 - beyond..middle + 1 - first, middle + first..middle + beyond] {
                transpose_part(simd, opacity, [columns, rows.clone()], &mut self.columns, 0);
            }
        }
    }

    /// Returns both planes around a viewer, or `None` if some places within `reach` rows or columns are not in them.
    #[inline]
    pub(crate) fn around(&self, viewer: IVec2, reach: u32) -> Option<PlanesAround<'_>> {
        let (viewer, border) = (viewer + self.border as i32, self.border as i32);
        let margin = viewer.min(self.rows.size() - 1 - viewer).min_element();
        (margin >= reach as i32).then(|| PlanesAround {
            planes: [plane_around(&self.rows, viewer), plane_around(&self.columns, ivec2(viewer.y, viewer.x))],
            margin,
            cell_margin: match border {
                _ if self.has_nodata => 0,
                0 => i32::MAX,
                border => margin + 1 - border,
            },
        })
    }
}

/// The planes around a viewer.
pub(crate) struct PlanesAround<'a> {
    /// Row-major and column-major.
    pub(crate) planes: [Plane<'a>; 2],
    /// The number of rows and columns on each side of the viewer.
    pub(crate) margin: i32,
    /// The number of rows and columns to each side, including the viewer's own, without missing cells.
    pub(crate) cell_margin: i32,
}

/// Returns a plane around a viewer in its coordinates. A function, since LLVM does not inline a closure that captures
/// both planes.
#[inline(always)]
fn plane_around(grid: &AlignedGrid, viewer: IVec2) -> Plane<'_> {
    let viewer = grid.index_of(viewer.x as usize, viewer.y as usize);
    Plane { cells: grid.values(), viewer, stride: grid.stride() }
}

/// Writes 1 − opacity.
#[inline(always)]
fn invert(opacity: &[f32], transmittance: &mut [f32]) {
    for (to, opacity) in transmittance.iter_mut().zip(opacity) {
        *to = 1.0 - opacity;
    }
}

/// Writes 1 − opacity of some columns and rows as rows and columns of `into`, inside its padding. May write additional
/// cells, to fill tiles.
#[inline(always)]
fn transpose_part<S: Simd>(
    simd: S,
    opacity: GridView<'_, f32>,
    [columns, rows]: [Range<usize>; 2],
    into: &mut AlignedGrid,
    border: usize,
) {
    let (width, height) = (opacity.width(), opacity.height());
    if width < TILE_SIDE || height < TILE_SIDE {
        for y in rows {
            for (x, opacity) in columns.clone().zip(&opacity.row(y)[columns.clone()]) {
                into[ivec2((border + y) as i32, (border + x) as i32)] = 1.0 - opacity;
            }
        }
        return;
    }
    let one = simd.splat_f32x8(1.0);
    let (stride, cells) = opacity.stride_and_values();
    let (first, to_stride) = (into.index_of(border, border), into.stride());
    let into = &mut into.values_mut()[first..];
    for x in columns.step_by(TILE_SIDE) {
        // The last tiles overlap the previous ones.
        let x = x.min(width - TILE_SIDE);
        for y in rows.clone().step_by(TILE_SIDE) {
            let y = y.min(height - TILE_SIDE);
            let from = &cells[y * stride + x..][..(TILE_SIDE - 1) * stride + TILE_SIDE];
            let to = &mut into[x * to_stride + y..][..(TILE_SIDE - 1) * to_stride + TILE_SIDE];
            let mut tile = [one; TILE_SIDE];
            for i in 0..TILE_SIDE {
                tile[i] = one - f32x8::from_slice(simd, &from[i * stride..][..TILE_SIDE]);
            }
            let tile = transpose_8(simd, tile);
            for i in 0..TILE_SIDE {
                tile[i].store_slice(&mut to[i * to_stride..][..TILE_SIDE]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_of_a_map_have_every_cell() {
        for (width, height) in [(1, 1), (3, 40), (8, 8), (17, 9), (33, 70), (64, 65), (3, 2000)] {
            let opacity = |cell: IVec2| (cell.x + 100 * cell.y) as f32 / 262_144.0;
            let mut planes = TransmittancePlanes::of_map(&Grid::from_fn(width, height, opacity));
            let changed = ivec2(width as i32 / 2, height as i32 - 1);
            planes.set(changed, 0.25);
            let (border, size) = (planes.border as i32, ivec2(width as i32, height as i32));
            assert_eq!((border > 0, planes.rows.size()), (width >= 64 && height >= 64, size + 2 * border));
            for (place, &value) in planes.rows.view().iter() {
                let cell = place - border;
                let expected = match cell {
                    _ if cell == changed => 0.75,
                    _ if cell.min_element() < 0 || (size - cell).min_element() <= 0 => NO_TRANSMITTANCE,
                    _ => 1.0 - opacity(cell),
                };
                assert_eq!((value, planes.columns[ivec2(place.y, place.x)]), (expected, expected), "{cell}");
            }
        }
    }
}
