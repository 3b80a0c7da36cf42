//! The places of a scene: those of its world, with the names of its preset.

use glam::IVec2;

use crate::math::sort_descending;
use crate::preset::PlaceName;
use crate::scene::Scene;
use crate::world::{Place, PlaceKind, World};

/// The maximum distance of a name from its summit or river, in cells.
const REACH: f32 = 3.0;

impl Scene {
    /// Returns the places of the map, the most important first: those of the world, and the names of the preset, which come
    /// first. They are computed on first use, and cached until the names change.
    ///
    /// A name of the preset is that of the sea or lake that its cell is in, or else that of a summit or river within 3 cells,
    /// if the world has such a [place](World::places). A second name for the same place, and a name for no place, is a
    /// [`PlaceKind::Own`]. Strokes do not change the places of the world until they
    /// [settle](field@crate::world::Stroke::settles); until then, a painted lake has only the name that the preset
    /// gives it.
    pub fn places(&self) -> &[Place] {
        match self.world_and_strokes().map(|(world, _)| world) {
            Some(world) if self.preset.names.is_empty() => world.places(),
            world => self.named_places.get_or_init(|| {
                let ground_m = |cell| self.world().and_then(|world| world.ground_m().get(cell)).copied();
                named_places(world.map(|world| &**world), &self.preset.names, ground_m)
            }),
        }
    }
}

/// Returns the places of a world or of an opacity map with names.
fn named_places(world: Option<&World>, names: &[PlaceName], ground_m: impl Fn(IVec2) -> Option<f32>) -> Vec<Place> {
    let mut places = world.map_or_else(Vec::new, |world| world.places().to_vec());
    let cells: Vec<IVec2> = names.iter().map(|named| named.at).collect();
    let bodies = world.map_or_else(Vec::new, |world| world.water_bodies_at(&cells));
    let mut is_named = vec![false; places.len()];
    let mut own = Vec::new();
    for (i, PlaceName { at, name }) in names.iter().enumerate() {
        let body = bodies.get(i).copied().flatten();
        match body.or_else(|| near_place(&places, *at)).filter(|&place| !is_named[place]) {
            Some(place) => {
                is_named[place] = true;
                places[place].name.clone_from(name);
                places[place].rank += 1.0;
            }
            None => {
                let height_m = ground_m(*at).unwrap_or(f32::NAN);
                let place = Place::nameless(PlaceKind::Own, *at, 0.0);
                own.push(Place { name: name.clone(), height_m, rank: 1.5, ..place });
            }
        }
    }
    places.extend(own);
    sort_descending(&mut places, |place| place.rank);
    places
}

/// Returns the index of the nearest summit or river in range of a cell, the first of several at the same distance.
fn near_place(places: &[Place], cell: IVec2) -> Option<usize> {
    let distance = |place: &Place| match place.kind {
        PlaceKind::Summit => (place.at - cell).as_vec2().length(),
        PlaceKind::River => {
            let distances = place.course.iter().map(|point| (*point - cell.as_vec2() - 0.5).length());
            distances.fold(f32::INFINITY, f32::min)
        }
        _ => f32::INFINITY,
    };
    let distances = places.iter().map(distance).enumerate().filter(|(_, distance)| *distance <= REACH);
    distances.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;
    use crate::scene::SceneError;
    use farsight::Job;
    use farsight::sight::OpacityMap;

    fn preset() -> Preset {
        let mut preset = Preset::shipped_default();
        (preset.world.width, preset.world.height, preset.sight.radius) = (200, 200, 8);
        preset
    }

    fn first(places: &[Place], kind: PlaceKind) -> &Place {
        places.iter().find(|place| place.kind == kind).unwrap()
    }

    #[test]
    fn names_replace_those_of_places_and_others_are_places_of_their_own() {
        let mut scene = Scene::generate(preset(), None, Job::none()).unwrap();
        let old = scene.places().to_vec();
        assert_eq!(old, scene.world().unwrap().places());
        let (sea, lake, river, summit) = (
            first(&old, PlaceKind::Sea),
            first(&old, PlaceKind::Lake),
            first(&old, PlaceKind::River),
            first(&old, PlaceKind::Summit),
        );
        let in_river = river.course[river.course.len() / 3].floor().as_ivec2();
        let is_free = |cell: &IVec2| near_place(&old, *cell).is_none();
        let dry = scene.world().unwrap().water().iter().filter(|(_, water)| **water == crate::world::Water::None);
        let alone = dry.map(|(cell, _)| cell).find(is_free).unwrap();
        let names = vec![
            PlaceName::new(sea.at + IVec2::X, "A"),
            PlaceName::new(lake.at, "B"),
            PlaceName::new(in_river, "C"),
            PlaceName::new(summit.at + IVec2::new(2, 2), "D"),
            PlaceName::new(alone, "E"),
            PlaceName::new(lake.at, "F"),
        ];
        scene.apply(scene.preset().clone().with_names(names)).unwrap();
        let named = |name: &str| scene.places().iter().find(|place| place.name == name).unwrap();
        for (name, place) in [("A", sea), ("B", lake), ("C", river), ("D", summit)] {
            assert_eq!(*named(name), Place { name: name.into(), rank: place.rank + 1.0, ..place.clone() });
        }
        let own = named("E");
        assert_eq!((own.kind, own.at, own.extent), (PlaceKind::Own, alone, 0.0));
        assert_eq!(own.height_m, scene.world().unwrap().ground_m()[alone]);
        assert_eq!((named("F").kind, named("F").at), (PlaceKind::Own, lake.at), "a second name of the same lake");
        assert_eq!(scene.places().len(), old.len() + 2);
        assert!(scene.places().is_sorted_by(|a, b| a.rank >= b.rank));
        scene.apply(scene.preset().clone().with_names(vec![])).unwrap();
        assert_eq!(scene.places(), old);
        scene.apply(scene.preset().clone().with_names(vec![PlaceName::new(alone, "G")])).unwrap();
        assert_eq!(scene.places()[0].name, "G", "no name is kept");
    }

    #[test]
    fn opacity_maps_have_the_names_of_the_preset_only() {
        let on_map = |names: Vec<PlaceName>| {
            let map = OpacityMap::from_text("....\n.##.").unwrap();
            Scene::from_map(Preset::bare_kernel().with_names(names), map, None, Job::none())
        };
        assert!(on_map(vec![]).unwrap().places().is_empty());
        let scene = on_map(vec![PlaceName::new((1, 1), "Wall Street")]).unwrap();
        let [place] = scene.places() else { panic!("{:?}", scene.places()) };
        assert_eq!((place.kind, &*place.name, place.at), (PlaceKind::Own, "Wall Street", IVec2::ONE));
        assert!(place.height_m.is_nan());
        let off = on_map(vec![PlaceName::new((1, 1), "A"), PlaceName::new((4, 1), "B")]).unwrap_err();
        assert!(matches!(&off, SceneError::OffMap { what, .. } if what == "names[1]"), "{off}");
    }
}
