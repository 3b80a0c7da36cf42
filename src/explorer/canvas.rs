//! [`Canvas`]: the painted part of the map as one texture.

use macroquad::color::WHITE;
use macroquad::math::{Rect, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};

use super::camera::Camera;
use crate::{Backdrop, CellRect, PaintOptions, Scene, Unseen, paint};

/// The painted part of the map. It is painted again only when something changed.
#[derive(Default)]
pub(super) struct Canvas {
    texture: Option<Texture2D>,
    painted: Option<(PaintOptions, u64)>,
}

/// What is shown, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) backdrop: Backdrop,
    pub(super) unseen: Unseen,
    /// Changes whenever the scene does.
    pub(super) version: u64,
}

impl Canvas {
    /// Draws the map into the viewport, given in pixels.
    pub(super) fn draw(&mut self, scene: &Scene, camera: &Camera, viewport: Rect, dpi: f32, look: Look) {
        let frame = camera.frame(viewport, scene.size());
        let Look { backdrop, unseen, version } = look;
        let options = PaintOptions { frame, zoom: camera.zoom(), backdrop, unseen };
        if frame.width() == 0 || frame.height() == 0 {
            return;
        }
        if self.painted != Some((options, version)) {
            self.repaint(scene, &options);
            self.painted = Some((options, version));
        }
        let Some(texture) = &self.texture else { return };
        let CellRect { min, .. } = frame;
        let corner = camera.corner_of(min, viewport) / dpi;
        let size = vec2(texture.width(), texture.height()) / dpi;
        let params = DrawTextureParams { dest_size: Some(size), ..Default::default() };
        draw_texture_ex(texture, corner.x, corner.y, WHITE, params);
    }

    fn repaint(&mut self, scene: &Scene, options: &PaintOptions) {
        let picture = paint(scene, options);
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        match &self.texture {
            Some(texture) if (texture.width(), texture.height()) == (f32::from(width), f32::from(height)) => {
                texture.update_from_bytes(width.into(), height.into(), picture.rgba());
            }
            _ => self.texture = Some(Texture2D::from_rgba8(width, height, picture.rgba())),
        }
    }
}
