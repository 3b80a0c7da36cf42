//! The panorama of the viewer as lines of a terminal.

use std::fmt::Write;

use crate::cli::terminal_drawing::TerminalStyle;
use farsight_scene::panorama::{Panorama, PanoramaOptions, PanoramaPainter};
use farsight_scene::scene::Scene;

/// The lines of a panorama, with the compass below.
pub(crate) const LINES: u16 = 7;

/// The pixels of a panorama each way that are a half of a character.
const PIXELS: usize = 8;

/// The share of the way to the farthest land at which characters change, for a terminal without colours.
const DISTANCES: [(f32, char); 3] = [(0.06, '#'), (0.25, '+'), (1.0, '.')];

/// Draws what the viewer sees all around, with north in the middle, in lines of some columns. `None` if the scene has no heights.
pub(crate) fn draw(
    painter: &mut PanoramaPainter,
    scene: &Scene,
    columns: usize,
    style: TerminalStyle,
) -> Option<Vec<String>> {
    let rows = 2 * usize::from(LINES - 1);
    let options = PanoramaOptions::default().with_names(false).with_samples(1);
    let options = options.with_width((columns * PIXELS) as u32).with_height((rows * PIXELS) as u32);
    let panorama = painter.paint(scene, &options, &[]).ok()?;
    let mut lines: Vec<String> = match style.colours {
        None => plain(&panorama, columns),
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
fn plain(panorama: &Panorama, columns: usize) -> Vec<String> {
    let middle = |at: usize| at * PIXELS + PIXELS / 2;
    let distance = |column: usize, line: usize| panorama.distance_m(middle(column), 2 * middle(line));
    let lines = usize::from(LINES - 1);
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
