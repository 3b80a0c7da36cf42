//! [`Ticker`]: a line on the creature that was recognised last.

use farsight::perception::Recognition;
use farsight_scene::creatures::{CreatureEvent, CreatureWatch};
use farsight_scene::scene::Scene;

/// The time that a line stays, in seconds.
const SECONDS: f64 = 6.0;

/// Follows the creatures of a scene, as the captions of a film do.
#[derive(Default)]
pub(crate) struct Ticker {
    watch: CreatureWatch,
    /// The revision and the turns of the document at the last update.
    revision: Option<u64>,
    turns: u64,
    /// The event of the line, and the end of its time in seconds.
    shown: Option<(CreatureEvent, f64)>,
}

impl Ticker {
    /// Looks for a new event if the scene has changed, and returns the line of the last one. An animal that is recognised
    /// replaces a glimpse at once. What a slider or an undone change brings into view is no event.
    pub(crate) fn line(&mut self, scene: &Scene, [revision, turns]: [u64; 2], now: f64) -> Option<String> {
        let (creatures, viewer) = (scene.creatures().all(), scene.viewer());
        self.shown.take_if(|(event, until)| *until <= now || event.line(creatures, viewer).is_none());
        if self.revision.replace(revision) != Some(revision)
            && let Some(event) = self.watch.update(creatures, viewer)
            && self.turns != turns
            && (self.shown.is_none() || event.recognition == Recognition::Identified)
        {
            self.shown = Some((event, now + SECONDS));
        }
        self.turns = turns;
        self.shown.as_ref()?.0.line(creatures, viewer)
    }

    /// Returns `true` while a line is shown.
    pub(crate) fn is_showing(&self) -> bool {
        self.shown.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::sight::OpacityMap;
    use farsight_scene::preset::Preset;
    use glam::ivec2;

    #[test]
    fn a_question_mark_that_turns_into_an_animal_is_told_for_some_seconds() {
        let mut preset = Preset::bare_kernel();
        for (key, value) in [
            ("creatures", "[{ kind = \"bear\", at = [30, 10] }]"),
            ("perception.creatures", "0"),
            ("sight.radius", "30"),
            ("sight.decay.kind", "linear"),
        ] {
            preset.set(key, value).unwrap();
        }
        let map = OpacityMap::clear(60, 20).unwrap();
        let mut scene = Scene::on_map(preset, map, Some(ivec2(4, 10)), Job::none()).unwrap();
        let mut ticker = Ticker::default();
        assert_eq!(ticker.line(&scene, [0, 0], 0.0), None, "what is there at first is no event");
        scene.place(ivec2(20, 10)).unwrap();
        assert_eq!(ticker.line(&scene, [1, 1], 1.0).as_deref(), Some("the ? to the east is a bear"));
        assert_eq!(ticker.line(&scene, [1, 1], 5.0).as_deref(), Some("the ? to the east is a bear"));
        assert!(ticker.is_showing());
        assert_eq!(ticker.line(&scene, [1, 1], 7.5), None);
        assert!(!ticker.is_showing());
    }

    #[test]
    fn a_changed_setting_is_no_event() {
        let mut preset = Preset::bare_kernel();
        let creatures = "[{ kind = \"bear\", at = [30, 10] }]";
        for (key, value) in [("creatures", creatures), ("perception.creatures", "0"), ("optics.light", "0")] {
            preset.set(key, value).unwrap();
        }
        let map = OpacityMap::clear(60, 20).unwrap();
        let mut scene = Scene::on_map(preset.clone(), map, Some(ivec2(20, 10)), Job::none()).unwrap();
        let mut ticker = Ticker::default();
        assert_eq!(ticker.line(&scene, [0, 0], 0.0), None);
        preset.set("optics.light", "1").unwrap();
        scene.apply(preset).unwrap();
        assert_eq!(ticker.line(&scene, [1, 0], 1.0), None);
        assert_eq!(scene.sightings().count(), 1, "it is seen now");
    }
}
