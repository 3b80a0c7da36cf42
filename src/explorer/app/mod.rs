//! The explorer's state and its loop: input in, scene changed, frame drawn.

mod changes;
mod director;
mod frame;
mod input;
mod land;
mod opened;
mod requests;
mod sliders;
mod time;
mod walking;
mod window;
mod writing;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui_macroquad::egui;
use macroquad::input::{is_quit_requested, prevent_quit};
use macroquad::math::Vec2;
use macroquad::time::{get_frame_time, get_time};
use macroquad::window::{next_frame, request_new_screen_size, screen_dpi_scale};

use super::camera::Camera;
use super::canvas::Canvas;
use super::history::{History, Moment};
use super::hud::Messages;
use super::inspector::Inspector;
use super::keys::Action;
use super::panel::Land;
use super::pointer::Pointer;
use super::regenerate::Generation;
use super::remembered::Kept;
use super::script::Command;
use super::split::Split;
use super::tools::Tools;
use super::touch::Pinch;
#[cfg(not(target_arch = "wasm32"))]
use super::watch::Watch;
use crate::compare::ComparedMethod;
use crate::explorer::app::changes::Origin;
use crate::explorer::app::director::{Script, Step};
#[cfg(target_os = "linux")]
use crate::explorer::app::window::Standing;
use crate::explorer::hud;
use crate::explorer::{ExploreError, ExploreOptions, Start, output};
use crate::files::MapSource;
use crate::grid::CellRect;
use crate::paint::Backdrop;
use crate::preset::Preset;
use crate::scene::Scene;
use crate::world::Ground;
use glam::IVec2;

/// Whether a first frame was drawn: whatever fails later is no failure to open a window.
static DRAWN: AtomicBool = AtomicBool::new(false);

pub(super) fn has_drawn() -> bool {
    DRAWN.load(Ordering::Relaxed)
}

/// A walk to a clicked cell takes a step every so many seconds.
const STEP_EVERY: f32 = 0.05;

/// What a frame of a script counts for, in seconds, so that the same script always shows the same.
const SCRIPTED_FRAME: f32 = 1.0 / 60.0;

struct App {
    /// What the sliders show; the scene follows, its world as soon as it is made.
    preset: Preset,
    name: String,
    /// The preset before anyone turned a slider.
    base: Rc<Preset>,
    /// Its file.
    #[cfg(not(target_arch = "wasm32"))]
    watch: Option<Watch>,
    /// What is wrong with its file.
    fault: Option<String>,
    history: History<Origin>,
    /// The moment that was put back, until its world is there.
    recall: Option<Moment<Origin>>,
    /// How often one has walked, waited, forgotten or let time go by.
    turns: u64,
    kept: Kept,
    #[cfg(target_os = "linux")]
    standing: Standing,
    map: Option<MapSource>,
    /// The ground of the map, if it is a heightmap.
    ground: Option<Arc<Ground>>,
    scene: Option<Scene>,
    generation: Option<Generation>,
    camera: Option<Camera>,
    follow: bool,
    canvas: Canvas,
    split: Split,
    inspector: Inspector,
    backdrop: Backdrop,
    reveal: bool,
    version: u64,
    sight_ms: f64,
    route: VecDeque<IVec2>,
    since_step: f32,
    /// Whether time goes by itself, and the minutes of it that have not yet passed.
    time_runs: bool,
    minutes: f64,
    held: Option<(Action, f32)>,
    pointer: Pointer,
    /// Whether the press under way, or the last one, is of the right button.
    is_second_button: bool,
    pinch: Pinch,
    hover: Option<Vec2>,
    show_panel: bool,
    show_help: bool,
    tools: Tools,
    export_name: String,
    preset_file: String,
    walk_file: String,
    messages: Messages,
    /// Where the map is on the screen, in points of the panels.
    map_rect: egui::Rect,
    /// Pixels a point of the panels.
    scale: f32,
    screenshot: Option<PathBuf>,
}

