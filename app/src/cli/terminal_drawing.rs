//! The map drawn with characters: half blocks in colours, or plain ones; [`TerminalStyle`].

use std::fmt::Write;

use anstyle::{Ansi256Color, RgbColor};
use anstyle_lossy::palette::DEFAULT;
use anstyle_lossy::{rgb_to_ansi, rgb_to_xterm};
use glam::{IVec2, ivec2};

use farsight::grid::CellRect;
use farsight::perception::{CellMemory, Recognition};
use farsight::sight::Door;
use farsight_scene::creatures::Sighting;
use farsight_scene::paint::{PaintOptions, Picture, Unseen, Zoom, paint_ground};
use farsight_scene::scene::{Scene, Terrain};
use farsight_scene::world::Biome;

/// The colours and characters of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TerminalStyle {
    /// The colours; `None` for printable ASCII without them.
    pub(crate) colours: Option<ColourDepth>,
    /// `true` if it shows characters beyond ASCII.
    pub(crate) is_unicode: bool,
}

/// The number of colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColourDepth {
    /// The 16 of ANSI.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// 24 bits.
    True,
}

impl TerminalStyle {
    /// No colours.
    pub(crate) const PLAIN: Self = Self { colours: None, is_unicode: false };

    #[cfg(test)]
    pub(crate) const TRUE_COLOUR: Self = Self { colours: Some(ColourDepth::True), is_unicode: true };
}

impl ColourDepth {
    /// Returns the parameters of the escape sequence of a foreground colour.
    pub(crate) fn letter(self, [r, g, b]: [u8; 3]) -> String {
        match self {
            Self::True => format!("38;2;{r};{g};{b}"),
            Self::Indexed => format!("38;5;{}", rgb_to_xterm(RgbColor(r, g, b)).index()),
            Self::Sixteen => match ansi_index([r, g, b]) {
                dark @ 0..8 => format!("{}", 30 + dark),
                bright => format!("{}", 82 + bright),
            },
        }
    }

    /// Returns the parameters of the escape sequence of a background colour.
    pub(crate) fn ground(self, [r, g, b]: [u8; 3]) -> String {
        match self {
            Self::True => format!("48;2;{r};{g};{b}"),
            Self::Indexed => format!("48;5;{}", rgb_to_xterm(RgbColor(r, g, b)).index()),
            Self::Sixteen => match ansi_index([r, g, b]) {
                dark @ 0..8 => format!("{}", 40 + dark),
                bright => format!("{}", 92 + bright),
            },
        }
    }
}

/// Returns the index of the nearest of the 16 colours of ANSI.
fn ansi_index([r, g, b]: [u8; 3]) -> u8 {
    Ansi256Color::from_ansi(rgb_to_ansi(RgbColor(r, g, b), DEFAULT)).index()
}

/// The look of the map in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapLook {
    pub(crate) unseen: Unseen,
    /// `true` if the viewer and the creatures have their own colours on darkened ground.
    pub(crate) has_coloured_marks: bool,
}

impl Default for MapLook {
    fn default() -> Self {
        Self { unseen: Unseen::Mapped, has_coloured_marks: false }
    }
}

impl MapLook {
    /// Returns the options for a part of the map, with one pixel per cell.
    pub(crate) fn paint_options(self, frame: CellRect) -> PaintOptions {
        PaintOptions::new(frame, Zoom::PixelsPerCell(1)).with_unseen(self.unseen)
    }
}

/// Returns the part of the map that fits in these columns and lines, with the viewer as near to its middle as the edges of
/// the map allow. A cell is one column wide and half a line high.
pub(crate) fn frame_around_viewer(scene: &Scene, [columns, lines]: [u16; 2]) -> CellRect {
    let cells = ivec2(i32::from(columns.max(1)), 2 * i32::from(lines.max(1)));
    let size = scene.size().min(cells);
    let min = (scene.viewer() - size / 2).clamp(IVec2::ZERO, scene.size() - size);
    CellRect { min, max: min + size }
}

/// Draws a part of the map, with a line for two rows of cells.
pub(crate) fn draw(scene: &Scene, frame: CellRect, look: MapLook, style: TerminalStyle) -> String {
    let glyphs = glyphs(scene, frame, look.has_coloured_marks);
    match style.colours {
        Some(depth) => draw_in_colour(scene, frame, look, &glyphs, depth, style.is_unicode),
        None => draw_plain(scene, frame, &glyphs),
    }
}

/// The letters of doors, as in text maps.
pub(crate) const CLOSED_DOOR: char = '+';
pub(crate) const OPEN_DOOR: char = '\'';

/// The colour of doors.
pub(crate) const DOOR: [u8; 3] = [232, 160, 92];

/// The letter of a lamp. No species has it.
const LAMP: char = '!';

/// The colours of marks, as in the window.
const VIEWER_GROUND: [u8; 3] = [200, 24, 32];
pub(crate) const GLIMPSED: [u8; 3] = [255, 240, 150];
pub(crate) const STALE: [u8; 3] = [168, 168, 190];

