//! [`Sequence`]: numbered files that are put in place together.

use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::{FileError, WriteError};
use super::save::folder_of;
use super::save::save_atomically;

/// A name with one place for a number, such as `frames/%04d.png`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedName {
    pattern: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl NumberedName {
    /// The name with a number in place of the one `%d`, or `%04d` for at least four digits, of its last part; `None`
    /// where there is none, or more than one.
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

    /// The path with a number.
    pub fn path(&self, number: usize) -> PathBuf {
        self.pattern.with_file_name(self.name(number))
    }

    fn name(&self, number: usize) -> String {
        format!("{}{number:0digits$}{}", self.before, self.after, digits = self.digits)
    }
}

/// Numbered files that are written into a hidden folder beside their place, and put in place together. Dropped before
/// that, they are gone.
#[derive(Debug)]
pub struct Sequence {
    name: NumberedName,
    folder: TempDir,
    count: usize,
}

impl Sequence {
    /// Files that will have these names, from number 0 on.
    ///
    /// # Errors
    /// [`FileError::Write`] if nothing can be written there.
    pub fn new(name: NumberedName) -> Result<Self, FileError> {
        let place = folder_of(&name.pattern);
        let fault = if place.is_dir() {
            match tempfile::Builder::new().prefix(".farsight-").suffix(".tmp").tempdir_in(place) {
                Ok(folder) => return Ok(Self { name, folder, count: 0 }),
                Err(error) => error.into(),
            }
        } else {
            WriteError::NoFolder { folder: place.display().to_string() }
        };
        Err(FileError::Write { file: name.pattern.display().to_string(), fault })
    }

    /// Writes the next file.
    ///
    /// # Errors
    /// What `write` fails with, or the file system.
    pub fn add(&mut self, write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
        let path = self.folder.path().join(self.name.name(self.count));
        save_atomically(&path, write).map_err(|error| match error {
            FileError::Write { fault, .. } => fault,
            other => WriteError::Encode(other.to_string()),
        })?;
        self.count += 1;
        Ok(())
    }

    /// Puts all files in place, in their order. Older files of these names are replaced.
    ///
    /// # Errors
    /// [`FileError::Write`] with the first name that is refused, a folder for instance; those before it are in place.
    pub fn commit(self) -> Result<(), FileError> {
        for number in 0..self.count {
            let path = self.name.path(number);
            let moved = if path.is_dir() {
                Err(WriteError::IsFolder)
            } else {
                std::fs::rename(self.folder.path().join(self.name.name(number)), &path).map_err(WriteError::Io)
            };
            moved.map_err(|fault| FileError::Write { file: path.display().to_string(), fault })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_place_for_a_number() {
        let name = |pattern: &str, number| NumberedName::parse(Path::new(pattern)).map(|name| name.path(number));
        assert_eq!(name("a/%d.png", 12), Some("a/12.png".into()));
        assert_eq!(name("%02d-x.png", 123), Some("123-x.png".into()));
        for wrong in ["walk.png", "%s.png", "%4d.png", "%0x4d.png", "%d-%d.png", "%d/walk.png", "%099d.png", "%", ""] {
            assert_eq!(name(wrong, 1), None, "{wrong}");
        }
    }

    #[test]
    fn files_come_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let sequence = || Sequence::new(NumberedName::parse(&folder.path().join("%02d.txt")).unwrap()).unwrap();
        let mut dropped = sequence();
        dropped.add(|out| Ok(out.write_all(b"a")?)).unwrap();
        drop(dropped);
        assert!(names().is_empty());
        let mut kept = sequence();
        for text in [b"a", b"b", b"c"] {
            kept.add(|out| Ok(out.write_all(text)?)).unwrap();
        }
        assert!(kept.add(|_| Err(WriteError::Empty)).is_err());
        kept.commit().unwrap();
        assert_eq!(names(), ["00.txt", "01.txt", "02.txt"]);
        assert_eq!(std::fs::read(folder.path().join("01.txt")).unwrap(), b"b");
        assert!(Sequence::new(NumberedName::parse(&folder.path().join("no/%d.txt")).unwrap()).is_err());
    }
}
