//! [`SurfaceArgs`]: the flags of what stands on a heightmap, and [`SurfaceFiles`], which read it.

use std::path::{Path, PathBuf};

use glam::IVec2;

use super::failure::Failure;
use super::point_file::read_point_file;
use super::scene_origin::{SceneOrigin, input_file_name, input_name};
use super::surface_class::{ClassRules, Extinction, parse_class};
use super::text::pluralize;
use super::values::{choice, parse_extinction};
use farsight::grid::{CellRect, Grid};
use farsight_scene::cumulative::{Areas, ObserverFormat};
use farsight_scene::files::{
    Georeference, Input, LengthUnit, RasterHeader, StreamedDigest, SurfaceSource, read_heightmap,
    read_heightmap_window, read_raster_header,
};
use farsight_scene::optics::Relief;
use farsight_scene::preset::Preset;
use farsight_scene::text::excerpt;
use farsight_scene::world::{Crowns, EyeOn, SurfaceKind, SurfaceModel};

/// The flags of what stands on a heightmap.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("canopy_or_surface").args(["surface", "canopy", "buildings"]).multiple(true))]
pub(crate) struct SurfaceArgs {
    /// The surface over the heightmap, as a digital surface model: elevations of roofs and tree tops, a raster of the same
    /// grid. It hides what is behind it; eyes and targets are on the heightmap, which is the ground
    #[arg(long, value_name = "FILE", requires = "heightmap")]
    surface: Option<PathBuf>,
    /// Crowns that let light through, as a canopy height model: metres over the ground, a raster of the same grid; or
    /// `surface`, which is all of --surface that is above the ground
    #[arg(long, value_name = "FILE|surface", requires = "heightmap")]
    canopy: Option<PathBuf>,
    /// The light that crowns take: `opaque`, the extinction per metre, such as 0.015, or a share lost on a length, such as
    /// '0.7 per 100 m'. Default: that of woods in the preset
    #[arg(long, value_name = "LIGHT", value_parser = parse_extinction, requires = "canopy", allow_hyphen_values = true)]
    extinction: Option<Extinction>,
    /// Height of the trunks below crowns, between which the view is clear, in metres, 0 to 100. Where crowns are not above it,
    /// bushes grow. Default: 0
    #[arg(long, value_name = "M", requires = "canopy", allow_negative_numbers = true,
        value_parser = |text: &str| super::values::parse_in(text, 0.0..=100.0))]
    clear_trunks: Option<f64>,
    /// Where the eyes of viewers are: ground, or surface, which is on the roof or the tree top of their cell. Default: ground
    #[arg(long, value_parser = choice(EyeOn::ALL, EyeOn::name), hide_possible_values = true, requires = "canopy_or_surface")]
    eye_on: Option<EyeOn>,
    /// Houses: polygons from a .geojson with their property height_m over the ground, converted to the reference system of the
    /// heightmap
    #[arg(long, value_name = "FILE", requires = "heightmap")]
    buildings: Option<PathBuf>,
    /// Classes of the surface: a raster on the grid of the heightmap, such as 2 ground, 3 to 5 plants, 6 buildings and
    /// 9 water, as in point clouds (ASPRS); --class gives others
    #[arg(long, value_name = "FILE", requires = "canopy_or_surface")]
    surface_classes: Option<PathBuf>,
    /// Classes of --surface-classes and what they are: clear, crown or opaque, such as 6,17=opaque. May be repeated.
    /// Default: 2,9,11=clear 3,4,5=crown 1,6,17=opaque
    #[arg(long, value_name = "CLASSES=KIND", value_parser = parse_class, requires = "surface_classes")]
    class: Vec<(Vec<i32>, SurfaceKind)>,
}

/// The minimum fraction of cells below the ground at which the two files are probably exchanged.
const EXCHANGED: f64 = 0.5;

/// Metres below the ground that are rounding of a surface model.
const ROUNDING_M: f32 = 0.01;

impl SurfaceArgs {
    /// Returns `true` if any file is given.
    pub(crate) fn is_given(&self) -> bool {
        self.surface.is_some() || self.canopy.is_some() || self.buildings.is_some()
    }

