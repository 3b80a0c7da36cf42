//! [`ExploreOptions`]: the scene and the options of the window.

use std::path::PathBuf;
use std::sync::Arc;

use farsight::files::MapSource;
use farsight::preset::Preset;
use farsight::scene::Scene;
use farsight::world::Ground;
use glam::IVec2;

/// The scene and the options of the window.
#[derive(Debug)]
pub(crate) struct ExploreOptions {
    /// The first scene.
    pub start: Start,
    /// Width and height of the window, in points. Default: those of the last time.
    pub window: Option<(u32, u32)>,
    /// The file for a screenshot, saved once the scene is there and the script has ended. The window closes then.
    pub screenshot: Option<PathBuf>,
    /// The text of a script that controls the window.
    pub script: Option<String>,
    /// The name of the preset.
    pub name: String,
    /// The file of the preset, if it is not a shipped one. The window follows its changes.
    pub preset_file: Option<PathBuf>,
    /// The map or heightmap, if the scene has one.
    pub map: Option<MapSource>,
    /// The files that the scene is read from, which nothing that the window writes may replace.
    pub input_files: Vec<PathBuf>,
    /// The one of them that is a saved walk. The walk may be saved there again.
    pub walk_file: Option<PathBuf>,
    /// The file of the script, which nothing may replace either.
    pub script_file: Option<PathBuf>,
}

/// The first scene of the explorer.
#[derive(Debug)]
pub(crate) enum Start {
    /// The world of a preset, which is made while the window is open.
    Preset {
        /// The preset.
        preset: Box<Preset>,
        /// The viewer's cell, or `None` for a cell with a wide view.
        viewer: Option<IVec2>,
    },
    /// Elevations, whose climate is made while the window is open.
    Ground {
        /// The preset.
        preset: Box<Preset>,
        /// The elevations.
        ground: Arc<Ground>,
        /// The viewer's cell, or `None` for a cell with a wide view.
        viewer: Option<IVec2>,
    },
    /// A scene.
    Scene {
        /// The scene.
        scene: Box<Scene>,
        /// The elevations below it, if it is on a heightmap.
        ground: Option<Arc<Ground>>,
    },
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self {
            start: Start::Preset { preset: Box::new(Preset::shipped_default()), viewer: None },
            window: None,
            screenshot: None,
            script: None,
            name: Preset::DEFAULT_NAME.into(),
            preset_file: None,
            map: None,
            input_files: Vec::new(),
            walk_file: None,
            script_file: None,
        }
    }
}
