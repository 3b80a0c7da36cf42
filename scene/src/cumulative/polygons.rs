//! [`SeenPolygons`]: the seen ground as polygons.
//!
//! The edges between seen and other cells are joined to rings, with the seen cells on the left. Where two seen cells
//! touch only at a corner, a ring turns right if both belong to one area: then holes touch at this corner, but no ring
//! touches itself. Each area has one counterclockwise outer ring and clockwise holes, as RFC 7946 requires.

use std::collections::{HashMap, VecDeque};

use glam::{IVec2, dvec2, ivec2};

use super::count_classes::CountClasses;
use super::cumulative_view::CumulativeView;
use super::observer_view::VisibleCells;
use super::placed_observer::PlacedObserver;
use crate::files::{Features, FieldValue, Geometry, Georeference, Provenance, ReferenceSystem, Table, TableColumn};
use crate::scene::{SceneError, check_bytes};
use farsight::grid::{CellRect, Grid};

/// Steps in counterclockwise order on the map, with y downwards: east, north, west, south.
const STEPS: [IVec2; 4] = [ivec2(1, 0), ivec2(0, -1), ivec2(-1, 0), ivec2(0, 1)];

/// An edge-connected area of seen cells.
struct Area {
    cells: u64,
    /// Corners of cells, the outer ring first.
    rings: Vec<Vec<IVec2>>,
}

/// The maximum number of cells between corners of a ring in longitude and latitude, where a line of the raster is a
/// curve: over 2 km, it deviates from a straight line by less than 0.1 m up to 45° of latitude.
const CELLS_PER_LINE: i32 = 32;

/// The seen ground as polygons: what any observer sees, each class of counts, or each observer.
pub struct SeenPolygons<'a> {
    size: IVec2,
    columns: Vec<TableColumn>,
    sets: Vec<CellSet<'a>>,
}

/// Cells of which the connected areas are polygons with the same fields.
struct CellSet<'a> {
    fields: Vec<FieldValue>,
    contains: Box<dyn Fn(IVec2) -> bool + 'a>,
}

impl<'a> SeenPolygons<'a> {
    /// Creates the polygons of the cells that any observer sees.
    pub fn of_any(view: &'a CumulativeView) -> Self {
        let contains = |cell: IVec2| view.count().get(cell).is_some_and(|count| *count >= 1.0); // false for NaN
        let sets = vec![CellSet { fields: Vec::new(), contains: Box::new(contains) }];
        Self { size: view.count().size(), columns: Vec::new(), sets }
    }

    /// Creates the polygons of each class of counts, with its name as `class`, and its first and last count as `from` and `to`.
    pub fn of_classes(view: &'a CumulativeView, classes: &'a CountClasses) -> Self {
        let set = |(i, (name, (from, to))): (usize, (String, (u16, Option<u16>)))| CellSet {
            fields: vec![
                FieldValue::Text(name),
                FieldValue::Integer(from.into()),
                to.map_or(FieldValue::Missing, |to| FieldValue::Integer(to.into())),
            ],
            contains: Box::new(move |cell| view.count().get(cell).is_some_and(|count| classes.of(*count) == Some(i))),
        };
        let sets = classes.names().zip(classes.ranges()).enumerate().map(set).collect();
        let columns = vec![TableColumn::text("class"), TableColumn::integer("from"), TableColumn::integer("to")];
        Self { size: view.count().size(), columns, sets }
    }

    /// Creates the polygons of the cells that each observer sees, with its name as `observer`. The view must have been computed with
    /// [`seen_cells`](super::CumulativeParts::seen_cells).
    pub fn of_observers(view: &'a CumulativeView, observers: &[PlacedObserver]) -> Self {
        let set = |(observer, seen): (&PlacedObserver, &'a VisibleCells)| CellSet {
            fields: vec![FieldValue::Text(observer.name.clone())],
            contains: Box::new(|cell| seen.contains(cell)),
        };
        let sets = observers.iter().zip(&view.seen_cells).map(set).collect();
        Self { size: view.count().size(), columns: vec![TableColumn::text("observer")], sets }
    }

