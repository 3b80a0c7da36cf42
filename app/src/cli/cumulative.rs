//! `farsight cumulative`: the joint view of several observers, and the visibility of turbines and masts, as rasters,
//! polygons and tables.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use glam::{DVec2, IVec2, dvec2, ivec2};
use serde_json::json;

use super::cumulative_output::{CumulativeContents, CumulativeFile, CumulativeOutputArgs, plane};
use super::estimate::print_estimate;
use super::failure::Failure;
use super::north::{North, NorthArgs};
use super::output::{MessageArgs, ReportArgs, ThreadArgs};
use super::partial_heightmap::ReadingArgs;
use super::point_file::read_point_file;
use super::progress::with_remaining_time;
use super::scene_args::SceneArgs;
use super::scene_request::SceneRequest;
use super::sheet_args::{SheetArgs, SheetLook};
use super::text::percent;
use super::values::{BandEnds, Radius, parse_band_ends, parse_length, parse_spacing};
use farsight::sight::SightConfig;
use farsight_scene::cumulative::{
    ChosenObserver, CountClasses, CumulativeLayer, CumulativeParts, CumulativeView, DistanceBand, FoundObservers,
    ObserverError, ObserverFormat, PlacedObserver, ViewLimits, points_on_shapes, read_observers,
};
use farsight_scene::files::NamedInput;
use farsight_scene::optics::{OpticsConfig, Relief};
use farsight_scene::preset::Preset;
use farsight_scene::scene::SceneCost;
use farsight_scene::world::World;

const EXAMPLES: &str = "\
Examples:
  farsight cumulative --heightmap examples/ridge.tif --observers examples/towers.geojson --count count.tif
  farsight cumulative --heightmap examples/ridge.tif --observers examples/towers.csv --union all.tif --best best.tif
  farsight cumulative --heightmap examples/ridge.tif --observers examples/turbines.csv --layer tips=t.tif --bands 1km
  farsight cumulative --heightmap examples/ridge.tif --at 140,104 --eye-height 30 --polygons seen.geojson
  farsight cumulative --heightmap examples/ridge.tif --observers examples/turbines.csv --layer tips=t.pdf --paper a3";

/// The default preset.
const PRESET: &str = "viewshed";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct CumulativeArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The observers: points from a .geojson, which are converted to the reference system of the heightmap, or from a .csv with the
    /// columns x and y in the coordinates of the heightmap, or longitude and latitude. Other columns or properties are name and, in metres and degrees, eye_height_m, target_height_m, start_angle_deg, end_angle_deg,
    /// lowest_pitch_deg, highest_pitch_deg, min_distance_m, max_distance_m, hub_height_m and tip_height_m (or height_m of a hub or
    /// mast and rotor_m), and weight. Without it, --at or --at-coordinates
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "at_coordinates"], help_heading = "Observers")]
    observers: Option<PathBuf>,
    /// Take a point every so many metres of the lines of a .geojson, such as roads, and of the edges of its areas, such as parks, and
    /// within them: a length such as 100m
    #[arg(long, value_name = "LENGTH", value_parser = parse_spacing, requires = "observers", help_heading = "Observers")]
    every: Option<f64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    north: NorthArgs,
    #[command(flatten)]
    output: CumulativeOutputArgs,
    #[command(flatten)]
    coverage: CoverageArgs,
    #[command(flatten)]
    sheet: SheetArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The default limits of observers without values in the file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Observers")]
