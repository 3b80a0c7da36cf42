//! [`Whereabouts`]: the window is put where it was the last time, and where it is now is known.

/// Where a window is, in pixels of the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The upper left corner of what is within the frame.
    pub(super) corner: [i32; 2],
    /// Width and height of that.
    pub(super) size: [u32; 2],
    /// Height of the title above it; 0 without a frame.
    pub(super) title: i32,
    /// Width and height of the desktop, all screens together.
    pub(super) desktop: [i32; 2],
    /// Whether it fills the screen, or a side of it, only for now.
    pub(super) is_stretched: bool,
}

impl Place {
    /// Whether one could take hold of the title if the window stood at a corner: otherwise it might be lost.
    fn is_in_reach(&self, [x, y]: [i32; 2]) -> bool {
        let [width, height] = self.desktop;
        let shown = (x + self.size[0] as i32).min(width) - x.max(0);
        shown >= WIDTH_IN_REACH && y >= self.title && y <= height - HEIGHT_IN_REACH
    }
}

/// So much of the width of a window must be on the desktop, in pixels.
const WIDTH_IN_REACH: i32 = 128;

/// So far above the lower end of the desktop must a window begin, in pixels: panels lie there.
const HEIGHT_IN_REACH: i32 = 64;

/// Nobody has moved the window for so many seconds: the window manager is done with it.
const SETTLED: f64 = 0.3;

/// The widest frame, in pixels: a window that ends up farther from where it was put was moved by someone else.
const WIDEST_FRAME: i32 = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It is to be put at a corner once it stands.
    Wanted([i32; 2]),
    /// It was asked for: the corner that is wanted, and the one that was named. A window manager may put the frame there
    /// and not what is within it.
    Asked { wanted: [i32; 2], named: [i32; 2], again: bool },
    /// It stands where it stands.
    Free,
}

/// Puts the window where it was the last time, once the window manager has settled, and then knows where it is.
#[derive(Debug)]
pub(super) struct Whereabouts {
    step: Step,
    seen: Option<Place>,
    since: f64,
}

impl Whereabouts {
    /// With the corner of the last time, if there is one.
    pub(super) fn new(wanted: Option<[i32; 2]>) -> Self {
        Self { step: wanted.map_or(Step::Free, Step::Wanted), seen: None, since: 0.0 }
    }

    /// Takes in where the window is at a time in seconds, and says where it is to be moved.
    pub(super) fn look(&mut self, seen: Option<Place>, now: f64) -> Option<[i32; 2]> {
        if seen != self.seen {
            (self.seen, self.since) = (seen, now);
        }
        let place = self.settled(now)?;
        let (next, moves) = match self.step {
            _ if place.is_stretched => (Step::Free, None),
            Step::Wanted(corner) if place.corner != corner && place.is_in_reach(corner) => {
                (Step::Asked { wanted: corner, named: corner, again: false }, Some(corner))
            }
            Step::Asked { wanted, named, again: false } if place.corner != wanted => {
                let off = [place.corner[0] - wanted[0], place.corner[1] - wanted[1]];
                let corner = [named[0] - off[0], named[1] - off[1]];
                if off.iter().all(|off| off.abs() <= WIDEST_FRAME) {
                    (Step::Asked { wanted, named: corner, again: true }, Some(corner))
                } else {
                    (Step::Free, None)
                }
            }
            Step::Wanted(_) | Step::Asked { .. } | Step::Free => (Step::Free, None),
        };
        self.step = next;
        if moves.is_some() {
            self.since = now; // it is to settle anew
        }
        moves
    }

    /// Where the window is, if it stands still and is as large as it was made.
    pub(super) fn kept(&self, now: f64) -> Option<Place> {
        self.settled(now).filter(|place| !place.is_stretched)
    }

    /// Whether it is where it should be, or nobody wants it anywhere.
    pub(super) fn is_free(&self) -> bool {
        self.step == Step::Free
    }

    fn settled(&self, now: f64) -> Option<Place> {
        self.seen.filter(|_| now - self.since >= SETTLED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Place =
        Place { corner: [100, 120], size: [900, 600], title: 20, desktop: [1280, 800], is_stretched: false };

    /// A desktop that puts the named corner of a window so far aside; what is asked of it, and what is kept.
    fn live(wanted: Option<[i32; 2]>, aside: [i32; 2], first: Place) -> (Vec<[i32; 2]>, Option<Place>) {
        let mut whereabouts = Whereabouts::new(wanted);
        let (mut place, mut asked) = (first, Vec::new());
        for frame in 0..200 {
            let now = f64::from(frame) / 50.0;
            if let Some(corner) = whereabouts.look(Some(place), now) {
                asked.push(corner);
                place.corner = [corner[0] + aside[0], corner[1] + aside[1]];
            }
        }
        (asked, whereabouts.kept(4.0))
    }

    #[test]
    fn at_first_nothing_is_asked_and_the_place_is_kept() {
        assert_eq!(live(None, [0, 0], HERE), (vec![], Some(HERE)));
        assert_eq!(live(Some(HERE.corner), [0, 0], HERE), (vec![], Some(HERE)), "it is there already");
    }

    #[test]
    fn it_comes_back_to_the_pixel_whatever_the_frame_takes() {
        for aside in [[0, 0], [1, 22], [-4, -30]] {
            let (asked, kept) = live(Some([40, 60]), aside, HERE);
            assert_eq!(asked[0], [40, 60]);
            assert_eq!(asked.len(), if aside == [0, 0] { 1 } else { 2 }, "{aside:?}: {asked:?}");
            assert_eq!(kept.unwrap().corner, [40, 60], "{aside:?}");
        }
    }

    #[test]
    fn who_moves_the_window_meanwhile_is_let_be() {
        let (asked, kept) = live(Some([40, 60]), [300, 0], HERE);
        assert_eq!((asked.len(), kept.unwrap().corner), (1, [340, 60]));
    }

    #[test]
    fn a_place_off_the_desktop_is_not_asked_for() {
        let far = [[2000, 100], [-890, 100], [1200, 100], [100, 5000], [100, 740], [100, -300], [100, 10]];
        for wanted in far {
            assert_eq!(live(Some(wanted), [0, 0], HERE), (vec![], Some(HERE)), "{wanted:?}");
        }
        for wanted in [[-700, 20], [1152, 736], [0, 20]] {
            assert_eq!(live(Some(wanted), [0, 0], HERE).0, [wanted]);
        }
    }

    #[test]
    fn a_stretched_or_hidden_window_is_neither_moved_nor_kept() {
        let stretched = Place { is_stretched: true, ..HERE };
        assert_eq!(live(Some([40, 60]), [0, 0], stretched), (vec![], None));
        let mut whereabouts = Whereabouts::new(None);
        for frame in 0..50 {
            assert_eq!(whereabouts.look(None, f64::from(frame)), None);
        }
        assert_eq!(whereabouts.kept(60.0), None);
    }

    #[test]
    fn what_moves_is_kept_once_it_stands() {
        let mut whereabouts = Whereabouts::new(None);
        let moved = |x| Some(Place { corner: [x, 120], ..HERE });
        whereabouts.look(moved(100), 0.0);
        whereabouts.look(moved(100), 1.0);
        assert_eq!(whereabouts.kept(1.0), moved(100));
        whereabouts.look(moved(105), 1.1);
        assert_eq!(whereabouts.kept(1.2), None);
        whereabouts.look(moved(105), 1.5);
        assert_eq!(whereabouts.kept(1.5), moved(105));
    }
}
