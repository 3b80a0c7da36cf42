//! The whole screen as text with escape sequences.

use std::fmt::Write;

use super::pages::{PanelLine, help_lines, legend_lines, preset_lines, wrap};
use super::state::{Page, TerminalExplorer};
use crate::cli::terminal_drawing::{ColourDepth, draw as draw_map, frame_around_viewer};
use farsight_scene::panorama::{Panorama, PanoramaOptions, PanoramaPainter};
use farsight_scene::scene::Scene;

/// The minimum size of a terminal, in columns and lines.
const MIN_SIZE: [u16; 2] = [24, 8];

/// The columns of the panel next to the map, with a gap before it.
const PANEL: u16 = 32;

/// The lines below the map: the status and a message or the keys.
const LINES_BELOW: u16 = 2;

/// The lines of a panorama, with the compass below.
const PANORAMA_LINES: u16 = 7;

/// The pixels of a panorama per half character, in each direction.
const PIXELS: usize = 8;

/// The fractions of the maximum distance at which characters change, for a terminal without colours.
const DISTANCES: [(f32, char); 3] = [(0.06, '#'), (0.25, '+'), (1.0, '.')];

/// Text, built line by line.
struct Screen {
    text: String,
    columns: usize,
    colours: Option<ColourDepth>,
}

impl Screen {
    /// Moves the cursor to a line and column, counted from 0.
    fn go_to(&mut self, line: usize, column: usize) {
        let _ = write!(self.text, "\x1b[{};{}H", line + 1, column + 1);
    }

    /// Writes a line from a column to the right edge, truncated to fit.
    fn line(&mut self, line: usize, column: usize, text: &str, attributes: &str) {
        self.go_to(line, column);
        let cut: String = text.chars().take(self.columns.saturating_sub(column)).collect();
        if attributes.is_empty() {
            self.text += &cut;
        } else {
            let _ = write!(self.text, "\x1b[{attributes}m{cut}\x1b[0m");
        }
        if cut.chars().count() < self.columns.saturating_sub(column) {
            self.text += "\x1b[K";
        }
    }

    fn panel_line(&mut self, line: usize, column: usize, content: &PanelLine) {
        let width = content.bar.len() + if content.mark.is_some() { 2 } else { 0 };
        self.line(line, column + width, &content.text, if content.is_title { "1" } else { "" });
        self.go_to(line, column);
        let Some(depth) = self.colours else {
            self.text.extend(content.mark.map(|(letter, _)| letter));
            return;
        };
        for colour in &content.bar {
            let _ = write!(self.text, "\x1b[{}m ", depth.ground(*colour));
        }
        if let Some((letter, colour)) = content.mark {
            let [ink, ground] = if letter == '@' { [[255; 3], [200, 24, 32]] } else { [colour, [40, 40, 48]] };
            let _ = write!(self.text, "\x1b[{};{}m{letter}", depth.letter(ink), depth.ground(ground));
        }
        if width > 0 {
            self.text += "\x1b[0m";
        }
    }
}

/// Draws the screen in one write, so that a terminal can show it without flicker.
pub(crate) fn draw(explorer: &TerminalExplorer) -> String {
    let [columns, lines] = explorer.size;
    let mut screen =
        Screen { text: "\x1b[?2026h\x1b[0m".to_owned(), columns: columns.into(), colours: explorer.style.colours };
    if columns < MIN_SIZE[0] || lines < MIN_SIZE[1] {
        draw_note_on_size(&mut screen, explorer.size);
    } else {
        let height = usize::from(lines - LINES_BELOW);
        match explorer.page {
            Page::Map => draw_map_and_panel(&mut screen, explorer),
            Page::Legend { first } => {
                let frame = frame_around_viewer(explorer.scene(), [columns, lines - LINES_BELOW]);
                let content = legend_lines(explorer, frame, columns.into(), None);
                let first = first.min(content.len().saturating_sub(height));
                for line in 0..height {
                    screen.line(line, 0, "", "");
                    if let Some(content) = content.get(first + line) {
                        screen.panel_line(line, 0, content);
                    }
                }
            }
            Page::Help { first } => {
                let content = help_lines(columns.into());
                let first = first.min(content.len().saturating_sub(height - 1));
                draw_list(&mut screen, "Keys", &content[first..], None, height);
            }
            Page::Presets { selected } => {
                let content = preset_lines(&explorer.presets, selected);
                let first = (selected + 1).saturating_sub(height - 1);
                draw_list(&mut screen, "Presets", &content[first..], Some(selected - first), height);
            }
        }
        draw_lines_below(&mut screen, explorer, height);
    }
    screen.text += "\x1b[?2026l";
    match explorer.style.is_unicode {
        true => screen.text,
        false => screen.text.chars().map(|letter| if letter.is_ascii() { letter } else { '?' }).collect(),
    }
}

