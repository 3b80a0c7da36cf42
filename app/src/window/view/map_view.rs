//! [`MapView`]: the map on the screen.

use std::borrow::Cow;

use egui_macroquad::egui;
use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::{draw_circle_lines, draw_line};
use macroquad::window::screen_dpi_scale;

use super::canvas::{Canvas, CanvasOptions, PIXELS_A_FRAME};
use super::creature_names;
use super::divider::Divider;
use super::goal_marks::GoalMarks;
use super::inspector::Inspector;
use super::minimap::{self, Minimap};
use super::panorama_strip::PanoramaStrip;
use super::placement_words::PlacementGain;
use super::survey::Survey;
use crate::background::SceneCopy;
use crate::document::{Camera, Shown};
use farsight::grid::CellRect;
use farsight::perception::CellMemory;
use farsight::sight::Door;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle, Shell};
use farsight_scene::paint::{Backdrop, LegendTheme, Unseen, Zoom};
use farsight_scene::preset::{Look, Preset};
use farsight_scene::scene::{Layer, Scene, SceneError};
use glam::IVec2;

/// The height of the map per row of the legend, in pixels.
const PIXELS_PER_LEGEND_ROW: f32 = 200.0;

/// The rings around cells.
const STRIP_MARK: Color = Color::new(0.784, 0.149, 0.173, 1.0);
const STRIP_RIM: Color = Color::new(1.0, 0.98, 0.925, 1.0);

pub(crate) struct MapView {
    pub(crate) state: Shown,
    /// Whether cells that were never seen are drawn in ink instead of hidden.
    pub(crate) reveals: bool,
    pub(crate) divider: Divider,
    pub(crate) inspector: Inspector,
    /// The survey of visible cells, if shown.
    survey: Option<Survey>,
    /// Whether the map shows the survey.
    pub(crate) shows_survey: bool,
    /// The marks of the goal.
    pub(crate) goal_marks: GoalMarks,
    /// The pointer over the map, in pixels of the map view.
    pub(crate) pointer: Option<Vec2>,
    /// The rectangle of the map on the screen, in points of the panels.
    pub(crate) map_rect: egui::Rect,
    /// The rectangle of the map at the fit of the camera, until the first command, since a page gets its size during
    /// its start.
    fitted_rect: Option<CellRect>,
    /// Pixels per point of the panels.
    pub(crate) pixels_per_point: f32,
    /// Pixels of the screen per side of a pixel of the map view.
    pub(crate) map_scale: f32,
    /// Whether the whole legend is shown, regardless of the remaining space for the map.
    pub(crate) unfolds_legend: bool,
    /// The maximum number of rows of the folded legend; 0 also hides the unfolded legend.
    pub(crate) max_legend_rows: usize,
    /// The colours of the legend.
    pub(crate) legend_theme: LegendTheme,
    /// Whether a picture fades into the next, in an interactive window.
    pub(crate) eases: bool,
    /// Whether the minimap is shown.
    pub(crate) has_minimap: bool,
    /// The panorama below the map.
    pub(crate) strip: PanoramaStrip,
    placement_gain: PlacementGain,
    canvas: Canvas,
    right_canvas: Canvas,
    minimap: Minimap,
    /// A revision of the scene, and its summary.
    summary: (u64, String),
}

impl MapView {
    pub(crate) fn new(backdrop: Backdrop, reveals: bool) -> Self {
        Self {
            state: Shown { backdrop, ..Shown::default() },
            reveals,
            divider: Divider::default(),
            inspector: Inspector::default(),
            survey: None,
            shows_survey: false,
            goal_marks: GoalMarks::default(),
            pointer: None,
            map_rect: egui::Rect::ZERO,
            fitted_rect: None,
            pixels_per_point: 1.0,
            map_scale: 1.0,
            unfolds_legend: false,
            max_legend_rows: usize::MAX,
            legend_theme: LegendTheme::LIGHT,
            eases: false,
            canvas: Canvas::default(),
            has_minimap: true,
            strip: PanoramaStrip::default(),
            placement_gain: PlacementGain::default(),
            right_canvas: Canvas::default(),
            minimap: Minimap::default(),
            summary: (u64::MAX, String::new()),
        }
    }

    /// Returns the pixels of the map view per point of the screen. On a display with small pixels, a pixel of the map
    /// view is a square of several pixels, so that marks and letters keep their size.
    pub(crate) fn map_pixels(&self) -> f32 {
        screen_dpi_scale() / self.map_scale
    }

