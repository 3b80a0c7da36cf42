//! The summits of a world, by topographic prominence.

use super::hydrography::Water;
use super::peaks::peaks;
use super::place::{Place, PlaceKind};
use super::reduced_map::ReducedMap;
use super::world::World;

/// A summit has at least this prominence: a share of the height of the land, and a number of metres.
const MIN_SHARE: f32 = 0.03;
const MIN_PROMINENCE_M: f32 = 2.0;

/// Summits nearer to the edge of the map than this number of cells are left out: their ground may rise beyond it.
const MARGIN: i32 = 4;

/// Returns the summits, the most prominent first, and at most `max_len`. The prominence of the highest summit of an island
/// is its height above the sea, and without a sea that above the lowest cell.
pub(crate) fn summits(world: &World, map: &ReducedMap, max_len: usize) -> Vec<Place> {
    let (water, ground_m) = (map.water.as_slice(), map.ground_m.as_slice());
    let is_land = |i: usize| !ground_m[i].is_nan() && water[i] != Water::Sea;
    let has_sea = water.contains(&Water::Sea);
    let lowest = ground_m.iter().copied().fold(f32::NAN, f32::min);
    let base = if has_sea { world.config().sea_level() as f32 } else { lowest };
    let peaks = peaks(ground_m, map.size(), is_land);
    let Some(highest) = peaks.first().map(|peak| peak.value) else { return Vec::new() };
    let relief = highest - base;
    let min_prominence = (MIN_SHARE * relief).max(MIN_PROMINENCE_M);
    let last = world.ground_m().size() - 1 - MARGIN;
    let mut summits: Vec<Place> = Vec::new();
    for peak in peaks {
        let prominence = peak.value - peak.saddle.unwrap_or(base);
        if prominence < min_prominence {
            continue;
        }
        let cell = map.highest(map.block(peak.cell), world);
        if cell.cmpge(glam::IVec2::splat(MARGIN)).all() && cell.cmple(last).all() {
            let rank = 0.8 * (prominence / relief).min(1.0);
            summits.push(Place { rank, ..Place::nameless(PlaceKind::Summit, cell, prominence) });
        }
    }
    summits.sort_by(|a, b| b.extent.total_cmp(&a.extent)); // stable: peaks are in a fixed order
    summits.truncate(max_len);
    summits
}
