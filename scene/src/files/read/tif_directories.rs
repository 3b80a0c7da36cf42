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

/// Bits of `NewSubfileType`: a smaller copy of a raster, and a mask.
const REDUCED: u64 = 1;
const MASK: u64 = 4;

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
    /// The positions of bytes that are read as [`BLACK_IS_ZERO`].
    patches: Vec<u64>,
}

/// The integers of a TIFF file.
#[derive(Clone, Copy)]
struct Encoding {
    is_big_endian: bool,
}

impl TifDirectories {
    /// Reads the directories, from the start of the file. Those after a damaged one are ignored, since the decoder
    /// reports damage.
    pub(super) fn read(reader: &mut (impl Read + Seek)) -> io::Result<Self> {
        let start = reader.stream_position()?;
        let mut found = Self::default();
        let _ = found.add_all(reader, start); // an error is the end of the directories
        reader.seek(SeekFrom::Start(start))?;
        Ok(found)
    }

    fn add_all(&mut self, reader: &mut (impl Read + Seek), start: u64) -> io::Result<()> {
        let mut header = [0; 8];
        reader.read_exact(&mut header)?;
        let is_big_endian = header.starts_with(b"M");
        let is_big_tiff = header[2..4].contains(&43);
        let encoding = Encoding { is_big_endian };
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
            for _ in 0..count {
                let at = reader.stream_position()?;
                let mut entry = [0; 20];
                let entry = &mut entry[..if is_big_tiff { 20 } else { 12 }];
                reader.read_exact(entry)?;
                let value_at = if is_big_tiff { 12 } else { 8 };
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
                        let low_byte = if is_big_endian { length - 1 } else { 0 };
                        self.patches.push(at + (value_at + low_byte) as u64);
                    }
                    _ => {}
                }
            }
            if number > 0 && self.mask.is_none() && subfile & (MASK | REDUCED) == MASK {
                self.mask = Some(number);
            }
            next = encoding.read(reader, if is_big_tiff { 8 } else { 4 })?;
        }
        Ok(())
    }
}

impl Encoding {
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
    patches: Vec<u64>,
}

impl<R: Read + Seek> StoredNumbers<R> {
    pub(super) fn new(mut reader: R, directories: &TifDirectories) -> io::Result<Self> {
        let position = reader.stream_position()?;
        Ok(Self { reader, position, patches: directories.patches.clone() })
    }
}

impl<R: Read> Read for StoredNumbers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let read = self.position..self.position + count as u64;
        for at in self.patches.iter().filter(|at| read.contains(at)) {
            buffer[(at - read.start) as usize] = BLACK_IS_ZERO;
        }
        self.position = read.end;
        Ok(count)
    }
}

impl<R: Seek> Seek for StoredNumbers<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.reader.seek(to)?;
        Ok(self.position)
    }
}
