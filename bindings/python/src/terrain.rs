//! Viewsheds and horizons over heights.

use farsight::SightConfig;
use farsight::cumulative::{CumulativeLayer, CumulativeParts, CumulativeView, PlacedObserver, ViewLimits};
use farsight::files::{GeoKeys, Georeference};
use farsight::glam::{IVec2, dvec2, ivec2};
use farsight::grid::{CellRect, CellSize};
use farsight::horizon::{Horizon, HorizonConfig};
use farsight::preset::Preset;
use farsight::scene::Scene;
use farsight::sight::Method;
use farsight::sky::{Sky, SunPath};
use farsight::viewshed::{Surface, Viewshed};
use farsight::world::{CellSizes, Ground, RasterWindow};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::{Values, array_of, array_of_grid, cells_of, write_view};
use crate::errors::{horizon_error, interruptible, observer_error, scene_error, sight_error, sky_error, value_error};

/// The eye of an observer and what it looks at, in metres; the cells of the heights.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Eye {
    cell_size: (f64, f64),
    eye: f64,
    target: f64,
    curvature: f64,
    max_distance: Option<f64>,
}

impl Eye {
    fn cell_size(&self) -> CellSize {
        CellSize::new(self.cell_size.0, self.cell_size.1)
    }

    /// Returns the least number of cells within which the greatest distance is, up to the sides of the map.
    fn radius(&self, size: IVec2) -> PyResult<u32> {
        let shorter = self.cell_size().shorter_m();
        if !(shorter.is_finite() && shorter > 0.0) {
            let (x, y) = self.cell_size;
            return Err(value_error(format!("cell_size: ({x}, {y}) is not valid: expected sides of more than 0 m")));
        }
        let longer = self.cell_size.0.max(self.cell_size.1);
        let across = size.as_dvec2().length() * longer / shorter;
        let wanted = match self.max_distance {
            Some(metres) if metres > 0.0 => metres / shorter,
            Some(metres) => {
                return Err(value_error(format!(
                    "max_distance: {metres} is not valid: expected more than 0 m, or None"
                )));
            }
            None => across,
        };
        Ok(wanted.min(across).ceil() as u32)
    }
}

/// Returns the part of a map around a viewer, and the viewer in it. A viewer off the map keeps the whole map, for the error.
fn part_around(values: &Values<'_>, viewer: IVec2, radius: u32) -> CellRect {
    match values.extent().contains(viewer) {
        true => CellRect::around(viewer, radius).intersect(values.extent()),
        false => values.extent(),
    }
}

#[pyfunction]
pub(crate) fn viewshed<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    viewer: (i32, i32),
    method: &str,
    softness: f64,
    eye: Eye,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let values = Values::of(&heights)?;
    let (size, radius) = (values.size(), eye.radius(values.size())?);
    let config = SightConfig::default().with_radius(radius).with_method(grade(method)?);
    let mut viewshed = Viewshed::new(config).map_err(sight_error)?;
    let viewer = ivec2(viewer.0, viewer.1);
    let part = part_around(&values, viewer, radius);
    let mut cells = vec![0.0; size.x as usize * size.y as usize];
    let result = interruptible(py, |job| {
        let ground = values.window(part);
        let surface = Surface::of(&ground, eye.cell_size())
            .with_eye_height(eye.eye)
            .with_target_height(eye.target)
            .with_softness(softness)
            .with_curvature(eye.curvature);
        let view = viewshed.compute(&surface, viewer - part.min, job)?;
        write_view(&view, CellRect { min: -part.min, max: size - part.min }, &mut cells);
        let reach = eye.max_distance.unwrap_or(f64::INFINITY);
        for cell in part.cells().filter(|cell| eye.cell_size().distance_m(*cell - viewer) > reach) {
            cells[cell.y as usize * size.x as usize + cell.x as usize] = 0.0;
        }
        Ok(())
    })?;
    result.map_err(sight_error)?;
    array_of(py, cells, [size.y as usize, size.x as usize])
}

/// The skylines of viewers, a row for each and a column for each azimuth; NaN and -1 where a direction has no data.
type Skylines<'py> = ([Bound<'py, PyArray1<f64>>; 3], Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>);

