//! Fractal ground for tests, benchmarks and the comparison with GDAL.

#![allow(dead_code, unreachable_pub, reason = "not every binary uses all of it")]

pub mod gdal;
pub mod tracer;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;

/// Returns a hash of a cell and a seed, in [0, 1).
fn hash(cell: IVec2, seed: u32) -> f32 {
    let mut h = (cell.x as u32).wrapping_mul(0x9e37_79b1)
        ^ (cell.y as u32).wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d);
    for factor in [0x2c1b_3c6d, 0x297a_2d39] {
        h = (h ^ (h >> 15)).wrapping_mul(factor);
    }
    (h ^ (h >> 15)) as f32 / 4_294_967_296.0
}

/// Returns value noise in [0, 1).
fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let ease = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v) = (ease(x - x.floor()), ease(y - y.floor()));
    let at = |dx, dy| hash(ivec2(x.floor() as i32 + dx, y.floor() as i32 + dy), seed);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(mix(at(0, 0), at(1, 0), u), mix(at(0, 1), at(1, 1), u), v)
}

/// Returns fractal ground of `side` cells a side: octaves of noise from 200 cells down to less than one, each `roughness` times
/// as high as the one before; the first is `height` metres high.
pub fn fractal(side: usize, seed: u32, roughness: f32, height: f32) -> Grid<f32> {
    Grid::from_fn(side, side, |cell| {
        let (mut wide, mut high, mut sum) = (1.0 / 200.0, height, 0.0);
        for octave in 0..9 {
            let at = |v: i32, shift: f32| v as f32 * wide + shift;
            sum += high * noise(at(cell.x, 0.37), at(cell.y, 0.71), seed.wrapping_mul(16) + octave);
            wide *= 2.0;
            high *= roughness;
        }
        sum
    })
}
