//! A scene as pixels, painted on the CPU. The explorer shows the same pixels that an export writes.

pub(crate) mod colour;
mod field;
mod land;
mod legend;
mod options;
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
pub use options::{Backdrop, PaintOptions, Unseen, Zoom};
pub use picture::Picture;
pub(crate) use ramp::ColourTable;
pub use scene_painter::{paint, paint_ground};
