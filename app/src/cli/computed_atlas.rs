//! [`ComputedAtlas`]: a complete atlas, in memory or in its checkpoint.

use std::path::Path;

use glam::IVec2;

use farsight::Job;
use farsight_scene::atlas::{Atlas, AtlasLayer, LayerMaximum, StoredAtlas};
use farsight_scene::files::{Content, Format, OutputFile, Product, WriteError};
use farsight_scene::scene::SceneError;

/// An atlas whose cells are in memory, or stay in the checkpoint if only GeoTIFF is written.
pub(super) enum ComputedAtlas {
    InMemory(Atlas),
    OnDisk(StoredAtlas),
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

    /// Returns the product of a layer for a file. Temporary data is written to the folder of the file.
    pub(super) fn product(
        &self,
        layer: AtlasLayer,
        output: &OutputFile,
        scale: Option<u32>,
    ) -> Result<Product<'_>, SceneError> {
        match self {
            Self::InMemory(atlas) => atlas.product(layer, output.format, scale),
            Self::OnDisk(atlas) => {
                let folder = output.path.parent().filter(|folder| !folder.as_os_str().is_empty());
                Ok(Content::Rows(atlas.rows(layer, folder.unwrap_or(Path::new(".")))).into())
            }
        }
    }
}

/// Returns `true` if only GeoTIFF files are written.
pub(super) fn are_tif(outputs: &[OutputFile]) -> bool {
    outputs.iter().all(|output| output.format == Format::Tif)
}
