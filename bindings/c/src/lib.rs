//! farsight for C. `include/farsight.h` is generated from these items, with their documentation.
//!
//! - [`border`] reads pointers, keeps the last error of each thread, and catches panics.
//! - [`handles`] has the objects behind the handles.
//! - [`sight`], [`terrain`] and [`scene`] are the functions.

#![expect(unsafe_code, reason = "C gives pointers")]

pub mod border;
pub mod handles;
pub mod scene;
pub mod sight;
pub mod terrain;
