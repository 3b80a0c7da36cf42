//! The picture of a game.

use crossterm::style::{Color, StyledContent, Stylize};
use farsight::Grid;
use farsight::glam::{IVec2, Vec3, ivec2};
use farsight::light::Flicker;

use crate::Failure;
use crate::game::Game;
use crate::guards::{CONE, Guard, Mood};

const HELP: [&str; 2] = [
    "@ you  g guard  ? searches  ! chases  * torch  + ' door  ~ fog  $ crown  < exit",
    "arrows hjklyubn: move  .: wait  c: close door  x: put out torch  ?: why  q: quit",
];
const BLACK: Vec3 = Vec3::ZERO;

pub(crate) type Frame = Grid<StyledContent<char>>;

pub(crate) fn draw(game: &mut Game) -> Result<Frame, Failure> {
    // How well the guards in sight see each cell: their cones of vision are tinted.
    let mut guarded = Grid::new(80, 20, 0.0);
    let in_sight: Vec<Guard> = game.guards.iter().filter(|guard| game.sees(guard.at)).cloned().collect();
    for guard in in_sight {
        let cone = game.guard_eyes.compute_sector(&game.map, guard.at, guard.sense.sector.facing, CONE)?;
        cone.visible().for_each(|(cell, visibility)| guarded[cell] = visibility);
    }
    let mut frame = Grid::from_fn(80, 24, |cell| glyph(game, cell, guarded.get(cell).copied().unwrap_or(0.0)));
    let lit = (game.light.level(game.player) * 10.0).round().clamp(0.0, 10.0) as usize;
    let light = format!("{:-<10}", "#".repeat(lit));
    let crown = if game.has_crown() { "you have the crown" } else { "the crown is in the cellar" };
    let status = format!("lives {}  light on you {light}  {crown}  turn {}", game.lives, game.turn);
    for (row, text) in (20..).zip([&*game.message, &*status, HELP[0], HELP[1]]) {
        let colour = if row < 22 { Vec3::new(1.0, 0.9, 0.6) } else { Vec3::splat(0.5) };
        (0..80).zip(text.chars()).for_each(|(x, letter)| frame[ivec2(x, row)] = styled(letter, colour, BLACK));
    }
    if let Some(cursor) = game.cursor {
        frame[cursor] = frame[cursor].black().on_yellow();
    }
    Ok(frame)
}

fn styled(letter: char, colour: Vec3, background: Vec3) -> StyledContent<char> {
    let rgb = |colour: Vec3| {
        let [r, g, b] = (colour * 255.0).to_array().map(|channel| channel as u8);
        Color::Rgb { r, g, b }
    };
    letter.with(rgb(colour)).on(rgb(background))
}

fn glyph(game: &Game, cell: IVec2, guarded: f32) -> StyledContent<char> {
    let tile = game.tiles.get(cell).copied().unwrap_or(' ');
    if !game.sees(cell) {
        return styled(*game.memory.content(cell).unwrap_or(&' '), Vec3::new(0.22, 0.22, 0.32), BLACK);
    }
    // The eye tells small differences in the dark better than in the light. What is only felt is at 0.25.
    let brightness = game.brightness(cell).min(1.0).powf(0.6).max(0.25);
    let light = brightness * Vec3::from(game.light.hue_from(&game.map, cell, game.player));
    let is_torch = |at| game.light.lamps().any(|(_, lamp)| lamp.at == at && lamp.flicker == Flicker::Flame);
    let (letter, colour) = match game.guards.iter().find(|guard| guard.at == cell).map(|guard| guard.mood) {
        _ if cell == game.player => ('@', Vec3::ONE),
        Some(Mood::Patrol) => ('g', Vec3::new(0.5, 0.8, 1.0)),
        Some(Mood::Search) => ('?', Vec3::new(1.0, 0.9, 0.2)),
        Some(Mood::Chase) => ('!', Vec3::new(1.0, 0.3, 0.3)),
        None if cell == game.crown => ('$', light),
        None if cell == game.stairs => ('<', light),
        None if is_torch(cell) => ('*', light),
        None => (tile, light * 0.75),
    };
    let solidity = if game.map.get(cell) == Some(1.0) { 0.35 } else { 0.15 };
    styled(letter, colour, light * solidity + guarded * Vec3::new(0.2, 0.0, 0.04))
}
