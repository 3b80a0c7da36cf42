//! The content of pages as lines of text: keys, presets, and the legend with the creatures in view.

use glam::IVec2;

use super::command::HELP;
use super::state::{ListedPreset, TerminalExplorer};
use crate::cli::terminal_drawing::{CLOSED_DOOR, DOOR, GLIMPSED, OPEN_DOOR, STALE, doors, ramp};
use farsight::grid::CellRect;
use farsight::perception::Recognition;
use farsight_scene::creatures::{Creature, nearest_direction};
use farsight_scene::paint::{Colour, Unseen, legend_bars};
use farsight_scene::preset::Look;

/// A line: a mark or a bar in colours, and words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PanelLine {
    /// The colours of a bar before the text.
    pub(crate) bar: Vec<[u8; 3]>,
    /// A letter before the text, with its colour.
    pub(crate) mark: Option<(char, [u8; 3])>,
    pub(crate) text: String,
    pub(crate) is_title: bool,
}

impl PanelLine {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    fn title(text: &str) -> Self {
        Self { text: text.to_owned(), is_title: true, ..Self::default() }
    }

    fn mark(letter: char, colour: [u8; 3], text: impl Into<String>) -> Self {
        Self { mark: Some((letter, colour)), ..Self::text(text) }
    }
}

/// The width of a bar in columns.
const BAR: usize = 20;

const WHITE: [u8; 3] = [255; 3];

/// Returns the creatures that are perceived or remembered, and then the legend. With a limited height, the legend
/// replaces the farthest creatures.
pub(crate) fn legend_lines(
    explorer: &TerminalExplorer,
    frame: CellRect,
    width: usize,
    height: Option<usize>,
) -> Vec<PanelLine> {
    let mut legend = vec![PanelLine::title("Legend")];
    legend.extend(match explorer.style.colours {
        Some(_) => legend_in_colour(explorer, frame, width),
        None => plain_legend(explorer),
    });
    let height = height.map_or(usize::MAX, |height| height.saturating_sub(legend.len()));
    let mut lines = creatures(explorer, frame, width, height);
    lines.append(&mut legend);
    lines
}

fn legend_in_colour(explorer: &TerminalExplorer, frame: CellRect, width: usize) -> Vec<PanelLine> {
    let (scene, look) = (explorer.scene(), explorer.look);
    let mut lines = vec![PanelLine::mark('@', WHITE, "you")];
    if let Some(lamp) = scene.lamps().first() {
        lines.push(PanelLine::mark('!', lamp.colour.hue().map(|channel| (channel * 255.0) as u8), "lamp"));
    }
    if !doors(scene).is_empty() {
        lines.push(PanelLine::mark(CLOSED_DOOR, DOOR, "door, closed"));
        lines.push(PanelLine::mark(OPEN_DOOR, DOOR, "door, open"));
    }
    for (colours, text) in legend_bars(scene, &look.paint_options(frame)) {
        lines.push(PanelLine { bar: resampled(&colours), ..PanelLine::default() });
        lines.extend(wrap(&text, width).into_iter().map(PanelLine::text));
    }
    lines.extend(unseen_caption(scene.preset().paint.look, look.unseen).map(PanelLine::text));
    lines
}

/// Returns the meaning of the colours of cells out of sight.
fn unseen_caption(look: Look, unseen: Unseen) -> impl Iterator<Item = &'static str> {
    let words: &[&str] = match (look, unseen) {
        (Look::Map, Unseen::Mapped) => &["paper: seen before", "darker paper: never seen"],
        (Look::Map, Unseen::Remembered) => &["paper: seen before", "blank paper: never seen"],
        (Look::Data, _) => &["white: out of sight"],
    };
    words.iter().copied()
}

fn plain_legend(explorer: &TerminalExplorer) -> Vec<PanelLine> {
    let mut lines = vec![PanelLine::text("@ you")];
    if !explorer.scene().lamps().is_empty() {
        lines.push(PanelLine::text("! lamp"));
    }
    if !doors(explorer.scene()).is_empty() {
        lines.extend(["+ door, closed", "' door, open"].map(PanelLine::text));
    }
    let ramp = format!("{} seen ever better", ramp(explorer.scene()));
    lines.extend(["# wall", "~ water", &ramp, "blank: out of sight"].map(PanelLine::text));
    lines
}