#[pyfunction]
pub(crate) fn horizon<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    viewers: PyReadonlyArray2<'py, i32>,
    azimuths: u32,
    eye: Eye,
) -> PyResult<Skylines<'py>> {
    /// Cells beyond the range that count, since heights are interpolated.
    const MARGIN: u32 = 2;
    let (values, viewers) = (Values::of(&heights)?, cells_of(&viewers)?);
    let radius = eye.radius(values.size())?.saturating_add(MARGIN);
    let mut config = HorizonConfig::default().with_azimuths(azimuths);
    if let Some(metres) = eye.max_distance {
        config = config.with_max_distance_m(metres);
    }
    config.check().map_err(horizon_error)?;
    let horizons = interruptible(py, |job| {
        let of = |&viewer: &IVec2| {
            let part = part_around(&values, viewer, radius);
            let ground = values.window(part);
            let surface = Surface::of(&ground, eye.cell_size()).with_eye_height(eye.eye).with_curvature(eye.curvature);
            let horizon = Horizon::of(&surface, viewer - part.min, &config);
            job.report("horizons", 0.0).map_err(value_error)?;
            horizon.map(|horizon| (part.min, horizon)).map_err(horizon_error)
        };
        viewers.iter().map(of).collect::<PyResult<Vec<_>>>()
    })??;
    let all = || {
        horizons.iter().flat_map(|(min, horizon)| horizon.azimuths().iter().map(move |along| (*min, along.skyline())))
    };
    let metres = [
        all().map(|(_, ridge)| ridge.map_or(f64::NAN, |ridge| ridge.elevation_deg())).collect(),
        all().map(|(_, ridge)| ridge.map_or(f64::NAN, |ridge| ridge.distance_m)).collect(),
        all().map(|(_, ridge)| ridge.map_or(f64::NAN, |ridge| ridge.height_m)).collect::<Vec<_>>(),
    ];
    let x = all().map(|(min, ridge)| ridge.map_or(-1, |ridge| (ridge.cell + min).x)).collect();
    let y = all().map(|(min, ridge)| ridge.map_or(-1, |ridge| (ridge.cell + min).y)).collect();
    Ok((metres.map(|values| PyArray1::from_vec(py, values)), PyArray1::from_vec(py, x), PyArray1::from_vec(py, y)))
}

/// The sky over every cell: the angle of the horizon at an azimuth, the hours of sun at a latitude on a date, or else the sky-view
/// factor.
#[pyfunction]
pub(crate) fn sky<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    azimuths: u32,
    azimuth: Option<f64>,
    sun: Option<(f64, String)>,
    eye: Eye,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let values = Values::of(&heights)?;
    eye.radius(values.size())?; // checks the sides and the range
    let path = match sun {
        Some((latitude, date)) => {
            Some(SunPath::new(latitude, date.parse().map_err(sky_error)?, azimuths).map_err(sky_error)?)
        }
        None => None,
    };
    let layer = interruptible(py, |job| {
        let ground = values.window(values.extent());
        let surface = Surface::of(&ground, eye.cell_size()).with_eye_height(eye.eye).with_curvature(eye.curvature);
        let sky = Sky::new(&surface, eye.max_distance.unwrap_or(f64::INFINITY))?;
        match (azimuth, &path) {
            (Some(azimuth), _) => sky.horizon_deg(azimuth, sky.cells(), job),
            (None, Some(path)) => sky.sunshine_h(path, sky.cells(), job),
            (None, None) => sky.view_factor(azimuths, sky.cells(), job),
        }
    })?;
    array_of_grid(py, layer.map_err(sky_error)?)
}

