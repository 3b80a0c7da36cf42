//! Viewsheds, horizons and skies over heights.

use farsight::Job;
use farsight::glam::{DVec2, ivec2};
use farsight::grid::{CellRect, CellSize};
use farsight::sky::{SunDays, SunPath};
use farsight::viewshed::ProfilePoint;
use farsight_bindings::Failure;
use farsight_bindings::terrain::{self, CoverageParts, Observers, SkyLayer, SkylinePoint, method_named};
use farsight_scene::cumulative::{CumulativeLayer, ViewLimits};
use farsight_scene::files::{GeoKeys, Georeference};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::{array_of, array_of_grid, cells_of, values_of};
use crate::errors::{failed, interruptible};

/// The eye of an observer and its target, in metres; the cell size of the heights.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Eye {
    cell_size: (f64, f64),
    eye: f64,
    target: f64,
    curvature: f64,
    max_distance: Option<f64>,
}

impl From<Eye> for terrain::Eye {
    fn from(Eye { cell_size, eye, target, curvature, max_distance }: Eye) -> Self {
        Self { cell_size, eye, target, curvature, max_distance }
    }
}

/// Obstacles and crowns on the ground: a surface model, heights of crowns, their extinction (`None` if opaque) and the height of trunks.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Standing<'py> {
    surface: Option<PyReadonlyArray2<'py, f32>>,
    canopy: Option<PyReadonlyArray2<'py, f32>>,
    extinction: Option<f64>,
    clear_trunks: f64,
}

impl Standing<'_> {
    fn values(&self) -> PyResult<terrain::Standing<'_>> {
        Ok(terrain::Standing {
            surface: self.surface.as_ref().map(values_of).transpose()?,
            canopy: self.canopy.as_ref().map(values_of).transpose()?,
            extinction: self.extinction,
            clear_trunks: self.clear_trunks,
        })
    }
}

/// An array, and the column and row of its upper left cell.
type PlacedArray<'py> = (Bound<'py, PyArray2<f32>>, (i32, i32));

/// The first column and row of a part, and those after its last.
type Part = (i32, i32, i32, i32);

/// Returns a part that is on the map; without one, all cells.
fn part_of(part: Option<Part>, map: CellRect) -> Result<CellRect, Failure> {
    let Some((left, top, right, bottom)) = part else { return Ok(map) };
    let part = CellRect { min: ivec2(left, top), max: ivec2(right, bottom) };
    if part.min.cmpge(part.max).any() || part.intersect(map) != part {
        let (x, y) = map.max.into();
        return Err(Failure::invalid(format!(
            "part: ({left}, {top}, {right}, {bottom}) is not valid: expected cells of a map of {x} columns and {y} rows"
        )));
    }
    Ok(part)
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are those of the Python function")]
pub(crate) fn viewshed<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    viewer: (i32, i32),
    method: &str,
    softness: f64,
    eye: Eye,
    standing: Standing<'py>,
    window: bool,
) -> PyResult<PlacedArray<'py>> {
    let standing = standing.values()?;
    let (values, method) = (values_of(&heights)?, method_named(method).map_err(failed)?);
    let (size, eye) = (values.size(), eye.into());
    let seen =
        interruptible(py, |job| terrain::viewshed(values, viewer.into(), method, softness, &eye, &standing, job))?;
    if window {
        return Ok((array_of_grid(py, seen.values)?, seen.part.min.into()));
    }
    // The system zeroes pages when they are read first, so that only the window costs time.
    let mut cells = vec![0.0; size.x as usize * size.y as usize];
    seen.write(size, &mut cells);
    Ok((array_of(py, cells, size)?, (0, 0)))
}

/// The profile from a viewer to a target: columns, rows, distances, heights of ground, obstacle, surface and line, and radii of the
/// first Fresnel zone.
type ProfileColumns<'py> = ([Bound<'py, PyArray1<i32>>; 2], [Bound<'py, PyArray1<f64>>; 6]);

#[pyfunction]
pub(crate) fn profile<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    viewer: (i32, i32),
    target: (i32, i32),
    eye: Eye,
    standing: Standing<'py>,
    frequency: f64,
) -> PyResult<ProfileColumns<'py>> {
    let (values, standing) = (values_of(&heights)?, standing.values()?);
    let profile = terrain::profile(values, viewer.into(), target.into(), &eye.into(), &standing).map_err(failed)?;
    let points = &profile.points;
    let cell = |axis: usize| PyArray1::from_iter(py, points.iter().map(|point| point.cell[axis]));
    let column = |value: fn(&ProfilePoint) -> f64| PyArray1::from_iter(py, points.iter().map(value));
    let fresnel_m = points.iter().map(|point| profile.fresnel_radius_m(point.distance_m, frequency));
    let metres = [
        column(|point| point.distance_m),
        column(|point| point.ground_m),
        column(|point| point.obstacle_m),
        column(|point| point.surface_m),
        column(|point| point.line_m),
        PyArray1::from_iter(py, fresnel_m),
    ];
    Ok(([cell(0), cell(1)], metres))
}

