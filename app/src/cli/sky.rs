//! `farsight sky`: the horizons, the sky-view factor and the hours of direct sun of every cell.

use clap::value_parser;
use glam::{IVec2, ivec2};
use serde_json::json;

use super::estimate::print_estimate;
use super::failure::Failure;
use super::interrupt::{install_handler, unless_interrupted};
use super::north::{North, NorthArgs};
use super::output::{
    MessageArgs, OutputArgs, ScaleArgs, ThreadArgs, TifArgs, ensure_one_for_each, not_as_text, with_formats,
    write_products,
};
use super::partial_heightmap::ReadingArgs;
use super::progress::with_remaining_time;
use super::scene_args::SceneArgs;
use super::scene_request::SceneRequest;
use super::shared_args::{CellsArgs, RangeArgs};
use super::sky_blocks::SkyBlock;
use super::values::{choice, parse_in};
use farsight::grid::CellRect;
use farsight::horizon::HorizonError;
use farsight::light::SunPosition;
use farsight::sky::{Sky, SkyError, SunDays, SunPath};
use farsight::{Grid, Job};
use farsight_scene::export::{ExportOptions, provenance};
use farsight_scene::files::{ContentKind, Format, MapSource, OutputFile, PlacedPicture, Product, Raster};
use farsight_scene::paint::{FieldPicture, paint_field};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneCost, Terrain};

const EXAMPLES: &str = "\
Examples:
  farsight sky --heightmap examples/ridge.tif -o factor.tif                         the sky-view factor
  farsight sky --heightmap examples/ridge.tif --layer sunshine --date 12-21 -o sun.tif -o sun.png
  farsight sky --heightmap examples/ridge.tif --layer horizon --azimuth 135 -o south-east.tif
  farsight sky --heightmap examples/ridge.tif --cells 60,40,50x30 --max-distance 5000 -o part.tif
  farsight sky --preset alpine --layer sunshine --date year --latitude 47 -o sun.png";

/// The content of the files.
const KINDS: [ContentKind; 2] = [ContentKind::Picture, ContentKind::Raster];

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)))]
pub(crate) struct SkyArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The field to write: sky-view (the sky-view factor, 0 to 1), sunshine (hours of direct sun a day) or horizon (the angle of
    /// the horizon at --azimuth in degrees). Once for all files, or once for each -o. Default: sky-view
    #[arg(long, value_parser = choice(SkyLayer::ALL, SkyLayer::name), hide_possible_values = true, help_heading = "Sky")]
    layer: Vec<SkyLayer>,
    /// The azimuth of the layer horizon in degrees clockwise from true north, 0 to 360. Once for all files, or once for each -o
    #[arg(long, value_name = "DEG", value_parser = |text: &str| parse_in(text, 0.0..=360.0),
        allow_negative_numbers = true, help_heading = "Sky")]
    azimuth: Vec<f64>,
    /// The number of azimuths of sky-view and sunshine, evenly spaced. Default: 64 for sky-view, 360 for sunshine
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = value_parser!(u32).range(4..=3600), help_heading = "Sky")]
    azimuths: Option<u32>,
    /// The day of the layer sunshine as MM-DD, or year for the mean of all days. Default: year
    #[arg(long, value_name = "MM-DD", value_parser = |text: &str| text.parse::<SunDays>(), allow_hyphen_values = true,
        help_heading = "Sky")]
    date: Option<SunDays>,
    /// The latitude of the layer sunshine in degrees, negative in the south. Default: that of the heightmap; 45 in a
    /// generated world
    #[arg(long, value_name = "DEG", value_parser = |text: &str| parse_in(text, -90.0..=90.0),
        allow_negative_numbers = true, help_heading = "Sky")]
    latitude: Option<f64>,
    #[command(flatten)]
    north: NorthArgs,
    #[command(flatten)]
    range: RangeArgs,
    #[command(flatten)]
    part: CellsArgs,
    #[command(flatten)]
    scale: ScaleArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    tif: TifArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
}

/// A field over all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum SkyLayer {
    #[default]
    SkyView,
    Sunshine,
    Horizon,
}

impl SkyLayer {
    const ALL: [Self; 3] = [Self::SkyView, Self::Sunshine, Self::Horizon];

