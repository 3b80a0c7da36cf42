//! Pictures that were opened: maps of opacities or heightmaps, as the user chooses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::opened_file::{OpenedFile, PictureReading, open_picture};
use super::shown::Shown;
use super::source::Source;
use super::state::Document;
use farsight::files::MapSource;
use farsight::scene::Scene;
use farsight::world::Ground;

/// The number of pictures whose bytes a page keeps, since it cannot read them again.
const MAX_KEPT: usize = 3;

impl Document {
    /// Returns how the picture is read that the terrain comes from; `None` if it comes from no picture that is still there.
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

    /// Keeps the bytes of a picture that has no path.
    pub(crate) fn keep_picture(&mut self, picture: Option<(String, Vec<u8>)>) {
        if let Some((name, bytes)) = picture {
            self.pictures.retain(|(kept, _)| *kept != name);
            self.pictures.push((name, bytes));
            self.pictures.drain(..self.pictures.len().saturating_sub(MAX_KEPT));
        }
    }

    /// Reads the picture of the terrain in another way, as a step that can be undone. Other heights keep settings, viewer and
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

    /// Replaces the elevations of a heightmap by others of the same size.
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
        self.record_terrain(before);
        self.source = Source::Heightmap { map: source, ground: Arc::new(ground) };
        self.start_generation(viewer);
    }
}

/// Returns the name and the bytes of an opened file if it is a picture and its bytes are given.
pub(crate) fn picture_bytes(path: Option<&Path>, bytes: Option<&[u8]>) -> Option<(String, Vec<u8>)> {
    let name = path?.file_name()?.to_string_lossy().into_owned();
    let bytes = bytes.filter(|_| is_picture(&name))?;
    Some((name, bytes.to_vec()))
}

fn is_picture(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("png"))
}
