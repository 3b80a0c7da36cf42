//! The ground that several observers see, in km²: [`DistanceBand`] by distance, [`ChosenObserver`] by greedy choice.

use glam::ivec2;

use super::count_classes::CountClasses;
use super::cumulative_view::{CumulativeLayer, CumulativeView};
use super::observer_view::VisibleCells;
use super::placed_observer::PlacedObserver;
use crate::world::World;
use farsight::internal::parallel::*;

/// The ground in a band of distances from the nearest observer.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DistanceBand {
    /// The minimum distance, in metres.
    pub from_m: f64,
    /// The maximum distance, in metres, exclusive.
    pub to_m: f64,
    /// The ground with data in the band, in km².
    pub ground_km2: f64,
    /// The ground in the band that any observer sees, in km².
    pub seen_km2: f64,
    /// The ground in the band of each class of counts, in km².
    pub class_km2: Vec<f64>,
}

/// The cells in which a layer has a value above 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CoveredGround {
    /// Their number.
    pub cells: usize,
    /// Their area in km².
    pub km2: f64,
}

/// An observer that is chosen for the area that it adds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChosenObserver {
    /// The index among the observers.
    pub index: usize,
    /// The number of cells that only it sees, not the observers chosen before.
    pub added_cells: u64,
    /// Their area in km².
    pub added_km2: f64,
    /// The area that it and the observers chosen before see, in km².
    pub seen_km2: f64,
}

/// Numbers of cells of a row in a band.
#[derive(Clone, Default)]
struct BandCells {
    ground: u64,
    seen: u64,
    of_class: Vec<u64>,
}

impl CumulativeView {
    /// Returns the ground in which a layer has a value above 0: for [`CumulativeLayer::Count`] what any observer sees. Empty for a layer
    /// that was not asked for.
    pub fn covered(&self, world: &World, layer: CumulativeLayer) -> CoveredGround {
        let mut covered = CoveredGround::default();
        let Some(values) = self.layer(layer) else { return covered };
        for y in 0..world.height() {
            let cells = values.row(y).iter().filter(|value| **value > 0.0).count();
            covered.cells += cells;
            covered.km2 += cells as f64 * cell_km2(world, y);
        }
        covered
    }

    /// Returns the ground in bands between ascending distances from the nearest observer. A cell at the end of a band
    /// is in the next band. With classes each band has the ground of each.
    pub fn distance_bands(
        &self,
        world: &World,
        observers: &[PlacedObserver],
        ends_m: &[f64],
        classes: Option<&CountClasses>,
    ) -> Vec<DistanceBand> {
        let class_km2 = vec![0.0; classes.map_or(0, CountClasses::count)];
        let band = |ends: &[f64]| {
            let class_km2 = class_km2.clone();
            DistanceBand { from_m: ends[0], to_m: ends[1], ground_km2: 0.0, seen_km2: 0.0, class_km2 }
        };
        let bands = ends_m.windows(2).map(band);
        let mut bands: Vec<DistanceBand> = bands.collect();
        let rows: Vec<usize> = (0..world.height()).collect();
        let cells_of_rows: Vec<Vec<BandCells>> =
            rows.par_iter().map(|&y| self.cells_in_bands(world, observers, y, &bands, classes)).collect();
        for (y, cells_of_row) in cells_of_rows.iter().enumerate() {
            let km2 = cell_km2(world, y);
            for (band, BandCells { ground, seen, of_class }) in bands.iter_mut().zip(cells_of_row) {
                band.ground_km2 += *ground as f64 * km2;
                band.seen_km2 += *seen as f64 * km2;
                band.class_km2.iter_mut().zip(of_class).for_each(|(sum, cells)| *sum += *cells as f64 * km2);
            }
        }
        bands
    }

