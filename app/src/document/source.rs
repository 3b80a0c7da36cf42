//! [`Source`]: the source of the land of a document. [`DocumentOptions`]: the first scene.

use std::path::PathBuf;
use std::sync::Arc;

use farsight::OpacityMap;
use farsight_scene::export::SavedWalk;
use farsight_scene::files::MapSource;
use farsight_scene::preset::{Preset, Setting};
use farsight_scene::scene::{Scene, SceneCost};
use farsight_scene::world::{Ground, WorldConfig};
use glam::IVec2;

/// The source of the land of a document.
#[derive(Clone, Debug, Default)]
pub(crate) enum Source {
    /// A world generated from the preset.
    #[default]
    Generated,
    /// Elevations from a file, with a generated climate.
    Heightmap { map: MapSource, ground: Arc<Ground> },
    /// Opacities from a file, without a world.
    OpacityMap { map: MapSource, opacity: Arc<OpacityMap> },
}

impl Source {
    /// Returns the land of a saved walk; `ground` is that of its heightmap, if any.
    pub(crate) fn of_walk(walk: &SavedWalk, ground: Option<&Arc<Ground>>) -> Self {
        match (walk.map.clone(), ground, walk.opacity()) {
            (Some(map), Some(ground), _) => Self::Heightmap { map, ground: Arc::clone(ground) },
            (Some(map), None, Some(opacity)) => Self::OpacityMap { map, opacity: Arc::new(opacity.clone()) },
            _ => Self::Generated,
        }
    }

    /// Estimates the scene of a preset on this land.
    pub(crate) fn cost_of(&self, preset: &Preset, viewer: Option<IVec2>) -> SceneCost {
        match self {
            Self::Generated => SceneCost::of_generated(preset, viewer),
            Self::Heightmap { ground, .. } => SceneCost::of_ground(preset, ground.elevation_m.size(), viewer),
            Self::OpacityMap { opacity, .. } => SceneCost::of_map(preset, opacity.grid().size(), viewer),
        }
    }

    pub(crate) fn is_generated(&self) -> bool {
        matches!(self, Self::Generated)
    }

    /// Returns `true` if the land is a world, with air, woods and hills or rooms.
    pub(crate) fn has_world(&self) -> bool {
        !matches!(self, Self::OpacityMap { .. })
    }

    /// Returns the file of the land.
    pub(crate) fn map(&self) -> Option<&MapSource> {
        match self {
            Self::Generated => None,
            Self::Heightmap { map, .. } | Self::OpacityMap { map, .. } => Some(map),
        }
    }

    /// Returns the elevations from a file.
    pub(crate) fn ground(&self) -> Option<&Arc<Ground>> {
        match self {
            Self::Heightmap { ground, .. } => Some(ground),
            Self::Generated | Self::OpacityMap { .. } => None,
        }
    }

    /// Returns `true` if a setting has an effect on this land.
    pub(crate) fn has(&self, setting: &Setting) -> bool {
        match self {
            _ if !setting.key.starts_with("world.") => true,
            Self::Generated => setting.key != "world.sea_level_m",
            Self::Heightmap { .. } => WorldConfig::KEYS_ON_GROUND.contains(&setting.key),
            Self::OpacityMap { .. } => false,
        }
    }
}

/// The first scene of a document, and its files.
#[derive(Debug)]
pub(crate) struct DocumentOptions {
    pub(crate) source: Source,
    pub(crate) preset: Preset,
    /// The cell of the viewer, or `None` for a cell with a varied view.
    pub(crate) viewer: Option<IVec2>,
    /// The scene of source, preset and viewer; `None` to create it in the background.
    pub(crate) scene: Option<Box<Scene>>,
    /// The name of the preset.
    pub(crate) name: String,
    /// The file of the preset, unless it is a shipped preset. The document follows its changes.
    pub(crate) preset_file: Option<PathBuf>,
    /// The input files of the scene.
    pub(crate) input_files: Vec<PathBuf>,
}

impl Default for DocumentOptions {
    fn default() -> Self {
        Self::new(Preset::shipped_default(), Preset::DEFAULT_NAME)
    }
}

impl DocumentOptions {
    /// Creates a document of a world that is generated in the background.
    pub(crate) fn new(preset: Preset, name: &str) -> Self {
        Self {
            source: Source::Generated,
            preset,
            viewer: None,
            scene: None,
            name: name.to_owned(),
            preset_file: None,
            input_files: Vec::new(),
        }
    }

    /// Creates a document of an existing scene, with the name of its preset.
    pub(crate) fn with_scene(scene: Scene, source: Source, name: &str) -> Self {
        let preset = scene.preset().clone();
        Self { source, scene: Some(Box::new(scene)), ..Self::new(preset, name) }
    }
}
