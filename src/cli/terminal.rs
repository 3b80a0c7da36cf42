//! The view drawn in a terminal: half blocks in 24-bit colour, or plain characters.

use std::env;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};

use glam::{IVec2, ivec2};

use super::failure::Failure;
use super::scene_args::SceneArgs;
use super::stdio::print_stdout;
use crate::grid::CellRect;
use crate::paint::{PaintOptions, Picture, Unseen, Zoom, paint_ground};
use crate::perception::{Recognition, Sighting};
use crate::scene::Scene;
use crate::world::Biome;

/// Columns and lines of a terminal of unknown size.
const DEFAULT_SIZE: [u16; 2] = [80, 24];

/// Lines below the drawing: the key of the characters, two suggested commands, and the next prompt.
const LINES_BELOW: u16 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TerminalStyle {
    /// Half blocks in 24-bit colour.
    Colour,
    /// Printable ASCII without escape sequences.
    Plain,
}

/// Draws the scene in the terminal, with the commands that export and explore it.
pub(super) fn print_view(args: &SceneArgs) -> Result<(), Failure> {
    let (scene, _) = args.request()?.scene(false)?;
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()); // see no-color.org
    let has_colours = stdout().is_terminal() && switches_colours_on();
    let style = style(no_color, env::var("TERM").ok().as_deref(), has_colours);
    let [columns, lines] = match terminal_size::terminal_size() {
        Some((terminal_size::Width(columns), terminal_size::Height(lines))) if stdout().is_terminal() => {
            [columns, lines]
        }
        _ => DEFAULT_SIZE,
    };
    let mut text = draw(&scene, [columns, lines.saturating_sub(LINES_BELOW)], style);
    let flags = args.flags();
    let _ = writeln!(text, "Write it as a picture:  farsight export {flags}-o view.png");
    let explore = format!("farsight explore {flags}");
    let _ = writeln!(text, "Walk in it, on a display:  {}", explore.trim_end());
    print_stdout(text)
}

pub(super) fn commands_without_window(args: &SceneArgs) -> String {
    let flags = args.flags();
    let [view, export] = [format!("farsight {flags}"), format!("farsight export {flags}-o view.png")];
    format!("look around in the terminal with `{}`, or write a picture with `{export}`", view.trim_end())
}

/// Returns `true` if the terminal shows colours. The console of Windows shows escape sequences as text until it is asked.
fn switches_colours_on() -> bool {
    #[cfg(windows)]
    return anstyle_query::windows::enable_ansi_colors().unwrap_or(false);
    #[cfg(not(windows))]
    true
}

fn style(no_color: bool, term: Option<&str>, has_colours: bool) -> TerminalStyle {
    if no_color || term == Some("dumb") || !has_colours { TerminalStyle::Plain } else { TerminalStyle::Colour }
}

/// Draws the part of the map around the viewer that fits. A cell is one column wide and half a line high.
fn draw(scene: &Scene, [columns, lines]: [u16; 2], style: TerminalStyle) -> String {
    let cells = ivec2(i32::from(columns.max(1)), 2 * i32::from(lines.max(1)));
    let frame = frame_around_viewer(scene, cells);
    let glyphs = glyphs(scene, frame);
    match style {
        TerminalStyle::Colour => draw_in_colour(scene, frame, &glyphs),
        TerminalStyle::Plain => draw_plain(scene, frame, &glyphs),
    }
}

/// The part of the map that is drawn, with the viewer as near to its middle as the edges of the map allow.
fn frame_around_viewer(scene: &Scene, cells: IVec2) -> CellRect {
    let size = scene.size().min(cells);
    let min = (scene.viewer() - size / 2).clamp(IVec2::ZERO, scene.size() - size);
    CellRect { min, max: min + size }
}

/// The letter of a lamp. No species has it.
const LAMP: char = '!';

/// A letter on a pair of cells.
struct MapGlyph {
    /// Column and line.
    at: IVec2,
    letter: char,
    /// The colour of the lamp's light. Other letters are white, or black on bright ground.
    light: Option<[u8; 3]>,
}

/// The letters of lamps, creatures and the viewer; later ones cover earlier ones.
fn glyphs(scene: &Scene, frame: CellRect) -> Vec<MapGlyph> {
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
        .map(|(cell, letter, light)| MapGlyph { at: (cell - frame.min) / ivec2(1, 2), letter, light })
        .collect()
}

fn glyph_at(glyphs: &[MapGlyph], at: IVec2) -> Option<&MapGlyph> {
    glyphs.iter().rev().find(|glyph| glyph.at == at)
}

