//! Opacity maps drawn as text: `#` is a wall, `1`–`9` are tenths, `+` and `'` are doors, `_` is floor under a roof, `@` is the
//! viewer.

use glam::{IVec2, ivec2};

use super::drawn_roofs::drawn_roofs;
use super::grid::Grid;

/// An opacity map drawn as text, with its doors and roofs, and its viewer if it has one.
///
/// | character | opacity |
/// |---|---|
/// | `.` or space | 0 |
/// | `_` | 0, floor under a roof |
/// | `1` … `9` | 0.1 … 0.9 |
/// | `#` | 1 |
/// | `+` | 1, a closed door |
/// | `'` | 0, an open door |
/// | `@` | 0, the viewer's cell |
///
/// A game with other characters says by [`parse_with`](Self::parse_with) what they are, or looks at its own map with
/// [`OpacityCells`](crate::sight::OpacityCells).
///
/// ```
/// use farsight::grid::TextMap;
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let map = TextMap::parse("#######\n#@..4.#\n#######")?;
/// let viewer = map.viewer.expect("the map has an @");
/// let opacity = OpacityMap::try_from(map)?; // with the doors
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let view = fov.compute(&opacity, viewer)?;
/// assert!((view.get(ivec2(5, 1)) - 0.6).abs() < 1e-6); // behind the hedge
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TextMap {
    /// Opacity of every cell, in [0, 1].
    pub opacity: Grid<f32>,
    /// The cell of the `@`, if there is one.
    pub viewer: Option<IVec2>,
    /// The cells of the doors, row by row.
    pub doors: Vec<IVec2>,
    /// The cells under a roof; `None` for a map without `_`.
    ///
    /// A roof covers the `_` and the walls, doors and half-opaque cells next to them, also diagonally. Half-opaque cells that
    /// touch no `.` are smoke in a room, and all of them are under its roof; so is the rock around caves. The `@` is under a roof
    /// if more `_` than `.` are around it.
    pub roofs: Option<Grid<bool>>,
}

/// An error in a map drawn as text. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextMapError {
    /// The text has no character.
    #[error("the map is empty; it needs at least one row of one character")]
    Empty,
    /// Rows have different lengths.
    #[error(
        "line {line} has {found} character{}, but line 1 has {expected}; all rows must be equally long",
        if *found == 1 { "" } else { "s" }
    )]
    Ragged {
        /// The first line whose length differs.
        line: usize,
        /// Its length.
        found: usize,
        /// The length of line 1.
        expected: usize,
    },
    /// A character has no meaning in a map.
    #[error(
        "line {line}, column {column}: {character:?} is not part of a map: expected # (wall), . or space (clear), 1 to 9 \
         (tenths of opacity), + (closed door), ' (open door), _ (clear, under a roof) or @ (viewer)"
    )]
    Character {
        /// The line of the character.
        line: usize,
        /// The column of the character.
        column: usize,
        /// The character.
        character: char,
    },
    /// There is more than one `@`.
    #[error("line {line}, column {column}: a second @; a map has one viewer")]
    SecondViewer {
        /// The line of the second `@`.
        line: usize,
        /// The column of the second `@`.
        column: usize,
    },
}

