//! [`SceneRequest`]: the scene of the flags, checked but not yet computed.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec2, IVec2};

use super::estimate::print_estimate;
use super::failure::Failure;
use super::heightmap_args::{HeightmapGround, HeightmapInput};
use super::heightmap_notes::model_note;
use super::partial_heightmap::{PartialHeightmap, Reading, ReadingArgs};
use super::progress::with_progress_bar;
use super::recorded_cost::RecordedCost;
use super::scene_args::SceneArgs;
use super::scene_origin::{SceneFileKind, SceneOrigin, input_file_name};
use super::setting_flags::flag_failure;
use super::stdio::print_message;
use super::text::missing_letters_note;
use crate::document::Source;
use crate::stage_log::timed;
use farsight::Job;
use farsight::grid::{CellRect, CellSize, Grid};
use farsight::sight::SightError;
use farsight_scene::cumulative::{PlacedObserver, ViewLimits};
use farsight_scene::export::{ExportOptions, SavedWalk};
use farsight_scene::files::{Georeference, Input, MapFile, MapSource, Provenance, digest_of_map, read_opacity_map};
use farsight_scene::optics::Relief;
use farsight_scene::preset::{Preset, shipped};
use farsight_scene::scene::{Scene, SceneCost, SceneError};
use farsight_scene::text::excerpt;
use farsight_scene::world::{Ground, RasterWindow, WorldConfig, WorldError, WorldField, WorldKind};

pub(crate) struct SceneRequest {
    pub(crate) preset: Preset,
    /// The source file of all lamps, viewers, creatures and names of the preset, if there is one.
    preset_file: Option<String>,
    /// The number of viewers of the preset; those of `--also` come after them.
    preset_viewers: usize,
    pub(crate) viewer: Option<IVec2>,
    /// The export options of the picture of `--from`, or the default ones.
    pub(crate) options: ExportOptions,
    /// The provenance of the picture of `--from`.
    pub(crate) provenance: Option<Provenance>,
    /// The kind of the file of `--from`, if it shows this scene.
    made_again: Option<SceneFileKind>,
    /// The cost of the scene of `--from` or `--load`; `None` with `--allow-cost`.
    pub(crate) cost: Option<RecordedCost>,
    pub(crate) land: RequestedLand,
    /// The walk to resume, and the name of its file.
    walk: Option<(Box<SavedWalk>, String)>,
    /// `true` if the command shows only views that depend on heights, so that the scene needs no climate.
    is_bare: bool,
    /// Notes on the heightmap: converted units, the scale of its projection, undeclared nodata.
    pub(crate) notes: Vec<String>,
    pub(crate) has_printed_notes: bool,
}

/// The land of a request.
#[expect(clippy::large_enum_variant, reason = "a command has one")]
pub(crate) enum RequestedLand {
    Read(Source),
    /// A heightmap without a window yet.
    Partial(Box<PartialHeightmap>),
}

/// A constructor of scenes on measured ground.
type FromDem = fn(Preset, Ground, Option<IVec2>, Job<'_>) -> Result<Scene, SceneError>;

/// The parts of a scene that a command shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownPart {
    /// Anything.
    World,
    /// Views, and the whole map.
    Views,
    /// Views, and the map only within their range.
    Window,
}

impl SceneArgs {
    /// Reads the files of the flags, and checks what can be checked before a world is generated.
    pub(crate) fn request(&self) -> Result<SceneRequest, Failure> {
        timed("read preset and files", || self.read_request(Reading::Whole, None, ShownPart::World))
    }

    /// [`request`](Self::request) for a command that can read a heightmap in part.
    pub(crate) fn request_in_part(&self, reading: ReadingArgs) -> Result<SceneRequest, Failure> {
        timed("read preset and files", || self.read_request(reading.reading(), None, ShownPart::World))
    }

    /// [`request_in_part`](Self::request_in_part) for a command that shows only the view of a given viewer, with a
    /// default preset.
    pub(crate) fn request_of_view(
        &self,
        reading: ReadingArgs,
        default: Option<&str>,
        shown: ShownPart,
    ) -> Result<SceneRequest, Failure> {
        let has_viewer = self.at.is_some() || self.at_coordinates.is_some();
        let shown = if has_viewer { shown } else { ShownPart::World };
        timed("read preset and files", || self.read_request(reading.reading(), default, shown))
    }

