//! [`WorkspacePool`]: computes the views of many viewers in parallel, with one workspace per thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::IVec2;

use crate::grid::ToCell;
use crate::job::{Cancelled, Job};
use crate::parallel::*;
use crate::sight_config::{SightConfig, SightError};

/// The number of viewers in a task.
const CHUNK: usize = 16;

/// A workspace: buffers for views with one configuration. Clones share the precomputed lists.
pub(crate) trait Workspace: Clone + Send + Sync {
    fn config(&self) -> &SightConfig;
    fn set_config(&mut self, config: SightConfig) -> Result<(), SightError>;
}

/// Cached workspaces of earlier batches. A clone of a pool is empty.
#[derive(Debug)]
pub(crate) struct WorkspacePool<W>(Mutex<Vec<W>>);

impl<W> Default for WorkspacePool<W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<W> Clone for WorkspacePool<W> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Workspace> WorkspacePool<W> {
    /// Calls `look` for every viewer, on all cores with the feature `parallel`, and with a workspace configured as `prototype`. Returns the
    /// answers in the order of the viewers, or the error of the first viewer that has one.
    pub(crate) fn for_each_viewer<T: Send>(
        &self,
        prototype: &W,
        viewers: &[impl ToCell + Copy],
        job: Job<'_>,
        look: impl Fn(&mut W, IVec2) -> Result<T, SightError> + Sync,
    ) -> Result<Vec<T>, SightError> {
        let viewers: Vec<IVec2> = viewers.iter().map(|viewer| viewer.to_cell()).collect();
        let order = order_by_tile(&viewers);
        let mut answers: Vec<Option<T>> = Vec::new();
        answers.resize_with(viewers.len(), || None);
        let first_failed = AtomicUsize::new(usize::MAX);
        let (first_error, viewers_done) = (Mutex::new(None), Mutex::new(0));
        let fail = |index: usize, error| {
            let mut first_error = lock(&first_error);
            if index < first_failed.fetch_min(index, Ordering::Relaxed) {
                *first_error = Some(error);
            }
        };
        order.par_chunks(CHUNK).zip(answers.par_chunks_mut(CHUNK)).for_each(|(indices, answers)| {
            let mut workspace = self.take(prototype);
            for (&index, answer) in indices.iter().zip(answers) {
                // Viewers before the failed one are still computed, since the error must not depend on the number of
                // threads.
                if index > first_failed.load(Ordering::Relaxed) {
                    continue;
                }
                match look(&mut workspace, viewers[index]) {
                    Ok(found) => *answer = Some(found),
                    Err(error) => fail(index, error),
                }
            }
            lock(&self.0).push(workspace);
            let mut done = lock(&viewers_done);
            *done += indices.len();
            if let Err(Cancelled) = job.report("views", *done as f32 / viewers.len() as f32) {
                fail(0, Cancelled.into());
            }
        });
        if let Some(error) = lock(&first_error).take() {
            return Err(error);
        }
        let mut sorted: Vec<Option<T>> = Vec::new();
        sorted.resize_with(viewers.len(), || None);
        for (index, answer) in order.into_iter().zip(answers) {
            sorted[index] = answer;
        }
        Ok(sorted.into_iter().flatten().collect())
    }

    /// Takes a cached workspace, or clones `prototype`.
    fn take(&self, prototype: &W) -> W {
        let config = prototype.config();
        let Some(mut workspace) = lock(&self.0).pop() else { return prototype.clone() };
        if workspace.config() == config {
            return workspace;
        }
        let differs_only_in_radius = SightConfig { radius: config.radius, ..workspace.config().clone() } == *config;
        if differs_only_in_radius && workspace.set_config(config.clone()).is_ok() {
            workspace
        } else {
            prototype.clone()
        }
    }
}

/// Returns the indices of the viewers in spatial order, so that the cells of one view are cached for the next.
fn order_by_tile(viewers: &[IVec2]) -> Vec<usize> {
    let mut order: Vec<(u64, usize)> = viewers.iter().map(|&viewer| morton_code(viewer)).zip(0..).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, index)| index).collect()
}

/// Returns the index of a viewer's tile of 16 × 16 cells along a Z-order curve, which interleaves the bits of x and y (G. M.
/// Morton 1966).
fn morton_code(viewer: IVec2) -> u64 {
    let spread = |coordinate: i32| {
        [(16, 0x0000_ffff_0000_ffff), (8, 0x00ff_00ff_00ff_00ff), (4, 0x0f0f_0f0f_0f0f_0f0f)]
            .into_iter()
            .chain([(2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)])
            .fold(u64::from((coordinate >> 4) as u32), |bits, (shift, mask)| (bits | bits << shift) & mask)
    };
    spread(viewer.x) | spread(viewer.y) << 1
}

#[cfg(test)]
mod tests {
    use glam::ivec2;

    use super::*;

    #[test]
    fn tiles_follow_a_z_order_curve() {
        let at = |x, y| morton_code(16 * ivec2(x, y) + 7);
        assert_eq!([at(0, 0), at(1, 0), at(0, 1), at(1, 1), at(2, 0)], [0, 1, 2, 3, 4]);
        assert_eq!(at(0x5a5, 0), (0..11).map(|i| (0x5a5 >> i & 1) << (2 * i)).sum::<u64>());
        assert_eq!(morton_code(ivec2(-1, -1)), u64::MAX);
        assert_eq!(order_by_tile(&[ivec2(40, 0), ivec2(3, 3), ivec2(20, 0), ivec2(1, 9)]), [1, 3, 2, 0]);
    }
}
