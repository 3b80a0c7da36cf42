//! [`ProjectionParameters`]: a projection that is described parameter by parameter, in well-known text and in the keys of GeoTIFF.
//!
//! # References
//! OGC 01-009, annex C; OGC 18-010r7, table F; OGC, *GeoTIFF Standard* 1.1 (19-008r4), annex C; Esri, *Projection engine*.

use super::geo_keys::GeoKeys;
use super::reference_system::{
    FALSE_EASTINGS, FALSE_NORTHINGS, ORIGIN_LATITUDES, ORIGIN_LONGITUDES, PROJECTION, PROJECTION_METHOD, SCALES,
    STANDARD_PARALLELS,
};
use super::wkt::WktNode;

/// A projection and its parameters, in degrees and in the unit of the coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProjectionParameters {
    /// The value of [`PROJECTION_METHOD`].
    method: u16,
    latitude: Option<f64>,
    longitude: Option<f64>,
    parallels: [Option<f64>; 2],
    scale: Option<f64>,
    east: Option<f64>,
    north: Option<f64>,
}

/// Methods: the value of [`PROJECTION_METHOD`], the name in well-known text, and other names, in small letters and digits only.
const METHODS: [(u16, &str, &[&str]); 19] = [
    (1, "Transverse_Mercator", &["gausskruger"]),
    (MERCATOR, "Mercator_1SP", &["mercatorvarianta"]),
    (MERCATOR, "Mercator_2SP", &["mercator", "mercatorvariantb"]),
    (LAMBERT_2SP, "Lambert_Conformal_Conic_2SP", &["lambertconformalconic", "lambertconicconformal2sp"]),
    (LAMBERT_1SP, "Lambert_Conformal_Conic_1SP", &["lambertconicconformal1sp"]),
    (10, "Lambert_Azimuthal_Equal_Area", &[]),
    (11, "Albers_Conic_Equal_Area", &["albers", "albersequalarea"]),
    (12, "Azimuthal_Equidistant", &[]),
    (13, "Equidistant_Conic", &[]),
    (14, "Stereographic", &[]),
    (
        POLAR_STEREOGRAPHIC,
        "Polar_Stereographic",
        &[
            "polarstereographicvarianta",
            "polarstereographicvariantb",
            "stereographicnorthpole",
            "stereographicsouthpole",
        ],
    ),
    (16, "Oblique_Stereographic", &["doublestereographic"]),
    (17, "Equirectangular", &["equidistantcylindrical", "equidistantcylindricalspherical", "platecarree"]),
    (18, "Cassini_Soldner", &["cassini"]),
    (20, "Miller_Cylindrical", &[]),
    (22, "Polyconic", &["americanpolyconic"]),
    (23, "Robinson", &[]),
    (24, "Sinusoidal", &[]),
    (28, "Cylindrical_Equal_Area", &["lambertcylindricalequalarea"]),
];
const MERCATOR: u16 = 7;
const LAMBERT_2SP: u16 = 8;
const LAMBERT_1SP: u16 = 9;
const POLAR_STEREOGRAPHIC: u16 = 15;

/// Methods that have a centre in version 1 of well-known text, not an origin.
const METHODS_WITH_CENTRE: [u16; 7] = [10, 11, 12, 13, 20, 23, 24];

/// The key of the longitude of a polar projection.
const POLE_LONGITUDE: u16 = 3095;

/// The values of [`PROJECTION`] for zones of UTM, the first north and the first south of the equator.
const UTM_NORTH: u16 = 16001;
const UTM_SOUTH: u16 = 16101;

/// Returns a name in small letters and digits only.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

impl ProjectionParameters {
    /// Returns the projection of a projected system, relative to Greenwich; `None` if it has another meridian, or a method or a
    /// parameter that is not known.
    pub(super) fn of_node(system: &WktNode) -> Option<Self> {
        let number = |node: &WktNode| node.texts.get(1)?.parse().ok().filter(|number: &f64| number.is_finite());
        if system.find(&["PRIMEM", "PRIMEMERIDIAN"]).is_some_and(|meridian| number(meridian) != Some(0.0)) {
            return None;
        }
        let conversion = system.child(&["CONVERSION"]).unwrap_or(system);
        let name = plain(conversion.child(&["PROJECTION", "METHOD"])?.name());
        let is_method =
            |(_, own, others): &&(u16, &str, &[&str])| plain(own) == name || others.contains(&name.as_str());
        let (method, ..) = METHODS.iter().find(is_method)?;
        let mut found = Self {
            method: *method,
            latitude: None,
            longitude: None,
            parallels: [None; 2],
            scale: None,
            east: None,
            north: None,
        };
        for parameter in conversion.nodes.iter().filter(|node| node.keyword == "PARAMETER") {
            let value = number(parameter)?;
            let place = match plain(parameter.name()).as_str() {
                "latitudeoforigin"
                | "latitudeofcenter"
                | "latitudeofnaturalorigin"
                | "latitudeoffalseorigin"
                | "latitudeofstandardparallel"
                | "centralparallel" => &mut found.latitude,
                "centralmeridian"
                | "longitudeofcenter"
                | "longitudeoforigin"
                | "longitudeofnaturalorigin"
                | "longitudeoffalseorigin" => &mut found.longitude,
                "standardparallel1" | "latitudeof1ststandardparallel" => &mut found.parallels[0],
                "standardparallel2" | "latitudeof2ndstandardparallel" => &mut found.parallels[1],
                "scalefactor" | "scalefactoratnaturalorigin" => &mut found.scale,
                "falseeasting" | "eastingatfalseorigin" => &mut found.east,
                "falsenorthing" | "northingatfalseorigin" => &mut found.north,
                _ if value == 0.0 => continue,
                _ => return None,
            };
            *place = Some(value);
        }
        match found.method {
            // Esri has one name for both, and the standard parallel where others have the latitude of the origin.
            LAMBERT_2SP if found.parallels[1].is_none() => {
                found.method = LAMBERT_1SP;
                found.latitude = found.parallels[0].or(found.latitude);
                found.parallels = [None; 2];
            }
            POLAR_STEREOGRAPHIC => found.latitude = found.parallels[0].take().or(found.latitude),
            _ => {}
        }
        Some(found)
    }

