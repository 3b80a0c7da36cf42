//! The explorer: a window in which one walks a scene, turns its settings and exports what one sees.

mod app;
mod bystanders;
mod camera;
mod canvas;
mod command;
mod display;
mod fold;
mod history;
mod hud;
mod idle;
mod inspector;
mod keys;
mod open;
mod output;
mod panel;
mod pointer;
mod regenerate;
mod remembered;
mod script;
mod section_plot;
mod setting_row;
mod split;
mod tools;
mod touch;
mod turned;
#[cfg(not(target_arch = "wasm32"))]
mod watch;
#[cfg(target_arch = "wasm32")]
mod web;

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use macroquad::Window;
use macroquad::conf::Conf;
use macroquad::texture::FilterMode;

pub use display::has_display;
pub use script::ScriptError;

use crate::files::FileError;
use crate::files::MapSource;
use crate::preset::Preset;
use crate::scene::Scene;
use crate::world::Ground;
use glam::IVec2;

/// What the explorer opens with.
#[derive(Debug)]
pub struct ExploreOptions {
    /// The scene, or the preset that makes one.
    pub start: Start,
    /// Width and height of the window, in points; without it, as they were the last time.
    pub window: Option<(u32, u32)>,
    /// Where to write what is on the screen, once the scene is there and the script has ended; the
    /// window closes then.
    pub screenshot: Option<PathBuf>,
    /// The text of a script that drives the window.
    pub script: Option<String>,
    /// The name of the preset.
    pub name: String,
    /// The file of the preset, if it is none of the shipped ones: the window follows what is written to it.
    pub preset_file: Option<PathBuf>,
    /// The map or heightmap that took the place of a world.
    pub map: Option<MapSource>,
}

/// What the explorer shows first.
#[derive(Debug)]
pub enum Start {
    /// The world of a preset, which is made beside the open window.
    Preset {
        /// The preset.
        preset: Box<Preset>,
        /// Where to stand, or `None` for where the view is worth seeing.
        viewer: Option<IVec2>,
    },
    /// Measured ground, whose climate is made beside the open window.
    Ground {
        /// The preset.
        preset: Box<Preset>,
        /// The ground.
        ground: Arc<Ground>,
        /// Where to stand, or `None` for where the view is worth seeing.
        viewer: Option<IVec2>,
    },
    /// A scene that is there already.
    Scene {
        /// The scene.
        scene: Box<Scene>,
        /// The measured ground that it is on, if it is.
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
        }
    }
}

/// Why the explorer could not run, or ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The script is wrong.
    #[error("{0}")]
    Script(#[from] ScriptError),
    /// A command of the script failed.
    #[error("line {line}: {reason}")]
    Command {
        /// Its line, from 1.
        line: usize,
        /// Why.
        reason: String,
    },
    /// The first scene could not be made.
    #[error("{0}")]
    Scene(#[from] crate::scene::SceneError),
    /// A saved walk could not be taken up.
    #[error(transparent)]
    Walk(Box<crate::export::SavedWalkError>),
    /// There is nothing to open a window on.
    #[error("no window can be opened: {0}")]
    NoDisplay(String),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] FileError),
}

impl ExploreError {
    /// The exit code of the command line: 3 bad input, 4 could not write, 5 no display.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Script(_) | Self::Command { .. } | Self::Scene(_) | Self::Walk(_) => 3,
            Self::Write(_) => 4,
            Self::NoDisplay(_) => 5,
        }
    }
}

/// Runs on a page: the scene is that of its address. See `web/` for the page.
///
/// # Errors
/// [`ExploreError`].
#[cfg(target_arch = "wasm32")]
pub fn run_on_page() -> Result<(), ExploreError> {
    run(web::options())
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// [`ExploreError`].
pub fn run(options: ExploreOptions) -> Result<(), ExploreError> {
    let script = options.script.as_deref().map(script::parse).transpose()?;
    let _display = display::check()?;
    // What drives or photographs the window leaves alone what a person has set up.
    let kept = remembered::Kept::read(options.script.is_none() && options.screenshot.is_none());
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(warning) = &kept.warning {
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
    let [width, height] = options.window.map_or(kept.now.window, |(width, height)| [width, height]);
    let conf = Conf {
        miniquad_conf: macroquad::miniquad::conf::Conf {
            window_title: "farsight".into(),
            window_width: width as i32,
            window_height: height as i32,
            high_dpi: true,
            #[cfg(target_os = "linux")]
            platform: macroquad::miniquad::conf::Platform { linux_wm_class: "farsight", ..Default::default() },
            ..Default::default()
        },
        default_filter_mode: FilterMode::Nearest,
        ..Default::default()
    };
    let outcome = Rc::new(RefCell::new(Ok(())));
    let inside = Rc::clone(&outcome);
    display::guard(move || {
        Window::from_config(conf, async move {
            let ended = app::run(options, script, kept).await;
            #[cfg(target_arch = "wasm32")]
            if let Err(error) = &ended {
                web::fail(&error.to_string()); // the page outlives this function
            }
            *inside.borrow_mut() = ended;
        });
    })?;
    outcome.replace(Ok(()))
}
