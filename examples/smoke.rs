//! Smoke: it spreads from a fire, and gradually hides a hall. Opacity is a number, so thin smoke dims and thick smoke hides.
//!
//! `cargo run --example smoke`

use std::io::Write;

use farsight::prelude::*;

const SIDE: (usize, usize) = (25, 7);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (player, fire) = (ivec2(1, 3), ivec2(12, 3));
    let mut map = OpacityMap::clear(SIDE.0, SIDE.1)?;
    let mut smoke = Grid::new(SIDE.0, SIDE.1, 0.0f32);
    let mut eyes = FieldOfView::new(SightConfig::default())?; // two parents: soft shadows
    let mut out = std::io::stdout().lock();
    for minute in 0..4 {
        let view = eyes.compute(&map, player)?;
        writeln!(out, "minute {minute}:")?;
        for y in 0..SIDE.1 {
            let letter = |x| match (10.0 * view.get((x, y))) as u32 {
                _ if (x, y) == (1, 3) => '@',
                tenths => char::from_digit(tenths, 10).unwrap_or('*'),
            };
            writeln!(out, "{}", (0..SIDE.0).map(letter).collect::<String>())?;
        }
        // Each cell takes the mean of its neighbours, and the fire burns on.
        smoke[fire] = 1.0;
        let mean = |cell| CellRect::around(cell, 1).cells().filter_map(|near| smoke.get(near)).sum::<f32>() / 9.0;
        smoke = Grid::from_fn(SIDE.0, SIDE.1, mean);
        map.set_many(smoke.iter().map(|(cell, density)| (cell, density.min(0.9))))?;
    }
    Ok(())
}