    /// [`request_in_part`](Self::request_in_part) for a command that shows the views of other viewers, or of all cells, with a default
    /// preset.
    pub(crate) fn request_of_observers(
        &self,
        reading: ReadingArgs,
        default: Option<&str>,
    ) -> Result<SceneRequest, Failure> {
        timed("read preset and files", || self.read_request(reading.reading(), default, ShownPart::Window))
    }

    /// `default` is the preset if `--preset` is not given.
    fn read_request(&self, reading: Reading, default: Option<&str>, shown: ShownPart) -> Result<SceneRequest, Failure> {
        self.ensure_stdin_is_read_once()?;
        let (origin, is_recorded) = match (&self.load, &self.from) {
            (Some(path), _) => (SceneOrigin::of_walk(path)?, true),
            (None, Some(path)) => (SceneOrigin::of_picture(path)?, true),
            (None, None) => (self.preset_origin(default)?, false),
        };
        let recorded = is_recorded.then_some(&origin);
        let map = match recorded.and_then(walked_map) {
            Some(map) => Some(map),
            None => self.map.as_deref().map(|path| read_map(path, recorded)).transpose()?,
        };
        let mut preset = self.applied_to(origin.preset.clone())?;
        self.heightmap.surface.check(&preset)?;
        let has_surface = self.heightmap.surface.is_given();
        let is_bare = shown != ShownPart::World && self.load.is_none() && counts_heights_only(&preset, has_surface);
        let heightmap = self.heightmap.read(recorded, reading, is_bare && shown == ShownPart::Window)?;
        if is_recorded && map.is_none() && heightmap.is_none() {
            origin.ensure_generated()?;
        }
        let (mut options, mut viewer) = (origin.options.clone(), origin.viewer);
        let mut notes = Vec::new();
        let land = match (map, heightmap) {
            (Some((file, map)), _) => {
                self.ensure_lengths_in_cells()?;
                viewer = viewer.or(file.viewer);
                options.map = Some(map.clone());
                RequestedLand::Read(Source::OpacityMap { map, opacity: Arc::new(file.opacity) })
            }
            (None, Some(heightmap)) => {
                preset = self.on_heightmap(preset, &heightmap)?;
                notes = heightmap.notes;
                options.map = Some(heightmap.source.clone());
                match heightmap.ground {
                    HeightmapGround::Whole(ground) => {
                        RequestedLand::Read(Source::Heightmap { map: heightmap.source, ground: Arc::new(ground) })
                    }
                    HeightmapGround::Partial(partial) => RequestedLand::Partial(partial),
                }
            }
            (None, None) => RequestedLand::Read(Source::Generated),
        };
        let is_list = |key: &str| Preset::lists().iter().any(|list| key.starts_with(list.key));
        let preset_file = self.preset_file().filter(|_| !self.set.iter().any(|(key, _)| is_list(key)));
        let mut request = SceneRequest {
            preset_file: preset_file.map(|path| path.display().to_string()),
            preset_viewers: preset.viewers.len() - self.also.len(),
            preset,
            viewer: None,
            options,
            provenance: None,
            made_again: None,
            cost: None,
            land,
            walk: None,
            is_bare,
            notes,
            has_printed_notes: false,
        };
        let at = self.at_coordinates.map(|position| request.cell_at(position, "the viewer")).transpose()?;
        if let Some(viewer) = self.at.or(at).or(viewer) {
            request.set_viewer(viewer)?;
        }
        let cell = request.viewer.unwrap_or(request.size() / 2);
        let side_m = request.cell_size_at(cell).shorter_m();
        if let Some(radius) = self.radius_of_length(side_m)? {
            request.preset.sight.radius = radius;
        }
        self.set_lengths_of_decay(&mut request.preset, side_m)?;
        if is_recorded && !self.allow_cost {
            // Requests of the flags are trusted.
            let cost = std::cmp::min_by_key(
                request.cost_of(&origin.preset, origin.viewer),
                request.cost_of(&request.preset, request.viewer),
                SceneCost::updates,
            );
            request.cost = Some(RecordedCost::new(origin.file.clone(), cost)?);
        }
        request.made_again = origin.kind_with_scene(&request.preset, request.viewer);
        request.provenance = origin.provenance;
        request.walk = origin.walk.map(|walk| (walk, origin.file));
        Ok(request)
    }

