//! Saves a file, or a [`Sequence`] of numbered files, atomically, by a temporary name. Temporary files are named after
//! the writing process, locked while it writes, and removed once they are old and unlocked.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{NamedTempFile, TempDir};

use super::error::WriteError;
use crate::files::error::FileError;
use crate::files::prj_system::PrjSystem;
use crate::files::prj_text::prj_text;
use crate::read_file::read_file;

/// Writes a file, or standard output if the path is `-`; see [`save_atomically`] and [`write_stdout`].
///
/// # Errors
/// [`FileError::Write`] with the name of the file.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    if path.as_os_str() == "-" { write_stdout(write) } else { save_atomically(path, write) }
}

/// Writes standard output. A closed pipe is not an error.
///
/// # Errors
/// [`FileError::Write`] if the writer fails.
pub fn write_stdout(write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), FileError> {
    stream(io::stdout().lock(), write).map_err(|fault| FileError::Write { file: "standard output".to_owned(), fault })
}

/// Writes a temporary file in the same folder and then renames it, so that the path always leads to the complete old or
/// new file, and after an error to the old one.
///
/// The new file has the permissions of the old one, or the default permissions. Symbolic links are followed. A pipe or
/// a device is written directly.
///
/// # Errors
/// [`FileError::Write`] if the folder is missing, the target is a folder or write-protected, or `write` or the file
/// system fails.
pub fn save_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), FileError> {
    remove_stale_files(path); // first: they may take the room of the new file
    Staged::new(path, write)?.commit()
}

/// A file under a temporary name, so that several files can be renamed together after all are written. Without
/// [`commit`](Self::commit) nothing changes.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    change: PendingChange,
}

/// The change that [`Staged::commit`] makes.
#[derive(Debug)]
enum PendingChange {
    /// A file under a temporary name replaces the target, with the permissions of the old file.
    Rename { file: NamedTempFile, target: PathBuf, permissions: Option<Permissions> },
    /// The old file is removed.
    Remove,
    /// A stream is already written.
    None,
}

impl Staged {
    /// Writes a temporary file. A pipe or a device is written directly.
    ///
    /// # Errors
    /// As [`save_atomically`]. No temporary file remains.
    pub fn new(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<Self, FileError> {
        let change = stage(path, write).map_err(|fault| FileError::write(path, fault))?;
        Ok(Self { path: path.to_owned(), change })
    }

    /// Stages the world file (`.pgw`) of a new picture: it is written if there is a text for it; otherwise an old one
    /// is removed, because it would give the new picture a wrong position. A file of that name that is not a world file
    /// stays. Returns `None` if there is nothing to do.
    ///
    /// Commit it before the picture, so that a new picture never has an old position.
    ///
    /// # Errors
    /// As [`save_atomically`], and if the old world file is write-protected.
    pub fn world_file(picture: &Path, text: Option<&str>) -> Result<Option<Self>, FileError> {
        let path = picture.with_extension("pgw");
        if let Some(text) = text {
            return Self::new(&path, |out| Ok(out.write_all(text.as_bytes())?)).map(Some);
        }
        let is_png = picture.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        match fs::symlink_metadata(&path) {
            _ if !is_png => Ok(None), // it belongs to another picture
            _ if !is_world_file(&path) => Ok(None),
            Ok(old) if old.is_file() && old.permissions().readonly() => {
                Err(FileError::write(&path, WriteError::Protected))
            }
            Ok(old) if old.is_file() || old.is_symlink() => Ok(Some(Self { path, change: PendingChange::Remove })),
            _ => Ok(None),
        }
    }

    /// Stages the file `.prj` next to a new raster or picture. A file there that has the same system already stays as it is. One that
    /// an earlier export wrote is replaced, or removed if there is no new text. Returns `None` if there is nothing to do.
    ///
    /// # Errors
    /// As [`save_atomically`], and [`WriteError::OtherSystem`] for a file with another system that no export wrote: that of a
    /// shapefile, for instance.
    pub fn projection(file: &Path, text: Option<&str>) -> Result<Option<Self>, FileError> {
        const MAX_BYTES: u64 = 1 << 20;
        let path = file.with_extension("prj");
        let old = match read_file(&path, MAX_BYTES) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(FileError::write(&path, WriteError::Io(error))),
        };
        let old_system = old.as_deref().and_then(PrjSystem::parse);
        let old_text = old_system.as_ref().and_then(|system| prj_text(&system.keys));
        let is_own = old.is_some() && old == old_text;
        match (text, old) {
            (None, Some(_)) if is_own => Ok(Some(Self { path, change: PendingChange::Remove })),
            (None, _) => Ok(None),
            (Some(text), Some(old)) if text == old => Ok(None),
            (Some(text), Some(_)) if !is_own => {
                let new_system = PrjSystem::parse(text);
                let is_same = old_system.zip(new_system).is_some_and(|(old, new)| old.is_same(&new));
                if is_same { Ok(None) } else { Err(FileError::write(&path, WriteError::OtherSystem)) }
            }
            (Some(text), _) => Self::new(&path, |out| Ok(out.write_all(text.as_bytes())?)).map(Some),
        }
    }

