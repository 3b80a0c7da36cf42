//! The flags that say which scene: a preset or a picture that carries one, changes to it, a map, and where to stand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::Failure;
use super::ground_args::{CarriedGround, GivenGround, GroundArgs, names};
use crate::classic::ClassicMethod;
use crate::cli::{progress, say, values};
use crate::export::shell_quoted;
use crate::export::{ExportOptions, SavedWalk};
use crate::files::read_whole;
use crate::files::{FileError, MapFile, MapSource, Provenance, Source, digest, read_opacity_map, read_provenance};
use crate::grid::CellRect;
use crate::perception::Observer;
use crate::preset::Preset;
use crate::scene::{Scene, SceneError};
use crate::sight::SightError;
use crate::world::{Ground, WorldConfig, WorldError, WorldKind};
use glam::IVec2;

const HEADING: &str = "Scene";

/// Which scene.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct SceneArgs {
    /// The preset: a shipped name (see `farsight presets list`) or a .toml file. Default: temperate; terrain on a
    /// heightmap
    #[arg(long, short, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// The scene that an exported .png, .gif or .json carries; further flags change it. `-` is standard input
    #[arg(long, value_name = "PICTURE", conflicts_with = "preset")]
    from: Option<PathBuf>,
    /// A saved walk (.farsight) as it stands: viewer, memory, creatures, lamps and hour; further flags change it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "from", "seed", "size", "map"])]
    load: Option<PathBuf>,
    /// Which of all worlds: a whole number, 0 or more. Default: the preset's
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "map")]
    seed: Option<i64>,
    /// Columns and rows of the world in cells, each 1 to 16384. Default: the preset's, 512x512
    #[arg(long, value_name = "WxH", value_parser = values::size, allow_hyphen_values = true, conflicts_with = "map")]
    size: Option<[i64; 2]>,
    /// An opacity map in place of a world: .txt (# is a wall, 1-9 are tenths, @ is the viewer), .npy, .csv or .png
    /// (white is a wall). Without --preset there are neither optics nor decay. `-` is standard input
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    #[command(flatten)]
    ground: GroundArgs,
    /// The cell of the viewer, counted from 0,0 at the upper left. Default: the @ of a text map, else where the view
    /// is worth seeing
    #[arg(long, value_name = "X,Y", value_parser = values::cell, allow_hyphen_values = true)]
    at: Option<IVec2>,
    /// Another who looks, too, from a watchtower on this cell: a cell counts as the best of all views. May be given
    /// again; heights and more are keys of [[viewers]] in a preset
    #[arg(long, value_name = "X,Y", value_parser = values::cell, allow_hyphen_values = true)]
    also: Vec<IVec2>,
    /// Let the clock run, from so many hours after the first midnight, 0 to 8760: 6 is dawn, 12 noon, 30 the next dawn.
    /// More keys are in [clock] and [weather]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    hour: Option<f64>,
    /// How far one can see, in cells, 0 to 4096. Default: the preset's, 64; 32 on a map
    #[arg(long, short, value_name = "CELLS", allow_negative_numbers = true)]
    radius: Option<i64>,
    /// The algorithm: two-parent is fast and soft, beam casts true shadows, exact is the slow reference; shadowcast,
    /// raycast-border and raycast-circle are older ones that answer yes or no
    #[arg(long, value_parser = values::methods())]
    method: Option<String>,
    /// With raycast-border: leave out the repair of walls that its lines miss
    #[arg(long)]
    no_repair: bool,
    /// With raycast-circle: cast so many lines, 1 to 65536. Default: the preset's, 360
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    rays: Option<i64>,
    /// How a cell's two parents share it: linear is symmetric, projection is as published
    #[arg(long, value_parser = values::words_of("sight.weights"))]
    weights: Option<String>,
    /// What opacity takes away: once a cell, or for each cell width that the line of sight travels
    #[arg(long, value_parser = values::words_of("sight.path"))]
    path: Option<String>,
    /// How visibility falls with distance; its parameters are keys of [sight.decay], see --set
    #[arg(long, value_name = "KIND", value_parser = values::words_of("sight.decay.kind"))]
    decay: Option<String>,
    /// Change a key of the preset, such as optics.visual_range_m=2000 (see `farsight presets show NAME --resolved` for
    /// all keys, units and ranges). May be given again
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::change)]
    set: Vec<(String, String)>,
}

