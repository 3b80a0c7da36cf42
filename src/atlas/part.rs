//! [`AtlasPart`]: a share of an atlas as bytes, whole or as far as it was computed, and how shares are joined.
//!
//! ```text
//!  farsight atlas part 2\n
//!  {"digest": …, "size": …, "cells": …, "shard": …, …}\n
//!  FNV-1a of both lines in 16 hexadecimal digits\n
//!  block: cells before it u32 │ cells u32 │ cells × (commanded f32, identified f32, farthest i32 i32) │ FNV-1a u64
//!  block …                                                                            all little-endian
//! ```
//!
//! Blocks are only ever added at the end, so a file that a killed run left behind is good up to its last whole block.

use glam::ivec2;

use super::error::{AtlasError, PartError};
use super::look::AtlasCell;
use super::output::Atlas;
use super::plan::AtlasPlan;
use super::plan::{BLOCK, Heading};
use crate::files::{MAX_CELLS, fnv1a_64};
use crate::grid::CellRect;

/// What the first line of a part of any version begins with.
const NAME: &[u8] = b"farsight atlas part ";

const MAGIC: &[u8] = b"farsight atlas part 2\n";

/// Bytes of the line with the checksum of the heading.
const SUM: usize = 17;

/// Bytes of a cell.
const CELL: usize = 16;

/// Bytes of a block before and after its cells.
const HEAD: usize = 8;
const TAIL: usize = 8;

/// A share of an atlas, whole or as far as it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct AtlasPart {
    pub(super) heading: Heading,
    /// What was computed, in order.
    pub(super) seen: Vec<AtlasCell>,
}

impl AtlasPart {
    /// A part of which nothing is computed.
    pub fn new(plan: &AtlasPlan) -> Self {
        Self { heading: plan.heading.clone(), seen: Vec::new() }
    }

    /// How many of its cells are computed.
    pub fn done(&self) -> usize {
        self.seen.len()
    }

    /// How many cells it is for.
    pub fn len(&self) -> usize {
        self.heading.range().len()
    }

    /// Whether it is for no cells at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds what was computed next.
    pub fn extend(&mut self, seen: &[AtlasCell]) {
        self.seen.extend_from_slice(seen);
    }