/// Returns the creatures with a mark in a part of the map, the nearest first, in at most `height` lines.
fn creatures(explorer: &TerminalExplorer, frame: CellRect, width: usize, height: usize) -> Vec<PanelLine> {
    let scene = explorer.scene();
    let viewer = scene.viewer();
    let marks = scene.creatures().all().iter().filter_map(|creature| Some((creature.mark_cell()?, creature)));
    let mut marks: Vec<(IVec2, &Creature)> =
        marks.filter(|(cell, _)| frame.contains(*cell) && scene.preset().paint.creatures).collect();
    marks.sort_by_key(|(cell, creature)| (creature.recognition == Recognition::Hidden, distance(*cell - viewer)));
    if marks.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![PanelLine::title("Creatures")];
    let count = marks.len();
    for (i, (cell, creature)) in marks.into_iter().enumerate() {
        let (letter, colour) = match creature.recognition {
            Recognition::Identified => (creature.species.glyph, creature.species.colour),
            Recognition::Glimpsed => ('?', GLIMPSED),
            Recognition::Hidden if creature.is_known => (creature.species.glyph, STALE),
            Recognition::Hidden => ('?', STALE),
        };
        let what = match creature.recognition {
            Recognition::Hidden => format!("{}, last seen", creature.name()),
            _ => creature.description(scene.perceived(creature.cell)),
        };
        // The no-break space keeps both parts of the position in one line.
        let text = format!("{what}, {}\u{a0}{}", distance(cell - viewer), compass_point(cell - viewer));
        let words = wrap(&text, width.saturating_sub(2));
        if lines.len() + words.len() + 2 > height {
            lines.push(PanelLine::text(format!("and {} more", count - i)));
            break;
        }
        let mut words = words.into_iter().map(|line| line.replace('\u{a0}', " "));
        lines.push(PanelLine::mark(letter, colour, words.next().unwrap_or_default()));
        lines.extend(words.map(|words| PanelLine::text(format!("  {words}"))));
    }
    lines.push(PanelLine::default());
    lines
}

/// Returns the number of steps to a cell.
fn distance(offset: IVec2) -> i32 {
    offset.abs().max_element()
}

/// Returns the direction of an offset: `N`, `NE` and so on.
fn compass_point(offset: IVec2) -> &'static str {
    match nearest_direction(offset) {
        (0, 0) => "here",
        (0, -1) => "N",
        (0, _) => "S",
        (1, 0) => "E",
        (1, -1) => "NE",
        (1, _) => "SE",
        (_, 0) => "W",
        (_, -1) => "NW",
        _ => "SW",
    }
}

/// Returns the colours of a bar for [`BAR`] columns.
fn resampled(colours: &[Colour]) -> Vec<[u8; 3]> {
    let at = |column: usize| colours.get(column * colours.len() / BAR).copied().unwrap_or_default();
    (0..BAR).map(|column| at(column).map(|channel| channel.clamp(0.0, 255.0) as u8)).collect()
}

/// Returns the lines of the help for a number of columns.
pub(crate) fn help_lines(columns: usize) -> Vec<String> {
    let widest = HELP.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (keys, effect) in HELP {
        if columns >= widest + 34 {
            let effects = wrap(effect, columns - widest - 2);
            let with_keys = effects.iter().enumerate().map(|(i, effect)| {
                let keys = if i == 0 { keys } else { "" };
                format!("{keys:widest$}  {effect}")
            });
            lines.extend(with_keys);
        } else {
            lines.extend(wrap(&format!("{keys}: {effect}"), columns));
        }
    }
    lines
}

/// Returns a line for each preset.
pub(crate) fn preset_lines(presets: &[ListedPreset], selected: usize) -> Vec<String> {
    let widest = presets.iter().map(|preset| preset.name.chars().count()).max().unwrap_or(0);
    let line = |(i, ListedPreset { name, about, .. }): (usize, &ListedPreset)| {
        let name: String = name.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
        format!("{} {name:widest$}  {about}", if i == selected { '>' } else { ' ' })
    };
    presets.iter().enumerate().map(line).collect()
}

/// Wraps a text at words into lines of at most `width` characters.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
