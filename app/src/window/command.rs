//! [`WindowCommand`]: a command of a key, a control, a gesture or a line of a script.

use std::path::PathBuf;

use macroquad::math::Vec2;

use super::dialogs::Answer;
use super::session::GoalKind;
use crate::document::Command;
use farsight_scene::paint::{Backdrop, Unseen};
use farsight_scene::world::Brush;
use glam::IVec2;

/// A command of the explorer. Points are in pixels of the map view; see [`WindowCommand::scaled`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WindowCommand {
    /// Changes the document.
    Document(Command),
    /// Uses the current tool on the cell at a point.
    Click(Vec2),
    /// Moves the pointer.
    Hover(Vec2),
    /// Drags the divider or the map from one point to another.
    Drag(Vec2, Vec2),
    /// Moves the map.
    Pan(Vec2),
    /// Zooms in (positive) or out, around the pointer.
    Zoom(i32),
    /// Zooms around a point.
    ZoomAt(Vec2, i32),
    /// Centres the map on the viewer.
    Centre,
    /// Shows a layer below the gradient.
    Show(Backdrop),
    /// Draws or hides the cells that were never seen.
    ToggleReveal,
    /// Shows or hides the survey of visible cells.
    ToggleSurvey,
    /// Shows or hides the panorama below the map.
    TogglePanorama,
    /// Explains the cell below the pointer, or stops.
    ToggleInspector,
    /// Pins the inspector to the cell at a point, or unpins it.
    PinAt(Vec2),
    /// Pins the inspector to a cell.
    Pin(IVec2),
    Unpin,
    /// Compares with the preset of a file.
    CompareWithFile(PathBuf),
    /// Moves the divider to a column.
    MoveDivider(f32),
    /// Selects a tool for clicks, or the walk if the tool is selected already.
    ToggleTool(Tool),
    /// Paints from a point to another: extends the last stroke, if it ends at the first point and is still being drawn.
    Paint(Vec2, Vec2),
    /// Selects a brush.
    ChooseBrush(Brush),
    /// Selects the next or previous brush of the land.
    NextBrush(i32),
    /// Changes the radius of the brush by some cells.
    ResizeBrush(i32),
    /// Changes the strength of the brush by some twentieths.
    StrengthenBrush(i32),
    /// Selects the walk.
    PutToolDown,
    /// Shows the dialog for opening files, or closes it. A page uses that of the browser.
    ToggleOpenDialog,
    /// Shows a folder in the file manager.
    ShowFolder(PathBuf),
    /// Opens a file by its path; on a page by its name and bytes.
    Open(Option<PathBuf>, Option<Vec<u8>>),
    /// Shows the scene of the query of a link.
    OpenLink(String),
    /// Answers the question about a slow scene.
    Answer(Answer),
    /// Exports a part of the map; without a path, to the file of the panel.
    Export(Option<PathBuf>, ExportedPart),
    /// Saves the preset to the file of the panel.
    SavePreset,
    /// Removes a preset from the browser's storage.
    RemovePreset(PathBuf),
    /// Saves the walk; without a path, to the file of the panel.
    SaveWalk(Option<PathBuf>),
    /// Loads a walk; without a path, from the file of the panel.
    LoadWalk(Option<PathBuf>),
    /// Opens the work of an earlier window, or declines it.
    ContinueEarlier(bool),
    /// Copies the command line that exports the view.
    CopyCommandLine,
    /// Copies the link to the scene and the shown part of the map.
    CopyLink,
    /// Films the last steps; without a path, to the file of the panel.
    Film(Option<PathBuf>),
    /// Records the window until the script ends.
    Record(PathBuf),
    /// Shows a cell at the centre, at the nearest zoom level to a size of cells in pixels.
    Look(IVec2, f32),
    /// Saves the window; without a path, only the map with its legend, under an automatic name.
    Screenshot(Option<PathBuf>),
    TogglePanel,
    /// Enlarges (positive) or shrinks the panels; `None` resets their scale.
    ScalePanels(Option<i32>),
    /// Shows the whole legend, or only the rows that leave space for the map.
    ToggleLegendFold,
    /// Centres the map on a cell.
    GoTo(IVec2),
    ToggleHelp,
    /// Shows the card with the goals, or dismisses it.
    ToggleGoals,
    BeginGoal(GoalKind),
    /// Abandons the goal, or dismisses its result.
    EndGoal,
    /// Copies the result of the goal.
    CopyResult,
    /// Shows the world with today's date as seed.
    ShowTodaysLand,
    /// Closes the help, else unpins the inspector.
    Close,
}

/// The part of the map in an export, and its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportedPart {
    /// The cells on the screen, with the layer and the look of the screen.
    Shown,
    /// The whole map, with the layer and the look of the screen.
    WholeMap,
    /// The view with a margin, in plain brightness.
    View(Unseen),
}

/// The effect of a click on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Tool {
    /// Walks to the cell, or opens or closes the door on it.
    #[default]
    Walk,
    /// Adds or removes a lamp.
    Lamp,
    /// Adds or removes a lookout.
    Lookout,
    /// Paints the land.
    Brush,
    /// Names a place.
    Name,
}

impl From<Command> for WindowCommand {
    fn from(command: Command) -> Self {
        Self::Document(command)
    }
}

impl WindowCommand {
    /// Converts points of the window to pixels of the map view.
    pub(crate) fn scaled(self, map_pixels: f32) -> Self {
        match self {
            Self::Click(at) => Self::Click(at * map_pixels),
            Self::Hover(at) => Self::Hover(at * map_pixels),
            Self::Drag(from, to) => Self::Drag(from * map_pixels, to * map_pixels),
            Self::Paint(from, to) => Self::Paint(from * map_pixels, to * map_pixels),
            Self::ZoomAt(at, steps) => Self::ZoomAt(at * map_pixels, steps),
            Self::MoveDivider(x) => Self::MoveDivider(x * map_pixels),
            other => other,
        }
    }
}