/// A letter on a pair of cells.
struct MapGlyph {
    /// Column and line.
    at: IVec2,
    letter: char,
    ink: Ink,
}

/// The colours of a letter.
#[derive(Clone, Copy)]
enum Ink {
    /// White, or black on bright ground.
    Contrast,
    /// A colour on darkened ground.
    Own([u8; 3]),
    /// White on red.
    Viewer,
}

/// Returns the letters of doors, lamps, creatures and the viewer; later ones cover earlier ones.
fn glyphs(scene: &Scene, frame: CellRect, has_coloured_marks: bool) -> Vec<MapGlyph> {
    let doors = doors(scene).iter().filter(|door| scene.memory(**door) != CellMemory::Hidden).map(|&door| {
        let letter = if scene.door(door) == Some(Door::Closed) { CLOSED_DOOR } else { OPEN_DOOR };
        (door, letter, Ink::Own(DOOR))
    });
    let lamps = scene.lamps().iter().map(|lamp| {
        let light = lamp.colour.hue().map(|channel| (channel * 255.0).round() as u8);
        (lamp.at, LAMP, Ink::Own(light))
    });
    let creatures = scene.sightings().filter(|_| scene.preset().paint.creatures).map(|sighting| {
        let (letter, colour) = match sighting {
            Sighting::Identified(species, _) => (species.glyph, species.colour),
            Sighting::Glimpsed(_) => ('?', GLIMPSED),
            Sighting::Remembered(species, _) => (species.glyph, STALE),
            Sighting::Stale(_) => ('?', STALE),
        };
        (sighting.cell(), letter, if has_coloured_marks { Ink::Own(colour) } else { Ink::Contrast })
    });
    let viewer = (scene.viewer(), '@', if has_coloured_marks { Ink::Viewer } else { Ink::Contrast });
    let all = doors.chain(lamps).chain(creatures).chain([viewer]);
    all.filter(|(cell, ..)| frame.contains(*cell))
        .map(|(cell, letter, ink)| MapGlyph { at: (cell - frame.min) / ivec2(1, 2), letter, ink })
        .collect()
}

/// Returns the cells of the doors of a scene.
pub(crate) fn doors(scene: &Scene) -> &[IVec2] {
    match scene.terrain() {
        Terrain::Map(map) => map.doors(),
        Terrain::World(_) => &[],
    }
}

fn glyph_at(glyphs: &[MapGlyph], at: IVec2) -> Option<&MapGlyph> {
    glyphs.iter().rev().find(|glyph| glyph.at == at)
}

/// Draws half blocks, the upper pixel as foreground and the lower one as background; without Unicode, blanks on the
/// mean of both.
fn draw_in_colour(
    scene: &Scene,
    frame: CellRect,
    look: MapLook,
    glyphs: &[MapGlyph],
    depth: ColourDepth,
    is_unicode: bool,
) -> String {
    let filler = if is_unicode { '\u{2580}' } else { ' ' }; // the upper half block
    let picture = paint_ground(scene, &look.paint_options(frame));
    let mut text = String::new();
    for y in (0..picture.height()).step_by(2) {
        let mut colours = None;
        for x in 0..picture.width() {
            let pair = pair_of_pixels(&picture, x, y);
            let glyph = glyph_at(glyphs, ivec2(x as i32, y as i32 / 2));
            let blank = if is_unicode { pair } else { [mean_colour(pair); 2] };
            let wanted = glyph.map_or(blank, |glyph| letter_colours(pair, glyph.ink));
            if colours != Some(wanted) {
                let _ = write!(text, "\x1b[{};{}m", depth.letter(wanted[0]), depth.ground(wanted[1]));
                colours = Some(wanted);
            }
            text.push(glyph.map_or(filler, |glyph| glyph.letter));
        }
        text += "\x1b[0m\n";
    }
    text
}

/// Returns the upper and the lower pixel; black below the last row.
fn pair_of_pixels(picture: &Picture, x: usize, y: usize) -> [[u8; 3]; 2] {
    [y, y + 1].map(|y| picture.get(x, y).unwrap_or_default())
}

fn mean_colour([above, below]: [[u8; 3]; 2]) -> [u8; 3] {
    [0, 1, 2].map(|i| u8::midpoint(above[i], below[i]))
}

/// Returns foreground and background of a letter on a pair of pixels.
fn letter_colours(pair: [[u8; 3]; 2], ink: Ink) -> [[u8; 3]; 2] {
    let ground = mean_colour(pair);
    match ink {
        Ink::Own(colour) => [colour, ground.map(|channel| channel / 3)],
        Ink::Viewer => [[255; 3], VIEWER_GROUND],
        Ink::Contrast => {
            let [r, g, b] = ground.map(u32::from);
            let bright = 2126 * r + 7152 * g + 722 * b > 10_000 * 140; // luma of Rec. 709
            [if bright { [0; 3] } else { [255; 3] }, ground]
        }
    }
}

/// Characters from barely perceived to fully perceived.
const RAMP: &str = ".:-=+*%";
/// The characters on maps with doors, where `+` is a door.
const RAMP_WITH_DOORS: &str = ".:-=*%";

