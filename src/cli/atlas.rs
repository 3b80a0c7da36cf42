//! `farsight atlas`: how much every cell sees, as files; in parts if it is long, and the parts joined.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use clap::value_parser;
use serde_json::json;

use super::exit::Failure;
use super::output::some;
use super::scene_args::SceneArgs;
use crate::atlas::{Atlas, AtlasError, AtlasLayer, AtlasPart, AtlasPlan, Cells, PartError, PartFile, Shard};
use crate::cli::export;
use crate::cli::output;
use crate::cli::{interrupt, print, progress, say};
use crate::export::check_scale;
use crate::files::{Format, InputFile, OutputFile, ensure_folder, is_same_file, is_stdout, read_whole};
use crate::job::Job;
use crate::scene::Scene;
use crate::sight::SightError;

const EXAMPLES: &str = "\
Examples:
  farsight atlas -o atlas.png                                     what every cell of the default world commands
  farsight atlas --every 4 --layer farthest -o far.npy -o far.png
  farsight atlas --layer commanded --layer identified -o sum.npy -o share.npy
  farsight atlas --preset fog --resume -o fog.npy                 go on where a run was stopped or killed
  farsight atlas --shard 2/8 --resume -o 2.part                   the second of eight parts
  farsight atlas merge *.part -o atlas.png                        join the parts";

const MERGE_EXAMPLES: &str = "\
Examples:
  farsight atlas merge 1.part 2.part 3.part -o atlas.png -o atlas.npy
  farsight atlas merge *.part --layer farthest -o far.csv";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct AtlasArgs {
    #[command(subcommand)]
    command: Option<AtlasCommand>,
    #[command(flatten)]
    scene: SceneArgs,
    /// Viewers on every Nth column and row only, from 0,0. Default: 1, every cell
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=16384), help_heading = "Cells")]
    every: Option<u32>,
    /// Viewers on these cells only: a file of lines x,y
    #[arg(long, value_name = "FILE", conflicts_with = "every", help_heading = "Cells")]
    cells: Option<PathBuf>,
    /// Compute the Ith of N parts only, and write it to the .part file that -o names; see `farsight atlas merge`
    #[arg(
        long,
        value_name = "I/N",
        value_parser = |text: &str| text.parse::<Shard>(),
        conflicts_with_all = ["layer", "format", "scale", "part"],
        help_heading = "Parts"
    )]
    shard: Option<Shard>,
    /// Go on with what an earlier run, stopped or killed, left in the .part file; without one, begin
    #[arg(long, help_heading = "Parts")]
    resume: bool,
    /// Where to keep what is computed until all is. Default: the first -o and .part
    #[arg(long, value_name = "FILE", help_heading = "Parts")]
    part: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// Work with so many threads, 1 to 1024. The result does not depend on it. Default: one a processor
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Output")]
    threads: Option<u16>,
}

#[derive(Debug, clap::Subcommand)]
enum AtlasCommand {
    /// Join the parts that --shard computed
    Merge(MergeArgs),
}

