//! Where shadows begin and end inside the share of a ray.
//!
//! A ray stands for its share of the turn, and the edge of a shadow can lie anywhere in it. So for each ray two parts
//! of its share are known: the *clear* part, in which nothing at all was met, and the *open* part, in which no wall
//! was. What really comes through is at least the clear part and at most the open part; what is left along the line of
//! the ray is held between the two. In clear air they are one, and the shadow of a wall is exact.
//! Both parts only shrink as opacities grow, so more opacity never raises what comes through.

use std::ops::Range;

use super::cast::Lanes;
use super::list::Covers;

/// What is known of the shares of all rays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    shares: Vec<Share>,
    states: Vec<State>,
    /// What is left along the line of each ray that is `apart`: that may differ from what comes through of its share.
    line: Vec<Lanes>,
    apart: Vec<bool>,
    /// The states of all rays, if they are alike.
    alike: Option<State>,
}

/// From where to where a share is clear, and open. Nothing of it is if the end does not come after the start.
#[derive(Clone, Copy, Debug)]
struct Share {
    clear: [Lanes; 2],
    open: [Lanes; 2],
}

/// For each lane four bits: some of a share is clear, some is open, only some is clear, and only some is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State(u32);

impl State {
    const CLEAR: Self = Self(0xffff);

    fn clear(self) -> u32 {
        self.0 & 0xff
    }

    fn open(self) -> u32 {
        self.0 >> 8 & 0xff
    }

    /// Once a share is met, or dark, from end to end in some lanes.
    fn without(self, met: u32, dark: u32) -> Self {
        Self(self.0 & !(met | met << 16) & !(dark << 8 | dark << 24))
    }

    /// Whether an edge lies in the share, in some lane.
    fn has_edge(self) -> bool {
        self.0 >> 16 != 0
    }
}

impl Shares {
    /// All is clear.
    pub(crate) fn clear(&mut self, rays: usize) {
        let (none, all) = ([0.0; 8], [1.0; 8]);
        self.shares.clear();
        self.shares.resize(rays, Share { clear: [none, all], open: [none, all] });
        self.states.clear();
        self.states.resize(rays, State::CLEAR);
        self.line.resize(rays, all);
        self.apart.clear();
        self.apart.resize(rays, false);
        self.alike = Some(State::CLEAR);
    }

    /// Whether the mean over the rays that cross a cell is not enough, since edges lie where its silhouette ends.
    #[inline(always)]
    pub(crate) fn at_ends(&self, covers: &Covers, crossed: &Range<usize>) -> bool {
        if crossed.is_empty() {
            return false;
        }
        let covered = covers.rays();
        let (low, high) = (self.states[covered.start], self.states[covered.end - 1]);
        low.has_edge() | high.has_edge() | (low != self.states[crossed.start]) | (high != self.states[crossed.end - 1])
    }

    /// What comes through where a cell covers a share, if `light` comes through of the whole.
    #[inline(always)]
    pub(crate) fn at_end(&self, ray: usize, covers: &Covers, light: &Lanes) -> Lanes {
        self.shares[ray].through(covers.of(ray), if self.apart[ray] { &self.line[ray] } else { light })
    }

    /// The same beyond the rays that cross a cell: `light` is what comes through beside.
    #[inline(always)]
    pub(crate) fn beyond(&self, ray: usize, covers: &Covers, light: &Lanes) -> Lanes {
        self.shares[ray].through(covers.of(ray), light)
    }

    /// Whether no cell up to an opacity brings about an edge.
    #[inline(always)]
    pub(crate) fn stay(&self, most: f32) -> bool {
        most == 0.0 && self.alike.is_some() || most < 1.0 && self.alike.is_some_and(|all| all.clear() == 0)
    }

    /// Whether a cell that is not clear may meet a share that is not dark in all lanes.
    #[inline(always)]
    pub(crate) fn may_change(&self, covers: &Covers) -> bool {
        let any = State(self.states[covers.rays()].iter().fold(0, |any, state| any | state.0));
        any.open() != 0
    }