/// The layers of the views of several observers, by their names.
#[pyfunction]
pub(crate) fn cumulative<'py>(
    py: Python<'py>,
    heights: PyReadonlyArray2<'py, f32>,
    observers: PyReadonlyArray2<'py, i32>,
    layers: Vec<String>,
    method: &str,
    turbine: (f64, f64),
    eye: Eye,
) -> PyResult<Vec<(String, Bound<'py, PyArray2<f32>>)>> {
    let (values, observers) = (Values::of(&heights)?, cells_of(&observers)?);
    let layers = layers.iter().map(|name| name.parse().map_err(value_error)).collect::<PyResult<Vec<_>>>()?;
    let mut preset = Preset::named("viewshed").map_err(value_error)?;
    let CellSize { x_m, y_m, .. } = eye.cell_size();
    preset.sight.radius = eye.radius(values.size())?;
    preset.sight.method = grade(method)?;
    preset.world.cell_size_m = eye.cell_size().mean_m();
    preset.optics.curvature_coefficient = Some(eye.curvature);
    let mut limits = ViewLimits::default();
    (limits.eye_height_m, limits.target_height_m) = (eye.eye, eye.target);
    (limits.hub_height_m, limits.tip_height_m) = turbine;
    limits.greatest_distance_m = eye.max_distance.unwrap_or(f64::INFINITY);
    // Observers are placed by coordinates: here those of the cells.
    let place = Georeference { corner: [0.0; 2], cell: [1.0; 2], keys: GeoKeys::default() };
    let placed = observers.iter().enumerate().map(|(i, cell)| {
        let position = dvec2(f64::from(cell.x) + 0.5, -f64::from(cell.y) - 0.5);
        PlacedObserver::new(format!("observers[{i}]"), position, limits, &place, values.size())
    });
    let placed = placed.collect::<Result<Vec<_>, _>>().map_err(observer_error)?;
    let Some(first) = placed.first().map(|observer| observer.cell) else {
        return Err(value_error("observers: there are none"));
    };
    let parts = CumulativeParts { layers: layers.clone(), ..CumulativeParts::default() };
    let view = interruptible(py, |job| {
        // A window of all cells has no climate, which nothing would read.
        let window = RasterWindow { cells: values.extent(), raster_size: values.size() };
        let ground = Ground::new(values.window(values.extent()));
        let ground = ground.with_cell_sizes(CellSizes::Equal([x_m, y_m])).with_window(window);
        let scene = Scene::on_owned_ground(preset, ground, Some(first), job)?;
        CumulativeView::compute(&scene, &placed, &parts, job)
    })?
    .map_err(scene_error)?;
    let arrays = layers.into_iter().map(|layer: CumulativeLayer| {
        let values = view.layer(layer).expect("each layer was asked for").clone();
        Ok((layer.name().to_owned(), array_of_grid(py, values)?))
    });
    arrays.collect()
}

/// Returns the method of a viewshed.
fn grade(name: &str) -> PyResult<Method> {
    let method: Method = name.parse().map_err(value_error)?;
    if method.is_binary() {
        return Err(value_error(format!(
            "method: \"{}\" knows no heights: expected \"exact\" or \"two-parent\"",
            method.name()
        )));
    }
    Ok(method)
}

/// Returns the sides in metres of the cells of a row of a raster in a reference system, by its EPSG code; without one in degrees on
/// WGS 84 or in metres. `corner` is the upper left one, `cell` has the sides in the unit of the system.
#[pyfunction]
pub(crate) fn cell_size_at(
    epsg: Option<u16>,
    is_geographic: bool,
    corner: (f64, f64),
    cell: (f64, f64),
    size: (i32, i32),
    row: f64,
) -> PyResult<(f64, f64)> {
    let keys = match (epsg, is_geographic) {
        (None, true) => GeoKeys::geographic(),
        (None, false) => GeoKeys::default(),
        (Some(code), _) => {
            // The keys of GeoTIFF for the kind of the system and for its code.
            let (kind, key) = if is_geographic { (2, 2048) } else { (1, 3072) };
            GeoKeys { directory: vec![1, 1, 0, 2, 1024, 0, 1, kind, key, 0, 1, code], ..GeoKeys::default() }
        }
    };
    let place = Georeference { corner: corner.into(), cell: cell.into(), keys };
    let CellSize { x_m, y_m, .. } = place.cell_sizes(size.into()).map_err(value_error)?.at_row(row);
    Ok((x_m, y_m))
}
