//! `farsight panorama`: the panorama of a viewer, as a picture or a drawing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::failure::Failure;
use super::north::{North, NorthArgs};
use super::output::{MessageArgs, OutputArgs, ThreadArgs, with_formats, write_products};
use super::partial_heightmap::ReadingArgs;
use super::point_file::read_point_file;
use super::scene_args::SceneArgs;
use super::scene_request::{SceneRequest, ShownPart};
use super::shared_args::RangeArgs;
use super::text::{missing_letters_note, pluralize};
use crate::stage_log::timed;
use farsight::grid::CellRect;
use farsight_scene::export::provenance;
use farsight_scene::files::{Content, ContentKind, NamedInput, OutputFile, PlacedPicture, Product, WriteError};
use farsight_scene::panorama::{
    FeatureKind, FoundLandmarks, Panorama, PanoramaError, PanoramaOptions, PanoramaPainter, read_landmarks,
};

const EXAMPLES: &str = "\
Examples:
  farsight panorama --preset alpine -o strip.png                                  all around
  farsight panorama --heightmap examples/ridge.tif --at 140,104 --eye-height 12 -o strip.png -o strip.svg
  farsight panorama --preset alpine --azimuth 90:180 --width 2400 --height 500 -o south-east.png
  farsight panorama --preset temperate --set clock.runs=true --set clock.hour=18 -o evening.png";

/// The content of the files: a picture, or a drawing whose names are texts.
const KINDS: [ContentKind; 2] = [ContentKind::Picture, ContentKind::Drawing];

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)))]
pub(crate) struct PanoramaArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The azimuth of the centre, or of the left and the right edge as FROM:TO, in degrees clockwise from north
    #[arg(long, value_name = "DEG", allow_hyphen_values = true, help_heading = "Panorama")]
    azimuth: Option<Azimuths>,
    /// The horizontal field of view, in degrees; of FROM:TO, the part around its centre. Default: 360
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, help_heading = "Panorama")]
    field: Option<f64>,
    /// Columns of pixels
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = 1920,
        allow_negative_numbers = true,
        help_heading = "Panorama"
    )]
    width: u32,
    /// Rows of pixels. Default: 3/16 of the width
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true, help_heading = "Panorama")]
    height: Option<u32>,
    /// The vertical exaggeration. Default: chosen so that the land fills the picture
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true, help_heading = "Panorama")]
    exaggeration: Option<f64>,
    /// Places with names: points from a .geojson, or from a .csv with the columns x and y in the coordinates of the heightmap (cells
    /// of a generated world), or longitude and latitude. Other columns are name, and height_m of a tower and rotor_m of a turbine on
    /// it, or hub_height_m and tip_height_m
    #[arg(long, value_name = "FILE", help_heading = "Panorama")]
    places: Option<PathBuf>,
    /// Omit the names of summits, waters and places
    #[arg(long, help_heading = "Panorama")]
    no_names: bool,
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

/// The azimuths of `--azimuth`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Azimuths {
    Middle(f64),
    Edges { left: f64, right: f64 },
}

impl FromStr for Azimuths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| {
            let number =
                text.trim().parse::<f64>().map_err(|_| format!("{text:?} is no number: expected 135 or 90:180"))?;
            let is_azimuth = (0.0..=360.0).contains(&number);
            if is_azimuth {
                Ok(number)
            } else {
                Err(format!("{number}° is no azimuth: expected 0 to 360, clockwise from north"))
            }
        };
        match text.split_once(':') {
            Some((left, right)) => Ok(Self::Edges { left: number(left)?, right: number(right)? }),
            None => Ok(Self::Middle(number(text)?)),
        }
    }
}

impl PanoramaArgs {
    fn options(&self) -> Result<PanoramaOptions, Failure> {
        let (middle_deg, widest_deg) = match self.azimuth {
            None => (0.0, 360.0),
            Some(Azimuths::Middle(middle)) => (middle, 360.0),
            Some(Azimuths::Edges { left, right }) => {
                let field = if right > left { right - left } else { right - left + 360.0 };
                ((left + 0.5 * field).rem_euclid(360.0), field)
            }
        };
        let field_deg = match self.field {
            Some(field) if field > widest_deg => {
                let message = format!("--field {field}: expected at most {widest_deg}, the field of --azimuth");
                return Err(Failure::usage(if widest_deg < 360.0 {
                    message
                } else {
                    flagged(&PanoramaError::Field(field))
                }));
            }
            field => field.unwrap_or(widest_deg),
        };
        let height = self.height.unwrap_or(self.width.saturating_mul(3) / 16);
        let mut options = PanoramaOptions::default()
            .with_width(self.width)
            .with_height(if self.height.is_none() {
                height.clamp(*PanoramaOptions::HEIGHTS.start(), *PanoramaOptions::HEIGHTS.end())
            } else {
                height
            })
            .with_middle_deg(middle_deg)
            .with_field_deg(field_deg)
            .with_exaggeration(self.exaggeration)
            .with_names(!self.no_names);
        if let Some(max_distance_m) = self.range.max_distance {
            options = options.with_max_distance_m(max_distance_m);
        }
        options.check().map_err(|error| Failure::usage(flagged(&error)))?;
        Ok(options)
    }
}

