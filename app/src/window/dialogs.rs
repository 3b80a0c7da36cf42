//! The dialogs in the middle of the map. [`OpenDialog`]: a list of a folder, a field for a path, and recent files.
//! [`Question`]: the confirmation of a slow scene from a file or link. [`Naming`]: the name of a place.

use std::fs;
use std::path::{Path, PathBuf};

use egui::{Align2, Context, Label, Rect, RichText, ScrollArea, TextEdit, Ui, Window};
use egui_macroquad::egui;

use super::theme::palette;
use crate::document::{Command, OpenedFile};
use farsight_scene::export::SavedWalk;
use farsight_scene::preset::{PlaceName, Preset};
use farsight_scene::scene::SceneCost;
use farsight_scene::text::excerpt;
use glam::IVec2;

/// Returns a window in the middle of the map.
fn window_over(map: Rect, title: &str) -> Window<'_> {
    Window::new(title).collapsible(false).resizable(false).pivot(Align2::CENTER_CENTER).fixed_pos(map.center())
}

/// The extensions of files that can be opened.
const EXTENSIONS: [&str; 11] =
    ["toml", SavedWalk::EXTENSION, "txt", "npy", "csv", "png", "tif", "tiff", "hgt", "asc", "json"];

/// The maximum number of listed entries of a folder.
const MAX_ENTRIES: usize = 2000;

/// The state of the dialog.
#[derive(Debug)]
pub(crate) struct OpenDialog {
    folder: PathBuf,
    entries: Vec<Entry>,
    /// The text of the field.
    path: String,
    /// Set if the field takes the keyboard focus in the next frame.
    needs_focus: bool,
    /// The error of reading the folder.
    error: Option<String>,
}

/// A folder, or a file that can be opened. Folders come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    is_file: bool,
    name: String,
}

/// The answer of the dialog in a frame.
#[derive(Debug, Default)]
pub(crate) struct DialogAnswer {
    pub(crate) chosen: Option<OpenTarget>,
    pub(crate) is_closed: bool,
}

/// A file or a link to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OpenTarget {
    File(PathBuf),
    /// The part of a link behind its `?`.
    Link(String),
}

impl OpenDialog {
    /// Opens the dialog in the working folder.
    pub(crate) fn new() -> Self {
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let mut dialog =
            Self { folder: PathBuf::new(), entries: Vec::new(), path: String::new(), needs_focus: true, error: None };
        dialog.enter(folder);
        dialog
    }

    /// Lists a folder.
    fn enter(&mut self, folder: PathBuf) {
        (self.error, self.needs_focus) = (None, true);
        self.entries = list(&folder).unwrap_or_else(|error| {
            self.error = Some(error.to_string());
            Vec::new()
        });
        self.folder = folder;
    }

    /// Enters the folder of a path, or returns the file.
    fn choose(&mut self, path: PathBuf) -> Option<OpenTarget> {
        let path = self.folder.join(path); // an absolute path replaces the folder
        if path.is_dir() {
            self.path.clear();
            self.enter(path);
            return None;
        }
        Some(OpenTarget::File(path))
    }

