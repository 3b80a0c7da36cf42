//! [`Question`]: a file or link whose scene takes long, which is computed only if the user says so.

use std::path::PathBuf;

use egui::{Align2, Context, Rect};
use egui_macroquad::egui;

use crate::document::OpenedFile;
use farsight_scene::scene::SceneCost;

/// A file that is read, but not shown yet.
#[derive(Debug)]
pub(crate) struct ReadFile {
    pub(crate) opened: OpenedFile,
    pub(crate) path: Option<PathBuf>,
    /// The name and the bytes of a picture without a path.
    pub(crate) picture: Option<(String, Vec<u8>)>,
}

/// A scene that takes long and comes from a file or a link, which may be that of a stranger.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) cost: SceneCost,
    pub(crate) file: ReadFile,
}

/// The button that was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Compute,
    Leave,
}

impl Question {
    /// Returns what the scene takes, in a sentence.
    pub(crate) fn words(&self) -> String {
        let name = self.file.path.as_deref().and_then(std::path::Path::file_name);
        let name = name.map_or_else(|| "The scene".into(), |name| name.to_string_lossy().into_owned());
        format!("{} takes {}.", farsight_scene::text::excerpt(&name), self.cost)
    }

    /// Shows the question in the middle of the map.
    pub(crate) fn show(&self, context: &Context, map: Rect) -> Option<Answer> {
        let mut answer = None;
        egui::Window::new("Compute this scene?")
            .collapsible(false)
            .resizable(false)
            .pivot(Align2::CENTER_CENTER)
            .fixed_pos(map.center())
            .show(context, |ui| {
                ui.set_max_width((map.width() - 48.0).clamp(120.0, 420.0));
                ui.label(self.words());
                ui.label("A file or link from somebody else can ask for more than it is worth.");
                ui.horizontal(|ui| {
                    if ui.button("Leave it").clicked() {
                        answer = Some(Answer::Leave);
                    }
                    if ui.button("Compute it").clicked() {
                        answer = Some(Answer::Compute);
                    }
                });
            });
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight_scene::preset::Preset;

    #[test]
    fn the_question_names_the_file_and_what_it_takes() {
        let mut preset = Preset::shipped_default();
        for (key, value) in [("sight.method", "exact"), ("sight.samples", "32"), ("sight.radius", "4096")] {
            preset.set(key, value).unwrap();
        }
        let cost = SceneCost::of_generated(&preset, None);
        let opened = OpenedFile::Preset(Box::new(preset), "bomb".into());
        let file = ReadFile { opened, path: Some("folder/bomb.toml".into()), picture: None };
        let words = Question { cost, file }.words();
        assert!(words.starts_with("bomb.toml takes about ") && words.contains(" of one core and "), "{words}");
    }
}
