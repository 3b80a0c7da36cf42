//! `farsight cumulative`: what several observers see together, as rasters and polygons.

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::{DVec2, IVec2, dvec2, ivec2};
use serde_json::json;

use super::failure::Failure;
use super::output::{
    MessageArgs, ReportArgs, ThreadArgs, ensure_distinct, ensure_writable_path, output_name, write_files,
};
use super::partial_heightmap::ReadingArgs;
use super::progress::with_remaining_time;
use super::scene_args::SceneArgs;
use super::scene_request::SceneRequest;
use super::text::pluralize;
use farsight::cumulative::{
    CumulativeView, FoundObservers, ObserverError, ObserverFormat, PlacedObserver, ViewLimits, check_polygons,
    read_observers, seen_polygons,
};
use farsight::export::provenance;
use farsight::files::{Format, GeoKeys, Georeference, NamedInput, OutputFile, Raster, WriteError, read_whole};
use farsight::grid::{CellRect, Grid};
use farsight::optics::OpticsConfig;
use farsight::scene::Scene;
use farsight::sight::OffsetList;

const EXAMPLES: &str = "\
Examples:
  farsight cumulative --heightmap examples/ridge.tif --observers examples/towers.geojson --count count.tif
  farsight cumulative --heightmap examples/ridge.tif --observers examples/towers.csv --union all.tif --best best.tif
  farsight cumulative --heightmap examples/ridge.tif --at 140,104 --eye-height 30 --polygons seen.geojson";

/// The preset, unless another one is asked for.
const PRESET: &str = "viewshed";

/// The longest file of observers, in bytes.
const MAX_BYTES: u64 = 1 << 28;

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct CumulativeArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The observers: points from a .geojson, which are converted to the reference system of the heightmap, or from a .csv with the
    /// columns x and y in the coordinates of the heightmap, or longitude and latitude. Other columns or properties are name and, in metres and degrees, eye_height_m, target_height_m, start_angle_deg, end_angle_deg,
    /// lowest_pitch_deg, highest_pitch_deg, least_distance_m and greatest_distance_m. Without it, --at or --at-coordinates
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "at_coordinates"], help_heading = "Observers")]
    observers: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: CumulativeOutputArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The limits of observers for which the file does not say others.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Observers")]
struct LimitArgs {
    /// Height of the eye over its ground in metres. Default: optics.eye_height_m of the preset
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    eye_height: Option<f64>,
    /// Height of targets over their ground in metres. Default: optics.target_height_m of the preset
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    target_height: Option<f64>,
    /// The direction in which the view starts, in degrees clockwise from north. Default: 0
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    start_angle: Option<f64>,
    /// The direction in which the view ends, clockwise from its start. Default: 360
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    end_angle: Option<f64>,
    /// The lowest angle of the line to a target over the horizontal, in degrees. Default: -90
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    lowest_pitch: Option<f64>,
    /// The highest angle of the line to a target over the horizontal, in degrees. Default: 90
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    highest_pitch: Option<f64>,
    /// The least distance of a target in metres. Default: 0
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    least_distance: Option<f64>,
    /// The greatest distance of a target in metres. Without --radius the view reaches as far, up to 4096 cells; with it, the
    /// radius counts, too. Default: the radius
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    greatest_distance: Option<f64>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct CumulativeOutputArgs {
    /// Write the greatest visibility of each cell, 0 to 1, to a .tif, .asc or .npy
    #[arg(long, value_name = "FILE")]
    union: Option<PathBuf>,
    /// Write the number of observers that see each cell: at least as a glimpse (perception.glimpse)
    #[arg(long, value_name = "FILE")]
    count: Option<PathBuf>,
    /// Write the number of the observer that sees each cell best, from 1; 0 if none sees it
    #[arg(long, value_name = "FILE")]
    best: Option<PathBuf>,
    /// Write the ground that any observer sees as polygons in the coordinates of the heightmap, to a .geojson
    #[arg(long, value_name = "FILE")]
    polygons: Option<PathBuf>,
}

/// A field of a [`CumulativeView`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Union,
    Count,
    Best,
    Polygons,
}

