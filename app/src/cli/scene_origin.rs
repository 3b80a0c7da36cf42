//! [`SceneOrigin`]: the scene that flags change: that of a preset, a picture or a saved walk.

use std::path::Path;

use glam::IVec2;

use super::failure::Failure;
use super::stdio::print_message;
use farsight_scene::export::{ExportOptions, SavedWalk};
use farsight_scene::files::{FileError, MapSource, Provenance, read_provenance, read_whole};
use farsight_scene::film::FilmOptions;
use farsight_scene::preset::Preset;
use farsight_scene::text::excerpt;

pub(crate) struct SceneOrigin {
    /// The name of the picture or saved walk in messages; empty for a preset.
    pub(crate) file: String,
    pub(crate) preset: Preset,
    pub(crate) options: ExportOptions,
    pub(crate) viewer: Option<IVec2>,
    /// The provenance of a picture.
    pub(crate) provenance: Option<Provenance>,
    pub(crate) walk: Option<Box<SavedWalk>>,
}

/// The kind of content of a file with a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SceneFileKind {
    /// A view, or another layer of the map.
    View,
    Film,
    Atlas,
}

impl SceneFileKind {
    /// Returns the kind of a provenance. `None` if the file is not reproducible: it was written in the middle of a
    /// walk, or is damaged.
    fn of(provenance: &Provenance) -> Option<Self> {
        match FilmOptions::from_provenance(provenance) {
            _ if provenance.more.contains_key(Provenance::WALKED) => None,
            _ if provenance.more.contains_key("atlas") => Some(Self::Atlas),
            Ok(None) => Some(Self::View),
            Ok(Some(_)) => Some(Self::Film),
            Err(_) => None,
        }
    }
}

impl SceneOrigin {
    /// Returns the kind of the file if it contains this scene: the viewer, and the preset except colours. Returns
    /// `None` if it does not, or is not reproducible.
    pub(crate) fn kind_with_scene(&self, preset: &Preset, viewer: Option<IVec2>) -> Option<SceneFileKind> {
        let recorded = self.preset.clone().with_paint(preset.paint.clone());
        let is_same = recorded == *preset && self.viewer == viewer;
        self.provenance.as_ref().filter(|_| is_same).and_then(SceneFileKind::of)
    }

    pub(crate) fn of_preset(preset: Preset, name: String) -> Self {
        let options = ExportOptions::default().with_name(name);
        Self { file: String::new(), preset, options, viewer: None, provenance: None, walk: None }
    }

    pub(crate) fn of_walk(path: &Path) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let bytes = read_whole(path, SavedWalk::MAX_FILE_SIZE)
            .map_err(|fault| FileError::Read { file: file.clone(), fault })?;
        let walk = SavedWalk::from_bytes(&bytes).map_err(|error| Failure::input(format!("{file}: {error}")))?;
        let options = ExportOptions::default().with_name(&walk.name).with_map(walk.map.clone());
        let (preset, viewer) = (walk.preset.clone(), Some(walk.viewer()));
        Ok(Self { file, preset, options, viewer, provenance: None, walk: Some(Box::new(walk)) })
    }

    /// Reads the scene of a picture, film or JSON file.
    pub(crate) fn of_picture(path: &Path) -> Result<Self, Failure> {
        let file = input_name(path);
        let provenance = read_provenance(path)?;
        let preset = provenance.parse_preset(&format!("{file}: its preset"))?;
        let options =
            ExportOptions::from_provenance(&provenance).map_err(|fault| Failure::input(format!("{file}: {fault}")))?;
        for caveat in provenance.caveats() {
            print_message(format!("{file} {caveat}"));
        }
        if provenance.more.contains_key(Provenance::WALKED) {
            print_message("--load resumes a saved walk");
        }
        let viewer = Some(provenance.viewer.into());
        Ok(Self { file, preset, options, viewer, provenance: Some(provenance), walk: None })
    }

    /// Returns an error if the scene needs a map or heightmap that was not given again.
    pub(crate) fn ensure_generated(&self) -> Result<(), Failure> {
        let Some(source) = &self.options.map else { return Ok(()) };
        let kind = if source.is_heightmap() { "heightmap" } else { "map" };
        let (file, name) = (&self.file, excerpt(&source.name));
        Err(Failure::usage(format!("{file} shows a {kind} of your own; give the file {name}, too, with --{kind}")))
    }

    /// Returns the recorded source of the map or heightmap of `flag`.
    pub(crate) fn source_of(&self, flag: &str, path: &Path) -> Result<&MapSource, Failure> {
        let is_heightmap = flag == "--heightmap";
        let shown = match &self.options.map {
            Some(source) if source.is_heightmap() == is_heightmap => return Ok(source),
            Some(source) if source.is_heightmap() => "heightmap",
            Some(_) => "map",
            None => "generated world",
        };
        let (file, path) = (&self.file, path.display());
        Err(Failure::usage(format!("{file} shows a {shown}; {flag} {path} would take its place")))
    }

    /// Checks that a file is the source of the scene: that its digest is the recorded one.
    pub(crate) fn ensure_same(
        &self,
        file: &str,
        kind: &str,
        digest: &str,
        recorded_name: &str,
        recorded_digest: &str,
    ) -> Result<(), Failure> {
        Self::ensure_same_digest(&self.file, file, kind, digest, recorded_name, recorded_digest)
    }

    /// [`ensure_same`](Self::ensure_same) for the scene of a picture.
    pub(crate) fn ensure_same_digest(
        picture: &str,
        file: &str,
        kind: &str,
        digest: &str,
        recorded_name: &str,
        recorded_digest: &str,
    ) -> Result<(), Failure> {
        if digest == recorded_digest {
            return Ok(());
        }
        Err(Failure::input(format!(
            "{file}: not the {kind} that {picture} was made from: its digest is {digest}, that of {} was {}",
            excerpt(recorded_name),
            excerpt(recorded_digest)
        )))
    }

    /// Returns the error for a missing raster of humidity or vegetation of the recorded scene.
    pub(crate) fn missing_field(&self, flag: &str, name: &str) -> Failure {
        Failure::usage(format!(
            "{} was made with {flag} from a file; give the file {}, too, with --{flag}",
            self.file,
            excerpt(name)
        ))
    }
}

/// Returns the name of an input in messages.
pub(crate) fn input_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns the name of an input without its folder.
pub(crate) fn input_file_name(path: &Path) -> String {
    match path.file_name() {
        Some(name) if path.as_os_str() != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    }
}
