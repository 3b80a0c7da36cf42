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
//! | … on my own map? | [`OpacityCells`](sight::OpacityCells) reads it through a closure, for all questions |
//! | … in one direction? | [`FieldOfView::compute_sector`], a cone of vision |
//! | Does the monster see me? | [`FieldOfView::line_of_sight`], one pair without a view; with cone, corners of the eye, night vision and memory of what it noticed: [`perception::Sense`] |
//! | … over hills? | [`Viewshed::line_of_sight`](viewshed::Viewshed::line_of_sight); by how much above or below the line: [`clearance_of`](viewshed::Viewshed::clearance_of) |
//! | Does a bush hide me? | [`Sense::concealment`](field@perception::Sense::concealment) |
//! | Who hears the door, and from where? | [`DistanceMap::weighted`](grid::DistanceMap::weighted) |
//! | Who sees whom? | [`FieldOfView::mutual`] |
//! | What do many see? | [`FieldOfView::compute_many`], on all cores |
//! | Yes or no? | [`View::sees`] with [`Method::SymmetricShadowcast`](sight::Method::SymmetricShadowcast): symmetric, with the walls around |
//! | A door opens. What now? | [`OpacityMap::toggle_door`] or [`OpacityMap::set`], then compute again; with lamps [`LightMap::toggle_door`](light::LightMap::toggle_door) |
//! | What is newly seen? | [`View::to_owned`] and [`OwnedView::changes_since`](sight::OwnedView::changes_since) |
//! | What was seen before? | [`Memory`](perception::Memory), which also tells what it saw for the first time |
//! | What do my units see together? | [`TeamView`](perception::TeamView) |
//! | How bright is a torch here? | [`LightMap::level_from`](light::LightMap::level_from), walls from the side that the viewer sees; multiply it with what is seen |
//! | Where does an arrow fly? | [`grid::Line::between`] lists the cells; [`line_of_sight`](FieldOfView::line_of_sight) says whether the target is in sight |
//!
//! # Modules
//!
//! In the order in which they build on each other:
//!
//! | module | what it is for | begin with |
//! |---|---|---|
//! | [`grid`] | maps of values, maps as text, lines of cells | [`Grid`], [`TextMap`](grid::TextMap) |
//! | [`sight`] | opacities in, visibilities out | [`FieldOfView`], [`OpacityMap`], [`SightConfig`] |
//! | [`corridor`] | the effect of each cell between viewer and target | [`Corridor`](corridor::Corridor) |
//! | [`viewshed`] | lines of sight over terrain | [`Viewshed`](viewshed::Viewshed), [`Surface`](viewshed::Surface) |
//! | `world` | worlds from a seed or from measured ground, dungeons (feature `scene`) | `world::World` |
//! | `optics` | opacities from air, vegetation and relief, in metres (feature `scene`) | `optics::Optics` |
//! | [`light`] | lamps and the time of day | [`LightMap`](light::LightMap) |
//! | [`perception`] | what is identified, glimpsed and remembered; creatures | [`Memory`](perception::Memory) |
//! | `preset` | the configuration of all of these, as TOML (feature `scene`) | `preset::Preset` |
//! | `scene` | all of these behind one type (feature `scene`) | `scene::Scene` |
//! | `explain` | why a cell is dim or dark (feature `scene`) | `explain::Explanation` |
//! | `compare` | errors, asymmetry and time of methods (feature `scene`) | `compare::Comparison` |
//! | `paint`, `files`, `export` | pixels and files (feature `files`) | `export::Export` |
//! | `film`, `atlas` | walks as films, how much every cell sees (feature `files`) | `film::Film`, `atlas::AtlasPlan` |
//! | `cumulative` | what several observers see together (feature `files`) | `cumulative::CumulativeView` |
//! | [`horizon`] | the skyline around an eye, and the distance of each pixel of a panorama | [`Horizon`](horizon::Horizon) |
//! | [`sky`] | horizons, sky-view factor and hours of sun of every cell | [`Sky`](sky::Sky) |
//! | `panorama` | what the eye sees all around, as a picture with names (feature `files`) | `panorama::PanoramaPainter` |
//!
//! [`prelude`] has the names that most programs need. [`Job`] reports the progress of long work and cancels it.
//!
//! # Features
//!
//! - `files`: pictures, films, atlases, and the formats of maps and heightmaps. It has `scene`.
//! - `scene`: worlds and dungeons, their optics, creatures, presets as TOML, scenes, explanations and comparisons. It has
//!   `parallel`.
//! - `parallel`: many views, lamps, and the exact method on all cores.
//! - `mint`: points and vectors of the crate of this name as cells ([`ToCell`](grid::ToCell)).
//!
//! Without any feature there are [`grid`], [`sight`], [`corridor`], [`viewshed`], [`horizon`], [`light`], [`sky`] and the memory of [`perception`], with
//! twelve crates.

#![forbid(unsafe_code)]
// docs.rs shows which feature each item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use glam;

#[cfg(feature = "scene")]
pub mod free_memory;
#[cfg(feature = "scene")]
mod guard_panics;
mod job;
mod math;
mod named_enum;
mod parallel;
#[cfg(feature = "scene")]
mod read_file;
mod row_requests;
mod setters;
mod sight_config;
mod simd;
mod view;
mod workspace_pool;

#[cfg(feature = "files")]
pub mod atlas;
#[cfg(feature = "scene")]
pub mod compare;
pub mod corridor;
#[cfg(feature = "files")]
pub mod cumulative;
#[cfg(feature = "scene")]
pub mod explain;
#[cfg(feature = "files")]
pub mod export;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "files")]
pub mod film;
pub mod grid;
pub mod horizon;
pub mod light;
#[cfg(feature = "scene")]
pub mod optics;
#[cfg(feature = "files")]
pub mod paint;
#[cfg(feature = "files")]
pub mod panorama;
pub mod perception;
pub mod prelude;
#[cfg(feature = "scene")]
pub mod preset;
#[cfg(feature = "scene")]
pub mod scene;
pub mod sight;
pub mod sky;
pub mod text;
pub mod viewshed;
#[cfg(feature = "scene")]
pub mod world;

pub use grid::Grid;
pub use job::{Cancelled, Job};
pub use named_enum::UnknownName;
pub use sight::{FieldOfView, OpacityMap, SightConfig, View};

/// The examples of the README, run as tests.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide, run as tests.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../docs/guide/library.md")]
struct LibraryGuide;

/// The same, of the page for users of other libraries.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../docs/guide/other-libraries.md")]
struct OtherLibrariesGuide;
