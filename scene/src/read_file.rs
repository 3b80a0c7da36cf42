//! Bounded reading of files.
//!
//! A path can name anything: a device can be endless, and a pipe without a writer never returns a byte. So the
//! functions read only regular files and streams that the user has opened for the program, up to a limit.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a file to read it.
///
/// # Errors
/// [`io::Error`], which names the kind of a folder, a pipe or a device.
pub(crate) fn open_file(path: &Path) -> io::Result<(File, Metadata)> {
    ensure_readable(path, &std::fs::metadata(path)?)?; // to open a pipe may take forever
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    ensure_readable(path, &metadata)?; // the path may lead to another file by now
    Ok((file, metadata))
}

/// Opens a file or a pipe that the user has named, to read the output of another program.
///
/// # Errors
/// As [`open_file`], except for pipes.
pub(crate) fn open_file_or_pipe(path: &Path) -> io::Result<(File, Metadata)> {
    let metadata = std::fs::metadata(path)?;
    if kind_of(&metadata) != PIPE || metadata.is_dir() || metadata.is_file() {
        return open_file(path);
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// [`io::Error`], which names the kind of a folder, a pipe or a device; [`ErrorKind::FileTooLarge`] for a longer file,
/// and [`ErrorKind::OutOfMemory`].
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to_limit(open_file(path)?.0, limit)
}

/// Reads a stream of at most `limit` bytes to its end. It reserves memory as bytes arrive.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] for a longer stream, [`ErrorKind::OutOfMemory`], and the errors of the stream.
pub(crate) fn read_to_limit(stream: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, TooLong(limit)));
    }
    Ok(bytes)
}

/// A file or stream longer than a limit, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has more than {0} bytes")]
pub(crate) struct TooLong(pub(crate) u64);

impl TooLong {
    /// Returns `true` for the error of a file over the limit.
    pub(crate) fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|error| error.is::<Self>())
    }
}

fn ensure_readable(path: &Path, metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if metadata.is_file() || is_open_stream(path) {
        return Ok(());
    }
    let kind = kind_of(metadata);
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {kind}, not a file")))
}

const PIPE: &str = "a pipe";

fn kind_of(metadata: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;

        let kind = metadata.file_type();
        if kind.is_fifo() {
            return PIPE;
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    let _ = metadata;
    "a device"
}

/// Returns `true` for the path of an open stream, such as `/dev/stdin`, or `/dev/fd/63` for the `<(…)` of a
/// shell.
pub(crate) fn is_open_stream(path: &Path) -> bool {
    cfg!(unix) && ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|stream| path.starts_with(stream))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn folders_pipes_and_devices_are_named_and_longer_files_refused() {
        let folder = std::env::temp_dir().join(format!("farsight-read-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [pipe, file] = ["pipe", "file"].map(|name| folder.join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::fs::write(&file, b"12345").unwrap();
        let error = |path: &Path, limit| read_file(path, limit).unwrap_err();
        assert_eq!(error(&pipe, 9).to_string(), "it is a pipe, not a file");
        assert_eq!(error(Path::new("/dev/zero"), 9).to_string(), "it is a device, not a file");
        assert_eq!(error(&folder, 9).kind(), ErrorKind::IsADirectory);
        assert_eq!(read_file(&file, 5).unwrap(), b"12345");
        let too_long = error(&file, 4);
        assert_eq!(too_long.kind(), ErrorKind::FileTooLarge);
        assert_eq!(too_long.to_string(), "it has more than 4 bytes");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
