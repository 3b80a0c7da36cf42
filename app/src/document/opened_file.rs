//! [`OpenedFile`]: a preset, an exported picture, a map, a heightmap or a walk from a file.

use std::path::{Path, PathBuf};

use crate::host::ON_PAGE;
use farsight_scene::export::{ExportOptions, Link, SavedWalk};
use farsight_scene::files::{
    FileError, Format, GroundSource, HeightRange, Heightmap, Input, MapFile, MapSource, NpyError, PictureHeights,
    Provenance, ReadError, digest, digest_of_map, read_heightmap, read_whole,
};
use farsight_scene::preset::Preset;
use farsight_scene::world::Ground;
use glam::IVec2;

/// The content of a file.
#[derive(Debug)]
pub(crate) enum OpenedFile {
    /// A preset and the stem of its file name.
    Preset(Box<Preset>, String),
    /// The scene embedded in an exported picture or JSON file.
    Scene {
        preset: Box<Preset>,
        /// The name of the preset.
        name: String,
        viewer: IVec2,
        /// Sentences on the differences from the exported scene.
        caveats: Vec<String>,
    },
    /// A saved walk.
    Walk(Box<SavedWalk>),
    /// A map of opacities.
    Map(MapFile, MapSource),
    /// Elevations.
    Heightmap {
        ground: Ground,
        /// The cell size in metres, or the reason why it is unknown.
        cell_size_m: Result<f64, String>,
        source: MapSource,
        /// Notes on reading the heights, a sentence each.
        notes: Vec<String>,
    },
}

/// The meaning of the brightness of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PictureReading {
    /// Opacities: white is a wall.
    Opacities,
    /// Heights: the integers of a grey picture are metres.
    Metres,
    /// Heights between those of black and white, or encoded in colours.
    Heights(PictureHeights),
}

impl PictureReading {
    /// The default heights of black and white.
    pub(crate) const DEFAULT_HEIGHTS: HeightRange = HeightRange::FROM_SEA_TO_1500_M;
}

impl From<Link> for OpenedFile {
    fn from(link: Link) -> Self {
        let (preset, name) = (Box::new(link.preset), link.name);
        match link.viewer {
            Some(viewer) => Self::Scene { preset, name, viewer, caveats: Vec::new() },
            None => Self::Preset(preset, name),
        }
    }
}

/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a file by its path. A page also gives the bytes, since its path is only a name.
pub(crate) fn open(path: Option<PathBuf>, bytes: Option<Vec<u8>>) -> Result<OpenedFile, String> {
    if let Some(path) = path.as_deref().filter(|path| !ON_PAGE && is_preset(path)) {
        let preset = Preset::named(&path.display().to_string()).map_err(|error| error.to_string())?;
        return Ok(OpenedFile::Preset(Box::new(preset), stem(path)));
    }
    let path = path.unwrap_or_else(|| "the file".into());
    let name = path.file_name().map_or_else(|| "the file".into(), |name| name.to_string_lossy().into_owned());
    let file = if bytes.is_none() { Some(path.as_path()) } else { None };
    let bytes = bytes_of(&name, &path, bytes)?;
    decode(&name, &bytes, file)
}

/// Reads a picture by its path, or from its bytes on a page.
pub(crate) fn open_picture(
    name: &str,
    path: Option<PathBuf>,
    bytes: Option<Vec<u8>>,
    reading: PictureReading,
) -> Result<OpenedFile, String> {
    let bytes = bytes_of(name, &path.unwrap_or_else(|| name.into()), bytes)?;
    decode_picture(name, &bytes, reading)
}

fn bytes_of(name: &str, path: &Path, bytes: Option<Vec<u8>>) -> Result<Vec<u8>, String> {
    match bytes {
        Some(bytes) => Ok(bytes),
        None => read_whole(path, MAX_BYTES).map_err(|error| format!("{name}: {error}")),
    }
}

