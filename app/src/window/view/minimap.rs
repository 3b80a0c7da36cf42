//! [`Minimap`]: the whole map in a corner, with the shown part.

use macroquad::color::Color;
use macroquad::math::{Rect, Vec2};
use macroquad::shapes::{draw_circle, draw_rectangle_lines, draw_triangle};

use super::camera::float;
use super::canvas::{TextureSlot, world_key};
use crate::document::Camera;
use farsight::grid::CellRect;
use farsight_scene::paint::{PaintOptions, Painter, Unseen, Zoom};
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The longer side in pixels of the map view.
const SIDE: i32 = 132;

/// The distance from the corner of the map, in pixels of the map view.
const MARGIN: f32 = 8.0;

/// The radius of the viewer's mark, in pixels of the map view.
const VIEWER_RADIUS: f32 = 16.0;

/// The minimum viewport; in a smaller viewport the minimap would hide too much.
const MIN_VIEWPORT: Vec2 = Vec2::new(440.0, 340.0);

const FRAME: Color = Color::new(0.784, 0.149, 0.173, 1.0);
const MARK: Color = Color::new(1.0, 0.82, 0.2, 1.0);
const EDGE: Color = Color::new(0.251, 0.188, 0.141, 1.0);
const RIM: Color = Color::new(1.0, 0.98, 0.925, 1.0);

/// The whole map in the upper right corner. It is repainted only after a change of the scene.
#[derive(Default)]
pub(crate) struct Minimap {
    texture: TextureSlot,
    painted: Option<(u64, Unseen)>,
    /// The painted world, as [`world_key`].
    world: Option<usize>,
    painter: Painter,
    /// Whether it waits for a later frame.
    pub(crate) is_waiting: bool,
}

/// Returns the rectangle of the minimap, in pixels of the map view: in the upper right, or in the lower right if it
/// would cover the viewer. `None` if the viewport is too small, or shows nearly the whole map.
pub(crate) fn place(camera: &Camera, viewport: Rect, size: IVec2, viewer: IVec2) -> Option<Rect> {
    if viewport.w < MIN_VIEWPORT.x || viewport.h < MIN_VIEWPORT.y {
        return None;
    }
    let shown = camera.frame(viewport, size).size();
    let share = (shown.x as f32 * shown.y as f32) / (size.x as f32 * size.y as f32).max(1.0);
    if share > 0.85 {
        return None;
    }
    let picture = float(options(camera, size).picture_size());
    let upper = Rect::new(viewport.right() - MARGIN - picture.x, viewport.y + MARGIN, picture.x, picture.y);
    let clear_of = camera.middle_of(viewer, viewport) + Vec2::new(VIEWER_RADIUS, -VIEWER_RADIUS);
    let covers =
        viewport.contains(camera.middle_of(viewer, viewport)) && clear_of.x > upper.x && clear_of.y < upper.bottom();
    Some(if covers { Rect { y: viewport.bottom() - MARGIN - picture.y, ..upper } } else { upper })
}

/// Returns the cell below a point of the minimap, in pixels of the map view.
pub(crate) fn cell_at(place: Rect, size: IVec2, point: Vec2) -> IVec2 {
    let share = ((point - place.point()) / place.size()).clamp(Vec2::ZERO, Vec2::ONE);
    let place = share * float(size);
    IVec2::new(place.x as i32, place.y as i32).min(size - 1).max(IVec2::ZERO)
}

/// Returns the options to paint the whole map, with the aspect ratio of the camera's cells.
fn options(camera: &Camera, size: IVec2) -> PaintOptions {
    let ratios = camera.ratios();
    let side = ((float(size) * ratios).max_element().ceil() as i32).max(1);
    let zoom = if side >= SIDE {
        Zoom::CellsPerPixel((side as u32).div_ceil(SIDE as u32))
    } else {
        Zoom::PixelsPerCell((SIDE / side) as u32)
    };
    PaintOptions::new(CellRect::of_size(size), zoom).with_stretch([ratios.x, ratios.y])
}

