//! Light and stealth: a guard looks down a hall in which a torch burns, and a thief comes closer. The guard notices
//! targets that are both visible and lit. Prints the light on the hall in tenths, and the guard's perception of the
//! thief at each step.
//!
//! `cargo run --example thief`

use std::io::Write;

use farsight::prelude::*;

const HALL: &str = "\
##############################
#............................#
#.......#.......#.......#....#
#............................#
##############################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = OpacityMap::from_text(HALL)?;
    let (guard, torch) = (ivec2(2, 1), ivec2(12, 1));
    let mut light = LightMap::new(&map);
    light.insert(&map, Lamp::new(torch).with_reach(9.0))?;

    // The minimum visibility times light at which the guard glimpses a person, and identifies the thief.
    let thresholds = Thresholds { glimpse: 0.1, identify: 0.4, hysteresis: 0.05 };
    let mut sense = Sense::new(thresholds).with_sector(Sector::towards((1, 0), 120.0));
    let mut eyes = FieldOfView::new(SightConfig::default())?;

    let mut out = std::io::stdout().lock();
    for y in 0..5 {
        let row = (0..30).map(|x| match ivec2(x, y) {
            cell if cell == guard => 'G',
            cell if cell == torch => '*',
            cell if map.is_wall(cell) => '#',
            cell => char::from_digit((10.0 * light.level(cell)) as u32, 10).unwrap_or('9'),
        });
        writeln!(out, "{}", row.collect::<String>())?;
    }
    writeln!(out, "\nthief at  in sight  lit   the guard")?;
    for x in (1..=28).rev().step_by(3) {
        let thief = ivec2(x, 3);
        let (visibility, level) = (eyes.line_of_sight(&map, guard, thief)?, light.level(thief));
        let noticed = match sense.notice(guard, thief, visibility, level)? {
            Recognition::Hidden => "sees nobody",
            Recognition::Glimpsed => "\"Who is there?\"",
            Recognition::Identified => "\"Stop, thief!\"",
        };
        writeln!(out, "{thief:<9} {visibility:<9.2} {level:.2}  {noticed}")?;
    }
    Ok(())
}
