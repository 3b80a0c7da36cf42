//! Opened files replace the terrain, as one undoable step. Pictures are maps of opacities or heightmaps, by the user's
//! choice.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::opened_file::{OpenedFile, PictureReading, open_picture};
use super::shown::Shown;
use super::snapshot::{Origin, Snapshot};
use super::source::Source;
use super::stage::Stage;
use super::state::Document;
use crate::background::{Request, refresh_if_quick};
use farsight_scene::export::{SavedWalk, SavedWalkError};
use farsight_scene::files::MapSource;
use farsight_scene::paint::Backdrop;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneCost, SceneError, Terrain};
use farsight_scene::world::Ground;
use glam::IVec2;

impl Document {
    /// Estimates the scene of an opened file.
    pub(crate) fn cost_of(&self, opened: &OpenedFile) -> SceneCost {
        match opened {
            OpenedFile::Preset(preset, _) => self.source.cost_of(preset, None),
            OpenedFile::Scene { preset, viewer, .. } => SceneCost::of_generated(preset, Some(*viewer)),
            OpenedFile::Walk(walk) => match walk.opacity() {
                Some(opacity) => SceneCost::of_map(&walk.preset, opacity.grid().size(), Some(walk.viewer())),
                None if walk.map.is_some() => self.source.cost_of(&walk.preset, Some(walk.viewer())),
                None => SceneCost::of_generated(&walk.preset, Some(walk.viewer())),
            },
            OpenedFile::Map(map, _) => SceneCost::of_map(&Preset::bare_kernel(), map.opacity.grid().size(), map.viewer),
            OpenedFile::Heightmap { ground, .. } => {
                let preset = Preset::named(Preset::ON_GROUND_NAME).unwrap_or_default();
                SceneCost::of_ground(&preset, ground.elevation_m.size(), None)
            }
        }
    }

    /// Shows an opened file. `path` is `None` on a page, which knows only a name.
    pub(crate) fn open(&mut self, opened: OpenedFile, path: Option<PathBuf>, shown: &mut Shown) {
        match opened {
            OpenedFile::Preset(preset, name) => self.show_preset_file(*preset, &name, path, shown),
            OpenedFile::Scene { preset, name, viewer, caveats } => {
                self.errors.extend(caveats);
                let before = self.snapshot_with_terrain(shown);
                self.record_terrain(before.clone());
                self.set_origin(Origin::new(&name, &preset));
                self.source = Source::Generated;
                self.input_files.clear();
                self.make_world(*preset, Some(viewer), before);
            }
            OpenedFile::Heightmap { ground, cell_size_m, source, notes } => {
                self.errors.extend(notes.iter().map(|note| format!("{}: {note}", source.name)));
                let preset = Preset::named(Preset::ON_GROUND_NAME).unwrap_or_default();
                let cell_size_m = cell_size_m.unwrap_or_else(|error| {
                    let size = preset.world.cell_size_m;
                    let name = &source.name;
                    self.errors.push(format!("{name}: {error}; a cell counts as {size} m, see \"cell size\""));
                    size
                });
                let before = self.snapshot_with_terrain(shown);
                self.record_terrain(before.clone());
                self.set_origin(Origin::named(Preset::ON_GROUND_NAME, &preset));
                let preset = preset.on_ground(ground.elevation_m.size(), cell_size_m);
                self.source = Source::Heightmap { map: source, ground: Arc::new(ground) };
                self.input_files = Vec::from_iter(path);
                self.make_world(preset, None, before);
                self.motion.route.clear();
                *shown = Shown::default();
            }
            OpenedFile::Walk(walk) => self.open_walk(*walk, shown),
            OpenedFile::Map(map, source) => {
                let (preset, opacity) = (Preset::bare_kernel(), Arc::new(map.opacity.clone()));
                let terrain = Terrain::Map(map.opacity);
                match scene_on(preset.clone(), terrain, map.viewer) {
                    Ok(scene) => {
                        self.record_terrain(self.snapshot_with_terrain(shown));
                        self.set_origin(Origin::new("", &preset));
                        self.source = Source::OpacityMap { map: source, opacity };
                        self.input_files = Vec::from_iter(path);
                        (self.scene, self.stage) = (Some(scene), Stage::Ready);
                        *shown = Shown::default();
                        self.enter_terrain();
                    }
                    Err(error) => self.errors.push(format!("{}: {error}", source.name)),
                }
            }
        }
    }

    /// Resumes a saved walk, immediately if its world is present or its map is in its file. Otherwise nothing changes
    /// until its world is complete.
    pub(crate) fn open_walk(&mut self, walk: SavedWalk, shown: &mut Shown) {
        let before = self.snapshot_with_terrain(shown);
        let resumed = match walk.opacity() {
            Some(opacity) => {
                let terrain = Terrain::Map(opacity.clone());
                let scene = Scene::from_terrain_without_views(walk.preset.clone(), terrain, Some(walk.viewer()));
                let resumed = scene.map_err(SavedWalkError::from).and_then(|mut scene| {
                    resume(&walk, &mut scene)?;
                    Ok(scene)
                });
                Some(resumed.map(|scene| self.scene = Some(scene)))
            }
            None => self.scene.as_mut().map(|scene| resume(&walk, scene)),
        };
        match resumed {
            Some(Ok(())) => {
                self.source = Source::of_walk(&walk, self.source.ground());
                self.record_terrain(before);
                self.set_origin(Origin::named(&walk.name, &walk.preset));
                (self.stage, shown.camera, shown.camera_follows) = (Stage::Ready, None, true);
                if self.check_layer(shown.backdrop).is_err() {
                    shown.backdrop = Backdrop::Land;
                }
                self.enter_terrain();
            }
            Some(Err(error)) if walk.opacity().is_some() => self.errors.push(error.to_string()),
            _ if walk.map.is_some() => {
                let name = walk.map.map(|map| map.name).unwrap_or_default();
                self.errors.push(SavedWalkError::NeedsHeightmap(name).to_string());
            }
            _ => self.stage.make(Request::Walk(Arc::new(walk)), false, None),
        }
    }