    const fn name(self) -> &'static str {
        match self {
            Self::SkyView => "sky-view",
            Self::Sunshine => "sunshine",
            Self::Horizon => "horizon",
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Self::SkyView => "",
            Self::Sunshine => "h",
            Self::Horizon => "degrees",
        }
    }
}

/// A layer with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SkyField {
    SkyView,
    Sunshine,
    Horizon { azimuth_deg: f64 },
}

impl SkyField {
    const fn layer(self) -> SkyLayer {
        match self {
            Self::SkyView => SkyLayer::SkyView,
            Self::Sunshine => SkyLayer::Sunshine,
            Self::Horizon { .. } => SkyLayer::Horizon,
        }
    }
}

impl SkyArgs {
    /// Returns the height of the eyes: that of the flag, or 0, the ground, whatever the preset has.
    fn eye_height_m(&self, preset: &Preset) -> f64 {
        if self.scene.has_flag("eye-height") { preset.optics.eye_height_m } else { 0.0 }
    }

    /// Returns the field of each file.
    fn fields(&self, outputs: &[OutputFile]) -> Result<Vec<SkyField>, Failure> {
        ensure_one_for_each("--layer", self.layer.len(), outputs)?;
        ensure_one_for_each("--azimuth", self.azimuth.len(), outputs)?;
        let layer = |i: usize| self.layer.get(i).or(self.layer.first()).copied().unwrap_or_default();
        let azimuth = |i: usize| self.azimuth.get(i).or(self.azimuth.first()).copied();
        let field = |i: usize| match (layer(i), azimuth(i)) {
            (SkyLayer::SkyView, _) => Ok(SkyField::SkyView),
            (SkyLayer::Sunshine, _) => Ok(SkyField::Sunshine),
            (SkyLayer::Horizon, Some(azimuth_deg)) => Ok(SkyField::Horizon { azimuth_deg }),
            (SkyLayer::Horizon, None) => Err(Failure::usage("--layer horizon needs --azimuth, such as --azimuth 135")),
        };
        let fields = (0..outputs.len()).map(field).collect::<Result<Vec<_>, _>>()?;
        let has = |layer: SkyLayer| fields.iter().any(|field| field.layer() == layer);
        for (flag, is_given, layer) in [
            ("--azimuth", !self.azimuth.is_empty(), SkyLayer::Horizon),
            ("--date", self.date.is_some(), SkyLayer::Sunshine),
            ("--latitude", self.latitude.is_some(), SkyLayer::Sunshine),
        ] {
            if is_given && !has(layer) {
                return Err(Failure::usage(format!("{flag} needs --layer {}", layer.name())));
            }
        }
        let as_text = outputs.iter().zip(&fields).find(|(output, _)| output.format == Format::Txt);
        match as_text {
            Some((output, field)) => Err(not_as_text(output, field.layer().name())),
            None => Ok(fields),
        }
    }

    /// Returns the latitude of the middle of the map in degrees, or that of the command line.
    fn latitude_deg(&self, request: &SceneRequest) -> Result<f64, Failure> {
        if let Some(latitude_deg) = self.latitude {
            return Ok(latitude_deg);
        }
        let Some(map) = &request.options.map else { return Ok(SunPosition::LATITUDE_DEG) };
        map.latitude_deg((request.size() - 1) / 2)
            .ok_or_else(|| Failure::usage(format!("{}: its latitude is not known; give it with --latitude", map.name)))
    }

    /// Returns the path of the sun over a block; `latitude_deg` and `north` are those of the middle of the map.
    fn sun_path(
        &self,
        block: SkyBlock,
        map: Option<&MapSource>,
        latitude_deg: f64,
        north: North,
    ) -> Result<SunPath, SkyError> {
        let of_block = if self.latitude.is_none() { block.latitude_deg(map) } else { None };
        let days = self.date.unwrap_or(SunDays::Year);
        let (convergence_deg, azimuths) = (block.convergence_deg(map, north), self.azimuths_of(SkyField::Sunshine));
        SunPath::over_grid(of_block.unwrap_or(latitude_deg), convergence_deg, days, azimuths)
    }

