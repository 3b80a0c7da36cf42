//! [`PartialHeightmap`]: a heightmap with only a window read; [`ReadingArgs`], its flag.

use std::path::Path;

use glam::{IVec2, ivec2};

use super::failure::Failure;
use super::scene_origin::{SceneOrigin, input_file_name, input_name};
use super::surface_args::SurfaceFiles;
use super::values::choice;
use crate::stage_log::timed;
use farsight::grid::{CellRect, Grid};
use farsight_scene::files::{
    FieldSource, Format, Input, LengthUnit, MAX_CELLS, MapSource, RasterHeader, StreamedDigest, digest,
    read_heightmap_window, read_raster_header,
};
use farsight_scene::world::{CellSizes, Ground, RasterWindow, SurfaceModel};

/// The part of a heightmap to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Reading {
    /// A window if it gives the same values as the whole file, and for large files.
    #[default]
    Auto,
    /// All cells.
    Whole,
    /// A window.
    Window,
}

/// The flag of commands that can read a heightmap in part.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// The part of a .tif or .vrt heightmap to read: whole, or the window of cells in range of the views, tile by tile. A
    /// window has no climate: without --humidity and --vegetation the air has the reference humidity and the ground is
    /// bare. The output is the square of the radius, or --cells, in the coordinates of the whole file. Default: auto,
    /// which is window if only heights matter, as in a viewshed, and for more than 268 million cells (16384x16384),
    /// else whole
    #[arg(long, value_parser = choice(Reading::ALL, Reading::name), hide_possible_values = true,
        requires = "heightmap", help_heading = "Scene")]
    read: Option<Reading>,
}

impl ReadingArgs {
    pub(crate) fn reading(self) -> Reading {
        self.read.unwrap_or_default()
    }
}

impl Reading {
    const ALL: [Self; 3] = [Self::Auto, Self::Whole, Self::Window];

    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Whole => "whole",
            Self::Window => "window",
        }
    }

    /// Returns the header of a heightmap that is read in part, or `None` for one that is read as a whole.
    /// `prefers_window` if a window suffices, as for a recorded scene of a window.
    pub(crate) fn header(
        self,
        input: &Input,
        file: &str,
        prefers_window: bool,
    ) -> Result<Option<RasterHeader>, Failure> {
        if self == Self::Whole {
            return Ok(None);
        }
        match read_raster_header(input)? {
            Some(header) if prefers_window || self == Self::Window || header.cell_count() > MAX_CELLS => {
                Ok(Some(header))
            }
            None if self == Self::Window => Err(Failure::usage(format!(
                "--read window: {file} is neither a .tif, a .vrt nor a folder of tiles, and others are read as a whole"
            ))),
            _ => Ok(None),
        }
    }
}

/// A heightmap that is read in windows, with its fields.
pub(crate) struct PartialHeightmap {
    pub(crate) input: Input,
    /// The name of the file in messages.
    pub(crate) file: String,
    pub(crate) size: IVec2,
    pub(crate) cell_sizes: Option<CellSizes>,
    pub(crate) humidity: PartialField,
    pub(crate) vegetation: PartialField,
    pub(crate) surface: Option<SurfaceFiles>,
    /// The window of the recorded picture.
    pub(crate) recorded: Option<RecordedWindow>,
}

/// The window of a recorded picture.
pub(crate) struct RecordedWindow {
    /// The file of the picture.
    pub(crate) picture: String,
    pub(crate) source: MapSource,
}

/// Humidity or vegetation of a heightmap that is read in part.
pub(crate) enum PartialField {
    Missing,
    Flat(f32),
    /// A raster with its names in messages and in exports.
    File {
        input: Input,
        file: String,
        name: String,
    },
}

impl PartialField {
    /// Opens the field of a flag, or that of the recorded scene.
    pub(crate) fn open(
        flag: &str,
        given: Option<&str>,
        recorded: Option<(&SceneOrigin, &FieldSource)>,
        size: IVec2,
    ) -> Result<Self, Failure> {
        let Some(given) = given else {
            return match recorded {
                None => Ok(Self::Missing),
                Some((_, FieldSource::Flat(value))) => Ok(Self::Flat(*value)),
                Some((origin, FieldSource::File { name, .. })) => Err(origin.missing_field(flag, name)),
            };
        };
        match given.parse::<f32>() {
            Ok(value) if (0.0..=1.0).contains(&value) => return Ok(Self::Flat(value)),
            Ok(_) => return Err(Failure::usage(format!("--{flag} {given}: expected a number from 0 to 1, or a file"))),
            Err(_) => {}
        }
        let path = Path::new(given);
        // The unchanged numbers.
        let (input, file) = (Input::new(path).with_height_unit(LengthUnit::Metre), input_name(path));
        let is_tif = Format::from_path(path) == Ok(Format::Tif); // missing tiles of a mosaic would be nodata in silence
        let Some(header) = (if is_tif { read_raster_header(&input)? } else { None }) else {
            return Err(Failure::input(format!(
                "{file}: the heightmap is read in part, so --{flag} takes a number or a .tif"
            )));
        };
        if header.size != size {
            let found = header.size;
            return Err(Failure::input(format!(
                "{file}: it has {}x{} cells and the heightmap {}x{}; expected the same size",
                found.x, found.y, size.x, size.y
            )));
        }
        Ok(Self::File { input, file, name: input_file_name(path) })
    }

    /// Returns the source of the whole field.
    fn source(&self, size: IVec2) -> Result<Option<FieldSource>, Failure> {
        Ok(match self {
            Self::Missing => None,
            Self::Flat(value) => Some(FieldSource::Flat(*value)),
            Self::File { input, name, .. } => {
                Some(FieldSource::File { name: name.clone(), digest: digest_in_strips(input, size)? })
            }
        })
    }

