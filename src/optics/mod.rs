//! Optics: what air, forest and hills take away from a line of sight, as the opacity of every cell.
//! The only place that knows metres of fog and forest.
//!
//! With L the side of a cell in metres and β an extinction per metre, a layer of a cell lets
//! exp(−β L · share) through, where share is how much of the ray runs inside the layer.

mod air;
mod breakdown;
mod config;
mod eye;
mod fill;
mod still;

use std::sync::{Arc, OnceLock};

use glam::IVec2;

use crate::optics::air::clear_air;
use crate::optics::eye::Eye;
use crate::optics::fill::Fill;
use crate::optics::still::Still;
pub use breakdown::Breakdown;
pub use config::{OpticsConfig, Relief};

use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::sight::{OpacitySource, RowRequests, SightError, View};
use crate::simd::dispatch;
use crate::viewshed::{Canopy, Surface, Viewshed};
use crate::world::World;

/// The opacity of a world's cells: the part that hangs on no viewer, computed once, and the rest.
#[derive(Clone, Debug)]
pub struct Optics {
    config: OpticsConfig,
    world: Arc<World>,
    /// What the air of a cell lets through.
    air: Arc<Grid<f32>>,
    /// What of hills and woods hangs on no eye, once it is asked for.
    still: Arc<OnceLock<Still>>,
}

impl Optics {
    /// Computes the part that hangs on no viewer, for all cells.
    pub fn new(world: Arc<World>, config: &OpticsConfig) -> Self {
        Self { air: Arc::new(clear_air(&world, config)), still: Arc::default(), config: config.clone(), world }
    }

    /// Takes over another configuration. Only the fields that it changes are computed again.
    pub fn set_config(&mut self, config: &OpticsConfig) {
        let old = std::mem::replace(&mut self.config, config.clone());
        let air = |c: &OpticsConfig| [c.visual_range_m, c.humidity_growth, c.fog_onset, c.fog_visual_range_m];
        if air(&old) != air(config) {
            self.air = Arc::new(clear_air(&self.world, config));
            self.still = Arc::default();
        }
        let woods = |c: &OpticsConfig| [c.vegetation_extinction_per_m, c.canopy_height_m];
        if woods(&old) != woods(config) {
            self.still = Arc::default();
        }
    }

    /// The same for an eye at another height over its ground, in metres; nothing is computed again.
    #[must_use]
    pub fn at_eye_height(&self, eye_height_m: f64) -> Self {
        Self { config: OpticsConfig { eye_height_m, ..self.config.clone() }, ..self.clone() }
    }

    fn still(&self) -> &Still {
        self.still.get_or_init(|| Still::new(self))
    }

    /// The configuration it was made with.
    pub fn config(&self) -> &OpticsConfig {
        &self.config
    }

    /// The world it was made for.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Height at which lines of sight leave a viewer on a cell, in metres over the sea: its ground
    /// and the eye height. Lines to a target taller than that rise on the way; on average they run
    /// higher by half of the difference, and that is added.
    ///
    /// # Panics
    /// If the cell lies outside the world.
    pub fn eye_m(&self, viewer: IVec2) -> f32 {
        self.world.ground_m()[viewer] + (self.config.eye_height_m + self.lift_m()) as f32
    }

    /// How much higher than the eye lines to the target run on average, in metres.
    fn lift_m(&self) -> f64 {
        (self.config.target_height_m - self.config.eye_height_m).max(0.0) / 2.0
    }

    /// Writes the opacities of the cells from `start` to the right, seen by an eye at `eye_m`
    /// metres over the sea, into `row`. Where nobody measured the ground, the air alone takes away.
    ///
    /// # Panics
    /// If the cells lie outside the world.
    pub fn fill_row(&self, eye_m: f32, start: IVec2, row: &mut [f32]) {
        let end = start + IVec2::new(row.len() as i32, 1);
        let size = self.world.ground_m().size();
        assert!(
            start.cmpge(IVec2::ZERO).all() && end.cmple(size).all(),
            "{} cells from {start} are not all on the map",
            row.len()
        );
        let rows = std::iter::once((start, row));
        dispatch(Fill { optics: self, eye: Eye::new(self, eye_m), rows });
    }

