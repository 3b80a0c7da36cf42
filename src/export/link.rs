//! [`Link`]: a scene in one line, as the query of an address and as flags of the command line.

use std::fmt::Write;

use glam::{IVec2, ivec2};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::files::MapSource;
use crate::preset::{Preset, PresetError, shipped};
use crate::world::WorldConfig;

/// A scene in one line: a preset, what was changed in it, and where one stands.
///
/// ```
/// use farsight::export::Link;
/// let link = Link::parse("preset=fog&seed=7&at=120,88&optics.visual_range_m=2000")?;
/// assert_eq!(link.preset.optics.visual_range_m, 2000.0);
/// assert_eq!(link.query(), "preset=fog&seed=7&at=120,88&optics.visual_range_m=2000");
/// assert_eq!(link.flags(), "--preset fog --seed 7 --at 120,88 --set optics.visual_range_m=2000");
/// # Ok::<(), farsight::export::LinkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The name of the preset; one that is not shipped is told by all that sets it apart from the default.
    pub name: String,
    /// The preset with all changes.
    pub preset: Preset,
    /// The cell of the viewer, or `None` for where the view is worth seeing.
    pub viewer: Option<IVec2>,
    /// The map or heightmap that took the place of a world. It is no part of a query: an address cannot carry it.
    pub map: Option<MapSource>,
}

/// Why a query is no scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// A part that is no `KEY=VALUE`, or a value that is not text.
    #[error("the link: {0:?} is not KEY=VALUE")]
    Part(String),
    /// A seed that is no number.
    #[error("the link: seed={0} is not a whole number, 0 or more")]
    Seed(String),
    /// A cell that is none.
    #[error("the link: at={0} is not a cell X,Y")]
    Cell(String),
    /// The preset, a key or a value is wrong.
    #[error(transparent)]
    Preset(#[from] PresetError),
}

/// The keys of a query that are not keys of a preset.
const PRESET: &str = "preset";
const SEED: &str = "seed";
const AT: &str = "at";

/// What a query must not hold as it is. Brackets, commas and quotes of lists stay legible.
const ESCAPED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'=').add(b'>').add(b'\'');

impl Link {
    /// The scene of the query of an address, without its `?`. What it leaves out is as in the default preset; keys
    /// that others add to addresses (without a dot, as `utm_source`) are passed over.
    ///
    /// # Errors
    /// [`LinkError`] with the part that is wrong.
    pub fn parse(query: &str) -> Result<Self, LinkError> {
        let mut link =
            Self { name: Preset::DEFAULT_NAME.into(), preset: Preset::shipped_default(), viewer: None, map: None };
        let mut changes = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (key, value) = decode(part).ok_or_else(|| LinkError::Part(part.to_owned()))?;
            match key.as_str() {
                PRESET if shipped(&value).is_some() => {
                    link.preset = Preset::named(&value)?;
                    link.name = value;
                }
                // A link names no files.
                PRESET => return Err(PresetError::unknown(&value).into()),
                SEED => {
                    let seed = value.parse::<i64>().ok().filter(|seed| *seed >= 0).ok_or(LinkError::Seed(value))?;
                    changes.push(("world.seed".to_owned(), toml::Value::Integer(seed)));
                }
                AT => {
                    let number = |text: &str| text.trim().parse::<i32>().ok();
                    let cell = value.split_once(',').and_then(|(x, y)| Some(ivec2(number(x)?, number(y)?)));
                    link.viewer = Some(cell.ok_or(LinkError::Cell(value))?);
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

    /// The query of an address, without its `?`; empty on a map of one's own.
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
        query
    }

    /// The flags of `farsight export`, `explore` and the like that ask for this scene, quoted for a shell.
    pub fn flags(&self) -> String {
        let (base, name) = self.base();
        let mut flags = Vec::new();
        let mut add = |flag: &str, value: &str| flags.push(format!("--{flag} {}", shell_quoted(value)));
        if let Some(name) = name {
            add("preset", name);
        }
        for (flag, value) in self.map.iter().flat_map(MapSource::flags) {
            add(flag, &value);
        }
        if self.is_on_ground() {
            add("cell-size", &self.preset.world.cell_size_m.to_string());
        }
        if self.map.is_none() || self.is_on_ground() {
            add("seed", &self.preset.world.seed.to_string());
        }
        if let Some(viewer) = self.viewer {
            add("at", &format!("{},{}", viewer.x, viewer.y));
        }
        for (key, value) in self.changes(&base) {
            add("set", &format!("{key}={value}"));
        }
        flags.join(" ")
    }

    /// The preset that the changes are told against, and its name where it has one.
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

    /// Whether a key of the preset is told by itself: not those that have a flag, nor those of a world that a map
    /// took the place of.
    fn tells(&self, key: &str) -> bool {
        let shapes = !self.is_on_ground() || !key.starts_with("world.") || WorldConfig::KEYS_ON_GROUND.contains(&key);
        key != "world.seed" && shapes && !(self.is_on_ground() && key == "world.cell_size_m")
    }

    /// The keys that differ from a preset, with their values as [`Preset::set`] takes them.
    fn changes(&self, base: &Preset) -> Vec<(String, String)> {
        let [new, old] = [&self.preset, base].map(|preset| toml::Value::Table(preset.to_table()));
        let at =
            |table: &toml::Value, key: &str| key.split('.').try_fold(table.clone(), |v, part| v.get(part).cloned());
        let lists = Preset::lists().map(|list| list.key);
        let keys =
            Preset::settings().map(|setting| setting.key).filter(|key| self.tells(key)).chain(["about"]).chain(lists);
        let changed = keys.filter_map(|key| {
            let value = at(&new, key);
            (value != at(&old, key))
                .then(|| (key.to_owned(), value.map_or_else(|| nothing(key).into(), |v| text_of(key, &v))))
        });
        changed.collect()
    }
}

fn is_list(key: &str) -> bool {
    Preset::lists().iter().any(|list| list.key == key)
}

/// What says that a key is left out, or a list empty.
fn nothing(key: &str) -> &'static str {
    if is_list(key) { "[]" } else { "none" }
}

/// A value as [`Preset::parse_value`] reads it.
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

fn decode(part: &str) -> Option<(String, String)> {
    let decode = |text: &str| {
        let spaced = text.replace('+', " ");
        percent_decode_str(&spaced).decode_utf8().ok().map(String::from)
    };
    let (key, value) = part.split_once('=').unwrap_or((part, ""));
    Some((decode(key)?, decode(value)?))
}

/// A word as one types it in a shell.
pub(crate) fn shell_quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,=/:+@%".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{FieldSource, GroundSource};
    use crate::preset::shipped_names;

