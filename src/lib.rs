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

// `unsafe` is denied (see Cargo.toml) except in files that argue for it: `simd/dispatch.rs`, `sight/two_parent/avx512/`,
// `sight/two_parent/sweep/neighbourhood.rs`, and `explorer/web.rs` for the functions of the browser.

pub use glam;

mod job;
mod math;
mod named_enum;
mod setting;
mod simd;

#[cfg(feature = "files")]
pub mod atlas;
pub mod classic;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
#[doc(hidden)]
pub mod cli;
pub mod compare;
pub mod explain;
#[cfg(feature = "explorer")]
#[doc(hidden)]
pub mod explorer;
#[cfg(feature = "files")]
pub mod export;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "files")]
pub mod film;
pub mod grid;
pub mod light;
pub mod optics;
#[cfg(feature = "files")]
pub mod paint;
pub mod perception;
pub mod prelude;
pub mod preset;
pub mod scene;
pub mod sight;
pub mod viewshed;
pub mod world;

pub use grid::Grid;
pub use job::{Cancelled, Job};
pub use named_enum::UnknownName;
pub use sight::{FieldOfView, OpacityMap, SightConfig, View};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