#[derive(Debug, clap::Args)]
#[command(before_help = MERGE_EXAMPLES)]
struct MergeArgs {
    /// The parts, all of them, in any order
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Where the layers go.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct Output {
    /// Write here; the extension tells the format: .png, .npy, .csv, .json, .asc, .tif or .txt. May be given again. `-`
    /// is standard output and needs --format
    #[arg(long, short, value_name = "FILE", required = true)]
    output: Vec<PathBuf>,
    /// What is written: commanded (the sum of visibility, in cells), identified (the share of the cells in range, 0
    /// to 1) or farthest (distance to the farthest cell seen, in cells). Once for all files, or once for each -o.
    /// Default: commanded
    #[arg(long, value_parser = layers(), hide_possible_values = true)]
    layer: Vec<AtlasLayer>,
    /// The format of standard output, and of a file whose extension tells none
    #[arg(long, value_name = "FORMAT", value_parser = export::formats())]
    format: Option<Format>,
    /// Pixels a cell of a picture, 1 to 64. Default: as many as make about a thousand pixels
    #[arg(long, value_name = "PIXELS", value_parser = value_parser!(u32).range(export::SCALES))]
    scale: Option<u32>,
    /// Say nothing on standard error but what went wrong
    #[arg(long, short)]
    quiet: bool,
    /// Say on standard output, in one line of JSON, what was written
    #[arg(long)]
    json: bool,
}

fn layers() -> impl TypedValueParser<Value = AtlasLayer> {
    export::choice(AtlasLayer::ALL.map(|layer| (layer.name(), layer)).into())
}

pub(super) fn run(args: &AtlasArgs) -> Result<(), Failure> {
    match &args.command {
        Some(AtlasCommand::Merge(merge)) => merge.run(),
        None => args.run(),
    }
}

impl AtlasArgs {
    fn run(&self) -> Result<(), Failure> {
        let quiet = self.output.quiet;
        let (targets, file) = match self.shard {
            Some(_) => (Vec::new(), Some(self.shard_file()?)),
            None => {
                let targets = self.output.targets()?;
                let file = self.part.clone().or_else(|| part_beside(&targets));
                (targets, file)
            }
        };
        let cells = self.cells.iter().map(|path| InputFile { reader: "--cells", path });
        let inputs: Vec<_> = self.scene.files().into_iter().chain(cells).collect();
        output::check_inputs(&targets, &inputs)?;
        if let Some(file) = &file {
            output::check_input(file, &inputs)?;
            if let Some(target) = targets.iter().find(|target| is_same_file(&target.path, file)) {
                let path = target.path.display();
                return Err(Failure::usage(format!("-o {path} and --part are the same file: choose another name")));
            }
        }
        if self.resume && file.is_none() {
            return Err(Failure::usage("--resume needs a file to go on from: name it with --part"));
        }
        export::use_threads(self.threads)?;
        if let Some(file) = &file {
            ensure_folder(file)?;
        }
        let cells = match &self.cells {
            Some(path) => read_cells(path)?,
            None => Cells::Every(self.every.unwrap_or(1)),
        };
        self.output.check(&targets, cells == Cells::Every(1))?;
        let (scene, options) = self.scene.request()?.scene(quiet)?;
        if let Some(scale) = self.output.scale {
            check_scale(scene.size(), scale)?;
        }
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let plan =
            AtlasPlan::new(&scene, &options.name, options.map, cells, shard).map_err(|error| self.of_cells(&error))?;
        interrupt::catch()?;
        let part = match &file {
            Some(path) => survey_into(path, &plan, &scene, self.resume, quiet)?,
            None => survey(&plan, &scene, quiet)?,
        };
        match (self.shard, file) {
            (Some(shard), Some(path)) => {
                let path = path.display().to_string();
                if !quiet {
                    say(&format!("wrote {path}: shard {shard}, {} cells", part.len()));
                }
                let report = json!({ "part": path, "shard": shard.to_string(), "viewers": part.len() });
                if self.output.json { print(&format!("{report}\n")) } else { Ok(()) }
            }
            (_, file) => {
                let whole = AtlasPart::join(vec![("the atlas".to_owned(), part)]).map_err(Failure::of_atlas)?;
                self.output.write(&targets, &whole)?;
                if let Some(file) = file {
                    let removed = std::fs::remove_file(&file);
                    removed.map_err(|error| Failure::internal(format!("{}: {error}", file.display())))?;
                }
                Ok(())
            }
        }
    }

    /// The file of a shard: the one -o.
    fn shard_file(&self) -> Result<PathBuf, Failure> {
        match &self.output.output[..] {
            [file] if file.extension().is_some_and(|extension| extension == "part") => Ok(file.clone()),
            [file] => Err(Failure::usage(format!(
                "-o {}: a shard is written to a .part file; `farsight atlas merge` makes all formats of them",
                file.display()
            ))),
            _ => Err(Failure::usage("a shard is written to one -o FILE.part")),
        }
    }

