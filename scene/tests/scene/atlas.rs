//! Batches of viewers and atlases, compared with single views; checkpoints.

use std::sync::atomic::{AtomicBool, Ordering};

use farsight::Job;
use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight::perception::Recognition;
use farsight::sight::{FieldOfView, MethodKind, OpacityMap, SightConfig, SightError};
use farsight_scene::atlas::{
    Atlas, AtlasCell, AtlasError, AtlasLayer, AtlasPlan, Cells, Checkpoint, CheckpointError, StoredAtlas,
};
use farsight_scene::files::{Content, Format, Product, TifLayout};
use farsight_scene::preset::Preset;
use farsight_scene::scene::Scene;

fn speckled() -> OpacityMap {
    OpacityMap::try_from(Grid::from_fn(70, 50, |c| ((c.x * 7 + c.y * 13 + c.x * c.y) % 11) as f32 / 20.0)).unwrap()
}

fn all_cells(size: IVec2) -> Vec<IVec2> {
    (0..size.y).flat_map(|y| (0..size.x).map(move |x| ivec2(x, y))).collect()
}

fn scene(name: &str, width: u32, height: u32, radius: u32) -> Scene {
    let mut preset = Preset::named(name).unwrap();
    (preset.world.width, preset.world.height) = (width, height);
    preset.sight.radius = radius;
    Scene::generate(preset, None, Job::none()).unwrap()
}

fn plan(scene: &Scene, cells: Cells) -> AtlasPlan {
    AtlasPlan::new(scene, "test", None, cells).unwrap()
}

pub(super) fn atlas(scene: &Scene, cells: Cells) -> Atlas {
    Atlas::compute(&plan(scene, cells), scene, Job::none()).unwrap()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn a_batch_gives_the_same_bits_as_single_views() {
    let map = speckled();
    let viewers = all_cells(map.grid().size());
    for (method, radius) in [(MethodKind::TwoParent, 12), (MethodKind::TwoParent, 2), (MethodKind::Beam, 9)] {
        let fov = FieldOfView::new(SightConfig::default().with_radius(radius).with_method(method)).unwrap();
        let read = |viewer: IVec2, view: farsight::sight::View<'_>| {
            assert_eq!(view.viewer(), viewer);
            view.grid().rows().flatten().map(|v| v.to_bits()).collect::<Vec<u32>>()
        };
        let mut single_fov = fov.clone();
        let single: Vec<_> = viewers.iter().map(|&at| read(at, single_fov.compute(&map, at).unwrap())).collect();
        for threads in [1, 2, 3] {
            let batch = with_threads(threads, || fov.compute_many(&map, &viewers, Job::none(), read).unwrap());
            assert!(batch == single, "{method:?}, radius {radius}, {threads} threads");
        }
    }
}

#[test]
fn a_changed_configuration_reaches_the_workspaces() {
    let map = speckled();
    let viewers = [ivec2(3, 3), ivec2(60, 40)];
    let mut fov = FieldOfView::new(SightConfig::default().with_radius(6)).unwrap();
    let sum = |_: IVec2, view: farsight::sight::View<'_>| view.visible().map(|(_, v)| f64::from(v)).sum::<f64>();
    for radius in [6, 14, 5] {
        for method in [MethodKind::TwoParent, MethodKind::Beam] {
            fov.set_config(SightConfig::default().with_radius(radius).with_method(method)).unwrap();
            let fresh = FieldOfView::new(fov.config().clone()).unwrap();
            let many = |fov: &FieldOfView| fov.compute_many(&map, &viewers, Job::none(), sum);
            assert_eq!(many(&fov), many(&fresh));
        }
    }
}

#[test]
fn the_error_is_that_of_the_first_viewer_on_any_number_of_threads() {
    let map = speckled();
    let mut viewers = all_cells(map.grid().size());
    for i in [3000, 1234, 2000] {
        viewers[i] = ivec2(-1, i as i32);
    }
    let fov = FieldOfView::new(SightConfig::default().with_radius(4)).unwrap();
    for threads in [1, 2] {
        let error = with_threads(threads, || fov.compute_many(&map, &viewers, Job::none(), |_, _| ()).unwrap_err());
        assert_eq!(
            error,
            SightError::ViewerOutside { viewer: ivec2(-1, 1234), extent: CellRect::of_size(ivec2(70, 50)) }
        );
    }
    assert_eq!(fov.compute_many(&map, &[IVec2::ZERO; 0], Job::none(), |_, _| ()), Ok(vec![]));
}

