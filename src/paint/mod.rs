//! A scene as pixels, painted on the CPU. The explorer shows and the exporter writes the same.

pub(crate) mod colour;
mod field;
mod land;
mod legend;
mod pattern;
mod picture;
pub(crate) mod ramp;
mod scene_painter;
mod sprite;
pub(crate) mod text;

pub(crate) use colour::{Colour, between, mix, scale};
pub use field::{FieldPicture, paint_field};
pub(crate) use land::cell_colour;
pub use legend::{legend, with_legend};
pub use picture::Picture;
pub(crate) use ramp::Table;
pub use scene_painter::{Backdrop, PaintOptions, Unseen, Zoom, paint, paint_ground};
