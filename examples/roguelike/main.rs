//! A game: steal the crown from the cellar, past guards who see what is lit.
//!
//! `cargo run --release --example roguelike` plays, and takes the seed of a dungeon: `-- 7`. With keys, `-- 7 jjll?h`, it
//! plays these and prints the last picture.

mod frame;
mod game;
mod guards;
mod level;
#[cfg(test)]
mod tests;

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, poll, read};
use crossterm::style::{PrintStyledContent, Stylize};
use crossterm::{cursor, execute, queue, terminal};

use crate::frame::{Frame, draw};
use crate::game::Game;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().unwrap_or("1".into());
    let seed = seed.parse().map_err(|_| format!("seed {seed:?} is not valid: expected a whole number"))?;
    let mut game = Game::new(level::generate(seed)?, seed)?;
    if let Some(keys) = arguments.next() {
        keys.chars().try_for_each(|key| game.press(key))?;
        for row in draw(&mut game)?.as_slice().chunks(80) {
            writeln!(stdout(), "{}", row.iter().map(ToString::to_string).collect::<String>())?;
        }
        return Ok(());
    }
    terminal::enable_raw_mode()?;
    execute!(stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
    let played = play(&mut game);
    execute!(stdout(), terminal::LeaveAlternateScreen, cursor::Show)?;
    terminal::disable_raw_mode()?;
    played
}

fn play(game: &mut Game) -> Result<(), Failure> {
    let start = Instant::now();
    let blank = Frame::new(80, 24, '\0'.reset());
    let mut shown = blank.clone();
    loop {
        game.light.set_time(start.elapsed().as_secs_f64()); // between turns the flames go on in real time
        let frame = draw(game)?;
        for (cell, glyph) in frame.iter().filter(|(cell, glyph)| shown[*cell] != **glyph) {
            queue!(stdout(), cursor::MoveTo(cell.x as u16, cell.y as u16), PrintStyledContent(*glyph))?;
        }
        stdout().flush()?;
        shown = frame;
        if !poll(Duration::from_millis(80))? {
            continue;
        }
        let Event::Key(key) = read()? else {
            shown = blank.clone(); // the terminal has another size
            continue;
        };
        match key.code {
            _ if !key.is_press() => {}
            KeyCode::Char('q') => return Ok(()),
            KeyCode::Char(letter) => game.press(letter)?,
            KeyCode::Left => game.press('h')?,
            KeyCode::Down => game.press('j')?,
            KeyCode::Up => game.press('k')?,
            KeyCode::Right => game.press('l')?,
            _ => {}
        }
    }
}
