//! The gallery sheet: small maps in rows, methods and opacities of walls in columns.
//! [`MapPanel`]: one map as pixels: a gradient of visibility, dark walls, a red viewer.

use std::ops::RangeInclusive;

use glam::{IVec2, ivec2};

use super::case::{GALLERY_MAPS, GalleryMap, visibilities};
use super::comparison::CompareError;
use super::metrics::SEEN_AT;
use crate::paint::{Colour, ColourTable, Picture, between, mix, scale, text};
use crate::preset::{DecaySettings, Preset, SightSettings};
use crate::scene::check_sheet;
use farsight::Job;
use farsight::grid::Grid;
use farsight::setters;
use farsight::sight::{FieldOfView, MethodKind, OpacityMap};

/// Options of the gallery sheet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GalleryOptions {
    /// The shared settings of the methods; only `[sight]` and `paint.ramp` are used.
    pub preset: Preset,
    /// The methods, from left to right.
    pub methods: Vec<MethodKind>,
    /// The maps, from top to bottom.
    pub maps: Vec<&'static GalleryMap>,
    /// Width of a panel in pixels.
    pub panel_width: u32,
}

impl GalleryOptions {
    /// Seven pixels per cell for the widest map, and a sheet of about 2000 pixels.
    pub const DEFAULT_PANEL_WIDTH: u32 = 231;

    /// The accepted widths of a panel, in pixels. The widest map has 33 cells.
    pub const PANEL_WIDTHS: RangeInclusive<u32> = 132..=1056;

    setters! {
        with_preset(preset: Preset), with_methods(methods: Vec<MethodKind>),
        with_maps(maps: Vec<&'static GalleryMap>), with_panel_width(panel_width: u32),
    }
}

impl Default for GalleryOptions {
    fn default() -> Self {
        Self {
            preset: Preset { sight: SightSettings::default(), ..Preset::default() },
            methods: vec![MethodKind::TwoParent, MethodKind::Beam],
            maps: GALLERY_MAPS.iter().collect(),
            panel_width: Self::DEFAULT_PANEL_WIDTH,
        }
    }
}

const MARGIN: i32 = 24;
/// Pixels between panels.
const GAP: i32 = 8;
/// Pixels between the panels of two methods.
const GROUP_GAP: i32 = 28;
/// Pixels between rows.
const ROW_GAP: i32 = 14;
/// Pixels for the titles of the maps.
const TITLES: i32 = 132;
/// The column headings are repeated after this many rows.
const HEAD_EVERY: usize = 7;
const LINE: i32 = text::LINE as i32 + 4;
const HEAD: i32 = 2 * LINE + 10;

/// The panels of a method: the factor on the opacity of walls, `true` for a binary answer, and the heading.
const COLUMNS: [(f32, bool, &str); 4] = [
    (1.0, false, "walls 100 %"),
    (1.0, true, "the same, yes or no"),
    (0.5, false, "walls 50 %"),
    (0.5, true, "the same, yes or no"),
];

/// Draws the sheet: every map with walls at 100 % and 50 %, continuous and binary, for every method.
///
/// # Errors
/// [`CompareError`] for settings out of range, or a cancelled job.
pub fn gallery(options: &GalleryOptions, job: Job<'_>) -> Result<Picture, CompareError> {
    let mut preset = options.preset.clone();
    preset.sight.decay = DecaySettings::default(); // a decay would hide the effect of walls
    let mut fields_of_view = Vec::new();
    for &method in &options.methods {
        fields_of_view.push(FieldOfView::new(preset.sight.config_by(method))?);
    }
    let mut rows = Vec::new();
    for (i, gallery) in options.maps.iter().enumerate() {
        job.report("drawing maps", i as f32 / options.maps.len() as f32)?;
        rows.push(GalleryRow::new(gallery, &mut fields_of_view)?);
    }
    let sheet = GallerySheet {
        options,
        colours: crate::paint::ramp::visibility_table(preset.paint.ramp),
        width: options.panel_width as i32,
    };
    sheet.draw(&rows)
}

/// A row of the sheet: a map and its views, by method and column.
struct GalleryRow {
    title: &'static str,
    maps: [Grid<f32>; COLUMNS.len()],
    viewer: IVec2,
    views: Vec<Vec<Grid<f32>>>,
}

impl GalleryRow {
    fn new(gallery: &GalleryMap, fields_of_view: &mut [FieldOfView]) -> Result<Self, CompareError> {
        let map = gallery.map();
        let viewer = map.viewer.unwrap_or(map.opacity.size() / 2);
        let maps = COLUMNS.map(|(share, ..)| map.opacity.map(|opacity| opacity * share));
        let mut views = Vec::new();
        for fov in fields_of_view {
            let mut columns = Vec::new();
            for (map, (_, binary, _)) in maps.iter().zip(COLUMNS) {
                let map = OpacityMap::try_from(map.clone()).expect("the maps of the gallery are maps");
                let view = visibilities(fov, &map, viewer)?;
                columns.push(if binary { view.map(|&seen| f32::from(u8::from(seen >= SEEN_AT))) } else { view });
            }
            views.push(columns);
        }
        Ok(Self { title: gallery.title, maps, viewer, views })
    }

