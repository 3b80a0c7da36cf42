//! [`Paper`]: the size of a sheet.

use glam::{Vec2, vec2};

/// A size of ISO 216.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperFormat {
    /// 297 × 210 mm.
    A4,
    /// 420 × 297 mm.
    A3,
    /// 594 × 420 mm.
    A2,
    /// 841 × 594 mm.
    A1,
    /// 1189 × 841 mm.
    A0,
}

impl PaperFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::A4, Self::A3, Self::A2, Self::A1, Self::A0];

    /// Returns the name: `A4`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A4 => "A4",
            Self::A3 => "A3",
            Self::A2 => "A2",
            Self::A1 => "A1",
            Self::A0 => "A0",
        }
    }

    /// Returns the sides in millimetres, the longer one first.
    const fn sides_mm(self) -> [f32; 2] {
        match self {
            Self::A4 => [297.0, 210.0],
            Self::A3 => [420.0, 297.0],
            Self::A2 => [594.0, 420.0],
            Self::A1 => [841.0, 594.0],
            Self::A0 => [1189.0, 841.0],
        }
    }
}

/// The side that is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// Wider than high.
    Landscape,
    /// Higher than wide.
    Portrait,
}

impl Orientation {
    /// Both orientations.
    pub const ALL: [Self; 2] = [Self::Landscape, Self::Portrait];

    /// Returns the name: `landscape`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Landscape => "landscape",
            Self::Portrait => "portrait",
        }
    }
}

/// The paper of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The size.
    pub format: PaperFormat,
    /// The orientation; `None` for that of the map.
    pub orientation: Option<Orientation>,
}

impl Paper {
    /// Returns width and height in millimetres.
    pub(super) fn size_mm(self, orientation: Orientation) -> Vec2 {
        let [longer, shorter] = self.format.sides_mm();
        match orientation {
            Orientation::Landscape => vec2(longer, shorter),
            Orientation::Portrait => vec2(shorter, longer),
        }
    }
}
