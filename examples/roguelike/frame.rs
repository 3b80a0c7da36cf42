//! The picture of a game.

use crossterm::style::{Color, StyledContent, Stylize};
use farsight::glam::Vec3;
use farsight::prelude::*;

use crate::Failure;
use crate::game::{Game, SEEN_FROM};

const HELP: [&str; 2] = [
    "@ you  g guard  ? searches  ! chases  * torch  + ' door  ~ fog  $ crown  < exit",
    "arrows hjklyubn: move, onto a torch to put it out  .: wait  ?: why  q: quit",
];

pub(crate) type Frame = Grid<StyledContent<char>>;

pub(crate) fn draw(game: &mut Game) -> Result<Frame, Failure> {
    // The cones of vision of the guards in sight are tinted.
    let mut cones = game.tiles.map(|_| 0.0);
    let in_sight: Vec<_> = game.guards.iter().filter(|guard| game.perceived(guard.at) >= SEEN_FROM).cloned().collect();
    for guard in in_sight {
        let Sector { facing, span, .. } = guard.sense.sector;
        let cone = game.eyes.compute_sector(&game.map, guard.at, facing, span)?;
        cone.visible().for_each(|(cell, visibility)| cones[cell] = visibility);
    }
    let mut frame = Grid::new(80, 24, ' '.reset());
    for (cell, cone) in cones.iter() {
        frame[cell] = glyph(game, cell, *cone);
    }
    let light = "#".repeat((game.light.level(game.player) * 10.0).min(10.0) as usize);
    let task = if game.has_crown(game.player) { "bring the crown to the exit" } else { "the crown is in the cellar" };
    let status = format!("house {}  lives {}  light on you {light:-<10}  {task}", game.house, game.lives);
    for (row, text) in (20..).zip([&*game.message, &*status, HELP[0], HELP[1]]) {
        for (x, letter) in (0..80).zip(text.chars()) {
            frame[ivec2(x, row)] = if row < 22 { letter.yellow() } else { letter.dark_grey() };
        }
    }
    if let Some(cursor) = game.cursor {
        frame[cursor] = frame[cursor].black().on_yellow();
    }
    Ok(frame)
}

fn glyph(game: &Game, cell: IVec2, cone: f32) -> StyledContent<char> {
    let perceived = game.perceived(cell);
    if perceived < SEEN_FROM {
        return game.memory.content(cell).copied().unwrap_or(' ').with(rgb(Vec3::new(0.22, 0.22, 0.32)));
    }
    // The eye tells small differences in the dark better than in the light.
    let light = perceived.min(1.0).powf(0.5) * Vec3::from(game.light.hue_from(&game.map, cell, game.player));
    let guard = game.guards.iter().find(|guard| guard.at == cell);
    let (letter, colour) = match guard.map(|guard| (guard.sense.recognition(), guard.patience)) {
        _ if cell == game.player => ('@', Vec3::ONE),
        Some((Recognition::Identified, _)) => ('!', Vec3::new(1.0, 0.3, 0.3)),
        Some((_, 1..)) => ('?', Vec3::new(1.0, 0.9, 0.2)),
        Some(_) => ('g', Vec3::new(0.5, 0.8, 1.0)),
        None if game.has_crown(cell) => ('$', light),
        None => (game.tiles[cell], light),
    };
    let solidity = if game.map.get(cell) == Some(1.0) { 0.35 } else { 0.15 };
    letter.with(rgb(colour)).on(rgb(light * solidity + cone * Vec3::new(0.2, 0.0, 0.04)))
}

fn rgb(colour: Vec3) -> Color {
    let [r, g, b] = (colour * 255.0).to_array().map(|channel| channel as u8);
    Color::Rgb { r, g, b }
}
