//! What a classic field of view computes: [`ClassicConfig`].

use serde::{Deserialize, Serialize};

/// What a classic field of view computes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassicConfig {
    /// The algorithm.
    pub method: ClassicMethod,
    /// How far one can see, in cells: the offsets with dx² + dy² ≤ radius².
    pub radius: u32,
    /// The opacity from which a cell is a wall, in [0, 1].
    pub wall_at: f64,
    /// Lines that [`ClassicMethod::RaycastCircle`] casts.
    pub rays: u32,
    /// Whether [`ClassicMethod::RaycastBorder`] shows the walls behind seen floor.
    pub repair: bool,
}

impl Default for ClassicConfig {
    fn default() -> Self {
        Self {
            method: ClassicMethod::Shadowcast,
            radius: Self::DEFAULT_RADIUS,
            wall_at: Self::DEFAULT_WALL_AT,
            rays: Self::DEFAULT_RAYS,
            repair: true,
        }
    }
}

impl ClassicConfig {
    /// A screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// What takes away half of the light or more counts as a wall.
    pub const DEFAULT_WALL_AT: f64 = 0.5;

    /// One for every degree, as such casters are usually described; they leave gaps from 47 cells on.
    pub const DEFAULT_RAYS: u32 = 360;
}

/// The algorithm of a classic field of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClassicMethod {
    /// Recursive shadowcasting: arcs of light, row by row in eight octants, shrink at walls.
    #[default]
    Shadowcast,
    /// Bresenham lines to every cell of the border of the view, then the walls behind seen floor.
    #[serde(alias = "raycast-border")]
    RaycastBorder,
    /// Bresenham lines to points on a far circle.
    #[serde(alias = "raycast-circle")]
    RaycastCircle,
}

impl ClassicMethod {
    /// All of them, in the order of their sources' age.
    pub const ALL: [Self; 3] = [Self::RaycastBorder, Self::RaycastCircle, Self::Shadowcast];

    /// The name on the command line: `raycast-border`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shadowcast => "shadowcast",
            Self::RaycastBorder => "raycast-border",
            Self::RaycastCircle => "raycast-circle",
        }
    }
}