/// Returns the message of an error with the flag that it is about.
fn flagged(error: &PanoramaError) -> String {
    let flag = match error {
        PanoramaError::Width(_) => "--width: ",
        PanoramaError::Height(_) => "--height: ",
        PanoramaError::Azimuth(_) => "--azimuth: ",
        PanoramaError::Field(_) => "--field: ",
        PanoramaError::Exaggeration(_) => "--exaggeration: ",
        _ => "",
    };
    format!("{flag}{error}")
}

pub(crate) fn run(args: &PanoramaArgs) -> Result<(), Failure> {
    let mut inputs = args.scene.inputs();
    inputs.extend(args.places.as_ref().map(|path| NamedInput::new("--places", path)));
    let files = args.output.files(&KINDS, &inputs)?;
    let mut options = args.options()?;
    args.threads.start()?;
    let on_ground = args.scene.preset_on_ground("terrain");
    let mut request = args.scene.request_of_view(args.reading, on_ground, ShownPart::World)?;
    if request.is_in_part() {
        request.read_window_within(options.max_distance_m)?;
    }
    let found = args.places.as_deref().map(|path| read_places(path, &request)).transpose()?;
    let (scene, export_options) = request.scene(args.messages.quiet)?;
    let viewer = scene.origin() + scene.viewer();
    if let Some(map) = &export_options.map {
        options.set_place(map, viewer);
    }
    let north = args.north.at(export_options.map.as_ref(), viewer, args.messages);
    options.convergence_deg = north.convergence_deg();
    let mut landmarks = Vec::new();
    if let (Some(FoundLandmarks { landmarks: found, outside, notes, .. }), Some(path)) = (found, &args.places) {
        let path = path.display();
        notes.iter().for_each(|note| args.messages.print(format!("{path}: {note}")));
        if outside > 0 {
            let those = pluralize(outside, "place");
            args.messages.print(format!(
                "{path}: {those} outside of the map {} omitted",
                if outside == 1 { "is" } else { "are" }
            ));
        }
        let note = missing_letters_note(found.iter().map(|landmark| landmark.name.as_str()));
        note.iter().for_each(|note| args.messages.print(format!("{path}: {note}")));
        let origin = scene.origin().as_dvec2();
        landmarks.extend(found.into_iter().map(|landmark| landmark.moved_by(-origin)));
    }
    let mut painter = PanoramaPainter::default();
    let panorama = timed("paint the panorama", || painter.paint(&scene, &options, &landmarks));
    let panorama = panorama.map_err(|error| match error {
        PanoramaError::NoLand => Failure::usage(format!("{error}: give --heightmap, or a preset of open country")),
        error => Failure::usage(flagged(&error)),
    })?;
    let provenance = provenance(&scene, &export_options, CellRect::of_size(scene.size()));
    let product = |file: &OutputFile| {
        if file.format.takes(ContentKind::Picture) {
            return Ok(PlacedPicture::new(panorama.picture(), provenance.clone()).into());
        }
        let mut png = Vec::new();
        PlacedPicture::new(panorama.ground().clone(), provenance.clone()).write_png(&mut png)?;
        let href = format!("data:image/png;base64,{}", STANDARD.encode(png));
        Ok::<Product<'_>, WriteError>(Content::Drawing(panorama.svg(&href)).into())
    };
    let products = files.iter().map(|file| Ok((file, product(file)?))).collect::<Result<Vec<_>, WriteError>>();
    write_products(&products.map_err(Failure::output)?, args.messages, |_| summary(&panorama, north))
}

/// Reads the places of a file.
fn read_places(path: &Path, request: &SceneRequest) -> Result<FoundLandmarks, Failure> {
    let (text, format) = read_point_file(path, "place")?;
    let found = read_landmarks(&text, format, request.georeference().ok(), request.size());
    found.map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// `1920x360, angles 2.4 times upwards, 7 summits, 1 water, azimuths from grid north`.
fn summary(panorama: &Panorama, north: North) -> String {
    let projection = panorama.projection();
    let mut text = format!("{}x{}", projection.width, projection.height);
    let exaggeration = (panorama.exaggeration() * 10.0).round() / 10.0;
    if exaggeration != 1.0 {
        let _ = write!(text, ", vertical exaggeration {exaggeration}");
    }
    for (kind, name) in [(FeatureKind::Summit, "summit"), (FeatureKind::Water, "water"), (FeatureKind::Own, "place")] {
        let count = panorama.features().iter().filter(|feature| feature.kind == kind).count();
        if count > 0 {
            let _ = write!(text, ", {}", pluralize(count, name));
        }
    }
    if north != North::Map {
        let _ = write!(text, ", azimuths{north}");
    }
    text
}