impl TextMap {
    /// Reads a map drawn as text. Line breaks are `\n` or `\r\n`; one at the end is allowed.
    ///
    /// # Errors
    /// [`TextMapError`] with the line and column of the first error.
    ///
    /// ```
    /// use farsight::grid::TextMap;
    /// use farsight::glam::ivec2;
    /// let map = TextMap::parse("#..\n.@5\n")?;
    /// assert_eq!(map.opacity.as_slice(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    /// assert_eq!(map.viewer, Some(ivec2(1, 1)));
    /// assert_eq!(TextMap::parse("#+#'#")?.doors, [ivec2(1, 0), ivec2(3, 0)]);
    /// let roofs = TextMap::parse("#_'.")?.roofs.expect("there is a roof");
    /// assert_eq!(roofs.as_slice(), [true, true, true, false]); // the wall and the door, too
    /// # Ok::<(), farsight::grid::TextMapError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, TextMapError> {
        Self::parse_cells(text, &mut |_, _| None)
    }

    /// Reads a map drawn as text with characters of one's own. `opacity` returns the opacity of a character on a cell, or `None` for
    /// one that has its meaning in the table above. A character of one's own is neither a door nor the viewer; on a map with roofs it
    /// is under one as `1` to `9` are, or as walls are if its opacity is 1.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::glam::ivec2;
    /// use farsight::grid::TextMap;
    /// let mut orcs = Vec::new();
    /// let level = TextMap::parse_with("#######\n#@.T+o#\n#######", |cell, character| match character {
    ///     'o' => {
    ///         orcs.push(cell);
    ///         Some(0.0)
    ///     }
    ///     'T' => Some(0.7), // a tree
    ///     _ => None,
    /// })?;
    /// assert_eq!((level.viewer, orcs), (Some(ivec2(1, 1)), vec![ivec2(5, 1)]));
    /// let mut map = OpacityMap::try_from(level)?;
    /// assert_eq!(map.get((3, 1)), Some(0.7));
    /// assert!(map.toggle_door((4, 1)).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TextMapError`] with the line and column of the first error. Opacities are checked by `OpacityMap::try_from`.
    pub fn parse_with(text: &str, mut opacity: impl FnMut(IVec2, char) -> Option<f32>) -> Result<Self, TextMapError> {
        Self::parse_cells(text, &mut opacity)
    }

    fn parse_cells(text: &str, own: &mut dyn FnMut(IVec2, char) -> Option<f32>) -> Result<Self, TextMapError> {
        let mut cells = Vec::new();
        let mut characters = Vec::new(); // those of one's own as characters of the table
        let mut viewer = None;
        let mut doors = Vec::new();
        let mut has_roofs = false;
        let mut width = 0;
        let mut height = 0;
        for (y, row) in text.lines().enumerate() {
            for (x, character) in row.chars().enumerate() {
                let (line, column) = (y + 1, x + 1);
                let cell = ivec2(x as i32, y as i32);
                if let Some(opacity) = own(cell, character) {
                    cells.push(opacity);
                    characters.push(if opacity < 1.0 { '5' } else { '#' });
                    continue;
                }
                characters.push(character);
                cells.push(match character {
                    '#' => 1.0,
                    '.' | ' ' => 0.0,
                    '1'..='9' => (character as u8 - b'0') as f32 / 10.0,
                    '_' => {
                        has_roofs = true;
                        0.0
                    }
                    '@' if viewer.is_some() => return Err(TextMapError::SecondViewer { line, column }),
                    '@' => {
                        viewer = Some(cell);
                        0.0
                    }
                    '+' | '\'' => {
                        doors.push(cell);
                        if character == '+' { 1.0 } else { 0.0 }
                    }
                    _ => return Err(TextMapError::Character { line, column, character }),
                });
            }
            let length = cells.len() - width * y;
            if y == 0 {
                width = length;
            } else if length != width {
                return Err(TextMapError::Ragged { line: y + 1, found: length, expected: width });
            }
            height = y + 1;
        }
        match Grid::from_vec(width, height, cells) {
            Ok(opacity) if width > 0 => {
                let roofs = has_roofs.then(|| drawn_roofs(&characters, width, height));
                Ok(Self { opacity, viewer, doors, roofs })
            }
            _ => Err(TextMapError::Empty),
        }
    }
}

impl Grid<f32> {
    /// The opacities of a map drawn as text, without its doors, roofs and viewer; see [`TextMap`] for the characters.
    /// [`OpacityMap::from_text`](crate::OpacityMap::from_text) keeps doors and roofs.
    ///
    /// ```
    /// use farsight::sight::Door;
    /// use farsight::{Grid, OpacityMap};
    /// let mut map = OpacityMap::from_text("..+..")?;
    /// assert_eq!(map.toggle_door((2, 0)), Some(Door::Open));
    /// let mut map = OpacityMap::try_from(Grid::<f32>::from_text("..+..")?)?;
    /// assert_eq!(map.toggle_door((2, 0)), None); // a wall like others
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TextMapError`] with the line and column of the first error.
    pub fn from_text(text: &str) -> Result<Self, TextMapError> {
        TextMap::parse(text).map(|map| map.opacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_ones_own_are_under_roofs_as_their_opacity_says() {
        let text = "O..####..\n...#_O#..\n...TO_#..\n...####..";
        let own = |_, character| match character {
            'O' => Some(0.0),
            'T' => Some(1.0),
            _ => None,
        };
        let map = TextMap::parse_with(text, own).unwrap();
        let plain = TextMap::parse(&text.replace('O', "5").replace('T', "#")).unwrap();
        assert_eq!(map.roofs, plain.roofs);
        let roofs = map.roofs.unwrap();
        let under_roof = [ivec2(5, 1), ivec2(4, 2), ivec2(3, 2), ivec2(0, 0)].map(|cell| roofs[cell]);
        assert_eq!(under_roof, [true, true, true, false]);
        assert_eq!([ivec2(5, 1), ivec2(3, 2)].map(|cell| map.opacity[cell]), [0.0, 1.0]);
    }

    #[test]
    fn characters_of_the_table_can_be_ones_own() {
        let map = TextMap::parse_with("@.@", |_, character| (character == '@').then_some(0.25)).unwrap();
        assert_eq!((map.opacity.as_slice(), map.viewer), (&[0.25, 0.0, 0.25][..], None));
        let error = TextMap::parse_with("@x", |_, _| None).unwrap_err();
        assert_eq!(error, TextMapError::Character { line: 1, column: 2, character: 'x' });
    }
}