    fn canopy_file(&self) -> Option<&Path> {
        self.canopy.as_deref().filter(|path| *path != Path::new("surface"))
    }

    /// Returns the paths of its files, with their flags.
    pub(crate) fn paths(&self) -> [(&'static str, Option<&Path>); 4] {
        [
            ("--surface", self.surface.as_deref()),
            ("--canopy", self.canopy_file()),
            ("--buildings", self.buildings.as_deref()),
            ("--surface-classes", self.surface_classes.as_deref()),
        ]
    }

    /// Returns the given flags with their values.
    pub(crate) fn flags(&self) -> Vec<(&'static str, String)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let extinction = self.extinction.map(|extinction| match extinction {
            Extinction::Opaque => "opaque".to_owned(),
            Extinction::PerMetre(per_m) => per_m.to_string(),
        });
        let mut flags: Vec<(&'static str, String)> = [
            ("surface", path(&self.surface)),
            ("canopy", path(&self.canopy)),
            ("extinction", extinction),
            ("clear-trunks", self.clear_trunks.map(|metres| metres.to_string())),
            ("eye-on", self.eye_on.map(|eye_on| eye_on.name().to_owned())),
            ("buildings", path(&self.buildings)),
            ("surface-classes", path(&self.surface_classes)),
        ]
        .into_iter()
        .filter_map(|(flag, value)| Some((flag, value?)))
        .collect();
        let rule = |(classes, kind): &(Vec<i32>, SurfaceKind)| {
            let classes: Vec<String> = classes.iter().map(i32::to_string).collect();
            ("class", format!("{}={}", classes.join(","), kind.name()))
        };
        flags.extend(self.class.iter().map(rule));
        flags
    }

    /// Returns the extinction of crowns for the preset.
    pub(crate) fn extinction_per_m(&self) -> Option<f64> {
        match self.extinction {
            Some(Extinction::PerMetre(per_m)) => Some(per_m),
            Some(Extinction::Opaque) | None => None,
        }
    }

    /// Refuses views that do not read the surface.
    pub(crate) fn check(&self, preset: &Preset) -> Result<(), Failure> {
        if !self.is_given() {
            return Ok(());
        }
        let given = self.flags();
        let flag = given.first().map_or_else(String::new, |(flag, _)| format!("--{flag}"));
        if preset.optics.relief != Relief::LineOfSight {
            return Err(Failure::usage(format!(
                "{flag}: it counts on lines of sight: expected --set optics.relief=horizon, or a preset such as terrain or viewshed"
            )));
        }
        if preset.sight.method.is_binary() {
            let method = preset.sight.method.name();
            return Err(Failure::usage(format!(
                "{flag}: --method {method} reads no heights: expected two-parent, beam or exact"
            )));
        }
        if self.canopy.is_some() && self.extinction.is_none() && preset.optics.vegetation_extinction_per_m == 0.0 {
            return Err(Failure::usage(
                "--canopy: woods of this preset take no light; give --extinction opaque, 0.015, or '0.7 per 100 m'",
            ));
        }
        if self.canopy.as_deref() == Some(Path::new("surface")) && self.surface.is_none() {
            return Err(Failure::usage("--canopy surface: give the surface with --surface FILE"));
        }
        Ok(())
    }

    /// Opens the files, which must have the grid of the ground; `None` without any. A recorded scene must have been made with the same.
    pub(crate) fn open(
        &self,
        ground: &GroundGrid<'_>,
        height_unit: Option<LengthUnit>,
        recorded: Option<(&SceneOrigin, Option<&SurfaceSource>)>,
    ) -> Result<Option<SurfaceFiles>, Failure> {
        if let Some((origin, Some(source))) = recorded
            && !self.is_given()
        {
            let flags: Vec<String> =
                source.flags.iter().map(|(flag, value)| format!("--{flag} {}", excerpt(value))).collect();
            let file = &origin.file;
            return Err(Failure::usage(format!("{file} was made with {}; give them, too", flags.join(" "))));
        }
        if let Some((origin, None)) = recorded
            && self.is_given()
        {
            return Err(Failure::usage(format!("{}: it was made without --surface and --canopy", origin.file)));
        }
        if !self.is_given() {
            return Ok(None);
        }
        let open = |flag: &'static str, path: Option<&Path>| {
            path.map(|path| SurfaceRaster::open(flag, path, height_unit, ground)).transpose()
        };
        let names = self.flags().into_iter().map(|(flag, value)| {
            let is_file =
                matches!(flag, "surface" | "surface-classes" | "buildings") || flag == "canopy" && value != "surface";
            (flag.to_owned(), if is_file { input_file_name(Path::new(&value)) } else { value })
        });
        let rules = ClassRules::new(&self.class)?;
        let recorded = recorded.and_then(|(origin, source)| Some((origin.file.clone(), source?.digest.clone())));
        Ok(Some(SurfaceFiles {
            surface: open("--surface", self.surface.as_deref())?,
            canopy: open("--canopy", self.canopy_file())?,
            buildings: self.buildings.as_deref().map(|path| read_buildings(path, ground)).transpose()?,
            is_all_canopy: self.canopy.is_some() && self.canopy_file().is_none(),
            classes: open("--surface-classes", self.surface_classes.as_deref())?,
            rules,
            is_opaque: self.extinction == Some(Extinction::Opaque),
            clear_trunk_m: self.clear_trunks.unwrap_or(0.0),
            eye_on: self.eye_on.unwrap_or_default(),
            flags: names.collect(),
            recorded,
        }))
    }
}

