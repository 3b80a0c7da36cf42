//! Requests and replies as bytes: [`answer`] runs on the worker, [`Assembly`] on the page.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::refresh::refresh_if_quick;
use super::request::{Reply, Request, find_names, run};
use super::scene_parts::{PackedLand, SceneCopy, SceneLand, SceneParts};
use farsight::Job;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, Terrain};
use farsight_scene::world::WorldKind;
use glam::IVec2;

/// Returns a request as bytes, or no bytes if its scene has no land.
pub(super) fn request_to_bytes(request: &Request) -> Vec<u8> {
    to_bytes(request).unwrap_or_default()
}

pub(super) fn reply_from_bytes(bytes: &[u8]) -> Reply {
    from_bytes(bytes).unwrap_or_else(Reply::interrupted)
}

fn to_bytes(value: &impl Serialize) -> Option<Vec<u8>> {
    postcard::to_stdvec(value).ok()
}

fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Runs a request in a worker, and passes each reply to `send`.
pub(super) fn answer(request: &[u8], job: Job<'_>, send: &mut dyn FnMut(Vec<u8>)) {
    let mut send = |reply: Reply| send(to_bytes(&reply).unwrap_or_default());
    let Some(request) = from_bytes::<Request>(request) else { return send(Reply::interrupted()) };
    if let Some(reply) = request.make_land(job) {
        return send(reply);
    }
    let has_land = matches!(request, Request::Views(_));
    run(request, job, &mut |reply| {
        send(match reply {
            Reply::Scene(scene) if has_land => Reply::Views(scene.refreshed()),
            Reply::Scene(scene) => match SceneLand::of(&scene) {
                Some(land) => Reply::Land(scene.viewer(), land.into()),
                None => Reply::interrupted(),
            },
            reply => reply,
        });
    });
}

impl Request {
    /// Creates only the land, if the cell of the viewer is known and the land is not a dungeon: the scene needs nothing
    /// else.
    fn make_land(&self, job: Job<'_>) -> Option<Reply> {
        let (preset, ground, viewer, is_preview) = match self {
            Self::Preview(request) if request.has_coarser_world() => {
                (&request.preset, &request.ground, request.viewer_in_preview(), true)
            }
            Self::World(request) | Self::Preview(request) => (&request.preset, &request.ground, request.viewer, false),
            Self::Walk(walk) => (&walk.preset, &None, Some(walk.viewer()), false),
            Self::Views(_) | Self::Film(_) | Self::Survey(_) => return None,
        };
        let viewer = viewer?;
        if ground.is_none() && preset.world.kind == WorldKind::Dungeon {
            return None;
        }
        Some(match Scene::make_world(preset, ground.as_deref().map(Cow::from), is_preview, job) {
            Ok(world) => {
                if preset.paint.names {
                    world.places(); // sent with the world, so that the page need not compute them
                }
                Reply::Land(viewer, SceneLand::World(world.into()).into())
            }
            Err(error) => Reply::Failed(error.to_string()),
        })
    }

    /// Returns the preset of a scene, and the measured ground of its land.
    fn parts(&self, viewer: IVec2, land: PackedLand) -> Option<SceneParts> {
        let (mut preset, ground) = match self {
            Self::World(request) | Self::Preview(request) => (request.preset.clone(), request.ground.clone()),
            Self::Walk(walk) => (walk.preset.clone(), None),
            Self::Views(_) | Self::Film(_) | Self::Survey(_) => return None,
        };
        if let Some(ground) = &ground {
            preset = preset.on_ground(ground.elevation_m.size(), preset.world.cell_size_m);
        }
        let land = land.unpack(&preset.world, ground.as_deref())?;
        Some(SceneParts { preset, viewer, ground, land })
    }
}

/// A reply of a worker, which the page completes by one slice per frame.
pub(super) struct Assembly {
    request: Option<Request>,
    state: AssemblyState,
}

/// The state between two slices.
#[expect(clippy::large_enum_variant, reason = "there is one scene that is assembled at a time")]
enum AssemblyState {
    Reply(Reply),
    Parts(SceneParts),
    Terrain(Box<Preset>, IVec2, Box<Terrain>),
    Scene(Box<Scene>),
    Done,
}

impl Assembly {
    pub(super) fn new(request: Option<Request>, reply: Reply) -> Self {
        Self { request, state: AssemblyState::Reply(reply) }
    }

