//! Scripts that play: doors, guards in light and dark, winning and losing.

use farsight::perception::Recognition;
use farsight::prelude::*;

use super::draw;
use super::game::{Game, SEEN_FROM};
use super::level::{generate, ways_to};

/// Returns the letters of the picture, without colours.
fn text(game: &mut Game) -> String {
    let picture = draw(game).unwrap().join("\n");
    picture.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, letters)| letters)).collect()
}

fn sees(game: &Game, cell: IVec2) -> bool {
    game.perceived(cell) >= SEEN_FROM
}

/// Starts a game on a level of letters, with the crown walled in below.
fn game(rows: &[&str]) -> Game {
    let wall = "#".repeat(rows[0].len());
    let vault = wall.replacen('#', "$", 1);
    let rows = [rows, &[&wall, &vault]].concat();
    let letter = |cell: IVec2| rows[cell.y as usize].as_bytes()[cell.x as usize] as char;
    Game::new(Grid::from_fn(rows[0].len(), rows.len(), letter), 1).unwrap()
}

fn play(game: &mut Game, keys: &str) {
    keys.chars().try_for_each(|key| game.press(key)).unwrap();
}

/// Plays to the crown and back, away from guards if there is a way around them and the player is careful. Returns the keys.
fn run_for_the_crown(seed: u32, is_careful: bool) -> (Game, String) {
    let mut game = Game::new(generate(seed).unwrap(), seed).unwrap();
    let cell_of = |game: &Game, is_it: &dyn Fn(IVec2) -> bool| {
        CellRect::of_size(game.tiles.size()).cells().find(|&cell| is_it(cell)).unwrap()
    };
    let mut keys = String::new();
    while game.lives > 0 && game.house == seed && keys.len() < 500 {
        let goal = if game.has_crown(game.player) {
            cell_of(&game, &|cell| game.tiles[cell] == '<')
        } else {
            cell_of(&game, &|cell| game.has_crown(cell))
        };
        let from_guards = |cell: IVec2| {
            game.guards.iter().map(|guard| (guard.at - cell).abs().max_element()).min().unwrap_or(i32::MAX)
        };
        let avoided = if is_careful { 4 } else { 1 };
        let is_safe = |cell: IVec2| cell == game.player || from_guards(cell) >= avoided;
        let size = game.tiles.size();
        let safe =
            Grid::from_fn(size.x as usize, size.y as usize, |cell| if is_safe(cell) { game.tiles[cell] } else { '#' });
        let ways = ways_to(goal, &safe);
        let near = CellRect::around(game.player, 1).cells();
        let steps = near.filter(|&cell| game.tiles[cell] != '#' && from_guards(cell) > 0);
        let next = steps.min_by_key(|&cell| (ways.get(cell).unwrap_or(u32::MAX), -from_guards(cell)));
        let offset = next.unwrap_or(game.player) - game.player + 1;
        let key = ["yku", "h.l", "bjn"][offset.y as usize].chars().nth(offset.x as usize).unwrap();
        game.press(key).unwrap();
        keys.push(key);
    }
    (game, keys)
}

#[test]
fn doors_open_and_shut_and_block_sight_and_light() {
    let mut game = game(&["###########", "#..<+....*#", "###########"]);
    let beyond = ivec2(7, 1);
    assert!(!sees(&game, beyond));
    assert_eq!(game.why(beyond), "Not seen: a closed door is in the way.");
    play(&mut game, "l");
    assert!(sees(&game, beyond) && game.tiles[ivec2(4, 1)] == '\'');
    let picture = text(&mut game);
    assert!(picture.contains("<@....*#"), "{picture}");
    play(&mut game, "h");
    assert!(!sees(&game, beyond) && game.light.level(game.player) == 0.0);
    assert!(text(&mut game).contains("@+....*"), "remembered");
}

