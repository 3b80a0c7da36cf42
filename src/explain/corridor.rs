//! [`SceneCorridor`]: the corridor of a scene with its opacities, cause by cause.

use glam::IVec2;

use super::cause::Cause;
use super::hills::Hills;
use super::places::groups;
use crate::explain::{Along, CellLoss, ExplainError, Explanation, Loss, Place, shapley};
use crate::scene::{Scene, Terrain};
use crate::sight::{Corridor, Method, SightConfig, SightError};

/// Groups of a cause that are recomputed without it, of those whose cells gain most one by one.
const TRIED_PLACES: usize = 6;

/// Wooded cells below a horizon that are felled one by one, the densest next to the line of sight.
const FELLED: usize = 32;

/// The corridor of a scene with its opacities, cause by cause.
pub(super) struct SceneCorridor {
    along: Along,
    corridor: Corridor,
    /// Its cells on the map.
    cells: Vec<IVec2>,
    /// Their opacities, as the scene sees them; where there are hills, those of the air.
    opacity: Vec<f32>,
    /// The causes that act in it by opacity, each with its part of the opacity of every cell.
    media: Vec<(Cause, Vec<f32>)>,
    /// What acts on the whole, by a factor below 1.
    factors: Vec<(Cause, f64)>,
    /// Hills and woods, where relief is a horizon.
    hills: Option<(Hills, Screens)>,
    /// The opacity from which a cell is a wall, to a method that knows walls only.
    wall_at: Option<f32>,
}