struct LimitArgs {
    /// The direction in which the view starts, in degrees clockwise from true north. Default: 0
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    start_angle: Option<f64>,
    /// The direction in which the view ends, clockwise from its start. Default: 360
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    end_angle: Option<f64>,
    /// The minimum angle of the line to a target over the horizontal, in degrees. Default: -90
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    lowest_pitch: Option<f64>,
    /// The maximum angle of the line to a target over the horizontal, in degrees. Default: 90
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    highest_pitch: Option<f64>,
    /// The minimum distance of a target: metres, or a length such as 2km. Default: 0
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    min_distance: Option<f64>,
    /// The maximum distance of a target: metres, or a length such as 20km. Without --radius the view reaches as far, up to 4096 cells; with it, the
    /// radius counts, too. Default: the radius
    #[arg(long, alias = "greatest-distance", value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    max_distance: Option<f64>,
    /// Height of the hub of a turbine over its ground in metres. Default: that of the tip
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    hub_height: Option<f64>,
    /// Height of the tip of a turbine at the top of its turn, or of the top of a mast, over its ground in metres. Default: that of the eye
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    tip_height: Option<f64>,
}

/// The printed statistics of the seen ground.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct CoverageArgs {
    /// Print the area and the seen area in km² for bands of distance from the nearest observer: the ends of the bands
    #[arg(long, value_name = "LENGTHS", value_parser = parse_band_ends)]
    bands: Option<BandEnds>,
    /// Choose this many observers greedily: each adds the most ground to the ones before. Print what each adds
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    choose: Option<u32>,
}

impl LimitArgs {
    fn limits(&self, scene: &SceneArgs, request: &SceneRequest) -> Result<ViewLimits, Failure> {
        let OpticsConfig { eye_height_m, target_height_m, .. } = request.preset.optics;
        let mut limits = ViewLimits::default();
        (limits.eye_height_m, limits.target_height_m) = (eye_height_m, target_height_m);
        for (given, field) in [
            (self.start_angle, &mut limits.start_angle_deg),
            (self.end_angle, &mut limits.end_angle_deg),
            (self.lowest_pitch, &mut limits.lowest_pitch_deg),
            (self.highest_pitch, &mut limits.highest_pitch_deg),
            (self.min_distance, &mut limits.min_distance_m),
            (self.max_distance, &mut limits.max_distance_m),
            (self.hub_height, &mut limits.hub_height_m),
            (self.tip_height, &mut limits.tip_height_m),
            (self.tip_height.filter(|_| !scene.has_flag("eye-height")), &mut limits.eye_height_m),
        ] {
            *field = given.unwrap_or(*field);
        }
        limits.check("the flags").map_err(limit_failure)?;
        Ok(limits)
    }
}

/// The keys of [`ViewLimits`] with their flags.
const LIMIT_FLAGS: [(&str, &str); 8] = [
    ("start_angle_deg", "--start-angle"),
    ("end_angle_deg", "--end-angle"),
    ("lowest_pitch_deg", "--lowest-pitch"),
    ("highest_pitch_deg", "--highest-pitch"),
    ("min_distance_m", "--min-distance"),
    ("max_distance_m", "--max-distance"),
    ("hub_height_m", "--hub-height"),
    ("tip_height_m", "--tip-height"),
];

/// Returns the failure of the limits, with flags instead of keys. Values of the preset are in range, so a flag is
/// wrong.
fn limit_failure(error: ObserverError) -> Failure {
    let ObserverError::Value { key, found, expected, .. } = error else { return Failure::input(error) };
    let message = format!("{key}: {found} is not valid: expected {expected}");
    Failure::usage(LIMIT_FLAGS.iter().fold(message, |message, (key, flag)| message.replace(key, flag)))
}

impl CumulativeArgs {
    /// Returns the observers, and notes of their file.
    fn observers(&self, request: &SceneRequest) -> Result<(Vec<PlacedObserver>, Vec<String>), Failure> {
        let (limits, size) = (self.limits.limits(&self.scene, request)?, request.size());
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
        let eye_m = self.scene.has_flag("eye-height").then_some(limits.eye_height_m);
        let (observers, notes) = read_points(path, self.every, request, limits, eye_m, "observer")?;
        let check = |observer: &PlacedObserver| observer.check_ground(|cell| request.has_data(cell));
        observers.iter().try_for_each(check).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        Ok((observers, notes))
    }
}

