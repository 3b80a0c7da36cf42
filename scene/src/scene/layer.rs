//! [`Layer`]: a field of a scene for display and export.

use glam::IVec2;

use super::placement;

use crate::optics::Relief;
use crate::scene::{Scene, SceneError, Terrain};
use farsight::Job;
use farsight::grid::{CellRect, Grid, ToCell};
use farsight::internal::parallel::*;
use farsight::named_enum;

use crate::preset::{DecayKind, Preset};
use crate::world::{Biome, World, WorldError, WorldField, WorldKind, settling_strokes};
use farsight::viewshed::Viewshed;

named_enum! {
    /// A field of a scene.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Layer: "layer" {
        /// Visibility of a cell, in [0, 1], regardless of light.
        #[default]
        Visibility = "visibility",
        /// Visibility times light, in [0, 1].
        Perceived = "perceived",
        /// Light on a cell, in [0, 1].
        Light = "light",
        /// Opacity of a cell for this viewer, in [0, 1].
        Opacity = "opacity",
        /// The minimum height above ground of a target that is visible over the hills, in metres; NaN out of range.
        MinVisibleHeight = "min-visible-height",
        /// Slope of the line to the target minus slope of the horizon (rise over run). NaN out of range and next to the
        /// viewer, without a horizon.
        SlopeMargin = "slope-margin",
        /// Metres above sea level.
        Elevation = "elevation",
        /// Relative humidity, in [0, 1].
        Humidity = "humidity",
        /// Density of vegetation, in [0, 1].
        Vegetation = "vegetation",
        /// Mean temperature in °C.
        Temperature = "temperature",
        /// Index of the biome in [`Biome::KNOWN`].
        Biome = "biome",
    }
}

impl Layer {
    /// Returns the unit of the values, or an empty text.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Elevation | Self::MinVisibleHeight => "m",
            Self::Temperature => "°C",
            _ => "",
        }
    }

    /// Returns `true` for a field of a world, which opacity maps and dungeons lack.
    pub fn is_of_world(self) -> bool {
        matches!(self, Self::Elevation | Self::Humidity | Self::Vegetation | Self::Temperature | Self::Biome)
    }

    /// Returns the field of a generated world for the layer, if it needs only a part of the world.
    pub fn world_field(self) -> Option<WorldField> {
        match self {
            Self::Elevation => Some(WorldField::Elevation),
            Self::Humidity => Some(WorldField::Humidity),
            Self::Vegetation => Some(WorldField::Vegetation),
            Self::Temperature => Some(WorldField::Temperature),
            _ => None,
        }
    }

    /// Returns `true` for a visibility, which is 0 out of range.
    pub fn is_of_view(self) -> bool {
        matches!(self, Self::Visibility | Self::Perceived)
    }

    /// Returns `true` if the values are in [0, 1].
    pub fn is_share(self) -> bool {
        !matches!(self, Self::MinVisibleHeight | Self::SlopeMargin | Self::Elevation | Self::Temperature | Self::Biome)
    }
}

impl Scene {
    /// Generates a field of the world of a preset of open country: the values of its layer in the scene of the preset.
    /// It computes only the inputs of the field: no view and, without strokes, not the rest of the world.
    ///
    /// # Errors
    /// [`SceneError`]; [`SceneError::NoSuchLayer`] for a preset of a dungeon.
    pub fn generate_field(preset: &Preset, field: WorldField, job: Job<'_>) -> Result<Grid<f32>, SceneError> {
        preset.check()?;
        if preset.world.kind == WorldKind::Dungeon {
            let layer = Layer::ALL.iter().find(|layer| layer.world_field() == Some(field));
            return Err(SceneError::NoSuchLayer(layer.map_or("", |layer| layer.name())));
        }
        preset.world.check()?; // the size, before cells on it
        placement::check_in_world(IVec2::new(preset.world.width as i32, preset.world.height as i32), preset)?;
        if preset.strokes.is_empty() {
            return Ok(field.generate(&preset.world, job)?);
        }
        let mut world = World::generate(&preset.world, job)?;
        let settling = settling_strokes(&preset.strokes);
        if !settling.is_empty() {
            world = world.settled(settling, job).map_err(WorldError::from)?;
        }
        for stroke in &preset.strokes[settling.len()..] {
            world.paint(stroke);
        }
        Ok(field.of(&world).clone())
    }

