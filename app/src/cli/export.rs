//! `farsight export`: the view, or a layer of the map, as files.

use std::borrow::Borrow;
use std::io::Write;

use clap::value_parser;
use glam::IVec2;
use serde_json::json;

use super::failure::Failure;
use super::output::{
    MessageArgs, OutputArgs, ReportArgs, ThreadArgs, ensure_writable, not_as_text, output_name, write_files,
};
use super::partial_heightmap::ReadingArgs;
use super::scene_args::SceneArgs;
use super::scene_origin::SceneFileKind;
use super::scene_request::{SceneRequest, Shown};
use super::values::{SCALES, choice, parse_cells};
use crate::stage_log::timed;
use farsight::grid::CellRect;
use farsight_scene::export::{Crop, Export, ExportOptions, PictureStyle};
use farsight_scene::files::{Depth, Format, HeightEncoding, OutputFile};
use farsight_scene::paint::Unseen;
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::WorldField;

const EXAMPLES: &str = "\
Examples:
  farsight export -o view.png                                 the default view as a picture
  farsight export --preset mist --seed 7 -o mist.png -o mist.npy
  farsight export --layer elevation --grey --depth 16 -o height.png
  farsight export --map cave.npy --at 20,12 --radius 24 -o seen.npy
  farsight export --crop sight -o - --format csv | head";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_arg("output", |output| output.num_args(1..)))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    content: ContentArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The part of the scene that is written, and the style of pictures.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Content")]
struct ContentArgs {
    /// The field to write: visibility (0 to 1), perceived (visibility times light, 0 to 1), light, opacity, humidity,
    /// vegetation (0 to 1), elevation (m), temperature (°C), biome (its number); on terrain with viewsheds also
    /// min-visible-height (m) and slope-margin (a slope). Default: visibility
    #[arg(long, value_parser = choice(Layer::ALL, Layer::name), hide_possible_values = true)]
    layer: Option<Layer>,
    /// The part of the map: map is all of it, sight is the square of the radius around the viewer. Default: auto,
    /// which is the radius and a margin for the picture of a view, else map
    #[arg(long, value_parser = choice(Crop::ALL, Crop::name))]
    crop: Option<Crop>,
    /// The part of the map by its upper left cell and its size in cells, such as 40,30,200x120
    #[arg(long, value_name = "X,Y,WxH", value_parser = parse_cells, conflicts_with = "crop",
        allow_hyphen_values = true)]
    cells: Option<CellRect>,
    /// Pixels per cell of a picture, 1 to 64. Default: for a picture of about 1000 pixels
    #[arg(long, value_name = "PIXELS", value_parser = value_parser!(u32).range(SCALES))]
    scale: Option<u32>,
    /// In a picture, cells out of sight are drawn in ink (mapped), or blank unless seen before (remembered).
    /// Default: mapped
    #[arg(long, value_parser = choice(Unseen::ALL, Unseen::name))]
    unseen: Option<Unseen>,
    /// Write a grey picture for programs: one pixel per cell, 0 black, 1 white (elevation, temperature, biome: the
    /// least and the greatest value)
    #[arg(long, conflicts_with_all = ["scale", "unseen"])]
    grey: bool,
    /// Write the elevation as colours of a picture, one pixel per cell: terrarium or terrain-rgb
    #[arg(long, value_parser = choice(HeightEncoding::ALL, HeightEncoding::name), conflicts_with_all = ["scale", "unseen", "grey", "depth"])]
    encode: Option<HeightEncoding>,
    /// Bits of a grey pixel: 8 or 16. Implies --grey. Default: 8
    #[arg(long, value_name = "BITS", value_parser = choice([Depth::Eight, Depth::Sixteen], bits),
        conflicts_with_all = ["scale", "unseen"])]
    depth: Option<Depth>,
}

fn bits(depth: Depth) -> &'static str {
    if depth == Depth::Sixteen { "16" } else { "8" }
}

