//! [`Lazy`]: a part of a world that is computed on first use.

use std::sync::OnceLock;

/// A part of a world that follows from its other parts. In a window of a raster it is computed on first use, since a viewshed does
/// not need it.
#[derive(Clone, Debug)]
pub(super) struct Lazy<T>(OnceLock<T>);

impl<T> Lazy<T> {
    pub(super) fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }

    /// Returns the part if it is computed.
    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        self.0.get_mut()
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> From<T> for Lazy<T> {
    fn from(part: T) -> Self {
        Self(part.into())
    }
}

/// An uncomputed part follows from the others.
impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.get().zip(other.0.get()).is_none_or(|(a, b)| a == b)
    }
}
