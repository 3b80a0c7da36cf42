//! Colours for values: the ramps of visibility and of the data layers.

use colorgrad::Gradient;

use super::colour::{Colour, between};
use crate::preset::Ramp;
use crate::scene::Layer;
use crate::world::{Biome, World};

/// 256 colours for values from 0 to 1.
pub(crate) struct Table([Colour; 256]);

impl Table {
    /// The colour of a value; values outside [0, 1] take the nearest.
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

/// The colours of visibility; `None` for daylight, which darkens the land itself.
pub(crate) fn of_visibility(ramp: Ramp) -> Option<Table> {
    match ramp {
        Ramp::Daylight => None,
        Ramp::Green => Some(Table::of(|v| [16.0 + 40.0 * v * v, 24.0 + 216.0 * v, 20.0 + 50.0 * v * v])),
        Ramp::Cividis => Some(Table::of_gradient(&colorgrad::preset::cividis())),
        Ramp::Viridis => Some(Table::of_gradient(&colorgrad::preset::viridis())),
        Ramp::Inferno => Some(Table::of_gradient(&colorgrad::preset::inferno())),
        Ramp::Grey => Some(Table::of(|v| [255.0 * v; 3])),
    }
}

/// The colours of values that belong to no view; daylight would have none.
pub(super) fn field_table(ramp: Ramp) -> Table {
    of_visibility(ramp).unwrap_or_else(|| Table::of_gradient(&colorgrad::preset::viridis()))
}

/// The colours of a data layer, with the values at its ends.
pub(super) struct LayerRamp {
    pub(super) table: Table,
    pub(super) low: f32,
    pub(super) high: f32,
}

impl LayerRamp {
    /// The colour of a value in the layer's unit.
    #[inline]
    pub(super) fn at(&self, value: f32) -> Colour {
        self.table.at((value - self.low) / (self.high - self.low))
    }
}

/// The ramp of a layer. Its ends are fixed, so that pictures can be compared, but for elevation and temperature: these
/// span what there is of them in the world, or little of it could be told apart.
pub(super) fn of_layer(layer: Layer, ramp: Ramp, world: Option<&World>) -> LayerRamp {
    let share = |table| LayerRamp { table, low: 0.0, high: 1.0 };
    match layer {
        Layer::Visibility | Layer::Perceived | Layer::Light => {
            share(of_visibility(ramp).unwrap_or_else(|| Table::of_gradient(&colorgrad::preset::cividis())))
        }
        Layer::Opacity => share(Table::of_gradient(&colorgrad::preset::magma())),
        Layer::MinVisibleHeight => {
            LayerRamp { table: Table::of_gradient(&colorgrad::preset::viridis()), low: 0.0, high: 500.0 }
        }
        Layer::SlopeMargin => LayerRamp { table: Table::of(slope_margin), low: -0.2, high: 0.2 },
        Layer::Humidity => share(Table::of_gradient(&colorgrad::preset::blues())),
        Layer::Vegetation => share(Table::of_gradient(&colorgrad::preset::greens())),
        Layer::Temperature => {
            let [low, high] = pleasant(world.map_or([-20.0, 35.0], World::temperature_range_c));
            LayerRamp { table: Table::of(|v| temperature_within(low + v * (high - low), [low, high])), low, high }
        }
        Layer::Elevation => {
            let [low, high] = pleasant(world.map_or([-500.0, 3000.0], World::elevation_range_m));
            LayerRamp { table: Table::of(|v| elevation_within(low + v * (high - low), [low, high])), low, high }
        }
        Layer::Biome => {
            let last = (Biome::KNOWN.len() - 1) as f32;
            LayerRamp { table: Table::of(|v| biome(Biome::KNOWN[(v * last).round() as usize])), low: 0.0, high: last }
        }
    }
}

/// From purple below the horizon over white on it to orange above; even steps for colour-blind eyes.
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

/// The ends of a range, set apart to whole steps of 1, 2 or 5 times a power of ten, at least 1: about five to ten of them.
fn pleasant([low, high]: [f32; 2]) -> [f32; 2] {
    let least = (high - low).max(10.0) / 10.0;
    let power = 10.0f32.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power);
    let low = (low / step).floor() * step;
    [low, ((high / step).ceil() * step).max(low + step)]
}

/// The tint of a height in metres within a range of heights: sea and land keep their colours, and take all of them. Most
/// land is low: its tints go with the square root of its height.
fn elevation_within(metres: f32, [low, high]: [f32; 2]) -> Colour {
    let foot = low.max(0.0);
    elevation_tint(if metres < foot {
        metres / low * LOWEST_TINT_M
    } else {
        ((metres - foot) / (high - foot).max(1.0)).sqrt() * HIGHEST_TINT_M
    })
}

/// The colour of a temperature in °C within a range: blue for frost, red for warmth, as much as there is of either.
fn temperature_within(celsius: f32, [low, high]: [f32; 2]) -> Colour {
    let white = TEMPERATURE_WHITE;
    temperature(if low >= 0.0 {
        white + (1.0 - white) * (celsius - low) / (high - low)
    } else {
        white + celsius / (high / (1.0 - white)).max(-low / white)
    })
}

/// Where 0 °C is.
const TEMPERATURE_WHITE: f32 = 0.36;

/// From cold blue over white to warm red; even steps for colour-blind eyes.
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

/// The depth and the height from which tints stay the same.
const LOWEST_TINT_M: f32 = -1000.0;
const HIGHEST_TINT_M: f32 = 2700.0;

/// The tint of a height, metres over the sea: lowland sand, brown hills, grey rock, snow; blue
/// below the sea. Green is kept for vegetation.
pub(super) fn elevation_tint(metres: f32) -> Colour {
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

/// The colour of a biome on its own layer.
pub(super) fn biome(biome: Biome) -> Colour {
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
    fn ranges_end_on_round_numbers() {
        assert_eq!(pleasant([-183.0, 612.0]), [-200.0, 700.0]);
        assert_eq!(pleasant([5.3, 13.8]), [5.0, 14.0]);
        assert_eq!(pleasant([-18.2, 31.0]), [-20.0, 35.0]);
        assert_eq!(pleasant([7.0, 7.0]), [7.0, 8.0]);
    }

    #[test]
    fn a_small_range_takes_all_colours_and_the_sea_stays_blue() {
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
