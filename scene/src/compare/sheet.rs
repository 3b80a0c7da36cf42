//! A comparison as a picture: the view of each method, and below it the difference from the reference.

use super::case::Case;
use super::comparison::{CompareError, Comparison, Figures};
use super::gallery::{self, FAINT, INK, MapPanel, PAPER, centred, difference_colour};
use crate::paint::{ColourTable, Picture, text};
use crate::scene::{SceneError, check_sheet};
use farsight::Job;
use farsight::grid::Grid;
use farsight::sight::MethodKind;

/// Width of a panel in pixels for a single map, in at most [`SINGLE_MAP_COLUMNS`] columns.
const SINGLE_MAP_PANEL: i32 = 480;
const SINGLE_MAP_COLUMNS: usize = 4;
/// Width of a panel in pixels for several maps, with one column per method.
const PANEL: i32 = 231;

const MARGIN: i32 = 24;
const GAP: i32 = 12;
const LINE: i32 = text::LINE as i32 + 4;
const TOP: i32 = 112;

/// Draws a comparison of the same cases: one map in rows of four methods, several maps in a row each. Below every view
/// is its difference from the reference: orange where the method shows too much, blue where it shows too little.
///
/// # Errors
/// [`CompareError`].
pub fn picture(cases: &[Case], comparison: &Comparison, title: &str, job: Job<'_>) -> Result<Picture, CompareError> {
    let methods = comparison.total.len();
    let is_single = cases.len() == 1;
    let columns = if is_single { methods.min(SINGLE_MAP_COLUMNS) } else { methods }.max(1);
    let panel = if is_single { SINGLE_MAP_PANEL } else { PANEL };
    let columns_of_pixels = (2 * MARGIN + columns as i32 * (panel + GAP) - GAP).max(760);
    check_memory(cases, methods, [columns, columns_of_pixels as usize], |case| row_height(case, panel, is_single))?;
    let mut blocks = Vec::new();
    for (i, (case, figures)) in cases.iter().zip(&comparison.maps).enumerate() {
        job.report("drawing", i as f32 / cases.len() as f32)?;
        let reference = case.view_by(MethodKind::Exact)?;
        for row in figures.methods.chunks(columns) {
            let mut views = Vec::new();
            for figures in row {
                views.push((*figures, case.view_by(figures.method)?));
            }
            blocks.push(MethodRow { case, reference: reference.clone(), views, panel_width: panel, is_single });
        }
    }
    let height: i32 = blocks.iter().map(MethodRow::height).sum();
    let mut picture = Picture::new(columns_of_pixels as usize, (TOP + height + MARGIN) as usize, PAPER);
    let colours = cases.first().map(|case| crate::paint::ramp::visibility_table(case.preset().paint.ramp));
    if let Some(colours) = &colours {
        draw_title(&mut picture, title, colours);
        let mut y = TOP;
        for block in &blocks {
            block.draw(&mut picture, y, colours);
            y += block.height();
        }
    }
    Ok(picture)
}

fn draw_title(picture: &mut Picture, title: &str, colours: &ColourTable) {
    let available = picture.width() - 2 * MARGIN as usize;
    let letters = available * title.len() / text::heading_width(title).max(1);
    let fitting: String = title.chars().take(letters).collect();
    text::write_heading(picture, MARGIN, MARGIN - 4, &fitting, INK);
    let y = MARGIN + 36;
    gallery::draw_bar(picture, [MARGIN, y], [120, 16], |share| colours.at(share));
    let mut x = gallery::write_label(picture, [MARGIN + 120, y], "visibility 0 to 1");
    let words = "too little";
    text::write(picture, x, y, words, INK);
    x += text::width(words) as i32 + 8;
    gallery::draw_bar(picture, [x, y], [160, 16], |share| difference_colour(2.0 * share - 1.0, [20.0, 20.0, 25.0]));
    gallery::write_label(picture, [x + 160, y], "too much, against exact");
}

fn panel_height(case: &Case, panel_width: i32) -> i64 {
    let panel = MapPanel { opacity: case.opacity().grid(), viewer: case.viewer() };
    i64::from(panel.side_for(panel_width)) * case.opacity().grid().height() as i64
}

/// Returns the height of a [`MethodRow`], in pixels.
fn row_height(case: &Case, panel_width: i32, is_single: bool) -> i64 {
    let title = if is_single { 0 } else { LINE };
    i64::from(title + 2 * LINE + 3 * GAP) + 2 * panel_height(case, panel_width)
}

/// Checks the memory of the picture and of all views.
fn check_memory(
    cases: &[Case],
    methods: usize,
    [columns, width]: [usize; 2],
    row_height: impl Fn(&Case) -> i64,
) -> Result<(), SceneError> {
    let rows = methods.div_ceil(columns);
    let height: i64 = cases.iter().map(|case| rows as i64 * row_height(case)).sum();
    // Each method has a view and each row a copy of the reference, four bytes a cell.
    let cells: usize = cases.iter().map(|case| case.opacity().grid().as_slice().len()).sum();
    check_sheet(
        width as i64,
        i64::from(TOP + MARGIN) + height,
        (cells * (methods + rows + 1) * size_of::<f32>()) as u64,
    )
}

/// A row of methods on one map.
struct MethodRow<'a> {
    case: &'a Case,
    reference: Grid<f32>,
    views: Vec<(Figures, Grid<f32>)>,
    panel_width: i32,
    is_single: bool,
}

impl MethodRow<'_> {
    fn panel(&self) -> MapPanel<'_> {
        MapPanel { opacity: self.case.opacity().grid(), viewer: self.case.viewer() }
    }

    /// Returns the height of a panel, in pixels.
    fn panel_height(&self) -> i32 {
        panel_height(self.case, self.panel_width) as i32
    }

    fn height(&self) -> i32 {
        row_height(self.case, self.panel_width, self.is_single) as i32
    }

    fn draw(&self, picture: &mut Picture, mut y: i32, colours: &ColourTable) {
        if !self.is_single {
            text::write(picture, MARGIN, y, self.case.name(), INK);
            y += LINE;
        }
        let panel = self.panel();
        let side = panel.side_for(self.panel_width);
        for (i, (figures, view)) in self.views.iter().enumerate() {
            let left = MARGIN + i as i32 * (self.panel_width + GAP);
            let corner = left + (self.panel_width - side * view.size().x) / 2;
            centred(picture, [left, self.panel_width], y, figures.method.name(), INK);
            panel.draw(picture, [corner, y + LINE], side, view, colours);
            let difference = Grid::from_fn(view.width(), view.height(), |cell| view[cell] - self.reference[cell]);
            let below = y + LINE + self.panel_height() + GAP / 2;
            panel.draw_difference(picture, [corner, below], side, &difference);
            let words = match figures.method {
                MethodKind::Exact => "the reference".to_owned(),
                _ => caption(figures),
            };
            centred(picture, [left, self.panel_width], below + self.panel_height() + 2, &words, FAINT);
        }
    }
}

/// Returns a caption such as `RMSE 0.043  agree 97.2 %`.
fn caption(figures: &Figures) -> String {
    let difference = &figures.difference;
    format!("RMSE {:.3}  agree {:.1} %", difference.rmse, 100.0 * difference.agreement)
}
