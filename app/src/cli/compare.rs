//! `farsight compare`: several methods on the same maps, as a table, as JSON, as a picture.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::value_parser;
use comfy_table::CellAlignment::{Left, Right};
use glam::IVec2;
use serde_json::json;

use super::failure::Failure;
use super::output::{MessageArgs, output_name, picture_file, provenance_of_maps, write_products};
use super::partial_heightmap::ReadingArgs;
use super::progress::with_progress_bar;
use super::scene_args::SceneArgs;
use super::stdio::print_stdout;
use super::text::{new_table, percent, table_text, three_decimals, three_decimals_or_exponent};
use super::values::choice;
use farsight::grid::CellRect;
use farsight::sight::{MethodKind, OpacityMap};
use farsight_scene::compare::{
    AccuracyOptions, AccuracyRow, Asymmetry, Case, CompareOptions, Comparison, Figures, GALLERY_MAPS, RoomWalls,
    accuracy, eye_asymmetry, picture,
};
use farsight_scene::export::provenance;
use farsight_scene::files::{Input, NamedInput, PlacedPicture, Provenance, is_stdout, read_opacity_map};
use farsight_scene::preset::Preset;
use farsight_scene::text::group_digits;

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
pub(crate) struct CompareArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    comparison: ComparisonArgs,
    /// Also write a picture: the view of each method, and its difference from exact
    #[arg(long, short, value_name = "FILE.png", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print JSON instead of the table
    #[arg(long, help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    messages: MessageArgs,
}

/// The methods and the maps of the comparison.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Comparison")]
struct ComparisonArgs {
    /// Compare on all small maps of the gallery together
    #[arg(long, conflicts_with_all = ["maps", "preset", "from", "seed", "size", "map", "at"])]
    gallery: bool,
    /// Compare on these maps together (.txt, .npy, .csv, .png); the viewer is the @ of a text map, else the clear cell
    /// nearest to the middle
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["preset", "from", "seed", "size", "map", "at"])]
    maps: Vec<PathBuf>,
    /// The methods, in order. Default: all
    #[arg(long, value_name = "LIST", value_delimiter = ',',
        value_parser = choice(MethodKind::ALL, MethodKind::name))]
    methods: Vec<MethodKind>,
    /// Count errors of clear cells only: exact gives the visible fraction of a wall's area, the other methods give one
    /// value for the whole wall
    #[arg(long)]
    floor: bool,
    /// Measure asymmetry between all pairs of this many cells of each map, 2 to 512
    #[arg(long, value_name = "N", default_value_t = CompareOptions::DEFAULT_ASYMMETRY_CELLS as u32,
        value_parser = value_parser!(u32).range(2..=512))]
    asymmetry_cells: u32,
    /// Do not measure time. All other figures are the same on every machine
    #[arg(long)]
    no_time: bool,
    /// Instead, compare the soft methods with traced lines on five kinds of random maps
    #[arg(long, conflicts_with_all = ["gallery", "maps", "methods", "floor", "asymmetry_cells", "no_time", "output",
        "preset", "from", "seed", "size", "map", "at"])]
    accuracy: bool,
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    if let Some(flag) = args.scene.flag_of_one_method() {
        return Err(Failure::usage(format!(
            "--{flag} chooses one method or decay, but compare shows several methods without decay; see --methods"
        )));
    }
    if args.comparison.accuracy {
        return print_accuracy(args);
    }
    let output = match &args.output {
        Some(path) if is_stdout(path) => {
            return Err(Failure::usage("-o - and the figures cannot both write to standard output"));
        }
        Some(path) => {
            let maps = args.comparison.maps.iter().map(|path| NamedInput::new("--maps", path));
            Some(picture_file(path, &args.scene.inputs().into_iter().chain(maps).collect::<Vec<_>>())?)
        }
        None => None,
    };
    let mut options = CompareOptions::default()
        .with_asymmetry_cells(args.comparison.asymmetry_cells as usize)
        .with_floor_only(args.comparison.floor);
    if !args.comparison.methods.is_empty() {
        options.methods.clone_from(&args.comparison.methods);
    }
    let maps = ComparedMaps::of(args, &options)?;
    let start = Instant::now();
    let seconds = || start.elapsed().as_secs_f64();
    let clock: Option<&dyn Fn() -> f64> = if args.comparison.no_time { None } else { Some(&seconds) };
    let quiet = args.messages.quiet;
    let comparison = with_progress_bar(quiet, |job| Comparison::of(&maps.cases, &options, clock, job))?;
    print_stdout(match args.json {
        true => format!("{:#}\n", maps.json(&comparison)),
        false => text(&maps, &comparison, args.comparison.floor),
    })?;
    if let Some(output) = output {
        let picture = with_progress_bar(quiet, |job| picture(&maps.cases, &comparison, &maps.title, job))?;
        let words = format!("{}x{} pixels", picture.width(), picture.height());
        let product = PlacedPicture::new(picture, maps.provenance).into();
        write_products(&[(&output, product)], args.messages, |_| words.clone())?;
    }
    Ok(())
}

