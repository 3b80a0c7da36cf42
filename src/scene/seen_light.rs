//! [`SeenLight`]: visibility and light of cells together, as viewer and observers see them.

use glam::IVec2;

use super::view_window::ViewWindow;
use crate::light::{Daylight, LightMap};
use crate::optics::OpticsConfig;
use crate::perception::Observer;
use crate::scene::Terrain;

/// The parts of a scene on which it depends how well cells are perceived.
pub(super) struct SeenLight<'s> {
    pub(super) terrain: &'s Terrain,
    pub(super) optics: &'s OpticsConfig,
    pub(super) lamps: &'s LightMap,
    /// On a map with roofs.
    pub(super) daylight: Option<&'s Daylight>,
    pub(super) viewer: IVec2,
    pub(super) own_view: &'s ViewWindow,
    pub(super) observers: &'s [Observer],
    /// The views of the observers.
    pub(super) observer_views: &'s [ViewWindow],
}

impl SeenLight<'_> {
    /// Returns visibility times light of a cell, in [0, 1].
    #[inline]
    pub(super) fn perceived(&self, cell: IVec2) -> f32 {
        let (visibility, eye) = self.best_view(cell);
        if visibility == 0.0 { 0.0 } else { visibility * self.light(eye, cell) }
    }

    /// Returns the greatest visibility of a cell, and from where it is seen so well: the viewer's cell or an observer's.
    #[inline]
    pub(super) fn best_view(&self, cell: IVec2) -> (f32, IVec2) {
        let mut best = (self.own_view.visibility(cell), self.viewer);
        for (observer, view) in self.observers.iter().zip(self.observer_views) {
            let visibility = view.visibility(cell);
            if visibility > best.0 {
                best = (visibility, observer.at);
            }
        }
        best
    }

    /// Returns the light on a cell, in [0, 1], as it is seen from `eye`.
    #[inline]
    pub(super) fn light(&self, eye: IVec2, cell: IVec2) -> f32 {
        let lamps = self.lamps.level_from(self.terrain, cell, eye);
        let light = self.without_lamps(eye, cell);
        if lamps == 0.0 { light } else { (light + lamps).min(1.0) }
    }

    /// Returns the share of the ambient light that reaches a cell, in [0, 1], as it is seen from `eye`.
    #[inline]
    pub(super) fn ambient_share(&self, eye: IVec2, cell: IVec2) -> f32 {
        self.daylight.map_or(1.0, |daylight| daylight.level_from(self.terrain, cell, eye))
    }

    /// Returns the light of day and lantern on a cell, in [0, 1], as it is seen from `eye`.
    #[inline]
    fn without_lamps(&self, eye: IVec2, cell: IVec2) -> f32 {
        let share = self.ambient_share(eye, cell);
        if self.optics.light >= 1.0 && share >= 1.0 {
            return 1.0;
        }
        self.optics.light_under(share, self.terrain.distance(self.viewer, cell))
    }

    /// Returns the colour of the light on a cell, each channel in [0, 1], or `None` if lamps add nothing. It is the colour of
    /// the lamps, mixed with white by the share of other light.
    pub(super) fn hue(&self, cell: IVec2) -> Option<[f32; 3]> {
        let (_, eye) = self.best_view(cell);
        let (light, without) = (self.light(eye, cell), self.without_lamps(eye, cell));
        if light <= without {
            return None;
        }
        let share = (light - without) / light;
        Some(self.lamps.hue_from(self.terrain, cell, eye).map(|channel| 1.0 + (channel - 1.0) * share))
    }
}
