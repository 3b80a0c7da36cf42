//! Fog of war: a hero walks through a dungeon and remembers it. After each leg of the walk it prints visible cells (`#`
//! and `.`), cells seen before (`%` and `,`) and, as blanks, cells never seen.
//!
//! `cargo run --example fog_of_war`

use std::io::Write;

use farsight::prelude::*;

const DUNGEON: &str = "\
############################
#........#.........#.......#
#........#.........#.......#
#.@................#.......#
#........#.................#
#........#.........#.......#
####.#########.##########.##
####.#########.##########.##
####.#########.##########.##
#..........................#
#.....##..........##.......#
#..........................#
############################";

/// The ends of the legs, which are straight.
const WAY: [(i32, i32); 5] = [(2, 3), (14, 3), (14, 9), (4, 9), (4, 4)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = OpacityMap::from_text(DUNGEON)?;
    let mut eyes =
        FieldOfView::new(SightConfig::default().with_radius(9).with_method(MethodKind::SymmetricShadowcast))?;
    let mut memory = Memory::new(map.extent());
    let mut out = std::io::stdout().lock();
    for part in WAY.windows(2) {
        let hero = IVec2::from(part[1]);
        for step in Line::between(part[0], hero) {
            memory.update(eyes.compute(&map, step)?.seen(), OutOfSight::Remember);
        }
        for (cell, known) in memory.grid().iter() {
            let [wall, floor] = match known {
                CellMemory::Visible => ['#', '.'],
                CellMemory::Seen => ['%', ','],
                CellMemory::Hidden => [' ', ' '],
            };
            let letter = if map.is_wall(cell) { wall } else { floor };
            let letter = if cell == hero { '@' } else { letter };
            let end = if cell.x + 1 == map.extent().max.x { "\n" } else { "" };
            write!(out, "{letter}{end}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