    /// Checks the memory of the polygons, and of their text.
    ///
    /// # Errors
    /// [`SceneError::Memory`].
    pub fn check(&self) -> Result<(), SceneError> {
        /// A label.
        const BYTES_PER_CELL: usize = 4;
        /// An entry of a hash map and of a list, a corner, its two numbers in a list, and their text.
        const BYTES_PER_EDGE: usize = 300;
        let cells = || CellRect::of_size(self.size).cells();
        let edges_of = |CellSet { contains, .. }: &CellSet<'_>| -> usize {
            let edges = |cell: IVec2| STEPS.into_iter().filter(|step| !contains(cell + *step)).count();
            cells().filter(|cell| contains(*cell)).map(edges).sum()
        };
        let edges: usize = self.sets.iter().map(edges_of).sum();
        let needed = self.size.as_u64vec2().element_product() * BYTES_PER_CELL as u64 + (edges * BYTES_PER_EDGE) as u64;
        check_bytes(needed, &format!("polygons with {edges} edges"), "radius or map")
    }

    /// Returns the polygons in the coordinates of a raster. Each feature is a connected area of cells, from the upper left, with
    /// its number of `cells`. If longitude and latitude differ from the coordinates of the raster, a ring has a corner at least
    /// every 32 cells.
    pub fn features(&self, place: &Georeference, provenance: Provenance) -> Features {
        let ([west, north], [width, height]) = (place.corner, place.cell);
        let is_curved = ReferenceSystem::from_keys(&place.keys).is_some_and(|s| !s.is_same(&ReferenceSystem::wgs84()));
        let ring = |ring: &Vec<IVec2>| {
            let corners = if is_curved { with_steps(ring) } else { ring.clone() };
            let point = |corner: IVec2| dvec2(west + f64::from(corner.x) * width, north - f64::from(corner.y) * height);
            corners.into_iter().map(point).collect()
        };
        let (mut geometries, mut rows) = (Vec::new(), Vec::new());
        for set in &self.sets {
            for area in areas(self.size, &set.contains) {
                geometries.push(Geometry::Polygon(area.rings.iter().map(ring).collect()));
                let cells = FieldValue::Integer(area.cells as i64);
                rows.push(set.fields.iter().cloned().chain([cells]).collect());
            }
        }
        let columns = self.columns.iter().copied().chain([TableColumn::integer("cells")]).collect();
        Features { name: "seen", geometries, table: Table { columns, rows }, keys: place.keys.clone(), provenance }
    }
}

/// Subdivides a ring, so that no corner is farther than [`CELLS_PER_LINE`] from the next.
fn with_steps(ring: &[IVec2]) -> Vec<IVec2> {
    let next = ring.iter().cycle().skip(1);
    let sides = ring.iter().zip(next).flat_map(|(&start, &end)| {
        let (length, step) = ((end - start).abs().max_element(), (end - start).signum());
        (0..length.max(1)).step_by(CELLS_PER_LINE as usize).map(move |at| start + step * at)
    });
    sides.collect()
}

fn areas(size: IVec2, is_seen: impl Fn(IVec2) -> bool) -> Vec<Area> {
    let mut labels = Grid::new(size.x as usize, size.y as usize, 0_u32);
    let mut areas: Vec<Area> = Vec::new();
    for y in 0..size.y {
        for x in 0..size.x {
            let start = ivec2(x, y);
            if is_seen(start) && labels[start] == 0 {
                let label = areas.len() as u32 + 1;
                areas.push(Area { cells: fill(&mut labels, start, label, &is_seen), rings: Vec::new() });
            }
        }
    }
    // An edge is identified by its first corner and its direction. Its seen cell is on the left.
    let mut edges: HashMap<(IVec2, usize), u32> = HashMap::new();
    let mut starts = Vec::new();
    for (cell, &label) in labels.iter().filter(|(_, label)| **label > 0) {
        let sides = [
            (ivec2(0, 1), ivec2(0, 1), 0),
            (ivec2(1, 0), ivec2(1, 1), 1),
            (ivec2(0, -1), ivec2(1, 0), 2),
            (ivec2(-1, 0), ivec2(0, 0), 3),
        ];
        for (neighbour, corner, direction) in sides {
            if labels.get(cell + neighbour).is_none_or(|other| *other == 0) {
                edges.insert((cell + corner, direction), label);
                starts.push((cell + corner, direction));
            }
        }
    }
    for start in starts {
        let Some(&label) = edges.get(&start) else { continue }; // part of an earlier ring
        let (mut corner, mut direction) = start;
        let mut ring = Vec::new();
        while edges.remove(&(corner, direction)).is_some() {
            let end = corner + STEPS[direction];
            // Right, straight on, left. The first edge is removed, but closes the ring.
            let turns = [direction + 3, direction, direction + 1].map(|turned| turned % 4);
            let continues = |edge: (IVec2, usize)| edge == start || edges.get(&edge) == Some(&label);
            let next = turns.into_iter().find(|turned| continues((end, *turned))).unwrap_or(start.1);
            if next != direction {
                ring.push(end);
            }
            (corner, direction) = (end, next);
        }
        areas[label as usize - 1].rings.push(ring);
    }
    for area in &mut areas {
        area.rings.sort_by_key(|ring| signed_area(ring) <= 0); // stable: the outer ring first
    }
    areas
}

fn fill(labels: &mut Grid<u32>, start: IVec2, label: u32, is_seen: impl Fn(IVec2) -> bool) -> u64 {
    let (mut cells, mut queue) = (1, VecDeque::from([start]));
    labels[start] = label;
    while let Some(cell) = queue.pop_front() {
        for next in STEPS.map(|step| cell + step) {
            if is_seen(next) && labels[next] == 0 {
                labels[next] = label;
                cells += 1;
                queue.push_back(next);
            }
        }
    }
    cells
}

