//! [`Caption`]: the status and profile of a walk, below the picture.
//!
//! ```text
//!  woodland  412 m  1,204 in sight                  12/84
//!  the ? to the north is a deer
//!        ▁▂▄▆█▇▅▂▁            cells in sight so far
//!   ▁▂▃▄▅▆•▆▄▃▂▁▁             height of the ground of the whole walk, in its colours
//! ```

use std::ops::Range;

use super::step_state::{GroundUnderViewer, StepState};
use crate::group_digits::group_digits;
use crate::paint::{Colour, Picture, mix, scale, text};

const BACKGROUND: Colour = [22.0, 22.0, 28.0];
const GROUND_TEXT: Colour = [224.0, 224.0, 230.0];
const STEP_TEXT: Colour = [150.0, 150.0, 160.0];
const SIGHT: Colour = [250.0, 214.0, 110.0];
const EVENT_TEXT: Colour = [160.0, 214.0, 255.0];
const VIEWER: Colour = [226.0, 32.0, 40.0];

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
            let fitting: String = event.chars().take(self.letters()).collect();
            text::write(&mut picture, MARGIN, 2 * GAP + LINE_HEIGHT, &fitting, EVENT_TEXT);
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

    /// Returns the number of letters that fit into a line.
    fn letters(&self) -> usize {
        ((self.width - 2 * MARGIN).max(0) as usize) / text::letter_width()
    }

    /// Writes the step on the right, and on the left the texts that fit.
    fn write_status(&self, picture: &mut Picture, step: usize) {
        let counter = format!("{step}/{}", self.states.len() - 1);
        let mut free = self.letters();
        if counter.len() <= free {
            free -= counter.len();
            let x = self.width - MARGIN - text::width(&counter) as i32;
            text::write(picture, x, GAP, &counter, STEP_TEXT);
        }
        let StepState { ground, cells_in_sight, .. } = &self.states[step];
        let ground = ground
            .map(|GroundUnderViewer { biome, height_m }| (format!("{}  {height_m:.0} m", biome.name()), GROUND_TEXT));
        let in_sight = (format!("{} in sight", group_digits(*cells_in_sight)), SIGHT);
        let mut x = MARGIN;
        for (words, colour) in ground.into_iter().chain([in_sight]) {
            let letters = words.chars().count() + 2;
            if letters > free {
                break;
            }
            free -= letters;
            text::write(picture, x, GAP, &words, colour);
            x += (letters * text::letter_width()) as i32;
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