impl CumulativeOutputArgs {
    /// The files with their flags.
    fn files(&self) -> Result<Vec<(&'static str, Content, OutputFile)>, Failure> {
        let flags = [
            ("--union", Content::Union, &self.union),
            ("--count", Content::Count, &self.count),
            ("--best", Content::Best, &self.best),
            ("--polygons", Content::Polygons, &self.polygons),
        ];
        let files: Result<Vec<_>, Failure> = flags
            .into_iter()
            .filter_map(|(flag, content, path)| Some((flag, content, path.clone()?)))
            .map(|(flag, content, path)| {
                let format = output_format(content, &path).ok_or_else(|| {
                    let formats = if content == Content::Polygons { ".geojson" } else { ".tif, .asc or .npy" };
                    Failure::usage(format!("{flag} {}: expected a file that ends in {formats}", path.display()))
                })?;
                Ok((flag, content, OutputFile { path, format }))
            })
            .collect();
        let files = files?;
        if files.is_empty() {
            return Err(Failure::usage("nothing to write: give --union, --count, --best or --polygons"));
        }
        ensure_distinct(&files.iter().map(|(flag, _, file)| (*flag, file.path.as_path())).collect::<Vec<_>>())?;
        Ok(files)
    }
}

fn output_format(content: Content, path: &Path) -> Option<Format> {
    if content == Content::Polygons {
        let is_geojson = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("geojson"));
        return is_geojson.then_some(Format::Json);
    }
    Format::from_path(path).ok().filter(|format| matches!(format, Format::Tif | Format::Asc | Format::Npy))
}

impl LimitArgs {
    fn limits(&self, request: &SceneRequest) -> Result<ViewLimits, Failure> {
        let OpticsConfig { eye_height_m, target_height_m, .. } = request.preset.optics;
        let mut limits = ViewLimits::default();
        (limits.eye_height_m, limits.target_height_m) = (eye_height_m, target_height_m);
        for (given, field) in [
            (self.eye_height, &mut limits.eye_height_m),
            (self.target_height, &mut limits.target_height_m),
            (self.start_angle, &mut limits.start_angle_deg),
            (self.end_angle, &mut limits.end_angle_deg),
            (self.lowest_pitch, &mut limits.lowest_pitch_deg),
            (self.highest_pitch, &mut limits.highest_pitch_deg),
            (self.least_distance, &mut limits.least_distance_m),
            (self.greatest_distance, &mut limits.greatest_distance_m),
        ] {
            *field = given.unwrap_or(*field);
        }
        limits.check("the flags").map_err(limit_failure)?;
        Ok(limits)
    }
}

/// The keys of [`ViewLimits`] with their flags.
const LIMIT_FLAGS: [(&str, &str); 8] = [
    ("eye_height_m", "--eye-height"),
    ("target_height_m", "--target-height"),
    ("start_angle_deg", "--start-angle"),
    ("end_angle_deg", "--end-angle"),
    ("lowest_pitch_deg", "--lowest-pitch"),
    ("highest_pitch_deg", "--highest-pitch"),
    ("least_distance_m", "--least-distance"),
    ("greatest_distance_m", "--greatest-distance"),
];

/// The failure of the limits of the flags, with flags for keys. What the preset gives is in range, so a flag is wrong.
fn limit_failure(error: ObserverError) -> Failure {
    let ObserverError::Value { key, found, expected, .. } = error else { return Failure::input(error) };
    let message = format!("{key}: {found} is not valid: expected {expected}");
    Failure::usage(LIMIT_FLAGS.iter().fold(message, |message, (key, flag)| message.replace(key, flag)))
}

/// The coordinates of a map without a georeference: columns to the east, and rows to the south.
fn plane() -> Georeference {
    Georeference { corner: [0.0; 2], cell: [1.0; 2], keys: GeoKeys::default() }
}