/// A scene that was asked for, before its world is made.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) preset: Preset,
    /// The file of the preset, if all that it puts on cells is from there.
    preset_file: Option<String>,
    /// How many of the preset's viewers come before those of `--also`.
    lookouts: usize,
    pub(super) viewer: Option<IVec2>,
    /// What an export of the scene is like, where no flag says otherwise.
    pub(super) options: ExportOptions,
    /// What the picture of `--from` says of itself.
    pub(super) provenance: Option<Provenance>,
    place: Place,
    /// The walk to be taken up, and the name of its file.
    walk: Option<(Box<SavedWalk>, String)>,
}

/// What one stands on.
#[derive(Debug)]
pub(super) enum Place {
    /// A world that the preset makes.
    World,
    /// A map of opacities.
    Map(MapFile),
    /// Measured ground.
    Ground(Arc<Ground>),
}

impl Place {
    /// Columns and rows.
    fn size(&self, preset: &Preset) -> IVec2 {
        match self {
            Self::World => IVec2::new(preset.world.width as i32, preset.world.height as i32),
            Self::Map(map) => map.opacity.grid().size(),
            Self::Ground(ground) => ground.elevation_m.size(),
        }
    }
}

impl SceneArgs {
    /// Reads what the flags name and checks what can be checked before the work begins.
    pub(super) fn request(&self) -> Result<Request, Failure> {
        self.check_stdin()?;
        let walk = self.load.as_deref().map(read_walk).transpose()?;
        let carried = match &walk {
            Some((walk, file)) => Some(Carried::of(walk, file)),
            None => self.from.as_deref().map(Carried::read).transpose()?,
        };
        let map = match walk.as_ref().and_then(|(walk, _)| Some((walk.opacity()?, walk.map.as_ref()?))) {
            Some((opacity, source)) => Some((MapFile { opacity: opacity.clone(), viewer: None }, source.clone())),
            None => self.map.as_deref().map(|path| read_map(path, carried.as_ref())).transpose()?,
        };
        let given = self.ground.read(self.carried_ground(carried.as_ref())?.as_ref())?;
        let mut provenance = None;
        let (base, mut options, mut viewer) = match carried {
            Some(carried) => {
                provenance = carried.provenance;
                if let Some(source) = carried.options.map.as_ref().filter(|_| map.is_none() && given.is_none()) {
                    let (what, flag) = if source.is_heightmap() { ("heightmap", "heightmap") } else { ("map", "map") };
                    return Err(Failure::usage(format!(
                        "{} shows a {what} of your own; give the file {}, too, with --{flag}",
                        carried.file, source.name
                    )));
                }
                (carried.preset, carried.options, Some(carried.viewer))
            }
            None => self.base()?,
        };
        let mut preset = self.changed(base)?;
        let place = match (map, given) {
            (Some((file, source)), _) => {
                viewer = viewer.or(file.viewer);
                options.map = Some(source);
                Place::Map(file)
            }
            (None, Some(given)) => {
                preset = self.on_ground(preset, &given)?;
                options.map = Some(given.source);
                Place::Ground(Arc::new(given.ground))
            }
            (None, None) => Place::World,
        };
        let lookouts = preset.viewers.len() - self.also.len();
        let puts = |key: &str| ["lamps", "viewers", "creatures"].iter().any(|list| key.starts_with(list));
        let is_own =
            |name: &String| crate::preset::shipped(name).is_none() && !self.set.iter().any(|(key, _)| puts(key));
        let preset_file = self.preset.clone().filter(is_own);
        let mut request = Request { preset, preset_file, lookouts, viewer: None, options, provenance, place, walk };
        if let Some(viewer) = self.at.or(viewer) {
            request.stand_on(viewer)?;
        }
        Ok(request)
    }

    /// Standard input can be read once.
    fn check_stdin(&self) -> Result<(), Failure> {
        let paths = [("--from", self.from.as_deref()), ("--map", self.map.as_deref())];
        let paths = paths.into_iter().chain(self.ground.paths());
        let stdin: Vec<&str> = paths.filter(|(_, path)| *path == Some(Path::new("-"))).map(|(flag, _)| flag).collect();
        match stdin[..] {
            [first, second, ..] => {
                Err(Failure::usage(format!("{first} - and {second} - cannot both read standard input")))
            }
            _ => Ok(()),
        }
    }

    /// The files that the scene is read from, with their flags; not those of `--from`, for the picture of a picture may
    /// take its place.
    pub(super) fn files(&self) -> Vec<(&'static str, &Path)> {
        let preset = self.preset.as_deref().filter(|name| crate::preset::shipped(name).is_none()).map(Path::new);
        let paths = [("--preset", preset), ("--load", self.load.as_deref()), ("--map", self.map.as_deref())];
        let paths = paths.into_iter().chain(self.ground.paths());
        paths.filter_map(|(flag, path)| Some((flag, path?))).collect()
    }

