//! [`Bystanders`]: what goes on by itself while sliders rest, and was left alone by a change.

use crate::preset::Preset;

/// What of a preset goes on by itself, with time and with walking, and was left alone by a change of it: to undo the change
/// is not to turn back the clock, nor to send those who follow back to where they were.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bystanders {
    hour: bool,
    /// Those who look, too, by their places in the list on this side of the change, and on the other.
    lookouts: Vec<(usize, usize)>,
}

impl Bystanders {
    /// What is the same on both sides of a change: `there`, before it, and `here`, right after it.
    pub(super) fn of(there: &Preset, here: &Preset) -> Self {
        let mut lookouts = Vec::new();
        for (from, lookout) in here.viewers.iter().enumerate() {
            let is_free = |to: usize| lookouts.iter().all(|&(_, taken)| taken != to);
            let mut same = (0..there.viewers.len()).filter(|&to| there.viewers[to] == *lookout && is_free(to));
            if let Some(to) = same.next() {
                lookouts.push((from, to));
            }
        }
        Self { hour: there.clock.hour == here.clock.hour, lookouts }
    }

    /// A further change belongs to the same step: only what neither changed was left alone. Who looks is no slider that
    /// is dragged, and stays as the first had it.
    pub(super) fn keep_common(&mut self, further: &Self) {
        self.hour &= further.hour;
    }

    /// Takes what was left alone as it is now, `here`, over to the preset of the other side.
    pub(super) fn stay(&self, here: &Preset, there: &mut Preset) {
        if self.hour {
            there.clock.hour = here.clock.hour;
        }
        for &(from, to) in &self.lookouts {
            if let (Some(now), Some(then)) = (here.viewers.get(from), there.viewers.get_mut(to)) {
                then.at = now.at;
            }
        }
    }

    /// The same, seen from the other side.
    pub(super) fn reversed(mut self) -> Self {
        for (from, to) in &mut self.lookouts {
            std::mem::swap(from, to);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::Observer;
    use glam::ivec2;

    fn preset(hour: f64, x: &[i32]) -> Preset {
        let mut preset = Preset::default();
        preset.clock.hour = hour;
        preset.viewers = x.iter().map(|&x| Observer { follows: true, ..Observer::new(ivec2(x, 0)) }).collect();
        preset
    }

    /// What stands on the other side of a change, after what is left alone has gone on.
    fn crossed(bystanders: &Bystanders, here: &Preset, mut there: Preset) -> Preset {
        bystanders.stay(here, &mut there);
        there
    }

    #[test]
    fn those_who_follow_are_known_again_among_others() {
        let (before, after) = (preset(9.0, &[4, 7, 7]), preset(9.0, &[7, 4, 20, 7]));
        let bystanders = Bystanders::of(&before, &after);
        let gone_on = preset(11.0, &[70, 40, 200, 71]);
        assert_eq!(crossed(&bystanders, &gone_on, before.clone()), preset(11.0, &[40, 70, 71]));
        let gone_back = preset(13.0, &[41, 72, 73]);
        assert_eq!(crossed(&bystanders.reversed(), &gone_back, gone_on), preset(13.0, &[72, 41, 200, 73]));
    }

    #[test]
    fn what_was_changed_is_put_back() {
        let (before, after) = (preset(9.0, &[4]), preset(12.0, &[5]));
        let bystanders = Bystanders::of(&before, &after);
        assert_eq!(crossed(&bystanders, &preset(15.0, &[8]), before.clone()), before);
        let mut dragged = Bystanders::of(&before, &before);
        dragged.keep_common(&bystanders);
        assert_eq!(crossed(&dragged, &preset(15.0, &[8]), before), preset(9.0, &[8]));
    }
}
