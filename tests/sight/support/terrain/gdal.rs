//! Viewsheds by the program `gdal_viewshed`.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use farsight::Job;
use farsight::glam::IVec2;
use farsight::grid::Grid;
use farsight::viewshed::Surface;
use farsight_scene::world::{World, WorldConfig};

use super::fractal;

/// A terrain and a viewer.
pub struct Case {
    pub name: String,
    pub ground: Grid<f32>,
    pub cell_size: f64,
    pub viewer: IVec2,
}

/// Height of the eye over the ground, in metres.
pub const EYE_M: f64 = 1.7;

/// The curvature coefficient, with refraction.
pub const CURVATURE: f64 = 0.85714;

/// The radius, in cells.
pub const RADIUS: u32 = 512;

/// The side of the terrains, in cells: the radius to each side of the middle.
pub const SIDE: usize = 2 * RADIUS as usize + 1;

impl Case {
    /// Returns the ground as a bare, curved surface with a hard edge.
    pub fn surface(&self) -> Surface<'_> {
        Surface::of(&self.ground, self.cell_size).with_eye_height(EYE_M).with_curvature(CURVATURE)
    }

    /// Returns the ground as GDAL 3.6 treats it: the viewer's neighbours in the rows above and below are at least as high as
    /// the viewer's ground. (Its planes start one ring farther out there. From a peak this hides lower ground.)
    pub fn with_raised_neighbours(&self) -> Self {
        let mut ground = self.ground.clone();
        let level = ground[self.viewer];
        for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)] {
            let neighbour = &mut ground[self.viewer + IVec2::new(x, y)];
            *neighbour = neighbour.max(level);
        }
        Self { name: self.name.clone(), ground, ..*self }
    }

    /// Returns the cells in range except the viewer's.
    pub fn cells(&self) -> impl Iterator<Item = IVec2> {
        let (viewer, reach) = (self.viewer, (RADIUS as i32).pow(2));
        let in_range = move |cell: &IVec2| (1..=reach).contains(&(*cell - viewer).length_squared());
        self.ground.iter().map(|(cell, _)| cell).filter(in_range)
    }
}

/// Returns generated worlds of some seeds, with viewers in the middle and on the highest ground near it.
pub fn worlds(seeds: &[u64]) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for &seed in seeds {
        let config = WorldConfig::default().with_seed(seed).with_width(SIDE as u32).with_height(SIDE as u32);
        let world = World::generate(&config, Job::none())?;
        cases.extend(from_two_viewers(format!("world {seed}"), world.ground_m().clone(), config.cell_size_m));
    }
    Ok(cases)
}

/// Returns fractal ground for each (seed, roughness, height), with the same viewers.
pub fn fractals(kinds: &[(u32, f32, f32)]) -> Vec<Case> {
    let make = |&(seed, roughness, height): &(u32, f32, f32)| {
        let name = format!("fractal {seed}, roughness {roughness}, {height} m");
        from_two_viewers(name, fractal(SIDE, seed, roughness, height), 30.0)
    };
    kinds.iter().flat_map(make).collect()
}

fn from_two_viewers(name: String, ground: Grid<f32>, cell_size: f64) -> [Case; 2] {
    let middle = ground.size() / 2;
    let near = |cell: IVec2| (cell - middle).abs().max_element() <= 60;
    let highest = ground.iter().filter(|(cell, _)| near(*cell)).max_by(|a, b| a.1.total_cmp(b.1));
    let top = highest.map_or(middle, |(cell, _)| cell);
    let case = |place, ground, viewer| Case { name: format!("{name}, {place}"), ground, cell_size, viewer };
    [case("middle", ground.clone(), middle), case("top", ground, top)]
}