#[test]
fn a_batch_reports_progress_and_can_be_cancelled() {
    let map = speckled();
    let viewers = all_cells(map.grid().size());
    let fov = FieldOfView::new(SightConfig::default().with_radius(4)).unwrap();
    let progress = std::sync::Mutex::new(Vec::new());
    let record = |_: &'static str, done: f32| progress.lock().unwrap().push(done);
    let look = |fov: &mut FieldOfView, at: IVec2| Ok(fov.compute(&map, at)?.get(at));
    fov.for_each_viewer(&viewers, Job::none().on_progress(&record), look).unwrap();
    let progress = progress.into_inner().unwrap();
    assert!(progress.is_sorted() && progress.last() == Some(&1.0) && progress.len() > 100);

    let stop = AtomicBool::new(false);
    let after_a_few = |fov: &mut FieldOfView, at: IVec2| {
        stop.store(at == ivec2(5, 0) || stop.load(Ordering::Relaxed), Ordering::Relaxed);
        look(fov, at)
    };
    let stopped = with_threads(1, || fov.for_each_viewer(&viewers, Job::none().cancelled_by(&stop), after_a_few));
    assert_eq!(stopped, Err(SightError::Cancelled(farsight::Cancelled)));
}

#[test]
fn views_after_the_first_batch_allocate_nothing() {
    let map = speckled();
    let viewers = all_cells(map.grid().size());
    let fov = FieldOfView::new(SightConfig::default().with_radius(12)).unwrap();
    with_threads(1, || {
        let mut counted = Vec::new();
        for _ in 0..2 {
            fov.for_each_viewer(&viewers[..500], Job::none(), |fov, at| {
                Ok(allocation_counter::measure(|| {
                    fov.compute(&map, at).unwrap();
                })
                .count_total)
            })
            .map(|counts| counted.push(counts.iter().sum::<u64>()))
            .unwrap();
        }
        assert!(counted[0] > 0, "the first batch makes the buffers");
        assert_eq!(counted[1], 0);
    });
}

#[test]
fn an_atlas_at_night_allocates_no_more_than_by_day() {
    let day = scene("temperate", 40, 30, 9);
    let preset = day.preset().with([("optics.light", 0.5.into())]).unwrap();
    let night = Scene::from_world(preset, day.world().unwrap().clone(), None, Job::none()).unwrap();
    let counts = [&day, &night].map(|scene| {
        let plan = plan(scene, Cells::Every(1));
        let survey = || plan.survey(scene, 0, Job::none(), |_| Ok::<(), AtlasError>(())).unwrap();
        with_threads(1, || {
            survey(); // makes the buffers
            allocation_counter::measure(survey).count_total
        })
    });
    assert!(counts[1] < counts[0] + 100, "{counts:?} for 1,200 viewers");
}

#[test]
fn an_atlas_uses_the_classic_method_of_the_preset() {
    for name in ["temperate", "dungeon"] {
        let plain = scene(name, 40, 30, 9);
        let preset = plain.preset().with([("sight.method", "shadowcast".into())]).unwrap();
        let mut classic = Scene::generate(preset, None, Job::none()).unwrap();
        let [by_rays, by_sight] = [&classic, &plain].map(|scene| atlas(scene, Cells::Every(3)));
        let mut differing = 0;
        for ((at, seen), (_, other)) in by_rays.iter().zip(by_sight.iter()) {
            let (sum, identified, _) = single_view(&mut classic, at);
            assert!((f64::from(seen.total_visibility) - sum).abs() <= 1e-5 * sum, "{name}, {at}: {seen:?}, {sum}");
            assert_eq!(seen.identified, identified, "{name}, {at}");
            differing += usize::from(seen.total_visibility != other.total_visibility);
        }
        assert!(differing > 20, "{name}: {differing}");
    }
}

/// Returns the total visibility, the fraction of identified cells and the squared distance to the farthest cell, from a
/// view of the scene's own viewer.
fn single_view(scene: &mut Scene, at: IVec2) -> (f64, f32, i64) {
    scene.place(at).unwrap();
    let radius = i64::from(scene.radius());
    let (mut sum, mut identified, mut in_range, mut farthest) = (0.0, 0, 0, 0);
    for cell in all_cells(scene.size()) {
        let squared = (cell - at).as_i64vec2().length_squared();
        sum += f64::from(scene.visibility(cell));
        in_range += i32::from(squared <= radius * radius);
        identified += i32::from(scene.sense(cell) == Recognition::Identified);
        if scene.sense(cell) > Recognition::Hidden {
            farthest = farthest.max(squared);
        }
    }
    (sum, identified as f32 / in_range as f32, farthest)
}

