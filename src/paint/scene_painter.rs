//! The painter: a part of a scene, at a zoom, with the visibility gradient over it.

use glam::{IVec2, ivec2};
use rayon::prelude::*;

use super::colour::{Colour, grey, mix, pixel, scale};
use super::land::{CellLook, DAMP};
use super::pattern::{LEAST_SIDE, Trees, hatched, woven};
use super::picture::Picture;
use super::ramp::{LayerRamp, Table};
use crate::grid::{CellRect, Grid};
use crate::paint::land;
use crate::paint::ramp;
use crate::paint::sprite;
use crate::perception::{CellMemory, Sense};
use crate::scene::{Layer, Scene};

/// What part of a scene is painted, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintOptions {
    /// The cells; what lies off the map is left empty, and so are cells without data.
    pub frame: CellRect,
    /// The size of a cell.
    pub zoom: Zoom,
    /// What lies below the visibility gradient.
    pub backdrop: Backdrop,
    /// What becomes of cells that are not in sight.
    pub unseen: Unseen,
}

/// The size of a cell in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// A cell is a square of so many pixels; at least 1.
    PixelsPerCell(u32),
    /// A pixel stands for a square of so many cells, of which one is drawn; at least 1.
    CellsPerPixel(u32),
}

/// What lies below the visibility gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Backdrop {
    /// The land, lit by visibility.
    #[default]
    Land,
    /// A field in its own colours, whole and unlit.
    Layer(Layer),
}

/// What becomes of cells that are not in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unseen {
    /// Those seen before are muted, others unknown.
    #[default]
    Remembered,
    /// All are muted, as on a map.
    Mapped,
}

impl Unseen {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Remembered, Self::Mapped];

    /// `remembered` or `mapped`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Remembered => "remembered",
            Self::Mapped => "mapped",
        }
    }
}

/// The void off the map.
const VOID: Colour = [8.0, 8.0, 12.0];
/// The unknown is dark and warm: all that is known and dim is cold, grey or green, in every ramp.
const UNKNOWN: Colour = [40.0, 22.0, 8.0];
const UNKNOWN_WEAVE: Colour = [56.0, 33.0, 14.0];
const IDENTIFY_LINE: Colour = [255.0, 222.0, 110.0];
const GLIMPSE_LINE: Colour = [176.0, 176.0, 255.0];

/// Cells smaller than this have no contour lines.
const LEAST_CONTOUR_SIDE: usize = 3;

impl Zoom {
    /// Side of a cell in pixels, at least 1.
    fn side(self) -> usize {
        match self {
            Self::PixelsPerCell(pixels) => pixels.max(1) as usize,
            Self::CellsPerPixel(_) => 1,
        }
    }

    /// Cells from one drawn cell to the next, at least 1.
    pub(super) fn stride(self) -> i32 {
        match self {
            Self::PixelsPerCell(_) => 1,
            Self::CellsPerPixel(cells) => cells.clamp(1, i32::MAX as u32) as i32,
        }
    }

    /// Pixels a cell, less than 1 where a pixel stands for several.
    pub(crate) fn pixels_per_cell(self) -> f64 {
        self.side() as f64 / f64::from(self.stride())
    }

    /// Size in pixels of a picture of so many cells.
    pub fn picture_size(self, cells: IVec2) -> IVec2 {
        let (stride, side) = (i64::from(self.stride()), self.side() as i64);
        let pixels = cells.to_array().map(|cells| (i64::from(cells.max(0)) + stride - 1) / stride * side);
        IVec2::from_array(pixels.map(|pixels| pixels.min(i64::from(i32::MAX)) as i32))
    }
}

/// Paints a part of a scene. Creatures are drawn on the land, and none on the values of a layer.
pub fn paint(scene: &Scene, options: &PaintOptions) -> Picture {
    let mut picture = paint_ground(scene, options);
    sprite::paint_lamps(&mut picture, scene, options);
    if options.backdrop == Backdrop::Land {
        sprite::paint_creatures(&mut picture, scene, options);
    }
    sprite::paint_lookouts(&mut picture, scene, options);
    sprite::paint_viewer(&mut picture, scene, options);
    picture
}