/// The grid of a heightmap, which the files of its surface must have.
pub(crate) struct GroundGrid<'a> {
    pub(crate) file: &'a str,
    pub(crate) size: IVec2,
    pub(crate) georeference: Option<&'a Georeference>,
}

impl GroundGrid<'_> {
    /// Refuses a raster of another grid, with the command that makes one of this grid.
    fn check(&self, file: &str, header: &RasterHeader) -> Result<(), Failure> {
        let (size, place) = (self.size, self.georeference);
        let is_same_place = place.zip(header.georeference.as_ref()).is_none_or(|(ground, other)| {
            let near = |[a, b]: [f64; 2], tolerance: [f64; 2]| a.abs() <= tolerance[0] && b.abs() <= tolerance[1];
            let apart = [0, 1].map(|i| other.corner[i] - ground.corner[i]);
            let stretch = [0, 1].map(|i| (other.cell[i] - ground.cell[i]) * f64::from(size[i]));
            let tolerance = ground.cell.map(|side| 0.01 * side);
            near(apart, tolerance) && near(stretch, tolerance)
        });
        let codes =
            place.zip(header.georeference.as_ref()).map(|(ground, other)| [ground.keys.epsg(), other.keys.epsg()]);
        let is_same_system = !matches!(codes, Some([Some(ground), Some(other)]) if ground != other);
        if header.size == size && is_same_place && is_same_system {
            return Ok(());
        }
        let found = match header.size == size {
            true => "its cells are elsewhere".to_owned(),
            false => format!("it has {}x{} cells, not {}x{}", header.size.x, header.size.y, size.x, size.y),
        };
        let remedy = place.map_or_else(String::new, |place| {
            let end = place.at(size).corner;
            let [west, north] = place.corner;
            let system = place.keys.epsg().map_or_else(String::new, |code| format!("-t_srs EPSG:{code} "));
            format!(
                "; with GDAL: gdalwarp {system}-te {west} {} {} {north} -ts {} {} -r bilinear {} aligned.tif",
                end[1], end[0], size.x, size.y, file
            )
        });
        Err(Failure::input(format!("{file}: {found}: expected the grid of {}{remedy}", self.file)))
    }
}

/// A raster of the grid of the heightmap.
struct SurfaceRaster {
    input: Input,
    file: String,
    /// The cells of a file that is only read as a whole.
    whole: Option<Grid<f32>>,
}

