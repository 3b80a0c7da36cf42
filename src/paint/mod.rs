//! A scene as pixels, painted on the CPU, for the explorer and for exports. They differ only in their [`Shading`].

mod airlight;
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
pub use options::{Backdrop, PaintOptions, Shading, Unseen, Zoom};
pub use picture::Picture;
pub(crate) use ramp::ColourTable;
pub use scene_painter::{paint, paint_ground};
