//! The explorer's state and its loop: input in, scene changed, frame drawn.

mod changes;
mod director;
mod input;
mod opened;
mod writing;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui_macroquad::egui;
use macroquad::color::Color;
use macroquad::input::{KeyCode, is_key_pressed, is_quit_requested, prevent_quit};
use macroquad::math::{Rect, Vec2};
use macroquad::time::{get_frame_time, get_time};
use macroquad::window::{
    clear_background, next_frame, request_new_screen_size, screen_dpi_scale, screen_height, screen_width,
};
use toml::Value;

use self::changes::Origin;
use self::director::{Script, Step};
use super::camera::Camera;
use super::canvas::{Canvas, Look};
use super::history::{History, Moment};
use super::hud::{self, Messages};
use super::inspector::Inspector;
use super::keys::Action;
use super::panel::{self, Land, PanelState};
use super::pointer::Pointer;
use super::regenerate::{Generation, Outcome};
use super::remembered::Kept;
use super::script::Command;
use super::split::Split;
use super::tools::{Tool, Tools};
use super::touch::Pinch;
use super::turned;
#[cfg(not(target_arch = "wasm32"))]
use super::watch::Watch;
use super::{ExploreError, ExploreOptions, Start, output};
use crate::compare::Contender;
use crate::files::MapSource;
use crate::glam::IVec2;
use crate::{Backdrop, CellRect, Ground, Preset, Scene, Unseen};

/// Whether a first frame was drawn: whatever fails later is no failure to open a window.
static DRAWN: AtomicBool = AtomicBool::new(false);

pub(super) fn has_drawn() -> bool {
    DRAWN.load(Ordering::Relaxed)
}

/// A walk to a clicked cell takes a step every so many seconds.
const STEP_EVERY: f32 = 0.05;

