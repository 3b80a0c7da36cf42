//! [`World::places`]: seas, lakes, rivers and summits with names. Summits are ordered by topographic prominence.

use super::hydrography::Water;
use super::place::{Place, PlaceKind};
use super::place_namer::PlaceNamer;
use super::reduced_map::{ReducedMap, peaks};
use super::water_bodies::{WaterBodies, rivers};
use super::world::World;
use crate::math::{order_by, sort_descending};

/// The maximum number of places of each kind.
const MAX_PLACES: usize = 1000;

/// The minimum radius of a sea that is not a bay: a fraction of the shorter side of the map, clamped to these numbers
/// of cells.
const GREAT_SEA_RADIUS: [f32; 2] = [12.0, 60.0];
const GREAT_SEA_SHARE: f32 = 0.1;
/// The minimum number of cells of a great lake, length in cells of a great river, and height in metres of a great
/// summit.
const GREAT_LAKE_CELLS: usize = 150;
const GREAT_RIVER_LENGTH: f32 = 40.0;
const GREAT_SUMMIT_M: f32 = 400.0;

impl World {
    /// Returns seas, lakes, rivers and summits, the most important first; see [`Place::rank`]. They are computed on
    /// first use, and cached.
    ///
    /// A generated world has a unique name for each of them. A name follows from the seed, the mean temperature
    /// and the cell of the place. On given ground names are empty. Previews have no places, since those of the complete
    /// world would have other names.
    pub fn places(&self) -> &[Place] {
        self.places.0.get_or_init(|| find_places(self))
    }
}

fn find_places(world: &World) -> Vec<Place> {
    if world.is_preview() || world.width() == 0 || world.height() == 0 {
        return Vec::new();
    }
    let map = ReducedMap::new(world);
    let WaterBodies { mut places, lake_cells } = WaterBodies::new(world, &map, MAX_PLACES);
    let great_sea_radius =
        (GREAT_SEA_SHARE * world.width().min(world.height()) as f32).clamp(GREAT_SEA_RADIUS[0], GREAT_SEA_RADIUS[1]);
    let mut lake_cells = lake_cells.into_iter();
    let mut is_great: Vec<bool> = places
        .iter()
        .map(|place| match place.kind {
            PlaceKind::Lake => lake_cells.next().is_some_and(|cells| cells >= GREAT_LAKE_CELLS),
            _ => place.extent >= great_sea_radius,
        })
        .collect();
    let (rivers, summits) = (rivers(world, MAX_PLACES), summits(world, &map, MAX_PLACES));
    is_great.extend(rivers.iter().map(|river| river.extent >= GREAT_RIVER_LENGTH));
    let sea_level_m = world.config().sea_level() as f32;
    is_great.extend(summits.iter().map(|summit| world.ground_m()[summit.at] - sea_level_m >= GREAT_SUMMIT_M));
    places.extend(rivers);
    places.extend(summits);
    for place in &mut places {
        place.height_m = world.ground_m()[place.at];
    }
    if !world.is_on_given_ground {
        name_places(world, &mut places, &is_great);
    }
    sort_descending(&mut places, |place| place.rank);
    places
}

/// Names places in the order of their cells, so that the size of a place, which depends on more settings than its cell,
/// does not determine which of two places gets a name.
fn name_places(world: &World, places: &mut [Place], is_great: &[bool]) {
    let mut namer = PlaceNamer::new(world.config().seed, world.config().base_temperature_c);
    // The mouth identifies a river, since its middle moves with its length.
    let cell = |place: &Place| match (place.kind, place.course.last()) {
        (PlaceKind::River, Some(mouth)) => mouth.floor().as_ivec2(),
        _ => place.at,
    };
    let key = |i: usize| (places[i].kind, cell(&places[i]).y, cell(&places[i]).x);
    for i in order_by(places.len(), &|a, b| key(a).cmp(&key(b))) {
        places[i].name = namer.name(places[i].kind, cell(&places[i]), is_great[i]);
    }
}