    /// Returns `true` if the first picture of another world takes long.
    pub(crate) fn is_drawing_world(&self) -> bool {
        self.canvas.is_drawing_world()
    }

    /// Returns the summary of the view.
    pub(crate) fn summary(&mut self, scene: &Scene, revision: u64) -> &str {
        if self.summary.0 != revision {
            self.summary = (revision, scene.summary());
        }
        &self.summary.1
    }

    /// Converts pixels of the map view to points of the panels.
    pub(crate) fn to_points(&self, map_pixels: f32) -> f32 {
        map_pixels * self.map_scale / self.pixels_per_point
    }

    /// Returns the part of the screen with the map, above its legend, in pixels of the map view.
    pub(crate) fn viewport(&self) -> Rect {
        let (rect, scale) = (self.map_rect, self.pixels_per_point / self.map_scale);
        let height = rect.height() * scale - self.canvas.legend_height();
        Rect::new(rect.left() * scale, rect.top() * scale, (rect.width() * scale).max(1.0), height.max(1.0))
    }

    /// Returns the part of the window with the map, its legend and the panorama, in pixels of the screen.
    pub(crate) fn picture_on_screen(&self) -> CellRect {
        self.pixels_on_screen(self.strip.place.map_or(self.map_rect, |strip| self.map_rect.union(strip)))
    }

    fn pixels_on_screen(&self, rect: egui::Rect) -> CellRect {
        let pixels = |at: egui::Pos2| {
            let [x, y] = [at.x, at.y].map(|points| (points * self.pixels_per_point).round() as i32);
            IVec2::new(x, y)
        };
        CellRect { min: pixels(rect.min), max: pixels(rect.max) }
    }

    /// Returns the maximum number of rows of the legend: all if it is unfolded, otherwise those that leave space for
    /// the map.
    fn legend_rows(&self) -> usize {
        match self.max_legend_rows {
            0 => 0,
            _ if self.unfolds_legend => usize::MAX,
            max_rows => {
                let pixels = self.map_rect.height() * self.pixels_per_point / self.map_scale;
                ((pixels / PIXELS_PER_LEGEND_ROW) as usize).clamp(1, max_rows)
            }
        }
    }

    /// Returns the height of the legend in points of the panels.
    pub(crate) fn legend_points(&self) -> f32 {
        self.to_points(self.canvas.legend_height())
    }

    /// Returns the cell at a point, which can be off the map.
    pub(crate) fn cell_at(&self, point: Vec2) -> Option<IVec2> {
        self.state.camera.map(|camera| camera.cell_at(point, self.viewport()))
    }

    /// Returns the cell below the pointer, if it is on the map: of the map, or of the panorama.
    pub(crate) fn hovered(&self, scene: &Scene) -> Option<IVec2> {
        let cell = self.pointer.and_then(|at| self.cell_at(at)).or(self.strip.hovered);
        cell.filter(|cell| CellRect::of_size(scene.size()).contains(*cell))
    }

    /// Draws a ring around the cell below the pointer in the panorama.
    fn draw_ring(&self, camera: &Camera, viewport: Rect, map_pixels: f32) {
        let at = self.strip.hovered.map(|cell| camera.middle_of(cell, viewport));
        if let Some(at) = at.filter(|at| viewport.contains(*at)).map(|at| at / map_pixels) {
            for (width, colour) in [(3.5, STRIP_RIM), (2.0, STRIP_MARK)] {
                draw_circle_lines(at.x, at.y, 7.0, width, colour);
            }
        }
    }

    /// Draws the radius of a brush around the pointer, as far as it is on the map.
    pub(crate) fn draw_brush(&self, radius: u32) {
        const SIDES: u16 = 120;
        let (Some(at), Some(camera)) = (self.pointer, self.state.camera) else { return };
        let (viewport, map_pixels) = (self.viewport(), self.map_pixels());
        let reach = camera.sides() * (radius as f32 + 0.5);
        let corner = |i: u16| at + Vec2::from_angle(std::f32::consts::TAU * f32::from(i) / f32::from(SIDES)) * reach;
        let sides = (0..SIDES).map(|i| [corner(i), corner(i + 1)]);
        let on_map: Vec<[Vec2; 2]> = sides.filter(|side| side.iter().all(|end| viewport.contains(*end))).collect();
        for (width, colour) in [(3.5, STRIP_RIM), (1.5, STRIP_MARK)] {
            for [from, to] in on_map.iter().map(|side| side.map(|end| end / map_pixels)) {
                draw_line(from.x, from.y, to.x, to.y, width, colour);
            }
        }
    }

