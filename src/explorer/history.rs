//! [`History`]: what was changed, to be undone and done again.

use std::collections::VecDeque;
use std::rc::Rc;

use super::bystanders::Bystanders;
use crate::preset::Preset;
use crate::scene::Scene;
use crate::scene::WalkState;
use glam::IVec2;

/// The most steps that are kept.
const MOST_STEPS: usize = 500;

/// The most bytes that what was remembered takes in all steps.
const MOST_BYTES: usize = 64 << 20;

/// What the sliders showed at a time, and what belongs to it.
#[derive(Clone, Debug)]
pub(super) struct Moment<O> {
    pub(super) preset: Preset,
    /// Where the preset comes from.
    pub(super) origin: O,
    /// Where the viewer stood.
    pub(super) viewer: Option<IVec2>,
    /// What the scene remembered; left out where it would take too much memory.
    pub(super) state: Option<Rc<WalkState>>,
    /// How often one had walked, waited, forgotten or let time go by then.
    pub(super) turns: u64,
}

impl<O> Moment<O> {
    /// The sliders as they are, over a scene if there is one.
    pub(super) fn new(preset: Preset, origin: O, scene: Option<&Scene>, turns: u64) -> Self {
        let small =
            |scene: &&Scene| (scene.size().x as usize).saturating_mul(scene.size().y as usize) <= MOST_BYTES / 4;
        Self {
            preset,
            origin,
            viewer: scene.map(Scene::viewer),
            state: scene.filter(small).map(|scene| Rc::new(scene.walk_state())),
            turns,
        }
    }

    /// Lets a scene that has the preset of this moment remember what it did then, unless time has passed since.
    pub(super) fn recall(&self, scene: &mut Scene, turns: u64) {
        if let Some(state) = &self.state
            && self.viewer == Some(scene.viewer())
            && state.memory.size() == scene.size()
            && self.turns == turns
        {
            let preset = scene.preset().clone();
            let _ = scene.restore(&preset, (**state).clone()); // it has that preset already
        }
    }
}

/// A change: what held on its other side, and what it left alone.
#[derive(Debug)]
struct Change<O> {
    there: Moment<O>,
    bystanders: Bystanders,
}

impl<O> Change<O> {
    /// Crosses over to the other side of the change: what holds there, given what holds here now, and the way back.
    fn cross(mut self, here: Moment<O>) -> (Moment<O>, Self) {
        self.bystanders.stay(&here.preset, &mut self.there.preset);
        (self.there, Self { there: here, bystanders: self.bystanders.reversed() })
    }
}

/// What was changed, to be undone and done again. Walking is no change, nor is time that passes.
#[derive(Debug)]
pub(super) struct History<O> {
    past: VecDeque<Change<O>>,
    future: Vec<Change<O>>,
    stroke: Option<&'static str>,
}

impl<O> Default for History<O> {
    fn default() -> Self {
        Self { past: VecDeque::new(), future: Vec::new(), stroke: None }
    }
}

impl<O> History<O> {
    /// Whether a change of this key goes on with the step before, since its slider is still being dragged; `bystanders` is
    /// what it leaves alone.
    pub(super) fn goes_on(&mut self, key: Option<&'static str>, bystanders: &Bystanders) -> bool {
        let goes_on = key.is_some() && key == self.stroke;
        if goes_on && let Some(last) = self.past.back_mut() {
            last.bystanders.keep_common(bystanders);
        }
        goes_on
    }

    /// Notes what held before a change, and what the change leaves alone. Further changes of the same key are part of the
    /// same step until [`lift`](Self::lift).
    pub(super) fn note(&mut self, before: Moment<O>, key: Option<&'static str>, bystanders: Bystanders) {
        self.past.push_back(Change { there: before, bystanders });
        self.future.clear();
        self.stroke = key;
        self.trim();
    }

    /// The slider is let go: the next change is a step of its own.
    pub(super) fn lift(&mut self) {
        self.stroke = None;
    }

    /// What held before the last change, given what holds now. What goes on by itself, and was not changed, stays.
    pub(super) fn undo(&mut self, now: impl FnOnce() -> Moment<O>) -> Option<Moment<O>> {
        let (then, back) = self.past.pop_back()?.cross(now());
        self.future.push(back);
        self.stroke = None;
        Some(then)
    }

