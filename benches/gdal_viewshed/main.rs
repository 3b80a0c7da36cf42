//! Viewsheds compared with those of GDAL and GRASS: the same bare ground, eye, curvature and radius (512 cells), with a hard edge.
//!
//! `cargo bench -p benches --bench gdal_viewshed -- [--gdal LIBRARY] [--grass] [MODEL.f32 ...]`
//!
//! prints one row per terrain and viewer: the wrong cells and the time of each other program and of each method here. A cell is
//! wrong if a line of sight that shares no code with the crate disagrees. `--gdal` names the file of a library; the default is
//! that of Debian's gdal-bin. The wheels of PyPI carry newer ones, in `pyogrio.libs` and `rasterio.libs`. `--grass` runs
//! `r.viewshed` of the installed GRASS. `real_models.py` writes the models. Needs python3, which calls the libraries on a raster
//! in memory (`viewshed_by_gdal.py`), and GRASS on its files (`viewshed_by_grass.py`).

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::Grid;
use farsight::sight::{MethodKind, SightConfig};
use farsight::viewshed::Viewshed;
use rayon::prelude::*;
use terrain_support::gdal::{self, Case, RADIUS};
use terrain_support::tracer;

#[path = "../../tests/sight/support/terrain/mod.rs"]
mod terrain_support;

/// Seconds for which each grade is repeated.
const SECONDS: f64 = 0.4;

/// Debian's library.
const DEBIAN: &str = "libgdal.so.32";

/// Metres above or below the horizon within which rounding decides.
const TIE_M: f64 = 1e-6;

const METHODS: [MethodKind; 2] = [MethodKind::TwoParent, MethodKind::Exact];

fn main() -> Result<(), Box<dyn Error>> {
    let mut programs = Vec::new();
    let mut models = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--gdal" => programs.push(Program::Gdal { library: arguments.next().ok_or("--gdal needs a library")? }),
            "--grass" => programs.push(Program::Grass),
            "--bench" => {} // from cargo
            _ => models.push(argument),
        }
    }
    if programs.is_empty() {
        programs.push(Program::Gdal { library: DEBIAN.to_owned() });
    }
    let folder = std::env::temp_dir().join(format!("farsight-gdal-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = compare(&folder, &programs, &models);
    std::fs::remove_dir_all(&folder)?;
    result
}

fn compare(folder: &Path, programs: &[Program], models: &[String]) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut cases = gdal::worlds(&[1, 2, 3, 4])?;
    cases.extend(gdal::fractals(&[
        (1, 0.5, 600.0),
        (2, 0.6, 300.0),
        (3, 0.45, 800.0),
        (4, 0.55, 400.0),
        (5, 0.4, 1500.0),
        (6, 0.5, 120.0),
    ]));
    for model in models {
        cases.extend(gdal::model(Path::new(model))?);
    }
    let mut totals = TableRow::default();
    // The viewer in the middle of one model, and on top of the next.
    let cases: Vec<Case> =
        cases.into_iter().enumerate().filter(|(i, _)| (i / 2 + i) % 2 == 0).map(|(_, case)| case).collect();
    for (i, case) in cases.iter().enumerate() {
        let tried = programs.iter().map(|program| program.run(case, folder)).collect::<Result<Vec<_>, _>>()?;
        if i == 0 {
            let names: Vec<String> = tried.iter().map(|tried| tried.name.clone()).collect();
            let names = [names, ["plane", "exact"].map(str::to_owned).to_vec()].concat();
            let (wrong, ms) = (names.join(" | wrong: "), names.join(" | ms: "));
            writeln!(out, "| terrain, viewer | cells | seen | wrong: {wrong} | ms: {ms} |")?;
            writeln!(out, "|---|{}", "--:|".repeat(2 + 2 * names.len()))?;
        }
        let (mut grades, mut times) = (Vec::new(), Vec::new());
        for method in METHODS {
            let (seen, ms) = by_farsight(case, method)?;
            grades.push(seen);
            times.push(ms);
        }
        let answers: Vec<&Grid<bool>> = tried.iter().map(|tried| &tried.seen).chain(&grades).collect();
        let cells: Vec<IVec2> = case.cells().collect();
        let clearances: Vec<f64> =
            cells.par_iter().map(|&cell| tracer::clearance(&case.surface(), case.viewer, cell)).collect();
        let mut row = TableRow {
            wrong: vec![0; answers.len()],
            least: tried.iter().map(|tried| tried.ms).chain(times).collect(),
            ..TableRow::default()
        };
        for (&cell, &clearance) in cells.iter().zip(&clearances).filter(|(_, clearance)| clearance.abs() > TIE_M) {
            row.cells += 1;
            row.seen += usize::from(clearance > 0.0);
            for (wrong, answer) in row.wrong.iter_mut().zip(&answers) {
                *wrong += usize::from(answer[cell] != (clearance > 0.0));
            }
        }
        row.ties = cells.len() - row.cells;
        row.write(&mut out, &case.name)?;
        totals.add(&row);
    }
    totals.least.iter_mut().for_each(|ms| *ms /= cases.len() as f64);
    totals.write(&mut out, "all")?;
    writeln!(
        out,
        "\n{} cells within {TIE_M} m of the horizon are left out. Times: the mean over the terrains of the least of the calls within {SECONDS} s, one thread for all but the exact grade, which takes all.",
        totals.ties
    )?;
    Ok(())
}

