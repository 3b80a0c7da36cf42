//! Viewsheds, horizons and skies over heights.

use std::ops::RangeInclusive;

use farsight::glam::{DVec2, IVec2, dvec2};
use farsight::grid::{CellRect, CellSize};
use farsight::horizon::{Horizon, HorizonConfig};
use farsight::sight::MethodKind;
use farsight::sky::{Sky, SunPath};
use farsight::viewshed::{Profile, Surface, Viewshed};
use farsight::{Grid, Job, SightConfig};
use farsight_scene::atlas::{Atlas, AtlasLayer, AtlasPlan, Cells};
use farsight_scene::cumulative::{
    ChosenObserver, CumulativeLayer, CumulativeParts, CumulativeView, DistanceBand, PlacedObserver, SeenPolygons,
    ViewLimits,
};
use farsight_scene::files::{GeoKeys, Geometry, Georeference, Provenance};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;
use farsight_scene::world::{CellSizes, Crowns, EyeOn, Ground, RasterWindow, SurfaceModel};

use crate::failure::{Failure, Reason};
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

/// Obstacles and crowns on the ground: elevations of a digital surface model and heights of crowns, in metres.
#[derive(Clone, Copy, Default)]
pub struct Standing<'a> {
    /// Elevations of roofs and tree tops, of the size of the heights.
    pub surface: Option<Values<'a>>,
    /// Heights of crowns over the ground, of the size of the heights.
    pub canopy: Option<Values<'a>>,
    /// Extinction of crowns per metre; `None` for opaque ones.
    pub extinction: Option<f64>,
    /// Height of the trunks below crowns, between which the view is clear, in metres.
    pub clear_trunks: f64,
}

impl Standing<'_> {
    /// Returns what stands on a part of the ground.
    ///
    /// # Errors
    /// For another size than that of the heights, and numbers that are no heights.
    fn model(&self, size: IVec2, part: CellRect, ground: &Grid<f32>) -> Result<Option<SurfaceModel>, Failure> {
        if self.surface.is_none() && self.canopy.is_none() {
            return Ok(None);
        }
        for (name, values) in [("surface", &self.surface), ("canopy", &self.canopy)] {
            if let Some(found) = values.map(|values| values.size()).filter(|found| *found != size) {
                return Err(Failure::invalid(format!(
                    "{name}: {} columns and {} rows are not accepted: expected {} and {}, as the heights have",
                    found.x, found.y, size.x, size.y
                )));
            }
        }
        let read = |values: Option<Values<'_>>| values.map(|values| values.heights(part)).transpose();
        let (surface, canopy) = (read(self.surface)?, read(self.canopy)?);
        let crowns = canopy.as_ref().map_or(Crowns::None, Crowns::Heights);
        let model = SurfaceModel::of_layers(ground, surface.as_ref(), crowns, &|_| None, self.extinction.is_none());
        Ok(Some(model.with_eyes(self.clear_trunks, EyeOn::Ground)))
    }

    /// Adds what stands on the ground to a surface.
    fn add_to<'a>(&self, surface: Surface<'a>, model: &'a Option<SurfaceModel>) -> Surface<'a> {
        model.as_ref().map_or(surface, |model| model.add_to(surface, self.extinction.unwrap_or(0.0)))
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

/// Values of a part of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapWindow {
    /// The cells of the map.
    pub part: CellRect,
    /// Their values.
    pub values: Grid<f32>,
}

impl MapWindow {
    /// Writes the values into the cells of a map of `size`; other cells do not change.
    pub fn write(&self, size: IVec2, cells: &mut [f32]) {
        for y in self.part.min.y..self.part.max.y {
            let first = y as usize * size.x as usize + self.part.min.x as usize;
            cells[first..first + self.part.width()].copy_from_slice(self.values.row((y - self.part.min.y) as usize));
        }
    }
}

