//! Shared output flags of subcommands, and their effects: checks before the work, writing, messages.

use std::fmt::Display;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, value_parser};

use super::failure::Failure;
use super::interrupt::{install_handler, unless_interrupted};
use super::progress::with_progress_bar;
use super::stdio::{print_message, print_stdout};
use super::text::pluralize;
use super::values::SCALES;
use crate::stage_log::{Stages, log};
use farsight::Job;
use farsight_scene::files::{
    ContentKind, Format, NamedInput, OutputFile, OutputFormat, Product, Provenance, TifLayout, WriteError,
    ensure_folder, ensure_not_input, is_same_file, is_stdout, write_together,
};
use farsight_scene::preset::Preset;

/// The output files.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write to this file, in the format of its extension. May be repeated. `-` is standard output and needs --format
    #[arg(id = "output", long, short, value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
    /// The format of standard output, and of a file with another extension or none
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

/// Adds the formats for some kinds of content to the flags of [`OutputArgs`].
pub(crate) fn with_formats(flag: Arg, kinds: &[ContentKind]) -> Arg {
    match flag.get_id().as_str() {
        "output" => flag.help(format!(
            "Write to this file, in the format of its extension: {}. May be repeated. `-` is standard output and needs --format",
            accepted(kinds)
        )),
        "format" => flag.value_parser(PossibleValuesParser::new(taking(kinds).map(OutputFormat::name))),
        _ => flag,
    }
}

fn taking(kinds: &[ContentKind]) -> impl Iterator<Item = OutputFormat> {
    OutputFormat::all().filter(|format| kinds.iter().any(|kind| format.takes(*kind)))
}

/// Returns the file formats for some kinds of content, such as `.csv, .json or .svg`.
pub(crate) fn accepted(kinds: &[ContentKind]) -> String {
    match kinds.contains(&ContentKind::Film) {
        true => {
            format!("{} or numbered pictures such as frames/%04d.png", OutputFormat::list(kinds).replace(" or ", ", "))
        }
        false => OutputFormat::list(kinds),
    }
}

/// Returns the format of a path for some kinds of content.
pub(crate) fn format_of(flag: &str, path: &Path, kinds: &[ContentKind]) -> Result<OutputFormat, Failure> {
    let name = path.display();
    match OutputFormat::from_path(path) {
        Some(format) if kinds.iter().any(|kind| format.takes(*kind)) => Ok(format),
        Some(format)
            if kinds.contains(&ContentKind::Film) && OutputFile::new(path, format).numbered_name().is_some() =>
        {
            Ok(format)
        }
        Some(format) if format == Format::Hgt => {
            Err(Failure::usage(format!("{name}: {format} files are only read; use .tif")))
        }
        _ => Err(Failure::usage(format!("{flag} {name}: expected a file that ends in {}", accepted(kinds)))),
    }
}

impl OutputArgs {
    /// Returns the files, in formats for some kinds of content. Refuses paths that are not writable, or would overwrite
    /// an input or each other.
    pub(crate) fn files(&self, kinds: &[ContentKind], inputs: &[NamedInput]) -> Result<Vec<OutputFile>, Failure> {
        let has_stdout = self.paths.iter().any(|path| is_stdout(path));
        let given = self.format.as_deref().and_then(OutputFormat::named);
        let format = |path: &Path| {
            if is_stdout(path) {
                return given.ok_or_else(|| {
                    let first = taking(kinds).next().map_or("", OutputFormat::name);
                    Failure::usage(format!(
                        "-o - needs --format, such as --format {first}; expected {}",
                        accepted(kinds)
                    ))
                });
            }
            match (OutputFormat::from_path(path), given.filter(|_| !has_stdout)) {
                (Some(known), Some(given)) if known != given => {
                    let (path, given) = (path.display(), given.name());
                    Err(Failure::usage(format!("-o {path} and --format {given} contradict each other")))
                }
                (None, Some(given)) => Ok(given),
                (None, None) => Err(unknown_format(path, kinds)),
                (Some(_), _) => format_of("-o", path, kinds),
            }
        };
        let file = |path: &PathBuf| Ok(OutputFile::new(path, format(path)?));
        let files = self.paths.iter().map(file).collect::<Result<Vec<_>, Failure>>()?;
        ensure_writable(&files.iter().map(|file| ("-o", file)).collect::<Vec<_>>(), inputs)?;
        Ok(files)
    }
}