fn draw_note_on_size(screen: &mut Screen, [columns, lines]: [u16; 2]) {
    let [min_columns, min_lines] = MIN_SIZE;
    let words = format!("The terminal is too small: {columns}x{lines}, needs {min_columns}x{min_lines}. q quits");
    let words = wrap(&words, screen.columns);
    for line in 0..usize::from(lines) {
        screen.line(line, 0, words.get(line).map_or("", String::as_str), "");
    }
}

fn draw_list(screen: &mut Screen, title: &str, content: &[String], selected: Option<usize>, height: usize) {
    screen.line(0, 0, title, "1");
    for line in 1..height {
        let attributes = if selected == Some(line - 1) { "7" } else { "" };
        screen.line(line, 0, content.get(line - 1).map_or("", String::as_str), attributes);
    }
}

fn draw_map_and_panel(screen: &mut Screen, explorer: &TerminalExplorer) {
    let [columns, lines] = explorer.size;
    let mut height = lines - LINES_BELOW;
    if explorer.has_panorama && height >= 2 * PANORAMA_LINES {
        let painter = &mut explorer.panoramas.borrow_mut();
        let strip = panorama_lines(painter, explorer, columns.into());
        if let Some(strip) = strip {
            height -= PANORAMA_LINES;
            for (line, text) in (usize::from(height)..).zip(strip) {
                screen.go_to(line, 0);
                screen.text += &text;
            }
        }
    }
    let has_panel = explorer.is_wide() && !explorer.hides_panel;
    let width = if has_panel { columns - PANEL } else { columns };
    let frame = frame_around_viewer(explorer.scene(), [width, height]);
    let map = draw_map(explorer.scene(), frame, explorer.look, explorer.style);
    let mut rows = map.lines();
    for line in 0..height {
        screen.go_to(line.into(), 0);
        if explorer.style.colours.is_none() || frame.width() < usize::from(width) {
            screen.text += "\x1b[K"; // the row can be shorter than the previous content
        }
        match rows.next() {
            Some(row) => screen.text += row,
            None => screen.text += "\x1b[K",
        }
    }
    if has_panel {
        let content = legend_lines(explorer, frame, usize::from(PANEL) - 1, Some(height.into()));
        for line in 0..usize::from(height) {
            screen.line(line, usize::from(width), "", "");
            if let Some(content) = content.get(line) {
                screen.panel_line(line, usize::from(width) + 1, content);
            }
        }
    }
}

fn draw_lines_below(screen: &mut Screen, explorer: &TerminalExplorer, first: usize) {
    let document = &explorer.document;
    let status = match (document.progress(), document.views_progress()) {
        (Some(progress), _) => format!("Making the world of {}: {:.0} %", document.name(), progress * 100.0),
        (None, Some(progress)) => format!("Computing views: {:.0} %", progress * 100.0),
        (None, None) => status(explorer.scene(), document.name(), document.source().is_generated()),
    };
    screen.line(first, 0, &format!("{status:columns$}", columns = screen.columns), "7");
    let hints: &[&str] = match explorer.page {
        Page::Map => &["? keys", "q quit", "p presets", "e export", "Tab legend", "arrows or hjklyubn walk"],
        Page::Presets { .. } => &["Enter choose", "Esc back", "up, down move"],
        Page::Help { .. } | Page::Legend { .. } => &["Esc back", "up, down move"],
    };
    let mut hint = String::new();
    for part in hints {
        if hint.len() + part.len() + 2 <= screen.columns {
            hint += &format!("{part}  ");
        }
    }
    match &explorer.message {
        Some(message) => {
            let attributes = if message.is_error && screen.colours.is_some() { "1;31" } else { "1" };
            screen.line(first + 1, 0, &fitted(&message.text, screen.columns), attributes);
        }
        None => screen.line(first + 1, 0, hint.trim_end(), ""),
    }
}