    /// Returns the vertical position of the explained cell on the screen, in points of the panels.
    pub(crate) fn target_y(&self) -> Option<f32> {
        let (camera, target) = self.state.camera.zip(self.inspector.target())?;
        Some(self.to_points(camera.corner_of(target, self.viewport()).y))
    }

    /// Fits a new camera to the visible cells, and updates it to follow the viewer.
    pub(crate) fn update_camera(&mut self, scene: &Scene, revision: u64) {
        if std::mem::take(&mut self.state.has_entered) {
            self.inspector.unpin();
        }
        let (viewport, ratios) = (self.viewport(), cell_ratios(scene));
        let rect = self.pixels_on_screen(self.map_rect);
        if self.state.camera.is_none() {
            self.strip.face_widest_view(scene);
        }
        if self.state.camera.is_none() || self.fitted_rect.is_some_and(|fitted| fitted != rect) {
            self.fitted_rect = Some(rect);
            let seen = seen_cells(scene);
            let showing = |viewport| Camera::showing(seen, scene.size(), ratios, viewport);
            // The height of the legend depends on the camera, and the camera on that height.
            let options = self.canvas_options(showing(viewport), revision);
            self.canvas.update_legend(scene, &options);
            self.state.camera = Some(showing(self.viewport()));
            self.state.followed = Some(scene.viewer());
        }
        let viewport = self.viewport();
        if let Some(camera) = &mut self.state.camera {
            camera.set_ratios(ratios);
        }
        if let Some(camera) = self.state.camera.as_mut().filter(|_| self.state.camera_follows) {
            match self.state.followed {
                Some(from) => camera.follow(from, scene.viewer(), scene.size(), viewport),
                None => camera.centre_on(scene.viewer(), scene.size(), viewport),
            }
            self.state.followed = Some(scene.viewer());
        }
    }

    /// Keeps the camera when the rectangle of the map changes.
    pub(crate) fn keep_camera(&mut self) {
        self.fitted_rect = None;
    }

    pub(crate) fn pan(&mut self, scene: Option<&Scene>, by: Vec2) {
        if let (Some(scene), Some(camera)) = (scene, &mut self.state.camera) {
            camera.drag(by);
            camera.stay_on(scene.size());
            self.state.camera_follows = false;
        }
    }

    /// Returns the offset from the centre of the map to a viewer outside the picture, in pixels of the map view.
    pub(crate) fn way_to_viewer(&self, scene: &Scene) -> Option<Vec2> {
        let (camera, viewport) = (self.state.camera?, self.viewport());
        let at = camera.middle_of(scene.viewer(), viewport);
        (!viewport.contains(at)).then(|| at - viewport.center())
    }

    /// Returns the viewer's place on the screen in points of the panels, if it is on the map.
    pub(crate) fn viewer_point(&self, scene: &Scene) -> Option<egui::Pos2> {
        let (camera, viewport) = (self.state.camera?, self.viewport());
        let at = camera.middle_of(scene.viewer(), viewport);
        viewport.contains(at).then(|| egui::pos2(self.to_points(at.x), self.to_points(at.y)))
    }

    /// Centres the map on a cell.
    pub(crate) fn go_to(&mut self, scene: Option<&Scene>, cell: IVec2) {
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (scene, &mut self.state.camera) {
            camera.centre_on(cell, scene.size(), viewport);
            self.state.camera_follows = false;
        }
    }

    /// Centres the map on a cell, with cells of some pixels.
    pub(crate) fn look_at(&mut self, scene: Option<&Scene>, cell: IVec2, pixels: f32) {
        if let Some(camera) = &mut self.state.camera {
            camera.set_side(pixels);
            self.state.has_chosen_zoom = true;
        }
        self.go_to(scene, cell);
    }

    /// Returns the arguments of [`WindowCommand::Look`](crate::window::command::WindowCommand::Look) that show this
    /// part of the map, unless it is the initial one.
    pub(crate) fn look_words(&self) -> Option<String> {
        let camera = self.state.camera.filter(|_| self.state.has_chosen_zoom || !self.state.camera_follows)?;
        let [x, y] = camera.centre.map(|place| place.floor() as i32);
        Some(format!("{x} {y} {}", camera.side()))
    }

