//! [`paint`]: a part of a scene as a picture, lit by visibility.

use glam::{IVec2, ivec2};

use super::airlight::Airlight;
use super::colour::{Colour, grey, lamplit, mix, pixel, scale};
use super::land::{CellAppearance, HATCHING, appearance, door_frame, muted};
use super::layer_painter::{LayerCell, LayerPainter, STEPS};
use super::options::{Backdrop, PaintOptions, Shading, Unseen};
use super::pattern::{MIN_PATTERN_SIDE, TreeMasks, is_door_frame, is_hatched, is_woven};
use super::picture::Picture;
use super::ramp::{ColourTable, visibility_table};
use super::sprite;
use crate::grid::CellRect;
use crate::perception::{CellMemory, Recognition};
use crate::preset::Ramp;
use crate::scene::Scene;
use crate::sight::Door;

/// The colour off the map.
const VOID: Colour = [8.0, 8.0, 12.0];
/// Unknown cells are dark and warm; dim known cells are cold, grey or green in every ramp.
const UNKNOWN: Colour = [40.0, 22.0, 8.0];
const UNKNOWN_WEAVE: Colour = [56.0, 33.0, 14.0];
const IDENTIFY_LINE: Colour = [255.0, 222.0, 110.0];
const GLIMPSE_LINE: Colour = [176.0, 176.0, 255.0];

/// Cells of fewer pixels a side have no contour lines.
const MIN_CONTOUR_SIDE: usize = 3;

/// Paints a part of a scene. Creatures are painted on the land only, not on a layer.
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

/// Paints a part of a scene without viewer, creatures, lamps and lookouts, for callers that draw these themselves, such
/// as the terminal.
pub fn paint_ground(scene: &Scene, options: &PaintOptions) -> Picture {
    if options.look == super::options::Look::Map && options.backdrop == Backdrop::Land {
        return super::map::map_painter::MapPainter::default().paint_ground(scene, options);
    }
    let size = options.zoom.picture_size(options.frame.size());
    let mut picture = Picture::new(size.x as usize, size.y as usize, VOID);
    let painter = GroundPainter::new(scene, options);
    let side = options.zoom.side();
    picture.for_rows(side, |row, pixels| painter.paint_row(row as i32, pixels));
    if options.is_stretched() { picture.stretched(options.picture_size()) } else { picture }
}

/// Returns `true` if cells of the land are painted in [`Airlight`].
pub(super) fn has_airlight(scene: &Scene, options: &PaintOptions) -> bool {
    options.shading == Shading::Airlight && scene.preset().paint.ramp == Ramp::Daylight
}

struct GroundPainter<'a> {
    scene: &'a Scene,
    options: &'a PaintOptions,
    /// The cell of the raster that is cell 0,0 of the map. Patterns are those of the raster.
    origin: IVec2,
    side: usize,
    trees: TreeMasks,
    ramp: Option<ColourTable>,
    airlight: Option<Airlight<'a>>,
    layer: Option<LayerPainter<'a>>,
}

#[derive(Clone, Copy)]
struct CellPixels {
    ground: [u8; 4],
    tree: [u8; 4],
    hatching: [u8; 4],
    tree_density: u8,
    hatching_density: u8,
    door: Option<DoorPixels>,
    is_known: bool,
    sense: Recognition,
}

#[derive(Clone, Copy)]
struct DoorPixels {
    door: Door,
    frame: [u8; 4],
}

impl<'a> GroundPainter<'a> {
    fn new(scene: &'a Scene, options: &'a PaintOptions) -> Self {
        let ramp = scene.preset().paint.ramp;
        let layer = match options.backdrop {
            Backdrop::Land => None,
            Backdrop::Layer(layer) => LayerPainter::new(scene, layer, options),
        };
        let side = options.zoom.side();
        let airlight = has_airlight(scene, options).then(|| Airlight::new(scene));
        let origin = scene.origin();
        Self {
            scene,
            options,
            origin,
            side,
            trees: TreeMasks::new(side),
            ramp: visibility_table(ramp),
            airlight,
            layer,
        }
    }