/// Returns the model of `NAME.f32` and `NAME.txt`, as `benches/gdal_viewshed/real_models.py` writes them, with the same viewers.
pub fn model(path: &Path) -> Result<[Case; 2], Box<dyn Error>> {
    let about = std::fs::read_to_string(path.with_extension("txt"))?;
    let numbers: Vec<f64> = about.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let [width, height, cell_size] = numbers[..] else { return Err("expected columns, rows and side".into()) };
    let bytes = std::fs::read(path)?;
    let heights = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let ground = Grid::from_vec(width as usize, height as usize, heights)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(from_two_viewers(name, ground, cell_size))
}

/// Returns the viewshed by `gdal_viewshed`, which reads and writes files in `folder`.
pub fn viewshed(case: &Case, folder: &Path) -> Result<Grid<bool>, Box<dyn Error>> {
    let seen = run(case, EYE_M, &["-tz", "0"], 1, folder)?;
    Ok(seen.map(|bytes| bytes[0] == 255))
}

/// Returns the least elevation of a visible target on every cell by `gdal_viewshed`, at least 0, for an eye at `eye_m` over the
/// ground of the case; 0 or −1 out of range.
pub fn least_elevations(case: &Case, eye_m: f64, folder: &Path) -> Result<Grid<f64>, Box<dyn Error>> {
    let elevations = run(case, eye_m, &["-om", "DEM", "-ov", "-1"], 8, folder)?;
    Ok(elevations.map(|bytes| f64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))))
}

/// Runs `gdal_viewshed`, whose output has some bytes a cell; zeros out of range.
fn run(
    case: &Case,
    eye_m: f64,
    flags: &[&str],
    bytes_per_cell: usize,
    folder: &Path,
) -> Result<Grid<Vec<u8>>, Box<dyn Error>> {
    let cell = case.cell_size;
    let bytes: Vec<u8> = case.ground.as_slice().iter().flat_map(|height| height.to_le_bytes()).collect();
    std::fs::write(folder.join("ground.img"), bytes)?;
    std::fs::write(
        folder.join("ground.hdr"),
        format!(
            "ENVI\nsamples = {SIDE}\nlines = {SIDE}\nbands = 1\nheader offset = 0\nfile type = ENVI Standard\n\
             data type = 4\ninterleave = bsq\nbyte order = 0\n\
             map info = {{UTM, 1, 1, 500000, 5000000, {cell}, {cell}, 32, North, WGS-84}}\n"
        ),
    )?;
    let place = (case.viewer.as_dvec2() + 0.5) * cell;
    let output = Command::new("gdal_viewshed")
        .current_dir(folder)
        .args(["-q", "-f", "ENVI"])
        .args(flags)
        .args(["-oz", &eye_m.to_string(), "-cc", &CURVATURE.to_string()])
        .args(["-md", &(f64::from(RADIUS) * cell).to_string()])
        .args(["-ox", &(500_000.0 + place.x).to_string(), "-oy", &(5_000_000.0 - place.y).to_string()])
        .args(["ground.img", "seen.img"])
        .output()
        .map_err(|error| format!("gdal_viewshed does not run: {error}. Install gdal-bin (Debian)"))?;
    if !output.status.success() {
        return Err(format!("gdal_viewshed failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    // The output is the part of the raster within the distance.
    let seen = std::fs::read(folder.join("seen.img"))?;
    let low = (case.viewer - RADIUS as i32).max(IVec2::ZERO);
    let high = (case.viewer + RADIUS as i32 + 1).min(case.ground.size());
    let part = high - low;
    if seen.len() != (part.x * part.y) as usize * bytes_per_cell {
        return Err(format!("gdal_viewshed wrote {} cells, not {}x{}", seen.len(), part.x, part.y).into());
    }
    let inside = |cell: IVec2| cell.cmpge(low).all() && cell.cmplt(high).all();
    Ok(Grid::from_fn(SIDE, SIDE, |cell| {
        if !inside(cell) {
            return vec![0; bytes_per_cell];
        }
        let at = ((cell.y - low.y) * part.x + cell.x - low.x) as usize * bytes_per_cell;
        seen[at..at + bytes_per_cell].to_vec()
    }))
}
