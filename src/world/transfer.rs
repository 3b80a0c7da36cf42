//! Worlds as bytes, which a page passes from a worker to the window.
//!
//! ```text
//! 1 if a preview, else 0
//! elevation, surface, drainage, temperature, humidity, vegetation     a little-endian f32 a cell each
//! water, flow directions, biomes                                      a byte a cell each
//! ```

use super::biome::Biome;
use super::climate::Climate;
use super::config::WorldConfig;
use super::flow_directions::OFF_MAP;
use super::hydrography::{Flow, Hydrography, Water};
use super::world::{World, range};
use crate::grid::Grid;

const WATERS: [Water; 4] = [Water::None, Water::Sea, Water::Lake, Water::River];

impl World {
    /// Returns the fields of a generated world.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Self { hydrography, climate, biome, .. } = self;
        let Hydrography { elevation, surface, water, flow } = hydrography;
        let Climate { temperature, humidity, vegetation } = climate;
        let mut bytes = Vec::with_capacity(1 + 27 * biome.as_slice().len());
        bytes.push(u8::from(self.is_preview));
        for field in [elevation, surface, &flow.drainage_km2, temperature, humidity, vegetation] {
            bytes.extend(field.as_slice().iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(water.as_slice().iter().map(|water| *water as u8));
        bytes.extend(flow.directions.as_slice());
        bytes.extend(biome.as_slice().iter().map(|biome| *biome as u8));
        bytes
    }

    /// Returns the world of a configuration from its fields, or `None` if they are none of such a world.
    pub(crate) fn from_bytes(config: &WorldConfig, bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields { width: config.width as usize, height: config.height as usize, bytes };
        let is_preview = fields.take(1)?[0] != 0;
        let [elevation, surface, drainage_km2, temperature, humidity, vegetation] = [
            fields.floats()?,
            fields.floats()?,
            fields.floats()?,
            fields.floats()?,
            fields.floats()?,
            fields.floats()?,
        ];
        let water = fields.codes(|code| WATERS.get(code).copied())?;
        let directions = fields.codes(|code| (code <= usize::from(OFF_MAP)).then_some(code as u8))?;
        let biome = fields.codes(|code| Biome::ALL.get(code).copied())?;
        if !fields.bytes.is_empty() {
            return None;
        }
        Some(Self {
            config: config.clone(),
            elevation_range_m: range(&elevation),
            temperature_range_c: range(&temperature),
            hydrography: Hydrography { elevation, surface, water, flow: Flow { drainage_km2, directions } },
            climate: Climate { temperature, humidity, vegetation },
            biome,
            has_gaps: false,
            is_preview,
            cell_sizes: None,
            window: None,
        })
    }
}

/// Fields of the same size that follow each other.
struct Fields<'a> {
    width: usize,
    height: usize,
    bytes: &'a [u8],
}

impl<'a> Fields<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(first)
    }

    fn floats(&mut self) -> Option<Grid<f32>> {
        let bytes = self.take(self.width.checked_mul(self.height)?.checked_mul(4)?)?;
        let (values, _) = bytes.as_chunks::<4>();
        let values = values.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        Grid::from_vec(self.width, self.height, values).ok()
    }

    fn codes<T>(&mut self, decode: impl Fn(usize) -> Option<T>) -> Option<Grid<T>> {
        let bytes = self.take(self.width.checked_mul(self.height)?)?;
        let values = bytes.iter().map(|&code| decode(code.into())).collect::<Option<Vec<T>>>()?;
        Grid::from_vec(self.width, self.height, values).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;

    #[test]
    fn worlds_are_the_same_after_they_were_bytes() {
        let config = WorldConfig::default().with_width(190).with_height(170);
        for world in [World::generate, World::preview].map(|make| make(&config, Job::quiet()).unwrap()) {
            assert!(World::from_bytes(&config, &world.to_bytes()) == Some(world));
        }
    }

    #[test]
    fn bytes_of_no_world_are_refused() {
        let config = WorldConfig::default().with_width(40).with_height(30);
        let mut bytes = World::generate(&config, Job::quiet()).unwrap().to_bytes();
        assert!(World::from_bytes(&config.clone().with_width(41), &bytes).is_none());
        assert!(World::from_bytes(&config, &bytes[..bytes.len() - 1]).is_none());
        for from_end in [1, 40 * 30 + 1, 2 * 40 * 30 + 1] {
            let at = bytes.len() - from_end;
            let old = std::mem::replace(&mut bytes[at], 200);
            assert!(World::from_bytes(&config, &bytes).is_none(), "{from_end} from the end");
            bytes[at] = old;
        }
        assert!(World::from_bytes(&config, &[]).is_none());
    }
}
