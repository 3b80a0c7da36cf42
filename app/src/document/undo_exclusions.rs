//! [`UndoExclusions`]: the parts of a preset that undo keeps, since they move by themselves.

use farsight::preset::Preset;

/// The hour and the lookouts that a change did not touch. They move with time and with walks, so undoing the change must not
/// turn back the clock, nor send lookouts that follow back to their old cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UndoExclusions {
    hour: bool,
    lookouts: Vec<SameLookout>,
}

/// A lookout that is on both sides of a change, by its indices.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SameLookout {
    here: usize,
    there: usize,
}

impl UndoExclusions {
    /// Returns what is the same before a change (`there`) and right after it (`here`).
    pub(crate) fn of(there: &Preset, here: &Preset) -> Self {
        let mut lookouts: Vec<SameLookout> = Vec::new();
        for (i, lookout) in here.viewers.iter().enumerate() {
            let is_free = |j: usize| lookouts.iter().all(|same| same.there != j);
            let mut same = (0..there.viewers.len()).filter(|&j| there.viewers[j] == *lookout && is_free(j));
            if let Some(j) = same.next() {
                lookouts.push(SameLookout { here: i, there: j });
            }
        }
        Self { hour: there.clock.hour == here.clock.hour, lookouts }
    }

    /// Keeps only what a further change of the same step does not touch either. No drag changes lookouts.
    pub(crate) fn intersect(&mut self, further: &Self) {
        self.hour &= further.hour;
    }

    /// Carries the excluded parts from the present preset over to the one on the other side.
    pub(crate) fn carry_over(&self, here: &Preset, there: &mut Preset) {
        if self.hour {
            there.clock.hour = here.clock.hour;
        }
        for same in &self.lookouts {
            if let (Some(now), Some(then)) = (here.viewers.get(same.here), there.viewers.get_mut(same.there)) {
                then.at = now.at;
            }
        }
    }

    /// Returns the exclusions as they are on the other side.
    pub(crate) fn reversed(mut self) -> Self {
        for same in &mut self.lookouts {
            *same = SameLookout { here: same.there, there: same.here };
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::perception::Observer;
    use glam::ivec2;

    fn preset(hour: f64, x: &[i32]) -> Preset {
        let mut preset = Preset::default();
        preset.clock.hour = hour;
        preset.viewers = x.iter().map(|&x| Observer::new(ivec2(x, 0)).with_follows(true)).collect();
        preset
    }

    /// Returns the preset on the other side of a change.
    fn crossed(exclusions: &UndoExclusions, here: &Preset, mut there: Preset) -> Preset {
        exclusions.carry_over(here, &mut there);
        there
    }

    #[test]
    fn lookouts_are_matched_among_others() {
        let (before, after) = (preset(9.0, &[4, 7, 7]), preset(9.0, &[7, 4, 20, 7]));
        let exclusions = UndoExclusions::of(&before, &after);
        let gone_on = preset(11.0, &[70, 40, 200, 71]);
        assert_eq!(crossed(&exclusions, &gone_on, before.clone()), preset(11.0, &[40, 70, 71]));
        let gone_back = preset(13.0, &[41, 72, 73]);
        assert_eq!(crossed(&exclusions.reversed(), &gone_back, gone_on), preset(13.0, &[72, 41, 200, 73]));
    }

    #[test]
    fn changed_parts_are_put_back() {
        let (before, after) = (preset(9.0, &[4]), preset(12.0, &[5]));
        let exclusions = UndoExclusions::of(&before, &after);
        assert_eq!(crossed(&exclusions, &preset(15.0, &[8]), before.clone()), before);
        let mut dragged = UndoExclusions::of(&before, &before);
        dragged.intersect(&exclusions);
        assert_eq!(crossed(&dragged, &preset(15.0, &[8]), before), preset(9.0, &[8]));
    }
}
