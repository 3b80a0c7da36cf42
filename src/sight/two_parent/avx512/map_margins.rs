//! [`MapMargins`]: the cells of a map on each side of the viewer.

/// The number of cells of the map on each side of the viewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MapMargins {
    pub(super) up: usize,
    pub(super) down: usize,
    pub(super) left: usize,
    pub(super) right: usize,
}

impl MapMargins {
    /// The margins of a viewer on a map.
    ///
    /// # Panics
    /// If the viewer is outside the map.
    #[inline]
    pub(super) fn new([width, height]: [usize; 2], [x, y]: [usize; 2]) -> Self {
        assert!(x < width && y < height);
        Self { up: y, down: height - 1 - y, left: x, right: width - 1 - x }
    }

    /// In the order up, down, left, right.
    #[inline]
    pub(super) fn to_array(self) -> [usize; 4] {
        [self.up, self.down, self.left, self.right]
    }

    /// The margins clipped to a radius.
    pub(super) fn clip(self, radius: usize) -> Self {
        let Self { up, down, left, right } = self;
        Self { up: up.min(radius), down: down.min(radius), left: left.min(radius), right: right.min(radius) }
    }
}
