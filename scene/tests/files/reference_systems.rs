//! Reference systems: positions as GDAL's, and the sides of cells where a metre of the projection is no metre on the ground.

use farsight::glam::{DVec2, dvec2, ivec2};
use farsight::grid::Grid;
use farsight_scene::files::{CellSizeError, Format, GeoKeys, Georeference, Heightmap, ReferenceSystem, TransformError};
use farsight_scene::world::CellSizes;

use super::georeferences::keys;
use super::plain;

fn system(code: u32) -> ReferenceSystem {
    ReferenceSystem::from_code(code).unwrap_or_else(|| panic!("EPSG:{code}"))
}

/// Keys with a projection parameter by parameter, on WGS 84.
fn parameters(method: u16, values: &[(u16, f64)]) -> GeoKeys {
    let mut keys = keys(&[[1024, 1], [2048, 4326], [3072, 32767], [3074, 32767], [3075, method], [3076, 9001]]);
    for (i, (key, value)) in values.iter().enumerate() {
        keys.directory.extend([*key, 34736, 1, i as u16]);
        keys.doubles.push(*value);
    }
    keys.directory[3] += values.len() as u16;
    keys
}

/// Returns the heightmap from a GeoTIFF file of 41 x 41 cells of 30 units around a position, and its georeference.
fn read_around(position: DVec2, keys: GeoKeys) -> (Heightmap, Georeference) {
    let corner = position + dvec2(-615.0, 615.0);
    let place = Georeference { corner: corner.to_array(), cell: [30.0; 2], keys };
    let mut raster = plain(Grid::new(41, 41, 0.0));
    raster.georeference = Some(place.clone());
    (Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap(), place)
}

#[test]
fn positions_are_those_of_gdal() {
    // gdaltransform of GDAL 3.6.2; where it knows a better shift of the datum than seven parameters, within 10 m.
    for (code, degrees, expected, tolerance) in [
        (3857, dvec2(10.785, 60.0), dvec2(1_200_580.708, 8_399_737.890), 1e-3),
        (900_913, dvec2(10.785, 60.0), dvec2(1_200_580.708, 8_399_737.890), 1e-3),
        (102_100, dvec2(10.785, 60.0), dvec2(1_200_580.708, 8_399_737.890), 1e-3),
        (3395, dvec2(10.0, 60.0), dvec2(1_113_194.908, 8_362_698.549), 1e-3),
        (32662, dvec2(10.0, 60.0), dvec2(1_113_194.908, 6_679_169.447), 1e-3),
        (32632, dvec2(9.008, 46.95), dvec2(500_608.772, 5_199_607.847), 1e-3),
        (3413, dvec2(-40.0, 75.0), dvec2(142_401.981, -1_627_662.093), 1e-3),
        (2154, dvec2(3.0, 47.0), dvec2(700_000.0, 6_655_530.860), 1e-3),
        (2263, dvec2(-74.0, 40.7), dvec2(984_250.0, 194_305.339), 1e-3),
        (31467, dvec2(9.008, 46.95), dvec2(3_500_686.338, 5_201_248.081), 1e-3),
        (27700, dvec2(-1.5, 53.0), dvec2(433_653.297, 344_858.883), 1e-2),
        (2056, dvec2(8.0, 47.0), dvec2(2_642_695.420, 1_205_590.522), 1e-3),
        (28992, dvec2(5.0, 52.0), dvec2(128_410.085, 445_806.509), 1e-2),
        (5514, dvec2(15.0, 50.0), dvec2(-703_011.882, -1_058_147.274), 10.0),
        // PROJ 9.5.1 without grids, where GDAL 3.6.2 has no shift: Austria on the meridian of Ferro, Romania, Israel, New Zealand.
        (31282, dvec2(13.3, 47.5), dvec2(-2455.767, 5_262_356.955), 0.1),
        (31700, dvec2(25.0, 46.0), dvec2(500_120.367, 500_031.315), 0.1),
        (2039, dvec2(35.2, 31.8), dvec2(219_035.790, 634_141.140), 0.1),
        (6991, dvec2(35.2, 31.8), dvec2(219_035.790, 634_141.139), 0.1),
        (27205, dvec2(174.8, -36.9), dvec2(303_161.944, 697_565.271), 0.1),
        (3587, dvec2(-84.5, 43.8), dvec2(5_989_268.809, 53_719.886), 0.1),
    ] {
        let (wgs84, system) = (ReferenceSystem::wgs84(), system(code));
        let found = wgs84.transform(&system, degrees).unwrap();
        assert!((found - expected).abs().max_element() <= tolerance, "EPSG:{code}: {found}");
        let back = system.transform(&wgs84, found).unwrap();
        assert!((back - degrees).abs().max_element() < 1e-7, "EPSG:{code}: {back}");
    }
    let moved = system(32633).transform(&system(32632), dvec2(500_615.0, 5_199_385.0)).unwrap();
    assert!((moved - dvec2(957_153.720, 5_216_930.986)).abs().max_element() < 1e-3, "{moved}");
}