/// Returns the output of a picture: a file, or standard output. Refuses what [`ensure_writable`] refuses.
pub(crate) fn picture_file(path: &Path, inputs: &[NamedInput]) -> Result<OutputFile, Failure> {
    let format = match is_stdout(path) {
        true => Format::Png.into(),
        false => format_of("-o", path, &[ContentKind::Picture])?,
    };
    let file = OutputFile::new(path, format);
    ensure_writable(&[("-o", &file)], inputs)?;
    Ok(file)
}

fn unknown_format(path: &Path, kinds: &[ContentKind]) -> Failure {
    let (name, accepted) = (path.display(), accepted(kinds));
    Failure::usage(match path.extension() {
        Some(extension) => {
            format!("{name}: the extension .{} is unknown; use {accepted}", extension.to_string_lossy())
        }
        None => format!("{name}: the file has no extension; use {accepted}, or name a format"),
    })
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
    /// Returns the layout. Refuses it if no output has one.
    pub(crate) fn layout<'a>(self, outputs: impl IntoIterator<Item = &'a OutputFile>) -> Result<TifLayout, Failure> {
        match self.cog {
            false => Ok(TifLayout::Strips),
            true if outputs.into_iter().any(|output| output.format == Format::Tif) => Ok(TifLayout::CloudOptimized),
            true => Err(Failure::usage("--cog is for GeoTIFF files (.tif), and none is written")),
        }
    }
}

/// `--scale`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ScaleArgs {
    /// Pixels per cell of a picture, 1 to 64. Default: for a picture of about 1000 pixels
    #[arg(long, value_name = "PIXELS", value_parser = value_parser!(u32).range(SCALES))]
    pub(crate) scale: Option<u32>,
}

impl ScaleArgs {
    /// Returns the scale. Refuses it if no output is a picture.
    pub(crate) fn of(self, outputs: &[OutputFile]) -> Result<Option<u32>, Failure> {
        match self.scale {
            Some(_) if !has_picture(outputs) => {
                Err(Failure::usage("--scale is for pictures (.png), and none is written"))
            }
            scale => Ok(scale),
        }
    }
}

/// Returns `true` if any of the files is a picture.
pub(crate) fn has_picture(outputs: &[OutputFile]) -> bool {
    outputs.iter().any(|output| output.format.takes(ContentKind::Picture))
}

/// Checks that a repeatable flag is given at most once, or once for each file.
pub(crate) fn ensure_one_for_each(flag: &str, count: usize, outputs: &[OutputFile]) -> Result<(), Failure> {
    match count > 1 && count != outputs.len() {
        true => {
            let files = pluralize(outputs.len(), "file");
            Err(Failure::usage(format!(
                "{flag} is given {count} times for {files}; give it once for all, or once for each -o"
            )))
        }
        false => Ok(()),
    }
}

