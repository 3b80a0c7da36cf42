//! [`HeightmapArgs`]: the flags of a heightmap, and [`HeightmapInput`], which they read.

use std::path::{Path, PathBuf};

use glam::IVec2;

use super::failure::Failure;
use super::heightmap_notes::{scale_note, unknown_scale_note};
use super::partial_heightmap::{PartialField, PartialHeightmap, Reading, RecordedWindow};
use super::scene_origin::{SceneOrigin, input_file_name, input_name};
use super::surface_args::{GroundGrid, SurfaceArgs};
use super::undeclared_nodata::undeclared_nodata;
use super::values::choice;
use farsight::grid::{CellRect, Grid};
use farsight_scene::files::{
    CellSizeError, FieldSource, FileError, GroundSource, Input, LengthUnit, MapSource, PictureHeights, RasterHeader,
    ReadError, digest, read_field, read_heightmap,
};
use farsight_scene::preset::Preset;
use farsight_scene::world::{Ground, SurfaceModel};

/// The flags of a heightmap, its humidity and its vegetation.
#[derive(Debug, clap::Args)]
pub(crate) struct HeightmapArgs {
    /// Real terrain instead of a generated world: heights in metres from a .tif (GeoTIFF), .hgt (SRTM), .asc, .npy or grey .png,
    /// or from tiles: a .vrt file, or a folder of .tif and .hgt files. `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["map", "size"])]
    pub(crate) heightmap: Option<PathBuf>,
    /// Side of the square cells of the heightmap in metres, 0.1 to 10000. Default: the cell size of its file
    #[arg(long, value_name = "M", requires = "heightmap", allow_negative_numbers = true)]
    cell_size: Option<f64>,
    /// The mapping from pixel values to heights: the metres of black and white, for grey of any depth, the brightness
    /// of colours or an .r16; or terrarium or terrain-rgb, for tiles that encode heights as colours. Default: whole
    /// numbers of a grey picture are metres
    #[arg(long, value_name = "LOW:HIGH|ENCODING", requires = "heightmap", allow_hyphen_values = true)]
    heights: Option<PictureHeights>,
    /// The unit of the heights, for a file without a unit or with a wrong one: m, ft (0.3048 m) or us-ft (1200/3937 m).
    /// Default: that of the file; metres if it has none
    #[arg(long, value_name = "UNIT", requires = "heightmap", conflicts_with = "heights",
        value_parser = choice(LengthUnit::ALL, LengthUnit::name), hide_possible_values = true)]
    height_unit: Option<LengthUnit>,
    /// Humidity of the air over the heightmap: a number from 0 to 1, or a raster of its size. Default: from a climate
    #[arg(long, value_name = "V|FILE", requires = "heightmap", allow_negative_numbers = true)]
    humidity: Option<String>,
    /// Plants on the heightmap: a number from 0 (bare) to 1 (dense forest), or a raster of its size. Default: from a
    /// climate
    #[arg(long, value_name = "V|FILE", requires = "heightmap", allow_negative_numbers = true)]
    vegetation: Option<String>,
    #[command(flatten)]
    pub(crate) surface: SurfaceArgs,
}

/// A heightmap with its fields, and their sources.
pub(crate) struct HeightmapInput {
    pub(crate) ground: HeightmapGround,
    pub(crate) size: IVec2,
    pub(crate) source: MapSource,
    /// Side of a cell in metres.
    pub(crate) cell_size_m: f64,
    /// Notes on it: converted units, the scale of its projection, undeclared nodata.
    pub(crate) notes: Vec<String>,
}

/// The ground of a heightmap: the whole file, or a file that is read in part.
pub(crate) enum HeightmapGround {
    Whole(Ground),
    Partial(Box<PartialHeightmap>),
}

/// Humidity or vegetation, and its source.
#[derive(Default)]
struct FieldInput {
    grid: Option<Grid<f32>>,
    source: Option<FieldSource>,
}

