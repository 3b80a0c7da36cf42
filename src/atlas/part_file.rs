//! [`PartFile`]: a part that grows on disk while it is computed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::error::PartError;
use super::look::AtlasCell;
use super::part::AtlasPart;
use super::part::{encode_block, encode_heading};
use super::plan::AtlasPlan;

/// A part that grows on disk while it is computed, a block at a time, so that a killed run leaves what it had.
#[derive(Debug)]
pub struct PartFile {
    file: File,
    part: AtlasPart,
}

impl PartFile {
    /// Opens the file of a part, and makes it if it is not there. A part of the same plan is gone on with if `resume`
    /// says so; a block that an earlier run did not finish is cut off.
    ///
    /// # Errors
    /// [`PartError`] if the file is there and `resume` does not say so, is another's, damaged, or in use by another
    /// run, or cannot be written.
    pub fn open(path: &Path, plan: &AtlasPlan, resume: bool) -> Result<Self, PartError> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(PartError::Write)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PartError::InUse);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(PartError::Read)?;
        let heading = encode_heading(&plan.heading).map_err(|error| PartError::Write(error.into()))?;
        // A run that was killed before its heading was whole had computed nothing.
        let is_stub = bytes.len() < heading.len() && heading.starts_with(&bytes);
        if bytes.is_empty() || (resume && is_stub) {
            let mut begin = || {
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&heading)
            };
            begin().map_err(PartError::Write)?;
            return Ok(Self { file, part: AtlasPart::new(plan) });
        }
        let (part, good) = AtlasPart::decode(&bytes)?;
        if !resume {
            return Err(PartError::Exists { done: part.done(), all: part.len() });
        }
        let (theirs, ours) = (&part.heading, &plan.heading);
        if theirs.digest != ours.digest || theirs.cells != ours.cells || theirs.size != ours.size {
            return Err(PartError::Foreign(format!(
                "the digest of its scene and cells is {}, of what is asked for {}",
                theirs.digest, ours.digest
            )));
        }
        if theirs.shard != ours.shard {
            return Err(PartError::Foreign(format!("it is shard {}, and {} is asked for", theirs.shard, ours.shard)));
        }
        // How it is painted may have changed since; the values have not.
        let part = AtlasPart { heading: plan.heading.clone(), ..part };
        let mut cut = || {
            file.set_len(good as u64)?;
            file.seek(SeekFrom::End(0))
        };
        cut().map_err(PartError::Write)?;
        Ok(Self { file, part })
    }

    /// Reads a part, done or not.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn read(path: &Path) -> Result<AtlasPart, PartError> {
        let bytes = std::fs::read(path).map_err(PartError::Read)?;
        Ok(AtlasPart::decode(&bytes)?.0)
    }

    /// What is in it.
    pub fn part(&self) -> &AtlasPart {
        &self.part
    }

    /// Adds a block that [`AtlasPlan::survey`] computed next.
    ///
    /// # Errors
    /// [`PartError::Write`].
    pub fn append(&mut self, seen: &[AtlasCell]) -> Result<(), PartError> {
        self.file.write_all(&encode_block(self.part.done(), seen)).map_err(PartError::Write)?;
        self.part.extend(seen);
        Ok(())
    }

    /// Makes sure that it is on the disk, and gives what is in it.
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