/// Shortens a text in its middle, which keeps the ends of a path.
pub(crate) fn fitted(text: &str, width: usize) -> String {
    let letters: Vec<char> = text.lines().next().unwrap_or_default().chars().collect();
    if letters.len() <= width {
        return letters.into_iter().collect();
    }
    let kept = width.saturating_sub(3);
    let (head, tail) = (kept - kept / 2, kept / 2);
    letters[..head]
        .iter()
        .chain("...".chars().collect::<Vec<_>>().iter())
        .chain(&letters[letters.len() - tail..])
        .collect()
}

/// Returns the line on the scene: the preset, the hour, and the cell of the viewer.
fn status(scene: &Scene, name: &str, has_seed: bool) -> String {
    let viewer = scene.viewer();
    let mut words = Vec::new();
    if !name.is_empty() {
        words.push(name.to_owned());
    }
    if scene.preset().clock.runs {
        words.push(scene.clock().day_and_time());
    }
    words.push(format!("cell {},{}", viewer.x, viewer.y));
    if let Some(world) = scene.world() {
        words.push(world.biome()[viewer].name().to_owned());
        words.push(format!("{:.0} m", world.elevation_m()[viewer]));
    }
    words.push(format!("radius {}", scene.radius()));
    if has_seed {
        words.push(format!("seed {}", scene.preset().world.seed));
    }
    words.join("  ")
}

/// Draws what the viewer sees all around, with north in the middle, in lines of some columns. `None` if the scene has no heights.
fn panorama_lines(painter: &mut PanoramaPainter, explorer: &TerminalExplorer, columns: usize) -> Option<Vec<String>> {
    let (scene, style) = (explorer.scene(), explorer.style);
    let rows = 2 * usize::from(PANORAMA_LINES - 1);
    let options = PanoramaOptions::default().with_names(false).with_samples(1);
    let mut options = options.with_width((columns * PIXELS) as u32).with_height((rows * PIXELS) as u32);
    if let Some(map) = explorer.document.map() {
        options.set_place(map, scene.origin() + scene.viewer());
    }
    let panorama = painter.paint(scene, &options, &[]).ok()?;
    let mut lines: Vec<String> = match style.colours {
        None => plain_panorama(&panorama, columns),
        Some(depth) => (0..rows / 2)
            .map(|line| {
                let mut text = String::new();
                for column in 0..columns {
                    let [upper, lower] = [0, 1].map(|half| mean_colour(&panorama, column, 2 * line + half));
                    let _ = match style.is_unicode {
                        true => write!(text, "\x1b[{};{}m▀", depth.letter(upper), depth.ground(lower)),
                        false => write!(text, "\x1b[{}m ", depth.ground(upper)),
                    };
                }
                text + "\x1b[0m"
            })
            .collect(),
    };
    lines.push(compass(columns));
    Some(lines)
}

/// Returns the mean colour of a block of pixels without names.
fn mean_colour(panorama: &Panorama, column: usize, row: usize) -> [u8; 3] {
    let ground = panorama.ground();
    let mut sums = [0u32; 3];
    for y in row * PIXELS..(row + 1) * PIXELS {
        let start = 4 * (y * ground.width() + column * PIXELS);
        for pixel in ground.rgba()[start..start + 4 * PIXELS].chunks_exact(4) {
            sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += u32::from(*value));
        }
    }
    sums.map(|sum| (sum / (PIXELS * PIXELS) as u32) as u8)
}

/// Draws the land by its distance.
fn plain_panorama(panorama: &Panorama, columns: usize) -> Vec<String> {
    let middle = |at: usize| at * PIXELS + PIXELS / 2;
    let distance = |column: usize, line: usize| panorama.distance_m(middle(column), 2 * middle(line));
    let lines = usize::from(PANORAMA_LINES - 1);
    let all = (0..lines).flat_map(|line| (0..columns).filter_map(move |column| distance(column, line)));
    let farthest = all.fold(1.0, f32::max);
    let letter = |distance: f32| DISTANCES.iter().find(|(share, _)| distance <= share * farthest).map(|(_, l)| *l);
    let line = |line| (0..columns).map(|column| distance(column, line).and_then(letter).unwrap_or(' ')).collect();
    (0..lines).map(line).collect()
}

/// Returns a line with the points of the compass, from south over west and north to south.
fn compass(columns: usize) -> String {
    let mut line = vec![' '; columns];
    for (i, name) in ["S", "SW", "W", "NW", "N", "NE", "E", "SE"].into_iter().enumerate() {
        let at = i * columns / 8;
        line.iter_mut().skip(at).zip(name.chars()).for_each(|(place, letter)| *place = letter);
    }
    line.into_iter().collect()
}