#[test]
fn a_step_into_a_wall_takes_no_turn() {
    let mut game = game(&["#####", "#.<.#", "#####"]);
    play(&mut game, "kjlll");
    assert_eq!((game.turn, game.player), (1, ivec2(3, 1)));
    assert!(text(&mut game).contains("A wall bars the way."));
    play(&mut game, "h");
    assert!(game.messages.is_empty());
}

#[test]
fn a_step_into_a_guard_takes_no_turn_and_says_so() {
    let mut game = game(&["#####", "#.<g#", "#####"]);
    play(&mut game, "l");
    assert_eq!((game.turn, game.player), (0, ivec2(2, 1)));
    assert!(text(&mut game).contains("A guard bars the way."));
}

#[test]
fn a_caught_thief_is_told_so_and_starts_the_house_again() {
    let mut game = Game::new(generate(3).unwrap(), 3).unwrap();
    play(&mut game, "l");
    game.lives = 0;
    let caught = "The guards have caught you. Press r for this house again, q to quit.";
    play(&mut game, "l.");
    assert!(game.turn == 1 && text(&mut game).contains(caught), "{}", text(&mut game));
    play(&mut game, "?");
    assert!(!text(&mut game).contains(caught));
    play(&mut game, " ");
    assert!(text(&mut game).contains(caught));
    play(&mut game, "r");
    assert_eq!((game.lives, game.turn, game.house), (3, 0, 3));
    assert!(!text(&mut game).contains(caught));
    play(&mut game, "r");
    assert!(text(&mut game).contains("Steal the crown"), "r is for those who are caught");
}

#[test]
fn two_blows_in_one_turn_are_two_messages() {
    let mut game = game(&["#####", "#g<g#", "#.*.#", "#####"]);
    for guard in &mut game.guards {
        guard.sense.sector = Sector::ALL;
    }
    while game.lives == 3 {
        play(&mut game, ".");
    }
    assert_eq!((game.lives, game.messages.iter().filter(|blow| **blow == "A guard hits you!").count()), (1, 2));
}

#[test]
fn any_key_that_is_no_step_ends_the_question() {
    let mut game = game(&["#####", "#.<.#", "#####"]);
    play(&mut game, "?h");
    assert_eq!((game.cursor, game.turn), (Some(ivec2(1, 1)), 0));
    assert!(text(&mut game).contains("Felt in the dark: no light falls on this side."), "{}", text(&mut game));
    play(&mut game, " "); // as do Esc and Enter
    assert_eq!((game.cursor, game.player), (None, ivec2(2, 1)));
    assert!(text(&mut game).contains("Steal the crown"), "the message is there again");
}

#[test]
fn a_torch_is_put_out_by_treading_on_it() {
    let mut game = game(&["#####", "#.<*#", "#####"]);
    assert!(game.light.level(game.player) > 0.5);
    play(&mut game, "lh");
    assert!(game.light.level(game.player) == 0.0 && game.torches().is_empty());
}

#[test]
fn guards_notice_in_the_light_and_not_in_the_dark() {
    // The guard looks up, from below.
    let rows = ["#####", "#.<.#", "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", "#.g.#", "#####"];
    let mut dark = game(&rows);
    play(&mut dark, ".");
    assert_eq!((dark.guards[0].sense.recognition(), dark.guards[0].patience), (Recognition::Hidden, 0));
    let mut rows = rows;
    rows[2] = "#*..#";
    let mut lit = game(&rows);
    play(&mut lit, ".");
    assert_eq!(lit.guards[0].sense.recognition(), Recognition::Identified);
    assert!(lit.guards[0].patience > 0 && lit.guards[0].goal == lit.player);
    rows[5] = "#####";
    let mut behind_a_wall = game(&rows);
    play(&mut behind_a_wall, ".");
    assert_eq!(behind_a_wall.guards[0].sense.recognition(), Recognition::Hidden);
}

