//! A first program: prints the view from the `@` of a small map, in tenths.
//!
//! `cargo run --example field_of_view`

use std::io::Write;

use farsight::glam::ivec2;
use farsight::grid::TextMap;
use farsight::sight::{Decay, FieldOfView, OpacityMap, SightConfig};

const MAP: &str = "\
##############################
#.............#..............#
#.............#......44444...#
#.............#......44444...#
#.....@..............44444...#
#..........##................#
#.............#..............#
#.............#..............#
##############################";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = TextMap::parse(MAP)?;
    let viewer = map.viewer.ok_or("the map has no @")?;
    let opacity = OpacityMap::try_from(map.opacity)?;

    let decay = Decay::Exponential { half: Some(20.0) };
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(30).with_decay(decay))?;
    let view = fov.compute(&opacity, viewer)?;

    let mut out = std::io::stdout().lock();
    for y in 0..opacity.grid().height() as i32 {
        for x in 0..opacity.grid().width() as i32 {
            let cell = ivec2(x, y);
            let letter = match (view.get(cell) * 10.0).round() as u32 {
                _ if cell == viewer => '@',
                0 => ' ',
                _ if opacity.get(cell) == Some(1.0) => '#',
                tenths => char::from_digit(tenths.min(9), 10).unwrap_or('9'),
            };
            write!(out, "{letter}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