const BEHIND_THE_MAP: Color = Color::new(0.03, 0.03, 0.05, 1.0);

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
    /// How often one has walked, waited or forgotten.
    turns: u64,
    kept: Kept,
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
pub(super) async fn run(options: ExploreOptions, script: Option<Vec<Command>>, kept: Kept) -> Result<(), ExploreError> {
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
    let mut page = super::web::Page::default();
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
        app.advance(get_frame_time())?;
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
            Start::Scene(scene) => (scene.preset().clone(), Some(*scene), None, None),
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
            kept,
            map_rect: egui::Rect::ZERO,
            scale: 1.0,
            screenshot: None,
        }
    }

    /// Remembers what the window is like.
    fn remember(&mut self) {
        let size = [screen_width(), screen_height()].map(|points| points.round() as u32);
        let now = &mut self.kept.now;
        (now.window, now.panel, now.map) = (size, self.show_panel, self.reveal);
        now.set_backdrop(self.backdrop);
        self.kept.keep(get_time());
    }

    /// The window is closed.
    fn close(&mut self) -> Result<(), ExploreError> {
        self.kept.close();
        Ok(())
    }

    /// Pixels of the map a point of the screen. On a display with small pixels, a pixel of the map
    /// is a square of several, so that its marks and letters keep their size.
    fn map_pixels(&self) -> f32 {
        screen_dpi_scale() / self.scale.floor().max(1.0)
    }

    /// The part of the screen that shows the map, above its legend, in pixels of the map.
    fn viewport(&self) -> Rect {
        let (rect, scale) = (self.map_rect, self.scale / self.scale.floor().max(1.0));
        let height = rect.height() * scale - self.canvas.legend_height();
        Rect::new(rect.left() * scale, rect.top() * scale, (rect.width() * scale).max(1.0), height.max(1.0))
    }

    /// Nothing is being made, and nobody is on the way.
    fn is_idle(&self) -> bool {
        self.scene.is_some() && self.generation.is_none() && self.route.is_empty()
    }

    /// The cell below the pointer, if the pointer is over the map.
    fn hovered(&self) -> Option<IVec2> {
        let (scene, camera, at) = (self.scene.as_ref()?, self.camera?, self.hover?);
        let cell = camera.cell_at(at, self.viewport());
        CellRect::of_size(scene.size()).contains(cell).then_some(cell)
    }

    fn ui(&mut self) -> (bool, bool) {
        let mut requests = Vec::new();
        let (mut wants_pointer, mut wants_keyboard) = (false, false);
        let hovered = self.hovered();
        self.scale = hud::scale(Vec2::new(screen_width(), screen_height()) * screen_dpi_scale(), screen_dpi_scale());
        egui_macroquad::cfg(|context| context.set_pixels_per_point(self.scale));
        let viewport = self.viewport();
        let map_pixels = self.map_pixels();
        let is_right = self.hover.is_some_and(|at| self.split.is_right(at, viewport));
        let land = self.land();
        let takes_divider = self.hover.is_some_and(|at| self.split.is_near(at, viewport, map_pixels));
        let of = (self.version, is_right && self.split.is_open());
        if let Some(scene) = if of.1 { self.split.scene() } else { self.scene.as_ref() } {
            self.inspector.look(scene, hovered, of);
        }
        let target_y = self
            .camera
            .zip(self.inspector.target())
            .map(|(camera, target)| camera.corner_of(target, viewport).y * self.scale.floor().max(1.0) / self.scale);
        egui_macroquad::ui(|context| {
            let scene = if is_right { self.split.scene() } else { self.scene.as_ref() };
            hud::status(context, scene, hovered, self.sight_ms);
            if self.show_panel {
                let mut state = PanelState {
                    preset: &self.preset,
                    name: &self.name,
                    turned: turned::turned(&self.preset, &self.base),
                    steps: self.history.steps(),
                    folds: &mut self.kept.now.open,
                    width: &mut self.kept.now.panel_width,
                    backdrop: self.backdrop,
                    reveal: self.reveal,
                    inspects: self.inspector.follows(),
                    land,
                    split: self.split.is_open(),
                    other: self.split.contender(),
                    tools: &mut self.tools,
                    export_name: &mut self.export_name,
                    preset_file: &mut self.preset_file,
                    walk_file: &mut self.walk_file,
                };
                requests = panel::show(context, &mut state);
            }
            self.map_rect = context.available_rect();
            if let (Some(left), Some(right)) = (&self.scene, self.split.scene()) {
                let titles = [left, right].map(|scene| Contender::of(scene.preset()).title());
                hud::sides(
                    context,
                    self.map_rect,
                    self.split.line(viewport) * self.scale.floor().max(1.0) / self.scale,
                    titles,
                );
            }
            if takes_divider {
                context.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
            }
            if let Some(fault) = &self.fault {
                hud::fault(context, self.map_rect, fault);
            }
            self.messages.show(context, self.map_rect.left_top() + egui::vec2(8.0, 8.0));
            if let Some(done) = self.generation.as_ref().map(Generation::done) {
                hud::progress(context, self.map_rect, done);
            }
            let legend = self.canvas.legend_height() * self.scale.floor().max(1.0) / self.scale;
            self.inspector.show(context, self.map_rect, target_y, legend);
            if self.show_help {
                hud::help(context, self.map_rect, &mut self.show_help);
            } else {
                hud::hint(context, self.map_rect, legend, self.tools.hint());
            }
            if is_key_pressed(KeyCode::Tab) {
                // It shows and hides the panel; it does not also go from one slider to the next and take all keys there.
                context.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
            }
            wants_pointer = context.wants_pointer_input() || context.is_pointer_over_area();
            wants_keyboard = context.wants_keyboard_input();
        });
        for request in requests {
            self.serve(request);
        }
        (wants_pointer, wants_keyboard)
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
    fn split_with(&mut self, contender: Contender) {
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
        if scene.see().is_ok() {
            self.sight_ms = (get_time() - before) * 1000.0;
        }
        self.version += 1;
    }

    fn walk(&mut self, step: IVec2) {
        self.change_scene(|scene| scene.step(step));
        self.follow = true;
    }

    fn click(&mut self, at: Vec2) {
        let viewport = self.viewport();
        let (Some(scene), Some(camera)) = (&self.scene, &self.camera) else { return };
        let cell = camera.cell_at(at, viewport);
        if self.tools.tool == Tool::Walk {
            self.route = scene.route(scene.viewer(), cell).unwrap_or_default().into();
        } else if CellRect::of_size(scene.size()).contains(cell) {
            self.take_noted(self.tools.used_on(&self.preset, cell), None);
        }
    }

    /// Explains the cell at a place, or lets go of it.
    fn pin(&mut self, at: Vec2) {
        if let Some(cell) = self.camera.map(|camera| camera.cell_at(at, self.viewport()))
            && self.is_on_map(cell)
        {
            self.inspector.pin(cell);
        }
    }

    fn is_on_map(&self, cell: IVec2) -> bool {
        self.scene.as_ref().is_some_and(|scene| CellRect::of_size(scene.size()).contains(cell))
    }

    fn drag(&mut self, by: Vec2) {
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            camera.drag(by);
            camera.stay_on(scene.size());
            self.follow = false;
        }
    }

    fn zoom(&mut self, steps: i32, at: Vec2) {
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            camera.zoom_by(steps, at, viewport);
            camera.stay_on(scene.size());
            self.follow = false;
        }
    }

    fn centre(&mut self) {
        self.follow = true;
        if let (Some(scene), Some(camera)) = (&self.scene, &mut self.camera) {
            camera.look_at(scene.viewer());
        }
    }

    fn turn_radius(&mut self, by: i32) {
        let radius = (i64::from(self.preset.sight.radius) + i64::from(by)).max(0);
        self.turn("sight.radius", Some(Value::Integer(radius)));
    }

    fn turn_seed(&mut self, by: i64) {
        if self.map.is_none() {
            let seed = (self.preset.world.seed as i64).saturating_add(by).max(0);
            self.turn("world.seed", Some(Value::Integer(seed)));
        }
    }

    fn turn(&mut self, key: &str, value: Option<Value>) {
        let changed = match value {
            Some(value) => self.preset.with([(key, value)]),
            None => self.preset.without(key),
        };
        match changed {
            Ok(preset) => self.take_noted(preset, Preset::knobs().map(|knob| knob.key).find(|known| *known == key)),
            Err(error) => self.messages.complain(error.to_string()),
        }
    }

    /// Another preset, on the same seed, so that presets can be compared.
    fn take_preset(&mut self, name: &str) {
        match Preset::named(name) {
            Ok(mut preset) => {
                let origin = Self::origin_of(name, &preset);
                preset.world.seed = self.preset.world.seed;
                self.keep_ground(&mut preset);
                self.take_other(preset, origin);
            }
            Err(error) => self.messages.complain(error.to_string()),
        }
    }

    /// What of another preset's world belongs to the ground that one stands on, if it was measured.
    fn keep_ground(&self, preset: &mut Preset) {
        if let Some(ground) = &self.ground {
            let old = &self.preset.world;
            preset.world.sea_level_m = old.sea_level_m;
            *preset = preset.on_ground(ground.elevation_m.size(), old.cell_size_m);
        }
    }

    /// Lets the scene follow the sliders; its world, or the climate on measured ground, is made anew beside the
    /// window if it must be.
    fn take(&mut self, mut preset: Preset) {
        if let Some(ground) = &self.ground {
            preset.world = preset.world.on_ground(ground.elevation_m.size());
        }
        let was = std::mem::replace(&mut self.preset, preset);
        let has_world = self.map.is_none() || self.ground.is_some();
        let needs_world = match &self.scene {
            Some(scene) => has_world && scene.needs_new_world(&self.preset),
            None => true,
        };
        if needs_world {
            let world_turned = was.world != self.preset.world || self.generation.is_none();
            let stay = self.scene.as_ref().filter(|_| self.same_place(&was)).map(Scene::viewer);
            if world_turned {
                self.generation = Some(Generation::start(self.preset.clone(), stay, self.ground.clone()));
            }
        } else {
            self.generation = None; // turned back to the world that is there
        }
        if self.scene.is_some() {
            self.apply_preset();
        }
    }

    /// Puts something up from a script: a preset that only adds to a list. What cannot stand where it should is said.
    fn put_up(&mut self, preset: Preset) -> Result<(), String> {
        let before = self.moment();
        let scene = self.scene.as_mut().ok_or("there is no scene yet")?;
        scene.apply(preset.clone()).map_err(|error| error.to_string())?;
        self.history.note(before, None);
        self.take(preset);
        Ok(())
    }

    /// Whether a cell means the same place before and after a change of the world.
    fn same_place(&self, was: &Preset) -> bool {
        let place = |preset: &Preset| (preset.world.seed, preset.world.width, preset.world.height);
        self.ground.is_some() || place(was) == place(&self.preset)
    }

    fn poll_generation(&mut self) -> Result<(), ExploreError> {
        match self.generation.as_ref().map(Generation::poll) {
            Some(Outcome::Ready(scene)) => {
                if let Some(arrival) = self.generation.take().and_then(|mut made| made.arrival.take()) {
                    (self.map, self.ground) = (arrival.map, None);
                    (self.preset, self.backdrop) = (scene.preset().clone(), Backdrop::Land);
                    self.begin_named(&arrival.name);
                }
                let same_place = self.scene.as_ref().is_some_and(|old| old.viewer() == scene.viewer());
                self.scene = Some(*scene);
                self.route.clear();
                if !same_place {
                    self.camera = None; // it fits the new radius
                    self.follow = true;
                }
                if self.split.is_open() {
                    self.split_with(self.split.contender()); // in the new world
                }
                self.apply_preset(); // sliders may have moved meanwhile
                self.recall(true);
                if !self.has_layer() {
                    self.backdrop = Backdrop::Land; // the one that was remembered
                }
            }
            Some(Outcome::Failed(error)) => {
                self.generation = None;
                let Some(scene) = &self.scene else { return Err(error) };
                self.preset.world = scene.preset().world.clone();
                self.messages.complain(error.to_string());
            }
            Some(Outcome::Working) | None => {}
        }
        Ok(())
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
        let viewport = self.viewport();
        let Some(scene) = &self.scene else { return Ok(()) };
        let camera = self.camera.get_or_insert_with(|| Camera::showing(scene.viewer(), scene.radius(), viewport));
        if self.follow {
            camera.look_at(scene.viewer());
        }
        Ok(())
    }

    fn draw(&mut self) {
        clear_background(BEHIND_THE_MAP);
        let (viewport, map_pixels) = (self.viewport(), self.map_pixels());
        if let (Some(scene), Some(camera)) = (&self.scene, &self.camera) {
            let unseen = if self.reveal { Unseen::Mapped } else { Unseen::Remembered };
            let look = Look { backdrop: self.backdrop, unseen, version: self.version };
            self.canvas.draw(scene, camera, viewport, map_pixels, look);
            self.split.draw(camera, viewport, map_pixels, look);
            self.inspector.draw(camera, viewport, map_pixels);
        }
        egui_macroquad::draw();
    }
}
