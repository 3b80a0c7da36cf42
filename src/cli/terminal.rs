//! The view drawn in a terminal: half blocks in 24-bit colour, or plain characters.

use std::env;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};

use super::exit::Failure;
use super::scene_args::SceneArgs;
use crate::cli::print;
use crate::grid::CellRect;
use crate::paint::{Backdrop, PaintOptions, Picture, Unseen, Zoom, paint_ground};
use crate::perception::{Sense, Sighting};
use crate::scene::Scene;
use crate::world::Biome;
use glam::{IVec2, ivec2};

/// Where nobody says how large the terminal is.
const USUAL_SIZE: [u16; 2] = [80, 24];

/// Lines below the drawing: two on what to do next, the key of the characters, and the next prompt.
const LINES_BELOW: u16 = 4;

/// How the view is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Half blocks in 24-bit colour.
    Colour,
    /// Printable ASCII, no escape sequences.
    Plain,
}

/// Draws the scene in the terminal, and says how to export and explore it.
pub(super) fn show(args: &SceneArgs) -> Result<(), Failure> {
    let (scene, _) = args.request()?.scene(false)?;
    let style = style(env_is("NO_COLOR"), env::var("TERM").ok().as_deref(), stdout().is_terminal());
    let [columns, lines] = match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), terminal_size::Height(lines))) if stdout().is_terminal() => {
            [columns, lines]
        }
        _ => USUAL_SIZE,
    };
    let mut text = draw(&scene, [columns, lines.saturating_sub(LINES_BELOW)], style);
    let words = args.as_words();
    let _ = writeln!(text, "Write it as a picture:  farsight export {words}-o view.png");
    let explore = format!("farsight explore {words}");
    let _ = writeln!(text, "Walk in it, on a display:  {}", explore.trim_end());
    print(&text)
}

