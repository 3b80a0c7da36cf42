//! [`ScriptRunner`]: runs one step of a script each frame.

use super::state::App;
use crate::explorer::error::ExploreError;
use crate::explorer::script::{ScriptLine, ScriptStep};

/// A running script.
pub(super) struct ScriptRunner {
    lines: Vec<ScriptLine>,
    next: usize,
    /// Frames still to wait.
    wait: u32,
}

/// The state of a script after a frame.
pub(super) enum ScriptState {
    Running,
    Ended,
    Quit,
}

impl ScriptRunner {
    pub(super) fn new(lines: Vec<ScriptLine>) -> Self {
        Self { lines, next: 0, wait: 0 }
    }

    /// Runs one step; the first waits for the first scene.
    pub(super) fn step(&mut self, app: &mut App) -> Result<ScriptState, ExploreError> {
        if app.document.scene().is_none() || app.view.state.camera.is_none() {
            return Ok(ScriptState::Running);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return Ok(ScriptState::Running);
        }
        let Some((line, step)) = self.lines.get(self.next) else { return Ok(ScriptState::Ended) };
        app.document.end_step();
        match step {
            ScriptStep::Press(command) => app.execute_or_show(command.clone()),
            ScriptStep::Run(command) => app
                .execute(command.clone().scaled(app.view.map_pixels()))
                .map_err(|reason| ExploreError::Command { line: *line, reason })?,
            ScriptStep::Wait(frames) => self.wait = *frames,
            ScriptStep::Settle if !app.document.is_settled() => return Ok(ScriptState::Running),
            ScriptStep::Settle => {}
            ScriptStep::Quit => return Ok(ScriptState::Quit),
        }
        self.next += 1;
        Ok(ScriptState::Running)
    }
}
