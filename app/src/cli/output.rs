//! Output flags that subcommands share, and what they imply: checks before the work, writing, messages.

use std::fmt::Display;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::value_parser;

use super::failure::Failure;
use super::interrupt::{InterruptibleWriter, install_handler, unless_interrupted};
use super::stdio::{print_message, print_stdout};
use super::values::choice;
use crate::stage_log::{Stages, log};
use farsight_scene::files::{
    Format, NamedInput, OutputFile, Provenance, TifLayout, WriteError, ensure_folder, ensure_not_input, is_same_file,
    is_stdout, write_picture, write_together,
};
use farsight_scene::paint::Picture;
use farsight_scene::preset::Preset;

/// The files that data is written to.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write to this file, in the format of its extension: .png, .npy, .csv, .json, .asc, .tif, .r16 or .txt. May be
    /// repeated. `-` is standard output and needs --format
    #[arg(id = "output", long, short, value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The format of standard output, and of a file with another extension or none
    #[arg(long, value_name = "FORMAT", value_parser = choice(WRITTEN_FORMATS, Format::extension))]
    format: Option<Format>,
    #[command(flatten)]
    pub(crate) tif: TifArgs,
}

/// `--cog`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TifArgs {
    /// Write each .tif as a Cloud Optimized GeoTIFF: in tiles, with overviews
    #[arg(long)]
    cog: bool,
}

impl TifArgs {
    /// Refuses the layout of files that are not written.
    pub(crate) fn ensure_applies_to<'a>(
        self,
        outputs: impl IntoIterator<Item = &'a OutputFile>,
    ) -> Result<(), Failure> {
        match self.cog && outputs.into_iter().all(|output| output.format != Format::Tif) {
            true => Err(Failure::usage("--cog is for GeoTIFF files (.tif), and none is written")),
            false => Ok(()),
        }
    }

    pub(crate) fn layout(self) -> TifLayout {
        if self.cog { TifLayout::CloudOptimized } else { TifLayout::Strips }
    }
}

/// All formats but those that are only read.
const WRITTEN_FORMATS: [Format; 8] =
    [Format::Png, Format::Npy, Format::Csv, Format::Json, Format::Asc, Format::Tif, Format::R16, Format::Txt];

impl OutputArgs {
    pub(crate) fn files(&self) -> Result<Vec<OutputFile>, Failure> {
        ensure_distinct(&self.paths.iter().map(|path| ("-o", path.as_path())).collect::<Vec<_>>())?;
        let has_stdout = self.paths.iter().any(|path| is_stdout(path));
        let files = self
            .paths
            .iter()
            .map(|path| match self.format(path, has_stdout)? {
                format if !format.is_written() => {
                    Err(Failure::usage(format!("{}: {format} files are only read; use .tif", output_name(path))))
                }
                format => Ok(OutputFile { path: path.clone(), format }),
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        self.tif.ensure_applies_to(&files)?;
        Ok(files)
    }

    fn format(&self, path: &Path, has_stdout: bool) -> Result<Format, Failure> {
        if is_stdout(path) {
            return self.format.ok_or_else(|| Failure::usage("-o - needs --format, such as --format csv"));
        }
        let for_files = self.format.filter(|_| !has_stdout);
        match (Format::from_path(path), for_files) {
            (Ok(known), Some(given)) if known != given => {
                let (path, given) = (path.display(), given.extension());
                Err(Failure::usage(format!("-o {path} and --format {given} contradict each other")))
            }
            (Ok(known), _) => Ok(known),
            (Err(_), Some(given)) => Ok(given),
            (Err(error), None) => Err(Failure::usage(error)),
        }
    }
}

/// `--quiet`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct MessageArgs {
    /// Print nothing but errors to standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl MessageArgs {
    /// Prints a message to standard error, unless `--quiet` is given.
    pub(crate) fn print(self, message: impl Display) {
        if !self.quiet {
            print_message(message);
        }
    }
}

/// `--json`, for subcommands that write data to files.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ReportArgs {
    /// Print one line of JSON about the written files to standard output
    #[arg(long)]
    json: bool,
}

