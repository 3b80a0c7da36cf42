//! [`prj_text`]: a coordinate reference system as the text of a `.prj` file.
//!
//! # References
//! OGC 01-009, *Coordinate transformation services*, for version 1 of well-known text.

use super::definitions::wkt_of_code;
use super::geo_keys::{GEOGRAPHIC_CRS, GeoKeys, SEMI_MAJOR_AXIS};
use super::length_unit::LengthUnit;
use super::reference_system::{ELLIPSOID, INVERSE_FLATTENING, SEMI_MINOR_AXIS};
use super::wkt::WktNode;
use super::wkt_projection::ProjectionParameters;

const WGS84: u16 = 4326;
const WGS84_ELLIPSOID: (f64, f64) = (6_378_137.0, 298.257_223_563);
const GRS80: u16 = 7019;

/// Returns the coordinate reference system of a raster as well-known text, version 1: that of its code, or its projection parameter by
/// parameter, or a plane with its unit. `None` without keys, and for a system that has no text.
pub(super) fn prj_text(keys: &GeoKeys) -> Option<String> {
    let code_text = keys.epsg().map(wkt_of_code);
    match (code_text, keys.own_unit()) {
        (Some(text), None) => text.map(str::to_owned),
        (Some(text), Some(unit)) => text_in_unit(text?, unit).or_else(|| Some(plane_text("unknown", unit))),
        (None, _) if keys.is_in_degrees() => Some(unknown_geographic_text(ellipsoid(keys).unwrap_or(WGS84_ELLIPSOID))),
        (None, _) => {
            let unit = keys.length_unit().filter(|_| !keys.is_empty())?;
            let name = keys.citation().unwrap_or("unknown");
            let projection = ProjectionParameters::of_keys(keys, unit.metres());
            Some(projection.map_or_else(
                || plane_text(name, unit),
                |projection| projected_text(name, &geographic_text(keys), &projection, unit),
            ))
        }
    }
}

/// Returns the text of a code with another unit of its coordinates.
fn text_in_unit(text: &str, unit: LengthUnit) -> Option<String> {
    let root = WktNode::parse(text)?;
    let system = root.find(&["PROJCS"])?;
    let (_, metres) = system.unit()?;
    let projection = ProjectionParameters::of_node(system)?.in_unit(unit.metres() / metres);
    let (start, end) = (text.find("GEOGCS[")?, text.find(",PROJECTION[")?);
    Some(projected_text(system.name(), text.get(start..end)?, &projection, unit))
}

fn projected_text(name: &str, geographic: &str, projection: &ProjectionParameters, unit: LengthUnit) -> String {
    format!("PROJCS[{},{geographic},{},{}]", quoted(name), projection.wkt(), unit_text(unit))
}

fn plane_text(name: &str, unit: LengthUnit) -> String {
    format!("LOCAL_CS[{},{}]", quoted(name), unit_text(unit))
}

fn unit_text(unit: LengthUnit) -> String {
    format!("UNIT[\"{}\",{}]", unit.full_name(), unit.metres())
}

/// Returns the geographic system of a projected one; that of WGS 84 if the keys tell none.
fn geographic_text(keys: &GeoKeys) -> String {
    match (keys.number(GEOGRAPHIC_CRS).and_then(wkt_of_code), ellipsoid(keys)) {
        (Some(text), _) => text.to_owned(),
        (None, Some(ellipsoid)) => unknown_geographic_text(ellipsoid),
        (None, None) => wkt_of_code(WGS84).unwrap_or_default().to_owned(),
    }
}

fn unknown_geographic_text((major_m, inverse_flattening): (f64, f64)) -> String {
    let ellipsoid = format!("SPHEROID[\"unknown\",{major_m},{inverse_flattening}]");
    let unit = "UNIT[\"degree\",0.0174532925199433]";
    format!("GEOGCS[\"unknown\",DATUM[\"unknown\",{ellipsoid}],PRIMEM[\"Greenwich\",0],{unit}]")
}

/// Returns semi-major axis and inverse flattening, 0 for a sphere, of the ellipsoid in the keys.
fn ellipsoid(keys: &GeoKeys) -> Option<(f64, f64)> {
    let axis = |key| keys.double(key).filter(|axis| *axis > 0.0);
    match (keys.number(ELLIPSOID), axis(SEMI_MAJOR_AXIS)) {
        (Some(GRS80), _) => Some((6_378_137.0, 298.257_222_101)),
        (_, Some(major_m)) => Some(match (axis(INVERSE_FLATTENING), axis(SEMI_MINOR_AXIS)) {
            (Some(inverse), _) => (major_m, inverse),
            (None, Some(minor_m)) if minor_m < major_m => (major_m, major_m / (major_m - minor_m)),
            _ => (major_m, 0.0),
        }),
        _ => None,
    }
}