/// Runs until the window is closed, the script quits, or the screenshot that was asked for is written.
pub(super) async fn run(
    options: ExploreOptions,
    script: Option<Vec<(usize, Command)>>,
    kept: Kept,
) -> Result<(), ExploreError> {
    if screen_dpi_scale() > 1.0 {
        let [width, height] = options.window.map_or(kept.now.window, |(width, height)| [width, height]);
        request_new_screen_size(width as f32, height as f32); // it was opened in pixels
    }
    let screenshot = options.screenshot.clone();
    let mut app = App::new(options, kept);
    prevent_quit(); // the window is closed below, once what it is like is kept
    let mut script = script.map(Script::new);
    let mut settled = 0;
    egui_macroquad::cfg(hud::dress);
    #[cfg(target_arch = "wasm32")]
    let mut page = crate::explorer::web::Page::default();
    loop {
        let (wants_pointer, wants_keyboard) = app.ui();
        match &mut script {
            Some(running) => match running.step(&mut app)? {
                Step::Going => {}
                Step::Ended => script = None,
                Step::Quit => return app.close(),
            },
            None => app.take_input(wants_pointer, wants_keyboard),
        }
        if is_quit_requested() {
            return app.close();
        }
        app.take_files();
        #[cfg(not(target_arch = "wasm32"))]
        app.follow_file();
        app.advance(if script.is_some() { SCRIPTED_FRAME } else { get_frame_time() })?;
        app.draw();
        #[cfg(target_arch = "wasm32")]
        app.tell(&mut page);
        DRAWN.store(true, Ordering::Relaxed);
        if let Some(path) = app.screenshot.take() {
            app.write_screenshot(&path, script.is_some())?;
        }
        if let (Some(path), None) = (&screenshot, &script) {
            settled = if app.is_idle() { settled + 1 } else { 0 };
            if settled > 3 {
                return Ok(output::screenshot(path)?);
            }
        }
        app.remember();
        next_frame().await;
    }
}

impl App {
    fn new(options: ExploreOptions, mut kept: Kept) -> Self {
        let ExploreOptions { start, name, preset_file: file, map, .. } = options;
        let (preset, scene, generation, ground) = match start {
            Start::Scene { scene, ground } => (scene.preset().clone(), Some(*scene), None, ground),
            Start::Preset { preset, viewer } => {
                let generation = Generation::start((*preset).clone(), viewer, None);
                (*preset, None, Some(generation), None)
            }
            Start::Ground { preset, ground, viewer } => {
                let generation = Generation::start((*preset).clone(), viewer, Some(Arc::clone(&ground)));
                (*preset, None, Some(generation), Some(ground))
            }
        };
        let mut messages = Messages::default();
        if let Some(warning) = kept.warning.take() {
            messages.complain(warning);
        }
        let named = match &file {
            Some(file) => Preset::named(&file.display().to_string()),
            None => Preset::named(&name),
        };
        let base = Rc::new(named.unwrap_or_else(|_| preset.clone()));
        Self {
            preset,
            name,
            base,
            #[cfg(not(target_arch = "wasm32"))]
            watch: file.as_deref().map(Watch::new),
            fault: None,
            history: History::default(),
            recall: None,
            turns: 0,
            map,
            ground,
            scene,
            generation,
            camera: None,
            follow: true,
            canvas: Canvas::default(),
            split: Split::default(),
            inspector: Inspector::default(),
            backdrop: kept.now.backdrop(),
            reveal: kept.now.map,
            version: 0,
            sight_ms: 0.0,
            route: VecDeque::new(),
            since_step: 0.0,
            time_runs: false,
            minutes: 0.0,
            held: None,
            pointer: Pointer::default(),
            is_second_button: false,
            pinch: Pinch::default(),
            hover: None,
            show_panel: kept.now.panel,
            show_help: false,
            tools: Tools::default(),
            export_name: String::new(),
            preset_file: String::new(),
            walk_file: String::new(),
            messages,
            #[cfg(target_os = "linux")]
            standing: Standing::new(&kept),
            kept,
            map_rect: egui::Rect::ZERO,
            scale: 1.0,
            screenshot: None,
        }
    }