    /// Paints a row of cells into its rows of pixels.
    fn paint_row(&self, row: i32, pixels: &mut [u8]) {
        let stride = self.options.zoom.stride();
        let frame = self.options.frame;
        let y = frame.min.y + row * stride;
        let columns = (pixels.len() / (4 * self.side * self.side)) as i32;
        let width = columns as usize * self.side * 4;
        let cells: Vec<_> = (0..columns).map(|i| self.cell_pixels(ivec2(frame.min.x + i * stride, y))).collect();
        for (i, colours) in cells.iter().enumerate() {
            let Some(colours) = colours else { continue };
            let cell = ivec2(frame.min.x + i as i32 * stride, y);
            for line in 0..self.side {
                let start = line * width + i * self.side * 4;
                self.paint_line(colours, cell + self.origin, line, &mut pixels[start..start + self.side * 4]);
            }
            self.paint_contour(colours, cell, |x, y| (y * width) + (i * self.side + x) * 4, pixels);
        }
    }

    /// Paints a line of the pixels of a cell of the raster.
    #[inline]
    fn paint_line(&self, colours: &CellPixels, cell: IVec2, line: usize, pixels: &mut [u8]) {
        let y = cell.y * self.side as i32 + line as i32;
        let left = cell.x * self.side as i32;
        let CellPixels { ground, tree, hatching, .. } = *colours;
        if !colours.is_known {
            let weave = pixel(UNKNOWN_WEAVE);
            for (x, out) in pixels.chunks_exact_mut(4).enumerate() {
                let has_weave = self.side >= MIN_PATTERN_SIDE && is_woven(left + x as i32, y);
                out.copy_from_slice(if has_weave { &weave } else { &ground });
            }
            return;
        }
        for out in pixels.chunks_exact_mut(4) {
            out.copy_from_slice(&ground);
        }
        let mask = self.trees.row(cell, colours.tree_density, line);
        for (out, &is_tree) in pixels.chunks_mut(4 * self.trees.scale()).zip(mask) {
            if is_tree {
                out.chunks_exact_mut(4).for_each(|out| out.copy_from_slice(&tree));
            }
        }
        if let Some(DoorPixels { door, frame }) = colours.door {
            for (x, out) in pixels.chunks_exact_mut(4).enumerate() {
                if is_door_frame(door, x, line, self.side) {
                    out.copy_from_slice(&frame);
                }
            }
        }
        if colours.hatching_density > 0 {
            for (x, out) in pixels.chunks_exact_mut(4).enumerate() {
                if is_hatched(left + x as i32, y, colours.hatching_density) {
                    out.copy_from_slice(&hatching);
                }
            }
        }
    }

    /// Paints lines on the edges to neighbours that are perceived less well, and coasts on layers.
    fn paint_contour(&self, colours: &CellPixels, cell: IVec2, at: impl Fn(usize, usize) -> usize, pixels: &mut [u8]) {
        if self.side < MIN_CONTOUR_SIDE {
            return;
        }
        let layer = self.layer.as_ref();
        let has_contour = self.scene.preset().paint.contours
            && layer.is_none_or(LayerPainter::is_annotated)
            && colours.sense != Recognition::Hidden;
        let contour = if colours.sense == Recognition::Identified { IDENTIFY_LINE } else { GLIMPSE_LINE };
        let map = CellRect::of_size(self.scene.size());
        let last = self.side - 1;
        for (step, (horizontal, edge)) in STEPS.into_iter().zip([(true, 0), (true, last), (false, 0), (false, last)]) {
            let is_edge = has_contour && map.contains(cell + step) && self.scene.sense(cell + step) < colours.sense;
            let coast = || layer.and_then(|layer| layer.coast(cell, step));
            let Some(colour) = is_edge.then_some(contour).or_else(coast) else { continue };
            for i in 0..self.side {
                let start = if horizontal { at(i, edge) } else { at(edge, i) };
                pixels[start..start + 4].copy_from_slice(&pixel(colour));
            }
        }
    }

