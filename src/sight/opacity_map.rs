//! [`OpacityMap`]: a grid of checked opacities, with its doors and roofs; [`Door`]: the state of a door.

use std::sync::{Arc, OnceLock};

use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::classic::WallTiles;
use super::two_parent::sweep::TransmittancePlanes;
use crate::grid::{CellRect, Grid, TextMap, TextMapError, ToCell, cell_count, sort_in_rows};

/// The opacity of every cell of a map: 0 is transparent, 1 is opaque. All values are in [0, 1]; the constructors check
/// this, so that fields of view need not.
///
/// Create a map from text with [`from_text`](Self::from_text), from a grid with `OpacityMap::try_from(grid)?`, or
/// without walls with [`clear`](Self::clear).
///
/// Some cells may be doors, which [`toggle_door`](Self::toggle_door) opens and closes. A door is a marked cell: fields
/// of view read only its opacity.
///
/// Some cells may be under a [roof](Self::with_roofs), which blocks daylight and does not affect sight.
///
/// The first field of view by two parents caches two copies of the map, row-major and column-major. Each takes as much
/// memory as the map, plus a border of 64 cells unless the map is narrower. Maps that end within the radius may need no
/// copies. Symmetric shadowcasting caches two bits a cell, in tiles of 64 × 64 cells that views make when they first read them.
///
/// Clones share the opacities, the copies and the roofs until one of them changes, so that cloning takes microseconds.
/// The first change after that copies what is shared.
///
/// ```
/// use farsight::{Grid, OpacityMap};
/// use farsight::glam::ivec2;
/// let level = ["#####", "#.~+#"]; // ~ is a curtain, + a closed door
/// let mut map = OpacityMap::try_from(Grid::from_fn(5, 2, |cell| {
///     match level[cell.y as usize].as_bytes()[cell.x as usize] {
///         b'#' | b'+' => 1.0,
///         b'~' => 0.6,
///         _ => 0.0,
///     }
/// }))?;
/// assert_eq!(map.get(ivec2(2, 1)), Some(0.6));
/// map.set(ivec2(3, 1), 0.0)?; // the door opens
/// assert!(map.set(ivec2(9, 9), 0.0).is_err()); // off the map
/// assert!(map.set(ivec2(2, 1), 1.5).is_err()); // above 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "transparency")]
#[doc(alias = "walls")]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedMap", into = "SavedMap")]
pub struct OpacityMap {
    /// Shared by clones until one of them changes (copy on write).
    grid: Arc<Grid<f32>>,
    /// Row by row.
    doors: Vec<IVec2>,
    /// A grid of the size of the map with at least one roof.
    roofs: Option<Arc<Grid<bool>>>,
    /// Shared by clones, as the grid.
    transmittance: OnceLock<Arc<TransmittancePlanes>>,
    walls: WallCache,
}

/// The walls of a map for the first threshold of a binary method, made when views read them. A clone makes its own.
#[derive(Debug, Default)]
struct WallCache(OnceLock<WallTiles>);

impl Clone for WallCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for OpacityMap {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid && self.doors == other.doors && self.roofs == other.roofs
    }
}

/// An error in a grid of opacities.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpacityError {
    /// The map has no cells.
    #[error("the map has {width}x{height} cells; it needs at least one")]
    Empty {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
    /// The map has more columns or rows than there are coordinates, or more cells than memory.
    #[error("a map of {width}x{height} cells is too large for coordinates or memory")]
    TooLarge {
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
    /// A value is outside [0, 1], or NaN.
    #[error("cell {},{} has opacity {value}; an opacity is a number from 0 (clear) to 1 (wall)", cell.x, cell.y)]
    OutOfRange {
        /// The first such cell in row-major order.
        cell: IVec2,
        /// Its value.
        value: f32,
    },
    /// The cell is not on the map.
    #[error("cell {},{} is outside the map of {width}x{height} cells", cell.x, cell.y)]
    Outside {
        /// The cell.
        cell: IVec2,
        /// The number of columns.
        width: usize,
        /// The number of rows.
        height: usize,
    },
}

/// The state of a door of an [`OpacityMap`]: closed if its cell is opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Door {
    /// Open: cells behind it are visible.
    Open,
    /// Closed: it blocks the view.
    Closed,
}