impl CumulativeArgs {
    /// Returns the observers, and notes of their file.
    fn observers(&self, request: &SceneRequest) -> Result<(Vec<PlacedObserver>, Vec<String>), Failure> {
        let (limits, size) = (self.limits.limits(request)?, request.size());
        let Some(path) = &self.observers else {
            let Some(cell) = request.viewer else {
                return Err(Failure::usage("no observers: give --observers FILE, --at X,Y or --at-coordinates E,N"));
            };
            let plane = plane();
            let georeference = request.georeference().unwrap_or(&plane);
            let [east, north] = georeference.at(cell).corner;
            let centre: DVec2 = dvec2(east + georeference.cell[0] / 2.0, north - georeference.cell[1] / 2.0);
            let observer = PlacedObserver::new("the observer".to_owned(), centre, limits, georeference, size);
            let observer = observer.map_err(Failure::input)?;
            observer.check_ground(|cell| request.has_data(cell)).map_err(Failure::input)?;
            return Ok((vec![observer], Vec::new()));
        };
        let failure = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let format = match &*extension {
            "csv" => ObserverFormat::Csv,
            "geojson" | "json" => ObserverFormat::GeoJson,
            _ => return Err(failure(&"observers cannot be read from it; use .csv or .geojson")),
        };
        let bytes = read_whole(path, MAX_BYTES).map_err(|error| failure(&error))?;
        let text = String::from_utf8(bytes).map_err(|_| failure(&"is not text (UTF-8)"))?;
        let observers = read_observers(&text, format, request.georeference()?, size, limits);
        let FoundObservers { observers, notes, .. } = observers.map_err(|error| failure(&error))?;
        let check = |observer: &PlacedObserver| observer.check_ground(|cell| request.has_data(cell));
        observers.iter().try_for_each(check).map_err(|error| failure(&error))?;
        Ok((observers, notes.iter().map(|note| format!("{}: {note}", path.display())).collect()))
    }
}

impl CumulativeArgs {
    /// Gives each observer a radius that reaches its greatest distance, and the scene the largest of them. With `--radius` all
    /// have that one. Returns a note of a radius that ends before a distance.
    fn set_radii(
        &self,
        request: &mut SceneRequest,
        observers: &mut [PlacedObserver],
    ) -> Result<Option<String>, Failure> {
        let (least, size) = (request.preset.sight.radius, request.size());
        let mut note = None;
        for observer in observers {
            let (greatest_m, cell_size) = (observer.limits.greatest_distance_m, request.cell_size_at(observer.cell));
            if greatest_m.is_infinite() {
                observer.radius = Some(least);
                continue;
            }
            let corners = [ivec2(0, 0), ivec2(size.x - 1, 0), ivec2(0, size.y - 1), size - 1];
            let farthest_m = corners.map(|corner| cell_size.distance_m(corner - observer.cell));
            let farthest_m = farthest_m.into_iter().fold(0.0, f64::max);
            let reached = (greatest_m.min(farthest_m) / cell_size.shorter_m()).ceil() as u32;
            if self.scene.radius.is_some() {
                if reached > least {
                    let least_m = f64::from(least) * cell_size.shorter_m();
                    let name = &observer.name;
                    note.get_or_insert(format!(
                        "--radius {least} ends {least_m:.0} m from {name}, before its greatest distance of {greatest_m} m"
                    ));
                }
                continue;
            }
            if reached > OffsetList::MAX_RADIUS {
                return Err(self.too_far(observer, cell_size.shorter_m()));
            }
            observer.radius = Some(reached.max(least));
            request.preset.sight.radius = request.preset.sight.radius.max(reached);
        }
        Ok(note)
    }

    /// The failure of a greatest distance that no radius reaches.
    fn too_far(&self, observer: &PlacedObserver, side_m: f64) -> Failure {
        let (limit, name, greatest_m) = (OffsetList::MAX_RADIUS, &observer.name, observer.limits.greatest_distance_m);
        let larger_m = (greatest_m / f64::from(limit) * 10.0).ceil() / 10.0;
        let message = format!(
            "the greatest distance of {name}, {greatest_m} m, is {:.0} cells of {side_m:.3} m, and a view reaches {limit} cells: up to \
             there squared distances are exact. Give --radius {limit} for the first {:.0} m, or larger cells, with GDAL for \
             instance (gdalwarp -tr {larger_m} {larger_m} -r bilinear)",
            greatest_m / side_m,
            f64::from(limit) * side_m,
        );
        match &self.observers {
            Some(path) => Failure::input(format!("{}: {message}", path.display())),
            None => Failure::usage(format!("--greatest-distance: {message}")),
        }
    }
}

