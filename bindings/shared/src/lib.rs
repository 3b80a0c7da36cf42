//! The parts that the packages of farsight for other languages share: rows of numbers in, rows of numbers out, one kind of error.
//!
//! - [`Values`] are the cells of a map that another language owns; [`InvalidOpacity`] reads opacities from them in place.
//! - [`sight`], [`terrain`] and [`scene`] are the calls, each with the job that ends it.
//! - [`Failure`] has the message of the library, and the [`Reason`] that exceptions and error codes are chosen by.

#![forbid(unsafe_code)]

mod failure;
pub mod scene;
pub mod sight;
pub mod terrain;
mod values;

pub use failure::{Failure, Reason};
pub use values::{InvalidOpacity, Values, write_view};
