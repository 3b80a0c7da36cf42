//! [`Messages`]: short texts over the map.

use std::path::{Path, PathBuf};

use egui::{Context, RichText};
use egui_macroquad::egui;
use macroquad::time::get_time;

use crate::host::ON_PAGE;
use crate::stage_log;
use crate::window::theme::palette;

/// The time that a message stays, in seconds. Errors stay twice as long.
const MESSAGE_SECONDS: f64 = 5.0;

/// The largest number of messages at a time.
const MAX_MESSAGES: usize = 4;

/// The longest line of a message, in points.
const MESSAGE_WIDTH: f32 = 520.0;

/// The messages of the last seconds.
#[derive(Default)]
pub(crate) struct Messages {
    all: Vec<Message>,
}

struct Message {
    text: String,
    /// The folder of a saved file.
    folder: Option<PathBuf>,
    is_error: bool,
    /// The end of its time, in seconds.
    until: f64,
}

impl Messages {
    pub(crate) fn info(&mut self, text: impl Into<String>) {
        self.push(text.into(), None, false, get_time());
    }

    pub(crate) fn error(&mut self, text: impl Into<String>) {
        self.push(text.into(), None, true, get_time());
    }

    /// Says that a file is saved, with a button that shows its folder.
    pub(crate) fn saved(&mut self, text: String, path: &Path) {
        let folder = std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned));
        self.push(text, folder.filter(|_| !ON_PAGE), false, get_time());
    }

    /// Adds a message at a time in seconds, and drops the oldest if there are too many.
    fn push(&mut self, text: String, folder: Option<PathBuf>, is_error: bool, now: f64) {
        stage_log::log(&text);
        let until = now + MESSAGE_SECONDS * if is_error { 2.0 } else { 1.0 };
        self.all.retain(|old| old.text != text);
        self.all.push(Message { text, folder, is_error, until });
        self.all.drain(..self.all.len().saturating_sub(MAX_MESSAGES));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Shows the messages in the upper left of the map. Returns the folder that is clicked.
    pub(crate) fn show(&mut self, context: &Context, map: egui::Rect) -> Option<PathBuf> {
        let now = get_time();
        self.all.retain(|message| message.until > now);
        if self.all.is_empty() {
            return None;
        }
        let mut clicked = None;
        let has_folder = self.all.iter().any(|message| message.folder.is_some());
        let corner = map.left_top() + egui::vec2(8.0, 8.0);
        let sense = if has_folder { egui::Sense::CLICK } else { egui::Sense::HOVER };
        let area = egui::Area::new("messages".into()).sense(sense).fixed_pos(corner).interactable(has_folder);
        area.show(context, |ui| {
            ui.set_clip_rect(map);
            ui.set_max_width((map.width() - 32.0).clamp(120.0, MESSAGE_WIDTH));
            for Message { text, folder, is_error, .. } in &self.all {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    let colours = palette(ui.visuals());
                    let colour = if *is_error { colours.error } else { colours.info };
                    ui.horizontal_wrapped(|ui| {
                        ui.label(RichText::new(text).color(colour));
                        let words = RichText::new("show folder").color(colour).underline();
                        if let Some(folder) = folder
                            && ui.add(egui::Link::new(words)).clicked()
                        {
                            clicked = Some(folder.clone());
                        }
                    });
                });
            }
        });
        clicked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_messages_are_kept_and_none_twice() {
        let mut messages = Messages::default();
        for i in 0..9 {
            messages.push(format!("Saved {}", i % 6), None, false, f64::from(i));
        }
        let shown: Vec<&str> = messages.all.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(shown, ["Saved 5", "Saved 0", "Saved 1", "Saved 2"]);
    }
}
