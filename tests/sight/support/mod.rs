//! Helpers that several tests share.

pub mod classic;
pub mod sight;
pub mod terrain;
