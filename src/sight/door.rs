//! [`Door`]: the state of a door.

/// The state of a door of an [`OpacityMap`](super::OpacityMap): closed if its cell is opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Door {
    /// Something is seen through it.
    Open,
    /// Nothing is seen through it.
    Closed,
}

impl Door {
    /// Returns the opacity that opening or closing gives its cell.
    pub fn opacity(self) -> f32 {
        match self {
            Self::Open => 0.0,
            Self::Closed => 1.0,
        }
    }

    /// Returns the other state.
    #[must_use]
    pub fn toggled(self) -> Self {
        match self {
            Self::Open => Self::Closed,
            Self::Closed => Self::Open,
        }
    }
}
