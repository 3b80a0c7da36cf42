//! [`Remembered`]: what the window remembers from one time to the next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::paint::Backdrop;

/// What the window remembers. What a file leaves out, or a later version adds, does no harm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Remembered {
    /// Width and height of the window, in points.
    pub(super) window: [u32; 2],
    /// Its upper left corner within the frame, in pixels of the desktop; left out where that cannot be told.
    pub(super) position: Option<[i32; 2]>,
    /// Whether the side panel is there.
    pub(super) panel: bool,
    /// Its width, in points.
    pub(super) panel_width: f32,
    /// `land`, or the name of a layer.
    pub(super) layer: String,
    /// Whether what was never seen is muted instead of unknown.
    pub(super) map: bool,
    /// Which sections of the panel are open.
    pub(super) open: BTreeMap<String, bool>,
}

/// Sides of a window, in points.
#[cfg(not(target_arch = "wasm32"))]
const SIDES: [u32; 2] = [64, 16384];

/// Where the upper left corner of a window may be, in pixels: what the X protocol can say.
#[cfg(not(target_arch = "wasm32"))]
const CORNERS: [i32; 2] = [-32768, 32767];

/// Widths of the side panel, in points.
pub(super) const PANEL_WIDTHS: [f32; 2] = [300.0, 640.0];

impl Default for Remembered {
    fn default() -> Self {
        Self {
            window: [1280, 720],
            position: None,
            panel: true,
            panel_width: 330.0,
            layer: LAND.into(),
            map: false,
            open: BTreeMap::new(),
        }
    }
}

const LAND: &str = "land";

#[cfg(not(target_arch = "wasm32"))]
impl Remembered {
    /// Reads what [`to_toml`](Self::to_toml) wrote.
    ///
    /// # Errors
    /// Words for what is damaged.
    fn parse(text: &str) -> Result<Self, String> {
        let read: Self = toml::from_str(text).map_err(|error| error.message().trim().replace('\n', ", "))?;
        let [low, high] = SIDES;
        if read.window.iter().any(|side| !(low..=high).contains(side)) {
            return Err(format!("window = {:?} is no size of {low} to {high} points", read.window));
        }
        let [low, high] = CORNERS;
        if let Some(position) = read.position.filter(|corner| corner.iter().any(|at| !(low..=high).contains(at))) {
            return Err(format!("position = {position:?} is not from {low} to {high} pixels"));
        }
        let [low, high] = PANEL_WIDTHS;
        if !(low..=high).contains(&read.panel_width) {
            return Err(format!("panel_width = {} is not from {low} to {high} points", read.panel_width));
        }
        if read.layer != LAND {
            read.layer.parse::<crate::scene::Layer>().map_err(|error| error.to_string())?;
        }
        Ok(read)
    }

    fn to_toml(&self) -> String {
        let head = "# What the window of farsight remembers. It can be deleted without harm.\n";
        head.to_owned() + &toml::to_string(self).unwrap_or_default()
    }
}

impl Remembered {
    /// What lies below the gradient.
    pub(super) fn backdrop(&self) -> Backdrop {
        self.layer.parse().map_or(Backdrop::Land, Backdrop::Layer)
    }

    /// Remembers what lies below the gradient.
    pub(super) fn set_backdrop(&mut self, backdrop: Backdrop) {
        self.layer = match backdrop {
            Backdrop::Land => LAND.into(),
            Backdrop::Layer(layer) => layer.name().into(),
        };
    }
}

/// What the window remembers, and where that is kept. A page remembers nothing.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) now: Remembered,
    /// That what was kept is damaged, in words.
    pub(super) warning: Option<String>,
    #[cfg(not(target_arch = "wasm32"))]
    store: Option<store::Store>,
}

#[cfg(not(target_arch = "wasm32"))]
impl Kept {
    /// Reads what was kept. Among the user's configuration that is looked for only where `personal` says so.
    pub(super) fn read(personal: bool) -> Self {
        let mut store = store::Store::find(personal);
        let (now, warning) = store.as_mut().map_or_else(Default::default, store::Store::read);
        Self { now, warning, store }
    }

    /// Whether anything is kept at all.
    #[cfg(target_os = "linux")]
    pub(super) fn is_kept(&self) -> bool {
        self.store.is_some()
    }

    /// Keeps what holds now, at a time in seconds, once it has rested for a moment.
    pub(super) fn keep(&mut self, seconds: f64) {
        if let Some(store) = &mut self.store {
            store.keep(&self.now, seconds);
        }
    }

    /// Keeps what holds now at once.
    pub(super) fn close(&mut self) {
        if let Some(store) = &mut self.store {
            store.keep(&self.now, f64::MAX);
            store.write();
        }
    }
}

#[cfg(target_arch = "wasm32")]
impl Kept {
    pub(super) fn read(_personal: bool) -> Self {
        Self::default()
    }

    pub(super) fn keep(&mut self, _seconds: f64) {}

