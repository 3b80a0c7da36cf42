//! The output of `export --map` against a straightforward implementation of the published formulas in `f64` that
//! shares no line with the library.

use super::{Folder, npy, npy_values};

const WIDTH: usize = 23;
const HEIGHT: usize = 17;

/// Opacities of all kinds: clear cells, walls, and all between.
fn opacities() -> Vec<f64> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    (0..WIDTH * HEIGHT)
        .map(|_| match random() {
            kind if kind < 0.4 => 0.0,
            kind if kind < 0.5 => 1.0,
            _ => random(),
        })
        .collect()
}

struct Case {
    viewer: (i32, i32),
    radius: i32,
    projection: bool,
    per_length: bool,
    decay: fn(f64, f64) -> f64,
}

/// Visibility of every cell: ring by ring around the viewer, each cell from its parents one ring nearer.
fn visibility(opacity: &[f64], case: &Case) -> Vec<f64> {
    let at = |x: i32, y: i32| (y * WIDTH as i32 + x) as usize;
    let mut raw = vec![0.0; WIDTH * HEIGHT];
    let mut seen = vec![0.0; WIDTH * HEIGHT];
    let (vx, vy) = case.viewer;
    let mut cells: Vec<(i32, i32)> =
        (0..HEIGHT as i32).flat_map(|y| (0..WIDTH as i32).map(move |x| (x - vx, y - vy))).collect();
    cells.sort_by_key(|(dx, dy)| dx.abs().max(dy.abs()));
    for (dx, dy) in cells {
        let here = at(vx + dx, vy + dy);
        let (long, short) = (f64::from(dx.abs().max(dy.abs())), f64::from(dx.abs().min(dy.abs())));
        let r = (long * long + short * short).sqrt();
        let through = |x: i32, y: i32, raw: &[f64]| {
            if (x, y) == (vx, vy) { 1.0 } else { raw[at(x, y)] * (1.0 - opacity[at(x, y)]) }
        };
        raw[here] = if long == 0.0 {
            1.0
        } else {
            let straight = if dx.abs() >= dy.abs() { (dx.signum(), 0) } else { (0, dy.signum()) };
            let a = if short == long {
                0.0
            } else if short == 0.0 {
                1.0
            } else if case.projection {
                long / r
            } else {
                1.0 - short / long
            };
            let (x, y) = (vx + dx, vy + dy);
            a * through(x - straight.0, y - straight.1, &raw)
                + (1.0 - a) * through(x - dx.signum(), y - dy.signum(), &raw)
        };
        if dx * dx + dy * dy <= case.radius * case.radius {
            let mut value: f64 = raw[here];
            if case.per_length && long > 0.0 {
                value = value.powf(1.0 + (r / long - 1.0) * (long - 1.0) / long);
            }
            seen[here] = value * (case.decay)(r, f64::from(case.radius));
        }
    }
    seen
}

/// Every kind of decay with its default parameters (reach R + 1, half R/2, near 0), and the flags that ask for it.
type Decay = (&'static str, fn(f64, f64) -> f64);
const DECAYS: [Decay; 9] = [
    ("", |_, _| 1.0),
    ("--decay none", |_, _| 1.0),
    ("--decay linear", |d, radius| (1.0 - d / (radius + 1.0)).max(0.0)),
    ("--decay smooth", |d, radius| (1.0 - (d / (radius + 1.0)).powi(2)).max(0.0).powi(2)),
    ("--decay inverse-square", |d, radius| 1.0 / (1.0 + (2.0 * d / radius).powi(2))),
    ("--decay exponential", |d, radius| 0.5f64.powf(2.0 * d / radius)),
    ("--decay lamp", |d, radius| {
        (1.0 - (d / (radius + 1.0)).powi(4)).clamp(0.0, 1.0).powi(2) / (1.0 + (2.0 * d / radius).powi(2))
    }),
    ("--decay fuzzy --set sight.decay.near=3", |d, radius| 1.0 / (1.0 + (2.0 * (d - 3.0).max(0.0) / radius).powi(2))),
    ("--decay points --set sight.decay.points=[[2,1],[6,0.25]]", |d, _| match d {
        near if near <= 2.0 => 1.0,
        far if far >= 6.0 => 0.25,
        between => 1.0 - 0.75 * (between - 2.0) / 4.0,
    }),
];

#[test]
fn values_match_the_formulas_for_all_weights_path_rules_and_decays() {
    let folder = Folder::new();
    let opacity = opacities();
    folder.write("m.npy", npy(WIDTH, HEIGHT, &opacity));
    let places = [((11, 8), 9), ((0, 0), 30), ((22, 3), 14)];
    for (weights, projection) in [("linear", false), ("projection", true)] {
        for (path, per_length) in [("per-cell", false), ("per-length", true)] {
            for (i, (flags, decay)) in DECAYS.into_iter().enumerate() {
                let (viewer, radius) = places[i % places.len()];
                let case = Case { viewer, radius, projection, per_length, decay };
                folder.done(&format!(
                    "export -q --map m.npy --at {},{} --radius {radius} --weights {weights} --path-rule {path} {flags} -o v.npy",
                    viewer.0, viewer.1
                ));
                let found = npy_values(&folder.read("v.npy"), WIDTH, HEIGHT);
                let expected = visibility(&opacity, &case);
                assert!(expected.iter().filter(|value| **value > 0.0).count() > 60, "there is something to compare");
                for (cell, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let (x, y) = (cell % WIDTH, cell / WIDTH);
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off <= 1e-5, "{weights} {path} {flags}: {x},{y} is {found}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn a_bare_map_is_the_bare_kernel() {
    let folder = Folder::new();
    folder.write("m.npy", npy(WIDTH, HEIGHT, &opacities()));
    folder.done("export -q --map m.npy --at 5,5 -o bare.npy");
    folder.done(
        "export -q --map m.npy --at 5,5 --radius 32 --method two-parent --weights linear --path-rule per-cell \
         --decay none -o spelt.npy",
    );
    assert_eq!(folder.read("bare.npy"), folder.read("spelt.npy"));
    // A preset that is asked for brings its decay along.
    folder.done("export -q --preset temperate --map m.npy --at 5,5 -o preset.npy");
    assert_ne!(folder.read("bare.npy"), folder.read("preset.npy"));
}
