//! [`SceneSlices`]: a scene on the terrain that a worker of the page has made, one slice of work a frame.
//!
//! The answer of a worker is the viewer's cell, 0 and the fields of a world, or 1, columns, rows and opacities of a map. That to a
//! scene which catches up is the length of the world that it has settled to, a little-endian u32, 0 if it has not; that world; and
//! its views.
//!
//! A task as bytes:
//!
//! ```text
//! 0 for a world, 1 for a preview, 2 for a saved walk,
//! 3 for a scene that catches up, 4 for a film              a byte
//! a world or a preview:
//!   1 and the cell of the viewer, or 0                      a byte and two little-endian i32
//!   the same for the viewer of the world before
//!   1 if there is measured ground                           a byte
//!   the length of the preset, the preset                    a little-endian u32, TOML
//!   the measured ground
//! a saved walk: its file
//! a scene that catches up:
//!   the length of the task of its world, the task           a little-endian u32, bytes
//!   the answer to that task
//! a film:
//!   the length of its order, the order                      a little-endian u32, JSON
//!   the number of its steps, the cells after each           a little-endian u32, two i32 each
//!   a scene that catches up, without its first byte
//! ```

use std::sync::Arc;

use super::catching_up::UPDATES_AT_ONCE;
use super::task::{Task, TaskError, WorldRequest, find_names};
use super::trail::{Trail, TrailLand};
use farsight::Job;
use farsight::grid::Grid;
use farsight::sight::OpacityMap;
use farsight_scene::export::SavedWalk;
use farsight_scene::optics::Optics;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneError, Terrain};
use farsight_scene::world::{Ground, World, WorldConfig, WorldKind};
use glam::IVec2;

const TASK_WORLD: u8 = 0;
const TASK_PREVIEW: u8 = 1;
const TASK_WALK: u8 = 2;
const TASK_VIEWS: u8 = 3;
/// The first byte of a film, whose answer is not one of this file.
#[cfg(target_arch = "wasm32")]
pub(crate) const TASK_FILM: u8 = 4;
const ANSWER_WORLD: u8 = 0;
const ANSWER_MAP: u8 = 1;

/// The window's side of a task that a worker does.
pub(crate) struct KnownTask {
    preset: Preset,
    ground: Option<Arc<Ground>>,
    walk: Option<Arc<SavedWalk>>,
    /// The scene that catches up.
    behind: Option<Box<Scene>>,
}

/// A scene that is made in slices.
pub(crate) struct SceneSlices {
    task: KnownTask,
    viewer: IVec2,
    made: Made,
    /// The most cell updates of views that a slice computes.
    views_over: u64,
}

/// The state between two slices.
enum Made {
    Answer(Vec<u8>),
    World(Arc<World>),
    Terrain(Box<Terrain>),
    Scene(Box<Scene>),
    Nothing,
}

/// The worker has failed.
#[derive(Debug)]
pub(crate) struct WorkerFailed;

/// The scene or its error, once it is there.
pub(crate) type Polled = Option<Result<Scene, TaskError>>;

impl KnownTask {
    pub(crate) fn new(task: &Task) -> Self {
        match task {
            Task::World(request) | Task::Preview(request) => {
                Self { ground: request.ground.clone(), ..Self::of(&request.preset) }
            }
            Task::Views(scene, ground) => {
                Self { behind: Some(scene.clone()), ground: ground.clone(), ..Self::of(scene.preset()) }
            }
            Task::Walk(walk) => Self { walk: Some(Arc::clone(walk)), ..Self::of(&walk.preset) },
        }
    }

    fn of(preset: &Preset) -> Self {
        Self { preset: preset.clone(), ground: None, walk: None, behind: None }
    }
}

/// Does a task and returns the answer of the worker; an empty one says that it has no result.
pub(crate) fn answer_to(task: &[u8], job: Job<'_>) -> Vec<u8> {
    if let [TASK_VIEWS, task @ ..] = task {
        return views_answer(task, job).unwrap_or_default();
    }
    let Some(task) = Task::from_bytes(task) else { return Vec::new() };
    let answer = match task.make_world(job) {
        Some(world) => world.ok().map(|(viewer, world)| world_answer(viewer, &world)),
        None => task.make(job).ok().map(|scene| scene_answer(&scene)),
    };
    answer.unwrap_or_default()
}

