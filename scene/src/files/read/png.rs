//! Reads maps and heightmaps from pictures. Rows are decoded one at a time.

use std::io::{self, BufRead, Seek};

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};

use super::error::{PngError, ReadError};
use super::limits::{LIMIT_M, check_size, elevation, grid_of, reserve_cells};
use super::number::LinearScale;
use crate::files::format::PNG_SIGNATURE;
use crate::files::picture_heights::{HeightEncoding, HeightRange};
use farsight::grid::Grid;

/// The maximum ratio of pixel bytes to file bytes. Deflate reaches 1032.
const MAX_EXPANSION: u128 = 1040;

/// Returns a decoder for a file of `length` bytes, if it begins as a PNG file.
pub(super) fn png_decoder<R: BufRead + Seek>(mut reader: R, length: u64) -> Result<Decoder<R>, ReadError> {
    if !reader.fill_buf()?.starts_with(PNG_SIGNATURE) {
        return Err(if length < PNG_SIGNATURE.len() as u64 { ReadError::Truncated } else { PngError::NotPng.into() });
    }
    // The limit applies to a row of pixels and to the text chunks.
    Ok(Decoder::new_with_limits(reader, Limits { bytes: 64 << 20 }))
}

/// Reads the brightness of a picture, from 0 to 1: the luma of colours (Rec. 709), multiplied by their alpha.
pub(super) fn read_png_brightness(reader: impl BufRead + Seek, length: u64) -> Result<Grid<f32>, ReadError> {
    read_pixels(reader, length, Transformations::EXPAND, |cells, pixels, PixelType { color, depth, .. }| {
        cells.extend(brightness(pixels, color, depth).map(|(brightness, _)| brightness as f32));
        Ok(())
    })
}

/// Reads the elevations of a picture whose brightness is relative height, in metres. Transparent pixels are nodata.
pub(super) fn read_png_heights(
    reader: impl BufRead + Seek,
    length: u64,
    heights: HeightRange,
) -> Result<Grid<f32>, ReadError> {
    read_pixels(reader, length, Transformations::EXPAND, |cells, pixels, PixelType { color, depth, .. }| {
        let height = |(brightness, is_transparent)| if is_transparent { f32::NAN } else { heights.at(brightness) };
        cells.extend(brightness(pixels, color, depth).map(height));
        Ok(())
    })
}

/// Reads the elevations of a picture whose colours encode numbers. Transparent pixels and the number 0 are nodata.
pub(super) fn read_png_colours(
    reader: impl BufRead + Seek,
    length: u64,
    encoding: HeightEncoding,
) -> Result<Grid<f32>, ReadError> {
    let scale = encoding.scale();
    let elevation_m = read_pixels(reader, length, Transformations::EXPAND, |cells, pixels, pixel_type| {
        let height = |colour: [u8; 3]| HeightEncoding::metres_of(colour, scale) as f32;
        match (pixel_type.color, pixel_type.depth) {
            (ColorType::Rgb, BitDepth::Eight) => {
                cells.extend(pixels.as_chunks().0.iter().map(|&colour| height(colour)));
            }
            (ColorType::Rgba, BitDepth::Eight) => {
                cells.extend(pixels.as_chunks().0.iter().map(|&[red, green, blue, alpha]| match alpha {
                    0 => f32::NAN,
                    _ => height([red, green, blue]),
                }));
            }
            _ => return Err(PngError::NotColours(encoding.name()).into()),
        }
        Ok(())
    })?;
    for (cell, &metres) in elevation_m.iter().filter(|(_, metres)| !metres.is_nan()) {
        elevation(cell, metres.into())?;
    }
    Ok(elevation_m)
}

/// Reads the elevations of a grey picture: its integers, multiplied by `metres`. Transparent pixels are nodata.
pub(super) fn read_png_elevations(
    reader: impl BufRead + Seek,
    length: u64,
    scale: LinearScale,
    nodata: Option<f64>,
) -> Result<Grid<f32>, ReadError> {
    let elevation_m = read_pixels(reader, length, Transformations::IDENTITY, |cells, pixels, pixel_type| {
        let PixelType { color, depth, transparent } = pixel_type;
        let nodata = transparent.map(f64::from).or(nodata);
        let height = |integer: u16| match nodata == Some(integer.into()) {
            true => f32::NAN,
            false => scale.value(integer.into()) as f32,
        };
        let two_bytes = |bytes: &[u8]| u16::from_be_bytes([bytes[0], bytes[1]]);
        match (color, depth) {
            (ColorType::Grayscale, BitDepth::Eight) => cells.extend(pixels.iter().map(|&byte| height(byte.into()))),
            (ColorType::Grayscale, BitDepth::Sixteen) => {
                cells.extend(pixels.chunks_exact(2).map(|p| height(two_bytes(p))));
            }
            (ColorType::GrayscaleAlpha, BitDepth::Eight) => {
                let pixel = |pixel: &[u8]| if pixel[1] == 0 { f32::NAN } else { height(pixel[0].into()) };
                cells.extend(pixels.chunks_exact(2).map(pixel));
            }
            (ColorType::GrayscaleAlpha, BitDepth::Sixteen) => {
                let pixel = |pixel: &[u8]| if pixel[2..] == [0, 0] { f32::NAN } else { height(two_bytes(pixel)) };
                cells.extend(pixels.chunks_exact(4).map(pixel));
            }
            _ => return Err(PngError::NotGrey.into()),
        }
        Ok(())
    })?;
    if let Some((cell, &value)) = elevation_m.iter().find(|(_, value)| f64::from(value.abs()) > LIMIT_M) {
        return Err(ReadError::GreyElevation { cell, value });
    }
    Ok(elevation_m)
}