    /// The heightmap of a picture, which `--heightmap` must give again.
    fn carried_ground<'a>(&self, carried: Option<&'a Carried>) -> Result<Option<CarriedGround<'a>>, Failure> {
        let (Some(carried), Some(path)) = (carried, &self.ground.heightmap) else { return Ok(None) };
        match &carried.options.map {
            Some(source) if source.is_heightmap() => {
                Ok(Some(CarriedGround { file: &carried.file, source, cell_size_m: carried.preset.world.cell_size_m }))
            }
            other => {
                let what = if other.is_some() { "a map" } else { "a generated world" };
                let (file, path) = (&carried.file, path.display());
                Err(Failure::usage(format!("{file} shows {what}; --heightmap {path} would take its place")))
            }
        }
    }

    /// The preset for measured ground.
    fn on_ground(&self, preset: Preset, given: &GivenGround) -> Result<Preset, Failure> {
        for (key, value) in &self.set {
            let of_world = key.starts_with("world.") && Preset::settings().any(|setting| setting.key == *key);
            if key == "world.cell_size_m" {
                return Err(Failure::usage(format!("--set {key}={value}: use --cell-size {value} with --heightmap")));
            }
            if of_world && !WorldConfig::KEYS_ON_GROUND.contains(&key.as_str()) {
                let keys = WorldConfig::KEYS_ON_GROUND.join(", ");
                return Err(Failure::usage(format!(
                    "--set {key}={value}: it shapes generated worlds, and --heightmap gives the ground; what acts on \
                     it are {keys}"
                )));
            }
        }
        if preset.world.kind == WorldKind::Dungeon {
            return Err(Failure::usage("--heightmap gives open country, but the preset makes a dungeon"));
        }
        let side = toml::Value::Float(given.cell_size_m);
        let preset = preset.with([("world.cell_size_m", side)]).map_err(|error| error.with_origin("--cell-size"))?;
        Ok(preset.on_ground(given.ground.elevation_m.size(), given.cell_size_m))
    }

    /// The preset without changes, the name of it, and no viewer yet.
    fn base(&self) -> Result<(Preset, ExportOptions, Option<IVec2>), Failure> {
        let (preset, name) = match &self.preset {
            Some(name) => (Preset::named(name)?, preset_name(name)),
            None if self.map.is_some() => (Preset::bare_kernel(), String::new()),
            None if self.ground.heightmap.is_some() => {
                (Preset::named(Preset::ON_GROUND_NAME)?, Preset::ON_GROUND_NAME.to_owned())
            }
            None => (Preset::named(Preset::DEFAULT_NAME)?, Preset::DEFAULT_NAME.to_owned()),
        };
        Ok((preset, ExportOptions { name, ..ExportOptions::default() }, None))
    }

    /// The preset with `--set` and then the flags laid over it.
    fn changed(&self, preset: Preset) -> Result<Preset, Failure> {
        let changes = self.set.iter().map(|(key, value)| (key.as_str(), Preset::parse_value(key, value)));
        let mut preset = preset.with(changes)?;
        let number = |value: i64| toml::Value::Integer(value);
        let word = |word: &String| toml::Value::String(word.replace('-', "_"));
        let none = || toml::Value::String("none".into());
        let classic = self.method.as_ref().map(|method| if self.is_classic() { word(method) } else { none() });
        let flags: [(&str, &str, Option<toml::Value>); 13] = [
            ("--seed", "world.seed", self.seed.map(number)),
            ("--size", "world.width", self.size.map(|size| number(size[0]))),
            ("--size", "world.height", self.size.map(|size| number(size[1]))),
            ("--hour", "clock.hour", self.hour.map(toml::Value::Float)),
            ("--hour", "clock.runs", self.hour.map(|_| toml::Value::Boolean(true))),
            ("--radius", "sight.radius", self.radius.map(number)),
            ("--method", "sight.method", self.method.as_ref().map(word).filter(|_| !self.is_classic())),
            ("--method", "classic.method", classic),
            ("--no-repair", "classic.repair", self.no_repair.then_some(toml::Value::Boolean(false))),
            ("--rays", "classic.rays", self.rays.map(number)),
            ("--weights", "sight.weights", self.weights.as_ref().map(word)),
            ("--path", "sight.path", self.path.as_ref().map(word)),
            ("--decay", "sight.decay.kind", self.decay.as_ref().map(word)),
        ];
        for (flag, key, value) in flags {
            if let Some(value) = value {
                preset = preset.with([(key, value)]).map_err(|error| error.with_origin(flag))?;
            }
        }
        preset.viewers.extend(self.also.iter().map(|&cell| Observer::new(cell)));
        preset.check().map_err(|error| error.with_origin("--also"))?;
        let method = preset.classic.method;
        for (flag, given, wanted) in [
            ("--no-repair", self.no_repair, ClassicMethod::RaycastBorder),
            ("--rays", self.rays.is_some(), ClassicMethod::RaycastCircle),
        ] {
            if given && method != Some(wanted) {
                return Err(Failure::usage(format!("{flag} needs --method {}", wanted.name())));
            }
        }
        Ok(preset)
    }

    /// Whether `--method` names a classic one.
    fn is_classic(&self) -> bool {
        self.method.as_ref().is_some_and(|method| values::is_classic(&method.replace('-', "_")))
    }

    /// What holds on several maps: the bare kernel with the changes of the flags.
    pub(super) fn kernel(&self) -> Result<Preset, Failure> {
        self.changed(Preset::bare_kernel())
    }

    /// The first flag that chooses one method or a decay.
    pub(super) fn flag_of_one_method(&self) -> Option<&'static str> {
        let flags = [("--method", &self.method), ("--weights", &self.weights), ("--decay", &self.decay)];
        flags.into_iter().find(|(_, given)| given.is_some()).map(|(flag, _)| flag)
    }

    /// The file of the preset, if it is none of the shipped ones.
    #[cfg(feature = "explorer")]
    pub(super) fn preset_file(&self) -> Option<PathBuf> {
        self.preset.as_ref().filter(|name| crate::preset::shipped(name).is_none()).map(PathBuf::from)
    }

    /// Whether `--at` was given.
    pub(super) fn has_viewer(&self) -> bool {
        self.at.is_some()
    }

    /// Whether `--radius` was given.
    pub(super) fn has_radius(&self) -> bool {
        self.radius.is_some()
    }

    /// The flags as they were given, to be shown in an example.
    pub(super) fn as_words(&self) -> String {
        let mut words = String::new();
        let mut add = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                words += &format!("--{flag} {} ", shell_quoted(&value));
            }
        };
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        add("preset", self.preset.clone());
        add("from", shown(&self.from));
        add("load", shown(&self.load));
        add("seed", self.seed.map(|seed| seed.to_string()));
        add("size", self.size.map(|[width, height]| format!("{width}x{height}")));
        add("map", shown(&self.map));
        for (flag, value) in self.ground.words() {
            add(flag, value);
        }
        add("at", self.at.map(|cell| format!("{},{}", cell.x, cell.y)));
        for cell in &self.also {
            add("also", Some(format!("{},{}", cell.x, cell.y)));
        }
        add("hour", self.hour.map(|hour| hour.to_string()));
        add("radius", self.radius.map(|radius| radius.to_string()));
        add("method", self.method.clone());
        add("rays", self.rays.map(|rays| rays.to_string()));
        add("weights", self.weights.clone());
        add("path", self.path.clone());
        add("decay", self.decay.clone());
        for (key, value) in &self.set {
            add("set", Some(format!("{key}={value}")));
        }
        if self.no_repair {
            words += "--no-repair ";
        }
        words
    }
}

