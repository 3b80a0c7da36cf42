//! [`read_placed_picture`]: a picture with a position, such as a topographic map.

use std::io::BufReader;
use std::path::Path;

use png::{ColorType, Transformations};

use super::error::ReadError;
use super::limits::check_size;
use super::png::{check_palette, png_decoder};
use super::sidecars::{RasterPlacement, RowOrder, Sidecars};
use crate::files::error::FileError;
use crate::files::format::Format;
use crate::files::georeference::Georeference;
use crate::guard_panics::guarded;
use crate::paint::Picture;
use crate::read_file::open_file;

/// A picture and the position of its upper left pixel.
pub struct PositionedPicture {
    /// The pixels, over white.
    pub picture: Picture,
    /// The position. Its reference system is that of a `.prj` file.
    pub georeference: Georeference,
}

/// Reads a `.png` with a world file.
///
/// # Errors
/// [`FileError`] with the name of the file: it is no picture, or has no world file with north up.
pub fn read_placed_picture(path: &Path) -> Result<PositionedPicture, FileError> {
    let read = || guarded(|| read_picture(path))?;
    read().map_err(|fault| FileError::Read { file: path.display().to_string(), fault })
}

fn read_picture(path: &Path) -> Result<PositionedPicture, ReadError> {
    let (file, metadata) = open_file(path)?;
    let mut decoder = png_decoder(BufReader::new(file), metadata.len())?;
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info()?;
    check_palette(reader.info())?;
    let (columns, rows) = check_size(reader.info().width.into(), reader.info().height.into())?;
    let sidecars = Sidecars::next_to(path, Format::Png);
    let georeference = match sidecars.place(sidecars.projection()?.keys, [columns, rows])? {
        Some(RasterPlacement { georeference: Some(georeference), order: RowOrder::FromNorth }) => georeference,
        _ => return Err(ReadError::NoWorldFile),
    };
    let too_large = || ReadError::Memory { width: columns, height: rows };
    let (mut pixels, mut rgb): (Vec<u8>, Vec<u8>) = Default::default();
    let bytes = reader.output_buffer_size().ok_or_else(too_large)?;
    pixels.try_reserve_exact(bytes).map_err(|_| too_large())?;
    rgb.try_reserve_exact(columns * rows * 3).map_err(|_| too_large())?;
    pixels.resize(bytes, 0);
    reader.next_frame(&mut pixels)?;
    match reader.output_color_type().0 {
        ColorType::Grayscale => rgb.extend(pixels.iter().flat_map(|&grey| [grey; 3])),
        ColorType::GrayscaleAlpha => {
            rgb.extend(pixels.as_chunks::<2>().0.iter().flat_map(|&[grey, alpha]| [over_white(grey, alpha); 3]));
        }
        ColorType::Rgba => {
            let pixels = pixels.as_chunks::<4>().0.iter();
            rgb.extend(
                pixels.flat_map(|&[red, green, blue, alpha]| {
                    [red, green, blue].map(|channel| over_white(channel, alpha))
                }),
            );
        }
        ColorType::Rgb | ColorType::Indexed => rgb = pixels, // the decoder expands palettes
    }
    Ok(PositionedPicture { picture: Picture::from_rgb(columns, &rgb), georeference })
}

fn over_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u32::from(channel), u32::from(alpha));
    ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}