impl HeightmapArgs {
    /// Returns the paths that may be `-`, with their flags.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, Option<&Path>)> {
        let fields = [
            ("--heightmap", self.heightmap.as_deref()),
            ("--humidity", self.humidity.as_deref().map(Path::new)),
            ("--vegetation", self.vegetation.as_deref().map(Path::new)),
        ];
        fields.into_iter().chain(self.surface.paths())
    }

    pub(crate) fn flags(&self) -> Vec<(&'static str, Option<String>)> {
        let flags = [
            ("heightmap", self.heightmap.as_ref().map(|path| path.display().to_string())),
            ("cell-size", self.cell_size.map(|side| side.to_string())),
            ("heights", self.heights.map(|heights| heights.to_string())),
            ("height-unit", self.height_unit.map(|unit| unit.name().to_owned())),
            ("humidity", self.humidity.clone()),
            ("vegetation", self.vegetation.clone()),
        ];
        flags.into_iter().chain(self.surface.flags().into_iter().map(|(flag, value)| (flag, Some(value)))).collect()
    }

    /// Reads the heightmap and its fields, or only its header if it is read in part. They must be those of the recorded
    /// scene, if there is one. `window_does` if only the heights around the viewer matter.
    pub(crate) fn read(
        &self,
        recorded: Option<&SceneOrigin>,
        reading: Reading,
        window_does: bool,
    ) -> Result<Option<HeightmapInput>, Failure> {
        let Some(path) = &self.heightmap else { return Ok(None) };
        let recorded_source = recorded.map(|recorded| recorded.source_of("--heightmap", path)).transpose()?;
        let recorded_ground = recorded_source.and_then(|source| source.ground.as_ref());
        let heights = self.heights.or(recorded_ground.and_then(|ground| ground.heights));
        let height_unit = self.height_unit.or(recorded_ground.and_then(|ground| ground.height_unit));
        let input = Input::new(path).with_heights(heights).with_height_unit(height_unit);
        let file = input_name(path);
        let is_of_window = recorded_source.map_or(window_does, |source| source.window().is_some());
        let header = reading.header(&input, &file, is_of_window)?;
        let (elevation_m, header) = match header {
            Some(header) => (None, header),
            None => {
                let heightmap = read_heightmap(&input).map_err(too_large)?;
                let header = heightmap.header();
                (Some(heightmap.elevation_m), header)
            }
        };
        let RasterHeader { size, cell_size_m, cell_sizes, georeference, notes, .. } = header;
        let mut notes: Vec<String> = notes.iter().map(|note| format!("{file}: {note}")).collect();
        let mut source = MapSource::new(input_file_name(path), elevation_m.as_ref().map(digest).unwrap_or_default());
        notes.extend(elevation_m.as_ref().and_then(|elevation_m| undeclared_nodata(&file, elevation_m)));
        if let (Some(recorded), Some(wanted)) = (recorded, recorded_source) {
            if elevation_m.is_some() {
                recorded.ensure_same(&file, "heightmap", &source.digest, &wanted.name, &wanted.digest)?;
            }
            source.name.clone_from(&wanted.name); // a renamed file gives the same bytes
        }
        let cell_size_m = match (self.cell_size, recorded, cell_size_m) {
            (_, _, Err(error @ CellSizeError::OtherBody { .. })) => {
                return Err(Failure::input(format!("{file}: {error}"))); // its curvature is another one, too
            }
            (Some(side), ..) => side,
            (None, Some(recorded), _) => recorded.preset.world.cell_size_m,
            (None, None, Ok(side)) => side,
            (None, None, Err(error)) => {
                let or = if error == CellSizeError::Unspecified { "" } else { "or " }; // the other errors name a remedy
                return Err(Failure::input(format!("{file}: {error}; {or}give the side of a cell with --cell-size M")));
            }
        };
        let cell_sizes = match (self.cell_size, recorded_source) {
            (Some(_), _) => None, // squares
            (None, Some(recorded)) => recorded.ground.as_ref().and_then(|ground| ground.cell_sizes),
            (None, None) => cell_sizes,
        };
        if self.cell_size.is_none()
            && let Err(error) = Preset::default().with([("world.cell_size_m", toml::Value::Float(cell_size_m))])
        {
            let hint = "if those are degrees, say so in the file (gdal_translate -a_srs EPSG:4326), or give the side of a cell in \
                        metres with --cell-size M";
            return Err(Failure::input(format!("{}; {hint}", error.with_origin(&file))));
        }
        let place = georeference.clone().filter(|_| self.cell_size.is_none() && recorded.is_none());
        let grid = GroundGrid { file: &file, size, georeference: georeference.as_ref() };
        let recorded_surface =
            recorded.map(|origin| (origin, recorded_ground.and_then(|ground| ground.surface.as_ref())));
        let surface = self.surface.open(&grid, height_unit, recorded_surface)?;
        source.ground = Some(GroundSource::new(georeference, cell_sizes, heights).with_height_unit(height_unit));
        if let Some(place) = place {
            notes.extend(place.ground_scale(size).map(|scale| scale_note(&source, scale)));
            notes.extend(place.has_unknown_scale(size).then(|| unknown_scale_note(&source)));
        }
        let [humidity, vegetation] = [
            ("humidity", &self.humidity, recorded_ground.and_then(|ground| ground.humidity.as_ref())),
            ("vegetation", &self.vegetation, recorded_ground.and_then(|ground| ground.vegetation.as_ref())),
        ]
        .map(|(flag, given, wanted)| (flag, given.as_deref(), recorded.zip(wanted)));
        let Some(elevation_m) = elevation_m else {
            let open = |(flag, given, recorded)| PartialField::open(flag, given, recorded, size);
            let recorded = recorded
                .zip(recorded_source)
                .map(|(origin, source)| RecordedWindow { picture: origin.file.clone(), source: source.clone() });
            let (humidity, vegetation) = (open(humidity)?, open(vegetation)?);
            let partial = PartialHeightmap { input, file, size, cell_sizes, humidity, vegetation, surface, recorded };
            let ground = HeightmapGround::Partial(Box::new(partial));
            return Ok(Some(HeightmapInput { ground, size, source, cell_size_m, notes }));
        };
        let read = |(flag, given, recorded)| FieldInput::read(flag, given, recorded, &elevation_m);
        let (humidity, vegetation) = (read(humidity)?, read(vegetation)?);
        let surface = surface.map(|files| files.read(CellRect::of_size(size), &elevation_m)).transpose()?;
        let (model, surface_source) = surface.map_or((None, None), |surface| {
            notes.extend(surface.notes);
            (Some(surface.model), Some(surface.source))
        });
        if let Some(ground) = &mut source.ground {
            (ground.humidity, ground.vegetation, ground.surface) = (humidity.source, vegetation.source, surface_source);
        }
        let (humidity, vegetation) = (humidity.grid, vegetation.grid);
        let vegetation = vegetation.or_else(|| model.as_ref().and_then(SurfaceModel::vegetation));
        let ground = Ground::new(elevation_m).with_cover(humidity, vegetation).with_cell_sizes(cell_sizes);
        let ground = ground.with_surface(model);
        let ground = HeightmapGround::Whole(ground);
        Ok(Some(HeightmapInput { ground, size, source, cell_size_m, notes }))
    }
}

