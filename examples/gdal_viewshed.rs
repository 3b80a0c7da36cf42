//! Viewsheds compared with GDAL's: the same bare ground, eye, curvature and radius (512 cells), with a hard edge.
//!
//! `cargo run --release --no-default-features --features preset --example gdal_viewshed`
//!
//! prints a row for every terrain and viewer: the number of cells on which GDAL and each grade differ from the exact line of
//! sight, the agreement of each grade with GDAL, and the time of a viewshed. GDAL 3.6 treats six of the viewer's neighbours as at least as high as the viewer's ground, which from a peak hides
//! much; so agreement is also printed for ground where they are. Needs `gdal_viewshed` (Debian: gdal-bin). GDAL's time is that
//! of its ViewshedGenerate on a raster in memory, called from /usr/bin/python3 with python3-gdal if it is installed.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use farsight::Job;
use farsight::grid::Grid;
use farsight::sight::{Method, SightConfig};
use farsight::viewshed::Viewshed;
use terrain_support::gdal::{self, Case, RADIUS};

#[path = "../tests/sight/support/terrain/mod.rs"]
mod terrain_support;

/// Seconds for which each grade is repeated.
const SECONDS: f64 = 0.4;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("farsight-gdal-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = compare(&folder);
    std::fs::remove_dir_all(&folder)?;
    result
}

/// The methods that are compared.
const NAMES: [&str; 3] = ["GDAL", "reference plane", "radial"];

