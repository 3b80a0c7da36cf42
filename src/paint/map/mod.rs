//! The map look: land in daylight where one looks, an old map on paper where one does not.

pub(crate) mod clear_line;
pub(crate) mod compass_rose;
pub(crate) mod crisp_edge;
pub(crate) mod distance;
pub(crate) mod door_drawing;
pub(crate) mod frame;
pub(crate) mod ground_fields;
pub(crate) mod ink_plan;
pub(crate) mod land;
pub(crate) mod linear_light;
pub(crate) mod map_painter;
pub(crate) mod masonry;
pub(crate) mod noise;
pub(crate) mod relief;
pub(crate) mod resample;
pub(crate) mod rivers;
pub(crate) mod room_fields;
pub(crate) mod rooms;
pub(crate) mod sight;
pub(crate) mod sky;
pub(crate) mod soft_edge;
pub(crate) mod style;
pub(crate) mod tree_stamp;
pub(crate) mod trees;
pub(crate) mod viewport;
