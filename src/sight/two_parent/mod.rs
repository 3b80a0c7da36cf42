//! The two-parent method: every cell takes its light from up to two cells one step nearer to the viewer.
//!
//! [`definition`] walks the list of offsets and is the definition; [`sweep`] and [`avx512`] give the same bits sooner.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the module documentation of `avx512` gives the argument")]
pub(super) mod avx512;
pub(super) mod cone;
mod definition;
mod kernel;
mod sweep;

pub use kernel::Kernel;
pub(super) use kernel::TwoParent;
