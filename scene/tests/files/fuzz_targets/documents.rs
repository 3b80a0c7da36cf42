//! Presets, provenances, saved walks, checkpoints of atlases, links, decays and scripts.

use farsight::sight::Decay;
use farsight_scene::atlas::{Atlas, AtlasLayer};
use farsight_scene::export::{ExportOptions, Link, SavedWalk, Shell};
use farsight_scene::files::{Format, Provenance};
use farsight_scene::film::FilmOptions;
use farsight_scene::preset::Preset;
use farsight_scene::scene::{Scene, SceneCost};

use super::checksums::{with_checkpoint_checksums, with_png_checksums, with_walk_checksum};

/// The maximum size of a map for layers, in cells.
const MAX_CELLS: usize = 1 << 14;

/// The most cell updates of a scene that is computed, a small part of those of a file in the program, so that a case is short.
const MAX_UPDATES: u64 = SceneCost::BUDGET / 500;

/// A preset in TOML is refused, or equals itself after it was written and read.
pub(super) fn preset(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // A file that it extends is none of this target's bytes.
    if text.contains("extends") && (text.contains('/') || text.contains('\\') || text.contains(".toml")) {
        return;
    }
    match Preset::from_toml(text, "input") {
        Ok(preset) => {
            written_and_read(&preset);
            if SceneCost::of_generated(&preset, None).updates() <= MAX_UPDATES {
                let _ = Scene::generate(preset, None, farsight::Job::none());
            }
        }
        Err(error) => one_line(&error),
    }
}

fn written_and_read(preset: &Preset) {
    let text = preset.to_toml();
    let again = Preset::from_toml(&text, "again").unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(*preset, again, "{text}");
    preset.check().unwrap_or_else(|error| panic!("{error} in\n{text}"));
}

/// Errors are shown in a line of the window.
fn one_line(error: &dyn std::fmt::Display) {
    let message = error.to_string();
    assert!(!message.is_empty());
}

/// The scene in a picture, film or JSON file, with the settings of its export.
pub(super) fn provenance(bytes: &[u8]) {
    let repaired = with_png_checksums(bytes);
    let Ok(found) = Provenance::decode(&repaired) else { return };
    let _ = found.caveats();
    let _ = ExportOptions::from_provenance(&found);
    let _ = FilmOptions::from_provenance(&found);
    preset(found.preset.as_bytes());
}

/// A saved walk equals itself after it was written and read.
pub(super) fn saved_walk(bytes: &[u8]) {
    let repaired = with_walk_checksum(bytes);
    let Ok(walk) = SavedWalk::from_bytes(repaired.as_deref().unwrap_or(bytes)) else { return };
    let written = walk.to_bytes();
    let again = SavedWalk::from_bytes(&written).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.to_bytes(), written);
    let (preset, viewer) = (&walk.preset, Some(walk.viewer()));
    let cost = match walk.opacity() {
        Some(opacity) => SceneCost::of_map(preset, opacity.grid().size(), viewer),
        None => SceneCost::of_generated(preset, viewer),
    };
    if cost.updates() <= MAX_UPDATES {
        let _ = walk.to_scene(farsight::Job::none());
    }
}

/// The checkpoint of an atlas, and the atlas if it is complete.
pub(super) fn atlas_checkpoint(bytes: &[u8]) {
    let repaired = with_checkpoint_checksums(bytes);
    let bytes = repaired.as_deref().unwrap_or(bytes);
    let Ok(atlas) = Atlas::decode(bytes) else { return };
    if atlas.size().element_product() as usize > MAX_CELLS {
        return;
    }
    for &layer in AtlasLayer::ALL {
        for format in [Format::Csv, Format::Npy, Format::Json, Format::Asc, Format::Tif, Format::Txt, Format::Png] {
            let _ = atlas.product(layer, format, Some(1)).map(|product| (product.encode(format), product.world_file()));
        }
    }
}

/// A link equals itself after it was written and read.
pub(super) fn link(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Link::parse(text) {
        Ok(link) => {
            let query = link.query();
            let again = Link::parse(&query).unwrap_or_else(|error| panic!("{error} in {query}"));
            assert_eq!(link, again, "{query}");
            if SceneCost::of_generated(&link.preset, link.viewer).updates() <= MAX_UPDATES {
                let _ = Scene::generate(link.preset.clone(), link.viewer, farsight::Job::none());
            }
            assert!(!link.flags(Shell::Posix).is_empty());
        }
        Err(error) => one_line(&error),
    }
}

/// A decay: lines of `KEY VALUE` as `--set` takes them, of which the valid ones count. It is 1 at the viewer and falls.
pub(super) fn decay(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut preset = Preset::bare_kernel();
    for line in text.lines().take(16) {
        let Some((key, value)) = line.split_once(' ') else { continue };
        match key {
            "kind" | "reach" | "half" | "near" | "points" => {
                let _ = preset.set(&format!("sight.decay.{key}"), value);
            }
            _ => {}
        }
    }
    let decay = preset.sight.decay.decay();
    if decay.check().is_err() {
        panic!("a preset took {decay:?}");
    }
    for radius in [0, 1, 32, 4096] {
        falls(&decay, radius);
    }
}

fn falls(decay: &Decay, radius: u32) {
    if !matches!(decay, Decay::Points(points) if points[0][0] == 0.0) {
        assert_eq!(decay.at(0.0, radius), 1.0, "{decay:?}");
    }
    let mut before = 1.0;
    for step in 0..200 {
        let distance = f64::from(step) * f64::from(step) / 8.0;
        let factor = decay.at(distance, radius);
        assert!((0.0..=1.0).contains(&factor), "{factor} at {distance} by {decay:?}");
        assert!(factor <= before, "{factor} at {distance} after {before} by {decay:?}");
        before = factor;
    }
}
