//! The flags that say which scene: a preset or a picture that carries one, changes to it, a map, and where to stand.

use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::{progress, say, values};
use crate::classic::ClassicMethod;
use crate::glam::IVec2;
use crate::link::shell_quoted;
use crate::{
    CellRect, ExportOptions, Lookout, MapFile, MapSource, Preset, Provenance, Scene, SightError, Source, digest,
    read_opacity_map, read_provenance,
};

const HEADING: &str = "Scene";

/// Which scene.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct SceneArgs {
    /// The preset: a shipped name (see `farsight presets list`) or a .toml file. Default: temperate
    #[arg(long, short, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// The scene that an exported .png, .gif or .json carries; further flags change it. `-` is standard input
    #[arg(long, value_name = "PICTURE", conflicts_with = "preset")]
    from: Option<PathBuf>,
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
    /// The cell of the viewer, counted from 0,0 at the upper left. Default: the @ of a text map, else where the view
    /// is worth seeing
    #[arg(long, value_name = "X,Y", value_parser = values::cell, allow_hyphen_values = true)]
    at: Option<IVec2>,
    /// Another who looks, too, from a watchtower on this cell: a cell counts as the best of all views. May be given
    /// again; heights and more are keys of [[viewers]] in a preset
    #[arg(long, value_name = "X,Y", value_parser = values::cell, allow_hyphen_values = true)]
    also: Vec<IVec2>,
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
    pub(super) viewer: Option<IVec2>,
    /// What an export of the scene is like, where no flag says otherwise.
    pub(super) options: ExportOptions,
    /// What the picture of `--from` says of itself.
    pub(super) provenance: Option<Provenance>,
    map: Option<MapFile>,
}

impl SceneArgs {
    /// Reads what the flags name and checks what can be checked before the work begins.
    pub(super) fn request(&self) -> Result<Request, Failure> {
        let both_stdin = [&self.from, &self.map].iter().all(|path| path.as_deref() == Some(Path::new("-")));
        if both_stdin {
            return Err(Failure::usage("--from - and --map - cannot both read standard input"));
        }
        let carried = self.from.as_deref().map(Carried::read).transpose()?;
        let map = self.map.as_deref().map(|path| read_map(path, carried.as_ref())).transpose()?;
        let mut provenance = None;
        let (base, mut options, mut viewer) = match carried {
            Some(carried) => {
                provenance = Some(carried.provenance);
                if map.is_none()
                    && let Some(map) = &carried.options.map
                {
                    return Err(Failure::usage(format!(
                        "{} shows a map of your own; give the file {}, too, with --map",
                        carried.file, map.name
                    )));
                }
                (carried.preset, carried.options, Some(carried.viewer))
            }
            None => self.base()?,
        };
        let preset = self.changed(base)?;
        let map = map.map(|(file, source)| {
            viewer = viewer.or(file.viewer);
            options.map = Some(source);
            file
        });
        let mut request = Request { preset, viewer: None, options, provenance, map };
        if let Some(viewer) = self.at.or(viewer) {
            request.stand_on(viewer)?;
        }
        Ok(request)
    }

    /// The preset without changes, the name of it, and no viewer yet.
    fn base(&self) -> Result<(Preset, ExportOptions, Option<IVec2>), Failure> {
        let (preset, name) = match &self.preset {
            Some(name) => (Preset::named(name)?, preset_name(name)),
            None if self.map.is_some() => (Preset::bare_kernel(), String::new()),
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
        let flags: [(&str, &str, Option<toml::Value>); 11] = [
            ("--seed", "world.seed", self.seed.map(number)),
            ("--size", "world.width", self.size.map(|size| number(size[0]))),
            ("--size", "world.height", self.size.map(|size| number(size[1]))),
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
                preset = preset.with([(key, value)]).map_err(|error| error.of_flag(flag))?;
            }
        }
        preset.viewers.extend(self.also.iter().map(|&cell| Lookout::new(cell)));
        preset.check().map_err(|error| error.of_flag("--also"))?;
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
        add("seed", self.seed.map(|seed| seed.to_string()));
        add("size", self.size.map(|[width, height]| format!("{width}x{height}")));
        add("map", shown(&self.map));
        add("at", self.at.map(|cell| format!("{},{}", cell.x, cell.y)));
        for cell in &self.also {
            add("also", Some(format!("{},{}", cell.x, cell.y)));
        }
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
        let size = match &self.map {
            Some(map) => map.opacity.grid().size(),
            None => IVec2::new(self.preset.world.width as i32, self.preset.world.height as i32),
        };
        if !CellRect::of_size(size).contains(viewer) {
            let (width, height) = (size.x as usize, size.y as usize);
            return Err(SightError::ViewerOutside { viewer, width, height }.into());
        }
        self.viewer = Some(viewer);
        Ok(())
    }

    /// Makes the scene, with a progress bar unless `quiet`.
    pub(super) fn scene(self, quiet: bool) -> Result<(Scene, ExportOptions), Failure> {
        let Self { preset, viewer, options, map, .. } = self;
        let scene = match map {
            Some(map) => progress::watched(quiet, |job| Scene::on_map_watched(preset, map.opacity, viewer, job))?,
            None => progress::watched(quiet, |job| Scene::generate(preset, viewer, job))?,
        };
        Ok((scene, options))
    }

    /// Whether it is a map, which needs no making.
    #[cfg(feature = "explorer")]
    pub(super) fn is_map(&self) -> bool {
        self.map.is_some()
    }
}

/// What a picture says of its scene.
struct Carried {
    file: String,
    preset: Preset,
    options: ExportOptions,
    viewer: IVec2,
    provenance: Provenance,
}

impl Carried {
    fn read(path: &Path) -> Result<Self, Failure> {
        let file = if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
        let provenance: Provenance = read_provenance(path)?;
        let preset = Preset::from_toml(&provenance.preset, &format!("{file}: its preset"))?;
        let options = ExportOptions::of(&provenance).map_err(|fault| Failure::input(format!("{file}: {fault}")))?;
        if provenance.version != env!("CARGO_PKG_VERSION") {
            say(&format!("{file} was written by farsight {}; it may look different now", provenance.version));
        }
        let viewer = provenance.viewer.into();
        Ok(Self { file, preset, options, viewer, provenance })
    }
}

/// Reads a map, which must be the one that a picture was made from, if there is a picture.
fn read_map(path: &Path, carried: Option<&Carried>) -> Result<(MapFile, MapSource), Failure> {
    let file = read_opacity_map(&Source::new(path))?;
    let name = match path.file_name() {
        Some(name) if path.as_os_str() != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    let source = MapSource { name, digest: digest(file.opacity.grid()) };
    let Some(carried) = carried else { return Ok((file, source)) };
    match &carried.options.map {
        None => Err(Failure::usage(format!(
            "{} shows a generated world; --map {} would take its place",
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
        Some(stem) if crate::shipped(name).is_none() => stem.to_string_lossy().into_owned(),
        _ => name.to_owned(),
    }
}
