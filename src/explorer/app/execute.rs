//! The one place that carries out a [`Command`].

use toml::Value;

use crate::explorer::app::App;
use crate::explorer::command::Command;
use crate::light::ClockConfig;
use crate::preset::Preset;

impl App {
    /// Carries out a command and shows a failure in the window.
    pub(super) fn execute_or_show(&mut self, command: Command) {
        if let Err(error) = self.execute(command) {
            self.messages.complain(error);
        }
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// A sentence for the user.
    pub(super) fn execute(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Walk(step) => {
                self.route.clear();
                self.walk(step);
            }
            Command::WaitTurn => self.change_scene(|scene| scene.wait()),
            Command::Place(cell) => {
                let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
                scene.place(cell).map_err(|error| error.to_string())?;
                self.route.clear();
                self.change_scene(|scene| scene.place(cell));
                self.centre();
            }
            Command::Forget => {
                for scene in self.scene.iter_mut().chain(self.split.scene_mut()) {
                    scene.forget();
                }
                self.turns += 1;
                self.version += 1;
            }
            Command::Click(at) => self.click(at),
            Command::Hover(at) => self.hover = Some(at),
            Command::Drag(from, to) => {
                let (viewport, map_pixels) = (self.viewport(), self.map_pixels());
                if self.split.is_near(from, viewport, map_pixels) {
                    self.split.move_to(to.x, viewport, map_pixels);
                } else {
                    self.drag(to - from);
                }
            }
            Command::Pan(by) => self.drag(by),
            Command::Zoom(steps) => {
                let middle = self.viewport().center();
                self.zoom(steps, self.hover.unwrap_or(middle));
            }
            Command::ZoomAt(at, steps) => self.zoom(steps, at),
            Command::Centre => self.centre(),
            Command::Show(backdrop) => self.show(backdrop),
            Command::ToggleReveal => self.reveal = !self.reveal,
            Command::ToggleLegend => {
                let legend = !self.preset.paint.legend;
                self.turn("paint.legend", Some(Value::Boolean(legend)));
            }
            Command::ToggleInspector => self.inspector.toggle(),
            Command::PinAt(at) => self.pin(at),
            Command::Pin(cell) if !self.is_on_map(cell) => {
                return Err(format!("there is no cell {},{} on the map", cell.x, cell.y));
            }
            Command::Pin(cell) => {
                self.inspector.unpin();
                self.inspector.pin(cell);
            }
            Command::Unpin => {
                self.inspector.unpin();
            }
            Command::ToggleComparison if self.split.is_open() => self.split.close(),
            Command::ToggleComparison => self.split_with(self.split.contender()),
            Command::CompareWith(method) => self.split_with(method),
            Command::EndComparison => self.split.close(),
            Command::MoveDivider(x) => self.split.move_to(x, self.viewport(), self.map_pixels()),
            Command::Set(key, value) => self.turn(key, value),
            Command::SetText(key, value) => {
                let mut preset = self.preset.clone();
                preset.set(&key, &value).map_err(|error| error.with_origin("set").to_string())?;
                self.take_noted(preset, None);
            }
            Command::Reset(wanted) => {
                if !Preset::settings().any(|setting| setting.key == wanted || setting.section() == wanted) {
                    return Err(format!("there is no key and no section {wanted:?}"));
                }
                let land = self.land();
                self.reset(|setting| setting.key == wanted || (setting.section() == wanted && land.has(setting)));
            }
            Command::AddToRadius(by) => self.turn_radius(by),
            Command::AddToSeed(by) => self.turn_seed(by),
            Command::AddHours(hours) => {
                let hour = (self.preset.clock.hour + f64::from(hours)).rem_euclid(ClockConfig::YEAR);
                let changes = [("clock.hour", Value::Float(hour)), ("clock.runs", Value::Boolean(true))];
                let preset = self.preset.with(changes).map_err(|error| error.to_string())?;
                self.take_noted(preset, Some("clock.hour"));
            }
            Command::ToggleClock => {
                let runs = !self.preset.clock.runs;
                self.turn("clock.runs", Some(Value::Boolean(runs)));
            }
            Command::ToggleTime => self.toggle_time(),
            Command::Preset(name) => {
                Preset::named(&name).map_err(|error| error.to_string())?;
                self.take_preset(&name);
            }
            Command::ToggleTool(tool) => self.tools.toggle(tool),
            Command::AddLamp(lamp) => {
                let mut preset = self.preset.clone();
                preset.lamps.push(lamp);
                self.put_up(preset)?;
            }
            Command::AddLookout(lookout) => {
                let mut preset = self.preset.clone();
                preset.viewers.push(lookout);
                self.put_up(preset)?;
            }
            Command::AddCreature(creature) => {
                let mut preset = self.preset.clone();
                preset.creatures.push(creature);
                self.put_up(preset)?;
            }
            Command::RemoveLamps => self.take_noted(Preset { lamps: Vec::new(), ..self.preset.clone() }, None),
            Command::RemoveLookouts => self.take_noted(Preset { viewers: Vec::new(), ..self.preset.clone() }, None),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Open(path, bytes) => self.take_file(path, bytes)?,
            Command::CloseMap => self.leave_map(),
            Command::Export(path, unseen) => self.export(path.as_deref(), unseen)?,
            Command::SavePreset => self.save_preset()?,
            Command::SaveWalk(path) => self.save_walk(path.as_deref())?,
            Command::LoadWalk(path) => self.load_walk(path.as_deref())?,
            Command::CopyCommandLine => self.copy_command(),
            Command::Screenshot(path) => self.screenshot = Some(path.unwrap_or_else(|| self.screenshot_path())),
            Command::TogglePanel => self.show_panel = !self.show_panel,
            Command::ToggleHelp => self.show_help = !self.show_help,
            Command::Close if self.show_help => self.show_help = false,
            Command::Close => {
                self.inspector.unpin();
            }
        }
        Ok(())
    }
}
