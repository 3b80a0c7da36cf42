//! Checks of output paths before any work, and writing of several files together.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::WriteError;
use super::output_format::OutputFormat;
use super::product::{Content, ContentKind, PlacedPicture, Product};
use super::save::{
    NumberedName, Sequence, Staged, existing_folder_of, folder_of, follow_links, hold, remove_stale_files,
    with_new_name, write_stdout,
};
use crate::files::error::FileError;
use crate::files::format::Format;
use crate::paint::Picture;
use farsight::Job;

/// A file to write, or standard output if the path is `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// The path.
    pub path: PathBuf,
    /// The format.
    pub format: OutputFormat,
    /// `true` to write a QGIS style next to a raster.
    pub has_style: bool,
}

impl OutputFile {
    /// Creates a file without a style.
    pub fn new(path: impl Into<PathBuf>, format: impl Into<OutputFormat>) -> Self {
        Self { path: path.into(), format: format.into(), has_style: false }
    }

    /// Returns `true` for standard output.
    pub fn is_stdout(&self) -> bool {
        is_stdout(&self.path)
    }

    /// Returns the path of the world file of a picture.
    pub fn world_file(&self) -> Option<PathBuf> {
        (self.format.takes(ContentKind::Picture) && !self.is_stdout()).then(|| self.path.with_extension("pgw"))
    }

    /// Returns the path of the coordinate reference system of a format without one of its own.
    pub fn projection_file(&self) -> Option<PathBuf> {
        let is_written = !self.is_stdout() && !cfg!(target_arch = "wasm32"); // the page has no texts of systems
        (self.format.has_projection_file() && is_written).then(|| self.path.with_extension("prj"))
    }

    /// Returns the path of the style of a GeoTIFF file.
    pub fn style_file(&self) -> Option<PathBuf> {
        (self.has_style && self.format == Format::Tif).then(|| self.path.with_extension("qml"))
    }

    /// Returns the name of the pictures of a film, if it is written as numbered pictures.
    pub fn numbered_name(&self) -> Option<NumberedName> {
        NumberedName::parse(&self.path).filter(|_| self.format.takes(ContentKind::Picture))
    }

    /// Checks that the file is writable, and that neither it nor its sidecar file replaces an input.
    ///
    /// # Errors
    /// Those of [`ensure_folder`] and [`ensure_not_input`].
    pub fn ensure_writable<E>(&self, inputs: &[NamedInput]) -> Result<(), E>
    where
        E: From<FileError> + From<OverwritesInput>,
    {
        ensure_folder(&self.path)?;
        ensure_not_input(&self.path, inputs)?;
        let next_to_it = [self.world_file(), self.projection_file(), self.style_file()];
        Ok(next_to_it.iter().flatten().try_for_each(|path| ensure_not_input(path, inputs))?)
    }
}

/// An input file with its name in messages.
#[derive(Clone, Debug)]
pub struct NamedInput {
    /// The flag or the command that names it: `--map`.
    pub reader: &'static str,
    /// The path.
    pub path: PathBuf,
}

impl NamedInput {
    /// Creates an input.
    pub fn new(reader: &'static str, path: impl Into<PathBuf>) -> Self {
        Self { reader, path: path.into() }
    }
}

/// An output path that leads to an input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} would overwrite the file that {reader} reads: choose another name", output.display())]
pub struct OverwritesInput {
    output: PathBuf,
    reader: &'static str,
}

/// Returns `true` if the path is `-`, which is standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Checks that a write to `output` replaces no input, for any spelling of the paths.
///
/// # Errors
/// [`OverwritesInput`] with the path and the flag of the input.
pub fn ensure_not_input(output: &Path, inputs: &[NamedInput]) -> Result<(), OverwritesInput> {
    if !output.exists() {
        return Ok(()); // a missing input is an error of its own when it is read
    }
    match inputs.iter().find(|input| is_same_file(output, &input.path)) {
        Some(input) => Err(OverwritesInput { output: output.to_owned(), reader: input.reader }),
        None => Ok(()),
    }
}

/// Checks that a file at `path` can be created: its folder exists, and it is not a folder itself.
///
/// # Errors
/// [`FileError::Write`] with the path.
pub fn ensure_folder(path: &Path) -> Result<(), FileError> {
    match existing_folder_of(path) {
        _ if is_stdout(path) => Ok(()),
        _ if path.is_dir() => Err(FileError::write(path, WriteError::IsFolder)),
        Ok(_) => Ok(()),
        Err(fault) => Err(FileError::write(path, fault)),
    }
}

/// `true` on systems whose file names are usually case-insensitive.
const IGNORES_CASE: bool = cfg!(any(windows, target_os = "macos"));

/// Returns `true` if writes to both paths replace the same file, which need not exist yet. Existing files are compared
/// by device and inode, so that mounts, hard links and differences in case are detected.
pub fn is_same_file(first: &Path, second: &Path) -> bool {
    let replaced = replaced_file(first);
    let is_one = |file: &PathBuf| {
        replaced_file(second)
            .is_some_and(|other| *file == other || same_file::is_same_file(file, other).unwrap_or(false))
    };
    first == second || replaced.as_ref().is_some_and(is_one)
}

/// Returns the absolute path, without links, of the file that a write to `path` replaces. `None` for streams, devices
/// and folders. On case-insensitive systems, a name that does not exist yet is in lower case.
pub fn replaced_file(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        _ if is_stdout(path) => None,
        Ok(file) => file.is_file().then_some(file),
        Err(_) => {
            let file = follow_links(path);
            let name = file.file_name()?;
            let name = if IGNORES_CASE { name.to_string_lossy().to_lowercase().into() } else { name.to_owned() };
            Some(folder_of(&file).canonicalize().ok()?.join(name))
        }
    }
}

