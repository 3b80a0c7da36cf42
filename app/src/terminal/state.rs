//! [`TerminalExplorer`]: the document, its display, and its commands.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use glam::IVec2;

use super::command::{HELP, TerminalCommand};
use crate::cli::failure::Failure;
use crate::cli::terminal_drawing::{MapLook, TerminalStyle};
use crate::document::{Command, Document, Shown, Source};
use crate::host::{list_presets, preset_name};
use crate::save_export::{save_export, saved_message};
use farsight::perception::Recognition;
use farsight::sight::Door;
use farsight_scene::creatures::CreatureWatch;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle};
use farsight_scene::files::{Format, NamedInput, OutputFile};
use farsight_scene::paint::Unseen;
use farsight_scene::panorama::PanoramaPainter;
use farsight_scene::preset::{Preset, shipped_names};
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::{NEIGHBOURS, WorldKind};

/// The content of the screen above the status lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Map,
    /// Only the legend, if it does not fit next to the map.
    Legend {
        first: usize,
    },
    Help {
        first: usize,
    },
    Presets {
        selected: usize,
    },
}

/// The consequence of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Continue,
    Quit,
    Interrupted,
}

/// A line at the bottom of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatusMessage {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// A preset in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedPreset {
    pub(crate) name: String,
    /// The name of a shipped preset, or the path of a user's preset.
    pub(crate) source: String,
    pub(crate) about: String,
}

/// The explorer without its terminal.
pub(crate) struct TerminalExplorer {
    pub(crate) document: Document,
    shown: Shown,
    /// The options of exports, except those from the document.
    options: ExportOptions,
    inputs: Vec<NamedInput>,
    /// The folder of the user's presets.
    own_presets: Option<PathBuf>,
    /// The presets of the list.
    pub(crate) presets: Vec<ListedPreset>,
    pub(crate) style: TerminalStyle,
    pub(crate) look: MapLook,
    /// Columns and lines of the terminal.
    pub(crate) size: [u16; 2],
    pub(crate) page: Page,
    pub(crate) hides_panel: bool,
    /// Whether a panorama is below the map.
    pub(crate) has_panorama: bool,
    pub(crate) panoramas: RefCell<PanoramaPainter>,
    pub(crate) message: Option<StatusMessage>,
    watch: CreatureWatch,
    /// The last attempted step.
    heading: IVec2,
}

impl TerminalExplorer {
    /// Returns the explorer of a document with a scene.
    pub(crate) fn new(
        document: Document,
        options: ExportOptions,
        inputs: Vec<NamedInput>,
        own_presets: Option<PathBuf>,
        style: TerminalStyle,
    ) -> Self {
        let look = MapLook { unseen: Unseen::Mapped, has_coloured_marks: true };
        let mut explorer = Self {
            document,
            shown: Shown::default(),
            options,
            inputs,
            presets: listed_presets(own_presets.as_deref()),
            own_presets,
            style,
            look,
            size: [80, 24],
            page: Page::Map,
            hides_panel: false,
            has_panorama: false,
            panoramas: RefCell::default(),
            message: None,
            watch: CreatureWatch::default(),
            heading: IVec2::ZERO,
        };
        explorer.watch_creatures();
        explorer
    }

    pub(crate) fn scene(&self) -> &Scene {
        self.document.scene().expect("the document starts with a scene, and always has one then")
    }

    /// Returns `true` if the legend fits next to the map.
    pub(crate) fn is_wide(&self) -> bool {
        self.size[0] >= 72
    }

    pub(crate) fn execute(&mut self, command: TerminalCommand) -> Outcome {
        self.message = None;
        match command {
            TerminalCommand::Document(command) => self.change_document(command),
            TerminalCommand::ToggleNearDoor => self.toggle_near_door(),
            TerminalCommand::ToggleUnseen => {
                let is_mapped = self.look.unseen == Unseen::Mapped;
                self.look.unseen = if is_mapped { Unseen::Remembered } else { Unseen::Mapped };
                self.info(if is_mapped { "Land that was never seen is hidden" } else { "All land is shown" });
            }
            TerminalCommand::ToggleLegend if self.is_wide() && self.page == Page::Map => self.hides_panel ^= true,
            TerminalCommand::ToggleLegend => {
                self.toggle(Page::Legend { first: 0 }, matches!(self.page, Page::Legend { .. }));
            }
            TerminalCommand::ToggleHelp => {
                self.toggle(Page::Help { first: 0 }, matches!(self.page, Page::Help { .. }));
            }
            TerminalCommand::TogglePanorama if self.scene().world().is_none() => {
                self.info("A map of walls has no panorama");
            }
            TerminalCommand::TogglePanorama => self.has_panorama ^= true,
            TerminalCommand::TogglePresets if matches!(self.document.source(), Source::OpacityMap { .. }) => {
                self.page = Page::Map;
                self.info("A map has no presets");
            }
            TerminalCommand::TogglePresets => {
                self.presets = listed_presets(self.own_presets.as_deref());
                let selected = self.presets.iter().position(|preset| preset.name == self.document.name()).unwrap_or(0);
                self.toggle(Page::Presets { selected }, matches!(self.page, Page::Presets { .. }));
            }
            TerminalCommand::Export => self.export(),
            TerminalCommand::Move(by) => self.move_in_list(by),
            TerminalCommand::Choose => self.choose(),
            TerminalCommand::Close if self.page != Page::Map => self.page = Page::Map,
            TerminalCommand::Close | TerminalCommand::Quit => return Outcome::Quit,
            TerminalCommand::Interrupt => return Outcome::Interrupted,
        }
        Outcome::Continue
    }

