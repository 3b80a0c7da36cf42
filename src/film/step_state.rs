//! [`StepState`]: the state of a walk after a step, as the caption shows it.

use glam::{IVec2, ivec2};

use super::caption_feed::CaptionFeed;
use super::error::FilmError;
use super::itinerary::Itinerary;
use crate::job::Job;
use crate::paint::{Colour, ground_colour};
use crate::perception::Recognition;
use crate::scene::Scene;
use crate::world::Biome;

#[derive(Debug)]
pub(super) struct StepState {
    /// The ground under the viewer, or `None` on an opacity map.
    pub(super) ground: Option<GroundUnderViewer>,
    pub(super) ground_colour: Colour,
    /// The number of cells that are at least glimpsed.
    pub(super) cells_in_sight: usize,
    /// The line on the latest event.
    pub(super) event: Option<String>,
}

/// The ground under the viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundUnderViewer {
    pub(super) biome: Biome,
    /// Metres above the sea.
    pub(super) height_m: f32,
}

/// Walks through a copy of the scene and returns the state after each step, and before the first.
pub(super) fn simulate_walk(
    scene: &Scene,
    itinerary: &Itinerary,
    steps_per_frame: usize,
    job: Job<'_>,
) -> Result<Vec<StepState>, FilmError> {
    let cells = itinerary.cells();
    let grounds: Vec<Option<GroundUnderViewer>> = cells.iter().map(|&cell| ground(scene, cell)).collect();
    let biomes: Vec<Option<Biome>> = grounds.iter().map(|ground| ground.map(|ground| ground.biome)).collect();
    let mut feed = CaptionFeed::new(&biomes, steps_per_frame);
    let mut scene = scene.clone();
    let mut states = Vec::with_capacity(cells.len());
    for (step, &cell) in cells.iter().enumerate() {
        if step > 0 {
            scene.step(cell - cells[step - 1])?;
        }
        job.report("walking", step as f32 / cells.len() as f32)?;
        let cells_in_sight = count_cells_in_sight(&scene);
        states.push(StepState {
            ground: grounds[step],
            ground_colour: ground_colour(&scene, scene.viewer()),
            cells_in_sight,
            event: feed.line(step, &scene, cells_in_sight),
        });
    }
    Ok(states)
}

fn ground(scene: &Scene, cell: IVec2) -> Option<GroundUnderViewer> {
    let world = scene.world()?;
    Some(GroundUnderViewer { biome: *world.biome().get(cell)?, height_m: *world.ground_m().get(cell)? })
}

fn count_cells_in_sight(scene: &Scene) -> usize {
    let frame = scene.sight_frame();
    let cells = (frame.min.y..frame.max.y).flat_map(|y| (frame.min.x..frame.max.x).map(move |x| ivec2(x, y)));
    cells.filter(|&cell| scene.sense(cell) > Recognition::Hidden).count()
}
