//! [`PartFile`]: a part that is written to disk while it is computed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::cell::AtlasCell;
use super::error::PartError;
use super::part::{AtlasPart, MAGIC, encode_block, encode_header};
use super::plan::AtlasPlan;
use crate::files::{MAX_CELLS, remove_stale_files};
use crate::read_file::{open_file, read_to_limit};
use crate::text::excerpt;

/// More bytes than a part of the largest map has.
const MAX_BYTES: u64 = 17 * MAX_CELLS + (1 << 24);

/// A part that is written to disk while it is computed, a block at a time, so that a killed run can be resumed.
#[derive(Debug)]
pub struct PartFile {
    file: File,
    part: AtlasPart,
}

impl PartFile {
    /// Opens or creates the file of a part. With `resume`, an existing part of the same plan is continued; an incomplete
    /// last block is cut off. Without it, a part that holds no cells begins anew. What killed runs have left in the folder is
    /// removed first.
    ///
    /// # Errors
    /// [`PartError`] if the file holds cells and `resume` is `false`, if it is of another atlas, damaged, in use by another
    /// run, or not writable.
    pub fn open(path: &Path, plan: &AtlasPlan, resume: bool) -> Result<Self, PartError> {
        if path.exists() {
            open_file(path).map_err(PartError::Read)?; // no pipe or device
        }
        remove_stale_files(path);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(PartError::Write)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PartError::InUse);
        }
        let bytes = read_part(&file)?;
        let header = encode_header(&plan.header).map_err(|error| PartError::Write(error.into()))?;
        // A run that was killed, or had no room, while it wrote the header computed nothing.
        let is_stub = bytes.len() < header.len() && header.starts_with(&bytes);
        if is_stub {
            return Self::begin(file, &header, plan);
        }
        let (part, valid_bytes) = AtlasPart::decode(&bytes)?;
        match resume {
            true => {}
            false if part.done() == 0 => return Self::begin(file, &header, plan),
            false => return Err(PartError::Exists { done: part.done(), all: part.len() }),
        }
        let (existing, wanted) = (&part.header, &plan.header);
        if existing.digest != wanted.digest || existing.cells != wanted.cells || existing.size != wanted.size {
            return Err(PartError::Foreign(format!(
                "its digest of scene and cells is {}, that of this command is {}",
                excerpt(&existing.digest),
                wanted.digest
            )));
        }
        if existing.shard != wanted.shard {
            return Err(PartError::Foreign(format!(
                "it is shard {}, this command computes {}",
                existing.shard, wanted.shard
            )));
        }
        // Paint settings may have changed since; the values have not.
        let part = AtlasPart { header: plan.header.clone(), ..part };
        let mut cut = || {
            file.set_len(valid_bytes as u64)?;
            file.seek(SeekFrom::End(0))
        };
        cut().map_err(PartError::Write)?;
        Ok(Self { file, part })
    }

    /// Replaces the content of the file by the header of a part without cells.
    fn begin(mut file: File, header: &[u8], plan: &AtlasPlan) -> Result<Self, PartError> {
        let mut write = || {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(header)
        };
        write().map_err(PartError::Write)?;
        Ok(Self { file, part: AtlasPart::new(plan) })
    }

    /// Reads a part, complete or not.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn read(path: &Path) -> Result<AtlasPart, PartError> {
        let bytes = read_part(&open_file(path).map_err(PartError::Read)?.0)?;
        Ok(AtlasPart::decode(&bytes)?.0)
    }

    /// Returns the part.
    pub fn part(&self) -> &AtlasPart {
        &self.part
    }

    /// Appends a block of [`AtlasPlan::survey`].
    ///
    /// # Errors
    /// [`PartError::Write`].
    pub fn append(&mut self, seen: &[AtlasCell]) -> Result<(), PartError> {
        self.file.write_all(&encode_block(self.part.done(), seen)).map_err(PartError::Write)?;
        self.part.extend(seen);
        Ok(())
    }

    /// Flushes the file to disk and returns the part.
    ///
    /// # Errors
    /// [`PartError::Write`].
    pub fn finish(self) -> Result<AtlasPart, PartError> {
        match self.file.sync_all() {
            Err(error) if error.kind() != ErrorKind::InvalidInput => Err(PartError::Write(error)),
            _ => Ok(self.part),
        }
    }
}

/// Reads the bytes of a part. Of a file that begins in another way, only the first bytes are read.
fn read_part(file: &File) -> Result<Vec<u8>, PartError> {
    let mut start = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut start).map_err(PartError::Read)?;
    if !MAGIC.starts_with(&start) {
        AtlasPart::decode(&start)?; // fails
    }
    read_to_limit(start.as_slice().chain(file), MAX_BYTES).map_err(PartError::Read)
}
