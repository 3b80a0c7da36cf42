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
mod why;

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::style::{PrintStyledContent, ResetColor};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};

use crate::frame::{Frame, draw};
use crate::game::Game;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().unwrap_or("1".to_owned());
    let seed = seed.parse().map_err(|_| format!("seed {seed:?} is not valid: expected a whole number"))?;
    let mut game = Game::new(level::generate(seed)?, seed)?;
    let Some(keys) = arguments.next() else { return play(&mut game) };
    keys.chars().try_for_each(|key| game.press(key))?;
    Ok(stdout().write_all(text(&draw(&mut game)?).as_bytes())?)
}

/// Returns the letters of a frame, line by line.
fn text(frame: &Frame) -> String {
    let rows = frame.as_slice().chunks(frame.width());
    rows.map(|row| row.iter().map(|glyph| *glyph.content()).collect::<String>().trim_end().to_owned() + "\n").collect()
}

/// Restores the terminal when it is dropped: at the end, after an error and in a panic.
struct Screen;

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(stdout(), ResetColor, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

fn play(game: &mut Game) -> Result<(), Failure> {
    let (width, height) = terminal::size()?;
    if width < 80 || height < 24 {
        return Err(format!("the game needs a terminal of 80 x 24 cells, and this one has {width} x {height}").into());
    }
    let _screen = Screen;
    terminal::enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, Hide)?;
    let start = Instant::now();
    let mut shown = None;
    loop {
        game.light.set_time(start.elapsed().as_secs_f64()); // between turns the flames go on in real time
        let frame = draw(game)?;
        show(&frame, shown.as_ref())?;
        shown = Some(frame);
        if !poll(Duration::from_millis(80))? {
            continue;
        }
        match read()? {
            Event::Resize(..) => shown = None,
            Event::Key(key) if key.kind != KeyEventKind::Release => match key.code {
                KeyCode::Char('q') => return Ok(()),
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(()),
                KeyCode::Char(letter) => game.press(letter)?,
                KeyCode::Left => game.press('h')?,
                KeyCode::Down => game.press('j')?,
                KeyCode::Up => game.press('k')?,
                KeyCode::Right => game.press('l')?,
                _ => {}
            },
            _ => {}
        }
    }
}

/// Writes the cells that differ from those that are shown.
fn show(frame: &Frame, shown: Option<&Frame>) -> Result<(), Failure> {
    let (mut out, (width, height)) = (stdout().lock(), terminal::size()?);
    if shown.is_none() {
        queue!(out, ResetColor, Clear(ClearType::All))?;
    }
    for (cell, glyph) in frame.iter().filter(|(cell, glyph)| shown.is_none_or(|shown| shown[*cell] != **glyph)) {
        let (column, row) = (cell.x as u16, cell.y as u16);
        if column < width && row < height {
            queue!(out, MoveTo(column, row), PrintStyledContent(*glyph))?;
        }
    }
    Ok(out.flush()?)
}