    fn link(name: &str, viewer: Option<IVec2>) -> Link {
        Link { name: name.into(), preset: Preset::named(name).unwrap(), viewer, map: None }
    }

    #[test]
    fn every_shipped_preset_comes_back_from_its_query() {
        for name in shipped_names() {
            let mut link = link(name, Some(ivec2(3, 4)));
            link.preset.world.seed = 99;
            assert_eq!(link.query(), format!("preset={name}&seed=99&at=3,4"));
            assert_eq!(Link::parse(&link.query()).unwrap(), link);
        }
    }

    #[test]
    fn changes_of_every_kind_come_back() {
        let mut changed = link("savanna", None);
        for (key, value) in [
            ("optics.visual_range_m", "inf"),
            ("optics.fog_onset", "0.35"),
            ("sight.decay.points", "[[10, 1], [40, 0.25]]"),
            ("sight.decay.kind", "points"),
            ("sight.decay.half", "none"),
            ("sight.method", "beam"),
            ("sight.radius", "48"),
            ("paint.legend", "false"),
            ("about", "\"A walk & a 'talk', 100 % + more = été\""),
        ] {
            changed.preset.set(key, value).unwrap();
        }
        let query = changed.query();
        assert!(query.is_ascii() && !query.contains([' ', '\'', '"', '+']), "{query}");
        assert_eq!(Link::parse(&query).unwrap(), changed);
        assert!(query.contains("&sight.decay.half=none"), "{query}");
    }

    #[test]
    fn a_preset_of_ones_own_is_told_by_all_that_it_changes() {
        let mut own = link("jungle", Some(ivec2(1, 2)));
        own.name = "mine".into();
        let back = Link::parse(&own.query()).unwrap();
        assert_eq!((back.preset, back.name.as_str()), (own.preset, "temperate"));
    }

    #[test]
    fn flags_are_quoted_and_a_map_is_a_file() {
        let mut own = link("fog", Some(ivec2(1, 2)));
        own.preset.set("sight.decay.points", "[[1, 0.5]]").unwrap();
        assert_eq!(own.flags(), "--preset fog --seed 1 --at 1,2 --set 'sight.decay.points=[[1.0, 0.5]]'");
        let map = Link {
            name: String::new(),
            preset: Preset::bare_kernel(),
            viewer: Some(ivec2(4, 5)),
            map: Some(MapSource::new("my cave.txt", "")),
        };
        assert_eq!((map.query(), map.flags()), (String::new(), "--map 'my cave.txt' --at 4,5".into()));
    }

    #[test]
    fn a_heightmap_is_a_file_with_fields_and_a_climate() {
        let mut own = link("haze", Some(ivec2(1, 2)));
        let ground = GroundSource {
            humidity: Some(FieldSource::Flat(0.3)),
            vegetation: Some(FieldSource::File { name: "wood.tif".into(), digest: String::new() }),
            georeference: None,
        };
        own.map = Some(MapSource { ground: Some(ground), ..MapSource::new("alps.tif", "") });
        own.preset.world.rain = 0.5;
        own.preset = own.preset.on_ground(ivec2(300, 200), 30.0);
        assert_eq!(
            own.flags(),
            "--preset haze --heightmap alps.tif --humidity 0.3 --vegetation wood.tif --cell-size 30 --seed 14 --at 1,2 \
             --set world.rain=0.5"
        );
        assert_eq!(own.query(), "");
        own.preset.set("optics.curvature_coefficient", "0").unwrap();
        assert!(own.flags().contains(" --set optics.curvature_coefficient=0"), "{}", own.flags());
    }

    #[test]
    fn what_is_wrong_is_quoted_and_what_is_foreign_passed_over() {
        let message = |query: &str| Link::parse(query).unwrap_err().to_string();
        assert_eq!(message("seed=-3"), "the link: seed=-3 is not a whole number, 0 or more");
        assert_eq!(message("at=3"), "the link: at=3 is not a cell X,Y");
        assert_eq!(message("preset=%FF"), "the link: \"preset=%FF\" is not KEY=VALUE");
        assert!(message("preset=fogg").contains("did you mean \"fog\"?"), "{}", message("preset=fogg"));
        assert!(message("preset=/etc/passwd").contains("no preset"), "{}", message("preset=/etc/passwd"));
        let typo = message("optics.fog_onsett=1");
        assert!(typo.starts_with("the link: unknown key optics.fog_onsett"), "{typo}");
        let range = message("sight.radius=-1");
        assert!(range.starts_with("the link: sight.radius = -1"), "{range}");
        assert_eq!(Link::parse("utm_source=x&fbclid=1&").unwrap(), link("temperate", None));
    }
}
