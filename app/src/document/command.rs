//! [`Command`]: a change of a document, by a key of window or terminal, the panel or a script.

use toml::Value;

use super::compared_scene::ComparedTo;
use super::opened_file::PictureReading;
use super::shown::Shown;
use super::state::Document;
use farsight::light::{ClockConfig, Lamp};
use farsight_scene::creatures::{Observer, PlacedCreature};
use farsight_scene::files::{HeightRange, HeightRangeError};
use farsight_scene::world::Stroke;
use glam::IVec2;

/// The range of visual ranges for the keys, in metres: wider than the slider, for the thickest fog and the clearest air.
const VISUAL_RANGES_M: [f64; 2] = [50.0, 200_000.0];

/// A change of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// Takes one step.
    Walk(IVec2),
    /// Advances a turn.
    WaitTurn,
    /// Moves the viewer to a cell.
    Place(IVec2),
    /// Opens or closes the door on a cell.
    ToggleDoor(IVec2),
    /// Forgets all cells and creatures out of sight.
    Forget,
    /// Sets a setting; `None` removes an optional setting.
    Set(&'static str, Option<Value>),
    /// Sets a setting from text, as `--set` does.
    SetText(String, String),
    /// Resets a key, or all keys of a section, to the preset.
    Reset(String),
    AddToRadius(i32),
    /// Shows the world of another seed.
    AddToSeed(i64),
    /// Moves the clock, and starts it.
    AddHours(i32),
    /// Multiplies the visual range: thicker or thinner fog.
    ScaleVisualRange(f64),
    /// Paints each cause of reduced visibility in its look, or all of them as darkness.
    ToggleLook,
    ToggleLegend,
    /// Starts or pauses the clock.
    ToggleClock,
    /// Runs time continuously, or only with each turn.
    ToggleTime,
    /// Shows another preset.
    Preset(String),
    AddLamp(Lamp),
    /// Changes the lamp on the same cell.
    ChangeLamp(Lamp),
    /// Moves the lamp on a cell to another cell.
    MoveLamp(IVec2, IVec2),
    AddLookout(Observer),
    AddCreature(PlacedCreature),
    /// Paints a stroke, or extends the last stroke.
    Paint(Stroke),
    /// Settles climate and rivers after the last stroke.
    SettleLand,
    /// Names the place on a cell; an empty name removes the user's name.
    NamePlace(IVec2, String),
    RemoveLamps,
    RemoveLookouts,
    Undo,
    Redo,
    /// Shows a second scene, or hides it.
    ToggleComparison,
    /// Compares with another method, preset, hour or world.
    CompareWith(ComparedTo),
    EndComparison,
    /// Reads the opened picture in another way.
    ReadPicture(PictureReading),
    /// Sets the heights of black and white of the opened picture, in metres, as typed text.
    SetHeights([String; 2]),
    /// Returns from a map to the world of the preset.
    CloseMap,
}

impl Document {
    /// Executes a command. Returns a note for the user, if any; an error is a sentence for the user.
    pub(crate) fn execute(&mut self, command: Command, shown: &mut Shown) -> Result<Option<String>, String> {
        match command {
            Command::Walk(step) => {
                self.walk(step);
                shown.camera_follows = true;
            }
            Command::WaitTurn => self.wait_turn(),
            Command::Place(cell) => {
                self.place(cell)?;
                shown.camera_follows = true;
            }
            Command::ToggleDoor(cell) => self.toggle_door(cell, shown)?,
            Command::Forget => self.forget(),
            Command::Set(key, value) => self.set(key, value, shown),
            Command::SetText(key, value) => self.set_text(&key, &value, shown)?,
            Command::Reset(wanted) => self.reset(&wanted, shown)?,
            Command::AddToRadius(by) => {
                let radius = (i64::from(self.preset().sight.radius) + i64::from(by)).max(0);
                self.set("sight.radius", Some(Value::Integer(radius)), shown);
            }
            Command::AddToSeed(by) => return Ok(self.add_to_seed(by, shown)),
            Command::AddHours(hours) => self.add_hours(hours, shown),
            Command::ScaleVisualRange(factor) => return Ok(Some(self.scale_visual_range(factor, shown))),
            Command::ToggleLook => {
                let look = self.preset().paint.look.other();
                self.set("paint.look", Some(Value::String(look.name().into())), shown);
            }
            Command::ToggleLegend => {
                let legend = !self.preset().paint.legend;
                self.set("paint.legend", Some(Value::Boolean(legend)), shown);
            }
            Command::ToggleClock => {
                let runs = !self.preset().clock.runs;
                self.set("clock.runs", Some(Value::Boolean(runs)), shown);
                return Ok((runs && !self.time_runs()).then(|| self.words_on_clock()));
            }
            Command::ToggleTime => self.toggle_time(shown),
            Command::Preset(name) => self.show_preset(&name, shown)?,
            Command::AddLamp(lamp) => self.add(|preset| preset.lamps.push(lamp), shown)?,
            Command::ChangeLamp(lamp) => self.change_lamp(&lamp, shown),
            Command::MoveLamp(from, to) => self.move_lamp(from, to, shown)?,
            Command::AddLookout(lookout) => self.add(|preset| preset.viewers.push(lookout), shown)?,
            Command::Paint(stroke) => self.paint(stroke, shown)?,
            Command::SettleLand => self.settle_land(shown)?,
            Command::AddCreature(creature) => self.add(|preset| preset.creatures.push(creature), shown)?,
            Command::NamePlace(cell, name) => self.name_place(cell, &name, shown)?,
            Command::RemoveLamps => self.edit_with(|preset| preset.lamps.clear(), shown),
            Command::RemoveLookouts => self.edit_with(|preset| preset.viewers.clear(), shown),
            Command::Undo => return Ok((!self.undo(shown)).then(|| "Nothing to undo".into())),
            Command::Redo => return Ok((!self.redo(shown)).then(|| "Nothing to redo".into())),
            Command::ToggleComparison => self.toggle_comparison(),
            Command::CompareWith(to) => self.compare_with(to),
            Command::EndComparison => self.end_comparison(),
            Command::ReadPicture(reading) => self.read_picture(reading, shown)?,
            Command::SetHeights([low, high]) => {
                let heights: HeightRange =
                    format!("{low}:{high}").parse().map_err(|error: HeightRangeError| error.to_string())?;
                self.read_picture(PictureReading::Heights(heights.into()), shown)?;
            }
            Command::CloseMap => self.close_map(shown),
        }
        Ok(None)
    }

