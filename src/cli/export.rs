//! `farsight export`: what is seen, or a layer of the map, as files.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::value_parser;
use serde_json::json;

use super::exit::Failure;
use super::interrupt::Stoppable;
use super::scene_args::SceneArgs;
use crate::cli::interrupt;
use crate::cli::{output, print, say};
use crate::export::{Crop, Export, ExportOptions, PictureStyle};
use crate::files::{Depth, FileError, Format, Staged, WriteError, write_stdout};
use crate::paint::Unseen;
use crate::scene::{Layer, Scene};

const EXAMPLES: &str = "\
Examples:
  farsight export -o view.png                                 the default view as a picture
  farsight export --preset mist --seed 7 -o mist.png -o mist.npy
  farsight export --layer elevation --grey --depth 16 -o height.png
  farsight export --map cave.npy --at 20,12 --radius 24 -o seen.npy
  farsight export --crop sight -o - --format csv | head";

/// Pixels a cell.
pub(super) const SCALES: std::ops::RangeInclusive<i64> = 1..=64;

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    what: What,
    /// Write here; the extension tells the format: .png, .npy, .csv, .json, .asc, .tif or .txt. May be given again. `-`
    /// is standard output and needs --format
    #[arg(long, short, value_name = "FILE", required = true, num_args = 1.., help_heading = "Output")]
    output: Vec<PathBuf>,
    /// The format of standard output, and of a file whose extension tells none
    #[arg(long, value_name = "FORMAT", value_parser = formats(), help_heading = "Output")]
    format: Option<Format>,
    /// Work with so many threads, 1 to 1024. The result does not depend on it. Default: one a processor
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Output")]
    threads: Option<u16>,
    /// Say nothing on standard error but what went wrong
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Say on standard output, in one line of JSON, what was written
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// What of the scene is written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is written")]
struct What {
    /// The field: visibility (0 to 1), perceived (visibility times light, 0 to 1), light, opacity, humidity,
    /// vegetation (0 to 1), elevation (m), temperature (°C), biome (its number), and on hills that are a horizon
    /// min-visible-height (m) and slope-margin (a slope). Default: visibility
    #[arg(long, value_parser = layers(), hide_possible_values = true)]
    layer: Option<Layer>,
    /// The part of the map: map is all of it, sight the square of the radius around the viewer. Default: auto, which is
    /// map, and for the picture of a view the radius and a margin
    #[arg(long, value_parser = crops())]
    crop: Option<Crop>,
    /// Pixels a cell of a picture, 1 to 64. Default: as many as make about a thousand pixels
    #[arg(long, value_name = "PIXELS", value_parser = value_parser!(u32).range(SCALES))]
    scale: Option<u32>,
    /// In a picture, cells out of sight are muted as on a map, or unknown. Default: mapped
    #[arg(long, value_parser = unseen_ways())]
    unseen: Option<Unseen>,
    /// A grey picture for programs: a pixel a cell, 0 black, 1 white (elevation, temperature, biome: the least and the
    /// greatest value)
    #[arg(long, conflicts_with_all = ["scale", "unseen"])]
    grey: bool,
    /// Bits of a grey pixel: 8 or 16. Means --grey. Default: 8
    #[arg(long, value_name = "BITS", value_parser = depths(), conflicts_with_all = ["scale", "unseen"])]
    depth: Option<Depth>,
}

impl What {
    /// The flags laid over the options that a picture carries, or the usual ones.
    fn over(&self, options: ExportOptions) -> ExportOptions {
        let grey = self.grey.then(Depth::default);
        let style = match (self.depth.or(grey), self.scale, self.unseen, options.style) {
            (Some(depth), ..) => PictureStyle::Grey(depth),
            (None, None, None, style) => style,
            (None, scale, unseen, PictureStyle::Painted { scale: old_scale, unseen: old_unseen }) => {
                PictureStyle::Painted { scale: scale.or(old_scale), unseen: unseen.unwrap_or(old_unseen) }
            }
            (None, scale, unseen, PictureStyle::Grey(_)) => {
                PictureStyle::Painted { scale, unseen: unseen.unwrap_or(Unseen::Mapped) }
            }
        };
        ExportOptions {
            layer: self.layer.unwrap_or(options.layer),
            crop: self.crop.unwrap_or(options.crop),
            style,
            ..options
        }
    }

    /// The first flag that means something in pictures only.
    fn picture_flag(&self) -> Option<&'static str> {
        let flags = [
            ("--grey", self.grey),
            ("--depth", self.depth.is_some()),
            ("--scale", self.scale.is_some()),
            ("--unseen", self.unseen.is_some()),
        ];
        flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }
}

