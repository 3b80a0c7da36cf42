//! [`PackedChunks`]: strips and tiles in compressions that the decoder of TIFF files lacks, ZSTD and LERC.
//!
//! # References
//! libtiff, *tif_zstd.c* and *tif_lerc.c*, for the data of a strip or tile; Esri, *LERC*, for a blob.

use std::io::{Cursor, Read, Seek, SeekFrom};

use lerc::{DataType, LercInfo, Sample};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::{ByteOrder, Tag};

use super::error::{ReadError, TifError};
use super::limits::{MAX_CONSTANT_BYTES, MAX_EXPANSION};
use super::max_cells::MAX_CELLS;
use super::tif_directories::{LERC, ZSTD};

/// The version of LERC, and the compression of its blobs.
const LERC_PARAMETERS: Tag = Tag::Unknown(50_674);

/// The strips or tiles of an image of a TIFF file.
pub(super) struct PackedChunks {
    compression: Compression,
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    /// The numbers of a cell in a strip or tile.
    samples: u16,
    bits: u16,
    /// The `SampleFormat`: 1 is unsigned, 2 signed, 3 floating-point.
    format: u16,
    predictor: u16,
    /// The maximum size in bytes of a decompressed strip or tile.
    max_bytes: u64,
    zstd: FrameDecoder,
}

#[derive(Clone, Copy)]
enum Compression {
    Zstd,
    Lerc(LercPacking),
}

/// The compression of a LERC blob.
#[derive(Clone, Copy)]
enum LercPacking {
    None,
    Deflate,
    Zstd,
}

/// The columns and rows of a decompressed strip or tile.
#[derive(Clone, Copy)]
struct ChunkSize {
    width: u32,
    height: u32,
}

impl PackedChunks {
    /// Returns the strips or tiles of the present image, or nothing if the decoder reads its compression.
    pub(super) fn of<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Option<Self>, ReadError> {
        let compression = match decoder.find_tag_unsigned::<u16>(Tag::Compression)? {
            Some(ZSTD) => Compression::Zstd,
            Some(LERC) => {
                let parameters = decoder.find_tag_unsigned_vec::<u32>(LERC_PARAMETERS)?.unwrap_or_default();
                Compression::Lerc(match parameters.get(1) {
                    None | Some(0) => LercPacking::None,
                    Some(1) => LercPacking::Deflate,
                    Some(2) => LercPacking::Zstd,
                    Some(code) => {
                        let fault = format!("its LercParameters name the compression {code}, expected 0, 1 or 2");
                        return Err(TifError::Unsupported(fault).into());
                    }
                })
            }
            _ => return Ok(None),
        };
        let (offsets, lengths) = match decoder.get_chunk_type() {
            ChunkType::Strip => (Tag::StripOffsets, Tag::StripByteCounts),
            ChunkType::Tile => (Tag::TileOffsets, Tag::TileByteCounts),
        };
        let offsets = decoder.find_tag_unsigned_vec(offsets)?.unwrap_or_default();
        let lengths = decoder.find_tag_unsigned_vec(lengths)?.unwrap_or_default();
        let mut number = |tag, default| decoder.find_tag_unsigned::<u16>(tag).map(|found| found.unwrap_or(default));
        let is_planar = number(Tag::PlanarConfiguration, 1)? == 2;
        let samples = if is_planar { 1 } else { number(Tag::SamplesPerPixel, 1)? };
        let predictor = number(Tag::Predictor, 1)?;
        let mut first = |tag| decoder.find_tag_unsigned_vec::<u16>(tag).map(|found| found?.first().copied());
        let (bits, format) = (first(Tag::BitsPerSample)?.unwrap_or(1), first(Tag::SampleFormat)?.unwrap_or(1));
        let file_bytes = decoder.inner().seek(SeekFrom::End(0))?;
        let largest_map = 8 * MAX_CELLS; // of float64
        let max_bytes =
            file_bytes.saturating_mul(MAX_EXPANSION).clamp(MAX_CONSTANT_BYTES.min(largest_map), largest_map);
        let zstd = FrameDecoder::new();
        Ok(Some(Self { compression, offsets, lengths, samples, bits, format, predictor, max_bytes, zstd }))
    }