    /// Writes the opacities of the air in the cells from `start` to the right into `row`.
    ///
    /// # Panics
    /// If the cells lie outside the world.
    pub fn fill_row_with_air(&self, start: IVec2, row: &mut [f32]) {
        let (x, y) = (start.x as usize, start.y as usize);
        for (opacity, clear) in row.iter_mut().zip(&self.air.row(y)[x..]) {
            *opacity = 1.0 - clear;
        }
    }

    /// Ground and woods, for lines of sight over them ([`Relief::Horizon`]).
    pub fn surface(&self) -> Surface<'_> {
        let config = &self.config;
        let canopy = Canopy {
            cover: self.world.vegetation(),
            extinction: config.vegetation_extinction_per_m,
            height: config.canopy_height_m,
        };
        Surface {
            ground: self.world.ground_m(),
            canopy: Some(canopy),
            cell_size: self.world.config().cell_size_m,
            eye_height: config.eye_height_m,
            target_height: config.target_height_m,
            softness: config.relief_softness_m,
            curvature: config.curvature(),
        }
    }

    /// Computes the visibility of every cell around a viewer: [`FieldOfView::compute_with`](crate::sight::FieldOfView::compute_with) over the opacities of
    /// [`fill_row`](Self::fill_row), or [`Viewshed::compute_in_air`] over [`surface`](Self::surface) with
    /// [`Relief::Horizon`].
    ///
    /// ```
    /// use farsight::{Job, SightConfig};
    /// use farsight::optics::Optics;
    /// use farsight::preset::Preset;
    /// use farsight::viewshed::Viewshed;
    /// use farsight::world::{World, WorldConfig};
    /// use farsight::glam::ivec2;
    /// let preset = Preset::shipped_default();
    /// let world = World::generate(&WorldConfig { width: 64, height: 64, ..preset.world }, &Job::quiet())?;
    /// let optics = Optics::new(world.into(), &preset.optics);
    /// let mut viewshed = Viewshed::new(SightConfig { radius: 20, ..preset.sight })?;
    /// let view = optics.view(&mut viewshed, ivec2(30, 30), Job::quiet())?;
    /// assert_eq!(view.get(ivec2(30, 30)), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`FieldOfView::compute_with`](crate::sight::FieldOfView::compute_with).
    pub fn view<'v>(&self, viewshed: &'v mut Viewshed, viewer: IVec2, job: Job<'_>) -> Result<View<'v>, SightError> {
        if self.config.relief == Relief::Horizon {
            let surface = self.surface();
            if !self.config.has_air() {
                return viewshed.compute(&surface, viewer, job);
            }
            let fill_air = |start: IVec2, row: &mut [f32]| self.fill_row_with_air(start, row);
            return viewshed.compute_in_air(&surface, fill_air, viewer, job);
        }
        viewshed.field_of_view_mut().compute_with(ViewerOpacities { optics: self, viewer }, viewer, job)
    }

    /// The opacity of one cell for an eye at `eye_m` metres over the sea.
    ///
    /// # Panics
    /// If the cell lies outside the world.
    pub fn opacity(&self, eye_m: f32, cell: IVec2) -> f32 {
        let [ground_m, cover, air] =
            [self.world.ground_m(), self.world.vegetation(), &*self.air].map(|field| field[cell]);
        Eye::new(self, eye_m).opacity(ground_m, cover, air)
    }
}

/// The opacities for one viewer.
struct ViewerOpacities<'a> {
    optics: &'a Optics,
    viewer: IVec2,
}

impl OpacitySource for ViewerOpacities<'_> {
    const IS_CLAMPED: bool = true;

    fn extent(&self) -> Option<CellRect> {
        Some(CellRect::of_size(self.optics.world.ground_m().size()))
    }

    fn fill(self, rows: RowRequests<'_>) {
        let Self { optics, viewer } = self;
        let rows = rows.map(|row| (row.start, row.opacity));
        dispatch(Fill { optics, eye: Eye::new(optics, optics.eye_m(viewer)), rows });
    }
}

fn transmittance(optical_depth: f64) -> f32 {
    libm::exp(-optical_depth) as f32
}