fn is_preset(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Detects the kind of a file from its name and its bytes. On a system with files, it also reads those next to a
/// heightmap.
fn decode(name: &str, bytes: &[u8], file: Option<&Path>) -> Result<OpenedFile, String> {
    let named = |error: &dyn std::fmt::Display| format!("{name}: {error}");
    let path = Path::new(name);
    if is_preset(path) {
        let text = str::from_utf8(bytes).map_err(|error| named(&error))?;
        let preset = Preset::from_toml(text.trim_start_matches('\u{FEFF}'), name).map_err(|error| error.to_string())?;
        return Ok(OpenedFile::Preset(Box::new(preset), stem(path)));
    }
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(SavedWalk::EXTENSION)) {
        let walk = SavedWalk::from_bytes(bytes).map_err(|error| named(&error))?;
        return Ok(OpenedFile::Walk(Box::new(walk)));
    }
    let format = Format::from_path(path).map_err(|_| {
        format!(
            "{name}: not a preset (.toml), a walk (.farsight), a map (.txt, .npy, .csv, .png), a heightmap (.tif, .hgt, .asc, .npy, .png) or \
            an export (.png, .json); gdal_translate makes a .tif of other heightmaps"
        )
    })?;
    if matches!(format, Format::Png | Format::Json) {
        match Provenance::decode(bytes) {
            Ok(provenance) if provenance.map.is_some() => {
                return Err(format!("{name} shows a map from a file; open that file"));
            }
            Ok(provenance) => {
                let preset = provenance.parse_preset(name).map_err(|error| error.to_string())?;
                let options = ExportOptions::from_provenance(&provenance).map_err(|error| named(&error))?;
                let viewer = provenance.viewer.into();
                let caveats = provenance.caveats().iter().map(|caveat| format!("{name} {caveat}")).collect();
                return Ok(OpenedFile::Scene { preset: Box::new(preset), name: options.name, viewer, caveats });
            }
            Err(error) if format == Format::Json => return Err(named(&error)),
            Err(_) => {} // a picture without provenance is a map
        }
    }
    if is_heightmap(format, bytes) {
        let read = match file {
            Some(file) => heightmap_of_file(name, file, format),
            None => heightmap(name, bytes, format, None),
        };
        return match read {
            // They are not metres. The user gives the heights of black and white later.
            Err(ReadError::GreyElevation { .. }) => {
                decode_picture(name, bytes, PictureReading::Heights(PictureReading::DEFAULT_HEIGHTS.into()))
            }
            read => read.map_err(|error| named(&error) + error.remedy()),
        };
    }
    match MapFile::decode(bytes, format) {
        Ok(map) => {
            let source = MapSource::new(name, digest_of_map(&map.opacity));
            Ok(OpenedFile::Map(map, source))
        }
        // Numbers outside 0 to 1 are elevations, and so are whole numbers.
        Err(ReadError::Opacity { .. } | ReadError::Npy(NpyError::Integers(_))) if format == Format::Npy => {
            heightmap(name, bytes, format, None).map_err(|error| named(&error))
        }
        Err(error) => Err(named(&error)),
    }
}

/// Decodes a picture as chosen by the user.
fn decode_picture(name: &str, bytes: &[u8], reading: PictureReading) -> Result<OpenedFile, String> {
    let opened = match reading {
        PictureReading::Opacities => MapFile::decode(bytes, Format::Png).map(|map| {
            let source = MapSource::new(name, digest_of_map(&map.opacity));
            OpenedFile::Map(map, source)
        }),
        PictureReading::Metres => heightmap(name, bytes, Format::Png, None),
        PictureReading::Heights(heights) => heightmap(name, bytes, Format::Png, Some(heights)),
    };
    opened.map_err(|error| format!("{name}: {error}"))
}

/// Returns `true` for files with only elevations: ASCII grids, GeoTIFF files, tiles of SRTM and grey pictures with 16 bits. Any
/// other file with numbers from 0 to 1 is a map of opacities.
fn is_heightmap(format: Format, bytes: &[u8]) -> bool {
    /// Position and value of depth and colour type in a PNG header: 16 bits, grey.
    const DEPTH_AND_COLOUR: (usize, &[u8]) = (24, &[16, 0]);
    let (at, deep_grey) = DEPTH_AND_COLOUR;
    match format {
        Format::Asc | Format::Tif | Format::Hgt | Format::R16 => true,
        Format::Png => bytes.get(at..).is_some_and(|rest| rest.starts_with(deep_grey)),
        _ => false,
    }
}

fn heightmap(
    name: &str,
    bytes: &[u8],
    format: Format,
    heights: Option<PictureHeights>,
) -> Result<OpenedFile, ReadError> {
    let heightmap = match heights {
        Some(heights) => Heightmap::decode_picture(bytes, format, heights)?,
        None => Heightmap::decode(bytes, format)?.placed_by_name(name, format),
    };
    opened_heightmap(name, heightmap, heights)
}

/// Reads a heightmap with the files next to it.
fn heightmap_of_file(name: &str, file: &Path, format: Format) -> Result<OpenedFile, ReadError> {
    match read_heightmap(&Input::new(file).with_format(format)) {
        Ok(heightmap) => opened_heightmap(name, heightmap, None),
        Err(FileError::Read { fault, .. }) => Err(fault),
        Err(other) => Err(ReadError::Damaged(other.to_string())),
    }
}

