//! The screen of the explorer in a simulated terminal.

use std::path::PathBuf;

use super::command::TerminalCommand;
use super::screen::{draw, fitted};
use super::state::{Outcome, Page, TerminalExplorer};
use crate::cli::terminal_drawing::TerminalStyle;
use crate::document::{Command, Document, DocumentOptions, Source};
use farsight::Job;
use farsight::sight::OpacityMap;
use farsight_scene::export::ExportOptions;
use farsight_scene::files::MapSource;
use farsight_scene::preset::{Preset, shipped_names};
use farsight_scene::scene::Scene;
use glam::{IVec2, ivec2};

/// Returns the characters on a terminal after a drawing. It interprets only the escape sequences of the explorer.
fn shown(explorer: &TerminalExplorer) -> Vec<String> {
    let [columns, lines] = explorer.size.map(usize::from);
    let mut cells = vec![vec![' '; columns]; lines];
    let (mut line, mut column) = (0, 0);
    let drawing = draw(explorer);
    let mut rest = drawing.chars();
    while let Some(letter) = rest.next() {
        if letter != '\x1b' {
            assert!(line < lines && column < columns, "{letter:?} at {column},{line} of {columns}x{lines}");
            cells[line][column] = letter;
            column += 1;
            continue;
        }
        assert_eq!(rest.next(), Some('['));
        let sequence: String = rest.by_ref().take_while_inclusive_letter();
        let (arguments, end) = sequence.split_at(sequence.len() - 1);
        match end {
            "H" => {
                let (to_line, to_column) = arguments.split_once(';').unwrap();
                (line, column) = (to_line.parse::<usize>().unwrap() - 1, to_column.parse::<usize>().unwrap() - 1);
            }
            "K" => cells[line][column..].fill(' '),
            "m" | "h" | "l" => {}
            other => panic!("{other}"),
        }
    }
    cells.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect()
}

trait TakeSequence {
    fn take_while_inclusive_letter(self) -> String;
}

impl<I: Iterator<Item = char>> TakeSequence for &mut I {
    fn take_while_inclusive_letter(self) -> String {
        let mut text = String::new();
        for letter in self {
            text.push(letter);
            if letter.is_ascii_alphabetic() {
                break;
            }
        }
        text
    }
}

fn explorer(
    scene: Scene,
    source: Source,
    name: &str,
    own_presets: Option<PathBuf>,
    style: TerminalStyle,
) -> TerminalExplorer {
    let document = Document::new(DocumentOptions::with_scene(scene, source, name));
    TerminalExplorer::new(document, ExportOptions::default(), Vec::new(), own_presets, style)
}

fn on_plain(style: TerminalStyle) -> TerminalExplorer {
    let mut preset = Preset::bare_kernel();
    for (key, value) in [
        ("creatures", "[{ kind = \"deer\", at = [20, 10] }, { kind = \"deer\", at = [34, 10] }]"),
        ("perception.creatures", "0"),
        ("sight.radius", "30"),
        ("sight.decay.kind", "linear"),
    ] {
        preset.set(key, value).unwrap();
    }
    let map = OpacityMap::clear(60, 20).unwrap();
    let scene = Scene::from_map(preset, map.clone(), Some(ivec2(10, 10)), Job::none()).unwrap();
    explorer(scene, Source::OpacityMap { map: MapSource::new("plain.txt", ""), opacity: map.into() }, "", None, style)
}

fn in_world(name: &str) -> TerminalExplorer {
    let mut preset = Preset::named(name).unwrap();
    (preset.world.width, preset.world.height) = (64, 48);
    let scene = Scene::generate(preset, None, Job::none()).unwrap();
    explorer(scene, Source::Generated, name, None, TerminalStyle::TRUE_COLOUR)
}

#[test]
fn every_size_is_filled_and_nothing_is_written_outside() {
    let mut explorer = in_world("temperate");
    for size in [[1, 1], [24, 8], [23, 30], [40, 12], [71, 24], [72, 24], [80, 24], [200, 60]] {
        explorer.size = size;
        for page in [Page::Map, Page::Legend { first: 3 }, Page::Help { first: 99 }, Page::Presets { selected: 13 }] {
            explorer.page = page;
            for style in [TerminalStyle::TRUE_COLOUR, TerminalStyle::PLAIN] {
                explorer.style = style;
                shown(&explorer);
            }
        }
    }
}

