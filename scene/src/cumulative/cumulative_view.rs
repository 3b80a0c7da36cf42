//! [`CumulativeView`]: the layers of the views of several observers; [`CumulativeLayer`].

use std::f64::consts::PI;

use glam::{IVec2, ivec2};

use super::observer_view::{ObserverView, ViewParts, ViewTask, VisibleCells};
use super::placed_observer::{PlacedObserver, ViewLimits};
use super::sweep_progress::SweepProgress;
use crate::optics::Optics;
use crate::scene::{Scene, SceneError, Terrain, check_more_views, grown_radius};
use farsight::Job;
use farsight::grid::{CellRect, CellSize, Grid};
use farsight::internal::parallel::*;
use farsight::named_enum;
use farsight::sight::{RadiusShape, Sector, SightError};
use farsight::viewshed::{Surface, Viewshed};

named_enum! {
    /// A layer of the views of several observers. An observer sees a cell if its visibility is at least
    /// `perception.glimpse`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum CumulativeLayer: "layer" {
        /// The maximum visibility, in [0, 1].
        Union = "union",
        /// The number of observers that see the cell.
        Count = "count",
        /// The number of the observer that sees the cell best, from 1; the first on a tie. 0 if none sees it.
        Best = "best",
        /// The sum of the visibilities, each times the weight of its observer.
        Sum = "sum",
        /// Metres to the nearest observer that sees the cell; NaN without one.
        Nearest = "nearest",
        /// The number of turbines whose hub is seen.
        Hubs = "hubs",
        /// The number of turbines whose tip is seen.
        Tips = "tips",
        /// The number of observers that would see the cell over the ground alone, without what stands on it.
        BareCount = "bare-count",
        /// The number of observers that what stands on the ground hides: the bare count minus the count.
        Screened = "screened",
        /// The maximum number of visible metres of a turbine.
        VisibleHeight = "visible-height",
        /// The sum of the visible metres of all turbines.
        VisibleHeightSum = "visible-height-sum",
        /// The maximum vertical angle of the visible part of a turbine, in degrees.
        VerticalAngle = "vertical-angle",
        /// The angle of the smallest sector that contains all turbines with a visible tip, in degrees; 0 for a single
        /// one.
        HorizontalAngle = "horizontal-angle",
    }
}

impl CumulativeLayer {
    /// Returns the unit of the values: `m`, `degrees`, or an empty text for numbers without one.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Nearest | Self::VisibleHeight | Self::VisibleHeightSum => "m",
            Self::VerticalAngle | Self::HorizontalAngle => "degrees",
            Self::Union | Self::Count | Self::Best | Self::Sum | Self::Hubs | Self::Tips => "",
            Self::BareCount | Self::Screened => "",
        }
    }

    /// Returns `true` for whole numbers.
    pub const fn is_count(self) -> bool {
        matches!(self, Self::Best) || self.counts_observers()
    }

    /// Returns `true` for numbers of observers or turbines.
    pub const fn counts_observers(self) -> bool {
        matches!(self, Self::Count | Self::Hubs | Self::Tips) || self.is_of_bare_ground()
    }

    /// Returns `true` if the layer needs views over bare ground.
    pub const fn is_of_bare_ground(self) -> bool {
        matches!(self, Self::BareCount | Self::Screened)
    }

    /// Returns `true` if the layer is of hubs or tips.
    pub const fn is_of_turbines(self) -> bool {
        matches!(self, Self::Hubs | Self::Tips | Self::HorizontalAngle) || self.needs_lines()
    }

    /// Returns `true` if the layer needs lines of sight over the ground (`optics.relief = "horizon"`).
    pub const fn needs_lines(self) -> bool {
        matches!(self, Self::VisibleHeight | Self::VisibleHeightSum | Self::VerticalAngle)
    }
}

/// The parts of a cumulative view in addition to [`CumulativeLayer::Count`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CumulativeParts {
    /// The layers.
    pub layers: Vec<CumulativeLayer>,
    /// `true` to keep the cells of each observer.
    pub seen_cells: bool,
    /// The cells from which the [`PlaceView`] of each observer is kept.
    pub places: Vec<IVec2>,
    /// `true` to set cells out of range of all observers to NaN: beyond the radii, the distances and the directions.
    pub nodata_outside: bool,
}

