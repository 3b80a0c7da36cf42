//! Tests of slow views on a document without a window.

use super::command::Command;
use super::compared_scene::ComparedTo;
use super::opened_file::OpenedFile;
use super::shown::Shown;
use super::source::{DocumentOptions, Source};
use super::state::Document;
use farsight::grid::{CellRect, Grid};
use farsight::sight::MethodKind;
use farsight::{Job, OpacityMap};
use farsight_scene::export::SavedWalk;
use farsight_scene::files::{MapFile, MapSource, digest_of_map};
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Layer, Scene};
use farsight_scene::world::{Brush, Stroke};
use glam::ivec2;
use toml::Value;

fn preset() -> Preset {
    let mut preset = Preset::named("fog").unwrap();
    (preset.world.width, preset.world.height) = (80, 60);
    preset
}

fn document() -> Document {
    let scene = Scene::generate(preset(), Some(ivec2(40, 30)), Job::none()).unwrap();
    let options = DocumentOptions {
        source: Source::Generated,
        preset: preset(),
        viewer: None,
        scene: Some(Box::new(scene)),
        name: "fog".into(),
        preset_file: None,
        input_files: Vec::new(),
    };
    Document::new(options)
}

fn settle(document: &mut Document, shown: &mut Shown) {
    while !document.is_settled() {
        document.advance(0.1, shown).unwrap();
    }
}

/// Lines of sight to all cells, far beyond the budget of two frames.
fn exact(radius: u32) -> Preset {
    let mut preset = preset();
    (preset.sight.method, preset.sight.samples, preset.sight.radius) = (MethodKind::Exact, 32, radius);
    preset
}

#[test]
fn a_slow_view_follows_its_newest_settings_and_steps_wait_for_it() {
    let (mut document, mut shown) = (document(), Shown::default());
    document.edit(exact(70), None, &shown);
    assert!(document.is_stale() && !document.is_settled());
    assert_eq!(document.preset().sight.radius, 70, "the settings follow at once");
    assert!(document.scene_to_save().is_err());
    document.advance(0.1, &mut shown).unwrap();
    document.edit(exact(60), None, &shown);
    document.walk(ivec2(1, 0));
    assert_eq!(document.scene().unwrap().viewer(), ivec2(40, 30));
    settle(&mut document, &mut shown);
    let mut expected = Scene::generate(exact(60), Some(ivec2(40, 30)), Job::none()).unwrap();
    expected.step(ivec2(1, 0)).unwrap();
    let found = document.scene().unwrap();
    assert_eq!((found.viewer(), found.preset()), (ivec2(41, 30), expected.preset()));
    for x in 0..80 {
        let cell = ivec2(x, 20);
        assert_eq!(found.visibility(cell).to_bits(), expected.visibility(cell).to_bits(), "{cell}");
    }
}

#[test]
fn slow_views_of_an_opened_map_and_of_a_walk_on_it_are_left_out() {
    let (mut document, mut shown) = (document(), Shown::default());
    let opacity = OpacityMap::try_from(Grid::from_fn(80, 60, |cell| if cell.x % 7 == 3 { 0.3 } else { 0.0 }));
    let map = MapFile { opacity: opacity.unwrap(), viewer: Some(ivec2(40, 30)) };
    let source = MapSource::new("stripes.npy", digest_of_map(&map.opacity));
    let mut expected = Scene::from_map(exact(70), map.opacity.clone(), map.viewer, Job::none()).unwrap();
    expected.step(ivec2(0, 1)).unwrap();
    let walk = SavedWalk::of(&expected, "", Some(&source));
    document.open(OpenedFile::Map(map, source), None, &mut shown);
    assert!(document.is_settled());
    document.edit(exact(70), None, &shown);
    document.walk(ivec2(0, 1));
    assert!(document.is_stale());
    settle(&mut document, &mut shown);
    let same = |found: &Scene| {
        (0..80).all(|x| found.visibility((x, 20)).to_bits() == expected.visibility((x, 20)).to_bits())
            && found.viewer() == expected.viewer()
    };
    assert!(same(document.scene().unwrap()));
    document.open(OpenedFile::Walk(Box::new(walk)), None, &mut shown);
    assert!(document.is_stale() && document.take_errors().is_empty());
    settle(&mut document, &mut shown);
    assert!(same(document.scene().unwrap()));
    assert_eq!(document.scene().unwrap().walk_state().memory, expected.walk_state().memory);
}

#[test]
fn undo_leaves_a_slow_view_at_once() {
    let (mut document, mut shown) = (document(), Shown::default());
    document.edit(exact(70), None, &shown);
    document.advance(0.1, &mut shown).unwrap();
    assert!(document.undo(&mut shown));
    settle(&mut document, &mut shown);
    assert_eq!(document.preset(), &preset());
    let expected = Scene::generate(preset(), Some(ivec2(40, 30)), Job::none()).unwrap();
    assert_eq!(document.scene().unwrap().visibility((50, 31)), expected.visibility((50, 31)));
}

/// A linear congruential generator (Knuth's MMIX), for reproducible failures.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Returns a change of the settings, the world, the comparison or the history, or a step.
    fn command(&mut self) -> Command {
        let cell = ivec2(self.below(80) as i32, self.below(60) as i32);
        match self.below(16) {
            0 => Command::AddToSeed(1),
            1 => Command::Set("world.land", Some(Value::Float(0.3 + self.below(50) as f64 / 100.0))),
            2 => Command::Set("sight.method", Some(Value::String("exact".into()))),
            3 => Command::Set("sight.method", Some(Value::String("two_parent".into()))),
            4 => Command::Set("sight.radius", Some(Value::Integer(20 + self.below(40) as i64))),
            5..=7 => Command::Undo,
            8 => Command::Redo,
            9 => Command::ToggleComparison,
            10 => Command::CompareWith(ComparedTo::Seed(self.below(9))),
            11 => Command::CompareWith(ComparedTo::Method(MethodKind::Exact)),
            12 => Command::Paint(Stroke::new(Brush::Raise, [cell]).with_radius(4)),
            13 => Command::SettleLand,
            14 => Command::Place(cell),
            _ => Command::Walk(ivec2(1, 0)),
        }
    }
}

#[test]
fn random_commands_leave_every_stage_with_the_views_of_a_fresh_scene() {
    let (mut document, mut shown) = (document(), Shown::default());
    document.edit_with(|preset| preset.sight.samples = 16, &shown);
    let mut random = Random(66);
    for round in 0..12 {
        for _ in 0..12 {
            let _ = document.execute(random.command(), &mut shown); // some documents have nothing to undo or settle
            if random.below(3) > 0 {
                document.end_step();
            }
            for _ in 0..random.below(3) {
                document.advance(0.1, &mut shown).unwrap();
            }
        }
        document.end_step();
        settle(&mut document, &mut shown);
        let scene = document.scene().unwrap();
        let fresh = Scene::generate(scene.present_preset(), Some(scene.viewer()), Job::none()).unwrap();
        let bits = |scene: &Scene| {
            scene.layer(Layer::Visibility, CellRect::of_size(scene.size())).unwrap().map(|seen| seen.to_bits())
        };
        assert!(bits(scene) == bits(&fresh), "round {round}: {:?}", document.take_errors());
        assert_eq!(scene.preset().world, document.preset().world);
        assert!(document.comparison().scene.as_ref().is_none_or(|second| !second.is_stale()));
    }
}
