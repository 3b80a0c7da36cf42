//! Explanations of views: the causes that make a cell dim or dark, and the loss of visibility by each.
//!
//! ```text
//!  Scene + target ──► corridor: cells between, opacities by cause ──┬──► gain of each cell      (exact, one walk back)
//!                                                                   ├──► share of each cause    (Shapley, adds up)
//!                                                                   └──► regions: a wood, a ridge (recomputed without)
//! ```
//!
//! - The **gain** of a cell is how much better the target would be perceived if only that cell were clear. It is exact.
//!   Gains of several cells do not add up, since each cell dims what the others leave.
//! - The **share** of a cause is its Shapley value: the mean of what is lost when it is added, over all orders of the causes.
//!   Shares add up to the whole loss, 1 − what is perceived.
//! - A **region** is a connected set of cells with the same cause. Its gain is how much better the target would be perceived
//!   without the cause in all of them. It is exact.
//!
//! With [`Relief::LineOfSight`](crate::optics::Relief::LineOfSight), hills and the woods on them are not opacities of cells. Their
//! shares come from computing the view again with flat hills or without trees, on the rectangle between viewer and target.
//! The region of a ridge is the cell of the horizon on the straight line. Gains of wooded cells are computed only for the
//! densest next to that line.
//!
//! If the scene uses the two-parent method, that method is explained. All others are explained along the straight lines of the
//! exact method. What they show may differ; [`Explanation`] has both values.

mod causes;
mod explanation;
mod hills;
mod scene_corridor;
mod section;

pub use explanation::{Cause, CellLoss, ExplainError, Explanation, ExplanationPaths, Loss, Region};
pub use section::{Section, SectionHeights, SectionPoint};
