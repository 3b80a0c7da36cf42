//! [`HillView`]: visibility of a target over hills and woods with [`Relief::LineOfSight`].
//!
//! Hills are not opacities of cells, so that the corridor does not give the gain of each cell. But the result depends
//! only on the terrain between viewer and target. It is recomputed with flat hills or without trees, on their bounding
//! rectangle.

use glam::IVec2;

use crate::optics::{Optics, OpticsConfig, Relief};
use crate::scene::Scene;
use farsight::grid::{CellRect, CellSize, Grid};
use farsight::internal::viewshed::undecayed;
use farsight::sight::{Decay, SightError};
use farsight::viewshed::{Canopy, CanopyLaw, Surface, Viewshed};

/// A softness far above the height of any hill, so that hills hide nothing.
const NO_HILLS_SOFTNESS_M: f64 = 1e30;

/// The terrain between a viewer and a target, with the heights above it.
pub(super) struct HillView {
    viewshed: Viewshed,
    frame: CellRect,
    ground: Grid<f32>,
    obstacles: Option<Grid<f32>>,
    /// The values of the canopy, and its other fields; `None` without woods.
    cover: Grid<f32>,
    canopy: Option<CanopyNumbers>,
    viewer: IVec2,
    target: IVec2,
    config: OpticsConfig,
    cell_size: CellSize,
    /// The surface with all trees.
    pub(super) over: HillVisibility,
}

/// The fields of a [`Canopy`] besides its grid.
#[derive(Clone, Copy)]
struct CanopyNumbers {
    law: CanopyLaw,
    extinction: f64,
    height: f64,
    clear_trunk: f64,
}

/// The visibility of the target over hills, over woods, and over both, in [0, 1].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HillVisibility {
    pub(super) ridge: f64,
    pub(super) forest: f64,
    pub(super) both: f64,
}

fn canopy_of(numbers: CanopyNumbers, cover: &Grid<f32>) -> Canopy<'_> {
    let CanopyNumbers { law, extinction, height, clear_trunk } = numbers;
    let canopy = if law == CanopyLaw::Height { Canopy::of_heights(cover) } else { Canopy::of(cover) };
    canopy.with_extinction(extinction).with_height(height).with_clear_trunk(clear_trunk)
}

