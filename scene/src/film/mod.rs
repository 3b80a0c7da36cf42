//! Films: a walk through a scene as an animation, with memory and creatures.
//!
//! ```text
//!  Scene ──┬─► Itinerary (the cells of a walk) ─► Film ─► .gif   one palette for all frames
//!          │   through given points, or wandering   ├───► .apng  exact colours
//!          └────────────────────────────────────────└───► pictures, one per frame
//! ```
//!
//! A [`Recording`] records a screen instead.
//!
//! A [`Film`] does not store its frames. It walks and paints again for each output, so its memory does not depend on
//! its length. The same scene and walk give the same bytes on any number of threads.

mod camera;
mod caption;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod film;
mod itinerary;
mod options;
mod palette;
mod recording;
mod versus;
mod writers;

pub use film::{Film, ShownCells};
pub use itinerary::Itinerary;
pub use options::{FilmCrop, FilmError, FilmOptions};
pub use recording::Recording;
pub use versus::Versus;