    fn panel(&self, column: usize) -> MapPanel<'_> {
        MapPanel { opacity: &self.maps[column], viewer: self.viewer }
    }

    /// Returns the height of panels of a width, in pixels.
    fn height(&self, width: i32) -> i32 {
        self.panel(0).side_for(width) * self.maps[0].size().y
    }
}

struct GallerySheet<'a> {
    options: &'a GalleryOptions,
    colours: ColourTable,
    /// Width of a panel, in pixels.
    width: i32,
}

impl GallerySheet<'_> {
    /// Returns the left edge of a panel, in pixels.
    fn left(&self, method: usize, column: usize) -> i32 {
        let columns = COLUMNS.len() as i32;
        let group = columns * self.width + (columns - 1) * GAP + GROUP_GAP;
        MARGIN + TITLES + method as i32 * group + column as i32 * (self.width + GAP)
    }

    fn draw(&self, rows: &[GalleryRow]) -> Result<Picture, CompareError> {
        let methods = self.options.methods.len();
        let width = (self.left(methods, 0) - GROUP_GAP + MARGIN).max(1160);
        let top = 120;
        let heads = rows.len().div_ceil(HEAD_EVERY) as i32;
        let panels: i32 = rows.iter().map(|row| row.height(self.width) + ROW_GAP).sum();
        let height = top + heads * HEAD + panels + MARGIN;
        check_sheet(width.into(), height.into(), 0)?;
        let mut picture = Picture::new(width as usize, height as usize, PAPER);
        self.draw_title(&mut picture);
        let mut y = top;
        for (i, row) in rows.iter().enumerate() {
            if i % HEAD_EVERY == 0 {
                self.draw_head(&mut picture, y);
                y += HEAD;
            }
            self.draw_row(&mut picture, y, row);
            y += row.height(self.width) + ROW_GAP;
        }
        Ok(picture)
    }

    fn draw_title(&self, picture: &mut Picture) {
        text::write_heading(picture, MARGIN, MARGIN - 4, "farsight: what one sees, and how well", INK);
        let radius = self.options.preset.sight.radius;
        let words = format!(
            "{} maps, radius {radius} cells. Visibility is continuous, from 0 to 1; a yes is one half or more of it.",
            self.options.maps.len()
        );
        text::write(picture, MARGIN, MARGIN + 28, &words, FAINT);
        let y = MARGIN + 56;
        draw_bar(picture, [MARGIN, y], [160, 16], |share| self.colours.at(share));
        let mut x = write_label(picture, [MARGIN + 160, y], "visibility 0 to 1");
        draw_viewer_swatch(picture, [x, y]);
        x = write_label(picture, [x + 16, y], "viewer");
        for (opacity, seen, words) in
            [(1.0, 1.0, "wall in sight"), (1.0, 0.0, "wall out of sight"), (0.5, 1.0, "wall of 50 %")]
        {
            draw_swatch(picture, [x, y], opacity, seen, &self.colours);
            x = write_label(picture, [x + 16, y], words);
        }
    }

    fn draw_head(&self, picture: &mut Picture, y: i32) {
        for (column_group, method) in self.options.methods.iter().enumerate() {
            let [left, right] = [self.left(column_group, 0), self.left(column_group, COLUMNS.len() - 1) + self.width];
            picture.fill(left, y + LINE - 1, right - left, 1, [70.0, 72.0, 84.0]);
            text::write(picture, left, y, method.name(), INK);
            for (column, (.., words)) in COLUMNS.iter().enumerate() {
                centred(picture, [self.left(column_group, column), self.width], y + LINE + 5, words, FAINT);
            }
        }
    }

    fn draw_row(&self, picture: &mut Picture, y: i32, row: &GalleryRow) {
        for (i, line) in wrapped(row.title, TITLES as usize / text::letter_width() - 1).iter().enumerate() {
            text::write(picture, MARGIN, y + i as i32 * LINE, line, INK);
        }
        for (method, columns) in row.views.iter().enumerate() {
            for (column, view) in columns.iter().enumerate() {
                let panel = row.panel(column);
                let side = panel.side_for(self.width);
                let slack = (self.width - side * view.size().x) / 2;
                let corner = [self.left(method, column) + slack, y];
                panel.draw(picture, corner, side, view, &self.colours);
            }
        }
    }
}

