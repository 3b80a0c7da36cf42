//! Films: a walk through a scene as an animation, with memory and creatures.
//!
//! ```text
//!  Scene ──┬─► Itinerary (the cells of a walk) ─► Film ─► .gif   one palette for all frames
//!          │   through given points, or wandering   ├───► .apng  exact colours
//!          └────────────────────────────────────────└───► pictures, one per frame
//! ```
//!
//! A [`Film`] does not hold its frames. It walks and paints again for each output, so a long film needs no more memory
//! than a short one. The same scene and walk give the same bytes on any number of threads.

mod apng;
mod camera;
mod caption;
mod caption_feed;
mod error;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod film;
mod gif;
mod itinerary;
mod next_goal;
mod oklab;
mod options;
mod palette;
mod pixel_rect;
mod shown_cells;
mod step_state;

pub use error::FilmError;
pub use film::Film;
pub use itinerary::Itinerary;
pub use options::{FilmCrop, FilmOptions};
pub use shown_cells::ShownCells;