    /// Returns the values of a layer in a part of the map. In nodata cells, fields of the world are NaN and visibility
    /// is 0.
    ///
    /// # Errors
    /// [`SceneError::NoSuchLayer`] for a field of a world on an opacity map; [`SceneError::Sight`].
    pub fn layer(&self, layer: Layer, frame: CellRect) -> Result<Grid<f32>, SceneError> {
        let frame = frame.intersect(CellRect::of_size(self.size()));
        let each = |value: &(dyn Fn(IVec2) -> f32 + Sync)| {
            let mut values = Grid::new(frame.width(), frame.height(), 0.0);
            let rows = values.as_mut_slice().par_chunks_exact_mut(frame.width().max(1));
            rows.zip(frame.min.y..frame.max.y).for_each(|(row, y)| {
                row.iter_mut().zip(frame.min.x..).for_each(|(out, x)| *out = value(IVec2::new(x, y)));
            });
            Ok(values)
        };
        let field = |field: Option<&Grid<f32>>| match field {
            Some(grid) => {
                let mut values = Grid::new(frame.width(), frame.height(), 0.0);
                for y in 0..if frame.width() == 0 { 0 } else { frame.height() } {
                    let row = &grid.row(frame.min.y as usize + y)[frame.min.x as usize..];
                    values.row_mut(y).copy_from_slice(&row[..frame.width()]);
                }
                Ok(values)
            }
            None => Err(SceneError::NoSuchLayer(layer.name())),
        };
        match layer {
            Layer::Visibility if self.observer_views.is_empty() => Ok(self.own_view.values(frame)),
            Layer::Visibility => each(&|cell| self.visibility(cell)),
            Layer::Perceived => each(&|cell| self.perceived(cell)),
            Layer::Light => each(&|cell| self.light(cell)),
            Layer::Opacity => Ok(self.terrain.opacities(self.viewer, frame)),
            Layer::MinVisibleHeight | Layer::SlopeMargin => {
                let Terrain::World(optics) = &self.terrain else { return Err(SceneError::NoSuchLayer(layer.name())) };
                let config = self.preset.sight.config().with_radius(self.radius());
                let mut viewshed = Viewshed::new(config)?;
                let clearance = viewshed.clearance(&optics.surface(self.viewer), self.viewer, Job::none())?;
                each(&|cell| {
                    let value = match layer {
                        Layer::SlopeMargin => clearance.slope_margin(cell),
                        _ => clearance.least_height(cell),
                    };
                    value.unwrap_or(f32::NAN)
                })
            }
            Layer::Elevation => field(self.world().map(|world| world.elevation_m())),
            Layer::Humidity => field(self.world().map(|world| world.humidity())),
            Layer::Vegetation => field(self.world().map(|world| world.vegetation())),
            Layer::Temperature => field(self.world().map(|world| world.temperature_c())),
            Layer::Biome => match self.world() {
                Some(world) => each(&|cell| match world.biome()[cell] {
                    Biome::Unknown => f32::NAN,
                    biome => biome as u8 as f32,
                }),
                None => Err(SceneError::NoSuchLayer(layer.name())),
            },
        }
    }

    /// Returns `true` if each value of a layer is 0 or 1: a visibility that depends only on the shape of the ground.
    pub fn is_binary(&self, layer: Layer) -> bool {
        let (Terrain::World(optics), sight) = (&self.terrain, &self.preset.sight) else { return false };
        let config = optics.config();
        let has_soft_edges = config.relief_softness_m > 0.0 || sight.decay.kind != DecayKind::None;
        let counts_relief = config.relief == Relief::LineOfSight && !sight.method.is_binary();
        let woods = optics.surface(self.viewer).canopy.filter(|canopy| canopy.extinction > 0.0);
        let is_clear = !config.has_air() && woods.is_none();
        layer == Layer::Visibility && counts_relief && is_clear && !has_soft_edges
    }

    /// Returns the biome of a cell, or `None` off the map, without a world, and in cells without data.
    pub fn biome(&self, cell: impl ToCell) -> Option<Biome> {
        let cell = cell.to_cell();
        self.world().and_then(|world| world.biome().get(cell).copied()).filter(|biome| *biome != Biome::Unknown)
    }
}