/// Reads the points of a file, and returns them with notes. `every` is the spacing of points on lines and areas in metres, `noun` the
/// name of a point in messages.
fn read_points(
    path: &Path,
    every: Option<f64>,
    request: &SceneRequest,
    limits: ViewLimits,
    eye_m: Option<f64>,
    noun: &'static str,
) -> Result<(Vec<PlacedObserver>, Vec<String>), Failure> {
    let (text, format) = read_point_file(path, noun)?;
    let failure = |error| {
        let hint = match &error {
            ObserverError::NotAPoint { .. } => "; --every 100m takes points on lines and areas",
            _ => "",
        };
        Failure::input(format!("{}: {error}{hint}", path.display()))
    };
    let text = match every {
        Some(_) if format != ObserverFormat::GeoJson => {
            return Err(Failure::usage(format!("--every: {} has points only: expected a .geojson", path.display())));
        }
        Some(spacing_m) => points_on_shapes(&text, spacing_m).map_err(failure)?,
        None => text,
    };
    let found = read_observers(&text, format, request.georeference()?, request.size(), limits, eye_m, noun);
    let FoundObservers { observers, notes, .. } = found.map_err(failure)?;
    Ok((observers, notes.iter().map(|note| format!("{}: {note}", path.display())).collect()))
}

impl CumulativeArgs {
    /// Gives each observer a radius for its maximum distance, and the scene the maximum of these radii. With `--radius`
    /// all have that radius. Returns a note if a radius is shorter than a distance.
    fn set_radii(
        &self,
        request: &mut SceneRequest,
        observers: &mut [PlacedObserver],
    ) -> Result<Option<String>, Failure> {
        let (default, size) = (request.preset.sight.radius, request.size());
        let mut note = None;
        for observer in observers {
            let (max_m, cell_size) = (observer.limits.max_distance_m, request.cell_size_at(observer.cell));
            let least = self.scene.radius_of_length(cell_size.shorter_m())?.unwrap_or(default);
            observer.radius = Some(least);
            request.preset.sight.radius = request.preset.sight.radius.max(least);
            if max_m.is_infinite() {
                continue;
            }
            let corners = [ivec2(0, 0), ivec2(size.x - 1, 0), ivec2(0, size.y - 1), size - 1];
            let farthest_m = corners.map(|corner| cell_size.distance_m(corner - observer.cell));
            let farthest_m = farthest_m.into_iter().fold(0.0, f64::max);
            let reached = (max_m.min(farthest_m) / cell_size.shorter_m()).ceil() as u32;
            if let Some(radius) = self.scene.radius {
                if reached > least && radius != Radius::Metres(max_m) {
                    let least_m = f64::from(least) * cell_size.shorter_m();
                    let name = &observer.name;
                    note.get_or_insert(format!(
                        "--radius {radius} ends {least_m:.0} m from {name}, before its maximum distance of {max_m} m"
                    ));
                }
                continue;
            }
            if reached > SightConfig::MAX_RADIUS {
                return Err(self.too_far(observer, cell_size.shorter_m()));
            }
            observer.radius = Some(reached.max(least));
            request.preset.sight.radius = request.preset.sight.radius.max(reached);
        }
        Ok(note)
    }

    /// Returns the failure of a maximum distance beyond the maximum radius.
    fn too_far(&self, observer: &PlacedObserver, side_m: f64) -> Failure {
        let (limit, name, max_m) = (SightConfig::MAX_RADIUS, &observer.name, observer.limits.max_distance_m);
        let larger_m = (max_m / f64::from(limit) * 10.0).ceil() / 10.0;
        let message = format!(
            "the maximum distance of {name}, {max_m} m, is {:.0} cells of {side_m:.3} m, and a view reaches {limit} cells: up to \
             there squared distances are exact. Give --radius {limit} for the first {:.0} m, or larger cells, with GDAL for \
             instance (gdalwarp -tr {larger_m} {larger_m} -r bilinear)",
            max_m / side_m,
            f64::from(limit) * side_m,
        );
        match &self.observers {
            Some(path) => Failure::input(format!("{}: {message}", path.display())),
            None => Failure::usage(format!("--max-distance: {message}")),
        }
    }
}

