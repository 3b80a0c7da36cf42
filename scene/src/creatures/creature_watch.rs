//! [`CreatureWatch`]: detects creatures whose recognition has improved, and describes them.

use std::cmp::Reverse;

use glam::IVec2;

use super::creature::Creature;
use super::species::Species;
use farsight::perception::Recognition;

/// An improved recognition of a creature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreatureEvent {
    /// The index of the creature.
    pub index: usize,
    /// Its recognition since the event.
    pub recognition: Recognition,
    /// The direction at the event, if the creature was only glimpsed before it.
    glimpsed: Option<&'static str>,
}

impl CreatureEvent {
    /// Returns a message such as `the ? to the north is a deer`, with the current direction. Returns `None` if the
    /// event is no longer valid.
    pub fn line(&self, creatures: &[Creature], viewer: IVec2) -> Option<String> {
        let creature = creatures.get(self.index).filter(|creature| creature.recognition == self.recognition)?;
        let (name, direction) = (creature.species.name, direction_name(creature.cell - viewer));
        Some(match self.recognition {
            Recognition::Identified if self.glimpsed == Some(direction) => format!("the ? {direction} is a {name}"),
            Recognition::Identified => format!("a {name} {direction}"),
            _ => format!("a glimpse of something {direction}"),
        })
    }
}

/// Compares the creatures of a scene with those at the last update.
///
/// ```
/// use farsight_scene::prelude::*;
/// use farsight::Job;
/// use farsight_scene::creatures::CreatureWatch;
///
/// let preset = Preset::default().with([("perception.creatures", 0.into())])?;
/// let map = OpacityMap::clear(60, 20)?;
/// let mut scene = Scene::from_map(preset, map, None, Job::none())?;
/// let mut watch = CreatureWatch::default();
/// assert!(watch.update(scene.creatures().all(), scene.viewer()).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CreatureWatch {
    known: Vec<(&'static Species, Recognition)>,
}

impl CreatureWatch {
    /// Returns the nearest of the best recognised creatures whose recognition has improved since the last update. The
    /// first update, and one with other creatures, returns `None`.
    pub fn update(&mut self, creatures: &[Creature], viewer: IVec2) -> Option<CreatureEvent> {
        let now = creatures.iter().map(|creature| (creature.species, creature.recognition)).collect();
        let before = std::mem::replace(&mut self.known, now);
        let is_same = before.len() == creatures.len()
            && before.iter().zip(&self.known).all(|((old, _), (new, _))| std::ptr::eq(*old, *new));
        if !is_same {
            return None;
        }
        let pairs = creatures.iter().zip(&before).enumerate();
        let better = pairs.filter(|(_, (creature, (_, old)))| creature.recognition > *old);
        let (index, (creature, (_, old))) = better.max_by_key(|(_, (creature, _))| {
            (creature.recognition, Reverse((creature.cell - viewer).abs().max_element()))
        })?;
        let glimpsed = (*old == Recognition::Glimpsed).then(|| direction_name(creature.cell - viewer));
        Some(CreatureEvent { index, recognition: creature.recognition, glimpsed })
    }
}

/// Returns the signs of x and y of the nearest of the eight directions of a compass; (0, 0) for no offset.
pub fn nearest_direction(offset: IVec2) -> (i64, i64) {
    // Octants of 45° around each direction; tan 22.5° is about 12/29.
    let [x, y] = offset.to_array().map(i64::from);
    let x_sign = if 29 * x.abs() > 12 * y.abs() { x.signum() } else { 0 };
    let y_sign = if 29 * y.abs() > 12 * x.abs() { y.signum() } else { 0 };
    (x_sign, y_sign)
}

/// Returns the name of the direction of an offset: `to the north-east`, or `here`.
fn direction_name(offset: IVec2) -> &'static str {
    match nearest_direction(offset) {
        (0, 0) => "here",
        (0, -1) => "to the north",
        (0, _) => "to the south",
        (1, 0) => "to the east",
        (1, -1) => "to the north-east",
        (1, _) => "to the south-east",
        (_, 0) => "to the west",
        (_, -1) => "to the north-west",
        _ => "to the south-west",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    #[test]
    fn a_question_mark_that_becomes_an_animal_is_reported_once() {
        let deer = Species::named("deer").unwrap();
        let creature = |recognition| Creature { recognition, ..Creature::new(deer, ivec2(9, 5)) };
        let mut watch = CreatureWatch::default();
        let mut update = |recognition| {
            let creatures = [creature(recognition)];
            watch.update(&creatures, ivec2(5, 5))?.line(&creatures, ivec2(5, 5))
        };
        assert_eq!(update(Recognition::Hidden), None);
        assert_eq!(update(Recognition::Glimpsed).as_deref(), Some("a glimpse of something to the east"));
        assert_eq!(update(Recognition::Identified).as_deref(), Some("the ? to the east is a deer"));
        assert_eq!(update(Recognition::Identified), None);
        assert_eq!(update(Recognition::Hidden), None, "less than before is no event");
    }

    #[test]
    fn other_creatures_are_no_event() {
        let at = |name, recognition| {
            let species = Species::named(name).unwrap();
            Creature { recognition, ..Creature::new(species, ivec2(1, 1)) }
        };
        let mut watch = CreatureWatch::default();
        watch.update(&[at("deer", Recognition::Hidden)], IVec2::ZERO);
        assert_eq!(watch.update(&[at("wolf", Recognition::Identified)], IVec2::ZERO), None, "another world");
    }

    #[test]
    fn directions_are_named() {
        for (offset, name) in [
            (ivec2(5, 0), "to the east"),
            (ivec2(5, 1), "to the east"),
            (ivec2(5, -4), "to the north-east"),
            (ivec2(0, -1), "to the north"),
            (ivec2(-3, 3), "to the south-west"),
            (ivec2(1, 9), "to the south"),
            (ivec2(-9, -1), "to the west"),
            (ivec2(-2, -2), "to the north-west"),
            (ivec2(7, 6), "to the south-east"),
            (ivec2(0, 0), "here"),
        ] {
            assert_eq!(direction_name(offset), name, "{offset}");
        }
    }
}
