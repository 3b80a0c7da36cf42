//! One small map as pixels: a gradient of visibility, dark walls, a red viewer.

use glam::{IVec2, ivec2};

use crate::grid::Grid;
use crate::paint::{Colour, ColourTable, Picture, between, mix, scale, text};

pub(super) const PAPER: Colour = [17.0, 18.0, 23.0];
pub(super) const INK: Colour = [226.0, 228.0, 232.0];
pub(super) const FAINT: Colour = [142.0, 146.0, 158.0];
const VIEWER: Colour = [232.0, 36.0, 44.0];
const RIM: Colour = [255.0, 255.0, 255.0];
const WALL: Colour = [44.0, 44.0, 58.0];
const LIT_WALL: Colour = [84.0, 84.0, 104.0];
const DARK: Colour = [9.0, 12.0, 11.0];

/// Cells of fewer pixels a side have no edges.
const MIN_SIDE_WITH_EDGES: i32 = 6;
const GRID_SHADE: f32 = 0.88;

/// A map of opacities with a viewer.
#[derive(Clone, Copy)]
pub(super) struct MapPanel<'a> {
    pub(super) opacity: &'a Grid<f32>,
    pub(super) viewer: IVec2,
}

impl MapPanel<'_> {
    /// Returns the largest whole side of a cell with which the map fits into `width` pixels.
    pub(super) fn side_for(&self, width: i32) -> i32 {
        (width / self.opacity.size().x.max(1)).max(1)
    }

    /// Draws visibilities with the upper left corner at a pixel.
    pub(super) fn draw(
        &self,
        picture: &mut Picture,
        [x, y]: [i32; 2],
        side: i32,
        view: &Grid<f32>,
        colours: &ColourTable,
    ) {
        for (cell, &opacity) in self.opacity.iter() {
            let seen = view.get(cell).copied().unwrap_or(0.0);
            let floor = if seen > 0.0 { colours.at(seen) } else { DARK };
            self.draw_cell(picture, [x, y], side, cell, cell_colour(floor, opacity, seen));
        }
        self.draw_viewer(picture, [x, y], side);
    }

    /// Draws differences in [−1, 1] over faint walls.
    pub(super) fn draw_difference(&self, picture: &mut Picture, [x, y]: [i32; 2], side: i32, difference: &Grid<f32>) {
        for (cell, &opacity) in self.opacity.iter() {
            let ground = mix([20.0, 20.0, 25.0], [46.0, 46.0, 56.0], opacity);
            let error = difference.get(cell).copied().unwrap_or(0.0);
            self.draw_cell(picture, [x, y], side, cell, difference_colour(error, ground));
        }
        self.draw_viewer(picture, [x, y], side);
    }

    /// Draws a square with darker edges at the right and bottom, so that cells can be counted.
    fn draw_cell(&self, picture: &mut Picture, [x, y]: [i32; 2], side: i32, cell: IVec2, colour: Colour) {
        let corner = ivec2(x, y) + cell * side;
        if side < MIN_SIDE_WITH_EDGES {
            return picture.fill(corner.x, corner.y, side, side, colour);
        }
        picture.fill(corner.x, corner.y, side, side, scale(colour, GRID_SHADE));
        picture.fill(corner.x, corner.y, side - 1, side - 1, colour);
    }

    fn draw_viewer(&self, picture: &mut Picture, [x, y]: [i32; 2], side: i32) {
        let middle = (ivec2(x, y) + self.viewer * side).as_vec2() + side as f32 / 2.0;
        let radius = (side as f32 * 0.42).max(2.2);
        picture.disc(middle.x, middle.y, radius + 1.0, RIM);
        picture.disc(middle.x, middle.y, radius, VIEWER);
    }
}

/// Mixes the colour of a cell from floor and wall by its opacity.
fn cell_colour(floor: Colour, opacity: f32, seen: f32) -> Colour {
    let wall = mix(WALL, LIT_WALL, seen);
    mix(floor, wall, opacity.sqrt())
}

/// Returns the colour of a difference: orange where too much is shown, blue where too little; `none` at 0.
pub(super) fn difference_colour(error: f32, none: Colour) -> Colour {
    const TOO_MUCH: Colour = [255.0, 158.0, 56.0];
    const TOO_LITTLE: Colour = [72.0, 156.0, 255.0];
    let colour = if error > 0.0 { TOO_MUCH } else { TOO_LITTLE };
    between(&[(0.0, none), (1.0, colour)], error.abs().sqrt())
}

/// Draws a bar of the colours of visibility, 0 at the left.
pub(super) fn draw_bar(picture: &mut Picture, [x, y]: [i32; 2], [width, height]: [i32; 2], at: impl Fn(f32) -> Colour) {
    for i in 0..width {
        picture.fill(x + i, y, 1, height, at(i as f32 / (width - 1).max(1) as f32));
    }
}

/// Writes the text behind a symbol of a legend, and returns the left edge of the next symbol.
pub(super) fn write_label(picture: &mut Picture, [x, y]: [i32; 2], words: &str) -> i32 {
    text::write(picture, x + 8, y, words, INK);
    x + 8 + text::width(words) as i32 + 28
}

/// Draws a sample cell for a legend.
pub(super) fn draw_swatch(picture: &mut Picture, [x, y]: [i32; 2], opacity: f32, seen: f32, colours: &ColourTable) {
    let floor = if seen > 0.0 { colours.at(seen) } else { DARK };
    picture.fill(x, y, 16, 16, cell_colour(floor, opacity, seen));
}

/// Draws the viewer for a legend.
pub(super) fn draw_viewer_swatch(picture: &mut Picture, [x, y]: [i32; 2]) {
    picture.disc(x as f32 + 8.0, y as f32 + 8.0, 7.0, RIM);
    picture.disc(x as f32 + 8.0, y as f32 + 8.0, 6.0, VIEWER);
}
