//! Continuous field of view: how far can you see from here, and how well?
//!
//! farsight computes the visibility of every cell of a map from one viewer, as a number from 0 (hidden) to 1 (in plain
//! view). The opacity of a cell is a number, too, from 0 (clear) to 1 (a wall): haze, a hedge, a wood.
//!
//! ```
//! use farsight::glam::ivec2;
//! use farsight::grid::TextMap;
//! use farsight::{FieldOfView, OpacityMap, SightConfig};
//!
//! let map = TextMap::parse(
//!     "...........\n\
//!      ....#......\n\
//!      @...5......\n\
//!      ...........",
//! )?;
//! let viewer = map.viewer.unwrap();
//! let opacity = OpacityMap::try_from(map)?;
//! let mut fov = FieldOfView::new(SightConfig::default().with_radius(10))?;
//! let view = fov.compute(&opacity, viewer)?;
//!
//! let mut picture = String::new();
//! for y in 0..4 {
//!     for x in 0..11 {
//!         let tenths = (view.get(ivec2(x, y)) * 10.0).round() as u32;
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
//! # Questions that games ask
//!
//! | question | answer |
//! |---|---|
//! | What is seen from here? | [`FieldOfView::compute`] gives a [`View`] |
//! | … on my own map? | [`OpacityCells`](sight::OpacityCells) reads it through a closure, for all questions; it may have chunks and no edge |
//! | … in one direction? | [`FieldOfView::compute_sector`], a cone of vision |
//! | Yes or no? | [`View::sees`] with [`SymmetricShadowcast`](sight::Method::SymmetricShadowcast), with the walls around |
//! | … with the walls of a room, at a threshold? | [`View::with_walls`] |
//! | Does the monster see me? | [`FieldOfView::line_of_sight`], one pair without a view; with a cone, peripheral vision, night vision and memory: [`perception::Sense`] |
//! | … over hills? | [`Viewshed::line_of_sight`](viewshed::Viewshed::line_of_sight); the clearance of the line: [`clearance_of`](viewshed::Viewshed::clearance_of) |
//! | Does a bush hide me? | [`Sense::concealment`](field@perception::Sense::concealment) |
//! | Who hears the door, and from which direction? | [`DistanceMap::weighted`](grid::DistanceMap::weighted) |
//! | Who sees whom? | [`FieldOfView::mutual`] |
//! | What do many viewers see? | [`FieldOfView::compute_many`], on all cores |
//! | A door opens. What now? | [`OpacityMap::toggle_door`] or [`OpacityMap::set`], then compute again; with lamps [`LightMap::toggle_door`](light::LightMap::toggle_door) |
//! | What is newly seen? | [`View::to_owned`] and [`OwnedView::changes_since`](sight::OwnedView::changes_since) |
//! | What was seen before? | [`Memory`](perception::Memory), which also reports newly discovered cells |
//! | What do my units see together? | [`TeamView`](perception::TeamView) |
//! | How bright is a torch here? | [`LightMap::level_from`](light::LightMap::level_from), walls from the side that the viewer sees |
//! | What does the player perceive in the dark? | visibility times light: `view.get(cell) * light.level_from(&map, cell, player).max(ambient)` |
//! | Where does an arrow fly? | [`grid::Line::between`] lists the cells; [`line_of_sight`](FieldOfView::line_of_sight) returns whether the target is in sight |
//!
//! # Which method a game wants
//!
//! | the game | [`Method`](sight::Method) | value of a cell |
//! |---|---|---|
//! | binary and symmetric: a roguelike, tactics | [`SymmetricShadowcast`](sight::Method::SymmetricShadowcast) | [`View::sees`] |
//! | soft edges, hedges, smoke and fog; lamps | [`TwoParent`](sight::Method::TwoParent), the default and the fastest | its value, as brightness |
//! | true shadows, sharp and partial | [`Beam`](sight::Method::Beam) | its value, the fraction in sight |
//! | the reference, for measurements | [`Exact`](sight::Method::Exact) | its value |
//!
//! With two parents do not decide by [`View::sees`]: through a door of one cell, a third of the floor that it reports is not in sight.
//!
//! # Questions that GIS asks
//!
//! A DEM is a [`Grid`] of heights: `Surface::of(&heights, cell_size)`.
//!
//! | question | answer |
//! |---|---|
//! | Which ground is visible from here? | [`Viewshed::compute`](viewshed::Viewshed::compute), with `with_radius(SightConfig::UNLIMITED)`: the default is 32 cells |
//! | From how many of these points is it visible? | [`Viewshed::for_each_viewer`](viewshed::Viewshed::for_each_viewer) computes the views on all cores, [`TeamView::count`](perception::TeamView::count) counts |
//! | How high must a mast be to be seen? | [`Clearance::least_height`](viewshed::Clearance::least_height) |
//! | How high must the eye be to see a cell? | [`Viewshed::least_eye_heights`](viewshed::Viewshed::least_eye_heights) |
//! | By how much is a line of sight blocked? | [`Viewshed::clearance_of`](viewshed::Viewshed::clearance_of) |
//! | What is the skyline, and the ridges before it? | [`Horizon`](horizon::Horizon) |
//! | How much sky, how many hours of sun? | [`Sky`](sky::Sky) |
//! | Nodata, rectangular cells, curvature of the Earth? | NaN in the grid, [`CellSize`](grid::CellSize), [`Surface::with_curvature`](viewshed::Surface::with_curvature) |
//! | A GeoTIFF? | the package `farsight-scene` reads and writes it |
//!
//! # Speed of dev builds
//!
//! Cargo compiles dependencies without optimisation in dev builds, in which a view takes a hundred times as long. Add to the
//! `Cargo.toml` of your program:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! # Modules
//!
//! In the order in which they build on each other:
//!
//! | module | purpose | begin with |
//! |---|---|---|
//! | [`grid`] | maps of values, maps as text, lines of cells | [`Grid`], [`TextMap`](grid::TextMap) |
//! | [`sight`] | opacities in, visibilities out | [`FieldOfView`], [`OpacityMap`], [`SightConfig`] |
//! | [`corridor`] | the effect of each cell between viewer and target | [`Corridor`](corridor::Corridor) |
//! | [`viewshed`] | lines of sight over terrain | [`Viewshed`](viewshed::Viewshed), [`Surface`](viewshed::Surface) |
//! | [`light`] | lamps and the time of day | [`LightMap`](light::LightMap) |
//! | [`perception`] | recognition and memory | [`Memory`](perception::Memory) |
//! | [`horizon`] | the skyline around an eye, and the distance of each pixel of a panorama | [`Horizon`](horizon::Horizon) |
//! | [`sky`] | horizons, sky-view factor and hours of sun of every cell | [`Sky`](sky::Sky) |
//!
//! # Conventions
//!
//! - **Paths.** A type is in the module of its subject. Those of the first lines are at the root, too, and the [`prelude`] has the names
//!   that most programs need.
//! - **Cells.** Whatever names one cell takes what is [`ToCell`](grid::ToCell): `IVec2`, pairs and arrays, types of a game. Results,
//!   fields and arguments of closures are [`IVec2`](glam::IVec2). A coordinate beyond `i32` is `i32::MAX`, which is off every map.
//! - **Jobs.** What may take longer than a frame takes a [`Job`] as its last argument, before a closure. [`Job::none`] reports nothing.
//! - **Configurations** such as [`SightConfig`], [`Lamp`](light::Lamp) or [`Surface`](viewshed::Surface) are `#[non_exhaustive]`. They begin
//!   with a default or a constructor; `with_…` sets a field in an expression, and fields can be assigned. Values and results such as
//!   [`Sector`](sight::Sector), [`CellRect`](grid::CellRect) or [`Accuracy`](sight::Accuracy) have public fields. Types with buffers or a
//!   rule that their values keep, such as [`FieldOfView`] or [`OpacityMap`], have private ones.
//! - **Versions.** `glam` and, with its feature, `mint` are part of the API. Another incompatible version of one of them comes with a
//!   breaking release only.
//!
//! Worlds, presets, scenes, pictures and file formats are in the package `farsight-scene`.
//!
//! # Features
//!
//! - `sweep`, on by default: two parents in vectors. Without it they are computed by their definition: the same bits, in more time and 150 kB less code.
//! - `parallel`: many views, lamps, horizons and the exact method on all cores.
//! - `mint`: points and vectors of the crate mint as cells ([`ToCell`](grid::ToCell)).

#![forbid(unsafe_code)]
// docs.rs shows which feature each item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use glam;

mod job;
mod math;
mod named_enum;
mod parallel;
mod row_requests;
mod setters;
mod sight_config;
mod simd;
mod text;
mod view;
mod workspace_pool;

pub mod corridor;
pub mod grid;
pub mod horizon;
#[doc(hidden)]
pub mod internal;
pub mod light;
pub mod perception;
pub mod prelude;
pub mod sight;
pub mod sky;
pub mod viewshed;

pub use grid::Grid;
pub use job::{Cancelled, Job};
pub use named_enum::UnknownName;
pub use sight::{FieldOfView, OpacityMap, SightConfig, View};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
