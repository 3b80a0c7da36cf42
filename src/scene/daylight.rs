//! The daylight of a scene on a map with roofs.

use crate::light::Daylight;
use crate::preset::Preset;
use crate::scene::Terrain;
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
