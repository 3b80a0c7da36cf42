//! Why can't I see that? What takes the view of one cell away, and how much.
//!
//! ```text
//!  Scene + target ──► corridor: cells between, opacities by cause ──┬──► gain of each cell      (exact, one walk back)
//!                                                                   ├──► share of each cause    (Shapley, adds up)
//!                                                                   └──► places: a wood, a ridge (recomputed without)
//! ```
//!
//! - The **gain** of a cell is by how much more of the target would be perceived if that cell alone were clear. It is
//!   exact; gains of several cells do not add up, since each takes from what the others leave.
//! - The **share** of a cause is its Shapley value: what is lost when it comes into play, over all orders in which the
//!   causes may. Shares add up to the whole loss, 1 − what is perceived.
//! - A **place** is a group of cells of one cause that touch. Its gain is what would be gained if the cause were gone from
//!   all of them at once, and is exact, too.
//!
//! Where relief is a horizon, hills and the woods on them are no opacity of cells: the part of each is found by computing
//! anew with the hills lowered or the trees felled, on the piece of land between the two. The ridge is named by the cell of
//! the horizon on the straight line. Gains of wooded cells are recomputed for the densest next to that line; the air's are
//! exact for all.
//!
//! What is explained is the view of two parents where the scene uses it. Beams and the exact method are explained along
//! the straight lines of the exact one, and so are the classic methods, to which a cell is a wall or clear; what they show
//! may differ, and [`Explanation`] says by how much.

mod cause;
mod corridor;
mod hills;
mod places;
mod section;
mod shapley;
mod words;

use glam::IVec2;

pub use cause::Cause;
pub use section::{Heights, Section, SectionPoint};

use crate::explain::corridor::SceneCorridor;
use crate::grid::CellRect;
use crate::scene::Scene;
use crate::sight::SightError;

/// What takes the view of one cell away, and how much.
///
/// ```
/// use farsight::explain::Explanation;
/// use farsight::OpacityMap;
/// use farsight::preset::Preset;
/// use farsight::scene::Scene;
/// use farsight::grid::TextMap;
/// use farsight::glam::ivec2;
/// let map = TextMap::parse("@..6...\n.......")?;
/// let scene = Scene::on_map(Preset::bare_kernel(), OpacityMap::try_from(map.opacity)?, map.viewer, farsight::Job::quiet())?;
/// let explanation = Explanation::of(&scene, ivec2(6, 0))?;
/// assert_eq!(explanation.sentence(), "(6, 0) is seen at 40 %. 60 % is lost: 60 % hedge at (3, 0).");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Where the viewer stands.
    pub viewer: IVec2,
    /// The cell that is asked about.
    pub target: IVec2,
    /// The radius in force, in cells.
    pub radius: u32,
    /// How well the viewer perceives the target, in [0, 1]: visibility times light.
    pub perceived: f32,
    /// The same for the best of all who look in the scene; no less than `perceived`.
    pub perceived_by_all: f32,
    /// The same by the way of seeing that is explained, in [0, 1]; another number than `perceived` only where `along` is
    /// [`Along::Lines`].
    pub explained: f64,
    /// The way of seeing that is explained.
    pub along: Along,
    /// What each cause takes, the greatest first; all together take 1 − `explained`.
    pub losses: Vec<Loss>,
    /// The cells of the corridor that take anything, those with the greatest gain first.
    pub cells: Vec<CellLoss>,
    /// Where nothing comes through: the fewest opaque cells that must all go before anything does, nearest first.
    pub in_series: Vec<IVec2>,
    /// How well the target would be perceived without the cells of `in_series`.
    pub without_series: f64,
    /// Where a ridge takes anything: the least height over its ground at which the target would be seen over it, in metres.
    /// Known where relief is a horizon.
    pub least_height_m: Option<f64>,
}

/// The way of seeing that is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Along {
    /// From cell to cell along the two parents, as the scene itself sees.
    Parents,
    /// Along so many straight lines to the target.
    Lines(u32),
}

/// What one cause takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The cause.
    pub cause: Cause,
    /// Its share of the view, in [0, 1].
    pub share: f64,
    /// Where it sits, that with the greatest gain first: at most [`Explanation::MOST_PLACES`].
    pub places: Vec<Place>,
}

/// A group of cells of one cause that touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The cell that takes most; of woods below a horizon, the densest.
    pub cell: IVec2,
    /// All of its cells within the corridor, nearest first.
    pub cells: Vec<IVec2>,
    /// How much more of the target would be perceived if the cause were gone from all of them.
    pub gain: f64,
}

/// What one cell takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellLoss {
    /// The cell.
    pub cell: IVec2,
    /// The cause of most of its opacity.
    pub cause: Cause,
    /// Its opacity for this viewer, in [0, 1].
    pub opacity: f32,
    /// How much more of the target would be perceived if this cell alone were clear.
    pub gain: f64,
}

/// Why nothing can be explained.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// No such cell.
    #[error("the target {},{} lies outside the map of {}x{} cells (0,0 to {},{})", target.x, target.y, size.x, size.y,
        size.x - 1, size.y - 1)]
    Outside {
        /// The cell asked for.
        target: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// The corridor is longer than any radius.
    #[error(transparent)]
    Sight(#[from] SightError),
}

impl Explanation {
    /// The most places that are named for a cause.
    pub const MOST_PLACES: usize = 3;

    /// Explains how well a scene sees a cell of its map. The cost is that of the cells between the two.
    ///
    /// # Errors
    /// [`ExplainError::Outside`].
    pub fn of(scene: &Scene, target: IVec2) -> Result<Self, ExplainError> {
        let size = scene.size();
        if !CellRect::of_size(size).contains(target) {
            return Err(ExplainError::Outside { target, size });
        }
        let mut explanation = Self {
            viewer: scene.viewer(),
            target,
            radius: scene.radius(),
            perceived: scene.own_visibility(target) * scene.light(target),
            perceived_by_all: scene.perceived(target),
            explained: 1.0,
            along: Along::Parents,
            losses: Vec::new(),
            cells: Vec::new(),
            in_series: Vec::new(),
            without_series: 0.0,
            least_height_m: None,
        };
        let hopeless = match () {
            () if !scene.terrain().has_data(target) => Some(Cause::Unmeasured),
            () if explanation.is_out_of_range() => Some(Cause::Range),
            () => None,
        };
        if let Some(cause) = hopeless {
            explanation.explained = 0.0;
            explanation.losses = vec![Loss { cause, share: 1.0, places: Vec::new() }];
        } else {
            SceneCorridor::new(scene, target)?.explain(&mut explanation)?;
        }
        Ok(explanation)
    }

    /// Distance of the target, in cells.
    pub fn distance(&self) -> f64 {
        (self.target - self.viewer).as_dvec2().length()
    }

    /// Whether the target is farther away than one can see.
    pub fn is_out_of_range(&self) -> bool {
        (self.target - self.viewer).as_i64vec2().length_squared() > i64::from(self.radius).pow(2)
    }

    /// Whether nothing is known of the target: nobody measured the ground there, and it is never seen.
    pub fn is_unmeasured(&self) -> bool {
        self.losses.first().is_some_and(|loss| loss.cause == Cause::Unmeasured)
    }

    /// What is lost of the target, in [0, 1].
    pub fn lost(&self) -> f64 {
        1.0 - self.explained
    }
}
