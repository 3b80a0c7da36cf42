//! [`Optics`]: the opacity of the cells of a world; [`Breakdown`]: its causes.

use std::sync::{Arc, OnceLock};

use fearless_simd::Level;
use glam::IVec2;

use super::air::air_transmittance;
use super::config::{OpticsConfig, Relief};
use super::opacity_kernel::{EyeTerms, OpacityFields, StaticTerms, canopy_top, fill_row, fill_rows};
use crate::world::World;
use farsight::Job;
use farsight::grid::{CellRect, Grid, ToCell};
use farsight::horizon::{Horizon, HorizonConfig, HorizonError};
use farsight::internal::math::log2_approx;
use farsight::internal::row_requests::RowRequests;
use farsight::internal::sight::{CellScale, ReadOpacities};
use farsight::internal::simd::dispatch;
use farsight::internal::viewshed::{compute_through, end_transmittance};
use farsight::sight::{PathRule, SightError, View};
use farsight::viewshed::{Surface, Viewshed};

/// The opacity of the cells of a world. Terms that do not depend on the viewer are computed once.
///
/// ```
/// use std::sync::Arc;
/// use farsight::glam::ivec2;
/// use farsight_scene::optics::{Optics, OpticsConfig};
/// use farsight::viewshed::Viewshed;
/// use farsight_scene::world::{World, WorldConfig};
/// use farsight::{Job, SightConfig};
/// let world = Arc::new(World::generate(&WorldConfig::default().with_width(64).with_height(48), Job::none())?);
/// let mut viewshed = Viewshed::new(SightConfig::default())?;
/// let mut seen = |visual_range_m| {
///     let mut config = OpticsConfig::default();
///     config.visual_range_m = visual_range_m;
///     let optics = Optics::new(world.clone(), &config);
///     let view = optics.view(&mut viewshed, ivec2(32, 24), Job::none());
///     view.map(|view| view.at_least(0.1).count())
/// };
/// assert!(seen(500.0)? < seen(50_000.0)?); // fog and clear air
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Optics {
    config: OpticsConfig,
    world: Arc<World>,
    /// The transmittance of the air of each cell. Clear air is computed on first use.
    air: Arc<OnceLock<Grid<f32>>>,
    static_terms: Arc<StaticTerms>,
    /// The path length inside a cell to which opacities refer: the [`shortest_side_m`](World::shortest_side_m).
    opacity_length_m: f64,
    /// Whether the [surface](World::surface_model) of the world does not count.
    is_without_surface: bool,
}

/// Computes the air of a world, unless it is clear. Clear air is left to [`Optics::air`], which needs no other thread for it.
fn air_of(world: &World, config: &OpticsConfig) -> Arc<OnceLock<Grid<f32>>> {
    Arc::new(if config.has_air() { air_transmittance(world, config).into() } else { OnceLock::new() })
}

impl Optics {
    /// Computes the transmittance of the air of all cells.
    pub fn new(world: Arc<World>, config: &OpticsConfig) -> Self {
        Self {
            air: air_of(&world, config),
            static_terms: Arc::new(StaticTerms::new(&world, config)),
            config: config.clone(),
            opacity_length_m: world.shortest_side_m(),
            is_without_surface: false,
            world,
        }
    }

    /// Changes the configuration. It recomputes only the fields that depend on a changed key.
    pub fn set_config(&mut self, config: &OpticsConfig) {
        let old = std::mem::replace(&mut self.config, config.clone());
        let air = |c: &OpticsConfig| [c.visual_range_m, c.humidity_growth, c.fog_onset, c.fog_visual_range_m];
        if air(&old) != air(config) {
            self.air = air_of(&self.world, config);
            self.static_terms = Arc::new(StaticTerms::new(&self.world, config));
        }
        let canopy = |c: &OpticsConfig| [c.vegetation_extinction_per_m, c.canopy_height_m];
        if canopy(&old) != canopy(config) {
            self.static_terms = Arc::new(StaticTerms::new(&self.world, config));
        }
    }

    /// Changes the ground and the vegetation of some cells of the world. It recomputes only terms that depend on their
    /// rows; humidity must not change.
    pub(crate) fn change_world(&mut self, cells: CellRect, change: impl FnOnce(&mut Arc<World>)) {
        change(&mut self.world);
        match Arc::get_mut(&mut self.static_terms) {
            Some(terms) => terms.forget(cells.min.y.max(0) as usize..cells.max.y.max(0) as usize),
            None => self.static_terms = Arc::new(StaticTerms::new(&self.world, &self.config)),
        }
    }