    /// Reads a part; also says how many of the bytes are good. A last block that is not whole is passed over.
    ///
    /// # Errors
    /// [`PartError`] for another file, or one that is damaged.
    pub fn decode(bytes: &[u8]) -> Result<(Self, usize), PartError> {
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| if bytes.starts_with(NAME) { PartError::OtherVersion } else { PartError::NotAPart })?;
        let cut_short = || PartError::Heading("it is cut short".into());
        let end = MAGIC.len() + rest.iter().position(|&byte| byte == b'\n').ok_or_else(cut_short)? + 1;
        let sum = bytes.get(end..end + SUM).ok_or_else(cut_short)?;
        if sum != sum_line(&bytes[..end]).as_bytes() {
            return Err(PartError::Heading("its checksum is wrong; delete the file and begin again".into()));
        }
        let heading: Heading =
            serde_json::from_slice(&bytes[MAGIC.len()..end]).map_err(|error| PartError::Heading(error.to_string()))?;
        check(&heading).map_err(PartError::Heading)?;
        let mut part = Self { heading, seen: Vec::new() };
        let mut at = end + SUM;
        while let Some(length) = part.take_block(&bytes[at..]).map_err(|what| PartError::Damaged { at, what })? {
            at += length;
        }
        Ok((part, at))
    }

    /// Reads the next block and says how long it is; `None` if it is not whole.
    fn take_block(&mut self, bytes: &[u8]) -> Result<Option<usize>, &'static str> {
        let Some(head) = bytes.first_chunk::<HEAD>() else { return Ok(None) };
        let [start, count] = [&head[..4], &head[4..]].map(|number| word(number) as usize);
        if start != self.done() {
            return Err("a block is not where it belongs");
        }
        if count == 0 || count > BLOCK || count > self.len() - start {
            return Err("a block has a wrong number of cells");
        }
        let length = HEAD + count * CELL + TAIL;
        let Some(block) = bytes.get(..length) else { return Ok(None) };
        let (block, sum) = block.split_at(length - TAIL);
        if sum != fnv1a_64(block.iter().copied()).to_le_bytes() {
            return Err("the checksum of a block is wrong");
        }
        let map = CellRect::of_size(self.heading.size);
        for cell in block[HEAD..].chunks_exact(CELL) {
            let [commanded, identified, x, y] = [0, 4, 8, 12].map(|i| word(&cell[i..i + 4]));
            let (commanded, identified) = (f32::from_bits(commanded), f32::from_bits(identified));
            let farthest = ivec2(x as i32, y as i32);
            if !(commanded.is_finite() && (0.0..=1.0).contains(&identified) && map.contains(farthest)) {
                return Err("a cell holds what cannot be");
            }
            self.seen.push(AtlasCell { commanded, identified, farthest });
        }
        Ok(Some(length))
    }

    /// Joins parts, each with the name that messages call it, in any order.
    ///
    /// # Errors
    /// [`AtlasError`] if a part is not done, missing, there twice, or of another atlas.
    pub fn join(mut parts: Vec<(String, Self)>) -> Result<Atlas, AtlasError> {
        let Some((first, lead)) = parts.first() else {
            return Err(AtlasError::Missing(vec!["all parts".to_owned()]));
        };
        let (first, lead) = (first.clone(), lead.heading.clone());
        for (name, part) in &parts {
            let foreign = |why| Err(AtlasError::Foreign { first: first.clone(), other: name.clone(), why });
            if part.heading.digest != lead.digest || part.heading.size != lead.size || part.heading.cells != lead.cells
            {
                let (this, that) = (&part.heading.digest, &lead.digest);
                return foreign(format!("its digest is {this}, that of {first} is {that}"));
            }
            if part.heading.shard.count != lead.shard.count {
                return foreign(format!("it is shard {}, that of {first} is {}", part.heading.shard, lead.shard));
            }
        }
        parts.sort_by_key(|(_, part)| part.heading.shard.index); // stable: of two alike, the first given comes first
        for pair in parts.windows(2) {
            if pair[0].1.heading.shard == pair[1].1.heading.shard {
                let [first, other] = [0, 1].map(|i| pair[i].0.clone());
                return Err(AtlasError::Duplicate { first, other, shard: pair[0].1.heading.shard.to_string() });
            }
        }
        let count = lead.shard.count;
        if parts.len() != count as usize {
            let is_there = |index: &u32| parts.iter().any(|(_, part)| part.heading.shard.index == *index);
            let mut missing: Vec<u32> = (1..=count).filter(|index| !is_there(index)).take(9).collect();
            let more = count as usize - parts.len() - missing.len().min(8);
            missing.truncate(8);
            let mut words: Vec<String> = missing.iter().map(|index| format!("shard {index}/{count}")).collect();
            if more > 0 {
                words.push(format!("and {more} more"));
            }
            return Err(AtlasError::Missing(words));
        }
        let mut seen = Vec::with_capacity(lead.cells.count(lead.size));
        for (name, part) in parts {
            if part.done() != part.len() {
                return Err(AtlasError::Incomplete { name, done: part.done(), all: part.len() });
            }
            seen.extend(part.seen);
        }
        Ok(Atlas { heading: Heading { shard: crate::atlas::plan::Shard::WHOLE, ..lead }, seen })
    }
}

/// The bytes before the blocks.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn encode_heading(heading: &Heading) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = MAGIC.to_vec();
    serde_json::to_writer(&mut bytes, heading)?;
    bytes.push(b'\n');
    let sum = sum_line(&bytes);
    bytes.extend(sum.as_bytes());
    Ok(bytes)
}

/// The line with the checksum of the lines before it.
fn sum_line(heading: &[u8]) -> String {
    format!("{:016x}\n", fnv1a_64(heading.iter().copied()))
}

/// A block of at most [`BLOCK`] cells, of which `start` come before.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn encode_block(start: usize, seen: &[AtlasCell]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + seen.len() * CELL + TAIL);
    for number in [start, seen.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    for cell in seen {
        bytes.extend(cell.commanded.to_le_bytes());
        bytes.extend(cell.identified.to_le_bytes());
        bytes.extend(cell.farthest.x.to_le_bytes());
        bytes.extend(cell.farthest.y.to_le_bytes());
    }
    bytes.extend(fnv1a_64(bytes.iter().copied()).to_le_bytes());
    bytes
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// What a heading from a file must hold.
fn check(heading: &Heading) -> Result<(), String> {
    let size = heading.size;
    let cells = i64::from(size.x).saturating_mul(i64::from(size.y));
    if size.x < 1 || size.y < 1 || cells as u64 > MAX_CELLS {
        return Err(format!("a map of {}x{} cells", size.x, size.y));
    }
    heading.cells.check(size).map_err(|error| error.to_string())?;
    heading.shard.check().map_err(|error| error.to_string())
}
