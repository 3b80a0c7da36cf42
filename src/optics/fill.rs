//! [`Fill`]: rows of opacities for one eye.
//!
//! They are worked on lane by lane, in the vectors of the processor at hand: whatever these are, the bits are the same.

use glam::IVec2;
use pulp::{Simd, WithSimd};

use super::eye::Eye;
use super::still::Stretch;
use crate::grid::Grid;
use crate::optics::Optics;
use crate::simd::LANES;

/// Fills rows with opacities: the first cell of each, and its opacities from there to the right.
pub(super) struct Fill<'a, R> {
    pub(super) optics: &'a Optics,
    pub(super) eye: Eye,
    pub(super) rows: R,
}

impl<'r, R: Iterator<Item = (IVec2, &'r mut [f32])>> WithSimd for Fill<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { optics, eye, rows } = self;
        let fields = Fields::of(optics);
        for (first, row) in rows {
            fill(&eye, &fields.cells(first, row.len()), row);
        }
    }
}

/// Most of a world lies below the eye, or all around the ray: what is left to be done there gives the bits of
/// [`Eye::opacity`], too.
#[inline(always)]
fn fill(eye: &Eye, cells: &Cells<'_>, row: &mut [f32]) {
    let [ground, cover, air, below_tops] =
        [cells.ground, cells.cover, cells.air, cells.below_tops].map(|field| field.as_chunks::<LANES>().0);
    let (vectors, end) = row.as_chunks_mut::<LANES>();
    let fields = ground.iter().zip(cover).zip(air.iter().zip(below_tops));
    for ((slot, stretch), ((ground, cover), (air, below_tops))) in vectors.iter_mut().zip(cells.stretches).zip(fields) {
        *slot = if eye.overlooks(stretch) {
            each(|i| 1.0 - air[i])
        } else if eye.is_below_tops(stretch) {
            each(|i| eye.opacity_below_tops(ground[i], below_tops[i]))
        } else {
            each(|i| eye.opacity(ground[i], cover[i], air[i]))
        };
    }
    if !end.is_empty() {
        fill_end(eye, cells, row);
    }
}

/// What is left of a row behind its last whole vector: the last reaches back, if there is anything to reach back into.
#[inline(always)]
fn fill_end(eye: &Eye, cells: &Cells<'_>, row: &mut [f32]) {
    let fields = [cells.ground, cells.cover, cells.air].map(|field| field.last_chunk::<LANES>());
    if let (Some(slot), [Some(ground), Some(cover), Some(air)]) = (row.last_chunk_mut::<LANES>(), fields) {
        *slot = each(|i| eye.opacity(ground[i], cover[i], air[i]));
    } else {
        for (((slot, &ground), &cover), &air) in row.iter_mut().zip(cells.ground).zip(cells.cover).zip(cells.air) {
            *slot = eye.opacity(ground, cover, air);
        }
    }
}

/// A vector, lane by lane.
#[inline(always)]
fn each(lane: impl Fn(usize) -> f32) -> [f32; LANES] {
    let mut vector = [0.0; LANES];
    for (i, slot) in vector.iter_mut().enumerate() {
        *slot = lane(i);
    }
    vector
}

/// The fields of a world, row by row: all of one length, so that one look tells whether cells are in them.
#[derive(Clone, Copy)]
struct Fields<'a> {
    width: usize,
    height: usize,
    ground: &'a [f32],
    cover: &'a [f32],
    air: &'a [f32],
    below_tops: &'a [f32],
    stretches: &'a [Stretch],
}

/// The same of some cells in a row.
struct Cells<'a> {
    ground: &'a [f32],
    cover: &'a [f32],
    air: &'a [f32],
    below_tops: &'a [f32],
    /// One for each vector.
    stretches: &'a [Stretch],
}

impl<'a> Fields<'a> {
    #[inline(always)]
    fn of(optics: &'a Optics) -> Self {
        let (ground, still) = (optics.world.ground_m(), optics.still());
        let (width, height) = (ground.width(), ground.height());
        let field = |field: &'a Grid<f32>| &field.as_slice()[..width * height];
        Self {
            width,
            height,
            ground: field(ground),
            cover: field(optics.world.vegetation()),
            air: field(&optics.air),
            below_tops: field(&still.below_tops),
            stretches: &still.stretches.as_slice()[..width.div_ceil(LANES) * height],
        }
    }

    /// So many cells from `first` to the right.
    #[inline(always)]
    fn cells(&self, first: IVec2, count: usize) -> Cells<'a> {
        let [x, y] = [first.x, first.y].map(|i| i as usize);
        debug_assert!(y < self.height && x <= self.width && count <= self.width - x);
        let start = y * self.width + x;
        let cells = start..start + count;
        let stretch = y * self.width.div_ceil(LANES) + x / LANES;
        Cells {
            ground: &self.ground[cells.clone()],
            cover: &self.cover[cells.clone()],
            air: &self.air[cells.clone()],
            below_tops: &self.below_tops[cells],
            stretches: &self.stretches[stretch..stretch + count / LANES],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::ivec2;

    use super::*;
    use crate::optics::config::{OpticsConfig, Relief};
    use crate::simd::dispatch;
    use crate::world::World;

    type Rows<'a> = std::vec::IntoIter<(IVec2, &'a mut [f32])>;

