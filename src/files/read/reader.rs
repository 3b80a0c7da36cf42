//! [`Reader`]: one type for files and bytes, so that every decoder is compiled once.

use std::io::{BufRead, Cursor, Seek};

/// A reader that can go back.
pub(super) trait SeekableReader: BufRead + Seek {}

impl<R: BufRead + Seek> SeekableReader for R {}

/// An open file, or bytes.
pub(super) type Reader<'a> = Box<dyn SeekableReader + 'a>;

/// Returns a reader of bytes.
pub(super) fn reader_of(bytes: &[u8]) -> Reader<'_> {
    Box::new(Cursor::new(bytes))
}
