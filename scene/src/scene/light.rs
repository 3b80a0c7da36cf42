//! The light of a scene: lamps, and the daylight on a map with roofs.

use crate::optics::OpticsConfig;
use crate::preset::Preset;
use crate::scene::Terrain;
use farsight::Job;
use farsight::grid::CellRect;
use farsight::light::{Daylight, Lamp, LightMap, Surroundings};
use farsight::sight::{SightError, View};
use farsight::viewshed::Viewshed;

impl Surroundings for Terrain {
    fn extent(&self) -> CellRect {
        CellRect::of_size(self.size())
    }

    #[inline]
    fn is_wall(&self, cell: glam::IVec2) -> bool {
        match self {
            Self::World(_) => false,
            Self::Map(opacity) => opacity.is_wall(cell),
        }
    }

    fn shine<'v>(&self, lamp: &Lamp, viewshed: &'v mut Viewshed) -> Result<View<'v>, SightError> {
        self.with_eye_height(lamp.height_m).view(viewshed, lamp.at, Job::none())
    }
}

/// Computes the light of lamps.
pub(super) fn lamp_light(terrain: &Terrain, preset: &Preset, lamps: &[Lamp]) -> Result<LightMap, SightError> {
    let mut light = LightMap::new(terrain).with_path(preset.sight.path).with_seed(preset.world.seed);
    light.insert_many(terrain, lamps)?;
    Ok(light)
}

/// Replaces the lamps of a light map by a list, and computes only the light of lamps that differ.
pub(super) fn update_lamps(light: &mut LightMap, terrain: &Terrain, lamps: &[Lamp]) -> Result<(), SightError> {
    let old: Vec<_> = light.lamps().map(|(id, lamp)| (id, lamp.clone())).collect();
    let same_first = old.iter().zip(lamps).take_while(|((_, old), new)| old == *new).count();
    let (old, lamps) = (&old[same_first..], &lamps[same_first..]);
    let same_last = old.iter().rev().zip(lamps.iter().rev()).take_while(|((_, old), new)| old == *new).count();
    let (changed, added) = (&old[..old.len() - same_last], &lamps[..lamps.len() - same_last]);
    // Lamps keep the order of the list: a lamp that is inserted before others gets the index of the first of them.
    let (changed, added) = if added.len() > changed.len() { (old, lamps) } else { (changed, added) };
    for ((id, _), lamp) in changed.iter().zip(added) {
        light.replace(terrain, *id, lamp.clone())?;
    }
    for (id, _) in changed.iter().skip(added.len()) {
        light.remove(*id);
    }
    light.insert_many(terrain, added.get(changed.len()..).unwrap_or_default())?;
    Ok(())
}

/// Returns `true` if lamps give the same light with both optics.
pub(super) fn is_same_for_lamps(old: &OpticsConfig, new: &OpticsConfig) -> bool {
    // The light of lamps depends neither on other light nor on the viewer.
    let relevant = |optics: &OpticsConfig| {
        let optics = optics.clone().with_light(0.0).with_lantern(0.0).with_daylight_reach(None);
        optics.with_eye_height_m(0.0).with_radius_per_100m(0.0)
    };
    relevant(old) == relevant(new)
}

/// Computes the daylight on a map with roofs; `None` for a map without roofs and for a world, which are in full
/// daylight.
pub(super) fn daylight(terrain: &Terrain, preset: &Preset) -> Result<Option<Daylight>, SightError> {
    let Terrain::Map(map) = terrain else { return Ok(None) };
    let Some(roofs) = map.roofs() else { return Ok(None) };
    Ok(Some(Daylight::with_path(map, roofs, preset.optics.daylight_reach_cells(), preset.sight.path)?))
}

/// Returns `true` if the same roofs get the same fraction of daylight with both presets.
pub(super) fn is_same_daylight(old: &Preset, new: &Preset) -> bool {
    old.sight.path == new.sight.path && old.optics.daylight_reach_cells() == new.optics.daylight_reach_cells()
}
