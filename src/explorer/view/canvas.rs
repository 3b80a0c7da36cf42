//! [`Canvas`]: the painted part of the map, and its legend, as textures.

use macroquad::color::WHITE;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};

use super::camera::Camera;
use crate::paint::{Backdrop, PaintOptions, Picture, Shading, Unseen, legend, paint};
use crate::scene::Scene;

/// The painted part of the map, and its legend. They are painted again only after a change.
#[derive(Default)]
pub(super) struct Canvas {
    map: TextureSlot,
    legend: TextureSlot,
    painted: Option<Painted>,
}

/// The state that was painted.
#[derive(PartialEq)]
struct Painted {
    options: PaintOptions,
    revision: u64,
    legend_width: f32,
}

/// A picture on the graphics card.
#[derive(Default)]
struct TextureSlot(Option<Texture2D>);

/// The part of the map that is drawn, and its look.
#[derive(Clone, Copy)]
pub(super) struct CanvasOptions {
    pub(super) camera: Camera,
    /// The place on the screen, in pixels of the map view.
    pub(super) viewport: Rect,
    /// The number of these pixels per point of the screen.
    pub(super) map_pixels: f32,
    pub(super) backdrop: Backdrop,
    pub(super) unseen: Unseen,
    pub(super) shading: Shading,
    /// Changes with every change of the scene.
    pub(super) revision: u64,
}

impl CanvasOptions {
    fn paint_options(&self, scene: &Scene) -> PaintOptions {
        let Self { camera, viewport, backdrop, unseen, shading, .. } = *self;
        PaintOptions { frame: camera.frame(viewport, scene.size()), zoom: camera.zoom(), backdrop, unseen, shading }
    }
}

impl Canvas {
    /// Draws the map and the legend below it; with a column, only the part of the map right of it.
    pub(super) fn draw(&mut self, scene: &Scene, options: &CanvasOptions, right_of: Option<f32>) {
        let CanvasOptions { viewport, map_pixels, revision, .. } = *options;
        let paint_options = options.paint_options(scene);
        let frame = paint_options.frame;
        if frame.width() > 0 && frame.height() > 0 {
            let wanted = Some(Painted { options: paint_options, revision, legend_width: viewport.w });
            if self.painted != wanted {
                self.map.set(Some(&paint(scene, &paint_options)));
                if right_of.is_none() {
                    self.update_legend(scene, options);
                }
                self.painted = wanted;
            }
            self.map.draw(right_of, options.camera.corner_of(frame.min, viewport), map_pixels);
        }
        if right_of.is_none() {
            self.legend.draw(None, vec2(viewport.x, viewport.bottom()), map_pixels);
        }
    }

    /// Updates the legend, so that its height is known before anything is drawn. It describes half its own height more on
    /// both sides than the camera shows; otherwise it would grow and shrink with the rows that it hides.
    pub(super) fn update_legend(&mut self, scene: &Scene, options: &CanvasOptions) {
        let viewport = Rect { h: options.viewport.h + self.legend_height(), ..options.viewport };
        let paint_options = CanvasOptions { viewport, ..*options }.paint_options(scene);
        let picture = scene.preset().paint.legend.then(|| legend(scene, &paint_options, viewport.w as usize, ""));
        self.legend.set(picture.flatten().as_ref());
    }

    /// Returns the height of the legend in pixels; 0 without one.
    pub(super) fn legend_height(&self) -> f32 {
        self.legend.0.as_ref().map_or(0.0, Texture2D::height)
    }
}

impl TextureSlot {
    fn set(&mut self, picture: Option<&Picture>) {
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

    /// Draws the texture with its upper left corner at a pixel, without the part left of a column.
    fn draw(&self, right_of: Option<f32>, corner: Vec2, map_pixels: f32) {
        if let Some(texture) = &self.0 {
            let hidden = right_of.map_or(0.0, |column| (column - corner.x).clamp(0.0, texture.width()));
            let (width, height) = (texture.width() - hidden, texture.height());
            let params = DrawTextureParams {
                dest_size: Some(vec2(width, height) / map_pixels),
                source: Some(Rect::new(hidden, 0.0, width, height)),
                ..Default::default()
            };
            draw_texture_ex(texture, (corner.x + hidden) / map_pixels, corner.y / map_pixels, WHITE, params);
        }
    }
}