/// Paints a part of a scene without what stands on it: no viewer, no creatures. For those who draw these themselves,
/// as a terminal does with letters.
pub fn paint_ground(scene: &Scene, options: &PaintOptions) -> Picture {
    let size = options.zoom.picture_size(options.frame.size());
    let mut picture = Picture::new(size.x as usize, size.y as usize, VOID);
    let painter = Painter::new(scene, options);
    let side = options.zoom.side();
    picture.rows_mut(side).enumerate().for_each(|(row, pixels)| painter.paint_row(row as i32, pixels));
    picture
}

struct Painter<'a> {
    scene: &'a Scene,
    options: &'a PaintOptions,
    side: usize,
    trees: Trees,
    ramp: Option<Table>,
    layer: Option<(Grid<f32>, LayerRamp)>,
}

/// A cell, ready to be drawn.
#[derive(Clone, Copy)]
struct Drawn {
    ground: [u8; 4],
    tree: [u8; 4],
    damp: [u8; 4],
    trees: u8,
    hatch: u8,
    known: bool,
    sense: Sense,
}

impl<'a> Painter<'a> {
    fn new(scene: &'a Scene, options: &'a PaintOptions) -> Self {
        let ramp = scene.preset().paint.ramp;
        let layer = match options.backdrop {
            Backdrop::Land => None,
            Backdrop::Layer(layer) => {
                let world = scene.world().map(|world| &**world);
                scene.layer(layer, options.frame).ok().map(|values| (values, ramp::of_layer(layer, ramp, world)))
            }
        };
        let side = options.zoom.side();
        Self { scene, options, side, trees: Trees::new(side), ramp: ramp::of_visibility(ramp), layer }
    }

    /// Paints one row of cells into its rows of pixels.
    fn paint_row(&self, row: i32, pixels: &mut [u8]) {
        let stride = self.options.zoom.stride();
        let frame = self.options.frame;
        let y = frame.min.y + row * stride;
        let columns = (pixels.len() / (4 * self.side * self.side)) as i32;
        let width = columns as usize * self.side * 4;
        let cells: Vec<Option<Drawn>> = (0..columns).map(|i| self.drawn(ivec2(frame.min.x + i * stride, y))).collect();
        for (i, drawn) in cells.iter().enumerate() {
            let Some(drawn) = drawn else { continue };
            let cell = ivec2(frame.min.x + i as i32 * stride, y);
            for sub in 0..self.side {
                let start = sub * width + i * self.side * 4;
                self.paint_span(drawn, cell, sub, &mut pixels[start..start + self.side * 4]);
            }
            self.paint_contour(drawn, cell, |x, y| (y * width) + (i * self.side + x) * 4, pixels);
        }
    }

    #[inline]
    fn paint_span(&self, drawn: &Drawn, cell: IVec2, sub: usize, span: &mut [u8]) {
        let y = cell.y * self.side as i32 + sub as i32;
        let left = cell.x * self.side as i32;
        let Drawn { ground, tree, damp, .. } = *drawn;
        if !drawn.known {
            let weave = pixel(UNKNOWN_WEAVE);
            for (x, out) in span.chunks_exact_mut(4).enumerate() {
                let is_woven = self.side >= LEAST_SIDE && woven(left + x as i32, y);
                out.copy_from_slice(if is_woven { &weave } else { &ground });
            }
            return;
        }
        for out in span.chunks_exact_mut(4) {
            out.copy_from_slice(&ground);
        }
        for (out, &is_tree) in span.chunks_mut(4 * self.trees.scale()).zip(self.trees.row(cell, drawn.trees, sub)) {
            if is_tree {
                out.chunks_exact_mut(4).for_each(|out| out.copy_from_slice(&tree));
            }
        }
        if drawn.hatch > 0 {
            for (x, out) in span.chunks_exact_mut(4).enumerate() {
                if hatched(left + x as i32, y, drawn.hatch) {
                    out.copy_from_slice(&damp);
                }
            }
        }
    }

