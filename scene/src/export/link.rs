//! [`Link`]: a scene in one line, as the query of a URL or as flags of the command line.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use glam::{IVec2, ivec2};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::shell::Shell;
use crate::files::MapSource;
use crate::preset::{Preset, PresetError, shipped};
use crate::world::WorldConfig;
use farsight::internal::text::excerpt;

/// A scene in one line: a preset, the changes to it, and the viewer's cell. A query of more than 256 characters is packed:
/// `scene=` and, in the letters of URLs, the compressed query.
///
/// ```
/// use farsight_scene::export::{Link, Shell};
/// let link = Link::parse("preset=fog&seed=7&at=120,88&optics.visual_range_m=2000")?;
/// assert_eq!(link.preset.optics.visual_range_m, 2000.0);
/// assert_eq!(link.query(), "preset=fog&seed=7&at=120,88&optics.visual_range_m=2000");
/// assert_eq!(link.flags(Shell::Posix), "--preset fog --seed 7 --at 120,88 --set optics.visual_range_m=2000");
/// # Ok::<(), farsight_scene::export::LinkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Link {
    /// The name of the preset. For a preset that is not shipped, the link contains all differences from the default
    /// preset.
    pub name: String,
    /// The preset with the changes.
    pub preset: Preset,
    /// The viewer's cell, or `None` for the automatic one.
    pub viewer: Option<IVec2>,
    /// The file that replaces a generated world. A query cannot contain it.
    pub map: Option<MapSource>,
}

/// An error of a query.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// A part that is not `KEY=VALUE`, or a value that is not text.
    #[error("the link: \"{}\" is not valid: expected KEY=VALUE", excerpt(.0))]
    Part(String),
    /// A damaged packed query.
    #[error("the link: scene={} is damaged: expected the letters that farsight wrote, all of them", excerpt(.0))]
    Packed(String),
    /// A seed that is not a number.
    #[error("the link: seed={} is not valid: expected a whole number, 0 or more", excerpt(.0))]
    Seed(String),
    /// A viewer that is not a cell.
    #[error("the link: at={} is not valid: expected a cell X,Y", excerpt(.0))]
    Cell(String),
    /// An invalid preset, key or value.
    #[error(transparent)]
    Preset(#[from] PresetError),
}

// The keys of a query besides the keys of a preset.
const PRESET: &str = "preset";
const SEED: &str = "seed";
const AT: &str = "at";
const PACKED: &str = "scene=";

/// The maximum length of a query that is not packed.
const LONGEST_LEGIBLE: usize = 256;

/// The maximum length of an unpacked query: thousands of lamps.
const LONGEST_UNPACKED: usize = 1 << 20;

/// The level of compression: the smallest result.
const LEVEL: u8 = 10;

/// The escaped characters of a value. Brackets and commas of lists stay legible.
const ESCAPED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'=').add(b'>').add(b'\'');

impl Link {
    /// Creates a link to a preset by its name, without a chosen viewer or a file.
    pub fn new(name: impl Into<String>, preset: Preset) -> Self {
        Self { name: name.into(), preset, viewer: None, map: None }
    }

    /// Parses the query of a URL, without `?`. Missing keys have the values of the default preset. Keys that other
    /// programs add to URLs, such as `utm_source`, are ignored.
    ///
    /// # Errors
    /// [`LinkError`] with the first wrong part.
    pub fn parse(query: &str) -> Result<Self, LinkError> {
        match query.split('&').find_map(|part| part.strip_prefix(PACKED)) {
            Some(packed) => Self::parse_legible(&unpack(packed).ok_or_else(|| LinkError::Packed(packed.to_owned()))?),
            None => Self::parse_legible(query),
        }
    }