    /// Returns from a map to the previous world, or else to that of the preset.
    pub(crate) fn close_map(&mut self, shown: &mut Shown) {
        if self.source.is_generated() {
            return;
        }
        let before = self.snapshot_with_terrain(shown);
        let world = self.history.find_undo(Snapshot::leads_to_generated_world).cloned();
        self.record_terrain(before.clone());
        self.input_files.clear();
        if let Some(world) = world {
            self.restore(world, before, shown);
            return;
        }
        let left = std::mem::take(&mut self.source);
        let mut preset = self.preset().clone();
        preset.cells.clear(); // they are of the map
        if self.origin.name.is_empty() {
            preset = Preset::shipped_default();
            self.set_origin(Origin::new(Preset::DEFAULT_NAME, &preset));
        }
        if left.ground().is_some() {
            // The world of the preset has its own size and relief.
            preset.world = Preset::named(&self.origin.name).unwrap_or_else(|_| Preset::shipped_default()).world;
        }
        self.make_world(preset, None, before);
    }
}

/// Returns a scene on a terrain, with its views if they are fast.
fn scene_on(preset: Preset, terrain: Terrain, viewer: Option<IVec2>) -> Result<Scene, SceneError> {
    let mut scene = Scene::from_terrain_without_views(preset, terrain, viewer)?;
    refresh_if_quick(&mut scene)?;
    Ok(scene)
}

/// Resumes a walk in a scene, with its views if they are fast.
fn resume(walk: &SavedWalk, scene: &mut Scene) -> Result<(), SavedWalkError> {
    scene.defer(|scene| walk.resume(scene))?;
    Ok(refresh_if_quick(scene).map_err(SceneError::from)?)
}

/// The maximum number of pictures whose bytes a page keeps, since it cannot reread them.
const MAX_KEPT: usize = 3;

impl Document {
    /// Returns the reading of the picture of the terrain; `None` if no such picture is available.
    pub(crate) fn picture_reading(&self) -> Option<PictureReading> {
        let map = self.source.map()?;
        let is_kept = || self.pictures.iter().any(|(name, _)| *name == map.name);
        if !is_picture(&map.name) || !(self.picture_path(&map.name).is_some() || is_kept()) {
            return None;
        }
        Some(match &map.ground {
            None => PictureReading::Opacities,
            Some(ground) => ground.heights.map_or(PictureReading::Metres, PictureReading::Heights),
        })
    }

    fn picture_path(&self, name: &str) -> Option<&PathBuf> {
        self.input_files.iter().find(|path| path.file_name().is_some_and(|file| file == name))
    }

    /// Keeps the bytes of a picture without a path.
    pub(crate) fn keep_picture(&mut self, picture: Option<(String, Vec<u8>)>) {
        if let Some((name, bytes)) = picture {
            self.pictures.retain(|(kept, _)| *kept != name);
            self.pictures.push((name, bytes));
            self.pictures.drain(..self.pictures.len().saturating_sub(MAX_KEPT));
        }
    }

    /// Changes the reading of the picture of the terrain, as an undoable step. New heights keep settings, viewer and
    /// camera.
    pub(crate) fn read_picture(&mut self, reading: PictureReading, shown: &mut Shown) -> Result<(), String> {
        let current = self.picture_reading().ok_or("the map is no picture that can be read again")?;
        if current == reading {
            return Ok(());
        }
        let name = self.source.map().map(|map| map.name.clone()).unwrap_or_default();
        let path = self.picture_path(&name).cloned();
        let bytes = self.pictures.iter().find(|(kept, _)| *kept == name).map(|(_, bytes)| bytes.clone());
        match open_picture(&name, path.clone(), bytes.filter(|_| path.is_none()), reading)? {
            OpenedFile::Heightmap { ground, source, .. } if self.source.ground().is_some() => {
                self.change_heights(ground, source, shown);
            }
            opened => self.open(opened, path, shown),
        }
        Ok(())
    }

    /// Replaces the elevations of a heightmap by new elevations of the same size.
    fn change_heights(&mut self, mut ground: Ground, mut source: MapSource, shown: &Shown) {
        let before = self.snapshot_with_terrain(shown);
        if let Some(old) = self.source.ground() {
            ground.humidity.clone_from(&old.humidity);
            ground.vegetation.clone_from(&old.vegetation);
        }
        let old_source = self.source.map().and_then(|map| map.ground.clone()).unwrap_or_default();
        if let Some(new) = &mut source.ground {
            (new.humidity, new.vegetation) = (old_source.humidity, old_source.vegetation);
        }
        let viewer = self.scene.as_ref().map(Scene::viewer);
        self.record_terrain(before.clone());
        self.source = Source::Heightmap { map: source, ground: Arc::new(ground) };
        self.make_world(self.preset().clone(), viewer, before);
    }
}

/// Returns the name and the bytes of an opened picture with given bytes.
pub(crate) fn picture_bytes(path: Option<&Path>, bytes: Option<&[u8]>) -> Option<(String, Vec<u8>)> {
    let name = path?.file_name()?.to_string_lossy().into_owned();
    let bytes = bytes.filter(|_| is_picture(&name))?;
    Some((name, bytes.to_vec()))
}

fn is_picture(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("png"))
}
