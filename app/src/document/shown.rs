//! [`Shown`]: the shown part and layer of the map. Undo restores them with the terrain.

use farsight_scene::paint::Backdrop;
use glam::IVec2;

/// The shown part and layer of the map. The caller of a [`Document`](super::Document) owns and passes them; undo and
/// other worlds change them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// `None` without a scene; the camera of the first scene fits the visible cells.
    pub(crate) camera: Option<Camera>,
    /// Whether the camera follows the viewer.
    pub(crate) camera_follows: bool,
    /// The last followed cell of the viewer; `None` to centre the viewer next.
    pub(crate) followed: Option<IVec2>,
    /// Whether the user has zoomed. Worlds of other seeds then keep the zoom.
    pub(crate) has_chosen_zoom: bool,
    /// Set until the caller has dropped its caches of the previous world.
    pub(crate) has_entered: bool,
    pub(crate) backdrop: Backdrop,
}

/// The shown part of the map, for callers that draw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// The centre of the viewport, in cells.
    pub(crate) centre: [f32; 2],
    /// The index of the zoom level.
    pub(crate) level: usize,
    /// The sides of a cell divided by the shorter side: cells of rasters in degrees are higher than wide.
    pub(crate) ratios: [f32; 2],
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            camera: None,
            camera_follows: true,
            followed: None,
            has_chosen_zoom: false,
            has_entered: true,
            backdrop: Backdrop::Land,
        }
    }
}

impl Shown {
    /// Returns to the viewer, in another world. In a similar world it keeps the zoom of the user; else the camera fits
    /// the visible cells.
    pub(crate) fn enter_world(&mut self, is_alike: bool) {
        (self.camera_follows, self.followed, self.has_entered) = (true, None, true);
        self.has_chosen_zoom &= is_alike;
        if !self.has_chosen_zoom {
            self.camera = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_world_that_is_alike_keeps_the_zoom_that_was_chosen() {
        let camera = Camera { centre: [8.5, 8.5], level: 20, ratios: [1.0; 2] };
        let mut shown = Shown { camera: Some(camera), camera_follows: false, ..Shown::default() };
        shown.has_chosen_zoom = true;
        shown.enter_world(true);
        assert!(shown.camera.is_some() && shown.camera_follows);
        let mut other = shown;
        other.enter_world(false);
        assert!(other.camera.is_none() && !other.has_chosen_zoom, "fits what is seen there");
        shown.has_chosen_zoom = false;
        shown.enter_world(true);
        assert!(shown.camera.is_none());
    }
}