    /// Lines on the edges where a neighbour is made less of.
    fn paint_contour(&self, drawn: &Drawn, cell: IVec2, at: impl Fn(usize, usize) -> usize, pixels: &mut [u8]) {
        let wanted = self.scene.preset().paint.contours && self.layer.is_none() && self.side >= LEAST_CONTOUR_SIDE;
        if !wanted || drawn.sense == Sense::Hidden {
            return;
        }
        let (colour, last) = match drawn.sense {
            Sense::Identified => (pixel(IDENTIFY_LINE), self.side - 1),
            _ => (pixel(GLIMPSE_LINE), self.side - 1),
        };
        for (step, horizontal, edge) in
            [(ivec2(0, -1), true, 0), (ivec2(0, 1), true, last), (ivec2(-1, 0), false, 0), (ivec2(1, 0), false, last)]
        {
            let map = CellRect::of_size(self.scene.size());
            if !map.contains(cell + step) || self.scene.sense(cell + step) >= drawn.sense {
                continue;
            }
            for i in 0..self.side {
                let place = if horizontal { at(i, edge) } else { at(edge, i) };
                pixels[place..place + 4].copy_from_slice(&colour);
            }
        }
    }

    fn drawn(&self, cell: IVec2) -> Option<Drawn> {
        let scene = self.scene;
        if !scene.terrain().has_data(cell) {
            return None;
        }
        let sense = scene.sense(cell);
        if let Some((values, ramp)) = &self.layer {
            let offset = cell - self.options.frame.min.max(IVec2::ZERO);
            let colour = values.get(offset).filter(|value| !value.is_nan()).map_or(VOID, |&value| ramp.at(value));
            return Some(Drawn { ground: pixel(colour), sense, ..PLAIN });
        }
        let perceived = scene.perceived(cell);
        let known =
            self.options.unseen == Unseen::Mapped || sense > Sense::Hidden || scene.memory(cell) != CellMemory::Hidden;
        if !known {
            return Some(Drawn { ground: pixel(UNKNOWN), known: false, ..PLAIN });
        }
        let look = land::look(scene, &scene.preset().paint, cell);
        let hue = if self.ramp.is_none() { scene.hue(cell) } else { None };
        Some(self.lit(&look, perceived, hue, sense))
    }

    fn lit(&self, look: &CellLook, perceived: f32, hue: Option<[f32; 3]>, sense: Sense) -> Drawn {
        let light = |colour| pixel(self.light(colour, perceived, hue));
        let plain = Drawn { known: true, sense, ..PLAIN };
        if self.side < LEAST_SIDE {
            let damp = 0.09 * f32::from(look.damp); // too small for hatching
            return Drawn { ground: light(mix(look.ground, DAMP, damp)), ..plain };
        }
        Drawn {
            ground: light(look.ground),
            tree: if look.trees > 0 { light(look.tree) } else { PLAIN.tree },
            damp: if look.damp > 0 { light(mix(look.ground, DAMP, 0.7)) } else { PLAIN.damp },
            trees: look.trees,
            hatch: look.damp,
            ..plain
        }
    }

    /// A colour of the land as it is perceived: from muted at 0 to its own at 1, in the hue of the light on it. A ramp
    /// tells how much is perceived, and nothing else.
    #[inline]
    fn light(&self, colour: Colour, perceived: f32, hue: Option<[f32; 3]>) -> Colour {
        let muted = muted(colour);
        if perceived <= 0.0 {
            return muted;
        }
        match &self.ramp {
            None => {
                let dusk = mix([0.62, 0.70, 0.92], [1.04, 1.02, 0.97], perceived); // dim is bluish, full is warm
                let full = match hue {
                    None => [0, 1, 2].map(|i| colour[i] * dusk[i]),
                    Some(hue) => lamplit(colour, hue),
                };
                mix(muted, full, perceived.sqrt())
            }
            Some(ramp) => {
                let relief = 0.55 + 0.45 * grey(colour)[0] / 170.0;
                mix(muted, scale(ramp.at(perceived), relief), (perceived * 8.0).min(1.0) * 0.85)
            }
        }
    }
}

