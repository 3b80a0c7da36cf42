//! The flags that put measured ground in place of a generated world.

use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::output::some;
use crate::cli::say;
use crate::files::{CellSizeError, Heightmap, MapSource, Source, digest, read_field, read_heightmap};
use crate::files::{FieldSource, GroundSource};
use crate::grid::Grid;
use crate::preset::Preset;
use crate::world::Ground;

/// Which ground, and what grows on it.
#[derive(Debug, Default, clap::Args)]
pub(super) struct GroundArgs {
    /// Real terrain in place of a generated world: heights in metres from a .tif (GeoTIFF), .asc, .npy or grey .png.
    /// `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["map", "size"])]
    pub(super) heightmap: Option<PathBuf>,
    /// Side of a cell of the heightmap in metres, 0.1 to 10000. Default: as its file says
    #[arg(long, value_name = "M", requires = "heightmap", allow_negative_numbers = true)]
    pub(super) cell_size: Option<f64>,
    /// Humidity of the air over the heightmap: a number from 0 to 1, or a raster of its size. Default: from a climate
    #[arg(long, value_name = "V|FILE", requires = "heightmap", allow_negative_numbers = true)]
    pub(super) humidity: Option<String>,
    /// Plants on the heightmap: a number from 0 (bare) to 1 (dense forest), or a raster of its size. Default: from a
    /// climate
    #[arg(long, value_name = "V|FILE", requires = "heightmap", allow_negative_numbers = true)]
    pub(super) vegetation: Option<String>,
}

/// Ground as it was read, and its files, to be known again.
#[derive(Debug)]
pub(super) struct GivenGround {
    pub(super) ground: Ground,
    pub(super) source: MapSource,
    /// Side of a cell in metres.
    pub(super) cell_size_m: f64,
}

/// What a picture says of the heightmap it shows.
pub(super) struct CarriedGround<'a> {
    /// The picture.
    pub(super) file: &'a str,
    /// The heightmap.
    pub(super) source: &'a MapSource,
    pub(super) cell_size_m: f64,
}

