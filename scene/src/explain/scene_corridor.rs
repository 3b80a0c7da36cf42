//! [`Explanation::of`], from the [`SceneCorridor`]: the cells between viewer and target, with their opacities by cause.

use glam::IVec2;

use super::causes::{parts_by_cause, regions, shares};
use super::hills::HillView;
use crate::explain::{Cause, CellLoss, ExplainError, Explanation, ExplanationPaths, Loss, Region};
use crate::math::{sort_by, sort_descending};
use crate::scene::{Scene, Terrain};
use farsight::corridor::Corridor;
use farsight::grid::{CellRect, CellSize};
use farsight::internal::math::log2_approx;
use farsight::internal::sight_config::KnownMethod;
use farsight::sight::{MethodKind, SightError};

/// The number of regions of a cause whose gain is computed: those with the largest sum of gains of single cells.
const TRIED_REGIONS: usize = 6;

/// Wooded cells whose gain is computed with hills: the densest next to the line of sight.
const TRIED_WOODED_CELLS: usize = 32;

impl Explanation {
    /// Explains the visibility of a cell for the viewer of a scene. Run time grows with the number of cells between the
    /// two.
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
            cell_size: scene.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(scene.viewer())),
            perceived: scene.own_visibility(target) * scene.light(target),
            perceived_by_all: scene.perceived(target),
            explained: 1.0,
            paths: ExplanationPaths::Parents,
            losses: Vec::new(),
            cells: Vec::new(),
            in_series: Vec::new(),
            without_series: 0.0,
            least_height_m: None,
        };
        let shape = scene.preset().sight.shape_in_sight();
        let only_cause = match () {
            () if !scene.terrain().has_data(target) => Some(Cause::Unmeasured),
            () if !shape.contains_on(explanation.cell_size, target - explanation.viewer, explanation.radius) => {
                Some(Cause::Range)
            }
            () if !scene.is_in_sector(scene.viewer(), target) => Some(Cause::Sector),
            () => None,
        };
        if let Some(cause) = only_cause {
            explanation.explained = 0.0;
            explanation.losses = vec![Loss { cause, share: 1.0, regions: Vec::new() }];
        } else {
            SceneCorridor::new(scene, target)?.explain(&mut explanation)?;
        }
        Ok(explanation)
    }
}

/// The cells between viewer and target, with their opacities by cause.
struct SceneCorridor {
    paths: ExplanationPaths,
    corridor: Corridor,
    /// Its cells on the map.
    cells: Vec<IVec2>,
    /// Their opacities for the viewer; with hills, only those of the air.
    opacity: Vec<f32>,
    /// The causes that act by opacity, each with its part of the opacity of every cell.
    media: Vec<(Cause, Vec<f32>)>,
    /// For each of the media, the sum of log₂ of its transmittances in the viewer's cell and the target's.
    ends: Vec<f32>,
    /// The exponent for the sides of rectangular cells, otherwise 1.
    exponent: f64,
    /// The causes that act by a factor below 1.
    factors: Vec<(Cause, f64)>,
    /// Hills and woods with `Relief::LineOfSight`.
    hills: Option<HillView>,
    /// The minimum opacity of a wall, for a binary method.
    wall_at: Option<f32>,
}

