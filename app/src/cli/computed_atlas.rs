//! [`ComputedAtlas`]: a complete atlas, in memory or in the files of its parts.

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::IVec2;

use super::failure::Failure;
use farsight::Job;
use farsight_scene::atlas::{Atlas, AtlasFiles, AtlasLayer, AtlasPart, GreatestValue, PartError, PartFile, PartOnDisk};
use farsight_scene::files::{Format, OutputFile, TifLayout, WriteError};

/// An atlas whose cells are in memory, or stay in the files of its parts because nothing but GeoTIFF is written.
pub(super) enum ComputedAtlas {
    InMemory(Atlas),
    OnDisk(AtlasFiles),
}

/// A layer that is written to a file, and its greatest value.
pub(super) struct WrittenLayer<'a> {
    pub(super) layer: AtlasLayer,
    pub(super) greatest: GreatestValue,
    pub(super) path: &'a Path,
}

impl ComputedAtlas {
    /// Reads the parts of an atlas, in any order.
    pub(super) fn read(paths: &[PathBuf], outputs: &[OutputFile]) -> Result<Self, Failure> {
        if are_tif(outputs) {
            let open = |path: &PathBuf| PartOnDisk::open(path).map_err(|error| part_failure(path, &error));
            let parts = paths.iter().map(open).collect::<Result<Vec<_>, _>>()?;
            return Ok(Self::OnDisk(AtlasFiles::join(&parts)?));
        }
        let mut parts = Vec::new();
        for path in paths {
            let part = PartFile::read(path).map_err(|error| part_failure(path, &error))?;
            parts.push((path.display().to_string(), part));
        }
        Ok(Self::InMemory(AtlasPart::join(parts)?))
    }

    pub(super) fn greatest(&self, layer: AtlasLayer, job: Job<'_>) -> Result<GreatestValue, WriteError> {
        match self {
            Self::InMemory(atlas) => {
                Ok(GreatestValue { value: atlas.max_value(layer), on_ground: atlas.max_on_ground(layer) })
            }
            Self::OnDisk(files) => files.greatest(layer, job),
        }
    }

    pub(super) fn viewers(&self) -> usize {
        match self {
            Self::InMemory(atlas) => atlas.iter().count(),
            Self::OnDisk(files) => files.viewers(),
        }
    }

    pub(super) fn written_size(&self) -> IVec2 {
        match self {
            Self::InMemory(atlas) => atlas.written_size(),
            Self::OnDisk(files) => files.written_size(),
        }
    }

    /// Writes a layer. The folder of its file also holds what is written before all of it is there.
    pub(super) fn write(
        &self,
        written: &WrittenLayer<'_>,
        format: Format,
        tif_layout: TifLayout,
        scale: Option<u32>,
        job: Job<'_>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let layer = written.layer;
        match (self, format) {
            (Self::OnDisk(files), _) => {
                let folder = written.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                files.write_tif(layer, tif_layout, folder.unwrap_or(Path::new(".")), job, out)
            }
            (Self::InMemory(atlas), Format::Tif) => {
                let mut raster = atlas.gradient(layer);
                raster.tif_layout = tif_layout;
                raster.write(format, out)
            }
            (Self::InMemory(atlas), format) => atlas.write(layer, format, scale, out),
        }
    }

    pub(super) fn world_file(&self, format: Format, scale: Option<u32>) -> Option<String> {
        match self {
            Self::InMemory(atlas) => atlas.world_file(format, scale),
            Self::OnDisk(_) => None, // no picture is written
        }
    }
}

/// The failure of a part in a file.
pub(super) fn part_failure(path: &Path, error: &PartError) -> Failure {
    let message = format!("{}: {error}", path.display());
    if error.is_write() { Failure::output(message) } else { Failure::input(message) }
}

/// Returns `true` if only GeoTIFF files are written.
pub(super) fn are_tif(outputs: &[OutputFile]) -> bool {
    outputs.iter().all(|output| output.format == Format::Tif)
}