    #[test]
    fn vectors_of_any_width_give_the_same_bits() {
        let field = |scale: f32, n: i32| {
            Grid::from_fn(400, 9, move |cell| scale * ((cell.x * n + cell.y * 13) % 101) as f32 / 100.0)
        };
        let world = World::from_fields(field(60.0, 7), field(1.0, 11), field(1.0, 17), 100.0).unwrap();
        let optics = Optics::new(Arc::new(world), &OpticsConfig::default());
        let filled = |how: fn(Fill<'_, Rows<'_>>)| {
            let mut cells = Grid::new(397, 9, f32::NAN);
            let rows = cells.as_mut_slice().chunks_exact_mut(397).zip(0..).map(|(row, y)| (ivec2(3, y), row));
            let rows = rows.collect::<Vec<_>>().into_iter();
            how(Fill { optics: &optics, eye: Eye::new(&optics, 35.0), rows });
            cells.map(|opacity| opacity.to_bits())
        };
        let narrow = filled(|fill| fill.with_simd(pulp::Scalar));
        assert!(narrow == filled(|fill| pulp::Arch::new().dispatch(fill)) && narrow == filled(|fill| dispatch(fill)));
        let mixed = narrow.as_slice().iter().filter(|bits| (0.01..0.99).contains(&f32::from_bits(**bits)));
        assert!(mixed.count() > 397);
    }

    #[test]
    fn what_is_left_out_changes_no_bit() {
        let mut state = 7u64;
        let mut pick = |count: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % count
        };
        let mut config = OpticsConfig::default();
        let mut kinds = [0; 3];
        for _ in 0..150 {
            // Some of the keys at a time.
            let before = config.clone();
            match pick(4) {
                0 => config.canopy_height_m = [0.0, 1.7, 5.0, 20.0, 55.5][pick(5)],
                1 => config.vegetation_extinction_per_m = [0.0, 0.01, 0.04, 1.0][pick(4)],
                2 => config.visual_range_m = [f64::INFINITY, 10_000.0][pick(2)],
                _ => {}
            }
            config.eye_height_m = [0.0, 1.7, 12.3, 40.0][pick(4)];
            config.target_height_m = [0.0, 0.0, 3.1, 41.0][pick(4)];
            config.relief_softness_m = [0.0, 0.1, 60.0][pick(3)];
            config.relief = [Relief::None, Relief::Difference][pick(2)];
            // Country in steps, each about as high as something begins or ends to matter, or far from it.
            let own = [0.0, 100.0, 1234.5, 8000.3][pick(4)];
            let eye_m = own + config.eye_height_m as f32;
            let mut fields = [0.0, 0.5, 0.0].map(|value| Grid::new(1024, 1, value));
            let [elevation, _, vegetation] = &mut fields;
            for step in 0..16 {
                let woods = [0.0, 0.3, 0.8, 1.0][pick(4)];
                let top = config.canopy_height_m as f32 * woods * woods;
                let base = [own, eye_m, eye_m - top, own - 500.0, own + 500.0][pick(5)];
                let hair = [0.0, 1e-6, 1e-4, 0.01, 1.0, 30.0][pick(6)];
                for x in 64 * step..64 * step + 64 {
                    elevation.as_mut_slice()[x] = (base + hair * (pick(9) as f32 - 4.0)).max(0.0);
                    vegetation.as_mut_slice()[x] = if pick(8) == 0 { 0.0 } else { woods };
                }
            }
            let [elevation, humidity, vegetation] = fields;
            let world = World::from_fields(elevation, humidity, vegetation, 50.0).unwrap();
            let mut optics = Optics::new(world.into(), &before);
            optics.still();
            optics.set_config(&OpticsConfig { eye_height_m: 3.0, ..config.clone() });
            let optics = optics.at_eye_height(config.eye_height_m);
            let eye = Eye::new(&optics, eye_m + optics.lift_m() as f32);
            let first = ivec2(pick(17) as i32, 0);
            let mut row = [f32::NAN; 1001];
            dispatch(Fill { optics: &optics, eye, rows: std::iter::once((first, &mut row[..])) });
            let cells = Fields::of(&optics).cells(first, row.len());
            for (x, &found) in row.iter().enumerate() {
                let opacity = eye.opacity(cells.ground[x], cells.cover[x], cells.air[x]);
                assert_eq!(
                    found.to_bits(),
                    opacity.to_bits(),
                    "{found}, not {opacity} at {x} from {first}: {config:?}"
                );
            }
            for stretch in cells.stretches {
                kinds[if eye.overlooks(stretch) { 0 } else { 1 + usize::from(eye.is_below_tops(stretch)) }] += 1;
            }
        }
        assert!(kinds.iter().all(|&kind| kind > 1000), "{kinds:?}");
    }
}