    pub(super) fn close(&mut self) {}
}

#[cfg(not(target_arch = "wasm32"))]
mod store {
    use std::env;
    use std::fs;
    use std::io::ErrorKind;
    use std::path::PathBuf;

    use etcetera::BaseStrategy;

    use super::Remembered;

    /// A folder to use in place of the user's own.
    const FOLDER: &str = "FARSIGHT_CONFIG_DIR";

    /// Changes are written once they have rested for so many seconds.
    const RESTED: f64 = 1.0;

    /// Where it is remembered.
    #[derive(Debug)]
    pub(super) struct Store {
        path: PathBuf,
        written: Remembered,
        wanted: Remembered,
        since: f64,
    }

    impl Store {
        /// The file `window.toml` in the folder that `FARSIGHT_CONFIG_DIR` names, or in farsight's folder among the
        /// user's configuration; there only where `personal` says so.
        pub(super) fn find(personal: bool) -> Option<Self> {
            let folder = match env::var_os(FOLDER).filter(|folder| !folder.is_empty()) {
                Some(folder) => PathBuf::from(folder),
                None if personal => {
                    etcetera::base_strategy::choose_native_strategy().ok()?.config_dir().join("farsight")
                }
                None => return None,
            };
            Some(Self::at(folder.join("window.toml")))
        }

        fn at(path: PathBuf) -> Self {
            let usual = Remembered::default();
            Self { path, written: usual.clone(), wanted: usual, since: 0.0 }
        }

        /// What is remembered, and a warning if that is damaged: the usual then.
        pub(super) fn read(&mut self) -> (Remembered, Option<String>) {
            let fault = |words: &dyn std::fmt::Display| {
                Some(format!("{}: {words}; the window forgets what it remembered", self.path.display()))
            };
            let (read, warning) = match fs::read_to_string(&self.path) {
                Ok(text) => match Remembered::parse(&text) {
                    Ok(read) => (read, None),
                    Err(words) => (Remembered::default(), fault(&words)),
                },
                Err(error) if error.kind() == ErrorKind::NotFound => (Remembered::default(), None),
                Err(error) => (Remembered::default(), fault(&error)),
            };
            (self.written, self.wanted) = (read.clone(), read.clone());
            (read, warning)
        }

        /// Takes in what the window is like at a time in seconds, and writes it once it has rested for a moment.
        pub(super) fn keep(&mut self, wanted: &Remembered, now: f64) {
            if *wanted != self.wanted {
                (self.wanted, self.since) = (wanted.clone(), now);
            } else if self.wanted != self.written && now - self.since >= RESTED {
                self.write();
            }
        }

        /// Writes what is not yet written. That it cannot be is no reason to disturb anyone.
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
        fn what_is_kept_is_read_again_once_it_has_rested() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("deep/er/window.toml");
            let store = || Store::at(path.clone());
            assert_eq!(store().read(), (Remembered::default(), None));
            let wanted = Remembered {
                window: [900, 600],
                position: Some([-7, 40]),
                panel: false,
                layer: "humidity".into(),
                ..Remembered::default()
            };
            let mut first = store();
            first.keep(&wanted, 5.0);
            first.keep(&wanted, 5.5);
            assert!(!path.exists());
            first.keep(&wanted, 6.1);
            assert_eq!(store().read(), (wanted.clone(), None));
            // Nothing to write, and a change that had no time to rest.
            first.write();
            first.keep(&Remembered { map: true, ..wanted.clone() }, 7.0);
            first.write();
            assert!(store().read().0.map);
        }

        #[test]
        fn a_damaged_file_is_said_once_and_written_over() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("window.toml");
            for (text, said) in [
                ("window = [", "window.toml"),
                ("window = [3, 5]", "[3, 5]"),
                ("window = [900, 99999]", "99999"),
                ("position = [3, 40000]", "40000"),
                ("position = [3]", "window.toml"),
                ("panel_width = nan", "NaN"),
                ("panel_width = 5", "5"),
                ("layer = \"gold\"", "gold"),
                ("panel = 3", "window.toml"),
                ("\u{0}\u{1}", "window.toml"),
            ] {
                fs::write(&path, text).unwrap();
                let mut store = Store::at(path.clone());
                let (read, warning) = store.read();
                assert_eq!(read, Remembered::default(), "{text}");
                let warning = warning.unwrap();
                assert!(warning.contains(said), "{warning}");
            }
            fs::write(&path, "later_key = 3\npanel = false\n").unwrap();
            assert!(!Store::at(path.clone()).read().0.panel, "what a later version adds does no harm");
            // What the version before positions wrote.
            let older =
                "window = [900, 640]\npanel = true\npanel_width = 330.0\nlayer = \"land\"\nmap = false\n\n[open]\n";
            fs::write(&path, older).unwrap();
            let wanted = Remembered { window: [900, 640], ..Remembered::default() };
            assert_eq!(Store::at(path).read(), (wanted, None), "and neither does an older file");
        }
    }
}