    /// Shows the dialog in the middle of the map.
    pub(crate) fn show(&mut self, context: &Context, map: Rect, recent: &[String]) -> DialogAnswer {
        let mut is_open = true;
        let mut chosen = None;
        let window = window_over(map, "Open a preset, map, heightmap, walk, export or link").open(&mut is_open);
        window.show(context, |ui| {
            ui.set_width((map.width() - 60.0).clamp(200.0, 440.0));
            chosen = self.show_path(ui).or_else(|| show_recent(ui, recent));
            let height = (map.height() - 220.0).clamp(80.0, 320.0);
            ui.separator();
            if let Some(error) = &self.error {
                ui.label(RichText::new(error).color(palette(ui.visuals()).error));
            }
            let mut clicked = None;
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                if self.folder.parent().is_some() && ui.selectable_label(false, "../").clicked() {
                    clicked = Some(PathBuf::from(".."));
                }
                for Entry { is_file, name } in &self.entries {
                    let text = if *is_file { name.clone() } else { format!("{name}/") };
                    if ui.selectable_label(false, text).clicked() {
                        clicked = Some(PathBuf::from(name));
                    }
                }
            });
            if let Some(name) = clicked {
                let parent = self.folder.parent().map(Path::to_owned);
                let path = if name == Path::new("..") { parent.unwrap_or(name) } else { name };
                chosen = self.choose(path);
            }
        });
        DialogAnswer { is_closed: !is_open || chosen.is_some(), chosen }
    }

    fn show_path(&mut self, ui: &mut Ui) -> Option<OpenTarget> {
        let colours = palette(ui.visuals());
        ui.add(Label::new(RichText::new(self.folder.display().to_string()).color(colours.weak)).truncate());
        let mut is_given = false;
        ui.horizontal(|ui| {
            let hint = RichText::new("type or paste a path or a link").color(colours.weak);
            let field =
                ui.add(TextEdit::singleline(&mut self.path).hint_text(hint).desired_width(ui.available_width() - 60.0));
            if std::mem::take(&mut self.needs_focus) {
                field.request_focus();
            }
            is_given = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
            is_given |= ui.button("Open").clicked();
        });
        let path = self.path.trim();
        if !is_given || path.is_empty() {
            return None;
        }
        match query_of_link(path) {
            Some(query) => Some(OpenTarget::Link(query.to_owned())),
            None => self.choose(PathBuf::from(path)),
        }
    }
}

/// Returns the part of a link behind its `?`; `None` for a path.
fn query_of_link(text: &str) -> Option<&str> {
    let (page, query) = text.split_once('?')?;
    (page.is_empty() || page.starts_with("http://") || page.starts_with("https://")).then_some(query)
}

fn show_recent(ui: &mut Ui, recent: &[String]) -> Option<OpenTarget> {
    let mut chosen = None;
    if !recent.is_empty() {
        ui.label(RichText::new("recent files").color(palette(ui.visuals()).weak));
    }
    for path in recent {
        let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
        if ui.selectable_label(false, name).on_hover_text(path).clicked() {
            chosen = Some(OpenTarget::File(PathBuf::from(path)));
        }
    }
    chosen
}

/// Returns the folders and the files that can be opened, without hidden ones.
fn list(folder: &Path) -> std::io::Result<Vec<Entry>> {
    let entries = fs::read_dir(folder)?.filter_map(Result::ok).take(MAX_ENTRIES);
    let mut listed: Vec<Entry> = entries
        .filter_map(|entry| {
            let is_file = !entry.path().is_dir();
            let name = entry.file_name().into_string().ok()?;
            let extension = Path::new(&name).extension().map(|extension| extension.to_string_lossy().to_lowercase());
            let can_be_opened = extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()));
            (!is_file || can_be_opened).then_some(Entry { is_file, name })
        })
        .filter(|entry| !entry.name.starts_with('.'))
        .collect();
    listed.sort();
    Ok(listed)
}

/// A file that is read but not shown yet.
#[derive(Debug)]
pub(crate) struct LoadedFile {
    pub(crate) opened: OpenedFile,
    pub(crate) path: Option<PathBuf>,
    /// The name and the bytes of a picture without a path.
    pub(crate) picture: Option<(String, Vec<u8>)>,
}

/// A slow scene from an untrusted file or link.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) cost: SceneCost,
    pub(crate) file: LoadedFile,
}

/// The button that was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Compute,
    Leave,
}

impl Question {
    /// Returns the cost of the scene, as a sentence.
    pub(crate) fn words(&self) -> String {
        let name = self.file.path.as_deref().and_then(Path::file_name);
        let name = name.map_or_else(|| "The scene".into(), |name| name.to_string_lossy().into_owned());
        format!("{} takes {}.", excerpt(&name), self.cost)
    }

