//! [`StoredAtlas`]: an atlas in its checkpoint file, for writing GeoTIFF files in little memory.

use std::path::{Path, PathBuf};

use glam::IVec2;

use super::atlas::LayerMaximum;
use super::checkpoint::Blocks;
use super::error::{AtlasError, CheckpointError};
use super::plan::AtlasHeader;
use super::summary::{AtlasCell, AtlasLayer};
use crate::files::{RasterRows, WriteError};
use farsight::Job;
use farsight::grid::Grid;

/// A complete atlas in its checkpoint file. The cells are read in blocks, so that they need not fit into memory.
#[derive(Debug)]
pub struct StoredAtlas {
    header: AtlasHeader,
    path: PathBuf,
}

impl StoredAtlas {
    /// Opens a checkpoint, and checks all of it.
    ///
    /// # Errors
    /// [`CheckpointError`] for another kind of file, for damage and for an incomplete atlas.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        let mut blocks = Blocks::open(path)?;
        while blocks.next_block()?.is_some() {}
        let Blocks { header, done, .. } = blocks;
        match header.viewers() {
            all if all == done => Ok(Self { header, path: path.to_owned() }),
            all => Err(AtlasError::Incomplete { done, all }.into()),
        }
    }

    /// Returns columns and rows of the output, as [`Atlas::written_size`](super::Atlas::written_size).
    pub fn written_size(&self) -> IVec2 {
        self.header.lattice().size
    }

    /// Returns the number of viewers.
    pub fn viewers(&self) -> usize {
        self.header.viewers()
    }

    /// Passes all viewers and their summaries to a function, in row order.
    fn for_each(
        &self,
        job: Job<'_>,
        mut visit: impl FnMut(IVec2, &AtlasCell) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let AtlasHeader { size, cells, .. } = &self.header;
        let changed = |error: CheckpointError| WriteError::Encode(format!("{}: {error}", self.path.display()));
        let mut blocks = Blocks::open(&self.path).map_err(changed)?;
        loop {
            let first = blocks.done;
            let Some(block) = blocks.next_block().map_err(changed)? else { break };
            let report = job.report("reading", first as f32 / self.viewers() as f32);
            report.map_err(|cancelled| WriteError::Encode(cancelled.to_string()))?;
            for (number, seen) in (first..).zip(&block) {
                visit(cells.cell(*size, number), seen)?;
            }
        }
        match (blocks.done, self.viewers()) {
            (done, all) if done == all => Ok(()),
            (done, all) => Err(changed(AtlasError::Incomplete { done, all }.into())),
        }
    }

    /// Returns the maximum of a layer.
    ///
    /// # Errors
    /// [`WriteError`] if the checkpoint is no longer readable, or the job is cancelled.
    pub fn maximum(&self, layer: AtlasLayer, job: Job<'_>) -> Result<LayerMaximum, WriteError> {
        let mut maximum = LayerMaximum::default();
        self.for_each(job, |viewer, seen| {
            maximum.add(&self.header, layer, viewer, seen);
            Ok(())
        })?;
        Ok(maximum)
    }

    /// Returns a layer with the values of [`Atlas::raster`](super::Atlas::raster). Compressed blocks are in unnamed
    /// files in `folder` until the file is complete.
    pub fn rows(&self, layer: AtlasLayer, folder: &Path) -> RasterRows<'_> {
        let lattice = self.header.lattice();
        RasterRows {
            raster: self.header.raster(layer, Grid::new(1, 1, f32::NAN)),
            size: lattice.size,
            folder: folder.to_owned(),
            for_each_row: Box::new(move |job, push| {
                let (mut row, mut y) = (vec![f32::NAN; lattice.size.x as usize], 0);
                let mut push_rows_before = |end: i32, row: &mut [f32]| {
                    while y < end {
                        push(row)?;
                        row.fill(f32::NAN);
                        y += 1;
                    }
                    Ok::<(), WriteError>(())
                };
                self.for_each(job, |viewer, seen| {
                    let cell = (viewer - lattice.first) / lattice.step;
                    push_rows_before(cell.y, &mut row)?;
                    row[cell.x as usize] = self.header.written_value(layer, viewer, seen);
                    Ok(())
                })?;
                push_rows_before(lattice.size.y, &mut row)
            }),
        }
    }
}
