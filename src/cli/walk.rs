//! `farsight walk`: a walk as a film.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::value_parser;
use serde_json::json;

use super::exit::Failure;
use super::interrupt::Stoppable;
use super::scene_args::SceneArgs;
use crate::cli::interrupt;
use crate::cli::{export, output, print, progress, say, values};
use crate::files::{
    NumberedName, Sequence, Staged, WriteError, ensure_folder, is_same_file, is_stdout, write_picture, write_stdout,
};
use crate::film::{Film, FilmError, FilmFrame, FilmOptions, Itinerary};
use crate::job::Job;
use crate::paint::Unseen;
use crate::scene::Scene;
use crate::sight::SightError;
use glam::IVec2;

const EXAMPLES: &str = "\
Examples:
  farsight walk --wander 80 -o walk.gif                           a walk to what is worth seeing
  farsight walk --preset alpine --path \"120,90 150,60 170,64\" -o climb.gif
  farsight walk --wander 200 --every 2 --scale 6 --frame 96x64 --fps 15 -o walk.gif -o walk.apng
  farsight walk --map cave.txt --path \"3,4 28,20\" -o frames/%04d.png
  farsight walk --from walk.gif -o again.gif                      the same film again";

#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
// The scene's own --path, what opacity takes away, makes room for the walk's.
#[command(mut_arg("path", |flag| flag.long("path-rule")))]
pub(super) struct WalkArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Walk along these cells, x,y x,y …: shortest ways from each to the next, around walls. Without --at and
    /// --load one starts on the first
    #[arg(id = "points", long = "path", value_name = "X,Y X,Y …", value_parser = values::cells,
        allow_hyphen_values = true, conflicts_with = "wander", help_heading = "Walk")]
    points: Option<values::Cells>,
    /// Wander so many steps, 0 to 5000, to high ground, coasts and woods. It starts where the view is worth seeing, or
    /// at --at
    #[arg(long, value_name = "STEPS", value_parser = steps(), allow_negative_numbers = true, help_heading = "Walk")]
    wander: Option<usize>,
    #[command(flatten)]
    how: How,
    /// Write here: .gif, .apng (larger, and exactly as painted), or numbered pictures such as frames/%04d.png. May be
    /// given again. `-` is standard output and needs --format
    #[arg(long, short, value_name = "FILE", required = true, help_heading = "Output")]
    output: Vec<PathBuf>,
    /// The format of standard output
    #[arg(long, value_name = "FORMAT", value_parser = export::choice(vec![("gif", Kind::Gif), ("apng", Kind::Apng)]),
        help_heading = "Output")]
    format: Option<Kind>,
    /// Work with so many threads, 1 to 1024. The result does not depend on it. Default: one a processor
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Output")]
    threads: Option<u16>,
    /// Say nothing on standard error but what went wrong
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
    /// Say on standard output, in one line of JSON, what was written
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// How it is filmed.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Film")]
struct How {
    /// The part of the map in the picture: map is all of it, WxH so many cells around the viewer. Default: 120x80, or
    /// what there is of the map
    #[arg(long, value_name = "map|WxH", value_parser = frame, allow_hyphen_values = true)]
    frame: Option<FilmFrame>,
    /// Pixels a cell, 1 to 64. Default: as many as make a picture of about 480 pixels
    #[arg(long, value_name = "PIXELS", value_parser = value_parser!(u32).range(export::SCALES))]
    scale: Option<u32>,
    /// Frames a second, 0.1 to 50. Default: 10
    #[arg(long, value_name = "N", value_parser = fps, allow_negative_numbers = true)]
    fps: Option<f64>,
    /// How much longer the last frame is shown, in seconds, 0 to 60. Default: 1.5
    #[arg(long, value_name = "SECONDS", value_parser = hold, allow_negative_numbers = true)]
    hold: Option<f64>,
    /// Take a frame every so many steps, 1 to 100. Default: 1
    #[arg(long, value_name = "STEPS", value_parser = value_parser!(u32).range(1..=100))]
    every: Option<u32>,
    /// Colours of a .gif, 8 to 256: fewer make a smaller file. Default: 256
    #[arg(long, value_name = "N", value_parser = colours())]
    colours: Option<u16>,
    /// Leave out the caption below the picture
    #[arg(long)]
    no_caption: bool,
    /// Cells out of sight are unknown unless seen before, or muted as on a map. Default: remembered
    #[arg(long, value_parser = export::unseen_ways())]
    unseen: Option<Unseen>,
}

/// What kind of film a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gif,
    Apng,
    Pictures,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Apng => "apng",
            Self::Pictures => "png",
        }
    }
}