    /// What held before the last [`undo`](Self::undo).
    pub(super) fn redo(&mut self, now: impl FnOnce() -> Moment<O>) -> Option<Moment<O>> {
        let (then, back) = self.future.pop()?.cross(now());
        self.past.push_back(back);
        self.stroke = None;
        Some(then)
    }

    /// Whether what [`undo`](Self::undo) and [`redo`](Self::redo) would give is of a kind.
    pub(super) fn is_next(&self, is_kind: impl Fn(&O) -> bool) -> [bool; 2] {
        [self.past.back(), self.future.last()].map(|next| next.is_some_and(|change| is_kind(&change.there.origin)))
    }

    /// What was undone is not to be done again.
    pub(super) fn forget_future(&mut self) {
        self.future.clear();
    }

    /// What was done is not to be undone.
    pub(super) fn forget_past(&mut self) {
        self.past.clear();
    }

    /// Forgets what is oldest, until at most so many moments to come back to are of a kind.
    pub(super) fn keep_at_most(&mut self, most: usize, is_kind: impl Fn(&O) -> bool) {
        while self.past.iter().filter(|change| is_kind(&change.there.origin)).count() > most {
            self.past.pop_front();
        }
    }

    /// Steps that can be undone, and done again.
    pub(super) fn steps(&self) -> [usize; 2] {
        [self.past.len(), self.future.len()]
    }

    /// Forgets what is oldest, as far as it takes too much.
    fn trim(&mut self) {
        while self.past.len() > MOST_STEPS {
            self.past.pop_front();
        }
        let mut bytes = 0;
        for Change { there, .. } in self.past.iter_mut().rev() {
            bytes += there.state.as_deref().map_or(0, bytes_of);
            if bytes > MOST_BYTES {
                there.state = None;
            }
        }
    }
}

