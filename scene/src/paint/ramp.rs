//! Colour ramps of visibility and of layers.

use colorgrad::Gradient;

use super::colour::{Colour, between};
use crate::preset::Ramp;
use crate::scene::Layer;
use crate::world::{Biome, World};

/// 256 colours for values from 0 to 1.
pub(crate) struct ColourTable([Colour; 256]);

impl ColourTable {
    /// Returns the colour of a value; values outside [0, 1] are clamped.
    #[inline]
    pub(crate) fn at(&self, value: f32) -> Colour {
        self.0[(value.clamp(0.0, 1.0) * 255.0 + 0.5) as usize]
    }

    fn of(colour: impl Fn(f32) -> Colour) -> Self {
        Self(std::array::from_fn(|i| colour(i as f32 / 255.0)))
    }

    fn of_gradient(gradient: &impl Gradient) -> Self {
        Self::of(|value| {
            let [r, g, b, _] = gradient.at(value).to_rgba8();
            [f32::from(r), f32::from(g), f32::from(b)]
        })
    }
}

/// Returns the colours of visibility.
pub(crate) fn visibility_table(ramp: Ramp) -> ColourTable {
    match ramp {
        Ramp::Green => ColourTable::of(|v| [16.0 + 40.0 * v * v, 24.0 + 216.0 * v, 20.0 + 50.0 * v * v]),
        Ramp::Cividis => ColourTable::of_gradient(&colorgrad::preset::cividis()),
        Ramp::Viridis => ColourTable::of_gradient(&colorgrad::preset::viridis()),
        Ramp::Inferno => ColourTable::of_gradient(&colorgrad::preset::inferno()),
        Ramp::Grey => ColourTable::of(|v| [255.0 * v; 3]),
    }
}

/// Returns the colours of a ramp at equal steps from 0 to 1: red, green and blue.
pub fn ramp_colours(ramp: Ramp, steps: usize) -> Vec<[u8; 3]> {
    let (table, last) = (visibility_table(ramp), steps.saturating_sub(1).max(1) as f32);
    (0..steps).map(|i| table.at(i as f32 / last).map(|channel| channel.round() as u8)).collect()
}

/// The colours of a layer, and the limits of the ramp.
pub(super) struct LayerRamp {
    pub(super) table: ColourTable,
    pub(super) low: f32,
    pub(super) high: f32,
}

impl LayerRamp {
    /// Returns the colour of a value in the unit of the layer.
    #[inline]
    pub(super) fn at(&self, value: f32) -> Colour {
        self.table.at((value - self.low) / (self.high - self.low))
    }
}

/// Returns the ramp of a layer. Its limits are fixed, so that pictures are comparable, except those of elevation and
/// temperature, which are the range of the world, and those given by `range`.
pub(super) fn layer_ramp(layer: Layer, ramp: Ramp, world: Option<&World>, range: Option<[f32; 2]>) -> LayerRamp {
    const SHARE: [f32; 2] = [0.0, 1.0];
    let (table, [low, high]) = match layer {
        Layer::Visibility | Layer::Perceived | Layer::Light => (visibility_table(ramp), SHARE),
        Layer::Opacity => (ColourTable::of_gradient(&colorgrad::preset::magma()), range.unwrap_or(SHARE)),
        Layer::MinVisibleHeight => (ColourTable::of_gradient(&colorgrad::preset::viridis()), [0.0, 500.0]),
        Layer::SlopeMargin => (ColourTable::of(slope_margin), [-0.2, 0.2]),
        Layer::Humidity => (ColourTable::of_gradient(&colorgrad::preset::blues()), SHARE),
        Layer::Vegetation => (ColourTable::of_gradient(&colorgrad::preset::greens()), SHARE),
        Layer::Temperature => {
            let whole = || round_range(world.map_or([-20.0, 35.0], World::temperature_range_c));
            let [low, high] = range.unwrap_or_else(whole);
            (ColourTable::of(|v| temperature_within(low + v * (high - low), [low, high])), [low, high])
        }
        Layer::Elevation => {
            let [low, high] = round_range(world.map_or([-500.0, 3000.0], World::elevation_range_m));
            (ColourTable::of(|v| elevation_within(low + v * (high - low), [low, high])), [low, high])
        }
        Layer::Biome => {
            let last = (Biome::KNOWN.len() - 1) as f32;
            (ColourTable::of(|v| biome_colour(Biome::KNOWN[(v * last).round() as usize])), [0.0, last])
        }
    };
    LayerRamp { table, low, high }
}