fn steps() -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser;
    value_parser!(u64).range(0..=Itinerary::MOST_STEPS as u64).map(|steps| steps as usize)
}

fn colours() -> impl clap::builder::TypedValueParser<Value = u16> {
    let [least, most] = [*FilmOptions::COLOURS.start(), *FilmOptions::COLOURS.end()].map(i64::from);
    value_parser!(u16).range(least..=most)
}

fn frame(text: &str) -> Result<FilmFrame, String> {
    if text == "map" {
        return Ok(FilmFrame::Map);
    }
    match values::size(text) {
        Ok([width, height]) if (1..=16384).contains(&width) && (1..=16384).contains(&height) => {
            Ok(FilmFrame::Cells(IVec2::new(width as i32, height as i32)))
        }
        _ => Err("a frame is map, or columns and rows WxH, each 1 to 16384, such as 96x64".to_owned()),
    }
}

fn fps(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|fps| (0.1..=50.0).contains(fps));
    number.ok_or_else(|| "frames a second are a number from 0.1 to 50".to_owned())
}

fn hold(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.0..=60.0).contains(seconds));
    number.ok_or_else(|| "a time to hold is a number of seconds from 0 to 60".to_owned())
}

impl How {
    /// The flags laid over the options that a film carries, or the usual ones.
    fn over(&self, options: FilmOptions) -> FilmOptions {
        let hundredths = |seconds: f64| (seconds * 100.0).round() as u16;
        let delay_cs = self.fps.map(|fps| hundredths(1.0 / fps).max(*FilmOptions::DELAYS_CS.start()));
        FilmOptions {
            frame: self.frame.unwrap_or(options.frame),
            scale: self.scale.or(options.scale),
            delay_cs: delay_cs.unwrap_or(options.delay_cs),
            hold_cs: self.hold.map_or(options.hold_cs, hundredths),
            every: self.every.unwrap_or(options.every),
            colours: self.colours.unwrap_or(options.colours),
            caption: options.caption && !self.no_caption,
            unseen: self.unseen.unwrap_or(options.unseen),
            ..options
        }
    }
}

pub(super) fn run(args: &WalkArgs) -> Result<(), Failure> {
    let targets = args.targets()?;
    let mut request = args.scene.request()?;
    let carried = match &request.provenance {
        Some(provenance) => FilmOptions::of(provenance).map_err(Failure::input)?,
        None => None,
    };
    let points = args.points.as_ref().map(|values::Cells(cells)| cells.as_slice());
    if points.is_none() && args.wander.is_none() && carried.is_none() {
        return Err(Failure::usage(match &request.provenance {
            None => "where to? Say --path \"X,Y X,Y …\" or --wander STEPS",
            Some(_) => "where to? The picture of --from carries no walk: say --path \"X,Y X,Y …\" or --wander STEPS",
        }));
    }
    let (options, carried_points) = match carried {
        Some((options, points)) => (options, points),
        None => {
            let (name, map) = (request.options.name.clone(), request.options.map.clone());
            (FilmOptions { name, map, ..FilmOptions::default() }, Vec::new())
        }
    };
    let options = args.how.over(options);
    if let Some(&first) = points.and_then(<[IVec2]>::first)
        && !args.scene.has_viewer()
        && !request.is_walk()
    {
        request.stand_on(first)?;
    }
    export::use_threads(args.threads)?;
    let (scene, _) = request.scene(args.quiet)?;
    interrupt::catch()?;
    let film = progress::watched(args.quiet, |job| {
        let job = job.cancelled_by(interrupt::flag());
        let itinerary = match (points, args.wander) {
            (Some(points), _) => Itinerary::along(&scene, points)?,
            (None, Some(steps)) => Itinerary::wander(&scene, steps)?,
            (None, None) => Itinerary::along(&scene, &carried_points)?,
        };
        Film::new(&scene, itinerary, options, &job)
    })?;
    for (path, _) in &targets {
        match NumberedName::parse(path) {
            Some(name) => {
                let inputs = args.scene.files();
                (0..film.frames()).try_for_each(|number| output::check_input(&name.path(number), &inputs))?;
            }
            None => output::check_input(path, &args.scene.files())?,
        }
    }
    for (path, kind) in &targets {
        progress::watched(args.quiet, |job| write(&film, path, *kind, &job.cancelled_by(interrupt::flag())))?;
        if !args.quiet {
            say(&summary(&film, path));
        }
    }
    if args.json { print(&format!("{}\n", report(&film, &scene, &targets))) } else { Ok(()) }
}

