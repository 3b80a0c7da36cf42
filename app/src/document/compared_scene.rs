//! [`ComparedScene`]: a second scene with the same viewer and a separate memory: another method, preset, hour or world.

use std::path::Path;
use std::time::Duration;

use super::opened_file::OpenedFile;
use crate::background::{Request, Work, WorldRequest, refresh_if_quick};
use farsight::sight::MethodKind;
use farsight_scene::optics::OpticsConfig;
use farsight_scene::preset::{Preset, shipped};
use farsight_scene::scene::{Scene, SceneError};

/// The method, preset, hour or world of the second scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ComparedTo {
    Method(MethodKind),
    /// A preset and its name. The world stays.
    Preset(String, Box<Preset>),
    /// An hour of the day.
    Hour(u32),
    /// The world of another seed.
    Seed(u64),
}

impl ComparedTo {
    /// Returns the shipped preset of a name, or an error for an unknown name.
    pub(crate) fn preset(name: &str) -> Result<Self, String> {
        let preset = Preset::named(name).map_err(|error| error.to_string())?;
        Ok(Self::Preset(name.to_owned(), Box::new(preset)))
    }

    /// Returns the preset of an opened file, or an error for another kind of file.
    pub(crate) fn opened(file: OpenedFile, path: &Path) -> Result<Self, String> {
        match file {
            OpenedFile::Preset(preset, name) => Ok(Self::Preset(name, preset)),
            _ => Err(format!("{}: expected a preset (.toml)", path.display())),
        }
    }

    /// Returns a preset with the compared method, preset or world, but with its own hour.
    pub(crate) fn applied_to(&self, preset: &Preset) -> Preset {
        let mut changed = preset.clone();
        match self {
            Self::Method(method) => changed.sight.method = *method,
            Self::Preset(_, other) => {
                let Preset { world, lamps, viewers, creatures, names, strokes, cells, paint, .. } = changed;
                changed = (**other).clone();
                (changed.paint.look, changed.paint.legend) = (paint.look, paint.legend); // those of the window
                (changed.world, changed.names, changed.strokes, changed.cells) = (world, names, strokes, cells);
                (changed.lamps, changed.viewers, changed.creatures) = (lamps, viewers, creatures);
            }
            Self::Hour(_) => {
                if !preset.clock.runs {
                    changed.optics.light = OpticsConfig::default().light; // the present light is of another hour
                }
                changed.clock.runs = true;
            }
            Self::Seed(seed) => changed.world.seed = *seed,
        }
        changed
    }

    /// Returns the titles of the first scene and of the second.
    pub(crate) fn titles(&self, name: &str, left: &Scene) -> [String; 2] {
        let preset = left.preset();
        let hour = |hour: f64| format!("{:02.0}:{:02.0}", hour.floor() % 24.0, (hour.fract() * 60.0).floor());
        match self {
            Self::Method(method) => [preset.sight.method, *method].map(|method| method.name().into()),
            Self::Preset(other, _) if name == other && self.applied_to(preset) != *preset => {
                [format!("{name}, changed"), other.clone()]
            }
            Self::Preset(other, _) => [name.to_owned(), other.clone()],
            Self::Hour(other) if preset.clock.runs => [hour(left.clock().hour), hour(f64::from(*other))],
            Self::Hour(other) => ["now".into(), hour(f64::from(*other))],
            Self::Seed(seed) => [format!("seed {}", preset.world.seed), format!("seed {seed}")],
        }
    }

    /// Returns the arguments of `split` in a script; `None` for a preset of the user, which others lack.
    pub(crate) fn script_words(&self) -> Option<String> {
        match self {
            Self::Method(method) => Some(method.name().into()),
            Self::Preset(name, _) => shipped(name).map(|_| format!("preset {name}")),
            Self::Hour(hour) => Some(format!("hour {hour}")),
            Self::Seed(seed) => Some(format!("seed {seed}")),
        }
    }

