//! The caption: where one is, how much is in sight, what has changed; and the profile of the walk.
//!
//! ```text
//!  woodland  412 m  1,204 cells in sight            12/84
//!  the ? to the north is a deer
//!        ▁▂▄▆█▇▅▂▁            cells in sight, up to now
//!   ▁▂▃▄▅▆•▆▄▃▂▁▁             the ground of the whole walk, in its colours
//! ```

use super::moment::{Moment, Place};
use crate::paint::{Colour, mix, scale};
use crate::paint::{Picture, text};

const PAPER: Colour = [22.0, 22.0, 28.0];
const INK: Colour = [224.0, 224.0, 230.0];
const QUIET: Colour = [150.0, 150.0, 160.0];
const SIGHT: Colour = [250.0, 214.0, 110.0];
const NEWS: Colour = [160.0, 214.0, 255.0];
const VIEWER: Colour = [226.0, 32.0, 40.0];

const MARGIN: i32 = 8;
const LINE: i32 = 18;
/// Height of the curve of the view, and of the ground below it.
const BAND: i32 = 22;
const GROUND: i32 = 28;
const GAP: i32 = 3;

/// The least climb that fills the height of the profile, in metres.
const LEAST_CLIMB_M: f32 = 60.0;

/// Draws the caption of every frame of one film.
pub(super) struct Caption<'a> {
    moments: &'a [Moment],
    width: i32,
    /// Cells in sight where the most are.
    most: usize,
    /// The lowest and the highest ground, in metres.
    ground_m: Option<[f32; 2]>,
}

impl<'a> Caption<'a> {
    pub(super) fn new(moments: &'a [Moment], width: usize) -> Self {
        let most = moments.iter().map(|moment| moment.in_sight).max().unwrap_or(0).max(1);
        let heights = moments.iter().filter_map(|moment| moment.place).map(|place| place.ground_m.max(0.0));
        let ground_m = heights.fold(None, |range: Option<[f32; 2]>, height| {
            let [low, high] = range.unwrap_or([height; 2]);
            Some([low.min(height), high.max(height)])
        });
        let ground_m = ground_m.map(|[low, high]| [low, high.max(low + LEAST_CLIMB_M)]);
        Self { moments, width: width as i32, most, ground_m }
    }

    /// Its height in pixels.
    pub(super) fn height(&self) -> usize {
        let ground = if self.ground_m.is_some() { GAP + GROUND } else { GAP };
        (2 * GAP + 2 * LINE + BAND + ground + MARGIN) as usize
    }

    /// The caption after a step.
    pub(super) fn draw(&self, step: usize) -> Picture {
        let mut picture = Picture::new(self.width as usize, self.height(), PAPER);
        let moment = &self.moments[step];
        self.write_status(&mut picture, step, moment);
        if let Some(news) = &moment.news {
            let fitting: String = news.chars().take(self.letters()).collect();
            text::write(&mut picture, MARGIN, 2 * GAP + LINE, &fitting, NEWS);
        }
        let top = 2 * GAP + 2 * LINE;
        for x in MARGIN..self.width - MARGIN {
            let at = self.step_at(x);
            let (seen, height) = (at <= step, self.share(self.moments[at].in_sight) * BAND as f32);
            if seen {
                let height = (height.round() as i32).max(1);
                picture.fill(x, top + BAND - height, 1, height, scale(SIGHT, 0.62));
                picture.fill(x, top + BAND - height, 1, height.min(2), SIGHT);
            }
            if let Some(height) = self.ground_height(at) {
                let colour = self.moments[at].colour;
                let colour = if seen { colour } else { mix(PAPER, colour, 0.45) };
                picture.fill(x, top + BAND + GAP + GROUND - height, 1, height, colour);
            }
        }
        let x = self.column_of(step);
        let y = match self.ground_height(step) {
            Some(height) => top + BAND + GAP + GROUND - height,
            None => top + BAND,
        };
        picture.disc(x as f32 + 0.5, y as f32, 4.2, [255.0; 3]);
        picture.disc(x as f32 + 0.5, y as f32, 3.2, VIEWER);
        picture
    }

    fn letters(&self) -> usize {
        ((self.width - 2 * MARGIN).max(0) as usize) / text::letter_width()
    }

    /// Words from left to right as far as they fit, and the step on the right.
    fn write_status(&self, picture: &mut Picture, step: usize, moment: &Moment) {
        let counter = format!("{step}/{}", self.moments.len() - 1);
        let mut room = self.letters();
        if counter.len() <= room {
            room -= counter.len();
            let x = self.width - MARGIN - text::width(&counter) as i32;
            text::write(picture, x, GAP, &counter, QUIET);
        }
        let place = moment.place.map(|Place { biome, ground_m }| (format!("{}  {ground_m:.0} m", biome.name()), INK));
        let in_sight = (format!("{} in sight", grouped(moment.in_sight)), SIGHT);
        let mut x = MARGIN;
        for (words, colour) in place.into_iter().chain([in_sight]) {
            let letters = words.chars().count() + 2;
            if letters > room {
                break;
            }
            room -= letters;
            text::write(picture, x, GAP, &words, colour);
            x += (letters * text::letter_width()) as i32;
        }
    }

    fn share(&self, in_sight: usize) -> f32 {
        in_sight as f32 / self.most as f32
    }

    /// Height of the ground in the profile, in pixels.
    fn ground_height(&self, step: usize) -> Option<i32> {
        let [low, high] = self.ground_m?;
        let ground_m = self.moments[step].place?.ground_m.max(0.0);
        Some(3 + ((GROUND - 3) as f32 * (ground_m - low) / (high - low)).round() as i32)
    }

    /// The step that a column of the profile stands for, and the column of a step.
    fn step_at(&self, x: i32) -> usize {
        let (last, columns) = (self.moments.len() - 1, (self.width - 2 * MARGIN - 1).max(1) as usize);
        (((x - MARGIN) as usize * last + columns / 2) / columns).min(last)
    }

    fn column_of(&self, step: usize) -> i32 {
        let (last, columns) = ((self.moments.len() - 1).max(1), (self.width - 2 * MARGIN - 1).max(1) as usize);
        MARGIN + ((step * columns + last / 2) / last) as i32
    }
}

/// `1,204`, in groups of three.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut words = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            words.push(',');
        }
        words.push(digit);
    }
    words
}
