//! `farsight horizon`: the skyline around a viewer, and the ridges in front of it, as a table, JSON or a drawing.

use clap::value_parser;
use glam::{DVec2, IVec2};
use serde_json::json;

use super::failure::Failure;
use super::horizon_svg::{drawing, layer_distances};
use super::north::{North, NorthArgs};
use super::output::{MessageArgs, OutputArgs, ThreadArgs, with_formats, write_products};
use super::partial_heightmap::ReadingArgs;
use super::scene_args::SceneArgs;
use super::scene_request::ShownPart;
use super::shared_args::RangeArgs;
use super::text::pluralize;
use crate::stage_log::timed;
use farsight::grid::CellRect;
use farsight::horizon::{Horizon, HorizonConfig, Ridge};
use farsight_scene::export::{ExportOptions, provenance};
use farsight_scene::files::{Content, ContentKind, FieldValue, OutputFormat, Table, TableColumn};
use farsight_scene::scene::{Scene, Terrain};

const EXAMPLES: &str = "\
Examples:
  farsight horizon --heightmap examples/ridge.tif --at 140,104 -o skyline.csv      a row for each degree
  farsight horizon --heightmap examples/ridge.tif --at 140,104 --eye-height 12 --azimuths 3600 -o skyline.svg
  farsight horizon --preset alpine --ridges -o ridges.json                        all ridges of a generated world";

/// The content of the files: a table, a record, or a drawing.
const KINDS: [ContentKind; 3] = [ContentKind::Table, ContentKind::Record, ContentKind::Drawing];

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)))]
pub(crate) struct HorizonArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The number of azimuths, evenly spaced from north over east
    #[arg(long, value_name = "N", default_value_t = 360, allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(1..=3_600_000), help_heading = "Horizon")]
    azimuths: u32,
    /// Write all ridges in front of the skyline, too: .csv has a row for each
    #[arg(long, help_heading = "Horizon")]
    ridges: bool,
    /// Omit ridges that hide less than this depth of ground, in metres
    #[arg(
        long,
        value_name = "M",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        requires = "ridges",
        help_heading = "Horizon"
    )]
    min_gap: f64,
    #[command(flatten)]
    north: NorthArgs,
    #[command(flatten)]
    range: RangeArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
}

/// A horizon with its map or raster.
struct HorizonOnMap<'a> {
    scene: &'a Scene,
    options: &'a ExportOptions,
    horizon: Horizon,
    north: North,
    with_ridges: bool,
}

pub(crate) fn run(args: &HorizonArgs) -> Result<(), Failure> {
    let outputs = args.output.files(&KINDS, &args.scene.inputs())?;
    args.threads.start()?;
    let mut config = HorizonConfig::default().with_azimuths(args.azimuths).with_min_gap_m(args.min_gap);
    if let Some(max_distance_m) = args.range.max_distance {
        config = config.with_max_distance_m(max_distance_m);
    }
    config.check().map_err(Failure::usage)?;
    let on_ground = args.scene.preset_on_ground("viewshed");
    let mut request = args.scene.request_of_view(args.reading, on_ground, ShownPart::Window)?;
    if request.is_in_part() {
        request.read_window_within(config.max_distance_m)?;
    }
    let (scene, options) = request.scene(args.messages.quiet)?;
    let Terrain::World(optics) = scene.terrain() else {
        return Err(Failure::usage(
            "a dungeon or an opacity map has no heights: give --heightmap, or a preset of open country",
        ));
    };
    let north = args.north.at(options.map.as_ref(), scene.origin() + scene.viewer(), args.messages);
    config.convergence_deg = north.convergence_deg();
    let horizon = timed("horizon", || optics.horizon(scene.viewer(), &config)).map_err(Failure::usage)?;
    let has_drawing = outputs.iter().any(|output| output.format.takes(ContentKind::Drawing));
    let distances = if has_drawing { layer_distances(&horizon) } else { Vec::new() };
    let nearer = distances.into_iter().map(|max_distance_m| {
        let config = config.clone().with_max_distance_m(max_distance_m);
        optics.horizon(scene.viewer(), &config).map_err(Failure::usage)
    });
    let nearer = nearer.collect::<Result<Vec<_>, _>>()?;
    let on_map = HorizonOnMap { scene: &scene, options: &options, horizon, north, with_ridges: args.ridges };
    let content = |format: OutputFormat| match format {
        _ if format.takes(ContentKind::Table) => Content::Table(on_map.table()),
        _ if format.takes(ContentKind::Record) => Content::Record(on_map.json()),
        _ => Content::Drawing(drawing(&on_map.horizon, &nearer, north)),
    };
    let products: Vec<_> = outputs.iter().map(|output| (output, content(output.format).into())).collect();
    write_products(&products, args.messages, |_| on_map.summary())
}

