//! Reads NumPy's array files.
//!
//! The header is a Python dictionary of three entries, such as
//! `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. This parser exists because the crates for the format
//! include a parser of all of Python's literals. The values are read line by line, so that only data in the file is
//! allocated.
//!
//! # References
//! NumPy, `numpy.lib.format`.

use std::io::Read;

use glam::{IVec2, ivec2};

use super::error::{NpyError, ReadError};
use super::limits::{check_size, grid_of, reserve_cells};
use crate::files::format::NPY_SIGNATURE;
use farsight::grid::Grid;

/// The maximum header size of NumPy itself, in bytes.
const MAX_HEADER: u64 = 10_000;

struct NpyHeader {
    /// A Python literal: a string in quotes, or a list for a structured type.
    descr: String,
    is_fortran_order: bool,
    shape: Vec<usize>,
}

/// The type of a stored value: an integer of 1 to 8 bytes, or a float of 4 or 8.
struct NpyType {
    kind: NumberKind,
    size: usize,
    is_big_endian: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberKind {
    Float,
    Signed,
    Unsigned,
}

/// The treatment of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Integers {
    Accepted,
    Refused,
}

/// Reads an array of two axes from a reader of `length` bytes. `check` converts a value or rejects it.
pub(super) fn read_npy(
    mut reader: impl Read,
    length: u64,
    integers: Integers,
    check: impl Fn(IVec2, f64) -> Result<f32, ReadError>,
) -> Result<Grid<f32>, ReadError> {
    let (header, header_length) = read_header(&mut reader, length)?;
    let number = NpyType::from_descr(&header.descr)?;
    if number.kind != NumberKind::Float && integers == Integers::Refused {
        return Err(NpyError::Integers(type_name(unquote(&header.descr).unwrap_or_default())).into());
    }
    let &[height, width] = header.shape.as_slice() else {
        return Err(NpyError::Rank(header.shape).into());
    };
    let declared = (width as u128 * height as u128).saturating_mul(number.size as u128);
    let found = length - header_length;
    if declared > found.into() {
        return Err(NpyError::TooShort { shape: header.shape, declared, found }.into());
    }
    let (columns, rows) = check_size(width as u64, height as u64)?;
    if declared < found.into() {
        return Err(NpyError::TooLong { shape: header.shape, extra: found - declared as u64 }.into());
    }
    let mut cells = reserve_cells(columns, rows)?;
    cells.resize(columns * rows, 0.0);
    let is_fortran_order = header.is_fortran_order;
    let (lines, length) = if is_fortran_order { (columns, rows) } else { (rows, columns) };
    let mut line: Vec<u8> = Vec::new();
    line.try_reserve_exact(length * number.size).map_err(|_| ReadError::Memory { width, height })?;
    line.resize(length * number.size, 0);
    for i in 0..lines {
        reader.read_exact(&mut line)?;
        for (j, bytes) in line.chunks_exact(number.size).enumerate() {
            let (x, y) = if is_fortran_order { (i, j) } else { (j, i) };
            cells[y * columns + x] = check(ivec2(x as i32, y as i32), number.decode(bytes))?;
        }
    }
    grid_of(columns, rows, cells)
}

/// Returns the header and its length in bytes. The declared length is compared with that of the file before it is used.
fn read_header(reader: &mut impl Read, length: u64) -> Result<(NpyHeader, u64), ReadError> {
    let mut bytes = Vec::new();
    reader.by_ref().take(10).read_to_end(&mut bytes)?;
    if !bytes.starts_with(NPY_SIGNATURE) {
        return Err(NpyError::NotNpy.into());
    }
    // The length has two bytes in version 1, and four in later versions.
    let (prefix, text) = match *bytes.as_slice() {
        [_, _, _, _, _, _, 1, 0, a, b] => (10, u64::from(u16::from_le_bytes([a, b]))),
        [_, _, _, _, _, _, 2 | 3, 0, a, b] => {
            let mut high = [0; 2];
            if length < 12 {
                return Err(NpyError::TruncatedHeader.into());
            }
            reader.read_exact(&mut high)?;
            (12, u64::from(u32::from_le_bytes([a, b, high[0], high[1]])))
        }
        [_, _, _, _, _, _, major, minor, ..] if !matches!((major, minor), (1..=3, 0)) => {
            return Err(NpyError::Header(format!("version {major}.{minor} is not known")).into());
        }
        _ => return Err(NpyError::TruncatedHeader.into()),
    };
    let header_length = prefix + text;
    if header_length > length {
        return Err(NpyError::TruncatedHeader.into());
    }
    if text > MAX_HEADER {
        return Err(NpyError::Header(format!("it is {text} bytes long; at most {MAX_HEADER} are read")).into());
    }
    let mut bytes = vec![0; text as usize];
    reader.read_exact(&mut bytes)?;
    let header = match std::str::from_utf8(&bytes).map(str::trim) {
        Ok(text) if text.contains(|c: char| c.is_control() && c != '\t') => Err("it has control characters".to_owned()),
        Ok(text) => parse_header(text),
        Err(_) => Err("it is not text (UTF-8)".to_owned()),
    };
    Ok((header.map_err(NpyError::Header)?, header_length))
}