impl ReportArgs {
    /// Refuses to print both data and JSON to standard output.
    pub(crate) fn ensure_no_stdout(self, outputs: &[PathBuf]) -> Result<(), Failure> {
        match self.json && outputs.iter().any(|path| is_stdout(path)) {
            true => Err(Failure::usage("--json and -o - cannot both write to standard output")),
            false => Ok(()),
        }
    }

    /// Returns `true` if `--json` is given.
    pub(crate) fn is_asked_for(self) -> bool {
        self.json
    }

    /// Prints the report, if `--json` is given.
    pub(crate) fn print(self, report: impl FnOnce() -> serde_json::Value) -> Result<(), Failure> {
        if self.json { print_stdout(format!("{}\n", report())) } else { Ok(()) }
    }
}

/// `--threads`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ThreadArgs {
    /// Compute with this many threads, 1 to 1024. The result does not depend on it. Default: one per processor
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    pub(crate) fn start(self) -> Result<(), Failure> {
        start_threads(self.threads)
    }
}

/// The memory of a thread: the 2 MiB of its stack, and what it needs to start.
const THREAD_BYTES: usize = 9 << 18;

/// Starts the threads before they are needed, so that a failure is a message. Without a number, one per processor.
pub(crate) fn start_threads(threads: Option<u16>) -> Result<(), Failure> {
    let failure = |error: &dyn Display| {
        let threads = threads.map_or_else(|| "the threads".to_owned(), |threads| format!("{threads} threads"));
        Failure::internal(format!("cannot start {threads}: {error}; try fewer with --threads or RAYON_NUM_THREADS"))
    };
    let by_default = || std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let processors = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let number = threads.map(usize::from).or_else(by_default).filter(|number| *number > 0).unwrap_or_else(processors);
    // A thread that finds no memory while it starts ends the program, so the memory of all is asked for before.
    Vec::<u8>::new().try_reserve_exact(number.saturating_mul(THREAD_BYTES)).map_err(|error| failure(&error))?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0).into())
        .build_global()
        .map_err(|error| failure(&error))?;
    log(format_args!("threads: {}", rayon::current_num_threads()));
    Ok(())
}

pub(crate) fn output_name(path: &Path) -> String {
    if is_stdout(path) { "standard output".to_owned() } else { path.display().to_string() }
}

/// Refuses two paths that lead to the same file. Each comes with its flag.
pub(crate) fn ensure_distinct(paths: &[(&str, &Path)]) -> Result<(), Failure> {
    for (i, (flag, path)) in paths.iter().enumerate() {
        if let Some((other_flag, other)) = paths[..i].iter().find(|(_, other)| is_same_file(other, path)) {
            let (path, other) = (path.display(), other.display());
            return Err(Failure::usage(match flag == other_flag {
                true => format!("{flag} {path} is given twice: it is the same file as {flag} {other}"),
                false => format!("{flag} {path} is the same file as {other_flag} {other}: choose another name"),
            }));
        }
    }
    Ok(())
}

/// Refuses files of `-o` that cannot be put in place, that would overwrite an input, or that are the world file of another
/// output. World files count.
pub(crate) fn ensure_writable(outputs: &[OutputFile], inputs: &[NamedInput]) -> Result<(), Failure> {
    for output in outputs {
        ensure_no_world_file(&output.path, "-o", outputs)?;
        ensure_writable_path("-o", &output.path, inputs)?;
        if let Some(path) = output.world_file() {
            ensure_not_input(&path, inputs).map_err(|error| Failure::usage(format!("the world file {error}")))?;
        }
    }
    Ok(())
}

/// Refuses a path of `flag` that cannot be put in place, or would overwrite an input.
pub(crate) fn ensure_writable_path(flag: &str, path: &Path, inputs: &[NamedInput]) -> Result<(), Failure> {
    ensure_folder(path)?;
    ensure_input_kept(flag, path, inputs)
}

