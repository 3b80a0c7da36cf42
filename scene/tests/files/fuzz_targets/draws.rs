//! [`Draws`]: maps and configurations from bytes.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{OpacityMap, PathRule, SightConfig, Weights};
use farsight_scene::preset::{DecayKind, DecaySettings, SightSettings};

/// Reads choices from bytes; zeros follow the last byte.
pub(super) struct Draws<'a>(pub(super) &'a [u8]);

impl Draws<'_> {
    pub(super) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number from 0 to `end` − 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let number = usize::from(self.byte()) << 8 | usize::from(self.byte());
        number % end.max(1)
    }

    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number in [0, 1].
    pub(super) fn unit(&mut self) -> f64 {
        self.below(1001) as f64 / 1000.0
    }

    /// A cell of a map.
    pub(super) fn cell(&mut self, size: IVec2) -> IVec2 {
        ivec2(self.below(size.x as usize) as i32, self.below(size.y as usize) as i32)
    }

    /// A map of at most `side` cells per side: the bytes are its cells.
    pub(super) fn map(&mut self, side: usize) -> OpacityMap {
        let (width, height) = (1 + self.below(side), 1 + self.below(side));
        let background = [0.0, 0.0, 0.05, 1.0][self.below(4)];
        let cells = Grid::from_fn(width, height, |_| if self.is_empty() { background } else { opacity(self.byte()) });
        OpacityMap::try_from(cells).unwrap()
    }

    pub(super) fn decay(&mut self) -> DecaySettings {
        let kind = if self.byte() < 80 { DecayKind::None } else { self.pick(DecayKind::ALL) };
        let half = 0.5 + 30.0 * self.unit();
        let reach = if self.byte().is_multiple_of(2) { None } else { Some(0.5 + 40.0 * self.unit()) };
        let points = vec![[1.0 + half, self.unit()], [half + 9.0, 0.0]];
        let mut decay = DecaySettings::from(kind);
        (decay.half, decay.reach, decay.near, decay.points) = (Some(half), reach, 10.0 * self.unit(), points);
        decay
    }

    /// A configuration of the two-parent method.
    pub(super) fn config(&mut self, radius: u32) -> SightConfig {
        self.settings(radius).config()
    }

    /// Settings of the two-parent method.
    pub(super) fn settings(&mut self, radius: u32) -> SightSettings {
        let radius = match self.byte() {
            255 => 10_000,
            byte => u32::from(byte) % (radius + 1),
        };
        let weights = self.pick(&[Weights::Linear, Weights::Projection]);
        let path = self.pick(&[PathRule::PerCell, PathRule::PerLength]);
        let decay = self.decay();
        let mut sight = SightSettings::default().with_radius(radius).with_path(path).with_decay(decay);
        sight.weights = weights;
        sight
    }
}

/// The opacity of a cell: clear, a wall, or a value between, down to the smallest numbers.
fn opacity(byte: u8) -> f32 {
    match byte {
        0..=127 => 0.0,
        128..=191 => 1.0,
        192 => f32::MIN_POSITIVE,
        193 => 1e-45,
        194 => 1.0 - f32::EPSILON / 2.0,
        _ => f32::from(byte - 194) / 64.0,
    }
}
