//! [`PrjSystem`]: the coordinate reference system in a `.prj` file next to a raster: well-known text of Esri, GDAL or ISO 19162, or
//! the lines of Arc/Info.
//!
//! # References
//! OGC, *Well-known text representation of coordinate reference systems* (18-010r7); OGC 01-009 for version 1.

use super::geo_keys::{CoordinateUnit, GEOGRAPHIC_CRS, GeoKeys, SEMI_MAJOR_AXIS};
use super::length_unit::{HeightAxis, LengthUnit, VerticalSystem};
use super::reference_system::{ELLIPSOID, INVERSE_FLATTENING, ReferenceSystem, SEMI_MINOR_AXIS};
use super::wkt::WktNode;
use super::wkt_projection::ProjectionParameters;

/// A coordinate reference system.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrjSystem {
    pub(super) keys: GeoKeys,
    /// Unit and direction of heights, if the system has a vertical one.
    pub(super) heights: Option<VerticalSystem>,
}

/// The radians of a degree and of a grad.
const DEGREE_RAD: f64 = std::f64::consts::PI / 180.0;
const GRAD_RAD: f64 = std::f64::consts::PI / 200.0;

/// The keywords of systems in longitude and latitude.
const GEOGRAPHIC_SYSTEMS: [&str; 5] = ["GEOGCS", "GEOGCRS", "GEODCRS", "GEODETICCRS", "GEOGRAPHICCRS"];

const WEB_MERCATOR: u16 = 3857;

/// Ellipsoids on which positions are taken as they are: semi-major axis, inverse flattening, and the EPSG code.
const KNOWN_ELLIPSOIDS: [(f64, f64, u16); 2] =
    [(6_378_137.0, 298.257_223_563, 7030), (6_378_137.0, 298.257_222_101, 7019)];

/// EPSG codes of units of angles: the grad, and one that is described elsewhere.
const GRAD: u16 = 9105;
const OTHER_ANGLE: u16 = 32767;

impl PrjSystem {
    /// Parses the text of a `.prj` file; `None` if it has no coordinate reference system of a known kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        if !text.contains(['[', '(']) {
            return Self::of_lines(text);
        }
        let root = WktNode::parse(text)?;
        let heights = root.find(&["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"]).map(WktNode::vertical_system);
        let heights = match heights {
            Some(system) => Some(system?),
            None => None,
        };
        let projected = root.find(&["PROJCS", "PROJCRS", "PROJECTEDCRS"]);
        let plane = || root.find(&["LOCAL_CS", "ENGCRS", "ENGINEERINGCRS"]);
        let horizontal = if let Some(system) = projected.or_else(plane) {
            Some((system, CoordinateUnit::of_length(system.unit()?.1)))
        } else {
            root.find(&GEOGRAPHIC_SYSTEMS).map(|system| {
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
            let code = system.epsg().or_else(|| system.is_web_mercator().then_some(WEB_MERCATOR));
            let keys = GeoKeys::of_system(code, system.name(), unit);
            if code.is_none()
                && let Some(keys) = projected.and_then(|system| system.projected_keys(&keys))
            {
                return keys;
            }
            radius_m.map_or(keys.clone(), |radius_m| keys.with_radius_m(radius_m))
        });
        (keys.is_some() || heights.is_some()).then(|| Self { keys: keys.unwrap_or_default(), heights })
    }

    /// Returns `true` if coordinates are the same in both, and heights are in metres or in none.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_in_metres =
            |system: &Self| system.heights.clone().is_none_or(|heights| heights.axis() == Ok(HeightAxis::METRES_UP));
        let is_same = match [self, other].map(|system| ReferenceSystem::from_keys(&system.keys)) {
            [Some(own), Some(other)] => own.is_same(&other),
            [None, None] => self.keys == other.keys,
            _ => false,
        };
        is_same && is_in_metres(self) && is_in_metres(other)
    }

    /// Parses a code, such as `EPSG:32632`, `EPSG:2263+6360` or `urn:ogc:def:crs:EPSG::32632`, or the text of a `.prj` file.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of_user_input(text: &str) -> Option<Self> {
        let upper = text.to_ascii_uppercase();
        let code = upper.strip_prefix("URN:OGC:DEF:CRS:EPSG:").and_then(|rest| rest.rsplit(':').next());
        let Some(code) = upper.strip_prefix("EPSG:").or(code) else { return Self::parse(text) };
        let (code, vertical) = code.split_once('+').map_or((code, None), |(code, vertical)| (code, Some(vertical)));
        let heights = match vertical {
            Some(vertical) => Some(VerticalSystem::of_epsg(Some(vertical.parse().ok()?))),
            None => None,
        };
        Some(Self { keys: GeoKeys::of_code(code.parse().ok()?)?, heights })
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

impl WktNode {
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

    /// Returns keys with the projection and the ellipsoid of a projected system, parameter by parameter.
    fn projected_keys(&self, keys: &GeoKeys) -> Option<GeoKeys> {
        let projection = ProjectionParameters::of_node(self)?;
        let geographic = self.find(&[&GEOGRAPHIC_SYSTEMS[..], &["BASEGEOGCRS", "BASEGEODCRS"]].concat())?;
        let ellipsoid = geographic.find(&["SPHEROID", "ELLIPSOID"])?;
        let number = |i: usize| ellipsoid.texts.get(i)?.parse::<f64>().ok().filter(|number| number.is_finite());
        let (major_m, inverse_flattening) = (number(1)?, number(2)?);
        let code = geographic.epsg();
        let is_known =
            |&&(major, inverse, _): &&(f64, f64, u16)| major == major_m && (inverse - inverse_flattening).abs() < 1e-8;
        let known = KNOWN_ELLIPSOIDS.iter().find(is_known).map(|(.., code)| (ELLIPSOID, *code));
        let minor = if inverse_flattening == 0.0 {
            (SEMI_MINOR_AXIS, major_m)
        } else {
            (INVERSE_FLATTENING, inverse_flattening)
        };
        let system = (GEOGRAPHIC_CRS, code.unwrap_or(GeoKeys::USER_DEFINED));
        let axes = if code.is_some() { None } else { Some([(SEMI_MAJOR_AXIS, major_m), minor]) };
        let numbers = projection.numbers().into_iter().chain([system]).chain(known.filter(|_| code.is_none()));
        Some(keys.clone().described_by(numbers, projection.values().chain(axes.into_iter().flatten())))
    }

    /// Returns `true` for Web Mercator, which has methods of its own.
    fn is_web_mercator(&self) -> bool {
        let conversion = self.child(&["CONVERSION"]).unwrap_or(self);
        let method = conversion.child(&["PROJECTION", "METHOD"]).map_or("", Self::name);
        let is_neutral = |node: &Self| {
            let value = node.texts.get(1).and_then(|value| value.parse::<f64>().ok());
            node.keyword != "PARAMETER" || value == Some(0.0) || node.name().eq_ignore_ascii_case("scale_factor")
        };
        ["Mercator_Auxiliary_Sphere", "Popular Visualisation Pseudo Mercator"].contains(&method)
            && conversion.nodes.iter().all(is_neutral)
    }

    /// Returns the EPSG code of a system, by its identifier or by a name that Esri gives it.
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
