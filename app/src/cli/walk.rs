//! `farsight walk`: a walk as a film.

use std::collections::HashMap;
use std::path::Path;

use clap::builder::TypedValueParser;
use clap::value_parser;
use glam::IVec2;
use serde_json::json;

use super::failure::Failure;
use super::interrupt::{install_handler, unless_interrupted};
use super::output::{MessageArgs, OutputArgs, ReportArgs, ThreadArgs, ensure_input_kept, with_formats, write_products};
use super::partial_heightmap::ReadingArgs;
use super::progress::with_progress_bar;
use super::scene_args::SceneArgs;
use super::scene_origin::SceneFileKind;
use super::text::pluralize;
use super::values::{Route, SCALES, choice, parse_in, parse_route, parse_size};
use super::versus::VersusArgs;
use farsight_scene::files::{Content, ContentKind, NamedInput, OutputFile, replaced_file};
use farsight_scene::film::{Film, FilmCrop, FilmOptions, Itinerary};
use farsight_scene::paint::Unseen;
use farsight_scene::scene::Scene;
use farsight_scene::text::group_digits;

const EXAMPLES: &str = "\
Examples:
  farsight walk --wander 80 -o walk.gif                           a walk to places with a view
  farsight walk --preset alpine --path \"120,90 150,60 170,64\" -o climb.gif
  farsight walk --wander 80 --every 2 --scale 6 --frame 96x64 --fps 15 -o walk.gif -o walk.apng
  farsight walk --preset alpine --wander 40 --panorama -o panorama.gif
  farsight walk --preset alpine --at 142,319 --versus clock.hour=19 -o evening.gif
  farsight walk --map cave.txt --path \"3,4 28,20\" -o frames/%04d.png
  farsight walk --from walk.gif -o again.gif                      the same film again";

/// The content of the files.
const KINDS: [ContentKind; 1] = [ContentKind::Film];

#[derive(Debug, clap::Args)]
// The other subcommands read --path as --path-rule.
#[command(before_help = EXAMPLES, mut_args(|flag| with_formats(flag, &KINDS)))]
pub(crate) struct WalkArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Walk along these cells, x,y x,y …, by the shortest ways around walls. Without --at and --load the walk starts on
    /// the first cell
    #[arg(id = "route", long = "path", value_name = "X,Y X,Y …", value_parser = parse_route,
        allow_hyphen_values = true, conflicts_with = "wander", help_heading = "Walk")]
    route: Option<Route>,
    /// Wander this many steps, 0 to 5000, to high ground, coasts and woods. The walk starts at --at, or on a cell with
    /// a good view
    #[arg(long, value_name = "STEPS", value_parser = steps(), allow_negative_numbers = true, help_heading = "Walk")]
    wander: Option<usize>,
    #[command(flatten)]
    film: FilmArgs,
    #[command(flatten)]
    versus: VersusArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    messages: MessageArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The frames of the film.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Film")]
struct FilmArgs {
    /// The part of the map in the picture: map is the whole map, WxH is this many cells around the viewer. Default:
    /// 120x80, or the whole of a smaller map
    #[arg(long, value_name = "map|WxH", value_parser = parse_frame, allow_hyphen_values = true)]
    frame: Option<FilmCrop>,
    /// Pixels per cell, 1 to 64. Default: for a picture of about 480 pixels
    #[arg(long, value_name = "PIXELS", value_parser = value_parser!(u32).range(SCALES))]
    scale: Option<u32>,
    /// Frames per second, 0.1 to 50. Default: 10
    #[arg(long, value_name = "N", value_parser = |text: &str| parse_in(text, 0.1..=50.0),
        allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Show the last frame for this many additional seconds, 0 to 60. Default: 1.5
    #[arg(long, value_name = "SECONDS", value_parser = |text: &str| parse_in(text, 0.0..=60.0),
        allow_negative_numbers = true)]
    hold: Option<f64>,
    /// The number of steps per frame, 1 to 100. Default: 1
    #[arg(long, value_name = "STEPS", value_parser = value_parser!(u32).range(1..=100))]
    every: Option<u32>,
    /// Colours of a .gif, 8 to 256: fewer make a smaller file. Default: 256
    #[arg(long, value_name = "N", value_parser = colours())]
    colours: Option<u16>,
    /// Omit the caption below the picture
    #[arg(long)]
    no_caption: bool,
    /// Show the panorama of the viewer below the map
    #[arg(long)]
    panorama: bool,
    /// Cells out of sight are blank unless seen before (remembered), or drawn in ink (mapped). Default:
    /// remembered
    #[arg(long, value_parser = choice(Unseen::ALL, Unseen::name))]
    unseen: Option<Unseen>,
}