impl WalkArgs {
    /// The files with their kinds; what makes no sense is refused.
    fn targets(&self) -> Result<Vec<(PathBuf, Kind)>, Failure> {
        let mut targets: Vec<(PathBuf, Kind)> = Vec::new();
        for path in &self.output {
            if targets.iter().any(|(other, _)| is_same_file(other, path)) {
                return Err(Failure::usage(format!("-o {} is given twice", path.display())));
            }
            let kind = kind_of(path, self.format)?;
            ensure_folder(path)?;
            targets.push((path.clone(), kind));
        }
        let to_stdout = targets.iter().any(|(path, _)| is_stdout(path));
        if to_stdout && self.json {
            return Err(Failure::usage("--json and -o - cannot both write to standard output"));
        }
        if !to_stdout && self.format.is_some() {
            return Err(Failure::usage("--format is for -o -; a file's extension tells its format"));
        }
        if self.how.colours.is_some() && targets.iter().all(|(_, kind)| *kind != Kind::Gif) {
            return Err(Failure::usage("--colours is for .gif, and none is written"));
        }
        Ok(targets)
    }
}

fn kind_of(path: &Path, named: Option<Kind>) -> Result<Kind, Failure> {
    if is_stdout(path) {
        return named.ok_or_else(|| Failure::usage("-o - needs --format gif or --format apng"));
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "gif" => Ok(Kind::Gif),
        "apng" => Ok(Kind::Apng),
        "png" if NumberedName::parse(path).is_some() => Ok(Kind::Pictures),
        "png" => Err(Failure::usage(format!(
            "-o {}: a film as .png is one picture a frame: name them with a number, such as frames/%04d.png, or write \
            .apng",
            path.display()
        ))),
        _ => Err(Failure::usage(format!(
            "-o {}: a film is written as .gif, .apng or numbered pictures such as frames/%04d.png",
            path.display()
        ))),
    }
}

/// Writes one film, whole or not at all.
fn write(film: &Film, path: &Path, kind: Kind, job: &Job) -> Result<(), Failure> {
    let encode = |out: &mut dyn Write| {
        let out = Stoppable(out);
        if kind == Kind::Gif { film.write_gif(out, job) } else { film.write_apng(out, job) }
    };
    let written = match NumberedName::parse(path).filter(|_| kind == Kind::Pictures) {
        Some(name) => write_pictures(film, name, path, job),
        None if is_stdout(path) => write_stdout(encode),
        None => Staged::new(path, encode).and_then(Staged::commit),
    };
    match written {
        Err(_) if interrupt::pressed() => Err(Failure::interrupted()),
        other => Ok(other?),
    }
}

fn write_pictures(film: &Film, name: NumberedName, path: &Path, job: &Job) -> Result<(), crate::files::FileError> {
    let mut sequence = Sequence::new(name)?;
    let provenance = film.provenance();
    let painted = film.play(job, |_, _, picture| {
        let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
        sequence.add(|out| write_picture(out, width, height, picture.rgba(), Some(&provenance)))
    });
    painted.map_err(|fault: WriteError| crate::files::FileError::Write { file: path.display().to_string(), fault })?;
    sequence.commit()
}

/// `wrote walk.gif: 81 frames of 480x412 pixels, 80 steps from 12,80 to 40,66, 1,204 KB`.
fn summary(film: &Film, path: &Path) -> String {
    let (size, cells) = (film.size(), film.itinerary().cells());
    let (first, last) = (cells[0], cells[cells.len() - 1]);
    let steps = output::some(film.itinerary().steps(), "step");
    let walk = format!("{steps} from {},{} to {},{}", first.x, first.y, last.x, last.y);
    let bytes = std::fs::metadata(path).map(|file| format!(", {} KB", super::table::count(file.len() as usize / 1000)));
    let (name, frames) = (output::name(path), output::some(film.frames(), "frame"));
    format!("wrote {name}: {frames} of {}x{} pixels, {walk}{}", size.x, size.y, bytes.unwrap_or_default())
}

/// What was written, for programs.
fn report(film: &Film, scene: &Scene, targets: &[(PathBuf, Kind)]) -> serde_json::Value {
    let files = targets.iter().map(|(path, kind)| json!({ "path": path.display().to_string(), "format": kind.name() }));
    let points: Vec<[i32; 2]> = film.itinerary().points().iter().map(|point| point.to_array()).collect();
    json!({
        "files": files.collect::<Vec<_>>(),
        "frames": film.frames(),
        "width": film.size().x,
        "height": film.size().y,
        "steps": film.itinerary().steps(),
        "path": points,
        "seed": scene.preset().world.seed,
    })
}

impl From<FilmError> for Failure {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Cancelled(_) if interrupt::pressed() => Self::interrupted(),
            FilmError::Sight(error @ SightError::Cancelled(_)) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}
