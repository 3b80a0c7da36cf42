//! The entry points: which ground is seen over hills and woods.

use glam::IVec2;

use super::clearance::Clearance;
use super::surface::Surface;
use super::{exact, radial, reference_plane};

use super::columns::Columns;
use super::radial::Rays;
use super::reference_plane::Planes;
use super::surface::Sight;
use super::wedge::Disc;
use crate::grid::AlignedGrid;
use crate::job::Job;
use crate::sight::Window;
use crate::sight::one_by_one;
use crate::sight::{DecayKind, FieldOfView, Method, SightError, View};

/// Fills the opacities of a row of cells, as in [`FieldOfView::compute_within`].
type Fill<'f> = &'f mut dyn FnMut(IVec2, &mut [f32]);

/// The buffers of the horizon.
#[derive(Clone, Debug, Default)]
pub(crate) struct Horizon {
    disc: Disc,
    columns: Columns,
    planes: Planes,
    rays: Rays,
    /// What the hills leave, where the air takes its part too.
    left: Option<AlignedGrid>,
}

/// What is written for every cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Show {
    /// What hills and woods leave of the line, in [0, 1].
    Visibility,
    /// Metres of the target over the horizon; NaN where there is no cell.
    Clearance,
}

impl FieldOfView {
    /// What is seen from `viewer` over hills and woods: 1 for what rises to the horizon, 0 for what stays below, or
    /// between, as far as the land's `softness` says; times what woods leave of the line, as far as it runs below their
    /// tops; times decay. Where there is air that takes anything away, `air` gives its opacities as for
    /// [`compute_within`](Self::compute_within), and what it leaves is multiplied in.
    ///
    /// The method chooses the grade: [`TwoParent`](Method::TwoParent) is fast (whatever the weights, linear ones are
    /// used for the hills), [`Beam`](Method::Beam) true, [`Exact`](Method::Exact) the slow reference.
    ///
    /// ```
    /// use farsight::{FieldOfView, Grid, SightConfig};
    /// use farsight::Job;
    /// use farsight::viewshed::Surface;
    /// use farsight::glam::ivec2;
    /// let ground = Grid::from_fn(9, 1, |cell| if cell.x == 4 { 3.0 } else { 0.0 }); // a wall of 3 m
    /// let land = Surface { eye_height: 1.7, ..Surface::of(&ground, 10.0) };
    /// let mut fov = FieldOfView::new(SightConfig { radius: 20, ..Default::default() })?;
    /// let view = fov.compute_over(&land, ivec2(0, 0), None, Job::quiet())?;
    /// let seen: String = (0..9).map(|x| if view.get(ivec2(x, 0)) > 0.5 { '*' } else { '.' }).collect();
    /// assert_eq!(seen, "*****....");
    /// # Ok::<(), farsight::sight::SightError>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute_within_watched`](Self::compute_within_watched).
    pub fn compute_over(
        &mut self,
        land: &Surface<'_>,
        viewer: IVec2,
        air: Option<Fill<'_>>,
        job: Job<'_>,
    ) -> Result<View<'_>, SightError> {
        let size = land.ground.size();
        let reach = self.reach_on(size, viewer)?;
        match air {
            Some(fill) => {
                self.compute_rows(viewer, [IVec2::ZERO, size], reach, job, false, one_by_one(fill))?;
                let side = self.window.seen.width();
                let mut left = match self.horizon.left.take() {
                    Some(left) if left.width() == side => left,
                    _ => AlignedGrid::new(side, side),
                };
                let done = self.settle(land, viewer, reach.in_sight, Show::Visibility, &mut left, job);
                if done.is_ok() {
                    multiply(&mut self.window, reach.in_sight, &left);
                }
                self.horizon.left = Some(left);
                done?;
            }
            None => {
                self.window.make_room(reach.window, reach.in_sight);
                let mut seen = std::mem::replace(&mut self.window.seen, AlignedGrid::new(0, 0));
                let done = self.settle(land, viewer, reach.in_sight, Show::Visibility, &mut seen, job);
                self.window.seen = seen;
                done?;
                if self.config().decay.kind != DecayKind::None {
                    self.fade(reach);
                }
            }
        }
        Ok(View { viewer, origin: viewer - self.window.centre(), grid: self.window.seen.view() })
    }

    /// How far every target stands over the horizon, for the grade that the method chooses; see
    /// [`compute_over`](Self::compute_over).
    ///
    /// # Errors
    /// As [`compute_over`](Self::compute_over).
    pub fn clearance_over<'v>(
        &'v mut self,
        land: &Surface<'_>,
        viewer: IVec2,
        job: Job<'_>,
    ) -> Result<Clearance<'v>, SightError> {
        let reach = self.reach_on(land.ground.size(), viewer)?;
        self.window.make_room(reach.window, reach.in_sight);
        let mut seen = std::mem::replace(&mut self.window.seen, AlignedGrid::new(0, 0));
        let done = self.settle(land, viewer, reach.in_sight, Show::Clearance, &mut seen, job);
        self.window.seen = seen;
        done?;
        Ok(Clearance {
            viewer,
            origin: viewer - self.window.centre(),
            metres: self.window.seen.view(),
            radius: reach.in_sight,
            cell_size: land.cell_size,
            target_height: land.target_height,
        })
    }

    /// Writes `show` of all cells in sight into `out`, a grid of the shape of the window.
    fn settle(
        &mut self,
        land: &Surface<'_>,
        viewer: IVec2,
        in_sight: u32,
        show: Show,
        out: &mut AlignedGrid,
        job: Job<'_>,
    ) -> Result<(), SightError> {
        if in_sight > crate::sight::OffsetList::MAX_RADIUS {
            return Err(SightError::RadiusTooLarge { radius: in_sight, limit: crate::sight::OffsetList::MAX_RADIUS });
        }
        let path = self.config().path;
        let (method, beams) = (self.config().method, self.config().beams);
        let sight = Sight::of(land, viewer, path);
        let Horizon { disc, columns, planes, rays, .. } = &mut self.horizon;
        disc.fit(in_sight, land.ground.size(), viewer);
        let (blank, own) = match show {
            Show::Visibility => (0.0, 1.0),
            Show::Clearance => (f32::NAN, f32::INFINITY),
        };
        disc.blank_off_map(out, blank);
        match method {
            Method::TwoParent => reference_plane::sweep(&sight, disc, show, planes, columns, out),
            Method::Beam => radial::cast(&sight, disc, show, beams, rays, columns, out),
            Method::Exact => exact::trace(&sight, disc, show, out, job)?,
        }
        let middle = out.size() / 2;
        out[middle] = own;
        Ok(())
    }
}

/// Multiplies what is seen by what the hills leave.
fn multiply(window: &mut Window, in_sight: u32, left: &AlignedGrid) {
    for (y, columns) in window.rows(in_sight) {
        for (seen, left) in window.seen.row_mut(y)[columns.clone()].iter_mut().zip(&left.row(y)[columns]) {
            *seen *= left;
        }
    }
}
