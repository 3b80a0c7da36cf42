//! Markers on cells: viewer, lookouts, lamps, creatures.

use glam::{IVec2, Vec2};

use super::colour::{Colour, mix};
use super::creature_sprite::{SPRITE_WIDTH, paint_sprite, sprite};
use super::options::{Annotations, PaintOptions, Unseen, Zoom};
use super::picture::Picture;
use super::text;
use crate::perception::{CellMemory, Sighting};
use crate::scene::Scene;

const VIEWER: Colour = [226.0, 32.0, 40.0];
pub(super) const LOOKOUT: Colour = [36.0, 150.0, 160.0];
const RIM: Colour = [255.0, 255.0, 255.0];
const HALO: Colour = [12.0, 12.0, 16.0];
const GLIMPSED: Colour = [255.0, 240.0, 150.0];
const STALE: Colour = [140.0, 140.0, 160.0];

/// Returns the centre and the shorter side of a cell, in pixels.
fn cell_square(options: &PaintOptions, cell: IVec2) -> (Vec2, f32) {
    let side = match options.zoom {
        Zoom::PixelsPerCell(pixels) => pixels.max(1) as f32,
        Zoom::CellsPerPixel(cells) => 1.0 / cells.max(1) as f32,
    };
    (((cell - options.frame.min).as_vec2() + 0.5) * side * options.factors(), side)
}

/// The least radius of the viewer's disc, in pixels.
const VIEWER_RADIUS: f32 = 2.6;
/// The least diameter of the disc on a screen, as a share of the map's width, so that it is found on a large one.
const VIEWER_SHARE_OF_SCREEN: f32 = 1.0 / 150.0;
const MAX_VIEWER_RADIUS: f32 = 6.5;

/// Paints a red disc with a white rim, visible at any zoom.
pub(super) fn paint_viewer(picture: &mut Picture, scene: &Scene, options: &PaintOptions) {
    let (at, side) = cell_square(options, scene.viewer());
    let least = match options.annotations {
        Annotations::Screen => {
            let radius = picture.width() as f32 * VIEWER_SHARE_OF_SCREEN / 2.0;
            radius.clamp(VIEWER_RADIUS, MAX_VIEWER_RADIUS)
        }
        _ => VIEWER_RADIUS,
    };
    let radius = (side * 0.42).max(least);
    picture.disc(at.x, at.y, radius + 1.6, HALO);
    picture.disc(at.x, at.y, radius + 0.9, RIM);
    picture.disc(at.x, at.y, radius, VIEWER);
}

/// Paints a square with a white rim on every lookout.
pub(super) fn paint_lookouts(picture: &mut Picture, scene: &Scene, options: &PaintOptions) {
    for lookout in scene.observers().iter().filter(|lookout| options.frame.contains(lookout.at)) {
        let (at, side) = cell_square(options, lookout.at);
        let half = (side * 0.32).max(2.2);
        for (grown, colour) in [(1.6, HALO), (0.9, RIM), (0.0, LOOKOUT)] {
            let corner = (at - half - grown).round();
            let width = (2.0 * (half + grown)).round() as i32;
            picture.fill(corner.x as i32, corner.y as i32, width, width, colour);
        }
    }
}

/// Paints a disc in the colour of its light on every lamp whose cell is known.
pub(super) fn paint_lamps(picture: &mut Picture, scene: &Scene, options: &PaintOptions) {
    for lamp in scene.lamps().iter().filter(|lamp| options.frame.contains(lamp.at)) {
        if options.unseen != Unseen::Mapped && scene.memory(lamp.at) == CellMemory::Hidden {
            continue;
        }
        let (at, side) = cell_square(options, lamp.at);
        let radius = (side * 0.26).max(1.8);
        let colour = lamp.colour.hue().map(|channel| channel * 255.0);
        picture.disc(at.x, at.y, radius + 1.4, HALO);
        picture.disc(at.x, at.y, radius, colour);
        picture.disc(at.x, at.y, radius * 0.5, mix(colour, RIM, 0.75));
    }
}

/// Paints the glyphs of identified creatures, question marks for glimpsed ones, and pale question marks where creatures
/// were last seen.
pub(super) fn paint_creatures(picture: &mut Picture, scene: &Scene, options: &PaintOptions) {
    if !scene.preset().paint.creatures {
        return;
    }
    for sighting in scene.sightings() {
        let cell = sighting.cell();
        if !options.frame.contains(cell) {
            continue;
        }
        let (glyph, colour) = match sighting {
            Sighting::Identified(species, _) => (species.glyph, species.colour.map(f32::from)),
            Sighting::Glimpsed(_) => ('?', GLIMPSED),
            Sighting::Stale(_) => ('?', STALE),
        };
        let (at, side) = cell_square(options, cell);
        let silhouette = match sighting {
            Sighting::Identified(species, _) => sprite(species),
            Sighting::Glimpsed(_) | Sighting::Stale(_) => None,
        };
        match silhouette {
            Some(rows) if options.annotations == Annotations::Screen && side >= MIN_SPRITE_SIDE => {
                let scale = (side / SPRITE_WIDTH as f32).floor().clamp(1.0, 3.0) as i32;
                paint_sprite(picture, at, rows, scale, [colour, HALO]);
            }
            _ => paint_glyph(picture, at, glyph, colour),
        }
    }
}

/// Cells of fewer pixels a side have letters: silhouettes would hide each other.
pub(crate) const MIN_SPRITE_SIDE: f32 = 4.0;

/// Paints a letter around a point, with a dark halo so that it is readable on any ground.
fn paint_glyph(picture: &mut Picture, at: Vec2, glyph: char, colour: Colour) {
    let x = (at.x - text::letter_width() as f32 / 2.0).round() as i32;
    let y = (at.y - text::LINE as f32 / 2.0).round() as i32;
    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)] {
        text::write_letter(picture, x + dx, y + dy, glyph, HALO);
    }
    text::write_letter(picture, x, y, glyph, colour);
}
