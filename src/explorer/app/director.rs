//! [`Script`]: commands carried out one a frame.

use std::path::Path;

use crate::explorer::ExploreError;
use crate::explorer::app::App;
use crate::explorer::script::Command;
use crate::preset::Preset;

/// A script that is running.
pub(super) struct Script {
    /// Commands with their lines, from 1.
    commands: Vec<(usize, Command)>,
    next: usize,
    wait: u32,
}

pub(super) enum Step {
    Going,
    Ended,
    Quit,
}

impl Script {
    pub(super) fn new(commands: Vec<(usize, Command)>) -> Self {
        Self { commands, next: 0, wait: 0 }
    }

    /// Carries out one command; the first waits for the first scene.
    pub(super) fn step(&mut self, app: &mut App) -> Result<Step, ExploreError> {
        if app.scene.is_none() || app.camera.is_none() {
            return Ok(Step::Going);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return Ok(Step::Going);
        }
        let Some((line, command)) = self.commands.get(self.next) else { return Ok(Step::Ended) };
        app.lift();
        let failed = |reason: String| ExploreError::Command { line: *line, reason };
        let map_pixels = app.map_pixels();
        match command {
            Command::Key(action) => app.act(*action),
            Command::Click(at) => app.click(*at * map_pixels),
            Command::Hover(at) => app.hover = Some(*at * map_pixels),
            Command::Drag(from, to) if app.split.is_near(*from * map_pixels, app.viewport(), map_pixels) => {
                app.split.move_to(to.x * map_pixels, app.viewport(), map_pixels);
            }
            Command::Drag(from, to) => app.drag((*to - *from) * map_pixels),
            Command::Wheel(at, steps) => app.zoom(*steps, *at * map_pixels),
            Command::Set(key, value) => {
                let mut preset = app.preset.clone();
                preset.set(key, value).map_err(|error| failed(error.with_origin("set").to_string()))?;
                app.take_noted(preset, None);
            }
            Command::Reset(wanted) => {
                if !Preset::settings().any(|setting| setting.key == wanted || setting.section() == wanted) {
                    return Err(failed(format!("there is no key and no section {wanted:?}")));
                }
                app.reset(|setting| setting.key == wanted || setting.section() == wanted);
            }
            Command::Preset(name) => {
                Preset::named(name).map_err(|error| failed(error.to_string()))?;
                app.take_preset(name);
            }
            Command::Place(cell) => {
                let scene = app.scene.as_mut().ok_or_else(|| failed("there is no scene yet".into()))?;
                scene.place(*cell).map_err(|error| failed(error.to_string()))?;
                app.route.clear();
                app.change_scene(|scene| scene.place(*cell));
                app.centre();
            }
            Command::Lamp(lamp) => {
                let mut lamps = app.preset.lamps.clone();
                lamps.push(lamp.clone());
                app.put_up(Preset { lamps, ..app.preset.clone() }).map_err(failed)?;
            }
            Command::Tower(lookout) => {
                let mut viewers = app.preset.viewers.clone();
                viewers.push(lookout.clone());
                app.put_up(Preset { viewers, ..app.preset.clone() }).map_err(failed)?;
            }
            Command::Creature(placed) => {
                let mut creatures = app.preset.creatures.clone();
                creatures.push(placed.clone());
                app.put_up(Preset { creatures, ..app.preset.clone() }).map_err(failed)?;
            }
            Command::Pin(Some(cell)) if !app.is_on_map(*cell) => {
                return Err(failed(format!("there is no cell {},{} on the map", cell.x, cell.y)));
            }
            Command::Pin(cell) => {
                app.inspector.unpin();
                cell.iter().for_each(|cell| app.inspector.pin(*cell));
            }
            Command::Split(Some(contender)) => app.split_with(*contender),
            Command::Split(None) => app.split.close(),
            Command::Divider(x) => app.split.move_to(*x * map_pixels, app.viewport(), map_pixels),
            Command::Wait(frames) => self.wait = *frames,
            Command::Settle if !app.is_idle() => return Ok(Step::Going),
            Command::Settle => {}
            Command::Screenshot(path) => app.screenshot = Some(path.into()),
            Command::Export(path, unseen) => app.try_export(Some(Path::new(path)), *unseen).map_err(failed)?,
            Command::Save(path) => app.save_walk(Some(Path::new(path))).map_err(failed)?,
            Command::Load(path) => app.load_walk(Some(Path::new(path))).map_err(failed)?,
            Command::Open(path) => app.take_file(Some(path.into()), None).map_err(failed)?,
            Command::Quit => return Ok(Step::Quit),
        }
        self.next += 1;
        Ok(Step::Going)
    }
}
