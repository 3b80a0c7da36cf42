//! Every input that ever failed under `fuzz/run` goes through its target again: `fuzz/regressions/TARGET/NAME`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::fuzz_targets::{self, FUZZ_TARGETS};

fn fuzz() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The published package has no `fuzz/`.
fn is_published() -> bool {
    !fuzz().is_dir()
}

#[test]
fn inputs_that_failed_pass_now() {
    if is_published() {
        return;
    }
    let mut failed = Vec::new();
    for folder in fs::read_dir(fuzz().join("regressions")).unwrap().map(Result::unwrap) {
        if !folder.path().is_dir() {
            continue;
        }
        let target = folder.file_name().into_string().unwrap();
        for input in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
            let bytes = fs::read(input.path()).unwrap();
            if std::panic::catch_unwind(|| fuzz_targets::run(&target, &bytes)).is_err() {
                failed.push(input.path());
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn every_door_has_a_target() {
    if is_published() {
        return;
    }
    let manifest: toml::Table = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap().parse().unwrap();
    let targets = manifest["bin"].as_array().unwrap().iter().map(|bin| bin["name"].as_str().unwrap());
    let targets: BTreeSet<&str> = targets.collect();
    assert_eq!(FUZZ_TARGETS.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>(), targets);
    for target in targets {
        let text = fs::read_to_string(fuzz().join(format!("fuzz_targets/{target}.rs"))).unwrap();
        assert!(text.contains(&format!("farsight_fuzz::target!(\"{target}\");")), "{target}");
    }
}

#[test]
fn doors_take_files_and_damaged_files() {
    let file = |name: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap();
    let seeds: [(&str, Vec<u8>); 13] = [
        ("preset", b"[sight.decay]\nkind = \"linear\"\n[[lamps]]\nat = [3, 4]\n".to_vec()),
        ("provenance", file("tests/data/view.png")),
        ("provenance", file("tests/data/walk.gif")),
        ("saved_walk", file("tests/data/walk.farsight")),
        ("atlas_checkpoint", file("tests/data/atlas.checkpoint")),
        ("link", b"preset=fog&seed=7&at=120,88&optics.visual_range_m=2000".to_vec()),
        ("map_txt", b"#..\n.@5\n".to_vec()),
        ("sidecars", file("tests/data/terrain/feet-asc-aux/dem.asc.aux.xml")),
        ("sidecars", file("tests/data/terrain/asc-prj-degrees/dem.prj")),
        ("sidecars", b"<PAMDataset><SRS>EPSG:2263</SRS></PAMDataset>".to_vec()),
        ("heightmap_vrt", file("tests/data/mosaic.vrt")),
        ("heightmap_asc", b"DSAA\n3 2\n0 60\n0 40\n1 6\n1 2 3\n4 5 6\n".to_vec()),
        ("kernels", (0..200).collect()),
    ];
    for (target, bytes) in seeds {
        fuzz_targets::run(target, &bytes);
        fuzz_targets::run(target, &bytes[..bytes.len() / 2]);
        let mut damaged = bytes.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0x10;
        fuzz_targets::run(target, &damaged);
    }
}
