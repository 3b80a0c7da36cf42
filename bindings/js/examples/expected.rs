//! Prints what the package for JavaScript has to compute, for `test/bits.test.mjs`: `cargo run -p farsight-js --example expected -- SEEDS`.
//!
//! A line has the kind of the case, its seed, and the hash of the bits of all results. Both programs draw the same cases.

#![expect(clippy::print_stdout, reason = "the output of the program")]

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::horizon::{DepthPanorama, Horizon, HorizonConfig, Projection};
use farsight::sight::{Decay, Method, MethodKind, PathRule, RadiusShape, Sector, Weights};
use farsight::viewshed::{Surface, Viewshed};
use farsight::{FieldOfView, Grid, Job, OpacityMap, SightConfig};

/// Marsaglia's generator of 32 bits, which is short in JavaScript, too.
struct Random(u32);

impl Random {
    fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(2_654_435_761) | 1)
    }

    /// Returns a number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % end
    }
}

/// The FNV-1a hash of 32-bit words.
struct Hash(u32);

impl Hash {
    fn new() -> Self {
        Self(2_166_136_261)
    }

    fn word(&mut self, bits: u32) {
        self.0 = (self.0 ^ bits).wrapping_mul(16_777_619);
    }

    fn double(&mut self, value: f64) {
        let bits = if value.is_nan() { f64::NAN } else { value }.to_bits();
        self.word(bits as u32);
        self.word((bits >> 32) as u32);
    }
}

fn cell(random: &mut Random, width: u32, height: u32) -> IVec2 {
    let x = random.below(width);
    ivec2(x as i32, random.below(height) as i32)
}

fn sight(seed: u32) -> u32 {
    let random = &mut Random::new(seed);
    let (width, height) = (1 + random.below(60), 1 + random.below(50));
    let (walls, fog) = (random.below(40), random.below(3));
    let opacity = Grid::from_fn(width as usize, height as usize, |_| {
        if random.below(100) < walls { 1.0 } else { (random.below(6) * fog) as f32 / 16.0 }
    });
    let map = OpacityMap::try_from(opacity).expect("sixteenths are opacities");
    let viewer = cell(random, width, height);
    let radius = if random.below(8) == 0 { SightConfig::UNLIMITED } else { random.below(40) };
    let shapes = [RadiusShape::Circle, RadiusShape::Square, RadiusShape::Diamond];
    let methods = [
        Method::TwoParent { weights: Weights::Linear },
        Method::TwoParent { weights: Weights::Projection },
        Method::Beam { beams: 1.5 },
        Method::Exact { samples: 3 },
        MethodKind::SymmetricShadowcast.into(),
        MethodKind::Shadowcast.into(),
        MethodKind::RaycastBorder.into(),
        MethodKind::RaycastCircle.into(),
    ];
    let decays = [
        Decay::None,
        Decay::Linear { reach: None },
        Decay::Smooth { reach: Some(20.0) },
        Decay::InverseSquare { half: None },
        Decay::Exponential { half: Some(9.0) },
        Decay::Lamp { reach: None, half: None },
        Decay::Fuzzy { near: 3.0, half: None },
        Decay::Points(vec![[4.0, 0.75], [12.0, 0.25]]),
    ];
    let config = SightConfig::default()
        .with_radius(radius)
        .with_shape(shapes[random.below(3) as usize])
        .with_path([PathRule::PerCell, PathRule::PerLength][random.below(2) as usize])
        .with_method(methods[random.below(8) as usize])
        .with_decay(decays[random.below(8) as usize].clone());
    let sector = Sector::new(f64::from(random.below(360)), f64::from([360, 120, 200][random.below(3) as usize]));
    let target = cell(random, width, height);
    let mut fov = FieldOfView::new(config.with_sector(sector)).expect("the draws are in range");
    let mut hash = Hash::new();
    let view = fov.compute(&map, viewer).expect("the viewer is on the map");
    CellRect::of_size((width, height)).cells().for_each(|cell| hash.word(view.get(cell).to_bits()));
    let with_walls = view.with_walls(|cell| map.is_wall(cell));
    CellRect::of_size((width, height)).cells().for_each(|cell| hash.word(with_walls.get(cell).to_bits()));
    hash.word(fov.line_of_sight(&map, viewer, target).expect("both are on the map").to_bits());
    hash.0
}

fn terrain(seed: u32) -> u32 {
    let random = &mut Random::new(seed);
    let (width, height) = (2 + random.below(70), 2 + random.below(60));
    let (rough, gaps) = (1 + random.below(400), random.below(3) * 20);
    let ground = Grid::from_fn(width as usize, height as usize, |cell| {
        let hill = (cell.x * 7 % 90 + cell.y * 5 % 70) as f32;
        let bump = random.below(rough) as f32 / 8.0;
        if random.below(1000) < gaps { f32::NAN } else { 500.0 + hill + bump }
    });
    let viewer = cell(random, width, height);
    let cell_m = f64::from(5 + random.below(40));
    let method = if random.below(2) == 0 { MethodKind::Exact } else { MethodKind::TwoParent };
    let (eye_m, target_m) = (f64::from(random.below(30)), f64::from(random.below(10)));
    let softness_m = f64::from(random.below(2) * 4);
    let reach_m = if random.below(3) == 0 { f64::INFINITY } else { cell_m * f64::from(2 + random.below(50)) };
    let curvature = if random.below(2) == 0 { 0.0 } else { 1.0 - 0.125 };
    let mut hash = Hash::new();
    if ground[viewer].is_nan() {
        return hash.0;
    }
    let surface = Surface::of(&ground, cell_m)
        .with_eye_height(eye_m)
        .with_target_height(target_m)
        .with_curvature(curvature)
        .with_softness(softness_m);
    let config = SightConfig::default().with_radius(SightConfig::UNLIMITED).with_method(method);
    let view = Viewshed::new(config).expect("the draws are in range");
    let mut view = view;
    let view = view.compute(&surface, viewer, Job::none()).expect("the viewer has ground");
    for cell in CellRect::of_size((width, height)).cells() {
        let is_near = surface.cell_size.distance_m(cell - viewer) <= reach_m;
        hash.word(if is_near { view.get(cell) } else { 0.0 }.to_bits());
    }
    let config = HorizonConfig::default().with_azimuths(40).with_max_distance_m(reach_m);
    let horizon = Horizon::of(&surface, viewer, &config).expect("the draws are in range");
    for along in horizon.azimuths() {
        let point =
            along.skyline().map_or([f64::NAN; 3], |ridge| [ridge.elevation_deg(), ridge.distance_m, ridge.height_m]);
        point.into_iter().for_each(|value| hash.double(value));
    }
    let pixels = Projection::new(50, 20).with_top_deg(20.0).with_bottom_deg(-30.0);
    let panorama = DepthPanorama::of(&surface, viewer, &pixels, reach_m).expect("the draws are in range");
    for y in 0..20 {
        (0..50).for_each(|x| hash.word(panorama.column_m(x)[y].to_bits()));
    }
    hash.0
}

fn main() {
    let seeds = std::env::args().nth(1).and_then(|seeds| seeds.parse().ok()).unwrap_or(300);
    for seed in 0..seeds {
        println!("sight {seed} {}", sight(seed));
        println!("terrain {seed} {}", terrain(seed));
    }
}
