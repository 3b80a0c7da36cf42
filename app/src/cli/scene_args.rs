//! [`SceneArgs`]: the flags of a scene: preset or recorded scene, changes to it, map, and viewer.

use std::iter::once;
use std::path::{Path, PathBuf};

use glam::{DVec2, I64Vec2, IVec2};

use super::failure::Failure;
use super::heightmap_args::HeightmapArgs;
use super::output::ensure_input_kept;
use super::setting_flags::{SettingFlags, flag_failure};
use super::values::{
    Radius, parse_assignment, parse_cell, parse_coordinates, parse_in, parse_length, parse_radius, parse_sector,
    parse_size,
};
use farsight::sight::{Sector, SightConfig};
use farsight_scene::creatures::Observer;
use farsight_scene::export::Shell;
use farsight_scene::files::{NamedInput, OutputFile, tile_paths};
use farsight_scene::preset::{Preset, shipped};

/// The flags of a scene.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scene")]
pub(crate) struct SceneArgs {
    /// The preset: a shipped name (see `farsight presets list`) or a .toml file. Default: temperate; terrain with
    /// --heightmap; viewshed for cumulative, and for horizon and sky with --heightmap
    #[arg(long, short, value_name = "NAME|FILE")]
    pub(crate) preset: Option<String>,
    /// The scene of an exported .png, .gif or .json; further flags change it. `-` is standard input
    #[arg(long, value_name = "PICTURE", conflicts_with = "preset")]
    pub(crate) from: Option<PathBuf>,
    /// Resume a saved walk (.farsight) with its viewer, memory, creatures, lamps and hour; further flags change it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "from", "seed", "size", "map"])]
    pub(crate) load: Option<PathBuf>,
    /// Compute the scene of --from or --load, with all views and frames of the command, at any cost. Otherwise a
    /// computation of more than about ten seconds of one core is refused, because the file may come from a stranger
    #[arg(long)]
    pub(crate) allow_cost: bool,
    /// The seed of the world: a whole number, 0 or more. Default: the preset's
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "map")]
    seed: Option<i64>,
    /// Columns and rows of the world in cells, each 1 to 16384. A cell needs up to 54 bytes of free memory.
    /// Default: the preset's, 512x512
    #[arg(long, value_name = "WxH", value_parser = parse_size, allow_hyphen_values = true, conflicts_with = "map")]
    size: Option<I64Vec2>,
    /// An opacity map instead of a world: .txt (# is a wall, 1-9 are tenths, + and ' are doors, _ is floor under a roof, @ is the viewer), .npy, .csv or .png
    /// (white is a wall). Without --preset it has neither optics nor decay. `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) heightmap: HeightmapArgs,
    /// The cell of the viewer, counted from 0,0 at the upper left. Default: the @ of a text map, else a cell with a
    /// good view
    #[arg(long, value_name = "X,Y", value_parser = parse_cell, allow_hyphen_values = true)]
    pub(crate) at: Option<IVec2>,
    /// The viewer in the coordinates of the heightmap, such as easting and northing, or longitude and latitude
    #[arg(long, value_name = "E,N", value_parser = parse_coordinates, allow_hyphen_values = true,
        conflicts_with = "at", requires = "heightmap")]
    pub(crate) at_coordinates: Option<DVec2>,
    /// Add a lookout on a watchtower on this cell: each cell has the maximum of all views. May be repeated;
    /// more keys, such as heights, are in [[viewers]] of a preset
    #[arg(long, value_name = "X,Y", value_parser = parse_cell, allow_hyphen_values = true)]
    pub(crate) also: Vec<IVec2>,
    /// Start the clock at this many hours after the first midnight, 0 to 8760: 6 is dawn, 12 noon, 30 the next dawn.
    /// More keys are in [clock] and [weather]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    hour: Option<f64>,
    /// The radius of the view in cells, 0 to 4096, or unlimited, which is 4096; or as a length, such as 20km or 500m, which is
    /// rounded up to shorter sides of a cell. Default: the preset's, 64; 32 on a map
    #[arg(long, short, value_name = "CELLS|LENGTH", value_parser = parse_radius, allow_negative_numbers = true)]
    pub(crate) radius: Option<Radius>,
    /// The coefficient of refraction k over a heightmap, as in surveying, -1 to 1: 0 is without refraction, 0.13 is
    /// typical. The preset's key optics.curvature_coefficient is 1 - k. Default: 0.14286
    #[arg(long, value_name = "K", value_parser = |text: &str| parse_in(text, -1.0..=1.0), requires = "heightmap",
        allow_negative_numbers = true)]
    refraction: Option<f64>,
    #[command(flatten)]
    settings: SettingFlags,
    /// Limit the view to a cone of vision around FACING, in degrees clockwise from the top of the map, with an
    /// angle of SPAN degrees, 1 to 360. Lookouts look all around
    #[arg(long, value_name = "FACING:SPAN", value_parser = parse_sector, allow_hyphen_values = true)]
    sector: Option<Sector>,
    /// Set a key of the preset, such as optics.visual_range_m=2000 (see `farsight presets show NAME --resolved` for
    /// all keys, units and ranges). The distances of sight.decay may be lengths, such as sight.decay.half=5km. May be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_assignment)]
    pub(crate) set: Vec<(String, String)>,
}