impl ContentArgs {
    fn applied_to(&self, options: ExportOptions) -> ExportOptions {
        let depth = self.depth.or((self.grey || self.encode.is_some()).then(Depth::default));
        let is_painted = self.scale.is_some() || self.unseen.is_some();
        let style = match (depth, options.style) {
            (Some(depth), _) => PictureStyle::Grey(depth),
            (None, style) if !is_painted => style,
            (None, style) => {
                let (scale, unseen) = match style {
                    PictureStyle::Painted { scale, unseen } => (scale, unseen),
                    PictureStyle::Grey(_) => (None, Unseen::Mapped),
                };
                PictureStyle::Painted { scale: self.scale.or(scale), unseen: self.unseen.unwrap_or(unseen) }
            }
        };
        let (layer, crop) = (self.layer.unwrap_or(options.layer), self.crop.unwrap_or(options.crop));
        let cells = self.cells.or(options.cells.filter(|_| self.crop.is_none()));
        options.with_layer(layer).with_crop(crop).with_cells(cells).with_style(style)
    }

    /// Returns what of the scene some files show.
    fn shown(&self, outputs: &[OutputFile]) -> Shown {
        let layer = self.layer.unwrap_or_default();
        let is_climate = matches!(layer, Layer::Humidity | Layer::Vegetation | Layer::Temperature | Layer::Biome);
        let has_picture = outputs.iter().any(|output| output.format == Format::Png);
        if is_climate || has_picture || layer == Layer::Elevation && self.cells.is_none() {
            return Shown::World;
        }
        // Values that are known only around the viewer, or of chosen cells.
        if self.crop == Some(Crop::Map) { Shown::Views } else { Shown::Window }
    }

    /// Refuses what a window of a heightmap does not have.
    fn ensure_in_window(&self, layer: Layer) -> Result<(), Failure> {
        if matches!(layer, Layer::Temperature | Layer::Biome) {
            let name = layer.name();
            return Err(Failure::usage(format!(
                "--layer {name}: the heightmap is read in part, and its climate follows from all of it"
            )));
        }
        if self.crop == Some(Crop::Map) {
            return Err(Failure::usage(
                "--crop map: the heightmap is read in part; give --crop sight or --cells X,Y,WxH",
            ));
        }
        Ok(())
    }

