//! [`ComputedAtlas`]: a complete atlas, in memory or in its checkpoint.

use std::io::Write;
use std::path::Path;

use glam::IVec2;

use farsight::Job;
use farsight_scene::atlas::{Atlas, AtlasLayer, LayerMaximum, StoredAtlas};
use farsight_scene::files::{Format, OutputFile, TifLayout, WriteError};

/// An atlas whose cells are in memory, or stay in the checkpoint because nothing but GeoTIFF is written.
pub(super) enum ComputedAtlas {
    InMemory(Atlas),
    OnDisk(StoredAtlas),
}

/// A layer that is written to a file, and its maximum.
pub(super) struct WrittenLayer<'a> {
    pub(super) layer: AtlasLayer,
    pub(super) maximum: LayerMaximum,
    pub(super) path: &'a Path,
}

impl ComputedAtlas {
    pub(super) fn maximum(&self, layer: AtlasLayer, job: Job<'_>) -> Result<LayerMaximum, WriteError> {
        match self {
            Self::InMemory(atlas) => Ok(atlas.maximum(layer)),
            Self::OnDisk(atlas) => atlas.maximum(layer, job),
        }
    }

    pub(super) fn viewers(&self) -> usize {
        match self {
            Self::InMemory(atlas) => atlas.iter().count(),
            Self::OnDisk(atlas) => atlas.viewers(),
        }
    }

    pub(super) fn written_size(&self) -> IVec2 {
        match self {
            Self::InMemory(atlas) => atlas.written_size(),
            Self::OnDisk(atlas) => atlas.written_size(),
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
            (Self::OnDisk(atlas), _) => {
                let folder = written.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                atlas.write_tif(layer, tif_layout, folder.unwrap_or(Path::new(".")), job, out)
            }
            (Self::InMemory(atlas), Format::Tif) => {
                let mut raster = atlas.raster(layer);
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

/// Returns `true` if only GeoTIFF files are written.
pub(super) fn are_tif(outputs: &[OutputFile]) -> bool {
    outputs.iter().all(|output| output.format == Format::Tif)
}