    /// Returns the point that keys zoom around: the pointer, or else the viewer while the camera follows it.
    pub(crate) fn zoom_point(&self, scene: Option<&Scene>) -> Vec2 {
        let viewport = self.viewport();
        let followed = scene.zip(self.state.camera).filter(|_| self.state.camera_follows);
        let viewer = followed
            .map(|(scene, camera)| camera.middle_of(scene.viewer(), viewport))
            .filter(|&at| viewport.contains(at));
        self.pointer.or(viewer).unwrap_or(viewport.center())
    }

    pub(crate) fn zoom(&mut self, scene: Option<&Scene>, steps: i32, at: Vec2) {
        let viewport = self.viewport();
        if let (Some(scene), Some(camera)) = (scene, &mut self.state.camera) {
            camera.zoom_by(steps, at, scene.size(), viewport);
            match steps < 0 {
                true => camera.fill(scene.size(), viewport), // no empty sheet instead of land
                false => camera.stay_on(scene.size()),
            }
            (self.state.camera_follows, self.state.has_chosen_zoom) = (false, true);
        }
    }

    /// Draws the map, the second method right of the divider, and the corridor of the inspector.
    pub(crate) fn draw(&mut self, scene: &Scene, right: Option<&Scene>, revision: u64) {
        let Some(camera) = self.state.camera else { return };
        let options = self.canvas_options(camera, revision);
        let (viewport, map_pixels) = (options.viewport, options.map_pixels);
        let mut is_idle = self.canvas.draw(scene, &options, None);
        match right {
            Some(right) => is_idle &= self.right_canvas.draw(right, &options, Some(self.divider.column(viewport))),
            None => self.right_canvas = Canvas::default(), // its picture has the old size of the window
        }
        self.canvas.draw_legend(&options);
        if right.is_some() {
            self.divider.draw(viewport, map_pixels);
        }
        if let Some(survey) = &self.survey {
            survey.draw(&camera, viewport, map_pixels);
        }
        self.inspector.draw(&camera, viewport, map_pixels);
        self.draw_ring(&camera, viewport, map_pixels);
        let covered =
            self.has_minimap.then(|| minimap::place(&camera, viewport, scene.size(), scene.viewer())).flatten();
        self.goal_marks.draw(&camera, viewport, covered, map_pixels);
        if self.has_minimap {
            let pixels = match (self.eases, is_idle) {
                (false, _) => usize::MAX,
                (true, true) => PIXELS_A_FRAME / 4, // small cells cost more
                (true, false) => 0,
            };
            self.minimap.draw(scene, &camera, (viewport, map_pixels), (revision, options.unseen), pixels);
            self.minimap.draw_marks(scene, covered, map_pixels, self.goal_marks.cells());
        }
    }

    /// Starts the survey of a scene if it is shown, and collects its available results.
    pub(crate) fn update_survey(&mut self, scene: &Scene, copy: impl FnOnce() -> SceneCopy) {
        self.survey.take_if(|survey| !self.shows_survey || !survey.is_of(scene));
        if self.shows_survey {
            self.survey.get_or_insert_with(|| Survey::begin(scene, copy())).receive();
        }
    }

    /// Returns `true` while a survey is running.
    pub(crate) fn is_surveying(&self) -> bool {
        self.survey.as_ref().is_some_and(|survey| !survey.is_done())
    }

    /// Returns the meaning of the survey's colours.
    pub(crate) fn survey_caption(&self) -> Option<String> {
        self.survey.as_ref().map(Survey::caption)
    }

    /// Returns `true` while a picture fades into the next, or waits for a later frame.
    pub(crate) fn is_easing(&self) -> bool {
        self.is_surveying()
            || self.canvas.is_easing()
            || self.right_canvas.is_easing()
            || self.has_minimap && self.minimap.is_waiting
    }

    /// Returns the rectangle of the minimap on the screen, in points of the panels, if it is shown.
    pub(crate) fn minimap_rect(&self, scene: &Scene) -> Option<egui::Rect> {
        let camera = self.state.camera.filter(|_| self.has_minimap)?;
        let place = minimap::place(&camera, self.viewport(), scene.size(), scene.viewer())?;
        let [x, y, w, h] = [place.x, place.y, place.w, place.h].map(|pixels| self.to_points(pixels));
        Some(egui::Rect::from_min_size(egui::pos2(x, y), egui::vec2(w, h)))
    }