/// The colours of a layer at equal steps between two values.
#[cfg(not(target_arch = "wasm32"))]
pub struct LayerColours {
    /// The colours.
    pub colours: Vec<[u8; 3]>,
    /// The values of the first and the last colour.
    pub range: [f32; 2],
}

/// Returns the colours of a layer of a world.
#[cfg(not(target_arch = "wasm32"))]
pub fn layer_colours(layer: Layer, ramp: Ramp, world: &World) -> LayerColours {
    let LayerRamp { table, low, high } = layer_ramp(layer, ramp, Some(world), None);
    LayerColours {
        colours: table.0.map(|colour| colour.map(|channel| channel.round() as u8)).to_vec(),
        range: [low, high],
    }
}

/// Returns purple below the horizon, white on it and orange above it; safe for colour-blind people.
fn slope_margin(value: f32) -> Colour {
    const STOPS: &[(f32, Colour)] = &[
        (0.0, [45.0, 0.0, 75.0]),
        (0.25, [128.0, 115.0, 172.0]),
        (0.5, [247.0, 247.0, 247.0]),
        (0.75, [224.0, 130.0, 20.0]),
        (1.0, [127.0, 59.0, 8.0]),
    ];
    between(STOPS, value)
}

/// Extends a range to multiples of a step of 1, 2 or 5 times a power of ten, at least 1: about five to ten steps.
pub(super) fn round_range([low, high]: [f32; 2]) -> [f32; 2] {
    let least = (high - low).max(10.0) / 10.0;
    let power = 10.0f32.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power);
    let low = (low / step).floor() * step;
    [low, ((high / step).ceil() * step).max(low + step)]
}

/// Returns the tint of an elevation in metres within a range. Sea and land each use all of their tints. Tints of land
/// follow the square root of the height above the lowest land, because most land is low.
fn elevation_within(metres: f32, [low, high]: [f32; 2]) -> Colour {
    let foot = low.max(0.0);
    elevation_tint(if metres < foot {
        metres / low * LOWEST_TINT_M
    } else {
        ((metres - foot) / (high - foot).max(1.0)).sqrt() * HIGHEST_TINT_M
    })
}

/// Returns the colour of a temperature in °C within a range: blue below 0 °C, red above it.
fn temperature_within(celsius: f32, [low, high]: [f32; 2]) -> Colour {
    let white = TEMPERATURE_WHITE;
    temperature(if low >= 0.0 {
        white + (1.0 - white) * (celsius - low) / (high - low)
    } else {
        white + celsius / (high / (1.0 - white)).max(-low / white)
    })
}

/// The position of 0 °C.
const TEMPERATURE_WHITE: f32 = 0.36;

/// Returns the colour at a position, from cold blue through white to warm red; safe for colour-blind people.
fn temperature(value: f32) -> Colour {
    const STOPS: &[(f32, Colour)] = &[
        (0.0, [5.0, 48.0, 97.0]),
        (0.2, [67.0, 147.0, 195.0]),
        (TEMPERATURE_WHITE, [240.0, 240.0, 240.0]),
        (0.6, [244.0, 165.0, 130.0]),
        (0.8, [214.0, 96.0, 77.0]),
        (1.0, [103.0, 0.0, 31.0]),
    ];
    between(STOPS, value)
}

/// The elevations beyond which tints are constant.
const LOWEST_TINT_M: f32 = -1000.0;
const HIGHEST_TINT_M: f32 = 2700.0;

