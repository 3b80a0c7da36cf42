//! [`Explanation`]: why a cell is not more visible, as numbers and as a sentence.

use glam::IVec2;

use crate::math::descending_order;
use farsight::grid::CellSize;
use farsight::named_enum;
use farsight::sight::SightError;

/// An explanation of a dim or dark cell: the causes, and the loss of visibility by each.
///
/// ```
/// use farsight_scene::explain::Explanation;
/// use farsight::OpacityMap;
/// use farsight_scene::preset::Preset;
/// use farsight_scene::scene::Scene;
/// use farsight::grid::TextMap;
/// use farsight::glam::ivec2;
/// let map = TextMap::parse("@..6...\n.......")?;
/// let scene = Scene::from_map(Preset::bare_kernel(), OpacityMap::try_from(map.opacity)?, map.viewer, farsight::Job::none())?;
/// let explanation = Explanation::of(&scene, ivec2(6, 0))?;
/// assert_eq!(explanation.sentence(), "(6, 0) is seen at 40 %. 60 % is lost: 60 % hedge at (3, 0).");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The cell of the viewer.
    pub viewer: IVec2,
    /// The explained cell.
    pub target: IVec2,
    /// The radius of the view, in shorter sides of a cell.
    pub radius: u32,
    /// The sides of the viewer's cell, both 1 on an opacity map.
    pub cell_size: CellSize,
    /// Perceived visibility of the target, in [0, 1]: visibility times light.
    pub perceived: f32,
    /// The maximum of `perceived` over the viewer and all observers.
    pub perceived_by_all: f32,
    /// Perceived visibility along the explained paths, in [0, 1]. It differs from `perceived` only for
    /// [`ExplanationPaths::Lines`].
    pub explained: f64,
    /// The explained paths of light.
    pub paths: ExplanationPaths,
    /// The loss by each cause, the largest first. Their shares add up to 1 − `explained`.
    pub losses: Vec<Loss>,
    /// The cells of the corridor with a loss, the largest gain first.
    pub cells: Vec<CellLoss>,
    /// If the target is hidden: the smallest set of opaque cells that must all be cleared to see it, nearest first.
    pub in_series: Vec<IVec2>,
    /// Perceived visibility without the cells of `in_series`, in [0, 1].
    pub without_series: f64,
    /// If a ridge or an obstacle has a loss: the minimum height above ground at which the target would be visible over it, in metres.
    /// Only with [`Relief::LineOfSight`](crate::optics::Relief::LineOfSight).
    pub least_height_m: Option<f64>,
}

/// The paths of light of an explanation.
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
    /// Its regions, the largest gain first: at most [`Explanation::MAX_REGIONS`].
    pub regions: Vec<Region>,
}

/// A connected set of cells with the same cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The cell with the maximum gain; with [`Relief::LineOfSight`](crate::optics::Relief::LineOfSight), the densest of a wood.
    pub cell: IVec2,
    /// All cells in the corridor, nearest first.
    pub cells: Vec<IVec2>,
    /// The gain in perceived visibility if the cause is removed from all cells.
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
    /// The maximum number of regions of a cause.
    pub const MAX_REGIONS: usize = 3;

    /// Returns the explanation in the coordinates of the raster, if the map is a window that starts at `origin`.
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

    /// Returns `true` if the target is nodata.
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
        /// Ground that blocks the view.
        Ridge = "ridge",
        /// A house, a wall or an opaque wood on the ground: an obstacle of the [surface](crate::world::SurfaceModel).
        Obstacle = "obstacle",
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
        /// The target is nodata.
        Unmeasured = "no data",
    }
}

