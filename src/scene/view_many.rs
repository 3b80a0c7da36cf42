//! Views from many cells.

use glam::IVec2;

use super::view_window::ViewWindow;
use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::scene::Scene;
use crate::sight::{SightConfig, SightError, View};

impl Scene {
    /// Computes the views from many cells on all threads of rayon, with the method of the preset. `read` gets the cell, the
    /// radius there in cells, and the view without light. Returns its results in the order of `viewers`, the same on any
    /// number of threads. From a cell without data, nothing is seen.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] or [`SightError::RadiusTooLarge`] for the first viewer with an error;
    /// [`SightError::Cancelled`].
    pub fn view_many<T: Send>(
        &self,
        viewers: &[IVec2],
        job: Job<'_>,
        read: impl Fn(IVec2, u32, View<'_>) -> T + Sync,
    ) -> Result<Vec<T>, SightError> {
        self.viewshed.for_each_viewer(viewers, job, |viewshed, viewer| {
            let extent = CellRect::of_size(self.size());
            if !extent.contains(viewer) {
                return Err(SightError::ViewerOutside { viewer, extent });
            }
            let radius = self.radius_at(viewer);
            if !self.terrain.has_data(viewer) {
                return Ok(read(viewer, radius, View::of(viewer, viewer, Grid::new(1, 1, 0.0).view())));
            }
            if let Some(classic) = self.preset.classic.config(radius) {
                let ViewWindow { origin, window } = self.classic_view(&self.terrain, viewer, &classic)?;
                return Ok(read(viewer, radius, View::of(viewer, origin, window.view())));
            }
            if viewshed.config().radius != radius {
                viewshed.set_config(SightConfig { radius, ..self.preset.sight.clone() })?;
            }
            let view = self.terrain.view(viewshed, viewer, Job::quiet())?;
            if !self.terrain.has_gaps() {
                return Ok(read(viewer, radius, view));
            }
            let mut view = ViewWindow::of(&view);
            self.terrain.zero_missing(&mut view);
            Ok(read(viewer, radius, View::of(viewer, view.origin, view.window.view())))
        })
    }
}