/// Returns the tint of an elevation in metres above sea level: sand, brown, grey, snow; blue below 0. Green is reserved
/// for vegetation.
fn elevation_tint(metres: f32) -> Colour {
    const STOPS: &[(f32, Colour)] = &[
        (LOWEST_TINT_M, [24.0, 48.0, 92.0]),
        (-200.0, [40.0, 84.0, 136.0]),
        (-30.0, [84.0, 140.0, 180.0]),
        (-0.1, [126.0, 178.0, 202.0]),
        (0.0, [226.0, 216.0, 184.0]),
        (120.0, [219.0, 206.0, 164.0]),
        (400.0, [203.0, 180.0, 132.0]),
        (900.0, [172.0, 142.0, 106.0]),
        (1500.0, [146.0, 126.0, 112.0]),
        (2100.0, [160.0, 154.0, 152.0]),
        (HIGHEST_TINT_M, [236.0, 238.0, 244.0]),
    ];
    between(STOPS, metres)
}

/// Returns the colours of the numbers of [`Layer::Biome`].
pub(crate) fn biome_palette() -> Vec<[u8; 3]> {
    Biome::KNOWN.iter().map(|biome| biome_colour(*biome).map(|shade| shade as u8)).collect()
}

pub(super) fn biome_colour(biome: Biome) -> Colour {
    match biome {
        Biome::DeepSea => [30.0, 62.0, 112.0],
        Biome::ShallowSea => [84.0, 140.0, 180.0],
        Biome::Lake => [72.0, 128.0, 190.0],
        Biome::River => [60.0, 116.0, 196.0],
        Biome::Coast => [236.0, 222.0, 170.0],
        Biome::Wetland => [94.0, 130.0, 122.0],
        Biome::Desert => [232.0, 204.0, 140.0],
        Biome::Savanna => [202.0, 184.0, 92.0],
        Biome::Grassland => [166.0, 190.0, 100.0],
        Biome::Woodland => [92.0, 148.0, 76.0],
        Biome::TemperateRainforest => [44.0, 110.0, 80.0],
        Biome::TropicalRainforest => [20.0, 100.0, 44.0],
        Biome::Boreal => [62.0, 102.0, 90.0],
        Biome::Tundra => [158.0, 160.0, 132.0],
        Biome::Alpine => [150.0, 142.0, 140.0],
        Biome::Ice => [240.0, 246.0, 252.0],
        Biome::Unknown => [0.0; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_range_ends_on_round_numbers() {
        assert_eq!(round_range([-183.0, 612.0]), [-200.0, 700.0]);
        assert_eq!(round_range([5.3, 13.8]), [5.0, 14.0]);
        assert_eq!(round_range([-18.2, 31.0]), [-20.0, 35.0]);
        assert_eq!(round_range([7.0, 7.0]), [7.0, 8.0]);
    }

    #[test]
    fn ranges_use_all_colours_and_the_sea_is_blue() {
        let is_blue = |[red, _, blue]: Colour| blue > red;
        for range in [[-50.0, 200.0], [-4000.0, 9000.0], [-90.0, 0.0]] {
            assert!(is_blue(elevation_within(-1.0, range)), "{range:?}");
            assert_eq!(elevation_within(range[0], range), elevation_tint(LOWEST_TINT_M));
        }
        assert!(!is_blue(elevation_within(1.0, [-50.0, 200.0])));
        assert_eq!(elevation_within(200.0, [-50.0, 200.0]), elevation_tint(HIGHEST_TINT_M));
        assert_eq!(elevation_within(400.0, [400.0, 900.0]), elevation_tint(0.0));
        for range in [[4.0, 14.0], [-20.0, 35.0], [-30.0, -5.0]] {
            let ends = range.map(|celsius| temperature_within(celsius, range));
            assert_eq!(is_blue(ends[0]), range[0] < 0.0, "{range:?}");
            assert_eq!(is_blue(ends[1]), range[1] < 0.0, "{range:?}");
        }
    }
}
