//! Putting a file in place whole, or not at all.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::{FileError, WriteError};

/// Writes to a path, or to standard output if the path is `-`; see [`save_atomically`] and [`write_stdout`].
///
/// # Errors
/// [`FileError::Write`] that begins with the name of the file.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    if path.as_os_str() == "-" { write_stdout(write) } else { save_atomically(path, write) }
}

/// Writes to standard output. A reader that has gone away is no failure.
///
/// # Errors
/// [`FileError::Write`] if the writer fails.
pub fn write_stdout(write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    stream(io::stdout().lock(), write).map_err(|fault| FileError::Write { file: "standard output".to_owned(), fault })
}

/// Writes a file under a temporary name beside its own and then gives it its name, so that at every moment
/// the older file of that name or the whole new one is there, and after a failure the older one.
///
/// The permissions are those of the older file, else the usual ones of a new file. A symbolic link stays, and
/// the file that it leads to is written. Where nothing can be renamed, to a pipe or a device, the bytes are
/// written straight.
///
/// # Errors
/// [`FileError::Write`] if the folder is missing, the target is a folder or write-protected, or `write` or
/// the file system fails.
pub fn save_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), FileError> {
    Staged::new(path, write)?.commit()
}

/// A file that is written whole but does not have its name yet, so that several can be put in place together once all
/// are written. Dropped, it leaves nothing behind.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    change: Change,
}

/// What is still to be done.
#[derive(Debug)]
enum Change {
    /// The file is there under a temporary name.
    Name(Unnamed),
    /// The file that is there goes.
    Remove,
    /// A stream, which is written already.
    Nothing,
}

impl Staged {
    /// Writes a file under a temporary name, as [`save_atomically`] does. Where nothing can be renamed, to a pipe or
    /// a device, the bytes are written straight.
    ///
    /// # Errors
    /// As [`save_atomically`]; nothing is left behind then.
    pub fn new(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<Self, FileError> {
        match stage(path, write) {
            Ok(Some(file)) => Ok(Self { path: path.to_owned(), change: Change::Name(file) }),
            Ok(None) => Ok(Self { path: path.to_owned(), change: Change::Nothing }),
            Err(fault) => Err(FileError::Write { file: path.display().to_string(), fault }),
        }
    }

    /// The world file (`.pgw`) beside a new picture: written, where there is a text for it. Where there is none, an
    /// older one is to be removed, for it would tell of the new picture where another lay. Put in place before the
    /// picture, so that no new picture is ever told an old place. `None` if there is nothing to do.
    ///
    /// # Errors
    /// As [`save_atomically`]; also if the older one is write-protected.
    pub fn world_file(picture: &Path, text: Option<&str>) -> Result<Option<Self>, FileError> {
        let path = picture.with_extension("pgw");
        if let Some(text) = text {
            return Self::new(&path, |out| Ok(out.write_all(text.as_bytes())?)).map(Some);
        }
        match fs::symlink_metadata(&path) {
            Ok(old) if old.is_file() && old.permissions().readonly() => {
                Err(FileError::Write { file: path.display().to_string(), fault: WriteError::Protected })
            }
            Ok(old) if old.is_file() || old.is_symlink() => Ok(Some(Self { path, change: Change::Remove })),
            _ => Ok(None),
        }
    }

    /// The file that will be removed, if it is not a new one.
    pub fn removes(&self) -> Option<&Path> {
        matches!(self.change, Change::Remove).then_some(&self.path)
    }

    /// Gives the file its name, or removes the older one.
    ///
    /// # Errors
    /// [`FileError::Write`] if the file system refuses; an older file of that name is as it was.
    pub fn commit(self) -> Result<(), FileError> {
        let done = match self.change {
            Change::Name((file, path, old)) => put_in_place(file, &path, old),
            Change::Remove => match fs::remove_file(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            },
            Change::Nothing => Ok(()),
        };
        done.map_err(|fault| FileError::Write { file: self.path.display().to_string(), fault })
    }
}

/// A file under a temporary name, its name to be, and the permissions of the older file of that name.
type Unnamed = (NamedTempFile, PathBuf, Option<Permissions>);

fn stage(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<Option<Unnamed>, WriteError> {
    let old = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(WriteError::IsFolder);
        }
        if !old.is_file() || is_device(path) {
            return stream(OpenOptions::new().append(true).open(path)?, write).map(|()| None);
        }
        if old.permissions().readonly() {
            return Err(WriteError::Protected);
        }
    }
    let path = follow_links(path);
    let file = write_unnamed(&path, write)?;
    Ok(Some((file, path, old.map(|old| old.permissions()))))
}

/// The folder of a path.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a temporary file beside a path.
fn write_unnamed(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<NamedTempFile, WriteError> {
    let folder = folder_of(path);
    if path.file_name().is_none() {
        return Err(WriteError::IsFolder);
    }
    if !folder.is_dir() {
        return Err(WriteError::NoFolder { folder: folder.display().to_string() });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".farsight-").suffix(".tmp");
    #[cfg(unix)]
    {
        // What a new file usually gets; the process's umask takes its share from it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?; // it is deleted unless it is persisted
    let mut out = BufWriter::with_capacity(1 << 16, &file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    Ok(file)
}

/// Gives a temporary file its name.
fn put_in_place(file: NamedTempFile, path: &Path, old: Option<Permissions>) -> Result<(), WriteError> {
    if let Some(old) = old {
        file.as_file().set_permissions(old)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    #[cfg(unix)]
    if let Ok(folder) = fs::File::open(folder_of(path)) {
        let _ = folder.sync_all(); // the name is safe, too; not every file system can
    }
    Ok(())
}

/// Writes straight to where nothing can be renamed.
fn stream(out: impl Write, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let done = write(&mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Err(fault) if fault.is_closed_pipe() => {
            let _ = out.into_parts(); // what is left in the buffer is not tried again
            Ok(())
        }
        other => other,
    }
}

/// Whether a path names an open stream such as `/dev/stdout`, behind which a file may lie that others write, too.
fn is_device(path: &Path) -> bool {
    let streams = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && streams.iter().any(|stream| path.starts_with(stream))
}

/// The file that a chain of symbolic links leads to; it need not exist. The file system has refused longer
/// chains before this is asked.
pub(super) fn follow_links(path: &Path) -> PathBuf {
    const LONGEST_CHAIN: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        let Ok(target) = fs::read_link(&path) else { break };
        // A relative target counts from the folder of the link; an absolute one replaces it all.
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}
