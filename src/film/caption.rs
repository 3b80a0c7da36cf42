//! [`Caption`]: the status and profile of a walk, below the picture.
//!
//! ```text
//!  woodland, 412 m   1,204 cells in sight           12/84
//!  the ? to the north is a deer
//!        ▁▂▄▆█▇▅▂▁            cells in sight so far
//!   ▁▂▃▄▅▆•▆▄▃▂▁▁             height of the ground of the whole walk, in its colours
//! ```

use std::ops::Range;

use glam::vec2;

use super::step_state::{GroundUnderViewer, StepState};
use crate::paint::lettering::{self, Anchor, Face, Lettering};
use crate::paint::{Colour, Picture, mix, scale};
use crate::text::group_digits;

const BACKGROUND: Colour = [233.0, 222.0, 195.0];
const TEXT: Colour = [64.0, 48.0, 36.0];
const STEP_TEXT: Colour = [110.0, 92.0, 70.0];
const SIGHT: Colour = [188.0, 140.0, 52.0];
const EVENT_TEXT: Colour = [126.0, 44.0, 36.0];
const VIEWER: Colour = [200.0, 38.0, 44.0];
/// The size of letters, in pixels.
const TEXT_SIZE: f32 = 14.5;

// Heights and distances in pixels.
const MARGIN: i32 = 8;
const LINE_HEIGHT: i32 = 18;
const SIGHT_HEIGHT: i32 = 22;
const GROUND_HEIGHT: i32 = 28;
const GAP: i32 = 3;

/// The smallest difference in height that fills the profile, in metres.
const MIN_CLIMB_M: f32 = 60.0;

/// Draws the captions of a film.
pub(super) struct Caption<'a> {
    states: &'a [StepState],
    width: i32,
    /// The largest number of cells in sight.
    max_in_sight: usize,
    /// The heights at the bottom and the top of the profile, or `None` on an opacity map.
    profile_m: Option<Range<f32>>,
}

impl<'a> Caption<'a> {
    pub(super) fn new(states: &'a [StepState], width: usize) -> Self {
        let max_in_sight = states.iter().map(|state| state.cells_in_sight).max().unwrap_or(0).max(1);
        let heights = states.iter().filter_map(|state| state.ground).map(|ground| ground.height_m.max(0.0));
        let range = heights.map(|height| height..height).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        let profile_m = range.map(|Range { start, end }| start..end.max(start + MIN_CLIMB_M));
        Self { states, width: width as i32, max_in_sight, profile_m }
    }

    /// Returns the height in pixels.
    pub(super) fn height(&self) -> usize {
        let ground = if self.profile_m.is_some() { GAP + GROUND_HEIGHT } else { GAP };
        (2 * GAP + 2 * LINE_HEIGHT + SIGHT_HEIGHT + ground + MARGIN) as usize
    }

    /// Draws the caption after a step.
    pub(super) fn draw(&self, step: usize) -> Picture {
        let mut picture = Picture::new(self.width as usize, self.height(), BACKGROUND);
        self.write_status(&mut picture, step);
        if let Some(event) = &self.states[step].event {
            let fitting = self.fitting(event, Face::Italic);
            write(&mut picture, MARGIN, 2 * GAP + LINE_HEIGHT, &fitting, (Face::Italic, EVENT_TEXT));
        }
        let sight_bottom = 2 * GAP + 2 * LINE_HEIGHT + SIGHT_HEIGHT;
        let ground_bottom = sight_bottom + GAP + GROUND_HEIGHT;
        for x in MARGIN..self.width - MARGIN {
            let at = self.step_at(x);
            let state = &self.states[at];
            if at <= step {
                let share = state.cells_in_sight as f32 / self.max_in_sight as f32;
                let height = ((share * SIGHT_HEIGHT as f32).round() as i32).max(1);
                picture.fill(x, sight_bottom - height, 1, height, scale(SIGHT, 0.62));
                picture.fill(x, sight_bottom - height, 1, height.min(2), SIGHT);
            }
            if let Some(height) = self.ground_height(at) {
                let is_walked = at <= step;
                let colour = if is_walked { state.ground_colour } else { mix(BACKGROUND, state.ground_colour, 0.45) };
                picture.fill(x, ground_bottom - height, 1, height, colour);
            }
        }
        let x = self.column_of(step) as f32 + 0.5;
        let y = self.ground_height(step).map_or(sight_bottom, |height| ground_bottom - height) as f32;
        picture.disc(x, y, 4.2, [255.0; 3]);
        picture.disc(x, y, 3.2, VIEWER);
        picture
    }

    /// Returns the beginning of a text that fits into a line.
    fn fitting(&self, text: &str, face: Face) -> String {
        let mut fitting = text.to_owned();
        while width(&fitting, face) > self.width - 2 * MARGIN && fitting.pop().is_some() {}
        fitting
    }

    /// Writes the step on the right, and on the left the texts that fit.
    fn write_status(&self, picture: &mut Picture, step: usize) {
        let counter = format!("{step}/{}", self.states.len() - 1);
        let mut free = self.width - 2 * MARGIN;
        let counter_width = width(&counter, Face::Roman);
        if counter_width <= free {
            free -= counter_width + SPACE;
            let x = self.width - MARGIN - counter_width;
            write(picture, x, GAP, &counter, (Face::Roman, STEP_TEXT));
        }
        let StepState { ground, cells_in_sight, .. } = &self.states[step];
        let ground = ground.map(|GroundUnderViewer { biome, height_m }| format!("{}, {height_m:.0} m", biome.name()));
        let in_sight = format!("{} cells in sight", group_digits(*cells_in_sight));
        let mut x = MARGIN;
        for words in ground.into_iter().chain([in_sight]) {
            let width = width(&words, Face::Roman);
            if width > free {
                break;
            }
            write(picture, x, GAP, &words, (Face::Roman, TEXT));
            free -= width + SPACE;
            x += width + SPACE;
        }
    }

    /// Returns the height of the ground in the profile, in pixels.
    fn ground_height(&self, step: usize) -> Option<i32> {
        let Range { start, end } = self.profile_m.clone()?;
        let height_m = self.states[step].ground?.height_m.max(0.0);
        Some(3 + ((GROUND_HEIGHT - 3) as f32 * (height_m - start) / (end - start)).round() as i32)
    }

    /// Returns the step that a column of the profile shows.
    fn step_at(&self, x: i32) -> usize {
        let (last, columns) = (self.states.len() - 1, self.columns());
        (((x - MARGIN) as usize * last + columns / 2) / columns).min(last)
    }

    fn column_of(&self, step: usize) -> i32 {
        let last = (self.states.len() - 1).max(1);
        MARGIN + ((step * self.columns() + last / 2) / last) as i32
    }

    /// The distance between the first and the last column of the profile.
    fn columns(&self) -> usize {
        (self.width - 2 * MARGIN - 1).max(1) as usize
    }
}

/// The space between texts, in pixels.
const SPACE: i32 = 18;

/// Returns the width of a text, in whole pixels.
fn width(text: &str, face: Face) -> i32 {
    lettering::width(text, face, TEXT_SIZE, 0.0).ceil() as i32
}

/// Writes a text with the upper left corner of its line at a pixel.
fn write(picture: &mut Picture, x: i32, y: i32, text: &str, (face, colour): (Face, Colour)) {
    let at = vec2(x as f32, (y + LINE_HEIGHT / 2) as f32);
    lettering::draw(picture, at, Anchor::Left, text, &Lettering::new(face, TEXT_SIZE, colour));
}
