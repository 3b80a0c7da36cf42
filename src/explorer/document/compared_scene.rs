//! [`ComparedScene`]: a second method on the same world, with the same viewer and a memory of its own.

use crate::compare::ComparedMethod;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};

#[derive(Debug)]
pub(crate) struct ComparedScene {
    /// The second method, shown or not.
    pub(crate) method: ComparedMethod,
    /// The scene of the second method, if it is shown.
    pub(crate) scene: Option<Scene>,
}

impl Default for ComparedScene {
    fn default() -> Self {
        Self { method: ComparedMethod::Beam, scene: None }
    }
}

impl ComparedScene {
    pub(crate) fn is_open(&self) -> bool {
        self.scene.is_some()
    }

    /// Shows a scene by another method.
    pub(super) fn open(&mut self, method: ComparedMethod, left: &Scene) -> Result<(), SceneError> {
        let mut scene = left.clone();
        scene.apply(method.applied_to(left.preset()))?;
        *self = Self { method, scene: Some(scene) };
        Ok(())
    }

    /// Applies a preset, but for the method.
    pub(super) fn apply(&mut self, preset: &Preset) -> Result<(), SceneError> {
        match &mut self.scene {
            Some(scene) => scene.apply(self.method.applied_to(preset)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::Recognition;
    use crate::sight::OpacityMap;
    use glam::ivec2;

    #[test]
    fn both_scenes_share_the_viewer_but_not_the_method() {
        let mut map = OpacityMap::clear(21, 21).unwrap();
        map.set(ivec2(13, 11), 1.0).unwrap();
        let left = Scene::on_map(Preset::default(), map, Some(ivec2(10, 10)), crate::job::Job::quiet()).unwrap();
        let mut comparison = ComparedScene::default();
        comparison.open(ComparedMethod::Shadowcast, &left).unwrap();
        let right = comparison.scene.as_ref().unwrap();
        assert_eq!(right.viewer(), left.viewer());
        assert_eq!(ComparedMethod::of(right.preset()), ComparedMethod::Shadowcast);
        let behind = ivec2(18, 13); // half in the shadow of the pillar
        assert_ne!(right.visibility(behind), left.visibility(behind));
        let mut preset = left.preset().clone();
        preset.sight.radius = 2;
        comparison.apply(&preset).unwrap();
        let right = comparison.scene.unwrap();
        assert_eq!(right.sense(ivec2(10, 4)), Recognition::Hidden);
        assert_eq!(ComparedMethod::of(right.preset()), ComparedMethod::Shadowcast);
    }
}
