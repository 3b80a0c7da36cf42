//! [`Moment`]: what is told of a step in the caption.

use glam::IVec2;

use super::error::FilmError;
use super::itinerary::Itinerary;
use super::news::Newsroom;
use crate::job::Job;
use crate::paint::Colour;
use crate::paint::cell_colour;
use crate::perception::Recognition;
use crate::scene::Scene;
use crate::world::Biome;

/// What is told of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moment {
    /// Where one stands; `None` on a map without a world.
    pub(super) place: Option<Place>,
    /// The colour of the ground there.
    pub(super) colour: Colour,
    /// Cells in sight.
    pub(super) in_sight: usize,
    /// What has changed, in words.
    pub(super) news: Option<String>,
}

/// Where in a world one stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) biome: Biome,
    /// Metres over the sea.
    pub(super) ground_m: f32,
}

/// Walks an itinerary and notes what is told of it; `frame_every` steps there is a frame.
pub(super) fn survey(
    scene: &Scene,
    itinerary: &Itinerary,
    frame_every: usize,
    job: &Job,
) -> Result<Vec<Moment>, FilmError> {
    let places: Vec<Option<Place>> = itinerary.cells().iter().map(|&cell| place(scene, cell)).collect();
    let mut newsroom = Newsroom::new(&places, frame_every);
    let mut moments = Vec::with_capacity(places.len());
    itinerary.walk(scene, |step, scene| {
        job.report("walking", step as f32 / places.len() as f32)?;
        let in_sight = cells_in_sight(scene);
        let news = newsroom.news(step, scene, in_sight);
        moments.push(Moment { place: places[step], colour: cell_colour(scene, scene.viewer()), in_sight, news });
        Ok::<(), FilmError>(())
    })?;
    Ok(moments)
}

fn place(scene: &Scene, cell: IVec2) -> Option<Place> {
    let world = scene.world()?;
    Some(Place { biome: *world.biome().get(cell)?, ground_m: *world.ground_m().get(cell)? })
}

/// Cells of which something is made.
fn cells_in_sight(scene: &Scene) -> usize {
    let frame = scene.sight_frame();
    let rows = frame.min.y..frame.max.y;
    let row =
        |y: i32| (frame.min.x..frame.max.x).filter(|&x| scene.sense(IVec2::new(x, y)) > Recognition::Hidden).count();
    rows.map(row).sum()
}
