//! Creatures live where they can and wander as the seed says; question marks come and go.

use std::collections::BTreeSet;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::perception::{Creatures, Habitat, Sense, Sighting, Species, Thresholds};
use farsight::scene::Scene;
use farsight::world::Biome;

use super::{generated, small};

const THRESHOLDS: Thresholds = Thresholds { identify: 0.25, glimpse: 0.05, hysteresis: 0.02 };
const SIZE: IVec2 = ivec2(12, 9);

fn floor(cell: IVec2) -> Option<Habitat> {
    CellRect::of_size(SIZE).contains(cell).then_some(Habitat::Floor)
}

fn cells(creatures: &Creatures) -> Vec<IVec2> {
    creatures.all().iter().map(|creature| creature.cell).collect()
}

#[test]
fn every_habitat_has_a_species() {
    let lived_in = |place| Species::all().iter().any(|species| species.lives_in(place));
    for biome in Biome::ALL {
        assert!(lived_in(Habitat::Biome(biome)), "nobody lives in {}", biome.name());
    }
    assert!(lived_in(Habitat::Floor));
}

#[test]
fn glyphs_and_names_tell_species_apart() {
    let glyphs: BTreeSet<char> = Species::all().iter().map(|species| species.glyph).collect();
    let names: BTreeSet<&str> = Species::all().iter().map(|species| species.name).collect();
    assert_eq!((glyphs.len(), names.len()), (Species::all().len(), Species::all().len()));
    assert!(glyphs.iter().all(char::is_ascii_alphabetic), "{glyphs:?}: ? and @ mean something else");
    for species in Species::all() {
        assert!(species.conspicuity > 0.0 && species.conspicuity <= 1.0, "{}", species.name);
        assert!(species.restlessness <= 100, "{}", species.name);
    }
}

/// Every creature stands where its kind lives, and not on the viewer unless the viewer came to it.
fn assert_at_home(scene: &Scene) {
    for creature in scene.creatures().all() {
        let place = scene.terrain().habitat(creature.cell);
        let at_home = place.is_some_and(|place| creature.species.lives_in(place));
        assert!(at_home, "{} at {} in {place:?}", creature.species.name, creature.cell);
    }
}

#[test]
fn creatures_live_and_stay_where_their_kind_does() {
    for seed in 0..12 {
        let mut preset = small(if seed % 3 == 2 { "dungeon" } else { "temperate" }, seed);
        preset.perception.creatures = 300.0;
        preset.sight.radius = 4;
        let mut scene = generated(preset);
        assert!(!scene.creatures().all().is_empty(), "seed {seed}");
        assert_at_home(&scene);
        for _ in 0..25 {
            scene.wait().unwrap();
            assert_at_home(&scene);
        }
    }
}

#[test]
fn number_of_creatures_is_as_configured() {
    for (per_10000, wanted) in [(0.0, 0), (400.0, 400), (1000.0, 1000)] {
        let size = ivec2(100, 100);
        assert_eq!(Creatures::settle(5, size, per_10000, |_| Some(Habitat::Floor)).all().len(), wanted);
        assert!(Creatures::settle(5, size, per_10000, |_| None).all().is_empty());
    }
    let half = Creatures::settle(5, ivec2(100, 100), 1000.0, |cell| (cell.x < 50).then_some(Habitat::Floor));
    assert!((400..600).contains(&half.all().len()), "{}", half.all().len());
    assert!(Creatures::settle(5, ivec2(1, 1), 1000.0, |_| Some(Habitat::Floor)).all().is_empty());
}

#[test]
fn creatures_wander_by_the_seed() {
    let walked = |seed| {
        let mut creatures = Creatures::settle(seed, SIZE, 1000.0, floor);
        let start = cells(&creatures);
        for _ in 0..20 {
            creatures.wander(ivec2(3, 3), floor);
        }
        (start, cells(&creatures))
    };
    let (start, end) = walked(7);
    assert_eq!(walked(7), (start.clone(), end.clone()));
    assert_ne!(start, end, "somebody moved");
    assert_ne!(walked(8).1, end);
}

#[test]
fn creatures_move_one_cell_and_never_onto_the_viewer_or_off_the_map() {
    for seed in 0..20 {
        let viewer = ivec2(5, 4);
        let mut creatures =
            Creatures::settle(seed, SIZE, 1000.0, |cell| if cell == viewer { None } else { floor(cell) });
        for _ in 0..200 {
            let before = cells(&creatures);
            creatures.wander(viewer, floor);
            for (from, to) in before.into_iter().zip(cells(&creatures)) {
                assert!((to - from).abs().max_element() <= 1, "{from} to {to}");
                assert!(floor(to).is_some() && to != viewer, "{to}");
            }
        }
    }
}

