//! The maps of the comparison. The viewer is on the clear cell nearest to the centre.

use farsight::grid::Grid;
use farsight_scene::compare::kinds::{KINDS, MapMaker, open, rooms};

pub(crate) const MAPS: [(&str, MapMaker); 7] = [
    ("open field", open),
    ("10 % walls", KINDS[0].1),
    ("30 % walls", KINDS[1].1),
    ("rooms", rooms),
    ("smooth fog", smooth_fog),
    ("thin haze", thin_haze),
    ("all dark", |side, _| Grid::new(side, side, 1.0)),
];

/// Banks of fog twenty cells across, with opacities from 0 to 0.2: the transmittance of twenty cells is low.
pub(crate) fn smooth_fog(side: usize, _: u64) -> Grid<f32> {
    banks(side, 0.1)
}

/// The same banks with a tenth of the opacity: the transmittance of 64 cells is about one half.
fn thin_haze(side: usize, _: u64) -> Grid<f32> {
    banks(side, 0.01)
}

/// Opacities from 0 to twice the `mean`, in banks twenty cells across.
fn banks(side: usize, mean: f64) -> Grid<f32> {
    Grid::from_fn(side, side, |cell| {
        let at = cell.as_dvec2() / 20.0;
        let wave = (at.x + 0.7 * (0.6 * at.y).sin()).sin() * (0.8 * at.y - 0.3 * at.x).cos();
        (mean * (1.0 + wave)) as f32
    })
}