    /// Returns the file that [`commit`](Self::commit) removes, if it removes one.
    pub fn removes(&self) -> Option<&Path> {
        matches!(self.change, PendingChange::Remove).then_some(&self.path)
    }

    /// Renames the temporary file, or removes the old one.
    ///
    /// # Errors
    /// [`FileError::Write`] if the file system fails; an old file of that name is unchanged.
    pub fn commit(self) -> Result<(), FileError> {
        let result = match self.change {
            PendingChange::Rename { file, target, permissions } => rename(file, &target, permissions),
            PendingChange::Remove => match fs::remove_file(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            },
            PendingChange::None => Ok(()),
        };
        result.map_err(|fault| FileError::write(&self.path, fault))
    }
}

/// Returns `true` for a world file: six numbers.
fn is_world_file(path: &Path) -> bool {
    const NUMBERS: usize = 6;
    const MAX_BYTES: u64 = 1 << 12; // far more than six numbers have
    let Ok(text) = read_file(path, MAX_BYTES).map(String::from_utf8) else { return false };
    let words: Vec<&str> = text.as_deref().unwrap_or_default().split_whitespace().collect();
    words.len() == NUMBERS && words.iter().all(|word| word.parse::<f64>().is_ok())
}

fn stage(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<PendingChange, WriteError> {
    let old = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(WriteError::IsFolder);
        }
        if !old.is_file() || is_open_stream(path) {
            return stream(OpenOptions::new().append(true).open(path)?, write).map(|()| PendingChange::None);
        }
        if old.permissions().readonly() {
            return Err(WriteError::Protected);
        }
    }
    let target = follow_links(path);
    let file = write_temporary(&target, write)?;
    Ok(PendingChange::Rename { file, target, permissions: old.map(|old| old.permissions()) })
}

/// Removes the temporary files of killed runs from the folder of the target of a path.
pub fn remove_stale_files(path: &Path) {
    remove_stale(folder_of(&follow_links(path)));
}

pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the folder of a path, if there is one.
pub(super) fn existing_folder_of(path: &Path) -> Result<&Path, WriteError> {
    let folder = folder_of(path);
    if folder.is_dir() { Ok(folder) } else { Err(WriteError::NoFolder(folder.display().to_string())) }
}

fn write_temporary(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<NamedTempFile, WriteError> {
    if path.file_name().is_none() {
        return Err(WriteError::IsFolder);
    }
    let folder = existing_folder_of(path)?;
    let file = with_new_name(|builder| {
        #[cfg(unix)]
        {
            // The default for new files, without the umask of the process.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder) // dropping it deletes it
    })?;
    hold(file.as_file());
    let mut out = BufWriter::with_capacity(1 << 16, &file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?; // now, so that the renames of several files follow each other at once
    Ok(file)
}

fn rename(file: NamedTempFile, target: &Path, permissions: Option<Permissions>) -> Result<(), WriteError> {
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(without_special_bits(permissions))?;
    }
    file.persist(target).map_err(|error| error.error)?;
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all(); // makes the new name durable; not every file system can
    }
    Ok(())
}

/// Returns permissions without the setuid and setgid bits.
fn without_special_bits(permissions: Permissions) -> Permissions {
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        Permissions::from_mode(permissions.mode() & 0o777)
    };
    permissions
}

fn stream(out: impl Write, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        Err(fault) if fault.is_closed_pipe() => {
            let _ = out.into_parts(); // drops the buffer without writing it again
            Ok(())
        }
        other => other,
    }
}

/// Returns `true` for the path of an open stream such as `/dev/stdout`, which may be a file with other writers.
fn is_open_stream(path: &Path) -> bool {
    let streams = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    cfg!(unix) && streams.iter().any(|stream| path.starts_with(stream))
}

/// Returns the target of a chain of symbolic links; it need not exist. The file system rejects longer chains before
/// this is called.
pub(super) fn follow_links(path: &Path) -> PathBuf {
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        // A relative target is relative to the folder of the link; an absolute one replaces the path.
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

const PREFIX: &str = ".farsight-";
const SUFFIX: &str = ".tmp";

/// Calls `make` with names of new temporary files and folders until it succeeds.
pub(super) fn with_new_name<T>(make: impl FnOnce(&mut tempfile::Builder<'_, '_>) -> T) -> T {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    make(tempfile::Builder::new().prefix(&prefix).suffix(SUFFIX))
}

/// Locks a temporary file or folder while it is open. Not every file system supports this.
pub(super) fn hold(file: &File) {
    if cfg!(unix) {
        let _ = file.try_lock();
    }
}

/// The minimum age at which an unlocked temporary file counts as left by a killed process: processes of another
/// container or machine cannot be checked, some file systems do not share locks between machines, and a new file is not
/// locked yet.
const LEFT_AFTER: Duration = Duration::from_secs(600);

/// Removes the temporary files of killed processes from a folder. Failures are ignored, since these files only take
/// disk space.
fn remove_stale(folder: &Path) {
    if !cfg!(unix) {
        return; // a lock there would keep the process itself from its file
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let path = entry.path();
        match fs::symlink_metadata(&path) {
            Ok(file) if file.is_file() && is_old(&file) && !is_held(&path) => {
                let _ = fs::remove_file(&path);
            }
            Ok(file) if file.is_dir() && is_old(&file) && !is_held(&path) => {
                let _ = fs::remove_dir_all(&path);
            }
            _ => {}
        }
    }
}

fn is_old(file: &Metadata) -> bool {
    file.modified().ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > LEFT_AFTER)
}