fn views_answer(task: &[u8], job: Job<'_>) -> Option<Vec<u8>> {
    let (world, answer) = split_at_len(task)?;
    let task = KnownTask::new(&Task::from_bytes(world)?);
    let mut slices = SceneSlices { views_over: u64::MAX, ..SceneSlices::new(task, answer.to_vec()) };
    loop {
        if let Some(scene) = slices.advance_with(job).ok()? {
            let scene = scene.ok()?;
            let settled = scene.world_and_strokes().map(|(world, _)| world);
            let settled =
                settled.filter(|world| scene.world_without_strokes().is_some_and(|old| !Arc::ptr_eq(world, old)));
            let settled: Vec<u8> = settled.iter().flat_map(|world| world.to_bytes()).collect();
            return Some(with_len(&settled, &scene.views_to_bytes()));
        }
    }
}

fn scene_answer(scene: &Scene) -> Vec<u8> {
    // Strokes and changed cells are in the preset.
    match (scene.world_without_strokes(), scene.map_without_changes()) {
        (Some(world), _) => world_answer(scene.viewer(), world),
        (None, Some(map)) => map_answer(scene.viewer(), map),
        (None, None) => Vec::new(),
    }
}

fn map_answer(viewer: IVec2, map: &OpacityMap) -> Vec<u8> {
    let mut answer = Vec::new();
    put_cell(&mut answer, viewer);
    answer.push(ANSWER_MAP);
    put_cell(&mut answer, map.grid().size());
    answer.extend(map.grid().as_slice().iter().flat_map(|value| value.to_le_bytes()));
    answer
}

fn world_answer(viewer: IVec2, world: &World) -> Vec<u8> {
    let mut answer = Vec::new();
    put_cell(&mut answer, viewer);
    answer.push(ANSWER_WORLD);
    answer.extend(world.to_bytes());
    answer
}

impl SceneSlices {
    pub(crate) fn new(task: KnownTask, answer: Vec<u8>) -> Self {
        Self { task, viewer: IVec2::ZERO, made: Made::Answer(answer), views_over: UPDATES_AT_ONCE }
    }

    /// Does the next slice. An answer without a terrain says that the worker has none; its error is told by this thread, which has
    /// its type.
    pub(crate) fn advance(&mut self) -> Result<Polled, WorkerFailed> {
        self.advance_with(Job::none())
    }

    fn advance_with(&mut self, job: Job<'_>) -> Result<Polled, WorkerFailed> {
        self.made = match std::mem::replace(&mut self.made, Made::Nothing) {
            Made::Answer(answer) => match self.task.behind.take() {
                Some(scene) => return Ok(Some(Ok(*self.caught_up(scene, &answer).ok_or(WorkerFailed)?))),
                None => self.terrain_of(&answer)?,
            },
            Made::World(world) => {
                let optics = Optics::new(world, &self.task.preset.optics_at(self.task.preset.clock.hour));
                Made::Terrain(Box::new(Terrain::World(optics)))
            }
            Made::Terrain(terrain) => {
                let (preset, viewer) = (self.task.preset.clone(), Some(self.viewer));
                match Scene::on_terrain(preset, *terrain, viewer, self.views_over, job) {
                    Ok(scene) => Made::Scene(Box::new(scene)),
                    Err(error) => return Ok(Some(Err(error.into()))),
                }
            }
            Made::Scene(scene) => {
                find_names(&scene);
                return Ok(Some(self.resumed(*scene)));
            }
            Made::Nothing => return Err(WorkerFailed),
        };
        Ok(None)
    }

    /// Returns a scene with the world and the views of an answer; `None` if they are not its own.
    fn caught_up(&self, mut scene: Box<Scene>, answer: &[u8]) -> Option<Box<Scene>> {
        let (world, views) = split_at_len(answer)?;
        if scene.is_unsettled() {
            scene.take_settled(world_of(&scene.preset().world, self.task.ground.as_deref(), world)?).ok()?;
        }
        scene.take_views(views).then_some(scene)
    }

