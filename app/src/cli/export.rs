//! `farsight export`: the view, or a layer of the map, as files.

use glam::IVec2;
use serde_json::json;

use super::export_sheet::sheet;
use super::failure::Failure;
use super::output::{
    MessageArgs, OutputArgs, ReportArgs, ScaleArgs, ThreadArgs, TifArgs, has_picture, not_as_text, output_name,
    with_formats, write_products, written_projection_file, written_world_file,
};
use super::partial_heightmap::ReadingArgs;
use super::scene_args::SceneArgs;
use super::scene_origin::SceneFileKind;
use super::scene_request::{SceneRequest, ShownPart};
use super::shared_args::{CellsArgs, OutsideArgs};
use super::sheet_args::SheetArgs;
use super::values::choice;
use crate::stage_log::timed;
use farsight_scene::export::{Crop, ExportOptions, PictureStyle};
use farsight_scene::files::{
    Content, ContentKind, Depth, Format, HeightEncoding, MapSource, OutputFile, PixelEncoding, Product, Raster,
};
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

/// The content of the files.
const KINDS: [ContentKind; 3] = [ContentKind::Picture, ContentKind::Raster, ContentKind::Sheet];

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)), mut_arg("output", |output| output.num_args(1..)))]
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
    sheet: SheetArgs,
    #[command(flatten)]
    tif: TifArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The exported part of the scene, and the style of pictures.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Content", mut_arg("cells", |flag| flag.conflicts_with("crop")))]
