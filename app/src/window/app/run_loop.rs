//! The loop: input or script, commands, time, frame.

use std::path::{Path, PathBuf};

use macroquad::input::get_dropped_files;
use macroquad::time::get_time;
use macroquad::window::{next_frame, request_new_screen_size, screen_dpi_scale, screen_height, screen_width};

use super::files::save_screen;
use super::redraw::Redraw;
use super::state::App;
use crate::background::SceneCopy;
use crate::document::{Command, Document, DocumentOptions};
use crate::host::ON_PAGE;
use crate::host::{ready, shell};
use crate::stage_log::log;
use crate::window::address::Address;
use crate::window::command::{Tool, WindowCommand};
use crate::window::display;
use crate::window::error::ExploreError;
use crate::window::script::{ScriptLine, ScriptStep};
use crate::window::session::{Goal, PanelFocus};

/// The duration of a frame in a script, in seconds, for reproducible scripts.
const SCRIPT_FRAME_SECONDS: f32 = 1.0 / 60.0;

/// Frames without movement before the screenshot of [`ExploreOptions::screenshot`].
const FRAMES_BEFORE_SCREENSHOT: u32 = 4;

/// Runs until the window is closed, the script quits, or the screenshot of the options is saved.
pub(crate) async fn run(
    mut app: App,
    [width, height]: [u32; 2],
    screenshot: Option<PathBuf>,
    script: Option<Vec<ScriptLine>>,
) -> Result<(), ExploreError> {
    log("the window is open");
    if screen_dpi_scale() > 1.0 {
        request_new_screen_size(width as f32, height as f32); // the window was opened in pixels
    }
    let (mut shows_scene, mut shows_default) = (false, false);
    let mut script = script.map(ScriptRunner::new);
    let mut settled_frames = 0;
    let mut redraw = Redraw::new();
    let mut address = Address::default();
    loop {
        let seconds = redraw.begin_frame();
        app.view.eases = script.is_none() && screenshot.is_none();
        let focus = app.show_panels();
        match &mut script {
            Some(running) => match running.step(&mut app) {
                Ok(ScriptState::Running) => {}
                Ok(state) => {
                    app.end_recording()?;
                    script = None;
                    if state == ScriptState::Quit && screenshot.is_none() {
                        break; // else the window closes once the screenshot is saved
                    }
                }
                // The script of a page is the comparison of its link.
                Err(error) if ON_PAGE => {
                    app.session.messages.error(error.to_string());
                    script = None;
                }
                Err(error) => return Err(error),
            },
            None => app.take_input(&focus, seconds),
        }
        for file in get_dropped_files() {
            app.execute_or_show(WindowCommand::Open(file.path, file.bytes));
        }
        if let Some(name) = app.document.reload_changed_preset(&app.view.state) {
            app.session.read_files.add_preset(Path::new(&name)); // it can extend other files now
            app.session.messages.info(format!("{name}: read again"));
        }
        match app.advance(if script.is_some() { SCRIPT_FRAME_SECONDS } else { seconds }) {
            // A page cannot return to a command line: it shows the default scene instead.
            Err(error) if ON_PAGE && !std::mem::replace(&mut shows_default, true) => {
                app.session.messages.error(error.to_string());
                app.document = Document::new(DocumentOptions::default());
            }
            other => other?,
        }
        app.draw();
        if ON_PAGE {
            app.update_page(&mut address);
        }
        display::set_drawn();
        if !shows_scene && app.document.scene().is_some() {
            shows_scene = true;
            log("the first full frame is drawn");
        }
        if let Some(shot) = app.session.take_drawn_screenshot() {
            app.save_screenshot(&shot, script.is_some())?;
        }
        app.record_frame()?;
        if let (Some(path), None) = (&screenshot, &script) {
            settled_frames = if app.document.is_settled() { settled_frames + 1 } else { 0 };
            if settled_frames >= FRAMES_BEFORE_SCREENSHOT {
                app.ensure_not_read(path).map_err(|error| ExploreError::OverwritesInput(error.reason))?;
                return Ok(save_screen(path, None)?);
            }
        }
        app.update_settings();
        app.session.settings.save_when_stable(get_time());
        if let Err(error) = app.session.kept.update(&app.document, get_time()) {
            app.session.messages.error(error);
        }
        redraw.end_frame(&app, script.is_some() || screenshot.is_some());
        next_frame().await;
    }
    Ok(())
}

/// Closing the window ends the loop between two frames.
impl Drop for App {
    fn drop(&mut self) {
        self.session.settings.save();
        self.session.kept.finish(&self.document);
    }
}

impl App {
    fn take_input(&mut self, focus: &PanelFocus, seconds: f32) {
        let drags = (self.document.comparison().scene.is_some(), self.session.tools.tool == Tool::Brush);
        for command in self.session.input.commands(&mut self.view, drags, focus, seconds) {
            self.execute_or_show(command);
        }
        if self.session.input.is_released
            && let Err(error) = self.document.end_stroke(self.session.tools.brush_settles, &self.view.state)
        {
            self.session.messages.error(error);
        }
    }