/// A file under a temporary name that is removed after all others are in place.
struct SetAside {
    path: PathBuf,
    aside: tempfile::TempPath,
    /// The open file, with a lock.
    _held: std::fs::File,
}

impl SetAside {
    fn new(path: &Path) -> io::Result<Self> {
        let aside = with_new_name(|builder| builder.tempfile_in(folder_of(path)))?.into_temp_path();
        let held = std::fs::File::open(path)?;
        hold(&held);
        std::fs::rename(path, &aside)?;
        Ok(Self { path: path.to_owned(), aside, _held: held })
    }

    fn restore(self) {
        let _ = self.aside.persist(self.path); // a failure is that of the disk, which is reported already
    }
}

/// Writes a product as a file, with its world file; see [`write_together`].
///
/// # Errors
/// [`FileError::Write`].
pub fn save_product(output: &OutputFile, product: Product<'_>) -> Result<(), FileError> {
    write_together(&[(output, product)], &|_, encode| encode(Job::none())).map(|_| ())
}

/// A written file that is not in place yet.
enum Written {
    File(Staged),
    Pictures(Sequence),
}

/// A function that encodes a file with a job.
type EncodeFile<'a> = &'a mut dyn FnMut(Job<'_>) -> Result<(), WriteError>;

/// Writes all files under temporary names, then standard output, and then renames the files, so that after an error all
/// older files are unchanged. A picture gets its world file if the product has a georeference; otherwise an older world
/// file is removed. A film in a picture format is one file per frame. `run` calls its argument, which encodes a file,
/// with a job. Returns the paths of the removed world files. Temporary files of killed runs are removed from the
/// folders first.
///
/// # Errors
/// [`FileError::Write`] with the first failed file.
pub fn write_together(
    outputs: &[(&OutputFile, Product<'_>)],
    run: &dyn Fn(&OutputFile, EncodeFile<'_>) -> Result<(), WriteError>,
) -> Result<Vec<PathBuf>, FileError> {
    for (output, _) in outputs.iter().filter(|(output, _)| !output.is_stdout()) {
        remove_stale_files(&output.path); // first: they may take the room
    }
    let mut written = Vec::new();
    for (output, product) in outputs.iter().filter(|(output, _)| !output.is_stdout()) {
        output.write(product, run, &mut written)?;
    }
    for (output, product) in outputs.iter().filter(|(output, _)| output.is_stdout()) {
        write_stdout(|out| run(output, &mut |job| product.write_until_cancelled(output.format, job, out)))?;
    }
    let check = |file: &Written| if let Written::Pictures(pictures) = file { pictures.check() } else { Ok(()) };
    written.iter().try_for_each(check)?;
    let (mut removed, mut aside) = (Vec::new(), Vec::new());
    for file in written {
        let result = match file {
            Written::Pictures(pictures) => pictures.commit().map(|paths| removed.extend(paths)),
            Written::File(file) => {
                removed.extend(file.removes().map(Path::to_owned));
                match file.removes().map(SetAside::new) {
                    Some(Ok(file)) => {
                        aside.push(file);
                        Ok(())
                    }
                    Some(Err(_)) | None => file.commit(),
                }
            }
        };
        if let Err(error) = result {
            aside.into_iter().for_each(SetAside::restore);
            return Err(error);
        }
    }
    drop(aside);
    Ok(removed)
}

impl OutputFile {
    /// Writes the file and its sidecar file under temporary names.
    fn write(
        &self,
        product: &Product<'_>,
        run: &dyn Fn(&Self, EncodeFile<'_>) -> Result<(), WriteError>,
        written: &mut Vec<Written>,
    ) -> Result<(), FileError> {
        if let (Content::Film(film), Some(name)) = (&product.content, self.numbered_name()) {
            let mut pictures = Sequence::new(name)?;
            let provenance = film.provenance();
            let mut add = |picture: &Picture| {
                let picture = Product::from(PlacedPicture::new(picture.clone(), provenance.clone()));
                pictures.add(|out| picture.write(self.format, Job::none(), out))
            };
            run(self, &mut |job| film.for_each_frame(job, &mut add))
                .map_err(|fault| FileError::write(&self.path, fault))?;
            written.push(Written::Pictures(pictures));
            return Ok(());
        }
        let file =
            Staged::new(&self.path, |out| run(self, &mut |job| product.write_until_cancelled(self.format, job, out)))?;
        if self.format.takes(ContentKind::Picture) {
            written.extend(Staged::world_file(&self.path, product.world_file().as_deref())?.map(Written::File));
        }
        if self.projection_file().is_some() {
            written.extend(Staged::projection(&self.path, product.projection().as_deref())?.map(Written::File));
        }
        if let (Some(path), Some(style)) = (self.style_file(), product.style()) {
            written.push(Written::File(Staged::new(&path, |out| Ok(out.write_all(style.as_bytes())?))?));
        }
        written.push(Written::File(file));
        Ok(())
    }
}

impl Product<'_> {
    /// Writes the product until the job is cancelled.
    fn write_until_cancelled(&self, format: OutputFormat, job: Job<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        self.write(format, job, &mut CancellableWriter { out, job })
    }
}

/// A writer that fails once its job is cancelled.
struct CancellableWriter<'a> {
    out: &'a mut dyn Write,
    job: Job<'a>,
}

impl Write for CancellableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.job.check().map_err(io::Error::other)?;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