impl SceneCorridor {
    fn new(scene: &Scene, target: IVec2) -> Result<Self, ExplainError> {
        let preset = scene.preset();
        let (viewer, radius) = (scene.viewer(), scene.radius());
        // A binary method has no path rule, no half cells and no hills.
        let sight = &preset.sight;
        let wall_at = sight.config().method.wall_at().map(|opacity| opacity as f32);
        let lines_or_parents = match sight.method.into() {
            KnownMethod::TwoParent => MethodKind::TwoParent,
            KnownMethod::Beam
            | KnownMethod::Exact
            | KnownMethod::SymmetricShadowcast
            | KnownMethod::Shadowcast
            | KnownMethod::RaycastBorder
            | KnownMethod::RaycastCircle => MethodKind::Exact, // with the lines of the preset
        };
        let corridor = Corridor::new(target - viewer, &sight.config_by(lines_or_parents))?;
        let paths = corridor.lines().map_or(ExplanationPaths::Parents, ExplanationPaths::Lines);
        let cells: Vec<IVec2> = corridor.cells().iter().map(|&cell| viewer + cell).collect();
        let hills = match scene.terrain() {
            Terrain::World(optics) if wall_at.is_none() && target != viewer => HillView::of(scene, optics, target)?,
            _ => None,
        };
        let opacity = cells.iter().map(|&cell| match (scene.terrain(), &hills) {
            (Terrain::World(optics), Some(_)) => {
                let mut air = [0.0];
                optics.fill_row_with_air(cell, &mut air);
                air[0]
            }
            _ => hardened(scene.opacity(cell).unwrap_or(1.0), wall_at),
        });
        let opacity = opacity.collect();
        let has_ends = |cause| wall_at.is_none() && matches!(cause, Cause::Forest | Cause::Fog | Cause::Haze);
        let (mut media, mut ends) = (Vec::new(), Vec::new());
        for (cause, mut part) in parts_by_cause(scene, cells.iter().copied().chain([viewer, target])) {
            let at_ends = part.split_off(cells.len()).into_iter();
            let end: f32 = at_ends.map(|part| log2_approx(1.0 - part)).sum();
            let end = if has_ends(cause) { end } else { 0.0 };
            let is_air = matches!(cause, Cause::Haze | Cause::Fog);
            if (is_air || hills.is_none()) && (end < 0.0 || part.iter().any(|&part| part > 0.0)) {
                media.push((cause, part));
                ends.push(end);
            }
        }
        let (distance, exponent) = match scene.terrain() {
            Terrain::World(optics) => {
                let cell_size = optics.world().cell_size_at(viewer);
                let exponent = match wall_at {
                    Some(_) => 1.0,
                    None => optics.path_exponent(sight.path, viewer, target),
                };
                (cell_size.distance_m(target - viewer) / cell_size.shorter_m(), exponent)
            }
            Terrain::Map(_) => ((target - viewer).as_dvec2().length(), 1.0),
        };
        let factors = [
            (Cause::Distance, sight.decay.decay().at(distance, radius)),
            (Cause::Dark, f64::from(scene.light(target))),
        ];
        Ok(Self {
            paths,
            media,
            ends,
            exponent,
            factors: factors.into_iter().filter(|(_, factor)| *factor < 1.0).collect(),
            hills,
            corridor,
            cells,
            opacity,
            wall_at,
        })
    }

    /// Fills in the fields of an explanation.
    fn explain(&mut self, explanation: &mut Explanation) -> Result<(), SightError> {
        let seen = self.visibility(&self.opacity);
        explanation.paths = self.paths;
        explanation.explained = seen * self.factor() * self.over_hills();
        explanation.losses = self.losses()?;
        explanation.cells = self.cell_losses()?;
        if seen == 0.0 {
            let series = self.corridor.fewest_in_series(&self.opacity);
            let mut opened = self.opacity.clone();
            series.iter().for_each(|&i| opened[i] = 0.0);
            explanation.without_series = self.visibility(&opened) * self.factor() * self.over_hills();
            explanation.in_series = series.into_iter().map(|i| self.cells[i]).collect();
        }
        if let Some(hills) = &mut self.hills
            && hills.over.ridge < 1.0
        {
            explanation.least_height_m = hills.min_visible_height_m()?;
        }
        Ok(())
    }

    /// Returns the visibility through all media for these opacities of the cells, with the ends of the path.
    fn visibility(&self, opacity: &[f32]) -> f64 {
        self.raised(self.corridor.visibility(opacity) * self.ends_of(usize::MAX))
    }

    /// Returns the visibility along the path, from that in square cells.
    fn raised(&self, visibility: f64) -> f64 {
        if self.exponent == 1.0 { visibility } else { libm::pow(visibility, self.exponent) }
    }

    /// Returns the gains in visibility for clear cells, and their common factor.
    fn gains_and_factor(&self) -> (Vec<f64>, f64) {
        let gains = self.corridor.gains(&self.opacity, &vec![0.0; self.cells.len()]);
        let ends = self.ends_of(usize::MAX);
        if self.exponent == 1.0 {
            return (gains, ends);
        }
        let seen = self.corridor.visibility(&self.opacity) * ends;
        let raised = |gain: f64| self.raised(seen + gain * ends) - self.raised(seen);
        (gains.into_iter().map(raised).collect(), 1.0)
    }

    /// Returns the transmittance of the ends of the path by some of the media (bit i: medium i).
    fn ends_of(&self, media: usize) -> f64 {
        let log2 = self.ends.iter().enumerate().filter(|(i, _)| media & (1 << i) != 0).map(|(_, end)| end).sum();
        f64::from(self.corridor.end_transmittance(log2))
    }