/// Refuses a path of `flag` that would overwrite an input.
pub(crate) fn ensure_input_kept(flag: &str, path: &Path, inputs: &[NamedInput]) -> Result<(), Failure> {
    ensure_not_input(path, inputs).map_err(|error| Failure::usage(format!("{flag} {error}")))
}

/// Refuses a path of `flag` that is the world file of an output, which is written or removed with its picture.
pub(crate) fn ensure_no_world_file(path: &Path, flag: &str, outputs: &[OutputFile]) -> Result<(), Failure> {
    let is_world_file = |output: &&OutputFile| output.world_file().is_some_and(|file| is_same_file(&file, path));
    match outputs.iter().find(is_world_file) {
        Some(picture) => {
            let (path, picture) = (path.display(), picture.path.display());
            Err(Failure::usage(format!("{flag} {path} is the world file of -o {picture}: choose another name")))
        }
        None => Ok(()),
    }
}

/// Refuses a path of `-o` that is not a `.png`, cannot be put in place or would overwrite an input.
pub(crate) fn ensure_writable_png(path: &Path, inputs: &[NamedInput]) -> Result<(), Failure> {
    if !is_stdout(path) && Format::from_path(path) != Ok(Format::Png) {
        return Err(Failure::usage(format!("-o {}: expected a .png", path.display())));
    }
    ensure_writable(&[OutputFile { path: path.to_owned(), format: Format::Png }], inputs)
}

/// The failure of a layer that a text map has no characters for.
pub(crate) fn not_as_text(output: &OutputFile, layer: &str) -> Failure {
    let name = output_name(&output.path);
    Failure::usage(format!("{name}: .txt has characters for values from 0 to 1, not for {layer}; use another format"))
}

/// Writes all files or none; see [`write_together`].
pub(crate) fn write_files<T>(
    outputs: &[(&OutputFile, T)],
    encode: impl Fn(&T, Format, &mut dyn Write) -> Result<(), WriteError>,
    world_file: impl Fn(&T, Format) -> Option<String>,
    messages: MessageArgs,
) -> Result<(), Failure> {
    install_handler()?;
    let stages = Stages::default();
    let named: Vec<_> = outputs.iter().map(|(output, content)| (*output, (*output, content))).collect();
    let encode = |(output, content): &(&OutputFile, &T), format, out: &mut dyn Write| {
        stages.begin(format_args!("encode {}", output.path.display()));
        let result = encode(content, format, &mut InterruptibleWriter(out));
        stages.begin(format_args!("write {}", output.path.display()));
        result
    };
    let world_file = |(_, content): &(&OutputFile, &T), format| world_file(content, format);
    report_removed(&unless_interrupted(write_together(&named, encode, world_file))?, messages);
    Ok(())
}

/// Reports the world files that new pictures without a georeference have removed.
pub(crate) fn report_removed(world_files: &[PathBuf], messages: MessageArgs) {
    for path in world_files {
        let path = path.display();
        messages
            .print(format!("removed {path}: it georeferenced an older picture, and the new one has no georeference"));
    }
}

/// Writes a `.png` that carries a provenance, and returns its width and height.
pub(crate) fn write_png(
    path: &Path,
    picture: &Picture,
    provenance: &Provenance,
    messages: MessageArgs,
) -> Result<(u32, u32), Failure> {
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let output = OutputFile { path: path.to_owned(), format: Format::Png };
    let encode = |picture: &&Picture, _, out: &mut dyn Write| {
        write_picture(out, width, height, picture.rgba(), Some(provenance))
    };
    write_files(&[(&output, picture)], encode, |_, _| None, messages)?;
    Ok((width, height))
}

/// The provenance of a picture of several maps, which has no single scene.
pub(crate) fn provenance_of_maps(preset: &Preset, layer: &str) -> Provenance {
    let mut provenance = Provenance::default();
    provenance.version = env!("CARGO_PKG_VERSION").into();
    (provenance.preset, provenance.seed) = (preset.to_toml(), preset.world.seed);
    provenance.layer = layer.into();
    provenance
}