    /// Shows the question in the middle of the map.
    pub(crate) fn show(&self, context: &Context, map: Rect) -> Option<Answer> {
        let mut answer = None;
        window_over(map, "Compute this scene?").show(context, |ui| {
            ui.set_max_width((map.width() - 48.0).clamp(120.0, 420.0));
            ui.label(self.words());
            ui.label("A file or link from somebody else can need a long computation.");
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

/// The typed name for a cell.
#[derive(Debug)]
pub(crate) struct Naming {
    at: IVec2,
    text: String,
    /// Set if the field takes the keyboard focus in the next frame.
    needs_focus: bool,
}

impl Naming {
    /// Asks for the name of a cell, initially its name in a preset.
    pub(crate) fn of(preset: &Preset, at: IVec2) -> Self {
        let old = preset.names.iter().find(|place| place.at == at);
        Self { at, text: old.map_or_else(String::new, |place| place.name.clone()), needs_focus: true }
    }

    /// Shows the field in the middle of the map. Returns `true` once it is closed, with the command for a given name.
    pub(crate) fn show(&mut self, context: &Context, map: Rect) -> (bool, Option<Command>) {
        let mut is_open = true;
        let mut is_given = false;
        window_over(map, "Name of the place").open(&mut is_open).show(context, |ui| {
            ui.horizontal(|ui| {
                let field = ui.add(TextEdit::singleline(&mut self.text).char_limit(PlaceName::MAX_LENGTH));
                if std::mem::take(&mut self.needs_focus) {
                    field.request_focus();
                }
                is_given = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                is_given |= ui.button("name").clicked();
            });
            ui.label("Without a name, the place has its own again.");
        });
        let command = is_given.then(|| Command::NamePlace(self.at, self.text.clone()));
        (is_given || !is_open, command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_files_that_can_be_opened_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.toml", "a.PNG", "N50E013.hgt", "notes.md", ".hidden.png", "no-extension"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("sub")).unwrap();
        let names: Vec<String> = list(folder.path()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["sub", "N50E013.hgt", "a.PNG", "b.toml"]);
        assert!(list(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn a_folder_is_entered_and_a_file_is_chosen() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        fs::write(folder.path().join("sub/a.toml"), "").unwrap();
        let mut dialog = OpenDialog::new();
        assert_eq!(dialog.choose(folder.path().to_owned()), None);
        assert_eq!(dialog.choose("sub".into()), None);
        assert_eq!(dialog.entries, [Entry { is_file: true, name: "a.toml".into() }]);
        assert_eq!(dialog.choose("a.toml".into()), Some(OpenTarget::File(folder.path().join("sub/a.toml"))));
    }

    #[test]
    fn a_link_is_recognised_by_its_question_mark() {
        assert_eq!(query_of_link("?preset=fog"), Some("preset=fog"));
        assert_eq!(query_of_link("https://example.org/map/?seed=3&at=1,2"), Some("seed=3&at=1,2"));
        assert_eq!(query_of_link("what?.toml"), None);
        assert_eq!(query_of_link("a.toml"), None);
    }

    #[test]
    fn the_question_names_the_file_and_what_it_takes() {
        let mut preset = Preset::shipped_default();
        for (key, value) in [("sight.method", "exact"), ("sight.samples", "32"), ("sight.radius", "4096")] {
            preset.set(key, value).unwrap();
        }
        let cost = SceneCost::of_generated(&preset, None);
        let opened = OpenedFile::Preset(Box::new(preset), "bomb".into());
        let file = LoadedFile { opened, path: Some("folder/bomb.toml".into()), picture: None };
        let words = Question { cost, file }.words();
        assert!(words.starts_with("bomb.toml takes about ") && words.contains(" of one core and "), "{words}");
    }
}
