//! Ears and eyes: a guard looks away while a thief opens a door. It hears the door, turns to where the noise came
//! from, and sees the thief unless a bush hides the thief.
//!
//! `cargo run --example guard`

use std::io::Write;

use farsight::prelude::*;

/// `+` is a door, `9` a bush, in which a thief is hard to see.
const GARDEN: &str = "\
####################
#.......#..........#
#.......+..........#
#.......#...9......#
#.......#..........#
####################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = OpacityMap::from_text(GARDEN)?;
    let (guard, door) = (ivec2(17, 2), ivec2(8, 2));
    // The loss of loudness of a noise per cell: high for a wall or a closed door, low for air.
    let loss = |map: &OpacityMap, cell| if map.is_wall(cell) { 20 } else { 1 };
    let thresholds = Thresholds { glimpse: 0.2, identify: 0.5, hysteresis: 0.05 };
    let mut sense = Sense::new(thresholds).with_sector(Sector::towards((1, 0), 90.0)); // looks east
    let mut eyes = FieldOfView::new(SightConfig::default())?;
    let mut out = std::io::stdout().lock();
    for thief in [(7, 2), (8, 2), (10, 2), (12, 3), (14, 2)] {
        if thief == (8, 2) {
            map.toggle_door(door);
            let noise = DistanceMap::weighted(map.extent(), [door], |cell| Some(loss(&map, cell)));
            let from = noise.next_cell(guard, |_| true); // the last cell before the guard on the way of the sound
            if let Some(from) = from.filter(|_| noise.get(guard).is_some_and(|loss| loss < 20)) {
                sense.sector = Sector::towards(from - guard, 90.0);
                writeln!(out, "The guard hears the door, and turns round.")?;
            }
        }
        sense.concealment = map.get(thief).unwrap_or(0.0); // a thief in a bush is harder to see than the bush
        let noticed = sense.notice(guard, thief, eyes.line_of_sight(&map, guard, thief)?, 1.0)?;
        writeln!(out, "thief at {thief:?}: {}", noticed.name())?;
    }
    Ok(())
}
