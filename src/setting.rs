//! Settings: what every key of a preset means, its unit and its range.
//!
//! One table serves the range checks, the comments of a saved preset, the JSON schema and the
//! sliders of the explorer, so they cannot disagree.

/// One key of a preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Dotted path: `optics.visual_range_m`.
    pub key: &'static str,
    /// Unit of the value, or empty.
    pub unit: &'static str,
    /// What values it takes.
    pub kind: SettingKind,
    /// What it means, and what raising it does.
    pub help: &'static str,
}

/// What values a [`Setting`] takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A number from `min` to `max`; a slider spans `usual`. `inf` is allowed where `max` is infinite.
    Number {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// What a slider spans.
        slider_range: [f64; 2],
        /// Whether a slider moves in ratios.
        log: bool,
    },
    /// A number that may be left out.
    Optional {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
        /// What a slider spans.
        slider_range: [f64; 2],
        /// Whether a slider moves in ratios.
        log: bool,
        /// What holds where it is left out.
        absent: &'static str,
    },
    /// A whole number from `min` to `max`; a slider spans `usual`.
    Integer {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
        /// What a slider spans.
        slider_range: [i64; 2],
    },
    /// One of several words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
    /// A list of pairs of numbers.
    Points,
    /// A cell: `[x, y]`.
    Cell,
    /// A colour: `"#rrggbb"`.
    Colour,
}

/// A list of a preset: entries of one kind, `[[lamps]]`, each with keys of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettingList {
    /// Its name: `lamps`.
    pub key: &'static str,
    /// The keys of an entry, as `lamps.reach`.
    pub settings: &'static [Setting],
    /// The keys that every entry must have.
    pub required: &'static [&'static str],
    /// The most entries.
    pub max_len: usize,
    /// What it means.
    pub help: &'static str,
}

impl Setting {
    /// The section of the preset that it stands in: `optics`, `sight.decay`.
    pub fn section(&self) -> &'static str {
        self.key.rsplit_once('.').map_or("", |(section, _)| section)
    }

    /// The last part of the key.
    pub fn name(&self) -> &'static str {
        self.key.rsplit_once('.').map_or(self.key, |(_, name)| name)
    }

    /// The range in words: `0 to 1`, `10 or more, or inf`, `linear | smooth | none`.
    pub fn range(&self) -> String {
        self.range_in("")
    }

    /// The range in words, with the unit: `10 m or more, or inf`.
    pub fn range_with_unit(&self) -> String {
        self.range_in(&if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) })
    }

    fn range_in(&self, unit: &str) -> String {
        match self.kind {
            SettingKind::Number { min, max, .. } if max.is_infinite() => format!("{min}{unit} or more, or inf"),
            SettingKind::Number { min, max, .. } => format!("{min} to {max}{unit}"),
            SettingKind::Optional { min, max, absent, .. } => format!("{min} to {max}{unit}, or left out for {absent}"),
            SettingKind::Integer { min, max, .. } => format!("a whole number from {min} to {max}{unit}"),
            SettingKind::Choice(words) => words.join(" | "),
            SettingKind::Switch => "true or false".into(),
            SettingKind::Points => "a list of [distance, value] pairs".into(),
            SettingKind::Cell => "a cell [x, y], counted from the upper left".into(),
            SettingKind::Colour => "a colour \"#rrggbb\"".into(),
        }
    }
}
