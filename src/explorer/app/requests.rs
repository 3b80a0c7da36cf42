//! What keys, scripts and the panel ask for.

use toml::Value;

use crate::explorer::app::App;
use crate::explorer::keys::Action;
use crate::explorer::panel::Request;
use crate::explorer::tools::Tool;
use crate::light::ClockConfig;
use crate::preset::Preset;

impl App {
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Walk(step) => {
                self.route.clear();
                self.walk(step);
            }
            Action::Wait => self.change_scene(|scene| scene.wait()),
            Action::Zoom(steps) => {
                let middle = self.viewport().center();
                self.zoom(steps, self.hover.unwrap_or(middle));
            }
            Action::Centre => self.centre(),
            Action::Show(backdrop) => self.show(backdrop),
            Action::Reveal => self.reveal = !self.reveal,
            Action::Radius(by) => self.turn_radius(by),
            Action::Seed(by) => self.turn_seed(by),
            Action::Inspect => self.inspector.toggle(),
            Action::Split if self.split.is_open() => self.split.close(),
            Action::Split => self.split_with(self.split.contender()),
            Action::Legend => {
                let legend = !self.preset.paint.legend;
                self.turn("paint.legend", Some(Value::Boolean(legend)));
            }
            Action::Lamps => self.tools.toggle(Tool::Lamp),
            Action::Towers => self.tools.toggle(Tool::Tower),
            Action::SaveWalk => self.serve(Request::SaveWalk),
            Action::LoadWalk => self.serve(Request::LoadWalk),
            Action::Clock => {
                let runs = !self.preset.clock.runs;
                self.turn("clock.runs", Some(Value::Boolean(runs)));
            }
            Action::Time => self.toggle_time(),
            Action::Hours(hours) => {
                let hour = (self.preset.clock.hour + f64::from(hours)).rem_euclid(ClockConfig::YEAR);
                let changes = [("clock.hour", Value::Float(hour)), ("clock.runs", Value::Boolean(true))];
                match self.preset.with(changes) {
                    Ok(preset) => self.take_noted(preset, Some("clock.hour")),
                    Err(error) => self.messages.complain(error.to_string()),
                }
            }
            Action::Forget => {
                for scene in self.scene.iter_mut().chain(self.split.scene_mut()) {
                    scene.forget();
                }
                self.turns += 1;
                self.version += 1;
            }
            Action::Export => self.export(None),
            Action::Screenshot => self.screenshot = Some(self.screenshot_path()),
            Action::Panel => self.show_panel = !self.show_panel,
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Help => self.show_help = !self.show_help,
            Action::Close if self.show_help => self.show_help = false,
            Action::Close => {
                self.inspector.unpin();
            }
        }
    }

    pub(super) fn serve(&mut self, request: Request) {
        match request {
            Request::Preset(name) => self.take_preset(&name),
            Request::Turn(key, value) => self.turn(key, value),
            Request::Reset(key) => self.reset(|setting| setting.key == key),
            Request::ResetSection(section) => {
                let land = self.land();
                self.reset(|setting| setting.section() == section && land.has(setting));
            }
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::Show(backdrop) => self.show(backdrop),
            Request::Reveal(reveal) => self.reveal = reveal,
            Request::Inspect(_) => self.inspector.toggle(),
            Request::Split(true) => self.split_with(self.split.contender()),
            Request::Split(false) => self.split.close(),
            Request::SplitWith(contender) => self.split_with(contender),
            Request::Time => self.toggle_time(),
            Request::NextSeed => self.turn_seed(1),
            Request::Export => self.export(None),
            Request::NoLamps => self.take_noted(Preset { lamps: Vec::new(), ..self.preset.clone() }, None),
            Request::NoLookouts => self.take_noted(Preset { viewers: Vec::new(), ..self.preset.clone() }, None),
            Request::SaveWalk | Request::LoadWalk => {
                let saves = request == Request::SaveWalk;
                if let Err(error) = if saves { self.save_walk(None) } else { self.load_walk(None) } {
                    self.messages.complain(error);
                }
            }
            Request::SavePreset => self.save_preset(),
            Request::LeaveMap => self.leave_map(),
            Request::CopyCommand => self.copy_command(),
            Request::Screenshot => self.screenshot = Some(self.screenshot_path()),
            Request::Help => self.show_help = !self.show_help,
        }
    }
}
