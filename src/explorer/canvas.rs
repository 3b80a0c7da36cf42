//! [`Canvas`]: the painted part of the map as one texture.

use macroquad::color::WHITE;
use macroquad::math::{Rect, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};

use super::camera::Camera;
use crate::{Backdrop, CellRect, PaintOptions, Picture, Scene, Unseen, legend, paint};

/// The painted part of the map, and its legend. They are painted again only when something changed.
#[derive(Default)]
pub(super) struct Canvas {
    map: Sheet,
    legend: Sheet,
    painted: Option<(PaintOptions, u64)>,
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

impl Canvas {
    /// Draws the map into the viewport, given in pixels of the map, of which `map_pixels` are a point of the screen.
    pub(super) fn draw(&mut self, scene: &Scene, camera: &Camera, viewport: Rect, map_pixels: f32, look: Look) {
        let frame = camera.frame(viewport, scene.size());
        let Look { backdrop, unseen, version } = look;
        let options = PaintOptions { frame, zoom: camera.zoom(), backdrop, unseen };
        if frame.width() == 0 || frame.height() == 0 {
            return;
        }
        if self.painted != Some((options, version)) {
            self.map.take(Some(&paint(scene, &options)));
            let wanted = scene.preset().paint.legend;
            let strip = if wanted { legend(scene, &options, viewport.w as usize, "") } else { None };
            self.legend.take(strip.as_ref());
            self.painted = Some((options, version));
        }
        let CellRect { min, .. } = frame;
        let corner = camera.corner_of(min, viewport);
        self.map.draw(corner.x, corner.y, map_pixels);
        self.legend.draw(viewport.x, viewport.bottom(), map_pixels);
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

    /// Draws it with its upper left corner at a pixel.
    fn draw(&self, x: f32, y: f32, map_pixels: f32) {
        if let Some(texture) = &self.0 {
            let size = vec2(texture.width(), texture.height()) / map_pixels;
            let params = DrawTextureParams { dest_size: Some(size), ..Default::default() };
            draw_texture_ex(texture, x / map_pixels, y / map_pixels, WHITE, params);
        }
    }
}
