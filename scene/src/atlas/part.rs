//! [`AtlasPart`]: one shard of an atlas, complete or not, its bytes, and the joining of parts; [`PartFile`]: a part that is written
//! to disk while it is computed.
//!
//! ```text
//!  farsight atlas part 2\n
//!  {"digest": …, "size": …, "cells": …, "shard": …, …}\n
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
use super::error::{AtlasError, PartError};
use super::plan::{AtlasHeader, AtlasPlan, BLOCK, Shard, check as check_plan};
use super::summary::AtlasCell;
use crate::files::{MAX_CELLS, fnv1a_64, remove_stale_files};
use crate::read_file::open_file;
use farsight::grid::CellRect;
use farsight::internal::text::excerpt;

/// The start of the first line, in every version of the format.
const MAGIC_PREFIX: &[u8] = b"farsight atlas part ";

const MAGIC: &[u8] = b"farsight atlas part 2\n";

/// The largest side of a map; those of heightmaps that are read in part are not larger.
const MAX_SIDE: i32 = 1 << 30;

/// Bytes of the line with the checksum of the header.
const CHECKSUM_LINE: usize = 17;

/// Bytes of a cell.
const CELL_BYTES: usize = 16;

/// Bytes of a block before its cells, and after them.
const BLOCK_HEADER: usize = 8;
const BLOCK_CHECKSUM: usize = 8;

/// The computed cells of a shard, complete or not. On disk, a `.part` file.
#[derive(Clone, Debug, PartialEq)]
pub struct AtlasPart {
    header: AtlasHeader,
    /// The computed cells, in order.
    seen: Vec<AtlasCell>,
}

impl AtlasPart {
    /// A part without computed cells.
    pub fn new(plan: &AtlasPlan) -> Self {
        Self { header: plan.header.clone(), seen: Vec::new() }
    }

    /// Returns the number of computed cells.
    pub fn done(&self) -> usize {
        self.seen.len()
    }

    /// Returns the number of cells of the complete part.
    pub fn len(&self) -> usize {
        self.header.range().len()
    }

    /// Returns `true` if the part has no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends computed cells.
    pub fn extend(&mut self, seen: &[AtlasCell]) {
        self.seen.extend_from_slice(seen);
    }

    /// Reads a part and returns it with the number of valid bytes. An incomplete last block is ignored.
    ///
    /// # Errors
    /// [`PartError`] for another kind of file and for damage.
    pub fn decode(bytes: &[u8]) -> Result<(Self, usize), PartError> {
        Self::read(bytes)
    }

    fn read(reader: impl BufRead) -> Result<(Self, usize), PartError> {
        let mut blocks = PartBlocks::new(reader)?;
        let mut seen: Vec<AtlasCell> = Vec::new();
        while let Some(block) = blocks.next_block()? {
            let no_memory = PartError::Damaged { at: blocks.at, what: "there is not enough memory for its cells" };
            seen.try_reserve(block.len()).map_err(|_| no_memory)?;
            seen.extend(block);
        }
        Ok((Self { header: blocks.header, seen }, blocks.at))
    }

    /// Joins parts, given in any order with a name for messages.
    ///
    /// # Errors
    /// [`AtlasError`] if a part is incomplete, missing, given twice, or of another atlas.
    pub fn join(mut parts: Vec<(String, Self)>) -> Result<Atlas, AtlasError> {
        let named: Vec<_> = parts.iter().map(|(name, part)| (name.as_str(), &part.header, part.done())).collect();
        let (header, order) = join_headers(&named)?;
        ensure_in_memory(&header)?;
        let mut seen = Vec::with_capacity(header.cells.count(header.size));
        order.into_iter().for_each(|i| seen.append(&mut parts[i].1.seen));
        Ok(Atlas { header, seen })
    }
}

/// Refuses an atlas that is not written from memory.
pub(super) fn ensure_in_memory(header: &AtlasHeader) -> Result<(), AtlasError> {
    match header.written_cells() {
        cells if cells > MAX_CELLS => Err(AtlasError::TooLarge(cells)),
        _ => Ok(()),
    }
}

