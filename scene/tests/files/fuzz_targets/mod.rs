//! The fuzz targets as functions of bytes: every reader of foreign files, and comparisons. `fuzz/` calls them with random bytes,
//! `tests/files/regressions.rs` with all former failures.
//!
//! A target panics if farsight does, and if a property does not hold. Bytes that farsight refuses are fine.

mod checksums;
mod differential;
mod documents;
mod draws;
mod rasters;
mod scenes;

/// Reads bytes and checks the result.
pub(super) type FuzzTarget = fn(&[u8]);

/// All targets with their names in `fuzz/`.
pub(super) const FUZZ_TARGETS: &[(&str, FuzzTarget)] = &[
    ("preset", documents::preset),
    ("provenance", documents::provenance),
    ("saved_walk", documents::saved_walk),
    ("atlas_checkpoint", documents::atlas_checkpoint),
    ("link", documents::link),
    ("decay", documents::decay),
    ("map_txt", rasters::map_txt),
    ("map_csv", rasters::map_csv),
    ("map_npy", rasters::map_npy),
    ("map_png", rasters::map_png),
    ("heightmap_asc", rasters::heightmap_asc),
    ("heightmap_npy", rasters::heightmap_npy),
    ("heightmap_png", rasters::heightmap_png),
    ("heightmap_tif", rasters::heightmap_tif),
    ("heightmap_hgt", rasters::heightmap_hgt),
    ("heightmap_vrt", rasters::heightmap_vrt),
    ("sidecars", rasters::sidecars),
    ("kernels", differential::kernels),
    ("batch", differential::batch),
    ("beam_exact", differential::beam_exact),
    ("gains", differential::gains),
    ("scene", scenes::scene),
];

/// Runs a target.
///
/// # Panics
/// If there is no such target, and as the target does.
pub(super) fn run(name: &str, bytes: &[u8]) {
    let (_, target) =
        FUZZ_TARGETS.iter().find(|(target, _)| *target == name).unwrap_or_else(|| panic!("there is no target {name}"));
    target(bytes);
}