    /// Returns the projection in the keys of a GeoTIFF file; `metre` is the length of the unit of the coordinates.
    pub(super) fn of_keys(keys: &GeoKeys, metre: f64) -> Option<Self> {
        let zone = keys.number(PROJECTION).and_then(|code| {
            let is_south = code >= UTM_SOUTH;
            let number = code.checked_sub(if is_south { UTM_SOUTH } else { UTM_NORTH })? + 1;
            (number <= 60).then(|| Self {
                method: 1,
                latitude: Some(0.0),
                longitude: Some(f64::from(number) * 6.0 - 183.0),
                parallels: [None; 2],
                scale: Some(0.9996),
                east: Some(500_000.0 / metre),
                north: Some(if is_south { 10_000_000.0 / metre } else { 0.0 }),
            })
        });
        let first = |keys_of: &[u16]| keys_of.iter().find_map(|key| keys.double(*key));
        zone.or_else(|| {
            Some(Self {
                method: keys
                    .number(PROJECTION_METHOD)
                    .filter(|method| METHODS.iter().any(|(code, ..)| code == method))?,
                latitude: first(&ORIGIN_LATITUDES),
                longitude: first(&ORIGIN_LONGITUDES),
                parallels: STANDARD_PARALLELS.map(|key| keys.double(key)),
                scale: first(&SCALES),
                east: first(&FALSE_EASTINGS),
                north: first(&FALSE_NORTHINGS),
            })
        })
    }

    /// Returns the keys of the projection whose value is a number of the directory.
    pub(super) fn numbers(&self) -> [(u16, u16); 2] {
        [(PROJECTION, GeoKeys::USER_DEFINED), (PROJECTION_METHOD, self.method)]
    }

    /// Returns the other keys of the projection.
    pub(super) fn values(&self) -> impl Iterator<Item = (u16, f64)> {
        let longitude = if self.method == POLAR_STEREOGRAPHIC { POLE_LONGITUDE } else { ORIGIN_LONGITUDES[0] };
        let values = [
            (STANDARD_PARALLELS[0], self.parallels[0]),
            (STANDARD_PARALLELS[1], self.parallels[1]),
            (longitude, self.longitude),
            (ORIGIN_LATITUDES[0], self.latitude),
            (FALSE_EASTINGS[0], self.east),
            (FALSE_NORTHINGS[0], self.north),
            (SCALES[0], self.scale),
        ];
        values.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }

    /// Returns the projection with false eastings and northings in a unit that is `ratio` times as long.
    pub(super) fn in_unit(self, ratio: f64) -> Self {
        let [east, north] = [self.east, self.north].map(|value| value.map(|value| value / ratio));
        Self { east, north, ..self }
    }

    /// Returns the projection as a part of well-known text, version 1.
    pub(super) fn wkt(&self) -> String {
        let is_method = |(code, name, _): &&(u16, &str, &[&str])| {
            *code == self.method && (*code != MERCATOR || name.ends_with("2SP") == self.parallels[0].is_some())
        };
        let name = METHODS.iter().find(is_method).map_or("unknown", |(_, name, _)| name);
        let [latitude, longitude] = match METHODS_WITH_CENTRE.contains(&self.method) {
            true => ["latitude_of_center", "longitude_of_center"],
            false => ["latitude_of_origin", "central_meridian"],
        };
        let values = [
            ("standard_parallel_1", self.parallels[0]),
            ("standard_parallel_2", self.parallels[1]),
            (latitude, self.latitude),
            (longitude, self.longitude),
            ("scale_factor", self.scale),
            ("false_easting", self.east),
            ("false_northing", self.north),
        ];
        let values = values.into_iter().filter_map(|(key, value)| Some(format!(",PARAMETER[\"{key}\",{}]", value?)));
        format!("PROJECTION[\"{name}\"]{}", values.collect::<String>())
    }
}
