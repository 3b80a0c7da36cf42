//! [`Itinerary`]: the cells of a walk.

use glam::IVec2;

use super::error::FilmError;
use super::next_goal::next_goal;
use crate::grid::CellRect;
use crate::scene::Scene;

/// The cells of a walk. Each is one of the eight neighbours of the cell before, and none is a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Itinerary {
    points: Vec<IVec2>,
    cells: Vec<IVec2>,
}

impl Itinerary {
    /// The largest number of steps of a walk.
    pub const MAX_STEPS: usize = 5000;

    /// Takes the shortest route from the viewer to the first point and from each point to the next. Without points, the
    /// walk has no steps.
    ///
    /// # Errors
    /// [`FilmError::PointOutside`], [`FilmError::NoRoute`], [`FilmError::TooLong`].
    ///
    /// ```
    /// use farsight::glam::ivec2;
    /// use farsight::film::Itinerary;
    /// use farsight::OpacityMap;
    /// use farsight::preset::Preset;
    /// use farsight::scene::Scene;
    /// let scene = Scene::on_map(Preset::default(), OpacityMap::clear(9, 5)?, Some(ivec2(1, 1)), farsight::Job::quiet())?;
    /// let walk = Itinerary::along(&scene, &[ivec2(4, 3), ivec2(8, 3)])?;
    /// assert_eq!((walk.steps(), walk.cells()[3]), (7, ivec2(4, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn along(scene: &Scene, points: &[IVec2]) -> Result<Self, FilmError> {
        let mut walk = Self { points: vec![scene.viewer()], cells: vec![scene.viewer()] };
        let size = scene.size();
        for &point in points {
            if !CellRect::of_size(size).contains(point) {
                return Err(FilmError::PointOutside { point: point + scene.origin(), size: scene.raster_size() });
            }
            let from = walk.end();
            let steps = scene.route(from, point).ok_or_else(|| {
                let origin = scene.origin();
                FilmError::NoRoute { from: from + origin, to: point + origin }
            })?;
            if !steps.is_empty() {
                walk.extend(&steps, point)?;
            }
        }
        Ok(walk)
    }

    /// Chooses a walk of `steps` steps that is worth watching: to high ground, coasts, woods, and cells that were never
    /// in sight. The same scene gives the same walk. The walk is shorter only if there is nowhere left to go.
    ///
    /// # Errors
    /// [`FilmError::TooLong`]; [`FilmError::Sight`] if a view on the way cannot be computed.
    pub fn wander(scene: &Scene, steps: usize) -> Result<Self, FilmError> {
        check_length(steps)?;
        let mut walk = Self { points: vec![scene.viewer()], cells: vec![scene.viewer()] };
        let mut scene = scene.clone();
        while walk.steps() < steps {
            let Some(goal) = next_goal(&scene, &walk.points) else { break };
            let Some(mut leg) = scene.route(walk.end(), goal) else { break };
            leg.truncate(steps - walk.steps());
            // `along` must find the same cells from the points, so a leg that is cut short gets the route to its end.
            let end = walk.end() + leg.iter().sum::<IVec2>();
            let Some(leg) = scene.route(walk.end(), end).filter(|leg| !leg.is_empty()) else { break };
            for &step in &leg {
                scene.step(step)?;
            }
            walk.extend(&leg, end)?;
        }
        Ok(walk)
    }

    fn extend(&mut self, steps: &[IVec2], point: IVec2) -> Result<(), FilmError> {
        check_length(self.steps() + steps.len())?;
        for step in steps {
            self.cells.push(self.end() + *step);
        }
        self.points.push(point);
        Ok(())
    }

    /// Returns the start and the points of the walk. No point is repeated directly.
    pub fn points(&self) -> &[IVec2] {
        &self.points
    }

    /// Returns every cell, from the first to the last.
    pub fn cells(&self) -> &[IVec2] {
        &self.cells
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }

    fn end(&self) -> IVec2 {
        self.cells[self.cells.len() - 1]
    }
}

fn check_length(steps: usize) -> Result<(), FilmError> {
    match steps > Itinerary::MAX_STEPS {
        true => Err(FilmError::TooLong { steps, limit: Itinerary::MAX_STEPS }),
        false => Ok(()),
    }
}
