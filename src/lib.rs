//! Continuous field of view.

pub use glam;

pub mod classic;
mod dungeon;
mod gallery_maps;
mod grid;
mod job;
mod knob;
mod sight;
mod text_map;

pub use dungeon::{Dungeon, DungeonConfig, DungeonError, Room};
pub use gallery_maps::{GALLERY_MAPS, GalleryMap};
pub use grid::{Grid, GridError};
pub use job::{Cancelled, Job};
pub use knob::{Kind, Knob};
pub use sight::{
    Decay, DecayKind, FieldOfView, Method, Offset, OffsetList, OpacityError, OpacityMap, PathRule, SightConfig,
    SightError, View, Weights,
};
pub use text_map::{TextMap, TextMapError};
