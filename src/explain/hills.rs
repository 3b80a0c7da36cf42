//! [`Hills`]: what hills and the woods on them leave of a target, where relief is a horizon ([`Relief::Horizon`]).
//!
//! That is no opacity of cells, and no walk back along the corridor can tell what each of them takes. But what is left
//! hangs on the land between viewer and target alone, so it is computed anew with the hills lowered, or woods felled, on
//! a piece of the land that holds just the two.

use glam::IVec2;

use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::optics::{Optics, Relief};
use crate::scene::Scene;
use crate::sight::{Decay, Method, SightConfig, SightError};
use crate::viewshed::{Canopy, Surface, Viewshed};

/// Softer than any hill is high: nothing is hidden.
const ALL_SEEN_M: f64 = 1e30;

/// The land between a viewer and a target, and a way to look over it.
pub(super) struct Hills {
    viewshed: Viewshed,
    frame: CellRect,
    ground: Grid<f32>,
    cover: Grid<f32>,
    viewer: IVec2,
    target: IVec2,
    /// Kernel and heights of the scene; its grids are of the whole map.
    land: Measures,
}

/// How one looks, without what one looks over.
struct Measures {
    extinction: f64,
    canopy: f64,
    cell_size: f64,
    eye_height: f64,
    target_height: f64,
    softness: f64,
    curvature: f64,
}

impl Hills {
    /// The land between the viewer of a scene and a target; `None` where relief is no horizon.
    pub(super) fn of(scene: &Scene, optics: &Optics, target: IVec2) -> Result<Option<Self>, SightError> {
        if optics.config().relief != Relief::Horizon {
            return Ok(None);
        }
        let (viewer, sight) = (scene.viewer(), &scene.preset().sight);
        // Rays take the height between two cells: one more to each side.
        let box_around = CellRect { min: viewer.min(target) - 1, max: viewer.max(target) + 2 };
        let frame = box_around.intersect(CellRect::of_size(scene.size()));
        let world = optics.world();
        let cut = |grid: &Grid<f32>| Grid::from_fn(frame.width(), frame.height(), |cell| grid[frame.min + cell]);
        // The exact grade takes long, and the true one is near to it.
        let method = if sight.method == Method::TwoParent { Method::TwoParent } else { Method::Beam };
        let config = SightConfig { radius: scene.radius(), method, decay: Decay::default(), ..sight.clone() };
        let optics = optics.config();
        Ok(Some(Self {
            viewshed: Viewshed::new(config)?,
            frame,
            ground: cut(world.ground_m()),
            cover: cut(world.vegetation()),
            viewer: viewer - frame.min,
            target: target - frame.min,
            land: Measures {
                extinction: optics.vegetation_extinction_per_m,
                canopy: optics.canopy_height_m,
                cell_size: world.config().cell_size_m,
                eye_height: optics.eye_height_m,
                target_height: optics.target_height_m,
                softness: optics.relief_softness_m,
                curvature: optics.curvature(),
            },
        }))
    }

    /// What is left of the target, in [0, 1], by hills that hide or do not, and by woods but for those of the cells that
    /// are felled; without any woods for `None`.
    pub(super) fn left(&mut self, hides: bool, felled: Option<&[IVec2]>) -> Result<f64, SightError> {
        let Self { viewshed, frame, ground, cover, viewer, target, land } = self;
        let fallen: Vec<(IVec2, f32)> =
            felled.unwrap_or_default().iter().map(|&cell| (cell - frame.min, cover[cell - frame.min])).collect();
        fallen.iter().for_each(|&(cell, _)| cover[cell] = 0.0);
        let woods = felled.map(|_| Canopy { cover, extinction: land.extinction, height: land.canopy });
        let softness = if hides { land.softness } else { ALL_SEEN_M };
        let over = land.over(ground, woods, softness);
        let left = viewshed.compute(&over, *viewer, Job::quiet()).map(|view| f64::from(view.get(*target)));
        fallen.into_iter().for_each(|(cell, was)| cover[cell] = was);
        left
    }

    /// The least height over its ground at which the target would be seen over the hills, in metres.
    pub(super) fn least_height_m(&mut self) -> Result<Option<f64>, SightError> {
        let over = self.land.over(&self.ground, None, self.land.softness);
        let clearance = self.viewshed.clearance(&over, self.viewer, Job::quiet())?;
        Ok(clearance.least_height(self.target).map(f64::from))
    }

    /// The cell of the horizon: the steepest as seen from the eye, of those on the straight line to the target.
    pub(super) fn horizon(&self) -> Option<IVec2> {
        let way = self.target - self.viewer;
        let steps = way.abs().max_element();
        let slope = |i: i32| {
            let along = way.as_dvec2() * (f64::from(i) / f64::from(steps));
            let cell = self.viewer + along.round().as_ivec2();
            let distance = along.length() * self.land.cell_size;
            let rise = f64::from(self.ground[cell]) - self.land.drop_m(distance) - self.eye_m();
            (rise / distance, cell + self.frame.min)
        };
        let slopes = (1..steps).map(slope).filter(|(slope, _)| !slope.is_nan());
        slopes.reduce(|steepest, next| if next.0 > steepest.0 { next } else { steepest }).map(|(_, cell)| cell)
    }

    /// What full woods of a cell's density would take away, in [0, 1], where their tops stand above the straight line to
    /// the target; else 0.
    pub(super) fn wood(&self, cell: IVec2) -> f32 {
        let cell = cell - self.frame.min;
        let (cover, ground) = (f64::from(self.cover[cell]), f64::from(self.ground[cell]));
        let share = (cell - self.viewer).as_dvec2().length() / (self.target - self.viewer).as_dvec2().length();
        let distance = |to: IVec2| (to - self.viewer).as_dvec2().length() * self.land.cell_size;
        let height = |to: IVec2| f64::from(self.ground[to]) - self.land.drop_m(distance(to));
        let line = self.eye_m() + (height(self.target) + self.land.target_height - self.eye_m()) * share;
        let top = ground - self.land.drop_m(distance(cell)) + self.land.canopy * cover * cover;
        if top > line { 1.0 - libm::exp(-self.land.extinction * self.land.cell_size * cover) as f32 } else { 0.0 }
    }

    fn eye_m(&self) -> f64 {
        f64::from(self.ground[self.viewer]) + self.land.eye_height
    }
}

impl Measures {
    fn over<'l>(&self, ground: &'l Grid<f32>, woods: Option<Canopy<'l>>, softness: f64) -> Surface<'l> {
        Surface {
            ground,
            canopy: woods,
            cell_size: self.cell_size,
            eye_height: self.eye_height,
            target_height: self.target_height,
            softness,
            curvature: self.curvature,
        }
    }

    /// What curvature takes from a height at a distance, both in metres.
    fn drop_m(&self, distance: f64) -> f64 {
        self.curvature * distance * distance / (2.0 * Surface::EARTH_RADIUS_M)
    }
}
