//! [`Painter`]: scenes as pictures, in the look of their preset.

use glam::IVec2;

use super::colour::Colour;
use super::data_painter::paint_data;
use super::map::map_painter::MapPainter;
use super::map::sky_light::SkyLight;
use super::map::style::land_tint;
use super::marks::MapMarks;
use super::options::{Backdrop, PaintOptions};
use super::picture::Picture;
use crate::preset::Look;
use crate::scene::Scene;

/// Paints scenes. It caches the land between pictures, so that a step of a viewer costs little.
#[derive(Default)]
pub struct Painter {
    map: MapPainter,
}

/// Paints a part of a scene. Creatures appear only on the land, not on a layer.
pub fn paint(scene: &Scene, options: &PaintOptions) -> Picture {
    Painter::default().paint(scene, options)
}

/// Paints a part of a scene without viewer, creatures, lamps, lookouts and names, for callers that draw these, such as
/// the terminal.
pub fn paint_ground(scene: &Scene, options: &PaintOptions) -> Picture {
    Painter::default().paint_ground(scene, options)
}

/// Returns `true` if a picture has the map look: a picture of the land, unless the preset selects data.
pub(super) fn is_map(scene: &Scene, options: &PaintOptions) -> bool {
    options.backdrop == Backdrop::Land && scene.preset().paint.look == Look::Map
}

/// Returns the maximum memory in bytes for painting, without the picture.
pub(crate) fn painting_bytes(scene: &Scene, options: &PaintOptions) -> u64 {
    let [width, height] = options.picture_size().to_array().map(|side| u64::from(side.unsigned_abs()));
    if is_map(scene, options) { MapPainter::bytes(width.saturating_mul(height)) } else { 0 }
}

impl Painter {
    /// Paints a part of a scene. Creatures appear only on the land, not on a layer.
    pub fn paint(&mut self, scene: &Scene, options: &PaintOptions) -> Picture {
        let mut picture = self.paint_ground(scene, options);
        let is_dark = is_map(scene, options) && SkyLight::of(scene).is_night();
        let marks = MapMarks::new(scene, options, is_dark);
        if is_map(scene, options) && scene.preset().paint.names {
            MapPainter::draw_names(&mut picture, scene, options, marks.places());
        }
        marks.paint_lamps(&mut picture);
        if options.backdrop == Backdrop::Land {
            marks.paint_creatures(&mut picture);
        }
        marks.paint_lookouts(&mut picture);
        marks.paint_viewer(&mut picture);
        picture
    }

    /// Paints about the given number of pixels of the layers that a step does not change, so that a frame is not late.
    /// Returns `true` once the picture costs little; until then, there is no picture.
    pub fn prepare(&mut self, scene: &Scene, options: &PaintOptions, pixels: usize) -> bool {
        !is_map(scene, options) || self.map.prepare(scene, options, pixels)
    }

    /// Returns `true` if [`prepare`](Self::prepare) repainted only the land near the last strokes, so that the picture
    /// follows a brush immediately: [`refine`](Self::refine) repaints the rest.
    pub fn is_draft(&self) -> bool {
        self.map.is_draft
    }

    /// Repaints about the given number of pixels of the land around strokes that [`prepare`](Self::prepare) deferred.
    /// Returns `true` once complete: the next picture equals that of a new painter.
    pub fn refine(&mut self, scene: &Scene, options: &PaintOptions, pixels: usize) -> bool {
        !is_map(scene, options) || self.map.refine(scene, options, pixels)
    }

    /// Paints a part of a scene without viewer, creatures, lamps, lookouts and names.
    pub fn paint_ground(&mut self, scene: &Scene, options: &PaintOptions) -> Picture {
        if is_map(scene, options) { self.map.paint_ground(scene, options) } else { paint_data(scene, options) }
    }
}

/// Returns the tint of the ground of a cell.
pub(crate) fn ground_colour(scene: &Scene, cell: IVec2) -> Colour {
    match scene.biome(cell) {
        Some(biome) => land_tint(biome).to_array(),
        None => super::map::style::FLOOR.to_array(),
    }
}
