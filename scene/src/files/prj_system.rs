//! [`Projection`]: the coordinate reference system in a `.prj` file next to a raster: well-known text of Esri, GDAL or ISO 19162, or
//! the lines of Arc/Info.
//!
//! # References
//! OGC, *Well-known text representation of coordinate reference systems* (18-010r7); OGC 01-009 for version 1.

use crate::files::geo_keys::{CoordinateUnit, GeoKeys};
use crate::files::length_unit::{LengthUnit, VerticalSystem};

/// A coordinate reference system.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrjSystem {
    pub(super) keys: GeoKeys,
    /// Unit and direction of heights, if the system has a vertical one.
    pub(super) heights: Option<VerticalSystem>,
}

/// `KEYWORD[...]`.
#[derive(Debug, Default)]
struct Node {
    /// In capital letters.
    keyword: String,
    nodes: Vec<Node>,
    /// Texts, numbers and words between the brackets.
    texts: Vec<String>,
}

/// The maximum nesting of brackets.
const MAX_DEPTH: usize = 24;

/// The radians of a degree and of a grad.
const DEGREE_RAD: f64 = std::f64::consts::PI / 180.0;
const GRAD_RAD: f64 = std::f64::consts::PI / 200.0;

/// EPSG codes of angular units: the grad, and the user-defined unit.
const GRAD: u16 = 9105;
const OTHER_ANGLE: u16 = 32767;

impl PrjSystem {
    /// Parses the text of a `.prj` file; `None` if it has no coordinate reference system of a known kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        if !text.contains(['[', '(']) {
            return Self::of_lines(text);
        }
        let mut parser = Parser { rest: text };
        let mut root = Node::default();
        parser.read_items(&mut root, 0)?;
        if !parser.rest.is_empty() {
            return None;
        }
        let heights = root.find(&["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"]).map(Node::vertical_system);
        let heights = match heights {
            Some(system) => Some(system?),
            None => None,
        };
        let horizontal = if let Some(system) = root.find(&["PROJCS", "PROJCRS", "PROJECTEDCRS"]) {
            Some((system, CoordinateUnit::of_length(system.unit()?.1)))
        } else {
            let names = ["GEOGCS", "GEOGCRS", "GEODCRS", "GEODETICCRS", "GEOGRAPHICCRS"];
            root.find(&names).map(|system| {
                let radians = system.unit().map_or(DEGREE_RAD, |(_, radians)| radians);
                let is = |unit: f64| (radians - unit).abs() <= 1e-9;
                let unit = match radians {
                    _ if is(DEGREE_RAD) => CoordinateUnit::Degrees,
                    _ if is(GRAD_RAD) => CoordinateUnit::Other(GRAD),
                    _ => CoordinateUnit::Other(OTHER_ANGLE),
                };
                (system, unit)
            })
        };
        let radius_m = root.find(&["SPHEROID", "ELLIPSOID"]).and_then(|ellipsoid| ellipsoid.texts.get(1)?.parse().ok());
        let keys = horizontal.map(|(system, unit)| {
            let keys = GeoKeys::of_system(system.epsg(), system.name(), unit);
            radius_m.map_or(keys.clone(), |radius_m| keys.with_radius_m(radius_m))
        });
        (keys.is_some() || heights.is_some()).then(|| Self { keys: keys.unwrap_or_default(), heights })
    }

    /// Parses the lines of Arc/Info, a key and a value each: `Projection UTM`, `Units METERS`, `Zunits NO`.
    fn of_lines(text: &str) -> Option<Self> {
        let value = |key: &str| {
            let mut lines = text.lines().map(|line| line.split_whitespace());
            lines.find_map(|mut words| words.next()?.eq_ignore_ascii_case(key).then(|| words.next())?)
        };
        let projection = value("projection")?.to_ascii_uppercase();
        let length = |name: &str| match name.to_ascii_uppercase().as_str() {
            "FEET" => Some(LengthUnit::UsSurveyFoot), // of a survey, as everything in these files
            _ => LengthUnit::named(name),
        };
        let unit = match value("units")? {
            "DD" | "dd" | "Dd" => CoordinateUnit::Degrees,
            name => CoordinateUnit::Length(length(name)?),
        };
        let heights = match value("zunits") {
            None | Some("NO" | "No" | "no") => None,
            Some(name) => Some(VerticalSystem { unit: length(name).ok_or_else(|| name.to_owned()), is_depth: false }),
        };
        Some(Self { keys: GeoKeys::of_system(None, &projection, unit), heights })
    }
}