/// Returns the visibility of the ground in the part of a map in range.
///
/// # Errors
/// As [`Viewshed::compute`].
pub fn viewshed(
    values: Values<'_>,
    viewer: IVec2,
    method: MethodKind,
    softness: f64,
    eye: &Eye,
    standing: &Standing<'_>,
    job: Job<'_>,
) -> Result<MapWindow, Failure> {
    let radius = eye.radius(values.size())?;
    let config = SightConfig::default().with_radius(radius).with_method(method);
    let mut viewshed = Viewshed::new(config)?;
    let part = part_around(&values, viewer, radius);
    let ground = values.heights(part)?;
    let model = standing.model(values.size(), part, &ground)?;
    let surface = standing.add_to(eye.surface(&ground).with_softness(softness), &model);
    let view = viewshed.compute(&surface, viewer - part.min, job)?;
    let mut seen = Grid::new(part.width(), part.height(), 0.0);
    write_view(&view, CellRect::of_size(part.size()), seen.as_mut_slice());
    let reach = eye.max_distance.unwrap_or(f64::INFINITY);
    for cell in part.cells().filter(|cell| eye.cell_size().distance_m(*cell - viewer) > reach) {
        seen[cell - part.min] = 0.0;
    }
    Ok(MapWindow { part, values: seen })
}

/// Returns the profile from a viewer to a target: a point for each step along the longer axis, both ends included.
///
/// # Errors
/// For a cell off the map or without data, and for sides out of range.
pub fn profile(
    values: Values<'_>,
    viewer: IVec2,
    target: IVec2,
    eye: &Eye,
    standing: &Standing<'_>,
) -> Result<Profile, Failure> {
    eye.radius(values.size())?; // checks the sides and the range
    for cell in [viewer, target] {
        if !values.extent().contains(cell) {
            let (IVec2 { x, y }, size) = (cell, values.size());
            return Err(Failure::new(
                Reason::Outside,
                format!("{x},{y} is outside the map of {}x{} cells", size.x, size.y),
            ));
        }
    }
    let part = CellRect::around(viewer, 0).cover(CellRect::around(target, 0));
    let ground = values.heights(part)?;
    let ground_m = |cell: IVec2| f64::from(ground[cell - part.min]);
    for (name, cell, height_m) in [("viewer", viewer, eye.eye), ("target", target, eye.target)] {
        if ground_m(cell).is_nan() {
            let IVec2 { x, y } = cell;
            return Err(Failure::invalid(format!("{name}: {x},{y} is nodata: expected a cell with a height")));
        }
        if !(0.0..=10_000.0).contains(&height_m) {
            let name = if name == "viewer" { "eye" } else { name };
            return Err(Failure::invalid(format!("{name}: {height_m} is not valid: expected 0 to 10000 m")));
        }
    }
    let model = standing.model(values.size(), part, &ground)?;
    let surface = standing.add_to(eye.surface(&ground), &model);
    let mut profile = Profile::new(&surface, viewer - part.min, target - part.min)?;
    profile.points.iter_mut().for_each(|point| point.cell += part.min);
    Ok(profile)
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
    let parts = CumulativeParts { layers: layers.to_vec(), ..CumulativeParts::default() };
    let joint = JointView::compute(values, observers, &parts, method, turbine, eye, job)?;
    Ok(layers.iter().map(|layer| joint.view.layer(*layer).expect("each layer was asked for").clone()).collect())
}

/// The requested parts of a [`Coverage`].
#[derive(Clone, Copy, Debug, Default)]
pub struct CoverageParts<'a> {
    /// The ends of bands of distances from the nearest observer, in metres and ascending.
    pub band_ends_m: &'a [f64],
    /// Cells for which the observers that see them are listed.
    pub places: &'a [IVec2],
    /// The maximum number of observers to choose.
    pub choose: usize,
    /// `true` for polygons.
    pub has_polygons: bool,
}

/// The ground that several observers see.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Its area in km².
    pub seen_km2: f64,
    /// Its area by distance.
    pub bands: Vec<DistanceBand>,
    /// For each place, whether each observer sees it.
    pub seeing: Vec<Vec<bool>>,
    /// The observers that see most together.
    pub chosen: Vec<ChosenObserver>,
    /// Connected areas, each with its rings: the outer one and holes. Their corners are columns and rows.
    pub polygons: Vec<Vec<Vec<DVec2>>>,
}

