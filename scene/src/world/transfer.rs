//! Worlds and measured ground as bytes, which a page passes between its window and a worker.
//!
//! A world:
//!
//! ```text
//! 1 if a preview, else 0
//! elevation, surface, drainage, temperature, humidity, vegetation     a little-endian f32 a cell each
//! water, flow directions, biomes                                      a byte a cell each
//! the number of its places, 0 if nobody asked for them                a little-endian u32
//! of each its kind                                                    a byte
//!     its cell                                                        two little-endian i32
//!     extent, height, rank                                            a little-endian f32 each
//!     the length of its name, the name                                a little-endian u32, UTF-8
//!     the number of points of its course, the points                  a little-endian u32, two f32 each
//! ```
//!
//! Measured ground:
//!
//! ```text
//! columns, rows                                          a little-endian u32 each
//! 0, or a kind of CellSizes and its three numbers        a byte, and a little-endian f64 each
//! 1 if there is humidity, 1 if there is vegetation       a byte each
//! elevation, humidity, vegetation                        a little-endian f32 a cell each
//! ```

use std::sync::OnceLock;

use glam::{IVec2, Vec2};

use super::biome::Biome;
use super::cell_sizes::CellSizes;
use super::climate::Climate;
use super::config::WorldConfig;
use super::flow_directions::OFF_MAP;
use super::ground::{Ground, with_size_of};
use super::hydrography::{Flow, Hydrography, Water};
use super::place::{KnownPlaces, Place, PlaceKind};
use super::world::{GivenCover, World, range, row_sizes};
use farsight::grid::Grid;

const WATERS: [Water; 4] = [Water::None, Water::Sea, Water::Lake, Water::River];

impl World {
    /// Returns the fields of a generated world and its places, if they were asked for, for another thread or process that has its
    /// configuration.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (Self { hydrography, climate, .. }, biome) = (self, self.biome());
        let Hydrography { elevation, surface: _, water, flow } = hydrography;
        let Climate { temperature, humidity, vegetation } = climate;
        let mut bytes = Vec::with_capacity(1 + 27 * biome.as_slice().len());
        bytes.push(u8::from(self.is_preview));
        for field in [elevation, hydrography.surface(), &flow.drainage_km2, temperature, humidity, vegetation] {
            put_floats(&mut bytes, field);
        }
        bytes.extend(water.as_slice().iter().map(|water| *water as u8));
        bytes.extend(flow.directions.as_slice());
        bytes.extend(biome.as_slice().iter().map(|biome| *biome as u8));
        let places = self.places.0.get().map_or(&[][..], Vec::as_slice);
        put_len(&mut bytes, places.len());
        places.iter().for_each(|place| put_place(&mut bytes, place));
        bytes
    }

    /// Returns the world of a configuration from what [`to_bytes`](Self::to_bytes) returned, or `None` for other bytes.
    pub fn from_bytes(config: &WorldConfig, bytes: &[u8]) -> Option<Self> {
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
        let places = (0..fields.len()?).map(|_| fields.place()).collect::<Option<Vec<_>>>()?;
        let places = if places.is_empty() { KnownPlaces::default() } else { KnownPlaces(OnceLock::from(places)) };
        if !fields.bytes.is_empty() {
            return None;
        }
        Some(Self {
            config: config.clone(),
            elevation_range_m: range(&elevation),
            temperature_range_c: range(&temperature),
            hydrography: Hydrography {
                elevation,
                surface: Some(surface),
                water,
                flow: Flow { drainage_km2, directions },
            },
            climate: Climate { temperature, humidity, vegetation },
            biome: biome.into(),
            has_gaps: false,
            is_preview,
            is_on_given_ground: false,
            given: GivenCover::default(),
            row_sizes: None,
            window: None,
            places,
        })
    }
}

impl World {
    /// Returns the world that [`on_ground`](Self::on_ground) makes, from its fields.
    pub fn from_bytes_on_ground(ground: &Ground, config: &WorldConfig, bytes: &[u8]) -> Option<Self> {
        let config = with_size_of(&ground.elevation_m, &config.on_ground(ground.elevation_m.size())).ok()?;
        let mut world = Self::from_bytes(&config, bytes)?;
        world.has_gaps = ground.elevation_m.as_slice().iter().any(|elevation| elevation.is_nan());
        world.row_sizes = row_sizes(ground, &config);
        world.is_on_given_ground = true;
        world.given = GivenCover::of(ground);
        Some(world)
    }
}