impl Door {
    /// Returns the opacity of a cell with a door in this state.
    pub fn opacity(self) -> f32 {
        match self {
            Self::Open => 0.0,
            Self::Closed => 1.0,
        }
    }

    /// Returns the other state.
    #[must_use]
    pub fn toggled(self) -> Self {
        match self {
            Self::Open => Self::Closed,
            Self::Closed => Self::Open,
        }
    }
}

impl OpacityMap {
    /// Creates a map of clear cells.
    ///
    /// # Errors
    /// [`OpacityError::Empty`] if a side is 0; [`OpacityError::TooLarge`].
    pub fn clear(width: usize, height: usize) -> Result<Self, OpacityError> {
        let too_large = OpacityError::TooLarge { width, height };
        let Some(count) = cell_count(width, height) else { return Err(too_large) };
        let mut cells = Vec::new();
        if cells.try_reserve_exact(count).is_err() {
            return Err(too_large);
        }
        cells.resize(count, 0.0);
        Self::try_from(Grid::from_vec(width, height, cells).map_err(|_| too_large)?)
    }

    /// Reads a map drawn as text: `#` is a wall, `.` is clear, `1` to `9` are tenths, `+` and `'` are doors, `_` is clear under a
    /// roof, `@` is clear. The map does not keep the cell of the `@`: for that read a [`TextMap`](crate::grid::TextMap).
    ///
    /// # Errors
    /// [`TextMapError`] with the line and column of the first error.
    pub fn from_text(text: &str) -> Result<Self, TextMapError> {
        Ok(Self::try_from(TextMap::parse(text)?).expect("tenths are opacities, and a text map has cells"))
    }

    /// Changes the opacity of one cell: a door opens, a tree falls. It takes constant time.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let mut map = OpacityMap::from_text("..#..")?;
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// assert_eq!(fov.compute(&map, ivec2(0, 0))?.get(ivec2(4, 0)), 0.0);
    /// map.set(ivec2(2, 0), 0.0)?; // the door opens
    /// assert_eq!(fov.compute(&map, ivec2(0, 0))?.get(ivec2(4, 0)), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OpacityError`] if the cell is outside the map, or the value is not in [0, 1]. The map does not change then.
    pub fn set(&mut self, cell: impl ToCell, opacity: f32) -> Result<(), OpacityError> {
        let cell = cell.to_cell();
        self.check(cell, opacity)?;
        self.set_checked(cell, opacity);
        Ok(())
    }

    /// Changes the opacities of many cells: a wall falls, a room fills with smoke. If a cell occurs twice, the last
    /// opacity wins.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::glam::ivec2;
    /// let mut map = OpacityMap::clear(8, 8)?;
    /// map.set_many((2..6).map(|x| (ivec2(x, 3), 0.4)))?; // smoke
    /// assert_eq!(map.get(ivec2(5, 3)), Some(0.4));
    /// assert!(map.set_many([(ivec2(0, 0), 1.0), (ivec2(8, 0), 1.0)]).is_err());
    /// assert_eq!(map.get(ivec2(0, 0)), Some(0.0)); // nothing changed
    /// # Ok::<(), farsight::sight::OpacityError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`set`](Self::set), for the first invalid cell. Then no cell of the map changes.
    pub fn set_many<P, I>(&mut self, cells: I) -> Result<(), OpacityError>
    where
        P: ToCell,
        I: IntoIterator<Item = (P, f32), IntoIter: Clone>,
    {
        let cells = cells.into_iter().map(|(cell, opacity)| (cell.to_cell(), opacity));
        cells.clone().try_for_each(|(cell, opacity)| self.check(cell, opacity))?;
        // Checked again, since an iterator may return different items the second time.
        cells.for_each(|(cell, opacity)| {
            if self.check(cell, opacity).is_ok() {
                self.set_checked(cell, opacity);
            }
        });
        Ok(())
    }

    /// Checks a change of a cell.
    fn check(&self, cell: IVec2, opacity: f32) -> Result<(), OpacityError> {
        if !self.grid.contains(cell) {
            let (width, height) = (self.grid.width(), self.grid.height());
            return Err(OpacityError::Outside { cell, width, height });
        }
        if !(0.0..=1.0).contains(&opacity) {
            return Err(OpacityError::OutOfRange { cell, value: opacity });
        }
        Ok(())
    }

