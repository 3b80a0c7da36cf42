//! [`Canvas`]: the painted part of the map as one texture.

use macroquad::color::WHITE;
use macroquad::math::{Rect, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};

use super::camera::Camera;
use crate::grid::CellRect;
use crate::paint::paint;
use crate::paint::{Backdrop, PaintOptions, Picture, Unseen, legend};
use crate::scene::Scene;

/// The painted part of the map, and its legend. They are painted again only when something changed.
#[derive(Default)]
pub(super) struct Canvas {
    map: Sheet,
    legend: Sheet,
    /// What was painted, which version of the scene, and the width of the legend in pixels.
    painted: Option<(PaintOptions, u64, f32)>,
}

/// A picture on the graphics card.
#[derive(Default)]
struct Sheet(Option<Texture2D>);

/// What is shown, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) backdrop: Backdrop,
    pub(super) unseen: Unseen,
    /// Changes whenever the scene does.
    pub(super) version: u64,
}

impl Look {
    /// How the painter is asked for what a camera shows.
    fn options(self, scene: &Scene, camera: &Camera, viewport: Rect) -> PaintOptions {
        let Self { backdrop, unseen, .. } = self;
        PaintOptions { frame: camera.frame(viewport, scene.size()), zoom: camera.zoom(), backdrop, unseen }
    }
}

impl Canvas {
    /// Draws the map into the viewport, given in pixels of the map, and its legend below.
    /// `map_pixels` of these are a point of the screen.
    pub(super) fn draw(&mut self, scene: &Scene, camera: &Camera, viewport: Rect, map_pixels: f32, look: Look) {
        self.draw_map(f32::NEG_INFINITY, scene, camera, viewport, map_pixels, look);
        self.legend.draw(f32::NEG_INFINITY, viewport.x, viewport.bottom(), map_pixels);
    }

    /// Draws what of the map lies on the right of a column of pixels, without a legend.
    pub(super) fn draw_right_of(
        &mut self,
        column: f32,
        scene: &Scene,
        camera: &Camera,
        viewport: Rect,
        map_pixels: f32,
        look: Look,
    ) {
        self.draw_map(column, scene, camera, viewport, map_pixels, look);
    }

    /// Lays the legend out for what a camera shows, before any of it is drawn: its height is known then. What lies around it
    /// by half the height of the legend counts, too: else that would grow and shrink by what it hides.
    pub(super) fn lay_legend(&mut self, scene: &Scene, camera: &Camera, viewport: Rect, look: Look) {
        let whole = Rect { h: viewport.h + self.legend_height(), ..viewport };
        let wanted = scene.preset().paint.legend;
        let strip = wanted.then(|| legend(scene, &look.options(scene, camera, whole), viewport.w as usize, ""));
        self.legend.take(strip.flatten().as_ref());
    }

    fn draw_map(&mut self, column: f32, scene: &Scene, camera: &Camera, viewport: Rect, map_pixels: f32, look: Look) {
        let options = look.options(scene, camera, viewport);
        let CellRect { min, .. } = options.frame;
        if options.frame.width() == 0 || options.frame.height() == 0 {
            return;
        }
        let wanted = Some((options, look.version, viewport.w));
        if self.painted != wanted {
            self.map.take(Some(&paint(scene, &options)));
            if column == f32::NEG_INFINITY {
                self.lay_legend(scene, camera, viewport, look);
            }
            self.painted = wanted;
        }
        let corner = camera.corner_of(min, viewport);
        self.map.draw(column, corner.x, corner.y, map_pixels);
    }

    /// Height of the legend in pixels; 0 without one.
    pub(super) fn legend_height(&self) -> f32 {
        self.legend.0.as_ref().map_or(0.0, Texture2D::height)
    }
}

impl Sheet {
    fn take(&mut self, picture: Option<&Picture>) {
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

    /// Draws it with its upper left corner at a pixel; what lies on the left of a column is left out.
    fn draw(&self, column: f32, x: f32, y: f32, map_pixels: f32) {
        if let Some(texture) = &self.0 {
            let cut = (column - x).clamp(0.0, texture.width());
            let (width, height) = (texture.width() - cut, texture.height());
            let params = DrawTextureParams {
                dest_size: Some(vec2(width, height) / map_pixels),
                source: Some(Rect::new(cut, 0.0, width, height)),
                ..Default::default()
            };
            draw_texture_ex(texture, (x + cut) / map_pixels, y / map_pixels, WHITE, params);
        }
    }
}