    /// Returns the pixels of a cell; `None` for a cell without data.
    fn cell_pixels(&self, cell: IVec2) -> Option<CellPixels> {
        let scene = self.scene;
        if !scene.terrain().has_data(cell) {
            return None;
        }
        let sense = scene.sense(cell);
        if let Some(layer) = &self.layer {
            let LayerCell { ground, hatching } = layer.cell(cell, VOID);
            let flat = CellPixels { ground: pixel(ground), sense, ..EMPTY };
            return Some(match hatching {
                None => flat,
                Some(hatching) if self.side < MIN_PATTERN_SIDE => {
                    CellPixels { ground: pixel(mix(ground, hatching, 0.4)), ..flat }
                }
                Some(hatching) => CellPixels { hatching: pixel(hatching), hatching_density: 2, ..flat },
            });
        }
        let perceived = scene.perceived(cell);
        let is_known = self.options.unseen == Unseen::Mapped
            || sense > Recognition::Hidden
            || scene.memory(cell) != CellMemory::Hidden;
        if !is_known {
            return Some(CellPixels { ground: pixel(UNKNOWN), is_known: false, ..EMPTY });
        }
        let unlit = appearance(scene, &scene.preset().paint, cell);
        if let Some(airlight) = &self.airlight {
            return Some(self.in_air(airlight, &unlit, cell, sense));
        }
        let hue = if self.ramp.is_none() { scene.hue(cell) } else { None };
        Some(self.lit(&unlit, perceived, hue, sense))
    }

    /// Returns the pixels of a cell in sight behind its air. Cells out of sight are flat, without trees and hatching.
    fn in_air(&self, airlight: &Airlight<'_>, unlit: &CellAppearance, cell: IVec2, sense: Recognition) -> CellPixels {
        if sense > Recognition::Hidden {
            let in_air = airlight.of_cell(cell);
            return self.patterned(unlit, sense, |colour| pixel(in_air.apply(colour)));
        }
        let tone = |colour| match self.scene.memory(cell) {
            CellMemory::Hidden => airlight.charted(colour),
            CellMemory::Seen | CellMemory::Visible => airlight.remembered(colour),
        };
        let flat = CellAppearance { tree_density: 0, hatching_density: 0, ..*unlit };
        self.patterned(&flat, sense, |colour| pixel(airlight.veiled(cell, tone(colour))))
    }

    fn lit(&self, unlit: &CellAppearance, perceived: f32, hue: Option<[f32; 3]>, sense: Recognition) -> CellPixels {
        self.patterned(unlit, sense, |colour| pixel(self.light(colour, perceived, hue)))
    }

    fn patterned(&self, unlit: &CellAppearance, sense: Recognition, light: impl Fn(Colour) -> [u8; 4]) -> CellPixels {
        let empty = CellPixels { sense, ..EMPTY };
        if self.side < MIN_PATTERN_SIDE {
            let share = 0.09 * f32::from(unlit.hatching_density); // the cell is too small for hatching
            let ground = match unlit.door {
                Some(door) => mix(unlit.ground, door_frame(door), 0.4),
                None => unlit.ground,
            };
            return CellPixels { ground: light(mix(ground, HATCHING, share)), ..empty };
        }
        let has_hatching = unlit.hatching_density > 0;
        CellPixels {
            ground: light(unlit.ground),
            tree: if unlit.tree_density > 0 { light(unlit.tree) } else { EMPTY.tree },
            hatching: if has_hatching { light(mix(unlit.ground, HATCHING, 0.7)) } else { EMPTY.hatching },
            tree_density: unlit.tree_density,
            hatching_density: unlit.hatching_density,
            door: unlit.door.map(|door| DoorPixels { door, frame: light(door_frame(door)) }),
            ..empty
        }
    }