    /// Returns the name in the list of the panel.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Method(method) => method.name().into(),
            Self::Preset(name, _) => name.clone(),
            Self::Hour(hour) => format!("{hour:02}:00"),
            Self::Seed(seed) => format!("seed {seed}"),
        }
    }
}

pub(crate) struct ComparedScene {
    /// The difference of the second scene, kept while the scene is hidden.
    pub(crate) to: ComparedTo,
    /// The second scene, if it is shown.
    pub(crate) scene: Option<Scene>,
    /// The second scene in a world of its own, while that is generated.
    pub(crate) making: Option<Work<Box<Scene>>>,
}

impl Default for ComparedScene {
    fn default() -> Self {
        Self { to: ComparedTo::Method(MethodKind::Beam), scene: None, making: None }
    }
}

impl ComparedScene {
    /// Returns `true` if a second scene is shown or being made.
    pub(crate) fn is_open(&self) -> bool {
        self.scene.is_some() || self.making.is_some()
    }

    /// Hides the second scene.
    pub(crate) fn close(&mut self) {
        (self.scene, self.making) = (None, None);
    }

    /// Shows a second scene: at once, or once its world is generated.
    pub(crate) fn open(&mut self, to: ComparedTo, left: &Scene) -> Result<(), String> {
        let preset = to.applied_to(left.preset());
        if matches!(to, ComparedTo::Seed(_)) {
            let world = WorldRequest { preset, viewer: Some(left.viewer()), last_viewer: None, ground: None };
            *self = Self { to, scene: None, making: Some(Work::start(Request::World(world))) };
            return Ok(());
        }
        let mut scene = left.clone();
        change(&mut scene, |scene| {
            scene.apply(preset)?;
            if let ComparedTo::Hour(hour) = &to {
                let midnight = (left.clock().hour / 24.0).floor() * 24.0;
                scene.set_hour(midnight + f64::from(*hour))?;
            }
            Ok(())
        })?;
        *self = Self { to, scene: Some(scene), making: None };
        Ok(())
    }

    /// Shows the second scene if its world is ready by now: with the present settings, viewer, hour and observers of the first scene.
    /// Returns whether it is.
    pub(crate) fn poll(&mut self, left: &Scene) -> Result<bool, String> {
        let Some(result) = self.making.as_mut().and_then(|making| making.poll(Duration::ZERO)) else {
            return Ok(false);
        };
        self.making = None;
        let mut scene = *result?;
        change(&mut scene, |scene| {
            scene.apply(self.to.applied_to(left.preset()))?;
            scene.continue_from(left)?;
            if scene.viewer() == left.viewer() { Ok(()) } else { Ok(scene.place(left.viewer())?) }
        })?;
        self.scene = Some(scene);
        Ok(true)
    }

    /// Applies a preset, but for what is compared.
    pub(crate) fn apply(&mut self, preset: &Preset) -> Result<(), String> {
        let Some(scene) = &mut self.scene else { return Ok(()) };
        let hour = scene.clock().hour;
        change(scene, |scene| {
            scene.apply(self.to.applied_to(preset))?;
            if matches!(self.to, ComparedTo::Hour(_)) { scene.set_hour(hour) } else { Ok(()) }
        })
    }

    /// Sets the clock, unless the comparison is of another hour.
    pub(crate) fn set_hour(&mut self, hour: f64) -> Result<(), String> {
        match &mut self.scene {
            Some(scene) if !matches!(self.to, ComparedTo::Hour(_)) => change(scene, |scene| scene.set_hour(hour)),
            _ => Ok(()),
        }
    }
}