    /// A fault of the cells with the name of the file that lists them.
    fn of_cells(&self, error: &AtlasError) -> Failure {
        match &self.cells {
            Some(path) => Failure::input(format!("{}: {error}", path.display())),
            None => Failure::input(error.to_string()),
        }
    }
}

impl MergeArgs {
    fn run(&self) -> Result<(), Failure> {
        let targets = self.output.targets()?;
        let inputs: Vec<_> = self.parts.iter().map(|path| InputFile { reader: "atlas merge", path }).collect();
        output::check_inputs(&targets, &inputs)?;
        let mut parts = Vec::new();
        for path in &self.parts {
            let part = PartFile::read(path).map_err(|error| of_part(path, &error))?;
            parts.push((path.display().to_string(), part));
        }
        let atlas = AtlasPart::join(parts).map_err(Failure::of_atlas)?;
        self.output.check(&targets, atlas.is_whole())?;
        if let Some(scale) = self.output.scale {
            check_scale(atlas.size(), scale)?;
        }
        interrupt::catch()?;
        self.output.write(&targets, &atlas)
    }
}

impl Output {
    /// The files with their formats.
    fn targets(&self) -> Result<Vec<OutputFile>, Failure> {
        let to_stdout = self.output.iter().any(|path| is_stdout(path));
        let mut targets: Vec<OutputFile> = Vec::new();
        for path in &self.output {
            if targets.iter().any(|target| is_same_file(&target.path, path)) {
                return Err(Failure::usage(format!("-o {} is given twice", path.display())));
            }
            let format = export::format_of(path, self.format, to_stdout)?;
            targets.push(OutputFile { path: path.clone(), format });
        }
        if to_stdout && self.json {
            return Err(Failure::usage("--json and -o - cannot both write to standard output"));
        }
        if self.scale.is_some() && targets.iter().all(|target| target.format != Format::Png) {
            return Err(Failure::usage("--scale is for pictures (.png), and none is written"));
        }
        if self.layer.len() > 1 && self.layer.len() != targets.len() {
            let (layers, files) = (self.layer.len(), some(targets.len(), "file"));
            return Err(Failure::usage(format!(
                "--layer is given {layers} times for {files}; give it once for all, or once for each -o"
            )));
        }
        for target in &targets {
            ensure_folder(&target.path)?;
        }
        Ok(targets)
    }

    fn layer(&self, i: usize) -> AtlasLayer {
        self.layer.get(i).or(self.layer.first()).copied().unwrap_or_default()
    }

    /// A text map has characters for values from 0 to 1 only, and none for a cell without a value.
    fn check(&self, targets: &[OutputFile], is_whole: bool) -> Result<(), Failure> {
        for (i, target) in targets.iter().enumerate().filter(|(_, target)| target.format == Format::Txt) {
            let (name, layer) = (output::name(&target.path), self.layer(i).name());
            if self.layer(i) != AtlasLayer::Identified {
                return Err(Failure::usage(format!(
                    "{name}: .txt has characters for values from 0 to 1 only, not for {layer}; use another format"
                )));
            }
            if !is_whole {
                return Err(Failure::usage(format!(
                    "{name}: .txt has no character for cells without a value; use another format"
                )));
            }
        }
        Ok(())
    }

