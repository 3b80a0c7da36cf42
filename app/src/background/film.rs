//! [`FilmRequest`]: a request for a film of the last steps.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::codec;
use super::scene_parts::SceneParts;
use farsight::Job;
use farsight_scene::files::MapSource;
use farsight_scene::film::{Film, FilmCrop, FilmOptions, Itinerary};
use farsight_scene::paint::Unseen;
use farsight_scene::scene::Scene;
use glam::IVec2;

/// The approximate longer side of the map in a film, and the maximum sides of a cell, in pixels.
const SIDE: i32 = 1080;
const MAX_SCALE: i32 = 64;

/// The last steps of a walk, and the film of them.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct FilmRequest {
    pub(crate) order: FilmOrder,
    /// The scene before the first step.
    pub(crate) start: SceneParts,
    /// The cells after the first cell.
    pub(crate) steps: Vec<IVec2>,
}

/// The file of a film, and the display options of the screen for it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct FilmOrder {
    /// A `.gif` or `.apng`.
    pub(crate) path: PathBuf,
    /// The name of the preset.
    pub(crate) name: String,
    #[serde(with = "codec::json")]
    pub(crate) map: Option<MapSource>,
    /// Columns and rows of the picture.
    pub(crate) frame: Option<IVec2>,
    pub(crate) is_mapped: bool,
    pub(crate) panorama: bool,
}

/// A finished film.
#[derive(Serialize, Deserialize)]
pub(crate) struct MadeFilm {
    #[serde(with = "serde_bytes")]
    pub(crate) bytes: Vec<u8>,
}

impl FilmRequest {
    pub(super) fn make(self, job: Job<'_>) -> Result<MadeFilm, String> {
        let (scene, walk) = begin(self.start, &self.steps)?;
        let order = self.order;
        let mut options = FilmOptions::default()
            .with_panorama(order.panorama && scene.world().is_some())
            .with_name(&order.name)
            .with_map(order.map.clone());
        options.crop = order.frame.map_or(options.crop, FilmCrop::Cells);
        if order.is_mapped {
            options.unseen = Unseen::Mapped;
        }
        let cells = options.crop.cells(scene.size()).max_element();
        options.scale = Some((SIDE / cells).clamp(1, MAX_SCALE) as u32);
        let film = Film::new(&scene, walk, options, job).map_err(|error| error.to_string())?;
        let is_gif = order.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"));
        let mut bytes = Vec::new();
        let written = if is_gif { film.write_gif(&mut bytes, job) } else { film.write_apng(&mut bytes, job) };
        written.map_err(|error| error.to_string())?;
        Ok(MadeFilm { bytes })
    }
}

/// Returns a fresh scene on the start cell of the steps, and the walk along them, as in the film and in its command
/// line. Land with deferred rain and rivers settles first.
pub(crate) fn begin(start: SceneParts, steps: &[IVec2]) -> Result<(Scene, Itinerary), String> {
    let first = start.viewer;
    let mut fresh = start.into_scene().map_err(|error| error.to_string())?;
    fresh.refresh(Job::none()).map_err(|error| error.to_string())?;
    let points = corners(&fresh, &[&[first], steps].concat());
    let walk = Itinerary::along(&fresh, &points).map_err(|error| error.to_string())?;
    Ok((fresh, walk))
}

/// Returns the minimum list of cells of a trail, without its first cell, that the shortest routes between them follow.
fn corners(scene: &Scene, trail: &[IVec2]) -> Vec<IVec2> {
    let mut corners: Vec<IVec2> = Vec::new();
    let mut from = 0;
    while from + 1 < trail.len() {
        let follows = |to: usize| {
            let steps = trail[from..=to].windows(2).map(|pair| pair[1] - pair[0]);
            scene.route(trail[from], trail[to]).is_some_and(|route| route.iter().copied().eq(steps))
        };
        let to = (from + 1..trail.len()).take_while(|&to| to == from + 1 || follows(to)).last().unwrap_or(from + 1);
        corners.push(trail[to]);
        from = to;
    }
    corners
}
