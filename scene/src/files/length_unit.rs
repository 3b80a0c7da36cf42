//! [`LengthUnit`]: the known units of length; [`HeightAxis`] and [`VerticalSystem`]: unit and direction of the numbers of a
//! heightmap.

use serde::{Deserialize, Serialize};

use farsight::named_enum;

named_enum! {
    /// A unit of length.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum LengthUnit: "unit of heights" {
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

/// The names that programs write, in lower case letters and digits only.
const NAMES: [&[&str]; 3] = [
    &["m", "metre", "meter", "metres", "meters", "mtr"],
    &["ft", "foot", "feet", "ifoot", "intft", "ftint", "internationalfoot", "internationalfeet", "footinternational"],
    &[
        "usft",
        "ftus",
        "usfoot",
        "usfeet",
        "footus",
        "feetus",
        "ussft",
        "sft",
        "ussurveyfoot",
        "ussurveyfeet",
        "surveyfoot",
        "surveyfeet",
        "footussurvey",
        "ussurveyft",
    ],
];

impl LengthUnit {
    /// Returns the length in metres.
    pub(super) fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Foot => 0.3048,
            Self::UsSurveyFoot => 1200.0 / 3937.0,
        }
    }

    pub(super) fn epsg(self) -> u16 {
        9001 + self as u16
    }

    /// Returns the name in messages.
    pub(super) fn full_name(self) -> &'static str {
        ["metre", "foot", "US survey foot"][self as usize]
    }

    /// Returns the unit with an EPSG code.
    pub(super) fn of_epsg(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|unit| unit.epsg() == code)
    }

    /// Returns the unit of a length in metres.
    pub(super) fn of_metres(metres: f64) -> Option<Self> {
        Self::ALL.iter().copied().find(|unit| (unit.metres() - metres).abs() <= 1e-9 * metres)
    }

    /// Returns the unit of a name, in any common spelling.
    pub(super) fn named(name: &str) -> Option<Self> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
        let name: String = letters.collect();
        Self::ALL.iter().copied().find(|unit| NAMES[*unit as usize].contains(&name.as_str()))
    }
}

/// The unit of the numbers of a heightmap, and their direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeightAxis {
    pub(super) unit: LengthUnit,
    /// `true` for depths, which increase downwards.
    pub(super) is_depth: bool,
}

impl HeightAxis {
    /// Heights in metres.
    pub(super) const METRES_UP: Self = Self { unit: LengthUnit::Metre, is_depth: false };

    /// Returns the factor from numbers of the file to heights in metres.
    pub(super) fn height_of_one_m(self) -> f64 {
        if self.is_depth { -self.unit.metres() } else { self.unit.metres() }
    }

    /// Returns the message about a conversion, to follow the name of the file; `None` for heights in metres.
    pub(super) fn note(self) -> Option<String> {
        let name = self.unit.full_name();
        match self.is_depth {
            false if self.unit == LengthUnit::Metre => None,
            false => Some(format!("its heights are converted from the unit {name:?} to metres")),
            true => Some(format!("its depths are converted from the unit {name:?} to heights in metres")),
        }
    }
}

impl From<LengthUnit> for HeightAxis {
    fn from(unit: LengthUnit) -> Self {
        Self { unit, is_depth: false }
    }
}

/// A vertical reference system.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VerticalSystem {
    /// The unit, or the name or code of an unknown one.
    pub(super) unit: Result<LengthUnit, String>,
    /// `true` for depths, which increase downwards.
    pub(super) is_depth: bool,
}

impl VerticalSystem {
    /// Returns the vertical system of an EPSG code; heights in metres for an unknown code.
    pub(super) fn of_epsg(code: Option<u16>) -> Self {
        let known = VERTICAL_SYSTEMS
            .into_iter()
            .find(|(first, last, ..)| code.is_some_and(|code| (*first..=*last).contains(&code)));
        let (.., unit, is_depth) = known.unwrap_or((0, 0, 9001, false));
        Self { unit: LengthUnit::of_epsg(unit).ok_or_else(|| format!("EPSG {unit}")), is_depth }
    }

    /// Returns the axis.
    ///
    /// # Errors
    /// The name or the code of an unknown unit.
    pub(super) fn axis(self) -> Result<HeightAxis, String> {
        Ok(HeightAxis { unit: self.unit?, is_depth: self.is_depth })
    }
}

/// Vertical systems in feet or of depths: first code, last code, code of the unit, and `true` for depths.
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
