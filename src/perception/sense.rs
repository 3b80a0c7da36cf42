//! [`Sense`]: identified, glimpsed or hidden.

/// What a viewer makes of something, given how well it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Sense {
    /// Too dim to notice.
    #[default]
    Hidden,
    /// Something is there: a question mark.
    Glimpsed,
    /// Told for what it is.
    Identified,
}

impl Sense {
    /// `hidden`, `glimpsed` or `identified`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Glimpsed => "glimpsed",
            Self::Identified => "identified",
        }
    }
}

/// Visibilities at which something is glimpsed and identified: 0 < glimpse ≤ identify ≤ 1.
///
/// ```
/// use farsight::perception::{Sense, Thresholds};
/// let thresholds = Thresholds { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 };
/// assert_eq!(thresholds.judge(0.24), Sense::Glimpsed);
/// assert_eq!(thresholds.judge_after(0.24, Sense::Identified), Sense::Identified); // it does not flicker
/// assert_eq!(thresholds.judge_after(0.22, Sense::Identified), Sense::Glimpsed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// From this on, it is identified.
    pub identify: f32,
    /// From this on, it is glimpsed.
    pub glimpse: f32,
    /// How far below a threshold one must fall to lose what it gave.
    pub hysteresis: f32,
}

impl Thresholds {
    /// What is made of a visibility, seen for the first time.
    pub fn judge(&self, visibility: f32) -> Sense {
        self.judge_after(visibility, Sense::Hidden)
    }

    /// What is made of a visibility by one who made `before` of it a moment ago: a sense is kept
    /// until visibility falls below its threshold less the hysteresis. What has no visibility at
    /// all is hidden, however small the thresholds.
    pub fn judge_after(&self, visibility: f32, before: Sense) -> Sense {
        let reaches = |sense: Sense, threshold: f32| {
            let needed = if before >= sense { threshold - self.hysteresis } else { threshold };
            visibility > 0.0 && visibility >= needed
        };
        if reaches(Sense::Identified, self.identify) {
            Sense::Identified
        } else if reaches(Sense::Glimpsed, self.glimpse) {
            Sense::Glimpsed
        } else {
            Sense::Hidden
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THRESHOLDS: Thresholds = Thresholds { identify: 0.25, glimpse: 0.05, hysteresis: 0.1 };

    #[test]
    fn thresholds_themselves_are_enough() {
        assert_eq!(THRESHOLDS.judge(0.25), Sense::Identified);
        assert_eq!(THRESHOLDS.judge(0.249), Sense::Glimpsed);
        assert_eq!(THRESHOLDS.judge(0.05), Sense::Glimpsed);
        assert_eq!(THRESHOLDS.judge(0.049), Sense::Hidden);
    }

    #[test]
    fn a_wavering_sight_does_not_flicker() {
        let mut sense = Sense::Hidden;
        let mut changes = 0;
        for i in 0..100 {
            let next = THRESHOLDS.judge_after(if i % 2 == 0 { 0.26 } else { 0.20 }, sense);
            changes += usize::from(next != sense);
            sense = next;
        }
        assert_eq!((changes, sense), (1, Sense::Identified));
    }

    #[test]
    fn what_is_not_seen_at_all_is_lost_even_within_the_hysteresis() {
        assert_eq!(THRESHOLDS.judge_after(0.001, Sense::Glimpsed), Sense::Glimpsed);
        assert_eq!(THRESHOLDS.judge_after(0.0, Sense::Identified), Sense::Hidden);
    }
}
