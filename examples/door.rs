//! Doors: opens them one by one, and prints the map with the cells that come into sight as `*`. A game draws only these again.
//!
//! `cargo run --example door`

use std::io::Write;

use farsight::prelude::*;

/// `+` is a closed door, `3` is a curtain with an opacity of 0.3.
const HOUSE: &str = "\
#########################
#.......#.......#.......#
#.......#.......#.......#
#...@...+.......3.......#
#.......#.......#.......#
#.......#.......#.......#
####+####################
#.......................#
#.......................#
#########################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let house = TextMap::parse(HOUSE)?;
    let viewer = house.viewer.ok_or("the map has no @")?;
    let mut map = OpacityMap::try_from(house)?;
    let mut eyes = FieldOfView::new(SightConfig::default().with_method(MethodKind::SymmetricShadowcast))?;
    let mut previous = eyes.compute(&map, viewer)?.to_owned();
    let mut letters: Vec<Vec<char>> = HOUSE.lines().map(|line| line.chars().collect()).collect();
    let mut out = std::io::stdout().lock();
    for door in map.doors().to_vec() {
        map.toggle_door(door);
        let view = eyes.compute(&map, viewer)?.to_owned();
        let changes = view.changes_since(&previous, 0.0);
        writeln!(out, "The door at {door} opens: {} cells come into sight.", changes.newly_seen.len())?;
        letters[door.y as usize][door.x as usize] = '\'';
        let mut picture = letters.clone();
        for cell in changes.newly_seen {
            picture[cell.y as usize][cell.x as usize] = '*';
        }
        for row in picture {
            writeln!(out, "{}", row.iter().collect::<String>())?;
        }
        previous = view;
    }
    Ok(())
}
