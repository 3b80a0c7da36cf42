//! [`SurfaceModel`]: what stands on measured ground: roofs and walls, and crowns that let light through.

use farsight::grid::Grid;
use farsight::internal::parallel::*;
use farsight::named_enum;
use farsight::viewshed::{Canopy, Surface};
use glam::IVec2;

use super::config::WorldError;

named_enum! {
    /// Where the eye of a viewer is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum EyeOn: "eye-on" {
        /// On the ground: in a street, below trees.
        #[default]
        Ground = "ground",
        /// On the surface: on a roof, or on a lookout over the tops.
        Surface = "surface",
    }
}

named_enum! {
    /// The kind of the surface of a cell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum SurfaceKind: "kind" {
        /// Nothing: ground, water, a road.
        Clear = "clear",
        /// A crown that lets light through.
        Crown = "crown",
        /// A house or a wall.
        Opaque = "opaque",
    }
}

/// The heights of crowns.
#[derive(Clone, Copy, Debug)]
pub enum Crowns<'a> {
    /// There are none, except on cells of the kind [`SurfaceKind::Crown`], whose surface is crowns.
    None,
    /// Heights over the ground in metres.
    Heights(&'a Grid<f32>),
    /// All of the surface above the ground.
    Surface,
}

/// The surface over measured ground. Eyes and targets are on the ground; what stands on it hides or dims the view.
///
/// ```
/// use farsight_scene::world::{Ground, SurfaceModel, World, WorldConfig};
/// use farsight::{Grid, Job, glam::ivec2};
/// let mut roofs = Grid::new(40, 30, 200.0);
/// roofs[ivec2(7, 9)] = 212.0;
/// let ground = Ground::new(Grid::new(40, 30, 200.0)).with_surface(SurfaceModel::new(Some(roofs), None));
/// let world = World::from_dem(&ground, &WorldConfig::default(), Job::none())?;
/// assert_eq!(world.top_m(ivec2(7, 9)), 212.0);
/// # Ok::<(), farsight_scene::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SurfaceModel {
    /// Elevations of opaque obstacles, in metres over the sea. Where they are NaN or below the ground, the ground counts.
    pub obstacles_m: Option<Grid<f32>>,
    /// Heights of crowns that let light through, in metres over the ground; 0 and NaN are none.
    pub canopy_m: Option<Grid<f32>>,
    /// Height of the trunks below them, between which the view is clear, in metres.
    pub clear_trunk_m: f64,
    /// Where the eyes of viewers are.
    pub eye_on: EyeOn,
}

impl SurfaceModel {
    /// Creates a surface of obstacles and of crowns without clear trunks.
    pub fn new(obstacles_m: Option<Grid<f32>>, canopy_m: Option<Grid<f32>>) -> Self {
        Self { obstacles_m, canopy_m, ..Self::default() }
    }

    /// Creates a surface over ground from a digital surface model, crowns, and what stands on each cell, all of the size of the
    /// ground. Crowns let light through, and the surface below them does not count, unless they are opaque; all else above the ground
    /// is an obstacle. Without obstacles or crowns, the surface has none.
    ///
    /// ```
    /// use farsight_scene::world::{Crowns, SurfaceModel};
    /// use farsight::Grid;
    /// let ground = Grid::new(3, 1, 100.0);
    /// let surface = Grid::from_vec(3, 1, vec![100.0, 108.0, 118.0])?; // a house and a tree
    /// let trees = Grid::from_vec(3, 1, vec![0.0, 0.0, 18.0])?;
    /// let model = SurfaceModel::of_layers(&ground, Some(&surface), Crowns::Heights(&trees), &|_| None, false);
    /// assert_eq!(model.obstacles_m.as_ref().map(Grid::as_slice), Some(&[100.0, 108.0, 100.0][..]));
    /// assert_eq!(model.canopy_m.as_ref().map(Grid::as_slice), Some(&[0.0, 0.0, 18.0][..]));
    /// let model = SurfaceModel::of_layers(&ground, Some(&surface), Crowns::Heights(&trees), &|_| None, true);
    /// assert_eq!((model.obstacles_m, model.canopy_m), (Some(surface), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If a grid is smaller than the ground.
    pub fn of_layers(
        ground_m: &Grid<f32>,
        surface_m: Option<&Grid<f32>>,
        crowns: Crowns<'_>,
        kind: &(dyn Fn(IVec2) -> Option<SurfaceKind> + Sync),
        are_crowns_opaque: bool,
    ) -> Self {
        let (width, height) = (ground_m.width(), ground_m.height());
        let (mut obstacles, mut canopy) = (Grid::new(width, height, 0.0), Grid::new(width, height, 0.0));
        let of_cell = |cell: IVec2, ground: f32| {
            let surface = surface_m.map_or(ground, |surface| surface[cell]);
            let surface = if surface > ground { surface } else { ground };
            let kind = kind(cell);
            let crown = match crowns {
                Crowns::Heights(heights) => heights[cell].max(0.0), // 0 for NaN
                Crowns::Surface => surface - ground,
                Crowns::None if kind == Some(SurfaceKind::Crown) => surface - ground,
                Crowns::None => 0.0,
            };
            let (obstacle, crown) = match kind {
                Some(SurfaceKind::Clear) => (ground, 0.0),
                Some(SurfaceKind::Opaque) => (surface.max(ground + crown), 0.0),
                Some(SurfaceKind::Crown) => (ground, crown),
                None if crown > 0.0 => (ground, crown),
                None => (surface, 0.0),
            };
            match surface_m {
                _ if !(are_crowns_opaque && crown > 0.0) => (obstacle, crown),
                Some(_) => (surface, 0.0),
                None => (ground + crown, 0.0),
            }
        };
        let rows = obstacles
            .as_mut_slice()
            .par_chunks_mut(width.max(1))
            .zip(canopy.as_mut_slice().par_chunks_mut(width.max(1)));
        rows.enumerate().for_each(|(y, (obstacles, canopy))| {
            for (x, ground) in ground_m.row(y).iter().enumerate() {
                (obstacles[x], canopy[x]) = of_cell(IVec2::new(x as i32, y as i32), *ground);
            }
        });
        let is_above = |(top, ground): (&f32, &f32)| top > ground;
        let has_obstacles = obstacles.as_slice().iter().zip(ground_m.as_slice()).any(is_above);
        let has_crowns = canopy.as_slice().iter().any(|crown| *crown > 0.0);
        Self::new(Some(obstacles).filter(|_| has_obstacles), Some(canopy).filter(|_| has_crowns))
    }

