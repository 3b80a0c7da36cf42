//! Continuous field of view.

pub use glam;

pub mod classic;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub mod cli;
pub mod compare;
#[cfg(feature = "explorer")]
pub mod explorer;
mod export;
mod files;
mod gallery_maps;
mod grid;
mod job;
mod knob;
mod optics;
mod paint;
mod perception;
mod preset;
mod rect;
mod scene;
mod sight;
mod text_map;
mod world;

pub use export::{Crop, Export, ExportOptions, PictureStyle, provenance};
pub use files::{
    AscError, CsvError, Depth, FileError, Format, FormatError, Gradient, Heightmap, Labels, MAX_CELLS, MapFile,
    MapSource, NpyError, PngError, Provenance, ReadError, WriteError, digest, write_picture,
};
#[cfg(not(target_arch = "wasm32"))]
pub use files::{
    Source, Staged, read_heightmap, read_opacity_map, read_provenance, save, save_atomically, write_stdout,
};
pub use gallery_maps::{GALLERY_MAPS, GalleryMap};
pub use grid::{Grid, GridError};
pub use job::{Cancelled, Job};
pub use knob::{Kind, Knob};
pub use optics::{Optics, OpticsConfig, Relief};
pub use paint::{Backdrop, PaintOptions, Picture, Unseen, Zoom, legend, paint, paint_ground, with_legend};
pub use perception::{
    CellMemory, Creature, Creatures, Habitat, Memory, PerceptionConfig, Sense, Sighting, Species, Thresholds,
};
pub use preset::{PaintConfig, Preset, PresetError, Ramp, schema, shipped, shipped_names};
pub use rect::CellRect;
pub use scene::{Layer, Scene, SceneError, Terrain};
pub use sight::{
    Accuracy, BeamList, Decay, DecayKind, FieldOfView, Method, Offset, OffsetList, OpacityError, OpacityMap, PathRule,
    SightConfig, SightError, View, Weights,
};
pub use text_map::{TextMap, TextMapError};
pub use world::{
    Biome, Dungeon, DungeonConfig, DungeonError, Flow, Room, Water, World, WorldConfig, WorldError, WorldKind,
};
