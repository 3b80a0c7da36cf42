//! [`Sequence`]: numbered files that are renamed together.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::WriteError;
use super::save::{Staged, existing_folder_of, folder_of, hold, remove_stale, with_new_name};
use crate::files::error::FileError;

/// A file name with one placeholder for a number, such as `frames/%04d.png`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedName {
    pattern: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl NumberedName {
    /// Parses a path whose file name has one placeholder: `%d`, or `%04d` for at least four digits. Returns `None` if
    /// there is none, or more than one.
    ///
    /// ```
    /// use farsight::files::NumberedName;
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
    /// The open folder, which others leave alone.
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

    /// Checks that no folder is where a file is to be put.
    ///
    /// # Errors
    /// [`FileError::Write`] with the first folder.
    pub fn check(&self) -> Result<(), FileError> {
        match (0..self.count).map(|number| self.name.path(number)).find(|path| path.is_dir()) {
            Some(folder) => Err(FileError::write(&folder, WriteError::IsFolder)),
            None => Ok(()),
        }
    }

    /// Renames the files in their order. They replace old files of these names, and world files that georeferenced those are
    /// removed. Returns the paths of the removed world files.
    ///
    /// # Errors
    /// Those of [`check`](Self::check), before any file is renamed, and [`FileError::Write`] with the first file that cannot be
    /// renamed; those before it are renamed.
    pub fn commit(self) -> Result<Vec<PathBuf>, FileError> {
        self.check()?;
        let mut removed = Vec::new();
        for number in 0..self.count {
            let path = self.name.path(number);
            if let Some(world_file) = Staged::world_file(&path, None)? {
                removed.extend(world_file.removes().map(Path::to_owned));
                world_file.commit()?;
            }
            std::fs::rename(self.folder.path().join(self.name.name(number)), &path)
                .map_err(|error| FileError::write(&path, error))?;
        }
        Ok(removed)
    }
}