fn opened_heightmap(
    name: &str,
    heightmap: Heightmap,
    heights: Option<PictureHeights>,
) -> Result<OpenedFile, ReadError> {
    let Heightmap { elevation_m, cell_size_m, cell_sizes, georeference, notes } = heightmap;
    let known = Preset::default();
    let cell_size_m = cell_size_m.map_err(|error| error.to_string()).and_then(|side| {
        let fits = known.with([("world.cell_size_m", toml::Value::Float(side))]);
        fits.map(|_| side).map_err(|error| error.to_string())
    });
    let mut source = MapSource::new(name, digest(&elevation_m));
    source.ground = Some(GroundSource::new(georeference, cell_sizes, heights));
    if elevation_m.as_slice().iter().all(|metres| metres.is_nan()) {
        return Err(ReadError::NoElevation);
    }
    let ground = Ground::new(elevation_m).with_cell_sizes(cell_sizes);
    Ok(OpenedFile::Heightmap { ground, cell_size_m, source, notes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::Job;
    use farsight::grid::Grid;
    use farsight_scene::files::Raster;
    use farsight_scene::scene::Scene;

    #[test]
    fn files_are_recognised_by_their_content() {
        let preset = decode("mine.toml", b"extends = \"fog\"\n[optics]\nfog_onset = 0.4\n", None);
        assert!(
            matches!(preset, Ok(OpenedFile::Preset(preset, name)) if name == "mine" && preset.optics.fog_onset == 0.4)
        );
        let map = decode("cave.txt", b"#..@\n....\n", None);
        assert!(matches!(map, Ok(OpenedFile::Map(map, source)) if map.viewer.is_some() && source.name == "cave.txt"));
        for (name, bytes) in [
            ("a.toml", &b"x = 1"[..]),
            ("a.farsight", b"farsight walk 9 0\n"),
            ("a.bmp", b"BM"),
            ("a.json", b"{}"),
            ("a.png", b"no"),
            ("a", b""),
        ] {
            assert!(decode(name, bytes, None).unwrap_err().starts_with(name), "{name}");
        }
    }

    #[test]
    fn elevations_are_told_from_opacities() {
        let raster = |values: Vec<f32>, format: Format| {
            let grid = Grid::from_vec(2, 1, values).unwrap();
            let mut gradient = Raster::new("x", grid, IVec2::ZERO, IVec2::ZERO, Provenance::default());
            gradient.cell_size_m = Some(30.0);
            decode(&format!("a.{}", format.extension()), &gradient.encode(format).unwrap(), None).unwrap()
        };
        for (format, side) in [(Format::Asc, Some(30.0)), (Format::Tif, Some(30.0)), (Format::Npy, None)] {
            match raster(vec![0.5, 2.0], format) {
                OpenedFile::Heightmap { ground, cell_size_m, source, .. } => {
                    assert_eq!((ground.elevation_m.as_slice(), cell_size_m.ok()), (&[0.5, 2.0][..], side));
                    assert!(source.is_heightmap());
                }
                other => panic!("{format}: {other:?}"),
            }
        }
        assert!(matches!(raster(vec![0.5, 1.0], Format::Asc), OpenedFile::Heightmap { .. }));
        assert!(matches!(raster(vec![0.5, 1.0], Format::Npy), OpenedFile::Map(..)));
        let mut deep = Vec::new();
        let mut encoder = png::Encoder::new(&mut deep, 1, 1);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.write_header().unwrap().write_image_data(&[8, 0]).unwrap();
        assert!(matches!(
            decode("a.png", &deep, None),
            Ok(OpenedFile::Heightmap { ground, .. }) if ground.elevation_m.as_slice() == [2048.0]
        ));
        let mut white = Vec::new();
        let mut encoder = png::Encoder::new(&mut white, 2, 1);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.write_header().unwrap().write_image_data(&[0, 0, 255, 255]).unwrap();
        assert!(
            matches!(decode("a.png", &white, None), Ok(OpenedFile::Heightmap { ground, source, .. })
                if ground.elevation_m.as_slice() == [0.0, 1500.0]
                && source.ground.as_ref().and_then(|ground| ground.heights) == Some(PictureReading::DEFAULT_HEIGHTS.into())),
            "these are no metres"
        );
        let nothing = decode("a.asc", b"ncols 1\nnrows 1\ncellsize 1\n-9999\n", None).unwrap_err();
        assert_eq!(nothing, "a.asc: no cell has an elevation");
    }

    fn fog() -> Scene {
        let mut preset = Preset::named("fog").unwrap();
        (preset.world.width, preset.world.height) = (48, 40);
        Scene::generate(preset, Some(IVec2::new(20, 20)), Job::none()).unwrap()
    }

    /// Returns the bytes of an exported picture.
    fn picture(scene: &Scene) -> Vec<u8> {
        let options = ExportOptions::default().with_name("fog");
        let mut bytes = Vec::new();
        bytes.extend(options.product(scene, Format::Png).unwrap().encode(Format::Png).unwrap());
        bytes
    }

    #[test]
    fn an_exported_picture_opens_its_scene() {
        let scene = fog();
        match decode("view.png", &picture(&scene), None).unwrap() {
            OpenedFile::Scene { preset, name, viewer, caveats } => {
                assert_eq!((*preset, name.as_str(), viewer), (scene.preset().clone(), "fog", IVec2::new(20, 20)));
                assert!(caveats.is_empty(), "{caveats:?}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_picture_from_the_middle_of_a_walk_has_a_caveat() {
        let mut scene = fog();
        scene.wait().unwrap();
        let OpenedFile::Scene { caveats, .. } = decode("view.png", &picture(&scene), None).unwrap() else {
            panic!("a scene")
        };
        let [words] = &caveats[..] else { panic!("one thing is to be said: {caveats:?}") };
        assert!(words.starts_with("view.png was written in the middle of a walk (turn 1): "), "{words}");
    }
}