/// What the hills leave, the woods on them, and both.
#[derive(Clone, Copy, Debug)]
struct Screens {
    ridge: f64,
    forest: f64,
    both: f64,
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
        let mut hills = match scene.terrain() {
            Terrain::World(optics) if classic.is_none() && target != viewer => Hills::of(scene, optics, target)?,
            _ => None,
        };
        let wall_at = classic.map(|config| config.wall_at as f32);
        let opacity = cells.iter().map(|&cell| match (scene.terrain(), &hills) {
            (Terrain::World(optics), Some(_)) => {
                let mut air = [0.0];
                optics.fill_row_with_air(cell, &mut air);
                air[0]
            }
            _ => hardened(scene.opacity(cell).unwrap_or(1.0), wall_at),
        });
        let opacity = opacity.collect();
        let screens = |hills: &mut Hills| {
            Ok::<_, SightError>(Screens {
                ridge: hills.left(true, None)?,
                forest: hills.left(false, Some(&[]))?,
                both: hills.left(true, Some(&[]))?,
            })
        };
        let screens = hills.as_mut().map(screens).transpose()?;
        let mut media = media(scene, &cells);
        if hills.is_some() {
            media.retain(|(cause, _)| matches!(cause, Cause::Haze | Cause::Fog));
        }
        let distance = (target - viewer).as_dvec2().length();
        let factors =
            [(Cause::Distance, preset.sight.decay.at(distance, radius)), (Cause::Dark, f64::from(scene.light(target)))];
        Ok(Self {
            along,
            media,
            factors: factors.into_iter().filter(|(_, factor)| *factor < 1.0).collect(),
            hills: hills.zip(screens),
            corridor,
            cells,
            opacity,
            wall_at,
        })
    }

    /// Fills in what is explained.
    pub(super) fn explain(&mut self, explanation: &mut Explanation) -> Result<(), SightError> {
        let seen = self.corridor.visibility(&self.opacity);
        explanation.along = self.along;
        explanation.explained = seen * self.factor() * self.screened();
        explanation.losses = self.losses()?;
        explanation.cells = self.cell_losses()?;
        if seen == 0.0 {
            let series = self.corridor.fewest_in_series(&self.opacity);
            let mut opened = self.opacity.clone();
            series.iter().for_each(|&i| opened[i] = 0.0);
            explanation.without_series = self.corridor.visibility(&opened) * self.factor() * self.screened();
            explanation.in_series = series.into_iter().map(|i| self.cells[i]).collect();
        }
        if let Some((hills, screens)) = &mut self.hills
            && screens.ridge < 1.0
        {
            explanation.least_height_m = hills.least_height_m()?;
        }
        Ok(())
    }

    /// What is left by all that acts on the whole.
    fn factor(&self) -> f64 {
        self.factors.iter().map(|(_, factor)| factor).product()
    }

    /// What hills and woods leave together, where relief is a horizon.
    fn screened(&self) -> f64 {
        self.hills.as_ref().map_or(1.0, |(_, screens)| screens.both)
    }

    /// The opacities with only some of the media acting (bit i: medium i).
    fn opacity_of(&self, media: usize) -> Vec<f32> {
        if media + 1 == 1 << self.media.len() {
            return self.opacity.clone();
        }
        let mut clear = vec![1.0; self.cells.len()];
        for (_, part) in self.media.iter().enumerate().filter(|(i, _)| media & (1 << i) != 0).map(|(_, medium)| medium)
        {
            clear.iter_mut().zip(part).for_each(|(clear, part)| *clear *= 1.0 - part);
        }
        // Rounding may lift a cell above what all media together make of it: fewer never take more.
        let opacity = clear.into_iter().map(|clear: f32| hardened(1.0 - clear, self.wall_at));
        opacity.zip(&self.opacity).map(|(less, all)| less.min(*all)).collect()
    }

    /// The opacities without one medium.
    fn opacity_without(&self, medium: usize) -> Vec<f32> {
        self.opacity_of(((1 << self.media.len()) - 1) & !(1 << medium))
    }

    /// What each cause takes, the greatest first.
    fn losses(&mut self) -> Result<Vec<Loss>, SightError> {
        let media = self.media.len();
        let left: Vec<f64> = (0..1 << media).map(|set| self.corridor.visibility(&self.opacity_of(set))).collect();
        let mut causes: Vec<Cause> = self.media.iter().map(|(cause, _)| *cause).collect();
        causes.extend(self.factors.iter().map(|(cause, _)| *cause));
        let screens = self.hills.as_ref().map(|(_, screens)| *screens);
        let screen_at = causes.len();
        if screens.is_some() {
            causes.extend([Cause::Ridge, Cause::Forest]);
        }
        let shares = shapley::parts(causes.len(), |set| {
            let factors = self.factors.iter().enumerate().filter(|(i, _)| set & (1 << (media + i)) != 0);
            let screened = match (screens, set >> screen_at) {
                (None, _) | (_, 0) => 1.0,
                (Some(screens), 1) => screens.ridge,
                (Some(screens), 2) => screens.forest,
                (Some(screens), _) => screens.both,
            };
            left[set & ((1 << media) - 1)] * factors.map(|(_, (_, factor))| factor).product::<f64>() * screened
        });
        let mut losses = Vec::new();
        for (i, (cause, share)) in causes.into_iter().zip(shares).enumerate() {
            let is_screen = i >= screen_at;
            if is_screen && share == 0.0 {
                continue;
            }
            let places = match cause {
                _ if !cause.has_place() => Vec::new(),
                Cause::Ridge if is_screen => self.horizon(),
                Cause::Forest if is_screen => self.woods()?,
                _ => self.places(i),
            };
            losses.push(Loss { cause, share, places });
        }
        losses.sort_by(|a, b| b.share.total_cmp(&a.share));
        Ok(losses)
    }

    /// Where a medium sits, that with the greatest gain first.
    fn places(&self, medium: usize) -> Vec<Place> {
        let without = self.opacity_without(medium);
        let gains = self.corridor.gains(&self.opacity, &without);
        let part = &self.media[medium].1;
        // Where nothing comes through, no single cell gains anything: then the densest count.
        let weight = |i: usize| (gains[i], part[i]);
        let more = |a: (f64, f32), b: (f64, f32)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1));
        let total = |group: &[usize]| {
            group.iter().map(|&i| weight(i)).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let mut groups = groups(&self.cells, part);
        groups.sort_by(|a, b| more(total(a), total(b)));
        groups.truncate(TRIED_PLACES);
        let seen = self.corridor.visibility(&self.opacity);
        let places = groups.into_iter().filter_map(|group| {
            let mut opacity = self.opacity.clone();
            group.iter().for_each(|&i| opacity[i] = without[i]);
            let most = *group.iter().min_by(|a, b| more(weight(**a), weight(**b)))?;
            Some(Place {
                cell: self.cells[most],
                cells: group.iter().map(|&i| self.cells[i]).collect(),
                gain: (self.corridor.visibility(&opacity) - seen) * self.factor() * self.screened(),
            })
        });
        best(places.collect())
    }

    /// The ridge that is the horizon, as one cell.
    fn horizon(&self) -> Vec<Place> {
        let Some((hills, screens)) = &self.hills else { return Vec::new() };
        let seen = self.corridor.visibility(&self.opacity) * self.factor();
        let gain = seen * (screens.forest - screens.both);
        hills.horizon().map(|cell| Place { cell, cells: vec![cell], gain }).into_iter().collect()
    }

    /// The woods below a horizon, each recomputed without its trees.
    fn woods(&mut self) -> Result<Vec<Place>, SightError> {
        let seen = self.corridor.visibility(&self.opacity) * self.factor();
        let Some((hills, screens)) = &mut self.hills else { return Ok(Vec::new()) };
        let part: Vec<f32> = self.cells.iter().map(|&cell| hills.wood(cell)).collect();
        let mut groups = groups(&self.cells, &part);
        let total = |group: &[usize]| group.iter().map(|&i| part[i]).sum::<f32>();
        groups.sort_by(|a, b| total(b).total_cmp(&total(a)));
        groups.truncate(TRIED_PLACES);
        let mut places = Vec::new();
        for group in groups {
            let Some(&most) = group.iter().max_by(|a, b| part[**a].total_cmp(&part[**b])) else { continue };
            let cells: Vec<IVec2> = group.iter().map(|&i| self.cells[i]).collect();
            let gain = (hills.left(true, Some(&cells))? - screens.both) * seen;
            places.push(Place { cell: self.cells[most], cells, gain });
        }
        Ok(best(places))
    }

    /// What each cell takes, that with the greatest gain first; of those alike, the denser and then the nearer.
    fn cell_losses(&mut self) -> Result<Vec<CellLoss>, SightError> {
        let clear = vec![0.0; self.cells.len()];
        let seen = self.corridor.visibility(&self.opacity);
        let factor = self.factor();
        let screened = self.screened();
        let gains = self.corridor.gains(&self.opacity, &clear);
        let cause = |i: usize| {
            let parts = self.media.iter().map(|(cause, part)| (*cause, part[i]));
            parts.reduce(|most, other| if other.1 > most.1 { other } else { most })
        };
        let air = |i: usize| {
            let (cell, opacity, gain) = (self.cells[i], self.opacity[i], gains[i] * factor * screened);
            (opacity > 0.0).then_some(CellLoss { cell, cause: cause(i)?.0, opacity, gain })
        };
        let mut losses: Vec<Option<CellLoss>> = (0..self.cells.len()).map(air).collect();
        if let Some((hills, _)) = &mut self.hills {
            let mut wooded: Vec<(usize, f32)> =
                self.cells.iter().map(|&cell| hills.wood(cell)).enumerate().filter(|(_, wood)| *wood > 0.0).collect();
            let aside = |i: usize| aside(self.corridor.cells()[i], self.corridor.target());
            wooded.sort_by(|a, b| (aside(a.0) > 1.0).cmp(&(aside(b.0) > 1.0)).then(b.1.total_cmp(&a.1)));
            for (i, wood) in wooded.into_iter().take(FELLED) {
                let without = hills.left(true, Some(&[self.cells[i]]))?;
                let gain = ((seen + gains[i]) * without - seen * screened) * factor;
                let opacity = 1.0 - (1.0 - self.opacity[i]) * (1.0 - wood);
                losses[i] = Some(CellLoss { cell: self.cells[i], cause: Cause::Forest, opacity, gain });
            }
        }
        let mut losses: Vec<CellLoss> = losses.into_iter().flatten().collect();
        losses.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(b.opacity.total_cmp(&a.opacity)));
        Ok(losses)
    }
}

/// How far a cell lies aside of the straight line to a target, both given from the viewer, in cells.
fn aside(cell: IVec2, target: IVec2) -> f64 {
    (cell.as_dvec2().perp_dot(target.as_dvec2()) / target.as_dvec2().length().max(1.0)).abs()
}

/// Those with the greatest gain, that first.
fn best(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    places.truncate(Explanation::MOST_PLACES);
    places
}

fn hardened(opacity: f32, wall_at: Option<f32>) -> f32 {
    wall_at.map_or(opacity, |wall_at| f32::from(u8::from(opacity >= wall_at)))
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
