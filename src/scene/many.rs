//! What is seen from many cells of a scene at once.

use glam::IVec2;

use crate::grid::{CellRect, Grid};
use crate::job::Job;
use crate::scene::Scene;
use crate::sight::{SightConfig, SightError, View};

impl Scene {
    /// What is seen from many cells, each with the opacities and the radius of a viewer there, over all of rayon's
    /// threads: `read` is given the cell, its radius in cells and the view (before light), and makes of it what is to
    /// be kept. A classic method that the preset chooses is used here, too. A viewer without data sees nothing at all. The answers come in the order of the viewers, whatever the number of threads; the scene and its own
    /// viewer stay as they are.
    ///
    /// # Errors
    /// [`SightError::ViewerOutside`] and [`SightError::RadiusTooLarge`], for the first viewer for which it fails;
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
                let (origin, window) = self.classic_window(&self.terrain, viewer, &classic)?;
                return Ok(read(viewer, radius, View::of(viewer, origin, window.view())));
            }
            if viewshed.config().radius != radius {
                viewshed.set_config(SightConfig { radius, ..self.preset.sight.clone() })?;
            }
            let view = self.terrain.view(viewshed, viewer, Job::quiet())?;
            if !self.terrain.has_gaps() {
                return Ok(read(viewer, radius, view));
            }
            let mut window = view.grid().to_grid();
            self.terrain.blot_out_gaps(view.origin(), &mut window);
            Ok(read(viewer, radius, View::of(viewer, view.origin(), window.view())))
        })
    }
}
