//! Recognition, memory, and creatures: their habitats, movement and question marks.

use std::collections::BTreeSet;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::perception::{CellMemory, Memory, OutOfSight, Recognition, Thresholds};
use farsight_scene::creatures::{Creatures, Habitat, Sighting, Species};
use farsight_scene::scene::Scene;
use farsight_scene::world::Biome;

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
    let is_inhabited = |habitat| Species::all().iter().any(|species| species.lives_in(habitat));
    for &biome in Biome::KNOWN {
        assert!(is_inhabited(Habitat::Biome(biome)), "no species lives in {}", biome.name());
    }
    assert!(is_inhabited(Habitat::Floor));
}

#[test]
fn species_have_distinct_glyphs_and_names() {
    let glyphs: BTreeSet<char> = Species::all().iter().map(|species| species.glyph).collect();
    let names: BTreeSet<&str> = Species::all().iter().map(|species| species.name).collect();
    assert_eq!((glyphs.len(), names.len()), (Species::all().len(), Species::all().len()));
    assert!(glyphs.iter().all(char::is_ascii_alphabetic), "{glyphs:?}: ? and @ have other meanings");
    for species in Species::all() {
        assert!(species.conspicuity > 0.0 && species.conspicuity <= 1.0, "{}", species.name);
        assert!(species.restlessness <= 100, "{}", species.name);
    }
}

/// Asserts that every creature is in a habitat of its species.
fn assert_in_habitat(scene: &Scene) {
    for creature in scene.creatures().all() {
        let place = scene.terrain().habitat(creature.cell);
        let at_home = place.is_some_and(|place| creature.species.lives_in(place));
        assert!(at_home, "{} at {} in {place:?}", creature.species.name, creature.cell);
    }
}

#[test]
fn creatures_stay_in_their_habitats() {
    for seed in 0..12 {
        let mut preset = small(if seed % 3 == 2 { "dungeon" } else { "temperate" }, seed);
        preset.perception.creatures = 300.0;
        preset.sight.radius = 4;
        let mut scene = generated(preset);
        assert!(!scene.creatures().all().is_empty(), "seed {seed}");
        assert_in_habitat(&scene);
        for _ in 0..25 {
            scene.wait().unwrap();
            assert_in_habitat(&scene);
        }
    }
}

#[test]
fn number_of_creatures_is_that_of_the_configuration() {
    for (per_10000, wanted) in [(0.0, 0), (400.0, 400), (1000.0, 1000)] {
        let size = ivec2(100, 100);
        assert_eq!(Creatures::spawn(5, size, per_10000, |_| Some(Habitat::Floor)).all().len(), wanted);
        assert!(Creatures::spawn(5, size, per_10000, |_| None).all().is_empty());
    }
    let half = Creatures::spawn(5, ivec2(100, 100), 1000.0, |cell| (cell.x < 50).then_some(Habitat::Floor));
    assert!((400..600).contains(&half.all().len()), "{}", half.all().len());
    assert!(Creatures::spawn(5, ivec2(1, 1), 1000.0, |_| Some(Habitat::Floor)).all().is_empty());
}

#[test]
fn creatures_wander_by_the_seed() {
    let walked = |seed| {
        let mut creatures = Creatures::spawn(seed, SIZE, 1000.0, floor);
        let start = cells(&creatures);
        for _ in 0..20 {
            creatures.wander(ivec2(3, 3), floor);
        }
        (start, cells(&creatures))
    };
    let (start, end) = walked(7);
    assert_eq!(walked(7), (start.clone(), end.clone()));
    assert_ne!(start, end, "no creature moved");
    assert_ne!(walked(8).1, end);
}

