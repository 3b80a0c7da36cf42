//! [`View`]: the visibility of the cells around a viewer; [`Accuracy`]: its error against another.

use glam::{IVec2, ivec2};

use super::visible_cells::{LitRows, VisibleCells};
use crate::grid::{GridView, ToCell};
use crate::sight_config::SightConfig;

/// The visibility of every cell around one viewer, in [0, 1].
///
/// It borrows the buffers of the [`FieldOfView`](crate::sight::FieldOfView) or [`Viewshed`](crate::viewshed::Viewshed) that
/// computed it: use it before the next view, or copy it with [`to_owned`](Self::to_owned).
///
/// ```
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let map = OpacityMap::from_text("...5#..")?; // a hedge and a wall
/// let mut fov = FieldOfView::new(SightConfig::default())?;
/// let view = fov.compute(&map, ivec2(1, 0))?;
/// assert_eq!([3, 4, 5].map(|x| view.get(ivec2(x, 0))), [1.0, 0.5, 0.0]);
/// for (cell, visibility) in view.visible() {
///     println!("draw {cell} with brightness {visibility}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a struct, a view borrows the field with the field of view. Other fields are free as long as the code names them;
/// a method of `self` would borrow all of them, so it needs an [`OwnedView`](crate::sight::OwnedView):
///
/// ```
/// use farsight::prelude::*;
///
/// struct Game {
///     fov: FieldOfView,
///     map: OpacityMap,
///     light: LightMap,
///     memory: Memory,
///     player: IVec2,
/// }
///
/// impl Game {
///     fn turn(&mut self) -> Result<(), SightError> {
///         let view = self.fov.compute(&self.map, self.player)?.with_walls(|cell| self.map.is_wall(cell));
///         let light = |cell| self.light.level_from(&self.map, cell, self.player);
///         let perceived = view.visible().filter(|(cell, visibility)| visibility * light(*cell) >= 0.05);
///         self.memory.update(perceived.map(|(cell, _)| cell), OutOfSight::Remember);
///         self.draw(&view); // `view` is owned, so `self` is free
///         Ok(())
///     }
///
///     fn draw(&mut self, _view: &OwnedView) {}
/// }
/// # let map = OpacityMap::from_text("##########\n#........#\n##########").unwrap();
/// # let mut light = LightMap::new(&map);
/// # light.insert(&map, Lamp::new((4, 1))).unwrap();
/// # let (fov, memory) = (FieldOfView::new(SightConfig::default()).unwrap(), Memory::new(map.extent()));
/// # let mut game = Game { fov, map, light, memory, player: ivec2(1, 1) };
/// # game.turn().unwrap();
/// # assert!(game.memory.grid().as_slice().iter().all(|state| *state == CellMemory::Visible));
/// ```
#[doc(alias = "fov")]
#[doc(alias = "visible cells")]
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(crate) viewer: IVec2,
    pub(crate) top_left: IVec2,
    pub(crate) grid: GridView<'a, f32>,
    /// The cells that may be visible, if they are known.
    pub(crate) lit: Option<LitRows<'a>>,
}

/// Two views are equal if they have the same viewer and the same visibilities; their windows may differ.
impl PartialEq for View<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.viewer == other.viewer && self.visible().eq(other.visible())
    }
}

impl<'a> View<'a> {
    /// Creates a view from values of another method.
    pub fn of(viewer: IVec2, top_left: IVec2, grid: GridView<'a, f32>) -> Self {
        Self { viewer, top_left, grid, lit: None }
    }

    /// Returns the visibility of a map cell, in [0, 1]; 0 outside the radius and off the map.
    #[inline]
    pub fn get(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        self.grid.get(cell.wrapping_sub(self.top_left)).copied().unwrap_or(0.0)
    }

    /// Returns `true` if a cell is seen: its visibility is above 0.
    ///
    /// With [`Method::SymmetricShadowcast`](crate::sight::Method::SymmetricShadowcast) this is the binary answer for
    /// games: a floor cell is seen if the straight line from centre to centre misses the diamonds of all walls, and a
    /// wall if it borders a lit area. Visibility between floor cells is mutual. With
    /// [`Beam`](crate::sight::Method::Beam) and [`Exact`](crate::sight::Method::Exact) a cell is seen if a part of it
    /// is. Of a [`Viewshed`](crate::viewshed::Viewshed) over bare ground with a hard edge it is the viewshed.
    ///
    /// **With [`TwoParent`](crate::sight::Method::TwoParent), the default, do not decide by this.** Light spreads behind a door, so
    /// nearly all cells of the next room have a value above 0: in rooms with doors of one cell, a third of the floor for which
    /// `sees` is `true` is not in sight (recall 100 %, precision 68.5 % against symmetric shadowcasting). Compare
    /// [`get`](Self::get) with a threshold, or use symmetric shadowcasting. The
    /// guide, `docs/guide/library.md`, has the figures of all methods.
    ///
    /// ```
    /// use farsight::sight::MethodKind;
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// let map = OpacityMap::from_text("######..\n#....#..\n#....'..\n######..")?;
    /// let mut fov = FieldOfView::new(SightConfig::default().with_method(MethodKind::SymmetricShadowcast))?;
    /// let view = fov.compute(&map, (1, 1))?;
    /// assert!(view.sees((4, 2)) && view.sees((0, 0)) && view.sees((5, 3))); // the room with its corners
    /// assert!(view.sees((7, 2)) && !view.sees((7, 1))); // through the door
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[doc(alias = "is_in_fov")]
    #[doc(alias = "is_visible")]
    pub fn sees(&self, cell: impl ToCell) -> bool {
        self.get(cell) > 0.0
    }

