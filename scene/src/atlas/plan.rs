//! [`AtlasPlan`]: the viewers of an atlas, and their computation: all at once, or window by window in bounded memory
//! for heightmaps that are read in part.

use fearless_simd::Level;
use glam::IVec2;
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::error::AtlasError;
use super::summary::{AtlasCell, ViewSummary};
use crate::export::{ExportOptions, provenance};
use crate::files::{FieldSource, MapSource, Provenance, digest, fnv1a_64};
use crate::preset::Preset;
use crate::scene::{Scene, Terrain};
use crate::world::CellSizes;
use farsight::Job;
use farsight::grid::{CellRect, CellSize};
use farsight::internal::simd::dispatch;
use farsight::sight::SightError;

/// The number of cells in a block. A killed run loses less than one block.
pub(super) const BLOCK: usize = 1024;

/// The header of an atlas: everything that is needed to write it and to identify its scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct AtlasHeader {
    /// The hash of scene, cells and version, in 16 hexadecimal digits.
    pub(super) digest: String,
    /// Columns and rows of the map.
    pub(super) size: IVec2,
    pub(super) cells: Cells,
    pub(super) cell_size_m: Option<f64>,
    /// The sides of rectangular cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cell_sizes: Option<CellSizes>,
    /// The provenance, without a layer.
    pub(super) provenance: Provenance,
}

impl AtlasHeader {
    /// Returns the number of viewers.
    pub(super) fn viewers(&self) -> usize {
        self.cells.count(self.size)
    }

    /// Returns the number of output cells.
    pub(super) fn written_cells(&self) -> u64 {
        self.cells.lattice(self.size).size.as_u64vec2().element_product()
    }
}

/// The viewers of an atlas of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct AtlasPlan {
    pub(super) header: AtlasHeader,
}

impl AtlasPlan {
    /// Creates a plan for a scene. `name` is the name of the preset, for titles; `map` is the map or heightmap that
    /// replaces a generated world.
    ///
    /// # Errors
    /// [`AtlasError`] for cells outside the map.
    pub fn new(scene: &Scene, name: &str, map: Option<MapSource>, cells: Cells) -> Result<Self, AtlasError> {
        check_cells(&cells, scene.size())?;
        let options = ExportOptions { name: name.to_owned(), map, ..ExportOptions::default() };
        Ok(Self {
            header: AtlasHeader {
                digest: digest_of(scene, &cells),
                size: scene.size(),
                cell_size_m: scene.world().map(|world| world.config().cell_size_m),
                cell_sizes: scene.world().and_then(|world| world.cell_sizes()),
                provenance: Provenance {
                    layer: String::new(),
                    more: [("name".to_owned(), name.into()), ("atlas".to_owned(), kind(&cells))].into(),
                    ..provenance(scene, &options, CellRect::of_size(scene.size()))
                },
                cells,
            },
        })
    }

    /// Returns the hash of scene, cells and version. Checkpoints of different atlases have different hashes.
    pub fn digest(&self) -> &str {
        &self.header.digest
    }

    /// Returns the number of cells to compute.
    pub fn len(&self) -> usize {
        self.header.viewers()
    }

    /// Returns the number of output cells. An atlas with more than [`MAX_CELLS`](crate::files::MAX_CELLS) is written
    /// only from its [checkpoint](super::StoredAtlas).
    pub fn written_cells(&self) -> u64 {
        self.header.written_cells()
    }