impl HillView {
    /// Returns `None` unless relief is [`Relief::LineOfSight`].
    pub(super) fn of(scene: &Scene, optics: &Optics, target: IVec2) -> Result<Option<Self>, SightError> {
        if optics.config().relief != Relief::LineOfSight {
            return Ok(None);
        }
        let (viewer, sight) = (scene.viewer(), &scene.preset().sight);
        let frame = CellRect { min: viewer.min(target), max: viewer.max(target) + 1 };
        let (world, surface) = (optics.world(), optics.surface(viewer));
        let canopy = |canopy: Canopy<'_>| CanopyNumbers {
            law: canopy.law,
            extinction: canopy.extinction,
            height: canopy.height,
            clear_trunk: canopy.clear_trunk,
        };
        let cut = |grid: &Grid<f32>| Grid::from_fn(frame.width(), frame.height(), |cell| grid[frame.min + cell]);
        let config = sight.config().with_radius(scene.radius()).with_decay(Decay::None);
        let mut view = Self {
            viewshed: Viewshed::new(config)?,
            frame,
            ground: cut(surface.ground),
            obstacles: surface.obstacles.map(cut),
            cover: surface.canopy.map_or(Grid::new(frame.width(), frame.height(), 0.0), |canopy| cut(canopy.cover)),
            canopy: surface.canopy.map(canopy),
            viewer: viewer - frame.min,
            target: target - frame.min,
            config: optics.config().clone().with_eye_height_m(surface.eye_height),
            cell_size: world.cell_size_at(viewer),
            over: HillVisibility::default(),
        };
        view.over = HillVisibility {
            ridge: view.visibility(view.config.relief_softness_m, None)?,
            forest: view.visibility(NO_HILLS_SOFTNESS_M, Some(&[]))?,
            both: view.over_both_without(&[])?,
        };
        Ok(Some(view))
    }

    /// Returns the visibility of the target over hills and woods, without the trees of `cleared`, in [0, 1].
    pub(super) fn over_both_without(&mut self, cleared: &[IVec2]) -> Result<f64, SightError> {
        self.visibility(self.config.relief_softness_m, Some(cleared))
    }

    /// Computes the visibility of the target; `cleared` is `None` for a view without woods.
    fn visibility(&mut self, softness: f64, cleared: Option<&[IVec2]>) -> Result<f64, SightError> {
        let min = self.frame.min;
        let old: Vec<(IVec2, f32)> =
            cleared.unwrap_or_default().iter().map(|&cell| (cell - min, self.cover[cell - min])).collect();
        old.iter().for_each(|&(cell, _)| self.cover[cell] = 0.0);
        let Self { viewshed, ground, obstacles, cover, canopy, viewer, target, config, cell_size, .. } = self;
        let canopy = canopy.filter(|_| cleared.is_some()).map(|numbers| canopy_of(numbers, cover));
        let surface = config.surface(ground, None, *cell_size).with_obstacles(&*obstacles).with_canopy(canopy);
        let seen = undecayed(viewshed, &surface.with_softness(softness), *viewer, *target).map(f64::from);
        old.into_iter().for_each(|(cell, density)| self.cover[cell] = density);
        seen
    }

    /// Returns the minimum height above ground at which the target would be visible over the hills, in metres.
    pub(super) fn min_visible_height_m(&mut self) -> Result<Option<f64>, SightError> {
        let surface = self.config.surface(&self.ground, None, self.cell_size).with_obstacles(&self.obstacles);
        Ok(self.viewshed.least_height(&surface, self.viewer, self.target)?.map(f64::from))
    }

    /// Returns the cell with the maximum slope from the eye on the straight line to the target.
    pub(super) fn horizon(&self) -> Option<IVec2> {
        let line = self.target - self.viewer;
        let steps = line.abs().max_element();
        let slope = |i: i32| {
            let offset = line.as_dvec2() * (f64::from(i) / f64::from(steps));
            let cell = self.viewer + offset.round().as_ivec2();
            let distance = (offset * self.cell_size.ratios()).length() * self.cell_size.shorter_m();
            let rise = f64::from(self.screen_m(cell)) - self.drop_m(distance) - self.eye_m();
            (rise / distance, cell + self.frame.min)
        };
        let slopes = (1..steps).map(slope).filter(|(slope, _)| !slope.is_nan());
        let steepest = slopes.reduce(|steepest, next| if next.0 > steepest.0 { next } else { steepest });
        let aside = || {
            let cells = [IVec2::new(line.x, 0), IVec2::new(0, line.y)].map(|offset| self.viewer + offset);
            cells.into_iter().max_by(|a, b| self.screen_m(*a).total_cmp(&self.screen_m(*b))).filter(|_| steps == 1)
        };
        steepest.map(|(_, cell)| cell).or_else(|| Some(aside()? + self.frame.min))
    }

    /// Returns `true` if an obstacle, such as a house, is above the ground of a cell of the scene.
    pub(super) fn has_obstacle(&self, cell: IVec2) -> bool {
        let cell = cell - self.frame.min;
        self.screen_m(cell) > self.ground[cell]
    }

    /// Returns the height of the ground or of the obstacle on it.
    fn screen_m(&self, cell: IVec2) -> f32 {
        let ground_m = self.ground[cell];
        let obstacle_m = self.obstacles.as_ref().map_or(ground_m, |obstacles| obstacles[cell]);
        if obstacle_m > ground_m { obstacle_m } else { ground_m }
    }

    /// Returns the opacity of the wood on a cell if its top is above the straight line to the target, otherwise 0.
    pub(super) fn wood_opacity(&self, cell: IVec2) -> f32 {
        let cell = cell - self.frame.min;
        let Some(numbers) = self.canopy else { return 0.0 };
        let (value, ground) = (self.cover[cell], f64::from(self.ground[cell]));
        let tall_m = f64::from(canopy_of(numbers, &self.cover).top_m(value));
        let share = (cell - self.viewer).as_dvec2().length() / (self.target - self.viewer).as_dvec2().length();
        let distance = |to: IVec2| self.cell_size.distance_m(to - self.viewer);
        let height = |to: IVec2| f64::from(self.ground[to]) - self.drop_m(distance(to));
        let line = self.eye_m() + (height(self.target) + self.config.target_height_m - self.eye_m()) * share;
        let foot = ground - self.drop_m(distance(cell));
        let is_below_crown =
            tall_m > numbers.clear_trunk && numbers.clear_trunk > 0.0 && foot + numbers.clear_trunk > line;
        if foot + tall_m <= line || is_below_crown {
            return 0.0;
        }
        let density = if numbers.law == CanopyLaw::Density { f64::from(value) } else { 1.0 };
        1.0 - libm::exp(-numbers.extinction * self.cell_size.mean_m() * density) as f32
    }

    fn eye_m(&self) -> f64 {
        f64::from(self.ground[self.viewer]) + self.config.eye_height_m
    }

    /// Returns the drop of the ground by curvature at a distance, both in metres.
    fn drop_m(&self, distance: f64) -> f64 {
        Surface::drop_m(self.config.curvature(), distance)
    }
}
