//! The geometry of a [`Camera`]. Lengths are in pixels of the map view, places in cells.

use macroquad::math::{Rect, Vec2, vec2};

use crate::document::Camera;
use farsight::grid::CellRect;
use farsight_scene::paint::Zoom;
use glam::{IVec2, ivec2};

/// The zoom levels in pixels per cell, in ascending order. Levels of 5 and more are integers, so that all cells have
/// the same size.
const SIDES: [f32; 34] = [
    0.0625, 0.088, 0.125, 0.177, 0.25, 0.354, 0.5, 0.7, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8, 3.4, 4.0, 5.0, 6.0, 7.0,
    8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 16.0, 18.0, 20.0, 24.0, 28.0, 32.0, 40.0, 48.0,
];

/// The maximum ratio of the extent of the visible cells to the viewport, if the map fills the viewport.
const MAX_CUT: f32 = 1.1;
/// The same ratio in a flat viewport, as on a phone in landscape orientation, in which the full height of the view
/// would leave most of the width empty.
const MAX_CUT_OF_FLAT: f32 = 1.4;

/// The maximum fraction of the viewport for the visible cells, which leaves a margin.
const FILLED: f32 = 0.95;

/// The fraction of the viewport, from its centre to its edge, in which the viewer walks without moving the map.
const FOLLOW_ZONE: f32 = 0.5;
/// The minimum distance between the followed viewer and the edge of the viewport, in pixels.
const EDGE: f32 = 16.0;
/// The maximum length of a step, in cells. A longer jump centres the viewer.
const MAX_STEP: i32 = 3;

impl Camera {
    /// Returns the camera that centres the visible cells with a margin of a cell, limited to the map.
    pub(crate) fn showing(seen: CellRect, size: IVec2, ratios: Vec2, viewport: Rect) -> Self {
        let wanted = FILLED * fitting_side(float(seen.size() + 2).min(float(size)) * ratios, viewport);
        let level_of = |wanted: f32| SIDES.iter().rposition(|&side| side <= wanted).unwrap_or(0);
        let fills = |level: usize| (float(size) * ratios * SIDES[level]).cmpge(viewport.size()).all();
        let cut = if viewport.w > 2.0 * viewport.h { MAX_CUT_OF_FLAT } else { MAX_CUT };
        let (level, nearer) = (level_of(wanted), level_of(wanted * cut));
        let level = if !fills(level) && fills(nearer) { nearer } else { level };
        let centre = float(seen.min + seen.max) / 2.0;
        let mut camera = Self { centre: centre.into(), level, ratios: ratios.into() };
        camera.fill(size, viewport);
        camera
    }

    /// Returns the shorter side of a cell, in pixels.
    pub(crate) fn side(&self) -> f32 {
        SIDES[self.level]
    }

    /// Returns the width and height of a cell, in pixels.
    pub(crate) fn sides(&self) -> Vec2 {
        self.ratios() * self.side()
    }

    /// Returns the sides of a cell divided by the shorter side.
    pub(crate) fn ratios(&self) -> Vec2 {
        self.ratios.into()
    }

    fn centre(&self) -> Vec2 {
        self.centre.into()
    }

    /// Sets the sides of a cell, divided by the shorter side.
    pub(crate) fn set_ratios(&mut self, ratios: Vec2) {
        self.ratios = ratios.into();
    }

    /// Returns the zoom for the painter, which is an integer.
    pub(crate) fn zoom(&self) -> Zoom {
        let side = self.side();
        if side >= 1.0 { Zoom::PixelsPerCell(side as u32) } else { Zoom::CellsPerPixel((1.0 / side).ceil() as u32) }
    }

    /// Returns the stretch of the picture at the [`zoom`](Self::zoom).
    pub(crate) fn stretch(&self) -> [f32; 2] {
        let zoom = self.zoom().pixels_per_cell() as f32;
        (self.sides() / zoom).to_array()
    }