impl Request {
    /// Puts the viewer on a cell, which must lie on the map.
    pub(super) fn stand_on(&mut self, viewer: IVec2) -> Result<(), Failure> {
        let size = self.place.size(&self.preset);
        if !CellRect::of_size(size).contains(viewer) {
            let (width, height) = (size.x as usize, size.y as usize);
            return Err(SightError::ViewerOutside { viewer, width, height }.into());
        }
        self.viewer = Some(viewer);
        Ok(())
    }

    /// Makes the scene, with a progress bar unless `quiet`.
    pub(super) fn scene(self, quiet: bool) -> Result<(Scene, ExportOptions), Failure> {
        let Self { preset, preset_file, lookouts, viewer, options, place, walk, .. } = self;
        let (wanted, stand) = (preset.clone(), viewer);
        let scene = progress::watched(quiet, |job| match place {
            Place::Map(map) => Scene::on_map(preset, map.opacity, viewer, *job),
            Place::World => Scene::generate(preset, viewer, *job),
            Place::Ground(ground) => Scene::on_ground(preset, &ground, viewer, *job),
        });
        let mut scene = scene.map_err(|error| named(error, &options, preset_file.as_deref(), lookouts))?;
        if let Some((walk, file)) = walk {
            walk.resume(&mut scene).map_err(|error| Failure::input(format!("{file}: {error}")))?;
            scene.apply(wanted)?;
            if let Some(viewer) = stand.filter(|viewer| *viewer != scene.viewer()) {
                scene.place(viewer)?;
            }
        }
        Ok((scene, options))
    }

