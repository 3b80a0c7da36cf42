//! `farsight atlas`: the number of cells visible from every cell. A stopped run resumes from its checkpoint.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::value_parser;
use serde_json::json;

use super::atlas_source::AtlasSource;
use super::computed_atlas::{ComputedAtlas, are_tif};
use super::failure::Failure;
use super::interrupt::{install_handler, interrupted, interrupted_flag, unless_interrupted};
use super::output::{
    MessageArgs, OutputArgs, ReportArgs, ScaleArgs, ThreadArgs, TifArgs, ensure_not_next_to, ensure_one_for_each,
    ensure_writable_path, not_as_text, output_name, with_formats, write_products,
};
use super::partial_heightmap::ReadingArgs;
use super::progress::{with_progress_bar, with_remaining_time};
use super::scene_args::SceneArgs;
use super::scene_origin::SceneFileKind;
use super::stdio::read_text;
use super::text::pluralize;
use super::values::choice;
use farsight_scene::atlas::{
    Atlas, AtlasError, AtlasLayer, AtlasPlan, Cells, Checkpoint, CheckpointError, LayerMaximum, StoredAtlas,
};
use farsight_scene::export::check_scale;
use farsight_scene::files::{ContentKind, Format, MAX_CELLS, NamedInput, OutputFile, describe_io_error, is_same_file};

const EXAMPLES: &str = "\
Examples:
  farsight atlas -o atlas.png                        how much every cell of the world sees
  farsight atlas --every 4 --layer farthest -o far.npy -o far.png
  farsight atlas --layer total-visibility --layer identified -o sum.npy -o share.npy
  farsight atlas --preset fog --resume -o fog.npy    continue a run that was stopped";

/// The content of the files.
const KINDS: [ContentKind; 2] = [ContentKind::Picture, ContentKind::Raster];

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)))]
pub(crate) struct AtlasArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Put viewers on every Nth column and row only, from 0,0. Default: 1, every cell
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=16384), help_heading = "Cells")]
    every: Option<u32>,
    /// Put viewers on these cells only: a file of lines x,y
    #[arg(long, value_name = "FILE", conflicts_with = "every", help_heading = "Cells")]
    cells: Option<PathBuf>,
    /// Continue an earlier run from its checkpoint; start a new one if there is no checkpoint
    #[arg(long, help_heading = "Checkpoint")]
    resume: bool,
    /// The file for the results until all are computed. Default: the name of the first -o and .checkpoint
    #[arg(long, value_name = "FILE", help_heading = "Checkpoint")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    output: AtlasOutputArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct AtlasOutputArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// The field to write: total-visibility (the sum of visibility, in cells), identified (the fraction of the cells in
    /// range, 0 to 1) or farthest (distance to the farthest cell seen, in cells). Once for all files, or once for each
    /// -o. Default: total-visibility
    #[arg(long, value_parser = choice(AtlasLayer::ALL, AtlasLayer::name), hide_possible_values = true)]
    layer: Vec<AtlasLayer>,
    #[command(flatten)]
    scale: ScaleArgs,
    #[command(flatten)]
    tif: TifArgs,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(args: &AtlasArgs) -> Result<(), Failure> {
    args.run()
}