    fn terrain_of(&mut self, answer: &[u8]) -> Result<Made, WorkerFailed> {
        let (cell, answer) = answer.split_first_chunk().ok_or(WorkerFailed)?;
        self.viewer = cell_of(*cell);
        let (&kind, terrain) = answer.split_first().ok_or(WorkerFailed)?;
        let KnownTask { preset, ground, .. } = &mut self.task;
        if kind == ANSWER_MAP {
            let map = map_of(terrain).ok_or(WorkerFailed)?;
            return Ok(Made::Terrain(Box::new(Terrain::Map(map))));
        }
        if let Some(ground) = ground {
            *preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        }
        let world = world_of(&preset.world, ground.as_deref(), terrain);
        world.map(|world| Made::World(Arc::new(world))).ok_or(WorkerFailed)
    }

    fn resumed(&self, mut scene: Scene) -> Result<Scene, TaskError> {
        if let Some(walk) = &self.task.walk {
            walk.resume(&mut scene).map_err(|error| TaskError::Walk(Box::new(error)))?;
        }
        Ok(scene)
    }
}

fn world_of(config: &WorldConfig, ground: Option<&Ground>, bytes: &[u8]) -> Option<World> {
    match ground {
        None => World::from_bytes(config, bytes),
        Some(ground) => World::from_bytes_on_ground(ground, config, bytes),
    }
}

fn map_of(bytes: &[u8]) -> Option<OpacityMap> {
    let (size, bytes) = bytes.split_first_chunk()?;
    let [width, height] = cell_of(*size).to_array().map(|side| usize::try_from(side).ok());
    let values = bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    OpacityMap::try_from(Grid::from_vec(width?, height?, values).ok()?).ok()
}

impl Task {
    /// Makes the world only if that is all that a scene needs: the cell of the viewer is known, and the world is no dungeon.
    fn make_world(&self, job: Job<'_>) -> Option<Result<(IVec2, World), SceneError>> {
        let (preset, ground, viewer, is_preview) = match self {
            Self::Preview(request) if request.has_coarser_world() => {
                (&request.preset, &request.ground, request.viewer_in_preview(), true)
            }
            Self::World(request) | Self::Preview(request) => (&request.preset, &request.ground, request.viewer, false),
            Self::Walk(walk) => (&walk.preset, &None, Some(walk.viewer()), false),
            Self::Views(..) => return None,
        };
        let viewer = viewer?;
        if ground.is_none() && preset.world.kind == WorldKind::Dungeon {
            return None;
        }
        let world = Scene::world_of(preset, ground.as_deref(), is_preview, job);
        Some(world.map(|world| {
            if preset.paint.names {
                world.places(); // goes with the world, so that the page need not find them
            }
            (viewer, world)
        }))
    }

    /// Returns the task as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (kind, request) = match self {
            Self::World(request) => (TASK_WORLD, request),
            Self::Preview(request) => (TASK_PREVIEW, request),
            Self::Walk(walk) => return [vec![TASK_WALK], walk.to_bytes()].concat(),
            Self::Views(scene, ground) => {
                // A world that has settled is sent as it is, so that only the strokes since then are painted on it.
                let (mut preset, viewer) = (scene.present_preset(), Some(scene.viewer()));
                let answer = match scene.world_and_strokes().filter(|_| !scene.is_unsettled()) {
                    Some((world, strokes)) => {
                        preset.strokes = strokes.to_vec();
                        world_answer(scene.viewer(), world)
                    }
                    None => scene_answer(scene),
                };
                let request = WorldRequest { preset, viewer, last_viewer: None, ground: ground.clone() };
                return [vec![TASK_VIEWS], with_len(&Self::World(request).to_bytes(), &answer)].concat();
            }
        };
        let mut bytes = vec![kind];
        for cell in [request.viewer, request.last_viewer] {
            bytes.push(u8::from(cell.is_some()));
            put_cell(&mut bytes, cell.unwrap_or_default());
        }
        bytes.push(u8::from(request.ground.is_some()));
        let ground: Vec<u8> = request.ground.iter().flat_map(|ground| ground.to_bytes()).collect();
        bytes.extend(with_len(request.preset.to_toml().as_bytes(), &ground));
        bytes
    }

    /// Returns the task, or `None` if the bytes are those of none.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&kind, mut rest) = bytes.split_first()?;
        if kind == TASK_WALK {
            return Some(Self::Walk(Arc::new(SavedWalk::from_bytes(rest).ok()?)));
        }
        let mut cell = || {
            let (&is_some, after) = rest.split_first()?;
            let (cell, after) = after.split_first_chunk()?;
            rest = after;
            Some((is_some != 0).then(|| cell_of(*cell)))
        };
        let (viewer, last_viewer) = (cell()?, cell()?);
        let (&has_ground, rest) = rest.split_first()?;
        let (preset, ground) = split_at_len(rest)?;
        let preset = Preset::from_toml(std::str::from_utf8(preset).ok()?, "the page").ok()?;
        let ground = if has_ground == 0 { None } else { Some(Arc::new(Ground::from_bytes(ground)?)) };
        let request = WorldRequest { preset, viewer, last_viewer, ground };
        Some(if kind == TASK_PREVIEW { Self::Preview(request) } else { Self::World(request) })
    }
}