    fn set_checked(&mut self, cell: IVec2, opacity: f32) {
        Arc::make_mut(&mut self.grid)[cell] = opacity;
        if let Some(transmittance) = self.transmittance.get_mut() {
            Arc::make_mut(transmittance).set(cell, opacity);
        }
        if let Some(walls) = self.walls.0.get_mut() {
            walls.set(cell, opacity);
        }
    }

    /// Returns the opacity of a cell, or `None` outside the map.
    #[inline]
    pub fn get(&self, cell: impl ToCell) -> Option<f32> {
        let cell = cell.to_cell();
        self.grid.get(cell).copied()
    }

    /// Returns `true` if a cell is opaque: a wall, or a closed door. Cells off the map are not walls. Binary methods
    /// also stop at cells of lower opacity: see [`Method::wall_at`](super::Method::wall_at).
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// let map = OpacityMap::from_text("#9+'")?;
    /// assert_eq!([0, 1, 2, 3, 4].map(|x| map.is_wall((x, 0))), [true, false, true, false, false]);
    /// # Ok::<(), farsight::grid::TextMapError>(())
    /// ```
    #[inline]
    #[doc(alias = "is_opaque")]
    pub fn is_wall(&self, cell: impl ToCell) -> bool {
        self.get(cell).is_some_and(|opacity| opacity >= 1.0)
    }

    /// Adds doors on these cells. Their opacities stay.
    ///
    /// # Errors
    /// [`OpacityError::Outside`] for the first cell outside of the map.
    pub fn with_doors<P: ToCell>(mut self, cells: impl IntoIterator<Item = P>) -> Result<Self, OpacityError> {
        for cell in cells.into_iter().map(ToCell::to_cell) {
            self.check(cell, 0.0)?;
            self.doors.push(cell);
        }
        sort_in_rows(&mut self.doors);
        self.doors.dedup();
        Ok(self)
    }

    /// Marks a cell as a door, or removes the mark. Its opacity stays.
    ///
    /// # Errors
    /// [`OpacityError::Outside`] if the cell is outside the map.
    pub fn set_door(&mut self, cell: impl ToCell, is_door: bool) -> Result<(), OpacityError> {
        let cell = cell.to_cell();
        self.check(cell, 0.0)?;
        match (self.doors.binary_search_by_key(&(cell.y, cell.x), |door| (door.y, door.x)), is_door) {
            (Err(i), true) => self.doors.insert(i, cell),
            (Ok(i), false) => {
                self.doors.remove(i);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the cells of the doors, row by row.
    pub fn doors(&self) -> &[IVec2] {
        &self.doors
    }

    /// Replaces the roofs. Cells outside of `roofs` are under the open sky.
    ///
    /// ```
    /// use farsight::OpacityMap;
    /// use farsight::light::Daylight;
    /// let map = OpacityMap::from_text("....#___#\n....'___#\n....#___#")?; // or by with_roofs
    /// assert!(map.has_roof((5, 1)) && map.has_roof((4, 1)) && !map.has_roof((3, 1)));
    /// let roofs = map.roofs().expect("the map has a house");
    /// let day = Daylight::new(&map, roofs, 8.0)?;
    /// assert!(day.level((5, 1)) > day.level((7, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_roofs(mut self, roofs: &Grid<bool>) -> Self {
        let has_roof = |cell: IVec2| roofs.get(cell).copied().unwrap_or(false);
        let roofs = Grid::from_fn(self.grid.width(), self.grid.height(), has_roof);
        self.roofs = Some(roofs).filter(|roofs| roofs.as_slice().contains(&true)).map(Arc::new);
        self
    }

    /// Returns the cells under a roof, or `None` for a map without roofs.
    pub fn roofs(&self) -> Option<&Grid<bool>> {
        self.roofs.as_deref()
    }

    /// Returns `true` if a cell is under a roof.
    pub fn has_roof(&self, cell: impl ToCell) -> bool {
        self.roofs.as_ref().and_then(|roofs| roofs.get(cell)).copied().unwrap_or(false)
    }

    /// Returns the state of the door on a cell, or `None` if there is no door.
    pub fn door(&self, cell: impl ToCell) -> Option<Door> {
        let cell = cell.to_cell();
        self.doors.binary_search_by_key(&(cell.y, cell.x), |door| (door.y, door.x)).ok()?;
        Some(if self.grid[cell] < 1.0 { Door::Open } else { Door::Closed })
    }

    /// Opens or closes the door on a cell: its opacity becomes 0 or 1. Returns its new state, or `None` if there is no door.
    ///
    /// ```
    /// use farsight::sight::Door;
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// let mut map = OpacityMap::from_text("..+..")?;
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// assert_eq!(fov.compute(&map, (0, 0))?.get((4, 0)), 0.0);
    /// assert_eq!(map.toggle_door((2, 0)), Some(Door::Open));
    /// assert_eq!(fov.compute(&map, (0, 0))?.get((4, 0)), 1.0);
    /// assert_eq!(map.toggle_door((3, 0)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn toggle_door(&mut self, cell: impl ToCell) -> Option<Door> {
        let cell = cell.to_cell();
        let door = self.door(cell)?.toggled();
        self.set_checked(cell, door.opacity());
        Some(door)
    }

    /// Returns the cells of the map.
    pub fn extent(&self) -> CellRect {
        CellRect::of_size(self.grid.size())
    }

    /// Returns the opacities.
    pub fn grid(&self) -> &Grid<f32> {
        &self.grid
    }

    /// Returns the transmittance 1 − opacity of all cells, row-major and column-major.
    #[inline]
    pub(super) fn transmittance(&self) -> &TransmittancePlanes {
        self.transmittance.get_or_init(|| Arc::new(TransmittancePlanes::of_map(&self.grid)))
    }

    /// Returns the walls of the map, of this minimum opacity or of that of the first call.
    #[inline]
    pub(super) fn wall_tiles(&self, wall_at: f32) -> &WallTiles {
        self.walls.0.get_or_init(|| WallTiles::new(self.grid.size(), wall_at))
    }

    /// Converts the map into its grid of opacities.
    pub fn into_grid(self) -> Grid<f32> {
        Arc::unwrap_or_clone(self.grid)
    }
}

impl TryFrom<Grid<f32>> for OpacityMap {
    type Error = OpacityError;