/// A colour of the land out of sight.
pub(super) fn muted(colour: Colour) -> Colour {
    mix([12.0, 14.0, 24.0], mix(colour, grey(colour), 0.65), 0.46)
}

/// A colour in coloured light: as light as before, as far as its channels allow.
fn lamplit(colour: Colour, hue: [f32; 3]) -> Colour {
    const MOST: f32 = 1.7;
    let tinted = [0, 1, 2].map(|i| colour[i] * hue[i]);
    let gain = grey(colour)[0] / grey(tinted)[0].max(1.0);
    scale(tinted, gain.min(MOST))
}

const PLAIN: Drawn =
    Drawn { ground: [0; 4], tree: [0; 4], damp: [0; 4], trees: 0, hatch: 0, known: true, sense: Sense::Hidden };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Preset, Ramp};
    use crate::sight::OpacityMap;

    /// CIELAB of an sRGB colour under D65 (CIE 15:2004).
    fn lab(colour: Colour) -> [f64; 3] {
        let [r, g, b] = colour.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Distance of two colours (CIE76); 2.3 is just noticeable.
    fn distance(a: Colour, b: Colour) -> f64 {
        let (a, b) = (lab(a), lab(b));
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    }

    /// Colours that land, water, woods, floors and walls come in.
    fn colours_of_the_land() -> Vec<Colour> {
        let sea = (-20..0).map(|step| ramp::elevation_tint(step as f32 * 50.0));
        let heights = (0..60).map(|step| ramp::elevation_tint(step as f32 * 50.0));
        let shaded = heights.flat_map(|tint| [0.45, 0.7, 1.0, 1.3].map(|shade| scale(tint, shade)));
        let trees = (-10..30).map(|celsius| land::tree_colour(celsius as f32));
        let woods = trees.flat_map(|tree| [scale(tree, 0.72), tree]);
        let other = [[66.0, 124.0, 180.0], [70.0, 128.0, 190.0], [204.0, 190.0, 160.0], [86.0, 84.0, 108.0]];
        sea.chain(shaded).chain(woods).chain(other).collect()
    }

    #[test]
    fn the_dark_and_the_unknown_never_look_alike() {
        let map = OpacityMap::clear(1, 1).expect("one cell");
        let options = PaintOptions {
            frame: CellRect::of_size(ivec2(1, 1)),
            zoom: Zoom::PixelsPerCell(8),
            backdrop: Backdrop::Land,
            unseen: Unseen::Remembered,
        };
        let mut nearest: Vec<(f64, Ramp, Colour, f32)> = Vec::new();
        for ramp in [Ramp::Daylight, Ramp::Green, Ramp::Cividis, Ramp::Viridis, Ramp::Inferno, Ramp::Grey] {
            let mut preset = Preset::default();
            preset.paint.ramp = ramp;
            let scene = Scene::on_map(preset, map.clone(), None, crate::job::Job::quiet()).expect("a scene");
            let painter = Painter::new(&scene, &options);
            let worst = colours_of_the_land()
                .into_iter()
                .flat_map(|land| {
                    [0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 0.75, 1.0].map(|perceived| (land, perceived))
                })
                .map(|(land, perceived)| {
                    let known = painter.light(land, perceived, None);
                    (distance(known, UNKNOWN).min(distance(known, UNKNOWN_WEAVE)), ramp, land, perceived)
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            nearest.extend(worst);
        }
        assert!(nearest.iter().all(|(distance, ..)| *distance > 12.0), "{nearest:#?}");
        assert!(distance(VOID, UNKNOWN) > 12.0);
    }
}