impl CumulativeParts {
    /// Returns the number of sweeps over the ground that the views of some observers take. Each takes about as long as a view.
    pub fn sweeps(&self, observers: &[PlacedObserver]) -> usize {
        observers.iter().map(|observer| self.of_views().sweeps(&observer.limits)).sum()
    }

    fn of_views(&self) -> ViewParts {
        let (has, has_places) = (|layer| self.layers.contains(&layer), !self.places.is_empty());
        ViewParts {
            hubs: has_places || has(CumulativeLayer::Hubs),
            tips: has_places || has(CumulativeLayer::Tips),
            bare: self.layers.iter().any(|layer| layer.is_of_bare_ground()),
            visible_m: has_places || self.layers.iter().any(|layer| layer.needs_lines()),
            seen_cells: self.seen_cells,
            tip_cells: has(CumulativeLayer::HorizontalAngle),
        }
    }
}

/// The joint view of several observers. Cells without data are NaN.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CumulativeView {
    layers: Vec<(CumulativeLayer, Grid<f32>)>,
    /// The cells of each observer, if requested.
    pub seen_cells: Vec<VisibleCells>,
    /// The view of each observer from each requested place, observer by observer; `None` for a place that is out of range
    /// or has no ground.
    pub place_views: Vec<Option<PlaceView>>,
}

/// The visible part of a turbine or mast, as seen from a place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlaceView {
    /// `true` if the hub is seen.
    pub hub: bool,
    /// `true` if the tip is seen.
    pub tip: bool,
    /// The visible metres, up to the tip.
    pub visible_m: f32,
    /// The vertical angle of the visible part in degrees; `None` on the cell of the observer.
    pub vertical_angle_deg: Option<f64>,
}

/// Bytes a cell of a view: visibilities of eye, hub and tip, and over bare ground, visible metres, and the values and bounds of a sweep.
const BYTES_PER_VIEW_CELL: u64 = 28;

impl CumulativeView {
    /// Computes the views of all observers on all threads of rayon, with optics and method of the scene, without light. The
    /// result does not depend on the number of threads. Observers are on cells of the scene.
    ///
    /// ```
    /// use farsight_scene::cumulative::{CumulativeLayer, CumulativeParts, CumulativeView, PlacedObserver, ViewLimits};
    /// use farsight_scene::files::{GeoKeys, Georeference};
    /// use farsight::glam::{dvec2, ivec2};
    /// use farsight_scene::world::Ground;
    /// use farsight::{Grid, Job};
    /// use farsight_scene::preset::Preset;
    /// use farsight_scene::scene::Scene;
    /// let ground = Grid::from_fn(60, 1, |cell| if cell.x == 30 { 100.0 } else { 0.0 }); // a ridge of 100 m
    /// let mut preset = Preset::named("viewshed")?;
    /// (preset.world.cell_size_m, preset.sight.radius) = (30.0, 60);
    /// let scene = Scene::from_dem(preset, Ground::new(ground), Some(ivec2(0, 0)), Job::none())?;
    /// let mut limits = ViewLimits::default();
    /// (limits.eye_height_m, limits.tip_height_m) = (150.0, 150.0);
    /// let place = Georeference { corner: [0.0; 2], cell: [30.0; 2], keys: GeoKeys::default() };
    /// let turbine = PlacedObserver::new("turbine".into(), dvec2(15.0, -15.0), limits, &place, ivec2(60, 1))?;
    /// let parts = CumulativeParts { layers: vec![CumulativeLayer::VisibleHeight], ..CumulativeParts::default() };
    /// let view = CumulativeView::compute(&scene, &[turbine], &parts, Job::none())?;
    /// let metres = view.layer(CumulativeLayer::VisibleHeight).ok_or("the layer was asked for")?;
    /// assert!((metres[ivec2(10, 0)] - 150.0).abs() < 0.01);
    /// assert_eq!(metres[ivec2(45, 0)], 0.0); // the ridge hides it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoSuchLayer`] on an opacity map; [`SceneError::Memory`]; [`SceneError::Sight`] for an observer outside the map
    /// or a radius that is too large, and if the job is cancelled.
    pub fn compute(
        scene: &Scene,
        observers: &[PlacedObserver],
        parts: &CumulativeParts,
        job: Job<'_>,
    ) -> Result<Self, SceneError> {
        let Terrain::World(optics) = scene.terrain() else { return Err(SceneError::NoSuchLayer("cumulative view")) };
        let (size, has_angles) = (scene.size(), parts.layers.contains(&CumulativeLayer::HorizontalAngle));
        let batch = current_num_threads().min(observers.len().max(1));
        check_memory(scene, observers.len(), batch, parts)?;
        let mut sums = LayerSums::new(optics, parts);
        let (mut seen_cells, mut tip_cells, mut place_views) = (Vec::new(), Vec::new(), Vec::new());
        let glimpse = scene.preset().perception.thresholds().glimpse.max(f32::MIN_POSITIVE);
        let config = scene.preset().sight.config().with_sector(Sector::ALL);
        let viewshed = Viewshed::new(config).map_err(SceneError::Sight)?;
        let radius_of = |observer: &PlacedObserver| {
            let ground_m = optics.world().ground_m().get(observer.cell).copied().unwrap_or(0.0);
            grown_radius(observer.radius.unwrap_or(scene.preset().sight.radius), &scene.preset().optics, ground_m)
        };
        let reach = Reach { optics, shape: scene.preset().sight.shape, radius_of: &radius_of };
        job.report("observers", 0.0).map_err(SightError::from)?;
        let progress = SweepProgress::new(job, parts.sweeps(observers));
        let task = ViewTask { optics, parts: parts.of_views(), glimpse, progress: &progress };
        let mut views: Vec<ObserverView> = (0..batch).map(|_| ObserverView::new(viewshed.clone())).collect();
        for (i, observers_of_batch) in observers.chunks(batch).enumerate() {
            let views = &mut views[..observers_of_batch.len()];
            let computed = views.par_chunks_mut(1).zip(observers_of_batch.par_chunks(1));
            computed
                .map(|(view, observer)| view[0].compute(task, &observer[0], radius_of(&observer[0])))
                .collect::<Result<(), SightError>>()?;
            for (view, observer) in views.iter_mut().zip(observers_of_batch) {
                let place_view =
                    |cell: &IVec2| reach.contains(observer, *cell).then(|| place_view(task, view, observer, *cell));
                place_views.extend(parts.places.iter().map(place_view));
                seen_cells.extend(view.seen_cells.take());
                tip_cells.extend(view.tip_cells.take());
            }
            let first = i * batch;
            sums.add(optics, views, observers_of_batch, first, glimpse);
            job.check().map_err(SightError::from)?;
        }
        if has_angles {
            sums.set(CumulativeLayer::HorizontalAngle, horizontal_angles(optics, observers, &tip_cells, size));
        }
        let mut layers = sums.finish(optics);
        if parts.nodata_outside {
            layers.iter_mut().for_each(|(_, values)| reach.clear_outside(observers, values));
        }
        Ok(Self { layers, seen_cells, place_views })
    }

