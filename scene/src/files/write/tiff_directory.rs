//! [`TiffDirectory`]: the tags of an image, written before their values, as readers over a network want them. The encoder of the crate
//! `tiff` writes values first.

use std::collections::BTreeMap;

/// The types of values.
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const DOUBLE: u16 = 12;
const LONG8: u16 = 16;

/// The tags of an image of a TIFF file in little-endian order, or of a BigTIFF file, which has offsets of eight bytes.
///
/// # References
/// Adobe, *TIFF* 6.0, section 2; *BigTIFF*.
pub(super) struct TiffDirectory {
    is_big: bool,
    tags: BTreeMap<u16, Value>,
}

struct Value {
    kind: u16,
    count: usize,
    bytes: Vec<u8>,
}

impl TiffDirectory {
    pub(super) fn new(is_big: bool) -> Self {
        Self { is_big, tags: BTreeMap::new() }
    }

    /// Returns the beginning of a file whose first directory follows.
    pub(super) fn file_header(is_big: bool) -> Vec<u8> {
        match is_big {
            true => [&b"II+\0\x08\0\0\0"[..], &16u64.to_le_bytes()].concat(),
            false => [&b"II*\0"[..], &8u32.to_le_bytes()].concat(),
        }
    }

    fn insert(&mut self, tag: u16, kind: u16, count: usize, bytes: Vec<u8>) {
        self.tags.insert(tag, Value { kind, count, bytes });
    }

    pub(super) fn add_text(&mut self, tag: u16, text: &str) {
        self.insert(tag, ASCII, text.len() + 1, [text.as_bytes(), &[0]].concat());
    }

    pub(super) fn add_shorts(&mut self, tag: u16, values: &[u16]) {
        self.insert(tag, SHORT, values.len(), values.iter().flat_map(|value| value.to_le_bytes()).collect());
    }

    pub(super) fn add_long(&mut self, tag: u16, value: usize) {
        self.insert(tag, LONG, 1, (value as u32).to_le_bytes().to_vec()); // the side of an image
    }

    pub(super) fn add_doubles(&mut self, tag: u16, values: &[f64]) {
        self.insert(tag, DOUBLE, values.len(), values.iter().flat_map(|value| value.to_le_bytes()).collect());
    }

    /// Adds offsets or sizes of blocks.
    pub(super) fn add_offsets(&mut self, tag: u16, values: &[u64]) {
        let kind = if self.is_big { LONG8 } else { LONG };
        let bytes = values.iter().flat_map(|value| self.offset(*value)).collect();
        self.insert(tag, kind, values.len(), bytes);
    }

    /// Returns the bytes of an offset, a count or an entry of the directory.
    fn offset(&self, value: u64) -> Vec<u8> {
        value.to_le_bytes()[..if self.is_big { 8 } else { 4 }].to_vec()
    }

    /// Returns the bytes of the directory at an offset of a file, and of its values. Another directory follows, or none.
    pub(super) fn encoded(&self, at: usize, is_last: bool) -> Vec<u8> {
        let (count_bytes, offset_bytes) = if self.is_big { (8, 8) } else { (2, 4) };
        let values_at = at + count_bytes + self.tags.len() * (4 + 2 * offset_bytes) + offset_bytes;
        let mut bytes = (self.tags.len() as u64).to_le_bytes()[..count_bytes].to_vec();
        let mut values = Vec::new();
        for (tag, value) in &self.tags {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(value.kind.to_le_bytes());
            bytes.extend(self.offset(value.count as u64));
            if value.bytes.len() <= offset_bytes {
                bytes.extend(&value.bytes);
                bytes.resize(bytes.len() + offset_bytes - value.bytes.len(), 0);
            } else {
                bytes.extend(self.offset((values_at + values.len()) as u64));
                values.extend(&value.bytes);
                values.resize(values.len().next_multiple_of(8), 0);
            }
        }
        let next = if is_last { 0 } else { values_at + values.len() };
        bytes.extend(self.offset(next as u64));
        bytes.extend(values);
        bytes
    }
}