    /// Returns `true` if the mark of a creature is at a point.
    pub(crate) fn has_creature_at(&self, scene: Option<&Scene>, point: Vec2) -> bool {
        let shown = scene.filter(|scene| self.state.backdrop == Backdrop::Land && scene.preset().paint.creatures);
        shown
            .zip(self.state.camera)
            .is_some_and(|(scene, camera)| creature_names::label_at(scene, &camera, self.viewport(), point).is_some())
    }

    /// Shows the name of the creature below the pointer, if the land is shown.
    pub(crate) fn show_creature_name(&self, context: &egui::Context, scene: &Scene) {
        let is_shown = self.state.backdrop == Backdrop::Land && scene.preset().paint.creatures;
        if let (Some(camera), Some(point), true) = (self.state.camera, self.pointer, is_shown)
            && let Some(label) = creature_names::label_at(scene, &camera, self.viewport(), point)
        {
            creature_names::show_label(context, egui::pos2(self.to_points(point.x), self.to_points(point.y)), &label);
        }
    }

    /// Shows at the pointer the gain in view from a preset with another lamp or lookout.
    pub(crate) fn show_placement_gain(
        &mut self,
        context: &egui::Context,
        scene: &Scene,
        revision: u64,
        preset: Preset,
    ) {
        let Some(point) = self.pointer.filter(|point| !self.has_creature_at(Some(scene), *point)) else { return };
        let at = egui::pos2(self.to_points(point.x), self.to_points(point.y));
        let words = self.placement_gain.words(scene, revision, preset);
        if !words.is_empty() {
            creature_names::show_label(context, at, words);
        }
    }

    /// Shows the effect of a click on the door below the pointer. Returns `true` for a known door.
    pub(crate) fn show_door_label(&self, context: &egui::Context, scene: &Scene) -> bool {
        let Some((door, point)) = self.hovered(scene).and_then(|cell| scene.known_door(cell)).zip(self.pointer) else {
            return false;
        };
        if !self.has_creature_at(Some(scene), point) {
            let text = match door {
                Door::Closed => "door, closed: click to open",
                Door::Open => "door, open: click to close",
            };
            creature_names::show_label(context, egui::pos2(self.to_points(point.x), self.to_points(point.y)), text);
        }
        true
    }

    /// Returns the cell below a point of the minimap, in points of the panels.
    pub(crate) fn cell_on_minimap(&self, scene: &Scene, point: egui::Pos2) -> Option<IVec2> {
        let place = minimap::place(&self.state.camera?, self.viewport(), scene.size(), scene.viewer())?;
        let pixels_per_point = 1.0 / self.to_points(1.0);
        Some(minimap::cell_at(place, scene.size(), Vec2::new(point.x, point.y) * pixels_per_point))
    }

    /// Returns the style of cells out of sight.
    pub(crate) fn unseen(&self) -> Unseen {
        if self.reveals { Unseen::Mapped } else { Unseen::Remembered }
    }

    /// Returns the options of an export of the screen, with the same pixels per cell, so that marks have the same size.
    pub(crate) fn export_options(&self, scene: &Scene) -> ExportOptions {
        let scale = self.state.camera.map(|camera| camera.zoom());
        let scale = scale.and_then(|zoom| if let Zoom::PixelsPerCell(scale) = zoom { Some(scale) } else { None });
        let options = ExportOptions::default().with_style(PictureStyle::Painted { scale, unseen: self.unseen() });
        let shown = self.state.camera.map(|camera| camera.frame(self.viewport(), scene.size()));
        let options = match shown {
            Some(shown) if shown == CellRect::of_size(scene.size()) => options.with_crop(Crop::Map),
            shown => options.with_cells(shown),
        };
        match self.state.backdrop {
            Backdrop::Land => options,
            Backdrop::Layer(layer) => options.with_layer(layer),
        }
    }