/// Returns a text in quotes, which are doubled in it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(all(test, feature = "wkt"))]
mod tests {
    use super::*;
    use crate::files::prj_system::PrjSystem;
    use crate::files::reference_system::ReferenceSystem;

    fn keys_of(text: &str) -> GeoKeys {
        PrjSystem::parse(text).unwrap_or_else(|| panic!("{text}")).keys
    }

    const LONG_ISLAND: &str = r#"PROJCS["NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-74.0],PARAMETER["Standard_Parallel_1",41.0333333333333],PARAMETER["Standard_Parallel_2",40.6666666666667],PARAMETER["Latitude_Of_Origin",40.1666666666667],UNIT["US survey foot",0.304800609601219]]"#;

    #[test]
    fn text_of_a_system_is_read_as_the_same_system() {
        let code = |code: u16| [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, code];
        let of_code = |number: u16| GeoKeys { directory: code(number).to_vec(), ..GeoKeys::default() };
        let mut in_feet = of_code(32632);
        in_feet.directory.extend([3076, 0, 1, 9003]);
        in_feet.directory[3] = 3;
        for keys in [
            of_code(32632),
            of_code(2263),
            of_code(3857),
            of_code(3035),
            of_code(21781),
            GeoKeys::geographic(),
            keys_of(LONG_ISLAND),
            in_feet,
        ] {
            let text = prj_text(&keys).unwrap_or_else(|| panic!("{keys:?}"));
            let read = keys_of(&text);
            let definition = |keys: &GeoKeys| ReferenceSystem::from_keys(keys);
            let (wanted, found) = (definition(&keys).unwrap(), definition(&read).unwrap());
            assert!(wanted.is_same(&found) || keys.own_unit().is_some(), "{text}\n{wanted:?}\n{found:?}");
            assert_eq!(read.unit(), keys.unit(), "{text}");
            assert_eq!(prj_text(&read).as_deref(), Some(&*text));
            assert!(!text.contains('\n'));
        }
        let plane = keys_of(r#"LOCAL_CS["Site ""A""",UNIT["Foot",0.3048]]"#);
        assert_eq!(prj_text(&plane).unwrap(), r#"LOCAL_CS["Site ""A""",UNIT["foot",0.3048]]"#);
        let degrees =
            keys_of(r#"GEOGCS["GCS_Town",DATUM["D",SPHEROID["S",6378137,298]],UNIT["Degree",0.0174532925199433]]"#);
        let text = prj_text(&degrees).unwrap();
        assert!(text.starts_with("GEOGCS[") && !text.contains("AUTHORITY") && keys_of(&text).is_in_degrees(), "{text}");
        assert_eq!(prj_text(&GeoKeys::default()), None);
    }

    #[test]
    fn projections_in_text_are_those_of_their_codes() {
        // A position by a text without a code, and by its code.
        for (code, position) in [
            (2154, [700_000.0, 6_600_000.0]),
            (2193, [1_700_000.0, 5_400_000.0]),
            (2263, [984_250.0, 200_000.0]),
            (3031, [500_000.0, -900_000.0]),
            (3034, [4_100_000.0, 3_000_000.0]),
            (3035, [4_400_000.0, 3_210_000.0]),
            (3395, [1_000_000.0, 5_000_000.0]),
            (3413, [500_000.0, -900_000.0]),
            (3978, [100_000.0, 500_000.0]),
            (5070, [100_000.0, 1_500_000.0]),
            (6933, [1_000_000.0, 4_000_000.0]),
            (25832, [600_000.0, 5_200_000.0]),
            (27700, [450_000.0, 300_000.0]),
            (28992, [155_000.0, 463_000.0]),
            (32733, [500_000.0, 6_000_000.0]),
        ] {
            let text = wkt_of_code(code).unwrap_or_else(|| panic!("{code}"));
            let end = text.rfind(",AUTHORITY[").unwrap();
            let bare = format!("{}]", &text[..end]);
            let read = ReferenceSystem::from_keys(&keys_of(&bare)).unwrap_or_else(|| panic!("{bare}"));
            let own = ReferenceSystem::from_code(code.into()).unwrap();
            let [own, read] = [own, read].map(|system| system.degrees_on_own_datum(position.into()).unwrap());
            assert!((own - read).abs().max_element() < 1e-8, "{code}: {own} and {read}");
        }
    }
}
