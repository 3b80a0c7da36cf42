//! `farsight explain`: the cells that reduce the visibility of a target, and the share of each.

use clap::value_parser;
use comfy_table::CellAlignment::{Left, Right};
use comfy_table::Table;
use glam::{DVec2, IVec2};
use serde_json::json;

use super::failure::Failure;
use super::output::MessageArgs;
use super::partial_heightmap::ReadingArgs;
use super::scene_args::SceneArgs;
use super::scene_request::ShownPart;
use super::section_text::section_text;
use super::stdio::print_stdout;
use super::text::{new_table, table_text, three_decimals_or_exponent};
use super::values::{parse_cell, parse_coordinates};
use crate::stage_log::timed;
use farsight::grid::CellRect;
use farsight_scene::explain::{
    CellLoss, ExplainError, Explanation, ExplanationPaths, Loss, Region, Section, SectionPoint,
};
use farsight_scene::export::provenance;
use farsight_scene::files::{Georeference, MapSource, Provenance, ReferenceSystem};
use farsight_scene::scene::Scene;
use farsight_scene::text::group_digits;

const EXAMPLES: &str = "\
Examples:
  farsight explain --target 76,91                           why that cell is not seen better
  farsight explain --map cave.txt --at 3,4 --target 20,9    the walls that hide it
  farsight explain --preset mist --target 76,91 --json      everything as JSON
  farsight explain --from view.png --target 76,91           in the scene of an exported picture";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The cell to explain, counted from 0,0 at the upper left
    #[arg(long, value_name = "X,Y", value_parser = parse_cell, allow_hyphen_values = true,
        required_unless_present = "target_coordinates", help_heading = "Target")]
    target: Option<IVec2>,
    /// The target in the coordinates of the heightmap, such as easting and northing, or longitude and latitude
    #[arg(long, value_name = "E,N", value_parser = parse_coordinates, allow_hyphen_values = true,
        conflicts_with = "target", requires = "heightmap", help_heading = "Target")]
    target_coordinates: Option<DVec2>,
    /// List this many cells, the largest losses first
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(0..=1_000_000),
        help_heading = "Target")]
    top: u32,
    /// Print JSON instead of words and tables
    #[arg(long, help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    messages: MessageArgs,
}

pub(crate) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let mut request = args.scene.request_of_view(args.reading, None, ShownPart::Window)?;
    let target = match (args.target, args.target_coordinates) {
        (Some(cell), _) => cell,
        (None, Some(position)) => request.cell_at(position, "the target")?,
        (None, None) => unreachable!("clap requires one of them"),
    };
    let size = request.size();
    if !CellRect::of_size(size).contains(target) {
        return Err(ExplainError::Outside { target, size }.into());
    }
    if request.is_in_part() {
        // The section leads to the target, also to one beyond the radius.
        let to_target = request.viewer.map(|viewer| CellRect::around(viewer, 0).cover(CellRect::around(target, 0)));
        request.read_window_of_view(to_target)?;
    }
    let (scene, options) = request.scene(args.messages.quiet)?;
    let (origin, target) = (scene.origin(), target - scene.origin());
    let explanation = timed("explain", || Explanation::of(&scene, target))?.on_raster(origin);
    let section = timed("section", || Section::of(&scene, target)).on_raster(origin);
    let top = args.top as usize;
    let places = ExplainedPlaces {
        georeference: options.map.as_ref().and_then(MapSource::georeference),
        metres_per_unit: scene.world().map(|world| world.cell_size_at(scene.viewer()).shorter_m()),
    };
    if args.json {
        let provenance = provenance(&scene, &options, CellRect::of_size(scene.size()));
        return print_stdout(format!("{:#}\n", report(&provenance, &explanation, &section, top, places)));
    }
    print_stdout(text(&scene, &explanation, &section, top, places))
}

/// The coordinates and metres of the cells of an explanation.
#[derive(Clone, Copy)]
struct ExplainedPlaces<'a> {
    georeference: Option<&'a Georeference>,
    /// The metres of a unit of distance, where they are known.
    metres_per_unit: Option<f64>,
}

impl ExplainedPlaces<'_> {
    /// Returns the centre of a cell in the coordinates of the raster.
    fn coordinates(self, cell: IVec2) -> Option<[f64; 2]> {
        Some(self.georeference?.middle_of(cell).to_array())
    }

    /// Returns the longitude and latitude of the centre of a cell on WGS 84.
    fn longitude_latitude(self, cell: IVec2) -> Option<[f64; 2]> {
        let place = self.georeference?;
        let system = ReferenceSystem::from_keys(&place.keys)?;
        let degrees = system.transform(&ReferenceSystem::wgs84(), place.middle_of(cell)).ok()?;
        // To a millimetre, so that results do not depend on the sine of the platform.
        Some(((degrees * 1e8).round() / 1e8).to_array())
    }

    fn metres(self, distance: f64) -> Option<f64> {
        Some(distance * self.metres_per_unit?)
    }

    /// Returns a line with the positions of viewer and target, and their distance, if the raster has coordinates.
    fn line(self, explanation: &Explanation) -> Option<String> {
        let position = |cell: IVec2| {
            let [x, y] = self.coordinates(cell)?;
            let degrees = self.longitude_latitude(cell).filter(|degrees| *degrees != [x, y]);
            let degrees =
                degrees.map(|[longitude, latitude]| format!(" (longitude {longitude:.6}, latitude {latitude:.6})"));
            Some(format!("{x}, {y}{}", degrees.unwrap_or_default()))
        };
        let (viewer, target) = (position(explanation.viewer)?, position(explanation.target)?);
        let metres = self.metres(explanation.distance())?;
        Some(format!("From {viewer}\nto {target}: {metres:.1} m\n"))
    }
}