impl Node {
    /// Returns the first node with one of some keywords, at any depth.
    fn find(&self, keywords: &[&str]) -> Option<&Self> {
        self.nodes.iter().find_map(|node| {
            let is_it = keywords.contains(&node.keyword.as_str());
            if is_it { Some(node) } else { node.find(keywords) }
        })
    }

    fn child(&self, keywords: &[&str]) -> Option<&Self> {
        self.nodes.iter().find(|node| keywords.contains(&node.keyword.as_str()))
    }

    fn name(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }

    /// Returns name and size of the unit of a system, which may be in its axes.
    fn unit(&self) -> Option<(&str, f64)> {
        let units = ["UNIT", "LENGTHUNIT", "ANGLEUNIT"];
        let unit = self.child(&units).or_else(|| {
            self.nodes.iter().find_map(|node| if node.keyword == "AXIS" { node.child(&units) } else { None })
        })?;
        let size = unit.texts.get(1)?.parse().ok().filter(|size: &f64| size.is_finite() && *size > 0.0)?;
        Some((unit.texts.first()?, size))
    }

    fn vertical_system(&self) -> Option<VerticalSystem> {
        let (name, metres) = self.unit()?;
        let unit = LengthUnit::of_metres(metres).ok_or_else(|| name.to_owned());
        let is_down = |node: &Self| match node.keyword.as_str() {
            "AXIS" => node.texts.iter().skip(1).any(|word| word.eq_ignore_ascii_case("down")),
            "PARAMETER" => {
                node.texts.first().is_some_and(|name| name.eq_ignore_ascii_case("Direction"))
                    && node.texts.get(1).and_then(|value| value.parse::<f64>().ok()) == Some(-1.0)
            }
            _ => false,
        };
        let tells_direction = self.child(&["AXIS", "PARAMETER"]).is_some();
        let is_named_so = !tells_direction && self.name().to_ascii_lowercase().contains("depth");
        Some(VerticalSystem { unit, is_depth: is_named_so || self.nodes.iter().any(is_down) })
    }

    /// Returns the EPSG code of a system, by its identifier or by its Esri name.
    fn epsg(&self) -> Option<u16> {
        let authority = self.child(&["AUTHORITY", "ID"]).map(|node| node.texts.as_slice());
        if let Some([name, code, ..]) = authority {
            return if name == "EPSG" { code.parse().ok() } else { None };
        }
        let name = self.name();
        let utm = |prefix: &str, north: u16, south: Option<u16>, zones: std::ops::RangeInclusive<u16>| {
            let zone = name.strip_prefix(prefix)?;
            let (number, is_north) = match zone.strip_suffix('N') {
                Some(number) => (number, true),
                None => (zone.strip_suffix('S')?, false),
            };
            let number = number.parse().ok().filter(|number| zones.contains(number))?;
            Some(if is_north { north } else { south? } + number)
        };
        match name {
            "GCS_WGS_1984" => Some(4326),
            "GCS_North_American_1983" => Some(4269),
            "GCS_ETRS_1989" => Some(4258),
            "WGS_1984_Web_Mercator_Auxiliary_Sphere" => Some(3857),
            "British_National_Grid" => Some(27700),
            _ => utm("WGS_1984_UTM_Zone_", 32600, Some(32700), 1..=60)
                .or_else(|| utm("ETRS_1989_UTM_Zone_", 25800, None, 28..=38))
                .or_else(|| utm("NAD_1983_UTM_Zone_", 26900, None, 1..=23)),
        }
    }
}

