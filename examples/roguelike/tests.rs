//! Scripts that play: doors, guards in light and dark, winning and losing.

use farsight::Grid;
use farsight::glam::{IVec2, ivec2};
use farsight::perception::Recognition;

use super::frame::draw;
use super::game::Game;
use super::guards::Mood;
use super::level::{distances, generate, neighbours};
use super::text;

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
    let mut keys = String::new();
    while !game.is_over() && keys.len() < 500 {
        let goal = if game.has_crown() { game.stairs } else { game.crown };
        let distance_from_guards = |cell: IVec2| {
            game.guards.iter().map(|guard| (guard.at - cell).abs().max_element()).min().unwrap_or(i32::MAX)
        };
        let avoided = if is_careful { 4 } else { 1 };
        let is_safe = |cell| cell == game.player || distance_from_guards(cell) >= avoided;
        let size = game.tiles.size();
        let safe = |cell| if is_safe(cell) { game.tiles[cell] } else { '#' };
        let steps = distances(&Grid::from_fn(size.x as usize, size.y as usize, safe), goal);
        let ways = neighbours(game.player).filter(|cell| game.tiles[*cell] != '#' && distance_from_guards(*cell) > 0);
        let next = ways.min_by_key(|&cell| (steps[cell], -distance_from_guards(cell))).unwrap_or(game.player);
        let offset = next - game.player + 1;
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
    assert!(!game.sees(beyond));
    assert_eq!(game.why(beyond), "Not seen: a closed door at [4, 1] is in the way.");
    play(&mut game, "l");
    assert!(game.sees(beyond) && game.tiles[ivec2(4, 1)] == '\'');
    let picture = text(&draw(&mut game).unwrap());
    assert!(picture.contains("..@'....*#"), "{picture}");
    play(&mut game, "c");
    assert!(!game.sees(beyond) && game.light.level(game.player) == 0.0);
    assert!(text(&draw(&mut game).unwrap()).contains("@+..."), "remembered");
}

#[test]
fn guards_notice_in_the_light_and_not_in_the_dark() {
    // The guard looks up, from below.
    let rows = ["#####", "#.<.#", "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", "#...#", "#.g.#", "#####"];
    let mut dark = game(&rows);
    play(&mut dark, ".");
    assert_eq!((dark.guards[0].sense.recognition(), dark.guards[0].mood), (Recognition::Hidden, Mood::Patrol));
    let mut rows = rows;
    rows[2] = "#*..#";
    let mut lit = game(&rows);
    play(&mut lit, ".");
    assert_eq!((lit.guards[0].sense.recognition(), lit.guards[0].mood), (Recognition::Identified, Mood::Chase));
    rows[5] = "#####";
    let mut behind_a_wall = game(&rows);
    play(&mut behind_a_wall, ".");
    assert_eq!(behind_a_wall.guards[0].sense.recognition(), Recognition::Hidden);
}

#[test]
fn a_guard_who_has_lost_the_thief_searches_and_then_patrols() {
    let mut game = game(&["#########", "#.<+...g#", "####*####", "#########"]);
    (game.guards[0].mood, game.guards[0].sense.sector.facing) = (Mood::Chase, -90.0);
    let moods: Vec<Mood> = (0..40).map(|_| (game.press('h').unwrap(), game.guards[0].mood).1).collect();
    assert!(moods.contains(&Mood::Search) && moods.contains(&Mood::Patrol), "{moods:?}");
}

#[test]
fn why_names_fog_dark_and_distance() {
    let fog = game(&["##########", "#<.~~~...#", "#......*.#", "##########"]);
    let answer = fog.why(ivec2(6, 1));
    assert!(
        answer.starts_with("Seen: the light there is ") && answer.contains("3 cells of fog leave 68 %"),
        "{answer}"
    );
    let dark = game(&["##########", "#<.......#", "##########"]);
    assert_eq!(dark.why(ivec2(7, 1)), "Not seen: it is dark there (seen from 5 % on).");
    let far = game(&["<".to_owned() + &".".repeat(60)].each_ref().map(|row| row.as_str()));
    assert_eq!(far.why(ivec2(50, 0)), "Not seen: it is 50 cells away, and you see 40 cells far.");
}

#[test]
fn games_are_won_and_lost_by_script_and_are_the_same_again() {
    let both = |seed| [(seed, run_for_the_crown(seed, true)), (seed, run_for_the_crown(seed, false))];
    let games: Vec<_> = (1..=15).flat_map(both).collect();
    let won = games.iter().filter(|(_, (game, _))| game.lives > 0 && game.is_over()).count();
    let lost = games.iter().filter(|(_, (game, _))| game.lives == 0).count();
    assert!(won > 0 && lost > 0, "{won} won, {lost} lost");
    for (seed, (mut played, keys)) in games {
        let mut again = Game::new(generate(seed).unwrap(), seed).unwrap();
        play(&mut again, &keys);
        let [first, second] = [&mut played, &mut again].map(|game| text(&draw(game).unwrap()));
        assert_eq!(first, second);
        let end = if played.lives == 0 { "The guards have caught you." } else { "You escaped with the crown!" };
        assert!(!played.is_over() || first.contains(end), "{first}");
    }
}
