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
use farsight::viewshed::{Surface, Viewshed};

/// A softness far above the height of any hill, so that hills hide nothing.
const NO_HILLS_SOFTNESS_M: f64 = 1e30;

/// The terrain between a viewer and a target, with the heights above it.
pub(super) struct HillView {
    viewshed: Viewshed,
    frame: CellRect,
    ground: Grid<f32>,
    cover: Grid<f32>,
    viewer: IVec2,
    target: IVec2,
    config: OpticsConfig,
    cell_size: CellSize,
    /// The surface with all trees.
    pub(super) over: HillVisibility,
}

/// The visibility of the target over hills, over woods, and over both, in [0, 1].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HillVisibility {
    pub(super) ridge: f64,
    pub(super) forest: f64,
    pub(super) both: f64,
}

impl HillView {
    /// Returns `None` unless relief is [`Relief::LineOfSight`].
    pub(super) fn of(scene: &Scene, optics: &Optics, target: IVec2) -> Result<Option<Self>, SightError> {
        if optics.config().relief != Relief::LineOfSight {
            return Ok(None);
        }
        let (viewer, sight) = (scene.viewer(), &scene.preset().sight);
        let frame = CellRect { min: viewer.min(target), max: viewer.max(target) + 1 };
        let world = optics.world();
        let cut = |grid: &Grid<f32>| Grid::from_fn(frame.width(), frame.height(), |cell| grid[frame.min + cell]);
        let config = sight.config().with_radius(scene.radius()).with_decay(Decay::None);
        let mut view = Self {
            viewshed: Viewshed::new(config)?,
            frame,
            ground: cut(world.ground_m()),
            cover: cut(world.vegetation()),
            viewer: viewer - frame.min,
            target: target - frame.min,
            config: optics.config().clone(),
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
        let Self { viewshed, frame, ground, cover, viewer, target, config, cell_size, .. } = self;
        let old: Vec<(IVec2, f32)> =
            cleared.unwrap_or_default().iter().map(|&cell| (cell - frame.min, cover[cell - frame.min])).collect();
        old.iter().for_each(|&(cell, _)| cover[cell] = 0.0);
        let surface = config.surface(ground, Some(cover), *cell_size);
        let surface = surface.with_canopy(surface.canopy.filter(|_| cleared.is_some())).with_softness(softness);
        let seen = undecayed(viewshed, &surface, *viewer, *target).map(f64::from);
        old.into_iter().for_each(|(cell, density)| cover[cell] = density);
        seen
    }

    /// Returns the minimum height above ground at which the target would be visible over the hills, in metres.
    pub(super) fn min_visible_height_m(&mut self) -> Result<Option<f64>, SightError> {
        let surface = self.config.surface(&self.ground, Some(&self.cover), self.cell_size).with_canopy(None);
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
            let rise = f64::from(self.ground[cell]) - self.drop_m(distance) - self.eye_m();
            (rise / distance, cell + self.frame.min)
        };
        let slopes = (1..steps).map(slope).filter(|(slope, _)| !slope.is_nan());
        let steepest = slopes.reduce(|steepest, next| if next.0 > steepest.0 { next } else { steepest });
        let aside = || {
            let cells = [IVec2::new(line.x, 0), IVec2::new(0, line.y)].map(|offset| self.viewer + offset);
            cells.into_iter().max_by(|a, b| self.ground[*a].total_cmp(&self.ground[*b])).filter(|_| steps == 1)
        };
        steepest.map(|(_, cell)| cell).or_else(|| Some(aside()? + self.frame.min))
    }

    /// Returns the opacity of the wood on a cell if its top is above the straight line to the target, otherwise 0.
    pub(super) fn wood_opacity(&self, cell: IVec2) -> f32 {
        let cell = cell - self.frame.min;
        let (cover, ground) = (f64::from(self.cover[cell]), f64::from(self.ground[cell]));
        let share = (cell - self.viewer).as_dvec2().length() / (self.target - self.viewer).as_dvec2().length();
        let distance = |to: IVec2| self.cell_size.distance_m(to - self.viewer);
        let height = |to: IVec2| f64::from(self.ground[to]) - self.drop_m(distance(to));
        let line = self.eye_m() + (height(self.target) + self.config.target_height_m - self.eye_m()) * share;
        let top = ground - self.drop_m(distance(cell)) + self.config.canopy_height_m * cover * cover;
        if top > line {
            1.0 - libm::exp(-self.config.vegetation_extinction_per_m * self.cell_size.mean_m() * cover) as f32
        } else {
            0.0
        }
    }

    fn eye_m(&self) -> f64 {
        f64::from(self.ground[self.viewer]) + self.config.eye_height_m
    }

    /// Returns the drop of the ground by curvature at a distance, both in metres.
    fn drop_m(&self, distance: f64) -> f64 {
        Surface::drop_m(self.config.curvature(), distance)
    }
}
