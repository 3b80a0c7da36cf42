//! [`Case`]: a map for comparing methods; [`GALLERY_MAPS`]: small maps that each show one property of a field of view.

use glam::IVec2;

use crate::preset::{DecaySettings, Preset, SightSettings};
use crate::scene::{Layer, Scene, SceneError};
use farsight::grid::{CellRect, Grid, TextMap};
use farsight::sight::{FieldOfView, MethodKind, OpacityError, OpacityMap, SightError};

/// A map for comparing methods: opacities that do not depend on the viewer, a viewer, and the shared settings.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    opacity: OpacityMap,
    viewer: IVec2,
    preset: Preset,
}

/// An error of a case.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The viewer is outside the map, or a setting is out of range.
    #[error(transparent)]
    Sight(#[from] SightError),
    /// The scene has no opacities.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Opacities out of range.
    #[error(transparent)]
    Opacity(#[from] OpacityError),
}

impl Case {
    /// Creates a case on a map. It uses `[sight]` of the preset without method and decay: a decay dims all methods
    /// alike and would hide their differences.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`].
    pub fn new(
        name: impl Into<String>,
        opacity: OpacityMap,
        viewer: IVec2,
        preset: &Preset,
    ) -> Result<Self, SightError> {
        let extent = CellRect::of_size(opacity.grid().size());
        if !extent.contains(viewer) {
            return Err(SightError::ViewerOutside { viewer, extent });
        }
        let mut preset = preset.clone();
        preset.sight.decay = DecaySettings::default();
        Ok(Self { name: name.into(), opacity, viewer, preset })
    }

    /// Creates a case of the cells within the radius of a scene's viewer. If opacities depend on the eye because of
    /// relief, the comparison uses those of this viewer for all viewers.
    ///
    /// # Errors
    /// [`CaseError`].
    pub fn of_scene(name: impl Into<String>, scene: &Scene) -> Result<Self, CaseError> {
        let frame: CellRect = scene.sight_frame();
        let opacity = OpacityMap::try_from(scene.layer(Layer::Opacity, frame)?)?;
        let mut preset = scene.preset().clone();
        preset.sight.radius = scene.radius();
        Ok(Self::new(name, opacity, scene.viewer() - frame.min, &preset)?)
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the map.
    pub fn opacity(&self) -> &OpacityMap {
        &self.opacity
    }

    /// Returns the viewer, a cell of [`opacity`](Self::opacity).
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the shared settings of the methods.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// Returns the settings with a method.
    pub fn sight_by(&self, method: MethodKind) -> SightSettings {
        self.preset.sight.clone().with_method(method)
    }

    /// Computes the visibility of every cell by a method.
    ///
    /// # Errors
    /// [`SightError`].
    pub fn view_by(&self, method: MethodKind) -> Result<Grid<f32>, SightError> {
        visibilities(&mut FieldOfView::new(self.sight_by(method).config())?, &self.opacity, self.viewer)
    }

    /// Returns the mask of the comparison: the cells within the radius.
    pub fn mask(&self) -> Grid<bool> {
        crate::compare::metrics::within(self.opacity.grid().size(), self.viewer, self.preset.sight.radius)
    }
}

/// Computes the visibility of every cell of a map, in the shape of the map.
///
/// # Errors
/// As [`FieldOfView::compute`].
pub fn visibilities(fov: &mut FieldOfView, map: &OpacityMap, viewer: IVec2) -> Result<Grid<f32>, SightError> {
    let view = fov.compute(map, viewer)?;
    Ok(Grid::from_fn(map.grid().width(), map.grid().height(), |cell| view.get(cell)))
}

/// A small map of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryMap {
    /// The name of its file in `presets/maps`, without `.txt`.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// The map as text; it has a viewer.
    pub text: &'static str,
}

impl GalleryMap {
    /// Returns the map with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        GALLERY_MAPS.iter().find(|map| map.name == name)
    }

    /// Returns the opacities and the viewer.
    pub fn map(&self) -> TextMap {
        TextMap::parse(self.text).expect("the tests read every map of the gallery")
    }
}

macro_rules! gallery {
    ($($name:literal: $title:literal),+ $(,)?) => {
        &[$(GalleryMap {
            name: $name,
            title: $title,
            text: include_str!(concat!(env!("FARSIGHT_PRESETS"), "/maps/", $name, ".txt")),
        }),+]
    };
}

/// The maps of the gallery: single walls, rooms, random walls, and half-opaque cells.
///
/// ```
/// let pillar = farsight_scene::compare::GalleryMap::named("single-pillar").unwrap();
/// assert_eq!(pillar.title, "Single pillar");
/// assert!(pillar.map().viewer.is_some());
/// ```
pub const GALLERY_MAPS: &[GalleryMap] = gallery! {
    "single-pillar": "Single pillar",
    "pillar-pairs": "Pillar pairs",
    "columns": "Hall of columns",
    "palisade": "Palisade",
    "along-a-wall": "Along a wall",
    "diagonal-wall": "Diagonal wall",
    "diagonal-gap": "Gaps in a diagonal",
    "convex-corner": "Convex corner",
    "concave-corner": "Concave corner",
    "ring": "Ring with gaps",
    "room-with-door": "Room with doors",
    "corridor": "Corridor",
    "crossroads": "Crossroads",
    "rooms": "Five rooms",
    "long-hall": "Long hall",
    "spiral": "Spiral",
    "cave": "Cave",
    "sparse-random": "Sparse random walls",
    "dense-random": "Dense random walls",
    "checkerboard": "Checkerboard",
    "window": "Windows",
    "half-opaque-hedge": "Half-opaque hedges",
    "fog-bank": "Fog bank",
    "forest-edge": "Edge of a forest",
    "ridge": "Ridge with a pass",
    "island": "Island with a peak",
};
