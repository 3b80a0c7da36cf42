//! What the window is like from one time to the next.

use macroquad::time::get_time;
#[cfg(target_os = "linux")]
use macroquad::window::screen_dpi_scale;
use macroquad::window::{screen_height, screen_width};

use crate::explorer::ExploreError;
use crate::explorer::app::App;
#[cfg(target_os = "linux")]
use crate::explorer::desktop::Desktop;
use crate::explorer::remembered::Kept;
use crate::explorer::whereabouts::Whereabouts;

/// The window's place is looked at every so many seconds.
#[cfg(target_os = "linux")]
const LOOK_EVERY: f64 = 0.1;

/// How often the window is looked for.
#[cfg(target_os = "linux")]
const TRIES: u32 = 20;

/// Where the window is, and was the last time.
#[cfg(target_os = "linux")]
pub(super) struct Standing {
    desktop: Option<Desktop>,
    whereabouts: Whereabouts,
    /// How often the window is still to be looked for.
    tries: u32,
    next: f64,
}

#[cfg(target_os = "linux")]
impl Standing {
    pub(super) fn new(kept: &Kept) -> Self {
        let tries = if kept.is_kept() { TRIES } else { 0 };
        Self { desktop: None, whereabouts: Whereabouts::new(kept.now.position), tries, next: 0.0 }
    }

    /// Looks at the window at a time in seconds, and puts it where it was the last time.
    fn look(&mut self, now: f64) {
        self.next = now + LOOK_EVERY;
        if self.desktop.is_none() && self.tries > 0 {
            self.tries -= 1;
            self.desktop = Desktop::find();
        }
        let place = self.desktop.as_ref().and_then(Desktop::look);
        if let Some([x, y]) = self.whereabouts.look(place, now) {
            // The window library takes numbers without a sign, and hands them on as what they are.
            macroquad::miniquad::window::set_window_position(x.cast_unsigned(), y.cast_unsigned());
        }
    }
}

impl App {
    /// Remembers what the window is like.
    pub(super) fn remember(&mut self) {
        #[cfg(target_os = "linux")]
        if get_time() >= self.standing.next {
            self.standing.look(get_time());
        }
        self.note_window(get_time());
        let now = &mut self.kept.now;
        (now.panel, now.map) = (self.show_panel, self.reveal);
        now.set_backdrop(self.backdrop);
        self.kept.keep(get_time());
    }

    /// Notes size and place of the window, as they are by a time in seconds. A window that fills the screen for now
    /// will be as it was before.
    #[cfg(target_os = "linux")]
    fn note_window(&mut self, now: f64) {
        let Standing { desktop: Some(_), whereabouts, .. } = &self.standing else { return self.note_size() };
        if let Some(place) = whereabouts.kept(now) {
            self.kept.now.window = place.size.map(|side| (side as f32 / screen_dpi_scale()).round() as u32);
            if whereabouts.is_free() {
                self.kept.now.position = Some(place.corner);
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn note_window(&mut self, _now: f64) {
        self.note_size();
    }

    /// Notes the size as the window library tells it.
    fn note_size(&mut self) {
        self.kept.now.window = [screen_width(), screen_height()].map(|points| points.round() as u32);
    }

    /// The window is closed.
    pub(super) fn close(&mut self) -> Result<(), ExploreError> {
        #[cfg(target_os = "linux")]
        self.standing.look(get_time());
        self.note_window(f64::INFINITY); // whether it has settled or not
        self.kept.close();
        Ok(())
    }
}
