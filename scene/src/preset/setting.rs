//! [`Setting`]: name, unit, range and meaning of a key of a preset, its flag, and the condition under which it has an
//! effect.
//!
//! Range checks, comments of a saved preset, the JSON schema, the flags of the command line and the sliders of the
//! explorer use the same table, so they always agree.

use std::ops::RangeInclusive;

use crate::creatures::GLYPHS;
use crate::preset::{Condition, PlaceName};

/// A key of a preset.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// The key with its section: `optics.visual_range_m`.
    pub key: &'static str,
    /// Unit of the value, or empty.
    pub unit: &'static str,
    /// The type and range of its values.
    pub kind: SettingKind,
    /// The condition under which it has an effect.
    pub conditions: &'static [Condition],
    /// The command-line flag that sets it.
    pub flag: Option<Flag>,
    /// The meaning, and the effect of a larger value, without the conditions.
    text: &'static str,
}

/// A flag that sets one key.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Flag {
    /// The name: `method`, or `no-repair` for a flag that turns a switch off.
    pub name: &'static str,
    /// The name of its value, or empty.
    pub value_name: &'static str,
    /// Its meaning.
    pub help: &'static str,
}

/// The type and range of the values of a [`Setting`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// A number from `min` to `max`. `inf` is valid if `max` is infinite.
    Number {
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
        /// Minimum and maximum of a slider.
        slider_range: [f64; 2],
        /// Whether the slider is logarithmic.
        log: bool,
    },
    /// An optional number from `min` to `max`.
    Optional {
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
        /// Minimum and maximum of a slider.
        slider_range: [f64; 2],
        /// Whether the slider is logarithmic.
        log: bool,
        /// The value of an absent key, as text.
        absent: &'static str,
    },
    /// An integer from `min` to `max`.
    Integer {
        /// Minimum.
        min: i64,
        /// Maximum.
        max: i64,
        /// Minimum and maximum of a slider.
        slider_range: [i64; 2],
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or another name. Without words, a place name.
    Name(&'static [&'static str]),
    /// The glyph of a creature.
    Glyph,
    /// `true` or `false`.
    Switch,
    /// A list of pairs of numbers.
    Points,
    /// A cell: `[x, y]`.
    Cell,
    /// A list of 1 to this many cells, which can be off the map.
    Cells(usize),
    /// A colour: `"#rrggbb"`.
    Colour,
}

/// A list of a preset: `[[lamps]]`. All entries have the same keys.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingList {
    /// The name: `lamps`.
    pub key: &'static str,
    /// The keys of an entry: `lamps.reach`.
    pub settings: &'static [Setting],
    /// The required keys of an entry, without the name of the list.
    pub required: &'static [&'static str],
    /// The maximum number of entries.
    pub max_len: usize,
    /// The meaning.
    pub help: &'static str,
}

impl Setting {
    /// Returns the section of the key: `optics`, `sight.decay`.
    pub fn section(&self) -> &'static str {
        self.key.rsplit_once('.').map_or("", |(section, _)| section)
    }

    /// Returns the key without its section.
    pub fn name(&self) -> &'static str {
        self.key.rsplit_once('.').map_or(self.key, |(_, name)| name)
    }

    /// Returns the meaning, the effect of a larger value, and the condition under which it has an effect.
    pub fn help(&self) -> String {
        let conditions = self.conditions.iter().filter(|condition| condition.is_in_help());
        conditions.fold(self.text.to_owned(), |help, condition| format!("{help} {}", condition.words()))
    }

    /// Returns the minimum and maximum of the slider of a number.
    pub fn slider_range(&self) -> Option<[f64; 2]> {
        match self.kind {
            SettingKind::Number { slider_range, .. } | SettingKind::Optional { slider_range, .. } => Some(slider_range),
            SettingKind::Integer { slider_range, .. } => Some(slider_range.map(|end| end as f64)),
            _ => None,
        }
    }

    /// Returns the range as text: `0 to 1`, `10 or more, or inf`, `linear | smooth | none`.
    pub fn range(&self) -> String {
        self.range_in("")
    }

    /// Returns the range as text, with the unit: `10 m or more, or inf`.
    pub fn range_with_unit(&self) -> String {
        self.range_in(&if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) })
    }

    fn range_in(&self, unit: &str) -> String {
        match self.kind {
            SettingKind::Number { min, max, .. } if max.is_infinite() => format!("{min}{unit} or more, or inf"),
            SettingKind::Number { min, max, .. } => format!("{min} to {max}{unit}"),
            SettingKind::Optional { min, max, absent, .. } => format!("{min} to {max}{unit}, or absent for {absent}"),
            SettingKind::Integer { min, max, .. } => format!("a whole number from {min} to {max}{unit}"),
            SettingKind::Choice(words) => words.join(" | "),
            SettingKind::Name([]) => format!("1 to {} letters, no control characters", PlaceName::MAX_LENGTH),
            SettingKind::Name(words) => format!("{}, or a name of your own with a glyph", words.join(" | ")),
            SettingKind::Glyph => GLYPHS.into(),
            SettingKind::Switch => "true or false".into(),
            SettingKind::Points => "a list of [distance, value] pairs".into(),
            SettingKind::Cell => "a cell [x, y], counted from the upper left".into(),
            SettingKind::Cells(most) => format!("a list of 1 to {most} cells [x, y], which may be off the map"),
            SettingKind::Colour => "a colour \"#rrggbb\"".into(),
        }
    }

    pub(super) const fn new(key: &'static str, kind: SettingKind) -> Self {
        Self { key, unit: "", kind, conditions: &[], flag: None, text: "" }
    }

    pub(super) const fn number(
        key: &'static str,
        unit: &'static str,
        range: RangeInclusive<f64>,
        slider_range: [f64; 2],
    ) -> Self {
        let kind = SettingKind::Number { min: *range.start(), max: *range.end(), slider_range, log: false };
        Self { unit, ..Self::new(key, kind) }
    }

    /// A number with a logarithmic slider.
    pub(super) const fn logarithmic(
        key: &'static str,
        unit: &'static str,
        range: RangeInclusive<f64>,
        slider_range: [f64; 2],
    ) -> Self {
        let kind = SettingKind::Number { min: *range.start(), max: *range.end(), slider_range, log: true };
        Self { unit, ..Self::new(key, kind) }
    }

    pub(super) const fn integer(
        key: &'static str,
        unit: &'static str,
        range: RangeInclusive<u32>,
        slider_range: [i64; 2],
    ) -> Self {
        let kind = SettingKind::Integer { min: *range.start() as i64, max: *range.end() as i64, slider_range };
        Self { unit, ..Self::new(key, kind) }
    }

    pub(super) const fn choice(key: &'static str, words: &'static [&'static str]) -> Self {
        Self::new(key, SettingKind::Choice(words))
    }

    pub(super) const fn switch(key: &'static str) -> Self {
        Self::new(key, SettingKind::Switch)
    }

    /// Makes a number optional. `absent` is the value of an absent key, as text.
    pub(super) const fn optional(mut self, absent: &'static str) -> Self {
        if let SettingKind::Number { min, max, slider_range, log } = self.kind {
            self.kind = SettingKind::Optional { min, max, slider_range, log, absent };
        }
        self
    }

    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    pub(super) const fn text(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }

    pub(super) const fn needs(mut self, conditions: &'static [Condition]) -> Self {
        self.conditions = conditions;
        self
    }

    pub(super) const fn flag(mut self, name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        self.flag = Some(Flag { name, value_name, help });
        self
    }
}
