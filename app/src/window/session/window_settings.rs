//! [`WindowSettings`]: the persistent settings of the window.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::host::{self, presets_folder, user_folder};
use crate::window::theme::{SCALES, Theme};
use farsight_scene::export::SavedWalk;
use farsight_scene::paint::Backdrop;

/// The name of the file.
const FILE: &str = "window.toml";

/// The persistent settings of the window. A file of another version can lack some settings or have more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct WindowSettings {
    /// Width and height of the window, in points.
    #[serde(rename = "window")]
    pub(crate) size: [u32; 2],
    /// Whether the side panel is shown.
    pub(crate) panel: bool,
    /// Width of the side panel, in points.
    pub(crate) panel_width: f32,
    /// Scale of the panels.
    pub(crate) scale: f32,
    pub(crate) theme: Theme,
    /// Whether the minimap is shown.
    pub(crate) minimap: bool,
    /// Whether the panorama is shown at the start, if the window is high enough.
    pub(crate) panorama: bool,
    /// Whether the user has walked, and needs no introduction.
    pub(crate) introduced: bool,
    /// `land`, or the name of a layer.
    pub(crate) layer: String,
    /// Whether cells that were never seen are drawn in ink instead of hidden.
    #[serde(rename = "land_map")]
    pub(crate) reveals: bool,
    /// The address of a page with farsight, for links; empty for none.
    pub(crate) page: String,
    /// The paths of recent files, the latest first.
    pub(crate) recent: Vec<String>,
    /// The sections of the panel by title; `true` if expanded.
    pub(crate) open: BTreeMap<String, bool>,
}

/// The accepted sides of a window, in points.
const SIDES: [u32; 2] = [64, 16384];

/// The accepted widths of the side panel, in points.
pub(crate) const PANEL_WIDTHS: [f32; 2] = [300.0, 640.0];

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            size: [1280, 720],
            panel: true,
            panel_width: 330.0,
            scale: 1.0,
            theme: Theme::Light,
            minimap: true,
            panorama: true,
            introduced: false,
            layer: LAND.into(),
            reveals: true,
            page: String::new(),
            recent: Vec::new(),
            open: BTreeMap::new(),
        }
    }
}

const LAND: &str = "land";

/// The time without changes before settings are written, in seconds.
const STABLE_SECONDS: f64 = 1.0;

impl WindowSettings {
    /// Parses the text of a file. An error is a sentence about the damage.
    fn parse(text: &str) -> Result<Self, String> {
        let read: Self = toml::from_str(text).map_err(|error| error.message().trim().replace('\n', ", "))?;
        let [low, high] = SIDES;
        if read.size.iter().any(|side| !(low..=high).contains(side)) {
            return Err(format!(
                "window = {:?} is not valid: expected two numbers from {low} to {high} points",
                read.size
            ));
        }
        let [low, high] = PANEL_WIDTHS;
        if !(low..=high).contains(&read.panel_width) {
            return Err(format!("panel_width = {} is not valid: expected {low} to {high} points", read.panel_width));
        }
        let [low, high] = SCALES;
        if !(low..=high).contains(&read.scale) {
            return Err(format!("scale = {} is not valid: expected {low} to {high}", read.scale));
        }
        if read.layer != LAND {
            read.layer.parse::<farsight_scene::scene::Layer>().map_err(|error| error.to_string())?;
        }
        Ok(read)
    }

    fn to_toml(&self) -> String {
        let head = "# The window settings of farsight. It is safe to delete this file.\n";
        head.to_owned() + &toml::to_string(self).unwrap_or_default()
    }
}

impl WindowSettings {
    /// Moves a file to the front of the recent files.
    pub(crate) fn add_recent(&mut self, path: &Path) {
        const MAX_RECENT: usize = 6;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        self.recent.retain(|old| *old != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
    }

    /// Scales the panels by an eighth per step, positive for larger, or resets their scale.
    pub(crate) fn scale_panels(&mut self, steps: Option<i32>) {
        const STEP: f32 = 0.125;
        let [low, high] = SCALES;
        self.scale = steps.map_or(1.0, |steps| (self.scale + steps as f32 * STEP).clamp(low, high));
    }

    /// Returns the layer below the gradient.
    pub(crate) fn backdrop(&self) -> Backdrop {
        self.layer.parse().map_or(Backdrop::Land, Backdrop::Layer)
    }

    pub(crate) fn set_backdrop(&mut self, backdrop: Backdrop) {
        self.layer = match backdrop {
            Backdrop::Land => LAND.into(),
            Backdrop::Layer(layer) => layer.name().into(),
        };
    }
}

/// The window settings with their file, or on a page the text in the browser's storage.
#[derive(Debug, Default)]
pub(crate) struct SavedSettings {
    pub(crate) window: WindowSettings,
    /// A sentence about damage to the file.
    pub(crate) warning: Option<String>,
    path: Option<PathBuf>,
    /// The settings in the file.
    written: WindowSettings,
    /// The settings at the last change, and its time in seconds.
    changed: (WindowSettings, f64),
}

impl SavedSettings {
    /// Reads `window.toml` in the folder `FARSIGHT_CONFIG_DIR`, or else, if `personal`, in the configuration folder of the
    /// user.
    pub(crate) fn read(personal: bool) -> Self {
        user_folder(personal).map_or_else(Self::default, |folder| Self::read_from(folder.join(FILE)))
    }