    /// Creates a map from a grid of opacities.
    ///
    /// # Errors
    /// [`OpacityError`] for a grid without cells, and for the first value that is not in [0, 1].
    fn try_from(grid: Grid<f32>) -> Result<Self, OpacityError> {
        if grid.as_slice().is_empty() {
            return Err(OpacityError::Empty { width: grid.width(), height: grid.height() });
        }
        let bad = grid.iter().find(|(_, value)| !(0.0..=1.0).contains(*value)).map(|(cell, &value)| (cell, value));
        match bad {
            Some((cell, value)) => Err(OpacityError::OutOfRange { cell, value }),
            None => Ok(Self {
                grid: Arc::new(grid),
                doors: Vec::new(),
                roofs: None,
                transmittance: OnceLock::new(),
                walls: WallCache::default(),
            }),
        }
    }
}

impl TryFrom<TextMap> for OpacityMap {
    type Error = OpacityError;

    /// Creates a map from a drawn one, with its doors and roofs.
    ///
    /// # Errors
    /// [`OpacityError`] only if the opacities or doors of the drawn map were set to invalid values.
    fn try_from(map: TextMap) -> Result<Self, OpacityError> {
        let opacity = Self::try_from(map.opacity)?.with_doors(map.doors)?;
        Ok(match map.roofs {
            Some(roofs) => opacity.with_roofs(&roofs),
            None => opacity,
        })
    }
}

/// The serialized form of a map.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedMap {
    opacities: Grid<f32>,
    doors: Vec<IVec2>,
    roofs: Option<Grid<bool>>,
}

impl From<OpacityMap> for SavedMap {
    fn from(map: OpacityMap) -> Self {
        Self { opacities: Arc::unwrap_or_clone(map.grid), doors: map.doors, roofs: map.roofs.map(Arc::unwrap_or_clone) }
    }
}

impl TryFrom<SavedMap> for OpacityMap {
    type Error = String;

    fn try_from(SavedMap { opacities, doors, roofs }: SavedMap) -> Result<Self, String> {
        let size = opacities.size();
        let map = Self::try_from(opacities).and_then(|map| map.with_doors(doors)).map_err(|error| error.to_string())?;
        match roofs {
            Some(roofs) if roofs.size() != size => {
                Err(format!("roofs of {} cells belong to no map of {size} cells", roofs.size()))
            }
            Some(roofs) => Ok(map.with_roofs(&roofs)),
            None => Ok(map),
        }
    }
}
