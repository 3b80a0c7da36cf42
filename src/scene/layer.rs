//! [`Layer`]: the fields of a scene that can be shown and exported.

use std::str::FromStr;

use glam::{IVec2, ivec2};

use super::error::SceneError;
use super::terrain::Terrain;
use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::scene::Scene;
use crate::sight::SightConfig;
use crate::viewshed::Viewshed;
use crate::world::Biome;

/// A field of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Layer {
    /// How well a cell is seen, in [0, 1], before light.
    #[default]
    Visibility,
    /// Visibility times light, in [0, 1].
    Perceived,
    /// Light on a cell, in [0, 1].
    Light,
    /// Opacity of a cell for this viewer, in [0, 1].
    Opacity,
    /// Least height over the ground, in metres, at which a target would be seen over the hills; NaN out of range.
    MinVisibleHeight,
    /// Slope of the line to the target less that of the horizon (rise over run); NaN out of range, and next to the
    /// viewer, where there is no horizon yet.
    SlopeMargin,
    /// Metres over the sea.
    Elevation,
    /// 0 to 1.
    Humidity,
    /// 0 to 1.
    Vegetation,
    /// °C.
    Temperature,
    /// Index of the biome in [`Biome::KNOWN`].
    Biome,
}

impl Layer {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Visibility,
        Self::Perceived,
        Self::Light,
        Self::Opacity,
        Self::MinVisibleHeight,
        Self::SlopeMargin,
        Self::Elevation,
        Self::Humidity,
        Self::Vegetation,
        Self::Temperature,
        Self::Biome,
    ];

    /// `visibility`, `elevation`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Visibility => "visibility",
            Self::Perceived => "perceived",
            Self::Light => "light",
            Self::Opacity => "opacity",
            Self::MinVisibleHeight => "min-visible-height",
            Self::SlopeMargin => "slope-margin",
            Self::Elevation => "elevation",
            Self::Humidity => "humidity",
            Self::Vegetation => "vegetation",
            Self::Temperature => "temperature",
            Self::Biome => "biome",
        }
    }

    /// Unit of its values, or empty.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Elevation | Self::MinVisibleHeight => "m",
            Self::Temperature => "°C",
            _ => "",
        }
    }

    /// Whether it is a field of a world, which neither a map of opacities nor a dungeon has.
    pub fn is_of_world(self) -> bool {
        matches!(self, Self::Elevation | Self::Humidity | Self::Vegetation | Self::Temperature | Self::Biome)
    }

    /// Whether its values lie in [0, 1].
    pub fn is_share(self) -> bool {
        !matches!(self, Self::MinVisibleHeight | Self::SlopeMargin | Self::Elevation | Self::Temperature | Self::Biome)
    }
}

impl FromStr for Layer {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|layer| layer.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|layer| layer.name()).collect();
            format!("there is no layer {name:?}; there are {}", names.join(", "))
        })
    }
}

impl Scene {
    /// The values of a layer in a part of the map, row after row. Of a cell without data, fields of the world are NaN
    /// and visibility is 0.
    ///
    /// # Errors
    /// [`SceneError::NoSuchLayer`] for a field of a world where there is only a map.
    pub fn layer(&self, layer: Layer, frame: CellRect) -> Result<Grid<f32>, SceneError> {
        let frame = frame.intersect(CellRect::of_size(self.size()));
        let each = |value: &dyn Fn(IVec2) -> f32| {
            Ok(Grid::from_fn(frame.width(), frame.height(), |offset| value(frame.min + offset)))
        };
        let field = |field: Option<&Grid<f32>>| match field {
            Some(grid) => each(&|cell| grid[cell]),
            None => Err(SceneError::NoSuchLayer(layer.name())),
        };
        match layer {
            Layer::Visibility => each(&|cell| self.visibility(cell)),
            Layer::Perceived => each(&|cell| self.perceived(cell)),
            Layer::Light => each(&|cell| self.light(cell)),
            Layer::Opacity => {
                let mut grid = Grid::new(frame.width(), frame.height(), 0.0);
                let rows = if frame.width() == 0 { 0 } else { frame.height() }; // a frame off the map has no cells
                for y in 0..rows {
                    let start = frame.min + ivec2(0, y as i32);
                    self.terrain.fill_row(self.viewer, start, grid.row_mut(y));
                }
                Ok(grid)
            }
            Layer::MinVisibleHeight | Layer::SlopeMargin => {
                let Terrain::World(optics) = &self.terrain else { return Err(SceneError::NoSuchLayer(layer.name())) };
                let config = SightConfig { radius: self.radius(), ..self.preset.sight.clone() };
                let mut viewshed = Viewshed::new(config)?;
                let clearance = viewshed.clearance(&optics.surface(), self.viewer, Job::quiet())?;
                each(&|cell| {
                    let value = match layer {
                        Layer::SlopeMargin => clearance.slope_margin(cell),
                        _ => clearance.least_height(cell),
                    };
                    value.unwrap_or(f32::NAN)
                })
            }
            Layer::Elevation => field(self.terrain.field(|world| world.elevation_m())),
            Layer::Humidity => field(self.terrain.field(|world| world.humidity())),
            Layer::Vegetation => field(self.terrain.field(|world| world.vegetation())),
            Layer::Temperature => field(self.terrain.field(|world| world.temperature_c())),
            Layer::Biome => match self.world() {
                Some(world) => each(&|cell| match world.biome()[cell] {
                    Biome::Unknown => f32::NAN,
                    biome => biome as u8 as f32,
                }),
                None => Err(SceneError::NoSuchLayer(layer.name())),
            },
        }
    }

    /// The biome of a cell, or `None` off the map, where there is no world, and where nobody measured the ground.
    pub fn biome(&self, cell: IVec2) -> Option<Biome> {
        self.world().and_then(|world| world.biome().get(cell).copied()).filter(|biome| *biome != Biome::Unknown)
    }
}
