//! [`Explanation`]: why a cell is seen no better.

use glam::IVec2;

use crate::grid::CellSize;
use crate::named_enum::named_enum;
use crate::sight::SightError;

/// The reasons why a cell is dim or dark: the causes, and the loss of visibility by each.
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
    /// The cell of the viewer.
    pub viewer: IVec2,
    /// The cell that is explained.
    pub target: IVec2,
    /// The radius of the view, in shorter sides of a cell.
    pub radius: u32,
    /// The sides of the viewer's cell, both 1 on an opacity map.
    pub cell_size: CellSize,
    /// Perceived visibility of the target, in [0, 1]: visibility times light.
    pub perceived: f32,
    /// The greatest value of `perceived` of the viewer and all observers.
    pub perceived_by_all: f32,
    /// Perceived visibility along the explained paths, in [0, 1]. It differs from `perceived` only for
    /// [`ExplanationPaths::Lines`].
    pub explained: f64,
    /// The explained paths of light.
    pub paths: ExplanationPaths,
    /// The loss by each cause, the greatest first. Their shares add up to 1 − `explained`.
    pub losses: Vec<Loss>,
    /// The cells of the corridor with a loss, the greatest gain first.
    pub cells: Vec<CellLoss>,
    /// If the target is not seen at all: the fewest opaque cells that must all be cleared to see it, nearest first.
    pub in_series: Vec<IVec2>,
    /// Perceived visibility without the cells of `in_series`, in [0, 1].
    pub without_series: f64,
    /// If a ridge has a loss: the smallest height above ground at which the target would be seen over it, in metres. Only
    /// with [`Relief::Horizon`](crate::optics::Relief::Horizon).
    pub least_height_m: Option<f64>,
}

/// The paths of light that an explanation follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplanationPaths {
    /// From cell to cell along the two parents, as in the view.
    Parents,
    /// This number of straight lines to the target.
    Lines(u32),
}

/// The loss by one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// The cause.
    pub cause: Cause,
    /// Its share of the visibility, in [0, 1].
    pub share: f64,
    /// Its regions, the greatest gain first: at most [`Explanation::MAX_REGIONS`].
    pub regions: Vec<Region>,
}

/// A connected set of cells with the same cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The cell with the greatest gain; with [`Relief::Horizon`](crate::optics::Relief::Horizon), the densest of a wood.
    pub cell: IVec2,
    /// All cells in the corridor, nearest first.
    pub cells: Vec<IVec2>,
    /// The gain in perceived visibility without the cause in all of them.
    pub gain: f64,
}

/// The loss by one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellLoss {
    /// The cell.
    pub cell: IVec2,
    /// The cause of most of its opacity.
    pub cause: Cause,
    /// Its opacity for this viewer, in [0, 1].
    pub opacity: f32,
    /// The gain in perceived visibility if only this cell were clear.
    pub gain: f64,
}

impl Explanation {
    /// The greatest number of regions of a cause.
    pub const MAX_REGIONS: usize = 3;

    /// Returns the explanation with the cells of the raster of which the map is a window that begins at `origin`.
    pub fn on_raster(mut self, origin: IVec2) -> Self {
        let regions = self.losses.iter_mut().flat_map(|loss| &mut loss.regions);
        let of_regions = regions.flat_map(|region| region.cells.iter_mut().chain([&mut region.cell]));
        let of_losses = self.cells.iter_mut().map(|loss| &mut loss.cell);
        let ends = [&mut self.viewer, &mut self.target];
        of_regions.chain(of_losses).chain(&mut self.in_series).chain(ends).for_each(|cell| *cell += origin);
        self
    }

    /// Returns the distance of the target, in shorter sides of a cell.
    pub fn distance(&self) -> f64 {
        ((self.target - self.viewer).as_dvec2() * self.cell_size.ratios()).length()
    }

    /// Returns `true` if the target is farther away than the radius.
    pub fn is_out_of_range(&self) -> bool {
        self.losses.first().is_some_and(|loss| loss.cause == Cause::Range)
    }

    /// Returns `true` if the target is outside the cone of vision.
    pub fn is_out_of_sector(&self) -> bool {
        self.losses.first().is_some_and(|loss| loss.cause == Cause::Sector)
    }

    /// Returns the direction of the target on the ground, in whole degrees clockwise from the top of the map.
    pub fn direction(&self) -> u32 {
        let offset = (self.target - self.viewer).as_dvec2() * self.cell_size.ratios();
        libm::atan2(offset.x, -offset.y).to_degrees().round().rem_euclid(360.0) as u32
    }

    /// Returns `true` if the target has no data.
    pub fn is_unmeasured(&self) -> bool {
        self.losses.first().is_some_and(|loss| loss.cause == Cause::Unmeasured)
    }

    /// Returns the whole loss, in [0, 1].
    pub fn lost(&self) -> f64 {
        1.0 - self.explained
    }
}

named_enum! {
    /// A cause of loss of visibility.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Cause: "cause" {
        /// Opaque cells of an opacity map.
        Wall = "wall",
        /// Partly opaque cells of an opacity map.
        Hedge = "hedge",
        /// A closed door of an opacity map.
        Door = "door",
        /// Ground that rises into the view.
        Ridge = "ridge",
        /// Vegetation.
        Forest = "forest",
        /// Fog.
        Fog = "fog",
        /// Air without fog.
        Haze = "haze",
        /// The decay with distance (`sight.decay`).
        Distance = "distance",
        /// Lack of light on the target.
        Dark = "darkness",
        /// The target is out of range.
        Range = "range",
        /// The target is outside the cone of vision (`sight.sector`).
        Sector = "cone of vision",
        /// The target has no data.
        Unmeasured = "no data",
    }
}

impl Cause {
    /// Returns the name of a region: `wood`, `ridge`, …
    pub(super) fn region_name(self) -> &'static str {
        match self {
            Self::Forest => "wood",
            other => other.name(),
        }
    }

    /// Returns `true` if the cause has regions on the map. Haze is everywhere, distance and darkness nowhere.
    pub fn has_regions(self) -> bool {
        matches!(self, Self::Wall | Self::Hedge | Self::Door | Self::Ridge | Self::Forest | Self::Fog)
    }
}

/// An error of an explanation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The target is outside the map.
    #[error("the target {},{} is outside the map of {}x{} cells: expected 0,0 to {},{}", target.x, target.y, size.x, size.y,
        size.x - 1, size.y - 1)]
    Outside {
        /// The target.
        target: IVec2,
        /// Columns and rows of the map.
        size: IVec2,
    },
    /// A view cannot be computed.
    #[error(transparent)]
    Sight(#[from] SightError),
}
