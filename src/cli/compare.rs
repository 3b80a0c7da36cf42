//! `farsight compare`: every method on the same maps, in a table, as JSON, as a picture.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::value_parser;
use serde_json::json;

use super::exit::Failure;
use super::scene_args::SceneArgs;
use super::table::{Align, Table, count, percent, share, small};
use crate::cli::{gallery, output, print, progress, say};
use crate::compare::GALLERY_MAPS;
use crate::compare::{
    AccuracyOptions, AccuracyRow, Case, CaseError, CompareError, CompareOptions, ComparedMethod, Comparison, Figures,
    RoomWalls, accuracy, picture,
};
use crate::export::provenance;
use crate::files::{Input, InputFile, Provenance, read_opacity_map, write_picture};
use crate::grid::CellRect;
use crate::preset::Preset;
use crate::sight::OpacityMap;
use glam::IVec2;

const EXAMPLES: &str = "\
Examples:
  farsight compare --preset dungeon                    every method in a dungeon, in figures
  farsight compare --gallery                           on all small maps together
  farsight compare --maps cave.txt rooms.npy --json    on maps of your own, for programs
  farsight compare --map cave.txt -o compare.png       a panel a method, and what differs
  farsight compare --gallery --methods two-parent,shadowcast,exact --no-time
  farsight compare --accuracy                          errors of the soft methods";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    what: What,
    /// Write a picture, too: for each method what is seen, and how that differs from exact. `-` is standard output
    #[arg(long, short, value_name = "FILE.png", help_heading = "Output")]
    output: Option<PathBuf>,
    /// The figures as JSON in place of the table
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Say nothing on standard error but what went wrong
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// What is compared, and on what.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is compared")]
struct What {
    /// On all small maps of the gallery together
    #[arg(long, conflicts_with_all = ["maps", "preset", "from", "seed", "size", "map", "at"])]
    gallery: bool,
    /// On these maps together (.txt, .npy, .csv, .png); the viewer stands on the @ of a text map, else on the clear
    /// cell nearest to the middle
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["preset", "from", "seed", "size", "map", "at"])]
    maps: Vec<PathBuf>,
    /// The methods, in order. Default: all
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = gallery::contenders())]
    methods: Vec<ComparedMethod>,
    /// Errors of clear cells alone: exact counts the share of a wall's area that is in sight, a method of the grid
    /// shows a wall as one thing
    #[arg(long)]
    floor: bool,
    /// Cells of each map between all pairs of which asymmetry is measured, 2 to 512
    #[arg(long, value_name = "N", default_value_t = CompareOptions::DEFAULT_ASYMMETRY_CELLS as u32,
        value_parser = value_parser!(u32).range(2..=512))]
    asymmetry_cells: u32,
    /// Take no time. All other figures are the same on every machine
    #[arg(long)]
    no_time: bool,
    /// In place of all that: the error of the soft methods against traced lines, on five kinds of made maps
    #[arg(long, conflicts_with_all = ["gallery", "maps", "methods", "floor", "asymmetry_cells", "no_time", "output",
        "preset", "from", "seed", "size", "map", "at"])]
    accuracy: bool,
}

pub(super) fn run(args: &CompareArgs) -> Result<(), Failure> {
    if let Some(flag) = args.scene.flag_of_one_method() {
        return Err(Failure::usage(format!(
            "{flag} chooses one way to see, and compare shows several without decay; see --methods"
        )));
    }
    if args.what.accuracy {
        return tell_accuracy(args);
    }
    if let Some(path) = &args.output {
        output::check_png(path)?;
        let maps = args.what.maps.iter().map(|path| InputFile { reader: "--maps", path });
        output::check_input(path, &args.scene.files().into_iter().chain(maps).collect::<Vec<_>>())?;
        if path.as_os_str() == "-" {
            return Err(Failure::usage("-o - and the figures cannot both write to standard output"));
        }
    }
    let subject = Subject::of(args)?;
    let mut options = CompareOptions {
        asymmetry_cells: args.what.asymmetry_cells as usize,
        floor_only: args.what.floor,
        ..CompareOptions::default()
    };
    if !args.what.methods.is_empty() {
        options.methods.clone_from(&args.what.methods);
    }
    let start = Instant::now();
    let seconds = || start.elapsed().as_secs_f64();
    let clock: Option<&dyn Fn() -> f64> = if args.what.no_time { None } else { Some(&seconds) };
    let comparison = progress::watched(args.quiet, |job| Comparison::of(&subject.arenas, &options, clock, job))?;
    if args.json {
        print(&format!("{:#}\n", subject.json(&comparison)))?;
    } else {
        print(&text(&subject, &comparison, args.what.floor))?;
    }
    match &args.output {
        Some(path) => draw(path, &subject, &comparison, args.quiet),
        None => Ok(()),
    }
}

