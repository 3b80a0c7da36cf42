//! `farsight profile`: ground, obstacles and crowns along the line between two points, as a table, a record or a drawing.

use std::path::PathBuf;

use glam::{DVec2, IVec2};
use serde_json::json;

use super::failure::Failure;
use super::output::{MessageArgs, OutputArgs, with_formats, write_products};
use super::partial_heightmap::ReadingArgs;
use super::profile_ends::{EndArgs, NamedPair};
use super::scene_args::SceneArgs;
use super::text::pluralize;
use super::values::{parse_frequency, parse_in};
use farsight::grid::CellRect;
use farsight::sight::{MethodKind, SightConfig};
use farsight::viewshed::{Profile, ProfilePoint, Viewshed};
use farsight_scene::export::{ExportOptions, provenance};
use farsight_scene::files::{
    Content, ContentKind, FieldValue, MapSource, NamedInput, OutputFormat, Provenance, Table, TableColumn,
};
use farsight_scene::scene::{Scene, Terrain};
use farsight_scene::sheet::ProfileSheet;

const EXAMPLES: &str = "\
Examples:
  farsight profile --heightmap examples/ridge.tif --from 140,104 --to 60,40 -o profile.svg
  farsight profile --heightmap examples/ridge.tif --from 140,104 --to 60,40 --frequency 5.8GHz -o link.csv
  farsight profile --heightmap examples/ridge.tif --places towers.csv --from 140,104 --to \"north tower\" -o tower.json";

/// The content of the files: a table, a record or a page.
const KINDS: [ContentKind; 3] = [ContentKind::Table, ContentKind::Record, ContentKind::Sheet];

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)),
    mut_arg("from", |flag| flag.long("scene")))]
pub(crate) struct ProfileArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    ends: EndArgs,
    /// The frequency of radio waves, such as 5.8GHz or 900MHz, for the first Fresnel zone around the line
    #[arg(long, value_name = "F", value_parser = parse_frequency, help_heading = "Profile")]
    frequency: Option<f64>,
    /// The share of the first Fresnel zone that must be clear, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.6, requires = "frequency", allow_negative_numbers = true,
        value_parser = |text: &str| parse_in(text, 0.0..=1.0), help_heading = "Profile")]
    zone: f64,
    /// In a table, write a row for each pair instead of one for each point
    #[arg(long, help_heading = "Profile")]
    summary: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    messages: MessageArgs,
}

/// The profile of a pair.
struct PairProfile {
    pair: NamedPair,
    profile: Profile,
    /// The light that the target sends to the eye over ground and through crowns, in [0, 1].
    visibility: f32,
}

/// The profiles with their scene and the Fresnel zone.
struct ProfilesOnMap<'a> {
    scene: &'a Scene,
    options: &'a ExportOptions,
    profiles: Vec<PairProfile>,
    frequency_hz: f64,
    zone_share: f64,
}

pub(crate) fn run(args: &ProfileArgs) -> Result<(), Failure> {
    let mut inputs = args.scene.inputs();
    inputs.extend(args.ends.files().map(|(flag, path): (&str, &PathBuf)| NamedInput::new(flag, path)));
    let outputs = args.output.files(&KINDS, &inputs)?;
    let on_ground = args.scene.preset_on_ground("viewshed");
    let mut request = args.scene.request_of_observers(args.reading, on_ground)?;
    let pairs = args.ends.pairs(&request)?;
    let drawn = outputs.iter().find(|output| output.format.takes(ContentKind::Sheet));
    if let (Some(output), [_, second, ..]) = (drawn, &pairs[..]) {
        let path = output.path.display();
        let second = &second.name;
        return Err(Failure::usage(format!(
            "{path}: a drawing shows one profile: expected one pair, not also {second}"
        )));
    }
    if request.is_in_part() {
        let cells = pairs.iter().flat_map(|pair| pair.ends).map(|cell| CellRect::around(cell, 2));
        request.read_window(&[], cells.reduce(CellRect::cover))?;
    }
    let (scene, options) = request.scene_of_observers(args.messages.quiet)?;
    let Terrain::World(optics) = scene.terrain() else {
        return Err(Failure::usage(
            "a dungeon or an opacity map has no heights: give --heightmap, or a preset of open country",
        ));
    };
    let sight = SightConfig::default().with_radius(SightConfig::UNLIMITED).with_method(MethodKind::Exact);
    let mut viewshed = Viewshed::new(sight)?;
    let profiles = pairs.into_iter().map(|pair| {
        let [from, to] = pair.ends.map(|cell| cell - scene.origin());
        let config = optics.config();
        let heights =
            [pair.eye_height_m.unwrap_or(config.eye_height_m), pair.target_height_m.unwrap_or(config.target_height_m)];
        let optics = optics.at_heights(heights[0], heights[1]);
        let surface = optics.surface(from);
        let failure = |error| Failure::input(format!("{}: {error}", pair.name));
        let profile = Profile::new(&surface, from, to).map_err(failure)?;
        let visibility = viewshed.line_of_sight(&surface, from, to).map_err(failure)?;
        Ok(PairProfile { pair, profile, visibility })
    });
    let profiles = profiles.collect::<Result<Vec<_>, Failure>>()?;
    let frequency_hz = args.frequency.unwrap_or(0.0);
    let on_map = ProfilesOnMap { scene: &scene, options: &options, profiles, frequency_hz, zone_share: args.zone };
    let content = |format: OutputFormat| match format {
        _ if format.takes(ContentKind::Table) && args.summary => Content::Table(on_map.summary_table()),
        _ if format.takes(ContentKind::Table) => Content::Table(on_map.table()),
        _ if format.takes(ContentKind::Record) => Content::Record(on_map.json()),
        _ => Content::Sheet(Box::new(on_map.sheet())),
    };
    let products: Vec<_> = outputs.iter().map(|output| (output, content(output.format).into())).collect();
    write_products(&products, args.messages, |_| on_map.description())
}