#[test]
fn creatures_move_by_one_cell_and_never_onto_the_viewer_or_off_the_map() {
    for seed in 0..20 {
        let viewer = ivec2(5, 4);
        let mut creatures =
            Creatures::spawn(seed, SIZE, 1000.0, |cell| if cell == viewer { None } else { floor(cell) });
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
fn creatures_move_in_all_directions() {
    let mut steps = BTreeSet::new();
    let mut creatures = Creatures::spawn(1, ivec2(400, 400), 100.0, |_| Some(Habitat::Floor));
    let before = cells(&creatures);
    creatures.wander(ivec2(-9, -9), |_| Some(Habitat::Floor));
    for (from, to) in before.into_iter().zip(cells(&creatures)) {
        steps.insert((to - from).to_array());
    }
    assert_eq!(steps.len(), 9, "expected eight directions and no step: {steps:?}");
}

/// A single creature, its cell and its conspicuity.
fn single_creature() -> (Creatures, IVec2, f32) {
    let creatures = Creatures::spawn(3, ivec2(10, 1), 1000.0, |_| Some(Habitat::Floor));
    let [one] = creatures.all() else { panic!("{} creatures", creatures.all().len()) };
    let (cell, conspicuity) = (one.cell, one.species.conspicuity);
    (creatures, cell, conspicuity)
}

/// Returns the sightings when this much is perceived of the creature.
fn look(creatures: &mut Creatures, seen: f32, out_of_sight: OutOfSight, in_sight: bool) -> Vec<Sighting> {
    let conspicuity = creatures.all()[0].species.conspicuity;
    creatures.update_recognition(THRESHOLDS, out_of_sight, |_| seen / conspicuity, |_| in_sight);
    creatures.sightings().collect()
}

#[test]
fn question_mark_appears_goes_stale_and_disappears() {
    let (mut creatures, cell, _) = single_creature();
    let species = creatures.all()[0].species;
    assert_eq!(look(&mut creatures, 0.04, OutOfSight::Remember, true), []);
    assert_eq!(look(&mut creatures, 0.1, OutOfSight::Remember, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(look(&mut creatures, 0.3, OutOfSight::Remember, true), [Sighting::Identified(species, cell)]);
    assert_eq!(
        look(&mut creatures, 0.24, OutOfSight::Remember, true),
        [Sighting::Identified(species, cell)],
        "hysteresis"
    );
    assert_eq!(look(&mut creatures, 0.22, OutOfSight::Remember, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(look(&mut creatures, 0.04, OutOfSight::Remember, true), [Sighting::Glimpsed(cell)], "hysteresis");
    let remembered = [Sighting::Remembered(species, cell)];
    assert_eq!(look(&mut creatures, 0.0, OutOfSight::Remember, false), remembered, "out of sight");
    assert_eq!(look(&mut creatures, 0.0, OutOfSight::Remember, false), remembered);
    let words = creatures.all()[0].description(0.0);
    assert_eq!(words, format!("{}, last seen here", species.name));
    assert_eq!(
        look(&mut creatures, 0.01, OutOfSight::Remember, true),
        [],
        "the cell is seen, and the creature is not there"
    );
    assert_eq!(look(&mut creatures, 0.0, OutOfSight::Remember, false), [], "the mark does not return");
    assert_eq!(look(&mut creatures, 0.1, OutOfSight::Remember, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(
        look(&mut creatures, 0.0, OutOfSight::Remember, false),
        [Sighting::Stale(cell)],
        "it may be another one"
    );
    assert_eq!(creatures.all()[0].description(0.0), "something, last seen here");
}

#[test]
fn stale_mark_stays_while_the_creature_wanders_on() {
    let (mut creatures, cell, _) = single_creature();
    look(&mut creatures, 0.1, OutOfSight::Remember, true);
    for _ in 0..50 {
        creatures.wander(ivec2(-5, 0), |cell| (0..10).contains(&cell.x).then_some(Habitat::Floor));
        assert_eq!(look(&mut creatures, 0.0, OutOfSight::Remember, false), [Sighting::Stale(cell)]);
    }
    creatures.forget();
    assert_eq!(creatures.sightings().count(), 0);
}

#[test]
fn marks_do_not_go_stale_without_memory() {
    let (mut creatures, cell, _) = single_creature();
    assert_eq!(look(&mut creatures, 0.1, OutOfSight::Forget, true), [Sighting::Glimpsed(cell)]);
    assert_eq!(look(&mut creatures, 0.0, OutOfSight::Forget, false), []);
}

#[test]
fn forget_keeps_creatures_in_sight() {
    let (mut creatures, cell, _) = single_creature();
    look(&mut creatures, 0.1, OutOfSight::Remember, true);
    creatures.forget();
    assert_eq!(creatures.sightings().collect::<Vec<_>>(), [Sighting::Glimpsed(cell)]);
}

#[test]
fn inconspicuous_species_are_identified_later() {
    let (mut creatures, cell, conspicuity) = single_creature();
    assert!(conspicuity < 1.0, "the seed must pick an inconspicuous species");
    let limit = THRESHOLDS.identify / conspicuity;
    creatures.update_recognition(THRESHOLDS, OutOfSight::Remember, |_| limit * 0.99, |_| true);
    assert_eq!(creatures.all()[0].recognition, Recognition::Glimpsed);
    creatures.update_recognition(THRESHOLDS, OutOfSight::Remember, |_| limit * 1.01, |_| true);
    assert_eq!((creatures.all()[0].recognition, creatures.all()[0].last_seen), (Recognition::Identified, Some(cell)));
}

#[test]
fn hysteresis_above_a_threshold_keeps_all_but_visibility_0() {
    let sticky = Thresholds { hysteresis: 0.5, ..THRESHOLDS };
    assert_eq!(sticky.classify_after(1e-6, Recognition::Identified), Recognition::Identified);
    assert_eq!(sticky.classify_after(0.0, Recognition::Identified), Recognition::Hidden);
    assert_eq!(sticky.classify(1e-6), Recognition::Hidden);
}

#[test]
fn thresholds_are_inclusive() {
    let thresholds = Thresholds { hysteresis: 0.1, ..THRESHOLDS };
    let expected = [
        (0.25, Recognition::Identified),
        (0.249, Recognition::Glimpsed),
        (0.05, Recognition::Glimpsed),
        (0.049, Recognition::Hidden),
    ];
    for (visibility, recognition) in expected {
        assert_eq!(thresholds.classify(visibility), recognition, "{visibility}");
    }
    assert_eq!(thresholds.classify_after(0.001, Recognition::Glimpsed), Recognition::Glimpsed);
    assert_eq!(thresholds.classify_after(0.0, Recognition::Identified), Recognition::Hidden);
}

#[test]
fn recognition_does_not_flicker_within_the_hysteresis() {
    let thresholds = Thresholds { hysteresis: 0.1, ..THRESHOLDS };
    let (mut recognition, mut changes) = (Recognition::Hidden, 0);
    for i in 0..100 {
        let next = thresholds.classify_after(if i % 2 == 0 { 0.26 } else { 0.20 }, recognition);
        changes += usize::from(next != recognition);
        recognition = next;
    }
    assert_eq!((changes, recognition), (1, Recognition::Identified));
}

fn names(memory: &Memory) -> Vec<&'static str> {
    memory.grid().as_slice().iter().map(|state| state.name()).collect()
}

#[test]
fn cells_out_of_sight_are_remembered_or_forgotten() {
    let mut memory = Memory::new(CellRect::of_size((3, 1)));
    memory.update([ivec2(0, 0), ivec2(1, 0), ivec2(9, 9)], OutOfSight::Remember);
    memory.update([ivec2(1, 0)], OutOfSight::Remember);
    assert_eq!(names(&memory), ["seen", "visible", "hidden"]);
    memory.update([ivec2(0, 0)], OutOfSight::Forget);
    assert_eq!(names(&memory), ["visible", "hidden", "hidden"]);
}

#[test]
fn forget_keeps_cells_in_sight() {
    let mut memory = Memory::new(CellRect::of_size((2, 1)));
    memory.update([ivec2(0, 0)], OutOfSight::Remember);
    memory.update([ivec2(1, 0)], OutOfSight::Remember);
    memory.forget();
    assert_eq!(memory.grid().as_slice(), [CellMemory::Hidden, CellMemory::Visible]);
}

#[test]
fn contents_are_those_that_were_seen_last() {
    let mut memory = Memory::of_contents(CellRect::of_size((3, 1)));
    memory.update_with([ivec2(0, 0), ivec2(1, 0), ivec2(9, 9)], OutOfSight::Remember, |cell| cell.x + 10);
    memory.update_with([ivec2(1, 0)], OutOfSight::Remember, |cell| cell.x + 20);
    assert_eq!([0, 1, 2, 9].map(|x| memory.content((x, 0)).copied()), [Some(10), Some(21), None, None]);
    memory.forget();
    assert_eq!([0, 1].map(|x| memory.content((x, 0)).copied()), [None, Some(21)]);
    memory.update_with([], OutOfSight::Forget, |_| 0);
    assert_eq!(memory.content((1, 0)), None);
    assert_eq!(Memory::<()>::new(CellRect::of_size((3, 1))).content((0, 0)), None);
}

#[test]
fn memory_fades_from_when_a_cell_was_seen_last() {
    let mut memory = Memory::new(CellRect::of_size((2, 1))).with_fading(3);
    let strengths = |memory: &Memory| [0, 1].map(|x| memory.strength((x, 0)));
    memory.update([ivec2(0, 0), ivec2(1, 0)], OutOfSight::Remember);
    memory.update([ivec2(1, 0)], OutOfSight::Remember);
    memory.update([ivec2(0, 0)], OutOfSight::Remember); // seen again, before it is forgotten
    assert_eq!(strengths(&memory), [1.0, 1.0]);
    for expected in [[1.0, 2.0 / 3.0], [2.0 / 3.0, 1.0 / 3.0], [1.0 / 3.0, 0.0], [0.0, 0.0]] {
        memory.update([], OutOfSight::Remember);
        assert!(
            strengths(&memory).iter().zip(expected).all(|(is, expected)| (is - expected).abs() < 1e-6),
            "{expected:?}"
        );
    }
    assert_eq!(names(&memory), ["hidden", "hidden"]);
    let mut short = Memory::new(CellRect::of_size((1, 1))).with_fading(0);
    short.update([ivec2(0, 0)], OutOfSight::Remember);
    short.update([], OutOfSight::Remember);
    assert_eq!((short.get((0, 0)), short.strength((0, 0))), (CellMemory::Hidden, 0.0));
}
