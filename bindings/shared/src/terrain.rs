//! Viewsheds, horizons and skies over heights.

use std::ops::RangeInclusive;

use farsight::glam::{IVec2, dvec2};
use farsight::grid::{CellRect, CellSize};
use farsight::horizon::{Horizon, HorizonConfig};
use farsight::sight::MethodKind;
use farsight::sky::{Sky, SunPath};
use farsight::viewshed::{Surface, Viewshed};
use farsight::{Grid, Job, SightConfig};
use farsight_scene::atlas::{Atlas, AtlasLayer, AtlasPlan, Cells};
use farsight_scene::cumulative::{CumulativeLayer, CumulativeParts, CumulativeView, PlacedObserver, ViewLimits};
use farsight_scene::files::{GeoKeys, Georeference};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::{CellSizes, Ground, RasterWindow};

use crate::failure::Failure;
use crate::values::{Values, write_view};

/// The valid sides of cells, for which distances over a map fit into the numbers of a ray.
const SIDES_M: RangeInclusive<f64> = 1e-3..=1e6;

/// The eye of an observer and its target, in metres; the cell size of the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Width and height of a cell.
    pub cell_size: (f64, f64),
    /// The height of the eye over its ground.
    pub eye: f64,
    /// The height of the target over its ground.
    pub target: f64,
    /// The curvature of the Earth that remains with refraction, 1 without; 0 is a flat Earth.
    pub curvature: f64,
    /// The range; `None` is the whole map.
    pub max_distance: Option<f64>,
}

impl Eye {
    fn cell_size(&self) -> CellSize {
        CellSize::new(self.cell_size.0, self.cell_size.1)
    }

    fn surface<'a>(&self, ground: &'a Grid<f32>) -> Surface<'a> {
        Surface::of(ground, self.cell_size())
            .with_eye_height(self.eye)
            .with_target_height(self.target)
            .with_curvature(self.curvature)
    }

    /// Returns the minimum radius in cells that contains the range, at most the sides of the map.
    ///
    /// # Errors
    /// For sides out of range, and a range that is not above 0.
    pub fn radius(&self, size: IVec2) -> Result<u32, Failure> {
        let shorter = self.cell_size().shorter_m();
        let sides = [self.cell_size.0, self.cell_size.1];
        if !sides.iter().all(|side| SIDES_M.contains(side)) {
            let [x, y] = sides;
            return Err(Failure::invalid(format!(
                "cell_size: ({x}, {y}) is not valid: expected sides of {} m to {} m",
                SIDES_M.start(),
                SIDES_M.end()
            )));
        }
        let longer = self.cell_size.0.max(self.cell_size.1);
        let across = size.as_dvec2().length() * longer / shorter;
        let wanted = match self.max_distance {
            Some(metres) if metres > 0.0 => metres / shorter,
            Some(metres) => {
                return Err(Failure::invalid(format!(
                    "max_distance: {metres} is not valid: expected more than 0 m, or None"
                )));
            }
            None => across,
        };
        Ok(wanted.min(across).ceil() as u32)
    }

    /// Returns a scene over heights in which only the ground blocks views, within a radius.
    fn scene(
        &self,
        values: Values<'_>,
        method: MethodKind,
        radius: u32,
        viewer: IVec2,
        job: Job<'_>,
    ) -> Result<Scene, Failure> {
        let mut preset = Preset::named("viewshed").map_err(Failure::invalid)?;
        let CellSize { x_m, y_m, .. } = self.cell_size();
        preset.sight.radius = radius;
        preset.sight.method = method;
        preset.world.cell_size_m = self.cell_size().mean_m();
        preset.optics.curvature_coefficient = Some(self.curvature);
        preset.optics.radius_per_100m = 0.0;
        (preset.optics.eye_height_m, preset.optics.target_height_m) = (self.eye, self.target);
        preset.check().map_err(Failure::invalid)?;
        // A window of all cells omits the climate, which is not needed.
        let window = RasterWindow { cells: values.extent(), raster_size: values.size() };
        let ground = Ground::new(values.heights(values.extent())?)
            .with_cell_sizes(CellSizes::Equal([x_m, y_m]))
            .with_window(window);
        Ok(Scene::from_dem(preset, ground, Some(viewer), job)?)
    }
}

/// Returns the method of a viewshed.
///
/// # Errors
/// For unknown names, and methods without heights.
pub fn method_named(name: &str) -> Result<MethodKind, Failure> {
    let method: MethodKind = name.parse().map_err(Failure::invalid)?;
    if method.is_binary() {
        return Err(Failure::invalid(format!(
            "method: \"{}\" knows no heights: expected \"exact\" or \"two-parent\"",
            method.name()
        )));
    }
    Ok(method)
}