/// The type of the pixels of a picture.
#[derive(Clone, Copy)]
struct PixelType {
    color: ColorType,
    depth: BitDepth,
    /// The transparent grey, if there is one; GDAL uses it for nodata.
    transparent: Option<u16>,
}

/// Reads a picture; `append` converts one or more rows of pixels to values.
fn read_pixels(
    reader: impl BufRead + Seek,
    length: u64,
    transformations: Transformations,
    append: impl Fn(&mut Vec<f32>, &[u8], PixelType) -> Result<(), ReadError>,
) -> Result<Grid<f32>, ReadError> {
    let mut decoder = png_decoder(reader, length)?;
    decoder.set_transformations(transformations);
    decoder.set_ignore_text_chunk(true);
    let header = decoder.read_header_info()?;
    let (pixels_wide, pixels_high) = (header.width, header.height);
    let (width, height) = check_size(pixels_wide.into(), pixels_high.into())?;
    let bits = width as u128 * height as u128 * header.bits_per_pixel() as u128;
    if bits / 8 > u128::from(length) * MAX_EXPANSION {
        return Err(ReadError::ImplausibleSize { width: pixels_wide, height: pixels_high, length });
    }
    let mut reader = decoder.read_info()?;
    check_palette(reader.info())?;
    let (color, depth) = reader.output_color_type();
    // The chunk has two bytes; the decoder keeps the second one only for pixels of up to 8 bits.
    let transparent = match reader.info().trns.as_deref() {
        Some(&[high, low]) => Some(u16::from_be_bytes([high, low])),
        Some(&[grey]) => Some(grey.into()),
        _ => None,
    };
    let pixel_type = PixelType { color, depth, transparent };
    let interlaced = reader.info().interlaced;
    let mut cells = reserve_cells(width, height)?;
    if interlaced {
        let size = reader.output_buffer_size().ok_or(ReadError::Memory { width, height })?;
        let mut pixels = Vec::new();
        pixels.try_reserve_exact(size).map_err(|_| ReadError::Memory { width, height })?;
        pixels.resize(size, 0);
        reader.next_frame(&mut pixels)?;
        append(&mut cells, &pixels, pixel_type)?;
    } else {
        while let Some(row) = reader.next_row()? {
            append(&mut cells, row.data(), pixel_type)?;
        }
    }
    reader.finish()?;
    cells.truncate(width * height);
    grid_of(width, height, cells).map_err(|_| ReadError::Truncated)
}

/// Refuses a palette that is not a list of colours of three bytes. The decoder would panic on it (png 0.18.1).
pub(super) fn check_palette(info: &png::Info<'_>) -> Result<(), ReadError> {
    match info.palette.as_ref().map(|palette| palette.len()) {
        Some(bytes) if bytes % 3 != 0 => {
            Err(ReadError::Damaged(format!("its palette has {bytes} bytes: expected three for each colour")))
        }
        _ => Ok(()),
    }
}

/// Returns the brightness of pixels, from 0 to 1, and `true` for transparent ones.
fn brightness(pixels: &[u8], color: ColorType, depth: BitDepth) -> impl Iterator<Item = (f64, bool)> {
    let samples = color.samples();
    let (bytes, max) = if depth == BitDepth::Sixteen { (2, 65_535) } else { (1, 255) };
    let sample = move |pixel: &[u8], i: usize| match pixel[i * bytes..(i + 1) * bytes] {
        [high, low] => u64::from(high) << 8 | u64::from(low),
        [byte] => byte.into(),
        _ => 0,
    };
    pixels.chunks_exact(samples * bytes).map(move |pixel| {
        // Integers up to the last division, so that grey is exact and white is 1.
        let (luma, alpha) = match samples {
            1 => (10_000 * sample(pixel, 0), max),
            2 => (10_000 * sample(pixel, 0), sample(pixel, 1)),
            _ => {
                let luma = 2126 * sample(pixel, 0) + 7152 * sample(pixel, 1) + 722 * sample(pixel, 2);
                (luma, if samples == 4 { sample(pixel, 3) } else { max })
            }
        };
        ((luma * alpha) as f64 / (10_000 * max * max) as f64, alpha == 0)
    })
}

impl From<DecodingError> for ReadError {
    fn from(error: DecodingError) -> Self {
        match error {
            DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => Self::Truncated,
            DecodingError::IoError(error) => Self::Io(error),
            DecodingError::LimitsExceeded => Self::Damaged("a row or a text is too long".to_owned()),
            other => Self::Damaged(other.to_string().trim_end_matches('.').to_owned()),
        }
    }
}