/// What methods are compared on.
struct Subject {
    title: String,
    arenas: Vec<Case>,
    provenance: Provenance,
    /// Whether there is no one scene with a world and a viewer.
    is_of_maps: bool,
}

impl Subject {
    fn of(args: &CompareArgs) -> Result<Self, Failure> {
        if args.what.gallery {
            let preset = args.scene.kernel()?;
            let arenas = GALLERY_MAPS.iter().map(|gallery| {
                let map = gallery.map();
                let viewer = map.viewer.unwrap_or(map.opacity.size() / 2);
                let opacity =
                    OpacityMap::try_from(map.opacity).map_err(|error| Failure::internal(error.to_string()))?;
                Ok(Case::new(gallery.title, opacity, viewer, &preset)?)
            });
            let arenas = arenas.collect::<Result<Vec<_>, Failure>>()?;
            let title = format!("{} maps of the gallery", arenas.len());
            return Ok(Self { title, arenas, provenance: of_maps(&preset), is_of_maps: true });
        }
        if !args.what.maps.is_empty() {
            let preset = args.scene.kernel()?;
            let arenas = args.what.maps.iter().map(|path| of_file(path, &preset)).collect::<Result<Vec<_>, _>>()?;
            let title = match &arenas[..] {
                [one] => one.name().to_owned(),
                several => format!("{} maps", several.len()),
            };
            return Ok(Self { title, arenas, provenance: of_maps(&preset), is_of_maps: true });
        }
        let (scene, options) = args.scene.request()?.scene(args.quiet)?;
        let name = match (&options.map, scene.world()) {
            (Some(map), _) => map.name.clone(),
            (None, _) => format!("{}, seed {}", options.name, scene.preset().world.seed),
        };
        let title = format!("{name}, viewer at {},{}", scene.viewer().x, scene.viewer().y);
        let provenance = provenance(&scene, &options, CellRect::of_size(scene.size()));
        Ok(Self { arenas: vec![Case::of_scene(name, &scene)?], title, provenance, is_of_maps: false })
    }

    fn json(&self, comparison: &Comparison) -> serde_json::Value {
        let mut provenance = json!(self.provenance);
        if let (true, Some(keys)) = (self.is_of_maps, provenance.as_object_mut()) {
            keys.retain(|key, _| key != "seed" && key != "viewer"); // each map has a viewer of its own
        }
        let mut figures = json!({"farsight": provenance, "subject": self.title, "radius": self.radius()});
        if let (Some(all), serde_json::Value::Object(more)) = (figures.as_object_mut(), comparison.to_json()) {
            all.extend(more);
        }
        figures
    }

    fn radius(&self) -> u32 {
        self.arenas.iter().map(|arena| arena.preset().sight.radius).max().unwrap_or(0)
    }

    fn lines(&self) -> u32 {
        self.arenas.first().map_or(0, |arena| arena.preset().sight.samples.pow(2))
    }
}

fn of_file(path: &Path, preset: &Preset) -> Result<Case, Failure> {
    let file = read_opacity_map(&Input::new(path))?;
    let viewer = file.viewer.unwrap_or_else(|| clear_cell_near_middle(&file.opacity));
    Ok(Case::new(output::name(path), file.opacity, viewer, preset)?)
}

fn clear_cell_near_middle(map: &OpacityMap) -> IVec2 {
    let middle = map.grid().size() / 2;
    let clear = map.grid().iter().filter(|(_, opacity)| **opacity == 0.0).map(|(cell, _)| cell);
    clear.min_by_key(|cell| (*cell - middle).as_i64vec2().length_squared()).unwrap_or(middle)
}

/// There is no one scene that could be asked for again.
fn of_maps(preset: &Preset) -> Provenance {
    Provenance {
        version: env!("CARGO_PKG_VERSION").into(),
        preset: preset.to_toml(),
        seed: preset.world.seed,
        layer: "comparison".into(),
        ..Provenance::default()
    }
}

