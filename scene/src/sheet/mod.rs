//! Maps on paper: a [`MapSheet`] has a map at a scale with its title, legend, scale bar, north arrow and sources. It is laid out once,
//! as a list of elements in millimetres (`drawing`), which are written as a picture, as SVG or as PDF. A [`ProfileSheet`] has the profile of a line.

mod base;
mod drawing;
mod frame;
mod framed_sheet;
mod key;
mod layout;
mod map_sheet;
mod panel;
mod paper;
mod pdf;
mod png;
mod profile_sheet;
mod rings;
mod svg;
mod symbols;

pub use base::Base;
pub use framed_sheet::FramedSheet;
pub use key::{Zone, ZoneColours};
pub use map_sheet::{MapSheet, SheetError, SheetNorth, SheetPoint};
pub use paper::{Orientation, Paper, PaperFormat};
pub use profile_sheet::ProfileSheet;
pub use symbols::PointSymbol;