    fn write(&self, targets: &[OutputFile], atlas: &Atlas) -> Result<(), Failure> {
        let layered: Vec<(&OutputFile, AtlasLayer)> =
            targets.iter().enumerate().map(|(i, target)| (target, self.layer(i))).collect();
        let encode = |layer: &AtlasLayer, format, out: &mut dyn Write| atlas.write(*layer, format, self.scale, out);
        let removed = export::write_all(&layered, encode, |_, format| atlas.world_file(format, self.scale))?;
        export::say_removed(&removed, self.quiet);
        let viewers = atlas.iter().count();
        let size = atlas.size();
        for (target, layer) in layered.iter().filter(|_| !self.quiet) {
            let high = atlas.max_value(*layer);
            let (name, unit) = (output::name(&target.path), layer.unit());
            let cells = format!("{}x{} cells, {}", size.x, size.y, some(viewers, "viewer"));
            let words = format!("wrote {name}: {}, {cells}", layer.name());
            say(format!("{words}, at most {high:.3} {unit}").trim_end());
        }
        if !self.json {
            return Ok(());
        }
        let files: Vec<serde_json::Value> = layered
            .iter()
            .map(|(target, layer)| {
                json!({
                    "path": target.path.display().to_string(),
                    "format": target.format.extension(),
                    "layer": layer.name(),
                    "greatest": atlas.max_value(*layer),
                })
            })
            .collect();
        let report = json!({ "files": files, "width": size.x, "height": size.y, "viewers": viewers });
        print(&format!("{report}\n"))
    }
}

/// The .part file of the first -o that is a file or will be one.
fn part_beside(targets: &[OutputFile]) -> Option<PathBuf> {
    let is_file = |target: &&OutputFile| !target.is_stdout() && (!target.path.exists() || target.path.is_file());
    let mut name = targets.iter().find(is_file)?.path.clone().into_os_string();
    name.push(".part");
    Some(name.into())
}

fn read_cells(path: &Path) -> Result<Cells, Failure> {
    /// Some thirty million cells.
    const LONGEST: u64 = 1 << 28;
    let wrong = |fault: &dyn std::fmt::Display| Failure::input(format!("{}: {fault}", path.display()));
    let bytes = read_whole(path, LONGEST).map_err(|fault| wrong(&fault))?;
    let text = String::from_utf8(bytes).map_err(|fault| wrong(&fault))?;
    Cells::parse(&text).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// Why a survey ended before its end.
enum Halt {
    Atlas(AtlasError),
    Part(PartError),
}

impl From<AtlasError> for Halt {
    fn from(error: AtlasError) -> Self {
        Self::Atlas(error)
    }
}

/// Computes what is not yet in a file, and adds it there.
fn survey_into(path: &Path, plan: &AtlasPlan, scene: &Scene, resume: bool, quiet: bool) -> Result<AtlasPart, Failure> {
    let mut file = PartFile::open(path, plan, resume).map_err(|error| of_part(path, &error))?;
    let from = file.part().done();
    if from > 0 && !quiet {
        say(&format!("{}: going on after {from} of {} cells", path.display(), plan.len()));
    }
    let surveyed = progress::timed(quiet, |job| {
        let job = job.cancelled_by(interrupt::flag());
        plan.survey(scene, from, job, |seen| file.append(seen).map_err(Halt::Part))
    });
    match surveyed {
        Ok(()) => file.finish().map_err(|error| of_part(path, &error)),
        Err(Halt::Part(error)) => Err(of_part(path, &error)),
        Err(Halt::Atlas(AtlasError::Sight(SightError::Cancelled(_)))) => {
            let (name, done, all) = (path.display(), file.part().done(), plan.len());
            Err(Failure::stopped(format!("stopped; {name} holds {done} of {all} cells: go on with --resume")))
        }
        Err(Halt::Atlas(error)) => Err(Failure::of_atlas(error)),
    }
}

/// Computes all with nothing on disk.
fn survey(plan: &AtlasPlan, scene: &Scene, quiet: bool) -> Result<AtlasPart, Failure> {
    let mut part = AtlasPart::new(plan);
    let surveyed = progress::timed(quiet, |job: &Job| {
        plan.survey(scene, 0, job.cancelled_by(interrupt::flag()), |seen| {
            part.extend(seen);
            Ok::<(), AtlasError>(())
        })
    });
    match surveyed {
        Ok(()) => Ok(part),
        Err(AtlasError::Sight(SightError::Cancelled(_))) => Err(Failure::interrupted()),
        Err(error) => Err(Failure::of_atlas(error)),
    }
}

fn of_part(path: &Path, error: &PartError) -> Failure {
    let message = format!("{}: {error}", path.display());
    if error.is_write() { Failure::output(message) } else { Failure::input(message) }
}

impl Failure {
    fn of_atlas(error: AtlasError) -> Self {
        match error {
            AtlasError::Sight(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}