/// Returns the part of a map around a viewer, and the viewer in it. A viewer off the map keeps the whole map, for the error.
fn part_around(values: &Values<'_>, viewer: IVec2, radius: u32) -> CellRect {
    match values.extent().contains(viewer) {
        true => CellRect::around(viewer, radius).intersect(values.extent()),
        false => values.extent(),
    }
}

/// Writes the visibility of the ground into all cells of a map.
///
/// # Errors
/// As [`Viewshed::compute`].
pub fn viewshed(
    values: Values<'_>,
    viewer: IVec2,
    method: MethodKind,
    softness: f64,
    eye: &Eye,
    cells: &mut [f32],
    job: Job<'_>,
) -> Result<(), Failure> {
    let (size, radius) = (values.size(), eye.radius(values.size())?);
    let config = SightConfig::default().with_radius(radius).with_method(method);
    let mut viewshed = Viewshed::new(config)?;
    let part = part_around(&values, viewer, radius);
    let ground = values.heights(part)?;
    let surface = eye.surface(&ground).with_softness(softness);
    cells.fill(0.0);
    let view = viewshed.compute(&surface, viewer - part.min, job)?;
    write_view(&view, CellRect { min: -part.min, max: size - part.min }, cells);
    let reach = eye.max_distance.unwrap_or(f64::INFINITY);
    for cell in part.cells().filter(|cell| eye.cell_size().distance_m(*cell - viewer) > reach) {
        cells[cell.y as usize * size.x as usize + cell.x as usize] = 0.0;
    }
    Ok(())
}

/// The skyline at an azimuth; NaN and −1 where the direction has no data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkylinePoint {
    /// The angle over the level of the eye, in degrees.
    pub elevation_deg: f64,
    /// The distance from the viewer, in metres.
    pub distance_m: f64,
    /// The height over the sea, in metres.
    pub height_m: f64,
    /// The cell.
    pub cell: IVec2,
}

/// Returns the skylines of viewers, each with a point per azimuth, from north over east.
///
/// # Errors
/// As [`Horizon::of`].
pub fn skylines(
    values: Values<'_>,
    viewers: &[IVec2],
    azimuths: u32,
    convergence_deg: f64,
    eye: &Eye,
    job: Job<'_>,
) -> Result<Vec<SkylinePoint>, Failure> {
    /// The margin beyond the range in cells, since heights are interpolated.
    const MARGIN: u32 = 2;
    let radius = eye.radius(values.size())?.saturating_add(MARGIN);
    let mut config = HorizonConfig::default().with_azimuths(azimuths).with_convergence_deg(convergence_deg);
    if let Some(metres) = eye.max_distance {
        config = config.with_max_distance_m(metres);
    }
    config.check()?;
    let mut points = Vec::new();
    for &viewer in viewers {
        let part = part_around(&values, viewer, radius);
        let ground = values.heights(part)?;
        let horizon = Horizon::of(&eye.surface(&ground), viewer - part.min, &config)?;
        points.extend(horizon.azimuths().iter().map(|along| match along.skyline() {
            Some(ridge) => SkylinePoint {
                elevation_deg: ridge.elevation_deg(),
                distance_m: ridge.distance_m,
                height_m: ridge.height_m,
                cell: ridge.cell + part.min,
            },
            None => {
                SkylinePoint { elevation_deg: f64::NAN, distance_m: f64::NAN, height_m: f64::NAN, cell: IVec2::NEG_ONE }
            }
        }));
        job.report("horizons", 0.0).map_err(Failure::invalid)?;
    }
    Ok(points)
}

/// A quantity of the sky over every cell.
#[derive(Clone, Debug, PartialEq)]
pub enum SkyLayer {
    /// The angle of the horizon at an azimuth in degrees from the top of the map.
    Horizon(f64),
    /// The sky-view factor from a number of azimuths.
    ViewFactor(u32),
    /// The hours of sun.
    Sunshine(SunPath),
}

/// Computes the sky over the cells of a part. `sides` are the cell sizes of each row, if they differ.
///
/// # Errors
/// As [`Sky`].
pub fn sky(
    values: Values<'_>,
    part: CellRect,
    layer: &SkyLayer,
    sides: Option<&[CellSize]>,
    eye: &Eye,
    job: Job<'_>,
) -> Result<Grid<f32>, Failure> {
    eye.radius(values.size())?; // checks the sides and the range
    let ground = values.heights(values.extent())?;
    let mut sky = Sky::new(&eye.surface(&ground), eye.max_distance.unwrap_or(f64::INFINITY))?;
    if let Some(sides) = sides {
        if sides.len() != ground.height() {
            let (sides, rows) = (sides.len(), ground.height());
            return Err(Failure::invalid(format!("cell_size: {sides} rows are not accepted: expected {rows}")));
        }
        sky = sky.with_cell_size_at(|row| sides[row.clamp(0, sides.len() as i32 - 1) as usize]);
    }
    let grid = match layer {
        SkyLayer::Horizon(azimuth) => sky.horizon_deg(*azimuth, part, job),
        SkyLayer::ViewFactor(azimuths) => sky.view_factor(*azimuths, part, job),
        SkyLayer::Sunshine(path) => sky.sunshine_h(path, part, job),
    };
    Ok(grid?)
}

