//! The execution of a [`WindowCommand`].

use super::files::show_folder;
use super::state::App;
use crate::document::{Command, ComparedTo, Document, OpenedFile, PictureReading, picture_bytes};
use crate::host::ON_PAGE;
use crate::host::remove;
use crate::stage_log;
use crate::window::command::{Tool, WindowCommand};
use crate::window::dialogs::{Answer, LoadedFile, Naming, OpenDialog, Question};
use crate::window::error::CommandError;
use crate::window::my_presets::open_file;
use crate::window::session::{Goal, GoalKind, ReadContent, Screenshot, ScreenshotContent};
use crate::window::view::lamp_warning;
use farsight_scene::export::Link;
use farsight_scene::files::PictureHeights;

const SECONDS_A_DAY: f64 = 86_400.0;

impl App {
    /// Executes a command and shows a failure in the window.
    pub(crate) fn execute_or_show(&mut self, command: WindowCommand) {
        if let Err(error) = self.execute(command) {
            self.session.messages.error(error.reason);
        }
    }

    /// Executes a command. An error is a sentence for the user.
    pub(crate) fn execute(&mut self, command: WindowCommand) -> Result<(), CommandError> {
        match stage_log::is_on().then(|| logged_text(&command)).flatten() {
            Some(text) => stage_log::timed(text, || self.carry_out(command)),
            None => self.carry_out(command),
        }
    }

