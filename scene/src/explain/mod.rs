//! Explanations of views: the causes that make a cell dim or dark, and the loss of visibility by each.
//!
//! ```text
//!  Scene + target ──► corridor: cells between, opacities by cause ──┬──► gain of each cell      (exact, one walk back)
//!                                                                   ├──► share of each cause    (Shapley, adds up)
//!                                                                   └──► regions: a wood, a ridge (recomputed without)
//! ```
//!
//! - The **gain** of a cell is the exact increase of the perceived visibility of the target if only that cell were
//!   clear. Gains of several cells do not add up, since each cell dims the remaining light of the others.
//! - The **share** of a cause is its Shapley value: the mean loss when it is added, over all orders of the causes.
//!   Shares add up to the whole loss, 1 − perceived visibility.
//! - A **region** is a connected set of cells with the same cause. Its gain is the exact increase of the perceived
//!   visibility if the cause were removed from all of them.
//!
//! With [`Relief::LineOfSight`](crate::optics::Relief::LineOfSight), hills and the woods on them are not opacities of
//! cells. Their shares come from recomputing the view with flat hills or without trees, on the rectangle between viewer
//! and target. The region of a ridge is the cell of the horizon on the straight line. Gains of wooded cells are
//! computed only for the densest cells next to that line.
//!
//! The two-parent method is explained by its own paths. All others are explained along the straight lines of the exact
//! method. Their views may differ; [`Explanation`] has both values.

mod causes;
mod explanation;
mod hills;
mod scene_corridor;
mod section;

pub use explanation::{Cause, CellLoss, ExplainError, Explanation, ExplanationPaths, Loss, Region};
pub use section::{Section, SectionHeights, SectionPoint};
