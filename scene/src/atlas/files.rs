//! [`AtlasFiles`]: the parts of an atlas on disk, from which GeoTIFF files are written in little memory; [`PartOnDisk`]: one of them.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use glam::IVec2;

use super::error::{AtlasError, PartError};
use super::part::{PartBlocks, join_headers};
use super::plan::AtlasHeader;
use super::summary::{AtlasCell, AtlasLayer};
use crate::files::{TifLayout, TifRows, WriteError};
use crate::read_file::open_file;
use farsight::Job;
use farsight::grid::Grid;

/// A part of an atlas in a file, whose cells stay there.
#[derive(Debug)]
pub struct PartOnDisk {
    path: PathBuf,
    header: AtlasHeader,
    /// The number of cells in the file.
    done: usize,
}

impl PartOnDisk {
    /// Opens a part, complete or not, and checks all of it.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn open(path: &Path) -> Result<Self, PartError> {
        let mut blocks = read_blocks(path)?;
        while blocks.next_block()?.is_some() {}
        Ok(Self { path: path.to_owned(), header: blocks.header, done: blocks.done })
    }
}

fn read_blocks(path: &Path) -> Result<PartBlocks<BufReader<File>>, PartError> {
    PartBlocks::new(BufReader::new(open_file(path).map_err(PartError::Read)?.0))
}

/// The parts of an atlas on disk. They are read a block at a time, so that an atlas may have more cells than fit into memory.
#[derive(Debug)]
pub struct AtlasFiles {
    header: AtlasHeader,
    /// In the order of their cells.
    paths: Vec<PathBuf>,
}

/// The greatest value of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GreatestValue {
    /// The value, in the unit of the layer.
    pub value: f32,
    /// The greatest value on the ground and its unit, as [`Atlas::max_on_ground`](super::Atlas::max_on_ground).
    pub on_ground: Option<(f64, &'static str)>,
}

impl AtlasFiles {
    /// Joins parts, given in any order.
    ///
    /// # Errors
    /// [`AtlasError`] if a part is incomplete, missing, given twice, or of another atlas.
    pub fn join(parts: &[PartOnDisk]) -> Result<Self, AtlasError> {
        let names: Vec<String> = parts.iter().map(|part| part.path.display().to_string()).collect();
        let named = parts.iter().zip(&names).map(|(part, name)| (name.as_str(), &part.header, part.done));
        let (header, order) = join_headers(&named.collect::<Vec<_>>())?;
        Ok(Self { header, paths: order.into_iter().map(|i| parts[i].path.clone()).collect() })
    }

    /// Returns columns and rows of what is written, as [`Atlas::written_size`](super::Atlas::written_size).
    pub fn written_size(&self) -> IVec2 {
        self.header.lattice().size
    }

    /// Returns the number of viewers.
    pub fn viewers(&self) -> usize {
        self.header.cells.count(self.header.size)
    }

    /// Passes all viewers and their summaries to a function, in row order.
    fn for_each(
        &self,
        job: Job<'_>,
        mut visit: impl FnMut(IVec2, &AtlasCell) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let AtlasHeader { size, cells, .. } = &self.header;
        let mut number = 0;
        for path in &self.paths {
            let changed = |error: PartError| WriteError::Encode(format!("{}: {error}", path.display()));
            let mut blocks = read_blocks(path).map_err(changed)?;
            while let Some(block) = blocks.next_block().map_err(changed)? {
                let report = job.report("reading", number as f32 / self.viewers() as f32);
                report.map_err(|cancelled| WriteError::Encode(cancelled.to_string()))?;
                for seen in &block {
                    visit(cells.cell(*size, number), seen)?;
                    number += 1;
                }
            }
        }
        match self.viewers() {
            viewers if viewers == number => Ok(()),
            viewers => Err(WriteError::Encode(format!("the parts hold {number} of {viewers} cells by now"))),
        }
    }

    /// Returns the greatest value of a layer.
    ///
    /// # Errors
    /// [`WriteError`] if a part cannot be read any more, or the job is cancelled.
    pub fn greatest(&self, layer: AtlasLayer, job: Job<'_>) -> Result<GreatestValue, WriteError> {
        let mut greatest = GreatestValue { value: 0.0, on_ground: None };
        self.for_each(job, |viewer, seen| {
            let value = self.header.value(layer, viewer, seen);
            greatest.value = greatest.value.max(value);
            if let Some((value, unit)) = self.header.on_ground(layer, viewer, value) {
                greatest.on_ground = Some((greatest.on_ground.map_or(value, |(before, _)| value.max(before)), unit));
            }
            Ok(())
        })?;
        Ok(greatest)
    }

    /// Writes a layer as GeoTIFF, with the bytes of [`Atlas::write`](super::Atlas::write) for the same layout. Compressed blocks are in files
    /// without a name in `folder` until all of them are there.
    ///
    /// # Errors
    /// [`WriteError`] if a part cannot be read any more, the folder or the writer fails, or the job is cancelled.
    pub fn write_tif(
        &self,
        layer: AtlasLayer,
        layout: TifLayout,
        folder: &Path,
        job: Job<'_>,
        out: &mut dyn Write,
    ) -> Result<(), WriteError> {
        let mut raster = self.header.raster(layer, Grid::new(1, 1, f32::NAN));
        raster.tif_layout = layout;
        let lattice = self.header.lattice();
        let mut rows = TifRows::in_folder(&raster, lattice.size, folder)?;
        let (mut row, mut y) = (vec![f32::NAN; lattice.size.x as usize], 0);
        let mut push_rows_before = |end: i32, row: &mut [f32]| {
            while y < end {
                rows.push(row)?;
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
        push_rows_before(lattice.size.y, &mut row)?;
        rows.finish(out)
    }
}