    /// Returns the preset of `--preset`, or the default one.
    fn preset_origin(&self, default: Option<&str>) -> Result<SceneOrigin, Failure> {
        let name = match &self.preset {
            Some(name) => name.as_str(),
            None if self.map.is_some() => return Ok(SceneOrigin::of_preset(Preset::bare_kernel(), String::new())),
            None => default.unwrap_or(match self.heightmap.heightmap {
                Some(_) => Preset::ON_GROUND_NAME,
                None => Preset::DEFAULT_NAME,
            }),
        };
        let stem = Path::new(name).file_stem().filter(|_| shipped(name).is_none()); // `fog` of `presets/fog.toml`
        let short_name = stem.map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
        Ok(SceneOrigin::of_preset(Preset::named(name)?, short_name))
    }

    /// Returns the preset adapted to a heightmap. Keys that shape generated worlds are refused.
    fn on_heightmap(&self, preset: Preset, heightmap: &HeightmapInput) -> Result<Preset, Failure> {
        for (key, value) in &self.set {
            let is_of_world = key.starts_with("world.") && Preset::settings().any(|setting| setting.key == *key);
            if key == "world.cell_size_m" {
                return Err(Failure::usage(format!("--set {key}={value}: use --cell-size {value} with --heightmap")));
            }
            if is_of_world && !WorldConfig::KEYS_ON_GROUND.contains(&key.as_str()) {
                let keys = WorldConfig::KEYS_ON_GROUND.join(", ");
                return Err(Failure::usage(format!(
                    "--set {key}={value}: it shapes generated worlds, and --heightmap gives the ground; what acts on \
                     it are {keys}"
                )));
            }
        }
        if preset.world.kind == WorldKind::Dungeon {
            return Err(Failure::usage("--heightmap gives open country, but the preset makes a dungeon"));
        }
        let side = toml::Value::Float(heightmap.cell_size_m);
        let preset = preset.with([("world.cell_size_m", side)]).map_err(|error| flag_failure(error, "--cell-size"))?;
        Ok(preset.on_ground(heightmap.size, heightmap.cell_size_m))
    }
}

impl SceneRequest {
    /// Estimates a scene on the land of this one.
    fn cost_of(&self, preset: &Preset, viewer: Option<IVec2>) -> SceneCost {
        match &self.land {
            RequestedLand::Read(source) => source.cost_of(preset, viewer),
            // A window that contains the view is read.
            RequestedLand::Partial(partial) => {
                let side = preset.sight.radius.saturating_mul(2).saturating_add(1).min(i32::MAX as u32);
                SceneCost::of_ground(preset, partial.size.min(IVec2::splat(side as i32)), None)
            }
        }
    }

    /// Returns columns and rows of the map.
    pub(crate) fn size(&self) -> IVec2 {
        match &self.land {
            RequestedLand::Read(Source::Generated) => {
                IVec2::new(self.preset.world.width as i32, self.preset.world.height as i32)
            }
            RequestedLand::Read(Source::OpacityMap { opacity, .. }) => opacity.grid().size(),
            RequestedLand::Read(Source::Heightmap { ground, .. }) => {
                ground.window.map_or(ground.elevation_m.size(), |window| window.raster_size)
            }
            RequestedLand::Partial(partial) => partial.size,
        }
    }

    /// Returns the source of the land of the scene.
    pub(crate) fn source(&self) -> &Source {
        let RequestedLand::Read(source) = &self.land else { unreachable!("the heightmap is read as a whole") };
        source
    }

    /// Returns `true` if a cell of the map has data.
    pub(crate) fn has_data(&self, cell: IVec2) -> bool {
        match &self.land {
            RequestedLand::Read(Source::Heightmap { ground, .. }) => {
                let origin = ground.window.map_or(IVec2::ZERO, |window| window.cells.min);
                ground.elevation_m.get(cell - origin).is_some_and(|height| !height.is_nan())
            }
            _ => true,
        }
    }

    /// Returns the position of the heightmap on the earth.
    pub(crate) fn georeference(&self) -> Result<&Georeference, Failure> {
        let map = self.options.map.as_ref();
        map.and_then(MapSource::georeference).ok_or_else(|| {
            let name = map.map_or("the map".into(), |map| excerpt(&map.name));
            Failure::input(format!("{name}: has no coordinates; give cells with --at X,Y"))
        })
    }

    /// Returns the cell of a position in the coordinates of the heightmap. `name` is that of the position in messages.
    pub(crate) fn cell_at(&self, position: DVec2, name: &str) -> Result<IVec2, Failure> {
        let (georeference, limits) = (self.georeference()?, ViewLimits::default());
        let viewer = PlacedObserver::new(name.to_owned(), position, limits, georeference, self.size());
        viewer.map(|viewer| viewer.cell).map_err(Failure::input)
    }