    /// Returns the product of all factors.
    fn factor(&self) -> f64 {
        self.factors.iter().map(|(_, factor)| factor).product()
    }

    /// Returns the visibility over hills and woods.
    fn over_hills(&self) -> f64 {
        self.hills.as_ref().map_or(1.0, |hills| hills.over.both)
    }

    /// Returns the opacities by some of the media (bit i: medium i).
    fn opacity_of(&self, media: usize) -> Vec<f32> {
        if media + 1 == 1 << self.media.len() {
            return self.opacity.clone();
        }
        let mut clear = vec![1.0; self.cells.len()];
        for (_, part) in self.media.iter().enumerate().filter(|(i, _)| media & (1 << i) != 0).map(|(_, medium)| medium)
        {
            clear.iter_mut().zip(part).for_each(|(clear, part)| *clear *= 1.0 - part);
        }
        // Rounding can make a cell more opaque than with all media.
        let opacity = clear.into_iter().map(|clear: f32| hardened(1.0 - clear, self.wall_at));
        opacity.zip(&self.opacity).map(|(less, all)| less.min(*all)).collect()
    }

    /// Returns the losses by cause, the largest first.
    fn losses(&mut self) -> Result<Vec<Loss>, SightError> {
        let media = self.media.len();
        let left: Vec<f64> = (0..1 << media)
            .map(|set| self.raised(self.corridor.visibility(&self.opacity_of(set)) * self.ends_of(set)))
            .collect();
        let mut causes: Vec<Cause> = self.media.iter().map(|(cause, _)| *cause).collect();
        causes.extend(self.factors.iter().map(|(cause, _)| *cause));
        let over = self.hills.as_ref().map(|hills| hills.over);
        let horizon = self.horizon();
        let is_obstacle = |region: &Region| self.hills.as_ref().is_some_and(|hills| hills.has_obstacle(region.cell));
        let screen = if horizon.iter().any(is_obstacle) { Cause::Obstacle } else { Cause::Ridge };
        let screen_at = causes.len();
        if over.is_some() {
            causes.extend([screen, Cause::Forest]);
        }
        let shares = shares(causes.len(), |set| {
            let factors = self.factors.iter().enumerate().filter(|(i, _)| set & (1 << (media + i)) != 0);
            let screened = match (over, set >> screen_at) {
                (None, _) | (_, 0) => 1.0,
                (Some(over), 1) => over.ridge,
                (Some(over), 2) => over.forest,
                (Some(over), _) => over.both,
            };
            left[set & ((1 << media) - 1)] * factors.map(|(_, (_, factor))| factor).product::<f64>() * screened
        });
        let mut losses = Vec::new();
        for (i, (cause, share)) in causes.into_iter().zip(shares).enumerate() {
            let is_screen = i >= screen_at;
            if is_screen && share == 0.0 {
                continue;
            }
            let regions = match cause {
                _ if !cause.has_regions() => Vec::new(),
                Cause::Ridge | Cause::Obstacle if is_screen => horizon.clone(),
                Cause::Forest if is_screen => self.woods()?,
                _ => self.regions(i),
            };
            losses.push(Loss { cause, share, regions });
        }
        sort_descending(&mut losses, |loss| loss.share);
        Ok(losses)
    }