impl Trail {
    /// Returns the trail as a part of a task.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Self { preset, land, ground, first, steps } = self;
        let answer = match land {
            TrailLand::World(world) => world_answer(*first, world),
            TrailLand::Map(map) => map_answer(*first, map),
        };
        let request =
            WorldRequest { preset: preset.clone(), viewer: Some(*first), last_viewer: None, ground: ground.clone() };
        let mut bytes = (steps.len() as u32).to_le_bytes().to_vec();
        steps.iter().for_each(|&cell| put_cell(&mut bytes, cell));
        bytes.extend(with_len(&Task::World(request).to_bytes(), &answer));
        bytes
    }

    /// Returns the trail, or `None` if the bytes are those of none.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (len, bytes) = bytes.split_first_chunk()?;
        let (cells, bytes) = bytes.split_at_checked(u32::from_le_bytes(*len) as usize * 8)?;
        let (world, answer) = split_at_len(bytes)?;
        let mut slices = SceneSlices::new(KnownTask::new(&Task::from_bytes(world)?), Vec::new());
        let land = match slices.terrain_of(answer).ok()? {
            Made::World(world) => TrailLand::World(world),
            Made::Terrain(terrain) => match *terrain {
                Terrain::Map(map) => TrailLand::Map(Box::new(map)),
                Terrain::World(_) => return None,
            },
            _ => return None,
        };
        let SceneSlices { task: KnownTask { preset, ground, .. }, viewer: first, .. } = slices;
        let steps = cells.as_chunks().0.iter().map(|&cell| cell_of(cell)).collect();
        Some(Self { preset, land, ground, first, steps })
    }
}

/// Returns the length of some bytes, a little-endian u32, the bytes, and further ones.
pub(crate) fn with_len(bytes: &[u8], more: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_le_bytes()[..], bytes, more].concat()
}

/// Returns the two parts that [`with_len`] has joined.
pub(crate) fn split_at_len(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*len) as usize)
}

fn put_cell(bytes: &mut Vec<u8>, cell: IVec2) {
    bytes.extend(cell.to_array().into_iter().flat_map(i32::to_le_bytes));
}

