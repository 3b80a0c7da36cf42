//! The states of land on a map, by visibility and memory, are distinguishable, also for deuteranopes.

use std::fmt::Write;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::perception::{CellMemory, Recognition};
use farsight_scene::paint::{PaintOptions, Picture, Unseen, Zoom, paint_ground};
use farsight_scene::preset::{DecayKind, Preset};
use farsight_scene::scene::Scene;

use super::generated;

/// The visibilities of the first states.
const VISIBILITIES: [f32; 4] = [1.0, 0.6, 0.25, 0.05];
const NAMES: [&str; 6] = ["1", "0.6", "0.25", "0.05", "seen before", "never seen"];
const SEEN_BEFORE: usize = 4;

/// The minimum difference of lightness between two states.
const LIGHTNESS_APART: f64 = 5.0;
/// The minimum difference of chroma between ink and colour.
const CHROMA_APART: f64 = 8.0;
/// The minimum ratio of the standard deviations of lightness of a textured and a smooth state.
const TEXTURE_FACTOR: f64 = 1.5;

/// Mean lightness, mean chroma and standard deviation of lightness in CIELAB.
#[derive(Clone, Copy, Debug)]
struct Appearance {
    lightness: f64,
    chroma: f64,
    texture: f64,
}

fn linear(channel: f64) -> f64 {
    if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

fn times(matrix: [[f64; 3]; 3], [r, g, b]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[x, y, z]| x * r + y * g + z * b)
}

/// Simulated deuteranopia: Machado, Oliveira and Fernandes 2009, severity 1, in linear light.
fn deuteranope(linear: [f64; 3]) -> [f64; 3] {
    const MATRIX: [[f64; 3]; 3] =
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
    times(MATRIX, linear).map(|channel| channel.clamp(0.0, 1.0))
}

/// Returns L*, a*, b* of a linear sRGB colour under D65.
fn lab(linear: [f64; 3]) -> [f64; 3] {
    const XYZ: [[f64; 3]; 3] =
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
    const WHITE: [f64; 3] = [0.95047, 1.0, 1.08883];
    let xyz = times(XYZ, linear);
    let f =
        |t: f64| if t > (6.0f64 / 29.0).powi(3) { t.cbrt() } else { t / (3.0 * (6.0f64 / 29.0).powi(2)) + 4.0 / 29.0 };
    let [x, y, z] = [0, 1, 2].map(|i| f(xyz[i] / WHITE[i]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn appearance(picture: &Picture, eyes: impl Fn([f64; 3]) -> [f64; 3]) -> Appearance {
    let pixels = picture.rgba().chunks_exact(4).map(|p| [p[0], p[1], p[2]].map(|c| linear(f64::from(c) / 255.0)));
    let colours: Vec<[f64; 3]> = pixels.map(|pixel| lab(eyes(pixel))).collect();
    let mean = |value: &dyn Fn(&[f64; 3]) -> f64| colours.iter().map(value).sum::<f64>() / colours.len() as f64;
    let lightness = mean(&|lab| lab[0]);
    let texture = mean(&|lab| (lab[0] - lightness).powi(2)).sqrt();
    Appearance { lightness, chroma: mean(&|lab| lab[1].hypot(lab[2])), texture }
}

/// The default preset, in which all land around the viewer has one visibility.
fn seen(visibility: f32) -> Scene {
    let mut preset = Preset::shipped_default();
    preset.optics = preset.optics.with_visual_range_m(f64::INFINITY).with_fog_visual_range_m(f64::INFINITY);
    preset.optics =
        preset.optics.with_vegetation_extinction_per_m(0.0).with_relief(farsight_scene::optics::Relief::None);
    preset.sight.decay.kind = DecayKind::Points;
    preset.sight.decay.points = vec![[0.5, f64::from(visibility)]];
    preset.sight.radius = 30;
    preset.perception.glimpse = 0.01;
    generated(preset)
}

/// The land around the viewer of the default preset.
fn patch(scene: &Scene) -> CellRect {
    CellRect::around(scene.viewer(), 10)
}

fn painted(scene: &Scene, patch: CellRect) -> Picture {
    paint_ground(scene, &PaintOptions::new(patch, Zoom::PixelsPerCell(11)).with_unseen(Unseen::Mapped))
}

/// The same land in each state.
fn states() -> Vec<Picture> {
    let mut pictures: Vec<Picture> = VISIBILITIES
        .iter()
        .map(|&visibility| {
            let scene = seen(visibility);
            for cell in patch(&scene).cells().filter(|&cell| cell != scene.viewer()) {
                assert!((scene.visibility(cell) - visibility).abs() < 1e-3, "{cell}: {}", scene.visibility(cell));
            }
            painted(&scene, patch(&scene))
        })
        .collect();
    let mut scene = seen(1.0);
    let patch = patch(&scene);
    let away = |start: IVec2| if start.x > scene.size().x / 2 { ivec2(35, start.y) } else { scene.size() - 35 };
    scene.place(away(scene.viewer())).unwrap();
    let state = |scene: &Scene, memory: CellMemory| {
        let is_so = |cell| scene.sense(cell) == Recognition::Hidden && scene.memory(cell) == memory;
        assert!(patch.cells().all(is_so), "{memory:?}");
        painted(scene, patch)
    };
    pictures.push(state(&scene, CellMemory::Seen));
    scene.forget();
    pictures.push(state(&scene, CellMemory::Hidden));
    pictures
}

/// The cues that tell two states apart.
fn cues(first: usize, second: usize, a: Appearance, b: Appearance, identify: f32) -> Vec<&'static str> {
    let mut cues = Vec::new();
    if (a.lightness - b.lightness).abs() >= LIGHTNESS_APART {
        cues.push("lightness");
    }
    if first < SEEN_BEFORE && second < SEEN_BEFORE && VISIBILITIES[first] >= identify && VISIBILITIES[second] < identify
    {
        cues.push("dashed line between them");
    }
    if first < SEEN_BEFORE && second >= SEEN_BEFORE && b.chroma <= a.chroma - CHROMA_APART {
        cues.push("ink instead of colour");
    }
    let (smooth, rough) = (a.texture.min(b.texture), a.texture.max(b.texture));
    if rough >= TEXTURE_FACTOR * smooth {
        cues.push("texture");
    }
    cues
}

#[test]
fn every_two_states_of_land_can_be_told_apart() {
    let pictures = states();
    let identify = Preset::shipped_default().perception.identify as f32;
    let mut report = String::new();
    let mut failures = Vec::new();
    for (eyes, see) in [("all cones", (|colour| colour) as fn([f64; 3]) -> [f64; 3]), ("no green cones", deuteranope)] {
        let looks: Vec<Appearance> = pictures.iter().map(|picture| appearance(picture, see)).collect();
        for (name, look) in NAMES.iter().zip(&looks) {
            let Appearance { lightness, chroma, texture } = look;
            writeln!(report, "{eyes:15} {name:12} L* {lightness:5.1}  C* {chroma:5.1}  sd {texture:4.1}").unwrap();
        }
        for (i, j) in (0..NAMES.len()).flat_map(|i| (i + 1..NAMES.len()).map(move |j| (i, j))) {
            let cues = cues(i, j, looks[i], looks[j], identify);
            let apart = (looks[i].lightness - looks[j].lightness).abs();
            let line = format!("{eyes:15} {:>12} / {:12} {apart:5.1} {}", NAMES[i], NAMES[j], cues.join(", "));
            writeln!(report, "{line}").unwrap();
            if cues.is_empty() {
                failures.push(line);
            }
        }
    }
    assert!(failures.is_empty(), "{}\n{report}", failures.join("\n"));
}
