//! [`CatchingUp`]: views that take longer than a frame or two, which are computed while the caller goes on.

use std::sync::Arc;
use std::time::Duration;

use super::host::{Host, SceneWork};
use super::state::Document;
use super::task::Task;
use farsight_scene::scene::Scene;
use farsight_scene::world::Ground;

/// The most cell updates of a view that the caller waits for: about two frames of one core. A worker of a page has to be given the
/// terrain first.
pub(super) const UPDATES_AT_ONCE: u64 = if cfg!(target_arch = "wasm32") { 200_000_000 } else { 30_000_000 };

/// The time that a frame waits for such a view. Most are there by then, and a frame without one would only delay it.
const WAIT: Duration = Duration::from_millis(20);

/// The time after which the progress is shown, in seconds.
const SECONDS_BEFORE_PROGRESS: f64 = 0.15;

/// A copy of a scene that catches up with its views. Dropping it cancels the work.
pub(super) struct CatchingUp {
    /// `None` once it has failed; the next change tries again.
    work: Option<Box<dyn SceneWork>>,
    /// That of the scene when it was copied.
    changes: u64,
    /// In seconds.
    start: f64,
}

impl CatchingUp {
    /// Lets a scene that is behind catch up in the background, from its newest change on. Returns the time in seconds that it took
    /// once it has, or what went wrong.
    fn advance(
        slot: &mut Option<Self>,
        scene: &mut Scene,
        ground: Option<&Arc<Ground>>,
        host: Host,
    ) -> Option<Result<f64, String>> {
        if !scene.is_behind() {
            *slot = None;
            return None;
        }
        let changes = scene.changes_behind();
        if slot.as_ref().is_none_or(|known| known.changes != changes) {
            *slot = None; // before the next begins
            let work = (host.start)(Task::Views(Box::new(scene.clone()), ground.cloned()));
            *slot = Some(Self { work: Some(work), changes, start: (host.now)() });
        }
        let known = slot.as_mut()?;
        let result = known.work.as_mut()?.poll(WAIT)?;
        let seconds = (host.now)() - known.start;
        known.work = None;
        let caught_up = match result {
            Ok(caught_up) => caught_up,
            Err(error) => return Some(Err(error.to_string())),
        };
        (*scene, *slot) = (caught_up, None);
        Some(Ok(seconds))
    }
}

impl Document {
    /// Lets both scenes catch up.
    pub(super) fn catch_up(&mut self) {
        let ([left, right], ground) = (&mut self.catching_up, self.source.ground());
        if let Some(scene) = &mut self.scene {
            match CatchingUp::advance(left, scene, ground, self.host) {
                Some(Ok(seconds)) => {
                    self.sight_ms = seconds * 1000.0;
                    self.revision += 1;
                }
                Some(Err(error)) => self.errors.push(error),
                None => {}
            }
        }
        match self.comparison.scene.as_mut().map(|scene| CatchingUp::advance(right, scene, ground, self.host)) {
            Some(Some(Ok(_))) => self.revision += 1,
            Some(Some(Err(error))) => self.errors.push(error),
            Some(None) => {}
            None => *right = None,
        }
    }

    /// Returns `true` if views are missing that are being computed.
    pub(crate) fn is_behind(&self) -> bool {
        self.catching_up.iter().flatten().any(|known| known.work.is_some())
            || self.scene.iter().chain(&self.comparison.scene).any(Scene::is_behind)
    }

    /// Returns `true` if climate and rivers are following the land.
    pub(crate) fn is_settling_land(&self) -> bool {
        self.scene.iter().chain(&self.comparison.scene).any(Scene::is_unsettled)
    }

