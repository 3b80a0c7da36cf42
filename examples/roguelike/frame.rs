//! The picture of a game: characters with colours, for the terminal or as text.

use farsight::Grid;
use farsight::glam::{IVec2, Vec3, ivec2};
use farsight::light::Flicker;
use farsight::perception::CellMemory;

use crate::Failure;
use crate::game::{CONE, Game, Mood};

const KEYS: &str = "arrows hjklyubn: move  .: wait  c: close  x: put torch out  ?: why  q: quit";

/// A character with its colours, each channel from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glyph {
    pub(crate) letter: char,
    pub(crate) colour: Vec3,
    pub(crate) background: Vec3,
}

pub(crate) fn draw(game: &mut Game) -> Result<Grid<Glyph>, Failure> {
    let danger = guarded_cells(game)?;
    let mut frame = Grid::from_fn(80, 24, |cell| glyph(game, cell));
    for (cell, visibility) in danger {
        frame[cell].background += Vec3::new(0.22, 0.0, 0.04) * visibility;
    }
    let lit = (game.light.level(game.player) * 10.0).round().clamp(0.0, 10.0) as usize;
    let light = format!("{}{}", "#".repeat(lit), "-".repeat(10 - lit));
    let crown = if game.has_crown { "you have the crown" } else { "the crown is in the cellar" };
    let status = format!("lives {}  light on you {light}  {crown}  turn {}", game.lives, game.turn);
    let legend = "@ you  g guard  ? searches  ! chases  * torch  + ' door  ~ fog  $ crown";
    let texts = [(&*game.message, Vec3::new(1.0, 0.9, 0.6)), (&status, Vec3::ONE), (legend, GREY), (KEYS, GREY)];
    for (row, (text, colour)) in (20..).zip(texts) {
        for (column, letter) in (0..80).zip(text.chars()) {
            frame[ivec2(column, row)] = Glyph { letter, colour, background: Vec3::ZERO };
        }
    }
    if let Some(cursor) = game.cursor {
        let glyph = &mut frame[cursor];
        (glyph.colour, glyph.background) = (Vec3::ZERO, Vec3::new(1.0, 1.0, 0.4));
    }
    Ok(frame)
}

const GREY: Vec3 = Vec3::splat(0.5);

/// The letters of a frame, line by line.
pub(crate) fn text(frame: &Grid<Glyph>) -> String {
    let rows = frame.as_slice().chunks(frame.width());
    let rows = rows.map(|row| row.iter().map(|glyph| glyph.letter).collect::<String>().trim_end().to_owned() + "\n");
    rows.collect()
}

/// Returns the cells that the thief sees and that a guard in sight looks at, with how well: cones of vision.
fn guarded_cells(game: &mut Game) -> Result<Vec<(IVec2, f32)>, Failure> {
    let mut cells = Vec::new();
    for guard in game.guards.clone() {
        if game.sees(guard.at) {
            let cone = game.guard_eyes.compute_sector(&game.map, guard.at, guard.facing, CONE)?.to_owned();
            cells.extend(cone.visible().filter(|(cell, _)| game.sees(*cell)));
        }
    }
    Ok(cells)
}

fn glyph(game: &Game, cell: IVec2) -> Glyph {
    let dark = Glyph { letter: ' ', colour: Vec3::ZERO, background: Vec3::ZERO };
    if !game.tiles.contains(cell) {
        return dark;
    }
    if !game.sees(cell) {
        let is_known = game.memory.get(cell) != CellMemory::Hidden;
        let letter = if is_known { game.known[cell] } else { ' ' };
        return Glyph { letter, colour: Vec3::new(0.22, 0.22, 0.32), ..dark };
    }
    let (letter, colour) = content(game, cell);
    // The eye tells small differences in the dark better than in the light. What is only felt is at 0.25.
    let brightness = game.brightness(cell).min(1.0).powf(0.6).max(0.25);
    let lit = brightness * Vec3::from(game.light.hue_from(&game.map, cell, game.player));
    let solidity = if game.map.get(cell) == Some(1.0) { 0.55 } else { 0.2 };
    let is_creature = letter == '@' || game.guards.iter().any(|guard| guard.at == cell);
    Glyph { letter, colour: if is_creature { colour } else { colour * lit }, background: lit * solidity * 0.6 }
}

/// The letter of what is on a cell, and its colour in white light.
fn content(game: &Game, cell: IVec2) -> (char, Vec3) {
    if cell == game.player {
        return ('@', Vec3::ONE);
    }
    if let Some(guard) = game.guards.iter().find(|guard| guard.at == cell) {
        return match guard.mood {
            Mood::Patrol => ('g', Vec3::new(0.5, 0.8, 1.0)),
            Mood::Search => ('?', Vec3::new(1.0, 0.9, 0.2)),
            Mood::Chase => ('!', Vec3::new(1.0, 0.3, 0.3)),
        };
    }
    if cell == game.crown {
        return ('$', Vec3::ONE);
    }
    if cell == game.stairs {
        return ('<', Vec3::ONE);
    }
    if game.light.lamps().any(|(_, lamp)| lamp.at == cell && lamp.flicker == Flicker::Flame) {
        return ('*', Vec3::ONE);
    }
    let colour = match game.tiles[cell] {
        '+' | '\'' => Vec3::new(1.0, 0.75, 0.5),
        _ => Vec3::splat(0.75),
    };
    (game.tiles[cell], colour)
}