#[test]
fn a_small_terminal_is_told_its_size() {
    let mut explorer = on_plain(TerminalStyle::PLAIN);
    explorer.size = [20, 7];
    assert!(shown(&explorer).join(" ").contains("too small: 20x7, needs 24x8"), "{:?}", shown(&explorer));
    explorer.size = [24, 8];
    assert!(shown(&explorer).join("").contains('@'));
}

#[test]
fn creatures_in_view_have_their_names_and_directions() {
    let lines = shown(&on_plain(TerminalStyle::TRUE_COLOUR));
    let panel: Vec<&str> = lines.iter().filter_map(|line| line.get(line.char_indices().nth(49)?.0..)).collect();
    assert_eq!(panel[0], "Creatures");
    assert_eq!(panel[1], "d deer, identified, 10 E");
    assert!(panel[2].starts_with("? something, glimpsed (0."), "{panel:?}");
    assert!(panel.iter().any(|line| line.starts_with("@ you")), "{panel:?}");
    assert!(panel.iter().any(|line| line.contains("seen well to barely")), "{panel:?}");
    let mut explorer = on_plain(TerminalStyle::TRUE_COLOUR);
    explorer.execute(Command::ToggleLook.into());
    let lines = shown(&explorer);
    assert!(lines.iter().any(|line| line.contains("visibility 0 to 1: ? from")), "{lines:?}");
}

#[test]
fn many_creatures_leave_room_for_the_legend() {
    let mut explorer = on_plain(TerminalStyle::TRUE_COLOUR);
    let herd: Vec<String> =
        (0..30).map(|i| format!("{{ kind = \"deer\", at = [{}, {}] }}", 5 + i % 15, 6 + i / 15)).collect();
    explorer.execute(Command::SetText("creatures".into(), format!("[{}]", herd.join(","))).into());
    let screen = shown(&explorer).join("\n");
    assert!(screen.contains("deer, identified, ") && screen.contains("Legend"), "{screen}");
    assert!(screen.contains(" more\n") && screen.contains("never seen"), "{screen}");
    explorer.size = [40, 12];
    explorer.page = Page::Legend { first: 0 };
    assert!(!shown(&explorer).join("").contains(" more"), "a list that moves has all");
}

#[test]
fn the_viewer_walks_and_the_status_follows() {
    let mut explorer = on_plain(TerminalStyle::PLAIN);
    let at = |explorer: &TerminalExplorer| {
        let lines = shown(explorer);
        let line = lines.iter().position(|line| line.contains('@')).unwrap();
        (lines[line].find('@').unwrap(), lines[22].clone())
    };
    let (before, status) = at(&explorer);
    assert!(status.contains("cell 10,10") && !status.contains("seed"), "{status}");
    explorer.execute(Command::Walk(ivec2(1, 0)).into());
    explorer.execute(Command::Walk(ivec2(1, 1)).into());
    let (after, status) = at(&explorer);
    assert!(after == before + 2 && status.contains("cell 12,11"), "{before} {after} {status}");
    explorer.execute(Command::Walk(ivec2(-100, 0)).into());
    assert_eq!(explorer.scene().viewer(), ivec2(11, 11), "a step is one cell");
}

#[test]
fn a_preset_is_chosen_from_the_list_and_its_world_is_made() {
    let mut explorer = in_world("temperate");
    explorer.execute(TerminalCommand::TogglePresets);
    let lines = shown(&explorer);
    assert!(lines[1].starts_with("> temperate"), "{lines:?}");
    let position = |wanted| shipped_names().position(|name| name == wanted).unwrap();
    let haze = position("haze");
    explorer.execute(TerminalCommand::Move(haze as i32));
    assert!(shown(&explorer)[1 + haze].starts_with("> haze"));
    explorer.execute(TerminalCommand::Choose);
    assert_eq!(explorer.page, Page::Map);
    assert!(shown(&explorer)[22].starts_with("Making the world of haze: "));
    while !explorer.document.is_settled() {
        explorer.poll_document();
    }
    assert_eq!((explorer.message.as_ref(), explorer.scene().size()), (None, IVec2::splat(512)));
    assert!(shown(&explorer)[22].starts_with("haze  "));
    let viewer = explorer.scene().viewer();
    explorer.page = Page::Presets { selected: position("mist") };
    explorer.execute(TerminalCommand::Choose);
    assert_eq!((explorer.scene().viewer(), explorer.document.name()), (viewer, "mist"), "the same world");
}

