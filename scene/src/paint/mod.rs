//! A scene as pixels, painted on the CPU, for the explorer and for exports: as a map (`map`), or the values of a layer as exact
//! squares (`data_painter`).

pub(crate) mod colour;
mod data_painter;
mod field;
mod legend;
pub(crate) mod lettering;
mod letters;
pub(crate) mod map;
pub(crate) mod mark;
mod marks;
mod options;
mod painter;
mod picture;
pub(crate) mod ramp;
pub(crate) mod shape;
mod silhouette;
#[cfg(not(target_arch = "wasm32"))]
mod system_fonts;
pub(crate) mod text;

pub use colour::Colour;
pub(crate) use colour::{between, mix, scale};
pub use data_painter::local_range;
pub use field::{FieldPicture, paint_field};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use legend::round_length_m;
pub use legend::{LegendTheme, folded_legend, legend, legend_bars, with_legend};
pub use marks::MIN_SIDE_WITH_CREATURES;
pub use options::{Backdrop, PaintOptions, Unseen, Zoom};
pub use painter::{Painter, paint, paint_ground};
pub(crate) use painter::{ground_colour, painting_bytes};
pub use picture::Picture;
pub use ramp::ramp_colours;
pub(crate) use ramp::{ColourTable, biome_palette};
#[cfg(not(target_arch = "wasm32"))]
pub use ramp::{LayerColours, layer_colours};
#[cfg(not(target_arch = "wasm32"))]
pub use system_fonts::missing_letters;
