//! Sky-view factors and hours of sun of every cell, against plain loops over the skyline of each eye.

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, CellSize};
use farsight::horizon::{AzimuthHorizon, HorizonConfig, HorizonError};
use farsight::light::SunPosition;
use farsight::sky::{Sky, SkyError, SunDays, SunPath};
use farsight::viewshed::Surface;
use farsight::{Grid, Job};

use super::support::terrain::fractal;

const AZIMUTHS: u32 = 32;

/// Rough ground with gaps.
fn ground() -> Grid<f32> {
    let mut ground = fractal(48, 5, 0.7, 900.0);
    for cell in [ivec2(10, 10), ivec2(11, 10), ivec2(30, 41)] {
        ground[cell] = f32::NAN;
    }
    ground
}

fn surface(ground: &Grid<f32>) -> Surface<'_> {
    Surface::of(ground, CellSize::new(25.0, 30.0)).with_curvature(0.857)
}

/// Returns the slope of the skyline of a cell at an azimuth; `None` for nodata.
fn slope(surface: &Surface<'_>, cell: IVec2, azimuth_deg: f64) -> Option<f64> {
    match AzimuthHorizon::of(surface, cell, azimuth_deg, &HorizonConfig::default()) {
        Ok(along) => along.skyline().map(|ridge| ridge.slope),
        Err(HorizonError::ViewerWithoutData(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_sky_view_factor_is_the_mean_of_all_azimuths() {
    let ground = ground();
    let surface = surface(&ground);
    let sky = Sky::new(&surface, f64::INFINITY).unwrap();
    let factor = sky.view_factor(AZIMUTHS, sky.cells(), Job::none()).unwrap();
    for (cell, found) in factor.iter() {
        let share = |i: u32| {
            let horizon = slope(&surface, cell, 360.0 * f64::from(i) / f64::from(AZIMUTHS)).map_or(0.0, f64::atan);
            horizon.max(0.0).cos().powi(2)
        };
        let plain = (0..AZIMUTHS).map(share).sum::<f64>() / f64::from(AZIMUTHS);
        match ground[cell].is_nan() {
            true => assert!(found.is_nan()),
            false => assert!((f64::from(*found) - plain).abs() < 1e-5, "{cell}: {found} for {plain}"),
        }
    }
    assert!(factor.as_slice().iter().any(|factor| *factor < 0.9));
}

#[test]
fn hours_of_sun_are_counted_minute_by_minute() {
    let ground = ground();
    let surface = surface(&ground);
    let sky = Sky::new(&surface, f64::INFINITY).unwrap();
    for (latitude_deg, date, day) in [(47.0, "12-21", 355), (-33.0, "03-10", 69), (70.0, "06-21", 172)] {
        let path = SunPath::new(latitude_deg, date.parse().unwrap(), AZIMUTHS).unwrap();
        let hours = sky.sunshine_h(&path, sky.cells(), Job::none()).unwrap();
        let minutes = (0..24 * 60).map(|i| (f64::from(i) + 0.5) / 4.0 - 180.0);
        let declination_deg = SunPosition::declination_deg(day);
        let suns: Vec<_> = minutes.map(|angle| SunPosition::at(latitude_deg, declination_deg, angle)).collect();
        for (cell, found) in hours.iter().filter(|(cell, _)| (cell.x + cell.y) % 5 == 0 && !ground[*cell].is_nan()) {
            let step = 360.0 / f64::from(AZIMUTHS);
            let horizons: Vec<f64> = (0..AZIMUTHS)
                .map(|i| slope(&surface, cell, step * f64::from(i)).map_or(0.0, |slope| slope.atan().to_degrees()))
                .collect();
            let shines = |sun: &&SunPosition| {
                let nearest = (sun.azimuth_deg / step).round() as usize % horizons.len();
                sun.elevation_deg > horizons[nearest].max(0.0)
            };
            let plain = suns.iter().filter(shines).count() as f64 / 60.0;
            // Rounding may decide a minute.
            assert!((f64::from(*found) - plain).abs() < 0.04, "{date} {cell}: {found} h for {plain} h");
        }
        assert!(hours[ivec2(10, 10)].is_nan());
        let longest = hours.as_slice().iter().copied().filter(|hours| !hours.is_nan()).fold(0.0, f32::max);
        assert!(f64::from(longest) <= path.hours_over_level_ground() + 1e-4);
    }
}

#[test]
fn a_part_and_rows_of_other_sizes_have_the_values_of_the_whole() {
    let ground = ground();
    let size_at = |row: i32| CellSize::new(20.0 + 0.1 * f64::from(row), 30.0);
    let sky = Sky::new(&surface(&ground), f64::INFINITY).unwrap().with_cell_size_at(size_at);
    let whole = sky.view_factor(AZIMUTHS, sky.cells(), Job::none()).unwrap();
    let part = CellRect { min: ivec2(7, 20), max: ivec2(40, 23) };
    let values = sky.view_factor(AZIMUTHS, part, Job::none()).unwrap();
    assert!(values.iter().all(|(cell, value)| value.to_bits() == whole[part.min + cell].to_bits()));
    let angles = sky.horizon_deg(250.0, part, Job::none()).unwrap();
    for (cell, found) in angles.iter() {
        let row = surface(&ground).cell_size;
        let row_size = size_at(part.min.y + cell.y);
        assert_ne!(row, row_size);
        let over_row = Surface::of(&ground, row_size).with_curvature(0.857);
        let plain = slope(&over_row, part.min + cell, 250.0).unwrap().atan().to_degrees();
        assert!((f64::from(*found) - plain).abs() < 0.001, "{cell}: {found}° for {plain}°");
    }
}

#[test]
fn the_sun_is_where_pvlib_has_it() {
    // The maximum elevation in degrees and the hours over 0° on days of 2026, without refraction, minute by minute
    // (pvlib 0.16, get_solarposition, nrel_numpy).
    for (latitude_deg, day, highest_deg, hours) in [
        (47.0, 1, 20.022, 8.4),
        (47.0, 80, 43.35, 12.033),
        (47.0, 172, 66.437, 15.7),
        (-33.0, 266, 57.19, 12.017),
        (10.0, 222, 84.53, 12.367),
        (65.0, 355, 1.561, 2.883),
    ] {
        let sun = SunPosition::at(latitude_deg, SunPosition::declination_deg(day), 0.0);
        let off_deg = sun.elevation_deg - highest_deg;
        assert!(off_deg.abs() < 0.02, "day {day} at {latitude_deg}°: {off_deg}°");
        let path = SunPath::new(latitude_deg, SunDays::Day(day), AZIMUTHS).unwrap();
        let off_h = path.hours_over_level_ground() - hours;
        assert!(off_h.abs() < 0.05, "day {day} at {latitude_deg}°: {off_h} h");
    }
}

#[test]
fn wrong_arguments_of_a_sky_are_errors() {
    let ground = ground();
    let surface = surface(&ground);
    assert!(matches!(Sky::new(&surface, f64::NAN), Err(SkyError::Horizon(HorizonError::MaxDistance(_)))));
    let sky = Sky::new(&surface, 100.0).unwrap();
    let outside = CellRect { min: ivec2(40, 0), max: ivec2(49, 3) };
    let error = sky.horizon_deg(0.0, outside, Job::none()).unwrap_err().to_string();
    assert_eq!(error, "the cells 40,0 to 48,2 are not all on the map of 48x48 cells");
    let error = sky.view_factor(0, sky.cells(), Job::none()).unwrap_err().to_string();
    assert!(error.starts_with("0 azimuths: expected 1 to "), "{error}");
    let error = sky.horizon_deg(f64::NAN, sky.cells(), Job::none()).unwrap_err().to_string();
    assert_eq!(error, "azimuth_deg: NaN is not valid: expected a finite number");
    for day in [0, 366, 60_000] {
        let error = SunPath::new(47.0, SunDays::Day(day), 8).unwrap_err().to_string();
        assert_eq!(error, format!("day {day} of the year: expected 1 to 365"));
    }
    let error = SunPath::new(91.0, SunDays::Year, 8).unwrap_err().to_string();
    assert_eq!(error, "a latitude of 91°: expected -90 to 90");
    let cancelled = std::sync::atomic::AtomicBool::new(true);
    let job = Job::none().cancelled_by(&cancelled);
    assert!(matches!(sky.view_factor(8, sky.cells(), job), Err(SkyError::Cancelled(_))));
}

#[test]
fn the_sun_has_its_place_from_true_north() {
    // The same ridge in the east: at the right of a map with north up, and above on one whose top is the east.
    let right = Grid::from_fn(61, 61, |cell| if cell.x == 40 { 300.0 } else { 0.0 });
    let above = Grid::from_fn(61, 61, |cell| if cell.y == 20 { 300.0 } else { 0.0 });
    let hours = |ground: &Grid<f32>, convergence_deg| {
        let sun = SunPath::over_grid(47.0, convergence_deg, "03-21".parse().unwrap(), 64).unwrap();
        let sky = Sky::new(&Surface::of(ground, 30.0), f64::INFINITY).unwrap();
        sky.sunshine_h(&sun, sky.cells(), Job::none()).unwrap()
    };
    let (right, above) = (hours(&right, 0.0), hours(&above, 90.0));
    for (cell, hours) in right.iter() {
        let turned = above[ivec2(cell.y, 60 - cell.x)];
        assert!((hours - turned).abs() < 0.05, "{cell}: {hours} {turned}");
    }
    let error = SunPath::over_grid(47.0, f64::NAN, SunDays::Year, 8).unwrap_err().to_string();
    assert_eq!(error, "a meridian convergence of NaN°: expected -360 to 360");
}
