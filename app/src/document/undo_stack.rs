//! [`UndoStack`]: a generic undo history.

use std::collections::VecDeque;

/// The maximum number of undo steps.
pub(crate) const MAX_STEPS: usize = 500;

/// The numbers of undo and redo steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UndoSteps {
    pub(crate) undo: usize,
    pub(crate) redo: usize,
}

/// A direction through the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Undo,
    Redo,
}

/// Two stacks of items. An item leads from the present to the other side of a step; the caller exchanges it for the
/// item that leads back.
#[derive(Debug)]
pub(crate) struct UndoStack<T> {
    undos: VecDeque<T>,
    redos: VecDeque<T>,
    /// The key of the last step, while it collects further changes of the same key.
    open_key: Option<&'static str>,
}

impl<T> Default for UndoStack<T> {
    fn default() -> Self {
        Self { undos: VecDeque::new(), redos: VecDeque::new(), open_key: None }
    }
}

impl<T> UndoStack<T> {
    /// Adds a step. Changes of the same key belong to it until [`end_step`](Self::end_step).
    pub(crate) fn push(&mut self, item: T, key: Option<&'static str>) {
        self.undos.push_back(item);
        if self.undos.len() > MAX_STEPS {
            self.undos.pop_front();
        }
        self.redos.clear();
        self.open_key = key;
    }

    /// Returns `true` if a change of a key belongs to the last step.
    pub(crate) fn has_open_step(&self, key: Option<&'static str>) -> bool {
        key.is_some() && key == self.open_key && !self.undos.is_empty()
    }

    /// Ends the last step: the next change is a new step.
    pub(crate) fn end_step(&mut self) {
        self.open_key = None;
    }

    /// Returns the item that [`step`](Self::step) would cross.
    pub(crate) fn next(&self, direction: Direction) -> Option<&T> {
        match direction {
            Direction::Undo => self.undos.back(),
            Direction::Redo => self.redos.back(),
        }
    }

    /// Undoes the last step, or redoes the last undone step, and returns its item. `back` is the item that leads back,
    /// or `None` without a way back.
    pub(crate) fn step(&mut self, direction: Direction, back: Option<T>) -> Option<T> {
        let (from, to) = match direction {
            Direction::Undo => (&mut self.undos, &mut self.redos),
            Direction::Redo => (&mut self.redos, &mut self.undos),
        };
        let crossed = from.pop_back()?;
        match back {
            Some(back) => to.push_back(back),
            None => to.clear(),
        }
        self.open_key = None;
        Some(crossed)
    }

    /// Drops the oldest steps until at most `max` undo steps are large.
    pub(crate) fn limit(&mut self, max: usize, is_large: impl Fn(&T) -> bool) {
        while self.undos.iter().filter(|item| is_large(item)).count() > max {
            self.undos.pop_front();
        }
    }

    /// Returns the undo steps, the newest first.
    pub(crate) fn newest_first(&mut self) -> impl Iterator<Item = &mut T> {
        self.undos.iter_mut().rev()
    }

    /// Returns the newest undo item that fulfils a condition.
    pub(crate) fn find_undo(&self, is_wanted: impl Fn(&T) -> bool) -> Option<&T> {
        self.undos.iter().rev().find(|item| is_wanted(item))
    }

    pub(crate) fn steps(&self) -> UndoSteps {
        UndoSteps { undo: self.undos.len(), redo: self.redos.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_steps_are_dropped_with_everything_older() {
        let mut stack = UndoStack::default();
        let is_large = |item: &u32| *item >= 100;
        for item in [1, 100, 2, 101, 3, 102, 4] {
            stack.push(item, None);
        }
        stack.limit(3, is_large);
        assert_eq!(stack.steps(), UndoSteps { undo: 7, redo: 0 }, "three are few enough");
        stack.push(103, None);
        stack.limit(3, is_large);
        let next = [Direction::Undo, Direction::Redo].map(|direction| stack.next(direction));
        assert_eq!((stack.steps().undo, next), (6, [Some(&103), None]));
        let undone: Vec<_> = (0..5).map_while(|_| stack.step(Direction::Undo, Some(0))).collect();
        assert_eq!((undone, stack.steps()), (vec![103, 4, 102, 3, 101], UndoSteps { undo: 1, redo: 5 }));
        assert_eq!(stack.step(Direction::Undo, None), Some(2));
        assert_eq!(stack.steps(), UndoSteps { undo: 0, redo: 0 }, "there is no way back");
    }

    #[test]
    fn old_steps_are_dropped_and_a_new_one_ends_the_redos() {
        let mut stack = UndoStack::default();
        for item in 0..MAX_STEPS + 20 {
            stack.push(item, Some("key"));
        }
        assert_eq!(stack.steps().undo, MAX_STEPS);
        assert!(stack.has_open_step(Some("key")) && !stack.has_open_step(Some("other")));
        assert_eq!(stack.step(Direction::Undo, Some(0)), Some(MAX_STEPS + 19));
        assert!(!stack.has_open_step(Some("key")), "an undo ends the step");
        stack.push(7, None);
        assert!(stack.step(Direction::Redo, None).is_none() && !stack.has_open_step(None));
    }
}