/// The maps of a comparison.
struct ComparedMaps {
    title: String,
    cases: Vec<Case>,
    provenance: Provenance,
    /// `true` if there is no single scene with a world and a viewer.
    is_of_maps: bool,
    /// The asymmetry of two parents in a world, with an eye on each cell.
    eye_asymmetry: Option<Asymmetry>,
}

impl ComparedMaps {
    /// Reads the maps of the flags, or generates the scene, for the `compared` methods.
    fn of(args: &CompareArgs, compared: &CompareOptions) -> Result<Self, Failure> {
        if args.comparison.gallery {
            let preset = args.scene.bare_preset()?;
            let cases = GALLERY_MAPS.iter().map(|gallery| {
                let map = gallery.map();
                let viewer = map.viewer.unwrap_or(map.opacity.size() / 2);
                let opacity = OpacityMap::try_from(map).map_err(Failure::internal)?;
                Ok(Case::new(gallery.title, opacity, viewer, &preset)?)
            });
            let cases = cases.collect::<Result<Vec<_>, Failure>>()?;
            return Ok(Self::of_maps(format!("{} maps of the gallery", cases.len()), cases, &preset));
        }
        if !args.comparison.maps.is_empty() {
            let preset = args.scene.bare_preset()?;
            let cases =
                args.comparison.maps.iter().map(|path| case_of_file(path, &preset)).collect::<Result<Vec<_>, _>>()?;
            let title = match &cases[..] {
                [one] => one.name().to_owned(),
                several => format!("{} maps", several.len()),
            };
            return Ok(Self::of_maps(title, cases, &preset));
        }
        let mut request = args.scene.request_in_part(args.reading)?;
        if request.is_in_part() {
            request.read_window_of_view(None)?;
        }
        let cost = request.cost.take();
        let (scene, options) = request.scene(args.messages.quiet)?;
        if let Some(cost) = cost {
            let comparison = Comparison::cost(&scene, compared, !args.comparison.no_time);
            cost.check_cost("its comparison", &comparison)?;
        }
        let name = match &options.map {
            Some(map) => map.name.clone(),
            None => format!("{}, seed {}", options.name, scene.preset().world.seed),
        };
        let viewer = scene.viewer() + scene.origin();
        let title = format!("{name}, viewer at {},{}", viewer.x, viewer.y);
        let provenance = provenance(&scene, &options, CellRect::of_size(scene.size()));
        let cells = compared.asymmetry_cells;
        let eye_asymmetry = with_progress_bar(args.messages.quiet, |job| eye_asymmetry(&scene, cells, job))?;
        Ok(Self { cases: vec![Case::of_scene(name, &scene)?], title, provenance, is_of_maps: false, eye_asymmetry })
    }

    fn of_maps(title: String, cases: Vec<Case>, preset: &Preset) -> Self {
        Self {
            title,
            cases,
            provenance: provenance_of_maps(preset, "comparison"),
            is_of_maps: true,
            eye_asymmetry: None,
        }
    }

    fn json(&self, comparison: &Comparison) -> serde_json::Value {
        let mut provenance = json!(self.provenance);
        if let (true, Some(keys)) = (self.is_of_maps, provenance.as_object_mut()) {
            keys.retain(|key, _| key != "seed" && key != "viewer"); // each map has its own viewer
        }
        let mut figures = json!({"farsight": provenance, "subject": self.title, "radius": self.radius()});
        if let (Some(all), serde_json::Value::Object(more)) = (figures.as_object_mut(), comparison.to_json()) {
            all.extend(more);
            if let Some(Asymmetry { pairs, mean, max, .. }) = self.eye_asymmetry {
                all.insert("eye_asymmetry".to_owned(), json!({"pairs": pairs, "mean": mean, "max": max}));
            }
        }
        figures
    }

    fn radius(&self) -> u32 {
        self.cases.iter().map(|case| case.preset().sight.radius).max().unwrap_or(0)
    }
}

fn case_of_file(path: &Path, preset: &Preset) -> Result<Case, Failure> {
    let file = read_opacity_map(&Input::new(path))?;
    let viewer = file.viewer.unwrap_or_else(|| clear_cell_near_middle(&file.opacity));
    Ok(Case::new(output_name(path), file.opacity, viewer, preset)?)
}

fn clear_cell_near_middle(map: &OpacityMap) -> IVec2 {
    let middle = map.grid().size() / 2;
    let clear = map.grid().iter().filter(|(_, opacity)| **opacity == 0.0).map(|(cell, _)| cell);
    clear.min_by_key(|cell| (*cell - middle).as_i64vec2().length_squared()).unwrap_or(middle)
}

