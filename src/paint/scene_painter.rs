//! The painter: a part of a scene, at a zoom, with the visibility gradient over it.

use glam::{IVec2, ivec2};
use rayon::prelude::*;

use super::colour::{Colour, grey, mix, pixel, scale};
use super::land::{self, CellLook, DAMP};
use super::pattern::{LEAST_SIDE, Trees, hatched, woven};
use super::ramp::{self, LayerRamp, Table};
use super::{Picture, sprite};
use crate::perception::{CellMemory, Sense};
use crate::scene::{Layer, Scene};
use crate::{CellRect, Grid};

/// What part of a scene is painted, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintOptions {
    /// The cells; what lies off the map is left empty.
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
const UNKNOWN: Colour = [37.0, 34.0, 52.0];
const UNKNOWN_WEAVE: Colour = [50.0, 46.0, 68.0];
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
    fn stride(self) -> i32 {
        match self {
            Self::PixelsPerCell(_) => 1,
            Self::CellsPerPixel(cells) => cells.max(1) as i32,
        }
    }

    /// Size in pixels of a picture of so many cells.
    pub fn picture_size(self, cells: IVec2) -> IVec2 {
        let stride = self.stride();
        (cells.max(IVec2::ZERO) + stride - 1) / stride * self.side() as i32
    }
}

/// Paints a part of a scene.
pub fn paint(scene: &Scene, options: &PaintOptions) -> Picture {
    let mut picture = paint_ground(scene, options);
    if options.backdrop == Backdrop::Land || options.zoom.stride() == 1 {
        sprite::paint_creatures(&mut picture, scene, options);
    }
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
    ground: Colour,
    tree: Colour,
    damp: Colour,
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
                scene.layer(layer, options.frame).ok().map(|values| (values, ramp::of_layer(layer, ramp)))
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
        let columns = (frame.width() as i32 + stride - 1) / stride;
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
        let ground = pixel(drawn.ground);
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
        let tree = pixel(drawn.tree);
        for (out, &is_tree) in span.chunks_exact_mut(4).zip(self.trees.row(cell, drawn.trees, sub)) {
            if is_tree {
                out.copy_from_slice(&tree);
            }
        }
        if drawn.hatch > 0 && self.side >= LEAST_SIDE {
            let damp = pixel(drawn.damp);
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
            if self.scene.sense(cell + step) >= drawn.sense {
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
        if !CellRect::of_size(scene.size()).contains(cell) {
            return None;
        }
        let sense = scene.sense(cell);
        if let Some((values, ramp)) = &self.layer {
            let offset = cell - self.options.frame.min.max(IVec2::ZERO);
            let colour = values.get(offset).map_or(VOID, |&value| ramp.at(value));
            return Some(Drawn { ground: colour, sense, ..PLAIN });
        }
        let perceived = scene.perceived(cell);
        let known =
            self.options.unseen == Unseen::Mapped || sense > Sense::Hidden || scene.memory(cell) != CellMemory::Hidden;
        if !known {
            return Some(Drawn { ground: UNKNOWN, known: false, ..PLAIN });
        }
        let look = land::look(scene, &scene.preset().paint, cell);
        Some(self.lit(&look, perceived, sense))
    }

    fn lit(&self, look: &CellLook, perceived: f32, sense: Sense) -> Drawn {
        let light = |colour| self.light(colour, perceived);
        let mut ground = look.ground;
        if look.damp > 0 && self.side < LEAST_SIDE {
            ground = mix(ground, DAMP, 0.09 * f32::from(look.damp)); // too small for hatching
        }
        Drawn {
            ground: light(ground),
            tree: light(look.tree),
            damp: light(mix(look.ground, DAMP, 0.7)),
            trees: look.trees,
            hatch: look.damp,
            known: true,
            sense,
        }
    }

    /// A colour of the land as it is perceived: from muted at 0 to its own at 1.
    #[inline]
    fn light(&self, colour: Colour, perceived: f32) -> Colour {
        let muted = mix([12.0, 14.0, 24.0], mix(colour, grey(colour), 0.65), 0.46);
        if perceived <= 0.0 {
            return muted;
        }
        match &self.ramp {
            None => {
                let dusk = mix([0.62, 0.70, 0.92], [1.04, 1.02, 0.97], perceived); // dim is bluish, full is warm
                let full = [0, 1, 2].map(|i| colour[i] * dusk[i]);
                mix(muted, full, perceived.sqrt())
            }
            Some(ramp) => {
                let relief = 0.55 + 0.45 * grey(colour)[0] / 170.0;
                mix(muted, scale(ramp.at(perceived), relief), (perceived * 8.0).min(1.0) * 0.85)
            }
        }
    }
}

const PLAIN: Drawn =
    Drawn { ground: VOID, tree: VOID, damp: VOID, trees: 0, hatch: 0, known: true, sense: Sense::Hidden };