    /// Runs the next slice. Returns the complete reply after the last slice.
    pub(super) fn advance(&mut self) -> Option<Reply> {
        self.state = match std::mem::replace(&mut self.state, AssemblyState::Done) {
            AssemblyState::Reply(Reply::Land(viewer, land)) => {
                match self.request.as_ref().and_then(|request| request.parts(viewer, land)) {
                    Some(SceneParts { preset, viewer, land: SceneLand::Map(map), .. }) => {
                        AssemblyState::Terrain(preset.into(), viewer, Terrain::Map(*map).into())
                    }
                    Some(parts) => AssemblyState::Parts(parts),
                    None => return Some(Reply::interrupted()),
                }
            }
            AssemblyState::Reply(Reply::Views(refreshed)) => {
                let Some(Request::Views(SceneCopy { mut scene, ground })) = self.request.take() else {
                    return Some(Reply::interrupted());
                };
                return Some(scene.load_refreshed(refreshed, ground.as_deref()).map(|()| *scene).into());
            }
            AssemblyState::Reply(reply) => return Some(reply),
            AssemblyState::Parts(parts) => {
                let (preset, viewer, terrain) = parts.into_terrain();
                AssemblyState::Terrain(preset.into(), viewer, terrain.into())
            }
            AssemblyState::Terrain(preset, viewer, terrain) => match self.make_scene(*preset, viewer, *terrain) {
                Ok(scene) => AssemblyState::Scene(scene.into()),
                Err(words) => return Some(Reply::Failed(words)),
            },
            AssemblyState::Scene(scene) => {
                find_names(&scene);
                return Some(Reply::Scene(scene));
            }
            AssemblyState::Done => return Some(Reply::interrupted()),
        };
        None
    }

