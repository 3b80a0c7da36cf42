//! [`Messages`]: short texts over the map. [`Ticker`]: a line about the last recognised creature.

use std::path::{Path, PathBuf};

use egui::{RichText, ScrollArea, Ui, vec2};
use egui_macroquad::egui;
use macroquad::time::get_time;

use crate::host::ON_PAGE;
use crate::stage_log;
use crate::window::slots::{Card, Slot, Slots};
use crate::window::theme::palette;
use farsight::perception::Recognition;
use farsight_scene::creatures::{CreatureEvent, CreatureWatch};
use farsight_scene::scene::Scene;

/// The duration of a message, in seconds. Errors have twice this duration.
const MESSAGE_SECONDS: f64 = 5.0;

/// The duration of the line about a creature, in seconds.
const TICKER_SECONDS: f64 = 6.0;

/// The maximum number of simultaneous messages.
const MAX_MESSAGES: usize = 4;

/// The maximum width of a message, and the minimum next to another card, in points. In less space, messages are below the card.
const MESSAGE_WIDTH: f32 = 520.0;
const MIN_MESSAGE_WIDTH: f32 = 240.0;

/// The messages of the last seconds.
#[derive(Default)]
pub(crate) struct Messages {
    all: Vec<TimedMessage>,
}

struct TimedMessage {
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

    /// Reports a saved file, with a button that shows its folder.
    pub(crate) fn saved(&mut self, text: String, path: &Path) {
        let folder = std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned));
        self.push(text, folder.filter(|_| !ON_PAGE), false, get_time());
    }

    /// Adds a message at a time in seconds, and drops the oldest above the maximum.
    fn push(&mut self, text: String, folder: Option<PathBuf>, is_error: bool, now: f64) {
        stage_log::log(&text);
        let until = now + MESSAGE_SECONDS * if is_error { 2.0 } else { 1.0 };
        self.all.retain(|old| old.text != text);
        self.all.push(TimedMessage { text, folder, is_error, until });
        self.all.drain(..self.all.len().saturating_sub(MAX_MESSAGES));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Shows the messages in the upper left of the map. Returns the clicked folder.
    pub(crate) fn show(&mut self, slots: &mut Slots<'_>) -> Option<PathBuf> {
        let now = get_time();
        self.all.retain(|message| message.until > now);
        if self.all.is_empty() {
            return None;
        }
        let has_folder = self.all.iter().any(|message| message.folder.is_some());
        let width = slots.width_for(Slot::UpperLeft, vec2(MIN_MESSAGE_WIDTH, 40.0), MESSAGE_WIDTH);
        let card = Card::new(slots.context, "messages", Slot::UpperLeft).frame(egui::Frame::new());
        let card = card.clickable(has_folder).scroll(ScrollArea::vertical().stick_to_bottom(true));
        let clicked = slots.show(card, |ui| {
            ui.set_max_width(width.unwrap_or(MESSAGE_WIDTH).min(ui.available_width()));
            self.all.iter().filter_map(|message| message.show(ui)).last()
        });
        clicked?
    }
}

impl TimedMessage {
    /// Shows the message. Returns its folder if that is clicked.
    fn show(&self, ui: &mut Ui) -> Option<PathBuf> {
        let colours = palette(ui.visuals());
        let colour = if self.is_error { colours.error } else { colours.info };
        let shown = egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(&self.text).color(colour));
                let words = RichText::new("show folder").color(colour).underline();
                self.folder.clone().filter(|_| ui.add(egui::Link::new(words)).clicked())
            })
        });
        shown.inner.inner
    }
}

/// Follows the creatures of a scene, as the captions of a film do.
#[derive(Default)]
pub(crate) struct Ticker {
    watch: CreatureWatch,
    /// The revision and the turns of the document at the last update.
    revision: Option<u64>,
    turns: u64,
    /// The event of the line, and the end of its time in seconds.
    shown: Option<(CreatureEvent, f64)>,
}

impl Ticker {
    /// Checks a changed scene for a new event, and returns the line of the last event. A recognised animal replaces a
    /// glimpse immediately. A slider or an undo causes no events.
    pub(crate) fn line(&mut self, scene: &Scene, [revision, turns]: [u64; 2], now: f64) -> Option<String> {
        let (creatures, viewer) = (scene.creatures().all(), scene.viewer());
        self.shown.take_if(|(event, until)| *until <= now || event.line(creatures, viewer).is_none());
        if self.revision.replace(revision) != Some(revision)
            && let Some(event) = self.watch.update(creatures, viewer)
            && self.turns != turns
            && (self.shown.is_none() || event.recognition == Recognition::Identified)
        {
            self.shown = Some((event, now + TICKER_SECONDS));
        }
        self.turns = turns;
        self.shown.as_ref()?.0.line(creatures, viewer)
    }

    /// Returns `true` while a line is shown.
    pub(crate) fn is_showing(&self) -> bool {
        self.shown.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use farsight_scene::preset::Preset;
    use glam::ivec2;

    #[test]
    fn the_last_messages_are_kept_and_none_twice() {
        let mut messages = Messages::default();
        for i in 0..9 {
            messages.push(format!("Saved {}", i % 6), None, false, f64::from(i));
        }
        let shown: Vec<&str> = messages.all.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(shown, ["Saved 5", "Saved 0", "Saved 1", "Saved 2"]);
    }

    #[test]
    fn a_question_mark_that_turns_into_an_animal_is_told_for_some_seconds() {
        let mut preset = Preset::bare_kernel();
        for (key, value) in [
            ("creatures", "[{ kind = \"bear\", at = [30, 10] }]"),
            ("perception.creatures", "0"),
            ("sight.radius", "30"),
            ("sight.decay.kind", "linear"),
        ] {
            preset.set(key, value).unwrap();
        }
        let map = OpacityMap::clear(60, 20).unwrap();
        let mut scene = Scene::from_map(preset, map, Some(ivec2(4, 10)), Job::none()).unwrap();
        let mut ticker = Ticker::default();
        assert_eq!(ticker.line(&scene, [0, 0], 0.0), None, "what is there at first is no event");
        scene.place(ivec2(20, 10)).unwrap();
        assert_eq!(ticker.line(&scene, [1, 1], 1.0).as_deref(), Some("the ? to the east is a bear"));
        assert_eq!(ticker.line(&scene, [1, 1], 5.0).as_deref(), Some("the ? to the east is a bear"));
        assert!(ticker.is_showing());
        assert_eq!(ticker.line(&scene, [1, 1], 7.5), None);
        assert!(!ticker.is_showing());
    }

    #[test]
    fn a_changed_setting_is_no_event() {
        let mut preset = Preset::bare_kernel();
        let creatures = "[{ kind = \"bear\", at = [30, 10] }]";
        for (key, value) in [("creatures", creatures), ("perception.creatures", "0"), ("optics.light", "0")] {
            preset.set(key, value).unwrap();
        }
        let map = OpacityMap::clear(60, 20).unwrap();
        let mut scene = Scene::from_map(preset.clone(), map, Some(ivec2(20, 10)), Job::none()).unwrap();
        let mut ticker = Ticker::default();
        assert_eq!(ticker.line(&scene, [0, 0], 0.0), None);
        preset.set("optics.light", "1").unwrap();
        scene.apply(preset).unwrap();
        assert_eq!(ticker.line(&scene, [1, 0], 1.0), None);
        assert_eq!(scene.sightings().count(), 1, "it is seen now");
    }
}
