//! Shared mathematics: powers in plain arithmetic, smoothstep, random numbers.

mod power;
mod random;
mod smoothstep;

pub(crate) use power::{LOW_OPACITY, exp_low_opacity, ln_transparency};
pub use power::{exp2, exp2_approx, log2, log2_approx};
pub use random::{SplitMix64, unit_f64};
pub use smoothstep::{hermite, hermite_f32};
pub use smoothstep::{smoothstep, smoothstep_f32};