/// Returns twice the area of a ring, above 0 if it is counterclockwise with y upwards.
fn signed_area(ring: &[IVec2]) -> i64 {
    let next = ring.iter().cycle().skip(1);
    let cross = |(a, b): (&IVec2, &IVec2)| i64::from(a.y) * i64::from(b.x) - i64::from(a.x) * i64::from(b.y);
    ring.iter().zip(next).map(cross).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn areas_of(rows: &[&str]) -> Vec<Area> {
        let seen = |cell: IVec2| {
            rows.get(cell.y as usize).is_some_and(|row| row.as_bytes().get(cell.x as usize) == Some(&b'#'))
        };
        areas(ivec2(rows[0].len() as i32, rows.len() as i32), seen)
    }

    #[test]
    fn rings_enclose_the_seen_cells() {
        let found = areas_of(&["###.", "#.#.", "####", "...."]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].cells, found[0].rings.len()), (9, 2));
        assert_eq!(found[0].rings.iter().map(|ring| signed_area(ring)).collect::<Vec<_>>(), [20, -2]);
        assert_eq!(found[0].rings[0].len(), 6, "corners on a straight line are left out");
    }

    #[test]
    fn long_sides_have_steps() {
        let ring = [ivec2(0, 0), ivec2(0, 2), ivec2(70, 2), ivec2(70, 0)];
        let expected = [(0, 0), (0, 2), (32, 2), (64, 2), (70, 2), (70, 0), (38, 0), (6, 0)];
        assert_eq!(with_steps(&ring), expected.map(IVec2::from));
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_apart() {
        let found = areas_of(&["#.", ".#"]);
        assert_eq!(found.iter().map(|area| (area.cells, area.rings.len())).collect::<Vec<_>>(), [(1, 1), (1, 1)]);
        // Holes that touch at a corner, and an area that touches itself there.
        let found = areas_of(&["####", "#.##", "##.#", "####"]);
        assert_eq!(found[0].rings.iter().map(|ring| signed_area(ring)).collect::<Vec<_>>(), [32, -2, -2]);
        let found = areas_of(&["###", "#.#", "##."]);
        assert_eq!(found[0].rings.iter().map(|ring| signed_area(ring)).collect::<Vec<_>>(), [16, -2]);
        assert_eq!(found[0].cells, 7);
        // A hole that touches the outside where the first ring starts.
        let found = areas_of(&[".##", "#.#", "###"]);
        assert_eq!(found[0].rings.iter().map(|ring| signed_area(ring)).collect::<Vec<_>>(), [16, -2]);
    }

    /// Returns whether a ring encloses a cell.
    fn encloses(ring: &[IVec2], cell: IVec2) -> bool {
        let next = ring.iter().cycle().skip(1);
        // Vertical sides to the right of the cell.
        let crossings = ring.iter().zip(next).filter(|(start, end)| {
            start.x == end.x && start.x > cell.x && (start.y.min(end.y)..start.y.max(end.y)).contains(&cell.y)
        });
        crossings.count() % 2 == 1
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn rings_are_simple_and_enclose_their_cells(
            (width, cells) in (1_usize..10, 1_usize..10).prop_flat_map(|(width, height)| {
                (Just(width), prop::collection::vec(prop::bool::weighted(0.6), width * height))
            }),
        ) {
            let size = ivec2(width as i32, (cells.len() / width) as i32);
            let is_seen = |cell: IVec2| {
                cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all() && cells[cell.y as usize * width + cell.x as usize]
            };
            let found = areas(size, is_seen);
            for Area { cells, rings } in &found {
                for ring in rings {
                    let corners: HashSet<_> = ring.iter().collect();
                    prop_assert_eq!(corners.len(), ring.len(), "a ring touches itself: {:?}", ring);
                }
                let (outer, holes) = rings.split_first().unwrap();
                prop_assert!(signed_area(outer) > 0);
                for hole in holes {
                    prop_assert!(signed_area(hole) < 0);
                    let mut inside = CellRect::of_size(size).cells().filter(|cell| encloses(hole, *cell)).peekable();
                    prop_assert!(inside.peek().is_some() && inside.all(|cell| encloses(outer, cell)));
                }
                prop_assert_eq!(rings.iter().map(|ring| signed_area(ring)).sum::<i64>(), 2 * *cells as i64);
            }
            for cell in CellRect::of_size(size).cells() {
                let contains = |area: &&Area| area.rings.iter().filter(|ring| encloses(ring, cell)).count() == 1;
                prop_assert_eq!(found.iter().filter(contains).count(), usize::from(is_seen(cell)));
            }
        }
    }
}