impl Cause {
    /// Returns the name of a region: `wood`, `ridge`, …
    fn region_name(self) -> &'static str {
        match self {
            Self::Forest => "wood",
            other => other.name(),
        }
    }

    /// Returns `true` if the cause has regions on the map. Haze is everywhere, distance and darkness nowhere.
    pub fn has_regions(self) -> bool {
        matches!(self, Self::Wall | Self::Hedge | Self::Door | Self::Ridge | Self::Obstacle | Self::Forest | Self::Fog)
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
    /// A view failed.
    #[error(transparent)]
    Sight(#[from] SightError),
}

/// The visibility below which a target counts as hidden, in texts without numbers.
const NOTHING: f64 = 0.005;

/// The maximum number of listed cells in series.
const MAX_LISTED: usize = 3;

impl Explanation {
    /// Returns the explanation as text: the visibility of the target, the causes of the loss, and the most effective
    /// change.
    pub fn sentence(&self) -> String {
        let target = at(self.target);
        if self.target == self.viewer {
            return format!("{target} is the cell of the viewer: nothing is lost.");
        }
        if self.is_unmeasured() {
            return format!("{target} has no data: its ground was not measured, and it is never seen.");
        }
        if self.is_out_of_range() {
            let (distance, radius) = (self.distance(), self.radius);
            return format!("{target} is out of range: it is {distance:.1} cells away, and the radius is {radius}.")
                + &self.difference_from_view();
        }
        if self.is_out_of_sector() {
            let direction = self.direction();
            return format!("{target} is outside the cone of vision: its direction is {direction}°.")
                + &self.difference_from_view();
        }
        if self.lost() <= 0.0 {
            return format!("{target} is fully seen: nothing is lost.") + &self.difference_from_view();
        }
        let seen = match self.explained {
            seen if seen > 0.0 => format!("is seen at {}", percent(seen)),
            _ => "is not seen".to_owned(),
        };
        let lost = percent(self.lost()).replace("more", "More");
        let mut words = format!("{target} {seen}. {lost} is lost: {}.", self.loss_list());
        words += &self.improvement();
        words + &self.difference_from_view()
    }

    /// Returns the main cause as text without numbers: `The forest hides a part of it.`
    ///
    /// ```
    /// use farsight_scene::explain::Explanation;
    /// use farsight_scene::preset::Preset;
    /// use farsight_scene::scene::Scene;
    /// use farsight::{Job, OpacityMap};
    /// let mut map = OpacityMap::clear(9, 1)?;
    /// map.set((4, 0), 1.0)?;
    /// let scene = Scene::from_map(Preset::bare_kernel(), map, Some((0, 0).into()), Job::none())?;
    /// assert_eq!(Explanation::of(&scene, (7, 0).into())?.short_sentence(), "The wall hides it.");
    /// assert_eq!(Explanation::of(&scene, (2, 0).into())?.short_sentence(), "Nothing hides it.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn short_sentence(&self) -> String {
        let Some(first) = self.losses.first().filter(|_| self.lost() > 0.0) else {
            return "Nothing hides it.".to_owned();
        };
        let second = self.losses.get(1).filter(|second| first.share < 0.4 && second.share >= 0.1);
        let share = first.share + second.map_or(0.0, |second| second.share);
        let part = match () {
            () if self.explained < NOTHING => "it",
            () if share >= 0.4 => "most of it",
            () if share >= 0.1 => "a part of it",
            () => "little of it",
        };
        match (first.cause, second) {
            (Cause::Unmeasured, _) => "Its ground was not measured.".to_owned(),
            (Cause::Range, _) => "It is too far away.".to_owned(),
            (Cause::Sector, _) => "It is outside the cone of vision.".to_owned(),
            (cause, None) => format!("The {} hides {part}.", cause.name()),
            (cause, Some(second)) => format!("The {} and the {} hide {part}.", cause.name(), second.cause.name()),
        }
    }

    /// Returns `41 % forest around (120, 88), 14 % haze, 7 % distance`, rounded so that the sum is the whole loss.
    fn loss_list(&self) -> String {
        let fine = is_extreme(self.lost());
        let parts: Vec<f64> = self.losses.iter().map(|loss| loss.share).collect();
        let rounded = rounded(&parts, self.lost(), if fine { 1000.0 } else { 100.0 });
        let words: Vec<String> = self
            .losses
            .iter()
            .zip(rounded)
            .filter(|(_, share)| *share > 0.0)
            .map(|(loss, share)| {
                let share = if fine { format!("{:.1} %", share / 10.0) } else { format!("{share:.0} %") };
                let region = loss.regions.first().map(|region| format!(" {}", location(region))).unwrap_or_default();
                format!("{share} {}{region}", loss.cause.name())
            })
            .collect();
        words.join(", ")
    }

    /// Returns the most effective change as text.
    fn improvement(&self) -> String {
        let better =
            |seen: f64| if seen > 0.0 { format!("it would be seen at {}", percent(seen)) } else { String::new() };
        match &self.in_series[..] {
            [] => {}
            series if self.without_series <= 0.0 => {
                return format!(" Also, at least {} opaque cells in a row hide it.", series.len());
            }
            [one] => return format!(" Without {} {}.", at(*one), better(self.without_series)),
            [first, .., last] => {
                let count = self.in_series.len();
                let cells = if count <= MAX_LISTED {
                    self.in_series.iter().map(|cell| at(*cell)).collect::<Vec<_>>().join(", ")
                } else {
                    format!("from {} to {}", at(*first), at(*last))
                };
                let seen = better(self.without_series);
                return format!(" At least {count} cells in a row hide it ({cells}). Without all of them {seen}.");
            }
        }
        let best = self.losses.iter().filter_map(|loss| Some((loss, loss.regions.first()?)));
        let least = if self.explained > 0.0 { 0.005 } else { f64::MIN_POSITIVE };
        match best.max_by(|a, b| a.1.gain.total_cmp(&b.1.gain)) {
            Some((loss, region)) if region.gain >= least => {
                let (what, better) = (loss.cause.region_name(), better(self.explained + region.gain));
                let cells =
                    if region.cells.len() > 1 { format!(" ({} cells)", region.cells.len()) } else { String::new() };
                // With one cell as the only cause, this is obvious.
                let is_useful = region.cells.len() > 1 || self.losses.len() > 1;
                let without = if is_useful { format!(" Without that {what}{cells} {better}.") } else { String::new() };
                let height = self
                    .least_height_m
                    .filter(|metres| matches!(loss.cause, Cause::Ridge | Cause::Obstacle) && *metres > 0.0);
                let height = height.map(|metres| format!(" A target {metres:.0} m high would be seen over it."));
                without + &height.unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// Returns the difference between the view and the explained visibility, in brackets.
    fn difference_from_view(&self) -> String {
        if f64::from(self.perceived_by_all) >= self.explained.max(f64::from(self.perceived)) + 0.005 {
            return format!(" (A lookout sees it at {}.)", percent(f64::from(self.perceived_by_all)));
        }
        match self.paths {
            _ if (f64::from(self.perceived) - self.explained).abs() < 0.005 => String::new(),
            ExplanationPaths::Lines(lines) => format!(
                " (This explains {lines} straight lines to it; the method of the preset shows {}.)",
                percent(f64::from(self.perceived))
            ),
            ExplanationPaths::Parents => format!(" (The view shows {}.)", percent(f64::from(self.perceived))),
        }
    }
}

impl Loss {
    /// Returns the loss as text, without its share: `forest around (120, 88)`.
    pub fn name(&self) -> String {
        let region = self.regions.first().filter(|_| self.cause != Cause::Haze);
        self.cause.name().to_owned() + &region.map(|region| format!(" {}", location(region))).unwrap_or_default()
    }
}

fn at(cell: IVec2) -> String {
    format!("({}, {})", cell.x, cell.y)
}

fn location(region: &Region) -> String {
    format!("{} {}", if region.cells.len() == 1 { "at" } else { "around" }, at(region.cell))
}

/// Returns `true` for shares that would round to 0 % or 100 %.
fn is_extreme(share: f64) -> bool {
    !(0.01..=0.99).contains(&share) && share > 0.0 && share < 1.0
}

/// Returns `38 %`, or `0.4 %` near the ends.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match share {
        _ if !is_extreme(share) => format!("{percent:.0} %"),
        _ if share < 0.0005 => "less than 0.1 %".to_owned(),
        _ if share > 0.9995 => "more than 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

/// Returns parts times `scale`, rounded so that they add up to the rounded whole (the largest remainder method).
fn rounded(parts: &[f64], whole: f64, scale: f64) -> Vec<f64> {
    let mut units: Vec<f64> = parts.iter().map(|part| (part * scale).floor()).collect();
    let missing = ((whole * scale).round() - units.iter().sum::<f64>()).max(0.0) as usize;
    let remainders: Vec<f64> = parts.iter().zip(&units).map(|(part, units)| part * scale - units).collect();
    descending_order(&remainders).into_iter().take(missing).for_each(|i| units[i] += 1.0);
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_parts_add_up() {
        assert_eq!(rounded(&[0.414, 0.135, 0.071], 0.62, 100.0), [41.0, 14.0, 7.0]);
        assert_eq!(rounded(&[1.0 / 3.0; 3], 1.0, 100.0).iter().sum::<f64>(), 100.0);
        assert_eq!(rounded(&[0.0041, 0.0009], 0.005, 1000.0), [4.0, 1.0]);
    }

    #[test]
    fn shares_near_the_ends_keep_a_digit() {
        assert_eq!([0.0, 0.004, 0.38, 0.993, 1.0].map(percent), ["0 %", "0.4 %", "38 %", "99.3 %", "100 %"]);
        assert_eq!([1e-5, 0.99999].map(percent), ["less than 0.1 %", "more than 99.9 %"]);
    }
}
