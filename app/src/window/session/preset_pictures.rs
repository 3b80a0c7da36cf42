//! [`PresetPictures`]: small pictures of the shipped presets.

use std::collections::BTreeMap;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use egui_macroquad::egui;

use farsight::Job;
use farsight::grid::CellRect;
use farsight_scene::paint::{PaintOptions, Picture, Unseen, Zoom, paint_ground};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// Width and height of the world of a picture, in cells.
const WORLD: [u32; 2] = [168, 112];

/// The part of that world in the picture: the cells left and right, and above and below the viewer.
const REACH: IVec2 = IVec2::new(42, 28);

/// The finished pictures. Each shows a small world of its preset.
#[derive(Default)]
pub(crate) struct PresetPictures {
    pictures: BTreeMap<String, Option<TextureHandle>>,
}

impl PresetPictures {
    /// Returns the picture of a shipped preset. At most one is painted per frame, so that the window stays responsive;
    /// `may_make` is `false` afterwards.
    pub(crate) fn get(&mut self, context: &Context, name: &str, may_make: &mut bool) -> Option<&TextureHandle> {
        if !self.pictures.contains_key(name) {
            if !std::mem::take(may_make) {
                context.request_repaint();
                return None;
            }
            let picture = picture(name).map(|picture| {
                let size = [picture.width(), picture.height()];
                let image = ColorImage::from_rgba_unmultiplied(size, picture.rgba());
                context.load_texture(format!("preset {name}"), image, TextureOptions::LINEAR)
            });
            self.pictures.insert(name.to_owned(), picture);
        }
        self.pictures.get(name)?.as_ref()
    }
}

/// Paints a small world of a preset; `None` if the preset does not fit a small world.
fn picture(name: &str) -> Option<Picture> {
    let mut preset = Preset::named(name).ok()?;
    [preset.world.width, preset.world.height] = WORLD;
    let scene = Scene::generate(preset, None, Job::none()).ok()?;
    let last = (scene.size() - REACH).max(REACH);
    let middle = scene.viewer().clamp(REACH, last);
    let frame = CellRect { min: middle - REACH, max: middle + REACH }.intersect(CellRect::of_size(scene.size()));
    let options = PaintOptions::new(frame, Zoom::PixelsPerCell(2)).with_unseen(Unseen::Mapped);
    Some(paint_ground(&scene, &options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight_scene::preset::shipped_names;

    #[test]
    fn every_shipped_preset_has_a_picture_of_its_own() {
        let pictures: Vec<Picture> = shipped_names().map(|name| picture(name).expect(name)).collect();
        for (i, one) in pictures.iter().enumerate() {
            assert!(pictures[..i].iter().all(|other| other.rgba() != one.rgba()), "{i}");
        }
    }
}
