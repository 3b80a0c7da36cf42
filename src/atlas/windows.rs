//! Atlases of heightmaps that are read in part: window by window, in bounded memory.

use glam::IVec2;

use super::cell::AtlasCell;
use super::cells::Cells;
use super::error::AtlasError;
use super::plan::{AtlasHeader, AtlasPlan, Shard, check, digest_of_words, kind, views};
use crate::files::{FieldSource, MapSource, Provenance};
use crate::job::Job;
use crate::preset::Preset;
use crate::scene::Scene;

/// Cells whose views are computed together lie in a square of this side.
const TILE: i32 = 1024;

impl AtlasPlan {
    /// A plan for a heightmap of `size` cells that is read in part. `map` has its digests, `name` is the name of the preset and
    /// `viewer` the viewer of the provenance.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn in_windows(
        preset: &Preset,
        [size, viewer]: [IVec2; 2],
        name: &str,
        map: MapSource,
        cells: Cells,
        shard: Shard,
    ) -> Result<Self, AtlasError> {
        check(&cells, size, shard)?;
        let field = |field: &Option<FieldSource>| match field {
            None => "none".to_owned(),
            Some(FieldSource::Flat(value)) => value.to_string(),
            Some(FieldSource::File { digest, .. }) => digest.clone(),
        };
        let fields = map.ground.as_ref().map(|ground| [field(&ground.humidity), field(&ground.vegetation)]);
        let cell_sizes = map.ground.as_ref().and_then(|ground| ground.cell_sizes);
        let ground = ["windows", &map.digest, &fields.unwrap_or_default().join(" ")].join(" ");
        Ok(Self {
            header: AtlasHeader {
                digest: digest_of_words(preset, &ground, &cells),
                size,
                shard,
                cell_size_m: Some(preset.world.cell_size_m),
                cell_sizes,
                provenance: Provenance {
                    version: env!("CARGO_PKG_VERSION").into(),
                    preset: preset.to_toml(),
                    seed: preset.world.seed,
                    viewer: viewer.to_array(),
                    layer: String::new(),
                    crop: None,
                    map: Some(map),
                    more: [("name".to_owned(), name.into()), ("atlas".to_owned(), kind(&cells))].into(),
                },
                cells,
            },
        })
    }

    /// [`survey`](Self::survey) of a heightmap that is read in part. `scene_around` returns the scene of the window that the
    /// views from some cells reach, or `None` if none of them has data.
    ///
    /// # Errors
    /// As [`survey`](Self::survey), and the errors of `scene_around`.
    pub fn survey_windows<E: From<AtlasError>>(
        &self,
        from: usize,
        job: Job<'_>,
        mut scene_around: impl FnMut(&[IVec2]) -> Result<Option<Scene>, E>,
        keep: impl FnMut(&[AtlasCell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let size = self.header.size;
        let look = |viewers: &[IVec2]| {
            let nothing = |&viewer: &IVec2| AtlasCell { total_visibility: 0.0, identified: 0.0, farthest: viewer };
            let mut seen: Vec<AtlasCell> = viewers.iter().map(nothing).collect();
            let tile = |i: &usize| (viewers[*i] / TILE).to_array();
            let mut order: Vec<usize> = (0..viewers.len()).collect();
            order.sort_by_key(tile);
            for group in order.chunk_by(|a, b| tile(a) == tile(b)) {
                let cells: Vec<IVec2> = group.iter().map(|&i| viewers[i]).collect();
                let Some(scene) = scene_around(&cells)? else { continue };
                let origin = scene.world().map_or(IVec2::ZERO, |world| world.origin());
                let cells: Vec<IVec2> = cells.into_iter().map(|cell| cell - origin).collect();
                for (&i, cell) in group.iter().zip(views(&scene, &cells, origin, size, job)?) {
                    seen[i] = cell;
                }
            }
            Ok(seen)
        };
        self.survey_blocks(from, job, look, keep)
    }
}