    /// Returns the number of azimuths of a field.
    fn azimuths_of(&self, field: SkyField) -> u32 {
        match field {
            SkyField::Horizon { .. } => 1,
            SkyField::SkyView => self.azimuths.unwrap_or(Sky::AZIMUTHS),
            SkyField::Sunshine => self.azimuths.unwrap_or(SunPath::AZIMUTHS),
        }
    }

    /// Returns what a field depends on besides the scene.
    fn settings(&self, preset: &Preset, field: SkyField, latitude_deg: Option<f64>, north: North) -> serde_json::Value {
        let eye_height_m = self.eye_height_m(preset);
        let mut settings = json!({ "max_distance_m": self.range.max_distance, "eye_height_m": eye_height_m });
        match field {
            SkyField::Horizon { azimuth_deg } => settings["azimuth_deg"] = azimuth_deg.into(),
            SkyField::SkyView | SkyField::Sunshine => settings["azimuths"] = self.azimuths_of(field).into(),
        }
        if field != SkyField::SkyView {
            settings["north"] = north.name().into();
            settings["convergence_deg"] = north.convergence_deg().into();
        }
        if field == SkyField::Sunshine {
            settings["latitude_deg"] = latitude_deg.into();
            settings["date"] = self.date.unwrap_or(SunDays::Year).to_string().into();
        }
        settings
    }

    /// Reads some cells of a heightmap and those in range of them, if it is read in part.
    fn read_window(&self, request: &mut SceneRequest, cells: CellRect, max_distance_m: f64) -> Result<(), Failure> {
        let map = CellRect::of_size(request.size());
        // Cells may be narrower in other rows.
        let rows = [cells.min.y, cells.max.y - 1];
        let shorter_m = |y: i32| request.cell_size_at(ivec2(0, y)).shorter_m();
        let reach = max_distance_m / shorter_m(rows[0]).min(shorter_m(rows[1])) + 2.0;
        let reach = IVec2::splat(reach.min(f64::from(map.max.max_element())) as i32);
        let window = CellRect { min: cells.min - reach, max: cells.max + reach };
        request.read_window(&[], Some(window.intersect(map)))
    }
}

/// A field with its scene.
struct SkyFile<'a> {
    raster: Raster,
    /// The minimum and maximum, if a cell has a value.
    range: Option<[f32; 2]>,
    field: SkyField,
    /// The name of the map, and a description of the field.
    title: String,
    scene: &'a Scene,
    /// The width of a cell in the middle row, in metres.
    cell_width_m: f64,
    scale: Option<u32>,
}