impl Ground {
    /// Returns the ground as bytes. A [`window`](field@Self::window) is left out.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { elevation_m, humidity, vegetation, cell_sizes, window: _ } = self;
        let mut bytes: Vec<u8> =
            elevation_m.size().to_array().into_iter().flat_map(|side| (side as u32).to_le_bytes()).collect();
        let (kind, numbers) = match *cell_sizes {
            None => (0, [0.0; 3]),
            Some(CellSizes::Equal([x, y])) => (1, [x, y, 0.0]),
            Some(CellSizes::Geographic { north, cell: [x, y] }) => (2, [north, x, y]),
            Some(CellSizes::Mercator { north, cell: [x, y], spherical }) => (3 + u8::from(spherical), [north, x, y]),
        };
        bytes.push(kind);
        bytes.extend(numbers.into_iter().flat_map(f64::to_le_bytes));
        bytes.extend([humidity, vegetation].map(|field| u8::from(field.is_some())));
        for field in [Some(elevation_m), humidity.as_ref(), vegetation.as_ref()].into_iter().flatten() {
            put_floats(&mut bytes, field);
        }
        bytes
    }

    /// Returns the ground from what [`to_bytes`](Self::to_bytes) returned, or `None` for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields { width: 0, height: 0, bytes };
        let (width, height) = (fields.len()?, fields.len()?);
        let kind = fields.take(1)?[0];
        let mut number = || Some(f64::from_le_bytes(*fields.take(8)?.first_chunk()?));
        let [a, b, c] = [number()?, number()?, number()?];
        let cell_sizes = match kind {
            0 => None,
            1 => Some(CellSizes::Equal([a, b])),
            2 => Some(CellSizes::Geographic { north: a, cell: [b, c] }),
            3 | 4 => Some(CellSizes::Mercator { north: a, cell: [b, c], spherical: kind == 4 }),
            _ => return None,
        };
        let [has_humidity, has_vegetation] = *fields.take(2)?.first_chunk()?;
        (fields.width, fields.height) = (width, height);
        let elevation_m = fields.floats()?;
        let mut optional = |is_there: u8| if is_there == 0 { Some(None) } else { fields.floats().map(Some) };
        let (humidity, vegetation) = (optional(has_humidity)?, optional(has_vegetation)?);
        fields.bytes.is_empty().then_some(Self { elevation_m, humidity, vegetation, cell_sizes, window: None })
    }
}

/// Fields of the same size that follow each other, and other values.
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

    fn len(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(*self.take(4)?.first_chunk()?) as usize)
    }

    fn float(&mut self) -> Option<f32> {
        Some(f32::from_le_bytes(*self.take(4)?.first_chunk()?))
    }

    fn place(&mut self) -> Option<Place> {
        let kind = *PlaceKind::ALL.get(usize::from(self.take(1)?[0]))?;
        let mut coordinate = || Some(i32::from_le_bytes(*self.take(4)?.first_chunk()?));
        let at = IVec2::new(coordinate()?, coordinate()?);
        let [extent, height_m, rank] = [self.float()?, self.float()?, self.float()?];
        let name_len = self.len()?;
        let name = String::from_utf8(self.take(name_len)?.to_vec()).ok()?;
        let course = (0..self.len()?).map(|_| Some(Vec2::new(self.float()?, self.float()?))).collect::<Option<_>>()?;
        Some(Place { kind, name, at, extent, height_m, course, rank })
    }
}

fn put_len(bytes: &mut Vec<u8>, len: usize) {
    bytes.extend((len as u32).to_le_bytes());
}

