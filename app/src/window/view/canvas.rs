//! [`Canvas`]: the painted part of the map, and its legend, as textures.

use std::sync::Arc;

use glam::IVec2;
use macroquad::color::{Color, WHITE};
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};
use macroquad::time::get_time;

use crate::document::Camera;
use crate::host::ON_PAGE;
use farsight::grid::CellRect;
use farsight_scene::creatures::PerceptionConfig;
use farsight_scene::paint::{
    Backdrop, LegendTheme, PaintOptions, Painter, Picture, Unseen, folded_legend, local_range,
};
use farsight_scene::preset::PaintConfig;
use farsight_scene::scene::{Layer, Scene};

/// The painted part of the map, and its legend. They are repainted only after a change.
#[derive(Default)]
pub(crate) struct Canvas {
    map: TextureSlot,
    /// The last picture, which fades out.
    old: Option<OldPicture>,
    spare: TextureSlot,
    legend: TextureSlot,
    legend_key: Option<LegendKey>,
    painted: Option<PaintedState>,
    painter: Painter,
    /// Whether the land of the next picture is still being painted.
    is_waiting: bool,
    /// The start of the wait for the first picture of another world, in seconds.
    waits_for_world: Option<f64>,
    /// The corner of the last drawn picture and the sides of its cells, in pixels of the map view.
    last_place: (Vec2, Vec2),
}

/// The last picture, and its position on the map.
struct OldPicture {
    texture: TextureSlot,
    /// The upper left cell, and the sides of a cell in pixels.
    min: IVec2,
    sides: Vec2,
    /// The start time of its fade, in seconds.
    since: f64,
}

/// The maximum pixels of land painted in a frame, so that it is not late. A page has one thread.
pub(crate) const PIXELS_A_FRAME: usize = if ON_PAGE { 30_000 } else { 400_000 };

/// The opacity of the picture of the last world while the map of the next is painted, and the duration of that
/// without a word about it, in seconds.
const LAST_WORLD_ALPHA: f32 = 0.35;
const SILENT_SECONDS: f64 = 0.4;

/// The duration of the fade between two pictures, in seconds.
const EASING_SECONDS: f64 = 0.15;

/// The painted state.
#[derive(PartialEq)]
struct PaintedState {
    options: PaintOptions,
    revision: u64,
    /// As [`world_key`].
    world: usize,
    legend_width: f32,
    legend_rows: usize,
    legend_theme: LegendTheme,
}

/// Returns the address of the world of a scene, 0 without one.
pub(super) fn world_key(scene: &Scene) -> usize {
    scene.world().map_or(0, |world| Arc::as_ptr(world) as usize)
}

/// The inputs of the legend, without the land around the viewer: its samples do not change during a walk.
#[derive(PartialEq)]
struct LegendKey {
    options: PaintOptions,
    place: (usize, usize, LegendTheme),
    paint: PaintConfig,
    perception: PerceptionConfig,
    light: f64,
    marks: [bool; 2],
    /// As [`world_key`].
    world: usize,
}

impl LegendKey {
    fn new(scene: &Scene, options: &PaintOptions, place: (usize, usize, LegendTheme)) -> Self {
        let preset = scene.preset();
        let frame = match options.backdrop {
            Backdrop::Layer(Layer::Biome) => options.frame, // the legend has the shown biomes
            _ => CellRect::of_size(IVec2::ZERO),
        };
        Self {
            options: options.with_frame(frame),
            place,
            paint: preset.paint.clone(),
            perception: preset.perception.clone(),
            light: scene.optics().light,
            marks: [!scene.observers().is_empty(), !scene.lamps().is_empty()],
            world: world_key(scene),
        }
    }
}

/// A picture on the graphics card.
#[derive(Default)]
pub(crate) struct TextureSlot(Option<Texture2D>);

/// The drawn part of the map, and its look.
#[derive(Clone, Copy)]
pub(crate) struct CanvasOptions {
    pub(crate) camera: Camera,
    /// The place on the screen, in pixels of the map view.
    pub(crate) viewport: Rect,
    /// The pixels of the map view per point of the screen.
    pub(crate) map_pixels: f32,
    pub(crate) backdrop: Backdrop,
    pub(crate) unseen: Unseen,
    /// The maximum number of rows of the legend; 0 hides it.
    pub(crate) legend_rows: usize,
    pub(crate) legend_theme: LegendTheme,
    /// Whether a picture fades into the next.
    pub(crate) eases: bool,
    /// Changes with every change of the scene.
    pub(crate) revision: u64,
}

