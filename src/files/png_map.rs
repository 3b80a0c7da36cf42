//! Opacity maps as pictures: white is a wall.

use std::io::{self, BufRead, Seek};

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};

use super::error::ReadError;
use crate::files::decode;
use crate::grid::Grid;

/// How a PNG file begins.
pub(super) const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Deflate makes at most 1032 bytes from one.
const MOST_PER_BYTE: u128 = 1040;

/// What is wrong with a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// Some other file.
    #[error("is no .png file: it does not begin as one")]
    NotPng,
    /// The file ends too early.
    #[error("is cut short: the picture is not complete")]
    Cut,
    /// The file is too small for the picture that it promises.
    #[error("promises {width}x{height} pixels, but {length} bytes cannot hold them")]
    Promise {
        /// Columns promised.
        width: u32,
        /// Rows promised.
        height: u32,
        /// Bytes of the file.
        length: u64,
    },
    /// A heightmap in colours, or of few bits.
    #[error("is no grey picture of 8 or 16 bits, as a heightmap is")]
    NotGrey,
    /// Bytes that are damaged.
    #[error("is damaged: {0}")]
    Damaged(String),
}

pub(super) fn fault(error: DecodingError) -> ReadError {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => PngError::Cut.into(),
        DecodingError::IoError(error) => ReadError::Io(error),
        DecodingError::LimitsExceeded => PngError::Damaged("a row or a text in it is too long".to_owned()).into(),
        other => PngError::Damaged(other.to_string().trim_end_matches('.').to_owned()).into(),
    }
}

/// A decoder for a file of `length` bytes that begins as a PNG file.
pub(super) fn decoder<R: BufRead + Seek>(mut reader: R, length: u64) -> Result<Decoder<R>, ReadError> {
    if !reader.fill_buf()?.starts_with(MAGIC) {
        return Err(if length < MAGIC.len() as u64 { PngError::Cut } else { PngError::NotPng }.into());
    }
    // Rows are decoded one at a time, so this is for a row and the text beside the picture.
    Ok(Decoder::new_with_limits(reader, Limits { bytes: 64 << 20 }))
}

/// The brightness of a picture as a grid of opacities. Colours count by their luma (Rec. 709), and
/// as far as a pixel is transparent it is clear.
pub(super) fn decode(reader: impl BufRead + Seek, length: u64) -> Result<Grid<f32>, ReadError> {
    decode_with(reader, length, Transformations::EXPAND, |cells, pixels, color, depth| {
        append_opacities(cells, pixels, color, depth);
        Ok(())
    })
}

/// The whole numbers of a grey picture as they are.
pub(super) fn decode_whole_numbers(reader: impl BufRead + Seek, length: u64) -> Result<Grid<f32>, ReadError> {
    decode_with(reader, length, Transformations::IDENTITY, |cells, pixels, color, depth| {
        match (color, depth) {
            (ColorType::Grayscale, BitDepth::Eight) => cells.extend(pixels.iter().map(|&byte| f32::from(byte))),
            (ColorType::Grayscale, BitDepth::Sixteen) => {
                let number = |bytes: &[u8]| f32::from(u16::from_be_bytes([bytes[0], bytes[1]]));
                cells.extend(pixels.chunks_exact(2).map(number));
            }
            _ => return Err(PngError::NotGrey.into()),
        }
        Ok(())
    })
}

/// A picture as a grid; `append` turns a row of pixels, or several, into values.
fn decode_with(
    reader: impl BufRead + Seek,
    length: u64,
    transformations: Transformations,
    append: impl Fn(&mut Vec<f32>, &[u8], ColorType, BitDepth) -> Result<(), ReadError>,
) -> Result<Grid<f32>, ReadError> {
    let mut decoder = decoder(reader, length)?;
    decoder.set_transformations(transformations);
    decoder.set_ignore_text_chunk(true);
    let header = decoder.read_header_info().map_err(fault)?;
    let (pixels_wide, pixels_high) = (header.width, header.height);
    let (width, height) = decode::checked_size(pixels_wide.into(), pixels_high.into())?;
    let bits = width as u128 * height as u128 * header.bits_per_pixel() as u128;
    if bits / 8 > u128::from(length) * MOST_PER_BYTE {
        return Err(PngError::Promise { width: pixels_wide, height: pixels_high, length }.into());
    }
    let mut reader = decoder.read_info().map_err(fault)?;
    let (color, depth) = reader.output_color_type();
    let interlaced = reader.info().interlaced;
    let mut cells = decode::room_for(width, height)?;
    if interlaced {
        let size = reader.output_buffer_size().ok_or(ReadError::Memory { width, height })?;
        let mut pixels = Vec::new();
        pixels.try_reserve_exact(size).map_err(|_| ReadError::Memory { width, height })?;
        pixels.resize(size, 0);
        reader.next_frame(&mut pixels).map_err(fault)?;
        append(&mut cells, &pixels, color, depth)?;
    } else {
        while let Some(row) = reader.next_row().map_err(fault)? {
            append(&mut cells, row.data(), color, depth)?;
        }
    }
    reader.finish().map_err(fault)?;
    cells.truncate(width * height);
    decode::grid(width, height, cells).map_err(|_| PngError::Cut.into())
}

/// Appends the opacities of some pixels.
fn append_opacities(cells: &mut Vec<f32>, pixels: &[u8], color: ColorType, depth: BitDepth) {
    let samples = color.samples();
    let (bytes, most) = if depth == BitDepth::Sixteen { (2, 65_535) } else { (1, 255) };
    let sample = |pixel: &[u8], i: usize| match pixel[i * bytes..(i + 1) * bytes] {
        [high, low] => u64::from(high) << 8 | u64::from(low),
        [byte] => byte.into(),
        _ => 0,
    };
    cells.extend(pixels.chunks_exact(samples * bytes).map(|pixel| {
        // Whole numbers until the last division: grey is exact, and white is 1.
        let (luma, alpha) = match samples {
            1 => (10_000 * sample(pixel, 0), most),
            2 => (10_000 * sample(pixel, 0), sample(pixel, 1)),
            _ => {
                let luma = 2126 * sample(pixel, 0) + 7152 * sample(pixel, 1) + 722 * sample(pixel, 2);
                (luma, if samples == 4 { sample(pixel, 3) } else { most })
            }
        };
        ((luma * alpha) as f64 / (10_000 * most * most) as f64) as f32
    }));
}