    /// Returns the optics with another eye height over the ground, in metres. It reuses all computed fields.
    #[must_use]
    pub fn at_eye_height(&self, eye_height_m: f64) -> Self {
        Self { config: OpticsConfig { eye_height_m, ..self.config.clone() }, ..self.clone() }
    }

    /// Returns the optics with other eye and target heights over the ground, in metres. It reuses all computed fields.
    #[must_use]
    pub fn at_heights(&self, eye_height_m: f64, target_height_m: f64) -> Self {
        Self { config: OpticsConfig { eye_height_m, target_height_m, ..self.config.clone() }, ..self.clone() }
    }

    /// Returns the optics over the bare ground of a world with a [surface](World::surface_model): without what stands on it, and
    /// without woods. It reuses all computed fields.
    #[must_use]
    pub fn without_surface(&self) -> Self {
        Self { is_without_surface: true, ..self.clone() }
    }

    pub(super) fn fields(&self) -> OpacityFields<'_> {
        OpacityFields::new(&self.world, self.air(), &self.static_terms)
    }

    fn air(&self) -> &Grid<f32> {
        self.air.get_or_init(|| air_transmittance(&self.world, &self.config))
    }

    pub(super) fn eye_terms(&self, eye_m: f32) -> EyeTerms {
        EyeTerms::new(&self.config, self.opacity_length_m, eye_m)
    }

    /// Returns the configuration.
    pub fn config(&self) -> &OpticsConfig {
        &self.config
    }

    /// Returns the world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the height of lines of sight from a viewer on a cell, in metres over the sea: its ground plus the eye
    /// height, plus half of the difference to a taller target, by which the line is higher on average.
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn eye_m(&self, viewer: impl ToCell) -> f32 {
        let viewer = viewer.to_cell();
        self.world.ground_m()[viewer] + (self.config.eye_height_m + self.config.mean_lift_m()) as f32
    }

    /// Writes the opacities of a row of cells, starting at `start`, into `row`, for an eye at `eye_m` metres over the
    /// sea. A cell with nodata has the opacity of its air.
    ///
    /// # Panics
    /// If the cells are not all in the world.
    pub fn fill_row(&self, eye_m: f32, start: IVec2, row: &mut [f32]) {
        let end = start + IVec2::new(row.len() as i32, 1);
        let size = self.world.ground_m().size();
        assert!(
            start.cmpge(IVec2::ZERO).all() && end.cmple(size).all(),
            "{} cells from {start} are not all on the map",
            row.len()
        );
        let mut end_log2 = vec![0.0; row.len()];
        let (fields, eye) = (self.fields(), self.eye_terms(eye_m));
        dispatch!(Level::new(), _ => fill_row(&fields, &eye, start, row, &mut end_log2));
    }

    /// Writes the opacities of the air of a row of cells, starting at `start`, into `row`.
    ///
    /// # Panics
    /// If the cells are not all in the world.
    pub fn fill_row_with_air(&self, start: IVec2, row: &mut [f32]) {
        let (x, y) = (start.x as usize, start.y as usize);
        for (opacity, transmittance) in row.iter_mut().zip(&self.air().row(y)[x..]) {
            *opacity = 1.0 - transmittance;
        }
    }

    /// Returns the logarithm to base 2 of the transmittance of the air of a cell.
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn air_exponent(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        log2_approx(self.air()[cell])
    }

    /// Returns the distance at which the air of a cell leaves a contrast of 2 %, in metres (Koschmieder 1924).
    pub fn visual_range_m(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        const LOG2_OF_CONTRAST: f32 = -5.644;
        LOG2_OF_CONTRAST / self.air_exponent(cell).min(-1e-9) * self.opacity_length_m as f32
    }

    /// Returns the ground, and what on it hides or dims the view, as the surface of a viewshed ([`Relief::LineOfSight`]), with
    /// the cell size at the viewer's latitude. That is the [surface](World::surface_model) of the world, or else its vegetation.
    pub fn surface(&self, viewer: impl ToCell) -> Surface<'_> {
        let viewer = viewer.to_cell();
        if let Some(model) = self.world.surface_model() {
            let ground = self.world.ground_m();
            let bare = self.config.surface(ground, None, self.world.cell_size_at(viewer));
            if self.is_without_surface {
                return bare;
            }
            let eye_height = self.config.eye_height_m + self.eye_lift_m(viewer);
            return model.add_to(bare, self.config.vegetation_extinction_per_m).with_eye_height(eye_height);
        }
        let cover = (self.config.vegetation_extinction_per_m > 0.0).then(|| self.world.vegetation());
        self.config.surface(self.world.ground_m(), cover, self.world.cell_size_at(viewer))
    }

    /// Returns the height of an eye over a cell that is added to the configured one, in metres: that of the roof on which it is.
    pub(crate) fn eye_lift_m(&self, viewer: IVec2) -> f64 {
        let ground_m = self.world.ground_m().get(viewer).copied().unwrap_or(f32::NAN);
        let model = self.world.surface_model().filter(|_| !self.is_without_surface && !ground_m.is_nan());
        model.map_or(0.0, |model| model.eye_lift_m(ground_m, viewer))
    }

    /// Computes the skyline around a viewer and the ridges in front of it, from the ground and the tops of the trees;
    /// transparent trees do not count.
    ///
    /// # Errors
    /// [`HorizonError`].
    pub fn horizon(&self, viewer: IVec2, config: &HorizonConfig) -> Result<Horizon, HorizonError> {
        if !CellRect::of_size(self.world.ground_m().size()).contains(viewer) {
            return Err(HorizonError::ViewerOutside { viewer, size: self.world.ground_m().size() });
        }
        let surface = self.surface(viewer);
        let canopy = surface.canopy.filter(|canopy| canopy.extinction > 0.0);
        Horizon::of(&surface.with_canopy(canopy), viewer, config)
    }

    /// Returns the metric of the cells around a viewer, which need not be square.
    fn scale(&self, viewer: IVec2) -> Option<CellScale> {
        CellScale::new(self.world.cell_size_at(viewer), self.opacity_length_m)
    }

    /// Returns the exponent that converts a visibility over square cells, through air and woods that are opacities, to
    /// the true path length; 1 in generated worlds.
    pub(crate) fn path_exponent(&self, path: PathRule, viewer: IVec2, cell: IVec2) -> f64 {
        self.scale(viewer).map_or(1.0, |scale| scale.exponent(path, cell - viewer))
    }

    /// Computes the visibility of every cell around a viewer:
    /// [`FieldOfView::compute`](farsight::FieldOfView::compute) over the opacities of [`fill_row`](Self::fill_row),
    /// or [`Viewshed::compute_in_air`] over [`surface`](Self::surface) with [`Relief::LineOfSight`], times the
    /// [`end_transmittance`](Self::end_transmittance). [Binary](farsight::sight::Method) methods only read opacities.
    ///
    /// ```
    /// use farsight::{Job, SightConfig};
    /// use farsight_scene::optics::Optics;
    /// use farsight_scene::preset::Preset;
    /// use farsight::viewshed::Viewshed;
    /// use farsight_scene::world::{World, WorldConfig};
    /// use farsight::glam::ivec2;
    /// let preset = Preset::shipped_default();
    /// let world = World::generate(&preset.world.with_width(64).with_height(64), Job::none())?;
    /// let optics = Optics::new(world.into(), &preset.optics);
    /// let mut viewshed = Viewshed::new(preset.sight.config().with_radius(20))?;
    /// let view = optics.view(&mut viewshed, ivec2(30, 30), Job::none())?;
    /// assert_eq!(view.get(ivec2(30, 30)), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`FieldOfView::compute`](farsight::FieldOfView::compute).
    pub fn view<'v>(&self, viewshed: &'v mut Viewshed, viewer: IVec2, job: Job<'_>) -> Result<View<'v>, SightError> {
        let scale = self.scale(viewer);
        if self.config.relief == Relief::LineOfSight && !viewshed.config().method.is_binary() {
            let surface = self.surface(viewer);
            if !self.config.has_air() {
                return viewshed.compute(&surface, viewer, job);
            }
            return compute_through(viewshed, AirOpacities(self), Some(&surface), scale, viewer, job);
        }
        compute_through(viewshed, ViewerOpacities { optics: self, viewer }, None, scale, viewer, job)
    }

    fn extent(&self) -> CellRect {
        CellRect::of_size(self.world.ground_m().size())
    }

    /// Returns the transmittance of the ends of the path from a viewer to a cell in sight, in the cells of both: of haze, fog
    /// and, unless relief is [`Relief::LineOfSight`], woods. [`view`](Self::view) multiplies the visibility by it.
    ///
    /// # Errors
    /// As [`view`](Self::view).
    ///
    /// # Panics
    /// If a cell is outside the world.
    pub fn end_transmittance(&self, viewshed: &mut Viewshed, viewer: IVec2, cell: IVec2) -> Result<f32, SightError> {
        let log2 = self.log2_at_end(viewer, viewer) + self.log2_at_end(viewer, cell);
        end_transmittance(viewshed, self.extent(), self.scale(viewer), [viewer, cell], log2)
    }

    fn has_woods_as_opacities(&self) -> bool {
        self.config.relief != Relief::LineOfSight && self.config.vegetation_extinction_per_m > 0.0
    }

    /// Returns log₂ of the transmittance of a cell, without relief.
    fn log2_at_end(&self, viewer: IVec2, cell: IVec2) -> f32 {
        let [ground, cover, air] =
            [self.world.ground_m(), self.world.vegetation(), self.air()].map(|field| field[cell]);
        let woods = self.has_woods_as_opacities().then(|| self.eye_terms(self.eye_m(viewer)));
        log2_approx(air) + woods.map_or(0.0, |eye| eye.vegetation_log2(ground, cover))
    }

    /// Returns the opacity of one cell for an eye at `eye_m` metres over the sea.
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn opacity(&self, eye_m: f32, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        let [ground_m, cover, air] =
            [self.world.ground_m(), self.world.vegetation(), self.air()].map(|field| field[cell]);
        self.eye_terms(eye_m).opacity(ground_m, cover, air)
    }

    /// Returns the causes of the opacity of one cell for an eye at `eye_m` metres over the sea: the factors of
    /// [`opacity`](Self::opacity).
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn breakdown(&self, eye_m: f32, cell: impl ToCell) -> Breakdown {
        let cell = cell.to_cell();
        let (config, world) = (&self.config, &self.world);
        let length = self.opacity_length_m;
        let humidity = world.humidity()[cell];
        let humidity = if humidity.is_nan() { OpticsConfig::REFERENCE_HUMIDITY } else { f64::from(humidity) };
        let ground_m = world.ground_m()[cell];
        let eye = self.eye_terms(eye_m);
        Breakdown {
            haze: 1.0 - transmittance(config.haze_extinction_per_m(humidity) * length),
            fog: 1.0 - transmittance(config.fog_extinction_per_m(humidity) * length),
            vegetation: 1.0 - eye.vegetation_transmittance(ground_m, world.vegetation()[cell]),
            relief: 1.0 - eye.relief_transmittance(ground_m),
        }
    }

    /// Returns the height of the vegetation of a cell, or of what the [surface](World::surface_model) has on it, over its ground, in
    /// metres; NaN for nodata.
    ///
    /// # Panics
    /// If the cell is outside the world.
    pub fn canopy_m(&self, cell: impl ToCell) -> f32 {
        let cell = cell.to_cell();
        if self.world.surface_model().is_some() {
            return self.world.top_m(cell) - self.world.ground_m()[cell];
        }
        canopy_top(self.config().canopy_height_m as f32, self.world().vegetation()[cell])
    }
}

