//! Films of walks: how the view opens and closes as one goes, with memory and creatures.
//!
//! ```text
//!  Scene ──┬─► Itinerary (the cells of a walk) ─► Film ─► .gif   one palette for all frames, chosen first
//!          │   along given points, or wandering     ├───► .apng  every pixel as it was painted
//!          └────────────────────────────────────────└───► one picture after the other
//! ```
//!
//! A [`Film`] holds no frames: they are walked and painted again, frame after frame, whenever they are asked for, so
//! that a long film needs no more memory than a short one. The same scene and walk give the same bytes, on any number
//! of threads.

mod apng;
mod caption;
mod director;
mod error;
mod gif;
mod itinerary;
mod moment;
mod news;
mod options;
mod palette;
mod tracking;
mod wander;

pub use director::Film;
pub use error::FilmError;
pub use itinerary::Itinerary;
pub use options::{FilmFrame, FilmOptions};