fn compare(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut cases = gdal::worlds(&[1, 2, 3])?;
    cases.extend(gdal::fractals(&[(1, 0.5, 600.0), (3, 0.45, 800.0), (4, 0.55, 400.0), (5, 0.4, 1500.0)]));
    writeln!(
        out,
        "| terrain, viewer | cells | visible | wrong: GDAL | reference plane | radial | as GDAL: reference plane | radial | neighbours raised: reference plane | radial | ms: GDAL | reference plane | radial |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")?;
    let mut totals = TableRow::default();
    let mut margins: [Vec<f32>; 2] = Default::default();
    for case in &cases {
        let by_gdal = gdal::viewshed(case, folder)?;
        let exact = slope_margins(case, Method::Exact)?;
        let grades = [slope_margins(case, Method::TwoParent)?, slope_margins(case, Method::Beam)?];
        let raised = case.with_raised_neighbours();
        let on_raised = [slope_margins(&raised, Method::TwoParent)?, slope_margins(&raised, Method::Beam)?];
        let mut row = TableRow {
            least: [gdal_time(case, folder), time(case, Method::TwoParent)?, time(case, Method::Beam)?],
            ..TableRow::default()
        };
        for cell in case.cells() {
            row.cells += 1;
            row.seen += usize::from(exact[cell] >= 0.0);
            for (wrong, seen) in
                row.wrong.iter_mut().zip([by_gdal[cell], grades[0][cell] >= 0.0, grades[1][cell] >= 0.0])
            {
                *wrong += usize::from(seen != (exact[cell] >= 0.0));
            }
            for (differs, seen) in row.differs.iter_mut().zip(grades.iter().chain(&on_raised)) {
                *differs += usize::from((seen[cell] >= 0.0) != by_gdal[cell]);
            }
            for (margins, seen) in margins.iter_mut().zip(&on_raised) {
                if (seen[cell] >= 0.0) != by_gdal[cell] && seen[cell].is_finite() {
                    margins.push(seen[cell].abs());
                }
            }
        }
        row.write(&mut out, &case.name)?;
        totals.add(&row);
    }
    totals.least = totals.least.map(|ms| ms / cases.len() as f64);
    totals.write(&mut out, "all")?;
    for (name, margins) in NAMES[1..].iter().zip(&mut margins) {
        margins.sort_unstable_by(f32::total_cmp);
        let [half, most, all] = [0.5, 0.99, 1.0]
            .map(|share| margins.get((share * (margins.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0));
        writeln!(
            out,
            "\nNeighbours raised, where {name} and GDAL differ the slope margin is at most {half:.5} in half of the cells, {most:.5} in 99 % and {all:.5} in all {}.",
            margins.len()
        )?;
    }
    writeln!(
        out,
        "\nTimes: the least of the calls within {SECONDS} s, one thread; {} in the same run.",
        NAMES.join(", ")
    )?;
    Ok(())
}

#[derive(Default)]
struct TableRow {
    cells: usize,
    seen: usize,
    wrong: [usize; 3],
    differs: [usize; 4],
    least: [f64; 3],
}

impl TableRow {
    fn add(&mut self, other: &Self) {
        self.cells += other.cells;
        self.seen += other.seen;
        self.wrong.iter_mut().zip(other.wrong).for_each(|(sum, part)| *sum += part);
        self.differs.iter_mut().zip(other.differs).for_each(|(sum, part)| *sum += part);
        self.least.iter_mut().zip(other.least).for_each(|(sum, part)| *sum += part);
    }

    fn write(&self, out: &mut impl Write, name: &str) -> std::io::Result<()> {
        let share = |part: usize| 100.0 * part as f64 / self.cells as f64;
        let [wrong, agree] = [
            self.wrong.map(|n| n.to_string()).join(" | "),
            self.differs.map(|n| format!("{:.2} %", 100.0 - share(n))).join(" | "),
        ];
        let times = self.least.map(|ms| format!("{ms:.3}")).join(" | ");
        writeln!(out, "| {name} | {} | {:.1} % | {wrong} | {agree} | {times} |", self.cells, share(self.seen))
    }
}

/// Returns the slope margin of every cell; infinite next to the viewer.
fn slope_margins(case: &Case, method: Method) -> Result<Grid<f32>, Box<dyn Error>> {
    let mut viewshed = Viewshed::new(SightConfig::default().with_radius(RADIUS).with_method(method))?;
    let clearance = viewshed.clearance(&case.surface(), case.viewer, Job::quiet())?;
    Ok(Grid::from_fn(gdal::SIDE, gdal::SIDE, |cell| clearance.slope_margin(cell).unwrap_or(f32::INFINITY)))
}

fn time(case: &Case, method: Method) -> Result<f64, Box<dyn Error>> {
    let mut viewshed = Viewshed::new(SightConfig::default().with_radius(RADIUS).with_method(method))?;
    let surface = case.surface();
    let mut least = f64::INFINITY;
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < SECONDS {
        let start = Instant::now();
        std::hint::black_box(viewshed.compute(&surface, case.viewer, Job::quiet())?);
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(least)
}

/// Returns the milliseconds of one call in a process that has the ground in memory; NaN without python3-gdal.
fn gdal_time(case: &Case, folder: &Path) -> f64 {
    let script = format!(
        "import time\nfrom osgeo import gdal\ngdal.UseExceptions()\n\
         source = gdal.GetDriverByName('MEM').CreateCopy('', gdal.Open('ground.img'))\n\
         g, band, least = source.GetGeoTransform(), source.GetRasterBand(1), 1e9\n\
         x, y = g[0] + {} * g[1], g[3] + {} * g[5]\n\
         end = time.perf_counter() + {SECONDS}\n\
         while time.perf_counter() < end:\n    start = time.perf_counter()\n    \
         gdal.ViewshedGenerate(band, 'MEM', '', [], x, y, {}, 0, 255, 0, 0, -1, {}, gdal.GVM_Edge, {} * g[1])\n    \
         least = min(least, time.perf_counter() - start)\nprint(least * 1e3)\n",
        f64::from(case.viewer.x) + 0.5,
        f64::from(case.viewer.y) + 0.5,
        gdal::EYE_M,
        gdal::CURVATURE,
        RADIUS
    );
    let asked = Command::new("/usr/bin/python3").current_dir(folder).args(["-c", &script]).output();
    let answer = asked.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    answer.and_then(|text| text.trim().parse().ok()).unwrap_or(f64::NAN)
}