    /// Returns the map cells that are [seen](Self::sees), row by row: the cells that a game draws and remembers.
    pub fn seen(&self) -> impl Iterator<Item = IVec2> + use<'a> {
        self.visible().map(|(cell, _)| cell)
    }

    /// Returns the cell of the viewer.
    pub fn viewer(&self) -> IVec2 {
        self.viewer
    }

    /// Returns the map cell of the window's top left corner, which may be off the map.
    pub fn top_left(&self) -> IVec2 {
        self.top_left
    }

    /// Returns the square window around the viewer, of side 2 · radius + 1. A radius above 1024 is clipped to the map, rounded
    /// up to a multiple of 256.
    pub fn grid(&self) -> GridView<'a, f32> {
        self.grid
    }

    /// Returns the map cells with a visibility above 0, row by row, with their visibilities. [`seen`](Self::seen) has the cells only, as
    /// [`Memory::update`](crate::perception::Memory::update) takes them.
    pub fn visible(&self) -> impl Iterator<Item = (IVec2, f32)> + use<'a> {
        VisibleCells::new(self.grid, self.lit, self.top_left, 0.0)
    }

    /// Returns the map cells with at least this visibility, row by row: those that a game draws, or where a monster is noticed.
    /// Cells with visibility 0 are excluded for every threshold. Walls at a grazing angle have low values:
    /// [`with_walls`](Self::with_walls) has rooms with all their walls.
    ///
    /// ```
    /// use farsight::{FieldOfView, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let map = OpacityMap::from_text("..6.4.")?; // two hedges
    /// let mut fov = FieldOfView::new(SightConfig::default())?;
    /// let seen: Vec<i32> = fov.compute(&map, ivec2(0, 0))?.at_least(0.3).map(|cell| cell.x).collect();
    /// assert_eq!(seen, [0, 1, 2, 3, 4]); // 5 is at 0.24
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at_least(&self, threshold: f32) -> impl Iterator<Item = IVec2> + use<'a> {
        VisibleCells::new(self.grid, self.lit, self.top_left, threshold).map(|(cell, _)| cell)
    }
}

/// The error of a view against a reference view, over the cells within a radius.
///
/// ```
/// use farsight::sight::{Accuracy, MethodKind};
/// use farsight::{FieldOfView, OpacityMap, SightConfig};
/// use farsight::glam::ivec2;
/// let mut map = OpacityMap::clear(41, 41)?;
/// map.set(ivec2(24, 21), 1.0)?; // a pillar
/// let with = |method| FieldOfView::new(SightConfig::default().with_radius(20).with_method(method));
/// let (mut beam, mut exact) = (with(MethodKind::Beam)?, with(MethodKind::Exact)?);
/// let error = Accuracy::of(&beam.compute(&map, ivec2(20, 20))?, &exact.compute(&map, ivec2(20, 20))?, 20);
/// assert!(error.rmse < 0.03 && error.bias.abs() < 0.003, "{error:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The root of the mean square of the differences.
    pub rmse: f64,
    /// The maximum absolute difference.
    pub greatest: f64,
    /// The mean difference. It is above 0 if the view shows more than the reference.
    pub bias: f64,
    /// The number of cells compared.
    pub cells: usize,
}

impl Accuracy {
    /// Computes the error of `view` against `reference`, over all cells within `radius` of the reference's viewer.
    /// Cells off the map count too; both views have 0 there. A larger radius counts as [`SightConfig::MAX_RADIUS`].
    pub fn of(view: &View<'_>, reference: &View<'_>, radius: u32) -> Self {
        let radius = radius.min(SightConfig::MAX_RADIUS) as i32;
        let middle = reference.viewer();
        let (mut squares, mut sum, mut greatest, mut cells) = (0.0, 0.0, 0.0f64, 0);
        for dy in -radius..=radius {
            let half = (i64::from(radius).pow(2) - i64::from(dy).pow(2)).isqrt() as i32;
            for dx in -half..=half {
                let cell = middle.wrapping_add(ivec2(dx, dy));
                let error = f64::from(view.get(cell)) - f64::from(reference.get(cell));
                squares += error * error;
                sum += error;
                greatest = greatest.max(error.abs());
                cells += 1;
            }
        }
        let count = cells as f64;
        Self { rmse: (squares / count).sqrt(), greatest, bias: sum / count, cells }
    }

    /// Computes the error over the cells of several comparisons.
    pub fn pooled(parts: &[Self]) -> Self {
        let cells: usize = parts.iter().map(|part| part.cells).sum();
        let mean = |value: fn(&Self) -> f64| {
            parts.iter().map(|part| value(part) * part.cells as f64).sum::<f64>() / cells.max(1) as f64
        };
        Self {
            rmse: mean(|part| part.rmse * part.rmse).sqrt(),
            greatest: parts.iter().map(|part| part.greatest).fold(0.0, f64::max),
            bias: mean(|part| part.bias),
            cells,
        }
    }
}
