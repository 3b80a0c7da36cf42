//! [`ToCell`]: the types that are accepted as cells.

use glam::{IVec2, UVec2, ivec2};

/// A type that converts into a cell: an [`IVec2`], a pair or an array of two numbers, or a type of a game.
///
/// Unsigned coordinates above [`i32::MAX`] saturate to `i32::MAX`, which is off every map. With the feature `mint`,
/// points and vectors of the crate mint are cells, too: nearly all mathematics libraries convert into them, also other
/// versions of glam.
///
/// ```
/// use farsight::Grid;
/// use farsight::glam::{IVec2, ivec2, uvec2};
/// use farsight::grid::ToCell;
///
/// struct Position { column: i16, row: i16 }
///
/// impl ToCell for Position {
///     fn to_cell(self) -> IVec2 {
///         ivec2(self.column.into(), self.row.into())
///     }
/// }
///
/// let tiles = Grid::from_fn(3, 2, |cell| cell.x + 10 * cell.y);
/// let (column, row) = (2usize, 1usize);
/// assert_eq!(tiles.get((column, row)), Some(&12));
/// assert_eq!(tiles[(2, 1)] + tiles[[2, 1]] + tiles[uvec2(2, 1)], 36);
/// assert_eq!(tiles.get(Position { column: 2, row: 1 }), Some(&12));
/// assert_eq!(tiles.get((-1, 0)), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a cell",
    label = "expected an `IVec2`, or two numbers of type `i32`, `u32` or `usize` as a pair or an array",
    note = "implement `farsight::grid::ToCell` for the positions of your game",
    note = "for vectors of other libraries of mathematics, or another version of glam, activate the feature `mint` of farsight and \
            pass `mint::Vector2::from(position)`"
)]
pub trait ToCell {
    /// Returns the cell: x to the right, y down, (0, 0) is the top left cell.
    fn to_cell(self) -> IVec2;
}

impl ToCell for IVec2 {
    #[inline]
    fn to_cell(self) -> IVec2 {
        self
    }
}

impl ToCell for UVec2 {
    #[inline]
    fn to_cell(self) -> IVec2 {
        <[u32; 2]>::from(self).to_cell()
    }
}

/// Implements [`ToCell`] for pairs and arrays of an integer.
macro_rules! pairs_to_cells {
    ($($number:ty),+) => {$(
        impl ToCell for ($number, $number) {
            #[inline]
            fn to_cell(self) -> IVec2 {
                let number = |value: $number| i32::try_from(value).unwrap_or(i32::MAX);
                ivec2(number(self.0), number(self.1))
            }
        }

        impl ToCell for [$number; 2] {
            #[inline]
            fn to_cell(self) -> IVec2 {
                (self[0], self[1]).to_cell()
            }
        }
    )+};
}

pairs_to_cells!(u32, usize);

impl ToCell for (i32, i32) {
    #[inline]
    fn to_cell(self) -> IVec2 {
        self.into()
    }
}

impl ToCell for [i32; 2] {
    #[inline]
    fn to_cell(self) -> IVec2 {
        self.into()
    }
}

/// Implements [`ToCell`] for types of `mint`.
#[cfg(feature = "mint")]
macro_rules! mint_to_cells {
    ($($point:ty),+) => {$(
        impl ToCell for $point {
            #[inline]
            fn to_cell(self) -> IVec2 {
                (self.x, self.y).to_cell()
            }
        }
    )+};
}

#[cfg(feature = "mint")]
mint_to_cells!(mint::Point2<i32>, mint::Vector2<i32>, mint::Point2<u32>, mint::Vector2<u32>);