impl SurfaceRaster {
    fn open(
        flag: &'static str,
        path: &Path,
        height_unit: Option<LengthUnit>,
        ground: &GroundGrid<'_>,
    ) -> Result<Self, Failure> {
        // Classes are numbers, crowns are metres, and a surface has the unit of the heightmap unless its file says one.
        let unit = if flag == "--surface" { height_unit } else { Some(LengthUnit::Metre) };
        let (input, file) = (Input::new(path).with_height_unit(unit), input_name(path));
        let (header, whole) = match read_raster_header(&input)? {
            Some(header) => (header, None),
            None => {
                let heightmap = read_heightmap(&input)?;
                (heightmap.header(), Some(heightmap.elevation_m))
            }
        };
        ground.check(&file, &header)?;
        Ok(Self { input, file, whole })
    }

    fn read(&self, cells: CellRect) -> Result<Grid<f32>, Failure> {
        match &self.whole {
            Some(whole) => Ok(Grid::from_fn(cells.width(), cells.height(), |cell| whole[cells.min + cell])),
            None => Ok(read_heightmap_window(&self.input, cells)?),
        }
    }
}

/// The opened files of what stands on a heightmap.
pub(crate) struct SurfaceFiles {
    surface: Option<SurfaceRaster>,
    canopy: Option<SurfaceRaster>,
    buildings: Option<(String, Areas)>,
    /// Whether all of the surface above the ground is crowns.
    is_all_canopy: bool,
    classes: Option<SurfaceRaster>,
    rules: ClassRules,
    is_opaque: bool,
    clear_trunk_m: f64,
    eye_on: EyeOn,
    flags: Vec<(String, String)>,
    /// The file and the digest of the recorded scene.
    recorded: Option<(String, String)>,
}

/// The obstacles and crowns on some cells, with their source and notes.
pub(crate) struct ReadSurface {
    pub(crate) model: SurfaceModel,
    pub(crate) source: SurfaceSource,
    pub(crate) notes: Vec<String>,
}

impl SurfaceFiles {
    /// Reads what stands on some cells with this ground.
    pub(crate) fn read(&self, cells: CellRect, ground_m: &Grid<f32>) -> Result<ReadSurface, Failure> {
        let (model, notes) = self.model(cells, ground_m)?;
        let mut digests = SurfaceDigests::new(ground_m.size());
        digests.add(&model);
        let source = SurfaceSource::new(self.flags.clone(), digests.finish());
        if let Some((picture, digest)) = &self.recorded
            && *digest != source.digest
        {
            let flags: Vec<&str> = self.flags.iter().map(|(_, value)| value.as_str()).collect();
            return Err(Failure::input(format!(
                "{}: not the surface that {picture} was made from: its digest is {}, and was {}",
                flags.join(", "),
                source.digest,
                excerpt(digest)
            )));
        }
        Ok(ReadSurface { model, source, notes })
    }

    /// Returns the source of what stands on the whole heightmap, from strips of rows with their ground.
    pub(crate) fn source_of_strips(
        &self,
        size: IVec2,
        strips: impl Iterator<Item = CellRect>,
        mut ground_m: impl FnMut(CellRect) -> Result<Grid<f32>, Failure>,
    ) -> Result<SurfaceSource, Failure> {
        let mut digests = SurfaceDigests::new(size);
        for strip in strips {
            digests.add(&self.model(strip, &ground_m(strip)?)?.0);
        }
        Ok(SurfaceSource::new(self.flags.clone(), digests.finish()))
    }

