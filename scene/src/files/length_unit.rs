//! [`LengthUnit`]: units of length by their EPSG codes and by the names that programs write; [`HeightUnit`]: a unit that a user
//! names; [`HeightAxis`]: unit and direction of the numbers of a heightmap.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use farsight::named_enum;

named_enum! {
    /// The unit of the heights of a file that does not tell it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum HeightUnit: "unit of heights" {
        /// The metre.
        #[serde(rename = "m")]
        Metre = "m",
        /// The international foot, 0.3048 m.
        #[serde(rename = "ft")]
        Foot = "ft",
        /// The US survey foot, 1200/3937 m.
        #[serde(rename = "us-ft")]
        UsSurveyFoot = "us-ft",
    }
}

/// A unit of length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LengthUnit {
    pub(super) name: Cow<'static, str>,
    /// Its length in metres.
    pub(super) metres: f64,
}

/// Codes, names and lengths in metres.
///
/// # References
/// EPSG Geodetic Parameter Dataset, version 11.022.
const UNITS: [(u16, &str, f64); 50] = [
    (9001, "metre", 1.0),
    (9002, "foot", FOOT_M),
    (9003, "US survey foot", US_SURVEY_FOOT_M),
    (1025, "millimetre", 0.001),
    (1033, "centimetre", 0.01),
    (9005, "Clarke's foot", 0.3047972654),
    (9014, "fathom", 1.8288),
    (9030, "nautical mile", 1852.0),
    (9031, "German legal metre", 1.0000135965),
    (9033, "US survey chain", 66.0 * US_SURVEY_FOOT_M),
    (9034, "US survey link", 0.66 * US_SURVEY_FOOT_M),
    (9035, "US survey mile", 5280.0 * US_SURVEY_FOOT_M),
    (9036, "kilometre", 1000.0),
    (9037, "Clarke's yard", 3.0 * 0.3047972654),
    (9038, "Clarke's chain", 66.0 * 0.3047972654),
    (9039, "Clarke's link", 0.66 * 0.3047972654),
    (9040, "British yard (Sears 1922)", 3.0 * SEARS_FOOT_M),
    (9041, "British foot (Sears 1922)", SEARS_FOOT_M),
    (9042, "British chain (Sears 1922)", 66.0 * SEARS_FOOT_M),
    (9043, "British link (Sears 1922)", 0.66 * SEARS_FOOT_M),
    (9050, "British yard (Benoit 1895 A)", 0.9143992),
    (9051, "British foot (Benoit 1895 A)", 0.9143992 / 3.0),
    (9052, "British chain (Benoit 1895 A)", 22.0 * 0.9143992),
    (9053, "British link (Benoit 1895 A)", 0.22 * 0.9143992),
    (9060, "British yard (Benoit 1895 B)", 36.0 / 39.370113),
    (9061, "British foot (Benoit 1895 B)", 12.0 / 39.370113),
    (9062, "British chain (Benoit 1895 B)", 792.0 / 39.370113),
    (9063, "British link (Benoit 1895 B)", 7.92 / 39.370113),
    (9070, "British foot (1865)", 0.9144025 / 3.0),
    (9080, "Indian foot", 12.0 / 39.370142),
    (9081, "Indian foot (1937)", 0.30479841),
    (9082, "Indian foot (1962)", 0.3047996),
    (9083, "Indian foot (1975)", 0.3047995),
    (9084, "Indian yard", 36.0 / 39.370142),
    (9085, "Indian yard (1937)", 0.91439523),
    (9086, "Indian yard (1962)", 0.9143988),
    (9087, "Indian yard (1975)", 0.9143985),
    (9093, "Statute mile", 1609.344),
    (9094, "Gold Coast foot", 6378300.0 / 20926201.0),
    (9095, "British foot (1936)", 0.3048007491),
    (9096, "yard", 0.9144),
    (9097, "chain", 20.1168),
    (9098, "link", 0.201168),
    (9099, "British yard (Sears 1922 truncated)", 0.914398),
    (9300, "British foot (Sears 1922 truncated)", 0.914398 / 3.0),
    (9301, "British chain (Sears 1922 truncated)", 22.0 * 0.914398),
    (9302, "British link (Sears 1922 truncated)", 0.22 * 0.914398),
    // Without a code.
    (0, "decimetre", 0.1),
    (0, "inch", 0.0254),
    (0, "decametre", 10.0),
];

const FOOT_M: f64 = 0.3048;
const US_SURVEY_FOOT_M: f64 = 1200.0 / 3937.0;
const SEARS_FOOT_M: f64 = 12.0 / 39.370147;

/// Other names of units, in small letters and digits only; the second is the name in [`UNITS`].
const ALIASES: [(&str, &[&str]); 11] = [
    ("metre", &["m", "meter", "metres", "meters", "mtr"]),
    ("foot", &["ft", "feet", "ifoot", "intft", "ftint", "internationalfoot", "internationalfeet", "footinternational"]),
    (
        "US survey foot",
        &[
            "usft",
            "ftus",
            "usfoot",
            "usfeet",
            "footus",
            "feetus",
            "ussft",
            "sft",
            "ussurveyfeet",
            "surveyfoot",
            "surveyfeet",
            "footussurvey",
            "ussurveyft",
        ],
    ),
    ("millimetre", &["mm", "millimeter", "millimetres", "millimeters"]),
    ("centimetre", &["cm", "centimeter", "centimetres", "centimeters"]),
    ("decimetre", &["dm", "decimeter", "decimetres", "decimeters"]),
    ("kilometre", &["km", "kilometer", "kilometres", "kilometers"]),
    ("decametre", &["dam", "dekameter", "decameter", "decametres"]),
    ("yard", &["yd", "yards", "internationalyard"]),
    ("fathom", &["fath", "fathoms", "ftm"]),
    ("inch", &["in", "inches"]),
];