impl AtlasArgs {
    fn run(&self) -> Result<(), Failure> {
        let cells = self.cells.iter().map(|path| NamedInput::new("--cells", path));
        let inputs: Vec<NamedInput> = self.scene.inputs_besides_from().into_iter().chain(cells).collect();
        let outputs = self.output.files(&inputs)?;
        let checkpoint = self.checkpoint.clone().or_else(|| default_checkpoint(&outputs));
        if let Some(checkpoint) = &checkpoint {
            self.ensure_apart(checkpoint, &outputs, inputs)?;
        }
        if self.resume && checkpoint.is_none() {
            return Err(Failure::usage("--resume needs a checkpoint: name it with --checkpoint"));
        }
        self.threads.start()?;
        let cells = match &self.cells {
            Some(path) => read_cells(path)?,
            None => Cells::Every(self.every.unwrap_or(1)),
        };
        self.output.ensure_text_holds(&outputs, cells == Cells::Every(1))?;
        let mut request = self.scene.request_in_part(self.reading)?;
        self.scene.ensure_from_kept(&outputs, request.is_made_again_as(SceneFileKind::Atlas))?;
        if !request.is_in_part() {
            check_scale(request.size(), self.output.scale.scale)?;
        }
        let cost = request.cost.take();
        let (source, plan) = AtlasSource::new(request, self.output.messages.quiet, cells)?;
        let plan = plan.map_err(|error| self.named_cells(&error))?;
        if let Some(cost) = cost {
            cost.check_view_cost("its atlas", plan.len())?;
        }
        install_handler()?;
        let stays_on_disk = checkpoint.is_some() && are_tif(&outputs);
        if plan.written_cells() > MAX_CELLS && !stays_on_disk {
            return Err(self.named_cells(&AtlasError::TooLarge(plan.written_cells())));
        }
        let atlas = match &checkpoint {
            Some(path) => {
                survey_into(path, &plan, &source, self.resume, self.output.messages)?;
                let atlas = match stays_on_disk {
                    true => StoredAtlas::open(path).map(ComputedAtlas::OnDisk),
                    false => Atlas::open(path).map(ComputedAtlas::InMemory),
                };
                atlas.map_err(|error| checkpoint_failure(path, &error))?
            }
            None => ComputedAtlas::InMemory(survey(&plan, &source, self.output.messages)?),
        };
        self.output.write(&outputs, &atlas)?;
        match checkpoint.map(|path| (std::fs::remove_file(&path), path)) {
            Some((Err(error), path)) if error.kind() != ErrorKind::NotFound => {
                Err(Failure::output(format!("{}: could not be removed: {}", path.display(), describe_io_error(&error))))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a checkpoint whose path is not writable, or is an input, an output, or the world file of an output.
    fn ensure_apart(
        &self,
        checkpoint: &Path,
        outputs: &[OutputFile],
        mut inputs: Vec<NamedInput>,
    ) -> Result<(), Failure> {
        inputs.extend(self.scene.picture_input());
        ensure_writable_path("--checkpoint", checkpoint, &inputs)?;
        let flagged: Vec<_> = outputs.iter().map(|output| ("-o", output)).collect();
        ensure_not_next_to(checkpoint, "--checkpoint", &flagged)?;
        match outputs.iter().find(|output| is_same_file(&output.path, checkpoint)) {
            Some(output) => {
                let path = output.path.display();
                Err(Failure::usage(format!("-o {path} and --checkpoint are the same file: choose another name")))
            }
            None => Ok(()),
        }
    }

    /// Adds the name of the cell list to an error.
    fn named_cells(&self, error: &AtlasError) -> Failure {
        match &self.cells {
            Some(path) => Failure::input(format!("{}: {error}", path.display())),
            None => Failure::input(error),
        }
    }
}

impl AtlasOutputArgs {
    fn files(&self, inputs: &[NamedInput]) -> Result<Vec<OutputFile>, Failure> {
        let outputs = self.output.files(&KINDS, inputs)?;
        self.report.ensure_no_stdout(&outputs)?;
        self.scale.of(&outputs)?;
        self.tif.layout(&outputs)?;
        ensure_one_for_each("--layer", self.layer.len(), &outputs)?;
        Ok(outputs)
    }

    fn layer(&self, i: usize) -> AtlasLayer {
        self.layer.get(i).or(self.layer.first()).copied().unwrap_or_default()
    }

    /// Refuses .txt unless the layer has values from 0 to 1 in all cells: a text map has characters for these only.
    fn ensure_text_holds(&self, outputs: &[OutputFile], is_whole: bool) -> Result<(), Failure> {
        for (i, output) in outputs.iter().enumerate().filter(|(_, output)| output.format == Format::Txt) {
            if self.layer(i) != AtlasLayer::Identified {
                return Err(not_as_text(output, self.layer(i).name()));
            }
            if !is_whole {
                let name = output_name(&output.path);
                return Err(Failure::usage(format!(
                    "{name}: .txt has no character for cells without a value; use another format"
                )));
            }
        }
        Ok(())
    }

    fn write(&self, outputs: &[OutputFile], atlas: &ComputedAtlas) -> Result<(), Failure> {
        install_handler()?;
        let mut maxima: Vec<(AtlasLayer, LayerMaximum)> = Vec::new();
        let mut products = Vec::new();
        for (i, output) in outputs.iter().enumerate() {
            let layer = self.layer(i);
            let maximum = match maxima.iter().find(|(other, _)| *other == layer) {
                Some((_, maximum)) => *maximum,
                None => {
                    let maximum = with_progress_bar(self.messages.quiet, |job| atlas.maximum(layer, job));
                    unless_interrupted(maximum.map_err(Failure::input))?
                }
            };
            maxima.push((layer, maximum));
            let mut product = atlas.product(layer, output, self.scale.scale)?;
            product.set_tif_layout(self.tif.layout(outputs)?);
            products.push((output, product));
        }
        let (viewers, size) = (atlas.viewers(), atlas.written_size());
        let cells = format!("{}x{} cells, {}", size.x, size.y, pluralize(viewers, "viewer"));
        write_products(&products, self.messages, |i| {
            let (layer, LayerMaximum { value, on_ground }) = maxima[i];
            let on_ground = on_ground.map_or_else(String::new, |(value, unit)| format!(" ({value:.3} {unit})"));
            let value = format!("{value:.3} {}", layer.unit());
            format!("{}, {cells}, at most {}{on_ground}", layer.name(), value.trim_end())
        })?;
        let file = |(output, (layer, maximum)): (&OutputFile, &(AtlasLayer, LayerMaximum))| {
            json!({
                "path": output.path.display().to_string(),
                "format": output.format.name(),
                "layer": layer.name(),
                "maximum": maximum.value,
                "maximum_on_ground": maximum.on_ground.map(|(value, unit)| json!({ "value": value, "unit": unit })),
            })
        };
        let files = || outputs.iter().zip(&maxima).map(file).collect::<Vec<_>>();
        self.report.print(|| json!({ "files": files(), "width": size.x, "height": size.y, "viewers": viewers }))
    }
}

/// Returns the checkpoint next to the first -o that is a file or a new file.
fn default_checkpoint(outputs: &[OutputFile]) -> Option<PathBuf> {
    let is_file = |output: &&OutputFile| !output.is_stdout() && (!output.path.exists() || output.path.is_file());
    let mut name = outputs.iter().find(is_file)?.path.clone().into_os_string();
    name.push(".checkpoint");
    Some(name.into())
}

fn read_cells(path: &Path) -> Result<Cells, Failure> {
    const MAX_BYTES: u64 = 1 << 28; // about thirty million cells
    Cells::parse(&read_text(path, MAX_BYTES)?).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// Computes the cells that are not in the file yet, and appends them.
fn survey_into(
    path: &Path,
    plan: &AtlasPlan,
    source: &AtlasSource,
    resume: bool,
    messages: MessageArgs,
) -> Result<(), Failure> {
    let mut file = Checkpoint::open(path, plan, resume).map_err(|error| checkpoint_failure(path, &error))?;
    let from = file.done();
    if from > 0 {
        messages.print(format!("{}: continuing after {from} of {} cells", path.display(), plan.len()));
    }
    source.print_estimate(plan.len() - from, messages.quiet);
    let surveyed = with_remaining_time(messages.quiet, |job| {
        source.survey(plan, from, job, |seen| file.append(seen).map_err(|error| checkpoint_failure(path, &error)))
    });
    if surveyed.is_err() && interrupted_flag().load(Ordering::Relaxed) {
        let (name, done, all) = (path.display(), file.done(), plan.len());
        return Err(interrupted(format!("stopped; {name} holds {done} of {all} cells: continue with --resume")));
    }
    surveyed?;
    file.finish().map_err(|error| checkpoint_failure(path, &error))
}

fn survey(plan: &AtlasPlan, source: &AtlasSource, messages: MessageArgs) -> Result<Atlas, Failure> {
    let mut seen = Vec::new();
    source.print_estimate(plan.len(), messages.quiet);
    let surveyed = with_remaining_time(messages.quiet, |job| {
        source.survey(plan, 0, job, |block| {
            seen.extend_from_slice(block);
            Ok(())
        })
    });
    unless_interrupted(surveyed)?;
    Ok(Atlas::new(plan, seen)?)
}

fn checkpoint_failure(path: &Path, error: &CheckpointError) -> Failure {
    let message = format!("{}: {error}", path.display());
    if error.is_write() { Failure::output(message) } else { Failure::input(message) }
}
