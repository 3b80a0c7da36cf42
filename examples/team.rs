//! Fog of war of a team: two scouts walk towards each other. Each turn only the scouts that moved get a new view, and the map shows what
//! both see (`.`), what the team has explored (`,`), and nothing else.
//!
//! `cargo run --example team`

use std::io::Write;

use farsight::prelude::*;

const LAND: &str = "\
..........5.........
....##....5.........
....##....5.....#...
..........5.....#...
................#...";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = OpacityMap::from_text(LAND)?;
    let mut eyes =
        FieldOfView::new(SightConfig::default().with_radius(5).with_method(MethodKind::SymmetricShadowcast))?;
    let mut team = TeamView::new(map.extent());
    let mut scouts = [ivec2(0, 0), ivec2(19, 4)];
    let mut out = std::io::stdout().lock();
    for turn in 0..3 {
        for (unit, scout) in (0..).zip(&mut scouts) {
            scout.x += if turn == 0 { 0 } else { 4 - 8 * unit as i32 };
            team.set(unit, &eyes.compute(&map, *scout)?);
        }
        let changes = team.update();
        let (seen, discovered) = (changes.newly_seen.len(), changes.discovered.len());
        writeln!(out, "turn {turn}: {seen} cells come into sight, {discovered} of them for the first time")?;
        for y in 0..5 {
            let letter = |x| match team.get((x, y)) {
                _ if scouts.contains(&ivec2(x, y)) => '@',
                CellMemory::Hidden => ' ',
                _ if map.get((x, y)) > Some(0.0) => '#',
                CellMemory::Seen => ',',
                CellMemory::Visible => '.',
            };
            writeln!(out, "{}", (0..20).map(letter).collect::<String>())?;
        }
    }
    Ok(())
}