    /// Creates the scene, with its views if they are fast.
    fn make_scene(&self, preset: Preset, viewer: IVec2, terrain: Terrain) -> Result<Scene, String> {
        let made = Scene::from_terrain_without_views(preset, terrain, Some(viewer));
        let mut scene = made.map_err(|error| error.to_string())?;
        if let Some(Request::Walk(walk)) = &self.request {
            scene.defer(|scene| walk.resume(scene)).map_err(|error| error.to_string())?;
        }
        refresh_if_quick(&mut scene).map_err(|error| error.to_string())?;
        Ok(scene)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::background::SurveyedPlace;
    use crate::background::WorldRequest;
    use crate::background::film::begin;
    use farsight::grid::CellRect;
    use farsight::grid::Grid;
    use farsight_scene::creatures::Observer;
    use farsight_scene::export::SavedWalk;
    use farsight_scene::preset::ChangedCell;
    use farsight_scene::scene::Layer;
    use farsight_scene::world::Ground;
    use farsight_scene::world::{Brush, Stroke};

    fn made(request: Request) -> Scene {
        let mut scene = None;
        run(request, Job::none(), &mut |reply| scene = Box::<Scene>::try_from(reply).ok());
        *scene.unwrap()
    }

    /// Runs a request as a page together with its worker. Also returns the number of slices.
    fn by_worker(request: Request) -> (Scene, usize) {
        let mut answers = Vec::new();
        answer(&request_to_bytes(&request), Job::none(), &mut |bytes| answers.push(bytes));
        let [bytes] = &answers[..] else { panic!("{} answers", answers.len()) };
        let mut assembly = Assembly::new(Some(request), reply_from_bytes(bytes));
        let mut count = 1;
        loop {
            match assembly.advance() {
                Some(reply) => return (*Box::try_from(reply).unwrap(), count),
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
            let expected = made(Request::World(request.clone()));
            let (found, slices) = by_worker(Request::World(request.clone()));
            assert_same(&found, &expected);
            assert!(slices == if found.world().is_some() { 4 } else { 3 }, "{slices}");
            assert_eq!(found.places(), expected.places());
            let expected = made(Request::Preview(request.clone()));
            assert_same(&by_worker(Request::Preview(request)).0, &expected);
        }
        let mut scene = made(Request::World(request("fog")));
        scene.step(IVec2::new(1, 0)).unwrap();
        let walk = Arc::new(SavedWalk::of(&scene, "fog", None));
        let (found, _) = by_worker(Request::Walk(Arc::clone(&walk)));
        assert_same(&found, &scene);
        assert_eq!(found.walk_state().memory, scene.walk_state().memory);
    }

    #[test]
    fn a_scene_is_refreshed_by_a_worker() {
        let mut ground = Ground::new(Grid::from_fn(50, 40, |cell| (3 * cell.x + cell.y) as f32));
        ground.elevation_m[IVec2::new(3, 4)] = f32::NAN;
        let ground = Some(Arc::new(ground));
        for (request, ground) in [
            (request("fog"), None),
            (request("dungeon"), None),
            (WorldRequest { ground: ground.clone(), ..request("terrain") }, ground),
        ] {
            let mut expected = made(Request::World(request));
            expected.set_observers(vec![Observer::new((20, 20))]).unwrap();
            expected.set_hour(8.0).unwrap();
            let mut stale = expected.clone();
            let step = |scene: &mut Scene| scene.place(scene.viewer() + IVec2::new(1, 0)).unwrap();
            step(&mut expected);
            stale.defer(step);
            assert!(stale.is_stale());
            let (found, slices) = by_worker(Request::Views(SceneCopy::of(&stale, ground.as_ref())));
            assert!(!found.is_stale() && slices == 1);
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
            let mut expected = made(Request::World(request));
            let mut stale = expected.clone();
            let ridge = Stroke::new(Brush::Raise, [(8, 20), (40, 24)]).with_radius(6);
            for strokes in [
                vec![ridge.clone().with_settles(true)],
                vec![ridge.with_settles(true), Stroke::new(Brush::Plant, [(9, 9)])],
            ] {
                expected.set_strokes(strokes.clone()).unwrap();
                stale.defer(|scene| scene.set_strokes(strokes.clone())).unwrap();
                assert_eq!(
                    stale.is_unsettled(),
                    strokes.len() == 1,
                    "the second stroke is painted on the settled world"
                );
                if stale.is_unsettled() {
                    assert!(stale.world().unwrap().humidity() != expected.world().unwrap().humidity());
                }
                (stale, _) = by_worker(Request::Views(SceneCopy::of(&stale, ground.as_ref())));
                assert!(!stale.is_stale());
                assert_same(&stale, &expected);
                assert_eq!(format!("{:?}", stale.world()), format!("{:?}", expected.world()));
            }
        }
    }

    #[test]
    fn a_trail_of_a_worker_begins_as_that_of_a_thread() {
        let ground = Arc::new(Ground::new(Grid::from_fn(50, 40, |cell| (3 * cell.x + cell.y) as f32)));
        let on_ground = WorldRequest { ground: Some(Arc::clone(&ground)), ..request("terrain") };
        for request in [request("fog"), request("dungeon"), on_ground] {
            let ground = request.ground.clone();
            let mut scene = made(Request::World(request));
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
            let start = SceneParts { viewer: first, ..SceneParts::of(&scene, ground).unwrap() };
            let bytes = to_bytes(&start).unwrap();
            let (found, walk) = begin(from_bytes(&bytes).unwrap(), &steps).unwrap();
            let (expected, expected_walk) = begin(start, &steps).unwrap();
            assert_same(&found, &expected);
            assert_eq!((&walk, walk.steps()), (&expected_walk, steps.len()));
            for len in [0, 3, 30, 60, 100] {
                assert!(from_bytes::<SceneParts>(&bytes[..len]).is_none(), "{len}");
            }
        }
    }

    #[test]
    fn changed_cells_of_a_dungeon_know_the_map_without_them() {
        let mut request = request("dungeon");
        request.preset.cells.push(ChangedCell::new((0, 0), 0.25));
        let expected = made(Request::World(request.clone()));
        let (mut found, _) = by_worker(Request::World(request));
        assert_same(&found, &expected);
        found.set_opacity((0, 0), 1.0).unwrap();
        assert!(found.state().cells.is_empty(), "a wall as on the map");
    }

    #[test]
    fn a_survey_of_a_worker_is_that_of_a_thread() {
        let copy = SceneCopy::of(&made(Request::World(request("fog"))), None);
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        run(Request::Survey(copy.clone()), Job::none(), &mut |reply| expected.push(reply));
        answer(&request_to_bytes(&Request::Survey(copy)), Job::none(), &mut |bytes| {
            found.push(Assembly::new(None, reply_from_bytes(&bytes)).advance().unwrap());
        });
        let places = |replies: Vec<Reply>| -> Vec<Vec<SurveyedPlace>> {
            replies.into_iter().map(|reply| reply.try_into().unwrap()).collect()
        };
        let expected = places(expected);
        assert!(expected.len() == 6 && expected[5].is_empty(), "five passes and the end");
        assert_eq!(places(found), expected);
    }

    #[test]
    fn bytes_of_no_request_and_replies_to_other_requests_are_failures() {
        for bytes in [vec![], vec![0], vec![9; 40]] {
            answer(&bytes, Job::none(), &mut |answer| {
                assert!(matches!(reply_from_bytes(&answer), Reply::Failed(_)));
            });
            assert!(matches!(reply_from_bytes(&bytes), Reply::Failed(_)));
        }
        let scene = made(Request::World(request("fog")));
        let larger = WorldRequest { preset: Preset::named("fog").unwrap(), ..request("fog") };
        let land = || Reply::Land(scene.viewer(), SceneLand::of(&scene).unwrap().into());
        let copy = SceneCopy::of(&scene, None);
        for (request, reply) in [
            (Some(Request::World(larger)), land()),
            (Some(Request::Views(copy.clone())), land()),
            (None, Reply::Views(scene.refreshed())),
            (Some(Request::Survey(copy)), Reply::Views(scene.refreshed())),
        ] {
            assert!(matches!(Assembly::new(request, reply).advance(), Some(Reply::Failed(_))));
        }
    }
}