    /// Centres a cell, limited so that the map fills the viewport; along an axis on which the whole map fits, centres
    /// the map.
    pub(crate) fn centre_on(&mut self, cell: IVec2, size: IVec2, viewport: Rect) {
        self.centre = middle_of(cell).into();
        self.fill(size, viewport);
    }

    /// Moves the centre so that the map fills the viewport; along an axis on which the whole map fits, centres the map.
    pub(crate) fn fill(&mut self, size: IVec2, viewport: Rect) {
        let whole = float(size);
        let half = (viewport.size() / 2.0 / self.sides()).min(whole / 2.0);
        self.centre = self.centre().clamp(half, whole - half).into();
    }

    /// Follows the viewer from one cell to another. The map does not move while the viewer is in the middle of the
    /// viewport; beyond it, the map moves with the viewer. The viewer is never outside the picture.
    pub(crate) fn follow(&mut self, from: IVec2, to: IVec2, size: IVec2, viewport: Rect) {
        let half = viewport.size() / 2.0 / self.sides();
        let (zone, picture) = (half * FOLLOW_ZONE, (half - Vec2::splat(EDGE) / self.sides()).max(Vec2::ZERO));
        let offset = middle_of(to) - self.centre();
        let before = (middle_of(from) - self.centre()).abs();
        let is_step = (to - from).abs().max_element() <= MAX_STEP;
        let limit = if is_step { zone.max(before).min(picture) } else { zone };
        self.centre = (self.centre() + offset - offset.clamp(-limit, limit)).into();
        self.fill(size, viewport);
    }

    /// Returns the place below a point, in cells.
    pub(crate) fn place_at(&self, point: Vec2, viewport: Rect) -> Vec2 {
        self.centre() + (point - viewport.center()) / self.sides()
    }

    /// Returns the cell below a point, which can be off the map.
    pub(crate) fn cell_at(&self, point: Vec2, viewport: Rect) -> IVec2 {
        let place = self.place_at(point, viewport).floor();
        ivec2(place.x as i32, place.y as i32)
    }

    /// Returns the upper left corner of a cell, on a whole pixel.
    pub(crate) fn corner_of(&self, cell: IVec2, viewport: Rect) -> Vec2 {
        let place = vec2(cell.x as f32, cell.y as f32);
        (viewport.center() + (place - self.centre()) * self.sides()).round()
    }

    /// Returns the centre of a cell.
    pub(crate) fn middle_of(&self, cell: IVec2, viewport: Rect) -> Vec2 {
        self.corner_of(cell, viewport) + self.sides() / 2.0
    }

    /// Moves the map with the pointer.
    pub(crate) fn drag(&mut self, by: Vec2) {
        self.centre = (self.centre() - by / self.sides()).into();
    }

    /// Zooms in (positive) or out around `point`. A whole map has at least half the size of the viewport.
    pub(crate) fn zoom_by(&mut self, steps: i32, point: Vec2, size: IVec2, viewport: Rect) {
        let place = self.place_at(point, viewport);
        let (last, least) = (SIDES.len() - 1, fitting_side(float(size) * self.ratios(), viewport) / 2.0);
        let first = SIDES.iter().position(|&side| side >= least).unwrap_or(last).min(self.level);
        self.level = (self.level as i32 + steps).clamp(first as i32, last as i32) as usize;
        self.centre = (place - (point - viewport.center()) / self.sides()).into();
    }

    /// Sets the nearest zoom level with at most some pixels for the shorter side of a cell.
    pub(crate) fn set_side(&mut self, pixels: f32) {
        self.level = SIDES.iter().rposition(|&side| side <= pixels).unwrap_or(0);
    }

    /// Keeps the centre of the viewport on the map.
    pub(crate) fn stay_on(&mut self, size: IVec2) {
        self.centre = self.centre().clamp(Vec2::ZERO, float(size)).into();
    }

    /// Returns the cells of the map that are at least partly in the viewport. If a pixel shows several cells, the first
    /// cell is a multiple of their number, so that the same cells are shown while the map moves.
    pub(crate) fn frame(&self, viewport: Rect, size: IVec2) -> CellRect {
        self.shown(viewport).intersect(CellRect::of_size(size))
    }