impl Minimap {
    /// Draws the minimap. `look` is the revision of the scene and its style. After a change it repaints about the given
    /// number of pixels of its land per frame, none in the frame that paints the map, so that no frame is late.
    pub(crate) fn draw(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        (viewport, map_pixels): (Rect, f32),
        look: (u64, Unseen),
        pixels: usize,
    ) {
        self.is_waiting = false;
        let Some(place) = place(camera, viewport, scene.size(), scene.viewer()) else { return };
        if self.painted != Some(look) && pixels > 0 {
            let options = options(camera, scene.size()).with_unseen(look.1);
            if self.painter.prepare(scene, &options, pixels) && self.painter.refine(scene, &options, pixels) {
                self.texture.set(Some(&self.painter.paint_ground(scene, &options)));
                (self.painted, self.world) = (Some(look), Some(world_key(scene)));
            }
        }
        self.is_waiting = self.painted != Some(look);
        if self.world != Some(world_key(scene)) {
            return; // not the last world
        }
        let outline = |Rect { x, y, w, h }: Rect, width: f32, colour: Color| {
            let [x, y, w, h] = [x, y, w, h].map(|length| length / map_pixels);
            draw_rectangle_lines(x - width / 2.0, y - width / 2.0, w + width, h + width, width, colour);
        };
        outline(place, 3.0, EDGE);
        outline(place, 1.0, RIM);
        self.texture.draw(None, place.point(), map_pixels, (Vec2::ONE, 1.0));
        let on_minimap = |cell: IVec2| place.point() + float(cell) / float(scene.size()) * place.size();
        let shown = camera.frame(viewport, scene.size());
        let (low, high) = (on_minimap(shown.min), on_minimap(shown.max));
        let frame = Rect::new(low.x, low.y, high.x - low.x, high.y - low.y);
        outline(frame, 3.0, RIM);
        outline(frame, 1.5, FRAME);
        let viewer = on_minimap(scene.viewer());
        for (radius, colour) in [(3.6, RIM), (2.6, FRAME)] {
            draw_circle(viewer.x / map_pixels, viewer.y / map_pixels, radius / map_pixels, colour);
        }
    }

    /// Draws the marks of a goal on the minimap at a place, whole even at its edge.
    pub(crate) fn draw_marks(
        &self,
        scene: &Scene,
        place: Option<Rect>,
        map_pixels: f32,
        cells: impl Iterator<Item = IVec2>,
    ) {
        const RADIUS: f32 = 4.0;
        let Some(place) = place.filter(|_| self.world == Some(world_key(scene))) else { return };
        for cell in cells {
            let at = place.point() + (float(cell) + 0.5) / float(scene.size()) * place.size();
            let at = at.clamp(place.point() + RADIUS, place.point() + place.size() - RADIUS) / map_pixels;
            for (radius, colour) in [(RADIUS, EDGE), (RADIUS - 1.0, MARK)] {
                let radius = radius / map_pixels;
                let [up, side] = [Vec2::new(0.0, radius), Vec2::new(radius, 0.0)];
                draw_triangle(at - up, at + side, at - side, colour);
                draw_triangle(at + up, at + side, at - side, colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    const VIEWPORT: Rect = Rect { x: 0.0, y: 0.0, w: 900.0, h: 700.0 };

    #[test]
    fn a_click_on_the_minimap_is_a_cell_of_the_map() {
        let size = ivec2(512, 256);
        let camera = Camera::showing(CellRect::around(ivec2(100, 100), 20), size, Vec2::ONE, VIEWPORT);
        let place = place(&camera, VIEWPORT, size, ivec2(100, 100)).unwrap();
        assert!(place.w <= SIDE as f32 && place.right() == 892.0 && place.y == 8.0, "{place:?}");
        assert_eq!(cell_at(place, size, place.point()), ivec2(0, 0));
        assert_eq!(cell_at(place, size, place.center()), ivec2(256, 128));
        assert_eq!(cell_at(place, size, place.point() + place.size() * 2.0), ivec2(511, 255));
    }

    #[test]
    fn there_is_none_over_a_whole_map_and_in_a_small_window() {
        let camera = |size| Camera::showing(CellRect::around(ivec2(8, 8), 20), size, Vec2::ONE, VIEWPORT);
        assert!(place(&camera(ivec2(30, 25)), VIEWPORT, ivec2(30, 25), ivec2(8, 8)).is_none());
        let small = Rect { w: 300.0, ..VIEWPORT };
        assert!(place(&camera(ivec2(512, 512)), small, ivec2(512, 512), ivec2(8, 8)).is_none());
    }

    #[test]
    fn it_never_covers_the_viewer() {
        let size = ivec2(512, 512);
        let camera = Camera::showing(CellRect::around(ivec2(256, 256), 40), size, Vec2::ONE, VIEWPORT);
        for viewer in camera.frame(VIEWPORT, size).cells() {
            let (place, at) = (place(&camera, VIEWPORT, size, viewer).unwrap(), camera.middle_of(viewer, VIEWPORT));
            assert!(!place.contains(at), "{viewer}");
            assert_eq!(place.y > 8.0, at.x > 748.0 && at.y < 152.0 && VIEWPORT.contains(at), "{viewer}");
        }
    }

    #[test]
    fn it_has_the_proportions_of_the_ground() {
        let size = ivec2(500, 500);
        let camera = Camera::showing(CellRect::around(ivec2(100, 100), 20), size, Vec2::new(1.0, 1.5), VIEWPORT);
        let place = place(&camera, VIEWPORT, size, ivec2(100, 100)).unwrap();
        assert!(place.h <= SIDE as f32 + 1.0 && (place.h / place.w - 1.5).abs() < 0.02, "{place:?}");
        assert_eq!(cell_at(place, size, place.center()), ivec2(250, 250));
    }
}
