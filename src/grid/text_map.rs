//! Opacity maps drawn as text: `#` is a wall, `1`–`9` are tenths, `@` is the viewer.

use glam::{IVec2, ivec2};

use super::grid::Grid;

/// An opacity map that was drawn as text, and where its viewer stands, if it says so.
///
/// | character | opacity |
/// |---|---|
/// | `.` or space | 0 |
/// | `1` … `9` | 0.1 … 0.9 |
/// | `#` | 1 |
/// | `@` | 0, and the viewer stands here |
#[derive(Clone, Debug, PartialEq)]
pub struct TextMap {
    /// Opacity of every cell, in [0, 1].
    pub opacity: Grid<f32>,
    /// The cell of the `@`.
    pub viewer: Option<IVec2>,
}

/// What is wrong with a map drawn as text. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextMapError {
    /// Not a single character.
    #[error("the map is empty; it needs at least one row of one character")]
    Empty,
    /// Rows of different lengths.
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
    /// A character that means nothing here.
    #[error("line {line}, column {column}: {character:?} is not part of a map; use # . space 1-9 and @")]
    Character {
        /// Line of the character.
        line: usize,
        /// Column of the character.
        column: usize,
        /// The character.
        character: char,
    },
    /// More than one `@`.
    #[error("line {line}, column {column}: a second @; a map has one viewer")]
    SecondViewer {
        /// Line of the second `@`.
        line: usize,
        /// Column of the second `@`.
        column: usize,
    },
}

impl TextMap {
    /// Reads a map drawn as text. A line break at the very end is allowed, and so is `\r\n`.
    ///
    /// # Errors
    /// [`TextMapError`] with the line and column of the first fault.
    ///
    /// ```
    /// use farsight::grid::TextMap;
    /// use farsight::glam::ivec2;
    /// let map = TextMap::parse("#..\n.@5\n")?;
    /// assert_eq!(map.opacity.as_slice(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    /// assert_eq!(map.viewer, Some(ivec2(1, 1)));
    /// # Ok::<(), farsight::grid::TextMapError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, TextMapError> {
        let mut cells = Vec::new();
        let mut viewer = None;
        let mut width = 0;
        let mut height = 0;
        for (y, row) in text.lines().enumerate() {
            for (x, character) in row.chars().enumerate() {
                let (line, column) = (y + 1, x + 1);
                cells.push(match character {
                    '#' => 1.0,
                    '.' | ' ' => 0.0,
                    '1'..='9' => (character as u8 - b'0') as f32 / 10.0,
                    '@' if viewer.is_some() => return Err(TextMapError::SecondViewer { line, column }),
                    '@' => {
                        viewer = Some(ivec2(x as i32, y as i32));
                        0.0
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
            Ok(opacity) if width > 0 => Ok(Self { opacity, viewer }),
            _ => Err(TextMapError::Empty),
        }
    }
}

impl Grid<f32> {
    /// The opacities of a map drawn as text; see [`TextMap`] for the characters.
    ///
    /// # Errors
    /// [`TextMapError`] with the line and column of the first fault.
    pub fn from_text(text: &str) -> Result<Self, TextMapError> {
        TextMap::parse(text).map(|map| map.opacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        TextMap::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn faults_name_their_place() {
        assert!(message("").starts_with("the map is empty"));
        assert!(message("\n\n").starts_with("the map is empty"));
        assert!(message("..\n...").starts_with("line 2 has 3 characters, but line 1 has 2"));
        assert!(message("..\n\n..").starts_with("line 2 has 0 characters"));
        assert!(message("..\n.é").starts_with("line 2, column 2: 'é'"));
        assert!(message("@.\n.@").starts_with("line 2, column 2: a second @"));
        assert!(message(".0").starts_with("line 1, column 2: '0'"));
    }

    #[test]
    fn line_ends_of_both_kinds_are_read() {
        let unix = TextMap::parse("#9\n@ \n").unwrap();
        assert_eq!(unix, TextMap::parse("#9\r\n@ ").unwrap());
        assert_eq!(unix.opacity.as_slice(), [1.0, 0.9, 0.0, 0.0]);
        assert_eq!(unix.viewer, Some(ivec2(0, 1)));
    }
}