/// Returns a note of the range of the views, if nobody asked for one.
fn note_of_radius(args: &CumulativeArgs, request: &SceneRequest, observers: &[PlacedObserver]) -> Option<String> {
    let unlimited = observers.iter().find(|observer| observer.limits.max_distance_m.is_infinite())?;
    let is_asked = args.scene.radius.is_some() || args.scene.set.iter().any(|(key, _)| key == "sight.radius");
    let (radius, side_m) = (unlimited.radius?, request.cell_size_at(unlimited.cell).shorter_m());
    let is_shorter = radius < request.size().max_element().unsigned_abs();
    (is_shorter && !is_asked).then(|| {
        let km = f64::from(radius) * side_m / 1e3;
        format!("views end at the radius of the preset, {radius} cells ({km:.1} km); --radius or --max-distance sets another")
    })
}

/// Returns a note of the observers without a tip, if a layer is of tips.
fn note_of_tips(layers: &[CumulativeLayer], observers: &[PlacedObserver]) -> Option<String> {
    let of_tips = layers.iter().find(|layer| layer.is_of_turbines())?;
    let without: Vec<&PlacedObserver> =
        observers.iter().filter(|observer| observer.limits.tip_height_m <= 0.0).collect();
    let first = without.first()?;
    let others = match without.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    Some(format!(
        "{}: {}{others} without a tip height: the eye at {} m counts as the tip",
        of_tips.name(),
        first.name,
        first.limits.eye_height_m
    ))
}

/// Returns a note of the first name that several points of a table have.
fn note_of_names(points: &[PlacedObserver], noun: &str) -> Option<String> {
    let mut names = HashSet::new();
    let PlacedObserver { name, .. } = points.iter().find(|point| !names.insert(point.name.as_str()))?;
    let count = points.iter().filter(|point| point.name == *name).count();
    Some(format!("{count} {noun} are named \"{name}\"; tables name points, and do not tell them apart"))
}

