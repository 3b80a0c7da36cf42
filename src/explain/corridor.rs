//! [`SceneCorridor`]: the corridor of a scene with its opacities, cause by cause.

use glam::IVec2;

use super::places::groups;
use super::{Along, Cause, CellLoss, ExplainError, Explanation, Loss, Place, shapley};
use crate::sight::{Corridor, Method, SightConfig};
use crate::{Scene, Terrain};

/// Groups of a cause that are recomputed without it, of those whose cells gain most one by one.
const TRIED_PLACES: usize = 6;

/// The corridor of a scene with its opacities, cause by cause.
pub(super) struct SceneCorridor {
    along: Along,
    corridor: Corridor,
    /// Its cells on the map.
    cells: Vec<IVec2>,
    /// Their opacities, as the scene sees them.
    opacity: Vec<f32>,
    /// The causes that act in it, each with its part of the opacity of every cell.
    media: Vec<(Cause, Vec<f32>)>,
    /// What acts on the whole, by a factor below 1.
    factors: Vec<(Cause, f64)>,
    /// The opacity from which a cell is a wall, to a method that knows walls only.
    wall_at: Option<f32>,
}

impl SceneCorridor {
    pub(super) fn new(scene: &Scene, target: IVec2) -> Result<Self, ExplainError> {
        let preset = scene.preset();
        let (viewer, radius) = (scene.viewer(), scene.radius());
        let classic = preset.classic.config(radius);
        let method = match (&classic, preset.sight.method) {
            (Some(_), _) | (None, Method::Beam) => Method::Exact,
            (None, method) => method,
        };
        let along = match method {
            Method::TwoParent => Along::Parents,
            _ => Along::Lines(preset.sight.samples.pow(2)),
        };
        let corridor = Corridor::new(target - viewer, &SightConfig { method, ..preset.sight.clone() })?;
        let cells: Vec<IVec2> = corridor.cells().iter().map(|&cell| viewer + cell).collect();
        let wall_at = classic.map(|config| config.wall_at as f32);
        let harden = |opacity: f32| wall_at.map_or(opacity, |wall_at| f32::from(u8::from(opacity >= wall_at)));
        let opacity = cells.iter().map(|&cell| harden(scene.opacity(cell).unwrap_or(1.0))).collect();
        let distance = (target - viewer).as_dvec2().length();
        let factors =
            [(Cause::Distance, preset.sight.decay.at(distance, radius)), (Cause::Dark, f64::from(scene.light(target)))];
        Ok(Self {
            along,
            media: media(scene, &cells),
            factors: factors.into_iter().filter(|(_, factor)| *factor < 1.0).collect(),
            corridor,
            cells,
            opacity,
            wall_at,
        })
    }

    /// Fills in what is explained.
    pub(super) fn explain(&self, explanation: &mut Explanation) {
        let factor = self.factor();
        let seen = self.corridor.visibility(&self.opacity);
        let clear = vec![0.0; self.cells.len()];
        let gains = self.corridor.gains(&self.opacity, &clear);
        explanation.along = self.along;
        explanation.explained = seen * factor;
        explanation.losses = self.losses();
        explanation.cells = self.cell_losses(&gains, factor);
        if seen == 0.0 {
            let series = self.corridor.fewest_in_series(&self.opacity);
            let mut opened = self.opacity.clone();
            series.iter().for_each(|&i| opened[i] = 0.0);
            explanation.without_series = self.corridor.visibility(&opened) * factor;
            explanation.in_series = series.into_iter().map(|i| self.cells[i]).collect();
        }
    }

    /// What is left by all that acts on the whole.
    fn factor(&self) -> f64 {
        self.factors.iter().map(|(_, factor)| factor).product()
    }

    /// The opacities with only some of the media acting (bit i: medium i).
    fn opacity_of(&self, media: usize) -> Vec<f32> {
        if media + 1 == 1 << self.media.len() {
            return self.opacity.clone();
        }
        let acting = || self.media.iter().enumerate().filter(|(i, _)| media & (1 << i) != 0).map(|(_, (_, part))| part);
        let mut clear = vec![1.0; self.cells.len()];
        for part in acting() {
            clear.iter_mut().zip(part).for_each(|(clear, part)| *clear *= 1.0 - part);
        }
        clear.into_iter().map(|clear: f32| self.harden(1.0 - clear)).collect()
    }

    fn harden(&self, opacity: f32) -> f32 {
        self.wall_at.map_or(opacity, |wall_at| f32::from(u8::from(opacity >= wall_at)))
    }

    /// The opacities without one medium.
    fn opacity_without(&self, medium: usize) -> Vec<f32> {
        let less = self.opacity_of(((1 << self.media.len()) - 1) & !(1 << medium));
        // Rounding may lift a cell that the medium has no part in.
        less.iter().zip(&self.opacity).map(|(less, opacity)| less.min(*opacity)).collect()
    }