    /// Returns a requested layer, or the count.
    pub fn layer(&self, layer: CumulativeLayer) -> Option<&Grid<f32>> {
        self.layers.iter().find(|(other, _)| *other == layer).map(|(_, values)| values)
    }

    /// Returns the number of observers that see each cell.
    pub fn count(&self) -> &Grid<f32> {
        self.layer(CumulativeLayer::Count).expect("the count is always computed")
    }
}

/// Checks the memory of the layers, of a batch of views, and of the kept bits.
fn check_memory(scene: &Scene, observers: usize, batch: usize, parts: &CumulativeParts) -> Result<(), SceneError> {
    let views = batch as u64;
    let kept = u64::from(parts.seen_cells) + u64::from(parts.layers.contains(&CumulativeLayer::HorizontalAngle));
    let bytes_per_cell =
        4 * (parts.layers.len() as u64 + 2) + BYTES_PER_VIEW_CELL * views + (kept * observers as u64).div_ceil(8);
    check_more_views(scene.size(), scene.preset(), views, bytes_per_cell, "a cumulative view")
}

/// The layers while views are added.
struct LayerSums {
    layers: Vec<(CumulativeLayer, Grid<f32>)>,
}

/// A row of a view, and the same part of a row of a layer.
struct RowPair<'a> {
    view: &'a ObserverView,
    observer: &'a PlacedObserver,
    /// The first cell.
    start: IVec2,
    sums: &'a mut [f32],
}