    /// Returns the scene with the look of the screen, for exports: the visibility layer has the data look.
    pub(crate) fn exported_scene<'s>(&self, scene: &'s Scene) -> Result<Cow<'s, Scene>, SceneError> {
        if !self.is_data_over_map(scene) {
            return Ok(Cow::Borrowed(scene));
        }
        let mut preset = scene.preset().clone();
        preset.paint.look = Look::Data;
        let mut scene = scene.clone();
        scene.apply(preset)?;
        Ok(Cow::Owned(scene))
    }

    /// Returns `true` if the screen shows the visibility as a layer of a scene in the map look.
    fn is_data_over_map(&self, scene: &Scene) -> bool {
        self.state.backdrop == Backdrop::Layer(Layer::Visibility) && scene.preset().paint.look == Look::Map
    }

    /// Returns the flags of `farsight export` for these options, with a space before each.
    pub(crate) fn export_flags(&self, scene: &Scene, shell: Shell) -> String {
        let mut flags = String::new();
        let ExportOptions { layer, crop, cells, style, .. } = self.export_options(scene);
        if crop != Crop::default() {
            flags += &format!(" --crop {}", crop.name());
        }
        if let Some(CellRect { min, max }) = cells {
            let size = max - min;
            flags += &format!(" --cells {}", shell.quote(&format!("{},{},{}x{}", min.x, min.y, size.x, size.y)));
        }
        if layer != Layer::default() {
            flags += &format!(" --layer {}", layer.name());
        }
        if self.is_data_over_map(scene) {
            flags += &format!(" --look {}", Look::Data.name());
        }
        if let PictureStyle::Painted { scale: Some(scale), .. } = style {
            flags += &format!(" --scale {scale}");
        }
        if !self.reveals {
            flags += " --unseen remembered";
        }
        flags
    }

    fn canvas_options(&self, camera: Camera, revision: u64) -> CanvasOptions {
        CanvasOptions {
            camera,
            viewport: self.viewport(),
            map_pixels: self.map_pixels(),
            backdrop: self.state.backdrop,
            unseen: self.unseen(),
            legend_rows: self.legend_rows(),
            legend_theme: self.legend_theme,
            eases: self.eases,
            revision,
        }
    }
}

/// Returns the sides of the cells in the middle of the map divided by the shorter side. A single ratio for the whole
/// map keeps it still while the viewer walks.
fn cell_ratios(scene: &Scene) -> Vec2 {
    scene.world().map_or(Vec2::ONE, |world| {
        let ratios = world.cell_size_at(scene.size() / 2).ratios();
        Vec2::new(ratios.x as f32, ratios.y as f32)
    })
}

/// The minimum distance from the viewer to the edges of [`seen_cells`], so that land around a viewer in the dark is shown.
const MIN_REACH: u32 = 6;

/// The maximum fraction of the seen cells outside of [`seen_cells`] on each side: a few distant summits would shrink the rest.
const MAX_OUTSIDE: f64 = 0.01;

/// Returns the rectangle of nearly all visible cells and the viewer.
fn seen_cells(scene: &Scene) -> CellRect {
    let (frame, viewer) = (scene.seen_frame(), scene.viewer());
    let (mut columns, mut rows) = (vec![0; frame.width()], vec![0; frame.height()]);
    for y in frame.min.y..frame.max.y {
        for x in frame.min.x..frame.max.x {
            if scene.memory(IVec2::new(x, y)) == CellMemory::Visible {
                columns[(x - frame.min.x) as usize] += 1;
                rows[(y - frame.min.y) as usize] += 1;
            }
        }
    }
    let [x, y] = [without_ends(&columns), without_ends(&rows)];
    let seen = CellRect { min: frame.min + IVec2::new(x[0], y[0]), max: frame.min + IVec2::new(x[1], y[1]) };
    let nearest = CellRect::around(viewer, MIN_REACH);
    let all = if seen.width() > 0 && seen.height() > 0 { nearest.cover(seen) } else { nearest };
    all.intersect(CellRect::of_size(scene.size()))
}

/// Returns the range of columns, with an exclusive end, without [`MAX_OUTSIDE`] of the cells on each side.
fn without_ends(counts: &[u32]) -> [i32; 2] {
    let most = counts.iter().map(|&count| f64::from(count)).sum::<f64>() * MAX_OUTSIDE;
    let skipped = |counts: &mut dyn Iterator<Item = &u32>| {
        let mut outside = 0.0;
        let is_outside = |count: &&u32| {
            outside += f64::from(**count);
            outside <= most
        };
        counts.take_while(is_outside).count() as i32
    };
    let count = counts.len() as i32;
    let first = skipped(&mut counts.iter());
    [first, (count - skipped(&mut counts.iter().rev())).max(first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_distant_cells_are_outside_of_what_is_shown_first() {
        assert_eq!(without_ends(&[0, 0, 5, 9, 4, 0]), [2, 5], "what is not seen is no part of it");
        let mut counts = vec![0; 100];
        (counts[0], counts[40], counts[99]) = (9, 980, 11);
        assert_eq!(without_ends(&counts), [40, 100], "9 of 1000 are few enough, 11 are not");
        assert_eq!(without_ends(&[0, 0, 0]), [3, 3]);
        assert_eq!(without_ends(&[]), [0, 0]);
    }
}