fn draw_in_colour(scene: &Scene, frame: CellRect, glyphs: &[MapGlyph]) -> String {
    let options = PaintOptions::new(frame, Zoom::PixelsPerCell(1)).with_unseen(Unseen::Mapped);
    let picture = paint_ground(scene, &options);
    let mut text = String::new();
    for y in (0..picture.height()).step_by(2) {
        let mut colours = None;
        for x in 0..picture.width() {
            let pair = pair_of_pixels(&picture, x, y);
            let glyph = glyph_at(glyphs, ivec2(x as i32, y as i32 / 2));
            let wanted = glyph.map_or(pair, |glyph| letter_colours(pair, glyph.light));
            if colours != Some(wanted) {
                let [[r, g, b], [br, bg, bb]] = wanted;
                let _ = write!(text, "\x1b[38;2;{r};{g};{b};48;2;{br};{bg};{bb}m");
                colours = Some(wanted);
            }
            text.push(glyph.map_or('\u{2580}', |glyph| glyph.letter)); // the upper half block
        }
        text += "\x1b[0m\n";
    }
    text
}

/// The upper and the lower pixel; black below the last row.
fn pair_of_pixels(picture: &Picture, x: usize, y: usize) -> [[u8; 3]; 2] {
    [y, y + 1].map(|y| picture.get(x, y).unwrap_or_default())
}

/// Foreground and background of a letter: white on the colour of the ground, black on bright ground, and the light of a
/// lamp on darkened ground.
fn letter_colours([above, below]: [[u8; 3]; 2], light: Option<[u8; 3]>) -> [[u8; 3]; 2] {
    let ground = [0, 1, 2].map(|i| u8::midpoint(above[i], below[i]));
    if let Some(light) = light {
        return [light, ground.map(|channel| channel / 3)];
    }
    let [r, g, b] = ground.map(u32::from);
    let bright = 2126 * r + 7152 * g + 722 * b > 10_000 * 140; // luma of Rec. 709
    [if bright { [0; 3] } else { [255; 3] }, ground]
}

/// Characters from barely perceived to fully perceived.
const RAMP: &[u8] = b".:-=+*%";

/// Draws a character for each pair of cells, one above the other: that of the better perceived cell.
fn draw_plain(scene: &Scene, frame: CellRect, glyphs: &[MapGlyph]) -> String {
    let mut text = String::new();
    for y in (0..frame.height() as i32).step_by(2) {
        let mut line = String::new();
        for x in 0..frame.width() as i32 {
            let cell = frame.min + ivec2(x, y);
            let pair = [cell, cell + ivec2(0, 1)].into_iter().filter(|cell| frame.contains(*cell));
            let best = pair.max_by(|a, b| scene.perceived(*a).total_cmp(&scene.perceived(*b))).unwrap_or(cell);
            line.push(
                glyph_at(glyphs, ivec2(x, y / 2)).map_or_else(|| ground_character(scene, best), |glyph| glyph.letter),
            );
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

fn ground_character(scene: &Scene, cell: IVec2) -> char {
    const WATER: [Biome; 4] = [Biome::DeepSea, Biome::ShallowSea, Biome::Lake, Biome::River];
    if scene.sense(cell) == Recognition::Hidden {
        ' '
    } else if scene.biome(cell).is_some_and(|biome| WATER.contains(&biome)) {
        '~'
    } else if scene.terrain().can_enter(cell) {
        let step = (scene.perceived(cell) * RAMP.len() as f32) as usize;
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
    fn colour_drawing_uses_half_blocks_and_resets_colours_after_each_line() {
        let drawn = draw(&room(), [80, 20], TerminalStyle::Colour);
        assert_eq!(drawn.lines().count(), 4);
        for line in drawn.lines() {
            assert!(line.starts_with("\x1b[38;2;") && line.ends_with("\x1b[0m"));
            let letters = line.matches(['\u{2580}', '@']).count();
            assert_eq!(letters, 9);
        }
        assert_eq!(drawn.matches('@').count(), 1);
    }

    #[test]
    fn lamps_have_the_colour_of_their_light_and_the_viewer_covers_them() {
        let mut scene = room();
        let lamp = |x, y, colour: &str| Lamp { colour: colour.parse().unwrap(), ..Lamp::new(ivec2(x, y)) };
        for lamp in [lamp(2, 7, "#ff8000"), lamp(7, 0, "#000080"), lamp(4, 4, "#ffffff")] {
            scene.add_lamp(lamp).unwrap();
        }
        let drawn = draw(&scene, [80, 20], TerminalStyle::Colour);
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
    fn no_species_has_the_letter_of_a_lamp() {
        assert!(Species::all().iter().all(|species| species.glyph != LAMP));
    }

    #[test]
    fn small_terminals_show_the_cells_around_the_viewer() {
        let drawn = draw(&room(), [3, 1], TerminalStyle::Plain);
        assert_eq!(drawn.lines().next(), Some("%@%"));
        assert!(draw(&room(), [0, 0], TerminalStyle::Plain).starts_with("@\n"));
    }

    #[test]
    fn only_terminals_without_no_color_get_colour() {
        assert_eq!(style(false, Some("xterm"), true), TerminalStyle::Colour);
        assert_eq!(style(true, Some("xterm"), true), TerminalStyle::Plain);
        assert_eq!(style(false, Some("dumb"), true), TerminalStyle::Plain);
        assert_eq!(style(false, None, false), TerminalStyle::Plain);
    }
}
