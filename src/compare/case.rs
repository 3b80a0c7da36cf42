//! [`Case`]: where methods are compared.

use glam::IVec2;

use crate::grid::{CellRect, Grid};
use crate::preset::Preset;
use crate::scene::{Layer, Scene, SceneError};
use crate::sight::OpacityError;
use crate::sight::{Decay, OpacityMap, SightError};

/// Where methods are compared: opacities that hang on nobody, a viewer, and the settings that the methods share.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    opacity: OpacityMap,
    viewer: IVec2,
    preset: Preset,
}

/// Why there is no arena.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The viewer stands outside, or the settings will not do.
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
    /// A map with its viewer. Of the preset `[sight]` and `[classic]` count, but for the decay: it dims all methods
    /// alike, and would hide what tells them apart.
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
        preset.sight.decay = Decay::default();
        Ok(Self { name: name.into(), opacity, viewer, preset })
    }

    /// What lies within the radius of a scene's viewer, with the opacities as they are from there: where relief makes
    /// them hang on the eye, all viewers of the comparison borrow this one's.
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

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The map.
    pub fn opacity(&self) -> &OpacityMap {
        &self.opacity
    }

    /// Where one looks from, as a cell of [`opacity`](Self::opacity).
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// The settings that the methods share.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The cells that are compared: those within the radius.
    pub fn mask(&self) -> Grid<bool> {
        crate::compare::metrics::within(self.opacity.grid().size(), self.viewer, self.preset.sight.radius)
    }
}
