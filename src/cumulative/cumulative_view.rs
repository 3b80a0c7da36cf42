//! [`CumulativeView`]: the union, the count and the best of the views of several observers.

use glam::IVec2;

use super::placed_observer::PlacedObserver;
use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::optics::Optics;
use crate::parallel::*;
use crate::scene::{Scene, SceneError, Terrain, check_more_views};
use crate::sight::{Sector, SightError};
use crate::viewshed::{Surface, Viewshed};

/// The joint view of several observers. Cells without data are NaN.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CumulativeView {
    /// The greatest visibility of each cell, in [0, 1].
    pub union: Grid<f32>,
    /// The number of observers that see each cell: with a visibility from `perception.glimpse` on.
    pub count: Grid<f32>,
    /// The number of the observer that sees each cell best, from 1; of equals the first. 0 if none sees it.
    pub best: Grid<f32>,
}

/// A part of the map, and the visibilities for one observer there.
struct ObserverView {
    min: IVec2,
    seen: Grid<f32>,
}

/// The views that are kept for a thread before they are added up.
const VIEWS_PER_THREAD: usize = 4;

/// Bytes a cell of the three fields, besides the views of observers.
const BYTES_PER_CELL: u64 = 12;

impl CumulativeView {
    /// Computes the views of all observers on all threads of rayon, with optics and method of the scene, without light. The
    /// result does not depend on the number of threads.
    ///
    /// # Errors
    /// [`SceneError::NoSuchLayer`] on an opacity map; [`SceneError::Memory`]; [`SceneError::Sight`] for an observer outside the map or a radius that is
    /// too large, and if the job is cancelled.
    pub fn compute(scene: &Scene, observers: &[PlacedObserver], job: Job<'_>) -> Result<Self, SceneError> {
        let Terrain::World(optics) = scene.terrain() else { return Err(SceneError::NoSuchLayer("cumulative view")) };
        let size = scene.size();
        let batch = VIEWS_PER_THREAD * current_num_threads();
        let views = observers.len().min(current_num_threads()) as u64;
        let bytes_per_cell = BYTES_PER_CELL + 4 * observers.len().min(batch) as u64;
        check_more_views(size, scene.preset(), views, bytes_per_cell, "a cumulative view")?;
        let zeros =
            || {
                Grid::from_fn(size.x as usize, size.y as usize, |cell| {
                    if optics.world().has_data(cell) { 0.0 } else { f32::NAN }
                })
            };
        let mut all = Self { union: zeros(), count: zeros(), best: zeros() };
        let glimpse = scene.preset().perception.thresholds().glimpse;
        let viewshed =
            Viewshed::new(scene.preset().sight.clone().with_sector(Sector::ALL)).map_err(SceneError::Sight)?;
        let radius = viewshed.config().radius;
        job.report("observers", 0.0).map_err(SightError::from)?;
        for (i, observers_of_batch) in observers.chunks(batch).enumerate() {
            let views: Vec<ObserverView> = observers_of_batch
                .par_iter()
                .map_init(|| viewshed.clone(), |viewshed, observer| view_of(optics, viewshed, radius, observer, job))
                .collect::<Result<_, _>>()?;
            for (j, view) in views.iter().enumerate() {
                all.add(view, (i * batch + j + 1) as f32, glimpse);
            }
            let done = i * batch + observers_of_batch.len();
            job.report("observers", done as f32 / observers.len() as f32).map_err(SightError::from)?;
        }
        Ok(all)
    }

    fn add(&mut self, view: &ObserverView, number: f32, glimpse: f32) {
        for (offset, &seen) in view.seen.iter().filter(|(_, seen)| **seen > 0.0) {
            let cell = view.min + offset;
            if seen > self.union[cell] {
                self.union[cell] = seen;
                self.best[cell] = number;
            }
            if seen >= glimpse {
                self.count[cell] += 1.0;
            }
        }
    }
}

fn view_of(
    optics: &Optics,
    viewshed: &mut Viewshed,
    radius: u32,
    observer: &PlacedObserver,
    job: Job<'_>,
) -> Result<ObserverView, SightError> {
    let (limits, viewer, world) = (observer.limits, observer.cell, optics.world());
    let radius = observer.radius.unwrap_or(radius);
    if radius != viewshed.config().radius {
        viewshed.set_config(viewshed.config().clone().with_radius(radius))?;
    }
    let optics = optics.at_heights(limits.eye_height_m, limits.target_height_m);
    let view = optics.view(viewshed, viewer, job.without_progress())?;
    let window = CellRect { min: view.top_left(), max: view.top_left() + view.grid().size() };
    let frame = window.intersect(CellRect::of_size(world.ground_m().size()));
    let cell_size = world.cell_size_at(viewer);
    let ground = world.ground_m();
    let eye_m = f64::from(ground[viewer]) + limits.eye_height_m;
    let drop = optics.config().curvature() / (2.0 * Surface::EARTH_RADIUS_M);
    let seen = Grid::from_fn(frame.width(), frame.height(), |offset| {
        let cell = frame.min + offset;
        let seen = view.get(cell);
        if seen <= 0.0 || !world.has_data(cell) {
            return 0.0;
        }
        let distance = cell_size.distance_m(cell - viewer);
        let rise_m = f64::from(ground[cell]) + limits.target_height_m - drop * distance * distance - eye_m;
        if limits.contains(cell_size, cell - viewer, rise_m) { seen } else { 0.0 }
    });
    Ok(ObserverView { min: frame.min, seen })
}
