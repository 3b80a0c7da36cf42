//! Maps on paper: a [`MapSheet`] has a map at a scale with its title, legend, scale bar, north arrow and sources. It is laid out once,
//! as a list of elements in millimetres (`drawing`), which are written as a picture, as SVG or as PDF.

mod base;
mod drawing;
mod key;
mod layout;
mod map_sheet;
mod panel;
mod paper;
mod pdf;
mod png;
mod rings;
mod svg;

pub use base::Base;
pub use key::{Zone, ZoneColours};
pub use map_sheet::{FramedSheet, MapSheet, PointSymbol, SheetError, SheetNorth, SheetPoint};
pub use paper::{Orientation, Paper, PaperFormat};