    fn model(&self, cells: CellRect, ground_m: &Grid<f32>) -> Result<(SurfaceModel, Vec<String>), Failure> {
        let read = |raster: &Option<SurfaceRaster>| raster.as_ref().map(|raster| raster.read(cells)).transpose();
        let (surface, canopy, classes) = (read(&self.surface)?, read(&self.canopy)?, read(&self.classes)?);
        let mut notes = Vec::new();
        if let Some((file, areas)) = &self.buildings {
            notes.extend(areas.notes.iter().map(|note| format!("{file}: {note}")));
            let outside = pluralize(areas.outside, "area");
            notes.extend((areas.outside > 0).then(|| format!("{file}: {outside} outside the heightmap")));
        }
        if let (Some(raster), Some(surface)) = (&self.surface, &surface) {
            notes.extend(note_of_depth(&raster.file, surface, ground_m)?);
        }
        if let (Some(raster), Some(canopy)) = (&self.canopy, &canopy) {
            check_crowns(&raster.file, canopy, cells)?;
        }
        if let (Some(raster), Some(classes)) = (&self.classes, &classes) {
            self.rules.check(&raster.file, classes, cells)?;
        }
        let kind = |cell: IVec2| classes.as_ref().map(|classes| self.rules.kind(classes[cell]));
        let crowns = match &canopy {
            Some(heights) => Crowns::Heights(heights),
            None if self.is_all_canopy => Crowns::Surface,
            None => Crowns::None,
        };
        let model = SurfaceModel::of_layers(ground_m, surface.as_ref(), crowns, &kind, self.is_opaque);
        let model = match &self.buildings {
            Some((_, areas)) => model.with_houses(ground_m, &areas.heights_m(cells)),
            None => model,
        };
        Ok((model.with_eyes(self.clear_trunk_m, self.eye_on), notes))
    }
}

/// Reads the houses of a file, and returns them with its name in messages.
fn read_buildings(path: &Path, ground: &GroundGrid<'_>) -> Result<(String, Areas), Failure> {
    let file = input_name(path);
    let (text, format) = read_point_file(path, "building")?;
    let Some(georeference) = ground.georeference else {
        let name = ground.file;
        return Err(Failure::input(format!(
            "{file}: {name} has no coordinates: expected a heightmap with a georeference"
        )));
    };
    if format != ObserverFormat::GeoJson {
        return Err(Failure::input(format!("{file}: expected a .geojson with polygons")));
    }
    let areas =
        Areas::read(&text, georeference, ground.size).map_err(|error| Failure::input(format!("{file}: {error}")))?;
    Ok((file, areas))
}

/// Returns a note of the cells of a surface that are below the ground.
fn note_of_depth(file: &str, surface: &Grid<f32>, ground_m: &Grid<f32>) -> Result<Option<String>, Failure> {
    let pairs = surface.as_slice().iter().zip(ground_m.as_slice());
    let depths = pairs.map(|(surface, ground)| ground - surface).filter(|depth| *depth > ROUNDING_M);
    let (count, deepest) = depths.fold((0, 0.0f32), |(count, deepest), depth| (count + 1, deepest.max(depth)));
    let (cells, share) = (pluralize(count, "cell"), count as f64 / surface.as_slice().len().max(1) as f64);
    if share > EXCHANGED {
        let percent = 100.0 * share;
        return Err(Failure::input(format!(
            "{file}: {percent:.0} % of its cells are below the ground, by up to {deepest:.1} m: expected the surface as --surface and the \
             ground as --heightmap"
        )));
    }
    let is = if count == 1 { "is" } else { "are" };
    let note = || format!("{file}: {cells} {is} below the ground, by up to {deepest:.1} m; there the ground counts");
    Ok((count > 0).then(note))
}

/// Refuses crowns that are no heights over the ground.
fn check_crowns(file: &str, canopy: &Grid<f32>, cells: CellRect) -> Result<(), Failure> {
    const TALLEST_M: f32 = 150.0;
    match canopy.iter().find(|(_, height)| **height > TALLEST_M) {
        Some((cell, height)) => {
            let cell = cells.min + cell;
            Err(Failure::input(format!(
                "{file}: {height} m at {},{}: expected heights of crowns over the ground, up to {TALLEST_M} m; elevations over the \
                 sea are a --surface",
                cell.x, cell.y
            )))
        }
        None => Ok(()),
    }
}

/// The digests of obstacles and crowns.
struct SurfaceDigests([StreamedDigest; 2]);

impl SurfaceDigests {
    fn new(size: IVec2) -> Self {
        Self([0, 1].map(|_| StreamedDigest::new(size)))
    }

    fn add(&mut self, model: &SurfaceModel) {
        for (sum, grid) in self.0.iter_mut().zip([&model.obstacles_m, &model.canopy_m]) {
            if let Some(grid) = grid {
                sum.add(grid.as_slice());
            }
        }
    }

    fn finish(self) -> String {
        self.0.map(StreamedDigest::finish).concat()
    }
}