#[test]
fn shifts_of_datums_that_are_not_known_are_errors() {
    let wgs84 = ReferenceSystem::wgs84();
    // NAD27 needs a grid; the table has no shift for the datum of Anguilla 1957.
    // That of Beijing 1954 is known for parts of China only.
    for code in [26717, 4267, 2000, 2431] {
        let error = wgs84.transform(&system(code), dvec2(-81.0, 35.0)).unwrap_err();
        assert!(matches!(error, TransformError::Datum { .. }), "EPSG:{code}: {error}");
    }
    // Between zones of the same datum no shift is needed.
    let moved = system(26717).transform(&system(26718), dvec2(500_000.0, 3_900_000.0)).unwrap();
    let there = system(26718).transform(&system(26717), moved).unwrap();
    assert!(
        there.distance(dvec2(500_000.0, 3_900_000.0)) < 1e-3 && (moved.x + 46_000.0).abs() < 2000.0,
        "{moved} {there}"
    );
    // An unknown code; axes to the south and west; degrees that are grads.
    assert_eq!([99_999, 2065, 4807].map(ReferenceSystem::from_code), [const { None }; 3]);
    let error = wgs84.transform(&system(3395), dvec2(10.0, 90.0)).unwrap_err();
    assert_eq!(error.to_string(), "positions in WGS 84 cannot be converted to EPSG:3395 here");
}

#[test]
fn cells_have_their_sides_on_the_ground() {
    let code = |code: u16| keys(&[[1024, 1], [3072, code]]);
    let mut web = parameters(7, &[(3080, 0.0), (3092, 1.0)]);
    web.ascii = "ESRI PE String = PROJCS[\"WGS_1984_Web_Mercator_Auxiliary_Sphere\"]|".to_owned();
    // The length of a metre east and north on the ground: of Mercator N cos φ / a and M cos φ / a, of plate carrée M / a, of the
    // polar stereographic projection (1 + sin φ) / (1 + sin 70°) but for the flattening.
    for (name, position, keys, expected, tolerance) in [
        ("Web Mercator, 60°", dvec2(1_200_580.0, 8_399_737.9), code(3857), [0.50126, 0.50042], 1e-4),
        ("Web Mercator of Esri", dvec2(1_200_580.0, 8_399_737.9), web, [0.50126, 0.50042], 1e-4),
        ("Web Mercator, equator", dvec2(1_200_580.0, 0.0), code(3857), [1.0, 0.99331], 1e-4),
        ("World Mercator, 60°", dvec2(1_200_580.0, 8_362_698.5), code(3395), [0.50126, 0.50126], 1e-4),
        (
            "World Mercator by parameters",
            dvec2(1_200_580.0, 8_362_698.5),
            parameters(7, &[(3092, 1.0)]),
            [0.50126, 0.50126],
            1e-4,
        ),
        ("Mercator true at 60°", dvec2(601_783.0, 4_191_820.0), parameters(7, &[(3078, 60.0)]), [1.0, 1.0], 1e-3),
        ("plate carrée, 60°", dvec2(1_113_195.0, 6_679_169.4), code(32662), [0.50126, 1.00083], 1e-4),
        (
            "plate carrée true at 45°",
            dvec2(0.0, 5_009_377.1),
            parameters(17, &[(3078, 45.0)]),
            [1.00168, 0.99831],
            1e-4,
        ),
        ("polar, 85°", dvec2(47_236.0, -539_904.0), code(3413), [1.0291, 1.0291], 1e-3),
        (
            "polar by parameters",
            dvec2(47_236.0, -539_904.0),
            parameters(15, &[(3081, 70.0), (3095, -45.0)]),
            [1.0291, 1.0291],
            1e-3,
        ),
        ("polar, 75°, 1.35 % from true to scale", dvec2(142_401.0, -1_627_662.0), code(3413), [1.0, 1.0], 0.0),
        ("equal area, 5.5° west of 10°", dvec2(2_700_000.0, 1_950_000.0), code(3035), [0.99, 1.01], 2e-2),
        ("equal area cylinder, 40°", dvec2(0.0, 4_700_000.0), code(6933), [0.885, 1.13], 1e-2),
        ("UTM at its edge", dvec2(166_000.0, 100_000.0), code(32632), [1.0, 1.0], 0.0),
        ("UTM", dvec2(500_000.0, 5_200_000.0), code(32632), [1.0, 1.0], 0.0),
        ("UTM far from its zone", dvec2(1_950_000.0, 100_000.0), code(32632), [0.9749, 0.9749], 1e-3),
        ("US survey feet without a unit", dvec2(984_250.0, 194_305.0), code(2263), [0.3048, 0.3048], 1e-3),
        ("Lambert of a country", dvec2(700_000.0, 6_655_530.0), code(2154), [1.0, 1.0], 0.0),
    ] {
        let (heightmap, place) = read_around(position, keys);
        let sizes = heightmap.cell_sizes.unwrap_or(CellSizes::Equal([heightmap.cell_size_m.unwrap(); 2]));
        let found = sizes.in_the_middle(41);
        let [east, north] = [found.x_m / 30.0, found.y_m / 30.0];
        assert!(
            (east - expected[0]).abs() <= tolerance && (north - expected[1]).abs() <= tolerance,
            "{name}: {east} {north}"
        );
        let scale = place.ground_scale(ivec2(41, 41)).map_or(1.0, |scale| scale.middle);
        let nominal_m = if name.starts_with("US survey feet") { 30.0 * 1200.0 / 3937.0 } else { 30.0 };
        let expected = heightmap.cell_size_m.unwrap() / nominal_m;
        assert!((scale - expected).abs() < 0.005, "{name}: {scale} {expected}");
        assert!(place.ground_scale(ivec2(41, 41)).is_none_or(|scale| scale.change < 0.02), "{name}");
    }
}