#[test]
fn an_atlas_agrees_with_single_views() {
    // Relief and haze; a radius that grows with height; the viewer's own light; walls.
    for name in ["temperate", "alpine", "night-lantern", "dungeon", "as-published"] {
        let mut scene = scene(name, 40, 30, 11);
        let atlas = atlas(&scene, Cells::Every(1));
        assert!(atlas.is_whole());
        let mut values = std::collections::BTreeSet::new();
        for (at, seen) in atlas.iter() {
            let (sum, identified, farthest) = single_view(&mut scene, at);
            assert!((f64::from(seen.total_visibility) - sum).abs() <= 1e-5 * sum, "{name}, {at}: {seen:?}, {sum}");
            assert_eq!(seen.identified, identified, "{name}, {at}");
            let squared = (seen.farthest - at).as_i64vec2().length_squared();
            assert_eq!(squared, farthest, "{name}, {at}: {seen:?}");
            values.insert(seen.total_visibility.to_bits());
        }
        assert!(values.len() > 20, "{name}: not all cells are alike");
    }
}

#[test]
fn an_atlas_does_not_depend_on_the_number_of_threads() {
    let scene = scene("alpine", 60, 40, 16);
    let single = with_threads(1, || atlas(&scene, Cells::Every(1)));
    for threads in [2, 3] {
        assert!(with_threads(threads, || atlas(&scene, Cells::Every(1))) == single, "{threads}");
    }
}

#[test]
fn an_atlas_of_some_cells_has_the_values_of_a_whole_one() {
    let scene = scene("temperate", 40, 30, 8);
    let whole: Vec<(IVec2, AtlasCell)> = atlas(&scene, Cells::Every(1)).iter().map(|(at, seen)| (at, *seen)).collect();
    let expected =
        |keep: &dyn Fn(IVec2) -> bool| -> Vec<_> { whole.iter().copied().filter(|(at, _)| keep(*at)).collect() };
    let some = |cells| -> Vec<_> { atlas(&scene, cells).iter().map(|(at, seen)| (at, *seen)).collect() };
    assert_eq!(some(Cells::Every(7)), expected(&|at| at.x % 7 == 0 && at.y % 7 == 0));
    let list = [ivec2(39, 29), ivec2(3, 4), ivec2(30, 2)];
    assert_eq!(some(Cells::list(list.to_vec())), expected(&|at| list.contains(&at)));
    let values = atlas(&scene, Cells::Every(7)).values(AtlasLayer::TotalVisibility);
    assert_eq!(values.as_slice().iter().filter(|v| !v.is_nan()).count(), 6 * 5);
}

/// Returns the bytes of a complete checkpoint.
fn checkpoint_bytes(scene: &Scene, plan: &AtlasPlan) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    let mut file = Checkpoint::open(&path, plan, false).unwrap();
    plan.survey(scene, 0, Job::none(), |seen| file.append(seen).map_err(|e| panic!("{e}"))).unwrap_or_else(fail);
    file.finish().unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn a_checkpoint_gives_the_geotiff_of_the_atlas() {
    let scene = scene("temperate", 60, 45, 5); // more than one block
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    for cells in [Cells::Every(1), Cells::Every(4), Cells::list(vec![ivec2(3, 2), ivec2(50, 2), ivec2(7, 40)])] {
        let whole = atlas(&scene, cells.clone());
        std::fs::write(&path, checkpoint_bytes(&scene, &plan(&scene, cells))).unwrap();
        assert!(Atlas::open(&path).unwrap() == whole);
        let stored = StoredAtlas::open(&path).unwrap();
        assert_eq!((stored.written_size(), stored.viewers()), (whole.written_size(), whole.iter().count()));
        for &layer in AtlasLayer::ALL {
            assert_eq!(stored.maximum(layer, Job::none()).unwrap(), whole.maximum(layer));
            for layout in [TifLayout::Strips, TifLayout::CloudOptimized] {
                let mut stored = Product::from(Content::Rows(stored.rows(layer, folder.path())));
                stored.set_tif_layout(layout);
                let written = stored.encode(Format::Tif).unwrap();
                let mut raster = whole.raster(layer);
                raster.tif_layout = layout;
                assert!(written == raster.encode(Format::Tif).unwrap(), "{layer:?}, {layout:?}");
            }
        }
        let stop = AtomicBool::new(true);
        let stopped = stored.maximum(AtlasLayer::Identified, Job::none().cancelled_by(&stop)).unwrap_err();
        assert_eq!(stopped.to_string(), "could not write: stopped before it was done");
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let error = stored.maximum(AtlasLayer::Identified, Job::none()).unwrap_err().to_string();
        assert!(error.contains("a.checkpoint: is damaged at byte"), "{error}");
    }
}

