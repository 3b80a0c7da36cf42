//! [`Checkpoint`]: the file of an unfinished atlas, and its bytes.
//!
//! ```text
//!  farsight atlas checkpoint 1\n
//!  {"digest": …, "size": …, "cells": …, …}\n
//!  FNV-1a of both lines in 16 hexadecimal digits\n
//!  block: cells before it u32 │ cells u32 │ cells × (total_visibility f32, identified f32, farthest i32 i32) │ FNV-1a u64
//!  block …                                                                            all little-endian
//! ```
//!
//! Blocks are only appended, so the file of a killed run is valid up to its last complete block.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use glam::ivec2;

use super::atlas::Atlas;
use super::error::CheckpointError;
use super::plan::{AtlasHeader, AtlasPlan, BLOCK, check_cells};
use super::summary::AtlasCell;
use crate::files::{fnv1a_64, remove_stale_files};
use crate::read_file::open_file;
use farsight::grid::CellRect;

/// The start of the first line, in every version of the format.
const MAGIC_PREFIX: &[u8] = b"farsight atlas ";

const MAGIC: &[u8] = b"farsight atlas checkpoint 1\n";

/// The maximum side of a map, also of heightmaps that are read in part.
const MAX_SIDE: i32 = 1 << 30;

/// Bytes of the line with the checksum of the header.
const CHECKSUM_LINE: usize = 17;

/// Bytes of a cell.
const CELL_BYTES: usize = 16;

/// Bytes of a block before its cells, and after them.
const BLOCK_HEADER: usize = 8;
const BLOCK_CHECKSUM: usize = 8;

impl Atlas {
    /// Reads an atlas from a complete checkpoint.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        Self::read(Blocks::open(path)?)
    }

    /// Decodes the bytes of a complete checkpoint.
    ///
    /// # Errors
    /// [`CheckpointError`] for another kind of file, for damage and for an incomplete atlas.
    pub fn decode(bytes: &[u8]) -> Result<Self, CheckpointError> {
        Self::read(Blocks::new(bytes)?)
    }

    fn read(mut blocks: Blocks<impl BufRead>) -> Result<Self, CheckpointError> {
        let mut seen: Vec<AtlasCell> = Vec::new();
        while let Some(block) = blocks.next_block()? {
            let no_memory =
                CheckpointError::Damaged { at: blocks.at, what: "there is not enough memory for its cells" };
            seen.try_reserve(block.len()).map_err(|_| no_memory)?;
            seen.extend(block);
        }
        Ok(Self::of_cells(blocks.header, seen)?)
    }
}

/// An iterator over the blocks of a checkpoint.
#[derive(Debug)]
pub(super) struct Blocks<R> {
    pub(super) header: AtlasHeader,
    reader: R,
    /// The numbers of cells and bytes read so far.
    pub(super) done: usize,
    at: usize,
}

impl Blocks<BufReader<File>> {
    pub(super) fn open(path: &Path) -> Result<Self, CheckpointError> {
        Self::new(BufReader::new(open_file(path).map_err(CheckpointError::Read)?.0))
    }
}

impl<R: BufRead> Blocks<R> {
    /// Reads the header.
    pub(super) fn new(mut reader: R) -> Result<Self, CheckpointError> {
        let mut bytes = Vec::new();
        let mut read_line = |bytes: &mut Vec<u8>, limit: u64| {
            reader.by_ref().take(limit).read_until(b'\n', bytes).map_err(CheckpointError::Read)
        };
        read_line(&mut bytes, MAGIC.len() as u64)?;
        if bytes != MAGIC {
            return Err(if bytes.starts_with(MAGIC_PREFIX) {
                CheckpointError::OtherVersion
            } else {
                CheckpointError::NotACheckpoint
            });
        }
        read_line(&mut bytes, MAX_HEADER_BYTES)?;
        let end = bytes.len();
        reader.by_ref().take(CHECKSUM_LINE as u64).read_to_end(&mut bytes).map_err(CheckpointError::Read)?;
        if bytes.len() < end + CHECKSUM_LINE {
            return Err(CheckpointError::Header("it is truncated".into()));
        }
        if bytes[end..] != *checksum_line(&bytes[..end]).as_bytes() {
            return Err(CheckpointError::Header("its checksum is wrong; delete the file and start again".into()));
        }
        let header: AtlasHeader = serde_json::from_slice(&bytes[MAGIC.len()..end])
            .map_err(|error| CheckpointError::Header(error.to_string()))?;
        let size = header.size;
        if size.min_element() < 1 || size.max_element() > MAX_SIDE {
            return Err(CheckpointError::Header(format!("a map of {}x{} cells", size.x, size.y)));
        }
        check_cells(&header.cells, size).map_err(|error| CheckpointError::Header(error.to_string()))?;
        Ok(Self { header, reader, done: 0, at: bytes.len() })
    }

