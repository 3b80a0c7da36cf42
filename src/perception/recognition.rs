//! [`Recognition`]: hidden, glimpsed or identified, by [`Thresholds`] of visibility.

use crate::named_enum::named_enum;

named_enum! {
    /// The degree to which a viewer recognises something.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub enum Recognition: "recognition" {
        /// Too dim to notice.
        #[default]
        Hidden = "hidden",
        /// Noticed, but not what it is: a question mark.
        Glimpsed = "glimpsed",
        /// Recognised for what it is.
        Identified = "identified",
    }
}

/// Visibilities from which something is glimpsed and identified: 0 < glimpse ≤ identify ≤ 1.
///
/// ```
/// use farsight::perception::{Recognition, Thresholds};
/// let thresholds = Thresholds { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 };
/// assert_eq!(thresholds.classify(0.24), Recognition::Glimpsed);
/// assert_eq!(thresholds.classify_after(0.24, Recognition::Identified), Recognition::Identified); // no flicker
/// assert_eq!(thresholds.classify_after(0.22, Recognition::Identified), Recognition::Glimpsed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Least visibility to be identified.
    pub identify: f32,
    /// Least visibility to be glimpsed.
    pub glimpse: f32,
    /// The fall of visibility below a threshold that loses its recognition.
    pub hysteresis: f32,
}

impl Default for Thresholds {
    /// Those of the default presets: identified from 0.25, glimpsed from 0.05, with a hysteresis of 0.02.
    fn default() -> Self {
        Self { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 }
    }
}

impl Thresholds {
    /// Classifies a visibility, seen for the first time.
    pub fn classify(&self, visibility: f32) -> Recognition {
        self.classify_after(visibility, Recognition::Hidden)
    }

    /// Classifies a visibility with hysteresis: the `previous` recognition is kept until visibility falls below its
    /// threshold less the hysteresis. Visibility 0 is hidden however small the thresholds are.
    pub fn classify_after(&self, visibility: f32, previous: Recognition) -> Recognition {
        let reaches = |recognition: Recognition, threshold: f32| {
            let needed = if previous >= recognition { threshold - self.hysteresis } else { threshold };
            visibility > 0.0 && visibility >= needed
        };
        if reaches(Recognition::Identified, self.identify) {
            Recognition::Identified
        } else if reaches(Recognition::Glimpsed, self.glimpse) {
            Recognition::Glimpsed
        } else {
            Recognition::Hidden
        }
    }
}
