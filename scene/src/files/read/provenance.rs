//! Reads the [`Provenance`] of pictures, films and JSON files.

use std::io::{BufRead, Read};

use gif::streaming_decoder::{Block, Decoded, OutputBuffer, StreamingDecoder};
use gif::{DecodingError, Extension};
use serde::Deserialize;

use super::error::ReadError;
use super::limits::{Reader, reader_of};
use super::png::png_decoder;
use crate::files::format::{GIF_SIGNATURE, PNG_SIGNATURE};
use crate::files::provenance::Provenance;
use crate::guard_panics::guarded;

/// The maximum length of a text, in bytes: far above any preset.
const MAX_TEXT: usize = 4 << 20;

impl Provenance {
    /// Decodes the provenance in the bytes of a picture, film or JSON file.
    ///
    /// # Errors
    /// [`ReadError`] if the file is none of these, or its provenance is missing or invalid.
    pub fn decode(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::read_from(reader_of(bytes), bytes.len() as u64)
    }

    /// Decodes the provenance from a reader of `length` bytes.
    pub(super) fn read_from(reader: Reader<'_>, length: u64) -> Result<Self, ReadError> {
        guarded(|| Self::read_format(reader, length))?
    }

    fn read_format(mut reader: Reader<'_>, length: u64) -> Result<Self, ReadError> {
        let start = reader.fill_buf()?;
        if start.starts_with(PNG_SIGNATURE) {
            read_png(reader, length)
        } else if start.starts_with(GIF_SIGNATURE) {
            read_gif(reader)
        } else if start.trim_ascii_start().starts_with(b"{") {
            read_json(reader)
        } else {
            Err(ReadError::NoProvenance)
        }
    }
}

fn read_png(reader: Reader<'_>, length: u64) -> Result<Provenance, ReadError> {
    let mut reader = png_decoder(reader, length)?.read_info()?;
    reader.finish()?; // some programs write text chunks behind the pixels
    let text = chunk_text(reader.info())?;
    serde_json::from_str(&text).map_err(|error| ReadError::Provenance(error.to_string()))
}

/// Returns the text of the only chunk with the keyword of farsight. PNG has three kinds of text chunks.
fn chunk_text(info: &png::Info<'_>) -> Result<String, ReadError> {
    fn is_ours(keyword: &str) -> bool {
        keyword == Provenance::KEYWORD
    }
    let mut utf8 = info.utf8_text.iter().filter(|chunk| is_ours(&chunk.keyword));
    let mut compressed = info.compressed_latin1_text.iter().filter(|chunk| is_ours(&chunk.keyword));
    let mut plain = info.uncompressed_latin1_text.iter().filter(|chunk| is_ours(&chunk.keyword));
    let count = utf8.clone().count() + compressed.clone().count() + plain.clone().count();
    if count > 1 {
        return Err(several_scenes());
    }
    if let Some(chunk) = utf8.next() {
        let mut chunk = chunk.clone();
        chunk.decompress_text_with_limit(MAX_TEXT)?;
        return Ok(chunk.get_text()?);
    }
    if let Some(chunk) = compressed.next() {
        let mut chunk = chunk.clone();
        chunk.decompress_text_with_limit(MAX_TEXT)?;
        return Ok(chunk.get_text()?);
    }
    plain.next().map(|chunk| chunk.text.clone()).ok_or(ReadError::ForeignFile)
}

/// Returns the error for a picture with more than one scene: programs would differ in which of them it shows.
fn several_scenes() -> ReadError {
    ReadError::Provenance("the file carries more than one: expected one".to_owned())
}

/// Reads the comments before the first frame of a `.gif`.
fn read_gif(mut reader: Reader<'_>) -> Result<Provenance, ReadError> {
    let mut decoder = StreamingDecoder::new();
    let (mut comment, mut found) = (Vec::new(), None);
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Err(ReadError::Provenance("the file is cut short".into()));
        }
        let (used, decoded) = decoder.update(bytes, &mut OutputBuffer::None).map_err(|error| match error {
            DecodingError::Io(error) => ReadError::Io(error),
            other => ReadError::Provenance(other.to_string()),
        })?;
        match decoded {
            Decoded::SubBlock { ext, is_last } if ext.into_known() == Some(Extension::Comment) => {
                comment.extend_from_slice(decoder.last_ext_sub_block());
                if is_last {
                    if let Some(json) = comment.strip_prefix(Provenance::GIF_COMMENT_PREFIX.as_bytes()) {
                        let read = serde_json::from_slice(json);
                        let read = read.map_err(|error| ReadError::Provenance(error.to_string()))?;
                        if found.replace(read).is_some() {
                            return Err(several_scenes());
                        }
                    }
                    comment.clear();
                }
                if comment.len() > MAX_TEXT {
                    return Err(ReadError::ForeignFile);
                }
            }
            // After the trailer the decoder reads nothing and reports no error, so that this loop would not end.
            Decoded::FrameMetadata(_) | Decoded::BlockStart(Block::Trailer) => {
                return found.ok_or(ReadError::ForeignFile);
            }
            _ => {}
        }
        reader.consume(used);
    }
}

fn read_json(reader: impl Read) -> Result<Provenance, ReadError> {
    /// The required part of the file; the values are skipped.
    #[derive(Deserialize)]
    struct File {
        farsight: Option<Provenance>,
    }
    let file: File = serde_json::from_reader(reader).map_err(|error| match error.classify() {
        serde_json::error::Category::Io => ReadError::Io(error.into()),
        _ => ReadError::Provenance(error.to_string()),
    })?;
    file.farsight.ok_or(ReadError::ForeignFile)
}