    fn carry_out(&mut self, command: WindowCommand) -> Result<(), CommandError> {
        let Self { document, view, session, .. } = self;
        if !matches!(command, WindowCommand::Hover(_)) {
            view.keep_camera();
        }
        match command {
            WindowCommand::Document(command) => self.change_document(command)?,
            // A finger cannot point without a tap, so a tap on a creature names it, and the next tap walks to it.
            WindowCommand::Click(at)
                if session.input.is_touch
                    && view.has_creature_at(document.scene(), at)
                    && session.names_creature(view.cell_at(at)) => {}
            // A finger cannot point: while cells are explained, a tap explains a cell.
            WindowCommand::Click(at) if session.input.is_touch && view.inspector.follows_pointer => {
                if let Some(cell) = view.cell_at(at).filter(|cell| document.contains(*cell)) {
                    view.inspector.unpin();
                    view.inspector.pin(cell);
                }
            }
            WindowCommand::Click(at) => match (view.cell_at(at), session.tools.tool) {
                (Some(cell), Tool::Walk) if document.knows_door(cell) => document.toggle_door(cell, &view.state)?,
                (Some(cell), Tool::Walk) => document.walk_to(cell),
                (Some(cell), Tool::Lamp | Tool::Lookout) if document.contains(cell) => {
                    let lookouts = document.scene().map_or(&[][..], |scene| scene.observers());
                    document.edit(session.tools.used_on(document.preset(), lookouts, cell), None, &view.state);
                    session.tools.select_clicked(document.preset(), cell);
                    let words = document.scene().and_then(|scene| lamp_warning(scene, cell));
                    words.into_iter().for_each(|words| session.messages.info(words));
                }
                (Some(cell), Tool::Name) if document.contains(cell) => {
                    session.naming = Some(Naming::of(document.preset(), cell));
                }
                (Some(cell), Tool::Brush) => {
                    document.paint(session.tools.stroke([cell]), &view.state)?;
                    document.end_stroke(session.tools.brush_settles, &view.state)?; // a second click is a separate stroke
                    view.inspector.unpin();
                }
                _ => {}
            },
            WindowCommand::Paint(from, to) => {
                if let (Some(from), Some(to)) = (view.cell_at(from), view.cell_at(to)) {
                    document.paint(session.tools.stroke([from, to]), &view.state)?;
                }
            }
            WindowCommand::ChooseBrush(brush) => (session.tools.tool, session.tools.brush) = (Tool::Brush, brush),
            WindowCommand::NextBrush(by) => {
                let brushes: Vec<_> = document.brushes().collect();
                session.tools.step_brush(&brushes, by);
            }
            WindowCommand::ResizeBrush(by) => session.tools.resize_brush(by),
            WindowCommand::StrengthenBrush(by) => session.tools.strengthen_brush(by),
            WindowCommand::PutToolDown => session.tools.tool = Tool::Walk,
            WindowCommand::Hover(at) => view.pointer = Some(at),
            WindowCommand::Drag(from, to) => {
                let (viewport, map_pixels) = (view.viewport(), view.map_pixels());
                if document.comparison().scene.is_some() && view.divider.is_near(from, viewport, map_pixels) {
                    view.divider.move_to(to.x, viewport, map_pixels);
                } else if let (Tool::Brush, Some(from), Some(to)) =
                    (session.tools.tool, view.cell_at(from), view.cell_at(to))
                {
                    document.paint(session.tools.stroke([from, to]), &view.state)?;
                    document.end_stroke(session.tools.brush_settles, &view.state)?;
                } else {
                    view.pan(document.scene(), to - from);
                }
            }
            WindowCommand::Pan(by) => view.pan(document.scene(), by),
            WindowCommand::Zoom(steps) => {
                let at = view.zoom_point(document.scene());
                view.zoom(document.scene(), steps, at);
            }
            WindowCommand::ZoomAt(at, steps) => view.zoom(document.scene(), steps, at),
            WindowCommand::Centre => (view.state.camera_follows, view.state.followed) = (true, None),
            WindowCommand::Show(backdrop) => {
                document.check_layer(backdrop).map_err(|error| error.to_string())?;
                view.state.backdrop = backdrop;
            }
            WindowCommand::ToggleReveal => view.reveals = !view.reveals,
            WindowCommand::ToggleSurvey => view.shows_survey = !view.shows_survey,
            WindowCommand::TogglePanorama if document.scene().is_some_and(|scene| scene.world().is_none()) => {
                session.messages.info("A map of walls has no panorama");
            }
            WindowCommand::TogglePanorama => {
                view.strip.toggle();
                session.sheet_is_open &= !view.strip.is_open; // it replaces the strip
            }
            WindowCommand::ToggleInspector => view.inspector.follows_pointer = !view.inspector.follows_pointer,
            WindowCommand::PinAt(at) => {
                if let Some(cell) = view.cell_at(at).filter(|cell| document.contains(*cell)) {
                    view.inspector.pin(cell);
                }
            }
            WindowCommand::Pin(cell) if !document.contains(cell) => {
                return Err(format!("there is no cell {},{} on the map", cell.x, cell.y).into());
            }
            WindowCommand::Pin(cell) => {
                view.inspector.unpin();
                view.inspector.pin(cell);
            }
            WindowCommand::Unpin => view.inspector.unpin(),
            WindowCommand::CompareWithFile(path) => {
                document.compare_with(ComparedTo::opened(open_file(Some(path.clone()), None)?, &path)?);
                session.read_files.add_preset(&path);
            }
            WindowCommand::MoveDivider(x) => view.divider.move_to(x, view.viewport(), view.map_pixels()),
            WindowCommand::ToggleTool(tool) => {
                session.tools.toggle(tool);
                let brushes: Vec<_> = document.brushes().collect();
                session.tools.step_brush(&brushes, 0);
                session.sheet_is_open &= session.tools.tool == Tool::Walk; // it would cover the map
            }
            WindowCommand::Open(path, bytes) => {
                let picture = picture_bytes(path.as_deref(), bytes.as_deref());
                let opened = open_file(path.clone(), bytes)?;
                self.ask_or_open(LoadedFile { opened, path, picture });
            }
            WindowCommand::OpenLink(query) => {
                let opened = Link::parse(&query).map_err(|error| error.to_string())?.into();
                self.ask_or_open(LoadedFile { opened, path: None, picture: None });
            }
            WindowCommand::Answer(answer) => {
                if let (Some(question), Answer::Compute) = (session.question.take(), answer) {
                    self.open(question.file);
                }
            }
            WindowCommand::ContinueEarlier(is_wanted) => {
                if let (Some(earlier), true) = (session.kept.earlier.take(), is_wanted) {
                    let opened = open_file(Some(earlier.path), None)?;
                    self.ask_or_open(LoadedFile { opened, path: None, picture: None });
                }
            }
            WindowCommand::ToggleOpenDialog if ON_PAGE => {} // it has its own button
            WindowCommand::ToggleOpenDialog => {
                session.open_dialog = if session.open_dialog.is_none() { Some(OpenDialog::new()) } else { None };
            }
            WindowCommand::ShowFolder(folder) => show_folder(&folder)?,
            WindowCommand::Export(path, part) => self.export(path, part)?,
            WindowCommand::SavePreset => self.save_preset()?,
            WindowCommand::RemovePreset(path) => remove(&path),
            WindowCommand::SaveWalk(path) => self.save_walk(path)?,
            WindowCommand::LoadWalk(path) => self.load_walk(path)?,
            WindowCommand::CopyCommandLine => self.copy_command_line(),
            WindowCommand::CopyLink => self.copy_link()?,
            WindowCommand::Film(path) => self.film(path)?,
            WindowCommand::Record(path) => self.record(path)?,
            WindowCommand::Look(cell, pixels) => view.look_at(document.scene(), cell, pixels),
            WindowCommand::Screenshot(path) => {
                let stem = document.file_stem().unwrap_or_else(|| "farsight".into());
                let shot = match path {
                    Some(path) => Screenshot { path, content: ScreenshotContent::Window },
                    None => {
                        let content = ScreenshotContent::Map { is_drawn: false };
                        Screenshot { path: format!("{stem}-screen.png").into(), content }
                    }
                };
                self.ensure_not_read(&shot.path)?;
                self.session.screenshot = Some(shot);
            }
            WindowCommand::TogglePanel if session.has_sheet => session.sheet_is_open = !session.sheet_is_open,
            WindowCommand::TogglePanel => session.settings.window.panel = !session.settings.window.panel,
            WindowCommand::ScalePanels(steps) => session.settings.window.scale_panels(steps),
            WindowCommand::ToggleLegendFold => view.unfolds_legend = !view.unfolds_legend,
            WindowCommand::GoTo(cell) => view.go_to(document.scene(), cell),
            WindowCommand::ToggleGoals => {
                session.goals.is_open = !session.goals.is_open;
                session.sheet_is_open &= !session.goals.is_open; // the card is over the map
            }
            WindowCommand::BeginGoal(kind) => self.begin_goal(kind)?,
            WindowCommand::EndGoal => {
                if let Some(goal) = session.goals.goal.take() {
                    let clock = document.present_preset().clock;
                    goal.end(clock.runs, clock.hour)
                        .into_iter()
                        .try_for_each(|command| self.change_document(command))?;
                }
            }
            WindowCommand::CopyResult => {
                if let Some(goal) = &session.goals.goal {
                    let land = format!("{} seed {}", document.name(), document.preset().world.seed);
                    let words = goal.result(&land);
                    egui_macroquad::cfg(|context| context.copy_text(words.clone()));
                    session.messages.info(format!("Copied: {words}"));
                }
            }
            WindowCommand::ShowTodaysLand => {
                let today = (macroquad::miniquad::date::now() / SECONDS_A_DAY) as i64;
                let by = today - document.preset().world.seed as i64;
                self.change_document(Command::AddToSeed(by))?;
            }
            WindowCommand::ToggleHelp => session.shows_help = !session.shows_help,
            WindowCommand::Close if session.question.is_some() => session.question = None,
            WindowCommand::Close if session.naming.is_some() => session.naming = None,
            WindowCommand::Close if session.open_dialog.is_some() => session.open_dialog = None,
            WindowCommand::Close if session.shows_help => session.shows_help = false,
            WindowCommand::Close if session.tools.tool != Tool::Walk => session.tools.tool = Tool::Walk,
            WindowCommand::Close => view.inspector.unpin(),
        }
        self.show_errors();
        Ok(())
    }

