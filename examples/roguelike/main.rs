//! A game: steal the crown from the cellar, past guards who see what is lit.
//!
//! `cargo run --release --example roguelike` plays; a number after `--` is the seed of the dungeon. `--script KEYS`, or keys on
//! a pipe, plays these keys and prints the last picture.

mod frame;
mod game;
mod level;
#[cfg(test)]
mod tests;

use std::io::{IsTerminal, Read, Write, stdin, stdout};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::style::{Color, Print, ResetColor, SetBackgroundColor, SetForegroundColor};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use farsight::Grid;
use farsight::glam::Vec3;

use crate::frame::Glyph;
use crate::game::Game;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut seed = None;
    let mut script = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--script" {
            script = Some(arguments.next().ok_or("--script needs keys, such as --script jjll")?);
        } else {
            let number = argument.parse();
            seed = Some(number.map_err(|_| format!("{argument:?} is not valid: expected a seed or --script KEYS"))?);
        }
    }
    if script.is_none() && !stdin().is_terminal() {
        let mut keys = String::new();
        stdin().read_to_string(&mut keys)?;
        script = Some(keys);
    }
    let seed = seed.unwrap_or(1);
    let mut game = Game::new(level::generate(seed)?, seed)?;
    match script {
        Some(keys) => {
            keys.chars().try_for_each(|key| game.press(key))?;
            stdout().write_all(frame::text(&frame::draw(&mut game)?).as_bytes())?;
            Ok(())
        }
        None => play(&mut game),
    }
}

/// The terminal as the game needs it, until it is dropped: at the end, after an error and in a panic.
struct Screen;

impl Screen {
    fn open() -> Result<Self, Failure> {
        terminal::enable_raw_mode()?;
        let screen = Self;
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(stdout(), ResetColor, Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

fn play(game: &mut Game) -> Result<(), Failure> {
    let _screen = Screen::open()?;
    let start = Instant::now();
    let mut shown = None;
    loop {
        // Between turns the flames go on in real time.
        game.light.set_time(start.elapsed().as_secs_f64());
        let frame = frame::draw(game)?;
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
                KeyCode::Esc if game.cursor.is_some() => game.press('?')?,
                _ => {}
            },
            _ => {}
        }
    }
}

/// Writes the cells that differ from those that are shown.
fn show(frame: &Grid<Glyph>, shown: Option<&Grid<Glyph>>) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let (width, height) = terminal::size()?;
    if shown.is_none() {
        queue!(out, ResetColor, Clear(ClearType::All))?;
    }
    for (cell, glyph) in frame.iter() {
        let (column, row) = (cell.x as u16, cell.y as u16);
        if column < width && row < height && shown.is_none_or(|shown| shown[cell] != *glyph) {
            let colours = (SetForegroundColor(rgb(glyph.colour)), SetBackgroundColor(rgb(glyph.background)));
            queue!(out, MoveTo(column, row), colours.0, colours.1, Print(glyph.letter))?;
        }
    }
    Ok(out.flush()?)
}

fn rgb(colour: Vec3) -> Color {
    let [r, g, b] = (colour.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).to_array().map(|channel| channel as u8);
    Color::Rgb { r, g, b }
}
