//! Shared helpers of tests.

pub mod classic;
pub mod sight;
pub mod terrain;
