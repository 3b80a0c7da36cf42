//! [`ReadFiles`]: the files that the window has read.

use std::path::Path;

use crate::host::ON_PAGE;
use crate::window::options::ExploreOptions;
use farsight_scene::files::{FileError, NamedInput, OutputFile, OverwritesInput, ensure_not_input};
use farsight_scene::preset::{Preset, shipped};

/// The files that the window has read since it was opened. It never overwrites them, except an opened preset with a
/// preset or an opened walk with a walk. A page reads no files.
#[derive(Debug, Default)]
pub(crate) struct ReadFiles {
    files: Vec<ReadFile>,
}

#[derive(Debug)]
struct ReadFile {
    content: ReadContent,
    input: NamedInput,
}

/// The content of a file that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadContent {
    /// An opened preset; not an extended preset.
    Preset,
    /// A saved walk.
    Walk,
    /// A map, a heightmap, an extended preset, or a script.
    Other,
}

/// The words of messages for the reader of a file.
const SCENE: &str = "the scene";

impl ReadFiles {
    /// Returns the input files of the first scene and the script.
    pub(crate) fn of(options: &ExploreOptions) -> Self {
        let mut read = Self::default();
        let [preset, walk] = [&options.document.preset_file, &options.walk_file].map(Option::as_deref);
        for path in &options.document.input_files {
            let is = |file: Option<&Path>| file == Some(path);
            let content = match () {
                () if is(preset) => ReadContent::Preset,
                () if is(walk) => ReadContent::Walk,
                () => ReadContent::Other,
            };
            read.add(content, SCENE, path);
        }
        if let Some(path) = &options.script_file {
            read.add(ReadContent::Other, "--script", path);
        }
        read
    }

    /// Adds an opened file.
    pub(crate) fn add_opened(&mut self, content: ReadContent, path: &Path) {
        match content {
            ReadContent::Preset => self.add_preset(path),
            ReadContent::Walk | ReadContent::Other => self.add(content, SCENE, path),
        }
    }

    /// Adds a preset and the files that it extends, unless it is a shipped preset.
    pub(crate) fn add_preset(&mut self, path: &Path) {
        if shipped(&path.to_string_lossy()).is_none() {
            for (i, file) in Preset::files(path).iter().enumerate() {
                self.add(if i == 0 { ReadContent::Preset } else { ReadContent::Other }, SCENE, file);
            }
        }
    }

    fn add(&mut self, content: ReadContent, reader: &'static str, path: &Path) {
        if !ON_PAGE && !self.files.iter().any(|file| (file.content, &*file.input.path) == (content, path)) {
            self.files.push(ReadFile { content, input: NamedInput::new(reader, path) });
        }
    }

    /// Checks that a file does not overwrite a read file. A preset or a walk can overwrite one of its kind.
    ///
    /// # Errors
    /// [`OverwritesInput`].
    pub(crate) fn ensure_not_read(&self, output: &Path, content: ReadContent) -> Result<(), OverwritesInput> {
        ensure_not_input(output, &self.inputs(content))
    }

    /// Checks that an export, with its world file, can be written and does not overwrite a read file.
    ///
    /// # Errors
    /// [`OverwritesInput`], and [`FileError`] for a path that cannot be written.
    pub(crate) fn ensure_exportable<E>(&self, output: &OutputFile) -> Result<(), E>
    where
        E: From<FileError> + From<OverwritesInput>,
    {
        if ON_PAGE { Ok(()) } else { output.ensure_writable(&self.inputs(ReadContent::Other)) }
    }

    /// Returns the files that a file of this content must not overwrite.
    fn inputs(&self, content: ReadContent) -> Vec<NamedInput> {
        let is_kept = |file: &&ReadFile| content == ReadContent::Other || file.content != content;
        self.files.iter().filter(is_kept).map(|file| file.input.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::DocumentOptions;
    use farsight_scene::files::Format;
    use std::fs;

    #[test]
    fn no_file_that_is_read_is_replaced_but_by_one_of_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [
            ("mine.toml", "extends = \"base.toml\"\n"),
            ("base.toml", "extends = \"fog\"\n"),
            ("hall.png", ""),
            ("hall.pgw", ""),
            ("a.script", "quit\n"),
            ("b.farsight", ""),
        ] {
            fs::write(path(name), text).unwrap();
        }
        let mut read = ReadFiles::of(&ExploreOptions {
            document: DocumentOptions {
                preset_file: Some(path("mine.toml")),
                input_files: ["mine.toml", "base.toml", "b.farsight"].map(path).into(),
                ..DocumentOptions::default()
            },
            walk_file: Some(path("b.farsight")),
            script_file: Some(path("a.script")),
            ..ExploreOptions::default()
        });
        let refused = |read: &ReadFiles, name: &str| {
            [ReadContent::Preset, ReadContent::Walk, ReadContent::Other]
                .map(|content| read.ensure_not_read(&folder.path().join(".").join(name), content).is_err())
        };
        assert_eq!(refused(&read, "mine.toml"), [false, true, true]);
        assert_eq!(refused(&read, "base.toml"), [true; 3], "it is extended");
        assert_eq!(refused(&read, "b.farsight"), [true, false, true]);
        assert_eq!(refused(&read, "a.script"), [true; 3]);
        assert_eq!(refused(&read, "hall.png"), [false; 3], "it was not read");
        read.add_opened(ReadContent::Other, &path("hall.png"));
        assert_eq!(refused(&read, "hall.png"), [true; 3]);
        assert_eq!(refused(&read, "new.png"), [false; 3]);
        read.add_preset(Path::new("fog"));
        assert_eq!(read.files.len(), 5, "a shipped preset is no file");
    }

    #[test]
    fn presets_that_an_opened_one_extends_are_read_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("mine.toml"), "extends = \"base.toml\"\n").unwrap();
        fs::write(path("base.toml"), "extends = \"fog\"\n").unwrap();
        let mut read = ReadFiles::default();
        read.add_opened(ReadContent::Preset, &path("mine.toml"));
        assert!(read.ensure_not_read(&path("base.toml"), ReadContent::Preset).is_err());
        assert!(read.ensure_not_read(&path("mine.toml"), ReadContent::Preset).is_ok());
    }

    #[test]
    fn world_file_of_an_export_counts() {
        #[derive(Debug)]
        struct Words(String);
        impl From<FileError> for Words {
            fn from(error: FileError) -> Self {
                Self(error.to_string())
            }
        }
        impl From<OverwritesInput> for Words {
            fn from(error: OverwritesInput) -> Self {
                Self(error.to_string())
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("view.pgw");
        fs::write(&script, "quit\n").unwrap();
        let options = ExploreOptions { script_file: Some(script), ..ExploreOptions::default() };
        let read = ReadFiles::of(&options);
        let export =
            |name: &str, format| read.ensure_exportable::<Words>(&OutputFile::new(folder.path().join(name), format));
        let Words(words) = export("view.png", Format::Png).unwrap_err();
        assert!(
            words.ends_with("view.pgw would overwrite the file that --script reads: choose another name"),
            "{words}"
        );
        export("view.npy", Format::Npy).unwrap();
    }
}