/// Writes text centred in a span of pixels; letters that do not fit are dropped.
pub(super) fn centred(picture: &mut Picture, [left, width]: [i32; 2], y: i32, words: &str, colour: Colour) {
    let fitting: String = words.chars().take(width as usize / text::letter_width()).collect();
    text::write(picture, left + (width - text::width(&fitting) as i32) / 2, y, &fitting, colour);
}

/// Breaks a text into lines of at most `letters` letters. A longer word gets its own line.
fn wrapped(words: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

pub(super) const PAPER: Colour = [17.0, 18.0, 23.0];
pub(super) const INK: Colour = [226.0, 228.0, 232.0];
pub(super) const FAINT: Colour = [142.0, 146.0, 158.0];
const VIEWER: Colour = [232.0, 36.0, 44.0];
const RIM: Colour = [255.0, 255.0, 255.0];
const WALL: Colour = [44.0, 44.0, 58.0];
const LIT_WALL: Colour = [84.0, 84.0, 104.0];
const DARK: Colour = [9.0, 12.0, 11.0];

/// The minimum side of a cell with edges, in pixels.
const MIN_SIDE_WITH_EDGES: i32 = 6;
const GRID_SHADE: f32 = 0.88;

/// A map of opacities with a viewer.
#[derive(Clone, Copy)]
pub(super) struct MapPanel<'a> {
    pub(super) opacity: &'a Grid<f32>,
    pub(super) viewer: IVec2,
}

impl MapPanel<'_> {
    /// Returns the maximum whole side of a cell for which the map fits into `width` pixels.
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

/// Returns the colour of a difference: orange if the visibility is too high, blue if it is too low; `none` at 0.
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

/// Writes the text after a symbol of a legend, and returns the left edge of the next symbol.
pub(super) fn write_label(picture: &mut Picture, [x, y]: [i32; 2], words: &str) -> i32 {
    text::write(picture, x + 8, y, words, INK);
    x + 8 + text::width(words) as i32 + 28
}

/// Draws a sample cell for a legend.
fn draw_swatch(picture: &mut Picture, [x, y]: [i32; 2], opacity: f32, seen: f32, colours: &ColourTable) {
    let floor = if seen > 0.0 { colours.at(seen) } else { DARK };
    picture.fill(x, y, 16, 16, cell_colour(floor, opacity, seen));
}

/// Draws the viewer for a legend.
fn draw_viewer_swatch(picture: &mut Picture, [x, y]: [i32; 2]) {
    picture.disc(x as f32 + 8.0, y as f32 + 8.0, 7.0, RIM);
    picture.disc(x as f32 + 8.0, y as f32 + 8.0, 6.0, VIEWER);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_broken_between_words() {
        assert_eq!(wrapped("Sparse random walls", 14), ["Sparse random", "walls"]);
        assert_eq!(wrapped("Palisade", 4), ["Palisade"]);
    }
}