impl LayerSums {
    fn new(optics: &Optics, parts: &CumulativeParts) -> Self {
        use CumulativeLayer::{Best, Count, Union};
        let size = optics.world().ground_m().size();
        let mut layers = vec![Count];
        // The best observer is found together with the maximum.
        if parts.layers.contains(&Best) || parts.layers.contains(&Union) {
            layers.extend([Union, Best]);
        }
        layers.extend(parts.layers.iter().filter(|layer| !matches!(layer, Count | Union | Best)));
        let grid = |layer| {
            let start = if layer == CumulativeLayer::Nearest { f32::INFINITY } else { 0.0 };
            Grid::new(size.x as usize, size.y as usize, start)
        };
        Self { layers: layers.into_iter().map(|layer| (layer, grid(layer))).collect() }
    }

    fn set(&mut self, layer: CumulativeLayer, values: Grid<f32>) {
        let found = self.layers.iter_mut().find(|(other, _)| *other == layer);
        found.expect("the layer was asked for").1 = values;
    }

    /// Adds a batch of views, numbered after `first`: rows in parallel, and each cell in the order of the observers.
    fn add(
        &mut self,
        optics: &Optics,
        views: &[ObserverView],
        observers: &[PlacedObserver],
        first: usize,
        glimpse: f32,
    ) {
        use CumulativeLayer::*;
        let mut layers = self.layers.iter_mut();
        while let Some((layer, sums)) = layers.next() {
            let batch = Batch { views, observers, first };
            match layer {
                Union => {
                    let Some((Best, best)) = layers.next() else { unreachable!("the best follows the union") };
                    batch.add_best(sums, best);
                }
                Best | HorizontalAngle => {} // with the union; at the end
                Count => batch.add(sums, |row| count_row(row.sums, row.view.seen(row.row()), glimpse)),
                BareCount => batch.add(sums, |row| count_row(row.sums, row.view.bare(row.row()), glimpse)),
                Screened => batch.add(sums, |row| {
                    let bare_and_seen = row.view.bare(row.row()).iter().zip(row.view.seen(row.row()));
                    for (count, (bare, seen)) in row.sums.iter_mut().zip(bare_and_seen) {
                        *count += f32::from(u8::from(*bare >= glimpse && *seen < glimpse));
                    }
                }),
                Hubs => batch.add(sums, |row| count_row(row.sums, row.view.hub(row.row()), glimpse)),
                Tips => batch.add(sums, |row| count_row(row.sums, row.view.tip(row.row()), glimpse)),
                Sum => batch.add(sums, |row| {
                    let weight = row.observer.limits.weight as f32;
                    let seen = row.view.seen(row.row());
                    row.sums.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += weight * seen);
                }),
                Nearest => batch.add(sums, |row| {
                    let cell_size = optics.world().cell_size_at(row.observer.cell);
                    let (offset, seen) = (row.start - row.observer.cell, row.view.seen(row.row()));
                    for (x, (nearest, seen)) in row.sums.iter_mut().zip(seen).enumerate() {
                        let distance_m = distance_m(cell_size, offset, x);
                        *nearest = if *seen >= glimpse && distance_m < *nearest { distance_m } else { *nearest };
                    }
                }),
                VisibleHeight => batch.add(sums, |row| {
                    let metres = row.view.visible_m(row.row());
                    row.sums.iter_mut().zip(metres).for_each(|(most, metres)| *most = most.max(*metres));
                }),
                VisibleHeightSum => batch.add(sums, |row| {
                    let metres = row.view.visible_m(row.row());
                    row.sums.iter_mut().zip(metres).for_each(|(sum, metres)| *sum += metres);
                }),
                VerticalAngle => batch.add(sums, |row| add_vertical_angles(optics, row)),
            }
        }
    }

    /// Returns the layers, NaN for nodata.
    fn finish(mut self, optics: &Optics) -> Vec<(CumulativeLayer, Grid<f32>)> {
        let ground = optics.world().ground_m();
        for (layer, values) in &mut self.layers {
            let has_no_value = |value: f32| *layer == CumulativeLayer::Nearest && value.is_infinite();
            let width = values.width().max(1);
            values.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, row)| {
                for (value, ground) in row.iter_mut().zip(ground.row(y)) {
                    *value = if ground.is_nan() || has_no_value(*value) { f32::NAN } else { *value };
                }
            });
        }
        self.layers
    }
}

impl RowPair<'_> {
    /// Returns the row in the grids of the view.
    fn row(&self) -> usize {
        (self.start.y - self.view.frame.min.y) as usize
    }
}

/// The views of a batch.
struct Batch<'a> {
    views: &'a [ObserverView],
    observers: &'a [PlacedObserver],
    first: usize,
}