fn cell_of(bytes: [u8; 8]) -> IVec2 {
    let [x, y] = [0, 4].map(|first| std::array::from_fn(|i| bytes[first + i])).map(i32::from_le_bytes);
    IVec2::new(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::task::WorldRequest;
    use farsight::grid::CellRect;
    use farsight_scene::creatures::Observer;
    use farsight_scene::preset::ChangedCell;
    use farsight_scene::scene::Layer;
    use farsight_scene::world::{Brush, Stroke};

    /// Does a task as a page and its worker do it together.
    fn by_worker(task: Task) -> (Scene, usize) {
        let known = KnownTask::new(&task);
        let answer = answer_to(&task.to_bytes(), Job::none());
        let mut slices = SceneSlices::new(known, answer);
        let mut count = 1;
        loop {
            match slices.advance().unwrap() {
                Some(scene) => return (scene.unwrap(), count),
                None => count += 1,
            }
        }
    }

    fn assert_same(found: &Scene, expected: &Scene) {
        assert_eq!((found.viewer(), found.size()), (expected.viewer(), expected.size()));
        assert_eq!(found.preset(), expected.preset());
        assert_eq!(found.walk_state().creatures, expected.walk_state().creatures);
        let whole = CellRect::of_size(found.size());
        for layer in [Layer::Visibility, Layer::Opacity, Layer::Elevation, Layer::Biome] {
            let values = |scene: &Scene| scene.layer(layer, whole).ok().map(|grid| grid.map(|value| value.to_bits()));
            assert!(values(found) == values(expected), "{layer:?}");
        }
    }

    fn request(preset: &str) -> WorldRequest {
        let mut preset = Preset::named(preset).unwrap();
        (preset.world.width, preset.world.height) = (70, 60);
        WorldRequest { preset, viewer: None, last_viewer: Some(IVec2::new(5, 70)), ground: None }
    }

    #[test]
    fn worlds_dungeons_ground_and_walks_of_a_worker_are_those_of_a_thread() {
        let mut ground = Ground::new(Grid::from_fn(50, 40, |cell| (3 * cell.x + cell.y) as f32));
        ground.elevation_m[IVec2::new(3, 4)] = f32::NAN;
        let on_ground = WorldRequest { ground: Some(Arc::new(ground)), ..request("terrain") };
        let at_a_cell = WorldRequest { viewer: Some(IVec2::new(30, 20)), ..request("fog") };
        let mut large = WorldRequest { viewer: Some(IVec2::new(300, 20)), ..request("fog") };
        (large.preset.world.width, large.preset.world.height) = (400, 300);
        let requests = [request("mist"), request("dungeon"), at_a_cell, large, on_ground.clone()];
        for request in requests.into_iter().chain([WorldRequest { viewer: Some(IVec2::new(9, 9)), ..on_ground }]) {
            let expected = Task::World(request.clone()).make(Job::none()).unwrap();
            let (found, slices) = by_worker(Task::World(request.clone()));
            assert_same(&found, &expected);
            assert!(slices == if found.world().is_some() { 4 } else { 3 }, "{slices}");
            assert_eq!(found.places(), expected.places());
            let expected = Task::Preview(request.clone()).make(Job::none()).unwrap();
            assert_same(&by_worker(Task::Preview(request)).0, &expected);
        }
        let mut scene = Task::World(request("fog")).make(Job::none()).unwrap();
        scene.step(IVec2::new(1, 0)).unwrap();
        let walk = Arc::new(SavedWalk::of(&scene, "fog", None));
        let (found, _) = by_worker(Task::Walk(Arc::clone(&walk)));
        assert_same(&found, &scene);
        assert_eq!(found.walk_state().memory, scene.walk_state().memory);
    }

    #[test]
    fn a_scene_catches_up_with_views_of_a_worker() {
        let mut ground = Ground::new(Grid::from_fn(50, 40, |cell| (3 * cell.x + cell.y) as f32));
        ground.elevation_m[IVec2::new(3, 4)] = f32::NAN;
        let ground = Some(Arc::new(ground));
        for (request, ground) in [
            (request("fog"), None),
            (request("dungeon"), None),
            (WorldRequest { ground: ground.clone(), ..request("terrain") }, ground),
        ] {
            let mut expected = Task::World(request).make(Job::none()).unwrap();
            expected.set_observers(vec![Observer::new((20, 20))]).unwrap();
            expected.set_hour(8.0).unwrap();
            let mut behind = expected.clone();
            behind.leave_views_over(0);
            for scene in [&mut behind, &mut expected] {
                scene.place(scene.viewer() + IVec2::new(1, 0)).unwrap();
            }
            assert!(behind.is_behind());
            let (found, slices) = by_worker(Task::Views(Box::new(behind), ground));
            assert!(!found.is_behind() && slices == 1);
            assert_same(&found, &expected);
            assert_eq!(found.walk_state().memory, expected.walk_state().memory);
        }
    }

    #[test]
    fn a_worker_lets_climate_and_rivers_settle() {
        let mut ground = Ground::new(Grid::from_fn(50, 40, |cell| (3 * cell.x + cell.y) as f32));
        ground.elevation_m[IVec2::new(3, 4)] = f32::NAN;
        let ground = Some(Arc::new(ground));
        for (request, ground) in
            [(request("fog"), None), (WorldRequest { ground: ground.clone(), ..request("terrain") }, ground)]
        {
            let mut expected = Task::World(request).make(Job::none()).unwrap();
            let mut behind = expected.clone();
            behind.leave_views_over(0);
            let ridge = Stroke::new(Brush::Raise, [(8, 20), (40, 24)]).with_radius(6);
            for strokes in [
                vec![ridge.clone().with_settles(true)],
                vec![ridge.with_settles(true), Stroke::new(Brush::Plant, [(9, 9)])],
            ] {
                for scene in [&mut behind, &mut expected] {
                    scene.set_strokes(strokes.clone()).unwrap();
                }
                assert_eq!(
                    behind.is_unsettled(),
                    strokes.len() == 1,
                    "the second stroke is painted on the settled world"
                );
                if behind.is_unsettled() {
                    assert!(behind.world().unwrap().humidity() != expected.world().unwrap().humidity());
                }
                (behind, _) = by_worker(Task::Views(Box::new(behind), ground.clone()));
                assert!(!behind.is_behind());
                assert_same(&behind, &expected);
                assert_eq!(format!("{:?}", behind.world()), format!("{:?}", expected.world()));
                behind.leave_views_over(0);
            }
        }
    }

    #[test]
    fn a_trail_of_a_worker_begins_as_that_of_a_thread() {
        let ground = Arc::new(Ground::new(Grid::from_fn(50, 40, |cell| (3 * cell.x + cell.y) as f32)));
        let on_ground = WorldRequest { ground: Some(Arc::clone(&ground)), ..request("terrain") };
        for request in [request("fog"), request("dungeon"), on_ground] {
            let ground = request.ground.clone();
            let mut scene = Task::World(request).make(Job::none()).unwrap();
            let mut walker = scene.clone();
            let first = scene.viewer();
            let mut steps = Vec::new();
            for step in [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]] {
                if walker.step(step.into()).unwrap() {
                    steps.push(walker.viewer());
                }
            }
            assert!(steps.len() > 1);
            if scene.world().is_some() {
                let raised = Stroke::new(Brush::Raise, [(8, 20), (40, 24)]).with_radius(6).with_settles(true);
                scene.set_strokes(vec![raised]).unwrap();
            }
            let trail = || Trail {
                preset: scene.present_preset(),
                land: match (scene.world_without_strokes(), scene.map_without_changes()) {
                    (Some(world), _) => TrailLand::World(Arc::clone(world)),
                    (None, map) => TrailLand::Map(Box::new(map.unwrap().clone())),
                },
                ground: ground.clone(),
                first,
                steps: steps.clone(),
            };
            let bytes = trail().to_bytes();
            let (found, walk) = Trail::from_bytes(&bytes).unwrap().begin().unwrap();
            let (expected, expected_walk) = trail().begin().unwrap();
            assert_same(&found, &expected);
            assert_eq!((&walk, walk.steps()), (&expected_walk, steps.len()));
            for len in [0, 3, 30, 60, 100] {
                assert!(Trail::from_bytes(&bytes[..len]).is_none(), "{len}");
            }
        }
    }

    #[test]
    fn changed_cells_of_a_dungeon_know_the_map_without_them() {
        let mut request = request("dungeon");
        request.preset.cells.push(ChangedCell::new((0, 0), 0.25));
        let expected = Task::World(request.clone()).make(Job::none()).unwrap();
        let (mut found, _) = by_worker(Task::World(request));
        assert_same(&found, &expected);
        found.set_opacity((0, 0), 1.0).unwrap();
        assert!(found.state().cells.is_empty(), "a wall as on the map");
    }

    #[test]
    fn answers_without_a_terrain_are_failures() {
        let known = || KnownTask::new(&Task::World(request("mist")));
        let views =
            || KnownTask { behind: Some(Box::new(Task::World(request("mist")).make(Job::none()).unwrap())), ..known() };
        for answer in [vec![], vec![0; 8], vec![0; 9], vec![1; 40]] {
            assert!(SceneSlices::new(views(), answer.clone()).advance().is_err());
            assert!(SceneSlices::new(known(), answer).advance().is_err());
        }
        assert!(Task::from_bytes(&[]).is_none() && Task::from_bytes(&[0; 12]).is_none());
    }
}
