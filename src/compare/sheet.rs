//! A comparison as a picture: for each method what is seen, and below it how that differs from the reference.

use super::case::Case;
use super::compared_method::ComparedMethod;
use super::comparison::see;
use super::comparison::{CompareError, Comparison, Figures};
use super::gallery::centred;
use super::panel::{FAINT, INK, PAPER, Scenery, of_difference};
use crate::compare::panel;
use crate::grid::Grid;
use crate::job::Job;
use crate::paint::Table;
use crate::paint::{Picture, text};

/// Width in pixels of a panel of one map, in four columns, and of several, in a column a method.
const WIDE: i32 = 480;
const NARROW: i32 = 231;
const FEW_COLUMNS: usize = 4;

const MARGIN: i32 = 24;
const GAP: i32 = 12;
const LINE: i32 = text::LINE as i32 + 4;
const TOP: i32 = 112;

/// Draws a comparison of the same arenas and contenders: for one map in rows of four methods, for several in a row a
/// map. Below every view stands its difference from the reference: orange where it shows too much, blue where too
/// little.
///
/// # Errors
/// [`CompareError`].
pub fn picture(arenas: &[Case], comparison: &Comparison, title: &str, job: &Job) -> Result<Picture, CompareError> {
    let methods = comparison.total.len();
    let alone = arenas.len() == 1;
    let columns = if alone { methods.min(FEW_COLUMNS) } else { methods }.max(1);
    let panel = if alone { WIDE } else { NARROW };
    let mut blocks = Vec::new();
    for (i, (arena, figures)) in arenas.iter().zip(&comparison.maps).enumerate() {
        job.report("drawing", i as f32 / arenas.len() as f32)?;
        let reference = see(arena, ComparedMethod::Exact)?;
        for row in figures.methods.chunks(columns) {
            let mut views = Vec::new();
            for figures in row {
                views.push((*figures, see(arena, figures.contender)?));
            }
            blocks.push(Block { arena, reference: reference.clone(), views, panel, alone });
        }
    }
    let width = 2 * MARGIN + columns as i32 * (panel + GAP) - GAP;
    let height: i32 = blocks.iter().map(Block::height).sum();
    let mut picture = Picture::new(width.max(760) as usize, (TOP + height + MARGIN) as usize, PAPER);
    let colours = arenas.first().map(|arena| panel::colours(arena.preset().paint.ramp));
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

fn draw_title(picture: &mut Picture, title: &str, colours: &Table) {
    let room = picture.width() - 2 * MARGIN as usize;
    let letters = room * title.len() / text::heading_width(title).max(1);
    let fitting: String = title.chars().take(letters).collect();
    text::write_heading(picture, MARGIN, MARGIN - 4, &fitting, INK);
    let y = MARGIN + 36;
    let mut x = MARGIN;
    panel::draw_bar(picture, [x, y], [120, 16], |share| colours.at(share));
    x += 128;
    let words = "visibility 0 to 1";
    text::write(picture, x, y, words, INK);
    x += text::width(words) as i32 + 28;
    let words = "too little";
    text::write(picture, x, y, words, INK);
    x += text::width(words) as i32 + 8;
    panel::draw_bar(picture, [x, y], [160, 16], |share| of_difference(2.0 * share - 1.0, [20.0, 20.0, 25.0]));
    text::write(picture, x + 168, y, "too much, against exact", INK);
}

/// A row of methods on one map.
struct Block<'a> {
    arena: &'a Case,
    reference: Grid<f32>,
    views: Vec<(Figures, Grid<f32>)>,
    panel: i32,
    alone: bool,
}

impl Block<'_> {
    fn scenery(&self) -> Scenery<'_> {
        Scenery { opacity: self.arena.opacity().grid(), viewer: self.arena.viewer() }
    }

    /// Height in pixels of a panel.
    fn panel_height(&self) -> i32 {
        self.scenery().side_for(self.panel) * self.reference.size().y
    }

    fn height(&self) -> i32 {
        let title = if self.alone { 0 } else { LINE };
        title + 2 * LINE + 2 * self.panel_height() + 3 * GAP
    }

    fn draw(&self, picture: &mut Picture, mut y: i32, colours: &Table) {
        if !self.alone {
            text::write(picture, MARGIN, y, self.arena.name(), INK);
            y += LINE;
        }
        let scenery = self.scenery();
        let side = scenery.side_for(self.panel);
        for (i, (figures, view)) in self.views.iter().enumerate() {
            let left = MARGIN + i as i32 * (self.panel + GAP);
            let corner = left + (self.panel - side * view.size().x) / 2;
            centred(picture, [left, self.panel], y, figures.contender.title(), INK);
            scenery.draw(picture, [corner, y + LINE], side, view, colours);
            let difference = Grid::from_fn(view.width(), view.height(), |cell| view[cell] - self.reference[cell]);
            let below = y + LINE + self.panel_height() + GAP / 2;
            scenery.draw_difference(picture, [corner, below], side, &difference);
            let words = match figures.contender {
                ComparedMethod::Exact => "the reference".to_owned(),
                _ => caption(figures),
            };
            centred(picture, [left, self.panel], below + self.panel_height() + 2, &words, FAINT);
        }
    }
}

/// `RMSE 0.043  agree 97.2 %`.
fn caption(figures: &Figures) -> String {
    let difference = &figures.difference;
    format!("RMSE {:.3}  agree {:.1} %", difference.rmse, 100.0 * difference.agreement)
}
