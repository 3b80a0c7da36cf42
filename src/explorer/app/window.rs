//! The settings of the window that are kept from one start to the next.

use macroquad::time::get_time;
use macroquad::window::{screen_height, screen_width};

use crate::explorer::ExploreError;
use crate::explorer::app::App;

impl App {
    /// Keeps the size of the window, its panel and its layer.
    pub(super) fn remember(&mut self) {
        let now = &mut self.kept.now;
        now.window = [screen_width(), screen_height()].map(|points| points.round() as u32);
        (now.panel, now.map) = (self.show_panel, self.reveal);
        now.set_backdrop(self.backdrop);
        self.kept.keep(get_time());
    }

    /// Writes the settings when the window is closed.
    pub(super) fn close(&mut self) -> Result<(), ExploreError> {
        self.kept.now.window = [screen_width(), screen_height()].map(|points| points.round() as u32);
        self.kept.close();
        Ok(())
    }
}
