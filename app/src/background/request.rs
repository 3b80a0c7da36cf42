//! [`Request`]: requested work; [`run`] executes it; [`Reply`]: its results.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::codec;
use super::film::{FilmRequest, MadeFilm};
use super::scene_parts::{PackedLand, SceneCopy};
use super::survey::{SurveyedPlace, survey};
use super::world_request::WorldRequest;
use farsight::Job;
use farsight_scene::export::SavedWalk;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Refreshed, Scene};
use glam::IVec2;

/// Requested work.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Request {
    /// A scene in a new world.
    World(WorldRequest),
    /// A scene in a preview of a world, or in the complete world if it has no preview.
    Preview(WorldRequest),
    /// The scene of a saved walk.
    Walk(#[serde(with = "codec::walk")] Arc<SavedWalk>),
    /// The missing views of a scene.
    Views(SceneCopy),
    Film(Box<FilmRequest>),
    /// The number of visible cells from places all over a scene.
    Survey(SceneCopy),
}

impl Request {
    /// Returns the preset of a requested world; that of a saved walk is known only with its scene.
    pub(crate) fn world_preset(&self) -> Option<&Preset> {
        match self {
            Self::World(request) => Some(&request.preset),
            _ => None,
        }
    }

    /// Returns `true` if the request gives the cell of the viewer, `false` for a cell with a varied view.
    pub(crate) fn keeps_viewer(&self) -> bool {
        !matches!(self, Self::World(WorldRequest { viewer: None, .. }))
    }
}

/// A result of a request.
#[derive(Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "there is one reply at a time")]
pub(crate) enum Reply {
    /// The land of a scene that a worker has made, and the cell of the viewer.
    Land(IVec2, PackedLand),
    /// The views that a worker has computed for a scene.
    Views(Refreshed),
    Film(MadeFilm),
    /// The places of a pass; empty at the end.
    Survey(Vec<SurveyedPlace>),
    /// An error sentence for the user.
    Failed(String),
    /// A scene. It stays in its process.
    #[serde(skip)]
    Scene(Box<Scene>),
}

impl Reply {
    /// Returns `true` if no further reply follows.
    pub(super) fn is_last(&self) -> bool {
        !matches!(self, Self::Survey(places) if !places.is_empty())
    }

    pub(super) fn interrupted() -> Self {
        Self::Failed("the work was interrupted".to_owned())
    }
}

impl<E: std::fmt::Display> From<Result<Scene, E>> for Reply {
    fn from(result: Result<Scene, E>) -> Self {
        match result {
            Ok(scene) => Self::Scene(Box::new(scene)),
            Err(error) => Self::Failed(error.to_string()),
        }
    }
}

/// Runs a request and passes each reply to `send`: one, or one per pass of a survey.
pub(super) fn run(request: Request, job: Job<'_>, send: &mut dyn FnMut(Reply)) {
    let reply = match request {
        Request::World(request) => request.make(job).into(),
        Request::Preview(request) => request.make_preview(job).into(),
        Request::Walk(walk) => walk.to_scene(job).into(),
        Request::Views(SceneCopy { mut scene, .. }) => scene.refresh(job).map(|()| *scene).into(),
        Request::Film(request) => request.make(job).map_or_else(Reply::Failed, Reply::Film),
        Request::Survey(SceneCopy { scene, .. }) => {
            survey(*scene, job, |places| send(Reply::Survey(places)));
            Reply::Survey(Vec::new())
        }
    };
    if let Reply::Scene(scene) = &reply {
        find_names(scene);
    }
    send(reply);
}

/// Computes the places of the names in a picture, so that the first picture does not wait for them.
pub(super) fn find_names(scene: &Scene) {
    if scene.preset().paint.names {
        scene.places();
    }
}

impl TryFrom<Reply> for Box<Scene> {
    type Error = String;

    fn try_from(reply: Reply) -> Result<Self, String> {
        match reply {
            Reply::Scene(scene) => Ok(scene),
            reply => Err(failure(reply)),
        }
    }
}

impl TryFrom<Reply> for MadeFilm {
    type Error = String;

    fn try_from(reply: Reply) -> Result<Self, String> {
        match reply {
            Reply::Film(film) => Ok(film),
            reply => Err(failure(reply)),
        }
    }
}

impl TryFrom<Reply> for Vec<SurveyedPlace> {
    type Error = String;

    fn try_from(reply: Reply) -> Result<Self, String> {
        match reply {
            Reply::Survey(places) => Ok(places),
            reply => Err(failure(reply)),
        }
    }
}

fn failure(reply: Reply) -> String {
    match reply {
        Reply::Failed(words) => words,
        _ => "the reply is that to another request".to_owned(),
    }
}
