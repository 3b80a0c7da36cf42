//! Overworlds and dungeons from a seed, and worlds on measured ground.
//!
//! # Stages of an overworld
//!
//! ```text
//! continents ─► elevation ◄─► erosion              coarse to fine
//!                   │
//!                   ▼
//!        lakes and rivers ─► temperature ─► humidity ─► vegetation ─► biomes
//! ```
//!
//! [`World::generate`] runs these stages in order:
//!
//! 1. **Continents** (`continents`). A field that is positive on land: one ellipse of random size and rotation in each cell of a
//!    jittered grid, its outline bent by domain warping (K. Perlin and E. M. Hoffert, *Hypertexture*, 1989) and made
//!    ragged by octaves of gradient noise (K. Perlin, *An image synthesizer*, 1985; *Improving noise*, 2002). Sea level
//!    is the quantile at which the configured fraction of the map is land.
//! 2. **Elevation** (`elevation`). Hills rise with the exact distance from the coast (P. Felzenszwalb and D. Huttenlocher, *Distance
//!    transforms of sampled functions*, 2012). Mountain ranges follow the lines where stretched noise changes sign:
//!    ridged noise (F. K. Musgrave in *Texturing & Modeling: A Procedural Approach*, 1994).
//! 3. **Erosion** (`elevation`). Rivers cut valleys by the stream power law, solved implicitly (J. Braun and S. D. Willett, *A very
//!    efficient O(n), implicit and parallel method to solve the stream power equation*, 2013), and soil creeps downhill.
//!    Stages 1 to 3 start on a coarse grid and run once on each level of a resolution pyramid, each interpolated from
//!    the coarser one by the four-point scheme (N. Dyn, D. Levin and J. A. Gregory, 1987).
//! 4. **Lakes and rivers** (`flow_directions`, `drainage`, `hydrography`). Flow directions to the steepest of eight neighbours (D8: J. F. O'Callaghan and D. M. Mark,
//!    *The extraction of drainage networks from digital elevation data*, 1984), routed through depressions by a
//!    minimum spanning tree of drainage basins (G. Cordonnier, B. Bovy and J. Braun, *A versatile, linear complexity
//!    algorithm for flow routing in topographies with depressions*, 2019). Depression filling turns deep and wide
//!    depressions into lakes; cells with enough flow accumulation become rivers.
//! 5. **Temperature** (`climate`). Latitude and height, with the lapse rate of the International Standard Atmosphere.
//! 6. **Humidity** (`climate`). Air crosses the map along the wind, takes up water over the sea and loses it over land.
//!    Its capacity falls with height, so the windward side of a range is wet and the lee is dry: a rain shadow.
//! 7. **Vegetation** (`climate`). Dense where it is humid, mild and not too steep; none above the tree line or in water.
//! 8. **Biomes** (`biome`). A classification by temperature, moisture and vegetation after R. H. Whittaker's diagram
//!    (*Communities and Ecosystems*, 1975), for cells that are not water, coast or high mountains.
//!
//! [`World::from_dem`] and [`World::from_fields`] start at a later stage, with data of the caller.
//! [`Dungeon::generate`] creates rooms and corridors by binary space partitioning (BSP).
//!
//! Work on rows (`noise`, `pyramid`, flow directions, climate) is plain arithmetic, compiled for the vectors of the processor.
//!
//! A world is a pure function of its [`WorldConfig`]: the same bits on every platform and on any number of threads.

mod biome;
mod cell_sizes;
mod climate;
mod config;
mod continents;
mod drainage;
mod dungeon;
mod elevation;
mod field;
mod flow_directions;
mod ground;
mod hydrography;
mod lazy;
mod neighbours;
mod noise;
pub(crate) mod packed;
mod packed_world;
mod painting;
mod place;
mod place_namer;
mod places;
mod preview;
mod pyramid;
mod reduced_map;
mod settling;
mod stroke;
mod surface_model;
#[cfg(test)]
mod tests;
mod water_bodies;
#[expect(clippy::module_inception, reason = "the file is named by its type")]
mod world;

pub use biome::Biome;
pub use cell_sizes::CellSizes;
pub use config::{WorldConfig, WorldError, WorldKind};
pub use dungeon::{Dungeon, DungeonConfig, DungeonError};
pub use field::WorldField;
pub use ground::{Ground, RasterWindow};
pub use hydrography::{Flow, Water};
pub use neighbours::NEIGHBOURS;
pub(crate) use neighbours::map_nearest;
pub use packed_world::PackedWorld;
pub(crate) use painting::WorldPatch;
pub use place::{Place, PlaceKind};
pub use stroke::{Brush, Stroke};
pub(crate) use stroke::{Footprint, common_strokes, differing_cells, settling_strokes};
pub use surface_model::{Crowns, EyeOn, SurfaceKind, SurfaceModel};
pub use world::World;