    fn parse_legible(query: &str) -> Result<Self, LinkError> {
        let mut link = Self::new(Preset::DEFAULT_NAME, Preset::shipped_default());
        let mut changes = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (key, value) = decode(part).ok_or_else(|| LinkError::Part(part.to_owned()))?;
            match key.as_str() {
                PRESET if shipped(&value).is_some() => {
                    link.preset = Preset::named(&value)?;
                    link.name = value;
                }
                // Not `Preset::named`, which would also read a file.
                PRESET => return Err(PresetError::unknown(&value).into()),
                SEED => {
                    let seed = value.parse::<i64>().ok().filter(|seed| *seed >= 0).ok_or(LinkError::Seed(value))?;
                    changes.push(("world.seed".to_owned(), toml::Value::Integer(seed)));
                }
                AT => {
                    link.viewer = Some(parse_cell(&value).ok_or(LinkError::Cell(value))?);
                }
                key if key == "about" || key.contains('.') || is_list(key) => {
                    changes.push((key.to_owned(), Preset::parse_value(key, &value)));
                }
                _ => {}
            }
        }
        let changes = changes.iter().map(|(key, value)| (key.as_str(), value.clone()));
        link.preset = link.preset.with(changes).map_err(|error| error.with_origin("the link"))?;
        Ok(link)
    }

    /// Returns the query of a URL, without `?`. It is empty for a map or heightmap from a file.
    pub fn query(&self) -> String {
        let mut query = String::new();
        if self.map.is_some() {
            return query;
        }
        let (base, name) = self.base();
        let mut add = |key: &str, value: &str| {
            let and = if query.is_empty() { "" } else { "&" };
            let _ = write!(query, "{and}{key}={}", utf8_percent_encode(value, ESCAPED));
        };
        add(PRESET, name.unwrap_or(Preset::DEFAULT_NAME));
        add(SEED, &self.preset.world.seed.to_string());
        if let Some(viewer) = self.viewer {
            add(AT, &format!("{},{}", viewer.x, viewer.y));
        }
        for (key, value) in self.changes(&base) {
            add(&key, &value);
        }
        if query.len() > LONGEST_LEGIBLE {
            query = format!("{PACKED}{}", BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(query.as_bytes(), LEVEL)));
        }
        query
    }

    /// Returns the flags for `farsight export` and other subcommands, quoted for a shell.
    pub fn flags(&self, shell: Shell) -> String {
        let (base, name) = self.base();
        let mut flags = Vec::new();
        let mut add = |flag: &str, value: &str| flags.push(format!("--{flag} {}", shell.quote(value)));
        if let Some(name) = name {
            add("preset", name);
        }
        for (flag, value) in self.map.iter().flat_map(MapSource::flags) {
            add(flag, &value);
        }
        // Different sides come from the file.
        let has_squares =
            self.map.as_ref().and_then(|map| map.ground.as_ref()).is_none_or(|ground| ground.cell_sizes.is_none());
        if self.is_on_ground() && has_squares {
            add("cell-size", &self.preset.world.cell_size_m.to_string());
        }
        // On measured ground the seed affects only the climate, so that of the preset is omitted.
        if self.map.is_none() || self.is_on_ground() && self.preset.world.seed != base.world.seed {
            add("seed", &self.preset.world.seed.to_string());
        }
        if let Some(viewer) = self.viewer {
            add("at", &format!("{},{}", viewer.x, viewer.y));
        }
        for (key, mut value) in self.changes(&base) {
            // Windows PowerShell drops double quotes inside a word. TOML accepts single quotes for texts without escapes.
            if shell == Shell::Windows && !value.contains(['\'', '\\']) {
                value = value.replace('"', "'");
            }
            add("set", &format!("{key}={value}"));
        }
        flags.join(" ")
    }

    /// Returns the base preset of the changes, and its name if it has one.
    fn base(&self) -> (Preset, Option<&str>) {
        let named = shipped(&self.name).and_then(|_| Some((Preset::named(&self.name).ok()?, Some(&*self.name))));
        let (preset, name) = named.unwrap_or_else(|| match self.map {
            Some(_) if !self.is_on_ground() => (Preset::bare_kernel(), None),
            _ => (Preset::shipped_default(), Some(Preset::DEFAULT_NAME)),
        });
        let WorldConfig { width, height, cell_size_m, .. } = self.preset.world;
        let size = IVec2::new(width as i32, height as i32);
        (if self.is_on_ground() { preset.on_ground(size, cell_size_m) } else { preset }, name)
    }

    fn is_on_ground(&self) -> bool {
        self.map.as_ref().is_some_and(MapSource::is_heightmap)
    }

    /// Returns `false` for keys with their own flag, and for keys without effect on a heightmap.
    fn is_listed(&self, key: &str) -> bool {
        let acts = !self.is_on_ground() || !key.starts_with("world.") || WorldConfig::KEYS_ON_GROUND.contains(&key);
        key != "world.seed" && acts && !(self.is_on_ground() && key == "world.cell_size_m")
    }

    /// Returns the keys that differ from a preset, with values for [`Preset::set`].
    fn changes(&self, base: &Preset) -> Vec<(String, String)> {
        let [new, old] = [&self.preset, base].map(|preset| toml::Value::Table(preset.to_table()));
        let value_at =
            |table: &toml::Value, key: &str| key.split('.').try_fold(table.clone(), |v, part| v.get(part).cloned());
        let lists = Preset::lists().map(|list| list.key);
        let keys = Preset::settings()
            .map(|setting| setting.key)
            .filter(|key| self.is_listed(key))
            .chain(["about"])
            .chain(lists);
        let changed = keys.filter_map(|key| {
            let value = value_at(&new, key);
            (value != value_at(&old, key))
                .then(|| (key.to_owned(), value.map_or_else(|| empty_value(key).into(), |v| text_of(key, &v))))
        });
        changed.collect()
    }
}

/// Reads a cell `X,Y`.
pub fn parse_cell(text: &str) -> Option<IVec2> {
    let (x, y) = text.split_once(',')?;
    Some(ivec2(x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn is_list(key: &str) -> bool {
    Preset::lists().iter().any(|list| list.key == key)
}

/// Returns the text for a missing value or an empty list.
fn empty_value(key: &str) -> &'static str {
    if is_list(key) { "[]" } else { "none" }
}

/// Returns a value as text for [`Preset::parse_value`].
fn text_of(key: &str, value: &toml::Value) -> String {
    match value {
        toml::Value::String(word) if key != "about" => word.clone(),
        toml::Value::Float(_) => {
            let text = value.to_string();
            text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
        }
        _ => value.to_string(),
    }
}

fn unpack(packed: &str) -> Option<String> {
    let compressed = BASE64_URL_SAFE_NO_PAD.decode(packed).ok()?;
    String::from_utf8(decompress_to_vec_with_limit(&compressed, LONGEST_UNPACKED).ok()?).ok()
}

fn decode(part: &str) -> Option<(String, String)> {
    let decode = |text: &str| {
        let spaced = text.replace('+', " ");
        percent_decode_str(&spaced).decode_utf8().ok().map(String::from)
    };
    let (key, value) = part.split_once('=').unwrap_or((part, ""));
    Some((decode(key)?, decode(value)?))
}
