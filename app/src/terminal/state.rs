//! [`TerminalExplorer`]: the scene, what is shown of it, and what commands change.

use std::path::PathBuf;
use std::sync::Arc;

use glam::IVec2;
use toml::Value;

use super::command::{Command, HELP};
use super::generation::Generation;
use super::listed_presets::{ListedPreset, listed_presets};
use crate::cli::failure::Failure;
use crate::cli::scene_request::SceneBase;
use crate::cli::terminal_drawing::{MapLook, TerminalStyle};
use crate::saved_message::saved_message;
use farsight::export::{Crop, Export, ExportOptions, PictureStyle};
use farsight::files::{Format, NamedInput, OutputFile, write_together};
use farsight::light::ClockConfig;
use farsight::paint::Unseen;
use farsight::perception::{CreatureWatch, Recognition};
use farsight::preset::Preset;
use farsight::scene::{Layer, Scene};
use farsight::sight::Door;
use farsight::world::{Ground, NEIGHBOURS, WorldKind};

/// The terrain that presets are shown on.
pub(crate) enum Base {
    Generated,
    OpacityMap,
    Heightmap(Arc<Ground>),
}

impl Base {
    pub(crate) fn of(base: &SceneBase) -> Self {
        match base {
            SceneBase::Generated => Self::Generated,
            SceneBase::OpacityMap(_) => Self::OpacityMap,
            SceneBase::Heightmap(ground) => Self::Heightmap(Arc::clone(ground)),
            SceneBase::Partial(_) => unreachable!("the explorer reads whole heightmaps"),
        }
    }
}

/// The content of the screen above the lines at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Map,
    /// Only the legend, where it has no place next to the map.
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
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// The explorer without its terminal.
pub(crate) struct TerminalExplorer {
    pub(crate) scene: Scene,
    pub(crate) options: ExportOptions,
    base: Base,
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
    pub(crate) message: Option<Message>,
    pub(crate) generation: Option<Generation>,
    watch: CreatureWatch,
    /// The last step, or attempt at one.
    heading: IVec2,
}

/// The visual ranges that keys reach, in metres.
const VISUAL_RANGES_M: [f64; 2] = [50.0, 200_000.0];

impl TerminalExplorer {
    pub(crate) fn new(
        scene: Scene,
        options: ExportOptions,
        base: Base,
        inputs: Vec<NamedInput>,
        own_presets: Option<PathBuf>,
        style: TerminalStyle,
    ) -> Self {
        let look = MapLook { unseen: Unseen::Mapped, has_coloured_marks: true };
        let mut watch = CreatureWatch::default();
        watch.update(scene.creatures().all(), scene.viewer());
        Self {
            scene,
            options,
            base,
            inputs,
            presets: listed_presets(own_presets.as_deref()),
            own_presets,
            style,
            look,
            size: [80, 24],
            page: Page::Map,
            hides_panel: false,
            message: None,
            generation: None,
            watch,
            heading: IVec2::ZERO,
        }
    }

    /// Returns `true` if the legend has a place next to the map.
    pub(crate) fn is_wide(&self) -> bool {
        self.size[0] >= 72
    }

