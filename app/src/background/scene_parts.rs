//! [`SceneParts`]: the data to recreate a scene; [`SceneCopy`]: a copy of a scene, which is sent to a worker as its parts.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::codec;
use farsight::sight::OpacityMap;
use farsight_scene::optics::Optics;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneError, Terrain};
use farsight_scene::world::{Ground, PackedWorld, World, WorldConfig};
use glam::IVec2;

/// The land of a scene without strokes and changed cells, which are in its preset.
#[derive(Clone)]
pub(crate) enum SceneLand {
    World(Arc<World>),
    Map(Box<OpacityMap>),
}

/// A [`SceneLand`] in a message between the page and a worker.
#[derive(Serialize, Deserialize)]
pub(crate) enum PackedLand {
    World(Box<PackedWorld>),
    Map(Box<OpacityMap>),
}

impl SceneLand {
    pub(super) fn of(scene: &Scene) -> Option<Self> {
        match (scene.world_without_strokes(), scene.map_without_changes()) {
            (Some(world), _) => Some(Self::World(Arc::clone(world))),
            (None, map) => map.map(|map| Self::Map(Box::new(map.clone()))),
        }
    }
}

impl From<SceneLand> for PackedLand {
    fn from(land: SceneLand) -> Self {
        match land {
            SceneLand::World(world) => Self::World(Box::new(PackedWorld::from(&*world))),
            SceneLand::Map(map) => Self::Map(map),
        }
    }
}

impl PackedLand {
    /// Returns the land of a configuration or of measured ground; `None` if it does not fit.
    pub(super) fn unpack(self, config: &WorldConfig, ground: Option<&Ground>) -> Option<SceneLand> {
        Some(match self {
            Self::World(world) => SceneLand::World(Arc::new(world.unpack(config, ground)?)),
            Self::Map(map) => SceneLand::Map(map),
        })
    }
}

/// The data to recreate a scene.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "PackedParts", into = "PackedParts")]
pub(crate) struct SceneParts {
    pub(crate) preset: Preset,
    pub(crate) viewer: IVec2,
    /// The measured ground of the land.
    pub(crate) ground: Option<Arc<Ground>>,
    pub(crate) land: SceneLand,
}

#[derive(Serialize, Deserialize)]
struct PackedParts {
    #[serde(with = "codec::preset")]
    preset: Preset,
    viewer: IVec2,
    ground: Option<Arc<Ground>>,
    land: PackedLand,
}

impl From<SceneParts> for PackedParts {
    fn from(SceneParts { preset, viewer, ground, land }: SceneParts) -> Self {
        Self { preset, viewer, ground, land: land.into() }
    }
}

impl TryFrom<PackedParts> for SceneParts {
    type Error = &'static str;

    fn try_from(PackedParts { preset, viewer, ground, land }: PackedParts) -> Result<Self, Self::Error> {
        let land = land.unpack(&preset.world, ground.as_deref()).ok_or("the land is that of another preset")?;
        Ok(Self { preset, viewer, ground, land })
    }
}

impl SceneParts {
    /// Returns the parts of the present scene, without the viewer's memory; `None` without land.
    pub(crate) fn of(scene: &Scene, ground: Option<Arc<Ground>>) -> Option<Self> {
        Some(Self { preset: scene.present_preset(), viewer: scene.viewer(), ground, land: SceneLand::of(scene)? })
    }

    /// Returns preset, viewer and terrain.
    pub(super) fn into_terrain(self) -> (Preset, IVec2, Terrain) {
        let Self { preset, viewer, land, .. } = self;
        let terrain = match land {
            SceneLand::World(world) => Terrain::World(Optics::new(world, &preset.optics_at(preset.clock.hour))),
            SceneLand::Map(map) => Terrain::Map(*map),
        };
        (preset, viewer, terrain)
    }

    /// Creates the scene, without its views.
    pub(super) fn into_scene(self) -> Result<Scene, SceneError> {
        let (preset, viewer, terrain) = self.into_terrain();
        Scene::from_terrain_without_views(preset, terrain, Some(viewer))
    }
}

/// A copy of a scene, with the measured ground of its land.
#[derive(Clone)]
pub(crate) struct SceneCopy {
    pub(super) scene: Box<Scene>,
    pub(super) ground: Option<Arc<Ground>>,
}

impl SceneCopy {
    pub(crate) fn of(scene: &Scene, ground: Option<&Arc<Ground>>) -> Self {
        Self { scene: Box::new(scene.clone()), ground: ground.cloned() }
    }
}

impl Serialize for SceneCopy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, ground } = self;
        let mut parts = SceneParts::of(scene, ground.clone());
        // A settled world is sent as a whole, so that only the later strokes are painted on it.
        if let Some((world, strokes)) = scene.world_and_strokes().filter(|_| !scene.is_unsettled())
            && let Some(parts) = &mut parts
        {
            parts.preset.strokes = strokes.to_vec();
            parts.land = SceneLand::World(Arc::clone(world));
        }
        parts.ok_or_else(|| serde::ser::Error::custom("the scene has no land"))?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SceneCopy {
    /// Creates a copy without views.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = SceneParts::deserialize(deserializer)?;
        let ground = parts.ground.clone();
        let scene = parts.into_scene().map_err(serde::de::Error::custom)?;
        Ok(Self { scene: Box::new(scene), ground })
    }
}