/// About how many bytes what was remembered takes.
fn bytes_of(state: &WalkState) -> usize {
    size_of_val(state.memory.as_slice()) + size_of_val(&*state.creatures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::CellRect;
    use crate::job::Job;
    use crate::paint::paint;
    use crate::paint::{Backdrop, PaintOptions, Picture, Unseen, Zoom};
    use crate::perception::Observer;
    use glam::ivec2;

    fn scene() -> Scene {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height, preset.sight.radius) = (96, 80, 20);
        preset.perception.creatures = 200.0;
        Scene::generate(preset, None, Job::quiet()).unwrap()
    }

    fn picture(scene: &Scene) -> Picture {
        let options = PaintOptions {
            frame: CellRect::of_size(scene.size()),
            zoom: Zoom::PixelsPerCell(5),
            backdrop: Backdrop::Land,
            unseen: Unseen::Remembered,
        };
        paint(scene, &options)
    }

    /// A window without a window: sliders over a scene.
    struct Sliders {
        scene: Scene,
        history: History<()>,
        turns: u64,
    }

    impl Sliders {
        fn now(scene: &Scene, turns: u64) -> Moment<()> {
            Moment::new(scene.preset().clone(), (), Some(scene), turns)
        }

        fn turn(&mut self, key: &'static str, value: &str) {
            let mut preset = self.scene.preset().clone();
            preset.set(key, value).unwrap();
            self.take(preset, Some(key));
        }

        fn take(&mut self, preset: Preset, key: Option<&'static str>) {
            let bystanders = Bystanders::of(self.scene.preset(), &preset);
            if !self.history.goes_on(key, &bystanders) {
                self.history.note(Self::now(&self.scene, self.turns), key, bystanders);
            }
            self.scene.apply(preset).unwrap();
        }

        fn walk(&mut self) {
            self.scene.step(ivec2(1, 0)).unwrap();
            self.turns += 1;
        }

        fn hour(&self) -> f64 {
            self.scene.preset().clock.hour
        }

        fn put_back(&mut self, then: Option<Moment<()>>) -> bool {
            let Some(then) = then else { return false };
            self.scene.apply(then.preset.clone()).unwrap();
            then.recall(&mut self.scene, self.turns);
            true
        }

        fn undo(&mut self) -> bool {
            let then = self.history.undo(|| Self::now(&self.scene, self.turns));
            self.put_back(then)
        }

        fn redo(&mut self) -> bool {
            let then = self.history.redo(|| Self::now(&self.scene, self.turns));
            self.put_back(then)
        }
    }

    /// Twenty changes, of which several show what is forgotten, or never seen, in the first picture.
    const CHANGES: [(&str, &str); 20] = [
        ("sight.radius", "40"),
        ("optics.visual_range_m", "800"),
        ("optics.fog_onset", "0.3"),
        ("perception.creatures", "900"),
        ("sight.weights", "projection"),
        ("sight.path", "per_cell"),
        ("optics.relief", "none"),
        ("perception.glimpse", "0.01"),
        ("perception.identify", "0.02"),
        ("paint.ramp", "viridis"),
        ("optics.light", "0.3"),
        ("optics.lantern", "9"),
        ("paint.humidity", "false"),
        ("sight.decay.kind", "none"),
        ("classic.method", "shadowcast"),
        ("perception.memory", "false"),
        ("optics.eye_height_m", "120"),
        ("classic.method", "none"),
        ("sight.radius", "6"),
        ("paint.contours", "false"),
    ];

    #[test]
    fn undo_after_twenty_changes_brings_back_the_first_picture_to_the_byte() {
        let mut sliders = Sliders { scene: scene(), history: History::default(), turns: 0 };
        for _ in 0..4 {
            sliders.scene.step(ivec2(1, 0)).unwrap();
        }
        let first = picture(&sliders.scene);
        let mut pictures = vec![first.clone()];
        for (key, value) in CHANGES {
            sliders.turn(key, value);
            sliders.history.lift();
            pictures.push(picture(&sliders.scene));
        }
        assert!(pictures.windows(2).filter(|pair| pair[0] != pair[1]).count() > 12, "the changes are seen");
        for (i, expected) in pictures.iter().enumerate().rev().skip(1) {
            assert!(sliders.undo());
            assert!(picture(&sliders.scene) == *expected, "back before change {i}");
        }
        assert!(picture(&sliders.scene) == first);
        assert!(!sliders.undo(), "there is nothing before the first");
        for (i, expected) in pictures.iter().enumerate().skip(1) {
            assert!(sliders.redo());
            assert!(picture(&sliders.scene) == *expected, "change {i} again");
        }
        assert!(!sliders.redo());
    }

    #[test]
    fn what_takes_much_memory_is_forgotten_with_all_that_is_older() {
        let mut history = History::default();
        let moment = |origin: u32| Moment::new(Preset::default(), origin, None, 0);
        let is_large = |origin: &u32| *origin >= 100;
        for origin in [1, 100, 2, 101, 3, 102, 4] {
            history.note(moment(origin), None, Bystanders::default());
        }
        history.keep_at_most(3, is_large);
        assert_eq!(history.steps(), [7, 0], "three are few enough");
        history.note(moment(103), None, Bystanders::default());
        history.keep_at_most(3, is_large);
        assert_eq!((history.steps(), history.is_next(is_large)), ([6, 0], [true, false]));
        let mut back = Vec::new();
        while let Some(then) = history.undo(|| moment(0)) {
            back.push(then.origin);
        }
        assert_eq!(back, [103, 4, 102, 3, 101, 2]);
        history.forget_future();
        assert_eq!(history.steps(), [0, 0]);
    }

    #[test]
    fn a_drag_is_one_step_and_a_new_change_ends_what_was_undone() {
        let mut sliders = Sliders { scene: scene(), history: History::default(), turns: 0 };
        for radius in 21..40 {
            sliders.turn("sight.radius", &radius.to_string());
        }
        assert_eq!(sliders.history.steps(), [1, 0]);
        sliders.turn("optics.fog_onset", "0.5");
        sliders.turn("sight.radius", "12");
        sliders.history.lift();
        sliders.turn("sight.radius", "13");
        assert_eq!(sliders.history.steps(), [4, 0]);
        assert!(sliders.undo() && sliders.undo());
        assert_eq!((sliders.scene.preset().sight.radius, sliders.history.steps()), (39, [2, 2]));
        sliders.turn("sight.radius", "39");
        assert_eq!(sliders.history.steps(), [3, 0]);
        assert!(sliders.undo() && sliders.undo() && sliders.undo());
        assert_eq!(sliders.scene.preset().sight.radius, 20);
    }

    #[test]
    fn walking_is_not_undone() {
        let mut sliders = Sliders { scene: scene(), history: History::default(), turns: 0 };
        sliders.turn("sight.radius", "8");
        sliders.walk();
        let (at, turn) = (sliders.scene.viewer(), sliders.scene.walk_state().turn);
        sliders.undo();
        assert_eq!((sliders.scene.viewer(), sliders.scene.preset().sight.radius), (at, 20));
        assert_eq!(sliders.scene.walk_state().turn, turn, "creatures do not go back");
    }

    /// With the clock at noon, and half an hour a turn.
    fn at_noon() -> Sliders {
        let mut scene = scene();
        let mut preset = scene.preset().clone();
        (preset.clock.runs, preset.clock.hour, preset.clock.minutes_a_turn) = (true, 12.0, 30.0);
        scene.apply(preset).unwrap();
        Sliders { scene, history: History::default(), turns: 0 }
    }

    #[test]
    fn the_clock_is_turned_back_only_where_it_was_turned() {
        let mut sliders = at_noon();
        sliders.turn("sight.radius", "8");
        sliders.walk();
        sliders.turn("sight.radius", "9"); // the same drag, half an hour later
        sliders.walk();
        assert!(sliders.undo());
        assert_eq!((sliders.scene.preset().sight.radius, sliders.hour()), (20, 13.0));
        sliders.walk();
        assert!(sliders.redo());
        assert_eq!((sliders.scene.preset().sight.radius, sliders.hour()), (9, 13.5));
        sliders.turn("clock.hour", "20");
        sliders.walk();
        assert!(sliders.undo());
        assert_eq!(sliders.hour(), 13.5);
        assert!(sliders.redo());
        assert_eq!(sliders.hour(), 20.5, "as it was before the undo");
        assert!(sliders.undo() && sliders.undo());
        assert_eq!((sliders.scene.preset().sight.radius, sliders.hour()), (20, 13.5));
    }

    #[test]
    fn who_follows_is_not_sent_back() {
        let mut sliders = at_noon();
        let at = sliders.scene.viewer();
        let friend = Observer { follows: true, ..Observer::new(at) };
        sliders.scene.set_observers(vec![friend.clone()]).unwrap();
        let places = |sliders: &Sliders| -> Vec<i32> {
            sliders.scene.observers().iter().map(|lookout| (lookout.at - at).x).collect()
        };
        sliders.turn("sight.radius", "8");
        sliders.history.lift();
        let mut preset = sliders.scene.preset().clone();
        preset.viewers.insert(0, Observer::new(at));
        sliders.take(preset, None);
        sliders.walk();
        sliders.walk();
        assert_eq!(places(&sliders), [0, 1], "the tower stays, the friend is one step behind");
        assert!(sliders.undo());
        assert_eq!(places(&sliders), [1]);
        sliders.walk();
        assert!(sliders.undo());
        assert_eq!((places(&sliders), sliders.scene.preset().sight.radius), (vec![2], 20));
        assert!(sliders.redo() && sliders.redo());
        assert_eq!(places(&sliders), [0, 2]);
    }

    #[test]
    fn what_takes_too_much_is_forgotten_but_not_the_sliders() {
        let mut history = History::default();
        let scene = scene();
        for _ in 0..MOST_STEPS + 20 {
            history.note(Moment::new(Preset::default(), (), Some(&scene), 0), None, Bystanders::default());
        }
        assert_eq!(history.steps()[0], MOST_STEPS);
        let each = bytes_of(&scene.walk_state());
        let kept = history.past.iter().filter(|change| change.there.state.is_some()).count();
        assert!(kept * each <= MOST_BYTES && kept > 10, "{kept} of {each} bytes");
    }
}