    /// Returns the regions of a medium, the largest gain first.
    fn regions(&self, medium: usize) -> Vec<Region> {
        let without = self.opacity_of(((1 << self.media.len()) - 1) & !(1 << medium));
        let gains = self.corridor.gains(&self.opacity, &without);
        let part = &self.media[medium].1;
        // If the target is hidden, all gains are 0: then the opacity decides.
        let weight = |i: usize| (gains[i], part[i]);
        let more = |a: (f64, f32), b: (f64, f32)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1));
        let total = |region: &[usize]| {
            region.iter().map(|&i| weight(i)).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let mut found = regions(&self.cells, part);
        sort_by(&mut found, |a, b| more(total(a), total(b)));
        found.truncate(TRIED_REGIONS);
        let seen = self.visibility(&self.opacity);
        let found = found.into_iter().filter_map(|region| {
            let mut opacity = self.opacity.clone();
            region.iter().for_each(|&i| opacity[i] = without[i]);
            let most = *region.iter().min_by(|a, b| more(weight(**a), weight(**b)))?;
            Some(Region {
                cell: self.cells[most],
                cells: region.iter().map(|&i| self.cells[i]).collect(),
                gain: (self.visibility(&opacity) - seen) * self.factor() * self.over_hills(),
            })
        });
        best(found.collect())
    }

    /// Returns the ridge or obstacle that is the horizon, as a region of one cell.
    fn horizon(&self) -> Vec<Region> {
        let Some(hills) = &self.hills else { return Vec::new() };
        let seen = self.visibility(&self.opacity) * self.factor();
        let gain = seen * (hills.over.forest - hills.over.both);
        hills.horizon().map(|cell| Region { cell, cells: vec![cell], gain }).into_iter().collect()
    }

    /// Returns the woods on hills, with the gain of each without its trees.
    fn woods(&mut self) -> Result<Vec<Region>, SightError> {
        let seen = self.visibility(&self.opacity) * self.factor();
        let Some(hills) = &mut self.hills else { return Ok(Vec::new()) };
        let part: Vec<f32> = self.cells.iter().map(|&cell| hills.wood_opacity(cell)).collect();
        let mut found = regions(&self.cells, &part);
        let total = |region: &[usize]| region.iter().map(|&i| part[i]).sum::<f32>();
        sort_descending(&mut found, |region| total(region));
        found.truncate(TRIED_REGIONS);
        let mut woods = Vec::new();
        for region in found {
            let Some(&most) = region.iter().max_by(|a, b| part[**a].total_cmp(&part[**b])) else { continue };
            let cells: Vec<IVec2> = region.iter().map(|&i| self.cells[i]).collect();
            let gain = (hills.over_both_without(&cells)? - hills.over.both) * seen;
            woods.push(Region { cell: self.cells[most], cells, gain });
        }
        Ok(best(woods))
    }

    /// Returns the losses by cell, the largest gain first; for equal gains the most opaque, then the nearest.
    fn cell_losses(&mut self) -> Result<Vec<CellLoss>, SightError> {
        let seen = self.visibility(&self.opacity);
        let factor = self.factor();
        let screened = self.over_hills();
        let (gains, ends) = self.gains_and_factor();
        let cause = |i: usize| {
            let parts = self.media.iter().map(|(cause, part)| (*cause, part[i]));
            parts.reduce(|most, other| if other.1 > most.1 { other } else { most })
        };
        let air = |i: usize| {
            let (cell, opacity, gain) = (self.cells[i], self.opacity[i], gains[i] * factor * screened * ends);
            (opacity > 0.0).then_some(CellLoss { cell, cause: cause(i)?.0, opacity, gain })
        };
        let mut losses: Vec<Option<CellLoss>> = (0..self.cells.len()).map(air).collect();
        if let Some(hills) = &mut self.hills {
            let mut wooded: Vec<(usize, f32)> = self
                .cells
                .iter()
                .map(|&cell| hills.wood_opacity(cell))
                .enumerate()
                .filter(|(_, wood)| *wood > 0.0)
                .collect();
            let from_line = |i: usize| distance_from_line(self.corridor.cells()[i], self.corridor.target());
            sort_by(&mut wooded, |a, b| (from_line(a.0) > 1.0).cmp(&(from_line(b.0) > 1.0)).then(b.1.total_cmp(&a.1)));
            for (i, wood) in wooded.into_iter().take(TRIED_WOODED_CELLS) {
                let without = hills.over_both_without(&[self.cells[i]])?;
                let gain = ((seen + gains[i] * ends) * without - seen * screened) * factor;
                let opacity = 1.0 - (1.0 - self.opacity[i]) * (1.0 - wood);
                losses[i] = Some(CellLoss { cell: self.cells[i], cause: Cause::Forest, opacity, gain });
            }
        }
        let mut losses: Vec<CellLoss> = losses.into_iter().flatten().collect();
        sort_by(&mut losses, |a, b| b.gain.total_cmp(&a.gain).then(b.opacity.total_cmp(&a.opacity)));
        Ok(losses)
    }
}

/// Returns the distance of a cell from the straight line to a target, in cells. Both are relative to the viewer.
fn distance_from_line(cell: IVec2, target: IVec2) -> f64 {
    (cell.as_dvec2().perp_dot(target.as_dvec2()) / target.as_dvec2().length().max(1.0)).abs()
}

/// Returns the regions with the largest gain.
fn best(mut regions: Vec<Region>) -> Vec<Region> {
    sort_descending(&mut regions, |region| region.gain);
    regions.truncate(Explanation::MAX_REGIONS);
    regions
}

fn hardened(opacity: f32, wall_at: Option<f32>) -> f32 {
    wall_at.map_or(opacity, |wall_at| f32::from(u8::from(opacity >= wall_at)))
}