    fn advance(&mut self, seconds: f32) -> Result<(), ExploreError> {
        self.document.advance(seconds, &mut self.view.state).map_err(ExploreError::Scene)?;
        self.poll_film();
        self.show_errors();
        if let Some(scene) = self.document.scene() {
            let (revision, turns) = (self.document.revision(), self.document.turns());
            if !scene.is_preview() {
                self.session.goals.update(scene, revision, turns);
            }
            self.view.goal_marks = self.session.goals.goal.as_ref().map(Goal::marks).unwrap_or_default();
            let copy = || SceneCopy::of(scene, self.document.source().ground());
            self.view.update_survey(scene, copy);
            self.view.update_camera(scene, revision);
        }
        Ok(())
    }

    fn update_settings(&mut self) {
        let window = &mut self.session.settings.window;
        window.size = [screen_width(), screen_height()].map(|points| points.round() as u32);
        window.reveals = self.view.reveals;
        if self.session.is_interactive {
            window.panorama = self.view.strip.is_open;
            window.introduced |= self.document.work() > 0;
        }
        window.set_backdrop(self.view.state.backdrop);
    }

    /// Sends the scene to the page around the window.
    fn update_page(&self, address: &mut Address) {
        if !display::has_drawn() {
            ready();
        }
        // While time runs or the map is dragged, every frame would be another address or command.
        if !self.document.time_runs()
            && self.session.input.is_released
            && let (Some(link), Some(stem)) = (self.document.link(), self.document.file_stem())
            && let Some(scene) = self.document.scene()
        {
            let look = self.view.export_flags(scene, shell());
            address.show(link, self.query_of_view(), &look, &format!("{stem}.png"));
        }
    }
}

struct ScriptRunner {
    lines: Vec<ScriptLine>,
    next: usize,
    /// The number of completed repetitions of the next line.
    times: u16,
    /// The remaining frames to wait.
    wait: u32,
    /// Whether the slider of the step is at its value and the land has followed.
    is_sliding: bool,
}

/// The state of a script after a frame.
#[derive(PartialEq, Eq)]
enum ScriptState {
    Running,
    Ended,
    Quit,
}

impl ScriptRunner {
    fn new(lines: Vec<ScriptLine>) -> Self {
        Self { lines, next: 0, times: 0, wait: 0, is_sliding: false }
    }

    /// Continues with the next step: a repetition, or that of the next line.
    fn advance(&mut self) {
        self.times += 1;
        if self.lines.get(self.next).is_some_and(|line| self.times >= line.times) {
            (self.next, self.times) = (self.next + 1, 0);
        }
    }

    /// Runs one step; the first waits for the first scene.
    fn step(&mut self, app: &mut App) -> Result<ScriptState, ExploreError> {
        if app.document.scene().is_none() || app.view.state.camera.is_none() {
            return Ok(ScriptState::Running);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return Ok(ScriptState::Running);
        }
        let Some(ScriptLine { number, step, .. }) = self.lines.get(self.next) else { return Ok(ScriptState::Ended) };
        if !matches!(step, ScriptStep::Slide(..)) {
            app.document.end_step();
        }
        match step {
            ScriptStep::Run(WindowCommand::Export(..) | WindowCommand::SaveWalk(_)) if app.document.shows_preview() => {
                return Ok(ScriptState::Running); // nothing to save yet
            }
            ScriptStep::Slide(..) if self.is_sliding && !app.document.has_followed() => {
                return Ok(ScriptState::Running);
            }
            ScriptStep::Slide(..) if self.is_sliding => {
                self.is_sliding = false;
                self.advance();
                return self.step(app); // a value per frame, if the land is present
            }
            ScriptStep::Slide(slide) => {
                app.execute_or_show(Command::Set(slide.key, Some(slide.value(self.times))).into());
                self.is_sliding = true;
                return Ok(ScriptState::Running);
            }
            ScriptStep::Press(command) => app.execute_or_show(command.clone()),
            ScriptStep::Run(command) => {
                app.execute(command.clone().scaled(app.view.map_pixels())).map_err(|error| ExploreError::Command {
                    line: *number,
                    reason: error.reason,
                    is_write: error.is_write,
                })?;
                if let Some(question) = &app.session.question {
                    let (line, reason) = (*number, format!("{} A script cannot say yes to that.", question.words()));
                    return Err(ExploreError::Command { line, reason, is_write: false });
                }
            }
            ScriptStep::Wait(frames) => self.wait = *frames,
            ScriptStep::Settle
                if !app.document.is_settled() || app.session.film_progress.is_some() || app.view.is_surveying() =>
            {
                return Ok(ScriptState::Running);
            }
            ScriptStep::Settle => {}
            ScriptStep::Quit => return Ok(ScriptState::Quit),
        }
        self.advance();
        Ok(ScriptState::Running)
    }
}