pub(crate) fn run(args: &CumulativeArgs) -> Result<(), Failure> {
    let files = args.output.files()?;
    let mut inputs = args.scene.inputs();
    inputs.extend(args.observers.as_ref().map(|path| NamedInput::new("--observers", path)));
    files.iter().try_for_each(|(flag, _, file)| ensure_writable_path(flag, &file.path, &inputs))?;
    args.threads.start()?;
    let mut request = args.scene.request_with_preset(args.reading, PRESET)?;
    let (mut observers, mut notes) = args.observers(&request)?;
    notes.extend(args.set_radii(&mut request, &mut observers)?);
    if request.is_in_part() {
        request.preset.viewers.clear(); // the views of lookouts do not count
        let cells: Vec<IVec2> = observers.iter().map(|observer| observer.cell).collect();
        request.read_window(&cells, None)?;
        args.observers(&request)?; // on ground
    }
    request.print_notes(args.messages.quiet);
    notes.iter().for_each(|note| args.messages.print(note));
    request.viewer = observers.first().map(|observer| observer.cell);
    let (scene, options) = request.scene(args.messages.quiet)?;
    let origin = scene.world().map_or(IVec2::ZERO, |world| world.origin());
    let mut on_scene = observers.to_vec();
    on_scene.iter_mut().for_each(|observer| observer.cell -= origin);
    let view = with_remaining_time(args.messages.quiet, |job| CumulativeView::compute(&scene, &on_scene, job))?;
    if files.iter().any(|(_, content, _)| *content == Content::Polygons) {
        check_polygons(&view.count, 1.0)?;
    }
    let place = options.map.as_ref().and_then(|map| map.georeference()).map(|place| place.at(origin));
    let polygons = files.iter().find(|(_, content, _)| *content == Content::Polygons);
    if let (Some((_, _, file)), Some(place)) = (polygons, &place)
        && place.keys.epsg().is_none()
    {
        let name = output_name(&file.path);
        let message = "the heightmap's reference system has no EPSG code, so the polygons name none; GIS programs take it for degrees";
        args.messages.print(format!("{name}: {message}"));
    }
    let raster = |name: &str, values: &Grid<f32>| {
        let provenance = provenance(&scene, &options, CellRect::of_size(scene.size()));
        let mut raster = Raster::new(name, values.clone(), origin, origin + scene.viewer(), provenance);
        raster.cell_size_m = scene.world().map(|world| world.config().cell_size_m);
        raster.georeference = place.clone();
        raster
    };
    let contents: Vec<(&OutputFile, Written)> = files
        .iter()
        .map(|(_, content, file)| {
            let written = match content {
                Content::Union => Written::Raster(Box::new(raster("visibility", &view.union))),
                Content::Count => Written::Raster(Box::new(raster("count", &view.count))),
                Content::Best => Written::Raster(Box::new(raster("best", &view.best))),
                Content::Polygons => Written::Text(format!(
                    "{}\n",
                    seen_polygons(&view.count, 1.0, &place.clone().unwrap_or_else(|| plane().at(origin)))
                )),
            };
            (file, written)
        })
        .collect();
    write_files(&contents, Written::write, |_, _| None, args.messages)?;
    let seen = view.count.as_slice().iter().filter(|count| **count > 0.0).count();
    for (_, _, file) in &files {
        let observers = pluralize(observers.len(), "observer");
        args.messages.print(format!(
            "wrote {}: {observers}, {} seen",
            output_name(&file.path),
            pluralize(seen, "cell")
        ));
    }
    args.report.print(|| report(&scene, &files, &observers, seen))
}

/// The content of a file.
enum Written {
    Raster(Box<Raster>),
    Text(String),
}

impl Written {
    fn write(&self, format: Format, out: &mut dyn Write) -> Result<(), WriteError> {
        match self {
            Self::Raster(raster) => raster.write(format, out),
            Self::Text(text) => Ok(out.write_all(text.as_bytes())?),
        }
    }
}

fn report(
    scene: &Scene,
    files: &[(&str, Content, OutputFile)],
    observers: &[PlacedObserver],
    seen: usize,
) -> serde_json::Value {
    let observer = |observer: &PlacedObserver| json!({ "name": observer.name, "position": observer.position.to_array(), "cell": observer.cell.to_array() });
    json!({
        "files": files.iter().map(|(_, _, file)| file.path.display().to_string()).collect::<Vec<_>>(),
        "observers": observers.iter().map(observer).collect::<Vec<_>>(),
        "cells_seen": seen,
        "radius": scene.preset().sight.radius,
    })
}