/// Adds a remedy to the error of a heightmap that is too large.
fn too_large(error: FileError) -> Failure {
    match &error {
        FileError::Read { fault: fault @ ReadError::TooLarge { .. }, .. } => Failure::input(format!(
            "{error}{}, or read a part of the .tif: export, explain, compare, walk --path, cumulative and atlas do",
            fault.remedy()
        )),
        _ => error.into(),
    }
}

impl FieldInput {
    /// Reads the field of a flag, or that of the recorded scene.
    fn read(
        flag: &str,
        given: Option<&str>,
        recorded: Option<(&SceneOrigin, &FieldSource)>,
        elevation_m: &Grid<f32>,
    ) -> Result<Self, Failure> {
        let flat = |value: f32| {
            let grid = Grid::new(elevation_m.width(), elevation_m.height(), value);
            Ok(Self { grid: Some(grid), source: Some(FieldSource::Flat(value)) })
        };
        let Some(given) = given else {
            return match recorded {
                None => Ok(Self::default()),
                Some((_, FieldSource::Flat(value))) => flat(*value),
                Some((origin, FieldSource::File { name, .. })) => Err(origin.missing_field(flag, name)),
            };
        };
        match given.parse::<f32>() {
            Ok(value) if (0.0..=1.0).contains(&value) => return flat(value),
            Ok(_) => return Err(Failure::usage(format!("--{flag} {given}: expected a number from 0 to 1, or a file"))),
            Err(_) => {}
        }
        let path = Path::new(given);
        let grid = read_field(&Input::new(path))?;
        let (file, mut name) = (input_name(path), input_file_name(path));
        if grid.size() != elevation_m.size() {
            let (size, wanted) = (grid.size(), elevation_m.size());
            return Err(Failure::input(format!(
                "{file}: it has {}x{} cells and the heightmap {}x{}; expected the same size",
                size.x, size.y, wanted.x, wanted.y
            )));
        }
        let digest = digest(&grid);
        if let Some((origin, FieldSource::File { name: wanted_name, digest: wanted })) = recorded {
            origin.ensure_same(&file, flag, &digest, wanted_name, wanted)?;
            name.clone_from(wanted_name);
        }
        Ok(Self { grid: Some(grid), source: Some(FieldSource::File { name, digest }) })
    }
}