    /// Reads the next block; `None` at the end, where an incomplete block is ignored.
    pub(super) fn next_block(&mut self) -> Result<Option<Vec<AtlasCell>>, CheckpointError> {
        let at = self.at;
        let damaged = |what| Err(CheckpointError::Damaged { at, what });
        let mut block = Vec::new();
        self.read_to(BLOCK_HEADER, &mut block)?;
        let Some(head) = block.first_chunk::<BLOCK_HEADER>() else { return Ok(None) };
        let [start, count] = [&head[..4], &head[4..]].map(|number| u32_from_le(number) as usize);
        if start != self.done {
            return damaged("a block is out of order");
        }
        if count == 0 || count > BLOCK || count > self.header.viewers() - start {
            return damaged("a block has a wrong number of cells");
        }
        let length = BLOCK_HEADER + count * CELL_BYTES + BLOCK_CHECKSUM;
        self.read_to(length, &mut block)?;
        if block.len() < length {
            return Ok(None);
        }
        let (block, sum) = block.split_at(length - BLOCK_CHECKSUM);
        if sum != fnv1a_64(block.iter().copied()).to_le_bytes() {
            return damaged("the checksum of a block is wrong");
        }
        let map = CellRect::of_size(self.header.size);
        let mut seen = Vec::with_capacity(count);
        for cell in block[BLOCK_HEADER..].chunks_exact(CELL_BYTES) {
            let [total_visibility, identified, x, y] = [0, 4, 8, 12].map(|i| u32_from_le(&cell[i..i + 4]));
            let (total_visibility, identified) = (f32::from_bits(total_visibility), f32::from_bits(identified));
            let farthest = ivec2(x as i32, y as i32);
            if !(total_visibility.is_finite() && (0.0..=1.0).contains(&identified) && map.contains(farthest)) {
                return damaged("a cell holds a value that is out of range");
            }
            seen.push(AtlasCell { total_visibility, identified, farthest });
        }
        (self.done, self.at) = (self.done + count, at + length);
        Ok(Some(seen))
    }

    /// Reads until a block has some bytes, or to the end of the file.
    fn read_to(&mut self, length: usize, block: &mut Vec<u8>) -> Result<(), CheckpointError> {
        let missing = (length - block.len()) as u64;
        self.reader.by_ref().take(missing).read_to_end(block).map_err(CheckpointError::Read)?;
        Ok(())
    }
}

/// Returns the bytes before the blocks.
fn encode_header(header: &AtlasHeader) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = MAGIC.to_vec();
    serde_json::to_writer(&mut bytes, header)?;
    bytes.push(b'\n');
    let sum = checksum_line(&bytes);
    bytes.extend(sum.as_bytes());
    Ok(bytes)
}

/// Returns the line with the checksum of the lines before it.
fn checksum_line(header: &[u8]) -> String {
    format!("{:016x}\n", fnv1a_64(header.iter().copied()))
}

