//! Files that are dropped on the window, or chosen on the page: presets, exported pictures, maps.

use std::path::{Path, PathBuf};

use crate::files::{Format, MapFile, MapSource, Provenance, digest};
use crate::glam::IVec2;
use crate::{ExportOptions, Preset};

/// What a file holds.
#[derive(Debug)]
pub(super) enum Opened {
    /// A preset, by the name of its file.
    Preset(Box<Preset>, String),
    /// The scene that an exported picture or JSON file carries.
    Scene { preset: Box<Preset>, name: String, viewer: IVec2 },
    /// A map of opacities.
    Map(MapFile, MapSource),
}

/// The largest file that is read.
#[cfg(not(target_arch = "wasm32"))]
const LONGEST: u64 = 1 << 30;

/// Reads what was dropped: a path, and on a page the bytes, for there the path is only a name.
pub(super) fn open(path: Option<PathBuf>, bytes: Option<Vec<u8>>) -> Result<Opened, String> {
    let path = path.unwrap_or_else(|| "the file".into());
    let name = path.file_name().map_or_else(|| "the file".into(), |name| name.to_string_lossy().into_owned());
    let bytes = match bytes {
        Some(bytes) => bytes,
        None => read(&path).map_err(|error| format!("{name}: {error}"))?,
    };
    decode(&name, &bytes)
}

#[cfg(not(target_arch = "wasm32"))]
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if std::fs::metadata(path)?.len() > LONGEST {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    std::fs::read(path)
}

#[cfg(target_arch = "wasm32")]
fn read(_path: &Path) -> std::io::Result<Vec<u8>> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// What the bytes of a file hold.
fn decode(name: &str, bytes: &[u8]) -> Result<Opened, String> {
    let said = |error: &dyn std::fmt::Display| format!("{name}: {error}");
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        let text = str::from_utf8(bytes).map_err(|error| said(&error))?;
        let preset = Preset::from_toml(text.trim_start_matches('\u{FEFF}'), name).map_err(|error| error.to_string())?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        return Ok(Opened::Preset(Box::new(preset), stem.into_owned()));
    }
    let format = Format::from_path(path).map_err(|_| {
        format!("{name}: neither a preset (.toml), a map (.txt, .npy, .csv, .png) nor an export (.png, .json)")
    })?;
    if matches!(format, Format::Png | Format::Json) {
        match Provenance::decode(bytes) {
            Ok(provenance) if provenance.map.is_some() => {
                return Err(format!("{name} shows a map of someone's own; open the map itself"));
            }
            Ok(provenance) => {
                let preset = Preset::from_toml(&provenance.preset, name).map_err(|error| error.to_string())?;
                let options = ExportOptions::of(&provenance).map_err(|error| said(&error))?;
                let viewer = provenance.viewer.into();
                return Ok(Opened::Scene { preset: Box::new(preset), name: options.name, viewer });
            }
            Err(error) if format == Format::Json => return Err(said(&error)),
            Err(_) => {} // a picture from elsewhere is a map
        }
    }
    let map = MapFile::decode(bytes, format).map_err(|error| said(&error))?;
    let source = MapSource { name: name.to_owned(), digest: digest(map.opacity.grid()) };
    Ok(Opened::Map(map, source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Export, Job, Scene};

    #[test]
    fn files_are_known_by_what_they_hold() {
        let preset = decode("mine.toml", b"extends = \"fog\"\n[optics]\nfog_onset = 0.4\n");
        assert!(matches!(preset, Ok(Opened::Preset(preset, name)) if name == "mine" && preset.optics.fog_onset == 0.4));
        let map = decode("cave.txt", b"#..@\n....\n");
        assert!(matches!(map, Ok(Opened::Map(map, source)) if map.viewer.is_some() && source.name == "cave.txt"));
        for (name, bytes) in
            [("a.toml", &b"x = 1"[..]), ("a.bmp", b"BM"), ("a.json", b"{}"), ("a.png", b"no"), ("a", b"")]
        {
            assert!(decode(name, bytes).unwrap_err().starts_with(name), "{name}");
        }
    }

    #[test]
    fn an_exported_picture_leads_back_to_its_scene() {
        let mut wanted = Preset::named("fog").unwrap();
        (wanted.world.width, wanted.world.height) = (48, 40);
        let scene = Scene::generate(wanted.clone(), Some(IVec2::new(20, 20)), &Job::quiet()).unwrap();
        let options = ExportOptions { name: "fog".into(), ..Default::default() };
        let mut bytes = Vec::new();
        let export = Export::prepare(&scene, Format::Png, &options).unwrap();
        export.write(Format::Png, options.style, &mut bytes).unwrap();
        match decode("view.png", &bytes).unwrap() {
            Opened::Scene { preset, name, viewer } => {
                assert_eq!((*preset, name.as_str(), viewer), (wanted, "fog", IVec2::new(20, 20)));
            }
            other => panic!("{other:?}"),
        }
    }
}