#[derive(Default)]
struct TableRow {
    cells: usize,
    ties: usize,
    seen: usize,
    wrong: Vec<usize>,
    least: Vec<f64>,
}

impl TableRow {
    fn add(&mut self, other: &Self) {
        self.cells += other.cells;
        self.ties += other.ties;
        self.seen += other.seen;
        self.wrong.resize(other.wrong.len(), 0);
        self.least.resize(other.least.len(), 0.0);
        self.wrong.iter_mut().zip(&other.wrong).for_each(|(sum, part)| *sum += part);
        self.least.iter_mut().zip(&other.least).for_each(|(sum, part)| *sum += part);
    }

    fn write(&self, out: &mut impl Write, name: &str) -> std::io::Result<()> {
        let share = 100.0 * self.seen as f64 / self.cells as f64;
        let wrong: Vec<String> = self.wrong.iter().map(usize::to_string).collect();
        let times: Vec<String> = self.least.iter().map(|ms| format!("{ms:.2}")).collect();
        writeln!(out, "| {name} | {} | {share:.1} % | {} | {} |", self.cells, wrong.join(" | "), times.join(" | "))
    }
}

/// Another program that computes viewsheds.
enum Program {
    /// A library of GDAL.
    Gdal { library: String },
    /// The installed GRASS.
    Grass,
}

/// The answer of another program.
struct Answer {
    name: String,
    seen: Grid<bool>,
    ms: f64,
}

impl Program {
    fn run(&self, case: &Case, folder: &Path) -> Result<Answer, Box<dyn Error>> {
        let bytes: Vec<u8> = case.ground.as_slice().iter().flat_map(|height| height.to_le_bytes()).collect();
        std::fs::write(folder.join("ground.img"), bytes)?;
        let (size, viewer) = (case.ground.size(), case.viewer);
        let output = self
            .command()
            .args([size.x, size.y].map(|side| side.to_string()))
            .arg(case.cell_size.to_string())
            .args([viewer.x, viewer.y].map(|cell| cell.to_string()))
            .args([gdal::EYE_M, gdal::CURVATURE, RADIUS.into(), SECONDS].map(|number| number.to_string()))
            .current_dir(folder)
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let [version, columns, rows, ms] = words[..] else {
            return Err(format!("{}: {}", self.name(), String::from_utf8_lossy(&output.stderr)).into());
        };
        let name = format!("{} {version}", self.name());
        // The output is the part of the raster within the distance.
        let seen = std::fs::read(folder.join("seen.img"))?;
        let low = (viewer - RADIUS as i32).max(IVec2::ZERO);
        let high = (viewer + RADIUS as i32 + 1).min(size);
        let part: IVec2 = ivec2(columns.parse()?, rows.parse()?);
        if part != high - low {
            return Err(format!("{name} wrote {part} cells, not {}", high - low).into());
        }
        let inside = |cell: IVec2| cell.cmpge(low).all() && cell.cmplt(high).all();
        let seen = Grid::from_fn(size.x as usize, size.y as usize, |cell| {
            inside(cell) && seen[((cell.y - low.y) * part.x + cell.x - low.x) as usize] == 255
        });
        Ok(Answer { name, seen, ms: ms.parse()? })
    }

    /// Returns the command, to which the numbers of the case are added.
    fn command(&self) -> Command {
        match self {
            Self::Gdal { library } => {
                let mut command = Command::new("python3");
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/gdal_viewshed/viewshed_by_gdal.py")).arg(library);
                command
            }
            Self::Grass => {
                let mut command = Command::new("grass");
                command.args(["--tmp-location", "EPSG:32632", "--exec", "python3"]);
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/gdal_viewshed/viewshed_by_grass.py"));
                command
            }
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Gdal { .. } => "GDAL",
            Self::Grass => "GRASS",
        }
    }
}

/// Returns the viewshed and the milliseconds of the fastest of the calls within some seconds, at least one.
fn by_farsight(case: &Case, method: MethodKind) -> Result<(Grid<bool>, f64), Box<dyn Error>> {
    let mut viewshed = Viewshed::new(SightConfig::default().with_radius(RADIUS).with_method(method))?;
    let surface = case.surface();
    let mut least = f64::INFINITY;
    let begun = Instant::now();
    loop {
        let start = Instant::now();
        let view = std::hint::black_box(viewshed.compute(&surface, case.viewer, Job::none())?);
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        if begun.elapsed().as_secs_f64() >= SECONDS {
            let seen = Grid::from_fn(case.ground.width(), case.ground.height(), |cell| view.get(cell) > 0.5);
            return Ok((seen, least));
        }
    }
}