    pub(crate) fn set_viewer(&mut self, viewer: IVec2) -> Result<(), Failure> {
        let extent = CellRect::of_size(self.size());
        if !extent.contains(viewer) {
            return Err(SightError::ViewerOutside { viewer, extent }.into());
        }
        self.viewer = Some(viewer);
        Ok(())
    }

    /// Returns `true` if a preset generates open country, and no walk is resumed on it.
    pub(crate) fn is_generated_country(&self) -> bool {
        matches!(self.land, RequestedLand::Read(Source::Generated))
            && !self.is_walk()
            && self.preset.world.kind == WorldKind::Overworld
    }

    /// Generates a field of the world without a scene, with a progress bar unless `quiet`.
    pub(crate) fn field(&self, field: WorldField, quiet: bool) -> Result<Grid<f32>, Failure> {
        let values = with_progress_bar(quiet, |job| Scene::generate_field(&self.preset, field, job));
        values.map_err(|error| self.named(error))
    }

    /// Adds the name of the file or flag to an error.
    pub(crate) fn named(&self, error: SceneError) -> Failure {
        named(error, &self.options, self.preset_file.as_deref(), self.preset_viewers)
    }

    /// Returns `true` if the file of `--from` is of a kind, and shows this scene. Colours, the part of the map and the size may
    /// differ.
    pub(crate) fn is_made_again_as(&self, kind: SceneFileKind) -> bool {
        self.made_again == Some(kind)
    }

    pub(crate) fn is_walk(&self) -> bool {
        self.walk.is_some()
    }

    /// Prints the model of the view and notes on names and heightmap once, unless `quiet`.
    pub(crate) fn print_notes(&mut self, quiet: bool) {
        if std::mem::replace(&mut self.has_printed_notes, true) || quiet {
            return;
        }
        if self.preset.paint.names {
            missing_letters_note(self.preset.names.iter().map(|place| place.name.as_str()))
                .iter()
                .for_each(print_message);
        }
        let Some(source) = &self.options.map else { return };
        let has_climate = match &self.land {
            RequestedLand::Read(Source::Heightmap { ground, .. }) => ground.window.is_none(),
            RequestedLand::Partial(_) => false,
            RequestedLand::Read(Source::Generated | Source::OpacityMap { .. }) => return,
        };
        print_message(model_note(&self.options.name, &self.preset, source, has_climate));
        self.notes.iter().for_each(print_message);
    }

    /// Returns the sides of a cell of the land.
    pub(crate) fn cell_size_at(&self, cell: IVec2) -> CellSize {
        let mean_m = self.preset.world.cell_size_m;
        let ground = self.options.map.as_ref().and_then(|map| map.ground.as_ref());
        ground.and_then(|ground| ground.cell_sizes).map_or(CellSize::square(mean_m), |sizes| {
            let middle = sizes.in_the_middle(self.size().y as usize);
            sizes.at_row(f64::from(cell.y)).scaled(mean_m / middle.mean_m())
        })
    }

    /// Computes the scene, with a progress bar and notes of the heightmap unless `quiet`.
    pub(crate) fn scene(self, quiet: bool) -> Result<(Scene, ExportOptions), Failure> {
        self.scene_from(quiet, Scene::from_dem)
    }

    /// Computes the scene for the views of others: on a heightmap, without that of the viewer.
    pub(crate) fn scene_of_observers(self, quiet: bool) -> Result<(Scene, ExportOptions), Failure> {
        let from_dem: FromDem = if self.is_walk() { Scene::from_dem } else { Scene::from_dem_without_views };
        self.scene_from(quiet, from_dem)
    }