    /// Returns the numbers of cells and of seen cells of a row in each band.
    fn cells_in_bands(
        &self,
        world: &World,
        observers: &[PlacedObserver],
        y: usize,
        bands: &[DistanceBand],
        classes: Option<&CountClasses>,
    ) -> Vec<BandCells> {
        let mut nearest = vec![f64::INFINITY; world.width()]; // squared metres
        for observer in observers {
            let cell_size = world.cell_size_at(observer.cell);
            let offset = ivec2(0, y as i32) - observer.cell;
            let squared_y = (f64::from(offset.y) * cell_size.y_m).powi(2);
            for (x, nearest) in nearest.iter_mut().enumerate() {
                let x_m = f64::from(offset.x + x as i32) * cell_size.x_m;
                let squared = x_m * x_m + squared_y;
                *nearest = if squared < *nearest { squared } else { *nearest };
            }
        }
        let empty = BandCells { of_class: vec![0; classes.map_or(0, CountClasses::count)], ..BandCells::default() };
        let mut cells = vec![empty; bands.len()];
        for (squared, count) in nearest.iter().zip(self.count().row(y)).filter(|(_, count)| !count.is_nan()) {
            let is_in = |band: &DistanceBand| *squared >= band.from_m * band.from_m && *squared < band.to_m * band.to_m;
            if let Some(band) = bands.iter().position(is_in) {
                cells[band].ground += 1;
                cells[band].seen += u64::from(*count > 0.0);
                if let Some(class) = classes.and_then(|classes| classes.of(*count)) {
                    cells[band].of_class[class] += 1;
                }
            }
        }
        cells
    }

    /// Chooses up to `most` observers greedily: each adds the maximum area to the area of the previous ones; the first
    /// on a tie. It stops when no observer adds anything. The views must have been computed with
    /// [`seen_cells`](super::CumulativeParts::seen_cells).
    ///
    /// The area is at least 63 % (1 − 1/e) of that of the best choice of the same number of observers.
    ///
    /// # References
    /// G. L. Nemhauser, L. A. Wolsey, M. L. Fisher: An analysis of approximations for maximizing submodular set functions.
    /// Mathematical Programming 14, 1978.
    pub fn choose(&self, world: &World, most: usize) -> Vec<ChosenObserver> {
        let words_per_row = world.width().div_ceil(64);
        let mut covered = vec![0_u64; words_per_row * world.height()];
        let mut chosen: Vec<ChosenObserver> = Vec::new();
        let mut seen_km2 = 0.0;
        while chosen.len() < most {
            let is_free = |index: &usize| !chosen.iter().any(|chosen| chosen.index == *index);
            let free: Vec<usize> = (0..self.seen_cells.len()).filter(is_free).collect();
            let gains: Vec<(u64, f64)> =
                free.par_iter().map(|&index| gain(world, &self.seen_cells[index], &covered)).collect();
            let mut best: Option<(usize, (u64, f64))> = None;
            for (&index, &gain) in free.iter().zip(&gains).filter(|(_, (cells, _))| *cells > 0) {
                if best.is_none_or(|(_, (_, km2))| gain.1 > km2) {
                    best = Some((index, gain));
                }
            }
            let Some((index, (added_cells, added_km2))) = best else { break };
            let seen = &self.seen_cells[index];
            for y in seen.rows() {
                let covered = &mut covered[y * words_per_row..][..words_per_row];
                let row = seen.row(y).into_iter().flatten();
                covered.iter_mut().zip(row).for_each(|(covered, word)| *covered |= word);
            }
            seen_km2 += added_km2;
            chosen.push(ChosenObserver { index, added_cells, added_km2, seen_km2 });
        }
        chosen
    }
}

/// Returns the number and the area of cells that are seen but not covered.
fn gain(world: &World, seen: &VisibleCells, covered: &[u64]) -> (u64, f64) {
    let words_per_row = world.width().div_ceil(64);
    let (mut cells, mut km2) = (0, 0.0);
    for y in seen.rows() {
        let (row, covered) = (seen.row(y).into_iter().flatten(), &covered[y * words_per_row..]);
        let of_row: u64 = row.zip(covered).map(|(word, covered)| u64::from((word & !covered).count_ones())).sum();
        cells += of_row;
        km2 += of_row as f64 * cell_km2(world, y);
    }
    (cells, km2)
}

/// Returns the area of a cell of a row.
fn cell_km2(world: &World, y: usize) -> f64 {
    let cell_size = world.cell_size_at(ivec2(0, y as i32));
    cell_size.x_m * cell_size.y_m / 1e6
}