fn fail(error: AtlasError) {
    panic!("{error}");
}

#[test]
fn a_truncated_checkpoint_is_continued_to_the_same_bytes() {
    let scene = scene("temperate", 60, 45, 5); // 2700 cells: two blocks of 1024 and one of 652
    let plan = plan(&scene, Cells::Every(1));
    let whole = checkpoint_bytes(&scene, &plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    let header = whole.len() - 2700 * 16 - 3 * 16;
    let block = 1024 * 16 + 16;
    let ends = [0, 10, header - 1, header, header + 5, header + block - 1, header + block];
    for end in ends.into_iter().chain([header + 2 * block + 100, whole.len() - 1, whole.len()]) {
        std::fs::write(&path, &whole[..end]).unwrap();
        let mut file = Checkpoint::open(&path, &plan, true).unwrap_or_else(|error| panic!("{end}: {error}"));
        let from = file.done();
        assert_eq!(
            from,
            if end < header {
                0
            } else {
                ((end - header) / block * 1024).min(2048) + if end == whole.len() { 652 } else { 0 }
            },
            "{end}"
        );
        plan.survey(&scene, from, Job::none(), |seen| file.append(seen).map_err(|e| panic!("{e}")))
            .unwrap_or_else(fail);
        file.finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "{end}");
    }
}

#[test]
fn a_changed_byte_of_a_block_is_an_error() {
    let scene = scene("temperate", 12, 9, 4);
    let plan = plan(&scene, Cells::Every(1));
    let whole = checkpoint_bytes(&scene, &plan);
    assert_eq!(Atlas::decode(&whole).unwrap(), atlas(&scene, Cells::Every(1)));
    let header = whole.len() - 108 * 16 - 16;
    for at in header..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let is_found = match Atlas::decode(&bytes) {
            Err(CheckpointError::Damaged { at, .. }) => at == header,
            // A larger number of cells looks like a truncated block.
            Err(CheckpointError::Atlas(AtlasError::Incomplete { done: 0, all: 108 })) => true,
            _ => false,
        };
        assert!(is_found, "byte {at}");
    }
    assert!(matches!(Atlas::decode(b"x,y\n"), Err(CheckpointError::NotACheckpoint)));
    assert!(matches!(Atlas::decode(&whole[..60]), Err(CheckpointError::Header(_))));
    assert!(matches!(Atlas::decode(&whole[..header - 1]), Err(CheckpointError::Header(_))));
    let older = [b"farsight atlas checkpoint 0\n", &whole[28..]].concat();
    assert!(matches!(Atlas::decode(&older), Err(CheckpointError::OtherVersion)));
}

#[test]
fn a_changed_byte_of_the_header_is_an_error() {
    let scene = scene("temperate", 12, 9, 4);
    let plan = plan(&scene, Cells::Every(1));
    let whole = checkpoint_bytes(&scene, &plan);
    let header = whole.len() - 108 * 16 - 16;
    let text = String::from_utf8(whole[..header].to_vec()).unwrap();
    assert!(text.contains("radius = 4") && text.ends_with('\n'), "{text}");
    for at in 0..header {
        for flip in [0x01, 0x04, 0x10, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            let is_found = match Atlas::decode(&bytes) {
                Err(CheckpointError::NotACheckpoint | CheckpointError::OtherVersion) => at < 28,
                Err(CheckpointError::Header(_)) => at >= 28,
                _ => false,
            };
            assert!(is_found, "byte {at}, bits {flip:#x}");
        }
    }
}

#[test]
fn a_checkpoint_of_another_atlas_or_in_use_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    let scene_a = scene("temperate", 12, 9, 4);
    let plan_a = plan(&scene_a, Cells::Every(1));
    let open = Checkpoint::open(&path, &plan_a, false).unwrap();
    assert!(matches!(Checkpoint::open(&path, &plan_a, true), Err(CheckpointError::InUse)));
    drop(open);
    assert!(Checkpoint::open(&path, &plan_a, false).is_ok()); // it holds no cells
    std::fs::write(&path, checkpoint_bytes(&scene_a, &plan_a)).unwrap();
    assert!(matches!(Checkpoint::open(&path, &plan_a, false), Err(CheckpointError::Exists { done: 108, all: 108 })));
    for (name, radius, cells) in [
        ("fog", 4, Cells::Every(1)),
        ("temperate", 5, Cells::Every(1)),
        ("temperate", 4, Cells::Every(2)),
        ("temperate", 4, Cells::list(vec![ivec2(1, 1)])),
    ] {
        let scene = scene(name, 12, 9, radius);
        let other = Checkpoint::open(&path, &plan(&scene, cells), true);
        assert!(matches!(other, Err(CheckpointError::Foreign { .. })), "{name}, {radius}, {other:?}");
    }
    let mut repainted = scene_a.preset().clone();
    repainted.paint.legend = !repainted.paint.legend;
    let repainted = Scene::generate(repainted, None, Job::none()).unwrap();
    assert!(Checkpoint::open(&path, &plan(&repainted, Cells::Every(1)), true).is_ok());
}