pub(crate) fn run(args: &CumulativeArgs) -> Result<(), Failure> {
    args.output.check(args.coverage.bands.is_some(), args.coverage.choose.is_some())?;
    let mut inputs = args.scene.inputs();
    inputs.extend(args.observers.as_ref().map(|path| NamedInput::new("--observers", path)));
    inputs.extend(args.output.places.as_ref().map(|path| NamedInput::new("--places", path)));
    inputs.extend(args.sheet.input());
    let first_files = args.output.files(1, &inputs)?;
    args.output.tif_layout(&first_files)?;
    args.sheet.check(first_files.iter().map(CumulativeFile::output))?;
    args.output.check_places(first_files.iter().any(|file| args.sheet.is_sheet(file.output())))?;
    args.threads.start()?;
    let mut request = args.scene.request_of_observers(args.reading, Some(PRESET))?;
    let (mut observers, mut notes) = args.observers(&request)?;
    let files = args.output.files(observers.len(), &inputs)?;
    let (places, notes_of_places) = match &args.output.places {
        Some(path) => read_points(path, None, &request, ViewLimits::default(), None, "place")?,
        None => Default::default(),
    };
    notes.extend(notes_of_places);
    if let Some(observer) = observers.iter().find(|observer| observer.limits.has_sector()) {
        // One observer stands for all: where the convergence is not known, it is known nowhere.
        let north = args.north.at(request.options.map.as_ref(), observer.cell, args.messages);
        if north == North::Grid {
            observers.iter_mut().for_each(|observer| observer.convergence_deg = 0.0);
        }
    }
    notes.extend(args.set_radii(&mut request, &mut observers)?);
    notes.extend(note_of_radius(args, &request, &observers));
    notes.extend(note_of_tips(&args.output.layers(), &observers));
    if args.output.has_names() {
        let (of_places, of_observers) = (note_of_names(&places, "places"), note_of_names(&observers, "observers"));
        notes.extend(of_places.into_iter().chain(of_observers));
    }
    let side_m = request.cell_size_at(observers[0].cell).shorter_m();
    args.coverage.bands.iter().try_for_each(|ends| ends.check("--bands", side_m))?;
    args.sheet.check_rings(side_m)?;
    let mut parts = CumulativeParts {
        layers: args.output.layers(),
        seen_cells: args.output.needs_seen_cells() || args.coverage.choose.is_some(),
        nodata_outside: args.output.has_nodata_outside(),
        places: Vec::new(),
    };
    if let Some(layer) = parts.layers.iter().find(|layer| layer.is_of_bare_ground())
        && !args.scene.heightmap.surface.is_given()
    {
        let name = layer.name();
        return Err(Failure::usage(format!("--layer {name}: the ground is bare: expected --surface or --canopy, too")));
    }
    ensure_lines(&request, args.output.first_with_lines())?;
    let base = args.sheet.read_base(request.georeference().ok())?;
    if request.is_in_part() {
        request.preset.viewers.clear(); // the views of lookouts do not count
        let cells: Vec<IVec2> = observers.iter().map(|observer| observer.cell).collect();
        request.read_window(&cells, None)?;
        args.observers(&request)?; // on ground
    }
    request.print_notes(args.messages.quiet);
    notes.iter().for_each(|note| args.messages.print(note));
    request.viewer = observers.first().map(|observer| observer.cell);
    if let Some(cost) = &request.cost {
        cost.check_view_cost("the view of all observers", observers.len())?;
    }
    let (scene, options) = request.scene_of_observers(args.messages.quiet)?;
    let origin = scene.origin();
    let on_scene = |points: &[PlacedObserver]| {
        let mut points = points.to_vec();
        points.iter_mut().for_each(|point| point.cell -= origin);
        points
    };
    let (on_scene, places) = (on_scene(&observers), on_scene(&places));
    if args.output.pairs.is_some() {
        parts.places = places.iter().map(|place| place.cell).collect();
    }
    let cost_of = |preset: &Preset| {
        let viewer = on_scene.first().map(|observer| observer.cell);
        SceneCost::of_ground(preset, scene.size(), viewer).only_views(parts.sweeps(&on_scene) as u64)
    };
    print_estimate(args.messages.quiet, "the views of all observers", scene.preset(), cost_of);
    let view = with_remaining_time(args.messages.quiet, |job| CumulativeView::compute(&scene, &on_scene, &parts, job))?;
    let contents = CumulativeContents {
        scene: &scene,
        options: &options,
        view: &view,
        observers: &on_scene,
        places: &places,
        classes: args.output.classes.as_ref(),
        tif_layout: args.output.tif_layout(&files)?,
        sheets: SheetLook {
            args: &args.sheet,
            base: base.as_ref(),
            north: args.north.at(options.map.as_ref(), observers[0].cell, MessageArgs { quiet: true }),
            rings_m: args.sheet.rings_m(args.coverage.bands.as_ref()),
        },
    };
    contents.write(&files, args.messages)?;
    let Some(world) = scene.world() else { unreachable!("a heightmap makes a world") };
    let coverage = args.coverage.of(&view, world, &on_scene, args.output.classes.as_ref());
    coverage.print(&observers, args.messages);
    let seen = view.covered(world, CumulativeLayer::Count);
    let observer = |observer: &PlacedObserver| json!({ "name": observer.name, "position": observer.position.to_array(), "cell": observer.cell.to_array() });
    args.report.print(|| {
        let mut report = json!({
            "files": files.iter().flat_map(CumulativeFile::paths).collect::<Vec<_>>(),
            "observers": observers.iter().map(observer).collect::<Vec<_>>(),
            "cells_seen": seen.cells,
            "km2_seen": seen.km2,
            "radius": scene.preset().sight.radius,
        });
        coverage.add_to(&mut report, &observers);
        report
    })
}