fn steps() -> impl TypedValueParser<Value = usize> {
    value_parser!(u64).range(0..=Itinerary::MAX_STEPS as u64).map(|steps| steps as usize)
}

fn colours() -> impl TypedValueParser<Value = u16> {
    let [least, most] = [*FilmOptions::COLOURS.start(), *FilmOptions::COLOURS.end()].map(i64::from);
    value_parser!(u16).range(least..=most)
}

fn parse_frame(text: &str) -> Result<FilmCrop, String> {
    if text == "map" {
        return Ok(FilmCrop::Map);
    }
    match parse_size(text) {
        Ok(size) if (1..=16384).contains(&size.x) && (1..=16384).contains(&size.y) => {
            Ok(FilmCrop::Cells(size.as_ivec2()))
        }
        _ => Err("expected map, or columns and rows WxH, each 1 to 16384, such as 96x64".to_owned()),
    }
}

impl FilmArgs {
    fn applied_to(&self, options: FilmOptions) -> FilmOptions {
        let hundredths = |seconds: f64| (seconds * 100.0).round() as u16;
        let mut film = options;
        film.crop = self.frame.unwrap_or(film.crop);
        film.scale = self.scale.or(film.scale);
        film.delay_cs = self.fps.map_or(film.delay_cs, |fps| 100.0 / fps);
        film.hold_cs = self.hold.map_or(film.hold_cs, hundredths);
        film.steps_per_frame = self.every.unwrap_or(film.steps_per_frame);
        film.colours = self.colours.unwrap_or(film.colours);
        film.caption &= !self.no_caption;
        film.panorama |= self.panorama;
        film.unseen = self.unseen.unwrap_or(film.unseen);
        film
    }
}

pub(crate) fn run(args: &WalkArgs) -> Result<(), Failure> {
    let files = args.files()?;
    args.threads.start()?;
    let mut request = args.scene.request_in_part(args.reading)?;
    let recorded = match &request.provenance {
        Some(provenance) => FilmOptions::from_provenance(provenance)?,
        None => None,
    };
    let route = args.route.as_ref().map(|Route(cells)| cells.as_slice());
    if route.is_none() && args.wander.is_none() && !args.versus.is_given() && recorded.is_none() {
        let missing = if request.provenance.is_some() { "the picture of --from contains no walk" } else { "no walk" };
        return Err(Failure::usage(format!(
            "{missing}: expected --path \"X,Y X,Y …\", --wander STEPS or --versus KEY=VALUE"
        )));
    }
    let (options, recorded_route) = recorded.unwrap_or_else(|| {
        let (name, map) = (request.options.name.clone(), request.options.map.clone());
        (FilmOptions::default().with_name(name).with_map(map), Vec::new())
    });
    let mut options = args.film.applied_to(options);
    if let Some(&first) = route.and_then(<[IVec2]>::first)
        && args.scene.at.is_none()
        && !request.is_walk()
    {
        request.set_viewer(first)?;
    }
    let points = match args.wander {
        None => route.unwrap_or(&recorded_route),
        Some(_) => &[],
    };
    if request.is_in_part() {
        let file = &request.partial_heightmap()?.file;
        if args.wander.is_some() {
            return Err(Failure::usage(format!(
                "--wander: {file} is read in part, and --wander needs all of it; give the way with --path"
            )));
        }
        if options.crop == FilmCrop::Map {
            return Err(Failure::usage(format!(
                "--frame map: {file} is read in part; give columns and rows, --frame WxH"
            )));
        }
        if options.panorama {
            return Err(Failure::usage(format!("--panorama: {file} is read in part, and a panorama needs all of it")));
        }
        if args.versus.is_given() || options.versus.is_some() {
            return Err(Failure::usage(format!(
                "--versus: {file} is read in part, and a second state needs all of it"
            )));
        }
        request.read_window_of_walk(points, &options)?;
        options.map.clone_from(&request.options.map);
    }
    // A film can overwrite the film of `--from`, in other colours or at another speed, but not of another walk.
    let is_same_walk = route.is_none_or(|route| route == recorded_route.as_slice())
        && args.wander.is_none()
        && !args.versus.is_given();
    let mut inputs = args.scene.inputs_besides_from();
    if !(is_same_walk && request.is_made_again_as(SceneFileKind::Film)) {
        inputs.extend(args.scene.picture_input());
    }
    files.iter().try_for_each(|file| ensure_input_kept("-o", &file.path, &inputs))?;
    let cost = request.cost.take();
    let (scene, _) = request.scene(args.messages.quiet)?;
    if args.versus.is_given() {
        options.versus = Some(Box::new(args.versus.of(&scene, &options.name)?));
    }
    let points: Vec<IVec2> = points.iter().map(|point| *point - scene.origin()).collect();
    install_handler()?;
    let check_cost = |steps, options: &FilmOptions| match &cost {
        Some(cost) => cost.check_cost("its film", &Film::cost(&scene, steps, options)),
        None => Ok(()),
    };
    let film = with_progress_bar(args.messages.quiet, |job| {
        let itinerary = match args.wander {
            // Each step of a wanderer computes a view, so the cost is checked before the first one.
            Some(steps) => {
                check_cost(steps, &options)?;
                Itinerary::wander(&scene, steps)?
            }
            None => {
                let itinerary = Itinerary::along(&scene, &points)?;
                check_cost(itinerary.steps(), &options)?;
                itinerary
            }
        };
        unless_interrupted(Film::new(&scene, itinerary, options, job))
    })?;
    ensure_pictures_kept(&files, film.frames(), &inputs)?;
    let products: Vec<_> = files.iter().map(|file| (file, Content::Film(&film).into())).collect();
    write_products(&products, args.messages, |i| summary(&film, scene.origin(), &files[i].path))?;
    args.report.print(|| report(&film, &scene, &files))
}