fn transmittance(optical_depth: f64) -> f32 {
    libm::exp(-optical_depth) as f32
}

/// The opacity of a cell by cause, in [0, 1]. The total is 1 − Π (1 − part).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// Air, without fog.
    pub haze: f32,
    /// Fog.
    pub fog: f32,
    /// Vegetation, where the line of sight is below its top.
    pub vegetation: f32,
    /// Ground above the eye ([`Relief::HeightDifference`](super::Relief::HeightDifference)).
    pub relief: f32,
}

impl Breakdown {
    /// Returns the total opacity.
    pub fn opacity(&self) -> f32 {
        1.0 - (1.0 - self.haze) * (1.0 - self.fog) * (1.0 - self.vegetation) * (1.0 - self.relief)
    }
}

/// The opacities for a viewer.
struct ViewerOpacities<'a> {
    optics: &'a Optics,
    viewer: IVec2,
}

impl ReadOpacities for ViewerOpacities<'_> {
    fn is_clamped(&self) -> bool {
        true
    }

    fn extent(&self) -> Option<CellRect> {
        Some(self.optics.extent())
    }

    fn has_ends(&self) -> bool {
        true
    }

    fn fill(&mut self, rows: RowRequests<'_>) {
        let Self { optics, viewer } = *self;
        let (fields, eye) = (optics.fields(), optics.eye_terms(optics.eye_m(viewer)));
        dispatch!(Level::new(), _ => fill_rows(&fields, &eye, rows));
    }
}

/// The opacities of the air.
struct AirOpacities<'a>(&'a Optics);

impl ReadOpacities for AirOpacities<'_> {
    fn is_clamped(&self) -> bool {
        true
    }

    fn extent(&self) -> Option<CellRect> {
        Some(self.0.extent())
    }

    fn has_ends(&self) -> bool {
        true
    }

    fn fill(&mut self, rows: RowRequests<'_>) {
        let fields = self.0.fields();
        for row in rows {
            self.0.fill_row_with_air(row.start, row.opacity);
            row.end_log2.copy_from_slice(fields.cells(row.start, row.opacity.len()).air_log2);
        }
    }
}