/// Returns the metres of a decay distance that is given as a length with a unit, such as `5km`.
fn length_of_decay(key: &str, value: &str) -> Option<f64> {
    let is_distance = key.starts_with("sight.decay.")
        && Preset::settings().any(|setting| setting.key == key && setting.unit == "cells");
    parse_length(value).ok().filter(|metres| is_distance && value.ends_with('m') && metres.is_finite())
}

impl SceneArgs {
    /// Returns the input files of the scene.
    pub(crate) fn inputs(&self) -> Vec<NamedInput> {
        self.inputs_besides_from().into_iter().chain(self.picture_input()).collect()
    }

    /// Returns the picture of `--from`, which a command that reproduces it may replace: see
    /// [`SceneRequest::is_made_again_as`].
    ///
    /// [`SceneRequest::is_made_again_as`]: super::scene_request::SceneRequest::is_made_again_as
    pub(crate) fn picture_input(&self) -> Option<NamedInput> {
        self.from.as_ref().map(|path| NamedInput::new("--from", path))
    }

    /// Refuses outputs that would replace the file of `--from`, unless the command reproduces it in a format that
    /// contains a scene.
    pub(crate) fn ensure_from_kept(&self, outputs: &[OutputFile], is_made_again: bool) -> Result<(), Failure> {
        let from: Vec<NamedInput> = self.picture_input().into_iter().collect();
        let carries_scene = |output: &&OutputFile| is_made_again && output.format.has_scene();
        let mut others = outputs.iter().filter(|output| !carries_scene(output));
        others.try_for_each(|output| ensure_input_kept("-o", &output.path, &from))
    }

    /// Returns the input files of the scene, except that of `--from`.
    pub(crate) fn inputs_besides_from(&self) -> Vec<NamedInput> {
        let presets = self.preset_file().map(Preset::files).unwrap_or_default();
        let presets = presets.into_iter().map(|path| NamedInput::new("--preset", path));
        let files = [("--load", self.load.as_deref()), ("--map", self.map.as_deref())];
        let files = files.into_iter().chain(self.heightmap.paths());
        let files = files.filter_map(|(reader, path)| Some((reader, path?))).flat_map(|(reader, path)| {
            let file = NamedInput::new(reader, path);
            once(file).chain(tile_paths(path).into_iter().map(move |tile| NamedInput::new(reader, tile)))
        });
        presets.chain(files).collect()
    }

    /// Returns the file of the preset, unless it is a shipped one.
    pub(crate) fn preset_file(&self) -> Option<&Path> {
        self.preset.as_deref().filter(|name| shipped(name).is_none()).map(Path::new)
    }