    pub(crate) fn execute(&mut self, command: Command) -> Outcome {
        self.message = None;
        match command {
            Command::Walk(step) => {
                self.heading = step;
                match self.scene.step(step) {
                    Ok(true) => self.report_creature(),
                    Ok(false) if self.scene.door(self.scene.viewer() + step).is_some() => {
                        self.info("A closed door is in the way: o opens it");
                    }
                    Ok(false) => self.info("Something is in the way"),
                    Err(error) => self.error(error),
                }
            }
            Command::Wait => match self.scene.wait() {
                Ok(()) => self.report_creature(),
                Err(error) => self.error(error),
            },
            Command::ToggleDoor => self.toggle_door(),
            Command::AddToRadius(by) => {
                let radius = (i64::from(self.scene.preset().sight.radius) + by).max(0);
                self.set(vec![("sight.radius", Value::Integer(radius))]);
            }
            Command::AddHours(by) => {
                let hour = (self.scene.preset().clock.hour + f64::from(by)).rem_euclid(ClockConfig::YEAR);
                self.set(vec![("clock.hour", Value::Float(hour)), ("clock.runs", Value::Boolean(true))]);
            }
            Command::ScaleVisualRange(factor) => self.scale_visual_range(factor),
            Command::AddToSeed(by) => self.add_to_seed(by),
            Command::ToggleUnseen => {
                let is_mapped = self.look.unseen == Unseen::Mapped;
                self.look.unseen = if is_mapped { Unseen::Remembered } else { Unseen::Mapped };
                self.info(if is_mapped { "Land that was never seen is hidden" } else { "All land is shown" });
            }
            Command::ToggleLook => {
                let look = self.scene.preset().paint.look.other();
                self.set(vec![("paint.look", Value::String(look.name().into()))]);
            }
            Command::ToggleLegend if self.is_wide() && self.page == Page::Map => self.hides_panel ^= true,
            Command::ToggleLegend => self.toggle(Page::Legend { first: 0 }, matches!(self.page, Page::Legend { .. })),
            Command::ToggleHelp => self.toggle(Page::Help { first: 0 }, matches!(self.page, Page::Help { .. })),
            Command::TogglePresets if matches!(self.base, Base::OpacityMap) => {
                self.page = Page::Map;
                self.info("A map has no presets");
            }
            Command::TogglePresets => {
                self.presets = listed_presets(self.own_presets.as_deref());
                let selected = self.presets.iter().position(|preset| preset.name == self.options.name).unwrap_or(0);
                self.toggle(Page::Presets { selected }, matches!(self.page, Page::Presets { .. }));
            }
            Command::Export => self.export(),
            Command::Move(by) => self.move_in_list(by),
            Command::Choose => self.choose(),
            Command::Close if self.page != Page::Map => self.page = Page::Map,
            Command::Close | Command::Quit => return Outcome::Quit,
            Command::Interrupt => return Outcome::Interrupted,
        }
        Outcome::Continue
    }

    fn toggle_door(&mut self) {
        let mut steps = std::iter::once(self.heading).chain(NEIGHBOURS);
        let near = steps.find_map(|step| {
            let cell = self.scene.viewer() + step;
            self.scene.door(cell).filter(|_| step != IVec2::ZERO).map(|_| cell)
        });
        let Some(cell) = near else { return self.info("There is no door next to you") };
        match self.scene.toggle_door(cell) {
            Ok(Door::Open) => self.info("The door is open"),
            Ok(Door::Closed) => self.info("The door is closed"),
            Err(error) => self.error(error),
        }
        self.watch.update(self.scene.creatures().all(), self.scene.viewer());
    }

    /// Takes over a world that is ready. Returns `true` if one is being made, or was.
    pub(crate) fn poll_generation(&mut self) -> bool {
        let Some(generation) = &self.generation else { return false };
        if let Some(result) = generation.poll() {
            let name = generation.name.clone();
            self.generation = None;
            match result {
                Ok(scene) => {
                    self.scene = scene;
                    self.show_scene(name);
                }
                Err(error) => self.error(error),
            }
        }
        true
    }

    fn show_scene(&mut self, name: String) {
        self.watch = CreatureWatch::default();
        self.watch.update(self.scene.creatures().all(), self.scene.viewer());
        self.options.name = name;
    }

    /// Names a creature that is perceived better than before.
    fn report_creature(&mut self) {
        let (creatures, viewer) = (self.scene.creatures().all(), self.scene.viewer());
        let event = self.watch.update(creatures, viewer);
        let event = event.filter(|_| self.scene.preset().paint.creatures);
        if let Some(line) = event.and_then(|event| event.line(creatures, viewer)) {
            let is_identified = event.is_some_and(|event| event.recognition == Recognition::Identified);
            self.info(if is_identified { format!("Identified: {line}") } else { line });
        }
    }

    fn info(&mut self, text: impl ToString) {
        self.message = Some(Message { text: text.to_string(), is_error: false });
    }

    fn error(&mut self, error: impl ToString) {
        self.message = Some(Message { text: error.to_string(), is_error: true });
    }

