//! [`drawn_roofs`]: the roofs of a map drawn as text.

use glam::IVec2;

use super::cell_rect::CellRect;
use super::grid::Grid;

/// The kind of a cell of a drawn map for roofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    RoofedFloor,
    OpenFloor,
    Viewer,
    HalfOpaque,
    /// Walls and doors.
    Solid,
}

impl Drawn {
    fn of(character: char) -> Self {
        match character {
            '_' => Self::RoofedFloor,
            '.' | ' ' => Self::OpenFloor,
            '@' => Self::Viewer,
            '1'..='9' => Self::HalfOpaque,
            _ => Self::Solid,
        }
    }
}

/// Returns the cells under a roof of a map of this size; see [`TextMap::roofs`](super::TextMap::roofs). The characters are those of a
/// map, row by row.
pub(super) fn drawn_roofs(characters: &[char], width: usize, height: usize) -> Grid<bool> {
    let mut drawn = Grid::new(width, height, Drawn::OpenFloor);
    drawn.as_mut_slice().iter_mut().zip(characters).for_each(|(cell, character)| *cell = Drawn::of(*character));
    let viewer = drawn.iter().find(|(_, kind)| **kind == Drawn::Viewer).map(|(cell, _)| cell);
    if let Some(viewer) = viewer {
        let count = |kind| around(viewer).filter(|near| drawn.get(*near) == Some(&kind)).count();
        let is_indoors = count(Drawn::RoofedFloor) > count(Drawn::OpenFloor);
        drawn[viewer] = if is_indoors { Drawn::RoofedFloor } else { Drawn::OpenFloor };
    }
    let touches = |cell: IVec2, kind| around(cell).any(|near| drawn.get(near) == Some(&kind));
    let mut roofs = Grid::from_fn(width, height, |cell| match drawn[cell] {
        Drawn::RoofedFloor => true,
        Drawn::OpenFloor | Drawn::Viewer => false,
        Drawn::HalfOpaque | Drawn::Solid => touches(cell, Drawn::RoofedFloor),
    });
    // An area that is surrounded by roofed floor has no hole in its roof, at any thickness.
    let mut is_grouped = Grid::new(width, height, false);
    let mut group = Vec::new();
    for (start, &kind) in drawn.iter().filter(|(_, kind)| matches!(kind, Drawn::HalfOpaque | Drawn::Solid)) {
        if std::mem::replace(&mut is_grouped[start], true) {
            continue;
        }
        group.clear();
        group.push(start);
        let (mut next, mut has_roof, mut has_sky) = (0, false, false);
        while let Some(&cell) = group.get(next) {
            next += 1;
            for near in around(cell) {
                match drawn.get(near) {
                    Some(Drawn::RoofedFloor) => has_roof = true,
                    Some(Drawn::OpenFloor) => has_sky = true,
                    Some(other) if *other == kind && !std::mem::replace(&mut is_grouped[near], true) => {
                        group.push(near);
                    }
                    _ => {}
                }
            }
        }
        if has_roof && !has_sky {
            group.iter().for_each(|cell| roofs[*cell] = true);
        }
    }
    roofs
}

/// Returns a cell and its eight neighbours.
fn around(cell: IVec2) -> impl Iterator<Item = IVec2> {
    CellRect::around(cell, 1).cells()
}
