//! Small silhouettes of the species, for pictures that people look at on a screen.

use glam::Vec2;

use super::colour::Colour;
use super::picture::Picture;
use crate::perception::Species;

/// The width of a sprite in pixels; each is at most ten rows high.
pub(crate) const SPRITE_WIDTH: usize = 12;

/// Returns the rows of a silhouette; `#` is the animal.
pub(crate) fn sprite(species: &Species) -> Option<&'static [&'static str]> {
    let shipped = Species::named(species.name).filter(|shipped| shipped.glyph == species.glyph)?;
    SPRITES.iter().find(|(name, _)| *name == shipped.name).map(|(_, rows)| *rows)
}

/// Paints a silhouette around a point, `scale` pixels a dot, with a dark halo so that it is readable on any ground.
pub(super) fn paint_sprite(picture: &mut Picture, at: Vec2, rows: &[&str], scale: i32, [colour, halo]: [Colour; 2]) {
    let x = (at.x - (SPRITE_WIDTH as i32 * scale) as f32 / 2.0).round() as i32;
    let y = (at.y - (rows.len() as i32 * scale) as f32 / 2.0).round() as i32;
    for (grown, colour) in [(1, halo), (0, colour)] {
        for (row, line) in (0..).zip(rows) {
            for (column, _) in (0..).zip(line.bytes()).filter(|(_, dot)| *dot == b'#') {
                let corner = [x + column * scale - grown, y + row * scale - grown];
                let side = scale + 2 * grown;
                for dy in 0..side {
                    picture.fill(corner[0], corner[1] + dy, side, 1, colour);
                }
            }
        }
    }
}

#[rustfmt::skip]
const SPRITES: &[(&str, &[&str])] = &[
    ("deer", &[
        "#.#.#.......",
        ".###........",
        "..##........",
        ".####.......",
        "..#########.",
        "...########.",
        "...#######..",
        "...#.#..#.#.",
        "...#.#..#.#.",
    ]),
    ("wolf", &[
        "..#.........",
        ".###......##",
        "####.....##.",
        ".##########.",
        "..#########.",
        "..########..",
        "..#.#..#.#..",
        "..#.#..#.#..",
    ]),
    ("bear", &[
        ".#..######..",
        "###########.",
        "############",
        ".###########",
        "..##########",
        "..##########",
        "..###..####.",
        "..###..####.",
    ]),
    ("goat", &[
        ".##.........",
        "#.##........",
        ".###......#.",
        "####.#####..",
        ".#.########.",
        ".#..#######.",
        "....#.#..#.#",
        "....#.#..#.#",
    ]),
    ("lion", &[
        ".####.......",
        "######......",
        "##.###....##",
        "##########.#",
        ".#########.#",
        "..#########.",
        "..#.#..#.#..",
        "..#.#..#.#..",
    ]),
    ("zebra", &[
        ".##.........",
        "####........",
        ".###........",
        "..#.#.#.#...",
        "..##.#.#.##.",
        "...#.#.#.#.#",
        "...#.#..#.#.",
        "...#.#..#.#.",
    ]),
    ("tiger", &[
        "..........##",
        ".##........#",
        "####.#.#.#.#",
        ".###.#.#.##.",
        "..##.#.#.##.",
        "..#########.",
        "..#.#..#.#..",
        ".##.##.##.#.",
    ]),
    ("monkey", &[
        "..###.......",
        ".#####...##.",
        ".#.#.#..#..#",
        "..###...#...",
        ".#####..#...",
        "#.###.#.#...",
        "..####..#...",
        "..#..###....",
        ".##..##.....",
    ]),
    ("camel", &[
        ".##...#..#..",
        "####.##.###.",
        "..##.#######",
        "..##########",
        "...########.",
        "....#.#.#.#.",
        "....#.#.#.#.",
        "....#.#.#.#.",
    ]),
    ("heron", &[
        "..##........",
        "#####.......",
        "....#.......",
        "....#.......",
        "....#####...",
        "....#######.",
        ".....#####..",
        "......#.#...",
        "......#.#...",
        ".....##.##..",
    ]),
    ("seal", &[
        ".##.........",
        "####........",
        ".####.......",
        ".#######...#",
        "..##########",
        ".##########.",
        "##..#####...",
    ]),
    ("ship", &[
        ".....#......",
        "....##.##...",
        "...###.###..",
        "..####.###..",
        ".#####.###..",
        ".....#......",
        "###########.",
        ".#########..",
        "..#######...",
    ]),
    ("penguin", &[
        "...####.....",
        "..######....",
        "###.####....",
        "...##..#....",
        "..##....#...",
        ".###....##..",
        ".###....##..",
        "..##....#...",
        "...#####....",
        "..##..##....",
    ]),
    ("rat", &[
        "..##........",
        ".####.......",
        "..#####.....",
        ".########...",
        "##########..",
        ".#########.#",
        "..#.#..#..##",
    ]),
    ("goblin", &[
        "#...###...#.",
        "##.#####.##.",
        ".###.#.###..",
        "...#####....",
        "....###.....",
        "..#######...",
        ".#.#####.#..",
        "...##.##....",
        "...#...#....",
        "..##..##....",
    ]),
    ("ghost", &[
        "...####.....",
        "..######....",
        ".##.##.##...",
        ".##.##.##...",
        ".########...",
        ".########...",
        ".########...",
        ".##.##.##...",
        ".#..#..#....",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_species_has_a_silhouette_of_its_own() {
        let mut seen: Vec<&[&str]> = Vec::new();
        for species in Species::all() {
            let rows = sprite(species).unwrap_or_else(|| panic!("{} has none", species.name));
            assert!(rows.len() <= 10 && rows.iter().all(|row| row.len() == SPRITE_WIDTH), "{}", species.name);
            assert!(!seen.contains(&rows), "{}", species.name);
            seen.push(rows);
        }
        assert_eq!(SPRITES.len(), Species::all().len());
    }
}
