//! [`Itinerary`]: the cells of a walk, one step after the other.

use glam::IVec2;

use super::error::FilmError;
use crate::grid::CellRect;
use crate::scene::Scene;

/// The cells of a walk: each is a king's move from the one before, and none is a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Itinerary {
    points: Vec<IVec2>,
    cells: Vec<IVec2>,
}

impl Itinerary {
    /// A walk has at most so many steps.
    pub const MOST_STEPS: usize = 5000;

    /// Shortest ways from where the viewer stands to the first point and from each point to the next. Without points,
    /// one stays.
    ///
    /// # Errors
    /// [`FilmError::PointOutside`], [`FilmError::NoWay`], [`FilmError::TooLong`].
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
        let start = scene.viewer();
        let mut walk = Self { points: vec![start], cells: vec![start] };
        let size = scene.size();
        for &point in points {
            if !CellRect::of_size(size).contains(point) {
                return Err(FilmError::PointOutside { point, size });
            }
            let from = walk.end();
            let steps = scene.route(from, point).ok_or(FilmError::NoWay { from, to: point })?;
            if !steps.is_empty() {
                walk.go(&steps, point)?;
            }
        }
        Ok(walk)
    }

    /// A walk of so many steps that is worth watching: to high ground, coasts and woods, and to where one has not
    /// looked yet. The same scene gives the same walk. It is shorter only where there is nowhere left to go.
    ///
    /// # Errors
    /// [`FilmError::TooLong`]; [`FilmError::Sight`] if the view cannot be computed on the way.
    pub fn wander(scene: &Scene, steps: usize) -> Result<Self, FilmError> {
        if steps > Self::MOST_STEPS {
            return Err(FilmError::TooLong { steps });
        }
        let mut walk = Self { points: vec![scene.viewer()], cells: vec![scene.viewer()] };
        let mut scene = scene.clone();
        while walk.steps() < steps {
            let Some(goal) = crate::film::wander::next_goal(&scene, &walk.points) else { break };
            let Some(mut leg) = scene.route(walk.end(), goal) else { break };
            leg.truncate(steps - walk.steps());
            // Where the last leg is cut short, it is walked as if it had always ended there.
            let end = walk.end() + leg.iter().sum::<IVec2>();
            let Some(leg) = scene.route(walk.end(), end).filter(|leg| !leg.is_empty()) else { break };
            for &step in &leg {
                scene.step(step)?;
            }
            walk.go(&leg, end)?;
        }
        Ok(walk)
    }

    /// Adds the way to a point.
    fn go(&mut self, steps: &[IVec2], point: IVec2) -> Result<(), FilmError> {
        let steps_in_all = self.steps() + steps.len();
        if steps_in_all > Self::MOST_STEPS {
            return Err(FilmError::TooLong { steps: steps_in_all });
        }
        for step in steps {
            self.cells.push(self.end() + *step);
        }
        self.points.push(point);
        Ok(())
    }

    /// Where it starts, and the points it passes; none twice in a row.
    pub fn points(&self) -> &[IVec2] {
        &self.points
    }

    /// Every cell of it, from the first to the last.
    pub fn cells(&self) -> &[IVec2] {
        &self.cells
    }

    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.cells.len() - 1
    }

    fn end(&self) -> IVec2 {
        self.cells[self.cells.len() - 1]
    }

    /// Walks it on a copy of the scene, and shows the scene after every step, and before the first.
    ///
    /// # Errors
    /// What `see` fails with, and [`SightError`](crate::sight::SightError) if the view cannot be computed.
    pub(super) fn walk<E: From<crate::sight::SightError>>(
        &self,
        scene: &Scene,
        mut see: impl FnMut(usize, &Scene) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut scene = scene.clone();
        see(0, &scene)?;
        for (i, pair) in self.cells.windows(2).enumerate() {
            scene.step(pair[1] - pair[0])?;
            see(i + 1, &scene)?;
        }
        Ok(())
    }
}
