//! [`WindowSettings`]: the settings of the window that are kept from one start to the next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::paint::Backdrop;

/// The settings of the window that are kept. A file may lack some, or have more, of another version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct WindowSettings {
    /// Width and height of the window, in points.
    #[serde(rename = "window")]
    pub(crate) size: [u32; 2],
    /// `true` if the side panel is shown.
    pub(crate) panel: bool,
    /// Width of the side panel, in points.
    pub(crate) panel_width: f32,
    /// `land`, or the name of a layer.
    pub(crate) layer: String,
    /// `true` if cells that were never seen are muted instead of hidden.
    #[serde(rename = "map")]
    pub(crate) reveals: bool,
    /// The sections of the panel by title; `true` if open.
    pub(crate) open: BTreeMap<String, bool>,
}

/// The accepted sides of a window, in points.
#[cfg(not(target_arch = "wasm32"))]
const SIDES: [u32; 2] = [64, 16384];

/// The accepted widths of the side panel, in points.
pub(crate) const PANEL_WIDTHS: [f32; 2] = [300.0, 640.0];

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            size: [1280, 720],
            panel: true,
            panel_width: 330.0,
            layer: LAND.into(),
            reveals: false,
            open: BTreeMap::new(),
        }
    }
}

const LAND: &str = "land";

#[cfg(not(target_arch = "wasm32"))]
impl WindowSettings {
    /// # Errors
    /// A sentence on the damage.
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
        if read.layer != LAND {
            read.layer.parse::<crate::scene::Layer>().map_err(|error| error.to_string())?;
        }
        Ok(read)
    }

    fn to_toml(&self) -> String {
        let head = "# The window settings of farsight. It is safe to delete this file.\n";
        head.to_owned() + &toml::to_string(self).unwrap_or_default()
    }
}

impl WindowSettings {
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

/// The window settings with their file. A page has no file.
#[derive(Debug, Default)]
pub(crate) struct SavedSettings {
    pub(crate) window: WindowSettings,
    /// A sentence on damage to the file.
    pub(crate) warning: Option<String>,
    #[cfg(not(target_arch = "wasm32"))]
    store: Option<store::Store>,
}

#[cfg(not(target_arch = "wasm32"))]
impl SavedSettings {
    /// Reads the settings. The file of the user is used only if `personal` is `true`.
    pub(crate) fn read(personal: bool) -> Self {
        let mut store = store::Store::find(personal);
        let (window, warning) = store.as_mut().map_or_else(Default::default, store::Store::read);
        Self { window, warning, store }
    }

    /// Writes the settings once they have been the same for a while; `seconds` is the time now.
    pub(crate) fn save_when_stable(&mut self, seconds: f64) {
        if let Some(store) = &mut self.store {
            store.save_when_stable(&self.window, seconds);
        }
    }

    /// Writes the settings at once.
    pub(crate) fn save(&mut self) {
        if let Some(store) = &mut self.store {
            store.wanted = self.window.clone();
            store.write();
        }
    }
}

#[cfg(target_arch = "wasm32")]
impl SavedSettings {
    pub(crate) fn read(_personal: bool) -> Self {
        Self::default()
    }

    pub(crate) fn save_when_stable(&mut self, _seconds: f64) {}

    pub(crate) fn save(&mut self) {}
}

#[cfg(not(target_arch = "wasm32"))]
mod store {
    use std::env;
    use std::fs;
    use std::io::ErrorKind;
    use std::path::PathBuf;

    use etcetera::BaseStrategy;

    use super::WindowSettings;

    /// The environment variable for another folder.
    const FOLDER_VARIABLE: &str = "FARSIGHT_CONFIG_DIR";

    /// Settings are written once they have been the same for this time, in seconds.
    const STABLE_SECONDS: f64 = 1.0;

    /// The file of the settings.
    #[derive(Debug)]
    pub(super) struct Store {
        path: PathBuf,
        written: WindowSettings,
        pub(super) wanted: WindowSettings,
        /// The time of the last change, in seconds.
        since: f64,
    }