pub(crate) fn run(args: &SkyArgs) -> Result<(), Failure> {
    let outputs = args.output.files(&KINDS, &args.scene.inputs())?;
    let (tif_layout, scale) = (args.tif.layout(&outputs)?, args.scale.of(&outputs)?);
    let fields = args.fields(&outputs)?;
    let max_distance_m = args.range.max_distance.unwrap_or(f64::INFINITY);
    if max_distance_m.is_nan() || max_distance_m <= 0.0 {
        return Err(Failure::usage(format!("--max-distance {max_distance_m}: expected more than 0 m")));
    }
    args.threads.start()?;
    let on_ground = args.scene.preset_on_ground("viewshed");
    let mut request = args.scene.request_of_observers(args.reading, on_ground)?;
    let map = CellRect::of_size(request.size());
    let cells = args.part.cells.unwrap_or(map);
    if cells.intersect(map) != cells {
        return Err(Failure::usage(format!("--cells: {}", HorizonError::CellsOutside { cells, size: map.max })));
    }
    let latitude_deg = match fields.contains(&SkyField::Sunshine) {
        true => Some(args.latitude_deg(&request)?),
        false => None,
    };
    let has = |layer: SkyLayer| fields.iter().any(|field| field.layer() == layer);
    let (map_source, middle) = (request.options.map.as_ref(), (map.max - 1) / 2);
    // The sun has its place whatever azimuths count from.
    let sun_north = match has(SkyLayer::Sunshine) {
        true => NorthArgs::TRUE.at(map_source, middle, args.messages),
        false => North::Map,
    };
    let north = match has(SkyLayer::Horizon) && !(has(SkyLayer::Sunshine) && sun_north == North::Grid) {
        true => args.north.at(map_source, middle, args.messages),
        false => sun_north,
    };
    if let Some(latitude_deg) = latitude_deg {
        // A day, a number of azimuths or a latitude out of range is found before the ground is read.
        let block = SkyBlock::of_map(None, map.max)[0];
        args.sun_path(block, None, latitude_deg, sun_north).map_err(Failure::usage)?;
    }
    if request.is_in_part() {
        args.read_window(&mut request, cells, max_distance_m)?;
    }
    if let Some(cost) = &request.cost {
        let azimuths: u64 = fields.iter().map(|field| u64::from(args.azimuths_of(*field))).sum();
        let cells = cells.size().as_u64vec2().element_product();
        cost.check_horizon_cost("the sky over its cells", cells.saturating_mul(azimuths))?;
    }
    let (scene, options) = request.scene(args.messages.quiet)?;
    let Terrain::World(optics) = scene.terrain() else {
        return Err(Failure::usage(
            "a dungeon or an opacity map has no heights: give --heightmap, or a preset of open country",
        ));
    };
    let surface = optics.surface(scene.viewer()).with_eye_height(args.eye_height_m(scene.preset()));
    let surface = surface.with_canopy(surface.canopy.filter(|canopy| canopy.extinction > 0.0));
    let world = optics.world();
    let sky = Sky::new(&surface, max_distance_m).map_err(Failure::usage)?;
    let sky = sky.with_cell_size_at(|row| world.cell_size_at(ivec2(0, row)));
    let on_scene = CellRect { min: cells.min - scene.origin(), max: cells.max - scene.origin() };
    install_handler()?;
    let count = |field: &SkyField| {
        u64::from(args.azimuths_of(*field)).saturating_mul(cells.size().as_u64vec2().element_product())
    };
    let cost_of = |preset: &Preset| {
        let distinct = fields.iter().enumerate().filter(|(i, field)| !fields[..*i].contains(field));
        SceneCost::of_ground(preset, scene.size(), None).only_horizons(distinct.map(|(_, field)| count(field)).sum())
    };
    print_estimate(args.messages.quiet, "the sky", scene.preset(), cost_of);
    let map_source = options.map.as_ref();
    let blocks: Vec<SkyBlock> = SkyBlock::of_map(map_source, map.max)
        .into_iter()
        .filter(|block| block.cells.intersect(cells).size().min_element() > 0)
        .collect();
    let compute_block = |field: SkyField, block: SkyBlock, on_scene: CellRect, job: Job<'_>| match (field, latitude_deg)
    {
        (SkyField::Horizon { azimuth_deg }, _) => {
            sky.horizon_deg(azimuth_deg - block.convergence_deg(map_source, north), on_scene, job)
        }
        (SkyField::Sunshine, Some(latitude_deg)) => {
            let sun = args.sun_path(block, map_source, latitude_deg, sun_north)?;
            sky.sunshine_h(&sun, on_scene, job)
        }
        (SkyField::SkyView | SkyField::Sunshine, _) => sky.view_factor(args.azimuths_of(field), on_scene, job),
    };
    let compute = |field: SkyField, job: Job<'_>| {
        if let [block] = blocks[..] {
            return compute_block(field, block, on_scene, job);
        }
        let mut values = Grid::new(on_scene.width(), on_scene.height(), f32::NAN);
        for (i, &block) in blocks.iter().enumerate() {
            let part = block.cells.intersect(cells);
            let part_on_scene = CellRect { min: part.min - scene.origin(), max: part.max - scene.origin() };
            let report = |stage, done: f32| {
                // An interrupted job is found by `cancelled_when`.
                let _ = job.report(stage, (i as f32 + done) / blocks.len() as f32);
            };
            let is_over = || job.check().is_err();
            let job = Job::none().on_progress(&report).cancelled_when(&is_over);
            for (cell, value) in compute_block(field, block, part_on_scene, job)?.iter() {
                values[part.min - cells.min + cell] = *value;
            }
        }
        Ok(values)
    };
    let north_of = |field: SkyField| if field == SkyField::Sunshine { sun_north } else { north };
    let mut done: Vec<SkyFile<'_>> = Vec::new();
    for &field in &fields {
        let values = match done.iter().find(|file| file.field == field) {
            Some(file) => file.raster.values.clone(),
            None => {
                let values = with_remaining_time(args.messages.quiet, |job| compute(field, job));
                unless_interrupted(values.map_err(Failure::usage))?
            }
        };
        let mut provenance = provenance(&scene, &options, on_scene);
        provenance.layer = field.layer().name().into();
        provenance.more.insert("sky".into(), args.settings(scene.preset(), field, latitude_deg, north_of(field)));
        let mut raster = Raster::new(field.layer().name(), values, cells.min, IVec2::NEG_ONE, provenance);
        raster.cell_size_m = Some(world.config().cell_size_m);
        raster.georeference = options.map.as_ref().and_then(MapSource::georeference).map(|place| place.at(cells.min));
        raster.unit = field.layer().unit();
        raster.tif_layout = tif_layout;
        let range = range(&raster.values);
        raster.range = match range {
            Some([low, high]) if low < high => [low, high],
            Some([low, _]) => [low, low + 1.0],
            None => Raster::UNIT_RANGE,
        };
        let title = title(&options, field, latitude_deg, args.date, north);
        let cell_width_m = world.cell_size_at((on_scene.min + on_scene.max - 1) / 2).x_m;
        done.push(SkyFile { raster, range, field, title, scene: &scene, cell_width_m, scale });
    }
    let products: Vec<_> = outputs.iter().zip(&done).map(|(output, file)| (output, file.product(output))).collect();
    write_products(&products, args.messages, |i| done[i].summary())
}