    /// Reads a window.
    fn read(&self, cells: CellRect) -> Result<(Option<Grid<f32>>, Option<FieldSource>), Failure> {
        match self {
            Self::Missing => Ok((None, None)),
            Self::Flat(value) => {
                Ok((Some(Grid::new(cells.width(), cells.height(), *value)), Some(FieldSource::Flat(*value))))
            }
            Self::File { input, file, name } => {
                let grid = read_heightmap_window(input, cells)?;
                let is_share = |value: f32| value.is_nan() || (0.0..=1.0).contains(&value);
                if let Some((cell, value)) = grid.iter().find(|(_, value)| !is_share(**value)) {
                    let cell = cells.min + cell;
                    return Err(Failure::input(format!("{file}: {value} at {},{}: expected 0 to 1", cell.x, cell.y)));
                }
                let source = FieldSource::File { name: name.clone(), digest: digest(&grid) };
                Ok((Some(grid), Some(source)))
            }
        }
    }
}

impl PartialHeightmap {
    /// Reads the ground of a window, writes its sources to `source`, and adds notes on its surface.
    pub(crate) fn read(
        &self,
        cells: CellRect,
        source: &mut MapSource,
        notes: &mut Vec<String>,
    ) -> Result<Ground, Failure> {
        self.check_recorded()?;
        let elevation_m = read_heightmap_window(&self.input, cells)?;
        let (humidity, humidity_source) = self.humidity.read(cells)?;
        let (vegetation, vegetation_source) = self.vegetation.read(cells)?;
        source.digest = digest(&elevation_m);
        let surface = self.surface.as_ref().map(|files| files.read(cells, &elevation_m)).transpose()?;
        let (surface, surface_source) = surface.map_or((None, None), |surface| {
            notes.extend(surface.notes);
            (Some(surface.model), Some(surface.source))
        });
        if let Some(ground) = &mut source.ground {
            ground.surface = surface_source;
            let size = cells.size();
            ground.window = Some([cells.min.x, cells.min.y, size.x, size.y]);
            (ground.humidity, ground.vegetation) = (humidity_source, vegetation_source);
        }
        let vegetation = vegetation.or_else(|| surface.as_ref().and_then(SurfaceModel::vegetation));
        Ok(self.ground(elevation_m, humidity, vegetation, cells).with_surface(surface))
    }

    fn ground(
        &self,
        elevation_m: Grid<f32>,
        humidity: Option<Grid<f32>>,
        vegetation: Option<Grid<f32>>,
        cells: CellRect,
    ) -> Ground {
        let window = RasterWindow { cells, raster_size: self.size };
        Ground::new(elevation_m).with_cover(humidity, vegetation).with_cell_sizes(self.cell_sizes).with_window(window)
    }

    /// Writes the digests of the whole heightmap and its fields to `source`.
    pub(crate) fn digest(&self, source: &mut MapSource) -> Result<(), Failure> {
        timed("digest of the heightmap", || {
            source.digest = digest_in_strips(&self.input, self.size)?;
            if let Some(ground) = &mut source.ground {
                ground.humidity = self.humidity.source(self.size)?;
                ground.vegetation = self.vegetation.source(self.size)?;
                let read = |cells| Ok(read_heightmap_window(&self.input, cells)?);
                let files = self.surface.as_ref();
                ground.surface =
                    files.map(|files| files.source_of_strips(self.size, strips(self.size), read)).transpose()?;
            }
            Ok(())
        })
    }

    /// Returns the height of a cell of the heightmap; NaN for nodata.
    pub(crate) fn height_m(&self, cell: IVec2) -> Result<f32, Failure> {
        Ok(self.heights_m(CellRect::around(cell, 0))?.as_slice()[0])
    }

    /// Returns the heights of some cells of the heightmap; NaN for nodata.
    pub(crate) fn heights_m(&self, cells: CellRect) -> Result<Grid<f32>, Failure> {
        Ok(read_heightmap_window(&self.input, cells)?)
    }

    /// Checks that the file is the source of the recorded picture.
    fn check_recorded(&self) -> Result<(), Failure> {
        let Some(RecordedWindow { picture, source }) = &self.recorded else { return Ok(()) };
        let Some([x, y, width, height]) = source.ground.as_ref().and_then(|ground| ground.window) else {
            return Ok(());
        };
        let min = ivec2(x, y);
        let cells = CellRect { min, max: min.saturating_add(ivec2(width, height)) };
        if cells.intersect(CellRect::of_size(self.size)) != cells || cells.width() == 0 || cells.height() == 0 {
            return Err(Failure::input(format!("{}: too small for the window of {picture}", self.file)));
        }
        let found = digest(&read_heightmap_window(&self.input, cells)?);
        SceneOrigin::ensure_same_digest(picture, &self.file, "heightmap", &found, &source.name, &source.digest)
    }
}

/// The number of rows per read for a digest.
const STRIP: i32 = 256;

/// Returns the strips of rows of a raster.
fn strips(size: IVec2) -> impl Iterator<Item = CellRect> {
    let tops = (0..size.y).step_by(STRIP as usize);
    tops.map(move |top| CellRect { min: ivec2(0, top), max: ivec2(size.x, (top + STRIP).min(size.y)) })
}

/// Returns the [`digest`] of a whole raster, with only some rows in memory.
fn digest_in_strips(input: &Input, size: IVec2) -> Result<String, Failure> {
    let mut sum = StreamedDigest::new(size);
    for cells in strips(size) {
        sum.add(read_heightmap_window(input, cells)?.as_slice());
    }
    Ok(sum.finish())
}