    impl Store {
        /// Returns `window.toml` in the folder `FARSIGHT_CONFIG_DIR`, or else, if `personal`, in the configuration folder of
        /// the user.
        pub(super) fn find(personal: bool) -> Option<Self> {
            let folder = match env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()) {
                Some(folder) => PathBuf::from(folder),
                None if personal => {
                    etcetera::base_strategy::choose_native_strategy().ok()?.config_dir().join("farsight")
                }
                None => return None,
            };
            Some(Self::at(folder.join("window.toml")))
        }

        fn at(path: PathBuf) -> Self {
            let default = WindowSettings::default();
            Self { path, written: default.clone(), wanted: default, since: 0.0 }
        }

        /// Returns the settings, or the default ones with a warning if the file is damaged.
        pub(super) fn read(&mut self) -> (WindowSettings, Option<String>) {
            let fault = |words: &dyn std::fmt::Display| {
                Some(format!("{}: {words}; the window starts with its default settings", self.path.display()))
            };
            let (read, warning) = match fs::read_to_string(&self.path) {
                Ok(text) => match WindowSettings::parse(&text) {
                    Ok(read) => (read, None),
                    Err(words) => (WindowSettings::default(), fault(&words)),
                },
                Err(error) if error.kind() == ErrorKind::NotFound => (WindowSettings::default(), None),
                Err(error) => (WindowSettings::default(), fault(&error)),
            };
            (self.written, self.wanted) = (read.clone(), read.clone());
            (read, warning)
        }

        /// Writes the settings once they have been the same for a while; `now` is in seconds.
        pub(super) fn save_when_stable(&mut self, wanted: &WindowSettings, now: f64) {
            if *wanted != self.wanted {
                (self.wanted, self.since) = (wanted.clone(), now);
            } else if self.wanted != self.written && now - self.since >= STABLE_SECONDS {
                self.write();
            }
        }

        /// Writes the settings if they have changed. A failure is ignored: nothing that the user made is lost.
        pub(super) fn write(&mut self) {
            if self.wanted == self.written {
                return;
            }
            self.written = self.wanted.clone();
            let text = self.wanted.to_toml();
            if let Some(folder) = self.path.parent() {
                let _ = fs::create_dir_all(folder);
            }
            let _ = crate::files::save_atomically(&self.path, |out| Ok(out.write_all(text.as_bytes())?));
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn stable_settings_are_written_and_read_again() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("deep/er/window.toml");
            let store = || Store::at(path.clone());
            assert_eq!(store().read(), (WindowSettings::default(), None));
            let wanted = WindowSettings {
                size: [900, 600],
                panel: false,
                layer: "humidity".into(),
                ..WindowSettings::default()
            };
            let mut first = store();
            first.save_when_stable(&wanted, 5.0);
            first.save_when_stable(&wanted, 5.5);
            assert!(!path.exists());
            first.save_when_stable(&wanted, 6.1);
            assert_eq!(store().read(), (wanted.clone(), None));
            // There is nothing to write; then a change that is not stable yet.
            first.write();
            first.save_when_stable(&WindowSettings { reveals: true, ..wanted.clone() }, 7.0);
            first.write();
            assert!(store().read().0.reveals);
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
                ("layer = \"gold\"", "gold"),
                ("panel = 3", "window.toml"),
                ("\u{0}\u{1}", "window.toml"),
            ] {
                fs::write(&path, text).unwrap();
                let mut store = Store::at(path.clone());
                let (read, warning) = store.read();
                assert_eq!(read, WindowSettings::default(), "{text}");
                let warning = warning.unwrap();
                assert!(warning.contains(expected), "{warning}");
            }
            fs::write(&path, "later_key = 3\npanel = false\n").unwrap();
            assert!(!Store::at(path.clone()).read().0.panel, "an unknown key is ignored");
            let older = "window = [900, 640]\nposition = [-7, 40]\npanel = true\npanel_width = 330.0\nlayer = \"land\"\nmap = false\n\n[open]\n";
            fs::write(&path, older).unwrap();
            let wanted = WindowSettings { size: [900, 640], ..WindowSettings::default() };
            assert_eq!(Store::at(path).read(), (wanted, None), "an older file");
        }
    }
}
