//! [`MapPainter`]: a scene in the map look.

use std::sync::Arc;

use glam::Vec2;

use super::clear_line::draw_clear_line;
use super::ground_fields::CellGroups;
use super::land::Land;
use super::resample::Field;
use super::sight::{Setting, Sight, SightFields};
use super::sky::Sky;
use super::viewport::Viewport;
use crate::paint::options::PaintOptions;
use crate::paint::picture::Picture;
use crate::perception::Recognition;
use crate::scene::Scene;
use crate::world::World;

/// Paints scenes in the map look. It keeps the land, so that a step only blends what it changes.
#[derive(Default)]
pub(crate) struct MapPainter {
    land: Option<(LandKey, Land)>,
}

/// Smaller cells have no line around what is clear, in pixels.
const LEAST_SIDE_WITH_LINE: f32 = 3.0;

/// What painted land depends on.
struct LandKey {
    world: Arc<World>,
    viewport: Viewport,
    is_night: bool,
}

impl MapPainter {
    /// Paints a scene without marks and names.
    pub(crate) fn paint_ground(&mut self, scene: &Scene, options: &PaintOptions) -> Picture {
        let stride = options.zoom.stride();
        let groups = CellGroups { stride, size: scene.size() };
        let scale = Vec2::splat(options.zoom.side() as f32) * options.factors();
        let origin = (options.frame.min.as_vec2() / stride as f32 * scale).round().as_ivec2();
        let viewport = Viewport { origin, scale, size: options.picture_size() };
        let sky = Sky::of(scene);
        let mut picture = Picture::new(viewport.width(), viewport.height(), [0.0; 3]);
        if let Some(world) = scene.world() {
            let land = self.land(world, groups, &viewport, &sky);
            let fields = SightFields::new(scene, groups, &viewport, Setting::Country);
            let sight = Sight::new(&viewport, land, &fields, (sky, fogginess(scene)));
            sight.paint(picture.bytes_mut());
            if scene.preset().paint.contours && viewport.side() >= LEAST_SIDE_WITH_LINE {
                let clear = Field::from_fn(viewport.cells(8), |group| {
                    scene.sense(groups.middle(group)) == Recognition::Identified && groups.rect().contains(group)
                });
                draw_clear_line(&mut picture, &viewport, &clear, sky.night);
            }
        }
        picture
    }

    fn land(&mut self, world: &Arc<World>, groups: CellGroups, viewport: &Viewport, sky: &Sky) -> (&Land, &Viewport) {
        let is_night = sky.night > 0.5;
        let kept = self.land.take().filter(|(key, _)| {
            Arc::ptr_eq(&key.world, world) && key.viewport.contains(viewport) && key.is_night == is_night
        });
        let (key, land) = self.land.insert(kept.unwrap_or_else(|| {
            let land = Land::paint(world, groups, viewport, sky.sheet());
            (LandKey { world: Arc::clone(world), viewport: *viewport, is_night }, land)
        }));
        (land, &key.viewport)
    }
}

/// Returns the share of fog in the air: 1 where one sees about a kilometre, 0 from 3 km on.
fn fogginess(scene: &Scene) -> f32 {
    crate::math::smoothstep_f32(3000.0, 1200.0, scene.visual_range_m())
}