struct ContentArgs {
    /// The field to write: visibility (0 to 1), perceived (visibility times light, 0 to 1), light, opacity, humidity,
    /// vegetation (0 to 1), elevation (m), temperature (°C), biome (its number); on terrain with viewsheds also
    /// min-visible-height (m) and slope-margin (a slope). Default: visibility
    #[arg(long, value_parser = choice(Layer::ALL, Layer::name), hide_possible_values = true)]
    layer: Option<Layer>,
    /// The part of the map: map is the whole map, sight is the square of the radius around the viewer. Default: auto,
    /// which is the radius and a margin for the picture of a view, else map
    #[arg(long, value_parser = choice(Crop::ALL, Crop::name))]
    crop: Option<Crop>,
    #[command(flatten)]
    part: CellsArgs,
    #[command(flatten)]
    outside: OutsideArgs,
    #[command(flatten)]
    scale: ScaleArgs,
    /// In a picture, cells out of sight are drawn in ink (mapped), or blank unless seen before (remembered).
    /// Default: mapped
    #[arg(long, value_parser = choice(Unseen::ALL, Unseen::name))]
    unseen: Option<Unseen>,
    /// Write a grey picture for programs: one pixel per cell, 0 black, 1 white (elevation, temperature, biome: the
    /// minimum and the maximum)
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
        let is_painted = self.scale.scale.is_some() || self.unseen.is_some();
        let style = match (depth, options.style) {
            (Some(depth), _) => PictureStyle::Grey(depth),
            (None, style) if !is_painted => style,
            (None, style) => {
                let (scale, unseen) = match style {
                    PictureStyle::Painted { scale, unseen } => (scale, unseen),
                    PictureStyle::Grey(_) => (None, Unseen::Mapped),
                };
                PictureStyle::Painted { scale: self.scale.scale.or(scale), unseen: self.unseen.unwrap_or(unseen) }
            }
        };
        let (layer, crop) = (self.layer.unwrap_or(options.layer), self.crop.unwrap_or(options.crop));
        let cells = self.part.cells.or(options.cells.filter(|_| self.crop.is_none()));
        let nodata_outside = self.outside.is_nodata().unwrap_or(options.nodata_outside);
        options
            .with_layer(layer)
            .with_crop(crop)
            .with_cells(cells)
            .with_style(style)
            .with_nodata_outside(nodata_outside)
    }

    /// Returns the parts of the scene that some files show.
    fn shown(&self, outputs: &[OutputFile], has_sheet: bool) -> ShownPart {
        let layer = self.layer.unwrap_or_default();
        let is_climate = matches!(layer, Layer::Humidity | Layer::Vegetation | Layer::Temperature | Layer::Biome);
        if is_climate || has_sheet || has_picture(outputs) || layer == Layer::Elevation && self.part.cells.is_none() {
            return ShownPart::World;
        }
        // Values that are known only around the viewer, or of chosen cells.
        if self.crop == Some(Crop::Map) { ShownPart::Views } else { ShownPart::Window }
    }

    /// Refuses content that a window of a heightmap does not have.
    fn ensure_in_window(&self, layer: Layer) -> Result<(), Failure> {
        if matches!(layer, Layer::Temperature | Layer::Biome) {
            let name = layer.name();
            return Err(Failure::usage(format!(
                "--layer {name}: the heightmap is read in part, and its climate depends on all of it"
            )));
        }
        if self.crop == Some(Crop::Map) {
            return Err(Failure::usage(
                "--crop map: the heightmap is read in part; give --crop sight or --cells X,Y,WxH",
            ));
        }
        Ok(())
    }

    /// Refuses `--outside nodata` for content without nodata.
    fn ensure_has_outside(&self, layer: Layer, outputs: &[OutputFile]) -> Result<(), Failure> {
        let has_none = |output: &&OutputFile| {
            [Format::Txt, Format::R16].into_iter().any(|format| output.format == format)
                || output.format.takes(ContentKind::Picture)
        };
        if self.outside.is_nodata() != Some(true) {
            return Ok(());
        }
        if !layer.is_of_view() {
            let name = layer.name();
            return Err(Failure::usage(format!(
                "--outside nodata: expected --layer visibility or perceived, not {name}"
            )));
        }
        match outputs.iter().find(has_none) {
            Some(output) => Err(Failure::usage(format!(
                "--outside nodata: {} has no nodata; expected values, such as .tif, .asc, .npy, .csv or .json",
                output_name(&output.path)
            ))),
            None => Ok(()),
        }
    }

    /// Refuses flags of pictures if no picture is written, except on sheets.
    fn ensure_applies_to(&self, outputs: &[OutputFile], sheet: &SheetArgs) -> Result<(), Failure> {
        let flags = [
            ("--grey", self.grey),
            ("--depth", self.depth.is_some()),
            ("--encode", self.encode.is_some()),
            ("--scale", self.scale.scale.is_some()),
            ("--unseen", self.unseen.is_some()),
        ];
        match flags.into_iter().find(|(_, is_given)| *is_given) {
            Some((flag, _))
                if outputs
                    .iter()
                    .all(|output| !output.format.takes(ContentKind::Picture) || sheet.is_sheet(output)) =>
            {
                let formats: Vec<String> = outputs.iter().map(|output| output.format.to_string()).collect();
                let formats = formats.join(", ");
                let has_sheet = outputs.iter().any(|output| sheet.is_sheet(output));
                let besides = if has_sheet { " other than sheets" } else { "" };
                Err(Failure::usage(format!("{flag} applies to pictures (.png){besides}, but the output is {formats}")))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    let mut inputs = args.scene.inputs_besides_from();
    inputs.extend(args.sheet.input());
    let outputs = args.output.files(&KINDS, &inputs)?;
    args.sheet.check(&outputs)?;
    let has_sheet = outputs.iter().any(|output| args.sheet.is_sheet(output));
    let tif_layout = args.tif.layout(&outputs)?;
    args.report.ensure_no_stdout(&outputs)?;
    args.content.ensure_applies_to(&outputs, &args.sheet)?;
    args.threads.start()?;
    let mut request = args.scene.request_of_view(args.reading, None, args.content.shown(&outputs, has_sheet))?;
    args.scene.ensure_from_kept(&outputs, request.is_made_again_as(SceneFileKind::View))?;
    let mut options = args.content.applied_to(request.options.clone());
    ensure_text_holds(options.layer, &outputs)?;
    args.content.ensure_has_outside(options.layer, &outputs)?;
    let base = args.sheet.read_base(options.map.as_ref().and_then(MapSource::georeference))?;
    if args.content.encode.is_some() && options.layer != Layer::Elevation {
        return Err(Failure::usage("--encode writes heights: expected --layer elevation"));
    }
    if request.is_in_part() {
        args.content.ensure_in_window(options.layer)?;
        request.read_window_of_view(options.cells)?;
        options.map.clone_from(&request.options.map);
    }
    let prepare = |raster: &mut Raster| {
        raster.tif_layout = tif_layout;
        raster.pixels = args.content.encode.map_or(raster.pixels, PixelEncoding::Heights);
    };
    if let Some(field) =
        field_of_all(&outputs, &request, &options).filter(|_| !args.report.is_asked_for() && !has_sheet)
    {
        let values = request.field(field, args.messages.quiet)?;
        let SceneRequest { preset, viewer, .. } = request;
        // Formats that hold the viewer are a field only if it is given.
        let mut raster = options.raster_of_field(values, &preset, viewer.unwrap_or_default())?;
        prepare(&mut raster);
        let products: Vec<_> = outputs.iter().map(|output| (output, Product::from(&raster))).collect();
        return write_products(&products, args.messages, |i| summary(&options, &products[i], viewer));
    }
    request.has_printed_notes |= options.layer.world_field().is_some(); // no view
    let (scene, _) = request.scene(args.messages.quiet)?;
    let product = |output: &OutputFile| {
        if args.sheet.is_sheet(output) {
            let sheet = sheet(&args.sheet, base.as_ref(), &scene, &options)?;
            return Ok(Content::Sheet(Box::new(sheet)).into());
        }
        let what = if output.format.takes(ContentKind::Picture) { "paint" } else { "collect values of" };
        let stage = format!("{what} {}", output_name(&output.path));
        let mut product = timed(stage, || options.product(&scene, output.format))?;
        if let Content::Raster(raster) = &mut product.content {
            prepare(raster.to_mut());
        }
        Ok::<_, Failure>(product)
    };
    let products = outputs.iter().map(|output| Ok((output, product(output)?))).collect::<Result<Vec<_>, Failure>>()?;
    write_products(&products, args.messages, |i| summary(&options, &products[i], Some(raster_viewer(&scene))))?;
    args.report.print(|| report(&scene, &options, &products))
}

/// Returns the field of a generated world if all outputs consist of it.
fn field_of_all(outputs: &[OutputFile], request: &SceneRequest, options: &ExportOptions) -> Option<WorldField> {
    let is_field = |output: &OutputFile| options.world_field(output.format, request.viewer.is_some()).is_some();
    options.layer.world_field().filter(|_| request.is_generated_country() && outputs.iter().all(is_field))
}

fn ensure_text_holds(layer: Layer, outputs: &[OutputFile]) -> Result<(), Failure> {
    match outputs.iter().find(|output| output.format == Format::Txt && !layer.is_share()) {
        Some(output) => Err(not_as_text(output, layer.name())),
        None => Ok(()),
    }
}

fn unit(product: &Product<'_>) -> &'static str {
    if product.kind() == ContentKind::Picture { "pixels" } else { "cells" }
}

/// Returns the cell of the viewer on the whole map.
fn raster_viewer(scene: &Scene) -> IVec2 {
    scene.viewer() + scene.origin()
}

/// Returns a summary such as `visibility, 1064x1090 pixels, viewer at 12,80`.
fn summary(options: &ExportOptions, (output, product): &(&OutputFile, Product<'_>), viewer: Option<IVec2>) -> String {
    let size = product.size().unwrap_or_default();
    let viewer = viewer.map_or_else(String::new, |viewer| format!(", viewer at {},{}", viewer.x, viewer.y));
    let range = match &product.content {
        Content::Raster(raster) if output.format == Format::R16 => {
            let ([low, high], unit) = (raster.range, raster.unit);
            format!(", 0 is {}, 65535 is {}", format!("{low} {unit}").trim_end(), format!("{high} {unit}").trim_end())
        }
        Content::Sheet(sheet) => return format!("{}, {}{viewer}", options.layer.name(), sheet.summary()),
        _ => String::new(),
    };
    format!("{}, {}x{} {}{range}{viewer}", options.layer.name(), size.x, size.y, unit(product))
}

fn report(scene: &Scene, options: &ExportOptions, products: &[(&OutputFile, Product<'_>)]) -> serde_json::Value {
    let file = |(output, product): &(&OutputFile, Product<'_>)| {
        let size = product.size();
        json!({
            "path": output.path.display().to_string(),
            "format": output.format.name(),
            "width": size.map(|size| size.x),
            "height": size.map(|size| size.y),
            "unit": unit(product),
            "projection_file": written_projection_file(output, product).map(|path| path.display().to_string()),
            "world_file": written_world_file(output, product).map(|path| path.display().to_string()),
        })
    };
    json!({
        "files": products.iter().map(file).collect::<Vec<_>>(),
        "layer": options.layer.name(),
        "preset": options.name,
        "map": options.map.as_ref().map(|map| &map.name),
        "seed": options.map.is_none().then_some(scene.preset().world.seed),
        "viewer": raster_viewer(scene),
        "radius": scene.radius(),
    })
}
