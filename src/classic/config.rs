//! [`ClassicConfig`]: the parameters of a classic field of view.

use serde::{Deserialize, Serialize};

use crate::named_enum::named_enum;
use crate::setters::setters;

/// The parameters of a classic field of view.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClassicConfig {
    /// The algorithm.
    pub method: ClassicMethod,
    /// Radius of the view in cells: it has the offsets with dx² + dy² ≤ radius².
    pub radius: u32,
    /// The opacity from which a cell is a wall, 0 to 1.
    pub wall_at: f64,
    /// The number of lines of [`ClassicMethod::RaycastCircle`].
    pub rays: u32,
    /// `true` if [`ClassicMethod::RaycastBorder`] shows the walls behind seen floor.
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
    /// About the screen of a roguelike in every direction.
    pub const DEFAULT_RADIUS: u32 = 32;

    /// A cell that blocks half of the light or more is a wall.
    pub const DEFAULT_WALL_AT: f64 = 0.5;

    /// One line a degree, as the method is usually described; it leaves gaps from 47 cells on.
    pub const DEFAULT_RAYS: u32 = 360;

    setters! {
        with_method(method: ClassicMethod), with_radius(radius: u32), with_wall_at(wall_at: f64), with_rays(rays: u32),
        with_repair(repair: bool),
    }
}

named_enum! {
    /// The algorithm of a classic field of view.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum ClassicMethod: "classic method" {
        /// Bresenham lines to every cell of the border of the view, then the walls behind seen floor.
        #[serde(alias = "raycast-border")]
        RaycastBorder = "raycast-border",
        /// Bresenham lines to points on a far circle.
        #[serde(alias = "raycast-circle")]
        RaycastCircle = "raycast-circle",
        /// Recursive shadowcasting: walls narrow intervals of lit slopes, row by row in eight octants.
        #[default]
        Shadowcast = "shadowcast",
    }
}
