//! [`ViewState`]: the shown part of the map and its layer, which undo restores with the terrain.

use super::camera::Camera;
use crate::paint::Backdrop;

/// The shown part of the map and its layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewState {
    /// `None` until there is a scene; the camera then fits the radius.
    pub(crate) camera: Option<Camera>,
    /// `true` if the camera follows the viewer.
    pub(crate) camera_follows: bool,
    pub(crate) backdrop: Backdrop,
}

impl Default for ViewState {
    fn default() -> Self {
        Self { camera: None, camera_follows: true, backdrop: Backdrop::Land }
    }
}