fn layers() -> impl TypedValueParser<Value = Layer> {
    choice(Layer::ALL.iter().map(|&layer| (layer.name(), layer)).collect())
}

fn crops() -> impl TypedValueParser<Value = Crop> {
    choice(Crop::ALL.map(|crop| (crop.name(), crop)).into())
}

pub(super) fn unseen_ways() -> impl TypedValueParser<Value = Unseen> {
    choice(Unseen::ALL.map(|unseen| (unseen.name(), unseen)).into())
}

fn depths() -> impl TypedValueParser<Value = Depth> {
    choice(vec![("8", Depth::Eight), ("16", Depth::Sixteen)])
}

pub(super) fn formats() -> impl TypedValueParser<Value = Format> {
    choice(Format::ALL.iter().map(|format| (format.extension(), *format)).collect())
}

/// One of several words, each for a value.
pub(super) fn choice<T: Copy + Send + Sync + 'static>(
    words: Vec<(&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let names = words.iter().map(|(word, _)| PossibleValue::new(*word));
    PossibleValuesParser::new(names).try_map(move |given| {
        words.iter().find(|(word, _)| *word == given).map(|(_, value)| *value).ok_or_else(|| format!("no such {given}"))
    })
}

pub(super) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let targets = args.targets()?;
    output::spare(args.output.iter().map(PathBuf::as_path), &args.scene.files())?;
    use_threads(args.threads)?;
    let request = args.scene.request()?;
    let options = args.what.over(request.options.clone());
    check_layer(options.layer, &targets)?;
    for target in targets.iter().filter(|target| !target.is_stdout()) {
        check_folder(&target.path)?;
    }
    let (scene, _) = request.scene(args.quiet)?;
    let mut exports = Vec::new();
    for target in &targets {
        exports.push((target, Export::prepare(&scene, target.format, &options)?));
    }
    let encode = |export: &Export, format, out: &mut dyn Write| export.write(format, options.style, out);
    let removed = write_all(&exports, encode, Export::world_file)?;
    say_removed(&removed, args.quiet);
    for (target, export) in &exports {
        if !args.quiet {
            say(&summary(&scene, &options, target, export));
        }
    }
    if args.json { print(&format!("{}\n", report(&scene, &options, &exports))) } else { Ok(()) }
}

/// Works with so many threads from now on, if a number is given.
pub(super) fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    pool.map_err(|error| Failure::internal(format!("cannot start {threads} threads: {error}")))
}

/// A file to write, or standard output.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

impl Target {
    pub(super) fn is_stdout(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// The world file beside it.
    fn world_file(&self) -> PathBuf {
        self.path.with_extension("pgw")
    }

    pub(super) fn name(&self) -> String {
        if self.is_stdout() { "standard output".to_owned() } else { self.path.display().to_string() }
    }
}

impl ExportArgs {
    /// The files with their formats; flags that contradict each other are refused.
    fn targets(&self) -> Result<Vec<Target>, Failure> {
        let mut targets: Vec<Target> = Vec::new();
        let to_stdout = self.output.iter().any(|path| path.as_os_str() == "-");
        for path in &self.output {
            if targets.iter().any(|target| target.path == *path) {
                return Err(Failure::usage(format!("-o {} is given twice", path.display())));
            }
            let format = format_of(path, self.format, to_stdout)?;
            targets.push(Target { path: path.clone(), format });
        }
        if to_stdout && self.json {
            return Err(Failure::usage("--json and -o - cannot both write to standard output"));
        }
        let paints = targets.iter().any(|target| target.format == Format::Png);
        if let Some(flag) = self.what.picture_flag()
            && !paints
        {
            let formats: Vec<String> = targets.iter().map(|target| target.format.to_string()).collect();
            let formats = formats.join(", ");
            return Err(Failure::usage(format!("{flag} is for pictures (.png), but what is written is {formats}")));
        }
        Ok(targets)
    }
}

/// The format of a file, or of standard output, which --format names.
pub(super) fn format_of(path: &Path, named: Option<Format>, to_stdout: bool) -> Result<Format, Failure> {
    if path.as_os_str() == "-" {
        return named.ok_or_else(|| Failure::usage("-o - needs --format, such as --format csv"));
    }
    match (Format::from_path(path), named) {
        (Ok(known), Some(wanted)) if known != wanted && !to_stdout => Err(Failure::usage(format!(
            "-o {} and --format {} contradict each other",
            path.display(),
            wanted.extension()
        ))),
        (Ok(known), _) => Ok(known),
        (Err(_), Some(wanted)) if !to_stdout => Ok(wanted),
        (Err(error), _) => Err(Failure::usage(error.to_string())),
    }
}

/// A text map has characters for values from 0 to 1 only.
fn check_layer(layer: Layer, targets: &[Target]) -> Result<(), Failure> {
    let text = targets.iter().find(|target| target.format == Format::Txt);
    match text {
        Some(target) if !layer.is_share() => Err(Failure::usage(format!(
            "{}: .txt has characters for values from 0 to 1 only, not for {}; use another format",
            target.name(),
            layer.name()
        ))),
        _ => Ok(()),
    }
}

/// A folder that is missing is said before the work rather than after it.
pub(super) fn check_folder(path: &Path) -> Result<(), FileError> {
    let fault = match path.parent() {
        _ if path.is_dir() => WriteError::IsFolder,
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            WriteError::NoFolder { folder: folder.display().to_string() }
        }
        _ => return Ok(()),
    };
    Err(FileError::Write { file: path.display().to_string(), fault })
}