    /// Reads the numbers of a strip or tile, with the padding of a tile.
    pub(super) fn read<R: Read + Seek>(
        &mut self,
        decoder: &mut Decoder<R>,
        chunk: u32,
    ) -> Result<DecodingResult, ReadError> {
        let (width, height) = match decoder.get_chunk_type() {
            ChunkType::Strip => decoder.chunk_data_dimensions(chunk),
            ChunkType::Tile => decoder.chunk_dimensions(),
        };
        let size = ChunkSize { width, height };
        let row_bytes = (u64::from(width) * u64::from(self.samples) * u64::from(self.bits)).div_ceil(8);
        let bytes = row_bytes.checked_mul(height.into()).filter(|bytes| *bytes <= self.max_bytes);
        let Some(bytes) = bytes else {
            let fault = format!("a strip or tile of {width}x{height} cells, more than the file can hold");
            return Err(ReadError::Damaged(fault));
        };
        let packed = self.read_packed(decoder, chunk)?;
        match self.compression {
            Compression::Zstd => self.unpack_zstd(&packed, size, bytes as usize, decoder.byte_order()),
            Compression::Lerc(packing) => {
                // A blob has a header and a mask, and is not much larger than its numbers.
                let limit = 2 * bytes as usize + (1 << 12);
                let blob = match packing {
                    LercPacking::None => packed,
                    LercPacking::Deflate => decompress_to_vec_zlib_with_limit(&packed, limit).map_err(|error| {
                        ReadError::Damaged(format!("the Deflate data of strip or tile {chunk}: {error}"))
                    })?,
                    LercPacking::Zstd => {
                        let mut blob = Vec::new();
                        self.zstd_reader(&packed)?.take(limit as u64).read_to_end(&mut blob)?;
                        blob
                    }
                };
                let fault = |fault| ReadError::Damaged(format!("the LERC blob of strip or tile {chunk}: {fault}"));
                let mut numbers = self.unpack_lerc(&blob, size).map_err(fault)?;
                if decoder.byte_order() == ByteOrder::BigEndian {
                    // libtiff swaps the bytes of a file in this order before they are compressed, and after.
                    let number_bytes = usize::from(self.bits / 8);
                    numbers
                        .as_buffer(0)
                        .as_bytes_mut()
                        .chunks_exact_mut(number_bytes)
                        .for_each(|number| number.reverse());
                }
                Ok(numbers)
            }
        }
    }

    /// Reads the bytes of a strip or tile in the file.
    fn read_packed<R: Read + Seek>(&self, decoder: &mut Decoder<R>, chunk: u32) -> Result<Vec<u8>, ReadError> {
        let place = self.offsets.get(chunk as usize).zip(self.lengths.get(chunk as usize));
        let (offset, length) = place.ok_or(ReadError::Truncated)?;
        let reader = decoder.inner();
        reader.seek(SeekFrom::Start(*offset))?;
        let mut packed = Vec::new();
        reader.take(*length).read_to_end(&mut packed)?;
        if packed.len() as u64 == *length { Ok(packed) } else { Err(ReadError::Truncated) }
    }

    fn zstd_reader<'a>(&'a mut self, packed: &'a [u8]) -> Result<impl Read + 'a, ReadError> {
        StreamingDecoder::new_with_decoder(packed, &mut self.zstd)
            .map_err(|error| ReadError::Damaged(error.to_string()))
    }

    /// Decompresses numbers of ZSTD. The decoder reads them as an uncompressed file of one strip, which undoes the predictor.
    fn unpack_zstd(
        &mut self,
        packed: &[u8],
        size: ChunkSize,
        bytes: usize,
        order: ByteOrder,
    ) -> Result<DecodingResult, ReadError> {
        let mut file = self.header_of_one_strip(size, bytes as u32, order);
        let start = file.len();
        file.resize(start + bytes, 0);
        self.zstd_reader(packed)?.read_exact(&mut file[start..])?;
        let mut limits = Limits::default();
        limits.decoding_buffer_size = bytes;
        limits.intermediate_buffer_size = bytes;
        Ok(Decoder::new(Cursor::new(file))?.with_limits(limits).read_chunk(0)?)
    }

