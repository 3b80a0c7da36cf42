//! Work that takes longer than a frame: on a thread, or on the page in a worker.
//!
//! A [`Request`] says what is wanted, [`run`](request::run) does it, and a [`Reply`](request::Reply) is what comes of it. [`Work`] is the
//! work under way; dropping it cancels the work. [`Latest`] follows requests for scenes that come faster than they are done.
//!
//! ```text
//!              thread                                  page
//!   Work ─── Request ──► run            Work ─── Request as bytes ──► worker: run
//!     ◄───── Reply ◄─────┘                ◄── Assembly ◄── Reply as bytes ◄──┘
//! ```
//!
//! No scene crosses between the page and a worker: a request has the land that a scene is made of, and the page makes a scene of the land
//! or loads the views that come back, a slice a frame.

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