impl LengthUnit {
    fn metre() -> Self {
        Self { name: "metre".into(), metres: 1.0 }
    }

    /// Returns the unit with an EPSG code.
    pub(super) fn of_epsg(code: u16) -> Option<Self> {
        let (_, name, metres) = UNITS.into_iter().find(|(known, ..)| *known == code && code != 0)?;
        Some(Self { name: name.into(), metres })
    }

    /// Returns the EPSG code of a length in metres, if a unit has it.
    pub(super) fn epsg_of(metres: f64) -> Option<u16> {
        let is_it = |length: f64| (length - metres).abs() <= 1e-9 * length;
        UNITS.into_iter().find(|(code, _, length)| *code != 0 && is_it(*length)).map(|(code, ..)| code)
    }

    /// Returns the unit of a name, in any spelling that programs use.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
        };
        let wanted = plain(name);
        let known = ALIASES.into_iter().find(|(_, aliases)| aliases.contains(&wanted.as_str()));
        let wanted = known.map_or(wanted, |(name, _)| plain(name));
        let (_, name, metres) = UNITS.into_iter().find(|(_, name, _)| plain(name) == wanted)?;
        Some(Self { name: name.into(), metres })
    }
}

/// The unit of the numbers of a heightmap, and their direction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeightAxis {
    pub(super) unit: LengthUnit,
    /// `true` for depths, which increase downwards.
    pub(super) is_depth: bool,
}

impl HeightAxis {
    /// Heights in metres.
    pub(super) fn metres_up() -> Self {
        Self { unit: LengthUnit::metre(), is_depth: false }
    }

    /// Returns the number by which numbers of the file are multiplied to be heights in metres.
    pub(super) fn height_of_one_m(&self) -> f64 {
        if self.is_depth { -self.unit.metres } else { self.unit.metres }
    }

    /// Returns what to say of a conversion, to follow the name of the file; `None` for heights in metres.
    pub(super) fn note(&self) -> Option<String> {
        let (name, is_metre) = (&self.unit.name, self.unit.metres == 1.0);
        match self.is_depth {
            false if is_metre => None,
            false => Some(format!("its heights are converted from the unit {name:?} to metres")),
            true => Some(format!("its depths are converted from the unit {name:?} to heights in metres")),
        }
    }
}

impl From<HeightUnit> for HeightAxis {
    fn from(unit: HeightUnit) -> Self {
        let code = match unit {
            HeightUnit::Metre => 9001,
            HeightUnit::Foot => 9002,
            HeightUnit::UsSurveyFoot => 9003,
        };
        Self { unit: LengthUnit::of_epsg(code).unwrap_or_else(LengthUnit::metre), is_depth: false }
    }
}

/// Vertical systems in feet, and those of depths: first code, last code, code of the unit, and `true` for depths.
///
/// # References
/// EPSG Geodetic Parameter Dataset, version 11.022.
const VERTICAL_SYSTEMS: [(u16, u16, u16, bool); 35] = [
    (5336, 5336, 9001, true),
    (5612, 5612, 9001, true),
    (5614, 5614, 9002, true),
    (5702, 5702, 9003, false),
    (5706, 5706, 9001, true),
    (5715, 5715, 9001, true),
    (5734, 5734, 9001, true),
    (5739, 5739, 9001, true),
    (5754, 5754, 9095, false),
    (5789, 5789, 9001, true),
    (5831, 5831, 9001, true),
    (5861, 5867, 9001, true),
    (5873, 5873, 9001, true),
    (6130, 6132, 9002, false),
    (6357, 6357, 9001, true),
    (6358, 6359, 9003, true),
    (6360, 6360, 9003, false),
    (7976, 7976, 9001, true),
    (8050, 8050, 9002, false),
    (8051, 8051, 9002, true),
    (8052, 8052, 9003, false),
    (8053, 8053, 9003, true),
    (8228, 8228, 9002, false),
    (8358, 8358, 9001, true),
    (8378, 8378, 9001, true),
    (8897, 8897, 9002, true),
    (9287, 9288, 9001, true),
    (9672, 9672, 9001, true),
    (10150, 10151, 9001, true),
    (10349, 10349, 9001, true),
    (10364, 10364, 9001, true),
    (10370, 10379, 9001, true),
    (10547, 10552, 9001, true),
    (10649, 10650, 9001, true),
    (10678, 10678, 9001, true),
];

impl HeightAxis {
    /// Returns the axis of a vertical system by its EPSG code; heights in metres for any that is not known.
    pub(super) fn of_vertical_system(code: Option<u16>) -> Self {
        let known = VERTICAL_SYSTEMS
            .into_iter()
            .find(|(first, last, ..)| code.is_some_and(|code| (*first..=*last).contains(&code)));
        let axis = known.and_then(|(.., unit, is_depth)| Some(Self { unit: LengthUnit::of_epsg(unit)?, is_depth }));
        axis.unwrap_or_else(Self::metres_up)
    }
}