    /// Returns the surface with houses of some heights over the ground, in metres; a grid of its size. 0 is none. A house replaces crowns.
    ///
    /// # Panics
    /// If a grid is smaller than the ground.
    #[must_use]
    pub fn with_houses(mut self, ground_m: &Grid<f32>, heights_m: &Grid<f32>) -> Self {
        let is_house = |height: f32| height > 0.0;
        if !heights_m.as_slice().iter().any(|height| is_house(*height)) {
            return self;
        }
        let obstacles = self.obstacles_m.get_or_insert_with(|| ground_m.clone());
        for (cell, height) in heights_m.iter().filter(|(_, height)| is_house(**height)) {
            let (top, obstacle) = (ground_m[cell] + height, &mut obstacles[cell]);
            *obstacle = if *obstacle > top { *obstacle } else { top };
            if let Some(crowns) = &mut self.canopy_m {
                crowns[cell] = 0.0;
            }
        }
        self
    }

    /// Returns the surface with this height of trunks in metres, and this place of eyes.
    #[must_use]
    pub fn with_eyes(self, clear_trunk_m: f64, eye_on: EyeOn) -> Self {
        Self { clear_trunk_m, eye_on, ..self }
    }

    pub(super) fn check(&self, ground: &Grid<f32>) -> Result<(), WorldError> {
        for (field, grid) in [("obstacles", &self.obstacles_m), ("canopy", &self.canopy_m)] {
            if let Some(size) = grid.as_ref().map(Grid::size).filter(|size| *size != ground.size()) {
                return Err(WorldError::Shape { field, size, expected: ground.size() });
            }
        }
        Ok(())
    }

    /// Returns the elevation of a cell's highest obstacle, crown or ground, in metres over the sea; NaN for ground without data.
    pub fn top_m(&self, ground_m: f32, cell: IVec2) -> f32 {
        let obstacle = self.obstacles_m.as_ref().map_or(ground_m, |obstacles| obstacles[cell]);
        let crown = self.canopy_m.as_ref().map_or(ground_m, |canopy| ground_m + canopy[cell]);
        [obstacle, crown].into_iter().fold(ground_m, |top, other| if other > top { other } else { top })
    }

    /// Returns the height that an eye over a cell has above that over its ground, in metres.
    pub fn eye_lift_m(&self, ground_m: f32, cell: IVec2) -> f64 {
        match self.eye_on {
            EyeOn::Ground => 0.0,
            EyeOn::Surface => f64::from(self.top_m(ground_m, cell)) - f64::from(ground_m),
        }
    }

    /// Returns the density of the woods as a vegetation: full below crowns of 20 m, and with the square root of lower ones, as
    /// the heights of vegetation are. `None` without crowns.
    pub fn vegetation(&self) -> Option<Grid<f32>> {
        const FULL_M: f32 = 20.0;
        self.canopy_m.as_ref().map(|canopy| canopy.map(|crown| (crown.max(0.0) / FULL_M).sqrt().min(1.0)))
    }

    /// Adds obstacles and crowns to a surface, whose woods they replace; `extinction` is that of the crowns per metre.
    pub fn add_to<'a>(&'a self, surface: Surface<'a>, extinction: f64) -> Surface<'a> {
        let canopy = self.canopy_m.as_ref().filter(|_| extinction > 0.0);
        let crowns =
            |heights| Canopy::of_heights(heights).with_extinction(extinction).with_clear_trunk(self.clear_trunk_m);
        surface.with_obstacles(self.obstacles_m.as_ref()).with_canopy(canopy.map(crowns))
    }
}
