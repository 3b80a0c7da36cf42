//! [`MapPainter`]: a scene in the map look.

use std::sync::Arc;

use glam::Vec2;

use super::clear_line::draw_clear_line;
use super::ground_fields::CellGroups;
use super::land::Land;
use super::resample::Field;
use super::room_fields::RoomFields;
use super::sight::{Setting, Sight, SightFields};
use super::sky::Sky;
use super::viewport::Viewport;
use crate::paint::options::{PaintOptions, Unseen};
use crate::paint::picture::Picture;
use crate::perception::Recognition;
use crate::scene::{Scene, Terrain};
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
    source: LandSource,
    viewport: Viewport,
    stride: i32,
    is_night: bool,
    unseen: Unseen,
}

/// What is painted.
enum LandSource {
    World(Arc<World>),
    Rooms(RoomFields),
}

impl PartialEq for LandSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::World(old), Self::World(new)) => Arc::ptr_eq(old, new),
            (Self::Rooms(old), Self::Rooms(new)) => old == new,
            _ => false,
        }
    }
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
        if viewport.width() == 0 || viewport.height() == 0 {
            return picture;
        }
        let (key, land) = self.land(scene.terrain(), groups, &viewport, (&sky, options.unseen));
        let (setting, fog) = match &key.source {
            LandSource::World(_) => (Setting::Country, fogginess(scene)),
            LandSource::Rooms(rooms) => (Setting::Rooms(rooms), 0.0),
        };
        let fields = SightFields::new(scene, groups, &viewport, setting);
        Sight::new(&viewport, (land, &key.viewport), &fields, (sky, fog)).paint(picture.bytes_mut());
        let has_clear_line = scene.preset().paint.contours && viewport.side() >= LEAST_SIDE_WITH_LINE;
        if has_clear_line && scene.world().is_some() {
            let clear = Field::from_fn(viewport.cells(8), |group| {
                scene.sense(groups.middle(group)) == Recognition::Identified && groups.rect().contains(group)
            });
            draw_clear_line(&mut picture, &viewport, &clear, sky.night);
        }
        picture
    }

    /// Returns the painted land of a picture: that of the picture before if it has all of its pixels.
    fn land(
        &mut self,
        terrain: &Terrain,
        groups: CellGroups,
        viewport: &Viewport,
        (sky, unseen): (&Sky, Unseen),
    ) -> (&LandKey, &Land) {
        let is_night = sky.night > 0.5;
        let source = |viewport: &Viewport| match terrain {
            Terrain::World(optics) => LandSource::World(Arc::clone(optics.world())),
            Terrain::Map(map) => LandSource::Rooms(RoomFields::new(map, groups, viewport)),
        };
        let kept = self.land.take().filter(|(key, _)| {
            (key.stride, key.is_night, key.unseen) == (groups.stride, is_night, unseen)
                && key.viewport.contains(viewport)
                && key.source == source(&key.viewport)
        });
        let (key, land) = self.land.insert(kept.unwrap_or_else(|| {
            let source = source(viewport);
            let land = match &source {
                LandSource::World(world) => Land::paint(world, groups, viewport, sky.sheet(), unseen),
                LandSource::Rooms(rooms) => Land::of_rooms(rooms, viewport, sky.sheet(), unseen),
            };
            (LandKey { source, viewport: *viewport, stride: groups.stride, is_night, unseen }, land)
        }));
        (key, land)
    }
}

/// Returns the share of fog in the air: 1 where one sees about a kilometre, 0 from 3 km on.
fn fogginess(scene: &Scene) -> f32 {
    crate::math::smoothstep_f32(3000.0, 1200.0, scene.visual_range_m())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::CellRect;
    use crate::job::Job;
    use crate::paint::options::{Look, Zoom};
    use crate::preset::Preset;
    use crate::sight::OpacityMap;
    use glam::{IVec2, ivec2};

    fn scene(text: &str, light: f64) -> Scene {
        let mut preset = Preset::bare_kernel();
        (preset.optics.light, preset.optics.lantern) = (light, 3.0);
        Scene::on_map(preset, OpacityMap::from_text(text).unwrap(), None, Job::quiet()).unwrap()
    }

    fn options(frame: CellRect, zoom: Zoom) -> PaintOptions {
        PaintOptions::new(frame, zoom).with_look(Look::Map)
    }

    #[test]
    fn maps_are_painted_at_any_zoom_and_place() {
        for text in [".", "..\n#+", "#####\n#.'.#\n##1##\n.....", "....\n.5__\n.__#"] {
            for light in [1.0, 0.05] {
                let scene = scene(text, light);
                let near = CellRect { min: ivec2(-2, -1), max: scene.size() + 2 };
                let away = CellRect { min: ivec2(30, 40), max: ivec2(34, 44) };
                for frame in [near, away, CellRect::of_size(IVec2::ZERO)] {
                    for zoom in [1, 2, 5, 16, 48].map(Zoom::PixelsPerCell).into_iter().chain([Zoom::CellsPerPixel(3)]) {
                        for unseen in [Unseen::Remembered, Unseen::Mapped] {
                            let options = options(frame, zoom).with_unseen(unseen).with_stretch([1.0, 1.5]);
                            let picture = MapPainter::default().paint_ground(&scene, &options);
                            assert!(picture.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255));
                        }
                    }
                }
            }
        }
    }

    /// Returns the mean of all channels of a cell.
    fn mean(picture: &Picture, side: usize, cell: IVec2) -> f64 {
        let rows = (cell.y as usize * side..).take(side);
        let pixels = rows.flat_map(|y| (cell.x as usize * side..).take(side).map(move |x| (x, y)));
        let sum: f64 = pixels
            .map(|(x, y)| {
                let at = 4 * (y * picture.width() + x);
                picture.rgba()[at..at + 3].iter().map(|&channel| f64::from(channel)).sum::<f64>()
            })
            .sum();
        sum / (3 * side * side) as f64
    }

    #[test]
    fn dim_floors_are_dark_and_no_floor_is_black() {
        let scene = scene("#############\n#...........#\n#############", 0.08);
        let frame = CellRect::of_size(scene.size());
        let picture = MapPainter::default().paint_ground(&scene, &options(frame, Zoom::PixelsPerCell(16)));
        let viewer = scene.viewer();
        let [near, far] = [1, 5].map(|step| mean(&picture, 16, viewer + IVec2::X * step));
        assert!(near > far + 30.0 && far > 20.0, "{near}, {far}");
    }

    #[test]
    fn a_kept_painter_paints_what_a_new_one_does() {
        let mut scene = scene("#########\n#...+...#\n#...#...#\n#########", 1.0);
        let mut kept = MapPainter::default();
        let whole = options(CellRect::of_size(scene.size()), Zoom::PixelsPerCell(12));
        let part = options(CellRect { min: ivec2(2, 1), max: ivec2(8, 4) }, Zoom::PixelsPerCell(12));
        for options in [whole, part, whole.with_unseen(Unseen::Mapped), whole] {
            let new = MapPainter::default().paint_ground(&scene, &options);
            assert!(kept.paint_ground(&scene, &options).rgba() == new.rgba());
        }
        let before = kept.paint_ground(&scene, &whole);
        let mut preset = scene.preset().clone();
        preset.cells.push(crate::preset::ChangedCell { at: ivec2(4, 1), opacity: 0.0 });
        scene.apply(preset).unwrap();
        let new = MapPainter::default().paint_ground(&scene, &whole);
        assert!(kept.paint_ground(&scene, &whole).rgba() == new.rgba() && new.rgba() != before.rgba());
    }
}