#[test]
fn projections_that_stretch_unevenly_are_refused() {
    // Sinusoidal far from its meridian has no right angles; a hemisphere in polar coordinates has many scales.
    let sinusoidal = parameters(24, &[(3088, 0.0)]);
    let (heightmap, _) = read_around(dvec2(5_000_000.0, 6_000_000.0), sinusoidal);
    assert_eq!(heightmap.cell_size_m, Err(CellSizeError::Scale));
    let place = Georeference { corner: [-4e6, 4e6], cell: [1e5; 2], keys: keys(&[[1024, 1], [3072, 3413]]) };
    let mut raster = plain(Grid::new(80, 80, 0.0));
    raster.georeference = Some(place);
    let heightmap = Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap();
    let error = heightmap.cell_size_m.unwrap_err().to_string();
    assert!(error.contains("not true to scale") && error.contains("gdalwarp -t_srs"), "{error}");
}

#[test]
fn scale_of_a_tall_raster_is_that_of_each_row() {
    let place = Georeference { corner: [1e6, 1e7], cell: [10_000.0; 2], keys: keys(&[[1024, 1], [3072, 3857]]) };
    let mut raster = plain(Grid::new(20, 400, 0.0));
    raster.georeference = Some(place.clone());
    let heightmap = Heightmap::decode(&raster.encode(Format::Tif).unwrap(), Format::Tif).unwrap();
    let sizes = heightmap.cell_sizes.unwrap();
    for (row, latitude) in [(0.0, 66.43_f64), (399.0, 47.38)] {
        let east = sizes.at_row(row).x_m / 10_000.0;
        assert!((east - latitude.to_radians().cos()).abs() < 3e-3, "{row}: {east}");
    }
    let scale = place.ground_scale(ivec2(20, 400)).unwrap();
    assert!((0.5..0.6).contains(&scale.middle) && (0.2..0.35).contains(&scale.change), "{scale:?}");
}

#[test]
fn code_is_that_of_the_projection() {
    assert_eq!(parameters(7, &[]).epsg(), None, "the code of the degrees is not that of the metres");
    assert_eq!(keys(&[[1024, 2], [2048, 4258]]).epsg(), Some(4258));
}