/// Computes the number of visible cells from each cell of a part, up to the range in whole cells. NaN for a nodata cell.
///
/// # Errors
/// As [`Atlas::compute`].
pub fn total_viewshed(
    values: Values<'_>,
    part: CellRect,
    method: MethodKind,
    eye: &Eye,
    job: Job<'_>,
) -> Result<Grid<f32>, Failure> {
    eye.radius(values.size())?; // checks the sides and the range
    let shorter = eye.cell_size().shorter_m();
    let radius = eye.max_distance.map_or(eye.radius(values.size())?, |metres| (metres / shorter) as u32);
    let cells = || part.cells().filter(|cell| values.has_data(*cell));
    let mut totals = Grid::from_fn(part.width(), part.height(), |_| f32::NAN);
    let Some(first) = cells().next() else {
        values.heights(part)?; // infinite ones are no missing data
        return Ok(totals);
    };
    let scene = eye.scene(values, method, radius, first, job)?;
    let plan = AtlasPlan::new(&scene, "", None, Cells::list(cells().collect()))?;
    for (cell, seen) in Atlas::compute(&plan, &scene, job)?.iter() {
        totals[cell - part.min] = AtlasLayer::TotalVisibility.value(cell, seen);
    }
    Ok(totals)
}

/// Several observers.
#[derive(Clone, Copy)]
pub struct Observers<'a> {
    /// The cell of each.
    pub cells: &'a [IVec2],
    /// Columns of observers' files with a number for each observer; NaN is that of all.
    pub columns: &'a [(String, Vec<f64>)],
}

/// Computes layers of the joint view of several observers. `turbine` has the heights of hub and tip.
///
/// # Errors
/// As [`CumulativeView::compute`], without observers, and for a column that is unknown or has another number of values.
pub fn cumulative(
    values: Values<'_>,
    observers: Observers<'_>,
    layers: &[CumulativeLayer],
    method: MethodKind,
    turbine: (f64, f64),
    eye: &Eye,
    job: Job<'_>,
) -> Result<Vec<Grid<f32>>, Failure> {
    let Observers { cells, columns } = observers;
    let radius = eye.radius(values.size())?;
    let mut limits = ViewLimits::default();
    (limits.eye_height_m, limits.target_height_m) = (eye.eye, eye.target);
    (limits.hub_height_m, limits.tip_height_m) = turbine;
    limits.max_distance_m = eye.max_distance.unwrap_or(f64::INFINITY);
    // Observers are placed by coordinates: here those of the cells.
    let place = Georeference { corner: [0.0; 2], cell: [1.0; 2], keys: GeoKeys::default() };
    if let Some((name, _)) = columns.iter().find(|(name, _)| !ViewLimits::columns().any(|known| known == name)) {
        let known = ViewLimits::columns().collect::<Vec<_>>().join(", ");
        return Err(Failure::invalid(format!("columns: \"{name}\" is not known: expected {known}")));
    }
    if let Some((name, values)) = columns.iter().find(|(_, values)| values.len() != cells.len()) {
        let (found, expected) = (values.len(), cells.len());
        return Err(Failure::invalid(format!(
            "columns: {name} has {found} values: expected {expected}, one an observer"
        )));
    }
    let placed = cells.iter().enumerate().map(|(i, cell)| {
        let own = columns.iter().filter(|(_, values)| !values[i].is_nan());
        let limits = own.fold(limits, |limits, (name, values)| limits.with_column(name, values[i]).unwrap_or(limits));
        let position = dvec2(f64::from(cell.x) + 0.5, -f64::from(cell.y) - 0.5);
        PlacedObserver::new(format!("observers[{i}]"), position, limits, &place, values.size())
    });
    let placed = placed.collect::<Result<Vec<_>, _>>()?;
    let Some(first) = placed.first().map(|observer| observer.cell) else {
        return Err(Failure::invalid("observers: there are none"));
    };
    let parts = CumulativeParts { layers: layers.to_vec(), ..CumulativeParts::default() };
    let view = CumulativeView::compute(&eye.scene(values, method, radius, first, job)?, &placed, &parts, job)?;
    Ok(layers.iter().map(|layer| view.layer(*layer).expect("each layer was asked for").clone()).collect())
}
