//! The sweep in vectors of up to eight numbers, for any processor and any weights.

mod block;
#[expect(unsafe_code, reason = "cells around a viewer; its module documentation gives the argument")]
mod neighbourhood;
mod octant_tiling;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod sweep;
mod transpose;

pub(super) use sweep::{Eight, Ground};