/// The table for people.
fn text(subject: &Subject, comparison: &Comparison, floor_only: bool) -> String {
    let timed = comparison.total.iter().any(|figures| figures.time_ratio.is_some());
    let mut table = Table::new(&[
        ("method", Align::Left),
        ("seen", Align::Right),
        ("agree", Align::Right),
        ("RMSE", Align::Right),
        ("mean err", Align::Right),
        ("max err", Align::Right),
        ("asym mean", Align::Right),
        ("asym max", Align::Right),
        ("orphans", Align::Right),
        ("blind", Align::Right),
        ("walls", Align::Right),
        ("room dim", Align::Right),
        ("dark", Align::Right),
    ]);
    if timed {
        table.add_column("time", Align::Right);
    }
    for (figures, room) in comparison.total.iter().zip(&comparison.room) {
        table.add_row(row(figures, room));
    }
    let cells = comparison.total.first().map_or(0, |figures| figures.difference.cells);
    let pairs = comparison.total.first().map_or(0, |figures| figures.asymmetry.pairs);
    let walls = comparison.room.first().map_or(0, |room| room.walls);
    let [columns, rows] = Comparison::ROOM;
    let which = if floor_only { " clear" } else { "" };
    let mut words = format!(
        "{}; radius {}; {}{which} cells against exact ({} lines a cell)\n\n{table}\n",
        subject.title,
        subject.radius(),
        count(cells),
        subject.lines(),
    );
    words += &format!(
        "seen: cells from half on. agree: share of cells on which that is as exact has it. err: of visibility.\n\
         asym: |V(a to b) - V(b to a)| over pairs of clear cells that see each other ({pairs} for the first method).\n\
         orphans: visible cells that none leads to. blind: unseen with nothing in the way. walls: unseen behind seen\n\
         floor. room: of {} sights of walls in an empty room of {columns}x{rows}, those below half, and those not at all.\n",
        count(walls)
    );
    if timed {
        words += "time: of one field of view, as a multiple of that of two-parent, linear.\n";
    }
    words
}

fn row(figures: &Figures, room: &RoomWalls) -> Vec<String> {
    let Figures { difference, asymmetry, .. } = figures;
    let mut row = vec![
        figures.method.title().to_owned(),
        count(difference.seen),
        percent(difference.agreement),
        share(difference.rmse),
        share(difference.mean_error),
        share(difference.max_error),
        small(asymmetry.mean),
        small(asymmetry.max),
        count(figures.orphans),
        count(figures.blind_spots),
        count(figures.hidden_walls),
        count(room.dim),
        count(room.dark),
    ];
    if let Some(ratio) = figures.time_ratio {
        row.push(if ratio < 9.95 { format!("{ratio:.1}x") } else { format!("{ratio:.0}x") });
    }
    row
}

fn draw(path: &Path, subject: &Subject, comparison: &Comparison, quiet: bool) -> Result<(), Failure> {
    let picture = progress::watched(quiet, |job| picture(&subject.arenas, comparison, &subject.title, job))?;
    let [width, height] = [picture.width() as u32, picture.height() as u32];
    crate::files::save(path, |out| write_picture(out, width, height, picture.rgba(), Some(&subject.provenance)))?;
    if !quiet {
        say(&format!("wrote {}: {width}x{height} pixels", output::name(path)));
    }
    Ok(())
}

/// The table of errors of the soft methods.
fn tell_accuracy(args: &CompareArgs) -> Result<(), Failure> {
    let preset = args.scene.kernel()?;
    let defaults = AccuracyOptions::default();
    let radius = if args.scene.has_radius() { preset.sight.radius } else { defaults.radius };
    if radius > 256 {
        return Err(Failure::usage(format!("--radius {radius} takes too long with --accuracy; at most 256 is traced")));
    }
    let options = AccuracyOptions { radius, samples: preset.sight.samples, ..defaults };
    let rows = progress::watched(args.quiet, |job| accuracy(&options, job))?;
    if args.json {
        return print(&format!("{:#}\n", accuracy_json(&options, &rows)));
    }
    let mut table = Table::new(&[("RMSE", Align::Left)]);
    for method in AccuracyRow::METHODS {
        table.add_column(method, Align::Right);
    }
    for row in &rows {
        let errors = row.errors.iter().map(|error| format!("{:.4}", error.rmse));
        table.add_row([row.kind.to_owned()].into_iter().chain(errors).collect());
    }
    let AccuracyOptions { radius, samples, maps } = options;
    let lines = samples.pow(2);
    print(&format!(
        "Error against {lines} traced lines a cell, per length, radius {radius}, over {maps} maps of each kind\n\n{table}"
    ))
}

fn accuracy_json(options: &AccuracyOptions, rows: &[AccuracyRow]) -> serde_json::Value {
    let kinds: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            let methods = AccuracyRow::METHODS.iter().zip(&row.errors).map(|(method, error)| {
                json!({"method": method, "rmse": error.rmse, "max_error": error.greatest, "bias": error.bias,
                    "cells": error.cells})
            });
            json!({"kind": row.kind, "methods": methods.collect::<Vec<_>>()})
        })
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "radius": options.radius,
        "samples": options.samples,
        "maps": options.maps,
        "kinds": kinds,
    })
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Sight(error) => error.into(),
            CompareError::Cancelled(error) => Self::internal(error.to_string()),
            other => Self::input(other.to_string()),
        }
    }
}

impl From<CaseError> for Failure {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Sight(error) => error.into(),
            CaseError::Scene(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}
