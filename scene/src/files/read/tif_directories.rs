//! [`TifDirectories`]: the directories of the rasters of a TIFF file; [`StoredNumbers`]: a reader of a TIFF file
//! without photometric inversion.
//!
//! # References
//! Adobe, *TIFF* 6.0, section 2, for directories, and section 8, for `PhotometricInterpretation` and `NewSubfileType`; *BigTIFF*.

use std::io::{self, Read, Seek, SeekFrom};

/// The maximum number of directories that are searched for a mask.
const MAX_DIRECTORIES: usize = 256;

/// The maximum number of entries of a directory.
const MAX_ENTRIES: u64 = 4096;

const NEW_SUBFILE_TYPE: u16 = 254;
const PHOTOMETRIC_INTERPRETATION: u16 = 262;

const STRIP_OFFSETS: u16 = 273;
const STRIP_BYTE_COUNTS: u16 = 279;

/// Types of integers of 32 and 64 bits.
const LONG: u64 = 4;
const LONG8: u64 = 16;

/// The most strips whose lengths are found.
const MAX_STRIPS: u64 = 1 << 22;

/// Bits of `NewSubfileType`: a smaller copy of a raster, and a mask.
const REDUCED: u64 = 1;
const MASK: u64 = 4;

/// Values of `Compression` that the decoder lacks.
pub(super) const ZSTD: u16 = 50_000;
pub(super) const LERC: u16 = 34_887;

/// Values of `PhotometricInterpretation`.
const WHITE_IS_ZERO: u64 = 0;
const BLACK_IS_ZERO: u8 = 1;
const PALETTE: u64 = 3;
const TRANSPARENCY_MASK: u64 = 4;

/// The facts in the directories of a file about its first raster.
#[derive(Clone, Debug, Default)]
pub(super) struct TifDirectories {
    /// The number of the directory with the mask of the first raster, if there is one.
    pub(super) mask: Option<usize>,
    /// The positions of bytes that are read as others.
    patches: Vec<(u64, u8)>,
    /// The position behind the last byte of the file, and bytes that are read from there on.
    end: u64,
    appended: Vec<u8>,
}

/// An entry of a directory, of which 12 bytes count, and 20 in BigTIFF.
type Entry = [u8; 20];

/// The integers of a TIFF file.
#[derive(Clone, Copy)]
struct Encoding {
    is_big_endian: bool,
    is_big_tiff: bool,
}