fn parse_header(text: &str) -> Result<NpyHeader, String> {
    let not_a_dictionary = || format!("{text:.40} is not a dictionary such as {{'descr': '<f4', …}}");
    let mut rest = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).ok_or_else(not_a_dictionary)?.trim();
    let (mut descr, mut order, mut shape) = (None, None, None);
    while !rest.is_empty() {
        let (key, after) = split_value(rest, ':').ok_or_else(not_a_dictionary)?;
        let (value, after) = split_value(after, ',').ok_or_else(not_a_dictionary)?;
        rest = after;
        let illegal = |name: &str| format!("illegal value for key {name}: {value}");
        match unquote(key) {
            Some("descr") => descr = Some(value.to_owned()),
            Some("fortran_order") => match value {
                "True" => order = Some(true),
                "False" => order = Some(false),
                _ => return Err(illegal("fortran_order")),
            },
            Some("shape") => shape = Some(parse_shape(value).ok_or_else(|| illegal("shape"))?),
            _ => return Err(format!("unknown key: {key}")),
        }
    }
    let missing = |key| format!("missing key: {key}");
    Ok(NpyHeader {
        descr: descr.ok_or_else(|| missing("descr"))?,
        is_fortran_order: order.ok_or_else(|| missing("fortran_order"))?,
        shape: shape.ok_or_else(|| missing("shape"))?,
    })
}

/// Splits off the value before a separator that is neither in quotes nor in brackets. At the end the separator `,` may
/// be missing.
fn split_value(text: &str, separator: char) -> Option<(&str, &str)> {
    let (mut depth, mut quote) = (0, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = quote.filter(|_| c != open),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            _ if c == separator && depth == 0 => return Some((text[..i].trim(), text[i + 1..].trim())),
            _ => {}
        }
    }
    (separator == ',' && depth == 0 && quote.is_none()).then_some((text, ""))
}

fn unquote(text: &str) -> Option<&str> {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('\'').or_else(|| inner('"'))
}

/// Parses a tuple of sizes; a tuple of one element ends in a comma.
fn parse_shape(text: &str) -> Option<Vec<usize>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?.trim();
    if inner.is_empty() {
        return Some(Vec::new());
    }
    let sizes: Option<Vec<usize>> =
        inner.strip_suffix(',').unwrap_or(inner).split(',').map(|size| size.trim().parse().ok()).collect();
    sizes.filter(|sizes| sizes.len() > 1 || inner.ends_with(','))
}

impl NpyType {
    fn from_descr(descr: &str) -> Result<Self, NpyError> {
        let name = unquote(descr).ok_or_else(|| NpyError::Type(descr.to_owned()))?;
        let other = || NpyError::Type(type_name(name));
        let mut letters = name.chars();
        let is_big_endian = match letters.next() {
            Some('>') => true,
            Some('<' | '|') => false,
            _ => return Err(other()),
        };
        let kind = letters.next();
        let (kind, size) = match (kind, letters.as_str()) {
            (Some('f'), "4" | "8") => (NumberKind::Float, letters.as_str()),
            (Some('i'), "1" | "2" | "4" | "8") => (NumberKind::Signed, letters.as_str()),
            (Some('u'), "1" | "2" | "4" | "8") => (NumberKind::Unsigned, letters.as_str()),
            _ => return Err(other()),
        };
        Ok(Self { kind, size: size.parse().map_err(|_| other())?, is_big_endian })
    }

    /// Returns the value of the bytes of a number.
    fn decode(&self, bytes: &[u8]) -> f64 {
        let byte = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let bits = if self.is_big_endian { bytes.iter().fold(0, byte) } else { bytes.iter().rev().fold(0, byte) };
        match (self.kind, self.size) {
            (NumberKind::Float, 4) => f32::from_bits(bits as u32).into(),
            (NumberKind::Float, _) => f64::from_bits(bits),
            (NumberKind::Unsigned, _) => bits as f64,
            (NumberKind::Signed, size) => {
                let unused = 64 - 8 * size as u32;
                ((bits << unused) as i64 >> unused) as f64
            }
        }
    }
}

/// Returns `int32 ('<i4')` for `<i4`, and `'|O'` for a type without a short name.
fn type_name(descr: &str) -> String {
    let kind = match descr.get(1..2) {
        Some("b") => return format!("bool ('{descr}')"),
        Some("i") => "int",
        Some("u") => "uint",
        Some("f") => "float",
        Some("c") => "complex",
        _ => return format!("'{descr}'"),
    };
    match descr.get(2..).and_then(|bytes| bytes.parse::<u32>().ok()) {
        Some(bytes @ 1..=32) => format!("{kind}{} ('{descr}')", bytes * 8),
        _ => format!("'{descr}'"),
    }
}
