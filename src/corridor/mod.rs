//! The cells between a viewer and one target, and their effect on the target's visibility.

// `corridor` has the type that users see. `ancestors` follows the two-parent method backwards from the target, and `ray_bundle` has the
// straight lines of the exact method.

mod ancestors;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod corridor;
mod ray_bundle;

pub use corridor::Corridor;
