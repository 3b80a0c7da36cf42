//! The view: camera, layer, divider, inspector and their drawing. It reads scenes and changes none.

mod camera;
mod canvas;
mod creature_names;
mod divider;
mod inspector;
mod map_view;
mod minimap;
mod section_plot;

pub(super) use camera::ViewState;
pub(super) use divider::DividerInput;
pub(super) use inspector::SceneRevision;
pub(super) use map_view::MapView;
