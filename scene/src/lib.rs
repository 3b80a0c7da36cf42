//! Worlds, presets, scenes, pictures and file formats for [farsight], used by its program and by any program with
//! scenes.
//!
//! # Modules
//!
//! In the order in which they build on each other:
//!
//! | module | purpose | begin with |
//! |---|---|---|
//! | [`world`] | worlds from a seed or from measured ground, dungeons | [`World`](world::World) |
//! | [`optics`] | opacities from air, vegetation and relief, in metres | [`Optics`](optics::Optics) |
//! | [`creatures`] | creatures: habitats, eyes, recognition | [`Creatures`](creatures::Creatures) |
//! | [`preset`] | the configuration of a scene, as TOML | [`Preset`](preset::Preset) |
//! | [`scene`] | all of these in one type | [`Scene`](scene::Scene) |
//! | [`explain`] | explanations of dim and dark cells | [`Explanation`](explain::Explanation) |
//! | [`compare`] | errors, asymmetry and time of methods | [`Comparison`](compare::Comparison) |
//! | [`paint`], [`files`], [`export`] | pixels and files | [`Product`](files::Product), [`ExportOptions`](export::ExportOptions) |
//! | [`sheet`] | maps on paper: title, legend, scale, north | [`MapSheet`](crate::sheet::MapSheet) |
//! | [`film`], [`atlas`] | walks as films, summaries of the views from every cell | [`Film`](film::Film),
//! [`AtlasPlan`](atlas::AtlasPlan) |
//! | [`cumulative`] | joint views of several observers on measured ground | [`CumulativeView`](cumulative::CumulativeView) |
//! | [`panorama`] | the view of the eye all around, as a picture with names |
//! [`PanoramaPainter`](panorama::PanoramaPainter) |
//!
//! [`prelude`] has the names of farsight's prelude and those of worlds and scenes.
//!
//! # Conventions
//!
//! Those of farsight. Whatever looks up one cell takes what is [`ToCell`](farsight::grid::ToCell); a coordinate beyond `i32` is off every
//! map. Sizes, offsets, corners of rasters and cells that may be left out are [`IVec2`](farsight::glam::IVec2).

#![forbid(unsafe_code)]

pub mod atlas;
pub mod compare;
pub mod creatures;
pub mod cumulative;
pub mod explain;
pub mod export;
pub mod files;
pub mod film;
pub mod free_memory;
mod guard_panics;
mod math;
pub mod optics;
pub mod paint;
pub mod panorama;
pub mod prelude;
pub mod preset;
mod read_file;
pub mod scene;
#[cfg(not(target_arch = "wasm32"))]
pub mod sheet;
pub mod world;

pub use farsight::internal::text;

/// The examples of the guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/library.md")]
struct LibraryGuide;

/// The examples of the page for users of other libraries, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/other-libraries.md")]
struct OtherLibrariesGuide;