    /// Returns a colour of the land as it is perceived: muted at 0, its own at 1, in the hue of the light on it. With a
    /// ramp the colour shows only how well the cell is perceived.
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

const EMPTY: CellPixels = CellPixels {
    ground: [0; 4],
    tree: [0; 4],
    hatching: [0; 4],
    tree_density: 0,
    hatching_density: 0,
    door: None,
    is_known: true,
    sense: Recognition::Hidden,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::land::tree_colour;
    use crate::paint::options::Zoom;
    use crate::paint::ramp::elevation_tint;
    use crate::preset::Preset;
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

    /// The colours of land, water, woods, floors, walls and doors.
    fn colours_of_the_land() -> Vec<Colour> {
        let sea = (-20..0).map(|step| elevation_tint(step as f32 * 50.0));
        let heights = (0..60).map(|step| elevation_tint(step as f32 * 50.0));
        let shaded = heights.flat_map(|tint| [0.45, 0.7, 1.0, 1.3].map(|shade| scale(tint, shade)));
        let trees = (-10..30).map(|celsius| tree_colour(celsius as f32));
        let woods = trees.flat_map(|tree| [scale(tree, 0.72), tree]);
        let other = [[66.0, 124.0, 180.0], [70.0, 128.0, 190.0], [204.0, 190.0, 160.0], [86.0, 84.0, 108.0]];
        let doors = [Door::Open, Door::Closed].map(door_frame);
        sea.chain(shaded).chain(woods).chain(other).chain(doors).collect()
    }

    #[test]
    fn dim_and_unknown_cells_can_be_told_apart() {
        let map = OpacityMap::clear(1, 1).expect("one cell");
        let options = PaintOptions::new(CellRect::of_size(ivec2(1, 1)), Zoom::PixelsPerCell(8));
        let mut nearest: Vec<(f64, Ramp, Colour, f32)> = Vec::new();
        for ramp in [Ramp::Daylight, Ramp::Green, Ramp::Cividis, Ramp::Viridis, Ramp::Inferno, Ramp::Grey] {
            let mut preset = Preset::default();
            preset.paint.ramp = ramp;
            let scene = Scene::on_map(preset, map.clone(), None, crate::job::Job::quiet()).expect("a scene");
            let painter = GroundPainter::new(&scene, &options);
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

    #[test]
    fn marks_keep_their_shape_on_cells_that_are_stretched() {
        let map = OpacityMap::clear(21, 21).expect("cells");
        let scene =
            Scene::on_map(Preset::default(), map, Some(ivec2(14, 5)), crate::job::Job::quiet()).expect("a scene");
        let options = PaintOptions::new(CellRect::of_size(ivec2(21, 21)), Zoom::PixelsPerCell(10));
        let options = options.with_stretch([1.0, 1.5]);
        let picture = paint(&scene, &options);
        assert_eq!(options.picture_size(), ivec2(210, 315));
        assert_eq!((picture.width(), picture.height()), (210, 315));
        let is_red = |[r, g, b]: [u8; 3]| r > 200 && g < 60 && b < 70;
        let pixels = (0..315).flat_map(|y| (0..210).map(move |x| (x, y)));
        let red: Vec<_> = pixels.filter(|&(x, y)| picture.get(x, y).is_some_and(is_red)).collect();
        let span = |of: fn(&(usize, usize)) -> usize| (red.iter().map(of).min(), red.iter().map(of).max());
        let ((left, right), (top, bottom)) = (span(|at| at.0), span(|at| at.1));
        // The disc is round, and in the middle of its cell: 145, 82½.
        let [left, right, top, bottom] = [left, right, top, bottom].map(|edge| edge.expect("a viewer") as f32);
        assert!((right - left - (bottom - top)).abs() <= 1.0 && right - left >= 6.0);
        assert!(((left + right + 1.0) / 2.0 - 145.0).abs() <= 0.5 && ((top + bottom + 1.0) / 2.0 - 82.5).abs() <= 0.5);
    }
}