/// Whether a variable is there and not empty, which is how `NO_COLOR` is meant (no-color.org).
fn env_is(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn style(no_color: bool, term: Option<&str>, is_terminal: bool) -> Style {
    if no_color || term == Some("dumb") || !is_terminal { Style::Plain } else { Style::Colour }
}

/// The surroundings of the viewer, as many as fit: a cell is a column wide and half a line high.
fn draw(scene: &Scene, [columns, lines]: [u16; 2], style: Style) -> String {
    let room = ivec2(i32::from(columns.max(1)), 2 * i32::from(lines.max(1)));
    let frame = frame(scene, room);
    let marks = marks(scene, frame);
    match style {
        Style::Colour => coloured(scene, frame, &marks),
        Style::Plain => plain(scene, frame, &marks),
    }
}

/// The part of the map that is drawn, with the viewer as near to its middle as the edges allow.
fn frame(scene: &Scene, room: IVec2) -> CellRect {
    let size = scene.size().min(room);
    let min = (scene.viewer() - size / 2).clamp(IVec2::ZERO, scene.size() - size);
    CellRect { min, max: min + size }
}

/// What stands on a lamp. No creature has this sign.
const LAMP: char = '!';

/// A letter on a pair of cells.
struct Mark {
    /// Column and line.
    at: IVec2,
    letter: char,
    /// The colour of a lamp's light; others are white or black, as the ground is dark or bright.
    light: Option<[u8; 3]>,
}

/// The letters that stand on pairs of cells: lamps, creatures and question marks over them, and the viewer over all.
fn marks(scene: &Scene, frame: CellRect) -> Vec<Mark> {
    let lamps = scene.lamps().iter().map(|lamp| {
        let light = lamp.colour.hue().map(|channel| (channel * 255.0).round() as u8);
        (lamp.at, LAMP, Some(light))
    });
    let creatures = scene.sightings().filter(|_| scene.preset().paint.creatures).map(|sighting| {
        let glyph = match sighting {
            Sighting::Identified(species, _) => species.glyph,
            Sighting::Glimpsed(_) | Sighting::Stale(_) => '?',
        };
        (sighting.cell(), glyph, None)
    });
    let all = lamps.chain(creatures).chain([(scene.viewer(), '@', None)]);
    all.filter(|(cell, ..)| frame.contains(*cell))
        .map(|(cell, letter, light)| Mark { at: (cell - frame.min) / ivec2(1, 2), letter, light })
        .collect()
}

fn mark_at(marks: &[Mark], place: IVec2) -> Option<&Mark> {
    marks.iter().rev().find(|mark| mark.at == place)
}

fn coloured(scene: &Scene, frame: CellRect, marks: &[Mark]) -> String {
    let options =
        PaintOptions { frame, zoom: Zoom::PixelsPerCell(1), backdrop: Backdrop::Land, unseen: Unseen::Mapped };
    let picture = paint_ground(scene, &options);
    let mut text = String::new();
    for y in (0..picture.height()).step_by(2) {
        let mut colours = None;
        for x in 0..picture.width() {
            let pair = pair_of_pixels(&picture, x, y);
            let mark = mark_at(marks, ivec2(x as i32, y as i32 / 2));
            let wanted = mark.map_or(pair, |mark| on_ground(pair, mark.light));
            if colours != Some(wanted) {
                let [[r, g, b], [br, bg, bb]] = wanted;
                let _ = write!(text, "\x1b[38;2;{r};{g};{b};48;2;{br};{bg};{bb}m");
                colours = Some(wanted);
            }
            text.push(mark.map_or('\u{2580}', |mark| mark.letter)); // or the upper half block
        }
        text += "\x1b[0m\n";
    }
    text
}

/// The upper and the lower pixel; below the last row, the void.
fn pair_of_pixels(picture: &Picture, x: usize, y: usize) -> [[u8; 3]; 2] {
    [y, y + 1].map(|y| picture.get(x, y).unwrap_or_default())
}

/// Colours of a letter: white on the ground, or black where the ground is bright; a lamp's in its light, on ground dark
/// enough to see it.
fn on_ground([above, below]: [[u8; 3]; 2], light: Option<[u8; 3]>) -> [[u8; 3]; 2] {
    let ground = [0, 1, 2].map(|i| u8::midpoint(above[i], below[i]));
    if let Some(light) = light {
        return [light, ground.map(|channel| channel / 3)];
    }
    let [r, g, b] = ground.map(u32::from);
    let bright = 2126 * r + 7152 * g + 722 * b > 10_000 * 140; // luma of Rec. 709
    [if bright { [0; 3] } else { [255; 3] }, ground]
}

/// From just glimpsed to fully seen.
const RAMP: &[u8] = b".:-=+*%";

/// A character for each pair of cells, one above the other: what is best seen of them.
fn plain(scene: &Scene, frame: CellRect, marks: &[Mark]) -> String {
    let mut text = String::new();
    for y in (0..frame.height() as i32).step_by(2) {
        let mut line = String::new();
        for x in 0..frame.width() as i32 {
            let cell = frame.min + ivec2(x, y);
            let pair = [cell, cell + ivec2(0, 1)].into_iter().filter(|cell| frame.contains(*cell));
            let best = pair.max_by(|a, b| scene.perceived(*a).total_cmp(&scene.perceived(*b))).unwrap_or(cell);
            line.push(mark_at(marks, ivec2(x, y / 2)).map_or_else(|| ground_mark(scene, best), |mark| mark.letter));
        }
        text += line.trim_end();
        text.push('\n');
    }
    text += if scene.lamps().is_empty() {
        "@ you   # wall   ~ water   . : - = + * % seen ever better   blank: out of sight\n"
    } else {
        "@ you  ! lamp  # wall  ~ water  .:-=+*% seen ever better  blank: out of sight\n"
    };
    text
}

fn ground_mark(scene: &Scene, cell: IVec2) -> char {
    let perceived = scene.perceived(cell);
    if scene.sense(cell) == Sense::Hidden {
        return ' ';
    }
    let is_water = scene
        .biome(cell)
        .is_some_and(|biome| matches!(biome, Biome::DeepSea | Biome::ShallowSea | Biome::Lake | Biome::River));
    if is_water {
        '~'
    } else if scene.terrain().can_enter(cell) {
        let step = (perceived * RAMP.len() as f32) as usize;
        char::from(RAMP[step.min(RAMP.len() - 1)])
    } else {
        '#'
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::light::Lamp;
    use crate::perception::Species;
    use crate::preset::Preset;
    use crate::sight::{OpacityMap, SightConfig};

    /// A room of 9 × 8 cells with a wall across, and the viewer at 4,5.
    fn room() -> Scene {
        let map = ".........\n.........\n.........\n#########\n.........\n.........\n.........\n.........";
        let opacity = OpacityMap::try_from(Grid::from_text(map).unwrap()).unwrap();
        let mut preset = Preset { sight: SightConfig::default(), ..Preset::default() };
        preset.perception.creatures = 0.0;
        Scene::on_map(preset, opacity, Some(ivec2(4, 5)), crate::job::Job::quiet()).unwrap()
    }

    #[test]
    fn plain_characters_show_the_viewer_the_wall_and_what_it_hides() {
        let drawn = draw(&room(), [80, 20], Style::Plain);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[..4], ["", "#########", "%%%%@%%%%", "%%%%%%%%%"]);
        assert!(drawn.is_ascii() && !drawn.contains('\x1b'));
    }

    #[test]
    fn colours_come_as_half_blocks_and_are_reset_at_every_end_of_line() {
        let drawn = draw(&room(), [80, 20], Style::Colour);
        assert_eq!(drawn.lines().count(), 4);
        for line in drawn.lines() {
            assert!(line.starts_with("\x1b[38;2;") && line.ends_with("\x1b[0m"));
            let letters = line.matches(['\u{2580}', '@']).count();
            assert_eq!(letters, 9);
        }
        assert_eq!(drawn.matches('@').count(), 1);
    }

    #[test]
    fn lamps_stand_in_the_colour_of_their_light_below_the_viewer() {
        let mut scene = room();
        let lamp = |x, y, colour: &str| Lamp { colour: colour.parse().unwrap(), ..Lamp::new(ivec2(x, y)) };
        for lamp in [lamp(2, 7, "#ff8000"), lamp(7, 0, "#000080"), lamp(4, 4, "#ffffff")] {
            scene.add_lamp(lamp).unwrap();
        }
        let drawn = draw(&scene, [80, 20], Style::Plain);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[..4], ["       !", "#########", "%%%%@%%%%", "%%!%%%%%%"]);
        assert!(lines[4].contains("! lamp") && lines[4].len() <= 80 && drawn.is_ascii(), "{}", lines[4]);
        assert!(!draw(&room(), [80, 20], Style::Plain).contains("lamp"), "no word of lamps where there are none");
        let drawn = draw(&scene, [80, 20], Style::Colour);
        let letters: Vec<&str> = drawn.split("\x1b[38;2;").filter(|cell| cell.contains('!')).collect();
        assert_eq!(letters.len(), 2, "the viewer stands on the third: {letters:?}");
        assert!(letters[0].starts_with("0;0;255;48;2;"), "as bright as it can be: {letters:?}");
        assert!(letters[1].starts_with("255;128;0;48;2;"), "{letters:?}");
        for letter in letters {
            let ground = letter.split("48;2;").nth(1).unwrap().split('m').next().unwrap();
            assert!(ground.split(';').all(|channel| channel.parse::<u8>().unwrap() <= 85), "dark below it: {ground}");
        }
    }

    #[test]
    fn no_creature_has_the_sign_of_a_lamp() {
        assert!(Species::all().iter().all(|species| species.glyph != LAMP));
    }

    #[test]
    fn a_small_terminal_shows_the_surroundings_of_the_viewer() {
        let drawn = draw(&room(), [3, 1], Style::Plain);
        assert_eq!(drawn.lines().next(), Some("%@%"));
        assert!(draw(&room(), [0, 0], Style::Plain).starts_with("@\n"));
    }

    #[test]
    fn colour_is_for_terminals_that_want_it() {
        assert_eq!(style(false, Some("xterm"), true), Style::Colour);
        assert_eq!(style(true, Some("xterm"), true), Style::Plain);
        assert_eq!(style(false, Some("dumb"), true), Style::Plain);
        assert_eq!(style(false, None, false), Style::Plain);
    }
}