    /// Starts a goal in the scene, and adds its objects to the land.
    fn begin_goal(&mut self, kind: GoalKind) -> Result<(), String> {
        let scene = self.document.scene_to_save()?;
        let (goal, commands) = Goal::begin(kind, scene, self.document.turns())?;
        for command in commands {
            self.change_document(command)?;
        }
        self.session.goals.goal = Some(goal);
        Ok(())
    }

    /// Opens a file. If its scene takes long, the user is asked first.
    pub(crate) fn ask_or_open(&mut self, file: LoadedFile) {
        let cost = self.document.cost_of(&file.opened);
        if cost.is_over_budget() {
            self.session.question = Some(Question { cost, file });
        } else {
            self.open(file);
        }
    }

    fn open(&mut self, LoadedFile { opened, path, picture }: LoadedFile) {
        let Self { document, view, session, .. } = self;
        let is_heightmap = matches!(opened, OpenedFile::Heightmap { .. });
        if let Some(path) = path.as_ref().filter(|_| !ON_PAGE) {
            session.settings.window.add_recent(path);
            if let Some(content) = read_content(&opened) {
                session.read_files.add_opened(content, path);
            }
        }
        // In a browser the path is only a name, so it cannot be watched.
        let watched = path.filter(|_| !ON_PAGE);
        document.open(opened, watched, &mut view.state);
        document.keep_picture(picture);
        let words = if is_heightmap { heightmap_note(document) } else { None };
        if let Some(words) = picture_note(document).or(words) {
            session.messages.info(words);
        }
    }

