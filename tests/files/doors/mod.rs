//! The doors: every way by which bytes of strangers come in, as functions of bytes. `fuzz/` calls them with random bytes,
//! `tests/files/regressions.rs` with those that ever failed.
//!
//! A door panics if farsight does, and if a property does not hold. Bytes that farsight refuses are fine.

mod checksums;
mod differential;
mod documents;
mod draws;
mod rasters;
mod scenes;

/// A door: reads bytes, and checks what comes of them.
pub(super) type Door = fn(&[u8]);

/// All doors with the names of their targets in `fuzz/`.
pub(super) const DOORS: &[(&str, Door)] = &[
    ("preset", documents::preset),
    ("provenance", documents::provenance),
    ("saved_walk", documents::saved_walk),
    ("atlas_part", documents::atlas_part),
    ("link", documents::link),
    ("decay", documents::decay),
    #[cfg(feature = "explorer")]
    ("script", documents::script),
    ("map_txt", rasters::map_txt),
    ("map_csv", rasters::map_csv),
    ("map_npy", rasters::map_npy),
    ("map_png", rasters::map_png),
    ("heightmap_asc", rasters::heightmap_asc),
    ("heightmap_npy", rasters::heightmap_npy),
    ("heightmap_png", rasters::heightmap_png),
    ("heightmap_tif", rasters::heightmap_tif),
    ("kernels", differential::kernels),
    ("batch", differential::batch),
    ("beam_exact", differential::beam_exact),
    ("gains", differential::gains),
    ("scene", scenes::scene),
];

/// Runs a door.
///
/// # Panics
/// If there is no such door, and as the door does.
pub(super) fn run(name: &str, bytes: &[u8]) {
    let (_, door) = DOORS.iter().find(|(door, _)| *door == name).unwrap_or_else(|| panic!("there is no door {name}"));
    door(bytes);
}