fn put_place(bytes: &mut Vec<u8>, place: &Place) {
    let Place { kind, name, at, extent, height_m, course, rank } = place;
    bytes.push(*kind as u8);
    bytes.extend(at.to_array().into_iter().flat_map(i32::to_le_bytes));
    bytes.extend([*extent, *height_m, *rank].into_iter().flat_map(f32::to_le_bytes));
    put_len(bytes, name.len());
    bytes.extend(name.as_bytes());
    put_len(bytes, course.len());
    bytes.extend(course.iter().flat_map(|point| point.to_array()).flat_map(f32::to_le_bytes));
}

/// Appends the cells of a field.
fn put_floats(bytes: &mut Vec<u8>, field: &Grid<f32>) {
    let start = bytes.len();
    bytes.resize(start + 4 * field.as_slice().len(), 0);
    for (place, value) in bytes[start..].as_chunks_mut::<4>().0.iter_mut().zip(field.as_slice()) {
        *place = value.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;

    #[test]
    fn worlds_are_the_same_after_they_were_bytes() {
        let config = WorldConfig::default().with_width(190).with_height(170);
        for world in [World::generate, World::preview].map(|make| make(&config, Job::none()).unwrap()) {
            assert!(World::from_bytes(&config, &world.to_bytes()).unwrap().places.0.get().is_none(), "nobody asked");
            let places = world.places().to_vec();
            let same = World::from_bytes(&config, &world.to_bytes()).unwrap();
            assert_eq!(same.places.0.get().is_some(), !world.is_preview, "a preview has none");
            assert!(same == world && same.places() == places);
        }
    }

    #[test]
    fn measured_ground_and_its_world_are_the_same_after_they_were_bytes() {
        let mut ground = Ground::new(Grid::from_fn(40, 30, |cell| 9.0 * cell.x as f32 - 20.0));
        for (cell_sizes, gap, vegetation) in [
            (None, false, None),
            (Some(CellSizes::Equal([30.0, 20.0])), true, Some(Grid::new(40, 30, 0.5))),
            (Some(CellSizes::Geographic { north: 47.5, cell: [0.0003, 0.0002] }), false, None),
            (Some(CellSizes::Mercator { north: 51.0, cell: [0.0003, 0.0002], spherical: true }), false, None),
        ] {
            ground.cell_sizes = cell_sizes;
            ground.vegetation = vegetation;
            if gap {
                ground.elevation_m.as_mut_slice()[77] = f32::NAN;
            }
            let same = Ground::from_bytes(&ground.to_bytes()).unwrap();
            assert_eq!(same.to_bytes(), ground.to_bytes());
            assert_eq!((same.cell_sizes, same.elevation_m.size()), (ground.cell_sizes, ground.elevation_m.size()));
            let config = WorldConfig::default().with_cell_size_m(25.0);
            let world = World::on_ground(&ground, &config, Job::none()).unwrap();
            let found = World::from_bytes_on_ground(&ground, &config, &world.to_bytes()).unwrap();
            // A cell without data is NaN, which differs from itself.
            assert_eq!(format!("{found:?}"), format!("{world:?}"));
        }
        let bytes = ground.to_bytes();
        assert!(Ground::from_bytes(&bytes[..bytes.len() - 1]).is_none() && Ground::from_bytes(&[]).is_none());
    }

    #[test]
    fn bytes_of_no_world_are_refused() {
        let config = WorldConfig::default().with_width(40).with_height(30);
        let world = World::generate(&config, Job::none()).unwrap();
        let mut bytes = world.to_bytes();
        assert!(!world.places().is_empty());
        let with_places = world.to_bytes();
        for len in bytes.len()..with_places.len() {
            assert!(World::from_bytes(&config, &with_places[..len]).is_none(), "{len}");
        }
        assert!(World::from_bytes(&config.clone().with_width(41), &bytes).is_none());
        assert!(World::from_bytes(&config, &bytes[..bytes.len() - 1]).is_none());
        for from_end in [5, 40 * 30 + 5, 2 * 40 * 30 + 5] {
            let at = bytes.len() - from_end;
            let old = std::mem::replace(&mut bytes[at], 200);
            assert!(World::from_bytes(&config, &bytes).is_none(), "{from_end} from the end");
            bytes[at] = old;
        }
        assert!(World::from_bytes(&config, &[]).is_none());
    }
}