#[test]
fn all_directions_are_walked_in() {
    let mut steps = BTreeSet::new();
    let mut creatures = Creatures::settle(1, ivec2(400, 400), 100.0, |_| Some(Habitat::Floor));
    let before = cells(&creatures);
    creatures.wander(ivec2(-9, -9), |_| Some(Habitat::Floor));
    for (from, to) in before.into_iter().zip(cells(&creatures)) {
        steps.insert((to - from).to_array());
    }
    assert_eq!(steps.len(), 9, "eight directions, and staying: {steps:?}");
}

/// One creature, by the seed: where it is, and how well its kind is seen.
fn lonely() -> (Creatures, IVec2, f32) {
    let creatures = Creatures::settle(3, ivec2(10, 1), 1000.0, |_| Some(Habitat::Floor));
    let [one] = creatures.all() else { panic!("{} creatures", creatures.all().len()) };
    let (cell, conspicuity) = (one.cell, one.species.conspicuity);
    (creatures, cell, conspicuity)
}

/// What is made of the creature when so much is perceived of its cell, times its conspicuity.
fn look(creatures: &mut Creatures, seen: f32, remember: bool, in_sight: bool) -> Vec<Sighting> {
    let conspicuity = creatures.all()[0].species.conspicuity;
    creatures.look(THRESHOLDS, remember, |_| seen / conspicuity, |_| in_sight);
    creatures.sightings().collect()
}

#[test]
fn glimpsed_creature_becomes_stale_and_then_forgotten() {
    let (mut creatures, cell, _) = lonely();
    let species = creatures.all()[0].species;
    assert_eq!(look(&mut creatures, 0.04, true, true), []);
    assert_eq!(look(&mut creatures, 0.1, true, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(look(&mut creatures, 0.3, true, true), [Sighting::Identified(species, cell)]);
    assert_eq!(look(&mut creatures, 0.24, true, true), [Sighting::Identified(species, cell)], "hysteresis");
    assert_eq!(look(&mut creatures, 0.22, true, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(look(&mut creatures, 0.04, true, true), [Sighting::Glimpsed(cell)], "hysteresis");
    assert_eq!(look(&mut creatures, 0.0, true, false), [Sighting::Stale(cell)], "out of sight");
    assert_eq!(look(&mut creatures, 0.0, true, false), [Sighting::Stale(cell)]);
    assert_eq!(look(&mut creatures, 0.01, true, true), [], "the place is seen, and nobody is there");
    assert_eq!(look(&mut creatures, 0.0, true, false), [], "and it does not come back");
}

#[test]
fn a_stale_mark_stays_where_the_creature_was_though_it_wanders_on() {
    let (mut creatures, cell, _) = lonely();
    look(&mut creatures, 0.1, true, true);
    for _ in 0..50 {
        creatures.wander(ivec2(-5, 0), |cell| (0..10).contains(&cell.x).then_some(Habitat::Floor));
        assert_eq!(look(&mut creatures, 0.0, true, false), [Sighting::Stale(cell)]);
    }
    creatures.forget();
    assert_eq!(creatures.sightings().count(), 0);
}

#[test]
fn without_memory_nothing_goes_stale() {
    let (mut creatures, cell, _) = lonely();
    assert_eq!(look(&mut creatures, 0.1, false, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(look(&mut creatures, 0.0, false, false), []);
}

#[test]
fn forgetting_keeps_creatures_in_sight() {
    let (mut creatures, cell, _) = lonely();
    look(&mut creatures, 0.1, true, true);
    creatures.forget();
    assert_eq!(creatures.sightings().collect::<Vec<_>>(), [Sighting::Glimpsed(cell)]);
}

#[test]
fn hard_to_see_kinds_are_identified_later() {
    let (mut creatures, cell, conspicuity) = lonely();
    assert!(conspicuity < 1.0, "the seed picks a kind that is hard to see");
    let limit = THRESHOLDS.identify / conspicuity;
    creatures.look(THRESHOLDS, true, |_| limit * 0.99, |_| true);
    assert_eq!(creatures.all()[0].sense, Sense::Glimpsed);
    creatures.look(THRESHOLDS, true, |_| limit * 1.01, |_| true);
    assert_eq!((creatures.all()[0].sense, creatures.all()[0].last_seen), (Sense::Identified, Some(cell)));
}

#[test]
fn a_hysteresis_larger_than_a_threshold_keeps_only_what_is_seen_at_all() {
    let sticky = Thresholds { hysteresis: 0.5, ..THRESHOLDS };
    assert_eq!(sticky.judge_after(1e-6, Sense::Identified), Sense::Identified);
    assert_eq!(sticky.judge_after(0.0, Sense::Identified), Sense::Hidden);
    assert_eq!(sticky.judge(1e-6), Sense::Hidden);
}
