//! A game: steal the crown from the cellar, past guards who see lit places.
//!
//! `cargo run --release --example roguelike` plays. With `-- 7 jjll` it plays from house 7 on, after these keys.

mod game;
mod guards;
mod level;
#[cfg(test)]
mod tests;

use std::io::{IsTerminal, Write, stdin, stdout};
use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyModifiers, poll, read};
use crossterm::style::{Color, Print, StyledContent, Stylize};
use crossterm::{cursor, execute, queue, terminal};
use farsight::{glam::Vec3, prelude::*};

use crate::game::{Game, SEEN_FROM};

const ARROWS: [KeyCode; 4] = [KeyCode::Left, KeyCode::Down, KeyCode::Up, KeyCode::Right]; // h, j, k and l
type Failure = Box<dyn std::error::Error>;
const LEGEND: &str = "@ you  g guard  ? searches  ! chases  * torch  + ' door  ~ fog  $ crown  < exit";
const KEYS: &str = "arrows hjklyubn: move, onto a torch to put it out  .: wait  ?: why  q: quit";
const CAUGHT: &str = "The guards have caught you. Press r for this house again, q to quit.";
const NEEDS: &str = "The game needs a terminal of 80x24 characters.";

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let house = arguments.next().unwrap_or("1".into());
    let house = house.parse().map_err(|_| format!("house {house:?} is not valid: expected a whole number"))?;
    let mut game = Game::new(level::generate(house)?, house)?;
    arguments.next().unwrap_or_default().chars().try_for_each(|key| game.press(key))?;
    let reset = || _ = (execute!(stdout(), terminal::LeaveAlternateScreen, cursor::Show), terminal::disable_raw_mode());
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        reset(); // else the message is lost with the screen
        report(panic);
    }));
    let played = play(&mut game);
    reset();
    played
}

/// Ends the program when its terminal is closed. Reading keys from a closed terminal never returns.
fn end_with_the_terminal() {
    std::thread::spawn(|| {
        while stdin().is_terminal() {
            std::thread::sleep(Duration::from_millis(500));
        }
        std::process::exit(129); // as by SIGHUP
    });
}

fn play(game: &mut Game) -> Result<(), Failure> {
    let ended = Arc::new(AtomicBool::new(false)); // by a signal
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGHUP, signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, ended.clone())?;
    }
    terminal::enable_raw_mode().map_err(|_| NEEDS)?;
    end_with_the_terminal();
    execute!(stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
    let (start, mut shown) = (Instant::now(), Vec::new());
    while !ended.load(Ordering::Relaxed) {
        game.light.set_time(start.elapsed().as_secs_f64()); // between turns the flames go on in real time
        let fits = terminal::size().is_ok_and(|(columns, lines)| columns >= 80 && lines >= 24);
        let rows =
            if fits { draw(game)? } else { vec![format!("{}{NEEDS}", terminal::Clear(terminal::ClearType::All))] };
        for (y, row) in rows.iter().enumerate().filter(|(y, row)| shown.get(*y) != Some(*row)) {
            queue!(stdout(), cursor::MoveTo(0, y as u16), Print(row))?;
        }
        stdout().flush()?;
        shown = rows;
        if poll(Duration::from_millis(80))? {
            match read()? {
                Event::Key(key) if key.is_press() => match key.code {
                    KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(()),
                    KeyCode::Char('q') if game.cursor.is_none() => return Ok(()),
                    KeyCode::Char(letter) => game.press(letter)?,
                    code => game.press("hjkl".chars().zip(ARROWS).find(|it| it.1 == code).map_or(' ', |it| it.0))?,
                },
                _ => shown.clear(), // the terminal may have another size
            }
        }
    }
    Ok(())
}

/// Draws the game as rows of text with colours.
fn draw(game: &mut Game) -> Result<Vec<String>, Failure> {
    let mut cones = game.tiles.map(|_| 0.0); // the cones of vision of the guards in sight are tinted
    let in_sight = game.guards.iter().filter(|guard| game.perceived(guard.at) >= SEEN_FROM);
    for guard in in_sight.cloned().collect::<Vec<_>>() {
        let cone = game.eyes.compute_sector(&game.map, guard.at, guard.sense.sector)?;
        guard.sense.visible(&cone)?.into_iter().for_each(|(cell, visibility)| cones[cell] = visibility);
    }
    let row = |y| (0..cones.size().x).map(|x| glyph(game, ivec2(x, y), cones[ivec2(x, y)]).to_string()).collect();
    let mut rows: Vec<String> = (0..cones.size().y).map(row).collect();
    let light = "#".repeat((game.light.level(game.player) * 10.0).min(10.0) as usize);
    let status = format!("house {}  lives {}  light on you {light:-<10}  turn {}", game.house, game.lives, game.turn);
    let (message, keys) = match game.cursor {
        Some(cell) => (game.why(cell), "Why can't I see that?  arrows hjklyubn: move the cursor  other keys: play on"),
        None if game.lives == 0 => (CAUGHT.into(), KEYS),
        None => (game.messages.join(" "), KEYS),
    };
    rows.extend([&*message, &status, LEGEND, keys].map(|text| format!("{text:80.80}").yellow().to_string()));
    Ok(rows)
}

fn glyph(game: &Game, cell: IVec2, cone: f32) -> StyledContent<char> {
    let rgb = |colour: Vec3| Color::from(<(u8, u8, u8)>::from((colour * 255.0).to_array().map(|share| share as u8)));
    let perceived = game.perceived(cell);
    let remembered = game.memory.content(cell).copied().unwrap_or(' ');
    if game.cursor == Some(cell) {
        return remembered.black().on_yellow();
    } else if perceived < SEEN_FROM {
        return remembered.with(rgb(Vec3::new(0.36, 0.36, 0.52)));
    }
    // The eye tells small differences in the dark better than in the light.
    let light = perceived.min(1.0).powf(0.35) * Vec3::from(game.light.hue_from(&game.map, cell, game.player));
    let (letter, colour) = match game.guard_at(cell).map(|guard| (guard.sense.recognition(), guard.patience)) {
        _ if cell == game.player => ('@', Vec3::ONE),
        Some((Recognition::Identified, _)) => ('!', Vec3::new(1.0, 0.3, 0.3)),
        Some((_, 1..)) => ('?', Vec3::new(1.0, 0.9, 0.2)),
        Some(_) => ('g', Vec3::new(0.5, 0.8, 1.0)),
        None => (if game.has_crown(cell) { '$' } else { game.tiles[cell] }, light),
    };
    let solidity = if game.map.get(cell) == Some(1.0) { 0.35 } else { 0.15 };
    letter.with(rgb(colour)).on(rgb(light * solidity + cone * Vec3::new(0.2, 0.0, 0.04)))
}
