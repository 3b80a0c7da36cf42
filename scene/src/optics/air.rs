//! [`air_transmittance`]: the transmittance of the air of all cells.

use farsight::internal::parallel::*;
use fearless_simd::Level;

use super::config::OpticsConfig;
use crate::world::World;
use farsight::grid::Grid;
use farsight::internal::math::{exp2_approx, hermite_f32, log2_approx};
use farsight::internal::simd::dispatch;

/// Computes the transmittance of the air of each cell; a nodata cell has the reference humidity.
pub(super) fn air_transmittance(world: &World, config: &OpticsConfig) -> Grid<f32> {
    if !config.has_air() {
        return Grid::new(world.width(), world.height(), 1.0);
    }
    let air = AirTerms::new(config, world.shortest_side_m());
    let mut cells = world.humidity().clone();
    cells.as_mut_slice().par_chunks_mut(4096).for_each(|cells| dispatch!(Level::new(), _ => air.fill(cells)));
    cells
}

/// [`OpticsConfig::air_extinction_per_m`] over the shortest side of a cell, lane by lane: the bits do not depend on the width of
/// vectors.
#[derive(Clone, Copy)]
struct AirTerms {
    /// Optical depth of haze at the reference humidity, as an exponent of 2.
    haze: f32,
    growth: f32,
    /// Optical depth of the thickest fog, as an exponent of 2.
    fog: f32,
    fog_onset: f64,
    /// The reciprocal of the humidity range from the onset to the thickest fog.
    fog_steepness: f64,
}

impl AirTerms {
    fn new(config: &OpticsConfig, length: f64) -> Self {
        let depth = |extinction: f64| (extinction * length * std::f64::consts::LOG2_E) as f32;
        let has_fog = config.fog_onset < 1.0;
        Self {
            haze: depth(config.haze_extinction_per_m(OpticsConfig::REFERENCE_HUMIDITY)),
            growth: config.humidity_growth as f32,
            fog: depth(config.fog_extinction_per_m(1.0)),
            fog_onset: config.fog_onset,
            fog_steepness: if has_fog { 1.0 / (1.0 - config.fog_onset) } else { 0.0 },
        }
    }

    /// Replaces humidities by transmittances.
    #[inline(always)]
    fn fill(self, cells: &mut [f32]) {
        for cell in cells {
            *cell = self.transmittance(*cell);
        }
    }

    /// Returns the transmittance of a cell from its humidity.
    #[inline(always)]
    fn transmittance(self, humidity: f32) -> f32 {
        let humidity = if humidity.is_nan() { OpticsConfig::REFERENCE_HUMIDITY } else { f64::from(humidity) };
        let damp = if humidity < 0.99 { humidity } else { 0.99 };
        let damp = ((1.0 - OpticsConfig::REFERENCE_HUMIDITY) / (1.0 - damp)) as f32;
        let haze = self.haze * exp2_approx(log2_approx(damp) * self.growth);
        let t = (humidity - self.fog_onset) * self.fog_steepness;
        let t = if t > 0.0 { t } else { 0.0 };
        let t = if t < 1.0 { t as f32 } else { 1.0 };
        let fog = self.fog * hermite_f32(t);
        let depth = haze + fog;
        exp2_approx(if depth < 126.0 { -depth } else { -126.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::internal::simd::levels;

    fn configs() -> impl Iterator<Item = OpticsConfig> {
        let ranges = [10.0, 300.0, 25_000.0, f64::INFINITY];
        ranges.into_iter().flat_map(|visual_range_m| {
            [(0.0, 0.0), (0.5, 0.85), (2.0, 0.999), (1.3, 1.0)].map(|(humidity_growth, fog_onset)| OpticsConfig {
                visual_range_m,
                humidity_growth,
                fog_onset,
                fog_visual_range_m: 40.0,
                ..OpticsConfig::default()
            })
        })
    }

    fn humidities() -> Vec<f32> {
        (0..=5000).map(|step| step as f32 / 5000.0).chain([0.998_9, 0.999_1, f32::NAN]).collect()
    }

    #[test]
    fn transmittance_follows_the_extinction() {
        for config in configs() {
            for length in [1.0, 100.0] {
                let air = AirTerms::new(&config, length);
                for humidity in humidities() {
                    let known = if humidity.is_nan() { 0.4 } else { f64::from(humidity) };
                    let exact = libm::exp(-config.air_extinction_per_m(known) * length);
                    let found = air.transmittance(humidity);
                    assert!((f64::from(found) - exact).abs() < 1e-6, "{found} at {humidity}, not {exact}: {config:?}");
                    assert!((0.0..=1.0).contains(&found));
                }
            }
        }
    }

    #[test]
    fn without_haze_and_fog_transmittance_is_1() {
        let air =
            AirTerms::new(&OpticsConfig { visual_range_m: f64::INFINITY, fog_onset: 1.0, ..Default::default() }, 1e4);
        assert!(humidities().into_iter().all(|humidity| air.transmittance(humidity) == 1.0));
    }

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        for config in configs() {
            let air = AirTerms::new(&config, 100.0);
            let filled = |level| {
                let mut cells = humidities();
                dispatch!(level, _ => air.fill(&mut cells));
                cells.into_iter().map(f32::to_bits).collect::<Vec<_>>()
            };
            let narrow = filled(Level::baseline());
            assert!(levels().into_iter().all(|level| filled(level) == narrow));
        }
    }
}