impl Batch<'_> {
    /// Calls `add` for each row of each view, with the same part of the layer.
    fn add(&self, layer: &mut Grid<f32>, add: impl Fn(RowPair<'_>) + Sync) {
        let width = layer.width().max(1);
        layer.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (_, view, observer) in self.with_row(y) {
                let CellRect { min, max } = view.frame;
                let sums = &mut row[min.x as usize..max.x as usize];
                add(RowPair { view, observer, start: ivec2(min.x, y as i32), sums });
            }
        });
    }

    /// Sets the maximum visibility and its observer.
    fn add_best(&self, union: &mut Grid<f32>, best: &mut Grid<f32>) {
        let width = union.width().max(1);
        let rows = union.as_mut_slice().par_chunks_mut(width).zip(best.as_mut_slice().par_chunks_mut(width));
        rows.enumerate().for_each(|(y, (union, best))| {
            for (number, view, _) in self.with_row(y) {
                let columns = view.frame.min.x as usize..view.frame.max.x as usize;
                let seen = view.seen(y - view.frame.min.y as usize);
                let sums = union[columns.clone()].iter_mut().zip(&mut best[columns]);
                for ((greatest, best), &seen) in sums.zip(seen) {
                    let is_best = seen > *greatest;
                    *greatest = if is_best { seen } else { *greatest };
                    *best = if is_best { number as f32 } else { *best };
                }
            }
        });
    }

    /// Returns the views that have a row of the map, with their numbers.
    fn with_row(&self, y: usize) -> impl Iterator<Item = (usize, &ObserverView, &PlacedObserver)> {
        let numbers = self.first + 1..;
        let all =
            numbers.zip(self.views).zip(self.observers).map(|((number, view), observer)| (number, view, observer));
        all.filter(move |(_, view, _)| (view.frame.min.y..view.frame.max.y).contains(&(y as i32)))
    }
}

fn count_row(counts: &mut [f32], seen: &[f32], glimpse: f32) {
    counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += f32::from(u8::from(*seen >= glimpse)));
}

/// The cells that are in range of observers.
struct Reach<'a> {
    optics: &'a Optics,
    shape: RadiusShape,
    radius_of: &'a (dyn Fn(&PlacedObserver) -> u32 + Sync),
}

impl Reach<'_> {
    /// Returns `true` if a cell has ground, and is in range of an observer.
    fn contains(&self, observer: &PlacedObserver, cell: IVec2) -> bool {
        let ground_m = self.optics.world().ground_m();
        let mut is_in = [0.0];
        if ground_m.get(cell).is_some_and(|ground_m| !ground_m.is_nan()) {
            self.mark_row(observer, cell, &mut is_in);
        }
        is_in[0] > 0.0
    }

    /// Sets the cells of a row that are in range of an observer to 1, others to 0. The row starts at a cell.
    fn mark_row(&self, observer: &PlacedObserver, start: IVec2, row: &mut [f32]) {
        let (cell_size, radius) = (self.optics.world().cell_size_at(observer.cell), (self.radius_of)(observer));
        let start = start - observer.cell;
        let contains = |x| self.shape.contains_on(cell_size, start + ivec2(x as i32, 0), radius);
        row.iter_mut().enumerate().for_each(|(x, value)| *value = f32::from(u8::from(contains(x))));
        let limits = ViewLimits { lowest_pitch_deg: -90.0, highest_pitch_deg: 90.0, ..observer.limits_on_raster() };
        limits.clear_row(row, start, cell_size, |_| 0.0);
    }

    /// Sets the cells that are out of range of all observers to NaN.
    fn clear_outside(&self, observers: &[PlacedObserver], values: &mut Grid<f32>) {
        let width = values.width().max(1);
        values.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let (mut in_range, mut of_observer) = (vec![false; width], vec![0.0; width]);
            for observer in observers {
                let (cell_size, radius) = (self.optics.world().cell_size_at(observer.cell), (self.radius_of)(observer));
                if !self.shape.contains_on(cell_size, ivec2(0, y as i32 - observer.cell.y), radius) {
                    continue;
                }
                self.mark_row(observer, ivec2(0, y as i32), &mut of_observer);
                in_range.iter_mut().zip(&of_observer).for_each(|(is_in, value)| *is_in |= *value > 0.0);
            }
            row.iter_mut().zip(&in_range).filter(|(_, is_in)| !**is_in).for_each(|(value, _)| *value = f32::NAN);
        });
    }
}