impl GroundArgs {
    /// The paths among the flags that may name standard input.
    pub(super) fn paths(&self) -> [(&'static str, Option<&Path>); 3] {
        [
            ("--heightmap", self.heightmap.as_deref()),
            ("--humidity", self.humidity.as_deref().map(Path::new)),
            ("--vegetation", self.vegetation.as_deref().map(Path::new)),
        ]
    }

    /// The flags as they were given.
    pub(super) fn words(&self) -> [(&'static str, Option<String>); 4] {
        [
            ("heightmap", self.heightmap.as_ref().map(|path| path.display().to_string())),
            ("cell-size", self.cell_size.map(|side| side.to_string())),
            ("humidity", self.humidity.clone()),
            ("vegetation", self.vegetation.clone()),
        ]
    }

    /// Reads the heightmap and its fields, if there is one; they must be those that a picture was made from, if there
    /// is a picture.
    pub(super) fn read(&self, carried: Option<&CarriedGround<'_>>) -> Result<Option<GivenGround>, Failure> {
        let Some(path) = &self.heightmap else { return Ok(None) };
        let Heightmap { elevation_m, cell_size_m, georeference } = read_heightmap(&Source::new(path))?;
        let (file, name) = names(path);
        warn_of_holes(&file, &elevation_m);
        let mut source = MapSource::new(name, digest(&elevation_m));
        if let Some(carried) = carried {
            carried.check(&file, "heightmap", &source.digest, &carried.source.name, &carried.source.digest)?;
            source.name.clone_from(&carried.source.name); // it may have been renamed; what is in it counts
        }
        let cell_size_m = match (self.cell_size, carried, cell_size_m) {
            (Some(side), ..) => side,
            (None, Some(carried), _) => carried.cell_size_m,
            (None, None, Ok(side)) => side,
            (None, None, Err(error)) => {
                let or = if error == CellSizeError::Untold { "" } else { "or " }; // the others say what to do
                return Err(Failure::input(format!("{file}: {error}; {or}say the side of a cell with --cell-size M")));
            }
        };
        if self.cell_size.is_none()
            && let Err(error) = Preset::default().with([("world.cell_size_m", toml::Value::Float(cell_size_m))])
        {
            let hint = "if those are degrees, project it, or say the side of a cell in metres with --cell-size M";
            return Err(Failure::input(format!("{}; {hint}", error.with_origin(&file))));
        }
        let wanted = carried.and_then(|carried| carried.source.ground.as_ref());
        let [humidity, vegetation] = [
            ("humidity", &self.humidity, wanted.and_then(|ground| ground.humidity.as_ref())),
            ("vegetation", &self.vegetation, wanted.and_then(|ground| ground.vegetation.as_ref())),
        ]
        .map(|(flag, given, wanted)| field(flag, given.as_deref(), wanted, carried, &elevation_m));
        let ((humidity, humidity_source), (vegetation, vegetation_source)) = (humidity?, vegetation?);
        source.ground = Some(GroundSource { humidity: humidity_source, vegetation: vegetation_source, georeference });
        Ok(Some(GivenGround { ground: Ground { elevation_m, humidity, vegetation }, source, cell_size_m }))
    }
}

impl CarriedGround<'_> {
    /// Whether a file is the one that the picture was made from.
    fn check(&self, file: &str, what: &str, found: &str, name: &str, wanted: &str) -> Result<(), Failure> {
        if found == wanted {
            return Ok(());
        }
        Err(Failure::input(format!(
            "{file}: not the {what} that {} was made from: its digest is {found}, that of {name} was {wanted}",
            self.file
        )))
    }
}

/// Warns of heights that hardly are any: what stands for no data in many files was not declared in this one. It is no
/// error, for the sea is as deep in places.
fn warn_of_holes(file: &str, elevation_m: &Grid<f32>) {
    const NO_DATA: f32 = -9999.0;
    let holes = elevation_m.as_slice().iter().filter(|height| **height == NO_DATA).count();
    if holes > 0 {
        let cells = some(holes, "cell");
        let stand = if holes == 1 { "stands" } else { "stand" };
        let hint = "if that is to mean no data, declare it in the file, or write NaN";
        say(&format!("{file}: {cells} {stand} at {NO_DATA} m; {hint}"));
    }
}

type Field = (Option<Grid<f32>>, Option<FieldSource>);

/// A field from its flag, or as a picture has it.
fn field(
    flag: &'static str,
    given: Option<&str>,
    wanted: Option<&FieldSource>,
    carried: Option<&CarriedGround<'_>>,
    elevation_m: &Grid<f32>,
) -> Result<Field, Failure> {
    let flat = |value: f32| {
        let grid = Grid::new(elevation_m.width(), elevation_m.height(), value);
        (Some(grid), Some(FieldSource::Flat(value)))
    };
    let Some(given) = given else {
        return match (wanted, carried) {
            (Some(FieldSource::Flat(value)), _) => Ok(flat(*value)),
            (Some(FieldSource::File { name, .. }), Some(carried)) => Err(Failure::usage(format!(
                "{} was made with {flag} from a file; give the file {name}, too, with --{flag}",
                carried.file
            ))),
            _ => Ok((None, None)),
        };
    };
    if let Ok(value) = given.parse::<f32>() {
        let fault = || Failure::usage(format!("--{flag} {given}: it is a number from 0 to 1, or a file"));
        return if (0.0..=1.0).contains(&value) { Ok(flat(value)) } else { Err(fault()) };
    }
    let path = Path::new(given);
    let grid = read_field(&Source::new(path))?;
    let (file, mut name) = names(path);
    if grid.size() != elevation_m.size() {
        let (size, wanted) = (grid.size(), elevation_m.size());
        return Err(Failure::input(format!(
            "{file}: it has {}x{} cells and the heightmap {}x{}; they must be alike",
            size.x, size.y, wanted.x, wanted.y
        )));
    }
    let digest = digest(&grid);
    if let (Some(FieldSource::File { name: old, digest: wanted }), Some(carried)) = (wanted, carried) {
        carried.check(&file, flag, &digest, old, wanted)?;
        name.clone_from(old);
    }
    Ok((Some(grid), Some(FieldSource::File { name, digest })))
}

/// What messages call a file, and its name without its folder.
pub(super) fn names(path: &Path) -> (String, String) {
    const STREAM: &str = "standard input";
    match path.file_name() {
        Some(name) if path.as_os_str() != "-" => (path.display().to_string(), name.to_string_lossy().into_owned()),
        _ => (STREAM.to_owned(), STREAM.to_owned()),
    }
}
