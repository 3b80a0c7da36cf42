//! The view: camera, layer, divider, inspector and their drawing. It reads scenes and does not change them.

mod camera;
mod canvas;
mod creature_names;
mod divider;
mod goal_marks;
mod inspector;
mod map_view;
mod minimap;
mod panorama_strip;
mod placement_words;
mod section_plot;
mod survey;

pub(crate) use divider::DividerInput;
pub(crate) use goal_marks::{Gaze, GoalMarks};
pub(crate) use inspector::{InspectorAnswer, SceneRevision};
pub(crate) use map_view::MapView;
pub(crate) use panorama_strip::StripInput;
pub(crate) use placement_words::lamp_warning;