impl TifDirectories {
    /// Reads the directories, from the start of the file. Those after a damaged one are ignored, since the decoder
    /// reports damage.
    pub(super) fn read(reader: &mut (impl Read + Seek)) -> io::Result<Self> {
        let start = reader.stream_position()?;
        let end = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(start))?;
        let mut found = Self { end, ..Self::default() };
        let _ = found.add_all(reader, start); // an error is the end of the directories
        reader.seek(SeekFrom::Start(start))?;
        Ok(found)
    }

    fn add_all(&mut self, reader: &mut (impl Read + Seek), start: u64) -> io::Result<()> {
        let mut header = [0; 8];
        reader.read_exact(&mut header)?;
        let is_big_endian = header.starts_with(b"M");
        let is_big_tiff = header[2..4].contains(&43);
        let encoding = Encoding { is_big_endian, is_big_tiff };
        let mut next = if is_big_tiff { encoding.read(reader, 8)? } else { encoding.integer(&header[4..]) };
        for number in 0..MAX_DIRECTORIES {
            if next == 0 {
                break;
            }
            reader.seek(SeekFrom::Start(start.saturating_add(next)))?;
            let count = encoding.read(reader, if is_big_tiff { 8 } else { 2 })?;
            if count > MAX_ENTRIES {
                break;
            }
            let mut subfile = 0;
            let mut entries: Vec<Entry> = Vec::new();
            for _ in 0..count {
                let at = reader.stream_position()?;
                let mut entry = [0; 20];
                reader.read_exact(&mut entry[..encoding.entry_bytes()])?;
                entries.push(entry);
                let value_at = encoding.value_at();
                let length = match encoding.integer(&entry[2..4]) {
                    1 => 1,
                    3 => 2,
                    4 => 4,
                    _ => continue, // not the type of a small integer
                };
                let value = encoding.integer(&entry[value_at..value_at + length]);
                match encoding.integer(&entry[..2]) as u16 {
                    NEW_SUBFILE_TYPE => subfile = value,
                    PHOTOMETRIC_INTERPRETATION if matches!(value, WHITE_IS_ZERO | PALETTE | TRANSPARENCY_MASK) => {
                        let low_byte = value_at + if is_big_endian { length - 1 } else { 0 };
                        self.patches.push((at + low_byte as u64, BLACK_IS_ZERO));
                        entries.last_mut().expect("it is there")[low_byte] = BLACK_IS_ZERO;
                    }
                    _ => {}
                }
            }
            if number > 0 && self.mask.is_none() && subfile & (MASK | REDUCED) == MASK {
                self.mask = Some(number);
            }
            next = encoding.read(reader, encoding.offset_bytes())?;
            if number == 0 {
                let at = reader.stream_position()?;
                let _ = self.add_byte_counts(reader, encoding, entries, next); // the decoder reports what is missing
                reader.seek(SeekFrom::Start(at))?;
            }
        }
        Ok(())
    }

    /// Appends a copy of the first directory with the lengths of its strips, if it has none, or 0 for its only strip: a strip ends where
    /// the next one begins, as libtiff reads it.
    fn add_byte_counts(
        &mut self,
        reader: &mut (impl Read + Seek),
        encoding: Encoding,
        mut entries: Vec<Entry>,
        next: u64,
    ) -> io::Result<()> {
        let tag_of = |entry: &Entry| encoding.integer(&entry[..2]) as u16;
        let Some(offsets) = entries.iter().find(|entry| tag_of(entry) == STRIP_OFFSETS).copied() else { return Ok(()) };
        if let Some(counts) = entries.iter().find(|entry| tag_of(entry) == STRIP_BYTE_COUNTS) {
            let mut is_zero = |entry| -> io::Result<bool> {
                Ok(encoding.count(entry) == 1 && encoding.integers(reader, entry)? == [0])
            };
            if !is_zero(counts)? || is_zero(&offsets)? {
                return Ok(());
            }
        }
        let offsets = encoding.integers(reader, &offsets)?;
        let mut starts: Vec<u64> = offsets.iter().copied().chain([self.end]).collect();
        starts.sort_unstable();
        let next_of = |offset: u64| starts.get(starts.partition_point(|start| *start <= offset)).copied();
        let lengths = offsets.iter().map(|offset| match next_of(*offset) {
            Some(next) if *offset != 0 => next - offset,
            _ => 0, // a sparse file has none
        });
        let bytes = encoding.offset_bytes();
        let lengths: Vec<u8> = lengths.flat_map(|length| encoding.bytes(length, bytes)).collect();
        entries.retain(|entry| tag_of(entry) != STRIP_BYTE_COUNTS);
        let place = entries.partition_point(|entry| tag_of(entry) < STRIP_BYTE_COUNTS);
        let count_bytes = if encoding.is_big_tiff { 8 } else { 2 };
        let directory_bytes = count_bytes + (entries.len() + 1) * encoding.entry_bytes() + bytes;
        if !encoding.is_big_tiff && self.end + (directory_bytes + lengths.len()) as u64 > u32::MAX.into() {
            return Ok(()); // a position behind the file would not fit
        }
        let value = match offsets.len() {
            1 => lengths.clone(),
            _ => encoding.bytes(self.end + directory_bytes as u64, bytes),
        };
        let kind = if encoding.is_big_tiff { LONG8 } else { LONG };
        let parts = [encoding.bytes(STRIP_BYTE_COUNTS.into(), 2), encoding.bytes(kind, 2)];
        let parts = parts.into_iter().chain([encoding.bytes(offsets.len() as u64, bytes), value]);
        let mut entry = [0; 20];
        for (place, byte) in entry.iter_mut().zip(parts.flatten()) {
            *place = byte;
        }
        entries.insert(place, entry);
        self.appended = encoding.bytes(entries.len() as u64, count_bytes);
        self.appended.extend(entries.iter().flat_map(|entry| &entry[..encoding.entry_bytes()]));
        self.appended.extend(encoding.bytes(next, bytes));
        self.appended.extend(lengths);
        let header_at = encoding.offset_bytes() as u64; // the position of the first directory's position
        self.patches.extend((header_at..).zip(encoding.bytes(self.end, bytes)));
        Ok(())
    }
}