fn text(
    scene: &Scene,
    explanation: &Explanation,
    section: &Section,
    top: usize,
    places: ExplainedPlaces<'_>,
) -> String {
    let mut text = explanation.sentence() + "\n" + &places.line(explanation).unwrap_or_default();
    let is_excluded = explanation.is_out_of_range() || explanation.is_out_of_sector();
    if is_excluded || explanation.is_unmeasured() || explanation.target == explanation.viewer {
        return text;
    }
    if !explanation.losses.is_empty() {
        text += &format!("\n{}", table_text(&causes(explanation)));
    }
    if !explanation.cells.is_empty() && top > 0 {
        text += &format!("\n{}", table_text(&cells(explanation, top)));
    }
    text + "\n" + &section_text(section, scene.world().is_some())
}

fn causes(explanation: &Explanation) -> Table {
    let mut table =
        new_table(&[("cause", Left), ("takes", Right), ("where", Left), ("cells", Right), ("seen without", Right)]);
    for loss in &explanation.losses {
        let mut cause = [loss.cause.name().to_owned(), three_decimals_or_exponent(loss.share)];
        let others = loss.regions.iter().skip(1).filter(|place| place.gain > 0.0).map(Some);
        for place in [loss.regions.first()].into_iter().chain(others) {
            let place = place.map(|place| {
                let seen = three_decimals_or_exponent(explanation.explained + place.gain);
                [cell(place.cell), group_digits(place.cells.len()), seen]
            });
            table.add_row(std::mem::take(&mut cause).into_iter().chain(place.unwrap_or_default()));
        }
    }
    table
}

fn cells(explanation: &Explanation, top: usize) -> Table {
    let mut table = new_table(&[("cell", Left), ("cause", Left), ("opacity", Right), ("gain if clear", Right)]);
    for loss in explanation.cells.iter().take(top) {
        let opacity = three_decimals_or_exponent(f64::from(loss.opacity));
        table.add_row([cell(loss.cell), loss.cause.name().to_owned(), opacity, gain(loss.gain)]);
    }
    table
}

fn cell(cell: IVec2) -> String {
    format!("{},{}", cell.x, cell.y)
}

/// Formats a gain with one more digit than visibilities, because many small gains add up.
fn gain(gain: f64) -> String {
    if gain >= 0.0005 { format!("{gain:.4}") } else { three_decimals_or_exponent(gain) }
}

fn report(
    provenance: &Provenance,
    explanation: &Explanation,
    section: &Section,
    top: usize,
    places: ExplainedPlaces<'_>,
) -> serde_json::Value {
    let place = |place: &Region| json!({"cell": place.cell, "cells": place.cells, "gain": place.gain});
    let loss = |loss: &Loss| {
        let places: Vec<_> = loss.regions.iter().map(place).collect();
        json!({"cause": loss.cause.name(), "share": loss.share, "places": places})
    };
    let cell = |CellLoss { cell, cause, opacity, gain }: &CellLoss| json!({"cell": cell, "cause": cause.name(), "opacity": opacity, "gain": gain});
    let point = |point: &SectionPoint| {
        let heights = point.heights;
        json!({
            "cell": point.cell,
            "distance": point.distance,
            "distance_m": places.metres(point.distance),
            "coordinates": places.coordinates(point.cell),
            "opacity": point.opacity,
            "perceived": point.left,
            "ground_m": heights.map(|heights| heights.ground),
            "canopy_m": heights.map(|heights| heights.canopy),
            "line_m": heights.map(|heights| heights.line),
        })
    };
    let (along, lines) = match explanation.paths {
        ExplanationPaths::Parents => ("parents", None),
        ExplanationPaths::Lines(lines) => ("lines", Some(lines)),
    };
    json!({
        "farsight": provenance,
        "viewer": explanation.viewer,
        "target": explanation.target,
        "distance": explanation.distance(),
        "distance_m": places.metres(explanation.distance()),
        "viewer_coordinates": places.coordinates(explanation.viewer),
        "target_coordinates": places.coordinates(explanation.target),
        "viewer_longitude_latitude": places.longitude_latitude(explanation.viewer),
        "target_longitude_latitude": places.longitude_latitude(explanation.target),
        "radius": explanation.radius,
        "in_range": !explanation.is_out_of_range(),
        "perceived": explanation.perceived,
        "perceived_by_all": explanation.perceived_by_all,
        "explained": explanation.explained,
        "along": along,
        "lines": lines,
        "sentence": explanation.sentence(),
        "losses": explanation.losses.iter().map(loss).collect::<Vec<_>>(),
        "cells": explanation.cells.iter().take(top).map(cell).collect::<Vec<_>>(),
        "in_series": explanation.in_series,
        "least_height_m": explanation.least_height_m,
        "without_series": (!explanation.in_series.is_empty()).then_some(explanation.without_series),
        "section": section.points.iter().map(point).collect::<Vec<_>>(),
    })
}
