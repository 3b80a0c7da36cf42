//! Many viewers at once: one workspace a thread, the precomputed lists shared by all.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::IVec2;
use rayon::prelude::*;

use super::config::SightConfig;
use super::error::SightError;
use super::field_of_view::FieldOfView;
use super::opacity_map::OpacityMap;
use super::view::View;
use crate::job::Cancelled;
use crate::job::Job;

/// Viewers that a thread takes at a time.
const SHARE: usize = 16;

/// Workspaces of earlier batches, kept for the next. A clone begins with none.
#[derive(Debug, Default)]
pub(super) struct WorkspacePool(Mutex<Vec<FieldOfView>>);

impl Clone for WorkspacePool {
    fn clone(&self) -> Self {
        Self::default()
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FieldOfView {
    /// What is seen by many viewers on one map, over all of rayon's threads: `read` makes of each view what is to be
    /// kept. The answers come in the order of the viewers and are those of [`compute`](Self::compute), whatever the
    /// number of threads.
    ///
    /// Each thread has a workspace of its own, which is kept for the next call: after the first, computing a view
    /// allocates nothing (but by the slow [`Method::Exact`](super::Method::Exact)).
    ///
    /// ```
    /// use farsight::{FieldOfView, Grid, OpacityMap, SightConfig};
    /// use farsight::glam::ivec2;
    /// let opacity = OpacityMap::try_from(Grid::<f32>::from_text("..#....\n.......")?)?;
    /// let fov = FieldOfView::new(SightConfig { radius: 24, ..Default::default() })?;
    /// let guards = [ivec2(0, 0), ivec2(6, 0)];
    /// let sees_the_goat = fov.compute_many(&opacity, &guards, |_guard, view| view.get(ivec2(5, 0)) > 0.25)?;
    /// assert_eq!(sees_the_goat, [false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`compute`](Self::compute), for the first viewer for which it fails.
    pub fn compute_many<T: Send>(
        &self,
        opacity: &OpacityMap,
        viewers: &[IVec2],
        read: impl Fn(IVec2, View<'_>) -> T + Sync,
    ) -> Result<Vec<T>, SightError> {
        self.for_viewers(viewers, Job::quiet(), |fov, viewer| Ok(read(viewer, fov.compute(opacity, viewer)?)))
    }

    /// Calls `look` for many viewers, over all of rayon's threads, with a workspace to compute the view in: for
    /// opacities that hang on the viewer ([`compute_within`](Self::compute_within)), or a radius that does. It must set
    /// whatever of the configuration differs among viewers, and nothing else. See
    /// [`compute_many`](Self::compute_many).
    ///
    /// # Errors
    /// Those of `look`, for the first viewer for which it fails; [`SightError::Cancelled`] through the `job`.
    pub fn for_viewers<T: Send>(
        &self,
        viewers: &[IVec2],
        job: Job<'_>,
        look: impl Fn(&mut Self, IVec2) -> Result<T, SightError> + Sync,
    ) -> Result<Vec<T>, SightError> {
        let order = by_neighbourhood(viewers);
        let mut answers: Vec<Option<T>> = Vec::new();
        answers.resize_with(viewers.len(), || None);
        let first_fault = AtomicUsize::new(usize::MAX);
        let fault = Mutex::new(None);
        let (all, done) = (viewers.len(), Mutex::new(0));
        let fail = |at: usize, error| {
            let mut fault = held(&fault);
            if at < first_fault.fetch_min(at, Ordering::Relaxed) {
                *fault = Some(error);
            }
        };
        order.par_chunks(SHARE).zip(answers.par_chunks_mut(SHARE)).for_each(|(share, answers)| {
            let mut workspace = self.workspace();
            for (&at, answer) in share.iter().zip(answers) {
                if at > first_fault.load(Ordering::Relaxed) {
                    continue; // those before the fault are still looked at: which one is first must not hang on threads
                }
                match look(&mut workspace, viewers[at]) {
                    Ok(found) => *answer = Some(found),
                    Err(error) => fail(at, error),
                }
            }
            held(&self.workspaces.0).push(workspace);
            let mut done = held(&done);
            *done += share.len();
            if let Err(Cancelled) = job.report("views", *done as f32 / all as f32) {
                fail(0, Cancelled.into());
            }
        });
        if let Some(error) = held(&fault).take() {
            return Err(error);
        }
        let mut sorted: Vec<Option<T>> = Vec::new();
        sorted.resize_with(viewers.len(), || None);
        for (at, answer) in order.into_iter().zip(answers) {
            sorted[at] = answer;
        }
        Ok(sorted.into_iter().flatten().collect())
    }

    /// A workspace for one thread: one of an earlier batch, or a new one.
    fn workspace(&self) -> Self {
        let spare = held(&self.workspaces.0).pop();
        match spare {
            Some(spare) if spare.config() == self.config() => spare,
            Some(mut spare) if differ_in_radius_only(spare.config(), self.config()) => {
                match spare.set_config(self.config().clone()) {
                    Ok(()) => spare,
                    Err(_) => self.clone(),
                }
            }
            _ => self.clone(),
        }
    }
}

/// The viewers' numbers, neighbours after each other: then what one sees is still at hand for the next.
fn by_neighbourhood(viewers: &[IVec2]) -> Vec<usize> {
    let mut order: Vec<(u64, usize)> = viewers.iter().map(|&viewer| neighbourhood(viewer)).zip(0..).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// The place of a viewer's tile of 16 × 16 cells along a Z-order curve: the bits of x and y by turns (G. M. Morton 1966).
fn neighbourhood(viewer: IVec2) -> u64 {
    let spread = |coordinate: i32| {
        [(16, 0x0000_ffff_0000_ffff), (8, 0x00ff_00ff_00ff_00ff), (4, 0x0f0f_0f0f_0f0f_0f0f)]
            .into_iter()
            .chain([(2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)])
            .fold(u64::from((coordinate >> 4) as u32), |bits, (by, mask)| (bits | bits << by) & mask)
    };
    spread(viewer.x) | spread(viewer.y) << 1
}

fn differ_in_radius_only(one: &SightConfig, other: &SightConfig) -> bool {
    (one.method, one.weights, one.path, one.beams, one.samples)
        == (other.method, other.weights, other.path, other.beams, other.samples)
        && one.decay == other.decay
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn a_tile_and_then_its_neighbours() {
        let at = |x, y| neighbourhood(16 * ivec2(x, y) + 7);
        assert_eq!([at(0, 0), at(1, 0), at(0, 1), at(1, 1), at(2, 0)], [0, 1, 2, 3, 4]);
        assert_eq!(at(0x5a5, 0), (0..11).map(|i| (0x5a5 >> i & 1) << (2 * i)).sum::<u64>());
        assert_eq!(neighbourhood(ivec2(-1, -1)), u64::MAX);
        assert_eq!(by_neighbourhood(&[ivec2(40, 0), ivec2(3, 3), ivec2(20, 0), ivec2(1, 9)]), [1, 3, 2, 0]);
    }
}