    /// Executes a command as a separate step, and shows its result.
    fn change_document(&mut self, command: Command) {
        let (viewer, turns) = (self.scene().viewer(), self.document.turns());
        let step = if let Command::Walk(step) = command { Some(step) } else { None };
        self.heading = step.unwrap_or(self.heading);
        let note = self.document.execute(command, &mut self.shown);
        self.document.end_step();
        let is_blocked = step.is_some() && self.scene().viewer() == viewer;
        let event = self.watch_creatures().filter(|_| self.document.turns() != turns);
        match note {
            Ok(Some(note)) => self.info(note),
            Ok(None) if is_blocked && self.scene().door(viewer + self.heading).is_some() => {
                self.info("A closed door is in the way: o opens it");
            }
            Ok(None) if is_blocked => self.info("Something is in the way"),
            Ok(None) => event.into_iter().for_each(|line| self.info(line)),
            Err(error) => self.error(error),
        }
        self.show_errors();
    }

    fn toggle_near_door(&mut self) {
        let mut steps = std::iter::once(self.heading).chain(NEIGHBOURS);
        let near = steps.find_map(|step| {
            let cell = self.scene().viewer() + step;
            self.scene().door(cell).filter(|_| step != IVec2::ZERO).map(|_| cell)
        });
        let Some(cell) = near else { return self.info("There is no door next to you") };
        self.change_document(Command::ToggleDoor(cell));
        match self.scene().door(cell).filter(|_| self.message.is_none()) {
            Some(Door::Open) => self.info("The door is open"),
            Some(Door::Closed) => self.info("The door is closed"),
            None => {}
        }
    }

    /// Shows a complete world. Returns `true` if a world is or was in progress.
    pub(crate) fn poll_document(&mut self) -> bool {
        if self.document.is_settled() {
            return false;
        }
        if let Err(error) = self.document.poll(&mut self.shown) {
            self.error(error);
        }
        if self.document.is_settled() {
            self.watch = CreatureWatch::default();
            self.watch_creatures();
        }
        self.show_errors();
        true
    }

    /// Updates the watched creatures. Returns a line about a creature with improved perception.
    fn watch_creatures(&mut self) -> Option<String> {
        let scene = self.document.scene()?;
        let (creatures, viewer) = (scene.creatures().all(), scene.viewer());
        let event = self.watch.update(creatures, viewer).filter(|_| scene.preset().paint.creatures)?;
        let line = event.line(creatures, viewer)?;
        Some(if event.recognition == Recognition::Identified { format!("Identified: {line}") } else { line })
    }

    fn info(&mut self, text: impl ToString) {
        self.message = Some(StatusMessage { text: text.to_string(), is_error: false });
    }

    fn error(&mut self, error: impl ToString) {
        self.message = Some(StatusMessage { text: error.to_string(), is_error: true });
    }

    fn show_errors(&mut self) {
        for error in self.document.take_errors() {
            self.error(error);
        }
    }

    fn toggle(&mut self, page: Page, is_open: bool) {
        self.page = if is_open { Page::Map } else { page };
    }

    fn move_in_list(&mut self, by: i32) {
        let moved = |row: usize, last: usize| row.saturating_add_signed(by as isize).min(last);
        match &mut self.page {
            Page::Map => {}
            Page::Legend { first } => *first = moved(*first, usize::from(u16::MAX)),
            Page::Help { first } => *first = moved(*first, HELP.len() - 1),
            Page::Presets { selected } => *selected = moved(*selected, self.presets.len().saturating_sub(1)),
        }
    }

    fn choose(&mut self) {
        let chosen = match self.page {
            Page::Presets { selected } => self.presets.get(selected).cloned(),
            _ => None,
        };
        self.page = Page::Map;
        let Some(ListedPreset { name, source, .. }) = chosen else { return };
        let is_dungeon = || Preset::named(&source).is_ok_and(|preset| preset.world.kind == WorldKind::Dungeon);
        if self.document.source().ground().is_some() && is_dungeon() {
            return self.error(format!("{name} is a dungeon, and the heightmap is open country"));
        }
        self.change_document(Command::Preset(source));
    }

    fn export(&mut self) {
        match self.write_picture() {
            Ok(path) => self.info(saved_message(&path)),
            Err(error) => self.error(error),
        }
    }

    /// Writes a picture, but never over an input file of the scene.
    fn write_picture(&self) -> Result<PathBuf, Failure> {
        let scene = self.document.scene_to_save().map_err(Failure::output)?;
        let style = PictureStyle::Painted { scale: None, unseen: self.look.unseen };
        let options = self.options.clone().with_style(style).with_layer(Layer::Visibility).with_crop(Crop::Auto);
        let options = options.with_name(self.document.name()).with_map(self.document.map().cloned());
        let output = OutputFile::new(format!("{}.png", options.file_stem(scene)), Format::Png);
        output.ensure_writable::<Failure>(&self.inputs)?;
        save_export::<Failure>(scene, &options, &output)?;
        Ok(output.path)
    }
}

/// Returns the user's presets in a folder, then the shipped presets.
pub(crate) fn listed_presets(own: Option<&Path>) -> Vec<ListedPreset> {
    let own = own.map(list_presets).unwrap_or_default().into_iter().map(|path| ListedPreset {
        name: preset_name(&path),
        source: path.display().to_string(),
        about: "my preset".to_owned(),
    });
    let shipped = shipped_names().map(|name| ListedPreset {
        name: name.to_owned(),
        source: name.to_owned(),
        about: Preset::named(name).map(|preset| preset.about).unwrap_or_default(),
    });
    own.chain(shipped).collect()
}