    fn change_document(&mut self, command: Command) -> Result<(), String> {
        let Self { document, view, session, .. } = self;
        let read_preset = match &command {
            Command::Preset(name) | Command::CompareWith(ComparedTo::Preset(name, _)) => Some(name.clone()),
            _ => None,
        };
        let moved_lamp = if let Command::MoveLamp(_, to) = command { Some(to) } else { None };
        if let Some(note) = document.execute(command, &mut view.state)? {
            session.messages.info(note);
        }
        read_preset.iter().for_each(|name| session.read_files.add_preset(name.as_ref())); // it can be that of a file
        session.tools.selected_lamp = moved_lamp.or(session.tools.selected_lamp);
        Ok(())
    }
}

/// Returns the kind of an opened file, unless it is an export, which a new export can overwrite.
fn read_content(opened: &OpenedFile) -> Option<ReadContent> {
    match opened {
        OpenedFile::Preset(..) => Some(ReadContent::Preset),
        OpenedFile::Walk(_) => Some(ReadContent::Walk),
        OpenedFile::Map(..) | OpenedFile::Heightmap { .. } => Some(ReadContent::Other),
        OpenedFile::Scene { .. } => None,
    }
}

/// Returns the note on an opened picture: its reading, and the control to change it.
fn picture_note(document: &Document) -> Option<String> {
    let meaning = match document.picture_reading()? {
        PictureReading::Opacities => "a map of opacities: white is a wall".to_owned(),
        PictureReading::Metres => "heights: grey values are metres".to_owned(),
        PictureReading::Heights(PictureHeights::Colours(encoding)) => {
            format!("heights: the colours of {}", encoding.name())
        }
        PictureReading::Heights(PictureHeights::Shades(heights)) => {
            let [low, high] = heights.metres();
            format!("heights: black is {low} m, white is {high} m")
        }
    };
    let name = document.map().map_or("The picture", |map| map.name.as_str());
    Some(format!("{name} is read as {meaning}. Change it with \"picture as\" at the top of the panel."))
}

/// Returns the note on an opened heightmap.
fn heightmap_note(document: &Document) -> Option<String> {
    let map = document.map()?;
    let world = &document.preset().world;
    let (name, width, height) = (&map.name, world.width, world.height);
    Some(format!("Opened {name}, {width}x{height} cells. Its woods and humidity are computed from the heights."))
}

/// Returns a command for the log, without the bytes of opened files. It omits movements of the pointer.
fn logged_text(command: &WindowCommand) -> Option<String> {
    match command {
        WindowCommand::Hover(_) | WindowCommand::Pan(_) => None,
        WindowCommand::Document(command) => Some(format!("{command:?}")),
        WindowCommand::Open(path, _) => Some(format!("Open({path:?})")),
        other => Some(format!("{other:?}")),
    }
}
