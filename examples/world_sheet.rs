//! Draws worlds: `cargo run --release --example world_sheet -- sheet.png 512 key=value… seed seed…`.
//!
//! One row a seed: biomes with hillshade and rivers, temperature, humidity, vegetation.

#![expect(clippy::print_stderr, reason = "a progress line a world")]

use farsight::glam::{IVec2, ivec2};
use farsight::{Biome, Job, Water, World, WorldConfig};
use image::{Rgb, RgbImage};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("which file?")?;
    let side: u32 = args.next().ok_or("how many cells a side?")?.parse()?;
    let (mut keys, mut seeds, mut only) = (String::new(), Vec::new(), 0);
    for arg in args {
        if let Some(n) = arg.strip_prefix("only=") {
            only = n.parse()?;
        } else if arg.contains('=') {
            keys += &format!("{arg}\n");
        } else {
            seeds.push(arg.parse::<u64>()?);
        }
    }
    let panels = if only > 0 { 1 } else { 4 };
    let across = if only > 0 { only } else { 1 };
    let down = (seeds.len() as u32).div_ceil(across);
    let mut sheet = RgbImage::new(side * panels * across, side * down);
    for (k, &seed) in seeds.iter().enumerate() {
        let config: WorldConfig = toml::from_str(&keys)?;
        let config = WorldConfig { seed, width: side, height: side, ..config };
        let start = std::time::Instant::now();
        let world = World::generate(&config, &Job::quiet())?;
        eprintln!("seed {seed}: {:?} {}", start.elapsed(), summary(&world));
        let (left, top) = (k as u32 % across * side * panels, k as u32 / across * side);
        for y in 0..side {
            for x in 0..side {
                for panel in 0..panels {
                    let colour = pixel(&world, panel, x as i32, y as i32);
                    sheet.put_pixel(left + panel * side + x, top + y, Rgb(colour.map(|c| (c * 255.0) as u8)));
                }
            }
        }
    }
    sheet.save(file)?;
    Ok(())
}

fn summary(world: &World) -> String {
    let cells = world.biome().as_slice();
    let mut line = String::new();
    for biome in Biome::ALL {
        let n = cells.iter().filter(|&&b| b == biome).count();
        if n > 0 {
            line += &format!("{} {:.1}% ", biome.name(), 100.0 * n as f64 / cells.len() as f64);
        }
    }
    let top = world.elevation_m().as_slice().iter().fold(0.0_f32, |a, &b| a.max(b));
    format!("{line} top {top:.0} m")
}

fn pixel(world: &World, panel: u32, x: i32, y: i32) -> [f32; 3] {
    let cell = ivec2(x, y);
    match panel {
        0 => {
            let g = world.ground_m();
            let at = |x: i32, y: i32| *g.get(ivec2(x, y)).unwrap_or(&g[cell]);
            let scale = 1.0 / (2.0 * world.config().cell_size_m as f32);
            let (dx, dy) = ((at(x + 1, y) - at(x - 1, y)) * scale, (at(x, y + 1) - at(x, y - 1)) * scale);
            let light = (1.0 + dx + dy) / (1.0 + dx * dx + dy * dy).sqrt();
            let shade = (0.15 + 0.85 * light).clamp(0.2, 1.3);
            let water = world.water()[cell] != Water::None;
            let tint = tint(world, cell);
            if water { tint } else { tint.map(|c| (c * shade).clamp(0.0, 1.0)) }
        }
        1 => ramp((world.temperature_c()[cell] + 20.0) / 50.0),
        2 => ramp(world.humidity()[cell]),
        _ => {
            let v = world.vegetation()[cell];
            if world.water()[cell] == Water::None {
                [0.9 - 0.9 * v, 0.9 - 0.5 * v, 0.7 - 0.6 * v]
            } else {
                [0.1, 0.15, 0.3]
            }
        }
    }
}

fn ramp(t: f32) -> [f32; 3] {
    let c = colorgrad::Gradient::at(&colorgrad::preset::viridis(), t.clamp(0.0, 1.0));
    [c.r, c.g, c.b]
}

fn tint(world: &World, cell: IVec2) -> [f32; 3] {
    let c: [u8; 3] = match world.biome()[cell] {
        Biome::DeepSea => [38, 68, 120],
        Biome::ShallowSea => [66, 110, 160],
        Biome::Lake => [80, 135, 190],
        Biome::River => [70, 125, 185],
        Biome::Coast => [222, 208, 160],
        Biome::Wetland => [110, 145, 115],
        Biome::Desert => [225, 195, 140],
        Biome::Savanna => [190, 185, 100],
        Biome::Grassland => [160, 185, 105],
        Biome::Woodland => [85, 135, 70],
        Biome::TemperateRainforest => [45, 105, 75],
        Biome::TropicalRainforest => [25, 100, 45],
        Biome::Boreal => [75, 115, 95],
        Biome::Tundra => [165, 165, 140],
        Biome::Alpine => [150, 142, 135],
        Biome::Ice => [240, 245, 250],
        _ => [255, 0, 255],
    };
    c.map(|c| f32::from(c) / 255.0)
}