    /// Returns the progress of views, and of climate and rivers, that take a while, from 0 to 1.
    pub(crate) fn views_progress(&self) -> Option<f32> {
        let slow =
            self.catching_up.iter().flatten().filter(|known| (self.host.now)() > known.start + SECONDS_BEFORE_PROGRESS);
        slow.filter_map(|known| known.work.as_ref()).map(|work| work.progress()).reduce(f32::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentOptions, OpenedFile, Shown, Source};
    use farsight::grid::Grid;
    use farsight::sight::MethodKind;
    use farsight::{Job, OpacityMap};
    use farsight_scene::export::SavedWalk;
    use farsight_scene::files::{MapFile, MapSource, digest_of_map};
    use farsight_scene::preset::Preset;
    use glam::ivec2;

    fn preset() -> Preset {
        let mut preset = Preset::named("fog").unwrap();
        (preset.world.width, preset.world.height) = (80, 60);
        preset
    }

    fn document() -> Document {
        let scene = Scene::generate(preset(), Some(ivec2(40, 30)), Job::none()).unwrap();
        let options = DocumentOptions {
            source: Source::Generated,
            preset: preset(),
            viewer: None,
            scene: Some(Box::new(scene)),
            name: "fog".into(),
            preset_file: None,
            input_files: Vec::new(),
        };
        Document::new(options, Host::system())
    }

    fn settle(document: &mut Document, shown: &mut Shown) {
        while !document.is_settled() {
            document.advance(0.1, shown).unwrap();
        }
    }

    /// Lines of sight to all cells, of which there are far more than in two frames.
    fn exact(radius: u32) -> Preset {
        let mut preset = preset();
        (preset.sight.method, preset.sight.samples, preset.sight.radius) = (MethodKind::Exact, 32, radius);
        preset
    }

    #[test]
    fn a_slow_view_follows_its_newest_settings_and_steps_wait_for_it() {
        let (mut document, mut shown) = (document(), Shown::default());
        document.edit(exact(70), None, &shown);
        assert!(document.is_behind() && !document.is_settled());
        assert_eq!(document.preset().sight.radius, 70, "the settings follow at once");
        assert!(document.scene_to_save().is_err());
        document.advance(0.1, &mut shown).unwrap();
        document.edit(exact(60), None, &shown);
        document.walk(ivec2(1, 0));
        assert_eq!(document.scene().unwrap().viewer(), ivec2(40, 30));
        settle(&mut document, &mut shown);
        let mut expected = Scene::generate(exact(60), Some(ivec2(40, 30)), Job::none()).unwrap();
        expected.step(ivec2(1, 0)).unwrap();
        let found = document.scene().unwrap();
        assert_eq!((found.viewer(), found.preset()), (ivec2(41, 30), expected.preset()));
        for x in 0..80 {
            let cell = ivec2(x, 20);
            assert_eq!(found.visibility(cell).to_bits(), expected.visibility(cell).to_bits(), "{cell}");
        }
    }

    #[test]
    fn slow_views_of_an_opened_map_and_of_a_walk_on_it_are_left_out() {
        let (mut document, mut shown) = (document(), Shown::default());
        let opacity = OpacityMap::try_from(Grid::from_fn(80, 60, |cell| if cell.x % 7 == 3 { 0.3 } else { 0.0 }));
        let map = MapFile { opacity: opacity.unwrap(), viewer: Some(ivec2(40, 30)) };
        let source = MapSource::new("stripes.npy", digest_of_map(&map.opacity));
        let mut expected = Scene::on_map(exact(70), map.opacity.clone(), map.viewer, Job::none()).unwrap();
        expected.step(ivec2(0, 1)).unwrap();
        let walk = SavedWalk::of(&expected, "", Some(&source));
        document.open(OpenedFile::Map(map, source), None, &mut shown);
        assert!(document.is_settled());
        document.edit(exact(70), None, &shown);
        document.walk(ivec2(0, 1));
        assert!(document.is_behind());
        settle(&mut document, &mut shown);
        let same = |found: &Scene| {
            (0..80).all(|x| found.visibility((x, 20)).to_bits() == expected.visibility((x, 20)).to_bits())
                && found.viewer() == expected.viewer()
        };
        assert!(same(document.scene().unwrap()));
        document.open(OpenedFile::Walk(Box::new(walk)), None, &mut shown);
        assert!(document.is_behind() && document.take_errors().is_empty());
        settle(&mut document, &mut shown);
        assert!(same(document.scene().unwrap()));
        assert_eq!(document.scene().unwrap().walk_state().memory, expected.walk_state().memory);
    }

    #[test]
    fn undo_leaves_a_slow_view_at_once() {
        let (mut document, mut shown) = (document(), Shown::default());
        document.edit(exact(70), None, &shown);
        document.advance(0.1, &mut shown).unwrap();
        assert!(document.undo(&mut shown));
        settle(&mut document, &mut shown);
        assert_eq!(document.preset(), &preset());
        let expected = Scene::generate(preset(), Some(ivec2(40, 30)), Job::none()).unwrap();
        assert_eq!(document.scene().unwrap().visibility((50, 31)), expected.visibility((50, 31)));
    }
}