/// The skylines of viewers, a row for each and a column for each azimuth; NaN and -1 where a direction has no data.
type Skylines<'py> = ([Bound<'py, PyArray1<f64>>; 3], Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>);

#[pyfunction]
pub(crate) fn horizon<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    viewers: PyReadonlyArray2<'py, i32>,
    azimuths: u32,
    convergence: f64,
    eye: Eye,
) -> PyResult<Skylines<'py>> {
    let (values, viewers, eye) = (values_of(&heights)?, cells_of(&viewers)?, eye.into());
    let points = interruptible(py, |job| terrain::skylines(values, &viewers, azimuths, convergence, &eye, job))?;
    let column = |value: fn(&SkylinePoint) -> f64| PyArray1::from_iter(py, points.iter().map(value));
    let metres =
        [column(|point| point.elevation_deg), column(|point| point.distance_m), column(|point| point.height_m)];
    let x = PyArray1::from_iter(py, points.iter().map(|point| point.cell.x));
    let y = PyArray1::from_iter(py, points.iter().map(|point| point.cell.y));
    Ok((metres, x, y))
}

/// The number of azimuths; the azimuth of a horizon; latitude and date of the sun; the meridian convergence.
type SkyRequest = (u32, Option<f64>, Option<(f64, String)>, f64);

/// The sky over every cell of a part: the angle of the horizon at an azimuth, the hours of sun at a latitude on a date, or else the
/// sky-view factor. `sides` are the cell sizes of each row, if they differ.
#[pyfunction]
#[pyo3(signature = (heights, request, eye, part=None, sides=None))]
pub(crate) fn sky<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    request: SkyRequest,
    eye: Eye,
    part: Option<Part>,
    sides: Option<Vec<(f64, f64)>>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (azimuths, azimuth, sun, convergence) = request;
    let (values, eye) = (values_of(&heights)?, eye.into());
    let part = part_of(part, values.extent()).map_err(failed)?;
    let sides: Option<Vec<_>> = sides.map(|sides| sides.iter().map(|side| CellSize::new(side.0, side.1)).collect());
    let layer = match (azimuth, sun) {
        (Some(azimuth), _) => SkyLayer::Horizon(azimuth - convergence),
        (None, Some((latitude, date))) => {
            let days = date.parse::<SunDays>().map_err(failed)?;
            SkyLayer::Sunshine(SunPath::over_grid(latitude, convergence, days, azimuths).map_err(failed)?)
        }
        (None, None) => SkyLayer::ViewFactor(azimuths),
    };
    let grid = interruptible(py, |job| terrain::sky(values, part, &layer, sides.as_deref(), &eye, job))?;
    array_of_grid(py, grid)
}

/// The number of cells visible from each cell of a part.
#[pyfunction]
#[pyo3(signature = (heights, method, eye, part=None))]
pub(crate) fn total_viewshed<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    method: &str,
    eye: Eye,
    part: Option<Part>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (values, method, eye) = (values_of(&heights)?, method_named(method).map_err(failed)?, eye.into());
    let part = part_of(part, values.extent()).map_err(failed)?;
    array_of_grid(py, interruptible(py, |job| terrain::total_viewshed(values, part, method, &eye, job))?)
}

/// The numeric columns of observers' files.
#[pyfunction]
pub(crate) fn observer_columns() -> Vec<&'static str> {
    ViewLimits::columns().collect()
}

/// The layers of the views of several observers, by their names. Observers are cells, and columns with a number for each.
#[pyfunction]
pub(crate) fn cumulative<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    observers: (PyReadonlyArray2<'py, i32>, Vec<(String, Vec<f64>)>),
    layers: Vec<String>,
    method: &str,
    turbine: (f64, f64),
    eye: Eye,
) -> PyResult<Vec<Bound<'py, PyArray2<f32>>>> {
    let (cells, columns) = observers;
    let (values, cells, eye) = (values_of(&heights)?, cells_of(&cells)?, eye.into());
    let observers = Observers { cells: &cells, columns: &columns };
    let layers = layers.iter().map(|name| name.parse().map_err(|error| failed(Failure::invalid(error))));
    let layers = layers.collect::<PyResult<Vec<CumulativeLayer>>>()?;
    let method = method_named(method).map_err(failed)?;
    let compute = |job: Job<'_>| terrain::cumulative(values, observers, &layers, method, turbine, &eye, job);
    let grids = interruptible(py, compute)?;
    grids.into_iter().map(|grid| array_of_grid(py, grid)).collect()
}