    /// Refuses flags of pictures if no picture is written.
    fn ensure_applies_to(&self, outputs: &[OutputFile]) -> Result<(), Failure> {
        let flags = [
            ("--grey", self.grey),
            ("--depth", self.depth.is_some()),
            ("--encode", self.encode.is_some()),
            ("--scale", self.scale.is_some()),
            ("--unseen", self.unseen.is_some()),
        ];
        match flags.into_iter().find(|(_, is_given)| *is_given) {
            Some((flag, _)) if outputs.iter().all(|output| output.format != Format::Png) => {
                let formats: Vec<String> = outputs.iter().map(|output| output.format.to_string()).collect();
                let formats = formats.join(", ");
                Err(Failure::usage(format!("{flag} applies to pictures (.png), but the output is {formats}")))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let outputs = args.output.files()?;
    args.report.ensure_no_stdout(&args.output.paths)?;
    args.content.ensure_applies_to(&outputs)?;
    ensure_writable(&outputs, &args.scene.inputs_besides_from())?;
    args.threads.start()?;
    let mut request = args.scene.request_of_view(args.reading, None, args.content.shown(&outputs))?;
    args.scene.ensure_from_kept(&outputs, request.is_made_again_as(SceneFileKind::View))?;
    let mut options = args.content.applied_to(request.options.clone());
    ensure_text_holds(options.layer, &outputs)?;
    if args.content.encode.is_some() && options.layer != Layer::Elevation {
        return Err(Failure::usage("--encode writes heights: expected --layer elevation"));
    }
    if request.is_in_part() {
        args.content.ensure_in_window(options.layer)?;
        request.read_window_of_view(options.cells)?;
        options.map.clone_from(&request.options.map);
    }
    if let Some(field) = field_of_all(&outputs, &request, &options).filter(|_| !args.report.is_asked_for()) {
        return export_field(args, field, &outputs, request, &options);
    }
    request.has_printed_notes |= options.layer.world_field().is_some(); // no view
    let (scene, _) = request.scene(args.messages.quiet)?;
    let mut exports = Vec::new();
    for output in &outputs {
        let what = if output.format == Format::Png { "paint" } else { "collect values of" };
        let export = timed(format_args!("{what} {}", output_name(&output.path)), || {
            Export::prepare(&scene, output.format, &options)
        });
        exports.push((output, export?.with_tif_layout(args.output.tif.layout())));
    }
    write(&exports, &options, args.content.encode, Some(raster_viewer(&scene)), args.messages)?;
    args.report.print(|| report(&scene, &options, &exports))
}

/// Returns the field of a generated world that all outputs consist of, if there is one.
fn field_of_all(outputs: &[OutputFile], request: &SceneRequest, options: &ExportOptions) -> Option<WorldField> {
    let is_field = |output: &OutputFile| options.world_field(output.format, request.viewer.is_some()).is_some();
    options.layer.world_field().filter(|_| request.is_generated_country() && outputs.iter().all(is_field))
}

/// Exports a field of a generated world without the rest of it and without a view.
fn export_field(
    args: &ExportArgs,
    field: WorldField,
    outputs: &[OutputFile],
    request: SceneRequest,
    options: &ExportOptions,
) -> Result<(), Failure> {
    let values = request.field(field, args.messages.quiet)?;
    let SceneRequest { preset, viewer, .. } = request;
    // Formats that hold the viewer are a field only if it is given.
    let export = Export::of_field(values, &preset, viewer.unwrap_or_default(), options)?;
    let export = export.with_tif_layout(args.output.tif.layout());
    let exports: Vec<_> = outputs.iter().map(|output| (output, &export)).collect();
    write(&exports, options, args.content.encode, viewer, args.messages)
}

/// Writes all files, and a message for each.
fn write<E: Borrow<Export>>(
    exports: &[(&OutputFile, E)],
    options: &ExportOptions,
    encoding: Option<HeightEncoding>,
    viewer: Option<IVec2>,
    messages: MessageArgs,
) -> Result<(), Failure> {
    let encode = |export: &E, format, out: &mut dyn Write| match (export.borrow(), encoding) {
        (Export::Values(raster), Some(encoding)) if format == Format::Png => raster.write_height_png(encoding, out),
        (export, _) => export.write(format, options.style, out),
    };
    write_files(exports, encode, |export, format| export.borrow().world_file(format), messages)?;
    for (output, export) in exports {
        messages.print(summary(options, output, export.borrow(), viewer));
    }
    Ok(())
}

fn ensure_text_holds(layer: Layer, outputs: &[OutputFile]) -> Result<(), Failure> {
    match outputs.iter().find(|output| output.format == Format::Txt && !layer.is_share()) {
        Some(output) => Err(not_as_text(output, layer.name())),
        None => Ok(()),
    }
}

fn unit(export: &Export) -> &'static str {
    match export {
        Export::Values(_) => "cells",
        Export::Picture { .. } => "pixels",
    }
}

/// The world file that is written next to an export.
fn written_world_file(output: &OutputFile, export: &Export) -> Option<String> {
    let path = output.world_file().filter(|_| export.world_file(output.format).is_some());
    path.map(|path| path.display().to_string())
}

/// Returns the cell of the viewer on the whole map.
fn raster_viewer(scene: &Scene) -> IVec2 {
    scene.viewer() + scene.origin()
}

/// `wrote view.png: visibility, 1064x1090 pixels, viewer at 12,80`.
fn summary(options: &ExportOptions, output: &OutputFile, export: &Export, viewer: Option<IVec2>) -> String {
    let size = export.size();
    let viewer = viewer.map_or_else(String::new, |viewer| format!(", viewer at {},{}", viewer.x, viewer.y));
    let (mut name, layer) = (output_name(&output.path), options.layer.name());
    if let Some(world_file) = written_world_file(output, export) {
        name += &format!(" and {world_file}");
    }
    let range = match export {
        Export::Values(raster) if output.format == Format::R16 => {
            let ([low, high], unit) = (raster.range, raster.unit);
            format!(", 0 is {}, 65535 is {}", format!("{low} {unit}").trim_end(), format!("{high} {unit}").trim_end())
        }
        _ => String::new(),
    };
    format!("wrote {name}: {layer}, {}x{} {}{range}{viewer}", size.x, size.y, unit(export))
}

fn report(scene: &Scene, options: &ExportOptions, exports: &[(&OutputFile, Export)]) -> serde_json::Value {
    let file = |(output, export): &(&OutputFile, Export)| {
        json!({
            "path": output.path.display().to_string(),
            "format": output.format.extension(),
            "width": export.size().x,
            "height": export.size().y,
            "unit": unit(export),
            "world_file": written_world_file(output, export),
        })
    };
    json!({
        "files": exports.iter().map(file).collect::<Vec<_>>(),
        "layer": options.layer.name(),
        "preset": options.name,
        "map": options.map.as_ref().map(|map| &map.name),
        "seed": options.map.is_none().then_some(scene.preset().world.seed),
        "viewer": raster_viewer(scene),
        "radius": scene.radius(),
    })
}
