//! NumPy's array files. The header is the `ndarray-npy` crate's business; the values are taken one by
//! one, so that nothing is allocated that the file does not hold, and nothing twice.

use std::io::{Read, Write};

use glam::{IVec2, ivec2};
use ndarray::ArrayView2;
use ndarray_npy::npy::header::{Header, ReadHeaderError};
use ndarray_npy::{WriteNpyError, WriteNpyExt};

use super::error::{ReadError, WriteError};
use super::gradient::Gradient;
use crate::files::decode;
use crate::grid::Grid;

/// How a NumPy file begins.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy itself refuses longer headers.
const MAX_HEADER: u64 = 10_000;

/// The header of a map nests two deep: `{… (h, w) …}`. A limit keeps the parser from running out of stack.
const MAX_NESTING: usize = 8;

/// What is wrong with a NumPy file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// Some other file.
    #[error("is no .npy file: it does not begin with \\x93NUMPY")]
    NotNpy,
    /// The file ends before the values begin.
    #[error("is cut short: it ends inside its header")]
    HeaderCut,
    /// A header that says too little, or nothing.
    #[error("its header cannot be read: {0}")]
    Header(String),
    /// Values of another type.
    #[error("holds values of type {found}; a map is float32 or float64 (array.astype('float32'))")]
    Type {
        /// The type in the header.
        found: String,
    },
    /// Another number of axes.
    #[error("has {} axes, shape {}; a map has two, (height, width)", .0.len(), axes(.0))]
    Rank(Vec<usize>),
    /// Fewer values than the header promises.
    #[error("is cut short: its header promises {promised} bytes of values, shape {}, but {found} follow", axes(.shape))]
    Short {
        /// The shape in the header.
        shape: Vec<usize>,
        /// Bytes that its values take.
        promised: u128,
        /// Bytes that there are.
        found: u64,
    },
    /// More than the header promises.
    #[error("goes on for {extra} bytes after its values, shape {}", axes(.shape))]
    Long {
        /// The shape in the header.
        shape: Vec<usize>,
        /// Bytes too many.
        extra: u64,
    },
}