/// Returns the characters from barely perceived to fully perceived.
pub(crate) fn ramp(scene: &Scene) -> &'static str {
    if doors(scene).is_empty() { RAMP } else { RAMP_WITH_DOORS }
}

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
    text
}

/// Returns the line that explains the characters of a plain drawing.
pub(crate) fn plain_key(scene: &Scene) -> &'static str {
    if !doors(scene).is_empty() {
        "@ you  ! lamp  # wall  + closed door  ' open door  .:-=*% seen ever better  blank: out of sight\n"
    } else if scene.lamps().is_empty() {
        "@ you   # wall   ~ water   . : - = + * % seen ever better   blank: out of sight\n"
    } else {
        "@ you  ! lamp  # wall  ~ water  .:-=+*% seen ever better  blank: out of sight\n"
    }
}

fn ground_character(scene: &Scene, cell: IVec2) -> char {
    const WATER: [Biome; 4] = [Biome::DeepSea, Biome::ShallowSea, Biome::Lake, Biome::River];
    if scene.sense(cell) == Recognition::Hidden {
        ' '
    } else if scene.biome(cell).is_some_and(|biome| WATER.contains(&biome)) {
        '~'
    } else if scene.terrain().can_enter(cell) {
        let ramp = ramp(scene).as_bytes();
        let step = (scene.perceived(cell) * ramp.len() as f32) as usize;
        char::from(ramp[step.min(ramp.len() - 1)])
    } else {
        '#'
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farsight::grid::Grid;
    use farsight::light::Lamp;
    use farsight::sight::OpacityMap;
    use farsight_scene::creatures::Species;
    use farsight_scene::preset::{Preset, SightSettings};

    /// Returns a room of 9 × 8 cells with a wall across, and the viewer at 4,5.
    fn room() -> Scene {
        let map = ".........\n.........\n.........\n#########\n.........\n.........\n.........\n.........";
        let opacity = OpacityMap::try_from(Grid::from_text(map).unwrap()).unwrap();
        let mut preset = Preset::default().with_sight(SightSettings::default());
        preset.perception.creatures = 0.0;
        Scene::from_map(preset, opacity, Some(ivec2(4, 5)), farsight::Job::none()).unwrap()
    }

    fn drawn(scene: &Scene, size: [u16; 2], style: TerminalStyle) -> String {
        draw(scene, frame_around_viewer(scene, size), MapLook::default(), style)
    }

    #[test]
    fn colour_drawing_uses_half_blocks_and_resets_colours_after_each_line() {
        let drawn = drawn(&room(), [80, 20], TerminalStyle::TRUE_COLOUR);
        assert_eq!(drawn.lines().count(), 4);
        for line in drawn.lines() {
            assert!(line.starts_with("\x1b[38;2;") && line.ends_with("\x1b[0m"));
            let letters = line.matches(['\u{2580}', '@']).count();
            assert_eq!(letters, 9);
        }
        assert_eq!(drawn.matches('@').count(), 1);
    }

    #[test]
    fn terminals_with_fewer_colours_get_the_nearest_ones() {
        for (depth, letter, ground) in
            [(ColourDepth::True, "38;2;255;128;0", "48;2;250;10;10"), (ColourDepth::Indexed, "38;5;208", "48;5;196")]
        {
            assert_eq!((depth.letter([255, 128, 0]), depth.ground([250, 10, 10])), (letter.into(), ground.into()));
        }
        let sixteen = ColourDepth::Sixteen;
        assert_eq!((sixteen.letter([0; 3]), sixteen.ground([0; 3])), ("30".into(), "40".into()));
        assert_eq!((sixteen.letter([255; 3]), sixteen.ground([255; 3])), ("97".into(), "107".into()));
        let ascii = drawn(&room(), [80, 20], TerminalStyle { colours: Some(sixteen), is_unicode: false });
        assert!(ascii.is_ascii() && ascii.matches('@').count() == 1 && !ascii.contains("8;2;"), "{ascii:?}");
        assert!(ascii.lines().all(|line| line.contains("\x1b[") && line.matches(' ').count() >= 8), "{ascii:?}");
    }

    #[test]
    fn lamps_have_the_colour_of_their_light_and_the_viewer_covers_them() {
        let mut scene = room();
        let lamp = |x, y, colour: &str| Lamp::new(ivec2(x, y)).with_colour(colour.parse().unwrap());
        for lamp in [lamp(2, 7, "#ff8000"), lamp(7, 0, "#000080"), lamp(4, 4, "#ffffff")] {
            scene.add_lamp(lamp).unwrap();
        }
        let drawn = drawn(&scene, [80, 20], TerminalStyle::TRUE_COLOUR);
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
        let narrow = drawn(&room(), [3, 1], TerminalStyle::PLAIN);
        assert_eq!(narrow.lines().next(), Some("%@%"));
        assert!(drawn(&room(), [0, 0], TerminalStyle::PLAIN).starts_with("@\n"));
    }
}