    fn toggle(&mut self, page: Page, is_open: bool) {
        self.page = if is_open { Page::Map } else { page };
    }

    /// Sets keys of the preset that change no world.
    fn set(&mut self, values: Vec<(&str, Value)>) {
        match self.scene.preset().with(values) {
            Ok(preset) => self.apply(preset),
            Err(error) => self.error(error),
        }
    }

    fn apply(&mut self, preset: Preset) {
        if let Err(error) = self.scene.apply(preset) {
            self.error(error);
        }
        self.watch.update(self.scene.creatures().all(), self.scene.viewer());
    }

    fn scale_visual_range(&mut self, factor: f64) {
        if self.scene.world().is_none() {
            return self.info("There is no fog here");
        }
        let [least, most] = VISUAL_RANGES_M;
        let range_m = (self.scene.preset().optics.visual_range_m.min(most) * factor).clamp(least, most);
        self.set(vec![("optics.visual_range_m", Value::Float(range_m))]);
        if self.message.is_none() {
            let range =
                if range_m < 2000.0 { format!("{range_m:.0} m") } else { format!("{:.1} km", range_m / 1000.0) };
            self.info(format!("Visual range {range}"));
        }
    }

    fn add_to_seed(&mut self, by: i64) {
        if !matches!(self.base, Base::Generated) {
            return self.info("A map from a file has no other worlds");
        }
        let seed = (self.scene.preset().world.seed as i64).saturating_add(by).max(0);
        match self.scene.preset().with([("world.seed", Value::Integer(seed))]) {
            Ok(preset) => self.generation = Some(Generation::start(self.options.name.clone(), preset, None, None)),
            Err(error) => self.error(error),
        }
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
        if let Some(preset) = chosen
            && let Err(error) = self.show_preset(&preset)
        {
            self.error(error);
        }
    }

    /// Shows a preset: in the same world from the same cell if it shares it, else in its own world.
    fn show_preset(&mut self, ListedPreset { name, source, .. }: &ListedPreset) -> Result<(), Failure> {
        let mut preset = Preset::named(source)?;
        let old = &self.scene.preset().world;
        let (viewer, ground) = match &self.base {
            Base::OpacityMap => return Ok(()),
            Base::Heightmap(_) if preset.world.kind == WorldKind::Dungeon => {
                return Err(Failure::usage(format!("{name} is a dungeon, and the heightmap is open country")));
            }
            Base::Heightmap(ground) => {
                preset = preset.on_ground(ground.elevation_m.size(), old.cell_size_m);
                (Some(self.scene.viewer()), Some(Arc::clone(ground)))
            }
            Base::Generated => {
                let own_seed = std::mem::replace(&mut preset.world.seed, old.seed);
                if preset.world != *old {
                    preset.world.seed = own_seed;
                }
                (None, None)
            }
        };
        if self.scene.needs_new_world(&preset) {
            self.generation = Some(Generation::start(name.clone(), preset, viewer, ground));
        } else {
            self.scene.apply(preset)?;
            self.show_scene(name.clone());
        }
        Ok(())
    }

    fn export(&mut self) {
        let style = PictureStyle::Painted { scale: None, unseen: self.look.unseen };
        let options = self.options.clone().with_style(style);
        let options = options.with_layer(Layer::Visibility).with_crop(Crop::Auto);
        let path = PathBuf::from(format!("{}.png", options.file_stem(&self.scene)));
        match write_picture(&self.scene, &options, path.clone(), &self.inputs) {
            Ok(()) => self.info(saved_message(&path)),
            Err(error) => self.error(error),
        }
    }
}

/// Writes a picture, but not over one of the files that the scene is read from.
fn write_picture(scene: &Scene, options: &ExportOptions, path: PathBuf, inputs: &[NamedInput]) -> Result<(), Failure> {
    let format = Format::Png;
    let output = OutputFile { path, format };
    output.ensure_writable::<Failure>(inputs)?;
    let export = Export::prepare(scene, format, options)?;
    let encode = |export: &Export, format, out: &mut dyn std::io::Write| export.write(format, options.style, out);
    write_together(&[(&output, export)], encode, Export::world_file)?;
    Ok(())
}
