//! Sheets of `farsight export`: a layer of a scene on paper.

use std::borrow::Cow;

use glam::IVec2;

use super::failure::Failure;
use super::north::NorthArgs;
use super::output::MessageArgs;
use super::sheet_args::{SheetArgs, sheet_north};
use farsight_scene::export::ExportOptions;
use farsight_scene::files::{Content, Format, PositionedPicture, Product};
use farsight_scene::paint::{LayerColours, layer_colours};
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::sheet::{FramedSheet, MapSheet, PointSymbol, SheetPoint, Zone, ZoneColours};

/// Returns the sheet of a scene.
pub(super) fn sheet<'a>(
    args: &SheetArgs,
    base: Option<&'a PositionedPicture>,
    scene: &'a Scene,
    options: &ExportOptions,
) -> Result<FramedSheet<'a>, Failure> {
    let Some(world) = scene.world() else {
        return Err(Failure::usage(
            "a sheet has a scale, and an opacity map has none: expected --heightmap or a generated world",
        ));
    };
    let Product { content: Content::Raster(raster), .. } = options.product(scene, Format::Npy)? else {
        unreachable!("values of a layer are a raster")
    };
    let raster = raster.into_owned();
    let (layer, ramp) = (options.layer, scene.preset().paint.ramp);
    let colours = match layer {
        Layer::Biome => {
            let names = raster.labels.iter().flat_map(|labels| &labels.names);
            let zone = |(number, (name, colour)): (usize, (&String, &[u8; 3]))| Zone {
                low: number as f32,
                high: number as f32,
                colour: Some(*colour),
                label: name.clone(),
            };
            let is_shown = |zone: &Zone| raster.values.as_slice().contains(&zone.low);
            ZoneColours::Zones(names.zip(&raster.palette).enumerate().map(zone).filter(is_shown).collect())
        }
        layer if scene.is_binary(layer) => ZoneColours::of_numbers(ramp, ["seen".to_owned()]).with_zero("not seen"),
        layer => {
            let LayerColours { colours, range: [low, mut high] } = layer_colours(layer, ramp, world);
            if layer == Layer::MinVisibleHeight {
                high = raster.range[1];
            }
            let is_beyond = |value: &f32| *value < low || *value > high;
            let beyond = if raster.values.as_slice().iter().any(is_beyond) { " and beyond" } else { "" };
            ZoneColours::Ramp { colours, low, high, unit: format!("{}{beyond}", layer.unit()) }
        }
    };
    let viewer = raster.viewer - raster.top_left;
    let centre = |cell: IVec2| cell.as_dvec2() + 0.5;
    let lookouts = scene.observers().iter().map(|observer| observer.at + scene.origin() - raster.top_left);
    let has_viewers =
        matches!(layer, Layer::Visibility | Layer::Perceived | Layer::MinVisibleHeight | Layer::SlopeMargin);
    let viewers = std::iter::once(viewer).chain(lookouts).filter(|_| has_viewers);
    let point = |cell| SheetPoint { at: centre(cell), symbol: PointSymbol::Observer, name: String::new() };
    let size = raster.values.size();
    let middle = raster.top_left - scene.origin() + (size - 1) / 2;
    args.check_rings(world.cell_size_at(middle).shorter_m())?;
    let north = NorthArgs::TRUE.at(options.map.as_ref(), raster.viewer, MessageArgs { quiet: true });
    let name = options.map.as_ref().map_or(options.name.as_str(), |map| map.name.as_str());
    let subtitle = match has_viewers {
        true => {
            format!("{name}, viewer at {},{}, radius of {} cells", raster.viewer.x, raster.viewer.y, scene.radius())
        }
        false => name.to_owned(),
    };
    let mut title = layer.name().replace('-', " ");
    title[..1].make_ascii_uppercase();
    let sheet = MapSheet {
        paper: args.paper(),
        scale: args.scale(),
        dpi: args.dpi(),
        title: args.title(&title),
        subtitle,
        heading: title,
        colours,
        base: args.base(base, world, raster.top_left - scene.origin()),
        cell_size: world.cell_size_at(middle),
        points: viewers.map(point).collect(),
        rings_m: args.rings_m(None),
        north: sheet_north(north),
        notes: args.notes(options.map.as_ref()),
        georeference: raster.georeference,
        provenance: raster.provenance,
        values: Cow::Owned(raster.values),
    };
    FramedSheet::new(sheet).map_err(|error| Failure::usage(format!("--map-scale: {error}")))
}
