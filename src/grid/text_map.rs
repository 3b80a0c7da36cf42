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
/// A game with other characters creates its map with `OpacityMap::try_from(Grid::from_fn(…))`, or reads its own map
/// through [`OpacityCells`](crate::sight::OpacityCells).
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
    /// A roof covers the `_` and the walls, doors and half-opaque cells next to them, also diagonally. Half-opaque
    /// cells that touch no `.` are smoke in a room, and all of them are under its roof; so is the rock around caves.
    /// The `@` is under a roof if it has more neighbours `_` than `.`.
    pub roofs: Option<Grid<bool>>,
}

/// An error in a map drawn as text. Lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextMapError {
    /// The text has no character.
    #[error("the map is empty; it needs at least one row of one character")]
    Empty,
    /// The first row is empty, as in a text that begins with a line break.
    #[error("line 1 is empty: the text begins with an empty line; expected the first row of the map")]
    EmptyFirstLine,
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
    /// An unknown character.
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
        let mut cells = Vec::new();
        let mut characters = Vec::new();
        let mut viewer = None;
        let mut doors = Vec::new();
        let mut has_roofs = false;
        let mut width = 0;
        let mut height = 0;
        for (y, row) in text.lines().enumerate() {
            for (x, character) in row.chars().enumerate() {
                let (line, column) = (y + 1, x + 1);
                let cell = ivec2(x as i32, y as i32);
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
            } else if length != width && width == 0 {
                return Err(TextMapError::EmptyFirstLine);
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
    /// Creates the opacities of a map drawn as text, without its doors, roofs and viewer; see [`TextMap`] for the
    /// characters. [`OpacityMap::from_text`](crate::OpacityMap::from_text) keeps doors and roofs.
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