impl CanvasOptions {
    fn paint_options(&self) -> PaintOptions {
        let Self { camera, viewport, backdrop, unseen, .. } = *self;
        let shown = PaintOptions::new(camera.shown(viewport), camera.zoom());
        shown.with_backdrop(backdrop).with_unseen(unseen).with_stretch(camera.stretch())
    }
}

impl Canvas {
    /// Draws the map; with a column, only the part of the map right of it. Returns `true` unless painting was slow.
    pub(crate) fn draw(&mut self, scene: &Scene, options: &CanvasOptions, right_of: Option<f32>) -> bool {
        let CanvasOptions { viewport, revision, legend_rows, legend_theme, .. } = *options;
        let paint_options = options.paint_options();
        let frame = paint_options.frame;
        let mut is_painted = false;
        if frame.width() > 0 && frame.height() > 0 {
            let wanted = Some(PaintedState {
                options: paint_options,
                revision,
                world: world_key(scene),
                legend_width: viewport.w,
                legend_rows,
                legend_theme,
            });
            self.is_waiting = false;
            if self.painted != wanted {
                let layer_range = range_of(scene, &paint_options);
                let next = paint_options.with_layer_range(layer_range);
                // In an interactive window, the last picture stays until the land of the next is painted over several
                // frames.
                let waits = options.eases && !self.map.is_empty();
                if waits && !self.painter.prepare(scene, &next, PIXELS_A_FRAME) {
                    self.is_waiting = true;
                    self.draw_last(options, right_of, world_key(scene));
                    return false;
                }
                self.waits_for_world = None;
                self.keep_old(options, &paint_options);
                self.map.set(Some(&self.painter.paint(scene, &next)));
                if right_of.is_none() {
                    self.update_legend(scene, options);
                }
                self.painted = wanted;
                is_painted = true;
            } else if self.painter.is_draft() {
                let next = paint_options.with_layer_range(range_of(scene, &paint_options));
                if self.painter.refine(scene, &next, PIXELS_A_FRAME) {
                    self.map.set(Some(&self.painter.paint(scene, &next)));
                }
                is_painted = true;
            }
            self.draw_pictures(options, right_of, frame.min);
        }
        !is_painted
    }

    /// Keeps the old picture, if it fades out: after a step, a zoom or a change of layer or look.
    fn keep_old(&mut self, options: &CanvasOptions, next: &PaintOptions) {
        let shown = self.painted.as_ref().filter(|_| options.eases).map(|painted| painted.options);
        // While the map is dragged, the old picture would only blur the new one.
        let is_dragged = |old: &PaintOptions| old.frame != next.frame && old.zoom == next.zoom;
        let Some(shown) = shown.filter(|old| !is_dragged(old) || old.backdrop != next.backdrop) else {
            self.old = None;
            return;
        };
        let texture = std::mem::replace(&mut self.map, std::mem::take(&mut self.spare));
        let sides = Vec2::from_array(shown.stretch) * shown.zoom.pixels_per_cell() as f32;
        let old = OldPicture { texture, min: shown.frame.min, sides, since: get_time() };
        self.spare = self.old.replace(old).map(|old| old.texture).unwrap_or_default();
    }

    /// Draws the last picture until the next is complete: at the position of its land, or faint at its old position if
    /// it shows another world.
    fn draw_last(&mut self, options: &CanvasOptions, right_of: Option<f32>, world: usize) {
        let Some(PaintedState { options: shown, world: shown_world, .. }) = &self.painted else { return };
        let CanvasOptions { camera, viewport, map_pixels, .. } = *options;
        let sides = Vec2::from_array(shown.stretch) * shown.zoom.pixels_per_cell() as f32;
        if *shown_world == world {
            self.last_place = (camera.corner_of(shown.frame.min, viewport), camera.sides());
            self.map.draw(right_of, self.last_place.0, map_pixels, (camera.sides() / sides, 1.0));
        } else {
            self.waits_for_world.get_or_insert_with(get_time);
            let (corner, last_sides) = self.last_place;
            self.map.draw(right_of, corner, map_pixels, (last_sides / sides, LAST_WORLD_ALPHA));
        }
    }

    /// Returns `true` if the first picture of another world takes long.
    pub(crate) fn is_drawing_world(&self) -> bool {
        self.waits_for_world.is_some_and(|since| get_time() - since > SILENT_SECONDS)
    }