    /// Returns `true` if the atlas has no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes the cells, starting at number `from`, on all of rayon's threads, and passes them to `keep` in order,
    /// block by block. The blocks are the same on any number of threads.
    ///
    /// # Errors
    /// [`AtlasError::Sight`], also when the `job` is cancelled, and the errors of `keep`. Blocks passed to `keep` before
    /// an error are valid.
    pub fn survey<E: From<AtlasError>>(
        &self,
        scene: &Scene,
        from: usize,
        job: Job<'_>,
        mut keep: impl FnMut(&[AtlasCell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let look = |viewers: &[IVec2], job: Job<'_>| Ok(views(scene, viewers, IVec2::ZERO, scene.size(), job)?);
        self.survey_blocks(from, job, look, &mut keep)
    }

    /// Computes the cells, starting at number `from`, block by block, with `look` for each block.
    fn survey_blocks<E: From<AtlasError>>(
        &self,
        from: usize,
        job: Job<'_>,
        mut look: impl FnMut(&[IVec2], Job<'_>) -> Result<Vec<AtlasCell>, E>,
        mut keep: impl FnMut(&[AtlasCell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let AtlasHeader { size, cells, .. } = &self.header;
        let all = self.len();
        let mut viewers = Vec::with_capacity(BLOCK);
        let mut done = from;
        while done < all {
            let report = job.report("atlas", done as f32 / all as f32);
            report.map_err(|stopped| AtlasError::from(SightError::from(stopped)))?;
            // Blocks end at multiples of their size, so that a resumed run writes the same blocks.
            let block = done..((done / BLOCK + 1) * BLOCK).min(all);
            viewers.clear();
            viewers.extend(block.clone().map(|i| cells.cell(*size, i)));
            let of_block = |_: &'static str, share: f32| {
                let done = done as f32 + share * block.len() as f32;
                let _ = job.report("atlas", done / all as f32); // the views notice that a job is cancelled
            };
            keep(&look(&viewers, job.on_progress(&of_block))?)?;
            done = block.end;
        }
        Ok(())
    }
}

/// Computes and summarizes the views from some cells of a scene, which is a map of `whole_size` or its window that
/// starts at `origin`.
fn views(
    scene: &Scene,
    viewers: &[IVec2],
    origin: IVec2,
    whole_size: IVec2,
    job: Job<'_>,
) -> Result<Vec<AtlasCell>, AtlasError> {
    let thresholds = scene.preset().perception.thresholds();
    let (shape, size) = (scene.preset().sight.shape_in_sight(), scene.size());
    let seen = scene.view_many(viewers, job, |_, radius, view| {
        let viewer = view.viewer();
        let cell_size = scene.world().map_or(CellSize::square(1.0), |world| world.cell_size_at(viewer));
        let light = (!scene.is_fully_lit()).then_some(|cell| scene.light_for(viewer, cell));
        let summary = ViewSummary { view, radius, shape, cell_size, size, origin, whole_size, thresholds, light };
        dispatch!(Level::new(), _ => summary.sum_up())
    });
    Ok(seen?)
}

/// The maximum number of cells of an atlas: checkpoints count them in 32 bits.
const MAX_WRITTEN_CELLS: u64 = u32::MAX as u64;

/// Checks the cells of an atlas of a map.
pub(super) fn check_cells(cells: &Cells, size: IVec2) -> Result<(), AtlasError> {
    cells.check(size)?;
    match cells.lattice(size).size.as_u64vec2().element_product() {
        count if count > MAX_WRITTEN_CELLS => Err(AtlasError::TooLarge(count)),
        _ => Ok(()),
    }
}

/// Returns the cells of an atlas for its provenance.
fn kind(cells: &Cells) -> serde_json::Value {
    match cells {
        Cells::Every(step) => serde_json::json!({ "every": step }),
        Cells::List(cells) => serde_json::json!({ "cells": cells.len() }),
    }
}

/// Returns the hash of everything that the values of an atlas depend on.
fn digest_of(scene: &Scene, cells: &Cells) -> String {
    let ground = match scene.terrain() {
        Terrain::World(optics) => {
            let world = optics.world();
            [world.ground_m(), world.humidity(), world.vegetation()].map(digest).concat()
        }
        Terrain::Map(opacity) => digest(opacity.grid()),
    };
    digest_of_words(&scene.present_preset(), &ground, cells)
}

/// Returns the hash of a preset, of the digests of its ground and of the cells of an atlas.
fn digest_of_words(preset: &Preset, ground: &str, cells: &Cells) -> String {
    // Paint settings, observers, creatures and names do not change the values.
    let preset = Preset {
        about: String::new(),
        paint: Default::default(),
        viewers: Vec::new(),
        creatures: Vec::new(),
        names: Vec::new(),
        ..preset.clone()
    };
    let cells = match cells {
        Cells::Every(step) => format!("every {step}"),
        Cells::List(cells) => cells.iter().map(|cell| format!("{},{};", cell.x, cell.y)).collect(),
    };
    let words = [env!("CARGO_PKG_VERSION"), &preset.to_toml(), ground, &cells].join("\n");
    format!("{:016x}", fnv1a_64(words.bytes()))
}

/// The side of a square of cells whose views are computed together.
const TILE: i32 = 1024;

impl AtlasPlan {
    /// Creates a plan for a heightmap of `size` cells that is read in part. `map` has its digests, `name` is the name
    /// of the preset and `viewer` the viewer of the provenance.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn in_windows(
        preset: &Preset,
        [size, viewer]: [IVec2; 2],
        name: &str,
        map: MapSource,
        cells: Cells,
    ) -> Result<Self, AtlasError> {
        check_cells(&cells, size)?;
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

    /// Computes cells as [`survey`](Self::survey), for a heightmap that is read in part. `scene_around` returns the
    /// scene of the window in range of some cells, or `None` if all of them are nodata.
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
        let look = |viewers: &[IVec2], job: Job<'_>| {
            let nothing = |&viewer: &IVec2| AtlasCell { total_visibility: 0.0, identified: 0.0, farthest: viewer };
            let mut seen: Vec<AtlasCell> = viewers.iter().map(nothing).collect();
            let tile = |i: &usize| (viewers[*i] / TILE).to_array();
            let mut order: Vec<usize> = (0..viewers.len()).collect();
            order.sort_by_key(tile);
            let mut done = 0;
            for group in order.chunk_by(|a, b| tile(a) == tile(b)) {
                let cells: Vec<IVec2> = group.iter().map(|&i| viewers[i]).collect();
                let Some(scene) = scene_around(&cells)? else { continue };
                let origin = scene.world().map_or(IVec2::ZERO, |world| world.origin());
                let cells: Vec<IVec2> = cells.into_iter().map(|cell| cell - origin).collect();
                let of_group = |stage: &'static str, share: f32| {
                    let done = done as f32 + share * group.len() as f32;
                    let _ = job.report(stage, done / viewers.len() as f32);
                };
                for (&i, cell) in group.iter().zip(views(&scene, &cells, origin, size, job.on_progress(&of_group))?) {
                    seen[i] = cell;
                }
                done += group.len();
            }
            Ok(seen)
        };
        self.survey_blocks(from, job, look, keep)
    }
}