/// Returns the distance from an observer to the cell `x` columns after the one at an offset.
fn distance_m(cell_size: CellSize, offset: IVec2, x: usize) -> f32 {
    cell_size.distance_m(offset + ivec2(x as i32, 0)) as f32
}

/// Updates the maximum with the vertical angle of the visible part of a turbine.
fn add_vertical_angles(optics: &Optics, row: RowPair<'_>) {
    let angles = VerticalAngles::new(optics, row.observer);
    let metres = row.view.visible_m(row.row());
    for (x, (greatest, metres)) in row.sums.iter_mut().zip(metres).enumerate().filter(|(_, (_, metres))| **metres > 0.0)
    {
        let angle_deg = angles.of_visible(row.start + ivec2(x as i32, 0), *metres);
        *greatest = greatest.max(angle_deg.unwrap_or(0.0) as f32);
    }
}

/// The vertical angles of the visible part of a turbine: from its lowest visible point to its tip.
struct VerticalAngles<'a> {
    ground_m: &'a Grid<f32>,
    foot: IVec2,
    limits: &'a ViewLimits,
    cell_size: CellSize,
    /// The drop by curvature in a metre.
    drop: f64,
}

impl<'a> VerticalAngles<'a> {
    fn new(optics: &'a Optics, observer: &'a PlacedObserver) -> Self {
        let (world, drop) = (optics.world(), Surface::drop_m(optics.config().curvature(), 1.0));
        let (foot, limits) = (observer.cell, &observer.limits);
        Self { ground_m: world.ground_m(), foot, limits, cell_size: world.cell_size_at(foot), drop }
    }

    /// Returns the angle of some visible metres from a cell, in degrees; `None` for the cell of the turbine.
    fn of_visible(&self, cell: IVec2, metres: f32) -> Option<f64> {
        if cell == self.foot {
            return None;
        }
        let distance_m = self.cell_size.distance_m(cell - self.foot);
        let eye_m = f64::from(self.ground_m[cell]) + self.limits.target_height_m;
        let foot_m = f64::from(self.ground_m[self.foot]);
        let tip_m = foot_m + self.limits.tip_m() - self.drop * distance_m * distance_m - eye_m;
        let angle = libm::atan2(tip_m, distance_m) - libm::atan2(tip_m - f64::from(metres), distance_m);
        Some(angle * (180.0 / PI))
    }
}

/// Returns what a cell in the frame of a view sees of its observer.
fn place_view(task: ViewTask<'_>, view: &ObserverView, observer: &PlacedObserver, cell: IVec2) -> PlaceView {
    let IVec2 { x, y } = cell - view.frame.min;
    let at = |row: &[f32]| row[x as usize];
    let y = y as usize;
    let visible_m = at(view.visible_m(y));
    PlaceView {
        hub: at(view.hub(y)) >= task.glimpse,
        tip: at(view.tip(y)) >= task.glimpse,
        visible_m,
        vertical_angle_deg: VerticalAngles::new(task.optics, observer).of_visible(cell, visible_m),
    }
}

/// Returns for each cell the angle of the smallest sector that contains all turbines with a visible tip: a full turn
/// minus the widest gap between their directions.
fn horizontal_angles(optics: &Optics, observers: &[PlacedObserver], tips: &[VisibleCells], size: IVec2) -> Grid<f32> {
    let mut angles = Grid::new(size.x as usize, size.y as usize, 0.0);
    angles.as_mut_slice().par_chunks_mut(size.x as usize).enumerate().for_each(|(y, row)| {
        let mut directions = Vec::with_capacity(observers.len());
        for (x, angle) in row.iter_mut().enumerate() {
            let cell = ivec2(x as i32, y as i32);
            let ratios = optics.world().cell_size_at(cell).ratios();
            directions.clear();
            let seen = observers.iter().zip(tips).filter(|(observer, tip)| observer.cell != cell && tip.contains(cell));
            directions.extend(seen.map(|(observer, _)| {
                let offset = (observer.cell - cell).as_dvec2() * ratios;
                libm::atan2(offset.x, -offset.y) * (180.0 / PI)
            }));
            directions.sort_by(f64::total_cmp);
            let Some((first, last)) = directions.first().zip(directions.last()) else { continue };
            let across_south = 360.0 - (last - first);
            let widest = directions.windows(2).map(|pair| pair[1] - pair[0]).fold(across_south, f64::max);
            *angle = (360.0 - widest) as f32;
        }
    });
    angles
}
