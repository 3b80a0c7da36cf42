//! Three classic fields of view of roguelikes, each as in its source: yes or no for every cell, with walls only.
//!
//! | [`ClassicMethod`] | algorithm |
//! |---|---|
//! | `Shadowcast` | recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants |
//! | `RaycastBorder` | a Bresenham line to every cell of the border, then a repair of walls behind seen floor |
//! | `RaycastCircle` | a fixed number of Bresenham lines to a far circle |
//!
//! Their known faults are kept. None is symmetric: that a sees b does not mean that b sees a. `RaycastCircle` leaves gaps
//! between its lines, more of them farther away. Lines along a wall miss parts of it; `RaycastBorder` repairs that except
//! in corners of rooms. The module docs of each method in the source tell more.
//!
//! A cell is a wall from the opacity [`ClassicConfig::wall_at`] on; below it the cell is clear. In all three methods the
//! viewer's own cell never blocks, the first wall is seen, and nothing beyond dx² + dy² = radius² is.
//!
//! ```
//! use farsight::classic::{self, ClassicConfig};
//! use farsight::OpacityMap;
//! use farsight::glam::ivec2;
//! let map = OpacityMap::from_text("...#.")?;
//! let view = classic::visible(&map, ivec2(0, 0), &ClassicConfig::default())?;
//! assert!(view.get(ivec2(3, 0))); // the wall itself is seen
//! assert!(!view.get(ivec2(4, 0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod line;
mod raycast;
mod shadowcast;
mod view;
mod visible;

pub use config::{ClassicChoice, ClassicConfig, ClassicMethod};
pub use line::{BresenhamLine, Line, TieBreak};
pub use view::ClassicView;
pub use visible::{visible, visible_within};