#[test]
fn a_guard_who_has_lost_the_thief_searches_and_then_goes_back_to_its_round() {
    let mut game = game(&["#########", "#.<+...g#", "####*####", "#########"]);
    (game.guards[0].patience, game.guards[0].goal) = (15, ivec2(4, 1));
    let patience: Vec<u32> = (0..40).map(|_| (game.press('.').unwrap(), game.guards[0].patience).1).collect();
    assert!(patience[0] > 0 && patience.contains(&0), "{patience:?}");
}

#[test]
fn why_names_fog_dark_and_walls() {
    let fog = game(&["##########", "#<.~~~...#", "#......*.#", "##########"]);
    let answer = fog.why(ivec2(6, 1));
    assert!(answer.starts_with("Seen: light ") && answer.ends_with(" %, visibility 68 %, 3 cells of fog."), "{answer}");
    let dark = game(&["##########", "#<.......#", "##########"]);
    assert_eq!(dark.why(ivec2(7, 1)), "Not seen: no light falls on this side.");
    assert_eq!(dark.why(ivec2(3, 1)), "Felt in the dark: no light falls on this side.");
    let wall = game(&["##########", "#<..#....#", "##########"]);
    assert_eq!(wall.why(ivec2(7, 1)), "Not seen: a wall is in the way.");
}

#[test]
fn games_are_won_and_lost_by_script_and_are_the_same_again() {
    let both = |seed| [(seed, run_for_the_crown(seed, true)), (seed, run_for_the_crown(seed, false))];
    let games: Vec<_> = (1..=15).flat_map(both).collect();
    let won = games.iter().filter(|(seed, (game, _))| game.house > *seed).count();
    let lost = games.iter().filter(|(_, (game, _))| game.lives == 0).count();
    assert!(won > 0 && lost > 0, "{won} won, {lost} lost");
    for (seed, (mut played, keys)) in games {
        let mut again = Game::new(generate(seed).unwrap(), seed).unwrap();
        play(&mut again, &keys);
        let picture = text(&mut played);
        assert_eq!(picture, text(&mut again));
        assert!(played.lives > 0 || picture.contains("The guards have caught you."), "{picture}");
    }
}

/// The game runs in a pseudo-terminal, which `script` of util-linux makes and this test closes.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_ends_the_game() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// The variable with the file for the number of the process, with which this test runs itself.
    const PROCESS_FILE: &str = "ROGUELIKE_TEST_PROCESS_FILE";
    const LIMIT: Duration = Duration::from_secs(60);
    if let Some(file) = std::env::var_os(PROCESS_FILE) {
        std::fs::write(file, std::process::id().to_string()).unwrap();
        super::play(&mut Game::new(generate(1).unwrap(), 1).unwrap()).unwrap();
        return;
    }
    let file = std::env::temp_dir().join(format!("roguelike-{}", std::process::id()));
    let program = std::env::current_exe().unwrap();
    let name = "tests::a_closed_terminal_ends_the_game";
    let line = format!("stty rows 24 cols 80; exec '{}' --exact {name} --nocapture", program.display());
    let mut command = Command::new("script");
    command
        .args(["-q", "-c", &line, "/dev/null"])
        .env(PROCESS_FILE, &file)
        .env("SHELL", "/bin/sh")
        .env("TERM", "xterm");
    let mut terminal = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut out, mut shown, mut bytes) = (terminal.stdout.take().unwrap(), String::new(), [0; 4096]);
    while !shown.contains("house 1  lives") {
        let count = out.read(&mut bytes).unwrap();
        assert!(count > 0, "the game ended: {shown:?}");
        shown += &String::from_utf8_lossy(&bytes[..count]);
    }
    let process = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    terminal.kill().unwrap(); // `script` holds the other end of the terminal
    terminal.wait().unwrap();
    let start = Instant::now();
    let is_running = || {
        // A process that has ended may wait for its parent.
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    };
    while is_running() {
        if start.elapsed() > LIMIT {
            let _ = Command::new("kill").args(["-9", &process]).status();
            panic!("it still runs");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
