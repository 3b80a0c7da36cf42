//! Continuous field of view: how far can you see from here, and how well?
//!
//! farsight answers with a number from 0 to 1 for every cell of a map. Opacities may be anything from 0 (clear) to 1
//! (a wall): haze, a hedge, a wood, a hill.
//!
//! ```
//! use farsight::{FieldOfView, SightConfig, TextMap};
//!
//! let map = TextMap::parse(
//!     "...........\n\
//!      ....#......\n\
//!      @...5......\n\
//!      ...........",
//! )?;
//! let opacity = farsight::OpacityMap::try_from(map.opacity)?;
//! let mut fov = FieldOfView::new(SightConfig { radius: 10, ..Default::default() })?;
//! let view = fov.compute(&opacity, map.viewer.unwrap())?;
//!
//! let mut picture = String::new();
//! for y in 0..4 {
//!     for x in 0..11 {
//!         let tenths = (view.get(farsight::glam::ivec2(x, y)) * 10.0).round() as u32;
//!         picture.push(if tenths == 10 { '*' } else { char::from_digit(tenths, 10).unwrap() });
//!     }
//!     picture.push('\n');
//! }
//! assert_eq!(
//!     picture,
//!     "*****644330\n\
//!      *****122330\n\
//!      *****555555\n\
//!      *****988870\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is here
//!
//! | from | to | with |
//! |---|---|---|
//! | opacities | visibility | [`OpacityMap`], [`FieldOfView`], [`SightConfig`], [`View`], [`OffsetList`] |
//! | a seed | a world | [`World`], [`WorldConfig`], [`Dungeon`] |
//! | real terrain | a world | [`Heightmap`], [`Ground`], [`World::on_ground`] |
//! | a world and a viewer | opacities | [`Optics`], [`OpticsConfig`] |
//! | visibility | what one makes of it | [`Thresholds`], [`Memory`], [`Creatures`] |
//! | a preset | all of the above | [`Preset`], [`Scene`] |
//! | a scene | pixels and files | [`paint()`], [`Export`] |
//! | a scene and a walk | a film | [`Itinerary`], [`Film`] |
//! | a scene | how much every cell sees | [`AtlasPlan`], [`Atlas`] |
//! | a scene and a cell | why it is seen no better | [`Explanation`], [`Corridor`], [`Section`] |
//! | a scene | a line of an address or a shell | [`Link`] |
//!
//! The older methods, shadowcasting and ray casting, are in [`classic`], and measures to compare all of them in
//! [`compare`].
//!
//! # Features
//!
//! - `cli` (default): the command line.
//! - `explorer` (default): the window.
//! - `files` (with each of these): pictures, films, atlases, and the formats of maps and heightmaps, read and written.
//!
//! With `default-features = false` there is the library without clap, egui or macroquad, and without anything that
//! knows a file format but TOML: sight, worlds, presets and scenes.

// `unsafe` is denied (see Cargo.toml) but in three places that argue for it: the kernels in vectors of sixteen,
// `sight/sixteen/`, and of eight, `sight/eight/around.rs`, and on the page the functions of the browser, `explorer/web.rs`.

pub use glam;

#[cfg(feature = "files")]
mod atlas;
pub mod classic;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub mod cli;
pub mod compare;
mod explain;
#[cfg(feature = "explorer")]
pub mod explorer;
#[cfg(feature = "files")]
mod export;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod film;
mod gallery_maps;
mod grid;
mod grid_view;
mod job;
mod knob;
mod light;
#[cfg(feature = "files")]
mod link;
mod optics;
#[cfg(feature = "files")]
mod paint;
mod perception;
mod preset;
mod rect;
#[cfg(feature = "files")]
mod saved_walk;
mod scene;
mod sight;
mod text_map;
mod world;

#[cfg(all(feature = "files", not(target_arch = "wasm32")))]
pub use atlas::PartFile;
#[cfg(feature = "files")]
pub use atlas::{Atlas, AtlasCell, AtlasError, AtlasLayer, AtlasPart, AtlasPlan, Cells, PartError, Shard};
pub use explain::{Along, Cause, CellLoss, ExplainError, Explanation, Heights, Loss, Place, Section, SectionPoint};
#[cfg(feature = "files")]
pub use export::{Crop, Export, ExportOptions, PictureStyle, provenance};
#[cfg(feature = "files")]
pub use files::{
    AscError, CellSizeError, CsvError, Depth, FieldSource, FileError, Format, FormatError, GeoKeys, Georeference,
    Gradient, GroundSource, Heightmap, Labels, MAX_CELLS, MapFile, MapSource, NpyError, PngError, Provenance,
    ReadError, TiffReadError, WriteError, digest, write_picture,
};
#[cfg(all(feature = "files", not(target_arch = "wasm32")))]
pub use files::{
    NumberedName, Sequence, Source, Staged, read_field, read_heightmap, read_opacity_map, read_provenance, save,
    save_atomically, write_stdout,
};
#[cfg(feature = "files")]
pub use film::{Film, FilmError, FilmFrame, FilmOptions, Itinerary};
pub use gallery_maps::{GALLERY_MAPS, GalleryMap};
pub use grid::{Grid, GridError};
pub use grid_view::GridView;
pub use job::{Cancelled, Job};
pub use knob::{Kind, Knob, List};
pub use light::{ClockConfig, Lamp, LightMap, Rgb, RgbError};
#[cfg(feature = "files")]
pub use link::{Link, LinkError};
pub use optics::{Breakdown, Optics, OpticsConfig, Relief};
#[cfg(feature = "files")]
pub use paint::{
    Backdrop, FieldPicture, PaintOptions, Picture, Unseen, Zoom, legend, paint, paint_field, paint_ground, with_legend,
};
pub use perception::{
    CellMemory, Creature, Creatures, Habitat, Lookout, Memory, PerceptionConfig, Placed, Sense, Sighting, Species,
    Thresholds,
};
pub use preset::{PaintConfig, Preset, PresetError, Ramp, WeatherConfig, schema, shipped, shipped_names};
pub use rect::CellRect;
#[cfg(feature = "files")]
pub use saved_walk::{SavedWalk, SavedWalkError};
pub use scene::{Layer, Scene, SceneError, Terrain};
#[doc(hidden)]
pub use sight::Kernel;
pub use sight::{
    Accuracy, BeamList, Clearance, Corridor, Decay, DecayKind, FieldOfView, Land, Method, Offset, OffsetList,
    OpacityError, OpacityMap, PathRule, SightConfig, SightError, View, Weights, Woods,
};
pub use text_map::{TextMap, TextMapError};
pub use world::{
    Biome, Dungeon, DungeonConfig, DungeonError, Flow, Ground, Room, Water, World, WorldConfig, WorldError, WorldKind,
};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/library.md")]
struct LibraryGuide;