/// Writes all files under temporary names, then standard output, and then gives the files their names. Beside a
/// picture goes its world file, if there is a text for one; older ones of pictures without are removed, and returned.
pub(super) fn write_all<T>(
    exports: &[(&Target, T)],
    encode: impl Fn(&T, Format, &mut dyn Write) -> Result<(), WriteError>,
    world_file: impl Fn(&T, Format) -> Option<String>,
) -> Result<Vec<PathBuf>, Failure> {
    interrupt::catch()?;
    let write = |out: &mut dyn Write, format, export: &T| encode(export, format, &mut Stoppable(out));
    let written = || {
        let mut staged = Vec::new();
        for (target, export) in exports.iter().filter(|(target, _)| !target.is_stdout()) {
            let file = Staged::new(&target.path, |out| write(out, target.format, export))?;
            if target.format == Format::Png {
                let text = world_file(export, target.format);
                staged.extend(Staged::world_file(&target.path, text.as_deref())?);
            }
            staged.push(file);
        }
        for (target, export) in exports.iter().filter(|(target, _)| target.is_stdout()) {
            write_stdout(|out| write(out, target.format, export))?;
        }
        let removed = staged.iter().filter_map(Staged::removes).map(Path::to_owned).collect();
        staged.into_iter().try_for_each(Staged::commit)?;
        Ok(removed)
    };
    let written: Result<Vec<PathBuf>, FileError> = written();
    match written {
        Err(_) if interrupt::pressed() => Err(Failure::interrupted()),
        other => Ok(other?),
    }
}

/// Says which world files were removed.
pub(super) fn say_removed(removed: &[PathBuf], quiet: bool) {
    for path in removed.iter().filter(|_| !quiet) {
        say(&format!("removed {}: it told where an older picture lay, and the new one lies nowhere", path.display()));
    }
}

fn unit(export: &Export) -> &'static str {
    match export {
        Export::Values(_) => "cells",
        Export::Picture(..) => "pixels",
    }
}

impl Target {
    /// The world file that is written beside an export, if one is.
    fn world_file_of(&self, export: &Export) -> Option<String> {
        let has_one = !self.is_stdout() && export.world_file(self.format).is_some();
        has_one.then(|| self.world_file().display().to_string())
    }
}

/// `wrote view.png: visibility, 1064x1090 pixels, viewer at 12,80`.
fn summary(scene: &Scene, options: &ExportOptions, target: &Target, export: &Export) -> String {
    let (size, viewer) = (export.size(), scene.viewer());
    let (mut name, layer) = (target.name(), options.layer.name());
    if let Some(world_file) = target.world_file_of(export) {
        name += &format!(" and {world_file}");
    }
    format!("wrote {name}: {layer}, {}x{} {}, viewer at {},{}", size.x, size.y, unit(export), viewer.x, viewer.y)
}

/// What was written, for programs.
fn report(scene: &Scene, options: &ExportOptions, exports: &[(&Target, Export)]) -> serde_json::Value {
    let files: Vec<serde_json::Value> = exports
        .iter()
        .map(|(target, export)| {
            json!({
                "path": target.path.display().to_string(),
                "format": target.format.extension(),
                "width": export.size().x,
                "height": export.size().y,
                "unit": unit(export),
                "world_file": target.world_file_of(export),
            })
        })
        .collect();
    json!({
        "files": files,
        "layer": options.layer.name(),
        "preset": options.name,
        "map": options.map.as_ref().map(|map| &map.name),
        "seed": options.map.is_none().then_some(scene.preset().world.seed),
        "viewer": scene.viewer().to_array(),
        "radius": scene.radius(),
    })
}