    /// Returns the start of a TIFF file up to the numbers of its only strip.
    fn header_of_one_strip(&self, size: ChunkSize, bytes: u32, order: ByteOrder) -> Vec<u8> {
        const SHORT: u16 = 3;
        const LONG: u16 = 4;
        const ENTRIES: u16 = 11;
        const LENGTH: u32 = 8 + 2 + 12 * ENTRIES as u32 + 4;
        let is_big_endian = order == ByteOrder::BigEndian;
        let short = |number: u16| if is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() };
        let long = |number: u32| if is_big_endian { number.to_be_bytes() } else { number.to_le_bytes() };
        let mut header = if is_big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        header.extend(short(42));
        header.extend(long(8));
        header.extend(short(ENTRIES));
        let entries: [(Tag, u16, u32); ENTRIES as usize] = [
            (Tag::ImageWidth, LONG, size.width),
            (Tag::ImageLength, LONG, size.height),
            (Tag::BitsPerSample, SHORT, self.bits.into()),
            (Tag::Compression, SHORT, 1),
            (Tag::PhotometricInterpretation, SHORT, 1),
            (Tag::StripOffsets, LONG, LENGTH),
            (Tag::SamplesPerPixel, SHORT, self.samples.into()),
            (Tag::RowsPerStrip, LONG, size.height),
            (Tag::StripByteCounts, LONG, bytes),
            (Tag::Predictor, SHORT, self.predictor.into()),
            (Tag::SampleFormat, SHORT, self.format.into()),
        ];
        for (tag, kind, value) in entries {
            header.extend(short(tag.to_u16()));
            header.extend(short(kind));
            header.extend(long(1));
            match kind {
                SHORT => header.extend([short(value as u16), [0; 2]].concat()),
                _ => header.extend(long(value)),
            }
        }
        header.extend(long(0));
        header
    }

    fn unpack_lerc(&self, blob: &[u8], size: ChunkSize) -> Result<DecodingResult, String> {
        let samples = u32::from(self.samples);
        if !blob.starts_with(b"Lerc2 ") {
            return Err("it does not begin with \"Lerc2\"".to_owned());
        }
        let info = lerc::decode_info(blob).map_err(|error| error.to_string())?;
        if (info.width, info.height) != (size.width, size.height) {
            let ChunkSize { width, height } = size;
            return Err(format!("it has {}x{} cells, expected {width}x{height}", info.width, info.height));
        }
        // The last band of bytes may be the mask of the others.
        let is_mask_last =
            samples > 1 && (self.bits, self.format) == (8, 1) && [info.depth, info.bands] == [samples - 1, 1];
        if !is_mask_last && ![[samples, 1], [1, samples]].contains(&[info.depth, info.bands]) {
            return Err(format!("it has {} numbers a cell and {} bands, expected {samples}", info.depth, info.bands));
        }
        let expected = match (self.bits, self.format) {
            (8, 1) => DataType::Byte,
            (8, 2) => DataType::Char,
            (16, 1) => DataType::UShort,
            (16, 2) => DataType::Short,
            (32, 1) => DataType::UInt,
            (32, 2) => DataType::Int,
            (32, 3) => DataType::Float,
            (64, 3) => DataType::Double,
            (bits, _) => return Err(format!("the numbers of the raster have {bits} bits, which LERC has not")),
        };
        if info.data_type != expected {
            return Err(format!("its numbers are {:?}, expected {expected:?}", info.data_type));
        }
        macro_rules! decode {
            ($variant:ident) => {
                DecodingResult::$variant(decode_blob(blob, &info, is_mask_last)?)
            };
        }
        Ok(match expected {
            DataType::Byte => decode!(U8),
            DataType::Char => decode!(I8),
            DataType::UShort => decode!(U16),
            DataType::Short => decode!(I16),
            DataType::UInt => decode!(U32),
            DataType::Int => decode!(I32),
            DataType::Float => decode!(F32),
            DataType::Double => decode!(F64),
        })
    }
}

/// Decodes the numbers of a LERC blob, interleaved by cell. Invalid cells are NaN, or 0 for integers, as in libtiff. If the mask is
/// the last number of a cell, it is 255 for valid cells.
fn decode_blob<T: Sample>(blob: &[u8], info: &LercInfo, is_mask_last: bool) -> Result<Vec<T>, String> {
    let [depth, bands] = [info.depth as usize, info.bands as usize];
    let cells = info.width as usize * info.height as usize;
    let mut numbers = vec![T::default(); cells * depth * bands];
    let masks = lerc::decode_into(blob, &mut numbers).map_err(|error| error.to_string())?.valid_masks;
    for (band, mask) in numbers.chunks_exact_mut(cells * depth).zip(&masks).filter(|(_, mask)| !mask.is_all_valid()) {
        for (_, cell) in band.chunks_exact_mut(depth).enumerate().filter(|(cell, _)| !mask.is_valid(*cell)) {
            cell.fill(T::from_f64(f64::NAN));
        }
    }
    Ok(if is_mask_last {
        let mask_of = |cell| T::from_f64(if masks[0].is_valid(cell) { 255.0 } else { 0.0 });
        let with_mask = |(cell, numbers): (_, &[T])| [numbers, &[mask_of(cell)]].concat();
        numbers.chunks_exact(depth).enumerate().flat_map(with_mask).collect()
    } else if bands > 1 {
        (0..cells)
            .flat_map(|cell| (0..bands).map(move |band| (band, cell)))
            .map(|(band, cell)| numbers[band * cells + cell])
            .collect()
    } else {
        numbers
    })
}
