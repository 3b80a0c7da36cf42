//! Colours for values: the ramps of visibility and of the data layers.

use colorgrad::Gradient;

use super::colour::{Colour, between};
use crate::preset::Ramp;
use crate::scene::Layer;
use crate::world::Biome;

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

/// The ramp of a layer; its ends are fixed, so that pictures can be compared.
pub(super) fn of_layer(layer: Layer, ramp: Ramp) -> LayerRamp {
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
        Layer::Temperature => LayerRamp { table: Table::of(temperature), low: -20.0, high: 35.0 },
        Layer::Elevation => {
            let [low, high] = [-500.0, 3000.0];
            LayerRamp { table: Table::of(|v| elevation_tint(low + v * (high - low))), low, high }
        }
        Layer::Biome => {
            let last = (Biome::ALL.len() - 1) as f32;
            LayerRamp { table: Table::of(|v| biome(Biome::ALL[(v * last).round() as usize])), low: 0.0, high: last }
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

/// From cold blue over white at 0 °C to warm red; even steps for colour-blind eyes.
fn temperature(value: f32) -> Colour {
    const STOPS: &[(f32, Colour)] = &[
        (0.0, [5.0, 48.0, 97.0]),
        (0.2, [67.0, 147.0, 195.0]),
        (0.36, [240.0, 240.0, 240.0]),
        (0.6, [244.0, 165.0, 130.0]),
        (0.8, [214.0, 96.0, 77.0]),
        (1.0, [103.0, 0.0, 31.0]),
    ];
    between(STOPS, value)
}

/// The tint of a height, metres over the sea: lowland sand, brown hills, grey rock, snow; blue
/// below the sea. Green is kept for vegetation.
pub(super) fn elevation_tint(metres: f32) -> Colour {
    const STOPS: &[(f32, Colour)] = &[
        (-1000.0, [24.0, 48.0, 92.0]),
        (-200.0, [40.0, 84.0, 136.0]),
        (-30.0, [84.0, 140.0, 180.0]),
        (-0.1, [126.0, 178.0, 202.0]),
        (0.0, [226.0, 216.0, 184.0]),
        (120.0, [219.0, 206.0, 164.0]),
        (400.0, [203.0, 180.0, 132.0]),
        (900.0, [172.0, 142.0, 106.0]),
        (1500.0, [146.0, 126.0, 112.0]),
        (2100.0, [160.0, 154.0, 152.0]),
        (2700.0, [236.0, 238.0, 244.0]),
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