/// `--quiet`.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct MessageArgs {
    /// Print only errors to standard error
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
    pub(crate) fn ensure_no_stdout(self, outputs: &[OutputFile]) -> Result<(), Failure> {
        match self.json && outputs.iter().any(OutputFile::is_stdout) {
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

/// The memory of a thread: the 2 MiB of its stack, and its startup overhead.
const THREAD_BYTES: usize = 9 << 18;

/// Starts the threads at the beginning, so that a failure gives a message. Without a number, one per processor.
pub(crate) fn start_threads(threads: Option<u16>) -> Result<(), Failure> {
    let failure = |error: &dyn Display| {
        let threads = threads.map_or_else(|| "the threads".to_owned(), |threads| format!("{threads} threads"));
        Failure::internal(format!("cannot start {threads}: {error}; try fewer with --threads or RAYON_NUM_THREADS"))
    };
    let by_default = || std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let processors = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let number = threads.map(usize::from).or_else(by_default).filter(|number| *number > 0).unwrap_or_else(processors);
    // A thread that runs out of memory during its start ends the program, so the memory of all threads is checked
    // first.
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

/// Refuses files that are not writable, that would overwrite an input or each other, or that are the world file,
/// the reference system or the style of another one. Each has its flag; these files are included.
pub(crate) fn ensure_writable(outputs: &[(&str, &OutputFile)], inputs: &[NamedInput]) -> Result<(), Failure> {
    for (i, (flag, output)) in outputs.iter().enumerate() {
        let same = outputs[..i].iter().find(|(_, other)| is_same_file(&other.path, &output.path));
        if let Some((other_flag, other)) = same {
            let (path, other) = (output.path.display(), other.path.display());
            return Err(Failure::usage(match flag == other_flag {
                true => format!("{flag} {path} is given twice: it is the same file as {flag} {other}"),
                false => format!("{flag} {path} is the same file as {other_flag} {other}: choose another name"),
            }));
        }
    }
    for (flag, output) in outputs {
        ensure_not_next_to(&output.path, flag, outputs)?;
        ensure_writable_path(flag, &output.path, inputs)?;
        for (what, path) in next_to(output) {
            ensure_not_input(&path, inputs).map_err(|error| Failure::usage(format!("the {what} {error}")))?;
        }
    }
    Ok(())
}

/// Returns the sidecar files of a file, with their kinds.
fn next_to(output: &OutputFile) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let files = [
        ("world file", output.world_file()),
        ("reference system", output.projection_file()),
        ("style", output.style_file()),
    ];
    files.into_iter().filter_map(|(what, path)| Some((what, path?)))
}

/// Refuses a path of `flag` that is written or removed with one of the files.
pub(crate) fn ensure_not_next_to(path: &Path, flag: &str, outputs: &[(&str, &OutputFile)]) -> Result<(), Failure> {
    for (other_flag, output) in outputs {
        if let Some((what, _)) = next_to(output).find(|(_, file)| is_same_file(file, path)) {
            let (path, output) = (path.display(), output.path.display());
            let message = format!("{flag} {path} is the {what} of {other_flag} {output}: choose another name");
            return Err(Failure::usage(message));
        }
    }
    Ok(())
}

/// Refuses a path of `flag` that is not writable, or would overwrite an input.
pub(crate) fn ensure_writable_path(flag: &str, path: &Path, inputs: &[NamedInput]) -> Result<(), Failure> {
    ensure_folder(path)?;
    ensure_input_kept(flag, path, inputs)
}

/// Refuses a path of `flag` that would overwrite an input.
pub(crate) fn ensure_input_kept(flag: &str, path: &Path, inputs: &[NamedInput]) -> Result<(), Failure> {
    ensure_not_input(path, inputs).map_err(|error| Failure::usage(format!("{flag} {error}")))
}

/// Returns the failure of a layer that a text map cannot express.
pub(crate) fn not_as_text(output: &OutputFile, layer: &str) -> Failure {
    let name = output_name(&output.path);
    Failure::usage(format!("{name}: .txt has characters for values from 0 to 1, not for {layer}; use another format"))
}

/// Writes all files or none; see [`write_together`]. Then prints a message for each, with its summary by its index.
pub(crate) fn write_products(
    products: &[(&OutputFile, Product<'_>)],
    messages: MessageArgs,
    summary: impl Fn(usize) -> String,
) -> Result<(), Failure> {
    install_handler()?;
    let stages = Stages::default();
    let run = |output: &OutputFile, encode: &mut dyn FnMut(Job<'_>) -> Result<(), WriteError>| {
        stages.begin(format_args!("encode {}", output.path.display()));
        let result = with_progress_bar(messages.quiet, encode);
        stages.begin(format_args!("write {}", output.path.display()));
        result
    };
    let removed = unless_interrupted(write_together(products, &run))?;
    drop(stages);
    for path in removed {
        let path = path.display();
        messages.print(format!(
            "removed {path}: it georeferenced an older picture or grid, and the new one has no georeference"
        ));
    }
    for (i, (output, product)) in products.iter().enumerate() {
        let style = output.style_file().filter(|_| product.legend.is_some());
        let next_to_it = [written_world_file(output, product), written_projection_file(output, product), style];
        let mut names = vec![output_name(&output.path)];
        names.extend(next_to_it.iter().flatten().map(|path| path.display().to_string()));
        messages.print(format!("wrote {}: {}", list(&names), summary(i)));
    }
    Ok(())
}

/// Returns the world file that is written next to a file.
pub(crate) fn written_world_file(output: &OutputFile, product: &Product<'_>) -> Option<PathBuf> {
    output.world_file().filter(|_| product.world_file().is_some())
}

/// Returns the file with the coordinate reference system that is next to a file.
pub(crate) fn written_projection_file(output: &OutputFile, product: &Product<'_>) -> Option<PathBuf> {
    output.projection_file().filter(|_| product.projection().is_some())
}

/// Returns `a, b and c`.
fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Returns the provenance of a picture of several maps, which has no single scene.
pub(crate) fn provenance_of_maps(preset: &Preset, layer: &str) -> Provenance {
    let mut provenance = Provenance::default();
    provenance.version = env!("CARGO_PKG_VERSION").into();
    (provenance.preset, provenance.seed) = (preset.to_toml(), preset.world.seed);
    provenance.layer = layer.into();
    provenance
}