    pub(crate) fn ensure_stdin_is_read_once(&self) -> Result<(), Failure> {
        let paths = [("--from", self.from.as_deref()), ("--map", self.map.as_deref())];
        let paths = paths.into_iter().chain(self.heightmap.paths());
        let stdin: Vec<&str> = paths.filter(|(_, path)| *path == Some(Path::new("-"))).map(|(flag, _)| flag).collect();
        match stdin[..] {
            [first, second, ..] => {
                Err(Failure::usage(format!("{first} - and {second} - cannot both read standard input")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the preset with `--set` and then the other flags applied.
    pub(crate) fn applied_to(&self, preset: Preset) -> Result<Preset, Failure> {
        let in_cells = self.set.iter().filter(|(key, value)| length_of_decay(key, value).is_none());
        let changes = in_cells.map(|(key, value)| (key.as_str(), Preset::parse_value(key, value)));
        let mut preset = preset.with(changes)?;
        let number = |value: i64| toml::Value::Integer(value);
        let flags = [
            ("--seed", "world.seed", self.seed.map(number)),
            ("--size", "world.width", self.size.map(|size| number(size.x))),
            ("--size", "world.height", self.size.map(|size| number(size.y))),
            ("--hour", "clock.hour", self.hour.map(toml::Value::Float)),
            ("--hour", "clock.runs", self.hour.map(|_| toml::Value::Boolean(true))),
            ("--radius", "sight.radius", self.radius_in_cells().map(number)),
            ("--refraction", "optics.curvature_coefficient", self.refraction.map(|k| toml::Value::Float(1.0 - k))),
            (
                "--extinction",
                "optics.vegetation_extinction_per_m",
                self.heightmap.surface.extinction_per_m().map(toml::Value::Float),
            ),
            ("--sector", "sight.sector.facing", self.sector.map(|sector| toml::Value::Float(sector.facing))),
            ("--sector", "sight.sector.span", self.sector.map(|sector| toml::Value::Float(sector.span))),
        ];
        for (flag, key, value) in flags {
            if let Some(value) = value {
                preset = preset.with([(key, value)]).map_err(|error| flag_failure(error, flag))?;
            }
        }
        preset = self.settings.applied_to(preset)?;
        preset.viewers.extend(self.also.iter().map(|&cell| Observer::new(cell)));
        preset.check().map_err(|error| error.with_origin("--also"))?;
        Ok(preset)
    }

    fn radius_in_cells(&self) -> Option<i64> {
        match self.radius {
            Some(Radius::Cells(cells)) => Some(cells),
            Some(Radius::Metres(_)) | None => None,
        }
    }

    /// Returns the radius for a length of `--radius`, in shorter sides of a cell, rounded up.
    pub(crate) fn radius_of_length(&self, side_m: f64) -> Result<Option<u32>, Failure> {
        let Some(Radius::Metres(metres)) = self.radius else { return Ok(None) };
        let (cells, limit) = ((metres / side_m).ceil(), SightConfig::MAX_RADIUS);
        if cells > f64::from(limit) {
            let most_m = f64::from(limit) * side_m;
            return Err(Failure::usage(format!(
                "--radius {metres}m: {cells} cells of {side_m:.3} m; expected at most {limit} cells, {most_m:.0}m"
            )));
        }
        Ok(Some(cells as u32))
    }

    /// Sets the distances of the decay that `--set` gives as lengths, in shorter sides of a cell.
    pub(crate) fn set_lengths_of_decay(&self, preset: &mut Preset, side_m: f64) -> Result<(), Failure> {
        let mut checked = Preset::default(); // the size of a raster that is read in part is none of a world
        checked.sight = preset.sight.clone();
        for (key, value) in &self.set {
            if let Some(metres) = length_of_decay(key, value) {
                checked.set_value(key, toml::Value::Float(metres / side_m))?;
            }
        }
        preset.sight = checked.sight;
        Ok(())
    }

    /// Returns the preset without optics and decay, with the flags applied.
    pub(crate) fn bare_preset(&self) -> Result<Preset, Failure> {
        self.ensure_lengths_in_cells()?;
        self.applied_to(Preset::bare_kernel())
    }

    /// Refuses lengths in metres on a map of walls.
    pub(crate) fn ensure_lengths_in_cells(&self) -> Result<(), Failure> {
        let radius = self.radius.filter(|radius| matches!(radius, Radius::Metres(_)));
        let radius = radius.map(|radius| format!("--radius {radius}"));
        let decay = self.set.iter().find(|(key, value)| length_of_decay(key, value).is_some());
        match radius.or(decay.map(|(key, value)| format!("--set {key}={value}"))) {
            Some(flag) => {
                Err(Failure::usage(format!("{flag}: a map of walls has no metres; expected a number of cells")))
            }
            None => Ok(()),
        }
    }

    /// Returns `true` if the flag of a setting is given.
    pub(crate) fn has_flag(&self, name: &'static str) -> bool {
        self.settings.first_of(&[name]).is_some()
    }

    /// Returns the first flag that chooses one method or a decay.
    pub(crate) fn flag_of_one_method(&self) -> Option<&'static str> {
        self.settings.first_of(&["method", "decay"])
    }

    /// Returns the given flags, quoted for a shell, each followed by a space.
    pub(crate) fn flags(&self) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let cell = |cell: &IVec2| format!("{},{}", cell.x, cell.y);
        let first = [
            ("preset", self.preset.clone()),
            ("from", path(&self.from)),
            ("load", path(&self.load)),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("size", self.size.map(|size| format!("{}x{}", size.x, size.y))),
            ("map", path(&self.map)),
        ];
        let also = self.also.iter().map(|at| ("also", Some(cell(at))));
        let last = [
            ("hour", self.hour.map(|hour| hour.to_string())),
            ("radius", self.radius.map(|radius| radius.to_string())),
            ("refraction", self.refraction.map(|k| k.to_string())),
            ("sector", self.sector.map(|sector| format!("{}:{}", sector.facing, sector.span))),
        ];
        let set = self.set.iter().map(|(key, value)| ("set", Some(format!("{key}={value}"))));
        let at_coordinates = self.at_coordinates.map(|position| format!("{},{}", position.x, position.y));
        let at = [("at", self.at.as_ref().map(cell)), ("at-coordinates", at_coordinates)];
        let settings = self.settings.given().filter(|(_, value)| value.is_some());
        let all = first.into_iter().chain(self.heightmap.flags()).chain(at).chain(also).chain(last);
        let mut flags = String::new();
        for (flag, value) in all.chain(settings).chain(set).filter_map(|(flag, value)| Some((flag, value?))) {
            flags += &format!("--{flag} {} ", Shell::of_system().quote(&value));
        }
        let switches = self.settings.given().filter(|(_, value)| value.is_none()).map(|(flag, _)| flag);
        for flag in switches.chain(self.allow_cost.then_some("allow-cost")) {
            flags += &format!("--{flag} ");
        }
        flags
    }
}