impl Encoding {
    /// Returns the length of an entry.
    fn entry_bytes(self) -> usize {
        if self.is_big_tiff { 20 } else { 12 }
    }

    /// Returns the place of the value in an entry.
    fn value_at(self) -> usize {
        if self.is_big_tiff { 12 } else { 8 }
    }

    /// Returns the length of a position in the file.
    fn offset_bytes(self) -> usize {
        if self.is_big_tiff { 8 } else { 4 }
    }

    /// Returns the number of integers of an entry.
    fn count(self, entry: &Entry) -> u64 {
        self.integer(&entry[4..self.value_at()])
    }

    /// Returns the integers of an entry, at most [`MAX_STRIPS`].
    fn integers(self, reader: &mut (impl Read + Seek), entry: &Entry) -> io::Result<Vec<u64>> {
        let length = match self.integer(&entry[2..4]) {
            3 => 2,
            LONG8 => 8,
            _ => 4,
        };
        let value = &entry[self.value_at()..self.entry_bytes()];
        let count = self.count(entry).min(MAX_STRIPS) as usize;
        if count * length <= value.len() {
            return Ok(value.chunks_exact(length).take(count).map(|bytes| self.integer(bytes)).collect());
        }
        reader.seek(SeekFrom::Start(self.integer(value)))?;
        (0..count).map(|_| self.read(reader, length)).collect()
    }

    /// Returns an integer as `length` bytes.
    fn bytes(self, number: u64, length: usize) -> Vec<u8> {
        match self.is_big_endian {
            true => number.to_be_bytes()[8 - length..].to_vec(),
            false => number.to_le_bytes()[..length].to_vec(),
        }
    }

    /// Reads an integer of `length` bytes.
    fn read(self, reader: &mut impl Read, length: usize) -> io::Result<u64> {
        let mut bytes = [0; 8];
        reader.read_exact(&mut bytes[..length])?;
        Ok(self.integer(&bytes[..length]))
    }

    fn integer(self, bytes: &[u8]) -> u64 {
        let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if self.is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// A reader of a TIFF file that replaces every photometric interpretation by black-is-zero. `PhotometricInterpretation`
/// is for display, but the decoder inverts numbers if white is zero, and does not read palettes and masks.
pub(super) struct StoredNumbers<R> {
    reader: R,
    position: u64,
    patches: Vec<(u64, u8)>,
    end: u64,
    appended: Vec<u8>,
}

impl<R: Read + Seek> StoredNumbers<R> {
    pub(super) fn new(mut reader: R, directories: &TifDirectories) -> io::Result<Self> {
        let TifDirectories { patches, end, appended, .. } = directories.clone();
        let position = reader.stream_position()?;
        Ok(Self { reader, position, patches, end, appended })
    }
}

impl<R: Read> Read for StoredNumbers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(behind) = self.position.checked_sub(self.end) {
            let rest = usize::try_from(behind).ok().and_then(|behind| self.appended.get(behind..)).unwrap_or_default();
            let count = (&mut &*rest).read(buffer)?;
            self.position += count as u64;
            return Ok(count);
        }
        let count = self.reader.read(buffer)?;
        let read = self.position..self.position + count as u64;
        for (at, byte) in self.patches.iter().filter(|(at, _)| read.contains(at)) {
            buffer[(at - read.start) as usize] = *byte;
        }
        self.position = read.end;
        Ok(count)
    }
}

impl<R: Seek> Seek for StoredNumbers<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Current(step) => SeekFrom::Start(self.position.saturating_add_signed(step)),
            other => other,
        };
        self.position = self.reader.seek(to)?;
        Ok(self.position)
    }
}