    /// Takes the cover of a cell from the shares. Whether for some of its rays the line is kept apart.
    #[inline(always)]
    pub(crate) fn cover(&mut self, covers: &Covers, opacity: &Lanes, light: &[Lanes]) -> bool {
        let has_wall = opacity.iter().any(|&o| o >= 1.0);
        let rays = covers.rays();
        let any = State(self.states[rays.clone()].iter().fold(0, |any, state| any | state.0));
        let (met, walls) = (lanes_above(opacity, 0.0), if has_wall { lanes_above(opacity, BELOW_1) } else { 0 });
        if any.clear() & met == 0 && any.open() & walls == 0 {
            return any.has_edge();
        }
        self.alike = None;
        for ray in rays {
            let state = self.states[ray];
            if state.clear() & met == 0 && state.open() & walls == 0 {
                continue;
            }
            let (share, place) = (&mut self.shares[ray], covers.of(ray));
            take(&mut share.clear, place, opacity, 0.0);
            if has_wall {
                take(&mut share.open, place, opacity, BELOW_1);
            }
            let whole = place == [0.0, 1.0];
            if (state.has_edge() || !whole) && !self.apart[ray] {
                self.line[ray] = light[ray];
                self.apart[ray] = true;
            }
            self.states[ray] = if whole { state.without(met, walls) } else { share.state() };
        }
        true
    }

    /// Notes whether all shares are alike, which is soon the case in fog.
    pub(crate) fn compare(&mut self) {
        if self.alike.is_some() {
            return;
        }
        let first = self.states[0];
        self.alike = (!first.has_edge() && self.states.iter().all(|state| *state == first)).then_some(first);
    }

    /// Whether the line of a ray is kept apart.
    #[inline(always)]
    pub(crate) fn is_apart(&self, ray: usize) -> bool {
        self.apart[ray]
    }

    /// Dims the line of a ray that is kept apart. What comes through of its share.
    #[inline(always)]
    pub(crate) fn dim(&mut self, ray: usize, by: &Lanes) -> Lanes {
        for (line, by) in self.line[ray].iter_mut().zip(by) {
            *line *= by;
        }
        self.apart[ray] = self.states[ray].has_edge();
        self.shares[ray].through([0.0, 1.0], &self.line[ray])
    }
}

/// The greatest number below 1: what is above it is a wall.
const BELOW_1: f32 = 1.0 - f32::EPSILON / 2.0;

/// A bit for each lane above a value.
#[inline(always)]
fn lanes_above(lanes: &Lanes, value: f32) -> u32 {
    let mut bits = [0; 8];
    for lane in 0..8 {
        bits[lane] = if lanes[lane] > value { 1 << lane } else { 0 };
    }
    bits.iter().fold(0, |all, bit| all | bit)
}

/// Takes what is covered between two places, one of them an end of the share, in the lanes with an opacity above some.
#[inline(always)]
fn take([start, end]: &mut [Lanes; 2], [from, to]: [f32; 2], opacity: &Lanes, above: f32) {
    let (low, high) = (if from == 0.0 { to } else { 0.0 }, if to == 1.0 { from } else { 1.0 });
    for lane in 0..8 {
        let low = if opacity[lane] > above { low } else { 0.0 };
        start[lane] = if start[lane] > low { start[lane] } else { low };
    }
    for lane in 0..8 {
        let high = if opacity[lane] > above { high } else { 1.0 };
        end[lane] = if end[lane] < high { end[lane] } else { high };
    }
}

/// How much of the stretch between two places lies between start and end.
#[inline(always)]
fn part([start, end]: &[Lanes; 2], [from, to]: [f32; 2]) -> Lanes {
    let per_share = 1.0 / (to - from);
    let mut part = *end;
    for lane in 0..8 {
        let start = if start[lane] > from { start[lane] } else { from };
        let end = if part[lane] < to { part[lane] } else { to };
        let length = (end - start) * per_share;
        part[lane] = if length > 0.0 { length } else { 0.0 };
    }
    part
}

impl Share {
    /// What comes through between two places, if `line` is left along the ray's line.
    #[inline(always)]
    fn through(&self, place: [f32; 2], line: &Lanes) -> Lanes {
        let (least, most) = (part(&self.clear, place), part(&self.open, place));
        let mut through = *line;
        for lane in 0..8 {
            let light = if through[lane] > least[lane] { through[lane] } else { least[lane] };
            through[lane] = if light < most[lane] { light } else { most[lane] };
        }
        through
    }

    #[inline(always)]
    fn state(&self) -> State {
        let mut bits = [0u32; 8];
        for lane in 0..8 {
            let length = |[start, end]: &[Lanes; 2]| end[lane] - start[lane];
            let (clear, open) = (length(&self.clear), length(&self.open));
            let some = if clear > 0.0 { 1 } else { 0 } | if open > 0.0 { 1 << 8 } else { 0 };
            let in_part = if clear > 0.0 && clear < 1.0 { 1 << 16 } else { 0 }
                | if open > 0.0 && open < 1.0 { 1 << 24 } else { 0 };
            bits[lane] = (some | in_part) << lane;
        }
        State(bits.iter().fold(0, |all, bit| all | bit))
    }
}