impl HorizonOnMap<'_> {
    /// Returns a summary such as `360 azimuths, the skyline up to 12.3° in the north-east`.
    fn summary(&self) -> String {
        let azimuths = self.horizon.azimuths();
        let counted = pluralize(azimuths.len(), "azimuth");
        let skylines = azimuths.iter().filter_map(|along| Some((along.azimuth_deg, along.skyline()?.elevation_deg())));
        match skylines.max_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((azimuth, elevation)) => {
                format!("{counted}, the skyline up to {elevation:.2}° at {azimuth:.1}°{}", self.north)
            }
            None => format!("{counted}, none with data"),
        }
    }

    /// Returns the cell of a ridge on the raster.
    fn cell(&self, ridge: &Ridge) -> IVec2 {
        self.scene.origin() + ridge.cell
    }

    /// Returns the coordinates of the centre of the cell of a ridge, if the raster has coordinates.
    fn coordinates(&self, ridge: &Ridge) -> Option<DVec2> {
        let place = self.options.map.as_ref()?.georeference()?;
        Some(place.middle_of(self.cell(ridge)))
    }

    fn shown<'h>(&self, ridges: &'h [Ridge]) -> &'h [Ridge] {
        if self.with_ridges { ridges } else { &ridges[ridges.len().saturating_sub(1)..] }
    }

    fn table(&self) -> Table {
        let has_coordinates = self.options.map.as_ref().is_some_and(|map| map.georeference().is_some());
        let [azimuth_deg, elevation_deg, distance_m, height_m, behind_m, easting, northing] =
            [self.north.column(), "elevation_deg", "distance_m", "height_m", "behind_m", "easting", "northing"]
                .map(TableColumn::real);
        let [x, y] = ["x", "y"].map(TableColumn::integer);
        let mut columns = vec![azimuth_deg, elevation_deg, distance_m, x, y, height_m, behind_m];
        columns.extend(has_coordinates.then_some([easting, northing]).into_iter().flatten());
        let real = |value: f64, decimals| FieldValue::Real(rounded(value, decimals));
        let mut rows = Vec::new();
        for along in self.horizon.azimuths() {
            let azimuth = real(along.azimuth_deg, 6);
            if along.ridges.is_empty() {
                let mut row = vec![FieldValue::Missing; columns.len()];
                row[0] = azimuth.clone();
                rows.push(row);
            }
            for ridge in self.shown(&along.ridges) {
                let [x, y] = self.cell(ridge).to_array().map(|coordinate| FieldValue::Integer(coordinate.into()));
                let elevation = real(ridge.elevation_deg(), 4);
                let (distance_m, height_m) = (real(ridge.distance_m, 1), real(ridge.height_m, 2));
                let behind_m = ridge.behind_m.map_or(FieldValue::Missing, |behind| real(behind, 1));
                let mut row = vec![azimuth.clone(), elevation, distance_m, x, y, height_m, behind_m];
                let coordinates = self.coordinates(ridge).into_iter().flat_map(|at| at.to_array());
                row.extend(coordinates.map(FieldValue::Real));
                rows.push(row);
            }
        }
        Table { columns, rows }
    }

    fn json(&self) -> serde_json::Value {
        let ridge = |ridge: &Ridge| {
            json!({
                "elevation_deg": ridge.elevation_deg(),
                "distance_m": ridge.distance_m,
                "cell": self.cell(ridge).to_array(),
                "height_m": ridge.height_m,
                "behind_m": ridge.behind_m,
                "coordinates": self.coordinates(ridge).map(|at| at.to_array()),
            })
        };
        let azimuths = self.horizon.azimuths().iter().map(|along| {
            json!({
                "azimuth_deg": along.azimuth_deg,
                "end_m": along.end_m,
                "ridges": self.shown(&along.ridges).iter().map(ridge).collect::<Vec<_>>(),
            })
        });
        let frame = CellRect::of_size(self.scene.size());
        json!({
            "farsight": provenance(self.scene, self.options, frame),
            "viewer": (self.scene.origin() + self.scene.viewer()).to_array(),
            "eye_height_m": self.scene.preset().optics.eye_height_m,
            "north": self.north.name(),
            "convergence_deg": self.north.convergence_deg(),
            "azimuths": azimuths.collect::<Vec<_>>(),
        })
    }
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (value * scale).round() / scale + 0.0
}