    /// Returns `true` while a picture fades into the next, or waits for it.
    pub(crate) fn is_easing(&self) -> bool {
        self.is_waiting
            || self.painter.is_draft()
            || self.old.as_ref().is_some_and(|old| get_time() - old.since < EASING_SECONDS)
    }

    /// Draws the picture, over the last picture while that fades out.
    fn draw_pictures(&mut self, options: &CanvasOptions, right_of: Option<f32>, min: IVec2) {
        let CanvasOptions { camera, viewport, map_pixels, .. } = *options;
        let mut alpha = 1.0;
        if let Some(old) = &self.old {
            alpha = ((get_time() - old.since) / EASING_SECONDS).clamp(0.0, 1.0) as f32;
            if alpha < 1.0 {
                let scale = camera.sides() / old.sides;
                old.texture.draw(right_of, camera.corner_of(old.min, viewport), map_pixels, (scale, 1.0));
            } else {
                self.spare = self.old.take().map(|old| old.texture).unwrap_or_default();
            }
        }
        self.last_place = (camera.corner_of(min, viewport), camera.sides());
        self.map.draw(right_of, self.last_place.0, map_pixels, (Vec2::ONE, alpha));
    }

    /// Draws the legend below the map. The last row of cells can overlap it, so it is drawn after all maps.
    pub(crate) fn draw_legend(&self, CanvasOptions { viewport, map_pixels, .. }: &CanvasOptions) {
        self.legend.draw(None, vec2(viewport.x, viewport.bottom()), *map_pixels, (Vec2::ONE, 1.0));
    }

    /// Updates the legend, so that its height is known before drawing. It describes a margin of half its height on both
    /// sides of the camera's view; otherwise it would grow and shrink with the rows that it hides.
    pub(crate) fn update_legend(&mut self, scene: &Scene, options: &CanvasOptions) {
        let viewport = Rect { h: options.viewport.h + self.legend_height(), ..options.viewport };
        let layer_range = range_of(scene, &options.paint_options());
        let paint_options = CanvasOptions { viewport, ..*options }.paint_options().with_layer_range(layer_range);
        let (width, max_rows, theme) = (viewport.w as usize, options.legend_rows, options.legend_theme);
        let key = LegendKey::new(scene, &paint_options, (width, max_rows, theme));
        if self.legend_key.as_ref() == Some(&key) {
            return;
        }
        self.legend_key = Some(key);
        let folded = || folded_legend(scene, &paint_options, width, max_rows, theme);
        let picture = (scene.preset().paint.legend && max_rows > 0).then(folded);
        self.legend.set(picture.flatten().as_ref());
    }

    /// Returns the height of the legend in pixels; 0 without a legend.
    pub(crate) fn legend_height(&self) -> f32 {
        self.legend.0.as_ref().map_or(0.0, Texture2D::height)
    }
}

/// Returns the range of the shown values, if the ramp of the layer is stretched to it.
fn range_of(scene: &Scene, options: &PaintOptions) -> Option<[f32; 2]> {
    match options.backdrop {
        Backdrop::Layer(layer) => local_range(scene, layer, options.frame),
        Backdrop::Land => None,
    }
}

impl TextureSlot {
    fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn set(&mut self, picture: Option<&Picture>) {
        let Some(picture) = picture else {
            self.0 = None;
            return;
        };
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        match &self.0 {
            Some(texture) if (texture.width(), texture.height()) == (f32::from(width), f32::from(height)) => {
                texture.update_from_bytes(width.into(), height.into(), picture.rgba());
            }
            _ => self.0 = Some(Texture2D::from_rgba8(width, height, picture.rgba())),
        }
    }

    /// Draws the texture with its upper left corner at a pixel, without the part left of a column, scaled, and with an alpha.
    pub(crate) fn draw(&self, right_of: Option<f32>, corner: Vec2, map_pixels: f32, (scale, alpha): (Vec2, f32)) {
        if let Some(texture) = &self.0 {
            let hidden = right_of.map_or(0.0, |column| (column - corner.x).clamp(0.0, texture.width() * scale.x));
            let source_x = hidden / scale.x;
            let (width, height) = (texture.width() - source_x, texture.height());
            let params = DrawTextureParams {
                dest_size: Some(vec2(width, height) * scale / map_pixels),
                source: Some(Rect::new(source_x, 0.0, width, height)),
                ..Default::default()
            };
            let colour = Color { a: alpha, ..WHITE };
            draw_texture_ex(texture, (corner.x + hidden) / map_pixels, corner.y / map_pixels, colour, params);
        }
    }
}