    /// What each cause takes, the greatest first.
    fn losses(&self) -> Vec<Loss> {
        let media = self.media.len();
        let left: Vec<f64> = (0..1 << media).map(|set| self.corridor.visibility(&self.opacity_of(set))).collect();
        let shares = shapley::parts(media + self.factors.len(), |set| {
            let factors = self.factors.iter().enumerate().filter(|(i, _)| set & (1 << (media + i)) != 0);
            left[set & ((1 << media) - 1)] * factors.map(|(_, (_, factor))| factor).product::<f64>()
        });
        let causes = self.media.iter().map(|(cause, _)| *cause).chain(self.factors.iter().map(|(cause, _)| *cause));
        let mut losses: Vec<Loss> = causes
            .zip(shares)
            .enumerate()
            .map(|(i, (cause, share))| Loss {
                cause,
                share,
                places: if cause.has_place() { self.places(i) } else { Vec::new() },
            })
            .collect();
        losses.sort_by(|a, b| b.share.total_cmp(&a.share));
        losses
    }

    /// Where a medium sits, that with the greatest gain first.
    fn places(&self, medium: usize) -> Vec<Place> {
        let without = self.opacity_without(medium);
        let gains = self.corridor.gains(&self.opacity, &without);
        let part = &self.media[medium].1;
        // Where nothing comes through, no single cell gains anything: then the densest count.
        let weight = |i: usize| (gains[i], part[i]);
        let more = |a: (f64, f32), b: (f64, f32)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1));
        let mut groups = groups(&self.cells, part);
        let total = |group: &[usize]| {
            group.iter().map(|&i| weight(i)).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        groups.sort_by(|a, b| more(total(a), total(b)));
        groups.truncate(TRIED_PLACES);
        let seen = self.corridor.visibility(&self.opacity);
        let mut places: Vec<Place> = groups
            .into_iter()
            .filter_map(|group| {
                let mut opacity = self.opacity.clone();
                group.iter().for_each(|&i| opacity[i] = without[i]);
                let most = *group.iter().min_by(|a, b| more(weight(**a), weight(**b)))?;
                Some(Place {
                    cell: self.cells[most],
                    cells: group.iter().map(|&i| self.cells[i]).collect(),
                    gain: (self.corridor.visibility(&opacity) - seen) * self.factor(),
                })
            })
            .collect();
        places.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        places.truncate(Explanation::MOST_PLACES);
        places
    }

    /// What each cell takes, that with the greatest gain first; of those alike, the denser and then the nearer.
    fn cell_losses(&self, gains: &[f64], factor: f64) -> Vec<CellLoss> {
        let cause = |i: usize| {
            let parts = self.media.iter().map(|(cause, part)| (*cause, part[i]));
            parts.reduce(|most, other| if other.1 > most.1 { other } else { most }).map(|(cause, _)| cause)
        };
        let mut losses: Vec<CellLoss> = (0..self.cells.len())
            .filter(|&i| self.opacity[i] > 0.0)
            .filter_map(|i| {
                let (cell, opacity, gain) = (self.cells[i], self.opacity[i], gains[i] * factor);
                Some(CellLoss { cell, cause: cause(i)?, opacity, gain })
            })
            .collect();
        losses.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(b.opacity.total_cmp(&a.opacity)));
        losses
    }
}

/// The causes that act in some cell, each with its part of the opacity of every cell.
fn media(scene: &Scene, cells: &[IVec2]) -> Vec<(Cause, Vec<f32>)> {
    let mut media: Vec<(Cause, Vec<f32>)> = match scene.terrain() {
        Terrain::World(optics) => {
            let eye_m = optics.eye_m(scene.viewer());
            let parts: Vec<_> = cells.iter().map(|&cell| optics.breakdown(eye_m, cell)).collect();
            vec![
                (Cause::Ridge, parts.iter().map(|part| part.relief).collect()),
                (Cause::Forest, parts.iter().map(|part| part.vegetation).collect()),
                (Cause::Fog, parts.iter().map(|part| part.fog).collect()),
                (Cause::Haze, parts.iter().map(|part| part.haze).collect()),
            ]
        }
        Terrain::Map(map) => {
            let opacity = || cells.iter().map(|&cell| map.get(cell).unwrap_or(1.0));
            vec![
                (Cause::Wall, opacity().map(|opacity| if opacity >= 1.0 { 1.0 } else { 0.0 }).collect()),
                (Cause::Hedge, opacity().map(|opacity| if opacity < 1.0 { opacity } else { 0.0 }).collect()),
            ]
        }
    };
    media.retain(|(_, part)| part.iter().any(|&part| part > 0.0));
    media
}