/// Returns the header of the atlas of parts in any order, each with its name, its header and the number of its cells; and their order.
pub(super) fn join_headers(parts: &[(&str, &AtlasHeader, usize)]) -> Result<(AtlasHeader, Vec<usize>), AtlasError> {
    let Some(&(first, lead, _)) = parts.first() else {
        return Err(AtlasError::Missing(vec!["all parts".to_owned()]));
    };
    for (name, header, _) in parts {
        let foreign = |why| Err(AtlasError::Foreign { first: first.to_owned(), other: (*name).to_owned(), why });
        if header.digest != lead.digest || header.size != lead.size || header.cells != lead.cells {
            let (this, that) = (excerpt(&header.digest), excerpt(&lead.digest));
            return foreign(format!("its digest is {this}, that of {first} is {that}"));
        }
        if header.shard.count != lead.shard.count {
            return foreign(format!("it is shard {}, that of {first} is {}", header.shard, lead.shard));
        }
    }
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|i| parts[*i].1.shard.index); // a stable sort keeps the given order of duplicates
    for pair in order.windows(2) {
        let [(first, header, _), (other, next, _)] = [0, 1].map(|i| parts[pair[i]]);
        if header.shard == next.shard {
            let (first, other, shard) = (first.to_owned(), other.to_owned(), header.shard.to_string());
            return Err(AtlasError::Duplicate { first, other, shard });
        }
    }
    let count = lead.shard.count;
    if parts.len() != count as usize {
        let is_there = |index: &u32| parts.iter().any(|(_, header, _)| header.shard.index == *index);
        let mut missing: Vec<u32> = (1..=count).filter(|index| !is_there(index)).take(9).collect();
        let more = count as usize - parts.len() - missing.len().min(8);
        missing.truncate(8);
        let mut words: Vec<String> = missing.iter().map(|index| format!("shard {index}/{count}")).collect();
        if more > 0 {
            words.push(format!("and {more} more"));
        }
        return Err(AtlasError::Missing(words));
    }
    for &i in &order {
        let (name, header, done) = parts[i];
        if done != header.range().len() {
            return Err(AtlasError::Incomplete { name: name.to_owned(), done, all: header.range().len() });
        }
    }
    Ok((AtlasHeader { shard: Shard::WHOLE, ..lead.clone() }, order))
}

/// The blocks of a part, which are read one after the other.
#[derive(Debug)]
pub(super) struct PartBlocks<R> {
    pub(super) header: AtlasHeader,
    reader: R,
    /// The numbers of cells and of bytes that are read.
    pub(super) done: usize,
    at: usize,
}

impl<R: BufRead> PartBlocks<R> {
    /// Reads the header.
    pub(super) fn new(mut reader: R) -> Result<Self, PartError> {
        let mut bytes = Vec::new();
        let mut read_line = |bytes: &mut Vec<u8>, limit: u64| {
            reader.by_ref().take(limit).read_until(b'\n', bytes).map_err(PartError::Read)
        };
        read_line(&mut bytes, MAGIC.len() as u64)?;
        if bytes != MAGIC {
            return Err(if bytes.starts_with(MAGIC_PREFIX) { PartError::OtherVersion } else { PartError::NotAPart });
        }
        read_line(&mut bytes, MAX_HEADER_BYTES)?;
        let end = bytes.len();
        reader.by_ref().take(CHECKSUM_LINE as u64).read_to_end(&mut bytes).map_err(PartError::Read)?;
        if bytes.len() < end + CHECKSUM_LINE {
            return Err(PartError::Header("it is truncated".into()));
        }
        if bytes[end..] != *checksum_line(&bytes[..end]).as_bytes() {
            return Err(PartError::Header("its checksum is wrong; delete the file and start again".into()));
        }
        let header: AtlasHeader =
            serde_json::from_slice(&bytes[MAGIC.len()..end]).map_err(|error| PartError::Header(error.to_string()))?;
        check(&header).map_err(PartError::Header)?;
        Ok(Self { header, reader, done: 0, at: bytes.len() })
    }