#[test]
fn presets_of_the_user_are_listed_first_and_chosen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), "extends = \"temperate\"\n[sight]\nradius = 11\n").unwrap();
    let scene = in_world("temperate").scene().clone();
    let own = Some(folder.path().to_owned());
    let mut explorer = explorer(scene, Source::Generated, "temperate", own, TerminalStyle::TRUE_COLOUR);
    explorer.execute(TerminalCommand::TogglePresets);
    let lines = shown(&explorer);
    assert!(lines[1].starts_with("  mine ") && lines[2].starts_with("> temperate"), "{lines:?}");
    explorer.execute(TerminalCommand::Move(-1));
    std::fs::write(folder.path().join("mine.toml"), "radius").unwrap();
    explorer.execute(TerminalCommand::Choose);
    assert!(explorer.message.as_ref().is_some_and(|message| message.is_error), "a faulty preset is reported");
    std::fs::write(folder.path().join("mine.toml"), "extends = \"temperate\"\n[sight]\nradius = 11\n").unwrap();
    explorer.page = Page::Presets { selected: 0 };
    explorer.execute(TerminalCommand::Choose);
    assert!(!explorer.document.is_settled() || explorer.scene().preset().sight.radius == 11);
}

#[test]
fn keys_without_a_meaning_on_a_map_say_so() {
    let mut explorer = on_plain(TerminalStyle::PLAIN);
    for (command, words) in [
        (TerminalCommand::TogglePresets, "A map has no presets"),
        (Command::AddToSeed(1).into(), "A map from a file has no other worlds"),
        (Command::ScaleVisualRange(0.5).into(), "There is no fog here"),
    ] {
        explorer.execute(command);
        assert_eq!((shown(&explorer)[23].as_str(), explorer.page), (words, Page::Map));
    }
    assert_eq!(explorer.execute(TerminalCommand::Close), Outcome::Quit);
}

#[test]
fn fog_hours_and_radius_change_the_scene() {
    let mut explorer = in_world("clear-day");
    let before = explorer.scene().preset().clone();
    explorer.execute(Command::ScaleVisualRange(0.5).into());
    assert!(shown(&explorer)[23].starts_with("Visual range "));
    explorer.execute(Command::AddHours(-1).into());
    explorer.execute(Command::AddToRadius(-4).into());
    let after = explorer.scene().preset();
    assert!(after.optics.visual_range_m < before.optics.visual_range_m);
    assert!(after.clock.runs && after.clock.hour != before.clock.hour);
    assert_eq!(after.sight.radius + 4, before.sight.radius);
    for _ in 0..40 {
        explorer.execute(Command::AddToRadius(-4).into());
        explorer.execute(Command::ScaleVisualRange(0.5).into());
    }
    assert_eq!(explorer.scene().preset().sight.radius, 0);
    assert_eq!(explorer.message.as_ref().map(|message| message.text.as_str()), Some("Visual range 50 m"));
}

#[test]
fn changes_are_undone_and_redone_one_by_one() {
    let mut explorer = in_world("clear-day");
    let radius = |explorer: &TerminalExplorer| explorer.scene().preset().sight.radius;
    let first = radius(&explorer);
    explorer.execute(Command::AddToRadius(-4).into());
    explorer.execute(Command::AddToRadius(-4).into());
    explorer.execute(Command::Walk(ivec2(1, 0)).into());
    let viewer = explorer.scene().viewer();
    explorer.execute(Command::Undo.into());
    assert_eq!((radius(&explorer), explorer.scene().viewer()), (first - 4, viewer), "a walk is not undone");
    explorer.execute(Command::Undo.into());
    assert_eq!(radius(&explorer), first);
    explorer.execute(Command::Undo.into());
    assert_eq!(explorer.message.as_ref().map(|message| message.text.as_str()), Some("Nothing to undo"));
    explorer.execute(Command::Redo.into());
    assert_eq!(radius(&explorer), first - 4);
}