    /// What one stands on.
    fn land(&self) -> Land {
        match (&self.map, &self.ground) {
            (None, _) => Land::Generated,
            (_, Some(_)) => Land::Measured,
            (Some(_), None) => Land::Map,
        }
    }

    /// Whether the scene has the layer that is shown.
    fn has_layer(&self) -> bool {
        match (self.backdrop, &self.scene) {
            (Backdrop::Layer(layer), Some(scene)) => scene.layer(layer, CellRect::around(scene.viewer(), 0)).is_ok(),
            _ => true,
        }
    }

    fn show(&mut self, backdrop: Backdrop) {
        let missing = |scene: &Scene| match backdrop {
            Backdrop::Layer(layer) => scene.layer(layer, CellRect::around(scene.viewer(), 0)).err(),
            Backdrop::Land => None,
        };
        match self.scene.as_ref().and_then(missing) {
            Some(error) => self.messages.complain(error.to_string()),
            None => self.backdrop = backdrop,
        }
    }

    /// Shows a second method on the right of the divider, as soon as there is a scene.
    fn split_with(&mut self, contender: ComparedMethod) {
        let Some(scene) = &self.scene else { return self.split.choose(contender) };
        if let Err(error) = self.split.open(contender, scene) {
            self.messages.complain(error.to_string());
        }
        self.version += 1;
    }

    /// Changes the scene, and the one on the right of the divider alike, and whatever shows them.
    fn change_scene<T, E: std::fmt::Display>(&mut self, change: impl Fn(&mut Scene) -> Result<T, E>) {
        self.turns += 1;
        if let Some(Err(error)) = self.split.scene_mut().map(&change) {
            self.messages.complain(error.to_string());
        }
        self.change_left(change);
    }

    /// The scenes follow the sliders.
    fn apply_preset(&mut self) {
        let preset = self.preset.clone();
        self.change_left(|scene| scene.apply(preset));
        if let Err(error) = self.split.apply(&self.preset) {
            self.messages.complain(error.to_string());
        }
    }

    /// Changes the scene and whatever shows it.
    fn change_left<T, E: std::fmt::Display>(&mut self, change: impl FnOnce(&mut Scene) -> Result<T, E>) {
        let Some(scene) = &mut self.scene else { return };
        if let Err(error) = change(scene) {
            self.messages.complain(error.to_string());
        }
        // Those who follow have gone on, and so has the clock.
        self.preset.viewers.clone_from(&scene.preset().viewers);
        self.preset.clock.hour = scene.preset().clock.hour;
        let before = get_time();
        if scene.compute_view().is_ok() {
            self.sight_ms = (get_time() - before) * 1000.0;
        }
        self.version += 1;
    }

    fn advance(&mut self, seconds: f32) -> Result<(), ExploreError> {
        self.poll_generation()?;
        self.since_step += seconds;
        if self.since_step >= STEP_EVERY
            && let Some(step) = self.route.pop_front()
        {
            self.since_step = 0.0;
            self.walk(step);
        }
        self.pass_time(seconds);
        if self.camera.is_none() {
            self.fit();
        }
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera)
            && self.follow
        {
            camera.follow(scene.viewer(), scene.size(), viewport);
        }
        Ok(())
    }

    /// The camera fits the radius, above the legend that goes with it.
    fn fit(&mut self) {
        let Some(scene) = &self.scene else { return };
        let showing = |viewport| Camera::showing(scene.viewer(), scene.radius(), scene.size(), viewport);
        let camera = showing(self.viewport());
        self.canvas.lay_legend(scene, &camera, self.viewport(), self.look());
        self.camera = Some(showing(self.viewport()));
    }
}
