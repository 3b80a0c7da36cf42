//! [`Canvas`]: the painted part of the map, and its legend, as textures.

use macroquad::color::WHITE;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex};

use super::camera::Camera;
use crate::paint::{Annotations, Backdrop, PaintOptions, Picture, Shading, Unseen, folded_legend, local_range, paint};
use crate::scene::Scene;

/// The painted part of the map, and its legend. They are painted again only after a change.
#[derive(Default)]
pub(super) struct Canvas {
    map: TextureSlot,
    legend: TextureSlot,
    painted: Option<Painted>,
}

/// The height of the map for which the legend may have a row, in pixels.
const PIXELS_PER_ROW: f32 = 200.0;

/// The state that was painted.
#[derive(PartialEq)]
struct Painted {
    options: PaintOptions,
    revision: u64,
    legend_width: f32,
    unfolds_legend: bool,
}

/// A picture on the graphics card.
#[derive(Default)]
pub(super) struct TextureSlot(Option<Texture2D>);

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
    /// `true` if the whole legend is shown, however little room it leaves for the map.
    pub(super) unfolds_legend: bool,
    /// Changes with every change of the scene.
    pub(super) revision: u64,
}

impl CanvasOptions {
    fn paint_options(&self, scene: &Scene) -> PaintOptions {
        let Self { camera, viewport, backdrop, unseen, shading, .. } = *self;
        let shown = PaintOptions::new(camera.frame(viewport, scene.size()), camera.zoom());
        let shown = shown.with_backdrop(backdrop).with_unseen(unseen).with_shading(shading);
        shown.with_annotations(Annotations::Screen).with_stretch([camera.ratios().x, camera.ratios().y])
    }
}

impl Canvas {
    /// Draws the map; with a column, only the part of the map right of it.
    pub(super) fn draw(&mut self, scene: &Scene, options: &CanvasOptions, right_of: Option<f32>) {
        let CanvasOptions { viewport, map_pixels, revision, unfolds_legend, .. } = *options;
        let paint_options = options.paint_options(scene);
        let frame = paint_options.frame;
        if frame.width() > 0 && frame.height() > 0 {
            let wanted = Some(Painted { options: paint_options, revision, legend_width: viewport.w, unfolds_legend });
            if self.painted != wanted {
                let layer_range = range_of(scene, &paint_options);
                self.map.set(Some(&paint(scene, &paint_options.with_layer_range(layer_range))));
                if right_of.is_none() {
                    self.update_legend(scene, options);
                }
                self.painted = wanted;
            }
            self.map.draw(right_of, options.camera.corner_of(frame.min, viewport), map_pixels);
        }
    }

    /// Draws the legend below the map. The last row of cells may reach into its place, so it comes after all maps.
    pub(super) fn draw_legend(&self, CanvasOptions { viewport, map_pixels, .. }: &CanvasOptions) {
        self.legend.draw(None, vec2(viewport.x, viewport.bottom()), *map_pixels);
    }

    /// Updates the legend, so that its height is known before anything is drawn. It describes half its own height more on
    /// both sides than the camera shows; otherwise it would grow and shrink with the rows that it hides.
    pub(super) fn update_legend(&mut self, scene: &Scene, options: &CanvasOptions) {
        let viewport = Rect { h: options.viewport.h + self.legend_height(), ..options.viewport };
        let layer_range = range_of(scene, &options.paint_options(scene));
        let paint_options = CanvasOptions { viewport, ..*options }.paint_options(scene).with_layer_range(layer_range);
        let max_rows = if options.unfolds_legend { usize::MAX } else { (viewport.h / PIXELS_PER_ROW) as usize };
        let folded = || folded_legend(scene, &paint_options, viewport.w as usize, max_rows.max(1));
        let picture = scene.preset().paint.legend.then(folded);
        self.legend.set(picture.flatten().as_ref());
    }

    /// Returns the height of the legend in pixels; 0 without one.
    pub(super) fn legend_height(&self) -> f32 {
        self.legend.0.as_ref().map_or(0.0, Texture2D::height)
    }
}

/// Returns the range of the values shown, if the layer is stretched to them.
fn range_of(scene: &Scene, options: &PaintOptions) -> Option<[f32; 2]> {
    match options.backdrop {
        Backdrop::Layer(layer) => local_range(scene, layer, options.frame),
        Backdrop::Land => None,
    }
}

impl TextureSlot {
    pub(super) fn set(&mut self, picture: Option<&Picture>) {
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
    pub(super) fn draw(&self, right_of: Option<f32>, corner: Vec2, map_pixels: f32) {
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