    /// Reads the next block; `None` at the end, where an incomplete block is ignored.
    pub(super) fn next_block(&mut self) -> Result<Option<Vec<AtlasCell>>, PartError> {
        let at = self.at;
        let damaged = |what| Err(PartError::Damaged { at, what });
        let mut block = Vec::new();
        self.read_to(BLOCK_HEADER, &mut block)?;
        let Some(head) = block.first_chunk::<BLOCK_HEADER>() else { return Ok(None) };
        let [start, count] = [&head[..4], &head[4..]].map(|number| u32_from_le(number) as usize);
        if start != self.done {
            return damaged("a block is out of order");
        }
        if count == 0 || count > BLOCK || count > self.header.range().len() - start {
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
    fn read_to(&mut self, length: usize, block: &mut Vec<u8>) -> Result<(), PartError> {
        let missing = (length - block.len()) as u64;
        self.reader.by_ref().take(missing).read_to_end(block).map_err(PartError::Read)?;
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

/// Checks a header from a file.
fn check(header: &AtlasHeader) -> Result<(), String> {
    let size = header.size;
    if size.min_element() < 1 || size.max_element() > MAX_SIDE {
        return Err(format!("a map of {}x{} cells", size.x, size.y));
    }
    check_plan(&header.cells, size, header.shard).map_err(|error| error.to_string())
}

/// More bytes than the header of a part with the longest list of cells has.
const MAX_HEADER_BYTES: u64 = 1 << 31;

/// A part that is written to disk while it is computed, a block at a time, so that a killed run can be resumed.
#[derive(Debug)]
pub struct PartFile {
    file: File,
    /// The number of cells in the file.
    done: usize,
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
        let header = encode_header(&plan.header).map_err(|error| PartError::Write(error.into()))?;
        let mut start = Vec::new();
        (&file).take(header.len() as u64).read_to_end(&mut start).map_err(PartError::Read)?;
        // A run that was killed, or had no room, while it wrote the header computed nothing.
        let is_stub = start.len() < header.len() && header.starts_with(&start);
        if is_stub {
            return Self::begin(file, &header);
        }
        file.seek(SeekFrom::Start(0)).map_err(PartError::Read)?;
        let mut blocks = PartBlocks::new(BufReader::new(&file))?;
        while blocks.next_block()?.is_some() {}
        let PartBlocks { header: existing, done, at: valid_bytes, .. } = blocks;
        match resume {
            true => {}
            false if done == 0 => return Self::begin(file, &header),
            false => return Err(PartError::Exists { done, all: existing.range().len() }),
        }
        let wanted = &plan.header;
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
        let mut cut = || {
            file.set_len(valid_bytes as u64)?;
            file.seek(SeekFrom::End(0))
        };
        cut().map_err(PartError::Write)?;
        Ok(Self { file, done })
    }

    /// Replaces the content of the file by the header of a part without cells.
    fn begin(mut file: File, header: &[u8]) -> Result<Self, PartError> {
        let mut write = || {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(header)
        };
        write().map_err(PartError::Write)?;
        Ok(Self { file, done: 0 })
    }

    /// Reads a part, complete or not.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn read(path: &Path) -> Result<AtlasPart, PartError> {
        let file = open_file(path).map_err(PartError::Read)?.0;
        Ok(AtlasPart::read(BufReader::new(file))?.0)
    }

    /// Returns the number of cells in the file.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Appends a block of [`AtlasPlan::survey`].
    ///
    /// # Errors
    /// [`PartError::Write`].
    pub fn append(&mut self, seen: &[AtlasCell]) -> Result<(), PartError> {
        self.file.write_all(&encode_block(self.done, seen)).map_err(PartError::Write)?;
        self.done += seen.len();
        Ok(())
    }

    /// Flushes the file to disk.
    ///
    /// # Errors
    /// [`PartError::Write`].
    pub fn finish(self) -> Result<(), PartError> {
        match self.file.sync_all() {
            Err(error) if error.kind() != ErrorKind::InvalidInput => Err(PartError::Write(error)),
            _ => Ok(()),
        }
    }
}