    /// Reads the settings, or returns defaults with a warning for a damaged file.
    fn read_from(path: PathBuf) -> Self {
        let read = match host::read(&path) {
            Ok(text) => WindowSettings::parse(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(WindowSettings::default()),
            Err(error) => Err(error.to_string()),
        };
        let (window, warning) = match read {
            Ok(window) => (window, None),
            Err(fault) => {
                let warning = format!("{}: {fault}; the window starts with its default settings", path.display());
                (WindowSettings::default(), Some(warning))
            }
        };
        Self { written: window.clone(), changed: (window.clone(), 0.0), window, warning, path: Some(path) }
    }

    /// Returns the folder of the user; `None` without persistent settings.
    pub(crate) fn user_folder(&self) -> Option<&Path> {
        self.path.as_ref()?.parent()
    }

    /// Returns the folder of the user's presets; `None` without persistent settings.
    pub(crate) fn my_presets(&self) -> Option<PathBuf> {
        Some(presets_folder(self.user_folder()?))
    }

    /// Returns the walk that was saved or opened last, if it is still there.
    pub(crate) fn recent_walk(&self) -> Option<PathBuf> {
        let is_walk = |path: &&Path| path.extension().is_some_and(|kind| kind == SavedWalk::EXTENSION) && path.exists();
        self.window.recent.iter().map(Path::new).find(is_walk).map(Path::to_owned)
    }

    /// Writes the settings after a time without changes; `now` is in seconds.
    pub(crate) fn save_when_stable(&mut self, now: f64) {
        if self.window != self.changed.0 {
            self.changed = (self.window.clone(), now);
        } else if now - self.changed.1 >= STABLE_SECONDS {
            self.save();
        }
    }

    /// Returns `true` if the file lacks a change.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.path.is_some() && self.window != self.written
    }

    /// Writes changed settings. It ignores a failure, which loses no work of the user.
    pub(crate) fn save(&mut self) {
        let Some(path) = self.path.as_deref().filter(|_| self.window != self.written) else { return };
        self.written = self.window.clone();
        host::keep(path, &self.window.to_toml());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_settings_are_written_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/window.toml");
        let read = || SavedSettings::read_from(path.clone());
        assert_eq!((read().window, read().warning), (WindowSettings::default(), None));
        let wanted =
            WindowSettings { size: [900, 600], panel: false, layer: "humidity".into(), ..WindowSettings::default() };
        let mut first = read();
        first.window = wanted.clone();
        first.save_when_stable(5.0);
        first.save_when_stable(5.5);
        assert!(!path.exists());
        first.save_when_stable(6.1);
        assert_eq!((read().window, read().warning), (wanted, None));
        // First without a change, then with a recent change.
        first.save();
        first.window.reveals = false;
        first.save_when_stable(7.0);
        first.save();
        assert!(!read().window.reveals);
    }

    #[test]
    fn the_files_opened_last_are_kept_once_each() {
        let mut settings = WindowSettings::default();
        for name in ["a", "b", "a", "c", "d", "e", "f", "g"] {
            settings.add_recent(&Path::new("/maps").join(name));
        }
        let names: Vec<&str> = settings.recent.iter().filter_map(|path| path.rsplit(['/', '\\']).next()).collect();
        assert_eq!(names, ["g", "f", "e", "d", "c", "a"]);
    }

    #[test]
    fn a_damaged_file_gives_a_warning_and_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("window.toml");
        for (text, expected) in [
            ("window = [", "window.toml"),
            ("window = [3, 5]", "[3, 5]"),
            ("window = [900, 99999]", "99999"),
            ("panel_width = nan", "NaN"),
            ("panel_width = 5", "5"),
            ("scale = 99", "99"),
            ("theme = \"pink\"", "pink"),
            ("layer = \"gold\"", "gold"),
            ("panel = 3", "window.toml"),
            ("\u{0}\u{1}", "window.toml"),
        ] {
            std::fs::write(&path, text).unwrap();
            let read = SavedSettings::read_from(path.clone());
            assert_eq!(read.window, WindowSettings::default(), "{text}");
            let warning = read.warning.unwrap();
            assert!(warning.contains(expected), "{warning}");
        }
        std::fs::write(&path, "later_key = 3\npanel = false\n").unwrap();
        assert!(!SavedSettings::read_from(path.clone()).window.panel, "an unknown key is ignored");
        let older = "window = [900, 640]\nposition = [-7, 40]\npanel = true\npanel_width = 330.0\nlayer = \"land\"\nmap = false\n\n[open]\n";
        std::fs::write(&path, older).unwrap();
        let wanted = WindowSettings { size: [900, 640], ..WindowSettings::default() };
        let read = SavedSettings::read_from(path);
        assert_eq!((read.window, read.warning), (wanted, None), "an older file");
    }
}