fn text(maps: &ComparedMaps, comparison: &Comparison, floor_only: bool) -> String {
    let has_times = comparison.total.iter().any(|figures| figures.time_ratio.is_some());
    let mut heads = vec![("method", Left)];
    let figures = "seen,agree,RMSE,mean err,max err,asym mean,asym max,orphans,blind,walls,room dim,dark".split(',');
    heads.extend(figures.chain(has_times.then_some("time")).map(|head| (head, Right)));
    let mut table = new_table(&heads);
    for (figures, room) in comparison.total.iter().zip(&comparison.room) {
        table.add_row(row(figures, room));
    }
    let cells = comparison.total.first().map_or(0, |figures| figures.difference.cells);
    let pairs = comparison.total.first().map_or(0, |figures| figures.asymmetry.pairs);
    let walls = comparison.room.first().map_or(0, |room| room.walls);
    let [columns, rows] = Comparison::ROOM;
    let which = if floor_only { " clear" } else { "" };
    let mut words = format!(
        "{}; radius {}; {}{which} cells against exact ({} lines per cell)\n\n{}\n",
        maps.title,
        maps.radius(),
        group_digits(cells),
        maps.cases.first().map_or(0, |case| case.preset().sight.samples.pow(2)),
        table_text(&table),
    );
    words += &format!(
        "seen: cells of visibility 0.5 and more. agree: fraction of cells where exact agrees. err: of visibility.\n\
         asym: |V(a to b) - V(b to a)| over pairs of clear cells that see each other ({pairs} for the first method).\n\
         orphans: visible cells without a visible neighbour towards the viewer. blind: unseen with nothing in the way.\n\
         walls: unseen walls behind seen floor. room: of {} views of walls in an empty room of {columns}x{rows}, those\n\
         below 0.5 (dim) and at 0 (dark).\n",
        group_digits(walls)
    );
    if let Some(Asymmetry { pairs, mean, max, .. }) = maps.eye_asymmetry {
        words += &format!(
            "All of this is on the opacities for one eye. With an eye on each cell, as in the view, opacities depend on the\n\
             eye, and two parents with linear weights are not symmetric: asym mean {}, max {} ({pairs} pairs).\n",
            three_decimals_or_exponent(mean),
            three_decimals_or_exponent(max),
        );
    }
    if has_times {
        words += "time: for one field of view, as a multiple of two-parent.\n";
    }
    words
}

fn row(figures: &Figures, room: &RoomWalls) -> Vec<String> {
    let Figures { difference, asymmetry, .. } = figures;
    let mut row = vec![
        figures.method.name().to_owned(),
        group_digits(difference.seen),
        percent(difference.agreement),
        three_decimals(difference.rmse),
        three_decimals(difference.mean_error),
        three_decimals(difference.max_error),
        three_decimals_or_exponent(asymmetry.mean),
        three_decimals_or_exponent(asymmetry.max),
        group_digits(figures.orphans),
        group_digits(figures.blind_spots),
        group_digits(figures.hidden_walls),
        group_digits(room.dim),
        group_digits(room.dark),
    ];
    if let Some(ratio) = figures.time_ratio {
        row.push(if ratio < 9.95 { format!("{ratio:.1}x") } else { format!("{ratio:.0}x") });
    }
    row
}

fn print_accuracy(args: &CompareArgs) -> Result<(), Failure> {
    let preset = args.scene.bare_preset()?;
    let defaults = AccuracyOptions::default();
    let radius = if args.scene.radius.is_some() { preset.sight.radius } else { defaults.radius };
    if radius > 256 {
        return Err(Failure::usage(format!("--radius {radius} takes too long with --accuracy: expected 256 or less")));
    }
    let options = defaults.with_radius(radius).with_samples(preset.sight.samples);
    let rows = with_progress_bar(args.messages.quiet, |job| accuracy(&options, job))?;
    if args.json {
        return print_stdout(format!("{:#}\n", accuracy_json(&options, &rows)));
    }
    let methods = AccuracyRow::METHODS.into_iter().map(|method| (method, Right));
    let mut table = new_table(&[("RMSE", Left)].into_iter().chain(methods).collect::<Vec<_>>());
    for row in &rows {
        let errors = row.errors.iter().map(|error| format!("{:.4}", error.rmse));
        table.add_row([row.kind.to_owned()].into_iter().chain(errors));
    }
    let AccuracyOptions { radius, samples, maps, .. } = options;
    print_stdout(format!(
        "Error against {} traced lines per cell, per length, radius {radius}, over {maps} maps of each kind\n\n{}",
        samples.pow(2),
        table_text(&table)
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