/// The minimum prominence of a summit: a fraction of the height of the land, and a number of metres.
const MIN_SHARE: f32 = 0.03;
const MIN_PROMINENCE_M: f32 = 2.0;

/// The minimum distance of a summit from the edge of the map, in cells: ground at the edge can rise beyond it.
const MARGIN: i32 = 4;

/// Returns the summits, the most prominent first, and at most `max_len`. The prominence of the highest summit of an
/// island is its height above the sea, or above the lowest cell of a map without sea.
pub(crate) fn summits(world: &World, map: &ReducedMap, max_len: usize) -> Vec<Place> {
    let (water, ground_m) = (map.water.as_slice(), map.ground_m.as_slice());
    let is_land = |i: usize| !ground_m[i].is_nan() && water[i] != Water::Sea;
    let has_sea = water.contains(&Water::Sea);
    let lowest = ground_m.iter().copied().fold(f32::NAN, f32::min);
    let base = if has_sea { world.config().sea_level() as f32 } else { lowest };
    let peaks = peaks(ground_m, map.size(), is_land);
    let Some(highest) = peaks.first().map(|peak| peak.value) else { return Vec::new() };
    let relief = highest - base;
    let min_prominence = (MIN_SHARE * relief).max(MIN_PROMINENCE_M);
    let last = world.ground_m().size() - 1 - MARGIN;
    let mut summits: Vec<Place> = Vec::new();
    for peak in peaks {
        let prominence = peak.value - peak.saddle.unwrap_or(base);
        if prominence < min_prominence {
            continue;
        }
        let cell = map.highest(map.block(peak.cell), world);
        if cell.cmpge(glam::IVec2::splat(MARGIN)).all() && cell.cmple(last).all() {
            let rank = 0.8 * (prominence / relief).min(1.0);
            summits.push(Place { rank, ..Place::nameless(PlaceKind::Summit, cell, prominence) });
        }
    }
    sort_descending(&mut summits, |summit| summit.extent);
    summits.truncate(max_len);
    summits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use glam::{IVec2, ivec2};

    use super::*;
    use crate::world::{Ground, Water, WorldConfig};
    use farsight::Job;
    use farsight::grid::Grid;

    fn of_kind(world: &World, kind: PlaceKind) -> Vec<&Place> {
        world.places().iter().filter(|place| place.kind == kind).collect()
    }

    fn generated(seed: u64, width: u32, height: u32) -> World {
        let config = WorldConfig::default().with_seed(seed).with_width(width).with_height(height);
        World::generate(&config, Job::none()).unwrap()
    }

    fn on_ground(elevation: Grid<f32>, sea_level_m: Option<f64>) -> World {
        let config = WorldConfig { sea_level_m, ..WorldConfig::default() };
        World::from_dem(Ground::new(elevation), &config, Job::none()).unwrap()
    }

    /// Returns a cone of a height around a cell.
    fn cone(cell: IVec2, top: IVec2, height_m: f32) -> f32 {
        height_m - 10.0 * (cell - top).as_vec2().length()
    }

    #[test]
    fn summits_have_the_prominence_of_the_definition() {
        // Two cones of 500 m and 400 m, 20 cells apart: their saddle is at 350 m. The third is on the edge of the map.
        let tops = [(ivec2(20, 20), 500.0), (ivec2(40, 20), 400.0), (ivec2(58, 2), 480.0)];
        let ground =
            Grid::from_fn(60, 40, |cell| tops.iter().map(|(top, m)| cone(cell, *top, *m)).fold(50.0, f32::max));
        let world = on_ground(ground, None);
        let summits = of_kind(&world, PlaceKind::Summit);
        let found: Vec<_> = summits.iter().map(|summit| (summit.at, summit.height_m)).collect();
        assert_eq!(found, [(ivec2(20, 20), 500.0), (ivec2(40, 20), 400.0)]);
        let lowest = world.elevation_range_m()[0];
        assert_eq!(summits[0].extent, 500.0 - lowest);
        assert!((summits[1].extent - 50.0).abs() < 1e-3, "{}", summits[1].extent);
        assert!(summits.iter().all(|summit| summit.name.is_empty()), "real names are not known");
        assert!(summits[0].rank > summits[1].rank);
    }

    #[test]
    fn prominence_of_islands_is_their_height_above_the_sea() {
        let tops = [(ivec2(15, 15), 90.0), (ivec2(45, 15), 60.0)];
        let ground =
            Grid::from_fn(60, 30, |cell| tops.iter().map(|(top, m)| cone(cell, *top, *m)).fold(-30.0, f32::max));
        let world = on_ground(ground, Some(-5.0));
        let summits = of_kind(&world, PlaceKind::Summit);
        assert_eq!(summits.iter().map(|summit| summit.extent).collect::<Vec<_>>(), [95.0, 65.0]);
    }

    /// Returns water in a map of land at 10 m.
    fn water_map(rows: &[&str]) -> World {
        let mut world = on_ground(Grid::new(rows[0].len(), rows.len(), 10.0), None);
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.bytes().enumerate() {
                world.hydrography.water[ivec2(x as i32, y as i32)] = match letter {
                    b'~' => Water::Sea,
                    b'o' => Water::Lake,
                    _ => Water::None,
                };
            }
        }
        world
    }

    #[test]
    fn lakes_are_components_with_the_cell_farthest_from_the_shore() {
        let world = water_map(&[
            "........................",
            ".ooooooooooooooo....oo..",
            ".ooooooooooooooo....oo..",
            ".ooooooooooooooo........",
            ".ooooo..................",
            ".ooooo...........oooo...",
            ".................oooo...",
            ".................oooo...",
            "........................",
        ]);
        let lakes = of_kind(&world, PlaceKind::Lake);
        assert_eq!(lakes.len(), 2, "a lake of four cells has no name: {lakes:?}");
        assert_eq!((lakes[0].at, lakes[0].extent), (ivec2(3, 3), 3.0));
        assert_eq!((lakes[1].at, lakes[1].extent), (ivec2(18, 6), 2.0));
    }

    #[test]
    fn strait_divides_a_sea_in_two() {
        let basin = "~~~~~~~~~~~~~~~";
        let (open, strait) = (format!(".{basin}...{basin}."), format!(".{basin}~~~{basin}."));
        let closed = ".".repeat(35);
        let mut rows = vec![closed.as_str()];
        rows.extend((0..15).map(|y| if y == 7 { &*strait } else { &*open }));
        rows.push(&closed);
        let world = water_map(&rows);
        let seas = of_kind(&world, PlaceKind::Sea);
        assert_eq!(seas.iter().map(|sea| sea.at).collect::<Vec<_>>(), [ivec2(8, 8), ivec2(26, 8)]);
        let cells = [ivec2(2, 2), ivec2(32, 14), ivec2(17, 8), ivec2(17, 3), ivec2(-1, 0), ivec2(8, 8)];
        let found = world.water_bodies_at(&cells);
        let at = |i: Option<usize>| i.map(|i| world.places()[i].at.x);
        assert_eq!(
            found.into_iter().map(at).collect::<Vec<_>>(),
            [Some(8), Some(26), Some(8), None, None, Some(8)],
            "the strait is as far from both seas, and the first has it"
        );
        let wide: Vec<&str> =
            rows.iter().enumerate().map(|(y, row)| if (3..13).contains(&y) { &*strait } else { row }).collect();
        assert_eq!(of_kind(&water_map(&wide), PlaceKind::Sea).len(), 1, "a wide opening divides nothing");
    }

    #[test]
    fn lettering_axes_run_from_left_to_right_over_water() {
        let mut count = 0;
        for seed in 1..8 {
            let world = generated(seed, 256, 200);
            for place in world.places() {
                if !matches!(place.kind, PlaceKind::Sea | PlaceKind::Lake) {
                    continue;
                }
                count += 1;
                assert!((2..=5).contains(&place.course.len()), "{place:?}");
                assert!(place.course.windows(2).all(|pair| pair[0].x < pair[1].x), "{place:?}");
                let middle = place.course[place.course.len() / 2];
                assert!((middle - place.at.as_vec2()).length() < 5.0 * place.extent + 2.0, "{place:?}");
                let on_water = place
                    .course
                    .iter()
                    .filter(|point| world.water().get(point.floor().as_ivec2()) == world.water().get(place.at));
                assert!(on_water.count() + 1 >= place.course.len(), "{place:?}");
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn long_slanted_water_has_a_slanted_axis() {
        let band = |cell: IVec2| (cell.y - cell.x / 2).abs() <= 6 && (8..92).contains(&cell.x);
        let rows: Vec<String> =
            (-12..64).map(|y| (0..100).map(|x| if band(ivec2(x, y)) { 'o' } else { '.' }).collect()).collect();
        let world = water_map(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let lake = of_kind(&world, PlaceKind::Lake)[0];
        let (first, last) = (lake.course[0], lake.course[lake.course.len() - 1]);
        let slope = (last.y - first.y) / (last.x - first.x);
        assert!((slope - 0.5).abs() < 0.1 && last.x - first.x > 30.0, "{slope}, {lake:?}");
    }

    #[test]
    fn rivers_follow_the_flow_from_source_to_mouth() {
        let mut count = 0;
        for seed in 1..8 {
            let world = generated(seed, 256, 256);
            for river in of_kind(&world, PlaceKind::River) {
                count += 1;
                let cells: Vec<IVec2> = river.course.iter().map(|point| point.floor().as_ivec2()).collect();
                assert!(river.extent >= 12.0 && cells.len() >= 9);
                assert!(cells.windows(2).all(|pair| world.flow().downstream(pair[0]) == Some(pair[1])));
                assert!(cells.iter().all(|&cell| world.water()[cell] == Water::River) && cells.contains(&river.at));
                let drainage = |cell: IVec2| world.flow().drainage_km2()[cell];
                assert!(cells.windows(2).all(|pair| drainage(pair[0]) <= drainage(pair[1])));
                let last = cells[cells.len() - 1];
                match world.flow().downstream(last) {
                    None => assert!(last.min_element() == 0 || last.max_element() == 255),
                    Some(next) if world.water()[next] == Water::River => {
                        // A tributary: the larger river has more water above the confluence.
                        assert!(river.extent >= 24.0);
                    }
                    Some(next) => assert!(matches!(world.water()[next], Water::Sea | Water::Lake)),
                }
            }
        }
        assert!(count > 30, "{count}");
    }

    #[test]
    fn no_cell_is_in_two_rivers() {
        let world = generated(3, 256, 256);
        let rivers = of_kind(&world, PlaceKind::River);
        let all: Vec<IVec2> =
            rivers.iter().flat_map(|river| &river.course).map(|point| point.floor().as_ivec2()).collect();
        assert_eq!(
            all.iter().map(|cell| cell.to_array()).collect::<BTreeSet<_>>().len(),
            all.len(),
            "no cell is in two rivers"
        );
    }

    #[test]
    fn names_are_unique_and_the_same_every_time() {
        for seed in [1, 14, 99] {
            let world = generated(seed, 300, 240);
            let names: BTreeSet<&str> = world.places().iter().map(|place| &*place.name).collect();
            assert_eq!(names.len(), world.places().len());
            assert!(!names.contains(""));
            assert_eq!(generated(seed, 300, 240).places(), world.places());
            assert!(world.places().is_sorted_by(|a, b| a.rank >= b.rank));
            assert!(world.places().iter().all(|place| (0.0..=1.0).contains(&place.rank) && !place.height_m.is_nan()));
        }
        assert_ne!(generated(1, 64, 64).places(), generated(2, 64, 64).places());
    }

    #[test]
    fn names_stay_when_settings_change_that_do_not_move_places() {
        let config = WorldConfig::default().with_seed(6).with_width(256).with_height(256);
        let make = |config: &WorldConfig| World::generate(config, Job::none()).unwrap();
        let world = make(&config);
        for other in [config.clone().with_wind_from_deg(10.0), config.clone().with_rain(0.3).with_vegetation(0.2)] {
            assert_eq!(make(&other).places(), world.places());
        }
        let fewer_rivers = make(&config.clone().with_river_basin_km2(30.0));
        let without_rivers = |world: &World| {
            let places = world.places().iter().filter(|place| place.kind != PlaceKind::River);
            places.map(|place| (place.at.to_array(), place.name.clone())).collect::<BTreeSet<_>>()
        };
        assert_eq!(without_rivers(&fewer_rivers), without_rivers(&world));
        let mouths = |world: &World| {
            let rivers = world.places().iter().filter(|place| place.kind == PlaceKind::River);
            rivers
                .map(|river| {
                    (
                        river.course[river.course.len() - 1].as_ivec2().to_array(),
                        river.extent >= 40.0,
                        river.name.clone(),
                    )
                })
                .collect::<BTreeSet<_>>()
        };
        let (few, many) = (mouths(&fewer_rivers), mouths(&world));
        assert!(few.len() < many.len() && few.intersection(&many).count() > 0, "{few:?}");
    }

    #[test]
    fn worlds_of_any_shape_have_places_or_none() {
        for (width, height) in [(1, 1), (1, 40), (40, 1), (2, 3), (9, 9), (33, 17)] {
            for land in [0.0, 0.5, 1.0] {
                let config = WorldConfig::default().with_width(width).with_height(height).with_land(land);
                let world = World::generate(&config, Job::none()).unwrap();
                for place in world.places() {
                    assert!(world.has_data(place.at));
                }
            }
        }
        let all_sea = on_ground(Grid::new(40, 30, -5.0), Some(0.0));
        let [sea] = all_sea.places() else { panic!("{:?}", all_sea.places()) };
        assert_eq!((sea.kind, sea.extent, &*sea.name), (PlaceKind::Sea, 15.0, ""));
        let flat = on_ground(Grid::new(30, 30, 7.0), None);
        assert!(of_kind(&flat, PlaceKind::Summit).is_empty());
        assert!(World::preview(&WorldConfig::default(), Job::none()).unwrap().places().is_empty());
    }

    #[test]
    fn cells_without_data_are_no_places() {
        let hole = |cell: IVec2| cell.x < 30 && cell.y > 8;
        let ground = Grid::from_fn(60, 60, |cell| match hole(cell) {
            true => f32::NAN,
            false => [(ivec2(45, 20), 300.0), (ivec2(12, 5), 200.0)]
                .iter()
                .map(|(top, m)| cone(cell, *top, *m))
                .fold(0.0, f32::max),
        });
        let world = on_ground(ground, Some(0.0));
        assert!(!world.places().is_empty());
        for place in world.places() {
            assert!(!hole(place.at) && !place.height_m.is_nan() && !place.extent.is_nan(), "{place:?}");
        }
        assert_eq!(of_kind(&world, PlaceKind::Summit)[0].at, ivec2(45, 20));
    }

    #[test]
    fn places_do_not_count_when_worlds_are_compared() {
        let (asked, fresh) = (generated(4, 40, 40), generated(4, 40, 40));
        assert!(!asked.places().is_empty());
        assert!(asked == fresh && format!("{asked:?}") == format!("{fresh:?}"));
        assert_eq!(asked.clone().places(), asked.places());
    }
}
