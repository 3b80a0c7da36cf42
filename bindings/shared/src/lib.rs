//! The shared parts of the packages of farsight for other languages: rows of numbers in, rows of numbers out, one type of error.
//!
//! - [`Values`] are the cells of a map owned by another language; [`InvalidOpacity`] reads opacities from them in place.
//! - [`sight`], [`terrain`] and [`scene`] are the calls, each with a job that can cancel it.
//! - [`Failure`] has the message of the library, and the [`Reason`] that selects exceptions and error codes.

#![forbid(unsafe_code)]

mod failure;
pub mod scene;
pub mod sight;
pub mod terrain;
mod values;

pub use failure::{Failure, Reason};
pub use values::{InvalidOpacity, Values, write_view};
