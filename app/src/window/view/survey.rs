//! [`Survey`]: the number of visible cells from each place of the land, in passes of increasing resolution.

use std::time::Duration;

use macroquad::color::Color;
use macroquad::math::Rect;
use macroquad::shapes::draw_rectangle;

use crate::background::{Request, SceneCopy, SurveyedPlace, Work};
use crate::document::Camera;
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::text::group_digits;

/// The colours of places with the minimum and the maximum view, and their alpha.
const LEAST: [f32; 3] = [0.10, 0.12, 0.32];
const MOST: [f32; 3] = [1.00, 0.90, 0.45];
const ALPHA: f32 = 0.6;

/// A survey of a scene.
pub(crate) struct Survey {
    /// The settings that it depends on.
    of: Preset,
    work: Work<Vec<SurveyedPlace>>,
    /// The places of the finest complete pass.
    places: Vec<SurveyedPlace>,
    greatest: f32,
    /// The area of a cell in square kilometres, in a world.
    cell_km2: Option<f64>,
}

impl Survey {
    /// Starts a survey of a scene, given a copy of it.
    pub(crate) fn begin(scene: &Scene, copy: SceneCopy) -> Self {
        let size = scene.world().map(|world| world.cell_size_at(scene.viewer()));
        let cell_km2 = size.map(|size| size.ratios().element_product() * (size.shorter_m() / 1000.0).powi(2));
        Self { of: key(scene), work: Work::start(Request::Survey(copy)), places: Vec::new(), greatest: 0.0, cell_km2 }
    }

    /// Returns `true` if it is a survey of this scene.
    pub(crate) fn is_of(&self, scene: &Scene) -> bool {
        self.of == key(scene)
    }

    /// Collects the available results.
    pub(crate) fn receive(&mut self) {
        // The error is a scene without a view, which the map also shows.
        while let Some(Ok(places)) = self.work.poll(Duration::ZERO)
            && !places.is_empty()
        {
            self.greatest = places.iter().map(|place| place.seen).fold(self.greatest, f32::max);
            self.places = places;
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.work.is_done()
    }

    /// Returns the meaning of the colours.
    pub(crate) fn caption(&self) -> String {
        let most = match self.cell_km2 {
            Some(km2) => format!("{:.1} km\u{b2}", f64::from(self.greatest) * km2),
            None => format!("{} cells", group_digits(self.greatest as usize)),
        };
        format!("The brighter a place, the more is seen from it: up to {most}")
    }

    /// Colours the places on the map. The viewport is in pixels of the map view; `map_pixels` is their number per point of the
    /// screen.
    pub(crate) fn draw(&self, camera: &Camera, viewport: Rect, map_pixels: f32) {
        for place in &self.places {
            let (corner, end) = (camera.corner_of(place.cell, viewport), place.cell + place.step as i32);
            let sides = camera.corner_of(end, viewport) - corner;
            let shown = Rect::new(corner.x, corner.y, sides.x, sides.y).intersect(viewport);
            if let Some(Rect { x, y, w, h }) = shown {
                let colour = colour(place.seen / self.greatest.max(1.0));
                draw_rectangle(x / map_pixels, y / map_pixels, w / map_pixels, h / map_pixels, colour);
            }
        }
    }
}

/// Returns a preset without settings that do not affect views.
fn key(scene: &Scene) -> Preset {
    let mut preset = scene.preset().clone();
    (preset.viewers, preset.creatures, preset.names) = Default::default();
    preset.paint = Default::default();
    preset
}

fn colour(share: f32) -> Color {
    let share = share.clamp(0.0, 1.0).sqrt();
    let [r, g, b] = [0, 1, 2].map(|i| LEAST[i] + (MOST[i] - LEAST[i]) * share);
    Color::new(r, g, b, ALPHA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use glam::{IVec2, ivec2};

    #[test]
    fn the_open_side_of_a_wall_is_brighter_than_a_closet() {
        let mut map = OpacityMap::clear(64, 64).unwrap();
        for i in 0..20 {
            for cell in [ivec2(i, 19), ivec2(19, i)] {
                map.set(cell, 1.0).unwrap();
            }
        }
        let scene = Scene::from_map(Preset::bare_kernel(), map, Some(ivec2(40, 40)), Job::none()).unwrap();
        let mut survey = Survey::begin(&scene, SceneCopy::of(&scene, None));
        while !survey.is_done() {
            survey.receive();
        }
        assert_eq!(survey.places.len(), 16 * 16);
        let at = |cell: IVec2| survey.places.iter().find(|place| place.cell == cell).unwrap().seen;
        assert!(at(ivec2(8, 8)) < 20.0 * 20.0 + 1.0 && at(ivec2(40, 40)) > 2000.0);
        assert!(survey.caption().ends_with(" cells") && survey.is_of(&scene));
        assert!(colour(0.1).r < colour(0.9).r);
        let named = scene.preset().clone().with_names(vec![farsight_scene::preset::PlaceName::new((3, 3), "Hall")]);
        let mut other = scene;
        other.apply(named).unwrap();
        assert!(survey.is_of(&other), "a name changes no view");
    }
}
