//! [`Cells`]: the viewers of an atlas.

use glam::{IVec2, ivec2};
use serde::{Deserialize, Serialize};

use super::error::AtlasError;
use crate::export::parse_cell;
use crate::files::MAX_CELLS;
use farsight::grid::CellRect;
use farsight::internal::grid::sort_in_rows;

/// The viewers of an atlas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cells {
    /// Cells whose column and row are multiples of this number; 1 is every cell.
    Every(u32),
    /// A list, in row order, without duplicates.
    List(Vec<IVec2>),
}

/// Evenly spaced cells of a map.
pub(super) struct Lattice {
    pub(super) first: IVec2,
    pub(super) step: i32,
    /// Columns and rows.
    pub(super) size: IVec2,
}

impl Cells {
    /// Creates a list of cells; duplicates are removed.
    pub fn list(mut cells: Vec<IVec2>) -> Self {
        sort_in_rows(&mut cells);
        cells.dedup();
        Self::List(cells)
    }

    /// Reads a list with a cell `x,y` on each line, from 0,0 at the upper left. A first line `x,y`, empty lines and
    /// comments after `#` are ignored.
    ///
    /// # Errors
    /// [`AtlasError::Line`] with the number of the line.
    pub fn parse(text: &str) -> Result<Self, AtlasError> {
        let mut cells = Vec::new();
        for (i, line) in text.strip_prefix('\u{FEFF}').unwrap_or(text).lines().enumerate() {
            let words = line.split('#').next().unwrap_or_default().trim();
            if words.is_empty() || (i == 0 && words.replace(' ', "").eq_ignore_ascii_case("x,y")) {
                continue;
            }
            match parse_cell(words) {
                Some(cell) => cells.push(cell),
                None => return Err(AtlasError::Line { line: i + 1, text: words.chars().take(40).collect() }),
            }
        }
        Ok(Self::list(cells))
    }

    /// Returns the number of cells on a map of this size.
    pub fn count(&self, size: IVec2) -> usize {
        match self {
            Self::Every(step) => columns(size.x, *step) * columns(size.y, *step),
            Self::List(cells) => cells.len(),
        }
    }

    /// Returns cell number `i`, below [`count`](Self::count).
    pub(super) fn cell(&self, size: IVec2, i: usize) -> IVec2 {
        match self {
            Self::Every(step) => {
                let columns = columns(size.x, *step).max(1);
                ivec2((i % columns) as i32, (i / columns) as i32) * *step as i32
            }
            Self::List(cells) => cells[i],
        }
    }

    /// Returns the output cells of an atlas of a map of this size: all cells, or only those of the viewers if the map
    /// has more than [`MAX_CELLS`].
    pub(super) fn lattice(&self, size: IVec2) -> Lattice {
        let whole = Lattice { first: IVec2::ZERO, step: 1, size };
        if size.as_u64vec2().element_product() <= MAX_CELLS {
            return whole;
        }
        match self {
            Self::Every(step) => {
                let step = (*step).clamp(1, 1 << 30) as i32;
                Lattice { step, size: (size - 1) / step + 1, ..whole }
            }
            Self::List(cells) => {
                let bounds = |(low, high): (IVec2, IVec2), cell: &IVec2| (low.min(*cell), high.max(*cell));
                let (low, high) = cells.iter().fold((size, IVec2::ZERO), bounds);
                Lattice { first: low, size: (high - low + 1).max(IVec2::ZERO), ..whole }
            }
        }
    }

    /// Checks that the list is not empty and that all cells are on the map.
    pub(super) fn check(&self, size: IVec2) -> Result<(), AtlasError> {
        match self {
            Self::Every(0) => Err(AtlasError::NoStep),
            Self::Every(_) => Ok(()),
            Self::List(cells) if cells.is_empty() => Err(AtlasError::NoCells),
            Self::List(cells) => match cells.iter().find(|cell| !CellRect::of_size(size).contains(**cell)) {
                Some(&cell) => Err(AtlasError::CellOutside { cell, size }),
                None => Ok(()),
            },
        }
    }
}

/// Returns the number of multiples of `step` below `side`.
fn columns(side: i32, step: u32) -> usize {
    (side.max(0) as usize).div_ceil(step.max(1) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_third_cell_starts_at_the_upper_left() {
        let (cells, size) = (Cells::Every(3), ivec2(7, 4));
        let all: Vec<_> = (0..cells.count(size)).map(|i| cells.cell(size, i)).collect();
        assert_eq!(all, [[0, 0], [3, 0], [6, 0], [0, 3], [3, 3], [6, 3]].map(IVec2::from_array));
    }

    #[test]
    fn lists_are_sorted_and_bad_lines_are_named() {
        let cells = Cells::parse("x,y\n5,1\n\n 2 , 0 # the tower\n5,1\n").unwrap();
        assert_eq!(cells, Cells::List(vec![ivec2(2, 0), ivec2(5, 1)]));
        let words = Cells::parse("1,2\n3;4\n").unwrap_err().to_string();
        assert_eq!(words, "line 2: \"3;4\" is not a cell: expected two whole numbers x,y");
        assert!(Cells::parse("1,2\nx,y\n").is_err());
    }
}
