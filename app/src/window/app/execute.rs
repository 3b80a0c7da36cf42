//! The one place that carries out a [`Command`].

use toml::Value;

#[cfg(not(target_arch = "wasm32"))]
use super::files::show_folder;
use super::state::App;
use crate::document::{ComparedTo, Document, OpenedFile, PictureReading, picture_bytes};
use crate::stage_log;
use crate::window::command::{Command, Tool};
use crate::window::error::CommandError;
use crate::window::my_presets::open_file;
#[cfg(not(target_arch = "wasm32"))]
use crate::window::open_dialog::OpenDialog;
#[cfg(not(target_arch = "wasm32"))]
use crate::window::session::ReadContent;
use crate::window::session::{Screenshot, ScreenshotContent};
use farsight::files::{HeightRange, HeightRangeError};

impl App {
    /// Carries out a command and shows a failure in the window.
    pub(crate) fn execute_or_show(&mut self, command: Command) {
        if let Err(error) = self.execute(command) {
            self.session.messages.error(error.reason);
        }
    }

    /// Carries out a command. An error is a sentence for the user.
    pub(crate) fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match stage_log::is_on().then(|| logged_text(&command)).flatten() {
            Some(text) => stage_log::timed(text, || self.carry_out(command)),
            None => self.carry_out(command),
        }
    }

    fn carry_out(&mut self, command: Command) -> Result<(), CommandError> {
        let Self { document, view, session, .. } = self;
        match command {
            Command::Walk(step) => {
                document.walk(step);
                view.state.camera_follows = true;
            }
            Command::WaitTurn => document.wait_turn(),
            Command::Place(cell) => {
                document.place(cell)?;
                view.state.camera_follows = true;
            }
            Command::ToggleDoor(cell) => document.toggle_door(cell, &view.state)?,
            Command::Forget => document.forget(),
            // A finger cannot point without a tap, so a tap on a creature names it, and the next one walks there.
            Command::Click(at)
                if session.input.is_touch
                    && view.has_creature_at(document.scene(), at)
                    && session.names_creature(view.cell_at(at)) => {}
            // A finger cannot point: while cells are explained, a tap asks about one.
            Command::Click(at) if session.input.is_touch && view.inspector.follows_pointer => {
                if let Some(cell) = view.cell_at(at).filter(|cell| document.contains(*cell)) {
                    view.inspector.unpin();
                    view.inspector.pin(cell);
                }
            }
            Command::Click(at) => match (view.cell_at(at), session.tools.tool) {
                (Some(cell), Tool::Walk) if document.knows_door(cell) => document.toggle_door(cell, &view.state)?,
                (Some(cell), Tool::Walk) => document.walk_to(cell),
                (Some(cell), Tool::Lamp | Tool::Lookout) if document.contains(cell) => {
                    document.edit(session.tools.used_on(document.preset(), cell), None, &view.state);
                    session.tools.select_clicked(document.preset(), cell);
                }
                _ => {}
            },
            Command::Hover(at) => view.pointer = Some(at),
            Command::Drag(from, to) => {
                let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
                if document.comparison().is_open() && view.divider.is_near(from, viewport, map_pixels) {
                    view.divider.move_to(to.x, viewport, map_pixels);
                } else {
                    view.pan(document.scene(), to - from);
                }
            }
            Command::Pan(by) => view.pan(document.scene(), by),
            Command::Zoom(steps) => {
                let at = view.zoom_point(document.scene());
                view.zoom(document.scene(), steps, at);
            }
            Command::ZoomAt(at, steps) => view.zoom(document.scene(), steps, at),
            Command::Centre => (view.state.camera_follows, view.state.followed) = (true, None),
            Command::Show(backdrop) => {
                document.check_layer(backdrop).map_err(|error| error.to_string())?;
                view.state.backdrop = backdrop;
            }
            Command::ToggleReveal => view.reveals = !view.reveals,
            Command::ToggleLook => {
                let look = document.preset().paint.look.other();
                document.set("paint.look", Some(Value::String(look.name().into())), &view.state);
            }
            Command::ToggleLegend => {
                let legend = !document.preset().paint.legend;
                document.set("paint.legend", Some(Value::Boolean(legend)), &view.state);
            }
            Command::ToggleInspector => view.inspector.follows_pointer = !view.inspector.follows_pointer,
            Command::PinAt(at) => {
                if let Some(cell) = view.cell_at(at).filter(|cell| document.contains(*cell)) {
                    view.inspector.pin(cell);
                }
            }
            Command::Pin(cell) if !document.contains(cell) => {
                return Err(format!("there is no cell {},{} on the map", cell.x, cell.y).into());
            }
            Command::Pin(cell) => {
                view.inspector.unpin();
                view.inspector.pin(cell);
            }
            Command::Unpin => view.inspector.unpin(),
            Command::ToggleComparison => document.toggle_comparison(),
            Command::CompareWith(to) => {
                #[cfg(not(target_arch = "wasm32"))]
                if let ComparedTo::Preset(name, _) = &to {
                    session.read_files.add_preset(name.as_ref()); // a name may be that of a file
                }
                document.compare_with(to);
            }
            Command::CompareWithFile(path) => {
                document.compare_with(ComparedTo::opened(open_file(Some(path.clone()), None)?, &path)?);
                #[cfg(not(target_arch = "wasm32"))]
                session.read_files.add_preset(&path);
            }
            Command::EndComparison => document.end_comparison(),
            Command::MoveDivider(x) => view.divider.move_to(x, view.viewport(), view.map_pixels()),
            Command::Set(key, value) => document.set(key, value, &view.state),
            Command::SetText(key, value) => document.set_text(&key, &value, &view.state)?,
            Command::Reset(wanted) => document.reset(&wanted, &view.state)?,
            Command::AddToRadius(by) => document.add_to_radius(by, &view.state),
            Command::AddToSeed(by) => document.add_to_seed(by, &view.state),
            Command::AddHours(hours) => document.add_hours(hours, &view.state),
            Command::ToggleClock => {
                let runs = !document.preset().clock.runs;
                document.set("clock.runs", Some(Value::Boolean(runs)), &view.state);
            }
            Command::ToggleTime => document.toggle_time(&view.state),
            Command::Preset(name) => {
                document.show_preset(&name, &view.state)?;
                #[cfg(not(target_arch = "wasm32"))]
                session.read_files.add_preset(name.as_ref());
            }
            Command::ToggleTool(tool) => session.tools.toggle(tool),
            Command::AddLamp(lamp) => document.add(|preset| preset.lamps.push(lamp), &view.state)?,
            Command::ChangeLamp(lamp) => document.change_lamp(&lamp, &view.state),
            Command::MoveLamp(from, to) if !document.contains(to) => {
                return Err(format!(
                    "the lamp at {},{} cannot be moved to {},{}: expected a cell of the map",
                    from.x, from.y, to.x, to.y
                )
                .into());
            }
            Command::MoveLamp(from, to) => {
                if !document.move_lamp(from, to, &view.state) {
                    return Err(format!(
                        "there is no lamp at {},{} to move to the free cell {},{}",
                        from.x, from.y, to.x, to.y
                    )
                    .into());
                }
                session.tools.selected_lamp = Some(to);
            }
            Command::AddLookout(lookout) => document.add(|preset| preset.viewers.push(lookout), &view.state)?,
            Command::AddCreature(creature) => document.add(|preset| preset.creatures.push(creature), &view.state)?,
            Command::RemoveLamps => document.edit_with(|preset| preset.lamps.clear(), &view.state),
            Command::RemoveLookouts => document.edit_with(|preset| preset.viewers.clear(), &view.state),
            Command::Undo => {
                if !document.undo(&mut view.state) {
                    session.messages.info("Nothing to undo");
                }
            }
            Command::Redo => {
                if !document.redo(&mut view.state) {
                    session.messages.info("Nothing to redo");
                }
            }
            Command::Open(path, bytes) => {
                let picture = picture_bytes(path.as_deref(), bytes.as_deref());
                let opened = open_file(path.clone(), bytes)?;
                let is_heightmap = matches!(opened, OpenedFile::Heightmap { .. });
                #[cfg(not(target_arch = "wasm32"))]
                if let Some(path) = &path {
                    session.settings.window.add_recent(path);
                    if let Some(content) = read_content(&opened) {
                        session.read_files.add_opened(content, path);
                    }
                }
                // In a browser the path is only a name, so it cannot be watched.
                let watched = path.filter(|_| cfg!(not(target_arch = "wasm32")));
                document.open(opened, watched, &mut view.state);
                document.keep_picture(picture);
                let words = if is_heightmap { words_on_heightmap(document) } else { None };
                if let Some(words) = words_on_picture(document).or(words) {
                    session.messages.info(words);
                }
            }
            Command::ReadPicture(reading) => document.read_picture(reading, &mut view.state)?,
            Command::SetHeights([low, high]) => {
                let heights: HeightRange =
                    format!("{low}:{high}").parse().map_err(|error: HeightRangeError| error.to_string())?;
                document.read_picture(PictureReading::Heights(heights), &mut view.state)?;
            }
            #[cfg(not(target_arch = "wasm32"))]
            Command::ToggleOpenDialog => {
                session.open_dialog = if session.open_dialog.is_none() { Some(OpenDialog::new()) } else { None };
            }
            #[cfg(not(target_arch = "wasm32"))]
            Command::ShowFolder(folder) => show_folder(&folder)?,
            #[cfg(target_arch = "wasm32")]
            Command::ToggleOpenDialog | Command::ShowFolder(_) => {} // a page has a button of its own
            Command::CloseMap => document.close_map(&mut view.state),
            Command::Export(path, part) => self.export(path, part)?,
            Command::SavePreset => self.save_preset()?,
            #[cfg(target_arch = "wasm32")]
            Command::RemovePreset(path) => crate::window::my_presets::remove(&path),
            Command::SaveWalk(path) => self.save_walk(path)?,
            Command::LoadWalk(path) => self.load_walk(path)?,
            Command::CopyCommandLine => self.copy_command_line(),
            Command::Screenshot(path) => {
                let stem = document.file_stem().unwrap_or_else(|| "farsight".into());
                let shot = match path {
                    Some(path) => Screenshot { path, content: ScreenshotContent::Window },
                    None => {
                        let content = ScreenshotContent::Map { is_drawn: false };
                        Screenshot { path: format!("{stem}-screen.png").into(), content }
                    }
                };
                #[cfg(not(target_arch = "wasm32"))]
                self.ensure_not_read(&shot.path)?;
                self.session.screenshot = Some(shot);
            }
            Command::TogglePanel if session.has_sheet => session.sheet_is_open = !session.sheet_is_open,
            Command::TogglePanel => session.settings.window.panel = !session.settings.window.panel,
            Command::ScalePanels(steps) => session.settings.window.scale_panels(steps),
            Command::ToggleLegendFold => view.unfolds_legend = !view.unfolds_legend,
            Command::GoTo(cell) => view.go_to(document.scene(), cell),
            Command::ToggleHelp => session.shows_help = !session.shows_help,
            #[cfg(not(target_arch = "wasm32"))]
            Command::Close if session.open_dialog.is_some() => session.open_dialog = None,
            Command::Close if session.shows_help => session.shows_help = false,
            Command::Close => view.inspector.unpin(),
        }
        self.show_errors();
        Ok(())
    }
}

