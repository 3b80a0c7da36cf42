//! The exact method: traced lines to many points of every cell. The reference for the others.

mod ray_bundle;
mod trace;

pub(super) use ray_bundle::RayBundle;
pub(super) use trace::trace;