/// A shape as Python writes it.
fn axes(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A 2-D array as a grid; `check` judges every value. The reader holds `length` bytes in all.
pub(super) fn decode(
    mut reader: impl Read,
    length: u64,
    check: impl Fn(IVec2, f64) -> Result<f32, ReadError>,
) -> Result<Grid<f32>, ReadError> {
    let (header, header_length) = read_header(&mut reader, length)?;
    let number = Number::of(&header)?;
    let &[height, width] = header.shape.as_slice() else {
        return Err(NpyError::Rank(header.shape).into());
    };
    let promised = (width as u128 * height as u128).saturating_mul(number.size() as u128);
    let found = length - header_length;
    if promised > found.into() {
        return Err(NpyError::Short { shape: header.shape, promised, found }.into());
    }
    let (columns, rows) = decode::checked_size(width as u64, height as u64)?;
    if promised < found.into() {
        return Err(NpyError::Long { shape: header.shape, extra: found - promised as u64 }.into());
    }
    let mut cells = decode::room_for(columns, rows)?;
    if header.layout.is_fortran() {
        cells.resize(columns * rows, 0.0);
        for x in 0..columns {
            for y in 0..rows {
                cells[y * columns + x] = check(ivec2(x as i32, y as i32), number.read(&mut reader)?)?;
            }
        }
    } else {
        for y in 0..rows {
            for x in 0..columns {
                cells.push(check(ivec2(x as i32, y as i32), number.read(&mut reader)?)?);
            }
        }
    }
    decode::grid(columns, rows, cells)
}

/// The header and its length in bytes, of which none is believed before it is compared with the file's.
fn read_header(reader: &mut impl Read, length: u64) -> Result<(Header, u64), ReadError> {
    let mut bytes = Vec::new();
    reader.by_ref().take(12).read_to_end(&mut bytes)?;
    if !bytes.starts_with(MAGIC) {
        return Err(NpyError::NotNpy.into());
    }
    // Version 1 has a length of two bytes, the later ones of four.
    let (prefix, text) = match *bytes.as_slice() {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (10, u64::from(u16::from_le_bytes([a, b]))),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d] => (12, u64::from(u32::from_le_bytes([a, b, c, d]))),
        [_, _, _, _, _, _, major, minor, ..] if !matches!(major, 1..=3) => {
            return Err(NpyError::Header(format!("version {major}.{minor} is not known")).into());
        }
        _ => return Err(NpyError::HeaderCut.into()),
    };
    let header_length = prefix + text;
    if header_length > length {
        return Err(NpyError::HeaderCut.into());
    }
    if text > MAX_HEADER {
        return Err(NpyError::Header(format!("it is {text} bytes long; at most {MAX_HEADER} are read")).into());
    }
    reader.take(header_length.saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
    if nesting(&bytes[prefix as usize..]) > MAX_NESTING {
        return Err(NpyError::Header("its brackets are nested too deeply".to_owned()).into());
    }
    let header = Header::from_reader(&mut bytes.as_slice()).map_err(|error| match error {
        ReadHeaderError::Io(_) => NpyError::HeaderCut,
        ReadHeaderError::Parse(fault) => NpyError::Header(fault.to_string().lines().next().unwrap_or("").to_owned()),
    })?;
    Ok((header, header_length))
}

/// How deep brackets are nested, strings or not.
fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// How one value is stored.
#[derive(Clone, Copy)]
enum Number {
    LittleF32,
    BigF32,
    LittleF64,
    BigF64,
}

impl Number {
    fn of(header: &Header) -> Result<Self, NpyError> {
        match header.type_descriptor.as_string().map(String::as_str) {
            Some("<f4") => Ok(Self::LittleF32),
            Some(">f4") => Ok(Self::BigF32),
            Some("<f8") => Ok(Self::LittleF64),
            Some(">f8") => Ok(Self::BigF64),
            Some(other) => Err(NpyError::Type { found: type_name(other) }),
            None => Err(NpyError::Type { found: header.type_descriptor.to_string() }),
        }
    }

    fn size(self) -> usize {
        match self {
            Self::LittleF32 | Self::BigF32 => 4,
            Self::LittleF64 | Self::BigF64 => 8,
        }
    }

    fn read(self, reader: &mut impl Read) -> Result<f64, ReadError> {
        let mut bytes = [0; 8];
        reader.read_exact(&mut bytes[..self.size()])?;
        let [a, b, c, d, ..] = bytes;
        Ok(match self {
            Self::LittleF32 => f32::from_le_bytes([a, b, c, d]).into(),
            Self::BigF32 => f32::from_be_bytes([a, b, c, d]).into(),
            Self::LittleF64 => f64::from_le_bytes(bytes),
            Self::BigF64 => f64::from_be_bytes(bytes),
        })
    }
}

/// `int32 ('<i4')` for `<i4`.
fn type_name(descriptor: &str) -> String {
    let kind = match descriptor.get(1..2) {
        Some("b") => return format!("bool ('{descriptor}')"),
        Some("i") => "int",
        Some("u") => "uint",
        Some("f") => "float",
        Some("c") => "complex",
        _ => return format!("'{descriptor}'"),
    };
    match descriptor.get(2..).and_then(|bytes| bytes.parse::<u32>().ok()) {
        Some(bytes @ 1..=32) => format!("{kind}{} ('{descriptor}')", bytes * 8),
        _ => format!("'{descriptor}'"),
    }
}

impl Gradient {
    /// Writes the values as a NumPy array: float32, shape (height, width), C order. A cell without data is NaN.
    ///
    /// # Errors
    /// [`WriteError`] if there are no cells, or the writer fails.
    pub fn write_npy(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.check()?;
        let shape = (self.values.height(), self.values.width());
        let array = ArrayView2::from_shape(shape, self.values.as_slice())
            .map_err(|error| WriteError::Encode(error.to_string()))?;
        array.write_npy(&mut out).map_err(|error| match error {
            WriteNpyError::Io(error) => WriteError::Io(error),
            other => WriteError::Encode(other.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_numpy_names_them() {
        assert_eq!(type_name("<i4"), "int32 ('<i4')");
        assert_eq!(type_name("|b1"), "bool ('|b1')");
        assert_eq!(type_name("<U7"), "'<U7'");
        assert_eq!(type_name(""), "''");
        assert_eq!(type_name("é"), "'é'");
        assert_eq!(type_name("<f99999999999"), "'<f99999999999'");
    }

    #[test]
    fn shapes_are_written_as_python_writes_them() {
        assert_eq!([axes(&[]), axes(&[3]), axes(&[3, 4])], ["()", "(3,)", "(3, 4)"]);
    }
}
