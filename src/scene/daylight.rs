//! The daylight of a scene on a map with roofs.

#[cfg(feature = "explorer")]
use glam::IVec2;

use crate::light::Daylight;
use crate::preset::Preset;
use crate::scene::{Scene, Terrain};
use crate::sight::SightError;

/// Computes the daylight on a map with roofs; `None` for one without roofs and for a world, which are in full daylight.
pub(super) fn daylight(terrain: &Terrain, preset: &Preset) -> Result<Option<Daylight>, SightError> {
    let Terrain::Map(map) = terrain else { return Ok(None) };
    let Some(roofs) = map.roofs() else { return Ok(None) };
    Ok(Some(Daylight::with_path(map, roofs, preset.optics.daylight_reach_cells(), preset.sight.path)?))
}

/// Returns `true` if the same roofs get the same share of daylight with both presets.
pub(super) fn is_same_daylight(one: &Preset, other: &Preset) -> bool {
    one.sight.path == other.sight.path && one.optics.daylight_reach_cells() == other.optics.daylight_reach_cells()
}

impl Scene {
    /// Returns the share of the ambient light that reaches a cell under a roof, in [0, 1], or `None` under the open sky.
    #[cfg(feature = "explorer")]
    pub(crate) fn daylight_under_roof(&self, cell: IVec2) -> Option<f32> {
        let daylight = self.daylight.as_ref().filter(|daylight| daylight.has_roof(cell))?;
        Some(daylight.level_from(&self.terrain, cell, self.seen_light().best_view(cell).1))
    }

    /// Returns `true` if all cells are in full light, whatever else shines: by day, without roofs.
    pub(crate) fn is_fully_lit(&self) -> bool {
        self.optics.light >= 1.0 && self.daylight.is_none()
    }
}