    /// Returns the time of the next change of a clock that was started, since a static map looks like a fault.
    fn words_on_clock(&self) -> String {
        let minutes = self.preset().clock.minutes_a_turn;
        format!("The clock is on: each step or wait takes {minutes} minutes. R lets time run by itself.")
    }

    /// Shows the world of another seed. For a map from a file, it returns a note.
    fn add_to_seed(&mut self, by: i64, shown: &Shown) -> Option<String> {
        if !self.source().is_generated() {
            return Some("A map from a file has no other worlds".into());
        }
        let seed = (self.preset().world.seed as i64).saturating_add(by).max(0);
        self.set("world.seed", Some(Value::Integer(seed)), shown);
        None
    }

    /// Moves the clock and starts it.
    fn add_hours(&mut self, hours: i32, shown: &Shown) {
        let hour = (self.present_preset().clock.hour + f64::from(hours)).rem_euclid(ClockConfig::YEAR);
        match self.preset().with([("clock.hour", Value::Float(hour)), ("clock.runs", Value::Boolean(true))]) {
            Ok(preset) => self.edit(preset, Some("clock.hour"), shown),
            Err(error) => self.errors.push(error.to_string()),
        }
    }

    /// Multiplies the visual range and returns it as text.
    fn scale_visual_range(&mut self, factor: f64, shown: &Shown) -> String {
        if !self.has_landscape() {
            return "There is no fog here".into();
        }
        let [least, most] = VISUAL_RANGES_M;
        let range_m = (self.preset().optics.visual_range_m.min(most) * factor).clamp(least, most);
        self.set("optics.visual_range_m", Some(Value::Float(range_m)), shown);
        let range = if range_m < 2000.0 { format!("{range_m:.0} m") } else { format!("{:.1} km", range_m / 1000.0) };
        format!("Visual range {range}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::DocumentOptions;
    use farsight_scene::preset::Preset;
    use farsight_scene::world::WorldConfig;

    #[test]
    fn a_clock_that_is_started_says_when_its_hour_moves() {
        let world = WorldConfig::default().with_width(64).with_height(64);
        let options =
            DocumentOptions { preset: Preset::shipped_default().with_world(world), ..DocumentOptions::default() };
        let (mut document, mut shown) = (Document::new(options), Shown::default());
        while !document.is_settled() {
            document.advance(0.0, &mut shown).unwrap();
        }
        let note = document.execute(Command::ToggleClock, &mut shown).unwrap();
        assert_eq!(
            note.as_deref(),
            Some("The clock is on: each step or wait takes 5 minutes. R lets time run by itself.")
        );
        assert_eq!(document.execute(Command::ToggleClock, &mut shown).unwrap(), None);
    }

    #[test]
    fn another_world_has_none_of_the_things_on_cells_of_the_last() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (64, 64);
        let options = DocumentOptions { preset, ..DocumentOptions::default() };
        let (mut document, mut shown) = (Document::new(options), Shown::default());
        let settle = |document: &mut Document, shown: &mut Shown| {
            while !document.is_settled() {
                document.advance(0.0, shown).unwrap();
            }
        };
        settle(&mut document, &mut shown);
        document.execute(Command::AddLamp(Lamp::new((3, 4))), &mut shown).unwrap();
        document.execute(Command::AddLookout(Observer::new((5, 6))), &mut shown).unwrap();
        let stroke = Stroke::new(farsight_scene::world::Brush::Raise, [(9, 9)]);
        document.execute(Command::Paint(stroke), &mut shown).unwrap();
        document.end_step();
        let placed = document.preset().clone();
        document.execute(Command::AddToSeed(1), &mut shown).unwrap();
        settle(&mut document, &mut shown);
        let scene = document.scene().unwrap();
        assert!(scene.lamps().is_empty() && scene.observers().is_empty() && scene.state().strokes.is_empty());
        document.execute(Command::Undo, &mut shown).unwrap();
        settle(&mut document, &mut shown);
        assert_eq!(*document.preset(), placed);
        assert_eq!(document.scene().unwrap().state().strokes, placed.strokes);
        let mut brought = placed.clone().with_lamps(vec![Lamp::new((7, 7))]);
        brought.world.seed += 5;
        document.edit(brought, None, &shown);
        settle(&mut document, &mut shown);
        assert_eq!(document.scene().unwrap().lamps(), [Lamp::new((7, 7))], "a preset brings its own");
    }
}