/// Changes a scene, and refreshes it if that is fast.
fn change(scene: &mut Scene, change: impl FnOnce(&mut Scene) -> Result<(), SceneError>) -> Result<(), String> {
    scene.defer(change).map_err(|error| error.to_string())?;
    refresh_if_quick(scene).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::perception::Recognition;
    use farsight::{Job, OpacityMap};
    use farsight_scene::preset::Look;
    use farsight_scene::world::{Brush, Stroke};
    use glam::ivec2;

    #[test]
    fn both_scenes_share_the_viewer_but_not_the_method() {
        let mut map = OpacityMap::clear(21, 21).unwrap();
        map.set(ivec2(13, 11), 1.0).unwrap();
        let left = Scene::from_map(Preset::default(), map, Some(ivec2(10, 10)), Job::none()).unwrap();
        let mut comparison = ComparedScene::default();
        comparison.open(ComparedTo::Method(MethodKind::Shadowcast), &left).unwrap();
        let right = comparison.scene.as_ref().unwrap();
        assert_eq!(right.viewer(), left.viewer());
        assert_eq!(right.preset().sight.method, MethodKind::Shadowcast);
        let behind = ivec2(18, 13); // half in the shadow of the pillar
        assert_ne!(right.visibility(behind), left.visibility(behind));
        let mut preset = left.preset().clone();
        preset.sight.radius = 2;
        comparison.apply(&preset).unwrap();
        let right = comparison.scene.unwrap();
        assert_eq!(right.sense(ivec2(10, 4)), Recognition::Hidden);
        assert_eq!(right.preset().sight.method, MethodKind::Shadowcast);
    }
    #[test]
    fn presets_hours_and_worlds_are_compared() {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height) = (64, 48);
        preset.strokes = vec![Stroke::new(Brush::Raise, [(20, 20)])];
        let left = Scene::generate(preset.clone(), None, Job::none()).unwrap();
        let mut comparison = ComparedScene::default();
        comparison.open(ComparedTo::preset("fog").unwrap(), &left).unwrap();
        let fog = comparison.scene.as_ref().unwrap();
        assert_eq!((fog.viewer(), &fog.preset().world), (left.viewer(), &preset.world), "in the same place");
        assert_eq!(fog.preset().strokes, preset.strokes, "on the same land");
        assert!(fog.preset().optics != preset.optics);
        let mut as_data = preset.clone();
        as_data.paint.look = Look::Data;
        comparison.apply(&as_data).unwrap();
        assert_eq!(comparison.scene.as_ref().unwrap().preset().paint.look, Look::Data, "on both sides");
        let own = ComparedTo::Preset("temperate".into(), Box::new(preset.clone()));
        assert_eq!(own.titles("temperate", &left), ["temperate", "temperate"]);
        let mut changed = left.clone();
        changed.apply(preset.clone().with_optics(preset.optics.clone().with_light(0.05))).unwrap();
        assert_eq!(own.titles("temperate", &changed), ["temperate, changed", "temperate"]);
        comparison.open(ComparedTo::Hour(0), &left).unwrap();
        let night = comparison.scene.as_ref().unwrap();
        assert!(night.light(left.viewer()) < 0.5 || night.optics().light < 0.5);
        assert_eq!(comparison.to.titles("temperate", &left), ["now", "00:00"]);
        let mut at_night = left.clone();
        at_night.apply(preset.clone().with_optics(preset.optics.clone().with_light(0.05))).unwrap();
        comparison.open(ComparedTo::Hour(12), &at_night).unwrap();
        assert!(comparison.scene.as_ref().unwrap().optics().light > 0.9, "noon is light, whatever the light at hand");
        let seed = preset.world.seed + 1;
        comparison.open(ComparedTo::Seed(seed), &left).unwrap();
        assert!(comparison.is_open() && comparison.scene.is_none(), "the window does not wait for the world");
        let mut walked = left.clone();
        walked.step(ivec2(1, 0)).unwrap();
        while !comparison.poll(&walked).unwrap() {
            std::thread::yield_now();
        }
        let other = comparison.scene.as_ref().unwrap();
        assert_eq!((other.preset().world.seed, other.viewer()), (seed, walked.viewer()));
        comparison.open(ComparedTo::Seed(seed), &left).unwrap();
        comparison.close();
        assert!(!comparison.is_open());
        assert!(ComparedTo::preset("gold").is_err());
    }
}