/// Returns the minimum and maximum; `None` if no cell has a value.
fn range(values: &Grid<f32>) -> Option<[f32; 2]> {
    let values = values.as_slice().iter().copied().filter(|value| !value.is_nan());
    let [low, high] = values.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
    (low <= high).then_some([low, high])
}

/// `ridge.tif  hours of sun at 46.9° on 12-21`.
fn title(
    options: &ExportOptions,
    field: SkyField,
    latitude_deg: Option<f64>,
    date: Option<SunDays>,
    north: North,
) -> String {
    let name = options.map.as_ref().map_or(options.name.as_str(), |map| map.name.as_str());
    let what = match field {
        SkyField::SkyView => "sky-view factor".to_owned(),
        SkyField::Horizon { azimuth_deg } => format!("horizon at {azimuth_deg}°{north}"),
        SkyField::Sunshine => {
            let days = match date {
                Some(day @ SunDays::Day(_)) => format!("on {day}"),
                Some(SunDays::Year) | None => "a day, mean of the year,".to_owned(),
            };
            format!("hours of sun {days} at {:.1}°", latitude_deg.unwrap_or_default())
        }
    };
    format!("{name}  {what}").trim_start().to_owned()
}

impl SkyFile<'_> {
    fn product(&self, output: &OutputFile) -> Product<'_> {
        if !output.format.takes(ContentKind::Picture) {
            return (&self.raster).into();
        }
        let paint = &self.scene.preset().paint;
        let [low, high] = self.range.unwrap_or_default();
        let words = format!("{}, {}", self.field.layer().name(), self.range_text());
        let mut picture = FieldPicture::new(&self.raster.values, high, paint.ramp);
        picture.low = low;
        picture.legend = paint.legend.then_some((self.title.as_str(), words.as_str()));
        picture.cell_width_m = Some(self.cell_width_m);
        picture.scale = self.scale;
        PlacedPicture::of_raster(paint_field(&picture), &self.raster, self.scale).into()
    }

    /// Returns the range as text: `0.71 to 1.00`.
    fn range_text(&self) -> String {
        let unit = self.field.layer().unit();
        let Some([low, high]) = self.range else { return "no values".to_owned() };
        let range = if low == high { format!("{low:.2}") } else { format!("{low:.2} to {high:.2}") };
        format!("{range} {unit}").trim_end().to_owned()
    }

    /// Returns a summary such as `sky-view, 240x180 cells, 0.71 to 1.00`.
    fn summary(&self) -> String {
        let size = self.raster.values.size();
        format!("{}, {}x{} cells, {}", self.title, size.x, size.y, self.range_text())
    }
}