/// Computes the ground that several observers see.
///
/// # Errors
/// As [`cumulative`], for places off the map, and for ends of bands that do not ascend.
pub fn coverage(
    values: Values<'_>,
    observers: Observers<'_>,
    parts: CoverageParts<'_>,
    method: MethodKind,
    turbine: (f64, f64),
    eye: &Eye,
    job: Job<'_>,
) -> Result<Coverage, Failure> {
    let CoverageParts { band_ends_m, places, choose, has_polygons } = parts;
    let ends_m: Vec<f64> = std::iter::once(0.0).chain(band_ends_m.iter().copied()).collect();
    if !ends_m.windows(2).all(|ends| ends[0] < ends[1]) {
        return Err(Failure::invalid(format!(
            "bands: {band_ends_m:?} is not valid: expected ascending lengths in metres, such as [2000, 5000]"
        )));
    }
    if let Some(IVec2 { x, y }) = places.iter().find(|place| !values.extent().contains(**place)) {
        let size = values.size();
        return Err(Failure::new(
            Reason::Outside,
            format!("places: {x},{y} is outside the map of {}x{} cells", size.x, size.y),
        ));
    }
    let needs_cells = choose > 0 || !places.is_empty();
    let computed = CumulativeParts { seen_cells: needs_cells, ..CumulativeParts::default() };
    let JointView { scene, view, observers } =
        JointView::compute(values, observers, &computed, method, turbine, eye, job)?;
    let Some(world) = scene.world() else { unreachable!("heights make a world") };
    let mut polygons = Vec::new();
    if has_polygons {
        let seen = SeenPolygons::of_any(&view);
        seen.check().map_err(Failure::invalid)?;
        let features = seen.features(&plane(), Provenance::default());
        for geometry in features.geometries {
            let Geometry::Polygon(rings) = geometry else { unreachable!("seen ground has areas") };
            let on_rows = |ring: Vec<DVec2>| ring.into_iter().map(|corner| dvec2(corner.x, 0.0 - corner.y)).collect();
            polygons.push(rings.into_iter().map(on_rows).collect());
        }
    }
    Ok(Coverage {
        seen_km2: view.covered(world, CumulativeLayer::Count).km2,
        bands: view.distance_bands(world, &observers, &ends_m, None),
        seeing: places.iter().map(|place| view.seen_cells.iter().map(|seen| seen.contains(*place)).collect()).collect(),
        chosen: view.choose(world, choose),
        polygons,
    })
}

/// Returns the coordinates of cells: columns to the east, and rows to the south.
fn plane() -> Georeference {
    Georeference { corner: [0.0; 2], cell: [1.0; 2], keys: GeoKeys::default() }
}

/// The joint view of several observers.
struct JointView {
    scene: Scene,
    view: CumulativeView,
    observers: Vec<PlacedObserver>,
}

impl JointView {
    fn compute(
        values: Values<'_>,
        observers: Observers<'_>,
        parts: &CumulativeParts,
        method: MethodKind,
        turbine: (f64, f64),
        eye: &Eye,
        job: Job<'_>,
    ) -> Result<Self, Failure> {
        let Observers { cells, columns } = observers;
        let radius = eye.radius(values.size())?;
        let mut limits = ViewLimits::default();
        (limits.eye_height_m, limits.target_height_m) = (eye.eye, eye.target);
        (limits.hub_height_m, limits.tip_height_m) = turbine;
        limits.max_distance_m = eye.max_distance.unwrap_or(f64::INFINITY);
        // Observers are placed by coordinates: here those of the cells.
        let place = plane();
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
            let limits = limits.with_columns(own.map(|(name, values)| (&**name, values[i])));
            let position = dvec2(f64::from(cell.x) + 0.5, -f64::from(cell.y) - 0.5);
            PlacedObserver::new(format!("observers[{i}]"), position, limits, &place, values.size())
        });
        let placed = placed.collect::<Result<Vec<_>, _>>()?;
        let Some(first) = placed.first().map(|observer| observer.cell) else {
            return Err(Failure::invalid("observers: there are none"));
        };
        let scene = eye.scene(values, method, radius, first, job)?;
        let view = CumulativeView::compute(&scene, &placed, parts, job)?;
        Ok(Self { scene, view, observers: placed })
    }
}
