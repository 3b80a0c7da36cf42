//! Mathematics that several rooms share: powers in plain arithmetic, smoothstep, random numbers, a sort.

mod power;
mod random;
#[cfg(feature = "scene")]
mod shortest_decimal;
mod smoothstep;
#[cfg(feature = "scene")]
mod sorting;

pub(crate) use power::{LOW_OPACITY, exp_low_opacity, exp2, exp2_approx, ln_transparency, log2, log2_approx};
pub(crate) use random::{SplitMix64, unit_f64};
#[cfg(feature = "scene")]
pub(crate) use shortest_decimal::shortest_decimal;
pub(crate) use smoothstep::{hermite, hermite_f32};
#[cfg(feature = "scene")]
pub(crate) use smoothstep::{smoothstep, smoothstep_f32};
#[cfg(feature = "scene")]
pub(crate) use sorting::{descending_order, order_by, sort_by, sort_descending};