/// The ends of bands in metres, places, the number of observers to choose, and whether polygons are asked for.
type CoverageRequest<'py> = (Vec<f64>, PyReadonlyArray2<'py, i32>, usize, bool);

/// A connected area: its rings, the outer one first.
type Area<'py> = Vec<Bound<'py, PyArray2<f64>>>;

/// The ground that several observers see: km²; bands with their ends, their ground and the seen ground in km²; the observers that see
/// each place; chosen observers with the cells and the km² that they add, and the km² together; areas.
type GroundSeen<'py> = (f64, Vec<(f64, f64, f64, f64)>, Vec<Vec<bool>>, Vec<(usize, u64, f64, f64)>, Vec<Area<'py>>);

#[pyfunction]
pub(crate) fn coverage<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    observers: (PyReadonlyArray2<'py, i32>, Vec<(String, Vec<f64>)>),
    request: CoverageRequest<'py>,
    method: &str,
    turbine: (f64, f64),
    eye: Eye,
) -> PyResult<GroundSeen<'py>> {
    let ((cells, columns), (band_ends_m, places, choose, has_polygons)) = (observers, request);
    let (values, cells, places, eye) = (values_of(&heights)?, cells_of(&cells)?, cells_of(&places)?, eye.into());
    let observers = Observers { cells: &cells, columns: &columns };
    let parts = CoverageParts { band_ends_m: &band_ends_m, places: &places, choose, has_polygons };
    let method = method_named(method).map_err(failed)?;
    let compute = |job: Job<'_>| terrain::coverage(values, observers, parts, method, turbine, &eye, job);
    let coverage = interruptible(py, compute)?;
    let ring = |ring: &Vec<DVec2>| {
        let corners: Vec<f64> = ring.iter().flat_map(|corner| corner.to_array()).collect();
        PyArray1::from_vec(py, corners).reshape([ring.len(), 2])
    };
    let areas = coverage.polygons.iter().map(|rings| rings.iter().map(ring).collect());
    let bands = coverage.bands.iter().map(|band| (band.from_m, band.to_m, band.ground_km2, band.seen_km2));
    let chosen = coverage.chosen.iter();
    let chosen = chosen.map(|chosen| (chosen.index, chosen.added_cells, chosen.added_km2, chosen.seen_km2));
    let areas = areas.collect::<PyResult<Vec<Area<'py>>>>()?;
    Ok((coverage.seen_km2, bands.collect(), coverage.seeing, chosen.collect(), areas))
}

/// Returns the georeference of a raster in a reference system, by its EPSG code; without one in degrees on WGS 84 or in metres.
/// `corner` is the upper left one, `cell` has the sides in the unit of the system.
fn place_of(epsg: Option<u16>, is_geographic: bool, corner: (f64, f64), cell: (f64, f64)) -> Georeference {
    let keys = match (epsg, is_geographic) {
        (None, true) => GeoKeys::geographic(),
        (None, false) => GeoKeys::default(),
        (Some(code), _) => {
            // The keys of GeoTIFF for the kind of the system and for its code.
            let (kind, key) = if is_geographic { (2, 2048) } else { (1, 3072) };
            GeoKeys { directory: vec![1, 1, 0, 2, 1024, 0, 1, kind, key, 0, 1, code], ..GeoKeys::default() }
        }
    };
    Georeference { corner: corner.into(), cell: cell.into(), keys }
}

/// Returns the latitude and the meridian convergence at a cell of a raster in degrees; see [`place_of`].
#[pyfunction]
pub(crate) fn latitude_and_convergence(
    epsg: Option<u16>,
    is_geographic: bool,
    corner: (f64, f64),
    cell: (f64, f64),
    at: (i32, i32),
) -> (Option<f64>, Option<f64>) {
    let place = place_of(epsg, is_geographic, corner, cell);
    (place.latitude_deg(at.into()), place.convergence_deg(at.into()))
}

/// Returns the sides in metres of the cells of each row of a raster; see [`place_of`].
#[pyfunction]
pub(crate) fn cell_sizes(
    epsg: Option<u16>,
    is_geographic: bool,
    corner: (f64, f64),
    cell: (f64, f64),
    size: (i32, i32),
) -> PyResult<Vec<(f64, f64)>> {
    let place = place_of(epsg, is_geographic, corner, cell);
    let sizes = place.cell_sizes(size.into()).map_err(|error| failed(Failure::invalid(error)))?;
    let sides = |row| {
        let CellSize { x_m, y_m, .. } = sizes.at_row(f64::from(row));
        (x_m, y_m)
    };
    Ok((0..size.1).map(sides).collect())
}
