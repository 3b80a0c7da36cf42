//! The choice of a second scene, right of a divider: another method, preset, hour or world.

use std::path::{Path, PathBuf};

use egui::{RichText, Ui};
use egui_macroquad::egui;

use super::controls::HoverHelp;
use crate::document::{Command, ComparedTo, Document};
use crate::host::{list_presets, preset_name};
use crate::window::command::WindowCommand;
use crate::window::theme::palette;
use farsight::sight::MethodKind;
use farsight_scene::preset::shipped_names;

/// A second scene in the list.
#[derive(Clone, Debug, PartialEq)]
enum ComparisonChoice {
    To(ComparedTo),
    /// A preset of the user.
    File(PathBuf),
}

impl ComparisonChoice {
    fn name(&self) -> String {
        match self {
            Self::To(to) => to.name(),
            Self::File(path) => preset_name(path),
        }
    }

    fn command(self) -> WindowCommand {
        match self {
            Self::To(to) => Command::CompareWith(to).into(),
            Self::File(path) => WindowCommand::CompareWithFile(path),
        }
    }
}

/// Shows the choice and returns the command of a click. `my_presets` is the folder of the user's presets.
pub(crate) fn show_comparison(ui: &mut Ui, document: &Document, my_presets: Option<&Path>) -> Option<WindowCommand> {
    let comparison = document.comparison();
    let mut command = None;
    ui.horizontal(|ui| {
        let help = "Show a second scene right of a divider that you drag: another preset, hour, world or method (V). \
            The scene itself is on the left.";
        ui.label(RichText::new("Compare with").strong()).help(help);
        let shown = if comparison.is_open() { comparison.to.name() } else { "nothing".to_owned() };
        let list = egui::ComboBox::from_id_salt("compare").selected_text(shown).width(170.0);
        list.height(ui.ctx().screen_rect().height() * 0.6).show_ui(ui, |ui| {
            if ui.selectable_label(!comparison.is_open(), "nothing").clicked() {
                command = Some(Command::EndComparison.into());
            }
            for (title, choices) in choices(document, my_presets) {
                ui.label(RichText::new(title).color(palette(ui.visuals()).weak));
                for choice in choices {
                    let is_shown = comparison.is_open() && choice.name() == comparison.to.name();
                    if ui.selectable_label(is_shown, choice.name()).clicked() {
                        command = Some(choice.command());
                    }
                }
            }
        });
    });
    command
}

/// Returns what a scene can be compared with, by kind.
fn choices(document: &Document, my_presets: Option<&Path>) -> Vec<(&'static str, Vec<ComparisonChoice>)> {
    let mut kinds = vec![("hour", to([0, 6, 9, 12, 18, 21].map(ComparedTo::Hour)))];
    if document.has_landscape() {
        let mine: Vec<ComparisonChoice> =
            my_presets.map(list_presets).unwrap_or_default().into_iter().map(ComparisonChoice::File).collect();
        if !mine.is_empty() {
            kinds.push(("my presets", mine));
        }
        kinds.push(("preset", to(shipped_names().filter_map(|name| ComparedTo::preset(name).ok()))));
    }
    if document.source().is_generated() {
        let seed = document.preset().world.seed;
        kinds.push(("world", to((1..=3).map(|next| ComparedTo::Seed(seed.saturating_add(next))))));
    }
    kinds.push(("method", to(MethodKind::ALL.iter().copied().map(ComparedTo::Method))));
    kinds
}

fn to(choices: impl IntoIterator<Item = ComparedTo>) -> Vec<ComparisonChoice> {
    choices.into_iter().map(ComparisonChoice::To).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentOptions, Source};
    use crate::window::my_presets::open_file;
    use farsight::Job;
    use farsight_scene::preset::Preset;
    use farsight_scene::scene::Scene;

    #[test]
    fn own_presets_are_listed_before_shipped_ones_and_can_be_compared() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mine.toml"), "extends = \"fog\"\n[sight]\nradius = 11\n").unwrap();
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (48, 40);
        let scene = Scene::generate(preset, None, Job::none()).unwrap();
        let options = DocumentOptions::with_scene(scene, Source::Generated, Preset::DEFAULT_NAME);
        let mut document = Document::new(options);
        let kinds = choices(&document, Some(folder.path()));
        let [("hour", _), ("my presets", mine), ("preset", shipped), ..] = &kinds[..] else { panic!("{kinds:?}") };
        assert_eq!((mine.len(), mine[0].name(), shipped.len()), (1, "mine".into(), shipped_names().count()));
        let WindowCommand::CompareWithFile(path) = mine[0].clone().command() else { panic!("a file") };
        document.compare_with(ComparedTo::opened(open_file(Some(path.clone()), None).unwrap(), &path).unwrap());
        let comparison = document.comparison();
        assert_eq!(comparison.scene.as_ref().unwrap().preset().sight.radius, 11);
        assert_eq!(comparison.to.name(), "mine");
        assert!(!choices(&document, None).iter().any(|(title, _)| *title == "my presets"));
        assert!(open_file(Some(folder.path().join("gone.toml")), None).is_err());
    }
}