/// Returns what kind of file was opened, unless it is an export, which may be made again in its place.
#[cfg(not(target_arch = "wasm32"))]
fn read_content(opened: &OpenedFile) -> Option<ReadContent> {
    match opened {
        OpenedFile::Preset(..) => Some(ReadContent::Preset),
        OpenedFile::Walk(_) => Some(ReadContent::Walk),
        OpenedFile::Map(..) | OpenedFile::Heightmap { .. } => Some(ReadContent::Other),
        OpenedFile::Scene { .. } => None,
    }
}

/// Returns how an opened picture is read, and where that is changed.
fn words_on_picture(document: &Document) -> Option<String> {
    let meaning = match document.picture_reading()? {
        PictureReading::Opacities => "a map of opacities: white is a wall".to_owned(),
        PictureReading::Metres => "heights: grey values are metres".to_owned(),
        PictureReading::Heights(heights) => {
            let [low, high] = heights.metres();
            format!("heights: black is {low} m, white is {high} m")
        }
    };
    let name = document.map().map_or("The picture", |map| map.name.as_str());
    Some(format!("{name} is read as {meaning}. Change it with \"picture as\" at the top of the panel."))
}

/// Returns what was read from a heightmap that was opened.
fn words_on_heightmap(document: &Document) -> Option<String> {
    let map = document.map()?;
    let world = &document.preset().world;
    let (name, width, height) = (&map.name, world.width, world.height);
    Some(format!("Opened {name}, {width}x{height} cells. Its woods and humidity are computed from the heights."))
}

/// Returns a command for the log, without the bytes of opened files. The pointer's way is left out.
fn logged_text(command: &Command) -> Option<String> {
    match command {
        Command::Hover(_) | Command::Pan(_) => None,
        Command::Open(path, _) => Some(format!("Open({path:?})")),
        other => Some(format!("{other:?}")),
    }
}
