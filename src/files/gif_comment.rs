//! The comment of a `.gif` in which a film says what it shows.

use std::io::BufRead;

use gif::streaming_decoder::{Decoded, OutputBuffer, StreamingDecoder};
use gif::{DecodingError, Extension};

use super::error::{ReadError, WriteError};
use super::provenance::Provenance;

/// How a `.gif` begins.
pub(super) const MAGIC: &[u8] = b"GIF8";

/// The comment begins so, and goes on with JSON.
const KEYWORD: &str = "farsight ";

/// Far more than any preset.
const LONGEST: usize = 4 << 20;

impl Provenance {
    /// The comment of a `.gif`.
    pub(crate) fn to_comment(&self) -> Result<Vec<u8>, WriteError> {
        Ok([KEYWORD, &self.to_json()?].concat().into_bytes())
    }

    /// The provenance in a comment before the first frame of a `.gif`.
    pub(super) fn from_gif(mut reader: impl BufRead) -> Result<Self, ReadError> {
        let mut decoder = StreamingDecoder::new();
        let mut comment = Vec::new();
        loop {
            let bytes = reader.fill_buf()?;
            if bytes.is_empty() {
                return Err(ReadError::Provenance("the file is cut short".into()));
            }
            let (used, decoded) = decoder.update(bytes, &mut OutputBuffer::None).map_err(fault)?;
            match decoded {
                Decoded::SubBlock { ext, is_last } if ext.into_known() == Some(Extension::Comment) => {
                    comment.extend_from_slice(decoder.last_ext_sub_block());
                    if is_last {
                        if let Some(json) = comment.strip_prefix(KEYWORD.as_bytes()) {
                            return serde_json::from_slice(json)
                                .map_err(|error| ReadError::Provenance(error.to_string()));
                        }
                        comment.clear(); // someone else's
                    }
                    if comment.len() > LONGEST {
                        return Err(ReadError::ForeignFile);
                    }
                }
                Decoded::FrameMetadata(_) => return Err(ReadError::ForeignFile),
                _ => {}
            }
            reader.consume(used);
        }
    }
}

fn fault(error: DecodingError) -> ReadError {
    match error {
        DecodingError::Io(error) => ReadError::Io(error),
        other => ReadError::Provenance(other.to_string()),
    }
}