impl WalkArgs {
    /// Returns the films to write.
    fn files(&self) -> Result<Vec<OutputFile>, Failure> {
        let files = self.output.files(&KINDS, &[])?;
        self.report.ensure_no_stdout(&files)?;
        if self.film.colours.is_some() && files.iter().all(|file| file.format.name() != "gif") {
            return Err(Failure::usage("--colours is for .gif, and none is written"));
        }
        Ok(files)
    }
}

/// Refuses numbered pictures that would overwrite an input, and two patterns with a common name, such as `%d.png` and
/// `%02d.png` for numbers above 9.
fn ensure_pictures_kept(files: &[OutputFile], frames: usize, inputs: &[NamedInput]) -> Result<(), Failure> {
    let mut owners = HashMap::new();
    for (file, name) in files.iter().filter_map(|file| Some((file, file.numbered_name()?))) {
        for picture in (0..frames).map(|number| name.path(number)) {
            ensure_input_kept("-o", &picture, inputs)?;
            let Some(replaced) = replaced_file(&picture) else { continue };
            if let Some(other) = owners.insert(replaced, &file.path).filter(|other| **other != file.path) {
                let (path, other, picture) = (file.path.display(), other.display(), picture.display());
                return Err(Failure::usage(format!("-o {path} and -o {other} both write {picture}")));
            }
        }
    }
    Ok(())
}

/// Returns a summary such as `81 frames of 480x412 pixels, 80 steps from 12,80 to 40,66, 1,204 KB`.
fn summary(film: &Film, origin: IVec2, path: &Path) -> String {
    let (size, cells) = (film.size(), film.itinerary().cells());
    let (first, last) = (origin + cells[0], origin + cells[cells.len() - 1]);
    let steps = pluralize(film.itinerary().steps(), "step");
    let walk = format!("{steps} from {},{} to {},{}", first.x, first.y, last.x, last.y);
    let bytes = std::fs::metadata(path).map(|file| format!(", {} KB", group_digits(file.len() as usize / 1000)));
    let frames = pluralize(film.frames(), "frame");
    format!("{frames} of {}x{} pixels, {walk}{}", size.x, size.y, bytes.unwrap_or_default())
}

fn report(film: &Film, scene: &Scene, files: &[OutputFile]) -> serde_json::Value {
    let file = |file: &OutputFile| json!({ "path": file.path.display().to_string(), "format": file.format.name() });
    json!({
        "files": files.iter().map(file).collect::<Vec<_>>(),
        "frames": film.frames(),
        "width": film.size().x,
        "height": film.size().y,
        "steps": film.itinerary().steps(),
        "path": film.itinerary().points().iter().map(|point| *point + scene.origin()).collect::<Vec<_>>(),
        "seed": scene.preset().world.seed,
    })
}
