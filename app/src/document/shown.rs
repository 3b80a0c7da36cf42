//! [`Shown`]: the part and the layer of the map that are shown. Undo restores them with the terrain.

use farsight_scene::paint::Backdrop;
use glam::IVec2;

/// The part and the layer of the map that are shown. The caller of a [`Document`](super::Document) keeps them and hands them
/// in; undo and other worlds change them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// `None` until there is a scene; the camera then fits what is seen.
    pub(crate) camera: Option<Camera>,
    /// `true` if the camera follows the viewer.
    pub(crate) camera_follows: bool,
    /// The cell of the viewer that the camera has followed to; `None` to centre the viewer next.
    pub(crate) followed: Option<IVec2>,
    /// `true` if the user has zoomed. Worlds of other seeds then keep the zoom.
    pub(crate) has_chosen_zoom: bool,
    /// `true` until the caller has let go what belongs to the world before.
    pub(crate) has_entered: bool,
    pub(crate) backdrop: Backdrop,
}

/// The shown part of the map. A caller that draws one computes with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    /// The centre of the viewport, in cells.
    pub(crate) centre: [f32; 2],
    /// The index of the zoom level.
    pub(crate) level: usize,
    /// The sides of a cell over the shorter one: cells of rasters in degrees are higher than wide.
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
    /// Returns to the viewer, in another world. In one that is alike the zoom is kept if the user chose it; else the camera fits
    /// what is seen.
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
