//! `farsight explain`: the cells that reduce the visibility of a target, and the share of each.

use clap::value_parser;
use comfy_table::CellAlignment::{Left, Right};
use comfy_table::Table;
use glam::IVec2;
use serde_json::json;

use super::failure::Failure;
use super::output::MessageArgs;
use super::partial_heightmap::ReadingArgs;
use super::scene_args::SceneArgs;
use super::scene_request::ShownPart;
use super::section_text::section_text;
use super::stdio::print_stdout;
use super::text::{new_table, table_text, three_decimals_or_exponent};
use super::values::parse_cell;
use crate::stage_log::timed;
use farsight::grid::CellRect;
use farsight_scene::explain::{
    CellLoss, ExplainError, Explanation, ExplanationPaths, Loss, Region, Section, SectionPoint,
};
use farsight_scene::export::provenance;
use farsight_scene::files::Provenance;
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
    #[arg(long, value_name = "X,Y", value_parser = parse_cell, allow_hyphen_values = true, required = true,
        help_heading = "Target")]
    target: IVec2,
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
    let (target, size) = (args.target, request.size());
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
    if args.json {
        let provenance = provenance(&scene, &options, CellRect::of_size(scene.size()));
        return print_stdout(format!("{:#}\n", report(&provenance, &explanation, &section, top)));
    }
    print_stdout(text(&scene, &explanation, &section, top))
}

fn text(scene: &Scene, explanation: &Explanation, section: &Section, top: usize) -> String {
    let mut text = explanation.sentence() + "\n";
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

fn report(provenance: &Provenance, explanation: &Explanation, section: &Section, top: usize) -> serde_json::Value {
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