    fn scene_from(mut self, quiet: bool, from_dem: FromDem) -> Result<(Scene, ExportOptions), Failure> {
        self.print_notes(quiet);
        let Self { mut preset, preset_file, preset_viewers, mut viewer, options, land, walk, is_bare, .. } = self;
        let RequestedLand::Read(source) = land else { unreachable!("a window is read before the scene is computed") };
        if let Source::Heightmap { ground, .. } = &source
            && let Some(window) = ground.window
        {
            viewer = viewer.map(|viewer| viewer - window.cells.min);
            preset.viewers.iter_mut().for_each(|observer| observer.at -= window.cells.min);
            // No part of the scene shows the others.
            preset.names.retain(|named| window.cells.contains(named.at));
            preset.names.iter_mut().for_each(|named| named.at -= window.cells.min);
        }
        let walked_preset = walk.is_some().then(|| preset.clone());
        print_estimate(quiet, "the scene", &preset, |preset| match &source {
            Source::OpacityMap { opacity, .. } => SceneCost::of_map(preset, opacity.grid().size(), viewer),
            Source::Generated => SceneCost::of_generated(preset, viewer),
            Source::Heightmap { ground, .. } => {
                let cost = SceneCost::of_ground(preset, ground.elevation_m.size(), viewer);
                if is_bare { cost.only_views(1) } else { cost } // no climate
            }
        });
        let scene = with_progress_bar(quiet, |job| match source {
            Source::OpacityMap { opacity, .. } => Scene::from_map(preset, Arc::unwrap_or_clone(opacity), viewer, job),
            Source::Generated => Scene::generate(preset, viewer, job),
            Source::Heightmap { ground, .. } => {
                let mut ground = Arc::unwrap_or_clone(ground);
                if is_bare && ground.window.is_none() {
                    let raster_size = ground.elevation_m.size(); // a window has no climate
                    ground = ground.with_window(RasterWindow { cells: CellRect::of_size(raster_size), raster_size });
                }
                from_dem(preset, ground, viewer, job)
            }
        });
        let mut scene = scene.map_err(|error| named(error, &options, preset_file.as_deref(), preset_viewers))?;
        if let (Some((walk, file)), Some(preset)) = (walk, walked_preset) {
            walk.resume(&mut scene).map_err(|error| Failure::input(format!("{file}: {error}")))?;
            scene.apply(preset)?;
            if let Some(viewer) = viewer.filter(|viewer| *viewer != scene.viewer()) {
                scene.place(viewer)?;
            }
        }
        Ok((scene, options))
    }
}

/// Returns `true` if a view depends only on the heights around the viewer: no air or wood dims it, and nothing in it
/// needs the whole raster.
fn counts_heights_only(preset: &Preset, has_surface: bool) -> bool {
    let Preset { optics, world, perception, lamps, creatures, strokes, .. } = preset;
    let has_no_woods = has_surface || optics.vegetation_extinction_per_m == 0.0;
    let is_clear = !optics.has_air() && has_no_woods && optics.relief == Relief::LineOfSight;
    let is_alone = perception.creatures == 0.0 && lamps.is_empty() && creatures.is_empty() && strokes.is_empty();
    is_clear && is_alone && world.sea_level_m.is_none()
}

/// Adds the name of the file or flag to an error: the heightmap, the preset, or `--also`.
fn named(mut error: SceneError, options: &ExportOptions, preset_file: Option<&str>, preset_viewers: usize) -> Failure {
    use SceneError::{InWall, NoGround, NoOpacities, OffMap, WrongBrush};
    if let OffMap { what, .. }
    | NoGround { what, .. }
    | InWall { what, .. }
    | NoOpacities { what, .. }
    | WrongBrush { what, .. } = &mut error
    {
        let number = what.strip_prefix("viewers[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
        match (number, preset_file) {
            (Some(number), _) if number >= preset_viewers => *what = "the viewer of --also".to_owned(),
            (_, Some(file)) => *what = format!("{file}: {what}"),
            _ => {}
        }
    }
    match (&error, &options.map) {
        (SceneError::World(WorldError::NoData | WorldError::Value { .. }), Some(source)) => {
            Failure::input(format!("{}: {error}", excerpt(&source.name)))
        }
        _ => error.into(),
    }
}

/// Returns the opacity map in a saved walk.
fn walked_map(recorded: &SceneOrigin) -> Option<(MapFile, MapSource)> {
    let walk = recorded.walk.as_ref()?;
    Some((MapFile { opacity: walk.opacity()?.clone(), viewer: None }, walk.map.clone()?))
}

/// Reads a map, which must be the recorded one if there is one.
fn read_map(path: &Path, recorded: Option<&SceneOrigin>) -> Result<(MapFile, MapSource), Failure> {
    let file = read_opacity_map(&Input::new(path))?;
    let source = MapSource::new(input_file_name(path), digest_of_map(&file.opacity));
    let Some(recorded) = recorded else { return Ok((file, source)) };
    let wanted = recorded.source_of("--map", path)?;
    recorded.ensure_same(&path.display().to_string(), "map", &source.digest, &wanted.name, &wanted.digest)?;
    Ok((file, wanted.clone())) // with the recorded name, so that a renamed file gives the same bytes
}