/// Returns the bytes of a block of at most [`BLOCK`] cells; `start` cells are before it.
fn encode_block(start: usize, seen: &[AtlasCell]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(BLOCK_HEADER + seen.len() * CELL_BYTES + BLOCK_CHECKSUM);
    for number in [start, seen.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    for cell in seen {
        bytes.extend(cell.total_visibility.to_le_bytes());
        bytes.extend(cell.identified.to_le_bytes());
        bytes.extend(cell.farthest.x.to_le_bytes());
        bytes.extend(cell.farthest.y.to_le_bytes());
    }
    bytes.extend(fnv1a_64(bytes.iter().copied()).to_le_bytes());
    bytes
}

fn u32_from_le(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// An upper bound of the header size of a checkpoint, with the longest list of cells.
const MAX_HEADER_BYTES: u64 = 1 << 31;

/// A file with the computed cells of an atlas, in blocks, so that a killed run can be resumed.
#[derive(Debug)]
pub struct Checkpoint {
    file: File,
    /// The number of cells in the file.
    done: usize,
}

impl Checkpoint {
    /// Opens or creates the checkpoint of a plan. With `resume`, an existing one is continued, and an incomplete last block is cut
    /// off. Without it, a checkpoint without cells is replaced. Temporary files of killed runs are removed from the folder first.
    ///
    /// # Errors
    /// [`CheckpointError`] if the file holds cells and `resume` is `false`, if it is of another atlas, damaged, in use by another
    /// run, or not writable.
    pub fn open(path: &Path, plan: &AtlasPlan, resume: bool) -> Result<Self, CheckpointError> {
        if path.exists() {
            open_file(path).map_err(CheckpointError::Read)?; // no pipe or device
        }
        remove_stale_files(path);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(CheckpointError::Write)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CheckpointError::InUse);
        }
        let header = encode_header(&plan.header).map_err(|error| CheckpointError::Write(error.into()))?;
        let mut start = Vec::new();
        (&file).take(header.len() as u64).read_to_end(&mut start).map_err(CheckpointError::Read)?;
        // A run that was killed, or ran out of disk space, while it wrote the header has computed nothing.
        let is_stub = start.len() < header.len() && header.starts_with(&start);
        if is_stub {
            return Self::begin(file, &header);
        }
        file.seek(SeekFrom::Start(0)).map_err(CheckpointError::Read)?;
        let mut blocks = Blocks::new(BufReader::new(&file))?;
        while blocks.next_block()?.is_some() {}
        let Blocks { header: existing, done, at: valid_bytes, .. } = blocks;
        match resume {
            true => {}
            false if done == 0 => return Self::begin(file, &header),
            false => return Err(CheckpointError::Exists { done, all: existing.viewers() }),
        }
        let wanted = &plan.header;
        if existing.digest != wanted.digest || existing.cells != wanted.cells || existing.size != wanted.size {
            return Err(CheckpointError::Foreign { found: existing.digest, wanted: wanted.digest.clone() });
        }
        // Paint settings may have changed since; the values have not.
        let mut cut = || {
            file.set_len(valid_bytes as u64)?;
            file.seek(SeekFrom::End(0))
        };
        cut().map_err(CheckpointError::Write)?;
        Ok(Self { file, done })
    }

    /// Replaces the content of the file by a header without cells.
    fn begin(mut file: File, header: &[u8]) -> Result<Self, CheckpointError> {
        let mut write = || {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(header)
        };
        write().map_err(CheckpointError::Write)?;
        Ok(Self { file, done: 0 })
    }

    /// Returns the number of cells in the file.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Appends a block of [`AtlasPlan::survey`].
    ///
    /// # Errors
    /// [`CheckpointError::Write`].
    pub fn append(&mut self, seen: &[AtlasCell]) -> Result<(), CheckpointError> {
        self.file.write_all(&encode_block(self.done, seen)).map_err(CheckpointError::Write)?;
        self.done += seen.len();
        Ok(())
    }

    /// Flushes the file to disk.
    ///
    /// # Errors
    /// [`CheckpointError::Write`].
    pub fn finish(self) -> Result<(), CheckpointError> {
        match self.file.sync_all() {
            Err(error) if error.kind() != ErrorKind::InvalidInput => Err(CheckpointError::Write(error)),
            _ => Ok(()),
        }
    }
}
