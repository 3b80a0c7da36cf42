//! Views: the visibility around a viewer from a field of view or a viewshed, owned copies, and the error of one view
//! against another. Users find these types in [`sight`](crate::sight).

mod owned_view;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod view;
mod visible_cells;
mod wall_fronts;

pub use owned_view::{OwnedView, ViewChanges, Visibilities};
pub use view::{Accuracy, View};
pub(crate) use visible_cells::LitRows;
pub(crate) use wall_fronts::{Fronts, open_fronts, step_toward};
