//! Work that takes longer than a frame: on a thread, or on the page in a worker.
//!
//! [`run`](request::run) executes a [`Request`] and sends its [`Reply`](request::Reply)s. [`Work`] is running work;
//! dropping it cancels the work. [`Latest`] handles requests for scenes that are faster than the work.
//!
//! ```text
//!              thread                                  page
//!   Work ─── Request ──► run            Work ─── Request as bytes ──► worker: run
//!     ◄───── Reply ◄─────┘                ◄── Assembly ◄── Reply as bytes ◄──┘
//! ```
//!
//! The page and its workers send no scenes: a request contains the land of a scene, and the page creates a scene from
//! the land or loads the returned views, by one slice per frame.

mod codec;
#[cfg(any(test, target_arch = "wasm32"))]
mod crossing;
mod film;
mod latest;
#[cfg(target_arch = "wasm32")]
mod page_worker;
mod refresh;
mod request;
mod scene_parts;
mod survey;
mod work;
mod world_request;

#[cfg(test)]
pub(crate) use film::begin;
pub(crate) use film::{FilmOrder, FilmRequest, MadeFilm};
pub(crate) use latest::{Latest, LatestOutcome};
pub(crate) use refresh::refresh_if_quick;
pub(crate) use request::Request;
pub(crate) use scene_parts::{SceneCopy, SceneParts};
pub(crate) use survey::SurveyedPlace;
pub(crate) use work::Work;
pub(crate) use world_request::WorldRequest;