/// Refuses an output of visible heights if the scene has no lines of sight.
fn ensure_lines(request: &SceneRequest, output: Option<String>) -> Result<(), Failure> {
    let has_lines = request.preset.optics.relief == Relief::LineOfSight && !request.preset.sight.method.is_binary();
    match output.filter(|_| !has_lines) {
        Some(output) => Err(Failure::usage(format!(
            "{output}: needs lines of sight; expected optics.relief = \"horizon\" and --method two-parent, beam or exact"
        ))),
        None => Ok(()),
    }
}

/// Statistics of the seen ground.
struct Coverage<'a> {
    bands: Vec<DistanceBand>,
    classes: Option<&'a CountClasses>,
    chosen: Vec<ChosenObserver>,
}

impl CoverageArgs {
    fn of<'a>(
        &self,
        view: &CumulativeView,
        world: &World,
        observers: &[PlacedObserver],
        classes: Option<&'a CountClasses>,
    ) -> Coverage<'a> {
        let bands = self.bands.as_ref().map(|BandEnds(ends_m)| {
            let ends_m: Vec<f64> = std::iter::once(0.0).chain(ends_m.iter().copied()).collect();
            view.distance_bands(world, observers, &ends_m, classes)
        });
        let chosen = self.choose.map(|most| view.choose(world, most as usize));
        Coverage { bands: bands.unwrap_or_default(), classes, chosen: chosen.unwrap_or_default() }
    }
}

impl Coverage<'_> {
    /// Returns the name of each class with its ground in a band, in km².
    fn class_km2<'b>(&'b self, band: &'b DistanceBand) -> impl Iterator<Item = (String, f64)> + 'b {
        self.classes.into_iter().flat_map(CountClasses::names).zip(band.class_km2.iter().copied())
    }

    fn print(&self, observers: &[PlacedObserver], messages: MessageArgs) {
        for band in &self.bands {
            let DistanceBand { from_m, to_m, ground_km2, seen_km2, .. } = band;
            let share = if *ground_km2 > 0.0 { percent(seen_km2 / ground_km2) } else { percent(0.0) };
            let classes: String = self.class_km2(band).map(|(name, km2)| format!("; {name}: {km2:.3} km²")).collect();
            messages.print(format!(
                "{from_m:.0} to {to_m:.0} m: {seen_km2:.3} km² seen of {ground_km2:.3} km² ({share}){classes}"
            ));
        }
        for (i, chosen) in self.chosen.iter().enumerate() {
            let ChosenObserver { index, added_km2, seen_km2, .. } = chosen;
            let name = &observers[*index].name;
            messages.print(format!("{}. {name} adds {added_km2:.3} km², together {seen_km2:.3} km²", i + 1));
        }
    }

    fn add_to(&self, report: &mut serde_json::Value, observers: &[PlacedObserver]) {
        let band = |band: &DistanceBand| {
            let mut report = json!({
                "from_m": band.from_m, "to_m": band.to_m, "ground_km2": band.ground_km2, "seen_km2": band.seen_km2,
            });
            if self.classes.is_some() {
                let class = |(name, km2)| json!({ "class": name, "km2": km2 });
                report["classes"] = self.class_km2(band).map(class).collect();
            }
            report
        };
        let chosen = |chosen: &ChosenObserver| {
            json!({
                "observer": observers[chosen.index].name, "cells_added": chosen.added_cells,
                "km2_added": chosen.added_km2, "km2_seen": chosen.seen_km2,
            })
        };
        if !self.bands.is_empty() {
            report["bands"] = self.bands.iter().map(band).collect();
        }
        if !self.chosen.is_empty() {
            report["chosen"] = self.chosen.iter().map(chosen).collect();
        }
    }
}
