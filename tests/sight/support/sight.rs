//! Random maps, random configurations, and views of them.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of this file")]

use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{Decay, FieldOfView, Method, MethodKind, OpacityMap, PathRule, SightConfig, Weights};
use farsight_scene::preset::{DecayKind, DecaySettings, SightSettings};
use proptest::prelude::*;

/// The configuration for a number of random cases. Failures are printed, not kept in files.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
}

/// A map and a viewer on it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub opacity: Grid<f32>,
    pub viewer: IVec2,
}

impl Scene {
    pub fn map(&self) -> OpacityMap {
        OpacityMap::try_from(self.opacity.clone()).unwrap()
    }

    /// The view as a grid of the map's shape.
    pub fn seen(&self, config: &SightConfig) -> Grid<f32> {
        let mut fov = FieldOfView::new(config.clone()).unwrap();
        let view = fov.compute(&self.map(), self.viewer).unwrap();
        Grid::from_fn(self.opacity.width(), self.opacity.height(), |cell| view.get(cell))
    }
}

/// An opacity: clear, a wall, some tenths, or any number.
pub fn any_opacity() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => Just(0.0f32),
        1 => Just(1.0f32),
        2 => (1..10u8).prop_map(|tenths| f32::from(tenths) / 10.0),
        1 => 0.0..=1.0f32,
    ]
}

/// Maps of up to `side` cells per side, some of them narrow, with the viewer anywhere, often in a corner.
pub fn any_scene(side: i32) -> impl Strategy<Value = Scene> {
    let extent = move || prop_oneof![1 => 1..=3i32.min(side), 6 => 1..=side];
    (extent(), extent(), 0..3u8).prop_flat_map(|(width, height, kind)| {
        let cell = match kind {
            0 => any_opacity().boxed(),
            1 => (0..=99u8).prop_map(|p| if p < 15 { 1.0 } else { 0.0 }).boxed(),
            // 0.02 to 0.3. For that range itself, proptest's sampler fails an assertion in one of ten million draws.
            _ => (0.0..0.28f32).prop_map(|above| 0.02 + above).boxed(),
        };
        let cells = proptest::collection::vec(cell, (width * height) as usize);
        let coordinate = |size: i32| prop_oneof![1 => Just(0), 1 => Just(size - 1), 4 => 0..size];
        (cells, coordinate(width), coordinate(height)).prop_map(move |(cells, x, y)| Scene {
            opacity: Grid::from_vec(width as usize, height as usize, cells).unwrap(),
            viewer: ivec2(x, y),
        })
    })
}

/// Radii from 0 to far beyond any of these maps.
pub fn any_radius() -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0), 1 => Just(1), 12 => 2..=28u32, 1 => 200..=256u32, 1 => Just(100_000)]
}

/// All decays, with and without their distances.
pub fn any_decay() -> impl Strategy<Value = Decay> {
    let kind = prop::sample::select(DecayKind::ALL.to_vec());
    let length = || proptest::option::of(0.5..40.0f64);
    (kind, length(), length(), 0.0..10.0f64, proptest::collection::vec((0.1..8.0f64, 0.0..=1.0f64), 1..4)).prop_map(
        |(kind, reach, half, near, steps)| {
            let mut point = [0.0, 1.0];
            let points = steps.into_iter().map(|(step, factor)| {
                point = [point[0] + step, point[1] * factor];
                point
            });
            let mut decay = DecaySettings::from(kind);
            (decay.reach, decay.half, decay.near, decay.points) = (reach, half, near, points.collect());
            decay.decay()
        },
    )
}

pub fn any_weights() -> impl Strategy<Value = Weights> {
    prop::sample::select(vec![Weights::Linear, Weights::Projection])
}

pub fn any_path() -> impl Strategy<Value = PathRule> {
    prop::sample::select(vec![PathRule::PerCell, PathRule::PerLength])
}

/// Every configuration of the two-parent method.
pub fn any_two_parent() -> impl Strategy<Value = SightConfig> {
    (any_radius(), any_weights(), any_path(), any_decay()).prop_map(|(radius, weights, path, decay)| {
        let config = SightConfig::default().with_radius(radius).with_method(Method::TwoParent { weights });
        config.with_path(path).with_decay(decay)
    })
}

/// Every configuration of every method.
pub fn any_config() -> impl Strategy<Value = SightConfig> {
    any_config_of(|_| true)
}

/// Every configuration of the methods that do not only answer yes or no.
pub fn any_soft_config() -> impl Strategy<Value = SightConfig> {
    any_config_of(|method| !method.is_binary())
}

fn any_config_of(is_drawn: fn(MethodKind) -> bool) -> impl Strategy<Value = SightConfig> {
    // The methods with kernels of their own are drawn more often.
    let weight = |kind| if matches!(kind, MethodKind::TwoParent | MethodKind::Beam) { 3 } else { 1 };
    let kinds = MethodKind::ALL.iter().copied().filter(|&kind| is_drawn(kind));
    let kind = prop::strategy::Union::new_weighted(kinds.map(|kind| (weight(kind), Just(kind))).collect());
    let beams = prop_oneof![Just(0.5), Just(1.0), 0.5..=4.0f64];
    let walls = (prop_oneof![Just(0.5), Method::WALL_AT], prop_oneof![Just(8), Just(64), Just(360)], any::<bool>());
    (any_two_parent(), any_weights(), kind, beams, 1..=4u32, walls).prop_map(
        |(config, weights, kind, beams, samples, walls)| {
            let mut sight = SightSettings::default();
            (sight.weights, sight.beams, sight.samples) = (weights, beams, samples);
            (sight.wall_at, sight.rays, sight.repair) = walls;
            config.with_method(sight.config_by(kind).method)
        },
    )
}

/// One of the eight symmetries of the square, for maps of `size`: the map of cells, and the new size.
pub fn symmetry(which: usize, size: IVec2) -> (impl Fn(IVec2) -> IVec2, IVec2) {
    let turned = if which & 4 == 0 { size } else { ivec2(size.y, size.x) };
    let to = move |cell: IVec2| {
        let x = if which & 1 == 0 { cell.x } else { size.x - 1 - cell.x };
        let y = if which & 2 == 0 { cell.y } else { size.y - 1 - cell.y };
        if which & 4 == 0 { ivec2(x, y) } else { ivec2(y, x) }
    };
    (to, turned)
}

/// The largest change of a value by the order of additions: 0 for two parents, and for methods that add nothing.
pub fn rounding(config: &SightConfig) -> f32 {
    if config.method.kind() == MethodKind::TwoParent || config.method.is_binary() { 0.0 } else { 1e-6 }
}

/// A map under one of the eight symmetries.
pub fn transformed(scene: &Scene, which: usize) -> Scene {
    let (to, size) = symmetry(which, scene.opacity.size());
    let mut opacity = Grid::new(size.x as usize, size.y as usize, 0.0);
    for (cell, &value) in scene.opacity.iter() {
        opacity[to(cell)] = value;
    }
    Scene { opacity, viewer: to(scene.viewer) }
}