fn is_held(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_err())
}

/// A file name with one placeholder for a number, such as `frames/%04d.png`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedName {
    pattern: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl NumberedName {
    /// Parses a path whose file name has one placeholder: `%d`, or `%04d` for at least four digits. Returns `None`
    /// unless there is exactly one placeholder.
    ///
    /// ```
    /// use farsight_scene::files::NumberedName;
    /// let name = NumberedName::parse("frames/step-%03d.png".as_ref()).unwrap();
    /// assert_eq!(name.path(7), std::path::Path::new("frames/step-007.png"));
    /// assert_eq!(NumberedName::parse("walk.png".as_ref()), None);
    /// ```
    pub fn parse(pattern: &Path) -> Option<Self> {
        let name = pattern.file_name()?.to_str()?;
        let (before, rest) = name.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let count: usize = if digits.is_empty() { 1 } else { digits.parse().ok()? };
        let is_one = !after.contains('%') && count <= 9 && (digits.is_empty() || digits.starts_with('0'));
        is_one.then(|| Self {
            pattern: pattern.to_owned(),
            before: before.to_owned(),
            digits: count,
            after: after.to_owned(),
        })
    }

    /// Returns the path with a number.
    pub fn path(&self, number: usize) -> PathBuf {
        self.pattern.with_file_name(self.name(number))
    }

    fn name(&self, number: usize) -> String {
        format!("{}{number:0digits$}{}", self.before, self.after, digits = self.digits)
    }
}

/// Numbered files that are written to a temporary folder, and renamed together. Without [`commit`](Self::commit) they are
/// deleted.
#[derive(Debug)]
pub struct Sequence {
    name: NumberedName,
    folder: TempDir,
    /// The open folder, with a lock.
    _held: Option<File>,
    count: usize,
}

impl Sequence {
    /// Creates the temporary folder next to the files, which are numbered from 0.
    ///
    /// # Errors
    /// [`FileError::Write`] if the folder cannot be created.
    pub fn new(name: NumberedName) -> Result<Self, FileError> {
        remove_stale(folder_of(&name.pattern)); // first: they may take the room of the new files
        let folder = existing_folder_of(&name.pattern)
            .and_then(|target| Ok(with_new_name(|builder| builder.tempdir_in(target))?))
            .map_err(|fault| FileError::write(&name.pattern, fault))?;
        let held = File::open(folder.path()).ok();
        held.iter().for_each(hold);
        Ok(Self { name, folder, _held: held, count: 0 })
    }

    /// Writes the next file.
    ///
    /// # Errors
    /// [`WriteError`] of `write` or of the file system.
    pub fn add(&mut self, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
        let path = self.folder.path().join(self.name.name(self.count));
        Staged::new(&path, write).and_then(Staged::commit).map_err(|error| match error {
            FileError::Write { fault, .. } => fault,
            other => WriteError::Encode(other.to_string()),
        })?;
        self.count += 1;
        Ok(())
    }

    /// Checks that no target is a folder.
    ///
    /// # Errors
    /// [`FileError::Write`] with the first folder.
    pub fn check(&self) -> Result<(), FileError> {
        match (0..self.count).map(|number| self.name.path(number)).find(|path| path.is_dir()) {
            Some(folder) => Err(FileError::write(&folder, WriteError::IsFolder)),
            None => Ok(()),
        }
    }

    /// Renames the files in their order. They replace old files of these names, whose world files are removed. Returns
    /// the paths of the removed world files.
    ///
    /// # Errors
    /// Those of [`check`](Self::check), before any file is renamed, and [`FileError::Write`] with the first file that
    /// cannot be renamed; earlier files are renamed.
    pub fn commit(self) -> Result<Vec<PathBuf>, FileError> {
        self.check()?;
        let mut removed = Vec::new();
        for number in 0..self.count {
            let path = self.name.path(number);
            if let Some(world_file) = Staged::world_file(&path, None)? {
                removed.extend(world_file.removes().map(Path::to_owned));
                world_file.commit()?;
            }
            fs::rename(self.folder.path().join(self.name.name(number)), &path)
                .map_err(|error| FileError::write(&path, error))?;
        }
        Ok(removed)
    }
}
