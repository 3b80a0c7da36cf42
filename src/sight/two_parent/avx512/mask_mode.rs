//! [`MaskMode`] and [the order of a sweep](ROWS), as constants for the compiler.

/// The lanes of a band that may be read and written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum MaskMode {
    /// All lanes are read and written. Beyond the diagonal, 0 is written.
    All,
    /// All lanes are read, but only lanes in sight are written.
    ReadAll,
    /// Only lanes in sight are read and written.
    InSight,
}

/// [`MaskMode::All`].
pub(super) const ALL: u8 = 0;
/// [`MaskMode::ReadAll`].
pub(super) const READ_ALL: u8 = 1;
/// [`MaskMode::InSight`].
pub(super) const IN_SIGHT: u8 = 2;

/// Two opposite wedges are swept along the rows of the map.
pub(super) const ROWS: u8 = 0;
/// Two opposite wedges are swept along the columns of the map.
pub(super) const COLUMNS: u8 = 1;