    /// Whether a walk is to be taken up.
    pub(super) fn is_walk(&self) -> bool {
        self.walk.is_some()
    }

    /// What one stands on.
    #[cfg(feature = "explorer")]
    pub(super) fn place(&self) -> &Place {
        &self.place
    }
}

/// A fault with the name of the file or flag that it is in: given ground, a preset, or `--also`, whose viewers come after
/// so many of the preset.
fn named(mut error: SceneError, options: &ExportOptions, preset_file: Option<&str>, lookouts: usize) -> Failure {
    use SceneError::{InWall, NoGround, OffMap};
    if let OffMap { what, .. } | NoGround { what, .. } | InWall { what, .. } = &mut error {
        let number = what.strip_prefix("viewers[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
        match (number, preset_file) {
            (Some(number), _) if number >= lookouts => *what = "the viewer of --also".to_owned(),
            (_, Some(file)) => *what = format!("{file}: {what}"),
            _ => {}
        }
    }
    match (&error, &options.map) {
        (SceneError::World(WorldError::NoData | WorldError::Value { .. }), Some(source)) => {
            Failure::input(format!("{}: {error}", source.name))
        }
        _ => error.into(),
    }
}

/// What a picture says of its scene.
struct Carried {
    file: String,
    preset: Preset,
    options: ExportOptions,
    viewer: IVec2,
    /// Of a picture.
    provenance: Option<Provenance>,
}

impl Carried {
    /// What a saved walk says.
    fn of(walk: &SavedWalk, file: &str) -> Self {
        let options = ExportOptions { name: walk.name.clone(), map: walk.map.clone(), ..ExportOptions::default() };
        let viewer = walk.viewer();
        Self { file: file.to_owned(), preset: walk.preset.clone(), options, viewer, provenance: None }
    }

    fn read(path: &Path) -> Result<Self, Failure> {
        let file = if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
        let provenance: Provenance = read_provenance(path)?;
        let preset = Preset::from_toml(&provenance.preset, &format!("{file}: its preset"))?;
        let options = ExportOptions::of(&provenance).map_err(|fault| Failure::input(format!("{file}: {fault}")))?;
        for caveat in provenance.caveats() {
            say(&format!("{file} {caveat}"));
        }
        if provenance.more.contains_key(Provenance::WALKED) {
            say("a saved walk is taken up with --load");
        }
        let viewer = provenance.viewer.into();
        Ok(Self { file, preset, options, viewer, provenance: Some(provenance) })
    }
}

/// Reads a saved walk, and says what its file is called.
fn read_walk(path: &Path) -> Result<(Box<SavedWalk>, String), Failure> {
    let file = path.display().to_string();
    let bytes =
        read_whole(path, SavedWalk::LONGEST_FILE).map_err(|fault| FileError::Read { file: file.clone(), fault })?;
    let walk = SavedWalk::from_bytes(&bytes).map_err(|error| Failure::input(format!("{file}: {error}")))?;
    Ok((Box::new(walk), file))
}

/// Reads a map, which must be the one that a picture was made from, if there is a picture.
fn read_map(path: &Path, carried: Option<&Carried>) -> Result<(MapFile, MapSource), Failure> {
    let file = read_opacity_map(&Source::new(path))?;
    let source = MapSource::new(names(path).1, digest(file.opacity.grid()));
    let Some(carried) = carried else { return Ok((file, source)) };
    match &carried.options.map {
        None => Err(Failure::usage(format!(
            "{} shows a generated world; --map {} would take its place",
            carried.file,
            path.display()
        ))),
        Some(wanted) if wanted.is_heightmap() => Err(Failure::usage(format!(
            "{} shows a heightmap; --map {} would take its place",
            carried.file,
            path.display()
        ))),
        Some(wanted) if wanted.digest != source.digest => Err(Failure::input(format!(
            "{}: not the map that {} was made from: its digest is {}, that of {} was {}",
            path.display(),
            carried.file,
            source.digest,
            wanted.name,
            wanted.digest
        ))),
        // The map may have been renamed; what is in it counts, and the same scene gives the same bytes.
        Some(wanted) => Ok((file, wanted.clone())),
    }
}

/// `fog` of `presets/fog.toml`.
fn preset_name(name: &str) -> String {
    let path = Path::new(name);
    match path.file_stem() {
        Some(stem) if crate::preset::shipped(name).is_none() => stem.to_string_lossy().into_owned(),
        _ => name.to_owned(),
    }
}