impl ProfilesOnMap<'_> {
    fn provenance(&self) -> Provenance {
        provenance(self.scene, self.options, CellRect::of_size(self.scene.size()))
    }

    /// Returns the cell of a point on the raster.
    fn cell(&self, point: &ProfilePoint) -> IVec2 {
        point.cell + self.scene.origin()
    }

    fn coordinates(&self, cell: IVec2) -> Option<DVec2> {
        Some(self.options.map.as_ref().and_then(MapSource::georeference)?.middle_of(cell))
    }

    fn first<'p>(&self, of: &'p PairProfile) -> Option<&'p ProfilePoint> {
        of.profile.first_obstacle(self.frequency_hz, self.zone_share)
    }

    fn worst<'p>(&self, of: &'p PairProfile) -> Option<&'p ProfilePoint> {
        of.profile.worst_obstacle(self.frequency_hz, self.zone_share)
    }

    /// Returns a summary such as `3 profiles, 2 clear`, or the worst obstacle of one.
    fn description(&self) -> String {
        let clear = self.profiles.iter().filter(|one| self.worst(one).is_none()).count();
        match &self.profiles[..] {
            [one] => self.sentence(one),
            all => format!("{}, {clear} clear", pluralize(all.len(), "profile")),
        }
    }

    /// Returns the result of a pair as text.
    fn sentence(&self, of: &PairProfile) -> String {
        let length = format!("{:.0} m", of.profile.length_m);
        let Some(worst) = self.worst(of) else {
            let least = of.profile.least_clearance_m();
            let by = if least.is_finite() { format!(" by {least:.1} m or more") } else { String::new() };
            return format!("{length}, clear{by}");
        };
        let (cell, over) = (self.cell(worst), -worst.clearance_m());
        let position = if over >= 0.0 { "above" } else { "below" };
        let height = of.profile.clearing_target_height_m(self.frequency_hz, self.zone_share);
        let clears = height.map_or_else(String::new, |metres| format!("; a target of {metres:.1} m would clear it"));
        format!(
            "{length}, {} at {:.0} m ({},{}) is {:.1} m {position} the line{clears}",
            kind(worst),
            worst.distance_m,
            cell.x,
            cell.y,
            over.abs()
        )
    }

    fn table(&self) -> Table {
        let has_coordinates = self.coordinates(IVec2::ZERO).is_some();
        let mut columns = vec![TableColumn::text("pair"), TableColumn::real("distance_m")];
        columns.extend(["x", "y"].map(TableColumn::integer));
        columns.extend(has_coordinates.then_some(["easting", "northing"].map(TableColumn::real)).into_iter().flatten());
        let heights = ["ground_m", "obstacle_m", "surface_m", "line_m", "clearance_m", "fresnel_m"];
        columns.extend(heights.map(TableColumn::real));
        let mut rows = Vec::new();
        for PairProfile { pair, profile, .. } in &self.profiles {
            for point in &profile.points {
                let cell = self.cell(point);
                let mut row = vec![FieldValue::Text(pair.name.clone()), real(point.distance_m)];
                row.extend(cell.to_array().map(|part| FieldValue::Integer(part.into())));
                row.extend(self.coordinates(cell).into_iter().flat_map(|at| at.to_array()).map(FieldValue::Real));
                let fresnel_m = profile.fresnel_radius_m(point.distance_m, self.frequency_hz);
                let heights = [point.ground_m, point.obstacle_m, point.surface_m, point.line_m, point.clearance_m()];
                row.extend(heights.into_iter().chain([fresnel_m]).map(real));
                rows.push(row);
            }
        }
        Table { columns, rows }
    }

    fn summary_table(&self) -> Table {
        let reals = ["length_m", "visibility", "least_clearance_m"].map(TableColumn::real);
        let worst = ["worst_distance_m", "worst_clearance_m"].map(TableColumn::real);
        let heights = ["clearing_target_height_m", "clearing_eye_height_m", "clearing_lift_m"].map(TableColumn::real);
        let mut columns = vec![TableColumn::text("pair")];
        columns.extend(["from_x", "from_y", "to_x", "to_y"].map(TableColumn::integer));
        columns.extend(reals);
        columns.extend([TableColumn::real("first_distance_m"), TableColumn::text("worst")]);
        columns.extend(worst.into_iter().chain(heights));
        let row = |of: &PairProfile| {
            let (first, worst) = (self.first(of), self.worst(of));
            let mut row = vec![FieldValue::Text(of.pair.name.clone())];
            row.extend(
                of.pair.ends.iter().flat_map(|cell| cell.to_array()).map(|part| FieldValue::Integer(part.into())),
            );
            row.extend([of.profile.length_m, f64::from(of.visibility), of.profile.least_clearance_m()].map(real));
            row.push(first.map_or(FieldValue::Missing, |point| real(point.distance_m)));
            row.push(worst.map_or(FieldValue::Missing, |point| FieldValue::Text(kind(point).to_owned())));
            let numbers = |point: &ProfilePoint| [point.distance_m, point.clearance_m()].map(real);
            row.extend(worst.map_or([FieldValue::Missing, FieldValue::Missing], numbers));
            let (profile, zone) = (&of.profile, (self.frequency_hz, self.zone_share));
            let ends =
                [profile.clearing_target_height_m(zone.0, zone.1), profile.clearing_eye_height_m(zone.0, zone.1)];
            row.extend(ends.map(|metres| metres.map_or(FieldValue::Missing, real)));
            row.push(real(profile.clearing_lift_m(zone.0, zone.1)));
            row
        };
        Table { columns, rows: self.profiles.iter().map(row).collect() }
    }

    fn json(&self) -> serde_json::Value {
        let coordinates = |cell: IVec2| self.coordinates(cell).map(|at| at.to_array());
        let obstacle = |point: &ProfilePoint| {
            json!({
                "kind": kind(point),
                "cell": self.cell(point).to_array(),
                "coordinates": coordinates(self.cell(point)),
                "distance_m": point.distance_m,
                "clearance_m": number(point.clearance_m()),
            })
        };
        let (frequency_hz, zone_share) = (self.frequency_hz, self.zone_share);
        let profile = |of: &PairProfile| {
            let profile = &of.profile;
            let point = |point: &ProfilePoint| {
                json!({
                    "distance_m": point.distance_m,
                    "cell": self.cell(point).to_array(),
                    "ground_m": number(point.ground_m),
                    "obstacle_m": number(point.obstacle_m),
                    "surface_m": number(point.surface_m),
                    "line_m": number(point.line_m),
                    "clearance_m": number(point.clearance_m()),
                    "fresnel_m": profile.fresnel_radius_m(point.distance_m, frequency_hz),
                })
            };
            json!({
                "pair": of.pair.name,
                "from": {"cell": of.pair.ends[0].to_array(), "coordinates": coordinates(of.pair.ends[0])},
                "to": {"cell": of.pair.ends[1].to_array(), "coordinates": coordinates(of.pair.ends[1])},
                "length_m": profile.length_m,
                "visibility": of.visibility,
                "is_clear": self.worst(of).is_none(),
                "least_clearance_m": number(profile.least_clearance_m()),
                "first_obstacle": self.first(of).map(obstacle),
                "worst_obstacle": self.worst(of).map(obstacle),
                "clearing_target_height_m": profile.clearing_target_height_m(frequency_hz, zone_share),
                "clearing_eye_height_m": profile.clearing_eye_height_m(frequency_hz, zone_share),
                "clearing_lift_m": profile.clearing_lift_m(frequency_hz, zone_share),
                "points": profile.points.iter().map(point).collect::<Vec<_>>(),
            })
        };
        json!({
            "farsight": self.provenance(),
            "frequency_hz": (frequency_hz > 0.0).then_some(frequency_hz),
            "zone_share": (frequency_hz > 0.0).then_some(zone_share),
            "profiles": self.profiles.iter().map(profile).collect::<Vec<_>>(),
        })
    }

    /// Returns the page of the only pair.
    fn sheet(&self) -> ProfileSheet {
        let one = &self.profiles[0];
        let texts = [format!("Profile {}", one.pair.name), self.sentence(one)];
        ProfileSheet::new(one.profile.clone(), texts, [self.frequency_hz, self.zone_share], self.provenance())
    }
}

/// Returns what a point of the surface is.
fn kind(point: &ProfilePoint) -> &'static str {
    match point {
        _ if point.surface_m > point.obstacle_m => "crown",
        _ if point.obstacle_m > point.ground_m => "obstacle",
        _ => "ground",
    }
}

/// Returns a number in millimetres or finer; nothing for NaN and infinity.
fn real(value: f64) -> FieldValue {
    number(value).map_or(FieldValue::Missing, |value| FieldValue::Real((value * 1e4).round() / 1e4 + 0.0))
}

fn number(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}