#[test]
fn every_format_is_written_and_pictures_hold_their_scene() {
    let scene = scene("temperate", 24, 18, 6);
    let atlas = atlas(&scene, Cells::Every(1));
    for format in Format::ALL.iter().copied().filter(|format| format.is_written()) {
        let bytes = atlas.product(AtlasLayer::Identified, format, None).unwrap().encode(format).unwrap();
        assert!(!bytes.is_empty(), "{format}");
        if matches!(format, Format::Png | Format::Json) {
            let provenance = farsight_scene::files::Provenance::decode(&bytes).unwrap();
            assert_eq!(provenance.layer, "identified");
            let preset = Preset::from_toml(&provenance.preset, "atlas").unwrap();
            assert_eq!(preset.world, scene.preset().world);
        }
    }
    let csv = atlas.raster(AtlasLayer::Farthest).encode(Format::Csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().next(), Some("x,y,farthest"));
    for (line, (at, seen)) in csv.lines().skip(1).zip(atlas.iter()) {
        assert_eq!(line, format!("{},{},{}", at.x, at.y, AtlasLayer::Farthest.value(at, seen)));
    }
}

#[test]
fn a_picture_has_a_colour_for_each_value_and_a_legend() {
    let scene = scene("temperate", 40, 30, 6);
    let every = atlas(&scene, Cells::Every(1));
    let picture = every.picture(AtlasLayer::TotalVisibility, Some(20)).unwrap();
    assert_eq!(picture.width(), 800);
    assert!(picture.height() > 600 + 26, "a legend below");
    let values = every.values(AtlasLayer::TotalVisibility);
    let at = |value: f32| values.iter().find(|(_, v)| **v == value).map(|(cell, _)| cell).unwrap();
    let low = at(values.as_slice().iter().copied().fold(f32::INFINITY, f32::min));
    let high = at(every.maximum(AtlasLayer::TotalVisibility).value);
    let light = |picture: &farsight_scene::paint::Picture, cell: IVec2| {
        let pixel = picture.get(cell.x as usize * 20 + 10, cell.y as usize * 20 + 10).unwrap();
        pixel.iter().map(|&byte| u32::from(byte)).sum::<u32>()
    };
    assert!(light(&picture, high) > light(&picture, low) + 100);
    // A value fills the square whose upper left cell is the viewer's; a listed cell fills only itself.
    let sparse = atlas(&scene, Cells::Every(3)).picture(AtlasLayer::TotalVisibility, Some(20)).unwrap();
    assert_eq!(light(&sparse, ivec2(4, 5)), light(&sparse, ivec2(3, 3)));
    let listed = atlas(&scene, Cells::list(vec![high])).picture(AtlasLayer::TotalVisibility, Some(20)).unwrap();
    assert_eq!(light(&listed, high), light(&picture, high));
    assert_ne!(light(&listed, low), light(&picture, low), "no value");
    assert!(every.picture(AtlasLayer::TotalVisibility, Some(1 << 20)).is_err());
}

#[test]
fn invalid_cells_are_errors() {
    let scene = scene("temperate", 12, 9, 4);
    let plan = |cells| AtlasPlan::new(&scene, "", None, cells).unwrap_err();
    assert_eq!(plan(Cells::Every(0)), AtlasError::NoStep);
    assert_eq!(plan(Cells::list(vec![])), AtlasError::NoCells);
    let words = plan(Cells::list(vec![ivec2(3, 3), ivec2(12, 0)])).to_string();
    assert_eq!(words, "cell 12,0 is outside the map of 12x9 cells");
    let plan = AtlasPlan::new(&scene, "", None, Cells::Every(4)).unwrap();
    assert_eq!(Atlas::new(&plan, Vec::new()).unwrap_err(), AtlasError::Incomplete { done: 0, all: 9 });
}
