//! [`Introduction`]: the lines for a new user, which fade.

/// The number of lines, the interval between their starts, the duration of a fade, and the end of all lines, in seconds.
const LINES: usize = 3;
const INTERVAL: f64 = 1.2;
const FADE: f64 = 0.6;
const END: f64 = 30.0;

/// The time of the lines after the first step, in seconds.
const SECONDS_AFTER_STEP: f64 = 2.5;

/// The lines for a new user.
#[derive(Debug, Default)]
pub(crate) struct Introduction {
    is_wanted: bool,
    /// The start and the end, in seconds; `None` before the first frame with a scene.
    time: Option<[f64; 2]>,
}

impl Introduction {
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, time: None }
    }

    /// Returns the opacity of each line at a time in seconds; `None` before the first and after the last frame of the
    /// lines. They end soon after the first step.
    pub(crate) fn opacities(&mut self, has_worked: bool, now: f64) -> Option<[f32; LINES]> {
        if !self.is_wanted {
            return None;
        }
        let [start, end] = self.time.get_or_insert([now, now + END]);
        if has_worked {
            *end = end.min(now + SECONDS_AFTER_STEP);
        }
        self.is_wanted = now < *end;
        let shown =
            |line: usize| ((now - *start - line as f64 * INTERVAL).min(*end - now) / FADE).clamp(0.0, 1.0) as f32;
        self.is_wanted.then(|| std::array::from_fn(shown))
    }

    /// Returns `true` before the end of the lines.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Returns `true` while the lines are shown.
    pub(crate) fn is_showing(&self) -> bool {
        self.is_wanted && self.time.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_appear_one_by_one_and_fade_after_the_first_step() {
        assert_eq!(Introduction::new(false).opacities(false, 0.0), None);
        let mut lines = Introduction::new(true);
        assert!(!lines.is_showing());
        assert_eq!(lines.opacities(false, 10.0), Some([0.0; 3]));
        assert_eq!(lines.opacities(false, 11.5), Some([1.0, 0.5, 0.0].map(|it: f32| it)));
        assert_eq!(lines.opacities(false, 20.0), Some([1.0; 3]));
        assert_eq!(lines.opacities(true, 20.0), Some([1.0; 3]));
        assert_eq!(lines.opacities(true, 22.2), Some([0.5; 3]));
        assert_eq!((lines.opacities(true, 22.5), lines.is_showing()), (None, false));
    }

    #[test]
    fn lines_end_without_a_step() {
        let mut lines = Introduction::new(true);
        assert_eq!(lines.opacities(false, 0.0), Some([0.0; 3]));
        assert_eq!((lines.opacities(false, END), lines.opacities(false, 1.0)), (None, None));
    }
}