    /// Returns the cells in the viewport, on the map and beyond it.
    pub(crate) fn shown(&self, viewport: Rect) -> CellRect {
        let step = (1.0 / self.side()).ceil() as i32;
        let low = self.cell_at(vec2(viewport.x, viewport.y), viewport);
        let high = self.cell_at(vec2(viewport.right(), viewport.bottom()), viewport) + 1;
        let min = IVec2::new(low.x.div_euclid(step), low.y.div_euclid(step)) * step;
        CellRect { min, max: high.max(min) }
    }
}

/// Converts a vector of cells to the vector type of the window library.
pub(crate) fn float(cells: IVec2) -> Vec2 {
    vec2(cells.x as f32, cells.y as f32)
}

/// Returns the maximum pixels per cell at which `cells` fit into the viewport.
fn fitting_side(cells: Vec2, viewport: Rect) -> f32 {
    (viewport.size() / cells.max(Vec2::ONE)).min_element()
}

fn middle_of(cell: IVec2) -> Vec2 {
    vec2(cell.x as f32 + 0.5, cell.y as f32 + 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWPORT: Rect = Rect { x: 0.0, y: 0.0, w: 900.0, h: 700.0 };

    /// Returns the camera on square cells.
    fn showing(seen: CellRect, size: IVec2, viewport: Rect) -> Camera {
        Camera::showing(seen, size, Vec2::ONE, viewport)
    }

    fn around(cell: IVec2, reach: IVec2) -> CellRect {
        CellRect { min: cell - reach, max: cell + reach + 1 }
    }

    #[test]
    fn the_whole_radius_fits() {
        for radius in [0, 8, 64, 500] {
            let camera = showing(around(ivec2(1000, 1000), IVec2::splat(radius)), ivec2(2000, 2000), VIEWPORT);
            assert!(camera.side() * (2.0 * radius as f32 + 1.0) <= 0.95 * 700.0, "{radius}: with a margin");
        }
    }

    #[test]
    fn a_flat_view_fills_the_width() {
        let camera = showing(around(ivec2(1000, 1000), ivec2(40, 10)), ivec2(2000, 2000), VIEWPORT);
        assert_eq!(camera.side(), 10.0, "83 cells on 900 pixels");
    }

    #[test]
    fn a_view_that_nearly_fits_fills_the_viewport() {
        let showing = |reach| showing(around(ivec2(250, 250), IVec2::splat(reach)), ivec2(512, 512), VIEWPORT).side();
        assert_eq!(showing(180), 2.0, "363 of 350 cells");
        assert_eq!(showing(200), 1.4, "403 of 350 cells");
    }

    #[test]
    fn a_flat_viewport_is_full_even_if_the_view_is_cut() {
        let flat = Rect { w: 844.0, h: 280.0, ..VIEWPORT };
        for radius in [84, 90] {
            let camera = showing(around(ivec2(91, 100), IVec2::splat(radius)), ivec2(512, 512), flat);
            assert_eq!(camera.side(), 2.0, "{radius}");
        }
    }

    #[test]
    fn a_followed_viewer_at_the_edge_leaves_no_empty_margin() {
        let size = ivec2(512, 400);
        for viewer in [ivec2(0, 0), ivec2(511, 3), ivec2(200, 399), ivec2(511, 399)] {
            let camera = showing(around(viewer, IVec2::splat(20)), size, VIEWPORT);
            let (low, high) = (camera.corner_of(IVec2::ZERO, VIEWPORT), camera.corner_of(size, VIEWPORT));
            assert!(low.cmple(VIEWPORT.point()).all() && high.cmpge(vec2(900.0, 700.0)).all(), "{viewer}");
        }
    }

    #[test]
    fn what_is_seen_is_in_the_middle_even_if_the_viewer_is_not() {
        let seen = CellRect { min: ivec2(100, 200), max: ivec2(190, 260) };
        let camera = showing(seen, ivec2(512, 512), VIEWPORT);
        assert_eq!(camera.centre(), vec2(145.0, 230.0));
        assert_eq!(camera.side(), 9.0, "92 cells on 900 pixels, 62 on 700");
    }

    #[test]
    fn a_walk_moves_the_map_only_near_the_edge_and_without_a_jump() {
        let size = ivec2(512, 512);
        let start = showing(around(ivec2(250, 250), IVec2::splat(20)), size, VIEWPORT);
        let mut camera = start;
        let half = 450.0 / camera.side();
        let mut viewer = ivec2(250, 250);
        for step in 0..100 {
            let (before, next) = (camera.centre(), viewer + ivec2(1, 0));
            camera.follow(viewer, next, size, VIEWPORT);
            viewer = next;
            let moved = camera.centre() - before;
            assert!(moved.x == 0.0 || (moved.x - 1.0).abs() < 1e-3 || step < 20, "{step}: {moved}");
            let offset = viewer.x as f32 + 0.5 - camera.centre().x;
            assert!(offset <= half * 0.5 + 0.01, "{step}: {offset} of {half}");
        }
        assert!(camera.centre().x > start.centre().x && camera.centre().y == start.centre().y);
        let at_edge = camera;
        camera.follow(viewer, viewer - ivec2(1, 0), size, VIEWPORT);
        assert_eq!(camera, at_edge, "a step back does not move the map");
        // A viewer near the edge of the first picture does not make the map jump.
        let seen = CellRect { min: ivec2(200, 200), max: ivec2(290, 260) };
        let first = showing(seen, size, VIEWPORT);
        let mut camera = first;
        camera.follow(ivec2(202, 230), ivec2(203, 230), size, VIEWPORT);
        assert_eq!(camera, first, "towards the middle");
        camera.follow(ivec2(203, 230), ivec2(202, 230), size, VIEWPORT);
        assert_eq!(camera.centre() - first.centre(), vec2(-1.0, 0.0), "towards the edge");
        camera.follow(ivec2(202, 230), ivec2(20, 20), size, VIEWPORT);
        assert!(camera.frame(VIEWPORT, size).contains(ivec2(20, 20)), "a jump is followed");
    }

    #[test]
    fn a_small_map_fills_the_middle() {
        let size = ivec2(60, 30);
        let camera = showing(around(ivec2(3, 29), IVec2::splat(64)), size, VIEWPORT);
        assert_eq!(camera.side(), 14.0, "60 cells on 900 pixels");
        assert_eq!(camera.corner_of(IVec2::ZERO, VIEWPORT), vec2(30.0, 140.0));
        assert_eq!(camera.corner_of(size, VIEWPORT), vec2(870.0, 560.0));
        // A map wider and lower than the viewport.
        let camera = showing(around(ivec2(500, 3), IVec2::splat(20)), ivec2(1000, 20), VIEWPORT);
        assert_eq!(camera.centre(), vec2(500.5, 10.0));
    }

    #[test]
    fn a_map_does_not_shrink_to_a_dot() {
        for size in [ivec2(512, 512), ivec2(60, 30), ivec2(4000, 16)] {
            let mut camera = showing(around(ivec2(8, 8), IVec2::splat(64)), size, VIEWPORT);
            camera.zoom_by(-40, VIEWPORT.center(), size, VIEWPORT);
            let shown = float(size) * camera.side() / VIEWPORT.size();
            assert!((0.5..=1.0).contains(&shown.max_element()), "{size}: {shown}");
        }
    }

    #[test]
    fn zooming_keeps_the_place_below_the_pointer() {
        let size = ivec2(512, 512);
        let mut camera = showing(around(ivec2(100, 100), IVec2::splat(64)), size, VIEWPORT);
        let pointer = vec2(123.0, 456.0);
        let place = camera.place_at(pointer, VIEWPORT);
        for steps in [1, 3, -7, 20, -40] {
            camera.zoom_by(steps, pointer, size, VIEWPORT);
            assert!((camera.place_at(pointer, VIEWPORT) - place).length() < 1e-2);
        }
    }

    #[test]
    fn a_cell_and_its_corner_agree() {
        let camera = showing(around(ivec2(31, 17), IVec2::splat(20)), ivec2(512, 512), VIEWPORT);
        let corner = camera.corner_of(ivec2(33, 12), VIEWPORT);
        assert_eq!(camera.cell_at(corner + 1.0, VIEWPORT), ivec2(33, 12));
    }

    #[test]
    fn the_frame_never_leaves_the_map() {
        let mut camera = showing(around(ivec2(0, 0), IVec2::splat(64)), ivec2(50, 40), VIEWPORT);
        for steps in [-20, 5, 5, 20] {
            camera.zoom_by(steps, vec2(0.0, 0.0), ivec2(50, 40), VIEWPORT);
            camera.stay_on(ivec2(50, 40));
            let frame = camera.frame(VIEWPORT, ivec2(50, 40));
            assert!(frame.min.min_element() >= 0 && frame.max.cmple(ivec2(50, 40)).all(), "{frame:?}");
        }
    }

    #[test]
    fn cells_that_are_higher_than_wide_are_drawn_so() {
        let (ratios, size) = (vec2(1.0, 1.5), ivec2(400, 300));
        let mut camera = Camera::showing(around(ivec2(150, 140), ivec2(30, 20)), size, ratios, VIEWPORT);
        assert_eq!((camera.side(), camera.sides()), (10.0, vec2(10.0, 15.0)), "63 cells of 10 and 43 of 15 pixels");
        for cell in [ivec2(150, 140), ivec2(171, 122), ivec2(120, 160)] {
            let (corner, middle) = (camera.corner_of(cell, VIEWPORT), camera.middle_of(cell, VIEWPORT));
            assert_eq!(camera.cell_at(middle, VIEWPORT), cell);
            assert_eq!(camera.cell_at(corner + vec2(9.0, 14.0), VIEWPORT), cell);
            assert_eq!(camera.corner_of(cell + 1, VIEWPORT) - corner, vec2(10.0, 15.0));
        }
        let shown = camera.frame(VIEWPORT, size);
        assert!((shown.size() - ivec2(91, 48)).abs().max_element() <= 1, "{shown:?}");
        let (pointer, before) = (vec2(200.0, 90.0), camera.place_at(vec2(200.0, 90.0), VIEWPORT));
        camera.zoom_by(-3, pointer, size, VIEWPORT);
        assert!((camera.place_at(pointer, VIEWPORT) - before).length() < 1e-2);
        let place = camera.centre();
        camera.drag(vec2(-60.0, -60.0));
        assert!((camera.centre() - place - vec2(60.0, 60.0) / camera.sides()).length() < 1e-3);
        // The whole map fits, and is centred.
        let whole = Camera::showing(around(ivec2(3, 20), IVec2::splat(64)), ivec2(60, 24), ratios, VIEWPORT);
        assert_eq!((whole.sides(), whole.centre()), (vec2(14.0, 21.0), vec2(30.0, 12.0)));
    }

    #[test]
    fn the_picture_of_every_level_is_stretched_to_its_cells() {
        assert!(SIDES.is_sorted_by(|far, near| far < near && near / far <= 1.5), "no large jumps");
        assert!(SIDES.iter().all(|side| *side < 5.0 || side.fract() == 0.0), "squares of cells are alike");
        for ratios in [Vec2::ONE, vec2(1.0, 1.5)] {
            for level in 0..SIDES.len() {
                let camera = Camera { centre: [200.0, 150.0], level, ratios: ratios.into() };
                let pixels = Vec2::from_array(camera.stretch()) * camera.zoom().pixels_per_cell() as f32;
                assert!((pixels - camera.sides()).abs().max_element() < 1e-4 * camera.side(), "{level}: {pixels}");
                assert!(camera.stretch().iter().all(|factor| (1.0..3.0).contains(factor)), "{:?}", camera.stretch());
                let step = (1.0 / camera.side()).ceil() as i32;
                assert_eq!(camera.shown(VIEWPORT).min % step, IVec2::ZERO, "the same cells while the map moves");
            }
        }
    }
}