/// Reads nodes from the front of a text.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    /// Reads the items up to the closing bracket, or all of the text. `None` if it is malformed.
    fn read_items(&mut self, node: &mut Node, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        loop {
            self.rest = self.rest.trim_start_matches(|letter: char| letter == ',' || letter.is_whitespace());
            match self.rest.chars().next() {
                None => return (depth == 0).then_some(()),
                Some(']' | ')') => {
                    self.rest = &self.rest[1..];
                    return (depth > 0).then_some(());
                }
                Some('"') => {
                    // A quote is doubled in a text.
                    let mut text = String::new();
                    loop {
                        let (start, rest) = self.rest[1..].split_once('"')?;
                        text += start;
                        self.rest = rest;
                        if !rest.starts_with('"') {
                            break;
                        }
                        text.push('"');
                    }
                    node.texts.push(text);
                }
                Some(_) => {
                    let end = self.rest.find(['[', '(', ']', ')', ',', '"']).unwrap_or(self.rest.len());
                    let (word, rest) = self.rest.split_at(end);
                    let word = word.trim();
                    match rest.strip_prefix(['[', '(']) {
                        Some(rest) => {
                            self.rest = rest;
                            let mut inner = Node { keyword: word.to_ascii_uppercase(), ..Node::default() };
                            self.read_items(&mut inner, depth + 1)?;
                            node.nodes.push(inner);
                        }
                        None => {
                            self.rest = rest;
                            node.texts.push(word.to_owned());
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (Option<u16>, Option<(f64, bool)>) {
        let PrjSystem { keys, heights } = PrjSystem::parse(text).unwrap_or_else(|| panic!("{text}"));
        (keys.epsg(), heights.map(|system| (system.unit.unwrap().metres(), system.is_depth)))
    }

    #[test]
    fn systems_are_parsed_in_every_dialect() {
        let us_survey_foot = 1200.0 / 3937.0;
        let esri = r#"PROJCS["NAD_1983_UTM_Zone_13N",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],UNIT["Meter",1.0]],VERTCS["NAVD88_depth_(ftUS)",VDATUM["North_American_Vertical_Datum_1988"],PARAMETER["Vertical_Shift",0.0],PARAMETER["Direction",-1.0],UNIT["US survey foot",0.304800609601219]]"#;
        assert_eq!(parsed(esri), (Some(26913), Some((us_survey_foot, true))));
        let first = r#"COMPD_CS["a ""b"" (c)",PROJCS["x",GEOGCS["y",UNIT["degree",0.0174532925199433]],UNIT["metre",1],AUTHORITY["EPSG","32632"]],
            VERT_CS["z",VERT_DATUM["d",2005],UNIT["foot",0.3048],AXIS["Up",UP]]]"#;
        assert_eq!(parsed(first), (Some(32632), Some((0.3048, false))));
        let second = r#"COMPOUNDCRS["c",GEOGCRS["g",CS[ellipsoidal,2],AXIS["lat",north,ANGLEUNIT["degree",0.0174532925199433]],ID["EPSG",4326]],
            VERTCRS["v",CS[vertical,1],AXIS["depth (D)",down,LENGTHUNIT["metre",1]]]]"#;
        assert_eq!(parsed(second), (Some(4326), Some((1.0, true))));
        assert_eq!(
            parsed("Projection    UTM\nZunits        FEET\nUnits         METERS\n"),
            (None, Some((us_survey_foot, false)))
        );
        assert_eq!(parsed("PROJECTION GEOGRAPHIC\r\nUNITS DD\r\nZUNITS NO\r\n"), (None, None));
        for zone in ["WGS_1984_UTM_Zone_61N", "ETRS_1989_UTM_Zone_32S", "NAD_1983_UTM_Zone_N", "Mars"] {
            assert_eq!(parsed(&format!("PROJCS[\"{zone}\",UNIT[\"Meter\",1.0]]")), (None, None), "{zone}");
        }
    }

    #[test]
    fn other_texts_are_no_system() {
        let deep = "A[".repeat(10_000);
        for text in [
            "",
            "garbage",
            "PROJCS[",
            "PROJCS[\"a",
            "PROJCS[\"a\"]",
            "]",
            "UNIT[\"m\",1]",
            "projection",
            "PROJCS[\"a\",UNIT[\"m\",0]]",
            &deep,
        ] {
            assert_eq!(PrjSystem::parse(text), None, "{text}");
        }
    }
}
