//! `farsight explain`: which cells take the view of a target away, and how much each.

use clap::value_parser;
use serde_json::json;

use super::exit::Failure;
use super::scene_args::SceneArgs;
use super::table::{Align, Table, count, small};
use crate::cli::section_text;
use crate::cli::{print, values};
use crate::explain::{CellLoss, ExplainError, Explanation, ExplanationPaths, Loss, Region, Section, SectionPoint};
use crate::export::provenance;
use crate::files::Provenance;
use crate::grid::CellRect;
use crate::scene::Scene;
use glam::IVec2;

const EXAMPLES: &str = "\
Examples:
  farsight explain --target 115,340                         why is that cell seen no better?
  farsight explain --map cave.txt --at 3,4 --target 20,9    which walls hide it, and what if they went
  farsight explain --preset mist --target 115,340 --json    all of it, for programs
  farsight explain --from view.png --target 115,340         in the scene of an exported picture";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// The cell that is looked at, counted from 0,0 at the upper left
    #[arg(long, value_name = "X,Y", value_parser = values::cell, allow_hyphen_values = true, required = true,
        help_heading = "What is explained")]
    target: IVec2,
    /// How many cells are listed, those first that take most
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(0..=1_000_000),
        help_heading = "What is explained")]
    top: u32,
    /// The figures as JSON in place of words and tables
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Say nothing on standard error but what went wrong
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

pub(super) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let (scene, options) = args.scene.request()?.scene(args.quiet)?;
    let explanation = Explanation::of(&scene, args.target)?;
    let section = Section::of(&scene, args.target);
    let top = args.top as usize;
    if args.json {
        let provenance = provenance(&scene, &options, CellRect::of_size(scene.size()));
        return print(&format!("{:#}\n", report(&provenance, &explanation, &section, top)));
    }
    print(&text(&scene, &explanation, &section, top))
}

/// Words, the causes, the cells, the section.
fn text(scene: &Scene, explanation: &Explanation, section: &Section, top: usize) -> String {
    let mut text = explanation.sentence() + "\n";
    if explanation.is_out_of_range() || explanation.is_unmeasured() || explanation.target == explanation.viewer {
        return text;
    }
    if !explanation.losses.is_empty() {
        text += &format!("\n{}", causes(explanation));
    }
    if !explanation.cells.is_empty() && top > 0 {
        text += &format!("\n{}", cells(explanation, top));
    }
    text + "\n" + &section_text::draw(section, scene.world().is_some())
}

fn causes(explanation: &Explanation) -> Table {
    let mut table = Table::new(&[
        ("cause", Align::Left),
        ("takes", Align::Right),
        ("where", Align::Left),
        ("cells", Align::Right),
        ("seen without", Align::Right),
    ]);
    for loss in &explanation.losses {
        let row = |first: bool, place: Option<&Region>| {
            let [mut cause, mut share] = [String::new(), String::new()];
            if first {
                (cause, share) = (loss.cause.name().to_owned(), small(loss.share));
            }
            let place = place
                .map(|place| [cell(place.cell), count(place.cells.len()), small(explanation.explained + place.gain)]);
            let [place, cells, without] = place.unwrap_or_default();
            vec![cause, share, place, cells, without]
        };
        table.add_row(row(true, loss.regions.first()));
        for place in loss.regions.iter().skip(1).filter(|place| place.gain > 0.0) {
            table.add_row(row(false, Some(place)));
        }
    }
    table
}

fn cells(explanation: &Explanation, top: usize) -> Table {
    let mut table = Table::new(&[
        ("cell", Align::Left),
        ("cause", Align::Left),
        ("opacity", Align::Right),
        ("gain if clear", Align::Right),
    ]);
    for loss in explanation.cells.iter().take(top) {
        let opacity = small(f64::from(loss.opacity));
        table.add_row(vec![cell(loss.cell), loss.cause.name().to_owned(), opacity, gain(loss.gain)]);
    }
    table
}

fn cell(cell: IVec2) -> String {
    format!("{},{}", cell.x, cell.y)
}

/// With a digit more than the visibilities: it is the sum of many small ones that counts.
fn gain(gain: f64) -> String {
    if gain >= 0.0005 { format!("{gain:.4}") } else { small(gain) }
}

/// All of it, for programs.
fn report(provenance: &Provenance, explanation: &Explanation, section: &Section, top: usize) -> serde_json::Value {
    let place = |place: &Region| {
        json!({
            "cell": place.cell.to_array(),
            "cells": place.cells.iter().map(|cell| cell.to_array()).collect::<Vec<_>>(),
            "gain": place.gain,
        })
    };
    let loss = |loss: &Loss| {
        let places: Vec<_> = loss.regions.iter().map(place).collect();
        json!({"cause": loss.cause.name(), "share": loss.share, "places": places})
    };
    let cell = |loss: &CellLoss| {
        let CellLoss { cell, cause, opacity, gain } = *loss;
        json!({"cell": cell.to_array(), "cause": cause.name(), "opacity": opacity, "gain": gain})
    };
    let point = |point: &SectionPoint| {
        let heights = point.heights;
        json!({
            "cell": point.cell.to_array(),
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
        "viewer": explanation.viewer.to_array(),
        "target": explanation.target.to_array(),
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
        "in_series": explanation.in_series.iter().map(|cell| cell.to_array()).collect::<Vec<_>>(),
        "least_height_m": explanation.least_height_m,
        "without_series": (!explanation.in_series.is_empty()).then_some(explanation.without_series),
        "section": section.points.iter().map(point).collect::<Vec<_>>(),
    })
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Self {
        match error {
            ExplainError::Sight(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}