#[test]
fn convergence_is_that_of_the_formulas_of_the_projections() {
    let at = |code: u16, position: DVec2| {
        let corner = [position.x - 15.0, position.y + 15.0];
        Georeference { corner, cell: [30.0; 2], keys: keys(&[[1024, 1], [3072, code]]) }.convergence_deg(ivec2(0, 0))
    };
    // Cones: n (λ − λ₀) with the n of Snyder, equation 15-8. The polar stereographic projection: λ − λ₀, from the other pole −(λ − λ₀).
    // UTM: tan γ = tan (λ − λ₀) sin φ on the sphere. Cylinders: 0.
    for (name, code, degrees, expected, tolerance) in [
        ("Brest", 2154, dvec2(-4.5, 48.4), 0.725_607_765 * (-4.5 - 3.0), 1e-4),
        ("Vancouver", 3978, dvec2(-123.1, 49.3), 0.900_790_086 * (-123.1 + 95.0), 1e-4),
        ("Greenland", 3413, dvec2(-30.0, 75.0), 15.0, 1e-4),
        ("Siberia", 3413, dvec2(135.0, 69.9), 180.0, 1e-4),
        ("Antarctica", 3031, dvec2(40.0, -75.0), -40.0, 1e-4),
        (
            "UTM",
            32632,
            dvec2(11.5, 60.0),
            (2.5_f64.to_radians().tan() * 60_f64.to_radians().sin()).atan().to_degrees(),
            1e-2,
        ),
        ("Mercator", 3857, dvec2(11.5, 60.0), 0.0, 0.0),
        ("NAD27 without a shift", 26718, dvec2(-75.0, 35.0), 0.0, 1e-2),
    ] {
        let position = match code {
            26718 => dvec2(500_000.0, 3_900_000.0),
            _ => ReferenceSystem::wgs84().transform(&system(code.into()), degrees).unwrap(),
        };
        let found = at(code, position).unwrap();
        let off = (found - expected + 180.0).rem_euclid(360.0) - 180.0;
        assert!(off.abs() <= tolerance, "{name}: {found}° for {expected}°");
    }
    let degrees = Georeference { corner: [7.0, 47.0], cell: [0.1; 2], keys: GeoKeys::geographic() };
    assert_eq!(degrees.convergence_deg(ivec2(3, 3)), Some(0.0));
    let nowhere = Georeference { corner: [0.0; 2], cell: [30.0; 2], keys: GeoKeys::default() };
    assert_eq!(nowhere.convergence_deg(ivec2(0, 0)), None);
}

#[test]
fn codes_and_units_in_unusual_keys_are_read_as_gdal_reads_them() {
    // Degrees in the key of projected systems.
    let degrees = keys(&[[1024, 1], [3072, 4326], [3076, 9001]]);
    assert!(degrees.is_in_degrees() && degrees.epsg() == Some(4326));
    // UTM in US survey feet: sides and positions are in feet.
    let foot = 1200.0 / 3937.0;
    let position = dvec2(500_608.772, 5_199_607.847) / foot;
    let (heightmap, place) = read_around(position, keys(&[[1024, 1], [3072, 32632], [3076, 9003]]));
    assert!((heightmap.cell_size_m.unwrap() - 30.0 * foot).abs() < 1e-9);
    assert!((place.latitude_deg(ivec2(20, 20)).unwrap() - 46.95).abs() < 1e-5);
    let system = ReferenceSystem::from_keys(&place.keys).unwrap();
    let found = ReferenceSystem::wgs84().transform(&system, dvec2(9.008, 46.95)).unwrap();
    assert!(found.distance(position) < 0.01, "{found}");
}

#[test]
fn other_bodies_than_the_earth_are_refused() {
    for (radius_m, is_refused) in
        [(1_737_400.0, true), (3_396_190.0, true), (6_370_997.0, false), (6_378_249.145, false)]
    {
        let mut body = keys(&[[1024, 2], [2048, 32767], [2054, 9102]]);
        body.directory.extend([2057, 34736, 1, 0]);
        body.directory[3] += 1;
        body.doubles = vec![radius_m];
        let place = Georeference { corner: [0.0, 1.0], cell: [1.0 / 128.0; 2], keys: body };
        let error = place.cell_sizes(ivec2(61, 61)).err();
        assert_eq!(error, is_refused.then_some(CellSizeError::OtherBody { radius_m }), "{radius_m}");
    }
}