#[test]
fn doors_are_drawn_and_opened_by_a_key() {
    let map = OpacityMap::from_text("#####\n..+..\n##'##\n.....").unwrap();
    let scene = Scene::from_map(Preset::bare_kernel(), map.clone(), Some(ivec2(1, 1)), Job::none()).unwrap();
    let source = Source::OpacityMap { map: MapSource::new("doors.txt", ""), opacity: map.into() };
    let explorer = |style| explorer(scene.clone(), source.clone(), "", None, style);
    for style in [TerminalStyle::TRUE_COLOUR, TerminalStyle::PLAIN] {
        let mut explorer = explorer(style);
        let message = |explorer: &TerminalExplorer| explorer.message.as_ref().map(|message| message.text.clone());
        let first_line = |explorer: &TerminalExplorer| shown(explorer)[0].chars().take(5).collect::<String>();
        assert_eq!(first_line(&explorer).chars().nth(2), Some('+'));
        assert!(shown(&explorer).iter().any(|line| line.ends_with("door, closed")), "{:?}", shown(&explorer));
        explorer.execute(Command::Walk(ivec2(1, 0)).into());
        assert_eq!(message(&explorer).as_deref(), Some("A closed door is in the way: o opens it"));
        explorer.execute(TerminalCommand::ToggleNearDoor);
        assert_eq!(message(&explorer).as_deref(), Some("The door is open"), "that ahead, not that below");
        assert_eq!(first_line(&explorer).chars().nth(2), Some('\''));
        assert_eq!(explorer.scene().preset().cells.len(), 1);
        explorer.execute(Command::Walk(ivec2(1, 0)).into());
        explorer.execute(Command::Walk(ivec2(1, 0)).into());
        explorer.execute(TerminalCommand::ToggleNearDoor);
        assert_eq!(message(&explorer).as_deref(), Some("The door is closed"), "the one behind");
        explorer.execute(Command::Walk(ivec2(1, 0)).into());
        explorer.execute(TerminalCommand::ToggleNearDoor);
        assert_eq!(message(&explorer).as_deref(), Some("There is no door next to you"));
    }
}

#[test]
fn long_messages_keep_their_ends() {
    assert_eq!(fitted("Saved a.png in /home/me/deep/folder", 20), "Saved a.p...p/folder");
    assert_eq!(fitted("short", 20), "short");
}

#[test]
fn plain_drawings_have_no_colours_and_only_ascii() {
    let mut explorer = in_world("fog");
    explorer.style = TerminalStyle::PLAIN;
    let drawing = draw(&explorer);
    assert!(drawing.is_ascii() && !drawing.contains("\x1b[38") && !drawing.contains("\x1b[48"));
}

#[test]
fn the_panorama_is_below_the_map_and_a_map_of_walls_has_none() {
    let mut explorer = in_world("alpine");
    for style in [TerminalStyle::TRUE_COLOUR, TerminalStyle::PLAIN] {
        explorer.style = style;
        let before = shown(&explorer);
        explorer.execute(TerminalCommand::TogglePanorama);
        let after = shown(&explorer);
        assert_eq!(after.len(), 24);
        assert!(
            after[21].starts_with('S') && after[21].contains("  N  ") && after[21].contains("  NE  "),
            "{}",
            after[21]
        );
        let land = if style == TerminalStyle::PLAIN { '#' } else { '▀' };
        assert!(after[20].contains(land) && after[15..21] != before[15..21], "{after:#?}");
        explorer.execute(TerminalCommand::TogglePanorama);
        assert_eq!(shown(&explorer), before);
    }
    explorer.execute(TerminalCommand::TogglePanorama);
    explorer.size = [40, 12]; // no space for both
    assert_eq!(shown(&explorer).len(), 12);
    let mut plain = on_plain(TerminalStyle::TRUE_COLOUR);
    plain.execute(TerminalCommand::TogglePanorama);
    assert_eq!(plain.message.unwrap().text, "A map of walls has no panorama");
}
