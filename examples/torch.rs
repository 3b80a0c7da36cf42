//! A torch: somebody carries it from one room into another. Prints the light on the floor in tenths, where the player,
//! who is in the dark, sees it.
//!
//! `cargo run --example torch`

use std::io::Write;

use farsight::prelude::*;

const ROOMS: &str = "\
#####################
#.........#.........#
#...................#
#.........#....@....#
#####################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rooms = TextMap::parse(ROOMS)?;
    let player = rooms.viewer.ok_or("the map has no @")?;
    let map = OpacityMap::try_from(rooms)?;
    let mut eyes = FieldOfView::new(SightConfig::default().with_method(MethodKind::SymmetricShadowcast))?;
    let mut light = LightMap::new(&map);
    let torch = light.insert(&map, Lamp::new((3, 2)).with_reach(7.0).with_colour(Rgb([255, 170, 80])))?;

    let mut out = std::io::stdout().lock();
    for x in [3, 7, 10, 13] {
        light.move_to(&map, torch, (x, 2))?; // computes the light of this torch only
        let view = eyes.compute(&map, player)?;
        writeln!(out, "the torch is at {x}:")?;
        for y in 0..5 {
            let letter = |x: i32| match light.level_from(&map, (x, y), player) {
                _ if (x, y) == (player.x, player.y) => '@',
                level if view.sees((x, y)) && level > 0.05 => char::from_digit((9.9 * level) as u32, 10).unwrap_or('9'),
                _ => ' ',
            };
            writeln!(out, "{}", (0..21).map(letter).collect::<String>())?;
        }
    }
    Ok(())
}
