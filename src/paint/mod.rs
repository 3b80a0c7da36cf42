//! A scene as pixels, painted on the CPU, for the explorer and for exports. They differ only in their [`Shading`] and
//! [`Annotations`].

mod airlight;
pub(crate) mod colour;
mod creature_sprite;
mod field;
mod land;
mod layer_painter;
mod legend;
mod legend_entry;
pub(crate) mod map;
#[cfg_attr(not(test), expect(dead_code, reason = "the scene painter does not use it yet"))]
pub(crate) mod lettering;
#[cfg_attr(not(test), expect(dead_code, reason = "the scene painter does not use it yet"))]
mod letters;
#[cfg_attr(not(test), expect(dead_code, reason = "the scene painter does not use it yet"))]
pub(crate) mod mark;
mod options;
mod pattern;
mod picture;
pub(crate) mod ramp;
mod scene_painter;
#[cfg_attr(not(test), expect(dead_code, reason = "the scene painter does not use it yet"))]
pub(crate) mod shape;
mod silhouette;
mod sprite;
pub(crate) mod text;

pub(crate) use colour::{Colour, between, mix, scale};
#[cfg(feature = "explorer")]
pub(crate) use creature_sprite::sprite;
pub use field::{FieldPicture, paint_field};
pub(crate) use land::cell_colour;
pub use layer_painter::local_range;
#[cfg(feature = "explorer")]
pub(crate) use legend::folded_legend;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub(crate) use legend::legend_bars;
pub use legend::{legend, with_legend};
pub use options::{Annotations, Backdrop, Look, PaintOptions, Shading, Unseen, Zoom};
pub use picture::Picture;
pub(crate) use ramp::ColourTable;
pub use scene_painter::{paint, paint_ground};
#[cfg(feature = "explorer")]
pub(crate) use sprite::MIN_SPRITE_SIDE;
